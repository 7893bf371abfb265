"""Tricky situations of rules 1-112, worked out from the rules before they were played."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from companion.core.agenda import advance
from companion.core.game import Setup
from companion.games.transgalactica import GAME
from companion.games.transgalactica.component_types import Needs
from companion.games.transgalactica.corrections import correct
from companion.games.transgalactica.effects import (
    Advance,
    DoubleIncome,
    Either,
    Gain,
    Mark,
    Mines,
    Move,
    Pay,
    PlaceOutpost,
    Raise,
    TakeMission,
    ToTunnel,
)
from companion.games.transgalactica.requirements import meets
from companion.games.transgalactica.state import Used
from companion.games.transgalactica.steps.collect import Collect
from companion.games.transgalactica.steps.explore import reach
from companion.games.transgalactica.steps.followers import Follow
from companion.games.transgalactica.steps.income import Income, IncomeOver
from companion.games.transgalactica.steps.outposts import PlaceOn, may_place
from companion.games.transgalactica.steps.rounds import BeginMaintenance, BeginRound, Recall
from companion.games.transgalactica.steps.setup import Draft, FirstOutposts
from companion.games.transgalactica.steps.tokens import Receive
from companion.games.transgalactica.steps.turns import NextTurn, Turn
from tests.games.transgalactica.made_up_box import facts, gain
from tests.games.transgalactica.tables import (
    NAMES,
    SPACE,
    USUAL,
    answer,
    asked,
    forced,
    hold,
    options,
    perform,
    resolve,
    run,
    seat,
    step,
    table,
    told,
)


def ids(state: Any, start: str = "") -> list[str]:
    """What may be answered but for free deeds, beginning so."""
    return [
        o for o in (options(state) if state.agenda else []) if o.startswith(start) and "free-deed" not in o
    ]


# Workers (rules 2-4)


def test_3_4_who_may_go_where() -> None:
    """Only captains take main actions; a seat with crew only has planets and a pass; the senate wants crew."""
    rich: dict[str, Any] = {"energy": 5, "mineral": 5, "alien": 5, "credit": 5}
    crew = run(table(ania=seat("green-action-income", captains_out=2, crew=2, **rich)), Turn(0))
    assert ids(crew) == ["planet:crew:green-action-income", "pass"]
    decree = next(d for d in table().decrees if meets(table(ania=_all_levels()), 0, table().decree(d).needs))
    for who, sits in ((replace(_all_levels(), crew=0), False), (_all_levels(), True)):
        found = run(table(ania=who), Turn(0))
        assert any("senate/" in option for option in options(found)) is sits, decree


def _all_levels() -> Any:
    return seat(
        "yellow-action-supply",
        "purple-action-research",
        "green-action-income",
        "grey-wild",
        "yellow-mining",
        "purple-mining",
        technology=9,
        politics=9,
        military=9,
        trade=6,
        pirates=("pirate-1", "pirate-2", "pirate-3"),
        technologies=("archivists", "trade-discount", "deep-mining"),
    )


# The pool (rule 6)


def test_6_the_pool_is_missed_at_income_too() -> None:
    taught = {"technology-0.income": [gain("energy", 2)]}
    state = run(table(ania=seat(energy=19), taught=taught), Income(0))
    assert hold(state)[0] == 21
    assert "transgalactica.lacking.energy" in told(state)


# Set-up (rules 11-34)


def test_14_a_base_planet_left_over_may_have_a_red_token() -> None:
    state = run(
        table(rewards=("green-action-income",), ania=seat(mineral=1)), PlaceOn(0, "green-action-income", "0")
    )
    assert {"basic-1", "advanced-1"} <= set(options(state))
    state = run(
        table(rewards=("purple-action-mines",), ania=seat(mineral=1)), PlaceOn(0, "purple-action-mines", "0")
    )
    assert not ids(state, "basic")


def test_31_every_advance_of_a_wealth_card_is_free_also_one_of_choice() -> None:
    shows = [
        {
            "does": "either",
            "of": [{"does": "advance", "tracks": ["military"]}, {"does": "gain", "what": "alien"}],
        },
        {"does": "advance", "tracks": ["trade", "military"], "n": 2, "less": ["alien"]},
    ]
    state = run(table(taught={"wealth-1.shows": shows}), Receive(0, "wealth-1", "wealth"))
    state = answer(state, "0", "trade", "fleet-3")
    who = state.seats[0]
    assert (who.military, who.trade, hold(state), who.vp) == (1, 2, (0, 0, 0, 0), 1), (
        "its fleet token pays at once"
    )


def test_30_a_seat_with_both_is_not_asked_again() -> None:
    state = run(table(ania=seat(ability="war-profits", drafted=True)), Draft(0))
    assert not state.agenda


def test_33_the_first_outpost_empties_its_space() -> None:
    taught = {"outpost-space-1.reward": [gain("mineral")], "outpost-space-1.again": True}
    state = table(players=2, taught=taught, phase="setup", round=0)
    state = replace(state, seats=tuple(replace(s, outposts=(), ships=()) for s in state.seats))
    state = run(state, FirstOutposts())
    assert [hold(state, n) for n in (0, 1)] == [(0, 2, 0, 0)] * 2, "at once, and at the income of round 1"
    assert all(who.planets == ("central",) for who in state.seats)


@pytest.mark.parametrize(("colours", "energy"), [([], 0), (["yellow"], 1), (["grey"], 0)])
def test_34_the_central_planet_has_no_colour_until_somebody_tells(colours: list[str], energy: int) -> None:
    state = forced(run(table(ania=seat(production=3), taught={"central.colours": colours}), Collect(0)))
    assert hold(state)[0] == energy
    assert reach(state, 0) == 1 + ("grey" in colours)


def test_34_123_colours_are_told_once_and_only_when_they_matter() -> None:
    """The central planet with its map, what colours give at the first collecting of a coloured outpost."""
    unknown = {k: v for k, v in facts().items() if not k.startswith(("production-colours", "central"))}
    setup = GAME.complete(Setup("transgalactica", NAMES[:2], dict(USUAL), unknown))
    state = answer(GAME.start(setup), "0")
    assert asked(state).facts == ("central.colours", "central.tunnel")

    def untold(*planets: str) -> Any:
        state = table(ania=seat(*planets, production=1))
        return replace(state, taught={k: v for k, v in state.taught.items() if "production-colours" not in k})

    assert not run(untold("grey-wild"), Collect(0)).agenda
    state = run(untold("purple-wild"), Collect(0))
    assert asked(state).facts == ("production-colours.gives",)
    usual = asked(state).options[0].id
    assert hold(answer(state, usual)) == (0, 1, 0, 0), "what the review says comes first"
    taught = {"production-colours.gives": "energy-mineral-alien"}
    assert hold(forced(run(table(ania=seat("purple-wild", production=1), taught=taught), Collect(0)))) == (
        0,
        0,
        1,
        0,
    )


# Turns (rules 35-45)


def test_38_followers_wrap_round_and_a_passed_one_may_follow() -> None:
    state = table(players=4, order=(2, 0, 3, 1), active=3)
    assert state.after(3) == (1, 2, 0)
    state = replace(state, passed=2)
    state = answer(run(state, Turn(3)), "main:production")
    assert [o.split(":")[0] for o in options(state)][1::2] == ["1", "2", "0"]
    assert state.passed == 0


def test_39_after_following_as_last_one_may_still_take_the_next_turn() -> None:
    state = answer(
        run(table(players=2, ola=seat(crew=1)), Turn(0)), "main:production", "1:crew:secondary", "advance"
    )
    assert asked(state).seat == 1
    assert "main:mining" in options(state)
    assert "main:production" not in options(state)


def test_40_a_used_space_opens_again_after_recall() -> None:
    state = answer(run(table(players=2), NextTurn()), "main:politics", "advance", "nobody")
    state = run(replace(state, agenda=(), seats=state.seats), BeginMaintenance())
    state = answer(state, "none")
    assert (state.used, "main:politics" in options(state)) == ((), True)


def test_41_42_passes_count_only_in_a_row() -> None:
    """Three seats: pass, pass, an action, then only a whole round of passes ends the phase."""
    state = answer(run(table(), NextTurn()), "pass", "pass", "main:production", "nobody", "pass", "pass")
    assert asked(state).seat == 2
    assert not answer(state, "pass").agenda


def test_41_who_can_do_nothing_is_not_asked() -> None:
    broke = seat(crew=0, captains_out=2)
    state = forced(run(table(ola=broke, jan=broke), NextTurn()))
    state = answer(state, "main:production")
    assert asked(state).seat == 0, "both others passed by themselves, and nobody followed"


def test_43_no_credit_becomes_an_alien_and_nothing_becomes_a_credit() -> None:
    state = run(table(ania=seat(energy=3, mineral=3, alien=3)), Turn(0))
    assert not [o for o in options(state) if "exchange" in o]


def test_44_several_tokens_in_one_turn_none_in_anothers() -> None:
    mine, hers = seat(tokens=("basic-1", "basic-2")), seat(tokens=("basic-3",), energy=1)
    state = run(table(players=2, ania=mine, ola=hers), Turn(0))
    state = answer(state, "free-deed/token/basic-1", "free-deed/token/basic-2")
    assert state.seats[0].vp == 2
    state = answer(state, "main:exploration", "done", "1:crew:secondary")
    assert not [o for o in options(state) if "free-deed" in o]


@pytest.mark.parametrize("used", [True, False])
def test_44_a_token_that_comes_with_the_advance_helps_to_mark(used: bool) -> None:
    """At technology 2 the main action enters space 3 (level II); its token would reach 5, and level III."""
    taught = {
        "technology-3.token": "basic",
        "basic-4.shows": [{"does": "advance", "tracks": ["technology"], "n": 2}],
    }
    state = answer(perform(table(taught=taught, ania=seat(technology=2)), "technology"), "mark", "basic-4")
    state = answer(state, *(["free-deed/token/basic-4"] if used else ["over"]))
    cards = [state.technology(o) for o in options(state) if o != "nothing"]
    assert any(card.level == 3 for card in cards) is used
    plain = {**taught, "basic-4.shows": [gain("vp")]}
    state = answer(perform(table(taught=plain, ania=seat(technology=2)), "technology"), "mark", "basic-4")
    assert asked(state).slug == "transgalactica.mark", "what only pays can wait"


def test_44_a_token_that_comes_with_production_raises_what_is_collected() -> None:
    taught = {"production-1.token": "basic", "basic-4.shows": [{"does": "advance", "tracks": ["production"]}]}
    ania = seat("yellow-action-supply", "yellow-mining")
    state = answer(
        perform(table(taught=taught, ania=ania), "production"), "basic-4", "free-deed/token/basic-4"
    )
    assert (state.seats[0].production, hold(state)) == (2, (2, 0, 0, 0))


def test_44_a_token_of_the_action_may_be_used_before_the_turn_is_over() -> None:
    """The planet's token is a free advance; one that only pays is not asked about."""
    for shows, slug in (([{"does": "advance", "tracks": ["politics"]}], "after"), ([gain("vp")], "follow")):
        ania = seat(at="purple-action-mines", mineral=1)
        state = table(
            ania=ania,
            ola=seat(energy=1),
            rewards=("purple-action-mines",),
            taught={"advanced-2.shows": shows},
        )
        state = answer(run(state, Turn(0)), "main:exploration", "place:0:purple-action-mines:0", "advanced-2")
        state = answer(state, "done") if asked(state).slug.endswith("explore") else state
        assert asked(state).slug == f"transgalactica.{slug}"


# Discounts (rules 46, 47)


@pytest.mark.parametrize(
    ("less", "technologies", "ways"),
    [
        ((), (), ["2-mineral+1-alien", "decline"]),
        (("alien",), (), ["2-mineral", "decline"]),
        ((), ("trade-discount",), ["2-mineral", "decline"]),
        (("alien",), ("trade-discount",), ["2-mineral", "decline"]),
        (("mineral",), ("trade-discount",), ["1-mineral", "decline"]),
        (("energy", "credit"), (), ["2-mineral+1-alien", "decline"]),
    ],
)
def test_47_discounts_add_up_and_remove_only_what_is_there(
    less: Any, technologies: Any, ways: list[str]
) -> None:
    rich = seat(energy=5, mineral=5, alien=5, credit=5, technologies=technologies)
    assert options(resolve(table(ania=rich), Advance(("trade",), less=less))) == ways


def test_47_a_discount_of_everything_asks_nobody() -> None:
    state = resolve(table(), Advance(("military",), less=("energy", "energy", "energy", "credit")))
    assert (state.seats[0].military, hold(state), state.agenda) == (1, (0, 0, 0, 0), ())


# Income (rules 48-57)


def test_51_gaps_above_do_not_matter() -> None:
    """No pirates at all: the first fleet space of politics 1 pays as soon as politics is 1."""
    for politics, vp in ((0, 0), (1, 1), (2, 2), (3, 2), (4, 3)):
        ania = seat(politics=politics, fleet=("fleet-1", "fleet-2", "fleet-3"))
        assert run(table(ania=ania), Income(0)).seats[0].vp == vp


def test_53_a_lieutenant_stands_on_a_crew_space_and_the_gone_do_not() -> None:
    taught = {f"crew-space-{n}.income": [gain("vp")] for n in (1, 2, 3)}
    for who, vp in (
        (seat(crew=1), 2),
        (seat(crew=0, lieutenant=True, gone=1), 2),
        (seat(crew=1, lieutenant=True, gone=2), 1),
        (seat(crew=0, gone=2), 3),
        (seat(crew=3), 0),
    ):
        assert run(table(taught=taught, ania=who), Income(0)).seats[0].vp == vp


def test_54_an_alien_of_the_income_can_pay_for_the_grey_wilds() -> None:
    state = run(table(ania=seat("grey-wild"), taught={"politics-0.income": [gain("alien")]}), Income(0))
    assert options(state) == ["1-alien", "decline"], "nothing else could be paid first, so nobody is asked"
    state = answer(state, "1-alien")
    assert (state.seats[0].trade, hold(state), state.agenda) == (1, (0, 0, 0, 0), ())
    state = run(
        table(ania=seat("grey-wild", alien=1), taught={"politics-0.income": [gain("alien")]}), Income(0)
    )
    assert set(options(state)) == {"planet:grey-wild", "rest"}
    assert not run(table(ania=seat("grey-wild", "purple-wild")), Income(0)).agenda


@pytest.mark.parametrize(
    ("planet", "who", "taught"),
    [
        ("grey-wild", {"trade": 6, "alien": 2}, {}),
        ("purple-wild", {"credit": 2}, {"military-1.gate": 3}),
        ("purple-wild", {"credit": 2, "military": 10}, {}),
        ("purple-wild", {"credit": 0, "energy": 5}, {}),
    ],
)
def test_55_nobody_pays_for_what_cannot_be(planet: str, who: Any, taught: Any) -> None:
    """Rules 63, 65, 112: at the end of a track or before a gate there is nothing to buy."""
    state = run(table(ania=seat(planet, **who), taught=taught), Income(0))
    assert not state.agenda
    assert (state.seats[0].alien, state.seats[0].credit) == (who.get("alien", 0), who.get("credit", 0))


def test_55_65_the_gate_is_looked_at_before_anything_is_paid() -> None:
    state = table(ania=seat("purple-wild", credit=1))
    unknown = {k: v for k, v in state.taught.items() if not k.startswith("military-1.")}
    state = run(replace(state, taught=unknown), Income(0))
    assert asked(state).slug == "core.fact"
    assert hold(state)[3] == 1


def test_57_doubled_income_doubles_choices_and_tokens_but_no_payment() -> None:
    taught = {"crew-space-2.income": [gain("any")], "technology-0.income": [gain("vp", 3)]}
    ania = seat("green-wild", "grey-wild", alien=5, pirates=("pirate-1",), politics=1, double=True)
    state = run(table(ania=ania, taught=taught), Income(0), IncomeOver(0))
    state = answer(state, "planet:green-wild", "politics", "production", "planet:grey-wild", "1-alien")
    state = answer(state, "mineral", "energy")
    who = state.seats[0]
    assert (who.politics, who.production, who.trade, who.vp) == (2, 1, 1, 2 * (3 + 1))
    assert (hold(state), who.double, state.agenda) == ((1, 1, 4, 0), False, ())


def test_57_the_symbol_used_in_a_turn_waits_for_the_next_income() -> None:
    state = resolve(table(ania=seat("yellow-wild")), DoubleIncome())
    state = run(state, BeginRound())
    assert hold(state)[3] == 2
    assert run(replace(state, agenda=()), BeginRound()).seats[0].credit == 3


# Tracks (rules 58-69)


def test_58_the_level_is_the_printed_number_not_the_space() -> None:
    taught = {"production-1.level": 3}
    ania = seat("yellow-action-supply", "yellow-mining", "purple-mining", "yellow-wild")
    state = perform(table(taught=taught, ania=ania), "production")
    assert step(state).total == 3  # type: ignore[attr-defined]


def test_60_62_two_spaces_two_tokens_and_an_empty_one_gives_its_reward() -> None:
    taught: dict[str, Any] = {f"technology-{n}.token": "basic" for n in (1, 2)}
    taught["technology-2.reward"] = [gain("credit")]
    state = answer(perform(table(taught=taught), "technology"), "advance", "basic-1", "none")
    assert (len(state.seats[0].tokens), hold(state)[3], state.seats[0].technology) == (1, 1, 2)


def test_61_production_without_tokens_left_gives_nothing() -> None:
    taught = {"production-1.token": "advanced"}
    state = table(taught=taught, emptied=("production-1",), ania=seat(production=0))
    state = perform(state, "production")
    assert (state.seats[0].production, state.seats[0].tokens, state.agenda) == (1, (), ())


def test_62_63_the_second_advance_is_lost_at_the_end_not_the_first() -> None:
    state = answer(perform(table(ania=seat(politics=9)), "politics"), "advance")
    assert state.seats[0].politics == 10
    state = answer(perform(table(ania=seat(technology=10)), "technology"), "mark", "archivists")
    assert (state.seats[0].technology, state.seats[0].technologies) == (10, ("archivists",))


@pytest.mark.parametrize(("politics", "vp"), [(0, 2), (1, 3)])
def test_64_the_personal_marker_limits_mining_not_a_technology(politics: int, vp: int) -> None:
    mined = ("mining-1", "mining-2", "mining-3", "mining-4")
    ania = seat(politics=politics, mining=mined, technologies=("prestige-offices",))
    assert perform(table(ania=ania), "mining", "secondary").seats[0].vp == vp


def test_65_two_free_military_advances_stop_at_the_gate() -> None:
    taught = {"military-2.gate": 4}
    state = resolve(table(taught=taught, ania=seat(technology=3)), Advance(("military",), n=2, free=True))
    assert (state.seats[0].military, "transgalactica.gate" in told(state)) == (1, True)
    above = seat(technology=3, technologies=("prestige-offices",))
    assert (
        resolve(table(taught=taught, ania=above), Advance(("military",), n=2, free=True)).seats[0].military
        == 2
    )


def test_66_two_advances_at_the_base_price_are_paid_one_by_one() -> None:
    state = resolve(table(ania=seat(energy=4, credit=1)), Advance(("military",), n=2))
    state = answer(state, "2-energy+1-credit")
    assert (state.seats[0].military, hold(state), state.agenda) == (1, (2, 0, 0, 0), ())


def test_68_what_is_raised_opens_slots_pirates_and_missions_for_the_round_only() -> None:
    state = table(ania=seat(mineral=9, trade=2), pirates={"yellow-purple-action-research": "pirate-1"})
    planet = "yellow-purple-action-research"
    assert may_place(state, 0, planet) == ()
    state = resolve(state, Raise("military"))
    assert may_place(state, 0, planet) == ("0",)
    state = resolve(state, Raise("trade"))
    assert may_place(state, 0, planet) == ("0", "1")
    assert meets(state, 0, Needs(trade=4, military=2))
    assert state.seats[0].markers == 3, "no trade space is unlocked"
    assert may_place(run(state, Recall()), 0, planet) == ()


# Omni (rules 70-74)


def test_70_omni_copies_ones_own_action_again_and_never_omni() -> None:
    ania = seat(credit=1, captains_out=1)
    state = run(table(ania=ania, used=(Used("politics", 0),)), Turn(0))
    state = answer(state, "main:omni")
    assert "omni" not in options(state)
    state = answer(state, "politics", "advance")
    assert state.seats[0].politics == 2
    assert state.used == (Used("politics", 0), Used("omni", 0))


def test_70_the_price_is_gone_before_the_action_is_chosen() -> None:
    """The only credit pays for omni: the military action needs another one, or two energy."""
    state = answer(perform(table(ania=seat(credit=1, energy=1)), "omni"), "production")
    assert hold(state)[3] == 0
    state = perform(table(ania=seat(credit=1, energy=1, alien=1)), "omni")
    assert "military" not in options(answer(state, "1-credit"))
    assert "military" in options(answer(state, "1-alien"))


def test_72_73_the_copied_space_stays_free_and_is_followed_by_omni_only() -> None:
    state = run(table(players=2, ania=seat(credit=1), ola=seat("purple-mining", alien=1)), Turn(0))
    state = answer(state, "main:omni", "mining", "mining-7")
    assert (step(state).action, state.mining_token) == ("omni", False)  # type: ignore[attr-defined]
    state = answer(state, "1:captain:secondary", "mining")
    assert hold(state, 1)[2] == 1, "paid with one, mined another"
    assert "main:mining" in options(state), "its own space was not used"


# Exploring (rules 75-82)


def test_75_either_half_may_be_left_out() -> None:
    ania = seat(at="purple-action-research", energy=9, mineral=9)
    state = perform(table(ania=ania), "exploration")
    assert not answer(state, "done").agenda
    placed = answer(state, "place:0:purple-action-research:0", "done")
    assert (placed.seats[0].ships, placed.agenda) == ((SPACE["purple-action-research"],), ())


@pytest.mark.parametrize("planet", ["grey-action-tunnel", "green-grey-action-explore", "multi-mining"])
def test_77_78_a_grey_outpost_placed_first_lengthens_the_move_after_it(planet: str) -> None:
    ania = seat(at=planet, energy=9, mineral=9, trade=6)
    state = answer(perform(table(ania=ania), "exploration"), f"place:0:{planet}:0")
    first = ids(state, "go:0")[0]
    state = answer(state, first)
    assert ids(state, "go:0"), "two steps by now"
    state = answer(state, ids(state, "go:0")[0])
    assert not ids(state, "go")


def test_77_no_energy_no_step_and_an_exchange_makes_one_possible() -> None:
    state = answer(run(table(ania=seat(alien=1)), Turn(0)), "main:exploration")
    assert not ids(state, "go")
    changing = answer(run(table(ania=seat(credit=1)), Turn(0)), "main:exploration")
    for chosen in (("go:0:1",), ("free-deed/exchange/energy", "go:0:1")):
        state = answer(changing, *chosen)
        assert (state.seats[0].ships, hold(state)) == (("1",), (0, 0, 0, 0))


def test_79_a_ship_that_placed_after_moving_is_not_asked_again() -> None:
    ania = seat("grey-wild", energy=9, mineral=9, credit=5, trade=6)
    state = run(table(ania=ania, ola=seat(energy=1)), Turn(0))
    state = answer(state, "main:exploration", "go:0:4", "place:0:purple-action-research:0")
    assert asked(state).slug == "transgalactica.follow"


def test_81_a_tunnel_is_one_step_of_the_range() -> None:
    ania = seat(at="grey-action-tunnel", alien=2, energy=9)
    state = answer(perform(table(ania=ania), "exploration", "secondary"), "tunnel:0:2")
    assert (hold(state)[2], state.agenda) == (1, ())
    two = seat("grey-wild", at="grey-action-tunnel", alien=2)
    state = answer(perform(table(ania=two), "exploration", "secondary"), "tunnel:0:2")
    assert ids(state, "tunnel")


def test_81_no_alien_no_tunnel_and_energy_does_not_pay_it() -> None:
    ania = seat(at="grey-action-tunnel", energy=9, credit=9)
    assert not ids(perform(table(ania=ania), "exploration"), "tunnel")


def test_82_to_a_tunnel_from_anywhere_for_nothing() -> None:
    state = resolve(table(), ToTunnel())
    assert len(ids(state, "0:")) == 3
    state = answer(state, f"0:{SPACE['yellow-wild']}")
    assert (state.seats[0].ships, hold(state)) == ((SPACE["yellow-wild"],), (0, 0, 0, 0))


def test_80_a_free_move_costs_no_energy_whatever_is_printed() -> None:
    state = answer(resolve(table(ania=seat(at="green-mining-supply")), Move(1)), "0:7")
    assert (state.seats[0].ships, hold(state)) == (("7",), (0, 0, 0, 0))
    assert not state.agenda


# Outposts (rules 83-95)


def test_83_a_full_planet_and_an_own_one_are_closed() -> None:
    full = table(ania=seat(mineral=9, trade=6), ola=seat("yellow-mining"), jan=seat("yellow-mining:1"))
    assert may_place(full, 0, "yellow-mining") == ()
    other = table(ania=seat(mineral=9, trade=6), ola=seat("multi-mining:1"))
    assert may_place(other, 0, "multi-mining") == ("0",)


def test_85_86_only_mobilised_crew_that_was_not_placed_is_left_on_a_wild_planet() -> None:
    assert not may_place(table(ania=seat(mineral=9, crew=0, crew_out=2)), 0, "grey-wild")
    assert not may_place(table(ania=seat(mineral=9, crew=0, lieutenant=True, gone=1)), 0, "grey-wild")
    follower = seat(mineral=9, crew=1, at="grey-wild")
    state = answer(run(table(players=2, ola=follower), Follow("exploration", 0, (1,))), "1:crew:secondary")
    assert not ids(state, "place"), "the only one follows"
    state = answer(run(table(players=2, ola=follower), Follow("exploration", 0, (1,))), "1:captain:secondary")
    assert ids(state, "place")


def test_86_who_left_never_comes_back() -> None:
    state = run(table(ania=seat(mineral=1, crew=2)), PlaceOn(0, "grey-wild", "0"), Recall())
    assert (state.seats[0].crew, state.seats[0].capsules, state.seats[0].gone) == (1, 4, 1)


def test_88_an_outpost_on_a_mine_is_no_mining_action() -> None:
    ania = seat(mineral=1, trade=4, technologies=("deep-mining",), mining=("mining-1",))
    state = run(table(ania=ania), PlaceOn(0, "multi-mining", "0"))
    assert (state.seats[0].vp, state.agenda) == (3, ())


def test_90_the_token_is_gone_for_the_second_even_if_it_was_never_told() -> None:
    state = table(
        rewards=("purple-action-mines",), ania=seat(mineral=1, trade=1), ola=seat("purple-action-mines")
    )
    assert not run(state, PlaceOn(0, "purple-action-mines", "1")).agenda


def test_91_pirates_found_too_strong_cost_neither_the_outpost_nor_the_way() -> None:
    """They are told when somebody comes; the action goes on as before."""
    ania = seat(at="purple-action-mines", mineral=9, energy=9, military=1)
    state = perform(table(ania=ania, pirates={"purple-action-mines": ""}), "exploration")
    state = answer(state, "place:0:purple-action-mines:0", "pirate-2")
    assert (ids(state, "place"), hold(state)[1]) == ([], 9)
    state = answer(state, ids(state, "go:0")[0])
    assert ids(state, "place"), "the outpost is still to be placed"
    state = resolve(table(ania=ania, pirates={"purple-action-mines": ""}), PlaceOutpost("ship"))
    state = answer(state, "purple-action-mines:0", "pirate-2")
    assert not state.agenda


def test_91_only_the_first_has_to_beat_them() -> None:
    state = table(
        pirates={"purple-action-mines": "pirate-1"},
        ania=seat(mineral=1, military=2),
        ola=seat(mineral=1, trade=1),
    )
    state = run(state, PlaceOn(0, "purple-action-mines", "0"))
    assert may_place(state, 1, "purple-action-mines") == ("1",)


def test_92_two_players_use_the_same_planet_each_once_with_a_worker_each() -> None:
    both: dict[str, Any] = {name: seat("green-action-income", crew=2) for name in ("ania", "ola")}
    state = run(table(players=2, **both), NextTurn())
    state = answer(state, "planet:crew:green-action-income", "planet:captain:green-action-income")
    assert [hold(state, n)[3] for n in (0, 1)] == [1, 1]
    assert not ids(state, "planet")


@pytest.mark.parametrize(
    ("planets", "different", "same"),
    [
        (("yellow-mining", "yellow-purple-action-research", "purple-wild"), 2, 2),
        (("yellow-mining", "yellow-purple-action-research", "multi-mining"), 3, 3),
        (("green-grey-action-explore", "grey-wild", "green-wild"), 2, 2),
        (("green-grey-action-explore", "yellow-purple-action-research"), 2, 1),
        (("multi-mining",), 1, 1),
        ((), 0, 0),
    ],
)
def test_93_94_colours(planets: tuple[str, ...], different: int, same: int) -> None:
    """One planet never serves as two, and the central one as none."""
    state = table(ania=seat(*planets))
    for n in range(1, 5):
        assert meets(state, 0, Needs(planets=n, of="different")) is (n <= different)
        assert meets(state, 0, Needs(planets=n, of="same")) is (n <= same)


# Planets (rules 96-103)


def test_96_the_same_track_twice_and_its_tokens() -> None:
    taught = {"politics-2.reward": [gain("credit")]}
    ania = seat("purple-action-research", mineral=2)
    state = run(table(taught=taught, ania=ania), Turn(0))
    state = answer(
        state, "planet:crew:purple-action-research", "1-mineral", "politics", "1-mineral", "politics"
    )
    assert (state.seats[0].politics, hold(state)) == (2, (0, 0, 0, 1))


def test_99_as_often_as_there_are_resources() -> None:
    state = run(table(ania=seat("yellow-action-exchange", alien=2)), Turn(0))
    state = answer(state, "planet:captain:yellow-action-exchange", "1-alien", "1-alien")
    assert (state.seats[0].vp, hold(state), asked(state).seat) == (2, (0, 0, 0, 0), 1)


def test_100_a_mine_that_advances_counts_as_activated() -> None:
    ania = seat("purple-action-mines", "grey-mining-industry", "green-mining-supply")
    state = answer(run(table(ania=ania), Turn(0)), "planet:crew:purple-action-mines", "1")
    assert (state.seats[0].production, state.seats[0].vp, hold(state)) == (1, 4, (1, 0, 0, 0))


def test_100_no_mines_no_points() -> None:
    ania = seat("purple-action-mines", ability="technological-nightmare-tile", mining=("mining-1",))
    state = run(table(ania=ania), Turn(0))
    assert not any("purple-action-mines" in option for option in options(state)), "nothing would come of it"
    state = resolve(table(ania=ania), Mines())
    assert state.seats[0].vp == 0


def test_101_scouts_explore_though_the_space_is_used_and_nobody_follows() -> None:
    ania = seat("green-grey-action-explore", technologies=("frontier-industry",))
    state = run(table(ania=ania, used=(Used("exploration", 1),)), Turn(0))
    state = answer(state, "planet:crew:green-grey-action-explore", "done")
    assert (state.seats[0].production, asked(state).slug, asked(state).seat) == (1, "transgalactica.turn", 1)


def test_102_what_cannot_be_is_not_offered() -> None:
    either = Either((Mark(), TakeMission()))
    full = seat(technologies=("archivists", "deep-mining"), log=("mission-1-05", "mission-1-06"))
    assert not forced(resolve(table(ania=full), either)).agenda
    assert options(resolve(table(ania=replace(full, log=())), either)) == ["1", "nothing"]
    assert options(resolve(table(ania=seat()), Either((Pay(("alien",), (Gain("vp"),)), Gain("credit"))))) == [
        "1",
        "nothing",
    ]


# Mining and trade (rules 104-112)


def test_104_the_new_token_pays_only_within_politics() -> None:
    """The made-up track asks politics 0, 0, 1."""
    state = table(ania=seat(mining=("mining-1", "mining-2")))
    assert answer(perform(state, "mining"), "mining-3").seats[0].vp == 2
    state = table(ania=seat(mining=("mining-1",)))
    assert answer(perform(state, "mining"), "mining-3").seats[0].vp == 2


def test_106_planets_pay_whatever_politics() -> None:
    taught = {"control-panel.mining": [9, 9]}
    state = table(taught=taught, ania=seat("yellow-mining", "multi-mining", mining=("mining-1",)))
    assert perform(state, "mining", "secondary").seats[0].vp == 4


def test_107_the_token_a_full_track_left_can_be_taken_by_another() -> None:
    state = table(ania=seat(mining=tuple(f"mining-{n}" for n in range(1, 6)), credit=1), ola=seat(alien=1))
    state = perform(state, "mining")
    assert "transgalactica.mining-full" in told(state)
    state = answer(perform(state, "omni", seat=1), "mining", "mining-9")
    assert (state.seats[1].mining, state.mining_token) == (("mining-9",), False)


@pytest.mark.parametrize(
    ("who", "main", "secondary"),
    [
        ({"mineral": 1, "alien": 1}, ["1-mineral+1-alien"], False),
        ({"mineral": 2}, ["2-mineral"], False),
        ({"mineral": 1, "alien": 9, "credit": 9}, ["1-mineral+1-alien", "1-mineral+1-credit"], False),
        ({"alien": 9, "energy": 9}, [], False),
        ({"mineral": 2, "alien": 1}, ["1-mineral+1-alien", "2-mineral"], True),
        ({"mineral": 1, "technologies": ("trade-discount",)}, ["1-mineral"], False),
        ({"mineral": 2, "technologies": ("trade-discount",)}, ["1-mineral"], True),
    ],
)
def test_108_109_what_trade_costs(who: Any, main: list[str], secondary: bool) -> None:
    state = table(players=2, ania=seat(**who), ola=seat(**who))
    turn = run(state, Turn(0))
    assert ("main:trade" in options(turn)) is bool(main)
    if main:
        assert options(perform(state, "trade")) == main
    assert bool(run(state, Follow("trade", 0, (1,))).agenda) is secondary


def test_110_111_the_second_fleet_token_lies_below_the_first() -> None:
    """The made-up fleet spaces ask politics 1, 2, 4: at 1 only the first unlocked pays again."""
    taught = {"fleet-5.shows": [gain("credit", 2)], "fleet-6.shows": [gain("vp", 3)]}
    state = table(taught=taught, ania=seat(trade=3, politics=1, fleet=("fleet-5",)))
    state = answer(resolve(state, Advance(("trade",), free=True)), "fleet-6")
    assert (state.seats[0].fleet, state.seats[0].vp) == (("fleet-5", "fleet-6"), 3)
    state = run(state, Income(0))
    assert (state.seats[0].vp, hold(state)[3]) == (3, 2)


def test_112_at_six_nobody_pays_for_a_symbol_or_a_followed_trade() -> None:
    rich = seat(trade=6, mineral=9, alien=9)
    state = resolve(table(ania=rich), Advance(("trade",)))
    assert (hold(state), state.agenda) == ((0, 9, 9, 0), ())
    assert not run(table(players=2, ola=rich), Follow("trade", 0, (1,))).agenda


# Why not


@pytest.mark.parametrize(
    ("who", "planet", "why"),
    [
        ({"mineral": 0}, "purple-action-research", "why.minerals"),
        ({"mineral": 9}, "yellow-mining", "why.demand"),
        ({"mineral": 9, "crew": 0}, "grey-wild", "why.demand"),
        ({"mineral": 9, "trade": 6}, "purple-mining", "pirates-too-strong"),
        ({"mineral": 9, "trade": 6}, "multi-mining", "why.full"),
    ],
)
def test_83_85_91_why_no_outpost_goes_there(who: Any, planet: str, why: str) -> None:
    state = table(
        ania=seat(at=planet, **who),
        ola=seat("multi-mining:0"),
        jan=seat("multi-mining:1"),
        pirates={"purple-mining": "pirate-1"},
    )
    for asks in (perform(state, "exploration"), resolve(state, PlaceOutpost("ship"))):
        assert not [o for o in options(asks) if o.startswith(("place", planet))]
        assert step(asks).why_not(asks, planet).key == f"transgalactica.{why}"
    elsewhere = perform(table(ania=seat(mineral=9)), "exploration")
    assert step(elsewhere).why_not(elsewhere, planet).key == "transgalactica.why.too-far"


def test_44_92_why_a_planet_or_token_is_no_answer() -> None:
    ania = seat("green-action-income", crew=0, captains_out=2, used=("basic-1",), mineral=1)
    state = run(table(ania=ania), Turn(0))
    for component, why in (
        ("green-action-income", "no-worker"),
        ("yellow-action-supply", "no-outpost"),
        ("basic-1", "face-down"),
        ("yellow-mining", "turn"),
    ):
        assert step(state).why_not(state, component).key == f"transgalactica.why.{why}"


# Corrections


def test_90_92_a_planet_used_or_a_token_on_it_can_be_set_right() -> None:
    """What was told wrongly about a planet changes what it offers, and back again."""
    state = run(table(ania=seat("green-action-income", mineral=1)), Turn(0))
    used = correct(state, "planet-used:0:green-action-income", 1)
    assert ("planet:crew:green-action-income" in options(state), ids(used, "planet")) == (True, [])
    assert ids(correct(used, "planet-used:0:green-action-income", 0), "planet")
    state = correct(table(ania=seat(mineral=1)), "reward-on:purple-action-mines", 1)
    assert "advanced-1" in options(run(state, PlaceOn(0, "purple-action-mines", "0")))


def test_77_a_correction_in_the_middle_reaches_the_exploration() -> None:
    state = perform(table(ania=seat("grey-wild", energy=9)), "exploration", "secondary")
    state = answer(state, "go:0:1")
    assert ids(state, "go"), "range 2"
    assert not ids(advance(correct(state, "outpost:0:grey-wild", 0)), "go"), "it was no outpost: range 1"


def test_83_places_that_ask_the_same_are_one_answer() -> None:
    state = perform(table(ania=seat(at="grey-action-tunnel", mineral=1)), "exploration")
    assert ids(state, "place") == ["place:0:grey-action-tunnel:0"]
    state = table(ania=seat(mineral=1), ola=seat("grey-action-tunnel:0"))
    assert may_place(state, 0, "grey-action-tunnel") == ("1",)
