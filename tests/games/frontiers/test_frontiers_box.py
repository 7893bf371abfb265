"""The contents of the box of New Frontiers (rules 1 to 20): as many as its list says, and nothing invented."""

from __future__ import annotations

from collections import Counter
from typing import get_args

from companion.core.components import UNKNOWN
from companion.games.frontiers.component_types import (
    CUBES,
    LARGE_COST,
    Development,
    Product,
    World,
    everything,
    ids,
    printed_box,
)
from companion.games.frontiers.position_limits import TENS
from companion.games.frontiers.state import PER_SEAT
from companion.games.frontiers.view import actions
from companion.texts import render
from scoring.frontiers import KEYWORDS, KINDS


def developments() -> tuple[Development, ...]:
    return printed_box().developments


def test_developments_by_size_copies_and_faces() -> None:
    """Rules 2 and 3: eight sorts with one face, eight with two, eight large tiles with two; 56 tiles in all."""
    small = [tile for tile in developments() if not tile.large]
    large = [tile for tile in developments() if tile.large]
    assert (len(developments()), len(small), len(large)) == (40, 24, 16)
    assert {tile.copies for tile in small} == {3}
    stacks = Counter(tile.stack for tile in developments())
    assert stacks.pop("") == 8
    assert (len(stacks), set(stacks.values())) == (16, {2})
    tiles = sum(tile.copies for tile in small if not tile.stack)
    tiles += sum(tile.copies for tile in developments() if tile.stack) // 2
    assert tiles == 56
    assert all((tile.size, tile.cost, tile.points) == (2, LARGE_COST, "?") for tile in large)


def test_worlds_homes_goals_and_actions() -> None:
    """Rules 1, 8, 9 and 10: Isolation and Chart Goals are two sides of one tile."""
    assert (len(ids("worlds")), len(ids("homes")), len(ids("goals"))) == (60, 16, 8)
    sides = Counter((home.mat, home.white) for home in printed_box().homes)
    assert sorted(sides) == [(mat, white) for mat in range(1, 9) for white in (False, True)]
    assert {*actions(goals=False), *actions(goals=True)} == set(ids("actions"))
    assert len(actions(goals=True)) == len(actions(goals=False)) == 7


def test_pieces() -> None:
    """Rules 4 to 6: 60 goods, 60 colonists and ones and fives for 60 points, which is five players' share."""
    assert (CUBES, sum(CUBES.values())) == ({"novelty": 19, "rare": 17, "genes": 13, "alien": 11}, 60)
    assert PER_SEAT * 5 == 60 == 25 * 1 + 7 * 5
    assert TENS == 8 * 10


def test_a_coloured_world_is_windfall_or_production() -> None:
    """Rules 12 and 13: gray has no kind and no goods; the refinery's kind is named."""
    for product in get_args(Product):
        world = World(id="x", name="X", product=product)
        if product == "gray":
            assert (world.kind, world.goods) == (None, None)
        else:
            assert world.kind in (*KINDS, "any")
            assert world.goods in ("windfall", "production")
    assert World(id="x", name="X", product="any-windfall").for_scoring.any_kind


def test_yellow_worlds_carry_the_alien_word_the_refinery_does_not() -> None:
    """Rules 14 and 15: for the refinery nobody knows, so it is as people say."""
    yellow = World(id="x", name="X", product="alien-windfall", keywords=frozenset())
    assert yellow.marked == {"alien"}
    assert World(id="x", name="X", product="any-windfall", keywords=frozenset()).marked == frozenset()
    assert set(KEYWORDS) == {"alien", "imperium", "rebel", "terraforming", "uplift"}


def test_nothing_is_invented() -> None:
    """Rule 20: three worlds are known, no home, two of the large bonuses, and what is printed of powers."""
    known = [world.id for world in printed_box().worlds if not world.unknown()]
    assert known == ["devolved-uplift-race", "artist-settlement", "imperium-survey-hq"]
    for home in printed_box().homes:
        assert all(value is UNKNOWN for value in (home.points, home.product, home.keywords, home.powers))
    bonuses = [tile.id for tile in developments() if tile.bonus is not UNKNOWN]
    assert bonuses == ["pan-galactic-league", "imperium-lords"]
    priced = {tile.id: tile.cost for tile in developments() if not tile.large and tile.cost is not UNKNOWN}
    assert priced == {"space-marines": 2, "homesteading-pioneers": 3}


def test_nameless_tiles_have_the_name_of_their_place() -> None:
    names = Counter(render(component.called, "en") for component in everything())
    assert max(names.values()) == 1
    assert render(everything()["world-10"].called, "pl") == "Planeta 10"
