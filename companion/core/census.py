"""The census: what a rulebook counts in its box, as a check on the facts people teach.

When all of a cohort is known, its counts must be as printed. Before that, no count may be higher, nor so low
that the components still unknown cannot make up the difference. Components in a bucket with too many are the
likely errors.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, TypeAlias

from msgspec import Struct

from companion.core.components import UNKNOWN, Catalogue, Component
from companion.core.words import Text, count, say

NAMED = 4
"""How many of the likely errors a sentence names."""

Buckets: TypeAlias = Iterable[Any]
"""What components are counted by: costs, kinds of goods, keywords."""


class Breakdown(Struct, frozen=True):
    """One list of numbers the rulebook prints: how many components there are in each bucket."""

    of: Callable[[Any], Buckets | None]
    """The buckets a component is in; empty if it is not counted here, None while its value is unknown."""
    printed: Mapping[Any, int]
    text: Callable[[Any], Text]
    """What the components of a bucket are called: "worlds of cost 3"."""


class Cohort(Struct, frozen=True):
    """Components that are counted together, and everything that is counted of them."""

    text: Text
    """What all of them are called: "worlds"."""
    has: Callable[[Any], bool]
    breakdowns: tuple[Breakdown, ...] = ()

    def members(self, box: Catalogue[Any]) -> list[Any]:
        """The components of a box that belong to this cohort."""
        return [component for component in box if self.has(component)]


class Disagreement(Struct, frozen=True):
    """A count that is not as printed, and the components whose facts are probably wrong, likeliest first."""

    text: Text
    components: tuple[str, ...] = ()

    def sentence(self, box: Catalogue[Any]) -> Text:
        """The same as one sentence, with the names of the likeliest components."""
        names = tuple(box[id].called for id in self.components[:NAMED])
        return say("census.likely", what=self.text, names=names) if names else self.text


class Progress(Struct, frozen=True):
    """How much of a cohort is known, identical copies counted once; and how many facts, at least, must be wrong."""

    text: Text
    told: int
    total: int
    disagreeing: int = 0

    @property
    def words(self) -> Text:
        """The same as a line."""
        if self.disagreeing:
            return count(
                "census.progress-wrong", self.disagreeing, what=self.text, told=self.told, total=self.total
            )
        return say("census.progress", what=self.text, told=self.told, total=self.total)


def only(value: Any) -> Buckets | None:
    """The one bucket of a printed value; empty if nothing is printed there, None while the value is unknown."""
    if value is UNKNOWN:
        return None
    return () if value is None else (value,)


def disagreements(
    cohorts: Iterable[Cohort], box: Catalogue[Any], told_at: Mapping[str, float] | None = None
) -> tuple[Disagreement, ...]:
    """Everything that differs from the rulebook's counts; `told_at` says when a component was last taught."""
    at = told_at or {}
    found = [
        wrong
        for cohort in cohorts
        for breakdown in cohort.breakdowns
        for wrong in _differing(breakdown, cohort, box)
    ]
    often = Counter(id for wrong in found if wrong.excess > 0 for id in wrong.suspects)

    def likely(id: str) -> tuple[int, float]:
        return -often[id], -at.get(id, 0.0)

    return tuple(Disagreement(wrong.text, tuple(sorted(wrong.suspects, key=likely))) for wrong in found)


def progress(
    cohorts: Iterable[Cohort], box: Catalogue[Any], kind: Callable[[Any], Text] | None = None
) -> tuple[Progress, ...]:
    """How much of each cohort is known; components in no cohort are grouped by kind."""
    asked = tuple(cohorts)
    counted = [(cohort.text, cohort.members(box), _wrong(cohort, box)) for cohort in asked]
    others: dict[str, tuple[Text, list[Component]]] = {}
    for component in box:
        if not any(cohort.has(component) for cohort in asked):
            text = say("census.things") if kind is None else kind(component)
            others.setdefault(repr(text), (text, []))[1].append(component)
    return tuple(
        Progress(text, sum(not c.unknown() for c in members), len(members), wrong)
        for text, members, wrong in (*counted, *((text, members, 0) for text, members in others.values()))
    )


class _Differing(Struct, frozen=True):
    """A bucket with more or fewer components than printed."""

    text: Text
    excess: int
    suspects: tuple[str, ...]


def _differing(breakdown: Breakdown, cohort: Cohort, box: Catalogue[Any]) -> Iterator[_Differing]:
    members = [(component, breakdown.of(component)) for component in cohort.members(box)]
    inside: dict[Any, list[Any]] = {bucket: [] for bucket in breakdown.printed}
    for component, buckets in members:
        for bucket in buckets or ():
            inside.setdefault(bucket, []).append(component)
    untold = _pieces(component for component, buckets in members if buckets is None)
    excess = {bucket: _pieces(found) - breakdown.printed.get(bucket, 0) for bucket, found in inside.items()}
    crowded = [c.id for bucket, found in inside.items() if excess[bucket] > 0 for c in found]
    for bucket, found in inside.items():
        # While some are unknown, report only the buckets with too many: the shortages elsewhere follow from
        # them.
        missing = -excess[bucket] > untold and not (untold and crowded)
        if excess[bucket] > 0 or missing:
            suspects = [c.id for c in found] if excess[bucket] > 0 else crowded
            printed = breakdown.printed.get(bucket, 0)
            text = say("census.counts", what=breakdown.text(bucket), printed=printed, found=_pieces(found))
            yield _Differing(text, excess[bucket], tuple(dict.fromkeys(suspects)))


def _wrong(cohort: Cohort, box: Catalogue[Any]) -> int:
    """At least this many components must be wrong: in each breakdown, one component is one too many or one
    missing."""
    most = 0
    for breakdown in cohort.breakdowns:
        excesses = [wrong.excess for wrong in _differing(breakdown, cohort, box)]
        most = max(most, sum(n for n in excesses if n > 0), -sum(n for n in excesses if n < 0))
    return most


def _pieces(components: Iterable[Component]) -> int:
    return sum(component.copies for component in components)
