"""Ships, jumps and colonisation (rules 122 to 164)."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from companion.core.agenda import advance
from companion.core.words import inside
from companion.games.beyond import operations as op
from companion.games.beyond.feasible import possible
from companion.games.beyond.movement import reach
from companion.games.beyond.state import Base, Colony, Node, Ship
from companion.games.beyond.steps.bases import PlaceBase
from companion.games.beyond.steps.colonise import drawable, settlers
from tests.games.beyond.tables import asked, does, left, offers, say, seat, table, told

LINES = {
    "side-3-4.yards": ["food", "ore", "both"],
    "side-3-4.routes": [
        {"one": "sol", "other": "a1"},
        {"one": "a1", "other": "yard-2"},
        {"one": "a2", "other": "yard-2"},
        {"one": "yard-2", "other": "b1"},
        {"one": "b1", "other": "deep-space"},
        {"one": "b2", "other": "deep-space"},
    ],
}


def ships(state: object, seat: int) -> set[tuple[str, int]]:
    return {(ship.at, ship.level) for ship in state.seats[seat].ships}  # type: ignore[attr-defined]


TO_COLONISE: dict[str, Any] = {"bases": {"a1": Base(0, "food")}, "taught": LINES}
"""Ania controls Barnard's Star, which takes strength 3 to colonise."""


def test_a_jump_leaves_a_compulsory_colonisation_possible() -> None:
    """Rule 44: the only ship strong enough may not leave, another may."""
    state = does(table(seat("a1:3"), seat(), seat(), **TO_COLONISE), op.Jump(points=1), op.Colonise())
    assert offers(state) == {"done"}
    state = table(seat("a1:3", "sol:1"), seat(), seat(), **TO_COLONISE)
    state = does(state, op.Jump(points=1), op.Colonise())
    assert offers(state) == {"done", "sol:1"}
    free = table(seat("a1:3", "sol:1"), seat(), seat(), **TO_COLONISE)
    assert offers(does(free, op.Jump(points=1))) == {"sol:1", "a1:3"}, "nothing comes later"


def test_a_ship_may_leave_before_a_colonisation_if_it_can_come_back() -> None:
    """Rules 44, 129."""
    state = table(seat("a1:3"), seat(), seat(), **TO_COLONISE)
    state = does(state, op.Jump(points=2), op.Colonise())
    assert offers(state) == {"done", "sol", "yard-2"}, "not two steps away"
    assert offers(say(state, "sol")) == {"a1"}


def test_a_jump_must_go_where_it_makes_a_colonisation_possible() -> None:
    """Rule 44: neither to stay nor another way is offered."""
    state = table(seat("sol:3"), seat(), seat(), **TO_COLONISE)
    assert offers(does(state, op.Jump(points=1), op.Colonise())) == {"a1"}
    two = table(seat("sol:2", "sol:1"), seat(), seat(), **TO_COLONISE)
    state = say(does(two, op.Jump(points=2), op.Colonise()), "sol:1")
    assert offers(state) == {"a1"}
    assert offers(say(state, "a1")) == {"sol:2"}


def test_one_upgrade_may_wait_for_the_next() -> None:
    """Rule 44: of two levels the second may be the one a colonisation needs."""
    state = table(seat("a1:2", "sol:1"), seat(), seat(), **TO_COLONISE)
    state = does(state, op.Upgrade(levels=2, spread=True), op.Colonise())
    assert offers(state) == {"a1:2", "sol:1"}
    assert offers(say(state, "sol:1")) == {"a1:2"}


def test_the_example_of_page_19() -> None:
    """Jump 4: 2 from Barnard's Star to the shipyard, 3 from Sirius to Tau Ceti; one point is left."""
    ewa = seat("a1:2", "a2:3")
    frank, greg = seat("b1:2"), seat("a2:2", "yard-2:2")
    bases = {"a1": Base(0, "food"), "a2": Base(0, "ore"), "b1": Base(1, "ore"), "yard-2": Base(2, "ore")}
    state = does(table(ewa, frank, greg, taught=LINES, bases=bases), op.Jump(points=4))
    state = say(state, "a1:2", "yard-2", "a2:3", "b1", "done")
    assert asked(state).slug == "beyond.base", "Tau Ceti has two specialisations"
    assert state.controller("b1") is None
    state = say(state, "food")
    assert state.bases["yard-2"] == Base(2, "ore"), "a tie changes nothing"
    assert state.bases["b1"] == Base(0, "food")
    assert state.bases["a2"] == Base(2, "ore"), "left to Greg"
    assert state.bases["a1"] == Base(0, "food"), "kept, for nobody else is there"
    assert left(state, 1) == (8, 8), "Frank's disc is back on his ore track"
    if state.agenda:  # Ewa's bonus of Tau Ceti comes first: it is her turn (rule 152)
        assert asked(state).seat == 0
        state = say(state, "0")
    assert state.seats[2].ore == 1, "Greg's bonus of Sirius in Ewa's turn"


def test_points_may_be_spent_on_several_ships_or_not_at_all() -> None:
    """Rules 127, 128."""
    state = does(table(seat("sol:1", "sol:2"), seat(), seat(), taught=LINES, changed=True), op.Jump(points=2))
    assert offers(state) == {"done", "sol:1", "sol:2"}
    state = say(state, "sol:1")
    assert offers(state) == {"a1", "yard-2"}
    state = say(state, "a1", "sol:2", "a1")
    assert ships(state, 0) == {("a1", 1), ("a1", 2)}
    assert state.controller("a1") == 0


def test_nothing_is_checked_on_the_way() -> None:
    """Rule 129: passing through an empty system takes no control."""
    state = does(table(seat("sol:1"), seat(), seat(), taught=LINES), op.Jump(points=2))
    state = say(state, "yard-2")
    assert set(state.bases) == {"yard-2"}


def test_wormholes() -> None:
    """One point anywhere; from Sol and Deep Space the first leads only next door."""
    tree = {"iii-a": Node("wormhole-technology", (0,))}
    state = table(seat(), seat(), seat(), taught=LINES, tree=tree)
    assert reach(state, 0, "a1", 1) == {place: 1 for place in state.locations if place != "a1"}
    assert reach(state, 0, "sol", 1) == {"a1": 1}
    assert set(reach(state, 0, "sol", 2)) == set(state.locations) - {"sol"}
    assert reach(state, 1, "sol", 1) == {"a1": 1}


def test_ships_go_anywhere() -> None:
    state = does(table(seat("sol:1", "sol:1"), seat()), op.JumpAnywhere(ships=2))
    state = say(state, "b2", "sol:1", "b1")
    assert ships(state, 0) == {("b2", 1), ("b1", 1)}


def test_ships_are_built_on_sol_or_an_own_shipyard_each_freely() -> None:
    """Rule 123."""
    bases = {"yard-1": Base(0, "food"), "yard-2": Base(1, "ore"), "a1": Base(0, "food")}
    state = does(table(seat(population=2), seat(), bases=bases), op.Build(n=2, level=2))
    assert offers(state) == {"sol", "yard-1"}
    state = say(state, "yard-1", "sol")
    assert ships(state, 0) == {("yard-1", 2), ("sol", 2)}
    assert state.seats[0].population == 0


def test_a_named_place_is_the_place() -> None:
    state = does(table(seat(), seat()), op.Build(level=3, source="supply", place="deep-space"))
    assert ships(say(state, "deep-space"), 0) == {("deep-space", 3)}


def test_supply_that_ran_out_may_be_replaced_by_population_or_not() -> None:
    """Rule 61: supply that is there must be used first."""
    build = op.Build(level=2, source="supply", n=2)
    state = does(table(seat(population=3, supply=(0, 0, 0, 0, 1)), seat()), build)
    assert offers(state) == {"sol"}
    state = say(state, "sol")
    assert offers(state) == {"sol", "skip"}
    assert say(state, "sol").seats[0].population == 2
    assert say(state, "skip").seats[0].population == 3


def test_levels_beyond_four_are_lost() -> None:
    """Rule 125."""
    state = say(does(table(seat("sol:3"), seat()), op.Upgrade(ships=1, levels=2)), "sol:3")
    assert ships(state, 0) == {("sol", 4)}


def test_an_upgrade_is_compulsory_unless_it_says_up_to() -> None:
    """Rule 126; without a ship below 4 it is lost."""
    assert "done" not in offers(does(table(seat("sol:1"), seat()), op.Upgrade()))
    state = table(seat("sol:1"), seat(), changed=True)
    assert "done" in offers(does(state, op.Upgrade(ships=2, up_to=True)))
    assert does(table(seat("sol:4"), seat()), op.Upgrade()).agenda == ()


def test_each_ship_is_upgraded_once_unless_levels_are_spread() -> None:
    state = does(table(seat("sol:1", "a1:1"), seat()), op.Upgrade(ships=2, levels=1))
    state = say(state, "sol:1")
    assert offers(state) == {"a1:1"}
    state = does(table(seat("sol:1"), seat()), op.Upgrade(levels=3, spread=True))
    state = say(state, "sol:1", "sol:2", "sol:3")
    assert ships(state, 0) == {("sol", 4)}


def test_control_is_checked_after_the_upgrade_and_again_after_the_jump() -> None:
    """Rule 153: Hyperdrive Boosters."""
    bases = {"a2": Base(1, "ore")}
    state = table(seat("a2:1"), seat("a2:1"), seat(), taught=LINES, bases=bases)
    state = does(state, op.Upgrade(ships=2, levels=1, up_to=True), op.Jump(points=4))
    state = say(state, "a2:1")
    assert state.bases["a2"] == Base(0, "ore")
    assert state.seats[0].ore == 1
    state = say(state, "yard-2", "done")
    assert state.bases["a2"] == Base(1, "ore"), "left again"
    assert state.seats[1].ore == 1


def test_colonising_in_six_steps_as_on_page_22() -> None:
    """Helena, Kapteyn's Star: settled, sent away, taken, refilled, second disc, bonus."""
    helena = seat("b2:2", "b2:2", population=6, supply=(0, 3, 3, 3, 3))
    other = seat("b2:1", "b2:3")
    state = table(helena, other, bases={"b2": Base(0, "food")})
    state = say(does(state, op.Colonise()), "b2")
    if asked(state).slug == "beyond.settlers":
        state = say(state, "2,2")
    assert state.seats[0].supply == (1, 4, 3, 3, 3)
    assert ships(state, 1) == {("deep-space", 1), ("deep-space", 3)}
    assert (asked(state).slug, state.bases) == ("beyond.which-system", {})
    state = say(state, "wise-1541-2250")
    assert (state.systems["b2"], state.decks) == ("wise-1541-2250", {"A": 10, "B": 9})
    state = say(state, "ore")
    assert state.seats[0].colonies == (Colony("kapteyns-star", ("food", "ore")),)
    state = say(state, "deep-space")
    assert state.seats[0].supply == (0, 4, 3, 3, 3)
    assert ships(state, 0) == {("deep-space", 4)}
    assert left(state, 0) == (7, 7)
    assert state.cubes(0) == 20


@pytest.mark.parametrize(
    ("levels", "needed", "sets"),
    [
        ((3, 2), 4, [(3, 2)]),
        ((2, 2, 1), 4, [(2, 2), (2, 2, 1)]),
        ((4, 1), 4, [(4,), (4, 1)]),
        ((1, 1), 3, []),
    ],
)
def test_more_may_be_settled_and_nothing_is_given_back(
    levels: tuple[int, ...], needed: int, sets: list[tuple[int, ...]]
) -> None:
    """Rule 158."""
    assert list(settlers(tuple(Ship("a1", level) for level in levels), needed)) == sets


def test_only_controlled_systems_with_enough_strength() -> None:
    """Rule 157 and the example of p. 22: opponents' strength does not matter; shipyards never (rule 155)."""
    bases = {"a1": Base(1, "food"), "a2": Base(0, "ore"), "b2": Base(0, "food"), "yard-1": Base(0, "food")}
    who = seat("a1:3", "a2:3", "b2:4", "yard-1:4")
    state = table(who, seat("a1:4", "b2:4"), bases=bases)
    assert offers(does(state, op.Colonise())) == {"b2"}


def test_an_empty_deck_is_replaced_by_the_other_and_then_by_nothing() -> None:
    """Rule 161; an empty place is no location to control."""
    state = table(seat("a1:3"), seat(), bases={"a1": Base(0, "food")})
    from_b = replace(state, decks={"A": 0, "B": 2})
    state_b = say(does(from_b, op.Colonise()), "a1", "3")
    assert "deck" in asked(state_b).text.args
    assert asked(state_b).text.args["deck"] == "B"
    none = replace(state, decks={"A": 0, "B": 0})
    state_0 = say(does(none, op.Colonise()), "a1", "3")
    assert "a1" not in state_0.systems
    assert "a1" not in state_0.controllable


def test_a_jump_in_the_bonus_may_enter_the_new_card() -> None:
    """Rule 163: the new card lies there already."""
    taught = {
        **LINES,
        "barnards-star.colony_bonus": [{"does": "jump", "points": 2}],
        "barnards-star.points": 2,
        "system-10.specialisations": ["food"],
        "system-10.strength": 2,
        "system-10.control_bonus": [],
        "system-10.abilities": [],
    }
    state = table(seat("a1:3", "sol:1"), seat(), seat(), taught=taught, bases={"a1": Base(0, "food")})
    state = say(does(state, op.Colonise()), "a1", "3", "system-10")
    state = say(state, "a1", "done")
    assert state.systems["a1"] == "system-10"
    assert state.bases == {"a1": Base(0, "food")}


def test_colonising_gives_no_bonus_for_control() -> None:
    """Rule 151."""
    state = table(seat("a2:4"), seat(), bases={"a2": Base(0, "ore")}, taught={"sirius.colony_bonus": []})
    state = say(does(state, op.Colonise()), "a2", "4", "system-10")
    assert state.seats[0].ore == 0
    assert state.seats[0].colonies == (Colony("sirius", ("ore", "ore")),)


def test_stealth_terraformers_of_2020() -> None:
    """A system nobody controlled when the turn began: jump and colonise, two discs, no bonus for control."""
    stealth = (op.Jump(points=2), op.Colonise(stealth=True))
    taught = {**LINES, "sirius.strength": 2, "sirius.colony_bonus": [], "sirius.points": 3}
    state = table(seat("yard-2:2"), seat(), seat(), taught=taught, bases={"yard-2": Base(0, "ore")})
    assert possible(state, 0, stealth, "")
    held = table(
        seat("yard-2:2"),
        seat(),
        seat(),
        taught=taught,
        bases={p: Base(1, "ore") for p in ("a1", "a2", "b1", "b2")},
    )
    assert not possible(held, 0, stealth, "")
    state = does(state, *stealth)
    assert "done" not in offers(state), "without the jump nothing can be colonised"
    state = say(state, "a2", "done", "a2", "2", "system-10")
    assert state.seats[0].colonies == (Colony("sirius", ("ore", "ore")),)
    assert state.seats[0].ore == 0


def test_either_track_lends_discs() -> None:
    """Subatomic Fabrication: food where ore is asked for."""
    tree = {"iii-a": Node("subatomic-fabrication", (0,))}
    state = does(table(seat(), seat(), tree=tree), op.Automate(disc="ore"))
    assert say(state, "food").seats[0].automation == ("food",)


def test_the_museum_takes_ships_out_of_play() -> None:
    """Rule 112."""
    state = say(does(table(seat("a1:2"), seat()), op.ToMuseum()), "a1:2")
    assert (state.seats[0].museum, state.seats[0].ships, state.cubes(0)) == ((2,), (), 20)


def test_several_bonuses_are_taken_in_any_order() -> None:
    """Rule 152."""
    taught = {**LINES, "barnards-star.control_bonus": [{"does": "gain-ore", "n": 2}]}
    state = does(table(seat("yard-2:1", "yard-2:1"), seat(), seat(), taught=taught), op.Jump(points=2))
    state = say(state, "a1", "yard-2:1", "a2")
    assert asked(state).slug == "beyond.order-bonuses"
    state = say(state, "a2")
    assert state.seats[0].ore == 3
    assert "beyond.do.take-ore" in told(state)


@pytest.mark.parametrize("base", [Base(1, "ore"), None])
def test_a_colony_takes_along_no_base_but_the_own(base: Base | None) -> None:
    """Rules 161, 164: a correction may have changed the control while the settlers are chosen."""
    state = does(table(seat("a1:3"), seat(), seat(), **TO_COLONISE), op.Colonise())
    while asked(state).slug != "beyond.settlers":
        state = say(state, "a1")
    state = say(replace(state, bases={} if base is None else {"a1": base}), "3")
    assert state.seats[0].colonies[-1] == Colony("barnards-star", ())


def test_settlers_are_asked_no_more_when_their_ships_are_gone() -> None:
    """Rule 158: a correction took them away."""
    state = say(does(table(seat("a1:3", "a1:1"), seat(), seat(), **TO_COLONISE), op.Colonise()), "a1")
    assert asked(state).slug == "beyond.settlers"
    gone = state.with_seat(0, replace(state.seats[0], ships=()))
    assert not advance(gone).agenda


def test_strength_settled_in_vain_is_told() -> None:
    """Rule 158: strength 3 is needed, 4 is one more."""
    state = say(does(table(seat("a1:3", "a1:1"), seat(), seat(), **TO_COLONISE), op.Colonise()), "a1")
    told = {
        o.id: [part.key for part in inside(o.detail)] for o in asked(state).options if o.detail is not None
    }
    assert "beyond.leads.more-than-needed" not in told["3"]
    assert "beyond.leads.more-than-needed" in told["3,1"]


def test_only_cards_of_a_deck_are_drawn_from_it() -> None:
    """Rule 161: cards nobody has told the deck of may lie in either."""
    state = table(seat(), seat(), taught={"system-10.deck": "A", "system-11.deck": "B"})
    state = replace(state, taught={k: v for k, v in state.taught.items() if k != "system-12.deck"})
    for deck, other in (("A", "system-11"), ("B", "system-10")):
        found = drawable(state, deck)
        assert other not in found
        assert {"system-10", "system-11"} - {other} <= set(found)


def test_a_base_on_a_system_asks_nothing_about_shipyards() -> None:
    """Rule 143."""
    state = table(seat("a1:1"), seat(), seat(), taught=LINES)
    state = replace(state, taught={k: v for k, v in state.taught.items() if not k.endswith(".yards")})
    state = advance(state.push(PlaceBase(0, "a1")))
    assert (state.agenda, state.bases["a1"]) == ((), Base(0, "food"))
