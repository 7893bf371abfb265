"""Figures over many evenings: each equals a slow second calculation, and small numbers are not averaged."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from companion.core.annotations import Deleted, Merged, Noted, TypedResult, TypedSeat
from companion.core.autoplay import next_answer
from companion.core.binder import Binder
from companion.core.game import Setup, games
from companion.core.journal import Journal
from companion.core.play import Play
from companion.core.repair import repair
from companion.core.sqlite_file import connect
from companion.core.store import Store
from companion.errors import StorageTrouble
from companion.results.evenings import (
    CORRECTED,
    FEW,
    LIGHT,
    OLDER,
    PARTED,
    STOPPED,
    TYPED,
    chosen,
    evenings,
    figures,
)
from companion.results.records import record_of
from companion.texts import render
from tests import budgets
from workshop.generated_evenings import SecondCalculation, differences, generate

PLAYS = 10_000 if budgets.campaign else 600
CHOICES = (("", "", 0), ("race", "", 3), ("eclipse", "Ewa", 0), ("", "Zosia", 2), ("beyond", "nobody", 0))


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with Store(tmp_path / "journal.db") as store:
        yield Journal(store)


def typed(
    journal: Journal, *points: int, game: str = "race", day: int = 0, names: str = "Ala Ola Ula"
) -> int:
    seats = tuple(TypedSeat(name, n) for name, n in zip(names.split(), points, strict=False))
    return -1 - journal.annotations.add(TypedResult(game, 1e9 + day * 86400, seats), 2e9)


def test_every_figure_equals_a_second_calculation_by_sql(tmp_path: Path) -> None:
    generate(tmp_path / "journal.db", PLAYS)
    with Store(tmp_path / "journal.db") as store:
        found = evenings(Journal(store))
    with closing(SecondCalculation(tmp_path / "journal.db")) as second:
        for game, person, seats in CHOICES:
            those = chosen(found, game, person, seats)
            second.choose(game, person, seats)
            made = figures(those)
            assert differences(made, second) == [], (game, person, seats)
            by_id = {one.id: one for one in those}
            if made.results:
                records = made.records
                margins = tuple(by_id[id].margin for id in (records.closest, records.clearest))
                assert margins == second.margins()
    assert {mark for one in found for mark in one.marks} == {STOPPED, LIGHT, CORRECTED, PARTED, OLDER, TYPED}


def test_a_played_evening_keeps_what_figures_need(journal: Journal) -> None:
    """Thinking time, length, rounds and openings are those of the replayed session."""
    random, at = Random(4), 1000.0
    play = Play.start(games()["race"], Setup("race", ("Ala", "Ola")), journal, Binder(journal._store), at)
    bots = games()["race"].bots(play.session.setup, random)
    while not play.session.over:
        bots.follow(play.session.state, play.session.state.news)
        at += 10
        if play.session.entries == 7:
            play.pause(at)
            play.unpause(at + 500)
            at += 500
        play.answer(next_answer(play.session.state, bots, random), at)
    (one,) = evenings(journal)
    assert [(s.name, s.points, s.rank) for s in one.seats] == list(
        play.session.game.sheet(play.session.state).outcome
    )
    assert one.seconds == at - 1000 - 500
    assert [seat.thought for seat in one.seats] == list(play.session.thought)
    assert all(seat.opening in play.session.catalogue for seat in one.seats)
    assert one.rounds == play.session.view.round > 3
    assert one.marks == frozenset()
    counter = next(c for c in play.session.counters() if c.id == "chips:0")
    play.correct(counter.id, counter.value + 1, at + 20)
    (one,) = evenings(journal)
    assert one.marks == {CORRECTED}


def test_few_plays_have_no_average_and_sizes_are_not_mixed(journal: Journal) -> None:
    for day in range(FEW - 1):
        typed(journal, 30, 20, day=day)
    (ala, _) = figures(evenings(journal)).people
    assert figures(evenings(journal)).average(ala) is None
    typed(journal, 20, 30, day=FEW)
    found = figures(evenings(journal))
    assert [(p.name, found.average(p)) for p in found.people] == [("Ala", 28.0), ("Ola", 22.0)]
    typed(journal, 20, 30, 40)
    found = figures(evenings(journal))
    assert not found.comparable
    assert {found.average(person) for person in found.people} == {None}
    assert figures(chosen(evenings(journal), seats=2)).comparable


def test_a_shared_win_and_a_run(journal: Journal) -> None:
    for day, points in enumerate([(1, 2), (3, 2), (2, 2), (5, 1), (0, 1)]):
        typed(journal, *points, day=day)
    found = figures(evenings(journal))
    ala, ola = found.people
    assert (ala.name, ala.wins, ala.won_alone, ala.run.longest, ala.run.current) == ("Ala", 3, 2, 3, 0)
    assert (ola.wins, ola.won_alone, ola.run.longest, ola.run.current) == (3, 2, 1, 1)
    assert found.pair("Ala", "Ola") == found.pairs["Ala", "Ola"]
    assert (found.pair("Ola", "Ala").ahead, found.pair("Ola", "Ala").level) == (2, 1)


def test_deleting_and_merging_can_be_taken_back(journal: Journal) -> None:
    one, notes = typed(journal, 9, 8, names="Zoska Ola"), journal.annotations
    typed(journal, 7, 8, names="Zosia Ola")
    notes.add(Merged("Zoska", "Zosia"), 1)
    assert {seat.name for e in evenings(journal) for seat in e.seats} == {"Zosia", "Ola"}
    notes.add(Merged("Zosia", "Zoska"), 2)  # the other way round: never a circle
    assert {seat.name for e in evenings(journal) for seat in e.seats} == {"Zoska", "Ola"}
    notes.add(Merged("Zosia", "Zosia"), 3)
    assert {seat.name for e in evenings(journal) for seat in e.seats} == {"Zosia", "Zoska", "Ola"}
    notes.add(Deleted(one), 4)
    assert [e.id for e in evenings(journal)] != [one]
    assert len(evenings(journal)) == 1
    notes.add(Deleted(one, gone=False), 5)
    assert len(evenings(journal)) == 2


def test_words_are_looked_for_in_names_places_and_notes(journal: Journal) -> None:
    one = typed(journal, 9, 8)
    typed(journal, 9, 8, game="eclipse", names="Żaneta Ewa")
    journal.annotations.add(Noted(one, "Świetny wieczór"), 1)
    found = evenings(journal)
    assert [e.id for e in chosen(found, words="ŚWIETNY ola")] == [one]
    assert [e.game for e in chosen(found, words="żan")] == ["eclipse"]
    assert chosen(found, words="ola żaneta") == ()


def test_reading_can_be_stopped(tmp_path: Path) -> None:
    generate(tmp_path / "journal.db", 1200)
    told: list[int] = []
    with Store(tmp_path / "journal.db") as store:
        evenings(Journal(store), lambda read: bool(told.append(read)) or len(told) < 2)
    assert len(told) == 2


def test_damaged_annotations_are_told_and_the_good_ones_kept(journal: Journal, tmp_path: Path) -> None:
    typed(journal, 9, 8)
    typed(journal, 7, 8)
    journal.let_go()
    with closing(connect(tmp_path / "journal.db", "mode=rw")) as db:
        db.execute(
            "UPDATE annotation SET body = CAST(replace(CAST(body AS TEXT), 'Ala', 'Aga') AS BLOB) WHERE seq = 1"
        )
    with pytest.raises(StorageTrouble) as trouble:
        evenings(journal)
    assert trouble.value.text.key == "storage.annotations-damaged"
    journal.let_go()
    assert [p.key for p in repair(tmp_path / "journal.db").problems] == ["storage.annotations-damaged"]
    assert len(evenings(journal)) == 1


def told(journal: Journal, id: int) -> str:
    found = record_of(id, evenings(journal))
    return "" if found is None else render(found, "en")


def test_a_record_is_told_only_if_it_is_one(journal: Journal) -> None:
    ids = [
        typed(journal, *points, day=day)
        for day, points in enumerate([(20, 30), (20, 31), (20, 32), (40, 25)])
    ]
    assert told(journal, ids[1]) == ""
    assert told(journal, ids[2]) == "Ola: 3 wins in a row"
    assert told(journal, ids[3]) == "Ala: first win in 4 plays"  # the most points, but of few plays
    ids += [typed(journal, 20, 25, day=5), typed(journal, 41, 20, day=6), typed(journal, 22, 21, day=7)]
    assert told(journal, ids[5]) == "Most points ever with 2 players: 41"
    assert told(journal, ids[6]) == "The closest result in 6 plays"
    assert told(journal, typed(journal, 3, 50, 2, day=8)) == ""  # never so many at a table of three
    assert told(journal, typed(journal, 30, 30, day=9)) == ""  # nobody alone


def test_a_solo_play_is_no_victory(journal: Journal) -> None:
    typed(journal, 30, 20, names="Ala Ola", day=1)
    typed(journal, 50, names="Ala", day=2)
    typed(journal, 20, 30, names="Ala Ola", day=3)
    ala = figures(evenings(journal)).people[0]
    assert (ala.plays, ala.wins, ala.best, ala.run.longest, ala.run.current) == (3, 1, (50, -2), 1, 0)


def test_somebody_at_two_places_of_one_table_played_once(journal: Journal) -> None:
    """Two spellings sat at one table before they were put together: the better seat counts."""
    typed(journal, 10, 30, 20, names="Zosia Ola Zofia")
    journal.annotations.add(Merged("Zofia", "Zosia"), 2e9)
    found = figures(evenings(journal))
    zosia = next(person for person in found.people if person.name == "Zosia")
    assert (zosia.plays, zosia.counted, zosia.points) == (1, 1, 20)
    assert found.pair("Ola", "Zosia").plays == 1
    assert found.sizes == {3: 1}
