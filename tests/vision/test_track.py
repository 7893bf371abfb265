"""Labels come and go: enough frames, a patient eye, no second scan."""

from __future__ import annotations

from vision.sightings import Sighting
from vision.track import LONGEST_GAP, SECONDS_TO_LEAVE, Appeared, LabelNews, Left, Tracker

FPS = 10


def seen(text: str, x: float = 0.0) -> Sighting:
    corners = ((x, 0.0), (x + 50, 0.0), (x + 50, 50.0), (x, 50.0))
    return Sighting(text=text, corners=corners, how="zxing", sure=1.0, module=2.4)


def watch(
    frames: list[list[str]], tracker: Tracker | None = None, began: float = 0.0
) -> tuple[Tracker, list[LabelNews]]:
    tracker, told = tracker or Tracker(), []
    for n, texts in enumerate(frames):
        tracker, news = tracker.see([seen(text) for text in texts], began + n / FPS)
        told += news
    return tracker, told


def names(news: list[LabelNews]) -> list[str]:
    return [f"+{n.sighting.text}" if isinstance(n, Appeared) else f"-{n.text}" for n in news]


def test_one_lonely_frame_is_not_enough() -> None:
    assert watch([["A"], [], [], []])[1] == []


def test_two_frames_are_even_with_a_gap() -> None:
    tracker, news = watch([["A"], [], ["A"]])
    assert names(news) == ["+A"]
    assert [s.text for s in tracker.present] == ["A"]


def test_two_frames_too_far_apart_are_not() -> None:
    assert watch([["A"], *[[]] * 15, ["A"]])[1] == []


def test_a_card_left_lying_is_no_second_scan() -> None:
    assert names(watch([["A"]] * 300)[1]) == ["+A"]


def test_a_hand_passing_over_does_not_make_it_leave() -> None:
    covered = [["A"]] * 3 + [[]] * int((SECONDS_TO_LEAVE - 0.5) * FPS) + [["A"]] * 3
    assert names(watch(covered)[1]) == ["+A"]


def test_it_leaves_after_being_gone_for_a_while_and_may_come_back() -> None:
    gone = [["A"]] * 3 + [[]] * int((SECONDS_TO_LEAVE + 0.5) * FPS) + [["A"]] * 3
    assert names(watch(gone)[1]) == ["+A", "-A", "+A"]


def test_time_without_frames_does_not_count_as_being_gone() -> None:
    tracker, _ = watch([["A"]] * 3)
    tracker, news = tracker.see([], 3600.0)
    assert news == ()
    assert LONGEST_GAP < SECONDS_TO_LEAVE


def test_a_clock_that_goes_backwards_does_no_harm() -> None:
    tracker, _ = watch([["A"]] * 3, began=100.0)
    tracker, news = tracker.see([], 50.0)
    assert news == ()


def test_labels_are_told_apart() -> None:
    told = names(watch([["A", "B"]] * 3 + [["B"]] * 40)[1])
    assert told == ["+A", "+B", "-A"]


def test_where_it_lies_follows_the_card() -> None:
    tracker, _ = watch([["A"]] * 2)
    tracker, _ = tracker.see([seen("A", 300.0)], 1.0)
    assert tracker.present[0].corners[0] == (300.0, 0.0)


def test_leaving_says_when() -> None:
    _, news = watch([["A"]] * 2 + [[]] * 40)
    left = news[-1]
    assert isinstance(left, Left)
    assert 3.0 < left.at < 3.3


def test_pictures_exactly_a_second_apart_belong_together_whatever_rounding_does() -> None:
    for n in range(200):
        began = n * 1234.5678901
        tracker, _ = Tracker().see([seen("A")], began)
        _, news = tracker.see([seen("A")], began + 1.0)
        assert news, began
