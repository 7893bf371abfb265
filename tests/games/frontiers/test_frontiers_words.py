"""Every power, term and fact of New Frontiers has words, and different ones have different words."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from itertools import product
from typing import Any, get_args

import msgspec
import pytest

from companion.core.components import UNKNOWN, UNPRINTED
from companion.core.fact_values import fits
from companion.core.forms import Form, Kinds, ListOf, Number, OneOf, Record, SeveralOf, Switch, form_of
from companion.games.frontiers.component_types import Development, Home, World, everything
from companion.games.frontiers.power_words import VOCABULARY, say_meaning
from companion.games.frontiers.powers import AnyPower
from companion.games.frontiers.printed import printed
from companion.texts import LANGUAGES, render
from scoring.frontiers import Term
from tests.laws.form_words import texts
from tests.laws.test_printed import has_words


def sentences(what: Any) -> Iterator[Any]:
    """One of each kind with every choice, and its numbers at both ends and in between."""
    (kinds,) = [
        kind
        for kind in (form_of(World, field, "frontiers") for field in ("powers", "bonus"))
        if isinstance(kind, ListOf)
        and isinstance(kind.item, Kinds)
        and any(record.tag == what.__struct_config__.tag for record in kind.item.kinds)
    ]
    assert isinstance(kinds.item, Kinds)
    record = next(kind for kind in kinds.item.kinds if kind.tag == what.__struct_config__.tag)
    for values in product(*(choices(field.form) for field in record.fields)):
        told = {record.tag_field: record.tag} | dict(
            zip((f.name for f in record.fields), values, strict=True)
        )
        assert fits(kinds, [told])
        yield msgspec.convert(told, what)


def choices(form: Form) -> list[Any]:
    match form:
        case Number(low, high):
            return sorted({low, min(2, high), high})
        case Switch():
            return [True, False]
        case OneOf(values):
            return [named.value for named in values]
        case SeveralOf(values, again=True):
            first, *_, last = (named.value for named in values)
            return [[], [first], [last, last, first]]
    raise AssertionError(form)


@pytest.mark.thorough
@pytest.mark.parametrize("kind", [*get_args(AnyPower), *get_args(Term)], ids=lambda kind: kind.__name__)
def test_powers_that_differ_are_said_differently(kind: Any) -> None:
    said: dict[tuple[str, str], list[Any]] = defaultdict(list)
    for told in sentences(kind):
        if getattr(told, "good", "") == "different" and told.goods == 1:
            continue  # one good is not different from itself
        text = say_meaning(told)
        assert has_words(text), told
        for language in LANGUAGES:
            sentence = render(text, language)
            assert "{" not in sentence
            assert not sentence.startswith(" ")
            said[language, sentence].append(told)
    for sentence, meant in said.items():
        # The action stands before the sentence, wherever a power may be of any.
        assert len({getattr(one, "phase", "") for one in meant}) == len(meant), sentence


def test_everything_that_may_be_taught_means_something() -> None:
    assert VOCABULARY.means({"does": "per-held", "held": "goods"}) is not None
    assert VOCABULARY.means({"does": "second-world"}) is not None
    assert VOCABULARY.means({"does": "weather"}) is None


def test_every_fact_is_a_row_and_unknown_ones_are_empty() -> None:
    for component in everything():
        rows = {row.field: row for row in printed(component)}
        for field in component.__struct_fields__:
            value = getattr(component, field)
            if field in UNPRINTED or value in ((), frozenset()):
                continue
            assert bool(rows[field].values) == (value is not UNKNOWN), (component.id, field)
        assert all(has_words(text) for row in rows.values() for text in (row.text, *row.values))


@pytest.mark.parametrize("sort", [World, Home, Development])
def test_every_form_has_words(sort: Any) -> None:
    component = next(one for one in everything() if type(one) is sort)
    for row in printed(component):
        if row.teachable:
            form = form_of(sort, row.field, "frontiers")
            assert all(has_words(text) for text in texts(form)), row.field


def test_what_is_unknown_may_be_taught() -> None:
    """Rule 20: the owner of the box says it; what the rulebook knows of a sort (a large tile costs 9) nobody can."""
    for component in everything():
        teachable = {row.field for row in printed(component) if row.teachable}
        assert set(component.unknown()) <= teachable
    large = {row.field for row in printed(everything()["imperium-lords"]) if row.teachable}
    assert "cost" not in large


def test_records_have_no_field_without_a_form() -> None:
    for field in ("powers", "bonus"):
        form = form_of(World, field, "frontiers")
        assert isinstance(form, ListOf)
        assert isinstance(form.item, Kinds)
        assert all(isinstance(kind, Record) for kind in form.item.kinds)


def test_a_tile_nobody_named_is_called_by_its_place_until_it_is_told() -> None:
    """Rule 20."""
    called = {id: render(everything()[id].called, "pl") for id in ("world-10", "development-7", "home-1a")}
    assert called == {
        "world-10": "Planeta 10",
        "development-7": "Technologia 7",
        "home-1a": "Kolonia 1, biały kwadrat",
    }
    taught = everything().taught({"world-10.name": "Star Nomad Lair"})
    assert render(taught["world-10"].called, "pl") == "Star Nomad Lair"
