"""Printed values entered at a terminal: typed at once, or one part after another."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from rich.console import Console

from companion.core.binder import Binder
from companion.core.entries import Answered
from companion.core.fact_values import fits, nothing_drawn
from companion.core.facts import ask_fact, ask_facts
from companion.core.forms import Field, Record, TextLine, drawing, form_of
from companion.core.game import Setup, game
from companion.core.journal import Journal
from companion.core.play import Play
from companion.core.questions import Answer
from companion.core.session import begin
from companion.core.store import Store
from companion.core.words import Text, plain, say
from companion.errors import Unknown
from companion.games.beyond.component_types import Achievement, Side
from companion.games.lantern import GAME as LANTERN
from companion.terminal.forms import Filling, filled, told_value
from companion.terminal.show import Shower
from companion.terminal.table import TextTable
from companion.texts import render


class Terminal:
    """A table of Lantern at which somebody has shown a card, and a terminal that is typed at."""

    def __init__(self, folder: Path, card: str, language: str = "en") -> None:
        self.store = Store(folder / "journal.db")
        self.binder = Binder(self.store)
        setup = Setup("lantern", ("Ania", "Bartek"))
        self.play = Play.start(LANTERN, setup, Journal(self.store), self.binder, 1.0)
        for seat, shown in enumerate((card, "candle")):
            self.play.answer(Answer(seat, "lantern.show", shown), 2.0)
        self.language = language

    def type(self, *lines: str) -> str:
        """All that is shown while these lines are typed."""
        out, waiting = io.StringIO(), iter(lines)

        def ask(prompt: str) -> str:
            for line in waiting:
                return line
            raise EOFError

        shower = Shower(Console(file=out, width=160, highlight=False), self.language)
        with pytest.raises(EOFError):
            TextTable(self.play, shower, ask, lambda: 5.0).run()
        return out.getvalue()

    @property
    def answered(self) -> str:
        last = self.play.session.last
        assert last is not None
        assert isinstance(last.deed, Answered)
        assert last.deed.answer.slug == "core.fact"
        return last.deed.answer.option


@pytest.fixture
def moth(tmp_path: Path) -> Iterator[Terminal]:
    terminal = Terminal(tmp_path, "moth")
    yield terminal
    terminal.store.close()


@pytest.fixture(params=["en", "pl"])
def firefly(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Terminal]:
    terminal = Terminal(tmp_path, "firefly", request.param)
    yield terminal
    terminal.store.close()


def test_a_number_is_the_number_and_not_the_place_in_a_list(moth: Terminal) -> None:
    shown = moth.type("3")
    assert "A whole number from 0 to 3" in shown
    assert moth.answered == "3"
    assert moth.binder.facts("lantern") == {"moth.light": 3}


def test_a_number_that_cannot_be_is_refused(moth: Terminal) -> None:
    assert moth.type("4", "", "x").count("A whole number from 0 to 3") == 3
    assert moth.play.session.state.taught == {}


@pytest.mark.parametrize("line", ["once 2", "ONCE  2", "raz 2"])
def test_just_this_once(moth: Terminal, line: str) -> None:
    moth.type(line)
    assert moth.answered == "once:2"
    assert moth.binder.facts("lantern") == {}


FILLED = {
    "en": ["", "cold", "add", "glow", "7", "2", "add one", "dazzle", "left", "done"],
    "pl": ["", "zimna", "dodaj", "zarzy", "7", "2", "dodaj", "oslepia", "lewej", "gotowe"],
}
TOLD = {"colour": "cold", "effects": [{"does": "glow", "oil": 2}, {"does": "dazzle", "whom": "left"}]}


def test_parts_are_asked_for_one_after_another(firefly: Terminal) -> None:
    shown = firefly.type(*FILLED[firefly.language])
    assert json.loads(firefly.answered) == TOLD
    assert {"en": "when it leads, take 2 oil more", "pl": "gdy prowadzi, weź 2 porcje oliwy więcej"}[
        firefly.language
    ] in shown


def test_the_whole_may_be_typed_as_json(firefly: Terminal) -> None:
    firefly.type("{", json.dumps({"colour": "green"}), "once " + json.dumps(TOLD))
    assert firefly.answered.startswith("once:")
    assert firefly.play.session.state.taught == {
        "firefly.colour": TOLD["colour"],
        "firefly.effects": TOLD["effects"],
    }


def test_an_empty_drawing_is_none_here_either() -> None:
    form = form_of(Side, "routes", "beyond")
    found = drawing(form)
    assert found is not None
    one, other = found.places[:2]
    assert fits(form, []), "plays in which it was told are read"
    with pytest.raises(Unknown) as refused:
        told_value(form, "[]", "en")
    assert "at least 1 thing" in render(refused.value.text, "en")
    drawn = [{"one": one.value, "other": other.value}]
    assert told_value(form, json.dumps(drawn), "en") == drawn
    typed = iter((render(one.text, "en"), render(other.text, "en"), render(say("ui.form-no-more"), "en")))
    filling = Filling(lambda text: next(typed), lambda text: None, "en", lambda told: None)
    assert filling.fill(form, plain("routes")) == drawn, "one is asked for before it can be done"
    assert nothing_drawn(Record((Field("routes", plain("routes"), form),)), {"routes": []})


@pytest.mark.parametrize(
    ("language", "asked"),
    [("en", "slots from the left, number 2: points (0–12)"), ("pl", "pola od lewej, numer 2: punkty (0–12)")],
)
def test_each_question_of_a_list_says_which_one_it_is_about(language: str, asked: str) -> None:
    shown: list[str] = []
    lines = iter(
        ("3", "no", "add one", "2", "no", "done")
        if language == "en"
        else ("3", "nie", "dodaj", "2", "nie", "gotowe")
    )

    def typed(text: Text) -> str:
        shown.append(render(text, language))
        return next(lines)

    filling = Filling(typed, lambda text: None, language, lambda told: None)
    told = filling.fill(form_of(Achievement, "slots", "beyond"), say("beyond.field.slots"))
    assert [slot["slot_points"] for slot in told] == [3, 2]
    assert asked in shown


def test_a_column_is_called_a_column() -> None:
    assert render(say("beyond.field.a"), "en") == "column A"
    assert render(say("beyond.field.a"), "pl") == "kolumna A"


def test_a_fact_may_be_left_unknown(firefly: Terminal) -> None:
    firefly.type("", {"en": "cancel", "pl": "anuluj"}[firefly.language])
    assert firefly.play.session.state.taught == {}


def test_a_line_is_typed_as_it_is_printed_and_asked_again_until_it_can_be() -> None:
    said: list[Text] = []
    typed = iter(["", "x" * 9, "Żółw"])
    filling = Filling(lambda text: next(typed), said.append, "en", lambda told: None)
    assert filling.fill(TextLine(8), plain("name")) == "Żółw"
    assert [render(text, "en") for text in said] == ["One line as it is printed, 8 characters at most."] * 2


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ("fix moth how bright = 1", "Set right: Moth, how bright: 1"),
        ("fix Moth  HOW BRIGHT=1", "Set right: Moth, how bright: 1"),
        ("fix firefly colour = cold", "Set right: Firefly, colour: cold"),
        ("fix moth how bright = 9", "It cannot be 9: it is a whole number from 0 to 3."),
        ("fix firefly colour = green", "It cannot be green: it is one of these: warm, cold."),
        ("fix moth wings = 2", "Nothing that can be set is called “moth wings”"),
    ],
)
def test_what_a_card_says_is_set_right_by_name(moth: Terminal, line: str, shown: str) -> None:
    assert shown in moth.type("3", line)


@pytest.mark.parametrize("language", ["en", "pl"])
def test_several_components_are_told_one_after_another_up_to_the_end_of_a_row(language: str) -> None:
    """A track of Transgalactica: space 0 from the start, space 1, and space 2, which is the last."""
    rules = game("transgalactica")
    session = begin(rules, Setup("transgalactica", ("Ania", "Bartek")), 0.0)
    spaces = [session.catalogue[f"politics-{at}"] for at in range(4)]
    now = ask_fact("transgalactica", spaces[1], *spaces[1].unknown(), seat=0)
    page = ask_facts("transgalactica", [(one, one.unknown()) for one in spaces], plain("track"), now)
    nothing, yes, no = "", *({"en": ("yes", "no"), "pl": ("tak", "nie")}[language])
    lines = iter([nothing, "1", nothing, nothing, no, "1", nothing, nothing, yes])
    said: list[Text] = []
    filling = Filling(lambda text: next(lines), said.append, language, rules.means)
    told = filled(filling, session, page.ask(session.state))
    assert list(told) == ["politics-0", "politics-1", "politics-2"]
    assert [of.get("last") for of in told.values()] == [None, False, True]
    assert render(spaces[2].called, language) in [render(text, language) for text in said]
    assert next(lines, None) is None
