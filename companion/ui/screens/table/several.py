"""Several seats at once on one page: rows are seats, and what each of them did is one tap.

What was secret is asked for when it has been turned over, so everybody may look. What is tapped is only a draft until
the last seat's is told: then all of it is proposed together, and taken back together.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from kivy.core.window import Window

from companion.core.questions import Answer, Option, Question
from companion.core.views import SeatView, View
from companion.table.desk import option_words
from companion.table.proposals import Confirmed
from companion.ui.screens.table.band import Band, SeatName
from companion.ui.screens.table.options import NAMES, OptionFace, face_of
from companion.ui.screens.table.seats import Points
from companion.ui.screens.table.signs import FaceIn, sign_row
from companion.ui.toolkit.draw import Badge
from companion.ui.toolkit.kit import Group, Icon, Part, Tap, Words, look
from companion.ui.toolkit.look import INK, SMALLEST_WORDS
from companion.ui.toolkit.screen import Screen, Showing
from companion.ui.toolkit.snug import Snug
from companion.ui.toolkit.symbols import SignRow
from companion.ui.toolkit.tiles import Cells, Centred, Leaves, Stack, Tile

if TYPE_CHECKING:
    from companion.ui.screens.table.screen import TableScreen

FEW = 9
"""So many options have a column each."""

BESIDE = 5
"""So many options of a seat stand in its row."""

SEAT, GAP, HIGHEST = 214, 5, 84
NARROW = 150
"""How wide a seat is beside two lines of options on an upright screen."""

HEAD = 48
"""How high the head of a row is on an upright screen, where it stands above the options."""

FRAME, SIDE_BY_SIDE = 192, 110
"""What is above and below the rows; and besides on an upright screen."""

CELL = (28, 26, 24, 22, 20)
"""How large signs are in a column."""

SMALL = (92, 48)
"""How large a small face is at least."""


class Drafts:
    """What was tapped for questions that are still open, by seat and slug; outlives the screen's building."""

    def __init__(self) -> None:
        self.told: dict[tuple[int | None, str], str] = {}
        self.turn: int | None = None
        self.page = [0]

    def of(self, question: Question) -> Option | None:
        """What was tapped for this question, if it still can be."""
        return question.option(self.told.get((question.seat, question.slug), ""))

    def tell(self, question: Question, option: str) -> None:
        """Somebody tapped this."""
        self.told[(question.seat, question.slug)] = option

    def keep(self, questions: Sequence[Question]) -> None:
        """Forget what was tapped for questions that are no longer open."""
        open_ = {(q.seat, q.slug) for q in questions}
        self.told = {asked: option for asked, option in self.told.items() if asked in open_}


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
        """Who is asked something else."""
        self.drafts = screen.drafts
        self.drafts.keep(questions)
        self.marks = self.desk.marks()
        self.secret = all(question.secret for question in questions)
        few = self.secret and len(self.questions[0].options) <= FEW
        self.signs = self._sign_size() if few else 0

    # The page

    def page(self) -> tuple[Part, Part]:
        """The band and what stands below it."""
        first = self.questions[0]
        text = first.beforehand if self.secret and first.beforehand is not None else first.text
        band = Band(self.app).told(self.desk.words(text), self._at_once())
        if not self.secret:
            return band, self._rows([self._beside(seat) for seat in self.view.seats])
        if self._alike():
            heads = None if upright() else self._heads()
            rows = self._rows([self._matrix(seat) for seat in self.view.seats])
            return band, Stack([(heads, look().px(22)), (rows, None)], gap=2) if heads is not None else rows
        return band, self._leafed()

    def _rows(self, rows: list[Part]) -> Part:
        return Cells(rows, 1, gap=GAP, most=HIGHEST + (HEAD + GAP if upright() else 0))

    def _seat(self, seat: SeatView, on_tap: object, active: bool, picked: str = "") -> Part:
        """Who it is, at the beginning of the row."""
        return Tile(
            SeatHead(self, seat, picked),
            on_tap,  # type: ignore[arg-type]
            f"ask-{seat.seat}",
            ground="surface",
            edge=self.marks[seat.seat].colour if active else "",
        )

    def _at_once(self) -> list[Part | None]:
        """One tap for everybody who is left, where the sensible answer is known."""
        left = [q for q in (*self.questions, *self.others.values()) if self.drafts.of(q) is None]
        if not left or any(q.default is None for q in left) or len(left) + (len(self.drafts.told) > 0) < 2:
            return []
        if self.secret and self._alike():
            return []
        default = left[0].options[0]
        same = len({q.options[0].text.key for q in left}) == 1 and self.secret
        words = self.desk.words(default.text) if same else self.t("ui.as-suggested")
        key = "ui.others-all" if self.drafts.told or len(left) < len(self.view.seats) else "ui.everybody-all"
        return [
            Tap(
                self.t(key, what=words),
                partial(self._send, {q.seat: q.options[0].id for q in left}),
                kind="main",
                size="tile",
                name="everybody",
                about=(self.desk.session.entries, "everybody"),
            )
        ]

    # Few options, the same for everybody: a column each

    def _alike(self) -> bool:
        """Whether all have the same few options, and each can be told in a narrow column."""
        first = self.questions[0].options
        alike = all([o.id for o in q.options] == [o.id for o in first] for q in self.questions)
        if not alike or len(first) > FEW:
            return False
        wide, high = self._column(len(first)), look().px(48)
        return bool(self.signs) or all(self._words(o).fits(wide - look().px(6), high) for o in first)

    def _cell(self, columns: int) -> float:
        room = Window.width - look().px(20 if upright() else SEAT + 20)
        return room / columns - look().px(GAP)

    def _column(self, options: int) -> float:
        """How wide a column of the same options for all is; on an upright screen they stand in two lines."""
        if not upright():
            return self._cell(options)
        return (Window.width - look().px(NARROW + 20)) / -(-options // 2) - look().px(GAP)

    def _row_high(self) -> float:
        """How high the cells of a row are at least."""
        room = Window.height - look().px(FRAME) - (look().px(SIDE_BY_SIDE) if upright() else 0)
        one = min(look().px(HIGHEST), room / len(self.view.seats) - look().px(GAP))
        return max(look().px(48), one - (look().px(HEAD + GAP) if upright() else 0))

    def _sign_size(self) -> float:
        """How large the signs of all columns are, so that each is in its cell; 0 if some are not."""
        options = self.questions[0].options
        room = self._column(len(options)) - look().px(6)
        for size in CELL if all(option.signs for option in options) else ():
            rows = [SignRow(self.desk.session.game, option.signs, size) for option in options]
            if all(row.fit(room) <= look().px(54) and row.laid.wide <= room for row in rows):
                return size
        return 0

    def _words(self, option: Option, tone: str = "text") -> Snug:
        return Snug(self.desk.words(option.text), 20, SMALLEST_WORDS, tone, align="center", lines=2)

    def _heads(self) -> Part | None:
        """The names of the columns, if all of them fit."""
        options = self.questions[0].options
        if not self.signs:
            return None
        words = [Snug(self.desk.words(o.text), 18, SMALLEST_WORDS, "dim", align="center") for o in options]
        if not all(w.fits(self._cell(len(options)), look().px(24)) for w in words):
            return None
        return RowOf([Words("", "detail"), *words], look().px(SEAT))

    def _matrix(self, seat: SeatView) -> Part:
        question = self.asked.get(seat.seat)
        if question is None:
            return self._not_asked(seat)
        chosen = self.drafts.of(question)
        cells = [self._option_cell(question, option, option is chosen) for option in question.options]
        head = self._seat(seat, None, chosen is None)
        if upright():
            return RowOf([head, Cells(cells, -(-len(cells) // 2), gap=GAP)], look().px(NARROW), beside=True)
        return RowOf([head, *cells], look().px(SEAT))

    def _option_cell(self, question: Question, option: Option, chosen: bool) -> Part:
        assert question.seat is not None
        ground = self.marks[question.seat].colour if chosen else "raised"
        tone = INK if chosen else "text"
        content: Part = self._words(option, tone)
        if self.signs:
            content = Centred(sign_row(self.desk.session.game, option.signs, self.signs, ground, tone))
        return Tile(
            content,
            partial(self._tell, question, option),
            f"option-{option.id}-{question.seat}",
            ground=ground,
            pad=3,
            about=(question.seat, question.slug, option.id),
        )

    def _not_asked(self, seat: SeatView) -> Part:
        """The row of somebody who is done, or asked something else."""
        other = self.others.get(seat.seat)
        if other is None:
            return RowOf([self._seat(seat, None, False), self._done(seat)], look().px(SEAT))
        turn = partial(self.screen.turn_to, seat.seat)
        words = Snug(self.desk.words(other.text), 22, SMALLEST_WORDS, align="center", lines=2)
        return RowOf(
            [self._seat(seat, turn, True), Tile(words, turn, f"more-{seat.seat}", pad=4)], look().px(SEAT)
        )

    def _done(self, seat: SeatView) -> Part:
        icon = Icon("check-circle", "title", "good") if seat.ready else Icon("minus", "title", "dim")
        return Centred(icon)

    # Many options: one seat after another, small faces to tap

    def _leafed(self) -> Part:
        seats = [self._told(seat) for seat in self.view.seats]
        question = self._in_turn()
        self.screen.seat_before_it = question.seat  # a card before the camera is the one that is told now
        grid = self._grid(question)
        if upright():
            return Stack([(self._rows(seats), len(seats) * look().px(HEAD + GAP)), (grid, None)])
        return RowOf([self._rows(seats), grid], look().px(SEAT))

    def _in_turn(self) -> Question:
        """The question of the seat whose card is told now: the one people turned to, or the first without."""
        turned = next((q for q in self.questions if q.seat == self.drafts.turn), None)
        if turned is not None:
            return turned
        return next((q for q in self.questions if self.drafts.of(q) is None), self.questions[0])

    def _told(self, seat: SeatView) -> Part:
        question = self.asked.get(seat.seat)
        if question is None:
            return self._seat(seat, None, False, self.t("ui.told-already") if seat.ready else "–")
        option = self.drafts.of(question)
        words = "…" if option is None else self.desk.words(option.text)
        return self._seat(seat, partial(self._turn_to, question.seat), question is self._in_turn(), words)

    def _turn_to(self, seat: int | None) -> None:
        self.drafts.turn = seat
        self.app.refresh()

    def _grid(self, question: Question) -> Part:
        plain = [n for n, o in enumerate(question.options) if face_of(self.screen, o) is None]
        faced = [n for n, o in enumerate(question.options) if face_of(self.screen, o) is not None]
        pinned: list[Part] = [self._small(question, n) for n in plain] if len(plain) <= 3 else []
        shown = faced if pinned else list(range(len(question.options)))
        if len(shown) > FEW:
            pinned.append(self._find(question))
        return Leaves(
            lambda n: self._small(question, shown[n]),
            len(shown),
            self.drafts.page,
            self.app.refresh,
            SMALL,
            pinned,
            most=70,
        )

    def _find(self, question: Question) -> Part:
        return Tile(
            Centred(Icon("magnify", "prompt")),
            partial(self.app.go, "choose", seat=question.seat, told=partial(self._tell, question)),
            "find",
        )

    def _small(self, question: Question, n: int) -> Part:
        option = question.options[n]
        default = n == 0 and question.has_default
        chosen = self.drafts.of(question) is option
        return small_tile(self.screen, option, partial(self._tell, question, option), default, chosen)

    # What is not secret: a row of options for each seat

    def _beside(self, seat: SeatView) -> Part:
        question = self.asked.get(seat.seat)
        if question is None:
            return self._not_asked(seat)
        turn = partial(self.screen.turn_to, question.seat)
        shown = question.options[: self._in_a_row(question)]
        cells: list[Part] = [self._answering(question, option) for option in shown]
        if len(shown) < len(question.options):
            more = Snug(self.t("ui.others-more"), 20, SMALLEST_WORDS, align="center", lines=2)
            cells.append(Tile(more, turn, f"more-{seat.seat}", pad=4))
        return RowOf([self._seat(seat, turn, True), *cells], look().px(SEAT))

    def _in_a_row(self, question: Question) -> int:
        """How many options have room in a row, whole, and can be told apart by their names."""
        total = len(question.options)
        for n in range(min(BESIDE, total), 1, -1):
            cells = n if n == total else n + 1
            wide, high = self._cell(cells) - look().px(20), self._row_high() - look().px(8)
            names = [Snug(self.desk.words(o.text), *NAMES, bold=True) for o in question.options[:n]]
            told_apart = len({name.text for name in names}) == n
            if cells <= BESIDE and told_apart and all(name.fits(wide, high) for name in names):
                return n
        return 1

    def _answering(self, question: Question, option: Option) -> Part:
        words, detail = option_words(self.desk, option)
        default = option is question.default
        face = OptionFace(
            self.desk.session.game,
            words,
            detail,
            option,
            face_of(self.screen, option),
            INK if default else "text",
            "",
        )
        return Tile(
            face,
            partial(self.desk.propose, Answer(question.seat, question.slug, option.id)),
            f"option-{option.id}-{question.seat}",
            ground="main" if default else "raised",
            about=(self.desk.session.entries, question.seat, question.slug),
        )

    # Telling

    def _tell(self, question: Question, option: Option) -> None:
        """Keep what a seat did; with the last seat's, propose all of it at once."""
        self.drafts.tell(question, option.id)
        self.drafts.turn, self.drafts.page[0] = None, 0
        if all(self.drafts.of(q) is not None for q in self.questions):
            self._send({})
        else:
            self.app.refresh()

    def _send(self, others: dict[int | None, str]) -> None:
        told = {q.seat: option.id for q in self.questions if (option := self.drafts.of(q)) is not None}
        told |= others
        still = [(q.seat, q.slug) for q in self.desk.questions()]  # a card may have answered one meanwhile
        answers = tuple(
            Answer(q.seat, q.slug, told[q.seat])
            for q in (*self.questions, *self.others.values())
            if q.seat in told and (q.seat, q.slug) in still
        )
        self.drafts.told.clear()
        self.desk.propose(Confirmed(answers))


def upright() -> bool:
    """Whether the screen is higher than wide."""
    return bool(Window.height > Window.width)


class SeatHead(Part):
    """Mark, name and points of a seat at the beginning of its row, and what it did if there is room."""

    def __init__(self, several: Several, seat: SeatView, picked: str) -> None:
        super().__init__()
        self.several, self.seat, self.picked = several, seat, picked

    def fit(self, width: float) -> float:
        return look().px(48)

    def place(self, x: float, y: float, width: float, height: float) -> None:
        super().place(x, y, width, height)
        self.clear_widgets()
        pad, side = look().px(6), look().px(34)
        if width < look().px(NARROW + 20) and height > look().px(90):
            self._stacked(x + pad, y, width - 2 * pad, height, side)
            return
        roomy = height >= look().px(58) and self.picked
        line = round(height * 0.58) if roomy else height
        top = y + height - line
        badge = Badge(self.several.marks[self.seat.seat], 34 / look().text)
        self._put(badge, x + pad, top, side, line)
        left, right = x + side + 2 * pad, x + width - pad
        beside = self._beside(bool(roomy))
        if beside is not None:
            wide = min(beside.natural(), (right - left) * 0.5)
            self._put(beside, right - wide, top, wide, line)
            right -= wide + pad
        self._put(SeatName(self.seat.name, "text", right - left), left, top, right - left, line)
        if roomy:
            words = Snug(self.picked, 20, SMALLEST_WORDS, "accent")
            self._put(words, left, y + pad / 2, x + width - pad - left, height - line - pad / 2)

    def _stacked(self, x: float, y: float, width: float, height: float, side: float) -> None:
        """Mark and points above the name."""
        half = height / 2
        self._put(Badge(self.several.marks[self.seat.seat], 34 / look().text), x, y + half, side, half)
        beside = self._beside(False)
        if beside is not None:
            wide = min(beside.natural(), width - side)
            self._put(beside, x + width - wide, y + half, wide, half)
        self._put(SeatName(self.seat.name, "text", width), x, y, width, half)

    def _beside(self, roomy: bool) -> Part | None:
        if self.picked and not roomy:
            return Snug(self.picked, 18, SMALLEST_WORDS, "accent", lines=2)
        if self.seat.points is None or not self.several.desk.settings.scores:
            return None
        return Points(str(self.seat.points), 32 / max(1.0, look().text), 30, "accent", bold=True)

    def _put(self, part: Part, x: float, y: float, width: float, height: float) -> None:
        self.add_widget(part)
        part.place(x, y, width, height)


class RowOf(Group):
    """A first part so wide, and the others sharing the rest beside it; on an upright screen below it."""

    def __init__(self, parts: list[Part], first: float, beside: bool = False) -> None:
        super().__init__(parts, GAP)
        self.first, self.beside = first, beside

    def fit(self, width: float) -> float:
        return max(part.fit(self.first) for part in self.parts)

    def place(self, x: float, y: float, width: float, height: float) -> None:
        super().place(x, y, width, height)
        if upright() and len(self.parts) > 1 and not self.beside:
            head = look().px(HEAD)
            self.parts[0].place(x, y + height - head, width, head)
            self._share(x, y, width, height - head - self.gap)
            return
        self.parts[0].place(x, y, self.first, height)
        self._share(x + self.first + self.gap, y, width - self.first - self.gap, height)

    def _share(self, x: float, y: float, width: float, height: float) -> None:
        others = self.parts[1:]
        wide = (width + self.gap) / max(1, len(others)) - self.gap
        for n, part in enumerate(others):
            part.place(x + n * (wide + self.gap), y, wide, height)


def small_tile(screen: Screen, option: Option, on_tap: object, default: bool, chosen: bool) -> Tile:
    """An option as a small face, or its words where it is no component."""
    face = face_of(screen, option)
    if face is not None:
        content: Part = FaceIn(screen.desk.session.game, face)
    else:
        tone = INK if default else "text"
        content = Snug(
            screen.desk.words(option.text), 20, SMALLEST_WORDS, tone, bold=default, align="center", lines=2
        )
    return Tile(
        content,
        on_tap,  # type: ignore[arg-type]
        f"option-{option.id}",
        ground="main" if default else "raised",
        edge="accent" if chosen else "",
        pad=2 if face is not None else 4,
        about=option.id,
    )
