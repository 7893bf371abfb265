"""The ribbon: which phases a round has, which of them were, which one is now, and which will not be."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from kivy.graphics import Line

from companion.core.views import PhaseView, Tense, View
from companion.core.words import Text, say
from companion.ui.toolkit.kit import Icon, Part, Plate, Row, Words, extent, look

NUMERAL = re.compile("[IVX]+")
GAP = 14


class Struck(Words):
    """Words with a line through them: what will not happen."""

    def __init__(self, text: str, size: str, tone: str) -> None:
        super().__init__(text, size, tone)
        with self.canvas:
            self._line = Line(width=look().unit)

    def place(self, x: float, y: float, width: float, height: float) -> None:
        super().place(x, y, width, height)
        beyond = look().px(2)
        self._line.points = (x - beyond, self.center_y, self.right + beyond, self.center_y)


def ribbon(view: View, words: Callable[[Text], str], room: float) -> Part:
    """The phases in one line: all their names, or that of the one that happens now and as much more as fits."""
    names = [words(phase.text) for phase in view.phases]
    size = look().font("note")
    least = extent(" ".join(names), Words.font, size, False) + look().px(GAP) * (len(names) - 1)
    shortest: Part = Row([])
    for parts in _ways(view, words, named=least <= room):
        shortest = Row(parts, gap=GAP)
        if shortest.natural() <= room:
            break
    return shortest


def _ways(view: View, words: Callable[[Text], str], named: bool) -> Iterator[list[Part]]:
    """The ribbon told at length, then shorter and shorter; what is skipped has a name or is not there."""

    def told(phase: PhaseView, n: int, full: bool) -> Part:
        return _phase(phase, words(phase.text) if full or phase.tense is Tense.NOW else _number(n, phase))

    def _number(n: int, phase: PhaseView) -> str:
        first = words(phase.text).split()[0]
        return first if NUMERAL.fullmatch(first) else str(n)

    def turn() -> list[Part]:
        return [Words(words(say("ui.round", n=view.round)), "note", "dim")] if view.round else []

    numbered = list(enumerate(view.phases, 1))
    if named:
        yield [*(told(phase, n, full=True) for n, phase in numbered), *turn()]
    coming = [(n, phase) for n, phase in numbered if phase.tense is not Tense.SKIPPED]
    now = [(n, phase) for n, phase in coming if phase.tense is Tense.NOW] or coming
    for phases in (coming, now):
        yield [*(told(phase, n, full=False) for n, phase in phases), *turn()]
        yield [told(phase, n, full=False) for n, phase in phases]


def _phase(phase: PhaseView, words: str) -> Part:
    if phase.tense is Tense.NOW:
        row = Row([Icon("play", "note", "accent"), Words(words, "note", "accent", bold=True)], gap=4)
        return Plate(row, "surface", pad=6, radius=8)
    if phase.tense is Tense.SKIPPED:
        return Struck(words, "note", "dim")
    if phase.tense is Tense.PAST:
        return Row([Icon("check", "note", "good"), Words(words, "note", "dim")], gap=2)
    return Words(words, "note")
