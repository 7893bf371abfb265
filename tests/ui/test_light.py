"""Light play: the page of a turn, how much is followed, the score at the end, and going down in mid-play."""

import pytest
from msgspec import UNSET

from companion.core.entries import Lightened
from companion.core.flow.game import shipped_flow
from companion.core.flow.library import shipped_flows
from companion.table.seat_panel import REVEAL
from companion.table.settings import Person, load
from companion.ui.toolkit.geometry import walk
from companion.ui.toolkit.kit import Scroll, Words
from tests.ui.test_buttons import Seated
from workshop.screens import shots

SEATS = ("Ania", "Bartek", "Celina")
PEOPLE = tuple(Person(name, n) for n, name in enumerate(SEATS))


def flow_of(id):
    return next(one.text for one in shipped_flows() if one.flow.id == id)


GOLD = """
id = "gold"
name = "Gold"
seats = [2, 3]
rounds = 9
[[counter]]
id = "gold"
[[phase]]
id = "turn"
turns = 1
"""


@pytest.fixture
def gold(rehearsal, layout):
    """A game in which each seat has a counter; Bartek begins."""
    rehearsal.play_flow(GOLD, SEATS)
    rehearsal.tap("option-1")
    return rehearsal


@pytest.fixture
def mars(rehearsal, layout):
    """Terraforming Mars before the first turn; Bartek begins."""
    rehearsal.play_flow(flow_of("terraforming-mars"), SEATS)
    rehearsal.tap("option-1")
    return rehearsal


def asked(rehearsal):
    return rehearsal.app.desk.questions()[0]


def told(rehearsal, tap):
    return [part.text for part in walk(rehearsal.taps()[tap]) if isinstance(part, Words)]


def choice(rehearsal, words):
    """The choice of the app's question that says this."""
    return next(
        (tap for tap in rehearsal.taps() if tap.startswith("choice-") and words in told(rehearsal, tap)), None
    )


def counters(rehearsal):
    return {one.id: one.value for one in rehearsal.app.desk.session.counters()}


# The page of a turn


def test_the_name_is_huge_and_one_touch_ends_the_turn(mars):
    shown = [part for part in walk(mars.app.stage) if isinstance(part, Words)]
    name = next(part for part in shown if part.text == "BARTEK" and part.font_size > 60)
    assert name.font_size == max(part.font_size for part in shown)
    assert "Celina" in mars.words(), "who is next"
    mars.tap("option-done")
    assert asked(mars).seat == 2
    assert any(
        part.text == "CELINA" and part.font_size > 60
        for part in walk(mars.app.stage)
        if isinstance(part, Words)
    )


def test_a_seat_that_passed_is_marked_and_has_no_turn(mars):
    mars.tap("option-pass")
    assert [seat.passed for seat in mars.app.desk.session.view.seats] == [False, True, False]
    mars.tap("option-done")
    mars.tap("option-done")
    assert asked(mars).seat == 2, "Bartek is left out"


def test_counting_is_one_deed_and_undo_takes_it_back(gold):
    before = counters(gold)
    gold.tap("plus-gold:1")
    gold.tap("plus-gold:1")
    assert counters(gold)["gold:1"] == before["gold:1"] + 2
    assert asked(gold).seat == 1, "the turn goes on"
    gold.tap("undo")
    assert counters(gold)["gold:1"] == before["gold:1"] + 1
    gold.tap("minus-gold:1")
    assert counters(gold) == before


def test_a_counter_changes_by_the_step_of_its_track(mars):
    before = counters(mars)["temperature"]
    while "plus-temperature" not in mars.taps():
        mars.tap("next-counters")
    mars.tap("plus-temperature")
    assert counters(mars)["temperature"] == before + 2


def test_holding_counts_by_five(gold):
    before = counters(gold)["gold:1"]
    gold.taps()["plus-gold:1"].on_hold()
    gold.settle()
    assert counters(gold)["gold:1"] == before + 5


def test_a_touch_on_a_seat_shows_its_counters(gold):
    assert "plus-gold:0" not in gold.taps()
    gold.tap("seat-0")
    gold.tap("plus-gold:0")
    assert counters(gold)["gold:0"] == 1
    gold.tap("seat-0")
    assert "plus-gold:0" not in gold.taps()


def test_a_phase_of_everybody_is_one_touch_and_is_never_skipped(rehearsal, layout):
    """Eclipse has phases with nothing to count: their reminders must be seen."""
    rehearsal.play_flow(shipped_flow("eclipse"), SEATS)
    rehearsal.tap("option-0")
    for _ in SEATS:
        rehearsal.tap("option-pass")
    phases = []
    while asked(rehearsal).seat is None:
        phases.append(rehearsal.app.desk.session.state.phase)
        rehearsal.tap("option-done")
    assert phases == ["combat", "upkeep", "cleanup"]


def test_a_light_play_by_seat_buttons_alone(rehearsal, layout):
    """Every turn is one press; nobody touches the screen."""
    rehearsal.play_flow(flow_of("wingspan"), SEATS)
    seated = Seated(rehearsal)
    try:
        seated.r.tap("option-0")
        turns = 0
        while not seated.session.over and turns < 40:
            question = seated.r.app.desk.questions()[0]
            if question.form is not None:
                break
            entries = seated.session.entries
            seated.press(question.seat if question.seat is not None else 0)
            assert seated.session.entries == entries + 1
            turns += 1
        assert turns == 40 or question.form is not None
        seated.let(REVEAL)
    finally:
        rehearsal.app.panel.seats = None
        seated.panel.stop()


@pytest.mark.parametrize(
    "size", [(720, 1280), (1024, 600), (1280, 720)], ids=lambda size: "x".join(map(str, size))
)
def test_nothing_is_cut_at_any_size(tmp_path, size):
    """At 800x480 `test_shots.py` looks at these scenes, too."""
    names = ("table-light-race", "table-light-mars", "table-light-counters", "new-depth", "own", "own-make")
    assert shots.take(tmp_path, names, [size], [("en", 100), ("pl", 150)], samples=0)[1] == []


# How much is followed


@pytest.fixture
def new(rehearsal, layout):
    rehearsal.change(people=PEOPLE)
    rehearsal.tap("new-race")
    for name in SEATS:
        rehearsal.tap(f"person-{name}")
    rehearsal.tap("next")
    return rehearsal


def test_set_up_asks_how_much_to_follow_and_remembers_it(new):
    assert {"depth-everything", "depth-turns", "depth-score"} <= set(new.taps())
    assert any("3 touches" in words for words in new.words()), "what everything costs in this game"
    new.tap("depth-turns")
    new.tap("next")
    new.tap("next")
    new.tap("start")
    setup = new.app.desk.session.setup
    assert (setup.game, setup.flow) == ("race", shipped_flow("race"))
    assert asked(new).slug.startswith("flow.")
    assert load(new.app.folder / "settings.json").depth == {"race": "turns"}
    new.app.home()
    new.app.desk.leave()
    new.settle()
    new.tap("again")
    assert new.screen.depth == "turns"


def test_everything_is_what_it_was(new):
    new.tap("next")
    new.tap("next")
    new.tap("start")
    assert new.app.desk.session.setup.flow is UNSET
    assert asked(new).slug == "race.start-world"


def test_only_the_score_leads_there_with_these_people(new):
    new.tap("depth-score")
    new.tap("next")
    assert new.app.screen.name == "score-only"
    assert new.screen.people == SEATS
    assert new.screen.step == "cards"


@pytest.mark.every_game
def test_an_untaught_box_begins_with_turns_and_pools_on_its_first_evening(rehearsal):
    rehearsal.app.go("new", game=None)
    rehearsal.tap("game-transgalactica")
    rehearsal.settle()
    assert rehearsal.screen.depth == "turns"
    rehearsal.tap("back")
    rehearsal.tap("game-race")
    rehearsal.settle()
    assert rehearsal.screen.depth == "everything", "every card of Race is known"


# The end


@pytest.fixture
def finished(rehearsal, layout):
    """A light play of Race whose end has come; Ania took five points."""
    rehearsal.play_flow(shipped_flow("race"), ("Ania", "Ewa"))
    rehearsal.app.desk.correct("chips:0", 5)
    rehearsal.settle()
    rehearsal.play_until(lambda session: session.questions()[0].finished is not None)
    return rehearsal


def test_the_full_scorer_takes_over_with_the_numbers_that_are_known(finished):
    chips = counters(finished)
    finished.tap("count")
    assert finished.app.screen.name == "score-only"
    assert finished.screen.people == ("Ania", "Ewa")
    for tableau in (("old-earth", "gem-world"), ("alpha-centauri",)):
        for component in tableau:
            finished.screen.played = finished.screen.played.added(
                finished.screen.people[finished.screen.seat], component
            )
        finished.app.refresh()
        finished.tap("next")
    assert [finished.screen.played.told[f"chips:{n}"] for n in range(2)] == [
        chips["chips:0"],
        chips["chips:1"],
    ]
    finished.tap("show")
    session = finished.app.desk.session
    assert session.over
    assert finished.app.screen.name == "score"
    sheet = session.game.sheet(session.state)
    assert {line.what: line.points for line in sheet.seats[0].lines}["chips"] == chips["chips:0"]
    assert any(line.what == "gem-world" for line in sheet.seats[0].lines)
    finished.app.screen.finish()
    for tab in ("sheet", "chart", "share"):
        finished.tap(f"tab-{tab}")


def test_it_can_end_without_a_score(finished):
    finished.tap("option-unscored")
    assert finished.app.desk.session.over


def test_people_may_look_at_the_table_again_before_they_count(finished):
    finished.tap("count")
    finished.tap("back")
    assert finished.app.screen.name == "table"
    assert "count" in finished.taps()


# Going down in mid-play


def test_a_play_goes_down_at_the_same_place_and_undo_leads_back(rehearsal, layout):
    rehearsal.play("race", ("Ania", "Bartek"), answers=12, seed=2)
    before = rehearsal.app.desk.session
    rehearsal.tap("menu")
    rehearsal.tap(choice(rehearsal, "Turns and pools only"))
    assert any("Only undo leads back" in words for words in rehearsal.words())
    rehearsal.tap(choice(rehearsal, "Turns and pools only"))
    session = rehearsal.app.desk.session
    assert isinstance(session.last.deed, Lightened)
    assert session.view.round == before.view.round
    assert [seat.name for seat in session.view.seats] == ["Ania", "Bartek"]
    assert asked(rehearsal).turn
    for screen in ("history", "score", "correct"):
        rehearsal.app.go(screen)
        rehearsal.settle_beside()
        rehearsal.app.back()
        rehearsal.settle()
    rehearsal.tap("undo")
    assert rehearsal.app.desk.session.game is before.game
    assert rehearsal.app.desk.session.state == before.state


def test_a_light_play_does_not_offer_to_go_down(mars):
    mars.tap("menu")
    assert choice(mars, "Pause")
    assert choice(mars, "Turns and pools only") is None


# Clocks


def test_clocks_are_off_until_somebody_wants_them(mars):
    assert not any(":" in words and words[0].isdigit() for words in mars.words())
    mars.now += 84
    mars.change(clocks=True)
    assert "1:24" in " ".join(mars.words())
    mars.tap("option-done")
    mars.settle()
    assert any(words.startswith("0:00") for words in mars.words()), "this turn has just begun"


def test_sleep_counts_for_nobody_and_all_clocks_together_are_the_evening(gold):
    """Every moment of this play is somebody's turn."""
    begin = gold.now
    for n in range(12):
        gold.now += 17.25
        if n == 5:
            gold.settle()
            gold.now += 1800
            gold.asleep += 1800
            gold.settle()
        if n == 8:
            gold.tap("menu")
            gold.tap(choice(gold, "Pause"))
            gold.now += 400
            gold.tap("menu")
            gold.tap(choice(gold, "Go on"))
        gold.tap("option-done")
    session = gold.app.desk.session
    evening = gold.now - begin - 1800 - 400
    assert sum(session.thinking(gold.now)) == pytest.approx(evening, abs=1)
    assert session.thinking(gold.now) == pytest.approx((4 * 17.25,) * 3, abs=1)


# Your own game


def written(rehearsal, words):
    for letter in words:
        rehearsal.tap("key-space" if letter == " " else f"key-{letter}")
    rehearsal.tap("key-done")


def test_a_game_made_by_touch_is_played_to_its_sheet(rehearsal, layout):
    """Two rounds, one counter, and two categories, one of which is the counter."""
    rehearsal.change(people=PEOPLE)
    rehearsal.app.go("own")
    rehearsal.settle_beside()
    rehearsal.tap("make")
    written(rehearsal, "harbour")
    rehearsal.tap("plus-rounds")
    rehearsal.tap("plus-rounds")
    rehearsal.tap("next-no")
    rehearsal.tap("add-counters")
    written(rehearsal, "gold")
    rehearsal.tap("add-lines")
    written(rehearsal, "houses")
    rehearsal.tap("add-lines")
    written(rehearsal, "gold")
    rehearsal.tap("keep")
    rehearsal.settle_beside()
    for name in SEATS[:2]:
        rehearsal.tap(f"person-{name}")
    rehearsal.tap("next")
    rehearsal.tap("start")
    rehearsal.tap("option-1")
    for turn in range(4):
        assert asked(rehearsal).seat == (turn + 1) % 2, "Bartek begins both rounds"
        if asked(rehearsal).seat == 0:
            rehearsal.tap("amount-gold:0")
            rehearsal.tap(choice(rehearsal, "+3"))
        rehearsal.tap("option-done")
    for _ in range(2):
        rehearsal.tap("plus-houses")
        rehearsal.tap("form-done")
    session = rehearsal.app.desk.session
    assert session.over
    assert [seat.total for seat in session.game.sheet(session.state).seats] == [7, 1]
    assert (rehearsal.app.folder / "flows" / "own-harbour.toml").exists()


def test_the_page_on_which_a_game_is_made_stays_where_it_was_while_a_name_is_typed(rehearsal, layout):
    rehearsal.app.go("own")
    rehearsal.settle_beside()
    rehearsal.tap("make")
    written(rehearsal, "harbour")
    rehearsal.tap("add-lines")
    written(rehearsal, "houses")
    assert next(part for part in walk(rehearsal.app.stage) if isinstance(part, Scroll)).scroll_y < 0.5


# Numbers and calculations


def test_any_number_is_two_touches(gold):
    gold.tap("amount-gold:1")
    gold.tap(choice(gold, "+6"))
    assert counters(gold)["gold:1"] == 6
    assert asked(gold).seat == 1


@pytest.mark.parametrize("seats", [2, 5])
def test_small_amounts_have_buttons_where_one_thing_is_counted(rehearsal, layout, seats):
    rehearsal.play_flow(shipped_flow("frontiers"), ("Ania", "Bartek", "Celina", "Darek", "Ewa")[:seats])
    while "option-done" not in rehearsal.taps():
        rehearsal.tap(next(name for name in rehearsal.taps() if name.startswith("option-")))
    before = counters(rehearsal)["pool"]
    rehearsal.tap("by--4-pool")
    rehearsal.tap("by--2-pool")
    rehearsal.tap("minus-pool")
    assert counters(rehearsal)["pool"] == before - 7


def test_the_counters_of_all_seats_are_side_by_side_where_everybody_is_counted(rehearsal, layout):
    rehearsal.play_flow(shipped_flow("race"), ("Ania", "Bartek", "Celina", "Darek"))
    rehearsal.tap("option-pick:consume")
    for seat in range(4):
        rehearsal.tap(f"plus-chips:{seat}")
    assert [counters(rehearsal)[f"chips:{seat}"] for seat in range(4)] == [1, 1, 1, 1]
    rehearsal.tap("option-button:twelve-cards")
    assert counters(rehearsal)["button:twelve-cards"] == 1


def test_calculations_are_one_touch_away(rehearsal, layout):
    rehearsal.play_flow(shipped_flow("eclipse"), SEATS)
    rehearsal.tap("option-0")
    for n, tool in enumerate(("upkeep", "odds")):
        rehearsal.tap(f"tool-{n}")
        assert rehearsal.screen.tool.id == tool
        rehearsal.app.back()
        rehearsal.settle()
    rehearsal.play_flow(shipped_flow("race"), SEATS)
    rehearsal.tap("tool-0")
    assert rehearsal.app.screen.name == "score-only"


def test_the_points_now_are_told_first_where_light_play_does_not_know_them(rehearsal, layout):
    """A sheet of zeros would say that all of them lead."""
    rehearsal.play_flow(shipped_flow("eclipse"), SEATS)
    rehearsal.tap("option-0")
    rehearsal.tap("menu")
    rehearsal.tap(choice(rehearsal, "Score now"))
    assert rehearsal.app.screen.name == "score-only"
    rehearsal.play_flow(flow_of("catan"), SEATS)
    rehearsal.tap("option-0")
    rehearsal.tap("menu")
    rehearsal.tap(choice(rehearsal, "Score now"))
    assert rehearsal.app.screen.name == "score"


def test_what_is_on_or_off_is_not_called_a_component(mars):
    mars.app.go("correct")
    mars.tap("by-0")
    assert "Yes or no" in mars.words()
    mars.tap("of-None")
    mars.tap(next(tap for tap in mars.taps() if "The play ends here" in told(mars, tap)))
    assert mars.app.desk.session.state.closing


def test_many_ends_that_only_people_see_are_one_tile(rehearsal, layout):
    rehearsal.play_flow(shipped_flow("frontiers"), SEATS)
    rehearsal.tap("option-0")
    rehearsal.tap("option-same")
    rehearsal.tap("has-ended")
    rehearsal.tap(choice(rehearsal, "Somebody has eight colonies"))
    assert counters(rehearsal)["button:colonies"] == 1
