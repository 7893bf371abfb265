"""Compares what people were told has happened with the journal."""

from __future__ import annotations

from pathlib import Path

from companion.core.entries import decode_entry, encode_entry
from companion.core.journal import Journal, StoredPlay
from companion.core.play import read
from companion.core.repair import verify
from companion.core.session import Session
from companion.core.store import Store
from workshop.fault_injection.faults import expect


class Ledger:
    """Every confirmed entry, by play and position."""

    def __init__(self) -> None:
        self._known: dict[int, dict[int, bytes]] = {}

    def confirm(self, play: int, session: Session) -> None:
        """People have been shown this state of the play."""
        if session.last is not None:
            self.confirm_entry(play, session.entries - 1, encode_entry(session.last))
        else:
            self._known.setdefault(play, {})

    def confirm_entry(self, play: int, place: int, body: bytes) -> None:
        """This entry has been confirmed."""
        before = self._known.setdefault(play, {}).setdefault(place, body)
        expect(before == body, f"play {play}: entry {place} was confirmed twice, differently")

    def confirmed(self, play: int) -> int:
        """How many entries of a play are confirmed."""
        return max(self._known.get(play, {}), default=-1) + 1

    def take_over(self, path: Path) -> None:
        """Treat everything in the journal as confirmed: people see it when they come back."""
        with Store(path) as store:
            journal = Journal(store)
            for row in journal.plays():
                for place, entry in enumerate(journal.load(row.id).rows):
                    self.confirm_entry(row.id, place, entry.body)

    def check(self, path: Path, *, under_way: bool = False) -> int:
        """Check that everything confirmed is in the journal and leads to the same table, and nothing more,
        except for the one deed `under_way` when the fault struck. Returns how many entries were never
        confirmed."""
        with Store(path) as store:
            journal = Journal(store)
            stored = {row.id: journal.load(row.id) for row in journal.plays()}
        lost = set(self._known) - set(stored)
        expect(not lost, f"plays {sorted(lost)} are lost")
        more = sum(self._check_play(play, under_way) for play in stored.values())
        problems = verify(path).problems
        expect(not problems, f"the check finds {problems}")
        return more

    def _check_play(self, stored: StoredPlay, under_way: bool) -> int:
        play, rows = stored.play.id, stored.rows
        for place, body in self._known.get(play, {}).items():
            expect(place < len(rows), f"play {play}: entry {place} was confirmed and is lost")
            expect(rows[place].body == body, f"play {play}: entry {place} is another than was confirmed")
        more = [decode_entry(row.body) for row in rows[self.confirmed(play) :]]
        alone = [entry for entry in more if not entry.same_deed]
        expect(under_way or not more, f"play {play}: {len(more)} entries nobody confirmed")
        expect(len(alone) <= 1, f"play {play}: {len(alone)} deeds nobody confirmed")
        found = read(stored)  # compares every table and the sheet with those stored when they were written
        expect(
            found.divergence is None, f"play {play}: replayed it leads to another table: {found.divergence}"
        )
        return len(more)
