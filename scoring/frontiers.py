"""New Frontiers: chips, printed points, '?' bonuses and goals (p. 9, 11, 12)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Annotated, Literal

from msgspec import Meta, Struct, field
from msgspec.structs import replace

from scoring.count import Tally, sheet_of
from scoring.sheet import Line, Sheet

Kind = Literal["novelty", "rare", "genes", "alien"]
KINDS: tuple[Kind, ...] = ("novelty", "rare", "genes", "alien")
Keyword = Literal["alien", "imperium", "rebel", "terraforming", "uplift"]
KEYWORDS: tuple[Keyword, ...] = ("alien", "imperium", "rebel", "terraforming", "uplift")
Phase = Literal["explore", "develop", "settle", "produce", "trade", "consume"]
PHASES: tuple[Phase, ...] = ("explore", "develop", "settle", "produce", "trade", "consume")
Goal = Literal[
    "civil-service",
    "skilled-workforce",
    "diversification",
    "faction-tolerance",
    "conscription",
    "exploration",
    "resource-stockpile",
    "sales-tax",
]

Match = Literal[
    "all",
    "novelty",
    "rare",
    "genes",
    "alien",
    "gray",
    "alien-keyword",
    "imperium",
    "rebel",
    "terraforming",
    "uplift",
]
"""Which tiles a term is about: a kind, or a keyword printed in capitals on the tile."""

Military = Literal["any", "military", "peaceful"]
Held = Literal["chips", "colonists", "credits", "goods", "military", "kinds"]
Points = Annotated[int, Meta(ge=1, le=9)]
Number = Annotated[int, Meta(ge=0, le=9)]
EVERY_NUMBER = (0, 9)
"""From the lowest printed cost or defence of a tile to the highest."""


class PerTile(Struct, frozen=True, tag_field="does", tag="per-tile", kw_only=True):
    """Points for each tile of the empire that meets all conditions."""

    points: Points = 1
    tile: Literal["tile", "colony", "development", "large"] = "colony"
    match: Match = "all"
    military: Military = "any"
    goods: Literal["any", "windfall", "production"] = "any"
    with_power: Literal["any", "explore", "develop", "settle", "produce", "trade", "consume"] = "any"
    least: Number = 0
    most: Number = 9
    """Bounds of the printed cost or defence."""


class PerHeld(Struct, frozen=True, tag_field="does", tag="per-held", kw_only=True):
    """Points once per so many chips, unused colonists, credits, goods, military or different kinds."""

    points: Points = 1
    each: Points = 1
    held: Held = "chips"


Term = PerTile | PerHeld
"""What a '?' counts; within one '?' a tile counts for one term only, the best one (p. 9)."""


class Tile(Struct, frozen=True, kw_only=True):
    """What counts about a tile; `kind` is None for gray, and for the refinery until its kind is named."""

    id: str
    sort: Literal["colony", "development"]
    large: bool = False
    points: int = 0
    question: bool = False
    """Whether it prints a '?' instead of points."""
    bonus: tuple[Term, ...] = ()
    """What its '?' counts; empty if unknown."""
    worth: int | None = None
    """The total of its '?', if the players counted it themselves."""
    kind: Kind | None = None
    any_kind: bool = False
    """Whether its owner names its kind: the Oort Cloud Refinery."""
    goods: Literal["windfall", "production"] | None = None
    military: bool = False
    keywords: frozenset[Keyword] = frozenset()
    powers: tuple[Phase, ...] = ()
    """The action of each of its powers: two Consume powers are listed twice."""
    strength: int = 0
    """Its military against every world."""
    number: int | None = None
    """Its printed cost or defence; None if unknown."""


class Seat(Struct, frozen=True, kw_only=True):
    """One empire at the time of scoring; `stored` is what lies on the stockpile mat and counts only for its
    goal."""

    name: str
    tiles: tuple[Tile, ...]
    chips: int = 0
    credits: int = 0
    goods: int = 0
    colonists: int = 0
    stored_worlds: int = 0
    stored_goods: int = 0
    stored_credits: int = 0
    counted: Mapping[Goal, int] = field(default_factory=dict)
    """Points for goals that the players counted themselves."""


Steps = tuple[tuple[int, int], ...]
"""Pairs of the amount a goal requires and its points, the smallest first."""

MATCHED: dict[Match, Kind] = {"novelty": "novelty", "rare": "rare", "genes": "genes", "alien": "alien"}
WORDS: dict[Match, Keyword] = {
    "alien-keyword": "alien",
    "imperium": "imperium",
    "rebel": "rebel",
    "terraforming": "terraforming",
    "uplift": "uplift",
}


def score(seats: Sequence[Seat], goals: Mapping[Goal, Steps]) -> Sheet:
    """The sheet of these empires with these goals in play; ties are broken by credits and goods together."""
    tallies = [
        Tally(seat.name, tuple(_seat_lines(seat, goals)), (seat.credits + seat.goods,)) for seat in seats
    ]
    return sheet_of("frontiers", tallies)


def _seat_lines(seat: Seat, goals: Mapping[Goal, Steps]) -> Iterator[Line]:
    """Every line of an empire; its refinery is named once, for all bonuses and goals together (p. 9)."""
    if not any(tile.any_kind for tile in seat.tiles):
        yield from _lines(seat, goals)
        return
    nameless = _total(_lines(seat, goals))
    each = {kind: tuple(_lines(named(seat, kind), goals)) for kind in KINDS}
    gains = {kind: _total(lines) - nameless for kind, lines in each.items()}
    best = max(KINDS, key=gains.__getitem__)
    yield from each[best]
    if any(gains.values()):
        ranked = sorted(KINDS, key=lambda kind: -gains[kind])
        yield Line(f"named-{best}", 0, {}, {f"as-{kind}": gains[kind] for kind in ranked})


def named(seat: Seat, kind: Kind) -> Seat:
    """The same empire with its refinery of this kind."""
    return replace(
        seat,
        tiles=tuple(
            replace(tile, kind=kind, any_kind=False) if tile.any_kind else tile for tile in seat.tiles
        ),
    )


def _total(lines: Iterable[Line]) -> int:
    return sum(line.points for line in lines)


def _lines(seat: Seat, goals: Mapping[Goal, Steps]) -> Iterator[Line]:
    yield Line("chips", seat.chips, {}, {"chips": seat.chips})
    yield from (_tile_line(tile, seat) for tile in seat.tiles)
    yield from (_goal_line(goal, steps, seat) for goal, steps in goals.items())


# Tiles


def _tile_line(tile: Tile, seat: Seat) -> Line:
    if tile.worth is not None:
        return Line(tile.id, tile.worth, {}, {"counted": tile.worth})
    if tile.bonus:
        return bonus_line(tile, seat)
    if tile.question:
        return Line(tile.id, 0, {}, {"untold": 0})
    return Line(tile.id, tile.points, {tile.id: tile.points})


def bonus_line(tile: Tile, seat: Seat) -> Line:
    """The points of a '?': every tile counts for its best term, also the bonus tile if it fits one (p. 9)."""
    per_tile = [term for term in tile.bonus if isinstance(term, PerTile)]
    per_held = [term for term in tile.bonus if isinstance(term, PerHeld)]
    because = {other.id: points for other in seat.tiles if (points := best(per_tile, other))}
    holding: dict[str, int] = {term.held: held(seat, term.held) for term in per_held}
    measured = sum(term.points * (max(0, holding[term.held]) // term.each) for term in per_held)
    return Line(tile.id, sum(because.values()) + measured, because, holding)


def best(terms: Iterable[PerTile], tile: Tile) -> int:
    """What a tile earns within one bonus: it counts for one term only, the best."""
    return max((term.points for term in terms if fits(term, tile)), default=0)


def fits(term: PerTile, tile: Tile) -> bool:
    """Whether a term counts this tile."""
    return (
        (term.tile in ("tile", tile.sort) or (term.tile == "large" and tile.large))
        and _matches(term.match, tile)
        and (term.military == "any" or (tile.sort, tile.military) == ("colony", term.military == "military"))
        and term.goods in ("any", tile.goods)
        and (term.with_power == "any" or term.with_power in tile.powers)
        and within(term.least, term.most, tile.number)
    )


def within(least: int, most: int, number: int | None) -> bool:
    """Whether a printed cost or defence is within these bounds; an unknown one only if all are."""
    return (least, most) == EVERY_NUMBER or (number is not None and least <= number <= most)


def _matches(match: Match, tile: Tile) -> bool:
    if match == "all":
        return True
    if match == "gray":
        return tile.sort == "colony" and tile.kind is None and not tile.any_kind
    if match in MATCHED:
        return tile.kind == MATCHED[match]
    return WORDS[match] in tile.keywords


def held(seat: Seat, what: Held) -> int:
    """How much an empire has of something that is not a tile."""
    if what == "military":
        return sum(tile.strength for tile in seat.tiles)
    if what == "kinds":
        return len({tile.kind for tile in seat.tiles} - {None})
    n: int = getattr(seat, what)
    return n


# Goals


def _goal_line(goal: Goal, steps: Steps, seat: Seat) -> Line:
    """The points of a goal: the highest amount reached counts (p. 11)."""
    if goal in seat.counted:
        return Line(goal, seat.counted[goal], {}, {"counted": seat.counted[goal]})
    measures = reached(goal, seat)
    n = next(iter(measures.values()))
    return Line(goal, max((points for least, points in steps if n >= least), default=0), {}, measures)


def reached(goal: Goal, seat: Seat) -> dict[str, int]:
    """What a goal counts in an empire: the amount first, then the number of each of the different things."""
    if goal == "civil-service":
        return {"consume-powers": sum(tile.powers.count("consume") for tile in seat.tiles)}
    if goal == "skilled-workforce":
        return _different(
            "power", PHASES, Counter(phase for tile in seat.tiles for phase in set(tile.powers))
        )
    if goal == "diversification":
        return _different("kind", KINDS, Counter(tile.kind for tile in seat.tiles))
    if goal == "faction-tolerance":
        return _different("keyword", KEYWORDS, Counter(word for tile in seat.tiles for word in tile.keywords))
    amounts: dict[Goal, tuple[str, int]] = {
        "conscription": ("colonists", seat.colonists),
        "exploration": ("stored-worlds", seat.stored_worlds),
        "resource-stockpile": ("stored-goods", seat.stored_goods),
        "sales-tax": ("stored-credits", seat.stored_credits),
    }
    measure, n = amounts[goal]
    return {measure: n}


def _different(what: str, wanted: Iterable[str], found: Mapping[str | None, int]) -> dict[str, int]:
    """How many of the wanted things there are, and on how many tiles each is."""
    there = {f"{what}-{one}": found[one] for one in wanted if one in found}
    return {f"different-{what}s": len(there), **there}
