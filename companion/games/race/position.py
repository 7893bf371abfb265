"""A table of Race that was played without us: read it, say all that cannot be right about it, score it."""

from __future__ import annotations

from collections import Counter as Tally
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from itertools import chain
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from companion.core import positions
from companion.core.counters import Counter
from companion.core.game import Box, read_box
from companion.core.parts import Positions, SheetWords
from companion.core.positions import head_problems, near, quoted, seat_called
from companion.core.words import Text, count, plain, say
from companion.games.race.cards import DEAR, Card, deck
from companion.games.race.state import CHIPS_IN_BOX, HAND_LIMIT
from scoring import race as scoring
from scoring.sheet import Sheet

CARDS_IN_BOX = 114


def _whole(description: str, **bounds: int) -> Meta:
    """A number whose bounds are in the schema only: `status` checks them, to tell all problems at once."""
    return Meta(description=description, extra_json_schema={"minimum": 0, **bounds})


class Seat(Struct, frozen=True, forbid_unknown_fields=True):
    """One player's side of the table."""

    name: Annotated[str, Meta(description="The player's name, different at every seat.")]
    tableau: Annotated[
        tuple[str, ...],
        Meta(
            description="Ids of the cards in the tableau, the start world among them; `#2` may name the copy."
        ),
    ]
    goods: Annotated[tuple[str, ...], Meta(description="Ids of the worlds that have a good on them.")]
    chips: Annotated[int, _whole("Points on the victory point chips.", maximum=CHIPS_IN_BOX)]
    hand: Annotated[int, _whole("Cards in hand after the last discard.", maximum=HAND_LIMIT)]


class Position(Struct, frozen=True, forbid_unknown_fields=True):
    """A finished table of Race for the Galaxy."""

    game: Annotated[str, Meta(description="Which game it is.")]
    seats: Annotated[tuple[Seat, ...], Meta(description="The players clockwise.")]
    edition: Annotated[str, Meta(description="Which printing of the cards lies on the table.")] = "first"


@cache
def _box() -> Box:
    return read_box(__package__)


def _editions() -> tuple[str, ...]:
    return next(variant.values for variant in _box().variants if variant.id == "edition")


@cache
def _cards(edition: str) -> dict[str, Card]:
    """Every way to write a card: its id, and where there are two copies also `id#1` and `id#2`."""
    cards: dict[str, Card] = {}
    for card in deck(edition):
        cards[card.id] = card
        if card.copies > 1:
            cards |= {f"{card.id}#{copy}": card for copy in range(1, card.copies + 1)}
    return cards


def read(data: bytes) -> Position:
    """The position in this JSON; raises `DataTrouble` with all problems."""
    return position_of(positions.parse(data))


def position_of(raw: dict[str, Any]) -> Position:
    """The position in these plain JSON values; raises `DataTrouble` with all problems."""
    return positions.checked(raw, Position, status)


def status(position: Position) -> tuple[Text, ...]:
    """Everything that cannot be right about this table; empty if it can be scored."""
    edition = position.edition if position.edition in _editions() else "first"
    cards = _cards(edition)
    seats = [(_where(i, position), seat) for i, seat in enumerate(position.seats)]
    each = (_seat_problems(where, seat, cards) for where, seat in seats)
    return tuple(chain(_head_problems(position), *each, _shared_problems(seats, cards)))


def _where(index: int, position: Position) -> str:
    """The seat's name, or its place in the file while the name does not tell it."""
    return seat_called(index, [seat.name for seat in position.seats])


def _head_problems(position: Position) -> Iterator[Text]:
    yield from head_problems(_box(), position.game, [seat.name for seat in position.seats])
    if position.edition not in _editions():
        known = tuple(map(plain, _editions()))
        yield say("race.position.unknown-edition", edition=quoted(position.edition), known=known)


def _seat_problems(where: str, seat: Seat, cards: Mapping[str, Card]) -> Iterator[Text]:
    yield from _tableau_problems(where, seat, cards)
    yield from _goods_problems(where, seat, cards)
    if seat.chips < 0:
        yield say("race.position.negative-chips", seat=where, chips=seat.chips)
    if seat.hand < 0:
        yield say("race.position.negative-hand", seat=where, hand=seat.hand)
    if seat.hand > HAND_LIMIT:
        yield count("race.position.hand-limit", seat.hand, seat=where, limit=HAND_LIMIT)


def _tableau_problems(where: str, seat: Seat, cards: Mapping[str, Card]) -> Iterator[Text]:
    for word in dict.fromkeys((*seat.tableau, *seat.goods)):
        if word not in cards:
            yield _unknown_card(where, word, cards)
    known = [cards[word] for word in seat.tableau if word in cards]
    for id, times in Tally(card.id for card in known).items():
        if times > 1:
            yield count("race.position.card-twice", times, seat=where, card=cards[id].called)
    # A misspelt start world is one problem, not two.
    if not any(card.is_start for card in known) and len(known) == len(seat.tableau):
        yield say("race.position.no-start-world", seat=where)


def _unknown_card(where: str, word: str, cards: Mapping[str, Card]) -> Text:
    meant = near(word, cards)
    if meant:
        return say("race.position.unknown-card-near", seat=where, card=quoted(word), near=meant)
    return say("race.position.unknown-card", seat=where, card=quoted(word))


def _goods_problems(where: str, seat: Seat, cards: Mapping[str, Card]) -> Iterator[Text]:
    tableau = {cards[word].id for word in seat.tableau if word in cards}
    for id, times in Tally(cards[word].id for word in seat.goods if word in cards).items():
        card = cards[id]
        if card.good is None:
            yield say("race.position.no-good-there", seat=where, card=card.called)
        elif id not in tableau:
            yield say("race.position.good-elsewhere", seat=where, card=card.called)
        elif times > 1:
            yield count("race.position.goods-on-one-world", times, seat=where, card=card.called)


def _shared_problems(seats: list[tuple[str, Seat]], cards: Mapping[str, Card]) -> Iterator[Text]:
    """What no seat does wrong alone: the box has only so many copies, chips and cards."""
    owners: dict[str, list[str]] = {}
    for where, seat in seats:
        copies = {word for word in seat.tableau if word in cards}
        for key in sorted(copies | {cards[word].id for word in copies}):
            owners.setdefault(key, []).append(where)
    for key, who in owners.items():
        allowed = cards[key].copies if key == cards[key].id else 1
        if len(who) > allowed:
            name = say("race.position.copy", card=cards[key].called, copy=key[len(cards[key].id) :])
            yield count("race.position.copies", allowed, card=name, seats=tuple(map(plain, who)))
    chips = sum(max(seat.chips, 0) for _, seat in seats)
    if chips > CHIPS_IN_BOX:
        yield say("race.position.chips-in-box", chips=chips, box=CHIPS_IN_BOX)
    used = sum(len(seat.tableau) + len(seat.goods) + max(seat.hand, 0) for _, seat in seats)
    if used > CARDS_IN_BOX:
        yield say("race.position.cards-in-box", cards=used, box=CARDS_IN_BOX)


def to_seats(position: Position) -> tuple[scoring.Seat, ...]:
    """What the score sheet needs to know of a position without problems."""
    cards = _cards(position.edition)
    return tuple(
        scoring.Seat(
            seat.name,
            tuple(cards[word].for_scoring for word in seat.tableau),
            len(seat.goods),
            seat.chips,
            seat.hand,
        )
        for seat in position.seats
    )


def sheet(position: Position) -> Sheet:
    """The sheet of a position without problems."""
    return scoring.score(to_seats(position))


def between(component: str) -> bool:
    """Whether this lies in the middle of the table: everything in a tableau is its owner's."""
    return False


def asked(
    tableaux: dict[str, tuple[str, ...]], choices: dict[str, str], ask: Callable[[Counter], int]
) -> dict[str, Any]:
    """The plain position of tableaux somebody saw: chips and hands are asked for, goods only to break a tie.

    Which worlds the goods lie on changes no score: they are put on the first worlds that can hold one.
    """
    cards = _cards(choices.get("edition", "first"))
    seats: list[dict[str, Any]] = []
    for n, (name, tableau) in enumerate(tableaux.items()):
        chips = ask(Counter(f"chips:{n}", n, say("race.position.ask-chips", seat=name), 0, 0, CHIPS_IN_BOX))
        hand = ask(Counter(f"hand:{n}", n, say("race.position.ask-hand", seat=name), 0, 0, HAND_LIMIT))
        seats.append({"name": name, "tableau": tableau, "goods": (), "chips": chips, "hand": hand})
    position = {"game": "race", **choices, "seats": seats}
    counts_goods = any(t.per == "goods" for seat in seats for c in seat["tableau"] for t in cards[c].scoring)
    tied = sheet(position_of(position)).tied
    for n, seat in enumerate(seats):
        if counts_goods or seat["name"] in tied:
            able = [c for c in seat["tableau"] if cards[c].good]
            text = say("race.position.ask-goods", seat=seat["name"])
            seat["goods"] = tuple(able[: ask(Counter(f"goods:{n}", n, text, 0, 0, len(able)))])
    return position


SORTS = ("world", "development")
"""What the lines of most cards are added up to."""


def words(what: str) -> Text:
    """How a line of the sheet, or a card that earned points, is called."""
    if what in ("chips", *SORTS):
        return say(f"race.position.{what}")
    return deck("first")[what].called


def sort(what: str) -> str | None:
    """The line of a table that a card's line goes into; what costs 6 stays by itself: people ask for its reasons."""
    if what == "chips" or deck("first")[what].cost == DEAR:
        return None
    return SORTS[0] if deck("first")[what].is_world else SORTS[1]


def measured(measure: str, n: int) -> Text:
    """Chips, goods or Military, and how much of it there is."""
    return count(f"race.position.measured-{measure}", n)


def tie_break(sheet: Sheet) -> Text | None:
    """The sentence that broke the tie, or says that the victory is shared; nothing if there was no tie."""
    return positions.tie_break(sheet, "race.position.tie-broken", "race.position.tie-shared")


def schema() -> dict[str, Any]:
    """A JSON Schema of positions, with the names of all cards."""
    made = msgspec.json.schema(Position)
    position, seat = (made["$defs"][name]["properties"] for name in ("Position", "Seat"))
    cards = _cards("first")
    position["game"]["const"] = _box().id
    position["edition"]["enum"] = list(_editions())
    position["seats"] |= {"minItems": min(_box().seats), "maxItems": max(_box().seats)}
    seat["name"]["minLength"] = 1
    seat["tableau"] |= {"items": {"enum": sorted(cards)}, "minItems": 1, "uniqueItems": True}
    holding = sorted(word for word, card in cards.items() if card.good)
    seat["goods"] |= {"items": {"enum": holding}, "uniqueItems": True}
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **made}


EXAMPLES: tuple[dict[str, Any], ...] = (
    {
        "game": "race",
        "seats": [
            {
                "name": "Ania",
                "tableau": ["old-earth", "gem-world"],
                "goods": ["gem-world"],
                "chips": 9,
                "hand": 3,
            },
            {
                "name": "Bartek",
                "tableau": ["alpha-centauri", "public-works#2"],
                "goods": [],
                "chips": 9,
                "hand": 4,
            },
        ],
    },
    {
        "game": "race",
        "edition": "second",
        "seats": [
            {
                "name": "Ania",
                "tableau": ["new-sparta", "new-galactic-order"],
                "goods": [],
                "chips": 0,
                "hand": 0,
            },
            {"name": "Bartek", "tableau": ["earths-lost-colony"], "goods": [], "chips": 12, "hand": 10},
        ],
    },
)

SHEET_WORDS = SheetWords(words=words, measured=measured, tie_break=tie_break, sort=sort)

POSITIONS = Positions(
    position_of=position_of, sheet=sheet, schema=schema, asked=asked, between=between, examples=EXAMPLES
)
