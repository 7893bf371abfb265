"""What the score-only positions of all games share: strict JSON, and reporting everything that is malformed."""

from __future__ import annotations

import difflib
import json
from collections import Counter as Tally
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

import msgspec
from msgspec import inspect

from companion.core.words import Text, count, legible, plain, say
from companion.errors import DataTrouble
from scoring.sheet import Sheet

if TYPE_CHECKING:
    from companion.core.game import Box

P = TypeVar("P")

MOST_VALUES = 6000
"""Limit of values in one file: a full table has about 300, with all printed values included about 4,000."""


def tie_break(sheet: Sheet, broken: str, shared: str) -> Text | None:
    """The sentence of a game whose first tie-break is a number; None if there was no tie."""
    if not sheet.tied:
        return None
    tied = sorted((seat for seat in sheet.seats if seat.name in sheet.tied), key=lambda seat: seat.rank)
    return count(
        shared if len(sheet.winners) > 1 else broken,
        tied[0].total,
        compared=tuple(plain(f"{seat.name} {seat.tie[0]}") for seat in tied),
        winners=tuple(map(plain, sheet.winners)),
    )


def parse(data: bytes) -> dict[str, Any]:
    """A JSON object as plain values; raises `DataTrouble` that says where it is malformed."""
    if data.startswith(b"\xef\xbb\xbf"):
        raise DataTrouble(say("score.bom"))
    try:
        text = data.decode()
    except UnicodeDecodeError as e:
        raise DataTrouble(say("score.not-text", byte=e.start + 1)) from e
    if not text.strip():
        raise DataTrouble(say("score.empty"))
    raw = _loaded(text)
    if not isinstance(raw, dict):
        raise DataTrouble(say("score.not-an-object", found=_kind(raw)))
    # Checked before any comparison: comparing a million seats would take hours.
    if sum(1 for _ in islice(_values(raw), MOST_VALUES + 1)) > MOST_VALUES:
        raise DataTrouble(say("score.too-many-values", most=str(MOST_VALUES)))
    return raw


def _values(raw: Any) -> Iterator[Any]:
    """Every value inside this one, and the name of every field."""
    rest = [raw]
    while rest:
        value = rest.pop()
        yield value
        if isinstance(value, dict):
            rest.extend((*value, *value.values()))
        elif isinstance(value, list):
            rest.extend(value)


def _loaded(text: str) -> Any:
    try:
        raw = json.loads(text, object_pairs_hook=_object, parse_constant=_not_a_number)
        if "\\u" in text:  # escapes can spell half a surrogate pair, which cannot be encoded
            json.dumps(raw, ensure_ascii=False).encode()
        return raw
    except DataTrouble:
        raise
    except json.JSONDecodeError as e:
        raise DataTrouble(say("score.not-json", line=e.lineno, column=e.colno)) from e
    except UnicodeEncodeError as e:
        raise DataTrouble(say("score.half-letter")) from e
    except RecursionError as e:
        raise DataTrouble(say("score.too-deep")) from e
    except ValueError as e:  # only integers with thousands of digits are left
        raise DataTrouble(say("score.number-too-long")) from e


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields = dict(pairs)
    if len(fields) < len(pairs):
        twice = [name for name, times in Tally(name for name, _ in pairs).items() if times > 1]
        raise DataTrouble(say("score.doubled-field", fields=tuple(plain(quoted(name)) for name in twice)))
    return fields


def _not_a_number(word: str) -> NoReturn:
    raise DataTrouble(say("score.not-a-number", word=word))


def checked(raw: dict[str, Any], type_: type[P], status: Callable[[P], tuple[Text, ...]]) -> P:
    """These plain values as a position; raises `DataTrouble` with all problems, not just the first."""
    problems: list[Text] = []
    try:
        position = msgspec.convert(raw, type_)
    except msgspec.ValidationError:
        known = _fitted(raw, inspect.type_info(type_), "", problems)
        try:
            position = msgspec.convert(known, type_)
        except msgspec.ValidationError:
            raise _trouble(problems) from None
    problems.extend(status(position))
    if problems:
        raise _trouble(problems)
    return position


def _trouble(problems: list[Text]) -> DataTrouble:
    return DataTrouble(count("score.problems", len(problems)), tuple(problems))


def _fitted(raw: Any, wanted: inspect.Type, where: str, problems: list[Text]) -> Any:
    """The same values without unknown fields; whatever does not fit is added to `problems`, with its path."""
    if isinstance(wanted, inspect.Metadata):
        return _fitted(raw, wanted.type, where, problems)
    if isinstance(wanted, inspect.AnyType):
        return raw
    if _kind(raw) != KINDS[type(wanted)]:
        problems.append(say("score.wrong-kind", where=where, wanted=KINDS[type(wanted)], found=_kind(raw)))
        return raw
    if isinstance(wanted, inspect.StructType):
        return dict(_fields(raw, wanted, where, problems))
    if isinstance(wanted, inspect.DictType):
        return {
            name: _fitted(value, wanted.value_type, f"{where}.{quoted(name)}", problems)
            for name, value in raw.items()
        }
    if isinstance(wanted, inspect.VarTupleType):
        return [_fitted(item, wanted.item_type, f"{where}[{i}]", problems) for i, item in enumerate(raw)]
    return raw


def _fields(
    raw: dict[str, Any], wanted: inspect.StructType, where: str, problems: list[Text]
) -> Iterator[tuple[str, Any]]:
    before = where and f"{where}."
    known = tuple(plain(field.encode_name) for field in wanted.fields)
    names = {field.encode_name for field in wanted.fields}
    for name in raw:
        if name not in names:
            problems.append(say("score.unknown-field", where=before + quoted(name), known=known))
    for field in wanted.fields:
        name = field.encode_name
        if name in raw:
            yield name, _fitted(raw[name], field.type, before + name, problems)
        elif field.required:
            problems.append(say("score.missing-field", where=before + name))


KINDS: dict[type[inspect.Type], Text] = {
    inspect.StructType: say("score.kind.object"),
    inspect.DictType: say("score.kind.object"),
    inspect.VarTupleType: say("score.kind.list"),
    inspect.StrType: say("score.kind.text"),
    inspect.IntType: say("score.kind.whole-number"),
    inspect.BoolType: say("score.kind.truth"),
}


def _kind(raw: Any) -> Text:
    kinds = {
        dict: "object",
        list: "list",
        str: "text",
        int: "whole-number",
        float: "fraction",
        bool: "truth",
        type(None): "nothing",
    }
    return say(f"score.kind.{kinds[type(raw)]}")


def head_problems(box: Box, game: str, names: Sequence[str]) -> Iterator[Text]:
    """What is wrong with a position's game, its number of players and their names."""
    if game != box.id:
        yield say("score.other-game", game=quoted(game), name=box.name, id=box.id)
    if len(names) not in box.seats:
        yield count("score.seats", len(names), game=box.name, low=min(box.seats), high=max(box.seats))
    for i, name in enumerate(names):
        if not name.strip():
            yield say("score.no-name", where=f"seats[{i}]")
        elif not legible(name):
            yield say("score.steering-name", where=f"seats[{i}]", name=quoted(name))
    for name, times in Tally(name.strip() for name in names).items():
        if times > 1 and name:
            yield count("score.same-name", times, name=quoted(name))


def seat_called(index: int, names: Sequence[str]) -> str:
    """A seat's name, or its index in the file if the name is missing or not unique."""
    name = names[index].strip()
    alone = name and sum(other.strip() == name for other in names) == 1
    return quoted(names[index]) if alone else f"seats[{index}]"


def near(word: str, known: Iterable[str]) -> tuple[Text, ...]:
    """Known words that look like this one, the nearest first."""
    return tuple(plain(found) for found in difflib.get_close_matches(word.casefold()[:100], list(known)))


def quoted(word: str) -> str:
    """A word from a file, safe to show: shortened, and without terminal control characters."""
    shown = "".join(letter if legible(letter) else "?" for letter in word[:60])
    return shown if len(word) <= 60 else f"{shown}..."
