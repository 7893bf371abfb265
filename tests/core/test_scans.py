"""Cards in front of a camera: which gestures are answers, and which are only offered."""

from random import Random

from companion.core.autoplay import next_answer
from companion.core.game import Setup, games
from companion.core.scans import CardGesture, CardInSight, Offer, is_plain, offer_of, offer_of_lying
from companion.core.session import begin
from companion.core.understand import Sighted

RACE = games()["race"]


def to_the_sale():
    """A play in which somebody is asked which of several goods to sell: options that are cards on the table."""
    for seed in range(50):
        session, random = begin(RACE, Setup("race", ("Ania", "Bartek")), 0.0), Random(seed)
        bots = RACE.bots(session.setup, random)
        bots.follow(session.state, session.state.news)
        while not session.over:
            for question in session.questions():
                goods = [o.component for o in question.options if o.component is not None]
                if question.slug == "race.sell" and len(goods) > 1:
                    return session, goods
            session = session.answer(next_answer(session.state, bots, random), 0.0)
            bots.follow(session.state, session.state.news)
    raise AssertionError("nobody ever had two goods to sell")


def brought(*components, follows=False, perhaps_laid=False):
    return CardGesture(tuple(CardInSight(c, Sighted(c), perhaps_laid) for c in components), follows)


def test_one_card_is_plainly_shown():
    session, goods = to_the_sale()
    assert is_plain(session, brought(goods[0]))
    assert not is_plain(session, brought(goods[0], follows=True))
    assert not is_plain(session, brought(*goods))


def test_a_card_the_table_knows_may_only_have_been_laid_down():
    session, goods = to_the_sale()
    assert not is_plain(session, brought(goods[0], perhaps_laid=True))
    unknown = next(c.id for c in session.catalogue if c.id not in RACE.on_table(session.state))
    assert is_plain(session, brought(unknown, perhaps_laid=True)), "that is how people place a card"


def test_several_answers_to_one_question_are_a_choice():
    session, goods = to_the_sale()
    offer = offer_of(session, [Sighted(card) for card in goods], session.questions())
    assert {answer.option for answer, _ in offer.answers} == set(goods)
    assert not offer.together
    seat = offer.answers[0][0].seat
    assert seat is not None
    assert offer.of(seat) is None, "a button cannot choose"


def test_what_lies_where_the_table_knows_it_is_not_offered():
    session, goods = to_the_sale()
    assert offer_of_lying(session, [Sighted(goods[0])], session.questions()) == Offer()


def test_many_cards_in_sight_are_not_offered():
    session = begin(RACE, Setup("race", ("Ania", "Bartek")), 0.0)
    worlds = [Sighted(option.component) for option in session.questions()[0].options]
    assert len(offer_of_lying(session, worlds[:1], session.questions()).answers) == 1
    assert offer_of_lying(session, worlds, session.questions()) == Offer()
