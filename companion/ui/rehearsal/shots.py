"""Pictures of every screen, taken without people and looked at by a strict eye.

A window cannot change its size well without a display, so each size is a process of its own: this module is started
with a size, a folder, languages with text sizes and the names of what to take, and writes one line for each fault.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from companion.core.questions import Question
    from companion.core.session import Session
    from companion.ui.rehearsal.rehearsal import Rehearsal

SIZES = ((800, 480), (720, 1280))
Variant = tuple[str, int]
"""A language and a text size."""

VARIANTS: tuple[Variant, ...] = tuple((language, text) for language in ("en", "pl") for text in (100, 150))
SEATS = ("Ania", "Bartek", "Celina")

Scene = Callable[["Rehearsal"], None]
SCENES: dict[str, Scene] = {}
"""What is to be seen, by name: a screen's own name, perhaps with what is special about it."""

LIGHT = ("home", "table", "choose", "score", "settings")
"""What is taken in light colours too."""


def take(
    out: Path,
    only: Sequence[str] = (),
    sizes: Sequence[tuple[int, int]] = SIZES,
    variants: Sequence[Variant] = VARIANTS,
) -> tuple[int, list[str]]:
    """Take the pictures, all sizes at once; how many there are, and what is wrong with them."""
    how = [f"{language}:{text}" for language, text in variants]
    out.mkdir(parents=True, exist_ok=True)
    quiet = {"SDL_VIDEODRIVER": "offscreen", "SDL_AUDIODRIVER": "dummy"}
    running = [
        subprocess.Popen(
            [
                sys.executable,
                "-P",
                "-m",
                "companion.ui.rehearsal.shots",
                str(width),
                str(height),
                str(out),
                ",".join(how),
                *only,
            ],
            env={**os.environ, **quiet},
            stdout=subprocess.PIPE,
            text=True,
        )
        for width, height in sizes
    ]
    lines = [line for process in running for line in process.communicate()[0].splitlines()]
    if any(process.returncode for process in running):
        raise RuntimeError("pictures could not be taken; the reason is above")
    return sum(line == "taken" for line in lines), [line for line in lines if line != "taken"]


def scene(name: str) -> Callable[[Scene], Scene]:
    """A scene of this name."""

    def keep(made: Scene) -> Scene:
        SCENES[name] = made
        return made

    return keep


def _any(reached: Callable[[Question], bool]) -> Callable[[Session], bool]:
    return lambda session: any(map(reached, session.questions()))


def _leave(r: Rehearsal) -> None:
    r.app.home()
    r.app.desk.leave()
    r.settle()


def _mid_play(r: Rehearsal) -> None:
    r.play("race", SEATS, answers=60, seed=3)
    r.play_until(lambda session: not all(q.secret for q in session.questions()))


def _over(r: Rehearsal) -> None:
    r.play("race", SEATS, seed=3)
    r.play_until(lambda session: session.over)


@scene("home")
def _(r: Rehearsal) -> None:
    _mid_play(r)
    _leave(r)


@scene("home-first")
def _(r: Rehearsal) -> None:
    r.app.home()


@scene("new")
def _(r: Rehearsal) -> None:
    r.app.go("new")


for _step in ("people", "rules", "table"):

    @scene(f"new-{_step}")
    def _(r: Rehearsal, step: str = _step) -> None:
        from companion.core.game import games

        r.app.go("new", game=games()["race"], seats=SEATS)
        r.app.screen.at = r.app.screen.steps.index(step)
        r.app.refresh()


@scene("new-typing")
def _(r: Rehearsal) -> None:
    from companion.core.game import games

    r.app.go("new", game=games()["race"])
    r.app.screen.seating._type(None)


@scene("map")
def _(r: Rehearsal) -> None:
    r.play("eclipse", SEATS, answers=150, seed=3)
    r.play_until(lambda session: any(q.slug == "eclipse.explore" for q in session.questions()))
    r.app.go("map")
    view = r.app.desk.session.game.view(r.app.desk.session.state)
    r.app.screen.chosen = view.map[1].id
    r.app.refresh()


@scene("map-legend")
def _(r: Rehearsal) -> None:
    r.play("eclipse", (*SEATS, "Darek", "Ewa", "Filip"), answers=700, seed=5)
    r.app.go("map")


@scene("table-groups")
def _(r: Rehearsal) -> None:
    r.play("eclipse", SEATS, answers=100, seed=3)
    r.play_until(_any(lambda q: q.slug == "eclipse.turn" and bool(q.notes)))


@scene("table-dice")
def _(r: Rehearsal) -> None:
    r.play("eclipse", SEATS[:2], seed=17)
    r.play_until(_any(lambda q: q.dice is not None))
    r.taps()["option-6"].on_tap()


@scene("table-battle")
def _(r: Rehearsal) -> None:
    r.play("eclipse", SEATS, seed=3)
    r.play_until(_any(lambda q: q.slug == "eclipse.battle"))


@scene("choose-groups")
def _(r: Rehearsal) -> None:
    r.play("eclipse", SEATS, seed=3)
    r.play_until(_any(lambda q: q.slug == "eclipse.slot"))
    r.app.go("choose", seat=r.app.desk.session.questions()[0].seat)


@scene("table-many-gauges")
def _(r: Rehearsal) -> None:
    r.play("eclipse", SEATS, answers=150, seed=3)


@scene("table")
def _(r: Rehearsal) -> None:
    _mid_play(r)


@scene("table-secret")
def _(r: Rehearsal) -> None:
    r.play("race", SEATS, answers=60, seed=3)
    r.play_until(lambda session: all(q.secret for q in session.questions()))
    r.play_on(1)


@scene("table-options")
def _(r: Rehearsal) -> None:
    r.play("race", SEATS, answers=40, seed=4)
    r.play_until(_any(lambda q: not q.secret and len(q.options) > 4))


@scene("table-end")
def _(r: Rehearsal) -> None:
    r.play("race", SEATS, seed=3)
    r.play_until(lambda session: bool(session.game.view(session.state).alerts))


@scene("table-over")
def _(r: Rehearsal) -> None:
    _over(r)


@scene("table-paused")
def _(r: Rehearsal) -> None:
    _mid_play(r)
    r.app.desk.pause()


@scene("table-facing")
def _(r: Rehearsal) -> None:
    r.play("race", (*SEATS, "Darek"), answers=50, seed=4)
    r.change(facing=True)


@scene("table-undo")
def _(r: Rehearsal) -> None:
    _mid_play(r)
    r.tap("undo")


@scene("table-menu")
def _(r: Rehearsal) -> None:
    _mid_play(r)
    r.tap("menu")


@scene("table-news")
def _(r: Rehearsal) -> None:
    r.play("race", SEATS, answers=40, seed=4)
    for _ in range(200):
        if "news" in r.taps():
            break
        r.play_on(1)
    r.tap("news")


@scene("table-no-camera")
def _(r: Rehearsal) -> None:
    from companion.core.words import say

    _mid_play(r)
    r.lookout.wrong = say("camera.black", source="usb:0")
    r.settle()
    r.tap("blind")


@scene("table-offer")
def _(r: Rehearsal) -> None:
    from companion.core.questions import Answer
    from companion.core.understand import Choose
    from companion.core.words import say
    from companion.errors import Ambiguous

    _mid_play(r)
    question = next(q for q in r.app.desk.session.questions() if len(q.options) > 1)
    two = question.options[:2]
    answers = tuple((Answer(question.seat, question.slug, option.id), option) for option in two)
    names = tuple(option.text for option in two)
    which = Ambiguous(say("see.one-at-a-time", names=names), tuple(option.id for option in two))
    r.app.ask(lambda: r.app._offered(Choose(answers, which)))


@scene("table-told")
def _(r: Rehearsal) -> None:
    _mid_play(r)
    _card_that_is_not_wanted(r)


def _card_that_is_not_wanted(r: Rehearsal) -> None:
    from companion.core.understand import Refuse, Sighted, understand

    session = r.app.desk.session
    for component in session.game.catalogue(session.setup).by_id:
        if isinstance(understand(session, Sighted(component)), Refuse):
            r.app.desk.propose(Sighted(component))
            return


@scene("choose")
def _(r: Rehearsal) -> None:
    _choosing(r, lambda q: len(q.options) > 12)


@scene("choose-kinds")
def _(r: Rehearsal) -> None:
    _choosing(r, lambda q: len(q.options) > 12)
    r.settle()
    r.app.ask(r.app.screen._ask_kind)


@scene("choose-typing")
def _(r: Rehearsal) -> None:
    _choosing(r, lambda q: len(q.options) > 12)
    r.settle()
    r.tap("find")


@scene("choose-few")
def _(r: Rehearsal) -> None:
    _choosing(r, lambda q: q.secret and 2 < len(q.options) <= 12)


def _choosing(r: Rehearsal, wanted: Callable[[Question], bool]) -> None:
    r.play("race", SEATS, answers=20, seed=5)
    r.play_until(_any(wanted))
    question = next(q for q in r.app.desk.session.questions() if wanted(q))
    r.app.go("choose", seat=question.seat)


@scene("seat")
def _(r: Rehearsal) -> None:
    r.play("race", SEATS, answers=90, seed=3)
    r.app.go("seat", seat=1)


def _camera(r: Rehearsal) -> None:
    """Cards lie before the camera: some that lie there in the play, one that does not."""
    from companion.recognition import reading
    from vision.virtual import PRESETS, shoot, spread

    session = r.app.desk.session
    book = reading.book(session.game)
    there = session.game.on_table(session.state)
    labels = {piece.component: text for piece, text in book.texts.items()}
    lying = [labels[component] for component in sorted(there)[:7]]
    other = next(component for component in labels if component not in there and component not in book.sets)
    cards = spread([*lying, labels[other]], seed=3, size=22.0)
    r.change(camera="virtual")
    r.lookout.watch("virtual")
    picture = shoot(cards, PRESETS["good-lamp"], 3, (1280, 720)).picture
    r.lookout.see(picture, reading.reader(session.game), r.now)


@scene("scan")
def _(r: Rehearsal) -> None:
    r.play("race", SEATS, answers=90, seed=3)
    _camera(r)
    r.app.go("scan")


@scene("scan-no-camera")
def _(r: Rehearsal) -> None:
    _mid_play(r)
    r.app.go("scan")


for _name in ("history", "correct"):

    @scene(_name)
    def _(r: Rehearsal, name: str = _name) -> None:
        _mid_play(r)
        r.app.go(name)


@scene("history-undo")
def _(r: Rehearsal) -> None:
    _mid_play(r)
    r.app.go("history")
    r.settle()
    r.app.ask(lambda: r.app.screen._going_back(len(r.app.desk.session.moments) - 6))


@scene("score")
def _(r: Rehearsal) -> None:
    _over(r)
    r.app.go("score")
    for _ in range(200):  # it builds up line by line
        r.app.screen.tick()


@scene("score-line")
def _(r: Rehearsal) -> None:
    _over(r)
    r.app.go("score")
    r.app.screen.finish()
    r.settle()
    seat = r.app.screen.sheet.seats[0]
    r.app.screen._explain(seat, max(seat.lines, key=lambda line: len(line.because)))


for _name in ("chart", "pack", "share"):

    @scene(f"score-{_name}")
    def _(r: Rehearsal, name: str = _name) -> None:
        _over(r)
        r.app.go("score")
        r.app.screen.finish()
        r.settle()
        r.tap(f"tab-{name}")


@scene("plays")
def _(r: Rehearsal) -> None:
    _over(r)
    r.play("race", ("Ewa", "Filip"), answers=30, seed=5)
    _leave(r)
    r.app.go("plays")


def _galaxy_played(r: Rehearsal, step: str) -> None:
    """A table of Eclipse that was played without us, with a few hexes told."""
    from companion.core.game import games
    from companion.results.unplayed import Unplayed

    r.app.go("score-only")
    r.settle()
    screen = r.app.screen
    screen.played = Unplayed(games()["eclipse"]).seated(SEATS)
    hexes = screen.played.between
    screen.played = screen.played.seen_between(hexes[::4])
    for n, component in enumerate(screen.played.owners):
        screen.played = screen.played.given(component, (*SEATS, "")[n % (len(SEATS) + 1)])
    screen._go(step)


for _name in ("between", "cards", "numbers"):

    @scene(f"score-only-{_name}")
    def _(r: Rehearsal, name: str = _name) -> None:
        _galaxy_played(r, name)


@scene("score-only-choose")
def _(r: Rehearsal) -> None:
    _galaxy_played(r, "numbers")
    r.settle()
    r.tap("choose-species:0")


@scene("correct-group")
def _(r: Rehearsal) -> None:
    _correct_a_hex(r)


@scene("correct-choose")
def _(r: Rehearsal) -> None:
    _correct_a_hex(r)
    r.tap(next(name for name in r.taps() if name.startswith("choose-hex:")))


def _correct_a_hex(r: Rehearsal) -> None:
    r.play("eclipse", SEATS, answers=150, seed=3)
    r.app.go("correct")
    r.settle()
    r.tap("by-0")
    r.tap("of-None")
    r.tap(next(name for name in r.taps() if name.startswith("group-1")))


for _name in ("score-only", "binder", "labels", "settings"):

    @scene(_name)
    def _(r: Rehearsal, name: str = _name) -> None:
        r.app.go(name)


for _name in ("text", "colours", "sound", "table", "camera", "devices", "storage", "backup", "about"):

    @scene(f"settings-{_name}")
    def _(r: Rehearsal, name: str = _name) -> None:
        r.app.go("settings")
        r.settle()
        r.app.screen._go(name)
        r.app.beside.settle()


@scene("binder-component")
def _(r: Rehearsal) -> None:
    r.app.go("binder")
    _race_in_the_binder(r)
    r.app.screen._open(_taught(r)[0])


@scene("binder-teach")
def _(r: Rehearsal) -> None:
    r.app.go("binder")
    _race_in_the_binder(r)
    r.app.screen._open(*_taught(r))


@scene("binder-doubt")
def _(r: Rehearsal) -> None:
    from companion.ui.screens.binder.teaching import doubted

    r.app.go("binder")
    _race_in_the_binder(r)
    screen = r.app.screen
    component, field = _taught(r)
    doubts = screen.game.census(screen.setup({f"{component}.{field}": 0}))
    r.app.ask(lambda: doubted(screen, doubts, lambda: None))


def _race_in_the_binder(r: Rehearsal) -> None:
    """The game whose owner can teach something."""
    from companion.core.game import games

    r.settle()
    if r.app.screen.game is not games()["race"]:
        r.app.screen._choose_game(games()["race"])
        r.settle()


def _taught(r: Rehearsal) -> tuple[str, str]:
    """A fact of the first component of which people can teach a number."""
    screen = r.app.screen
    return next(
        (component.id, row.field)
        for component in screen._shown()
        for row in screen.game.printed(component)
        if row.bounds is not None
    )


@scene("broken")
def _(r: Rehearsal) -> None:
    _mid_play(r)
    r.forgiving = True
    r.app.fallen(RuntimeError("a picture"))


def scenes(only: Sequence[str]) -> dict[str, Scene]:
    """Every scene, or those of these names; a screen's name takes all of its scenes."""
    return {
        name: made
        for name, made in SCENES.items()
        if not only or any(name == wanted or name.startswith(wanted + "-") for wanted in only)
    }


def looks(name: str, variants: Sequence[Variant] = VARIANTS) -> Iterator[tuple[str, int, str]]:
    """The language, text size and colours of each picture of a scene."""
    for language, text in variants:
        yield language, text, "dark"
    if name in LIGHT:
        yield "en", 100, "light"


def _take(width: int, height: int, out: Path, variants: Sequence[Variant], only: Sequence[str]) -> None:
    from companion.ui.start import prepare, tidy_up_ourselves

    with tempfile.TemporaryDirectory() as folder:
        prepare(Path(folder), width, height)
        from companion.ui.rehearsal.checks import problems
        from companion.ui.rehearsal.rehearsal import Rehearsal

        rehearsal = Rehearsal(Path(folder) / "first")
        tidy_up_ourselves()
        for number, (name, prepared) in enumerate(scenes(only).items()):
            rehearsal.fresh(Path(folder) / str(number))
            prepared(rehearsal)
            rehearsal.settle()
            for language, text, theme in looks(name, variants):
                rehearsal.change(language=language, text_size=text, theme=theme)
                suffix = "-light" if theme == "light" else ""
                file = out / f"{name}-{width}x{height}-{language}-{text}{suffix}.png"
                rehearsal.shoot(file)
                for problem in problems(rehearsal.app, file):
                    print(f"{file.name}: {problem}", flush=True)
                print("taken", flush=True)


if __name__ == "__main__":
    wanted = [(how.split(":")[0], int(how.split(":")[1])) for how in sys.argv[4].split(",")]
    _take(int(sys.argv[1]), int(sys.argv[2]), Path(sys.argv[3]), wanted, sys.argv[5:])
    os._exit(0)  # closing a window nobody sees may take long
