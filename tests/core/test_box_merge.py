"""Merging somebody else's taught box: what is new, equal or different; taken over completely or not at all."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.core.binder import Binder, Taught, read_box, values
from companion.core.box_merge import Conflict, compare, possible, take_over
from companion.core.components import Value
from companion.core.fact_values import wrongs
from companion.core.forms import Named, SeveralOf
from companion.core.game import every_game
from companion.core.store import Store
from companion.core.words import plain
from companion.errors import CountsDisagree, DataTrouble
from companion.games.lantern import GAME as LANTERN
from companion.games.race import GAME as RACE
from companion.texts import render


def said(key: str, value: Value | None, by: str = "Ola", at: float = 9.0, game: str = "lantern") -> Taught:
    component, _, field = key.rpartition(".")
    return Taught(game=game, component=component, field=field, value=value, at=at, by=by)


@pytest.fixture
def binder(tmp_path: Path) -> Iterator[Binder]:
    with Store(tmp_path / "journal.db") as store:
        yield Binder(store)


def test_new_same_and_told_otherwise() -> None:
    ours = {
        s.key: s for s in (said("moth.light", 1, "Ania"), said("torch.light", 2), said("candle.light", None))
    }
    theirs = (
        said("moth.light", 3),
        said("torch.light", 2, at=1.0),
        said("candle.light", 1),
        said("x.light", None),
    )
    merge = compare(ours, theirs)
    assert merge.new == (theirs[2],)
    assert merge.same == (theirs[1],)
    assert merge.conflicts == (Conflict(ours["moth.light"], theirs[0]),)
    assert merge.taken(()) == (theirs[2],)
    assert merge.taken({"moth.light"}) == (theirs[2], theirs[0])


def test_what_is_taken_over_keeps_who_said_it_and_when(binder: Binder) -> None:
    binder.teach("lantern", "moth", "light", 1, 5.0, by="Ania")
    assert take_over(binder, LANTERN, (said("moth.light", 3), said("firefly.colour", "cold"))) == 2
    assert binder.latest("lantern")["moth.light"] == said("moth.light", 3)
    assert [taught.by for taught in binder.history("lantern")] == ["Ania", "Ola", "Ola"]


def test_one_impossible_fact_refuses_all_of_them(binder: Binder) -> None:
    with pytest.raises(DataTrouble) as raised:
        take_over(binder, LANTERN, (said("moth.light", 3), said("moth.colour", "green")), insist=True)
    assert not isinstance(raised.value, CountsDisagree)
    assert [problem.key for problem in raised.value.problems] == ["binder.does-not-fit"]
    assert binder.history("lantern") == ()


def test_a_fact_of_ours_that_nothing_has_a_place_for_any_more_is_no_fault_of_theirs(binder: Binder) -> None:
    binder.teach("lantern", "comet", "light", 3, 5.0)
    assert take_over(binder, LANTERN, (said("moth.light", 3),)) == 1


def test_what_the_rulebook_counts_otherwise_is_taken_over_only_if_somebody_insists(binder: Binder) -> None:
    binder.teach("race", "gem-world", "points", 1, 5.0)
    theirs = (said("old-earth.cost", 4, game="race"),)
    with pytest.raises(CountsDisagree) as raised:
        take_over(binder, RACE, theirs)
    assert {problem.key for problem in raised.value.problems} == {"census.likely"}
    assert len(binder.history("race")) == 1
    assert take_over(binder, RACE, theirs, insist=True) == 1
    assert values(binder.history("race")) == {"gem-world.points": 1, "old-earth.cost": 4}


def box(*facts: dict[str, Any]) -> bytes:
    head = {"format": "tabletop-companion facts", "version": 1, "game": "lantern"}
    return msgspec.json.encode({**head, "facts": [{"game": "lantern", "at": 1, **fact} for fact in facts]})


WHOLE = box(
    {"component": "moth", "field": "light", "value": 3, "by": "Ola"},
    {"component": "firefly", "field": "effects", "value": [{"does": "glow", "oil": 2}], "note": "ą"},
    {"component": "firefly", "field": "colour", "value": "cold"},
)


def read_and_judged(data: bytes) -> bool:
    """Whether a file is taken; whatever is wrong with it is said in both languages."""
    try:
        possible(LANTERN, read_box(data, "lantern"))
    except DataTrouble as trouble:
        for text in (trouble.text, *trouble.problems):
            assert all(text.key not in render(text, language) for language in ("en", "pl"))
        return False
    return True


@settings(max_examples=150, deadline=None)
@given(data=st.data())
def test_a_spoiled_box_is_refused_in_words_or_still_tells_what_can_be_printed(data: st.DataObject) -> None:
    spoiled = bytearray(WHOLE)
    for _ in range(data.draw(st.integers(1, 4))):
        spoiled[data.draw(st.integers(0, len(spoiled) - 1))] = data.draw(st.integers(0, 255))
    cut = data.draw(st.integers(len(spoiled) // 2, len(spoiled)))
    read_and_judged(bytes(spoiled[:cut]))
    assert read_and_judged(WHOLE)


def test_a_list_no_box_has_is_refused_at_once() -> None:
    """A file of a few megabytes must not keep anybody waiting for hours."""
    long = [{"does": "glow", "oil": 2}] * 100_000
    assert not read_and_judged(box({"component": "firefly", "field": "effects", "value": long}))
    several = SeveralOf(tuple(Named(n, plain(str(n))) for n in range(100_000)))
    assert [wrong.why.key for wrong in wrongs(several, list(range(100_000)))] == ["core.form.too-many"]


def test_of_very_many_problems_only_the_first_are_told() -> None:
    many = box(*({"component": f"card-{n}", "field": "light", "value": 1} for n in range(500)))
    with pytest.raises(DataTrouble) as raised:
        possible(LANTERN, read_box(many, "lantern"))
    assert len(raised.value.problems) == 21
    assert render(raised.value.problems[-1], "en") == "… and 480 more."
    assert raised.value.text.n == 500


@pytest.mark.parametrize("words", ["sirius", "Sirius", "Syriusz", "syriusz"])
def test_a_file_may_call_a_component_by_its_name_in_either_language(words: str) -> None:
    told = Taught(game="beyond", component=words, field="strength", value=4, at=1.0)
    (fact,) = possible(every_game()["beyond"], (told,))
    assert fact.key == "sirius.strength"


def test_a_fact_told_by_id_and_by_name_is_told_twice() -> None:
    told = (
        Taught(game="beyond", component=words, field="strength", value=4, at=1.0)
        for words in ("sirius", "Syriusz")
    )
    with pytest.raises(DataTrouble) as trouble:
        possible(every_game()["beyond"], told)
    assert [text.key for text in trouble.value.problems] == ["binder.twice"]
