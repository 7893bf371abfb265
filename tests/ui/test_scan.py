"""Scanning: what the camera really reads, how it is interpreted, and the comparison with the play."""

import threading
import time

import numpy as np
import pytest

from companion.core.game import games
from companion.core.words import plain
from companion.recognition import reading
from companion.table.camera_feed import CameraFeed
from companion.texts import render
from tests.patience import PATIENCE
from vision import worker
from vision.camera import Frame, Health
from vision.sightings import Sighting
from vision.virtual import PRESETS, VirtualTable, spread
from vision.worker import Glance, Worker

RACE = games()["race"]
BOOK = reading.book(RACE)
READER = reading.reader(RACE)


def label(component, seat=None):
    """The text on a piece of this component; of a player's own set, on theirs."""
    wanted = [(piece, text) for piece, text in BOOK.texts.items() if piece.component == component]
    return next(text for piece, text in wanted if seat is None or piece.copy == seat + 1)


EMPTY = {}
"""Pictures of the empty table with which every test begins, by their number: painted once for all of them."""


class EmptyTable(VirtualTable):
    """A painted table on which nothing lies."""

    def read(self, *, soon=False):
        now, number = self._clock(), self._number
        if number not in EMPTY:
            EMPTY[number] = super().read(soon=soon).picture
        self._number = number + 1
        return Frame(EMPTY[number], now)


class Eye(CameraFeed):
    """A real reader before a painted table; it runs when the test says so, in no thread."""

    def __init__(self):
        self.now = 0.0
        super().__init__(lambda: self.now)
        self.why = None

    def lay(self, *components):
        """Only these lie there from now on, each in its place; the table was empty at first."""
        if self._worker is None:
            self._show(())
            self.look(8)
        self._show([it if BOOK.piece(it) else label(it) for it in components])

    def _show(self, texts):
        self.source = "virtual"
        table = (VirtualTable if texts else EmptyTable)(
            PRESETS["good-lamp"],
            1,
            lying=spread([*texts, *["-"] * (8 - len(texts))], 1, size=24.0)[: len(texts)],
            size=(1280, 720),
            clock=lambda: self.now,
        )
        before, self._worker = self._worker, Worker(table, READER, lambda: self.now, self.wake)
        if before is not None:
            self._worker._watcher = before._watcher
        self._worker.wait_for_scan(True)

    def look(self, times=1):
        for _ in range(times):
            self.now += 0.1
            assert self._worker.process_newest()

    def trouble(self):
        return self.why


@pytest.fixture
def eye(rehearsal):
    eye = Eye()
    rehearsal.app.use_camera(eye)
    yield eye
    rehearsal.app.voice.sound = lambda kind: None
    eye._worker = None  # it has no thread to stop


def show(rehearsal, eye, times=5):
    """Let the camera look, and the screen after each look."""
    for _ in range(times):
        eye.look()
        rehearsal.app.tick()
        rehearsal.settle()
    for _ in range(3):
        rehearsal.app.tick()
        rehearsal.settle()


def said(rehearsal):
    return " | ".join(rehearsal.words())


def marks(rehearsal):
    """What each component in the picture is taken for."""
    return {BOOK.piece(it.text).component: it.how for it in rehearsal.app.screen.picture.labels}


def tableau(rehearsal, seat=0):
    session = rehearsal.app.desk.session
    return [placed.component for placed in RACE.view(session.state).seats[seat].components]


def in_play(rehearsal):
    """Everybody has three cards at least, and actions are chosen in secret."""
    rehearsal.play("race", ("Ania", "Bartek"), seed=3)
    rehearsal.play_until(
        lambda s: (
            min(len(seat.tableau) for seat in s.state.seats) >= 3
            and all(q.slug == "race.action" and q.seat is not None for q in s.questions())
            and len(s.questions()) == 2
        )
    )


def elsewhere(rehearsal):
    there = RACE.on_table(rehearsal.app.desk.session.state)
    return next(c.id for c in BOOK.catalogue if c.id not in there and c.id not in BOOK.sets)


# The camera


def test_without_a_camera_people_are_told_what_to_do(rehearsal):
    rehearsal.play("race", ("Ania", "Bartek"))
    rehearsal.tap("scan")
    assert "No camera is switched on." in rehearsal.words()
    assert {"settings", "by-touch", "correct"} <= set(rehearsal.taps())
    rehearsal.tap("by-touch")
    assert rehearsal.app.screen.name == "choose"


def test_a_camera_that_fails_and_comes_back(rehearsal, eye):
    rehearsal.play("race", ("Ania", "Bartek"))
    eye.source, eye.why = "usb:0", plain("It is not plugged in.")
    rehearsal.tap("scan")
    assert {"The camera gives no picture.", "It is not plugged in."} <= set(rehearsal.words())
    eye.why = None
    eye.lay("old-earth")
    show(rehearsal, eye, 1)
    assert "The camera gives no picture." not in rehearsal.words()
    assert "1 label" in rehearsal.words()
    assert rehearsal.app.screen.picture.texture is not None


# One card


def test_a_card_answers_and_each_label_has_its_frame(rehearsal, eye):
    rehearsal.play("race", ("Ania", "Bartek"))
    rehearsal.tap("scan")
    first, second = rehearsal.app.desk.session.questions()[0].options[:2]
    eye.lay(first.component)
    show(rehearsal, eye)
    assert tableau(rehearsal) == [first.component]
    assert marks(rehearsal) == {first.component: "new"}
    assert [q.seat for q in rehearsal.app.desk.session.questions()] == [1]
    eye.look(8)  # another gesture
    refused = elsewhere(rehearsal) if elsewhere(rehearsal) != second.component else "contact-specialist"
    eye.lay(first.component, refused)
    show(rehearsal, eye)
    assert marks(rehearsal) == {first.component: "new", refused: "refused"}
    assert "Now the start world is asked for, one that nobody else has" in rehearsal.words()
    assert "2 labels" in rehearsal.words()
    assert rehearsal.app.message is None  # it stands on the screen, nothing lies over the picture
    rehearsal.app.back()
    rehearsal.tap("scan")
    eye.look()
    rehearsal.app.tick()
    assert marks(rehearsal)[first.component] == "known"


def test_two_cards_at_once_that_answer_the_same_question_are_offered(rehearsal, eye):
    rehearsal.play("race", ("Ania", "Bartek"))
    rehearsal.tap("scan")
    first, second = rehearsal.app.desk.session.questions()[0].options[:2]
    eye.lay(first.component, second.component)
    show(rehearsal, eye)
    assert not tableau(rehearsal, 0)
    assert "Did you mean to show this?" in said(rehearsal)
    rehearsal.tap("offer-1")
    assert tableau(rehearsal, 0) == [second.component]


def test_cards_of_two_seats_at_once_are_confirmed_with_one_tap(rehearsal, eye):
    in_play(rehearsal)
    rehearsal.tap("scan")
    asked = {q.seat for q in rehearsal.app.desk.session.questions()}
    eye.lay(label("settle", seat=0), label("develop", seat=1))
    show(rehearsal, eye)
    assert {q.seat for q in rehearsal.app.desk.session.questions()} == asked, "nobody has confirmed it"
    assert "Settle" not in said(rehearsal), "it is a secret still"
    rehearsal.tap("offer-0")
    assert not any(q.slug == "race.action" for q in rehearsal.app.desk.session.questions())
    assert "Did you mean to show this?" not in said(rehearsal)


def test_an_offer_of_another_play_is_past(rehearsal, eye):
    rehearsal.play("race", ("Ania", "Bartek"))
    rehearsal.tap("scan")
    first, second = rehearsal.app.desk.session.questions()[0].options[:2]
    eye.lay(first.component, second.component)
    show(rehearsal, eye)
    assert "Did you mean to show this?" in said(rehearsal)
    rehearsal.play("race", ("Celina", "Darek"))
    assert "Did you mean to show this?" not in said(rehearsal)


def test_an_offer_can_be_waved_away_and_does_not_come_back(rehearsal, eye):
    rehearsal.play("race", ("Ania", "Bartek"))
    rehearsal.tap("scan")
    first, second = rehearsal.app.desk.session.questions()[0].options[:2]
    eye.lay(first.component, second.component)
    show(rehearsal, eye)
    rehearsal.tap("offer-no")
    show(rehearsal, eye, 20)
    assert "Did you mean to show this?" not in said(rehearsal)
    assert not tableau(rehearsal, 0)


def test_a_secret_card_is_not_named(rehearsal, eye):
    in_play(rehearsal)
    heard = []
    rehearsal.app.voice.sound = heard.append
    rehearsal.tap("scan")
    eye.lay(label("settle", seat=1))
    show(rehearsal, eye)
    assert [q.seat for q in rehearsal.app.desk.session.questions()] == [0]
    assert "Got it." in rehearsal.words()
    assert "Settle" not in said(rehearsal)
    assert heard == ["accepted"]


def test_a_card_that_lies_there_already_can_be_touched(rehearsal, eye):
    rehearsal.play("race", ("Ania", "Bartek"))
    wanted = rehearsal.app.desk.session.questions()[0].options[0].component
    rehearsal.app.home()
    rehearsal.app.desk.leave()
    eye.lay(wanted)
    eye.look(3)
    rehearsal.settle()
    assert eye.news() == ()  # it appeared before anybody played
    rehearsal.app.desk.resume(1)
    rehearsal.settle()
    rehearsal.tap("scan")
    rehearsal.app.tick()
    rehearsal.settle()
    assert tableau(rehearsal) == []
    picture = rehearsal.app.screen.picture
    corners = picture.on_screen(picture.labels[0].corners)
    x, y = (sum(values) / 4 for values in zip(*corners, strict=True))
    rehearsal.touch(*picture.to_window(x, y))
    rehearsal.app.tick()
    rehearsal.settle()
    assert tableau(rehearsal) == [wanted]


def one_look(rehearsal, eye, *corners):
    """A dark picture with one label that is not ours, at these corners."""
    foreign = Sighting("HELLO", corners, "zxing", 1.0, 1.5)
    look = Glance(Frame(np.zeros((72, 128, 3), np.uint8), 1.0), (foreign,))
    eye.source, eye.latest = "virtual", lambda: look
    rehearsal.tap("scan")
    rehearsal.app.tick()
    rehearsal.settle()
    return rehearsal.app.screen.picture


def test_a_label_of_another_game_is_refused(rehearsal, eye):
    rehearsal.play("race", ("Ania", "Bartek"))
    picture = one_look(rehearsal, eye, (10.0, 10.0), (40.0, 10.0), (40.0, 40.0), (10.0, 40.0))
    assert [it.how for it in picture.labels] == ["refused"]


def test_a_frame_is_where_its_label_is_shown(rehearsal, eye):
    rehearsal.play("race", ("Ania", "Bartek"))
    picture = one_look(rehearsal, eye, (0.0, 0.0), (32.0, 0.0), (32.0, 18.0), (0.0, 18.0))
    (left, top), _, (right, low), _ = picture.on_screen(picture.labels[0].corners)
    assert (left, top) == pytest.approx((picture.x, picture.top), abs=1)
    assert right - left == pytest.approx(picture.width / 4, abs=1)
    assert top - low == pytest.approx(picture.height / 4, abs=1)


def test_a_frame_stays_while_a_hand_passes_and_then_goes(rehearsal, eye):
    rehearsal.play("race", ("Ania", "Bartek"))
    rehearsal.tap("scan")
    eye.lay("contact-specialist")
    show(rehearsal, eye)
    eye.lay()
    eye.look()
    rehearsal.app.tick()
    assert marks(rehearsal) == {"contact-specialist": "refused"}
    eye.look(9)
    rehearsal.app.tick()
    assert marks(rehearsal) == {}
    assert "0 labels" in rehearsal.words()


# The whole place of a seat


def swept(rehearsal, eye, *components, seat=0):
    """Sweep a place until it is steady, then compare."""
    rehearsal.tap("scan")
    rehearsal.tap("mode-sweep")
    rehearsal.tap(f"seat-{seat}")
    eye.lay(*components)
    eye.look()
    for _ in range(14):
        eye.look()
        rehearsal.app.tick()
        if any("steady" in words for words in rehearsal.words()):
            break
    rehearsal.settle()
    assert any("steady" in words for words in rehearsal.words())
    rehearsal.tap("reconcile")


def test_a_sweep_answers_nothing(rehearsal, eye):
    in_play(rehearsal)
    before = rehearsal.app.desk.session.entries
    swept(rehearsal, eye, label("settle", seat=1), *tableau(rehearsal))
    assert rehearsal.app.desk.session.entries == before
    assert marks(rehearsal) == dict.fromkeys(tableau(rehearsal), "known") | {"settle": "refused"}


def test_everything_agrees(rehearsal, eye):
    in_play(rehearsal)
    there = tableau(rehearsal)
    swept(rehearsal, eye, *there)
    assert f"All {len(there)} cards agree with the play." in rehearsal.words()


def test_what_is_missing_is_taken_out_with_one_tap(rehearsal, eye):
    in_play(rehearsal)
    there = tableau(rehearsal)
    swept(rehearsal, eye, *there[:-1])
    name, n = render(BOOK.catalogue[there[-1]].called, "en"), len(there)
    cards = "card" if n == 2 else "cards"
    told = f"The camera sees {n - 1} {cards} before Ania, the play says {n}: {name} is missing."
    assert told in rehearsal.words()
    rehearsal.tap(f"correct-{there[-1]}")
    assert tableau(rehearsal) == there[:-1]
    assert f"All {n - 1} cards agree with the play." in rehearsal.words()


def test_what_lies_there_after_all_is_shown_again(rehearsal, eye):
    in_play(rehearsal)
    there = tableau(rehearsal)
    swept(rehearsal, eye, *there[:-1])
    rehearsal.tap(f"keep-{there[-1]}")
    assert "Everything else agrees." in rehearsal.words()
    assert tableau(rehearsal) == there
    eye.lay(*there)
    show(rehearsal, eye)
    assert f"All {len(there)} cards agree with the play." in rehearsal.words()


def test_a_surplus_card_is_put_in_or_ignored(rehearsal, eye):
    in_play(rehearsal)
    there, more = tableau(rehearsal, 1), elsewhere(rehearsal)
    swept(rehearsal, eye, *there, more, seat=1)
    assert f"{render(BOOK.catalogue[more].called, 'en')} is not in the play" in rehearsal.words()
    rehearsal.tap(f"keep-{more}")
    assert tableau(rehearsal, 1) == there
    assert "Everything else agrees." in rehearsal.words()
    rehearsal.tap("again")
    rehearsal.app.back()
    swept(rehearsal, eye, *there, more, seat=1)
    rehearsal.tap(f"correct-{more}")
    assert tableau(rehearsal, 1) == [*there, more]


def test_a_card_of_somebody_else_is_told_and_moves(rehearsal, eye):
    in_play(rehearsal)
    mine, others = tableau(rehearsal, 0), tableau(rehearsal, 1)
    moved = next(id for id in others[1:] if BOOK.catalogue[id].copies == 1)
    swept(rehearsal, eye, *mine, moved)
    assert f"The play has {render(BOOK.catalogue[moved].called, 'en')} before Bartek" in rehearsal.words()
    rehearsal.tap(f"correct-{moved}")
    assert tableau(rehearsal, 0) == [*mine, moved]
    assert tableau(rehearsal, 1) == [id for id in others if id != moved]


def test_another_seat_begins_again(rehearsal, eye):
    in_play(rehearsal)
    swept(rehearsal, eye, *tableau(rehearsal))
    rehearsal.tap("seat-1")
    assert "reconcile" not in rehearsal.taps()
    assert not any("seen" in words for words in rehearsal.words())


# The picture


def test_a_picture_is_shown_in_its_proportions_and_colours():
    from companion.ui.toolkit.camera_picture import shrink

    blue = np.zeros((1080, 1920, 3), np.uint8)
    blue[:, :, 0] = 200
    small = shrink(blue, 400, 400)
    assert small.shape == (225, 400, 4)
    assert small[0, 0].tolist() == [0, 0, 200, 255]
    assert shrink(blue[:90, :160], 400, 400).shape == (90, 160, 4)


def test_frames_can_be_told_apart_without_colour():
    from companion.ui.toolkit.camera_picture import SIGNS, TONES

    assert len(set(SIGNS.values())) == len(TONES) == 3


def test_cards_outside_a_seats_part_of_the_picture_are_left_out(rehearsal, eye):
    in_play(rehearsal)
    rehearsal.tap("scan")
    rehearsal.tap("mode-sweep")
    known = [
        placed.component
        for placed in rehearsal.app.desk.session.game.view(rehearsal.app.desk.session.state)
        .seats[0]
        .components
    ]
    eye.lay(*known)
    show(rehearsal, eye)
    assert rehearsal.app.screen.sweep.swept.found
    where = [f.sighting.corners[0][0] for f in rehearsal.app.screen.sweep.swept.found.values()]
    wide = eye.latest().frame.picture.shape[1]
    side = "left" if where[0] > wide / 2 else "right"
    rehearsal.tap(f"zone-{side}")
    assert rehearsal.app.desk.settings.zones.keys() == {"ania"}
    show(rehearsal, eye)
    assert len(rehearsal.app.screen.sweep.swept.found) < len(where)
    rehearsal.tap("zone-whole")
    assert not rehearsal.app.desk.settings.zones


def test_a_camera_that_opens_after_people_sat_down_knows_that_they_wait(monkeypatch):
    """A player who goes on at once is quicker than most cameras."""
    sat_down, looked, watched, looks = threading.Event(), threading.Event(), threading.Event(), []

    class Late:
        def read(self, *, soon=False):
            looks.append(1)
            looked.set()
            if len(looks) == 3:
                watched.set()
            return Frame(np.zeros((90, 160, 3), np.uint8), 0.0)

        def health(self):
            return Health(True)

        def close(self):
            pass

    def opened(source):
        sat_down.wait()
        return Late()

    monkeypatch.setattr(worker, "GENTLE", PATIENCE)
    camera_feed = CameraFeed(time.monotonic, opened)
    camera_feed.watch("late")
    camera_feed.wait_for_scan(True)
    sat_down.set()
    assert looked.wait(PATIENCE)
    assert watched.wait(PATIENCE / 2), "it looks as seldom as while nobody waits"
    camera_feed.stop()


class MadeUp(Eye):
    """A table that is only made up; people lay on it what they like."""

    def __init__(self):
        super().__init__()
        self.source = "virtual"
        self._camera = VirtualTable(
            PRESETS["good-lamp"], 1, size=(1280, 720), clock=lambda: self.now, fps=1000.0
        )
        self._worker = Worker(self._camera, READER, lambda: self.now, self.wake)
        self._worker.wait_for_scan(True)


@pytest.fixture
def practice(rehearsal):
    rehearsal.play("race", ("Ania", "Bartek"), seed=3)
    rehearsal.play_until(lambda session: any(q.slug == "race.place" for q in session.questions()))
    made_up = MadeUp()
    made_up.look(8)
    rehearsal.app.use_camera(made_up)
    rehearsal.app.go("scan")
    rehearsal.settle()
    return rehearsal


def test_before_a_practice_camera_people_hold_up_and_lay_down_the_cards_of_the_play(practice):
    table = practice.app.camera_feed.made_up()
    hold = next(name for name in practice.taps() if name.startswith("hold-"))
    component = hold.removeprefix("hold-")
    before = practice.app.desk.session
    practice.tap(hold)
    assert table._held is not None
    for _ in range(12):
        practice.app.camera_feed.look()
        practice.settle()
    assert practice.app.desk.session is not before, "it was read and taken for what it is"
    assert practice.app.desk.session.moments[len(before.moments)].entry.deed.answer.option == component
    practice.tap("lay-down")
    assert [BOOK.piece(it.text).component for it in table.lying] == [component]
    practice.tap("clear-table")
    assert not table.lying
    practice.tap(next(name for name in practice.taps() if name.startswith("hold-")))
    practice.app.back()
    assert table._held is None, "nobody holds a card up on another screen"
    assert practice.app.holder is None


def test_a_real_camera_has_nothing_to_lay_on(rehearsal, eye):
    assert not any(name.startswith("hold-") for name in rehearsal.taps())
