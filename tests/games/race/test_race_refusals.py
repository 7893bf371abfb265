"""A card shown at the wrong moment is refused with the rule's reason, and nothing changes."""

from __future__ import annotations

import pytest

from companion.core.game import Setup
from companion.core.questions import Answer
from companion.core.session import Session, begin
from companion.core.understand import Accept, Choose, Known, Press, Refuse, Sighted, understand
from companion.core.words import Text
from companion.errors import NotNow, Unknown
from companion.games.race import GAME
from companion.games.race.state import RaceState, Seat
from companion.games.race.steps.consume import BeginConsume
from companion.games.race.steps.place import BeginPlacing
from companion.games.race.steps.produce import BeginProduce
from companion.games.race.steps.round import BeginRound
from companion.texts import LANGUAGES, render
from tests.games.race.race_tables import NAMES, answer, at, everybody, seat, session, table

DEVELOP, SETTLE = BeginPlacing("develop"), BeginPlacing("settle")


def refusal(play: Session, component: str, who: int | None = 0) -> Text:
    """Why this card is no answer; the same in every language, and nothing has changed."""
    before = play.state
    meaning = understand(play, Sighted(component, who))
    assert isinstance(meaning, Refuse), meaning
    assert play.state is before
    text = meaning.trouble.text
    assert all(render(text, language) not in ("", text.key) for language in LANGUAGES)
    return text


def placing(phase: BeginPlacing, me: Seat, other: Seat | None = None) -> Session:
    return session(at(table(me, other or seat("epsilon-eridani", hand=0)), phase))


# Cards in Develop and Settle


def test_a_world_in_develop() -> None:
    assert refusal(placing(DEVELOP, seat("old-earth")), "gem-world").key == "race.why.not-a-development"


def test_a_development_in_settle() -> None:
    assert refusal(placing(SETTLE, seat("old-earth")), "drop-ships").key == "race.why.not-a-world"


def test_an_action_card_in_develop() -> None:
    assert refusal(placing(DEVELOP, seat("old-earth")), "settle").key == "race.why.place-a-card"


def test_a_development_that_is_too_expensive() -> None:
    play = placing(DEVELOP, seat("old-earth", "investment-credits", hand=3, actions=("develop",)))
    text = refusal(play, "new-economy")
    assert text.key == "race.why.expensive"
    assert (text.n, text.args["hand"]) == (6 - 1 - 1, 2)
    assert "Investment Credits" in render(text, "en")


def test_a_world_that_is_too_expensive() -> None:
    text = refusal(placing(SETTLE, seat("old-earth", "replicant-robots", hand=3)), "terraformed-world")
    assert (text.key, text.n, text.args["hand"]) == ("race.why.expensive", 3, 2)
    assert "Replicant Robots" in render(text, "en")


def test_an_alien_world_that_is_too_expensive_even_with_a_colony_ship() -> None:
    text = refusal(placing(SETTLE, seat("old-earth", "colony-ship", hand=1)), "deserted-alien-library")
    assert (text.key, text.n) == ("race.why.expensive", 6)


def test_a_military_world_that_is_too_strong() -> None:
    text = refusal(placing(SETTLE, seat("new-sparta", "empath-world")), "rebel-outpost")
    assert (text.key, text.args["defense"], text.args["n"]) == ("race.why.weak", 5, 1)
    assert "Empath World" in render(text, "en")


def test_a_military_world_without_any_military() -> None:
    text = refusal(placing(SETTLE, seat("old-earth")), "runaway-robots")
    assert (text.key, text.args["n"]) == ("race.why.weak", 0)


def test_an_alien_world_that_contact_specialist_cannot_pay_for() -> None:
    text = refusal(placing(SETTLE, seat("old-earth", "contact-specialist")), "alien-robot-sentry")
    assert (text.key, text.args["n"]) == ("race.why.weak", -1)


def test_a_military_world_that_contact_specialist_cannot_afford() -> None:
    text = refusal(placing(SETTLE, seat("old-earth", "contact-specialist", hand=3)), "rebel-base")
    assert (text.key, text.n) == ("race.why.expensive", 5)


# What is not refused


def test_a_card_that_may_be_placed_is_accepted() -> None:
    play = placing(DEVELOP, seat("old-earth"))
    assert understand(play, Sighted("drop-ships", 0)) == Accept(Answer(0, "race.place", "drop-ships"))


def test_a_card_two_seats_could_place_is_offered_to_both() -> None:
    play = placing(DEVELOP, seat("old-earth"), seat("new-sparta"))
    meaning = understand(play, Sighted("drop-ships", None))
    assert isinstance(meaning, Choose)
    assert [answer.seat for answer, _ in meaning.answers] == [0, 1]


def test_reasons_that_differ_are_all_told() -> None:
    play = placing(SETTLE, seat("new-sparta"), seat("old-earth"))
    text = refusal(play, "rebel-base", None)
    assert text.key == "core.refused"
    reasons = (text.args["one"], text.args["other"])
    assert [(reason.key, reason.args["n"]) for reason in reasons] == [
        ("race.why.weak", 2),
        ("race.why.weak", 0),
    ]


@pytest.mark.parametrize("card", ["old-earth", "gem-world"])
def test_a_card_that_already_lies_there_is_no_trouble(card: str) -> None:
    assert understand(placing(SETTLE, seat("old-earth", "gem-world")), Sighted(card, 0)) == Known(card)


def test_a_label_nobody_knows() -> None:
    meaning = understand(placing(SETTLE, seat("old-earth")), Sighted("moon", 0))
    assert isinstance(meaning, Refuse)
    assert isinstance(meaning.trouble, Unknown)


# Other questions


def test_a_card_that_is_no_start_world() -> None:
    play = begin(GAME, Setup("race", NAMES[:2]), 0.0)
    assert refusal(play, "gem-world").key == "race.why.not-a-start-world"


def test_a_start_world_that_a_first_game_does_not_use() -> None:
    play = begin(GAME, Setup("race", NAMES[:2], {"opening": "first-game"}), 0.0)
    assert refusal(play, "old-earth").key == "race.why.not-a-start-world"
    assert refusal(play, "new-sparta").key == "race.why.not-a-start-world"


def test_a_card_while_actions_are_chosen() -> None:
    play = session(at(table(seat("old-earth"), seat("new-sparta")), BeginRound()))
    assert refusal(play, "gem-world").key == "race.why.choose-action"


def test_second_actions_in_the_standard_game() -> None:
    play = session(at(table(seat("old-earth"), seat("new-sparta")), BeginRound()))
    assert refusal(play, "develop-2").key == "race.why.choose-action"


def test_the_same_action_twice_in_the_advanced_game() -> None:
    state = at(table(seat("old-earth"), seat("new-sparta"), advanced=True), BeginRound())
    assert refusal(session(answer(state, 0, "settle")), "settle").key == "race.why.choose-action"


def test_a_button_does_not_choose_an_action() -> None:
    play = session(at(table(seat("old-earth"), seat("new-sparta")), BeginRound()))
    meaning = understand(play, Press(0))
    assert isinstance(meaning, Refuse)
    assert meaning.trouble.text.key == "core.no-default"


def selling() -> RaceState:
    goods = ("gem-world", "mining-world")
    me = seat("old-earth", *goods, "artist-colony", goods=goods, actions=("consume-trade",))
    return at(table(me, seat("new-sparta")), BeginConsume("consume"))


def test_a_card_without_a_good_to_sell() -> None:
    assert refusal(session(selling()), "spice-world").key == "race.why.no-good-there"


def test_the_world_whose_good_is_sold_is_accepted() -> None:
    assert understand(session(selling()), Sighted("gem-world", 0)) == Accept(
        Answer(0, "race.sell", "gem-world")
    )


def test_a_card_without_a_consume_power() -> None:
    me = seat("old-earth", "galactic-trendsetters", "gem-world", goods=("gem-world",))
    play = session(at(table(me, seat("new-sparta")), BeginConsume("consume")))
    assert refusal(play, "drop-ships").key == "race.why.cannot-consume"


def test_a_good_that_the_power_does_not_take() -> None:
    me = seat(
        "new-sparta", "new-survivalists", "gem-world", "artist-colony", goods=("gem-world", "artist-colony")
    )
    play = session(at(table(me, seat("alpha-centauri")), BeginConsume("consume")))
    assert refusal(play, "comet-zone").key == "race.why.no-good-there"


def test_a_world_that_gets_no_windfall_good() -> None:
    me = seat("new-sparta", "refugee-world", "asteroid-belt", actions=("produce",))
    play = session(at(table(me, seat("old-earth")), BeginProduce("produce")))
    assert refusal(play, "gem-world").key == "race.why.no-empty-windfall"


def test_a_card_while_a_way_to_pay_is_asked_for() -> None:
    state = at(table(seat("old-earth", "colony-ship"), seat("new-sparta")), SETTLE)
    play = session(everybody(state, "gem-world", "pass"))
    assert refusal(play, "drop-ships").key == "core.not-asked"


# Answers that are not offered


@pytest.mark.parametrize(
    ("given", "trouble"),
    [
        (Answer(0, "race.place", "rebel-base"), "core.not-offered"),
        (Answer(0, "race.place", "drop-ships"), "core.not-offered"),
        (Answer(0, "race.place", "nonsense"), "core.not-offered"),
        (Answer(0, "race.action", "settle"), "core.question-is-gone"),
    ],
)
def test_an_answer_that_is_not_offered_changes_nothing(given: Answer, trouble: str) -> None:
    play = placing(SETTLE, seat("old-earth"))
    before = play.state
    with pytest.raises(NotNow) as caught:
        play.answer(given, 0.0)
    assert caught.value.text.key == trouble
    assert play.state is before


def test_a_seat_that_is_not_asked() -> None:
    with pytest.raises(Unknown):
        placing(SETTLE, seat("old-earth")).answer(Answer(1, "race.place", "pass"), 0.0)


def test_a_seat_whose_hand_is_empty_is_not_waited_for() -> None:
    meaning = understand(placing(SETTLE, seat("old-earth")), Press(1))
    assert isinstance(meaning, Refuse)
    assert meaning.trouble.text.key == "core.not-waiting-for-you"
