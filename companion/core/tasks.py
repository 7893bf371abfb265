"""What people must do on the table: shown until the phase is over or somebody ticks it off. Pure functions."""

from __future__ import annotations

from msgspec import Struct

from companion.core.session import Session
from companion.core.views import Tense
from companion.core.words import News, Text


class HandTask(Struct, frozen=True):
    """One line of the list: what to do, and the seats that must do it; `since` is the moment it was first shown."""

    text: Text
    seats: tuple[int | None, ...]
    usual: bool
    since: int

    @property
    def key(self) -> tuple[int, str]:
        """Identifies the task in the set of ticked ones."""
        return self.since, repr((self.text, self.seats))


def hand_tasks(session: Session, ticked: frozenset[tuple[int, str]] = frozenset()) -> tuple[HandTask, ...]:
    """The open tasks since this phase began: unusual ones first, then in order of time.

    Equal tasks of the same moment are one line, listing all seats.
    """
    lines: dict[tuple[str, int], HandTask] = {}
    for moment, item in _told_in_this_phase(session):
        at = (repr(item.text), moment)
        chore = lines.get(at, HandTask(item.text, (), item.usual, moment))
        lines[at] = HandTask(chore.text, (*chore.seats, item.seat), chore.usual and item.usual, moment)
    open_ = [chore for chore in lines.values() if chore.key not in ticked]
    return tuple(sorted(open_, key=lambda chore: chore.usual))


def _told_in_this_phase(session: Session) -> list[tuple[int, News]]:
    """All news for hands since the current phase began, each with its moment."""
    moments = session.moments
    here = phase_of(session, len(moments) - 1)
    found: list[tuple[int, News]] = []
    for n in range(len(moments) - 1, -1, -1):
        told = [(n, item) for item in moments[n].state.news if item.kind == "hands"]
        if told and phase_of(session, n) != here:
            break
        found[:0] = told
    return found


def phase_of(session: Session, n: int) -> tuple[int, str]:
    """The round and phase of the `n`-th moment; cached, because a view of the whole table is expensive."""
    state = session.moments[n].state
    known = _PHASES.get(id(state))
    if known is None or known[0] is not state:
        view = session.view if state is session.state else session.game_at(n).view(state)
        phase = next((phase.id for phase in view.phases if phase.tense is Tense.NOW), "")
        if len(_PHASES) > MOST_KNOWN:
            _PHASES.clear()
        known = _PHASES[id(state)] = (state, (view.round, phase))
    return known[1]


MOST_KNOWN = 1000
_PHASES: dict[int, tuple[object, tuple[int, str]]] = {}
"""Keyed by the id of a state; the state is kept too, so that its id cannot be reused."""
