"""Entering dice: tap their faces, take them back before they count, or let the app roll."""

from __future__ import annotations

from functools import partial
from typing import Any

from kivy.core.window import Window

from companion.core.faces import Sign
from companion.core.questions import Answer, Dice, Option, Question
from companion.drawing import signs
from companion.drawing.symbols import has
from companion.ui.screens.table.rail import button
from companion.ui.toolkit.draw import DieFace
from companion.ui.toolkit.kit import Part, Row, theme
from companion.ui.toolkit.screen import Screen
from companion.ui.toolkit.symbols import Drawn, measured, paper
from companion.ui.toolkit.theme import INK
from companion.ui.toolkit.tiles import Cells, Tile
from companion.ui.toolkit.touches import asked_of

FACE, TOLD = 36, 34


class Tray:
    """The faces tapped for one question; reset for another question."""

    def __init__(self) -> None:
        self.asked: Any = None
        self.faces: tuple[str, ...] = ()

    def of(self, asked: Any) -> tuple[str, ...]:
        """The faces tapped for this question."""
        if self.asked != asked:
            self.asked, self.faces = asked, ()
        return self.faces


class DicePad:
    """Tiles for the faces, the entered dice, and the buttons."""

    def __init__(self, screen: Screen, question: Question, tray: Tray) -> None:
        assert question.dice is not None
        self.screen, self.question, self.tray = screen, question, tray
        self.dice: Dice = question.dice
        self.about = (screen.desk.session.entries, question.seat, question.slug)
        self.told = tray.of(self.about)
        self.asked = asked_of(screen.desk.session, question)

    def parts(self) -> list[Part]:
        """The parts from top to bottom."""
        faces = Cells([self._face(face) for face in self.dice.faces], len(self.dice.faces), gap=6)
        if not self.told:
            return [faces, Row([part.fill() for part in (*self._others(), self._roll())], gap=6)]
        tray = self._tray()
        done: list[Part] = [self._back(), self._done().fill(3), self._roll().fill(2)]
        room = Window.width / (1 if Window.width < Window.height else 2)
        if tray.natural() > room:
            return [faces, tray, Row(done, gap=6)]
        return [faces, Row([tray, *done], gap=6)]

    def _face(self, face: str) -> Part:
        deed = partial(self._tell, (*self.told, face)[: self.dice.n])
        return Tile(self._drawn(face, FACE), deed, f"option-{face}", pad=4, about=self.asked, repeats=True)

    def _drawn(self, face: str, size: float) -> DieFace:
        words = self.screen.desk.words(self._option(face).text)
        counts = face in self.dice.counting
        game = self.screen.desk.session.game
        drawn = None
        if has(game.id, f"die-{face}"):
            colour = self.dice.colour if counts else theme().colour("dim")
            sign, tints = Sign(f"die-{face}", tint="die", dim=not counts), {"die": (colour, colour, INK)}
            side = theme().px(size * theme().text)
            drawn = Drawn(signs.sign(game.id, tints, sign, side, measured, paper()))
        return DieFace(words, self.dice.colour, counts, size, drawn)

    def _tray(self) -> Part:
        """The dice entered so far, with empty places for the others."""
        shown = [self._drawn(face, TOLD) for face in self.told]
        shown += [DieFace("", "line", False, TOLD) for _ in range(self.dice.n - len(self.told))]
        return Row(shown, gap=4)

    def _back(self) -> Part:
        """The button that takes the last die back."""
        return button("", partial(self._tell, self.told[:-1]), "take-back-die", "backspace")

    def _others(self) -> list[Part]:
        """Options that are not faces, such as no hit."""
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
        return self._answering(words, self.dice.answer_for(self.told), "dice-done", "main")

    def _answering(self, words: str, id: str, name: str, kind: str) -> Part:
        answer = Answer(self.question.seat, self.question.slug, id)
        return button(
            words, partial(self.screen.desk.propose, answer), name, kind=kind, about=(self.asked, id)
        )

    def _roll(self) -> Part:
        roll = self.screen.t("ui.dice-roll")
        deed = partial(self.screen.desk.throw, self.question, self.told)
        return button(roll, deed, "dice-roll", "dice-multiple", about=self.asked)

    def _option(self, id: str) -> Option:
        option = self.question.option(id)
        assert option is not None
        return option

    def _tell(self, faces: tuple[str, ...]) -> None:
        self.tray.faces = faces
        self.screen.app.refresh()
