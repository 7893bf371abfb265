"""Reads a flow file: strict, with limits, and with every problem and its line at once."""

from __future__ import annotations

import copy
import re
import tomllib
from collections import Counter as Tally
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache, reduce
from typing import Any

import msgspec
from msgspec import Struct, inspect, structs

from companion.core.flow.contradictions import FilePlace, FlowProblem, contradictions, unknown
from companion.core.flow.format import (
    ID,
    RANGE,
    FlowClock,
    FlowCounter,
    FlowEnd,
    FlowPhase,
    FlowPool,
    FlowScore,
    FlowTie,
    GameFlow,
)
from companion.core.positions import quoted
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
DEEPEST = 10
"""More levels of tables and lists than the format has."""
KEY = re.compile(r"^\s*[\"']?([A-Za-z0-9_-]+)[\"']?\s*[.=]")


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
    except RecursionError as e:
        raise _too_deep(text) from e
    except (tomllib.TOMLDecodeError, ValueError) as e:
        raise _not_toml(str(e), len(text.split("\n"))) from e
    if _is_deep(raw):
        raise _too_deep(text)
    problems = list(_shape(raw))
    flow = _without(raw, problems)
    if flow is not None:
        rows = {problem.where[:2] for problem in problems}
        more = (one for one in contradictions(flow, frozenset(taken)) if one.where[:2] not in rows)
        known = "seats" in raw and all(problem.where != ("", 0, "seats") for problem in problems)
        problems += [one for one in more if known or one.text.key != "flow.by-seats"]
        if not problems:
            return flow
    raise DataTrouble(count("flow.problems", len(problems)), tuple(_at(problems, lines_of(text))))


def _is_deep(raw: dict[str, Any]) -> bool:
    """Whether a value lies deeper than any of the format, so that reading it may exhaust the stack."""
    inner: list[Any] = [raw]
    for _ in range(DEEPEST):
        within = (one.values() if isinstance(one, dict) else one for one in inner)
        inner = [one for values in within for one in values if isinstance(one, dict | list)]
    return bool(inner)


def _too_deep(text: str) -> DataTrouble:
    """Told of the line with the most brackets and dots."""
    lines = [len(re.findall(r"[.\[{]", line)) for line in text.split("\n")]
    trouble = say("flow.in-line", line=lines.index(max(lines)) + 1, problem=say("flow.too-deep"))
    return DataTrouble(trouble, (trouble,))


def _not_toml(why: str, last: int) -> DataTrouble:
    """What Python's reader objects to, after its line."""
    at = AT_LINE.search(why)
    told = "".join(c if legible(c) else "?" for c in (why[: at.start()] if at else why)[:LONGEST_WHY])
    told = told.removesuffix("(at end of document)").strip()
    line = int(at[1]) if at else last
    trouble = say("flow.in-line", line=line, problem=say("flow.not-toml", why=told))
    return DataTrouble(trouble, (trouble,))


def _without(raw: dict[str, Any], problems: Iterable[FlowProblem]) -> GameFlow | None:
    """The flow with something harmless instead of what is wrong, so that the rest can be checked as well; None if
    too little is left."""
    left = copy.deepcopy(raw)
    for table, index, key in (problem.where for problem in problems):
        if table.startswith("words") or (table and table not in TABLES):
            left.pop("words" if table.startswith("words") else table, None)
            continue
        rows = left.get(table) if table else left
        row = rows[index] if isinstance(rows, list) and index < len(rows) else rows
        if isinstance(row, dict):
            row.pop(key, None)
    filled = {"id": "x", "name": "X", "seats": [1]} | left
    for table in ("phase", "closing", "score"):  # nothing refers to their ids but what is in the same row
        for index, row in enumerate(rows if isinstance(rows := left.get(table), list) else ()):
            if isinstance(row, dict):
                row.setdefault("id", f"{table}-{index}")
    try:
        return msgspec.convert(filled, GameFlow)
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
    places = (where, (table, index, ""), (table, 0, ""), ("", 0, table))
    return next((lines[place] for place in places if place in lines), 1)


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
        yield FlowProblem((key, 0, ""), unknown("flow.unknown-key", f"[[{key}]]", known))
    yield from _fields(head, GameFlow, "", 0, {*TABLES, "words"})
    for table, kind in TABLES.items():
        if table not in raw:
            continue
        one = table == "clock"
        rows = [raw[table]] if one else raw[table]
        if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
            written = "[clock]" if one else f"[[{table}]]"
            yield FlowProblem((table, 0, ""), say("flow.not-a-table", table=table, head=written))
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
                say("flow.belongs-above", field=key) if above else unknown("flow.unknown-key", key, fields)
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
    if isinstance(value, str) and not value.strip():
        return False
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
        yield FlowProblem(("words", 0, ""), say("flow.not-a-table", table="words", head="[words.en]"))
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
