"""What a scan or a button means at each moment: an answer, a choice, a quiet tick or a refusal with its reason."""

from __future__ import annotations

from random import Random

import pytest

from companion.core import autoplay
from companion.core.game import Setup, game
from companion.core.questions import Answer, Question
from companion.core.session import Moment, Session, begin
from companion.core.understand import Accept, Choose, Known, Meaning, Press, Refuse, Sighted, understand
from companion.core.words import named, of_seat, say
from companion.errors import Ambiguous, NotNow, Unknown
from companion.games.lantern import GAME as LANTERN
from companion.texts import render

RACE = game("race")


def race(*answers: tuple[int, str]) -> Session:
    """A play of two after these answers (seat, option)."""
    session = begin(RACE, Setup("race", ("Ania", "Bartek")), 0.0)
    for seat, option in ((0, "new-sparta"), (1, "old-earth"), *answers):
        session = session.answer(Answer(seat, asked(session, seat).slug, option), 0.0)
    return session


def asked(session: Session, seat: int | None) -> Question:
    return next(q for q in session.questions() if q.seat == seat)


def at_table(session: Session, **corrections: int) -> Session:
    """The same with counters set right, `hand_0=9` being hand:0."""
    for name, value in corrections.items():
        session = session.correct(name.replace("_", ":", 1).replace("_", "-"), value, 0.0)
    return session


def why(meaning: Meaning) -> str:
    """The slug of a refusal."""
    assert isinstance(meaning, Refuse)
    return meaning.trouble.text.key


SETTLING = ((0, "settle"), (1, "settle"))


# Components


def test_a_component_nobody_knows() -> None:
    for seat in (None, 0, 1, 9):
        meaning = understand(race(), Sighted("chess-king", seat))
        assert isinstance(meaning, Refuse)
        assert isinstance(meaning.trouble, Unknown)
        assert meaning.trouble.text == say("core.unknown-component", id="chess-king")


def test_the_one_option_a_card_belongs_to() -> None:
    session = begin(RACE, Setup("race", ("Ania", "Bartek")), 0.0)
    for seat in (None, 0):
        meaning = understand(session, Sighted("old-earth", seat))
        assert meaning == Accept(Answer(0, "race.start-world", "old-earth"))
    assert session.answer(meaning.answer, 1.0).state.seats[0].tableau == ("old-earth",)


def test_a_card_of_the_hand_is_placed_by_the_seat_that_scans_it() -> None:
    session = race(*SETTLING)
    for seat in (0, 1):
        assert understand(session, Sighted("gem-world", seat)) == Accept(
            Answer(seat, "race.place", "gem-world")
        )


def test_a_card_that_several_seats_could_mean_is_a_choice_between_them() -> None:
    meaning = understand(race(*SETTLING), Sighted("gem-world"))
    assert isinstance(meaning, Choose)
    assert [answer for answer, _ in meaning.answers] == [
        Answer(0, "race.place", "gem-world"),
        Answer(1, "race.place", "gem-world"),
    ]
    assert all(option.component == "gem-world" for _, option in meaning.answers)
    assert isinstance(meaning.trouble, Ambiguous)
    assert meaning.trouble.text == say("core.which-one", name=named("gem-world", {"en": "Gem World"}))


def test_an_action_card_that_several_seats_could_mean_is_never_guessed() -> None:
    meaning = understand(race(), Sighted("produce"))
    assert isinstance(meaning, Choose)
    assert {answer.seat for answer, _ in meaning.answers} == {0, 1}
    assert meaning.trouble.choices == ("produce", "produce")


def test_several_options_of_one_question_are_a_choice() -> None:
    """Gambling World consumes a good or gambles: scanning it does not say which comes first."""
    session = at_table(race(), **{"tableau_0:gambling_world": 1, "tableau_0:gem_world": 1})
    session = at_table(session, **{"good_0:gem_world": 1})
    session = session.answer(Answer(0, "race.action", "consume-x2"), 0.0)
    session = session.answer(Answer(1, "race.action", "produce"), 0.0)
    options = [o.id for o in asked(session, 0).options if o.component == "gambling-world"]
    assert len(options) == 2
    meaning = understand(session, Sighted("gambling-world", 0))
    assert isinstance(meaning, Choose)
    assert [option.id for _, option in meaning.answers] == options
    consumed, gambled = (session.answer(answer, 1.0).state for answer, _ in meaning.answers)
    assert (consumed.seats[0].goods, gambled.seats[0].goods) == ((), ("gem-world",))


def test_a_card_that_lies_there_is_a_quiet_tick() -> None:
    session = race(*SETTLING)
    for seat in (None, 0, 1):
        assert understand(session, Sighted("new-sparta", seat)) == Known("new-sparta")


def test_an_option_comes_before_the_tick() -> None:
    """A card on the table may be what is asked for: the good of this world is to be sold."""
    session = at_table(race(), **{"tableau_0:gem_world": 1, "tableau_0:spice_world": 1})
    session = at_table(session, **{"good_0:gem_world": 1, "good_0:spice_world": 1})
    session = session.answer(Answer(0, "race.action", "consume-trade"), 0.0)
    session = session.answer(Answer(1, "race.action", "produce"), 0.0)
    assert asked(session, 0).slug == "race.sell"
    assert understand(session, Sighted("gem-world", 0)) == Accept(Answer(0, "race.sell", "gem-world"))
    assert understand(session, Sighted("new-sparta", 0)) == Known("new-sparta")


@pytest.mark.parametrize(
    ("component", "key", "parts"),
    [
        ("public-works", "race.why.not-a-world", ("Public Works",)),
        ("galactic-trendsetters", "race.why.expensive", ("Galactic Trendsetters", "5", "3")),
        ("rebel-base", "race.why.weak", ("Rebel Base", "6", "New Sparta +2")),
        ("settle", "race.why.place-a-card", ()),
    ],
)
def test_a_refusal_gives_the_reason_of_the_rule(component: str, key: str, parts: tuple[str, ...]) -> None:
    meaning = understand(race(*SETTLING), Sighted(component, 0))
    assert isinstance(meaning, Refuse)
    assert isinstance(meaning.trouble, NotNow)
    assert meaning.trouble.text.key == key
    for language in ("en", "pl"):
        assert all(part in render(meaning.trouble.text, language) for part in parts)


def test_reasons_that_differ_between_seats_are_all_told() -> None:
    text = understand(race(*SETTLING), Sighted("rebel-base")).trouble.text
    assert text.key == "core.refused"
    first, second = text.args["one"], text.args["other"]
    assert (first.key, second.key) == ("race.why.weak", "race.why.weak")
    assert (first.args["n"], second.args["n"]) == (2, 0)
    assert len(render(text, "en").splitlines()) == 2, "each is a sentence of its own"


def test_a_reason_that_is_the_same_for_all_is_told_once() -> None:
    assert why(understand(race(*SETTLING), Sighted("public-works"))) == "race.why.not-a-world"
    assert why(understand(race(), Sighted("gem-world"))) == "race.why.choose-action"


def test_somebody_elses_question_is_not_answered_for_them() -> None:
    session = race((0, "settle"))
    assert understand(session, Sighted("produce")) == Accept(Answer(1, "race.action", "produce"))
    assert isinstance(understand(session, Sighted("produce", 0)), Refuse)


def test_a_seat_that_is_not_asked_is_told_so() -> None:
    session = race((0, "settle"))
    assert why(understand(session, Sighted("produce", 0))) == "core.not-waiting-for-you"
    assert why(understand(session, Sighted("gem-world", 0))) == "core.not-waiting-for-you"


def over() -> Session:
    """A play that has ended."""
    random, session = Random(5), race()
    while not session.over:
        question = random.choice(session.questions())
        answer = Answer(question.seat, question.slug, random.choice(question.options).id)
        session = session.answer(answer, 0.0)
    return session


def test_after_the_end() -> None:
    session = over()
    lying = sorted(RACE.on_table(session.state))
    elsewhere = next(c.id for c in session.catalogue if c.id not in lying)
    assert understand(session, Sighted(lying[0])) == Known(lying[0])
    assert why(understand(session, Sighted(elsewhere))) == "core.play-is-over"
    assert why(understand(session, Press(0))) == "core.not-waiting-for-you"


# Buttons


def test_a_button_answers_the_default() -> None:
    session = race(*SETTLING)
    for seat in (0, 1):
        meaning = understand(session, Press(seat))
        assert meaning == Accept(Answer(seat, "race.place", "pass"))


def test_a_button_pressed_by_accident_chooses_no_action() -> None:
    meaning = understand(race(), Press(1))
    assert isinstance(meaning, Refuse)
    assert isinstance(meaning.trouble, NotNow)
    question = of_seat("Bartek", say("race.ask.action"))
    assert meaning.trouble.text == say("core.no-default", question=question)


def test_the_button_of_a_seat_that_is_not_asked() -> None:
    assert why(understand(race((0, "settle")), Press(0))) == "core.not-waiting-for-you"
    assert why(understand(race(), Press(9))) == "core.not-waiting-for-you"


def lantern(*answers: tuple[int | None, str]) -> Session:
    session = begin(LANTERN, Setup("lantern", ("Ania", "Bartek")), 0.0)
    for seat, option in answers:
        session = session.answer(Answer(seat, asked(session, seat).slug, option), 0.0)
    return session


def test_any_button_meets_the_question_to_the_table() -> None:
    session = lantern((0, "moth"), (1, "candle"))
    assert [q.seat for q in session.questions()] == [None]
    for seat in (0, 1):
        assert why(understand(session, Press(seat))) == "core.no-default"


def test_a_button_answers_the_seats_own_question_only() -> None:
    session = lantern((0, "torch"), (1, "candle"))
    assert understand(session, Press(0)) == Accept(Answer(0, "lantern.oil", "2"))
    assert why(understand(session, Press(1))) == "core.not-waiting-for-you"
    session = session.answer(Answer(0, "lantern.oil", "2"), 0.0)
    assert understand(session, Press(1)) == Accept(Answer(1, "lantern.follow", "dark"))


# At any moment


@pytest.mark.parametrize("seed", range(3))
def test_any_component_and_button_at_any_moment_means_something(seed: int) -> None:
    """Nothing raises, what is accepted or offered is taken, and what is refused says why in both languages."""
    random = Random(seed)
    choices = {"actions": "advanced"} if seed == 0 else {"edition": "second"} if seed == 1 else {}
    setup = RACE.complete(Setup("race", ("Ania", "Bartek", "Celina", "Darek")[: 2 + seed], choices))
    components = [component.id for component in RACE.catalogue(setup, {})]
    met, seen = set(), set()
    for n, (state, _) in enumerate(autoplay.play(RACE, setup, seed)):
        session = Session(RACE, setup, (Moment(state),), thought=(0.0,) * len(setup.seats))
        some = components if n % 20 == 0 else random.sample(components, 8)
        seen |= set(some)
        signals = [Press(seat) for seat in range(len(setup.seats) + 1)]
        signals += [Sighted(id, random.choice((None, *range(5)))) for id in some]
        for meaning in [understand(session, signal) for signal in signals]:
            met.add(type(meaning))
            if isinstance(meaning, Accept):
                session.answer(meaning.answer, 0.0)
            elif isinstance(meaning, Choose):
                for answer, _ in meaning.answers:
                    session.answer(answer, 0.0)
            elif isinstance(meaning, Refuse):
                for language in ("en", "pl"):
                    said = render(meaning.trouble.text, language)
                    assert said
                    assert meaning.trouble.text.key not in said
            assert session.state is state
    assert met == {Accept, Choose, Known, Refuse}
    assert seen == set(components)
