"""The result of a play as phones show it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from companion.results.sheets import gathered, reasons, sheet_words
from companion.results.winning_margin import decided
from companion.texts import render
from scoring.sheet import Sheet


def sheet_part(sheet: Sheet, names: Sequence[str], language: str) -> dict[str, Any]:
    """The result: a row of points for each source, a column for each seat by rank, and every reason."""
    of, seats = sheet_words(sheet), sorted(sheet.seats, key=lambda seat: seat.rank)
    short = {seat.name: {line.what: line.points for line in seat.lines} for seat in gathered(sheet).seats}
    sources = dict.fromkeys(what for seat in seats for what in short[seat.name])
    why = decided(sheet)
    return {
        "order": [names.index(seat.name) for seat in seats],
        "totals": [seat.total for seat in seats],
        "ranks": [seat.rank for seat in seats],
        "winners": list(sheet.winners),
        "decided": "" if why is None else render(why, language),
        "rows": [
            [render(of.words(what), language), *(short[seat.name].get(what) for seat in seats)]
            for what in sources
        ],
        "reasons": [
            [
                [
                    f"{render(of.words(line.what), language)}: {line.points}",
                    *(f"{points:+d} {render(text, language)}" for points, text in reasons(line, of)),
                ]
                for line in seat.lines
            ]
            for seat in seats
        ],
    }
