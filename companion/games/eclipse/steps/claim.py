"""Taking control of a sector with a disc (p. 9), and taking its discovery (p. 7)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from msgspec import Struct
from msgspec.structs import replace

from companion.core.agenda import Ask
from companion.core.faces import Sign
from companion.core.questions import Option, Question
from companion.core.words import Text, say
from companion.games.eclipse.component_types import Discovery, Technology, discoveries
from companion.games.eclipse.signs import disc_signs
from companion.games.eclipse.state import EclipseState, does, gain, put_ships, tell_deed
from companion.games.eclipse.steps.research import gain_technology, open_technologies
from companion.games.eclipse.steps.upgrade import PlaceAncientPart

KEEP = "keep"
KEPT = 2
"""Points for a discovery whose front is not used (p. 7)."""


def can_claim(state: EclipseState, seat: int, place: str) -> bool:
    """Whether a seat could put a disc on a sector: no owner, no ship to fight there, a disc on the track."""
    free = state.map[place].owner is None and not state.enemies(place, seat)
    return free and not state.seats[seat].out and state.discs_on_track(seat) > 0


class MayClaim(Ask, Struct, frozen=True, tag="may-claim"):
    """Does this seat put a disc on the sector?"""

    seat: int
    place: str
    slug: ClassVar[str] = "eclipse.claim"

    def ask(self, state: EclipseState) -> Question:
        text = say("eclipse.ask.claim", sector=state.where(self.place))
        after = after_upkeep(state, self.seat, 1)
        signs = disc_signs(state, self.seat)
        yes = Option("yes", say("eclipse.option.claim"), state.map[self.place].hex, after, signs=signs)
        no = Option("no", say("eclipse.option.no-claim"))
        short = -state.balance(self.seat, 1)
        warning = say("eclipse.warning.bankrupt-by-disc", n=short) if short > 0 else None
        return Question(self.slug, self.seat, text, (yes, no), warning=warning)

    def take(self, state: EclipseState, option: str) -> EclipseState:
        return claim(state, self.seat, self.place) if option == "yes" else state

    def is_obsolete(self, state: EclipseState) -> bool:
        return not can_claim(state, self.seat, self.place)


def after_upkeep(state: EclipseState, seat: int, discs: int) -> Text:
    """The effect of so many more discs at the end of the round."""
    left = state.balance(seat, discs)
    numbers = {
        "upkeep": state.upkeep(seat, discs),
        "income": state.income(seat, "money"),
        "money": state.seats[seat].stock.money,
    }
    if left < 0:
        return say("eclipse.would-go-bankrupt", n=-left, **numbers)
    return say("eclipse.would-be-left", n=left, **numbers)


def left_after(state: EclipseState, seat: int, discs: int) -> Text:
    """The money that would be left with so many more discs, in a word or two."""
    left = state.balance(seat, discs)
    return say("eclipse.short-by", n=-left) if left < 0 else say("eclipse.left-over", n=left)


def claim(state: EclipseState, seat: int, place: str) -> EclipseState:
    """The table with a seat's disc on a sector; a discovery is taken too, unless Ancients guard it."""
    sector = replace(state.map[place], owner=seat)
    deed = say("eclipse.claims", sector=state.where(place))
    state = tell_deed(state.with_sector(place, sector), seat, deed)
    # Only Draco can be here while Ancients are present, and may not take what they guard (p. 27).
    if sector.discovery and not sector.ancients:
        return state.push(TakeDiscovery(seat, place))
    return state


class TakeDiscovery(Ask, Struct, frozen=True, tag="take-discovery"):
    """Look at the tile: is its front used, or is it kept for two points? Kept tiles stay secret."""

    seat: int
    place: str
    slug: ClassVar[str] = "eclipse.discovery"

    def ask(self, state: EclipseState) -> Question:
        text = say("eclipse.ask.discovery", sector=state.where(self.place))
        options = [
            Option(tile.id, state.called(tile.id), tile.id, describe(tile))
            for tile in discoveries().values()
            if state.used.get(tile.id, 0) < tile.copies and usable(state, self.seat, tile)
        ]
        keep = Option(KEEP, say("eclipse.option.keep-discovery"), signs=(Sign("points", str(KEPT)),))
        return Question(self.slug, self.seat, text, (keep, *options), has_default=False)

    def take(self, state: EclipseState, option: str) -> EclipseState:
        state = state.with_sector(self.place, replace(state.map[self.place], discovery=False))
        if option == KEEP:
            who = state.seats[self.seat]
            state = state.with_seat(self.seat, replace(who, kept=who.kept + 1))
            return does(state, self.seat, say("eclipse.keeps-discovery"))
        state = replace(state, used={**state.used, option: state.used.get(option, 0) + 1})
        return use(state, self.seat, self.place, discoveries()[option])

    def why_not(self, state: EclipseState, component: str) -> Text:
        return say("eclipse.why.not-this-discovery")

    def is_obsolete(self, state: EclipseState) -> bool:
        sector = state.map.get(self.place)
        return sector is None or not sector.discovery


def usable(state: EclipseState, seat: int, tile: Discovery) -> bool:
    """Whether the front of a tile would have any effect."""
    if tile.gives == "cruiser":
        return state.ships_left(seat, "cruiser") > 0
    return tile.gives != "technology" or bool(cheapest(state, seat))


def use(state: EclipseState, seat: int, place: str, tile: Discovery) -> EclipseState:
    """The table after a discovery was used for its front."""
    if tile.gives == "resources":
        assert tile.resource is not None
        state = gain(state, seat, tile.resource, tile.amount)
        deed = say("eclipse.gains", n=tile.amount, kind=say(f"eclipse.kind.{tile.resource}"))
        return does(state, seat, deed)
    if tile.gives == "cruiser":
        state = put_ships(state, place, seat, "cruiser")
        return does(state, seat, say("eclipse.finds-cruiser", sector=state.where(place)))
    if tile.gives == "part":
        assert tile.part is not None
        who = state.seats[seat]
        state = state.with_seat(seat, replace(who, spare=(*who.spare, tile.part)))
        return state.push(PlaceAncientPart(seat, tile.part))
    found = cheapest(state, seat)
    if len(found) > 1:
        return state.push(ChooseFreeTechnology(seat))
    return take_free_technology(state, seat, found[0].id)


def cheapest(state: EclipseState, seat: int) -> list[Technology]:
    """The cheapest technologies on the supply board that a seat does not have, by their printed cost."""
    found = open_technologies(state, seat)
    least = min((tech.cost for tech in found), default=0)
    return [tech for tech in found if tech.cost == least]


def take_free_technology(state: EclipseState, seat: int, id: str) -> EclipseState:
    """The table with a technology gained for free."""
    deed = say("eclipse.finds-technology", technology=state.called(id))
    return gain_technology(does(state, seat, deed), seat, id)


class ChooseFreeTechnology(Ask, Struct, frozen=True, tag="choose-free-technology"):
    """Which of several equally cheap technologies do the Ancients give?"""

    seat: int
    slug: ClassVar[str] = "eclipse.free-technology"

    def ask(self, state: EclipseState) -> Question:
        text = say("eclipse.ask.free-technology")
        options = tuple(_free(state, self.seat))
        return Question(self.slug, self.seat, text, options, has_default=False)

    def take(self, state: EclipseState, option: str) -> EclipseState:
        return take_free_technology(state, self.seat, option)

    def is_obsolete(self, state: EclipseState) -> bool:
        return not cheapest(state, self.seat)


def _free(state: EclipseState, seat: int) -> Iterator[Option]:
    for tech in cheapest(state, seat):
        yield Option(tech.id, state.called(tech.id), tech.id, say(f"eclipse.category.{tech.category}"))


def describe(tile: Discovery) -> Text:
    """What the front of a discovery gives."""
    if tile.gives == "resources":
        return say("eclipse.discovery.resources", n=tile.amount, kind=say(f"eclipse.kind.{tile.resource}"))
    return say(f"eclipse.discovery.{tile.gives}")
