"""The real program, with a window that writes to a file what can be touched, and where.

`watched_program.py FILE ARGUMENTS` is `companion ARGUMENTS`, except for that file. The product has no such
feature. If `LAYOUT_FAULTS` names a folder, every page is checked too: faults go into `faults.json` there,
with pictures beside it.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from companion import cli
from companion.ui import start

if TYPE_CHECKING:
    from kivy.uix.widget import Widget

    from companion.app import CompanionApp


def watch(file: Path) -> None:
    """Let every window write this file ten times a second, if it has the time: what is shown, how many touches it
    heard, how many pages it built, and how often it wrote this while nothing waited for the disk. Kivy must be prepared
    before it is imported."""
    prepare = start.prepare

    def prepared(*how: Any, **more: Any) -> None:
        prepare(*how, **more | {"samples": 0})
        from companion.app import CompanionApp

        show = CompanionApp.show

        def watched(app: CompanionApp, *first: Any, **language: Any) -> None:
            if faults := os.environ.get("LAYOUT_FAULTS"):
                _check_always(app, Path(faults))
            _write_always(app, file)
            show(app, *first, **language)

        CompanionApp.show = watched  # type: ignore[method-assign]

    start.prepare = prepared


def _write_always(app: CompanionApp, file: Path) -> None:
    from kivy.clock import Clock
    from kivy.core.window import Window

    last, heard = [b""], {"touches": 0, "pages": 0, "beats": 0}
    check = app.page_built

    def touched(*_: object) -> None:
        heard["touches"] += 1

    def built() -> None:
        heard["pages"] += 1
        check()

    def write() -> None:
        heard["beats"] += not app.desk.clerk._jobs.unfinished_tasks
        told = msgspec.json.encode(what_is_shown(app) | heard)
        if told != last[0]:
            last[0] = told
            fresh = file.with_name(file.name + ".new")
            fresh.write_bytes(told)
            fresh.replace(file)

    app.page_built = built
    Window.bind(on_touch_up=touched)
    Clock.schedule_interval(lambda _: write(), 0.1)


def _check_always(app: CompanionApp, folder: Path) -> None:
    """Check every page that is built, and keep what is wrong where the test finds it."""
    from workshop.screens.layout_watch import LayoutWatch

    watch = LayoutWatch(app, folder)

    def look() -> None:
        before = len(watch.found)
        watch.check()
        with (folder / "faults.json").open("ab") as out:
            out.writelines(msgspec.json.encode(found) + b"\n" for found in watch.found[before:])

    folder.mkdir(parents=True, exist_ok=True)
    app.page_built = look


def what_is_shown(app: CompanionApp) -> dict[str, Any]:
    """The screen, its size, how far its play has come, its sentences, and for each thing to touch and each hex of a map
    the pixel of its middle, seen from the upper left; at the table also which seat alone is asked, how the hex that is
    put down is turned, and how many dice are told; what each offer would answer; whether a touch might be taken for one
    of the page before; and when the camera took the newest picture that was read, with its labels."""
    from companion.ui.toolkit.geometry import walk
    from companion.ui.toolkit.kit import Tap, Words
    from companion.ui.toolkit.overlays import Overlay
    from companion.ui.toolkit.place_map import PlaceMap

    top = app.stage.children[0]
    covers = isinstance(top, Overlay) and app.message is not None
    alone = isinstance(top, Overlay) and (app.asked is not None or app.front.in_a_moment)
    front, toast = (top, None) if alone else (app.stage, top if covers else None)
    taps = {part.name: _place(part, part.center, toast) for part in walk(front) if isinstance(part, Tap)}
    for map in (part for part in walk(front) if isinstance(part, PlaceMap)):
        taps |= {f"place-{id}": _place(map, map.on_screen(*at), toast) for id, at in map.spots.items()}
    glance = app.camera_feed.latest()
    table: Any = app.screen if app.screen.name == "table" and app.desk.play else None
    return {
        "screen": app.screen.name,
        "window": (round(app.stage.width), round(app.stage.height)),
        "entries": app.entries,
        "words": [part.text for part in walk(app.stage) if isinstance(part, Words)],
        "taps": taps,
        "asking": table and (asked := table.shown_question()) and asked.seat,
        "turned": table and table.atlas.turn,
        "dice": len(table.tray.faces) if table else 0,
        "offers": _offered(app),
        "changing": app.layouts.recent,
        "looked": 0.0 if glance is None else glance.frame.at,
        "labels": [] if glance is None else [sighting.text for sighting in glance.sightings],
    }


def _offered(app: CompanionApp) -> list[list[Any]]:
    """What a touch of each offer answers; none if one touch answers several questions."""
    offer = app.front.offer
    alone = not offer.together or len(offer.answers) == 1
    return [[answer.seat, answer.slug, answer.option] for answer, _ in offer.answers] if alone else []


def _place(tap: Widget, at: tuple[float, float], covering: Widget | None) -> dict[str, Any]:
    from kivy.core.window import Window

    from companion.ui.toolkit.kit import Scroll

    x, y = tap.to_window(*at)
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


if __name__ == "__main__":
    watch(Path(sys.argv[1]))
    sys.exit(cli.main(sys.argv[2:]))
