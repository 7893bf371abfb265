"""What a game may declare besides its rules: words for its sheets, positions, odds, logs, moments worth a picture."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol

from msgspec import Struct
from msgspec.structs import replace

from companion.core.components import Component, Facts, told_names
from companion.core.questions import Answer, Question
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
    """How a game's sheet is told."""

    words: Callable[[str], Text]
    """How a line, or a component that earned points, is called."""
    measured: Callable[[str, int], Text]
    """A measure and how much of it there is."""
    tie_break: Callable[[Sheet], Text | None] = _nothing_broken
    """The sentence that broke the tie, or did not; nothing if there was none."""
    sort: Callable[[str], str | None] = _stays
    """Into which line of a table with little room the line of a component goes, if not into one of its own."""


def with_told_names(
    sheet: Sheet, box: Mapping[str, Component], printed: Mapping[str, Component], *besides: str
) -> Sheet:
    """The same sheet with the names that somebody told of its components: it is kept, and must read the same.

    `besides` are components that words of the sheet name and no line stands for.
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
    """How a table that was played without us is read and scored."""

    position_of: Callable[..., Any]
    """The position in these plain JSON values (one dict); raises `DataTrouble` with all problems."""
    sheet: Callable[[Any], Sheet]
    """The sheet of a position."""
    schema: Callable[[], dict[str, Any]]
    """A JSON Schema of positions."""
    asked: Callable[..., dict[str, Any]]
    """The plain position of what is known to be each seat's (`Tableaux`), with these variants (a dict of ids); the last
    gives what cannot be seen (`Counter` to int)."""
    between: Callable[[str], bool] = _never
    """Whether a component lies in the middle of the table, so that its place does not tell whose it is."""
    several: Callable[[str], bool] = _never
    """Whether it can be more than one player's there, as a planet is with outposts of two."""
    examples: tuple[dict[str, Any], ...]
    """Positions as people may write them."""
    told: Callable[[dict[str, Any]], Facts] = _nothing_told
    """What of a plain position is printed on components, as it would be taught: kept, it need not be asked again."""
    teachable: bool = False
    """Whether what the owner taught matters to a finished table: `position_of` and `asked` then take it as `taught`."""

    def knowing(self, facts: Facts) -> Positions:
        """The same for a box with these facts."""
        if not self.teachable:
            return self
        return replace(
            self,
            position_of=partial(self.position_of, taught=facts),
            asked=partial(self.asked, taught=facts),
        )


class OutOfTime(Exception):
    """Raised by what a maker of odds calls now and then: there is no more time for exact ones."""


class OddsAnswer(Protocol):
    """Odds, for programs and for people."""

    def plain(self) -> dict[str, Any]:
        """As plain values for JSON."""

    def told(self) -> Iterable[Text]:
        """In sentences."""


class Mismatch(Struct, frozen=True):
    """Where our rules and a log differ."""

    where: str
    what: str
    engine: Any
    log: Any

    def __str__(self) -> str:
        return f"{self.where}: {self.what}: engine {self.engine!r}, log {self.log!r}"


class LogReport(Struct):
    """The outcome of one game of another engine, replayed."""

    game: str
    mismatches: list[Mismatch]
    given: list[Answer] = []
    """What people answered, in order."""
    checks: int = 0

    @property
    def answers(self) -> int:
        """How many answers were given."""
        return len(self.given)


class Highlight(Struct, frozen=True, kw_only=True):
    """A moment of a play by bots worth a picture.

    The bots answer `answers` questions, go on until what is wanted is `reached`, and answer `more` after that.
    """

    scenes: tuple[str, ...]
    """The pictures taken then: a screen's name, perhaps with what is special about it, such as `table-dice`."""
    seats: tuple[str, ...]
    seed: int
    answers: int = 0
    until: Callable[[Session], bool] | None = None
    asks: Callable[[Question], bool] | None = None
    """Wanted of one of the open questions, which is then the one the picture is about."""
    more: int = 0

    def reached(self, session: Session) -> bool:
        """Whether a play has come to what is wanted."""
        asked = self.asks is None or any(map(self.asks, session.questions()))
        return asked and (self.until is None or self.until(session))

    def question(self, session: Session) -> Question:
        """The open question the picture is about."""
        return next(q for q in session.questions() if self.asks is None or self.asks(q))
