"""What the owner of a box taught us: told as JSON, taken over from a file, and everything that could be told."""

from __future__ import annotations

import argparse
from pathlib import Path

from companion.commands.shared import Help, Options, bytes_of, journal, print_json, shower
from companion.core.components import Facts
from companion.core.game import Game, Setup, game
from companion.core.words import Text, count, say
from companion.errors import DONE, DataTrouble


def arguments(parser: argparse.ArgumentParser, t: Help) -> None:
    """What to do with the facts of which game."""
    parser.add_argument("what", choices=("export", "import", "schema"), help=t("binder-what"))
    parser.add_argument("game", help=t("game"))
    parser.add_argument("file", nargs="?", metavar="FILE", help=t("binder-file"))
    parser.add_argument("--insist", action="store_true", help=t("insist"))


def run(options: Options) -> int:
    """Print what was taught, or what could be; or take over a file, all of it or nothing."""
    rules = game(options.game)
    if (options.what == "import") != (options.file is not None):
        raise DataTrouble(say("cli.binder-no-file"))
    if options.what == "schema":
        print_json({"$schema": "https://json-schema.org/draft/2020-12/schema", **rules.schema()})
        return DONE
    data = None if options.file is None else bytes_of(Path(options.file))
    with journal() as (_, binder):
        if data is None:
            print_json(binder.export(rules.id))
            return DONE
        new = binder.import_(rules.id, data, lambda facts: _wrong(rules, facts, options.insist))
    shower(options).say(count("ui.binder-imported", new), "green")
    return DONE


def _wrong(rules: Game, facts: Facts, insist: bool) -> tuple[Text, ...]:
    """What cannot be printed; and unless somebody insists, what contradicts the counts of the rulebook."""
    seats = tuple(str(n) for n in range(rules.box.seats[0]))
    wrong = tuple(rules.bad_facts(facts))
    if wrong or insist:
        return wrong
    setup = rules.complete(Setup(rules.id, seats, {}, facts))
    return tuple(one.told(rules.taught_box(setup)) for one in rules.disagreements(setup))
