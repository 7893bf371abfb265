"""Settle: second worlds, paying for military worlds, the refinery, facts that are still unknown (p. 4, 6, 7)."""

from __future__ import annotations

import json

from msgspec.structs import replace

from companion.core.agenda import advance, open_asks
from companion.core.words import inside
from companion.games.frontiers.costs import why_not
from companion.games.frontiers.state import Colony, FrontiersState, Seat
from companion.games.frontiers.steps.settle import ResolveSettle
from tests.games.frontiers.tables import answer, asked, at, number, options, question, seat, table, told
from tests.games.frontiers.tiles import Facts, development, power, taught, world

REFINERY = "alien-oort-cloud-refinery"
LOGISTICS = "improved-logistics"
CONTACT = "contact-specialist"
ROBOTS = "terraforming-robots"


def settling(facts: Facts | None = None, players: int = 3, **seats: Seat) -> FrontiersState:
    """Ania has just selected Settle."""
    return at(table(players=players, taught=facts, action="settle", **seats), ResolveSettle())


# Improved Logistics


def test_a_second_world_with_its_own_colonists_and_payment() -> None:
    """Rules 69, 103, 106: discounts count for both."""
    facts = taught(
        world("world-10", "cost-3"),
        world("world-11", "cost-2", colonists=2),
        development("survey-team", power("settle-discount", n=1)),
    )
    mine = seat(
        explored=("world-10", "world-11"), colonists=3, credits=3, developments=(LOGISTICS, "survey-team")
    )
    state = answer(settling(facts, ola=mine), 1, "world-10")
    assert options(state, 1) == ["done", "world-11"]
    state = answer(state, 1, "world-11")
    ola = state.seats[1]
    assert (ola.credits, ola.colonists, len(ola.colonies)) == (0, 0, 3)
    assert asked(state, 1) is None


def test_a_second_world_is_optional_and_never_follows_colonists() -> None:
    """Rule 103."""
    facts = taught(world("world-10", "cost-0"), world("world-11", "cost-0"))
    mine = seat(explored=("world-10", "world-11"), colonists=2, developments=(LOGISTICS,))
    state = settling(facts, ola=mine)
    assert asked(answer(state, 1, "colonists"), 1) is None
    state = answer(state, 1, "world-11", "done")
    assert state.seats[1].explored == ("world-10",)


def test_the_first_world_does_not_help_to_settle_the_second() -> None:
    """Rules 66, 104: X (defence 3, +2 military) and Y (defence 5) with military 3."""
    facts = taught(
        world("world-10", "defence-3", "gray", power("military", n=2)),
        world("world-11", "defence-5"),
        development("survey-team", power("military", n=3)),
    )
    mine = seat(explored=("world-10", "world-11"), colonists=2, developments=(LOGISTICS, "survey-team"))
    state = answer(settling(facts, ola=mine), 1, "world-10")
    assert state.seats[1].colony("world-10") is not None
    assert asked(state, 1) is None
    later = at(replace(state, seats=tuple(who.after_action() for who in state.seats)), ResolveSettle())
    assert "world-11" in options(later, 1)


def test_military_for_a_good_counts_for_both_worlds_and_is_used_once() -> None:
    """Rules 69, 104: one good removed for the first world serves the second as well."""
    facts = taught(
        world("world-10", "defence-2"),
        world("world-11", "defence-2"),
        world("world-12", "defence-3"),
        world("world-13", "cost-1", "novelty-production"),
        world("world-14", "cost-1", "genes-production"),
        development("drop-ships", power("military-for-good", n=2)),
    )
    mine = seat(
        "world-13",
        "world-14",
        goods={"world-13": "novelty", "world-14": "genes"},
        explored=("world-10", "world-11", "world-12"),
        colonists=2,
        developments=(LOGISTICS, "drop-ships"),
    )
    state = answer(settling(facts, ola=mine), 1, "world-10", "world-13")
    assert options(state, 1) == ["done", "world-11"]
    state = answer(state, 1, "world-11")
    assert state.seats[1].goods == 1
    assert len(state.seats[1].colonies) == 5


def test_the_good_of_the_first_world_may_be_removed_for_the_second() -> None:
    """Rule 98: only powers, not goods, are barred in the action that brought a tile."""
    facts = taught(
        world("world-10", "cost-0", "genes-windfall"),
        world("world-11", "defence-2"),
        development("drop-ships", power("military-for-good", n=2)),
    )
    mine = seat(explored=("world-10", "world-11"), colonists=2, developments=(LOGISTICS, "drop-ships"))
    state = settling(facts, ola=mine)
    assert options(state, 1) == ["colonists", "world-10"]
    state = answer(state, 1, "world-10", "world-11")
    assert [colony.good for colony in state.seats[1].colonies] == [None, None, None]
    assert state.seats[1].colony("world-11") is not None


def test_what_pays_for_settling_pays_for_each_world() -> None:
    """Rules 72, 105, 111: robots draw after each of the two, and what was drawn can be settled at once."""
    facts = taught(
        world("world-10", "cost-0"),
        world("world-11", "cost-0", keywords=("rebel",)),
        development("survey-team", power("gain-after-settle", gain="credits", n=2)),
        development("export-duties", power("gain-after-settle", gain="points", n=1, match="rebel")),
    )
    tiles = (LOGISTICS, ROBOTS, "survey-team", "export-duties")
    state = settling(facts, ola=seat(explored=("world-10",), colonists=2, developments=tiles))
    state = answer(state, 1, "world-10", "world-11")
    assert state.seats[1].explored == ("world-11",)
    state = answer(state, 1, "world-11", "world-30")
    ola = state.seats[1]
    assert (ola.credits, ola.chips, ola.explored) == (4, 1, ("world-30",))


def test_taking_colonists_draws_nothing() -> None:
    """Rules 72, 111."""
    facts = taught(world("world-10", "cost-0"), development("survey-team", power("gain-after-settle", n=2)))
    mine = seat(explored=("world-10",), colonists=1, developments=(ROBOTS, "survey-team"))
    state = answer(settling(facts, ola=mine), 1, "colonists")
    assert asked(state, 1) is None
    assert state.seats[1].credits == 0


def test_a_power_of_the_world_settled_is_not_triggered_by_it() -> None:
    """Rule 66."""
    facts = world("world-10", "cost-0", "gray", power("gain-after-settle", n=3), power("draw-after-settle"))
    state = answer(settling(facts, ola=seat(explored=("world-10",), colonists=1)), 1, "world-10")
    assert state.seats[1].credits == 0
    assert asked(state, 1) is None


def test_an_empty_bag_draws_nothing() -> None:
    """Rule 166: then those late in order may get nothing, so they are asked one after another."""
    state = table(action="settle", taught=taught(world("world-10", "cost-0"), world("world-11", "cost-0")))
    one = seat(home="home-1a", explored=("world-10",), colonists=1, developments=(ROBOTS,))
    two = seat(home="home-2a", explored=("world-11",), colonists=1, developments=(ROBOTS,))
    bag = tuple(id for id in state.bag() if id not in ("world-10", "world-11", "world-30"))
    full = replace(state.seats[2], stored_worlds=bag)
    state = at(replace(state, seats=(one, two, full)), ResolveSettle())
    assert asked(state, 1) is None
    state = answer(state, 0, "world-10", "world-30")
    state = answer(state, 1, "world-11")
    assert asked(state, 1) is None
    assert state.seats[1].explored == ()


# Paying for military worlds


def contact(
    *more: Facts, explored: str = "world-10", credits: int = 9, tiles: tuple[str, ...] = ()
) -> FrontiersState:
    mine = seat(explored=(explored,), colonists=2, credits=credits, developments=(CONTACT, *tiles))
    return settling(taught(*more), ola=mine)


def test_contact_specialist_pays_the_defence_less_one_and_discounts() -> None:
    """Rules 70, 107, 110: a Genes world of defence 5 for three credits and both colonists; it stays military."""
    facts = (
        world("world-10", "defence-5", "genes-production", colonists=2),
        development("survey-team", power("settle-discount", n=1, match="genes")),
    )
    assert asked(contact(*facts, credits=2, tiles=("survey-team",)), 1) is None
    state = answer(contact(*facts, credits=3, tiles=("survey-team",)), 1, "world-10")
    ola = state.seats[1]
    assert (ola.credits, ola.colonists) == (0, 0)
    assert state.world("world-10").is_military


def test_contact_specialist_never_pays_for_alien_worlds() -> None:
    """Rule 108: neither a yellow one nor one with the Alien keyword."""
    for printed in (
        world("world-10", "defence-2", "alien-windfall"),
        world("world-10", "defence-2", keywords=("alien",)),
    ):
        assert asked(contact(printed), 1) is None


def test_military_gives_no_reduction_of_that_price() -> None:
    """Rules 95, 110: two military, and still four of five are paid."""
    state = contact(world("world-10", "defence-5"), tiles=("space-marines",))
    assert answer(state, 1, "world-10").seats[1].credits == 5


def test_contact_specialist_and_another_such_power_are_not_added_up() -> None:
    """Rule 109: the better of the two is taken automatically."""
    other = development("export-duties", power("pay-for-military", n=2, match="rebel"))
    rebels = world("world-10", "defence-6", keywords=("rebel",))
    state = answer(contact(rebels, other, tiles=("export-duties",)), 1, "world-10")
    assert [number(text) for text in told(state, "frontiers.pay", 1)] == [4]


def test_what_can_be_conquered_is_not_paid_for() -> None:
    state = answer(contact(world("world-10", "defence-2"), tiles=("space-marines",)), 1, "world-10")
    assert state.seats[1].credits == 9


def test_paying_or_removing_a_good_is_a_choice() -> None:
    """Rules 95, 96, 107."""
    facts = taught(
        world("world-10", "defence-2"),
        world("world-11", "cost-1", "rare-production"),
        development("drop-ships", power("military-for-good", n=2)),
    )
    mine = seat("world-11", goods={"world-11": "rare"}, explored=("world-10",), colonists=1, credits=4)
    mine = replace(mine, developments=(CONTACT, "drop-ships"))
    state = answer(settling(facts, ola=mine), 1, "world-10")
    assert sorted(options(state, 1)) == ["conquer+drop-ships.0", f"pay+{CONTACT}.0"]
    shown = {option.id: option for option in question(state, 1).options}
    fight, bought = shown["conquer+drop-ships.0"], shown[f"pay+{CONTACT}.0"]
    assert [sign.symbol for sign in fight.signs] == ["good", "military", "defence", "colonists"]
    assert [sign.symbol for sign in bought.signs] == ["credits", "colonists"]
    assert [text.key for text in inside(fight.text)][:2] == ["frontiers.removing-first", "frontiers.conquer"]
    assert bought.text.key == "frontiers.pay"
    paid = answer(state, 1, f"pay+{CONTACT}.0")
    assert (paid.seats[1].credits, paid.seats[1].goods) == (3, 1)
    fought = answer(state, 1, "conquer+drop-ships.0")
    assert (fought.seats[1].credits, fought.seats[1].goods) == (4, 0)
    assert fought.seats[1].colony("world-10") is not None


def test_no_more_goods_are_removed_than_it_takes() -> None:
    """Rule 96: either power alone, never both; alike ones are one way."""
    facts = taught(
        world("world-10", "defence-2"),
        world("world-11", "cost-1", "rare-production"),
        world("world-12", "cost-1", "genes-production"),
        development("drop-ships", power("military-for-good", n=2), power("military-for-good", n=2)),
        development("export-duties", power("military-for-good", n=3)),
    )
    mine = seat("world-11", "world-12", goods={"world-11": "rare", "world-12": "genes"})
    mine = replace(mine, explored=("world-10",), colonists=1, developments=("drop-ships", "export-duties"))
    state = answer(settling(facts, ola=mine), 1, "world-10")
    assert options(state, 1) == ["conquer+drop-ships.0", "conquer+export-duties.0"]


def test_contact_specialist_serves_both_worlds() -> None:
    """Rule 106 (a reading)."""
    facts = taught(world("world-10", "defence-2"), world("world-11", "defence-3"))
    mine = seat(explored=("world-10", "world-11"), colonists=2, credits=3, developments=(CONTACT, LOGISTICS))
    state = answer(settling(facts, ola=mine), 1, "world-10", "world-11")
    assert state.seats[1].credits == 0


# The refinery


def test_the_refinerys_kind_is_named_for_its_own_placement() -> None:
    """Rules 75, 76: a discount for the kind it is named counts."""
    facts = taught(
        world(REFINERY, "cost-4", "any-production"),
        development("survey-team", power("settle-discount", n=2, match="genes")),
    )
    mine = seat(explored=(REFINERY,), colonists=1, credits=2, developments=("survey-team",))
    state = answer(settling(facts, ola=mine), 1, REFINERY)
    assert state.seats[1].credits == 0
    assert state.seats[1].named == "genes"
    rich = answer(settling(facts, ola=replace(mine, credits=9)), 1, REFINERY)
    assert options(rich, 1)[0] == "pay@genes"
    assert len(options(rich, 1)) == 4


def test_a_windfall_refinery_starts_with_a_good_of_its_named_kind() -> None:
    """Rules 75, 78: gray cannot be named."""
    facts = world(REFINERY, "cost-1", "any-windfall")
    state = answer(settling(facts, ola=seat(explored=(REFINERY,), colonists=1, credits=1)), 1, REFINERY)
    assert sorted(options(state, 1)) == ["pay@alien", "pay@genes", "pay@novelty", "pay@rare"]
    state = answer(state, 1, "pay@rare")
    assert state.seats[1].colony(REFINERY) == Colony(REFINERY, "rare", 1)


def test_where_its_kind_does_not_matter_it_is_not_asked() -> None:
    facts = world(REFINERY, "cost-1", "any-production")
    state = answer(settling(facts, ola=seat(explored=(REFINERY,), colonists=1, credits=1)), 1, REFINERY)
    assert asked(state, 1) is None
    assert state.seats[1].named is None


# What nobody told yet


def page(**fields: object) -> str:
    """A page of facts as it is answered."""
    told = {"price": "cost-1", "colonists": 1, "product": "gray", "points": 1, "keywords": [], "powers": []}
    return json.dumps({**told, **fields})


def test_a_world_nobody_told_about_is_offered_and_its_page_asked_once() -> None:
    state = settling(ola=seat(explored=("world-10",), colonists=1, credits=1))
    assert [sign.symbol for sign in question(state, 1).options[1].signs] == ["unknown"]
    state = answer(state, 1, "world-10")
    assert question(state, 1).slug == "core.fact"
    state = answer(state, 1, page())
    assert state.seats[1].colony("world-10") is not None


def test_a_page_that_makes_it_too_expensive_is_told_and_the_seat_asked_again() -> None:
    facts = world("world-11", "cost-0")
    mine = seat(explored=("world-10", "world-11"), colonists=1, credits=1)
    state = answer(settling(facts, ola=mine), 1, "world-10", page(price="cost-5"))
    assert told(state, "frontiers.why.expensive", 1)
    assert options(state, 1) == ["colonists", "world-11"]
    alone = answer(
        settling(ola=replace(mine, explored=("world-10",))), 1, "world-10", page(price="defence-3")
    )
    assert told(alone, "frontiers.why.weak", 1)
    assert alone.seats[1].colonists == 3


def test_a_power_the_table_tells_about_gives_before_the_choice() -> None:
    facts = taught(world("world-10", "cost-2"), development("survey-team", power("told", phase="settle")))
    mine = seat(explored=("world-10",), colonists=1, credits=1, developments=("survey-team",))
    state = answer(settling(facts, ola=mine), 1, "credits:1", "world-10")
    assert state.seats[1].colony("world-10") is not None


def test_a_power_that_gives_whenever_settle_is_done() -> None:
    """Rule 67: its colonist may be used at once."""
    facts = taught(
        world("world-10", "cost-0"),
        development("survey-team", power("gain", phase="settle", gain="colonists", n=1)),
    )
    state = settling(facts, ola=seat(explored=("world-10",), developments=("survey-team",)))
    assert options(state, 1) == ["colonists", "world-10"]


# Refusals and corrections


def test_refusals_name_the_rule() -> None:
    facts = taught(
        world("world-10", "cost-3"), world("world-11", "defence-3"), world("world-12", colonists=2)
    )
    mine = seat(explored=("world-10", "world-11", "world-12"), colonists=1, credits=1)
    state = table(taught=facts, action="settle", ania=mine)
    reasons = {id: why_not(state, 0, id).key for id in ("world-10", "world-11", "world-12", "world-13")}
    assert reasons == {
        "world-10": "frontiers.why.expensive",
        "world-11": "frontiers.why.weak",
        "world-12": "frontiers.why.colonists",
        "world-13": "frontiers.why.not-explored",
    }


def test_a_correction_that_takes_the_world_away_leaves_nothing_to_ask() -> None:
    facts = taught(world("world-10", "cost-0"), development("drop-ships", power("military-for-good", n=2)))
    state = settling(facts, ola=seat(explored=("world-10",), colonists=1))
    poorer = advance(state.with_seat(1, replace(state.seats[1], explored=())))
    assert open_asks(poorer) == []
    assert poorer.seats[1].colonists == 3


# Powers in general


def test_a_power_works_in_its_own_action_only() -> None:
    """Rule 65: of a tile with a power for every action only what belongs to Settle happens in Settle."""
    facts = development(
        "survey-team",
        *(power("gain", phase=phase, gain="credits", n=1) for phase in ("explore", "develop", "produce")),
        power("gain", phase="consume", gain="points", n=1),
        power("gain", phase="settle", gain="points", n=5),
    )
    state = settling(facts, ola=seat(developments=("survey-team",)))
    assert (state.seats[1].credits, state.seats[1].chips) == (0, 5)


def test_an_explored_world_is_no_colony() -> None:
    """Rule 74: neither its military nor its discount counts, and it does not count among eight colonies."""
    strong = world("world-10", "defence-3", "gray", power("military", n=6), power("settle-discount", n=3))
    explored = tuple(f"world-{n}" for n in range(20, 27))
    facts = taught(strong, *(world(id, "cost-3") for id in explored))
    state = settling(facts, ola=seat(explored=("world-10", *explored), colonists=1, credits=2))
    assert asked(state, 1) is None
    assert state.ending == ()


def test_a_gain_for_a_kind_counts_the_refinery_as_the_kind_named() -> None:
    """Rules 75, 76: settled as Genes it pays for a Genes world, settled as Rare it does not."""
    facts = taught(
        world(REFINERY, "cost-1", "any-windfall"),
        development("survey-team", power("gain-after-settle", gain="points", n=2, match="genes")),
    )
    mine = seat(explored=(REFINERY,), colonists=1, credits=1, developments=("survey-team",))
    state = answer(settling(facts, ola=mine), 1, REFINERY)
    for kind, points in (("genes", 2), ("rare", 0)):
        after = answer(state, 1, f"pay@{kind}")
        assert after.seats[1].colony(REFINERY) == Colony(REFINERY, kind)
        assert after.seats[1].chips == points
