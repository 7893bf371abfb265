"""What the owner teaches about a box is in force in every play that begins afterwards."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from companion.core.autoplay import play
from companion.core.binder import Binder
from companion.core.game import Setup
from companion.core.journal import Journal
from companion.core.play import Play
from companion.core.store import Store
from companion.games.race import GAME
from companion.games.race.steps.place import BeginPlacing
from tests.games.race.race_tables import answer, at, number, passing, seat, table, told


def test_a_taught_cost_is_what_is_paid() -> None:
    before = replace(
        table(seat("old-earth", hand=9), seat("new-sparta", hand=1)), taught={"public-works.cost": 4}
    )
    state = passing(answer(at(before, BeginPlacing("develop")), 0, "public-works"))
    (text,) = told(state, "race.pay", 0)
    assert number(text) == 4


def test_taught_points_are_counted() -> None:
    before = table(seat("old-earth"), seat("new-sparta"))
    points = GAME.sheet(before).seats[0].total
    assert GAME.sheet(replace(before, taught={"old-earth.points": 7})).seats[0].total == points + 5


def test_a_play_uses_what_was_taught_before_it_and_replays_so_ever_after(tmp_path: Path) -> None:
    with Store(tmp_path / "journal.db") as store:
        journal, binder = Journal(store), Binder(store)
        earlier = Play.start(GAME, Setup("race", ("Ania", "Ola")), journal, binder, 1.0)
        binder.teach("race", "gem-world", "cost", 5, 2.0)
        later = Play.start(GAME, Setup("race", ("Ania", "Ola")), journal, binder, 3.0)
        binder.forget("race", "gem-world", "cost", 4.0)
        again = Play.resume(later.id, journal, binder)
    assert earlier.session.state.deck["gem-world"].cost == 2
    assert later.session.state.deck["gem-world"].cost == 5
    assert again.session.state.deck["gem-world"].cost == 5
    assert again.session.catalogue.fact("gem-world", "cost").said_by.value == "owner"


def test_a_whole_play_with_taught_facts_adds_up() -> None:
    facts: dict[str, int | str] = {"gem-world.cost": 5, "new-sparta.defense": 1, "spice-world.good": "genes"}
    setup = Setup("race", ("Ania", "Ola"), facts=facts)
    for table_now, _ in play(GAME, setup, 5):
        assert GAME.check(table_now) == ()
    assert not table_now.agenda


@pytest.mark.parametrize("later", [None, 6])
def test_going_on_with_an_older_play_does_not_bring_an_old_word_back(
    tmp_path: Path, later: int | None
) -> None:
    with Store(tmp_path / "journal.db") as store:
        journal, binder = Journal(store), Binder(store)
        binder.teach("race", "gem-world", "cost", 5, 1.0)
        id = Play.start(GAME, Setup("race", ("Ania", "Ola")), journal, binder, 2.0).id
        if later is None:
            binder.forget("race", "gem-world", "cost", 3.0)
        else:
            binder.teach("race", "gem-world", "cost", later, 3.0)
        Play.resume(id, journal, binder).reopen(4.0)
        assert binder.facts("race").get("gem-world.cost") == later
