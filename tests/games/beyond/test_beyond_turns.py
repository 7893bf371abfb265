"""Set-up, achievements, and the end (rules 15 to 37, 167 to 185)."""

from __future__ import annotations

import json

import pytest
from msgspec.structs import replace

from companion.core.agenda import advance, open_asks
from companion.core.autoplay import play
from companion.core.components import Facts
from companion.core.game import Setup
from companion.games.beyond import GAME
from companion.games.beyond.sheet import sheet_of_state
from companion.games.beyond.state import Base, BeyondState, Colony, Node, Ship
from companion.games.beyond.steps.achieve import AchievementPhase, fulfilled
from companion.games.beyond.steps.turn import BeginTurn, EndTurn
from tests.games.beyond.made_up_box import made_up_box
from tests.games.beyond.tables import NAMES, asked, details, offers, say, seat, table

FOUR = tuple(Colony(f"system-{n}") for n in range(10, 14))
HIGHEST = {"iiii-a": Node("parallel-universe-generator", (0,))}
HERE = (AchievementPhase(0),)


def achievements(state: BeyondState, **cards: tuple[int, ...]) -> BeyondState:
    return replace(state, achievements={**state.achievements, **cards})


def test_at_most_one_and_the_player_chooses() -> None:
    """Rules 167, 168: two are fulfilled, one is claimed, the other next turn."""
    state = table(seat(colonies=FOUR), seat(), tree=HIGHEST, agenda=HERE)
    assert offers(state) == {"transcendence", "empire"}
    state = say(state, "empire")
    assert state.claimed == 1
    assert state.agenda == ()
    state = advance(state.push(AchievementPhase(0)))
    assert offers(state) == {"transcendence"}, "it must be claimed now, and nothing else may (rules 172, 175)"


def test_what_is_not_fulfilled_creates_no_duty() -> None:
    assert table(seat(), seat(), agenda=HERE).agenda == ()


def test_a_card_without_a_free_slot_cannot_be_claimed() -> None:
    """Rules 170, 171: a slot for four players stays closed with fewer."""
    slots = {"empire.slots": [{"slot_points": 5}, {"slot_points": 3, "four": True}]}
    state = achievements(table(seat(colonies=FOUR), seat(), taught=slots), empire=(1,))
    assert advance(state.push(AchievementPhase(0))).agenda == ()
    four = achievements(table(seat(colonies=FOUR), seat(), seat(), seat(), taught=slots), empire=(1,))
    assert offers(advance(four.push(AchievementPhase(0)))) == {"empire"}


def test_claimed_stays_claimed_and_counts_by_its_slot() -> None:
    """Rules 169, 173, 196."""
    slots = {"empire.slots": [{"slot_points": 5}, {"slot_points": 3}]}
    state = achievements(table(seat(), seat(), taught=slots), empire=(1, 0))
    points = {s.name: {line.what: line.points for line in s.lines} for s in sheet_of_state(state).seats}
    assert points["Ania"]["achievements"] == 3
    assert points["Bartek"]["achievements"] == 5


def test_warlord_counts_sol_and_deep_space() -> None:
    """Rule 176, reading."""
    state = achievements(table(seat("sol:4", "deep-space:2", "deep-space:2", "a1:4"), seat()), warlord=())
    assert fulfilled(state, 0, "warlord")
    weaker = state.with_seat(0, state.seats[0].without_ship(Ship("deep-space", 2)))
    assert not fulfilled(weaker, 0, "warlord")


def test_technologist_wants_all_six_without_private_ones() -> None:
    """Rule 176."""
    taught = {"technologist.condition": {"does": "all-of-level", "tree_level": 2}}
    five = {f"ii-{c}": Node("", (0,)) for c in "abcde"}
    state = table(seat(population=0, private=("plasma-cannon",)), seat(), taught=taught, tree=five)
    assert not fulfilled(achievements(state, technologist=()), 0, "technologist")
    state = table(seat(population=0), seat(), taught=taught, tree={**five, "ii-f": Node("", (0,))})
    assert fulfilled(achievements(state, technologist=()), 0, "technologist")


def test_specialization_counts_printed_symbols() -> None:
    """Rule 177: shipyards too, not the discs."""
    taught = {"specialization.condition": {"does": "at-least", "counted": "symbols", "number": 4}}
    bases = {"b1": Base(0, "marker"), "yard-1": Base(0, "food")}
    state = achievements(table(seat(), seat(), taught=taught, bases=bases), specialization=())
    assert not fulfilled(state, 0, "specialization"), "Tau Ceti has two, the shipyard one"
    more = replace(state, bases={**bases, "a1": Base(0, "food")})
    assert fulfilled(more, 0, "specialization")


def judged_by_the_table() -> BeyondState:
    """Ania's turn, with an achievement nobody but the table can judge."""
    taught = {"flexibility.condition": {"does": "told-condition"}}
    state = achievements(table(seat(), seat(), taught=taught), flexibility=())
    return advance(state.push(BeginTurn(0)))


def test_what_only_the_table_can_tell_is_a_button_in_every_question_of_the_turn() -> None:
    """Rule 168: no question of its own, neither in the turn nor at its end."""
    state = judged_by_the_table()
    assert "claim:flexibility" in offers(state)
    state = say(state, "basic-2:recruit-ore:0")
    assert "claim:flexibility" in offers(state)
    assert "claim:flexibility" in offers(say(state, "trade"))
    state = say(state, "ore")
    assert (asked(state).slug, asked(state).seat) == ("beyond.action", 1), "nothing was asked in between"
    assert state.claimed == 0


def test_an_announced_claim_is_made_at_the_end_of_the_turn() -> None:
    """Rules 36, 167: not before production, and not in the next turn."""
    state = say(judged_by_the_table(), "claim:flexibility")
    assert (asked(state).slug, state.claimed) == ("beyond.action", 0)
    state = say(state, "basic-2:recruit-ore:0", "ore", "flexibility")
    assert state.achievements["flexibility"] == (0,)
    assert (asked(state).seat, state.announced) == (1, ())
    assert "claim:flexibility" in offers(state), "Bartek may, too"


def test_an_announced_claim_can_be_taken_back() -> None:
    state = say(judged_by_the_table(), "claim:flexibility", "basic-2:recruit-ore:0", "claim:flexibility")
    assert say(state, "ore").claimed == 0


def test_slots_nobody_told_are_asked_before_the_first_claim() -> None:
    """Rules 169, 170: a claim on a card that turns out to be full is none, and does not end the play."""
    taught = {key: value for key, value in table(seat(), seat()).taught.items() if key != "empire.slots"}
    state = achievements(table(seat(colonies=FOUR), seat(), seat()), empire=(1, 2), transcendence=())
    state = advance(replace(state, taught=taught).push(AchievementPhase(0)))
    assert asked(state).facts == ("empire.slots",)
    full = say(state, '[{"slot_points": 5}, {"slot_points": 3}, {"slot_points": 1, "four": true}]')
    assert full.agenda == ()
    assert (full.claimed, full.ending) == (2, 0)
    free = say(state, '[{"slot_points": 5}, {"slot_points": 3}, {"slot_points": 1}]')
    assert offers(free) == {"empire"}


@pytest.mark.parametrize(("seats", "free"), [(2, False), (3, False), (4, True)])
def test_a_slot_for_four_players_is_closed_with_three_and_two(seats: int, free: bool) -> None:
    """Rule 171."""
    slots = {"empire.slots": [{"slot_points": 5}, {"slot_points": 3, "four": True}]}
    others = [seat() for _ in range(seats - 1)]
    state = achievements(table(seat(colonies=FOUR), *others, taught=slots), empire=(1,))
    assert bool(advance(state.push(AchievementPhase(0))).agenda) == free


def test_a_claim_says_what_its_slot_is_worth_and_that_it_ends_the_play() -> None:
    """Rules 169, 181."""
    slots = {"empire.slots": [{"slot_points": 5}, {"slot_points": 3}]}
    state = achievements(table(seat(colonies=FOUR), seat(), taught=slots), empire=(1,))
    here = advance(state.push(AchievementPhase(0)))
    assert (details(here), details(here, "pl")) == ({"empire": "3 VP"}, {"empire": "3 PZ"})
    last = advance(achievements(state, warlord=(1,)).push(AchievementPhase(0)))
    assert details(last) == {"empire": "3 VP; triggers the end of the game"}


@pytest.mark.parametrize(("seats", "goal"), [(2, 3), (3, 3), (4, 4)])
def test_so_many_discs_trigger_the_end(seats: int, goal: int) -> None:
    """Rule 181: of whatever owners and cards."""
    others = [seat() for _ in range(seats - 1)]
    state = table(seat(colonies=FOUR), *others, round=7)
    state = achievements(state, warlord=tuple(range(1, 2)), technologist=tuple(range(goal - 2)))
    state = advance(state.push(AchievementPhase(0)))
    assert say(state, "empire").ending == 7


def turns_after(seats: int, trigger: int) -> list[tuple[int, int]]:
    """Round and seat of every turn after the end was triggered in round 14."""
    state = table(*(seat() for _ in range(seats)), round=14, active=trigger)
    state = advance(replace(state, ending=14).push(EndTurn(trigger)))
    found: list[tuple[int, int]] = []
    while open_asks(state) and asked(state).slug == "beyond.action" and len(found) < 20:
        found.append((state.round, state.active))
        following = tuple(step for step in state.agenda if isinstance(step, EndTurn))
        state = advance(replace(state, agenda=following))
    return found


def test_the_end_as_on_page_11() -> None:
    """Seat 3 of four triggers: seat 4 finishes the round, then everybody once more (rule 183)."""
    assert turns_after(4, 2) == [(14, 3), (15, 0), (15, 1), (15, 2), (15, 3)]


def test_the_last_player_triggers_and_the_final_round_starts() -> None:
    """Rule 184."""
    assert turns_after(4, 3) == [(15, 0), (15, 1), (15, 2), (15, 3)]
    assert turns_after(2, 0) == [(14, 1), (15, 0), (15, 1)]


def test_later_claims_do_not_change_the_end() -> None:
    """Rule 185."""
    state = achievements(table(seat(colonies=FOUR), seat(), round=9), warlord=(0, 1), technologist=(1,))
    state = replace(state, ending=8)
    assert say(advance(state.push(AchievementPhase(0))), "empire").ending == 8


def test_a_turn_has_three_phases_in_order() -> None:
    """Rule 36: action, production, achievement."""
    state = table(seat(colonies=FOUR), seat(), agenda=(BeginTurn(0),))
    assert asked(state).slug == "beyond.action"
    state = say(state, "basic-2:recruit-ore:0")
    assert asked(state).slug == "beyond.production"
    state = say(state, "ore")
    assert asked(state).slug == "beyond.claim"
    state = say(state, "empire")
    assert (asked(state).slug, asked(state).seat) == ("beyond.action", 1)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_everybody_starts_as_the_sheet_says(seats: int) -> None:
    """Rules 28 to 32: 2 population, a ship on Sol, 1/1/2/2 ore by the order of play, all discs on their tracks."""
    quiet: Facts = {f"{board}.extra_setup": [] for board in ("nishida", "nations", "socialists")}
    setup = Setup("beyond", NAMES[:seats], {}, {**made_up_box(), **quiet})
    for state, _ in play(GAME, setup, 3):
        if state.round:
            break
    for place, index in enumerate(state.clockwise(state.first)):
        who, extra = state.seats[index], state.seats[index].board == "tabernacle"
        assert who.ore == (1, 1, 2, 2)[place] + extra
        assert (who.population, sum(who.supply)) == (2, 17)
        assert who.ships == (Ship("deep-space" if extra else "sol", 1),)
        assert (state.left(index, "food"), state.left(index, "ore"), who.pawn) == (8, 8, "")
    assert len(state.systems) == 4
    assert [len(state.node(f"i-{n}").card) > 0 for n in range(1, 5)] == [True] * 4
    assert len(state.achievements) == 4


def test_counting_asks_for_what_is_printed_and_nobody_told() -> None:
    """Rules 190 to 196."""
    from companion.games.beyond.steps.end import EndPlay

    state = table(seat(colonies=(Colony("barnards-star"),), automation=("food",)), seat(), tree=HIGHEST)
    facts = ("parallel-universe-generator.points", "barnards-star.points", "basic-boards.automation")
    untold = {k: v for k, v in state.taught.items() if k not in facts}
    state = advance(replace(state, taught=untold).push(EndPlay()))
    assert set(asked(state).facts) == set(facts), "all of it on one page"
    levels = {"first": 1, **dict.fromkeys(("second", "third", "fourth", "fifth", "sixth", "seventh"), 0)}
    cards = {fact.partition(".")[0]: {"points": 7} for fact in facts[:2]}
    state = say(state, json.dumps({**cards, "basic-boards": {"automation": levels}}))
    assert not state.agenda
    lines = {line.what: line.points for line in sheet_of_state(state).seats[0].lines}
    assert (lines["level-4"], lines["systems"], lines["automation"]) == (7, 7, 1)


def test_a_question_mark_counted_before_the_end_is_not_asked_again() -> None:
    """Rules 190 to 196: the table counts it once; a correction may have told it before."""
    from companion.games.beyond.state import worth_key
    from companion.games.beyond.steps.end import EndPlay

    state = table(seat(colonies=(Colony("barnards-star"),)), seat())
    taught = {k: v for k, v in state.taught.items() if k != "barnards-star.formula"}
    state = replace(state, taught={**taught, "barnards-star.points": "?"})
    assert asked(advance(state.push(EndPlay()))).slug == "beyond.worth"
    counted = replace(state, worth={worth_key(0, "barnards-star"): 4})
    counted = advance(counted.push(EndPlay()))
    assert not open_asks(counted)
    assert {line.what: line.points for line in sheet_of_state(counted).seats[0].lines}["systems"] == 4
