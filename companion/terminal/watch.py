"""Watching: a demonstration by bots, and the replay of a recorded play."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import TYPE_CHECKING

from companion.core.autoplay import next_answer
from companion.core.game import Game, Setup
from companion.core.questions import Answer
from companion.core.replay_divergence import Replayed
from companion.core.session import Session, begin
from companion.core.understand import Accept, understand
from companion.core.words import Text, count, say
from companion.results.sheets import print_sheet
from companion.terminal.afterwards import tell_afterwards
from companion.terminal.show import Shower

if TYPE_CHECKING:
    from companion.terminal.demo_camera import DemoCamera


def demonstrate(
    game: Game, setup: Setup, seed: int, show: Shower, wait: Callable[[], None], eyes: DemoCamera | None
) -> None:
    """Let bots play a whole game; with `eyes`, every card they show is recognised from pictures only."""
    session = begin(game, setup, 0.0)
    setup, random = session.setup, Random(seed)
    bots = game.bots(setup, random)
    show.checklist(say("ui.setting-up"), game.checklist(setup))
    bots.follow(session.state, session.state.news)
    shown = 0
    secrets: list[Text] = []  # read by the camera, but still secret at the table
    while not session.over:
        answer = next_answer(session.state, bots, random)
        if eyes is not None:
            answer, read, secret = seen(session, answer, eyes)
            secrets += [read] if read and secret else []
            if read and not secret:
                show.say(read, "dim")
        session = session.answer(answer, 0.0)
        bots.follow(session.state, session.state.news)
        show.news(session.state.news, session.setup.seats)
        if session.state.news:  # secrets have been revealed, which always gives news
            for read in secrets:
                show.say(read, "dim")
            secrets.clear()
        view = game.view(session.state)
        if view.round != shown:
            show.table(view)
            shown = view.round
        if session.state.news:
            wait()
    show.table(game.view(session.state), show.faces(session))
    print_sheet(game.sheet(session.state), show.language, show.console.file)
    show.checklist(say("ui.packing"), game.packing(setup))


def seen(session: Session, answer: Answer, eyes: DemoCamera) -> tuple[Answer, Text | None, bool]:
    """The same answer as read by the camera, what to say about it, and whether it is secret. Without a card,
    or if the card cannot be read, the answer is entered by hand."""
    question = next(q for q in session.questions() if (q.seat, q.slug) == (answer.seat, answer.slug))
    option = question.option(answer.option)
    if option is None or option.component is None or option.component in session.game.on_table(session.state):
        return answer, None, question.secret
    before = eyes.frames
    sighted = eyes.show(option.component, answer.seat)
    if sighted is None:
        return answer, say("see.unread"), False
    meaning = understand(session, sighted)
    assert isinstance(meaning, Accept), (
        f"{option.component} was shown, and {sighted} was understood as {meaning}"
    )
    name = session.catalogue[sighted.component].called
    return meaning.answer, count("see.seen", eyes.frames - before, name=name), question.secret


def print_play(reading: Replayed, show: Shower) -> None:
    """Print a recorded play from its first answer to its current state, or as far as today's rules agree with it."""
    session, shown = reading.session, 0
    for n, sentence in enumerate(session.story(), start=1):
        before = session.game_at(n - 1).view(session.moments[n - 1].state).round
        if before != shown:
            show.say(say("ui.round", n=before), "bold reverse")
            shown = before
        show.say(sentence, "bold")
        show.news(session.moments[n].state.news, session.setup.seats)
    show.table(session.game.view(session.state), show.faces(session))
    if reading.divergence is not None:
        show.say(reading.divergence.text, "yellow")
    print_sheet(reading.sheet, show.language, show.console.file, final=reading.over)
    if reading.over and reading.divergence is None:
        tell_afterwards(show, session, reading.sheet)
