"""Nothing moves under a finger: steppers, form rows, lists and tabs keep their places while they are used."""

import pytest

from companion.ui.rehearsal import staging
from companion.ui.toolkit.geometry import rect
from tests.ui.monkey import Monkey

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


def test_larger_and_smaller_stay_where_they_are(rehearsal):
    """Also where the page has no room for two columns any more."""
    rehearsal.app.go("settings", section="text")
    rehearsal.settle()
    places = []
    for _ in range(5):
        places.append([rect(rehearsal.taps()[name]) for name in ("less-text", "more-text")])
        rehearsal.tap("more-text")
    assert rehearsal.app.look.text == 1.5
    assert not rehearsal.app.look.wide
    assert places == [places[0]] * 5
