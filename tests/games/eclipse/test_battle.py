"""Battles: the worked example of pp. 22-23, pairs, retreat, stalemate, Ancients, population and reputation."""

from __future__ import annotations

from random import Random

import pytest
from msgspec.structs import replace

from companion.core.agenda import advance, questions, take
from companion.core.questions import Answer
from companion.games.eclipse import GAME
from companion.games.eclipse.combat import (
    ANCIENTS,
    CENTRE_DEFENCE,
    Field,
    chances,
    contested,
    needed,
    pair,
    squads,
    turn_order,
)
from companion.games.eclipse.component_types import Ship
from companion.games.eclipse.species import design
from companion.games.eclipse.steps.battle import told_odds
from companion.games.eclipse.steps.battle_after import ChooseVictim, drawn
from tests import budgets
from tests.games.eclipse.battle_tables import (
    HERE,
    NORTH,
    SOUTH,
    answer,
    asked,
    seat,
    sector,
    table,
    told,
    words,
)

KRZYSZTOF, MARCIN = 0, 1
MISSILES = ("plasma-missile", "", "", "")
POSITRON = ("", "ion-cannon", "", "", "positron-computer", "")
HYDRAN_CRUISER = (
    "improved-hull",
    "plasma-missile",
    "plasma-cannon",
    "fusion-source",
    "gauss-shield",
    "fusion-drive",
)


def printed_example():
    """Krzysztof defends with three interceptors and a cruiser, Marcin attacks with as many (p. 22)."""
    krzysztof = seat("Krzysztof", "mechanema", {"interceptor": MISSILES, "cruiser": POSITRON})
    marcin = seat(
        "Marcin",
        "hydran-progress",
        {"interceptor": ("plasma-missile", "", "fusion-source", "fusion-drive"), "cruiser": HYDRAN_CRUISER},
    )
    ships = {"interceptor": 3, "cruiser": 1}
    here = sector("sector-103", (0, ships), (1, ships), owner=0, cubes=(True, False))
    return table((krzysztof, marcin), here, sector("sector-302", owner=1))


def test_the_battle_of_pages_22_and_23() -> None:
    state = printed_example()
    assert (design(state, 0, "interceptor").initiative, design(state, 0, "cruiser").initiative) == (3, 3)
    assert (design(state, 1, "interceptor").initiative, design(state, 1, "cruiser").initiative) == (4, 3)
    assert "Marcin attacks Krzysztof" in words(asked(state).text)
    state = answer(state, "fight")
    # [1] six missiles of three interceptors, two sixes: two interceptors are destroyed
    assert asked(state).seat == MARCIN
    state = answer(state, "6", "6", "5", "4", "3", "2", "0:interceptor:0", "0:interceptor:0")
    assert state.map[HERE].fleet(KRZYSZTOF).ships == {"interceptor": 1, "cruiser": 1}
    # [2] the last interceptor's missiles: one on an interceptor, one on the cruiser
    assert asked(state).seat == KRZYSZTOF
    state = answer(state, "6", "6", "1:interceptor:0", "1:cruiser:0")
    assert state.map[HERE].fleet(MARCIN).ships == {"interceptor": 2, "cruiser": 1}
    # [3] the cruiser's missiles miss
    assert asked(state).seat == MARCIN
    state = answer(state, "3", "2")
    # [4] Marcin's interceptors announce their retreat
    assert asked(state).slug == "eclipse.act"
    state = answer(state, f"retreat:{NORTH}")
    # [5] one of them is shot
    state = answer(state, "6", "1:interceptor:0")
    assert state.map[HERE].fleet(MARCIN).ships == {"interceptor": 1, "cruiser": 1}
    # [6] the cruiser needs 4 against interceptors, 5 against the cruiser's shield: 3 and 2 miss
    assert [words(note) for note in asked(state).notes] == [
        "needs 4+: interceptor of Marcin",
        "needs 5+: cruiser of Marcin",
    ]
    state = answer(state, "3", "2")
    # [7] Marcin's cruiser attacks and destroys the interceptor
    state = answer(state, "attack", "6", "0:interceptor:0")
    # [8] the interceptor leaves; the cruiser misses
    assert state.map[NORTH].ships(MARCIN) == 1
    state = answer(state, "1", "2")
    # [9] the cruiser is destroyed: the battle is over, reputation is drawn
    state = answer(state, "attack", "6")
    assert state.map[HERE].ships(KRZYSZTOF) == 0
    assert state.seats[KRZYSZTOF].reputation == state.seats[MARCIN].reputation == 1
    lines = told(state).splitlines()
    drew = [line for line in lines if "reputation" in line]
    assert [line.split(":")[0] for line in drew] == ["Krzysztof", "Marcin"]
    assert "draws 3" in drew[0]
    assert "draws 5" in drew[1]
    # [10] the last cube goes to the graveyard, the disc back to its track, Marcin puts his own
    assert asked(state).slug == "eclipse.bombard"
    state = answer(state, "roll", "6")
    assert state.seats[KRZYSZTOF].graveyard.money == 1
    assert state.map[HERE].owner is None
    state = answer(state, "yes")
    assert state.map[HERE].owner == MARCIN


def test_firing_order_of_the_example() -> None:
    state = answer(printed_example(), "fight")
    battle = state.agenda[1].field  # type: ignore[attr-defined]
    order = [(s.faction, s.ship) for s in turn_order(state, battle)]
    assert order == [(1, "interceptor"), (0, "interceptor"), (0, "cruiser"), (1, "cruiser")]


@pytest.mark.parametrize(
    ("computer", "shield", "face"),
    [(0, 0, 6), (1, 0, 5), (2, 1, 5), (3, 0, 3), (5, 0, 2), (9, 0, 2), (0, 4, 6)],
)
def test_what_is_needed(computer: int, shield: int, face: int) -> None:
    assert needed(computer, shield) == face


# Pairs and their order (p. 18)


def terrans(n: int, *names: str):
    kinds = ("terran-directorate", "terran-federation", "terran-union", "terran-republic")
    return [seat(name, kind) for name, kind in zip("ABCD"[:n], kinds, strict=False)]


def test_who_came_last_fights_first() -> None:
    here = sector("sector-103", (0, {"interceptor": 1}), (1, {"interceptor": 1}), (2, {"interceptor": 1}))
    state = table(terrans(3), here)
    assert pair(state, HERE) == (2, 1)
    state = answer(state, "fight", "6")  # B defends and shoots first
    assert pair(state, HERE) == (1, 0)
    assert "B attacks A" in words(asked(state).text)


def test_the_owner_of_the_disc_defends_and_fights_last() -> None:
    fleets = ((0, {"interceptor": 1}), (1, {"interceptor": 1}), (2, {"interceptor": 1}))
    state = table(terrans(3), sector("sector-103", *fleets, owner=2))
    assert pair(state, HERE) == (1, 0)
    state = answer(state, "fight", "6")
    assert pair(state, HERE) == (0, 2)


def test_three_players_and_ancients_in_one_sector() -> None:
    fleets = ((0, {"interceptor": 1}), (1, {"cruiser": 1}), (2, {"dreadnought": 1, "interceptor": 1}))
    state = table(terrans(3), sector("sector-104", *fleets, ancients=2, discovery=True))
    order = [pair(state, HERE)]
    # C (interceptor 3, dreadnought 1) attacks B (cruiser 2): the cruiser takes two hits
    state = answer(state, "fight", "6", "done", "6", "done")
    assert state.map[HERE].ships(1) == 0
    order.append(pair(state, HERE))
    # C attacks A: A's interceptor came first and shoots first
    state = answer(state, "fight", "1", "6")
    order.append(pair(state, HERE))
    assert order == [(2, 1), (2, 0), (2, ANCIENTS)]
    # The Ancients (initiative 2) shoot between interceptor and dreadnought; the table rolls their four dice
    state = answer(state, "fight", "6")
    assert asked(state).seat is None
    # Two damaged hits: neither kills the dreadnought (3), so the interceptor is destroyed, the other hit goes on
    state = answer(state, "6", "6", "1", "1")
    assert state.map[HERE].fleet(2).ships == {"dreadnought": 1}
    assert "dreadnought" in told(state)
    # One Ancient was damaged by the interceptor: which one the dreadnought's hits go on is asked
    state = answer(state, "6", "6", "-1:ancient:1", "done")
    state = answer(state, "6", "6")
    assert state.map[HERE].ancients == 0
    drew = [line for line in told(state).splitlines() if "reputation" in line]
    assert [line.split(":")[0] for line in drew] == ["A", "B", "C"]
    assert "one reputation tile" in drew[0]
    assert "draws 5" in drew[2]
    # The discovery comes with the disc
    assert asked(state).slug == "eclipse.claim"
    state = answer(state, "yes")
    assert asked(state).slug == "eclipse.discovery"


def test_battles_go_from_the_highest_number_to_the_centre() -> None:
    both = ((0, {"interceptor": 1}), (1, {"interceptor": 1}))
    state = table(
        terrans(2),
        sector("sector-001", (0, {"interceptor": 1}), gcds=True),
        sector("sector-302", *both),
        **{SOUTH: sector("sector-210", *both)},
    )
    assert contested(state) == [NORTH, SOUTH, HERE]
    assert pair(state, HERE) == (0, CENTRE_DEFENCE)


def test_the_dice_of_page_18() -> None:
    """All ships of a type roll at once: three yellow dice of three interceptors, two of each of two dreadnoughts."""
    both = {"dreadnought": ("plasma-cannon", "", "", "", "fusion-source", "", "", "")}
    fleets = ((0, {"interceptor": 3}), (1, {"dreadnought": 2}))
    state = table((*terrans(1), seat("B", "terran-federation", both)), sector("sector-103", *fleets))
    dice = {side: squads(state, HERE, side)[0].dice(missiles=False) for side in (0, 1)}
    assert dice == {0: ("yellow",) * 3, 1: ("orange", "orange", "yellow", "yellow")}


# Ancients (p. 19)


def test_ancients_leave_draco_alone() -> None:
    draco = seat("Draco", "descendants-of-draco")
    here = sector("sector-104", (0, {"interceptor": 1}), ancients=2)
    state = table((draco, *terrans(1)), here)
    assert pair(state, HERE) is None
    gcds = table((draco, *terrans(1)), sector("sector-001", (0, {"interceptor": 1}), gcds=True))
    assert pair(gcds, HERE) == (0, CENTRE_DEFENCE)


def test_the_defence_system_counts_three_tiles() -> None:
    big = (
        "plasma-cannon",
        "improved-hull",
        "plasma-cannon",
        "improved-hull",
        "tachyon-source",
        "plasma-cannon",
        "",
        "",
    )
    state = table(
        (seat("A", "terran-union", {"dreadnought": big}), *terrans(1)),
        sector("sector-001", (0, {"dreadnought": 2}), gcds=True),
    )
    state = answer(state, "fight", "6", "6", "6", "6", "done")
    assert not state.map[HERE].gcds
    assert "draws 4" in told(state)


def test_hits_of_ancients_go_on_the_largest_that_can_be_destroyed() -> None:
    state = table(
        terrans(1), sector("sector-101", (0, {"interceptor": 1, "cruiser": 1, "dreadnought": 1}), ancients=1)
    )
    # interceptor first; then the Ancient: two hits destroy the cruiser, not the interceptor, not the dreadnought
    state = answer(state, "fight", "1", "5", "5")
    assert state.map[HERE].fleet(0).ships == {"interceptor": 1, "dreadnought": 1}


# Retreat and stalemate (p. 20)


def test_where_ships_may_retreat_to() -> None:
    """The green interceptor of p. 20: to a disc of its own, not to ships alone, an empty hex, or enemies."""
    ships = ((1, {"interceptor": 1}), (0, {"interceptor": 1}))
    at = {
        "0,-1": sector("sector-103", owner=0),
        "1,-1": sector("sector-103", (0, {"interceptor": 1})),
        "1,0": sector("sector-103", rotation=3),
        "0,1": sector("sector-103", (1, {"interceptor": 1}), owner=0),
        "-1,1": sector("sector-304", owner=0),
    }
    turned = {place: replace(s, rotation=(3 if place == "0,-1" else s.rotation)) for place, s in at.items()}
    state = table(terrans(2), sector("sector-001", *ships), **turned)
    state = answer(state, "fight", "1")
    assert asked(state).seat == 0
    assert [option.id for option in asked(state).options] == ["attack", "retreat:0,-1"]


def test_only_who_runs_with_all_that_is_left_gets_nothing_for_fighting() -> None:
    battle = Field(HERE, (0, 1), fled=(0, 1), draws={"0": 1})
    state = table(terrans(2), sector("sector-103", (0, {"interceptor": 1})))
    assert drawn(state, battle, 0) == 2
    assert drawn(state, battle, 1) == 0
    assert drawn(state, replace(battle, draws={"1": 9}), 1) == 5


def rockets():
    only = ("plasma-missile", "plasma-missile", "", "")
    seats = [
        seat(name, kind, {"interceptor": only})
        for name, kind in (("A", "terran-union"), ("B", "terran-republic"))
    ]
    here = sector("sector-103", (0, {"interceptor": 1}), (1, {"interceptor": 1}), owner=0)
    return table(seats, here, sector("sector-302", owner=1))


def test_stalemate_the_attacker_retreats() -> None:
    state = answer(rockets(), "fight", "done", "done")
    assert asked(state).slug == "eclipse.clinch"
    state = answer(state, f"retreat:{NORTH}")
    assert state.map[NORTH].ships(1) == 1
    assert state.map[HERE].ships(0) == 1
    assert (state.seats[0].reputation, state.seats[1].reputation) == (1, 0)


def test_stalemate_the_attacker_is_destroyed() -> None:
    state = answer(rockets(), "fight", "done", "done", "stay")
    assert state.map[HERE].ships(1) == 0
    assert (state.seats[0].reputation, state.seats[1].reputation) == (1, 1)


# Population (p. 20)


def besieged(attacker: str, owner: str, cubes=(True, True), **ships: int):
    seats = (
        seat("A", attacker, {"interceptor": ("gluon-computer", "", "fusion-source", "")}),
        seat("B", owner),
    )
    return table(seats, sector("sector-103", (0, ships or {"interceptor": 3}), owner=1, cubes=cubes))


def test_the_attack_on_population_of_page_20() -> None:
    state = table(
        (
            seat("A", "terran-union", {"interceptor": ("gluon-computer", "", "fusion-source", "")}),
            *terrans(1),
        ),
        sector("sector-105", (0, {"interceptor": 3}), owner=1, cubes=(True, True, True)),
    )
    assert asked(state).slug == "eclipse.bombard"
    state = answer(state, "roll")
    assert "needs 3+: population" in [words(note) for note in asked(state).notes]
    state = answer(state, "6", "3", "2")
    assert asked(state).slug == "eclipse.victim"
    state = answer(state, "0", "1")
    assert state.map[HERE].population == 1
    assert state.map[HERE].owner == 1
    assert state.seats[1].graveyard.total == 2


def test_nobody_chooses_cubes_if_all_of_them_are_destroyed() -> None:
    """Population (p. 20): squares of several kinds, and as much damage as cubes."""
    state = besieged("terran-union", "terran-republic", cubes=(True, True))
    state = answer(state, "roll", "6", "6", "6")
    assert state.map[HERE].population == 0
    assert not isinstance(state.agenda[0], ChooseVictim)


def test_neutron_bombs_need_no_dice() -> None:
    state = besieged("orion-hegemony", "terran-republic")
    assert asked(state).options[0].id == "bombs"
    state = answer(state, "bombs")
    assert (
        asked(state).slug == "eclipse.return-cube"
    )  # the owner chooses a graveyard for the gray square's cube
    assert asked(state).seat == 1
    state = answer(state, "science")
    assert state.seats[1].graveyard.total == 2
    assert state.map[HERE].owner is None
    assert asked(state).slug == "eclipse.claim"


def test_the_population_of_planta_dies_by_itself() -> None:
    state = besieged("terran-union", "planta", cubes=(True, False))
    assert state.map[HERE].population == 0
    assert asked(state).slug == "eclipse.claim"


def test_partners_leave_each_other_alone() -> None:
    seats = (seat("A", "terran-union", partners=(1,)), seat("B", "planta", partners=(0,)))
    here = sector("sector-103", (0, {"interceptor": 3}), owner=1, cubes=(True, False))
    state = table(seats, here)
    assert not state.agenda
    assert state.map[HERE] == here


def test_a_population_may_be_spared() -> None:
    state = answer(besieged("terran-union", "terran-republic"), "no")
    assert state.map[HERE].owner == 1


def test_ships_may_claim_what_is_nobodys() -> None:
    state = table(terrans(2), sector("sector-103", (0, {"interceptor": 1})))
    assert asked(state).slug == "eclipse.claim"


# Odds


def test_chances_before_a_battle() -> None:
    state = table(terrans(1), sector("sector-101", (0, {"cruiser": 2}), ancients=1))
    found = chances(state, HERE)
    assert found is not None
    assert found.attacker_win == pytest.approx(0.6679945082769031, abs=1e-9)
    told_ = told_odds(state, HERE)
    assert "66.8%" in words(told_[0])
    assert asked(state).notes[: len(told_)] == told_
    hidden = advance(replace(state, odds=False))
    assert not any("%" in words(note) for note in asked(hidden).notes)


def test_chances_of_ships_that_are_damaged() -> None:
    both = ((0, {"cruiser": 1}), (1, {"cruiser": 1}), (2, {"cruiser": 1}))
    state = table(terrans(3), sector("sector-103", *both))
    fresh = chances(state, HERE)
    state = answer(state, "fight", "6", "6", "1", "6")  # C loses a hit point, then destroys B
    assert pair(state, HERE) == (2, 0)
    hurt = chances(state, HERE)
    assert fresh is not None
    assert hurt is not None
    assert hurt.attacker_win < fresh.attacker_win


def test_initiative_and_hull_of_pages_18_and_19() -> None:
    state = table(
        (
            seat(
                "A", "terran-union", {"interceptor": ("gluon-computer", "", "fusion-source", "fusion-drive")}
            ),
            seat(
                "B",
                "terran-republic",
                {
                    "dreadnought": ("", "nuclear-drive", "nuclear-drive", "", "", "", "", "nuclear-drive"),
                    "cruiser": ("improved-hull", "improved-hull", "", "", "", ""),
                },
            ),
        ),
        sector("sector-103", (0, {"interceptor": 1}), owner=0),
    )
    assert design(state, 0, "interceptor").initiative == 6
    assert design(state, 1, "dreadnought").initiative == 3
    assert design(state, 1, "cruiser").hull + 1 == 5


def test_a_battle_goes_through_the_journal() -> None:
    state = answer(printed_example(), "fight", "6", "6", "5", "4", "3", "2")
    assert GAME.decode(GAME.encode(state)) == state


# Whatever is answered, and whatever is set right in between


@pytest.mark.thorough
@pytest.mark.parametrize("seed", range(30 if budgets.campaign else 12))
def test_any_battle_comes_to_an_end(seed: int) -> None:
    chance = Random(seed)

    def fleet() -> dict[Ship, int]:
        kinds: tuple[Ship, ...] = ("interceptor", "cruiser", "dreadnought", "starbase")
        return {ship: chance.randint(1, 2) for ship in chance.sample(kinds, chance.randint(1, 3))}

    missiles: dict[Ship, tuple[str, ...]] = {"interceptor": MISSILES, "cruiser": HYDRAN_CRUISER}
    kinds = ("orion-hegemony", "planta", "terran-union")
    seats = [
        seat(name, kind, missiles if kind == "terran-union" else None)
        for name, kind in zip("ABC", kinds, strict=True)
    ]
    here = sector(
        "sector-104",
        *((n, fleet()) for n in range(3)),
        ancients=chance.randint(0, 2),
        owner=chance.choice((None, 0, 1, 2)),
        discovery=True,
    )
    if here.owner is not None:
        here = replace(here, cubes=(True, False, True, False))
    north = sector("sector-302", owner=chance.randint(0, 2))
    state = table(seats, here, north)
    answers = 0
    while state.agenda:
        if chance.random() < 0.05 and (
            counters := [c for c in GAME.counters(state) if c.id.startswith("ships")]
        ):
            counter = chance.choice(counters)
            state = advance(GAME.correct(state, counter.id, chance.randint(counter.low, counter.high)))
            continue
        question = chance.choice(questions(state))
        state = take(state, Answer(question.seat, question.slug, chance.choice(question.options).id))
        assert GAME.decode(GAME.encode(state)) == state
        answers += 1
        assert answers < 5000
    assert len({fleet.seat for fleet in state.map[HERE].fleets}) <= 1


def test_ships_that_cannot_leave_any_more_fire_their_cannons() -> None:
    """Retreat (p. 20): the sector they wanted to go to was corrected meanwhile."""
    ships = ((1, {"interceptor": 1}), (0, {"interceptor": 1}))
    state = table(terrans(2), sector("sector-001", *ships), sector("sector-103", owner=0, rotation=3))
    state = answer(state, "fight", "1", f"retreat:{NORTH}")
    state = replace(state, map={**state.map, NORTH: replace(state.map[NORTH], owner=None)})
    state = answer(state, "1")
    assert (asked(state).slug, asked(state).seat) == ("eclipse.die", 0)


def test_where_no_cube_is_none_is_lost() -> None:
    """Population (p. 20, 27): Planta's disc alone in a sector is taken away without a word about cubes."""
    state = besieged("terran-union", "planta", cubes=(False, False))
    assert asked(state).slug == "eclipse.claim"
    assert "cube" not in told(state)
    state = besieged("terran-union", "terran-republic", cubes=(False, False))
    assert asked(state).slug == "eclipse.claim"


def test_the_rounds_of_a_battle_are_counted() -> None:
    """p. 18: missiles first, then round after round."""
    ships = ((1, {"interceptor": 1}), (0, {"interceptor": 1}))
    state = answer(table(terrans(2), sector("sector-103", *ships)), "fight")
    assert "Round 1 of the battle begins." in told(state)
    state = answer(state, "1", "1")
    assert "Round 2 of the battle begins." in told(state)


def test_a_hit_says_what_its_target_then_withstands() -> None:
    """p. 19: a cruiser with one hull withstands two points; one hit leaves one."""
    ships = ((1, {"cruiser": 1, "interceptor": 1}), (0, {"interceptor": 1}))
    state = answer(table(terrans(2), sector("sector-103", *ships)), "fight", "1", "6")
    details = {option.id: words(option.detail) for option in asked(state).options if option.detail}
    assert details == {"1:interceptor:0": "destroys it", "1:cruiser:0": "then withstands 1 more"}


@pytest.mark.parametrize("odds", [False, True])
def test_odds_stand_beside_the_first_dice_if_the_table_wants_them(odds: bool) -> None:
    """Later people would have to wait for them."""
    ships = ((1, {"interceptor": 1}), (0, {"interceptor": 1}))
    state = replace(table(terrans(2), sector("sector-103", *ships)), odds=odds)
    state = answer(state, "fight")
    assert bool(asked(state).odds) is odds
    state = answer(state, "1", "1", "1")
    assert asked(state).slug == "eclipse.die"
    assert not asked(state).odds
