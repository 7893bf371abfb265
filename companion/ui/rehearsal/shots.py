"""Pictures of every screen, taken without people and looked at by a strict eye.

A window cannot change its size well without a display, so each size is a process of its own: this module is started
with a size, how smooth edges shall be, a folder, languages with text sizes and the names of what to take, and writes
one line for each fault.
"""

from __future__ import annotations

import gc
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.core.forms import Number
from companion.ui.start import SAMPLES, prepare, tidy_up_ourselves

if TYPE_CHECKING:
    from companion.core.game import Game
    from companion.core.parts import Highlight
    from companion.ui.rehearsal.rehearsal import Rehearsal

SIZES = ((800, 480), (720, 1280))
Variant = tuple[str, int]
"""A language and a text size."""

VARIANTS: tuple[Variant, ...] = tuple((language, text) for language in ("en", "pl") for text in (100, 150))
SEATS = ("Ania", "Bartek", "Celina")

Scene = Callable[["Rehearsal"], None]
Played = Callable[["Rehearsal", "Highlight"], None]

SCENES: dict[str, Scene] = {}
"""What is to be seen without a play, by name: a screen's own name, perhaps with what is special about it."""

PLAYED: dict[str, Played] = {}
"""What is done on a screen at a moment a game declares; a scene that is not here only opens its screen."""

LIGHT = ("home", "table", "choose", "score", "settings")
"""What is taken in light colours too."""


def take(
    out: Path,
    names: Iterable[str],
    sizes: Sequence[tuple[int, int]] = SIZES,
    variants: Sequence[Variant] = VARIANTS,
    samples: int = SAMPLES,
) -> tuple[int, list[str]]:
    """Take the pictures of these scenes, all sizes at once; how many there are, and what is wrong with them."""
    how = [f"{language}:{text}" for language, text in variants]
    out.mkdir(parents=True, exist_ok=True)
    quiet = {"SDL_VIDEODRIVER": "offscreen", "SDL_AUDIODRIVER": "dummy", "LP_NUM_THREADS": "0"}
    running = [
        subprocess.Popen(
            [
                sys.executable,
                "-P",
                "-m",
                "companion.ui.rehearsal.shots",
                str(width),
                str(height),
                str(samples),
                str(out),
                ",".join(how),
                *names,
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
    """A scene of this name, without a play."""

    def keep(made: Scene) -> Scene:
        SCENES[name] = made
        return made

    return keep


def played(name: str) -> Callable[[Played], Played]:
    """A scene of this name, at a moment some game declares for it."""

    def keep(made: Played) -> Played:
        PLAYED[name] = made
        return made

    return keep


def _at(game: Game, highlight: Highlight, name: str, r: Rehearsal) -> None:
    """Let bots play to a moment of a game, and show it as this scene does."""
    r.play(game.id, highlight.seats, answers=highlight.answers, seed=highlight.seed)
    if highlight.until is not None or highlight.asks is not None:
        r.play_until(highlight.reached)
    r.play_on(highlight.more)
    PLAYED.get(name, PLAYED.get(screen_of(name), _opened(screen_of(name))))(r, highlight)


def screen_of(name: str) -> str:
    """The screen of a scene: the longest one whose name it begins with."""
    from companion.ui.screens import SCREENS

    return max((s for s in SCREENS if name == s or name.startswith(f"{s}-")), key=len)


def _opened(screen: str) -> Played:
    return lambda r, highlight: r.app.go(screen)


def _leave(r: Rehearsal) -> None:
    r.app.home()
    r.app.desk.leave()
    r.settle()


@played("home")
def _(r: Rehearsal, highlight: Highlight) -> None:
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
        r.app.go("new", game=_shown_first(), seats=SEATS)
        r.screen.at = r.screen.steps.index(step)
        r.app.refresh()


@scene("new-typing")
def _(r: Rehearsal) -> None:
    r.app.go("new", game=_shown_first())
    r.screen.seating._type(None)


def _shown_first() -> Game:
    from companion.core.game import game, showcase

    return game(showcase().id)


@played("map")
def _(r: Rehearsal, highlight: Highlight) -> None:
    r.app.go("map")
    view = r.app.desk.session.view
    r.screen.chosen = view.maps[0].places[1].id
    r.app.refresh()


@played("map-legend")
def _(r: Rehearsal, highlight: Highlight) -> None:
    r.app.go("map")
    r.settle()
    r.tap("legend")


@played("table")
def _(r: Rehearsal, highlight: Highlight) -> None:
    """A play that goes on is at the table already."""


@played("table-dice")
def _(r: Rehearsal, highlight: Highlight) -> None:
    deed = r.taps()["option-6"].on_tap
    assert deed is not None
    deed()


@played("table-paused")
def _(r: Rehearsal, highlight: Highlight) -> None:
    r.app.desk.pause()


@played("table-moment")
def _(r: Rehearsal, highlight: Highlight) -> None:
    """Everybody tells what they turned over."""
    r.change(moments=True)
    for question in r.app.desk.questions():
        r.tap(f"option-{question.options[(question.seat or 0) * 2].id}-{question.seat}")


@played("table-hands")
def _(r: Rehearsal, highlight: Highlight) -> None:
    for _ in range(200):
        if "hands" in r.taps():
            break
        r.play_on(1)
    r.tap("hands")


@played("table-in-secret")
def _(r: Rehearsal, highlight: Highlight) -> None:
    r.change(in_secret=True)


@played("table-undo")
def _(r: Rehearsal, highlight: Highlight) -> None:
    """One tap took something back; redo stands beside it."""
    r.tap("undo")


@played("table-menu")
def _(r: Rehearsal, highlight: Highlight) -> None:
    r.tap("menu")


@played("table-no-camera")
def _(r: Rehearsal, highlight: Highlight) -> None:
    from companion.core.words import say

    r.posed.wrong = say("camera.black", source="usb:0")
    r.settle()
    r.tap("blind")


@played("table-offer")
def _(r: Rehearsal, highlight: Highlight) -> None:
    from companion.core.questions import Answer
    from companion.core.scans import Offer

    question = next(q for q in r.app.desk.session.questions() if len(q.options) > 1)
    two = question.options[:2]
    r.app.front.put_forward(
        Offer(tuple((Answer(question.seat, question.slug, option.id), option) for option in two))
    )


@played("table-told")
def _(r: Rehearsal, highlight: Highlight) -> None:
    _card_that_is_not_wanted(r)


def _card_that_is_not_wanted(r: Rehearsal) -> None:
    from companion.core.understand import Refuse, Sighted, understand

    session = r.app.desk.session
    for component in session.catalogue.by_id:
        if isinstance(understand(session, Sighted(component)), Refuse):
            r.app.desk.propose(Sighted(component))
            return


@played("choose")
def _(r: Rehearsal, highlight: Highlight) -> None:
    r.app.go("choose", seat=highlight.question(r.app.desk.session).seat)


@played("choose-kinds")
def _(r: Rehearsal, highlight: Highlight) -> None:
    PLAYED["choose"](r, highlight)
    r.settle()
    r.app.ask(r.screen._ask_kind)


@played("choose-typing")
def _(r: Rehearsal, highlight: Highlight) -> None:
    PLAYED["choose"](r, highlight)
    r.settle()
    r.tap("find")


@played("seat")
def _(r: Rehearsal, highlight: Highlight) -> None:
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
    r.posed.see(picture, reading.reader(session.game), r.now)


@played("scan")
def _(r: Rehearsal, highlight: Highlight) -> None:
    _camera(r)
    r.app.go("scan")


@played("scan-practice")
def _(r: Rehearsal, highlight: Highlight) -> None:
    from vision.virtual import PRESETS, VirtualTable
    from vision.worker import Glance

    r.change(camera="virtual")
    r.lookout.watch("virtual")
    r.posed.table = table = VirtualTable(PRESETS["good-lamp"], 1, size=(1280, 720), clock=r.clock)
    r.app.go("scan")
    r.settle()
    r.tap(_first(r, "hold-"))
    frame = table.read()
    assert frame is not None
    r.posed.look = Glance(frame, ())


@played("scan-no-camera")
def _(r: Rehearsal, highlight: Highlight) -> None:
    r.app.go("scan")


@played("history-undo")
def _(r: Rehearsal, highlight: Highlight) -> None:
    r.app.go("history")
    r.settle()
    r.app.ask(lambda: r.screen._going_back(len(r.app.desk.session.moments) - 6))


@played("score")
def _(r: Rehearsal, highlight: Highlight) -> None:
    r.app.go("score")
    r.settle()
    r.tap("tab-result")


@played("score-line")
def _(r: Rehearsal, highlight: Highlight) -> None:
    PLAYED["score-sheet"](r, highlight)
    r.settle()
    r.tap(_first(r, "line-"))


for _name in ("sheet", "chart", "pack", "share"):

    @played(f"score-{_name}")
    def _(r: Rehearsal, highlight: Highlight, name: str = _name) -> None:
        r.app.go("score")
        r.settle()
        r.tap(f"tab-{name}")


@played("plays")
def _(r: Rehearsal, highlight: Highlight) -> None:
    r.play(r.app.desk.session.game.id, ("Ewa", "Filip"), answers=30, seed=5)
    _leave(r)
    r.app.go("plays")


def _played_without_us(r: Rehearsal, step: str) -> None:
    """A table of a game with things in the middle that was played without us, with a few of them told."""
    from companion.results.unplayed import Unplayed, scored_games

    r.app.go("score-only")
    r.settle()
    screen = r.screen
    rules = next(rules for rules in scored_games() if Unplayed(rules).between)
    screen.played = Unplayed(rules).seated(SEATS)
    screen.played = screen.played.seen_between(screen.played.between[::4])
    for n, component in enumerate(screen.played.owners):
        screen.played = screen.played.given(component, (*SEATS, "")[n % (len(SEATS) + 1)])
    screen._go(step)


for _name in ("between", "cards", "numbers"):

    @scene(f"score-only-{_name}")
    def _(r: Rehearsal, name: str = _name) -> None:
        _played_without_us(r, name)


@scene("score-only-choose")
def _(r: Rehearsal) -> None:
    _played_without_us(r, "numbers")
    r.settle()
    r.tap(_first(r, "choose-"))


@played("correct-group")
def _(r: Rehearsal, highlight: Highlight) -> None:
    """A place of the map, set right."""
    r.app.go("correct")
    r.settle()
    r.tap("by-0")
    r.tap("of-None")
    r.tap(_first(r, "group-1"))


@played("correct-choose")
def _(r: Rehearsal, highlight: Highlight) -> None:
    PLAYED["correct-group"](r, highlight)
    r.tap(_first(r, "choose-"))


def _first(r: Rehearsal, beginning: str) -> str:
    return next(name for name in r.taps() if name.startswith(beginning))


for _name in ("how", "score-only", "binder", "labels", "settings", "welcome"):

    @scene(_name)
    def _(r: Rehearsal, name: str = _name) -> None:
        r.app.go(name)


for _name in ("text", "colours", "sound", "table", "camera", "devices", "storage", "backup", "about"):

    @scene(f"settings-{_name}")
    def _(r: Rehearsal, name: str = _name) -> None:
        r.app.go("settings")
        r.settle()
        r.screen._go(name)
        r.app.beside.settle()


def _heard(r: Rehearsal, here: bool) -> None:
    """Networks as a house in a town has them."""
    from companion.table.wifi import Network, WifiNews

    names = {"Pod Dębem 7": 88, "Kawiarnia – goście": 64, "FRITZ!Box 7590 QX": 47, "DIRECT-42-printer": 21}
    networks = [
        Network(name, heard, locked=n != 1, here=here and n == 0)
        for n, (name, heard) in enumerate(names.items())
    ]
    r.screen.heard(WifiNews("joined" if here else "listed", 1, networks[0].name, tuple(networks)))


@scene("wifi")
def _(r: Rehearsal) -> None:
    r.app.go("wifi")
    _heard(r, here=False)


@scene("wifi-joined")
def _(r: Rehearsal) -> None:
    r.app.go("wifi")
    _heard(r, here=True)


@scene("wifi-password")
def _(r: Rehearsal) -> None:
    SCENES["wifi"](r)
    r.settle()
    r.tap("network-0")
    for key in ("k", "o", "r", "z", "e", "n", "i", "e", "7"):
        r.tap(f"key-{key}")


@scene("wifi-signs")
def _(r: Rehearsal) -> None:
    SCENES["wifi-password"](r)
    r.tap("key-signs")


@scene("settings-wifi")
def _(r: Rehearsal) -> None:
    """As on a machine of our own."""
    from companion.ui.screens.settings.sections import SECTIONS

    r.app.go("settings")
    r.screen.sections["wifi"] = SECTIONS["wifi"](r.app)
    r.screen._go("wifi")


@scene("settings-camera-on")
def _(r: Rehearsal) -> None:
    """A camera that is on, with a few cards before it."""
    from companion.recognition import reading
    from vision.virtual import PRESETS, shoot, spread

    texts = list(reading.book(_shown_first()).texts.values())[:6]
    r.change(camera="virtual:good-lamp:1")
    r.lookout.watch("virtual:good-lamp:1")
    picture = shoot(spread(texts, seed=3, size=22.0), PRESETS["good-lamp"], 3, (1280, 720)).picture
    r.posed.see(picture, reading.reader(_shown_first()), r.now)
    SCENES["settings-camera"](r)


@scene("binder-component")
def _(r: Rehearsal) -> None:
    r.app.go("binder")
    _something_to_teach(r)
    r.screen.open(_taught(r)[0])


@scene("binder-teach")
def _(r: Rehearsal) -> None:
    r.app.go("binder")
    _something_to_teach(r)
    r.screen.open(*_taught(r))


@scene("binder-lesson")
def _(r: Rehearsal) -> None:
    """A tile of the box of which least is known, half told."""
    from companion.core.game import every_game

    game = max(every_game().values(), key=lambda game: len(game.usual_box().unknown()))
    r.app.go("binder", teach=game)
    r.settle()
    for tap in [name for name in r.taps() if name.startswith(("value.", "add-value."))][2:40:9]:
        if tap in r.taps():
            r.tap(tap)


@scene("binder-lesson-list")
def _(r: Rehearsal) -> None:
    SCENES["binder-lesson"](r)
    r.screen.lesson.pages.show("list")


@scene("binder-doubt")
def _(r: Rehearsal) -> None:
    from companion.ui.screens.binder.teaching import doubted

    r.app.go("binder")
    _something_to_teach(r)
    screen = r.screen
    component, field = _taught(r)
    found = screen.game.disagreements(screen.setup({f"{component}.{field}": 0}))
    doubts = tuple(one.told(screen.catalogue()) for one in found)
    r.app.ask(lambda: doubted(screen, doubts, lambda: None))


def _something_to_teach(r: Rehearsal) -> None:
    """The first game whose owner can teach a number."""
    r.settle()
    screen = r.screen
    for game in screen.games:
        if next(_numbers(screen), None) is not None:
            return
        screen._choose_game(game)
        r.settle()


def _taught(r: Rehearsal) -> tuple[str, str]:
    """A fact of the first component of which people can teach a number."""
    return next(_numbers(r.app.screen))


def _numbers(screen: Any) -> Iterator[tuple[str, str]]:
    """Every number people can teach, by its component and its field."""
    for component in screen._shown():
        for row in screen.game.printed(component):
            if isinstance(screen.game.form(component, row.field), Number):
                yield component.id, row.field


@played("broken")
def _(r: Rehearsal, highlight: Highlight) -> None:
    r.forgiving = True
    r.app.fallen(RuntimeError("a picture"))


def scenes(only: Sequence[str] = ()) -> dict[str, Scene]:
    """Every scene, or those of these names; a screen's name takes all of its scenes."""
    from companion.core.game import games

    found = dict(SCENES)
    for game in games().values():
        for highlight in game.highlights:
            found |= {name: partial(_at, game, highlight, name) for name in highlight.scenes}
    return {
        name: made
        for name, made in found.items()
        if not only or any(name == wanted or name.startswith(wanted + "-") for wanted in only)
    }


def looks(name: str, variants: Sequence[Variant] = VARIANTS) -> Iterator[tuple[str, int, str]]:
    """The language, text size and colours of each picture of a scene."""
    for language, text in variants:
        yield language, text, "dark"
    if name in LIGHT:
        yield "en", 100, "light"


def _take(
    width: int, height: int, samples: int, out: Path, variants: Sequence[Variant], names: Sequence[str]
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        prepare(Path(folder), width, height, samples)
        from companion.ui.rehearsal.checks import problems
        from companion.ui.rehearsal.rehearsal import Rehearsal

        rehearsal = Rehearsal(Path(folder) / "first")
        tidy_up_ourselves()
        prepared = scenes()
        for number, name in enumerate(names):
            rehearsal.fresh(Path(folder) / str(number))
            prepared[name](rehearsal)
            rehearsal.settle_beside()
            gc.freeze()  # a long play need not be looked through for garbage after every picture
            for language, text, theme in looks(name, variants):
                rehearsal.change(language=language, text_size=text, theme=theme)
                rehearsal.settle_beside()
                suffix = "-light" if theme == "light" else ""
                file = out / f"{name}-{width}x{height}-{language}-{text}{suffix}.png"
                rehearsal.shoot(file)
                for problem in problems(rehearsal.app, file):
                    print(f"{file.name}: {problem}", flush=True)
                print("taken", flush=True)


if __name__ == "__main__":
    wanted = [(how.split(":")[0], int(how.split(":")[1])) for how in sys.argv[5].split(",")]
    _width, _height, _samples = map(int, sys.argv[1:4])
    _take(_width, _height, _samples, Path(sys.argv[4]), wanted, sys.argv[6:])
    os._exit(0)  # closing a window nobody sees may take long
