"""The first screen."""

import gc
import weakref

import pytest

from companion.core.game import every_game, games
from companion.ui.toolkit.covers import LIGHT, CoverTap, cover_of
from companion.ui.toolkit.look import contrast


def test_without_a_play_there_is_nothing_to_go_on_with(rehearsal):
    assert "resume" not in rehearsal.taps()
    assert {"new-race", "how", "demonstration", "score-only", "plays", "binder", "labels", "settings"} <= set(
        rehearsal.taps()
    )


def test_one_tap_goes_on_with_the_running_play(rehearsal):
    rehearsal.play("race", ("Ania", "Bartek"), answers=9, seed=2)
    before = rehearsal.app.desk.session.state
    rehearsal.app.home()
    rehearsal.app.desk.leave()
    rehearsal.settle()
    rehearsal.tap("resume")
    assert rehearsal.app.screen.name == "table"
    assert rehearsal.app.desk.session.state == before


def test_a_finished_play_is_not_gone_on_with(rehearsal):
    rehearsal.play("race", ("Ania", "Bartek"), seed=2)
    rehearsal.play_until(lambda session: session.over)
    rehearsal.app.home()
    rehearsal.app.desk.leave()
    rehearsal.settle()
    assert "resume" not in rehearsal.taps()


def test_every_way_leads_somewhere_and_back(rehearsal):
    for name in ("new-race", "how", "score-only", "plays", "binder", "labels", "settings"):
        rehearsal.tap(name)
        assert rehearsal.app.screen.name == name.removesuffix("-race")
        rehearsal.tap("back")
        assert rehearsal.app.screen.name == "home"


def _played_before(rehearsal, *, over=False, **choices):
    rehearsal.play("race", ("Celina", "Ania", "Bartek"), answers=3, seed=2, **choices)
    if over:
        rehearsal.play_until(lambda session: session.over)
    rehearsal.app.home()
    rehearsal.app.desk.leave()
    rehearsal.settle()


def test_the_same_people_are_at_their_first_question_after_three_taps(rehearsal):
    _played_before(rehearsal, over=True, edition="second")
    taps = 0
    for name in ("again", "start"):
        rehearsal.tap(name)
        taps += 1
    assert taps <= 3
    assert rehearsal.app.screen.name == "table"
    setup = rehearsal.app.desk.session.setup
    assert setup.seats == ("Celina", "Ania", "Bartek")
    assert setup.choices["edition"] == "second"
    assert rehearsal.app.desk.questions()


def test_a_play_that_is_on_does_not_hide_the_same_people(rehearsal):
    _played_before(rehearsal)
    assert {"resume", "again"} <= set(rehearsal.taps())
    rehearsal.tap("again")
    assert [person.name for person in rehearsal.app.screen.people] == ["Celina", "Ania", "Bartek"]


def test_without_a_play_there_are_no_people_of_last_time(rehearsal):
    assert "again" not in rehearsal.taps()


def test_it_says_what_it_is_and_that_a_finger_is_enough(rehearsal):
    assert "Works by touch too" in " ".join(rehearsal.words())
    rehearsal.tap("how")
    told = " ".join(rehearsal.words())
    assert all(f"{n}. " in told for n in range(1, 5))
    rehearsal.tap("new")
    assert rehearsal.app.screen.name == "new"


@pytest.mark.every_game
def test_every_game_has_a_cover_and_a_colour_of_its_own(rehearsal):
    covers = {game.id: cover_of(game.id) for game in every_game().values()}
    assert len(set(covers.values())) == len(covers)
    assert len({game.box.colour for game in every_game().values()}) == len(covers)
    for game in games().values():
        tap = rehearsal.taps()[f"new-{game.id}"]
        assert isinstance(tap, CoverTap)
        assert tap.cover.svg == covers[game.id]
        assert contrast(game.box.colour, LIGHT) >= 7


def test_memory_nobody_uses_is_given_back_now_and_then(rehearsal, monkeypatch):
    given = []
    monkeypatch.setattr("companion.ui.tidying.give_back", lambda: given.append(1))
    monkeypatch.setattr("companion.ui.tidying.gc.isenabled", lambda: False)
    now = [1000.0]
    monkeypatch.setattr("companion.ui.tidying.Clock.get_time", lambda: now[0])
    for second in range(0, 150, 5):
        now[0] = 1000.0 + second
        rehearsal.app.tidying.left()
        rehearsal.app.tidying.between_frames()
    assert len(given) == 6, "all twenty seconds, when somebody looks"


def test_what_a_page_left_is_taken_away_before_the_next_but_one_is_built(rehearsal, monkeypatch):
    monkeypatch.setattr("companion.ui.tidying.gc.isenabled", lambda: False)
    gc.disable()
    try:
        left = weakref.ref(rehearsal.app.stage.children[-1])
        rehearsal.app.refresh()
        rehearsal.app.tidying.between_frames()
        assert left() is None
    finally:
        gc.enable()


def test_a_box_that_was_begun_to_be_taught_goes_on_with_one_tap(rehearsal, monkeypatch):
    monkeypatch.setattr("companion.ui.screens.home.MUCH", 2)
    games()["lantern"] = every_game()["lantern"]
    rehearsal.app.home()
    rehearsal.settle()
    assert "teach" not in rehearsal.taps()  # nobody has used it yet
    rehearsal.app.desk.clerk.do(
        lambda _, binder: binder.teach("lantern", "moth", "light", 1, rehearsal.now), lambda _: None, print
    )
    rehearsal.app.home()
    rehearsal.settle()
    rehearsal.tap("teach")
    assert rehearsal.screen.lesson.pad.component.id == "firefly"
    rehearsal.tap("back")
    rehearsal.tap("back")
    assert rehearsal.app.screen.name == "home"
