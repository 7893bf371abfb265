"""Watching: a demonstration by bots, and a recorded play told again."""

from __future__ import annotations

from collections.abc import Callable

from companion.core.autoplay import play
from companion.core.game import Game, Setup
from companion.core.session import Session
from companion.core.words import say
from companion.score_command import print_sheet
from companion.terminal.show import Shower


def demonstrate(game: Game, setup: Setup, seed: int, show: Shower, wait: Callable[[], None]) -> None:
    """Bots play a whole game; the table is shown as each round ends, everything told as it happens."""
    setup = game.complete(setup)
    show.list(say("ui.setting-up"), game.checklist(setup))
    shown = 0
    for state, answer in play(game, setup, seed):
        view = game.view(state)
        if view.round != shown:
            show.table(view)
            shown = view.round
        show.news(state.news)
        if answer is not None and state.news:
            wait()
    show.table(game.view(state))
    print_sheet(game.sheet(state), show.language, show.console.file)
    show.list(say("ui.packing"), game.packing(setup))


def retell(session: Session, show: Shower) -> None:
    """A recorded play from its first answer to where it stands."""
    for n, sentence in enumerate(session.story(), start=1):
        show.say(sentence, "bold")
        show.news(session.moments[n].state.news)
    show.table(session.game.view(session.state))
    print_sheet(session.game.sheet(session.state), show.language, show.console.file)
