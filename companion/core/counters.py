"""What can be set by hand, or told where nobody can see it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct

from companion.core.words import Text, plain, say


class Counter(Struct, frozen=True):
    """Something that can be set by hand, with its bounds; `component` if it says where, or how many of, that lie.

    Where a number would tell nobody anything, `names` has the only values there are, and how they are called.
    """

    id: str
    seat: int | None
    text: Text
    value: int
    low: int
    high: int
    component: str | None = None
    names: tuple[tuple[int, Text], ...] = ()
    group: Text | None = None
    """What people look for first where there is much that can be set, such as a place on a map."""

    @property
    def is_switch(self) -> bool:
        """Whether this is there or not, rather than a number or a choice."""
        return (self.low, self.high) == (0, 1) and not self.names

    @property
    def values(self) -> Sequence[int]:
        """Everything it can be set to."""
        return [value for value, _ in self.names] if self.names else range(self.low, self.high + 1)

    def called(self, value: int) -> Text:
        """A value in words; one that has no name among others was not told."""
        return dict(self.names).get(value, say("core.not-told")) if self.names else plain(str(value))


def choice(
    id: str,
    seat: int | None,
    text: Text,
    value: int,
    names: Iterable[tuple[int, Text]],
    component: str | None = None,
) -> Counter:
    """A counter whose values have names."""
    named = tuple(names)
    values = [n for n, _ in named]
    return Counter(id, seat, text, value, min(values), max(values), component, named)
