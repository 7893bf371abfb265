"""The agenda: what the rules still have to do, as data.

A state holds a stack of steps, top first. `Do` acts at once, `Ask` waits for an answer, `Together` lets seats
proceed in parallel. A step is removed before it acts, so the steps it pushes come next.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any, ClassVar, Self, TypeVar

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from companion.core.components import Facts
from companion.core.questions import LATER, Answer, Question
from companion.core.words import News, NewsKind, Text, say
from companion.errors import NotNow, Unknown


class Step:
    """A step on the agenda; every step is also a frozen, tagged Struct."""

    __slots__ = ()


class State(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The table as the rules know it; each game adds its own fields."""

    agenda: tuple[Step, ...] = ()
    news: tuple[News, ...] = ()
    taught: Facts = msgspec.field(default_factory=dict)
    once: tuple[str, ...] = ()
    """The facts that apply to this play only."""

    def push(self, *steps: Step) -> Self:
        """The same table with these steps on top of the agenda, in this order."""
        return replace(self, agenda=(*steps, *self.agenda))

    def tell(
        self,
        text: Text,
        seat: int | None = None,
        kind: NewsKind = "told",
        *,
        usual: bool = False,
        components: tuple[str, ...] = (),
    ) -> Self:
        """The same table with one more item of news."""
        return replace(self, news=(*self.news, News(text, seat, kind, usual, components)))

    def asked_formerly(self) -> tuple[Ask, ...]:
        """The questions for which older versions waited here and which today's rules ask later: a replay takes
        their answers, and compares the tables after them."""
        return ()


S = TypeVar("S", bound=State)


class Do(Step):
    """A step that acts at once, without asking."""

    __slots__ = ()

    def do(self, state: Any) -> Any:
        """The table after this step; the step is already off the agenda when this is called."""
        raise NotImplementedError


class Ask(Step):
    """A step that waits for an answer."""

    __slots__ = ()
    seat: int | None
    slug: ClassVar[str]

    def ask(self, state: Any) -> Question:
        """The question to ask now: at least one option, the default first."""
        raise NotImplementedError

    def take(self, state: Any, option: str) -> Any:
        """The table after this option was chosen; the step is already off the agenda when this is called."""
        raise NotImplementedError

    @property
    def may_wait(self) -> bool:
        """Whether play goes on without an answer (`LATER`): older versions did not ask it, so a replay puts it off."""
        return False

    def reads(self, option: str) -> bool:
        """Whether this may be an answer that was accepted before; `False` only if it certainly is not."""
        return True

    def why_not(self, state: Any, component: str) -> Text:
        """Why the rules do not accept this component as an answer now."""
        return say("core.not-asked")

    def reveals(self, state: Any, option: str) -> Facts:
        """Printed values that certainly follow from this answer: a card drawn from deck A belongs to deck A."""
        return {}

    def is_obsolete(self, state: Any) -> bool:
        """Whether there is nothing left to ask about, for example after a correction."""
        return False

    def on_obsolete(self, state: Any) -> Any:
        """The table when this question has become obsolete; the step is already off the agenda when this is
        called."""
        return state


class Branch(Struct, frozen=True):
    """One seat's part of a `Together`."""

    seat: int | None
    agenda: tuple[Step, ...]


class Together(Step, Struct, frozen=True, tag="together"):
    """Seats proceed independently, in any order, until every branch is done."""

    branches: tuple[Branch, ...]


def together(steps: dict[int, tuple[Step, ...]]) -> Together:
    """One branch per seat."""
    return Together(tuple(Branch(seat, agenda) for seat, agenda in steps.items()))


AgendaPath = tuple[int, ...]
"""Where an open question is: the index of the branch to take in each `Together` on the way down."""


StateObserver = Callable[[Any], None]
"""Called with the table before each step outside a branch, for example by a replayed log."""


def advance(state: S, watch: StateObserver | None = None) -> S:
    """Run every step that needs no answer, until a question is open or the agenda is empty."""
    while state.agenda:
        if watch is not None:
            watch(state)
        top, rest = state.agenda[0], state.agenda[1:]
        if isinstance(top, Together):
            state, waiting = _advance_branches(state, top, rest)
            if waiting:
                return state
        elif isinstance(top, Do):
            state = top.do(replace(state, agenda=rest))
        elif isinstance(top, Ask):
            if not top.is_obsolete(state):
                return state
            state = top.on_obsolete(replace(state, agenda=rest))
        else:
            raise TypeError(f"{top!r} is neither Ask, Do nor Together")
    return state


def _advance_branches(state: S, group: Together, rest: tuple[Step, ...]) -> tuple[S, bool]:
    branches: list[Branch] = []
    for branch in group.branches:
        state = advance(replace(state, agenda=branch.agenda))
        if state.agenda:
            branches.append(branch if state.agenda == branch.agenda else Branch(branch.seat, state.agenda))
    if branches:
        unchanged = len(branches) == len(group.branches) and all(
            new is old for new, old in zip(branches, group.branches, strict=True)
        )
        rest = (group if unchanged else Together(tuple(branches)), *rest)
    return replace(state, agenda=rest), bool(branches)


def open_asks(state: State) -> list[tuple[AgendaPath, Ask]]:
    """Every step that waits for an answer now, with its path."""
    return _open_asks(state.agenda, ())


def _open_asks(agenda: tuple[Step, ...], place: AgendaPath) -> list[tuple[AgendaPath, Ask]]:
    if not agenda:
        return []
    top = agenda[0]
    if isinstance(top, Ask):
        return [(place, top)]
    if isinstance(top, Together):
        return [
            found
            for index, branch in enumerate(top.branches)
            for found in _open_asks(branch.agenda, (*place, index))
        ]
    return []


def waited_for(state: State) -> frozenset[int | None]:
    """The seats the table is waiting for."""
    return frozenset(ask.seat for _, ask in open_asks(state))


def ready(state: State, seat: int) -> bool:
    """Whether a seat has done its part of a `Together` while others are still busy."""
    busy = waited_for(state)
    return bool(busy) and seat not in busy and isinstance(state.agenda[0], Together)


MOST_QUESTIONS = 32
_QUESTIONS: dict[tuple[int, int], tuple[State, Ask, Question]] = {}
"""A cache of the last questions: one is expensive, and it is needed to show it, to understand a signal and to take the
answer. Keyed by the ids of the state and the step; both are kept too, so that their ids cannot be reused."""


def question_at(state: State, ask: Ask) -> Question:
    """The question that an open step asks at this table; cached."""
    known = _QUESTIONS.get(key := (id(state), id(ask)))
    if known is None:
        known = (state, ask, ask.ask(state))
        if len(_QUESTIONS) >= MOST_QUESTIONS:
            _QUESTIONS.clear()
        _QUESTIONS[key] = known
    return known[2]


def questions(state: State) -> tuple[Question, ...]:
    """All open questions."""
    return tuple(question_at(state, ask) for _, ask in open_asks(state))


def question_of(state: State, answer: Answer) -> Question:
    """The question that this answers; raises `Unknown` or `NotNow` if there is none."""
    state, _, ask = _asked_then(state, answer)
    return question_at(state, ask)


def revealed(state: State, answer: Answer) -> Facts:
    """The printed values an answer reveals."""
    state, _, ask = _asked_then(state, answer)
    return ask.reveals(state, answer.option)


def take(state: S, answer: Answer, watch: StateObserver | None = None) -> S:
    """The table after this answer; raises `Unknown` or `NotNow` if the answer is not offered."""
    _, ask = _asked(state, answer)
    question = question_at(state, ask)
    if not question.parts(answer.option):
        raise NotNow(say("core.not-offered", question=question.text))
    return retake(state, answer, watch)


def retake(state: S, answer: Answer, watch: StateObserver | None = None) -> S:
    """Like `take`, for an answer known to have been accepted before."""
    state, place, ask = _asked_then(state, answer)
    state = replace(state, news=())
    if place is None:
        taken: S = ask.take(state, answer.option)
        return advance(taken, watch)
    return advance(_at(state, place, ask, answer.option), watch)


def _asked_then(state: S, answer: Answer) -> tuple[S, AgendaPath | None, Ask]:
    """The step that was answered in a recorded play, and the table then; no path if today's rules do not ask it
    here."""
    with suppress(NotNow, Unknown):
        place, ask = _asked(state, answer)
        if ask.reads(answer.option):
            return state, place, ask
    for former in state.asked_formerly():
        if (former.seat, former.slug) == (answer.seat, answer.slug) and former.reads(answer.option):
            return state, None, former
    if (waiting := may_wait(state)) is not None:
        return _asked_then(advance(_at(state, *waiting, LATER)), answer)
    return state, *_asked(state, answer)


def may_wait(state: State) -> tuple[AgendaPath, Ask] | None:
    """An open question that may wait, if there is one."""
    return next(((place, ask) for place, ask in open_asks(state) if ask.may_wait), None)


def _asked(state: State, answer: Answer) -> tuple[AgendaPath, Ask]:
    waiting = open_asks(state)
    for place, ask in waiting:
        if ask.seat == answer.seat and ask.slug == answer.slug:
            return place, ask
    if not waiting:
        raise NotNow(say("core.play-is-over"))
    if any(ask.seat == answer.seat for _, ask in waiting):
        raise NotNow(say("core.question-is-gone"))
    raise Unknown(say("core.nobody-asked"))


def _at(state: S, place: AgendaPath, ask: Ask, option: str) -> S:
    """Let `ask` take the option in its own branch, then put the branch back."""
    agenda = state.agenda
    if not place:
        taken: S = ask.take(replace(state, agenda=agenda[1:]), option)
        return taken
    group = agenda[0]
    assert isinstance(group, Together)
    branch = group.branches[place[0]]
    inner = _at(replace(state, agenda=branch.agenda), place[1:], ask, option)
    branches = list(group.branches)
    branches[place[0]] = Branch(branch.seat, inner.agenda)
    return replace(inner, agenda=(Together(tuple(branches)), *agenda[1:]))
