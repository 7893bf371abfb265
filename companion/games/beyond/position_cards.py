"""Finds the cards of a position by id or name, and merges the facts the file gives about them."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache, lru_cache
from typing import Any, Literal

import msgspec

from companion.core import table_files
from companion.core.components import Catalogue, Component, Facts, spoken_names
from companion.core.positions import quoted
from companion.core.told_facts import ToldFacts
from companion.core.words import Text, plain, say
from companion.games.beyond.board_checks import contradictions
from companion.games.beyond.component_types import (
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
from companion.games.beyond.printed import GAME, printed
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
"""The place of ships that lie on the Museum event (rule 112)."""
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
"""The fields of cards and boards a file may give: those that matter for the sheet of a finished table."""
REMEMBERED = 4096
"""Cache size for names converted to ids."""


@cache
def both_editions() -> Catalogue[Component]:
    """The cards of either edition: names and scoring are the same in both."""
    return everything()


@lru_cache(8)
def _box(facts: bytes) -> Catalogue[Component]:
    return both_editions().taught(msgspec.json.decode(facts))


def box_with(taught: Facts | None) -> Catalogue[Component]:
    """The cards of both editions with the facts the owner taught."""
    return _box(msgspec.json.encode(taught, order="sorted")) if taught else both_editions()


def ids(sort: Sort) -> tuple[str, ...]:
    """The ids of all cards of a sort."""
    return tuple(card.id for card in both_editions() if isinstance(card, SORTS[sort]))


def technologies(*levels: int) -> tuple[str, ...]:
    """The ids of the technologies of these levels."""
    cards = both_editions()
    return tuple(card.id for card in cards if isinstance(card, Technology) and card.level in levels)


class Cards:
    """The cards of one table, found by the words people use for them."""

    def __init__(self, box: Catalogue[Component]) -> None:
        self.by_id = dict(box.by_id)

    def find(self, word: str, sort: Sort) -> str | None:
        """The id of the card of this sort with this id or name, in any usual spelling, or None."""
        if word in self.by_id:
            return word if isinstance(self.by_id[word], SORTS[sort]) else None
        wanted = _written(word)
        cards = (card for card in self.by_id.values() if isinstance(card, SORTS[sort]))
        return next(
            (card.id for card in cards if wanted in (card.id, *map(_written, spoken_names(card)))), None
        )

    def tell(self, told: dict[str, dict[str, Any]]) -> list[Text]:
        """Merge the facts a file gives about cards; returns a problem for each impossible value."""
        problems: list[Text] = []
        for word, fields in told.items():
            id = word if word in self.by_id else self.any(word)
            if id is None:
                problems.append(unknown("cards", word, self.by_id))
                continue
            self.by_id[id], wrong = FACTS.merged(self.by_id[id], fields)
            problems += wrong
            against = (found for found in contradictions(self.by_id[id]) if fields.keys() & set(found.fields))
            problems += (
                say("binder.contradicts", component=plain(f"cards.{id}"), why=one.text) for one in against
            )
        return problems

    def any(self, word: str) -> str | None:
        """The id of the card of any sort with this id or name; None if there is none."""
        return next((id for sort in SORTS if (id := self.find(word, sort)) is not None), None)


@lru_cache(REMEMBERED)
def _written(word: str) -> str:
    """A name in the form of an id."""
    kept = "".join(letter for letter in fold(word.strip()) if letter.isalnum() or letter in " -_–+")
    return "-".join(kept.replace("_", " ").replace("-", " ").replace("–", " ").split())


def unknown(where: str, word: str, known: Iterable[str]) -> Text:
    """An error: nothing has this name; suggests similar ones."""
    key = "beyond.position.unknown"
    return table_files.unknown(key, word, known, spelt=_written(word), where=where)


# Facts about cards


def _no_field(id: str, field: str, value: Any) -> Text:
    known = tuple(map(plain, FACTS.forms(id)))
    return say("beyond.position.no-key", where=f"cards.{id}", id=quoted(field), known=known)


FACTS = ToldFacts(GAME, "cards", both_editions, printed, _no_field, only=COUNTED)


def told_of_cards() -> dict[str, Any]:
    """The facts a file may give about each card, for its schema."""
    return FACTS.shape(card.id for card in both_editions())
