"""compare.py JOURNAL WORDS: checks that these words of a score screen show the sheet of the journal's play.

`run` beside this file calls it in this project's own environment: the journal comes from the disk of the
booted machine, the words from its screen.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from companion.core.game import games
from companion.core.journal import Journal
from companion.core.play import read
from companion.core.store import Store
from tests.ui.players import in_a_row, sheet_rows


def main(journal: Path, words: list[str]) -> int:
    """Line by line."""
    with Store(journal) as store:
        session = read(Journal(store).load(1)).session
    rows = sheet_rows(games()["race"].sheet(session.state))
    missing = [row for row in rows if not in_a_row(row, words)]
    found = f"{len(rows) - len(missing)} of {len(rows)} lines of the sheet"
    print(
        f"   note {session.entries} entries off its disk; {found} stand on its screen: {rows[0]}", flush=True
    )
    return 0 if session.over and not missing else 1


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), json.loads(Path(sys.argv[2]).read_text())))
