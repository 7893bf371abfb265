"""Prepares Kivy: it reads its environment when it is imported, so this comes first."""

from __future__ import annotations

import atexit
import ctypes
import gc
import os
import shutil
import socket
import sys
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from companion.core.files import make_folder
from companion.table.spare_memory import hold_little

FONTS = Path(__file__).parent / "fonts"

SAMPLES = 4
"""How often each pixel is looked at for smooth edges; 0 is quicker by a quarter where nobody looks."""


HEIGHT, WITH_PANEL = 480, 580
"""How high a window is at first, alone and with a simulated panel below."""

PATIENCE = 3.0
"""Seconds an X display on another machine has to answer."""

GROUND = (0.055, 0.075, 0.11, 1.0)
"""What is behind everything before people's own colours are known."""

BACK, CARD = (156 / 255, 117 / 255, 48 / 255), (243 / 255, 185 / 255, 77 / 255)
"""Our two cards."""

LIBRARIES = {"libgl1": "libGL.so.1", "libegl1": "libEGL.so.1", "libmtdev1": "libmtdev.so.1"}
"""The Debian packages a window needs, each with a library it brings."""


def lacking() -> tuple[str, ...]:
    """The packages a window needs and this system does not have."""

    def there(library: str) -> bool:
        try:
            ctypes.CDLL(library)
        except OSError:
            return False
        return True

    return tuple(package for package, library in LIBRARIES.items() if not there(library))


def has_display(environ: Mapping[str, str], screens: Path = Path("/sys/class/drm")) -> bool:
    """Whether a window can be opened: an X server, or a screen right at the graphics card of a machine without one.

    Whoever wants none though there is one sets COMPANION_SCREEN to "none".
    """
    if environ.get("COMPANION_SCREEN") == "none":
        return False
    if environ.get("DISPLAY") or environ.get("SDL_VIDEODRIVER"):
        return True
    if environ.get("SSH_CONNECTION") or environ.get("WAYLAND_DISPLAY"):
        return False
    try:
        return any(status.read_text().strip() == "connected" for status in screens.glob("card*-*/status"))
    except OSError:
        return False


def answers(environ: Mapping[str, str]) -> bool:
    """Whether somebody is behind the X display that is named, if one is: else SDL would draw for nobody, without a
    word."""
    display = environ.get("DISPLAY")
    if not display or environ.get("SDL_VIDEODRIVER"):
        return True
    host, _, number = display.rpartition(":")
    number = number.partition(".")[0]
    if not (number.isascii() and number.isdigit()) or len(number) > 5:
        return False
    if host in ("", "unix"):
        usual = f"/tmp/.X11-unix/X{number}"
        return _is_heard(socket.AF_UNIX, usual) or _is_heard(socket.AF_UNIX, f"\0{usual}")
    if host.startswith("/"):
        return _is_heard(socket.AF_UNIX, display)
    try:
        socket.create_connection((host.strip("[]"), 6000 + int(number)), PATIENCE).close()
    except (OSError, ValueError, OverflowError):
        return False
    return True


def _is_heard(family: socket.AddressFamily, address: str) -> bool:
    with socket.socket(family) as caller:
        caller.settimeout(PATIENCE)
        try:
            caller.connect(address)
        except (OSError, ValueError):  # a name with a NUL in it
            return False
    return True


def fills_display(environ: Mapping[str, str]) -> bool:
    """Whether the window takes the whole display from the beginning: where nobody else shows anything there.

    Whoever wants it otherwise sets COMPANION_SCREEN to "full" or to "window"; F11 changes it at any time.
    """
    wished = environ.get("COMPANION_SCREEN")
    if wished in ("full", "window"):
        return wished == "full"
    if driver := environ.get("SDL_VIDEODRIVER"):
        return driver.lower() == "kmsdrm"
    return not environ.get("DISPLAY") and not environ.get("WAYLAND_DISPLAY")


TURNED = ("0", "90", "180", "270")


def turned(environ: Mapping[str, str]) -> str:
    """By how many degrees the picture is turned: COMPANION_ROTATE, for panels that stand on end or hang."""
    wished = environ.get("COMPANION_ROTATE", "0")
    return wished if wished in TURNED else "0"


def card(screens: Path = Path("/sys/class/drm")) -> str | None:
    """The number of the graphics card a screen is connected to, a panel at the ribbon before any other.

    A Pi 5 has several: one that only computes, one for HDMI, and one for a panel at the ribbon.
    """
    found = []
    for status in screens.glob("card*-*/status"):
        with suppress(OSError):
            if status.read_text().strip() == "connected":
                name, _, connector = status.parent.name.removeprefix("card").partition("-")
                found.append((not connector.startswith("DSI"), int(name)))
    return str(min(found)[1]) if found else None


def first_frame() -> None:
    """Open the window and show our cards, so that people see something while all the rest is loaded."""
    from kivy.core.window import Window
    from kivy.graphics import Color, PopMatrix, PushMatrix, Rotate, RoundedRectangle
    from kivy.uix.widget import Widget

    width, height = Window.size
    unit = min(width, height) / 24
    splash = Widget(size_hint=(None, None), size=(width, height))
    with splash.canvas:
        for colour, angle, x, y in (
            (BACK, 14, -2.6, -2.2),
            (CARD, -8, -0.8, -1.8),
        ):
            PushMatrix()
            Rotate(angle=angle, origin=(width / 2 + x * unit, height / 2))
            Color(*colour)
            pos = (width / 2 + x * unit, height / 2 + y * unit)
            RoundedRectangle(pos=pos, size=(2.9 * unit, 4.1 * unit), radius=[0.6 * unit])
            PopMatrix()
    Window.clearcolor = GROUND
    Window.add_widget(splash)
    Window.dispatch("on_draw")
    Window.dispatch("on_flip")


def tidy_up_ourselves() -> None:
    """From now on nobody looks for garbage but us: Python would do so in the middle of building a screen."""
    gc.collect()
    gc.freeze()
    gc.disable()


QUICKLY = 0.0005
"""Seconds a thread may keep the others from running Python; usually it is ten times as long."""


def take_turns() -> None:
    """Let no thread wait long for another: a press goes through three of them until its lamp is lit."""
    sys.setswitchinterval(QUICKLY)


def _kivy_home(home: Path) -> Path:
    """Where Kivy keeps its own things; where nothing can be written, a folder that is gone afterwards."""
    kept = home / "kivy"
    with suppress(OSError):  # the window opens all the same, and says what cannot be kept
        make_folder(kept)
    if not kept.is_dir() or not os.access(kept, os.W_OK):
        kept = Path(tempfile.mkdtemp(prefix="companion-kivy-"))
        atexit.register(shutil.rmtree, kept, ignore_errors=True)
    return kept


def prepare(home: Path, width: int = 800, height: int = HEIGHT, samples: int = SAMPLES) -> None:
    """Kivy without its own log, command line and configuration file; our fonts; one tap is one tap."""
    hold_little()
    for name in ("ARGS", "CONSOLELOG", "FILELOG", "ENV_CONFIG"):
        os.environ.setdefault(f"KIVY_NO_{name}", "1")
    os.environ.setdefault("SDL_MOUSE_FOCUS_CLICKTHROUGH", "1")  # the very first tap counts, too
    os.environ.setdefault("KIVY_HOME", str(_kivy_home(home)))
    from kivy.config import Config

    sys.stderr = sys.__stderr__  # Kivy's logger takes it, and with it every traceback
    for key, value in {
        "width": width,
        "height": height,
        "minimum_width": 480,
        "minimum_height": 360,
        "maxfps": 30,
        "multisamples": samples,
        "fullscreen": "auto" if fills_display(os.environ) else "0",
        "rotation": turned(os.environ),
    }.items():
        Config.set("graphics", key, str(value))
    Config.set("kivy", "exit_on_escape", "0")
    Config.set("kivy", "desktop", "1" if os.environ.get("DISPLAY") else "0")
    Config.set("input", "mouse", "mouse,disable_multitouch")
    if not os.environ.get("DISPLAY") and not os.environ.get("SDL_VIDEODRIVER"):
        if (number := card()) is not None:
            os.environ.setdefault("SDL_KMSDRM_DEVICE_INDEX", number)
        # Right at the graphics card: exactly one provider, or every tap comes twice.
        for option in list(Config.options("input")):
            Config.remove_option("input", option)
        Config.set("input", "%(name)s", "probesysfs,provider=mtdev")
    from kivy.core.text import LabelBase

    LabelBase.register("Words", str(FONTS / "Lato-Regular.ttf"), fn_bold=str(FONTS / "Lato-Bold.ttf"))
    LabelBase.register("Others", "data/fonts/DejaVuSans.ttf")  # Kivy's own, for letters ours does not have
    LabelBase.register("Icons", str(FONTS / "icons.ttf"))
