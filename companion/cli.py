"""The command line: `companion COMMAND`. Exit codes: 0 done, 1 a bug, 2 bad input, 3 storage, 4 device."""

from __future__ import annotations

import argparse
import errno
import os
import re
import sys
import time
import traceback
from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime
from importlib import import_module
from importlib.util import find_spec
from typing import Any, NamedTuple, cast

from companion.commands.shared import Command, can_open_window, window
from companion.core.game import showcase
from companion.core.words import Text, say
from companion.errors import BAD_INPUT, BUG, DEVICE, DONE, STORAGE, DataTrouble, Trouble
from companion.process_environment import allow_own_access, leave_missing_folder, replace_closed_streams
from companion.recognition.camera_troubles import trouble_text
from companion.texts import LANGUAGES, our_name, render, shown, usual_language
from devices import DeviceTrouble
from vision import BadSource, CameraTrouble


class Tools(NamedTuple):
    """A set of commands: each is a module of a package, loaded only when it is called."""

    package: str
    commands: tuple[str, ...]
    about: str
    """The slug of the first sentence of the help."""


COMMANDS = (
    "play",
    "demo",
    "score",
    "odds",
    "flow",
    "labels",
    "faces",
    "scan",
    "sweep",
    "camera",
    "wiring",
    "devices",
    "plays",
    "stats",
    "resume",
    "replay",
    "export",
    "binder",
    "hall",
    "hall-table",
    "check",
    "selftest",
)
PRODUCT = Tools("companion.commands", COMMANDS, "about")

DEVELOPERS = {
    "bots": "bots",
    "shots": "shots",
    "watch": "watch",
    "replay-log": "replay-log",
    "torture": "faults",
}
"""Commands that moved to the developers' tools, and their names there. The old names still work for a while."""


def main(arguments: Sequence[str] | None = None, tools: Tools = PRODUCT) -> int:
    """Run one command of these tools and return its exit code."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    _know_the_time()
    language = _language(given)
    replace_closed_streams()
    leave_missing_folder()
    allow_own_access()
    _speak_utf8()
    try:
        return _run(given, language, tools)
    except Trouble as trouble:
        return _tell(trouble, language)
    except CameraTrouble as trouble:
        _complain(render(trouble_text(trouble), language))
        return BAD_INPUT if isinstance(trouble, BadSource) else DEVICE
    except DeviceTrouble as trouble:
        _complain(str(trouble))
        return DEVICE
    except (KeyboardInterrupt, EOFError):
        _complain("")
        return DONE
    except BrokenPipeError:
        _say_no_more()
        return DONE
    except Exception as e:  # the last line of defence: the person always gets a sentence
        if isinstance(e, OSError) and e.errno in UNWRITTEN:
            _say_no_more()
            _complain(render(say(UNWRITTEN[e.errno]), language))
            return STORAGE
        if isinstance(e, OSError) and e.errno in (errno.EMFILE, errno.ENFILE):
            _complain(TOO_MANY_OPEN[language])
            return STORAGE
        _complain(render(say("cli.bug"), language))
        _complain(traceback.format_exc())
        return BUG


REFUSALS = {
    "expected one argument": "cli.one-word",
    "expected at least one argument": "cli.some-words",
    "unrecognized arguments: %s": "cli.unknown-words",
    "the following arguments are required: %s": "cli.missing-words",
    "not allowed with argument %s": "cli.not-with",
    "ignored explicit argument %r": "cli.no-value",
    "invalid choice: %(value)r (choose from %(choices)s)": "cli.no-choice",
    "invalid %(type)s value: %(value)r": "cli.no-number",
}
"""argparse's error messages, as it looks them up for translation, and our slugs."""

TOO_MANY_OPEN = {
    "en": "This program may open no more files. Close others, or allow more (ulimit -n), and try again.",
    "pl": "Program nie może otworzyć więcej plików. Zamknij inne albo zwiększ limit (ulimit -n) i spróbuj ponownie.",
}
"""Written here because the catalogues are files, which cannot be opened then."""

UNWRITTEN = {errno.ENOSPC: "cli.output-full", errno.EBADF: "cli.output-closed"}
"""The message if our output cannot be written."""


def _run(given: list[str], language: str, tools: Tools) -> int:
    """Run the command; all output is flushed when this returns."""
    moved = next((word for word in given if not word.startswith("-") and word not in LANGUAGES), "")
    if tools is PRODUCT and moved in DEVELOPERS:
        return _developers_tool(given, moved, language)
    try:
        options = _parser(language, given, tools).parse_args(given)
        options.asked = language if any(word.startswith("--language") for word in given) else None
        code: int = options.run(options) if options.run else _open(options, tools)
    finally:  # also after the help, which ends by an exception
        sys.stdout.flush()
    return code


def _developers_tool(given: list[str], word: str, language: str) -> int:
    """Run a command that moved, if the developers' tools are present: an installed companion lacks them."""
    now = DEVELOPERS[word]
    _complain(render(say("cli.developers-tool", word=word, now=now), language))
    if find_spec("workshop") is None:
        return BAD_INPUT
    code: int = import_module("workshop.__main__").main([now if w == word else w for w in given])
    return code


def _complain(words: str) -> None:
    """Print a line to stderr, shortening words of 300 letters or more; if that fails, the exit code still tells."""
    with suppress(OSError):
        print(
            re.sub(r"\S{300,}", lambda word: f"{word[0][:100]}...", shown(words)), file=sys.stderr, flush=True
        )


def _know_the_time() -> None:
    """An invalid time zone, in `TZ` or of the system, must not stop us: use UTC then."""
    try:
        datetime.now().astimezone()
        import babel.localtime  # noqa: F401  what our sentences are read with has a look of its own
    except (ValueError, OverflowError, LookupError, OSError):
        os.environ["TZ"] = "UTC"
        time.tzset()


def _say_no_more() -> None:
    """The reader of our output is gone, or the disk is full: write nothing more, not even when Python flushes
    at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _tell(trouble: Trouble, language: str) -> int:
    _complain(render(trouble.text, language))
    for problem in trouble.problems if isinstance(trouble, DataTrouble) else ():
        if problem is not trouble.text:
            _complain(f"- {render(problem, language)}")
    return trouble.exit_code


def _speak_utf8() -> None:
    """A terminal that claims to support only ASCII must not make us crash on a Polish name."""
    for stream in (sys.stdout, sys.stderr, sys.stdin):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="replace")


def _language(given: list[str]) -> str:
    """The requested language, found before parsing because the help itself is translated."""
    for n, word in enumerate(given):
        value = word.partition("=")[2] if word.startswith("--language=") else ""
        if word == "--language" and n + 1 < len(given):
            value = given[n + 1]
        if value in LANGUAGES:
            return value
    return usual_language()


def _open(options: argparse.Namespace, tools: Tools) -> int:
    """Open the window, or print the help if there can be none."""
    if tools is PRODUCT and can_open_window(options):
        return window(options)
    _parser(options.language, (), tools).print_help()
    return DONE


class _Parser(argparse.ArgumentParser):
    language = "en"

    def __init__(self, **options: Any) -> None:
        super().__init__(**options, allow_abbrev=False)  # an abbreviation would be understood only here

    def _print_message(self, message: str, file: Any = None) -> None:
        """As in argparse, but errors while writing help to stdout are not hidden."""
        if file is sys.stdout:
            file.write(message)
        else:
            _complain(message.rstrip("\n"))

    def error(self, message: str) -> None:  # type: ignore[override]
        self.print_usage(sys.stderr)
        # Some versions of argparse do not look this word up for translation.
        where = re.sub("^argument (?=[^:]+: )", "", message)
        _complain(f"{render(say('cli.bad-words'), self.language)} {where}")
        raise SystemExit(BAD_INPUT)


class _Version(argparse.Action):
    """Prints our version and ends."""

    def __call__(self, parser: argparse.ArgumentParser, *_: Any) -> None:
        versions = import_module("companion.table.diagnostics").versions()
        print(parser.prog, versions["tabletop-companion"])
        parser.exit(DONE)


def _parser(language: str, given: Sequence[str], tools: Tools) -> argparse.ArgumentParser:
    """The parser of all commands; only commands among `given` are loaded and get their arguments."""
    shown = showcase()
    examples = {
        "game": shown.id,
        "variants": ", ".join(f"{variant.id}={variant.values[-1]}" for variant in shown.variants),
    }

    def t(words: str | Text) -> str:
        text = words if isinstance(words, Text) else say(f"cli.{words}", **examples)
        # argparse formats help texts with %, so a per cent sign must be doubled.
        return render(text, language).replace("%", "%%")

    words = {
        "usage: ": t("usage"),
        "options": t("options"),
        "positional arguments": t("positional"),
        "show this help message and exit": t("show-help"),
        **{theirs: render(say(ours), language) for theirs, ours in REFUSALS.items()},
    }
    # argparse translates its own words by this function of its module, meant for gettext.
    vars(argparse)["_"] = lambda text: words.get(text, text)
    parser = _Parser(prog=our_name(), description=t(tools.about))
    _Parser.language = language
    parser.set_defaults(run=None, text=False, language=language, clock=time.time)
    if tools is PRODUCT:
        parser.add_argument("--panel", action="store_true", help=t("panel"))
        parser.add_argument("--phones", action="store_true", help=t("phones"))
        parser.add_argument("--version", action=_Version, nargs=0, help=t("show-version"))
    parser.add_argument("--language", choices=LANGUAGES, default=language, help=t("language"))
    subparsers = parser.add_subparsers(title=t("commands"), metavar=t("COMMAND"))

    for name in tools.commands:
        made = subparsers.add_parser(name, help=t(name), description=t(name))
        made.add_argument("--language", choices=LANGUAGES, default=argparse.SUPPRESS, help=t("language"))
        if name in given:
            command = _command(tools.package, name)
            made.set_defaults(run=command.run)
            command.arguments(made, t)
    return parser


def _command(package: str, name: str) -> Command:
    module: Any = import_module(f"{package}.{name.replace('-', '_')}")
    return cast(Command, module)


if __name__ == "__main__":
    sys.exit(main())
