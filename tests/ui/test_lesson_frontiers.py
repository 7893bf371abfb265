"""The 60 worlds of New Frontiers taught by touch, with every tap counted. Their values are made up."""

from collections import Counter
from typing import Any

import pytest

from companion.core.components import Facts
from companion.core.forms import ListOf, form_of
from companion.core.game import games
from companion.games.frontiers import GAME
from companion.games.frontiers.component_types import World, everything, ids
from tests import budgets
from tests.games.frontiers.made_up_box import FACTS
from workshop.screens.checks import problems
from workshop.screens.rehearsal import Rehearsal

WORLDS = [id for id in ids("worlds") if everything()[id].unknown()]
EACH_DAY = 6
"""So many worlds are taught each day, all of them in a campaign."""


@pytest.fixture
def lesson(rehearsal):
    games().clear()
    games()["frontiers"] = GAME
    rehearsal.tap("binder")
    rehearsal.tap("teach-box")
    return rehearsal


def taps_of(component: str, facts: Facts) -> list[str]:
    """Every touch that tells this world, in the order of the page, but the one that goes on."""
    told = {key.rpartition(".")[2]: v for key, v in facts.items() if key.rpartition(".")[0] == component}
    return [tap for field, value in told.items() for tap in _taps(field, value)]


def _taps(field: str, value: Any) -> list[str]:
    form = form_of(World, field, "frontiers")
    if not isinstance(form, ListOf):
        return [f"value.{field}-{v}" for v in (value if isinstance(value, list) else [value])]
    taps = []
    for n, told in enumerate(value):
        kind = form.item.of(told)
        taps += [f"add-value.{field}", f"add-value.{field}-{kind.tag}"]
        taps += [
            f"value.{field}-{n}.{part.name}-{told[part.name]}"
            for part in kind.fields
            if part.name in told and (part.needed or told[part.name] != part.usual)
        ]
    return taps


def kept(rehearsal: Rehearsal) -> Facts:
    found: list[Facts] = []
    rehearsal.app.desk.clerk.do(lambda _, binder: binder.facts("frontiers"), found.append, found.append)
    rehearsal.settle()
    return found[0]


def here(rehearsal: Rehearsal) -> str:
    return rehearsal.screen.lesson.pad.component.id


def teach(rehearsal: Rehearsal, worlds: int) -> Counter[str]:
    """Teach so many worlds as they come; how many touches each took."""
    taps: Counter[str] = Counter()
    for _ in range(worlds):
        world = here(rehearsal)
        for name in [*taps_of(world, FACTS), "next-tile"]:
            rehearsal.tap(name)
            taps[world] += 1
    return taps


def test_worlds_are_taught_by_touch_one_after_another(lesson):
    worlds = WORLDS if budgets.campaign else WORLDS[:EACH_DAY]
    taps = teach(lesson, len(worlds))
    assert taps == {id: len(taps_of(id, FACTS)) + 1 for id in worlds}
    assert list(taps) == worlds
    told = everything().taught(kept(lesson))
    assert [told[id] for id in worlds] == [everything().taught(FACTS)[id] for id in worlds]
    progress, wrong = lesson.screen.lesson.counted()
    assert progress[0].told == 60 - len(WORLDS) + len(worlds)
    assert wrong == ()


def test_most_worlds_take_eight_touches_at_most():
    """With the made-up box; a '?' takes two or three more for each thing it counts."""
    box, taps = everything().taught(FACTS), {id: len(taps_of(id, FACTS)) + 1 for id in WORLDS}
    without = [n for id, n in taps.items() if not box[id].powers and box[id].points != "?"]
    with_one = [n for id, n in taps.items() if box[id].powers and box[id].points != "?"]
    assert max(without) == 7  # with two words set in capitals; five without any
    assert max(n for id, n in taps.items() if box[id].points != "?" and len(box[id].keywords) < 2) == 11
    assert sorted(with_one)[len(with_one) // 2] == 9
    assert sum(n <= 8 for n in taps.values()) == 35
    assert len(taps) == 57


def test_a_mistake_is_counted_and_leads_to_its_tile(lesson):
    first, second = WORLDS[5:7]
    for id in (first, second):
        lesson.screen.lesson.open(id)
        lesson.settle()
        for field, value in (("price", "cost-0"), ("product", "gray"), ("colonists", 1), ("points", 1)):
            lesson.tap(f"value.{field}-{value}")
        lesson.tap("next-tile")
    lesson.tap("census")
    assert any("0" in words for words in lesson.words())
    lesson.tap(f"culprit-{second}")
    assert here(lesson) == second


def test_what_a_question_mark_counts_is_asked_only_where_one_is_printed_and_can_wait(lesson):
    lesson.screen.lesson.open(WORLDS[8])
    lesson.settle()
    assert "add-value.bonus" not in lesson.taps()
    for field, value in (("price", "cost-2"), ("product", "gray"), ("colonists", 1), ("points", "?")):
        lesson.tap(f"value.{field}-{value}")
    assert "add-value.bonus" in lesson.taps()
    lesson.tap("next-tile")
    assert f"{WORLDS[8]}.bonus" not in kept(lesson)
    assert everything().taught(kept(lesson))[WORLDS[8]].unknown() == ("bonus",)


def test_the_name_of_a_slot_is_typed_where_it_stands_and_need_not_be(lesson):
    slot = WORLDS[8]
    lesson.screen.lesson.open(slot)
    lesson.settle()
    lesson.tap("rename")
    for key in "comet":
        lesson.tap(f"key-{key}")
    lesson.tap("typed")
    assert "Comet" in lesson.words()
    for field, value in (("price", "cost-2"), ("product", "gray"), ("colonists", 1), ("points", 2)):
        lesson.tap(f"value.{field}-{value}")
    lesson.tap("next-tile")
    assert kept(lesson)[f"{slot}.name.en"] == "Comet"


def test_kinds_of_tiles_are_looked_at_one_by_one(lesson):
    lesson.tap("pick")
    lesson.tap("kind-2")
    assert all(name.startswith("open-home") for name in lesson.taps() if name.startswith("open-"))
    lesson.tap("open-home-1a")
    lesson.tap("value.product-gray")
    lesson.tap("value.points-1")
    lesson.tap("next-tile")
    assert here(lesson) == "home-1b"  # the next of the kind people look at


@pytest.mark.parametrize(("language", "text"), [("en", 100), ("pl", 150)])
def test_a_whole_world_can_be_read_and_touched(lesson, tmp_path, language, text):
    lesson.change(language=language, text_size=text)
    lesson.screen.lesson.open(WORLDS[8])
    for taps in (
        (),
        ("value.price-defence-3", "value.product-novelty-windfall", "value.keywords-rebel"),
        ("add-value.powers",),
        ("add-value.powers-gain-per-colony",),
        ("rename",),
    ):
        for name in taps:
            lesson.tap(name)
        lesson.settle()
        lesson.shoot(tmp_path / "screen.png")
        assert problems(lesson.app, tmp_path / "screen.png") == [], taps
