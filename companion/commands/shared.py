"""What several commands need: a window if there can be one, the journal, people's names, variants."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import msgspec

from companion import keeper
from companion.core import files
from companion.core.binder import Binder
from companion.core.components import Catalogue, Facts
from companion.core.game import Game, boxes, showcase
from companion.core.journal import Journal
from companion.core.positions import quoted
from companion.core.store import Store, default_path
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
    """The words of a command's help, in the language people read: one of its own slugs, or a sentence."""

    def __call__(self, words: str | Text) -> str: ...


class Command(Protocol):
    """What every module of this folder that is a command has."""

    def arguments(self, parser: argparse.ArgumentParser, t: Help) -> None:
        """Add what may be said after its name."""

    def run(self, options: Options) -> int:
        """Do it; the exit code."""


def variants_argument(parser: argparse.ArgumentParser, t: Help) -> None:
    """`--with VARIANT=VALUE`, as often as people like, and every game's shorthands (`--advanced`)."""
    parser.add_argument(
        "--with", dest="choices", action="append", default=[], metavar="VARIANT=VALUE", help=t("with")
    )
    for flag, text in _flags().items():
        parser.add_argument(
            f"--{flag}", dest="flags", action="append_const", const=flag, default=[], help=t(text)
        )


def _flags() -> dict[str, Text]:
    """Every shorthand some game declares, and what it is for in each game that has it."""
    found: dict[str, Text] = {}
    for box in boxes().values():
        for flag in box.flags:
            here = say("cli.flag-of", game=box.name, what=box.flag_text(flag))
            found[flag] = say("cli.flags-of", one=found[flag], other=here) if flag in found else here
    return found


def panel_argument(parser: argparse.ArgumentParser, t: Help) -> None:
    """`--panel`, which may also stand before the command."""
    parser.add_argument("--panel", action="store_true", default=argparse.SUPPRESS, help=t("panel"))


def can_open_window(options: Options) -> bool:
    """Whether there is a display and nobody asked for text; what a window lacks here is said."""
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
    """The window, until it is closed; one that dies is opened again, where it was."""
    code = keeper.stand_by()
    if code is not None:
        return code
    if keeper.falls:
        first = None
    os.umask(0o077)  # whatever anybody's library keeps beside our files is for their owner, too
    start.prepare(default_path(os.environ).parent, height=start.WITH_PANEL if options.panel else start.HEIGHT)
    from companion import app

    def demonstrate(app: CompanionApp, game: Game) -> None:
        from companion.ui.rehearsal import (
            demo,
        )  # it draws what a camera would see: not before somebody asks for it

        demo.inside(app, game)

    return app.run(first, options.asked, options.panel, getattr(options, "camera", None), demonstrate)


def seats_of(options: Options, rules: Game) -> tuple[str, ...]:
    """Who plays: as said, else they are asked for."""
    named = options.seats
    if named is None:
        low, high = str(rules.box.seats[0]), str(rules.box.seats[-1])
        named = input(render(say("ui.ask-seats", low=low, high=high), options.language) + " ")
    return tuple(name.strip() for name in named.split(",") if name.strip())


def choices(options: Options, rules: Game) -> dict[str, str]:
    """What VARIANT=VALUE words and shorthands say; raises `DataTrouble` for a shorthand this game does not have."""
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
    """Names for so many bots."""
    return tuple(NAMES[n] if n < len(NAMES) else f"{n + 1}" for n in range(min(players, 99)))


@contextmanager
def journal() -> Iterator[tuple[Journal, Binder]]:
    """The journal and the binder in their usual place."""
    with Store(default_path(os.environ)) as store:
        yield Journal(store), Binder(store)


def taught(rules: Game) -> Facts:
    """What the owner taught about a box, as far as it has a place for it; nothing if nothing was ever kept."""
    with journal() as (_, binder):
        return rules.usable(rules.usual_setup(), binder.facts(rules.id))


def taught_box(rules: Game) -> Catalogue[Any]:
    """The usual box with what its owner taught."""
    return rules.taught_box(rules.usual_setup(taught(rules)))


def shower(options: Options) -> Shower:
    """Whoever shows things at this terminal."""
    return Shower(Output(), options.language)


def print_json(value: Any) -> None:
    """Plain values for programs, readable by people."""
    print(msgspec.json.format(msgspec.json.encode(value), indent=2).decode())


def bytes_of(path: Path) -> bytes:
    """The contents of a file somebody named; raises `DataTrouble` in words."""
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
    """What is in a file somebody named, `-` being standard input; raises `DataTrouble` in words."""
    return files.read_stream(sys.stdin.buffer, "-") if name == "-" else bytes_of(Path(name))


def write_text(name: str, contents: str) -> None:
    """Put it into this file, `-` being the terminal. An owner's own wiring is never overwritten."""
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
