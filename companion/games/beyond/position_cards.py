"""The cards a position speaks of: found by id or by name, with what is told of them as if it were taught."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache, lru_cache
from typing import Any, Literal

import msgspec

from companion.core.components import NAME_FIELDS, Catalogue, Component, Facts, spoken_names, with_told
from companion.core.fact_values import wrongs
from companion.core.forms import Form, form_of
from companion.core.positions import near, quoted
from companion.core.words import Text, plain, say
from companion.games.beyond.board_checks import contradictions
from companion.games.beyond.printed import GAME, printed
from companion.games.beyond.things import (
    CARD_PLACES,
    YARDS,
    Achievement,
    AdvancedBoard,
    Board,
    Event,
    System,
    Technology,
    everything,
)
from companion.texts import fold
from scoring.beyond import OPEN_SPACE

Sort = Literal["technology", "system", "event", "achievement", "board"]
SORTS: dict[Sort, tuple[type[Component], ...]] = {
    "technology": (Technology,),
    "system": (System,),
    "event": (Event,),
    "achievement": (Achievement,),
    "board": (Board, AdvancedBoard),
}
MUSEUM = "museum"
"""Where ships are that lie on the Museum event (rule 112)."""
CONTROLLED = (*CARD_PLACES, *YARDS)
PLACES = (*OPEN_SPACE, *CONTROLLED, MUSEUM)
COUNTED = (
    "points",
    "formula",
    "slots",
    "automation",
    "types",
    "specialisations",
    "pile",
    "lies",
    "yards",
)
"""What may be told of cards and boards: whatever bears on the sheet of a finished table."""
REMEMBERED, SHORT = 4096, 500
"""Whoever scores thousands of tables of one box tells the same facts again and again: so many short ones are kept."""


@cache
def both_editions() -> Catalogue[Component]:
    """The cards of either edition: they have the same names, and a finished table is counted alike."""
    return everything()


@lru_cache(8)
def _box(facts: bytes) -> Catalogue[Component]:
    return both_editions().taught(msgspec.json.decode(facts))


def box_with(taught: Facts | None) -> Catalogue[Component]:
    """The cards of both editions with what the owner taught."""
    return _box(msgspec.json.encode(taught, order="sorted")) if taught else both_editions()


def ids(sort: Sort) -> tuple[str, ...]:
    """The ids of all cards of a sort."""
    return tuple(card.id for card in both_editions() if isinstance(card, SORTS[sort]))


class Cards:
    """The cards of one table, by what people call them."""

    def __init__(self, box: Catalogue[Component]) -> None:
        self.by_id = dict(box.by_id)

    def find(self, word: str, sort: Sort) -> str | None:
        """The id of the card of a sort that is meant: by its id, or by its name as people write it."""
        if word in self.by_id:
            return word if isinstance(self.by_id[word], SORTS[sort]) else None
        wanted = _written(word)
        cards = (card for card in self.by_id.values() if isinstance(card, SORTS[sort]))
        return next(
            (card.id for card in cards if wanted in (card.id, *map(_written, spoken_names(card)))), None
        )

    def tell(self, told: dict[str, dict[str, Any]]) -> list[Text]:
        """Everything told of cards that cannot be printed there; the rest is as good as taught."""
        problems: list[Text] = []
        for word, fields in told.items():
            id = word if word in self.by_id else self.any(word)
            if id is None:
                problems.append(unknown("cards", word, self.by_id))
                continue
            for field, value in fields.items():
                encoded = msgspec.json.encode(value)
                read = _wrong if len(field) + len(encoded) < SHORT else _wrong.__wrapped__
                wrong = read(id, field, encoded)
                problems += wrong
                if not wrong:
                    self.by_id[id] = with_told(self.by_id[id], field, value)
            against = (found for found in contradictions(self.by_id[id]) if fields.keys() & set(found.fields))
            problems += (
                say("binder.contradicts", component=plain(f"cards.{id}"), why=one.text) for one in against
            )
        return problems

    def any(self, word: str) -> str | None:
        """The id of the card of whatever sort that is meant."""
        return next((id for sort in SORTS if (id := self.find(word, sort)) is not None), None)


@lru_cache(REMEMBERED)
def _written(word: str) -> str:
    """A name as it would be written as an id."""
    kept = "".join(letter for letter in fold(word.strip()) if letter.isalnum() or letter in " -_–+")
    return "-".join(kept.replace("_", " ").replace("-", " ").replace("–", " ").split())


def unknown(where: str, word: str, known: Iterable[str]) -> Text:
    """That there is nothing called so, and what may have been meant."""
    meant = near(_written(word), known)
    if meant:
        return say("beyond.position.unknown-near", where=where, id=quoted(word), near=meant)
    return say("beyond.position.unknown", where=where, id=quoted(word))


@lru_cache(REMEMBERED)
def _wrong(id: str, field: str, told: bytes) -> tuple[Text, ...]:
    """Why this cannot be printed there, in the words of whoever takes facts."""
    value, form = msgspec.json.decode(told), forms(id).get(field)
    if form is None:
        known = tuple(map(plain, forms(id)))
        return (say("beyond.position.no-key", where=f"cards.{id}", id=quoted(field), known=known),)
    return tuple(
        say("binder.does-not-fit", fact=one.path, value=one.value, why=one.why)
        for one in wrongs(form, value, f"cards.{id}.{field}")
    )


@cache
def forms(id: str) -> dict[str, Form]:
    """What can be told about a card or board, by field."""
    card = both_editions()[id]
    teachable = (row.field for row in printed(card) if row.teachable and row.field in COUNTED)
    return {field: form_of(type(card), field, GAME) for field in (*NAME_FIELDS, *teachable)}
