"""Drawn films are correct: the same for the same seed, with the true position of every label, and readable shows."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.films.evenings import evening
from vision import decoders, labels
from vision.labels import Label
from workshop.films import events as events
from workshop.films import shows as shows
from workshop.films.cues import Film, Stance
from workshop.films.evening import CLEARLY_ELSEWHERE, Stage
from workshop.films.film import frames, save

OURS = [labels.text(Label("R", n)) for n in range(1, 80)]


def _stage(seed: int, cards: int = 6) -> Stage:
    stage = Stage(seed, (800, 450), 2.4, 18.0)
    for n in range(cards):
        stage.place(OURS[n], Stance(-125 + 50 * n, -55, float(stage.rng.normal(0, 3))))
    return stage


def _film(kind: str, event: events.FilmEvent, seed: int = 1) -> Film:
    stage = _stage(seed)
    assert stage.happen(kind, event)
    return stage.film()


def _read(picture: object) -> dict[str, tuple[float, float]]:
    grey, _ = decoders.to_grey(picture)
    assert grey is not None
    found = {r.text: np.mean(r.corners, axis=0) for r in decoders.zxing(grey) if r.text}
    return {text: (float(x), float(y)) for text, (x, y) in found.items()}


KINDS = {
    **events.NUISANCES,
    "dealing": events.deals(OURS[20:30], up=0.7),
    "uncovering": events.uncovers(OURS[30:33], OURS[33:36]),
}


@pytest.mark.parametrize("kind", ["dealing", "uncovering", "gathering", "shuffling", "bump"])
def test_what_is_read_is_true_and_what_is_true_is_read(kind: str) -> None:
    film = _film(kind, KINDS[kind])
    told, read = 0, 0
    for n, frame in enumerate(frames(film)):
        if n % 6:
            continue
        seen, there = _read(frame.picture), {label.text: label for label in frame.truth}
        for text, at in seen.items():
            assert text in there, f"{text} is read at {frame.at:.2f} and is not there"
            middle = np.mean(there[text].corners, axis=0)
            assert np.hypot(*(middle - at)) < 8, f"{text} is read elsewhere at {frame.at:.2f}"
        plain = [text for text, label in there.items() if label.visible]
        told, read = told + len(plain), read + sum(text in seen for text in plain)
    assert read > 0.85 * told


def test_a_film_is_the_same_by_seed() -> None:
    one, other = (_film("hand rests", events.rests, 3) for _ in range(2))
    assert one == other
    for _, a, b in zip(range(20), frames(one), frames(other), strict=False):
        assert a.at == b.at
        assert np.array_equal(a.picture, b.picture)


def test_frames_come_quickly_only_while_something_moves() -> None:
    stage = _stage(2)
    stage.now = 60.0
    assert stage.happen("arm, fast", events.passes_fast)
    times = [frame.at for frame in frames(stage.film())]
    early = [t for t in times if t < 59]
    late = [t for t in times if 60 <= t < 61.5]
    assert len(early) < 80
    assert len(late) > 10


def test_a_covered_lens_and_a_dark_room_show_nothing() -> None:
    for kind in ("lens covered", "light off"):
        film = _film(kind, KINDS[kind])
        (spell,) = film.spells
        for frame in frames(film):
            if spell.start <= frame.at < spell.end:
                assert frame.truth == ()
                assert _read(frame.picture) == {}


def test_no_pictures_come_while_a_camera_is_out() -> None:
    for kind in ("pause", "unplugged"):
        film = _film(kind, KINDS[kind])
        (spell,) = film.spells
        assert not any(spell.start <= frame.at < spell.end for frame in frames(film))


@pytest.mark.parametrize(
    "event",
    [
        shows.brings(OURS[50], 0, held=True, left=False),
        shows.brings(OURS[51], 1, held=False, left=False),
        shows.brings(OURS[52], 1, held=False, left=True),
        shows.brings(OURS[53], 0, held=True, left=True),
        shows.lifts(OURS[1], 0, back=True),
        shows.lifts(OURS[4], 1, back=False),
        shows.lays_elsewhere(OURS[2], 1),
        shows.two_seats((OURS[60], OURS[61]), (0, 1)),
    ],
)
def test_a_shown_card_can_be_read_all_the_time(event: events.FilmEvent) -> None:
    film = _film("show", event)
    assert film.shows
    for show in film.shows:
        during = [frame for frame in frames(film) if show.start + 0.02 <= frame.at < show.end]
        assert during
        there = [{t.text: t for t in frame.truth}[show.label] for frame in during]
        assert all(label.visible for label in there), {label.why for label in there}
        some = during[::3]
        assert sum(show.label in _read(frame.picture) for frame in some) > 0.9 * len(some)


def test_a_card_that_was_dealt_face_down_is_shown_face_up() -> None:
    stage = _stage(5)
    assert stage.happen("dealing", events.deals(OURS[20:22], up=0.0))
    assert stage.happen("show", shows.brings(OURS[20], 0, held=False, left=False))
    (show,) = stage.film().shows
    assert [cue.up for cue in stage.cues[OURS[20]] if cue.at == show.start] == [True]


def test_a_card_laid_elsewhere_has_its_label_elsewhere() -> None:
    """A card that is turned round on its way moves further than its label, which is all a camera knows it by."""
    for seed in range(100):
        stage = _stage(seed)
        text = stage.one(stage.face_up)
        lay = stage.label_at(text, stage.lying[text])
        if stage.happen("show", shows.lays_elsewhere(text, seed % 2)):
            now = stage.label_at(text, stage.lying[text])
            assert np.hypot(now[0] - lay[0], now[1] - lay[1]) >= CLEARLY_ELSEWHERE


@pytest.mark.parametrize("game", ["race", "eclipse", "frontiers", "transgalactica", "beyond"])
def test_an_evening_of_every_game_has_everything(game: str) -> None:
    kinds = {event.kind for seed in range(3) for event in evening(game, seed, 60).film.events}
    assert kinds >= {*events.NUISANCES, "dealing", "uncovering", "show"}


def test_a_film_is_saved_as_pictures_with_their_times(tmp_path: Path) -> None:
    film = _film("arm, fast", events.passes_fast)
    save(film, tmp_path / "film")
    lines = [line.split() for line in (tmp_path / "film" / "times.txt").read_text("utf-8").splitlines()]
    assert [float(at) for _, at in lines] == pytest.approx([f.at for f in frames(film)], abs=1e-3)
    first = cv2.imread(str(tmp_path / "film" / lines[0][0]))
    assert first is not None
    assert first.shape == (450, 800, 3)
    assert set(_read(first)) == set(OURS[:6])
