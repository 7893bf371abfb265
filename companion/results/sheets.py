"""Score-only mode: reads positions of finished tables, writes explained sheets."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import IO, Any

from msgspec.structs import replace
from rich.columns import Columns
from rich.table import Table
from rich.text import Text as Shown

from companion.core.components import Facts
from companion.core.flow.score import plain_sheet_words
from companion.core.game import Game, full_game, games
from companion.core.parts import Positions, SheetWords
from companion.core.positions import parse, quoted
from companion.core.words import Text, named, plain, renamed, say
from companion.errors import DataTrouble, Unknown
from companion.results.name_lookup import spoken
from companion.results.output import Output
from companion.texts import render
from scoring.sheet import Line, SeatSheet, Sheet

TaughtFacts = Callable[[Game], Facts]
"""Returns what the owner of a box taught about it."""


def nothing_taught(rules: Game) -> Facts:
    """A box without taught facts."""
    return {}


def score_position(data: bytes, taught: TaughtFacts = nothing_taught) -> Sheet:
    """The sheet of the position in this JSON, of any game."""
    raw = parse(data)
    id = raw.get("game")
    if not isinstance(id, str):
        raise DataTrouble(say("score.no-game", known=_scored()))
    of = positions_of(id, taught)
    return of.sheet(of.position_of(raw))


def positions_of(id: str, taught: TaughtFacts = nothing_taught) -> Positions:
    """The scoring of finished tables of the game with this id; raises `Trouble` if it has none."""
    if id not in games():
        raise Unknown(say("score.unknown-game", game=quoted(id), known=_scored()))
    return positions(games()[id], taught)


def positions(rules: Game, taught: TaughtFacts = nothing_taught) -> Positions:
    """A game's scoring of finished tables; raises `DataTrouble` if it has none."""
    of = rules.positions
    if of is None:
        raise DataTrouble(say("score.no-positions", game=rules.box.name, known=_scored()))
    facts = taught(rules)
    return spoken(rules, of.knowing(facts), facts)


def sheet_words(sheet: Sheet) -> SheetWords:
    """The words for the sheet of any game, also of one not offered to players; with the names people gave."""
    full = full_game(sheet.game)
    of = plain_sheet_words() if full is None else full.sheet_words

    def words(what: str) -> Text:
        names = sheet.names.get(what)
        if names is None:
            return renamed(of.words(what), sheet.names)
        return plain(names) if isinstance(names, str) else named(what, names)

    def measured(measure: str, n: int) -> Text:
        return renamed(of.measured(measure, n), sheet.names)

    return replace(of, words=words, measured=measured) if sheet.names else of


def _scored() -> tuple[Text, ...]:
    return tuple(plain(id) for id, rules in games().items() if rules.positions is not None)


def result(sheet: Sheet, language: str) -> dict[str, Any]:
    """A sheet as plain values for JSON."""
    tie = sheet_words(sheet).tie_break(sheet)
    return {
        "game": sheet.game,
        "seats": [
            {
                "name": seat.name,
                "total": seat.total,
                "rank": seat.rank,
                "lines": [_line(line) for line in seat.lines],
            }
            for seat in sheet.seats
        ],
        "winners": sheet.winners,
        "tie_break": tie and render(tie, language),
    }


def _line(line: Line) -> dict[str, Any]:
    plain_line: dict[str, Any] = {"what": line.what, "points": line.points, "because": line.because}
    return plain_line | {"measures": line.measures} if line.measures else plain_line


def print_sheet(sheet: Sheet, language: str, out: IO[str], *, final: bool = True) -> None:
    """Print a sheet: each seat's points with their reasons, the places and, if it is `final`, who won."""
    of = sheet_words(sheet)
    console = Output(out)
    seats = sorted(sheet.seats, key=lambda seat: seat.rank)
    console.print(Columns([_block(seat, of, language) for seat in seats], padding=(1, 4)))
    console.print()
    places = Table.grid(padding=(0, 2))
    for seat in seats:
        style = "bold" if seat.rank == 1 else ""
        places.add_row(f"{seat.rank}.", Shown(seat.name), str(seat.total), style=style)
    console.print(places)
    counted = any(seat.lines for seat in sheet.seats)
    if final or not counted:
        winner = say("score.winner", winner=", ".join(sheet.winners))
        told = of.tie_break(sheet) or (winner if counted else say("score.uncounted"))
        console.print(Shown(render(told, language), "bold"))


def _block(seat: SeatSheet, of: SheetWords, language: str) -> Table:
    block = Table(box=None, padding=(0, 1), show_header=False, show_footer=False, min_width=32)
    block.title, block.title_justify = Shown(f"{seat.rank}. {seat.name}", "bold"), "left"
    block.add_column()
    block.add_column(justify="right")
    for line in seat.lines:
        block.add_row(Shown(render(of.words(line.what), language)), str(line.points))
        for points, words in reasons(line, of):
            block.add_row(Shown(f"  {points:2} {render(words, language)}", "dim"))
    block.add_row(Shown(render(say("score.total"), language), "bold"), Shown(str(seat.total), "bold"))
    return block


def gathered(sheet: Sheet) -> Sheet:
    """The same sheet with the lines of similar components added up, to fit a table of all seats."""
    sort = sheet_words(sheet).sort
    seats = []
    for seat in sheet.seats:
        lines: dict[str, Line] = {}
        for line in seat.lines:
            what = sort(line.what) or line.what
            before = lines.get(what, Line(what, 0))
            if what == line.what:
                lines[what] = line
            else:
                because = {**before.because, line.what: line.points}
                lines[what] = Line(what, before.points + line.points, because)
        seats.append(replace(seat, lines=tuple(lines.values())))
    return replace(sheet, seats=tuple(seats))


def reasons(line: Line, of: SheetWords) -> Iterator[tuple[int, Text]]:
    """What a line consists of, unless it is self-explanatory."""
    if line.because == {line.what: line.points} or line.measures == {line.what: line.points}:
        return
    for component, points in line.because.items():
        yield points, of.words(component)
    measured = tuple(of.measured(measure, n) for measure, n in line.measures.items())
    if measured:
        rest = line.points - sum(line.because.values())
        yield rest, measured[0] if len(measured) == 1 else say("core.together", parts=measured)
