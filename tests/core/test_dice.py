"""Several dice in one answer: what is offered, what is not, and how the story tells it."""

from __future__ import annotations

from random import Random

import pytest

from companion.core.questions import Dice, Option, Question
from companion.core.words import plain
from companion.texts import render

FACES = ("1", "2", "3", "4", "5", "6")
DICE = Dice(3, FACES, ("5", "6"), "rest", "#FFFFFF")
QUESTION = Question(
    "game.dice",
    0,
    plain("What do they show?"),
    (*(Option(face, plain(face)) for face in FACES), Option("rest", plain("no more"))),
    has_default=False,
    dice=DICE,
)


@pytest.mark.parametrize("answer", ["6", "rest", "6,6", "6,1,5", "6,rest", "1,1,rest"])
def test_some_faces_all_of_them_or_the_rest_may_be_told(answer: str) -> None:
    assert QUESTION.parts(answer)


@pytest.mark.parametrize(
    "answer", ["", "7", "6,", ",6", "6,7", "6,6,6,6", "6,6,6,rest", "rest,6", "rest,rest", "6, 6", "6.6"]
)
def test_anything_else_is_not_offered(answer: str) -> None:
    assert not QUESTION.parts(answer)
    assert QUESTION.words(answer) is None


def test_a_question_without_dice_takes_one_option() -> None:
    plain_question = Question(
        "game.one", 0, plain("Which?"), (Option("a", plain("A")), Option("b", plain("B")))
    )
    assert plain_question.parts("a,b") == ()
    assert [option.id for option in plain_question.parts("b")] == ["b"]


def test_an_answer_of_several_dice_in_words() -> None:
    words = QUESTION.words("6,rest")
    assert words is not None
    assert render(words, "pl") == "6, no more"


def test_chance_throws_only_what_was_not_told_and_every_face_comes() -> None:
    random = Random(1)
    seen = set()
    for _ in range(200):
        thrown = DICE.thrown(random, ("6",)).split(",")
        assert thrown[0] == "6"
        assert len(thrown) == 3
        assert QUESTION.parts(",".join(thrown))
        seen |= set(thrown[1:])
    assert seen == set(FACES)


def test_faces_that_are_tapped_are_told_with_the_rest_if_any_is_left() -> None:
    assert DICE.answer_for(("6", "5")) == "6,5,rest"
    assert DICE.answer_for(("6", "5", "1")) == "6,5,1"
    assert DICE.answer_for(()) == "rest"
