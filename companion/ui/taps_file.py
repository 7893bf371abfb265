"""A door for tests with real windows: what can be touched, and where, in a file.

It is there only if COMPANION_TAPS names that file.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
from kivy.clock import Clock
from kivy.core.window import Window
from kivy.uix.widget import Widget

from companion.ui.toolkit.geometry import walk
from companion.ui.toolkit.kit import Scroll, Tap, Words

if TYPE_CHECKING:
    from companion.app import CompanionApp


def open_for_tests(app: CompanionApp, environ: Mapping[str, str]) -> None:
    """Write the file whenever something moved, if anybody wants it."""
    if not (name := environ.get("COMPANION_TAPS")):
        return
    file, last = Path(name), [b""]

    def write() -> None:
        told = msgspec.json.encode(what_is_shown(app))
        if told != last[0]:
            last[0] = told
            fresh = file.with_name(file.name + ".new")
            fresh.write_bytes(told)
            fresh.replace(file)

    Clock.schedule_interval(lambda _: write(), 0.1)


def what_is_shown(app: CompanionApp) -> dict[str, Any]:
    """The screen, its size, how far its play has come, its sentences, and for each thing to touch the pixel of its
    middle, seen from the upper left."""
    top = app.stage.children[0]
    front, toast = (
        (top, None) if app.asked is not None else (app.stage, top if app.told is not None else None)
    )
    return {
        "screen": app.screen.name,
        "window": (round(app.stage.width), round(app.stage.height)),
        "entries": app.entries,
        "words": [part.text for part in walk(app.stage) if isinstance(part, Words)],
        "taps": {part.name: _place(part, toast) for part in walk(front) if isinstance(part, Tap)},
    }


def _place(tap: Tap, covering: Widget | None) -> dict[str, Any]:
    x, y = tap.to_window(*tap.center)
    above, seen, scrolled = tap.parent, 0 <= y < Window.height, None
    while above is not None and above is not Window:
        if isinstance(above, Scroll):
            low, high = above.to_window(*above.pos)[1], above.to_window(above.right, above.top)[1]
            seen = seen and low < y < high
            middle = above.to_window(*above.center)
            scrolled = (round(middle[0]), round(Window.height - middle[1]))
        above = above.parent
    return {
        "x": round(x),
        "y": round(Window.height - y),
        "seen": seen,
        "scrolled": scrolled,
        "covered": covering is not None and covering.collide_point(x, y),
    }
