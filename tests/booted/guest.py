"""Runs inside the booted machine, as root: operates and watches the installed service. Started by `run`
beside this file.

It reports to the host by lines on the console: PASS and FAIL, SHOT NAME (of a picture on the disk), SHEET
(the words of the score screen), PULL (cut the power now), END. What it must remember across restarts is on
the disk.
"""

from __future__ import annotations

import base64
import ctypes
import fcntl
import json
import mmap
import os
import pickle
import shutil
import signal
import socket
import struct
import subprocess
import sys
import threading
import time
import traceback
from collections import deque
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.core.questions import Answer, Question
from companion.recognition.virtual_cards import Cards
from companion.table.error_log import CRASHES
from tests.booted.panel import Panel
from tests.kernel.guest import make_chip
from tests.ui import players as by_touch
from tests.ui import real
from tests.ui.card_players import RACE, CardPlayers
from vision.virtual import PRESETS, VirtualTable

SERVICE = "tabletop-companion.service"
HOME, KEPT = Path("/var/lib/tabletop-companion"), Path("/var/lib/booted.json")
DROP_IN = Path("/etc/systemd/system/tabletop-companion.service.d/booted.conf")
BUTTONS, LAMPS = {"seat-1": 17, "seat-2": 22, "undo": 12, "shutdown": 4}, {0: 27, 1: 23}
PICTURE = (640, 480)
"""Pixels of the camera's pictures."""
SHOTS, GRAPHICS = Path("/var/lib/booted"), Path("/dev/dri/card0")
SEED, BEFORE, HANGS = 54, 14, 8
"""A short game of two; answers in it before the plug is pulled, and after that before the program hangs."""
PAINTED, TRIES, FIRST = 3.0, 5, 20
"""Seconds in which most pictures are painted, how often so long is waited for one to stay as it is (a clock in it never
does), and how often for anything at all."""
WAKING = 2
"""Entries that say how long nobody was at a play that was come back to."""

# Where others work a tap may take seconds to show; one made again too soon would be a second one.
real.AGAIN = by_touch.AGAIN = 60.0  # type: ignore[attr-defined]


def screen() -> tuple[int, int]:
    """The pixels of the screen. Nobody looked for one yet: on a Pi the kernel's own console does."""
    (screen,) = Path("/sys/class/drm").glob("card0-Virtual-*")
    (screen / "status").write_text("detect")
    wide, _, high = (screen / "modes").read_text().split()[0].partition("x")
    return int(wide), int(high)


class Touched(real.Program):
    """The installed service, touched by a finger at the panel."""

    def __init__(self, panel: Panel) -> None:
        self.home, self.file, self.process = HOME, HOME / "taps.json", None
        self.panel, self._tapped = panel, 0.0
        self.done: deque[str] = deque(maxlen=40)
        """What hands did last, and what the screen said then."""

    def note(self, what: str) -> None:
        """Remember what hands did, for the report."""
        shown = self.shown()
        words = f"{shown['screen']}, {shown.get('entries')} entries, asking {shown.get('asking')}"
        self.done.append(f"{time.monotonic():.1f} {what} ({words})")

    def tap(self, name: str) -> None:
        time.sleep(max(0.0, self._tapped + real.TWICE - time.monotonic()))
        for _ in range(20):
            place = self.until(lambda shown: self._free(shown, name))["taps"][name]
            if place["seen"]:
                break
            x, y = place["scrolled"]
            step = -15 if place["y"] > y else 15
            self.panel.down(x, y)
            for n in range(1, 5):
                time.sleep(0.05)
                self.panel.move(x, y + n * step)
            self.panel.up()
            time.sleep(0.6)
        self.note(f"taps {name}")
        self.panel.tap(place["x"], place["y"])
        self._tapped = time.monotonic()


class Camera(Cards):
    """A camera that is plugged in, and the virtual table before it."""

    def __init__(self) -> None:
        subprocess.run(["modprobe", "v4l2loopback"], check=True)
        subprocess.run(["udevadm", "settle"], check=True)
        self._film = VirtualTable(PRESETS["good-lamp"], 5, size=PICTURE, width=600.0, fps=5.0)
        super().__init__(RACE, self._film, room=4)
        self._file = os.open("/dev/video0", os.O_RDWR)
        out = (2, *PICTURE, int.from_bytes(b"MJPG", "little"), 1, 0, 0, 8)  # motion JPEG, whole pictures
        fcntl.ioctl(self._file, 0xC0D05605, struct.pack("I4x7I", *out).ljust(208, b"\0"))
        threading.Thread(target=self._shoot, daemon=True).start()

    def _shoot(self) -> None:
        while True:
            if (frame := self._film.read()) is not None:
                os.write(self._file, cv2.imencode(".jpg", frame.picture)[1].tobytes())
            time.sleep(0.02)


class Bots(CardPlayers):
    """Bots at a play in which somebody took something back: it has more entries than moments. Some press a button."""

    def __init__(self, program: Touched, camera: Camera, chip: Path, left: str = "") -> None:
        """`left`: what they had in mind, and in hand, when the plug was pulled."""
        self._left = left
        self.program: Touched
        super().__init__(program, camera, SEED)
        self.chip, self.pressed = chip, 0

    def _follow(self) -> None:
        if self._left:
            self.bots, self.random = pickle.loads(base64.b64decode(self._left))
            self._left = ""
        else:
            super()._follow()

    def mind(self) -> str:
        """What they have in mind, and in hand."""
        return base64.b64encode(pickle.dumps((self.bots, self.random))).decode()

    @property
    def given(self) -> int:
        return super().given + self.pressed

    def _show(self, question: Question, answer: Answer, component: str) -> None:
        self.program.note(f"{answer.seat} wants to show {component}")
        super()._show(question, answer, component)
        self.program.note(f"{answer.seat} showed {component}")

    def give(self, question: Question, answer: Answer) -> None:
        """What a seat's button answers is pressed the first two times."""
        self.program.note(f"{answer} to {question.slug}")
        default = question.default
        usual = default is not None and default.id == answer.option and not question.secret
        if usual and answer.seat is not None and self.pressed < 2:
            self.at_the_table()
            press(self.chip, BUTTONS[f"seat-{answer.seat + 1}"])
            until(self.answered)
            self.pressed += 1
        else:
            super().give(question, answer)

    def answered(self) -> bool:
        if self.program.entries() == self.session.entries:
            return False
        self.program.until(lambda shown: shown["entries"] == self.program.entries())
        self.session = self.program.session()
        return True


class Told:
    """What passed and what did not."""

    def __init__(self) -> None:
        self.failed = 0

    def check(self, what: str, good: Any) -> None:
        """Tell it."""
        self.failed += not good
        line("PASS " if good else "FAIL ", what)


def line(*words: object) -> None:
    """A line for the host."""
    with open("/dev/console", "w") as console:
        print(f"\n@@ {' '.join(map(str, words))}", file=console, flush=True)


def shot(name: str) -> None:
    """A picture of what the graphics show now, on the disk: once it is painted, which takes a processor its time."""
    before = shown_by_the_kernel()
    for waited in range(1, FIRST + 1):
        time.sleep(PAINTED)
        picture = shown_by_the_kernel()
        if picture.any() and (waited >= TRIES or np.array_equal(picture, before)):
            break
        before = picture
    cv2.imwrite(str(SHOTS / f"{name}.png"), picture, [cv2.IMWRITE_PNG_COMPRESSION, 9])
    os.sync()
    line("SHOT" if picture.any() else "FAIL  nothing is shown:", name)


def shown_by_the_kernel() -> NDArray[np.uint8]:
    """The pixels of the picture the graphics card shows."""
    card = os.open(GRAPHICS, os.O_RDWR)
    try:
        crtcs = (ctypes.c_uint32 * 8)()
        resources = struct.pack("4Q8I", 0, ctypes.addressof(crtcs), 0, 0, 0, 8, 0, 0, 0, 0, 0, 0)
        fcntl.ioctl(card, 0xC04064A0, resources)
        crtc = fcntl.ioctl(card, 0xC06864A1, struct.pack("Q7I68x", 0, 0, crtcs[0], 0, 0, 0, 0, 0))
        (buffer,) = struct.unpack_from("I", crtc, 16)
        told = fcntl.ioctl(card, 0xC01C64AD, struct.pack("7I", buffer, 0, 0, 0, 0, 0, 0))
        _, wide, high, pitch, _, _, handle = struct.unpack("7I", told)
        _, _, offset = struct.unpack("IIQ", fcntl.ioctl(card, 0xC01064B3, struct.pack("IIQ", handle, 0, 0)))
        with mmap.mmap(card, pitch * high, mmap.MAP_SHARED, mmap.PROT_READ, offset=offset) as memory:
            pixels = np.frombuffer(memory.read(pitch * high), np.uint8).reshape(high, pitch // 4, 4)
        return np.ascontiguousarray(pixels[:, :wide, :3])
    finally:
        os.close(card)


def systemctl(*words: str) -> str:
    """What systemd says."""
    return subprocess.run(["systemctl", *words], capture_output=True, text=True, check=False).stdout.strip()


def is_up(patience: float = 900.0) -> bool:
    """Whether the service says that it is ready."""
    end = time.monotonic() + patience
    while time.monotonic() < end:
        if systemctl("is-active", SERVICE) == "active":
            return True
        time.sleep(0.5)
    return False


class SignsOfLife:
    """Looks how long the service was silent; its watchdog ends it after a minute."""

    def __init__(self) -> None:
        self.longest = 0.0
        threading.Thread(target=self._look, daemon=True).start()

    def _look(self) -> None:
        last = 0
        while True:
            told = systemctl("show", SERVICE, "-p", "WatchdogTimestampMonotonic", "--value")
            now = int(told or 0)
            if last and now:
                self.longest = max(self.longest, (now - last) / 1e6)
            last = now
            time.sleep(5.0)

    def tell(self, told: Told, restarts: int = 0) -> None:
        """Nobody but this test may have ended the service."""
        line("note", f"the longest silence between two signs of life: {self.longest:.1f} s")
        ended = systemctl("show", SERVICE, "-p", "NRestarts", "--value")
        told.check("nothing else ended the service", ended == str(restarts))


def press(chip: Path, pin: int, seconds: float = 0.2) -> None:
    """Somebody presses a button: its contact goes to ground."""
    pull = chip / f"sim_gpio{pin}" / "pull"
    pull.write_text("pull-down")
    time.sleep(seconds)
    pull.write_text("pull-up")


def lit(chip: Path, pin: int, seconds: float = 3.0) -> bool:
    """Whether a lamp is lit at some moment of these seconds."""
    value, end = chip / f"sim_gpio{pin}" / "value", time.monotonic() + seconds
    while time.monotonic() < end:
        if value.read_text().strip() == "1":
            return True
        time.sleep(0.002)
    return False


def until(true: Callable[[], Any], patience: float = 300.0) -> bool:
    """Whether this becomes true in time."""
    end = time.monotonic() + patience
    while time.monotonic() < end:
        if true():
            return True
        time.sleep(0.1)
    return False


def first_life(told: Told, program: Touched, chip: Path) -> None:
    """A play begins by touch; lamps, buttons, cards; then the plug is pulled."""
    told.check("the service is up, hardened as it is", is_up())
    signs = SignsOfLife()
    took = systemctl("show", SERVICE, "-p", "ActiveEnterTimestampMonotonic", "--value")
    userspace = systemctl("show", "-p", "UserspaceTimestampMonotonic", "--value")
    line("note", f"ready {(int(took) - int(userspace)) / 1e6:.1f} s after userspace began")
    program.at("new")
    shot("new-play")
    while "start" not in (shown := program.until(lambda s: {"next", "start"} & set(s["taps"])))["taps"]:
        program.tap("next")
        program.until(lambda now, shown=shown: now["words"] != shown["words"])
    program.tap("start")
    program.at("table")
    told.check("a play is begun by touch", program.entries() >= 0)
    told.check("the lamp of a seat that is asked is lit", any(lit(chip, pin) for pin in LAMPS.values()))
    shot("table")
    bots = Bots(program, Camera(), chip)
    bots.play(1)
    told.check("a card before a camera that was plugged in now is read, and answers", bots.shown == 1)
    shot("card")
    bots.play(BEFORE)
    told.check(f"{bots.shown} cards and {bots.clicked} taps are answers in the journal", bots.clicked > 1)
    note_cards(bots)
    shot("table-later")
    entries = program.entries()
    press(chip, BUTTONS["undo"])
    program.until(lambda shown: shown["entries"] > entries)
    told.check("the undo button takes one back", program.entries() == entries + 1)
    press(chip, BUTTONS["undo"], 1.5)  # held: redo
    program.until(lambda shown: shown["entries"] > entries + 1)
    told.check("held, it puts it back", program.entries() == entries + 2)
    signs.tell(told)
    entries = program.entries()
    DROP_IN.write_text(DROP_IN.read_text().replace(" play race --seats Ania,Bartek", ""))
    keep(2, entries=entries, mind=bots.mind())
    line("note", f"{entries} entries; the plug is pulled")
    line("PULL")
    time.sleep(60)


def keep(life: int, **more: Any) -> None:
    """Write down which life comes next, so that it outlasts a pulled plug."""
    KEPT.write_text(json.dumps({"life": life, **more}))
    for path in (KEPT, DROP_IN, KEPT.parent, DROP_IN.parent):
        file = os.open(path, os.O_RDONLY)
        os.fsync(file)
        os.close(file)


def note_cards(bots: Bots) -> None:
    """How the cards were read."""
    line(
        "note",
        f"{bots.shown} cards, of which {bots.confirmed} had to be confirmed, {bots.repeated} shown twice",
    )


def second_life(told: Told, program: Touched, chip: Path) -> None:
    """Everything is there; the program hangs in the middle of the game; then the game is played to its end."""
    told.check("after the cut the service is up again", is_up())
    signs = SignsOfLife()
    program.at("table")
    shot("table-after-cut")
    kept = json.loads(KEPT.read_text())
    told.check(
        f"it is back at the table without help, and all {kept['entries']} entries are there",
        program.entries() == kept["entries"] + WAKING,
    )
    bots = Bots(program, Camera(), chip, kept["mind"])
    bots.play(HANGS)
    signs.tell(told)
    entries = program.entries()
    hanging(told, program)
    program.at("table")
    told.check(
        f"it is back at the table again, with its {entries} entries", program.entries() == entries + WAKING
    )
    shot("table-after-hang")
    bots.session = program.session()
    session = bots.play()
    how = f"{bots.shown} cards, {bots.clicked} taps, {bots.pressed} presses of a seat's button"
    told.check(f"the game is played to its end: {how}", session.over and bots.pressed)
    note_cards(bots)
    by_touch.see_the_score(bots)
    told.check("the sheet on the screen is the one of the journal", True)
    shot("score")
    line("SHEET", json.dumps(program.shown()["words"]))
    line("note", f"memory {systemctl('show', SERVICE, '-p', 'MemoryCurrent', '--value')} bytes")
    signs.tell(told, restarts=1)
    keep(3)
    switch_off(told, chip)


def third_life(told: Told, program: Touched, chip: Path) -> None:
    """Other versions, and the way back."""
    told.check("the service is up in its third life", is_up())
    program.at("home")
    shot("home-third-life")
    updates(told)
    switch_off(told, chip)


def switch_off(told: Told, chip: Path) -> None:
    """Hold the button for it; what comes of it the host sees."""
    line("END", told.failed)
    press(chip, BUTTONS["shutdown"], 3.0)
    time.sleep(300)
    line("FAIL ", "the machine is still on five minutes after its shutdown button was held")
    subprocess.run(["systemctl", "poweroff"], check=False)


def hanging(told: Told, program: Touched) -> None:
    """A program that hangs is noticed: here it is stopped altogether."""
    pid = systemctl("show", SERVICE, "-p", "MainPID", "--value")
    os.kill(int(pid), signal.SIGSTOP)
    began = time.monotonic()
    program.file.unlink()
    until(lambda: systemctl("show", SERVICE, "-p", "MainPID", "--value") not in (pid, "0"), 600.0)
    told.check("one that hangs is restarted by the watchdog", is_up() and until(program.file.exists))
    line("note", f"up again {time.monotonic() - began:.0f} s after it hung")


def updates(told: Told) -> None:
    """A new version without a network, one that does not come up, and the way back."""
    base, source = Path("/opt/tabletop-companion"), Path("/src")
    first = os.readlink(base / "current")
    (source / "docs/booted.md").write_text("another version\n")
    done = subprocess.run(["companion-update", str(source)], capture_output=True, text=True, check=False)
    second = os.readlink(base / "current")
    told.check("another version runs, made ready without a network", done.returncode == 0 and second != first)
    if done.returncode:
        line("note", done.stdout[-600:].replace("\n", " | "), done.stderr[-600:].replace("\n", " | "))
    shutil.copytree(source, "/broken", symlinks=True)
    bad = Path("/broken/companion/app.py")
    # It passes its self-test, where the screen is none, and fails at a real one.
    bad.write_text(
        bad.read_text() + "\nimport os\nif not os.environ.get('SDL_VIDEODRIVER'):\n    raise SystemExit(7)\n"
    )
    done = subprocess.run(["companion-update", "/broken"], capture_output=True, text=True, check=False)
    told.check("a version that does not come up is rolled back", done.returncode == 3)
    told.check("and the one before runs", os.readlink(base / "current") == second and is_up())
    done = subprocess.run(["companion-update", "--rollback"], capture_output=True, text=True, check=False)
    told.check(
        "back to the first one by hand", done.returncode == 0 and os.readlink(base / "current") == first
    )


def main() -> None:
    """Make the parts of the table, let the service begin, and play."""
    panel, chip = Panel(*screen()), make_chip()
    for pin in BUTTONS.values():
        (chip / f"sim_gpio{pin}" / "pull").write_text("pull-up")
    time.sleep(1.0)
    told, program = Told(), Touched(panel)
    program.file.unlink(missing_ok=True)  # what was shown in the life before
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as notify:
        notify.sendto(b"READY=1", os.environ["NOTIFY_SOCKET"])
    try:
        life = json.loads(KEPT.read_text())["life"] if KEPT.exists() else 1
        (first_life, second_life, third_life)[life - 1](told, program, chip)
    except BaseException as e:
        line("FAIL ", repr(e)[:300])
        said = subprocess.run(
            ["journalctl", "-b", "-u", SERVICE, "--no-pager", "-n", "60"],
            capture_output=True,
            text=True,
            check=False,
        )
        crash_log = HOME / CRASHES
        crashes = crash_log.read_text(errors="replace")[-6000:] if crash_log.exists() else ""
        where = [*program.done, *traceback.format_exc(limit=-8).splitlines()]
        for words in (*where, *said.stdout.splitlines(), *crashes.splitlines()):
            line("log", words)
        shot("failed")
        line("END", 1)
        subprocess.run(["systemctl", "poweroff"], check=False)
        sys.exit(1)


if __name__ == "__main__":
    main()
