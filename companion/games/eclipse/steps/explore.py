"""Explore (p. 9): choose a place, turn up a hex of its stack, place it so that wormholes meet, or discard it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from msgspec import Struct
from msgspec.structs import replace

from companion.core.agenda import Ask
from companion.core.components import with_names
from companion.core.questions import Option, Question
from companion.core.words import Text, count, say
from companion.games.eclipse.component_types import SectorHex, sectors
from companion.games.eclipse.geometry import around, direction_to, joined, opens, ring_of
from companion.games.eclipse.map_view import spots, turned_face
from companion.games.eclipse.state import GENERATOR, EclipseState, Sector, Stack, does, tell_deed
from companion.games.eclipse.steps.claim import MayClaim
from companion.games.eclipse.steps.free import InTurn

DONE, DISCARD, ENOUGH = "done", "discard", "enough"
IN_A_ROW = 6
"""How many hex numbers are shown in a row."""


def sources(state: EclipseState, seat: int) -> Iterator[str]:
    """Where a seat can explore from: a disc, or a ship that is not pinned."""
    for place, sector in state.map.items():
        if sector.owner == seat or (sector.ships(seat) > state.enemies(place, seat) and not sector.gcds):
            yield place


def ways_to(state: EclipseState, seat: int, place: str) -> list[str]:
    """The sectors from which this seat can explore a place."""
    generator = state.has(seat, GENERATOR)
    return [
        source
        for source in sources(state, seat)
        if place in around(source) and (generator or _opens(state, source, place))
    ]


def _opens(state: EclipseState, source: str, place: str) -> bool:
    sector = state.map[source]
    return opens(sector.facts, sector.rotation, direction_to(source, place))


def zones(state: EclipseState, seat: int) -> list[str]:
    """Every unexplored place this seat can explore, while its stack has hexes."""
    generator = state.has(seat, GENERATOR)
    found: dict[str, None] = {}
    for source in sources(state, seat):
        for place in around(source):
            if place in state.map or not hexes_left(state, ring_of(place)):
                continue
            if generator or _opens(state, source, place):
                found[place] = None
    return list(found)


def hexes_left(state: EclipseState, ring: str) -> int:
    """Hexes that can still be drawn for a ring, including discards: they are shuffled again."""
    stack = state.stacks.get(ring)
    return 0 if stack is None else stack.left + len(stack.discards)


def rotations(state: EclipseState, seat: int, place: str, hex: SectorHex) -> list[int]:
    """The allowed rotations of a hex: one of its wormholes must meet one of a sector with this seat's disc or
    ship."""
    generator = state.has(seat, GENERATOR)
    found = []
    for rotation in range(6):
        for source in ways_to(state, seat, place):
            mine = _opens(state, source, place)
            if joined(mine, opens(hex, rotation, direction_to(place, source)), generator):
                found.append(rotation)
                break
    return found


class Explore(InTurn, Struct, frozen=True, tag="explore"):
    """Which unexplored place? `left` is how many more may be explored."""

    seat: int
    left: int
    slug: ClassVar[str] = "eclipse.explore"

    def choices(self, state: EclipseState) -> Question:
        text = count("eclipse.ask.explore", self.left)
        options = [
            Option(place, _zone(state, self.seat, place), detail=_stack(state, place), place=place)
            for place in zones(state, self.seat)
        ]
        done = Option(DONE, say("eclipse.option.done"))
        return Question(self.slug, self.seat, text, (*options, done), has_default=False)

    def choose(self, state: EclipseState, option: str) -> EclipseState:
        if option == DONE:
            return state
        return turn_up(state, self.seat, option, (), self.left)


def _zone(state: EclipseState, seat: int, place: str) -> Text:
    """A place in words: its ring, and the neighbouring sectors with directions."""
    beside = tuple(
        say(
            "eclipse.beside",
            sector=state.where(source),
            way=say(f"eclipse.way.{direction_to(source, place)}"),
        )
        for source in ways_to(state, seat, place)
    )
    return say("eclipse.zone", ring=say(f"eclipse.ring.{ring_of(place)}"), beside=beside)


def _stack(state: EclipseState, place: str) -> Text:
    return count("eclipse.hexes-left", hexes_left(state, ring_of(place)))


def turn_up(state: EclipseState, seat: int, place: str, drawn: tuple[str, ...], left: int) -> EclipseState:
    """Ask for the hex on top of the stack; an empty stack is refilled from its discards (p. 9)."""
    ring = ring_of(place)
    stack = state.stacks[ring]
    if not stack.left:
        stack = Stack(stack.discards, len(stack.discards))
        state = replace(state, stacks={**state.stacks, ring: stack})
        state = state.tell(say("eclipse.reshuffle", ring=say(f"eclipse.ring.{ring}")), kind="hands")
    return state.push(TurnUp(seat, place, drawn, left))


class TurnUp(Ask, Struct, frozen=True, tag="turn-up"):
    """Which hex was on top? The Descendants of Draco turn up two (p. 27); by later rulings the second is optional."""

    seat: int
    place: str
    drawn: tuple[str, ...]
    left: int
    slug: ClassVar[str] = "eclipse.turn-up"

    def ask(self, state: EclipseState) -> Question:
        ring = ring_of(self.place)
        text = say("eclipse.ask.turn-up", ring=say(f"eclipse.ring.{ring}"))
        options = tuple(
            Option(
                id,
                state.called(id),
                id,
                describe(sectors()[id]),
                face=turned_face(with_names(sectors()[id], state.taught), 0),
                cell=divmod(n, IN_A_ROW),
            )
            for n, id in enumerate(state.stacks[ring].unseen)
        )
        if self.drawn and state.later:
            options += (Option(ENOUGH, say("eclipse.option.one-hex")),)
        return Question(self.slug, self.seat, text, options, has_default=False)

    def take(self, state: EclipseState, option: str) -> EclipseState:
        if option == ENOUGH:
            return state.push(PlaceHex(self.seat, self.place, self.drawn, self.left))
        ring = ring_of(self.place)
        stack = state.stacks[ring]
        unseen = tuple(id for id in stack.unseen if id != option)
        stack = replace(stack, unseen=unseen, left=stack.left - 1)
        state = replace(state, stacks={**state.stacks, ring: stack})
        drawn = (*self.drawn, option)
        if len(drawn) < state.species(self.seat).draws and hexes_left(state, ring):
            return turn_up(state, self.seat, self.place, drawn, self.left)
        return state.push(PlaceHex(self.seat, self.place, drawn, self.left))

    def why_not(self, state: EclipseState, component: str) -> Text:
        hex = sectors().get(component)
        if hex is None:
            return say("eclipse.why.not-a-hex")
        return say(
            "eclipse.why.not-in-stack", sector=state.called(component), ring=_ring(ring_of(self.place))
        )


def _ring(ring: str) -> Text:
    return say(f"eclipse.ring.{ring}")


def describe(hex: SectorHex) -> Text:
    """What is on a hex."""
    extras = [say("eclipse.hex.squares", squares=spots(hex.squares))] if hex.squares else []
    if hex.artifact:
        extras.append(say("eclipse.hex.artifact"))
    if hex.discovery:
        extras.append(say("eclipse.hex.discovery"))
    if hex.ancients:
        extras.append(count("eclipse.hex.ancients", hex.ancients))
    return say("eclipse.hex", points=hex.points, things=tuple(extras))


class PlaceHex(Ask, Struct, frozen=True, tag="place-hex"):
    """Is the hex placed, with which rotation, or discarded? The option names the sectors its wormholes then
    lead to."""

    seat: int
    place: str
    drawn: tuple[str, ...]
    left: int
    slug: ClassVar[str] = "eclipse.place-hex"

    def ask(self, state: EclipseState) -> Question:
        names = tuple(state.called(id) for id in self.drawn)
        text = say("eclipse.ask.place-hex", hexes=names)
        options = [
            Option(
                f"{id}:r{r}",
                _turned(state, id, r),
                detail=meets(state, self.seat, self.place, sectors()[id], r),
                place=self.place,
                face=turned_face(with_names(sectors()[id], state.taught), r),
                turn=r,
            )
            for id in self.drawn
            for r in rotations(state, self.seat, self.place, sectors()[id])
        ]
        discard = Option(DISCARD, count("eclipse.option.discard-hex", len(self.drawn)))
        return Question(self.slug, self.seat, text, (*options, discard), has_default=False)

    def take(self, state: EclipseState, option: str) -> EclipseState:
        hex, _, turn = option.partition(":r")
        ring = ring_of(self.place)
        stack = state.stacks[ring]
        unplaced = tuple(id for id in self.drawn if id != hex)
        stack = replace(stack, discards=(*stack.discards, *unplaced))
        state = replace(state, stacks={**state.stacks, ring: stack})
        if option == DISCARD:
            state = does(state, self.seat, count("eclipse.discards-hex", len(unplaced)))
            # A discarded hex ends the turn, whatever is left to explore (p. 9); by later rulings only this exploration.
            more = state.later and self.left > 1
            return state.push(Explore(self.seat, self.left - 1)) if more else state
        if self.left > 1:
            state = state.push(Explore(self.seat, self.left - 1))
        return put_down(state, self.seat, self.place, hex, int(turn)).push(MayClaim(self.seat, self.place))

    def why_not(self, state: EclipseState, component: str) -> Text:
        return say("eclipse.why.place-hex-first")


def _turned(state: EclipseState, hex: str, rotation: int) -> Text:
    return say("eclipse.option.turned", sector=state.called(hex), way=say(f"eclipse.way.{rotation}"))


def meets(state: EclipseState, seat: int, place: str, hex: SectorHex, rotation: int) -> Text:
    """The sectors that full wormholes would lead to; with the Generator, half ones to this seat's sectors as well."""
    whole, half = [], []
    for neighbour in around(place):
        if neighbour not in state.map:
            continue
        there = _opens(state, neighbour, place)
        here = opens(hex, rotation, direction_to(place, neighbour))
        if there and here:
            whole.append(state.where(neighbour))
        elif (there or here) and state.has(seat, GENERATOR):
            half.append(state.where(neighbour))
    return say(
        "eclipse.meets" if not half else "eclipse.meets-half" if not whole else "eclipse.meets-both",
        whole=tuple(whole),
        half=tuple(half),
    )


def put_down(state: EclipseState, seat: int, place: str, id: str, rotation: int) -> EclipseState:
    """The table with a new sector, its Ancients and its discovery."""
    sector = fresh_sector(state, id, rotation)
    state = state.with_sector(place, sector)
    name = state.called(id)
    state = tell_deed(state, seat, say("eclipse.puts-down", sector=name))
    if sector.discovery:
        state = does(state, seat, say("eclipse.put-discovery", sector=name))
    if sector.ancients:
        state = does(state, seat, count("eclipse.put-ancients", sector.ancients, sector=name))
    return state


def fresh_sector(state: EclipseState, id: str, rotation: int = 0) -> Sector:
    """A new sector of a hex, with Ancients and a discovery while the supply has any."""
    hex = sectors()[id]
    ancients = min(hex.ancients, state.ancients_left())
    discovery = hex.discovery and state.discoveries_left() > 0
    return Sector(id, rotation, cubes=(False,) * len(hex.squares), ancients=ancients, discovery=discovery)
