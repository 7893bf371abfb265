"""The census: what a rulebook counts in its box, as a check on what people tell about it.

Where everything of a cohort was told its counts must be as printed; until then no count may be more than that, nor so
much less that those still untold cannot make it up. Whatever stands where there are too many was likely told wrong.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, TypeAlias

from msgspec import Struct

from companion.core.components import UNKNOWN, Catalogue, Component
from companion.core.words import Text, count, say

NAMED = 4
"""So many of the likely culprits are named in a sentence."""

Buckets: TypeAlias = Iterable[Any]
"""What things are counted by: costs, kinds of goods, keywords."""


class Breakdown(Struct, frozen=True):
    """One list of numbers the rulebook prints: how many things there are in each bucket."""

    of: Callable[[Any], Buckets | None]
    """The buckets a component is in; none at all if it is not counted here, None while nobody told."""
    printed: Mapping[Any, int]
    text: Callable[[Any], Text]
    """How the things of a bucket are called: "worlds of cost 3"."""


class Cohort(Struct, frozen=True):
    """Things that are counted together, and everything that is counted of them."""

    text: Text
    """How they are called, all of them: "worlds"."""
    has: Callable[[Any], bool]
    breakdowns: tuple[Breakdown, ...] = ()

    def members(self, box: Catalogue[Any]) -> list[Any]:
        """Those of a box that belong here."""
        return [component for component in box if self.has(component)]


class Disagreement(Struct, frozen=True):
    """A count that is not as printed, and whose facts are likely to blame, the likeliest first."""

    text: Text
    components: tuple[str, ...] = ()

    def told(self, box: Catalogue[Any]) -> Text:
        """The same as one sentence, with the names of those most likely to blame."""
        names = tuple(box[id].called for id in self.components[:NAMED])
        return say("census.likely", what=self.text, names=names) if names else self.text


class Progress(Struct, frozen=True):
    """How much of a cohort was told, alike copies as one; and how many, at least, cannot be as they were told."""

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
    """The one bucket of a printed value; none if nothing is printed there, None while nobody told."""
    if value is UNKNOWN:
        return None
    return () if value is None else (value,)


def disagreements(
    cohorts: Iterable[Cohort], box: Catalogue[Any], told_at: Mapping[str, float] | None = None
) -> tuple[Disagreement, ...]:
    """Everything that is not as the rulebook counts; `told_at` says when a component was last taught something."""
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
    """How far each cohort was told, and whatever is in no cohort by its kind."""
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
    """A bucket with more or less in it than printed."""

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
        # While some are untold, too many here says it all: that they are then missing elsewhere follows.
        missing = -excess[bucket] > untold and not (untold and crowded)
        if excess[bucket] > 0 or missing:
            suspects = [c.id for c in found] if excess[bucket] > 0 else crowded
            printed = breakdown.printed.get(bucket, 0)
            text = say("census.counts", what=breakdown.text(bucket), printed=printed, found=_pieces(found))
            yield _Differing(text, excess[bucket], tuple(dict.fromkeys(suspects)))


def _wrong(cohort: Cohort, box: Catalogue[Any]) -> int:
    """So many things at least must be other than told: each can be too much, or missing, once in every count."""
    most = 0
    for breakdown in cohort.breakdowns:
        excesses = [wrong.excess for wrong in _differing(breakdown, cohort, box)]
        most = max(most, sum(n for n in excesses if n > 0), -sum(n for n in excesses if n < 0))
    return most


def _pieces(components: Iterable[Component]) -> int:
    return sum(component.copies for component in components)
