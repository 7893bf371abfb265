"""The timeline of a play: answers, corrections, undo, redo, pause, thinking time, and the story of it."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from companion.core.agenda import waited_for
from companion.core.counters import Correctable
from companion.core.entries import (
    Answered,
    Corrected,
    Entry,
    Paused,
    Redone,
    Resumed,
    Undone,
    decode_entry,
    encode_entry,
)
from companion.core.game import Setup, game
from companion.core.questions import Answer, Question
from companion.core.session import _COUNTERS, _VIEWS, MOST_VIEWS, Session, begin, replay
from companion.core.views import View
from companion.core.words import Text, named, of_seat, plain, say
from companion.errors import DataTrouble, NotNow, Trouble, Unknown
from companion.games.lantern import GAME as LANTERN
from companion.games.race.cards import everything as race_box
from companion.texts import render

RACE = game("race")


def race(*seats: str, **choices: str) -> Session:
    return begin(RACE, Setup("race", seats or ("Ania", "Bartek"), choices), 100.0)


def asked(session: Session, seat: int | None) -> Question:
    return next(q for q in session.questions() if q.seat == seat)


def answer(session: Session, seat: int | None, option: str, at: float = 100.0) -> Session:
    return session.answer(Answer(seat, asked(session, seat).slug, option), at)


def dealt(session: Session | None = None, at: float = 100.0) -> Session:
    """The first round: New Sparta before Ania, Old Earth before Bartek, four cards in each hand."""
    return answer(answer(session or race(), 0, "new-sparta", at), 1, "old-earth", at)


def chosen(session: Session, *actions: str, at: float = 100.0) -> Session:
    """Every seat has chosen its action, one after another."""
    for seat, action in enumerate(actions):
        session = answer(session, seat, action, at)
    return session


def settling() -> Session:
    """Both are about to choose a world to settle."""
    return chosen(dealt(), "settle", "settle")


def told(question: str, seat: str, option: Text) -> Text:
    """The sentence about an answer that everybody may know."""
    return say("ui.answered", question=of_seat(seat, say(question)), option=option)


def hidden(seat: str) -> Text:
    """The sentence about an answer that is still secret."""
    return say("ui.ready", seat=seat)


def refused(session: Session, deed: str, *arguments: object) -> Text:
    """Why a deed is refused."""
    with pytest.raises(Trouble) as raised:
        getattr(session, deed)(*arguments)
    assert isinstance(raised.value, NotNow | Unknown)
    return raised.value.text


# Beginning and answering


def test_a_new_play_has_the_usual_variants_and_no_entry() -> None:
    session = race()
    assert session.setup.choices == {"edition": "first", "opening": "normal", "actions": "standard"}
    assert (session.entries, session.last, session.over, session.ahead) == (0, None, False, ())
    assert session.thought == (0.0, 0.0)
    assert [q.slug for q in session.questions()] == ["race.start-world"]


def test_a_setup_that_cannot_be_is_refused_with_all_its_problems() -> None:
    with pytest.raises(DataTrouble) as raised:
        race("Ania", "Ania", "C", "D", "E", edition="third", colour="red")
    keys = sorted(problem.key for problem in raised.value.problems)
    assert keys == ["core.bad-names", "core.bad-seats", "core.unknown-value", "core.unknown-variant"]


def test_an_answer_is_the_last_entry_and_the_session_before_it_is_untouched() -> None:
    before = race()
    after = answer(before, 0, "new-sparta", 107.5)
    assert after.last == Entry(107.5, Answered(Answer(0, "race.start-world", "new-sparta")))
    assert (after.entries, before.entries) == (1, 0)
    assert after.state.seats[0].tableau == ("new-sparta",)
    assert before.state.seats[0].tableau == ()


@pytest.mark.parametrize(
    ("given", "family", "key"),
    [
        (Answer(0, "race.start-world", "gem-world"), NotNow, "core.not-offered"),
        (Answer(0, "race.start-world", ""), NotNow, "core.not-offered"),
        (Answer(0, "race.action", "settle"), NotNow, "core.question-is-gone"),
        (Answer(1, "race.start-world", "old-earth"), Unknown, "core.nobody-asked"),
        (Answer(None, "race.start-world", "old-earth"), Unknown, "core.nobody-asked"),
        (Answer(7, "race.start-world", "old-earth"), Unknown, "core.nobody-asked"),
    ],
)
def test_what_is_not_asked_is_not_taken(given: Answer, family: type[Trouble], key: str) -> None:
    with pytest.raises(family) as raised:
        race().answer(given, 101.0)
    assert raised.value.text.key == key


def test_a_late_second_tap_does_not_answer_the_next_question() -> None:
    first = race()
    given = Answer(0, asked(first, 0).slug, "new-sparta")
    assert refused(first.answer(given, 101.0), "answer", given, 101.1).key == "core.nobody-asked"


def test_after_the_end_nothing_is_asked() -> None:
    session = finished()
    assert session.over
    assert session.questions() == ()
    key = refused(session, "answer", Answer(0, "race.action", "settle"), 1.0).key
    assert key == "core.play-is-over"


def finished() -> Session:
    """A whole play in which anything that is offered is answered."""
    random, session = Random(5), race()
    while not session.over:
        question = random.choice(session.questions())
        session = answer(session, question.seat, random.choice(question.options).id)
    return session


# Undo and redo


def test_undo_gives_the_earlier_table_and_redo_the_later_one() -> None:
    one = answer(race(), 0, "new-sparta")
    two = answer(one, 1, "old-earth")
    three = answer(two, 1, "produce")
    back = three.undo(2, 105.0)
    assert back.state is one.state
    assert back.questions() == one.questions()
    assert (back.last, back.entries) == (Entry(105.0, Undone(2)), 4)
    forth = back.redo(1, 106.0)
    assert forth.state is two.state
    assert forth.last == Entry(106.0, Redone(1))
    assert forth.redo(1, 107.0).state is three.state


def test_a_table_is_viewed_once_and_every_table_has_its_own_view() -> None:
    _VIEWS.clear()  # whatever other tests looked at last
    shown: list[object] = []

    def view(state: Any) -> View:
        shown.append(state)
        return RACE.view(state)

    one = answer(replace(race(), game=replace(RACE, view=view)), 0, "new-sparta")
    assert one.view is one.view
    two = answer(one, 1, "old-earth")
    assert two.view == RACE.view(two.state) != one.view
    assert two.undo(1, 105.0).view == RACE.view(one.state)
    assert len(shown) == 2
    tables = [two]
    for _ in range(MOST_VIEWS + 1):  # more than are kept
        tables.append(tables[-1].correct("chips:0", len(tables), 106.0))
    for table in (*tables, *tables):
        assert table.view == RACE.view(table.state)


def test_what_can_be_corrected_is_counted_once_for_each_table() -> None:
    _COUNTERS.clear()  # whatever other tests counted last
    counted: list[object] = []

    def counters(state: Any) -> tuple[Correctable, ...]:
        counted.append(state)
        return RACE.counters(state)

    begun = answer(answer(race(), 0, "new-sparta"), 1, "old-earth")
    session = replace(begun, game=replace(RACE, counters=counters))
    corrected = session.correct("chips:0", 3, 105.0)
    assert session.counters() is session.counters() == RACE.counters(session.state)
    assert corrected.counters() == RACE.counters(corrected.state) != session.counters()
    assert [id(state) for state in counted] == [id(session.state), id(corrected.state)]


def test_undo_in_two_goes_is_redone_in_the_order_it_was_done() -> None:
    session = chosen(dealt(), "settle", "produce")
    back = session.undo(1, 101.0).undo(2, 102.0)
    assert back.redo(3, 103.0).moments == session.moments
    for _ in range(3):
        back = back.redo(1, 104.0)
    assert back.moments == session.moments


def test_only_as_much_as_was_done_can_be_taken_back() -> None:
    session = dealt()
    for steps in (0, -1, 3, 10**9):
        reason = refused(session, "undo", steps, 101.0)
        assert (reason.key, reason.n) == ("core.nothing-to-undo", 2)
    assert session.undo(2, 101.0).state == race().state
    assert refused(race(), "undo", 1, 101.0).n == 0


def test_only_as_much_as_was_taken_back_can_be_done_again() -> None:
    session = dealt().undo(2, 101.0)
    for steps in (0, -1, 3):
        reason = refused(session, "redo", steps, 102.0)
        assert (reason.key, reason.n) == ("core.nothing-to-redo", 2)
    assert refused(dealt(), "redo", 1, 101.0).n == 0


@pytest.mark.parametrize("how", ["answer", "correct"])
def test_after_something_new_nothing_can_be_done_again(how: str) -> None:
    session = answer(dealt(), 0, "settle").undo(1, 101.0)
    session = answer(session, 0, "produce") if how == "answer" else session.correct("chips:0", 2, 102.0)
    assert session.ahead == ()
    assert refused(session, "redo", 1, 103.0).n == 0


def test_pausing_does_not_take_away_what_can_be_done_again() -> None:
    session = dealt().undo(1, 101.0).pause(102.0).resume(103.0)
    assert session.redo(1, 104.0).state == dealt().state


def test_the_end_can_be_taken_back() -> None:
    session = finished()
    back = session.undo(1, 101.0)
    assert not back.over
    assert back.redo(1, 102.0).over


# Corrections


def test_a_correction_sets_a_counter_and_is_undone_like_an_answer() -> None:
    before = dealt()
    after = before.correct("chips:1", 5, 110.0, by="Ania")
    assert after.state.seats[1].chips == 5
    assert after.state.pool == before.state.pool - 5
    assert after.last == Entry(110.0, Corrected("chips:1", 5, "Ania"))
    assert after.undo(1, 111.0).state is before.state
    assert after.undo(1, 111.0).redo(1, 112.0).state is after.state


def test_a_correction_tells_no_old_news_again() -> None:
    before = dealt()
    assert before.state.news
    assert before.correct("chips:1", 5, 110.0).state.news == ()


@pytest.mark.parametrize(
    ("counter", "value", "key"),
    [
        ("chips:9", 1, "core.unknown-counter"),
        ("", 1, "core.unknown-counter"),
        ("chips:0", -1, "core.counter-bounds"),
        ("chips:0", 25, "core.counter-bounds"),
        ("tableau:0:gem-world", 2, "core.counter-bounds"),
        ("tableau:0:old-earth", 1, "core.correction-impossible"),
    ],
)
def test_what_cannot_be_set(counter: str, value: int, key: str) -> None:
    assert refused(dealt(), "correct", counter, value, 101.0).key == key


def test_the_bounds_are_told() -> None:
    text = refused(dealt(), "correct", "chips:0", 25, 101.0)
    counter = say("race.counter.chips", seat="Ania")
    assert text == say("core.counter-bounds", counter=counter, value=25, low="0", high="24")


def test_open_questions_are_asked_again_after_a_correction() -> None:
    session = settling()
    offered = {o.id for o in asked(session, 0).options}
    poor = session.correct("hand:0", 1, 101.0)
    assert {o.id for o in asked(poor, 0).options} < offered
    assert {o.id for o in asked(poor, 1).options} == {o.id for o in asked(session, 1).options}


def test_a_question_about_what_a_correction_took_away_is_dropped() -> None:
    session = settling().correct("hand:0", 0, 101.0)
    assert [q.seat for q in session.questions()] == [1]
    both = session.correct("hand:1", 0, 102.0)
    assert [q.slug for q in both.questions()] == ["race.action", "race.action"]
    assert both.state.round == session.state.round + 1


# Pause and thinking time


def test_only_a_running_play_is_paused_and_only_a_paused_one_goes_on() -> None:
    assert refused(race(), "resume", 101.0).key == "core.not-paused"
    paused = race().pause(101.0)
    assert (paused.paused, paused.last) == (True, Entry(101.0, Paused()))
    assert refused(paused, "pause", 102.0).key == "core.paused-already"
    on = paused.resume(103.0)
    assert (on.paused, on.last) == (False, Entry(103.0, Resumed()))


def test_time_counts_for_whom_we_wait() -> None:
    session = answer(race(), 0, "new-sparta", 110.0)
    assert session.thought == (10.0, 0.0)
    session = answer(session, 1, "old-earth", 113.0)
    assert session.thought == (10.0, 3.0)
    assert session.thinking(113.0) == (10.0, 3.0)


def test_time_counts_for_all_who_are_asked_together() -> None:
    session = dealt(at=100.0)
    assert session.thinking(105.0) == (5.0, 5.0)
    session = answer(session, 1, "settle", 107.0)
    assert session.thought == (7.0, 7.0)
    assert session.thinking(109.0) == (9.0, 7.0)
    assert answer(session, 0, "settle", 110.0).thought == (10.0, 7.0)


def test_time_stands_still_in_a_pause_also_when_something_is_done() -> None:
    session = dealt(at=100.0).pause(102.0)
    assert session.thinking(200.0) == (2.0, 2.0)
    session = answer(session, 0, "settle", 150.0).correct("chips:0", 1, 160.0)
    assert session.thought == (2.0, 2.0)
    session = session.resume(200.0)
    assert session.thinking(203.0) == (2.0, 5.0)


def test_a_clock_that_is_set_back_takes_no_time_away_and_gives_none_twice() -> None:
    session = dealt(at=100.0)
    session = answer(session, 0, "settle", 110.0)
    assert session.thinking(50.0) == (10.0, 10.0)
    back = answer(session, 1, "settle", 50.0)
    assert back.thought == (10.0, 10.0)
    assert back.at == 110.0
    assert back.thinking(110.0) == (10.0, 10.0)
    assert back.thinking(112.0) == (12.0, 12.0)


@pytest.mark.parametrize("jump", [365 * 86400.0, -365 * 86400.0])
def test_a_clock_that_jumps_by_far_counts_for_nobody_and_goes_on_from_there(jump: float) -> None:
    """A machine without a clock of its own learns the date in the middle of a play."""
    session = dealt(at=100.0)
    session = answer(session, 0, "settle", 110.0)
    assert session.thinking(110.0 + jump) == (10.0, 10.0)
    session = answer(session, 1, "settle", 110.0 + jump)
    assert session.thought == (10.0, 10.0)
    assert session.thinking(112.0 + jump) == (12.0, 12.0)


def test_the_entry_keeps_what_the_clock_said() -> None:
    session = answer(dealt(at=100.0), 0, "settle", 50.0)
    assert session.last is not None
    assert session.last.at == 50.0


def test_undo_gives_no_time_back() -> None:
    session = answer(race(), 0, "new-sparta", 110.0).undo(1, 112.0)
    assert session.thought == (10.0, 2.0)
    assert session.redo(1, 113.0).thought == (11.0, 2.0)


def test_a_question_to_the_table_is_nobodys_time() -> None:
    session = begin(LANTERN, Setup("lantern", ("Ania", "Bartek")), 0.0)
    session = answer(answer(session, 0, "moth", 1.0), 1, "candle", 1.0)
    assert waited_for(session.state) == {None}
    assert session.thinking(60.0) == (1.0, 1.0)
    assert answer(session, None, "3", 60.0).thinking(61.0) == (2.0, 1.0)


def test_no_time_passes_after_the_end() -> None:
    session = finished()
    assert session.thinking(session.at + 1000) == session.thought


# Replay


def anything(session: Session, random: Random, at: float) -> Session:
    """The session after something random, sometimes at a time before the last."""
    chance = random.random()
    try:
        if chance < 0.08:
            return session.undo(random.randint(1, 5), at)
        if chance < 0.16 or (session.ahead and chance < 0.5):
            return session.redo(random.randint(1, 3), at)
        if chance < 0.22:
            return (session.resume if session.paused else session.pause)(at)
        if chance < 0.30:
            counter = random.choice(session.counters())
            return session.correct(counter.id, random.randint(counter.low, counter.high), at, "Ania")
        question = random.choice(session.questions())
        return answer(session, question.seat, random.choice(question.options).id, at)
    except (NotNow, IndexError):
        return session


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("rules", [RACE, LANTERN], ids=["race", "lantern"])
def test_replay_of_what_was_written_is_the_same_session(rules: object, seed: int) -> None:
    random = Random(seed)
    setup = Setup(rules.id, ("Ania", "Bartek", "Celina")[: 2 + seed % 2])
    session, written, kinds, at = begin(rules, setup, 50.0), list[bytes](), set(), 50.0
    for _ in range(300):
        at += random.uniform(-3, 20)
        before, session = session, anything(session, random, at)
        if session is not before:
            assert session.last is not None
            assert session.entries == len(written) + 1
            written.append(encode_entry(session.last))
            kinds.add(type(session.last.deed))
    again = replay(rules, setup, 50.0, [decode_entry(body) for body in written])
    assert again == session
    assert again.thought == session.thought
    if rules is RACE:
        assert kinds == {Answered, Corrected, Undone, Redone, Paused, Resumed}


def test_a_part_of_the_entries_leads_to_the_moment_they_led_to() -> None:
    session = chosen(dealt(), "settle", "develop")
    entries = [moment.entry for moment in session.moments[1:]]
    for n in range(len(entries) + 1):
        assert replay(RACE, session.setup, 100.0, entries[:n]).state == session.moments[n].state


# The story


def test_the_story_has_one_sentence_per_answer_and_correction() -> None:
    session = dealt().correct("chips:1", 5, 110.0, by="Celina").pause(111.0).resume(112.0)
    first, second, third = session.story()
    assert first == told("race.ask.start-world", "Ania", named("new-sparta", {"en": "New Sparta"}))
    assert second == told("race.ask.start-world", "Bartek", named("old-earth", {"en": "Old Earth"}))
    counter = say("race.counter.chips", seat="Bartek")
    assert third == say("ui.corrected-by", counter=counter, value=plain("5"), by="Celina")
    assert session.undo(2, 113.0).story() == (first,)
    unsigned = dealt().correct("chips:1", 5, 110.0).story()[-1]
    assert unsigned.key == "ui.corrected"
    assert all(
        "5" in render(sentence, language) for sentence in (third, unsigned) for language in ("en", "pl")
    )


def test_the_story_keeps_a_choice_secret_until_all_have_chosen() -> None:
    session = answer(dealt(), 1, "produce")
    assert session.story()[2:] == (hidden("Bartek"),)
    session = session.correct("chips:0", 1, 101.0)
    assert session.story()[2] == hidden("Bartek")
    session = answer(session, 0, "settle")
    assert session.story()[2] == told("race.ask.action", "Bartek", race_box("first")["produce"].called)
    assert session.story()[4] == told("race.ask.action", "Ania", race_box("first")["settle"].called)


def test_the_story_of_the_advanced_game_keeps_both_choices_secret() -> None:
    session = dealt(race(actions="advanced"))
    session = answer(answer(session, 0, "settle"), 0, "produce")
    assert session.story()[2:] == (hidden("Ania"), hidden("Ania"))
    session = answer(session, 1, "explore-5")
    assert session.story()[2:] == (hidden("Ania"), hidden("Ania"), hidden("Bartek"))
    session = answer(session, 1, "settle")
    assert session.story()[2:4] == (
        told("race.ask.first-action", "Ania", race_box("first")["settle"].called),
        told("race.ask.second-action", "Ania", race_box("first")["produce"].called),
    )


def test_the_story_keeps_a_card_secret_until_it_is_revealed() -> None:
    session = answer(settling(), 0, "gem-world")
    assert session.story()[-1] == hidden("Ania")
    session = answer(session, 1, "pass")
    assert session.story()[-2:] == (
        told("race.ask.place-world", "Ania", named("gem-world", {"en": "Gem World"})),
        told("race.ask.place-world", "Bartek", say("race.place-nothing")),
    )


def test_what_is_taken_back_before_the_reveal_is_secret_again() -> None:
    session = settling().undo(1, 101.0)
    assert session.story()[2:] == (hidden("Ania"),)


def test_the_story_tells_what_was_revealed_although_the_next_round_asks_the_same_at_once() -> None:
    session = chosen(dealt(), "explore-5", "explore-1-1")
    assert session.state.round == 2
    revealed = (
        told("race.ask.action", "Ania", race_box("first")["explore-5"].called),
        told("race.ask.action", "Bartek", race_box("first")["explore-1-1"].called),
    )
    assert session.story()[2:] == revealed
    assert answer(session, 0, "produce").story()[2:] == (*revealed, hidden("Ania"))


def test_the_story_tells_cards_that_were_revealed_although_the_next_phase_asks_the_same_at_once() -> None:
    session = chosen(dealt(), "develop", "settle")
    session = answer(answer(session, 0, "pass"), 1, "pass")
    assert session.state.phase == "settle"
    assert session.story()[-2:] == (
        told("race.ask.place-development", "Ania", say("race.place-nothing")),
        told("race.ask.place-development", "Bartek", say("race.place-nothing")),
    )


def test_an_option_that_is_no_longer_offered_is_told_by_its_id() -> None:
    """A later version may offer other options; the story of an old play must still be told."""
    session = answer(race(), 0, "new-sparta")
    first, second = session.moments
    assert second.entry is not None
    other = Entry(100.0, Answered(Answer(0, "race.start-world", "newer-sparta")))
    changed = replace(session, moments=(first, replace(second, entry=other)))
    assert changed.story() == (told("race.ask.start-world", "Ania", plain("newer-sparta")),)
