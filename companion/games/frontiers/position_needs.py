"""Which facts are needed to score a finished empire, and which of them are unknown."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, get_args

from msgspec.structs import replace

from companion.core.components import UNKNOWN
from companion.core.forms import field_words
from companion.core.needs import needed
from companion.core.words import Text, plain, say
from companion.games.frontiers.component_types import Home, HomeProduct, Tile, everything
from companion.games.frontiers.position_limits import WORTH
from companion.games.frontiers.powers import GainAlways, MilitaryPower
from companion.games.frontiers.sheet import printed_goals
from scoring import frontiers as scoring
from scoring.frontiers import EVERY_NUMBER, KINDS, PHASES, WORDS, Goal, Held, PerHeld, PerTile, Term

if TYPE_CHECKING:
    from companion.games.frontiers.position import Seat, Table

Untold = dict[str, tuple[str, ...]]
"""Unknown fields, by tile."""


def missing(where: str, seat: Seat, table: Table) -> Iterator[Text]:
    """Parts of an empire that cannot be scored, with the missing facts; and points given for parts that can
    be scored."""
    empire = table.empire(seat)
    for tile in empire:
        if tile.points is UNKNOWN:
            yield say("frontiers.position.no-points", seat=where, tile=tile.called, id=tile.id)
    known = {tile.id: tile for tile in empire}
    for tile in empire:
        yield from _bonus_problems(where, tile, seat, empire)
    for goal in table.goals:
        yield from _goal_problems(where, goal, seat, empire)
    for id, n in seat.worth.items():
        if id not in known and id not in table.goals:
            yield say("frontiers.position.worth-elsewhere", seat=where, id=id)
        elif not 0 <= n <= WORTH:
            yield say("frontiers.position.worth", seat=where, id=id, n=n, most=WORTH)


def _bonus_problems(where: str, tile: Tile, seat: Seat, empire: Sequence[Tile]) -> Iterator[Text]:
    if tile.points is UNKNOWN:
        return
    name, number = tile.called, tile.id in seat.worth
    if tile.points != "?":
        if number:
            yield say("frontiers.position.no-question", seat=where, tile=name, points=tile.points)
        return
    if tile.bonus is UNKNOWN:
        if not number:
            yield say("frontiers.position.open-bonus", seat=where, tile=name, id=tile.id)
        return
    untold = bonus_needs(tile.bonus, empire)
    if untold and not number:
        yield say("frontiers.position.untold", seat=where, what=name, id=tile.id, tiles=in_words(untold))
    if number and not untold:
        yield say("frontiers.position.can-count", seat=where, what=name)


def _goal_problems(where: str, goal: Goal, seat: Seat, empire: Sequence[Tile]) -> Iterator[Text]:
    tile = printed_goals()[goal]
    name, untold = tile.called, goal_needs(goal, empire)
    if goal not in seat.worth:
        if untold:
            yield say("frontiers.position.untold", seat=where, what=name, id=goal, tiles=in_words(untold))
    elif not untold:
        yield say("frontiers.position.can-count", seat=where, what=name)
    elif seat.worth[goal] not in {0, *(points for _, points in tile.steps)}:
        pays = tuple(plain(str(points)) for points in (0, *(points for _, points in tile.steps)))
        yield say("frontiers.position.goal-pays", seat=where, goal=name, n=seat.worth[goal], pays=pays)


def in_words(untold: Untold) -> tuple[Text, ...]:
    """Which fields of which tiles."""
    return tuple(
        say(
            "frontiers.position.fields",
            tile=everything()[id].called,
            fields=tuple(field_words("frontiers", field) for field in fields),
        )
        for id, fields in untold.items()
    )


# A fact is needed only if it would change the count

Count = Callable[[scoring.Tile, scoring.Seat], object]
"""The count of one tile, and of the empire with it."""

HELD_BY_TILES: dict[Held, str] = {"military": "powers", "kinds": "product"}
GOALS_LOOK_AT: dict[Goal, tuple[str, ...]] = {
    "civil-service": ("powers",),
    "skilled-workforce": ("powers",),
    "diversification": ("product",),
    "faction-tolerance": ("keywords", "product"),
}
"""The fields these goals count; the other goals count nothing that a tile prints."""


def bonus_needs(terms: Iterable[Term], empire: Sequence[Tile]) -> Untold:
    """The facts needed before this '?' can be counted."""
    terms = tuple(terms)
    per_tile = [term for term in terms if isinstance(term, PerTile)]
    held = [what for what in HELD_BY_TILES for t in terms if isinstance(t, PerHeld) and t.held == what]
    looked_at = (field for term in per_tile for field in _looks_at(term))
    fields = dict.fromkeys((*looked_at, *(HELD_BY_TILES[what] for what in held)))

    def count(tile: scoring.Tile, seat: scoring.Seat) -> object:
        return scoring.best(per_tile, tile), [scoring.held(seat, what) for what in held]

    return dict(_needs(empire, fields, per_tile, count))


def goal_needs(goal: Goal, empire: Sequence[Tile]) -> Untold:
    """The facts needed before this goal can be counted; none if it is fully reached already."""
    most = printed_goals()[goal].steps[-1][0]

    def count(tile: scoring.Tile, seat: scoring.Seat) -> object:
        return min(most, next(iter(scoring.reached(goal, seat).values())))

    return dict(_needs(empire, GOALS_LOOK_AT.get(goal, ()), EVERY_TERM, count))


def _needs(
    empire: Sequence[Tile], fields: Iterable[str], terms: Sequence[PerTile], count: Count
) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The facts needed of each tile, among these fields."""
    for at, tile in enumerate(empire):
        if untold := [field for field in fields if _is_untold(tile, field)]:
            may_be = _may_be(terms)
            others = tuple(other.for_scoring for other in (*empire[:at], *empire[at + 1 :]))
            counted = partial(_counted, tile, others, count)
            if found := needed({field: may_be[field] for field in untold}, counted):
                yield tile.id, found


def _counted(tile: Tile, others: tuple[scoring.Tile, ...], count: Count, printed: dict[str, Any]) -> object:
    told = replace(tile, **printed).for_scoring
    return count(told, scoring.Seat(name="", tiles=(*others, told)))


def _is_untold(tile: Tile, field: str) -> bool:
    """Whether a field of a tile is unknown; developments have no product and no defence, homes no known price."""
    if isinstance(tile, Home) and field == "price":
        return False
    return getattr(tile, field, None) is UNKNOWN


def _looks_at(term: PerTile) -> Iterator[str]:
    """The fields a term depends on; yellow worlds are Alien whatever word is printed."""
    if term.match in WORDS:
        yield "keywords"
    if term.match in ("alien-keyword", "gray", *KINDS) or term.goods != "any":
        yield "product"
    if term.military != "any" or (term.least, term.most) != EVERY_NUMBER:
        yield from ("price", "cost")
    if term.with_power != "any":
        yield "powers"


EVERY_TERM = [*(PerTile(match=word) for word in WORDS), *(PerTile(with_power=phase) for phase in PHASES)]


def _may_be(terms: Sequence[PerTile]) -> dict[str, Sequence[Any]]:
    """Representative values of each field, enough to distinguish all outcomes of these terms: their words,
    and both sides of each bound."""
    words = [word for match, word in WORDS.items() if any(term.match == match for term in terms)]
    phases = [phase for phase in PHASES if any(term.with_power == phase for term in terms)]
    edges = {n for term in terms for n in (term.least - 1, term.least, term.most, term.most + 1)}
    numbers = sorted(edges & set(range(EVERY_NUMBER[0], EVERY_NUMBER[1] + 1)))
    return {
        "keywords": [frozenset(), *(frozenset({word}) for word in words)],
        "product": get_args(HomeProduct),
        "powers": [(), (MilitaryPower(),), *((GainAlways(phase=phase),) for phase in phases)],
        "price": [f"{sort}-{n}" for sort in ("cost", "defence") for n in numbers],
        "cost": [n for n in numbers if n],
    }
