"""Influence (p. 10): move discs between the track and sectors, then turn two colony ships face up."""

from __future__ import annotations

from typing import ClassVar

from msgspec import Struct
from msgspec.structs import replace

from companion.core.agenda import Ask, Do
from companion.core.questions import Option, Question
from companion.core.words import Text, count, say
from companion.games.eclipse.component_types import sectors
from companion.games.eclipse.signs import disc_signs
from companion.games.eclipse.state import EclipseState, does
from companion.games.eclipse.steps.claim import claim
from companion.games.eclipse.steps.cubes import abandon
from companion.games.eclipse.steps.free import InTurn

DONE, TRACK = "done", "track"
COLONY_SHIPS_TURNED = 2


def goals(state: EclipseState, seat: int, source: str) -> list[str]:
    """Sectors a disc from `source` may go to: no owner, no enemy ship, and a wormhole to a disc or ship of this seat.

    The disc being moved does not count for that. By later rulings, own ships in the sector itself are enough:
    if no enemy ships are there, no wormhole is needed.
    """
    bases = {
        place
        for place, sector in state.map.items()
        if (sector.owner == seat and place != source) or sector.ships(seat)
    }
    return [
        place
        for place, sector in state.map.items()
        if sector.owner is None
        and not state.enemies(place, seat)
        and (
            any(base in bases for base in state.reach(place, seat))
            or (state.later and sector.ships(seat) > 0)
        )
    ]


class Influence(InTurn, Struct, frozen=True, tag="influence"):
    """Where is a disc taken from? `left` is how many more may be moved."""

    seat: int
    left: int
    slug: ClassVar[str] = "eclipse.influence"

    def choices(self, state: EclipseState) -> Question:
        text = count("eclipse.ask.influence", self.left)
        options = []
        if state.discs_on_track(self.seat) and goals(state, self.seat, TRACK):
            from_track = say("eclipse.option.from-track")
            options.append(Option(TRACK, from_track, signs=disc_signs(state, self.seat)))
        for place in state.controlled(self.seat):
            options.append(Option(place, state.where(place), state.map[place].hex, place=place))
        done = Option(DONE, say("eclipse.option.done"))
        return Question(self.slug, self.seat, text, (*options, done), has_default=False)

    def choose(self, state: EclipseState, option: str) -> EclipseState:
        return state if option == DONE else state.push(InfluenceTo(self.seat, option, self.left))


class InfluenceTo(Ask, Struct, frozen=True, tag="influence-to"):
    """Where does the disc go?"""

    seat: int
    source: str
    left: int
    slug: ClassVar[str] = "eclipse.influence-to"

    def ask(self, state: EclipseState) -> Question:
        text = say("eclipse.ask.influence-to")
        options = [
            Option(place, state.where(place), state.map[place].hex, place=place)
            for place in goals(state, self.seat, self.source)
        ]
        if self.source != TRACK:
            options.append(Option(TRACK, say("eclipse.option.to-track")))
        return Question(self.slug, self.seat, text, tuple(options), has_default=False)

    def take(self, state: EclipseState, option: str) -> EclipseState:
        if self.left > 1:
            state = state.push(Influence(self.seat, self.left - 1))
        if option != TRACK:
            state = state.push(PutDisc(self.seat, option))
        return state if self.source == TRACK else abandon(state, self.source)

    def is_obsolete(self, state: EclipseState) -> bool:
        if self.source == TRACK:
            return not state.discs_on_track(self.seat) or not goals(state, self.seat, TRACK)
        return state.map[self.source].owner != self.seat

    def why_not(self, state: EclipseState, component: str) -> Text:
        if component not in sectors():
            return say("eclipse.why.not-a-hex")
        name = state.called(component)
        place = next((place for place, sector in state.map.items() if sector.hex == component), None)
        if place is None:
            return say("eclipse.why.not-on-map", sector=name)
        owner = state.map[place].owner
        if owner is not None:
            return say("eclipse.why.has-disc", sector=name, seat=state.name(owner))
        if state.enemies(place, self.seat):
            return say("eclipse.why.ships-there", sector=name)
        return say("eclipse.why.cannot-influence", sector=name)


class PutDisc(Do, Struct, frozen=True, tag="put-disc"):
    """Put the disc down, once the cubes of its old sector are back on their tracks."""

    seat: int
    place: str

    def do(self, state: EclipseState) -> EclipseState:
        if state.map[self.place].owner is not None or not state.discs_on_track(self.seat):
            return state
        return claim(state, self.seat, self.place)


class TurnColonyShips(Do, Struct, frozen=True, tag="turn-colony-ships"):
    """After moving discs, two colony ships are turned face up."""

    seat: int

    def do(self, state: EclipseState) -> EclipseState:
        who = state.seats[self.seat]
        n = min(COLONY_SHIPS_TURNED, who.colonised)
        if not n:
            return state
        state = state.with_seat(self.seat, replace(who, colonised=who.colonised - n))
        return does(state, self.seat, count("eclipse.turns-colony-ships", n))
