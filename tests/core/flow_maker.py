"""Flows made at random: most can be played, some have something wrong on purpose."""

from __future__ import annotations

import json
import re
from random import Random
from typing import Any

WORDS = ("dig", "sail", "trade", "feast", "build", "draft", "vote", "rest", "hunt", "fish")
THINGS = ("gold", "wood", "fame", "ships", "stone", "cards", "votes", "fields")
WRONG: tuple[Any, ...] = (
    -1,
    0,
    10_000,
    "",
    "x" * 200,
    "Ünknown",
    True,
    [],
    {},
    [[1]],
    {"counter": "nothing"},
    "pass",
    None,
    1.5,
    "a\u202eb",
)
KEYS = ("id", "say", "who", "turns", "passed", "others", "picks", "count", "rounds", "if", "soft", "colour")


def made_flow(random: Random) -> str:
    """The text of a flow; about a third have something wrong in them."""
    flow = _flow(random)
    if random.random() < 0.35:
        _spoil(flow, random)
    return _toml(flow)


def _flow(random: Random) -> dict[str, Any]:
    seats = sorted(random.sample(range(1, 7), random.randint(1, 4)))
    ids = random.sample(THINGS, random.randint(0, 5))
    split = random.randint(0, len(ids))
    counters = [_counter(id, random) for id in ids[:split]]
    own = [one["id"] for one in counters if one.get("of", "seat") == "seat"]
    pools: list[dict[str, Any]] = [{"id": id, "start": _by_seats(random, seats)} for id in ids[split:]]
    for pool, into in zip(pools, own, strict=False):
        if random.random() < 0.5:
            pool["into"] = into
    names = random.sample(WORDS, random.randint(1, 6))
    cut = random.randint(1, len(names))
    phases = [_phase(id, random, ids, own, names[:cut], seats) for id in names[:cut]]
    picked = {id for phase in phases for id in _picks(phase)}
    phases = [
        {"id": one["id"], "who": "all", "if": "picked"} if one["id"] in picked and "picks" not in one else one
        for one in phases
    ]
    flow: dict[str, Any] = {"id": "made", "name": "Made", "seats": seats}
    passing = any(one.get("turns") == "pass" for one in phases)
    starts: list[Any] = ["stay", "next", "marker", "ask-order"]
    starts += ({random.choice(("most", "least")): id} for id in own)
    flow["start"] = random.choice([*starts, *(("first-pass", "pass-order") if passing else ())])
    ends = [end for _ in range(random.randint(0, 3)) if (end := _end(random, counters, pools))]
    if not ends or random.random() < 0.5:
        flow["rounds"] = _by_seats(random, seats, 6)
    closing = [_closing(id, random) for id in names[cut:]]
    scores = [_score(f"line-{n}", random, own) for n in range(random.randint(0, 4))]
    ties = [{random.choice(("ask", "least")): id} for id in random.sample(THINGS, random.randint(0, 2))]
    if random.random() < 0.3:
        flow["clock"] = {"soft": random.randint(1, 120), "tokens": random.randint(0, 2)}
    if random.random() < 0.3:
        flow["words"] = {"pl": {id: f"Słowo {id}" for id in (*names, *ids)}}
    lists = {"phase": phases, "counter": counters, "pool": pools, "end": ends}
    lists |= {"closing": closing, "score": scores, "tie": ties}
    return flow | {key: value for key, value in lists.items() if value}


def _picks(phase: dict[str, Any]) -> set[str]:
    picks = phase.get("picks", ())
    return {id for ids in picks.values() for id in ids} if isinstance(picks, dict) else set(picks)


def _by_seats(random: Random, seats: list[int], most: int = 12) -> Any:
    if random.random() < 0.6:
        return random.randint(1, most)
    return {str(n): random.randint(1, most) for n in seats}


def _counter(id: str, random: Random) -> dict[str, Any]:
    low, size = random.randint(-5, 2), random.randint(1, 12)
    made: dict[str, Any] = {"id": id, "of": random.choice(("seat", "seat", "table"))}
    made |= {"range": [low, low + size], "start": random.randint(low, low + size - 1)}
    return made | {"step": random.randint(1, 3)}


def _phase(
    id: str, random: Random, ids: list[str], own: list[str], names: list[str], seats: list[int]
) -> dict[str, Any]:
    made: dict[str, Any] = {"id": id}
    kinds = ["all", "table", "pass", "n", "list", "seats", "picks", *(["counter"] if own else [])]
    match random.choice(kinds):
        case "all" | "table" as who:
            made["who"] = who
        case "picks":
            others = [name for name in names if name != id]
            picks = random.sample(others, random.randint(0, len(others)))
            if random.random() < 0.3:
                made["picks"] = {str(n): picks[: random.randint(0, len(picks))] for n in seats}
            else:
                made["picks"] = picks
            made["who"] = "table"
        case "pass":
            made |= {"turns": "pass", "passed": random.choice(("out", "back", "may-react"))}
        case "n":
            made |= {"turns": random.randint(1, 3), "others": random.random() < 0.3}
        case "list":
            made["turns"] = [random.randint(1, 3) for _ in range(random.randint(1, 4))]
        case "seats":
            made["turns"] = {"seats": {str(n): random.randint(1, 3) for n in seats}}
        case "counter":
            made["turns"] = {"counter": random.choice(own)}
    if random.random() < 0.3:
        made["rounds"] = random.choice(("2-", "1-2", [1, 3], [2]))
    if random.random() < 0.4:
        made["count"] = random.sample(ids, random.randint(0, len(ids)))
    if random.random() < 0.2:
        made["soft"] = random.randint(1, 90)
    if random.random() < 0.5:
        made["say"] = ["Remember this"]
    return made


def _closing(id: str, random: Random) -> dict[str, Any]:
    return {"id": id, **random.choice(({"who": "all"}, {"turns": 1}, {"turns": "pass"}))}


def _end(random: Random, counters: list[dict[str, Any]], pools: list[dict[str, Any]]) -> dict[str, Any]:
    every: list[dict[str, str]] = [{"button": "it-happened"}]
    every += [{"counter": one["id"]} for one in counters] + [{"pool": one["id"]} for one in pools]
    some = random.sample(every, random.randint(1, min(3, len(every))))
    then = random.choice(("now", "round", "equal-turns", {"rounds": random.randint(1, 2)}))
    return {random.choice(("any", "all")): some, "then": then, "warn": random.randint(0, 4)}


def _score(id: str, random: Random, own: list[str]) -> dict[str, Any]:
    if own and random.random() < 0.4:
        line = {"id": id, "counter": random.choice(own)}
        return line | random.choice(({"points": random.randint(-3, 5)}, {"lookup": [[-2, -1], [1, 3]]}))
    if random.random() < 0.4:
        return {"id": id, "lookup": [[n * 2, n * 3] for n in range(random.randint(1, 4))], "times": 2}
    return {"id": id, "max": random.randint(1, 50)}


def _spoil(flow: dict[str, Any], random: Random) -> None:
    """Put something wrong anywhere, or take something away."""
    table: Any = flow
    while random.random() < 0.7:
        inner = [value for value in table.values() if isinstance(value, list | dict) and value]
        if not inner:
            break
        chosen = random.choice(inner)
        rows = (
            [row for row in chosen if isinstance(row, dict) and row] if isinstance(chosen, list) else [chosen]
        )
        if not rows:
            break
        table = random.choice(rows)
    key = random.choice([*table, random.choice(KEYS)])
    if key in table and random.random() < 0.4:
        del table[key]
    else:
        table[key] = random.choice([one for one in WRONG if one is not None])


def _toml(flow: dict[str, Any]) -> str:
    """As a file: a table for each row of a list, everything else inline."""
    head, tables = [], []
    for key, value in flow.items():
        rows = value if isinstance(value, list) else []
        if rows and all(isinstance(row, dict) for row in rows):
            tables += [
                "\n".join([f"[[{key}]]", *(f"{_key(k)} = {_inline(v)}" for k, v in row.items())])
                for row in rows
            ]
        else:
            head.append(f"{_key(key)} = {_inline(value)}")
    return "\n\n".join(["\n".join(head), *tables]) + "\n"


def _key(key: str) -> str:
    return key if re.fullmatch("[A-Za-z0-9_-]+", key) else json.dumps(key)


def _inline(value: Any) -> str:
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{_key(k)} = {_inline(v)}" for k, v in value.items()) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(map(_inline, value)) + "]"
    return json.dumps(value, ensure_ascii=False)
