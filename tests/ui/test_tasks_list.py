"""The list of moves to do on the table is one page, however long."""

import pytest

from companion.core.tasks import HandTask
from companion.core.words import plain
from companion.ui.toolkit.geometry import visible, walk
from companion.ui.toolkit.kit import Tap


@pytest.mark.parametrize(("language", "text"), [("en", 100), ("pl", 150)])
def test_earlier_tasks_are_folded_where_the_page_has_no_room(rehearsal, layout, monkeypatch, language, text):
    todo = [HandTask(plain(f"Lay card {n} on the table"), (n % 3,), n > 1, n) for n in range(30)]
    monkeypatch.setattr(
        "companion.ui.screens.table.tasks_line.hand_tasks",
        lambda session, ticked: tuple(chore for chore in todo if chore.key not in ticked),
    )
    rehearsal.change(language=language, text_size=text)
    rehearsal.play("race", ("Ania", "Bartek", "Celina"), answers=5)
    rehearsal.screen.hands.show_all()
    rehearsal.settle()

    def lines():
        taps = [p for p in walk(rehearsal.app.stage) if isinstance(p, Tap)]
        return [tap for tap in taps if tap.name.startswith("chore-")]

    shown = [int(tap.name.removeprefix("chore-")) for tap in lines()]
    assert {0, 1, 29} < set(shown), "the unusual and the latest"
    assert len(shown) < len(todo)
    assert all(visible(tap) is not None for tap in lines())
    assert visible(rehearsal.taps()["earlier"]) is not None
    assert any(str(len(todo) - len(shown)) in words for words in rehearsal.words())
    rehearsal.tap("earlier")
    assert len(lines()) == len(todo)
