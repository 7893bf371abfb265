"""Kills running plays without warning and counts what was lost: `python benchmarks/kill.py --kills 200 --seed 1`.

A child process plays Race with a real journal and prints every entry once it is confirmed. The parent sends SIGKILL at
a random moment, looks at the journal through a new handle, and lets another child go on with the same play.
"""

from __future__ import annotations

import argparse
import select
import signal
import subprocess
import sys
import tempfile
import time
from hashlib import blake2b
from pathlib import Path
from random import Random

ROOT = Path(__file__).resolve().parent.parent
if __name__ == "__main__":
    sys.path[0] = str(ROOT)  # run as a script, files beside this one would hide packages of the same name

from msgspec import Struct  # noqa: E402

from companion.core import session as sessions  # noqa: E402
from companion.core.binder import Binder  # noqa: E402
from companion.core.game import Setup, game  # noqa: E402
from companion.core.journal import Journal  # noqa: E402
from companion.core.play import Play  # noqa: E402
from companion.core.questions import Answer  # noqa: E402
from companion.core.session import Entry, Session  # noqa: E402
from companion.core.store import Store  # noqa: E402
from companion.errors import NotNow  # noqa: E402

NAMES = ("Ania", "Bartek", "Celina", "Darek")
PATIENCE = 60
"""Seconds without a word after which a child is taken for dead."""


class Wrong(Exception):
    """A child or the journal does what it must not do."""


class Line(Struct, frozen=True):
    """What a child says about an entry: which play, how many entries there are now, the table it led to, the entry."""

    play: int
    entries: int
    table: str
    body: str


class Figures(Struct):
    """What happened so far."""

    kills: int = 0
    confirmed: int = 0
    lost: int = 0
    unconfirmed: int = 0
    silent: int = 0
    plays: int = 0
    finished: int = 0
    longest: int = 0
    seconds: float = 0.0


# The child


def go_on_playing(path: Path, seed: int) -> None:
    """Play until the end or the kill: the newest play that is not over, else a new one."""
    random = Random(seed)
    store = Store(path)
    journal, binder = Journal(store), Binder(store)
    running = [row.id for row in journal.plays() if row.finished is None]
    if running:
        play = Play.resume(running[-1], journal, binder)
    else:
        seats = NAMES[: random.choice((2, 3, 4))]
        play = Play.start(game("race"), Setup("race", seats), journal, binder, 0.0)
    while not play.session.over or random.random() < 0.5:
        before = play.session.entries
        _do_anything(play, random)
        if play.session.entries > before:
            assert play.session.last is not None
            body = sessions.encode(play.session.last).decode()
            print(play.id, play.session.entries, table(play.session), body, flush=True)
    store.close()


def _do_anything(play: Play, random: Random) -> None:
    """Mostly an answer; now and then a correction, an undo, a redo or a pause."""
    session, at = play.session, float(play.session.entries)
    chance = random.random()
    try:
        if session.over or chance < 0.05:
            play.undo(random.randint(1, 4), at)
        elif chance < 0.09:
            play.redo(random.randint(1, 2), at)
        elif chance < 0.12 and session.counters():
            counter = random.choice(session.counters())
            play.correct(counter.id, random.randint(counter.low, counter.high), at, random.choice(NAMES))
        elif chance < 0.15:
            (play.go_on if session.paused else play.pause)(at)
        else:
            question = random.choice(session.questions())
            option = random.choice(question.options)
            play.answer(Answer(question.seat, question.slug, option.id), at)
    except NotNow:
        pass


def table(session: Session) -> str:
    """A few letters that tell this table, its undone future and its thinking times from any others."""
    seen = session.game.encode(session.state), len(session.ahead), session.thought, session.paused
    return blake2b(repr(seen).encode(), digest_size=8).hexdigest()


# The parent


def kill_once(path: Path, random: Random, known: dict[int, list[Entry]], figures: Figures) -> None:
    """One child, one kill, one look at the journal; `known` is every entry ever confirmed, by play."""
    lines, ended = _run_until_killed(path, random)
    confirmed = [_read(line) for line in lines]
    figures.kills += not ended
    figures.silent += not ended and not lines
    figures.confirmed += len(confirmed)
    for line in confirmed:
        before = known.setdefault(line.play, [])
        before.append(sessions.decode(line.body.encode()))
        if len(before) != line.entries:
            raise Wrong(
                f"play {line.play}: {len(before)} entries were confirmed, a child counts {line.entries}"
            )
    with Store(path) as store:
        journal = Journal(store)
        rows = journal.plays()
        figures.lost += sum(len(known[id]) for id in set(known) - {row.id for row in rows})
        for row in rows:
            if row.finished is None or any(line.play == row.id for line in confirmed):
                _look_at(row.id, journal, Binder(store), confirmed[-1:], known, figures)
    figures.plays = len(rows)
    figures.finished = sum(row.finished is not None for row in rows)
    figures.longest = max((row.entries for row in rows), default=0)


def _look_at(
    id: int,
    journal: Journal,
    binder: Binder,
    seen: list[Line],
    known: dict[int, list[Entry]],
    figures: Figures,
) -> None:
    """A play holds what was confirmed, at most one entry more, and leads to the table the child saw."""
    stored = journal.load(id)
    entries = [sessions.decode(row.body) for row in stored.rows]
    before = known.get(id, [])
    kept = next((n for n, entry in enumerate(before) if entries[n : n + 1] != [entry]), len(before))
    figures.lost += len(before) - kept
    if len(entries) > len(before) + 1:
        raise Wrong(f"play {id}: {len(entries) - len(before)} entries nobody confirmed")
    figures.unconfirmed += len(entries) - kept
    known[id] = entries
    resumed = Play.resume(id, journal, binder).session
    rules, setup, created = resumed.game, resumed.setup, stored.play.created
    if resumed != sessions.replay(rules, setup, created, entries):
        raise Wrong(f"play {id}: resumed it is another than replayed")
    for line in seen:
        if line.play == id and table(sessions.replay(rules, setup, created, before)) != line.table:
            raise Wrong(f"play {id}: after entry {line.entries} the table is another than the child saw")


def _run_until_killed(path: Path, random: Random) -> tuple[list[str], bool]:
    """Every line a child could finish before it was killed, and whether it had ended by itself."""
    wanted = 0 if random.random() < 0.05 else random.randint(1, 25)
    spin = random.randrange(2_000_000 if not wanted else 60_000)
    command = [sys.executable, str(Path(__file__).resolve()), "--child", str(path)]
    with subprocess.Popen([*command, "--seed", str(random.getrandbits(32))], stdout=subprocess.PIPE) as child:
        assert child.stdout is not None
        said = b""
        while said.count(b"\n") < wanted:
            if not select.select([child.stdout], [], [], PATIENCE)[0]:
                child.kill()
                raise Wrong(f"a child said nothing for {PATIENCE} s")
            more = child.stdout.read1()
            if not more:
                break
            said += more
        for _ in range(spin):
            pass  # not sleeping: moments shorter than the clock can wait for
        child.kill()
        said += child.stdout.read()
    if child.returncode not in (0, -signal.SIGKILL):
        raise Wrong(f"a child ended with {child.returncode}")
    return said.decode().split("\n")[:-1], child.returncode == 0


def _read(line: str) -> Line:
    play, entries, seen, body = line.split(" ", 3)
    return Line(int(play), int(entries), seen, body)


def run(path: Path, kills: int, seed: int) -> Figures:
    """So many kills of plays in the journal at `path`; raises `Wrong` at the first thing that is not right."""
    random, figures, known = Random(seed), Figures(), dict[int, list[Entry]]()
    began = time.perf_counter()
    while figures.kills < kills:
        kill_once(path, random, known, figures)
    figures.seconds = time.perf_counter() - began
    return figures


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--folder", help="where the journal is kept meanwhile; usually the system's temporary folder"
    )
    parser.add_argument("--child", metavar="FILE", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        go_on_playing(Path(options.child), options.seed)
        return
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        figures = run(Path(folder) / "journal.db", options.kills, options.seed)
    print(f"kills: {figures.kills}, of these before the first entry: {figures.silent}")
    print(f"entries confirmed: {figures.confirmed}, lost: {figures.lost}")
    print(f"entries written but not yet confirmed when the kill came: {figures.unconfirmed}")
    print(
        f"plays finished: {figures.finished} of {figures.plays}, the longest with {figures.longest} entries"
    )
    print(f"seconds: {figures.seconds:.1f}")
    sys.exit(1 if figures.lost else 0)


if __name__ == "__main__":
    main()
