"""The signal intake: order, writing before reporting, cards that wait, and no early messages."""

from __future__ import annotations

import threading
from itertools import product
from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace

from companion.core import autoplay
from companion.core.binder import Binder
from companion.core.entries import Corrected, Paused, Redone, Resumed, Undone
from companion.core.game import Setup, games
from companion.core.journal import Journal
from companion.core.play import Play, read
from companion.core.questions import Answer
from companion.core.scans import Offer
from companion.core.session import Session
from companion.core.store import Store
from companion.core.understand import Accept, Choose, Press, Sighted
from companion.core.words import say
from companion.errors import NotNow, StorageTrouble
from companion.table.signal_intake import OFFERED, STALE, SignalIntake, act
from companion.table.signals import Confirmed, Failed, Outcome, ScanMode, TakeBack
from tests.patience import PATIENCE
from tests.table.desks import RACE, SETUP, ListeningDesk

GEM = Sighted("gem-world", 0)
GOODS = ("tableau", "good")


def hows(table: ListeningDesk) -> list[str]:
    return [outcome.how for outcome in table.outcomes]


def answers(session: Session) -> list[str]:
    """Every option answered so far."""
    return [m.entry.deed.answer.option for m in session.moments[1:] if m.entry is not None]


# One outcome for each signal


def test_a_touch_is_taken_without_a_word(playing: ListeningDesk) -> None:
    answer = playing.first()
    playing.desk.propose(answer)
    playing.settle()
    (outcome,) = playing.outcomes
    assert outcome.meaning == Accept(answer)
    assert outcome.signal == answer
    assert playing.told == []
    assert playing.heard == ["turn"]  # and who is asked now is heard
    assert playing.session is outcome.session
    assert outcome.before.entries == 0


def test_a_card_is_echoed_by_name(playing: ListeningDesk) -> None:
    component = playing.question().options[0].component
    assert component is not None
    playing.camera.show(component)
    playing.settle()
    assert playing.told == [("ui.read", "accepted")]
    assert playing.heard == ["accepted", "turn"]
    assert answers(playing.session) == [component]


def test_a_press_is_heard_and_not_told(playing: ListeningDesk) -> None:
    playing.settling()
    playing.desk.propose(Press(1))
    playing.settle()
    assert playing.outcomes[0].meaning == Accept(Answer(1, "race.place", "pass"))
    assert playing.told == []
    assert playing.heard[0] == "accepted"


def test_deeds_go_through_the_same_door(playing: ListeningDesk) -> None:
    playing.settling()
    before = playing.session
    for deed in (Corrected("chips:0", 5), Undone(1), Redone(1), Paused(), Resumed()):
        playing.desk.propose(deed)
    playing.settle()
    assert hows(playing) == ["done"] * 5
    assert playing.session.entries == before.entries + 5
    assert playing.session.state.seats[0].chips == 5
    assert playing.told == []
    playing.desk.propose(Redone(1))
    playing.settle()
    assert playing.told == [("core.nothing-to-redo", "refused")]


@pytest.mark.parametrize(
    ("signal", "told"),
    [
        (Press(1), "core.not-waiting-for-you"),
        (Sighted("gem-world"), "race.why.not-a-start-world"),
        (Answer(0, "race.action", "settle"), "core.question-is-gone"),
        (Answer(0, "race.start-world", "gem-world"), "core.not-offered"),
    ],
)
def test_what_means_nothing_now_is_refused_with_its_reason(
    playing: ListeningDesk, signal: Press | Sighted | Answer, told: str
) -> None:
    before = playing.session
    playing.desk.propose(signal)
    playing.settle()
    assert hows(playing) == ["refused"]
    trouble = playing.outcomes[0].trouble
    assert isinstance(trouble, NotNow)
    assert (trouble.__traceback__, trouble.__context__) == (None, None), "it would keep the table as it was"
    assert playing.told == [(told, "refused")]
    assert playing.heard == ["refused"]
    assert playing.session is before


def test_a_card_that_lies_there_is_a_quiet_tick(playing: ListeningDesk) -> None:
    playing.settling()
    playing.desk.propose(Sighted("new-sparta"))
    playing.settle()
    assert playing.told == [("ui.lies-there", "known")]
    assert playing.heard == ["known"]


def test_an_offered_choice_is_answered(playing: ListeningDesk) -> None:
    playing.settling()
    playing.camera.show("gem-world")
    playing.settle()
    (offered,) = playing.outcomes
    assert isinstance(offered.meaning, Choose)
    assert not offered.changed
    assert playing.heard == []
    assert playing.told == []
    playing.desk.propose(offered.meaning.answers[1][0])
    playing.settle()
    assert answers(playing.session)[-1] == "gem-world"
    assert {q.seat for q in playing.desk.questions()} == {0}


def test_a_card_that_answered_by_being_confirmed_is_not_offered_in_the_next_round(
    playing: ListeningDesk,
) -> None:
    for component in ("new-sparta", "old-earth"):
        playing.camera.show(component)
        playing.settle()
    playing.camera.lie("explore-5")
    playing.settle()
    offer = playing.outcomes[-1].meaning
    assert isinstance(offer, Offer)
    ((mine, _),) = offer.answers
    playing.desk.propose(mine)
    playing.desk.propose(Answer(1 - (mine.seat or 0), "race.action", "explore-1-1"))
    playing.settle()
    assert playing.session.state.round == 2
    assert {question.slug for question in playing.desk.questions()} == {"race.action"}
    assert playing.outcomes[-1].meaning == Accept(Answer(1 - (mine.seat or 0), "race.action", "explore-1-1"))


def test_nothing_comes_of_anything_without_a_play(table: ListeningDesk) -> None:
    table.camera.show("gem-world")
    for signal in (Press(0), GEM, Answer(0, "race.action", "settle"), Undone(1), TakeBack(0)):
        table.desk.propose(signal)
    table.settle()
    assert table.outcomes == []
    table.play()
    table.camera.wake()
    table.settle()
    assert table.outcomes == [], "what was shown before the play is past"


def test_a_button_pressed_after_people_left_means_nothing(playing: ListeningDesk) -> None:
    playing.settling()
    written = playing.session.entries
    playing.desk.leave()
    playing.desk.propose(Press(0))
    playing.settle()
    assert not any(isinstance(event, Outcome) for event in playing.at_once)
    with Store(playing.folder / "journal.db") as store:
        assert len(Journal(store).load(1).rows) == written


def test_the_news_are_those_of_the_last_answer(playing: ListeningDesk) -> None:
    playing.start_worlds()
    playing.do(Answer(0, "race.action", "settle"))
    assert playing.desk.news == ()
    playing.do(Answer(1, "race.action", "settle"))
    assert playing.desk.news == playing.session.state.news != ()
    playing.do(Paused())
    assert playing.desk.news == (), "no message is repeated"


# Secrets


def test_a_secret_card_is_not_named(playing: ListeningDesk) -> None:
    playing.start_worlds()
    playing.camera.show("settle", seat=1)
    playing.settle()
    assert playing.outcomes[0].answered is not None
    assert playing.outcomes[0].answered.secret
    assert playing.told == [("ui.got-it", "accepted")]
    assert "Settle" not in " ".join(playing.desk.words(o.text) for o in playing.outcomes if o.text)


def test_an_echo_is_told_once_it_is_written(playing: ListeningDesk) -> None:
    playing.start_worlds()
    playing.desk.propose(Answer(1, "race.action", "settle"), say("ui.ready", seat="Bartek"))
    assert playing.told == []
    playing.settle()
    assert playing.told == [("ui.ready", "accepted")]
    assert playing.heard == ["accepted"]


def test_an_echo_is_not_told_of_what_is_refused(playing: ListeningDesk) -> None:
    playing.desk.propose(Answer(1, "race.action", "settle"), say("ui.ready", seat="Bartek"))
    playing.settle()
    assert [key for key, _ in playing.told] == ["core.nobody-asked"]


# Writing comes first


def test_nothing_is_told_or_heard_before_it_is_on_the_disk(
    playing: ListeningDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    playing.start_worlds()
    goes_on, writing, usual = threading.Event(), threading.Event(), Journal.append

    def slow(self: Journal, *entry: object, **how: object) -> None:
        writing.set()
        goes_on.wait(PATIENCE)
        usual(self, *entry, **how)  # type: ignore[arg-type]

    monkeypatch.setattr(Journal, "append", slow)
    before = playing.session
    playing.camera.show("settle", seat=0)
    assert writing.wait(PATIENCE)
    while playing.posted:
        playing.posted.pop(0)()
    assert playing.outcomes == []
    assert playing.at_once == []
    assert playing.told == []
    assert playing.heard == []
    assert playing.session is before
    goes_on.set()
    playing.settle()
    assert hows(playing) == ["accepted"]
    with Store(playing.folder / "journal.db") as store:
        assert len(Journal(store).load(1).rows) == playing.session.entries


@pytest.mark.parametrize("how", ["touch", "card", "press"])
def test_a_full_disk_is_told_and_nothing_has_happened(
    playing: ListeningDesk, how: str, request: pytest.FixtureRequest
) -> None:
    playing.settling()
    request.getfixturevalue("full")
    before = playing.desk.play
    if how == "touch":
        playing.desk.propose(Answer(0, "race.place", "gem-world"))
    elif how == "press":
        playing.desk.propose(Press(0))
    else:
        playing.desk.propose(GEM)
    playing.settle()
    (outcome,) = playing.outcomes
    assert isinstance(outcome.meaning, Failed)
    assert isinstance(outcome.trouble, StorageTrouble)
    assert playing.told == [("core.plain", "refused")]
    assert playing.heard == ["refused"]
    assert playing.desk.play is before
    assert outcome.session is outcome.before is playing.session


def test_the_same_answer_can_be_tried_again_after_the_disk_failed(
    playing: ListeningDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer = playing.first()
    with monkeypatch.context() as broken:
        broken.setattr(Journal, "append", _no_room)
        playing.desk.propose(answer)
        playing.settle()
    playing.desk.propose(answer)
    playing.settle()
    assert hows(playing) == ["refused", "accepted"]


def _no_room(*_: object, **__: object) -> None:
    raise StorageTrouble(say("core.plain", words="The disk is full."))


# Order


def test_outcomes_come_in_the_order_of_their_signals(playing: ListeningDesk) -> None:
    playing.settling()
    goes_on = playing.hold_up_the_disk()
    signals = [Press(0), GEM, Undone(1), Press(1), Sighted("new-sparta"), Press(9), Undone(1)]
    for signal in signals:
        playing.desk.propose(signal)
    goes_on.set()
    playing.settle()
    assert [outcome.signal for outcome in playing.outcomes] == signals
    assert [o for o in playing.at_once if isinstance(o, Outcome)] == playing.outcomes
    for one, next_ in zip(playing.outcomes, playing.outcomes[1:], strict=False):
        assert next_.before is one.session


def test_everything_is_understood_and_written_in_one_thread(
    playing: ListeningDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    playing.settling()
    threads, usual, append = set(), Session.questions, Journal.append

    def questions(session: Session) -> object:
        threads.add(threading.current_thread().name)
        return usual(session)

    def appended(self: Journal, *entry: object, **how: object) -> None:
        threads.add(threading.current_thread().name)
        append(self, *entry, **how)  # type: ignore[arg-type]

    monkeypatch.setattr(Session, "questions", questions)
    monkeypatch.setattr(Journal, "append", appended)
    playing.camera.show("gem-world", seat=None)
    pressing = threading.Thread(target=lambda: playing.desk.propose(Press(1)), name="panel")
    pressing.start()
    pressing.join()
    playing.desk.propose(Answer(0, "race.place", "pass"))
    playing.settle()
    assert len(playing.outcomes) == 3
    assert threads == {"clerk"}
    assert playing.threads == {"clerk"}


@pytest.mark.parametrize("press_first", [True, False])
def test_a_press_and_a_card_at_the_same_time(playing: ListeningDesk, press_first: bool) -> None:
    """Both want the same question: the first has it, and the second is understood as things are then."""
    playing.settling()
    goes_on = playing.hold_up_the_disk()
    for signal in (Press(0), GEM) if press_first else (GEM, Press(0)):
        playing.desk.propose(signal)
    goes_on.set()
    playing.settle()
    assert hows(playing) == ["accepted", "refused"]
    assert playing.told[-1] == ("core.not-waiting-for-you", "refused")
    assert answers(playing.session)[-1] == ("pass" if press_first else "gem-world")
    assert len(answers(playing.session)) == 5


@pytest.mark.parametrize("seats", [(0, 1), (1, 0)])
def test_presses_of_two_seats_at_the_same_time_both_count(
    playing: ListeningDesk, seats: tuple[int, int]
) -> None:
    playing.settling()
    goes_on = playing.hold_up_the_disk()
    pressing = [threading.Thread(target=playing.desk.propose, args=(Press(seat),)) for seat in seats]
    for thread in pressing:
        thread.start()
    for thread in pressing:
        thread.join()
    goes_on.set()
    playing.settle()
    assert hows(playing) == ["accepted", "accepted"]


# Double taps and double presses


def test_a_second_tap_while_the_first_is_written_does_nothing(playing: ListeningDesk) -> None:
    goes_on = playing.hold_up_the_disk()
    answer = playing.first()
    other = Answer(answer.seat, answer.slug, playing.question().options[1].id)
    for tapped in (answer, answer, other):
        playing.desk.propose(tapped)
    goes_on.set()
    playing.settle()
    assert hows(playing) == ["accepted"]
    assert answers(playing.session) == [answer.option]
    assert playing.told == []
    playing.desk.propose(answer)
    playing.settle()
    assert hows(playing) == ["accepted", "refused"], "the question is gone, and a second tap says so"


def test_two_seats_may_tap_at_once(playing: ListeningDesk) -> None:
    playing.start_worlds()
    goes_on = playing.hold_up_the_disk()
    for seat in (0, 1):
        playing.desk.propose(Answer(seat, "race.action", "settle"))
    goes_on.set()
    playing.settle()
    assert hows(playing) == ["accepted", "accepted"]


def test_a_bug_does_not_keep_a_question_from_being_answered(
    playing: ListeningDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer = playing.first()
    with monkeypatch.context() as broken:
        broken.setattr(Play, "answer", lambda *_: 1 // 0)
        playing.desk.propose(answer)
        with pytest.raises(ZeroDivisionError):
            playing.settle()
        playing.settle()
    playing.desk.propose(answer)
    playing.settle()
    assert answers(playing.session) == [answer.option]


def test_a_double_press_takes_back_what_its_first_press_did(playing: ListeningDesk) -> None:
    playing.settling()
    before = playing.session.state
    playing.desk.propose(Press(0))
    playing.desk.propose(TakeBack(0))
    playing.settle()
    assert playing.session.state == before
    assert [outcome.signal for outcome in playing.outcomes] == [Press(0), TakeBack(0)]
    assert playing.outcomes[-1].changed


def test_a_double_press_takes_back_nothing_else(playing: ListeningDesk) -> None:
    """Somebody else answered meanwhile, or the first press was refused."""
    playing.settling()
    playing.desk.propose(Press(0))
    playing.desk.propose(Answer(1, "race.place", "pass"))
    playing.settle()
    after = playing.session
    playing.desk.propose(TakeBack(0))
    playing.desk.propose(TakeBack(0))
    playing.settle()
    assert playing.session is after
    assert hows(playing)[-1] == "done", "after two presses the options are still shown"
    playing.do(*(Answer(q.seat, q.slug, q.options[0].id) for q in playing.desk.questions()[:1]))
    after = playing.session
    playing.desk.propose(Press(9))
    playing.desk.propose(TakeBack(9))
    playing.settle()
    assert playing.session is after


def test_a_double_press_that_was_refused_leaves_an_earlier_press_alone(playing: ListeningDesk) -> None:
    playing.settling()
    playing.desk.propose(Press(0))
    playing.settle()
    answered = playing.session
    playing.desk.propose(Press(0))
    playing.desk.propose(TakeBack(0))
    playing.settle()
    assert hows(playing) == ["accepted", "refused", "done"]
    assert playing.session is answered


# Cards


def selling(playing: ListeningDesk) -> None:
    """Somebody may sell one of two goods whose worlds lie on the table."""
    playing.start_worlds()
    goods = [f"{what}:0:{world}" for world in ("gem-world", "spice-world") for what in ("tableau", "good")]
    playing.do(*(Corrected(counter, 1) for counter in goods))
    playing.do(Answer(0, "race.action", "consume-trade"), Answer(1, "race.action", "produce"))


def test_a_card_that_lies_there_is_an_answer_only_once_it_is_shown(playing: ListeningDesk) -> None:
    selling(playing)
    playing.camera.lie("gem-world", "spice-world", "new-sparta", at=1.0)
    playing.settle()
    assert playing.outcomes == []
    playing.camera.show("gem-world", at=9.0)
    playing.settle()
    assert playing.outcomes[-1].meaning == Accept(Answer(0, "race.sell", "gem-world"))


def test_a_card_laid_among_others_is_only_offered_if_the_table_knows_it(playing: ListeningDesk) -> None:
    selling(playing)
    playing.camera.coming = [replace(playing.camera.labels("gem-world")[0], perhaps_laid=True)]
    playing.camera.wake()
    playing.settle()
    assert hows(playing) == ["offer"]
    assert playing.session.entries == playing.outcomes[0].before.entries


def test_what_follows_in_the_same_gesture_is_only_offered(playing: ListeningDesk) -> None:
    playing.camera.coming = [replace(playing.camera.labels("old-earth")[0], follows=True)]
    playing.camera.wake()
    playing.settle()
    assert hows(playing) == ["offer"]
    assert playing.session.entries == 0


def test_cards_of_two_seats_shown_together_are_confirmed_together(playing: ListeningDesk) -> None:
    playing.start_worlds()
    playing.camera.coming += playing.camera.labels("settle", seat=1)
    playing.camera.show("develop", seat=0)
    playing.settle()
    assert hows(playing) == ["offer"]
    offer = playing.outcomes[0].meaning
    assert isinstance(offer, Offer)
    assert offer.together
    assert [answer for answer, _ in offer.answers] == [
        Answer(1, "race.action", "settle"),
        Answer(0, "race.action", "develop"),
    ]
    assert playing.heard == []
    playing.desk.propose(Confirmed(tuple(answer for answer, _ in offer.answers)))
    playing.settle()
    assert hows(playing)[1:3] == ["accepted", "accepted"]
    assert playing.outcomes[3].meaning == Offer()
    assert len(playing.outcomes) == 4


def test_a_seats_button_confirms_what_its_card_could_answer(playing: ListeningDesk) -> None:
    playing.settling()
    playing.desk.set_scan_mode(ScanMode(seat=1))
    playing.camera.coming = [replace(playing.camera.labels("gem-world")[0], follows=True)]
    playing.camera.wake()
    playing.settle()
    playing.desk.propose(Press(0))
    playing.settle()
    assert answers(playing.session)[-1] == "pass", "it is not this seat's card"
    playing.desk.propose(Press(1))
    playing.settle()
    assert answers(playing.session)[-1] == "gem-world"
    playing.desk.propose(TakeBack(1))
    playing.settle()
    assert answers(playing.session)[-1] == "pass"


def test_an_offer_is_past_once_the_table_has_changed(playing: ListeningDesk) -> None:
    playing.camera.show("new-sparta", "old-earth")
    playing.settle()
    assert hows(playing) == ["offer"]
    playing.desk.propose(Answer(0, "race.start-world", "new-sparta"))
    playing.settle()
    assert playing.outcomes[-2].meaning == Offer()
    last = playing.outcomes[-1].meaning
    assert isinstance(last, Offer), "the other one lies in sight, and could be what is asked for now"
    assert [answer.option for answer, _ in last.answers] == ["old-earth"]


def test_an_offer_is_past_once_a_press_is_taken_back(playing: ListeningDesk) -> None:
    playing.settling()
    playing.desk.propose(Press(0))
    playing.settle()
    playing.desk.set_scan_mode(ScanMode(seat=1))
    playing.camera.coming = [replace(playing.camera.labels("gem-world")[0], follows=True)]
    playing.camera.wake()
    playing.settle()
    assert playing.outcomes[-1].how == "offer"
    playing.desk.propose(TakeBack(0))
    playing.settle()
    assert [outcome.meaning for outcome in playing.outcomes if outcome.how == "offer"][1] == Offer()


def test_an_offer_a_button_confirms_does_not_last_for_ever(playing: ListeningDesk) -> None:
    playing.settling()
    playing.desk.set_scan_mode(ScanMode(seat=1))
    playing.camera.coming = [replace(playing.camera.labels("gem-world")[0], follows=True)]
    playing.camera.wake()
    playing.settle()
    playing.now += OFFERED + 1
    playing.desk.propose(Press(1))
    playing.settle()
    assert answers(playing.session)[-1] == "pass"


def test_a_card_that_lies_in_sight_is_offered_when_its_question_opens(playing: ListeningDesk) -> None:
    playing.start_worlds()
    playing.desk.set_scan_mode(ScanMode())
    playing.camera.show("gem-world", at=1.0)
    playing.settle()
    assert hows(playing) == ["refused"]
    playing.do(Answer(0, "race.action", "settle"))
    playing.desk.propose(Answer(1, "race.action", "settle"))
    playing.settle()
    offer = playing.outcomes[-1].meaning
    assert isinstance(offer, Offer)
    assert [answer for answer, _ in offer.answers] == [
        Answer(0, "race.place", "gem-world"),
        Answer(1, "race.place", "gem-world"),
    ]
    playing.camera.take_away("gem-world")
    playing.do(Undone(1))
    playing.desk.propose(Redone(1))
    playing.settle()
    assert not any(
        isinstance(outcome.meaning, Offer) and outcome.meaning.answers for outcome in playing.outcomes
    )


def test_a_card_touched_in_the_picture_belongs_to_the_seat_that_has_the_screen(
    playing: ListeningDesk,
) -> None:
    playing.settling()
    playing.desk.set_scan_mode(ScanMode(seat=1))
    playing.desk.propose(Sighted("gem-world"))
    playing.settle()
    assert playing.outcomes[0].meaning == Accept(Answer(1, "race.place", "gem-world"))


def test_cards_of_one_picture_after_another_are_understood_in_order(playing: ListeningDesk) -> None:
    playing.camera.show("new-sparta", at=1.0)
    playing.camera.show("old-earth", at=1.1)
    playing.settle()
    assert answers(playing.session) == ["new-sparta", "old-earth"]


def test_several_cards_at_once_that_answer_one_question_are_offered(playing: ListeningDesk) -> None:
    playing.camera.show("new-sparta", "old-earth")
    playing.settle()
    assert hows(playing) == ["offer"]
    assert playing.told == []
    assert playing.session.entries == 0


def test_a_camera_that_is_switched_on_says_nothing(playing: ListeningDesk) -> None:
    playing.start_worlds()
    playing.camera.lie("new-sparta", "old-earth")
    playing.settle()
    assert playing.outcomes == []
    assert playing.told == []
    assert playing.heard == []


def test_one_card_that_lies_there_is_ticked(playing: ListeningDesk) -> None:
    playing.start_worlds()
    playing.camera.show("new-sparta")
    playing.settle()
    assert playing.told == [("ui.lies-there", "known")]


def test_cards_shown_while_scans_are_off_wait(playing: ListeningDesk) -> None:
    playing.desk.set_scan_mode(ScanMode("later"))
    playing.camera.show("new-sparta", at=1.0)
    playing.camera.show("old-earth", at=2.0)
    playing.settle()
    assert playing.outcomes == []
    playing.desk.set_scan_mode(ScanMode())
    playing.settle()
    assert answers(playing.session) == ["new-sparta", "old-earth"]
    playing.desk.set_scan_mode(ScanMode("later"))
    playing.desk.set_scan_mode(ScanMode())
    playing.settle()
    assert len(playing.outcomes) == 2, "a card that was let in does not come again"


def test_a_card_that_waited_for_long_is_only_offered(playing: ListeningDesk) -> None:
    playing.desk.set_scan_mode(ScanMode("later"))
    playing.camera.show("old-earth")
    playing.settle()
    playing.now += STALE + 1
    playing.desk.set_scan_mode(ScanMode())
    playing.settle()
    assert hows(playing) == ["offer"]
    assert playing.session.entries == 0


def test_a_card_shown_twice_while_it_waits_is_meant_once(playing: ListeningDesk) -> None:
    """HeldLabels again, the world just placed could be the answer to what is asked next."""
    playing.settling()
    playing.desk.set_scan_mode(ScanMode("later", seat=0))
    for at in (1.0, 2.0, 3.0):
        playing.camera.show("gem-world", at=at)
        playing.settle()
    playing.camera.show("spice-world", at=4.0)
    playing.desk.set_scan_mode(ScanMode(seat=0))
    playing.settle()
    assert [o.signal.component for o in playing.outcomes if isinstance(o.signal, Sighted)] == [
        "gem-world",
        "spice-world",
    ]


def test_a_card_that_waited_is_understood_as_things_are_then(playing: ListeningDesk) -> None:
    playing.desk.set_scan_mode(ScanMode("later"))
    playing.camera.show("old-earth")
    playing.desk.propose(Answer(0, "race.start-world", "old-earth"))  # what the dialog was about
    playing.desk.set_scan_mode(ScanMode())
    playing.settle()
    assert answers(playing.session) == ["old-earth"]
    assert playing.told == [("ui.lies-there", "known")]


def test_a_card_seen_where_it_lay_is_only_offered_though_it_is_taken_back(playing: ListeningDesk) -> None:
    """Somebody thinks about undoing; the camera meets what lies there; then it is undone."""
    playing.do(Answer(0, "race.start-world", "new-sparta"))
    playing.camera.lie("new-sparta")
    playing.desk.propose(Undone(1))
    playing.settle()
    assert hows(playing) == ["done", "offer"]
    assert answers(playing.session) == []


def test_cards_that_are_looked_at_for_another_reason_are_past(playing: ListeningDesk) -> None:
    playing.desk.set_scan_mode(ScanMode("later"))
    playing.camera.show("new-sparta")
    playing.settle()
    playing.desk.set_scan_mode(ScanMode("never"))
    playing.settle()
    playing.camera.show("old-earth", at=2.0)
    playing.settle()
    playing.desk.set_scan_mode(ScanMode())
    playing.settle()
    assert playing.outcomes == []
    assert playing.session.entries == 0


def test_cards_wait_while_somebody_says_which_one_it_is(playing: ListeningDesk) -> None:
    playing.settling()
    playing.camera.show("gem-world", at=1.0)
    playing.camera.show("spice-world", at=2.0)
    playing.settle()
    assert hows(playing) == ["choose"]
    offered = playing.outcomes[0].meaning
    assert isinstance(offered, Choose)
    playing.desk.propose(offered.answers[0][0])
    playing.desk.set_scan_mode(ScanMode())
    playing.settle()
    assert hows(playing) == ["choose", "accepted", "accepted"]
    assert answers(playing.session)[-2:] == ["gem-world", "spice-world"]


def test_the_seat_that_has_the_screen_shows_the_cards_while_it_is_asked(playing: ListeningDesk) -> None:
    playing.settling()
    playing.desk.set_scan_mode(ScanMode(seat=1))
    playing.camera.show("gem-world", at=1.0)
    playing.camera.show("spice-world", at=2.0)
    playing.settle()
    assert [outcome.signal for outcome in playing.outcomes] == [
        Sighted("gem-world", 1),
        Sighted("spice-world"),
    ]
    assert hows(playing) == ["accepted", "accepted"]


def test_another_play_begins_without_the_cards_of_the_last(playing: ListeningDesk) -> None:
    playing.desk.set_scan_mode(ScanMode("later"))
    playing.camera.show("new-sparta")
    playing.desk.leave()
    playing.play()
    playing.desk.set_scan_mode(ScanMode())
    playing.settle()
    assert playing.outcomes == []


# Questions are built once


@pytest.mark.parametrize(
    ("signal", "times"),
    [
        ("card", 1),
        (GEM, 1),
        (Press(0), 1),
        (Answer(0, "race.place", "pass"), 1),
        (Undone(1), 1),
        (Sighted("public-works", 0), 0),
        (Press(9), 0),
    ],
)
def test_questions_are_built_once_per_change(
    playing: ListeningDesk, monkeypatch: pytest.MonkeyPatch, signal: object, times: int
) -> None:
    playing.settling()
    built, usual = [], Session.questions
    monkeypatch.setattr(Session, "questions", lambda session: (built.append(session), usual(session))[1])
    if signal == "card":
        playing.desk.set_scan_mode(ScanMode(seat=0))
        playing.camera.show("gem-world")
    else:
        playing.desk.propose(signal)  # type: ignore[arg-type]
    playing.settle()
    assert len(playing.outcomes) == 1
    playing.desk.questions()
    assert len(built) == times
    assert playing.desk.questions() == usual(playing.session)


# At any moment


@pytest.mark.parametrize(("id", "seed"), list(product(sorted(games()), range(2))))
def test_whatever_is_proposed_there_is_one_outcome_and_the_journal_agrees(
    tmp_path: Path, id: str, seed: int
) -> None:
    """Random signals at every stage of a play: nothing raises, and what is reported is what was written."""
    rules, random = games()[id], Random(seed)
    with Store(tmp_path / "journal.db") as store:
        play = Play.start(rules, Setup(id, ("Ania", "Bartek")), Journal(store), Binder(store), 0.0)
        intake, bots = SignalIntake(), rules.bots(play.session.setup, random)
        intake.enter(play)
        bots.follow(play.session.state, play.session.news)
        components = [component.id for component in play.session.catalogue]
        for n in range(40):
            if play.session.over:
                break
            before = play.session
            for signal in (Press(9), Sighted("chess-king"), Answer(0, "x.y", "z"), Redone(1), TakeBack(0)):
                (outcome,) = intake.propose(signal, float(n))
                assert not outcome.changed
                assert play.session is before
            (seen,) = intake.propose(Sighted(random.choice(components)), float(n))
            if seen.changed:
                (undone,) = intake.propose(Undone(play.session.last_deed), float(n))
                assert undone.session.state == before.state
            (outcome,) = intake.propose(autoplay.next_answer(play.session.state, bots, random), float(n))
            assert outcome.how == "accepted"
            assert outcome.questions == play.session.questions()
            bots.follow(play.session.state, play.session.news)
        assert read(Journal(store).load(play.id)).session.state == play.session.state


def test_a_terminal_needs_no_thread(tmp_path: Path) -> None:
    """The same function, called with the journal."""
    with Store(tmp_path / "journal.db") as store:
        play = Play.start(RACE, SETUP, Journal(store), Binder(store), 0.0)
        outcome = act(play, Sighted("new-sparta"), 1.0, play.session.questions())
        assert outcome.meaning == Accept(Answer(0, "race.start-world", "new-sparta"))
        assert len(Journal(store).load(1).rows) == 1


def test_what_leaves_no_choice_is_answered_along_and_taken_back_with_it(tmp_path: Path) -> None:
    rules = games()["race"]
    with Store(tmp_path / "journal.db") as store:
        play = Play.start(rules, Setup("race", ("Ania", "Bartek")), Journal(store), Binder(store), 0.0)
        intake = SignalIntake()
        intake.enter(play)
        for signal in (
            Answer(0, "race.start-world", "old-earth"),
            Answer(1, "race.start-world", "new-sparta"),
            *(Corrected(f"{what}:0:{world}", 1) for world in ("gem-world", "spice-world") for what in GOODS),
            Corrected("tableau:0:earths-lost-colony", 1),
            Answer(0, "race.action", "consume-x2"),
        ):
            (_,) = intake.propose(signal, 1.0)
        before = play.session
        (outcome,) = intake.propose(Answer(1, "race.action", "produce"), 2.0)
        assert play.session.entries == before.entries + 2, "the consuming came along"
        assert [moment.entry.same_deed for moment in play.session.moments[-2:] if moment.entry] == [
            False,
            True,
        ]
        assert outcome.answered is not None
        assert outcome.answered.slug == "race.action"
        assert play.session.last_deed == 2
        (undone,) = intake.propose(Undone(play.session.last_deed), 3.0)
        assert undone.session.state == before.state
        assert play.session.next_deed == 2


def test_several_answers_confirmed_together_are_one_deed(tmp_path: Path) -> None:
    rules = games()["race"]
    with Store(tmp_path / "journal.db") as store:
        play = Play.start(rules, Setup("race", ("Ania", "Bartek")), Journal(store), Binder(store), 0.0)
        intake = SignalIntake()
        intake.enter(play)
        for seat, world in enumerate(("old-earth", "new-sparta")):
            (_,) = intake.propose(Answer(seat, "race.start-world", world), 1.0)
        before = play.session
        chosen = Confirmed((Answer(0, "race.action", "explore-5"), Answer(1, "race.action", "settle")))
        outcomes = list(intake.propose(chosen, 2.0))
        assert [outcome.how for outcome in outcomes] == ["accepted", "accepted"]
        assert play.session.last_deed == 2
        assert {item.kind for item in play.session.news} == {"reveal", "hands"}, "of the whole deed"
        list(intake.propose(Undone(play.session.last_deed), 3.0))
        assert play.session.state == before.state
