"""What each command does; `cli.py` knows their words, this module their deeds."""

from __future__ import annotations

import argparse
import gzip
import io
import os
import sys
import tempfile
import time
import zlib
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
from rich.table import Table

from companion import score_command
from companion.cameras import told
from companion.core import autoplay
from companion.core.binder import Binder
from companion.core.game import Game, Setup, game, games
from companion.core.journal import Journal
from companion.core.play import Play, load
from companion.core.repair import repair, verify
from companion.core.store import Store, default_path
from companion.core.words import Text, count, plain, say
from companion.errors import BAD_INPUT, DONE, STORAGE, DataTrouble, NotNow, StorageTrouble, Unknown
from companion.terminal.screen import Screen
from companion.terminal.show import Shower
from companion.terminal.table import Ask, Quit, TextTable
from companion.terminal.watch import demonstrate, retell
from companion.texts import render
from companion.ui import start
from vision import BadSource, CameraTrouble

if TYPE_CHECKING:
    from companion.app import CompanionApp
    from companion.terminal.eyes import Eyes

Options = argparse.Namespace
NAMES = ("Ania", "Bartek", "Celina", "Darek", "Ewa", "Filip")


def can_open_window(options: Options) -> bool:
    """Whether there is a display and nobody asked for text; what a window lacks here is said."""
    if options.text or not start.has_display(os.environ):
        return False
    if packages := " ".join(start.lacking()):
        print(render(say("ui.no-window", packages=packages), options.language), file=sys.stderr)
        return False
    return True


def window(options: Options, first: Callable[[CompanionApp], Any] = lambda app: None) -> int:
    """The window, until it is closed."""
    start.prepare(default_path(os.environ).parent, height=580 if options.panel else 480)
    from companion import app

    return app.run(first, options.asked, options.panel, getattr(options, "camera", None))


def shots(options: Options) -> int:
    """Pictures of every screen, and what is wrong with them."""
    if packages := " ".join(start.lacking()):
        raise NotNow(say("ui.no-window", packages=packages))
    from companion.ui import shots as pictures

    for name in options.only:
        if not pictures.scenes([name]):
            raise Unknown(say("ui.no-such-shot", name=name, known=tuple(plain(s) for s in pictures.SCENES)))
    taken, wrong = pictures.take(Path(options.out), options.only)
    for problem in wrong:
        print(problem)
    print(render(count("ui.shots-taken", taken, folder=options.out, wrong=len(wrong)), options.language))
    return BAD_INPUT if wrong else DONE


def play(options: Options) -> int:
    """A new play, in the window or at this terminal."""
    rules = game(options.game)
    if can_open_window(options):
        wished = _choices(options.choices)
        seats = () if options.seats is None else _seats(options, rules)
        if options.seats is not None:
            rules.start(Setup(rules.id, seats, wished))  # refuses what cannot be before there is a window
        return window(options, lambda app: app.go("new", game=rules, seats=seats, wished=wished))
    seats = _seats(options, rules)
    setup = rules.complete(Setup(rules.id, seats, _choices(options.choices)))
    show = _shower(options)
    with _journal() as (journal, binder), _asking(rules, show, options.camera) as ask:
        started = Play.start(rules, setup, journal, binder, options.clock())
        show.say(say("ui.play-number", n=started.id))
        show.checklist(say("ui.setting-up"), rules.checklist(setup))
        return _at_the_table(started, show, ask, options)


def resume(options: Options) -> int:
    """Go on with a play, by default the newest one that is not over."""
    with _journal() as (journal, binder):
        number = options.play
        if number is None:
            unfinished = [row.id for row in journal.plays() if row.finished is None and row.entries]
            if not unfinished:
                raise NotNow(say("ui.nothing-to-resume"))
            number = unfinished[-1]
        resumed = Play.resume(number, journal, binder)
        if not can_open_window(options):
            show = _shower(options)
            with _asking(resumed.session.game, show, options.camera) as ask:
                resumed.wake(options.clock())
                show.say(say("ui.resumed", n=number, answers=resumed.session.entries))
                return _at_the_table(resumed, show, ask, options)
    return window(options, lambda app: app.desk.resume(number))


@contextmanager
def _asking(rules: Game, show: Shower, source: str | None) -> Iterator[Ask]:
    """What a play asks: the keyboard, and a camera if one is named. A camera that does not work is only told of;
    a name that cannot be a camera's is refused."""
    if source is None:
        yield input
        return
    from companion.terminal.live import keys_and_camera

    with ExitStack() as stack:
        ask: Ask = input
        try:
            ask = stack.enter_context(keys_and_camera(rules, source))
        except BadSource:
            raise
        except CameraTrouble as trouble:
            show.say(say("see.camera-over", why=told(trouble)), "yellow")
        yield ask


def _at_the_table(play: Play, show: Shower, ask: Ask, options: Options) -> int:
    try:
        TextTable(play, show, ask, options.clock).run()
    except (Quit, EOFError, KeyboardInterrupt):
        show.say(say("ui.saved", n=play.id))
    return DONE


def _seats(options: Options, rules: Game) -> tuple[str, ...]:
    named = options.seats
    if named is None:
        low, high = str(rules.box.seats[0]), str(rules.box.seats[-1])
        named = input(render(say("ui.ask-seats", low=low, high=high), options.language) + " ")
    return tuple(name.strip() for name in named.split(",") if name.strip())


def _choices(given: list[str]) -> dict[str, str]:
    choices = {}
    for choice in given:
        variant, equals, value = choice.partition("=")
        if not equals:
            raise DataTrouble(say("cli.bad-choice", choice=choice))
        choices[variant] = value
    return choices


def _names(players: int) -> tuple[str, ...]:
    return tuple(NAMES[n] if n < len(NAMES) else f"{n + 1}" for n in range(min(players, 99)))


def demo(options: Options) -> int:
    """A whole game by bots, told as it happens."""
    rules = game(options.game)
    setup = Setup(rules.id, _names(options.players), _choices(options.choices))
    rules.start(setup)  # refuses a set-up that cannot be before the camera is started
    _known_preset(options)
    if can_open_window(options):
        return _demo_in_window(rules, setup, options)
    speed = options.speed if options.speed is not None else 3.0 if sys.stdout.isatty() else 0.0

    def wait() -> None:
        if speed > 0:
            time.sleep(min(1 / max(speed, 0.001), 3600.0))

    demonstrate(rules, setup, options.seed, _shower(options), wait, _eyes(rules, options))
    return DONE


def _eyes(rules: Game, options: Options) -> Eyes | None:
    """The virtual camera of a demonstration; reading pictures is loaded only for those who want it."""
    if options.camera == "none":
        return None
    from companion.terminal.eyes import Eyes

    return Eyes(rules, options.camera, options.seed)


def _known_preset(options: Options) -> None:
    if options.camera == "none":
        return
    from vision.virtual import PRESETS

    if options.camera not in PRESETS:
        known = tuple(plain(preset) for preset in (*PRESETS, "none"))
        raise Unknown(say("see.no-preset", preset=options.camera, known=known))


def _demo_in_window(rules: Game, setup: Setup, options: Options) -> int:
    """The same in the window, in a folder of its own: a demonstration is nobody's play."""
    with tempfile.TemporaryDirectory(prefix="companion-demo-") as folder:
        start.prepare(Path(folder))
        from companion.ui import demo

        speed = options.speed if options.speed is not None else demo.SPEED
        demo.run(Path(folder), rules, setup, options.seed, options.camera, speed, options.asked)
    return DONE


def bots(options: Options) -> int:
    """Many games by bots, with their results."""
    rules = game(options.game)
    choices = _choices(options.choices) | ({"actions": "advanced"} if options.advanced else {})
    setup = Setup(rules.id, _names(options.players), choices)
    if options.games < 1:
        raise DataTrouble(say("cli.no-games"))
    began = time.perf_counter()
    results = [_bot_game(rules, setup, options.seed + n) for n in range(options.games)]
    seconds = time.perf_counter() - began
    if options.json:
        summary = {"game": rules.id, "seconds": round(seconds, 3), "games": results}
        print(msgspec.json.format(msgspec.json.encode(summary), indent=2).decode())
        return DONE
    show = _shower(options)
    table = Table()
    for key in ("seed", "rounds", "answers", "scores", "winners"):
        table.add_column(render(say(f"ui.bots-{key}"), options.language))
    for result in results:
        scores = ", ".join(f"{name} {total}" for name, total in result["scores"].items())
        winners = ", ".join(result["winners"])
        table.add_row(str(result["seed"]), str(result["rounds"]), str(result["answers"]), scores, winners)
    show.console.print(table)
    show.say(count("ui.bots-played", len(results), rate=f"{len(results) / seconds:.1f}"))
    return DONE


def _bot_game(rules: Game, setup: Setup, seed: int) -> dict[str, Any]:
    """One game; a table that cannot be right is a bug and ends everything."""
    answers = -1
    for state, _ in autoplay.play(rules, setup, seed):
        answers += 1
        problems = rules.check(state)
        assert not problems, f"seed {seed}, answer {answers}: {problems}"
    sheet = rules.sheet(state)
    return {
        "seed": seed,
        "rounds": rules.view(state).round,
        "answers": answers,
        "scores": {seat.name: seat.total for seat in sheet.seats},
        "winners": list(sheet.winners),
    }


def odds(options: Options) -> int:
    """The odds of a battle."""
    from companion import odds_command

    return odds_command.odds_of_file(
        options.game,
        options.file,
        as_json=options.json,
        language=options.language,
        stdin=sys.stdin.buffer,
        out=sys.stdout,
    )


def score(options: Options) -> int:
    """A final position's sheet."""
    game(options.game)
    if options.schema:
        return score_command.print_schema(options.game, options.language, sys.stdout, sys.stderr)
    if options.jsonl:
        return score_command.score_jsonl(sys.stdin.buffer, sys.stdout.buffer, options.language)
    if options.sweep or options.seats is not None:
        return _score_told(options)
    if options.file is None:
        raise DataTrouble(say("cli.no-position"))
    return score_command.score_file(
        options.file,
        as_json=options.json,
        language=options.language,
        stdin=sys.stdin.buffer,
        out=sys.stdout,
        err=sys.stderr,
    )


def _score_told(options: Options) -> int:
    from companion.see_commands import told_position

    position = told_position(options, _choices(options.choices))
    return score_command.score_file(
        "-",
        as_json=options.json,
        language=options.language,
        stdin=io.BytesIO(msgspec.json.encode(position)),
        out=sys.stdout,
        err=sys.stderr,
    )


def labels(options: Options) -> int:
    """A PDF with the labels of a game."""
    from companion import label_command

    return label_command.labels(options)


def scan(options: Options) -> int:
    """The labels in pictures."""
    from companion import see_commands

    return see_commands.scan(options)


def sweep(options: Options) -> int:
    """A whole tableau from a camera or pictures."""
    from companion import see_commands

    return see_commands.sweep(options)


def camera(options: Options) -> int:
    """Is the camera well, and are the labels close enough?"""
    from companion import see_commands

    return see_commands.camera(options)


def wiring(options: Options) -> int:
    """What goes to which pin."""
    from companion import wiring_command

    return wiring_command.show_wiring(options)


def devices(options: Options) -> int:
    """Every button, lamp and counter tried out."""
    from companion import devices_command

    return devices_command.walk_through(options)


def plays(options: Options) -> int:
    """All plays in the journal."""
    show = _shower(options)
    with _journal() as (journal, _):
        rows = journal.plays()
    if not rows:
        show.say(say("ui.no-plays"))
        return DONE
    table = Table()
    for key in ("number", "game", "seats", "begun", "entries", "state"):
        table.add_column(show.words(say(f"ui.plays-{key}")), no_wrap=key != "game")
    for row in rows:
        name = games()[row.game].box.name if row.game in games() else row.game
        begun = datetime.fromtimestamp(row.created).strftime("%Y-%m-%d %H:%M")
        state = show.words(say("ui.play-over" if row.finished is not None else "ui.play-running"))
        table.add_row(str(row.id), name, row.title, begun, str(row.entries), state)
    show.console.print(table)
    return DONE


def replay(options: Options) -> int:
    """A recorded play told again, from the beginning to where it stands."""
    with _journal() as (journal, _):
        retell(load(journal.load(options.play)), _shower(options))
    return DONE


def export(options: Options) -> int:
    """Everything about a play as JSON: how it was agreed, every entry, the table and the sheet."""
    with _journal() as (journal, _):
        stored = journal.load(options.play)
        exported = journal.export(options.play)
    session = load(stored)
    exported["state"] = msgspec.to_builtins(session.state)
    exported["sheet"] = score_command.result(session.game.sheet(session.state), options.language)
    exported["story"] = [render(sentence, options.language) for sentence in session.story()]
    print(msgspec.json.format(msgspec.json.encode(exported), indent=2).decode())
    return DONE


def replay_log(options: Options) -> int:
    """Games recorded by another engine, replayed through ours and compared after every phase."""
    from companion.games.race.log import replay_log as replay_one

    reports = []
    for number, line in _lines(options.file):
        try:
            reports.append(replay_one(msgspec.json.decode(line, type=dict[str, Any])))
        except (msgspec.DecodeError, LookupError, TypeError, ValueError, AttributeError) as e:
            why = str(e) or type(e).__name__
            raise DataTrouble(say("cli.bad-log", file=options.file, line=number, why=why)) from e
    wrong = [mismatch for report in reports for mismatch in report.mismatches]
    answers, checks = sum(r.answers for r in reports), sum(r.checks for r in reports)
    if options.json:
        summary = {
            "games": len(reports),
            "answers": answers,
            "checks": checks,
            "mismatches": [str(mismatch) for mismatch in wrong],
        }
        print(msgspec.json.format(msgspec.json.encode(summary), indent=2).decode())
    else:
        for mismatch in wrong:
            print(mismatch)
        replayed = count("ui.log-replayed", len(reports), answers=answers, checks=checks, wrong=len(wrong))
        print(render(replayed, options.language))
    return BAD_INPUT if wrong or not reports else DONE


def _lines(name: str) -> Iterator[tuple[int, bytes]]:
    """The lines of a file that are not empty, with their numbers."""
    try:
        data = sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
        data = gzip.decompress(data) if name.endswith(".gz") else data
    except (OSError, EOFError, zlib.error) as e:
        raise DataTrouble(say("core.bad-file", file=name, why=str(e))) from e
    for number, line in enumerate(data.splitlines(), start=1):
        if line.strip():
            yield number, line


def check(options: Options) -> int:
    """Is everything in order? The games' files, the journal, and every play in it."""
    show = _shower(options)
    for rules in games().values():
        setup = rules.complete(Setup(rules.id, _names(rules.box.seats[0])))
        pieces = len(rules.catalogue(setup).by_id)
        show.say(count("ui.check-game", pieces, game=rules.box.name), "green")
    path = default_path(os.environ)
    report = repair(path) if options.repair else verify(path)
    problems = list(report.problems)
    if not problems or options.repair:
        problems += _unplayable()
    show.say(count("ui.check-journal", report.plays, file=str(path), entries=report.entries))
    for problem in problems:
        show.say(problem, "red")
    if report.kept is not None:
        show.say(say("ui.check-kept", file=report.kept))
    if problems and not options.repair:
        return STORAGE
    show.say(say("ui.check-fine" if not problems else "ui.check-repaired"), "green")
    return DONE


def _unplayable() -> Iterator[Text]:
    """Plays that are whole but cannot be replayed by this version."""
    with _journal() as (journal, _):
        for row in journal.plays():
            try:
                load(journal.load(row.id))
            except StorageTrouble as trouble:
                yield trouble.text


@contextmanager
def _journal() -> Iterator[tuple[Journal, Binder]]:
    with Store(default_path(os.environ)) as store:
        yield Journal(store), Binder(store)


def _shower(options: Options) -> Shower:
    return Shower(Screen(), options.language)
