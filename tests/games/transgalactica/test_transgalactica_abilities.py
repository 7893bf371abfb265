"""Each of the ten ability tiles (rules 166-175), at set-up and in play."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from companion.games.transgalactica.component_types import ids
from companion.games.transgalactica.effects import Advance
from companion.games.transgalactica.state import Held
from companion.games.transgalactica.steps.followers import Follow
from companion.games.transgalactica.steps.missions import open_missions
from companion.games.transgalactica.steps.rounds import Recall
from companion.games.transgalactica.steps.setup import Draft, FirstOutposts
from companion.games.transgalactica.steps.turns import Turn
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


def drafted(ability: str, *answers: str, **more: Any) -> Any:
    """The table after Ania took a tile; everybody has wealth cards already."""
    fleets: dict[str, Any] = {
        name: replace(seat(drafted=True), outposts=(), ships=()) for name in ("ania", "ola")
    }
    state = table(players=2, **fleets, round=0, phase="setup", active=None, **more)
    return answer(run(state, Draft(0)), ability, *answers)


def test_the_lieutenant_replaces_the_mobilised_crew_member() -> None:
    state = drafted("lieutenant")
    assert (state.seats[0].lieutenant, state.seats[0].crew) == (True, 0)
    assert state.seats[0].gone == 1


def test_the_lieutenant_does_the_main_action_on_secondary_spaces_only() -> None:
    ania = seat("green-action-income", ability="lieutenant", lieutenant=True, crew=0, gone=1, captains_out=2)
    assert options(run(table(ania=ania), Turn(0))) == ["pass"]
    state = run(table(players=2, ola=ania), Follow("production", 0, (1,)))
    assert options(state) == ["nobody", "1:lieutenant:main"]
    state = forced(answer(state, "1:lieutenant:main"))
    assert (state.seats[1].production, hold(state, 1)) == (1, (0, 0, 1, 0)), "advanced, and collected with it"
    assert not run(replace(state, agenda=()), Follow("mining", 0, (1,))).agenda
    assert run(state, Recall()).seats[1].lieutenant_here


def test_the_nightmare_is_no_outpost_unless_the_table_agreed() -> None:
    ania = seat(ability="technological-nightmare-tile", production=1)
    assert len(table(ania=ania).colonies(0)) == 1
    agreed = table(ania=ania, choices={"nightmare": "outpost"})
    assert len(agreed.colonies(0)) == 2
    assert drafted("technological-nightmare-tile").seats[0].ability == "technological-nightmare-tile"


def test_the_party_insider_starts_one_up_on_politics() -> None:
    state = drafted("party-insider")
    assert state.seats[0].politics == 1
    assert len(tuple(open_missions(replace(state, display=table().display), 0))) == 3


def test_the_token_bank_lends_one_of_five_each_round_and_each_once() -> None:
    state = run(drafted("token-bank"), FirstOutposts())
    state = answer(state, "basic-1", "basic-2", "basic-3", "advanced-1", "advanced-2")
    assert len(state.seats[0].bank) == 5
    bank = (Held("basic-1"), Held("basic-2"))
    state = answer(run(table(ania=seat(ability="token-bank", bank=bank)), Turn(0)), "free-deed/bank/basic-1")
    assert state.seats[0].vp == 1
    assert not any("bank" in o for o in options(state)), "one per round"
    state = run(replace(run(replace(state, agenda=()), Recall()), active=0), Turn(0))
    assert [o for o in options(state) if "bank" in o] == ["free-deed/bank/basic-2"]


def test_the_merchant_starts_at_trade_two_without_the_tokens_reward() -> None:
    state = drafted("merchant-start", "fleet-5")
    who = state.seats[0]
    assert (who.trade, who.fleet, who.markers, who.vp) == (2, ("fleet-5",), 3, 0)


@pytest.mark.parametrize(("trade", "after"), [(0, 2), (1, 2), (2, 2), (3, 3)])
def test_a_merchant_whose_wealth_unlocked_spaces_before_starts_at_two_all_the_same(
    trade: int, after: int
) -> None:
    fleets: dict[str, Any] = {
        name: replace(seat(drafted=True, trade=trade), outposts=(), ships=()) for name in ("ania", "ola")
    }
    state = table(players=2, **fleets, round=0, phase="setup", active=None)
    state = answer(run(state, Draft(0)), "merchant-start", *(("fleet-5",) if trade < 2 else ()))
    assert state.seats[0].trade == after


@pytest.mark.parametrize("worker", ["crew", "captain"])
def test_the_private_omni_space_is_a_main_action_once_per_round_unfollowed(worker: str) -> None:
    state = run(table(ania=seat(ability="private-omni", crew=2)), Turn(0))
    state = forced(answer(state, f"private:{worker}", "production"))
    assert (state.seats[0].production, hold(state)) == (1, (0, 0, 0, 0))
    assert asked(state).slug == "transgalactica.turn"
    assert asked(state).seat == 1
    assert not any("private" in o for o in options(run(replace(state, agenda=(), active=0), Turn(0))))


def test_war_profits_start_one_up_and_pay_for_cards_and_planets_of_anybody() -> None:
    state = drafted("war-profits")
    assert (state.seats[0].military, state.seats[0].vp) == (1, 0)
    advance = Advance(("military",), free=True)
    for origin, points in (("card", 2), ("planet", 2), ("token", 0), ("action", 0), ("space", 0)):
        state = table(ola=seat(ability="war-profits"))
        assert resolve(state, advance, origin=origin).seats[1].vp == points
    own = resolve(table(ania=seat(ability="war-profits")), advance, origin="planet")
    assert own.seats[0].vp == 2
    paid = table(ania=seat(energy=2), ola=seat(ability="war-profits"))
    assert forced(perform(paid, "military")).seats[1].vp == 0
    barred = table(taught={"military-1.gate": 5}, ola=seat(ability="war-profits"))
    assert resolve(barred, advance).seats[1].vp == 0


def test_relief_funds_are_only_a_tile_at_set_up() -> None:
    state = drafted("relief-funds")
    assert (state.seats[0].ability, hold(state)) == ("relief-funds", (0, 0, 0, 0))


def test_the_vanguard_has_more_crew_and_a_second_outpost_and_is_last() -> None:
    state = drafted("vanguard")
    assert (state.seats[0].crew, state.seats[0].capsules) == (2, 4)
    state = run(
        replace(state, taught={**state.taught, "outpost-space-2.reward": [gain("credit", 2)]}),
        FirstOutposts(),
    )
    assert "green-grey-action-explore:0" in options(state), "any action planet"
    assert not any(o.startswith(("yellow-mining", "grey-wild")) for o in options(state))
    state = answer(state, "yellow-action-supply:0")
    assert state.seats[0].planets == ("central", "yellow-action-supply")
    assert hold(state)[1] == 0
    assert hold(state)[3] == 2, "the space of the second outpost pays"
    assert state.order == (1, 0)


def test_two_ships_share_steps_and_exploration_adds_a_step_or_an_outpost() -> None:
    """The book's cases: with range 2 two outposts and one ship 2 steps, or each 1 step and one outpost each."""

    def begin(kind: str = "main") -> Any:
        ania = seat("grey-wild", ability="second-ship", energy=9, mineral=9, trade=6)
        return perform(table(ania=ania), "exploration", kind)

    one = answer(begin(), "go:0:1", "go:0:7", "place:0:purple-mining:0")
    assert one.seats[0].ships == ("7", "centre")
    each = answer(begin(), "go:0:1", "place:0:green-mining-supply:0", "0", "go:1:2", "place:1:multi-mining:0")
    assert each.seats[0].planets[-2:] == ("green-mining-supply", "multi-mining")
    assert not any(o.startswith(("go", "free", "place")) for o in (options(each) if each.agenda else []))
    three = answer(begin(), "go:0:1", "go:1:2", "free:1:9")
    assert three.seats[0].ships == ("1", "9")


def test_two_ships_in_a_secondary_exploration() -> None:
    ania = seat(ability="second-ship", energy=9, mineral=9, trade=6)

    def begin() -> Any:
        return perform(table(ania=ania), "exploration", "secondary")

    both = answer(begin(), "go:0:1", "free:1:2")
    assert (both.seats[0].ships, hold(both)[0], both.agenda) == (("1", "2"), 8, ())
    placed = answer(begin(), "go:0:1", "place:0:green-mining-supply:0", "0")
    assert (placed.seats[0].planets[-1], placed.agenda) == ("green-mining-supply", ())


def test_each_ship_moves_once_however_often_they_take_turns() -> None:
    """Rules 137, 175: the drive pays for each ship that moves, not for each time it goes on."""
    ania = seat("grey-wild", technologies=("long-range-drive",), ability="second-ship", energy=9)
    state = perform(table(ania=ania), "exploration")
    before = state.seats[0].vp
    for ship in (0, 1, 0):
        ways = (f"go:{ship}:", f"free:{ship}:")
        state = answer(state, next(one for one in options(state) if one.startswith(ways)))
    assert state.seats[0].vp == before + 2


def test_the_second_ship_starts_beside_the_first() -> None:
    state = run(drafted("second-ship"), FirstOutposts())
    assert state.seats[0].ships == ("centre", "centre")


def test_every_ability_is_exercised_here() -> None:
    from pathlib import Path

    here = Path(__file__).read_text("utf-8")
    assert [id for id in ids("abilities") if f'"{id}"' not in here] == []
