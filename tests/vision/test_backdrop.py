"""The picture around the labels: dark, covered, moved, or only a hand in it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.vision.test_track import seen
from vision.backdrop import Backdrop
from vision.grey_cells import small
from vision.label_news import Brought, Disturbed, LabelNews, Noticed
from vision.sightings import Sighting
from vision.track import Tracker

WIDE, HIGH = 640, 360
FPS = 10
NOISE = np.random.default_rng(3).normal(0, 4, (5, HIGH, WIDE)).astype(np.float32)


def table(seed: int = 1, plain: bool = False) -> Any:
    """A table with things on it."""
    rng = np.random.default_rng(seed)
    picture = np.full((HIGH, WIDE), 120.0, np.float32)
    if not plain:
        for _ in range(60):
            x, y = rng.integers(0, WIDE - 40), rng.integers(0, HIGH - 40)
            picture[y : y + rng.integers(10, 40), x : x + rng.integers(10, 40)] = rng.integers(20, 240)
    return picture


def with_label(picture: Any, x: int, y: int, side: int = 42) -> Any:
    """The same with something like a label on a white card."""
    picture = picture.copy()
    picture[max(0, y - 12) : y + side + 12, max(0, x - 12) : x + side + 12] = 235
    squares = np.random.default_rng(7).random((7, 7)) < 0.5
    picture[y : y + side, x : x + side] = np.kron(squares, np.ones((side // 7, side // 7))) * 215
    return picture


def with_hand(picture: Any, left: int, wide: int = 120, top: int = 0) -> Any:
    picture = picture.copy()
    picture[top:, left : left + wide] = 175
    return picture


class Camera:
    """Looks one after another at pictures with the labels somebody would read in them."""

    def __init__(self) -> None:
        self.tracker, self.at = Tracker(), 0.0
        self.news: list[LabelNews] = []

    def look(
        self,
        picture: Any,
        labels: list[Sighting],
        seconds: float,
        *,
        fps: float = FPS,
        thorough: bool = True,
    ) -> Camera:
        for _ in range(round(seconds * fps)):
            self.at += 1 / fps
            noisy = np.clip(picture + NOISE[round(self.at * FPS) % len(NOISE)], 0, 255).astype(np.uint8)
            self.tracker, news = self.tracker.see(labels, self.at, noisy, thorough=thorough)
            self.news += news
        return self

    @property
    def shown(self) -> list[str]:
        return [item.sighting.text for item in self.news if isinstance(item, Brought)]

    @property
    def disturbed(self) -> list[str]:
        return [item.what for item in self.news if isinstance(item, Disturbed)]


def at(text: str, x: int, y: int, side: int = 42) -> Sighting:
    return seen(text, x, y, side / 42)


def test_a_card_brought_by_a_hand_is_shown() -> None:
    empty = table()
    held = with_label(with_hand(empty, 260), 300, 100)
    camera = Camera().look(empty, [], 3).look(held, [at("A", 300, 100)], 1)
    assert camera.shown == ["A"]
    assert camera.disturbed == []


def test_a_label_that_is_read_late_was_there_all_the_time() -> None:
    there = with_label(table(), 300, 100)
    camera = Camera().look(there, [], 5).look(there, [at("A", 300, 100)], 5)
    assert camera.shown == []
    assert [type(item) for item in camera.news] == [Noticed]


def test_a_label_that_is_first_read_after_a_hand_lay_on_it_was_there_too() -> None:
    there = with_label(table(), 300, 100)
    camera = (
        Camera().look(there, [], 5).look(with_hand(there, 260), [], 1.5).look(there, [at("A", 300, 100)], 5)
    )
    assert camera.shown == []


@pytest.mark.parametrize("lens", ["black", "skin"])
def test_a_covered_lens_is_told_and_shows_nothing(lens: str) -> None:
    there = with_label(with_label(table(), 300, 100), 100, 200)
    both = [at("A", 300, 100), at("B", 100, 200)]
    dark = np.full((HIGH, WIDE), 3.0 if lens == "black" else 140.0)
    camera = Camera().look(there, both, 5).look(dark, [], 4).look(there, both, 5)
    assert camera.shown == []
    assert camera.disturbed == ["dark", ""]


def test_what_comes_into_view_in_the_dark_is_found() -> None:
    dark = np.full((HIGH, WIDE), 3.0)
    there = with_label(table(), 300, 100)
    camera = Camera().look(table(), [], 5).look(dark, [], 4).look(there, [at("A", 300, 100)], 5)
    assert camera.shown == []


@pytest.mark.parametrize("plain", [True, False])
def test_a_bumped_camera_with_a_single_card_shows_nothing(plain: bool) -> None:
    """One label tells nothing about the others: the rest of the picture does, or that no hand was there."""
    before = with_label(table(plain=plain), 100, 100)
    after = np.roll(before, (30, 260), (0, 1))
    camera = Camera().look(before, [at("A", 100, 100)], 12).look(after, [at("A", 360, 130)], 5)
    assert camera.shown == []
    assert camera.look(after, [at("A", 360, 130)], 5).shown == []


@pytest.mark.parametrize("visible", [0, 20, 40])
def test_a_bump_that_brings_a_card_into_the_picture_answers_nothing(visible: int) -> None:
    """On a plain table nothing but a hand tells whether somebody brought it: without one it is offered at most."""
    bare, card = table(plain=True), with_label(table(plain=True), 200, 150)
    before = bare.copy()
    before[:, :visible] = card[:, 254 - visible : 254]
    camera = Camera().look(before, [], 5)
    camera.look(np.roll(before, 10, axis=1), [], 0.1).look(card, [at("A", 200, 150)], 2)
    assert [news.perhaps_laid for news in camera.news if isinstance(news, Brought)] == [True]


@pytest.mark.parametrize("laid", [True, False])
def test_a_card_a_hand_brings_to_a_plain_table_is_plainly_shown(laid: bool) -> None:
    bare = table(plain=True)
    card = with_label(bare, 300, 100, 21)
    held = with_label(with_hand(bare, 280, 60, top=60), 300, 100, 21)
    camera = Camera().look(bare, [], 5).look(with_hand(bare, 280, 60, top=160), [], 0.2)
    camera.look(held, [at("A", 300, 100, 21)], 0.2).look(card if laid else held, [at("A", 300, 100, 21)], 2)
    assert [news.perhaps_laid for news in camera.news if isinstance(news, Brought)] == [False]


def test_a_card_lifted_from_a_plain_table_is_shown_all_the_same() -> None:
    before = with_label(table(plain=True), 100, 100, 21)
    held = with_label(with_hand(table(plain=True), 340, top=90), 380, 100, 21)
    camera = Camera().look(before, [at("A", 100, 100, 21)], 12).look(with_hand(before, 60), [], 1)
    assert camera.look(held, [at("A", 380, 100, 21)], 1).shown == ["A"]


@pytest.mark.parametrize(("side", "shown"), [(56, ["A"]), (49, [])])
def test_a_bump_brings_no_card_much_nearer(side: int, shown: list[str]) -> None:
    """A card lifted by its rim may hide the hand that holds it."""
    bare = table(plain=True)
    camera = Camera().look(with_label(bare, 100, 100), [at("A", 100, 100)], 12)
    held = with_label(bare, 360, 130, side)
    assert camera.look(held, [at("A", 360, 130, side)], 2).shown == shown


def test_a_card_seen_to_leave_another_was_moved_by_hand_though_then_it_covers_the_other() -> None:
    """A bump would have moved both, and on a plain table nothing else tells."""
    empty, other = table(plain=True), at("B", 150, 90)
    both = with_label(with_label(empty, 60, 90), 150, 90)
    camera = Camera().look(both, [at("A", 60, 90), other], 12)
    for x in (90, 120):
        camera.look(with_label(with_hand(both, x, 90, top=150), x, 60, 49), [at("A", x, 60, 49), other], 0.1)
    held = with_label(with_hand(both, 120, 90, top=150), 150, 60, 63)
    assert camera.look(held, [at("A", 150, 60, 63)], 0.5).shown == ["A"]


def test_a_card_that_was_straightened_just_before_a_bump_is_not_shown_by_it() -> None:
    empty, other = table(plain=True), at("B", 150, 90)
    lying = with_label(with_label(empty, 60, 90), 150, 90)
    straight = with_label(with_label(empty, 60, 150), 150, 90)
    camera = Camera().look(lying, [at("A", 60, 90), other], 12)
    camera.look(with_hand(straight, 60, 40, top=210), [at("A", 60, 150), other], 0.3)
    camera.look(straight, [at("A", 60, 150), other], 0.8)
    bumped = np.roll(straight, 290, axis=1)
    assert camera.look(bumped, [at("A", 350, 150)], 2).shown == []


def test_a_card_that_was_taken_from_a_bare_table_comes_along_with_another() -> None:
    """It lay about there a while ago, but not any more: nobody shows alone."""
    bare = table(plain=True)
    camera = Camera().look(with_label(bare, 100, 100), [at("A", 100, 100)], 3).look(bare, [], 10)
    first = with_label(with_hand(bare, 380, 80, top=100), 400, 60)
    camera.look(first, [at("B", 400, 60)], 0.2)
    both = with_label(with_hand(first, 100, 80, top=150), 110, 110)
    camera.look(both, [at("A", 110, 110), at("B", 400, 60)], 1.5)
    shown = [news for news in camera.news if isinstance(news, Brought)]
    assert {news.sighting.text for news in shown} == {"A", "B"}
    assert len({news.at for news in shown}) == 1 or all(news.follows for news in shown)


def test_what_the_camera_sees_after_it_was_turned_away_was_not_shown() -> None:
    there = with_label(table(), 300, 100)
    other = with_label(table(seed=2), 200, 150)
    camera = Camera().look(there, [at("A", 300, 100)], 12).look(other, [at("B", 200, 150)], 5)
    assert camera.shown == []
    assert camera.disturbed == ["moved", ""]


def test_a_card_held_close_is_shown_though_it_fills_the_picture() -> None:
    """A camera that only sees the spot: nothing lies there that a bump could bring."""
    empty = table()
    close = with_label(with_hand(empty, 60, 520), 240, 100, 140)
    camera = Camera().look(empty, [], 3).look(close, [at("A", 240, 100, 140)], 1)
    assert camera.shown == ["A"]


def test_a_card_that_was_taken_away_may_be_shown_at_the_same_place_again() -> None:
    """Its place looks as it did before it came: it is known to be gone, not covered."""
    empty = table()
    there = with_label(empty, 300, 100)
    camera = Camera().look(empty, [], 3).look(there, [at("A", 300, 100)], 5)
    camera.look(empty, [], 4).look(there, [at("A", 300, 100)], 1)
    assert camera.shown == ["A", "A"]
    camera.look(there, [at("A", 300, 100)], 5).look(with_hand(there, 260), [], 60)
    assert camera.look(there, [at("A", 300, 100)], 5).shown == ["A", "A"], "covered, not taken away"


def test_brighter_and_darker_light_is_no_disturbance() -> None:
    there = with_label(table(), 300, 100)
    camera = Camera().look(there, [at("A", 300, 100)], 5)
    camera.look(there * 0.7, [at("A", 300, 100)], 5).look(there, [at("A", 300, 100)], 5)
    assert camera.disturbed == []
    assert camera.shown == []


def test_a_picture_of_any_shape_has_a_small_copy() -> None:
    for shape in ((30_000, 1), (1, 30_000), (1, 1), (4, 4, 3)):
        assert small(np.zeros(shape, np.uint8)).size <= 4 * 320 * 320


def wood(seed: int = 5) -> Any:
    """A table with nothing on it but its grain."""
    lines = np.random.default_rng(seed).normal(0, 9, (2 * HIGH, WIDE // 8)).astype(np.float32)
    return 140 + np.repeat(lines, 8, axis=1)


def test_a_hand_that_takes_the_only_card_is_not_a_bump() -> None:
    """A table is more than the cards on it."""
    bare = wood()[:HIGH]
    lying = with_label(bare, 40, 60, 21)
    held = with_label(with_hand(bare, 20, 200, top=120), 100, 60, 35)
    camera = Camera().look(lying, [at("A", 40, 60, 21)], 12).look(with_hand(lying, 20, 200), [], 0.7)
    camera.look(held, [at("A", 100, 60, 35)], 1)
    assert camera.disturbed == []
    assert camera.shown == ["A"]


def test_a_card_that_a_bump_brings_into_the_picture_of_a_bare_table_is_found() -> None:
    whole = wood()
    before, after = whole[:HIGH], with_label(whole[40 : HIGH + 40], 20, 300, 21)
    camera = Camera().look(before, [], 5).look(after, [at("A", 20, 300, 21)], 5)
    assert camera.shown == []
    assert camera.disturbed == ["moved", ""]


def test_the_card_below_the_one_that_is_taken_is_found_though_the_table_is_crowded() -> None:
    """Its label is not where the other's was; what it looks like there is no table."""
    crowd = [at(f"C{n}", 10 + 70 * (n % 9), 10 + 110 * (n // 9)) for n in range(18)]
    picture = wood()[:HIGH]
    for n in range(18):
        picture = with_label(picture, 10 + 70 * (n % 9), 10 + 110 * (n // 9))
    art = picture.copy()
    art[250:345, 300:460] = np.random.default_rng(2).choice([90, 130], (19, 32)).repeat(5, 0).repeat(5, 1)
    top, below = with_label(art, 310, 290), with_label(art, 400, 275)
    camera = Camera().look(top, [*crowd, at("T", 310, 290)], 5)
    camera.look(below, [*crowd, at("B", 400, 275)], 3)
    assert camera.shown == []


def test_a_small_label_that_is_read_now_and_then_is_shown_in_time() -> None:
    empty, there = table(), with_label(table(), 300, 100, 21)
    camera = Camera().look(empty, [], 3).look(there, [], 0.1)
    camera.look(there, [at("A", 300, 100, 21)], 0.1).look(there, [], 0.3)
    assert camera.shown == ["A"]


def test_a_small_label_that_is_first_read_after_a_while_is_shown_at_once() -> None:
    empty, there = table(), with_label(table(), 300, 100, 21)
    camera = Camera().look(empty, [], 3).look(there, [], 0.5).look(there, [at("A", 300, 100, 21)], 0.1)
    assert camera.shown == ["A"]


def test_a_label_that_was_not_read_for_a_while_says_nothing_about_the_lens() -> None:
    there = with_label(table(), 100, 200)
    camera = (
        Camera().look(there, [at("A", 100, 200)], 12).look(there, [], 5).look(there, [at("A", 100, 200)], 0.2)
    )
    held = with_label(with_hand(there, 360), 400, 100, 63)
    assert camera.look(held, [at("A", 100, 200), at("B", 400, 100, 63)], 1).shown == ["B"]


def test_a_bare_table_is_seen_again_after_its_last_card_is_gone() -> None:
    """Nothing in the picture may be a covered lens; a hand that comes over it shows that it is an empty table."""
    empty = table(plain=True)
    there = with_label(with_label(empty, 300, 100), 100, 60)
    camera = Camera().look(there, [at("A", 300, 100), at("B", 100, 60)], 12).look(empty, [], 20)
    assert camera.disturbed == ["dark"]
    held = with_label(with_hand(empty, 260), 300, 100)
    assert camera.look(held, [at("C", 300, 100)], 1).shown == ["C"]
    assert camera.disturbed == ["dark", ""]


def test_the_shadow_before_a_hand_does_not_stay_behind() -> None:
    plain = table(plain=True)
    backdrop = Backdrop.first(small(plain), 0.0)
    for n in range(1, 31):
        backdrop = backdrop.see(small(plain), n / FPS, lying=True)
    for n in range(12):  # darker by a few grey steps with each look, then the hand itself
        shaded = plain.copy()
        for k in range(8):
            shaded[:, 20 * (n + k) : 20 * (n + k + 1)] -= 6 * (8 - k)
        shaded[:, : 20 * n] = 200
        backdrop = backdrop.see(small(shaded), 3 + (n + 1) / FPS, lying=True)
    assert np.abs(backdrop.settled - 120).max() < 3


def test_what_a_hand_covers_grows_darker_with_the_rest() -> None:
    picture = table()
    backdrop = Backdrop.first(small(picture), 0.0)
    for n in range(1, 46):
        seen = picture if n < 30 else with_hand(picture, 300) * (1 - (n - 30) / 100)
        backdrop = backdrop.see(small(seen), n / FPS, lying=True)
    assert np.median(np.abs(backdrop.settled - 0.85 * small(picture))) < 2
    assert np.median(np.abs(backdrop.settled - 0.85 * small(picture))[:, 155:205]) < 2


def test_another_card_that_is_not_read_yet_keeps_one_from_being_alone() -> None:
    plain = table(plain=True)
    two = with_label(with_label(plain, 100, 100), 450, 200)
    two[120:190, 430:530] = np.kron(np.random.default_rng(2).integers(0, 255, (7, 10)), np.ones((10, 10)))
    camera = Camera().look(plain, [], 3).look(two, [at("A", 100, 100)], 0.6)
    assert camera.shown == []
    camera.look(two, [at("A", 100, 100), at("B", 450, 200)], 0.5)
    assert camera.shown == ["A", "B"]


def test_one_that_is_never_read_makes_it_an_offer_if_it_is_held_still() -> None:
    plain = table(plain=True)
    art = np.kron(np.random.default_rng(2).integers(0, 255, (10, 10)), np.ones((10, 10)))
    for moving in (0, 12):
        camera = Camera().look(plain, [], 3)
        for n in range(10):
            two = with_label(plain, 60, 100)
            two[120:220, 400 + moving * n : 500 + moving * n] = art
            camera.look(two, [at("A", 60, 100)], 0.1)
        assert [item.follows for item in camera.news if isinstance(item, Brought)] == [not moving]


def test_a_hand_beside_it_does_not() -> None:
    plain = table(plain=True)
    camera = Camera().look(plain, [], 3)
    camera.look(with_hand(with_label(plain, 100, 100), 400), [at("A", 100, 100)], 0.5)
    assert camera.shown == ["A"]


def test_the_hand_of_a_card_that_is_as_dark_as_the_table_is_its_own() -> None:
    plain = table(plain=True)
    sleeve = np.kron(np.random.default_rng(2).integers(0, 255, (12, 10)), np.ones((10, 10)))
    held = with_label(plain, 100, 100)
    held[240:, 100:200] = sleeve
    camera = Camera().look(plain, [], 3).look(held, [at("A", 100, 100)], 0.5)
    assert camera.shown == ["A"]


def test_a_card_laid_elsewhere_when_others_went_is_one_of_several() -> None:
    empty = table(plain=True)
    labels = [at("A", 60, 60), at("B", 160, 60), at("C", 60, 250)]
    lying = empty
    for x, y in ((60, 60), (160, 60), (60, 250)):
        lying = with_label(lying, x, y)
    swept = with_hand(empty, 0, 300)
    moved = with_label(with_hand(empty, 20, 180), 450, 200)
    camera = Camera().look(lying, labels, 15).look(swept, [], 1.0).look(moved, [at("A", 450, 200)], 1.2)
    assert [item.follows for item in camera.news if isinstance(item, Brought)] == [True]


def test_a_card_laid_elsewhere_while_others_stay_is_shown() -> None:
    empty = table(plain=True)
    labels = [at("A", 60, 60), at("B", 160, 60), at("C", 60, 250)]
    rest = with_label(with_label(empty, 160, 60), 60, 250)
    swept = with_hand(empty, 0, 300)
    camera = Camera().look(with_label(rest, 60, 60), labels, 15).look(swept, [], 1.0)
    camera.look(with_label(rest, 450, 200), [at("A", 450, 200), *labels[1:]], 0.5)
    assert [item.follows for item in camera.news if isinstance(item, Brought)] == [False]


def test_a_place_outside_the_picture_shows_no_card() -> None:
    """A camera whose pictures become smaller: what was read a moment ago is nowhere in them."""
    backdrop = Backdrop.first(small(table()), 0.0)
    outside = (5000, 5000, 5040, 5040)
    assert not backdrop.patterned(outside)
    assert not backdrop.bare(outside)
    assert backdrop.still_for(outside) == 0.0


def with_cup(picture: Any, x: int, y: int, rim: float = 40) -> Any:
    """A cup as bare as a plain table but for its rim."""
    picture = picture.copy()
    off = np.hypot(*np.ogrid[-y : HIGH - y, -x : WIDE - x])
    picture[off < 60] = 120
    picture[(off >= 56) & (off < 60)] = rim
    return picture


OTHERS = [at("B", 560, 20, 28), at("C", 560, 300, 28)]


def among_others(picture: Any, by: int = 0) -> Any:
    """Two more cards, shifted across."""
    return with_label(with_label(picture, 560 + by, 20, 28), 560 + by, 300, 28)


def test_a_card_laid_where_another_was_taken_away_long_ago_is_shown() -> None:
    bare = among_others(table(plain=True))
    there = with_label(bare, 100, 100, 28)
    camera = Camera().look(there, [*OTHERS, at("A", 100, 100, 28)], 15)
    camera.look(with_hand(there, 80, top=80), OTHERS, 1).look(bare, OTHERS, 25)
    camera.look(with_hand(bare, 80, top=80), OTHERS, 0.5).look(there, [*OTHERS, at("D", 100, 100, 28)], 0.6)
    assert camera.shown == ["D"]


def test_a_card_laid_where_another_was_taken_away_just_now_is_shown() -> None:
    """Its place was seen bare, so nothing can lie there under the hand."""
    bare = among_others(table(plain=True))
    there, other = with_label(bare, 100, 100, 28), with_label(bare, 150, 100, 28)
    camera = Camera().look(there, [*OTHERS, at("A", 100, 100, 28)], 15)
    camera.look(with_hand(there, 80, top=80), OTHERS, 1).look(bare, OTHERS, 4)
    camera.look(with_hand(bare, 80, top=80), OTHERS, 0.5).look(other, [*OTHERS, at("D", 150, 100, 28)], 0.6)
    assert camera.shown == ["D"]


def test_the_next_card_of_a_pile_is_found_when_the_topmost_is_taken() -> None:
    pile = with_label(among_others(table(plain=True)), 100, 100, 28)
    camera = Camera().look(pile, [*OTHERS, at("A", 100, 100, 28)], 15)
    camera.look(with_hand(pile, 80, top=80), OTHERS, 8).look(pile, [*OTHERS, at("D", 100, 100, 28)], 3)
    assert camera.shown == []


def test_the_card_below_is_found_though_the_one_above_it_was_dark() -> None:
    """What little there is to see of it is no cloth."""
    top = among_others(table(plain=True))
    top[60:220, 60:220] = np.random.default_rng(2).choice([108, 122], (32, 32)).repeat(5, 0).repeat(5, 1)
    below = with_label(top, 180, 170, 28)
    camera = Camera().look(with_label(top, 80, 80, 28), [*OTHERS, at("A", 80, 80, 28)], 5)
    assert camera.look(below, [*OTHERS, at("D", 180, 170, 28)], 3).shown == []


def test_a_card_that_was_straightened_and_taken_away_is_shown_near_by() -> None:
    """Nobody straightens what is not there any more."""
    bare = among_others(wood()[:HIGH])
    places = [(with_label(bare, x, 100, 28), [*OTHERS, at("A", x, 100, 28)]) for x in (100, 180, 240)]
    camera = Camera().look(bare, OTHERS, 5).look(*places[0], 5).look(*places[1], 5)
    camera.look(with_hand(bare, 80), OTHERS, 1).look(bare, OTHERS, 5)
    camera.news.clear()
    assert camera.look(*places[2], 0.6).shown == ["A"]


@pytest.mark.parametrize("y", [84, 92, 100, 108])
def test_a_card_laid_on_the_edge_of_a_board_lies_on_no_other(y: int) -> None:
    boards = table(plain=True)
    boards[:120] -= 40
    picture = among_others(boards)
    there = with_label(picture, 100, y, 28)
    camera = Camera().look(picture, OTHERS, 5).look(there, [*OTHERS, at("A", 100, y, 28)], 0.6)
    assert camera.shown == ["A"]


def _bumped(camera: Camera, bare: Any, by: int) -> list[Sighting]:
    """The camera is pushed: the two cards are elsewhere in the picture."""
    moved = [at("B", 560 + by, 20, 28), at("C", 560 + by, 300, 28)]
    camera.look(bare, moved, 2)
    assert camera.disturbed == ["moved", ""]
    return moved


def test_a_card_that_was_taken_away_before_a_bump_is_shown_after_it() -> None:
    bare, pushed = among_others(table(plain=True)), among_others(table(plain=True), -40)
    camera = Camera().look(with_label(bare, 100, 100, 28), [*OTHERS, at("A", 100, 100, 28)], 15)
    camera.look(bare, OTHERS, 8)
    moved = _bumped(camera, pushed, -40)
    camera.look(with_label(pushed, 300, 200, 28), [*moved, at("A", 300, 200, 28)], 0.6)
    assert camera.shown == ["A"]


def test_a_card_under_a_cup_is_still_there_after_a_bump() -> None:
    bare, pushed = among_others(table(plain=True)), among_others(table(plain=True), -40)
    camera = Camera().look(with_label(bare, 100, 100, 28), [*OTHERS, at("A", 100, 100, 28)], 15)
    camera.look(with_cup(bare, 114, 114), OTHERS, 30)
    moved = _bumped(camera, with_cup(pushed, 74, 114), -40)
    camera.look(with_label(pushed, 60, 100, 28), [*moved, at("A", 60, 100, 28)], 3)
    assert camera.shown == []


def test_a_card_under_a_dark_hand_in_little_light_is_still_there() -> None:
    """Its outline is as faint as everything else."""
    lying = with_label(among_others(table(plain=True)), 100, 100, 28)
    hand = with_cup(among_others(table(plain=True)), 114, 114, rim=90)
    labels = [*OTHERS, at("A", 100, 100, 28)]
    camera = Camera().look(0.5 * lying, labels, 15).look(0.5 * hand, OTHERS, 30)
    assert camera.look(0.5 * lying, labels, 1).shown == []


def boards() -> Any:
    """Wood, the nearest board of which is brighter than the others; two cards lie on it."""
    boards = wood()[:HIGH] - 20
    boards[235:] += 17
    return among_others(boards)


def test_a_card_taken_from_a_board_that_is_brighter_than_the_others_is_shown_near_by() -> None:
    """It was found there, so nobody knows what was under it; that it is gone the grain all around it tells."""
    bare = boards()
    there, near = with_label(bare, 300, 265, 28), with_label(bare, 210, 262, 28)
    camera = Camera().look(there, [*OTHERS, at("A", 300, 265, 28)], 15)
    camera.look(with_hand(there, 280, top=240), OTHERS, 1).look(bare, OTHERS, 25)
    assert camera.look(near, [*OTHERS, at("A", 210, 262, 28)], 0.6).shown == ["A"]


def test_a_card_under_a_hand_like_the_board_below_it_is_still_there() -> None:
    """It has no outline, but neither the grain that was there, and it goes on to the edge of the picture."""
    bare = boards()
    there, labels = with_label(bare, 300, 265, 28), [*OTHERS, at("A", 300, 265, 28)]
    hand = bare.copy()
    hand[245:, 270:370] = np.roll(bare, 90, axis=1)[245:, 270:370]
    camera = Camera().look(there, labels, 15).look(hand, OTHERS, 40)
    assert camera.look(there, labels, 1).shown == []
