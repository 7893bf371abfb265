"""Untaught boxes: their tiles are never offered by codes, and printed facts are asked for in sentences."""

from __future__ import annotations

import re
from random import Random

import pytest

from companion.core.autoplay import next_answer
from companion.core.components import fact_of
from companion.core.game import Setup, game
from companion.core.new_components import as_offered, naming
from companion.core.questions import LATER, Answer, Question
from companion.core.session import Session, begin
from companion.core.understand import Accept, Sighted, understand
from companion.texts import LANGUAGES, render

CODE = re.compile(r"([WDHF]|I{1,4}|[A-Z]) ?\d+[AB]?")
"""What is printed on no tile: W 9, H 1A, II 7."""

SEATS = ("Ania", "Bartek", "Celina")


def until(id: str, slug: str) -> tuple[Session, Question]:
    """A play of an untaught box that bots have played until this is asked."""
    session = begin(game(id), Setup(id, SEATS), 0.0)
    random = Random(5)
    bots = game(id).bots(session.setup, random)
    bots.follow(session.state, session.state.news)
    while session.questions()[0].slug != slug:
        session = session.answer(next_answer(session.state, bots, random), 0.0)
        bots.follow(session.state, session.state.news)
    return session, session.questions()[0]


@pytest.mark.parametrize("id", ["frontiers", "beyond", "transgalactica"])
def test_no_question_of_the_first_rounds_offers_a_code(id: str) -> None:
    session, random = begin(game(id), Setup(id, SEATS), 0.0), Random(1)
    bots, asked = game(id).bots(session.setup, random), set[str]()
    bots.follow(session.state, session.state.news)
    while session.view.round is None or session.view.round < 2:
        for question in session.questions():
            offered = as_offered(session, question)
            asked.add(question.slug)
            new = [option.new for option in offered.options if option.new is not None]
            assert len(new) <= 2, (question.slug, new)
            for option in offered.options:
                for language in LANGUAGES:
                    assert not CODE.fullmatch(render(option.text, language)), (question.slug, option.id)
        session = session.answer(next_answer(session.state, bots, random), 0.0)
        bots.follow(session.state, session.state.news)
    assert len(asked) > 4


def test_all_tiles_nobody_told_of_are_one_new_tile_behind_which_the_next_one_stands() -> None:
    session, question = until("frontiers", "frontiers.take-world")
    offered = as_offered(session, question)
    (new,) = [option for option in offered.options if option.new is not None]
    assert offered.options[0] is new
    assert (new.id, new.new, new.component) == ("world-9", "world-9", None)
    assert [render(new.text, language) for language in LANGUAGES] == ["New tile", "Nowy kafelek"]
    assert len(offered.options) < 10 < len(question.options)


@pytest.mark.parametrize("slug", ["beyond.event", "beyond.which-card"])
def test_cards_of_which_only_the_deck_is_known_are_one_new_card(slug: str) -> None:
    """Not "Event II 1" to "Event II 7": the level is the deck's, and no card has such a number."""
    session, question = until("beyond", slug)
    offered = as_offered(session, question)
    nameless = {c.id for c in session.catalogue if not c.names}
    assert len([option for option in question.options if option.component in nameless]) > 3
    assert not [option for option in offered.options if option.component in nameless]
    assert len([option for option in offered.options if option.new is not None]) == 1


def test_a_label_still_names_any_of_them() -> None:
    session, question = until("frontiers", "frontiers.take-world")
    meant = understand(session, Sighted("world-30", question.seat))
    assert meant == Accept(Answer(question.seat, question.slug, "world-30"))


def test_what_was_named_or_described_is_that_one_from_then_on() -> None:
    session, question = until("frontiers", "frontiers.take-world")
    deed = naming("world-9", "3 i niebieska kostka", "pl")
    session = session.correct_fact(deed.fact, deed.value, 0.0)
    offered = as_offered(session, session.questions()[0])
    (known,) = [option for option in offered.options if option.component == "world-9"]
    assert {render(known.text, language) for language in LANGUAGES} == {"3 i niebieska kostka"}
    assert [option.new for option in offered.options if option.new] == ["world-10"]
    assert question.slug == session.questions()[0].slug


def test_what_was_left_open_and_lies_on_the_table_is_no_new_tile() -> None:
    session, question = until("frontiers", "frontiers.take-world")
    assert question.seat is not None
    session = session.answer(Answer(question.seat, question.slug, "world-9"), 0.0)
    there = Question("test", 0, question.text, tuple(o for o in question.options if o.id == "world-9"))
    assert as_offered(session, there) is there


def test_homes_are_told_by_what_their_mats_print() -> None:
    session, question = until("frontiers", "frontiers.home")
    assert as_offered(session, question) is question
    assert [render(option.text, "en") for option in question.options[:2]] == [
        "Home 1, white square",
        "Home 1, other side",
    ]


def test_a_map_that_was_put_off_is_asked_for_when_a_ship_moves() -> None:
    session, random = begin(game("transgalactica"), Setup("transgalactica", SEATS), 0.0), Random(8)
    bots, boards = game("transgalactica").bots(session.setup, random), list[int]()
    bots.follow(session.state, session.state.news)
    while len(boards) < 3:
        (question, *_) = session.questions()
        answer = next_answer(session.state, bots, random)
        if question.facts and fact_of(question.facts[0])[0] == "board-3":
            boards.append(session.view.round or 0)
            if question.later is not None:
                answer = Answer(question.seat, question.slug, LATER)
        session = session.answer(answer, 0.0)
        bots.follow(session.state, session.state.news)
        assert not session.game.check(session.state)
    assert boards[0] == 0 < boards[1]
    assert session.questions()[0].slug == "transgalactica.planet"
    assert question.later is None
