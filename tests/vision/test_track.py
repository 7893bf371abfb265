"""What people mean by moving cards: brought, lifted, or only lying there."""

from __future__ import annotations

import pytest

from vision.label_news import Brought, Disturbed, LabelNews, Left, Noticed
from vision.label_places import ELSEWHERE, NEARER
from vision.sightings import Sighting
from vision.sweep import SweepZone
from vision.track import AWAY, HOLD, Tracker
from vision.tracked import HOME

FPS = 10
SIDE = 42.0


def seen(text: str, x: float = 0.0, y: float = 0.0, nearer: float = 1.0) -> Sighting:
    side = SIDE * nearer
    corners = ((x, y), (x + side, y), (x + side, y + side), (x, y + side))
    return Sighting(text=text, corners=corners, how="zxing", sure=1.0, module=side / 21)


Look = list[Sighting]


class Evening:
    """Looks one after another; what was told is kept."""

    def __init__(self, *lying: Sighting, spot: SweepZone | None = None) -> None:
        self.tracker, self.at, self.spot = Tracker(), 0.0, spot
        self.news: list[LabelNews] = []
        self.look(list(lying), 15.0)
        self.news.clear()

    def look(self, labels: Look, seconds: float = 1.0, *, thorough: bool = True) -> Evening:
        for _ in range(round(seconds * FPS)):
            self.at += 1 / FPS
            self.tracker, news = self.tracker.see(labels, self.at, thorough=thorough, spot=self.spot)
            self.news += news
        return self

    @property
    def shown(self) -> list[str]:
        return [item.sighting.text for item in self.news if isinstance(item, Brought)]


def test_a_card_that_is_brought_and_held_still_is_shown_once() -> None:
    evening = Evening().look([seen("A", 300)], 30)
    assert evening.shown == ["A"]


def test_it_is_told_within_half_a_second() -> None:
    evening = Evening().look([seen("A", 300)], 0.5)
    assert evening.shown == ["A"]
    assert HOLD < 0.5


def test_what_lay_there_when_the_camera_was_switched_on_is_not_shown() -> None:
    tracker = Tracker()
    news: list[LabelNews] = []
    for n in range(50):
        tracker, more = tracker.see([seen("A")], n / FPS)
        news += more
    assert [type(item) for item in news] == [Noticed]


def test_a_card_in_passing_is_not_shown() -> None:
    evening = Evening()
    for n in range(20):
        evening.look([seen("A", 100.0 * n)], 0.1)
    assert evening.shown == []


@pytest.mark.parametrize("covered", [0.5, 3.3, 4.0, 60.0])
def test_a_card_that_was_covered_and_is_seen_again_still_lies_there(covered: float) -> None:
    evening = Evening(seen("A")).look([], covered).look([seen("A", 5, 5)], 5)
    assert evening.shown == []


def test_two_cards_uncovered_one_after_another_still_lie_there() -> None:
    both = [seen("A"), seen("B", 300)]
    evening = Evening(*both).look([], 5).look(both[:1], 0.2).look(both, 3)
    assert evening.shown == []


def test_a_card_clearly_elsewhere_than_it_lay_is_shown() -> None:
    other = seen("B", 2000, 900)
    far = seen("A", (ELSEWHERE + 0.5) * SIDE)
    assert Evening(seen("A"), other).look([other], 1).look([far, other], 1).shown == ["A"]


def test_a_card_that_was_straightened_is_not() -> None:
    other = seen("B", 2000, 900)
    near = seen("A", (ELSEWHERE - 0.5) * SIDE)
    evening = Evening(seen("A"), other).look([other], 1).look([near, other], 20)
    assert evening.shown == []
    assert evening.look([other], 1).look([seen("A"), other], 5).shown == []


def test_a_card_lifted_towards_the_camera_is_shown() -> None:
    evening = Evening(seen("A"), seen("B", 900)).look([seen("A", 0, 0, NEARER + 0.1), seen("B", 900)], 1)
    assert evening.shown == ["A"]


def test_put_back_where_it_belongs_it_lies_there_again() -> None:
    other = seen("B", 2000, 900)
    evening = Evening(seen("A"), other).look([seen("A", 800), other], 1.5).look([other], 5)
    assert evening.look([seen("A"), other], 20).shown == ["A"]


def test_put_down_after_it_was_shown_it_is_not_shown_again() -> None:
    evening = Evening(seen("B", 2000, 900))
    other = seen("B", 2000, 900)
    evening.look([seen("A", 800), other], 1.5).look([other], 1).look([seen("A", 100, 500), other], 20)
    assert evening.shown == ["A"]


def test_shown_again_after_it_was_away() -> None:
    evening = Evening().look([seen("A", 300)], 1.5).look([], AWAY + 1).look([seen("A", 310)], 1.5)
    assert evening.shown == ["A", "A"]


def test_two_copies_are_told_apart() -> None:
    evening = Evening(seen("A1")).look([seen("A1"), seen("A2", 800)], 1)
    assert evening.shown == ["A2"]


def test_what_is_brought_together_is_told_together() -> None:
    evening = Evening()
    evening.look([seen("A", 300)], 0.2).look([seen("A", 300), seen("B", 700)], 1)
    shown = [item for item in evening.news if isinstance(item, Brought)]
    assert {item.sighting.text for item in shown} == {"A", "B"}
    assert len({item.at for item in shown}) == 1


def test_what_follows_within_a_second_says_so() -> None:
    evening = Evening().look([seen("A", 300)], 0.7).look([seen("A", 300), seen("B", 700)], 1)
    assert [(item.sighting.text, item.follows) for item in evening.news if isinstance(item, Brought)] == [
        ("A", False),
        ("B", True),
    ]
    evening.look([seen("A", 300), seen("B", 700)], 2).look([seen("C", 1100)], 1)
    assert [item.follows for item in evening.news if isinstance(item, Brought)][-1] is False


def test_a_card_laid_among_others_may_only_have_been_laid_down() -> None:
    others = [seen("B", 900), seen("C", 1200)]
    evening = Evening(*others).look([*others, seen("A", 300)], 1)
    assert [item.perhaps_laid for item in evening.news if isinstance(item, Brought)] == [True]
    evening = Evening(*others).look([*others, seen("A", 300, 0, NEARER + 0.1)], 1)
    assert [item.perhaps_laid for item in evening.news if isinstance(item, Brought)] == [False]
    evening = Evening().look([seen("A", 300)], 1)
    assert [item.perhaps_laid for item in evening.news if isinstance(item, Brought)] == [False]


def test_a_card_where_another_lies_is_not_brought() -> None:
    """Somebody takes the topmost of a pile: the one below was there all the time."""
    evening = Evening(seen("A")).look([], 1).look([seen("B", 3)], 10)
    assert evening.shown == []


def test_looks_that_could_not_see_say_nothing() -> None:
    """While nobody waits only the large labels are read; the others come back when somebody does."""
    evening = Evening(seen("A"), seen("B", 900))
    evening.look([seen("B", 900)], 40, thorough=False).look([seen("A"), seen("B", 900)], 5)
    assert evening.shown == []
    assert not any(isinstance(item, Left) for item in evening.news)
    evening.look([], 10, thorough=False).look([seen("A"), seen("B", 900), seen("C", 1500)], 5)
    assert evening.shown == [], "nobody watched when it came"


def test_after_a_gap_nobody_knows_what_was_brought() -> None:
    evening = Evening()
    evening.at += 5
    assert evening.look([seen("A", 300)], 5).shown == []


def test_a_camera_that_was_moved_shows_nothing() -> None:
    lying = [seen("A"), seen("B", 900), seen("C", 500, 500)]
    moved = [seen("A", 300, 80), seen("B", 1200, 80), seen("C", 800, 580)]
    evening = Evening(*lying).look(moved, 5)
    assert evening.shown == []
    assert [item.what for item in evening.news if isinstance(item, Disturbed)] == ["moved", ""]
    evening = Evening(*lying).look(moved[1:], 5).look(moved, 5)
    assert evening.shown == [], "the one that was covered meanwhile moved along"


def test_a_shaken_table_shows_nothing() -> None:
    evening = Evening(seen("A"), seen("B", 900))
    for n in range(20):
        x, y = 60.0 * (-1) ** n, 40.0 * (n % 3)
        evening.look([seen("A", x, y), seen("B", 900 + x, y)], 0.1)
    assert evening.look([seen("A"), seen("B", 900)], 5).shown == []


def test_one_label_on_two_things_tells_nothing() -> None:
    evening = Evening(seen("A")).look([seen("A"), seen("A", 900)], 5)
    assert evening.shown == []


def test_what_is_out_of_sight_for_a_while_has_left() -> None:
    evening = Evening(seen("A")).look([], AWAY + 1)
    assert [item.text for item in evening.news if isinstance(item, Left)] == ["A"]
    evening.look([seen("A")], 1)
    assert isinstance(evening.news[-1], Noticed), "and is noticed when it is back"


def test_where_it_belongs_is_where_it_lay_for_a_while() -> None:
    evening = Evening().look([seen("A", 300)], HOME + 5).look([], 5)
    assert evening.look([seen("A", 300)], 3).shown == ["A"]


SPOT: SweepZone = ((500.0, 0.0), (1000.0, 0.0), (1000.0, 500.0), (500.0, 500.0))


def test_with_a_spot_only_what_enters_it_is_shown() -> None:
    evening = Evening(seen("A"), spot=SPOT)
    assert evening.look([seen("A"), seen("B", 100, 300)], 3).shown == []
    evening.look([seen("A"), seen("B", 600, 300)], 3)
    assert evening.shown == ["B"]
    evening.look([seen("A", 700, 100), seen("B", 600, 300)], 3)
    assert evening.shown == ["B", "A"]
    evening.look([], 3.3).look([seen("A", 700, 100), seen("B", 600, 300)], 5)
    assert evening.shown == ["B", "A"], "covered and seen again"


def test_a_clock_that_goes_backwards_does_no_harm() -> None:
    evening = Evening(seen("A"))
    evening.at = 3.0
    assert evening.look([seen("A"), seen("B", 900)], 0.3).shown == []


def test_a_card_lifted_on_a_long_way_is_shown_as_well() -> None:
    """Between two looks it is never much nearer than it was, nor where it was."""
    other = seen("B", 2000, 900)
    evening = Evening(seen("A"), other)
    for n in range(1, 4):
        evening.look([seen("A", 60.0 * n, 0, 1 + 0.12 * n), other], 0.1)
    assert evening.look([seen("A", 180, 0, 1.36), other], 0.5).shown == ["A"]


def test_a_card_lifted_slowly_is_shown_as_well() -> None:
    """Each look shows it hardly nearer than the one before."""
    evening = Evening(seen("A"), seen("B", 900))
    for n in range(1, 10):
        evening.look([seen("A", 0, 0, 1 + 0.05 * n), seen("B", 900)], 0.1)
    assert evening.look([seen("A", 0, 0, 1.45), seen("B", 900)], 1).shown == ["A"]


def test_the_last_of_cards_dealt_onto_each_other_did_not_come_alone() -> None:
    """Each covers the one before within a look or two: only the last is seen for long."""
    evening = Evening(seen("D", 900))
    for n, text in enumerate("ABC"):
        evening.look([seen("D", 900), seen(text, 300 + 60 * n)], 0.1).look([seen("D", 900)], 0.2)
    evening.look([seen("D", 900), seen("C", 420)], 3)
    assert [item.follows for item in evening.news if isinstance(item, Brought)] == [True]


def test_one_that_comes_along_counts_though_this_look_missed_it() -> None:
    evening = Evening()
    for _ in range(10):
        evening.look([seen("A", 300), seen("B", 700)], 0.1).look([seen("A", 300)], 0.1)
    shown = [item for item in evening.news if isinstance(item, Brought)]
    assert {item.sighting.text for item in shown} == {"A", "B"}
    assert len({item.at for item in shown}) == 1


def test_one_label_that_is_read_again_says_nothing_about_the_lens() -> None:
    both = [seen("A"), seen("B", 900)]
    evening = Evening(*both).look(both[:1], AWAY + 1).look(both, 0.2)
    assert evening.look([*both, seen("C", 300)], 1).shown == ["C"]
