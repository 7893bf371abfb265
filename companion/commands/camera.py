"""Checks the camera: does it work, is it sharp, are the labels close enough?"""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.text import Text as Styled

from companion.commands.shared import Help, Options
from companion.core.files import put, why
from companion.core.words import say
from companion.errors import DONE, StorageTrouble
from companion.recognition import zones
from companion.results.output import Output
from companion.table.settings import choose_camera, chosen_camera, mark_spot

if TYPE_CHECKING:
    from vision.camera import Health
    from vision.sightings import Sighting

WATCHED = 3.0
"""Seconds `companion camera` watches before it reports."""


def arguments(parser: argparse.ArgumentParser, t: Help) -> None:
    """Which camera, and what to do with its picture."""
    parser.add_argument("source", nargs="?", metavar="SOURCE", help=t("source"))
    parser.add_argument("--list", action="store_true", help=t("list-cameras"))
    parser.add_argument("--use", action="store_true", help=t("use-camera"))
    parser.add_argument("--spot", metavar="ZONE", help=t("spot"))
    parser.add_argument("--preview", action="store_true", help=t("preview"))
    parser.add_argument("--save", metavar="FILE.png", help=t("save"))


def run(options: Options) -> int:
    """Report whether the camera works, is sharp and close enough to the labels; remembers it as the one to
    use if asked to."""
    from companion.recognition.camera_advice import advices, sources
    from companion.recognition.camera_troubles import no_pictures
    from companion.terminal.label_lines import tell

    if options.list:
        for source in sources():
            print(source)
        return DONE
    if options.spot is not None:
        spot = zones.parse(options.spot)
        mark_spot(spot)
        key = "see.spot-whole" if spot is None else "see.spot"
        tell(say(key, zone="" if spot is None else zones.words(spot)), options.language)
        if options.source is None and not options.use:
            return DONE
    source = options.source or chosen_camera()
    last, seen, frames, health = _watch(source)
    if last is None:
        raise no_pictures(health)
    if options.preview:
        out = Output()
        out.print(preview(last, out.width))
    height, width = last.shape[:2]
    tell(say("see.camera", width=width, height=height, frames=frames), options.language)
    for advice in advices(last, list(seen.values())):
        tell(advice, options.language)
    if options.save:
        _save(last, options.save)
        tell(say("see.saved", file=options.save), options.language)
    if options.use:
        choose_camera(source)
        tell(say("see.chosen", source=source), options.language)
    return DONE


def _watch(source: str) -> tuple[Any, dict[str, Sighting], int, Health]:
    """Watch a camera for a few seconds: the last picture, the labels seen, the number of pictures, and its health."""
    from companion.recognition import reading
    from vision.camera import open_camera

    opened, reader = open_camera(source), None
    seen: dict[str, Sighting] = {}
    last, frames, began = None, 0, time.monotonic()
    try:
        while time.monotonic() - began < WATCHED:
            frame = opened.read()
            if frame is None:
                if opened.health().what == "over":
                    break
                time.sleep(0.005)
                continue
            if reader is None:  # learning every label takes seconds: only once there is a picture to read
                reader, began = reading.reader(*reading.labelled()), time.monotonic()
            last, frames = frame.picture, frames + 1
            seen.update((s.text, s) for s in reader.read(last))
        return last, seen, frames, opened.health()
    finally:
        opened.close()


def preview(picture: Any, width: int) -> Styled:
    """A picture as coloured half blocks, each two pixels high."""
    import cv2

    # A picture a hundred times as high as wide is squeezed: nobody scrolls through a million lines.
    height = max(2, min(4 * width, picture.shape[0] * width // picture.shape[1]) // 2 * 2)
    small = cv2.resize(picture, (width, height), interpolation=cv2.INTER_AREA)
    if small.ndim == 2:
        small = cv2.cvtColor(small, cv2.COLOR_GRAY2BGR)
    drawn = Styled()
    for row in range(0, height - 1, 2):
        for upper, lower in zip(small[row], small[row + 1], strict=True):
            above, below = (f"rgb({p[2]},{p[1]},{p[0]})" for p in (upper, lower))
            drawn.append("▀", f"{above} on {below}")
        drawn.append("\n")
    return drawn


def _save(picture: Any, path: str) -> None:
    import cv2

    done, data = cv2.imencode(".png", picture)
    try:
        put(Path(path), data.tobytes() if done else b"")
    except (OSError, ValueError) as e:
        raise StorageTrouble(say("see.cannot-save", file=path, why=why(e))) from e
