"""Journals of generated evenings, and a slow second calculation of their figures, by SQL over the same file."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import msgspec

from companion.core.annotations import Deleted, Merged, Noted, PlaceNote, TypedResult, TypedSeat
from companion.core.entries import Entry, Paused, Summary, encode_entry
from companion.core.game import Setup, boxes
from companion.core.journal import EntryRow, Journal, PlayRow, StoredPlay, insert
from companion.core.store import Store
from scoring.count import Tally, sheet_of
from scoring.sheet import Line, Sheet

NAMES = (
    "Ala",
    "Bartłomiej",
    "Żaneta",
    "Ćwirek",
    "Ewa",
    "Filip",
    "Gosia",
    "Hubert",
    "zosia",
    "Zosia",
    "Zofia",
)
SOURCES = ("chips", "worlds", "developments", "goods", "penalty")
CARDS = tuple(f"card-{n}" for n in range(40))
GAMES = tuple(boxes())


def generate(path: Path, plays: int, seed: int = 1) -> None:
    """A journal with so many plays: ties, negative points, stopped, light, corrected and old plays, deleted ones,
    typed results and merged spellings among them."""
    random = Random(seed)
    with Store(path) as store:
        journal = Journal(store)
        with journal.together(), store.writing() as db:
            for id in range(1, plays + 1):
                insert(db, _play(id, random))
            notes = journal.annotations
            for id in random.sample(range(1, plays + 1), plays // 50):
                notes.add(Deleted(id), 1e9)
                if random.random() < 0.3:
                    notes.add(Deleted(id, gone=False), 1e9)
            for n in range(plays // 20):
                seq = notes.add(_typed(random), 1e9)
                if n % 9 == 0:
                    notes.add(Deleted(-seq - 1), 1e9)
            for id in random.sample(range(1, plays + 1), plays // 10):
                notes.add(PlaceNote(id, random.choice(("dom", "Łódź"))), 1e9)
                notes.add(Noted(id, "=SUM(A1) świetny wieczór"), 1e9)
            for name, into in (("zosia", "Zofia"), ("Zosia", "Ewa"), ("Zofia", "Zosia"), ("Zosia", "Zosia")):
                notes.add(Merged(name, into), 1e9)


def _play(id: int, random: Random) -> StoredPlay:
    game, seats = random.choice(GAMES), random.choice((1, 2, 2, 3, 3, 3, 4, 5, 6))
    names = tuple(random.sample(NAMES, seats))
    begun = 1.6e9 + id * 9000.0 + random.randrange(5000)
    light, over = random.random() < 0.1, random.random() > 0.08
    setup = Setup(game, names, flow="x" if light else msgspec.UNSET)
    sheet = _sheet(game, names, random) if over else None
    played = float(random.randrange(600, 12_000))
    summary = None
    if over and random.random() > 0.1:
        summary = Summary(
            played,
            tuple(float(random.randrange(60, 3000)) for _ in names),
            random.randrange(1, 20),
            random.choice((0, 0, 0, 2)),
            tuple(random.choice(("", *CARDS[:6])) for _ in names),
            light,
            random.random() < 0.03,
        )
    rules = boxes()[game].rules - (random.random() < 0.05)
    last = Entry(begun + played, Paused(), "00", rules, sheet, summary)
    row = EntryRow(0, begun + played, encode_entry(last))
    play = PlayRow(id, game, ", ".join(names), begun, row.at, 1, row.at if over else None)
    return StoredPlay(play, msgspec.json.encode(setup), (row,))


def _sheet(game: str, names: tuple[str, ...], random: Random) -> Sheet:
    tallies = []
    for name in names:
        lines = tuple(
            Line(
                what,
                random.randrange(-9 if what == "penalty" else 0, 1 if what == "penalty" else 25),
                {card: random.randrange(6) for card in random.sample(CARDS, random.randrange(4))},
            )
            for what in SOURCES
            if random.random() < 0.8
        )
        tallies.append(Tally(name, lines, (random.randrange(3),)))
    return sheet_of(game, tallies)


def _typed(random: Random) -> TypedResult:
    names = random.sample(NAMES, random.randrange(1, 6))
    pointed = random.random() < 0.7
    seats = [
        TypedSeat(name, random.randrange(-5, 60) if pointed else None, not pointed and n == 0)
        for n, name in enumerate(names)
    ]
    minutes = random.choice((None, 45, 90))
    return TypedResult(random.choice(GAMES), 1.6e9 + random.randrange(10**8), tuple(seats), minutes)


# The second calculation

_TABLES = """
CREATE TEMP TABLE note AS SELECT seq, json_extract(CAST(body AS TEXT), '$.what') AS what FROM annotation;
CREATE TEMP TABLE deleted AS
    SELECT n.what ->> 'play' AS id FROM note n WHERE n.what ->> 'type' = 'delete'
    AND seq = (SELECT max(m.seq) FROM note m WHERE m.what ->> 'type' = 'delete' AND m.what ->> 'play' =
        n.what ->> 'play') AND coalesce(n.what ->> 'gone', 1);
CREATE TEMP TABLE merge AS
    SELECT n.what ->> 'name' AS name, n.what ->> 'into' AS into_ FROM note n WHERE n.what ->> 'type' = 'merge'
    AND NOT EXISTS (SELECT 1 FROM note m WHERE m.what ->> 'type' = 'merge' AND m.seq > n.seq
        AND n.what ->> 'name' IN (m.what ->> 'name', m.what ->> 'into'));
CREATE TEMP TABLE ending AS
    SELECT id, game, created AS at, finished IS NOT NULL AND json_type(body, '$.sheet') = 'object' AS over, body,
        CASE WHEN json_type(body, '$.summary') = 'object' THEN body ->> '$.summary.played'
             WHEN last_at - created BETWEEN 1 AND 43199 THEN last_at - created END AS seconds
    FROM (SELECT play.*, CAST(entry.body AS TEXT) AS body FROM play JOIN entry ON play = id AND seq = entries - 1)
    WHERE id NOT IN (SELECT id FROM deleted);
CREATE TEMP TABLE seat AS
    SELECT e.id, e.game, e.at, s.key AS n, s.value ->> 'name' AS spelled, s.value ->> 'total' AS points,
        s.value ->> 'rank' AS rank, s.value AS whole, e.seconds,
        CASE WHEN json_type(e.body, '$.summary') = 'object' THEN e.body ->> ('$.summary.thought[' || s.key || ']') END
            AS thought,
        nullif(e.body ->> ('$.summary.openings[' || s.key || ']'), '') AS opening
    FROM ending e, json_each(e.body, '$.sheet.seats') s WHERE e.over;
INSERT INTO seat
    SELECT -t.seq - 1, t.what ->> 'game', t.what ->> 'played_at', s.key, s.value ->> 'name', s.value ->> 'points',
        CASE WHEN (SELECT count(*) FROM json_each(t.what, '$.seats') WHERE value ->> 'won') = 0
        THEN 1 + (SELECT count(*) FROM json_each(t.what, '$.seats') WHERE value ->> 'points' > s.value ->> 'points')
        WHEN s.value ->> 'won' THEN 1 ELSE 2 END,
        '{"lines": []}', (t.what ->> 'minutes') * 60.0, NULL, NULL
    FROM note t, json_each(t.what, '$.seats') s WHERE t.what ->> 'type' = 'result'
    AND -t.seq - 1 NOT IN (SELECT id FROM deleted);
ALTER TABLE seat ADD COLUMN name;
ALTER TABLE seat ADD COLUMN sat;
UPDATE seat SET name = (WITH RECURSIVE who(name) AS (SELECT spelled UNION SELECT into_ FROM merge JOIN who USING (name))
    SELECT name FROM who WHERE name NOT IN (SELECT name FROM merge WHERE into_ <> name));
CREATE INDEX seat_id ON seat (id);
UPDATE seat SET sat = (SELECT count(*) FROM seat t WHERE t.id = seat.id);
"""


class SecondCalculation:
    """Figures of the plays in a journal by SQL; the chosen plays as in `chosen`."""

    def __init__(self, path: Path) -> None:
        self._db = sqlite3.connect(path)
        self._db.executescript(_TABLES)

    def close(self) -> None:
        self._db.close()

    def _rows(self, query: str, *given: Any) -> list[tuple[Any, ...]]:
        with closing(self._db.execute(query, given)) as found:
            return found.fetchall()

    def choose(self, game: str = "", person: str = "", seats: int = 0) -> None:
        """Calculate with these plays from now on."""
        self._rows("DROP TABLE IF EXISTS c")
        self._rows(
            "CREATE TEMP TABLE c AS SELECT * FROM seat s WHERE (? = '' OR game = ?) AND"
            " (? = '' OR id IN (SELECT id FROM seat WHERE name = ?)) AND"
            " (? = 0 OR (SELECT count(*) FROM seat t WHERE t.id = s.id) = ?)",
            *(game, game, person, person, seats, seats),
        )
        self._rows("CREATE INDEX c_id ON c (id)")
        self._rows("DROP TABLE IF EXISTS p")  # the best seat of each person at a table
        self._rows(
            "CREATE TEMP TABLE p AS SELECT * FROM c WHERE NOT EXISTS (SELECT 1 FROM c t WHERE t.id = c.id"
            " AND t.name = c.name AND (t.rank, t.n) < (c.rank, c.n))"
        )
        self._rows("CREATE INDEX p_id ON p (id)")

    def people(self) -> dict[str, tuple[Any, ...]]:
        """Plays, wins, wins alone, plays with points, points, most points, thinking time by person."""
        found = self._rows(
            "SELECT name, count(*), sum(rank = 1 AND sat > 1), sum(rank = 1 AND sat > 1 AND"
            " (SELECT count(*) FROM p t WHERE t.id = p.id AND t.rank = 1) = 1), count(points),"
            " coalesce(sum(points), 0), max(points), coalesce(sum(thought), 0), count(thought) FROM p GROUP BY name"
        )
        return {name: tuple(rest) for name, *rest in found}

    def sources(self) -> dict[tuple[str, str], int]:
        """Points by person and line of the sheet."""
        query = (
            "SELECT name, l.value ->> 'what', sum(l.value ->> 'points') FROM p, json_each(whole, '$.lines') l"
            " GROUP BY 1, 2"
        )
        return {(name, what): points for name, what, points in self._rows(query)}

    def cards(self) -> dict[str, tuple[int, int, int]]:
        """Seats, wins and points by component."""
        query = (
            "SELECT card, count(*), sum(rank = 1 AND sat > 1), sum(points) FROM (SELECT b.key AS card, c.id, c.n, rank,"
            " sat, sum(b.value) AS points FROM c, json_each(whole, '$.lines') l, json_each(l.value, '$.because') b"
            " GROUP BY 1, 2, 3) GROUP BY card"
        )
        return {card: (times, wins, points) for card, times, wins, points in self._rows(query)}

    def openings(self) -> dict[str, tuple[int, int]]:
        """Times and wins by first choice."""
        query = (
            "SELECT opening, count(*), sum(rank = 1 AND sat > 1) FROM c WHERE opening IS NOT NULL GROUP BY 1"
        )
        return {what: (times, wins) for what, times, wins in self._rows(query)}

    def pairs(self) -> dict[tuple[str, str], tuple[int, int, int]]:
        """Ahead, behind and level by two people."""
        query = (
            "SELECT a.name, b.name, sum(a.rank < b.rank), sum(a.rank > b.rank), sum(a.rank = b.rank) FROM p a"
            " JOIN p b ON a.id = b.id AND a.name < b.name GROUP BY 1, 2"
        )
        return {(a, b): (more, less, same) for a, b, more, less, same in self._rows(query)}

    def runs(self) -> dict[str, tuple[int, int]]:
        """The longest and the current run of wins by person: gaps between numberings of all plays and of wins."""
        query = """
            WITH numbered AS (SELECT name, rank, row_number() OVER (PARTITION BY name ORDER BY at, id, n) AS k
                FROM p WHERE sat > 1),
            runs AS (SELECT name, max(k) AS last, count(*) AS length FROM (SELECT name, k, k - row_number() OVER
                (PARTITION BY name ORDER BY k) AS run FROM numbered WHERE rank = 1) GROUP BY name, run)
            SELECT name, coalesce((SELECT max(length) FROM runs r WHERE r.name = a.name), 0), coalesce((SELECT length
                FROM runs r WHERE r.name = a.name AND r.last = a.plays), 0)
            FROM (SELECT name, max(k) AS plays FROM numbered GROUP BY name UNION ALL
                SELECT name, 0 FROM p GROUP BY name HAVING max(sat) = 1) a"""
        return {name: (longest, current) for name, longest, current in self._rows(query)}

    def totals(self) -> tuple[Any, ...]:
        """Results, seconds, plays of known length."""
        query = "SELECT count(*), coalesce(sum(seconds), 0), count(seconds) FROM (SELECT DISTINCT id, seconds FROM c)"
        return self._rows(query)[0]

    def margins(self) -> tuple[int | None, int | None]:
        """The smallest and the largest margin."""
        query = (
            "SELECT min(m), max(m) FROM (SELECT (SELECT points FROM c t WHERE t.id = c.id ORDER BY points DESC LIMIT 1)"
            " - (SELECT points FROM c t WHERE t.id = c.id ORDER BY points DESC LIMIT 1 OFFSET 1) AS m FROM c"
            " GROUP BY id"
            " HAVING count(*) = count(points) AND count(*) > 1)"
        )
        return self._rows(query)[0]


def differences(among: Any, second: SecondCalculation) -> list[str]:
    """Which figures differ from the second calculation."""
    return [
        name
        for name, one, other in (
            ("totals", (among.results, among.seconds, among.timed), second.totals()),
            (
                "people",
                {
                    p.name: (
                        p.plays,
                        p.wins,
                        p.won_alone,
                        p.counted,
                        p.points,
                        p.best and p.best[0],
                        p.thought,
                        p.thoughtful,
                    )
                    for p in among.people
                },
                second.people(),
            ),
            (
                "sources",
                {(p.name, what): n for p in among.people for what, n in p.sources.items()},
                second.sources(),
            ),
            ("cards", {c: (p.times, p.wins, p.points) for c, p in among.cards.items()}, second.cards()),
            ("openings", {c: (p.times, p.wins) for c, p in among.openings.items()}, second.openings()),
            ("pairs", {two: (p.ahead, p.behind, p.level) for two, p in among.pairs.items()}, second.pairs()),
            ("runs", {p.name: (p.run.longest, p.run.current) for p in among.people}, second.runs()),
        )
        if one != other
    ]
