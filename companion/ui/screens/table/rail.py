"""The rail beside a page that needs the whole table: everybody's points, tasks, and other options."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from kivy.core.window import Window

from companion.core.questions import Answer, Option, Question
from companion.core.views import View
from companion.table.desk import option_words
from companion.ui.screens.table.options import readable
from companion.ui.toolkit.draw import Badge
from companion.ui.toolkit.kit import Group, Icon, Part, Plate, Row, theme
from companion.ui.toolkit.snug import Snug, whole
from companion.ui.toolkit.symbols import SignRow
from companion.ui.toolkit.theme import SMALLEST_WORDS, TARGET
from companion.ui.toolkit.tiles import Cells, Stack, Tile
from companion.ui.toolkit.touches import asked_of

if TYPE_CHECKING:
    from companion.ui.screens.table.screen import TableScreen

WIDE, HIGH = 196, 250
"""Its width beside a landscape page, and its height below an upright one."""
BUTTON, SEAT, MOST_WANTED = 54, 44, 160
"""The height of a button and of a seat, and how much room the part above the buttons may claim."""
SLIM = (64, 64)
"""The width (or height, if upright) of a rail with only marks and points."""
BUTTONS, BUTTONS_HIGH = 150, 180
"""The same if other options are next to a board, which needs the room."""
LARGE, LOW = 1.2, 50
"""From this text size on, text above the buttons gets more room, and buttons have only this height."""
GAP = 6


class Beside(Group):
    """A page with a part at its right, or below it on an upright screen."""

    def __init__(self, page: Part, rail: Part, wide: float = WIDE, high: float = HIGH) -> None:
        super().__init__([page, rail], GAP)
        self.page, self.rail = page, rail
        self._wide, self._high = theme().px(wide), theme().px(high)

    def fit(self, width: float) -> float:
        return self.page.fit(width)

    def place(self, x: float, y: float, width: float, height: float) -> None:
        super().place(x, y, width, height)
        if Window.width >= Window.height:
            wide = width - self._wide - self.gap
            self.page.place(x, y, wide, height)
            self.rail.place(x + wide + self.gap, y, self._wide, height)
        else:
            self.page.place(x, y + self._high + self.gap, width, height - self._high - self.gap)
            self.rail.place(x, y, width, self._high)


def button(
    words: str,
    deed: Callable[[], Any] | None,
    name: str,
    icon: str = "",
    *,
    kind: str = "plain",
    signs: Part | None = None,
    about: object = None,
    repeats: bool = False,
) -> Tile:
    """A button whose text shrinks to fit; `dim` if it may not be touched now."""
    ground = {"main": "main", "dim": "surface"}.get(kind, "raised")
    tone = {"main": "on_main", "dim": "dim", "chosen": "accent"}.get(kind, "text")
    said = Snug(words, 22, SMALLEST_WORDS, tone, bold=True, lines=2) if words else None
    inside = Middle(Icon(icon, "body", tone) if icon else signs, said)
    edge = "accent" if kind == "chosen" else ""
    return Tile(inside, deed, name, ground=ground, edge=edge, pad=5, about=about, repeats=repeats)


class Middle(Part):
    """A sign and text, centred; the text is as large as the room allows."""

    def __init__(self, sign: Part | None, words: Snug | None, gap: float = 6) -> None:
        super().__init__()
        self.sign, self.words, self.gap = sign, words, theme().px(gap)
        for part in (sign, words):
            if part is not None:
                self.add_widget(part)

    def fit(self, width: float) -> float:
        return theme().px(BUTTON - 10)

    def natural(self) -> float:
        parts = [part.natural() for part in (self.sign, self.words) if part is not None]
        return sum(parts) + self.gap * (len(parts) - 1)

    def place(self, x: float, y: float, width: float, height: float) -> None:
        super().place(x, y, width, height)
        if self.sign is not None and self.words is not None and not self._both(width, height):
            if isinstance(self.sign, Icon):
                self.remove_widget(self.sign)
                self.sign = None
            else:
                self.remove_widget(self.words)
                self.words = None
        used = 0.0 if self.sign is None else min(self.sign.natural(), width)
        room = width - used - (self.gap if used else 0)
        wide = 0.0 if self.words is None else min(room, whole(self.words, room, height).natural())
        left = x + (width - used - wide - (self.gap if used and wide else 0)) / 2
        if self.sign is not None:
            self.sign.place(left, y, used, height)
            left += used + self.gap
        if self.words is not None:
            high = min(height, self.words.high(wide, height))
            self.words.place(left, y + (height - high) / 2, wide, high)

    def _both(self, width: float, height: float) -> bool:
        """Whether the text fits beside the sign; otherwise text replaces an icon, and a game's sign replaces
        text."""
        assert self.sign is not None
        assert self.words is not None
        return self.words.fits(width - self.sign.natural() - self.gap, height)


class Roomy(Part):
    """Parts below each other, as many as fit; the last ones are left out first."""

    def __init__(self, parts: list[Part | None], gap: float = 6) -> None:
        super().__init__()
        self.parts, self.gap = [part for part in parts if part is not None], theme().px(gap)

    def fit(self, width: float) -> float:
        return sum(part.fit(width) + self.gap for part in self.parts) - self.gap

    def place(self, x: float, y: float, width: float, height: float) -> None:
        super().place(x, y, width, height)
        self.clear_widgets()
        top = y + height
        for n, part in enumerate(self.parts):
            high = part.fit(width)
            if n and high > top - y + 1:
                return
            high = min(high, top - y)
            self.add_widget(part)
            part.place(x, top - high, width, high)
            top -= high + self.gap


def answering(screen: TableScreen, question: Question, option: Option, kind: str = "plain") -> Tile:
    """An option as a button."""
    words, _ = option_words(screen.desk, option)
    answer = Answer(question.seat, question.slug, option.id)
    game = screen.desk.session.game
    signs = SignRow(game, option.signs, 24) if option.signs else None
    about, repeats = asked_of(screen.desk.session, question), question.tally is not None
    deed = partial(screen.desk.propose, answer)
    name = f"option-{option.id}"
    tile = button(words, deed, name, kind=kind, signs=signs, about=about, repeats=repeats)
    return readable(screen, tile, option)


def others(screen: TableScreen, question: Question, shown: frozenset[str]) -> list[Part]:
    """Options that are not on the page itself; each group is behind one button."""
    plain = [o for o in question.options if o.id not in shown and o.group is None]
    groups: dict[str, int] = {}
    for option in question.options:
        if option.id not in shown and option.group is not None:
            group = screen.desk.words(option.group)
            groups[group] = groups.get(group, 0) + 1
    found: list[Part] = [
        answering(screen, question, option, "main" if option is question.default else "plain")
        for option in plain
    ]
    for group, n in groups.items():
        go = partial(screen.app.go, "choose", seat=question.seat, kind=group)
        found.append(button(f"{group} ({n})", go, f"choose-{group}", "dots-horizontal"))
    return found


def seats(screen: TableScreen, view: View) -> Part:
    """Everybody's mark and points."""
    marks = screen.desk.marks()
    columns = 2 if Window.width >= Window.height else min(6, len(view.seats))

    def tile(n: int) -> Part:
        seat = view.seats[n]
        points = "" if seat.points is None or not screen.desk.settings.scores else str(seat.points)
        number = Snug(points, 30, 24, "accent" if seat.waiting else "text", bold=True)
        mark = Badge(marks[n], 32 / theme().text)
        edge = "accent" if seat.waiting else ""
        peek = partial(screen.app.front.peek, n)
        return Tile(Middle(mark, number), peek, f"seat-{n}", ground="surface", edge=edge, pad=3)

    return Cells([tile(n) for n in range(len(view.seats))], columns, gap=4, most=SEAT + 8, widen=True)


def slim(screen: TableScreen, view: View, more: list[Part]) -> Part:
    """A narrow line: everybody's mark above their points, tasks, and further buttons of this page."""
    marks, upright = screen.desk.marks(), Window.width < Window.height
    todo = len(screen.hands.todo())
    parts: list[Part] = []
    for n, seat in enumerate(view.seats):
        points = "" if seat.points is None or not screen.desk.settings.scores else str(seat.points)
        number = Snug(points, 24, 18, "accent" if seat.waiting else "text", bold=True)
        inside = Middle(Badge(marks[n], 29 / theme().text), number, gap=2)
        edge = "accent" if seat.waiting else ""
        peek = partial(screen.app.front.peek, n)
        parts.append(Tile(inside, peek, f"seat-{n}", ground="surface", edge=edge, pad=2))
    if todo:
        parts.append(button(str(todo), screen.hands.show_all, "hands", "hand-back-right"))
    parts += more
    if upright:
        return Row([part.fill() for part in parts], gap=4)
    return Upright(parts)


class Upright(Part):
    """Tiles below each other, each large enough for a finger; the last ones are left out first."""

    def __init__(self, parts: list[Part]) -> None:
        super().__init__()
        self.parts = parts

    def place(self, x: float, y: float, width: float, height: float) -> None:
        super().place(x, y, width, height)
        gap = theme().px(4)
        room = max(1, int((height + gap) / (theme().px(TARGET) + gap)))
        self.clear_widgets()
        shown = Cells(self.parts[:room], 1, gap=4, most=BUTTON)
        self.add_widget(shown)
        shown.place(x, y, width, height)


def tools(screen: TableScreen, more: list[Part] | None = None) -> Row | None:
    """The tasks button, and further buttons of this page."""
    todo = len(screen.hands.todo())
    hands = button(str(todo), screen.hands.show_all, "hands", "hand-back-right") if todo else None
    parts = [part for part in (hands, *(more or [])) if part is not None]
    return Row([part.fill() for part in parts], gap=4) if parts else None


def message_part(screen: TableScreen) -> Part | None:
    """The last message, in place of everybody's points."""
    said = screen.app.message
    if said is None:
        return None
    screen.told_at_seat = True  # so that it is not repeated along the upper edge
    words = Snug(said[0], 20, SMALLEST_WORDS, "bad" if said[1] == "refused" else "text", lines=6)
    return Plate(words, edge="bad" if said[1] == "refused" else "accent", pad=8, radius=10)


def rail(
    screen: TableScreen,
    view: View,
    buttons: list[Part],
    more: list[Part] | None = None,
    head: Part | None = None,
) -> Part:
    """Everybody's points or the last message, other options, and the buttons that are always available."""
    return SideRail(message_part(screen) or head or seats(screen, view), buttons, tools(screen, more))


class SideRail(Part):
    """A part above buttons, with tools below; if the room is short, buttons are side by side, then tools
    beside them."""

    def __init__(self, shown: Part, buttons: list[Part], tools: Row | None) -> None:
        super().__init__()
        self.shown, self.buttons, self.tools = shown, buttons, tools
        self.columns = 1 if len(buttons) <= 3 else 2
        if Window.width < Window.height:
            self.columns = min(3, max(1, len(buttons)))

    def fit(self, width: float) -> float:
        return theme().px(HIGH)

    def place(self, x: float, y: float, width: float, height: float) -> None:
        super().place(x, y, width, height)
        self.clear_widgets()
        tools = [] if self.tools is None else self.tools.parts
        ways = [(self.buttons, self.columns, self.tools), (self.buttons, max(2, self.columns), self.tools)]
        ways.append(([*self.buttons, *tools], max(2, self.columns), None))
        wanted = min(self.shown.fit(width), theme().px(MOST_WANTED))
        for buttons, columns, last in ways:
            stack = self._stack(buttons, columns, last, TARGET if last is None and tools else BUTTON)
            fixed = sum(high or 0 for high in stack.heights) + stack.gap * (len(stack.heights) - 1)
            if height - fixed >= wanted:
                break
        else:
            if isinstance(self.shown, Cells):  # an incomplete row of seats has room for buttons
                each = _freed([*self.shown.parts, *self.buttons, *tools])
                stack = Stack([(Cells(each, max(2, self.columns), gap=4, widen=True), None)])
        self.add_widget(stack)
        stack.place(x, y, width, height)

    def _stack(self, buttons: list[Part], columns: int, tools: Part | None, each: float) -> Stack:
        rows, high = -(-len(buttons) // columns), theme().px(each)
        _freed([part for part in (self.shown, *buttons, tools) if part is not None])
        some = Cells(buttons, columns, gap=4) if buttons else None
        below = rows * high + max(0, rows - 1) * theme().px(4)
        return Stack([(self.shown, None), (some, below), (tools, high)], gap=GAP)


def _freed(parts: list[Part]) -> list[Part]:
    """The same parts, removed from their parents so that they can be laid out differently."""
    for part in parts:
        if part.parent is not None:
            part.parent.remove_widget(part)
    return parts
