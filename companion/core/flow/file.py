"""Reads a flow file: strict, with limits, and with every problem and its line at once."""

from __future__ import annotations

import copy
import re
import tomllib
from collections import Counter as Tally
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache, reduce
from itertools import pairwise
from typing import Any

import msgspec
from msgspec import Struct, inspect, structs

from companion.core.flow.format import (
    ID,
    RANGE,
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
AT_LINE = re.compile(r"\(at line ([0-9]+), column [0-9]+\)")
LONGEST_WHY = 200
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
        raise _not_toml(str(e), len(text.split("\n"))) from e
    problems = list(_shape(raw))
    flow = _without(raw, problems)
    if flow is not None:
        rows = {problem.where[:2] for problem in problems}
        problems += (one for one in _meaning(flow, frozenset(taken)) if one.where[:2] not in rows)
        if not problems:
            return flow
    raise DataTrouble(count("flow.problems", len(problems)), tuple(_at(problems, lines_of(text))))


def _not_toml(why: str, last: int) -> DataTrouble:
    """What Python's reader objects to, after its line."""
    at = AT_LINE.search(why)
    told = "".join(c if legible(c) else "?" for c in (why[: at.start()] if at else why)[:LONGEST_WHY])
    told = told.removesuffix("(at end of document)").strip()
    line = int(at[1]) if at else last
    trouble = say("flow.in-line", line=line, problem=say("flow.not-toml", why=told))
    return DataTrouble(trouble, (trouble,))


def _without(raw: dict[str, Any], problems: Iterable[FlowProblem]) -> GameFlow | None:
    """The flow without the keys that are wrong, so that the rest can be checked as well; None if too little is
    left."""
    left = copy.deepcopy(raw)
    for table, index, key in (problem.where for problem in problems):
        if table.startswith("words") or (table and table not in TABLES):
            left.pop("words" if table.startswith("words") else table, None)
            continue
        rows = left.get(table) if table else left
        row = rows[index] if isinstance(rows, list) and index < len(rows) else rows
        if isinstance(row, dict):
            row.pop(key, None)
    try:
        return msgspec.convert(left, GameFlow)
    except msgspec.ValidationError:
        return None


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
    others = {key: value for key, value in raw.items() if key not in TABLES and key != "words"}
    head = {
        key: value for key, value in others.items() if key in _fields_of(GameFlow) or not _is_table(value)
    }
    tables = tuple(f"[[{table}]]" for table in TABLES if table != "clock")
    for key in others.keys() - head.keys():
        known = (*tables, "[clock]", "[words.en]", "[words.pl]")
        yield FlowProblem((key, 0, ""), _unknown("flow.unknown-key", f"[[{key}]]", known))
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
        if not one and len(rows) > (most := _most_of(table)):
            yield FlowProblem((table, 0, ""), say("flow.too-many", table=table, most=most))
    if "phase" not in raw:
        yield FlowProblem(("", 0, ""), say("flow.no-phase"))
    yield from _words(raw.get("words", {}))


def _fields(
    raw: dict[str, Any], kind: type[Struct], table: str, index: int, also: set[str]
) -> Iterator[FlowProblem]:
    fields = {name: field for name, field in _fields_of(kind).items() if name not in also}
    for key, value in raw.items():
        where = (table, index, key)
        above = table and key in _fields_of(GameFlow) and key not in TABLES and _fits(value, GameFlow, key)
        if key not in fields:
            wrong = (
                say("flow.belongs-above", field=key) if above else _unknown("flow.unknown-key", key, fields)
            )
            yield FlowProblem(where, wrong)
        elif not _fits(value, kind, key):
            wants = say("flow.bad-value", field=key, wanted=_wanted_of(kind, key))
            yield FlowProblem(where, say("flow.belongs-above", field=key) if above else wants)
        else:
            yield from (FlowProblem(where, say("flow.illegible", field=key)) for _ in _illegible(value))
    for key, field in fields.items():
        if field.required and key not in raw:
            yield FlowProblem((table, index, ""), say("flow.missing", field=key))


def _fits(value: Any, kind: type[Struct], key: str) -> bool:
    """Whether this value is possible for one key."""
    try:
        msgspec.convert({key: value}, _alone(kind, key))
    except msgspec.ValidationError:
        return False
    return all(pattern.fullmatch(word) for pattern, word in _patterned(key, value))


IDS = frozenset(("id", "counter", "pool", "button", "into", "most", "least", "ask", "picks", "count"))
"""The keys whose texts are ids."""


def _patterned(key: str, value: Any) -> Iterator[tuple[re.Pattern[str], str]]:
    """Every text in a value that must fit a pattern."""
    if isinstance(value, dict):
        for inner, one in value.items():
            yield from _patterned(key if inner.isdecimal() else inner, one)
    elif isinstance(value, list):
        for one in value:
            yield from _patterned(key, one)
    elif isinstance(value, str) and key in (*IDS, "rounds"):
        yield re.compile(RANGE if key == "rounds" else ID), value


@cache
def _most_of(table: str) -> int:
    """How many tables of this name there can be. Cached, for the same reason as `_alone`."""
    return inspect.type_info(_fields_of(GameFlow)[table].type).max_length  # type: ignore[attr-defined, no-any-return]


def _is_table(value: Any) -> bool:
    return isinstance(value, dict) or (
        isinstance(value, list) and bool(value) and all(isinstance(one, dict) for one in value)
    )


@cache
def _wanted_of(kind: type[Struct], key: str) -> Text:
    """What can be written for one key. Cached, for the same reason as `_alone`."""
    return _wanted(inspect.type_info(_fields_of(kind)[key].type))


def _wanted(kind: inspect.Type) -> Text:
    """What can be written there, in words."""
    match kind:
        case inspect.UnionType(types):
            wanted = [_wanted(one) for one in types if not isinstance(one, inspect.NoneType)]
            return reduce(lambda one, other: say("flow.want-or", one=one, other=other), wanted)
        case inspect.LiteralType(values):
            words = [plain(f'"{value}"') for value in values]
            return reduce(lambda one, other: say("flow.want-or", one=one, other=other), words)
        case inspect.IntType(ge=low, le=high):
            return say("flow.want-number", low=str(low), high=str(high))
        case inspect.BoolType():
            return plain("true / false")
        case inspect.StrType(min_length=least, max_length=most):
            if most is None:
                return say("flow.want-id")
            return say("flow.want-range") if least is None else say("flow.want-text", most=most)
        case inspect.Metadata(inner):
            return _wanted(inner)
        case inspect.VarTupleType(item, max_length=most):
            return say("flow.want-list", item=_wanted(item), most=most or 0)
        case inspect.TupleType(items):
            return say("flow.want-row", items=tuple(map(_wanted, items)))
        case inspect.DictType(_, value):
            return say("flow.want-by-seats", item=_wanted(value))
        case inspect.StructType(_, fields):
            keys = tuple(plain(f"{{ {field.encode_name} = … }}") for field in fields)
            return reduce(lambda one, other: say("flow.want-or", one=one, other=other), keys)
    raise AssertionError(kind)


@cache
def _fields_of(kind: type[Struct]) -> dict[str, structs.FieldInfo]:
    return {field.encode_name: field for field in structs.fields(kind)}


@cache
def _alone(kind: type[Struct], key: str) -> type[Struct]:
    """A struct with this one field. Cached: msgspec 0.22 crashes if a type with a pattern is built again for
    each value."""
    field = _fields_of(kind)[key]
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
    shown = near(word, names) or tuple(plain(name) for name in names)
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
        if score.lookup and score.points is not None:
            yield FlowProblem(("score", index, "points"), say("flow.lookup-or-points"))
        if score.counter and score.times > 1:
            yield FlowProblem(("score", index, "times"), say("flow.counter-once"))
    for index, tie in enumerate(flow.tie):
        if bool(tie.ask) == bool(tie.least):
            yield FlowProblem(("tie", index, ""), say("flow.ask-or-least"))
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
    buttons = set(flow.buttons)
    asked: list[tuple[FilePlace, str, set[str], str]] = []
    if isinstance(start, ByCounter):
        asked += [(("", 0, "start"), id, seat, "counter") for id in (start.most, start.least)]
    for table, phases in (("phase", flow.phase), ("closing", flow.closing)):
        for index, phase in enumerate(phases):
            asked += [
                ((table, index, "count"), id, counters | pools | buttons, "counter") for id in phase.count
            ]
            if isinstance(phase.turns, TurnsOf):
                asked.append(((table, index, "turns"), phase.turns.counter, seat, "counter"))
    asked += [(("pool", index, "into"), pool.into, seat, "counter") for index, pool in enumerate(flow.pool)]
    asked += [(("score", n, "counter"), score.counter, seat, "counter") for n, score in enumerate(flow.score)]
    for index, end in enumerate(flow.end):
        for key, conditions in (("any", end.any), ("all", end.all)):
            for one in conditions:
                asked.append((("end", index, key), one.pool, pools, "pool"))
                asked.append((("end", index, key), one.counter, counters, "counter"))
    for where, id, known, table in asked:
        if not id or id in known:
            continue
        if id in counters:
            yield FlowProblem(where, say("flow.of-table", id=id))
        elif known:
            yield FlowProblem(where, _unknown("flow.unknown-id", id, known))
        else:
            yield FlowProblem(where, say("flow.none-there", word=quoted(id), table=table))
    into = [pool.into for pool in flow.pool if pool.into]
    for index, pool in enumerate(flow.pool):
        if pool.into and into.count(pool.into) > 1:
            yield FlowProblem(("pool", index, "into"), say("flow.two-pools", id=pool.into))


def _by_seats(flow: GameFlow) -> Iterator[FlowProblem]:
    """A number by seats must say it for every number of seats."""
    tables: list[tuple[FilePlace, Any]] = [(("", 0, "rounds"), flow.rounds)]
    tables += [(("pool", index, "start"), pool.start) for index, pool in enumerate(flow.pool)]
    for table, phases in (("phase", flow.phase), ("closing", flow.closing)):
        tables += [
            ((table, index, "turns"), phase.turns.seats)
            for index, phase in enumerate(phases)
            if isinstance(phase.turns, TurnsOf) and phase.turns.seats
        ]
        tables += [
            ((table, index, "picks"), phase.picks)
            for index, phase in enumerate(phases)
            if isinstance(phase.picks, dict)
        ]
    for where, told in tables:
        values = told.values() if isinstance(told, dict) else [1 if told is None else told]
        if isinstance(told, dict) and set(told) != {str(n) for n in flow.seats}:
            yield FlowProblem(where, say("flow.by-seats", seats=tuple(plain(str(n)) for n in flow.seats)))
        if any(isinstance(value, int) and value < 1 for value in values):
            yield FlowProblem(where, say("flow.too-few"))


def _phase(flow: GameFlow, phase: FlowPhase, table: str) -> Iterator[tuple[str, Text]]:
    picked = {pick for other in flow.phase for pick in other.every_pick}
    if phase.who is None and phase.turns is None:
        yield "", say("flow.who-or-turns")
    if phase.who is not None and phase.turns is not None:
        yield "turns", say("flow.not-both")
    if isinstance(phase.turns, TurnsOf) and bool(phase.turns.counter) == bool(phase.turns.seats):
        yield "turns", say("flow.counter-or-seats")
    if phase.others and phase.turns is None:
        yield "others", say("flow.needs-turns", field="others")
    if phase.passed != "out" and phase.turns != "pass":
        yield "passed", say("flow.needs-pass")
    if phase.when == "picked" and phase.id not in picked:
        yield "if", say("flow.never-picked", id=phase.id)
    by_table = any(phase.id in other.every_pick for other in flow.phase if other.who == "table")
    if by_table and (phase.when != "picked" or phase.who is None or phase.picks):
        yield "", say("flow.picked-by-table", id=phase.id)
    if phase.who == "all" and phase.picks:
        yield "picks", say("flow.picks-of-all")
    lists = (*(("picks", phase.picks_of(n)) for n in flow.seats), ("count", phase.count))
    for key, ids in lists:
        if twice := next((id for id in ids if ids.count(id) > 1), None):
            yield key, say("flow.twice", id=plain(twice))
    if table == "closing" and (phase.rounds is not None or phase.when is not None or phase.picks):
        yield "", say("flow.closing-once")
    if isinstance(phase.rounds, str):
        first, _, last = phase.rounds.partition("-")
        if last and int(last) < int(first):
            yield "rounds", say("flow.rounds-backwards")
    last_round = flow.most_rounds
    if last_round is not None and phase.rounds is not None:
        wanted = (int(phase.rounds.partition("-")[0]),) if isinstance(phase.rounds, str) else phase.rounds
        if max(wanted) > last_round:
            yield "rounds", count("flow.rounds-too-late", last_round, round=max(wanted))
