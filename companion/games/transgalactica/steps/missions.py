"""Taking and completing missions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from msgspec import Struct
from msgspec.structs import replace

from companion.core.agenda import Ask, Do, Step
from companion.core.faces import Sign
from companion.core.questions import Option, Question
from companion.core.words import Text, say
from companion.games.transgalactica.component_types import LONGEST, Mission
from companion.games.transgalactica.costs import Price, mission_prices, payments
from companion.games.transgalactica.deeds import change, does
from companion.games.transgalactica.effects import CompleteMission, TakeMission
from companion.games.transgalactica.requirements import meets
from companion.games.transgalactica.state import TransState
from companion.games.transgalactica.steps.obstacles import hindered
from companion.games.transgalactica.steps.printed_pages import ask_print
from companion.games.transgalactica.steps.resolve import Happens, PayFor, Resolve, resolves

LOG = 2
SHOWN = 3
"""Missions of each level laid out (rule 19)."""


def room(state: TransState, seat: int) -> int:
    """Free places of a mission log (rule 126)."""
    return LOG + state.has(seat, "third-mission") - len(state.seats[seat].log)


@resolves(TakeMission)
def _take_mission(state: TransState, by: Resolve, effect: TakeMission) -> TransState:
    return state.push(BeginMission(by.seat))


class BeginMission(Do, Struct, frozen=True, tag="begin-mission"):
    """Asks for unknown politics levels of the places before a mission is chosen (rule 128)."""

    seat: int

    def do(self, state: TransState) -> TransState:
        if room(state, self.seat) <= 0:
            return state.tell(say("transgalactica.log-full"), self.seat)
        if state.mission_rows.unknown():
            return state.push(ask_print(state, state.mission_rows, self.seat), self)
        if untold := untold_missions(state, self.seat):
            return state.push(ask_print(state, untold[0]), self)
        return state.push(ChooseMission(self.seat))


def untold_missions(state: TransState, seat: int) -> tuple[Mission, ...]:
    """The missions laid out whose unknown number decides what a seat may take: if it may take some, but not all."""
    level, rows = _reach(state, seat), state.mission_rows.levels
    found: list[Mission] = []
    for first, of in ((0, 1), (SHOWN, 2)):
        laid = state.missions_of(of)[:SHOWN]
        if len({(rows[first + n] or 0) <= level for n in range(len(laid))}) > 1:
            found += (mission for mission in map(state.mission, laid) if mission.unknown())
    return tuple(found)


def _reach(state: TransState, seat: int) -> int:
    """The politics level up to which a seat may take missions; the insider reaches further (rules 128, 168)."""
    level = state.level(seat, "politics")
    if state.able(seat, "party-insider"):
        at = state.seats[seat].politics
        further = state.space("politics", min(at + 1, LONGEST)).level - state.space("politics", at).level
        level += max(0, further)
    return level


def open_missions(state: TransState, seat: int) -> Iterator[str]:
    """The missions a seat may take."""
    level, rows = _reach(state, seat), state.mission_rows.levels
    for first, of in ((0, 1), (SHOWN, 2)):
        for n, id in enumerate(state.missions_of(of)[:SHOWN]):
            if (rows[first + n] or 0) <= level:
                yield id


@hindered(TakeMission)
def _no_mission(state: TransState, seat: int, effect: TakeMission) -> Text | None:
    return cannot_take(state, seat)


def cannot_take(state: TransState, seat: int) -> Text | None:
    """Why a seat cannot take a mission, as far as is known; None if it can."""
    if room(state, seat) <= 0:
        return say("transgalactica.log-full")
    untold = state.mission_rows.unknown() or untold_missions(state, seat)
    return None if untold or any(open_missions(state, seat)) else say("transgalactica.idle.mission")


class ChooseMission(Ask, Struct, frozen=True, tag="choose-mission"):
    """Which mission?"""

    seat: int
    slug: ClassVar[str] = "transgalactica.take-mission"

    def ask(self, state: TransState) -> Question:
        options = [Option(id, state.name(id), id) for id in open_missions(state, self.seat)]
        options.append(Option("nothing", say("transgalactica.nothing")))
        return Question(
            self.slug, self.seat, say("transgalactica.ask.mission"), tuple(options), has_default=False
        )

    def take(self, state: TransState, option: str) -> TransState:
        if option == "nothing":
            return state
        level = state.mission(option).level
        who = state.seats[self.seat]
        state = change(state, self.seat, log=(*who.log, option))
        state = replace(state, display=tuple(id for id in state.display if id != option))
        state = does(state, self.seat, say("transgalactica.do.mission", mission=state.name(option)))
        return state.push(Happens(self.seat, "mission-taken"), LayMission(level))

    def why_not(self, state: TransState, component: str) -> Text:
        laid = component in state.display
        return say("transgalactica.why.level-too-low" if laid else "transgalactica.why.not-laid-out")

    def is_obsolete(self, state: TransState) -> bool:
        return room(state, self.seat) <= 0


class LayMission(Ask, Struct, frozen=True, tag="lay-mission"):
    """Which mission was turned up? If the deck is empty, the gap stays (rule 127)."""

    level: int
    seat: None = None
    slug: ClassVar[str] = "transgalactica.lay-mission"

    def ask(self, state: TransState) -> Question:
        options = [Option(id, state.name(id), id) for id in state.deck(self.level)]
        options.append(Option("none", say("transgalactica.empty-deck")))
        text = say(f"transgalactica.ask.laid.{self.level}")
        return Question(self.slug, None, text, tuple(options), has_default=False)

    def take(self, state: TransState, option: str) -> TransState:
        if option == "none":
            return replace(state, empty_decks=(*state.empty_decks, self.level))
        return replace(state, display=(*state.display, option))

    def why_not(self, state: TransState, component: str) -> Text:
        return say("transgalactica.why.not-a-mission")

    def is_obsolete(self, state: TransState) -> bool:
        full = len(state.missions_of(self.level)) >= SHOWN
        return full or self.level in state.empty_decks or not state.deck(self.level)


# Completing


def completable(state: TransState, seat: int) -> tuple[str, ...]:
    """The missions in the log whose requirement is met and whose cost can be paid (rule 129)."""
    return tuple(
        id
        for id in state.seats[seat].log
        if meets(state, seat, state.mission(id).needs)
        and payments(state, seat, mission_prices(state, seat, state.mission(id)))
    )


def complete(state: TransState, seat: int, mission: str, *, free: bool = False) -> TransState:
    """Pay for a mission; it leaves the log, counts as completed and gives its rewards (rules 129, 131)."""
    prices = (Price(()),) if free else mission_prices(state, seat, state.mission(mission))
    return state.push(PayFor(seat, prices, (FinishMission(seat, mission),), state.name(mission)))


class FinishMission(Do, Struct, frozen=True, tag="finish-mission"):
    """The rewards, plus what diplomacy pays for a commercial or war mission (rule 138)."""

    seat: int
    mission: str

    def do(self, state: TransState) -> TransState:
        who, card = state.seats[self.seat], state.mission(self.mission)
        log = tuple(id for id in who.log if id != self.mission)
        state = change(state, self.seat, log=log, missions=(*who.missions, self.mission))
        state = does(state, self.seat, say("transgalactica.do.complete", mission=state.name(self.mission)))
        steps: list[Step] = [Resolve(self.seat, card.reward, "card", state.name(self.mission))]
        if set(card.types) & {"commercial", "war"}:
            steps.insert(0, Happens(self.seat, "diplomacy"))
        return state.push(*steps)


@resolves(CompleteMission)
def _complete_mission(state: TransState, by: Resolve, effect: CompleteMission) -> TransState:
    return state.push(CompleteIgnoring(by.seat))


@hindered(CompleteMission)
def _nothing_to_complete(state: TransState, seat: int, effect: CompleteMission) -> Text | None:
    return None if any(_ignoring(state, seat)) else say("transgalactica.idle.complete")


def _ignoring(state: TransState, seat: int) -> Iterator[tuple[str, str]]:
    """What can be ignored (cost or requirement) for which missions in the log."""
    for id in state.seats[seat].log:
        card = state.mission(id)
        if meets(state, seat, card.needs):
            yield "cost", id
        if payments(state, seat, mission_prices(state, seat, card)):
            yield "needs", id


class CompleteIgnoring(Ask, Struct, frozen=True, tag="complete-ignoring"):
    """Complete a mission of the log, ignoring its cost or its requirement but not both (rule 158)."""

    seat: int
    slug: ClassVar[str] = "transgalactica.ignoring"

    def ask(self, state: TransState) -> Question:
        options = []
        for ignored, id in _ignoring(state, self.seat):
            slug, free = ("cost", (Sign("free"),)) if ignored == "cost" else ("requirement", ())
            text = say(f"transgalactica.without-{slug}", mission=state.name(id))
            options.append(Option(f"{ignored}:{id}", text, signs=(Sign("complete"), *free)))
        options.append(Option("nothing", say("transgalactica.nothing")))
        text = say("transgalactica.ask.ignoring")
        return Question(self.slug, self.seat, text, tuple(options), has_default=False)

    def take(self, state: TransState, option: str) -> TransState:
        if option == "nothing":
            return state
        ignored, _, mission = option.partition(":")
        return complete(state, self.seat, mission, free=ignored == "cost")
