"""A finished table as a file describes it, and the same with its cards found."""

from __future__ import annotations

from collections import Counter as Tally
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, partial
from typing import Annotated, Any

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from companion.core.game import Box, read_box
from companion.core.positions import quoted
from companion.core.table_files import (
    SeatFile,
    TableFile,
    by_name,
    number,
    numbers_by,
    one_of,
    shaped,
    whole,
)
from companion.core.table_files import (
    ids as listed,
)
from companion.core.words import Text, say
from companion.games.beyond.component_types import (
    CARD_PLACES,
    CUBES,
    TRACK,
    YARDS,
    Achievement,
    AdvancedBoard,
    Board,
    Event,
    Side,
    System,
    Technology,
    Tracks,
)
from companion.games.beyond.operations import TYPES
from companion.games.beyond.position_cards import (
    CONTROLLED,
    MUSEUM,
    PLACES,
    Cards,
    Sort,
    ids,
    technologies,
    told_of_cards,
    unknown,
)
from companion.games.beyond.sheet import open_slots, seat_counted
from scoring import beyond as scoring
from scoring.beyond import Counted

ORE, AUTOMATED, WORTH = 9999, 99, 99
"""Upper limits no real table reaches; ore and markers never run out (rule 4)."""

COUNTS: dict[str, int] = {
    "level-1": 4,
    "level-2": 6,
    "level-3": 6,
    "level-4": 3,
    "private-2": 16,
    "private-3": 16,
    "systems": 24,
    "bases": 28,
}
"""The most a faction can have: a cube at every space of a level (rule 104), every card of the box."""

GIVEN = ("level-4", "automation", "systems", "events", "achievements")
"""Steps whose points a file may give directly, because they are printed."""

DISC_PLACES = ("automation", "bases", "systems")
DISCS = ("food", "ore", "marker")


HIGHEST = 4
"""The highest level of a ship."""
PRIVATE_LEVELS = (2, 3)
EDITIONS, BOARDS = ("revised", "original"), ("basic", "advanced")


@cache
def game_box() -> Box:
    """The description of this game, read from `game.toml`."""
    return read_box(__package__)


# Allowed values of each field


def _own_board() -> tuple[str, ...]:
    return ("", *ids("board"))


def _private() -> tuple[str, ...]:
    return technologies(*PRIVATE_LEVELS)


def _bases() -> tuple[str, ...]:
    return (*CONTROLLED, *ids("system"))


def _claims() -> tuple[str, ...]:
    slots = (f"{id}#{n}" for id in ids("achievement") for n in range(1, max(game_box().seats) + 1))
    return (*ids("achievement"), *slots)


def _ships() -> dict[str, Any]:
    levels = {"type": "array", "items": number(HIGHEST, 1)}
    return by_name(dict.fromkeys((*PLACES, *ids("system")), levels))


def _strength() -> dict[str, int]:
    return dict.fromkeys(PLACES, HIGHEST * CUBES)


def _discs() -> dict[str, Any]:
    lying = by_name(dict.fromkeys(DISC_PLACES, number(AUTOMATED)))
    return by_name(dict.fromkeys(DISCS, lying))


def _worths() -> dict[str, int]:
    cards = (*technologies(4), *ids("system"), *ids("event"), *ids("achievement"))
    return dict.fromkeys((*GIVEN, *cards), WORTH)


def _of(sort: Sort, description: str) -> Meta:
    return listed(description, partial(ids, sort))


class Seat(SeatFile, frozen=True):
    """One faction after the final round."""

    board: Annotated[str, one_of("Id of the faction board; its automation track counts.", _own_board)] = ""
    technologies: Annotated[
        tuple[str, ...], _of("technology", "Technologies on the tree with a cube of this faction.")
    ] = ()
    private: Annotated[tuple[str, ...], listed("Private technologies.", _private)] = ()
    automation: Annotated[int, whole("The automation level reached: all discs there.", AUTOMATED)] = 0
    systems: Annotated[tuple[str, ...], _of("system", "Colonised systems.")] = ()
    bases: Annotated[
        tuple[str, ...],
        listed("Systems and shipyards (`yard-1` ...) on the board with a base of this faction.", _bases),
    ] = ()
    ships: Annotated[
        dict[str, tuple[int, ...]], shaped("Levels of the ships, by location or system.", _ships)
    ] = msgspec.field(default_factory=dict)
    strength: Annotated[
        dict[str, int], numbers_by("Instead of ships: their levels added up, by location.", _strength)
    ] = msgspec.field(default_factory=dict)
    events: Annotated[tuple[str, ...], _of("event", "Events that give this faction points.")] = ()
    achievements: Annotated[
        tuple[str, ...], listed("Claimed achievements; `empire#2` is the second slot from the left.", _claims)
    ] = ()
    food_discs: Annotated[int, whole("Food discs left on the growth track.", TRACK)] | UnsetType = UNSET
    ore_discs: Annotated[int, whole("Ore discs left on the ore track.", TRACK)] | UnsetType = UNSET
    population: Annotated[int, whole("Population cubes on the board.", CUBES)] | UnsetType = UNSET
    ore: Annotated[int, whole("Ore.", ORE)] | UnsetType = UNSET
    supply: Annotated[int, whole("Cubes in the supply columns.", CUBES)] = 0
    counts: Annotated[
        dict[str, int], numbers_by("How many there are in all, where not every card is named.", COUNTS)
    ] = msgspec.field(default_factory=dict)
    discs: Annotated[
        dict[str, dict[str, int]],
        shaped("How many food discs, ore discs and markers lie on automation, bases, systems.", _discs),
    ] = msgspec.field(default_factory=dict)
    worth: Annotated[
        dict[str, int], numbers_by("Points the table counted itself: by card, or for a whole step.", _worths)
    ] = msgspec.field(default_factory=dict)


class Position(TableFile, frozen=True):
    """A finished table of Beyond the Sun."""

    seats: Annotated[tuple[Seat, ...], Meta(description="The players.")]
    edition: Annotated[str, one_of("The printing; a finished table is counted alike.", EDITIONS)] = "revised"
    boards: Annotated[str, one_of("The faction boards, where a seat does not name its own.", BOARDS)] = (
        "basic"
    )
    cards: Annotated[
        dict[str, dict[str, Any]],
        shaped("What is printed on cards and boards nobody taught, as it would be taught.", told_of_cards),
    ] = msgspec.field(default_factory=dict)


class Faction(Struct, frozen=True, kw_only=True):
    """A seat with its cards found; names that were not found, or repeated, are left out."""

    seat: Seat
    where: str
    board: Board | AdvancedBoard | None = None
    tree: tuple[Technology, ...] = ()
    private: tuple[Technology, ...] = ()
    systems: tuple[System, ...] = ()
    bases: tuple[str, ...] = ()
    ships: Mapping[str, tuple[int, ...]] = msgspec.field(default_factory=dict)
    events: tuple[Event, ...] = ()
    achievements: Mapping[str, int | None] = msgspec.field(default_factory=dict)
    """The number of the slot for each achievement, or None if it is not given."""
    worth: Mapping[str, int] = msgspec.field(default_factory=dict)

    def named(self, what: str) -> int:
        """How many cards are listed by name, of a sort that may also be given as a number."""
        sort, _, level = what.partition("-")
        match sort:
            case "level":
                return sum(card.level == int(level) for card in self.tree)
            case "private":
                return sum(card.level == int(level) for card in self.private)
            case "systems":
                return len(self.systems)
        return len(self.bases)

    def total(self, what: str) -> int:
        """How many there are, listed or given as a number, whichever is more."""
        return max(self.named(what), self.seat.counts.get(what, 0))

    @property
    def printing(self) -> tuple[Technology | System | Event, ...]:
        """The cards whose printed points count."""
        return (*(card for card in self.tree if card.level == 4), *self.systems, *self.events)

    def strength(self, place: str) -> int:
        """The strength in a location."""
        return sum(self.ships.get(place, ())) or self.seat.strength.get(place, 0)

    @property
    def cubes(self) -> int:
        """The minimum number of cubes: if only a strength is given, it counts as few ships as possible."""
        ships = sum(map(len, self.ships.values()))
        unlisted = sum(-(-n // 4) for place, n in self.seat.strength.items() if place not in self.ships)
        tree = sum(self.total(f"level-{level}") for level in (1, 2, 3, 4))
        return tree + ships + unlisted + (self.seat.population or 0) + self.seat.supply


class Table(Struct, frozen=True, kw_only=True):
    """A position with its cards found."""

    position: Position
    factions: tuple[Faction, ...]
    cards: Cards

    def achievement(self, id: str) -> Achievement:
        """An achievement card."""
        card = self.cards.by_id[id]
        assert isinstance(card, Achievement)
        return card

    def holders(self, id: str) -> list[Faction]:
        """The factions with a disc on an achievement."""
        return [faction for faction in self.factions if id in faction.achievements]

    def open_to(self, faction: Faction, id: str) -> tuple[int, ...]:
        """The slots a faction's disc may lie on: the given one, or those not given for others, as discs are
        placed from the left (rule 169)."""
        told = faction.achievements[id]
        if told is not None:
            return (told,)
        others = [other.achievements[id] for other in self.holders(id) if other is not faction]
        return tuple(n for n in range(1, len(others) + 2) if n not in others)

    def slots(self, id: str) -> tuple[int, ...] | None:
        """The points of the slots this number of players may use; None if unknown."""
        return open_slots(self.achievement(id), len(self.factions))

    def tracks(self, faction: Faction) -> Tracks | None:
        """The board with a faction's tracks; None if unknown."""
        own = faction.board
        if own is None and self.position.boards == "advanced":
            return None
        board = self.cards.by_id[own.id if isinstance(own, AdvancedBoard) else "basic-boards"]
        assert isinstance(board, Tracks)
        return board

    @property
    def yards(self) -> tuple[str, ...]:
        """Which discs the shipyard systems of this table allow; empty if unknown."""
        side = self.cards.by_id["side-2" if len(self.factions) == 2 else "side-3-4"]
        assert isinstance(side, Side)
        return side.yards or ()


# Finding cards


def read(position: Position, cards: Cards) -> tuple[Table, list[Text]]:
    """The table of a position, with a problem for every word that is unknown or repeated."""
    wrong: list[Text] = []
    named = zip(position.called(), position.seats, strict=True)
    factions = tuple(_faction(at, seat, cards, wrong) for at, seat in named)
    return Table(position=position, factions=factions, cards=cards), wrong


def _faction(at: str, seat: Seat, cards: Cards, wrong: list[Text]) -> Faction:
    found = _Finding(at, cards, wrong)
    board = found.cards("board", (seat.board,), "board") if seat.board else ()
    ships = dict(zip(seat.ships, found.places("ships", tuple(seat.ships), PLACES), strict=True))
    return Faction(
        seat=seat,
        where=at,
        board=board[0] if board else None,
        tree=found.cards("technologies", seat.technologies, "technology"),
        private=found.cards("private", seat.private, "technology"),
        systems=found.cards("systems", seat.systems, "system"),
        bases=tuple(filter(None, found.places("bases", seat.bases, CONTROLLED))),
        ships={place: seat.ships[word] for word, place in ships.items() if place},
        events=found.cards("events", seat.events, "event"),
        achievements=found.claims(seat.achievements),
        worth={(word not in GIVEN and cards.any(word)) or word: n for word, n in seat.worth.items()},
    )


class _Finding:
    """Finds the cards and places one seat names, and collects the problems."""

    def __init__(self, at: str, cards: Cards, wrong: list[Text]) -> None:
        self.at, self.box, self.wrong = at, cards, wrong

    def cards(self, field: str, words: Sequence[str], sort: Sort) -> tuple[Any, ...]:
        """The cards of a list, each once."""
        found = [self._card(field, word, sort) for word in words]
        return tuple(self.box.by_id[id] for id in self._once(field, found) if id)

    def places(self, field: str, words: Sequence[str], known: Sequence[str]) -> tuple[str, ...]:
        """The location or system each word names; an empty string for unknown or repeated words."""
        found = [word if word in known else self._card(field, word, "system", known) for word in words]
        return self._once(field, found)

    def claims(self, words: Sequence[str]) -> dict[str, int | None]:
        """The listed achievements with their slots, if given."""
        parts = [word.partition("#") for word in words]
        found = self._once(
            "achievements", [self._card("achievements", name, "achievement") for name, _, _ in parts]
        )
        claims: dict[str, int | None] = {}
        for id, word, (_, hash_, slot) in zip(found, words, parts, strict=True):
            if hash_ and not (slot.isascii() and slot.isdigit() and 0 < int(slot[:3]) < 100):
                self.wrong.append(say("beyond.position.bad-slot", seat=self.at, word=quoted(word)))
            if id:
                claims[id] = int(slot[:3]) if slot.isascii() and slot.isdigit() else None
        return claims

    def _card(self, field: str, word: str, sort: Sort, besides: Sequence[str] = ()) -> str:
        id = self.box.find(word, sort)
        if id is None:
            self.wrong.append(unknown(f"{self.at}, {field}", word, (*besides, *ids(sort))))
        return id or ""

    def _once(self, field: str, found: Sequence[str]) -> tuple[str, ...]:
        for id, times in Tally(filter(None, found)).items():
            if times > 1:
                self.wrong.append(say("beyond.position.twice", where=f"{self.at}, {field}", id=id))
        return tuple(id if id not in found[:n] else "" for n, id in enumerate(found))


# As the sheet needs it


def for_scoring(faction: Faction, table: Table) -> scoring.Seat:
    """A faction's values for the scoring functions; unknown values stay unknown."""
    seat = faction.seat
    listed = {what: faction.total(what) - faction.named(what) for what in COUNTS}
    return seat_counted(
        seat.name,
        tree=((card.level, card) for card in faction.tree),
        private=faction.private,
        systems=faction.systems,
        events=faction.events,
        worth=faction.worth,
        tracks=table.tracks(faction),
        strength=faction.strength,
        automation=seat.automation,
        bases=faction.bases,
        achievements={id: _claimed_worth(id, faction, table) for id in faction.achievements},
        food_left=_told(seat.food_discs),
        ore_left=_told(seat.ore_discs),
        population=_told(seat.population),
        ore=_told(seat.ore),
        others=dict(_others(faction, table)),
        unnamed={what: n for what, n in listed.items() if n},
        given={step: faction.worth[step] for step in GIVEN if step in faction.worth},
    )


def _told(n: int | UnsetType) -> int | None:
    return None if n is UNSET else n


def _claimed_worth(id: str, faction: Faction, table: Table) -> int | None:
    return faction.worth[id] if id in faction.worth else claim_points(id, faction, table)


def claim_points(id: str, faction: Faction, table: Table) -> int | None:
    """The points of the slot under a faction's disc; None if unknown or dependent on an unknown slot."""
    slots, may_be = table.slots(id), table.open_to(faction, id)
    if slots is None or max(may_be, default=0) > len(slots):
        return None
    points = {slots[slot - 1] for slot in may_be}
    return points.pop() if len(points) == 1 else None


def _others(faction: Faction, table: Table) -> Iterator[tuple[Counted, int]]:
    """Values a '?' may count that are only known if every card is named and its print is known."""
    if all(faction.total(what) == faction.named(what) for what in COUNTS if what not in ("bases", "systems")):
        cards = (*faction.tree, *faction.private)
        if all(card.types for card in cards):
            yield from ((type_, sum(type_ in (card.types or ()) for card in cards)) for type_ in TYPES)
    if faction.total("bases") == faction.named("bases") and not set(faction.bases) & set(CARD_PLACES):
        yield "shipyards", sum(base in YARDS for base in faction.bases)
        symbols = [_symbols(base, table) for base in (*faction.bases, *(card.id for card in faction.systems))]
        if faction.total("systems") == faction.named("systems") and None not in symbols:
            yield "symbols", sum(filter(None, symbols))
    if not faction.seat.strength:
        flying = [levels for place, levels in faction.ships.items() if place != MUSEUM]
        yield "ships", sum(map(len, flying))
        yield "strength", sum(map(sum, flying))


def _symbols(base: str, table: Table) -> int | None:
    """The specialisation symbols of a system or shipyard (rule 177); None if unknown."""
    if base in YARDS:
        index = YARDS.index(base)
        return None if index >= len(table.yards) else 2 if table.yards[index] == "both" else 1
    card = table.cards.by_id[base]
    return len(card.specialisations) if isinstance(card, System) and card.specialisations else None
