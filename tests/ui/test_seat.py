"""One seat's place on the screen."""

import pytest

from companion.core.session import Retold
from companion.drawing.strokes import Stamp
from companion.texts import render
from companion.ui.rehearsal.checks import problems
from companion.ui.toolkit.geometry import walk
from companion.ui.toolkit.kit import Words
from companion.ui.toolkit.symbols import Drawn, FaceTap, FaceView

NAMES = ("Ania", "Bartek", "Celina")


@pytest.fixture
def table(rehearsal):
    rehearsal.play("race", NAMES, 60, seed=2)
    return rehearsal


def at_seat(table, seat):
    table.app.home("table")
    table.app.go("seat", seat=seat)
    table.settle()


def test_everything_of_a_seat_is_there(table):
    for seat, name in enumerate(NAMES):
        at_seat(table, seat)
        words = table.words()
        view = table.app.desk.session.game.view(table.app.desk.session.state).seats[seat]
        assert name in words
        assert str(view.points) in words
        assert view.components
        for placed in view.components:
            assert render(placed.name, "en") in words
        for number in view.numbers:
            assert str(number.value) in words
        drawn = [stamp.symbol for stamp in stamps(table)]
        for row in view.sums:
            assert {sign.symbol for sign in row if not sign.dim} <= set(drawn)


def stamps(table):
    parts = [part for part in walk(table.app.stage) if isinstance(part, Drawn)]
    return [stroke for part in parts for stroke in part.laid.strokes if isinstance(stroke, Stamp)]


def test_goods_lie_on_what_they_lie_on(table):
    table.play_until(lambda session: goods(session) is not None)
    seat = goods(table.app.desk.session)
    at_seat(table, seat.seat)
    lying = {placed.component: placed.signs for placed in seat.components if placed.signs}
    assert lying
    shown = {tap.name: tap for tap in walk(table.app.stage) if isinstance(tap, FaceTap)}
    for placed in seat.components:
        view = next(part for part in walk(shown[f"open-{placed.component}"]) if isinstance(part, FaceView))
        assert view.lying == placed.signs


def test_a_card_is_read_by_touching_it(table):
    at_seat(table, 0)
    placed = table.app.desk.session.game.view(table.app.desk.session.state).seats[0].components[0]
    table.tap(f"open-{placed.component}")
    assert table.app.screen.name == "binder"
    assert "Powers" in table.words()
    table.tap("back")
    assert table.app.screen.name == "seat"


def goods(session):
    seats = session.game.view(session.state).seats
    return next((seat for seat in seats if any(placed.signs for placed in seat.components)), None)


@pytest.mark.parametrize("size", [100, 150])
def test_large_numbers_are_whole(table, size):
    """Late in a play a hand has many cards and there are many points: no number is broken or lies on another."""
    table.change(text_size=size)
    for counter, value in (("hand:0", 16), ("chips:0", 24)):
        table.app.desk.correct(counter, value, "Ania")
    at_seat(table, 0)
    table.shoot(table.app.folder / "seat.png")
    assert not problems(table.app, table.app.folder / "seat.png")
    points = str(table.app.desk.session.view.seats[0].points)
    shown = next(part for part in walk(table.app.stage) if isinstance(part, Words) and part.text == points)
    assert shown.natural() <= shown.width + 1


def test_points_can_be_kept_out_of_sight(table):
    table.change(scores=False)
    at_seat(table, 0)
    points = str(table.app.desk.session.game.view(table.app.desk.session.state).seats[0].points)
    numbers = [
        str(n.value) for n in table.app.desk.session.game.view(table.app.desk.session.state).seats[0].numbers
    ]
    assert table.words().count(points) == numbers.count(points)


def test_another_seat_is_a_tap_away_and_the_table_behind(table):
    at_seat(table, 0)
    table.tap("seat-2")
    assert "Celina" in table.words()
    table.tap("back")
    assert table.app.screen.name == "table"


@pytest.mark.parametrize("way", ["correct", "scan"])
def test_ways_from_a_seat(table, way):
    at_seat(table, 1)
    table.tap(way)
    assert table.app.screen.name == way
    table.tap("back")
    assert table.app.screen.name == "seat"
    assert "Bartek" in table.words()


def test_what_a_card_says_is_set_right_for_the_play_that_is_on(table):
    at_seat(table, 0)
    session = table.app.desk.session
    placed = session.game.view(session.state).seats[0].components[0].component
    points = (session.catalogue[placed].points or 0) + 1
    table.tap(f"open-{placed}")
    table.tap("fact-points")
    table.tap(f"value.points-{points}")
    table.tap("keep")
    now = table.app.desk.session
    assert now.catalogue[placed].points == points
    assert isinstance(now.last.deed, Retold)
    found = []
    table.app.desk.clerk.do(lambda _, binder: binder.facts("race"), found.append, found.append)
    table.settle()
    assert found == [{f"{placed}.points": points}]
    table.app.desk.undo()
    table.settle()
    assert table.app.desk.session.catalogue[placed].points == points - 1
