"""One seat's place on the screen."""

import pytest

from companion.texts import capital

NAMES = ("Ania", "Bartek", "Celina")


@pytest.fixture
def table(rehearsal):
    rehearsal.play("race", NAMES, 60, seed=2)
    return rehearsal


def test_everything_of_a_seat_is_there(table):
    for seat, name in enumerate(NAMES):
        table.app.home("table")
        table.settle()
        table.tap(f"seat-{seat}")
        words = table.words()
        view = table.app.desk.session.game.view(table.app.desk.session.state).seats[seat]
        assert name in words
        assert str(view.points) in words
        assert view.components
        for placed in view.components:
            assert placed.name in words
            for badge in placed.badges:
                assert table.app.desk.words(badge) in words
        for number in view.numbers:
            assert capital(table.app.desk.words(number.text)) in words
        for power in view.powers:
            assert "• " + table.app.desk.words(power) in words


def test_goods_lie_on_what_they_lie_on(table):
    table.play_until(lambda session: goods(session) is not None)
    seat = goods(table.app.desk.session)
    table.tap(f"seat-{seat.seat}")
    badges = [table.app.desk.words(b) for placed in seat.components for b in placed.badges]
    for badge in set(badges):
        assert table.words().count(badge) == badges.count(badge)


def goods(session):
    seats = session.game.view(session.state).seats
    return next((seat for seat in seats if any(placed.badges for placed in seat.components)), None)


def test_points_can_be_kept_out_of_sight(table):
    table.change(scores=False)
    table.tap("seat-0")
    points = str(table.app.desk.session.game.view(table.app.desk.session.state).seats[0].points)
    numbers = [
        str(n.value) for n in table.app.desk.session.game.view(table.app.desk.session.state).seats[0].numbers
    ]
    assert table.words().count(points) == numbers.count(points)


def test_another_seat_is_a_tap_away_and_the_table_behind(table):
    table.tap("seat-0")
    table.tap("seat-2")
    assert "Celina" in table.words()
    table.tap("back")
    assert table.app.screen.name == "table"


@pytest.mark.parametrize("way", ["correct", "scan"])
def test_ways_from_a_seat(table, way):
    table.tap("seat-1")
    table.tap(way)
    assert table.app.screen.name == way
    table.tap("back")
    assert table.app.screen.name == "seat"
    assert "Bartek" in table.words()
