"""Settle: a colony replaced by an explored world (p. 7)."""

from __future__ import annotations

import json

import pytest
from msgspec.structs import replace

from companion.core.agenda import advance, open_asks
from companion.games.frontiers.state import Colony, FrontiersState, Seat
from companion.games.frontiers.steps.replace import why_no_swap
from companion.games.frontiers.steps.settle import ResolveSettle
from tests.games.frontiers.tables import answer, asked, at, options, question, seat, table, told
from tests.games.frontiers.tiles import Facts, development, power, taught, world

ENGINEERS = "terraforming-engineers"
REFINERY = "alien-oort-cloud-refinery"
OLD, NEW = "world-20", "world-10"


def settling(facts: Facts, **seats: Seat) -> FrontiersState:
    """Ania has just selected Settle; nothing in the bag is like Ola's home, unless a test says so."""
    home = world("home-2a", "cost-7", "alien-production")
    return at(table(taught=taught(home, facts), action="settle", **seats), ResolveSettle())


def swap(old: str = OLD, new: str = NEW, by: str = f"{ENGINEERS}.0") -> str:
    return f"replace:{by}:{old}:{new}"


def engineers(*colonies: str | Colony, explored: tuple[str, ...] = (NEW,), **more: object) -> Seat:
    return seat(*colonies, explored=explored, developments=(ENGINEERS,), **more)  # type: ignore[arg-type]


def offered(state: FrontiersState) -> list[str]:
    """The replacements Ola is offered, in whichever question."""
    return [id for id in options(state, 1) if id.startswith("replace:")] if asked(state, 1) else []


def test_a_missing_colonist_must_be_supplied() -> None:
    """Rules 113, 114, 121: cost 2 with one colonist by cost 5 with two; no credits are paid."""
    facts = taught(
        world(OLD, "cost-2", "novelty-production"), world(NEW, "cost-5", "novelty-production", colonists=2)
    )
    state = settling(facts, ola=engineers(OLD, colonists=1))
    assert offered(state) == [swap()]
    shown = next(option for option in question(state, 1).options if option.id == swap())
    assert [sign.value for sign in shown.signs] == ["2", "", "5", "\N{MINUS SIGN}1"]
    state = answer(state, 1, swap())
    assert told(state, "frontiers.replace-add", 1)
    ola = state.seats[1]
    assert (ola.colonies[1], ola.colonists, ola.credits) == (Colony(NEW, colonists=2), 2, 0)
    without = settling(facts, ola=engineers(OLD))
    # Nothing before the choice; the two colonists taken instead of a world may be supplied after it (rule 115).
    assert without.seats[1].colonists == 2
    assert offered(without) == [swap()]
    assert options(without, 1)[0] == "no"


def test_it_comes_on_top_of_the_choice_and_before_or_after_it() -> None:
    """Rules 114, 115."""
    facts = taught(world(OLD, "cost-2"), world(NEW, "cost-3"), world("world-11", "cost-1"))
    mine = engineers(OLD, explored=(NEW, "world-11"), credits=1, colonists=1)
    state = settling(facts, ola=mine)
    before = answer(state, 1, swap())
    assert options(before, 1) == ["colonists", "world-11"]
    assert len(answer(before, 1, "world-11").seats[1].colonies) == 3
    after = answer(state, 1, "world-11")
    assert options(after, 1) == ["no", swap()]
    assert len(answer(after, 1, swap()).seats[1].colonies) == 3
    assert asked(answer(after, 1, "no"), 1) is None


@pytest.mark.parametrize(
    ("old", "new", "allowed"),
    [
        ("cost-2", "cost-2", True),
        ("cost-2", "cost-5", True),
        ("cost-2", "cost-6", False),
        ("cost-2", "cost-1", False),
        ("cost-2", "defence-2", False),
        ("defence-2", "cost-2", False),
    ],
)
def test_printed_costs_decide(old: str, new: str, allowed: bool) -> None:
    """Rules 71, 113, 116: zero to three higher, not military; discounts are ignored."""
    facts = taught(
        world(OLD, old), world(NEW, new), development("survey-team", power("settle-discount", n=3))
    )
    mine = engineers(OLD, colonists=1)
    state = settling(facts, ola=replace(mine, developments=(ENGINEERS, "survey-team")))
    assert bool(offered(state)) is allowed


@pytest.mark.parametrize(
    ("old", "new", "allowed"),
    [
        ("genes-production", "genes-windfall", True),
        ("genes-production", "rare-production", False),
        ("gray", "gray", True),
        ("gray", "genes-production", False),
    ],
)
def test_only_one_of_the_same_kind_gray_is_one_here(old: str, new: str, allowed: bool) -> None:
    """Rule 113."""
    state = settling(taught(world(OLD, "cost-2", old), world(NEW, "cost-2", new)), ola=engineers(OLD))
    assert bool(offered(state)) is allowed


def test_nothing_that_waits_for_settling_happens() -> None:
    """Rule 114."""
    facts = taught(world(OLD), world(NEW), development("survey-team", power("gain-after-settle", n=1)))
    mine = replace(engineers(OLD), developments=(ENGINEERS, "survey-team", "terraforming-robots"))
    state = answer(settling(facts, ola=mine), 1, swap())
    assert state.seats[1].credits == 0
    assert asked(state, 1) is None


def test_once_in_an_action() -> None:
    """Rules 69, 114."""
    facts = taught(world(OLD), world(NEW), world("world-11"), world("world-21"))
    state = settling(facts, ola=engineers(OLD, "world-21", explored=(NEW, "world-11")))
    assert len(offered(state)) == 4
    assert offered(answer(state, 1, swap())) == []


def test_what_this_action_settled_is_not_replaced() -> None:
    """Rule 115."""
    facts = taught(
        world("home-2a", "cost-7", "rare-production"), world(NEW, "cost-1"), world("world-11", "cost-2")
    )
    state = settling(facts, ola=engineers(explored=(NEW, "world-11"), credits=1, colonists=1))
    state = answer(state, 1, NEW)
    assert asked(state, 1) is None


def test_the_good_goes_back_and_a_windfall_world_brings_its_own() -> None:
    """Rule 118."""
    facts = taught(world(OLD, "cost-2", "genes-windfall"), world(NEW, "cost-3", "genes-windfall"))
    state = answer(settling(facts, ola=engineers(Colony(OLD, "genes"))), 1, swap())
    assert state.seats[1].colonies[1] == Colony(NEW, "genes")
    facts = taught(world(OLD, "cost-2", "genes-windfall"), world(NEW, "cost-3", "genes-production"))
    state = answer(settling(facts, ola=engineers(Colony(OLD, "genes"))), 1, swap())
    assert state.seats[1].colonies[1] == Colony(NEW)


def test_the_old_tile_is_kept_out_of_the_bag_until_settle_is_over() -> None:
    """Rule 119."""
    state = answer(settling(taught(world(OLD), world(NEW)), ola=engineers(OLD)), 1, swap())
    assert state.aside == (OLD,)
    assert OLD not in state.bag()
    assert OLD in replace(state, aside=()).bag()


def test_a_replaced_home_is_gone_for_good() -> None:
    """Rules 73, 119, 120: its powers with it; the number of colonies stays."""
    facts = taught(
        world("home-2a", "cost-1", "gray", power("military", n=2)),
        world(NEW, "cost-2"),
        world("world-11", "defence-2"),
    )
    state = settling(facts, ola=engineers(explored=(NEW, "world-11"), colonists=1))
    assert options(state, 1) == ["colonists", "world-11", swap("home-2a")]
    state = answer(state, 1, swap("home-2a"))
    assert state.seats[1].home is None
    assert [colony.tile for colony in state.seats[1].colonies] == [NEW]
    assert state.aside == ()
    assert asked(state, 1) is None  # nothing conquers world-11 any more


def test_a_surplus_colonist_returns_and_can_be_used() -> None:
    """Rules 115, 121."""
    facts = taught(
        world(OLD, "cost-2", colonists=2),
        world(NEW, "cost-2"),
        world("world-11", "cost-0", "rare-production"),
    )
    state = settling(facts, ola=engineers(Colony(OLD, colonists=2), explored=(NEW, "world-11")))
    assert options(state, 1) == ["colonists", swap()]
    state = answer(state, 1, swap())
    assert told(state, "frontiers.replace-return", 1)
    state = answer(state, 1, "world-11")
    assert state.seats[1].colonists == 0
    assert len(state.seats[1].colonies) == 3


@pytest.mark.parametrize("other", ["genes-production", "genes-windfall"])
def test_the_refinery_takes_part_with_the_kind_named(other: str) -> None:
    """Rule 117: as the old tile and as the new one; naming it is part of the choice."""
    facts = taught(world(REFINERY, "cost-2", "any-windfall"), world(NEW, "cost-2", other))
    state = answer(settling(facts, ola=engineers(Colony(REFINERY, "rare"))), 1, swap(REFINERY))
    assert state.seats[1].colony(NEW) is not None
    state = settling(facts, ola=engineers(NEW, explored=(REFINERY,)))
    state = answer(state, 1, swap(NEW, REFINERY))
    assert state.seats[1].named == "genes"
    assert state.seats[1].colony(REFINERY) == Colony(REFINERY, "genes")


def test_the_refinery_is_never_gray_nor_of_a_second_kind() -> None:
    """Rules 75, 117."""
    facts = taught(
        world(REFINERY, "cost-2", "any-production"),
        world(NEW, "cost-2"),
        world("world-11", "cost-2", "rare-production"),
    )
    state = settling(facts, ola=engineers(REFINERY, explored=(NEW, "world-11"), named="genes"))
    assert offered(state) == []
    state = settling(facts, ola=engineers(REFINERY, explored=(NEW, "world-11")))
    assert offered(state) == [swap(REFINERY, "world-11")]


def test_a_home_whose_cost_nobody_told_is_asked_once_it_could_be_replaced() -> None:
    """Rule 120: on one page before the choice, so that nobody is offered what may not be."""
    facts = taught(world("home-2a"), world(NEW, "cost-4"))
    del facts["home-2a.price"]
    state = at(table(taught=facts, action="settle", ola=engineers()), ResolveSettle())
    assert question(state, 1).slug == "core.fact"
    near = answer(state, 1, json.dumps("cost-1"))
    assert answer(near, 1, swap("home-2a")).seats[1].home is None
    expensive = answer(state, 1, json.dumps("cost-0"))
    assert asked(expensive, 1) is None
    other = settling(taught(facts, world("home-2a", product="rare-production")), ola=engineers())
    assert asked(other, 1) is None


def test_a_world_nobody_told_about_is_read_before_anybody_can_tell_what_it_replaces() -> None:
    """Rule 113: one offer for each such world, then the colonies it fits."""
    page = {"price": "cost-3", "colonists": 1, "product": "gray", "points": 1, "keywords": [], "powers": []}
    mine = engineers(OLD, "world-21")
    state = settling(taught(world(OLD, "cost-2"), world("world-21", "cost-4")), ola=mine)
    assert offered(state) == [f"replace:read:{NEW}"]
    state = answer(state, 1, f"replace:read:{NEW}", json.dumps(page))
    assert offered(state) == [swap()]


def test_a_colony_that_replaces_itself_only() -> None:
    """Rule 122: Doomed Colony."""
    doomed = power("replace", colony="this", higher=9, same_kind=False)
    facts = taught(
        world(OLD, "cost-0", "gray", doomed), world("world-21"), world(NEW, "cost-7", "rare-production")
    )
    state = settling(facts, ola=seat(OLD, "world-21", explored=(NEW,)))
    assert offered(state) == [swap(by=f"{OLD}.0")]


def test_where_any_kind_may_come_the_refinery_is_named() -> None:
    """Rules 78, 122."""
    doomed = power("replace", colony="this", higher=9, same_kind=False)
    facts = taught(world(OLD, "cost-0", "gray", doomed), world(REFINERY, "cost-4", "any-windfall"))
    state = settling(facts, ola=seat(OLD, explored=(REFINERY,)))
    state = answer(state, 1, swap(OLD, REFINERY, f"{OLD}.0"), "alien")
    assert state.seats[1].colony(REFINERY) == Colony(REFINERY, "alien")


def test_a_windfall_refinery_that_replaces_a_coloured_colony_is_named_by_its_owner() -> None:
    """Rules 75, 78, 122: where the power does not ask for one kind, the old colony's kind decides nothing."""
    doomed = power("replace", colony="this", higher=9, same_kind=False)
    facts = taught(world(OLD, "cost-0", "genes-windfall", doomed), world(REFINERY, "cost-4", "any-windfall"))
    state = answer(settling(facts, ola=seat(OLD, explored=(REFINERY,))), 1, swap(OLD, REFINERY, f"{OLD}.0"))
    assert question(state, 1).slug == "frontiers.name-kind"
    state = answer(state, 1, "alien")
    assert state.seats[1].colony(REFINERY) == Colony(REFINERY, "alien")


def test_a_correction_may_take_either_tile_away() -> None:
    state = settling(taught(world(OLD), world(NEW)), ola=engineers(OLD))
    ola = state.seats[1]
    for poorer in (replace(ola, explored=()), replace(ola, colonies=ola.colonies[:1], explored=())):
        assert open_asks(advance(state.with_seat(1, poorer))) == []


def test_a_world_shown_to_the_camera_is_refused_with_the_rule() -> None:
    """Rules 113, 116, 121; one that may replace something only lacks the word which colony."""
    facts = taught(
        world(OLD, "cost-2"),
        world(NEW, "cost-2"),
        world("world-11", "cost-7"),
        world("world-12", "cost-2", "rare-production"),
        world("world-13", "defence-2"),
        world("world-14", "cost-2", colonists=2),
    )
    explored = (NEW, "world-11", "world-12", "world-13", "world-14")
    state = table(
        taught=taught(world("home-2a", "cost-7", "alien-production"), facts),
        ola=engineers(OLD, explored=explored),
    )
    reasons = [why_no_swap(state, 1, id).key.rpartition(".")[2] for id in (*explored, "world-30")]
    expected = ["which", "cost", "kind", "military", "colonists"]
    assert reasons == [*(f"replace-{reason}" for reason in expected), "not-explored"]


def test_a_seat_that_can_only_replace_is_asked_once_and_has_the_colonists_by_then() -> None:
    """Rules 89, 115: nothing is gained by replacing first, so it is asked after."""
    state = settling(taught(world(OLD), world(NEW)), ola=engineers(OLD))
    assert state.seats[1].colonists == 2
    assert options(state, 1) == ["no", swap()]


def test_a_good_of_the_new_colony_may_be_removed_for_a_world() -> None:
    """Rules 98, 115, 118: so replacing is offered first."""
    facts = taught(
        world(OLD, "cost-1", "genes-production"),
        world(NEW, "cost-1", "genes-windfall"),
        world("world-11", "defence-2"),
        development("drop-ships", power("military-for-good", n=2)),
    )
    mine = replace(
        engineers(OLD, explored=(NEW, "world-11"), colonists=1), developments=(ENGINEERS, "drop-ships")
    )
    state = settling(facts, ola=mine)
    assert options(state, 1) == ["colonists", swap()]
    state = answer(state, 1, swap(), "world-11")
    assert state.seats[1].goods == 0
    assert len(state.seats[1].colonies) == 3


def test_the_only_colony_that_could_be_replaced_gives_the_reason() -> None:
    """Rule 122: a colony that replaces only itself."""
    facts = taught(
        world(OLD, "cost-2", "gray", power("replace", colony="this", lower=0, higher=1, same_kind=False)),
        world(NEW, "cost-7"),
    )
    state = table(taught=facts, ola=seat(OLD, explored=(NEW,)))
    assert why_no_swap(state, 1, NEW).key == "frontiers.why.replace-cost"
