"""Cards before a camera that looks all the time: which are scans, and which merely lie there."""

from random import Random

from companion.core.autoplay import next_answer
from companion.core.game import Setup, games
from companion.core.scans import Scans, clash
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


def test_a_camera_that_is_switched_on_sells_nothing():
    session, _ = to_the_sale()
    sights, seen = Scans().come(session, [Sighted(card) for card in sorted(RACE.on_table(session.state))])
    assert seen.scans == ()
    assert set(seen.lying) == RACE.on_table(session.state)
    assert clash(session, seen.scans) is None
    assert sights.met == RACE.on_table(session.state)


def test_a_card_shown_again_is_a_scan():
    session, goods = to_the_sale()
    sights, _ = Scans().come(session, [Sighted(goods[0])])
    _, seen = sights.come(session, [Sighted(goods[0])])
    assert seen.scans == (Sighted(goods[0]),)


def test_several_answers_to_one_question_are_none():
    session, goods = to_the_sale()
    sights, _ = Scans().come(session, [Sighted(card) for card in goods])
    _, seen = sights.come(session, [Sighted(card) for card in goods])
    trouble = clash(session, seen.scans)
    assert trouble is not None
    assert set(trouble.choices) == set(goods)


def test_cards_that_are_not_there_yet_are_scans_at_once():
    session = begin(RACE, Setup("race", ("Ania", "Bartek")), 0.0)
    world = session.questions()[0].options[0].component
    assert world is not None
    _, seen = Scans().come(session, [Sighted(world)])
    assert seen.scans == (Sighted(world),)
