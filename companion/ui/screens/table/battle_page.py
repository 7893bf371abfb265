"""A battle: the ships of both sides with their hit points, the order of turns, the odds, and the dice."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from kivy.core.window import Window
from kivy.graphics import Color, RoundedRectangle
from msgspec.structs import replace

from companion.core.faces import Face, Sign, Signs
from companion.core.game import Game
from companion.core.questions import Answer, Option, Question, Share
from companion.drawing import signs as drawn
from companion.table.marks import Mark
from companion.ui.screens.table.dice import DicePad
from companion.ui.screens.table.options import option_tile, readable, tiles
from companion.ui.screens.table.rail import Middle
from companion.ui.toolkit.draw import Badge
from companion.ui.toolkit.kit import Column, Group, Icon, Part, Plate, Row, rgba, theme
from companion.ui.toolkit.snug import Snug
from companion.ui.toolkit.symbols import Drawn, SignRow, measured, paper
from companion.ui.toolkit.theme import INK, SMALLEST_WORDS
from companion.ui.toolkit.tiles import Tile
from companion.ui.toolkit.touches import asked_of

if TYPE_CHECKING:
    from companion.ui.screens.table.screen import TableScreen

GAP = 6
ORDER, ODDS, LEAST_SQUADS, MOST_SQUADS = 46, 50, 96, 170
SEEN_SQUADS = 60
"""Ships lower than this are too small to see, so the odds are left out first."""
NOBODY = "#C9D0DA"
"""The colour of ships without an owner."""


def wants_battle(question: Question) -> bool:
    """Whether ships of several sides are shown."""
    sides = {face.seat for face in question.faces if face.shape == "ship"}
    return len(sides) > 1


def battle_page(screen: TableScreen, question: Question) -> Part:
    """Order, ships, odds, and answers."""
    page = BattlePage(screen, question)
    return BattleLayout([page.order(), page.squads(), page.odds(), page.answers()])


class BattleLayout(Group):
    """Order, ships, odds, answers: ships get the remaining room; if it is too little, the order is left out,
    then the odds."""

    def __init__(self, parts: list[Part | None]) -> None:
        super().__init__([], GAP)
        self.order, self.squads, self.odds, self.answers = parts

    def fit(self, width: float) -> float:
        return theme().px(300)

    def place(self, x: float, y: float, width: float, height: float) -> None:
        super().place(x, y, width, height)
        self.clear_widgets()
        assert self.squads is not None
        assert self.answers is not None
        low = min(self.answers.fit(width), height * 0.6)
        odds = theme().px(ODDS) + self.gap if self.odds is not None else 0.0
        rest = height - low - odds - self.gap
        order = theme().px(ORDER) + self.gap
        if rest - order < theme().px(LEAST_SQUADS):
            order = 0.0
        if rest - order < theme().px(SEEN_SQUADS):  # ships matter more than odds
            rest, odds = rest + odds, 0.0
        ships = min(rest - order, theme().px(MOST_SQUADS) * (1 if Window.width > Window.height else 2))
        low += rest - order - ships
        top = y + height
        for part, high in (
            (self.order if order else None, order - self.gap),
            (self.squads, ships),
            (self.odds if odds else None, odds - self.gap),
            (self.answers, low),
        ):
            if part is not None:
                self.add_widget(part)
                part.place(x, top - high, width, high)
                top -= high + self.gap


class BattlePage:
    """The parts of one battle's page."""

    def __init__(self, screen: TableScreen, question: Question) -> None:
        self.screen, self.question = screen, question
        self.game: Game = screen.desk.session.game
        self.marks = screen.desk.marks()
        self.about = asked_of(screen.desk.session, question)

    def mark(self, seat: int | None) -> Mark | None:
        """The mark of the owner of these ships."""
        return None if seat is None else self.marks[seat]

    def order(self) -> Part:
        """All types of ships in the order of their turns, with the current one highlighted."""
        shown: list[Part] = []
        for face in self.question.faces:
            ship, first = face.corners[0], face.corners[1]
            tone = "on_main" if face.framed else "text"
            mark = self.mark(face.seat)
            row = Row(
                [
                    Snug(first.value, 24, SMALLEST_WORDS, tone, bold=True),
                    None if mark is None else Badge(mark, 26 / theme().text),
                    ship_symbol(self.game, ship, mark, 30, ink=face.framed),
                ],
                gap=5,
            )
            shown.append(
                Plate(Middle(row, None), "main" if face.framed else "surface", pad=4, radius=9).fill()
            )
        return Row([Icon("timer", "body", "dim"), *shown], gap=4)

    def squads(self) -> Part:
        """The ships of one side, an arrow, the ships of the other."""
        faces = self.question.faces
        asked = self.question.seat
        left = asked if any(face.seat == asked for face in faces) and asked is not None else faces[0].seat
        first = next((s.seat for s in self.question.odds), left) if self.question.odds else left
        ours = [self._squad(face) for face in faces if face.seat == first]
        theirs = [self._squad(face) for face in faces if face.seat != first]
        arrow = Middle(Icon("sword-cross", "prompt", "accent"), None)
        return Sides(ours, arrow, theirs)

    def _squad(self, face: Face) -> Part:
        own = [
            option for option in self.question.options if option.face is not None and _same(option.face, face)
        ]
        content = SquadView(self.game, face, self.mark(face.seat))
        if not own:
            return Plate(content, edge="accent" if face.framed else "", pad=4, radius=10)
        deed = partial(self.screen.desk.propose, self._answer(own[0]))
        tile = Tile(content, deed, f"target-{own[0].id}", edge="bad", pad=4, about=self.about)
        return readable(self.screen, tile, own[0])

    def _answer(self, option: Option) -> Answer:
        return Answer(self.question.seat, self.question.slug, option.id)

    def odds(self) -> Part | None:
        """The chance of each side to win, and what it will probably have left."""
        return OddsBar(self, self.question.odds) if self.question.odds else None

    def answers(self) -> Part:
        """The dice, or the options."""
        if self.question.dice is not None:
            return Column(DicePad(self.screen, self.question, self.screen.tray).parts(), gap=6)
        bare = tuple(replace(option, face=None, component=None) for option in self.question.options)
        question = replace(self.question, options=bare)
        return tiles([option_tile(self.screen, question, n) for n in range(len(bare))])


def _same(one: Face, other: Face) -> bool:
    return (one.corners, one.rows, one.seat) == (other.corners, other.rows, other.seat)


class Sides(Group):
    """The ships of two sides, equally wide, with a part between them."""

    def __init__(self, ours: list[Part], between: Part, theirs: list[Part]) -> None:
        super().__init__([*ours, between, *theirs], GAP)
        self.ours, self.between, self.theirs = ours, between, theirs

    def fit(self, width: float) -> float:
        return theme().px(LEAST_SQUADS)

    def place(self, x: float, y: float, width: float, height: float) -> None:
        super().place(x, y, width, height)
        middle = theme().px(54)
        each = (width - middle - self.gap * (len(self.parts) - 1)) / (len(self.parts) - 1)
        each = min(each, theme().px(190))
        used = each * (len(self.parts) - 1) + middle + self.gap * (len(self.parts) - 1)
        left = x + (width - used) / 2
        for part in self.parts:
            wide = middle if part is self.between else each
            part.place(left, y, wide, height)
            left += wide + self.gap


class SquadView(Part):
    """All ships of a type: symbol, number, a row of hit points for each, and weapons."""

    def __init__(self, game: Game, face: Face, mark: Mark | None) -> None:
        super().__init__()
        self.game, self.face, self.mark = game, face, mark

    def fit(self, width: float) -> float:
        return theme().px(LEAST_SQUADS - 8)

    def place(self, x: float, y: float, width: float, height: float) -> None:
        super().place(x, y, width, height)
        self.clear_widgets()
        weapons, bears = self.face.rows[0], self.face.rows[1:]
        low = self._weapons(weapons, x, y, width, height)
        room = height - low
        sign = self.face.corners[0]
        beside: list[Part] = [] if self.mark is None else [Badge(self.mark, 32 / theme().text)]
        many = [Snug(sign.value, 32 / theme().text, 24, bold=True)] if sign.value else []
        narrow = width - sum(part.natural() for part in (*beside, *many))
        high = min(room * 0.62, width * 0.5, narrow, theme().px(78))
        ship = ship_symbol(self.game, Sign(sign.symbol), self.mark, high / theme().unit)
        shown: list[Part] = [*beside, ship, *many]
        left = x + (width - sum(part.natural() for part in shown)) / 2
        for part in shown:
            tall = min(part.fit(width), max(high, height - low)) if isinstance(part, Snug) else high
            top = y + height - max(0.0, high - tall) / 2
            self._put(part, left, top - tall, part.natural(), tall)
            left += part.natural()
        self._points(bears, x, y + low, width, room - high)

    def _weapons(self, weapons: Signs, x: float, y: float, width: float, height: float) -> float:
        """Draw the weapons at the bottom if there is room; return their height."""
        for size in (26, 22, 18):
            row = SignRow(self.game, weapons, size)
            high = row.fit(width)
            if weapons and high <= height * 0.42:
                wide = min(width, row.natural())
                self._put(row, x + (width - wide) / 2, y, wide, high)
                return high
        return 0.0

    def _put(self, part: Part, x: float, y: float, width: float, height: float) -> None:
        self.add_widget(part)
        part.place(x, y, width, height)

    def _points(self, bears: tuple[Signs, ...], x: float, y: float, width: float, height: float) -> None:
        """One column of squares per ship; hollow squares are damage."""
        self.canvas.after.clear()
        if not bears:
            return
        most = max(len(row) for row in bears)
        side = min(theme().px(16), (width * 0.96) / (len(bears) * (most + 0.8)), height * 0.8)
        used = side * 1.2 * sum(len(row) for row in bears) + side * 0.8 * (len(bears) - 1)
        left, low = x + (width - used) / 2, y + (height - side) / 2
        colour = NOBODY if self.mark is None else self.mark.colour
        with self.canvas.after:
            for row in bears:
                for sign in row:
                    Color(*rgba("line" if sign.dim else colour))
                    RoundedRectangle(pos=(left, low), size=(side, side), radius=[side * 0.2])
                    if sign.dim:
                        Color(*rgba("ground"))
                        inner = side * 0.16
                        RoundedRectangle(
                            pos=(left + inner, low + inner),
                            size=(side - 2 * inner, side - 2 * inner),
                            radius=[side * 0.15],
                        )
                    left += side * 1.2
                left += side * 0.8


def ship_symbol(game: Game, sign: Sign, mark: Mark | None, size: float, ink: bool = False) -> Drawn:
    """A ship's symbol in its seat's colour, or in the colour for no owner."""
    colour = INK if ink else NOBODY if mark is None else mark.colour
    tints = {**game.tints, "seat": (colour, colour, INK)}
    on = paper("main", "on_main", "on_main") if ink else paper()
    return Drawn(
        drawn.sign(game.id, tints, Sign(sign.symbol, sign.value, "seat"), theme().px(size), measured, on)
    )


def percent(share: float) -> str:
    """A chance as a percentage; it is rounded to 0 or 100 % only if it is exactly that."""
    if 0 < share < 0.005:
        return "<1%"
    return ">99%" if 0.995 < share < 1 else f"{100 * share:.0f}%"


class OddsBar(Part):
    """A bar divided by the sides' chances, with the figures and the probable survivors at its ends."""

    def __init__(self, page: BattlePage, odds: tuple[Share, ...]) -> None:
        super().__init__()
        self.page, self.shares = page, odds

    def fit(self, width: float) -> float:
        return theme().px(ODDS)

    def place(self, x: float, y: float, width: float, height: float) -> None:
        super().place(x, y, width, height)
        self.clear_widgets()
        self.canvas.before.clear()
        ends = [self._end(share) for share in self.shares[:2]]
        most = width * (0.32 if Window.width > Window.height else 0.42)
        wides = [min(part.natural(), most) for part in ends]
        for part, wide, left in zip(ends, wides, (x, x + width - wides[-1]), strict=False):
            self.add_widget(part)
            part.place(left, y, wide, height)
        left, room = x + wides[0] + theme().px(8), width - sum(wides) - theme().px(16)
        high = theme().px(26)
        with self.canvas.before:
            for share in self.shares:
                mark = self.page.mark(share.seat)
                wide = max(0.0, room * share.share - theme().px(2))
                Color(*rgba(NOBODY if mark is None else mark.colour))
                RoundedRectangle(
                    pos=(left, y + (height - high) / 2), size=(wide, high), radius=[theme().px(6)]
                )
                left += room * share.share

    def _end(self, share: Share) -> Part:
        mark = self.page.mark(share.seat)
        figure = Snug(("≈" if share.estimated else "") + percent(share.share), 30, 24, "text", bold=True)
        signs = [ship_symbol(self.page.game, sign, mark, 26) for sign in share.signs]
        return Row([None if mark is None else Badge(mark, 28 / theme().text), figure, *signs], gap=5)
