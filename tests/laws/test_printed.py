"""Every printed fact can be read out, and only what can be printed is taught."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from companion.core.components import UNKNOWN
from companion.core.game import Game, Setup
from companion.core.words import Text, inside
from companion.texts import LANGUAGES, catalogue
from tests.laws.walks import GAMES, everywhere

SAME = ("id", "name", "own")
"""What every component has and every screen shows anyway."""


def has_words(text: Text) -> bool:
    keys = {k[0] if isinstance(k, tuple) else k for lang in LANGUAGES for k in catalogue(lang)._catalog}  # type: ignore[attr-defined]
    return all(part.key == "core.plain" or part.key in keys for part in inside(text))


@everywhere
def test_every_field_of_every_component_has_words(game: Game, setup: Setup) -> None:
    for component in game.catalogue(setup):
        rows = {row.field: row for row in game.printed(component)}
        for field in component.__struct_fields__:
            value = getattr(component, field)
            if field in SAME or value is None or value in ((), frozenset()):
                continue
            assert bool(rows[field].values) == (value is not UNKNOWN), (component.id, field)
            assert all(has_words(text) for text in (rows[field].text, *rows[field].values))
        assert set(rows) <= set(component.__struct_fields__)


@everywhere
def test_everything_that_may_be_taught_fits_and_is_used(game: Game, setup: Setup) -> None:
    box = game.catalogue(setup)
    for component in box:
        for row in game.printed(component):
            values = [id for id, _ in row.choices] if row.bounds is None else list(row.bounds)
            for value in values:
                assert all(has_words(text) for _, text in row.choices)
                key = f"{component.id}.{row.field}"
                assert list(game.bad_facts({key: value})) == []
                assert getattr(box.taught({key: value})[component.id], row.field) == value


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_what_nobody_can_print_is_refused(game: Game) -> None:
    id = next(iter(game.catalogue(game.complete(Setup(game.id, ()))))).id
    wrong = {f"{id}.id": "x", f"{id}.name": "x", f"{id}.nothing": 1, "nobody.cost": 1}
    assert len(list(game.bad_facts(wrong))) == len(wrong)


@everywhere
def test_the_box_as_we_know_it_is_as_the_rulebook_counts(game: Game, setup: Setup) -> None:
    assert game.census(replace(setup, facts={})) == ()
