"""Printed values that certainly follow from the answers of a play, so that later plays ask less."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from companion.core.agenda import revealed
from companion.core.binder import Taught
from companion.core.components import SaidBy, Value, fact_of
from companion.core.entries import Answered, Corrected
from companion.core.game import Game
from companion.core.session import Moment


class Revealed(Struct, frozen=True):
    """A printed value and when it was revealed; the time distinguishes it from what other plays revealed."""

    value: Value
    at: float


DerivedFacts = dict[str, Revealed]
"""What was revealed, by fact key."""


class Revelations:
    """What the answers of a play reveal; each answer is processed once, unless some are taken back."""

    def __init__(self, rules: Game) -> None:
        self._rules = rules
        self._moments: tuple[Moment, ...] = ()
        self._found: DerivedFacts = {}

    def after(self, moments: tuple[Moment, ...]) -> DerivedFacts:
        """What these moments of the play have revealed.

        A correction may mean that the answer itself was wrong, so facts about the corrected component are
        dropped.
        """
        known = len(self._moments)
        if not 0 < known <= len(moments) or moments[known - 1] is not self._moments[-1]:
            known, self._found = 1, {}
        for before, moment in zip(moments[known - 1 :], moments[known:], strict=False):
            deed = None if moment.entry is None else moment.entry.deed
            if isinstance(deed, Answered) and moment.entry is not None:
                facts = revealed(before.state, deed.answer)
                self._found |= {key: Revealed(value, moment.entry.at) for key, value in facts.items()}
            elif isinstance(deed, Corrected):
                gone = self._rules.on_table(before.state) - self._rules.on_table(moment.state)
                doubtful = {*deed.counter.split(":"), *gone}
                self._found = {k: one for k, one in self._found.items() if fact_of(k)[0] not in doubtful}
        self._moments = moments
        return dict(self._found)


def unsaid(game: str, found: DerivedFacts, latest: Mapping[str, Taught]) -> tuple[Taught, ...]:
    """The derived facts the binder should store: none over a person's word, nor any that was taken back since."""
    told = []
    for key, one in found.items():
        said = latest.get(key)
        if (
            said is not None
            and said.said_by is not SaidBy.PLAY
            and (said.value is not None or said.at >= one.at)
        ):
            continue
        if said is not None and said.value is not None and (said.value == one.value or said.at >= one.at):
            continue
        component, field = fact_of(key)
        told.append(
            Taught(
                game=game, component=component, field=field, value=one.value, at=one.at, said_by=SaidBy.PLAY
            )
        )
    return tuple(told)


def undone(found: DerivedFacts, history: Sequence[Taught]) -> tuple[Taught, ...]:
    """The statements that hold again after undo: the previous ones, where the play's is still the last."""
    again = []
    for key, one in found.items():
        said = [taught for taught in history if taught.key == key]
        if said and said[-1].said_by is SaidBy.PLAY and (said[-1].value, said[-1].at) == (one.value, one.at):
            before = said[-2] if len(said) > 1 else replace(said[-1], value=None)
            again.append(before)
    return tuple(again)
