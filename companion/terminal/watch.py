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
    game.start(setup)  # refuses a set-up that cannot be before anything is shown
    setup = game.complete(setup)
    show.checklist(say("ui.setting-up"), game.checklist(setup))
    shown = 0
    for state, answer in play(game, setup, seed):
        show.news(state.news)
        view = game.view(state)
        if view.round != shown:
            show.table(view)
            shown = view.round
        if answer is not None and state.news:
            wait()
    show.table(game.view(state))
    print_sheet(game.sheet(state), show.language, show.console.file)
    show.checklist(say("ui.packing"), game.packing(setup))


def retell(session: Session, show: Shower) -> None:
    """A recorded play from its first answer to where it stands."""
    shown = 0
    for n, sentence in enumerate(session.story(), start=1):
        before = session.game.view(session.moments[n - 1].state).round
        if before != shown:
            show.say(say("ui.round", n=before), "bold reverse")
            shown = before
        show.say(sentence, "bold")
        show.news(session.moments[n].state.news)
    show.table(session.game.view(session.state))
    sheet = session.game.sheet(session.state)
    print_sheet(sheet, show.language, show.console.file, final=session.over)
