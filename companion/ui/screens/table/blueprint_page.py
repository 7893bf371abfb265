"""Rebuilding ships: shows where parts may go, with the ship before and after."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from kivy.core.window import Window

from companion.core.faces import Face
from companion.core.questions import Answer, Option, Question
from companion.drawing.symbols import called
from companion.ui.screens.table.board_page import cell_of
from companion.ui.screens.table.options import readable
from companion.ui.screens.table.rail import Beside, Middle, button, others, tools
from companion.ui.toolkit.kit import Group, Icon, Part, Plate, theme
from companion.ui.toolkit.snug import Snug
from companion.ui.toolkit.symbols import FaceView, SignRow, Symbol
from companion.ui.toolkit.theme import SMALLEST_WORDS
from companion.ui.toolkit.tiles import Cells, Stack, Tile
from companion.ui.toolkit.touches import asked_of

if TYPE_CHECKING:
    from companion.ui.screens.table.screen import TableScreen

GAP = 6
TAB = 92
STRIP = 132
LEAST_TILE = 84


def wants_blueprint(question: Question) -> bool:
    """Whether it is about ships of one seat."""
    ships = [face for face in question.faces if face.shape == "ship"]
    return bool(ships) and len({face.seat for face in ships}) == 1


def blueprint_page(screen: TableScreen, question: Question) -> Part:
    """The page for where a part goes, or for which part is taken."""
    page = BlueprintPage(screen, question)
    after = [option for option in question.options if option.face is not None and option.component is None]
    return page.where(after) if 2 * len(after) > len(question.options) else page.which()


class BlueprintPage:
    """The ships of one question."""

    def __init__(self, screen: TableScreen, question: Question) -> None:
        self.screen, self.question = screen, question
        self.game = screen.desk.session.game
        self.about = (screen.desk.session.entries, question.seat, question.slug)
        self.atlas = screen.atlas.of(self.about)

    def which(self) -> Part:
        """All ships as they are, with the available parts below them."""
        ships: list[Part] = [Blueprint(self.game, face) for face in self.question.faces]
        shown = [option for option in self.question.options if option.component is not None]
        parts: list[Part] = [cell_of(self.screen, self.question, option) for option in shown]
        upright = Window.height > Window.width
        columns = 4 if upright else min(9, max(4, -(-len(parts) // 2)))
        side = others(self.screen, self.question, frozenset(option.id for option in shown))
        strip = Cells(ships, 2 if upright else 4, gap=GAP)
        high = theme().px(STRIP) * (2 if upright else 1)
        return Beside(
            Dropping(strip, high, Cells(parts, columns, gap=4, most=120), theme().px(LEAST_TILE)),
            Stack(
                [
                    (Cells(side, len(side) if upright else 1, gap=4, most=72, widen=True), None),
                    (tools(self.screen), theme().px(54)),
                ]
            ),
            wide=180,
            high=124,
        )

    def where(self, options: list[Option]) -> Part:
        """One ship as it is, and as it would be with the part on each possible square; a tap answers."""
        by_ship: dict[str, list[Option]] = {}
        for option in options:
            assert option.face is not None
            by_ship.setdefault(ship_of(option.face), []).append(option)
        chosen = self.atlas.chosen if self.atlas.chosen in by_ship else next(iter(by_ship))
        before = next(face for face in self.question.faces if ship_of(face) == chosen)
        tabs: list[Part] = [self._tab(face, by_ship, chosen) for face in self.question.faces]
        after: list[Part] = [self._after(option) for option in by_ship[chosen]]
        upright = Window.height > Window.width
        label = Snug(self.screen.t("ui.before"), 18, SMALLEST_WORDS, "dim", bold=True)
        drawn = Stack([(label, label.fit(theme().px(100))), (Blueprint(self.game, before), None)], gap=2)
        now = Plate(drawn, pad=6, radius=10)
        columns = 2 if upright or len(after) in (2, 4) else min(3, len(after))
        rest = others(self.screen, self.question, frozenset(option.id for option in options))
        side = Stack(
            [
                (Cells(tabs, 4 if upright else 1, gap=4, widen=True), None),
                (tools(self.screen), theme().px(54)),
            ]
        )
        body = BeforeAfter(now, Cells(after, columns, gap=GAP))
        foot = (Cells(rest, max(1, len(rest)), gap=GAP), theme().px(54)) if rest else (None, None)
        return Beside(Stack([(body, None), foot]), side, wide=150, high=180)

    def _tab(self, face: Face, by_ship: dict[str, list[Option]], chosen: str) -> Part:
        """A tab for a ship, with the number of squares it offers."""
        ship = ship_of(face)
        words = self.screen.desk.words(called(self.game.id, ship))
        kind = "chosen" if ship == chosen else "plain" if ship in by_ship else "dim"
        deed = partial(self._choose, ship) if ship in by_ship else None
        return button(words, deed, f"ship-{ship}", signs=Symbol(self.game, face.corners[0], 30), kind=kind)

    def _choose(self, ship: str) -> None:
        self.atlas.chosen = ship
        self.screen.app.refresh()

    def _after(self, option: Option) -> Part:
        assert option.face is not None
        answer = Answer(self.question.seat, self.question.slug, option.id)
        tile = Tile(
            Rebuilt(self.game, option),
            partial(self.screen.desk.propose, answer),
            f"option-{option.id}",
            pad=4,
            about=asked_of(self.screen.desk.session, self.question),
        )
        return readable(self.screen, tile, option)


def ship_of(face: Face) -> str:
    """The ship a face shows."""
    return face.corners[0].symbol


class Blueprint(Part):
    """A face as large as its room."""

    def __init__(self, game, face: Face) -> None:  # type: ignore[no-untyped-def]
        super().__init__()
        self.game, self.face = game, face

    def fit(self, width: float) -> float:
        return theme().px(STRIP)

    def place(self, x: float, y: float, width: float, height: float) -> None:
        super().place(x, y, width, height)
        self.clear_widgets()
        unit = theme().unit * theme().text
        view = FaceView(self.game, self.face, width / unit, height / unit)
        self.add_widget(view)
        view.place(x, y, width, height)


class Rebuilt(Part):
    """A ship as it would be, with the changes below it."""

    def __init__(self, game, option: Option) -> None:  # type: ignore[no-untyped-def]
        super().__init__()
        self.game, self.option = game, option

    def fit(self, width: float) -> float:
        return theme().px(LEAST_TILE)

    def place(self, x: float, y: float, width: float, height: float) -> None:
        super().place(x, y, width, height)
        self.clear_widgets()
        low = 0.0
        if self.option.signs:
            signs = SignRow(self.game, self.option.signs, 22)
            low = signs.fit(width)
            if low <= height * 0.4:
                self.add_widget(signs)
                signs.place(x, y, width, low)
            else:
                low = 0.0
        assert self.option.face is not None
        drawing = Blueprint(self.game, self.option.face)
        self.add_widget(drawing)
        drawing.place(x, y + low, width, height - low)


class BeforeAfter(Group):
    """Before, an arrow, and after: side by side, or below each other on an upright screen."""

    def __init__(self, before: Part, after: Part) -> None:
        super().__init__([before, Middle(Icon("arrow-right", "body", "accent"), None), after], GAP)

    def fit(self, width: float) -> float:
        return theme().px(200)

    def place(self, x: float, y: float, width: float, height: float) -> None:
        super().place(x, y, width, height)
        before, arrow, after = self.parts
        if Window.width < Window.height:
            high = height * 0.3
            before.place(x, y + height - high, width * 0.6, high)
            arrow.place(x + width * 0.6, y + height - high, width * 0.2, high)
            after.place(x, y, width, height - high - self.gap)
            return
        sign = max(theme().px(34), arrow.natural())
        wide = (width - sign - 2 * self.gap) * 0.34
        before.place(x, y, wide, height)
        arrow.place(x + wide + self.gap, y, sign, height)
        left = x + wide + sign + 2 * self.gap
        after.place(left, y, x + width - left, height)


class Dropping(Group):
    """Two parts below each other; the upper one is left out if the lower would have too little room."""

    def __init__(self, above: Part, high: float, below: Cells, least: float) -> None:
        super().__init__([], GAP)
        self.above, self.below, self._high, self._least = above, below, high, least

    def fit(self, width: float) -> float:
        return self._high

    def place(self, x: float, y: float, width: float, height: float) -> None:
        super().place(x, y, width, height)
        self.clear_widgets()
        needed = self.below.rows * (self._least + self.below.gap)
        high = self._high if needed + self.gap + self._high <= height else 0.0
        if high:
            self.add_widget(self.above)
            self.above.place(x, y + height - high, width, high)
            high += self.gap
        self.add_widget(self.below)
        self.below.place(x, y, width, height - high)
