"""Situations described in words and worked out by hand, each played through the rules."""

from __future__ import annotations

from typing import Any

from companion.games.transgalactica.effects import Advance
from companion.games.transgalactica.sheet import sheet_of_state
from companion.games.transgalactica.steps.followers import Follow
from companion.games.transgalactica.steps.income import Income
from companion.games.transgalactica.steps.outposts import PlaceOn
from companion.games.transgalactica.steps.rounds import MilitaryStep
from companion.games.transgalactica.steps.turns import NextTurn, Turn
from tests.games.transgalactica.made_up_box import gain
from tests.games.transgalactica.tables import (
    answer,
    asked,
    forced,
    hold,
    options,
    perform,
    resolve,
    run,
    seat,
    table,
)


def test_following_with_the_last_captain() -> None:
    """Rule 38: a seat with one captain and no crew left may follow production with the captain."""
    ola = seat("yellow-wild", production=1, captains_out=1, crew=0)
    state = run(table(ola=ola, jan=seat(captains_out=2, crew=0)), Turn(0))
    state = answer(state, "main:production", "1:captain:secondary")
    assert asked(state).slug == "transgalactica.production"
    assert state.seats[1].captains_here == 0


def test_after_a_pass_one_follows_and_acts_again() -> None:
    """Rule 41."""
    mines = table(players=2, mining_token=False, ania=seat("yellow-mining"))
    state = answer(run(mines, NextTurn()), "pass", "main:mining")
    assert "0:crew:secondary" in options(state)
    state = answer(state, "0:crew:secondary")
    assert asked(state).seat == 0
    assert any(option.startswith("main:") for option in options(state))


def test_mining_gives_both_tokens_within_reach() -> None:
    """Rule 106, the book's example: a mineral and a point, both at politics 1."""
    taught = {
        "control-panel.mining": [1, 1, 2],
        "mining-1.shows": [gain("mineral")],
        "mining-2.shows": [gain("vp")],
    }
    ania = seat(politics=1, mining=("mining-1", "mining-2"))
    state = perform(table(taught=taught, ania=ania), "mining", "secondary")
    assert (hold(state), state.seats[0].vp) == ((0, 1, 0, 0), 1)
    low = perform(table(taught=taught, ania=seat(mining=("mining-1", "mining-2"))), "mining", "secondary")
    assert (hold(low), low.seats[0].vp) == ((0, 0, 0, 0), 0)


def test_the_omni_follower_chooses_another_action_than_the_active_player() -> None:
    """Rule 71: main trade by omni, and the follower does secondary military for a credit, 2 energy and a credit."""
    state = run(table(players=2, ania=seat(credit=1, mineral=2), ola=seat(energy=2, credit=2)), Turn(0))
    state = answer(state, "main:omni", "trade", "1:crew:secondary", "1-credit", "military")
    assert (hold(forced(state), 1), state.seats[1].military) == ((0, 0, 0, 0), 1)
    assert state.seats[0].trade == 1


def test_place_move_move_and_move_place_but_never_move_place_move() -> None:
    """Rule 79, with range 2."""
    ania = seat("grey-wild", at="purple-action-research", energy=9, mineral=9, trade=6)
    state = perform(table(ania=ania), "exploration")
    first = answer(state, "place:0:purple-action-research:0", "go:0:centre", "go:0:2")
    assert first.seats[0].ships == ("2",)
    last = answer(state, "go:0:centre", "go:0:2", "place:0:multi-mining:0")
    assert last.seats[0].planets[-1] == "multi-mining"
    short = answer(state, "go:0:14", "place:0:grey-mining-industry:0")
    assert not any(o.startswith(("go", "tunnel")) for o in (options(short) if short.agenda else []))


def test_the_fifth_outpost_pays_three_points_when_placed_in_round_three() -> None:
    """Rule 87: at once, and at the incomes of rounds 4 and 5."""
    ania = seat("yellow-mining", "purple-mining", "yellow-action-supply", mineral=2)
    state = run(table(ania=ania), PlaceOn(0, "green-action-income", "0"))
    assert (state.seats[0].vp, hold(state)[1]) == (1, 0)
    assert run(run(state, Income(0)), Income(0)).seats[0].vp == 3


def test_the_mining_guild() -> None:
    """Rule 100: 3 + 1 from planets, an alien, and 2 for each of three; nothing from the track."""
    ania = seat("purple-action-mines", "multi-mining", "purple-mining", "yellow-mining", mining=("mining-1",))
    state = table(ania=ania, taught={"mining-1.shows": [gain("vp", 2)]})
    state = answer(run(state, Turn(0)), "planet:crew:purple-action-mines")
    assert (state.seats[0].vp, hold(state)) == (10, (0, 0, 1, 0))


def test_main_trade_is_paid_in_two_ways() -> None:
    """Rule 109."""
    state = perform(table(ania=seat(mineral=2, alien=1)), "trade")
    assert options(state) == ["1-mineral+1-alien", "2-mineral"]


def test_a_fleet_token_pays_now_and_later_only_within_politics() -> None:
    """Rule 110."""
    taught = {"fleet-1.shows": [gain("vp", 2)], "control-panel.fleet": [3, 3, 3]}
    state = answer(
        resolve(table(taught=taught, ania=seat(trade=3)), Advance(("trade",), free=True)), "fleet-1"
    )
    assert state.seats[0].vp == 2
    assert run(state, Income(0)).seats[0].vp == 2


def test_assembly_lines_in_a_main_production() -> None:
    """Rule 146: production rises to 2 and both outposts pay twice."""
    ania = seat(
        "yellow-action-supply", "purple-action-research", technologies=("assembly-lines",), production=1
    )
    state = forced(perform(table(ania=ania), "production"))
    assert (state.seats[0].production, hold(state)) == (2, (2, 2, 0, 0))


def test_war_profits_of_another_from_a_cultural_mission() -> None:
    """Rule 172."""
    ania = seat(
        "green-action-income",
        "yellow-action-supply",
        log=("mission-2-07",),
        technology=4,
        mineral=2,
        energy=2,
    )
    state = run(table(ania=ania, ola=seat(ability="war-profits")), Turn(0))
    state = answer(state, "free-deed/mission/mission-2-07")
    assert (state.seats[0].vp, state.seats[0].military, state.seats[1].vp) == (5, 1, 2)


def test_military_of_the_books_picture() -> None:
    """Rule 179: 5, 4, 3, 3."""
    fleets: dict[str, Any] = {
        name: seat(military=n) for name, n in (("ania", 5), ("ola", 4), ("jan", 3), ("ewa", 3))
    }
    state = run(table(players=4, **fleets), MilitaryStep())
    assert [who.vp for who in state.seats] == [1, 0, -1, -1]


def test_what_is_left_at_the_end() -> None:
    """Rule 192: 12 on the track, 4 credits, 5 resources are one point, both objectives worth nothing."""
    both = ("objective-pirates", "objective-culture")
    state = table(ania=seat(vp=12, credit=4, energy=2, mineral=2, alien=1, objectives=both))
    mine = next(s for s in sheet_of_state(state).seats if s.name == "Ania")
    assert mine.total == 17


def test_tied_players_share_the_victory() -> None:
    """Rule 193: neither credits nor outposts break a tie."""
    state = table(ania=seat("yellow-mining", vp=80, credit=8), ola=seat(vp=88), jan=seat(vp=80))
    assert set(sheet_of_state(state).winners) == {"Ania", "Ola"}


def test_an_omni_follower_needs_its_price() -> None:
    """Rule 73: the omni-action is followed on the omni space only, at its price."""
    assert not run(table(), Follow("omni", 0, (1, 2))).agenda
