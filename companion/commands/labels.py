"""A PDF with the labels of a game."""

from __future__ import annotations

import argparse
import sys

from companion.commands.shared import Help, Options, counted_on_terminal, taught
from companion.core.game import game
from companion.core.words import count, say
from companion.errors import DONE, DataTrouble
from companion.texts import render


def arguments(parser: argparse.ArgumentParser, t: Help) -> None:
    """Which game, which size, on which paper, and the output file."""
    parser.add_argument("game", nargs="?", help=t("game"))
    parser.add_argument("--mat", action="store_true", help=t("mat"))
    parser.add_argument("--size", type=float, metavar="MM", help=t("size"))
    parser.add_argument("--paper", help=t("paper"))
    parser.add_argument("--sheet", default="plain", help=t("sheet"))
    parser.add_argument("--only", nargs="+", metavar="ID", help=t("only"))
    parser.add_argument("--out", metavar="FILE.pdf", help=t("out"))


def run(options: Options) -> int:
    """Draw the labels of a game, or the mat, and print where the file is."""
    from companion.recognition.label_sheets import STANDARD_OUTPUT, Wanted, millimetres, write, write_mat

    if options.mat:
        file = write_mat(options.language, options.out)
        said = say("labels.mat-written", file=file)
        print(render(said, options.language), file=sys.stderr if file == STANDARD_OUTPUT else sys.stdout)
        return DONE
    if options.game is None:
        raise DataTrouble(say("labels.which-game"))
    wanted = Wanted(
        game=options.game,
        language=options.language,
        size=options.size,
        paper=options.paper,
        sheet=options.sheet,
        only=options.only,
        out=options.out,
        facts=taught(game(options.game)),
    )
    with counted_on_terminal() as tell:
        written = write(wanted, tell)
    said = count(
        "labels.written",
        written.labels,
        game=written.game,
        size=millimetres(written.size),
        pages=written.pages,
        file=written.file,
    )
    for line in (said, say("labels.print-so", last=written.pages)):
        print(
            render(line, options.language), file=sys.stderr if written.file == STANDARD_OUTPUT else sys.stdout
        )
    return DONE
