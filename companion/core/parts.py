"""What a game may declare besides its rules: words for its sheets, positions, odds, moments for screenshots."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol

from msgspec import Struct
from msgspec.structs import replace

from companion.core.components import Component, Facts, told_names
from companion.core.counters import Correctable
from companion.core.questions import Question
from companion.core.words import Text
from scoring.sheet import Sheet

if TYPE_CHECKING:
    from companion.core.session import Session

Tableaux = dict[str, tuple[str, ...]]
"""The components of each seat, by name, clockwise."""


def _nothing_broken(sheet: Sheet) -> Text | None:
    return None


def _stays(what: str) -> str | None:
    return None


class SheetWords(Struct, frozen=True, kw_only=True):
    """The words of a game's sheet."""

    words: Callable[[str], Text]
    """The name of a line, or of a component that scored points."""
    measured: Callable[[str, int], Text]
    """A measure and its amount, in words."""
    tie_break: Callable[[Sheet], Text | None] = _nothing_broken
    """The sentence that says how a tie was broken, or that it was not; None if there was no tie."""
    sort: Callable[[str], str | None] = _stays
    """The line that a component's points join in a compact table; None if it keeps its own."""


def with_told_names(
    sheet: Sheet, box: Mapping[str, Component], printed: Mapping[str, Component], *besides: str
) -> Sheet:
    """The same sheet with the taught names of its components: the sheet is stored, and must always read the
    same.

    `besides` are components that the sheet's words mention but that have no line.
    """
    lines = [line for seat in sheet.seats for line in seat.lines]
    shown = dict.fromkeys([*besides, *(what for line in lines for what in (line.what, *line.because))])
    names = told_names({what: box[what] for what in shown if what in box}, printed)
    return replace(sheet, names=names) if names else sheet


def _never(component: str) -> bool:
    return False


def _nothing_told(position: dict[str, Any]) -> Facts:
    return {}


class Positions(Struct, frozen=True, kw_only=True):
    """How a table that was played without the program is read and scored."""

    position_of: Callable[..., Any]
    """The position in these plain JSON values (one dict); raises `DataTrouble` with all problems."""
    sheet: Callable[[Any], Sheet]
    """The sheet of a position."""
    schema: Callable[[], dict[str, Any]]
    """A JSON Schema of positions."""
    asked: Callable[..., dict[str, Any]]
    """The plain position for each seat's known components (`Tableaux`) and these variants (a dict of ids);
    the last argument supplies what cannot be seen (`Counter` to int)."""
    between: Callable[[str], bool] = _never
    """Whether a component lies in the middle of the table, so that its place does not show its owner."""
    several: Callable[[str], bool] = _never
    """Whether several players can have it there, such as a planet with outposts of two."""
    examples: tuple[dict[str, Any], ...]
    """Example positions, as people may write them."""
    told: Callable[[dict[str, Any]], Facts] = _nothing_told
    """The printed values in a plain position, as facts: once stored, they need not be asked again."""
    teachable: bool = False
    """Whether taught facts matter to a finished table: `position_of` and `asked` then take them as `taught`."""

    def knowing(self, facts: Facts) -> Positions:
        """The same for a box with these facts."""
        if not self.teachable:
            return self
        return replace(
            self,
            position_of=partial(self.position_of, taught=facts),
            asked=partial(self.asked, taught=facts),
        )


class GameTool(Struct, frozen=True, kw_only=True):
    """A calculation that helps at the table without a followed play: numbers in, sentences out."""

    id: str
    text: Text
    fields: tuple[Correctable, ...]
    """The numbers it needs, with what they usually are."""
    tell: Callable[[Mapping[str, int]], tuple[Text, ...]]
    """The answer; raises `DataTrouble` for numbers that cannot be. It may take a while."""


class OutOfTime(Exception):
    """Raised by the function that a game's `odds` calls now and then: no time is left for exact odds."""


class OddsAnswer(Protocol):
    """Odds, for programs and for people."""

    def plain(self) -> dict[str, Any]:
        """As plain values for JSON."""

    def sentences(self) -> Iterable[Text]:
        """In sentences."""


class Highlight(Struct, frozen=True, kw_only=True):
    """A moment in a play by bots to take screenshots of.

    The bots answer `answers` questions, continue until `reached`, and then answer `more` questions.
    """

    scenes: tuple[str, ...]
    """The screenshots to take: a screen's name, perhaps with what is special about it, such as `table-dice`."""
    seats: tuple[str, ...]
    seed: int
    answers: int = 0
    until: Callable[[Session], bool] | None = None
    asks: Callable[[Question], bool] | None = None
    """Must hold for one of the open questions, which is then the subject of the screenshot."""
    more: int = 0

    def reached(self, session: Session) -> bool:
        """Whether a play has reached the moment."""
        asked = self.asks is None or any(map(self.asks, session.questions()))
        return asked and (self.until is None or self.until(session))

    def question(self, session: Session) -> Question:
        """The open question that is the subject of the screenshot."""
        return next(q for q in session.questions() if self.asks is None or self.asks(q))
