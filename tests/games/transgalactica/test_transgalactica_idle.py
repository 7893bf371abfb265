"""Options without effect are not offered, or only with the reason; credits are changed while paying (rule 43)."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from companion.core.agenda import open_asks, take
from companion.core.autoplay import play
from companion.core.game import Setup, game
from companion.core.questions import Answer, Option
from companion.core.words import Text, inside
from companion.games.transgalactica import bots
from companion.games.transgalactica.component_types import ids
from companion.games.transgalactica.effects import (
    Act,
    Advance,
    CompleteMission,
    DoubleIncome,
    Effect,
    Either,
    Gain,
    Mark,
    Mines,
    Mobilise,
    Override,
    Pay,
    PlaceOutpost,
    TakeMission,
    TakeToken,
    ToTunnel,
)
from companion.games.transgalactica.state import TransState
from companion.games.transgalactica.steps.followers import Follow
from companion.games.transgalactica.steps.obstacles import PAID, action_obstacle, obstacle
from companion.games.transgalactica.steps.technology import BeginMark
from companion.games.transgalactica.steps.turns import Turn
from companion.texts import render
from tests.games.transgalactica.made_up_box import LAST, gain
from tests.games.transgalactica.tables import (
    answer,
    asked,
    hold,
    options,
    reasons,
    resolve,
    run,
    seat,
    step,
    table,
    told,
)

ENDS = {"technology": LAST, "politics": LAST}
LATE = ("technology-rows.level_one", "technology-rows.level_two", "technology-rows.level_three")
CLOSED = dict.fromkeys(LATE, LAST)
"""No technology can be marked before the end of its track."""


def reason(found: Text | None) -> str:
    return "" if found is None else found.key.removeprefix("transgalactica.")


# Planets

# planet: a seat for which nothing would come of it, why, and what makes it worth a worker
PLANETS: dict[str, tuple[dict[str, Any], str, dict[str, Any]]] = {
    "purple-action-research": ({}, "idle.pay", {"credit": 1}),
    "yellow-action-exchange": ({}, "idle.pay", {"alien": 1}),
    "purple-action-mines": ({}, "idle.mines", {"planets": ("yellow-mining",)}),
    "yellow-purple-action-research": ({"log": ids("missions")[6:8]}, "idle.technology", {"technology": LAST}),
    "green-grey-action-explore": ({}, "idle.exploration", {"energy": 1}),
}


@pytest.mark.parametrize("planet", PLANETS)
def test_a_planet_that_would_do_nothing_is_not_offered_and_says_why(planet: str) -> None:
    who, why, better = PLANETS[planet]
    state = run(table(ania=seat(planet, **who), taught=CLOSED), Turn(0))
    assert not any(planet in option for option in options(state))
    (note,) = (note for note in asked(state).notes if note.key == "transgalactica.idle-planet")
    assert f"transgalactica.{why}" in reasons(note)
    assert reason(step(state).why_not(state, planet)) == why
    more = {**who, **better}
    state = run(table(ania=seat(planet, *more.pop("planets", ()), **more), taught=CLOSED), Turn(0))
    assert f"planet:crew:{planet}" in options(state)
    assert not asked(state).notes


@pytest.mark.parametrize("planet", ["green-action-income", "yellow-action-supply", "grey-action-tunnel"])
def test_bases_that_always_give_something_are_always_offered(planet: str) -> None:
    assert f"planet:crew:{planet}" in options(run(table(ania=seat(planet)), Turn(0)))


def test_139_agents_pay_for_a_use_that_does_nothing_else() -> None:
    ania = seat("purple-action-research", technologies=("planet-agents",))
    state = answer(run(table(ania=ania), Turn(0)), "planet:crew:purple-action-research")
    assert (state.seats[0].vp, state.seats[0].crew) == (2, 0)


def test_the_purple_base_at_the_end_of_both_tracks() -> None:
    state = run(table(ania=seat("purple-action-research", energy=3, **ENDS)), Turn(0))
    assert reason(step(state).why_not(state, "purple-action-research")) == "ends.technology"


# Symbols

# a symbol that does nothing for a seat, and why
SYMBOLS: list[tuple[Effect, dict[str, Any], str]] = [
    (Mark(), {"technologies": ("helpers", "archivists")}, "no-marker"),
    (Mark(), {}, "idle.technology"),
    (TakeMission(), {"log": ids("missions")[6:8]}, "log-full"),
    (CompleteMission(), {}, "idle.complete"),
    (CompleteMission(), {"log": ("mission-2-09",)}, "idle.complete"),
    (Mobilise(), {"crew": 6}, "idle.crew"),
    (Mines(), {}, "idle.mines"),
    (PlaceOutpost("ship"), {"mineral": 9}, "idle.outpost"),
    (PlaceOutpost("action"), {"alien": 9}, "idle.outpost"),
    (Override(), {"override": True}, "idle.override"),
    (DoubleIncome(), {"double": True}, "idle.income"),
    (Advance(("trade",)), {"mineral": 1, "alien": 1}, "idle.pay"),
    (Advance(("trade",), free=True), {"trade": 6}, "ends.trade"),
    (Advance(("technology", "politics")), ENDS, "ends.technology"),
    (Pay(("alien",), (Gain("vp"),)), {"credit": 9}, "idle.pay"),
    (Pay(("energy",), (Mobilise(),)), {"energy": 9, "crew": 6}, "idle.crew"),
    (Either((Mark(), Mobilise())), {"crew": 6}, "idle.technology"),
    (Act("mining", "secondary"), {}, "idle.mining"),
    (Act("exploration"), {}, "idle.exploration"),
    (Act("trade"), {}, "idle.pay"),
    (Act("omni"), {"energy": 9}, "idle.pay"),
    (Act("technology", "secondary"), ENDS | {"technologies": ("visitors", "archivists")}, "no-marker"),
    (Act("production", "secondary"), {"production": LAST}, "idle.production"),
    (Act("military"), {"military": LAST, "energy": 9}, "ends.military"),
]


@pytest.mark.parametrize(
    ("effect", "who", "why"), SYMBOLS, ids=[f"{type(e).__name__}-{w}" for e, _, w in SYMBOLS]
)
def test_a_token_that_would_do_nothing_keeps_its_face(effect: Effect, who: dict[str, Any], why: str) -> None:
    state = table(ania=seat(tokens=("basic-1",), **who), taught=CLOSED)
    assert reason(obstacle(state, 0, effect)) == why
    assert obstacle(state, 0, Gain("vp")) is None


def test_a_bonus_token_of_which_nothing_comes_is_not_offered() -> None:
    shows = {"basic-1.shows": [{"does": "mobilise", "n": 1}], "basic-2.shows": [gain("vp")]}
    state = run(table(ania=seat(tokens=("basic-1", "basic-2"), crew=6), taught=shows), Turn(0))
    assert [o for o in options(state) if "token" in o] == ["free-deed/token/basic-2"]
    assert reason(step(state).why_not(state, "basic-1")) == "idle.crew"


def test_nothing_doubles_after_the_last_round() -> None:
    assert obstacle(table(round=4), 0, DoubleIncome()) is None
    assert reason(obstacle(table(round=5), 0, DoubleIncome())) == "idle.income"


def test_no_token_left_of_a_colour() -> None:
    assert reason(obstacle(table(discarded=ids("tokens")), 0, TakeToken("basic"))) == "idle.token"
    nowhere = {f"{planet.id}.tunnel": False for planet in map(table().planet, table().planets.values())}
    assert reason(obstacle(table(taught=nowhere), 0, ToTunnel())) == "idle.tunnel"


def test_omni_needs_something_to_do_after_its_price() -> None:
    """The only credit would pay for trade or for omni, not for both."""
    full = seat(credit=1, mineral=2, technology=LAST, politics=LAST, production=LAST, military=LAST,
                technologies=("helpers", "archivists", "promotion", "visitors", "lobbyists"), trade=5,
                log=ids("missions")[6:8])  # fmt: skip
    state = table(ania=full, mining_token=False)
    assert action_obstacle(state, 0, "omni", "main") is None, "two minerals are left for trade"
    state = table(ania=replace(full, mineral=1), mining_token=False)
    assert reason(action_obstacle(state, 0, "omni", "main")) == "idle.actions"


def test_a_token_that_shows_an_action_mines_only_if_another_action_is_possible() -> None:
    """Whether mining does anything depends on any action, which depends on mining: that must end."""
    taught = {"mining-1.shows": [{"does": "act", "action": "any", "kind": "main"}]}
    full = seat(mining=("mining-1",), politics=LAST, technology=LAST, production=LAST, military=LAST, trade=5,
                technologies=("helpers", "archivists", "promotion", "visitors", "lobbyists"),
                log=ids("missions")[6:8])  # fmt: skip
    idle = table(taught=taught, ania=full, mining_token=False)
    assert reason(action_obstacle(idle, 0, "mining", "main")) == "idle.mining"
    able = table(taught=taught, ania=replace(full, production=0), mining_token=False)
    assert action_obstacle(able, 0, "mining", "main") is None


# Technologies, missions, actions


def detail(state: Any, id: str) -> set[str]:
    option = asked(state).option(id)
    assert isinstance(option, Option)
    return set() if option.detail is None else {part.key for part in inside(option.detail)}


@pytest.mark.parametrize(
    ("card", "poor", "why", "rich"),
    [
        ("instant-outpost", {}, "idle.outpost", {"mineral": 1}),
        ("instant-mission", {}, "idle.complete", {"log": ("mission-1-09",)}),
    ],
)
def test_a_one_time_technology_says_that_nothing_comes_of_it_now(
    card: str, poor: dict[str, Any], why: str, rich: dict[str, Any]
) -> None:
    """It may still be marked: it counts for objectives and decrees."""
    for who, said in ((poor, {f"transgalactica.{why}", "transgalactica.partly"}), (rich, set())):
        state = run(table(technologies=(card,), ania=seat(technology=5, **who)), BeginMark(0))
        assert detail(state, card) == said


def test_a_mission_says_which_of_its_rewards_does_nothing() -> None:
    """Mission II-3 lets mark a technology: without a marker only the points come."""
    who: dict[str, Any] = {"technology": 6, "mineral": 2, "energy": 2, "log": ("mission-2-03",)}
    state = run(table(ania=seat(**who, technologies=("helpers", "archivists"))), Turn(0))
    assert "transgalactica.no-marker" in detail(state, "free-deed/mission/mission-2-03")
    assert not detail(run(table(ania=seat(**who)), Turn(0)), "free-deed/mission/mission-2-03")


def test_an_idle_main_action_is_offered_with_its_reason_for_it_closes_the_space() -> None:
    state = run(table(ania=seat(energy=1), mining_token=False), Turn(0))
    assert detail(state, "main:mining") == {"transgalactica.idle", "transgalactica.idle.mining"}
    assert not detail(state, "main:exploration")
    assert "main:trade" not in options(state), "nobody acts without paying"


@pytest.mark.parametrize("action", ["mining", "exploration", "technology", "politics", "production"])
def test_nobody_follows_for_nothing(action: Any) -> None:
    who = {
        **ENDS,
        "production": LAST,
        "log": ids("missions")[6:8],
        "technologies": ("archivists", "visitors"),
    }
    assert not run(table(ola=seat(**who), jan=seat(**who)), Follow(action, 0, (1, 2))).agenda
    helped = {**who, "technologies": ("helpers", "visitors")}
    assert run(table(ola=seat(**helped)), Follow(action, 0, (1,))).agenda, "helpers pay for it (rule 141)"


@pytest.mark.parametrize(
    ("action", "who", "offered"),
    [
        ("technology", {}, ["advance"]),
        ("technology", {"technology": LAST}, ["mark"]),
        ("politics", {"log": ids("missions")[6:8]}, ["advance"]),
        ("politics", {"politics": LAST}, ["mission"]),
        ("production", {}, ["advance"]),
        ("production", {"production": LAST, "planets": ("yellow-wild",)}, ["collect"]),
    ],
)
def test_of_a_secondary_action_only_the_half_that_does_something(action: Any, who: Any, offered: Any) -> None:
    who = dict(who)
    ola = seat(*who.pop("planets", ()), **who)
    state = run(table(players=2, ola=ola, taught=CLOSED), Follow(action, 0, (1,)))
    state = take(state, Answer(None, "transgalactica.follow", "1:crew:secondary"))
    assert options(state) == offered


def test_65_a_gate_nobody_told_is_told_before_the_captain_is_placed() -> None:
    state = table(ania=seat(energy=2))
    state = replace(state, taught={k: v for k, v in state.taught.items() if not k.startswith("military-1.")})
    state = answer(run(state, Turn(0)), "main:military")
    fact = asked(state)
    rules = game("transgalactica")
    assert rules.decode(rules.encode(state)) == state
    gate = '{"token":"none","reward":[],"income":[],"gate":3,"last":false}'
    state = take(state, Answer(fact.seat, fact.slug, gate))
    assert asked(state).slug == "transgalactica.turn"
    assert (state.seats[0].captains_out, hold(state)) == (0, (2, 0, 0, 0))
    assert "main:military" not in options(state)
    assert "transgalactica.not-after-all" in told(state)


# Exchanging while paying


def test_65_a_barred_advance_says_which_technology_it_needs() -> None:
    state = table(taught={"military-1.gate": 3})
    text = obstacle(state, 0, Advance(("military",), free=True))
    assert text is not None
    assert (text.key, text.args["level"]) == ("transgalactica.gate", 3)


def test_66_the_space_ahead_is_told_before_its_advance_is_paid() -> None:
    """A gate may bar it; a trade advance asks nothing about military."""
    state = table(ania=seat(energy=2, credit=1, mineral=2, alien=1))
    known = {key: told for key, told in state.taught.items() if not key.startswith("military-1.")}
    state = replace(state, taught=known)
    assert asked(resolve(state, Advance(("military",)))).facts[0].startswith("military-1.")
    assert asked(resolve(state, Advance(("trade",)))).slug == "transgalactica.pay"


def test_43_the_missing_mineral_is_a_changed_credit_without_leaving_the_payment() -> None:
    state = answer(run(table(ania=seat(mineral=1, alien=1, credit=2)), Turn(0)), "main:trade")
    assert options(state) == ["1-mineral+1-alien", "1-mineral+1-credit"]
    assert "transgalactica.changed" in detail(state, "1-mineral+1-credit")
    assert "transgalactica.exchanging" not in told(answer(state, "1-mineral+1-alien"))
    state = answer(state, "1-mineral+1-credit")
    assert (state.seats[0].trade, hold(state)) == (1, (0, 0, 1, 1))
    assert "transgalactica.exchanging" in told(state), "the pieces to change are told"


def test_43_no_alien_and_nothing_the_other_way_round() -> None:
    assert "main:trade" not in options(run(table(ania=seat(energy=9, alien=9)), Turn(0)))
    state = run(table(ania=seat("grey-wild", energy=9, mineral=9, credit=9)), Turn(0))
    state = answer(state, "main:omni")
    assert hold(state)[3] == 8, "only the credit pays: energy and minerals become neither credit nor alien"


@pytest.mark.parametrize(
    ("option", "who", "left"),
    [
        ("free-deed/mission/mission-1-09", {"log": ("mission-1-09",), "mineral": 1, "credit": 2}, 1),
        ("main:military", {"credit": 3}, 1),
        ("planet:crew:purple-action-research", {"planets": ("purple-action-research",), "credit": 1}, 0),
    ],
)
def test_43_credits_are_changed_wherever_the_seat_pays(option: str, who: Any, left: int) -> None:
    who = dict(who)
    state = answer(run(table(ania=seat(*who.pop("planets", ()), **who)), Turn(0)), option)
    if asked(state).slug == "transgalactica.pay":
        state = answer(state, "1-credit")
    assert hold(state) == (0, 0, 0, left)


def test_43_an_outpost_is_paid_with_changed_credits() -> None:
    """Built by exploring or by a symbol."""
    ania = seat(at="green-action-income", credit=1)
    state = answer(run(table(ania=ania), Turn(0)), "main:exploration", "place:0:green-action-income:0")
    assert (state.seats[0].planets[-1], hold(state)) == ("green-action-income", (0, 0, 0, 0))
    state = run(table(technologies=("instant-outpost",), ania=seat(technology=5, credit=1)), BeginMark(0))
    state = answer(state, "instant-outpost", "green-action-income:0")
    assert (state.seats[0].planets[-1], hold(state)) == ("green-action-income", (0, 0, 0, 0))


@pytest.mark.parametrize(("language", "words"), [("en", "costs 2 minerals"), ("pl", "kosztuje 2 surowce")])
def test_84_a_refused_outpost_names_its_real_price(language: str, words: str) -> None:
    ania = seat("green-wild", "yellow-wild", at="green-action-income", energy=1)
    state = answer(run(table(ania=ania), Turn(0)), "main:exploration")
    assert words in render(step(state).why_not(state, "green-action-income"), language)


@pytest.mark.parametrize(("choice", "follows"), [("own-turn", False), ("also", True)])
def test_45_a_follower_changes_credits_only_if_the_table_agreed(choice: str, follows: bool) -> None:
    state = table(choices={"following": choice}, ola=seat(mineral=1, alien=1, credit=1))
    assert bool(run(state, Follow("trade", 0, (1,))).agenda) is follows


# Whole plays


def without_workers(state: TransState) -> Any:
    """The table but for who placed what."""
    bare = [
        replace(who, captains_out=0, crew=0, crew_out=0, lieutenant_out=False, used=()) for who in state.seats
    ]
    return replace(
        state, seats=tuple(bare), used=(), passed=0, active=None, agenda=(), news=(), taught={}, once=()
    )


def placed(state: TransState) -> list[int]:
    return [who.captains_out + who.crew_out + who.lieutenant_out for who in state.seats]


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_bots_that_never_decline_spend_no_worker_for_nothing(
    players: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of main actions only those that cost something: an idle one is offered with its reason."""
    monkeypatch.setattr(bots, "SENSIBLE", 1.0)
    setup, uses = Setup("transgalactica", ("A", "B", "C", "D", "E")[:players]), 0
    before, since, seen = None, None, []
    for state, given in play(game("transgalactica"), setup, players):
        if before is not None and any(a > b for a, b in zip(placed(state), placed(before), strict=True)):
            idle = state.used[len(before.used) :] and state.used[-1].action not in PAID
            since, seen = (None if idle else before), []
        if since is not None:
            seen.append(without_workers(state))
            if not state.agenda or open_asks(state)[0][1].slug in (
                "transgalactica.turn",
                "transgalactica.follow",
            ):
                assert any(one != without_workers(since) for one in seen), given
                since, uses = None, uses + 1
        before = state
    assert uses > 5
