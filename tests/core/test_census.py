"""The census: compares what people taught with what a rulebook counts, and says which component is probably wrong."""

from __future__ import annotations

from typing import Annotated, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Meta

from companion.core.census import Breakdown, Cohort, Progress, disagreements, only, progress
from companion.core.components import UNKNOWN, Catalogue, Component, Names, Untold, Value
from companion.core.words import plain
from companion.texts import render

COSTS = {1: 2, 2: 1}
WORDS = {"rebel": 1, "alien": 2}


class World(Component, frozen=True, kw_only=True):
    cost: Annotated[int, Meta(ge=0, le=9)] | Untold = UNKNOWN
    words: frozenset[Literal["rebel", "alien"]] | Untold = UNKNOWN


class Home(Component, frozen=True, kw_only=True):
    pass


WORLDS = Cohort(
    plain("worlds"),
    lambda c: isinstance(c, World),
    (
        Breakdown(lambda c: only(c.cost), COSTS, lambda cost: plain(f"cost {cost}")),
        Breakdown(lambda c: None if c.words is UNKNOWN else c.words, WORDS, lambda word: plain(f"{word}s")),
    ),
)
BOX = Catalogue[Component](
    [*(World(id=id, name=Names(id.upper())) for id in "abc"), Home(id="home", name=Names("Home"))]
)


def said(**costs: int) -> dict[str, Value]:
    return {f"{id}.cost": cost for id, cost in costs.items()}


def found(facts: dict[str, Value], told_at: dict[str, float] | None = None) -> list[tuple[str, str]]:
    """What each disagreement is about, and its culprits in their order."""
    return [
        (render(wrong.text, "en"), "".join(wrong.components))
        for wrong in disagreements([WORLDS], BOX.taught(facts), told_at)
    ]


def counts(printed: int, what: str, there: int) -> str:
    return f"The rulebook counts {printed} of these: {what}. As told there are {there}."


@pytest.mark.parametrize("facts", [{}, said(a=1), said(a=1, b=1), said(a=2, c=1), said(a=1, b=2, c=1)])
def test_fewer_than_printed_is_fine_while_the_rest_can_make_it_up(facts: dict[str, Value]) -> None:
    assert found(facts) == []


def test_more_than_printed_is_wrong_however_little_was_told() -> None:
    assert found(said(b=2, c=2)) == [(counts(1, "cost 2", 2), "bc")]
    assert found(said(b=7)) == [(counts(0, "cost 7", 1), "b")]


def test_when_everything_was_told_it_is_said_what_is_missing_and_who_should_be_there() -> None:
    assert found(said(a=1, b=2, c=2)) == [(counts(2, "cost 1", 1), "bc"), (counts(1, "cost 2", 2), "bc")]


def test_what_those_left_cannot_make_up_is_missing_already() -> None:
    """One world is left, but none of two is alien yet."""
    assert found({"a.words": [], "b.words": []}) == [(counts(2, "aliens", 0), "")]
    assert found({"a.words": [], "b.words": ["alien"]}) == []


def test_one_thing_may_stand_in_several_buckets_or_in_none() -> None:
    facts: dict[str, Value] = {"a.words": ["rebel", "alien"], "b.words": [], "c.words": ["alien"]}
    assert found(facts) == []
    assert found({**facts, "b.words": ["rebel"]}) == [(counts(1, "rebels", 2), "ab")]


def test_the_most_frequent_and_latest_name_comes_first() -> None:
    facts: dict[str, Value] = {**said(a=2, b=2, c=2)}
    when = {"a": 10.0, "b": 30.0, "c": 20.0}
    assert found(facts, when)[1] == (counts(1, "cost 2", 3), "bca")
    facts = {**facts, "a.words": ["rebel"], "c.words": ["rebel"]}
    assert found(facts, when)[1] == (counts(1, "cost 2", 3), "cab")


def test_copies_count_as_often_as_they_are_in_the_box() -> None:
    twice = Catalogue([World(id="a", name=Names("A"), copies=2, cost=2), World(id="b", name=Names("B"))])
    (wrong,) = disagreements([WORLDS], twice)
    assert (render(wrong.text, "en"), wrong.components) == (counts(1, "cost 2", 2), ("a",))
    assert progress([WORLDS], twice)[0].total == 2  # copies are taught at once


def test_the_likely_ones_are_named_in_a_sentence() -> None:
    (wrong,) = disagreements([WORLDS], BOX.taught(said(b=2, c=2)))
    assert render(wrong.sentence(BOX), "en") == f"{counts(1, 'cost 2', 2)} Look at: B, C."
    assert render(wrong.sentence(BOX), "pl").endswith("Sprawdź: B, C.")


def test_progress_counts_what_is_wholly_told_and_what_cannot_be_right() -> None:
    facts: dict[str, Value] = {**said(a=2, b=2, c=2), "a.words": [], "b.words": ["rebel"]}
    worlds, others = progress([WORLDS], BOX.taught(facts))
    assert worlds == Progress(plain("worlds"), 2, 3, 2)
    assert render(worlds.words, "en") == "worlds: 2 of 3, 2 disagree with the rulebook’s counts"
    assert render(worlds.words, "pl") == "worlds: 2 z 3, 2 nie zgadzają się z instrukcją"
    assert (others.told, others.total, others.disagreeing) == (1, 1, 0)
    assert render(others.words, "en") == "components: 1 of 1"


def test_what_is_in_no_group_is_told_by_its_kind() -> None:
    shown = progress([], BOX, lambda c: plain(type(c).__name__))
    assert [(render(one.text, "en"), one.told, one.total) for one in shown] == [
        ("World", 0, 3),
        ("Home", 1, 1),
    ]


@given(costs=st.lists(st.sampled_from([1, 2, 3]), min_size=3, max_size=3), told=st.integers(0, 3))
def test_what_can_still_become_right_is_never_blamed_and_what_is_complete_must_match(
    costs: list[int], told: int
) -> None:
    """A part of a right box is right; a whole box is right only as printed."""
    facts = said(**dict(zip("abc", costs, strict=True)))
    right = sorted(costs) == [1, 1, 2]
    assert (found(facts) == []) == right
    if right:
        assert found(dict(list(facts.items())[:told])) == []
