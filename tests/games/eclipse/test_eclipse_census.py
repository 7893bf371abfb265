"""What is in the box, against the counts the rulebook prints (p. 3) and the publisher's corrections."""

from __future__ import annotations

import hashlib
from collections import Counter

import pytest

from companion.core.components import SaidBy
from companion.games.eclipse import component_types
from companion.games.eclipse.component_types import everything, printed, sectors, species, technologies
from companion.games.eclipse.geometry import HOMES, around, distance, opens, ring_of, step
from companion.games.eclipse.species import ANCIENT, GCDS, measure, sound


def test_hexes_by_ring_and_number() -> None:
    rings = Counter(hex.ring for hex in sectors().values())
    assert rings == {"centre": 1, "inner": 8, "middle": 11, "outer": 18, "home": 12}
    numbers = sorted(hex.number for hex in sectors().values())
    assert numbers == [1, *range(101, 109), *range(201, 212), *range(221, 233), *range(301, 319)]


def test_every_hex_with_ancients_guards_a_discovery_and_there_are_tiles_for_all() -> None:
    assert all(hex.discovery for hex in sectors().values() if hex.ancients)
    assert sum(hex.discovery for hex in sectors().values()) == 21
    assert sum(tile.copies for tile in component_types.discoveries().values()) == 21
    assert sum(hex.ancients for hex in sectors().values()) <= component_types.ANCIENTS_IN_BOX


def test_tiles() -> None:
    assert len(technologies()) == 24
    assert sum(tech.copies for tech in technologies().values()) == 96
    assert sum(part.copies for part in printed().parts) == 154
    assert len(printed().ancient_parts) == 6
    assert {t.value: t.copies for t in component_types.reputations().values()} == {1: 12, 2: 9, 3: 7, 4: 4}
    assert everything().pieces == 50 + 96 + 154 + 21 + 32 + 12


def test_technologies_in_three_rising_categories() -> None:
    for category in component_types.CATEGORIES:
        costs = [(t.cost, t.least) for t in technologies().values() if t.category == category]
        assert costs == [(2, 2), (4, 3), (6, 4), (8, 5), (10, 6), (12, 6), (14, 7), (16, 8)]


def test_every_part_names_its_technology_and_back() -> None:
    for part in printed().parts:
        assert (part.technology is None) == (part.id in DEFAULT)
        if part.technology is not None:
            assert technologies()[part.technology].part == part.id


DEFAULT = {"ion-cannon", "hull", "nuclear-drive", "electron-computer", "nuclear-source"}


def test_boards_have_two_sides_a_terran_and_an_alien_one() -> None:
    sides = Counter((s.colour, s.id.startswith("terran")) for s in species().values())
    assert len(sides) == 12
    assert set(sides.values()) == {1}
    assert all(sectors()[s.home].ring == "home" for s in species().values())


@pytest.mark.parametrize("name", sorted(printed().blueprints))
def test_every_printed_ship_is_sound(name: str) -> None:
    for ship, plan in printed().blueprints[name].items():
        assert sound(ship, measure(plan, plan.slots)), (name, ship)


def test_ancients_and_the_guard_of_the_centre() -> None:
    assert (ANCIENT.initiative, ANCIENT.computer, ANCIENT.hull, len(ANCIENT.cannons)) == (2, 1, 1, 2)
    assert (GCDS.initiative, GCDS.computer, GCDS.hull, len(GCDS.cannons)) == (0, 1, 7, 4)


def test_every_fact_has_a_source() -> None:
    assert everything().fact("sector-101", "points").said_by is SaidBy.TRANSCRIPTION
    assert everything().fact("discovery-money-8", "amount").said_by is SaidBy.RULEBOOK
    assert everything().unknown() == []


def test_places() -> None:
    assert step("0,0", 0) == "0,-1"
    assert [distance(place) for place in around("0,0")] == [1] * 6
    assert around("2,-1")[3] == "2,0"
    assert [ring_of(p) for p in ("0,0", "1,0", "2,-1", "3,0")] == ["centre", "inner", "middle", "outer"]
    assert all(around(around("4,1")[d])[d + 3 - 6] == "4,1" for d in range(6))


def test_turning_a_hex_turns_its_wormholes() -> None:
    hex = sectors()["sector-306"]
    assert sorted(hex.wormholes) == [1, 3]
    assert [d for d in range(6) if opens(hex, 0, d)] == [1, 3]
    assert [d for d in range(6) if opens(hex, 2, d)] == [3, 5]


def test_every_home_sector_has_a_wormhole_towards_the_centre() -> None:
    home = sectors()["sector-221"]
    assert {hex.wormholes for hex in sectors().values() if hex.ring == "home"} == {home.wormholes}
    for seats, homes in HOMES.items():
        assert len(homes) == len({d for d, _ in homes}) == seats
        assert all(opens(home, rotation, direction + 3) for direction, rotation in homes)


def test_labels_follow_the_order_of_the_box() -> None:
    """Printed labels name places in this list: it may only grow at its end."""
    ids = "\n".join(f"{c.id} {c.copies}" for c in everything())
    assert hashlib.sha256(ids.encode()).hexdigest()[:16] == "aebeba83c3978bf1"
