"""Options printed on a board are touched where they are printed; repeated questions keep the board open.

Each touch counts one more: a badge shows the number, and the last one can be taken back by its name.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from kivy.core.window import Window
from kivy.graphics import Color, Ellipse, Line, Rectangle, RoundedRectangle

from companion.core.entries import Answered
from companion.core.faces import Face
from companion.core.questions import Answer, Option, Picks, Question
from companion.ui.screens.table.options import SEAT, readable, seat_mark
from companion.ui.screens.table.rail import Middle, button, others
from companion.ui.toolkit.draw import Badge
from companion.ui.toolkit.kit import Gap, Group, Part, Plate, Row, lettered, rgba, theme
from companion.ui.toolkit.snug import Snug, whole
from companion.ui.toolkit.symbols import FaceView, SignRow
from companion.ui.toolkit.theme import SMALLEST_WORDS
from companion.ui.toolkit.tiles import Stack, Tile
from companion.ui.toolkit.touches import asked_of

if TYPE_CHECKING:
    from companion.ui.screens.table.screen import TableScreen

GAP = 4
FOOT = 52
BADGE, HIGH = 38, 26
HIGHEST = 120
MOST_UPRIGHT = 6
"""At most this many columns on an upright screen."""
FACED, ROOMY = 52, 80
"""From these heights on a cell shows the printed face, and also the signs above it."""


def wants_board(question: Question) -> bool:
    """Whether most of its options are on a board."""
    return sum(option.cell is not None for option in question.options) > len(question.options) / 2


def wants_row(question: Question) -> bool:
    """Whether the options form one row, which leaves room for the seats, and only one is chosen."""
    columns = [option.cell[1] for option in question.options if option.cell is not None]
    one = all(option.cell is None or option.cell[0] == 0 for option in question.options)
    return wants_board(question) and question.tally is None and one and max(columns) < MOST_UPRIGHT


def board_page(screen: TableScreen, question: Question) -> Part:
    """The board; below it the last pick and all other possible answers."""
    cells = {option.cell: cell_of(screen, question, option) for option in question.options if option.cell}
    shown = frozenset(option.id for option in question.options if option.cell is not None)
    foot: list[Part] = [] if question.tally is None else [_counted(question.tally)]
    last = _last(screen, question)
    if last is not None:
        foot.append(button(last, screen.desk.undo, "undo-last", "undo"))
    elif question.tally is not None:
        foot.append(Gap(0))  # reserves its place
    foot += others(screen, question, shown)
    below = Row([part.fill() for part in foot], gap=6) if foot else None
    corner = max(row for row, _ in cells), max(column for _, column in cells)
    if screen.board[0] == question.slug:  # picked options leave their place empty
        corner = max(corner[0], screen.board[1][0]), max(corner[1], screen.board[1][1])
    screen.board = (question.slug, corner)
    return Stack([(Board(cells, corner), None), (below, theme().px(FOOT))], gap=6)


class Board(Group):
    """Parts in rows and columns; an upright screen swaps them if that gives more room."""

    def __init__(self, cells: dict[tuple[int, int], Part], corner: tuple[int, int]) -> None:
        super().__init__(cells.values(), GAP)
        self.cells, self.corner = cells, corner

    def fit(self, width: float) -> float:
        return theme().px(200)

    def place(self, x: float, y: float, width: float, height: float) -> None:
        super().place(x, y, width, height)
        rows, columns = self.corner[0] + 1, self.corner[1] + 1
        turned = Window.height > Window.width and columns > MOST_UPRIGHT
        rows, columns = (columns, rows) if turned else (rows, columns)
        wide = (width + self.gap) / columns - self.gap
        high = min((height + self.gap) / rows - self.gap, theme().px(HIGHEST))
        for (row, column), part in self.cells.items():
            row, column = (column, row) if turned else (row, column)
            top = y + height - row * (high + self.gap)
            part.place(x + column * (wide + self.gap), top - high, wide, high)


class BoardCell(Part):
    """One cell of a board: its face or name, its signs, and how often it was picked."""

    def __init__(self, screen: TableScreen, option: Option, face: Face | None) -> None:
        super().__init__()
        self.screen, self.option, self.face = screen, option, face

    def fit(self, width: float) -> float:
        return theme().px(56)

    def natural(self) -> float:
        return theme().px(80)

    def place(self, x: float, y: float, width: float, height: float) -> None:
        super().place(x, y, width, height)
        self.clear_widgets()
        self.canvas.after.clear()
        game = self.screen.desk.session.game
        faced = self.face is not None and self.face.shape != "hex" and height >= theme().px(FACED)
        roomy = faced and height >= theme().px(ROOMY)
        top = theme().px(24) if roomy and (self.option.picked or self.option.signs) else 0.0
        if self.face is not None and faced:
            unit = theme().unit * theme().text
            view = FaceView(game, self.face, width / unit, (height - top) / unit)
            self._put(view, x, y, width, height - top)
        else:
            short = None if self.face is None else self.face.short
            words = self.screen.desk.words(short or self.option.text)
            above = theme().px(HIGH + 2) if self.option.picked else 0.0
            beside = 0.0
            if (mark := seat_mark(self.screen, self.option)) is not None:
                badge = Badge(mark, SEAT / theme().text)
                self._put(badge, x + theme().px(GAP), y, badge.natural(), height)
                beside = badge.natural() + theme().px(2 * GAP)
            room = width - beside, height - above - 2 * theme().px(2)
            said = whole(Snug(words, 34, SMALLEST_WORDS, bold=True, align="center", lines=2), *room)
            high = said.high(*room)
            self._put(said, x + beside, y + theme().px(2) + (room[1] - high) / 2, room[0], high)
        if top and self.option.signs:
            signs = SignRow(game, self.option.signs, 20)
            self._put(
                signs, x + width - signs.natural() - theme().px(4), y + height - top, signs.natural(), top
            )
        if self.option.picked:
            self._badge(x, y + height, self.option.picked)

    def _put(self, part: Part, x: float, y: float, width: float, height: float) -> None:
        self.add_widget(part)
        part.place(x, y, width, height)

    def _badge(self, x: float, top: float, picked: int) -> None:
        """Drawn over the corner of the face, which is no longer needed once it was touched."""
        wide, high = theme().px(BADGE), theme().px(HIGH)
        left, low = x + theme().px(3), top - high - theme().px(2)
        letters = lettered(f"+{picked}", "Words", theme().px(20), True, "left", None)
        with self.canvas.after:
            Color(*rgba("main"))
            RoundedRectangle(pos=(left, low), size=(wide, high), radius=[high / 2])
            Color(*rgba("on_main"))
            at = (left + (wide - letters.width) / 2, low + (high - letters.height) / 2)
            Rectangle(texture=letters, pos=at, size=letters.size)


def cell_of(screen: TableScreen, question: Question, option: Option) -> Tile:
    """An option shown as its component; a tap answers."""
    session = screen.desk.session
    face = option.face
    if face is None and option.component is not None:
        face = session.game.face(session.catalogue[option.component])
    answer = Answer(question.seat, question.slug, option.id)
    tile = Tile(
        BoardCell(screen, option, face),
        partial(screen.desk.propose, answer),
        f"option-{option.id}",
        edge="accent" if option.picked else "",
        about=asked_of(session, question),
        repeats=question.tally is not None,
    )
    return readable(screen, tile, option)


class Dots(Part):
    """One dot per pick, filled once it is made."""

    def __init__(self, tally: Picks) -> None:
        super().__init__()
        self.tally = tally

    def fit(self, width: float) -> float:
        return theme().px(16)

    def natural(self) -> float:
        return theme().px(18) * min(self.tally.total, 9)

    def place(self, x: float, y: float, width: float, height: float) -> None:
        super().place(x, y, width, height)
        self.canvas.clear()
        side = min(theme().px(14), width / max(1, self.tally.total) * 0.8)
        with self.canvas:
            for n in range(self.tally.total):
                left, low = x + n * width / self.tally.total, y + (height - side) / 2
                Color(*rgba("accent" if n < self.tally.done else "line"))
                if n < self.tally.done:
                    Ellipse(pos=(left, low), size=(side, side))
                else:
                    Line(circle=(left + side / 2, low + side / 2, side / 2 - 1), width=1.3)


def _counted(tally: Picks) -> Part:
    words = Snug(f"{tally.done}/{tally.total}", 26, SMALLEST_WORDS, "accent", bold=True)
    return Plate(Middle(Dots(tally) if tally.total <= 9 else None, words), pad=6, radius=10)


def _last(screen: TableScreen, question: Question) -> str | None:
    """The last pick for this question, if there was one."""
    session = screen.desk.session
    if question.tally is None or not question.tally.done or len(session.moments) < 2:
        return None
    n = len(session.moments) - 1
    entry, asked = session.moments[n].entry, session.question_before(n)
    if asked is None or asked.slug != question.slug or entry is None or not isinstance(entry.deed, Answered):
        return None
    option = asked.option(entry.deed.answer.option)
    return None if option is None else screen.desk.words(option.text)
