"""Faces that teach themselves: where a label is read, the card around it is the face of its component."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import numpy as np

from companion.core.game import Game
from companion.recognition import face_pictures, faces, reading
from vision.camera_health import Picture
from vision.face_search import covered, outlines
from vision.faces import straightened
from vision.sightings import Corners, Sighting

AROUND = 9.0
"""How far from a label its card may reach, in sides of the label."""
SMALLEST_SIDE = 12.0
"""Pixels of a label's side below which its card is too blurred to be taught."""
LARGER = (6.0, 60.0)
"""How many times as large as its label a card is at least and at most."""
LONGER = (1.2, 1.65)
"""How many times as high as wide a card is."""


class LabelledFaces:
    """Keeps the face of every card whose label is read and whose face is not known yet. Not thread-safe."""

    def __init__(self, folder: Path, game: Game) -> None:
        self._folder, self._game = folder, game
        self._known = set(faces.taught(folder, game))

    def see(self, picture: Picture, sightings: Iterable[Sighting]) -> tuple[str, ...]:
        """Keep the new faces in this picture; the components that are known from now on."""
        labels, kept = tuple(sightings), []
        for label in labels:
            component = self._component(label)
            if component is None or component in self._known:
                continue
            face = card_around(picture, label.corners, [one.corners for one in labels if one is not label])
            if face is not None:
                face_pictures.keep(self._folder, self._game.id, component, face)
                self._known.add(component)
                kept.append(component)
        return tuple(kept)

    def _component(self, label: Sighting) -> str | None:
        piece = reading.book(self._game).piece(label.text) if label.how != "face" and label.certain else None
        return None if piece is None else piece.component


def card_around(picture: Picture, label: Corners, others: Iterable[Corners] = ()) -> Picture | None:
    """The card that has this label, alone and as upright as its label; None if its outline is not seen, or if
    another label is in it."""
    quad = np.array(label)
    side = float(np.hypot(*(quad[1] - quad[0])))
    low = np.maximum(np.floor(quad.mean(axis=0) - AROUND * side), 0).astype(int)
    high = np.maximum(np.ceil(quad.mean(axis=0) + AROUND * side), 0).astype(int)
    part = np.ascontiguousarray(picture[low[1] : high[1], low[0] : high[0]])
    if side < SMALLEST_SIDE or 0 in part.shape:
        return None
    colours = [part] if part.ndim == 2 else [np.ascontiguousarray(part[..., k]) for k in range(3)]
    inside = quad - low
    elsewhere = [np.mean(other, axis=0) - low for other in others]
    for outline in (outline for colour in colours for outline in outlines(colour)):
        card = _as_label(np.array(outline), inside)
        wide, long = (float(np.hypot(*(card[k] - card[0]))) for k in (1, 3))
        if not (LARGER[0] < wide * long / side**2 < LARGER[1] and LONGER[0] < long / wide < LONGER[1]):
            continue
        if (
            not covered(inside, [outline]).all()
            or covered(np.array(elsewhere).reshape(-1, 2), [outline]).any()
        ):
            continue
        return straightened(part, card, (round(wide), round(long)))
    return None


def _as_label(card: Picture, label: Picture) -> Picture:
    """The corners of a card, its short side first and as its label is turned."""
    up = label[0] - label[3]
    if np.hypot(*(card[1] - card[0])) > np.hypot(*(card[2] - card[1])):
        card = np.roll(card, 1, axis=0)
    return card if (card[0] - card[3]) @ up > 0 else np.roll(card, 2, axis=0)
