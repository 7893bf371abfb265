"""Takes pictures of every screen and lists their faults."""

from __future__ import annotations

import argparse
from pathlib import Path

from companion.commands.shared import Help, Options
from companion.core.files import why
from companion.core.game import showcase
from companion.core.words import count, plain, say
from companion.errors import BAD_INPUT, DONE, NotNow, StorageTrouble, Unknown
from companion.texts import render
from companion.ui import start


def arguments(parser: argparse.ArgumentParser, t: Help) -> None:
    """The output folder, and which scenes."""
    parser.add_argument("--out", required=True, metavar="DIR", help=t("shots-out"))
    parser.add_argument("--only", nargs="+", default=[], metavar="NAME", help=t("shots-only"))


def run(options: Options) -> int:
    """Take pictures of every screen and print their faults."""
    if packages := " ".join(start.lacking()):
        raise NotNow(say("ui.no-window", packages=packages, game=showcase().id))
    from workshop.screens import shots as pictures
    from workshop.screens import staging

    for name in options.only:
        if not staging.scenes([name]):
            raise Unknown(say("ui.no-such-shot", name=name, known=tuple(plain(s) for s in staging.scenes())))
    try:
        Path(options.out).mkdir(parents=True, exist_ok=True)
    except OSError as e:
        raise StorageTrouble(say("panel.cannot-write", file=options.out, why=why(e))) from e
    taken, wrong = pictures.take(Path(options.out), staging.scenes(options.only))
    for problem in wrong:
        print(problem)
    print(render(count("ui.shots-taken", taken, folder=options.out, wrong=len(wrong)), options.language))
    return BAD_INPUT if wrong else DONE
