"""Exploration: ships, tunnels and outposts (rules 75-95)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from msgspec import Struct
from msgspec.structs import replace

from companion.core.agenda import Ask, Do, Step
from companion.core.faces import Sign
from companion.core.questions import Option, Question
from companion.core.words import Text, count, say
from companion.games.transgalactica.costs import FREE_OF_COST, Way, payments, pieces, tunnel_prices
from companion.games.transgalactica.deeds import place_name, ship
from companion.games.transgalactica.effects import Kind, Move, ToTunnel
from companion.games.transgalactica.state import NIGHTMARE_TILE, TransState
from companion.games.transgalactica.steps.board import map_first
from companion.games.transgalactica.steps.free_deeds import free_options, is_free, take_free
from companion.games.transgalactica.steps.obstacles import hindered, hindered_action, pays_for
from companion.games.transgalactica.steps.outposts import PlaceOn, may_place, place_option, why_not_place
from companion.games.transgalactica.steps.resolve import (
    Happens,
    PayFor,
    Resolve,
    changed_words,
    pay_way,
    performs,
    resolves,
    stuff_signs,
)


def reach(state: TransState, seat: int) -> int:
    """How many steps a ship may make: 1, plus 1 for each grey planet with an outpost (rules 77, 78)."""
    return 1 + sum("grey" in planet.hues for planet in state.colonies(seat, coloured=True))


@performs("exploration")
def _exploration(state: TransState, seat: int, kind: Kind) -> TransState:
    return state.push(BeginExploration(seat, kind))


class BeginExploration(Do, Struct, frozen=True, tag="begin-exploration"):
    """Computes the allowance; a second ship adds a step or an outpost (rule 175), the drive a free step."""

    seat: int
    kind: Kind

    def do(self, state: TransState) -> TransState:
        if (map_told := map_first(state, self)) is not None:
            return map_told
        return state.push(_exploring(state, self.seat, self.kind), Happens(self.seat, "exploration"))


def _exploring(state: TransState, seat: int, kind: Kind) -> Explore:
    return Explore(
        seat,
        kind == "main",
        reach(state, seat),
        extra=int(state.able(seat, "second-ship")),
        fast=int(state.has(seat, "extra-step")),
    )


@hindered_action("exploration")
def _no_exploration(state: TransState, seat: int, kind: Kind) -> Text | None:
    if state.board.unknown() or pays_for(state, seat, "exploration"):
        return None
    explore = _exploring(state, seat, kind)
    able = any(_steps(state, explore)) or any(_places(state, explore))
    return None if able else say("transgalactica.idle.exploration")


class Explore(Ask, Struct, frozen=True, tag="explore"):
    """One step, one outpost, or stop: asked until nothing is left.

    A ship places an outpost before its first step or after its last one, never in between (rule 79): after
    moving and placing it cannot move again.
    """

    seat: int
    main: bool
    reach: int
    extra: int = 0
    """One more free step or outpost, thanks to a second ship."""
    fast: int = 0
    """One more free step, thanks to the long-range drive."""
    walked: int = 0
    sped: int = 0
    freed: int = 0
    """Steps made so far: `walked` were paid, `sped` used the drive, `freed` the second ship."""
    placed: int = 0
    moved: tuple[int, ...] = ()
    """Ships that have moved."""
    still: tuple[int, ...] = ()
    """Ships that have placed an outpost after moving, so they cannot move again."""
    slug: ClassVar[str] = "transgalactica.explore"

    @property
    def fits(self) -> bool:
        """Whether one exploration allows this much: a secondary one either moves or places (rules 75, 76)."""
        if self.freed > self.extra or self.walked > self.reach or self.sped > self.fast:
            return False
        more = self.extra - self.freed
        if self.main:
            return self.placed <= 1 + more
        return self.placed <= more or (not self.walked and not self.sped and self.placed <= 1 + more)

    def ask(self, state: TransState) -> Question:
        now = self._now(state)
        options = [*_steps(state, now), *_places(state, now)]
        options.append(Option("done", say("transgalactica.explored")))
        options += free_options(state, self.seat)
        text = say("transgalactica.ask.explore")
        left = now.reach - now.walked
        notes = (count("transgalactica.steps-left", left),) if left and _more(now, walked=1) else ()
        return Question(self.slug, self.seat, text, tuple(options), has_default=False, notes=notes)

    def take(self, state: TransState, option: str) -> TransState:
        if option == "done":
            return state
        if is_free(option):
            return take_free(state.push(self), self.seat, option)
        sort, number, where = option.split(":", 2)
        n = int(number)
        if sort == "place":
            planet, _, slot = where.partition(":")
            still = (*self.still, n) if n in self.moved else self.still
            after = replace(self, placed=self.placed + 1, still=still)
            return state.push(PlaceOn(self.seat, planet, slot, then=(after,), instead=(self,)))
        return _go(state, self._now(state), sort, n, where)

    def is_obsolete(self, state: TransState) -> bool:
        """Whether only stopping is left."""
        now, ships = self._now(state), range(len(state.seats[self.seat].ships))
        more = _more(now, walked=1) or _more(now, placed=1) or _free(now)
        return not more or all(n in self.still for n in ships)

    def why_not(self, state: TransState, component: str) -> Text:
        space = state.where(component)
        if space is None:
            return say("transgalactica.why.not-on-map")
        if space not in state.seats[self.seat].ships:
            return say("transgalactica.why.too-far")
        if not _more(self._now(state), placed=1):
            return say("transgalactica.why.no-more-outposts")
        return why_not_place(state, self.seat, component)

    def _now(self, state: TransState) -> Explore:
        """This step with its range updated: an outpost on a grey planet extends the movement after it."""
        return replace(self, reach=reach(state, self.seat))


def _more(
    explore: Explore, walked: int = 0, sped: int = 0, freed: int = 0, placed: int = 0
) -> Explore | None:
    """The exploration with these counts added, or None if that is not allowed."""
    after = replace(
        explore,
        walked=explore.walked + walked,
        sped=explore.sped + sped,
        freed=explore.freed + freed,
        placed=explore.placed + placed,
    )
    return after if after.fits else None


def _free(explore: Explore) -> Explore | None:
    """The exploration after a free step, using the drive before the second ship; None if none is left."""
    return _more(explore, sped=1) or _more(explore, freed=1)


def _steps(state: TransState, explore: Explore) -> Iterator[Option]:
    who = state.seats[explore.seat]
    for n, here in enumerate(who.ships):
        if n in explore.still:
            continue
        for space, energy in neighbours(state, here):
            for way in _step_payments(state, explore.seat, energy) if _more(explore, walked=1) else ():
                yield of_ship(
                    state, explore.seat, n, _step_option(state, f"go:{n}:{space}", space, energy, way)
                )
            if _free(explore) and (energy or not _more(explore, walked=1)):
                yield of_ship(state, explore.seat, n, _step_option(state, f"free:{n}:{space}", space))
        prices = tunnel_prices(state, explore.seat)
        if (_more(explore, walked=1) or _free(explore)) and payments(state, explore.seat, prices):
            for space in tunnels(state, explore.seat, here):
                option = Option(
                    f"tunnel:{n}:{space}",
                    say("transgalactica.through-tunnel", planet=place_name(state, space)),
                    state.planets.get(space),
                    place=space,
                    signs=(Sign("tunnel"), *(stuff_signs((("alien", 1),)) if len(prices) == 1 else ())),
                )
                yield of_ship(state, explore.seat, n, option)


def of_ship(state: TransState, seat: int, n: int, option: Option) -> Option:
    """The option with the ship's number added if the seat has two ships."""
    if len(state.seats[seat].ships) == 1:
        return option
    return replace(option, text=say(f"transgalactica.by-ship-{n + 1}", what=option.text))


def _step_payments(state: TransState, seat: int, energy: int) -> tuple[Way, ...]:
    """The only way to pay for a step, or none if it cannot be paid."""
    return payments(state, seat, (pieces("energy", energy),))


def _step_option(state: TransState, id: str, space: str, energy: int = 0, way: Way = FREE_OF_COST) -> Option:
    return Option(
        id,
        count("transgalactica.step", energy, planet=place_name(state, space)),
        state.planets.get(space),
        detail=changed_words(way),
        place=space,
        signs=(Sign("move"), *stuff_signs(way.paid)),
    )


def neighbours(state: TransState, here: str) -> Iterator[tuple[str, int]]:
    """The spaces one route away, with the energy of the route."""
    for space in state.board.spaces:
        energy = state.board.energy(here, space)
        if energy is not None:
            yield space, energy


def has_tunnel(state: TransState, space: str) -> bool:
    """Whether the planet on a space has a tunnel."""
    planet = state.planets.get(space)
    return planet is not None and state.planet(planet).tunnel is True


def tunnels(state: TransState, seat: int, here: str) -> tuple[str, ...]:
    """Where a tunnel leads: to any other tunnel planet; the Nightmare's starts anywhere (rules 81, 167)."""
    if not has_tunnel(state, here) and not state.able(seat, NIGHTMARE_TILE):
        return ()
    return tuple(space for space in state.board.spaces if space != here and has_tunnel(state, space))


def _places(state: TransState, explore: Explore) -> Iterator[Option]:
    if not _more(explore, placed=1):
        return
    seen: set[str] = set()
    # Of two ships in one orbit the one that has not moved places, so that the other can move on (p. 16, 24).
    ships = sorted(enumerate(state.seats[explore.seat].ships), key=lambda ship: ship[0] in explore.moved)
    for n, here in ships:
        planet = state.planets.get(here)
        if planet is None or n in explore.still or here in seen:
            continue
        seen.add(here)
        for slot in may_place(state, explore.seat, planet):
            yield place_option(state, explore.seat, here, slot, f"place:{n}:{planet}:{slot}")


def _go(state: TransState, explore: Explore, sort: str, n: int, space: str) -> TransState:
    """Move a ship to a space; its first step triggers movement technologies (rule 137)."""
    free = sort == "free" or (sort == "tunnel" and not _more(explore, walked=1))
    after = _free(explore) if free else _more(explore, walked=1)
    assert after is not None
    here = state.seats[explore.seat].ships[n]
    first: tuple[Step, ...] = () if n in explore.moved else (Happens(explore.seat, "ship-moved"),)
    after = replace(after, moved=tuple(dict.fromkeys((*explore.moved, n))))
    arrive = Arrive(explore.seat, n, space)
    if sort == "tunnel":
        prices = tunnel_prices(state, explore.seat)
        return state.push(PayFor(explore.seat, prices, (arrive, *first), say("transgalactica.tunnel")), after)
    energy = state.board.energy(here, space) or 0
    if not free:
        way = _step_payments(state, explore.seat, energy)[0]
        state = pay_way(state, explore.seat, way, place_name(state, space))
    return state.push(arrive, *first, after)


class Arrive(Do, Struct, frozen=True, tag="arrive"):
    """A ship arrives in the orbit of another planet."""

    seat: int
    ship: int
    space: str

    def do(self, state: TransState) -> TransState:
        return ship(state, self.seat, self.ship, self.space)


# Effects of symbols


@resolves(Move)
def _move(state: TransState, by: Resolve, effect: Move) -> TransState:
    """Free steps (rule 80); the long-range drive adds one."""
    return state.push(FreeMove(by.seat, effect.n + state.has(by.seat, "extra-step"), by.why))


@hindered(Move)
def _no_move(state: TransState, seat: int, effect: Move) -> Text | None:
    able = state.board.unknown() or any(
        True for here in state.seats[seat].ships for _ in neighbours(state, here)
    )
    return None if able else say("transgalactica.idle.exploration")


class FreeMove(Ask, Struct, frozen=True, tag="free-move"):
    """A step without energy, which may be declined."""

    seat: int
    left: int
    why: Text
    moved: bool = False
    slug: ClassVar[str] = "transgalactica.free-move"

    def ask(self, state: TransState) -> Question:
        options = [
            of_ship(state, self.seat, n, _step_option(state, f"{n}:{space}", space))
            for n, here in enumerate(state.seats[self.seat].ships)
            for space, _ in neighbours(state, here)
        ]
        options.append(Option("done", say("transgalactica.stay")))
        text = say("transgalactica.ask.free-move", why=self.why)
        return Question(self.slug, self.seat, text, tuple(options), has_default=False)

    def take(self, state: TransState, option: str) -> TransState:
        if option == "done":
            return state
        n, _, space = option.partition(":")
        steps: list[Step] = [Arrive(self.seat, int(n), space)]
        if not self.moved:
            steps.append(Happens(self.seat, "ship-moved"))
        if self.left > 1:
            steps.append(replace(self, left=self.left - 1, moved=True))
        return state.push(*steps)


@resolves(ToTunnel)
def _to_tunnel(state: TransState, by: Resolve, effect: ToTunnel) -> TransState:
    return state.push(GoToTunnel(by.seat, by.why))


@hindered(ToTunnel)
def _no_tunnel(state: TransState, seat: int, effect: ToTunnel) -> Text | None:
    able = state.board.unknown() or any(
        has_tunnel(state, space) and space != here
        for here in state.seats[seat].ships
        for space in state.board.spaces
    )
    return None if able else say("transgalactica.idle.tunnel")


class GoToTunnel(Ask, Struct, frozen=True, tag="go-to-tunnel"):
    """A ship goes to a tunnel planet, free and from anywhere (rule 82)."""

    seat: int
    why: Text
    slug: ClassVar[str] = "transgalactica.to-tunnel"

    def ask(self, state: TransState) -> Question:
        options = [
            of_ship(
                state,
                self.seat,
                n,
                Option(
                    f"{n}:{space}",
                    say("transgalactica.through-tunnel", planet=place_name(state, space)),
                    state.planets.get(space),
                    place=space,
                    signs=(Sign("to-tunnel"),),
                ),
            )
            for n, here in enumerate(state.seats[self.seat].ships)
            for space in state.board.spaces
            if has_tunnel(state, space) and space != here
        ]
        options.append(Option("stay", say("transgalactica.stay")))
        text = say("transgalactica.ask.to-tunnel", why=self.why)
        return Question(self.slug, self.seat, text, tuple(options), has_default=False)

    def take(self, state: TransState, option: str) -> TransState:
        if option == "stay":
            return state
        n, _, space = option.partition(":")
        # This counts as movement, so the long-range drive adds its free step (rule 137).
        further = (
            (FreeMove(self.seat, 1, self.why, moved=True),) if state.has(self.seat, "extra-step") else ()
        )
        return state.push(Arrive(self.seat, int(n), space), Happens(self.seat, "ship-moved"), *further)
