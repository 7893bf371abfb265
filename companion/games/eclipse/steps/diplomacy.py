"""Diplomacy with four players and more (p. 11): ambassadors are exchanged, each with a cube; an attack ends it."""

from __future__ import annotations

from typing import ClassVar

from msgspec import Struct
from msgspec.structs import replace

from companion.core.agenda import Ask, Do
from companion.core.faces import Sign
from companion.core.questions import Option, Question
from companion.core.words import count, say
from companion.games.eclipse.component_types import AMBASSADORS_OF_A_SEAT, DIPLOMACY_FROM, RESOURCES, Resource
from companion.games.eclipse.geometry import around
from companion.games.eclipse.state import EclipseState, does
from companion.games.eclipse.steps.cubes import ReturnCubes, take_cube


def may_ally(state: EclipseState, a: int, b: int) -> bool:
    """Whether these two may exchange ambassadors now."""
    if len(state.seats) < DIPLOMACY_FROM or state.traitor in (a, b) or b in state.seats[a].partners:
        return False
    return all(_has_room(state, seat) for seat in (a, b)) and neighbours(state, a, b)


def _has_room(state: EclipseState, seat: int) -> bool:
    """Whether a seat has an ambassador and a cube to give, and a place for the other's, if necessary a
    reputation tile's."""
    who = state.seats[seat]
    if who.out or len(who.partners) >= AMBASSADORS_OF_A_SEAT or not who.tracks.total:
        return False
    track = state.species(seat).track
    return track.fits(len(who.partners) + 1, max(0, who.reputation - 1))


def neighbours(state: EclipseState, a: int, b: int) -> bool:
    """Whether a full wormhole connects their sectors: the Wormhole Generator does not count for ambassadors."""
    return any(
        state.map[other].owner == b and state.connected(place, other)
        for place in state.controlled(a)
        for other in around(place)
        if other in state.map
    )


class AgreeToAlly(Ask, Struct, frozen=True, tag="agree-to-ally"):
    """Does the other seat agree?"""

    seat: int
    asker: int
    slug: ClassVar[str] = "eclipse.agree"

    def ask(self, state: EclipseState) -> Question:
        text = say("eclipse.ask.agree", other=state.name(self.asker))
        options = (Option("yes", say("eclipse.option.agree")), Option("no", say("eclipse.option.decline")))
        return Question(self.slug, self.seat, text, options, has_default=False)

    def take(self, state: EclipseState, option: str) -> EclipseState:
        if option == "no":
            return replace(state, declined=(*state.declined, self.seat))
        return state.push(GiveAmbassador(self.asker, self.seat), GiveAmbassador(self.seat, self.asker))

    def is_obsolete(self, state: EclipseState) -> bool:
        return not may_ally(state, self.seat, self.asker)


class GiveAmbassador(Do, Struct, frozen=True, tag="give-ambassador"):
    """A seat's ambassador goes to another seat's reputation track, with a cube from any of its tracks."""

    seat: int
    to: int

    def do(self, state: EclipseState) -> EclipseState:
        kinds = [kind for kind in RESOURCES if state.seats[self.seat].tracks.of(kind)]
        if len(kinds) > 1:
            return state.push(ChooseCube(self.seat, self.to))
        return send(state, self.seat, self.to, kinds[0])


class ChooseCube(Ask, Struct, frozen=True, tag="choose-cube"):
    """From which track does the ambassador's cube come?"""

    seat: int
    to: int
    slug: ClassVar[str] = "eclipse.ambassador-cube"

    def ask(self, state: EclipseState) -> Question:
        text = say("eclipse.ask.ambassador-cube", other=state.name(self.to))
        options = tuple(
            Option(
                kind,
                say(f"eclipse.kind.{kind}"),
                detail=say("eclipse.income", n=state.income(self.seat, kind)),
                signs=(
                    Sign(kind, tint=kind),
                    Sign(f"{kind}-income", f"+{state.income(self.seat, kind)}", kind),
                ),
            )
            for kind in RESOURCES
            if state.seats[self.seat].tracks.of(kind)
        )
        return Question(self.slug, self.seat, text, options)

    def take(self, state: EclipseState, option: str) -> EclipseState:
        return send(state, self.seat, self.to, next(kind for kind in RESOURCES if kind == option))


def send(state: EclipseState, seat: int, to: int, kind: Resource) -> EclipseState:
    """The table with this seat's ambassador on the other's board; if the track is full, a reputation tile is
    returned."""
    state = take_cube(state, seat, kind)
    host = state.seats[to]
    host = replace(host, partners=(*host.partners, seat))
    state = state.with_seat(to, host)
    deed = say("eclipse.sends-ambassador", other=host.name, kind=say(f"eclipse.kind.{kind}"))
    state = does(state, seat, deed)
    if state.species(to).track.fits(len(host.partners), host.reputation):
        return state
    state = state.with_seat(to, replace(host, reputation=host.reputation - 1))
    return does(state, to, count("eclipse.returns-reputation", 1))


def attack(state: EclipseState, attacker: int, victim: int) -> EclipseState:
    """An attack ends diplomacy between the two: ambassadors and cubes return, and the attacker becomes the
    traitor."""
    if victim not in state.seats[attacker].partners:
        return state
    for seat, other in ((attacker, victim), (victim, attacker)):
        who = state.seats[seat]
        state = state.with_seat(seat, replace(who, partners=tuple(p for p in who.partners if p != other)))
    state = replace(state, traitor=attacker)
    state = does(state, attacker, say("eclipse.betrays", other=state.name(victim)))
    return state.push(ReturnCubes(attacker, ("gray",)), ReturnCubes(victim, ("gray",)))
