"""Every printed fact can be put into words, and exactly the possible values can be taught."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from random import Random
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from companion.core.components import NAME_FIELDS, UNKNOWN, UNPRINTED, Component, SaidBy, value_of, with_told
from companion.core.fact_values import anything, as_told, blank, fits, in_words, read, written
from companion.core.facts import ask_fact
from companion.core.forms import Form, Kinds, ListOf, Number, OneOf, Record, SeveralOf, TextLine
from companion.core.game import Game, Setup
from companion.core.words import Text, inside
from companion.texts import LANGUAGES, catalogue, render
from tests.laws.form_words import teachable, texts
from tests.laws.walks import GAMES, every_box, everywhere, setups

every_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)


@cache
def _keys() -> frozenset[str]:
    """Every slug that has words; looked up tens of thousands of times."""
    catalogues = [catalogue(lang)._catalog for lang in LANGUAGES]  # type: ignore[attr-defined]
    return frozenset(k[0] if isinstance(k, tuple) else k for found in catalogues for k in found)


def has_words(text: Text) -> bool:
    return all(part.key in ("core.plain", "core.named") or part.key in _keys() for part in inside(text))


@every_box
def test_every_field_of_every_component_has_words(game: Game, setup: Setup) -> None:
    for component in game.catalogue(setup, setup.facts):
        rows = {row.field: row for row in game.rows(component)}
        for field in component.__struct_fields__:
            value = getattr(component, field)
            if field in UNPRINTED or value is None or value in ((), frozenset()):
                continue
            assert bool(rows[field].values) == (value is not UNKNOWN), (component.id, field)
            assert all(has_words(text) for text in (rows[field].text, *rows[field].values))
        assert set(rows) <= {*component.__struct_fields__, *NAME_FIELDS}


@every_game
def test_what_nobody_knows_can_be_taught_and_asked(game: Game) -> None:
    table = game.start(setups(game)[0])
    for component in game.usual_box():
        unknown = component.unknown()
        assert all(game.form(component, field) is not None for field in unknown)
        if unknown:
            question = ask_fact(game.id, component, *unknown).ask(table)
            assert question.form is not None
            assert question.options


@every_game
def test_every_form_has_words_in_every_language(game: Game) -> None:
    for component, field, form in teachable(game, game.usual_box()):
        for text in (ask_fact(game.id, component, field).text, *texts(form)):
            assert has_words(text), (component.id, field, text.key)
            assert all("{" not in render(text, language) for language in LANGUAGES)


def _as_kept(form: Form, value: Any) -> Any:
    """A set is stored in alphabetical order: it has none of its own."""
    return sorted(value) if isinstance(form, SeveralOf) and not form.again else value


@every_box
def test_everything_that_can_be_told_fits_and_is_used(game: Game, setup: Setup) -> None:
    """Through the answer at the table, the JSON of the binder, and the component that comes of it."""
    box, random = game.catalogue(setup, {}), Random(5)
    for component, field, form in teachable(game, box):
        key = f"{component.id}.{field}"
        for value in [blank(form), *(anything(form, random) for _ in range(4))]:
            assert value is not None
            assert read(form, written(form, value)) == (value,)
            assert msgspec.json.decode(msgspec.json.encode(value)) == value
            used = game.catalogue(setup, {key: value})
            against = [one for one in game.contradictions(used[component.id]) if field in one.fields]
            assert [text.key for text in game.bad_facts({key: value})] == ["binder.contradicts"] * len(
                against
            )
            assert all(has_words(one.text) for one in against)
            assert as_told(value_of(used[component.id], field)) == _as_kept(form, value)
            assert used.fact(component.id, field).said_by is SaidBy.OWNER
            assert has_words(in_words(form, value, game.means))


@every_game
def test_whatever_else_is_told_is_refused_with_a_sentence(game: Game) -> None:
    rubbish = [None, True, -1, 10**6, 1.5, "", "x", ["x"], [None], [{}], {}, {"x": 1}, [{"does": "x"}]]
    for component, field, form in teachable(game, game.usual_box()):
        for value in rubbish:
            problems = list(game.bad_facts({f"{component.id}.{field}": value}))  # type: ignore[dict-item]
            against = fits(form, value) and any(game.contradictions(with_told(component, field, value)))  # type: ignore[arg-type]
            assert bool(problems) == (not fits(form, value) or against), (component.id, field, value)
            assert all(has_words(text) for text in problems)
            if problems:
                continue
            game.usual_box().taught({f"{component.id}.{field}": value})  # type: ignore[dict-item]
        assert any(not fits(form, value) for value in rubbish)


@every_game
def test_only_what_fits_decodes(game: Game) -> None:
    """The form says neither more nor less than the type it is made of: what does not fit no component takes."""
    random = Random(3)
    for component, field, form in teachable(game, game.usual_box()):
        value = anything(form, random)
        for wrong in spoiled(form, value):
            assert not fits(form, wrong)
            with pytest.raises(msgspec.ValidationError):
                with_told(component, field, wrong)


def spoiled(form: Form, value: Any) -> Iterator[Any]:
    """A value that is almost right."""
    match form:
        case Number(low, high):
            yield from (low - 1, high + 1, str(value))
        case TextLine(longest):
            yield from ("", "x" * (longest + 1), 3)
        case OneOf():
            yield f"{value}x"
        case SeveralOf():
            yield [*value, "x"]
        case ListOf(item, least):
            if least:
                yield []
            for wrong in spoiled(item, anything(item, Random(1))):
                yield [*value, wrong]
        case Kinds(kinds):
            yield {**value, kinds[0].tag_field: "x"}
            for wrong in spoiled(next(k for k in kinds if k is form.of(value)), value):
                yield wrong
        case Record(fields):
            for field in fields:
                yield from ({**value, field.name: wrong} for wrong in spoiled(field.form, value[field.name]))


def _known(component: Component) -> dict[str, Any]:
    raw: dict[str, Any] = msgspec.to_builtins(component)
    return raw


@every_game
def test_what_nobody_can_print_is_refused(game: Game) -> None:
    id = next(iter(game.usual_box())).id
    wrong = {f"{id}.id": "x", f"{id}.own": True, f"{id}.nothing": 1, "nobody.cost": 1}
    assert len(list(game.bad_facts(wrong))) == len(wrong)


@everywhere
def test_the_box_as_we_know_it_is_as_the_rulebook_counts(game: Game, setup: Setup) -> None:
    assert game.disagreements(replace(setup, facts={})) == ()


@everywhere
def test_whatever_a_rulebook_counts_is_in_the_box_and_has_words(game: Game, setup: Setup) -> None:
    box = game.catalogue(setup, {})
    for cohort in game.census(setup):
        members = cohort.members(box)
        assert members
        assert has_words(cohort.text)
        for breakdown in cohort.breakdowns:
            assert all(has_words(breakdown.text(bucket)) for bucket in breakdown.printed)
            buckets = {bucket for component in members for bucket in breakdown.of(component) or ()}
            assert all(has_words(breakdown.text(bucket)) for bucket in buckets)
    for found in game.progress(replace(setup, facts={})):
        assert 0 <= found.told <= found.total
        assert has_words(found.words)
        assert not found.disagreeing
