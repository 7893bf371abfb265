"""The map: what lies where, and what may be done by touching a place."""

import pytest

pytestmark = pytest.mark.every_game


@pytest.fixture
def exploring(rehearsal):
    rehearsal.play("eclipse", ("Ania", "Bartek"), seed=3)
    rehearsal.play_until(lambda s: any(q.slug == "eclipse.explore" for q in s.questions()))
    rehearsal.tap("map")
    return rehearsal


def view(rehearsal):
    session = rehearsal.app.desk.session
    return session.game.view(session.state)


def test_a_game_without_a_map_offers_none(rehearsal):
    rehearsal.play("race", ("Ania", "Bartek"))
    assert "map" not in rehearsal.taps()


def test_every_place_is_where_a_finger_finds_it(exploring):
    drawn = exploring.app.screen.map
    for place in view(exploring).map:
        assert drawn.place_at(*drawn.middle_of(place.q, place.r)) == place.id


def test_a_touch_tells_what_lies_there(exploring):
    drawn, place = exploring.app.screen.map, view(exploring).map[-1]
    exploring.touch(*drawn.middle_of(place.q, place.r))
    exploring.settle()
    assert any(place.name in words for words in exploring.words())
    for note in place.notes:
        assert exploring.app.desk.words(note) in exploring.words()


def test_only_possible_places_are_offered_and_a_tap_explores_one(exploring):
    question = next(q for q in exploring.app.desk.session.questions() if q.slug == "eclipse.explore")
    places = {option.place for option in question.options if option.place is not None}
    drawn = exploring.app.screen.map
    assert set(drawn.free) == places
    wished = sorted(places)[0]
    exploring.touch(*drawn.middle_of(*map(int, wished.split(","))))
    exploring.settle()
    exploring.tap(f"option-{wished}")
    assert exploring.app.desk.session.last.deed.answer.option == wished


def test_a_larger_map_keeps_what_is_in_the_middle(exploring):
    sight = exploring.app.screen.sight
    sight.x = 100.0
    exploring.tap("larger")
    assert sight.scale > 1
    assert sight.x == pytest.approx(100 * sight.scale)
    for _ in range(20):
        exploring.tap("smaller")
    assert sight.scale == 0.5
