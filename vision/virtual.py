"""The virtual table: what a camera above a real table would see, with the ground truth about every label.

A scene is painted flat in millimetres, blurred once as lens and pixels would (see `footprint`), then moved
under the camera by one homography per frame; light, glare, an arm, motion blur, noise and JPEG are added on
top. Deterministic by seed.

Table coordinates are millimetres: the origin is the point the camera looks at, x to the right, y towards the
near edge of the picture. `size` of a label is the side of its symbol (21 modules), without the quiet zone.
"""

import time
from collections.abc import Callable, Iterator, Sequence

import numpy as np

from vision import CameraTrouble
from vision import virtual_paint as paint
from vision.camera_health import Frame, Health
from vision.virtual_geometry import WIDTH, HeldCard, Lying, SeenLabel, Shot
from vision.virtual_light import PRESETS, Preset
from vision.virtual_scene import Scene

__all__ = [
    "PRESETS",
    "WIDTH",
    "HeldCard",
    "Lying",
    "Preset",
    "SeenLabel",
    "Shot",
    "VirtualTable",
    "film",
    "shoot",
    "spread",
]


def spread(
    texts: Sequence[str],
    seed: int,
    size: float = 18.0,
    width: float = WIDTH,
    aspect: float = 9 / 16,
    *,
    curl: float = 0.0,
    crease: float = 0.0,
) -> tuple[Lying, ...]:
    """Cards laid out as people do: in rows, nearly straight, facing any side of the table, filling `width`.

    `curl` and `crease`: largest bend in degrees; the smallest is half as much; cards curl up or down.
    """
    rng = paint.dice("spread", seed)
    room_w, room_h = width * 0.91, width * aspect * 0.93
    columns = max(1, int(np.ceil(np.sqrt(len(texts) * room_w / room_h))))
    rows = max(1, -(-len(texts) // columns))
    pitch_w, pitch_h = min(room_w / columns, 130.0), min(room_h / rows, 130.0)
    out = []
    for k, text in enumerate(texts):
        row, column = divmod(k, columns)
        x = (column - (columns - 1) / 2) * pitch_w + rng.uniform(-2, 2)
        y = (row - (rows - 1) / 2) * pitch_h + rng.uniform(-2, 2)
        angle = float(rng.choice([0, 0, 0, 90, 180, 180, 270]) + rng.normal(0, 3))
        bent = paint.dice("bent", seed, text).uniform(0.5, 1, 2) * (curl, crease)
        bent[0] *= paint.dice("up or down", seed, text).choice([-1, 1])
        out.append(Lying(text, float(x), float(y), angle, size, curl=float(bent[0]), crease=float(bent[1])))
    return tuple(out)


def shoot(
    lying: Sequence[Lying],
    preset: Preset,
    seed: int,
    size: tuple[int, int] = (1920, 1080),
    *,
    width: float = WIDTH,
    tilt: float | None = None,
    barrel: float = 0.0,
    clutter: int = 0,
    arm: float | None = None,
    held: HeldCard | None = None,
) -> Shot:
    """One picture. `width`: mm of table across its middle (the height of the camera); `tilt`: degrees off the
    vertical (None: about 8, by seed); `barrel`: how far the lens draws the corners of the picture in (0.1:
    by a tenth of their distance from the middle); `clutter`: number of dice, cubes and chips; `arm`: 0..1,
    how far an arm reaches in."""
    scene = Scene(lying, preset, seed, size, width=width, tilt=tilt, clutter=clutter, barrel=barrel)
    return scene.shot(float(paint.dice("when", seed).uniform(0, 60)), 0, arm, held)


def film(
    lying: Sequence[Lying],
    preset: Preset,
    seed: int,
    frames: int,
    fps: float = 15.0,
    size: tuple[int, int] = (1920, 1080),
    *,
    width: float = WIDTH,
    tilt: float | None = None,
    barrel: float = 0.0,
    clutter: int = 0,
    arm: bool = True,
    held: HeldCard | None = None,
) -> Iterator[Shot]:
    """A sweep: the camera sways, an arm reaches over the table once and leaves, moving things are blurred."""
    scene = Scene(lying, preset, seed, size, width=width, tilt=tilt, clutter=clutter, barrel=barrel)
    for n in range(frames):
        there = np.sin(np.pi * (1.5 * n / max(1, frames - 1) - 0.25)) if arm else 0.0
        yield scene.shot(n / fps, n, float(there) * 0.8 if there > 0.02 else None, held)


class VirtualTable:
    """A camera above a virtual table; cards can be laid, taken away and held up while it runs."""

    def __init__(
        self,
        preset: Preset,
        seed: int = 0,
        *,
        lying: Sequence[Lying] = (),
        size: tuple[int, int] = (1920, 1080),
        width: float = WIDTH,
        tilt: float | None = None,
        barrel: float = 0.0,
        clutter: int = 0,
        fps: float = 15.0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.preset, self.seed, self.size, self.width, self.clutter = preset, seed, size, width, clutter
        self.tilt, self.barrel = tilt, barrel
        self.fps, self._clock = fps, clock
        self._lying, self._drawn = (
            tuple(lying),
            tuple(lying),
        )  # replaced, never changed: another thread may be reading
        self._held: HeldCard | None = None
        self._arm: float | None = None
        self._scene: Scene | None = None
        self._number, self._last, self._began = 0, -1e9, clock()
        self._closed = False
        self.art: paint.Art = paint.card_art
        """What is printed on the cards."""
        self.truth: tuple[SeenLabel, ...] = ()  # of the frame read last

    @property
    def lying(self) -> tuple[Lying, ...]:
        return self._lying

    def lay(
        self,
        text: str,
        x: float | None = None,
        y: float | None = None,
        angle: float = 0.0,
        size: float = 18.0,
    ) -> None:
        """Lay a card at a place, or at a free one."""
        others = tuple(it for it in self._lying if it.text != text)
        if x is None or y is None:
            x, y = self._free(others)
        self._lying = (*others, Lying(text, x, y, angle, size))

    def take_away(self, text: str) -> None:
        """Take a card away, if it is there."""
        self._lying = tuple(it for it in self._lying if it.text != text)

    def hold_up(self, text: str | None, distance: float = 300.0, size: float = 18.0) -> None:
        """Hold a card up to the camera; None takes it down."""
        self._held = None if text is None else HeldCard(text, distance, size=size)

    def reach_in(self, arm: float | None) -> None:
        """Move an arm over the table, 0..1; None takes it away."""
        self._arm = arm

    def _free(self, taken: Sequence[Lying]) -> tuple[float, float]:
        """The free place nearest to the middle, on a grid of cards."""
        columns, rows = int(0.43 * self.width / 97 + 0.5), int(0.21 * self.width / 112 + 0.5)
        grid = [
            ((c + 0.5) * 97, (r + 0.5) * 112) for c in range(-columns, columns) for r in range(-rows, rows)
        ]
        grid.sort(key=lambda p: (p[0] ** 2 + (1.3 * p[1]) ** 2, p))
        for x, y in grid:
            if all(abs(x - it.x) > 75 or abs(y - it.y) > 90 for it in taken):
                return x, y
        raise CameraTrouble(
            "The virtual table is full: take a card away, or lay this one at a place of your choice."
        )

    def read(self, *, soon: bool = False) -> Frame | None:
        now = self._clock()
        if self._closed or now - self._last < 1 / self.fps - 1e-9:
            return None
        lying = self._lying
        if self._scene is None or self._drawn is not lying:
            self._drawn = lying
            self._scene = Scene(
                lying,
                self.preset,
                self.seed,
                self.size,
                width=self.width,
                tilt=self.tilt,
                clutter=self.clutter,
                barrel=self.barrel,
                art=self.art,
            )
        at = now - self._began
        shot = self._scene.shot(at, self._number, self._arm, self._held)
        self._number, self._last, self.truth = self._number + 1, now, shot.truth
        return Frame(shot.picture, now)

    def health(self) -> Health:
        return Health(not self._closed, "The virtual table is closed." if self._closed else "", self.fps)

    def close(self) -> None:
        self._closed = True
