"""Made-up card art with a common frame: one set looks as if one publisher had printed it, and another set
as if another had. Deterministic by set and text, at the virtual table's `ART` pixels per mm."""

from __future__ import annotations

import functools

import cv2
import numpy as np

from vision import virtual_paint as paint
from vision.virtual_geometry import Picture
from workshop.faces.pictures import KINDS

TWIN, BACK = "twin of ", "back"
"""A text that begins with the first is the same picture with another title and cost; the second is the back
that all cards of a set share."""


class ArtSet:
    """The art of one made-up game, with pictures of one kind."""

    def __init__(self, seed: int, kind: str = "painted") -> None:
        rng = paint.dice("art set", seed)
        self.seed, self.kind = seed, kind
        self.frame = paint.some_colour(rng, 15, 200)
        self.bar, self.box = paint.some_colour(rng, 10, 90), paint.some_colour(rng, 150, 235)
        self.rim = int(rng.integers(10, 24))
        self.title = float(rng.uniform(0.07, 0.12))
        self.text_from = float(rng.uniform(0.62, 0.85))
        self.icons = int(rng.integers(0, 6))
        self.places = rng.uniform(0.08, 0.92, (self.icons, 2))
        self.frames = [self.frame, *(paint.some_colour(rng, 15, 230) for _ in range(4))]

    def __call__(self, text: str, card: tuple[float, float]) -> Picture:
        """The face with this text; the empty text is a card of no set."""
        return (
            _drawn(self.seed, self.kind, text, card)
            if text
            else paint.card_art(f"stranger {self.seed}", card)
        )


@functools.lru_cache(maxsize=16)
def art_set(seed: int, kind: str = "painted") -> ArtSet:
    """The set with this seed."""
    return ArtSet(seed, kind)


@functools.lru_cache(maxsize=400)
def _drawn(seed: int, kind: str, text: str, card: tuple[float, float]) -> Picture:
    style = art_set(seed, kind)
    w, h = round(card[0] * paint.ART), round(card[1] * paint.ART)
    words = paint.dice("words", seed, text)
    frame = style.frames[int(words.integers(5))] if kind == "reprinted" else style.frame
    art = np.full((h, w, 3), frame, np.uint8)
    rim = style.rim
    if text == BACK:
        return _back(style, art)
    art[rim : h - rim, rim : w - rim] = KINDS[kind](seed, text.removeprefix(TWIN), w - 2 * rim, h - 2 * rim)
    bar = int(h * style.title)
    cv2.rectangle(art, (rim, rim), (w - rim, rim + bar), style.bar, -1)
    title = "".join(chr(65 + int(c)) for c in words.integers(0, 26, size=int(words.integers(5, 12))))
    cv2.putText(
        art,
        title,
        (rim + bar, rim + bar - 10),
        cv2.FONT_HERSHEY_DUPLEX,
        bar / 52,
        (235, 238, 240),
        1,
        cv2.LINE_AA,
    )
    top = int(h * style.text_from)
    cv2.rectangle(art, (rim + 6, top), (w - rim - 6, h - rim - 6), style.box, -1, cv2.LINE_AA)
    paint.lines_of_text(art, words, (rim + 14, top + 10, w - rim - 14, h - rim - 12), (40, 36, 34))
    for x, y in style.places:
        paint.icon(art, words, (int(x * w), int(y * h)), 22)
    cv2.circle(art, (rim + bar // 2, rim + bar // 2), bar // 2, (225, 228, 232), -1, cv2.LINE_AA)
    number = str(words.integers(0, 10))
    cv2.putText(
        art,
        number,
        (rim + bar // 4, rim + 3 * bar // 4),
        cv2.FONT_HERSHEY_DUPLEX,
        bar / 45,
        (20, 20, 20),
        2,
        cv2.LINE_AA,
    )
    return art


def _back(style: ArtSet, art: Picture) -> Picture:
    h, w = art.shape[:2]
    for k in range(-h, w, 40):
        cv2.line(art, (k, 0), (k + h, h), style.bar, 6, cv2.LINE_AA)
    cv2.ellipse(art, (w // 2, h // 2), (w // 4, h // 5), 0, 0, 360, style.box, -1, cv2.LINE_AA)
    cv2.rectangle(art, (18, 18), (w - 18, h - 18), style.box, 10, cv2.LINE_AA)
    return art
