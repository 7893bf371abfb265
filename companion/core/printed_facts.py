"""What is printed on components: every value in words, and what contradicts the rulebook."""

from __future__ import annotations

from msgspec import Struct

from companion.core.components import UNKNOWN, UNPRINTED, Component, value_of
from companion.core.fact_values import as_told, in_words
from companion.core.forms import field_words, form_of
from companion.core.words import Text, plain


class Printed(Struct, frozen=True):
    """One printed value in words, empty if unknown, and whether the owner of a box may teach another.

    The possible values follow from the field's type: see `forms`.
    """

    field: str
    text: Text
    values: tuple[Text, ...]
    teachable: bool = False


def plain_printed(game: str, component: Component) -> tuple[Printed, ...]:
    """Every field of a component, each called `<game>.field.<field>`."""

    def row(field: str) -> Printed:
        value = value_of(component, field)
        form = form_of(type(component), field, game)
        values = () if value is UNKNOWN else (in_words(form, as_told(value)),)
        return Printed(field, field_words(game, field), values, teachable=True)

    copies = Printed("copies", field_words(game, "copies"), (plain(str(component.copies)),))
    own = (field for field in component.__struct_fields__ if field not in (*UNPRINTED, "copies"))
    return (*map(row, own), copies)


class Contradiction(Struct, frozen=True):
    """A taught value that contradicts the rulebook: the fields, and a sentence with the page."""

    fields: tuple[str, ...]
    text: Text
    unfinished: bool = False
    """Whether a drawing is only incomplete: it may be saved to continue later, but is not used until then."""
