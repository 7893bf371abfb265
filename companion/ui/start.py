"""Prepares Kivy, which reads its environment on import; so this module must run first."""

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
from companion.table.memory_release import hold_little

FONTS = Path(__file__).parent / "fonts"

SAMPLES = 4
"""Samples per pixel for smooth edges; 0 is a quarter faster, for runs without viewers."""


HEIGHT, WITH_PANEL = 480, 580
"""The initial height of a window, alone and with a simulated panel below."""

PATIENCE = 3.0
"""Seconds an X display on another machine has to answer."""

GROUND = (0.055, 0.075, 0.11, 1.0)
"""The background before the theme is known."""

BACK, CARD = (156 / 255, 117 / 255, 48 / 255), (243 / 255, 185 / 255, 77 / 255)
"""The colours of the two cards on the splash screen."""

LIBRARIES = {"libgl1": "libGL.so.1", "libegl1": "libEGL.so.1", "libmtdev1": "libmtdev.so.1"}
"""The Debian packages a window needs, each with one of its libraries."""


def lacking() -> tuple[str, ...]:
    """The packages a window needs that this system lacks."""

    def there(library: str) -> bool:
        try:
            ctypes.CDLL(library)
        except OSError:
            return False
        return True

    return tuple(package for package, library in LIBRARIES.items() if not there(library))


def has_display(environ: Mapping[str, str], screens: Path = Path("/sys/class/drm")) -> bool:
    """Whether a window can be opened: on an X server, or on a screen connected directly to the graphics card.

    Set COMPANION_SCREEN to "none" to do without a window.
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
    """Whether the configured X display, if any, answers; otherwise SDL would draw to nothing, silently."""
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
        except (OSError, ValueError):  # a name that contains a NUL character
            return False
    return True


def fills_display(environ: Mapping[str, str]) -> bool:
    """Whether the window starts in full screen: if nothing else uses the display.

    Set COMPANION_SCREEN to "full" or "window" to decide; F11 toggles it at any time.
    """
    wished = environ.get("COMPANION_SCREEN")
    if wished in ("full", "window"):
        return wished == "full"
    if driver := environ.get("SDL_VIDEODRIVER"):
        return driver.lower() == "kmsdrm"
    return not environ.get("DISPLAY") and not environ.get("WAYLAND_DISPLAY")


def display_size(environ: Mapping[str, str]) -> tuple[int, int] | None:
    """The size of the X display: without a window manager, a full-screen window keeps the size it begins with."""
    if not environ.get("DISPLAY") or environ.get("SDL_VIDEODRIVER"):
        return None
    try:
        x11 = ctypes.CDLL("libX11.so.6")
    except OSError:
        return None
    x11.XOpenDisplay.restype = ctypes.c_void_p
    display = ctypes.c_void_p(x11.XOpenDisplay(environ["DISPLAY"].encode()))
    if not display:
        return None
    screen = x11.XDefaultScreen(display)
    size = x11.XDisplayWidth(display, screen), x11.XDisplayHeight(display, screen)
    x11.XCloseDisplay(display)
    return size


TURNED = ("0", "90", "180", "270")


def turned(environ: Mapping[str, str]) -> str:
    """The rotation of the picture in degrees: COMPANION_ROTATE, for panels mounted upright or upside down."""
    wished = environ.get("COMPANION_ROTATE", "0")
    return wished if wished in TURNED else "0"


def card(screens: Path = Path("/sys/class/drm")) -> str | None:
    """The number of the graphics card with a connected screen, preferring a panel on the ribbon cable.

    A Pi 5 has several: one that only computes, one for HDMI, and one for a panel on the ribbon cable.
    """
    found = []
    for status in screens.glob("card*-*/status"):
        with suppress(OSError):
            if status.read_text().strip() == "connected":
                name, _, connector = status.parent.name.removeprefix("card").partition("-")
                found.append((not connector.startswith("DSI"), int(name)))
    return str(min(found)[1]) if found else None


def first_frame() -> None:
    """Open the window with a splash screen of two cards, to be seen while the rest is loaded."""
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


def disable_automatic_gc() -> None:
    """Switch automatic garbage collection off: Python would collect in the middle of building a screen."""
    gc.collect()
    gc.freeze()
    gc.disable()


QUICKLY = 0.0005
"""Seconds a thread may hold Python's interpreter lock; the default is ten times as long."""


def take_turns() -> None:
    """Let threads switch quickly: a press passes through three of them until its lamp is lit."""
    sys.setswitchinterval(QUICKLY)


def _kivy_home(home: Path) -> Path:
    """Kivy's own folder; a temporary one if nothing can be written."""
    kept = home / "kivy"
    with suppress(OSError):  # the window opens anyway, and reports what cannot be stored
        make_folder(kept)
    if not kept.is_dir() or not os.access(kept, os.W_OK):
        kept = Path(tempfile.mkdtemp(prefix="companion-kivy-"))
        atexit.register(shutil.rmtree, kept, ignore_errors=True)
    return kept


def prepare(home: Path, width: int = 800, height: int = HEIGHT, samples: int = SAMPLES) -> None:
    """Configure Kivy: no log, command line or configuration file of its own; our fonts; no duplicate taps."""
    hold_little()
    for name in ("ARGS", "CONSOLELOG", "FILELOG", "ENV_CONFIG"):
        os.environ.setdefault(f"KIVY_NO_{name}", "1")
    os.environ.setdefault("SDL_MOUSE_FOCUS_CLICKTHROUGH", "1")  # the very first tap counts, too
    os.environ.setdefault("KIVY_HOME", str(_kivy_home(home)))
    from kivy.config import Config

    sys.stderr = sys.__stderr__  # Kivy's logger replaces it, which would hide every traceback
    full = fills_display(os.environ)
    if full:
        width, height = display_size(os.environ) or (width, height)
    for key, value in {
        "width": width,
        "height": height,
        "minimum_width": 480,
        "minimum_height": 360,
        "maxfps": 30,
        "multisamples": samples,
        "fullscreen": "auto" if full else "0",
        "rotation": turned(os.environ),
    }.items():
        Config.set("graphics", key, str(value))
    Config.set("kivy", "exit_on_escape", "0")
    Config.set("kivy", "desktop", "1" if os.environ.get("DISPLAY") else "0")
    Config.set("input", "mouse", "mouse,disable_multitouch")
    if not os.environ.get("DISPLAY") and not os.environ.get("SDL_VIDEODRIVER"):
        if (number := card()) is not None:
            os.environ.setdefault("SDL_KMSDRM_DEVICE_INDEX", number)
        # Directly on the graphics card: exactly one input provider, or every tap comes twice.
        for option in list(Config.options("input")):
            Config.remove_option("input", option)
        Config.set("input", "%(name)s", "probesysfs,provider=mtdev")
    from kivy.core.text import LabelBase

    LabelBase.register("Words", str(FONTS / "Lato-Regular.ttf"), fn_bold=str(FONTS / "Lato-Bold.ttf"))
    LabelBase.register("Others", "data/fonts/DejaVuSans.ttf")  # Kivy's own font, for characters ours lacks
    LabelBase.register("Icons", str(FONTS / "icons.ttf"))
