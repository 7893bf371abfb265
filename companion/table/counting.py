"""A finished table that people count together: at the screen, and each seat on its own phone."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from companion.core.components import Component
from companion.core.counters import Correctable
from companion.results.score_only import Unplayed


class TableCounted(Struct, frozen=True):
    """The finished table that is being counted at the screen, as far as it is entered; None if there is none."""

    played: Unplayed | None = None
    shown: bool = False
    """Whether its sheet has been shown: nothing is entered any more."""


class Entered(Struct, frozen=True):
    """A player entered a value of their own: how many of a component they have, or a number."""

    seat: str
    what: str
    value: int


class Holding(Struct, frozen=True):
    """A component that a seat has or may have: how many, and at most, as others have the rest."""

    component: Component
    held: int
    most: int


def holdings(played: Unplayed, seat: str) -> Iterator[Holding]:
    """Everything in the box that a seat may have, in its order, without what every player has."""
    between = set(played.between)
    all_held = {name: (*played.mine(name), *played.owned(name)) for name in played.seats}
    for component in played.catalogue:
        id = component.id
        if component.own:
            continue
        held = all_held[seat].count(id)
        others = sum(there.count(id) for name, there in all_held.items() if name != seat)
        shared = id in between and played.shared(id)
        yield Holding(component, held, 1 if shared else max(0, component.copies - others))


def own_numbers(played: Unplayed, seat: str) -> tuple[Correctable, ...]:
    """What cannot be seen of a seat, such as its chips."""
    n = played.seats.index(seat)
    return tuple(counter for counter in played.outcome().asked if counter.seat == n)


def with_entry(played: Unplayed, entry: Entered) -> Unplayed:
    """The table with this entry; unchanged if it is not possible any more."""
    seat, what, value = entry.seat, entry.what, entry.value
    if seat not in played.seats:
        return played
    holding = next((one for one in holdings(played, seat) if one.component.id == what), None)
    if holding is None:
        possible = any(one.id == what and value in one.values for one in own_numbers(played, seat))
        return played.tell(what, value) if possible else played
    if not 0 <= value <= holding.most or value == holding.held:
        return played
    if what in played.between:
        return played.seen_between((what,)).given(what, seat)
    kept = tuple(one for one in played.mine(seat) if one != what)
    return replace(played, before={**played.before, seat: (*kept, *[what] * value)})
