"""A seat's view and a card's view, opened over the current page."""

import pytest

from companion.core.entries import FactCorrected
from companion.drawing.strokes import Stamp
from companion.table.settings import Person
from companion.texts import render
from companion.ui.screens.table.band import SeatName
from companion.ui.toolkit.geometry import rect, walk
from companion.ui.toolkit.kit import Words
from companion.ui.toolkit.layout import Scroll
from companion.ui.toolkit.long_press import FRAME, HELD, HOLD, LongPress
from companion.ui.toolkit.symbols import Drawn, FaceView, SignRow
from companion.ui.toolkit.tiles import Tile
from workshop.screens.checks import problems
from workshop.screens.rehearsal import Finger

NAMES = ("Ania", "Bartek", "Celina")


@pytest.fixture
def table(rehearsal):
    rehearsal.play("race", NAMES, 60, seed=2)
    return rehearsal


def at_seat(table, seat):
    table.app.home("table")
    table.settle()
    table.tap(f"seat-{seat}")
    assert table.app.front.sheet.seat == seat


def test_everything_of_a_seat_is_there(table):
    for seat, name in enumerate(NAMES):
        at_seat(table, seat)
        words = table.words()
        view = table.app.desk.session.game.view(table.app.desk.session.state).seats[seat]
        assert name.upper() in words
        assert str(view.points) in words
        assert view.components
        for placed in view.components:
            assert render(placed.name, "en") in words
        numbers = [str(number.value) for number in view.numbers]
        assert " ".join(numbers) in words or set(numbers) <= set(words)
        drawn = [stamp.symbol for stamp in stamps(table)]
        for row in view.sums if not view.powers else ():
            assert {sign.symbol for sign in row if not sign.dim} <= set(drawn)
        for power in view.powers:
            assert "• " + render(power, "en") in words


def stamps(table):
    parts = [part for part in walk(table.app.stage) if isinstance(part, Drawn)]
    return [stroke for part in parts for stroke in part.laid.strokes if isinstance(stroke, Stamp)]


def test_goods_lie_on_what_they_lie_on(table):
    table.play_until(lambda session: goods(session) is not None)
    seat = goods(table.app.desk.session)
    at_seat(table, seat.seat)
    lying = {placed.component: placed.signs for placed in seat.components if placed.signs}
    assert lying
    shown = {tap.name: tap for tap in walk(table.app.stage) if isinstance(tap, Tile)}
    for placed in seat.components:
        view = next(part for part in walk(shown[f"open-{placed.component}"]) if isinstance(part, FaceView))
        assert view.lying == placed.signs


def test_a_card_is_read_by_touching_it(table):
    at_seat(table, 0)
    placed = table.app.desk.session.game.view(table.app.desk.session.state).seats[0].components[0]
    table.tap(f"open-{placed.component}")
    assert "Powers" in table.words()
    table.tap("close-card")
    assert table.app.front.sheet.seat == 0
    table.tap("close-seat")
    assert table.app.front.sheet is None
    assert table.app.screen.name == "table"


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
    table.tap("look-2")
    assert table.app.front.sheet.seat == 2
    table.tap("close-seat")
    assert table.app.front.sheet is None


def test_seats_keep_their_places_whichever_is_looked_at(table):
    at_seat(table, 0)
    taps = [f"look-{seat}" for seat in range(len(table.app.desk.session.setup.seats))]
    places = [rect(table.taps()[name]) for name in taps]
    for name in taps:
        table.tap(name)
        assert table.app.front.sheet.seat == taps.index(name)
        assert [rect(table.taps()[one]) for one in taps] == places


def test_a_touch_beside_everything_closes_a_seat(table):
    at_seat(table, 0)
    table.touch(400, 14)
    table.settle()
    assert table.app.front.sheet is None


def test_a_seat_is_corrected_from_its_sheet(table):
    at_seat(table, 1)
    table.tap("correct")
    table.tap("by-0")
    assert (table.screen.name, table.screen.who, table.screen.seat) == ("correct", 0, 1)
    table.tap("back")
    assert (table.screen.name, table.app.front.sheet) == ("table", None)


def test_a_seat_makes_way_when_its_turn_comes(table):
    table.play_until(lambda session: len(session.questions()) == 1)
    asked = table.app.desk.session.questions()[0].seat
    other = next(seat for seat in range(3) if seat != asked)
    table.app.front.peek(other)
    table.settle()
    while not table.app.desk.session.view.seats[other].waiting:
        assert table.app.front.sheet is not None
        table.play_on()
    assert table.app.front.sheet is None


@pytest.mark.every_game
@pytest.mark.parametrize(
    ("game", "slug"),
    [
        ("race", "race.place"),
        ("race", "race.action"),
        ("eclipse", "eclipse.act"),
        ("eclipse", "eclipse.explore"),
        ("beyond", "core.fact"),
        ("transgalactica", "core.fact"),
        ("frontiers", "frontiers.take-world"),
    ],
)
def test_a_seat_is_looked_at_from_every_page(rehearsal, game, slug):
    """The page stays the very same: whatever was begun on it is still there."""
    rehearsal.play(game, NAMES, seed=2)
    rehearsal.play_until(lambda session: any(q.slug == slug for q in session.questions()))
    taps = [name for name in rehearsal.taps() if name.startswith(("seat-", "look-at-seats"))]
    assert taps
    page = rehearsal.app.stage.children[-1]
    rehearsal.tap(taps[0])
    assert rehearsal.app.front.sheet is not None
    rehearsal.tap("close-seat")
    assert rehearsal.app.front.sheet is None
    assert rehearsal.app.stage.children[-1] is page


def test_what_several_began_to_tell_stays_while_a_seat_is_looked_at(rehearsal):
    rehearsal.play("race", NAMES, answers=20, seed=4)
    rehearsal.play_until(lambda s: all(q.slug == "race.action" for q in s.questions()))
    rehearsal.tap("option-develop-0")
    told = dict(rehearsal.screen.drafts.told)
    assert told
    rehearsal.tap("seat-2")
    rehearsal.tap("close-seat")
    assert rehearsal.screen.drafts.told == told


def test_the_heads_of_seats_tell_hand_military_and_goods(rehearsal):
    rehearsal.play("race", ("Małgorzata", "Krzysztof", "Aleksandra", "Bartłomiej"), answers=50, seed=4)
    rehearsal.play_until(lambda s: any(q.slug == "race.place" and len(q.options) > 12 for q in s.questions()))
    for seat in rehearsal.app.desk.session.view.seats:
        head = rehearsal.taps()[f"seat-{seat.seat}"]
        shown = " ".join(part.text for part in walk(head) if isinstance(part, SignRow))
        assert shown == " ".join(sign.value for sign in seat.in_brief)
        assert seat.name in [part.text for part in walk(head) if isinstance(part, SeatName)]


# LongPress


def hold(rehearsal, name, seconds=HOLD):
    """A finger rests on something; the ring's clock is set by the test."""
    rehearsal.reveal(rehearsal.taps()[name])
    part = rehearsal.taps()[name]
    rehearsal._touched += 4
    finger = Finger(*rehearsal.middle(part))
    finger.came = rehearsal._touched
    rehearsal._dispatch("begin", finger)
    if seconds >= HOLD:
        if HELD not in finger.ud:  # a list waits for three frames whether it is scrolled
            rehearsal.frames(4)
            next(above for above in part.walk_reverse() if isinstance(above, Scroll))._change_touch_mode()
        finger.ud[HELD].held()
    rehearsal._dispatch("end", finger)
    rehearsal.settle()


def test_holding_an_option_shows_its_card_and_chooses_nothing(rehearsal):
    rehearsal.play("race", NAMES, answers=50, seed=4)
    rehearsal.play_until(lambda s: all(q.slug == "race.place" for q in s.questions()))
    before, drafts = rehearsal.app.desk.session.entries, dict(rehearsal.screen.drafts.told)
    name = next(name for name in rehearsal.taps() if name.startswith("option-") and name != "option-pass")
    hold(rehearsal, name)
    assert rehearsal.app.front.sheet.component == name.removeprefix("option-")
    assert "Cost" in rehearsal.words()
    rehearsal.tap("close-card")
    assert (rehearsal.app.desk.session.entries, rehearsal.screen.drafts.told) == (before, drafts)
    hold(rehearsal, name, 0.1)
    assert rehearsal.app.front.sheet is None
    assert rehearsal.screen.drafts.told != drafts, "a short touch chooses"


def test_a_tap_in_a_frame_that_took_long_is_not_taken_for_holding(rehearsal):
    """A slow machine hears only after the frame that the finger has gone."""
    held = []
    holding = LongPress(Finger(100, 100), lambda: held.append(1))
    holding._tick(5.0)
    assert not held
    for _ in range(round(HOLD / FRAME) - 1):
        holding._tick(FRAME)
    assert held == [1]


def test_a_card_with_open_points_says_what_it_is_worth_now(rehearsal):
    rehearsal.play("race", NAMES, answers=90, seed=3)
    session = rehearsal.app.desk.session
    owner, card = next(
        (seat.seat, placed.component)
        for seat in session.view.seats
        for placed in seat.components
        if session.catalogue[placed.component].scoring
    )
    line = next(line for line in session.game.sheet(session.state).seats[owner].lines if line.what == card)
    rehearsal.app.front.read(card, owner)
    rehearsal.settle()
    assert f"Worth for {NAMES[owner]} now: {line.points}" in rehearsal.words()
    rehearsal.app.front.close()
    rehearsal.app.front.read(card)
    rehearsal.settle()
    assert not any(words.startswith("Worth for") for words in rehearsal.words())


def test_what_a_card_says_is_set_right_for_the_play_that_is_on(table):
    at_seat(table, 0)
    session = table.app.desk.session
    placed = session.game.view(session.state).seats[0].components[0].component
    points = (session.catalogue[placed].points or 0) + 1
    table.tap(f"open-{placed}")
    table.tap("binder")
    table.tap("fact-points")
    table.tap(f"value.points-{points}")
    table.tap("keep")
    now = table.app.desk.session
    assert now.catalogue[placed].points == points
    assert isinstance(now.last.deed, FactCorrected)
    found = []
    table.app.desk.clerk.do(lambda _, binder: binder.facts("race"), found.append, found.append)
    table.settle()
    assert found == [{f"{placed}.points": points}]
    table.app.desk.undo()
    table.settle()
    assert table.app.desk.session.catalogue[placed].points == points - 1


def test_holding_a_face_in_the_binder_reads_it_without_a_play(rehearsal):
    rehearsal.app.go("binder")
    rehearsal.settle()
    name = next(name for name in rehearsal.taps() if name.startswith("open-"))
    hold(rehearsal, name)
    assert rehearsal.app.front.sheet.component == name.removeprefix("open-")
    assert "close-card" in rehearsal.taps()
    assert rehearsal.screen.component is None, "holding opens no page"
    rehearsal.tap("close-card")
    hold(rehearsal, name, 0.1)
    assert rehearsal.screen.component == name.removeprefix("open-")


def test_holding_a_face_in_the_score_says_what_it_brought(rehearsal):
    rehearsal.play("race", NAMES, answers=60, seed=3)
    rehearsal.app.go("score")
    rehearsal.settle()
    rehearsal.tap("tab-sheet")
    rehearsal.tap("reasons")
    name = next(name for name in rehearsal.taps() if name.startswith("read-"))
    seat, component = name.removeprefix("read-").split("-", 1)
    hold(rehearsal, name)
    sheet = rehearsal.app.front.sheet
    assert (sheet.component, sheet.owner) == (component, int(seat))
    rehearsal.tap("close-card")
    assert name in rehearsal.taps(), "the reasons stay open"


def test_holding_a_face_in_score_only_reads_it_and_tells_nothing(rehearsal):
    rehearsal.change(people=(Person("Ania", 0), Person("Ewa", 4)))
    rehearsal.app.go("score-only")
    rehearsal.tap("person-Ania")
    rehearsal.tap("person-Ewa")
    rehearsal.tap("next")
    name = next(name for name in rehearsal.taps() if name.startswith("card-"))
    hold(rehearsal, name)
    assert rehearsal.app.front.sheet.component == name.removeprefix("card-")
    rehearsal.tap("close-card")
    assert rehearsal.screen.played.mine("Ania") == ()
    hold(rehearsal, name, 0.1)
    assert rehearsal.screen.played.mine("Ania") == (name.removeprefix("card-"),)
