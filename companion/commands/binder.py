"""The binder of a game: how complete it is, export to a file, and import or merge of other people's files."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

import msgspec
from rich.table import Table
from rich.text import Text as Styled

from companion.commands.shared import Help, Options, bytes_of, journal, print_json, shower, write_text
from companion.core.binder import Taught, box_schema, file_name, newest, read_box, values
from companion.core.box_merge import Conflict, Merge, compare, possible, take_over
from companion.core.components import Component, taught_names
from companion.core.game import Game, game
from companion.core.words import Text, count, plain, say
from companion.errors import BAD_INPUT, DONE, DataTrouble
from companion.terminal.asking import fitting, line
from companion.terminal.show import Shower
from companion.texts import capital, render

OTHERS = ("import", "merge")
"""Actions that read other people's files."""


def arguments(parser: argparse.ArgumentParser, t: Help) -> None:
    """The action, and the game."""
    parser.add_argument("what", choices=("check", "export", *OTHERS, "schema"), help=t("binder-what"))
    parser.add_argument("game", help=t("game"))
    parser.add_argument("file", nargs="?", metavar="FILE", help=t("binder-file"))
    whose = parser.add_mutually_exclusive_group()
    whose.add_argument("--ours", action="store_true", help=t("binder-ours"))
    whose.add_argument("--theirs", action="store_true", help=t("binder-theirs"))
    parser.add_argument("--dry-run", action="store_true", help=t("binder-dry-run"))
    parser.add_argument("--insist", action="store_true", help=t("insist"))


def run(options: Options) -> int:
    """Print what was taught or could be; report how complete it is; or take over a file, either all of it or
    nothing."""
    rules = game(options.game)
    if (options.what in OTHERS) != (options.file is not None) and options.what != "export":
        raise DataTrouble(say("cli.binder-no-file"))
    if options.what != "merge" and (options.ours or options.theirs or options.dry_run):
        raise DataTrouble(say("cli.binder-only-merge"))
    match options.what:
        case "schema":
            print_json(box_schema(rules.id, rules.schema()["properties"]))
            return DONE
        case "check":
            return _check(rules, shower(options))
        case "export":
            return _export(rules, options)
    told = read_box(bytes_of(Path(options.file)), rules.id)
    return _merge(rules, told, options) if options.what == "merge" else _import(rules, told, options)


def _check(rules: Game, show: Shower) -> int:
    """Report how much was taught and what cannot be right; the exit code says whether anything cannot."""
    with journal() as (_, binder):
        latest = binder.latest(rules.id)
    setup = rules.usual_setup(values(latest.values()))
    box = rules.taught_box(setup)
    for found in rules.progress(setup):
        show.say(plain(capital(show.words(found.words))), "yellow" if found.disagreeing else "")
    wrong = (
        *rules.bad_facts(setup.facts),
        *(found.sentence(box) for found in rules.disagreements(setup, newest(latest.values()))),
    )
    for problem in wrong:
        show.say(problem, "red")
    if wrong:
        return BAD_INPUT
    show.say(say("binder.fine" if rules.census(setup) else "binder.not-counted"), "green")
    return DONE


def _export(rules: Game, options: Options) -> int:
    with journal() as (_, binder):
        sheet = binder.export(rules.id)
    if options.file is None:
        print_json(sheet)
        return DONE
    file = Path(options.file)
    file = file / file_name(rules.id) if os.path.isdir(file) else file
    if os.path.exists(file):
        raise DataTrouble(say("binder.is-there", file=str(file)))
    write_text(str(file), msgspec.json.format(msgspec.json.encode(sheet), indent=2).decode() + "\n")
    shower(options).say(count("binder.written", len(sheet["facts"]), file=str(file)), "green")
    return DONE


def _import(rules: Game, told: tuple[Taught, ...], options: Options) -> int:
    """Take over the whole file; where it differs from our binder, the file wins."""
    with journal() as (_, binder):
        new = take_over(binder, rules, told, options.insist)
    shower(options).say(count("ui.binder-imported", new), "green")
    return DONE


def _merge(rules: Game, told: tuple[Taught, ...], options: Options) -> int:
    """Take over facts that only the file has; where it differs from our binder, people decide."""
    show = shower(options)
    with journal() as (_, binder):
        merge = compare(binder.latest(rules.id), possible(rules, told))
        show.say(count("binder.merge-new", len(merge.new)))
        show.say(count("binder.merge-same", len(merge.same)))
        show.say(count("binder.merge-conflicts", len(merge.conflicts)))
        box = taught_names(rules.every_component(), rules.usable(rules.usual_setup(), binder.facts(rules.id)))
        if options.dry_run:
            _side_by_side(rules, box, merge.conflicts, show)
            return DONE
        theirs = _decided(rules, box, merge, options, show)
        new = take_over(binder, rules, merge.taken(theirs), options.insist)
    show.say(count("ui.binder-imported", new), "green")
    return DONE


def _decided(
    rules: Game, box: dict[str, Component], merge: Merge, options: Options, show: Shower
) -> set[str]:
    """The conflicts in which the file wins; asked one by one, unless one choice was given for all."""
    keys = {conflict.key for conflict in merge.conflicts}
    if options.ours or not keys:
        return set()
    if options.theirs:
        return keys
    if not sys.stdin.isatty():
        _side_by_side(rules, box, merge.conflicts, show)
        raise DataTrouble(say("binder.undecided"))
    theirs = set()
    for conflict in merge.conflicts:
        _side_by_side(rules, box, (conflict,), show)
        if _asked(options.language):
            theirs.add(conflict.key)
    return theirs


def _asked(language: str) -> bool:
    """Ask whether the file's value is to be used."""
    named = [(False, say("binder.ours")), (True, say("binder.theirs"))]
    while True:
        said = line(say("binder.whose"), language)
        found = fitting(named, said, language)
        if len(found) == 1:
            return found[0]
        print(render(say("see.one-of-these"), language), file=sys.stderr)


def _side_by_side(
    rules: Game, box: dict[str, Component], conflicts: tuple[Conflict, ...], show: Shower
) -> None:
    """Print both values of each conflict, with who said so and when."""
    if not conflicts:
        return
    table = Table(box=None, padding=(0, 2))
    table.add_column("")
    table.add_column(Styled(show.words(say("binder.ours"))))
    table.add_column(Styled(show.words(say("binder.theirs"))))
    for conflict in conflicts:
        component, field = box[conflict.ours.component], conflict.ours.field
        row = next(row for row in rules.rows(component) if row.field == field)
        what = show.words(say("binder.fact", component=component.called, field=row.text))
        ours, theirs = (_said(rules, said, show) for said in (conflict.ours, conflict.theirs))
        table.add_row(Styled(what, "bold"), ours, theirs)
    show.console.print(table)


def _said(rules: Game, said: Taught, show: Shower) -> Styled:
    assert said.value is not None
    component = rules.every_component()[said.component]
    told: Text = rules.fact_text(component, said.field, said.value)
    return Styled(show.words(told)).append(f"\n{show.words(said.source)}", "dim")
