"""Reads a flow file: strict, with limits, and with every problem and its line at once."""

from __future__ import annotations

import re
import tomllib
from collections import Counter as Tally
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from itertools import pairwise
from typing import Any

import msgspec
from msgspec import Struct, structs

from companion.core.flow.format import (
    ByCounter,
    FlowClock,
    FlowCounter,
    FlowEnd,
    FlowPhase,
    FlowPool,
    FlowScore,
    FlowTie,
    GameFlow,
    TurnsOf,
)
from companion.core.positions import near, quoted
from companion.core.words import Text, count, legible, plain, say
from companion.errors import DataTrouble
from companion.texts import LANGUAGES

MOST_BYTES = 64_000
TABLES: dict[str, type[Struct]] = {
    "phase": FlowPhase,
    "closing": FlowPhase,
    "counter": FlowCounter,
    "pool": FlowPool,
    "end": FlowEnd,
    "score": FlowScore,
    "tie": FlowTie,
    "clock": FlowClock,
}
HEADER = re.compile(r"^\s*\[{1,2}\s*([A-Za-z0-9_.\"' -]+?)\s*\]{1,2}\s*(#.*)?$")
KEY = re.compile(r"^\s*[\"']?([A-Za-z0-9_-]+)[\"']?\s*=")

FilePlace = tuple[str, int, str]
"""A table of the file, the how-manieth of its name, and a key; the head of the file is table ""."""


class FlowProblem(Struct, frozen=True):
    """Something wrong with a flow, and where it is."""

    where: FilePlace
    text: Text


def lines_of(text: str) -> dict[FilePlace, int]:
    """The line of every table and key, counted from one. Python's TOML reader does not say them."""
    found: dict[FilePlace, int] = {}
    tally: Tally[str] = Tally()
    table = ""
    for n, line in enumerate(text.splitlines(), 1):
        if header := HEADER.match(line):
            table = header[1]
            tally[table] += 1
        key = KEY.match(line)
        found.setdefault((table, max(0, tally[table] - 1), key[1] if key and not header else ""), n)
    return found


def read_flow(data: bytes, taken: Iterable[str] = ()) -> GameFlow:
    """The flow in a file; raises `DataTrouble` with every problem and its line. Ids in `taken` belong to
    other games."""
    if len(data) > MOST_BYTES:
        raise DataTrouble(say("flow.too-large", most=str(MOST_BYTES // 1000)))
    try:
        text = data.decode("utf-8-sig")
        raw = tomllib.loads(text)
    except UnicodeDecodeError as e:
        raise DataTrouble(say("flow.not-text", line=data[: e.start].count(b"\n") + 1)) from e
    except (tomllib.TOMLDecodeError, RecursionError, ValueError) as e:
        raise DataTrouble(say("flow.not-toml", why=quoted(str(e)))) from e
    problems = list(_shape(raw))
    if not problems:
        flow = msgspec.convert(raw, GameFlow)
        problems = list(_meaning(flow, frozenset(taken)))
        if not problems:
            return flow
    raise DataTrouble(count("flow.problems", len(problems)), tuple(_at(problems, lines_of(text))))


@lru_cache(maxsize=64)
def flow_in(text: str) -> GameFlow:
    """The flow in a text that was accepted before, such as the one a play keeps."""
    return read_flow(text.encode())


def schema() -> dict[str, Any]:
    """The flow file as JSON Schema."""
    return msgspec.json.schema(GameFlow)


def _at(problems: Iterable[FlowProblem], lines: dict[FilePlace, int]) -> Iterator[Text]:
    """Each problem once, with its line, in the order of the file."""
    found = {(_line(problem.where, lines), problem.text) for problem in problems}
    for line, text in sorted(found, key=lambda one: (one[0], str(one[1]))):
        yield say("flow.in-line", line=line, problem=text)


def _line(where: FilePlace, lines: dict[FilePlace, int]) -> int:
    table, index, _ = where
    return lines.get(where) or lines.get((table, index, "")) or lines.get((table, 0, "")) or 1


# What msgspec would say, but all of it


def _shape(raw: dict[str, Any]) -> Iterator[FlowProblem]:
    """Everything whose name or value is not in the format."""
    head = {key: value for key, value in raw.items() if key not in TABLES and key != "words"}
    yield from _fields(head, GameFlow, "", 0, {*TABLES, "words"})
    for table, kind in TABLES.items():
        if table not in raw:
            continue
        one = table == "clock"
        rows = [raw[table]] if one else raw[table]
        if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
            yield FlowProblem((table, 0, ""), say("flow.not-a-table", table=table))
            continue
        for index, row in enumerate(rows):
            yield from _fields(row, kind, table, index, set())
        if not one and (wrong := _misfit({table: rows}, GameFlow, table)) and "length" in wrong:
            yield FlowProblem((table, 0, ""), say("flow.too-many", table=table, why=wrong))
    if "phase" not in raw:
        yield FlowProblem(("", 0, ""), say("flow.no-phase"))
    yield from _words(raw.get("words", {}))


def _fields(
    raw: dict[str, Any], kind: type[Struct], table: str, index: int, also: set[str]
) -> Iterator[FlowProblem]:
    fields = {field.encode_name: field for field in structs.fields(kind) if field.encode_name not in also}
    for key, value in raw.items():
        where = (table, index, key)
        if key not in fields:
            yield FlowProblem(where, _unknown("flow.unknown-key", key, fields))
        elif wrong := _misfit({key: value}, kind, key):
            yield FlowProblem(where, say("flow.bad-value", field=key, why=wrong))
        else:
            yield from (FlowProblem(where, say("flow.illegible", field=key)) for _ in _illegible(value))
    for key, field in fields.items():
        if field.required and key not in raw:
            yield FlowProblem((table, index, ""), say("flow.missing", field=key))


def _misfit(raw: dict[str, Any], kind: type[Struct], key: str) -> str:
    """Why the value of one key does not fit; empty if it does."""
    try:
        msgspec.convert(raw, _alone(kind, key))
    except msgspec.ValidationError as e:
        return quoted(str(e).removesuffix(f" - at `$.{key}`"))
    return ""


@cache
def _alone(kind: type[Struct], key: str) -> type[Struct]:
    """A struct with this one field. Cached: msgspec 0.22 crashes if a type with a pattern is built again for
    each value."""
    field = next(field for field in structs.fields(kind) if field.encode_name == key)
    return msgspec.defstruct(
        f"{kind.__name__}_{field.name}", [(field.name, field.type)], rename={field.name: key}
    )


def _illegible(value: Any) -> Iterator[str]:
    if isinstance(value, str) and not legible(value):
        yield value
    elif isinstance(value, list):
        for one in value:
            yield from _illegible(one)


def _words(raw: Any) -> Iterator[FlowProblem]:
    if not isinstance(raw, dict):
        yield FlowProblem(("words", 0, ""), say("flow.not-a-table", table="words"))
        return
    for language, words in raw.items():
        table = f"words.{language}"
        if language not in LANGUAGES or not isinstance(words, dict):
            known = tuple(plain(one) for one in LANGUAGES)
            yield FlowProblem(
                (table, 0, ""), say("flow.bad-language", language=quoted(language), known=known)
            )
            continue
        if len(words) > 400:
            yield FlowProblem((table, 0, ""), say("flow.too-many-words", most=400))
        for id, word in words.items():
            if not isinstance(word, str) or not 0 < len(word) <= 120 or not legible(word) or not word.strip():
                yield FlowProblem((table, 0, id), say("flow.bad-word", id=quoted(id)))


def _unknown(slug: str, word: str, known: Iterable[str]) -> Text:
    """An unknown word, with the known ones most like it, or all."""
    names = sorted(known)
    shown = near(word, names) or tuple(plain(name) for name in names) or (say("flow.nothing-there"),)
    return say(slug, word=quoted(word), known=shown)


# What the format alone cannot say


def _meaning(flow: GameFlow, taken: frozenset[str]) -> Iterator[FlowProblem]:
    """Everything that does not go together."""
    if flow.id in taken:
        yield FlowProblem(("", 0, "id"), say("flow.taken", id=flow.id))
    if len(set(flow.seats)) < len(flow.seats):
        yield FlowProblem(("", 0, "seats"), say("flow.twice", id=plain(str(flow.seats))))
    yield from _unique(flow)
    yield from _references(flow)
    yield from _by_seats(flow)
    for table, phases in (("phase", flow.phase), ("closing", flow.closing)):
        for index, phase in enumerate(phases):
            for key, text in _phase(flow, phase, table):
                yield FlowProblem((table, index, key), text)
    for index, counter in enumerate(flow.counter):
        if not counter.low <= counter.start <= counter.high:
            yield FlowProblem(("counter", index, "range"), say("flow.start-outside", id=counter.id))
    for index, end in enumerate(flow.end):
        if bool(end.any) == bool(end.all):
            yield FlowProblem(("end", index, ""), say("flow.any-or-all"))
        if any(sum(map(bool, (one.pool, one.counter, one.button))) != 1 for one in end.conditions):
            yield FlowProblem(("end", index, "any" if end.any else "all"), say("flow.one-condition"))
    for index, score in enumerate(flow.score):
        if any(one >= other for (one, _), (other, _) in pairwise(score.lookup)):
            yield FlowProblem(("score", index, "lookup"), say("flow.lookup-order"))
        if score.counter and score.times > 1:
            yield FlowProblem(("score", index, "times"), say("flow.counter-once"))
    start = flow.start
    if isinstance(start, ByCounter) and bool(start.most) == bool(start.least):
        yield FlowProblem(("", 0, "start"), say("flow.most-or-least"))
    if start in ("first-pass", "pass-order") and not any(phase.turns == "pass" for phase in flow.phase):
        yield FlowProblem(("", 0, "start"), say("flow.nobody-passes", start=str(start)))
    if not flow.end and flow.rounds is None:
        yield FlowProblem(("", 0, ""), say("flow.endless"))


def _unique(flow: GameFlow) -> Iterator[FlowProblem]:
    """Ids of phases must differ, and those of everything that is counted."""
    groups: tuple[tuple[tuple[str, tuple[Any, ...]], ...], ...] = (
        (("phase", flow.phase), ("closing", flow.closing)),
        (("counter", flow.counter), ("pool", flow.pool)),
        (("score", flow.score),),
    )
    for group in groups:
        seen: set[str] = set()
        for table, rows in group:
            for index, row in enumerate(rows):
                if row.id in seen:
                    yield FlowProblem((table, index, "id"), say("flow.twice", id=plain(row.id)))
                seen.add(row.id)


def _references(flow: GameFlow) -> Iterator[FlowProblem]:
    """Every id that is mentioned must exist."""
    seat = {counter.id for counter in flow.counted("seat")}
    counters, pools = {counter.id for counter in flow.counter}, {pool.id for pool in flow.pool}
    start = flow.start
    asked: list[tuple[FilePlace, str, set[str]]] = []
    if isinstance(start, ByCounter):
        asked += [(("", 0, "start"), id, seat) for id in (start.most, start.least)]
    for table, phases in (("phase", flow.phase), ("closing", flow.closing)):
        for index, phase in enumerate(phases):
            asked += [((table, index, "count"), id, counters | pools) for id in phase.count]
            if isinstance(phase.turns, TurnsOf):
                asked.append(((table, index, "turns"), phase.turns.counter, seat))
    asked += [(("pool", index, "into"), pool.into, seat) for index, pool in enumerate(flow.pool)]
    asked += [(("score", index, "counter"), score.counter, seat) for index, score in enumerate(flow.score)]
    for index, end in enumerate(flow.end):
        for key, conditions in (("any", end.any), ("all", end.all)):
            for one in conditions:
                asked.append((("end", index, key), one.pool, pools))
                asked.append((("end", index, key), one.counter, counters))
    for where, id, known in asked:
        if id and id not in known:
            yield FlowProblem(where, _unknown("flow.unknown-id", id, known))
    into = [pool.into for pool in flow.pool if pool.into]
    for index, pool in enumerate(flow.pool):
        if pool.extra and not pool.into:
            yield FlowProblem(("pool", index, "extra"), say("flow.extra-into"))
        if pool.into and into.count(pool.into) > 1:
            yield FlowProblem(("pool", index, "into"), say("flow.two-pools", id=pool.into))


def _by_seats(flow: GameFlow) -> Iterator[FlowProblem]:
    """A number by seats must say it for every number of seats."""
    tables: list[tuple[FilePlace, Any]] = [(("", 0, "rounds"), flow.rounds)]
    tables += [(("pool", index, "start"), pool.start) for index, pool in enumerate(flow.pool)]
    tables += [(("pool", index, "extra"), pool.extra) for index, pool in enumerate(flow.pool)]
    for where, told in tables:
        values = told.values() if isinstance(told, dict) else [1 if told is None else told]
        if isinstance(told, dict) and set(told) != {str(n) for n in flow.seats}:
            yield FlowProblem(where, say("flow.by-seats", seats=tuple(plain(str(n)) for n in flow.seats)))
        if any(value < (where[2] != "extra") for value in values):
            yield FlowProblem(where, say("flow.too-few"))


def _phase(flow: GameFlow, phase: FlowPhase, table: str) -> Iterator[tuple[str, Text]]:
    picked = {pick for other in flow.phase for pick in other.picks}
    if (phase.who is None) == (phase.turns is None):
        yield "", say("flow.who-or-turns")
    if phase.others and phase.turns is None:
        yield "others", say("flow.needs-turns", field="others")
    if phase.passed != "out" and phase.turns != "pass":
        yield "passed", say("flow.needs-pass")
    if phase.when == "picked" and phase.id not in picked:
        yield "if", say("flow.never-picked", id=phase.id)
    by_table = any(phase.id in other.picks for other in flow.phase if other.who == "table")
    if by_table and (phase.when != "picked" or phase.who is None or phase.picks):
        yield "", say("flow.picked-by-table", id=phase.id)
    if phase.who == "all" and phase.picks:
        yield "picks", say("flow.picks-of-all")
    if len(set(phase.picks)) < len(phase.picks) or len(set(phase.count)) < len(phase.count):
        yield "picks" if phase.picks else "count", say("flow.twice", id=plain(phase.id))
    if table == "closing" and (phase.rounds is not None or phase.when is not None or phase.picks):
        yield "", say("flow.closing-once")
    if isinstance(phase.rounds, str):
        first, _, last = phase.rounds.partition("-")
        if last and int(last) < int(first):
            yield "rounds", say("flow.rounds-backwards")
