"""Upgrade in any order (p. 13): every design the rule allows can be reached by our questions, and no other one."""

from __future__ import annotations

from itertools import combinations, product
from random import Random

import pytest
from msgspec.structs import replace

from companion.games.eclipse.component_types import Ship, ancient_parts, technologies
from companion.games.eclipse.species import blueprint, covered, design, measure, sound
from companion.games.eclipse.state import EclipseState
from companion.games.eclipse.steps.upgrade import ChooseSlot, PlaceAncientPart, Upgrade, finished, known_parts
from tests import budgets
from tests.games.eclipse.eclipse_tables import answer, asked, at, options, question, seat, table

Tiles = tuple[str, ...]
Looks = tuple[tuple[str, str], ...]
"""What is printed on each square and the tile on it, in any order: squares that are alike are offered once."""
BOARDS: list[tuple[Ship, int]] = [
    ("interceptor", 1),
    ("interceptor", 2),
    ("interceptor", 3),
    ("starbase", 2),
    ("cruiser", 2),
    ("dreadnought", 1),
]


def board(random: Random, ship: Ship, researched: int) -> EclipseState:
    """A seat with some technologies and Ancient parts, and a sound ship with any tiles on it."""
    species = random.choice(("terran-union", "eridani-empire", "planta", "orion-hegemony"))
    state = table(species, "terran-republic")
    builds = sorted(id for id, tech in technologies().items() if tech.part)
    state = seat(state, 0, technologies=tuple(random.sample(builds, researched)))
    plain = known_parts(state, 0)
    ancient = random.sample(sorted(ancient_parts()), 2)
    state = seat(state, 0, spare=tuple(ancient[: random.randint(0, 1)]))
    slots = len(blueprint(state, 0, ship).slots)
    while True:
        tiles = tuple(random.choice([*plain, "", "", ancient[1]]) for _ in range(slots))
        if tiles.count(ancient[1]) < 2 and is_sound(state, ship, tiles):
            return seat(state, 0, upgrades={**state.seats[0].upgrades, ship: tiles})


def is_sound(state: EclipseState, ship: Ship, tiles: Tiles) -> bool:
    plan = blueprint(state, 0, ship)
    return sound(ship, measure(plan, covered(plan, tiles)))


def looks(state: EclipseState, ship: Ship, tiles: Tiles) -> Looks:
    return tuple(sorted(zip(blueprint(state, 0, ship).slots, tiles, strict=True)))


def by_the_rule(state: EclipseState, ship: Ship, most: int, *, wasted: bool = False) -> dict[Looks, Tiles]:
    """The letter of p. 13: put back as many as you like, take so many and put them anywhere; it must be sound.

    If they may be `wasted`, a part taken a moment ago may be put back again: then nothing is left on its square.
    """
    here, known = state.seats[0].upgrades[ship], [*known_parts(state, 0), *([""] if wasted else [])]
    loose = [n for n, tile in enumerate(here) if tile and (state.later or tile not in ancient_parts())]
    bare = [frozenset(back) for n in range(len(loose) + 1) for back in combinations(loose, n)]
    found: dict[Looks, Tiles] = {}
    for taken in range(most + 1):
        for squares, new in product(combinations(range(len(here)), taken), product(known, repeat=taken)):
            if any(new.count(part) > 1 for part in state.seats[0].spare):
                continue
            put = dict(zip(squares, new, strict=True))
            for back in bare:
                if back.isdisjoint(squares):
                    tiles = tuple(put.get(n, "" if n in back else tile) for n, tile in enumerate(here))
                    if is_sound(state, ship, tiles):
                        found.setdefault(looks(state, ship, tiles), tiles)
    return found


def by_our_questions(state: EclipseState, ship: Ship, most: int) -> set[Looks]:
    """Every way through the questions that changes this ship only, to where nothing more is asked."""
    waiting, seen, found = [at(state, Upgrade(0, most))], set(), set()
    while waiting:
        now = waiting.pop()
        if not now.agenda:
            assert finished(now, 0), "a ship that may not be built so was confirmed"
            found.add(looks(now, ship, now.seats[0].upgrades[ship]))
            continue
        step = asked(now)
        key = (now.agenda, now.seats[0].upgrades[ship], now.seats[0].spare)
        if key in seen:
            continue
        seen.add(key)
        chosen = [id for id in options(now) if ship in id or ":" not in id]
        assert chosen or isinstance(step, ChooseSlot), "nothing leads on from here"
        popped = replace(now, agenda=())
        for id in chosen:
            after = step.take(popped, id)
            waiting.append(replace(after, news=()))
    return found


def steps_to(
    state: EclipseState, ship: Ship, most: int, goal: Tiles, random: Random
) -> list[tuple[str, int]]:
    """What must be done with each square, in any order: a part taken for it, or its tile put back.

    Once all parts are taken and the ship is sound nobody is asked again: what else goes back goes back before.
    """
    here = state.seats[0].upgrades[ship]
    changed = [(part, slot) for slot, part in enumerate(goal) if part != here[slot]]
    order = random.sample(changed, len(changed))
    takes = [n for n, (part, _) in enumerate(order) if part]
    if len(takes) == most:
        now = [*here]
        for n, (part, slot) in enumerate(order[:-1]):
            now[slot] = part
            if n >= takes[-1] and is_sound(state, ship, tuple(now)):
                order.append(order.pop(takes[-1]))
                break
    return order


def walked(state: EclipseState, ship: Ship, most: int, steps: list[tuple[str, int]]) -> EclipseState:
    """The table after these changes were asked for, one after the other, each on a square like the one wanted."""
    state, goal = at(state, Upgrade(0, most)), list(state.seats[0].upgrades[ship])
    for part, slot in steps:
        printed, tile = blueprint(state, 0, ship).slots, goal[slot]
        goal[slot] = part
        state = answer(state, part) if part else state
        prefix = f"{ship}:" if part else f"off:{ship}:"
        offered = [int(id.removeprefix(prefix)) for id in options(state) if id.startswith(prefix)]
        now = state.seats[0].upgrades[ship]
        alike = [n for n in offered if (printed[n], now[n]) == (printed[slot], tile)]
        assert alike, f"{part or 'nothing'} is not offered for {ship}:{slot}"
        state = answer(state, f"{prefix}{alike[0]}")
    return answer(state, "done") if state.agenda else state


@pytest.mark.parametrize("seed", range(10 if budgets.campaign else 1))
@pytest.mark.parametrize(
    ("ship", "most", "later"),
    [(*board, later) for board in BOARDS for later in (False, True)]
    if budgets.campaign
    else [
        ("interceptor", 1, False),
        ("interceptor", 1, True),
        ("interceptor", 2, False),
        ("starbase", 1, True),
    ],
)
def test_our_questions_lead_to_what_the_rule_allows_and_nowhere_else(
    ship: Ship, most: int, seed: int, later: bool
) -> None:
    """All ways through the questions: no design is missing, none is too much, none is unsound."""
    state = replace(board(Random(seed), ship, 0 if most > 1 else 3), later=later)
    reached = by_our_questions(state, ship, most)
    assert set(by_the_rule(state, ship, most)) <= reached <= set(by_the_rule(state, ship, most, wasted=True))


@pytest.mark.thorough
@pytest.mark.parametrize("seed", range(100 if budgets.campaign else 4))
@pytest.mark.parametrize(("ship", "most"), BOARDS)
def test_every_design_of_the_rule_is_reached_in_any_order(ship: Ship, most: int, seed: int) -> None:
    """Rich blueprints: designs drawn from all the rule allows, their tiles taken and put back in any order."""
    random = Random(f"{ship}{most}{seed}")
    state = board(random, ship, 4)
    allowed = by_the_rule(state, ship, most)
    for wanted in random.sample(sorted(allowed), min(6, len(allowed))):
        reached = walked(state, ship, most, steps_to(state, ship, most, allowed[wanted], random))
        assert looks(reached, ship, reached.seats[0].upgrades[ship]) == wanted
        assert finished(reached, 0)


# What people see


def full_cruiser() -> EclipseState:
    """Not a unit of energy to spare, and a tile on every square."""
    state = seat(table("terran-union", "terran-republic"), 0, technologies=("tech-plasma-cannon",))
    tiles = ("plasma-cannon", "nuclear-source", "ion-cannon", "nuclear-drive", "hull", "nuclear-source")
    assert is_sound(state, "cruiser", tiles)
    return seat(state, 0, upgrades={**state.seats[0].upgrades, "cruiser": tiles})


def test_a_part_may_be_taken_first_and_another_put_back_for_it() -> None:
    state = at(full_cruiser(), Upgrade(0, 1))
    state = answer(state, "plasma-cannon", "cruiser:4")
    assert design(state, 0, "cruiser").energy == 6 - 2 - 2 - 1 - 1  # still enough
    assert not state.agenda


def test_with_nothing_left_to_take_only_putting_back_is_asked_for() -> None:
    state = full_cruiser()
    tiles = ("plasma-cannon", "nuclear-source", "plasma-cannon", "nuclear-drive", "hull", "nuclear-source")
    state = seat(state, 0, upgrades={**state.seats[0].upgrades, "cruiser": tiles})
    state = answer(at(state, Upgrade(0, 1)), "plasma-cannon", "cruiser:4")
    assert design(state, 0, "cruiser").energy < 0
    assert asked(state) == Upgrade(0, 0, (("cruiser", 4),))
    assert {"off:cruiser:0", "off:cruiser:2"} < set(options(state))
    assert all(id.startswith("off:") for id in options(state))
    assert question(state).text.key == "eclipse.ask.put-back"
    why = asked(state).why_not(state, "ion-cannon")
    assert why.key == "eclipse.why.put-back-first"
    state = answer(state, "off:cruiser:0")
    assert finished(state, 0)
    assert not state.agenda


def test_what_could_only_be_put_back_is_not_offered() -> None:
    """An antimatter cannon on an interceptor as printed: nothing but putting it back would help."""
    state = seat(table("terran-union", "terran-republic"), 0, technologies=("tech-antimatter-cannon",))
    assert "antimatter-cannon" not in options(at(state, Upgrade(0, 1)))
    assert "antimatter-cannon" in options(at(state, Upgrade(0, 2)))


def test_a_found_part_must_fit_at_once() -> None:
    """A discovery is no Upgrade: nothing is put back for it (p. 7)."""
    state = seat(full_cruiser(), 0, spare=("flux-shield",))
    asking = at(state, PlaceAncientPart(0, "flux-shield"))
    assert "cruiser:4" in options(asking) or "cruiser:2" in options(asking)
    assert "cruiser:1" not in options(asking)  # instead of a source


def test_the_ordinary_upgrade_is_asked_no_more_often() -> None:
    state = answer(at(table("terran-union", "terran-republic"), Upgrade(0, 2)), "hull", "interceptor:0")
    state = answer(state, "hull", "cruiser:0")
    assert not state.agenda
