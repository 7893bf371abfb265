"""What everybody turned over, took or bought, where there are many cards: seats are tabs, and below them all cards are
small faces.

One tap tells one seat's card and goes on to the next seat. Whole sets of answers, such as both cards of a seat, are
told in the same way.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from companion.core.questions import Option, Question
from companion.core.views import SeatView
from companion.ui.screens.table.band import MarkPlate, SeatName
from companion.ui.screens.table.options import answering, face_of
from companion.ui.screens.table.seat_rows import GAP, upright
from companion.ui.screens.table.signs import FaceIn, sign_row
from companion.ui.toolkit.draw import Badge
from companion.ui.toolkit.kit import Icon, Part, Row, Tap, look
from companion.ui.toolkit.look import INK, SMALLEST_WORDS
from companion.ui.toolkit.snug import Snug
from companion.ui.toolkit.tiles import Cells, Centred, Leaves, Stack, Tile
from companion.ui.toolkit.touches import asked_of

if TYPE_CHECKING:
    from companion.ui.screens.table.several import Several
    from companion.ui.toolkit.screen import Screen

SMALL, SET = (92, 48), (120, 48)
"""How large a small face, and a set of answers in signs, is at least."""

SIGNS, HIGHEST = 22, 70
TAB, PLAIN, MARK = 50, 96, 34
"""How high a tab is, how wide what is no card beside the tabs is, and a mark in one."""

PINNED = 3
"""So many options that are no cards stand beside the tabs."""

IN_ONE_ROW = 2
"""So many seats have their tabs beside each other on an upright screen."""


class RevealGrid:
    """The tabs and the cards of one page."""

    def __init__(self, several: Several) -> None:
        self.several, self.drafts, self.screen = several, several.drafts, several.screen
        self.question = self._in_turn()
        self.screen.seat_before_it = (
            self.question.seat
        )  # a card before the camera is the one that is told now
        options = self.question.sets or self.question.options
        plain = [o for o in options if face_of(self.screen, o) is None]
        self.pinned = plain if len(plain) <= PINNED else []
        self.shown = [o for o in options if o not in self.pinned]

    def _in_turn(self) -> Question:
        """The question of the seat whose card is told now: the one people turned to, or the first without."""
        asked = self.several.questions
        turned = next((q for q in asked if q.seat == self.drafts.turn), None)
        return turned or next((q for q in asked if self.drafts.of(q) is None), asked[0])

    def find(self) -> Tap | None:
        """The way to look for a card by its name."""
        question = self.question
        if question.sets:
            return None
        go = partial(
            self.screen.app.go, "choose", seat=question.seat, told=partial(self.several.tell, question)
        )
        return Tap(icon="magnify", on_tap=go, name="find", kind="quiet", size="name")

    def page(self) -> Part:
        """Tabs above the cards."""
        grid = Leaves(
            lambda n: self._tile(self.shown[n]),
            len(self.shown),
            self.drafts.page,
            self.screen.app.refresh,
            SET if self.question.sets else SMALL,
            most=HIGHEST,
        )
        return Stack([(self._tabs(), self._rows() * look().px(TAB + GAP) - look().px(GAP)), (grid, None)])

    def _rows(self) -> int:
        return 2 if upright() and len(self.several.view.seats) > IN_ONE_ROW else 1

    def _tabs(self) -> Part:
        seats = [self._tab(seat).fill() for seat in self.several.view.seats]
        plain = [self._tile(option).fill(0.6) for option in self.pinned]
        if self._rows() == 1:
            return Row([*seats, *plain], gap=GAP)
        parts = [*seats, *plain]
        return Cells(parts, -(-len(parts) // 2), gap=GAP)

    def _tab(self, seat: SeatView) -> Tile:
        several = self.several
        question, colour = several.asked.get(seat.seat), several.marks[seat.seat].colour
        told = None if question is None else self.drafts.of(question)
        now = question is self.question
        turn = None if question is None else partial(self._turn_to, seat.seat)
        if seat.seat in several.others and not several.secret:
            turn = partial(several.screen.turn_to, seat.seat)
        return Tile(
            Tab(several, seat, told, INK if now else "text"),
            turn,
            f"ask-{seat.seat}",
            ground=colour if now else "surface",
            edge=colour if question is not None and told is None else "",
        )

    def _turn_to(self, seat: int) -> None:
        self.drafts.turn, self.drafts.page[0] = seat, 0
        self.screen.app.refresh()

    def _tile(self, option: Option) -> Tile:
        question = self.question
        default = question.default is option
        chosen = self.drafts.of(question) is option
        tell = answering(self.screen, question, option, partial(self.several.tell, question))
        return small_tile(self.screen, question, option, tell, default, chosen)


class Tab(Part):
    """A seat's mark, with its name, or once it is told what it turned over."""

    def __init__(self, several: Several, seat: SeatView, told: Option | None, tone: str) -> None:
        super().__init__()
        self.several, self.seat, self.told, self.tone = several, seat, told, tone

    def fit(self, width: float) -> float:
        return look().px(TAB)

    def natural(self) -> float:
        return look().px(MARK)

    def place(self, x: float, y: float, width: float, height: float) -> None:
        super().place(x, y, width, height)
        self.clear_widgets()
        pad, side, mark = look().px(5), look().px(MARK), self.several.marks[self.seat.seat]
        badge = MarkPlate(mark, MARK - 6) if self.tone == INK else Badge(mark, MARK / look().text)
        self._put(badge, x + pad, y + (height - side) / 2, side, side)
        left = x + side + 2 * pad
        room = x + width - pad - left
        if self.told is None:
            tone = self.tone if self.seat.seat in self.several.asked else "dim"
            self._put(SeatName(self.seat.name, tone, room, 30 / max(1.0, look().text)), left, y, room, height)
            return
        tone = self.tone if self.tone == INK else "accent"
        words = Snug(self.several.desk.words(self.told.text), 20, SMALLEST_WORDS, tone, bold=True, lines=2)
        if self.told.signs and face_of(self.several.screen, self.told) is None:
            row = sign_row(self.several.desk.session.game, self.told.signs, SIGNS, "surface", self.tone)
            if row.natural() <= room:
                self._put(row, left, y + (height - row.fit(room)) / 2, row.natural(), row.fit(room))
                return
        if words.fits(room, height):
            self._put(words, left, y, room, height)
        else:
            icon = Icon("check-circle", "title", tone)
            self._put(icon, left, y, icon.natural(), height)

    def _put(self, part: Part, x: float, y: float, width: float, height: float) -> None:
        self.add_widget(part)
        part.place(x, y, width, height)


def small_tile(
    screen: Screen, question: Question, option: Option, on_tap: object, default: bool, chosen: bool
) -> Tile:
    """An option as a small face, or its words where it is no component; a new tile stands out if nothing else does."""
    face = face_of(screen, option)
    default = default or (option.new is not None and not question.has_default)
    if face is not None:
        content: Part = FaceIn(screen.desk.session.game, face)
    elif option.signs:
        content = Centred(sign_row(screen.desk.session.game, option.signs, SIGNS))
    else:
        tone = INK if default else "text"
        text = screen.desk.words(option.text)
        words = text if option.new is None else f"+ {text}"
        content = Snug(words, 20, SMALLEST_WORDS, tone, bold=default, align="center", lines=2)
    return Tile(
        content,
        on_tap,  # type: ignore[arg-type]
        f"option-{option.id}",
        ground="main" if default else "raised",
        edge="accent" if chosen else "",
        pad=2 if face is not None else 4,
        about=asked_of(screen.desk.session, question),
        repeats=question.tally is not None,
    )
