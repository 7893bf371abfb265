"""Questions about a table that was played without the companion: facts neither visible on cards nor taught."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Any

from companion.core.components import UNKNOWN, Catalogue, Component
from companion.core.counters import choice
from companion.core.parts import Tableaux
from companion.core.table_files import Asked, AskNumber
from companion.core.words import plain, say
from companion.games.beyond.component_types import (
    Achievement,
    AdvancedBoard,
    Board,
    Event,
    System,
    Technology,
)
from companion.games.beyond.position_table import COUNTS, Table, for_scoring
from scoring.beyond import OPEN_SPACE, Untold, untold

CurrentTable = Callable[[], Table]
NOT_TOLD = 0
PRINTED = 12
"""The most points a card prints."""
QUESTION = PRINTED + 2
"""The option value of a printed '?'; n points have the value n + 1, because 0 means "not told"."""
ROOM = {"automation": 16, "strength": 40, "bases": 8, "private": 4, "worth": 40}
"""Upper limits of the numbers that are asked for."""
LEVELS = ("level-1", "level-2", "level-3")


def position_told(
    tableaux: Tableaux, choices: dict[str, str], box: Catalogue[Component], about: Sequence[Asked]
) -> dict[str, Any]:
    """The position described by each seat's cards, plus the numbers no picture shows.

    Technologies of levels I to III are given as numbers: their names do not affect the score.
    """
    seats = []
    for one, seen in zip(about, tableaux.values(), strict=True):
        cards = [box[id] for id in dict.fromkeys(seen) if id in box]
        seats.append({"name": one.name, **_lying(cards), **_numbers(one, cards)})
    position: dict[str, Any] = {"game": "beyond", "cards": {}, "seats": seats}
    return position | {field: told for field, told in choices.items() if field in ("edition", "boards")}


def _lying(cards: Sequence[Component]) -> dict[str, Any]:
    """The fields of a seat that follow from its cards."""
    four = [card.id for card in cards if isinstance(card, Technology) and card.level == 4]
    boards = [card.id for card in cards if isinstance(card, Board | AdvancedBoard)]
    lists = {
        "technologies": four,
        "systems": [card.id for card in cards if isinstance(card, System)],
        "events": [card.id for card in cards if isinstance(card, Event)],
        "achievements": [card.id for card in cards if isinstance(card, Achievement)],
    }
    return lists | ({"board": boards[0]} if boards else {})


def _numbers(about: Asked, cards: Sequence[Component]) -> dict[str, Any]:
    """The numbers of a seat; each level starts at the number of cards seen, the excess is private."""

    def number(what: str, begin: int, most: int) -> int:
        return about.amount(what, about.words(what), most, min(begin, most))

    seen = [f"level-{card.level}" for card in cards if isinstance(card, Technology)]
    counts = {what: number(what, seen.count(what), COUNTS[what]) for what in LEVELS}
    for what, level in (("private-2", "level-2"), ("private-3", "level-3")):
        over = max(0, seen.count(level) - COUNTS[level])
        counts[what] = number(what, over, ROOM["private"])
    counts["bases"] = number("bases", 0, ROOM["bases"])
    strength = {at: number(at, 0, ROOM["strength"]) for at in OPEN_SPACE}
    automation = number("automation", 0, ROOM["automation"])
    return {"counts": counts, "strength": strength, "automation": automation, "worth": {}}


# Printed facts that were not taught


def printed_told(position: dict[str, Any], current: CurrentTable, about: Sequence[Asked]) -> None:
    """Ask for unknown points: once for each card, and for each seat if they differ by seat."""
    for id in _unprinted(current()):
        if (points := _printed(id, current(), about[0].ask)) is not None:
            position["cards"][id] = {"points": points}
    for n, seat in enumerate(position["seats"]):
        table = current()
        for one in untold(for_scoring(table.factions[n], table)):
            _seat_told(about[n], seat, one, table)


def _unprinted(table: Table) -> tuple[str, ...]:
    """The cards whose printed points are unknown."""
    cards = (card for faction in table.factions for card in faction.printing)
    return tuple(dict.fromkeys(card.id for card in cards if card.points is UNKNOWN))


def _printed(id: str, table: Table, ask: AskNumber) -> int | str | None:
    named = [(n + 1, plain(str(n))) for n in range(PRINTED + 1)]
    named.append((QUESTION, plain("?")))
    text = say("beyond.position.ask-points", card=table.cards.by_id[id].called)
    told = ask(choice(f"points-{id}", None, text, NOT_TOLD, named, id))
    if told == NOT_TOLD:
        return None
    return "?" if told == QUESTION else told - 1


def _seat_told(about: Asked, seat: dict[str, Any], one: Untold, table: Table) -> None:
    """Ask for what one line of a seat's sheet lacks; unknown printed points of a card are left unknown."""
    if one.card is None:
        text = about.words(f"{one.step}-points")
        seat["worth"][one.step] = about.amount(f"worth-{one.step}", text, ROOM["worth"])
        return
    card = table.cards.by_id[one.card]
    if isinstance(card, Achievement):
        _claim_told(about, seat, card, table)
    elif getattr(card, "points", None) == "?":
        text = about.words("worth", card=card.called)
        seat["worth"][card.id] = about.amount(f"worth-{card.id}", text, ROOM["worth"], component=card.id)


def _claim_told(about: Asked, seat: dict[str, Any], card: Achievement, table: Table) -> None:
    """Ask which slot a disc lies on if the slots are known, else for its points."""
    faction, slots = table.factions[about.n], table.slots(card.id)
    if slots is None:
        text = about.words("claim", card=card.called)
        named = [(points + 1, plain(str(points))) for points in range(PRINTED + 1)]
        if told := about.choice(f"worth-{card.id}", text, NOT_TOLD, named, card.id):
            seat["worth"][card.id] = told - 1
        return
    free = [slot for slot in table.open_to(faction, card.id) if slot <= len(slots)]
    if not free:
        return
    text = about.words("slot", card=card.called)
    named = [(slot, say("beyond.position.slot", slot=slot, points=slots[slot - 1])) for slot in free]
    if told := about.choice(f"slot-{card.id}", text, NOT_TOLD, named, card.id):
        claims = seat["achievements"]
        claims[claims.index(card.id)] = f"{card.id}#{told}"


def ties_told(
    position: dict[str, Any], tied: Collection[str], fields: Iterable[str], about: Sequence[Asked]
) -> None:
    """Ask for what breaks a tie, only for the tied seats."""
    for one, seat in zip(about, position["seats"], strict=True):
        for field in fields:
            if one.name in tied and field not in seat:
                seat[field] = one.number(field)
