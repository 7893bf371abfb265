"""Score only: tableaux scanned or typed, a few numbers, and the same sheet as from the scoring."""

from random import Random

import pytest

from companion.core.game import every_game, games
from companion.games.race import position
from companion.recognition import reading
from companion.table.counting import Entered, TableCounted
from companion.table.settings import Person
from companion.texts import render
from companion.ui.screens.score.sheet_view import rows_of
from companion.ui.toolkit.geometry import rect
from vision.camera import Frame
from vision.sightings import Sighting
from vision.sweep import Sweep
from vision.worker import Glance

ANIA = ("old-earth", "gem-world", "new-economy", "merchant-world")
EWA = ("alpha-centauri", "mining-league", "drop-ships")


@pytest.fixture
def table(rehearsal):
    rehearsal.change(people=(Person("Ania", 0), Person("Ewa", 4)))
    rehearsal.app.go("score-only")
    rehearsal.tap("person-Ania")
    rehearsal.tap("person-Ewa")
    rehearsal.tap("next")
    return rehearsal


def show(rehearsal, *components):
    """The camera sees these."""
    book = reading.book(rehearsal.app.screen.rules)
    texts = {piece.component: text for piece, text in book.texts.items()}
    corners = ((10.0, 10.0), (60.0, 10.0), (60.0, 60.0), (10.0, 60.0))
    sightings = tuple(Sighting(texts[c], corners, "zxing", 1.0, 4.0) for c in components)
    import numpy as np

    rehearsal.now += 1
    frame = Frame(np.zeros((90, 160, 3), np.uint8), rehearsal.now)
    rehearsal.camera_feed.look = Glance(frame, sightings)
    rehearsal.app.screen.tick()
    rehearsal.settle()


def sweep(rehearsal, *components):
    rehearsal.tap("sweep")
    show(rehearsal, *components[:2])
    show(rehearsal, *components[1:])
    rehearsal.tap("take")


def add(rehearsal, *components):
    rehearsal.tap("search")
    names = games()["race"].usual_box()
    for component in components:
        for letter in render(names[component].called, "en").casefold():
            rehearsal.tap("key-space" if letter == " " else f"key-{letter}")
        rehearsal.tap(f"add-{component}")
    rehearsal.tap("back")


def scored(chips, hands):
    raw = {
        "game": "race",
        "seats": [
            {"name": name, "tableau": tableau, "goods": [], "chips": chips[n], "hand": hands[n]}
            for n, (name, tableau) in enumerate((("Ania", ANIA), ("Ewa", EWA)))
        ],
    }
    return position.sheet(position.position_of(raw))


def lines(sheet):
    return [
        (seat.name, seat.total, seat.rank, sorted((x.what, x.points) for x in seat.lines))
        for seat in sheet.seats
    ]


def test_one_seat_by_camera_and_one_by_name_give_the_sheet_of_the_scoring(table):
    sweep(table, *ANIA)
    table.tap("next")
    add(table, *EWA)
    table.tap("next")
    table.tap("more-chips:0")  # Ania's chips
    table.tap("plus-chips:0")
    for _ in range(3):
        table.tap("plus-chips:1")  # Ewa's chips
    table.tap("plus-hand:1")  # Ewa's hand
    table.tap("show")
    assert table.app.screen.name == "score"
    assert lines(table.app.screen.brought) == lines(scored((11, 3), (0, 1)))
    table.app.screen.finish()
    table.tap("tab-sheet")
    rows = [row.words for row in rows_of(table.app.screen.sheet, "en")]
    assert [words for words in table.words() if words in rows] == rows


def test_cards_come_in_the_order_of_the_box_and_a_players_own_set_does_not_count(table):
    book = reading.book(games()["race"])
    own = next(iter(book.sets))
    table.tap("sweep")
    show(table, own, *ANIA)
    assert "4 pieces seen" in table.words()
    table.tap("take")
    assert set(table.app.screen.played.before["Ania"]) == set(ANIA)


def test_the_camera_rests_when_nobody_sweeps(table):
    waits = []
    table.camera_feed.wait_for_scan = waits.append
    table.tap("sweep")
    show(table, *EWA)
    table.tap("back")
    assert waits == [True, False]
    assert table.app.screen.played.before == {}


def test_a_card_can_be_taken_away(table):
    sweep(table, *ANIA)
    table.tap("card-gem-world")
    assert "gem-world" not in table.app.screen.played.before["Ania"]


def test_what_cannot_be_right_is_said_with_the_way_to_mend_it(table):
    sweep(table, "gem-world", "merchant-world")
    table.tap("next")
    sweep(table, *EWA)
    table.tap("next")
    assert "show" not in table.taps()
    assert any("Ania: there is no start world" in words for words in table.words())
    table.tap("mend-cards")
    table.tap("of-0")
    add(table, "old-earth")
    table.tap("next")
    assert "show" in table.taps()


def test_goods_are_asked_for_only_to_break_a_tie(table):
    sweep(table, *ANIA)
    table.tap("next")
    sweep(table, *EWA)
    table.tap("next")
    asked = len(table.app.screen.played.outcome().asked)
    assert asked == 4
    first, second = (seat.total for seat in table.app.screen.played.outcome().sheet.seats)
    low = 0 if first < second else 1
    for _ in range(abs(first - second)):
        table.tap(f"plus-chips:{low}")
    assert len(table.app.screen.played.outcome().asked) == 6


def test_numbers_stop_at_nought(table):
    sweep(table, *ANIA)
    table.tap("next")
    sweep(table, *EWA)
    table.tap("next")
    table.tap("less-chips:0")
    assert table.app.screen.played.told == {"chips:0": 0}


def test_somebody_new_is_typed_and_remembered(rehearsal):
    rehearsal.app.go("score-only")
    for name in ("jo", "al"):
        rehearsal.tap("somebody")
        for letter in name:
            rehearsal.tap(f"key-{letter}")
        rehearsal.tap("key-done")
    rehearsal.tap("next")
    assert [person.name for person in rehearsal.app.desk.settings.people] == ["Jo", "Al"]


def test_only_as_many_as_can_play(rehearsal):
    rehearsal.change(people=tuple(Person(name, n) for n, name in enumerate("abcde")))
    rehearsal.app.go("score-only")
    rehearsal.tap("person-a")
    rehearsal.tap("next")
    assert rehearsal.app.screen.step == "people", "one alone has played nothing"
    for name in "bcde":
        rehearsal.tap(f"person-{name}")
    assert rehearsal.app.screen.people == ("a", "b", "c", "d")
    rehearsal.tap("next")
    assert rehearsal.app.screen.step == "cards"


def test_people_keep_their_places_while_they_are_told(rehearsal):
    """What was touched stands where it was, so that the next touch does not hit the next name."""
    names = ("Ania", "Bartek", "Celina", "Dorota")
    rehearsal.change(people=tuple(Person(name, n) for n, name in enumerate(names)))
    rehearsal.app.go("score-only")
    rehearsal.settle()
    places = {name: rect(rehearsal.taps()[f"person-{name}"]) for name in names}
    for name in ("Bartek", "Ania", "Bartek"):
        rehearsal.tap(f"person-{name}")
        assert {name: rect(rehearsal.taps()[f"person-{name}"]) for name in names} == places
    assert rehearsal.app.screen.people == ("Ania",)


MOST_TAPS = 50


def test_three_full_tableaux_take_few_taps(rehearsal):
    """One tap a card: twelve cards of everybody, with all the leafing and the ways between."""
    rehearsal.change(people=tuple(Person(name, n) for n, name in enumerate(("Ania", "Bartek", "Celina"))))
    rehearsal.app.go("score-only")
    for name in ("Ania", "Bartek", "Celina"):
        rehearsal.tap(f"person-{name}")
    rehearsal.tap("next")
    box = [c.id for c in rehearsal.app.screen.grid.components()]
    starts, others = box[:5], box[5:]
    random = Random(5)
    random.shuffle(others)
    wanted = [{starts[n], *others[11 * n : 11 * n + 11]} for n in range(3)]
    before = rehearsal.app.screen
    taps = 0
    for cards in wanted:
        left = set(cards)
        while left:
            for card in [card for card in left if f"card-{card}" in rehearsal.taps()]:
                rehearsal.tap(f"card-{card}")
                left.remove(card)
                taps += 1
            if left:
                rehearsal.tap("next-page")
                taps += 1
        rehearsal.tap("next")
        taps += 1
    assert before.step == "numbers"
    assert [set(before.played.mine(name)) for name in before.people] == wanted
    assert taps <= MOST_TAPS


def test_a_card_somebody_has_is_not_anybody_elses(table):
    table.tap("card-old-earth")
    table.tap("of-1")
    table.tap("card-old-earth")
    assert table.app.screen.played.mine("Ewa") == ()
    assert table.app.screen.played.mine("Ania") == ("old-earth",)
    table.tap("of-0")
    table.tap("card-old-earth")
    assert table.app.screen.played.mine("Ania") == ()


@pytest.mark.every_game
def test_every_game_is_told_by_faces(rehearsal):
    rehearsal.change(people=(Person("Ania", 0), Person("Ewa", 4)))
    for game in games():
        rehearsal.app.home("score-only")
        rehearsal.settle()
        rehearsal.tap(f"game-{game}")
        rehearsal.tap("person-Ania")
        rehearsal.tap("person-Ewa")
        rehearsal.tap("next")
        for step in rehearsal.app.screen.steps[1:-1]:
            assert rehearsal.app.screen.step == step
            kind = "whose-" if step == "between" else "card-"
            name = next(name for name in rehearsal.taps() if name.startswith(kind))
            rehearsal.tap(name)
            of = rehearsal.app.screen.played.owned if step == "between" else rehearsal.app.screen.played.mine
            assert of("Ania") == (name.removeprefix(kind),)
            rehearsal.tap("of-1")
            if step == "between":
                rehearsal.tap([name for name in rehearsal.taps() if name.startswith(kind)][1])
            rehearsal.tap("next")


def test_a_sweep_without_a_game_is_empty():
    assert reading.tableau_in(games()["race"], Sweep()) == ()


# A game with things between the players

FOUR = ("Ania", "Bartek", "Ewa", "Filip")
HOMES = {"Ania": "226", "Bartek": "222", "Ewa": "223", "Filip": "228"}


@pytest.fixture
def galaxy(rehearsal):
    rehearsal.change(people=tuple(Person(name, n) for n, name in enumerate(FOUR)))
    rehearsal.app.go("score-only")
    rehearsal.tap("game-eclipse")
    for name in FOUR:
        rehearsal.tap(f"person-{name}")
    rehearsal.tap("next")
    return rehearsal


def hexes(*numbers):
    return tuple(f"sector-{number}" for number in numbers)


def give(rehearsal, seat, *numbers):
    rehearsal.tap(f"of-{seat}")
    for number in numbers:
        leaf_to(rehearsal, f"whose-sector-{number}")
        rehearsal.tap(f"whose-sector-{number}")


def leaf_to(rehearsal, name):
    for _ in range(9):
        if name not in rehearsal.taps():
            rehearsal.tap("next-page")


def go_on_to(rehearsal, step):
    """Past everybody who has nothing there."""
    for _ in range(9):
        if rehearsal.app.screen.step != step:
            rehearsal.tap("next")
    assert rehearsal.app.screen.step == step


def owned(rehearsal, name):
    return set(rehearsal.app.screen.played.owned(name))


@pytest.mark.every_game
def test_hexes_are_seen_and_whose_disc_lies_there_is_tapped(galaxy):
    sweep(galaxy, *hexes("226", "222", "223", "228", "101", "301"))
    assert owned(galaxy, "Ania") == set()
    for seat, name in enumerate(FOUR):
        give(galaxy, seat, HOMES[name])
    give(galaxy, 0, "101")
    give(galaxy, 1, "101")  # it was Bartek's after all
    give(galaxy, 2, "301", "301")  # and this nobody's
    assert owned(galaxy, "Bartek") == set(hexes("222", "101"))
    assert galaxy.app.screen.played.owners["sector-301"] == ()
    galaxy.tap("next")
    galaxy.tap("next")  # no board is shown
    pages = []
    while "show" not in galaxy.taps():
        pages.append(galaxy.app.screen.telling.seat)
        galaxy.tap("next")
    assert pages == [0, 1, 2, 3], "the sheet comes after everybody's page and the table's"
    for _ in range(3):
        galaxy.tap("plus-ancients")
    galaxy.tap("choose-traitor")
    galaxy.tap("value-3")
    galaxy.tap("of-1")
    galaxy.tap("plus-monoliths:1")
    assert "show" not in galaxy.taps()
    assert any("on which sector does each monolith stand?" in words for words in galaxy.words())
    galaxy.tap("choose-monolith-1:1")
    galaxy.tap("value-101")
    galaxy.tap("plus-reputation-4:1")
    galaxy.tap("show")
    # Planta has a point for its sector, Draco for three Ancients; Bartek 101 (2), a monolith and a reputation tile.
    totals = {seat.name: seat.total for seat in galaxy.app.screen.brought.seats}
    assert totals == {"Ania": 3 + 1, "Bartek": 3 + 2 + 3 + 4, "Ewa": 3 - 2, "Filip": 3 + 3}
    monoliths = next(x for x in galaxy.app.screen.brought.seats[1].lines if x.what == "monoliths")
    assert monoliths.because == {"sector-101": 3}


@pytest.mark.every_game
def test_hexes_can_be_typed_and_taken_away(galaxy):
    galaxy.tap("search")
    for letter in "101":
        galaxy.tap("key-123") if f"key-{letter}" not in galaxy.taps() else None
        galaxy.tap(f"key-{letter}")
    galaxy.tap("add-sector-101")
    galaxy.tap("back")
    assert owned(galaxy, "Ania") == {"sector-101"}, "typed on Ania's page it is Ania's"
    leaf_to(galaxy, "whose-sector-101")
    galaxy.tap("whose-sector-101")
    assert owned(galaxy, "Ania") == set()


@pytest.mark.every_game
def test_only_hexes_lie_between_and_only_the_rest_before_somebody(galaxy):
    galaxy.tap("sweep")
    show(galaxy, "sector-226", "tech-orbital")
    assert galaxy.app.screen.sweeping.found == ("sector-226",)
    galaxy.tap("take")
    go_on_to(galaxy, "cards")
    galaxy.tap("sweep")
    show(galaxy, "sector-101", "tech-orbital", "planta")
    galaxy.tap("take")
    assert galaxy.app.screen.played.before == {"Ania": ("tech-orbital", "planta")}
    galaxy.tap("next")
    galaxy.tap("of-0")
    asked = {c.id: c for c in galaxy.app.screen.played.outcome().asked}
    assert "species:0" not in asked
    assert (asked["nano:0"].value, asked["nano:0"].low) == (1, 1)


@pytest.mark.every_game
def test_one_label_on_two_hexes_is_told(galaxy):
    galaxy.tap("sweep")
    show(galaxy, "sector-101", "sector-101")
    assert any("101 Castor is in one picture twice" in words for words in galaxy.words())


@pytest.mark.every_game
def test_who_leaves_leaves_nothing_behind(galaxy):
    sweep(galaxy, *hexes("226", "101"))
    give(galaxy, 3, "226")
    galaxy.tap("back")
    galaxy.tap("person-Filip")
    galaxy.tap("next")
    assert galaxy.app.screen.played.owners["sector-226"] == ()


def test_what_the_owner_taught_is_counted_and_only_the_rest_is_asked_for(rehearsal):
    """Tiles nobody knows the points of cannot be counted as nothing: the sheet waits until they are told."""
    rehearsal.app.desk.clerk.do(
        lambda journal, binder: binder.teach("frontiers", "home-1a", "points", 2, at=0.0),
        lambda _: None,
        lambda _: None,
    )
    rehearsal.change(people=(Person("Ania", 0), Person("Ewa", 4)))
    rehearsal.app.go("score-only")
    rehearsal.tap("person-Ania")
    rehearsal.tap("person-Ewa")
    screen = rehearsal.app.screen
    screen._play(every_game()["frontiers"])
    rehearsal.settle()
    lying = screen.played.added("Ania", "home-1a").added("Ania", "spice-world").added("Ewa", "home-2b")
    screen.know(lying.tell("points-spice-world:0", 4))
    screen._go("numbers")
    rehearsal.settle()
    assert "choose-points-home-1a:0" not in rehearsal.taps()
    assert "not told yet" in rehearsal.words()
    assert "show" not in rehearsal.taps()
    rehearsal.tap("choose-points-home-2b:1")
    rehearsal.tap("value-2")
    rehearsal.tap("plus-chips:1")
    rehearsal.tap("show")
    assert [seat.total for seat in rehearsal.app.screen.brought.seats] == [2 + 3, 1 + 1]


def test_printed_points_told_once_are_known_the_next_time(rehearsal):
    """Asked once per component and remembered, with the names of those who said so."""
    rehearsal.change(people=(Person("Ania", 0), Person("Ewa", 4)))

    def count_it():
        rehearsal.app.go("score-only")
        rehearsal.tap("person-Ania")
        rehearsal.tap("person-Ewa")
        screen = rehearsal.app.screen
        screen._play(every_game()["beyond"])
        rehearsal.settle()
        screen.know(screen.played.added("Ania", "sirius"))
        return screen

    screen = count_it()
    screen.know(screen.played.tell("points-sirius", 6))
    outcome = screen.played.outcome()
    assert [counter.id for counter in outcome.asked if counter.component] == ["points-sirius"]
    screen._show(outcome)
    rehearsal.settle()
    assert [seat.total for seat in rehearsal.app.screen.brought.seats] == [5, 0]
    again = count_it().played.outcome()
    assert not [counter for counter in again.asked if counter.component]
    assert [seat.total for seat in again.sheet.seats] == [5, 0]
    found = []
    rehearsal.app.desk.clerk.do(lambda _, binder: binder.history("beyond"), found.extend, found.append)
    rehearsal.settle()
    assert [(said.key, said.value, said.by) for said in found] == [("sirius.points", 5, "Ania, Ewa")]


def test_phones_see_what_is_counted_and_enter_their_own(table):
    heard = []
    table.app.desk.listen_at_once(
        lambda event: heard.append(event) if isinstance(event, TableCounted) else None
    )
    table.tap("card-old-earth")
    assert heard[-1].played.mine("Ania") == ("old-earth",)
    table.app.desk.entered(Entered("Ewa", "new-sparta", 1))
    table.settle()
    assert table.app.screen.played.mine("Ewa") == ("new-sparta",)
    assert heard[-1].played.mine("Ewa") == ("new-sparta",)
    table.app.back()
    assert heard[-1] == TableCounted(), "who is not counting any more takes nothing from phones"
    table.app.desk.entered(Entered("Ewa", "old-earth", 1))


def test_phones_keep_the_sheet_when_it_was_shown(table):
    heard = []
    table.app.desk.listen_at_once(
        lambda event: heard.append(event) if isinstance(event, TableCounted) else None
    )
    for seat, card in enumerate(("old-earth", "alpha-centauri")):
        table.tap(f"of-{seat}")
        table.tap(f"card-{card}")
    table.tap("next")
    table.tap("show")
    assert heard[-1].shown
    assert heard[-1].played.mine("Ewa") == ("alpha-centauri",)
