"""The way in: where a window will be wanted, it is there before all the rest is loaded."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress

from companion import keeper
from companion.surroundings import own_what_we_make, stand_in_for_closed_streams, stand_somewhere
from companion.ui import start

OPEN_IT = ("resume",)
"""Commands after which nothing can be refused before there is a window."""

LANGUAGE = "--language"


def opens_window(given: Sequence[str], environ: Mapping[str, str]) -> bool:
    """Whether these words open the window and nothing else, so that it may be shown at once."""
    words = [word for word, before in zip(given, ("", *given), strict=False) if before != LANGUAGE]
    known = {"--panel", LANGUAGE}
    options = {word.partition("=")[0] for word in words if word.startswith("-")}
    commands = tuple(word for word in words if not word.startswith("-"))
    return (
        options <= known
        and commands[:1] in ((), OPEN_IT)
        and len(commands) < 2
        and start.has_display(environ)
    )


def main() -> int:
    """Show something, then load everything and do what was asked for."""
    given = sys.argv[1:]
    stand_in_for_closed_streams()
    stand_somewhere()
    own_what_we_make()
    heard = signal.getsignal(signal.SIGINT)
    if heard is signal.default_int_handler:
        # While everything is loaded there is nothing to be saved, and nobody who could answer Ctrl-C in words.
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    if opens_window(given, os.environ) and not start.lacking() and start.answers(os.environ):
        code = keeper.stand_by()
        if code is not None:
            return code
        if keeper.falls:  # it opens where it was by itself
            given = [word for word in given if word not in OPEN_IT]
        with suppress(Exception):  # whatever is wrong with the window is told by whoever opens it in earnest
            from companion.core.store import default_path

            height = start.WITH_PANEL if "--panel" in given else start.HEIGHT
            start.prepare(default_path(os.environ).parent, height=height)
            start.first_frame()
    from companion import cli

    signal.signal(signal.SIGINT, heard)
    return cli.main(given)


if __name__ == "__main__":
    sys.exit(main())
