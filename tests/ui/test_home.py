"""The first screen."""

import gc
from random import Random

import pytest
from kivy.core.window import Window
from kivy.graphics.instructions import CanvasBase

from companion.core.autoplay import any_answer
from companion.core.game import every_game, games
from companion.ui.toolkit.covers import COVER, LIGHT, Cover, cover_of
from companion.ui.toolkit.geometry import walk
from companion.ui.toolkit.kit import Scroll, Words
from companion.ui.toolkit.part import Part
from companion.ui.toolkit.theme import contrast
from workshop.screens import shots


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


def test_the_table_that_was_just_left_is_the_one_to_go_on_with(rehearsal):
    """Not the one that was begun last: people went back to the older one from the list of plays."""
    _left(rehearsal, ("Ania", "Bartek"))
    _left(rehearsal, ("Celina", "Darek"))
    rehearsal.now += 60
    rehearsal.app.desk.resume(1)
    rehearsal.settle()
    rehearsal.app.home()
    rehearsal.app.desk.leave()
    rehearsal.settle()
    for name in ("resume", "again"):
        told = [part.text for part in walk(rehearsal.taps()[name]) if isinstance(part, Words)]
        assert "Ania, Bartek" in told
    rehearsal.tap("resume")
    assert rehearsal.app.desk.session.setup.seats == ("Ania", "Bartek")


def _left(rehearsal, names):
    rehearsal.play("race", names, answers=2, seed=2)
    rehearsal.app.home()
    rehearsal.app.desk.leave()
    rehearsal.settle()


LARGER = ((1024, 600), (1280, 720))
"""In the others `test_shots.py` looks at every screen."""


@pytest.mark.parametrize("size", LARGER, ids=lambda size: "x".join(map(str, size)))
def test_all_of_it_is_on_one_page_of_a_larger_window(tmp_path, size):
    """The longest words there are; what has no room would be cut off, for nothing here scrolls."""
    names = ("home-first", "home", "home-crowded")
    assert shots.take(tmp_path, names, [size], [("pl", 150)], samples=0)[1] == []


def test_nothing_here_scrolls(rehearsal):
    _left(rehearsal, ("Ania", "Bartek"))
    assert [part for part in walk(rehearsal.app.stage) if isinstance(part, Scroll)] == []


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
    assert "Touching the screen works, too" in " ".join(rehearsal.words())
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
        cover = rehearsal.taps()[f"new-{game.id}"].part.lead
        assert isinstance(cover, Cover)
        assert cover.svg == covers[game.id]
        assert cover.width / cover.height == pytest.approx(COVER[0] / COVER[1], rel=0.05), (
            "it would be cropped"
        )
        assert contrast(game.box.colour, LIGHT) >= 7


@pytest.fixture
def garbage_collection(rehearsal, monkeypatch):
    """Time that passes, and what is done meanwhile: how far was searched, and that memory was given back."""

    class Watched:
        def __init__(self):
            self.now, self.new, self.searches, self.further, self.done = 1000.0, 0, 0, 0, []

        def pass_by(self, seconds, busy=False):
            for _ in range(int(seconds)):
                self.now += 1.0
                if busy:
                    rehearsal.app.garbage_collection.busy()
                rehearsal.app.garbage_collection.between_frames()
                self.now += 0.02
                rehearsal.app.garbage_collection.between_frames()
            told, self.done = self.done, []
            return told

    watched = Watched()
    for name, instead in {
        "give_back": lambda: watched.done.append("gave back"),
        "gc.isenabled": lambda: False,
        "gc.get_count": lambda: (watched.new, watched.searches, watched.further),
        "gc.collect": lambda generation=2: watched.done.append(generation),
        "Clock.get_time": lambda: watched.now,
    }.items():
        monkeypatch.setattr(f"companion.ui.garbage_collection.{name}", instead)
    rehearsal.app.garbage_collection.__init__()
    watched.pass_by(30)
    return watched


def test_memory_nobody_uses_is_given_back_now_and_then(garbage_collection):
    assert garbage_collection.pass_by(100, busy=True).count("gave back") == 5
    garbage_collection.pass_by(40)
    assert garbage_collection.pass_by(100) == [], "nothing was used since"


def test_everything_is_searched_when_nobody_waits(garbage_collection):
    assert 2 not in garbage_collection.pass_by(60, busy=True)
    assert garbage_collection.pass_by(60).count(2) == 1, "once, when it has become quiet"
    assert garbage_collection.pass_by(260, busy=True).count(2) == 2, "or if it never is, every two minutes"


def test_while_people_play_only_what_is_new_is_searched(garbage_collection):
    assert not {0, 1, 2} & set(garbage_collection.pass_by(5, busy=True)), "there is nothing much"
    garbage_collection.new = 20_000
    assert set(garbage_collection.pass_by(2, busy=True)) == {0}
    garbage_collection.searches = 5
    assert set(garbage_collection.pass_by(2, busy=True)) == {1}
    garbage_collection.further = 6
    assert garbage_collection.pass_by(1, busy=True)[:2] == [1, 2], "in a frame of its own, before it is much"


@pytest.mark.parametrize("screen", ["how", "plays", "settings", "table"])
def test_a_page_that_was_taken_off_need_not_be_searched_for(rehearsal, screen):
    rehearsal.play("race", ("Ania", "Bartek", "Celina"), answers=20)
    rehearsal.app.home(screen)
    rehearsal.settle()
    gc.disable()
    gc.collect()
    try:
        for _ in range(3):
            rehearsal.app.refresh()
            rehearsal.frames(2)
        gc.set_debug(gc.DEBUG_SAVEALL)
        gc.collect()
        assert [found for found in gc.garbage if issubclass(type(found), Part)] == []
    finally:
        gc.set_debug(0)
        gc.garbage.clear()
        gc.enable()


@pytest.mark.every_game
def test_what_was_drawn_need_not_be_searched_for(rehearsal):
    rehearsal.play("eclipse", ("Ania", "Bartek", "Celina"), answers=20)
    random = Random(1)
    gc.disable()
    gc.collect()
    try:
        for _ in range(8):
            rehearsal.app.desk.propose(any_answer(rehearsal.app.desk.session, random))
            rehearsal.settle()
            type(Window).on_draw(Window)  # a canvas that was drawn has itself
        gc.set_debug(gc.DEBUG_SAVEALL)
        gc.collect()
        assert [found for found in gc.garbage if issubclass(type(found), CanvasBase)] == []
    finally:
        gc.set_debug(0)
        gc.garbage.clear()
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
