"""Score: the sheet of the core, line by line, with its reasons, its tie-break and its growth."""

import threading

import cv2
import pytest

from companion.core.autoplay import play
from companion.core.faces import Sign
from companion.core.game import Setup, games
from companion.drawing.charts import step_for
from companion.results.growth import growth
from companion.results.sheets import gathered
from companion.results.winning_margin import decided
from companion.texts import render
from companion.ui.guide import Guide
from companion.ui.screens.score import screen as score_screen
from companion.ui.screens.score import sheet_view
from companion.ui.screens.score.ceremony import REST, Count, counted, shared_lines, sign_of
from companion.ui.screens.score.share import file_name
from companion.ui.screens.score.sheet_view import NONE, ColumnName, SheetView, WinnersCrown, rows_of
from companion.ui.toolkit.geometry import walk
from companion.ui.toolkit.kit import Icon, Words
from companion.ui.toolkit.qr_code import Code
from companion.ui.toolkit.symbols import FaceView
from scoring.sheet import Line, SeatSheet, Sheet
from workshop.screens.checks import layout_faults, problems


@pytest.fixture
def score(rehearsal):
    rehearsal.change(moments=True)
    rehearsal.play("race", ("Ania", "Bartek", "Celina"), seed=3)
    rehearsal.play_until(lambda session: session.over)
    rehearsal.app.go("score")
    rehearsal.app.screen.finish()
    rehearsal.settle_beside()
    return rehearsal


def sheet_of(rehearsal):
    return rehearsal.app.desk.session.game.sheet(rehearsal.app.desk.session.state)


def test_the_sheet_is_one_table_with_a_column_for_each_seat(score):
    score.tap("tab-sheet")
    sheet, of = gathered(sheet_of(score)), games()["race"].sheet_words
    words = score.words()
    for row in rows_of(sheet_of(score), "en"):
        assert words.count(row.words) == 1
        at = words.index(row.words)
        points = [
            next((str(line.points) for line in seat.lines if line.what == row.what), NONE)
            for seat in sheet.seats
        ]
        assert words[at + 1 : at + 4] == points, render(of.words(row.what), "en")


def test_alike_cards_are_added_up_and_nothing_is_lost(score):
    whole, table = sheet_of(score), gathered(sheet_of(score))
    for seat, row in zip(whole.seats, table.seats, strict=True):
        assert sum(line.points for line in row.lines) == seat.total
        sums = [line for line in row.lines if line.what in ("world", "development")]
        made = {what: points for line in sums for what, points in line.because.items()}
        alike = {line.what: line.points for line in seat.lines if games()["race"].sheet_words.sort(line.what)}
        assert alike
        assert alike.items() <= made.items()


def test_totals_and_the_winner_are_there(score):
    words = score.words()
    for seat in sheet_of(score).seats:
        assert str(seat.total) in words
        assert seat.name.upper() in words
    assert render(decided(sheet_of(score)), "en") in words


def test_the_winner_is_read_from_the_next_room(score):
    """The winner's name and total are by far the largest words of the page."""
    sizes = {}
    for part in walk(score.app.stage):
        if isinstance(part, Words):
            sizes.setdefault(part.text, []).append(part.font_size)
    winner = next(seat for seat in sheet_of(score).seats if seat.rank == 1)
    assert max(sizes[winner.name.upper()]) >= 80
    assert max(sizes[str(winner.total)]) >= 90


@pytest.mark.every_game
def test_no_bar_covers_a_total(rehearsal):
    """Also of a seat with many small parts, each of which must be wide enough for its number."""
    kinds = ("level-1", "level-2", "level-3", "private", "level-4", "automation")
    kinds += ("systems", "bases", "open-space", "events", "achievements")
    many = tuple(Line(what, 1 + n % 3) for n, what in enumerate(kinds))
    few = tuple(Line(what, 0 if n else 40) for n, what in enumerate(kinds))
    seats = (
        SeatSheet("Ania", 40, 1, few),
        SeatSheet("Bartek", sum(line.points for line in many), 2, many),
    )
    rehearsal.app.go("score", sheet=Sheet("beyond", seats, ("Ania",)))
    rehearsal.settle()
    rehearsal.app.screen.finish()
    rehearsal.tap("tab-result")
    for bar in rehearsal.app.screen._bars:
        left, _, room, _ = bar.bar
        assert bar.drawn <= room + 1
        assert left + bar.drawn <= bar.total.x
    assert max(bar.drawn for bar in rehearsal.app.screen._bars) > 0.95 * room, "the longest fills its room"


@pytest.mark.every_game
def test_every_line_of_every_sheet_has_a_symbol(rehearsal):
    for game in games().values():
        *_, (state, _) = play(game, Setup(game.id, ("A", "B", "C")), 1)
        for what in shared_lines(game.sheet(state)):
            assert sign_of(game, what) != REST, f"{game.id}: {what}"


def test_the_columns_of_the_sheet_use_the_width(score):
    view = SheetView(score.app.screen, games()["race"], 800)
    names, *seats = view.shares
    assert min(seats) > 120
    assert names < 400


@pytest.mark.parametrize("text", [100, 150])
def test_every_column_of_the_sheet_names_its_seat_and_the_leader_has_a_crown(rehearsal, monkeypatch, text):
    rehearsal.change(text_size=text, language="pl")
    rehearsal.play(
        "race", ("Aleksandra Maria", "Bartłomiej", "Bartosz", "Aleksandra Ewa"), answers=40, seed=3
    )
    rehearsal.app.go("score")
    rehearsal.settle()
    assert layout_faults(rehearsal.app) == []
    parts = list(walk(rehearsal.app.stage))
    assert len({part.text for part in parts if isinstance(part, ColumnName)}) == 4
    assert any(isinstance(part, WinnersCrown) for part in parts)
    monkeypatch.setattr(sheet_view, "WinnersCrown", Icon)
    rehearsal.app.refresh()
    for part in walk(rehearsal.app.stage):
        if isinstance(part, ColumnName):
            part.text = "Al"
    assert {fault.kind for fault in layout_faults(rehearsal.app)} == {"out of sight", "alike"}


def test_a_line_that_is_touched_opens_its_reasons_and_hides_them_again(score):
    score.tap("tab-sheet")
    seat, of = sheet_of(score).seats[0], games()["race"].sheet_words
    world = next(line for line in seat.lines if of.sort(line.what) == "world")
    name = render(of.words(world.what), "en")

    def told():
        faces = [part for part in walk(score.app.stage) if isinstance(part, FaceView) and part.text == name]
        return any(face.lying == (Sign("points", str(world.points)),) for face in faces)

    assert not told()
    score.tap("line-world")
    assert told()
    score.tap("line-world")
    assert not told()
    score.tap("reasons")
    assert told()
    score.tap("reasons")
    assert not told()


def over(rehearsal, *names, moments=True):
    rehearsal.change(moments=moments)
    rehearsal.play("race", names, seed=3)
    rehearsal.play_until(lambda session: session.over)


def test_seats_are_counted_up_from_the_last_to_the_first_and_the_winner_comes_last(rehearsal):
    over(rehearsal, "Ania", "Bartek", "Celina")
    rehearsal.app.go("score")
    screen, sheet = rehearsal.app.screen, sheet_of(rehearsal)
    winner = render(decided(sheet), "en")
    full = [0] * 3
    began, step = [], 0
    while screen.counting:
        assert winner not in rehearsal.words()
        for n, parts in enumerate(bar.parts for bar in screen._bars):
            if parts and n not in began:
                began.append(n)
            full[n] = parts
        screen.tick()
        step += 1
        assert step < 200
    assert [sheet.seats[n].rank for n in began] == [3, 2, 1]
    assert winner in rehearsal.words()
    assert [bar.total.text for bar in screen._bars] == [str(seat.total) for seat in sheet.seats]


def test_the_count_takes_each_part_once_and_ends():
    one = SeatSheet("Ania", 5, 2, (Line("chips", 5, {}, {"chips": 5}),))
    two = SeatSheet(
        "Bartek", 7, 1, (Line("chips", 4, {}, {"chips": 4}), Line("gem-world", 3, {"gem-world": 3}))
    )
    sheet = Sheet("race", (one, two), ("Bartek",))
    seen = [counted(sheet, step) for step in range(10)]
    assert [count.parts for count in seen] == sorted(count.parts for count in seen)
    assert seen[0] == Count((0, 0), False)
    assert seen[2] == Count((1, 0), False)
    assert seen[-1] == Count((1, 2), True)


def test_a_touch_while_it_counts_tells_the_winner_and_does_nothing_else(rehearsal):
    over(rehearsal, "Ania", "Bartek")
    rehearsal.app.go("score")
    rehearsal.settle()
    screen = rehearsal.app.screen
    assert screen.counting
    rehearsal.tap("back")
    assert not screen.counting
    assert rehearsal.app.screen is screen


def test_without_moments_the_sheet_is_shown_at_once(rehearsal):
    over(rehearsal, "Ania", "Bartek", moments=False)
    rehearsal.app.go("score")
    assert not rehearsal.app.screen.counting
    assert "line-world" in rehearsal.taps()


def test_the_same_people_play_again(score):
    score.tap("again")
    assert [person.name for person in score.app.screen.people] == ["Ania", "Bartek", "Celina"]


def test_after_a_demonstration_nobody_is_asked_to_play_again(score):
    app = score.app
    app.guide = Guide(app, lambda: None, app.home)
    app.refresh()
    assert "tab-sheet" in score.taps()
    assert "again" not in score.taps()


def test_before_the_end_it_says_that_this_is_not_the_end(rehearsal):
    rehearsal.play("race", ("Ania", "Bartek"), answers=40, seed=3)
    rehearsal.app.go("score")
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
    assert rehearsal.app.message[1] == "accepted"


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


@pytest.mark.parametrize("size", [80, 100, 150])
def test_it_is_one_table_whatever_the_size_of_words(score, size):
    score.tap("tab-sheet")
    score.change(text_size=size)
    rows = [row.words for row in rows_of(sheet_of(score), "en")]
    assert [words for words in score.words() if words in rows] == rows


def test_the_growth_ends_with_the_sheet_and_has_every_round(score):
    grown = growth(score.app.desk.session)
    assert grown.points[-1] == tuple(seat.total for seat in sheet_of(score).seats)
    last = score.app.desk.session.game.view(score.app.desk.session.state).round
    assert grown.rounds == tuple(range(1, last + 1)), "before the first round nobody has played"
    score.tap("tab-chart")
    assert score.app.screen.growth == grown
    assert f"Ania {grown.of(0)[-1]}" in score.words()


def test_what_is_to_be_written_does_not_wait_for_the_growth(score, monkeypatch):
    threads = []

    def watched(session):
        threads.append(threading.current_thread().name)
        return growth(session)

    monkeypatch.setattr(score_screen, "growth", watched)
    score.app.go("score")
    score.settle_beside()
    assert threads == ["thread pool"]


def test_the_grid_is_in_steps_people_can_count_in():
    assert [step_for(span, 5) for span in (3, 9, 41, 120, 9000)] == [1, 2, 10, 25, 1800]


def test_it_can_be_taken_away_as_text(score):
    score.tap("tab-share")
    score.tap("share-text")
    (file,) = (score.app.folder / "shared").iterdir()
    assert str(file) in score.app.message[0]
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
    assert height > 40 * len(rows_of(sheet_of(score), "en"))
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
    assert score.app.message[1] == "refused"


def test_packing_away_is_ticked_off(score):
    score.tap("tab-pack")
    todo = score.app.desk.session.game.packing(score.app.desk.session.setup)
    for n, text in enumerate(todo):
        assert render(text, "en") in score.words()
        assert "Everything is packed away. Until next time!" not in score.words()
        score.tap(f"pack-{n}")
    assert "Everything is packed away. Until next time!" in score.words()


def test_the_table_of_points_has_room_with_large_letters_while_a_play_goes_on(rehearsal):
    """The long title of points so far becomes smaller rather than taking a second line from what people came for."""
    rehearsal.change(language="pl", text_size=150)
    rehearsal.play("race", ("Ania", "Bartek"), answers=20, seed=2)
    rehearsal.app.go("score")
    rehearsal.settle()
    rehearsal.tap("tab-sheet")
    picture = rehearsal.app.folder / "score.png"
    rehearsal.shoot(picture)
    assert not problems(rehearsal.app, picture)
