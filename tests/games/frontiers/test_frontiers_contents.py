"""The contents of the box (p. 1, 10), and what lies where without counting."""

from __future__ import annotations

from companion.core.forms import OneOf, form_of
from companion.games.frontiers.component_types import CUBES, Home, World
from companion.games.frontiers.powers import AnyPower
from companion.games.frontiers.state import FrontiersState
from scoring.frontiers import KEYWORDS, PHASES
from tests.games.frontiers.tables import seat, table


def test_pools_are_what_ones_and_fives_make() -> None:
    """Rules 6 and 25: 25 ones and 7 fives are the pool of five players; tens come in only when it is empty."""
    assert table(5).pool == 25 * 1 + 7 * 5
    assert table(5, ania=seat(chips=63)).pool == -3


def test_only_a_world_of_the_bag_may_be_of_any_kind() -> None:
    """Rule 12."""
    world, home = form_of(World, "product", "frontiers"), form_of(Home, "product", "frontiers")
    assert isinstance(world, OneOf)
    assert isinstance(home, OneOf)
    values = {one.value for one in world.values}
    assert values - {one.value for one in home.values} == {"any-windfall", "any-production"}


def test_five_words_and_six_icons() -> None:
    """Rules 14 and 65: every power belongs to an action, if need be by being told which."""
    assert len(KEYWORDS) == 5
    phased = [sort for sort in AnyPower.__args__ if "phase" not in sort.__struct_fields__]
    assert {sort.phase for sort in phased} == set(PHASES)


def test_the_cubes_suffice_for_every_world_and_a_few_homes() -> None:
    """Rule 19: beyond the worlds the census counts there is room for 4/4/2/2 homes and the refinery."""
    bag = {"novelty": 12 + 3, "rare": 9 + 4, "genes": 5 + 6, "alien": 4 + 5}
    assert {kind: CUBES[kind] - n for kind, n in bag.items()} == {
        "novelty": 4,
        "rare": 4,
        "genes": 2,
        "alien": 2,
    }


def test_explored_worlds_are_no_colonies() -> None:
    """Rule 74: neither powers nor points, and they end nothing."""
    taught = {"world-10.powers": [{"does": "military", "n": 3}], "world-10.points": 5}
    state: FrontiersState = table(taught=taught, ania=seat(explored=("world-10",)))
    assert not list(state.powers(0, "settle"))
    assert "world-10" not in {tile.id for tile in state.tiles(0)}
    assert len(state.seats[0].colonies) == 1
