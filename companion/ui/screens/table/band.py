"""The band: who is asked, in that seat's colour, the question, and at most one warning."""

from __future__ import annotations

from collections.abc import Collection
from functools import partial
from typing import TYPE_CHECKING

from kivy.core.window import Window
from kivy.graphics import Color, RoundedRectangle

from companion.core.questions import Question
from companion.table.marks import Mark
from companion.texts import capital
from companion.ui.toolkit.draw import Badge
from companion.ui.toolkit.kit import Column, Icon, Part, Plate, Row, Words, extent, rgba, theme
from companion.ui.toolkit.screen import Showing
from companion.ui.toolkit.snug import Snug, shortened
from companion.ui.toolkit.theme import INK
from companion.ui.toolkit.tiles import Tile

if TYPE_CHECKING:
    from companion.ui.screens.table.clocks import Clocks

NAME, PROMPT, LEAST_PROMPT = 30, 27, 24
LEAST_NAME = 18
"""The smallest size of a seat's name: whole names in small letters can be told apart, cut ones cannot."""
FIXED = 0.8
"""The largest share of a band's width that everything beside the question takes."""
ALARM, ON_ALARM = "#B3261E", "#FFFFFF"
"""The background and the text colour of a warning."""


class Prompt(Snug):
    """The question."""

    keep_clear = True


class SeatName(Snug):
    """A seat's name: in capitals if they fit, otherwise in lower case rather than cut; never shortened to
    another seat's name."""

    def __init__(
        self, name: str, tone: str, room: float, full: float = NAME, others: Collection[str] = ()
    ) -> None:
        least = theme().px(LEAST_NAME)
        said = name.upper()
        usual = theme().px(min(NAME, full * max(1.0, theme().text)))
        if extent(said, Words.font, usual, True) > room:
            said = shortened(name, least, room, others)
        super().__init__(said, full, LEAST_NAME, tone, bold=True)


class MarkPlate(Part):
    """A seat's mark on a dark background, to stand out from a band of its own colour."""

    keep_clear = True

    def __init__(self, mark: Mark, size: float) -> None:
        super().__init__()
        self.badge, self._side = Badge(mark, size / theme().text), theme().px(size + 6)
        with self.canvas.before:
            Color(*rgba(INK))
            self._ground = RoundedRectangle(radius=[theme().px(6)])
        self.add_widget(self.badge)

    def fit(self, width: float) -> float:
        return self._side

    def natural(self) -> float:
        return self._side

    def place(self, x: float, y: float, width: float, height: float) -> None:
        super().place(x, y, width, height)
        self._ground.pos, self._ground.size = (x, y), (width, height)
        self.badge.place(x, y, width, height)


class Band(Showing):
    """The band of a question, or a message for everybody."""

    def asking(
        self, question: Question, clocks: Clocks, behind: list[Part], beside: float = 0, low: bool = False
    ) -> Part:
        """Who is asked, and what; `beside` is the width taken by what is next to the band. If it is to be
        `low`, the question shrinks before it takes a second line."""
        words = self.desk.words(question.text)
        warning = None if question.warning is None else self._warning(self.desk.words(question.warning))
        if question.seat is None:
            return self.message_plate(words, [warning, *behind], low=low)
        mark = self.desk.marks()[question.seat]
        name = SeatName(self.desk.session.setup.seats[question.seat], INK, Window.width * 0.36)
        clock = clocks.words(question.seat, INK) if self.desk.settings.clocks and warning is None else None
        who = self._who(question.seat, Row([MarkPlate(mark, 34), name]), mark.colour)
        others = [part for part in (who, warning, clock, *behind) if part is not None]
        gap = theme().px(10)
        used = sum(part.natural() + gap for part in others)
        crowded = used > FIXED * (Window.width - beside - theme().px(26))
        warned = warning is not None and (crowded or Window.width < Window.height)
        prompt = Prompt(words, PROMPT, LEAST_PROMPT, INK, lines=1 if warned or low else 2)
        room = Window.width - beside - theme().px(26) - used
        squeezed = room < 0.4 * (Window.width - beside) + theme().px(20)
        below = None
        if question.warning is not None and warning is not None and warned:
            others.remove(warning)
            room += warning.natural() + gap
            below = self._alarm(self.desk.words(question.warning))
        if clock is not None and (squeezed or not prompt.fits(room, theme().px(70))):
            others.remove(clock)
            room += clock.natural() + gap
        if prompt.fits(room, theme().px(70)):
            row = Row([who, prompt.fill(), *others[1:]], most=FIXED)
            return Plate(Column([row, below], gap=4), mark.colour, pad=5, radius=10)
        head = Row([who.fill(), *others[1:]], most=FIXED)
        return Plate(Column([head, prompt, below], gap=2), mark.colour, pad=5, radius=10)

    def _who(self, seat: int, part: Part, colour: str) -> Part:
        """Mark and name of the asked seat; a touch shows what that seat has."""
        return Tile(part, partial(self.app.front.peek, seat), f"seat-{seat}", ground=colour)

    def message_plate(
        self, words: str, behind: list[Part | None], tone: str = "surface", low: bool = False
    ) -> Part:
        """A message or question for everybody; `low` as in `asking`."""
        prompt = Prompt(capital(words), PROMPT, LEAST_PROMPT, bold=True, lines=1 if low else 2).fill()
        return Plate(Row([prompt, *behind]), tone, pad=7, radius=10)

    def _warning(self, words: str) -> Part:
        sign = Icon("alert", "body", ON_ALARM)
        said = Snug(words, 24, 17, ON_ALARM, bold=True, lines=2)
        return Plate(Row([sign, Broadest(said, 240)], gap=6), ALARM, pad=6, radius=8)

    def _alarm(self, words: str) -> Part:
        """A warning in a line of its own, on upright screens; the line is as low as possible."""
        said = Snug(words, 20 / theme().text, 17, ON_ALARM, bold=True).fill()
        return Plate(Row([Icon("alert", "detail", ON_ALARM), said], gap=6), ALARM, pad=3, radius=8)


class Broadest(Part):
    """A part with a limited width."""

    def __init__(self, part: Part, most: float) -> None:
        super().__init__()
        self.part, self._most = part, theme().px(most)
        self.add_widget(part)

    def fit(self, width: float) -> float:
        return self.part.fit(width)

    def natural(self) -> float:
        return min(self._most, self.part.natural())

    def place(self, x: float, y: float, width: float, height: float) -> None:
        super().place(x, y, width, height)
        self.part.place(x, y, width, height)
