"""The binder: facts the owner of a box taught us, with who said so and when.

Nothing is overwritten: what was said last holds, and what was said before can be looked up.
"""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from companion.core.components import Facts, SaidBy, Value
from companion.core.store import Store, checksum, is_damage, keys, one
from companion.core.words import Text, count, say
from companion.errors import DataTrouble, StorageTrouble

FORMAT = "tabletop-companion facts"
MOST_FACTS = 5000
"""In one file: twice what is printed on everything in the largest box."""


class Taught(Struct, frozen=True, kw_only=True):
    """One thing somebody told us about a printed value; no value means: forget what you were told."""

    game: str
    component: Annotated[str, Meta(min_length=1)]
    field: Annotated[str, Meta(pattern=r"^[^.]+$")]
    value: Value | None
    at: float
    said_by: SaidBy = SaidBy.OWNER
    note: str | None = None

    @property
    def key(self) -> str:
        """The name of the fact."""
        return f"{self.component}.{self.field}"


class FactSheet(Struct, frozen=True):
    """The facts of one game as a file."""

    format: str
    version: int
    game: str
    facts: tuple[Taught, ...]


class Binder:
    """The facts of all boxes, in the same file as the journal."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def teach(
        self, game: str, component: str, field: str, value: Value, at: float, note: str | None = None
    ) -> None:
        """Keep what the owner says is printed there."""
        taught = Taught(game=game, component=component, field=field, value=value, at=float(at), note=note)
        self._add((taught,))

    def forget(self, game: str, component: str, field: str, at: float) -> None:
        """Take back what was taught, so that the value is unknown again."""
        self._add((Taught(game=game, component=component, field=field, value=None, at=float(at)),))

    def facts(self, game: str) -> Facts:
        """What holds now."""
        return _values(self._latest(game))

    def history(self, game: str) -> tuple[Taught, ...]:
        """Everything ever said about this game, the oldest first."""
        with self._store.reading() as db:
            facts, whole = read_facts(db)
            if not whole:
                raise StorageTrouble(facts_problem(len(facts), str(self._store.path)))
            self._store.distrust(db, "fact")
        return tuple(taught for taught in facts if taught.game == game)

    def export(self, game: str) -> dict[str, Any]:
        """What holds now, with its provenance, ready to be written as JSON."""
        facts = tuple(taught for taught in self._latest(game).values() if taught.value is not None)
        exported: dict[str, Any] = msgspec.to_builtins(FactSheet(FORMAT, 1, game, facts))
        return exported

    def import_(self, game: str, data: bytes, check: Callable[[Facts], tuple[Text, ...]]) -> int:
        """Take over a file made by `export`, all of it or nothing; says how many facts are new or different.

        `check` looks at what would hold afterwards; raises `DataTrouble` with everything that is wrong.
        """
        told = _read(data, game)
        latest = self._latest(game)
        news = tuple(t for t in told if t.value != getattr(latest.get(t.key), "value", None))
        problems = check(_values(latest | {taught.key: taught for taught in news}))
        if problems:
            raise DataTrouble(count("binder.refused", len(problems), game=game), problems)
        self._add(news)
        return len(news)

    def _latest(self, game: str) -> dict[str, Taught]:
        return {taught.key: taught for taught in self.history(game)}

    def _add(self, news: tuple[Taught, ...]) -> None:
        for taught in news:
            _check(taught)
        with self._store.writing() as db:
            insert_facts(db, news)


def newest(taught: Iterable[Taught]) -> dict[str, float]:
    """When something was last said about each component."""
    at: dict[str, float] = {}
    for said in taught:
        at[said.component] = max(said.at, at.get(said.component, said.at))
    return at


def _check(taught: Taught) -> None:
    """Raises `DataTrouble` for what could be written but not be read again, such as an empty name."""
    try:
        msgspec.json.decode(msgspec.json.encode(taught), type=Taught)
    except msgspec.MsgspecError as e:
        raise DataTrouble(say("binder.bad-fact", fact=taught.key, why=str(e))) from e


def _values(taught: dict[str, Taught]) -> Facts:
    return {key: t.value for key, t in taught.items() if t.value is not None}


def _read(data: bytes, game: str) -> tuple[Taught, ...]:
    """The facts in a file; raises `DataTrouble` with everything that is wrong about the file itself."""
    try:
        sheet = msgspec.json.decode(data, type=FactSheet)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as e:
        raise DataTrouble(say("binder.bad-file", why=str(e))) from e
    if len(sheet.facts) > MOST_FACTS:
        raise DataTrouble(say("binder.too-many", n=len(sheet.facts), most=str(MOST_FACTS)))
    if (sheet.format, sheet.version) != (FORMAT, 1):
        raise DataTrouble(say("binder.other-format", format=sheet.format, version=str(sheet.version)))
    problems = [
        say("binder.other-game", game=g, wanted=game)
        for g in sorted({sheet.game, *(taught.game for taught in sheet.facts)} - {game})
    ]
    often = Counter(taught.key for taught in sheet.facts)
    problems += [say("binder.twice", fact=key) for key, times in often.items() if times > 1]
    if problems:
        raise DataTrouble(count("binder.refused", len(problems), game=game), tuple(problems))
    return sheet.facts


def insert_facts(db: sqlite3.Connection, facts: tuple[Taught, ...]) -> None:
    """Add facts after those that are there."""
    (first,) = db.execute("SELECT ifnull(max(seq) + 1, 0) FROM fact").fetchone()
    for seq, taught in enumerate(facts, first):
        body = msgspec.json.encode(taught)
        db.execute("INSERT INTO fact VALUES (?, ?, ?)", (seq, body, checksum(seq, body)))


def read_facts(db: sqlite3.Connection) -> tuple[tuple[Taught, ...], bool]:
    """Every fact of every game that is not damaged, and whether these are all; each one stands alone."""
    good: dict[int, Taught] = {}
    seqs, whole = keys(db, "fact", "seq")
    for seq in seqs:
        try:
            body, found = one(db, "SELECT body, sum FROM fact WHERE seq = ?", seq)
        except sqlite3.Error as e:
            if not is_damage(e):
                raise
            continue
        if found == checksum(seq, body):
            good[seq] = msgspec.json.decode(body, type=Taught)
    return tuple(good.values()), whole and list(good) == list(range(len(seqs)))


def facts_problem(good: int, file: str) -> Text:
    """What to tell when facts are damaged."""
    return count("storage.facts-damaged", good, file=file)
