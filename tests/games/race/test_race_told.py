"""Every number in the news is explained: its parts add up to it, and name cards on the table."""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import pairwise

import pytest

from companion.core.autoplay import play
from companion.core.game import Setup
from companion.core.words import Text, component_of, inside
from companion.games.race import GAME
from companion.games.race.state import RaceState
from companion.texts import LANGUAGES, render
from tests.games.race.race_tables import number

SETUPS = {
    "two": (2, {}),
    "three": (3, {"edition": "second"}),
    "four": (4, {}),
    "first game": (3, {"opening": "first-game"}),
    "advanced": (2, {"actions": "advanced"}),
}
SEEDS = range(3)
EXPLAINED = ("race.pay", "race.conquer", "race.draw", "race.then-draw", "race.explore")
FIXED = {
    "race.part.develop-bonus": -1,
    "race.part.settle-bonus": 1,
    "race.part.explore": 2,
    "race.part.explore-5": 5,
    "race.part.explore-1-1": 1,
    "race.part.keep": 0,
    "race.part.no-military": 0,
}


@cache
def played(name: str, seed: int) -> tuple[tuple[RaceState, RaceState], ...]:
    """Each table of a bot play with the one that followed from it."""
    seats, choices = SETUPS[name]
    setup = Setup("race", ("Ania", "Ola", "Jan", "Ewa")[:seats], choices)
    return tuple(pairwise(state for state, _ in play(GAME, setup, seed)))


def part(text: Text) -> int:
    """What one part contributes."""
    if text.key in FIXED:
        return FIXED[text.key]
    n = text.args["n"]
    return n if isinstance(n, int) else int(str(n).replace("\N{MINUS SIGN}", "-"))


def parts(text: Text) -> tuple[Text, ...]:
    found = text.args["because"]
    assert isinstance(found, tuple)
    return found


def explained(text: Text) -> int:
    """The number the parts of a sentence add up to."""
    if any(p.key == "race.part.colony-ship" for p in parts(text)):
        return 0
    total = sum(part(p) for p in parts(text))
    return max(0, total) if text.key == "race.pay" else total


def sentences(name: str, seed: int) -> list[tuple[RaceState, set[str], Text]]:
    """What was explained: the table before, the cards of that seat before and after, and the sentence."""
    found = []
    for before, after in played(name, seed):
        for item in after.news:
            if item.seat is not None:
                cards = {card.id for card in (*before.cards(item.seat), *after.cards(item.seat))}
                found += [(before, cards, text) for text in inside(item.text) if text.key in EXPLAINED]
    return found


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", SETUPS)
def test_the_parts_add_up_to_the_number(name: str, seed: int) -> None:
    told = sentences(name, seed)
    assert told
    for before, _, text in told:
        n, sum_of_parts = number(text), explained(text)
        short = (
            before.in_piles() < 30 and n < sum_of_parts
        )  # with few cards in the piles a draw may fall short
        assert n == sum_of_parts or short, render(text, "en")


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", SETUPS)
def test_cards_kept_in_explore_are_explained(name: str, seed: int) -> None:
    for before, _, text in sentences(name, seed):
        if text.key != "race.explore":
            continue
        keeps = sum(int(str(p.args["n"])) for p in parts(text) if p.key == "race.part.keep")
        bonus = any(p.key == "race.part.explore-1-1" for p in parts(text))
        assert text.args["kept"] == 1 + bonus + keeps or before.in_piles() < 30


@pytest.mark.parametrize("name", SETUPS)
def test_every_card_named_as_a_reason_lies_in_that_tableau(name: str) -> None:
    named = 0
    for seed in SEEDS:
        for _, cards, text in sentences(name, seed):
            for p in parts(text):
                if "name" in p.args:
                    named += 1
                    assert component_of(p.args["name"]) in cards
    assert named > 20


def test_all_kinds_of_explained_numbers_were_met() -> None:
    met = Counter(text.key for name in SETUPS for seed in SEEDS for _, _, text in sentences(name, seed))
    assert set(met) == set(EXPLAINED)
    kinds = Counter(
        p.key
        for name in SETUPS
        for seed in SEEDS
        for _, _, text in sentences(name, seed)
        for p in parts(text)
    )
    assert {*FIXED, "race.part.card", "race.part.cost", "race.part.price"} <= {
        *kinds,
        "race.part.no-military",
    }


@pytest.mark.parametrize("name", SETUPS)
def test_everything_told_can_be_said_in_every_language(name: str) -> None:
    for _, after in played(name, 0):
        for item in after.news:
            for language in LANGUAGES:
                said = render(item.text, language)
                assert "race." not in said
                assert "{" not in said
