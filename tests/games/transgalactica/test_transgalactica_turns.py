"""Turns, followers, actions, free deeds and tracks (rules 35-47, 58-76, 104-125)."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from companion.games.transgalactica.costs import ways
from companion.games.transgalactica.effects import Act, Advance, Mobilise, Raise, TakeToken
from companion.games.transgalactica.state import Used
from companion.games.transgalactica.steps.followers import Follow
from companion.games.transgalactica.steps.production import MiningRewards
from companion.games.transgalactica.steps.tracks import action_prices
from companion.games.transgalactica.steps.turns import NextTurn, Turn, reminders
from tests.games.transgalactica.made_up_box import LAST, gain
from tests.games.transgalactica.tables import (
    answer,
    asked,
    forced,
    hold,
    options,
    perform,
    reasons,
    resolve,
    run,
    seat,
    table,
    told,
)

# Turns


def test_a_captain_closes_a_main_space_for_everybody() -> None:
    state = answer(run(table(), NextTurn()), "main:production", "nobody")
    assert state.used == (Used("production", 0),)
    assert state.seats[0].captains_out == 1
    assert asked(state).seat == 1
    assert "main:production" not in options(state)


def test_crew_takes_no_main_action_and_captains_do_everything() -> None:
    state = run(table(ania=seat("green-action-income", captains_out=2, crew=1)), Turn(0))
    assert [o for o in options(state) if not o.startswith("free")] == [
        "planet:crew:green-action-income",
        "pass",
    ]
    state = run(table(ania=seat("green-action-income", crew=0)), Turn(0))
    assert "planet:captain:green-action-income" in options(state)


def test_an_action_planet_is_used_once_per_round_and_nobody_follows() -> None:
    state = run(table(ania=seat("green-action-income", crew=2)), NextTurn())
    state = answer(state, "planet:crew:green-action-income")
    assert asked(state).seat == 1
    state = run(replace(state, agenda=(), active=0), Turn(0))
    assert not any("green-action-income" in o for o in options(state))


def test_a_pass_is_not_final_and_the_phase_ends_when_all_pass_in_a_row() -> None:
    state = answer(run(table(players=2), NextTurn()), "pass")
    state = answer(state, "main:production")
    state = answer(state, "0:crew:secondary", "advance")
    assert asked(state).seat == 0
    assert "main:mining" in options(state)
    state = answer(state, "pass", "pass")
    assert not state.agenda
    assert state.active is None


def test_the_order_goes_round_from_the_left() -> None:
    state = run(table(order=(2, 0, 1), active=None), NextTurn())
    assert asked(state).seat == 2
    assert state.after(0) == (1, 2)


# Followers


def test_followers_come_in_order_each_once_never_the_active_one() -> None:
    state = run(table(players=4), Follow("production", 1, table(players=4).after(1)))
    assert {o.split(":")[0] for o in options(state)} == {"nobody", "2", "3", "0"}
    state = answer(state, "2:crew:secondary")
    assert {o.split(":")[0] for o in options(state)} == {"nobody", "3", "0"}, "each at most once"
    assert state.seats[2].production == 1


def test_38_who_taps_first_waits_for_those_before() -> None:
    """All may tap; the order of the rules decides, no matter who was quicker."""
    followed = answer(_following(), "0:crew:secondary", "3:crew:secondary", "2:crew:secondary")
    assert not followed.agenda
    assert [deed.seat for deed in followed.news if deed.kind == "hands"] == [2, 2, 3, 3, 0, 0]
    state = answer(_following(), "3:crew:secondary")
    assert state.seats[3].crew == 1, "nothing is placed yet"
    assert {o.split(":")[0] for o in options(state)} == {"nobody", "2", "0"}, "2 is not shut out"
    assert [reasons(note) for note in asked(state).notes] == [{"transgalactica.waits", "core.plain"}]


def _following() -> Any:
    mines = seat("yellow-mining")
    return run(table(players=4, ania=mines, jan=mines, ewa=mines), Follow("mining", 1, (2, 3, 0)))


def test_38_nobody_before_lets_the_next_go_on_and_tells_whose_chance_lapses() -> None:
    state = answer(_following(), "3:crew:secondary", "nobody")
    assert (state.seats[3].vp, state.seats[2].vp) == (1, 0)
    lapsed = [item.seat for item in state.news if item.text.key == "transgalactica.follow-passed"]
    assert lapsed == [2]
    assert {o.split(":")[0] for o in options(state)} == {"nobody", "0"}, "later ones are still asked"
    assert not answer(state, "nobody").agenda


def test_38_what_an_earlier_follower_takes_is_gone_and_the_later_one_keeps_the_worker() -> None:
    """Both stand at the end of the politics track; one mission is within reach and its deck is empty."""
    who = {"politics": LAST, "mineral": 1}
    state = table(ola=seat(**who), jan=seat(**who), display=("mission-1-01",), empty_decks=(1, 2))
    state = run(state, Follow("politics", 0, (1, 2)))
    state = answer(state, "2:crew:secondary")
    assert state.seats[2].log == ()
    state = answer(state, "1:crew:secondary", "mission", "mission-1-01")
    assert [who.log for who in state.seats[1:]] == [("mission-1-01",), ()]
    assert (state.seats[2].crew, state.seats[2].crew_out) == (1, 0)
    assert [item.seat for item in state.news if item.text.key == "transgalactica.follow-lapsed"] == [2]
    assert not state.agenda


def test_a_captain_may_follow_and_is_spent() -> None:
    state = run(table(players=2, ola=seat(captains_out=1, crew=0)), Follow("production", 0, (1,)))
    assert options(state) == ["nobody", "1:captain:secondary"]
    state = answer(state, "1:captain:secondary", "advance")
    assert state.seats[1].captains_here == 0


def test_nobody_is_asked_who_could_not_follow() -> None:
    broke = seat(crew=0, captains_out=2)
    assert not run(table(ola=broke, jan=broke), Follow("mining", 0, (1, 2))).agenda
    assert not run(table(), Follow("military", 0, (1, 2))).agenda, "nobody can pay"


def test_free_deeds_belong_to_the_own_turn_unless_the_table_agreed() -> None:
    def following(how: str) -> Any:
        state = table(players=2, choices={"following": how}, ola=seat(credit=1, energy=1))
        return answer(run(state, Follow("exploration", 0, (1,))), "1:crew:secondary")

    assert not any(o.startswith("free-deed") for o in options(following("own-turn")))
    assert "free-deed/exchange/energy" in options(following("also"))


# Free deeds


def test_a_credit_becomes_energy_or_a_mineral_never_an_alien() -> None:
    state = run(table(ania=seat(credit=2)), Turn(0))
    assert [o for o in options(state) if "exchange" in o] == [
        "free-deed/exchange/energy",
        "free-deed/exchange/mineral",
    ]
    state = answer(state, "free-deed/exchange/energy", "free-deed/exchange/mineral")
    assert hold(state) == (1, 1, 0, 0)
    assert asked(state).slug == "transgalactica.turn"


def test_a_bonus_token_is_turned_over_and_stays_so() -> None:
    state = answer(run(table(ania=seat(tokens=("basic-1",))), Turn(0)), "free-deed/token/basic-1")
    assert (state.seats[0].vp, state.seats[0].tokens[0].used) == (1, True)
    assert not any("basic-1" in o for o in options(state))


def test_a_mission_that_came_within_reach_may_be_completed_at_once() -> None:
    """The book's example: trade rises to 4 and the mission that asks for it is done in the same turn (p. 9)."""
    state = run(table(ania=seat(trade=3, mineral=6, log=("mission-2-01",))), Turn(0))
    state = answer(state, "main:trade", "2-mineral", "fleet-4")
    assert asked(state).slug == "transgalactica.after"
    state = answer(state, "free-deed/mission/mission-2-01")
    assert state.seats[0].missions == ("mission-2-01",)


def test_reminders_can_be_switched_off() -> None:
    ania = seat(log=("mission-1-09",), energy=1, mineral=1)
    assert asked(run(table(ania=ania), Turn(0))).notes
    assert not asked(run(table(ania=ania, choices={"reminders": "off"}), Turn(0))).notes


# Prices


def _ways(state: Any, track: Any, kind: Any) -> set[str]:
    return {way.id for way in ways(state.seats[0], action_prices(state, 0, track, kind))}


def test_what_trade_and_military_cost() -> None:
    state = table(ania=seat(energy=5, mineral=5, alien=5, credit=5))
    assert _ways(state, "trade", "secondary") == {"2-mineral+1-alien"}
    assert _ways(state, "trade", "main") == {"2-mineral", "1-mineral+1-alien"}
    assert _ways(state, "military", "secondary") == {"2-energy+1-credit"}
    assert _ways(state, "military", "main") == {"2-energy", "1-energy+1-credit"}


def test_a_symbol_without_discount_costs_the_base_price_and_one_with_less() -> None:
    state = resolve(table(ania=seat(energy=2, credit=1)), Advance(("military",)))
    assert options(state) == ["2-energy+1-credit", "decline"]
    state = answer(
        resolve(table(ania=seat(energy=1)), Advance(("military",), less=("energy", "credit"))), "1-energy"
    )
    assert state.seats[0].military == 1
    state = resolve(table(), Advance(("trade",), free=True))
    assert state.seats[0].trade == 1


# Tracks


def test_each_space_entered_gives_its_token_or_else_its_reward() -> None:
    taught = {
        "politics-1.token": "basic",
        "politics-1.reward": [gain("alien")],
        "politics-2.reward": [gain("credit")],
    }
    state = resolve(table(taught=taught), Advance(("politics",), n=2))
    state = answer(state, "basic-3")
    assert (state.seats[0].politics, hold(state)) == (2, (0, 0, 0, 1))
    assert [held.token for held in state.seats[0].tokens] == ["basic-3"]
    state = answer(resolve(state, Advance(("politics",)), seat=1), "none")
    assert hold(state, 1) == (0, 0, 1, 0)
    state = resolve(state, Advance(("politics",)), seat=2)
    assert (hold(state, 2), state.agenda) == ((0, 0, 1, 0), ()), "nobody asks for a token again"


def test_the_end_of_a_track_loses_advances_and_what_they_trigger() -> None:
    state = table(ania=seat("yellow-action-supply", production=10, technologies=("assembly-lines",)))
    state = resolve(state, Advance(("production",)))
    assert (state.seats[0].production, hold(state)) == (10, (0, 0, 0, 0))
    assert "transgalactica.ends.production" in told(state)


def test_a_military_space_needs_its_technology_also_for_free() -> None:
    taught = {"military-1.gate": 2}
    assert (
        resolve(table(taught=taught, ania=seat(technology=1)), Advance(("military",), free=True))
        .seats[0]
        .military
        == 0
    )
    assert (
        resolve(table(taught=taught, ania=seat(technology=2)), Advance(("military",), free=True))
        .seats[0]
        .military
        == 1
    )
    rich = table(taught=taught, ania=seat(energy=9, credit=9))
    assert "main:military" not in options(run(rich, Turn(0)))


def test_what_is_raised_for_the_round_moves_no_marker() -> None:
    state = resolve(table(), Raise("trade"), Raise("military"))
    assert (state.level(0, "trade"), state.level(0, "military")) == (2, 2)
    assert (state.seats[0].trade, state.seats[0].military, state.seats[0].fleet) == (0, 0, ())


def test_mobilising_needs_crew_in_the_capsules() -> None:
    state = resolve(table(ania=seat(crew=2, gone=3)), Mobilise(3))
    assert (state.seats[0].crew, state.seats[0].capsules) == (3, 0)


def test_a_token_of_the_unused_ones() -> None:
    state = answer(resolve(table(), TakeToken("advanced")), "advanced-2")
    assert [held.token for held in state.seats[0].tokens] == ["advanced-2"]


# Omni


def test_omni_copies_an_action_that_was_used_and_its_cost_is_paid() -> None:
    state = run(table(ania=seat(credit=1, alien=1, mineral=2), used=(Used("trade", 1),)), Turn(0))
    state = answer(state, "main:omni", "1-credit", "trade", "2-mineral")
    assert state.seats[0].trade == 1
    assert {used.action for used in state.used} == {"trade", "omni"}
    assert asked(state).slug == "transgalactica.follow" or asked(state).seat == 1


def test_omni_secondary_is_any_secondary_action_at_its_price() -> None:
    state = run(table(players=2, ola=seat(energy=2, credit=2)), Follow("omni", 0, (1,)))
    state = answer(state, "1:crew:secondary", "1-credit", "military")
    state = forced(state)
    assert (state.seats[1].military, hold(state, 1)) == (1, (0, 0, 0, 0))


def test_omni_for_mining_after_the_token_is_gone_gives_only_rewards() -> None:
    state = table(ania=seat(credit=1, mining=("mining-1",)), mining_token=False)
    state = answer(perform(state, "omni"), "mining")
    assert (state.seats[0].vp, state.seats[0].mining) == (1, ("mining-1",))


# Mining


def test_main_mining_takes_the_token_and_pays_down_to_the_political_level() -> None:
    """In the made-up box the first two spaces need politics 0, the third 1, the fourth 2."""
    state = table(ania=seat(mining=("mining-1", "mining-2")))
    state = answer(perform(state, "mining"), "mining-3")
    assert (state.seats[0].mining, state.seats[0].vp) == (("mining-1", "mining-2", "mining-3"), 2)
    assert not state.mining_token
    state = run(state.with_seat(0, replace(state.seats[0], politics=1)), MiningRewards(0))
    assert state.seats[0].vp == 2 + 3


def test_a_full_mining_track_leaves_the_token() -> None:
    state = table(ania=seat(mining=tuple(f"mining-{n}" for n in range(1, 6)), politics=9))
    state = perform(state, "mining")
    assert state.mining_token
    assert state.seats[0].vp == 5


# Trade


@pytest.mark.parametrize("trade", range(6))
def test_unlocking_brings_a_marker_or_a_fleet_token(trade: int) -> None:
    state = resolve(table(ania=seat(trade=trade)), Advance(("trade",), free=True))
    before = seat(trade=trade).markers
    if trade % 2 == 0:
        assert state.seats[0].markers == before + 1
    else:
        state = answer(state, "fleet-9")
        assert (state.seats[0].fleet, state.seats[0].vp) == (("fleet-9",), 1)
        assert state.seats[0].markers == before
    assert state.seats[0].trade == trade + 1


def test_at_trade_six_nothing_can_be_unlocked() -> None:
    rich = table(ania=seat(trade=6, mineral=9, alien=9))
    assert "main:trade" not in options(run(rich, Turn(0)))


# Technology, politics, production


def test_technology_advances_two_or_one_and_marks_with_the_new_level() -> None:
    """In the made-up box cards of level 1 need technology 1."""
    state = answer(perform(table(), "technology"), "advance")
    assert state.seats[0].technology == 2
    state = answer(perform(table(), "technology"), "mark", "archivists")
    assert (state.seats[0].technology, state.seats[0].technologies) == (1, ("archivists",))
    state = answer(perform(table(ania=seat(technology=1)), "technology", "secondary"), "mark", "archivists")
    assert state.seats[0].technology == 1


def test_marking_needs_a_marker_and_a_card_not_marked_yet() -> None:
    full = ("archivists", "trade-discount")
    state = perform(table(ania=seat(technology=3, technologies=full)), "technology", "secondary")
    assert options(state) == ["advance"]
    state = answer(
        perform(table(ania=seat(technology=3, technologies=full[:1])), "technology", "secondary"), "mark"
    )
    assert "archivists" not in options(state)
    assert "alternative-tunnel" in options(state)
    assert "end-trade-military" not in options(state), "level 3 needs technology 5"


def test_politics_advances_two_or_one_and_takes() -> None:
    state = answer(perform(table(), "politics"), "advance")
    assert state.seats[0].politics == 2
    state = answer(perform(table(), "politics"), "mission", "mission-1-02", "none")
    assert (state.seats[0].politics, state.seats[0].log) == (1, ("mission-1-02",))


def test_main_production_advances_before_it_collects() -> None:
    state = forced(perform(table(ania=seat("yellow-action-supply")), "production"))
    assert (state.seats[0].production, hold(state)) == (1, (1, 0, 0, 0))
    state = answer(
        perform(table(ania=seat("yellow-action-supply", production=1)), "production", "secondary"), "collect"
    )
    assert hold(state) == (1, 0, 0, 0)


def test_a_symbol_for_an_action_costs_no_worker() -> None:
    state = forced(resolve(table(ania=seat("yellow-action-supply")), Act("production", "main")))
    assert (state.seats[0].captains_out, hold(state)) == (0, (1, 0, 0, 0))


def test_the_pool_is_unlimited_but_the_table_is_warned() -> None:
    state = answer(run(table(ania=seat(energy=20, credit=1)), Turn(0)), "free-deed/exchange/energy")
    assert hold(state)[0] == 21
    assert "transgalactica.lacking.energy" in told(state)


@pytest.mark.parametrize("track", ["technology", "politics"])
@pytest.mark.parametrize(("kind", "n"), [("main", 2), ("secondary", 1)])
def test_an_advance_goes_as_far_as_it_says(track: str, kind: str, n: int) -> None:
    """Rules 113, 114, 124, 125."""
    state = perform(table(), track, kind)
    option = next(option for option in asked(state).options if option.id == "advance")
    assert (option.text.key, [sign.value for sign in option.signs]) == (
        f"transgalactica.forward.{n}",
        [f"+{n}"],
    )
    assert getattr(answer(state, "advance").seats[0], track) == n


def test_who_may_send_crew_to_an_office_is_reminded_of_it() -> None:
    """Rule 162; a table may do without."""
    scholars: dict[str, Any] = {"decrees": ("decree-scholars",), "senate": ((),)}
    for crew, choice, said in ((1, "on", True), (0, "on", False), (1, "off", False)):
        ania = seat(crew=crew, technology=6, politics=6)
        state = table(ania=ania, choices={"reminders": choice}, **scholars)
        keys = [text.key for text in reminders(state, 0)]
        assert ("transgalactica.could-sit" in keys) is said


def test_an_exploration_says_how_many_steps_are_left() -> None:
    """Rules 75, 104: nothing where none are."""
    state = perform(table(ania=seat(energy=9)), "exploration")
    notes = asked(state).notes
    assert [note.key for note in notes] == ["transgalactica.steps-left"]
