"""The same table scored in three ways: as played, as replayed from its journal, and as a table played without
us. All give the same sheet, whatever was corrected before or after the end."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from companion.core.agenda import take
from companion.core.autoplay import any_answer, next_answer
from companion.core.binder import Binder
from companion.core.flow.file import flow_in
from companion.core.flow.game import shipped_flow
from companion.core.game import Game, Setup, games
from companion.core.journal import Journal
from companion.core.play import Play, read
from companion.core.questions import Answer
from companion.core.store import Store
from companion.errors import NotNow
from companion.games.transgalactica.sheet import OPTIONS
from companion.games.transgalactica.state import NIGHTMARE_TILE
from companion.results.sheets import positions
from scoring.sheet import Sheet
from tests import budgets
from tests.games.beyond.test_beyond_position import described as beyond
from tests.laws.light_follower import Followed, Follower, follow

NAMES = ("Ania", "Bartek", "Celina", "Darek", "Ewa", "Filip")
SEEDS = range(20) if budgets.campaign else range(2)
CORRECTIONS = 12
"""So many numbers are set right on the way, at any moment, and as many when it is over."""


def race(state: Any) -> dict[str, Any]:
    seats = [
        {"name": s.name, "tableau": s.tableau, "goods": s.goods, "chips": s.chips, "hand": s.hand}
        for s in state.seats
    ]
    return {"game": "race", "edition": state.edition, "seats": seats}


def frontiers(state: Any) -> dict[str, Any]:
    seats = []
    for n, seat in enumerate(state.seats):
        empire = (*(colony.tile for colony in seat.colonies), *seat.developments)
        worth = {tile: points for tile in empire if (points := state.counted(n, tile)) is not None}
        seats.append(
            {
                "name": seat.name,
                "empire": empire,
                "chips": seat.chips,
                "credits": seat.credits,
                "goods": tuple(f"{c.tile}:{c.good}" for c in seat.colonies if c.good is not None),
                "colonists": seat.colonists,
                "stored_worlds": len(seat.stored_worlds),
                "stored_goods": len(seat.stored_goods),
                "stored_credits": seat.stored_credits,
                "home_replaced": seat.home is None,
                "worth": worth,
            }
        )
    return {"game": "frontiers", "seats": seats, "goals": state.goals_up}


def eclipse(state: Any) -> dict[str, Any]:
    seats = []
    for n, seat in enumerate(state.seats):
        mine = [state.map[place] for place in state.controlled(n)]
        seats.append(
            {
                "name": seat.name,
                "species": seat.species,
                "sectors": tuple(sector.hex for sector in mine),
                "monoliths": tuple(sector.hex for sector in mine if sector.monolith),
                "reputation": seat.revealed,
                "technologies": seat.technologies,
                "ambassadors": len(seat.partners),
                "discoveries": seat.kept,
                "money": seat.stock.money,
                "science": seat.stock.science,
                "materials": seat.stock.materials,
            }
        )
    return {
        "game": "eclipse",
        "seats": seats,
        "traitor": "" if state.traitor is None else state.seats[state.traitor].name,
        "ancients": sum(sector.ancients for sector in state.map.values()),
        "rulings": "later" if state.later else "printed",
    }


def transgalactica(state: Any) -> dict[str, Any]:
    seats = [
        {
            "name": seat.name,
            "track_vp": seat.vp,
            "objectives": seat.objectives,
            "outposts": tuple(
                one.planet if one.slot is None else f"{one.planet}:{one.slot + 1}" for one in seat.outposts
            ),
            "levels": {
                track: seat.trade if track == "trade" else state.space(track, getattr(seat, track)).level
                for track in ("technology", "military", "production", "politics", "trade")
            },
            "credits": seat.credit,
            "resources": {"energy": seat.energy, "mineral": seat.mineral, "alien": seat.alien},
            "technologies": seat.technologies,
            "missions": seat.missions,
            "pirates": len(seat.pirates),
            "nightmare": seat.ability == NIGHTMARE_TILE,
        }
        for seat in state.seats
    ]
    agreed = {id: state.choices[id] for id in OPTIONS if id in state.choices}
    return {"game": "transgalactica", "seats": seats, **agreed}


DESCRIBED: dict[str, Callable[[Any], dict[str, Any]]] = {
    "race": race,
    "frontiers": frontiers,
    "eclipse": eclipse,
    "transgalactica": transgalactica,
    "beyond": beyond,
}


def corrected(play: Play, random: Random, at: float) -> int:
    """Set one number right, or try to: what the rules of the box exclude is refused, and nothing has happened."""
    counters = play.session.counters()
    if not counters:
        return 0
    counter, before = random.choice(counters), play.session
    value = random.choice((*counter.values, counter.low - 1, counter.high + 1, -(2**40), 2**40))
    try:
        play.correct(counter.id, value, at, "Ania")
    except NotNow:
        assert play.session is before
        return 0
    now = {c.id: c.value for c in play.session.counters()}
    assert now.get(counter.id, value) == value
    return 1


def counted(play: Play, store: Store) -> None:
    """The sheet is the same by whichever way the table is counted."""
    session = play.session
    rules, sheet = session.game, session.game.sheet(session.state)
    again = read(Journal(store).load(play.id)).session
    assert rules.sheet(again.state) == sheet
    assert again.last is not None
    assert again.last.sheet == (sheet if session.over else None)
    if any("untold" in line.measures for seat in sheet.seats for line in seat.lines):
        return  # it says itself that somebody has to tell what counts
    of = positions(rules, lambda _: session.state.taught)
    written = of.sheet(of.position_of(DESCRIBED[rules.id](session.state)))
    assert [(seat.name, seat.total) for seat in written.seats] == [
        (seat.name, seat.total) for seat in sheet.seats
    ]
    assert written.outcome == sheet.outcome


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("game", sorted(DESCRIBED))
def test_however_a_table_is_counted_it_has_the_same_sheet(tmp_path: Path, game: str, seed: int) -> None:
    rules: Game = games()[game]
    random, seats = Random(seed), rules.box.seats
    setup = Setup(game, NAMES[: seats[seed % len(seats)]])
    with Store(tmp_path / "journal.db") as store:
        play = Play.start(rules, setup, Journal(store), Binder(store), 0.0)
        bots = rules.bots(play.session.setup, random)
        bots.follow(play.session.state, play.session.news)
        while not play.session.over:
            play.answer(next_answer(play.session.state, bots, random), 1.0)
            bots.follow(play.session.state, play.session.news)
            if random.random() < 0.05 and corrected(play, random, 1.0):
                play.undo(1, 1.0)  # bots know no other table; after the end they need not
        counted(play, store)
        end = play.session
        for _ in range(CORRECTIONS):
            corrected(play, random, 2.0)
            while not play.session.over:  # what is printed on something that was only put there now
                play.answer(any_answer(play.session, random), 2.0)
        counted(play, store)
        if more := len(play.session.moments) - len(end.moments):
            play.undo(more, 3.0)
        assert play.session.moments == end.moments
        counted(play, store)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("game", sorted(DESCRIBED))
def test_a_light_play_ends_with_the_sheet_of_the_full_play(game: str, seed: int) -> None:
    flow = flow_in(shipped_flow(game) or "")
    setup = Setup(game, NAMES[: flow.seats[seed % len(flow.seats)]])
    *_, (follower, last) = follow(games()[game], setup, seed)
    if not same_sheet(follower, last):
        pytest.skip("somebody has to tell what counts")


def same_sheet(follower: Follower, last: Followed) -> bool:
    """At the end of a light play the table is told, and the full scorer counts it: the sheet is that of the full
    play. False if the bots left open what counts."""
    rules = follower.full
    sheet = rules.sheet(last.full)
    if any("untold" in line.measures for seat in sheet.seats for line in seat.lines):
        return False
    assert follower.over
    told = msgspec.json.encode(DESCRIBED[rules.id](last.full)).decode()
    light = replace(last.light, taught=last.full.taught)
    light = take(light, Answer(None, "flow.finished", told))
    assert not light.agenda
    counted = follower.light.sheet(light)
    assert counted.outcome == sheet.outcome
    assert [(seat.name, seat.total, seat.rank) for seat in counted.seats] == [
        (seat.name, seat.total, seat.rank) for seat in sheet.seats
    ]
    assert _lines(counted) == _lines(sheet)
    assert follower.light.decode(follower.light.encode(light)) == light
    return True


def _lines(sheet: Sheet) -> list[list[tuple[str, int]]]:
    return [[(line.what, line.points) for line in seat.lines] for seat in sheet.seats]


def test_every_game_is_here() -> None:
    assert sorted(DESCRIBED) == sorted(games())
