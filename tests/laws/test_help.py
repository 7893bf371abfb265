"""Help with every question: a rule in own words in both languages, and the page of the rulebook it is on."""

from __future__ import annotations

import re
from random import Random

import pytest

from companion.core.agenda import Ask
from companion.core.game import Game, Setup, every_game
from companion.core.help import GENERAL, MOST_ALIKE, OF_EVERY_GAME, help_with, reason_against, rule_of
from companion.core.understand import Sighted, why_not
from companion.core.words import say
from companion.texts import LANGUAGES, render
from tests.laws.walks import NAMES, walk

GAMES = [game for game in every_game().values() if not game.box.hidden]
each = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)

PAGES = {"race": 12, "frontiers": 12, "eclipse": 29, "transgalactica": 32, "beyond": 24}
"""No page after these is known of the Polish rulebooks."""

NO_PAGE = {"beyond.go-on", *OF_EVERY_GAME}
"""Questions of this program: what is printed, light play, and whether a play should be stopped."""


def asked_by(game: Game) -> set[str]:
    return {step.slug for step in game.steps if issubclass(step, Ask)}


@each
def test_every_question_has_a_rule_with_its_page(game: Game) -> None:
    slugs = asked_by(game)
    assert slugs
    for slug in slugs:
        rule, source = rule_of(game.box, slug)
        assert rule.key != "core.help.none", slug
        assert (source is None) == (slug in NO_PAGE or game.id not in PAGES), slug
        for language in LANGUAGES:
            told = render(rule, language)
            assert told != rule.key
            assert 40 < len(told) < 420, (slug, len(told))


@each
def test_rules_are_explained_once_and_for_questions_that_are_asked(game: Game) -> None:
    rules = game.box.rulebook
    asked = [f"{game.id}.{kind}" for rule in rules for kind in rule.questions]
    assert len(asked) == len(set(asked))
    assert set(asked) == asked_by(game) - set(OF_EVERY_GAME)
    assert [rule.id for rule in rules] == sorted({rule.id for rule in rules})


@each
def test_pages_are_pages_of_the_rulebook(game: Game) -> None:
    for rule in game.box.rulebook:
        pages = [int(page) for page in re.findall(r"\d+", rule.pages)]
        assert pages == sorted(set(pages))
        assert all(page <= PAGES.get(game.id, page) for page in pages)
        assert not (rule.pages and rule.step)


@each
def test_every_question_of_a_play_has_help(game: Game) -> None:
    """Also the questions that other parts of the program ask, such as those about facts."""
    for session in walk(game, Setup(game.id, NAMES[: game.box.seats[-1]], {}, game.sample()), Random(4), 120):
        for question in session.questions():
            found = help_with(session, question)
            assert found.rule.key != "core.help.none", question.slug
            offered = {option.component for option in question.options} - {None}
            names = {session.catalogue[id].called for id in offered}
            for refusal in found.refusals:
                assert refusal.reason.key not in GENERAL
                assert 0 < len(refusal.names) <= MOST_ALIKE
                assert not names & set(refusal.names), question.slug


def test_a_reason_is_the_rules_own_and_nothing_offered_has_one() -> None:
    game = every_game()["race"]
    seen = 0
    for session in walk(game, Setup("race", NAMES[:3]), Random(3), 60):
        for question in session.questions():
            for component in session.catalogue:
                reason = reason_against(session, component.id, question.seat)
                if any(option.component == component.id for option in question.options):
                    assert reason is None
                elif reason is not None:
                    seen += 1
                    assert reason == why_not(session, Sighted(component.id, question.seat))
    assert seen


def test_light_play_says_that_it_knows_no_rules() -> None:
    box = every_game()["race"].box
    assert rule_of(box, "flow.turn") == (say("core.help.flow-turn"), None)


def test_the_source_names_page_pages_or_step() -> None:
    race, beyond = every_game()["race"].box, every_game()["beyond"].box
    assert render(rule_of(race, "race.action")[1], "en") == "Rulebook of Race for the Galaxy, page 3"
    assert render(rule_of(race, "race.place")[1], "pl") == "Instrukcja gry Race for the Galaxy, strony 4-5"
    assert render(rule_of(beyond, "beyond.first")[1], "en") == "Set-up sheet of Beyond the Sun, step 13"
