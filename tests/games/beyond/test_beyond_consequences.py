"""Options say what they lead to: control, bonuses, points, production (both languages)."""

from __future__ import annotations

from typing import Any

from companion.core.agenda import advance
from companion.core.questions import Picks
from companion.games.beyond import operations as op
from companion.games.beyond.state import Base, BeyondState, Node, Seat
from companion.games.beyond.steps.bases import Gain, OrderBonuses, PlaceBase
from companion.games.beyond.steps.events import PutEvent
from companion.games.beyond.steps.production import FOR_CUBE, ChooseProduction, Trade
from companion.games.beyond.steps.ships import ChooseTarget
from companion.games.beyond.steps.turn import ChooseSpace
from tests.games.beyond.tables import asked, details, does, say, seat, table, told

LINES: dict[str, Any] = {
    "side-2.routes": [
        {"one": "sol", "other": "a1"},
        {"one": "sol", "other": "a2"},
        {"one": "a2", "other": "b1"},
    ],
    "sirius.control_bonus": [{"does": "gain-ore", "n": 1}],
}
OF_BARTEK = {"a2": Base(1, "ore")}


def jumping(*seats: Seat, bases: dict[str, Base] = OF_BARTEK, points: int = 1) -> BeyondState:
    return does(table(*seats, taught=LINES, bases=bases), op.Jump(points=points))


def test_a_jump_says_whom_it_takes_a_system_from_and_what_that_gives() -> None:
    state = jumping(seat("sol:3"), seat("a2:2"))
    assert details(state)["a2"] == "takes Sirius from Bartek 3:2, take 1 ore"
    assert "Bartek" in details(state, "pl")["a2"]
    assert "3:2" in details(state, "pl")["a2"]
    assert "weź 1 kryształek rudy" in details(state, "pl")["a2"]


def test_a_jump_says_what_it_takes_from_nobody_and_what_is_not_enough() -> None:
    state = jumping(seat("sol:2"), seat("a2:2"))
    assert details(state) == {"a1": "takes Barnard's Star", "a2": "Bartek keeps control 2:2"}


def test_a_jump_says_what_is_lost_where_the_ship_was() -> None:
    """Rules 136, 137, 139."""
    mine = {"a2": Base(0, "ore")}
    assert details(jumping(seat("a2:3"), seat("a2:2"), bases=mine))["sol"] == "Bartek takes Sirius 2:0"
    assert "sol" not in details(jumping(seat("a2:3"), seat(), bases=mine)), "the base stays"


def test_an_upgrade_says_that_it_takes_control() -> None:
    state = table(seat("a2:2", "sol:1"), seat("a2:2"), taught=LINES, bases=OF_BARTEK)
    assert details(does(state, op.Upgrade())) == {"a2:2": "takes Sirius from Bartek 3:2, take 1 ore"}


def test_taking_a_ship_back_or_into_the_museum_says_what_is_lost() -> None:
    state = table(seat("a2:3", ore=1), seat("a2:2"), taught=LINES, bases={"a2": Base(0, "ore")})
    lost = "Bartek takes Sirius 2:0"
    assert details(advance(state.push(Trade(0)))) == {"ship:a2:3": lost}
    assert details(does(state, op.ToMuseum())) == {"a2:3": lost}


def test_colonising_says_strength_points_and_bonus() -> None:
    taught = {"barnards-star.points": 4, "barnards-star.colony_bonus": [{"does": "gain-ore", "n": 2}]}
    state = table(seat("a1:3", "a1:2", "a1:1"), seat(), taught=taught, bases={"a1": Base(0, "food")})
    state = does(state, op.Colonise())
    assert details(state) == {"a1": "strength 6 (needs 3), 4 VP, take 2 ore"}
    assert details(state, "pl") == {"a1": "siła militarna 6 (potrzeba 3), 4 PZ, weź 2 kryształki rudy"}
    settlers = details(say(state, "a1"))
    assert settlers["3"] == "to Deep Space: level 1 ship, level 2 ship"
    assert settlers["3,2,1"] == "3 more than needed"


def test_discs_say_what_they_uncover() -> None:
    """Rules 67, 69, 79."""
    tracks = {
        "basic-boards.growth": ["a", "b", "none", "none", "none", "none", "none", "none", "none"],
        "basic-boards.ore_track": [1, 0, 2, 0, 0, 0, 0, 0, 0],
    }
    state = does(table(seat(automation=("ore",)), seat(), taught=tracks), op.Automate())
    assert details(state) == {
        "food": "8 left on the track, growth gains B",
        "ore": "7 left on the track, ore production 3",
    }
    state = does(table(seat(automation=("ore",) * 8), seat(), taught=tracks), op.Automate())
    assert details(state)["ore"] == "0 left on the track, a marker is used"


def test_research_says_what_a_discovered_technology_gives() -> None:
    taught: dict[str, Any] = {
        "technology-board.lines_2": [{"one": "i-1", "other": f"ii-{c}"} for c in "ab"],
        "plasma-cannon.immediate": [{"does": "gain-ore", "n": 2}],
    }
    tree = {"ii-a": Node("plasma-cannon", (1,))}
    state = table(seat(), seat(), taught=taught, tree=tree, researched={"i-1": (0,)})
    assert details(does(state, op.Research(level=2))) == {"ii-a": "take 2 ore", "ii-b": "not discovered yet"}


def test_guilds_pawns_and_bonuses_say_what_they_are_about() -> None:
    state = table(seat(), seat(pawn="basic-2:research-1:0"), taught=LINES)
    assert all("research" in told for told in details(does(state, op.UncoverGuild(guild_level=2))).values())
    assert details(does(state, op.Displace())) == {"1": "Research level I"}
    gains = (Gain("a2", "sirius"), Gain("b1", "tau-ceti"))
    assert details(advance(state.push(OrderBonuses(0, gains))))["a2"] == "take 1 ore"


def test_a_system_a_ship_cannot_jump_to_is_refused_with_the_reason() -> None:
    state = jumping(seat("sol:3"), seat("a2:2"))
    step = state.agenda[0]
    assert isinstance(step, ChooseTarget)
    lies, elsewhere = state.systems["b1"], "procyon"
    assert elsewhere not in state.systems.values()
    assert step.why_not(state, lies).key == "beyond.why.no-jump-there"
    assert step.why_not(state, elsewhere).key == "beyond.why.not-on-map"


def signs(state: BeyondState) -> dict[str, list[tuple[str, str]]]:
    """The signs behind each option of the open question."""
    return {o.id: [(sign.symbol, sign.value) for sign in o.signs] for o in asked(state).options}


def test_options_show_what_they_are_about() -> None:
    mine = {"a1": Base(0, "food"), "a2": Base(0, "ore")}
    state = does(table(seat("a1:4", "a2:4"), seat(), taught=LINES, bases=mine), op.Colonise())
    assert signs(state) == {"a1": [("strength", "3")], "a2": [("strength", "4")]}
    state = table(seat("yard-1:1"), seat(), taught={"side-2.yards": ["both", "ore"]}, bases={})
    state = advance(state.push(PlaceBase(0, "yard-1")))
    assert signs(state) == {"food": [("food", "")], "ore": [("ore-disc", "")]}
    tree = {"ii-a": Node("human-experiments")}
    lines = {"technology-board.lines_2": [{"one": "i-1", "other": f"ii-{c}"} for c in "ab"]}
    quiet = {"human-experiments.immediate": [{"does": "gain-ore", "n": 1}]}
    state = table(seat(), seat(), taught={**lines, **quiet}, tree=tree, researched={"i-1": (0,)})
    shown = signs(does(state, op.Research(level=2)))
    assert shown["ii-b"] == [("event", "")]
    assert ("event", "") not in shown["ii-a"]


def test_basic_spaces_stand_on_the_tile_of_basic_spacefaring() -> None:
    state = advance(table(seat(), seat()).push(ChooseSpace(0)))
    places = {option.place for option in asked(state).options if option.id.startswith("basic-")}
    assert places == {f"basic-{action}" for action in ("research-1", "build-jump", "recruit-ore")}


def test_an_event_before_a_player_is_told_otherwise_than_one_beside_the_board() -> None:
    for lies, key in (("before-you", "beyond.do.keep-event"), ("beside-the-board", "beyond.do.lay-event")):
        taught = {"kc-24x.lies": lies, "kc-24x.actions": []}
        state = advance(table(seat(), seat(), taught=taught).push(PutEvent(0, "kc-24x")))
        assert key in told(state)


def test_enter_chooses_nothing_that_cannot_be_undone_in_passing() -> None:
    state = table(seat(), seat())
    assert asked(does(state, op.UncoverGuild(guild_level=2))).default is None
    assert asked(advance(state.push(ChooseProduction(0)))).default is None


def test_exchanges_are_counted_up() -> None:
    state = advance(table(seat(ore=6), seat()).push(Trade(0)))
    assert asked(state).tally == Picks(0, 1)
    assert asked(say(state, FOR_CUBE)).tally == Picks(1, 2)
