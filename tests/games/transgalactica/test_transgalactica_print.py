"""What is printed beside a component is asked on the same page; equal tokens are one; recorded plays still replay."""

from __future__ import annotations

import json
from typing import Any

import pytest
from msgspec.structs import replace

from companion.core.agenda import advance, retake, take
from companion.core.questions import Answer
from companion.errors import NotNow
from companion.games.transgalactica.component_types import token_ids
from companion.games.transgalactica.state import TransState
from companion.games.transgalactica.steps.board import LearnPlanets, TellPlanet
from companion.games.transgalactica.steps.income import Income
from companion.games.transgalactica.steps.missions import BeginMission, LayMission
from companion.games.transgalactica.steps.tokens import TakeRoundToken, TellToken
from companion.games.transgalactica.steps.tracks import AdvanceTrack
from companion.texts import render
from tests.games.transgalactica.made_up_box import VP, gain
from tests.games.transgalactica.tables import answer, asked, options, plain, run, seat, table

FACT = "core.fact"


def without(state: TransState, *begins: str) -> TransState:
    """The table in a box of which nobody told these facts."""
    return replace(state, taught={k: v for k, v in state.taught.items() if not k.startswith(begins)})


def space(last: bool = False, **more: Any) -> dict[str, Any]:
    return {"token": "none", "reward": [], "income": [], "last": last, **more}


def politics(state: TransState, at: int = 0) -> TransState:
    ania = replace(state.seats[0], politics=at)
    return run(
        without(state, "politics-").with_seat(0, ania), AdvanceTrack(0, "politics", 1, "card", plain("test"))
    )


def test_a_track_is_one_page_up_to_its_last_space() -> None:
    state = politics(table())
    assert render(asked(state).text, "en") == "Politics track: what is printed on its spaces, from the start?"
    told = {"politics-0": {"income": []}, "politics-1": space(), "politics-2": space(last=True)}
    state = answer(state, json.dumps(told))
    assert state.seats[0].politics == 1
    assert state.space("politics", 2).ends_row
    assert "politics-3.token" not in state.taught, "nobody said that there is a third space"
    state = run(replace(state, agenda=()), AdvanceTrack(0, "politics", 5, "card", plain("test")))
    assert (state.seats[0].politics, state.agenda) == (2, ()), "everything is known: nothing is asked again"


def test_the_space_that_is_entered_must_be_told() -> None:
    state = politics(table(), at=2)
    with pytest.raises(NotNow):
        take(
            state, Answer(0, FACT, json.dumps({"politics-0": {"income": []}, "politics-1": space(last=True)}))
        )


def test_what_counts_once_only_counts_for_the_whole_page() -> None:
    told = {"politics-0": {"income": []}, "politics-1": space(last=True)}
    state = answer(politics(table()), "once:" + json.dumps(told))
    assert set(state.once) == {f"politics-1.{field}" for field in space()} | {"politics-0.income"}


def test_a_replay_takes_the_answer_about_one_space_and_asks_for_the_rest_when_needed() -> None:
    state = retake(politics(table()), Answer(0, FACT, json.dumps(space())))
    assert (state.seats[0].politics, state.agenda) == (1, ())
    assert "politics-2.token" not in state.taught
    state = run(state, AdvanceTrack(0, "politics", 1, "card", plain("test")))
    assert "politics-2.token" in asked(state).facts


def test_crew_and_outpost_spaces_are_a_page_each() -> None:
    state = run(without(table(), "crew-space-", "captain-space-", "outpost-space-"), Income(0))
    spaces = {fact.partition(".")[0] for fact in asked(state).facts}
    assert spaces == {f"outpost-space-{n}" for n in (1, 2, 3, 4, 6, 7)}, "of the fifth we know it all"
    quiet = {"reward": [], "again": False}
    state = answer(state, json.dumps(dict.fromkeys(spaces, quiet)))
    spaces = {fact.partition(".")[0] for fact in asked(state).facts}
    assert spaces == {*(f"crew-space-{n}" for n in (1, 2, 3)), *(f"captain-space-{n}" for n in (1, 2, 3))}


def test_the_planets_of_a_map_are_one_page_after_the_last_was_laid() -> None:
    state = without(table(), "yellow-wild.", "grey-wild.")
    lying = {s: p for s, p in state.planets.items() if p not in ("grey-wild", "yellow-wild")}
    state = run(replace(state, planets=lying), TellPlanet(), LearnPlanets())
    state = answer(state, "yellow-wild", "grey-wild")
    assert {fact.partition(".")[0] for fact in asked(state).facts} == {"yellow-wild", "grey-wild"}
    wild = {"places": 2, "tunnel": True}
    state = answer(state, json.dumps({"yellow-wild": wild, "grey-wild": wild}))
    assert state.planet("grey-wild").tunnel is True


def test_numbers_of_missions_are_asked_only_if_they_decide_what_may_be_taken() -> None:
    """Rule 128; the places need the politics levels 0 to 5."""
    unknown = without(table(), "mission-1", "mission-2")
    low = run(unknown, BeginMission(0))
    assert {fact[:9] for fact in asked(low).facts} == {"mission-1", "mission-2"}
    high = run(unknown.with_seat(0, replace(unknown.seats[0], politics=9)), BeginMission(0))
    assert asked(high).slug == "transgalactica.take-mission"
    assert len(options(high)) == 6 + 1


def test_a_mission_that_is_laid_waits_but_a_replay_takes_its_number() -> None:
    state = table(display=("mission-1-01", "mission-1-02"))
    state = run(without(state, "mission-1-03"), LayMission(1))
    state = advance(retake(state, Answer(None, "transgalactica.lay-mission", "mission-1-03")))
    assert state.agenda == ()
    assert retake(state, Answer(None, FACT, "3")).mission("mission-1-03").number == 3
    with pytest.raises(NotNow):
        take(state, Answer(None, FACT, "3"))


def test_an_unknown_token_may_be_told_to_equal_a_known_one() -> None:
    first, second, *_ = token_ids("mining")
    state = without(table(ania=seat(mining=(first,))), "mining-")
    state = replace(state, taught={**state.taught, f"{first}.shows": [gain("energy", 2)]})
    state = run(state, TellToken(0, "mining", "start"))
    alike = f"{second}={first}"
    assert options(state)[-1] == alike
    option = asked(state).option(alike)
    assert option is not None
    assert render(option.text, "en") == "Another one that shows: gain 2 energy"
    assert render(option.text, "pl") == "Jeszcze jeden, który pokazuje: zyskaj 2 energii"
    after = answer(state, alike)
    assert after.taught[f"{second}.shows"] == [gain("energy", 2)]
    assert (after.seats[0].mining, after.seats[0].energy) == ((first, second), 2)
    assert after.agenda == (), "no page"


def test_a_face_known_to_lie_there_is_offered_as_that_token_only() -> None:
    state = run(without(table(), "basic-2.", "basic-3."), TakeRoundToken(0))
    assert not any("=" in option for option in options(state)), "all others show the same, and are left"


def test_a_token_that_equals_one_told_for_this_play_only_is_known_for_this_play_only() -> None:
    first, second, *_ = token_ids("mining")
    state = without(table(ania=seat(mining=(first,))), "mining-")
    state = replace(state, taught={**state.taught, f"{first}.shows": VP}, once=(f"{first}.shows",))
    state = answer(run(state, TellToken(0, "mining", "start")), f"{second}={first}")
    assert f"{second}.shows" in state.once
