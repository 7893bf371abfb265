"""Light plays in a real window: one by touch, one by the buttons of a simulated panel alone."""

import time
from pathlib import Path

import msgspec
import pytest

from companion.core.entries import Answered
from companion.core.questions import Question
from companion.table.settings import Settings
from devices.simulator import KEYS
from tests.ui import real
from tests.ui.real import Program

pytestmark = pytest.mark.skipif(bool(real.LACKING), reason=real.REASON)

TURNS = 24
"""More than a round of either game."""


def begin(program: Program, *words: str) -> None:
    (program.home / "settings.json").write_bytes(msgspec.json.encode(Settings(moments=False)))
    program.start("play", "--light", *words, "--seats", "Ania,Bartek", "--camera", "none")
    program.at("new")
    program.tap("start")
    program.at("table")


def asked(program: Program) -> Question:
    return program.session().questions()[0]


def follow(program: Program, entries: int) -> None:
    """Wait until one more answer is in the journal and on the screen."""
    program.until(lambda shown: shown["entries"] == program.entries() > entries)


def test_a_light_play_of_race_by_touch(tmp_path: Path) -> None:
    with real.screen(tmp_path) as program:
        begin(program, "race")
        touches = 0
        while touches < TURNS:
            question, entries = asked(program), program.entries()
            if question.finished is not None:
                break
            shown = program.until(
                lambda shown, n=entries: shown["entries"] == n and shown["screen"] == "table"
            )
            assert question.turn
            # a phase is picked three times in four: rounds of different lengths
            picks = [option.id for option in question.options if option.group is None]
            option = picks[touches % 4 % len(picks)]
            assert f"option-{option}" in shown["taps"]
            program.tap(f"option-{option}")
            follow(program, entries)
            touches += 1
        session = program.session()
        answered = [
            m.entry for m in session.moments if m.entry is not None and isinstance(m.entry.deed, Answered)
        ]
        assert len(answered) == touches == TURNS
        assert session.view.round > 1
        assert program.faults() == []


def test_a_light_play_by_seat_buttons_alone(tmp_path: Path) -> None:
    """The button of the seat whose turn it is, and of anybody in a phase of everybody, is the one tap."""
    keys = {who: key for key, who in KEYS.items()}
    with real.screen(tmp_path) as program:
        begin(program, "eclipse", "--panel")
        entries = program.entries()
        program.tap("option-0")  # who begins is told once
        follow(program, entries)
        for n in range(TURNS):
            question, entries = asked(program), program.entries()
            assert question.turn
            assert question.default is not None
            seat = question.seat if question.seat is not None else n % 2
            program.until(lambda shown, n=entries: shown["entries"] == n and not shown["changing"])
            program.x("keydown", "--window", program.window, keys[seat])
            time.sleep(0.15)  # a button is pressed for as long as a finger needs
            program.x("keyup", "--window", program.window, keys[seat])
            follow(program, entries)
            answer = program.session().moments[-1].entry
            assert answer is not None
            assert isinstance(answer.deed, Answered)
            assert answer.deed.answer.option == question.default.id
            time.sleep(0.4)  # two quick presses would be a double one
        assert program.faults() == []
