"""Pages for one task: a board that stays open, numbers in a grid, ships before and after, a battle with its odds."""

import pytest

from companion.ui.screens.table.battle_page import OddsBar, SquadView, percent
from companion.ui.screens.table.board_page import Board, BoardCell
from companion.ui.toolkit.geometry import rect, visible, walk
from workshop.screens.checks import problems

pytestmark = pytest.mark.every_game


def asks(wanted):
    return lambda session: any(wanted(q) for q in session.questions())


def parts(rehearsal, kind):
    return [part for part in walk(rehearsal.app.stage) if isinstance(part, kind)]


def question(rehearsal):
    return rehearsal.app.screen.shown_question()


def answered(rehearsal):
    return rehearsal.app.desk.session.last.deed.answer.option


@pytest.fixture
def drawing(rehearsal):
    """Technologies are drawn from the bag."""
    rehearsal.play("eclipse", ("Ania", "Bartek"), seed=3)
    rehearsal.play_until(asks(lambda q: q.slug == "eclipse.technology"))
    return rehearsal


@pytest.fixture
def fighting(rehearsal):
    """Somebody may attack or retreat."""
    rehearsal.play("eclipse", ("Ania", "Bartek"), seed=4)
    rehearsal.play_until(asks(lambda q: q.slug == "eclipse.act"))
    return rehearsal


# A board


def test_the_board_stays_open_and_counts_what_is_touched(drawing):
    total = question(drawing).tally.total
    assert len(parts(drawing, BoardCell)) == 24
    for _ in range(2):
        drawing.tap("option-tech-orbital")
    assert question(drawing).tally.done == 2
    assert question(drawing).option("tech-orbital").picked == 2
    assert f"2/{total}" in drawing.words()
    assert [cell.option.picked for cell in parts(drawing, BoardCell) if cell.option.id == "tech-orbital"] == [
        2
    ]
    assert parts(drawing, Board)


def test_what_was_touched_last_is_taken_back_by_its_name(drawing):
    assert "undo-last" not in drawing.taps()
    drawing.tap("option-tech-orbital")
    drawing.tap("option-tech-monolith")
    assert "Monolith" in [part.text for part in walk(drawing.taps()["undo-last"]) if hasattr(part, "text")]
    drawing.tap("undo-last")
    assert question(drawing).option("tech-monolith").picked == 0
    assert question(drawing).option("tech-orbital").picked == 1


def test_the_same_tile_touched_twice_quickly_counts_twice(drawing):
    tile = drawing.taps()["option-tech-orbital"]
    at = drawing.middle(tile)
    drawing.touch(*at)
    drawing.settle()
    drawing.touch(*at, twice=True)
    drawing.settle()
    assert question(drawing).tally.done == 2


def test_a_board_stands_as_it_is_printed(drawing):
    by_cell = {}
    for option in question(drawing).options:
        left, low, _, _ = rect(drawing.taps()[f"option-{option.id}"])
        by_cell[option.cell] = (round(left), round(low))
    for (row, column), (left, low) in by_cell.items():
        assert left == by_cell[0, column][0]
        assert low == by_cell[row, 0][1]


def test_numbers_of_hexes_are_one_grid_and_one_touch(rehearsal):
    rehearsal.play("eclipse", ("Ania", "Bartek"), seed=3)
    rehearsal.play_until(asks(lambda q: q.slug == "eclipse.turn-up"))
    options = question(rehearsal).options
    numbers = [rehearsal.app.desk.words(option.face.short) for option in options]
    assert set(numbers) <= set(rehearsal.words())
    assert all(visible(rehearsal.taps()[f"option-{option.id}"]) for option in options)
    rehearsal.tap(f"option-{options[2].id}")
    assert answered(rehearsal) == options[2].id


# Ships


def test_a_part_is_taken_and_put_on_a_ship_by_touching_what_it_would_become(rehearsal):
    rehearsal.play("eclipse", ("Ania", "Bartek", "Celina"), seed=8)
    rehearsal.play_until(asks(lambda q: q.slug == "eclipse.upgrade" and any(o.component for o in q.options)))
    part = next(option for option in question(rehearsal).options if option.component is not None)
    rehearsal.tap(f"option-{part.id}")
    asked = question(rehearsal)
    if asked.slug != "eclipse.slot":  # there was only one place for it
        return
    ships = list(dict.fromkeys(option.face.corners[0].symbol for option in asked.options))
    shown = {name for name in rehearsal.taps() if name.startswith("option-")}
    first = {f"option-{o.id}" for o in asked.options if o.face.corners[0].symbol == ships[0]}
    assert shown == first
    if len(ships) > 1:
        rehearsal.tap(f"ship-{ships[1]}")
    last = next(o for o in asked.options if o.face.corners[0].symbol == ships[-1 if len(ships) < 3 else 1])
    rehearsal.tap(f"option-{last.id}")
    assert answered(rehearsal) == last.id


# Battles


def test_a_battle_shows_every_type_of_ship_and_what_it_bears(fighting):
    faces = question(fighting).faces
    assert [part.face for part in parts(fighting, SquadView)] == sorted(
        faces, key=lambda face: face.seat != parts(fighting, SquadView)[0].face.seat
    )


def test_odds_are_a_bar_unless_the_table_switched_them_off(fighting):
    (bar,) = parts(fighting, OddsBar)
    assert sum(share.share for share in bar.shares) == pytest.approx(1)
    assert {percent(share.share) for share in bar.shares} <= set(fighting.words())


def test_what_may_still_happen_is_not_called_certain():
    assert [percent(share) for share in (0, 0.004, 0.38, 0.997, 1)] == ["0%", "<1%", "38%", ">99%", "100%"]


def test_without_odds_there_is_no_bar(rehearsal):
    rehearsal.play("eclipse", ("Ania", "Bartek"), seed=4, odds="hidden")
    rehearsal.play_until(asks(lambda q: q.slug == "eclipse.act"))
    assert parts(rehearsal, SquadView)
    assert not parts(rehearsal, OddsBar)


def test_a_hit_goes_on_the_ship_that_is_touched(rehearsal):
    rehearsal.play("eclipse", ("Ania", "Bartek", "Celina", "Darek"), seed=4)
    rehearsal.play_until(asks(lambda q: q.slug == "eclipse.hit"))
    options = question(rehearsal).options
    targets = [name for name in rehearsal.taps() if name.startswith("target-")]
    assert len(targets) == len({option.face for option in options})
    rehearsal.tap(targets[-1])
    assert f"target-{answered(rehearsal)}" == targets[-1]


@pytest.mark.parametrize("text", [100, 150])
@pytest.mark.parametrize("slug", ["eclipse.technology", "eclipse.turn-up", "eclipse.explore", "eclipse.slot"])
def test_everything_can_be_read_and_touched(rehearsal, tmp_path, slug, text):
    rehearsal.play("eclipse", ("Ania", "Bartek", "Celina"), seed=8)
    rehearsal.play_until(asks(lambda q: q.slug == slug and len(q.options) > 1))
    rehearsal.change(text_size=text, language="pl")
    rehearsal.shoot(tmp_path / "page.png")
    assert problems(rehearsal.app, tmp_path / "page.png") == []
