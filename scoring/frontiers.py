"""New Frontiers: chips, printed points, '?' bonuses and goals (p. 9, 11, 12)."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

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
"""Which tiles something is about: a kind, or a word set in capitals on the tile."""

Military = Literal["any", "military", "peaceful"]
Points = Annotated[int, Meta(ge=1, le=9)]


class PerTile(Struct, frozen=True, tag_field="does", tag="per-tile", kw_only=True):
    """Points for each tile of the empire that fits all that is said."""

    points: Points = 1
    tile: Literal["tile", "colony", "development", "large"] = "colony"
    match: Match = "all"
    military: Military = "any"
    goods: Literal["any", "windfall", "production"] = "any"
    with_power: Literal["any", "explore", "develop", "settle", "produce", "trade", "consume"] = "any"


class PerHeld(Struct, frozen=True, tag_field="does", tag="per-held", kw_only=True):
    """Points once per so many chips, unused colonists, credits, goods or military."""

    points: Points = 1
    each: Points = 1
    held: Literal["chips", "colonists", "credits", "goods", "military"] = "chips"


Term = PerTile | PerHeld
"""What a '?' counts; within one '?' a tile counts for one term only, so for its best (p. 9)."""


class Tile(Struct, frozen=True, kw_only=True):
    """What counts about a tile of an empire; `kind` is none for gray, and for the refinery until it is named."""

    id: str
    sort: Literal["colony", "development"]
    large: bool = False
    points: int = 0
    bonus: tuple[Term, ...] = ()
    worth: int | None = None
    """What its '?' gives in all, where the table counted that itself."""
    kind: Kind | None = None
    any_kind: bool = False
    """Whether it is of whatever kind its owner names: the Oort Cloud Refinery."""
    goods: Literal["windfall", "production"] | None = None
    military: bool = False
    keywords: frozenset[Keyword] = frozenset()
    powers: tuple[Phase, ...] = ()
    """The action of each of its powers: two Consume powers are there twice."""
    strength: int = 0
    """Its military against every world."""


class Seat(Struct, frozen=True, kw_only=True):
    """One empire at the moment of counting; `stored` lies on the stockpile mat and counts for its goal only."""

    name: str
    tiles: tuple[Tile, ...]
    chips: int = 0
    credits: int = 0
    goods: int = 0
    colonists: int = 0
    stored_worlds: int = 0
    stored_goods: int = 0
    stored_credits: int = 0
