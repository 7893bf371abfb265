"""Produce (p. 7)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from companion.core.agenda import advance, open_asks
from companion.core.questions import Picks
from companion.games.frontiers.state import Colony, FrontiersState, Seat
from companion.games.frontiers.steps.produce import ResolveProduce
from tests.games.frontiers.tables import answer, asked, at, options, question, seat, table
from tests.games.frontiers.tiles import Facts, development, power, taught, world

REFINERY = "alien-oort-cloud-refinery"
MINES = {f"world-{n}": "rare" for n in range(10, 13)}


def producing(
    facts: Facts | None = None, credits: int = 0, goals: tuple[str, ...] = (), **seats: Seat
) -> FrontiersState:
    """Ania has just selected Produce."""
    state = table(taught=facts, action="produce", goals=bool(goals), **seats)
    return at(replace(state, produce_credits=credits, goals_up=goals), ResolveProduce())


def goods(state: FrontiersState, who: int) -> list[str | None]:
    """The goods on the colonies of a seat but the home."""
    return [colony.good for colony in state.seats[who].colonies[1:]]


def test_the_credits_on_the_tile_are_the_selectors() -> None:
    """Rules 45, 123: three credits lie there."""
    state = producing(credits=3, ania=seat(credits=1))
    assert state.seats[0].credits == 4
    assert state.produce_credits == 0


def test_every_empty_production_colony_gets_a_good_and_nobody_is_asked() -> None:
    """Rules 13, 73, 124, 125: of its colour; gray and windfall ones get none, full ones keep one."""
    facts = taught(
        world("home-2a", product="novelty-production"),
        world("world-10", product="rare-production"),
        world("world-11", product="genes-production"),
        world("world-12", product="gray"),
        world("world-13", product="alien-windfall"),
    )
    mine = seat("world-10", "world-11", "world-12", "world-13", goods={"world-11": "genes"})
    state = producing(facts, ola=mine)
    assert [colony.good for colony in state.seats[1].colonies] == ["novelty", "rare", "genes", None, None]
    assert state.seats[1].produced == ("home-2a", "world-10")
    assert open_asks(state) == []


def test_the_selector_makes_one_windfall_good() -> None:
    """Rule 126: automatic where there is one, chosen where there are several; others make none."""
    facts = taught(
        world("world-10", product="genes-windfall"),
        world("world-11", product="alien-windfall"),
        world("world-12", product="rare-windfall"),
    )
    state = producing(facts, ania=seat("world-10"), ola=seat("world-12"))
    assert (goods(state, 0), goods(state, 1)) == (["genes"], [None])
    state = producing(facts, ania=seat("world-10", "world-11"))
    assert options(state, 0) == ["world-11", "world-10"]
    assert goods(answer(state, 0, "world-10"), 0) == ["genes", None]
    assert goods(producing(facts, ania=seat("world-10", goods={"world-10": "genes"})), 0) == ["genes"]


COMET = world("world-10", "cost-2", "rare-production", power("gain-if-produced-here", gain="credits", n=1))


@pytest.mark.parametrize(("lying", "credits"), [({}, 1), ({"world-10": "rare"}, 0)])
def test_a_good_made_here_pays_one_lying_here_does_not(lying: dict[str, str], credits: int) -> None:
    """Rules 72, 127: Comet Zone."""
    assert producing(COMET, ola=seat("world-10", goods=lying)).seats[1].credits == credits


def test_a_good_made_by_the_bonus_pays_as_well() -> None:
    """Rule 127."""
    facts = world("world-10", "cost-2", "genes-windfall", power("gain-if-produced-here", n=2))
    assert producing(facts, ania=seat("world-10")).seats[0].credits == 2


def miner(n: int, lying: int = 0, tied: bool = False) -> Facts:
    return taught(
        *(world(f"world-{10 + k}", product="rare-production") for k in range(n + lying)),
        development("mining-industries", power("gain-if-most", gain="points", n=2, good="rare", tied=tied)),
    )


def test_mining_industries_compare_goods_made_in_this_action() -> None:
    """Rule 128: three against two made, whatever lay there; a tie only if the tile says so."""
    facts = taught(miner(3), *(world(f"world-{n}", product="rare-production") for n in range(20, 24)))
    tiles = ("mining-industries",)
    mine = seat("world-10", "world-11", developments=tiles)
    rival = seat("world-20", "world-21", goods={"world-21": "rare"})
    assert producing(facts, ola=mine, jan=rival).seats[1].chips == 2
    equal = seat("world-20", "world-21")
    assert producing(facts, ola=mine, jan=equal).seats[1].chips == 0
    assert producing(taught(facts, miner(3, tied=True)), ola=mine, jan=equal).seats[1].chips == 2
    nobody = producing(taught(facts, miner(3, tied=True)), ola=seat(developments=tiles))
    assert nobody.seats[1].chips == 0


def test_large_developments_pay_for_colonies_goods_or_not() -> None:
    """Rule 129: each Genes colony; each military Rebel colony."""
    facts = taught(
        world("world-10", "cost-2", "genes-production"),
        world("world-11", "defence-2", "genes-windfall", keywords=("rebel",)),
        world("world-12", "cost-2", keywords=("rebel",)),
        world("world-13", "defence-3", keywords=("rebel",)),
        development("pan-galactic-league", power("gain-per-colony", n=1, match="genes")),
        development("imperium-lords", power("gain-per-colony", n=2, match="rebel", military="military")),
    )
    tiles = ("pan-galactic-league", "imperium-lords")
    mine = seat("world-10", "world-11", "world-12", "world-13", developments=tiles)
    assert producing(facts, ola=mine).seats[1].credits == 2 + 4, (
        "two military Rebel colonies, one that is not"
    )


def test_gains_by_goods_made() -> None:
    """Rules 67, 68."""
    facts = taught(
        world("world-10", product="genes-production"),
        world("world-11", product="rare-production"),
        development("survey-team", power("gain-per-produced", gain="points", n=1)),
        development("export-duties", power("gain-per-produced", n=2, good="genes")),
        development("mining-robots", power("gain", phase="produce", gain="colonists", n=1)),
    )
    tiles = ("survey-team", "export-duties", "mining-robots")
    ola = producing(facts, ola=seat("world-10", "world-11", developments=tiles)).seats[1]
    assert (ola.chips, ola.credits, ola.colonists) == (2, 2, 1)


def test_a_windfall_power_comes_before_the_bonus_which_takes_another_colony() -> None:
    """Rule 130: for Genes the power, for the other colony the bonus; nobody is asked.

    The bonus alone would take the more expensive Genes, and nothing would be left for the power.
    """
    facts = taught(
        world("world-10", product="genes-windfall"),
        world("world-11", product="novelty-windfall"),
        development("survey-team", power("produce-windfall", good="genes")),
    )
    state = producing(facts, ania=seat("world-10", "world-11", developments=("survey-team",)))
    assert goods(state, 0) == ["genes", "novelty"]
    assert asked(state, 0) is None


def test_where_windfall_goods_are_chosen_the_powers_come_before_the_bonus() -> None:
    """Rule 130: two Genes colonies for the power, then all that are left for the bonus."""
    facts = taught(
        *(world(f"world-{n}", product="genes-windfall") for n in (10, 11)),
        world("world-12", product="alien-windfall"),
        development("survey-team", power("produce-windfall", good="genes")),
    )
    state = producing(facts, ania=seat("world-10", "world-11", "world-12", developments=("survey-team",)))
    assert options(state, 0) == ["world-10", "world-11"]
    assert options(answer(state, 0, "world-11"), 0) == ["world-12", "world-10"]


def test_a_windfall_power_of_a_kind_needs_such_a_colony() -> None:
    """Rule 130."""
    facts = taught(
        world("world-10", product="rare-windfall"),
        development("survey-team", power("produce-windfall", good="genes")),
        development("export-duties", power("produce-windfall")),
    )
    assert goods(producing(facts, ola=seat("world-10", developments=("survey-team",))), 1) == [None]
    assert goods(producing(facts, ola=seat("world-10", developments=("export-duties",))), 1) == ["rare"]


def test_where_every_windfall_colony_gets_one_nobody_is_asked() -> None:
    facts = taught(
        world("world-10", product="genes-windfall"),
        world("world-11", product="genes-windfall"),
        world("world-12", product="rare-windfall"),
        development("survey-team", power("produce-windfall", good="genes")),
        development("export-duties", power("produce-windfall")),
    )
    mine = seat("world-10", "world-11", "world-12", developments=("survey-team", "export-duties"))
    assert goods(producing(facts, ania=mine), 0) == ["genes", "genes", "rare"]
    state = producing(facts, ola=mine)
    assert options(state, 1) == ["world-10", "world-11"]
    state = answer(state, 1, "world-11", "world-12")
    assert goods(state, 1) == [None, "genes", "rare"]


# Shortage


def short(left: int, **seats: Seat) -> FrontiersState:
    """So many Rare goods are left in the box: all others are stored by Jan."""
    stored = ("rare",) * (17 - left)
    facts = taught(
        *(world(id, product="rare-production") for id in MINES),
        *(world(f"world-{n}", product="rare-windfall") for n in (20, 21)),
        *(world(f"world-{n}", product="rare-production") for n in (30, 31)),
    )
    return producing(facts, jan=seat(stored_goods=stored), **seats)


def test_in_a_shortage_the_selector_produces_wholly_first() -> None:
    """Rule 131: the selector's windfall good comes before the others' production."""
    state = short(2, ania=seat("world-10", "world-20"), ola=seat("world-30"))
    assert (goods(state, 0), goods(state, 1)) == (["rare", "rare"], [None])


def test_a_seat_with_more_colonies_than_cubes_chooses() -> None:
    """Rule 132."""
    state = short(2, ania=seat(*MINES), ola=seat("world-30"))
    assert asked(state, 1) is None
    assert options(state, 0) == list(MINES)
    state = answer(state, 0, "world-12", "world-10")
    assert (goods(state, 0), goods(state, 1)) == (["rare", None, "rare"], [None])


def test_windfall_colonies_that_will_not_all_get_a_cube_are_chosen() -> None:
    """Rule 132: two powers for two colonies, but one cube."""
    facts = taught(
        *(world(f"world-{n}", product="rare-windfall") for n in (20, 21)),
        development("survey-team", power("produce-windfall")),
    )
    mine = seat("world-20", "world-21", developments=("survey-team",))
    enough = producing(facts, ania=mine)
    assert goods(enough, 0) == ["rare", "rare"]
    scarce = producing(facts, ania=mine, jan=seat(stored_goods=("rare",) * 16))
    assert goods(answer(scarce, 0, "world-21"), 0) == [None, "rare"]


def test_a_correction_that_brings_cubes_back_ends_the_choice() -> None:
    state = short(2, ania=seat(*MINES), ola=seat("world-30"))
    plenty = replace(state.seats[2], stored_goods=())
    state = advance(state.with_seat(2, plenty))
    assert (goods(state, 0), goods(state, 1)) == (["rare"] * 3, ["rare"])


def test_an_exhausted_colour_makes_nothing_and_pays_nothing() -> None:
    """Rules 127, 131."""
    facts = world("world-10", "cost-2", "rare-production", power("gain-if-produced-here", n=1))
    state = producing(facts, ola=seat("world-10"), jan=seat(stored_goods=("rare",) * 17))
    assert (goods(state, 1), state.seats[1].credits) == ([None], 0)


def test_goods_are_stored_after_all_production() -> None:
    """Rules 159, 162: everybody may, once all goods are made."""
    facts = taught(
        world("world-10", product="rare-production"), world("world-20", product="genes-production")
    )
    state = producing(
        facts,
        goals=("resource-stockpile",),
        ania=seat("world-10"),
        ola=seat("world-20", goods={"world-20": "genes"}),
    )
    state = answer(answer(state, 1, "world-20"), 0, "no")
    assert state.seats[1].stored_goods == ("genes",)
    assert goods(state, 0) == ["rare"]


# The refinery


def test_the_refinery_makes_a_good_of_the_kind_named() -> None:
    """Rules 75, 78, 133."""
    facts = world(REFINERY, "cost-4", "any-production")
    state = producing(facts, ola=seat(REFINERY))
    assert sorted(options(state, 1)) == ["alien", "genes", "novelty", "rare"]
    state = answer(state, 1, "genes")
    assert goods(state, 1) == ["genes"]


def test_a_good_on_the_refinery_keeps_its_colour_and_nothing_is_named() -> None:
    """Rule 77."""
    state = producing(world(REFINERY, "cost-4", "any-production"), ola=seat(Colony(REFINERY, "rare")))
    assert goods(state, 1) == ["rare"]
    assert asked(state, 1) is None


def test_what_is_named_counts_for_every_power_of_the_action() -> None:
    """Rules 75, 128: the good is Rare, the colony is Rare."""
    facts = taught(
        world(REFINERY, "cost-4", "any-production"),
        development("mining-industries", power("gain-if-most", n=3, good="rare")),
        development("mining-league", power("gain-per-colony", gain="points", n=1, match="rare")),
        development("pan-galactic-league", power("gain-per-colony", gain="points", n=1, match="genes")),
    )
    tiles = ("mining-industries", "mining-league", "pan-galactic-league")
    ola = answer(producing(facts, ola=seat(REFINERY, developments=tiles)), 1, "rare").seats[1]
    assert (ola.credits, ola.chips) == (3, 1)


def test_a_full_refinery_is_named_by_itself_where_one_kind_pays() -> None:
    """Rule 75: the only kind that brings anything; with two it is asked."""
    facts = taught(
        world(REFINERY, "cost-4", "any-production"),
        development("mining-league", power("gain-per-colony", gain="points", n=1, match="rare")),
        development("pan-galactic-league", power("gain-per-colony", n=1, match="genes")),
    )
    mine = seat(Colony(REFINERY, "novelty"), developments=("mining-league",))
    state = producing(facts, ola=mine)
    assert asked(state, 1) is None
    assert state.seats[1].chips == 1
    both = producing(facts, ola=replace(mine, developments=("mining-league", "pan-galactic-league")))
    assert answer(both, 1, "genes").seats[1].credits == 1


def test_a_windfall_refinery_takes_part_in_powers_of_its_kind() -> None:
    """Rules 75, 130."""
    facts = taught(
        world(REFINERY, "cost-4", "any-windfall"),
        development("survey-team", power("produce-windfall", good="genes")),
    )
    state = producing(facts, ola=seat(REFINERY, developments=("survey-team",)))
    assert goods(answer(state, 1, "genes"), 1) == ["genes"]
    assert goods(answer(state, 1, "rare"), 1) == [None]
    # Nothing makes a good on it for a seat with neither power nor bonus.
    assert asked(producing(facts, ola=seat(REFINERY)), 1) is None


def test_what_only_the_table_can_tell_is_asked_when_goods_are_made() -> None:
    facts = taught(
        world("world-10", product="rare-production"),
        development("survey-team", power("told", phase="produce")),
    )
    state = producing(facts, ola=seat("world-10", developments=("survey-team",)))
    assert goods(state, 1) == ["rare"]
    assert answer(state, 1, "points:1").seats[1].chips == 1


def test_a_refinery_may_take_the_last_cube_of_any_colour() -> None:
    """Rules 131, 133: so its owner, the selector, names its kind before others produce."""
    facts = taught(world(REFINERY, "cost-4", "any-production"), world("world-30", product="rare-production"))
    stored = seat(stored_goods=("rare",) * 16)
    state = producing(facts, ania=seat(REFINERY), ola=seat("world-30"), jan=stored)
    assert goods(state, 1) == [None]
    assert goods(answer(state, 0, "rare"), 1) == [None]
    assert goods(answer(state, 0, "genes"), 1) == ["rare"]


def test_where_colonists_run_short_seats_go_in_order() -> None:
    """Rule 46: a colonist for each colony, and one is left; the selector comes first though asked."""
    facts = taught(
        world(REFINERY, "cost-4", "any-production"),
        development("survey-team", power("gain-per-colony", gain="colonists", n=1)),
    )
    state = table(
        taught=facts,
        action="produce",
        ania=seat(REFINERY, developments=("survey-team",)),
        ola=seat(developments=("survey-team",)),
    )
    state = state.with_seat(2, replace(state.seats[2], colonists=state.supply - 1))
    state = at(state, ResolveProduce())
    assert state.seats[1].colonists == 0
    assert [who.colonists for who in answer(state, 0, "rare").seats[:2]] == [1, 0]


@pytest.mark.parametrize(("left", "in_order"), [(3, True), (4, False)])
def test_points_that_may_empty_the_pool_are_gained_in_order(left: int, in_order: bool) -> None:
    """Rules 46, 182: Ola's colonies and goods may bring three; the question says so."""
    facts = taught(
        world(REFINERY, "cost-4", "any-production"),
        *(world(f"world-{n}", product="genes-windfall") for n in (10, 11)),
        world("world-12", product="rare-production"),
        development("survey-team", power("gain-per-colony", gain="points", match="rare")),
        development("export-duties", power("gain-per-produced", gain="points", good="rare")),
        world("home-2a", "cost-1", "gray", power("gain", phase="produce", gain="points", n=1)),
    )
    state = producing(
        facts,
        ania=seat("world-10", "world-11"),
        ola=seat(Colony("world-12"), developments=("survey-team", "export-duties")),
        jan=seat(REFINERY, chips=36 - left),
    )
    assert (asked(state, 2) is None) is in_order
    assert [note.key for note in question(state, 0).notes] == ["frontiers.in-order.end"] * in_order


def test_a_used_up_colour_is_no_choice_for_a_windfall_good() -> None:
    """Rules 126, 131: the other colony gets its good at once."""
    facts = taught(world("world-10", product="rare-windfall"), world("world-11", product="genes-windfall"))
    state = producing(facts, ania=seat("world-10", "world-11"), jan=seat(stored_goods=("rare",) * 17))
    assert asked(state, 0) is None
    assert goods(state, 0) == [None, "genes"]


def test_a_correction_that_leaves_one_windfall_colony_ends_the_choice() -> None:
    facts = taught(world("world-10", product="rare-windfall"), world("world-11", product="genes-windfall"))
    state = producing(facts, ania=seat("world-10", "world-11"))
    assert asked(state, 0) is not None
    full = state.seats[0].with_colony(Colony("world-10", "rare"))
    assert goods(advance(state.with_seat(0, full)), 0) == ["rare", "genes"]


def test_the_last_cubes_are_counted_down() -> None:
    """Rule 131: which of two, then which of one."""
    state = short(2, ania=seat(*MINES))
    assert question(state, 0).tally == Picks(0, 2)
    assert question(answer(state, 0, "world-10"), 0).tally == Picks(1, 2)


def test_goods_of_windfall_colonies_count_towards_an_empty_pool() -> None:
    """Rules 46, 182: one good of a production colony and one of a windfall colony may bring the last two points."""
    facts = taught(
        world("world-10", product="genes-windfall"),
        world("world-11", product="rare-production"),
        world("world-20", product="rare-production"),
        development("survey-team", power("gain-per-produced", gain="points")),
        development("export-duties", power("produce-windfall", good="alien")),
        world("world-12", product="alien-windfall"),
        world("world-13", product="alien-windfall"),
    )
    mine = seat("world-10", "world-11", "world-12", "world-13", developments=("survey-team", "export-duties"))
    state = producing(facts, ania=mine, ola=seat(chips=33))
    assert [note.key for note in question(state, 0).notes] == ["frontiers.in-order.end"]


def test_where_everything_grows_nothing_unusual_happens() -> None:
    """Goods on all colonies are as people expect them: the message need not catch anybody's eye."""
    state = producing(world("world-20", product="rare-production"), ola=seat("world-20"))
    assert [news.usual for news in state.news if news.seat == 1] == [True]
