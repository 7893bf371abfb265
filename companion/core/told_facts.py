"""The facts in a file with a finished table, checked like taught facts."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

from companion.core.components import NAME_FIELDS, Catalogue, Component, Facts, with_told
from companion.core.fact_values import schema, wrongs
from companion.core.forms import Form, form_of
from companion.core.table_files import by_name
from companion.core.words import Text, say

if TYPE_CHECKING:
    from companion.core.printed_facts import Printed

C = TypeVar("C", bound=Component)

REMEMBERED, SHORT = 4096, 500
"""Size of the cache, and length limit of cached facts: thousands of tables of one box repeat the same facts."""


class ToldFacts:
    """The facts in the field `where` of a file; `no_field` makes the message for a field that a component
    does not have.

    `only` limits them to the fields that matter to a finished table. Components that can have the same facts
    share a definition in the schema, whose name is made with `joined`; names are included if `with_names`.
    """

    def __init__(
        self,
        game: str,
        where: str,
        box: Callable[[], Catalogue[Component]],
        printed: Callable[[Component], Iterable[Printed]],
        no_field: Callable[[str, str, Any], Text],
        only: Container[str] | None = None,
        joined: str = "-",
        with_names: bool = True,
    ) -> None:
        self.game, self.where, self.box, self.printed = game, where, box, printed
        self.no_field, self.only, self.joined, self.with_names = no_field, only, joined, with_names
        self.forms = cache(self._forms)
        self._remembered = lru_cache(REMEMBERED)(self._wrong)
        self._schemas = cache(self._schema)

    def _forms(self, id: str) -> dict[str, Form]:
        """The forms of a component's fields."""
        component = self.box()[id]
        rows = (row.field for row in self.printed(component) if row.teachable)
        fields = (*NAME_FIELDS, *(field for field in rows if self.only is None or field in self.only))
        return {field: form_of(type(component), field, self.game) for field in fields}

    def merged(self, component: C, told: Mapping[str, Any]) -> tuple[C, list[Text]]:
        """A component with these facts, and a message for each fact that cannot be printed there."""
        problems: list[Text] = []
        for field, value in told.items():
            encoded = msgspec.json.encode(value)
            check = self._remembered if len(field) + len(encoded) < SHORT else self._wrong
            if wrong := check(component.id, field, encoded):
                problems += wrong
            else:
                component = with_told(component, field, value)
        return component, problems

    def _wrong(self, id: str, field: str, told: bytes) -> tuple[Text, ...]:
        """Why this value cannot be printed there; empty if it can."""
        value, form = msgspec.json.decode(told), self.forms(id).get(field)
        if form is None:
            return (self.no_field(id, field, value),)
        return tuple(
            say("binder.does-not-fit", fact=one.path, value=one.value, why=one.why)
            for one in wrongs(form, value, f"{self.where}.{id}.{field}")
        )

    def as_taught(self, position: Mapping[str, Any]) -> Facts:
        """The facts in a plain position, by fact key."""
        told = position[self.where].items()
        return {f"{id}.{field}": value for id, of in told for field, value in of.items()}

    # As a schema

    def shape(self, ids: Iterable[str]) -> dict[str, Any]:
        """The schema of the field with facts about these components."""
        return by_name({id: {"$ref": f"#/$defs/{self._sort(id)}"} for id in ids if self._schemas(id)})

    def definitions(self, ids: Iterable[str]) -> dict[str, Any]:
        """The schema definitions for these components, by name."""
        return {self._sort(id): by_name(self._schemas(id)) for id in ids if self._schemas(id)}

    def _sort(self, id: str) -> str:
        return self.joined.join([type(self.box()[id]).__name__, *self._schemas(id)])

    def _schema(self, id: str) -> dict[str, Any]:
        forms = self.forms(id).items()
        return {field: schema(form) for field, form in forms if self.with_names or field not in NAME_FIELDS}
