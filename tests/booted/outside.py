"""Outside of the booted machine, in this project's own environment; `run` beside this file starts it.

outside.py camera SOCKET             film a table; who holds up what is told through the same line
outside.py compare JOURNAL WORDS     whether the sheet that the journal gives here stands in these words of a screen
"""

from __future__ import annotations

import json
import socket
import sys
import threading
import time
from pathlib import Path

import cv2

from companion.core.journal import Journal
from companion.core.play import read
from companion.core.store import Store
from companion.recognition.virtual_cards import Cards
from tests.ui.card_players import RACE
from tests.ui.players import in_a_row, sheet_rows
from vision.virtual import PRESETS, VirtualTable

SIZE, ACROSS, FPS = (640, 480), 600.0, 5.0
"""Pixels of a picture, millimetres of table across it, pictures a second: a small camera, for a slow machine."""


def film(address: str) -> None:
    """Pictures for the machine's camera, each after its length, as long as the machine lives."""
    line = socket.socket(socket.AF_UNIX)
    line.connect(address)
    table = VirtualTable(PRESETS["good-lamp"], 5, size=SIZE, width=ACROSS, fps=FPS)
    threading.Thread(target=_obey, args=(line, Cards(RACE, table, room=4)), daemon=True).start()
    try:
        while True:
            frame = table.read()
            if frame is None:
                time.sleep(0.02)
                continue
            data = cv2.imencode(".jpg", frame.picture)[1].tobytes()
            line.sendall(len(data).to_bytes(4, "little") + data)
    except OSError:
        return  # its plug was pulled


def _obey(line: socket.socket, cards: Cards) -> None:
    """Hold up and lay down what is told."""
    with line.makefile() as told:
        for words in told:
            match words.split():
                case ["hold-up", component, seat]:
                    cards.hold_up(component, int(seat))
                case ["lower"]:
                    cards.lower()
                case ["put-down", component, seat]:
                    cards.put_down(component, int(seat))


def compare(journal: Path, words: list[str]) -> bool:
    """Whether these words of a score screen are the sheet of the journal's only play, line by line."""
    with Store(journal) as store:
        session = read(Journal(store).load(1)).session
    rows = sheet_rows(RACE.sheet(session.state))
    missing = [row for row in rows if not in_a_row(row, words)]
    print(
        f"{session.entries} entries; {len(rows) - len(missing)} of {len(rows)} lines of the sheet; {rows[0]}"
    )
    return session.over and not missing


def main() -> None:
    """Do what was asked for."""
    match sys.argv[1:]:
        case ["camera", address]:
            film(address)
        case ["compare", journal, words]:
            sys.exit(0 if compare(Path(journal), json.loads(Path(words).read_text())) else 1)
        case _:
            sys.exit(__doc__)


if __name__ == "__main__":
    main()
