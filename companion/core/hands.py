"""What hands must do on the table: told once, kept in sight until the phase is over or somebody ticks it off. Pure."""

from __future__ import annotations

from msgspec import Struct

from companion.core.session import Session
from companion.core.views import Tense
from companion.core.words import News, Text


class Chore(Struct, frozen=True):
    """One line of the list: what to do, and every seat that has to; `since` is the moment it was told first."""

    text: Text
    seats: tuple[int | None, ...]
    usual: bool
    since: int

    @property
    def key(self) -> tuple[int, str]:
        """What a tick remembers."""
        return self.since, repr((self.text, self.seats))


def chores(session: Session, ticked: frozenset[tuple[int, str]] = frozenset()) -> tuple[Chore, ...]:
    """What is to be done on the table since this phase began: the unusual first, then as it was told.

    Equal lines are one: what everybody does together stands there once.
    """
    lines: dict[tuple[str, int], Chore] = {}
    for moment, item in _told_in_this_phase(session):
        at = (repr(item.text), moment)
        chore = lines.get(at, Chore(item.text, (), item.usual, moment))
        lines[at] = Chore(chore.text, (*chore.seats, item.seat), chore.usual and item.usual, moment)
    open_ = [chore for chore in lines.values() if chore.key not in ticked]
    return tuple(sorted(open_, key=lambda chore: chore.usual))


def _told_in_this_phase(session: Session) -> list[tuple[int, News]]:
    """Every deed of hands since the phase that is on began, with the moment it was told at."""
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
    """The round and phase of the `n`-th moment; looked up once, for a view of the whole table is dear."""
    state = session.moments[n].state
    known = _PHASES.get(id(state))
    if known is None or known[0] is not state:
        view = session.view if state is session.state else session.game.view(state)
        phase = next((phase.id for phase in view.phases if phase.tense is Tense.NOW), "")
        if len(_PHASES) > MOST_KNOWN:
            _PHASES.clear()
        known = _PHASES[id(state)] = (state, (view.round, phase))
    return known[1]


MOST_KNOWN = 1000
_PHASES: dict[int, tuple[object, tuple[int, str]]] = {}
"""By the identity of a state, which is kept along so that no other can have it."""
