"""A light play that follows a play with all rules: it is told what people would tap, and nothing else."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from typing import Any

from msgspec import Struct

from companion.core.agenda import Step, advance, open_asks, questions, take
from companion.core.autoplay import next_answer
from companion.core.flow.game import flow_game, shipped_flow
from companion.core.flow.order import ANOTHER, FIRST, FORWARD, SAME, InOrder
from companion.core.flow.state import FlowState, LightPosition
from companion.core.flow.steps import DONE, PASS
from companion.core.game import Game, Setup
from companion.core.questions import Answer, Question

GAMES = ("race", "frontiers", "eclipse", "beyond", "transgalactica")


class Followed(Struct, frozen=True):
    """A table of the full play at which somebody is asked, and the light play at the same time."""

    full: Any
    light: FlowState


def touches(question: Question, option: str) -> int:
    """How many touches of the window an answer takes."""
    if not option.startswith("count:"):
        return 1
    alone = len({one.changes[0] for one in question.options if one.changes}) == 1
    buttons = (1, 2, 3, 4, 5) if alone else (1, 5)
    return 1 if abs(int(option.rpartition(":")[2])) in buttons else 2


class Follower:
    """The light play, and how many taps it took in the window: a turn, a phase or a button is one, and counting
    one or five too, and two to four where nothing else is counted; any other number is chosen from a list that a
    touch on the counter opens, and so is one of more than two buttons."""

    def __init__(self, game: Game, setup: Setup) -> None:
        text = shipped_flow(game.id)
        assert text is not None
        self.full, self.text = game, text
        self.light = flow_game(text)
        self.state: FlowState = self.light.start(Setup(game.id, setup.seats, flow=text))
        self.taps = self.answers = self.prompts = 0

    @property
    def question(self) -> Question:
        """The only open question."""
        (question,) = questions(self.state)
        return question

    @property
    def over(self) -> bool:
        """Whether only the finished table is asked for."""
        return self.question.finished is not None

    def tap(self, option: str, prompt: bool = True) -> None:
        """Answer the open question; a `prompt` ends what the screen asked for."""
        question = self.question
        self.state = take(self.state, Answer(question.seat, question.slug, option))
        listed = option.startswith("button:") and len(set(self.state.flow.buttons)) > 2
        self.taps += touches(question, option) + listed
        self.answers += 1
        self.prompts += prompt

    def expect(self, round: int, phase: str, seat: int | None) -> None:
        """The light play is exactly there."""
        assert not self.over
        assert (self.state.round, self.state.phase, self.question.seat) == (round, phase, seat)

    def count(self, at: LightPosition) -> None:
        """Tap whatever was taken, reached or lost since the last tap."""
        for id, values in at.counters.items():
            for seat, value in enumerate(values):
                self._count(id, seat, value)
        for id, value in at.table.items():
            self._count(id, None, value)
        for button in at.pressed:
            if button not in self.state.pressed:
                self.tap(f"button:{button}", prompt=False)
        for seat in at.out:
            if seat not in self.state.out:
                self.correct(f"out:{seat}")

    def correct(self, switch: str) -> None:
        """Set something right that is on or off."""
        self.state = advance(self.light.correct(self.state, switch, 1))
        self.taps += 1
        self.answers += 1

    def _count(self, id: str, seat: int | None, value: int) -> None:
        while (rest := value - self.state.value(id, seat)) != 0:
            head = f"count:{id}:{'' if seat is None else seat}:"
            offered = [int(o.id.removeprefix(head)) for o in self.question.options if o.id.startswith(head)]
            fitting = [n for n in offered if (n > 0) == (rest > 0) and abs(n) <= abs(rest)]
            self.tap(f"{head}{max(fitting, key=abs)}", prompt=False)

    def order(self, at: LightPosition) -> None:
        """If the table is asked who begins, or for the order, say it."""
        if self.question.slug == "flow.who-begins":
            self.tap(str(at.order[0]))
        prompt = True
        while self.question.slug == "flow.order":
            ((_, ask),) = open_asks(self.state)
            assert isinstance(ask, InOrder)
            offered = [option.id for option in self.question.options]
            if SAME in offered and at.order == ask.so_far + ask.left(self.state):
                choice = SAME
            else:
                moves = (one for one in offered if one.startswith((FIRST, FORWARD)))
                other = ANOTHER if ANOTHER in offered else str(at.order[len(ask.so_far)])
                choice = next((one for one in moves if self._ordered(one) == at.order), other)
            self.tap(choice, prompt)
            prompt = False

    def _ordered(self, option: str) -> tuple[int, ...]:
        """The order after this answer."""
        question = self.question
        found: tuple[int, ...] = take(self.state, Answer(question.seat, question.slug, option)).order
        return found


Watch = Callable[[Any, Step], None]


def follow(game: Game, setup: Setup, seed: int) -> Iterator[tuple[Follower, Followed]]:
    """A play by bots with all rules, followed by a light one: every moment at which somebody is asked."""
    random = Random(seed)
    setup = game.complete(setup)
    follower = Follower(game, setup)
    watching = WATCHERS[game.id](follower)

    def watch(state: Any) -> None:
        assert game.light is not None
        at = game.light(state)
        if at.round:
            if at.phase and follower.state.round in (0, at.round):
                follower.order(at)
            watching(state, state.agenda[0])

    bots = game.bots(setup, random)
    state = game.start(setup)
    bots.follow(state, state.news)
    while state.agenda:
        yield follower, Followed(state, follower.state)
        state = take(state, next_answer(state, bots, random), watch)
        bots.follow(state, state.news)
    watching(state, None)
    yield follower, Followed(state, follower.state)


def _race(follower: Follower) -> Watch:
    seen: list[tuple[int, str | None]] = [(0, None)]

    def watch(state: Any, step: Step | None) -> None:
        at = follower.full.light(state)  # type: ignore[misc]
        if state.phase is not None and (state.round, state.phase) != seen[0]:
            seen[0] = (state.round, state.phase)
            follower.count(at)
            follower.tap(f"pick:{state.phase}")
            follower.expect(state.round, state.phase, None)
        if type(step).__name__ == "EndRound":
            follower.count(at)
            follower.tap(DONE)

    return watch


def _phases(follower: Follower, together: tuple[str, ...]) -> Callable[[Any], None]:
    """Ends a phase of all or of the table when the next one has begun."""
    open_phase: list[tuple[int, str] | None] = [None]

    def watch(state: Any) -> None:
        at = follower.full.light(state)  # type: ignore[misc]
        now = (at.round, at.phase)
        if open_phase[0] is not None and now != open_phase[0]:
            follower.expect(*open_phase[0], None)
            follower.count(at)
            follower.tap(DONE)
            open_phase[0] = None
            if at.phase:
                follower.order(at)
        if at.phase in together and open_phase[0] is None:
            follower.expect(*now, None)
            open_phase[0] = now

    return watch


def _eclipse(follower: Follower) -> Watch:
    phases = _phases(follower, ("combat", "upkeep", "cleanup"))

    def watch(state: Any, step: Step | None) -> None:
        phases(state)
        seat = getattr(step, "seat", None)
        if type(step).__name__ == "NextTurn" and seat not in follower.state.passed:
            follower.expect(state.round, "action", seat)
            follower.tap(PASS if state.seats[seat].passed else DONE)

    return watch


def _transgalactica(follower: Follower) -> Watch:
    phases = _phases(follower, ("income", "maintenance"))

    def watch(state: Any, step: Step | None) -> None:
        phases(state)
        seat = getattr(step, "last", None)
        if type(step).__name__ == "NextTurn" and seat is not None:
            follower.expect(state.round, "actions", seat)
            follower.tap(PASS if state.passed else DONE)

    return watch


def _frontiers(follower: Follower) -> Watch:
    def watch(state: Any, step: Step | None) -> None:
        if type(step).__name__ == "ActionOver":
            follower.expect(state.round, "action", state.selector)
            follower.count(follower.full.light(state))  # type: ignore[misc]
            follower.tap(DONE)

    return watch


def _beyond(follower: Follower) -> Watch:
    def watch(state: Any, step: Step | None) -> None:
        if type(step).__name__ == "EndTurn":
            follower.expect(state.round, "turn", state.active)
            follower.count(follower.full.light(state))  # type: ignore[misc]
            follower.tap(DONE)
        if type(step).__name__ == "EndPlay" and not state.ending:
            follower.correct("over")  # the play became long, and people stop

    return watch


WATCHERS: dict[str, Callable[[Follower], Any]] = {
    "race": _race,
    "frontiers": _frontiers,
    "eclipse": _eclipse,
    "beyond": _beyond,
    "transgalactica": _transgalactica,
}
