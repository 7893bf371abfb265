"""What is wrong with a flow besides its format: everything that does not go together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Any

from msgspec import Struct

from companion.core.flow.format import ByCounter, FlowPhase, GameFlow, TurnsOf
from companion.core.positions import near, quoted
from companion.core.words import Text, count, plain, say

FilePlace = tuple[str, int, str]
"""A table of the file, the how-manieth of its name, and a key; the head of the file is table ""."""


class FlowProblem(Struct, frozen=True):
    """Something wrong with a flow, and where it is."""

    where: FilePlace
    text: Text


def contradictions(flow: GameFlow, taken: frozenset[str]) -> Iterator[FlowProblem]:
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
    full = {counter.id for counter in flow.counter if counter.start == counter.high}
    for index, end in enumerate(flow.end):
        for id in (one.counter for one in end.conditions if one.counter in full):
            yield FlowProblem(("end", index, "any" if end.any else "all"), say("flow.ends-at-once", id=id))
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
            yield FlowProblem(where, unknown("flow.unknown-id", id, known))
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


def unknown(slug: str, word: str, known: Iterable[str]) -> Text:
    """An unknown word, with the known ones most like it, or all."""
    names = sorted(known)
    shown = near(word, names) or tuple(plain(name) for name in names)
    return say(slug, word=quoted(word), known=shown)
