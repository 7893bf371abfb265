"""Scenes without a running play: Home, a new play, settings, Wi-Fi, binder, tables played without us."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from companion.core.forms import Number
from workshop.screens.staging import SCENES, first, scene

if TYPE_CHECKING:
    from companion.core.game import Game
    from companion.table.hall_now import HallNow
    from workshop.screens.rehearsal import Rehearsal

SEATS = ("Ania", "Bartek", "Celina")
LONG = ("Bartłomiej", "Aleksandra", "Maksymilian", "Agnieszka")


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


@scene("settings-phones")
def _(r: Rehearsal) -> None:
    _phones_on(r)
    r.app.go("settings")
    r.screen._go("phones")


@scene("phones-off")
def _(r: Rehearsal) -> None:
    r.app.go("phones")


@scene("phones-nobody")
def _(r: Rehearsal) -> None:
    """No play, nobody has come, and there is something to say about it."""
    _phones_on(r)
    r.app.go("phones")
    r.now += 60
    r.settle()


@scene("phones-join")
def _(r: Rehearsal) -> None:
    """One has joined, one is to be confirmed, and somebody watches."""
    _phones_on(r, joined=("Bartłomiej",), claimed=1, guests=2)
    r.app.go("phones")


@scene("phones-claim")
def _(r: Rehearsal) -> None:
    """Whose phone it is, asked in the middle of a play."""
    _phones_on(r, claimed=1, names=SEATS)
    r.app.phones.changed()


def _phones_on(
    r: Rehearsal,
    joined: tuple[str, ...] = (),
    claimed: int | None = None,
    guests: int = 0,
    names: tuple[str, ...] = LONG,
) -> None:
    from companion.table.phone_seats import PhoneClaim
    from companion.table.phone_side import PhonesNow

    if joined or claimed is not None:
        r.play("race", names, answers=12)
    claims = () if claimed is None else (PhoneClaim("a" * 32, claimed, names[claimed], 20.0),)
    now = PhonesNow(True, ("192.168.100.117",), 8411, "", claims, frozenset(joined), guests)
    r.change(phones=True)
    r.app.phones.side = Posing(now)  # type: ignore[assignment]


@scene("settings-hall")
def _(r: Rehearsal) -> None:
    _hall_on(r)
    r.app.go("settings")
    r.screen._go("hall")


@scene("hall-off")
def _(r: Rehearsal) -> None:
    r.app.go("hall")


@scene("hall-without-credentials")
def _(r: Rehearsal) -> None:
    from companion.table.hall_now import HallNow

    _hall_on(r, HallNow(True))
    r.app.go("hall")


@scene("hall-away")
def _(r: Rehearsal) -> None:
    _hall_on(r, connected=False, trouble="Network is unreachable", calling=True)
    r.app.go("hall")


@scene("hall-confirming")
def _(r: Rehearsal) -> None:
    """Some have confirmed the result."""
    from companion.table.hall_now import ResultNow

    _hall_on(r, result=ResultNow(1, LONG, (0,), (), 0.0))
    r.app.go("hall")


@scene("hall-refused")
def _(r: Rehearsal) -> None:
    from companion.table.hall_now import ResultNow

    _hall_on(r, result=ResultNow(1, LONG, (0,), (1,), 0.0))
    r.app.go("hall")


@scene("hall-is-it-right")
def _(r: Rehearsal) -> None:
    """The question on the sheet of a finished play."""
    from companion.table.hall_now import ResultNow

    r.play("race", SEATS, answers=12)
    _hall_on(r, result=ResultNow(r.app.desk.play.id, SEATS, (), (), 0.0))  # type: ignore[union-attr]
    r.app.hall.ask_confirmation()


@scene("hall-call")
def _(r: Rehearsal) -> None:
    """The hall calls in the middle of a play."""
    from companion.hall_messages import TableCall

    r.play("race", SEATS, answers=12)
    _hall_on(r, calls=(TableCall("c", "round-begins", 5),))
    r.app.hall.changed()


@scene("hall-assigned")
def _(r: Rehearsal) -> None:
    """Who plays here next, offered at the set-up."""
    from companion.core.game import games
    from companion.hall_messages import AssignedPlayer, Assignment

    players = tuple(AssignedPlayer(str(n), name) for n, name in enumerate(LONG))
    _hall_on(r, assignment=Assignment("r1", 1, "race", players))
    r.app.go("new", game=games()["race"])


def _hall_on(r: Rehearsal, now: HallNow | None = None, **how: Any) -> None:
    from companion.hall_messages import TableCredentials
    from companion.table.hall_now import HallNow

    class Side(Struct):
        now: HallNow

        def stop(self, wait: bool = False) -> None: ...

    named = TableCredentials("expo", "Table 7", "hall.local", table="table-7")
    how = {"connected": True, "event": "Expo 2026", **how}
    r.change(hall=True)
    r.app.hall.side = Side(now or HallNow(True, named, **how))  # type: ignore[assignment]


class Posing(Struct):
    """Phones as they may be, without any."""

    now: Any

    def decide(self, device: str, confirmed: bool) -> None:
        """Nothing comes of it here."""


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


@scene("faces")
def _(r: Rehearsal) -> None:
    """Cards being laid down to be taught; the last one is a second copy."""
    _shows_cards(r, (0, 1, 2, 0))


@scene("faces-check")
def _(r: Rehearsal) -> None:
    """What was taught is laid out again, and its names are compared."""
    _shows_cards(r, (0, 1, 2))
    r.settle_beside()
    r.tap("check")
    r.settle_beside()
    for _ in range(3):
        _looks(r, r.posed.look.frame.picture if r.posed.look else None)


def _shows_cards(r: Rehearsal, numbers: tuple[int, ...]) -> None:
    from companion.recognition import reading
    from vision.virtual_geometry import Lying
    from vision.virtual_light import PRESETS
    from workshop.faces import scenes
    from workshop.faces.art import art_set

    game = _shownfirst()
    ids = [component.id for component in reading.book(game).catalogue]
    r.change(camera="virtual:good-lamp:1")
    r.camera_feed.watch("virtual:good-lamp:1")
    r.app.go("faces", game=game)
    r.settle_beside()
    lying: list[Lying] = []
    for n in (None, *numbers):
        if n is not None:
            x, y = -110.0 + 75 * len(lying), 4.0 * len(lying)
            lying.append(Lying(ids[n], x, y, 2.0, 0.0, scenes.CARD))
        picture = scenes.shoot(art_set(5), lying, PRESETS["good-lamp"], 3, wide=340.0, scale=2.2).picture
        for _ in range(4):
            _looks(r, picture)


def _looks(r: Rehearsal, picture: Any) -> None:
    from vision.camera_health import Frame
    from vision.worker import Glance

    r.now += 0.3
    r.posed.look = Glance(Frame(picture, r.now), ())
    r.screen.tick()
    r.settle_beside()


@scene("table-photographs")
def _(r: Rehearsal) -> None:
    """An untaught box, some of whose tiles were photographed: their pictures are their faces."""
    import numpy as np

    from companion.core.game import every_game
    from companion.recognition import face_pictures
    from companion.ui.toolkit.face_pictures import PICTURES
    from workshop.faces.art import art_set

    game = max(every_game().values(), key=lambda game: len(game.usual_box().unknown()))
    r.play(game.id, SEATS, answers=14)
    offered = [option.component for question in r.app.desk.questions() for option in question.options]
    for n, id in enumerate([id for id in offered if id is not None][:8]):
        drawn = art_set(9)(id, (60.0, 60.0 if n % 2 else 80.0))
        face_pictures.keep(r.app.folder, game.id, id, np.ascontiguousarray(drawn))
        PICTURES.changed(game.id, id)
        if n in (2, 5):
            r.app.desk.name_new(id, f"Nova {n}")
    r.settle()
    r.app.home("table")
    r.settle_beside()
    r.app.refresh()
    r.settle_beside()


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


@scene("table-light-frontiers")
def _(r: Rehearsal) -> None:
    """Only the pool is counted, so small amounts have buttons."""
    from companion.core.flow.game import shipped_flow

    flow = shipped_flow("frontiers")
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


def _played_evenings(r: Rehearsal) -> None:
    """A finished play and some results typed in; the list of plays is shown."""
    from companion.core.annotations import TypedResult, TypedSeat
    from companion.table.settings import Person

    names = ("Zosia", "Bartłomiej", "Krzyś")
    r.change(people=tuple(Person(name, look) for look, name in enumerate(names)))
    r.play("race", names, seed=3)
    r.play_until(lambda session: session.over)
    r.app.home()
    r.app.desk.leave()
    for day in range(5):
        seats = tuple(TypedSeat(name, 30 + day * n) for n, name in enumerate(names))
        result = TypedResult("race", r.now - 86400 * (day + 1), seats, 50)
        r.app.desk.clerk.do(
            lambda journal, binder, result=result: journal.annotations.add(result, r.now),  # type: ignore[misc]
            lambda _: None,
            lambda trouble: None,
        )
    r.settle()
    r.app.go("plays")
    r.settle()


@scene("stats")
def _(r: Rehearsal) -> None:
    _played_evenings(r)
    r.app.go("stats")
    r.settle_beside()


@scene("people")
def _(r: Rehearsal) -> None:
    _played_evenings(r)
    r.app.go("people")
    r.settle()


@scene("evening")
def _(r: Rehearsal) -> None:
    _played_evenings(r)
    r.tap(first(r, "play-"))
    r.settle_beside()


@scene("steps")
def _(r: Rehearsal) -> None:
    _played_evenings(r)
    r.tap(first(r, "play-"))
    r.settle_beside()
    r.tap("steps")
    r.settle_beside()
    r.screen.turn_to(len(r.screen.deeds) // 2)


@scene("take-along")
def _(r: Rehearsal) -> None:
    _played_evenings(r)
    r.tap(first(r, "play-"))
    r.settle_beside()
    r.tap("take-along")
    r.settle_beside()


@scene("take-along-code")
def _(r: Rehearsal) -> None:
    _played_evenings(r)
    r.tap(first(r, "play-"))
    r.settle_beside()
    r.tap("take-along")
    r.settle_beside()
    r.tap("take-code")


@scene("typed-result")
def _(r: Rehearsal) -> None:
    _played_evenings(r)
    r.app.go("typed-result")
    r.settle()
    r.tap("person-Bartłomiej")


@scene("words-page")
def _(r: Rehearsal) -> None:
    _played_evenings(r)
    r.tap("seek")
