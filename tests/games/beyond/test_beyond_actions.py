"""The pawn and its spaces, costs, and actions that change nothing (rules 39 to 53)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from companion.games.beyond import operations as op
from companion.games.beyond.feasible import possible
from companion.games.beyond.state import Base, BeyondState, Kept, Node
from companion.games.beyond.steps.resources import ReplaceRetired
from companion.games.beyond.steps.turn import BeginTurn, ChooseSpace
from tests.games.beyond.tables import asked, does, left, offers, say, seat, table, told

HERE = (ChooseSpace(0),)
JUMP_4 = {
    "plasma-cannon.actions": [{"effects": [{"does": "jump", "points": 4}]}],
    "plasma-cannon.abilities": [],
}
ORE_AND_JUMP = {
    "plasma-cannon.actions": [{"effects": [{"does": "gain-ore", "n": 2}, {"does": "jump", "points": 2}]}],
    "plasma-cannon.abilities": [],
}
CANNON = {"ii-a": Node("plasma-cannon", (0,))}


def spaces(state: BeyondState) -> set[str]:
    return {id.rsplit(":", 1)[0].removeprefix(f"{state.basic.id}:") for id in offers(state)}


def test_the_pawn_must_move_but_may_go_to_the_same_action() -> None:
    """Rule 40: the other space of the same action is another space."""
    state = table(seat(population=2, pawn="basic-2:research-1:0"), seat(), agenda=HERE)
    assert "basic-2:research-1:0" not in offers(state)
    assert "basic-2:research-1:1" in offers(state)
    state = say(state, "basic-2:research-1:1", "i-1")
    assert state.seats[0].population == 1
    assert state.seats[0].pawn == "basic-2:research-1:1"


def test_a_taken_space_is_not_free() -> None:
    """Rule 39; both spaces of the third action are taken (example p. 7)."""
    others = (seat(pawn="basic-3:build-jump:0"), seat(pawn="basic-3:build-jump:1"))
    state = table(seat("sol:1", pawn="basic-3:research-1:0"), *others, agenda=HERE)
    assert "build-jump" not in spaces(state)
    assert {"research-1", "recruit-ore"} <= spaces(state)


def test_the_example_of_page_7() -> None:
    """Only researched technologies; genetics has no spaces at all (rules 42, 107)."""
    laser = {"narrow-beam-lasers.actions": [{"effects": [{"does": "gain-ore"}]}]}
    terra = {"terraforming.actions": [{"effects": [{"does": "gain-ore"}]}]}
    rows = {"i-1": (0,), "i-2": (1,), "i-3": (0,)}
    state = table(seat(), seat(), taught={**laser, **terra}, researched=rows, agenda=HERE)
    assert "narrow-beam-lasers:0" in spaces(state)
    assert "terraforming:0" not in spaces(state)
    assert not any(space.startswith("advanced-genetics") for space in spaces(state))


def test_the_last_basic_space_may_be_used_again_but_not_shared() -> None:
    """Rule 41."""
    state = table(seat(pawn="basic-2:recruit-ore:0"), seat(), agenda=HERE)
    assert "basic-2:recruit-ore:0" in offers(state)
    state = table(seat(), seat(pawn="basic-2:recruit-ore:0"), agenda=HERE)
    assert "recruit-ore" not in spaces(state)
    state = table(seat(), seat(pawn="basic-2:recruit-ore:0"), taught={"basic-2.shared": True}, agenda=HERE)
    assert "recruit-ore" in spaces(state)


def test_the_surcharge_is_paid_on_its_space_only() -> None:
    """Rule 46: 3 ore for Basic action 2 there, and 2 are not enough."""
    rows = {"i-1": (0,), "i-2": (0,)}
    expensive, cheap = "basic-2:research-2:1", "basic-2:research-2:0"
    state = table(seat(ore=3, population=1), seat(), researched=rows, agenda=HERE)
    assert {expensive, cheap} <= offers(state)
    assert say(state, expensive).seats[0].ore == 0
    assert say(state, cheap).seats[0].ore == 1
    state = table(seat(ore=2, population=1), seat(), researched=rows, agenda=HERE)
    assert expensive not in offers(state)
    assert cheap in offers(state)


def test_retired_and_used_population_are_needed_together() -> None:
    """Rule 48: the Professors' Guild takes two in all."""
    tree = {
        space: Node("plasma-cannon" if space == "ii-a" else "", (0,)) for space in ("ii-a", "ii-b", "ii-c")
    }
    rows = {"i-1": (0,), "i-2": (0,)}
    for population, able in ((1, False), (2, True)):
        who = seat(ore=6, population=population)
        state = table(who, seat(), guilds=("professors-guild",), tree=tree, researched=rows, agenda=HERE)
        assert ("professors-guild:0" in spaces(state)) == able


def test_a_replaced_cube_lowers_the_sum() -> None:
    """Rule 48: the Android Rights Movement pays 1 ore in place of one of them."""
    tree = {
        space: Node("plasma-cannon" if space == "ii-a" else "", (0,)) for space in ("ii-a", "ii-b", "ii-c")
    }
    tree["iii-f"] = Node("android-rights-movement", (0,))
    rows = {"i-1": (0,), "i-2": (0,)}
    state = table(
        seat(ore=5, population=1),
        seat(),
        guilds=("professors-guild",),
        tree=tree,
        researched=rows,
        agenda=HERE,
    )
    state = say(state, "professors-guild:0:0")
    assert offers(state) == {"ore"}
    state = say(state, "ore")
    assert (state.seats[0].ore, state.seats[0].population) == (0, 1)
    assert asked(state).slug == "beyond.research"


def test_to_jump_and_not_to_move_is_no_action() -> None:
    """Rule 45: jump 4 alone must move somebody for good; with ore besides it need not (p. 23)."""
    state = table(seat("sol:1"), seat(), taught=JUMP_4, tree=CANNON, agenda=HERE)
    state = say(state, "plasma-cannon:0:0")
    assert "done" not in offers(state)
    state = say(state, "a1")
    assert "done" in offers(state)
    state = table(seat("sol:1"), seat(), taught=ORE_AND_JUMP, tree=CANNON, agenda=HERE)
    state = say(state, "plasma-cannon:0:0")
    assert "done" in offers(state)
    state = say(state, "done")
    assert state.seats[0].ore == 2


def test_the_way_back_is_no_change() -> None:
    """Rule 45: all ships where they began counts as nothing."""
    state = table(seat("sol:1"), seat(), taught=JUMP_4, tree=CANNON, agenda=HERE)
    state = say(state, "plasma-cannon:0:0", "a1", "sol")
    assert "done" not in offers(state)
    state = say(state, "a1")
    assert "sol" not in offers(state), "the last point may not undo it all"


def test_no_ships_no_jump() -> None:
    state = table(seat(), seat(), taught=JUMP_4, tree=CANNON, agenda=HERE)
    assert "plasma-cannon:0" not in spaces(state)


def test_basic_action_3_needs_one_of_its_parts() -> None:
    """Rule 56: a ship, or a jump; with neither it cannot be chosen."""
    state = table(seat(population=0), seat(), agenda=HERE)
    assert "build-jump" not in spaces(state)
    state = say(table(seat(population=1), seat(), agenda=HERE), "basic-2:build-jump:0")
    assert offers(state) == {"sol"}, "nothing else could change"
    state = say(table(seat("sol:1", population=1), seat(), agenda=HERE), "basic-2:build-jump:0", "skip")
    assert "done" not in offers(state)


def test_basic_action_4_takes_ore_even_without_supply() -> None:
    """Rule 57."""
    state = say(table(seat(population=20, supply=(0,) * 5), seat(), agenda=HERE), "basic-2:recruit-ore:0")
    assert (state.seats[0].ore, state.seats[0].population) == (1, 20)


def test_basic_action_4_takes_the_leftmost_cube() -> None:
    state = say(
        table(seat(supply=(0, 2, 3, 3, 3), population=9), seat(), agenda=HERE), "basic-2:recruit-ore:0"
    )
    assert (state.seats[0].ore, state.seats[0].supply) == (1, (0, 1, 3, 3, 3))


def test_what_an_earlier_part_yields_serves_a_later_one() -> None:
    """Rule 44: Cerebral Implants turn a cube into population and use it."""
    tree = {"ii-a": Node("cerebral-implants", (0,))}
    rows = {"i-1": (0,), "i-2": (0,)}
    state = table(seat(ore=3, population=0), seat(), tree=tree, researched=rows, agenda=HERE)
    assert "cerebral-implants:0" in spaces(state)
    state = table(seat(ore=2, population=3), seat(), tree=tree, researched=rows, agenda=HERE)
    assert "cerebral-implants:0" not in spaces(state), "one of the two must be done"


def test_a_pawn_beside_the_board_occupies_nothing_and_may_come_back() -> None:
    """Rules 27 and 50."""
    state = table(seat(pawn=""), seat(pawn=""), agenda=HERE)
    assert {"research-1", "build-jump", "recruit-ore"} <= spaces(state)


def test_ross_154_displaces() -> None:
    """Rule 51: the pawn there is laid aside."""
    from companion.games.beyond.state import Colony

    taught = {"ross-154.abilities": [{"does": "take-occupied"}]}
    who = seat(colonies=(Colony("ross-154"),))
    state = table(who, seat(pawn="basic-2:recruit-ore:0"), taught=taught, agenda=HERE)
    state = say(state, "basic-2:recruit-ore:0")
    assert [one.pawn for one in state.seats] == ["basic-2:recruit-ore:0", ""]


def test_technocrats_research_and_act_without_moving() -> None:
    """Rules 52 and 119: the space may be taken, the surcharge need not be paid, both parts are compulsory."""
    other = seat(pawn="basic-2:recruit-ore:0")
    state = table(seat(population=1), other, guilds=("technocrats-guild",), agenda=HERE)
    state = say(state, "technocrats-guild:0:0", "i-1")
    assert "basic-2:recruit-ore:0" in offers(state)
    state = say(state, "basic-2:recruit-ore:0")
    assert state.seats[0].pawn == "technocrats-guild:0:0"
    assert (state.seats[0].ore, state.seats[0].population) == (1, 1)
    everything = {f"i-{n}": (0,) for n in range(1, 5)}
    state = table(
        seat(population=3), seat(), guilds=("technocrats-guild",), researched=everything, agenda=HERE
    )
    assert "technocrats-guild:0" not in spaces(state)


def test_quantum_data_exchange_copies_any_research_but_itself() -> None:
    """Rule 53: of technologies one lacks too; not covered guilds, not others' private technologies."""
    tree = {
        "iii-a": Node("quantum-data-exchange", (0,)),
        "iii-b": Node("deep-space-megastructures", (1,)),
    }
    others = seat(private=("metahuman-chambers",))
    rows = {"i-1": (0,), "i-2": (0,), "ii-a": (0,), "ii-b": (0,), "ii-c": (0,)}
    state = table(
        seat(ore=9, population=4),
        others,
        tree=tree,
        researched=rows,
        guilds=("technocrats-guild",),
        agenda=HERE,
    )
    state = say(state, "quantum-data-exchange:0:0")
    copied = {id.rsplit(":", 1)[0] for id in offers(state)}
    assert {"deep-space-megastructures:0", "technocrats-guild:0", "basic-2:research-1"} <= copied
    assert not any(
        one.startswith(("quantum", "metahuman", "professors", "basic-2:recruit")) for one in copied
    )
    before = state.seats[0].ore
    state = say(state, "deep-space-megastructures:0:0", "deep-space")
    assert state.seats[0].ore == before - 4
    assert state.seats[0].pawn == "quantum-data-exchange:0:0"


def test_guilds_are_closed_until_uncovered_and_then_open_to_all() -> None:
    """Rules 115, 116: their costs are those printed (rules 117 to 120)."""
    rows = {"i-1": (0,)}
    ships, bases = ("a1:3",), {"a1": Base(0, "food")}
    covered = table(seat(*ships, ore=9, population=5), seat(), researched=rows, bases=bases, agenda=HERE)
    assert not any("guild" in space for space in spaces(covered))
    state = table(
        seat(*ships, ore=4, population=1),
        seat(),
        researched=rows,
        bases=bases,
        guilds=("terraformers-guild",),
        agenda=HERE,
    )
    state = say(state, "terraformers-guild:0:0", "a1", "3")
    assert (state.seats[0].ore, state.seats[0].population) == (0, 0)
    assert [colony.system for colony in state.seats[0].colonies] == ["barnards-star"]


def test_metascientists_need_three_population_in_all() -> None:
    """Rule 120."""
    tree = {f"iii-{c}": Node("", (0,)) for c in "abcdef"} | {f"ii-{c}": Node("", (0,)) for c in "abcdef"}
    rows = {f"i-{n}": (0,) for n in range(1, 5)}
    for population, able in ((2, False), (3, True)):
        state = table(
            seat(ore=6, population=population, supply=(0, 0, 0, 0, 1)),
            seat(),
            tree=tree,
            researched=rows,
            guilds=("metascientists-guild",),
            agenda=HERE,
        )
        assert ("metascientists-guild:0" in spaces(state)) == able


def test_a_copied_action_costs_no_surcharge_if_it_has_a_space_without() -> None:
    """Rule 52, reading."""
    rows = {"i-1": (0,), "i-2": (0,)}
    state = table(
        seat(ore=2, population=2), seat(), guilds=("technocrats-guild",), researched=rows, agenda=HERE
    )
    state = say(state, "technocrats-guild:0:0", "i-3")
    assert "basic-2:research-2:0" in offers(state)
    assert "basic-2:research-2:1" not in offers(state)


def test_the_dyson_sphere() -> None:
    """Rule 113: the card beside it is colonised without discs, the event goes, the pawn lies aside."""
    action = {"dyson-sphere-model-1.actions": [{"ore_cost": 3, "effects": [{"does": "take-system"}]}]}
    bonus = {
        "system-10.colony_bonus": [{"does": "gain-ore", "n": 2}],
        "system-10.abilities": [],
        "system-10.points": 3,
    }
    kept = {"dyson-sphere-model-1": Kept(None, "system-10")}
    state = table(seat(ore=3), seat(), taught={**action, **bonus}, kept=kept, agenda=HERE)
    state = say(state, "dyson-sphere-model-1:0:0")
    who = state.seats[0]
    assert (who.ore, who.pawn, state.kept) == (2, "", {})
    assert [(c.system, c.discs) for c in who.colonies] == [("system-10", ())]
    assert left(state, 0) == (8, 8)


def test_private_spaces_obey_the_duty_to_move() -> None:
    """Rule 103."""
    who = seat(private=("manufacturing-orbitals",), pawn="manufacturing-orbitals:0:0")
    bases = {"a1": Base(0, "food")}
    state = table(who, seat(), bases=bases, agenda=HERE)
    assert "manufacturing-orbitals:0" not in spaces(state)
    state = table(replace(who, pawn=""), seat(), bases=bases, agenda=HERE)
    assert "manufacturing-orbitals:0" in spaces(state)


def test_what_lies_open_was_not_controlled_when_the_turn_began() -> None:
    """A turn notes what nobody controls (Stealth Terraformers)."""
    state = table(seat("sol:1"), seat(), bases={"a1": Base(1, "food")}, agenda=(BeginTurn(0),))
    assert "a1" not in state.open_places
    assert "a2" in state.open_places


def test_a_part_that_became_impossible_is_left_out_aloud() -> None:
    state = does(table(seat(population=0), seat()), op.Research(level=1))
    assert "beyond.left-out" in told(state)
    assert not possible(state, 0, (op.Research(level=1),), "")


@pytest.mark.parametrize(("population", "offered"), [(2, {"cubes", "ore"}), (1, {"ore"}), (0, {"nothing"})])
def test_an_ore_may_stand_for_one_retired_cube(population: int, offered: set[str]) -> None:
    """Rule 48: of two cubes one must still be there."""
    state = table(seat(ore=3, population=population), seat())
    assert {option.id for option in ReplaceRetired(0, 2).ask(state).options} == offered
