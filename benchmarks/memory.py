"""Where the window's memory goes: until a play runs with a 1920x1080 camera, and after some minutes.

    .venv/bin/python benchmarks/memory.py [--minutes N] [--camera SOURCE] [--game GAME]

Needs Linux, but no display. The camera is another process that sends pictures of a table with two dozen
labels, as a phone would; `--camera virtual:good-lamp:1` draws them in the program itself instead. Bots play.
Without a graphics chip Mesa paints on the processor, and its memory is counted as ours; `--unpainted` leaves
painting out, which gives the memory of the program on a machine with a graphics chip.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import ClassVar

ROOT = Path(__file__).resolve().parent.parent
if __name__ == "__main__":
    sys.path[0] = str(ROOT)  # run as a script, files beside this one would hide packages of the same name

SIZE = (1920, 1080)
LABELS, PICTURES, FPS = 24, 12, 15
STEP = 0.4
"""Seconds between two steps of the bots; each answer takes two."""

FIGURES = ("Rss", "Anonymous", "Shared_Clean", "Private_Clean")


def memory() -> dict[str, float]:
    """Megabytes of this process: all of it, what it wrote itself, and what it only read from files."""
    with open("/proc/self/smaps_rollup", encoding="ascii") as file:
        rows = dict(line.split(":") for line in file if line.rstrip().endswith("kB"))
    return {name: int(rows[name].split()[0]) / 1024 for name in FIGURES}


def tell(what: str) -> None:
    """One line of the table."""
    now = memory()
    files = now["Shared_Clean"] + now["Private_Clean"]
    print(f"| {what} | {now['Rss']:.0f} MB | {now['Anonymous']:.0f} MB | {files:.0f} MB |", flush=True)


# The camera's process


class PhoneServer(BaseHTTPRequestHandler):
    """Sends the same pictures again and again, one after another in one long answer."""

    pictures: ClassVar[list[bytes]]

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=next")
        self.end_headers()
        number = 0
        try:
            while True:
                data = self.pictures[number // FPS % len(self.pictures)]
                head = f"--next\r\nContent-Type: image/jpeg\r\nContent-Length: {len(data)}\r\n\r\n"
                self.wfile.write(head.encode() + data + b"\r\n")
                number += 1
                time.sleep(1 / FPS)
        except OSError:
            return  # the reader has closed the connection

    def log_message(self, *_: object) -> None:
        pass


def be_a_camera(game: str) -> None:
    """Draw a table on which one card after another is laid down, then send it to the reader."""
    import cv2

    from companion.core.game import games
    from companion.recognition.reading import book
    from vision.virtual import PRESETS, VirtualTable

    now = [0.0]
    table = VirtualTable(PRESETS["good-lamp"], 1, size=SIZE, clock=lambda: now[0])
    texts = list(book(games()[game]).texts.values())
    pictures = []
    for n in range(LABELS):
        table.lay(texts[n * 3])
        now[0] += 1.0
        frame = table.read()
        if frame is not None and n >= LABELS - PICTURES:
            pictures.append(cv2.imencode(".jpg", frame.picture)[1].tobytes())
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("Filming", (PhoneServer,), {"pictures": pictures}))
    server.daemon_threads = True
    print(f"http://127.0.0.1:{server.server_port}/video", flush=True)
    server.serve_forever()


@contextmanager
def camera(game: str) -> Iterator[str]:
    """The address of a camera in a process of its own."""
    command = [sys.executable, __file__, "--be", "camera", "--game", game]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield process.stdout.readline().strip()
        finally:
            process.kill()


# The window's process


def be_the_window(game: str, source: str, minutes: float) -> None:
    """Open the window as people do, play before this camera, and tell what each step took."""
    tell("Python")
    from companion import cli  # noqa: F401

    tell("the command line")
    from companion.core.game import Setup, games
    from companion.table.warm_up import warm_up

    rules = games()[game]
    warm_up()
    tell("every game and its types")
    from companion.ui import start

    with tempfile.TemporaryDirectory(prefix="companion-memory-") as name:
        folder = Path(name)
        start.prepare(folder)
        from companion.app import CompanionApp
        from companion.table.camera_feed import CameraFeed
        from companion.table.settings import Settings
        from companion.ui.demo.demo import Demo

        tell("a window")
        from kivy.clock import Clock

        app = CompanionApp(folder, CameraFeed(time.monotonic))
        app.desk.settings = Settings(camera=source, language="en")
        demo = Demo(app, rules, 1, None)
        seen: list[str] = []
        began = time.monotonic()

        def look() -> None:
            if not seen and (source == "none" or app.camera_feed.latest() is not None):
                seen.append("a camera whose pictures are read")
                tell(seen[0])
            past = (time.monotonic() - began) / 60
            while past >= len(seen) and seen and len(seen) <= minutes:
                tell(f"after {len(seen)} min, {app.desk.session.entries if app.desk.play else 0} answers")
                seen.append("")
            if past > minutes + 0.02:
                app.stop()
            if demo._over:
                demo._over = demo._bots = None  # type: ignore[assignment]
                app.desk.start(rules, Setup(game, ("Ania", "Bartek", "Celina")))

        def step() -> None:
            demo.people.clear()  # cards in the picture answer, too; bots still play every seat
            demo.guide.paused = False
            demo.step()

        def begin(app: object) -> None:
            tell("the Home screen")
            demo.app.desk.start(rules, Setup(game, ("Ania", "Bartek", "Celina")))
            Clock.schedule_interval(lambda _: step(), STEP)
            Clock.schedule_interval(lambda _: look(), 0.5)

        app.show(begin)
    with open("/proc/self/status", encoding="ascii") as file:
        peak = next(line for line in file if line.startswith("VmHWM"))
    print(f"| the most at any moment | {int(peak.split()[1]) / 1024:.0f} MB | | |")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--minutes", type=float, default=3.0)
    parser.add_argument("--camera")
    parser.add_argument("--game", default="race")
    parser.add_argument("--unpainted", action="store_true")
    parser.add_argument("--be", choices=("camera", "window"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.be == "camera":
        be_a_camera(options.game)
    elif options.be == "window":
        be_the_window(options.game, options.camera, options.minutes)
    elif options.camera:
        measure(options.game, options.camera, options.minutes, options.unpainted)
    else:
        with camera(options.game) as source:
            measure(options.game, source, options.minutes, options.unpainted)


def measure(game: str, source: str, minutes: float, unpainted: bool) -> None:
    """The table for this camera."""
    print(f"{game}, camera {source}\n\n| with | in all | its own | of files |\n|---|---|---|---|", flush=True)
    environ = {**os.environ, "SDL_VIDEODRIVER": "offscreen", "SDL_AUDIODRIVER": "dummy"}
    environ.pop("COMPANION_SCREEN", None)
    if unpainted:
        environ["KIVY_GL_BACKEND"] = "mock"
    command = [sys.executable, __file__, "--be", "window", "--game", game, "--camera", source]
    subprocess.run([*command, "--minutes", str(minutes)], env=environ, check=True)


if __name__ == "__main__":
    from benchmarks.report import reported

    sys.exit(reported(main))
