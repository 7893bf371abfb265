"""A table of Race that was played without this program: read it, list its problems, score it."""

from __future__ import annotations

from collections import Counter as Tally
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from itertools import chain
from typing import Annotated, Any

from msgspec import Meta

from companion.core import positions
from companion.core.game import Box, read_box
from companion.core.parts import Positions, SheetWords, Tableaux
from companion.core.positions import quoted
from companion.core.table_files import (
    Asked,
    AskNumber,
    SeatFile,
    TableFile,
    ids,
    one_of,
    schema_of,
    unknown,
    whole,
)
from companion.core.words import Text, count, plain, say
from companion.games.race.cards import EXPENSIVE, Card, deck
from companion.games.race.state import CHIPS_IN_BOX, HAND_LIMIT
from companion.games.race.state import Seat as PlayedSeat
from scoring import race as scoring
from scoring.sheet import Sheet

CARDS_IN_BOX = 114


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


def _words() -> list[str]:
    """Every way to write a card."""
    return sorted(_cards("first"))


def _holding() -> list[str]:
    """Every way to write a world that can have a good."""
    return sorted(word for word, card in _cards("first").items() if card.good)


class Seat(SeatFile, frozen=True):
    """One player's side of the table."""

    tableau: Annotated[
        tuple[str, ...],
        ids(
            "Ids of the cards in the tableau, the start world among them; `#2` may name the copy.",
            _words,
            least=1,
        ),
    ]
    goods: Annotated[tuple[str, ...], ids("Ids of the worlds that have a good on them.", _holding)]
    chips: Annotated[int, whole("Points on the victory point chips.", CHIPS_IN_BOX)]
    hand: Annotated[int, whole("Cards in hand after the last discard.", HAND_LIMIT)]


class Position(TableFile, frozen=True):
    """A finished table of Race for the Galaxy."""

    seats: Annotated[tuple[Seat, ...], Meta(description="The players clockwise.")]
    edition: Annotated[str, one_of("Which printing of the cards lies on the table.", _editions)] = "first"


def read(data: bytes) -> Position:
    """The position in this JSON; raises `DataTrouble` with all problems."""
    return position_of(positions.parse(data))


def position_of(raw: dict[str, Any]) -> Position:
    """The position in these plain JSON values; raises `DataTrouble` with all problems."""
    return positions.checked(raw, Position, status)


def status(position: Position) -> tuple[Text, ...]:
    """Everything impossible about this table; empty if it can be scored."""
    edition = position.edition if position.edition in _editions() else "first"
    cards = _cards(edition)
    seats = list(zip(position.called(), position.seats, strict=True))
    each = (_seat_problems(where, seat, cards) for where, seat in seats)
    return tuple(chain(_head_problems(position), *each, _shared_problems(seats, cards)))


def _head_problems(position: Position) -> Iterator[Text]:
    yield from position.head_problems(_box())
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
            yield unknown("race.position.unknown-card", word, cards, "card", seat=where)
    known = [cards[word] for word in seat.tableau if word in cards]
    for id, times in Tally(card.id for card in known).items():
        if times > 1:
            yield count("race.position.card-twice", times, seat=where, card=cards[id].called)
    # A misspelt start world is one problem, not two.
    if not any(card.is_start for card in known) and len(known) == len(seat.tableau):
        yield say("race.position.no-start-world", seat=where)


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
    """Problems across seats: the box has only so many copies, chips and cards."""
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


def sheet_of_seats(seats: Iterable[Seat | PlayedSeat], cards: Mapping[str, Card]) -> Sheet:
    """The sheet of seats from a file or from a play."""
    return scoring.score(
        [
            scoring.Seat(
                name=seat.name,
                tableau=tuple(cards[word].for_scoring for word in seat.tableau),
                goods=len(seat.goods),
                chips=seat.chips,
                hand=seat.hand,
            )
            for seat in seats
        ]
    )


def sheet(position: Position) -> Sheet:
    """The sheet of a position without problems."""
    return sheet_of_seats(position.seats, _cards(position.edition))


def asked(tableaux: Tableaux, choices: dict[str, str], ask: AskNumber) -> dict[str, Any]:
    """The plain position of recognised tableaux; chips and hands are asked for, goods only to break a tie.

    Which worlds the goods lie on changes no score, so they are put on the first worlds that can hold one.
    """
    cards = _cards(choices.get("edition", "first"))
    seats: list[dict[str, Any]] = []
    about = [Asked("race", Seat, n, name, ask) for n, name in enumerate(tableaux)]
    for one, tableau in zip(about, tableaux.values(), strict=True):
        numbers = {field: one.number(field) for field in ("chips", "hand")}
        seats.append({"name": one.name, "tableau": tableau, "goods": (), **numbers})
    position = {"game": "race", **choices, "seats": seats}
    counts_goods = any(t.per == "goods" for seat in seats for c in seat["tableau"] for t in cards[c].scoring)
    tied = sheet(position_of(position)).tied
    for one, seat in zip(about, seats, strict=True):
        if counts_goods or one.name in tied:
            able = [c for c in seat["tableau"] if cards[c].good]
            seat["goods"] = tuple(able[: one.amount("goods", one.words("goods"), len(able))])
    return position


SORTS = ("world", "development")
"""The lines into which most cards are added up."""


def words(what: str) -> Text:
    """The name of a line of the sheet, or of a card that earned points."""
    if what in ("chips", *SORTS):
        return say(f"race.position.{what}")
    return deck("first")[what].called


def sort(what: str) -> str | None:
    """The line into which a card's points are added; 6-cost developments keep their own line, for people ask
    how they score."""
    if what == "chips" or deck("first")[what].cost == EXPENSIVE:
        return None
    return SORTS[0] if deck("first")[what].is_world else SORTS[1]


def measured(measure: str, n: int) -> Text:
    """An amount of chips, goods or Military in words."""
    return count(f"race.position.measured-{measure}", n)


def tie_break(sheet: Sheet) -> Text | None:
    """The sentence that explains the tie-break, or that the victory is shared; None if there was no tie."""
    return positions.tie_break(sheet, "race.position.tie-broken", "race.position.tie-shared")


def schema() -> dict[str, Any]:
    """A JSON Schema of positions, with the names of all cards."""
    return schema_of(Position, _box())


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

POSITIONS = Positions(position_of=position_of, sheet=sheet, schema=schema, asked=asked, examples=EXAMPLES)
