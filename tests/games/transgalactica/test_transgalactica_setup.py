"""Set-up (rules 11-34): an untaught box, a draft, and what lies where at the beginning."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from companion.core.agenda import advance, open_asks, take
from companion.core.game import Setup
from companion.core.questions import Answer, Picks
from companion.games.transgalactica import GAME
from companion.games.transgalactica.component_types import LONGEST, MAIN_TRACKS, space_id
from companion.games.transgalactica.effects import Advance
from companion.games.transgalactica.setting import captains, pirates_mixed
from companion.games.transgalactica.steps.board import TellPirateAt, TellPlanet
from companion.games.transgalactica.steps.tokens import Receive
from tests.games.transgalactica.made_up_box import facts, gain
from tests.games.transgalactica.tables import NAMES, USUAL, asked, hold, run, seat, table

SLUG = "transgalactica."


def played(players: int, until: str, taught: dict[str, Any] | None = None, first: int = 0) -> Any:
    """A play with a taught box, answered with the first option of everything until a question comes up."""
    setup = GAME.complete(
        Setup("transgalactica", NAMES[:players], dict(USUAL), {**facts(), **(taught or {})})
    )
    state = GAME.start(setup)
    while state.agenda:
        question = asked(state)
        if question.slug == SLUG + until:
            return state
        option = str(first) if question.slug == SLUG + "first" else question.options[0].id
        state = take(state, Answer(question.seat, question.slug, option))
    return state


@pytest.mark.parametrize(
    ("players", "planets", "mixed"),
    [(2, 15, (3, 12)), (3, 12, (4, 8)), (4, 10, (5, 5)), (5, 15, (6, 9)), (5, 4, (4, 0))],
)
def test_pirates_and_blanks(players: int, planets: int, mixed: tuple[int, int]) -> None:
    assert pirates_mixed(players, planets) == mixed


@pytest.mark.parametrize(
    ("players", "agreed", "each"),
    [(2, "two", 3), (3, "two", 2), (3, "three", 3), (4, "two", 2), (5, "two", 2)],
)
def test_captains(players: int, agreed: str, each: int) -> None:
    assert captains(Setup("transgalactica", NAMES[:players], {"captains": agreed})) == each


def test_what_lies_out_at_the_beginning() -> None:
    state = played(4, "turn")
    assert len(state.technologies) == 9
    assert [len(state.missions_of(level)) for level in (1, 2)] == [3, 3]
    assert len(state.decrees) == 3
    assert len(state.planets) == 20
    assert len(state.pirates) == 5
    assert not any(state.planet(id).base for id in state.pirates)
    assert state.mining_stack == 12 - 4
    assert {state.planet(id).type for id in state.rewards} == {"action"}
    assert state.round == 1
    for who in state.seats:
        assert (who.planets, who.ships, len(who.mining)) == (("central",), ("centre",), 1)
        assert (who.crew + who.lieutenant >= 1, who.markers >= 2) == (True, True)


def test_the_draft_goes_backwards_then_forwards() -> None:
    state, seats = played(3, "draft", first=1), []
    while state.agenda and asked(state).slug == SLUG + "draft":
        question = asked(state)
        seats.append(question.seat)
        ids = [option.id for option in question.options]
        state = take(state, Answer(question.seat, question.slug, "wealth" if "wealth" in ids else ids[0]))
        while asked(state).slug == SLUG + "token":
            state = take(state, Answer(asked(state).seat, asked(state).slug, asked(state).options[0].id))
    assert seats == [0, 2, 1, 1, 2, 0]
    assert all(who.ability for who in state.seats)


def test_the_second_pick_is_the_kind_that_is_missing() -> None:
    state = played(2, "draft")
    question = asked(state)
    state = take(state, Answer(question.seat, question.slug, "relief-funds"))
    question = asked(state)
    state = take(state, Answer(question.seat, question.slug, "wealth"))
    while asked(state).slug == SLUG + "token":
        state = take(state, Answer(asked(state).seat, asked(state).slug, asked(state).options[0].id))
    assert "wealth" not in [option.id for option in asked(state).options]


def test_the_starting_token_pays_once_whatever_the_political_level() -> None:
    taught = {
        "control-panel.mining": [5, 5, 5],
        **{f"mining-{n}.shows": [gain("mineral")] for n in range(1, 14)},
    }
    state = played(2, "draft", taught)
    assert [hold(state, n) for n in (0, 1)] == [(0, 1, 0, 1)] * 2


def test_wealth_advances_are_free_but_the_gate_holds() -> None:
    shows = [
        {"does": "advance", "tracks": ["military"]},
        {"does": "advance", "tracks": ["trade"]},
        gain("alien"),
    ]
    state = run(table(taught={"wealth-1.shows": shows}), Receive(0, "wealth-1", "wealth"))
    assert (state.seats[0].military, state.seats[0].trade, hold(state)) == (1, 1, (0, 0, 1, 0))
    assert "wealth-1" in state.discarded
    gated = {"wealth-1.shows": shows, "military-1.gate": 3}
    state = run(table(taught=gated), Receive(0, "wealth-1", "wealth"))
    assert (state.seats[0].military, state.seats[0].trade) == (0, 1)
    assert Advance(("military",)).free is False


def test_a_box_nobody_taught_can_be_played_and_is_known_afterwards() -> None:
    """Everything is asked once: a second play with what was told asks nothing of it again. Not told is what lies
    behind the end of a track; a token may be told to equal another."""
    setup = GAME.complete(Setup("transgalactica", NAMES[:3], dict(USUAL)))

    def play(setup: Setup, seed: int) -> tuple[set[str], Any]:
        random = Random(seed)
        bots = GAME.bots(setup, random)
        state, told = GAME.start(setup), set[str]()
        while state.agenda:
            _, ask = random.choice(open_asks(state))
            question = ask.ask(state)
            told.update(question.facts)
            state = take(state, Answer(ask.seat, ask.slug, bots.choose(state, question)))
            bots.follow(state, state.news)
        return told, state

    told, state = play(setup, 3)
    assert told
    known = set(state.taught)
    ends = {t: next(n for n in range(LONGEST + 1) if state.space(t, n).ends_row) for t in MAIN_TRACKS}
    behind = {f"{space_id(t, at)}." for t, end in ends.items() for at in range(end + 1, LONGEST + 1)}
    assert all(any(fact.startswith(space) for space in behind) for fact in told - known)
    assert all(fact.endswith(".shows") for fact in known - told)
    again, _ = play(Setup("transgalactica", NAMES[:3], setup.choices, state.taught), 4)
    assert not known & again


def test_seven_outposts_cost_ten_minerals() -> None:
    from companion.games.transgalactica.component_types import OUTPOST_PRICE

    assert sum(OUTPOST_PRICE) == 10
    assert len(seat().outposts) == 1


def test_telling_the_map_counts_what_is_told() -> None:
    """Rules 15, 21: planets besides the centre, then one more place of pirates than players."""
    spaces = table().board.spaces
    state = advance(replace(table(), planets={"centre": "central"}).push(TellPlanet()))
    ((_, ask),) = open_asks(state)
    assert ask.ask(state).tally == Picks(0, len(spaces) - 1)
    assert ask.ask(state).default is None
    state = advance(replace(table(3), pirates={}).push(TellPirateAt()))
    ((_, ask),) = open_asks(state)
    assert ask.ask(state).tally == Picks(0, 4)


def test_a_planet_that_is_not_on_the_map_has_no_pirates_to_tell() -> None:
    state = advance(replace(table(3), pirates={}).push(TellPirateAt()))
    ((_, ask),) = open_asks(state)
    assert ask.why_not(state, "lieutenant").key == "transgalactica.why.not-on-map"
