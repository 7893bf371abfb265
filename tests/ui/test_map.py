"""The map: what lies where, and what may be done by touching a place."""

import pytest

from companion.core.understand import Sighted, why_not
from companion.core.words import say

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


def test_a_place_out_of_reach_says_why(rehearsal):
    rehearsal.play("eclipse", ("Ania", "Bartek", "Celina"), seed=3)
    rehearsal.play_until(lambda s: any(q.slug == "eclipse.move-to" for q in s.questions()))
    (question,) = rehearsal.app.desk.session.questions()
    reached = {option.component for option in question.options}
    place = next(place for place in view(rehearsal).map if place.component not in reached)
    rehearsal.tap("map")
    drawn = rehearsal.app.screen.map
    rehearsal.touch(*drawn.middle_of(place.q, place.r))
    rehearsal.settle()
    reason = why_not(rehearsal.app.desk.session, Sighted(place.component))
    assert reason.key.startswith("eclipse.why.")
    assert rehearsal.app.desk.words(reason) in rehearsal.words()


def test_where_no_place_is_asked_for_none_is_refused(rehearsal):
    rehearsal.play("eclipse", ("Ania", "Bartek", "Celina"), seed=3)
    rehearsal.play_until(lambda s: any(q.slug == "eclipse.turn" for q in s.questions()))
    place = view(rehearsal).map[0]
    rehearsal.tap("map")
    rehearsal.touch(*rehearsal.app.screen.map.middle_of(place.q, place.r))
    rehearsal.settle()
    assert rehearsal.app.desk.words(say("core.not-asked")) not in rehearsal.words()


def test_a_hex_turned_up_is_put_down_by_touching_where_it_goes(rehearsal):
    rehearsal.play("eclipse", ("Ania", "Bartek"), seed=3)
    rehearsal.play_until(lambda s: any(q.slug == "eclipse.place-hex" for q in s.questions()))
    (question,) = rehearsal.app.desk.session.questions()
    where = question.options[0].place
    rehearsal.tap("map")
    rehearsal.touch(*rehearsal.app.screen.map.middle_of(*map(int, where.split(","))))
    rehearsal.settle()
    rehearsal.tap(f"option-{question.options[0].id}")
    assert where in {place.id for place in view(rehearsal).map}
