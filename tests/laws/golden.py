"""The golden files of a game's declared parts: `python -m tests.laws.golden GAME` writes them.

Three files for each game: the schema of a finished table; what can be corrected along a play by bots, with
its sheet; what is asked about a finished table, its sheet, and the problems of files with one mistake each. A
refactoring leaves them unchanged. After a deliberate change, write them again and read the difference.
"""

from __future__ import annotations

import copy
import hashlib
import json
import re
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from random import Random
from textwrap import fill
from typing import Any

import msgspec

from companion.core.autoplay import play
from companion.core.counters import Correctable
from companion.core.game import Game, Setup, every_game
from companion.core.parts import Positions
from companion.core.words import Argument, Text
from companion.errors import DataTrouble
from scoring.sheet import Sheet
from tests.laws.walks import GAMES, NAMES

FOLDER = Path(__file__).parent / "golden"
MOMENTS = 12
"""Of a play: so many tables of it are looked at."""
SHOWN = 6
"""Problems of one file in words; the others are in its digest."""


def files(game: Game) -> dict[str, str]:
    """Every file of a game, by its name."""
    made: dict[str, Any] = {"play": _play(game)}
    if game.positions is not None:
        made |= {"schema": game.positions.schema(), "files": _files(game, game.positions)}
    return {f"{game.id}.{what}.json": _written(value) for what, value in made.items()}


def _written(value: Any) -> str:
    """JSON with a line for each thing that has nothing longer in it; the order of fields counts."""
    return _lines(json.loads(msgspec.json.encode(value)), "") + "\n"


def _lines(value: Any, before: str) -> str:
    short = json.dumps(value, ensure_ascii=False)
    if len(before) + len(short) <= 110 or not isinstance(value, dict | list):
        return short
    deeper = before + " "
    if isinstance(value, list) and all(isinstance(one, str) and " " not in one for one in value):
        words = ", ".join(json.dumps(one, ensure_ascii=False) for one in value)
        return "[\n" + fill(words, 110, initial_indent=deeper, subsequent_indent=deeper) + f"\n{before}]"
    if isinstance(value, list):
        return "[\n" + ",\n".join(deeper + _lines(one, deeper) for one in value) + f"\n{before}]"
    rows = (f"{deeper}{json.dumps(name)}: {_lines(one, deeper)}" for name, one in value.items())
    return "{\n" + ",\n".join(rows) + f"\n{before}}}"


def _told(value: Argument) -> str:
    """A sentence as its key and arguments, whatever its words are."""
    if isinstance(value, tuple):
        return ", ".join(map(_told, value))
    if not isinstance(value, Text):
        return str(value)
    if value.key in ("core.plain", "core.named"):
        return str(value.args["words" if value.key == "core.plain" else "id"])
    return f"{value.key}({'; '.join(f'{name}={_told(one)}' for name, one in value.args.items())})"


def _counter(counter: Correctable) -> str:
    seat = "" if counter.seat is None else f" of {counter.seat}"
    values = (
        ", ".join(f"{n} {_told(text)}" for n, text in counter.names) or f"{counter.low} to {counter.high}"
    )
    return f"{counter.id}{seat} = {counter.value} ({values}) {_told(counter.text)}"


def _sheet(sheet: Sheet) -> list[str]:
    """A sheet with a line for each seat, and a digest of all there is in it."""
    seats = [
        f"{seat.rank}. {seat.name} {seat.total} {seat.tie}: "
        + ", ".join(f"{line.what} {line.points}" for line in seat.lines)
        for seat in sheet.seats
    ]
    return [*seats, _digest([msgspec.json.encode(sheet).decode()])]


def _digest(lines: Iterable[str]) -> str:
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:16]


# Along a play


def _play(game: Game) -> dict[str, Any]:
    states = [state for state, _ in play(game, Setup(game.id, NAMES[: game.box.seats[0]]), seed=7)]
    looked_at = [states[n * (len(states) - 1) // MOMENTS] for n in range(MOMENTS + 1)]
    every = [[_counter(counter) for counter in game.counters(state)] for state in looked_at]
    sorts = {re.split("[:-]", told)[0]: told for told in every[-1]}
    return {
        "counters at the end, one of each sort": list(sorts.values()),
        "all counters, moment by moment": list(map(_digest, every)),
        "sheets": [_sheet(game.sheet(state)) for state in (states[len(states) // 2], states[-1])],
    }


# Finished tables


def _files(game: Game, positions: Positions) -> dict[str, Any]:
    sample = game.sample()
    knowing = positions.knowing(sample) if sample else positions
    examples = positions.examples
    return {
        "examples": [_sheet(positions.sheet(positions.position_of(copy.deepcopy(one)))) for one in examples],
        "asked": [_asked(game, positions, usual) for usual in (True, False)],
        "asked, box taught": [_asked(game, knowing, usual) for usual in (True, False)] if sample else [],
        "problems": {
            what: _problems(positions, raw)
            for one in examples[:1]
            for what, raw in spoilt(one, positions.schema())
        },
    }


@cache
def _lying(id: str) -> dict[str, tuple[str, ...]]:
    """What lies before each seat after a play by bots."""
    game = every_game()[id]
    *_, (state, _) = play(game, Setup(id, NAMES[: game.box.seats[0]]), seed=1)
    return {seat.name: tuple(p.component for p in seat.components) for seat in game.view(state).seats}


def _asked(game: Game, positions: Positions, usual: bool) -> dict[str, Any]:
    """What is asked after a play by bots, answered as it is suggested or with anything that fits."""
    lying, random, asked = _lying(game.id), Random(5), list[str]()

    def ask(counter: Correctable) -> int:
        asked.append(_counter(counter))
        keep = usual and counter.value in counter.values
        return counter.value if keep else random.choice(counter.values[:20])

    try:
        raw = positions.asked(lying, {}, ask)
        return {"asked": asked, "sheet": _sheet(positions.sheet(positions.position_of(raw)))}
    except DataTrouble as trouble:
        return {"asked": asked, "problems": [_told(one) for one in trouble.problems]}


def _problems(positions: Positions, raw: dict[str, Any]) -> list[str]:
    try:
        positions.position_of(raw)
    except DataTrouble as trouble:
        told = list(map(_told, trouble.problems))
        rest = [f"{len(told) - SHOWN} more {_digest(told)}"] if len(told) > SHOWN else []
        return told[:SHOWN] + rest if told else [_told(trouble.text)]
    return []


def spoilt(example: dict[str, Any], schema: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """The example with one mistake in it at a time, in every field of the schema."""
    defs = schema["$defs"]
    table, seat = defs["Position"]["properties"], defs["Seat"]["properties"]
    for field, rule in table.items():
        if field != "seats":
            for what, value in _wrong(example.get(field), rule, defs):
                yield f"{field}{what}", {**copy.deepcopy(example), field: value}
    first, second, *others = copy.deepcopy(example["seats"])
    for field, rule in seat.items():
        for what, value in _wrong(first.get(field), rule, defs):
            yield f"seat.{field}{what}", {**example, "seats": [{**first, field: value}, second, *others]}
        if field in first:
            same = [first, {**second, field: first[field]}, *others]
            yield f"seat.{field} the same twice", {**example, "seats": same}
    low = {field: rule["minimum"] - 1 for field, rule in seat.items() if "minimum" in rule}
    words = {field: ["no such", "nor this"] for field, rule in seat.items() if rule.get("type") == "array"}
    for all_wrong in (low, words, low | words):
        yield f"all of {', '.join(all_wrong)}", {**example, "seats": [first | all_wrong, second, *others]}
    yield "nobody", {**example, "seats": []}


def _wrong(value: Any, rule: dict[str, Any], defs: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """Values that cannot stand in a field, each with what it is called."""
    for one in (rule, *rule.get("anyOf", ())):
        if "$ref" in one:
            rule = {**rule, **defs[one["$ref"].rpartition("/")[2]]}
    yield " a fraction", 1.5
    if "minimum" in rule:
        yield " too small", rule["minimum"] - 1
        yield " too large", rule["maximum"] + 1
    if rule.get("type") == "string":
        yield " unknown", "weather"
    if rule.get("type") == "array":
        known = _known(rule.get("items", {}))
        yield " unknown", [*(value or ()), "weather"]
        yield " numbers", [*(value or ()), 99]
        yield " empty", []
        if known and isinstance(known[0], str):
            yield " misspelt", [*(value or ()), f"{known[-1]}e", known[-1].upper(), f"{known[0]}:9"]
        if known:
            yield " of anything", [*(value or ()), known[0], known[len(known) // 2], known[-1]]
            yield " of everything", known
        if value:
            yield " with one twice", [*value, value[0]]
    if rule.get("type") == "object" and "properties" in rule:
        of = value or {}
        yield ".weather", {**of, "weather": 1}
        names = [name for name in rule["properties"] if name in of or len(rule["properties"]) < 12]
        for name in names or list(rule["properties"])[:2]:
            for what, wrong in _wrong(of.get(name), rule["properties"][name], defs):
                yield f".{name}{what}", {**of, name: wrong}


def _known(items: dict[str, Any]) -> list[Any]:
    found: list[Any] = items.get("enum", [])
    return next((one["enum"] for one in items.get("anyOf", ()) if "enum" in one), found)


def main() -> None:
    """Write the files of the games named."""
    FOLDER.mkdir(exist_ok=True)
    for game in GAMES:
        if game.id in sys.argv[1:]:
            for name, text in files(game).items():
                (FOLDER / name).write_text(text, "utf-8")
                print(name, len(text.splitlines()), "lines")


if __name__ == "__main__":
    main()
