"""Finds what is first used while there is more than one thread. It runs as a program of its own, because in a
process that has run for a while nothing is used for the first time."""

from __future__ import annotations

import os
import sys
import threading
from types import CodeType, FrameType
from typing import Any

from msgspec import _utils  # type: ignore[attr-defined]

BUILDS: CodeType = _utils.get_class_annotations.__code__
"""msgspec calls this when it builds a Struct's type, exactly once for each."""

found: list[str] = []


def _watched() -> dict[CodeType, str]:
    from companion.core import components, game
    from companion.recognition import labels

    once = (game.boxes, game.games, game.every_game, labels.books)
    return {
        components.read_toml.__code__: "a game's file is read",
        **{cached.__wrapped__.__code__: f"{cached.__name__}() is made" for cached in once},
    }


def watch_threads() -> None:
    """From now on write down every first use while there are several threads."""
    watched = _watched()

    def called(frame: FrameType, event: str, _: Any) -> None:
        if event != "call" or threading.active_count() < 2:
            return
        if frame.f_code is BUILDS:
            above = frame.f_back
            if above is None or not above.f_code.co_filename.endswith(
                "structs.py"
            ):  # it only looks at the fields
                found.append(f"{threading.current_thread().name}: {frame.f_locals['obj']} is built")
        elif frame.f_code in watched:
            found.append(f"{threading.current_thread().name}: {watched[frame.f_code]}")

    threading.setprofile(called)
    sys.setprofile(called)


def window(play: int) -> None:
    """Open the window, go on with this play at once, and close it when both the play and a picture are there."""
    from companion.core.sqlite_file import default_path
    from companion.ui import start

    start.prepare(default_path(os.environ).parent, samples=0)
    from kivy.clock import Clock

    from companion import app as window
    from companion.recognition import reading
    from vision.codebook import Codebook

    reading.Codebook = lambda texts: Codebook(list(texts)[:50])  # the others are learnt no other way

    def first(app: Any) -> None:
        app.desk.resume(play)
        Clock.schedule_interval(lambda _: _stop_if_ready(app), 0.05)

    window.run(first)


def _stop_if_ready(app: Any) -> None:
    if app.screen.name == "table" and app.camera_feed.latest() is not None:
        app.stop()


if __name__ == "__main__":
    watch_threads()
    window(play=1)
    print("first uses:", *found, sep="\n")
