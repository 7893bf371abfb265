"""What is told of a play that is over: what decided it, and how the points grew, as a chart and as a table."""

from __future__ import annotations

from rich.table import Table

from companion.core.session import Session
from companion.core.words import say
from companion.drawing.charts import Series, in_letters, table_of
from companion.results.deciding import deciding
from companion.results.growth import growth
from companion.table.marks import marks_for
from companion.terminal.show import Shower
from scoring.sheet import Sheet

BESIDE = 8
"""How many rounds a table has side by side: more go below."""


def tell_afterwards(show: Shower, session: Session, sheet: Sheet) -> None:
    """Print it; a game without points in rounds has no chart."""
    grown = growth(session)
    for text in deciding(sheet, session, grown):
        show.say(text)
    if not grown.rounds:
        return
    names = session.setup.seats
    series = [
        Series(name, grown.of(seat), mark.colour, mark.shape, mark.letter)
        for seat, (name, mark) in enumerate(zip(names, marks_for(list(names)), strict=True))
    ]
    show.say(say("ui.chart-title"), "dim")
    for line in in_letters(series, grown.rounds):
        show.console.print(line, markup=False, highlight=False)
    for first in range(0, len(grown.rounds), BESIDE):
        some = slice(first, first + BESIDE)
        part = [Series(s.name, s.values[some], s.colour, s.shape, s.letter) for s in series]
        heading, *rows = table_of(part, grown.rounds[some])
        table = Table(*heading)
        for row in rows:
            table.add_row(*row)
        show.console.print(table)
