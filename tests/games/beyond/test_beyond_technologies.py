"""The sixteen technologies of level III whose text is known: immediate bonus and actions, each as printed."""

from __future__ import annotations

from typing import Any

import pytest

from companion.core.agenda import advance
from companion.games.beyond.component_types import Technology, everything
from companion.games.beyond.operations import Operation
from companion.games.beyond.state import Base, BeyondState, Colony, Node
from companion.games.beyond.steps.perform import CARRIED
from companion.games.beyond.steps.research import Bonus
from companion.games.beyond.steps.turn import ChooseSpace
from tests.games.beyond.tables import asked, left, offers, say, seat, table

ROUTES = {
    "side-2.routes": [
        {"one": "sol", "other": "a1"},
        {"one": "a1", "other": "a2"},
        {"one": "a2", "other": "deep-space"},
    ],
    "technology-board.lines_2": [{"one": "i-1", "other": "ii-a"}, {"one": "i-1", "other": "ii-b"}],
    "technology-board.lines_3": [{"one": "ii-a", "other": "iii-b"}],
    "technology-board.lines_4": [{"one": "iii-a", "other": "iiii-a"}],
}
ROWS = {"i-1": (0,), "ii-a": (0,)}


def bonus(card: str, *ships: str, **more: Any) -> BeyondState:
    """Ania, while she gets what the card gives at once."""
    state = table(seat(*ships, **{"ore": 0, "population": 1, **more}), seat(), taught=ROUTES, researched=ROWS)
    return advance(state.push(Bonus(0, card)))


def action(card: str, *ships: str, bases: dict[str, Base] | None = None, **more: Any) -> BeyondState:
    """Ania, who has the card on the tree, before she moves her pawn."""
    return table(
        seat(*ships, **more),
        seat(),
        taught=ROUTES,
        tree={"iii-a": Node(card, (0,))},
        researched={**ROWS, "iii-a": (0,)},
        bases=bases,
        agenda=(ChooseSpace(0),),
    )


def ships(state: BeyondState) -> list[tuple[str, int]]:
    return sorted((ship.at, ship.level) for ship in state.seats[0].ships)


def test_transdimensional_ai() -> None:
    state = bonus("transdimensional-ai")
    assert state.seats[0].population == 2
    state = say(state, "0")
    assert offers(state) == {"i-2", "i-3", "i-4"}, "discovered ones, whatever comes before, without a bonus"
    assert say(state, "i-3").seats[0].population == 1


def test_planetary_scale_research() -> None:
    state = say(bonus("planetary-scale-research"), "sol", "a1", "done")
    assert ships(state) == [("a1", 2)]
    state = say(action("planetary-scale-research", ore=4), "planetary-scale-research:0:0")
    assert (state.seats[0].ore, offers(state)) == (0, {"i-2", "i-3", "i-4"})
    state = action("planetary-scale-research", ore=4, colonies=(Colony("system-10"), Colony("system-11")))
    state = say(state, "planetary-scale-research:0:0")
    assert all(space.startswith("iii-") for space in offers(state))
    assert "iii-b" in offers(state)


def test_metahuman_chambers() -> None:
    state = bonus("metahuman-chambers")
    assert (state.seats[0].automation, state.seats[0].population) == (("food",), 2)
    assert "metahuman-chambers:0:0" not in offers(action("metahuman-chambers", ore=4, population=2))
    state = say(action("metahuman-chambers", ore=4, population=3), "metahuman-chambers:0:0", "iiii-a")
    assert (state.seats[0].ore, state.seats[0].population) == (0, 0)


def test_hivemind_computing() -> None:
    state = bonus("hivemind-computing", "sol:1")
    assert state.seats[0].automation == ("ore",)
    assert offers(state) == {"done", "a1"}
    state = say(action("hivemind-computing", ore=7, population=1), "hivemind-computing:0:0", "iiii-a")
    assert (state.seats[0].ore, state.seats[0].population) == (0, 0)


def test_deep_space_megastructures() -> None:
    state = say(bonus("deep-space-megastructures"), "deep-space", "done")
    assert ships(state) == [("deep-space", 3)]
    state = say(action("deep-space-megastructures", ore=4, population=1), "deep-space-megastructures:0:0")
    state = say(state, "deep-space")
    assert ships(state) == [("deep-space", 2)]
    assert "iii-b" in offers(state)


def test_capital_ship() -> None:
    assert ships(say(bonus("capital-ship"), "sol", "done")) == [("sol", 4)]
    state = say(action("capital-ship", ore=5, population=2), "capital-ship:0:0", "sol")
    assert offers(state) == {"0", "nothing"}
    state = say(state, "0", "sol", "done")
    assert (ships(state), state.seats[0].ore) == ([("sol", 2), ("sol", 4)], 0)
    state = say(action("capital-ship", ore=4, population=2), "capital-ship:0:0", "sol")
    assert offers(state) == {"nothing"}, "two ore more would be needed"


def test_android_armada() -> None:
    """Two of two, the same one twice if one likes."""
    state = say(bonus("android-armada", population=0), "1", "1")
    assert state.seats[0].population == 2
    state = say(bonus("android-armada", population=0), "0", "sol", "1")
    assert (ships(state), state.seats[0].population) == ([("sol", 2)], 1)
    state = say(action("android-armada", ore=4), "android-armada:0:0", "sol", "done")
    assert (ships(state), state.seats[0].ore) == ([("sol", 4)], 0)


def test_mercenary_fleet() -> None:
    """Two different actions on one card."""
    state = action("mercenary-fleet", "a1:3", ore=3, bases={"a1": Base(0, "food")})
    state = say(state, "mercenary-fleet:0:0", "a1", "3")
    assert [colony.system for colony in state.seats[0].colonies] == ["barnards-star"]
    assert "mercenary-fleet:1:0" not in offers(action("mercenary-fleet", ore=1, population=1))
    state = say(action("mercenary-fleet", ore=1, population=2), "mercenary-fleet:1:0", "sol", "done")
    assert (ships(state), state.seats[0].ore, state.seats[0].population) == ([("sol", 4)], 0, 0)


def test_cerebral_implants() -> None:
    state = say(action("cerebral-implants", ore=5, population=0), "cerebral-implants:0:0")
    assert offers(state) == {"0", "1"}
    state = say(state, "1")
    assert "iii-b" in offers(state)
    assert state.seats[0].ore == 0


def test_manufacturing_orbitals() -> None:
    bases = {"a1": Base(0, "food"), "yard-1": Base(0, "food")}
    colonies = (Colony("system-10"), Colony("system-11"), Colony("system-12"))
    state = action("manufacturing-orbitals", bases=bases, colonies=colonies, population=0)
    state = say(state, "manufacturing-orbitals:0:0")
    assert (state.seats[0].ore, state.seats[0].population) == (2, 1), (
        "one for two colonies, none for the third"
    )
    assert offers(state) == {"sol", "yard-1", "skip"}


def test_manufacturing_orbitals_give_three_ore_at_most() -> None:
    """Four locations are controlled, three pay: in the immediate box and in the action that repeats it."""
    bases = {place: Base(0, "food") for place in ("a1", "a2", "yard-1", "yard-2")}
    state = action("manufacturing-orbitals", bases=bases, population=0)
    assert say(state, "manufacturing-orbitals:0:0").seats[0].ore == 3
    state = table(seat(population=0), seat(), taught=ROUTES, researched=ROWS, bases=bases)
    assert advance(state.push(Bonus(0, "manufacturing-orbitals"))).seats[0].ore == 3


def test_android_rights_movement() -> None:
    state = say(bonus("android-rights-movement", supply=(4, 4, 3, 3, 3), population=1), "a", "a")
    assert state.seats[0].supply == (6, 4, 3, 3, 1)
    assert state.seats[0].automation == ("food",)


def test_subatomic_fabrication() -> None:
    state = say(bonus("subatomic-fabrication"), "ore")
    assert (state.seats[0].automation, state.seats[0].population, state.seats[0].ore) == (("ore",), 2, 1)


def test_quantum_data_exchange() -> None:
    state = bonus("quantum-data-exchange")
    assert (state.seats[0].automation, state.seats[0].ore) == (("ore",), 2)


def test_hyperdrive_boosters() -> None:
    state = say(bonus("hyperdrive-boosters", "sol:1", "a1:3"), "a1:3", "sol:1", "sol:2")
    assert ("sol", 3) in ships(state)
    state = say(action("hyperdrive-boosters", "sol:1", "sol:1"), "hyperdrive-boosters:0:0", "sol:1", "sol:1")
    assert ships(state) == [("sol", 2), ("sol", 2)]
    assert asked(state).slug == "beyond.jump-to"


def test_wormhole_technology() -> None:
    state = say(bonus("wormhole-technology"), "sol")
    assert state.seats[0].ore == 1
    state = say(state, "b2")
    assert state.controller("b2") is None
    assert asked(state).slug in ("beyond.jump", "beyond.jump-to")


def test_stealth_terraformers_in_both_editions() -> None:
    """The old text is known; of the revised one only its type (rule 14)."""
    old = everything("original")["stealth-terraformers"]
    new = everything("revised")["stealth-terraformers"]
    assert isinstance(old, Technology)
    assert isinstance(new, Technology)
    assert old.actions
    assert not new.actions
    assert old.actions[0].ore_cost == 5


def test_every_operation_can_be_carried_out() -> None:
    assert set(CARRIED) == set(Operation.__subclasses__())


@pytest.mark.parametrize("level", [1, 2, 3, 4])
def test_the_box_has_as_many_cards_as_the_rulebook_counts(level: int) -> None:
    """Rule 5."""
    for edition in ("revised", "original"):
        cards = [c for c in everything(edition) if isinstance(c, Technology) and c.level == level]
        assert len(cards) == {1: 4, 2: 16, 3: 16, 4: 10}[level]


def test_discs_count_as_left_on_the_tracks() -> None:
    assert left(bonus("metahuman-chambers"), 0) == (7, 8)
