"""The facts a '?' or a goal of New Frontiers needs, worked out by hand, for comparison with the derived ones."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from companion.core.components import UNKNOWN
from companion.games.frontiers.component_types import Development, Home, Tile
from companion.games.frontiers.sheet import printed_goals
from scoring.frontiers import EVERY_NUMBER, KINDS, WORDS, Goal, PerHeld, PerTile, Term, fits

Untold = dict[str, tuple[str, ...]]


# What a '?' needs


def bonus_needs(terms: Iterable[Term], empire: Sequence[Tile]) -> Untold:
    """What must be told before this '?' can be counted."""
    terms = tuple(terms)
    per_tile = [term for term in terms if isinstance(term, PerTile)]
    strength = any(isinstance(term, PerHeld) and term.held == "military" for term in terms)
    kinds = any(isinstance(term, PerHeld) and term.held == "kinds" for term in terms)
    kinds = kinds and not {tile.kind for tile in empire}.issuperset(KINDS)
    found: Untold = {}
    for tile in _incomplete(empire):
        fields = dict.fromkeys(field for term in per_tile for field in _undecided(term, tile, per_tile))
        if strength and tile.powers is UNKNOWN:
            fields["powers"] = None
        if kinds and _is_untold(tile, "product"):
            fields["product"] = None
        if fields:
            found[tile.id] = tuple(fields)
    return found


def _incomplete(empire: Iterable[Tile]) -> Iterator[Tile]:
    """The tiles of which something is untold that a bonus or a goal may look at."""
    return (tile for tile in empire if any(getattr(tile, field, None) is UNKNOWN for field in COUNTED))


COUNTED = ("keywords", "powers", "product", "price", "cost")


def _undecided(term: PerTile, tile: Tile, terms: Iterable[PerTile]) -> tuple[str, ...]:
    """What must be told to say whether a tile counts for a term; nothing if a term as good counts it anyway."""
    untold = _untold(term, tile)
    better = (other for other in terms if other.points >= term.points and not _untold(other, tile))
    if not untold or any(fits(other, tile.for_scoring) for other in better):
        return ()
    return untold


def _untold(term: PerTile, tile: Tile) -> tuple[str, ...]:
    """The fields a term looks at that are unknown; none if what is known rules the tile out."""
    if not fits(PerTile(tile=term.tile), tile.for_scoring):
        return ()
    asks = [
        (tuple(field for field in fields if _is_untold(tile, field)), narrow)
        for fields, narrow in _conditions(term, tile)
    ]
    decided = (narrow for untold, narrow in asks if not untold)
    if not all(fits(narrow, tile.for_scoring) for narrow in decided):
        return ()
    return tuple(dict.fromkeys(field for untold, _ in asks for field in untold))


def _conditions(term: PerTile, tile: Tile) -> Iterator[tuple[tuple[str, ...], PerTile]]:
    """The fields a term looks at, together with what the term asks of them alone."""
    if term.match == "alien-keyword":
        # Yellow worlds are Alien whatever is printed: either field may tell, but only both can tell that it is not.
        if "alien" not in tile.marked:
            yield ("keywords", "product"), PerTile(tile="tile", match=term.match)
    elif term.match in WORDS:
        yield ("keywords",), PerTile(tile="tile", match=term.match)
    elif term.match != "all":
        yield ("product",), PerTile(tile="tile", match=term.match)
    if term.military != "any":
        yield ("price",), PerTile(tile="tile", military=term.military)
    if term.goods != "any":
        yield ("product",), PerTile(tile="tile", goods=term.goods)
    if term.with_power != "any":
        yield ("powers",), PerTile(tile="tile", with_power=term.with_power)
    if (term.least, term.most) != EVERY_NUMBER:
        field = "cost" if isinstance(tile, Development) else "price"
        yield (field,), PerTile(tile="tile", least=term.least, most=term.most)


def _is_untold(tile: Tile, field: str) -> bool:
    """Whether a field of a tile is unknown; developments have no product and no defence, homes none we know of."""
    if isinstance(tile, Home) and field == "price":
        return False
    return getattr(tile, field, None) is UNKNOWN


# What a goal needs

LOOKS_AT: dict[Goal, tuple[str, ...]] = {
    "civil-service": ("powers",),
    "skilled-workforce": ("powers",),
    "diversification": ("product",),
    "faction-tolerance": ("keywords", "product"),
}
"""The fields a goal looks at; the others count what no tile prints."""


def goal_needs(goal: Goal, empire: Sequence[Tile]) -> Untold:
    """What must be told before this goal can be counted; nothing if it is reached wholly already."""
    incomplete = tuple(_incomplete(empire)) if goal in LOOKS_AT else ()
    if not incomplete or _complete(goal, empire):
        return {}
    found: Untold = {}
    for tile in incomplete:
        fields = [field for field in LOOKS_AT[goal] if _is_untold(tile, field)]
        if goal == "faction-tolerance" and any("alien" in other.marked for other in empire):
            fields = [field for field in fields if field != "product"]
        if fields:
            found[tile.id] = tuple(fields)
    return found


def _complete(goal: Goal, empire: Sequence[Tile]) -> bool:
    """Whether what is known gives all a goal can give."""
    powers = [power.phase for tile in empire for power in tile.powers or ()]
    most = printed_goals()[goal].steps[-1][0]
    told = {
        "civil-service": sum(phase == "consume" for phase in powers),
        "skilled-workforce": len(set(powers)),
        "diversification": len({tile.kind for tile in empire} & set(KINDS)),
        "faction-tolerance": len({word for tile in empire for word in tile.marked}),
    }
    return told.get(goal, most) >= most
