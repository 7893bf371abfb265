"""Settle: two colonists or a world (p. 6 and 7)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from companion.core.agenda import question_of, retake, take
from companion.core.digest import digest
from companion.core.questions import LATER, Answer
from companion.errors import Unknown
from companion.games.frontiers.state import Colony, FrontiersState, Seat
from companion.games.frontiers.steps.settle import ResolveSettle
from tests.games.frontiers.tables import answer, asked, at, number, options, question, seat, table, told
from tests.games.frontiers.tiles import Facts, development, power, taught, world

MARINES = ("space-marines",)
"""Two military, as printed."""


def settling(facts: Facts | None = None, players: int = 3, **seats: Seat) -> FrontiersState:
    """Ania has just selected Settle."""
    state = table(players=players, taught=facts, action="settle", **seats)
    return at(state, ResolveSettle())


def paid(state: FrontiersState, who: int = 0) -> list[int]:
    return [number(text) for text in told(state, "frontiers.pay", who)]


def test_the_selectors_colonist_is_used_at_once() -> None:
    """Rules 88, 91, 92: a world that costs 3 and needs two colonists, with one on the mat and the bonus."""
    facts = world("world-10", "cost-3", colonists=2)
    state = settling(facts, ania=seat(colonists=1, credits=3, explored=("world-10",)))
    supply = state.supply
    state = answer(state, 0, "world-10")
    ania = state.seats[0]
    assert (ania.colonists, ania.credits, ania.explored) == (0, 0, ())
    assert ania.colony("world-10") == Colony("world-10", colonists=2)
    assert state.supply == supply
    assert paid(state) == [3]


def test_a_seat_that_cannot_settle_takes_two_colonists_and_is_not_asked() -> None:
    """Rules 89, 90: nobody passes, and nothing is asked where there is nothing to choose."""
    state = settling(world("world-10", "cost-3"), ola=seat(explored=("world-10",), credits=2, colonists=1))
    assert [who.colonists for who in state.seats] == [3, 3, 2]
    assert asked(state, 1) is None


def test_a_seat_that_can_settle_may_take_colonists_instead_and_cannot_pass() -> None:
    """Rule 89."""
    state = settling(world("world-10", "cost-1"), ola=seat(explored=("world-10",), credits=2, colonists=1))
    assert options(state, 1) == ["colonists", "world-10"]
    state = answer(state, 1, "colonists")
    assert state.seats[1].colonists == 3
    assert state.seats[1].explored == ("world-10",)


def test_colonists_come_from_the_mat_only() -> None:
    """Rule 90: a full supply does not help a seat with none on the mat."""
    state = settling(world("world-10", "cost-0"), ola=seat(explored=("world-10",)))
    assert asked(state, 1) is None
    assert state.seats[1].colonists == 2


def test_discounts_add_up_and_nothing_costs_less_than_nothing() -> None:
    """Rules 68, 92: only those that fit the world count."""
    facts = taught(
        world("world-10", "cost-2", "genes-production", keywords=("uplift",)),
        world("world-11", "cost-3", "rare-production"),
        development("survey-team", power("settle-discount", n=2, match="genes")),
        development("export-duties", power("settle-discount", n=1)),
    )
    explored = ("world-10", "world-11")
    mine = seat(explored=explored, colonists=1, credits=2, developments=("survey-team", "export-duties"))
    state = settling(facts, ola=mine)
    assert options(state, 1) == ["colonists", "world-10", "world-11"]
    first = answer(state, 1, "world-10")
    assert first.seats[1].credits == 2
    assert answer(state, 1, "world-11").seats[1].credits == 0


def test_military_is_all_of_it_against_the_defence_and_nothing_is_spent() -> None:
    """Rules 93, 94: home, developments and colonies, specialised military only where it fits."""
    facts = taught(
        world("home-2a", "cost-1", "gray", power("military", n=1)),
        world("world-10", "defence-5", keywords=("rebel",)),
        world("world-11", "defence-5"),
        world("world-12", "cost-1", "gray", power("military", n=2, match="rebel")),
    )
    mine = seat("world-12", explored=("world-10", "world-11"), colonists=1, credits=4, developments=MARINES)
    state = settling(facts, ola=mine)
    assert options(state, 1) == ["colonists", "world-10"]
    state = answer(state, 1, "world-10")
    assert state.seats[1].credits == 4
    assert len(state.seats[1].colonies) == 3


def test_credits_and_military_are_never_combined() -> None:
    """Rule 95: military 3 and nine credits against defence 5."""
    facts = taught(
        world("world-10", "defence-5"), development("survey-team", power("military", n=3, match="all"))
    )
    state = settling(
        facts, ola=seat(explored=("world-10",), colonists=2, credits=9, developments=("survey-team",))
    )
    assert asked(state, 1) is None


GOOD_FOR_TWO = development("drop-ships", power("military-for-good", n=2))


def test_a_good_of_any_colony_goes_for_military_the_refinerys_too() -> None:
    """Rule 96: which one is chosen; the military stays for this action only."""
    facts = taught(
        GOOD_FOR_TWO,
        world("world-10", "defence-4"),
        world("world-11", "cost-1", "genes-production"),
        world("alien-oort-cloud-refinery", "cost-4", "any-production"),
    )
    mine = seat(
        "world-11",
        "alien-oort-cloud-refinery",
        goods={"world-11": "genes", "alien-oort-cloud-refinery": "rare"},
        explored=("world-10",),
        colonists=1,
        developments=("drop-ships", "space-marines"),
    )
    state = answer(settling(facts, ola=mine), 1, "world-10")
    assert sorted(options(state, 1)) == ["alien-oort-cloud-refinery", "world-11"]
    state = answer(state, 1, "alien-oort-cloud-refinery")
    ola = state.seats[1]
    assert ola.colony("world-10") is not None
    assert [colony.good for colony in ola.colonies] == [None, "genes", None, None]
    assert ola.bonus_military == 2
    assert ola.after_action().bonus_military == 0


def test_a_good_of_the_wrong_kind_does_not_help() -> None:
    """Rule 96: the power may limit the kind."""
    facts = taught(
        development("drop-ships", power("military-for-good", n=3, good="alien")),
        world("world-10", "defence-3"),
        world("world-11", "cost-1", "genes-production"),
    )
    mine = seat("world-11", goods={"world-11": "genes"}, explored=("world-10",), colonists=1)
    state = settling(facts, ola=replace(mine, developments=("drop-ships",)))
    assert asked(state, 1) is None


def test_no_good_is_removed_where_none_is_needed() -> None:
    facts = taught(
        GOOD_FOR_TWO, world("world-10", "defence-2"), world("world-11", "cost-1", "genes-windfall")
    )
    mine = seat("world-11", goods={"world-11": "genes"}, explored=("world-10",), colonists=1)
    state = settling(facts, ola=replace(mine, developments=("drop-ships", "space-marines")))
    state = answer(state, 1, "world-10")
    assert state.seats[1].goods == 1
    assert state.seats[1].colony("world-10") is not None


def test_two_powers_may_be_needed_the_limited_one_gets_its_kind() -> None:
    """Rules 68, 96: one good each; the power for any good does not take the only good the other can use."""
    facts = taught(
        development("drop-ships", power("military-for-good", n=2)),
        development("alien-monument", power("military-for-good", n=2, good="rare")),
        world("world-10", "defence-4"),
        world("world-11", "cost-1", "genes-production"),
        world("world-12", "cost-1", "rare-production"),
    )
    mine = seat(
        "world-11",
        "world-12",
        goods={"world-11": "genes", "world-12": "rare"},
        explored=("world-10",),
        colonists=1,
        developments=("drop-ships", "alien-monument"),
    )
    state = answer(settling(facts, ola=mine), 1, "world-10")
    assert asked(state, 1) is None
    assert state.seats[1].colony("world-10") is not None
    assert state.seats[1].goods == 0


def test_a_windfall_world_brings_its_good_at_once() -> None:
    """Rule 97."""
    facts = world("world-10", "cost-1", "alien-windfall", keywords=("alien",))
    state = settling(facts, ola=seat(explored=("world-10",), colonists=1, credits=1))
    state = answer(state, 1, "world-10")
    assert state.seats[1].colony("world-10") == Colony("world-10", "alien", 1)


def test_a_production_world_starts_empty() -> None:
    """Rule 97."""
    facts = world("world-10", "cost-1", "alien-production")
    state = settling(facts, ola=seat(explored=("world-10",), colonists=1, credits=1))
    assert answer(state, 1, "world-10").seats[1].goods == 0


def test_a_used_up_colour_leaves_a_windfall_world_empty() -> None:
    """Rule 166: eleven Alien goods are stored."""
    facts = world("world-10", "cost-1", "alien-windfall")
    mine = seat(explored=("world-10",), colonists=1, credits=1)
    state = settling(facts, ola=mine, jan=seat(stored_goods=("alien",) * 11))
    state = answer(state, 1, "world-10")
    assert state.seats[1].goods == 0


def test_late_seats_get_what_is_left_and_need_not_settle() -> None:
    """Rule 99: seven left after the bonus; from the selector on, and the last may take none."""
    facts = world("world-10", "cost-1")
    state = table(taught=facts, action="settle", selector=1, ania=seat(explored=("world-10",), credits=1))
    ania = replace(state.seats[0], colonists=30)
    state = at(state.with_seat(0, ania), ResolveSettle())
    assert [who.colonists for who in state.seats[1:]] == [3, 0]
    assert options(state, 0) == ["colonists", "world-10"]
    state = answer(state, 0, "colonists")
    assert state.seats[0].colonists == 30
    assert state.ending == ("colonists",)


def test_while_there_is_plenty_everybody_is_asked_at_once() -> None:
    facts = taught(world("world-10", "cost-1"), world("world-11", "cost-1"))
    one, other = (seat(explored=(id,), colonists=1, credits=1) for id in ("world-10", "world-11"))
    state = settling(facts, ola=one, jan=other)
    assert asked(state, 1) is not None
    assert asked(state, 2) is not None
    assert question(state, 1).notes == ()


@pytest.mark.parametrize(("left", "in_order"), [(11, False), (10, True)])
def test_a_settle_that_may_leave_fewer_than_five_colonists_is_resolved_in_order(
    left: int, in_order: bool
) -> None:
    """Rules 46, 101: three seats may take six of those left after the bonus; the question says so."""
    facts = taught(world("world-10", "cost-1"), world("world-11", "cost-1"))
    one, other = (seat(explored=(id,), colonists=1, credits=1) for id in ("world-10", "world-11"))
    state = settling(facts, ola=replace(one, colonists=36 - 3 - 1 - 1 - left), jan=other)
    assert state.supply == left - 2  # Ania took hers
    assert (asked(state, 2) is None) is in_order
    assert [note.key for note in question(state, 1).notes] == ["frontiers.in-order.end"] * in_order
    done = answer(answer(state, 1, "colonists"), 2, "colonists")
    assert bool(done.ending) is in_order


SIX = tuple(f"world-{n}" for n in range(20, 26))


@pytest.mark.parametrize(
    ("colonies", "colonists", "tiles", "in_order"),
    [
        (SIX, 1, (), True),
        (SIX, 0, (), False),
        (SIX[:5], 2, (), False),
        (SIX[:5], 2, ("improved-logistics",), True),
        (SIX[:4], 2, ("improved-logistics",), False),
    ],
)
def test_a_settle_that_may_bring_an_eighth_colony_is_resolved_in_order(
    colonies: tuple[str, ...], colonists: int, tiles: tuple[str, ...], in_order: bool
) -> None:
    """Rules 46, 100: with the home, by one world or two; not where nothing can be settled."""
    worlds = ("world-10", "world-11")
    facts = taught(*(world(id, "cost-0") for id in (*SIX, *worlds, "world-12", "world-13")))
    jan = seat(*colonies, explored=worlds, colonists=colonists, developments=tiles)
    ola = seat(explored=("world-12",), colonists=1)
    state = settling(facts, ania=seat(explored=("world-13",), colonists=1), ola=ola, jan=jan)
    assert (asked(state, 1) is None) is in_order
    assert bool(question(state, 0).notes) is in_order


def test_a_second_world_needs_one_to_settle_explored_or_drawn() -> None:
    """Rules 46, 100, 111: with seven colonies in sight Improved Logistics needs a second world."""
    facts = taught(*(world(id, "cost-0") for id in (*SIX, "world-10", "world-12")))
    ola = seat(explored=("world-12",), colonists=1)
    for tiles, in_order in (((), False), (("terraforming-robots",), True)):
        jan = seat(*SIX[:5], explored=("world-10",), colonists=2, developments=("improved-logistics", *tiles))
        state = settling(facts, ola=ola, jan=jan)
        assert (asked(state, 2) is None) is in_order


def test_once_the_end_is_certain_everybody_is_asked_at_once_again() -> None:
    """Rule 46: what can still be met changes nothing more."""
    facts = taught(*(world(id, "cost-0") for id in (*SIX, "world-10", "world-12")))
    jan = seat(*SIX, explored=("world-10",), colonists=1)
    ola = seat(explored=("world-12",), colonists=1)
    state = table(taught=facts, action="settle", ola=ola, jan=jan)
    assert asked(at(state, ResolveSettle()), 2) is None
    assert asked(at(replace(state, ending=("points",)), ResolveSettle()), 2) is not None


def test_points_for_settling_that_may_empty_the_pool_are_gained_in_order() -> None:
    """Rules 46, 182: two points are left, and Jan may gain two."""
    facts = taught(
        world("world-10", "cost-0"),
        world("world-12", "cost-0"),
        development("survey-team", power("gain-after-settle", gain="points", n=2)),
    )
    jan = seat(explored=("world-10",), colonists=1, developments=("survey-team",))
    ola = seat(explored=("world-12",), colonists=1)
    for left, in_order in ((2, True), (3, False)):
        state = settling(facts, ola=replace(ola, chips=36 - left), jan=jan)
        assert (asked(state, 2) is None) is in_order


def test_eight_colonies_end_the_play_seven_do_not() -> None:
    """Rule 100: counted when the action is over, the home included."""
    worlds = tuple(f"world-{n}" for n in range(20, 27))
    facts = taught(*(world(id) for id in (*worlds, "world-10")))
    seven = settling(facts, ania=seat(*worlds[:6]))
    assert seven.ending == ()
    state = settling(facts, ania=seat(*worlds[:6], explored=("world-10",), credits=2, colonists=1))
    assert answer(state, 0, "colonists").ending == ()
    assert answer(state, 0, "world-10").ending == ("colonies",)


@pytest.mark.parametrize("name", ["ania", "ola", "jan"])
def test_eight_colonies_at_any_seat_end_the_play(name: str) -> None:
    """Rules 100, 180: the selector, the last in order, anybody; the round is played to its end."""
    facts = taught(*(world(id, "cost-0") for id in (*SIX, "world-10")))
    who = ("ania", "ola", "jan").index(name)
    state = settling(facts, **{name: seat(*SIX, explored=("world-10",), colonists=1)})
    assert state.ending == ()
    assert answer(state, who, "world-10").ending == ("colonies",)


def test_fewer_than_five_colonists_end_the_play() -> None:
    """Rule 101: five do not; it is checked after every Settle, no matter who took how many."""
    for left, ending in ((5, ()), (4, ("colonists",))):
        state = table(action="settle")
        taken = state.supply - left - 7  # the bonus and two for each of three
        state = state.with_seat(2, replace(state.seats[2], colonists=taken))
        state = at(state, ResolveSettle())
        assert state.supply == left
        assert state.ending == ending


def test_nine_is_the_limit_after_settle_too() -> None:
    """Rules 102, 111: Terraforming Robots draw a tenth world."""
    explored = tuple(f"world-{n}" for n in range(20, 28))
    facts = taught(*(world(id, "cost-1") for id in explored))
    mine = seat(explored=explored, credits=1, colonists=1, developments=("terraforming-robots",))
    state = answer(settling(facts, ola=mine), 1, "world-20", "world-30")
    assert len(options(state, 1)) == 8
    state = answer(state, 1, "world-21")
    assert state.seats[1].explored == (*explored[2:], "world-30")


def test_the_least_useful_good_is_offered_first_for_military() -> None:
    """Rule 96: first goods that are produced again without a power, then the cheap ones."""
    facts = taught(
        development("drop-ships", power("military-for-good", n=2)),
        world("world-10", "defence-4"),
        *(
            world(f"world-{n}", "cost-1", f"{kind}-production")
            for n, kind in ((11, "alien"), (12, "novelty"))
        ),
        world("world-13", "cost-1", "novelty-windfall"),
    )
    mine = seat(
        "world-13",
        "world-11",
        "world-12",
        goods={"world-11": "alien", "world-12": "novelty", "world-13": "novelty"},
        explored=("world-10",),
        colonists=1,
        developments=("drop-ships", "space-marines"),
    )
    state = answer(settling(facts, ola=mine), 1, "world-10")
    assert options(state, 1) == ["world-12", "world-11", "world-13"]


def test_a_small_bag_makes_nobody_wait_who_draws_nothing() -> None:
    """Rule 46: without Terraforming Robots no world is drawn in Settle."""
    facts = taught(world("world-10", "cost-0"), world("world-11", "cost-0"))
    others = [id for id in table().bag() if id not in ("world-10", "world-11")]
    state = settling(
        facts,
        ania=seat(explored=("world-10",)),
        ola=seat(explored=("world-11",), colonists=1),
        jan=seat(stored_worlds=tuple(others[1:])),
    )
    assert len(state.bag()) == 1
    assert asked(state, 0) is not None
    assert asked(state, 1) is not None


EXPLORED = {"ania": seat(credits=9, explored=("world-10",)), "ola": seat(explored=("world-11",))}


def test_explored_worlds_are_asked_for_on_one_page_which_may_wait() -> None:
    state = settling(**EXPLORED)
    page = question(state, None)
    assert {fact.partition(".")[0] for fact in page.facts} == {"world-10", "world-11"}
    assert page.later is not None
    state = answer(state, None, LATER)
    assert "world-10" in options(state, 0)
    state = answer(state, 0, "world-10")
    assert {fact.partition(".")[0] for fact in question(state, 0).facts} == {"world-10"}, (
        "then it cannot wait"
    )


def test_one_explored_world_is_asked_for_when_it_is_settled() -> None:
    state = settling(ania=seat(credits=9, explored=("world-10",)))
    assert "world-10" in options(state, 0)


def test_a_replay_puts_off_the_page_that_older_plays_did_not_have() -> None:
    state = settling(**EXPLORED)
    with pytest.raises(Unknown):
        take(state, Answer(0, "frontiers.settle", "colonists"))
    older = retake(state, Answer(0, "frontiers.settle", "colonists"))
    newer = answer(answer(state, None, LATER), 0, "colonists")
    assert digest(older) == digest(newer)
    assert question_of(state, Answer(0, "frontiers.settle", "colonists")).slug == "frontiers.settle"
