"""Shared by several commands: the window, the journal, players' names, variants."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import msgspec

from companion import window_supervisor
from companion.core import files
from companion.core.binder import Binder
from companion.core.components import Catalogue, Facts
from companion.core.game import Game, boxes, showcase
from companion.core.journal import Journal
from companion.core.positions import quoted
from companion.core.progress import GoOn
from companion.core.sqlite_file import default_path
from companion.core.store import Store
from companion.core.words import Text, say
from companion.errors import DataTrouble, StorageTrouble
from companion.results.output import Output
from companion.terminal.show import Shower
from companion.texts import render
from companion.ui import start

if TYPE_CHECKING:
    from companion.app import CompanionApp

Options = argparse.Namespace
NAMES = ("Ania", "Bartek", "Celina", "Darek", "Ewa", "Filip")


class Help(Protocol):
    """Looks up the text of a command's help, in the reader's language, by one of the command's slugs or as a
    sentence."""

    def __call__(self, words: str | Text) -> str: ...


class Command(Protocol):
    """What every command module in this folder provides."""

    def arguments(self, parser: argparse.ArgumentParser, t: Help) -> None:
        """Add its command-line arguments."""

    def run(self, options: Options) -> int:
        """Run it; returns the exit code."""


@contextmanager
def counted_on_terminal() -> Iterator[GoOn]:
    """Shows on the terminal how far long work is; Ctrl-C stops it. Nothing if the output is no terminal."""
    shown = sys.stderr.isatty()

    def go_on(done: int, total: int) -> bool:
        if shown:
            print(f"\r{done} / {total} ", end="", file=sys.stderr, flush=True)
        return True

    try:
        yield go_on
    finally:
        if shown:
            print("\r\033[K", end="", file=sys.stderr, flush=True)


def variants_argument(parser: argparse.ArgumentParser, t: Help) -> None:
    """Add `--with VARIANT=VALUE`, which may be repeated, and every game's shorthands (`--advanced`)."""
    parser.add_argument(
        "--with", dest="choices", action="append", default=[], metavar="VARIANT=VALUE", help=t("with")
    )
    for flag, text in _flags().items():
        parser.add_argument(
            f"--{flag}", dest="flags", action="append_const", const=flag, default=[], help=t(text)
        )


def _flags() -> dict[str, Text]:
    """Every shorthand some game declares, with its help for each game that has it."""
    found: dict[str, Text] = {}
    for box in boxes().values():
        for flag in box.flags:
            here = say("cli.flag-of", game=box.name, what=box.flag_text(flag))
            found[flag] = say("cli.flags-of", one=found[flag], other=here) if flag in found else here
    return found


def panel_argument(parser: argparse.ArgumentParser, t: Help) -> None:
    """Add `--panel` and `--phones`, which may also come before the command."""
    parser.add_argument("--panel", action="store_true", default=argparse.SUPPRESS, help=t("panel"))
    parser.add_argument("--phones", action="store_true", default=argparse.SUPPRESS, help=t("phones"))


def can_open_window(options: Options) -> bool:
    """Whether there is a display and text mode was not asked for; prints what a window lacks here."""
    if options.text or not start.has_display(os.environ):
        return False
    if packages := " ".join(start.lacking()):
        print(
            render(say("ui.no-window", packages=packages, game=showcase().id), options.language),
            file=sys.stderr,
        )
        return False
    if not start.answers(os.environ):
        words = say("ui.no-answer", display=os.environ["DISPLAY"], game=showcase().id)
        print(render(words, options.language), file=sys.stderr)
        return False
    return True


def window(options: Options, first: Callable[[CompanionApp], Any] | None = None) -> int:
    """Run the window until it is closed; if it crashes, it restarts where it was."""
    code = window_supervisor.supervise()
    if code is not None:
        return code
    if window_supervisor.crashes:
        first = None
    os.umask(0o077)  # files that libraries write next to ours are private to their owner, too
    start.prepare(default_path(os.environ).parent, height=start.WITH_PANEL if options.panel else start.HEIGHT)
    from companion import app

    def demonstrate(app: CompanionApp, game: Game) -> None:
        # It draws what a camera would see, so it is loaded only on request.
        from companion.ui.demo import demo

        demo.inside(app, game)

    camera = getattr(options, "camera", None)
    return app.run(first, options.asked, options.panel, camera, demonstrate, options.phones)


def seats_of(options: Options, rules: Game) -> tuple[str, ...]:
    """The players' names: as given, otherwise asked for."""
    named = options.seats
    if named is None:
        low, high = str(rules.box.seats[0]), str(rules.box.seats[-1])
        named = input(render(say("ui.ask-seats", low=low, high=high), options.language) + " ")
    return tuple(name.strip() for name in named.split(",") if name.strip())


def choices(options: Options, rules: Game) -> dict[str, str]:
    """The variants chosen by VARIANT=VALUE words and shorthands; raises `DataTrouble` for a shorthand this
    game lacks."""
    found = {}
    for choice in options.choices:
        variant, equals, value = choice.partition("=")
        if not equals:
            raise DataTrouble(say("cli.bad-choice", choice=choice))
        found[variant] = value
    for flag in options.flags:
        if flag not in rules.box.flags:
            raise DataTrouble(say("cli.no-such-flag", flag=f"--{flag}", game=rules.box.name))
    return found | rules.box.flagged(options.flags)


def names(players: int) -> tuple[str, ...]:
    """Names for this many bots."""
    return tuple(NAMES[n] if n < len(NAMES) else f"{n + 1}" for n in range(min(players, 99)))


@contextmanager
def journal() -> Iterator[tuple[Journal, Binder]]:
    """The journal and the binder in their usual place."""
    with Store(default_path(os.environ)) as store:
        yield Journal(store), Binder(store)


def taught(rules: Game) -> Facts:
    """The owner's facts about a box, as far as the box has a place for them; empty if nothing was ever stored."""
    with journal() as (_, binder):
        return rules.usable(rules.usual_setup(), binder.facts(rules.id))


def taught_box(rules: Game) -> Catalogue[Any]:
    """The usual box with the owner's facts."""
    return rules.taught_box(rules.usual_setup(taught(rules)))


def shower(options: Options) -> Shower:
    """The console of this terminal, in the language of the options."""
    return Shower(Output(), options.language)


def print_json(value: Any) -> None:
    """Print plain values as indented JSON."""
    print(msgspec.json.format(msgspec.json.encode(value), indent=2).decode())


def bytes_of(path: Path) -> bytes:
    """The contents of a file named by the user; raises `DataTrouble` with a readable reason."""
    try:
        return files.read(path)
    except FileNotFoundError as e:
        raise DataTrouble(say("score.no-file", file=str(path))) from e
    except IsADirectoryError as e:
        raise DataTrouble(say("score.is-directory", file=str(path))) from e
    except DataTrouble:
        raise
    except (OSError, ValueError) as e:  # a name with a NUL in it is a ValueError
        raise DataTrouble(say("score.cannot-read", file=quoted(str(path)), why=files.why(e))) from e


def given(name: str) -> bytes:
    """The contents of a file named by the user, `-` for standard input; raises `DataTrouble` with a readable reason."""
    return files.read_stream(sys.stdin.buffer, "-") if name == "-" else bytes_of(Path(name))


def write_text(name: str, contents: str) -> None:
    """Write to this file, `-` for the terminal. An owner's own wiring is never overwritten."""
    if name == "-":
        sys.stdout.write(contents)
        return
    file = Path(name)
    try:
        if file.suffix == ".toml" and file.exists():
            raise DataTrouble(say("panel.is-there", file=name))
        files.put(file, contents.encode())
    except (OSError, ValueError) as e:
        if isinstance(e, DataTrouble):
            raise
        raise StorageTrouble(say("panel.cannot-write", file=name, why=files.why(e))) from e
