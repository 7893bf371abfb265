"""A play at this terminal: sets up keyboard and camera, and closes both in the end."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager

from companion.core.game import Game
from companion.core.play import Play
from companion.core.replay_divergence import Divergence
from companion.core.words import say
from companion.errors import DONE
from companion.recognition.camera_troubles import trouble_text
from companion.results.sheets import print_sheet
from companion.table.desk import seats_in
from companion.table.settings import load, settings_path, switch_reminders_off
from companion.terminal.any_time_commands import AskLine, Quit
from companion.terminal.in_hall import in_hall
from companion.terminal.show import Shower
from companion.terminal.table import TextTable
from vision import BadSource, CameraTrouble


@contextmanager
def asking(rules: Game, show: Shower, source: str | None, names: tuple[str, ...]) -> Iterator[AskLine]:
    """The input of a play: the keyboard, and a camera if one is named. A camera that does not work is only
    reported; a name that cannot be a camera's is refused."""
    if source is None:
        yield input
        return
    from companion.recognition import faces
    from companion.terminal.live import keys_and_camera

    with ExitStack() as stack:
        ask: AskLine = input
        try:
            kept = load(settings_path())
            seats = seats_in(names, kept.zones)
            taught = faces.index(settings_path().parent, rules)
            ask = stack.enter_context(keys_and_camera(rules, source, seats, kept.spot, taught))
        except BadSource:
            raise
        except CameraTrouble as trouble:
            show.say(say("see.camera-over", why=trouble_text(trouble)), "yellow")
        yield ask


def goes_on(divergence: Divergence, show: Shower, ask: AskLine) -> bool:
    """Say where today's rules diverge from a recorded play, and ask whether to go on from there. A finished
    play is only shown."""
    show.say(divergence.text, "yellow")
    if divergence.sheet is not None:
        print_sheet(divergence.sheet, show.language, show.console.file)
        return False
    while not isinstance(heard := ask(show.words(say("ui.diverged-ask")) + " "), str):
        pass  # ignore camera news meanwhile
    return not heard.strip()


def at_the_table(play: Play, show: Shower, ask: AskLine, clock: Callable[[], float]) -> int:
    """Play until the play is over or somebody quits; returns the exit code."""
    try:
        show.reminders_off = load(settings_path()).reminders_off
        with in_hall(play, show, clock) as hall:
            table = TextTable(
                play, show, ask, clock, changed=hall.changed, keep_reminders=switch_reminders_off
            )
            table.run()
            hall.ask_confirmation(ask)
    except (Quit, EOFError, KeyboardInterrupt):
        show.say(say("ui.saved", n=play.id))
    return DONE
