"""Checks the games' files, the journal, and every play in it."""

from __future__ import annotations

import argparse
import os

from companion.commands.shared import Help, Options, journal, names, shower
from companion.core.game import Setup, games
from companion.core.journal import Journal
from companion.core.play import read
from companion.core.repair import repair, verify
from companion.core.sqlite_file import default_path
from companion.core.words import Text, count, say
from companion.errors import DONE, STORAGE, StorageTrouble
from companion.table import settings as settings_file
from companion.terminal.show import Shower


def arguments(parser: argparse.ArgumentParser, t: Help) -> None:
    """Whether to repair what can be repaired."""
    parser.add_argument("--repair", action="store_true", help=t("repair"))


def run(options: Options) -> int:
    """Check the games' files, the journal, and every play in it; print what is wrong."""
    show = shower(options)
    tell_games(show)
    path = default_path(os.environ)
    report = repair(path) if options.repair else verify(path)
    problems, divergences = list(report.problems), list[Text]()
    if not problems or options.repair:
        with journal() as (kept, _):
            unplayable, divergences = unplayable_and_diverged(kept)
        problems += unplayable
    show.say(count("ui.check-journal", report.plays, file=str(path), entries=report.entries))
    for problem in problems:
        show.say(problem, "red")
    if (unread := settings_file.problem(settings_file.settings_path())) is not None:
        show.say(unread, "yellow")
    for divergence in divergences:
        show.say(divergence, "yellow")
    if report.kept is not None:
        show.say(say("ui.check-kept", file=report.kept))
    if problems and not options.repair:
        return STORAGE
    show.say(say("ui.check-fine" if not problems else "ui.check-repaired"), "green")
    return DONE


def tell_games(show: Shower) -> None:
    """Read the files of every game, and print how many components each has."""
    for rules in games().values():
        setup = rules.complete(Setup(rules.id, names(rules.box.seats[0])))
        pieces = len(rules.catalogue(setup, setup.facts).by_id)
        show.say(count("ui.check-game", pieces, game=rules.box.name), "green")


def unplayable_and_diverged(kept: Journal) -> tuple[list[Text], list[Text]]:
    """Plays that are intact but cannot be replayed by this version, and plays from which its rules diverge."""
    unplayable, divergences = list[Text](), list[Text]()
    for row in kept.plays():
        try:
            divergence = read(kept.load(row.id)).divergence
        except StorageTrouble as trouble:
            unplayable.append(trouble.text)
        else:
            if divergence is not None:
                divergences.append(say("ui.check-diverged", play=row.id, what=divergence.text))
    return unplayable, divergences
