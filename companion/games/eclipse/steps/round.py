"""A round (p. 8): one action after another until all have passed, then combat, upkeep and clean-up."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from msgspec import Struct
from msgspec.structs import replace

from companion.core.agenda import Do, Step
from companion.core.questions import Option, Question
from companion.core.words import Text, say
from companion.games.eclipse.component_types import ACTIONS, REACTIONS, ROUNDS, Action
from companion.games.eclipse.signs import action_signs, upkeep_signs
from companion.games.eclipse.state import EclipseState, does, tell_deed
from companion.games.eclipse.steps.battle import Combat
from companion.games.eclipse.steps.build import Build, buildable
from companion.games.eclipse.steps.claim import left_after
from companion.games.eclipse.steps.cleanup import CleanUp
from companion.games.eclipse.steps.end import EndPlay
from companion.games.eclipse.steps.explore import Explore, zones
from companion.games.eclipse.steps.free import InTurn, ally_options, colony_options
from companion.games.eclipse.steps.influence import Influence, TurnColonyShips
from companion.games.eclipse.steps.move import Move, movable
from companion.games.eclipse.steps.research import Research, affordable
from companion.games.eclipse.steps.upgrade import Upgrade
from companion.games.eclipse.steps.upkeep import BeginUpkeep

PASS, END = "pass", "end"


class BeginRound(Do, Struct, frozen=True, tag="begin-round"):
    """A new round; the seat that passed first in the last one begins."""

    def do(self, state: EclipseState) -> EclipseState:
        first = state.first if state.passed_first is None else state.passed_first
        first = next(seat for seat in state.clockwise(first) if not state.seats[seat].out)
        state = replace(state, round=state.round + 1, phase="action", first=first, passed_first=None)
        state = state.tell(say("eclipse.round-begins", round=state.round, seat=state.name(first)))
        return state.push(Turn(first))


class Turn(InTurn, Struct, frozen=True, tag="turn"):
    """An action or pass; a seat that has passed may react or stay passed."""

    seat: int
    slug: ClassVar[str] = "eclipse.turn"

    def choices(self, state: EclipseState) -> Question:
        who = state.seats[self.seat]
        ids = list(open_actions(state, self.seat))
        detail = left_after(state, self.seat, 1)
        prefix = "react" if who.passed else "action"
        options = [
            Option(
                id,
                say(f"eclipse.{prefix}.{id}"),
                detail=detail,
                signs=action_signs(state, self.seat, id, how_often(state, self.seat, id)),
            )
            for id in ids
        ]
        if who.passed:
            stay = Option(PASS, say("eclipse.option.stay-passed"))
            text = say("eclipse.ask.react")
            return Question(self.slug, self.seat, text, (stay, *options))
        stop = Option(
            PASS,
            say("eclipse.option.pass"),
            detail=left_after(state, self.seat, 0),
            signs=upkeep_signs(state, self.seat),
        )
        return Question(
            self.slug,
            self.seat,
            say("eclipse.ask.turn"),
            (*options, stop),
            has_default=False,
            notes=tuple(why_no_action(state, self.seat, ids)),
            warning=bankruptcy(state, self.seat) if ids else None,
        )

    def choose(self, state: EclipseState, option: str) -> EclipseState:
        if option == PASS:
            return pass_turn(state, self.seat)
        who = state.seats[self.seat]
        action = next(a for a in ACTIONS if a == option)
        spent = f"react-{action}" if who.passed else action
        acted = {**who.acted, spent: who.acted.get(spent, 0) + 1}
        steps = begin(state, self.seat, action)
        state = state.with_seat(self.seat, replace(who, acted=acted))
        state = tell_deed(state, self.seat, say("eclipse.acts", action=say(f"eclipse.action.{action}")))
        return state.push(*steps, EndTurn(self.seat))

    def is_obsolete(self, state: EclipseState) -> bool:
        return state.seats[self.seat].out

    def on_obsolete(self, state: EclipseState) -> EclipseState:
        return state.push(NextTurn(self.seat))


def bankruptcy(state: EclipseState, seat: int) -> Text | None:
    """A warning if one more disc leads to bankruptcy; if the seat is bankrupt anyway, what it owes already."""
    for discs, key in ((0, "eclipse.warning.bankrupt"), (1, "eclipse.warning.bankrupt-by-action")):
        left = state.balance(seat, discs)
        if left < 0:
            return say(key, n=-left)
    return None


def open_actions(state: EclipseState, seat: int) -> Iterator[Action]:
    """Actions, or reactions, that have any effect for this seat now; each takes a disc from the track."""
    if state.discs_on_track(seat) < 1:
        return
    possible: dict[Action, bool] = {
        "explore": bool(zones(state, seat)),
        "influence": True,
        "research": bool(affordable(state, seat)),
        "upgrade": True,
        "build": any(True for _ in buildable(state, seat)),
        "move": any(True for _ in movable(state, seat)),
    }
    yield from (a for a in (REACTIONS if state.seats[seat].passed else ACTIONS) if possible[a])


def why_no_action(state: EclipseState, seat: int, possible: list[Action]) -> Iterator[Text]:
    """Why an action cannot be chosen."""
    if state.discs_on_track(seat) < 1:
        yield say("eclipse.cannot.no-disc")
        return
    for action in ACTIONS:
        if action not in possible:
            yield say(f"eclipse.cannot.{action}")


def begin(state: EclipseState, seat: int, action: Action) -> tuple[Step, ...]:
    """The steps of an action, with the numbers of the seat's species."""
    n = how_often(state, seat, action)
    if action == "explore":
        return (Explore(seat, n),)
    if action == "influence":
        return (Influence(seat, n), TurnColonyShips(seat))
    if action == "research":
        return (Research(seat, n),)
    if action == "upgrade":
        return (Upgrade(seat, n),)
    if action == "build":
        return (Build(seat, n),)
    return (Move(seat, n),)


def how_often(state: EclipseState, seat: int, action: Action) -> int:
    """How many times an action may be done; a reaction only once (p. 14)."""
    if state.seats[seat].passed:
        return 1
    more = action == "build" and state.has(seat, "tech-nanorobots")
    return state.species(seat).actions.of(action) + more


def pass_turn(state: EclipseState, seat: int) -> EclipseState:
    """The table after a seat passed; the first to do so begins the next round."""
    who = state.seats[seat]
    if not who.passed:
        state = state.with_seat(seat, replace(who, passed=True))
        state = tell_deed(state, seat, say("eclipse.passes"))
        if state.passed_first is None:
            state = does(replace(state, passed_first=seat), seat, say("eclipse.takes-marker"))
    return state.push(NextTurn(seat))


class EndTurn(Do, Struct, frozen=True, tag="end-turn"):
    """After an action, colony ships and ambassadors may still be sent; asked only if there are any to send."""

    seat: int

    def do(self, state: EclipseState) -> EclipseState:
        if any(True for _ in (*colony_options(state, self.seat), *ally_options(state, self.seat))):
            return state.push(FinishTurn(self.seat))
        return state.push(NextTurn(self.seat))


class FinishTurn(InTurn, Struct, frozen=True, tag="finish-turn"):
    """Anything else before the turn ends?"""

    seat: int
    slug: ClassVar[str] = "eclipse.finish"

    def choices(self, state: EclipseState) -> Question:
        text = say("eclipse.ask.finish")
        return Question(self.slug, self.seat, text, (Option(END, say("eclipse.option.end-turn")),))

    def choose(self, state: EclipseState, option: str) -> EclipseState:
        return state.push(NextTurn(self.seat))


class NextTurn(Do, Struct, frozen=True, tag="next-turn"):
    """The next seat clockwise; when all have passed the action phase ends at once (p. 8)."""

    seat: int

    def do(self, state: EclipseState) -> EclipseState:
        state = replace(state, declined=())
        playing = [seat for seat in state.clockwise(self.seat + 1) if not state.seats[seat].out]
        if all(state.seats[seat].passed for seat in playing):
            return replace(state, phase="combat").push(Combat(), BeginUpkeep(), EndRound())
        return state.push(Turn(next(seat for seat in playing if _has_something_to_do(state, seat))))


def _has_something_to_do(state: EclipseState, seat: int) -> bool:
    """Whether to ask a seat: not if it has passed and can only stay passed."""
    if not state.seats[seat].passed:
        return True
    free = (*colony_options(state, seat), *ally_options(state, seat))
    return bool(free) or any(True for _ in open_actions(state, seat))


class EndRound(Do, Struct, frozen=True, tag="end-round"):
    """Clean up and begin the next round, or end the play after the ninth round (p. 25)."""

    def do(self, state: EclipseState) -> EclipseState:
        if state.round >= ROUNDS or all(seat.out for seat in state.seats):
            return replace(state, phase="end").push(EndPlay())
        return state.push(CleanUp(), BeginRound())
