"""The facts asked for to score a table are those that would change its score, compared with an answer worked
out by hand."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import msgspec
import pytest

from companion.core import needs
from companion.core.components import with_told
from companion.core.fact_values import anything
from companion.core.needs import needed
from companion.games.frontiers import position_needs
from companion.games.frontiers.component_types import Tile, everything, ids
from companion.games.frontiers.position_facts import FACTS as TOLD
from companion.games.frontiers.position_needs import GOALS_LOOK_AT, bonus_needs, goal_needs
from scoring import frontiers as scoring
from scoring.frontiers import Term
from tests import budgets
from tests.games.frontiers import needs_by_hand
from tests.games.frontiers.made_up_box import FACTS
from tests.games.frontiers.test_frontiers_guesses import any_term

FIELDS = ("price", "cost", "product", "keywords", "powers")
MOST_CALLS = 1500
"""Of the scorer, for one question about one empire."""


def _any_tile(id: str, random: Random) -> Tile:
    """A tile of the made-up box of which some things were not told."""
    tile = everything()[id]
    assert isinstance(tile, Tile)
    for field in FIELDS:
        if f"{id}.{field}" in FACTS and random.random() < 0.65:
            tile = with_told(tile, field, FACTS[f"{id}.{field}"])
    return tile


def _empires(n: int) -> Iterator[tuple[Random, list[Tile]]]:
    random = Random(31)
    for _ in range(n):
        chosen = ["home-1a", *random.sample(ids("worlds"), 4), *random.sample(ids("developments"), 4)]
        yield random, [_any_tile(id, random) for id in chosen]


def _any_terms(random: Random) -> tuple[Term, ...]:
    terms = [any_term(random) for _ in range(random.randint(1, 3))]
    if random.random() < 0.2:
        terms.append({"does": "per-held", "held": "kinds"})
    if random.random() < 0.3:
        terms.append({"does": "per-tile", "least": random.randint(1, 4), "most": random.randint(5, 9)})
    return msgspec.convert(tuple(terms), tuple[Term, ...])


def _told_anyhow(empire: list[Tile], random: Random, but: tuple[str, str]) -> list[Tile]:
    """The empire with anything for what nobody told, but for one fact."""
    told = []
    for tile in empire:
        for field in FIELDS:
            if getattr(tile, field, None) is position_needs.UNKNOWN and (tile.id, field) != but:
                form = TOLD.forms(tile.id)[field]
                tile = with_told(tile, field, anything(form, random))
        told.append(tile)
    return told


def _counts(terms: tuple[Term, ...], empire: list[Tile], but: tuple[str, str], random: Random) -> set[Any]:
    """What a '?' gives for whatever that one fact is."""
    (at,) = [n for n, tile in enumerate(empire) if tile.id == but[0]]
    form = TOLD.forms(but[0])[but[1]]
    found = set()
    for _ in range(25):
        tile = with_told(empire[at], but[1], anything(form, random))
        tiles = (*empire[:at], tile, *empire[at + 1 :])
        question = scoring.Tile(id="?", sort="development", question=True, bonus=terms)
        seat = scoring.Seat(name="", tiles=tuple(one.for_scoring for one in tiles))
        found.add(scoring.bonus_line(question, seat).points)
    return found


def test_a_question_mark_needs_what_was_worked_out_by_hand_or_less() -> None:
    alike, less = 0, []
    for random, empire in _empires(2000 if budgets.campaign else 300):
        terms = _any_terms(random)
        now, by_hand = bonus_needs(terms, empire), needs_by_hand.bonus_needs(terms, empire)
        for id in {*now, *by_hand}:
            assert set(now.get(id, ())) <= set(by_hand.get(id, ())), (terms, id)
        dropped = [(id, f) for id, fields in by_hand.items() for f in fields if f not in now.get(id, ())]
        alike += not dropped
        less += [(terms, empire, fact) for fact in dropped]
    assert alike > 250
    for terms, empire, fact in less[:40]:
        told = _told_anyhow(empire, Random(1), fact)
        assert len(_counts(terms, told, fact, Random(2))) == 1, "what is not asked for changes nothing"


def test_a_goal_needs_what_was_worked_out_by_hand() -> None:
    for _, empire in _empires(1000 if budgets.campaign else 200):
        for goal in ids("goals"):
            now, by_hand = goal_needs(goal, empire), needs_by_hand.goal_needs(goal, empire)  # type: ignore[arg-type]
            assert now == by_hand, goal
    assert set(GOALS_LOOK_AT) == set(needs_by_hand.LOOKS_AT)


def test_a_question_is_answered_with_few_calls_of_the_scorer(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = 0

    def counting(may_be: Any, count: Any) -> tuple[str, ...]:
        def counted(values: Any) -> object:
            nonlocal calls
            calls += 1
            return count(values)

        return needs.needed(may_be, counted)

    monkeypatch.setattr(position_needs, "needed", counting)
    most = 0
    for random, empire in _empires(100):
        calls = 0
        bonus_needs(_any_terms(random), empire)
        most = max(most, calls)
        for goal in GOALS_LOOK_AT:
            calls = 0
            goal_needs(goal, empire)
            most = max(most, calls)
    assert 100 < most < MOST_CALLS


def test_only_what_can_change_a_count_is_needed() -> None:
    small = {"a": (0, 1), "b": (0, 1), "c": (0, 1)}
    assert needed(small, lambda of: of["a"] and of["b"]) == ("a", "b")
    assert needed(small, lambda of: 5) == ()
