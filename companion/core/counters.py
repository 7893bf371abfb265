"""Values that people can correct by hand, including those the program cannot see."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct

from companion.core.words import Text, plain, say


class Correctable(Struct, frozen=True):
    """A value that can be set by hand, with its bounds; `component` if it is the place or the number of a
    component.

    Where a number would mean nothing to people, `names` lists the only possible values and their names.
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
    """The heading under which people look for it in a long list, such as a place on a map."""
    short: Text | None = None
    """Its name where its seat is shown beside it."""

    @property
    def is_switch(self) -> bool:
        """Whether it is on or off, rather than a number or a choice."""
        return (self.low, self.high) == (0, 1) and not self.names

    @property
    def values(self) -> Sequence[int]:
        """Everything it can be set to."""
        return [value for value, _ in self.names] if self.names else range(self.low, self.high + 1)

    def called(self, value: int) -> Text:
        """A value in words; "not told" for a value without a name among named ones."""
        return dict(self.names).get(value, say("core.not-told")) if self.names else plain(str(value))


def choice(
    id: str,
    seat: int | None,
    text: Text,
    value: int,
    names: Iterable[tuple[int, Text]],
    component: str | None = None,
) -> Correctable:
    """A counter whose values have names."""
    named = tuple(names)
    values = [n for n, _ in named]
    return Correctable(id, seat, text, value, min(values), max(values), component, named)
