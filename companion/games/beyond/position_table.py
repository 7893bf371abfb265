"""A finished table as a file tells it, and the same with its cards found."""

from __future__ import annotations

from collections import Counter as Tally
from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from companion.core.positions import quoted
from companion.core.words import Text, say
from companion.games.beyond.operations import TYPES
from companion.games.beyond.position_cards import (
    CONTROLLED,
    MUSEUM,
    PLACES,
    Cards,
    Sort,
    ids,
    unknown,
)
from companion.games.beyond.sheet import open_slots, worth_of
from companion.games.beyond.things import (
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
from scoring import beyond as scoring
from scoring.beyond import OPEN_SPACE, Counted, Worth

ORE, AUTOMATED, WORTH = 999, 99, 99
"""More nobody can have: discs that stand for others never run out (rule 4)."""

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
"""How many a faction can have: a cube at every space of a level (rule 104), every card of the box."""

GIVEN = ("level-4", "automation", "systems", "events", "achievements")
"""Steps whose points the table may tell, because they are printed."""

DISC_PLACES = ("automation", "bases", "systems")
DISCS = ("food", "ore", "marker")


def _whole(description: str, maximum: int) -> Meta:
    """A number whose bounds are in the schema only: `position_limits` checks them, to tell all problems at once."""
    return Meta(description=description, extra_json_schema={"minimum": 0, "maximum": maximum})


def _list(description: str) -> Meta:
    return Meta(description=description)


class Seat(Struct, frozen=True, forbid_unknown_fields=True):
    """One faction after the final round."""

    name: Annotated[str, Meta(description="The player's name, different at every seat.")]
    board: Annotated[str, Meta(description="Id of the faction board; its automation track counts.")] = ""
    technologies: Annotated[
        tuple[str, ...], _list("Technologies on the tree with a cube of this faction.")
    ] = ()
    private: Annotated[tuple[str, ...], _list("Private technologies.")] = ()
    automation: Annotated[int, _whole("The automation level reached: all discs there.", AUTOMATED)] = 0
    systems: Annotated[tuple[str, ...], _list("Colonised systems.")] = ()
    bases: Annotated[
        tuple[str, ...],
        _list("Systems and shipyards (`yard-1` ...) on the board with a base of this faction."),
    ] = ()
    ships: Annotated[
        dict[str, tuple[int, ...]], Meta(description="Levels of the ships, by location or system.")
    ] = msgspec.field(default_factory=dict)
    strength: Annotated[
        dict[str, int], Meta(description="Instead of ships: their levels added up, by location.")
    ] = msgspec.field(default_factory=dict)
    events: Annotated[tuple[str, ...], _list("Events that give this faction points.")] = ()
    achievements: Annotated[
        tuple[str, ...], _list("Claimed achievements; `empire#2` is the second slot from the left.")
    ] = ()
    food_discs: Annotated[int, _whole("Food discs left on the growth track.", TRACK)] | UnsetType = UNSET
    ore_discs: Annotated[int, _whole("Ore discs left on the ore track.", TRACK)] | UnsetType = UNSET
    population: Annotated[int, _whole("Population cubes on the board.", CUBES)] | UnsetType = UNSET
    ore: Annotated[int, _whole("Ore.", ORE)] | UnsetType = UNSET
    supply: Annotated[int, _whole("Cubes in the supply columns.", CUBES)] = 0
    counts: Annotated[
        dict[str, int], Meta(description="How many there are in all, where not every card is named.")
    ] = msgspec.field(default_factory=dict)
    discs: Annotated[
        dict[str, dict[str, int]],
        Meta(description="How many food discs, ore discs and markers lie on automation, bases, systems."),
    ] = msgspec.field(default_factory=dict)
    worth: Annotated[
        dict[str, int],
        Meta(description="Points the table counted itself: by card, or for a whole step."),
    ] = msgspec.field(default_factory=dict)


class Position(Struct, frozen=True, forbid_unknown_fields=True):
    """A finished table of Beyond the Sun."""

    game: Annotated[str, Meta(description="Which game it is.")]
    seats: Annotated[tuple[Seat, ...], Meta(description="The players.")]
    edition: Annotated[str, Meta(description="The printing; a finished table is counted alike.")] = "revised"
    boards: Annotated[str, Meta(description="The faction boards, where a seat does not name its own.")] = (
        "basic"
    )
    cards: Annotated[
        dict[str, dict[str, Any]],
        Meta(description="What is printed on cards and boards nobody taught, as it would be taught."),
    ] = msgspec.field(default_factory=dict)


class Faction(Struct, frozen=True, kw_only=True):
    """A seat with its cards found; what was not found or named twice is left out."""

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
    """The number of the slot, where it is told."""
    worth: Mapping[str, int] = msgspec.field(default_factory=dict)

    def named(self, what: str) -> int:
        """How many cards are named of something that may also be counted."""
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
        """How many there are in all."""
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
        """Cubes that are told, at least: those of a strength nobody told the ships of are as few as can be."""
        ships = sum(map(len, self.ships.values()))
        unlisted = sum(-(-n // 4) for place, n in self.seat.strength.items() if place not in self.ships)
        tree = sum(self.total(f"level-{level}") for level in (1, 2, 3, 4))
        return tree + ships + unlisted + (self.seat.population or 0) + self.seat.supply


class Table(Struct, frozen=True, kw_only=True):
    """A position whose cards are found."""

    position: Position
    factions: tuple[Faction, ...]
    cards: Cards

    def achievement(self, id: str) -> Achievement:
        """An achievement card."""
        card = self.cards.by_id[id]
        assert isinstance(card, Achievement)
        return card

    def holders(self, id: str) -> list[Faction]:
        """Whose discs lie on an achievement."""
        return [faction for faction in self.factions if id in faction.achievements]

    def open_to(self, faction: Faction, id: str) -> tuple[int, ...]:
        """The slots a disc may lie on: the one that was told, or those nobody else told: all lie from the left
        (rule 169)."""
        told = faction.achievements[id]
        if told is not None:
            return (told,)
        others = [other.achievements[id] for other in self.holders(id) if other is not faction]
        return tuple(n for n in range(1, len(others) + 2) if n not in others)

    def slots(self, id: str) -> tuple[int, ...] | None:
        """The points of the slots that this table may use; none if nobody told."""
        return open_slots(self.achievement(id), len(self.factions))

    def track(self, faction: Faction) -> tuple[int, ...] | None:
        """The points printed on the automation track of a faction; none if nobody told."""
        own = faction.board
        if own is None and self.position.boards == "advanced":
            return None
        board = self.cards.by_id[own.id if isinstance(own, AdvancedBoard) else "basic-boards"]
        assert isinstance(board, Tracks)
        return board.automation.points if board.automation else None

    @property
    def yards(self) -> tuple[str, ...]:
        """What the shipyard systems of this table are good for; nothing while nobody told."""
        side = self.cards.by_id["side-2" if len(self.factions) == 2 else "side-3-4"]
        assert isinstance(side, Side)
        return side.yards or ()


# Finding cards


def read(position: Position, cards: Cards) -> tuple[Table, list[Text]]:
    """The table of a position, and every word in it that is no card or place, or is there twice."""
    wrong: list[Text] = []
    factions = tuple(_faction(n, position, cards, wrong) for n in range(len(position.seats)))
    return Table(position=position, factions=factions, cards=cards), wrong


def where(index: int, position: Position) -> str:
    """The seat's name, or its place in the file while the name does not tell it."""
    name = position.seats[index].name
    alone = name.strip() and sum(seat.name.strip() == name.strip() for seat in position.seats) == 1
    return quoted(name) if alone else f"seats[{index}]"


def _faction(index: int, position: Position, cards: Cards, wrong: list[Text]) -> Faction:
    seat, at = position.seats[index], where(index, position)
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
    """Looks for the cards and places one seat names, and notes what is none."""

    def __init__(self, at: str, cards: Cards, wrong: list[Text]) -> None:
        self.at, self.box, self.wrong = at, cards, wrong

    def cards(self, field: str, words: Sequence[str], sort: Sort) -> tuple[Any, ...]:
        """The cards of a list, each once."""
        found = [self._card(field, word, sort) for word in words]
        return tuple(self.box.by_id[id] for id in self._once(field, found) if id)

    def places(self, field: str, words: Sequence[str], known: Sequence[str]) -> tuple[str, ...]:
        """For each word the location or system it names, and nothing where it names none or names it again."""
        found = [word if word in known else self._card(field, word, "system", known) for word in words]
        return self._once(field, found)

    def claims(self, words: Sequence[str]) -> dict[str, int | None]:
        """The achievements of a list with their slots, where those are told."""
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
    """What counts of a faction; what nobody told is untold."""
    seat = faction.seat
    listed = {what: faction.total(what) - faction.named(what) for what in COUNTS}
    return scoring.Seat(
        name=seat.name,
        technologies={card.id: card.level for card in faction.tree if card.level < 4},
        private={card.id: card.level for card in faction.private if card.level in scoring.PER_LEVEL},
        level_4={card.id: _worth(card, faction) for card in faction.tree if card.level == 4},
        automation=seat.automation,
        track=table.track(faction),
        systems={card.id: _worth(card, faction) for card in faction.systems},
        bases=faction.bases,
        strength={place: faction.strength(place) for place in OPEN_SPACE},
        events={card.id: _worth(card, faction) for card in faction.events},
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


def _worth(card: Technology | System | Event, faction: Faction) -> Worth:
    return faction.worth[card.id] if card.id in faction.worth else worth_of(card)


def _claimed_worth(id: str, faction: Faction, table: Table) -> int | None:
    return faction.worth[id] if id in faction.worth else claim_points(id, faction, table)


def claim_points(id: str, faction: Faction, table: Table) -> int | None:
    """The points of the slot of a faction's disc; none if nobody told them, or which slot it is and that matters."""
    slots, may_be = table.slots(id), table.open_to(faction, id)
    if slots is None or max(may_be, default=0) > len(slots):
        return None
    points = {slots[slot - 1] for slot in may_be}
    return points.pop() if len(points) == 1 else None


def _others(faction: Faction, table: Table) -> Iterator[tuple[Counted, int]]:
    """What a '?' may count that is only known where every card is named, and what it prints is told."""
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
    """The specialisation symbols of a system or shipyard (rule 177); none if nobody told."""
    if base in YARDS:
        index = YARDS.index(base)
        return None if index >= len(table.yards) else 2 if table.yards[index] == "both" else 1
    card = table.cards.by_id[base]
    return len(card.specialisations) if isinstance(card, System) and card.specialisations else None
