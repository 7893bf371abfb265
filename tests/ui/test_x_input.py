"""The real program in a real X window, operated by real clicks only."""

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.ui import real
from tests.ui.real import Program, WindowReport

pytestmark = pytest.mark.skipif(bool(real.LACKING), reason=real.REASON)


@pytest.fixture
def program(tmp_path: Path) -> Iterator[Program]:
    with real.screen(tmp_path) as program:
        yield program


def test_a_set_up_and_a_round_by_touches_alone(program: Program) -> None:
    program.start()
    program.at("home")
    program.tap("new-race")
    program.tap("next")
    for name in ("ania", "olek"):
        program.tap("somebody")
        for letter in name:
            program.tap(f"key-{letter}")
        program.tap("key-done")
        program.until(lambda shown, name=name: name.title() in shown["words"])
    step = program.until(lambda shown: "next" in shown["taps"])
    while "next" in step["taps"]:
        before = step["words"]
        program.tap("next")
        step = program.until(lambda shown, before=before: shown["words"] != before)
    program.tap("start")
    program.at("table")
    _a_round(program)
    program.end()
    session = program.session()
    assert session.setup.seats == ("Ania", "Olek")
    assert session.game.view(session.state).round == 2


def _a_round(program: Program) -> None:
    """Answer whatever is asked with what comes first, until the next round begins."""
    for _ in range(60):
        shown = program.until(lambda shown: shown["screen"] == "table")
        if "R2" in shown["words"]:
            return
        taps = shown["taps"]
        options = [name for name in taps if name.startswith("option-")]
        if "everybody" in taps:
            _tap(program, shown, "everybody")
        elif "ask-0" in taps and options:  # a row for each seat: everybody's first
            for seat in range(2):
                first = next((name for name in options if name.endswith(f"-{seat}")), "")
                if first:
                    program.tap(first)
            program.until(lambda now, shown=shown: now["entries"] != shown["entries"])
        elif options:
            _tap(program, shown, options[0])
        else:
            time.sleep(0.1)
    raise AssertionError("the round never ended")


def _tap(program: Program, shown: WindowReport, name: str) -> None:
    program.tap_until(name, lambda now: now["entries"] != shown["entries"])
