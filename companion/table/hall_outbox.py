"""The events of plays on their way to a hall. The journal is the outbox: of each play, a cursor has the number of
the next event, which moves only when the broker has acknowledged it."""

from __future__ import annotations

from collections.abc import Callable

from companion.core.journal import EntryRow, Journal, PlayRow
from companion.errors import Trouble
from companion.hall_messages import SendAgain
from companion.hall_wire import EventAcknowledged

MOST_AT_ONCE = 50
"""Events that are sent before the last of them must be acknowledged."""
AGAIN_AFTER = 1.0
"""Seconds between two returns to earlier events, whatever the hall asks for."""

ReadJournal = Callable[[Callable[[Journal], None]], None]
"""Runs a job with the journal, in the thread that owns it."""
Give = Callable[[int, PlayRow, bytes, tuple[EntryRow, ...]], int | None]
"""Sends the events from this number on; returns the last number, None if there were none."""


class Outbox:
    """What is still to be sent. `do` runs a job in the thread to which this belongs."""

    def __init__(
        self,
        cursors: dict[int, int],
        journal: ReadJournal,
        do: Callable[[Callable[[], None]], None],
        give: Give,
    ) -> None:
        self.cursors = cursors
        self._journal, self._do, self._give = journal, do, give
        self._behind = set(cursors)
        """Plays of which there may be events to send."""
        self._reading = False
        self._in_flight: tuple[int, int] | None = None
        """The play and number of the last event that was given to the publisher."""
        self._again: dict[int, int] = {}
        self._again_at = 0.0

    def begin(self, play: int) -> None:
        """This play is told from now on."""
        self.cursors.setdefault(play, 0)
        self._behind.add(play)

    def forget(self, cursors: dict[int, int]) -> None:
        """Another hall: nothing was sent there yet."""
        self.cursors, self._in_flight = cursors, None
        self._behind, self._again = set(cursors), {}

    def lost(self) -> None:
        """Nobody knows what came of the events in flight."""
        self._in_flight = None
        self._behind |= self.cursors.keys()

    @property
    def idle(self) -> bool:
        """Whether nothing is to be sent."""
        return not self._reading and self._in_flight is None and not self._behind

    def pump(self) -> None:
        """Read the next events of a play and give them away, if none are on their way."""
        if self._reading or self._in_flight is not None or not self._behind:
            return
        play = max(self._behind)
        self._behind.discard(play)
        self._reading, cursor = True, self.cursors.get(play, 0)

        def read(journal: Journal) -> None:
            try:
                row, setup, rows = journal.rows_from(play, max(0, cursor - 1), MOST_AT_ONCE)
            except Trouble:  # there is no such play, or not now: the next connection tries again
                self._do(self._unread)
            else:
                self._do(lambda: self._read(cursor, row, setup, rows))

        self._journal(read)

    def _unread(self) -> None:
        self._reading = False
        self.pump()

    def _read(self, cursor: int, row: PlayRow, setup: bytes, rows: tuple[EntryRow, ...]) -> None:
        self._reading = False
        if self.cursors.get(row.id) != cursor:  # earlier ones were asked for meanwhile
            self._behind.add(row.id)
        elif (last := self._give(cursor, row, setup, rows)) is not None:
            self._in_flight = row.id, last
        self.pump()

    def acknowledged(self, event: EventAcknowledged) -> bool:
        """The broker has this event; returns whether the cursor has moved."""
        moves = self.cursors.get(event.play) == event.number
        if moves:
            self.cursors[event.play] = event.number + 1
        if self._in_flight == (event.play, event.number):
            self._in_flight = None
            self._behind.add(event.play)
        return moves

    # The hall lacks events

    def ask_again(self, again: SendAgain) -> None:
        """Send the events from this number on once more, but not at the pace of somebody who asks without end."""
        if again.number < self.cursors.get(again.play, 0):
            self._again[again.play] = min(again.number, self._again.get(again.play, again.number))

    @property
    def due(self) -> float | None:
        """When `go_back` must be called."""
        return self._again_at if self._again else None

    def go_back(self, at: float) -> None:
        """Go back to what was asked for again."""
        for play, number in self._again.items():
            self.cursors[play] = min(number, self.cursors.get(play, 0))
            self._behind.add(play)
        self._again.clear()
        self._again_at = at + AGAIN_AFTER
        self.pump()
