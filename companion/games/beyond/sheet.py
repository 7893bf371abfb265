"""The sheet of a table of ours, and how any sheet of this game is told."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from msgspec.structs import replace

from companion.core.components import UNKNOWN, told_names
from companion.core.parts import SheetWords
from companion.core.words import Text, count, plain, say
from companion.games.beyond.counting import counted
from companion.games.beyond.state import BeyondState, worth_key
from companion.games.beyond.things import (
    CARD_PLACES,
    LEVEL,
    YARDS,
    Achievement,
    Event,
    System,
    Technology,
    everything,
)
from scoring import beyond as scoring
from scoring.beyond import OPEN_SPACE, Counted, Worth
from scoring.sheet import SeatSheet, Sheet

STEPS = (
    "level-1",
    "level-2",
    "level-3",
    "private",
    "level-4",
    "automation",
    "systems",
    "bases",
    "open-space",
    "events",
    "achievements",
)
"""The lines of every sheet, in the rulebook's order (p. 11)."""

NOT_ON_THE_SHEET: tuple[Counted, ...] = (
    "shipyards",
    "science",
    "economy",
    "military",
    "commerce",
    "symbols",
    "ships",
    "strength",
)
"""What a '?' may count that does not follow from the other lines of a sheet."""


def sheet_of_state(state: BeyondState) -> Sheet:
    """The points as they stand; what nobody told counts nothing yet."""
    sheet = scoring.score([_seat(state, seat) for seat in range(len(state.seats))])
    return replace(sheet, names=told_names(state.box.by_id, everything().by_id))


def _seat(state: BeyondState, seat: int) -> scoring.Seat:
    who, tracks = state.seats[seat], state.tracks(seat)
    tree = [(LEVEL[space], node.card) for space, node in state.tree.items() if seat in node.seats]
    # A space that is being discovered has no card yet; its level counts all the same.
    unnamed = Counter(f"level-{level}" for level, card in tree if not card)
    events = (id for id, kept in state.kept.items() if kept.seat == seat or _pays(state, seat, id))
    return scoring.Seat(
        name=who.name,
        technologies={card: level for level, card in tree if card and level < 4},  # type: ignore[misc]
        private={id: state.technology(id).level for id in who.private},
        level_4={card: _worth(state, seat, card) for level, card in tree if card and level == 4},
        automation=len(who.automation),
        track=tracks.automation.points if tracks.automation else None,
        systems={colony.system: _worth(state, seat, colony.system) for colony in who.colonies},
        bases=tuple(state.systems.get(place, place) for place in state.held(seat)),
        strength={place: who.strength(place) for place in OPEN_SPACE},
        events={id: _worth(state, seat, id) for id in events},
        achievements={
            id: slot_points(state.achievement(id), seats.index(seat), len(state.seats))
            for id, seats in state.achievements.items()
            if seat in seats
        },
        food_left=state.left(seat, "food"),
        ore_left=state.left(seat, "ore"),
        population=who.population,
        ore=who.ore,
        others={what: counted(state, seat, what) for what in NOT_ON_THE_SHEET},
        unnamed=unnamed,
    )


def _pays(state: BeyondState, seat: int, id: str) -> bool:
    """Whether an event beside the board counts for a faction: the table told, or its '?' counts for all."""
    card = state.event(id)
    everybodys = state.kept[id].seat is None and card.points == "?" and bool(card.formula)
    return everybodys or worth_key(seat, id) in state.worth


def _worth(state: BeyondState, seat: int, id: str) -> Worth:
    """What a card gives: as the table counted it, or as it is printed."""
    told = state.worth.get(worth_key(seat, id))
    card = state.box[id]
    assert isinstance(card, Technology | System | Event)
    return worth_of(card) if told is None else told


def worth_of(card: Technology | System | Event) -> Worth:
    """The points a card prints, or what its '?' counts; none if nobody told."""
    if card.points == "?":
        return card.formula or None
    return None if card.points is UNKNOWN else card.points


def open_slots(card: Achievement, seats: int) -> tuple[int, ...] | None:
    """The points of the slots that so many players may use, from the left (rule 171); none if nobody told."""
    if card.slots is UNKNOWN:
        return None
    return tuple(slot.slot_points for slot in card.slots if seats == 4 or not slot.four)


def slot_points(card: Achievement, index: int, seats: int) -> int | None:
    """The points of one slot; none if nobody told."""
    slots = open_slots(card, seats)
    return slots[index] if slots is not None and index < len(slots) else None


# Words

PLACES = (*OPEN_SPACE, *CARD_PLACES, *YARDS)


def words(what: str) -> Text:
    """How a line of the sheet, a card or a location that earned points is called."""
    if what in STEPS:
        return say(f"beyond.line.{what}")
    if what in PLACES:
        return say(f"beyond.place.{what}")
    return everything()[what].called


def measured(measure: str, n: int) -> Text:
    """What is counted besides cards, and how much of it there is."""
    if measure.startswith("per-"):
        return count(f"beyond.held.{measure.removeprefix('per-')}", n)
    return count(f"beyond.measured.{measure}", n)


TIES = ("discs", "population", "ore")
"""What breaks ties, in this order (rules 197 to 199)."""


def tie_break(sheet: Sheet) -> Text | None:
    """The sentence that broke the tie, or says that the victory is shared; nothing if there was no tie."""
    if not sheet.tied:
        return None
    tied = sorted((seat for seat in sheet.seats if seat.name in sheet.tied), key=lambda seat: seat.rank)
    winners = tuple(map(plain, sheet.winners))
    if len(winners) > 1:
        return count("beyond.tie-shared", tied[0].total, winners=winners)
    by = _decided(tied)
    # Discs are compared as fewest: they stand below zero in the sheet.
    compared = tuple(plain(f"{seat.name} {abs(seat.tie[by])}") for seat in tied)
    return count(f"beyond.tie-{TIES[by]}", tied[0].total, compared=compared, winners=winners)


def _decided(tied: Sequence[SeatSheet]) -> int:
    """Which comparison left only the winner, who stands first."""
    left = list(tied[1:])
    for by in range(len(TIES)):
        left = [seat for seat in left if seat.tie[by] == tied[0].tie[by]]
        if not left:
            return by
    raise ValueError("nothing broke the tie")


SHEET_WORDS = SheetWords(words=words, measured=measured, tie_break=tie_break)
