"""The rulebook's counts of the 114 cards (its list "Rozkład"): a checksum on our data."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import pytest
from msgspec.structs import replace

from companion.core.game import Setup
from companion.games.race import GAME
from companion.games.race.cards import (
    Card,
    ConsumeAll,
    ConsumeEach,
    ConsumeForPrice,
    ConsumeSet,
    DiscardForMilitary,
    DiscardHand,
    Military,
    MilitaryAgainstGood,
    MilitaryAgainstRebels,
    ProduceHere,
    ProduceOnWindfall,
    deck,
)
from companion.games.race.census import (
    DEFENSES,
    DEVELOPMENT_COSTS,
    GOODS,
    WORLD_COSTS,
)
from companion.texts import render

BOX: list[Card] = [card for card in deck("first") for _ in range(card.copies)]
FIRST = GAME.complete(Setup("race", ("Ania", "Ola")))
CONSUMING = (ConsumeEach, ConsumeSet, ConsumeAll, ConsumeForPrice)


def cards(wanted: Callable[[Card], object]) -> list[Card]:
    return [card for card in BOX if wanted(card)]


def strength(card: Card) -> int:
    return sum(power.amount for power in card.having(Military))


def consumes(card: Card) -> bool:
    return any(isinstance(power, CONSUMING) for power in card.powers)


def test_the_box() -> None:
    assert len(BOX) == 114
    assert len(cards(lambda c: c.is_world and not c.is_start)) == 59
    assert len(cards(lambda c: not c.is_world)) == 50
    assert sorted(c.start for c in BOX if c.start is not None) == [0, 1, 2, 3, 4]


def test_start_worlds_worlds_and_developments() -> None:
    assert Counter(c.is_military for c in BOX if c.is_start) == {False: 4, True: 1}
    assert len(cards(lambda c: c.is_military and not c.is_start)) == 22
    assert len(cards(lambda c: c.is_world and not c.is_military and not c.is_start)) == 37
    six = [c for c in deck("first") if not c.is_world and c.cost == 6]
    other = [c for c in deck("first") if not c.is_world and c.cost != 6]
    assert (len(six), {c.copies for c in six}) == (12, {1})
    assert (len(other), {c.copies for c in other}) == (19, {2})


def test_every_world_once() -> None:
    assert {c.copies for c in BOX if c.is_world} == {1}


def test_there_are_no_military_worlds_besides() -> None:
    assert len(cards(lambda c: c.is_military)) == 23
    assert not cards(lambda c: "rebel" in c.keywords and not c.is_military)


def test_cards_that_raise_military() -> None:
    raising = cards(lambda c: strength(c) > 0 and not c.is_start)
    assert Counter(strength(c) for c in raising if not c.is_world) == {1: 2, 2: 3, 3: 2}
    assert Counter(strength(c) for c in raising if c.is_military) == {1: 4, 2: 1, 3: 1}
    assert Counter(strength(c) for c in raising if c.is_world and not c.is_military) == {1: 2}
    starts = cards(lambda c: strength(c) > 0 and c.is_start)
    assert {c.is_military: strength(c) for c in starts} == {False: 1, True: 2}
    for_once = [p.amount for c in BOX for p in c.having(DiscardForMilitary)]
    assert for_once == [3, 3]
    assert len(raising) + len(starts) + len(for_once) == 19


def test_military_against_some() -> None:
    assert [(c.id, p.amount) for c in BOX for p in c.having(MilitaryAgainstRebels)] == [
        ("galactic-imperium", 4)
    ]
    assert len(cards(lambda c: "rebel" in c.keywords)) == 7
    special = [(c.is_world, p.amount, p.good) for c in BOX for p in c.having(MilitaryAgainstGood)]
    assert Counter(special) == {(True, 2, "alien"): 1, (False, 2, "alien"): 1, (True, 1, "rare"): 1}
    assert Counter(c.good for c in BOX if c.is_military)["alien"] == 4
    assert Counter(c.good for c in BOX if c.is_military)["rare"] == 3


def test_cards_that_lower_military() -> None:
    assert [strength(c) for c in BOX if strength(c) < 0] == [-1] * 5


def test_every_card_is_paid_for_or_conquered() -> None:
    assert len(cards(lambda c: c.cost is not None)) == 91
    assert not cards(lambda c: (c.cost is None) == (c.defense is None))


def test_costs_defences_and_goods_are_as_counted() -> None:
    assert sum(DEVELOPMENT_COSTS.values()) + sum(WORLD_COSTS.values()) == 91
    assert sum(DEFENSES.values()) == sum(military for _, military in GOODS.values()) + 6
    assert sum(sum(both) for both in GOODS.values()) == 25 + 21
    assert GAME.disagreements(FIRST) == ()


@pytest.mark.parametrize("card", list(deck("first")), ids=lambda card: card.id)
@pytest.mark.parametrize("field", ["cost", "defense", "good"])
def test_a_fact_that_breaks_a_count_is_noticed(card: Card, field: str) -> None:
    """Printed points are counted nowhere; any other wrong word about a card shows."""
    value = getattr(card, field)
    if value is None:
        return
    wrong: int | str = value + 1 if isinstance(value, int) else {"rare": "genes"}.get(value, "rare")
    setup = replace(FIRST, facts={f"{card.id}.{field}": wrong})
    found = GAME.disagreements(setup, {card.id: 1.0})
    assert len(found) >= 2
    box = GAME.taught_box(setup)
    assert all("{" not in render(one.sentence(box), language) for one in found for language in ("en", "pl"))
    crowded = [one.components for one in found if card.id in one.components]
    assert crowded
    assert all(culprits[0] == card.id for culprits in crowded)


def test_another_edition_is_not_measured_by_this_rulebook() -> None:
    facts: dict[str, int | str] = {"imperium-armaments-world.cost": 3}
    assert GAME.disagreements(replace(FIRST, facts=facts))
    assert not GAME.disagreements(replace(FIRST, choices={"edition": "second"}, facts=facts))


def test_windfall_and_production_worlds() -> None:
    assert Counter(c.world for c in BOX if c.world) == {"windfall": 25, "production": 21}
    assert [c.id for c in BOX if c.is_start and c.world == "windfall"] == ["alpha-centauri"]
    assert [c.id for c in BOX if c.is_start and c.world == "production"] == ["earths-lost-colony"]
    for card in BOX:
        assert (card.good is None) == (card.world is None)
        assert (card.world == "production") == any(card.having(ProduceHere))


def test_powers_that_produce_on_windfall_worlds() -> None:
    found = Counter((c.is_world, p.good is None) for c in BOX for p in c.having(ProduceOnWindfall))
    assert found == {(False, False): 6, (True, False): 2, (True, True): 1}


def test_cards_that_consume_goods() -> None:
    """The three start worlds come on top of the printed 13: only so do the parts make the printed 33."""
    found = cards(consumes)
    assert len(found) == 33
    assert len([c for c in found if c.is_world and not c.is_military and not c.is_start]) == 13
    assert len([c for c in found if c.is_start]) == 3
    assert len([c for c in found if c.is_military]) == 2
    assert len([c for c in found if not c.is_world]) == 15


def test_cards_that_discard_from_hand_for_points() -> None:
    assert Counter(c.is_world for c in BOX if any(c.having(DiscardHand))) == {False: 2, True: 1}


def test_points_are_printed_on_all_but_the_six_cost_developments() -> None:
    for card in BOX:
        six = card.cost == 6 and not card.is_world
        assert (card.points is None) == six
        assert bool(card.scoring) == six
