"""The score sheet of New Frontiers, rule by rule (p. 9, 11, 12)."""

from __future__ import annotations

from typing import Any

import pytest

from companion.games.frontiers.component_types import GoalTile, everything, ids
from scoring.frontiers import Goal, PerHeld, PerTile, Seat, Steps, Tile, score
from scoring.sheet import Line

LEAGUE = (PerTile(points=2, match="genes"), PerTile(points=1, military="military"))
LORDS = (PerTile(tile="tile", match="imperium"), PerTile(points=2, match="rebel"))


def colony(id: str, **what: Any) -> Tile:
    return Tile(id=id, sort="colony", **what)


def development(id: str, **what: Any) -> Tile:
    return Tile(id=id, sort="development", **what)


def printed(goal: str) -> Steps:
    tile = everything()[goal]
    assert isinstance(tile, GoalTile)
    return tile.steps


def lines(*tiles: Tile, goals: tuple[Goal, ...] = (), **what: Any) -> dict[str, Line]:
    sheet = score([Seat(name="Ania", tiles=tiles, **what)], {goal: printed(goal) for goal in goals})
    return {line.what: line for line in sheet.seats[0].lines}


def test_chips_and_printed_points_of_every_tile() -> None:
    """Rule 185: the home is one of them; a tile worth nothing has a line too."""
    home, world, marines = colony("home-1-white", points=2), colony("world-9"), development("x", points=1)
    found = lines(home, world, marines, chips=7)
    assert {what: line.points for what, line in found.items()} == {
        "chips": 7,
        "home-1-white": 2,
        "world-9": 0,
        "x": 1,
    }
    assert found["home-1-white"].because == {"home-1-white": 2}
    assert found["chips"].measures == {"chips": 7}


def test_the_league_counts_a_military_genes_colony_once() -> None:
    """Rules 188 to 190: 2 + 2 + 1, and the League itself is no colony."""
    found = lines(
        development("league", question=True, bonus=LEAGUE, large=True),
        colony("both", kind="genes", military=True),
        colony("genes", kind="genes"),
        colony("gray", military=True),
        colony("home", kind="rare"),
    )
    assert found["league"].because == {"both": 2, "genes": 2, "gray": 1}
    assert found["league"].points == 5


def test_the_lords_count_themselves_and_the_better_of_two_terms() -> None:
    """Rules 188, 189 and 191: a Rebel colony of the Imperium counts as a Rebel, a Rebel development not at all."""
    found = lines(
        development("lords", question=True, bonus=LORDS, keywords=frozenset({"imperium"})),
        colony("both", keywords=frozenset({"imperium", "rebel"})),
        development("rebels", keywords=frozenset({"rebel"})),
    )
    assert found["lords"].because == {"lords": 1, "both": 2}


def test_the_better_term_counts_even_if_it_is_printed_later() -> None:
    """Rule 188: the owner chooses, wherever the term stands."""
    terms = (PerTile(points=1, military="military"), PerTile(points=3, match="genes"))
    found = lines(development("x", bonus=terms), colony("both", kind="genes", military=True))
    assert found["x"].points == 3


def test_one_tile_counts_for_several_bonuses() -> None:
    """Rule 187."""
    found = lines(
        development("a", bonus=LEAGUE),
        development("b", bonus=LORDS),
        colony("c", kind="genes", military=True),
    )
    assert found["a"].because == {"c": 2}
    imperial = colony("c", kind="genes", keywords=frozenset({"imperium"}))
    found = lines(development("a", bonus=LEAGUE), development("b", bonus=LORDS), imperial)
    assert (found["a"].because, found["b"].because) == ({"c": 2}, {"c": 1})


@pytest.mark.parametrize(
    ("term", "counted"),
    [
        (PerTile(), {"home", "gray", "production", "refinery"}),
        (PerTile(tile="tile"), {"home", "gray", "production", "refinery", "small", "large"}),
        (PerTile(tile="development"), {"small", "large"}),
        (PerTile(tile="large"), {"large"}),
        (PerTile(match="gray"), {"gray"}),
        (PerTile(match="alien-keyword", tile="tile"), {"gray", "small"}),
        (PerTile(military="peaceful", tile="tile"), {"home", "production", "refinery"}),
        (PerTile(military="military", tile="tile"), {"gray"}),
        (PerTile(goods="windfall"), {"home"}),
        (PerTile(goods="production"), {"production", "refinery"}),
        (PerTile(with_power="consume", tile="tile"), {"home", "large"}),
        (PerTile(with_power="consume", tile="development"), {"large"}),
    ],
    ids=lambda value: str(value) if isinstance(value, PerTile) else "",
)
def test_what_a_term_counts(term: PerTile, counted: set[str]) -> None:
    """Rules 186 and 193: all that a term says must hold."""
    found = lines(
        colony("home", kind="novelty", goods="windfall", powers=("consume",)),
        colony("gray", military=True, keywords=frozenset({"alien"})),
        colony("production", kind="rare", goods="production"),
        colony("refinery", any_kind=True, goods="production"),
        development("small", keywords=frozenset({"alien"}), powers=("settle",)),
        development("large", large=True, powers=("trade", "consume"), question=True, bonus=(term,)),
    )
    assert set(found["large"].because) == counted


@pytest.mark.parametrize(
    ("what", "points"), [("chips", 3), ("colonists", 1), ("credits", 4), ("goods", 0), ("military", 2)]
)
def test_what_no_tile_earns_is_measured(what: Any, points: int) -> None:
    """Rule 186: one point for every two, rounded down; the sheet says what was counted."""
    found = lines(
        colony("a", strength=3),
        development("b", strength=1, question=True, bonus=(PerHeld(each=2, held=what),)),
        chips=7,
        colonists=2,
        credits=9,
        goods=1,
    )
    assert found["b"].points == points
    assert list(found["b"].measures) == [what]


def test_a_bonus_never_takes_points_away() -> None:
    """Rule 186: bonuses are added; military below nothing adds nothing."""
    terms = (PerHeld(held="military"), PerTile(tile="development"))
    assert lines(development("b", strength=-2, bonus=terms))["b"].points == 1


def test_a_bonus_nobody_told_says_so() -> None:
    """Rule 20: what is not known is not counted, and not hidden."""
    assert lines(development("x", question=True))["x"] == Line("x", 0, {}, {"untold": 0})
    assert lines(development("x", question=True, worth=6))["x"] == Line("x", 6, {}, {"counted": 6})


# The refinery


def test_the_refinery_is_named_for_the_highest_total() -> None:
    """Rules 173 and 184: one name for all bonuses and goals together; as Rare it would give one bonus more."""
    rare, genes = (PerTile(points=3, match="rare"),), (PerTile(points=2, match="genes"),)
    tiles = (
        colony("refinery", any_kind=True),
        development("rare", bonus=rare),
        development("genes", bonus=genes),
        colony("novelty", kind="novelty"),
        colony("elements", kind="rare"),
    )
    alone, with_goal = lines(*tiles), lines(*tiles, goals=("diversification",))
    assert alone["rare"].because == {"refinery": 3, "elements": 3}
    assert alone["named-rare"].measures == {"as-rare": 3, "as-genes": 2, "as-novelty": 0, "as-alien": 0}
    assert with_goal["genes"].because == {"refinery": 2}
    assert with_goal["diversification"].points == 3
    assert with_goal["named-genes"] == Line(
        "named-genes", 0, {}, {"as-genes": 5, "as-rare": 3, "as-alien": 3, "as-novelty": 0}
    )


def test_a_refinery_whose_kind_changes_nothing_is_not_spoken_of() -> None:
    """Rule 184: no kind is gray."""
    found = lines(colony("refinery", any_kind=True), development("x", bonus=(PerTile(match="gray"),)))
    assert list(found) == ["chips", "refinery", "x"]
    assert found["x"].points == 0


# Goals

AMOUNTS: list[tuple[Goal, str, dict[int, int]]] = [
    ("conscription", "colonists", {0: 0, 2: 0, 3: 2, 4: 2, 5: 5, 6: 5, 7: 8, 12: 8}),
    ("exploration", "stored_worlds", {0: 0, 1: 2, 2: 5, 3: 5, 4: 8}),
    ("resource-stockpile", "stored_goods", {1: 0, 2: 2, 3: 2, 4: 5, 5: 5, 6: 8}),
    ("sales-tax", "stored_credits", {2: 0, 3: 2, 4: 2, 5: 5, 6: 5, 7: 8}),
]


@pytest.mark.parametrize(("goal", "field", "pays"), AMOUNTS, ids=lambda value: str(value)[:20])
def test_goals_that_pay_by_amount(goal: Goal, field: str, pays: dict[int, int]) -> None:
    """Rules 167 and 175 to 178: the highest amount reached counts."""
    for n, points in pays.items():
        line = lines(colony("home"), goals=(goal,), **{field: n})[goal]
        assert (line.points, list(line.measures.values())) == (points, [n])


def test_stored_things_count_for_their_goal_only() -> None:
    """Rule 194, and rule 157: a goal that is not in play gives nothing."""
    kept: dict[str, Any] = {"stored_worlds": 4, "stored_goods": 6, "stored_credits": 7}
    assert list(lines(colony("home"), **kept)) == ["chips", "home"]
    bonus = (PerHeld(held="goods"), PerHeld(held="credits"))
    assert lines(development("x", bonus=bonus), goals=("sales-tax",), **kept)["x"].points == 0


def test_citizen_services_count_powers_not_tiles() -> None:
    """Rules 169 and 170: two on one tile are two, and those that consume nothing count."""
    one, two = (
        development("one", powers=("consume",)),
        development("two", powers=("consume", "trade", "consume")),
    )
    salon = development("salon", powers=("consume",))
    assert lines(one, goals=("civil-service",))["civil-service"].points == 0
    assert lines(two, goals=("civil-service",))["civil-service"].points == 2
    four = lines(one, two, salon, goals=("civil-service",))["civil-service"]
    assert (four.points, four.measures) == (5, {"consume-powers": 4})
    three = [development(str(n), powers=("consume", "consume")) for n in range(3)]
    assert lines(*three, salon, goals=("civil-service",))["civil-service"].points == 8


def test_a_skilled_workforce_has_different_powers() -> None:
    """Rules 168, 171 and 172: the Trade League is Trade and Consume; the same once more adds nothing."""
    tiles = [development("league", powers=("trade", "consume")), colony("a", powers=("explore", "explore"))]
    tiles.append(colony("b", powers=("trade",)))
    expected = {3: 0, 4: 2, 5: 5, 6: 8}
    for phase in ("develop", "settle", "produce", None):
        line = lines(*tiles, goals=("skilled-workforce",))["skilled-workforce"]
        assert line.points == expected[line.measures["different-powers"]]
        tiles += [development(f"with-{phase}", powers=(phase,))] if phase else []
    assert line.measures["different-powers"] == 6
    assert line.measures["power-trade"] == 2


def test_diversification_has_no_gray_kind() -> None:
    """Rule 173."""
    kinds = [colony(kind, kind=kind) for kind in ("novelty", "rare", "genes", "alien")]
    gray = colony("gray")
    assert lines(gray, *kinds[:2], goals=("diversification",))["diversification"].points == 0
    assert lines(gray, *kinds[:3], kinds[0], goals=("diversification",))["diversification"].points == 3
    assert lines(*kinds, goals=("diversification",))["diversification"].points == 8


def test_faction_tolerance_counts_keywords_of_colonies_and_developments() -> None:
    """Rule 174."""
    words = ("alien", "imperium", "rebel", "terraforming", "uplift")
    for n, points in {2: 0, 3: 2, 4: 5, 5: 8}.items():
        made = [development, colony]
        tiles = [made[i % 2](word, keywords=frozenset({word})) for i, word in enumerate(words[:n])]
        line = lines(*tiles, tiles[0], goals=("faction-tolerance",))["faction-tolerance"]
        assert (line.points, line.measures["different-keywords"]) == (points, n)


def test_everybody_scores_every_goal_in_play() -> None:
    """Rule 157."""
    seats = [Seat(name=name, tiles=(), colonists=n) for name, n in (("Ania", 7), ("Bartek", 3))]
    sheet = score(seats, {"conscription": printed("conscription")})
    assert [seat.total for seat in sheet.seats] == [8, 2]


def test_points_of_a_goal_the_table_counted_itself() -> None:
    line = lines(colony("home"), goals=("faction-tolerance",), counted={"faction-tolerance": 5})
    assert line["faction-tolerance"] == Line("faction-tolerance", 5, {}, {"counted": 5})


def test_every_goal_of_the_box_can_be_counted() -> None:
    assert all(goal in lines(goals=(goal,)) for goal in ids("goals"))  # type: ignore[arg-type]


# Who won


def test_ties_are_broken_by_credits_and_goods_in_the_empire() -> None:
    """Rule 195: stockpile mats do not count."""
    ania = Seat(name="Ania", tiles=(), chips=40, credits=4, goods=1, stored_credits=2)
    bartek = Seat(name="Bartek", tiles=(), chips=40, credits=4, stored_credits=7, colonists=9)
    sheet = score([bartek, ania], {})
    assert (sheet.tied, sheet.winners) == (("Bartek", "Ania"), ("Ania",))
    assert {seat.name: seat.tie for seat in sheet.seats} == {"Ania": (5,), "Bartek": (4,)}


def test_victory_is_shared_if_nothing_breaks_the_tie() -> None:
    """Rule 196: of three equal empires the two with as much."""
    seats = [
        Seat(name=name, tiles=(), chips=40, credits=credits, goods=goods)
        for name, credits, goods in (("Ania", 3, 1), ("Bartek", 4, 0), ("Celina", 3, 0))
    ]
    sheet = score(seats, {})
    assert sheet.winners == ("Ania", "Bartek")
    assert [seat.rank for seat in sheet.seats] == [1, 1, 3]


def test_a_bonus_may_ask_for_a_printed_cost_or_defence() -> None:
    """Rules 71 and 186: what nobody told the number of is not counted; bounds that leave nothing out ask for none."""
    strong = PerTile(points=3, military="military", least=5)
    cheap = PerTile(tile="development", most=2)
    found = lines(
        development("bonus", question=True, bonus=(strong, cheap), number=9),
        colony("five", military=True, number=5),
        colony("four", military=True, number=4),
        colony("dear", number=6),
        colony("untold", military=True),
        development("two", number=2),
        development("three", number=3),
    )
    assert found["bonus"].because == {"five": 3, "two": 1}
    every = lines(development("bonus", question=True, bonus=(PerTile(),)), colony("untold"))
    assert every["bonus"].points == 1


def test_a_bonus_may_count_different_kinds() -> None:
    """Rules 12 and 186: gray is no kind, two of a kind are one, and the refinery is named for the best total."""
    kinds = development("bonus", question=True, bonus=(PerHeld(points=2, held="kinds"),))
    found = lines(kinds, colony("a", kind="rare"), colony("b", kind="rare"), colony("gray"))
    assert (found["bonus"].points, found["bonus"].measures) == (2, {"kinds": 1})
    named = lines(kinds, colony("a", kind="rare"), colony("refinery", any_kind=True))
    assert named["bonus"].points == 4
    pairs = development("bonus", question=True, bonus=(PerHeld(points=3, each=2, held="kinds"),))
    assert (
        lines(pairs, *(colony(kind, kind=kind) for kind in ("rare", "genes", "alien")))["bonus"].points == 3
    )
