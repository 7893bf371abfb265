"""The two printings: five cards differ (second edition not checked against a printed deck)."""

from __future__ import annotations

import pytest

from companion.core.words import say
from companion.games.race import GAME
from companion.games.race.cards import deck
from companion.games.race.steps.place import BeginPlacing
from companion.texts import render
from tests.games.race.race_tables import answer, at, number, options, passing, seat, table, told

CHANGED = {
    "bio-hazard-mining-world",
    "black-market-trading-world",
    "imperium-armaments-world",
    "outlaw-world",
    "merchant-guild",
}


def test_five_cards_differ_and_no_others() -> None:
    first, second = deck("first"), deck("second")
    assert [c.id for c in first] == [c.id for c in second]
    assert {c.id for c in first if c != second[c.id]} == CHANGED


@pytest.mark.parametrize(
    ("card", "first", "second"),
    [
        ("bio-hazard-mining-world", (3, 2), (2, 0)),
        ("black-market-trading-world", (3, 2), (2, 1)),
        ("imperium-armaments-world", (4, 2), (3, 2)),
    ],
)
def test_costs_and_points_of_both_editions(
    card: str, first: tuple[int, int], second: tuple[int, int]
) -> None:
    for edition, (cost, points) in (("first", first), ("second", second)):
        before = table(seat("old-earth"), seat("new-sparta"), edition=edition)
        state = passing(answer(at(before, BeginPlacing("settle")), 0, card))
        assert [number(t) for t in told(state, "race.pay", 0)] == [cost]
        lines = {line.what: line.points for line in GAME.sheet(state).seats[0].lines}
        assert lines[card] == points


def test_outlaw_world_has_military_in_the_second_edition_only() -> None:
    for edition, conquers in (("first", False), ("second", True)):
        before = table(seat("old-earth", "outlaw-world"), seat("new-sparta"), edition=edition)
        state = at(before, BeginPlacing("settle"))
        assert ("runaway-robots" in options(state, 0)) == conquers


def test_merchant_guild_counts_goods_in_the_second_edition_only() -> None:
    for edition, points in (("first", 4), ("second", 4 + 2)):
        worlds = ("gem-world", "comet-zone", "asteroid-belt")
        before = seat("old-earth", "merchant-guild", *worlds, goods=("gem-world", "asteroid-belt"))
        lines = GAME.sheet(table(before, seat("new-sparta"), edition=edition)).seats[0].lines
        assert {line.what: line.points for line in lines}["merchant-guild"] == points


def test_second_edition_facts_say_that_they_are_doubtful() -> None:
    told_by = deck("second").fact("imperium-armaments-world", "cost")
    assert told_by.note is not None
    assert "not checked" in render(say(told_by.note), "en")
    assert deck("second").fact("gem-world", "cost").note != told_by.note
