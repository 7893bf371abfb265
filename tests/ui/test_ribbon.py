"""The ribbon of phases: always one line, and always what happens now."""

import pytest

from companion.core.views import PhaseView, Tense, View
from companion.core.words import say
from companion.ui.screens.table.ribbon import Struck, ribbon
from companion.ui.toolkit.geometry import walk
from companion.ui.toolkit.kit import Words

TENSES = (Tense.PAST, Tense.SKIPPED, Tense.PAST, Tense.NOW, Tense.COMING)
NAMES = ("I Eksploracja", "II Rozwój", "III Kolonizacja", "IV Konsumpcja", "V Produkcja")


def made(room, names=NAMES, tenses=TENSES):
    phases = tuple(
        PhaseView(str(n), say(name), tense) for n, (name, tense) in enumerate(zip(names, tenses, strict=True))
    )
    view = View(12, phases, seats=(), pools=(), meters=())
    told = ribbon(view, lambda text: "Runda 12" if text.key == "ui.round" else text.key, room)
    told.place(0, 0, room, told.fit(room))
    return told


def words(part):
    return [found.text for found in walk(part) if isinstance(found, Words)][::-1]


@pytest.mark.parametrize("room", [1300, 700, 420, 320, 230])
def test_it_stays_in_one_line_and_says_what_happens_now(rehearsal, room):
    told = made(room)
    assert told.natural() <= room
    assert "IV Konsumpcja" in words(told)
    one = Words("X", "note")
    assert told.fit(room) <= one.fit(room) + rehearsal.app.look.px(12)


def test_with_room_every_phase_has_its_name_and_what_is_skipped_is_struck(rehearsal):
    told = made(1300)
    assert set(words(told)) == {*NAMES, "Runda 12"}
    assert [part.text for part in walk(told) if isinstance(part, Struck)] == ["II Rozwój"]


def test_with_less_room_what_is_skipped_goes_first(rehearsal):
    assert set(words(made(500))) == {"I", "III", "IV Konsumpcja", "V", "Runda 12"}
    assert set(words(made(250))) == {"IV Konsumpcja"}


def test_phases_without_numerals_are_counted(rehearsal):
    names = (
        "Akcje wszystkich graczy",
        "Walka w heksach",
        "Utrzymanie i dochody",
        "Sprzątanie stołu",
        "Koniec",
    )
    tenses = (Tense.PAST, Tense.NOW, Tense.COMING, Tense.COMING, Tense.COMING)
    assert set(words(made(520, names, tenses))) == {"1", "Walka w heksach", "3", "4", "5", "Runda 12"}
