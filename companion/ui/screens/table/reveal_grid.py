"""Entering what everybody revealed, took or bought if there are many cards: a head per seat, and all cards
below as small faces.

One tap enters one seat's card and goes on to the next seat. Sets of answers, such as both cards of a seat,
work the same way. Cards are sorted by cost, most expensive first, because these are placed most often. Cards
the seat cannot afford come last, in case its hand was miscounted.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from companion.core.faces import Sign
from companion.core.questions import Option, Question
from companion.core.understand import Sighted, why_not
from companion.core.views import SeatView
from companion.core.words import count
from companion.ui.screens.table.options import answering, face_of, readable
from companion.ui.screens.table.seat_heads import SeatHead
from companion.ui.screens.table.seat_rows import GAP, upright
from companion.ui.screens.table.signs import FaceIn, sign_row, symbol
from companion.ui.toolkit.kit import Icon, Part, Row, Tap, theme
from companion.ui.toolkit.screen import AppQuestion
from companion.ui.toolkit.snug import Snug
from companion.ui.toolkit.theme import INK, SMALLEST_WORDS
from companion.ui.toolkit.tiles import Cells, Centred, Leaves, Stack, Tile, grown
from companion.ui.toolkit.touches import asked_of

if TYPE_CHECKING:
    from companion.core.faces import Face
    from companion.ui.screens.table.several import Several
    from companion.ui.toolkit.screen import Screen

SMALL, SET = (138, 60), (120, 48)
"""The smallest size of a small face, and of a set of answers as signs: names of cards take two lines."""

SIGNS, HIGHEST = 22, 78
HEAD, GROWS = 80, 1.1
"""The height of a seat's head, and how much it grows at the largest text size."""

PINNED = 3
"""Up to this many options that are no cards come first on every page."""

IN_ONE_ROW = 2
"""Up to this many heads are side by side on an upright screen."""


class RevealGrid:
    """The heads and the cards of one page; `at_once` answers for all remaining seats."""

    def __init__(self, several: Several, at_once: Sequence[Part]) -> None:
        self.several, self.drafts, self.screen = several, several.drafts, several.screen
        self.at_once = at_once
        self.question = self._in_turn()
        # a card shown to the camera counts for this seat
        self.screen.seat_before_it = self.question.seat
        options = self.question.sets or self.question.options
        plain = [o for o in options if face_of(self.screen, o) is None]
        self.pinned = plain if len(plain) <= PINNED else []
        self.shown = sorted((o for o in options if o not in self.pinned), key=self._cost, reverse=True)
        box = self.screen.desk.session.catalogue
        expensive = (
            []
            if self.question.sets
            else [Option(id, box[id].called, id) for id in self.question.unaffordable]
        )
        self.expensive = sorted(expensive, key=self._cost)

    def _in_turn(self) -> Question:
        """The question of the current seat: the one people turned to, or the first without an answer."""
        asked = self.several.questions
        turned = next((q for q in asked if q.seat == self.drafts.turn), None)
        return turned or next((q for q in asked if self.drafts.of(q) is None), asked[0])

    def _corner(self, option: Option) -> Sign | None:
        """A card's cost, as printed in its corner."""
        face: Face | None = face_of(self.screen, option)
        return face.corners[0] if face is not None and face.corners else None

    def _cost(self, option: Option) -> int:
        """Sort key by cost; cards without a cost keep their order."""
        corner = self._corner(option)
        return int(corner.value) if corner is not None and corner.value.isdecimal() else 0

    def find(self) -> Tap | None:
        """The button to search for a card by name."""
        question = self.question
        if question.sets:
            return None
        go = partial(
            self.screen.app.go, "choose", seat=question.seat, told=partial(self.several.tell, question)
        )
        return Tap(icon="magnify", on_tap=go, name="find", kind="quiet", size="name")

    def page(self) -> Part:
        """The heads above the cards."""
        grid = Leaves(
            lambda n: (
                self._tile(self.shown[n]) if n < len(self.shown) else self._expensive(n - len(self.shown))
            ),
            len(self.shown) + len(self.expensive),
            self.drafts.page,
            self.screen.app.refresh,
            SET if self.question.sets else grown(SMALL),
            [self._tile(option) for option in self.pinned],
            most=HIGHEST * max(1.0, min(theme().text, 1.4)),
            onward=None if self.question.sets else self._onward,
        )
        high = theme().px(HEAD * max(1.0, min(GROWS, theme().text)))
        rows = self._rows()
        return Stack([(self._heads(), rows * high + (rows - 1) * theme().px(GAP)), (grid, None)])

    def _rows(self) -> int:
        return 2 if upright() and len(self.several.view.seats) > IN_ONE_ROW else 1

    def _heads(self) -> Part:
        seats: list[Part] = [self._head(seat).fill() for seat in self.several.view.seats]
        if self._rows() == 1:
            return Row([*seats, *(tap.fill(0.62) for tap in self.at_once)], gap=GAP)
        parts = [*seats, *self.at_once]
        return Cells(parts, -(-len(parts) // 2), gap=GAP)

    def _head(self, seat: SeatView) -> SeatHead:
        several = self.several
        question = several.asked.get(seat.seat)
        told = None if question is None else self.drafts.of(question)
        turn = None if question is None else partial(self._turn_to, seat.seat)
        if seat.seat in several.others and not several.secret:
            turn = partial(several.screen.turn_to, seat.seat)
        return SeatHead(
            several,
            seat,
            turn,
            told="" if told is None else several.desk.words(told.text),
            now=question is self.question,
            waits=question is not None and told is None,
            asked=question is not None,
        )

    def _turn_to(self, seat: int) -> None:
        self.drafts.turn, self.drafts.page[0] = seat, 0
        self.screen.app.refresh()

    def _tile(self, option: Option) -> Tile:
        question = self.question
        default = question.default is option and not self.at_once
        chosen = self.drafts.of(question) is option
        tell = answering(self.screen, question, option, partial(self.several.tell, question))
        return small_tile(self.screen, question, option, tell, default, chosen)

    # What the seat cannot afford, as far as its hand is known

    def _expensive(self, n: int) -> Tile:
        option = self.expensive[n]
        tile = small_tile(self.screen, self.question, option, partial(self._miscounted, option), False, False)
        tile.name, tile.part.opacity = f"expensive-{option.id}", 0.6
        return tile

    def _miscounted(self, option: Option) -> None:
        """Explain why it is impossible, and offer to correct the hand."""
        self.screen.app.ask(partial(self._why_not, option))

    def _why_not(self, option: Option) -> AppQuestion:
        desk, seat = self.several.desk, self.question.seat
        why = desk.words(why_not(desk.session, Sighted(option.id, seat)))
        name = "" if seat is None else desk.session.setup.seats[seat]
        correct = partial(self.screen.app.go, "correct", seat=seat)
        choices: list[tuple[str, Callable[[], Any]]] = [
            (self.several.t("ui.put-right", seat=name), correct),
            (self.several.t("ui.cancel"), lambda: None),
        ]
        return AppQuestion(why, choices, self.several.t("ui.put-right-why"))

    def _onward(self, following: range) -> Part:
        """The content of the page-turning cell: the costs and the number of the other cards."""
        total = len(self.shown) + len(self.expensive)
        if not following.start:
            return self._led(Icon("chevron-left", "body", "accent"), self.several.t("ui.expensive-cards"), "")
        many = self.several.desk.words(count("ui.cards", total - following.start))
        if following.start >= len(self.shown):
            return self._led(Icon("help-circle", "body", "accent"), self.several.t("ui.too-expensive"), many)
        corner = self._corner(self.shown[following.start])
        more = None if corner is None or not corner.value else corner
        game = self.screen.desk.session.game
        sign = (
            Icon("chevron-right", "body", "accent")
            if more is None
            else symbol(game, more, 34, "raised", "text")
        )
        return self._led(sign, self.several.t("ui.cheaper-cards"), many)

    def _led(self, sign: Part, words: str, below: str) -> Part:
        said = "\n".join(line for line in (words, below) if line)
        lines = Snug(said, 20, SMALLEST_WORDS, "text", bold=True, lines=2)
        return Row([sign, lines.fill()], gap=6)


def small_tile(
    screen: Screen, question: Question, option: Option, on_tap: object, default: bool, chosen: bool
) -> Tile:
    """An option as a small face, or as text if it is no component; a new tile is highlighted if nothing else
    is."""
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
        content = Snug(words, 22, SMALLEST_WORDS, tone, bold=default, align="center", lines=2)
    tile = Tile(
        content,
        on_tap,  # type: ignore[arg-type]
        f"option-{option.id}",
        ground="main" if default else "raised",
        edge="accent" if chosen else "",
        pad=2 if face is not None else 4,
        about=asked_of(screen.desk.session, question),
        repeats=question.tally is not None,
    )
    return readable(screen, tile, option)
