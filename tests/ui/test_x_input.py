"""The real program in a real X window, touched by nothing but real clicks."""

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.ui import real
from tests.ui.real import Program

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
        shown = program.until(lambda shown: shown["screen"] in ("table", "choose"))
        if "Round 2" in shown["words"]:
            return
        options = [name for name in shown["taps"] if name.startswith("option-")]
        asked = [name for name in shown["taps"] if name.startswith("ask-")]
        if not options and not asked:
            time.sleep(0.1)
            continue
        program.tap_until(
            (options or asked)[0],
            lambda now, shown=shown: (now["screen"], now["taps"]) != (shown["screen"], shown["taps"]),
        )
    raise AssertionError("the round never ended")
