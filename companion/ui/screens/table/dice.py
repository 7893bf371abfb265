"""Dice told by tapping their faces, taken back before they count, or left to chance."""

from __future__ import annotations

from typing import Any

from companion.core.questions import Answer, Dice, Option, Question
from companion.ui.toolkit.draw import DieFace
from companion.ui.toolkit.kit import Flow, Part, Row, Tap, Tiles
from companion.ui.toolkit.screen import Screen

FACE, TOLD = 36, 34
TILE = 54
"""How wide a face is at least, so that six stand beside each other on the smallest screen."""


class Tray:
    """The faces somebody has tapped for one question; another question has an empty one."""

    def __init__(self) -> None:
        self.asked: Any = None
        self.faces: tuple[str, ...] = ()

    def of(self, asked: Any) -> tuple[str, ...]:
        """What was tapped for this question."""
        if self.asked != asked:
            self.asked, self.faces = asked, ()
        return self.faces


class DicePad:
    """Tiles for the faces, the dice that were told, and what to do with them."""

    def __init__(self, screen: Screen, question: Question, tray: Tray) -> None:
        assert question.dice is not None
        self.screen, self.question, self.tray = screen, question, tray
        self.dice: Dice = question.dice
        self.about = (screen.desk.session.entries, question.seat, question.slug)
        self.told = tray.of(self.about)

    def parts(self) -> list[Part]:
        """From top to bottom."""
        faces = Tiles([self._face(face) for face in self.dice.faces], TILE, gap=6)
        if not self.told:
            return [faces, Tiles([*self._others(), self._roll()], 170)]
        return [faces, self._tray(), Tiles([self._done(), self._roll()], 170)]

    def _face(self, face: str) -> Part:
        return Tap(
            part=self._drawn(face, FACE).fill(),
            on_tap=lambda: self._tell((*self.told, face)[: self.dice.n]),
            name=f"option-{face}",
        )

    def _drawn(self, face: str, size: float) -> DieFace:
        words = self.screen.desk.words(self._option(face).text)
        return DieFace(words, self.dice.colour, face in self.dice.counting, size)

    def _tray(self) -> Part:
        """What was told so far, with room for the others; a tap takes the last one back."""
        shown = [self._drawn(face, TOLD) for face in self.told]
        shown += [DieFace("", "line", False, TOLD) for _ in range(self.dice.n - len(self.told))]
        back = Tap(
            icon="backspace",
            kind="quiet",
            on_tap=lambda: self._tell(self.told[:-1]),
            name="take-back-die",
        )
        return Row([Flow(shown, gap=6).fill(), back])

    def _others(self) -> list[Part]:
        """Options that are no face: nothing hits."""
        return [
            self._answering(self.screen.desk.words(option.text), option.id, f"option-{option.id}", "plain")
            for option in self.question.options
            if option.id not in self.dice.faces
        ]

    def _done(self) -> Part:
        short = len(self.told) < self.dice.n
        words = (
            self.screen.desk.words(self._option(self.dice.rest).text)
            if short
            else self.screen.t("ui.dice-done")
        )
        return self._answering(words, self.dice.told(self.told), "dice-done", "main")

    def _answering(self, words: str, id: str, name: str, kind: str) -> Part:
        answer = Answer(self.question.seat, self.question.slug, id)
        return Tap(words, lambda: self.screen.desk.propose(answer), kind=kind, name=name, about=self.about)

    def _roll(self) -> Part:
        return Tap(
            self.screen.t("ui.dice-roll"),
            lambda: self.screen.desk.throw(self.question, self.told),
            icon="dice-multiple",
            name="dice-roll",
            about=self.about,
        )

    def _option(self, id: str) -> Option:
        option = self.question.option(id)
        assert option is not None
        return option

    def _tell(self, faces: tuple[str, ...]) -> None:
        self.tray.faces = faces
        self.screen.app.refresh()
