"""People's own games: flow files brought from a stick, and simple ones made by touch."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from msgspec import Struct

from companion.core import files
from companion.core.flow.file import MOST_BYTES, flow_in, lines_of
from companion.core.flow.format import GameFlow
from companion.core.flow.library import FOLDER, KnownFlow, accept, flows
from companion.core.words import say
from companion.errors import StorageTrouble
from companion.table import backups
from companion.texts import LANGUAGES, fold, render

MOST_COUNTERS, MOST_LINES = 4, 8
"""How many counters and score categories a game made by touch has at most."""
MOST_PLAYERS = 8
TURN, OVER = "turn", "over"


class SimpleGame(Struct, frozen=True):
    """A game as it is made by touch: one phase of turns, a few counters and categories of points."""

    name: str = ""
    low: int = 2
    high: int = 4
    rounds: int = 0
    """How many rounds are played; 0: until somebody says so."""
    passing: bool = False
    """Whether people take turns until all have passed, instead of one turn each."""
    next_begins: bool = True
    """Whether the next seat begins each round."""
    counters: tuple[str, ...] = ()
    lines: tuple[str, ...] = ()
    """The categories of the score; one with the name of a counter takes its number."""

    def text(self) -> str:
        """The flow file."""
        return "\n".join(self._lines()) + "\n"

    def _lines(self) -> Iterator[str]:
        counters = ids(self.counters, (TURN, OVER))
        known = dict(zip(self.counters, counters, strict=True))
        others = tuple(name for name in self.lines if name not in known)
        known |= dict(zip(others, ids(others, (TURN, OVER, *counters)), strict=True))
        yield f"id = {_quoted(self.id)}"
        yield f"name = {_quoted(self.name)}"
        yield f"seats = {list(range(self.low, self.high + 1))}"
        if self.rounds:
            yield f"rounds = {self.rounds}"
        yield f"start = {_quoted('next' if self.next_begins else 'stay')}"
        for id in counters:
            yield from ("", "[[counter]]", f"id = {_quoted(id)}")
        yield from ("", "[[phase]]", f"id = {_quoted(TURN)}")
        yield 'turns = "pass"' if self.passing else "turns = 1"
        if not self.rounds:
            yield from ("", "[[end]]", f"any = [{{ button = {_quoted(OVER)} }}]", 'then = "round"')
        for name in self.lines:
            yield from ("", "[[score]]", f"id = {_quoted(known[name])}")
            if name in self.counters:
                yield f"counter = {_quoted(known[name])}"
        for language in LANGUAGES:
            yield from ("", f"[words.{language}]")
            yield f"{TURN} = {_quoted(render(say('flow.made-turn'), language))}"
            if not self.rounds:
                yield f"{OVER} = {_quoted(render(say('flow.made-over'), language))}"
            for name, id in known.items():
                yield f"{id} = {_quoted(name)}"

    @property
    def id(self) -> str:
        """Its id, from its name; "own-" keeps it apart from the games we know."""
        return f"own-{_slug(self.name)}"[:30].rstrip("-")


def ids(names: Iterable[str], taken: Iterable[str]) -> tuple[str, ...]:
    """A different id for each name."""
    found: list[str] = []
    for name in names:
        plain = id = _slug(name)
        n = 2
        while id in (*found, *taken):
            id, n = f"{plain[:26]}-{n}", n + 1
        found.append(id)
    return tuple(found)


def _slug(name: str) -> str:
    """Small letters, digits and hyphens, beginning with a letter."""
    slug = re.sub(r"[^a-z0-9]+", "-", fold(name)).strip("-")[:30].rstrip("-")
    return slug if slug[:1].isalpha() else f"x-{slug}"[:30].rstrip("-")


def _quoted(words: str) -> str:
    return json.dumps(words, ensure_ascii=False)


def on_sticks() -> tuple[Path, ...]:
    """All flow files on sticks."""
    roots = [stick.path for stick in backups.sticks()]
    return tuple(backups.files((*roots, *(root / FOLDER for root in roots)), "*.toml"))


def read_file(file: Path) -> str:
    """The text of somebody's file; raises `DataTrouble` with every problem and its line."""
    return accept(backups.read_file(file, MOST_BYTES))


def replaced_by(text: str, folder: Path) -> KnownFlow | None:
    """The own game with the same id that a new one would replace, unless it is the same."""
    id = flow_in(text).id
    own = (one for one in flows(folder) if one.file is not None and one.trouble is None)
    return next((one for one in own if one.flow.id == id and one.text != text), None)


def keep(text: str, folder: Path) -> str:
    """Write an accepted flow into the data folder; one with the same id is replaced. Returns its text."""
    accept(text.encode())
    before = replaced_by(text, folder)
    file = None if before is None else before.file
    path = file or folder / FOLDER / f"{flow_in(text).id}.toml"
    try:
        files.make_folder(path.parent)
        files.write(path, text.encode())
    except OSError as e:
        raise StorageTrouble(say("flow.cannot-keep", why=files.why(e))) from e
    return text


def keep_both(text: str, folder: Path) -> str:
    """Keep it beside the one with the same id: with a number after its id and its name. Returns its text."""
    flow, n = flow_in(text), 2
    while replaced_by(other := _numbered(text, flow, n), folder) is not None:
        n += 1
    return keep(other, folder)


def _numbered(text: str, flow: GameFlow, n: int) -> str:
    """The same flow with this number after its id and its name."""
    places, lines = lines_of(text), text.splitlines()
    for key, value in (("id", f"{flow.id[:26]}-{n}"), ("name", f"{flow.name[:36]} {n}")):
        lines[places[("", 0, key)] - 1] = f"{key} = {_quoted(value)}"
    return accept(("\n".join(lines) + "\n").encode())
