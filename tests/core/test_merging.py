"""Somebody else's taught box: what is new, what is the same, what is told otherwise; taken over whole or not at all."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.core.binder import Binder, Taught, values
from companion.core.components import Value
from companion.core.merging import Conflict, compare, take_over
from companion.core.store import Store
from companion.errors import CountsDisagree, DataTrouble
from companion.games.lantern import GAME as LANTERN
from companion.games.race import GAME as RACE


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
