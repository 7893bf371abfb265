"""A finished table counted on phones: each seat enters its own, and the screen has it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from companion.core.game import Game, games
from companion.results.score_only import Unplayed, scored_games
from companion.table.counting import Entered, TableCounted, holdings, own_numbers, with_entry
from companion.table.marks import marks_for
from companion.table.phone_counting import CountingPages
from companion.table.phone_drawings import Drawer, Pictures
from companion.wire import GUEST, MOST_BYTES, PhoneEntry
from tests.phones.wired import GUEST_PHONE, KRZYS, ZOSIA, WiredTable
from tests.table.desks import ListeningDesk

RACE = games()["race"]
NAMES = ("Ania", "Bartek")
PLAYED = Unplayed(RACE, NAMES)


def entered(played: Unplayed, *entries: tuple[str, str, int]) -> Unplayed:
    for entry in entries:
        played = with_entry(played, Entered(*entry))
    return played


# What is entered


def test_each_has_what_they_enter_and_can_give_it_back() -> None:
    played = entered(PLAYED, ("Ania", "old-earth", 1), ("Bartek", "new-sparta", 1), ("Ania", "gem-world", 1))
    assert (played.mine("Ania"), played.mine("Bartek")) == (("old-earth", "gem-world"), ("new-sparta",))
    assert entered(played, ("Ania", "old-earth", 0)).mine("Ania") == ("gem-world",)


def test_nobody_has_more_than_the_others_leave() -> None:
    played = entered(PLAYED, ("Ania", "old-earth", 1))
    assert entered(played, ("Bartek", "old-earth", 1)) is played
    assert entered(played, ("Ania", "old-earth", 2)) is played
    assert next(one for one in holdings(played, "Bartek") if one.component.id == "old-earth").most == 0


def test_numbers_are_ones_own_and_possible() -> None:
    mine, theirs = (own_numbers(PLAYED, name)[0] for name in NAMES)
    played = entered(PLAYED, ("Ania", mine.id, 7))
    assert next(one for one in played.outcome().asked if one.id == mine.id).value == 7
    assert entered(played, ("Ania", theirs.id, 7)) is played
    assert entered(played, ("Ania", mine.id, mine.high + 1)) is played


@pytest.mark.parametrize("entry", [("Celina", "old-earth", 1), ("Ania", "no-such-card", 1), ("Ania", "", 0)])
def test_what_is_not_at_this_table_changes_nothing(entry: tuple[str, str, int]) -> None:
    assert entered(PLAYED, entry) is PLAYED


def test_what_lies_in_the_middle_belongs_to_who_enters_it() -> None:
    played = Unplayed(games()["eclipse"], NAMES)
    hex_ = played.between[0]
    taken = entered(played, ("Ania", hex_, 1))
    assert taken.owned("Ania") == (hex_,)
    assert entered(taken, ("Bartek", hex_, 1)) is taken, "a phone takes nothing from others"
    assert entered(taken, ("Ania", hex_, 0)).owned("Ania") == ()


def shared_games() -> Iterator[Game]:
    for rules in scored_games():
        played = Unplayed(rules, NAMES)
        if any(played.shared(id) for id in played.between):
            yield rules


@pytest.mark.parametrize("rules", [*shared_games()], ids=lambda rules: rules.id)
def test_several_may_have_what_can_be_shared(rules: Game) -> None:
    played = Unplayed(rules, NAMES)
    id = next(id for id in played.between if played.shared(id))
    both = entered(played, ("Ania", id, 1), ("Bartek", id, 1))
    assert [both.owned(name) for name in NAMES] == [(id,), (id,)]


# What phones show


@pytest.mark.parametrize("rules", scored_games(), ids=lambda rules: rules.id)
def test_the_page_of_every_game_fits_into_a_message(rules: Game) -> None:
    names = tuple(f"Nebuchadnezzar the {n}th"[:24] for n in range(rules.box.seats[-1]))
    played = Unplayed(rules, names)
    pages = CountingPages(TableCounted(played), marks_for(names, ()), Drawer(rules, Pictures()))
    for audience in (GUEST, 0):
        assert len(pages.body(audience, "pl")) < MOST_BYTES - 1000


@pytest.fixture
def counting(tmp_path: Path) -> Iterator[WiredTable]:
    """No play, but a finished table is counted; Ania and Bartek have phones."""
    wired = WiredTable(tmp_path, ListeningDesk(tmp_path))
    wired.switch_on()
    wired.connect()
    show(wired, TableCounted(PLAYED))
    wired.sit(ZOSIA, 0)
    wired.sit(KRZYS, 1)
    yield wired
    wired.close()


def show(wired: WiredTable, counted: TableCounted) -> None:
    wired.table.desk.show_count(counted)
    wired.settle()


def test_an_entry_reaches_the_screen_as_that_seats(counting: WiredTable) -> None:
    taken: list[Entered] = []
    counting.table.desk.entered = taken.append
    ids = [one["id"] for one in counting.shown(0)["me"]["count"]["pieces"]]
    assert "old-earth" in ids
    version = counting.page(1).version
    assert counting.ask(PhoneEntry(0, KRZYS, version, "old-earth", 1)).accepted
    counting.settle()
    assert taken == [Entered("Bartek", "old-earth", 1)]


def test_guests_enter_nothing_and_nobody_does_after_the_sheet_was_shown(counting: WiredTable) -> None:
    taken: list[Entered] = []
    counting.table.desk.entered = taken.append
    counting.arrive(GUEST_PHONE)
    assert "me" not in counting.shown(GUEST)
    assert not counting.ask(PhoneEntry(0, GUEST_PHONE, "x", "old-earth", 1)).accepted
    assert "sheet" not in counting.shown(GUEST), "nobody is told the result before the table"
    played = entered(PLAYED, ("Ania", "old-earth", 1), ("Bartek", "new-sparta", 1))
    show(counting, TableCounted(played, shown=True))
    assert not counting.ask(PhoneEntry(0, ZOSIA, "x", "old-earth", 1)).accepted
    assert counting.shown(GUEST)["sheet"]["order"] == [0, 1]
    assert "count" not in counting.shown(0)["me"]
    assert taken == []


def test_people_keep_their_phones_while_others_come_to_the_table(counting: WiredTable) -> None:
    show(counting, TableCounted(Unplayed(RACE, ("Celina", "Ania"))))
    assert counting.bound(ZOSIA).audience == 1
    assert counting.bound(KRZYS).audience == GUEST
    show(counting, TableCounted())
    assert counting.shown(GUEST) == {"play": None}


def test_a_light_play_is_counted_on_its_own_page(wired: WiredTable) -> None:
    wired.sit(ZOSIA, 0)
    assert "count" not in wired.shown(0)["me"]
    show(wired, TableCounted(PLAYED))
    assert wired.shown(0)["me"]["count"]["numbers"]
    show(wired, TableCounted(Unplayed(RACE, ("Celina", "Ania"))))
    assert "count" not in wired.shown(0)["me"], "another table's people"


def test_pages_are_json(counting: WiredTable) -> None:
    body = msgspec.json.decode(counting.page(0, "en").body)
    assert body["play"]["game"] == "Race for the Galaxy"
    assert [seat["name"] for seat in body["seats"]] == ["Ania", "Bartek"]
