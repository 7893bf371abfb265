"""Nothing moves under a finger: steppers, form rows, lists and tabs keep their places during use."""

import pytest

from companion.core.game import games
from companion.ui.screens.table.pages import page_for
from companion.ui.toolkit.geometry import rect, visible
from tests.ui.monkey import Monkey
from tests.ui.test_fact import asks_for
from workshop.screens import staging

PAGES = (
    "settings-text",
    "settings-sound",
    "settings-table",
    "score-only",
    "score-only-cards",
    "score-only-numbers",
    "new-people",
    "new-rules",
    "binder-lesson",
    "binder-teach",
    "correct",
    "history",
    "score-sheet",
    "labels",
    "table",
    "table-several",
    "table-reveal-cards",
    "table-numbers",
    "table-parts",
    "table-dice",
    "table-light-mars",
)
LEAVES = ("back", "home", "settings", "demonstration", "section-", "of-", "start", "next")
TOUCHES = 25


@pytest.mark.every_game
@pytest.mark.parametrize("text", [100, 150])
@pytest.mark.parametrize("page", PAGES)
def test_what_is_touched_keeps_its_place(rehearsal, page, text):
    """Anything on the page is touched, in any order: what is still there is still under the finger."""
    rehearsal.change(language="pl", text_size=text)
    staging.scenes([page])[page](rehearsal)
    rehearsal.settle_beside()
    monkey, screen = Monkey(rehearsal, len(page) + text), rehearsal.screen
    for _ in range(TOUCHES):
        spots = [spot for spot in monkey.spots() if not spot[0].startswith(LEAVES)]
        if rehearsal.screen is not screen or not spots:
            break
        name, x, y = monkey.random.choice(spots)
        monkey.done.append(name)
        monkey.touch(x, y)


@pytest.mark.every_game
@pytest.mark.parametrize(("language", "text"), [("en", 100), ("pl", 150)])
def test_the_way_to_one_more_stays_while_its_list_grows(rehearsal, language, text):
    """What was added is shown right below it, also where the list is longer than the page."""
    rehearsal.change(language=language, text_size=text)
    box = games()["beyond"]
    rehearsal.app.go("binder", teach=box)
    rehearsal.settle()
    rehearsal.screen.teach(next(c.id for c in box.usual_box() if hasattr(c, "slots")))
    rehearsal.settle()
    place = visible(rehearsal.taps()["add-value.slots"])
    for _ in range(6):
        rehearsal.touch((place[0] + place[2]) / 2, (place[1] + place[3]) / 2)
        rehearsal.settle()
        assert visible(rehearsal.taps()["add-value.slots"]) == place
    assert "open-value.slots-5" in rehearsal.taps()


@pytest.mark.every_game
@pytest.mark.parametrize(("language", "text"), [("en", 100), ("pl", 100), ("pl", 150)])
def test_values_that_may_occur_repeatedly_keep_their_places(rehearsal, language, text):
    """Also beside others, and where what was entered needs several lines; the way back goes only with the last."""
    rehearsal.change(language=language, text_size=text)
    rehearsal.play("beyond", ("Ania", "Bartek"), seed=1)
    rehearsal.play_until(asks_for("basic-boards.ore_track"))
    monkey = Monkey(rehearsal, 1)

    def touch(name):
        field = "growth" if "growth" in name else "ore_track"
        before = {one: visible(tap) for one, tap in rehearsal.taps().items() if f"value.{field}" in one}
        monkey.touch(*rehearsal.middle(rehearsal.taps()[name]))
        for one, tap in rehearsal.taps().items():
            if one in before:  # bold words are wider by a few pixels
                assert visible(tap) == pytest.approx(before[one], abs=4), f"{one} moved"

    for name in (
        "value.ore_track-0",
        "value.growth-b",
        *["value.growth-none"] * 12,
        *["value.ore_track-2"] * 12,
    ):
        touch(name)
    for field in ("growth", "ore_track"):
        while f"back-value.{field}" in rehearsal.taps():
            touch(f"back-value.{field}")


@pytest.mark.every_game
@pytest.mark.parametrize("game", list(games()))
def test_undo_has_one_place(rehearsal, game):
    """Whatever is asked, and with something to do again or not."""
    rehearsal.play(game, ("Ania", "Bartek", "Celina"), answers=30, seed=2)
    at, pages = rect(rehearsal.taps()["undo"]), set()
    for _ in range(20):
        rehearsal.tap("undo")
        asked = rehearsal.screen.shown_question()
        pages.add(None if asked is None else page_for(asked))
        assert rect(rehearsal.taps()["undo"]) == at
        x, y = rehearsal.middle(rehearsal.taps()["undo"])
        assert Monkey(rehearsal, 1)._under()(x, y)[0] == "undo", (
            "the sentence that tells of it lies elsewhere"
        )
    if game == "eclipse":
        assert len(pages) > 1


def test_larger_and_smaller_stay_where_they_are(rehearsal):
    """Also where the page has no room for two columns any more."""
    rehearsal.app.go("settings", section="text")
    rehearsal.settle()
    places = []
    for _ in range(5):
        places.append([rect(rehearsal.taps()[name]) for name in ("less-text", "more-text")])
        rehearsal.tap("more-text")
    assert rehearsal.app.theme.text == 1.5
    assert not rehearsal.app.theme.wide
    assert places == [places[0]] * 5


@pytest.mark.every_game
@pytest.mark.parametrize(
    ("game", "slug", "picked"), [("beyond", "beyond.lay-technology", 0), ("frontiers", "frontiers.order", -1)]
)
def test_what_is_left_keeps_its_place_after_a_pick(rehearsal, game, slug, picked):
    rehearsal.play(game, ("Ania", "Bartek", "Celina", "Dorota"))
    rehearsal.play_until(lambda session: session.questions()[0].slug == slug)
    tops = [name for name in rehearsal.taps() if name.startswith("option-")]
    before = {name: rect(rehearsal.taps()[name]) for name in tops}
    rehearsal.tap(tops[picked])
    assert rehearsal.screen.shown_question().slug == slug
    now = {name: rect(tap) for name, tap in rehearsal.taps().items() if name in before}
    assert len(now) == len(before) - 1
    assert now == {name: before[name] for name in now}


@pytest.mark.every_game
def test_cards_that_are_left_keep_their_places_below_nine(rehearsal):
    """Small tiles stay small: all of them are in sight."""
    rehearsal.play("transgalactica", ("Ania", "Bartek", "Celina"))
    slug = "transgalactica.laid-technology"
    rehearsal.play_until(lambda session: session.questions()[0].slug == slug)
    places = {name: rect(tap) for name, tap in rehearsal.taps().items() if name.startswith("option-")}
    assert len(places) > 8
    while len(left := [name for name in rehearsal.taps() if name in places]) > 8:
        rehearsal.tap(left[3])
    assert {name: rect(rehearsal.taps()[name]) for name in left} == {name: places[name] for name in left}
