"""Where two rules meet and the rulebook is brief: income of fleet tokens, mining symbols, tiles, discounts,
agreements."""

from __future__ import annotations

import importlib.resources
from typing import Any

import pytest
from msgspec.structs import replace

from companion.core.agenda import questions
from companion.core.game import Setup
from companion.core.questions import Picks
from companion.core.words import plain, say
from companion.games.transgalactica import GAME, position
from companion.games.transgalactica.component_types import Needs
from companion.games.transgalactica.corrections import check, correct, counters
from companion.games.transgalactica.effects import Advance, MiningSymbol, TakeToken
from companion.games.transgalactica.requirements import meets
from companion.games.transgalactica.sheet import sheet_of_state
from companion.games.transgalactica.state import Held, TransState
from companion.games.transgalactica.steps.board import TellPirateAt, may_have_pirates
from companion.games.transgalactica.steps.collect import Collect
from companion.games.transgalactica.steps.explore import FreeMove, GoToTunnel, reach
from companion.games.transgalactica.steps.income import Income, IncomeOver
from companion.games.transgalactica.steps.resolve import PayFor
from companion.games.transgalactica.steps.setup import (
    Draft,
    FirstOutposts,
    StartingHolds,
)
from companion.games.transgalactica.steps.turns import Turn
from companion.texts import render
from tests.games.transgalactica.made_up_box import gain
from tests.games.transgalactica.tables import (
    answer,
    asked,
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

MINED = [{"does": "mining-symbol"}, gain("vp", 2)]

# Fleet tokens at income


def test_a_fleet_token_unlocked_at_income_pays_once_in_that_phase() -> None:
    """p. 19: at once, and again in the phases after it."""
    ania = seat("grey-wild", alien=1, trade=1, politics=4, fleet=())
    state = table(ania=ania, phase="income", taught={"fleet-1.shows": [gain("credit", 3)]})
    state = run(state, Income(0), IncomeOver(0))
    state = answer(state, "1-alien", "fleet-1")
    assert (state.seats[0].fleet, hold(state)[3]) == (("fleet-1",), 3)
    later = run(replace(state, agenda=()), Income(0), IncomeOver(0))
    assert hold(later)[3] == 6


def test_fleet_tokens_from_before_pay_whether_another_is_unlocked_first_or_not() -> None:
    ania = seat("grey-wild", alien=1, trade=3, politics=4, fleet=("fleet-1",))
    shows = {"fleet-1.shows": [gain("credit")], "fleet-2.shows": [gain("credit", 3)]}
    begun = run(table(ania=ania, phase="income", taught=shows), Income(0), IncomeOver(0))
    for first in (("planet:grey-wild", "1-alien", "fleet-2"), ("rest", "1-alien", "fleet-2")):
        assert hold(answer(begun, *first))[3] == 1 + 3


def test_a_fleet_token_of_a_wealth_card_pays_at_the_first_income() -> None:
    """The phase of round 1 is a later one."""
    before = table(
        round=0,
        phase="setup",
        active=None,
        ania=seat(politics=4, trade=1),
        taught={"fleet-1.shows": [gain("credit")]},
    )
    state = resolve(before, Advance(("trade",), free=True))
    state = answer(state, "fleet-1")
    assert hold(run(replace(state, phase="income"), Income(0)))[3] == 2


# The mining symbol


@pytest.mark.parametrize("purpose", ["unlocked", "pirates"])
def test_a_token_with_the_mining_symbol_lies_on_the_mining_track_and_pays_there(purpose: str) -> None:
    """p. 11."""
    taught = {"fleet-1.shows": MINED, "pirate-1.shows": MINED, "pirate-1.strength": 0}
    if purpose == "unlocked":
        state = answer(
            perform(table(taught=taught, ania=seat(mineral=2, trade=1, politics=4)), "trade"), "fleet-1"
        )
        assert "transgalactica.do.fleet-mined" in told(state)
        assert state.seats[0].vp == 2, "unlocking pays it at once (p. 19)"
        token = "fleet-1"
    else:
        pirates = {"green-action-income": "pirate-1"}
        ania = seat(mineral=2, at="green-action-income", politics=4)
        state = perform(table(taught=taught, ania=ania, pirates=pirates), "exploration")
        state = answer(state, "place:0:green-action-income:0")
        assert len(state.seats[0].pirates) == 1, "it counts as a pirate token all the same"
        token = "pirate-1"
    assert state.seats[0].mining == (token,)
    state = replace(state, agenda=(), mining_token=False)
    before = state.seats[0].vp
    assert run(state, Income(0)).seats[0].vp == before, "the income track does not have it"
    assert perform(state, "mining", "secondary").seats[0].vp == before + 2
    assert not check(state)


def test_tokens_below_a_mined_one_move_up_on_the_income_track() -> None:
    """The first fleet place stays free for the next one."""
    ania = seat(politics=1, fleet=("fleet-1", "fleet-2"), mining=("fleet-1",))
    state = table(ania=ania, taught={"fleet-1.shows": MINED, "fleet-2.shows": [gain("credit")]})
    assert hold(run(state, Income(0))) == (0, 0, 0, 1)


def test_a_mined_token_can_be_corrected() -> None:
    state = table(taught={"fleet-1.shows": MINED, "pirate-1.shows": MINED})
    for counter, id in (("fleet:0:fleet-1", "fleet-1"), ("pirate:0:pirate-1", "pirate-1")):
        there = correct(state, counter, 1)
        assert there.seats[0].mining == (id,)
        assert f"mining:0:{id}" not in {one.id for one in counters(there)}, "it has a counter already"
        assert correct(there, counter, 0) == state


def test_a_mining_token_can_be_gained() -> None:
    """p. 32: one from the stack onto the mining track, where it pays at the next mining."""
    state = answer(resolve(table(), TakeToken("mining")), "mining-3")
    assert (state.seats[0].mining, state.seats[0].vp, state.mining_stack) == (("mining-3",), 0, 4)
    assert state.mining_token, "the one on the space of the action stays"
    full = table(ania=seat(mining=("mining-1", "mining-2", "mining-3", "mining-4", "mining-5")))
    for none in (full, table(mining_stack=0)):
        after = resolve(none, TakeToken("mining"))
        assert after.seats == none.seats
        assert "transgalactica.no-mining-token" in told(after)


def test_both_can_be_taught() -> None:
    shows = [{"does": "take-token", "colour": "mining"}, {"does": "mining-symbol"}]
    state = table(taught={"fleet-1.shows": shows})
    assert state.shows("fleet-1") == (TakeToken("mining"), MiningSymbol())
    assert not tuple(GAME.bad_facts({"fleet-1.shows": shows}))


# Set-up


def test_war_profits_keep_their_advance_below_the_technology_of_the_space() -> None:
    """p. 24: the fleet starts there; other free advances need the technology (rule 65)."""
    fleets: dict[str, Any] = {
        name: replace(seat(drafted=True), outposts=(), ships=()) for name in ("ania", "ola")
    }
    taught = {"military-1.gate": 3, "military-1.token": "basic"}
    state = table(players=2, **fleets, round=0, phase="setup", active=None, taught=taught)
    state = answer(run(state, Draft(0)), "war-profits", "basic-2")
    assert (state.seats[0].military, state.seats[0].tokens) == (1, (Held("basic-2"),))


@pytest.mark.parametrize(
    ("shows", "answers", "ship"),
    [
        ({"does": "move", "n": 1}, ("0:2",), "2"),
        ({"does": "to-tunnel"}, ("0:2",), "2"),
        ({"does": "act", "action": "exploration"}, ("go:0:3", "done"), "3"),
    ],
    ids=["move", "tunnel", "exploration"],
)
def test_a_move_gained_before_ships_are_placed_is_made_once_they_are(
    shows: dict[str, Any], answers: tuple[str, ...], ship: str
) -> None:
    """p. 6: everything on the cards is gained, but the ships come after the draft."""
    fleets: dict[str, Any] = {
        name: replace(seat(energy=3), outposts=(), ships=()) for name in ("ania", "ola")
    }
    taught = {"wealth-1.shows": [shows, gain("mineral")]}
    state = table(players=2, **fleets, round=0, phase="setup", active=None, taught=taught)
    state = answer(run(state, Draft(0)), "wealth", "wealth-1", "wealth-2")
    assert hold(state)[1] == 1, "the rest comes at once"
    state = run(replace(state, agenda=()), FirstOutposts())
    state = answer(state, *answers)
    assert (state.seats[0].ships, state.seats[1].ships) == ((ship,), ("centre",))
    assert not state.seats[0].waiting


def test_a_move_may_be_chosen_although_ships_are_not_placed_yet() -> None:
    """p. 6, 32: it waits for them like one that is no choice."""
    fleets: dict[str, Any] = {name: replace(seat(), outposts=(), ships=()) for name in ("ania", "ola")}
    either = {"does": "either", "of": [{"does": "move", "n": 1}, gain("energy")]}
    state = table(
        players=2, **fleets, round=0, phase="setup", active=None, taught={"wealth-1.shows": [either]}
    )
    state = answer(run(state, Draft(0)), "wealth", "wealth-1")
    assert options(state) == ["0", "1", "nothing"]
    state = run(replace(answer(state, "0"), agenda=()), FirstOutposts())
    assert answer(state, "0:2").seats[0].ships == ("2",)


def test_an_outpost_gained_at_set_up_comes_after_the_first_one() -> None:
    fleets: dict[str, Any] = {
        name: replace(seat(mineral=3), outposts=(), ships=()) for name in ("ania", "ola")
    }
    taught = {"mining-1.shows": [{"does": "place-outpost", "where": "action"}]}
    state = table(players=2, **fleets, round=0, phase="setup", active=None, taught=taught)
    state = answer(run(state, StartingHolds()), "mining-1", "mining-2")
    state = run(replace(state, agenda=()), FirstOutposts())
    state = answer(state, "green-action-income:0")
    assert state.seats[0].planets == ("central", "green-action-income")
    assert hold(state)[1] == 2, "the second one costs a mineral"


# Technologies and tiles


def test_the_trade_discount_holds_for_the_grey_wild_planet() -> None:
    """p. 28: an alien less for unlocking trade spaces, and an alien is all that planet asks for (p. 25)."""
    ania = seat("grey-wild", technologies=("trade-discount",))
    assert run(table(ania=ania), Income(0)).seats[0].trade == 1
    with_alien = run(table(ania=replace(ania, alien=1)), Income(0))
    assert (with_alien.seats[0].trade, hold(with_alien)[2]) == (1, 1)
    expensive = run(table(ania=seat("grey-wild", alien=1)), Income(0))
    assert isinstance(step(expensive), PayFor)
    done = table(ania=replace(ania, trade=6))
    assert run(done, Income(0)).seats[0].trade == 6


def test_used_tokens_of_the_bank_can_be_recycled() -> None:
    """p. 10, 24, 28: they are bonus tokens, and recycling says otherwise than that a used one stays so."""
    bank = (Held("basic-1", used=True), Held("basic-2"))
    ania = seat(ability="token-bank", bank=bank, technologies=("token-recycling",), alien=1)
    state = run(table(ania=ania), Turn(0))
    assert [one for one in options(state) if "recycle" in one] == ["free-deed/recycle/basic-1"]
    state = answer(state, "free-deed/recycle/basic-1")
    assert (state.seats[0].vp, state.seats[0].bank) == (2 + 1, (Held("basic-2"),))
    assert "basic-1" in state.discarded
    assert "free-deed/bank/basic-2" in options(state), "the bank lends its one token of the round as well"


@pytest.mark.parametrize("moves", [0, 1])
def test_of_two_ships_in_one_orbit_the_one_that_stayed_builds(moves: int) -> None:
    """p. 16, 24: an outpost before a ship's own movement is no outpost between the steps of the other one."""
    stays = 1 - moves
    ships = ("1", "centre") if moves else ("centre", "1")
    ania = seat(ability="second-ship", energy=9, mineral=9, trade=6, ships=ships)
    state = answer(perform(table(ania=ania), "exploration"), f"go:{moves}:1")
    places = [one for one in options(state) if one.startswith("place:")]
    assert places == [f"place:{stays}:green-mining-supply:0"]
    state = answer(state, *places, "0")
    assert any(one.startswith(f"free:{moves}:") for one in options(state)), "the ship that moved goes on"


@pytest.mark.parametrize("ships", [("centre", "centre"), ("1", "centre")])
@pytest.mark.parametrize("language", ["en", "pl"])
def test_options_of_two_ships_say_which_ship_goes(ships: tuple[str, ...], language: str) -> None:
    """A step, a tunnel, a free move and a move to a tunnel planet; with one ship nothing is said."""
    ania = seat(ability="second-ship", energy=9, alien=9, trade=6, ships=ships)
    start = table(ania=ania)
    going = (
        perform(start, "exploration"),
        run(start, FreeMove(0, 1, plain(""))),
        run(start, GoToTunnel(0, plain(""))),
    )
    for state in going:
        words = [render(option.text, language) for option in questions(state)[0].options]
        assert len(words) == len(set(words)), words
        assert any(render(say("transgalactica.by-ship-2", what=plain("")), language) in one for one in words)
    alone = perform(table(ania=seat(energy=9, trade=6)), "exploration")
    steps = [option.text for option in questions(alone)[0].options if option.id.startswith("go:")]
    assert steps
    assert not any("ship" in render(text, "en") for text in steps)


def test_one_ship_may_build_before_and_after_its_move() -> None:
    """p. 24: the outpost more is nobody's in particular."""
    ania = seat(ability="second-ship", energy=9, mineral=9, trade=6, ships=("1", "centre"))
    state = perform(table(ania=ania), "exploration")
    state = answer(state, "place:0:green-mining-supply:0", "0", "go:0:7", "place:0:purple-mining:0")
    assert state.seats[0].planets[-2:] == ("green-mining-supply", "purple-mining")


# Agreements

NIGHTMARE: dict[str, Any] = {"ability": "technological-nightmare-tile"}


@pytest.mark.parametrize(
    ("agreed", "range_", "colours", "outposts", "collected"),
    [("aside", 1, False, False, 0), ("outpost", 2, True, True, 1), ("colours", 2, True, False, 0)],
)
def test_what_the_nightmare_counts_for_can_be_agreed_on(
    agreed: str, range_: int, colours: bool, outposts: bool, collected: int
) -> None:
    """Rule 167: nowhere, everywhere, or where a colour is asked for."""
    state = table(choices={"nightmare": agreed}, ania=seat(production=1, **NIGHTMARE))
    assert reach(state, 0) == range_
    assert meets(state, 0, Needs(planets=1, of="same")) is colours
    assert meets(state, 0, Needs(planets=1, of="mixed", colours=("green",))) is colours
    assert meets(state, 0, Needs(planets=2, of="any")) is outposts
    assert bool(run(state, Collect(0)).agenda) is bool(collected)


def table_ends() -> TransState:
    """A finished table on which every reading gives something else."""
    ania = seat(
        "yellow-action-exchange:0",
        technology=5,
        politics=3,
        production=2,
        technologies=("prestige-offices", "end-objective", "end-technology-politics"),
        trade=1,
        objectives=("objective-pirates", "objective-levels"),
    )
    ola = seat(
        "yellow-wild",
        **NIGHTMARE,
        trade=2,
        objectives=("objective-yellow", "objective-expansion"),
        technologies=("archivists",),
    )
    third = seat("green-mining-prestige:0", objectives=("objective-trade-planets", "objective-culture"))
    return replace(table(players=3, ania=ania, ola=ola, jan=third), phase="end")


def as_position(state: TransState, **agreed: str) -> dict[str, Any]:
    """The same table as a file would tell it."""
    seats = []
    for who in state.seats:
        seats.append(
            {
                "name": who.name,
                "track_vp": who.vp,
                "objectives": list(who.objectives),
                "outposts": [
                    one.planet if one.slot is None else f"{one.planet}:{one.slot + 1}" for one in who.outposts
                ],
                "levels": {
                    track: getattr(who, track)
                    for track in ("technology", "military", "production", "politics", "trade")
                },
                "credits": who.credit,
                "resources": {"energy": who.energy, "mineral": who.mineral, "alien": who.alien},
                "technologies": list(who.technologies),
                "nightmare": who.ability == "technological-nightmare-tile",
            }
        )
    return {"game": "transgalactica", "seats": seats, **agreed}


AGREEMENTS = {variant.id: variant.values for variant in GAME.box.variants}
ABOUT_THE_END = ("or", "hoard", "two-types", "nightmare", "trade-planets", "offices", "condition")


@pytest.mark.parametrize(
    ("option", "value"), [(option, value) for option in ABOUT_THE_END for value in AGREEMENTS[option]]
)
def test_an_agreement_about_the_end_means_the_same_in_a_play_and_in_a_finished_table(
    option: str, value: str
) -> None:
    state = table_ends()
    played = sheet_of_state(replace(state, choices={**state.choices, option: value}))
    told = position.sheet(position.position_of(as_position(state, **{option: value})))
    assert [(line.what, line.points) for one in played.seats for line in one.lines] == [
        (line.what, line.points) for one in told.seats for line in one.lines
    ]


@pytest.mark.parametrize("option", ["nightmare", "trade-planets", "offices", "condition"])
def test_an_agreement_about_the_end_changes_points(option: str) -> None:
    """Otherwise the comparison above would prove nothing."""
    state = table_ends()
    played = (sheet_of_state(replace(state, choices={option: value})) for value in AGREEMENTS[option])
    assert len({tuple(one.total for one in sheet.seats) for sheet in played}) > 1


def test_finished_tables_know_the_agreements_of_plays() -> None:
    schema = position.schema()["$defs"]["Position"]["properties"]
    assert {option: schema[option]["enum"] for option in ABOUT_THE_END} == {
        option: list(AGREEMENTS[option]) for option in ABOUT_THE_END
    }


@pytest.mark.parametrize(
    ("option", "value", "before", "after"),
    [
        ("offices", "markers", 12 + 12 + 10, 10 + 12 + 8),
        ("condition", "thing", 12 + 12 + 10, 12 + 10),
    ],
)
def test_a_play_scores_with_what_was_agreed(option: str, value: str, before: int, after: int) -> None:
    """Rules 152, 199."""
    state = table_ends()

    def total(agreed: dict[str, str]) -> int:
        made = sheet_of_state(replace(state, choices={**state.choices, **agreed}))
        return next(one.total for one in made.seats if one.name == "Ania")

    assert (total({}), total({option: value})) == (before, after)


def test_the_usual_agreements_about_the_end_leave_no_trace() -> None:
    """So plays begun before they could be chosen stay the same."""
    setup = GAME.complete(Setup("transgalactica", ("Ania", "Ola")))
    assert {"trade-planets", "offices", "condition"} <= {*setup.choices}
    assert not {"trade-planets", "offices", "condition"} & {*GAME.begin(setup).choices}
    asked_for = replace(setup, choices={**setup.choices, "offices": "markers"})
    assert GAME.begin(asked_for).choices["offices"] == "markers"


# What one pays for


@pytest.mark.parametrize(
    ("language", "words"),
    [("en", "unlock the next trade space"), ("pl", "odblokuj kolejne pole na torze handlu")],
)
def test_the_question_says_what_is_paid_for(language: str, words: str) -> None:
    state = run(table(ania=seat("grey-wild", alien=1)), Income(0))
    text = render(asked(state).text, language)
    assert words in text
    assert "bez kosztu" not in text
    assert "free" not in text


# Words of the Polish edition


@pytest.mark.parametrize(
    "foreign", ["urząd", "urzęd", "dzicz", "krzesł", "energię (", "energie", "pole handlu"]
)
def test_polish_words_are_those_of_the_edition(foreign: str) -> None:
    """Offices are biura, wilds dzikie planety, the chair is a fotel (p. 14, 15, 25), and 2 energii are paid (p. 20)."""
    words = importlib.resources.files("companion.games.transgalactica") / "words" / "pl.po"
    sentences = [line for line in words.read_text("utf-8").splitlines() if line.startswith("msgstr")]
    assert [line for line in sentences if foreign in line.lower()] == []


@pytest.mark.parametrize(("players", "planets"), [(2, 15), (3, 15), (5, 8)])
def test_how_many_blank_pirates_are_mixed_is_said_in_good_polish(players: int, planets: int) -> None:
    state = table(players=players, round=0, phase="setup")
    tiles = [id for id in state.planets.values() if may_have_pirates(state, id)][:planets]
    state = replace(state, planets={str(n): id for n, id in enumerate(tiles)})
    question = asked(run(state, TellPirateAt()))
    assert question.tally == Picks(0, players + 1)
    (note,) = question.notes
    said = {
        (2, 15): "3 żetony piratów i 12 pustych",
        (3, 15): "4 żetony piratów i 11 pustych",
        (5, 8): "6 żetonów piratów i 2 puste",
    }
    assert said[players, planets] in render(note, "pl")
