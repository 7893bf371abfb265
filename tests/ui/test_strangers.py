"""What a table of strangers does to the window late in the evening: slow fingers, two at once, a number
entered again, everybody leaving; in every game, with the taps to recover counted."""

import threading
from contextlib import contextmanager

import pytest

from companion.core.agenda import open_asks
from companion.core.digest import digest
from companion.core.entries import Answered
from companion.core.game import LONGEST_NAME, games
from companion.core.journal import Journal
from companion.core.play import read
from companion.core.questions import Answer
from companion.core.scans import Offer
from companion.core.store import Store
from companion.core.understand import Press
from companion.core.words import say
from companion.table.signal_intake import OFFERED
from companion.table.signals import SeenState
from tests.ui.test_mistakes import HISTORY, LEAVES, TAKE_BACK, Evening, people
from vision.label_news import Noticed
from workshop.screens.rehearsal import Finger

pytestmark = pytest.mark.every_game

EVERY_GAME = tuple(games())


class Stranger(Evening):
    """Somebody whose fingers are slow, and whose disk is."""

    @property
    def desk(self):
        return self.window.app.desk

    @contextmanager
    def slow_disk(self):
        """Nothing is written until this is over."""
        written = threading.Event()
        self.desk.clerk.do(lambda journal, binder: written.wait(), lambda _: None, lambda _: None)
        try:
            yield
        finally:
            written.set()
            self.window.settle()

    def lay(self, name):
        """A finger that stays on something."""
        self.window.reveal(self.window.taps()[name])
        return self.lay_at(*self.window.middle(self.window.taps()[name]))

    def lay_at(self, x, y):
        self.window._touched += 10.0
        finger = Finger(x, y)
        finger.came = self.window._touched
        self.window._dispatch("begin", finger)
        self.window.frames(1)
        return finger

    def lift(self, finger):
        self.window._dispatch("end", finger)
        self.window.frames(2)

    def press(self, seat):
        """Somebody presses their button: what the lamps show is what they have seen."""
        self.desk.propose(Press(seat), seen=SeenState(self.session))
        self.desk.clerk.settle()
        self.window.frames(2)

    def given(self, before):
        """What was answered by hand since."""
        entries = [moment.entry for moment in self.session.moments[len(before.moments) :]]
        answers = [e.deed.answer for e in entries if isinstance(e.deed, Answered) and not e.same_deed]
        return [(answer.seat, answer.slug) for answer in answers]

    def open(self):
        """The questions that can be answered at the table, by name of what is touched."""
        return [name for name in self.window.taps() if name.startswith("option-")]

    def kept(self):
        """The play as it is on the disk."""
        with Store(self.window.app.folder / "journal.db") as store:
            return read(Journal(store).load(self.desk.play.id)).session


@pytest.fixture(params=EVERY_GAME)
def table(rehearsal, request):
    """A play of every game, some answers old."""
    rehearsal.play(request.param, people(request.param), answers=8, seed=11)
    return Stranger(rehearsal)


def _suggested(session):
    """A seat whose button would answer something now."""
    return next((q.seat for q in session.questions() if q.default is not None and q.seat is not None), None)


def test_a_finger_that_lifts_after_the_question_has_changed_answers_nothing(table):
    """A touch that begins before one question and ends before the next, which may have the same options."""
    tried = 0
    for _ in range(200):
        if table.session.over or tried == 4:
            break
        question, names = table.window.screen.shown_question(), table.open()
        if question is None or question.default is None or question.seat is None or not names:
            table.window.play_on(1)
            table.window.play_until(lambda session: session.over or _suggested(session) is not None)
            continue
        before = table.session
        finger = table.lay(names[-1])
        table.press(question.seat)
        table.lift(finger)
        table.window.settle()
        assert table.given(before) == [(question.seat, question.slug)]
        table.window._follow(table.session)
        tried += 1
    assert tried


def _alike(session):
    """An option that is also one of the next question, which would be the same seat's and of the same kind."""
    question, *others = session.questions() or (None,)
    if question is None or others or question.default is None or question.seat is None:
        return set()
    after = session.answer(Answer(question.seat, question.slug, question.default.id), session.at)
    following = {
        o.id
        for q in after.questions()
        if (q.seat, q.slug) == (question.seat, question.slug)
        for o in q.options
    }
    return {option.id for option in question.options} & following


@pytest.mark.parametrize("rests", [False, True])
def test_a_finger_on_what_is_also_an_option_of_the_next_question(rehearsal, monkeypatch, rests):
    """A button answers while a finger is on the screen, and the same is asked again at once. Whether the page is still
    the old one, or was rebuilt under a finger that `rests`: what it lifts from is past."""
    rehearsal.play("beyond", people("beyond"), seed=5)
    rehearsal.play_until(lambda session: "skip" in _alike(session))
    table = Stranger(rehearsal)
    before, seat = table.session, table.session.questions()[0].seat
    finger = table.lay("option-skip")
    if rests:
        monkeypatch.setattr("companion.app.LONGEST_TOUCH", -1.0)
    table.press(seat)
    pressed = table.session
    assert len(pressed.moments) > len(before.moments)
    assert (table.window.app.entries == pressed.entries) is rests
    table.lift(finger)
    table.window.settle()
    assert table.session is pressed
    assert table.told() == table.desk.say("core.meanwhile")


def test_a_finger_on_the_page_of_choices_means_the_question_it_saw(rehearsal):
    """The page of choices goes back before it answers; what is shown then is not what the finger saw."""
    rehearsal.play("beyond", people("beyond"), seed=5)
    rehearsal.play_until(lambda session: "skip" in _alike(session))
    seat = rehearsal.app.desk.session.questions()[0].seat
    rehearsal.app.go("choose", seat=seat)
    rehearsal.settle()
    table = Stranger(rehearsal)
    finger = table.lay("option-skip")
    table.press(seat)
    pressed = table.session
    table.lift(finger)
    table.window.settle()
    assert table.session is pressed
    assert table.told() == table.desk.say("core.meanwhile")


def test_two_fingers_at_once_answer_each_question_once(table):
    """One holds the page while the other taps twice: the page is as it was, and so is what it stands for."""
    tried = 0
    for _ in range(40):
        if table.session.over or tried == 6:
            break
        names = table.open()
        if len(names) < 2:
            table.window.play_on(1)
            continue
        before = table.session
        asked = {(ask.seat, ask.slug) for _, ask in open_asks(before.state)}
        picks = {
            (q.seat, q.slug) for q in table.desk.questions() if q.tally is not None
        }  # each tap is one more
        holding = table.lay(names[0])
        for _ in range(2):
            tapping = table.lay(names[-1]) if names[-1] in table.window.taps() else None
            if tapping is not None:
                table.lift(tapping)
            table.desk.clerk.settle()
            table.window.frames(2)
        table.lift(holding)
        table.window.settle()
        given = table.given(before)
        once = [key for key in given if key not in picks]
        assert len(once) == len(set(once))
        assert set(given) <= asked
        table.window.tap("undo") if given else table.window.play_on(1)
        while len(table.session.moments) > len(before.moments):
            table.window.tap("undo")
        table.window.play_on(1)
        tried += 1


def test_undo_touched_twice_before_it_is_written_takes_back_one_whole_thing(table):
    while table.session.last_deed < 2 and not table.session.over:
        table.window.play_on(1)
    deed, before = table.session.last_deed, table.session
    undo = table.window.middle(table.window.taps()["undo"])
    with table.slow_disk():
        for _ in range(3):
            table.window.touch(*undo)
    assert len(before.moments) - len(table.session.moments) == deed
    table.touch("redo")
    assert table.session.moments == before.moments
    assert table.taps == 1


def test_history_takes_back_no_more_than_it_said(table):
    """While somebody reads what would be taken back, a neighbour presses their button: then it is said again."""
    table.window.play_until(lambda session: _suggested(session) is not None)
    seat = _suggested(table.session)
    table.touch("menu", HISTORY, f"line-{table.session.deeds()[-1][0]}")
    table.press(seat)
    pressed = table.session
    table.touch(TAKE_BACK)
    assert table.session is pressed
    assert table.told() == table.desk.say("core.meanwhile")


def test_whatever_is_set_in_mid_question_leaves_the_question_as_it_was(table):
    """Language, size of words, secrets, moments, camera and zones are changed while somebody is about to answer."""
    changes = (
        {"language": "pl"},
        {"text_size": 150},
        {"in_secret": True},
        {"moments": True},
        {"camera": "practice"},
        {"zones": {"p0": (0.0, 0.0, 0.5, 1.0)}},
        {"in_secret": False, "camera": "none", "zones": {}, "text_size": 100, "language": "en"},
    )
    for change in changes:
        asked, before = table.desk.questions(), table.session
        table.window.change(**change)
        assert table.desk.questions() is asked
        assert table.session is before
        assert table.window.screen.name == "table"
        finger = table.lay(next(iter(table.open()), "menu"))
        table.window.change(scores=not table.desk.settings.scores)
        table.lift(finger)
        table.window.settle()
        table.window.app.dismiss()
        while len(table.session.moments) > len(before.moments):
            table.window.tap("undo")
        table.window.app.home("table")
        table.window.settle()


def test_everybody_leaves_but_one_and_all_come_back(table):
    """Two have a train, and the last one thinks of going, too: somebody must stay, which is said. Nobody's answer is
    lost, and a player who is back plays on."""
    seats = range(len(table.session.setup.seats))
    answered = table.session.moments
    for seat in list(seats)[1:]:
        table.taps = 0
        table.touch("menu", LEAVES, f"choice-{seat}", "choice-0")
    assert table.session.away == set(seats) - {0}
    table.taps = 0
    entries = table.session.entries
    table.touch("menu", LEAVES, "choice-0", "choice-0")
    assert table.told() == table.desk.say("core.somebody-must-stay")
    assert table.session.entries == entries
    for seat in list(seats)[1:]:
        table.taps = 0
        table.touch("menu", LEAVES, f"choice-{seat}")
    assert table.session.away == frozenset()
    assert table.session.moments[: len(answered)] == answered
    assert table.session.questions()
    assert digest(table.kept().state) == table.table


def test_suggestions_for_a_seat_that_left_are_taken_back_when_it_returns(table):
    """They were only at the door: one tap takes back what was answered for them, three say that they are back."""
    table.window.play_until(lambda session: _suggested(session) is not None)
    before, seat = table.session, _suggested(table.session)
    table.touch("menu", LEAVES, f"choice-{seat}", "choice-0")
    table.taps = 0
    table.touch("menu", LEAVES, f"choice-{seat}")
    if len(table.session.moments) > len(before.moments):
        table.touch("undo")
    assert table.session.moments == before.moments
    assert table.session.questions() == before.questions()
    assert table.taps <= 4


def test_the_end_is_taken_back_and_reached_again(table):
    """The last answer was wrong: it is taken back at the table that is over, in one tap, and the play goes on to
    the same end, with the sheet it had."""
    window = table.window
    window.play_until(lambda session: session.over, most=3000)
    sheet, over = table.session.game.sheet(table.session.state), table.session
    assert table.kept().last.sheet is None or table.kept().last.sheet == sheet
    table.touch("undo")
    assert not table.session.over
    assert table.session.questions()
    table.touch("redo")
    assert table.session.moments == over.moments
    assert table.kept().last.sheet == sheet == table.session.game.sheet(table.kept().state)
    assert table.taps == 2


@pytest.mark.parametrize("game", EVERY_GAME)
def test_to_and_fro_again_and_again_is_where_it_was(rehearsal, game):
    """Two children at the undo button."""
    rehearsal.play(game, people(game), answers=30, seed=12)
    table = Stranger(rehearsal)
    before, story = table.session.moments, table.session.story()
    for n in range(20):
        table.desk.undo()
        rehearsal.settle()
        table.desk.undo() if n % 2 else table.desk.redo()
        rehearsal.settle()
        if table.session.ahead:
            table.desk.redo(len(table.session.ahead))
            rehearsal.settle()
    assert table.session.moments == before
    assert table.session.story() == story
    assert [m.entry for m in table.kept().moments] == [m.entry for m in before]


def test_going_back_to_a_backup_out_of_a_play_leads_home(rehearsal, tmp_path, monkeypatch):
    """Settings were opened at the table: the table is not come back to, for its play is put aside."""
    from companion.table import backups

    monkeypatch.setattr(backups, "sticks", lambda: (backups.Stick(tmp_path, True, 10**9),))
    rehearsal.play("race", ("Ania", "Bartek"), answers=4)
    backups.back_up(rehearsal.app.folder / "journal.db", tmp_path, rehearsal.now)
    rehearsal.app.go("settings", section="backup")
    rehearsal.settle_beside()
    rehearsal.tap("restore-0")
    rehearsal.tap("choice-0")
    rehearsal.settle_beside()
    rehearsal.app.back()
    rehearsal.settle()
    assert rehearsal.screen.name == "home"
    rehearsal.tap("resume")
    assert rehearsal.screen.name == "table"
    assert len(rehearsal.app.desk.session.moments) == 5


def _twofold(session):
    """A card that is two options of one question, which a button would answer."""
    for question in session.questions():
        cards = [option.component for option in question.options if option.component is not None]
        if question.default is not None and question.seat is not None and len(session.questions()) == 1:
            yield from ((question.seat, card) for card in cards if cards.count(card) > 1)


def test_a_card_that_could_be_two_answers_is_not_asked_about_for_ever(rehearsal):
    """While people are asked which it is, a button answers its question: what they choose then answers nothing."""
    rehearsal.play("frontiers", people("frontiers"), seed=32)
    rehearsal.play_until(lambda session: any(_twofold(session)))
    table = Stranger(rehearsal)
    seat, card = next(_twofold(table.session))
    table.show(card, game=games()["frontiers"])
    assert table.window.app.asked is not None
    table.press(seat)
    pressed = table.session
    assert len(pressed.moments) > 1
    table.touch("choice-0")
    assert table.session is pressed
    assert table.told() == table.desk.say("core.meanwhile")


def test_what_is_offered_is_what_a_button_confirms(rehearsal):
    """After twenty seconds an offer is gone from the screen as well: a press then passes, as it says there."""
    rehearsal.play("race", ("Ania", "Bartek"), seed=3)
    rehearsal.play_until(lambda s: [q.slug for q in s.questions()] == ["race.place"] * 2)
    table = Stranger(rehearsal)
    card = next(o.component for o in table.asked(0).options if o.component is not None)
    table.show(card, how=Noticed)
    assert "offer-0" in rehearsal.taps()
    rehearsal.now += OFFERED - 0.1
    rehearsal.settle()
    assert "offer-0" in rehearsal.taps()
    rehearsal.now += 0.2
    rehearsal.settle()
    assert "offer-0" not in rehearsal.taps()
    table.desk.propose(Press(0), seen=SeenState(table.session, Offer()))
    rehearsal.settle()
    assert table.session.moments[-1].entry.deed.answer.option == "pass"


def test_an_elbow_on_a_button_in_a_pause(table):
    """All have gone for tea; the lamps are dark, the screen shows no question, and nothing is answered."""
    table.desk.pause()
    table.window.settle()
    paused = table.session
    for seat in range(len(paused.setup.seats)):
        table.press(seat)
    assert table.session is paused
    assert table.told() == table.desk.words(say("core.paused-now"))
    table.touch("go-on")
    assert not table.session.paused


STRANGE = ("Ж" * LONGEST_NAME, "שרה לוי", "🚀👩‍🚀", "İ", "W" * LONGEST_NAME, "e\N{COMBINING ACUTE ACCENT}")


@pytest.mark.parametrize(("game", "seats"), [(id, n) for id in EVERY_GAME for n in games()[id].box.seats])
def test_whatever_people_are_called_and_however_many_they_are(rehearsal, game, seats):
    """Names as long as can be, written from the right, of pictures alone: every page has room for them."""
    rehearsal.play(game, STRANGE[:seats], answers=6, seed=seats)
    table = Stranger(rehearsal)
    for screen in ("table", "history", "correct", "score"):
        rehearsal.app.home("table")
        if screen != "table":
            rehearsal.app.go(screen)
        rehearsal.settle()
        assert rehearsal.screen.name == screen
    rehearsal.app.home("table")
    table.touch("menu", LEAVES)
    rehearsal.app.dismiss()
    table.desk.leave()
    rehearsal.app.home()
    rehearsal.settle()
    rehearsal.tap("resume")
    assert table.session.setup.seats == STRANGE[:seats]
    assert digest(table.kept().state) == table.table


def _form(session):
    """A printed value the table is asked for."""
    return any(question.form is not None for question in session.questions())


@pytest.mark.parametrize(
    "game", [id for id in EVERY_GAME if id not in ("race", "eclipse")]
)  # all is known there
def test_a_printed_value_told_wrong_is_taken_back_and_asked_for_again(rehearsal, game):
    """The table mistakes what a card prints, and somebody has moved since: one tap for each, and it is asked again."""
    rehearsal.play(game, people(game), seed=14)
    rehearsal.play_until(_form)
    table = Stranger(rehearsal)
    before, deeds = table.session, len(table.session.deeds())
    while len(table.session.deeds()) < deeds + 2:
        rehearsal.play_on(1)
    after, taught = table.session, dict(table.session.state.taught)
    table.touch(*("undo",) * (len(after.deeds()) - deeds))
    assert table.session.moments == before.moments
    assert _form(table.session)
    table.taps = 0
    table.touch(*("redo",) * (len(after.deeds()) - deeds))
    assert table.session.moments == after.moments
    assert table.session.state.taught == taught
    assert digest(table.kept().state) == table.table


def test_a_secret_choice_is_taken_back_and_stays_one(rehearsal):
    """Somebody has chosen in secret and finds out that it was the wrong card."""
    rehearsal.play("race", people("race"), seed=15)
    table = Stranger(rehearsal)
    rehearsal.play_until(lambda s: sum(q.secret for q in s.questions()) > 1)
    before = table.session
    rehearsal.play_on(1)
    chosen = table.session.moments[len(before.moments)].entry.deed.answer
    assert table.session.sentence(len(before.moments)) == say(
        "ui.ready", seat=before.setup.seats[chosen.seat]
    )
    table.touch("undo")
    assert table.told() == table.desk.say(
        "ui.takes-back", what=say("ui.ready", seat=before.setup.seats[chosen.seat])
    )
    assert table.session.moments == before.moments
    assert table.desk.questions() == before.questions()
    table.touch("redo")
    assert table.session.moments[len(before.moments)].entry.deed.answer == chosen


def test_a_tile_that_is_touched_and_shown_is_told_once(rehearsal):
    """Technologies are drawn, some of them twice. Somebody holds one up, sees nothing happen, touches it, and then the
    camera reads it: it is only offered. A while later the same is another one."""
    rehearsal.play("eclipse", people("eclipse"), seed=3)
    rehearsal.play_until(lambda s: [q.slug for q in s.questions()] == ["eclipse.technology"])
    table = Stranger(rehearsal)
    (question,) = table.session.questions()
    option = next(option for option in question.options if option.component is not None)
    table.desk.propose(Answer(question.seat, question.slug, option.id))
    rehearsal.settle()
    touched = table.session
    table.show(option.component, game=games()["eclipse"])
    assert table.session is touched
    assert "offer-0" in rehearsal.taps()
    rehearsal.now += 60.0
    rehearsal.settle()
    table.show(option.component, game=games()["eclipse"])
    assert table.session.moments[-1].entry.deed.answer.option == option.id
    assert len(table.session.moments) == len(touched.moments) + 1
