"""Scenes without a running play: Home, a new play, settings, Wi-Fi, binder, tables played without us."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from companion.core.forms import Number
from workshop.screens.staging import SCENES, first, scene

if TYPE_CHECKING:
    from companion.core.game import Game
    from workshop.screens.rehearsal import Rehearsal

SEATS = ("Ania", "Bartek", "Celina")


@scene("home-first")
def _(r: Rehearsal) -> None:
    r.app.home()


@scene("home-crowded")
def _(r: Rehearsal) -> None:
    """Everything that can be shown at once, with long names."""
    from companion.core.game import games

    game = max(games().values(), key=lambda game: len(game.box.called))
    r.play(game.id, ("Bartłomiej", "Aleksandra", "Maksymilian", "Agnieszka")[: game.box.seats[-1]])
    r.app.home()
    r.app.desk.leave()
    r.settle()
    r.screen.untold = game
    r.app.refresh()


@scene("new")
def _(r: Rehearsal) -> None:
    r.app.go("new")


for _step in ("people", "depth", "rules", "table"):

    @scene(f"new-{_step}")
    def _(r: Rehearsal, step: str = _step) -> None:
        r.app.go("new", game=_shownfirst(), seats=SEATS)
        r.screen.at = r.screen.steps.index(step)
        r.app.refresh()


@scene("new-typing")
def _(r: Rehearsal) -> None:
    r.app.go("new", game=_shownfirst())
    r.screen.seating._type(None)


for _name in ("between", "cards", "numbers"):

    @scene(f"score-only-{_name}")
    def _(r: Rehearsal, name: str = _name) -> None:
        _played_without_us(r, name)


@scene("score-only-choose")
def _(r: Rehearsal) -> None:
    _played_without_us(r, "numbers")
    r.settle()
    r.tap(first(r, "choose-"))


for _name in ("how", "demonstrations", "score-only", "binder", "labels", "settings", "welcome"):

    @scene(_name)
    def _(r: Rehearsal, name: str = _name) -> None:
        r.app.go(name)


for _name in ("text", "colours", "sound", "table", "camera", "devices", "storage", "backup", "about"):

    @scene(f"settings-{_name}")
    def _(r: Rehearsal, name: str = _name) -> None:
        r.app.go("settings")
        r.settle()
        r.screen._go(name)
        r.app.thread_pool.settle()


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
    """With the Wi-Fi section, as on a machine of our own."""
    from companion.ui.screens.settings.sections import SECTIONS

    r.app.go("settings")
    r.screen.sections["wifi"] = SECTIONS["wifi"](r.app)
    r.screen._go("wifi")


@scene("settings-camera-on")
def _(r: Rehearsal) -> None:
    """A running camera with a few cards in front of it."""
    from companion.recognition import reading
    from vision.virtual import PRESETS, shoot, spread

    texts = list(reading.book(_shownfirst()).texts.values())[:6]
    r.change(camera="virtual:good-lamp:1")
    r.camera_feed.watch("virtual:good-lamp:1")
    picture = shoot(spread(texts, seed=3, size=22.0), PRESETS["good-lamp"], 3, (1280, 720)).picture
    r.posed.see(picture, reading.reader(_shownfirst()), r.now)
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
    """A tile of the box with the most unknown facts, half entered."""
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
    doubts = tuple(one.sentence(screen.catalogue()) for one in found)
    r.app.ask(lambda: doubted(screen, doubts, lambda: None))


def _shownfirst() -> Game:
    from companion.core.game import game, showcase

    return game(showcase().id)


def _played_without_us(r: Rehearsal, step: str) -> None:
    """A table played without us, of a game with components in the middle, a few of them entered."""
    from companion.results.score_only import Unplayed, scored_games

    r.app.go("score-only")
    r.settle()
    screen = r.screen
    rules = next(rules for rules in scored_games() if Unplayed(rules).between)
    screen.played = Unplayed(rules).seated(SEATS)
    screen.played = screen.played.seen_between(screen.played.between[::4])
    for n, component in enumerate(screen.played.owners):
        screen.played = screen.played.given(component, (*SEATS, "")[n % (len(SEATS) + 1)])
    screen._go(step)


def _heard(r: Rehearsal, here: bool) -> None:
    """Wi-Fi networks as in a town house."""
    from companion.table.wifi import Network, WifiNews

    names = {"Pod Dębem 7": 88, "Kawiarnia – goście": 64, "FRITZ!Box 7590 QX": 47, "DIRECT-42-printer": 21}
    networks = [
        Network(name, heard, locked=n != 1, here=here and n == 0)
        for n, (name, heard) in enumerate(names.items())
    ]
    r.screen.heard(WifiNews("joined" if here else "listed", 1, networks[0].name, tuple(networks)))


def _something_to_teach(r: Rehearsal) -> None:
    """Open the first game whose owner can teach a number."""
    r.settle()
    screen = r.screen
    for game in screen.games:
        if next(_numbers(screen), None) is not None:
            return
        screen._choose_game(game)
        r.settle()


def _taught(r: Rehearsal) -> tuple[str, str]:
    """A fact of the first component for which people can teach a number."""
    return next(_numbers(r.app.screen))


def _numbers(screen: Any) -> Iterator[tuple[str, str]]:
    """Every number people can teach, by component and field."""
    for component in screen._shown():
        for row in screen.game.rows(component):
            if isinstance(screen.game.form(component, row.field), Number):
                yield component.id, row.field


@scene("own")
def _(r: Rehearsal) -> None:
    r.app.go("own")
    r.settle_beside()


@scene("own-make")
def _(r: Rehearsal) -> None:
    """A game made by touch, with long names."""
    from companion.table.own_games import SimpleGame

    r.app.go("own")
    r.screen.making = SimpleGame("Wielka wyprawa", counters=("Punkty zwycięstwa", "Monety"), lines=("Karty",))
    r.app.refresh()


@scene("own-wrong")
def _(r: Rehearsal) -> None:
    """A file with several problems."""
    from companion.core.flow.library import accept
    from companion.errors import DataTrouble

    r.app.go("own")
    try:
        accept(b'id = "Bad"\nname = "Bad"\nseats = [2]\nroundz = 3\n[[phase]]\nid = "turn"\nturn = 1\n')
    except DataTrouble as trouble:
        r.screen.wrong = trouble
    r.app.refresh()


# Light plays need a play, but none that a game's own moments declare


@scene("table-light-race")
def _(r: Rehearsal) -> None:
    """The table picks the next phase of Race."""
    from companion.core.flow.game import shipped_flow

    flow = shipped_flow("race")
    assert flow is not None
    r.play_flow(flow, SEATS, answers=4, seed=3)


def _light(r: Rehearsal, game: str, *seats: str) -> None:
    from companion.core.flow.library import shipped_flows

    flow = next(one.text for one in shipped_flows() if one.flow.id == game)
    r.play_flow(flow, seats, answers=0)
    r.tap("option-1")


@scene("table-light-mars")
def _(r: Rehearsal) -> None:
    """A turn of Terraforming Mars with clocks, after somebody has passed."""
    r.change(clocks=True)
    _light(r, "terraforming-mars", "Zosia", "Krzyś", "Basia", "Olek")
    r.tap("option-pass")
    r.now += 84


@scene("table-light-counters")
def _(r: Rehearsal) -> None:
    """The counters of another seat, at a full table."""
    _light(r, "scythe", "Bartłomiej", "Aleksandra", "Maksymilian", "Agnieszka", "Krzyś")
    r.tap("seat-3")


@scene("table-light-end")
def _(r: Rehearsal) -> None:
    """The end of a light play of Race."""
    from companion.core.flow.game import shipped_flow

    flow = shipped_flow("race")
    assert flow is not None
    r.play_flow(flow, SEATS, seed=3)
    r.play_until(lambda session: session.questions()[0].finished is not None)


for _tool in ("upkeep", "odds"):

    @scene(f"tool-{_tool}")
    def _(r: Rehearsal, id: str = _tool) -> None:
        """A calculation of Eclipse with its answer."""
        from companion.core.game import every_game

        tool = next(tool for tool in every_game()["eclipse"].tools if tool.id == id)
        r.app.go("tool", tool=tool)
        r.screen.answer = tool.tell(r.screen.told)
        r.app.refresh()
