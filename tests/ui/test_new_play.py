"""A whole set-up by touch alone."""

from random import Random

import pytest
from msgspec.structs import replace

from companion.cli import main
from companion.commands import play
from companion.core.game import Setup, games
from companion.table.marks import MARKS
from companion.table.settings import Person, load
from companion.ui.screens.new.depth import depths_of
from companion.ui.toolkit.draw import Badge
from companion.ui.toolkit.geometry import walk
from workshop.screens.checks import problems

KNOWN = (Person("Ania", 3), Person("Bartek", 1), Person("Celina", 3), Person("Daniel", 5), Person("Ewa", 0))


@pytest.fixture
def new(rehearsal):
    """The first step, at a table where people are known."""
    rehearsal.change(people=KNOWN)
    rehearsal.tap("new-race")
    return rehearsal


def seat(rehearsal, *names):
    for name in names:
        rehearsal.tap(f"person-{name}")


def seated(rehearsal):
    return [person.name for person in rehearsal.app.screen.people]


def told(rehearsal, part):
    return any(part in words for words in rehearsal.words())


def test_a_set_up_by_touches_leads_to_a_running_play(rehearsal):
    rehearsal.tap("new-race")
    for name in ("ania", "bartek"):
        rehearsal.tap("somebody")
        for letter in name:
            rehearsal.tap(f"key-{letter}")
        rehearsal.tap("key-done")
    rehearsal.tap("next")
    rehearsal.tap("next")
    rehearsal.tap("edition-second")
    rehearsal.tap("actions-advanced")
    rehearsal.tap("next")
    rehearsal.tap("tick-0")
    rehearsal.tap("tick-1")
    assert told(rehearsal, "2 of 5")
    rehearsal.tap("start")

    assert rehearsal.app.screen.name == "table"
    choices = {"edition": "second", "opening": "normal", "actions": "advanced"}
    session = rehearsal.app.desk.session
    assert replace(session.setup, facts={}) == Setup("race", ("Ania", "Bartek"), choices)
    assert session.questions()
    rehearsal.app.home()
    rehearsal.app.desk.leave()
    rehearsal.settle()
    assert [row.title for row in rehearsal.app.desk.plays] == ["Ania, Bartek"]


def test_the_checklist_has_the_numbers_of_this_table(new):
    seat(new, "Ania", "Bartek", "Celina")
    new.tap("next")
    new.tap("next")
    new.tap("opening-first-game")
    new.tap("next")
    rules = games()["race"]
    setup = Setup("race", ("Ania", "Bartek", "Celina"), {"opening": "first-game"})
    for text in rules.checklist(rules.complete(setup)):
        assert new.app.desk.words(text) in new.words()
    assert told(new, "36")
    new.tap("tick-2")
    assert told(new, "1 of 5")
    new.tap("tick-2")
    assert told(new, "0 of 5")


def test_people_and_their_marks_are_remembered(new):
    seat(new, "Ania", "Celina")  # both like the same mark; who came first has it
    assert [person.look for person in new.app.screen.people] == [3, 0]
    new.tap("seat-1")
    new.tap("look-4")
    new.tap("next")
    new.tap("next")
    new.tap("next")
    new.tap("start")
    people = load(new.app.folder / "settings.json").people
    assert people[:2] == (Person("Ania", 3), Person("Celina", 4))
    assert {person.name for person in people} == {person.name for person in KNOWN}
    assert [mark.shape for mark in new.app.desk.marks()] == [MARKS[3].shape, MARKS[4].shape]


def test_a_mark_somebody_has_is_swapped(new):
    seat(new, "Ania", "Bartek")
    new.tap("seat-0")
    new.tap("look-1")
    assert [person.look for person in new.app.screen.people] == [1, 3]
    badges = {
        badge.mark.letter: badge.mark.shape
        for badge in walk(new.taps()["seat-1"])
        if isinstance(badge, Badge)
    }
    assert badges == {"B": MARKS[3].shape}


def test_seats_can_be_moved_renamed_and_removed(new):
    seat(new, "Ania", "Bartek", "Celina")
    new.tap("seat-2")
    new.tap("up")
    new.tap("up")
    assert seated(new) == ["Celina", "Ania", "Bartek"]
    assert "up" not in new.taps()
    new.tap("down")
    assert seated(new) == ["Ania", "Celina", "Bartek"]
    new.tap("rename")
    for key in ("backspace", "backspace", "e", "k"):
        new.tap(f"key-{key}")
    new.tap("key-done")
    assert seated(new) == ["Ania", "Celiek", "Bartek"]
    new.tap("remove")
    assert seated(new) == ["Ania", "Bartek"]
    assert "person-Celina" in new.taps()


def test_nobody_sits_at_the_table_twice(new):
    seat(new, "Ewa")
    new.tap("somebody")
    for letter in "ewa":
        new.tap(f"key-{letter}")
    new.tap("key-done")
    assert told(new, "Ewa sits at the table already")
    new.tap("key-backspace")
    assert not told(new, "already")
    new.tap("key-done")
    assert seated(new) == ["Ewa", "Ew"]


def test_a_name_is_no_longer_than_names_may_be(new):
    new.tap("somebody")
    for _ in range(31):
        new.app.screen.typed(str(ord("m")), "m")
    new.settle()
    assert told(new, "at most 30")
    new.tap("key-done")
    assert [len(name) for name in seated(new)] == [30]


def test_without_a_name_nobody_sits_down(new):
    new.tap("somebody")
    new.tap("key-space")
    new.tap("key-done")
    assert seated(new) == []
    new.tap("somebody")
    new.tap("key-a")
    new.tap("back")
    assert seated(new) == []
    assert "somebody" in new.taps()


def test_too_few_are_told_so_and_stay(new):
    assert not told(new, "0 seats")
    new.tap("next")
    assert told(new, "Race for the Galaxy is for 2 to 4 players; 0 seats were named.")
    seat(new, "Ania")
    assert told(new, "1 seat was named")
    seat(new, "Ewa")
    assert not told(new, "named")
    new.tap("next")
    new.tap("next")
    assert "edition-first" in new.taps()


def test_a_full_table_takes_nobody(new):
    seat(new, "Ania", "Bartek", "Celina", "Daniel")
    assert told(new, "full")
    for name in ("somebody", "person-Ewa"):
        new.tap(name)
        assert seated(new) == ["Ania", "Bartek", "Celina", "Daniel"]
        assert "key-a" not in new.taps()


@pytest.mark.parametrize("names", [("Ania", "Ania"), ("Ania", "x" * 31), ("A", "B", "C", "D", "E")])
def test_whatever_is_wrong_is_a_sentence(new, names):
    new.app.screen.seating.people = tuple(Person(name, n) for n, name in enumerate(names))
    new.app.refresh()
    new.tap("next")
    rules = games()["race"]
    (problem,) = rules.problems(Setup("race", names))
    assert told(new, new.app.desk.words(problem)[1:])
    assert "edition-first" not in new.taps()


def test_what_is_not_for_so_many_cannot_be_chosen(new):
    seat(new, "Ania", "Bartek")
    new.tap("next")
    new.tap("next")
    new.tap("actions-advanced")
    assert new.app.screen.setup().choices["actions"] == "advanced"
    new.tap("back")
    new.tap("back")
    seat(new, "Celina")
    new.tap("next")
    new.tap("next")
    assert told(new, "only with 2 players")
    assert new.app.screen.setup().choices["actions"] == "standard"
    new.tap("actions-advanced")
    assert new.app.screen.setup().choices["actions"] == "standard"
    assert told(new, "“Two each” is not for 3 players")
    new.app.dismiss()
    new.tap("next")
    new.tap("start")
    assert new.app.desk.session.setup.choices["actions"] == "standard"


def test_who_begins_is_drawn_and_the_order_round_the_table_stays(rehearsal):
    rehearsal.change(people=KNOWN)
    firsts = set()
    for seed in range(8):
        rehearsal.app.home()
        rehearsal.app.go("new", random=Random(seed))
        rehearsal.settle()
        seat(rehearsal, "Ania", "Bartek", "Celina")
        rehearsal.tap("draw")
        names = seated(rehearsal)
        again = names.index("Ania")
        assert names[again:] + names[:again] == ["Ania", "Bartek", "Celina"]
        assert rehearsal.app.screen.seating.first == names[0]
        assert told(rehearsal, "begins")
        firsts.add(names[0])
    assert firsts == {"Ania", "Bartek", "Celina"}


def test_two_quick_taps_begin_one_play(new):
    seat(new, "Ania", "Bartek")
    new.tap("next")
    new.tap("next")
    new.tap("next")
    start = new.taps()["start"]
    start.on_tap()
    start.on_tap()
    new.settle()
    new.app.home()
    new.app.desk.leave()
    new.settle()
    assert len(new.app.desk.plays) == 1


def test_back_goes_one_step_and_keeps_everything(new):
    seat(new, "Ania", "Bartek")
    new.tap("next")
    new.tap("next")
    new.tap("edition-second")
    new.tap("next")
    for _ in range(3):
        new.tap("back")
    assert seated(new) == ["Ania", "Bartek"]
    assert new.app.screen.setup().choices["edition"] == "second"
    new.tap("back")
    assert new.app.screen.name == "home"


def test_with_several_games_the_first_step_asks_which(rehearsal, monkeypatch):
    race = games()["race"]
    duel = replace(race, box=replace(race.box, id="duel", name="Duel", seats=(2,), variants=()))
    monkeypatch.setattr("companion.ui.screens.new.screen.games", lambda: {"race": race, "duel": duel})
    rehearsal.app.go("new")
    rehearsal.settle()
    assert told(rehearsal, "2 to 4 players")
    assert told(rehearsal, "2 players")
    rehearsal.tap("game-duel")
    assert rehearsal.app.screen.steps == ("game", "people", "depth", "table")
    assert depths_of(duel) == ("everything", "score"), "there is no flow"
    rehearsal.tap("back")
    rehearsal.tap("game-race")
    assert "somebody" in rehearsal.taps()


def test_what_was_agreed_on_the_command_line_leads_to_the_checklist(rehearsal, monkeypatch):
    first = []
    monkeypatch.setattr(play, "can_open_window", lambda options: True)
    monkeypatch.setattr(play, "window", lambda options, deed: first.append(deed) or 0)
    said = ["play", "race", "--seats", "Ania,Bartek,Celina", "--with", "opening=first-game"]
    assert main(said) == 0
    first[0](rehearsal.app)
    rehearsal.settle()
    assert told(rehearsal, "36 points")
    rehearsal.tap("start")
    assert rehearsal.app.screen.name == "table"
    setup = rehearsal.app.desk.session.setup
    assert setup.seats == ("Ania", "Bartek", "Celina")
    assert setup.choices["opening"] == "first-game"
    assert [person.name for person in rehearsal.app.desk.settings.people] == ["Ania", "Bartek", "Celina"]


@pytest.mark.parametrize(("names", "points"), [("Ania Bartek", 24), ("Ania Bartek Celina Darek", 48)])
def test_the_checklist_has_the_numbers_for_so_many(rehearsal, names, points):
    rehearsal.app.go("new", game=games()["race"], seats=names.split())
    rehearsal.settle()
    assert told(rehearsal, f"{points} points")


def test_a_double_tap_skips_no_step(new):
    seat(new, "Ania", "Bartek")
    at = new.app.screen.at
    place = new.middle(new.taps()["next"])
    new.touch(*place)
    new.touch(*place, twice=True)
    new.settle()
    assert new.app.screen.at == at + 1


def test_next_is_bright_only_when_people_can_go_on(new):
    assert new.taps()["next"].ground != "main"
    seat(new, "Ania")
    assert new.taps()["next"].ground != "main"
    seat(new, "Bartek")
    assert new.taps()["next"].ground == "main"


def test_nothing_slides_under_a_second_tap(new):
    def places():
        return {
            name: tuple(tap.to_window(*tap.pos))
            for name, tap in new.taps().items()
            if name.startswith("person-") or name in ("somebody", "draw", "next")
        }

    before = places()
    seat(new, "Ania", "Bartek")
    assert places() == before
    seat(new, "Celina", "Daniel")
    assert told(new, "The table is full.")
    assert places() == before
    seat(new, "Ewa")
    assert seated(new) == ["Ania", "Bartek", "Celina", "Daniel"]


def test_a_second_tap_removes_a_name_from_a_seat(new):
    seat(new, "Ania", "Bartek", "Ania")
    assert seated(new) == ["Bartek"]


@pytest.mark.every_game
@pytest.mark.parametrize("language", ["en", "pl"])
@pytest.mark.parametrize("game", [id for id, rules in games().items() if rules.box.variants])
def test_what_can_be_agreed_on_is_readable_in_every_game(rehearsal, game, language):
    rehearsal.change(language=language)
    rehearsal.app.go("new", game=games()[game], seats=("Ania", "Bartek"))
    rehearsal.screen.at = rehearsal.screen.steps.index("rules")
    rehearsal.app.refresh()
    picture = rehearsal.app.folder / "rules.png"
    rehearsal.shoot(picture)
    assert not problems(rehearsal.app, picture)
