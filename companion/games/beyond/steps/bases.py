"""Updating control, bases, and bonuses for gaining control (rules 131 to 154)."""

from __future__ import annotations

from typing import ClassVar

from msgspec import Struct
from msgspec.structs import replace

from companion.core.agenda import Ask, Do
from companion.core.components import UNKNOWN
from companion.core.faces import Sign
from companion.core.facts import ask_fact
from companion.core.questions import Option, Question
from companion.core.words import say
from companion.games.beyond.component_types import SPECIALISATIONS, YARDS, Specialisation
from companion.games.beyond.consequences import bonus, disc_leaves
from companion.games.beyond.control import controller
from companion.games.beyond.deeds import does, drawn
from companion.games.beyond.operations import Colonise, EitherTrack, Operations, inside
from companion.games.beyond.state import Base, BeyondState
from companion.games.beyond.steps.perform import Perform, ahead
from companion.games.beyond.steps.printed_pages import ask_system
from companion.games.beyond.steps.triggers import CheckLast, happened


class CheckControl(Do, Struct, frozen=True, tag="check-control"):
    """Updates control after ships changed: lost discs return, then new bases, then bonuses (rule 149)."""

    def do(self, state: BeyondState) -> BeyondState:
        if state.held_before:
            state = replace(state, held_before={})
        gained: list[tuple[int, Gain]] = []
        held = state.bases
        for place in state.controllable:
            before = state.controller(place)
            strengths = {n: who.strength(place) for n, who in enumerate(state.seats)}
            now = controller(before, strengths)
            if now == before:
                continue
            if before is not None:
                state = lose_base(state, place)
            if now is not None:
                gained.append((now, Gain(place, state.systems.get(place, ""))))
        if not gained and state.bases == held:
            return state
        order = state.clockwise(state.active)
        gained.sort(key=lambda gain: order.index(gain[0]))
        bases = [PlaceBase(seat, gain.place) for seat, gain in gained]
        bonuses = [GainBonuses(seat, tuple(gain for s, gain in gained if s == seat)) for seat in order]
        return state.push(*bases, *(step for step in bonuses if step.gains), CheckLast())


def follow_ships(state: BeyondState, place: str) -> BeyondState:
    """Schedule a correction of control after the ships of a location were corrected, without a bonus.

    Moving a ship takes two corrections: both start from the controller before the first one.
    """
    if place not in state.controllable:
        return state
    before = state.held_before.get(place, state.controller(place))
    return replace(state, held_before={**state.held_before, place: before}).push(FollowShips(place))


class FollowShips(Do, Struct, frozen=True, tag="follow-ships"):
    """Corrects the control of one location to fit its ships; the bonus was already paid at the table."""

    place: str

    def do(self, state: BeyondState) -> BeyondState:
        place, held = self.place, state.controller(self.place)
        if place not in state.controllable:
            return state
        strengths = {n: who.strength(place) for n, who in enumerate(state.seats)}
        now = controller(state.held_before.get(place, held), strengths)
        if now == held:
            return state
        state = state if held is None else lose_base(state, place)
        return state if now is None else state.push(PlaceBase(now, place))


def lose_base(state: BeyondState, place: str) -> BeyondState:
    """A base disc returns to its track; a marker is laid beside the board (rules 146, 147)."""
    base = state.bases[place]
    state = replace(state, bases={p: b for p, b in state.bases.items() if p != place})
    disc = say(f"beyond.disc.{base.disc}")
    return does(state, base.seat, "lose-base", place=state.place(place), disc=disc, at=place, kind=base.disc)


def kinds_for(
    state: BeyondState, seat: int, printed: tuple[Specialisation, ...]
) -> tuple[Specialisation, ...]:
    """The kinds of disc a faction may place where these are printed."""
    return SPECIALISATIONS if state.has(seat, EitherTrack) else printed


class PlaceBase(Do, Struct, frozen=True, tag="place-base"):
    """The new controller places the leftmost disc of the matching track (rule 143)."""

    seat: int
    place: str

    def do(self, state: BeyondState) -> BeyondState:
        if self.place in state.bases or self.place not in state.controllable:
            return state
        untold = untold_of_place(state, self.place)
        if untold:
            card = state.system(state.systems[self.place])
            return state.push(ask_system(state, card, untold, self.seat), self)
        if self.place in YARDS and state.side.yards is UNKNOWN:
            return state.push(ask_fact("beyond", state.side, "yards", seat=self.seat), self)
        kinds = kinds_for(state, self.seat, state.specialisations(self.place))
        if len(kinds) > 1:
            return state.push(ChooseBase(self.seat, self.place))
        return place_base(state, self.seat, self.place, kinds[0])


def untold_of_place(state: BeyondState, place: str) -> tuple[str, ...]:
    """What must be known of a system card once somebody controls it."""
    if place not in state.systems:
        return ()
    unknown = state.system(state.systems[place]).unknown()
    return tuple(f for f in ("strength", "specialisations", "control_bonus", "abilities") if f in unknown)


def place_base(state: BeyondState, seat: int, place: str, kind: Specialisation) -> BeyondState:
    """A disc of this kind, or a marker if its track is empty (rule 145)."""
    disc = drawn(state, seat, kind)
    state = replace(state, bases={**state.bases, place: Base(seat, disc)})
    words = say(f"beyond.disc.{disc}")
    return does(state, seat, "place-base", place=state.place(place), disc=words, at=place, kind=disc)


class ChooseBase(Ask, Struct, frozen=True, tag="choose-base"):
    """Which disc becomes the base? (rule 144)"""

    seat: int
    place: str
    slug: ClassVar[str] = "beyond.base"

    def ask(self, state: BeyondState) -> Question:
        text = say("beyond.ask.base", place=state.place(self.place))
        return Question(self.slug, self.seat, text, disc_options(state, self.seat), has_default=False)

    def take(self, state: BeyondState, option: str) -> BeyondState:
        return place_base(state, self.seat, self.place, "food" if option == "food" else "ore")

    def is_obsolete(self, state: BeyondState) -> bool:
        return self.place in state.bases or self.place not in state.controllable


def disc_options(state: BeyondState, seat: int) -> tuple[Option, ...]:
    """Food or ore, with the discs left of each and the consequences."""
    return tuple(
        Option(
            kind,
            say(f"beyond.disc.{kind}"),
            detail=disc_leaves(state, seat, kind),
            signs=(Sign("food" if kind == "food" else "ore-disc"),),
        )
        for kind in SPECIALISATIONS
    )


class Gain(Struct, frozen=True):
    """A location that was gained, and the system card that lay there at that time."""

    place: str
    system: str = ""


class GainBonuses(Do, Struct, frozen=True, tag="gain-bonuses"):
    """The bonuses for gaining control, in an order the seat chooses (rules 150 to 152).

    They are earned by placing the base: a seat that loses it again through another bonus still gets them.
    """

    seat: int
    gains: tuple[Gain, ...]

    def do(self, state: BeyondState) -> BeyondState:
        given = [gain for gain in self.gains if control_bonus(state, gain)]
        if len(given) > 1:
            return state.push(OrderBonuses(self.seat, self.gains))
        for gain in self.gains:
            state = gain_bonus(state, self.seat, gain)
        return state


def control_bonus(state: BeyondState, gain: Gain) -> Operations:
    """The printed bonus; shipyards have none."""
    return (state.system(gain.system).control_bonus or ()) if gain.system else ()


def gain_bonus(state: BeyondState, seat: int, gain: Gain) -> BeyondState:
    """Give a location's bonus; postponed if this action may colonise it without (Stealth Terraformers)."""
    state = happened(state, seat, "gaining-control")
    given = control_bonus(state, gain)
    if not given:
        return state
    rest, _ = ahead(state, seat)
    stealth = any(isinstance(o, Colonise) and o.stealth for part in rest for o in inside((part.operation,)))
    if stealth and gain.place in state.open_places:
        return put_off(state, PutOffBonus(seat, gain))
    return state.push(Perform(seat, given, gain.system, soft=True))


def put_off(state: BeyondState, bonus: PutOffBonus) -> BeyondState:
    """Schedule a bonus after everything else this action does."""
    last = max(
        n for n, step in enumerate(state.agenda) if isinstance(step, Perform) and step.seat == bonus.seat
    )
    return replace(state, agenda=(*state.agenda[: last + 1], bonus, *state.agenda[last + 1 :]))


class PutOffBonus(Do, Struct, frozen=True, tag="put-off-bonus"):
    """Gives the postponed bonus, unless the system was colonised in the meantime."""

    seat: int
    gain: Gain

    def do(self, state: BeyondState) -> BeyondState:
        if state.systems.get(self.gain.place) != self.gain.system:
            return state
        return state.push(Perform(self.seat, control_bonus(state, self.gain), self.gain.system, soft=True))


class OrderBonuses(Ask, Struct, frozen=True, tag="order-bonuses"):
    """Which bonus comes first? (rule 152)"""

    seat: int
    gains: tuple[Gain, ...]
    slug: ClassVar[str] = "beyond.order-bonuses"

    def ask(self, state: BeyondState) -> Question:
        options = tuple(
            Option(
                gain.place,
                state.name(gain.system),
                component=gain.system,
                detail=bonus(control_bonus(state, gain)),
                place=gain.place,
            )
            for gain in self.gains
            if control_bonus(state, gain)
        )
        return Question(self.slug, self.seat, say("beyond.ask.order-bonuses"), options)

    def take(self, state: BeyondState, option: str) -> BeyondState:
        chosen = next(gain for gain in self.gains if gain.place == option)
        rest = tuple(gain for gain in self.gains if gain != chosen)
        return gain_bonus(state.push(GainBonuses(self.seat, rest)), self.seat, chosen)
