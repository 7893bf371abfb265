"""Following a main action (rules 38, 39): seats may tap in any order, but act in the order of the rules."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from msgspec import Struct
from msgspec.structs import replace

from companion.core.agenda import Ask
from companion.core.components import Component
from companion.core.faces import Sign
from companion.core.questions import Option, Question
from companion.core.words import Text, plain, say
from companion.games.transgalactica.deeds import change, worker_out
from companion.games.transgalactica.effects import Action, Kind
from companion.games.transgalactica.state import TransState
from companion.games.transgalactica.steps.free_deeds import free_options, take_free
from companion.games.transgalactica.steps.obstacles import helped, possible
from companion.games.transgalactica.steps.print_first import ask_first, print_of_action
from companion.games.transgalactica.steps.resolve import Happens, Perform

PROMOTION = "promotion"


class Follow(Ask, Struct, frozen=True, tag="follow"):
    """Who follows? In turn order, each at most once (rules 38, 39).

    A tap waits until all earlier seats have answered, so slow players are not skipped.
    """

    action: Action
    active: int
    waiting: tuple[int, ...]
    seat: None = None
    ready: tuple[str, ...] = ()
    """Taps of seats that wait for earlier ones."""
    slug: ClassVar[str] = "transgalactica.follow"

    def ask(self, state: TransState) -> Question:
        first = self._first_ready
        nobody = say("transgalactica.nobody-more")
        if first is not None:
            nobody = say("transgalactica.nobody-before", seat=_named(state, first))
        options = [Option("nobody", nobody)]
        for seat in self.waiting:
            if self._tapped(seat) is None:
                options += _followings(state, seat, self.action)
        action = say(f"transgalactica.action.{self.action}")
        text = say("transgalactica.ask.follow", action=action)
        waits = [seat for seat in self.waiting if self._tapped(seat) is not None]
        notes = tuple(say("transgalactica.waits", seat=_named(state, seat)) for seat in waits)
        return Question(self.slug, None, text, tuple(options), has_default=False, notes=notes)

    def take(self, state: TransState, option: str) -> TransState:
        if option == "nobody":
            return self._nobody(state)
        if (asking := ask_first(state, self, option, self._needed(state, option))) is not None:
            return asking
        return state.push(replace(self, ready=(*self.ready, option)))

    def is_obsolete(self, state: TransState) -> bool:
        """Whether no question is needed: the first seat that can follow has tapped, or no seat can follow."""
        first = next((seat for seat in self.waiting if self._able(state, seat)), None)
        return first is None or self._tapped(first) is not None

    def on_obsolete(self, state: TransState) -> TransState:
        """The first seat that tapped acts; one that can no longer follow keeps its worker and is informed."""
        for n, seat in enumerate(self.waiting):
            tapped = self._tapped(seat)
            if tapped is None:
                continue
            if self._able(state, seat):
                return self._acts(state, tapped, self.waiting[n + 1 :])
            state = state.tell(say("transgalactica.follow-lapsed"), seat)
        return state

    def _nobody(self, state: TransState) -> TransState:
        """No seat before the first that tapped follows, so that one acts; without a tap nobody follows."""
        first = self._first_ready
        if first is None:
            return state
        at = self.waiting.index(first)
        for seat in self.waiting[:at]:
            if self._able(state, seat):
                state = state.tell(say("transgalactica.follow-passed"), seat)
        return state.push(replace(self, waiting=self.waiting[at:]))

    def _acts(self, state: TransState, option: str, rest: tuple[int, ...]) -> TransState:
        number, worker, how = option.split(":")
        seat = int(number)
        kind: Kind = "main" if how == "main" else "secondary"
        name = say("transgalactica.secondary", action=say(f"transgalactica.action.{self.action}"))
        state = worker_out(state, seat, worker, name)
        if kind == "main" and worker != "lieutenant":
            state = change(state, seat, used=(*state.seats[seat].used, PROMOTION))
        # The lieutenant does a main action, not a secondary one, so helpers pay nothing (rule 141).
        helps = () if worker == "lieutenant" else (Happens(seat, "secondary"),)
        free = (FreeWhileFollowing(seat),) if state.choices.get("following") == "also" else ()
        return state.push(*free, Perform(seat, self.action, kind), *helps, replace(self, waiting=rest))

    def _tapped(self, seat: int) -> str | None:
        return next((option for option in self.ready if option.startswith(f"{seat}:")), None)

    @property
    def _first_ready(self) -> int | None:
        return next((seat for seat in self.waiting if self._tapped(seat) is not None), None)

    def _able(self, state: TransState, seat: int) -> bool:
        """Whether a seat can follow; if it tapped, whether that option is still possible."""
        tapped = self._tapped(seat)
        ways = [option.id for option in _followings(state, seat, self.action)]
        return bool(ways) if tapped is None else tapped in ways

    def _needed(self, state: TransState, option: str) -> tuple[Component, ...]:
        return tuple(print_of_action(state, int(option.partition(":")[0]), self.action))


def _named(state: TransState, seat: int) -> Text:
    return plain(state.seats[seat].name)


def _followings(state: TransState, seat: int, action: Action) -> Iterator[Option]:
    """The ways to follow: a crew member or a captain, perhaps promoted, or the lieutenant as main."""
    who = state.seats[seat]
    promoted = state.has(seat, "promotion") and PROMOTION not in who.used
    ways: list[tuple[str, Kind]] = []
    for worker, n in (("crew", who.crew), ("captain", who.captains_here)):
        if n > 0:
            ways += [(worker, "secondary"), *([(worker, "main")] if promoted else [])]  # type: ignore[list-item]
    if who.lieutenant_here:
        ways.append(("lieutenant", "main"))
    for worker, kind in ways:
        paid = worker != "lieutenant" and helped(state, seat, action)
        if paid or possible(state, seat, action, kind):
            key = "promoted" if kind == "main" and worker != "lieutenant" else worker
            text = say(f"transgalactica.follows.{key}", seat=plain(who.name))
            yield Option(f"{seat}:{worker}:{kind}", text, signs=(Sign(worker), Sign(action)))


class FreeWhileFollowing(Ask, Struct, frozen=True, tag="free-while-following"):
    """Free deeds before following, if the table allows them (rule 45)."""

    seat: int
    slug: ClassVar[str] = "transgalactica.free"

    def ask(self, state: TransState) -> Question:
        options = (Option("over", say("transgalactica.go-on")), *free_options(state, self.seat))
        return Question(self.slug, self.seat, say("transgalactica.ask.free"), options)

    def take(self, state: TransState, option: str) -> TransState:
        return state if option == "over" else take_free(state.push(self), self.seat, option)

    def is_obsolete(self, state: TransState) -> bool:
        return not free_options(state, self.seat)
