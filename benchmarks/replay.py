"""How long replaying takes: `python benchmarks/replay.py` (the target is under 150 ms for 1,000 answers).

Nothing here waits for a disk, so processor time is measured, independent of other load on the machine.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from random import Random

ROOT = Path(__file__).resolve().parent.parent
if __name__ == "__main__":
    sys.path[0] = str(ROOT)  # run as a script, files beside this one would hide packages of the same name
from companion.core import autoplay  # noqa: E402
from companion.core import session as sessions  # noqa: E402
from companion.core.digest import digest  # noqa: E402
from companion.core.entries import Answered, Entry, decode_entry, encode_entry  # noqa: E402  # noqa: E402
from companion.core.game import Game, Setup, game  # noqa: E402
from companion.core.replay_divergence import follow  # noqa: E402
from companion.core.session import Session  # noqa: E402

ANSWERS = 1000
RUNS = 30
NAMES = ("Ania", "Bartek", "Celina", "Darek", "Ewa", "Filip")


def bot_plays(rules: Game) -> list[tuple[Setup, list[Entry]]]:
    """Whole games by bots of 2 to 4 players, until there are so many answers; the last one is cut off."""
    plays: list[tuple[Setup, list[Entry]]] = []
    left, seed = ANSWERS, 0
    while left:
        seed += 1
        setup = rules.complete(Setup(rules.id, NAMES[: 2 + seed % 3]))
        told = [answer for _, answer in autoplay.play(rules, setup, seed) if answer is not None][:left]
        plays.append((setup, [Entry(float(n), Answered(answer)) for n, answer in enumerate(told)]))
        left -= len(told)
    return plays


def long_play(rules: Game) -> tuple[Setup, list[Entry]]:
    """One play of four with so many answers: whenever it ends, half of it is taken back and played otherwise."""
    random, entries, answers = Random(1), list[Entry](), 0
    session = sessions.begin(rules, Setup(rules.id, NAMES[:4]), 0.0)
    while answers < ANSWERS:
        at = float(len(entries))
        if session.over:
            session = session.undo(len(session.moments) // 2, at)
        else:
            session = session.answer(autoplay.next_answer(session.state, _Anything(random), random), at)
            answers += 1
        assert session.last is not None
        entries.append(session.last)
    return session.setup, entries


class _Anything:
    """Answers anything that is offered; after taking back, no bot would know its hand."""

    def __init__(self, random: Random) -> None:
        self.random = random

    def choose(self, state: object, question: object) -> str:
        option: str = self.random.choice(question.options).id  # type: ignore[attr-defined]
        return option

    def follow(self, state: object, news: object) -> None:
        """Nothing is held."""

    def pieces(self) -> int:
        """Nothing is held."""
        return 0


def timed(run: Callable[[], object]) -> list[float]:
    """Milliseconds of many runs."""
    times = []
    for _ in range(RUNS):
        before = time.process_time()
        run()
        times.append((time.process_time() - before) * 1000)
    return times


def show(what: str, times: list[float]) -> None:
    """One line: the median and the slowest."""
    print(
        f"{what}: median {statistics.median(times):.1f} ms, slowest {max(times):.1f} ms ({len(times)} runs)"
    )


def main() -> None:
    """Print the figures."""
    rules = game("race")
    plays = bot_plays(rules)

    def replay_all() -> None:
        for setup, entries in plays:
            sessions.replay(rules, setup, 0.0, entries)

    def answer_all() -> Session:
        for setup, entries in plays:
            session = sessions.begin(rules, setup, 0.0)
            for entry in entries:
                assert isinstance(entry.deed, Answered)
                session = session.answer(entry.deed.answer, entry.at)
        return session

    replayed, answered = timed(replay_all), timed(answer_all)
    show(f"replay {ANSWERS} answers of {len(plays)} bot games", replayed)
    setup, entries = long_play(rules)
    bodies = [encode_entry(entry) for entry in entries]
    show(
        f"replay one play of {ANSWERS} answers (and {len(entries) - ANSWERS} undo)",
        timed(lambda: sessions.replay(rules, setup, 0.0, entries)),
    )
    show("the same, with reading its entries", timed(lambda: _read_and_replay(rules, setup, bodies)))
    ratio = statistics.median(answered) / statistics.median(replayed)
    show(f"answering the {ANSWERS} answers again, each looked up in its question", answered)
    print(f"answering again / replaying: {ratio:.1f}")
    for id, seats in (("race", 4), ("eclipse", 6)):
        show_digests(game(id), seats)


def show_digests(rules: Game, seats: int) -> None:
    """What it costs to keep digests with one whole play by bots, and to compare them when it is opened."""
    setup = rules.complete(Setup(rules.id, NAMES[:seats]))
    entries: list[Entry] = []
    session = sessions.begin(rules, setup, 0.0)
    for _, answer in autoplay.play(rules, setup, 3):
        if answer is not None:
            session = session.answer(answer, float(len(entries))).sealed()
            assert session.last is not None
            entries.append(session.last)
    late = [moment.state for moment in session.moments[-100:]]
    times = [each / len(late) for each in timed(lambda: [digest(state) for state in late])]
    what = f"{rules.box.name}, {seats} seats, {len(entries)} answers"
    print(
        f"{what}: a digest late in the play: median {statistics.median(times) * 1000:.0f} µs, "
        f"slowest {max(times) * 1000:.0f} µs ({RUNS} runs of {len(late)})"
    )
    show(f"{what}: replay", timed(lambda: sessions.replay(rules, setup, 0.0, entries)))
    show(f"{what}: replay and compare", timed(lambda: follow(rules, setup, 0.0, entries)))
    bare = [len(encode_entry(Entry(entry.at, entry.deed))) for entry in entries]
    kept = [len(encode_entry(entry)) for entry in entries]
    print(
        f"{what}: an entry has {sum(bare) // len(bare)} bytes, with what is kept {sum(kept[:-1]) // len(bare)};"
        f" the last {kept[-1]}"
    )


def _read_and_replay(rules: Game, setup: Setup, bodies: list[bytes]) -> Session:
    return sessions.replay(rules, setup, 0.0, [decode_entry(body) for body in bodies])


if __name__ == "__main__":
    from benchmarks.report import reported

    sys.exit(reported(main))
