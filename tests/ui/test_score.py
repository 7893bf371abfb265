"""Score: the sheet of the core, line by line, with its reasons, its tie-break and its growth."""

import cv2
import pytest

from companion.core.game import games
from companion.core.words import say
from companion.texts import render
from companion.ui.screens.score.chart import growth, step_for
from companion.ui.screens.score.share import Code, file_name
from companion.ui.toolkit.geometry import walk
from companion.ui.toolkit.kit import Words
from scoring.sheet import Line, SeatSheet, Sheet


@pytest.fixture
def score(rehearsal):
    rehearsal.play("race", ("Ania", "Bartek", "Celina"), seed=3)
    rehearsal.play_until(lambda session: session.over)
    rehearsal.app.go("score")
    rehearsal.app.screen.finish()
    rehearsal.settle()
    return rehearsal


def inside(part):
    return [words.text for words in walk(part) if isinstance(words, Words)]


def sheet_of(rehearsal):
    return rehearsal.app.desk.session.game.sheet(rehearsal.app.desk.session.state)


def test_every_line_of_the_sheet_is_there_with_its_points(score):
    sheet, of = sheet_of(score), games()["race"].sheet_words
    shown = {name: inside(tap) for name, tap in score.taps().items() if name.startswith("line-")}
    assert shown == {
        f"line-{n}-{line.what}": [render(of.words(line.what), "en"), str(line.points)]
        for n, seat in enumerate(sheet.seats)
        for line in seat.lines
    }


def test_totals_places_and_the_winner_are_there(score):
    words = score.words()
    for seat in sheet_of(score).seats:
        assert str(seat.total) in words
        assert f"{seat.rank}." in words
    assert render(say("score.winner", winner=sheet_of(score).winners[0]), "en") in words


def test_a_line_that_is_touched_says_which_cards_made_it(score):
    sheet, of = sheet_of(score), games()["race"].sheet_words
    n, line = next(
        (n, line) for n, seat in enumerate(sheet.seats) for line in seat.lines if len(line.because) > 1
    )
    score.tap(f"line-{n}-{line.what}")
    for component, points in line.because.items():
        assert f"{points}: {render(of.words(component), 'en')}" in score.app.asked.detail
    measured = next(line for line in sheet.seats[0].lines if line.what == "chips")
    score.tap("choice-0")
    score.tap("line-0-chips")
    assert str(measured.points) in score.app.asked.text


def test_it_builds_up_line_by_line_and_tells_the_winner_last(rehearsal):
    rehearsal.play("race", ("Ania", "Bartek"), seed=3)
    rehearsal.play_until(lambda session: session.over)
    rehearsal.app.go("score")
    screen, sheet = rehearsal.app.screen, sheet_of(rehearsal)
    seen = []
    while screen.growing:
        seen.append([words.text for words in screen._laid._totals.values()])
        screen.tick()
    assert seen[0] == ["0", "0"]
    totals = [words.text for words in screen._laid._totals.values()]
    assert totals == [str(seat.total) for seat in sheet.seats]
    assert totals not in seen[: len(seen) // 2]


def test_a_touch_while_it_builds_up_shows_all_of_it_and_does_nothing_else(rehearsal):
    rehearsal.play("race", ("Ania", "Bartek"), seed=3)
    rehearsal.play_until(lambda session: session.over)
    rehearsal.app.go("score")
    rehearsal.settle()
    assert rehearsal.app.screen.growing
    rehearsal.tap("line-0-chips")
    assert not rehearsal.app.screen.growing
    assert rehearsal.app.asked is None


def test_before_the_end_it_says_that_this_is_not_the_end(rehearsal):
    rehearsal.play("race", ("Ania", "Bartek"), answers=40, seed=3)
    rehearsal.app.go("score")
    rehearsal.app.screen.finish()
    assert "If the play ended now" in rehearsal.words()
    assert not any("wins" in words for words in rehearsal.words())
    assert "tab-pack" not in rehearsal.taps()


def test_even_an_empty_table_has_a_sheet(rehearsal):
    rehearsal.play("race", ("Ania", "Bartek"))
    rehearsal.app.go("score")
    rehearsal.app.screen.finish()
    rehearsal.tap("tab-chart")
    rehearsal.tap("tab-share")
    rehearsal.tap("share-picture")
    assert rehearsal.app.told[1] == "accepted"


def test_the_tie_break_is_told_in_words(rehearsal):
    seats = (
        SeatSheet("Ania", 7, 2, (Line("chips", 7, {}, {"chips": 7}),), (3,)),
        SeatSheet("Bartek", 7, 1, (Line("chips", 7, {}, {"chips": 7}),), (5,)),
    )
    sheet = Sheet("race", seats, ("Bartek",), ("Ania", "Bartek"))
    rehearsal.app.go("score", sheet=sheet)
    rehearsal.app.screen.finish()
    assert render(games()["race"].sheet_words.tie_break(sheet), "en") in rehearsal.words()
    assert "tab-chart" not in rehearsal.taps()


def test_large_words_make_a_block_for_each_seat(score):
    assert score.app.screen._laid.as_table
    lines = [name for name in score.taps() if name.startswith("line-")]
    score.change(text_size=150)
    assert not score.app.screen._laid.as_table
    assert sorted(name for name in score.taps() if name.startswith("line-")) == sorted(lines)


def test_the_growth_ends_with_the_sheet_and_has_every_round(score):
    grown = growth(score.app.desk.session)
    assert grown.points[-1] == tuple(seat.total for seat in sheet_of(score).seats)
    last = score.app.desk.session.game.view(score.app.desk.session.state).round
    assert grown.rounds == tuple(range(last + 1))
    score.tap("tab-chart")
    assert score.app.screen.growth == grown
    assert f"Ania {grown.of(0)[-1]}" in score.words()


def test_the_grid_is_in_steps_people_can_count_in():
    assert [step_for(span, 5) for span in (3, 9, 41, 120, 9000)] == [1, 2, 10, 25, 1800]


def test_it_can_be_taken_away_as_text(score):
    score.tap("tab-share")
    score.tap("share-text")
    (file,) = (score.app.folder / "shared").iterdir()
    assert str(file) in score.app.told[0]
    words = file.read_text(encoding="utf-8")
    for seat in sheet_of(score).seats:
        assert seat.name in words
        assert str(seat.total) in words
        for line in seat.lines:
            assert render(games()["race"].sheet_words.words(line.what), "en") in words


def test_it_can_be_taken_away_as_a_picture_of_the_whole_sheet(score):
    score.tap("tab-share")
    score.tap("share-picture")
    (file,) = (score.app.folder / "shared").iterdir()
    assert file.suffix == ".png"
    picture = cv2.imread(str(file))
    height, width = picture.shape[:2]
    assert width == 1000
    assert height > 48 * max(len(seat.lines) for seat in sheet_of(score).seats)
    assert (
        len({tuple(pixel) for pixel in picture[:90].reshape(-1, 3).tolist()}) > 20
    )  # words, not only panels


def test_a_phone_can_read_the_result(score, tmp_path):
    from vision.decode import Reader

    score.tap("tab-share")
    code = next(part for part in walk(score.app.stage) if isinstance(part, Code))
    for seat in sheet_of(score).seats:
        assert f"{seat.rank}. {seat.name} {seat.total}" in code.words
    score.shoot(tmp_path / "share.png")
    picture = cv2.imread(str(tmp_path / "share.png"))
    assert code.words in [sighting.text for sighting in Reader().read_any(picture)]


def test_a_file_name_holds_nothing_a_stick_cannot():
    assert file_name("race", ("Żaneta", "A/B: C", "..")[:3], 0.0).rpartition("-1970-")[0] == "race"
    name = file_name("race", ("Żaneta", "A/B: C", ".."), 86_400.0 * 365)
    assert name.endswith("-Żaneta-ABC")
    assert not set(name) & set('/\\:*?"<>|. ')


def test_trouble_with_the_folder_is_told(score):
    (score.app.folder / "shared").write_text("in the way")
    score.tap("tab-share")
    score.tap("share-text")
    assert score.app.told[1] == "refused"


def test_packing_away_is_ticked_off(score):
    score.tap("tab-pack")
    todo = score.app.desk.session.game.packing(score.app.desk.session.setup)
    for n, text in enumerate(todo):
        assert render(text, "en") in score.words()
        assert "Everything is packed away. Until next time!" not in score.words()
        score.tap(f"pack-{n}")
    assert "Everything is packed away. Until next time!" in score.words()
