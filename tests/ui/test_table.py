"""The table screen: it shows what the core says, and no secret."""

import threading

import pytest
from kivy.core.window import Window

from companion.core.deed_words import did
from companion.core.game import game
from companion.core.help import reason_against, reminder, rule_of
from companion.core.questions import Answer, Option, Question
from companion.core.scans import Offer
from companion.core.session import Session
from companion.core.tasks import hand_tasks
from companion.core.understand import Press, Sighted
from companion.core.words import plain, say
from companion.errors import Trouble
from companion.recognition import reading
from companion.table.desk import option_words
from companion.table.signals import Confirmed
from companion.texts import render
from companion.ui.screens.table.band import Prompt
from companion.ui.screens.table.options import IN_SIGHT
from companion.ui.toolkit.geometry import rect, visible, walk
from companion.ui.toolkit.kit import Scroll, Tap, Words
from companion.ui.toolkit.overlays import Overlay
from companion.ui.toolkit.screen import AppQuestion
from tests.patience import PATIENCE
from vision.label_news import Brought
from vision.sightings import Sighting
from workshop.screens.checks import problems
from workshop.screens.rehearsal import Finger

SEATS = ("Ania", "Bartek", "Celina")


def secret(session):
    return all(question.secret for question in session.questions())


@pytest.fixture
def table(rehearsal):
    rehearsal.play("race", SEATS, seed=3)
    return rehearsal


def shown(rehearsal):
    return "\n".join(rehearsal.words())


def test_every_question_of_a_whole_play_is_shown_with_its_options(table):
    seen = set()
    for _ in range(20):
        session = table.app.desk.session
        if session.over:
            break
        for question in table.app.desk.questions():
            if question.secret:
                continue
            seen.add(question.slug.split(".")[-1])
            if f"ask-{question.seat}" in table.taps():
                table.tap(f"ask-{question.seat}")
            assert table.app.desk.words(question.text) in table.words()
            main = [o for o in question.options if o.group is None or len(question.options) <= IN_SIGHT]
            if "choose" not in table.taps():
                assert {f"option-{option.id}" for option in main} <= set(table.taps())
            if "ask-all" in table.taps():
                table.tap("ask-all")
        entries = session.entries
        table.play_until(
            lambda now, entries=entries: (now.entries >= entries + 4 and not secret(now)) or now.over
        )
    assert len(seen) > 3


@pytest.mark.parametrize(("groups", "options"), [(0, 5), (0, 12), (6, 9), (20, 23)])
def test_one_button_is_filled_where_answers_follow_from_the_suggested_one(
    table, monkeypatch, groups, options
):
    """`groups` of the options are behind a heading."""
    named = [
        Option(str(n), plain(f"Option {n}"), group=plain("More") if n >= options - groups else None)
        for n in range(options)
    ]
    question = Question("race.consume", 0, plain("How?"), tuple(named))
    chain = [(Answer(0, question.slug, "0"), named[0]), (Answer(0, "race.then", "1"), named[1])]
    screen = table.screen
    for suggested, main in ((chain, "as-suggested"), ([], "option-0")):
        monkeypatch.setattr(screen, "suggested", lambda suggested=suggested: suggested)
        page = screen._options(question)
        page.place(0, 0, 780, 300)
        filled = {tap.name for tap in walk(page) if isinstance(tap, Tap) and tap.ground == "main"}
        assert filled == {main}


def chosen(rehearsal):
    """What was answered last, of all that one tap did."""
    return [moment.entry.deed.answer for moment in rehearsal.app.desk.session.moments[1:]]


def test_a_tap_answers(table):
    question = table.app.desk.session.questions()[0]
    table.tap(f"option-{question.options[1].id}")
    assert chosen(table)[-1].option == question.options[1].id


def test_a_secret_question_shows_no_option_and_no_choice(table):
    table.change(in_secret=True)
    table.play_until(secret)
    names = set()
    for _ in range(2):
        for question in table.app.desk.session.questions():
            assert not [tap for tap in table.taps() if tap.startswith("option-")]
            names |= {option_words(table.app.desk, option)[0] for option in question.options}
            assert f"ask-{question.seat}" in table.taps()
        assert not names & set(table.words())
        table.play_on(1)
    answered = [m.entry.deed.answer for m in table.app.desk.session.moments[-2:]]
    assert len(answered) == 2
    assert not names & set(table.words())


def test_a_secret_card_before_the_camera_is_not_named(table):
    table.change(in_secret=True)
    table.play_until(secret)
    question = table.app.desk.session.questions()[0]
    option = next(option for option in question.options if option.component is not None)
    table.app.desk.propose(Sighted(option.component, question.seat))
    table.settle()
    name = table.app.desk.words(table.app.desk.name_of(option.component))
    assert name not in shown(table)
    assert table.app.desk.session.entries > 0


def test_who_is_asked_in_secret_takes_the_screen(table):
    table.change(in_secret=True)
    table.play_until(secret)
    seat = table.app.desk.session.questions()[1].seat
    table.tap(f"ask-{seat}")
    assert table.app.screen.name == "choose"
    assert table.app.screen.seat == seat


def test_scores_can_be_switched_off(table):
    table.play_until(lambda session: session.entries > 60)
    points = [
        str(seat.points) for seat in table.app.desk.session.game.view(table.app.desk.session.state).seats
    ]
    assert set(points) <= set(table.words())
    stars = len([words for words in table.words() if words in points])
    table.change(scores=False)
    assert len([words for words in table.words() if words in points]) < stars


def test_the_end_is_announced(table):
    table.play_until(lambda session: bool(session.game.view(session.state).alerts))
    view = table.app.desk.session.game.view(table.app.desk.session.state)
    for alert in view.alerts:
        assert table.app.desk.words(alert) in table.words()


def test_when_it_is_over_the_way_leads_to_the_score(table):
    table.play_until(lambda session: session.over)
    table.tap("score")
    assert table.app.screen.name == "score"


def test_one_tap_undoes_the_last_deed_and_says_so_and_one_puts_it_back(table):
    table.play_on(3)
    before = table.app.desk.session
    table.tap("undo")
    assert table.app.asked is None
    told = table.app.desk.words(did(before, len(before.moments) - 1))
    assert f"Taken back: {told}" in table.words()
    assert len(table.app.desk.session.moments) == len(before.moments) - 1
    table.tap("redo")
    assert table.app.desk.session.state == before.state
    assert f"Done again: {told}" in table.words()
    assert not [words for words in table.words() if words.startswith("Taken back")]


def test_undo_tells_what_it_took_back_of_all_seats(table):
    """Everybody's cards that were told at once are taken back at once."""
    session = table.app.desk.session
    table.play_until(lambda session: len(session.questions()) > 1)
    session = table.app.desk.session
    answers = tuple(Answer(q.seat, q.slug, q.options[0].id) for q in session.questions())
    table.app.desk.propose(Confirmed(answers))
    table.settle()
    assert table.app.desk.session.last_deed >= len(answers) > 1
    table.tap("undo")
    told = next(words for words in table.words() if words.startswith("Taken back"))
    names = session.setup.seats
    assert [name for name in names if name in told] == [names[answer.seat] for answer in answers]


def test_a_finger_that_touches_undo_twice_takes_back_one_thing_and_not_redo(table):
    table.play_on(3)
    before = table.app.desk.session
    x, y = table.middle(table.taps()["undo"])
    table.touch(x, y)
    table.settle()
    table.touch(x, y, twice=True)
    table.settle()
    assert len(table.app.desk.session.moments) == len(before.moments) - 1
    table.tap("undo")
    assert table.middle(table.taps()["undo"])[0] == x
    assert len(table.app.desk.session.moments) == len(before.moments) - 2


def test_a_card_that_means_nothing_is_refused_in_words_that_go_away(table):
    table.play_until(lambda session: not secret(session) and session.entries > 30)
    lying = sorted(table.app.desk.session.game.on_table(table.app.desk.session.state))[0]
    table.app.desk.propose(Sighted(lying))
    table.settle()
    assert table.app.message is not None
    table.now += 60
    table.app.tick()
    assert table.app.message is None


def test_both_languages_at_once(table):
    english = shown(table)
    table.change(language="pl")
    assert shown(table) != english
    table.change(language="en")
    assert shown(table) == english


def first_option(rehearsal):
    """The place of the first option of the only seat that is asked."""
    question = rehearsal.app.desk.session.questions()[0]
    return rehearsal.middle(rehearsal.taps()[f"option-{question.options[0].id}"])


def test_a_double_tap_answers_one_question(table):
    session = table.app.desk.session
    place = first_option(table)
    table.touch(*place)
    table.settle()
    assert table.app.desk.session.entries == session.entries + 1
    table.touch(*place, twice=True)
    table.settle()
    assert table.app.desk.session.entries == session.entries + 1
    table.touch(*first_option(table))
    table.settle()
    assert table.app.desk.session.entries > session.entries + 1


def test_a_second_tap_before_the_answer_is_written_is_no_mistake(table):
    session = table.app.desk.session
    place = first_option(table)
    slow = threading.Event()
    table.app.desk.clerk.do(lambda journal, binder: slow.wait(PATIENCE), lambda _: None, lambda _: None)
    table.touch(*place)
    table.touch(*place)
    slow.set()
    table.settle()
    assert table.app.desk.session.entries == session.entries + 1
    assert table.app.message is None


def test_the_clock_of_who_is_asked_runs(table):
    assert "0:00" not in table.words(), "nobody wanted clocks yet"
    table.change(clocks=True)
    before = table.words()
    assert "0:00" in before
    table.now += 65
    table.settle()
    assert "1:05" in table.words()


def test_a_dialog_and_a_told_sentence_change_language_at_once(table):
    table.tap("menu")
    table.app.tell(say("ui.got-it"))
    table.settle()
    assert {"What would you like to do?", render(say("ui.got-it"), "en")} & set(table.words())
    for language in ("pl", "en"):
        table.change(language=language)
        for key in ("ui.menu", "ui.pause", "ui.cancel", "ui.got-it"):
            assert render(say(key), language) in table.words()
    table.tap("choice-3")
    assert table.app.desk.session.paused


def test_a_finger_that_rests_before_it_scrolls_chooses_nothing(table):
    table.play_until(lambda session: session.entries > 60)
    table.app.go("history")
    table.settle()
    scroll = next(part for part in walk(table.app.stage) if isinstance(part, Scroll) and part.higher)
    scroll.scroll_timeout = 0  # as if it had rested for long
    for far, asked in ((-30, False), (-5, True)):
        row = next(tap for name, tap in table.taps().items() if name.startswith("line-"))
        x, y = table.middle(row)
        finger = Finger(x, y)
        table._touched += 60.0
        finger.came = table._touched
        table._dispatch("begin", finger)
        table.frames(5)
        finger.move({"x": finger.sx, "y": (y + far) / (Window.height - 1.0)})
        table._dispatch("update", finger)
        table.frames(1)
        table._dispatch("end", finger)
        table.settle()
        assert (table.app.asked is not None) is asked


def notice_on(rehearsal):
    """Where the table says what is no seat's."""
    return next(part for part in rehearsal.app.stage.children if isinstance(part, Overlay))


def test_an_offer_lies_on_nobody_who_is_asked_and_names_its_seat_once(table):
    table.play_until(lambda session: not secret(session) and session.entries > 30)
    question = next(q for q in table.app.desk.session.questions() if len(q.options) > 1)
    two = [(Answer(question.seat, question.slug, option.id), option) for option in question.options[:2]]
    table.app.front.put_forward(Offer(tuple(two)))
    card = notice_on(table)
    name = SEATS[question.seat]
    assert sum(name in part.text for part in walk(card) if isinstance(part, Words)) == 1
    prompt = rect(next(part for part in walk(table.app.stage) if isinstance(part, Prompt)))
    assert rect(card)[3] <= prompt[1] or rect(card)[1] >= prompt[3]


@pytest.mark.parametrize("together", [True, False])
def test_an_offer_of_many_is_whole_with_large_letters(rehearsal, together):
    """Five show a card each at once: anyone can confirm it, or dismiss it."""
    rehearsal.change(language="pl", text_size=150)
    rehearsal.play("race", ("Ania", "Bartek", "Celina", "Dobrosława"), seed=3)
    rehearsal.play_until(lambda session: sum(len(q.options) > 1 for q in session.questions()) == 4)
    asked, each = rehearsal.app.desk.questions(), 1 if together else 2
    shown = [(Answer(q.seat, q.slug, o.id), o) for q in asked for o in q.options[:each]]
    rehearsal.app.front.put_forward(Offer(tuple(shown)))
    card = rect(notice_on(rehearsal))
    assert card[1] >= 0
    assert card[3] <= Window.height
    away = rehearsal.taps()["offer-no"]
    assert visible(away) == rect(away)
    if together:
        assert visible(rehearsal.taps()["offer-0"]) == rect(rehearsal.taps()["offer-0"])


def test_a_sentence_that_is_told_lies_on_no_option(table):
    """A whole game long: a tap on an option must not hit what the camera just said instead."""
    covered = looked = 0
    while not table.app.desk.session.over:
        entries = table.app.desk.session.entries
        table.play_until(lambda now, entries=entries: now.entries > entries + 5 or now.over, 60)
        table.app.tell(say("ui.got-it"), "accepted")
        told = rect(notice_on(table))
        hands = rect(table.taps().get("tick") or table.taps()["scan"])
        assert told[1] > hands[3]  # what hands must do stays in sight
        for name, tap in table.taps().items():
            if name.startswith("option-") and (seen := visible(tap)) is not None:
                looked += 1
                covered += min(told[2], seen[2]) > max(told[0], seen[0]) and min(told[3], seen[3]) > max(
                    told[1], seen[1]
                )
    assert looked > 30
    assert covered == 0


def test_a_sentence_is_whole_whatever_was_scrolled_away_above(table):
    """What is scrolled out of sight stands in the way of nothing, least of all of the room a sentence has."""
    table.play_until(lambda session: len(hand_tasks(session)) > 7)
    table.change(text_size=150)
    table.screen.hands.show_all()
    table.tap("earlier")
    scroll = next(part for part in walk(table.app.stage) if isinstance(part, Scroll) and part.higher)
    scroll.scroll_y = 0.0
    table.frames(2)
    table.app.front.put(say("ui.got-it"), "accepted")
    table.app.show_before()
    assert rect(notice_on(table))[2] > Window.width / 4
    table.shoot(table.app.folder / "told.png")
    assert not [
        wrong for wrong in problems(table.app, table.app.folder / "told.png") if "got" in wrong.lower()
    ]


@pytest.mark.parametrize("size", [100, 150])
def test_the_way_on_is_in_sight_however_much_is_told(table, size):
    """After reading everything about a question, the way back is easy to find."""
    table.change(text_size=size)
    told = "\n".join("Mining Conglomerate: discard goods of this kind for points" for _ in range(20))
    table.app.ask(lambda: AppQuestion("Which good do you sell?", [("OK", lambda: None)], told))
    ok = table.taps()["choice-0"]
    assert visible(ok) == rect(ok)
    assert rect(ok)[1] > 0
    table.shoot(table.app.folder / "asked.png")
    assert not problems(table.app, table.app.folder / "asked.png")
    table.touch(*table.middle(ok))
    table.settle()
    assert table.app.asked is None


def test_what_a_seat_is_told_stands_in_its_own_panel(table):
    (question,) = table.app.desk.session.questions()
    table.app.desk.propose(Press(2))
    table.settle()
    words, how = table.app.message
    assert question.seat != 2
    assert how == "refused"
    said = next(part for part in walk(table.app.stage) if isinstance(part, Words) and part.text == words)
    assert said in set(walk(table.taps()["seat-2"]))


def test_a_long_sentence_can_be_read_longer_than_a_short_one(table):
    table.app.tell(say("ui.got-it"), "accepted")
    table.now += 3
    table.settle()
    assert table.app.message is None
    table.app.tell(say("camera.black", source="usb:0"), "refused")
    table.now += 8
    table.settle()
    assert table.app.message is not None


def test_a_camera_that_is_unplugged_is_shown_at_once(table):
    assert "blind" not in table.taps()
    table.camera_feed.wrong = say("camera.black", source="usb:0")
    table.settle()
    assert "blind" in table.taps()
    table.tap("blind")
    assert render(say("camera.black", source="usb:0"), "en") in table.words()
    table.app.dismiss()
    table.camera_feed.wrong = None
    table.settle()
    assert "blind" not in table.taps()


def test_without_a_camera_nobody_is_told_to_use_it(table):
    table.change(in_secret=True)
    table.play_until(secret)
    assert "camera" not in shown(table)
    table.camera_feed.watch("virtual")
    table.app.refresh()
    assert "camera" in shown(table)


def test_a_trouble_goes_away_when_the_next_answer_is_written(table):
    desk = table.app.desk
    desk.clerk.do(_no_room, lambda _: None, desk._trouble)
    table.settle()
    assert table.app.message is not None
    table.play_on(1)
    assert table.app.message is None


def _no_room(journal, binder):
    raise Trouble(say("core.plain", words="The disk is full."))


def test_long_names_are_not_broken(rehearsal, tmp_path):
    rehearsal.play("race", ("Żółć Ćma-Łęcka", "Bartłomiej Maksymilian Żyźński"), answers=20, seed=3)
    file = tmp_path / "names.png"
    rehearsal.shoot(file)
    assert problems(rehearsal.app, file) == []


def several_are_asked(rehearsal):
    rehearsal.play("race", SEATS, answers=60, seed=3)
    rehearsal.play_until(lambda session: not secret(session) and len(session.questions()) == len(SEATS))


@pytest.mark.parametrize("language", ["en", "pl"])
def test_several_seats_stand_below_each_other_with_their_usual_answers_in_sight(rehearsal, language):
    several_are_asked(rehearsal)
    rehearsal.change(language=language)
    taps = rehearsal.taps()
    heads = [taps[f"ask-{seat}"] for seat in range(len(SEATS))]
    assert [head.y for head in heads] == sorted((head.y for head in heads), reverse=True)
    for question in rehearsal.app.desk.session.questions():
        name = f"option-{question.options[0].id}-{question.seat}"
        if name in taps:
            assert abs(taps[name].center_y - heads[question.seat].center_y) <= 1
            assert visible(taps[name]) == rect(taps[name])


def test_one_tap_answers_for_everybody_as_suggested_and_is_one_deed(rehearsal):
    rehearsal.play("race", SEATS, answers=60, seed=3)
    while "everybody" not in rehearsal.taps() or secret(rehearsal.app.desk.session):
        rehearsal.play_on()
    before = rehearsal.app.desk.session
    asked = before.questions()
    rehearsal.tap("everybody")
    told = [m.entry.deed.answer for m in rehearsal.app.desk.session.moments[len(before.moments) :]]
    assert {(a.seat, a.option) for a in told[: len(asked)]} == {(q.seat, q.options[0].id) for q in asked}
    rehearsal.tap("undo")
    assert rehearsal.app.desk.session.state == before.state


def actions(session):
    return all(q.slug == "race.action" for q in session.questions())


def test_actions_that_were_turned_over_are_one_tap_for_each_seat(table):
    table.play_until(actions)
    before = table.app.desk.session
    for seat, option in ((0, "develop"), (1, "settle"), (1, "produce")):  # the last mends the one before
        table.tap(f"option-{option}-{seat}")
        assert table.app.desk.session is before, "nothing is written before everybody has answered"
    table.tap("option-explore-5-2")
    told = [m.entry.deed.answer for m in table.app.desk.session.moments[len(before.moments) :]][:3]
    assert [(a.seat, a.option) for a in told] == [(0, "develop"), (1, "produce"), (2, "explore-5")]
    assert table.app.desk.session.last_deed >= 3


def test_a_card_before_the_camera_tells_for_one_seat_and_keeps_what_was_tapped(table):
    table.play_until(actions)
    table.tap("option-develop-0")
    table.app.desk.propose(Sighted("settle", 1))
    table.settle()
    assert not [name for name in table.taps() if name.startswith("option-") and name.endswith("-1")]
    table.tap("option-produce-2")
    last = table.app.desk.session.moments
    told = {
        m.entry.deed.answer.seat: m.entry.deed.answer.option
        for m in last[-table.app.desk.session.last_deed :]
    }
    assert told[0] == "develop"
    assert told[2] == "produce"


def placements(session):
    return all(q.slug == "race.place" and len(q.options) > 12 for q in session.questions())


def test_cards_that_were_turned_over_are_told_seat_after_seat(table):
    table.play_until(lambda s: placements(s) and len(s.questions()) == 3)
    before = table.app.desk.session
    first = before.questions()[0]
    while f"option-{first.options[1].id}" not in table.taps():  # the most expensive comes last
        table.tap("next")
    table.tap(f"option-{first.options[1].id}")
    assert table.app.desk.session is before
    assert table.app.desk.words(first.options[1].text) in table.words()
    table.tap("everybody")
    told = [m.entry.deed.answer for m in table.app.desk.session.moments[len(before.moments) :]][:3]
    assert [a.option for a in told] == [first.options[1].id, "pass", "pass"]


def test_what_is_turned_over_fills_the_screen_for_two_seconds_or_until_a_tap(table):
    table.change(moments=True)
    table.play_until(actions)
    for seat, option in enumerate(("develop", "develop", "develop")):
        table.tap(f"option-{option}-{seat}")
    assert render(say("ui.revealed"), "en") in table.words()
    table.now += 1.0
    table.settle()
    assert render(say("ui.revealed"), "en") in table.words()
    table.now += 1.5
    table.settle()
    assert render(say("ui.revealed"), "en") not in table.words()
    table.app.desk.undo()
    table.settle()
    for seat in range(3):
        table.tap(f"option-develop-{seat}")
    assert render(say("ui.revealed"), "en") in table.words()
    table.touch(400, 240)
    assert render(say("ui.revealed"), "en") not in table.words()


def test_moments_can_be_switched_off(table):
    table.change(moments=False)
    table.play_until(actions)
    for seat in range(3):
        table.tap(f"option-develop-{seat}")
    assert render(say("ui.revealed"), "en") not in table.words()


def test_a_finger_that_touches_twice_ticks_off_one_line(table):
    """The next line comes up under the finger: it was not meant."""
    table.play_until(lambda session: len({c.since for c in hand_tasks(session)}) < len(hand_tasks(session)))
    session = table.app.desk.session
    since = [chore.since for chore in hand_tasks(session)]
    first = next(n for n in range(len(since)) if since.count(since[n]) > 1)
    table.screen.hands.show_all()
    table.frames(1)  # it is drawn
    rows = [tap for tap in walk(table.app.stage) if getattr(tap, "name", "").startswith("chore-")]
    x, y = table.middle(rows[first])
    table.touch(x, y)
    table.touch(x, y, twice=True)
    table.settle()
    assert len(hand_tasks(session, table.app.desk.ticked)) == len(since) - 1


def test_hands_tick_off_what_they_have_done(table):
    table.play_until(lambda s: len(hand_tasks(s)) > 1 and not secret(s))
    todo = hand_tasks(table.app.desk.session)
    first, second = (table.app.desk.words(chore.text) for chore in todo[:2])
    assert first in table.words()
    table.tap("next-chore")
    assert second in table.words()
    table.tap("tick")
    assert second not in table.words()
    table.tap("hands")
    assert first in table.words()
    table.tap("all-done")
    assert "tick" not in table.taps()


def test_the_end_is_announced_across_the_table(table):
    table.play_until(lambda session: bool(session.game.view(session.state).alerts))
    view = table.app.desk.session.game.view(table.app.desk.session.state)
    told = table.app.desk.words(view.alerts[0])
    words = next(part for part in walk(table.app.stage) if isinstance(part, Words) and part.text == told)
    assert words.width > 0.7 * Window.width
    scrolls = [part for part in walk(table.app.stage) if isinstance(part, Scroll)]
    assert not any(words in walk(scroll) for scroll in scrolls), "nobody can scroll it away"


@pytest.mark.every_game
@pytest.mark.parametrize(
    ("game_id", "seats"),
    [("race", 2), ("race", 3), ("race", 4), ("eclipse", 2), ("eclipse", 5), ("eclipse", 6)],
)
def test_every_seat_every_pool_and_eight_options_are_in_sight_and_large_enough(
    rehearsal, tmp_path, game_id, seats
):
    """The laws of the table, at moments of a whole play, in both languages."""
    names = ("Ania", "Bartłomiej", "Celina", "Darek", "Ewa", "Filip")[:seats]
    rehearsal.play(game_id, names, seed=3, answers=30)
    file = tmp_path / "table.png"
    for n in range(4):
        rehearsal.change(language=("en", "pl")[n % 2])
        rehearsal.shoot(file)
        assert problems(rehearsal.app, file) == []
        entries = rehearsal.app.desk.session.entries
        rehearsal.play_until(lambda now, entries=entries: now.entries >= entries + 17 or now.over)


@pytest.fixture
def upright(rehearsal):
    before = Window.size
    rehearsal.resize(720, 1280)
    yield rehearsal
    rehearsal.resize(*before)


def test_what_can_be_done_stays_in_one_line_below_an_upright_table(upright):
    rehearsal = upright
    rehearsal.play("race", SEATS, answers=5, seed=3)
    for text_size in (100, 150):
        rehearsal.change(text_size=text_size, language="pl")
        taps = [rehearsal.taps()[name] for name in ("scan", "history")]
        assert len({tap.y for tap in taps}) == 1
        assert taps[0].x < 30
        assert taps[-1].right > 690
        assert "Historia" in rehearsal.words()
        assert rehearsal.taps()["undo"].right <= rehearsal.taps()["menu"].x


@pytest.fixture
def turn(rehearsal):
    """Somebody chooses an action of a game in which much may be done besides."""
    rehearsal.play("eclipse", SEATS, seed=3)
    rehearsal.play_until(
        lambda s: any(q.slug == "eclipse.turn" and len(q.options) > 12 for q in s.questions())
    )
    return rehearsal


@pytest.mark.every_game
def test_what_is_asked_stays_in_sight_however_much_may_be_done_besides(turn):
    (question,) = turn.app.desk.session.questions()
    main = [f"option-{option.id}" for option in question.options if option.group is None]
    besides = [f"option-{option.id}" for option in question.options if option.group is not None]
    assert set(main) <= set(turn.taps())
    assert not set(besides) & set(turn.taps())
    turn.tap(next(name for name in turn.taps() if name.startswith("choose-")))
    assert set(turn.taps()) & set(besides)
    assert not set(main) & set(turn.taps())


@pytest.mark.every_game
def test_what_is_good_to_know_is_a_tap_away(rehearsal):
    rehearsal.play("eclipse", SEATS, seed=3)
    rehearsal.play_until(lambda s: any(q.notes for q in s.questions() if q.slug == "eclipse.research"))
    (question,) = rehearsal.app.desk.session.questions()
    rehearsal.tap("help")
    told = "\n".join(rehearsal.words())
    for text in (
        *question.notes,
        say("eclipse.help.research"),
        rule_of(rehearsal.app.desk.session.game.box, "eclipse.research")[1],
    ):
        assert rehearsal.app.desk.words(text) in told


@pytest.mark.every_game
def test_a_reminder_can_be_switched_off_and_on_again(rehearsal):
    rehearsal.play("eclipse", SEATS, seed=3)
    rehearsal.play_until(lambda s: any(q.notes for q in s.questions() if q.slug == "eclipse.research"))
    (question,) = rehearsal.app.desk.session.questions()
    note = question.notes[0]
    words = rehearsal.app.desk.words(note)
    rehearsal.tap("help")
    for off in ({reminder(note): words}, {}, {reminder(note): words}):
        rehearsal.tap(f"hide-{reminder(note)}")
        assert rehearsal.app.desk.settings.reminders_off == off
        assert words in "\n".join(rehearsal.words()), "its switch stays under the finger"
    rehearsal.tap("close-help")
    assert words not in "\n".join(rehearsal.words())
    rehearsal.app.go("settings", section="table")
    rehearsal.settle()
    rehearsal.tap(f"remind-{reminder(note)}")
    assert rehearsal.app.desk.settings.reminders_off == {}


def test_a_card_says_what_it_does_and_why_it_may_not_be_chosen(rehearsal):
    rehearsal.play("race", ("Ania", "Bartek"), seed=3)
    rehearsal.play_until(lambda s: any(q.slug == "race.place" for q in s.questions()))
    session = rehearsal.app.desk.session
    question = next(q for q in session.questions() if q.slug == "race.place")
    card = session.view.seats[question.seat].components[0].component
    reason = reason_against(session, card, question.seat)
    assert reason is not None
    rehearsal.app.front.read(card, question.seat)
    rehearsal.settle()
    assert rehearsal.app.desk.say("ui.help-not-now", why=reason) in "\n".join(rehearsal.words())


def test_cards_shown_while_a_dialog_is_open_wait_until_it_is_closed(rehearsal):
    rehearsal.play("race", ("Ania", "Bartek"))
    rehearsal.app.undo()  # nothing to undo yet: only told
    rehearsal.tap("menu")
    show(rehearsal, "new-sparta")
    rehearsal.settle()
    assert rehearsal.app.desk.session.entries == 0
    rehearsal.app.dismiss()
    rehearsal.settle()
    assert rehearsal.app.desk.session.last.deed.answer.option == "new-sparta"


def test_what_a_dialog_is_about_comes_before_the_cards_that_waited(rehearsal):
    rehearsal.play("race", ("Ania", "Bartek"))
    show(rehearsal, "old-earth")
    rehearsal.settle()
    rehearsal.app.ask(lambda: AppQuestion("Take it back?", [("Yes", rehearsal.app.desk.undo)]))
    rehearsal.settle()
    show(rehearsal, "new-sparta")
    rehearsal.settle()
    rehearsal.tap("choice-0")
    (only,) = rehearsal.app.desk.session.moments[1:]
    assert (only.entry.deed.answer.seat, only.entry.deed.answer.option) == (0, "new-sparta")


def test_cards_shown_on_another_screen_wait_for_the_table(rehearsal):
    rehearsal.play("race", ("Ania", "Bartek"))
    rehearsal.app.go("history")
    rehearsal.settle()
    show(rehearsal, "new-sparta")
    rehearsal.settle()
    assert rehearsal.app.desk.session.entries == 0
    rehearsal.tap("back")
    assert rehearsal.app.desk.session.entries == 1


def test_a_card_takes_effect_without_the_windows_tick(rehearsal, monkeypatch):
    """The camera wakes the intake; nobody looks every so often whether a card came."""
    rehearsal.play("race", ("Ania", "Bartek"))
    monkeypatch.setattr(rehearsal.app, "tick", lambda: None)
    show(rehearsal, "new-sparta")
    rehearsal.app.desk.clerk.settle()
    rehearsal.frames(2)
    assert rehearsal.app.desk.session.entries == 1
    assert rehearsal.app.message == ("New Sparta: read.", "accepted")
    assert any("BARTEK" in words for words in rehearsal.words())


def test_rules_think_about_questions_in_the_clerks_thread(rehearsal, monkeypatch):
    rehearsal.play("race", ("Ania", "Bartek"), answers=3, seed=3)
    thinking, asked = [], Session.questions

    def questions(session):
        thinking.append(threading.current_thread().name)
        return asked(session)

    monkeypatch.setattr(Session, "questions", questions)
    rehearsal.play_on(1)
    assert thinking == ["clerk"], "once, and not by the screen"


def show(rehearsal, component):
    """Hold a card to the camera."""
    book = reading.book(game("race"))
    text = next(text for piece, text in book.texts.items() if piece.component == component)
    rehearsal.camera_feed.coming.append(Brought(Sighting(text, ((0.0, 0.0),) * 4, "zxing", 1.0, 1.0), 1.0))
    rehearsal.camera_feed.wake()


@pytest.mark.every_game
def test_options_are_large_enough_to_touch_with_large_letters_and_a_warning(rehearsal):
    """At the largest text size a warning across the table leaves little room: the seats give way, not the options."""
    rehearsal.change(language="pl", text_size=150)
    rehearsal.play("eclipse", ("Ania", "Bartek"), seed=1)
    for slug in ("eclipse.claim", "eclipse.turn"):
        rehearsal.play_until(lambda s, slug=slug: s.view.alerts and {q.slug for q in s.questions()} == {slug})
        picture = rehearsal.app.folder / f"{slug}.png"
        rehearsal.shoot(picture)
        assert not problems(rehearsal.app, picture)


def test_nothing_is_first_then_the_most_expensive_and_the_rest_behind_one_cell(table):
    table.play_until(lambda s: placements(s) and any(q.unaffordable for q in s.questions()))
    box = table.app.desk.session.catalogue
    names = [tap.name for tap in sorted(table.taps().values(), key=lambda tap: (-tap.y, tap.x))]
    shown = [name.removeprefix("option-") for name in names if name.startswith("option-")]
    assert shown[0] == "pass"
    costs = [int(table.app.desk.session.game.face(box[id]).corners[0].value) for id in shown[1:]]
    assert costs == sorted(costs, reverse=True)


def test_a_card_that_seems_too_expensive_says_why_and_leads_to_the_correction(table):
    """A hand may be miscounted: once it is put right, the card can be chosen."""
    table.play_until(lambda s: placements(s) and any(q.unaffordable for q in s.questions()))
    grid = table.app.desk.session.questions()
    table.tap(f"ask-{next(q.seat for q in grid if q.unaffordable)}")
    while not (expensive := [name for name in table.taps() if name.startswith("expensive-")]):
        table.tap("next")
    entries = table.app.desk.session.entries
    table.tap(expensive[0])
    assert table.app.asked is not None
    assert table.app.desk.session.entries == entries
    table.tap("choice-0")
    asked = next(q.seat for q in grid if q.unaffordable)
    assert table.screen.name == "correct"
    table.tap("by-0")
    assert table.screen.seat == asked
    table.app.desk.correct(f"hand:{asked}", 10, SEATS[0])
    table.settle()
    question = next(q for q in table.app.desk.questions() if q.seat == asked)
    card = expensive[0].removeprefix("expensive-")
    assert question.option(card) is not None or not table.app.desk.session.catalogue[card].cost
