"""Names of Race for the Galaxy: action cards as in the Polish rulebook, and names that people entered."""

from __future__ import annotations

from companion.core.game import Setup, game
from companion.core.questions import Answer
from companion.core.session import begin
from companion.results.sheets import sheet_words
from companion.texts import render

TOLD = {"old-earth.name.pl": "Stara Ziemia", "consume-trade.name.pl": "Handlujemy"}


def test_told_names_of_a_card_and_of_an_action_card_are_shown() -> None:
    """P. 6 calls the card "Konsumpcja: Handel"; somebody's deck may print something else."""
    for facts, earth, trade in (
        ({}, "Old Earth", "Konsumpcja: Handel"),
        (TOLD, "Stara Ziemia", "Handlujemy"),
    ):
        session = begin(game("race"), Setup("race", ("Ania", "Bartek"), {}, facts), 0.0)
        for seat, world in ((0, "old-earth"), (1, "new-sparta")):
            session = session.answer(Answer(seat, "race.start-world", world), 1.0)
        offered = {o.id: render(o.text, "pl") for o in session.questions()[0].options}
        assert offered["consume-trade"] == trade
        words = sheet_words(session.game.sheet(session.state)).words
        assert render(words("old-earth"), "pl") == earth
        assert render(session.catalogue["old-earth"].called, "en") == "Old Earth"
