"""Turns, passing and reactions (pp. 8, 14); upkeep, bankruptcy and clean-up (p. 24); the end (p. 25)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from companion.core.agenda import open_asks, take
from companion.core.hexes import middle
from companion.core.questions import Answer
from companion.games.eclipse.component_types import Stock, sectors
from companion.games.eclipse.state import EclipseState
from companion.games.eclipse.steps.claim import after_upkeep
from companion.games.eclipse.steps.cleanup import CleanUp
from companion.games.eclipse.steps.round import BeginRound, EndRound, Turn, open_actions, why_no_action
from companion.games.eclipse.steps.upkeep import BeginUpkeep, GiveUp, MeetNeighbours, Upkeep
from companion.games.eclipse.view import sheet, view
from companion.texts import render
from tests.games.eclipse.eclipse_tables import (
    TERRANS,
    answer,
    asked,
    at,
    free,
    options,
    rich,
    seat,
    sector,
    table,
    told,
)


def turn(state: EclipseState | None = None, who: int = 0) -> EclipseState:
    return at(state or table(*TERRANS[:3]), Turn(who))


def test_only_actions_that_can_do_something_are_offered() -> None:
    state = turn()
    assert options(state) == ["explore", "influence", "upgrade", "build", "pass"]
    state = turn(replace(sector(table(*TERRANS[:3]), "0,-3", "sector-312"), offered={"tech-nanorobots": 1}))
    assert options(state) == ["explore", "influence", "research", "upgrade", "build", "move", "pass"]


def test_an_action_takes_a_disc_and_without_discs_one_passes() -> None:
    state = answer(turn(), "upgrade")
    assert state.seats[0].acted == {"upgrade": 1}
    assert state.discs_on_track(0) == 11
    state = turn(seat(table(*TERRANS[:3]), 0, acted={"build": 12}))
    assert options(state) == ["pass"]


def test_each_species_has_its_own_numbers() -> None:
    state = seat(table("mechanema", "planta"), 0, technologies=("tech-nanorobots",))
    assert asked(answer(turn(state), "upgrade")).left == 3  # type: ignore[attr-defined]
    assert asked(answer(turn(state), "build")).left == 4  # type: ignore[attr-defined]
    assert asked(answer(turn(state, 1), "explore")).left == 2  # type: ignore[attr-defined]
    moving = sector(state, "0,-3", "sector-312", ships=((0, {"interceptor": 1}),))
    assert asked(answer(turn(moving), "move")).left == 2  # type: ignore[attr-defined]


def test_the_first_to_pass_begins_the_next_round() -> None:
    state = answer(turn(), "influence", "done")
    assert asked(state).seat == 1
    state = answer(state, "pass")
    assert state.passed_first == 1
    state = answer(state, "pass")
    assert state.passed_first == 1
    assert asked(at(replace(state, agenda=()), BeginRound())).seat == 1


def test_a_seat_that_passed_may_only_react_and_once() -> None:
    """p. 17: Krzysztof reacts with one move; Nanorobots do not help (p. 14)."""
    state = seat(
        rich(table(*TERRANS[:3]), 0), 0, passed=True, technologies=("tech-nanorobots", "tech-starbase")
    )
    state = turn(replace(state, passed_first=0))
    assert options(state) == ["pass", "upgrade", "build"]
    state = answer(state, "build")
    assert asked(state).left == 1  # type: ignore[attr-defined]
    state = answer(state, "cruiser")
    assert state.seats[0].acted == {"react-build": 1}
    assert state.seats[0].passed
    assert asked(state).seat == 1


def test_when_the_last_one_passes_no_more_reactions_are_made() -> None:
    state = answer(turn(), "pass", "pass")
    assert asked(state).seat == 2
    state = answer(state, "pass")
    assert state.phase in ("upkeep", "cleanup")


def test_a_seat_that_passed_and_can_do_nothing_is_not_asked() -> None:
    state = seat(table(*TERRANS[:3]), 1, passed=True, acted={"explore": 12})
    state = answer(turn(replace(state, passed_first=1)), "influence", "done")
    assert asked(state).seat == 2


def test_a_seat_that_passed_may_still_send_an_ambassador() -> None:
    """p. 11: at any moment of the own turn, also when no disc is left for a reaction."""
    state = sector(table(*TERRANS[:4]), "3,-2", "sector-315", owner=0)  # from the first home to the second
    state = sector(state, "3,-1", "sector-308", 1, owner=1)
    state = seat(state, 1, passed=True, acted={"explore": 11}, colonised=3)
    state = answer(turn(replace(state, passed_first=1)), "influence", "done", "end")
    assert asked(state).seat == 1
    assert options(state) == ["pass"]
    assert free(state, "ally:") == ["ally:0"]


def test_the_tracks_of_page_6() -> None:
    """The leftmost square without a cube is what is produced, the leftmost empty circle what discs cost."""
    state = seat(table(*TERRANS[:3]), 0, tracks=Stock(5, 2, 4), acted={"explore": 3})
    assert [state.income(0, kind) for kind in ("money", "science", "materials")] == [12, 21, 15]
    assert state.upkeep(0) == 2


def test_the_turn_ends_at_once_unless_colony_ships_can_be_sent() -> None:
    state = answer(turn(), "influence", "done")
    assert asked(state).slug == "eclipse.turn"
    rich_sector = sector(table(*TERRANS[:3]), "0,-3", "sector-306", owner=0)
    state = answer(turn(rich_sector), "influence", "done")
    assert asked(state).slug == "eclipse.finish"
    assert asked(answer(state, "colony:0,-3:0:money", "end")).seat == 1


def test_every_action_tells_what_it_would_cost() -> None:
    state = seat(table(*TERRANS[:3]), 0, acted={"explore": 7}, stock=Stock(2, 0, 0))
    ask = asked(turn(state)).ask(turn(state))
    detail = ask.options[0].detail
    assert detail is not None
    # Nine empty circles would cost 13; income 3 and 2 in store leave 8 too few.
    assert (detail.key, detail.args["n"]) == ("eclipse.short-by", 8)


# Upkeep


def blue(money: int = 0) -> EclipseState:
    """The example of p. 24: income 4, upkeep 5, science 6, materials 3."""
    state = table(*TERRANS[:3])
    for place, id in (("0,-3", "sector-315"), ("1,-3", "sector-316"), ("0,-1", "sector-106")):
        state = sector(state, place, id, owner=0)
    state = seat(state, 0, tracks=Stock(9, 8, 10), acted={"explore": 2}, stock=Stock(money, 0, 0))
    assert (state.income(0, "money"), state.upkeep(0)) == (4, 5)
    return state


def test_the_difference_is_paid_from_the_store() -> None:
    assert at(blue(money=1), Upkeep(0)).seats[0].stock == Stock(0, 6, 3)


def test_a_disc_returned_makes_upkeep_cheaper() -> None:
    state = at(blue(), Upkeep(0))
    assert isinstance(asked(state), GiveUp)
    state = answer(state, "0,-3")
    assert state.seats[0].stock == Stock(1, 6, 3)
    assert state.map["0,-3"].owner is None


def test_trading_for_money_instead() -> None:
    state = seat(blue(), 0, stock=Stock(0, 2, 1))
    state = at(state, Upkeep(0))
    assert options(state, *state.map) == []
    state = answer(state, "trade:science:money")
    assert state.seats[0].stock == Stock(0, 6, 4)
    assert len(state.controlled(0)) == 4


def test_giving_up_a_sector_with_money_cubes_lowers_the_income() -> None:
    state = seat(table(*TERRANS[:3]), 0, stock=Stock(0, 0, 0), acted={"explore": 6})
    state = sector(state, "0,-3", "sector-306", owner=0, cubes=2)
    assert state.balance(0) == 4 - 10 + 0 + (10 - state.upkeep(0))
    before = state.income(0, "money")
    state = answer(at(state, Upkeep(0)), "0,-3")
    assert state.income(0, "money") < before


def test_chaos_when_nothing_is_left_to_give_up() -> None:
    state = table(*TERRANS[:3])
    state = state.with_sector("0,-2", replace(state.map["0,-2"], owner=None, cubes=(False,) * 5))
    state = seat(state, 0, acted={"explore": 13}, stock=Stock(0, 1, 1), tracks=Stock(11, 11, 11))
    state = at(state, Upkeep(0))
    assert state.seats[0].out
    assert state.map["0,-2"].ships(0) == 0
    assert told(state, "eclipse.collapses")
    assert asked(at(replace(state, passed_first=0, agenda=()), BeginRound())).seat == 1


def test_production_stops_at_forty() -> None:
    assert at(seat(table(*TERRANS[:3]), 0, stock=Stock(40, 39, 12)), Upkeep(0)).seats[0].stock == Stock(
        40, 40, 15
    )


def test_an_eliminated_player_still_produces_two_of_each_and_researches() -> None:
    """p. 21."""
    state = table(*TERRANS[:3])
    state = state.with_sector("0,-2", replace(state.map["0,-2"], owner=None, cubes=(False,) * 5, fleets=()))
    state = seat(state, 0, tracks=Stock(11, 11, 11), stock=Stock(0, 5, 0))
    state = replace(state, offered={"tech-nanorobots": 1})
    assert "research" in options(turn(state))
    assert not {"explore", "build", "move"} & set(options(turn(state)))
    assert at(state, Upkeep(0)).seats[0].stock == Stock(2, 7, 2)


def test_cleaning_up() -> None:
    state = seat(
        table(*TERRANS[:3]),
        0,
        acted={"build": 2},
        passed=True,
        colonised=2,
        graveyard=Stock(0, 1, 0),
        tracks=Stock(10, 9, 10),
    )
    state = at(state, CleanUp())
    who = state.seats[0]
    assert (who.acted, who.passed, who.colonised, who.graveyard, who.tracks) == (
        {},
        False,
        0,
        Stock(),
        Stock(10, 10, 10),
    )
    for left in range(6, 0, -1):
        assert asked(state).left == left  # type: ignore[attr-defined]
        state = answer(state, options(state)[0])
    assert not state.agenda


def test_a_destroyed_cube_whose_track_is_full_goes_to_another() -> None:
    state = seat(table(*TERRANS[:3]), 0, graveyard=Stock(1, 0, 0), tracks=Stock(11, 10, 9))
    state = at(state, CleanUp())
    assert options(state) == ["science", "materials"]
    assert answer(state, "materials").seats[0].tracks == Stock(11, 10, 10)


def test_ambassadors_may_be_sent_when_combat_is_over() -> None:
    """p. 11."""
    state = sector(table(*TERRANS[:4]), "2,-3", "sector-312", owner=0)
    state = sector(state, "2,-4", "sector-304", owner=1)
    state = answer(at(state, BeginUpkeep()), "ally:1", "no")
    assert asked(state).seat == 1  # seat 0 has nobody else to ask; now it is the other one's turn
    state = answer(state, "ally:0", "yes", "money", "money")
    assert state.seats[0].partners == (1,)
    assert not any(isinstance(ask, MeetNeighbours) for _, ask in open_asks(state))


def test_colony_ships_before_upkeep() -> None:
    """p. 24."""
    state = sector(table(*TERRANS[:2]), "0,-3", "sector-306", owner=0)
    state = answer(at(state, BeginUpkeep()), "colony:0,-3:0:money")
    state = answer(state, "end")
    assert state.seats[0].stock.money == 2 + 4 - 0


def test_a_seat_that_overreached_is_told() -> None:
    state = seat(table(*TERRANS[:2]), 1, acted={"explore": 9}, stock=Stock(0, 0, 0))
    alert = next(text for text in view(state).alerts if text.key == "eclipse.alert.bankrupt")
    assert render(alert, "pl") == "Nie starczy na utrzymanie: Bartek (brakuje 14)"


# The end


def test_after_nine_rounds_reputation_is_told() -> None:
    state = replace(seat(seat(table(*TERRANS[:3]), 0, reputation=2), 2, reputation=1), round=9)
    state = at(state, EndRound())
    assert {ask.seat for _, ask in open_asks(state)} == {0, 2}
    for who, tile in ((0, "reputation-4"), (2, "reputation-1"), (0, "reputation-3")):
        state = take(state, Answer(who, "eclipse.reputation", tile))
    assert not state.agenda
    assert [seat.total for seat in sheet(state).seats] == [7 + 3, 3, 1 + 3]
    assert view(state).over


def test_every_source_of_points() -> None:
    """p. 25."""
    state = sector(table("planta", *TERRANS[:1], *TERRANS[3:5]), "2,-3", "sector-312", owner=0, monolith=True)
    nano = tuple(
        f"tech-{id}" for id in ("nanorobots", "fusion-drive", "advanced-robotics", "orbital", "advanced-labs")
    )
    state = seat(
        state, 0, kept=2, partners=(1,), technologies=("tech-starbase", *nano), revealed=(4, 2), reputation=2
    )
    state = replace(state, traitor=0)
    lines = {line.what: line.points for line in sheet(state).seats[0].lines}
    assert lines == {
        "reputation": 6,
        "ambassadors": 1,
        "sectors": sectors()["sector-226"].points + 1,
        "discoveries": 4,
        "monoliths": 3,
        "technologies-military": 0,
        "technologies-grid": 0,
        "technologies-nano": 2,
        "traitor": -2,
        "bonus-sectors": 2,
    }


def test_draco_counts_the_ancients_that_are_left() -> None:
    state = sector(table("descendants-of-draco", "planta"), "0,-3", "sector-301", ancients=2)
    assert sheet(state).seats[0].lines[-1].points == 2


def test_resources_in_store_break_ties() -> None:
    state = seat(table(*TERRANS[:3]), 1, stock=Stock(9, 9, 9))
    result = sheet(state)
    assert result.winners == ("Bartek",)
    assert [seat.rank for seat in result.seats] == [2, 1, 2]
    assert result.tied == ("Ania", "Bartek", "Celina")


def test_the_map_shows_what_lies_where() -> None:
    state = sector(table(*TERRANS[:2]), "0,-3", "sector-312", 1, ancients=1, discovery=True)
    shown = {hex.id: hex for hex in view(state).maps[0].places}
    assert shown["0,-2"].seat == 0
    found = shown["0,-3"]
    assert (found.x, found.y) == middle(0, -3)
    open_sides = [direction for direction, is_open in enumerate(found.edges) if is_open]
    assert (found.component, open_sides, found.seat) == ("sector-312", [1, 2, 4], None)
    assert [render(note, "en") for note in found.notes] == [
        "1 Ancient",
        "discovery",
        "free squares: materials",
        "1 point",
        "wormholes to unexplored places at: 2 o'clock, 4 o'clock, 8 o'clock",
    ]
    assert [(spot.sign.symbol, spot.taken, spot.starred) for spot in found.spots] == [
        ("materials", False, False)
    ]
    assert [(sign.symbol, sign.value) for sign in found.corners] == [("points", "1")]
    assert [note.key for note in shown["0,0"].notes][:2] == ["eclipse.badge.gcds", "eclipse.badge.discovery"]
    assert [token.sign.symbol for token in found.tokens] == ["ancient", "discovery"]


def test_a_sector_given_up_says_what_would_be_left() -> None:
    """Bankruptcy (p. 24): a disc less to pay for, and the money its cubes bring no more; then it is so."""
    state = seat(table(*TERRANS[:3]), 0, stock=Stock(0, 0, 0), acted={"explore": 6})
    state = at(sector(state, "0,-3", "sector-306", owner=0, cubes=2), Upkeep(0))
    question = asked(state).ask(state)
    assert question.text.args["n"] == -state.balance(0) > 0
    for place in ("0,-3", "0,-2"):
        option = next(option for option in question.options if option.id == place)
        after = answer(state, place)
        told_upkeep, income = after.upkeep(0), after.income(0, "money")
        assert option.detail is not None
        assert {name: option.detail.args[name] for name in ("upkeep", "income")} == {
            "upkeep": told_upkeep,
            "income": income,
        }
        short = income - told_upkeep
        assert option.detail.args["n"] == abs(short)
        assert option.detail.key == f"eclipse.without-{'enough' if short >= 0 else 'short'}"
        assert option.signs[-1].value.lstrip("+").replace("\N{MINUS SIGN}", "-") == str(short)


def test_the_last_disc_may_still_be_put_on_an_action() -> None:
    """p. 8: only with none left there is no action."""
    for discs in (0, 1):
        state = table(*TERRANS[:3])
        state = seat(state, 0, acted={"explore": state.discs_on_track(0) - discs})
        reasons = {text.key for text in why_no_action(state, 0, ["influence"])}
        assert ("eclipse.cannot.no-disc" in reasons) is (discs == 0)
        assert ("influence" in open_actions(state, 0)) is (discs == 1)


@pytest.mark.parametrize(
    ("money", "key"), [(0, "would-go-bankrupt"), (1, "would-be-left"), (2, "would-be-left")]
)
def test_nothing_left_after_upkeep_is_no_bankruptcy(money: int, key: str) -> None:
    """The example of p. 24: with 1 money in store income and upkeep come out even."""
    assert after_upkeep(blue(money), 0, 0).key == f"eclipse.{key}"


def test_income_as_usual_catches_nobodys_eye() -> None:
    state = at(table(*TERRANS[:2]), Upkeep(0))
    assert [news.usual for news in state.news if news.seat == 0] == [True]
