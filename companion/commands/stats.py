"""Statistics over all plays, as text, JSON, tables or a chart."""

from __future__ import annotations

import argparse

from rich.table import Table

from companion.commands.shared import (
    Help,
    Options,
    counted_on_terminal,
    journal,
    print_json,
    shower,
    write_text,
)
from companion.core.game import boxes
from companion.core.play import game_name
from companion.core.words import count, decimal, plain, say
from companion.drawing.charts import ChartBar, Ink, bars, bars_in_letters
from companion.drawing.svg import measured, svg
from companion.errors import DONE, DataTrouble
from companion.results import bgstats, exports
from companion.results.evenings import FEW, MARKS, Evening, Figures, chosen, evenings, figures
from companion.table.marks import marks_for
from companion.texts import fold, render, written_time

FORMS = ("text", "json", "csv", "lines", "schema", "svg", "bgsplay")


def arguments(parser: argparse.ArgumentParser, t: Help) -> None:
    """Which plays, and in which form."""
    parser.add_argument("--game", default="", help=t("stats-game"))
    parser.add_argument("--person", default="", help=t("stats-person"))
    parser.add_argument("--seats", dest="number", type=int, default=0, help=t("stats-seats"))
    parser.add_argument("--find", default="", help=t("stats-find"))
    parser.add_argument("--format", choices=FORMS, default="text", help=t("stats-format"))
    parser.add_argument("--output", default="-", help=t("stats-output"))


def run(options: Options) -> int:
    """Print figures of the chosen plays."""
    show = shower(options)
    if options.format == "schema":
        print_json(exports.schema())
        return DONE
    with journal() as (kept, _), counted_on_terminal() as tell:
        all_plays = sum(kept.played().values())
        every = evenings(kept, lambda read: tell(read, all_plays))
        names = {row.game: game_name(kept, row) for row in kept.plays()}
    names |= {id: box.name for id, box in boxes().items()}
    game = _game(options.game, names, every)
    those = chosen(every, game, options.person, options.number, options.find)
    if options.format in ("csv", "lines"):
        made = exports.csv_of_seats if options.format == "csv" else exports.csv_of_lines
        write_text(options.output, made(those, names))
    elif options.format == "json":
        print_json(exports.as_json(those, names))
    elif options.format == "bgsplay":
        print_json(bgstats.file(those, names))
    else:
        found = figures(those)
        rows = _bars(found, options.language)
        if options.format == "svg":
            ink = Ink(measured)
            write_text(options.output, svg(bars(rows, 640, ink), ink.ground))
            return DONE
        show.say(count("ui.plays-in-all", found.results))
        for mark in MARKS:
            if found.marks.get(mark):
                show.say(say("ui.stats-marked", mark=say(f"ui.mark-{mark}"), n=found.marks[mark]))
        if found.results and not found.comparable:
            show.say(say("ui.stats-mixed"))
        elif found.results < FEW:
            show.say(say("ui.stats-few", n=FEW))
        for line in bars_in_letters(rows):
            show.console.print(line, markup=False, highlight=False)
        if found.results < FEW:
            for one in those:
                show.console.print(_line(one, names), markup=False, highlight=False)
        elif len(found.people) > 1:
            show.console.print(_pairs(found))
    return DONE


def _game(word: str, names: dict[str, str], every: tuple[Evening, ...]) -> str:
    """The id of the game a word means; raises `DataTrouble` if it was never played."""
    ids = {one.game for one in every}
    meant = [id for id in (*ids, *names) if fold(word) in (fold(id), fold(names.get(id, id)))]
    if word and not meant:
        raise DataTrouble(
            say("score.unknown-game", game=word, known=tuple(map(plain, sorted(ids | set(names)))))
        )
    return meant[0] if word else ""


def _bars(found: Figures, language: str) -> list[ChartBar]:
    people = found.people[:6]
    rows = []
    for person, mark in zip(people, marks_for([p.name for p in people]), strict=True):
        average = found.average(person)
        strong = "" if average is None else render(decimal(average), language)
        of = render(say("ui.stats-of", n=person.plays), language)
        rows.append(ChartBar(person.name, person.wins, mark.colour, mark.shape, mark.letter, of, strong))
    return rows


def _line(one: Evening, names: dict[str, str]) -> str:
    seats = ", ".join(
        f"{seat.rank or '–'}. {seat.name} {'' if seat.points is None else seat.points}".strip()
        for seat in sorted(one.seats, key=lambda seat: seat.rank)
    )
    return f"{one.id:>5}  {written_time(one.at, '%Y-%m-%d')}  {names.get(one.game, one.game)}: {seats}"


def _pairs(found: Figures) -> Table:
    """How often each person was ahead of and behind each other."""
    table = Table()
    people = [person.name for person in found.people[:6]]
    for name in ("", *people):
        table.add_column(name)
    for name in people:
        met = [found.pair(name, other) for other in people]
        table.add_row(name, *(f"{pair.ahead}:{pair.behind}" if pair.plays else "" for pair in met))
    return table
