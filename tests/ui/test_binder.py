"""The binder screen: looking up facts, teaching them, and passing them on."""

import json
import os
from functools import partial
from pathlib import Path

import pytest

from companion.core.forms import ListOf
from companion.core.game import Game, every_game, games
from companion.games.lantern import GAME as LANTERN
from companion.texts import LANGUAGES, render
from workshop.screens.checks import problems
from workshop.screens.rehearsal import Rehearsal


@pytest.fixture
def binder(rehearsal, stick):
    rehearsal.tap("binder")
    return rehearsal


def taught(rehearsal: Rehearsal) -> dict:
    found: list = []
    rehearsal.app.desk.clerk.do(lambda journal, binder: binder.facts("race"), found.append, found.append)
    rehearsal.settle()
    return found[0]


def says(rehearsal: Rehearsal, words: str) -> bool:
    return any(words in said for said in rehearsal.words())


def teach(rehearsal: Rehearsal, field: str, value: object) -> None:
    rehearsal.tap(f"fact-{field}")
    rehearsal.tap(f"value.{field}-{value}")
    rehearsal.tap("keep")


def test_every_component_is_on_some_page(binder):
    seen: set[str] = set()
    while True:
        seen |= {name for name in binder.taps() if name.startswith("open-")}
        if "after" not in binder.taps():
            break
        binder.tap("after")
    assert len(seen) == 104
    binder.tap("before")
    assert "after" in binder.taps()


def test_typing_finds_a_component(binder):
    for letter in "gem w":
        assert binder.app.screen.typed("0", letter)
    binder.settle()
    found = [name for name in binder.taps() if name.startswith("open-")]
    assert found == ["open-gem-world"]
    binder.tap("open-gem-world")
    assert says(binder, "Gem World")
    binder.tap("back")
    binder.tap("back")
    assert "open-old-earth" in binder.taps()


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("game", "typed", "id"),
    [
        ("beyond", "Syriusz", "sirius"),
        ("beyond", "sirius", "sirius"),
        ("beyond", "gwiazda barnarda", "barnards-star"),
        ("beyond", "Gildia Profesorow", "professors-guild"),
        ("transgalactica", "porucznik", "lieutenant"),
        ("transgalactica", "lieutenant", "lieutenant"),
    ],
)
def test_typing_finds_a_component_in_either_language(rehearsal, monkeypatch, language, game, typed, id):
    rules = every_game()[game]
    monkeypatch.setattr("companion.ui.screens.binder.screen.games", lambda: {game: rules})
    rehearsal.app.desk.change(language=language)
    rehearsal.tap("binder")
    for letter in typed:
        assert rehearsal.app.screen.typed("0", letter)
    rehearsal.settle()
    assert [name for name in rehearsal.taps() if name.startswith("open-")] == [f"open-{id}"]
    rehearsal.tap(f"open-{id}")
    assert says(rehearsal, render(rules.usual_box()[id].called, language))


def test_a_component_shows_its_facts_and_who_said_so(binder):
    binder.tap("open-old-earth")
    words = binder.words()
    assert "Cost" in words
    assert "IV Trade: a sale brings +1 (any kind)" in words
    assert "transcription" in words
    assert says(binder, "Public transcriptions of the first printing")


def test_a_fact_calls_another_component_as_people_told(binder):
    clerk = binder.app.desk.clerk
    clerk.do(
        lambda _, facts: facts.learn("race", {"research-labs.name": "Nowe Laboratoria"}, 0), print, print
    )
    clerk.settle()
    binder.app.screen.look_up()
    binder.settle()
    binder.app.screen.open("galactic-renaissance")
    binder.settle()
    assert says(binder, "Nowe Laboratoria")
    assert not says(binder, "Research Labs")


def test_a_word_given_by_name_is_shown_with_name_and_day(binder):
    at, clerk, done = binder.now, binder.app.desk.clerk, []
    clerk.do(lambda _, b: b.teach("race", "old-earth", "points", 3, at, by="Łucja"), done.append, done.append)
    binder.settle()
    binder.app.screen.look_up()
    binder.tap("open-old-earth")
    assert "Łucja, 2027-01-15" in binder.words()
    binder.tap("fact-points")
    assert says(binder, "Łucja, 2027-01-15: 3")


def test_the_list_says_who_told_how_much(binder):
    at, clerk, done = binder.now, binder.app.desk.clerk, []
    for component, by in (("old-earth", "Łucja, Jan"), ("gem-world", "Łucja"), ("alpha-centauri", "")):
        told = partial(tell, component, by, at)
        clerk.do(told, done.append, done.append)
    binder.settle()
    binder.app.screen.look_up()
    binder.settle()
    assert "Told by: Łucja (2), Jan (1), somebody (1)" in binder.words()


def tell(component, by, at, _, facts):
    facts.teach("race", component, "points", 3, at, by=by)


def test_the_other_edition_says_what_is_doubtful(binder):
    binder.tap("only-edition-second")
    binder.app.screen.open("imperium-armaments-world")
    assert says(binder, "not checked against a printed deck")


def test_a_fact_that_breaks_no_count_is_kept_and_can_be_taken_back(binder):
    binder.tap("open-old-earth")
    teach(binder, "points", 3)
    assert taught(binder) == {"old-earth.points": 3}
    assert "your entry" in binder.words()
    binder.tap("fact-points")
    assert says(binder, "Known so far: 2 (transcription)")
    assert says(binder, "Your entry of 2027-01-15: 3")
    binder.tap("forget")
    assert taught(binder) == {}
    assert "your entry" not in binder.words()


def test_a_fact_against_the_rulebooks_counts_is_kept_only_if_somebody_insists(binder):
    binder.tap("open-old-earth")
    teach(binder, "cost", 4)
    assert says(binder, "The rulebook counts 10 of these: worlds of cost 3. As told there are 9.")
    binder.tap("choice-0")
    assert taught(binder) == {}
    binder.tap("keep")
    binder.tap("choice-1")
    assert taught(binder) == {"old-earth.cost": 4}


def test_words_are_taught_by_choosing_one(binder):
    binder.tap("open-alpha-centauri")
    binder.tap("fact-good")
    binder.tap("value.good-genes")
    binder.tap("keep")
    binder.tap("choice-1")
    assert taught(binder) == {"alpha-centauri.good": "genes"}
    assert "Genes" in binder.words()


def never_empty(game: Game) -> tuple[str, str] | None:
    """A fact nobody told that is a list with something in it."""
    for component in game.usual_box():
        for row in game.rows(component):
            form = game.form(component, row.field)
            if isinstance(form, ListOf) and form.least and not row.values:
                return component.id, row.field
    return None


@pytest.mark.parametrize(
    "game", [game for game in games().values() if never_empty(game)], ids=lambda game: game.id
)
def test_of_a_list_that_is_never_empty_none_told_is_nothing_to_keep(binder, game):
    binder.screen._choose_game(game)
    binder.settle()
    binder.screen.open(*never_empty(game))
    binder.settle()
    assert "keep" not in binder.taps()


def test_nothing_is_kept_when_nothing_was_changed(binder):
    binder.tap("open-old-earth")
    binder.tap("fact-cost")
    binder.tap("keep")
    assert taught(binder) == {}
    assert "fact-cost" in binder.taps()


def test_a_number_stays_within_what_can_be_printed(binder):
    binder.tap("open-old-earth")
    binder.tap("fact-points")
    told = [name for name in binder.taps() if name.startswith("value.")]
    assert told == [f"value.points-{n}" for n in range(10)]


def test_a_play_begun_afterwards_uses_the_owners_word(binder):
    binder.tap("open-old-earth")
    teach(binder, "points", 5)
    binder.play("race", ("Ania", "Bartek"))
    assert binder.app.desk.session.state.deck["old-earth"].points == 5


def test_what_is_unknown_comes_first_and_is_asked_for(rehearsal, monkeypatch):
    monkeypatch.setattr("companion.ui.screens.binder.screen.games", lambda: {"lantern": LANTERN})
    rehearsal.tap("binder")
    assert "3 things nobody knows yet" in rehearsal.words()
    rehearsal.tap("open-moth")
    rehearsal.tap("fact-light")
    assert says(rehearsal, "Nobody has told us yet.")
    assert "keep" not in rehearsal.taps()
    rehearsal.tap("value.light-1")
    rehearsal.tap("keep")
    rehearsal.tap("back")
    assert "2 things nobody knows yet" in rehearsal.words()


def test_facts_go_to_another_table_on_a_stick(binder, stick):
    binder.tap("open-old-earth")
    teach(binder, "points", 3)
    binder.tap("back")
    binder.tap("share")
    binder.settle_beside()
    binder.tap("export-1")
    binder.settle_beside()
    (file,) = stick.iterdir()
    assert json.loads(file.read_bytes())["facts"][0]["value"] == 3
    binder.tap("back")
    binder.tap("open-old-earth")
    binder.tap("fact-points")
    binder.tap("forget")
    assert taught(binder) == {}
    binder.tap("back")
    binder.tap("share")
    binder.settle_beside()
    binder.tap("import-0")
    binder.settle_beside()
    assert taught(binder) == {"old-earth.points": 3}


def sheet(stick: Path, **facts: object) -> None:
    told = [
        {
            "game": "race",
            "component": key.partition("__")[0].replace("_", "-"),
            "field": key.partition("__")[2],
            "value": value,
            "at": 1.0,
        }
        for key, value in facts.items()
    ]
    head = {"format": "tabletop-companion facts", "version": 1, "game": "race"}
    (stick / "companion-facts-race-2027-01-01.json").write_text(json.dumps({**head, "facts": told}))


def test_a_stick_full_of_files_with_any_names_is_shown(binder, stick):
    for n in range(200):
        (stick / f"race-box-{n:03}.json").write_bytes(b"")
    for name in (os.fsdecode(b"\xff"), "\u202e[b]x", "z" * 200):
        (stick / f"race-box-{name}.json").write_bytes(b"")
    binder.tap("share")
    binder.settle_beside()
    offered = [name for name in binder.taps() if name.startswith("import-")]
    assert len(offered) == 30
    assert "race-box-?" in binder.words()


def test_a_file_with_a_mistake_is_not_taken_over_at_all(binder, stick):
    sheet(stick, old_earth__points=4, gem_world__cost=99, no_such_card__cost=1)
    binder.tap("share")
    binder.settle_beside()
    binder.tap("import-0")
    binder.settle_beside()
    assert taught(binder) == {}
    assert says(binder, "2 things in the file cannot be right")
    assert says(binder, "gem-world.cost cannot be 99")
    assert says(binder, "no-such-card")


def test_a_file_against_the_counts_is_taken_over_only_if_somebody_insists(binder, stick):
    sheet(stick, gem_world__cost=5)
    binder.tap("share")
    binder.settle_beside()
    binder.tap("import-0")
    binder.settle_beside()
    assert taught(binder) == {}
    binder.tap("choice-1")
    binder.settle_beside()
    assert taught(binder) == {"gem-world.cost": 5}


def test_what_two_boxes_tell_differently_is_decided_side_by_side(binder, stick):
    binder.tap("open-old-earth")
    teach(binder, "points", 3)
    binder.tap("back")
    binder.tap("open-alpha-centauri")
    teach(binder, "points", 4)
    binder.tap("back")
    sheet(stick, old_earth__points=5, alpha_centauri__points=6, gem_world__points=7)
    binder.tap("share")
    binder.settle_beside()
    binder.tap("import-0")
    binder.settle_beside()
    assert says(binder, "1 fact is new.")
    assert says(binder, "Old Earth: victory points")
    assert "take-over" not in binder.taps()
    binder.tap("theirs-old-earth.points")
    assert says(binder, "1 is still to be decided.")
    binder.tap("ours-alpha-centauri.points")
    binder.tap("take-over")
    told = {"old-earth.points": 5, "alpha-centauri.points": 4, "gem-world.points": 7}
    assert taught(binder) == told
    assert "export-0" in binder.taps()


def test_all_conflicts_are_decided_at_once_or_left_alone(binder, stick):
    binder.tap("open-old-earth")
    teach(binder, "points", 3)
    binder.tap("back")
    binder.tap("open-alpha-centauri")
    teach(binder, "points", 4)
    binder.tap("back")
    sheet(stick, old_earth__points=5, alpha_centauri__points=6)
    binder.tap("share")
    binder.settle_beside()
    binder.tap("import-0")
    binder.settle_beside()
    binder.tap("all-theirs")
    binder.tap("back")
    assert taught(binder) == {"old-earth.points": 3, "alpha-centauri.points": 4}
    binder.tap("import-0")
    binder.settle_beside()
    binder.tap("all-theirs")
    binder.tap("take-over")
    assert taught(binder) == {"old-earth.points": 5, "alpha-centauri.points": 6}


def test_escape_goes_back_page_by_page(binder):
    binder.tap("open-old-earth")
    binder.tap("fact-cost")
    for _ in range(3):
        assert binder.app.screen.name == "binder"
        binder.app._key(None, 27, 0, None, [])
    assert binder.app.screen.name == "home"


@pytest.mark.parametrize("language", ["en", "pl"])
@pytest.mark.parametrize("text_size", [80, 100, 150])
def test_all_of_it_can_be_read(binder, stick, tmp_path, language, text_size):
    binder.tap("open-old-earth")
    teach(binder, "points", 3)
    sheet(stick, old_earth__points=5)
    binder.app.home("binder")
    pages = [
        (),
        ("open-alpha-centauri",),
        ("open-alpha-centauri", "fact-cost", "value.cost-9"),
        ("share",),
        ("share", "import-0", "ours-old-earth.points"),
        ("find",),
    ]
    picture = tmp_path / "screen.png"
    binder.change(language=language, text_size=text_size)
    for page in pages:
        for name in page:
            binder.tap(name)
            binder.settle_beside()
        binder.app.dismiss()
        binder.shoot(picture)
        assert problems(binder.app, picture) == [], page
        binder.app.home("binder")
        binder.settle()
