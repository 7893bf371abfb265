"""Your own game: chosen, brought from a stick, or made by touch; and its play on every screen."""

import pytest

from companion.core.flow.library import FOLDER, flows
from companion.table.settings import Person
from companion.ui.toolkit.geometry import walk
from companion.ui.toolkit.kit import Words

SEATS = ("Ania", "Bartek")


@pytest.fixture
def own(rehearsal, layout):
    rehearsal.change(people=tuple(Person(name, n) for n, name in enumerate(SEATS)))
    rehearsal.tap("own")
    rehearsal.settle_beside()
    return rehearsal


def type_in(rehearsal, words):
    for letter in words:
        rehearsal.tap(f"key-{letter}")
    rehearsal.tap("key-done")


def start(rehearsal):
    for name in SEATS:
        rehearsal.tap(f"person-{name}")
    rehearsal.tap("next")
    rehearsal.tap("start")


def test_a_shipped_example_is_played(own):
    own.tap("flow-wingspan")
    start(own)
    session = own.app.desk.session
    assert session.game.id == "wingspan"
    assert session.setup.flow


def test_a_simple_game_is_made_by_touch_and_played_to_its_score(own):
    own.tap("make")
    type_in(own, "skat")
    own.tap("plus-rounds")
    own.tap("add-counters")
    type_in(own, "gold")
    own.tap("add-lines")
    type_in(own, "gold")
    own.tap("add-lines")
    type_in(own, "cards")
    own.tap("keep")
    own.settle_beside()
    assert [one.name for one in flows(own.app.folder) if one.file is not None] == ["Skat"]
    start(own)
    own.tap("option-0")
    own.tap("plus-gold:0")
    own.tap("plus-gold:0")
    for _ in SEATS:
        own.tap("option-done")
    own.tap("plus-cards")
    own.tap("form-done")
    own.tap("form-done")
    session = own.app.desk.session
    assert session.over
    lines = session.game.sheet(session.state).seats[0].lines
    assert [(line.what, line.points) for line in lines] == [("gold", 2), ("cards", 1)]
    own.tap("score")
    own.app.screen.finish()
    for tab in ("sheet", "chart", "pack", "share"):
        own.tap(f"tab-{tab}")
    own.tap("tab-sheet")
    assert {"Gold", "Cards"} <= set(own.words())


def test_its_name_is_on_home_and_in_the_list_of_plays(own):
    own.tap("flow-terraforming-mars")
    start(own)
    own.app.go("history")
    own.settle()
    own.app.home()
    own.app.desk.leave()
    own.settle()
    for name in ("resume", "again"):
        assert "Terraforming Mars" in [
            part.text for part in walk(own.taps()[name]) if isinstance(part, Words)
        ]
    own.tap("plays")
    assert "Terraforming Mars" in own.words()
    own.tap("play-1")
    assert own.app.screen.name == "table"
    own.app.home()
    own.app.desk.leave()
    own.settle()
    own.tap("again")
    own.tap("start")
    assert own.app.desk.session.game.id == "terraforming-mars"


def test_a_file_from_a_stick_is_checked_and_copied(own, stick):
    (stick / "good.toml").write_text(
        'id = "dominoes"\nname = "Dominoes"\nseats = [2]\nrounds = 3\n[[phase]]\nid = "turn"\nturns = 1\n'
    )
    (stick / "bad.toml").write_text('id = "Bad"\nname = "Bad"\nseats = [2]\nroundz = 3\n')
    own.tap("stick")
    own.settle_beside()
    own.tap("file-1")
    own.settle_beside()
    lines = [words for words in own.words() if words.startswith("Line ")]
    assert len(lines) >= 3, "every problem at once, each with its line"
    own.tap("back")
    own.tap("file-0")
    own.settle_beside()
    assert (own.app.folder / FOLDER / "dominoes.toml").is_file()
    assert "flow-dominoes" in own.taps()


def test_a_broken_file_in_the_data_folder_is_shown_with_its_problems(own):
    folder = own.app.folder / FOLDER
    folder.mkdir()
    (folder / "mine.toml").write_text("id = 3")
    own.tap("back")
    own.tap("own")
    own.settle_beside()
    broken = next(
        name for name in own.taps() if name.startswith("flow-") and name.removeprefix("flow-").isdigit()
    )
    own.tap(broken)
    assert any(words.startswith("Line ") for words in own.words())


def test_the_demonstration_can_still_be_reached(rehearsal):
    assert "demonstration" in rehearsal.taps()
    rehearsal.play("race", SEATS, answers=2)
    rehearsal.app.home()
    rehearsal.app.desk.leave()
    rehearsal.settle()
    rehearsal.tap("demonstration")
    assert rehearsal.app.screen.name == "demonstrations"
