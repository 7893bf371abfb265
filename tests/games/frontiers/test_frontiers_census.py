"""The census of the 60 worlds (rules 1, 2 and 16 to 18): taught facts are checked against it."""

from __future__ import annotations

import dataclasses
from random import Random
from typing import Any

import pytest

from companion.core.census import disagreements, progress
from companion.core.components import Value
from companion.core.game import Setup
from companion.games.frontiers import census
from companion.games.frontiers.component_types import everything, ids, kind, printed_box
from companion.texts import LANGUAGES, render
from tests.laws.test_printed import has_words

COHORTS = census.census(Setup("frontiers", ("Ania", "Bartek")))


@dataclasses.dataclass
class Drawn:
    """A world made up so that all of them together are as the rulebook counts: no box prints these."""

    price: str
    colonists: int = 1
    product: str = "gray"
    keywords: tuple[str, ...] = ()
    points: int | str = 0


def worlds() -> list[Drawn]:
    """Sixty worlds that agree with the census."""
    peaceful = [Drawn(f"cost-{n}") for n, many in census.COSTS.items() for _ in range(many)]
    military = [Drawn(f"defence-{n}") for n, many in census.DEFENCES.items() for _ in range(many)]
    for conquered, group in enumerate((peaceful, military)):
        twos = census.COLONISTS[2][conquered]
        for world in group[:twos]:
            world.colonists = 2
        kinds = [kind for kind, both in census.KINDS.items() for _ in range(both[conquered])]
        windfalls = census.GOODS["windfall"][conquered]
        for n, (world, made) in enumerate(zip(group, kinds, strict=False)):
            world.product = f"{made}-{'windfall' if n < windfalls else 'production'}"
    for world in peaceful[:4]:
        world.keywords = ("imperium",)
    for world in peaceful[4:8]:
        world.keywords = ("uplift",)
    peaceful[-1].keywords = ("alien",)
    for world in military[:11]:
        world.keywords = ("rebel",)
    military[0].keywords = ("rebel", "uplift")
    for world in military[11:16]:
        world.keywords = ("uplift",)
    for world in military[16:19]:
        world.keywords = ("imperium",)
    for world in (*peaceful[:2], *military[:2]):
        world.points = "?"
    return [*peaceful, *military]


def taught(made: list[Drawn], known: int = 60) -> dict[str, Value]:
    """These worlds as facts of the box, or only so many of them."""
    facts: dict[str, Value] = {}
    for id, world in list(zip(ids("worlds"), made, strict=True))[:known]:
        for field, value in dataclasses.asdict(world).items():
            facts[f"{id}.{field}"] = list(value) if field == "keywords" else value
    return facts


def wrong(facts: dict[str, Value]) -> list[str]:
    box = everything().taught(facts)
    found = disagreements(COHORTS, box)
    for one in found:
        assert has_words(one.sentence(box))
        assert all("{" not in render(one.sentence(box), language) for language in LANGUAGES)
    return [render(one.text, "en") for one in found]


def test_the_numbers_of_the_rulebook_add_up() -> None:
    """Rules 1, 16 and 17: 34 and 26 worlds, whichever way they are counted; all that have a kind are coloured."""
    assert (sum(census.COSTS.values()), sum(census.DEFENCES.values())) == (34, 26)
    for military, worlds in ((False, 34), (True, 26)):
        assert sum(both[military] for both in census.COLONISTS.values()) == worlds
        assert sum(both[military] for both in census.GOODS.values()) == worlds
        coloured = worlds - census.GOODS["gray"][military]
        assert sum(both[military] for both in census.KINDS.values()) == coloured


def test_the_box_as_it_is_known_agrees() -> None:
    assert wrong({}) == []
    assert len(printed_box().worlds) == 60


def test_sixty_worlds_as_the_rulebook_counts_agree_however_many_are_told() -> None:
    made = worlds()
    Random(1).shuffle(made)
    # The few worlds that are known come first: they are overwritten, the census does not mind which tile is which.
    for known in (8, 30, 59, 60):
        assert wrong(taught(made, known)) == []


@pytest.mark.parametrize(
    ("change", "blamed"),
    [
        ({"price": "cost-7"}, "cost 7"),
        ({"colonists": 2}, "2 colonists"),
        ({"product": "alien-production"}, "Alien technology"),
        ({"keywords": ("rebel",)}, "Rebel"),
        ({"keywords": ("rebel", "uplift")}, "Rebel and Uplift"),
        ({"points": "?"}, "with a ?"),
        ({"points": 7}, "more points"),
    ],
    ids=str,
)
def test_one_world_told_wrong_is_found(change: dict[str, Any], blamed: str) -> None:
    """Rules 16 to 18: each number is checked."""
    made = worlds()
    for field, value in change.items():
        setattr(made[20], field, value)
    assert any(blamed in sentence for sentence in wrong(taught(made)))


def test_a_second_gray_world_of_aliens_is_found() -> None:
    """Rule 15: only one gray world carries the word."""
    made = worlds()
    made[-1].keywords = ("alien",)
    assert any("gray, with the word Alien" in sentence for sentence in wrong(taught(made)))


def test_only_large_developments_cost_nine() -> None:
    """Rule 2."""
    assert wrong({"survey-team.cost": 8}) == []
    assert "small developments of cost 9" in wrong({"survey-team.cost": 9})[0]


def test_how_much_is_known_is_told_by_sort() -> None:
    facts = taught(worlds()) | {f"{id}.powers": [] for id in ids("worlds")}
    known, *_ = progress(COHORTS, everything().taught(facts), kind)
    # Four worlds have a '?' nobody told the meaning of; the others need none.
    assert (render(known.text, "en"), known.told, known.total, known.disagreeing) == ("worlds", 56, 60, 0)
    found, *_ = progress(COHORTS, everything().taught(facts | {f"{ids('worlds')[20]}.price": "cost-7"}), kind)
    assert found.disagreeing == 1


def test_a_home_whose_cost_nobody_knows_may_be_wholly_known() -> None:
    """Rules 8 and 120: nobody knows whether homes print a cost."""
    home = {"product": "gray", "points": 1, "keywords": [], "powers": []}
    tile = everything().taught({f"home-1a.{field}": value for field, value in home.items()})["home-1a"]
    assert tile.unknown() == ()
