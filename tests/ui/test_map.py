"""The map: what lies where; places are touched where they are asked about, hexes are turned, fingers pan it."""

import pytest
from kivy.app import App

from companion.core.hexes import middle, neighbour, turned
from companion.core.understand import Sighted, why_not
from companion.core.words import say
from companion.texts import render
from companion.ui.toolkit.context import TOUCH_CONTEXT
from companion.ui.toolkit.geometry import walk
from companion.ui.toolkit.long_press import HELD
from companion.ui.toolkit.place_map import PlaceMap
from devices.gestures import Pressed
from workshop.screens.checks import problems
from workshop.screens.rehearsal import Finger

pytestmark = pytest.mark.every_game


def asks(slug):
    return lambda session: any(q.slug == slug for q in session.questions())


def drawn(rehearsal):
    return next(part for part in walk(rehearsal.app.stage) if isinstance(part, PlaceMap))


def touch_place(rehearsal, place, twice=False):
    hexes = drawn(rehearsal)
    rehearsal.touch(*hexes.on_screen(*hexes.spots[place]), twice)
    rehearsal.settle()


def hold_place(rehearsal, place):
    """A finger rests on a place; the ring's clock is set by the test."""
    hexes = drawn(rehearsal)
    finger = Finger(*hexes.on_screen(*hexes.spots[place]))
    finger.came = rehearsal._touched = rehearsal._touched + 1.0
    rehearsal._dispatch("begin", finger)
    finger.ud[HELD].held()
    rehearsal._dispatch("end", finger)
    rehearsal.settle()


def question(rehearsal, slug):
    return next(q for q in rehearsal.app.desk.session.questions() if q.slug == slug)


def view(rehearsal):
    session = rehearsal.app.desk.session
    return session.game.view(session.state)


def answered(rehearsal):
    return rehearsal.app.desk.session.last.deed.answer.option


@pytest.fixture
def looking(rehearsal):
    """The map as it is looked at, while something else is asked."""
    rehearsal.play("eclipse", ("Ania", "Bartek"), seed=3)
    rehearsal.play_until(asks("eclipse.turn"))
    rehearsal.tap("map")
    return rehearsal


@pytest.fixture
def exploring(rehearsal):
    """The table itself, when a place is asked for."""
    rehearsal.play("eclipse", ("Ania", "Bartek"), seed=3)
    rehearsal.play_until(asks("eclipse.explore"))
    return rehearsal


@pytest.fixture
def laying(rehearsal):
    """A hex that may be turned several ways, not all of them."""
    rehearsal.play("eclipse", ("Ania", "Bartek"), seed=3)
    rehearsal.play_until(
        lambda s: any(q.slug == "eclipse.place-hex" and 3 <= len(q.options) <= 6 for q in s.questions())
    )
    return rehearsal


def test_a_game_without_a_map_offers_none(rehearsal):
    rehearsal.play("race", ("Ania", "Bartek"))
    assert "map" not in rehearsal.taps()


def test_every_place_is_where_a_finger_finds_it(looking):
    hexes = drawn(looking)
    for place in view(looking).maps[0].places:
        assert hexes.place_at(*hexes.on_screen(place.x, place.y)) == place.id


def test_a_touch_tells_what_lies_there(looking):
    place = view(looking).maps[0].places[-1]
    touch_place(looking, place.id)
    assert any(render(place.name, "en") in words for words in looking.words())
    for note in place.notes:
        assert looking.app.desk.words(note) in looking.words()


def test_the_legend_is_behind_a_question_mark_and_names_every_sign(looking):
    assert not any("interceptor" in words for words in looking.words())
    looking.tap("legend")
    assert "interceptor" in looking.words()
    assert len(looking.words()) >= len(view(looking).maps[0].legend)


def test_a_larger_map_keeps_what_is_in_the_middle(looking):
    sight = looking.app.screen.sight
    sight.x = 100.0
    looking.tap("larger")
    assert sight.scale > 1
    assert sight.x == pytest.approx(100 * sight.scale)
    for _ in range(20):
        looking.tap("smaller")
    assert sight.scale == 0.5


def test_a_question_about_places_is_the_map_and_one_touch_answers(exploring):
    asked = question(exploring, "eclipse.explore")
    places = {option.place for option in asked.options if option.place is not None}
    assert drawn(exploring).offered == places == set(drawn(exploring).free)
    wished = sorted(places)[0]
    touch_place(exploring, wished)
    assert answered(exploring) == wished


def test_all_that_is_offered_is_in_sight_as_a_whole(exploring):
    hexes = drawn(exploring)
    size = hexes.radius
    for place in hexes.offered:
        x, y = hexes.on_screen(*hexes.spots[place])
        assert hexes.x <= x - size * 0.95
        assert x + size * 0.95 <= hexes.right
        assert hexes.y <= y - size * 0.85
        assert y + size * 0.85 <= hexes.top


def test_what_is_no_place_is_a_button_beside_the_map(exploring):
    exploring.tap("option-done")
    assert answered(exploring) == "done"


def test_a_place_out_of_reach_says_why(rehearsal):
    rehearsal.play("eclipse", ("Ania", "Bartek", "Celina"), seed=3)
    rehearsal.play_until(
        lambda s: any(q.slug == "eclipse.move-to" and len(q.options) > 1 for q in s.questions())
    )
    (asked,) = rehearsal.app.desk.session.questions()
    reached = {option.place for option in asked.options}
    hexes = drawn(rehearsal)
    size = hexes.radius
    place = next(
        place
        for place in view(rehearsal).maps[0].places
        if place.id not in reached
        and hexes.x + size < hexes.on_screen(place.x, place.y)[0] < hexes.right - size
        and hexes.y + size < hexes.on_screen(place.x, place.y)[1] < hexes.top - size
    )
    entries = rehearsal.app.desk.session.entries
    touch_place(rehearsal, place.id)
    reason = why_not(rehearsal.app.desk.session, Sighted(place.component))
    assert reason.key.startswith("eclipse.why.")
    assert rehearsal.app.desk.words(reason) in rehearsal.words()
    assert rehearsal.app.desk.session.entries == entries


def test_where_several_things_are_possible_at_a_place_they_stand_beside_the_map(rehearsal):
    def several(session):
        for q in session.questions():
            places = [option.place for option in q.options if option.place is not None]
            if (
                q.slug == "eclipse.move"
                and len(places) > len(set(places))
                and 2 * len(places) > len(q.options)
            ):
                return True
        return False

    rehearsal.play("eclipse", ("Ania", "Bartek", "Celina"), seed=9)
    rehearsal.play_until(several)
    asked = question(rehearsal, "eclipse.move")
    places = [option.place for option in asked.options if option.place is not None]
    place = next(place for place in places if places.count(place) > 1)
    touch_place(rehearsal, place)
    here = [option.id for option in asked.options if option.place == place]
    assert set(here) <= {name.removeprefix("option-") for name in rehearsal.taps()}
    rehearsal.tap(f"option-{here[1]}")
    assert answered(rehearsal) == here[1]


def test_each_touch_turns_a_hex_and_only_a_legal_turn_can_be_laid(laying):
    asked = question(laying, "eclipse.place-hex")
    legal = {option.turn: option for option in asked.options if option.turn is not None}
    place = next(iter(legal.values())).place
    first = laying.app.screen.atlas.turn
    assert first in legal
    seen = []
    for n in range(6):
        turn = (first + n) % 6
        assert laying.app.screen.atlas.turn == turn
        assert (laying.taps()["lay"].on_tap is not None) == (turn in legal)
        if turn in legal:
            assert drawn(laying).laying.edges == legal[turn].face.edges
        seen.append(turn)
        touch_place(laying, place)
    assert sorted(seen) == list(range(6))
    last = sorted(legal)[-1]
    while laying.app.screen.atlas.turn != last:
        laying.tap("turn")
    laying.tap("lay")
    assert answered(laying) == legal[last].id


def test_a_turn_that_is_not_legal_answers_nothing(laying):
    asked = question(laying, "eclipse.place-hex")
    legal = {option.turn for option in asked.options if option.turn is not None}
    while laying.app.screen.atlas.turn in legal:
        laying.tap("turn")
    entries = laying.app.desk.session.entries
    laying.tap("lay")
    assert laying.app.desk.session.entries == entries


def test_a_hex_is_discarded_with_a_button(laying):
    laying.tap("option-discard")
    assert answered(laying) == "discard"


def test_a_double_touch_beside_what_is_offered_fits_the_map_again(exploring):
    sight = drawn(exploring).sight
    fitted = drawn(exploring).radius
    sight.zoom(2)
    sight.x = sight.y = 30
    drawn(exploring).draw()
    hexes = drawn(exploring)
    corner = (hexes.x + 3, hexes.top - 3)
    if hexes.place_at(*corner) in hexes.offered:
        corner = (hexes.x + 3, hexes.y + 3)
    exploring.touch(*corner)
    exploring.touch(*corner, twice=True)
    assert (sight.scale, sight.x, sight.y) == (1.0, 0.0, 0.0)
    assert drawn(exploring).radius == fitted


class Fingers:
    """Fingers on the map, moved one after another."""

    def __init__(self, hexes):
        self.hexes, self.down = hexes, {}

    def press(self, uid, x, y):
        self.down[uid] = touch = Touch(uid, x, y)
        assert self.hexes.on_touch_down(touch)

    def move(self, uid, x, y):
        touch = self.down[uid]
        touch.pos, touch.x, touch.y, touch.grab_current = (x, y), x, y, self.hexes
        self.hexes.on_touch_move(touch)

    def lift(self, uid):
        touch = self.down.pop(uid)
        touch.grab_current = self.hexes
        self.hexes.on_touch_up(touch)


class Touch:
    """One finger."""

    def __init__(self, uid, x, y):
        self.uid, self.pos, self.x, self.y, self.grab_current = uid, (x, y), x, y, None
        self.ud = {TOUCH_CONTEXT: App.get_running_app()}
        self.sx = self.sy = 0.5
        self.came = 0.0

    def grab(self, part):
        self.grab_current = part

    def ungrab(self, part):
        self.grab_current = None


def test_two_fingers_make_it_larger_where_they_are_and_answer_nothing(exploring):
    hexes = drawn(exploring)
    place = sorted(hexes.offered)[0]
    entries = exploring.app.desk.session.entries
    x, y = hexes.on_screen(*hexes.spots[place])
    fingers = Fingers(hexes)
    fingers.press(1, x - 20, y)
    fingers.press(2, x + 20, y)
    fingers.move(1, x - 40, y)
    fingers.move(2, x + 40, y)
    assert hexes.sight.scale == pytest.approx(2)
    assert hexes.on_screen(*hexes.spots[place]) == pytest.approx((x, y), abs=1)
    fingers.lift(1)
    fingers.lift(2)
    exploring.settle()
    assert exploring.app.desk.session.entries == entries


def test_a_finger_that_draws_moves_the_map_and_answers_nothing(exploring):
    hexes = drawn(exploring)
    place = sorted(hexes.offered)[0]
    entries = exploring.app.desk.session.entries
    x, y = hexes.on_screen(*hexes.spots[place])
    fingers = Fingers(hexes)
    fingers.press(1, x, y)
    fingers.move(1, x + 60, y + 10)
    assert hexes.on_screen(*hexes.spots[place]) == pytest.approx((x + 60, y + 10))
    fingers.lift(1)
    exploring.settle()
    assert exploring.app.desk.session.entries == entries


def test_a_hex_turned_six_times_is_as_it_was():
    edges = (True, False, True, True, False, False)
    assert turned(edges, 6) == edges
    assert turned(edges, 1) == (False, True, False, True, True, False)
    for n in range(6):
        assert neighbour(neighbour((4, 7), n), n + 3) == pytest.approx((4, 7))
    assert neighbour(middle(2, -1), 1) == pytest.approx(middle(3, -2))


def test_a_map_that_is_taken_back_leads_to_the_table(rehearsal):
    """The table's button takes back what told the map while somebody looks at it: there is nothing left to show."""
    rehearsal.play("transgalactica", ("Ania", "Bartek"), seed=2)
    while "map" not in rehearsal.taps():
        rehearsal.play_on(1)
    rehearsal.tap("map")
    while view(rehearsal).maps:
        rehearsal.app.buttons.act("undo", Pressed(0.0))
        rehearsal.settle()
    assert rehearsal.screen.name == "table"


@pytest.mark.parametrize("language", ["en", "pl"])
def test_the_way_to_each_map_is_whole_with_large_letters(rehearsal, language):
    """Also beside the description of a place."""
    rehearsal.change(language=language, text_size=150)
    rehearsal.play("beyond", ("Ania", "Bartek"), answers=12, seed=2)
    rehearsal.tap("map")
    rehearsal.screen.chosen = view(rehearsal).maps[0].places[1].id
    rehearsal.app.refresh()
    rehearsal.shoot(rehearsal.app.folder / "map.png")
    assert not problems(rehearsal.app, rehearsal.app.folder / "map.png")


def test_an_empty_table_has_no_map_to_look_at(rehearsal):
    """Before the first hex lies there the map would be an empty page."""
    rehearsal.play("eclipse", ("Ania", "Bartek"), seed=3)
    assert not any(map.places for map in view(rehearsal).maps)
    assert "map" not in rehearsal.taps()
    rehearsal.play_until(lambda session: any(map.places for map in session.view.maps))
    assert "map" in rehearsal.taps()


def test_what_is_told_beside_a_map_is_told_once(exploring):
    exploring.app.tell(say("ui.got-it"))
    exploring.settle()
    assert exploring.words().count(exploring.app.message[0]) == 1


def test_holding_a_hex_shows_it_large(looking):
    """Also where it is only looked at; the place is not chosen by that."""
    place = drawn(looking).places[0]
    hold_place(looking, place.id)
    assert looking.app.front.sheet.component == place.component
    assert looking.screen.chosen is None


def test_holding_an_offered_place_answers_nothing(rehearsal):
    rehearsal.play("eclipse", ("Ania", "Bartek"), seed=3)
    rehearsal.play_until(
        lambda session: (
            any(o.place in session.state.map for q in session.questions() for o in q.options if o.place)
            and not session.questions()[0].slug.startswith("eclipse.explore")
        )
    )
    hexes, entries = drawn(rehearsal), rehearsal.app.desk.session.entries
    place = next(id for id in hexes.offered if id in hexes.shapes)
    hold_place(rehearsal, place)
    assert rehearsal.app.front.sheet is not None
    assert rehearsal.app.desk.session.entries == entries
