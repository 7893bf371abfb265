"""Develop (p. 4): what may be bought, what it costs, and when it ends the play."""

from __future__ import annotations

from typing import Any

import pytest

from companion.core.agenda import waited_for
from companion.games.frontiers.component_types import ids
from companion.games.frontiers.state import FrontiersState
from companion.games.frontiers.steps.develop import BuyDevelopment, ResolveDevelop
from tests.games.frontiers.tables import answer, asked, at, number, options, question, seat, table, told

BOX: dict[str, Any] = {}
for _id in ids("developments"):
    BOX |= {f"{_id}.points": 1, f"{_id}.keywords": [], f"{_id}.powers": []}
    if table().development(_id).size == 1:
        BOX[f"{_id}.cost"] = 3
SMALL = [id for id in ids("developments") if table().development(id).size == 1]
LARGE = [id for id in ids("developments") if table().development(id).size == 2]
UNTOLD = next(id for id in SMALL if len(table().development(id).untold()) == 4)
ALONE = [id for id in SMALL if not table().development(id).stack]


def develop(taught: dict[str, Any] | None = None, players: int = 3, **seats: Any) -> FrontiersState:
    """A Develop action selected by Ania, with a box in which small developments cost three and do nothing."""
    state = table(players, taught={**BOX, **(taught or {})}, action="develop", **seats)
    return at(state, ResolveDevelop())


def test_everybody_is_asked_side_by_side_and_may_buy_nothing() -> None:
    """Rule 54: buying is optional."""
    state = develop()
    assert waited_for(state) == {0, 1, 2}
    for who in range(3):
        state = answer(state, who, "pass")
    assert all(who.developments == () for who in state.seats)


def test_where_a_tile_may_run_out_seats_buy_in_order() -> None:
    """Rules 46, 58: with two players the only Pan-Galactic League is the selector's to buy, or to leave."""
    rich = seat(credits=9)
    state = develop(players=2, ania=rich, ola=rich)
    assert waited_for(state) == {0}
    assert [note.key for note in question(state, 0).notes] == ["frontiers.in-order.copies"]
    taken = answer(state, 0, "pan-galactic-league")
    assert "pan-galactic-league" not in options(taken, 1)
    assert "pan-galactic-league" in options(answer(state, 0, "pass"), 1)


def test_where_there_is_a_tile_for_everybody_seats_buy_side_by_side() -> None:
    """Rule 46: three seats, two copies, and only two can pay; a third who can makes it a matter of order."""
    state = develop(ania=seat(credits=2), ola=seat(credits=3))
    assert waited_for(state) == {0, 1, 2}
    assert question(state, 1).notes == ()
    assert waited_for(develop(ania=seat(credits=2), ola=seat(credits=3), jan=seat(credits=3))) == {0}
    gone = seat(developments=(ALONE[0],))
    assert waited_for(develop(ania=seat(credits=2), ola=seat(credits=3), jan=gone)) == {0}


@pytest.mark.parametrize(("covered", "in_order"), [(9, False), (10, True)])
def test_a_purchase_that_may_end_the_play_is_made_in_order(covered: int, in_order: bool) -> None:
    """Rules 46, 61: an eleventh space may be covered; the question says so."""
    state = develop(ola=seat(credits=3, developments=tuple(SMALL[:covered])))
    assert (waited_for(state) == {0}) is in_order
    notes = [note.key for note in question(state, 0).notes]
    assert notes == (["frontiers.in-order.end"] if in_order else [])


def test_points_for_developing_that_may_empty_the_pool_are_gained_in_order() -> None:
    """Rules 46, 182: two points are left, and Ola may gain two."""
    after: dict[str, Any] = {"world-10.powers": [{"does": "gain-after-develop", "gain": "points", "n": 2}]}
    for left, waiting in ((2, {0}), (3, {0, 1, 2})):
        state = develop(after, ola=seat("world-10", credits=3), jan=seat(chips=36 - left))
        assert waited_for(state) == waiting


@pytest.mark.parametrize(("size", "small", "large"), [("all", 1, 7), ("small", 1, 9), ("large", 3, 7)])
def test_a_discount_counts_for_its_size_only(size: str, small: int, large: int) -> None:
    """Rules 56, 68: two credits less for developments of this size."""
    cheaper: dict[str, Any] = {"world-10.powers": [{"does": "develop-discount", "n": 2, "size": size}]}
    state = develop(cheaper, ola=seat("world-10", credits=9))
    for tile, cost in ((ALONE[0], small), (LARGE[0], large)):
        after = answer(answer(state, 0, "pass") if asked(state, 1) is None else state, 1, tile)
        assert after.seats[1].credits == 9 - cost


def test_the_selector_pays_one_less() -> None:
    """Rule 55, scenario develop-bonus-exact: with two credits Ania buys for three, Ola cannot."""
    state = develop(ania=seat(credits=2), ola=seat(credits=2))
    assert options(state, 1) == ["pass"]
    state = answer(state, 0, ALONE[0])
    assert state.seats[0].credits == 0
    assert state.seats[0].developments == (ALONE[0],)
    assert number(told(state, "frontiers.pay", 0)[0]) == 2
    assert number(told(state, "frontiers.part.cost", 0)[0]) == 3
    assert number(told(state, "frontiers.part.selector", 0)[0]) == 1


def test_who_can_buy_nothing_has_nothing_to_choose() -> None:
    state = develop(ola=seat(credits=2))
    only = question(state, 1).only
    assert only is not None
    assert only.id == "pass"


def test_discounts_add_up_but_no_cost_falls_below_zero() -> None:
    """Rule 56."""
    discounts: dict[str, Any] = {
        "world-10.powers": [{"does": "develop-discount", "n": 2}],
        "world-11.powers": [{"does": "develop-discount", "n": 5, "size": "large"}],
    }
    state = develop(discounts, ania=seat("world-10", "world-11", credits=1))
    state = answer(state, 0, ALONE[0])
    assert state.seats[0].credits == 1
    assert not told(state, "frontiers.pay", 0)
    rich = develop(discounts, ania=seat("world-10", "world-11", credits=1))
    assert answer(rich, 0, LARGE[0]).seats[0].credits == 0


def test_a_development_of_the_own_empire_is_not_bought_again() -> None:
    """Rule 57."""
    state = develop(ania=seat(credits=9, developments=(ALONE[0],)))
    assert ALONE[0] not in options(state, 0)
    ask = asked(state, 0)
    assert ask is not None
    assert ask.why_not(state, ALONE[0]).key == "frontiers.why.owned"


@pytest.mark.parametrize(("players", "copies"), [(2, 1), (3, 2), (4, 2), (5, 3)])
def test_a_stack_runs_out(players: int, copies: int) -> None:
    """Rules 21 and 58."""
    names = ("ania", "ola", "jan", "ewa", "iza")[:players]
    state = develop(players=players, **{name: seat(credits=9) for name in names})
    for who in range(copies):
        assert ALONE[0] in options(state, who)
        state = answer(state, who, ALONE[0])
    if copies < players:
        assert ALONE[0] not in options(state, copies)


def test_a_large_development_is_there_once() -> None:
    """Rules 22 and 58."""
    state = develop(ania=seat(credits=9), ola=seat(credits=9))
    state = answer(state, 0, LARGE[0])
    assert LARGE[0] not in options(state, 1)


def test_a_small_one_covers_one_space_and_a_large_one_two() -> None:
    """Rule 59."""
    state = table(ania=seat(developments=(SMALL[0], LARGE[0])))
    assert state.covered(0) == 3


def test_ten_spaces_do_not_end_the_play_but_more_do() -> None:
    """Rules 60, 61 and 62, scenario develop-nine-plus-large."""
    nine = (*SMALL[:3], *LARGE[:3])
    state = develop(ania=seat(credits=9, developments=nine), ola=seat(credits=9, developments=nine[:5]))
    assert state.covered(0) == 9
    ten = answer(state, 0, SMALL[8])
    ten = answer(answer(ten, 1, "pass"), 2, "pass")
    assert (ten.covered(0), ten.ending) == (10, ())
    state = answer(state, 0, LARGE[6])
    assert state.ending == ()
    state = answer(answer(state, 1, "pass"), 2, "pass")
    assert (state.covered(0), state.ending) == (11, ("developments",))
    assert told(state, "frontiers.ending.developments")


def test_with_ten_covered_a_large_one_may_still_be_bought_and_nothing_beyond_twelve() -> None:
    """Rule 62."""
    ten = (*SMALL[:4], *LARGE[:3])
    state = develop(
        ania=seat(credits=9, developments=ten), ola=seat(credits=9, developments=(*ten, SMALL[9]))
    )
    assert LARGE[6] in options(state, 0)
    state = answer(state, 0, "pass")
    assert LARGE[6] not in options(state, 1)
    assert SMALL[10] in options(state, 1)


def test_a_tile_lends_nothing_to_its_own_purchase() -> None:
    """Rule 63: neither its discount nor a gain after developing."""
    own: dict[str, Any] = {
        f"{ALONE[0]}.powers": [
            {"does": "develop-discount", "n": 2},
            {"does": "gain-after-develop", "gain": "credits", "n": 4},
        ]
    }
    state = develop(own, ania=seat(credits=5))
    state = answer(state, 0, ALONE[0])
    assert state.seats[0].credits == 3


def test_a_gain_after_developing_needs_a_purchase() -> None:
    """Rule 64."""
    after: dict[str, Any] = {"world-10.powers": [{"does": "gain-after-develop", "gain": "points", "n": 2}]}
    state = develop(after, ania=seat("world-10", credits=5), ola=seat(credits=5))
    assert answer(state, 0, "pass").seats[0].chips == 0
    bought = answer(state, 0, ALONE[0])
    assert bought.seats[0].chips == 2
    assert answer(bought, 1, ALONE[0]).seats[1].chips == 0


def test_an_unknown_cost_is_asked_when_the_tile_is_bought_and_then_paid() -> None:
    id = UNTOLD
    state = table(action="develop", ania=seat(credits=5))
    state = at(state, ResolveDevelop())
    chosen = question(state, 0).option(id)
    assert chosen is not None
    assert [sign.symbol for sign in chosen.signs] == ["unknown"]
    state = answer(state, 0, id)
    asking = question(state, 0)
    assert asking.form is not None
    state = answer(state, 0, '{"cost": 4, "points": 1, "keywords": [], "powers": []}')
    assert (state.seats[0].credits, state.seats[0].developments) == (2, (id,))


def test_what_turns_out_too_expensive_is_refused_with_the_reason_and_asked_again() -> None:
    id = UNTOLD
    state = at(table(action="develop", ania=seat(credits=1)), ResolveDevelop())
    state = answer(state, 0, id, '{"cost": 4, "points": 1, "keywords": [], "powers": []}')
    assert state.seats[0].developments == ()
    assert number(told(state, "frontiers.why.too-expensive", 0)[0]) == 3
    assert isinstance(asked(state, 0), BuyDevelopment)
    assert id not in options(state, 0)


def test_without_a_credit_an_unknown_cost_is_not_offered() -> None:
    state = at(table(action="develop", selector=1), ResolveDevelop())
    assert options(state, 0) == ["pass"]
    assert UNTOLD in options(state, 1)


def test_the_other_face_of_a_pair_is_offered_last_under_a_heading() -> None:
    """Rules 24 and 112: what we believe about pairs forbids nothing."""
    state = develop(ania=seat(credits=9), ola=seat(developments=("improved-logistics",)))
    offered = question(state, 0).options
    assert offered[-1].id == "terraforming-robots"
    assert offered[-1].group is not None
    assert [option.id for option in offered if option.group is not None] == ["faces", "terraforming-robots"]


def test_if_colonists_may_run_short_seats_come_one_after_another() -> None:
    gains: dict[str, Any] = {
        f"world-{n}.powers": [{"does": "gain-after-develop", "gain": "colonists", "n": 1}] for n in (10, 11)
    }
    seats: dict[str, Any] = {"ania": seat("world-10", credits=9), "ola": seat("world-11", credits=9)}
    state = develop(gains, **seats, jan=seat(colonists=30))
    assert waited_for(state) == {0}
    state = answer(answer(state, 0, ALONE[0]), 1, ALONE[0])
    assert [who.colonists for who in state.seats] == [1, 0, 30]
