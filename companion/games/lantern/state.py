"""The table as the rules know it."""

from __future__ import annotations

from msgspec.structs import replace

from companion.core.agenda import State
from companion.core.components import Catalogue
from companion.core.words import count, say
from companion.games.lantern.component_types import Light, lights

OIL = 7


def night(n: int) -> str:
    """The id of a round's place on the map."""
    return f"night-{n}"


class LanternState(State, frozen=True, kw_only=True):
    """Who sits here, which card each seat has shown, and how much oil each seat has taken."""

    names: tuple[str, ...]
    long: bool
    shown: tuple[str | None, ...]
    oil: tuple[int, ...]
    round: int = 0

    @property
    def box(self) -> Catalogue[Light]:
        """The cards, with the facts the players told."""
        return lights().taught(self.taught)

    @property
    def pool(self) -> int:
        """The oil nobody has taken."""
        return OIL - sum(self.oil)

    @property
    def rounds(self) -> int:
        """How many rounds are played."""
        return 4 if self.long else 3

    def give(self, seat: int, n: int) -> LanternState:
        """The same table after a seat took `n` oil, or all that was left."""
        n = min(n, self.pool)
        given = replace(self, oil=tuple(o + n * (s == seat) for s, o in enumerate(self.oil)))
        return given.tell(count("lantern.take-oil", n), seat, "hands")

    def put_back(self, seat: int) -> LanternState:
        """The same table after a seat put one oil back, if it has any."""
        if not self.oil[seat]:
            return self
        less = replace(self, oil=tuple(o - (s == seat) for s, o in enumerate(self.oil)))
        return less.tell(say("lantern.put-back"), seat, "hands")
