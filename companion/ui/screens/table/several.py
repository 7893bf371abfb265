"""Several seats answer on one page: each row is a seat, and each answer takes one tap.

Secret answers are entered after everybody has revealed theirs, so all may look. Taps are only drafts until
the last seat's: then all answers are proposed together, and undone together.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from kivy.core.window import Window

from companion.core.questions import TOGETHER, Answer, Option, Question
from companion.core.session import Session
from companion.core.views import SeatView, View
from companion.drawing.symbols import called
from companion.table.desk import option_words
from companion.table.signals import Confirmed
from companion.ui.screens.table import tasks_line
from companion.ui.screens.table.band import Band
from companion.ui.screens.table.options import NAMES, OptionFace, answering, face_of, readable, seat_mark
from companion.ui.screens.table.rail import button
from companion.ui.screens.table.reveal_grid import RevealGrid
from companion.ui.screens.table.seat_heads import SeatHead
from companion.ui.screens.table.seat_rows import GAP, HEAD, NARROW, SEAT, Heads, RowOf, upright
from companion.ui.screens.table.signs import sign_row
from companion.ui.toolkit.kit import Icon, Part, Tap, theme
from companion.ui.toolkit.screen import Showing
from companion.ui.toolkit.snug import Snug
from companion.ui.toolkit.symbols import SignRow
from companion.ui.toolkit.theme import INK, SMALLEST_WORDS
from companion.ui.toolkit.tiles import Cells, Centred, Stack, Tile
from companion.ui.toolkit.touches import asked_of

if TYPE_CHECKING:
    from companion.ui.screens.table.screen import TableScreen

FEW = 9
"""Up to this many options have a column each."""

BESIDE = 5
"""At most this many options of a seat are in its row."""

MANY = 9
"""More cards than this are shown in a grid instead of rows: people look for a face among all of them."""

HIGHEST, TITLES, MARGIN = 84, 22, 6
"""The greatest height of a row, the height of the titles above its columns, and the margin at the left and
right."""

FRAME, SIDE_BY_SIDE, GROWS = 192, 110, 1.1
"""The height above and below the rows, what is added on an upright screen, and how much it grows at the
largest text size."""

CELL, SMALLEST_SIGNS = (28, 26, 24, 22, 20), 24
"""The sizes of signs in a column, and in a seat's row where they replace a name."""


class Drafts:
    """Taps for questions that are still open, by seat and slug; they survive rebuilds of the screen."""

    def __init__(self) -> None:
        self.told: dict[tuple[int | None, str], str] = {}
        self._times: dict[tuple[int | None, str], int] = {}
        self.turn: int | None = None
        self.page = [0]

    def of(self, question: Question) -> Option | None:
        """The option tapped for this question, if it is still possible."""
        told = self.told.get((question.seat, question.slug), "")
        return question.option(told) or next((whole for whole in question.sets if whole.id == told), None)

    def tell(self, question: Question, option: str) -> None:
        """Store the tapped option."""
        self.told[(question.seat, question.slug)] = option

    def keep(self, questions: Sequence[Question], session: Session) -> None:
        """Forget taps for questions that are no longer open, even if a similar question follows."""
        open_ = {(q.seat, q.slug): session.times(q.seat, q.slug) for q in questions}
        same = {asked for asked, times in open_.items() if self._times.get(asked) == times}
        self.told = {asked: option for asked, option in self.told.items() if asked in same}
        self._times = open_


def _many_cards(question: Question) -> bool:
    """Whether the options are cards known by their faces, and too many for a row."""
    return len(question.options) > MANY and all(option.component for option in question.options[-MANY:])


class Several(Showing):
    """The page for these questions."""

    def __init__(self, screen: TableScreen, questions: Sequence[Question], view: View) -> None:
        super().__init__(screen.app)
        self.screen, self.view = screen, view
        slugs = [question.slug for question in questions]
        commonest = max(slugs, key=slugs.count)
        self.questions = tuple(question for question in questions if question.slug == commonest)
        self.asked = {question.seat: question for question in self.questions}
        self.others = {question.seat: question for question in questions if question.slug != commonest}
        """Questions of seats that are asked something else."""
        self.drafts = screen.drafts
        self.drafts.keep(questions, self.desk.session)
        self.marks = self.desk.marks()
        self.secret = all(question.secret for question in questions)
        few = self.secret and len(self.questions[0].options) <= FEW
        self.signs = self._sign_size() if few else 0
        in_columns = self.secret and self._alike() and not all(q.sets for q in self.questions)
        self.in_grid = not in_columns if self.secret else all(map(_many_cards, self.questions))

    # The page

    def page(self, low: bool) -> tuple[Part | None, Part]:
        """The band, if any, `low` if rows need its room, and the page below it."""
        first = self.questions[0]
        text = first.beforehand if self.secret and first.beforehand is not None else first.text
        words = self.desk.words(text)
        if self.in_grid:
            grid = RevealGrid(self, self.at_once())
            if upright():
                return Band(self.app).message_plate(words, [grid.find()]), grid.page()
            self.screen.prompt = (words, grid.find())  # cards need the room of the band
            return None, grid.page()
        band = Band(self.app).message_plate(words, list(self.at_once()), low=low)
        if not self.secret:
            return band, self._rows([self._beside(seat) for seat in self.view.seats])
        heads = self._heads()
        rows = self._rows([self._matrix(seat) for seat in self.view.seats])
        return band, Stack([(heads, theme().px(TITLES)), (rows, None)], gap=2) if heads is not None else rows

    def _rows(self, rows: list[Part]) -> Part:
        return Cells(rows, 1, gap=GAP, most=HIGHEST + (HEAD + GAP if upright() else 0))

    def _seat(self, seat: SeatView, turn: Callable[[], None] | None, active: bool, picked: str = "") -> Part:
        """The seat, at the beginning of its row."""
        return SeatHead(self, seat, turn, told=picked, waits=active)

    def at_once(self) -> list[Part]:
        """One button that answers for all remaining seats, if every one has a default."""
        left = [q for q in (*self.questions, *self.others.values()) if self.drafts.of(q) is None]
        several = len(left) + (len(self.drafts.told) > 0) > 1
        if any(q.default is None for q in left) or not several or (self.secret and not self.in_grid):
            return []
        same = len({q.options[0].text.key for q in left}) == 1 and self.secret
        words = self.desk.words(left[0].options[0].text) if same else self.t("ui.as-suggested")
        key = "ui.others-all" if self.drafts.told or len(left) < len(self.view.seats) else "ui.everybody-all"
        deed = partial(self._send, {q.seat: q.options[0].id for q in left}) if self.secret else self._follow
        said, about = self.t(key, what=words), (self.desk.session.entries, "everybody")
        if self.in_grid:  # there the text is sized next to the heads
            return [button(said, deed, "everybody", kind="main", about=about)]
        return [Tap(said, deed, kind="main", size="tile", name="everybody", about=about)]

    def _follow(self) -> None:
        """Answer for everybody as suggested, including follow-up questions as far as they can be foreseen."""
        self.desk.propose(Confirmed(tuple(answer for answer, _ in self.screen.suggested())))

    # Few options, the same for all seats: one column each

    def _alike(self) -> bool:
        """Whether all seats have the same few options, and each fits into a narrow column."""
        first = self.questions[0].options
        alike = all([o.id for o in q.options] == [o.id for o in first] for q in self.questions)
        if not alike or len(first) > FEW:
            return False
        wide, high = self._column(len(first)), theme().px(48)
        return bool(self.signs) or all(self._words(o).fits(wide - theme().px(6), high) for o in first)

    def _cell(self, columns: int) -> float:
        room = Window.width - theme().px(20 if upright() else SEAT + 20)
        return room / columns - theme().px(GAP)

    def _column(self, options: int) -> float:
        """The width of a column; on an upright screen the options take two lines."""
        if not upright():
            return self._cell(options)
        return (Window.width - theme().px(NARROW + 20)) / -(-options // 2) - theme().px(GAP)

    def _row_high(self) -> float:
        """The smallest height of the cells of a row."""
        grown = min(GROWS, max(1.0, theme().text))
        shown = self.app.guide is None  # a demonstration has no tasks line
        frame = (FRAME if shown else FRAME - tasks_line.HIGH) * grown + (
            SIDE_BY_SIDE if upright() and shown else 0
        )
        room = self.app.room - theme().px(frame)
        one = min(theme().px(HIGHEST), room / len(self.view.seats) - theme().px(GAP))
        return max(theme().px(48), one - (theme().px(HEAD + GAP) if upright() else 0))

    def _sign_size(self) -> float:
        """The size of the signs in all columns, so that each fits into its cell; 0 if some do not fit."""
        options = self.questions[0].options
        room = self._column(len(options)) - theme().px(6)
        for size in CELL if all(option.signs for option in options) else ():
            rows = [SignRow(self.desk.session.game, option.signs, size) for option in options]
            if all(row.fit(room) <= theme().px(54) and row.laid.wide <= room for row in rows):
                return size
        return 0

    def _words(self, option: Option, tone: str = "text") -> Snug:
        return Snug(self.desk.words(option.text), 20, SMALLEST_WORDS, tone, align="center", lines=2)

    def _heads(self) -> Part | None:
        """The names of the columns' symbols, shared by equal neighbours, if all of them fit."""
        options = self.questions[0].options
        if not self.signs or upright():
            return None
        rules = self.desk.session.game.id
        words = [self.desk.words(called(rules, option.signs[0].symbol)) for option in options]
        heads = Heads(words, theme().px(SEAT + GAP))
        return heads if heads.fits(Window.width - theme().px(2 * MARGIN)) else None

    def _matrix(self, seat: SeatView) -> Part:
        question = self.asked.get(seat.seat)
        if question is None:
            return self._not_asked(seat)
        chosen = self.drafts.of(question)
        cells = [self._option_cell(question, option, option is chosen) for option in question.options]
        head = self._seat(seat, None, chosen is None)
        if upright():
            return RowOf([head, Cells(cells, -(-len(cells) // 2), gap=GAP)], theme().px(NARROW), beside=True)
        return RowOf([head, *cells], theme().px(SEAT))

    def _option_cell(self, question: Question, option: Option, chosen: bool) -> Part:
        assert question.seat is not None
        ground = self.marks[question.seat].colour if chosen else "raised"
        tone = INK if chosen else "text"
        content: Part = self._words(option, tone)
        if self.signs:
            content = Centred(sign_row(self.desk.session.game, option.signs, self.signs, ground, tone))
        tile = Tile(
            content,
            answering(self.screen, question, option, partial(self.tell, question)),
            f"option-{option.id}-{question.seat}",
            ground=ground,
            pad=3,
            about=asked_of(self.desk.session, question),
        )
        return readable(self, tile, option)

    def _not_asked(self, seat: SeatView) -> Part:
        """The row of a seat that is done, or asked something else."""
        other = self.others.get(seat.seat)
        if other is None:
            return RowOf([self._seat(seat, None, False), self._done(seat)], theme().px(SEAT))
        return self._row_of(seat, other, alike=False)

    def _done(self, seat: SeatView) -> Part:
        icon = Icon("check-circle", "title", "good") if seat.ready else Icon("minus", "title", "dim")
        return Centred(icon)

    # Open answers: a row of options for each seat

    def _beside(self, seat: SeatView) -> Part:
        question = self.asked.get(seat.seat)
        return self._not_asked(seat) if question is None else self._row_of(seat, question)

    def _row_of(self, seat: SeatView, question: Question, alike: bool = True) -> Part:
        """A seat with its options, and its question if that differs from everybody's; below its name, its
        next suggested answer."""
        turn = partial(self.screen.turn_to, question.seat)
        chain = [option for answer, option in self.screen.suggested() if answer.seat == seat.seat]
        later = [option for option in chain[1:] if option.signs]
        then = self.t("ui.and-then", what=self.desk.words(later[0].text)) if later else ""
        shown = question.options[: self._in_a_row(question, 0 if alike else 1)]
        wide = self._cell(len(shown) + (1 if not alike else int(len(shown) < len(question.options))))
        cells: list[Part] = [self._answering(question, option, wide) for option in shown]
        if not alike:
            words = Snug(self.desk.words(question.text), 20, SMALLEST_WORDS, align="center", lines=3)
            cells.insert(0, Tile(words, turn, f"more-{seat.seat}", ground="surface", pad=4))
        elif len(shown) < len(question.options):
            more = Snug(self.t("ui.others-more"), 20, SMALLEST_WORDS, align="center", lines=2)
            cells.append(Tile(more, turn, f"more-{seat.seat}", pad=4))
        return RowOf([self._seat(seat, turn, True, then), *cells], theme().px(SEAT))

    def _in_a_row(self, question: Question, before: int) -> int:
        """How many options fit into a row after this many other cells, completely and distinguishable."""
        total, high = len(question.options), self._row_high() - theme().px(8)
        asked = Snug(self.desk.words(question.text), *NAMES)
        for n in range(min(BESIDE, total), 1, -1):
            cells = n + (before or int(n < total))
            wide = self._cell(cells)
            shown = [self._legible(option, wide) for option in question.options[:n]]
            apart = None not in shown and len(set(shown)) == n
            if cells <= BESIDE and apart and (not before or asked.fits(wide - theme().px(20), high)):
                return n
        return 1

    def _legible(self, option: Option, wide: float) -> object:
        """What identifies an option in a cell of this width: its name, or its signs if that is too long."""
        name = Snug(self.desk.words(option.text), *NAMES, bold=True)
        if name.fits(wide - theme().px(20), self._row_high() - theme().px(8)):
            return name.text
        row = SignRow(self.desk.session.game, option.signs, SMALLEST_SIGNS)
        return option.signs if option.signs and row.natural() <= wide - theme().px(12) else None

    def _answering(self, question: Question, option: Option, wide: float) -> Part:
        ground, tone = "raised", "text"  # every seat has a default: one filled button is for all of them
        if isinstance(self._legible(option, wide), str):
            words, detail = option_words(self.desk, option)
            game, face = self.desk.session.game, face_of(self.screen, option)
            content: Part = OptionFace(
                game, words, detail, option, face, tone, "", seat_mark(self.screen, option)
            )
        else:
            content = Centred(sign_row(self.desk.session.game, option.signs, SMALLEST_SIGNS, ground, tone))
        tile = Tile(
            content,
            answering(self.screen, question, option),
            f"option-{option.id}-{question.seat}",
            ground=ground,
            edge="accent" if option is question.default else "",
            about=asked_of(self.desk.session, question),
        )
        return readable(self, tile, option)

    # Answering

    def tell(self, question: Question, option: Option) -> None:
        """Propose a seat's answer; keep a secret one, and with the last seat's propose all together."""
        self.drafts.turn, self.drafts.page[0] = None, 0
        if not self.secret:
            self.desk.propose(Answer(question.seat, question.slug, option.id))
            return
        self.drafts.tell(question, option.id)
        if all(self.drafts.of(q) is not None for q in self.questions):
            self._send({})
        else:
            self.app.refresh()

    def _send(self, others: dict[int | None, str]) -> None:
        told = {q.seat: option.id for q in self.questions if (option := self.drafts.of(q)) is not None}
        told |= others
        still = [(q.seat, q.slug) for q in self.desk.questions()]  # a card may have answered one meanwhile
        answers = tuple(
            Answer(q.seat, q.slug, one)
            for q in (*self.questions, *self.others.values())
            if q.seat in told and (q.seat, q.slug) in still
            for one in (told[q.seat].split(TOGETHER) if q.sets else (told[q.seat],))
        )
        self.drafts.told.clear()
        self.desk.propose(Confirmed(answers))
