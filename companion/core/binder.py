"""The binder: facts the owner of a box taught, with who said so and when.

Nothing is overwritten: the last statement counts, and earlier ones can be looked up. The facts of one game
can be shared as a file, `<game>-box.json`; such files are checked like all outside data.
"""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import replace

from companion.core.components import Facts, SaidBy, Value, fact_of
from companion.core.positions import quoted
from companion.core.sqlite_errors import is_damage
from companion.core.store import Store, checksum, keys, one
from companion.core.words import Text, count, legible, plain, say
from companion.errors import DataTrouble, StorageTrouble
from companion.texts import written_time

FORMAT = "tabletop-companion facts"
VERSION = 1
MOST_FACTS = 5000
"""Limit for one file: twice the number of printed values in the largest box."""
LARGEST = 4_000_000
"""Largest size in bytes of a file of facts; anything larger is something else."""
MOST_TOLD = 20
"""How many problems of a file are listed one by one."""
FROM_OUTSIDE = (SaidBy.OWNER, SaidBy.PLAY)
"""Sources a file may claim; facts from a rulebook come only with the program."""
LONGEST = 200
"""Longest `by` or `note`, in characters: `by` may hold the names of everybody at a table."""


class Taught(Struct, frozen=True, kw_only=True):
    """One statement about a printed value; `value` None takes back what was taught."""

    game: str
    component: Annotated[str, Meta(min_length=1)]
    field: Annotated[str, Meta(pattern=r"^([^.]+|name\.[a-z]+)$")]
    value: Value | None
    at: float
    said_by: SaidBy = SaidBy.OWNER
    note: str | None = None
    by: str = ""
    """Who said so: one name, or all names at the table if all were asked; empty if unknown."""

    @property
    def key(self) -> str:
        """The name of the fact."""
        return f"{self.component}.{self.field}"

    @property
    def source(self) -> Text:
        """Who said so, and on which day."""
        day = written_time(self.at, "%Y-%m-%d")
        if self.said_by is SaidBy.PLAY:
            return say("binder.said-by-play", day=day)
        return say("binder.said-by", by=self.by, day=day) if self.by else plain(day)


class FactSheet(Struct, frozen=True):
    """The facts of one game as a file."""

    format: str
    version: int
    game: str
    facts: tuple[Taught, ...]


class _Head(Struct, frozen=True):
    format: str
    version: int


class Binder:
    """The facts of all boxes, in the same file as the journal."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def teach(
        self,
        game: str,
        component: str,
        field: str,
        value: Value,
        at: float,
        note: str | None = None,
        by: str = "",
    ) -> None:
        """Store what somebody says is printed there."""
        told = Taught(
            game=game, component=component, field=field, value=value, at=float(at), note=note, by=by
        )
        self.keep((told,))

    def forget(self, game: str, component: str, field: str, at: float, by: str = "") -> None:
        """Take back what was taught, so that the value is unknown again."""
        self.keep((Taught(game=game, component=component, field=field, value=None, at=float(at), by=by),))

    def facts(self, game: str) -> Facts:
        """The facts that hold now."""
        return values(self.latest(game).values())

    def latest(self, game: str) -> dict[str, Taught]:
        """The last statement about every fact ever mentioned, by key; a value taken back is None."""
        return {taught.key: taught for taught in self.history(game)}

    def history(self, game: str) -> tuple[Taught, ...]:
        """Every statement about this game, the oldest first."""
        with self._store.reading() as db:
            facts, whole = read_facts(db)
            if not whole:
                raise StorageTrouble(facts_problem(len(facts), str(self._store.path)))
            self._store.distrust(db, "fact")
        return tuple(taught for taught in facts if taught.game == game)

    def export(self, game: str) -> dict[str, Any]:
        """The facts that hold now, with their sources, ready to be written as JSON."""
        facts = tuple(taught for taught in self.latest(game).values() if taught.value is not None)
        exported: dict[str, Any] = msgspec.to_builtins(FactSheet(FORMAT, VERSION, game, facts))
        return exported

    def take(self, game: str, told: Iterable[Taught]) -> int:
        """Store those of these facts that are new or different, all or none; returns how many.

        A fact derived from a play never replaces what a person said.
        """
        latest = self.latest(game)
        news = tuple(t for t in told if _is_news(t, latest.get(t.key)))
        self.keep(news)
        return len(news)

    def learn(self, game: str, facts: Facts, at: float, by: str = "") -> int:
        """Store those of these printed values that are new or different; returns how many."""
        told = []
        for key, value in facts.items():
            component, field = fact_of(key)
            told.append(Taught(game=game, component=component, field=field, value=value, at=float(at), by=by))
        return self.take(game, told)

    def take_back(self, game: str, key: str, value: Value, times: int, at: float) -> None:
        """Restore what held before the last `times` statements, unless the current value is no longer `value`."""
        said = [taught for taught in self.history(game) if taught.key == key]
        if said and said[-1].value == value:
            nothing = replace(said[-1], value=None, at=float(at), note=None)
            self.keep((said[-1 - times] if times < len(said) else nothing,))

    def keep(self, news: tuple[Taught, ...]) -> None:
        """Store all of these, or none if that fails."""
        if not news:
            return
        for taught in news:
            _check(taught)
        bodies = [(msgspec.json.encode(taught),) for taught in news]

        def is_there(db: sqlite3.Connection) -> bool:
            found = db.execute("SELECT body FROM fact ORDER BY seq DESC LIMIT ?", (len(bodies),)).fetchall()
            return found[::-1] == bodies

        with self._store.writing(is_there) as db:
            insert_facts(db, news)


def _is_news(told: Taught, ours: Taught | None) -> bool:
    if ours is None or ours.value is None:
        return told.value is not None
    return told.value != ours.value and (told.said_by is not SaidBy.PLAY or ours.said_by is SaidBy.PLAY)


def newest(taught: Iterable[Taught]) -> dict[str, float]:
    """When each component was last taught."""
    at: dict[str, float] = {}
    for said in taught:
        at[said.component] = max(said.at, at.get(said.component, said.at))
    return at


def _check(taught: Taught) -> None:
    """Raises `DataTrouble` for a fact that could be written but not read back, such as an empty name."""
    try:
        msgspec.json.decode(msgspec.json.encode(taught), type=Taught)
    except msgspec.MsgspecError as e:
        raise DataTrouble(say("binder.bad-fact", fact=taught.key, why=str(e))) from e


def values(taught: Iterable[Taught]) -> Facts:
    """The facts that hold after these statements, in their order."""
    latest = {said.key: said.value for said in taught}
    return {key: value for key, value in latest.items() if value is not None}


# As a file


def file_name(game: str) -> str:
    """The file name for a game's facts."""
    return f"{game}-box.json"


def read_box(data: bytes, game: str) -> tuple[Taught, ...]:
    """The facts in a file; raises `DataTrouble` with everything that is wrong with the file itself.

    It does not check whether these values can be printed in the box: see `Game.bad_facts`.
    """
    if len(data) > LARGEST:
        raise DataTrouble(say("binder.too-large", most=str(LARGEST // 1_000_000)))
    head = _head(data)
    if head.format != FORMAT:
        raise DataTrouble(say("binder.other-format", format=quoted(head.format)))
    if head.version > VERSION:
        raise DataTrouble(say("binder.newer", version=str(head.version), ours=str(VERSION)))
    if head.version < 1:
        raise DataTrouble(say("binder.no-version", version=str(head.version)))
    try:
        sheet = msgspec.json.decode(data, type=FactSheet)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as e:
        raise DataTrouble(say("binder.bad-file", why=str(e))) from e
    if len(sheet.facts) > MOST_FACTS:
        raise DataTrouble(say("binder.too-many", n=len(sheet.facts), most=str(MOST_FACTS)))
    problems = [
        say("binder.other-game", game=quoted(g), wanted=game)
        for g in sorted({sheet.game, *(taught.game for taught in sheet.facts)} - {game})
    ]
    often = Counter(taught.key for taught in sheet.facts)
    problems += [say("binder.twice", fact=quoted(key)) for key, times in often.items() if times > 1]
    problems += [
        say("binder.bad-words", fact=quoted(taught.key), most=str(LONGEST))
        for taught in sheet.facts
        if not all(_is_words(words) for words in (taught.by, taught.note or ""))
    ]
    problems += [
        say("binder.not-theirs", fact=quoted(taught.key), said_by=taught.said_by.value)
        for taught in sheet.facts
        if taught.said_by not in FROM_OUTSIDE
    ]
    if problems:
        raise refusal(problems, game)
    return sheet.facts


def refusal(problems: Sequence[Text], game: str) -> DataTrouble:
    """The error for a file with these problems; only the first `MOST_TOLD` are listed one by one."""
    told = tuple(problems[:MOST_TOLD])
    more = (count("binder.more", len(problems) - len(told)),) if len(problems) > len(told) else ()
    return DataTrouble(count("binder.refused", len(problems), game=game), (*told, *more))


def _head(data: bytes) -> _Head:
    """The format and version of a file; ignores everything else, as a newer version may differ in the rest."""
    try:
        return msgspec.json.decode(data, type=_Head)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as e:
        raise DataTrouble(say("binder.bad-file", why=str(e))) from e


def _is_words(words: str) -> bool:
    return len(words) <= LONGEST and legible(words)


def box_schema(game: str, known: Mapping[str, dict[str, Any]]) -> dict[str, Any]:
    """A JSON Schema for the file of a game's facts; `known` has the schema of each value, by fact key."""
    alike: dict[str, tuple[str, dict[str, Any], list[str]]] = {}
    for key, of_value in known.items():
        component, field = fact_of(key)
        alike.setdefault(f"{field} {of_value}", (field, of_value, []))[2].append(component)
    words = {"type": "string", "maxLength": LONGEST}
    rest = {
        "game": {"const": game},
        "at": {"type": "number"},
        "said_by": {"enum": [one.value for one in FROM_OUTSIDE]},
        "note": {"anyOf": [words, {"type": "null"}]},
        "by": words,
    }
    facts = [
        {
            "type": "object",
            "properties": {"component": {"enum": ids}, "field": {"const": field}, "value": value, **rest},
            "required": ["game", "component", "field", "value", "at"],
        }
        for field, value, ids in alike.values()
    ]
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": file_name(game),
        "type": "object",
        "properties": {
            "format": {"const": FORMAT},
            "version": {"const": VERSION},
            "game": {"const": game},
            "facts": {"type": "array", "maxItems": MOST_FACTS, "items": {"anyOf": facts}},
        },
        "required": ["format", "version", "game", "facts"],
    }


# In the journal's file


def insert_facts(db: sqlite3.Connection, facts: tuple[Taught, ...]) -> None:
    """Append facts to those that are stored."""
    (first,) = db.execute("SELECT ifnull(max(seq) + 1, 0) FROM fact").fetchone()
    for seq, taught in enumerate(facts, first):
        body = msgspec.json.encode(taught)
        db.execute("INSERT INTO fact VALUES (?, ?, ?)", (seq, body, checksum(seq, body)))


def read_facts(db: sqlite3.Connection) -> tuple[tuple[Taught, ...], bool]:
    """Every undamaged fact of every game, and whether these are all; damage to one does not affect the others."""
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
    """The message for damaged facts."""
    return count("storage.facts-damaged", good, file=file)
