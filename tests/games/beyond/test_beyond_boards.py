"""Taught boards are checked against what the rulebook says about them (pp. 4-15, set-up sheet 16-20)."""

from __future__ import annotations

import io
import json
from pathlib import Path
from random import Random
from typing import Any

import pytest
from rich.console import Console

from companion.cli import main
from companion.core.autoplay import any_answer, next_answer
from companion.core.binder import Binder
from companion.core.components import Facts
from companion.core.game import Setup
from companion.core.journal import Journal
from companion.core.play import Play
from companion.core.store import Store
from companion.core.words import Text
from companion.errors import BAD_INPUT, DONE, DataTrouble, NotNow
from companion.games.beyond import GAME
from companion.games.beyond.bots import LINES, _routes
from companion.games.beyond.component_types import SPACES
from companion.games.beyond.position import POSITIONS
from companion.terminal.show import Shower
from companion.terminal.table import TextTable
from companion.texts import LANGUAGES, render
from tests.games.beyond.made_up_box import made_up_box

GROWTH = ["a", "none", "b", "none", "none", "c", "none", "d", "e"]
ORE = [1, 0, 1, 0, 1, 0, 1, 0, 1]
COLUMNS = {"a": 4, "b": 4, "c": 3, "d": 3, "e": 3}


def lines(level: int, *without: str) -> list[dict[str, str]]:
    """The lines of the made-up tree, without those to some spaces."""
    left, spaces = SPACES[level - 1], zip(SPACES[level], LINES[level], strict=True)
    return [{"one": left[n], "other": s} for s, joined in spaces if s not in without for n in joined]


def routes(*without: str) -> list[dict[str, str]]:
    """The routes of the made-up board, without those of some locations."""
    return [r for r in _routes() if not {r["one"], r["other"]} & set(without)]


WRONG: list[tuple[str, Facts]] = [
    ("growth-places", {"basic-boards.growth": []}),
    ("growth-places", {"nations-advanced.growth": GROWTH[:-1]}),
    ("growth-first", {"nations-advanced.growth": ["none", *GROWTH[1:]]}),
    ("growth-shown", {"basic-boards.growth": ["a", "b", "c", "none", "d", "none", "none", "none", "e"]}),
    ("growth-shown", {"basic-boards.growth": ["a", "none", "b", "none", "none", "none", "c", "d", "e"]}),
    ("ore-places", {"basic-boards.ore_track": [*ORE, 1]}),
    ("ore-first", {"basic-boards.ore_track": [2, 0, 1, 0, 0, 0, 1, 0, 1]}),
    ("ore-first", {"nations-advanced.ore_track": [0, *ORE[1:]]}),
    ("ore-shown", {"basic-boards.ore_track": [1, 0, 1, 0, 0, 1, 1, 0, 1]}),
    ("slots", {"basic-boards.columns": dict.fromkeys("abcde", 8)}),
    ("slots", {"nations-advanced.columns": {**COLUMNS, "e": 4}}),
    ("no-column", {"basic-boards.columns": {**COLUMNS, "c": 0}}),
    ("no-column", {"nations-advanced.columns": {**COLUMNS, "e": 0}, "nations-advanced.growth": GROWTH}),
    ("surcharges", {"basic-2.surcharge": ["research-1"]}),
    ("surcharges", {"basic-3.surcharge": ["research-1", "research-2"]}),
    ("surcharges", {"basic-4.surcharge": []}),
    ("surcharge-spaces", {"basic-4.surcharge": ["research-1", "research-1"], "basic-4.research_1": 1}),
    ("line", {"technology-board.lines_3": [*lines(3), {"one": "i-1", "other": "iii-a"}]}),
    ("line", {"technology-board.lines_2": [*lines(2), {"one": "ii-a", "other": "ii-b"}]}),
    ("lines-of-space", {"technology-board.lines_2": lines(2, "ii-c")}),
    ("lines-of-space", {"technology-board.lines_3": [*lines(3), {"one": "ii-c", "other": "iii-a"}]}),
    ("three", {"technology-board.lines_4": lines(4), "technology-board.two_of_three": []}),
    (
        "two-of-three",
        {"technology-board.lines_4": lines(4), "technology-board.two_of_three": ["iiii-a", "iiii-b"]},
    ),
    ("unreachable", {"side-2.routes": routes("deep-space")}),
    ("unreachable", {"side-3-4.routes": routes(), "side-3-4.yards": ["food", "ore", "both"]}),
    ("no-yard", {"side-2.routes": routes(), "side-2.yards": ["both"]}),
]


def against(facts: Facts, known: Facts | None = None) -> list[str]:
    """What is said against these facts, by its key."""
    found = list(GAME.bad_facts(facts, known))
    assert all("{" not in render(text, language) for text in found for language in LANGUAGES)
    return [
        why.key.removeprefix("beyond.board.") for one in found if isinstance(why := one.args["why"], Text)
    ]


def test_a_made_up_box_of_bots_contradicts_nothing() -> None:
    assert list(GAME.bad_facts(made_up_box())) == []


@pytest.mark.parametrize(("key", "facts"), WRONG)
def test_a_board_that_cannot_be_so_is_told_with_its_page(key: str, facts: Facts) -> None:
    assert set(against(facts)) == {key}
    for text in GAME.bad_facts(facts):
        assert "(p. " in render(text, "en") or "(set-up sheet" in render(text, "en")
        assert "(str. " in render(text, "pl") or "(arkusz przygotowania" in render(text, "pl")


def test_what_the_examples_do_not_show_may_be_otherwise_on_advanced_boards() -> None:
    """Their tracks are their own (p. 5)."""
    tracks = {"growth": ["a", "b", *["none"] * 7], "ore_track": [2, *[0] * 8]}
    assert against({f"nations-advanced.{field}": told for field, told in tracks.items()}) == []
    assert len(against({f"basic-boards.{field}": told for field, told in tracks.items()})) == 2


def test_lines_told_before_anybody_said_which_spaces_need_two_of_three_are_fine() -> None:
    assert against({"technology-board.lines_4": lines(4)}) == []
    assert (
        against({"technology-board.two_of_three": ["iiii-b"]}, {"technology-board.lines_4": lines(4)}) == []
    )
    assert against({"technology-board.two_of_three": ["iiii-a"]}, {"technology-board.lines_4": lines(4)}) == [
        "two-of-three",
        "three",
    ]


def test_what_is_wrong_already_can_be_set_right_one_field_after_the_other() -> None:
    known: Facts = {"side-2.yards": ["both"], "side-2.routes": routes()}
    assert against({"side-2.yards": ["food", "ore"]}, known) == []


# Everywhere a board can be told


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("COMPANION_LANGUAGE", "en")
    return tmp_path


DAMAGED: Facts = {
    "basic-boards.growth": [],
    "basic-boards.columns": dict.fromkeys("abcde", 8),
    "technology-board.lines_3": [{"one": "i-1", "other": "iii-a"}],
}


def taught(home: Path, facts: Facts) -> None:
    """A box that was taught before anybody checked."""
    store = Store(home / "home" / "journal.db")
    Binder(store).learn("beyond", facts, 1.0)
    store.close()


def test_binder_check_tells_a_damaged_box(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["binder", "export", "beyond"]) == DONE  # there is a folder now
    taught(home, DAMAGED)
    capsys.readouterr()
    assert main(["binder", "check", "beyond"]) == BAD_INPUT
    shown = " ".join(capsys.readouterr().out.split())
    assert "nine places" in shown
    assert "told: 40" in shown
    assert "I 1 to III A is no line to level III" in shown


def test_a_file_with_such_a_board_is_not_taken_over(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (key, value), *_ = DAMAGED.items()
    component, _, field = key.rpartition(".")
    fact = {"game": "beyond", "component": component, "field": field, "value": value, "at": 1.0}
    sheet = {"format": "tabletop-companion facts", "version": 1, "game": "beyond", "facts": [fact]}
    (home / "box.json").write_text(json.dumps(sheet))
    for insist in ((), ("--insist",)):
        assert main(["binder", "import", "beyond", str(home / "box.json"), *insist]) == BAD_INPUT
        assert "nine places" in " ".join(capsys.readouterr().err.split())


def test_a_position_with_such_a_board_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    told: dict[str, Any] = {"game": "beyond", "seats": [{"name": "Ania"}, {"name": "Ola"}]}
    # A finished table gives only the shipyards of boards: a card without any represents every contradiction.
    monkeypatch.setattr(
        "companion.games.beyond.position_cards.contradictions",
        lambda card: GAME.contradictions(_unjoined(card)),
    )
    with pytest.raises(DataTrouble) as trouble:
        POSITIONS.sheet(POSITIONS.position_of({**told, "cards": {"side-2": {"yards": ["food"]}}}))
    assert any("(p. 4)" in render(problem, "en") for problem in trouble.value.problems)


def _unjoined(card: Any) -> Any:
    from companion.core.components import with_told

    return with_told(card, "routes", routes("yard-1")) if card.id == "side-2" else card


def test_a_damaged_box_is_asked_again_and_played(tmp_path: Path) -> None:
    store = Store(tmp_path / "journal.db")
    journal, binder, random = Journal(store), Binder(store), Random(3)
    binder.learn("beyond", {**made_up_box(), **DAMAGED}, 1.0)
    setup = Setup("beyond", ("Ania", "Bartek"))
    play = Play.start(GAME, setup, journal, binder, 2.0)
    assert not DAMAGED.keys() & play.session.state.taught.keys()
    bots = GAME.bots(play.session.setup, random)
    while not DAMAGED.keys() & play.session.state.taught.keys():
        play.answer(next_answer(play.session.state, bots, random), 3.0)
        bots.follow(play.session.state, play.session.state.news)
    assert binder.facts("beyond")["basic-boards.growth"] == GROWTH
    with pytest.raises(NotNow):
        play.correct_fact("basic-boards.growth", [], 4.0)
    store.close()


def test_a_play_that_was_told_a_damaged_board_goes_on(tmp_path: Path) -> None:
    """Old answers are taken as they were."""
    store, random = Store(tmp_path / "journal.db"), Random(3)
    journal, binder = Journal(store), Binder(store)
    play = Play.start(GAME, Setup("beyond", ("Ania", "Bartek")), journal, binder, 2.0)
    for n in range(60):
        play.answer(any_answer(play.session, random), 3.0 + n)
    assert list(GAME.bad_facts(play.session.state.taught))
    assert Play.resume(play.id, journal, binder).session.state == play.session.state
    store.close()


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_terminal_asks_again_for_a_field_that_cannot_be_so(tmp_path: Path, language: str) -> None:
    store, random = Store(tmp_path / "journal.db"), Random(3)
    facts = {key: told for key, told in made_up_box().items() if not key.startswith("basic-boards")}
    binder = Binder(store)
    binder.learn("beyond", facts, 1.0)
    play = Play.start(GAME, Setup("beyond", ("Ania", "Bartek")), Journal(store), binder, 2.0)
    bots = GAME.bots(play.session.setup, random)
    while "basic-boards.growth" not in play.session.questions()[0].facts:
        play.answer(next_answer(play.session.state, bots, random), 3.0)
        bots.follow(play.session.state, play.session.state.news)
    none = render(Text("beyond.growth.none"), language)
    growth = ", ".join(none if letter == "none" else letter.upper() for letter in GROWTH)
    out, typed = io.StringIO(), iter(["", "A, B", growth, "cancel"])

    def ask(prompt: str) -> str:
        for line in typed:
            return line
        raise EOFError

    with pytest.raises(EOFError):
        TextTable(play, Shower(Console(file=out, width=300), language), ask, lambda: 5.0).run()
    assert ("nine places" if language == "en" else "dziewięć miejsc") in out.getvalue()
    levels = dict.fromkeys(("first", "second", "third", "fourth", "fifth", "sixth", "seventh"), 1)
    tracks = {"growth": GROWTH, "ore_track": ORE, "columns": dict.fromkeys("abcde", 8)}
    whole = json.dumps({**tracks, "automation": levels})
    typed, out = iter([whole]), io.StringIO()
    with pytest.raises(EOFError):
        TextTable(play, Shower(Console(file=out, width=300), language), ask, lambda: 5.0).run()
    assert "40" in out.getvalue()
    assert "basic-boards.growth" not in play.session.state.taught
    store.close()
