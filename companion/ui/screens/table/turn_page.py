"""The page of a whole turn or phase: who acts, to be read from the far end of the table, and what is counted.

Above: the name of the seat, or of the phase, and the answers. Below: the seats, and a row of counters; a touch
on a seat shows the counters of that seat instead.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from math import ceil
from typing import TYPE_CHECKING, Any

from kivy.core.window import Window
from kivy.graphics import Color, RoundedRectangle
from msgspec import Struct

from companion.core.counters import Correctable
from companion.core.faces import Sign
from companion.core.flow.counting import AMOUNTS
from companion.core.help import wanted
from companion.core.questions import Option, Question
from companion.core.words import Text
from companion.drawing.symbols import has
from companion.table.marks import Mark
from companion.ui.screens.table.band import SeatName
from companion.ui.screens.table.menu import Menu
from companion.ui.screens.table.options import answering
from companion.ui.screens.table.seats import Seats, seat_columns
from companion.ui.screens.table.signs import symbol
from companion.ui.screens.table.top import Pool
from companion.ui.toolkit.draw import Badge, Bar
from companion.ui.toolkit.kit import Icon, Part, Plate, Row, Split, Tap, Words, rgba, theme
from companion.ui.toolkit.screen import AppQuestion, Showing
from companion.ui.toolkit.snug import Snug, whole
from companion.ui.toolkit.theme import INK, SMALLEST_WORDS
from companion.ui.toolkit.tiles import Cells, Centred, Leaves, Stack, Tile
from companion.ui.toolkit.touches import asked_of

if TYPE_CHECKING:
    from companion.ui.screens.table.screen import TableScreen

GAP, PAD = 6, 10
NAME, PHASE, WHAT, NOTE = 92, 60, 28, 22
"""The largest sizes of a seat's name, of a phase of everybody, of what to do, and of reminders."""

FINGER = 56
"""No target of this page is smaller."""
DONE, DONE_WIDE = 132, 210
"""The size of the answer most people want."""
ANSWER = 72
"""The usual height of the other answers."""
STEP = (58, 92)
"""The size of a minus or plus."""
COUNTED = 202
"""The smallest width of a counter with its buttons."""
WORDS = 17
"""The smallest size of a counter's name."""
LOW_SEAT, LEAST_HERO = 64, 190
"""The height of a seat's panel where there are many, and the least height for who acts, on an upright screen."""
ABOVE, ALERT = 130, 36
"""The height of what is above this page on an upright screen, and of each alert."""
ROWS_UPRIGHT = 3
"""How many rows of counters an upright screen has at most."""
MANY = 5
"""By how many steps a counter changes when its button is held."""
QUICK, QUICK_WIDE = (2, 3, 4), 72
"""Amounts with a button of their own where only one thing is counted, and its width."""
FEW, MOST_PRESSES = 4, 2
"""So many answers leave room for another; so many ends that only people see have a tile each."""


def wants_turn(question: Question) -> bool:
    """Whether a question is a whole turn or phase."""
    return question.turn


class Counting:
    """Whose counters are shown, and which page of them and of the answers; kept while a question is open."""

    def __init__(self) -> None:
        self.about: object = None
        self.seat: int | None = None
        self.page, self.answers = [0], [0]

    def begin(self, about: object) -> None:
        """Start again with another question."""
        if about != self.about:
            self.about, self.seat, self.page[0], self.answers[0] = about, None, 0, 0


class CounterControl(Struct, frozen=True):
    """A counter on the page: its value, the step of its buttons, and the answers that change it."""

    counter: Correctable
    step: int
    by: dict[int, Option]
    full: int | None = None
    """Where it ends, if that is known."""
    share: float | None = None
    """How near that is."""


def name_of(counter: Correctable) -> Text:
    """What is counted; whose it is is shown beside it."""
    return counter.short or counter.text


def turn_page(screen: TableScreen, question: Question) -> Part:
    """The page for a turn."""
    return TurnPage(screen, question).build()


class TurnPage(Showing):
    """Builds the page for one question."""

    def __init__(self, screen: TableScreen, question: Question) -> None:
        super().__init__(screen.app)
        self.screen, self.question, self.view = screen, question, screen.view
        self.upright = Window.width < Window.height
        self.session = self.desk.session
        self.counting = screen.counting
        self.counting.begin((question.seat, question.slug, question.text))

    def build(self) -> Part:
        """The page; it tells the screen whether all pools are on it."""
        counted, presses = self._counted(), self._presses()
        pressed = self._pressed(presses)
        quick = self._quick(counted, len(pressed))
        cells: list[Part] = [self._cell(one, quick) for one in counted]
        least = len(cells) + len(pressed)
        crowded = least > self._columns(counted, least) and self._few_answers(presses)
        beside = presses if crowded else []
        cells += [] if crowded else pressed
        columns = self._columns(counted, len(cells))
        seats = Seats(self.app)
        people = len(self.view.seats)
        panel_height = self._seats_height(seats, people)
        acting = self._acting(beside)
        most = self._rows(panel_height, acting)
        tools = self._tools()
        if len(cells) + len(tools) <= most * columns - len(quick[:1]):
            cells += tools
        rows = min(most, ceil(len(cells) / columns))
        room = columns * rows
        shown = cells if len(cells) <= room else self._leaf(cells, room)
        self.screen.pools_below = self._all_pools(counted, presses) and shown is cells
        low: Part | None = None
        if quick:
            low = Split(shown, (2, *[1] * (len(shown) - 1)), GAP)
        elif shown:
            low = Cells(shown, min(columns, max(2, len(shown))), gap=GAP)
        high = rows * theme().px(STEP[1]) + max(0, rows - 1) * theme().px(GAP)
        clocks = self.screen.clocks if self.desk.settings.clocks else None
        panels = seats.tiles(self.view, None, self._touched, self.counting.seat, clocks)
        parts: list[tuple[Part | None, float | None]] = [
            *acting,
            (panels, panel_height),
            (low, high if low is not None else None),
        ]
        return Stack(parts, gap=GAP)

    def _seats_height(self, seats: Seats, people: int) -> float:
        """The height of the seats' panels: many are low, also on an upright screen."""
        if not self.upright or people <= 4:
            return seats.height(people, low=people > 4)
        rows = ceil(people / seat_columns(people))
        return rows * theme().px(LOW_SEAT) + (rows - 1) * theme().px(4)

    def _rows(self, seats: float, acting: list[tuple[Part | None, float | None]]) -> int:
        """How many rows of counters there are room for: one, or more on an upright screen."""
        if not self.upright:
            return 1
        above = theme().px((ABOVE + ALERT * len(self.view.alerts)) * max(1.0, min(1.1, theme().text)))
        taken = seats + above + sum(high for _, high in acting if high is not None)
        left = self.app.room - taken - theme().px(LEAST_HERO)
        return max(1, min(ROWS_UPRIGHT, int(left / theme().px(STEP[1] + GAP))))

    def _columns(self, counted: Sequence[CounterControl], n: int) -> int:
        """How many counters are side by side: all of them, if their words fit."""
        gap = theme().px(GAP)
        usual = max(1, int((self._wide + gap) / theme().px(COUNTED + GAP)))
        words = " ".join(self.desk.words(name_of(one.counter)) for one in counted)
        widest = Snug(words, WORDS, WORDS).widest_word() if words else 0.0
        least = 2 * theme().px(STEP[0] + 4) + max(widest, theme().px(FINGER)) + gap
        return n if usual < n <= int((self._wide + gap) / least) else usual

    @property
    def _wide(self) -> float:
        return Window.width - 2 * theme().px(self.screen.margin)

    def _plain(self) -> list[Option]:
        return [option for option in self.question.options if option.group is None]

    def _few_answers(self, more: Sequence[Option]) -> bool:
        """Whether there is room for some more among the answers."""
        return not self.upright and len(self._plain()) + len(more) <= FEW

    def _acting(self, beside: Sequence[Option]) -> list[tuple[Part | None, float | None]]:
        """Who acts, and the answers: beside each other, or below each other on an upright screen."""
        plain = [*self._plain(), *beside]
        answers = Answers([self._answer(option) for option in plain], self.counting.answers, self.app.refresh)
        if self.upright:
            return [(self._hero(), None), (answers, answers.fit(self._wide))]
        wide = theme().px(answers.width_wanted(self._wide / theme().unit))
        return [(Split([self._hero(), answers], (self._wide - wide - theme().px(GAP), wide), GAP), None)]

    def _hero(self) -> Part:
        seat = self.question.seat
        words = self.desk.words
        off = tuple(self.desk.settings.reminders_off)
        notes = [words(text) for text in wanted((*self.question.notes, *self.view.notes), off)]
        then = self.view.coming[0] if self.view.coming else None
        marks, names = self.desk.marks(), self.session.setup.seats
        return Hero(
            None if seat is None else (marks[seat], names[seat]),
            words(self.question.text),
            notes,
            None if then is None else self._then(marks[then], names[then]),
            Tap(
                icon="help-circle",
                on_tap=partial(self.app.front.help, self.question),
                name="help",
                tall=FINGER,
            ),
            self._clock(),
        )

    def _clock(self) -> Part | None:
        """The time of this turn, and of this seat in all, if people want clocks."""
        seat = self.question.seat
        if seat is None or not self.desk.settings.clocks:
            return None
        clocks = self.screen.clocks
        turn = clocks.turn(seat, self.question.soft, INK)
        whole = clocks.words(seat, INK)
        return Row(
            [Icon("timer", "body", INK), turn, Words(self.t("ui.turn-of"), "detail", INK), whole], gap=8
        )

    def _then(self, mark: Mark, name: str) -> Part:
        said = Words(self.t("ui.turn-then"), "detail", "dim")
        next_one = Snug(name, 26 / theme().text, SMALLEST_WORDS, bold=True)
        return Plate(Row([said, Badge(mark, 36 / theme().text), next_one], gap=8), "ground", pad=8, radius=10)

    # Answers

    def _answer(self, option: Option) -> Tile:
        main = option is self.question.default
        words = Snug(
            self.desk.words(option.text),
            34 if main else 26,
            SMALLEST_WORDS,
            "on_main" if main else "text",
            bold=True,
            align="center",
            lines=2,
        )
        content: Part = MainAnswer(words) if main else LeadAndWords(words)
        return Tile(
            content,
            answering(self.screen, self.question, option),
            f"option-{option.id}",
            ground="main" if main else "raised",
            pad=6,
            about=asked_of(self.session, self.question),
        )

    def _tools(self) -> list[Part]:
        """The calculations that help in this game, one touch away."""
        if self.counting.seat is not None:
            return []
        return [
            self._tile(Icon("numeric", "tile", "accent"), words, deed, f"tool-{n}")
            for n, (words, deed) in enumerate(Menu(self.app).besides())
        ]

    # What is counted

    def _presses(self) -> list[Option]:
        """The options in groups that count nothing: something has happened."""
        if self.counting.seat is not None:
            return []
        return [o for o in self.question.options if o.group is not None and o.changes is None]

    def _counted(self) -> list[CounterControl]:
        """The counters at the bottom: what this question counts first, then everything else of the table."""
        by: dict[str, dict[int, Option]] = {}
        for option in self.question.options:
            if option.changes is not None:
                id, amount = option.changes
                by.setdefault(id, {})[amount] = option
        known = {one.id: one for one in self.session.counters() if not one.is_switch or one.id in by}
        seat = self.question.seat if self.counting.seat is None else self.counting.seat
        mine = [id for id, one in known.items() if one.seat is not None and one.seat == seat]
        table = [id for id in known if id in self._pools() or (id in by and known[id].seat is None)]
        each = [id for id in by if seat is None and known[id].seat is not None]
        if len(each) > self._columns([self._one(known[id], by[id]) for id in each], len(each)):
            each = []  # a touch on a seat shows its own
        asked = [*each, *(id for id in by if id in (*mine, *table))]
        if self.counting.seat is not None:
            wanted = mine
        else:
            wanted = [*asked, *(id for id in (*mine, *table) if id not in asked)]
        return [self._one(known[id], by.get(id, {})) for id in wanted]

    def _pools(self) -> set[str]:
        return {pool.id for pool in self.view.pools} | {meter.id for meter in self.view.meters} - {"round"}

    def _all_pools(self, counted: Sequence[CounterControl], presses: Sequence[Option]) -> bool:
        shown = {one.counter.id for one in counted} | {option.id.partition(":")[2] for option in presses}
        return self._pools() <= shown

    def _one(self, counter: Correctable, by: dict[int, Option]) -> CounterControl:
        step = min((abs(amount) for amount in by), default=1)
        gauge = next((one for one in self.view.pools if one.id == counter.id), None)
        if gauge is not None:
            return CounterControl(counter, step, by, gauge.full, gauge.value / max(1, gauge.full))
        meter = next((one for one in self.view.meters if one.id == counter.id), None)
        if meter is not None:
            return CounterControl(counter, step, by, counter.high, meter.value / max(1, meter.goal))
        return CounterControl(counter, step, by)

    def _quick(self, counted: Sequence[CounterControl], pressed: int) -> tuple[int, ...]:
        """Steps that have a button of their own: where one counter may be twice as wide as what is beside it."""
        if self.upright or len(counted) != 1 or self._columns(counted, 1) < pressed + 2:
            return ()
        (one,) = counted
        offered = (sign * n for n in QUICK for sign in (-1, 1))
        found = tuple(n for n in offered if n * one.step in one.by)
        return found if len(found) == len(QUICK) else ()

    def _cell(self, one: CounterControl, quick: Sequence[int] = ()) -> Part:
        def tap(sign: int, icon: str) -> Tap:
            change = partial(self._change, one, sign)
            possible = one.counter.low <= one.counter.value + sign * one.step <= one.counter.high
            made = Tap(
                icon=icon,
                on_tap=change if possible else None,
                kind="plain" if possible else "quiet",
                name=f"{'plus' if sign > 0 else 'minus'}-{one.counter.id}",
            )
            made.on_hold = partial(self._change, one, MANY * sign) if possible else None
            return made

        by = [
            Tap(
                f"{n * one.step:+}".replace("-", "−"),
                partial(self._change, one, n),
                name=f"by-{n * one.step}-{one.counter.id}",
            )
            for n in quick
        ]
        return CounterCell(self, one, tap(-1, "minus"), tap(1, "plus"), partial(self._ask_amount, one), by)

    def _ask_amount(self, one: CounterControl) -> None:
        """A list of amounts: any number is two touches."""
        low, high, now = one.counter.low, one.counter.high, one.counter.value
        down = one.counter.id in {pool.id for pool in self.view.pools}
        amounts = [n * one.step * (-1 if down else 1) for n in AMOUNTS]
        choices = [
            (f"{amount:+}".replace("-", "−"), partial(self._change, one, amount // one.step))
            for amount in amounts
            if low <= now + amount <= high
        ]
        title = self.desk.words(name_of(one.counter))
        if one.counter.seat is not None:
            title = f"{self.session.setup.seats[one.counter.seat]}: {title}"
        asking = AppQuestion(title, [*choices, (self.t("ui.cancel"), lambda: None)], equal=True)
        self.app.ask(lambda: asking)

    def _change(self, one: CounterControl, steps: int) -> None:
        """Count by the question's own answer if it has one for this, else correct the counter."""
        option = one.by.get(steps * one.step)
        if option is not None:
            answering(self.screen, self.question, option)()
            return
        value = max(one.counter.low, min(one.counter.high, one.counter.value + steps * one.step))
        self.desk.correct(one.counter.id, value)

    def _pressed(self, options: Sequence[Option]) -> list[Part]:
        """A tile for each, or one for all that opens their list: each is pressed once a play at most."""
        if len(options) <= MOST_PRESSES:
            return [
                self._tile(
                    Pool(option.id.partition(":")[2], [Icon("flag-checkered", "tile", "accent")]),
                    self.desk.words(option.text),
                    answering(self.screen, self.question, option),
                    f"option-{option.id}",
                )
                for option in options
            ]
        choices = [
            (self.desk.words(option.text), answering(self.screen, self.question, option))
            for option in options
        ]
        title = self.t("ui.turn-end")
        asking = AppQuestion(title, [*choices, (self.t("ui.cancel"), lambda: None)], equal=True)
        return [
            self._tile(
                Icon("flag-checkered", "tile", "accent"),
                title,
                partial(self.app.ask, lambda: asking),
                "has-ended",
            )
        ]

    def _tile(self, lead: Part, words: str, deed: Callable[[], Any], name: str) -> Part:
        said = Snug(words, 22, SMALLEST_WORDS, align="center", lines=2)
        about = asked_of(self.session, self.question)
        return Tile(LeadAndWords(lead, said), deed, name, ground="surface", edge="line", pad=6, about=about)

    def _touched(self, seat: int) -> None:
        """Show the counters of this seat, or everything again; a seat without any is shown large."""
        if any(counter.seat == seat and not counter.is_switch for counter in self.session.counters()):
            self.counting.seat = None if self.counting.seat == seat else seat
            self.counting.page[0] = 0
            self.app.refresh()
        else:
            self.app.front.peek(seat)

    def _leaf(self, cells: list[Part], room: int) -> list[Part]:
        """One page of them; the last cell turns to the next."""
        pages = ceil(len(cells) / (room - 1)) if room > 1 else len(cells)
        at = self.counting.page[0] % pages
        words = Words(f"{at + 1}/{pages}", "tile", "accent", bold=True)
        on = Tile(
            Centred(Row([words, Icon("chevron-right", "body", "accent")], gap=2)),
            self._turn_page,
            "next-counters",
            ground="surface",
        )
        each = max(1, room - 1)
        return [*cells[at * each : (at + 1) * each], on]

    def _turn_page(self) -> None:
        self.counting.page[0] += 1
        self.app.refresh()


class LeadAndWords(Part):
    """Parts side by side in the middle of their room; text takes what the others leave."""

    def __init__(self, *parts: Part) -> None:
        super().__init__()
        self.parts = parts
        for part in parts:
            self.add_widget(part)

    def fit(self, width: float) -> float:
        return theme().px(FINGER)

    def place(self, x: float, y: float, width: float, height: float) -> None:
        super().place(x, y, width, height)
        gap = theme().px(8)
        *lead, words = self.parts
        assert isinstance(words, Snug)
        left = x
        for part in lead:
            part.place(left, y, part.natural(), height)
            left += part.natural() + gap
        room = x + width - left
        if not words.fits(room, height):
            whole(words, room, height)
        words.place(left, y, room, height)


class MainAnswer(Part):
    """A tick above the words, if there is room for both."""

    def __init__(self, words: Snug) -> None:
        super().__init__()
        self.words = words

    def fit(self, width: float) -> float:
        return theme().px(FINGER)

    def place(self, x: float, y: float, width: float, height: float) -> None:
        super().place(x, y, width, height)
        self.clear_widgets()
        icon = Icon("check", "title", "on_main")
        high = icon.fit(width)
        if self.words.fits(width, height - high):
            self.add_widget(icon)
            icon.place(x, y + height - high, width, high)
            height -= high
        elif not self.words.fits(width, height):
            whole(self.words, width, height)
        self.add_widget(self.words)
        self.words.place(x, y, width, height)


class Answers(Part):
    """The first answer as large as possible, the others below it; if there are many, on several pages."""

    def __init__(self, tiles: list[Tile], at: list[int], turned: Callable[[], None]) -> None:
        super().__init__()
        self.tiles, self.at, self.turned = tiles, at, turned
        self.columns = 1 if len(tiles) <= 2 else 2 if len(tiles) <= 5 else 3
        if Window.width < Window.height:
            self.columns = max(1, min(3, len(tiles) - 1))

    def width_wanted(self, room: float) -> float:
        """The width on a landscape screen."""
        return min(room * 0.55, {1: DONE_WIDE, 2: 300, 3: 410}[self.columns])

    def fit(self, width: float) -> float:
        """The height on an upright screen."""
        rows = min(4, ceil((len(self.tiles) - 1) / self.columns))
        return theme().px(DONE + rows * ((ANSWER if rows < 3 else FINGER) + GAP))

    def place(self, x: float, y: float, width: float, height: float) -> None:
        super().place(x, y, width, height)
        self.clear_widgets()
        gap, finger = theme().px(GAP), theme().px(FINGER)
        first, *others = self.tiles
        rows = ceil(len(others) / self.columns)
        least = rows * (finger + gap)
        if not others:
            self._put(
                first,
                x,
                y + height - min(height, theme().px(2 * DONE)),
                width,
                min(height, theme().px(2 * DONE)),
            )
            return
        usual = rows * (theme().px(ANSWER) + gap)
        low = min(max(least, usual), max(least, height - theme().px(DONE)))
        if height - low >= finger:
            self._put(first, x, y + low, width, height - low)
            self._put(Cells(others, self.columns, gap=GAP), x, y, width, low - gap)
            return
        leaves = Leaves(
            lambda n: others[n],
            len(others),
            self.at,
            self.turned,
            (90, FINGER),
            [first],
            name="next-answers",
            onward=lambda _: Centred(Icon("chevron-right", "body", "accent")),
        )
        self._put(leaves, x, y, width, height)

    def _put(self, part: Part, x: float, y: float, width: float, height: float) -> None:
        self.add_widget(part)
        part.place(x, y, width, height)


class Hero(Part):
    """Who acts, as large as possible, on the seat's colour; what to do, reminders, and who is next."""

    def __init__(
        self,
        who: tuple[Mark, str] | None,
        what: str,
        notes: list[str],
        then: Part | None,
        more: Tap,
        clock: Part | None,
    ) -> None:
        super().__init__()
        self.who, self.what, self.notes, self.then, self.more = who, what, notes, then, more
        self.clock = clock
        self.tone = "text" if who is None else INK
        with self.canvas.before:
            Color(*rgba("surface" if who is None else who[0].colour))
            self._ground = RoundedRectangle(radius=[theme().px(12)])

    def fit(self, width: float) -> float:
        return theme().px(150)

    def place(self, x: float, y: float, width: float, height: float) -> None:
        super().place(x, y, width, height)
        self._ground.pos, self._ground.size = (x, y), (width, height)
        if not self._lay(x, y, width, height, self.notes):
            self._lay(x, y, width, height, self.notes, shortened=True)

    def _lay(
        self, x: float, y: float, width: float, height: float, notes: list[str], shortened: bool = False
    ) -> bool:
        """Lay everything out; return whether all reminders fit. If `shortened`, those that fit are shown, and
        a button to all of them."""
        self.clear_widgets()
        pad, gap, side = theme().px(PAD), theme().px(GAP), theme().px(FINGER)
        left, top, low = x + pad, y + height - pad, y + pad
        wide = width - 2 * pad
        then = self.then
        chip = (min(then.natural(), wide * 0.6), then.fit(wide)) if then is not None else (0.0, 0.0)
        head = self._head_high(wide, height - 2 * pad - chip[1] * bool(notes or then))
        if shortened:
            head = max(head, side)
            self._put(self.more, left + wide - side, top - side, side, side)
        self._head(left, top - head, wide - (side + gap if shortened else 0), head)
        top -= head
        if self.who is not None:
            what = Snug(self.what, WHAT, SMALLEST_WORDS, self.tone, bold=True, lines=1)
            high = min(what.high(wide, top - low - chip[1]), top - low)
            self._put(what, left, top - high, wide, high)
            top -= high
        if then is not None:
            self._put(then, x + width - pad - chip[0], low, *chip)
        beside = wide - (chip[0] + gap if then is not None else 0)
        if self.clock is not None and self.clock.natural() <= beside:
            high = min(self.clock.fit(beside), top - low)
            self._put(self.clock, left, low, self.clock.natural(), high)
            low += high
        return self._notes(left, low, beside, top - low, shortened)

    def _head_high(self, width: float, room: float) -> float:
        most = theme().px(NAME * 1.15 if self.who is not None else PHASE * 2.4)
        return max(theme().px(40), min(most, room * (0.62 if self.who is not None or self.notes else 1.0)))

    def _head(self, x: float, y: float, width: float, height: float) -> None:
        """The name with its mark, or the phase."""
        if self.who is None:
            words = Snug(self.what, PHASE / theme().text, 26, self.tone, bold=True, lines=2)
            if not words.fits(width, height):
                whole(words, width, height)
            self._put(words, x, y, width, height)
            return
        mark, name = self.who
        side = min(height, theme().px(92))
        badge = Badge(Mark(INK, mark.shape, mark.letter), side / theme().unit / theme().text)
        badge.ink = mark.colour
        self._put(badge, x, y, side, height)
        left = side + theme().px(12)
        said = SeatName(name, self.tone, width - left, NAME / theme().text)
        self._put(said, x + left, y, width - left, height)

    def _notes(self, x: float, y: float, width: float, height: float, shortened: bool) -> bool:
        """The reminders, or those that fit; returns whether all do."""
        every = len(self.notes)
        shown = next(
            (n for n in range(every, 0, -1) if self._said(self.notes[:n]).fits(width, height)),
            0,
        )
        if shown and (shown == every or shortened):
            self._put(self._said(self.notes[:shown]), x, y, width, height)
        return shown == every

    def _said(self, notes: list[str]) -> Snug:
        size = NOTE if self.who is not None else NOTE + 6
        return Snug("\n".join(notes), size, SMALLEST_WORDS, self.tone, lines=len(notes))

    def _put(self, part: Part, x: float, y: float, width: float, height: float) -> None:
        if part.parent is not None:
            part.parent.remove_widget(part)
        self.add_widget(part)
        part.place(x, y, width, height)


class CounterCell(Part):
    """A counter: minus at its left, plus at its right, its value between them; a touch there asks by how much.
    Amounts that come often may have buttons, beside the minus."""

    def __init__(
        self,
        page: TurnPage,
        one: CounterControl,
        minus: Tap,
        plus: Tap,
        amount: Callable[[], None],
        quick: Sequence[Tap] = (),
    ) -> None:
        super().__init__()
        value = Tile(CounterValue(page, one), amount, f"amount-{one.counter.id}", ground="surface")
        self.parts = (minus, *quick, value, plus)
        with self.canvas.before:
            Color(*rgba("surface"))
            self._ground = RoundedRectangle(radius=[theme().px(10)])
        for part in self.parts:
            self.add_widget(part)

    def fit(self, width: float) -> float:
        return theme().px(STEP[1])

    def place(self, x: float, y: float, width: float, height: float) -> None:
        super().place(x, y, width, height)
        self._ground.pos, self._ground.size = (x, y), (width, height)
        side, pad = theme().px(STEP[0]), theme().px(4)
        minus, *quick, value, plus = self.parts
        minus.place(x, y, side, height)
        at = x + side + pad
        for part in quick:
            part.place(at, y, theme().px(QUICK_WIDE), height)
            at += theme().px(QUICK_WIDE) + pad
        plus.place(x + width - side, y, side, height)
        value.place(at, y, x + width - side - pad - at, height)


class CounterValue(Part):
    """A counter's value, word and progress."""

    def __init__(self, page: TurnPage, one: CounterControl) -> None:
        super().__init__()
        self.page, self.one = page, one

    def fit(self, width: float) -> float:
        return theme().px(FINGER)

    def place(self, x: float, y: float, width: float, height: float) -> None:
        super().place(x, y, width, height)
        self.clear_widgets()
        pad = theme().px(4)
        low = y + pad
        if self.one.share is not None:
            self._put(Bar(self.one.share, 1, "accent", 6), x, low, width, theme().px(6))
            low += theme().px(8)
        room = y + height - pad - low
        words = Snug(self._words(), 20 / theme().text, WORDS, "dim", align="center", lines=2)
        if not words.fits(width, room * 0.5):
            whole(words, width, room * 0.5)
        high = min(words.high(width, room * 0.5), room * 0.5)
        self._put(words, x, low, width, high)
        number = self._number(width)
        natural = min(width, number.natural())
        self._put(number, x + (width - natural) / 2, low + high, natural, room - high)

    def _words(self) -> str:
        return self.page.desk.words(name_of(self.one.counter))

    def _number(self, room: float) -> Pool:
        """The value with its symbol and its end, as much of it as fits."""
        counter, game = self.one.counter, self.page.session.game
        id = counter.id.partition(":")[0]
        lead: list[Part] = []
        if counter.seat is not None:
            lead.append(Badge(self.page.desk.marks()[counter.seat], 26 / theme().text))
        elif has(game.id, id):
            lead.append(symbol(game, Sign(id), 26, "surface", "accent"))
        value = str(counter.value).replace("-", "−")
        number = Snug(value, 34 / theme().text, 24, bold=True)
        end: list[Part] = []
        if self.one.full is not None:
            end.append(Words(f"/{self.one.full}".replace("-", "−"), "detail", "dim"))
        for parts in ([*lead, number, *end], [*lead, number], [number]):
            pool = Pool(counter.id, list(parts))
            if pool.natural() <= room:
                break
            for part in parts:
                pool.remove_widget(part)
        return pool

    def _put(self, part: Part, x: float, y: float, width: float, height: float) -> None:
        if part.parent is not None:
            part.parent.remove_widget(part)
        self.add_widget(part)
        part.place(x, y, width, height)
