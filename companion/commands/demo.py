"""A whole game played by bots, printed as it happens."""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from companion.commands.shared import (
    Help,
    Options,
    can_open_window,
    choices,
    names,
    shower,
    variants_argument,
)
from companion.core.game import Game, Setup, game, showcase
from companion.core.words import plain, say
from companion.errors import DONE, Unknown
from companion.terminal.watch import demonstrate
from companion.ui import start

if TYPE_CHECKING:
    from companion.terminal.demo_camera import DemoCamera


def arguments(parser: argparse.ArgumentParser, t: Help) -> None:
    """Which game, how many bots, and how fast."""
    parser.add_argument("--game", help=t("demo-game"))
    parser.add_argument("--players", type=int, default=3, metavar="N", help=t("players"))
    parser.add_argument("--seed", type=int, metavar="S", help=t("seed"))
    variants_argument(parser, t)
    parser.add_argument("--camera", default="good-lamp", metavar="PRESET", help=t("demo-camera"))
    parser.add_argument("--speed", type=float, metavar="N", help=t("speed"))
    parser.add_argument("--text", action="store_true", help=t("text"))


def run(options: Options) -> int:
    """Let bots play a whole game, and print it as it happens."""
    chosen = None if options.game is None else game(options.game)
    rules = chosen or game(showcase().id)
    setup = _setup(options, rules)
    rules.start(setup)  # refuses an impossible set-up before the camera is started
    _known_preset(options)
    if can_open_window(options):
        return _demo_in_window(chosen, options)
    speed = options.speed if options.speed is not None else 3.0 if sys.stdout.isatty() else 0.0

    def wait() -> None:
        if speed > 0:
            time.sleep(min(1 / max(speed, 0.001), 3600.0))

    options.seed = rules.demo_seed if options.seed is None else options.seed
    demonstrate(rules, setup, options.seed, shower(options), wait, _demo_camera(rules, options))
    return DONE


def _setup(options: Options, rules: Game) -> Setup:
    """The set-up of the demonstration; it uses a sample box, so no question asks for printed facts."""
    return Setup(rules.id, names(options.players), choices(options, rules), rules.sample())


def _demo_camera(rules: Game, options: Options) -> DemoCamera | None:
    """The virtual camera of a demonstration, if wanted; loads the picture-reading code only then."""
    if options.camera == "none":
        return None
    from companion.terminal.demo_camera import DemoCamera

    return DemoCamera(rules, options.camera, options.seed)


def _known_preset(options: Options) -> None:
    if options.camera == "none":
        return
    from vision.virtual import PRESETS

    if options.camera not in PRESETS:
        known = tuple(plain(preset) for preset in (*PRESETS, "none"))
        raise Unknown(say("see.no-preset", preset=options.camera, known=known))


def _demo_in_window(chosen: Game | None, options: Options) -> int:
    """The demonstration in the window, with a folder of its own, so that it stays out of the real journal."""
    with tempfile.TemporaryDirectory(prefix="companion-demo-") as folder:
        start.prepare(Path(folder))
        from companion.ui.demo import demo
        from companion.ui.demo.pace import WHOLE

        seconds = None if options.speed == 0 else WHOLE / (options.speed or 1.0)
        setup = partial(_setup, options)
        demo.run(Path(folder), chosen, setup, options.seed, options.camera, seconds, options.asked)
    return DONE
