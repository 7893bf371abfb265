"""What people tell about a table that was played without us: what no picture of cards shows and nobody taught."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Any

from companion.core.components import UNKNOWN, Catalogue, Component
from companion.core.counters import Counter, choice
from companion.core.parts import Tableaux
from companion.core.words import Argument, Text, plain, say
from companion.games.beyond.position_limits import NUMBERS
from companion.games.beyond.position_table import COUNTS, Table, for_scoring
from companion.games.beyond.things import (
    Achievement,
    AdvancedBoard,
    Board,
    Event,
    System,
    Technology,
)
from scoring.beyond import OPEN_SPACE, Untold, untold

Ask = Callable[[Counter], int]
Look = Callable[[], Table]
NOT_TOLD = 0
PRINTED = 12
"""The most points a card prints."""
QUESTION = PRINTED + 2
"""What is chosen for a card that prints a '?'; points are chosen as one more than they are."""
ROOM = {"automation": 16, "strength": 40, "bases": 8, "private": 4, "worth": 40}
"""As many as anybody will want to tell."""
LEVELS = ("level-1", "level-2", "level-3")


def _words(what: str, seat: str, **args: Argument) -> Text:
    return say(f"beyond.position.ask-{what}", seat=seat, **args)


def position_told(
    tableaux: Tableaux, choices: dict[str, str], box: Catalogue[Component], ask: Ask
) -> dict[str, Any]:
    """The plain position of what is each seat's, with the numbers no picture shows.

    Technologies of levels I to III are told as numbers: whatever the cards are called, they count the same.
    """
    seats = []
    for n, (name, seen) in enumerate(tableaux.items()):
        cards = [box[id] for id in dict.fromkeys(seen) if id in box]
        seats.append({"name": name, **_lying(cards), **_numbers(n, name, cards, ask)})
    position: dict[str, Any] = {"game": "beyond", "cards": {}, "seats": seats}
    return position | {field: told for field, told in choices.items() if field in ("edition", "boards")}


def _lying(cards: Sequence[Component]) -> dict[str, Any]:
    """What a seat's cards tell by themselves."""
    four = [card.id for card in cards if isinstance(card, Technology) and card.level == 4]
    boards = [card.id for card in cards if isinstance(card, Board | AdvancedBoard)]
    lists = {
        "technologies": four,
        "systems": [card.id for card in cards if isinstance(card, System)],
        "events": [card.id for card in cards if isinstance(card, Event)],
        "achievements": [card.id for card in cards if isinstance(card, Achievement)],
    }
    return lists | ({"board": boards[0]} if boards else {})


def _numbers(n: int, name: str, cards: Sequence[Component], ask: Ask) -> dict[str, Any]:
    """The numbers of a seat: what was seen of a level is where its number begins, the rest of it is private."""

    def number(what: str, begin: int, most: int, text: Text) -> int:
        return ask(Counter(f"{what}:{n}", n, text, min(begin, most), 0, most))

    seen = [f"level-{card.level}" for card in cards if isinstance(card, Technology)]
    counts = {what: number(what, seen.count(what), COUNTS[what], _words(what, name)) for what in LEVELS}
    for what, level in (("private-2", "level-2"), ("private-3", "level-3")):
        over = max(0, seen.count(level) - COUNTS[level])
        counts[what] = number(what, over, ROOM["private"], _words(what, name))
    counts["bases"] = number("bases", 0, ROOM["bases"], _words("bases", name))
    strength = {at: number(at, 0, ROOM["strength"], _words(at, name)) for at in OPEN_SPACE}
    automation = number("automation", 0, ROOM["automation"], _words("automation", name))
    return {"counts": counts, "strength": strength, "automation": automation, "worth": {}}


# What is printed and nobody taught


def printed_told(position: dict[str, Any], look: Look, ask: Ask) -> None:
    """Points that nobody knows: once for each card, and for each seat where they are not the same for all."""
    for id in _unprinted(look()):
        if (points := _printed(id, look(), ask)) is not None:
            position["cards"][id] = {"points": points}
    for n, seat in enumerate(position["seats"]):
        table = look()
        for one in untold(for_scoring(table.factions[n], table)):
            _seat_told(n, seat, one, table, ask)


def _unprinted(table: Table) -> tuple[str, ...]:
    """The cards whose printed points nobody knows."""
    cards = (card for faction in table.factions for card in faction.printing)
    return tuple(dict.fromkeys(card.id for card in cards if card.points is UNKNOWN))


def _printed(id: str, table: Table, ask: Ask) -> int | str | None:
    named = [(n + 1, plain(str(n))) for n in range(PRINTED + 1)]
    named.append((QUESTION, plain("?")))
    text = say("beyond.position.ask-points", card=table.cards.by_id[id].called)
    told = ask(choice(f"points-{id}", None, text, NOT_TOLD, named, id))
    if told == NOT_TOLD:
        return None
    return "?" if told == QUESTION else told - 1


def _seat_told(n: int, seat: dict[str, Any], one: Untold, table: Table, ask: Ask) -> None:
    """What one line of a seat's sheet still lacks; a card nobody told the points of stays so."""
    name = seat["name"]
    if one.card is None:
        text = _words(f"{one.step}-points", name)
        seat["worth"][one.step] = ask(Counter(f"worth-{one.step}:{n}", n, text, 0, 0, ROOM["worth"]))
        return
    card = table.cards.by_id[one.card]
    if isinstance(card, Achievement):
        _claim_told(n, seat, card, table, ask)
    elif getattr(card, "points", None) == "?":
        text = _words("worth", name, card=card.called)
        counter = Counter(f"worth-{card.id}:{n}", n, text, 0, 0, ROOM["worth"], card.id)
        seat["worth"][card.id] = ask(counter)


def _claim_told(n: int, seat: dict[str, Any], card: Achievement, table: Table, ask: Ask) -> None:
    """Which slot a disc lies on, where the slots are known; its points where they are not."""
    faction, slots = table.factions[n], table.slots(card.id)
    if slots is None:
        text = _words("claim", seat["name"], card=card.called)
        named = [(points + 1, plain(str(points))) for points in range(PRINTED + 1)]
        if told := ask(choice(f"worth-{card.id}:{n}", n, text, NOT_TOLD, named, card.id)):
            seat["worth"][card.id] = told - 1
        return
    free = [slot for slot in table.open_to(faction, card.id) if slot <= len(slots)]
    if not free:
        return
    text = _words("slot", seat["name"], card=card.called)
    named = [(slot, say("beyond.position.slot", slot=slot, points=slots[slot - 1])) for slot in free]
    if told := ask(choice(f"slot-{card.id}:{n}", n, text, NOT_TOLD, named, card.id)):
        claims = seat["achievements"]
        claims[claims.index(card.id)] = f"{card.id}#{told}"


def ties_told(position: dict[str, Any], tied: Collection[str], fields: Iterable[str], ask: Ask) -> None:
    """What breaks a tie, asked for only where there is one."""
    for n, seat in enumerate(position["seats"]):
        for field in fields:
            if seat["name"] in tied and field not in seat:
                text = _words(field.replace("_", "-"), seat["name"])
                seat[field] = ask(Counter(f"{field}:{n}", n, text, 0, 0, NUMBERS[field]))
