"""The command line: `companion COMMAND`. Exit codes: 0 done, 1 a bug, 2 bad input, 3 storage, 4 device."""

from __future__ import annotations

import argparse
import errno
import os
import sys
import time
import traceback
from collections.abc import Sequence
from typing import Any

from companion import commands
from companion.cameras import told
from companion.core.words import Text, say
from companion.errors import BAD_INPUT, BUG, DEVICE, DONE, STORAGE, DataTrouble, Trouble
from companion.texts import LANGUAGES, our_name, render, usual_language
from devices import DeviceTrouble
from vision import BadSource, CameraTrouble


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    language = _language(given)
    _speak_utf8()
    try:
        options = _parser(language).parse_args(given)
        options.asked = language if any(word.startswith("--language") for word in given) else None
        code: int = options.run(options) if options.run else _open(options)
        sys.stdout.flush()
        return code
    except Trouble as trouble:
        return _tell(trouble, language)
    except CameraTrouble as trouble:
        print(render(told(trouble), language), file=sys.stderr)
        return BAD_INPUT if isinstance(trouble, BadSource) else DEVICE
    except DeviceTrouble as trouble:
        print(trouble, file=sys.stderr)
        return DEVICE
    except (KeyboardInterrupt, EOFError):
        print(file=sys.stderr)
        return DONE
    except BrokenPipeError:
        _say_no_more()
        return DONE
    except Exception as e:  # the last line of defence: whatever it is, the person gets a sentence
        if isinstance(e, OSError) and e.errno == errno.ENOSPC:
            _say_no_more()
            print(render(say("cli.output-full"), language), file=sys.stderr)
            return STORAGE
        print(render(say("cli.bug"), language), file=sys.stderr)
        traceback.print_exc()
        return BUG


def _say_no_more() -> None:
    """Whoever read our output has gone, or it is full: nothing more, not even when Python flushes at the end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _tell(trouble: Trouble, language: str) -> int:
    print(render(trouble.text, language), file=sys.stderr)
    for problem in trouble.problems if isinstance(trouble, DataTrouble) else ():
        if problem is not trouble.text:
            print(f"- {render(problem, language)}", file=sys.stderr)
    return trouble.exit_code


def _speak_utf8() -> None:
    """A terminal that claims to know ASCII only must not make us crash on a Polish name."""
    for stream in (sys.stdout, sys.stderr, sys.stdin):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="replace")


def _language(given: list[str]) -> str:
    """The language asked for, found before parsing because the help itself is in it."""
    for n, word in enumerate(given):
        value = word.partition("=")[2] if word.startswith("--language=") else ""
        if word == "--language" and n + 1 < len(given):
            value = given[n + 1]
        if value in LANGUAGES:
            return value
    return usual_language()


def _open(options: argparse.Namespace) -> int:
    """The window, or the help where there can be none."""
    if commands.can_open_window(options):
        return commands.window(options)
    _parser(options.language).print_help()
    return DONE


class _Parser(argparse.ArgumentParser):
    language = "en"

    def __init__(self, **options: Any) -> None:
        super().__init__(**options, allow_abbrev=False)  # an option cut short would be read here only

    def error(self, message: str) -> None:  # type: ignore[override]
        self.print_usage(sys.stderr)
        print(render(say("cli.bad-words"), self.language), message, file=sys.stderr)
        raise SystemExit(BAD_INPUT)


def _parser(language: str) -> argparse.ArgumentParser:
    def t(key: str, **args: int | str | Text) -> str:
        # argparse formats help texts with %, so a per cent sign must be doubled.
        return render(say(f"cli.{key}", **args), language).replace("%", "%%")

    words = {
        "usage: ": t("usage"),
        "options": t("options"),
        "positional arguments": t("positional"),
        "show this help message and exit": t("show-help"),
    }
    # The words argparse itself adds come through this function of its module, meant for gettext.
    vars(argparse)["_"] = lambda text: words.get(text, text)
    parser = _Parser(prog=our_name(), description=t("about"))
    _Parser.language = language
    parser.set_defaults(run=None, text=False, language=language, clock=time.time)
    parser.add_argument("--panel", action="store_true", help=t("panel"))
    parser.add_argument("--language", choices=LANGUAGES, default=language, help=t("language"))
    subparsers = parser.add_subparsers(title=t("commands"), metavar=t("COMMAND"))

    def command(name: str, run: object) -> argparse.ArgumentParser:
        made = subparsers.add_parser(name, help=t(name), description=t(name))
        made.add_argument("--language", choices=LANGUAGES, default=argparse.SUPPRESS, help=t("language"))
        made.set_defaults(run=run)
        return made

    play = command("play", commands.play)
    play.add_argument("game", help=t("game"))
    play.add_argument("--seats", metavar="ANIA,BARTEK", help=t("seats"))
    play.add_argument(
        "--with", dest="choices", action="append", default=[], metavar="VARIANT=VALUE", help=t("with")
    )
    play.add_argument("--camera", metavar="SOURCE", help=t("play-camera"))
    play.add_argument("--text", action="store_true", help=t("text"))
    play.add_argument("--panel", action="store_true", default=argparse.SUPPRESS, help=t("panel"))

    demo = command("demo", commands.demo)
    demo.add_argument("--game", default="race", help=t("game"))
    demo.add_argument("--players", type=int, default=3, metavar="N", help=t("players"))
    demo.add_argument("--seed", type=int, default=1, metavar="S", help=t("seed"))
    demo.add_argument(
        "--with", dest="choices", action="append", default=[], metavar="VARIANT=VALUE", help=t("with")
    )
    demo.add_argument("--camera", default="good-lamp", metavar="PRESET", help=t("demo-camera"))
    demo.add_argument("--speed", type=float, metavar="N", help=t("speed"))
    demo.add_argument("--text", action="store_true", help=t("text"))

    bots = command("bots", commands.bots)
    bots.add_argument("game", help=t("game"))
    bots.add_argument("--games", type=int, default=10, metavar="N", help=t("games"))
    bots.add_argument("--players", type=int, default=2, metavar="P", help=t("players"))
    bots.add_argument("--seed", type=int, default=1, metavar="S", help=t("seed"))
    bots.add_argument("--advanced", action="store_true", help=t("advanced"))
    bots.add_argument(
        "--with", dest="choices", action="append", default=[], metavar="VARIANT=VALUE", help=t("with")
    )
    bots.add_argument("--json", action="store_true", help=t("json"))

    score = command("score", commands.score)
    score.add_argument("game", help=t("game"))
    score.add_argument("file", nargs="?", metavar="FILE", help=t("position"))
    score.add_argument("--json", action="store_true", help=t("json"))
    score.add_argument("--jsonl", action="store_true", help=t("jsonl"))
    score.add_argument("--schema", action="store_true", help=t("schema"))
    score.add_argument("--sweep", nargs="+", metavar="[NAME=]PICTURES", help=t("sweeps"))
    score.add_argument("--seats", metavar="ANIA,BARTEK", help=t("seats"))
    score.add_argument("--zone", nargs="+", metavar="NAME=ZONE", help=t("zones"))
    score.add_argument(
        "--with", dest="choices", action="append", default=[], metavar="VARIANT=VALUE", help=t("with")
    )

    odds = command("odds", commands.odds)
    odds.add_argument("game", help=t("game"))
    odds.add_argument("file", metavar="FILE", help=t("battle"))
    odds.add_argument("--json", action="store_true", help=t("json"))

    labels = command("labels", commands.labels)
    labels.add_argument("game", help=t("game"))
    labels.add_argument("--size", type=float, metavar="MM", help=t("size"))
    labels.add_argument("--paper", help=t("paper"))
    labels.add_argument("--sheet", default="plain", help=t("sheet"))
    labels.add_argument("--only", nargs="+", metavar="ID", help=t("only"))
    labels.add_argument("--out", metavar="FILE.pdf", help=t("out"))

    scan = command("scan", commands.scan)
    scan.add_argument("pictures", nargs="+", metavar="PICTURE", help=t("pictures"))
    scan.add_argument("--any", action="store_true", help=t("any"))
    scan.add_argument("--json", action="store_true", help=t("json"))

    sweep = command("sweep", commands.sweep)
    sweep.add_argument("source", nargs="?", metavar="SOURCE", help=t("source"))
    sweep.add_argument("--game", required=True, help=t("game"))
    sweep.add_argument("--seat", metavar="NAME", help=t("seat"))
    sweep.add_argument("--zone", metavar="ZONE", help=t("zone"))
    sweep.add_argument("--json", action="store_true", help=t("json"))

    camera = command("camera", commands.camera)
    camera.add_argument("source", nargs="?", metavar="SOURCE", help=t("source"))
    camera.add_argument("--list", action="store_true", help=t("list-cameras"))
    camera.add_argument("--use", action="store_true", help=t("use-camera"))
    camera.add_argument("--preview", action="store_true", help=t("preview"))
    camera.add_argument("--save", metavar="FILE.png", help=t("save"))

    shots = command("shots", commands.shots)
    shots.add_argument("--out", required=True, metavar="DIR", help=t("shots-out"))
    shots.add_argument("--only", nargs="+", default=[], metavar="NAME", help=t("shots-only"))

    wiring = command("wiring", commands.wiring)
    wiring.add_argument("--seats", type=int, metavar="N", help=t("wired-seats"))
    wiring.add_argument("--counters", action="store_true", help=t("counters"))
    wiring.add_argument("--table", metavar="FILE", help=t("table"))
    wiring.add_argument("--svg", metavar="FILE", help=t("svg"))
    wiring.add_argument("--toml", metavar="FILE", help=t("toml"))

    devices = command("devices", commands.devices)
    devices.add_argument("what", choices=("test",), help=t("devices-what"))
    devices.add_argument("--table", metavar="FILE", help=t("table"))
    devices.add_argument("--names", metavar="ANIA,BARTEK", help=t("names"))
    devices.add_argument("--simulate", action="store_true", help=t("simulate"))
    devices.add_argument("--yes", action="store_true", help=t("robot"))
    devices.add_argument("--report", metavar="NAME", default="devices-report", help=t("report"))

    command("plays", commands.plays)
    for name, run in (("resume", commands.resume), ("replay", commands.replay), ("export", commands.export)):
        made = command(name, run)
        made.add_argument("play", type=int, nargs="?" if name == "resume" else None, help=t("play-number"))
        if name == "resume":
            made.add_argument("--camera", metavar="SOURCE", help=t("play-camera"))
            made.add_argument("--text", action="store_true", help=t("text"))
            made.add_argument("--panel", action="store_true", default=argparse.SUPPRESS, help=t("panel"))
    made.add_argument("--format", choices=("json",), default="json", help=t("format"))

    log = command("replay-log", commands.replay_log)
    log.add_argument("file", metavar="FILE", help=t("log"))
    log.add_argument("--json", action="store_true", help=t("json"))

    check = command("check", commands.check)
    check.add_argument("--repair", action="store_true", help=t("repair"))
    return parser


if __name__ == "__main__":
    sys.exit(main())
