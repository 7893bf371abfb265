"""The entry point: if a window is wanted, it shows before everything else is loaded."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress

from companion import window_supervisor
from companion.process_environment import allow_own_access, leave_missing_folder, replace_closed_streams
from companion.ui import start

OPEN_IT = ("resume",)
"""Commands that open the window without any check that could refuse first."""

LANGUAGE = "--language"


def opens_window(given: Sequence[str], environ: Mapping[str, str]) -> bool:
    """Whether these arguments only open the window, so that it may be shown at once."""
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
    """Show the window's first frame if one is wanted, then load everything and run the command."""
    given = sys.argv[1:]
    replace_closed_streams()
    leave_missing_folder()
    allow_own_access()
    heard = signal.getsignal(signal.SIGINT)
    if heard is signal.default_int_handler:
        # While loading there is nothing to save, and nothing that could answer Ctrl-C with a message.
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    if opens_window(given, os.environ) and not start.lacking() and start.answers(os.environ):
        code = window_supervisor.supervise()
        if code is not None:
            return code
        if window_supervisor.crashes:  # after a crash it reopens where it was anyway
            given = [word for word in given if word not in OPEN_IT]
        with suppress(Exception):  # real problems with the window are reported when it is opened properly
            from companion.core.sqlite_file import default_path

            height = start.WITH_PANEL if "--panel" in given else start.HEIGHT
            start.prepare(default_path(os.environ).parent, height=height)
            start.first_frame()
    from companion import cli

    signal.signal(signal.SIGINT, heard)
    return cli.main(given)


if __name__ == "__main__":
    sys.exit(main())
