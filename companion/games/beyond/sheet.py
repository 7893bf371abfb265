"""The score sheet of a play, and the words of any sheet of this game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from companion.core.components import UNKNOWN, Component, told_names
from companion.core.parts import SheetWords
from companion.core.words import Text, count, plain, say
from companion.games.beyond.component_types import (
    CARD_PLACES,
    LEVEL,
    YARDS,
    Achievement,
    Event,
    System,
    Technology,
    Tracks,
    everything,
)
from companion.games.beyond.counting import counted
from companion.games.beyond.state import BeyondState, worth_key
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
"""What a '?' may count that cannot be derived from the other lines of a sheet."""


def sheet_of_state(state: BeyondState) -> Sheet:
    """The current points; unknown values count 0 for now."""
    sheet = scoring.score([_seat(state, seat) for seat in range(len(state.seats))])
    return replace(sheet, names=told_names(state.box.by_id, everything().by_id))


def _seat(state: BeyondState, seat: int) -> scoring.Seat:
    who = state.seats[seat]
    tree = [(LEVEL[space], node.card) for space, node in state.tree.items() if seat in node.seats]
    # A space that is being discovered has no card yet, but its level counts already. At the end none will come.
    unnamed = Counter(f"level-{level}" for level, card in tree if not card)
    without_card = unnamed.pop("level-4", 0) if state.phase == "over" else 0
    own = worth_key(seat, "")
    told = {key.removeprefix(own): n for key, n in state.worth.items() if key.startswith(own)}
    events = (id for id, kept in state.kept.items() if kept.seat == seat or _pays(state, seat, id))
    return seat_counted(
        who.name,
        tree=((level, state.technology(card)) for level, card in tree if card),
        private=map(state.technology, who.private),
        systems=(state.box[colony.system] for colony in who.colonies),
        events=(state.box[id] for id in events),
        worth=told,
        tracks=state.tracks(seat),
        strength=who.strength,
        automation=len(who.automation),
        bases=tuple(state.systems.get(place, place) for place in state.held(seat)),
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
        without_card=without_card,
    )


def seat_counted(
    name: str,
    *,
    tree: Iterable[tuple[int, Technology]],
    private: Iterable[Technology],
    systems: Iterable[Component],
    events: Iterable[Component],
    worth: Mapping[str, int],
    tracks: Tracks | None,
    strength: Callable[[str], int],
    **others: Any,
) -> scoring.Seat:
    """The values of a faction that the sheet needs, from a file or from a play.

    `tree` are its technologies with their levels, `worth` the points the players counted themselves, `tracks`
    the board with its automation track; `others` are further fields of `scoring.Seat` as they are.
    """
    tree = tuple(tree)
    return scoring.Seat(
        name=name,
        technologies={card.id: level for level, card in tree if level < 4},  # type: ignore[misc]
        private={card.id: card.level for card in private if card.level in scoring.PER_LEVEL},
        level_4=worths((card for level, card in tree if level == 4), worth),
        track=tracks.automation.points if tracks is not None and tracks.automation else None,
        systems=worths(systems, worth),
        strength={place: strength(place) for place in OPEN_SPACE},
        events=worths(events, worth),
        **others,
    )


def _pays(state: BeyondState, seat: int, id: str) -> bool:
    """Whether an event beside the board scores for a faction: players said so, or its '?' counts for all."""
    card = state.event(id)
    everybodys = state.kept[id].seat is None and card.points == "?" and bool(card.formula)
    return everybodys or worth_key(seat, id) in state.worth


def worths(cards: Iterable[Component], told: Mapping[str, int]) -> dict[str, Worth]:
    """What each card gives: as counted by the players (`told`), else as printed."""
    return {
        card.id: told[card.id] if card.id in told else worth_of(card)
        for card in cards
        if isinstance(card, Technology | System | Event)
    }


def worth_of(card: Technology | System | Event) -> Worth:
    """The points a card prints, or what its '?' counts; None if unknown."""
    if card.points == "?":
        return card.formula or None
    return None if card.points is UNKNOWN else card.points


def open_slots(card: Achievement, seats: int) -> tuple[int, ...] | None:
    """The points of the slots for this number of players, from the left (rule 171); None if unknown."""
    if card.slots is UNKNOWN:
        return None
    return tuple(slot.slot_points for slot in card.slots if seats == 4 or not slot.four)


def slot_points(card: Achievement, index: int, seats: int) -> int | None:
    """The points of one slot; None if unknown."""
    slots = open_slots(card, seats)
    return slots[index] if slots is not None and index < len(slots) else None


# Words

PLACES = (*OPEN_SPACE, *CARD_PLACES, *YARDS)


def words(what: str) -> Text:
    """The name of a sheet line, or of a card or location that scored."""
    if what in STEPS:
        return say(f"beyond.line.{what}")
    if what in PLACES:
        return say(f"beyond.place.{what}")
    return everything()[what].called


def measured(measure: str, n: int) -> Text:
    """A counted quantity that is not a card, with its number."""
    if measure.startswith("per-"):
        return count(f"beyond.held.{measure.removeprefix('per-')}", n)
    return count(f"beyond.measured.{measure}", n)


TIES = ("discs", "population", "ore")
"""What breaks ties, in this order (rules 197 to 199)."""


def tie_break(sheet: Sheet) -> Text | None:
    """How the tie was broken, or that the victory is shared; None if there was no tie."""
    if not sheet.tied:
        return None
    tied = sorted((seat for seat in sheet.seats if seat.name in sheet.tied), key=lambda seat: seat.rank)
    winners = tuple(map(plain, sheet.winners))
    if len(winners) > 1:
        return count("beyond.tie-shared", tied[0].total, winners=winners)
    by = _decided(tied)
    # Fewer discs win, so the sheet stores them as negative numbers.
    compared = tuple(plain(f"{seat.name} {abs(seat.tie[by])}") for seat in tied)
    return count(f"beyond.tie-{TIES[by]}", tied[0].total, compared=compared, winners=winners)


def _decided(tied: Sequence[SeatSheet]) -> int:
    """The index of the comparison that left only the winner, who comes first."""
    left = list(tied[1:])
    for by in range(len(TIES)):
        left = [seat for seat in left if seat.tie[by] == tied[0].tie[by]]
        if not left:
            return by
    raise ValueError("nothing broke the tie")


SHEET_WORDS = SheetWords(words=words, measured=measured, tie_break=tie_break)
