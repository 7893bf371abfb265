"""A round (p. 3): players choose actions in secret, reveal them, and the chosen phases happen in order."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import ClassVar

from msgspec import Struct
from msgspec.structs import replace

from companion.core.agenda import Ask, Do, Step, together
from companion.core.questions import TOGETHER, Option, Question
from companion.core.words import Text, count, plain, say
from companion.games.race.cards import actions
from companion.games.race.signs import signs_of_action
from companion.games.race.state import HAND_LIMIT, TABLEAU_END, RaceState, does
from companion.games.race.steps.consume import BeginConsume
from companion.games.race.steps.explore import Explore
from companion.games.race.steps.place import BeginPlacing
from companion.games.race.steps.produce import BeginProduce

SECOND = {"develop": "develop-2", "settle": "settle-2"}


class BeginRound(Do, Struct, frozen=True, tag="begin-round"):
    """A new round: each seat chooses its action, or its two in the advanced game."""

    def do(self, state: RaceState) -> RaceState:
        seats = tuple(replace(seat, actions=()) for seat in state.seats)
        state = replace(state, seats=seats, round=state.round + 1, revealed=False, phases=(), phase=None)
        choices = 2 if state.advanced else 1
        branches: dict[int, tuple[Step, ...]] = {
            seat: tuple(ChooseAction(seat, n + 1) for n in range(choices)) for seat in range(len(seats))
        }
        return state.push(together(branches), RevealActions())


class ChooseAction(Ask, Struct, frozen=True, tag="choose-action"):
    """Which action card did this seat put face down? It stays hidden until all have chosen."""

    seat: int
    nth: int
    slug: ClassVar[str] = "race.action"

    def ask(self, state: RaceState) -> Question:
        who = state.seats[self.seat]
        offered = [a for a in actions() if a.id not in who.actions and (state.advanced or a.id[-2:] != "-2")]
        key = ("race.ask.action", "race.ask.first-action", "race.ask.second-action")
        which = key[self.nth if state.advanced else 0]
        options = tuple(
            Option(a.id, state.name(a.id), a.id, say(f"race.bonus.{a.id}"), signs=signs_of_action(a.id))
            for a in offered
        )
        return Question(
            self.slug,
            self.seat,
            say(which),
            options,
            secret=True,
            has_default=False,
            beforehand=say("race.beforehand.action"),
            sets=tuple(_pairs(options)) if state.advanced and self.nth == 1 else (),
        )

    def take(self, state: RaceState, option: str) -> RaceState:
        who = state.seats[self.seat]
        return state.with_seat(self.seat, replace(who, actions=(*who.actions, option)))

    def why_not(self, state: RaceState, component: str) -> Text:
        return say("race.why.choose-action")


def _pairs(options: tuple[Option, ...]) -> Iterator[Option]:
    """Both action cards of a seat in one option; a second Develop or Settle without the first counts as the first."""
    for one, other in combinations(options, 2):
        seconds = {second for first, second in SECOND.items() if first not in (one.id, other.id)}
        if not seconds & {one.id, other.id}:
            both = say("race.both-actions", one=one.text, other=other.text)
            yield Option(f"{one.id}{TOGETHER}{other.id}", both, signs=(one.signs[0], other.signs[0]))


class RevealActions(Do, Struct, frozen=True, tag="reveal-actions"):
    """Turn the cards over: every chosen phase happens once, in its order."""

    def do(self, state: RaceState) -> RaceState:
        printed = {a.id: a for a in actions()}
        for seat, who in enumerate(state.seats):
            chosen = _in_order(who.actions)
            state = state.with_seat(seat, replace(who, actions=chosen))
            names = tuple(state.name(a) for a in chosen)
            revealed = count("race.reveals", len(names), what=names)
            state = state.tell(revealed, seat, "reveal", components=chosen)
        happening = {printed[a].phase for who in state.seats for a in who.actions}
        phases = tuple(p for p in _STEPS if p in happening)
        steps = [_STEPS[phase](phase) for phase in phases]
        return replace(state, revealed=True, phases=phases).push(*steps, EndRound())


def _in_order(chosen: tuple[str, ...]) -> tuple[str, ...]:
    """Chosen actions in phase order; a second Develop or Settle without the first counts as the first."""
    for first, second in SECOND.items():
        if second in chosen and first not in chosen:
            chosen = tuple(first if a == second else a for a in chosen)
    order = [a.id for a in actions()]
    return tuple(sorted(chosen, key=order.index))


_STEPS: dict[str, type[Explore | BeginPlacing | BeginConsume | BeginProduce]] = {
    "explore": Explore,
    "develop": BeginPlacing,
    "develop-2": BeginPlacing,
    "settle": BeginPlacing,
    "settle-2": BeginPlacing,
    "consume": BeginConsume,
    "produce": BeginProduce,
}


class EndRound(Do, Struct, frozen=True, tag="end-round"):
    """Discard down to ten; then either a new round, or the end (p. 7)."""

    def do(self, state: RaceState) -> RaceState:
        state = replace(state, phase=None)
        for seat in state.order():
            who = state.seats[seat]
            if who.hand > HAND_LIMIT:
                extra = count("race.discard-to-limit", who.hand - HAND_LIMIT, limit=HAND_LIMIT)
                state = does(state.with_seat(seat, replace(who, hand=HAND_LIMIT)), seat, extra)
        reasons = endings(state)
        if not reasons:
            return state.push(BeginRound())
        return state.tell(say("race.game-over", reasons=reasons))


def endings(state: RaceState) -> tuple[Text, ...]:
    """Every reason why this round is the last; both may hold at once."""
    full = [seat.name for seat in state.seats if len(seat.tableau) >= TABLEAU_END]
    reasons = [say("race.end.tableau", seats=tuple(plain(name) for name in full))] if full else []
    if state.pool <= 0:
        reasons.append(say("race.end.pool"))
    return tuple(reasons)
