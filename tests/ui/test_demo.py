"""A whole game by bots through the camera with the screen shown, frame by frame instead of by a clock."""

import threading
import time
from functools import cache

import numpy as np
import pytest
from msgspec.structs import replace

from companion.core.entries import Answered
from companion.core.game import Setup, every_game, games
from companion.core.questions import Answer
from companion.core.scans import Offer
from companion.games.eclipse.bots import FAIR
from companion.games.eclipse.combat import chances, pair
from companion.recognition import reading
from companion.recognition.virtual_cards import Cards
from companion.table.camera_feed import CameraFeed
from companion.table.signals import Outcome
from companion.ui.demo.demo import SEATS, Demo, begin
from companion.ui.demo.pace import HIGHLIGHT, TOO_LATE, WHOLE, Pace, played, total
from companion.ui.guide import GuideStrip, Pointer
from companion.ui.toolkit.geometry import rect, visible, walk
from companion.ui.toolkit.kit import Scroll
from tests import budgets
from tests.patience import PATIENCE
from vision import CameraTrouble
from vision.virtual import PRESETS, VirtualTable
from vision.worker import Worker

RACE = games()["race"]


class Paced(CameraFeed):
    """The usual camera feed, whose worker runs when the test says so instead of in a thread."""

    def __init__(self, table: VirtualTable, clock) -> None:
        super().__init__(clock)
        self._worker = Worker(table, reading.reader(RACE), clock, self.wake)
        self._worker.wait_for_scan(True)

    def look(self) -> None:
        self._worker.process_newest()

    def stop(self) -> None:
        pass


@pytest.fixture
def demo(rehearsal):
    table = VirtualTable(
        PRESETS["good-lamp"], 3, size=(800, 450), width=600.0, fps=1000.0, clock=rehearsal.clock
    )
    rehearsal.app.use_camera(Paced(table, rehearsal.clock))
    app = rehearsal.app
    app.desk.start(RACE, Setup("race", ("Ania", "Bartek")))
    rehearsal.settle()
    app.camera_feed.look()
    return Demo(app, RACE, 3, Cards(RACE, table, room=4), Steady(), rehearsal.clock)


class Steady(Pace):
    """As slow as a card needs to be held up and read."""

    def shows(self, weight: float, spent: float) -> bool:
        return True

    def seconds(self, weight: float, spent: float) -> float:
        return 1.2


FEW = 20
"""Cards read in a usual run; a campaign reads those of the whole game."""


def test_bots_play_through_the_camera_a_campaign_to_the_end(rehearsal, demo, monkeypatch):
    app = rehearsal.app
    unread = []
    tap = demo._tap

    def tapped(answer):
        question = next(q for q in app.desk.questions() if (q.seat, q.slug) == (answer.seat, answer.slug))
        card = question.option(answer.option).component
        if card is not None and card not in RACE.on_table(app.desk.session.state):
            unread.append(card)
        tap(answer)

    monkeypatch.setattr(demo, "_tap", tapped)
    for _ in range(3000):
        demo.step()
        app.camera_feed.look()
        app.desk.clerk.settle()
        rehearsal.frames(1)
        rehearsal.now += 0.2
        if app.screen.name == "score" or (not budgets.campaign and demo.read == FEW):
            break
    answered = [
        m.entry
        for m in app.desk.session.moments
        if m.entry and isinstance(m.entry.deed, Answered) and not m.entry.same_deed
    ]
    assert demo.read + demo.tapped == len(answered)
    assert demo.read > 2 * len(unread), "nearly every card is read, hardly any tapped"
    if not budgets.campaign:
        assert demo.read == FEW
        return
    assert app.screen.name == "score"
    assert app.desk.session.over
    assert demo.read > 40
    sheet = RACE.sheet(app.desk.session.state)
    rehearsal.settle()
    words = rehearsal.words()
    for seat in sheet.seats:
        assert {seat.name, str(seat.total)} <= set(words)
    assert any(all(name in told for name in sheet.winners) and "win" in told for told in words)


def test_a_demonstration_leaves_peoples_own_table_as_it_was(rehearsal):
    app = rehearsal.app
    rehearsal.play("race", ("Ania", "Bartek"), answers=4, seed=2)
    app.home()
    app.desk.leave()
    rehearsal.settle()
    own, folder = app.desk, app.folder
    rehearsal.tap("demonstration")
    assert app.screen.name == "demonstrations"
    assert {f"demo-{id}" for id in games()} <= set(rehearsal.taps())
    rehearsal.tap("demo-race")
    assert (app.screen.name, app.desk is own) == ("table", False)
    assert app.desk.session.setup.seats == ("Ania", "Bartek", "Celina")
    assert (app.folder == folder, app.folder.exists()) == (False, True)
    away = app.folder
    app.home()
    rehearsal.settle()
    assert (app.desk, app.folder, away.exists()) == (own, folder, False)
    assert (app.guide, app.screen.name) == (None, "home")
    rehearsal.tap("resume")
    assert app.desk.session.setup.seats == ("Ania", "Bartek")


def test_only_what_is_held_up_is_framed(rehearsal, demo):
    app = rehearsal.app
    app.refresh()
    held = set()
    for _ in range(50):
        demo.step()
        app.camera_feed.look()
        app.desk.clerk.settle()
        rehearsal.frames(1)
        demo.show()
        rehearsal.now += 0.2
        assert len(demo.guide.picture.labels) <= 1
        held |= {label.text for label in demo.guide.picture.labels}
    assert held
    assert len(demo.cards.lying) > 1


@cache
def eclipse():
    """Every table of the demonstrated play of Eclipse, and the question answered next."""
    rules = games()["eclipse"]
    return list(played(rules, Setup("eclipse", SEATS, {}, rules.sample()), rules.demo_seed))


def test_a_demonstration_of_eclipse_comes_to_a_battle_soon():
    assert any(question.dice for _, question in eclipse()[:100])


def test_bots_of_a_demonstration_of_eclipse_begin_only_fair_battles():
    chance, before = [], None
    for session, question in eclipse():
        if question.slug in ("eclipse.move", "eclipse.move-to"):
            before = before or session.state
            seat = question.seat
            continue
        for place in session.state.map if before else ():
            sides, odds = pair(session.state, place), chances(session.state, place)
            if sides and odds and seat in sides and pair(before, place) != sides:
                chance.append(odds.attacker_win if sides[0] == seat else odds.defender_win)
        before = None
    assert chance
    assert min(chance) >= FAIR, chance


def test_a_demonstration_does_not_wait_for_a_camera_that_is_still_being_opened(rehearsal, tmp_path):
    opening, free, given_up = threading.Event(), threading.Event(), threading.Event()

    def opened(source):
        opening.set()
        free.wait(PATIENCE)
        given_up.set()
        raise CameraTrouble("stopped", source=source)

    own = CameraFeed(time.monotonic, opened)
    rehearsal.app.use_camera(own)
    own.watch("late")
    assert opening.wait(PATIENCE)
    rehearsal.app.visit(tmp_path, CameraFeed(time.monotonic), "none", lambda: None)
    assert not given_up.is_set()
    free.set()
    rehearsal.app.go("how")
    rehearsal.app.home()
    rehearsal.settle()
    assert rehearsal.app.camera_feed is own


@pytest.fixture
def quick(rehearsal):
    """A demonstration without a camera, in which every answer takes two steps."""
    app = rehearsal.app
    demo = begin(app, RACE, Setup("race", ("Ania", "Bartek", "Celina")), 3, None, None, rehearsal.clock)
    rehearsal.settle()

    def go_on(steps):
        for _ in range(steps):
            rehearsal.now += 1.0
            demo.step()
            rehearsal.settle()

    return demo, go_on


def test_an_answer_takes_over_its_seat_and_the_others_go_on(rehearsal, quick):
    demo, go_on = quick
    app = rehearsal.app
    go_on(40)
    while not any(q.seat == 2 for q in app.desk.questions()):
        go_on(1)
    question = next(q for q in app.desk.questions() if q.seat == 2)
    app.desk.propose(Answer(2, question.slug, question.options[-1].id))
    rehearsal.settle()
    taken = len(app.desk.session.moments)
    go_on(80)
    assert demo.people == {2}
    answers = [m.entry.deed.answer for m in app.desk.session.moments[taken:] if not m.entry.same_deed]
    assert {answer.seat for answer in answers} <= {0, 1}, (
        "nobody but people answers for a seat that is theirs"
    )
    assert answers, "the others went on"
    assert {q.seat for q in app.desk.questions()} == {2}
    assert "Celina" in demo.guide.line
    assert "Celina is yours now: your turn." in rehearsal.words()


def test_taking_something_back_stops_a_demonstration_until_it_is_told_to_go_on(rehearsal, quick):
    _, go_on = quick
    app = rehearsal.app
    go_on(12)
    app.desk.undo()
    rehearsal.settle()
    entries = app.desk.session.entries
    go_on(20)
    assert app.desk.session.entries == entries
    rehearsal.tap("demo-pause")
    go_on(20)
    assert app.desk.session.entries > entries


@pytest.mark.parametrize(("language", "text"), [("en", 100), ("pl", 150)])
def test_all_demonstrations_are_in_sight_at_once(rehearsal, language, text):
    rehearsal.change(language=language, text_size=text)
    rehearsal.app.go("demonstrations")
    rehearsal.settle()
    taps = rehearsal.taps()
    assert all(visible(taps[f"demo-{id}"]) == rect(taps[f"demo-{id}"]) for id in games())
    assert not any(isinstance(part, Scroll) for part in walk(rehearsal.app.stage))


def test_a_card_that_could_mean_two_things_is_tapped_not_held_up(rehearsal, demo, monkeypatch):
    """Held up, the program would ask people which one is meant."""
    app = rehearsal.app
    demo.step()
    question = next(q for q in app.desk.questions() if q.options[0].component is not None)
    held = []
    monkeypatch.setattr(demo, "_hold_up", lambda component, seat: held.append(component))
    twice = replace(question, options=(question.options[0], replace(question.options[0], id="other")))
    for asked, expected in ((question, 1), (twice, 1)):
        demo._due, demo._held = None, None
        monkeypatch.setattr(app.desk, "questions", lambda asked=asked: (asked,))
        monkeypatch.setattr(demo, "_chosen", lambda asked: asked.options[0].id)
        demo._begin()
        assert len(held) == expected


def test_a_card_read_late_is_not_offered_to_people(rehearsal, quick):
    """It is the bots' card, and they tap what they meant."""
    app = rehearsal.app
    session = app.desk.session
    question = next(q for q in session.questions() if len(q.options) > 1)
    offer = Offer(((Answer(question.seat, question.slug, question.options[0].id), question.options[0]),))
    app._show_outcome(Outcome(None, offer, session, session, session.questions()))
    assert "offer-0" not in rehearsal.taps()
    app.guide = None
    app._show_outcome(Outcome(None, offer, session, session, session.questions()))
    assert "offer-0" in rehearsal.taps()


def test_pause_and_leave_are_always_there(rehearsal, quick):
    _, go_on = quick
    app = rehearsal.app
    go_on(6)
    rehearsal.tap("demo-pause")
    entries = app.desk.session.entries
    go_on(10)
    assert app.desk.session.entries == entries
    rehearsal.tap("demo-pause")
    go_on(10)
    assert app.desk.session.entries > entries
    rehearsal.tap("demo-leave")
    assert app.screen.name == "home"


@pytest.mark.parametrize("text", [100, 150])
@pytest.mark.parametrize("language", ["en", "pl"])
def test_a_strip_tells_who_does_what_and_the_page_above_it_is_whole(rehearsal, layout, quick, language, text):
    demo, _ = quick
    rehearsal.change(language=language, text_size=text)
    demo.guide.pictured = True
    for _ in range(30):
        rehearsal.now += 1.0
        demo.step()
        if demo.guide.pointed:
            strip = next(part for part in walk(rehearsal.app.stage) if isinstance(part, GuideStrip))
            assert any(name in demo.guide.line for name in ("Ania", "Bartek", "Celina"))
            assert strip.parent.height == rehearsal.app.theme.px(80)
            page = rehearsal.app.stage.children[-1]
            assert page.y >= strip.parent.top
            assert sum(isinstance(part, Pointer) for part in rehearsal.app.stage.children) == 1
        rehearsal.settle()
    layout.found = [found for found in layout.found if found.kind not in LETTERS]


LETTERS = ("small letters", "small figures")
"""What faces are drawn with is checked in whole plays: `test_layout.py`."""


def test_the_camera_is_a_picture_that_can_be_made_large(rehearsal, quick):
    demo, go_on = quick
    demo.guide.pictured = True
    demo.guide.see(np.zeros((720, 1280, 3), np.uint8), ())
    rehearsal.app.refresh()
    small = demo.guide.picture.size
    rehearsal.tap("demo-camera")
    assert demo.guide.picture.width > 4 * small[0]
    entries = rehearsal.app.desk.session.entries
    go_on(5)
    assert rehearsal.app.desk.session.entries == entries, "it waits while people look"
    rehearsal.touch(400, 300)
    rehearsal.settle()
    assert demo.guide.picture.size == small


@cache
def demonstrated(game):
    """Every table of a demonstrated play, the question answered next, and the weight of its answer."""
    rules, pace = every_game()[game], Pace()
    shown = played(rules, Setup(game, SEATS, {}, rules.sample()), rules.demo_seed)
    return tuple((session, question, pace.weigh(session, question)) for session, question in shown)


def test_the_weight_of_a_play_is_that_of_its_answers():
    setup = Setup("race", SEATS, {}, RACE.sample())
    assert total(RACE, setup, RACE.demo_seed) == sum(weight for *_, weight in demonstrated("race"))


@pytest.mark.every_game
@pytest.mark.parametrize("game", list(games()))
def test_a_demonstration_asks_nobody_what_is_printed_and_ends_within_its_time(game):
    """The pace alone, without a window: every answer takes as long as it is shown."""
    rules, pace, spent, shown = games()[game], Pace(), 0.0, []
    pace.total = sum(weight for *_, weight in demonstrated(game))
    for _, question, weight in demonstrated(game):
        assert question.form is None, f"nobody fills in {question.slug}"
        seconds = pace.seconds(weight, spent)
        shown.append((question.dice is not None, seconds))
        spent += seconds
    assert 60 < spent < 300
    dice = [seconds for rolled, seconds in shown if rolled]
    rest = [seconds for rolled, seconds in shown if not rolled]
    assert not dice or sum(dice) / len(dice) > sum(rest) / len(rest), "battles are looked at for longer"
    scores = sorted(seat.total for seat in rules.sheet(demonstrated(game)[-1][0].state).seats)
    assert scores[0] > 0.6 * scores[-1], f"nobody wants to see {scores}"


PAGE, QUICK = 1.1, 0.12
"""Seconds a page and an answer nobody sees take where two thirds of a core are busy with something else."""


@pytest.mark.every_game
@pytest.mark.parametrize("game", list(games()))
def test_a_busy_machine_shows_less_of_a_game_not_a_longer_one(game):
    pace, spent, pages, highlights, seen = Pace(), 0.0, 0, 0, 0
    pace.total = sum(weight for *_, weight in demonstrated(game))
    for *_, weight in demonstrated(game):
        shown = pace.shows(weight, spent)
        spent += max(PAGE, pace.seconds(weight, spent)) if shown else QUICK
        pages += shown
        highlights += weight == HIGHLIGHT
        seen += shown and weight == HIGHLIGHT
    assert spent < WHOLE + TOO_LATE + 5
    assert pages > 60
    assert seen > 0.9 * highlights, f"{seen} of {highlights} highlights"


def test_a_late_demonstration_answers_unseen_until_somebody_touches_it(rehearsal):
    app = rehearsal.app
    pace = Pace()
    pace.total = 1e6  # there is far more to show than it can
    demo = begin(app, RACE, Setup("race", SEATS), 3, None, None, rehearsal.clock)
    demo.pace = pace
    rehearsal.settle()
    for _ in range(60):
        rehearsal.now += 0.3
        demo.step()
        rehearsal.settle()
    assert not app.shows_play
    built, entries = app._built, app.desk.session.entries
    for _ in range(10):
        rehearsal.now += 0.3
        demo.step()
        app.desk.clerk.settle()
        rehearsal.frames(2)
    assert (app._built, app.desk.session.entries > entries) == (built, True)
    demo.stop_or_go()
    demo.step()
    assert app.shows_play
    assert app.entries == app.desk.session.entries, "the page is that of the play as it is now"


def test_what_leaves_no_choice_is_left_to_the_clerk(rehearsal, quick, monkeypatch):
    demo, go_on = quick
    go_on(5)
    demo._due = None
    asked = rehearsal.app.desk.questions()
    forced = [replace(question, options=question.options[:1]) for question in asked]
    assert all(question.only for question in forced)
    monkeypatch.setattr(rehearsal.app.desk, "questions", lambda: tuple(forced))
    before = demo.random.getstate()
    demo._begin()
    assert (demo._due, demo.random.getstate()) == (None, before), "the play stays the one that was planned"


def test_a_window_for_demonstrations_only_begins_with_all_of_them_and_is_closed_from_there(
    rehearsal, monkeypatch
):
    closed = []
    app = rehearsal.app
    monkeypatch.setattr(app, "first_screen", "demonstrations")
    monkeypatch.setattr(app, "stop", lambda: closed.append(True))
    app.home()
    rehearsal.settle()
    rehearsal.tap("demo-race")
    assert app.screen.name == "table"
    rehearsal.tap("demo-leave")
    assert (app.screen.name, closed) == ("demonstrations", [])
    rehearsal.tap("back")
    assert closed == [True]
