"""Situations worked out from the rules list before they were tried: events to the end (rules 108 to 185)."""

from __future__ import annotations

from itertools import product
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from companion.core.agenda import Step, advance
from companion.games.beyond import operations as op
from companion.games.beyond.component_types import SPACES, SPECIALISATIONS, Disc, Specialisation
from companion.games.beyond.control import controller
from companion.games.beyond.feasible import possible
from companion.games.beyond.sheet import sheet_of_state
from companion.games.beyond.state import Base, BeyondState, Colony, Kept, Node
from companion.games.beyond.steps.achieve import AchievementPhase, fulfilled
from companion.games.beyond.steps.bases import CheckControl
from companion.games.beyond.steps.events import ResolveEvent
from companion.games.beyond.steps.production import Trade
from companion.games.beyond.steps.turn import BeginTurn, ChooseSpace, EndTurn
from tests.games.beyond.tables import asked, does, left, offers, say, seat, table

ALL_FOOD: tuple[Disc, ...] = ("food",) * 8
COLONIES = tuple(Colony(f"system-{n}") for n in range(10, 14))
GUILDS = ("terraformers-guild", "professors-guild", "technocrats-guild", "metascientists-guild")


def ships(state: BeyondState, seat: int) -> list[tuple[str, int]]:
    return [(ship.at, ship.level) for ship in state.seats[seat].ships]


def then(state: BeyondState, *steps: Step) -> BeyondState:
    return advance(state.push(*steps))


def line(state: BeyondState, seat: int, what: str) -> int:
    return next(line.points for line in sheet_of_state(state).seats[seat].lines if line.what == what)


def spaces(state: BeyondState) -> set[str]:
    """The cards and boards whose spaces may be entered."""
    return {option.split(":")[0] for option in offers(then(state, ChooseSpace(state.active)))}


# Events


def test_kc_24x_is_kept_and_uncovers_a_guild_of_level_two_of_choice() -> None:
    """Rules 108, 110, 116, 195."""
    state = then(table(seat(), seat()), ResolveEvent(0, "kc-24x"))
    assert offers(state) == {"technocrats-guild", "metascientists-guild"}
    state = say(state, "metascientists-guild")
    assert (state.guilds, state.kept) == (("metascientists-guild",), {"kc-24x": Kept(0)})
    assert (line(state, 0, "events"), line(state, 1, "events")) == (1, 0)


def test_an_event_without_a_covered_guild_of_its_level_uncovers_nothing_and_is_kept_all_the_same() -> None:
    """Rule 121."""
    open_ = ("technocrats-guild", "metascientists-guild")
    state = then(table(seat(), seat(), guilds=open_), ResolveEvent(0, "kc-24x"))
    assert (state.agenda, state.guilds, line(state, 0, "events")) == ((), open_, 1)


def test_everybody_takes_part_clockwise_from_the_discoverer() -> None:
    """Rules 108, 109: seat 2 discovers; then seats 0 and 1, and the event is gone."""
    effects = [{"does": "everyone", "may": True, "effects": [{"does": "gain-ore", "n": 2}]}]
    taught = {"event-ii-1.effects": effects, "event-ii-1.lies": "discarded"}
    state = then(table(seat(), seat(), seat(), taught=taught, active=2), ResolveEvent(2, "event-ii-1"))
    order = []
    for answer in ("do", "leave", "do"):
        order.append(asked(state).seat)
        state = say(state, answer)
    assert order == [2, 0, 1]
    assert [who.ore for who in state.seats] == [0, 2, 2]
    assert (state.kept, state.agenda) == ({}, ())


def test_secret_arms_purchase() -> None:
    """Rule 114, with levels and source made up: one level for all, everybody may build, the discoverer may upgrade."""
    built = [
        {
            "does": "everyone",
            "effects": [{"does": "build", "level": n, "source": "supply", "place": "deep-space"}],
        }
        for n in (1, 2)
    ]
    effects = [
        {"does": "choose", "options": [{"effects": [one]} for one in built]},
        {"does": "upgrade", "up_to": True},
    ]
    taught = {"secret-arms-purchase.effects": effects, "secret-arms-purchase.lies": "discarded"}
    state = table(seat(), seat(), seat("a1:3"), taught=taught, active=1)
    state = say(then(state, ResolveEvent(1, "secret-arms-purchase")), "1", "do", "deep-space")
    state = say(state, "leave", "do", "deep-space")
    assert asked(state).seat == 1
    state = say(state, "deep-space:2")
    assert [ships(state, n) for n in range(3)] == [[("deep-space", 2)], [("deep-space", 3)], [("a1", 3)]]


def test_ships_in_the_museum_are_out_of_play() -> None:
    """Rules 112, 74, 76, 176, 194: leaving frees the system, nothing reaches them there, they win nothing."""
    state = table(seat("sol:1", "a1:4", ore=3), seat("a1:2"), bases={"a1": Base(0, "food")})
    state = say(does(state, op.ToMuseum()), "a1:4")
    assert state.bases == {"a1": Base(1, "food")}
    assert offers(does(state, op.Upgrade())) == {"sol:1"}
    trading = then(replace(state, phase="production"), Trade(0))
    assert {o for o in offers(trading) if o.startswith("ship")} == {"ship:sol:1"}
    assert (line(state, 0, "open-space"), state.cubes(0)) == (1, 20)


def test_the_dyson_sphere() -> None:
    """Rule 113: colonised without discs, with its bonus; the event goes, the pawn lies beside the board."""
    actions = [{"ore_cost": 2, "effects": [{"does": "take-system"}]}]
    taught = {
        "dyson-sphere-model-1.actions": actions,
        "system-10.colony_bonus": [{"does": "gain-ore", "n": 5}],
        "system-10.points": 4,
        "system-10.abilities": [],
    }
    kept = {"dyson-sphere-model-1": Kept(None, "system-10")}
    state = table(seat(ore=2, colonies=COLONIES[1:]), seat(), taught=taught, kept=kept)
    assert "system-10" not in state.undrawn_systems()
    state = then(state, ChooseSpace(0))
    state = say(state, next(o for o in offers(state) if o.startswith("dyson")))
    who = state.seats[0]
    assert (who.colonies[-1], who.ore, who.pawn, state.kept) == (Colony("system-10", ()), 5, "", {})
    assert left(state, 0) == (8, 8)
    assert fulfilled(state, 0, "empire"), "it counts as a colonised system everywhere"


# Guilds


def test_a_covered_guild_cannot_be_used() -> None:
    """Rules 115, 116: uncovered by one, open to all."""
    rich = [seat(ore=9, population=4), seat(ore=9, population=4)]
    assert not spaces(table(*rich)) & set(GUILDS)
    assert "technocrats-guild" in spaces(table(*rich, guilds=GUILDS, active=1))


@pytest.mark.parametrize(
    ("guild", "ore", "population", "legal"),
    [
        ("terraformers-guild", 4, 1, True),
        ("terraformers-guild", 3, 1, False),
        ("terraformers-guild", 4, 0, False),
        ("professors-guild", 4, 2, True),
        ("professors-guild", 3, 2, False),
        ("professors-guild", 9, 1, False),
        ("metascientists-guild", 6, 3, True),
        ("metascientists-guild", 6, 2, False),
        ("metascientists-guild", 5, 3, False),
    ],
)
def test_what_the_guilds_cost(guild: str, ore: int, population: int, legal: bool) -> None:
    """Rules 117, 118, 120: cost and effect together need the sum of population."""
    tree: dict[str, Node] = {
        space: Node("", (0,)) for space in (*SPACES[2], "iii-a", "iii-b", "iii-c", "iii-d", "iii-e")
    }
    who = seat("a1:3", ore=ore, population=population, supply=(0, 0, 0, 0, 0))
    state = table(who, seat(), tree=tree, guilds=GUILDS, bases={"a1": Base(0, "food")})
    assert (guild in spaces(state)) is legal


def test_terraformers_need_a_system_to_colonise() -> None:
    """Rules 44, 117, 157."""
    state = table(seat("a1:2", ore=9), seat(), guilds=GUILDS, bases={"a1": Base(0, "food")})
    assert "terraformers-guild" not in spaces(state)


def test_technocrats_need_a_technology_of_level_one_and_then_copy_whatever_can_be_done() -> None:
    """Rules 119, 52: with one population it is gone after the research; spaces of others do not matter."""
    other = seat(pawn="basic-2:recruit-ore:0")
    state = table(seat(population=1), other, guilds=GUILDS)
    state = say(then(state, ChooseSpace(0)), "technocrats-guild:0:0", "i-1")
    assert {o.split(":")[1] for o in offers(state)} == {"recruit-ore"}
    pawn = state.seats[0].pawn
    state = say(state, "basic-2:recruit-ore:0")
    assert (state.seats[0].pawn, state.seats[0].ore, state.seats[0].population) == (pawn, 1, 1)
    all_four: dict[str, tuple[int, ...]] = dict.fromkeys(SPACES[1], (0,))
    assert "technocrats-guild" not in spaces(table(seat(), seat(), guilds=GUILDS, researched=all_four))


# Ships and jumps


def test_upgrade_by_two_counts_as_far_as_level_four_and_each_ship_once() -> None:
    """Rules 125, 126: two ships of level 3 and one of 4: both rise to 4, and that is all."""
    state = does(table(seat("sol:3", "a1:3", "a2:4"), seat()), op.Upgrade(ships=3, levels=2))
    assert offers(state) == {"sol:3", "a1:3"}
    state = say(state, "sol:3", "a1:3")
    assert [level for _, level in ships(state, 0)] == [4, 4, 4]


def test_a_jump_is_judged_at_its_end_only() -> None:
    """Rule 129: the stronger ship leaves and another as strong comes in; Bartek never gains the system."""
    state = table(seat("a1:3", "sol:4"), seat("a1:2"), bases={"a1": Base(0, "food")})
    state = say(does(state, op.Jump(points=2)), "a1:3", "sol", "sol:4", "a1")
    assert state.bases == {"a1": Base(0, "food")}
    assert left(state, 1) == (8, 8)


def test_ships_of_others_neither_block_nor_fight() -> None:
    """Rules 129, 132: through a system with strength 8 of another, two segments, two points."""
    state = table(seat("sol:1"), seat("a1:4", "a1:4"), bases={"a1": Base(1, "food")})
    state = say(does(state, op.Jump(points=2)), "yard-1")
    assert state.bases == {"a1": Base(1, "food"), "yard-1": Base(0, "food")}


def test_points_left_over_are_lost() -> None:
    """Rule 128: after "no more" nothing is offered again."""
    state = say(does(table(seat("sol:1", "sol:2"), seat()), op.Jump(points=9)), "sol:1", "a1", "done")
    assert (state.agenda, ships(state, 0)) == ((), [("a1", 1), ("sol", 2)])


# Control, with bases and their bonuses


def judged(before: int | None, strengths: list[int]) -> int | None:
    """Rules 133 to 142, case by case and not as one function."""
    present = [n for n, strength in enumerate(strengths) if strength]
    if not present:
        return before
    if before is None or strengths[before] == 0:  # nobody, or nobody of the controller, is there
        ahead = [n for n in present if all(strengths[n] > strengths[o] for o in present if o != n)]
        return ahead[0] if ahead else None
    above = [n for n in present if strengths[n] > strengths[before]]
    if not above:
        return before
    if len(above) == 1:
        return above[0]
    leaders = [n for n in above if strengths[n] == max(strengths[o] for o in above)]
    return leaders[0] if len(leaders) == 1 else None


@pytest.mark.parametrize("factions", [2, 3, 4])
def test_control_of_every_strength(factions: int) -> None:
    """Rules 133 to 142: strengths 0 to 3 of two to four factions, with any controller before."""
    for strengths in product(range(4), repeat=factions):
        for before in (None, *range(factions)):
            there = [seat(*([f"a1:{n}"] if n else [])) for n in strengths]
            bases = {} if before is None else {"a1": Base(before, "food")}
            state = BeyondState(seats=tuple(there), systems={"a1": "x"}, bases=bases)
            now = controller(state.controller("a1"), {n: who.strength("a1") for n, who in enumerate(there)})
            assert now == judged(before, list(strengths)), (strengths, before)


SIMPLE: dict[str, Any] = {
    **{
        f"{card}.control_bonus": [{"does": "gain-ore", "n": n}]
        for card, n in (("barnards-star", 2), ("tau-ceti", 3))
    },
    "tau-ceti.specialisations": ["food"],
    "kapteyns-star.specialisations": ["ore"],
    "kapteyns-star.control_bonus": [],
}
KIND: dict[str, Specialisation] = {
    "a1": "food",
    "a2": "ore",
    "b1": "food",
    "b2": "ore",
    "yard-1": "food",
    "yard-2": "ore",
}
BONUS = {"a1": 2, "a2": 1, "b1": 3}


@pytest.mark.parametrize("number", range(60))
def test_many_changes_at_once(number: int) -> None:
    """Rules 143 to 150: six systems change hands together; all lost discs return before any is placed."""
    random = Random(number)
    n = random.choice((2, 3, 4))
    bases: dict[str, Base] = {}
    for place in KIND:
        kinds: tuple[Disc, ...] = (KIND[place], "marker")
        if random.random() < 0.7:
            bases[place] = Base(random.randrange(n), random.choice(kinds))
    seats = []
    for s in range(n):
        out = [f"{place}:{random.randint(1, 3)}" for place in KIND if random.random() < 0.45]
        food = sum(b.seat == s and b.disc == "food" for b in bases.values())
        gone = random.choice((0, 8 - food, 7 - food))
        seats.append(seat(*out, population=1, automation=("food",) * gone))
    state = table(*seats, bases=bases, taught=SIMPLE, active=random.randrange(n))
    before = {s: {k: state.left(s, k) for k in ("food", "ore")} for s in range(n)}
    after: dict[str, int | None] = {}
    for place in KIND:
        old = bases[place].seat if place in bases else None
        after[place] = judged(old, [state.seats[s].strength(place) for s in range(n)])
        if old is not None and old != after[place] and bases[place].disc != "marker":
            before[old][bases[place].disc] += 1
    gained = {p: s for p, s in after.items() if s is not None and s != state.controller(p)}
    ore = [sum(BONUS.get(p, 0) for p, s in gained.items() if s == who) for who in range(n)]
    placed: dict[str, str] = {}
    for place, who in gained.items():
        kind = KIND[place]
        placed[place] = kind if before[who][kind] > 0 else "marker"
        before[who][kind] = max(0, before[who][kind] - 1)
    state = then(state, CheckControl())
    while state.agenda:
        state = say(state, random.choice(sorted(offers(state))))
    assert {p: b.seat for p, b in state.bases.items()} == {p: s for p, s in after.items() if s is not None}
    for who, kind in product(range(n), SPECIALISATIONS):
        assert state.left(who, kind) == before[who][kind]
        assert sorted(placed[p] for p, s in gained.items() if s == who) == sorted(
            state.bases[p].disc for p, s in gained.items() if s == who
        )
    assert [who.ore for who in state.seats] == ore


def test_a_returned_disc_can_be_placed_at_once() -> None:
    """Rule 149: the only food disc not automated was the base that is lost by the same move."""
    who = seat("a1:2", automation=ALL_FOOD[1:])
    taught = {"sirius.specialisations": ["food"]}
    state = table(who, seat("a1:1"), bases={"a1": Base(0, "food")}, taught=taught)
    assert left(state, 0) == (0, 8)
    state = say(does(state, op.Jump(points=1)), "a2")
    assert state.bases == {"a1": Base(1, "food"), "a2": Base(0, "food")}


def test_a_marker_returns_to_nobodys_track_and_is_not_exchanged() -> None:
    """Rules 145, 147, 148."""
    state = table(seat(automation=ALL_FOOD), seat("a1:1"), bases={"a1": Base(0, "marker")})
    state = then(state, CheckControl())
    assert (state.bases, left(state, 0)) == ({"a1": Base(1, "food")}, (0, 8))
    held = table(seat("a1:1", automation=ALL_FOOD[:3]), seat(), bases={"a1": Base(0, "marker")})
    assert then(held, CheckControl()).bases == {"a1": Base(0, "marker")}


def test_a_kind_whose_track_is_empty_may_be_picked() -> None:
    """Rules 144, 145: two specialisations, no food left; a marker is laid although ore discs are there."""
    state = table(seat("b2:1", automation=ALL_FOOD), seat(), bases={"b2": Base(1, "ore")})
    state = then(state, CheckControl())
    assert offers(state) == {"food", "ore"}
    assert say(state, "food").bases == {"b2": Base(0, "marker")}
    assert say(state, "ore").bases == {"b2": Base(0, "ore")}


def test_coming_back_to_an_abandoned_base_gives_nothing() -> None:
    """Rules 139, 151."""
    state = table(seat("a2:2"), seat(), bases={"a2": Base(0, "ore")})
    state = say(does(state, op.Jump(points=1)), "sol")
    assert state.bases == {"a2": Base(0, "ore")}
    state = say(does(replace(state, changed=False), op.Jump(points=1)), "a2")
    assert (state.seats[0].ore, state.bases) == (0, {"a2": Base(0, "ore")})


def test_gaining_the_same_system_again_gives_its_bonus_again() -> None:
    """Rule 150."""
    state = table(seat("a2:2", "sol:2"), seat("a2:1"), bases={"a2": Base(0, "ore")})
    state = say(does(state, op.Jump(points=1)), "a2:2", "sol")
    assert (state.controller("a2"), state.seats[1].ore) == (1, 1)
    state = say(does(state, op.Jump(points=1)), "a2")
    assert (state.controller("a2"), state.seats[0].ore) == (0, 1)


def test_bonuses_of_several_players_begin_with_the_active_one() -> None:
    """Rule 152: seat 1 moves; both its own and, by its leaving, seat 0's bonus ask something."""
    asks = [{"does": "automate", "disc": "either"}]
    taught = {"sirius.control_bonus": asks, "barnards-star.control_bonus": asks}
    state = table(seat("a1:1"), seat("a1:2"), taught=taught, bases={"a1": Base(1, "food")}, active=1)
    state = say(does(state, op.Jump(points=1), seat=1), "a2")
    assert asked(state).seat == 1
    state = say(state, "food")
    assert asked(state).seat == 0


def test_a_bonus_is_received_even_if_the_base_is_lost_before_its_turn_comes() -> None:
    """Rules 150, 152: Ania's own bonus, a jump, takes the system Bartek has just gained by her leaving."""
    taught = {"barnards-star.control_bonus": [{"does": "jump", "points": 1}]}
    state = table(seat("a2:1", "a2:2", "sol:3"), seat("a2:2"), taught=taught, bases={"a2": Base(0, "ore")})
    state = say(does(state, op.Jump(points=1)), "a2:2", "a1")  # Bartek gains Sirius, Ania Barnard's Star
    assert state.bases == {"a1": Base(0, "food"), "a2": Base(1, "ore")}
    state = say(state, "sol:3", "a2")
    assert state.bases == {"a1": Base(0, "food"), "a2": Base(0, "ore")}
    assert [who.ore for who in state.seats] == [1, 1], "both placed a base on Sirius"


def test_the_last_ore_disc_may_leave_its_track_again_and_again() -> None:
    """Rules 146, 180: the only ore disc left becomes a base, comes back, and becomes one again."""
    taught = {
        "nishida-advanced.abilities": [
            {
                "does": "when",
                "when": "last-ore-disc",
                "once": False,
                "effects": [{"does": "gain-ore", "n": 3}],
            }
        ]
    }
    who = replace(seat("sol:1", automation=("ore",) * 7), board="nishida-advanced")
    state = table(who, seat("sol:1", "sol:1"), taught=taught)
    state = say(does(state, op.Jump(points=1)), "a2")
    assert (left(state, 0), state.seats[0].ore) == ((8, 0), 1 + 3)
    free = table(seat(), seat("a2:1"), seat("a2:1"))  # two who tie drive the base away
    lost = replace(state, seats=(state.seats[0].without_ship(state.seats[0].ships[0]), *free.seats[1:]))
    lost = then(replace(lost, taught={**lost.taught, "side-3-4.yards": ["food", "ore"]}), CheckControl())
    assert (lost.bases, left(lost, 0)) == ({}, (8, 1))
    again = lost.with_seat(0, seat("a2:2", automation=("ore",) * 7))
    again = again.with_seat(0, replace(again.seats[0], board="nishida-advanced", used=lost.seats[0].used))
    assert then(again, CheckControl()).seats[0].ore == 1 + 3


# Colonisation


def test_own_ships_that_are_not_settled_go_to_deep_space_too() -> None:
    """Rules 158 to 160: 3 needed of 3, 2 and 1; settled 2 and 1, the 3 leaves with everybody else's."""
    state = table(
        seat("a1:3", "a1:2", "a1:1", "sol:1"),
        seat("a1:4"),
        seat("a1:1", "a2:1"),
        bases={"a1": Base(0, "food")},
    )
    state = say(does(state, op.Colonise()), "a1")
    assert offers(state) == {"3", "2,1", "3,1", "3,2", "3,2,1"}
    supply = sum(state.seats[0].supply)
    state = say(state, "2,1")
    assert ships(state, 0) == [("deep-space", 3), ("sol", 1)]
    assert (ships(state, 1), ships(state, 2)) == ([("deep-space", 4)], [("a2", 1), ("deep-space", 1)])
    assert sum(state.seats[0].supply) == supply + 2


def test_a_colony_keeps_its_discs_and_is_no_longer_controlled() -> None:
    """Rules 161, 162, 164: base a marker, second disc food of two kinds; step 8 counts it no more."""
    who = seat("b2:4", automation=ALL_FOOD[:6])
    state = table(who, seat(), bases={"b2": Base(0, "marker"), "a1": Base(0, "food")})
    state = say(does(state, op.Colonise()), "b2", "4", "wise-1541-2250")
    assert offers(state) == {"food", "ore"}
    state = say(state, "food", "deep-space")
    assert state.seats[0].colonies == (Colony("kapteyns-star", ("marker", "food")),)
    assert (left(state, 0), line(state, 0, "bases"), line(state, 0, "systems")) == ((0, 8), 1, 6)
    state = then(state.with_seat(1, state.seats[1].with_ships()), CheckControl())
    assert state.seats[0].colonies == (Colony("kapteyns-star", ("marker", "food")),)


def test_an_empty_place_can_be_passed_but_not_controlled() -> None:
    """Rule 161."""
    state = table(seat("sol:1"), seat())
    state = replace(
        state, systems={p: s for p, s in state.systems.items() if p != "a1"}, decks={"A": 0, "B": 0}
    )
    through = say(does(state, op.Jump(points=2)), "yard-1")
    assert set(through.bases) == {"yard-1"}
    there = say(does(state, op.Jump(points=1)), "a1")
    assert (ships(there, 0), there.bases, there.agenda) == ([("a1", 1)], {}, ())


def test_colonising_one_system_in_the_bonus_of_the_other() -> None:
    """Rules 149, 163: the new card's control is gained in the bonus, with the bonus of the new card."""
    taught = {
        "barnards-star.colony_bonus": [{"does": "jump", "points": 1}, {"does": "gain-ore", "n": 1}],
        "system-10.specialisations": ["ore"],
        "system-10.strength": 2,
        "system-10.control_bonus": [{"does": "gain-ore", "n": 4}],
        "system-10.abilities": [],
    }
    state = table(seat("a1:3", "sol:1"), seat("a1:2"), taught=taught, bases={"a1": Base(0, "food")})
    state = say(does(state, op.Colonise()), "a1", "3", "system-10", "a1")
    assert (state.bases, state.seats[0].ore) == ({"a1": Base(0, "ore")}, 5)
    assert state.seats[0].colonies == (Colony("barnards-star", ("food", "food")),)


def test_a_spread_upgrade_may_be_what_makes_colonising_possible() -> None:
    """Rules 44, 157: two levels among 3 and 3 make 4 and 4; on one ship the second would be lost."""
    taught = {"barnards-star.strength": 8}
    state = table(seat("a1:3", "a1:3"), seat(), taught=taught, bases={"a1": Base(0, "food")})
    assert possible(state, 0, (op.Upgrade(levels=2, spread=True), op.Colonise()), "terraforming")


# Achievements and the end


def test_a_fulfilled_achievement_must_be_claimed_even_beside_one_only_the_table_can_judge() -> None:
    """Rule 168."""
    taught = {"efficiency.condition": {"does": "told-condition"}}
    state = table(seat(colonies=COLONIES), seat(), taught=taught)
    state = replace(state, achievements={"empire": (), "efficiency": ()})
    assert offers(then(state, AchievementPhase(0))) == {"empire"}
    announced = replace(state, announced=("efficiency",))
    assert offers(then(announced, AchievementPhase(0))) == {"empire", "efficiency"}
    nothing = replace(state, achievements={"empire": (0,), "efficiency": ()})
    assert then(nothing, AchievementPhase(0)).agenda == ()


def test_only_the_player_whose_turn_it_is_claims() -> None:
    """Rules 174, 175: Bartek fulfils Empire in Ania's turn and waits for his own."""
    state = table(seat(), seat(colonies=COLONIES), agenda=(AchievementPhase(0),))
    assert state.agenda == ()
    assert offers(then(state, AchievementPhase(1))) == {"empire"}


def test_warlord_at_the_end_of_the_turn() -> None:
    """Rule 176: not in the museum, not with three ships in two places; shipyards count."""
    state = table(seat("sol:4", "yard-1:4", "a1:3", "a1:1"), seat())
    assert fulfilled(state, 0, "warlord")
    assert not fulfilled(table(seat("sol:4", "sol:4", "a1:4", museum=(4,)), seat()), 0, "warlord")


def claimed(state: BeyondState, n: int) -> BeyondState:
    """With discs of others on two cards already."""
    return replace(state, achievements={"transcendence": (1,) * n, "empire": (), "warlord": ()})


@pytest.mark.parametrize(
    ("seats", "there", "ends"), [(2, 2, True), (3, 1, False), (3, 2, True), (4, 2, False), (4, 3, True)]
)
def test_how_many_discs_end_the_play(seats: int, there: int, ends: bool) -> None:
    """Rules 181, 182: markers on systems and automation tracks do not count."""
    who = seat(
        colonies=(*COLONIES[:3], Colony("system-13", ("marker", "marker"))), automation=("marker",) * 3
    )
    state = table(who, *(seat() for _ in range(seats - 1)), bases={"a1": Base(0, "marker")}, round=7)
    state = say(then(claimed(state, there), AchievementPhase(0)), "empire")
    assert state.ending == (7 if ends else 0)


@pytest.mark.parametrize("first", [0, 2])
@pytest.mark.parametrize("triggers", [0, 1, 2, 3])
def test_who_plays_after_the_trigger(first: int, triggers: int) -> None:
    """Rules 183, 184: the round is finished, then one more; the last of a round starts the final one directly."""
    state = table(*(seat() for _ in range(4)), round=14, ending=14, first=first, active=triggers)
    order = [(first + k) % 4 for k in range(4)]
    expected = [(14, s) for s in order[order.index(triggers) + 1 :]] + [(15, s) for s in order]
    played, now = [], triggers
    while True:
        state = EndTurn(now).do(replace(state, agenda=()))
        if not isinstance(state.agenda[0], BeginTurn):
            break
        now = state.agenda[0].seat
        state = BeginTurn(now).do(replace(state, agenda=()))
        played.append((state.round, now))
    assert played == expected


def test_claims_after_the_trigger_change_nothing_about_the_end() -> None:
    """Rule 185."""
    state = replace(claimed(table(seat(colonies=COLONIES), seat(), round=8), 3), ending=7)
    state = say(then(state, AchievementPhase(0)), "empire")
    assert (state.ending, state.achievements["empire"]) == (7, (0,))


# Whole jumps, colonisations and trades at random


def settled(state: BeyondState, random: Random) -> BeyondState:
    """Whatever is still asked, answered by chance."""
    while state.agenda:
        state = say(state, random.choice(sorted(offers(state))))
    return state


@pytest.mark.parametrize("number", range(40))
def test_jumps_and_trades_at_random(number: int) -> None:
    """Rules 74, 76, 127 to 142: judged once after a whole jump, and after every ship that is taken back."""
    random = Random(number)
    n = random.choice((2, 3, 4))
    places = [*KIND, "sol", "deep-space"]
    fleets = [[f"{random.choice(places)}:{random.randint(1, 3)}" for _ in range(4)] for _ in range(n)]
    state = then(
        table(*(seat(*fleet, ore=3) for fleet in fleets), taught=SIMPLE, changed=True), CheckControl()
    )
    state = settled(state, random)
    before = {place: state.controller(place) for place in KIND}
    ore = [who.ore for who in state.seats]
    state = does(state, op.Jump(points=random.randint(1, 4)))
    while state.agenda and asked(state).slug.startswith("beyond.jump"):
        assert {p: state.controller(p) for p in KIND} == before, "nothing is checked on the way"
        state = say(state, random.choice(sorted(offers(state))))
    state = settled(state, random)
    for _ in range(2):  # first the jump, then a ship that is taken back
        after = {p: judged(before[p], [who.strength(p) for who in state.seats]) for p in KIND}
        assert {p: state.controller(p) for p in KIND} == after
        for who in range(n):
            gained = [p for p in KIND if after[p] == who != before[p]]
            assert state.seats[who].ore == ore[who] + sum(BONUS.get(p, 0) for p in gained)
            lying = [b.disc for b in state.bases.values() if b.seat == who]
            assert left(state, who) == (8 - lying.count("food"), 8 - lying.count("ore"))
        before, ore = after, [who.ore for who in state.seats]
        trading = then(replace(state, phase="production"), Trade(0))
        withdraw = [o for o in sorted(offers(trading)) if o.startswith("ship")]
        state = say(trading, random.choice(withdraw))
        while asked(state).slug != "beyond.trade":
            state = say(state, random.choice(sorted(offers(state))))
        state = say(state, "done")
        ore[0] -= 1


def refilled(supply: tuple[int, ...], cubes: int) -> tuple[int, ...]:
    """Cubes back into columns of 4, 4, 3, 3 and 3 from the right, what is over into A (rules 62, 63)."""
    slots = [(4, k) for k in range(3)] + [(3, k) for k in range(3)] + [(2, k) for k in range(3)]
    slots += [(column, k) for column in (1, 0) for k in range(4)]
    free = [column for column, k in slots if k >= supply[column]]
    now = list(supply)
    for column in (free + [0] * cubes)[:cubes]:
        now[column] += 1
    return tuple(now)


@pytest.mark.parametrize("number", range(40))
def test_colonising_at_random(number: int) -> None:
    """Rules 156 to 164: who flies where, which cubes and discs lie where, from which deck the new card comes."""
    random = Random(number)
    n = random.choice((2, 3, 4))
    place = random.choice(("a1", "a2", "b1", "b2"))
    mine = [random.randint(1, 3) for _ in range(random.randint(1, 3))]
    needed = random.randint(1, sum(mine))
    others = [[k for k in (1, 2, 1) if random.random() < 0.4] for _ in range(n - 1)]
    card = {"a1": "barnards-star", "a2": "sirius", "b1": "tau-ceti", "b2": "kapteyns-star"}[place]
    taught = {**SIMPLE, f"{card}.strength": needed, f"{card}.colony_bonus": [], f"{card}.points": 1}
    base: Disc = random.choice((KIND[place], "marker"))
    gone = random.choice((0, 8 - (base == KIND[place]), 7 - (base == KIND[place])))
    away: tuple[Disc, ...] = (KIND[place],) * gone
    fleets = [[f"{place}:{k}" for k in levels] for levels in (mine, *others)]
    factions = [seat(*fleet, automation=away if not who else ()) for who, fleet in enumerate(fleets)]
    state = table(*factions, taught=taught, bases={place: Base(0, base)})
    decks = {"A": random.choice((0, 3)), "B": random.choice((0, 3))}
    state = replace(state, decks=decks)
    if any(sum(levels) > sum(mine) for levels in others):
        return  # somebody else would control it
    state = say(does(state, op.Colonise()), place)
    supply = state.seats[0].supply
    settling = random.choice(sorted(offers(state)))
    levels = [int(level) for level in settling.split(",")]
    assert sum(levels) >= needed
    had = state.left(0, KIND[place])
    state = say(state, settling)
    stay = sorted(mine)
    for level in levels:
        stay.remove(level)
    for who, there in enumerate((stay, *others)):
        assert ships(state, who) == sorted(("deep-space", level) for level in there)
        assert state.cubes(who) == 20
    assert state.seats[0].supply == refilled(supply, len(levels))
    own = place[0].upper()
    deck = own if decks[own] else "AB"[own == "A"] if any(decks.values()) else None
    if deck is not None:
        assert asked(state).slug == "beyond.which-system"
        state = say(state, random.choice(sorted(offers(state))))
        assert state.decks == {**decks, deck: decks[deck] - 1}
    assert (place in state.systems) is (deck is not None)
    second = KIND[place] if had else "marker"
    assert (state.agenda, state.bases) == ((), {})
    assert state.seats[0].colonies == (Colony(card, (base, second)),)
    assert state.left(0, KIND[place]) == max(0, had - 1)
