"""Records a play for each way a play can end: `python -m tests.games.frontiers.record_plays`.

Run it only after a deliberate change of the rules: later versions must reproduce what is recorded.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any

from companion.core.autoplay import play
from companion.core.game import Setup
from companion.games.frontiers import GAME
from companion.games.frontiers.state import FrontiersState
from scoring.sheet import Sheet
from tests.games.frontiers.made_up_box import FACTS
from tests.games.frontiers.tables import NAMES

FOLDER = Path(__file__).parent / "plays"
BOXES: dict[str, dict[str, Any]] = {"untaught": {}, "made-up": FACTS}

WantedEnd = Callable[[FrontiersState, Sheet], bool]
WANTED: dict[str, tuple[int, str, str, WantedEnd]] = {
    "developments": (3, "isolation", "made-up", lambda end, sheet: end.ending == ("developments",)),
    "colonies": (4, "isolation", "made-up", lambda end, sheet: end.ending == ("colonies",)),
    "colonists": (2, "goals", "made-up", lambda end, sheet: end.ending == ("colonists",)),
    "points": (3, "goals", "untaught", lambda end, sheet: end.ending == ("points",) and end.pool == 0),
    "points-in-tens": (2, "isolation", "made-up", lambda end, sheet: end.pool < 0),
    "several-reasons": (5, "isolation", "made-up", lambda end, sheet: len(end.ending) > 1),
    "tie-broken": (4, "isolation", "made-up", lambda end, sheet: sheet.tied and len(sheet.winners) == 1),
    "shared-victory": (5, "isolation", "made-up", lambda end, sheet: len(sheet.winners) > 1),
    "all-goals": (2, "goals", "made-up", lambda end, sheet: len(end.goals_up) == 8),
}
"""How many play with which tiles and whose box, and how it shall end."""


def found(players: int, goals: str, box: str, wanted: WantedEnd) -> dict[str, Any]:
    """The first play by bots that ends like this: its answers, and the table and sheet they led to."""
    setup = Setup("frontiers", NAMES[:players], {"goals": goals}, BOXES[box])
    for seed in count():
        tables = list(play(GAME, setup, seed))
        state: FrontiersState = tables[-1][0]
        if wanted(state, GAME.sheet(state)):
            answers = [[a.seat, a.slug, a.option] for _, a in tables if a is not None]
            return {"players": players, "goals": goals, "box": box, "answers": answers, **ended(state)}
    raise AssertionError


def ended(state: FrontiersState) -> dict[str, Any]:
    """What is promised about the end of a play."""
    sheet = GAME.sheet(state)
    return {
        "rounds": state.round,
        "ends": list(state.ending),
        "pool": state.pool,
        "supply": state.supply,
        "goals-up": list(state.goals_up),
        "table": [
            {
                "colonies": [colony.tile for colony in seat.colonies],
                "developments": list(seat.developments),
                "credits": seat.credits,
                "goods": seat.goods,
                "points": total.total,
            }
            for seat, total in zip(state.seats, sheet.seats, strict=True)
        ],
        "winners": list(sheet.winners),
    }


def main() -> None:
    """Write the files."""
    FOLDER.mkdir(exist_ok=True)
    for name, wanted in WANTED.items():
        one = found(*wanted)
        (FOLDER / f"{name}.json").write_text(json.dumps(one, ensure_ascii=False) + "\n", "utf-8")
        print(name, one["rounds"], "rounds,", len(one["answers"]), "answers")


if __name__ == "__main__":
    main()
