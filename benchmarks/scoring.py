"""How long scoring takes: `python benchmarks/scoring.py` (the target is under 1 ms for a four-player final)."""

from __future__ import annotations

import io
import json
import statistics
import sys
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
sys.path[0] = str(ROOT)  # run as a script, this file would hide the package of the same name

from companion.commands.score import score_jsonl  # noqa: E402
from companion.games.race.position import read, sheet  # noqa: E402

FINALS = ROOT / "tests" / "scoring" / "data" / "race-finals.jsonl"
ROUNDS = 200


def position(final: dict[str, Any]) -> bytes:
    """A finished game as a score-only position."""
    seats = [
        {
            "name": f"seat {seat['seat']}",
            "tableau": [card["card"] for card in seat["tableau"]],
            "goods": [card["card"] for card in seat["tableau"] if card["good"]],
            "chips": seat["vp_chips"],
            "hand": seat["hand_count"],
        }
        for seat in final["seats"]
    ]
    return json.dumps({"game": "race", "seats": seats}).encode()


def main() -> None:
    """Print the figures."""
    finals = [json.loads(line) for line in FINALS.read_text(encoding="utf-8").splitlines()]
    four = [read(position(final)) for final in finals if final["players"] == 4]
    times = []
    for table in four * ROUNDS:
        before = time.perf_counter()
        sheet(table)
        times.append((time.perf_counter() - before) * 1000)
    p99 = statistics.quantiles(times, n=100)[98]
    print(f"score a four-player final: median {statistics.median(times):.3f} ms, p99 {p99:.3f} ms", end=" ")
    print(f"({len(four)} finals, {len(times)} runs)")

    lines = b"\n".join(position(final) for final in finals * (ROUNDS // 4))
    before = time.perf_counter()
    code = score_jsonl(io.BytesIO(lines), io.BytesIO(), "en")
    seconds = time.perf_counter() - before
    number = len(finals) * (ROUNDS // 4)
    print(f"jsonl: {number / seconds:.0f} positions/s, finals of 2 to 4 players, exit code {code}")


if __name__ == "__main__":
    from benchmarks.report import reported

    sys.exit(reported(main))
