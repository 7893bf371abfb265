"""Settings: how the table likes it, the camera, and looking after the data. Every choice holds at once."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kivy.core.window import Window
from msgspec.structs import replace

from companion import upkeep
from companion.core.lamps import PHASE, POINTS
from companion.core.repair import Report, verify
from companion.core.words import Text, count, say
from companion.errors import Trouble
from companion.panel_words import usual_table
from companion.seat_panel import BLANK, Trial
from companion.settings import SOUNDS
from companion.texts import capital, render
from companion.ui.aside import Aside
from companion.ui.camera_picture import NEW, CameraPicture, Framed
from companion.ui.draw import Bar
from companion.ui.kit import Column, Flow, Icon, Page, Panel, Part, Row, Scroll, Split, Tap, Tiles, Words
from companion.ui.lookout import NONE
from companion.ui.screen import Screen
from companion.ui.stepper import Broad
from companion.ui.wired import complaints

if TYPE_CHECKING:
    from companion.app import CompanionApp
    from devices.gestures import Gesture
    from devices.panel import Who
    from vision.worker import Look

SECTIONS = {
    "language": "translate",
    "text": "format-size",
    "colours": "theme-light-dark",
    "sound": "volume-high",
    "table": "table-furniture",
    "camera": "camera",
    "devices": "gesture-tap-button",
    "storage": "content-save",
    "backup": "usb",
    "about": "information",
}
LANGUAGES = {"en": "English", "pl": "Polski"}
"""Each in its own language, so that whoever reads only that one finds it."""

SMALLEST, LARGEST, STEP = 80, 150, 10
LOUDER = 20
ESCAPE = "27"
ALL_BARS = "8888"
PATH = re.compile(r"(?<!\S)/\S*")
LICENCES = (
    ("Kivy", "MIT"),
    ("Lato", "SIL Open Font License 1.1"),
    ("Material Design Icons", "Apache License 2.0"),
    ("msgspec", "BSD-3-Clause"),
    ("NumPy", "BSD-3-Clause"),
    ("OpenCV", "Apache License 2.0"),
    ("zxing-cpp", "Apache License 2.0"),
    ("pyzbar, ZBar", "MIT, LGPL-2.1"),
    ("ReportLab", "BSD"),
    ("Segno", "BSD"),
    ("Rich", "MIT"),
    ("Babel", "BSD-3-Clause"),
)


class SettingsScreen(Screen):
    """Sections at the left and what they are about at the right; one after the other where there is no room."""

    name = "settings"

    def __init__(self, app: CompanionApp, section: str | None = None) -> None:
        super().__init__(app)
        self.section = section
        self.pressed: Text | None = None
        self.aside = Aside()
        self.sources: tuple[str, ...] | None = None
        self.seen: Look | None = None
        self.advice: tuple[Text, ...] = ()
        self.picture: CameraPicture | None = None
        self.sticks: tuple[upkeep.Stick, ...] | None = None
        self.report: Report | None = None
        self.busy = ""
        self.outcome: tuple[Text, bool] | None = None

    def enter(self) -> None:
        self._arrive()

    def leave(self) -> None:
        if self._shown == "camera":
            self.app.lookout.wait_for_scan(False)
        self._try_out(None)

    @property
    def _shown(self) -> str | None:
        """The section people see: where there is room, always one."""
        return self.section or (next(iter(SECTIONS)) if self.app.look.wide else None)

    def build(self) -> Part:
        self.picture = None
        if self.app.look.wide:
            shown = self._shown
            assert shown is not None
            rail = Scroll(Column([self._way(name) for name in SECTIONS], gap=6), key="sections")
            body: Part = Split([rail, Scroll(self._content(shown), key=self._key(shown))], (1.12, 2))
            return Page(self._head(self.t("ui.menu-settings")), body)
        if self.section is None:
            ways = Tiles([self._way(name) for name in SECTIONS], 260, gap=8)
            return Page(self._head(self.t("ui.menu-settings")), Scroll(ways, key="sections"))
        content = Scroll(self._content(self.section), key=self._key(self.section))
        return Page(self._head(self.t(f"ui.settings-{self.section}")), content)

    def _key(self, section: str) -> str:
        """Where people scrolled to; when they begin to try parts out, at the top."""
        panel = self.app.seat_panel
        trying = section == "devices" and panel is not None and panel.trial is not None
        return f"section-{section}-trying" if trying else f"section-{section}"

    def _head(self, title: str) -> Part:
        back = Tap(icon="arrow-left", kind="quiet", on_tap=self.back, name="back")
        return Row([back, Words(title, "title", bold=True).fill()])

    def _way(self, name: str) -> Tap:
        on = self.app.look.wide and name == self._shown
        words = self.t(f"ui.settings-{name}")
        return Tap(
            words,
            lambda: self._go(name),
            icon=SECTIONS[name],
            kind="quiet",
            chosen=on,
            name=f"section-{name}",
        )

    def _go(self, section: str) -> None:
        self.leave()
        self.section = section
        self.outcome, self.report = None, None
        self._arrive()
        self.app.refresh()

    def _arrive(self) -> None:
        """Begin what a section needs to find out."""
        if self._shown == "camera" and self.sources is None:
            self.aside.do(_sources, self._found_sources, self._trouble)
        if self._shown == "backup":
            self._look_for_sticks()
        if self._shown == "storage":
            self.desk.look_up_plays()

    def back(self) -> None:
        """To the sections where they are a page of their own, else to where people came from."""
        if self.section is not None and not self.app.look.wide:
            self.leave()
            self.section = None
            self.app.refresh()
        else:
            self.app.back()

    def typed(self, key: str, character: str | None) -> bool:
        if key == ESCAPE:
            self.back()
            return True
        return False

    def _content(self, section: str) -> Column:
        parts: dict[str, Callable[[], list[Part]]] = {
            "language": self._language,
            "text": self._text,
            "colours": self._colours,
            "sound": self._sound,
            "table": self._table,
            "camera": self._camera,
            "devices": self._devices,
            "storage": self._storage,
            "backup": self._backup,
            "about": self._about,
        }
        return Column(parts[section](), gap=12)

    # How the table likes it

    def _language(self) -> list[Part]:
        return [
            self._choice(
                words, id == self.desk.language, partial(self.desk.change, language=id), f"language-{id}"
            )
            for id, words in LANGUAGES.items()
        ]

    def _text(self) -> list[Part]:
        size = self.desk.settings.text_size
        steps = self._steps("text", self.t("ui.percent", n=size), size, SMALLEST, LARGEST, STEP, "text_size")
        example = self.panel(
            Words(self.t("ui.text-example"), "prompt", bold=True),
            Words(self.t("ui.text-example-more"), "body"),
            Words(self.t("ui.text-example-note"), "note", "dim"),
        )
        return [steps, example]

    def _colours(self) -> list[Part]:
        return [
            self._choice(
                self.t(f"ui.colours-{theme}"),
                self.desk.settings.theme == theme,
                partial(self.desk.change, theme=theme),
                f"colours-{theme}",
            )
            for theme in ("dark", "light")
        ]

    def _sound(self) -> list[Part]:
        settings = self.desk.settings
        words = self.t("ui.percent", n=settings.volume) if settings.volume else self.t("ui.sound-off")
        parts: list[Part] = [
            self._steps("volume", words, settings.volume, 0, 100, LOUDER, "volume"),
            Bar(settings.volume, 100),
            Words(self.t("ui.sound-kinds"), "note", "dim"),
        ]
        return parts + [self._kind(kind) for kind in SOUNDS] + self._speech()

    def _speech(self) -> list[Part]:
        """Which of them are said aloud as well."""
        if not self.app.speech.there:
            words = Words(self.t("ui.speech-none"), "note", "dim").fill()
            return [self.panel(Row([Icon("information", "prompt", "dim"), words]))]
        spoken = self.desk.settings.spoken
        switches = [
            self._switch(
                self.t(f"ui.sound-{kind}"),
                kind in spoken,
                partial(
                    self.desk.change,
                    spoken=tuple(k for k in SOUNDS if (k in spoken) != (k == kind)),
                ),
                f"spoken-{kind}",
            )
            for kind in SOUNDS
        ]
        return [Words(self.t("ui.speech-kinds"), "note", "dim"), *switches]

    def _kind(self, kind: str) -> Part:
        silent = self.desk.settings.silent
        fewer = tuple(k for k in silent if k != kind)
        change = partial(self.desk.change, silent=fewer if kind in silent else (*silent, kind))
        switch = self._switch(self.t(f"ui.sound-{kind}"), kind not in silent, change, f"sound-{kind}")
        hear = Tap(icon="play", on_tap=lambda: self.app.sound(kind), name=f"hear-{kind}")
        return Row([switch.fill(), hear])

    def _table(self) -> list[Part]:
        settings = self.desk.settings
        return [
            self._switch(
                self.t(f"ui.table-{name}"),
                getattr(settings, name),
                partial(self.desk.change, **{name: not getattr(settings, name)}),
                f"table-{name}",
                self.t(f"ui.table-{name}-more"),
            )
            for name in ("scores", "clocks", "facing")
        ]

    def _choice(self, words: str, on: bool, deed: Callable[[], Any], name: str, detail: str = "") -> Tap:
        icon = "check-circle" if on else "circle-outline"
        return Tap(words, deed, icon=icon, chosen=on, detail=detail, name=name)

    def _switch(self, words: str, on: bool, deed: Callable[[], Any], name: str, detail: str = "") -> Tap:
        icon = "checkbox-marked" if on else "checkbox-blank-outline"
        return Tap(words, deed, icon=icon, detail=detail, name=name)

    def _steps(self, name: str, words: str, value: int, low: int, high: int, step: int, field: str) -> Part:
        def change(to: int) -> None:
            if low <= to <= high:
                self.desk.change(**{field: to})

        def tap(icon: str, to: int, which: str) -> Tap:
            kind = "plain" if low <= to <= high else "quiet"
            return Tap(icon=icon, on_tap=lambda: change(to), kind=kind, name=f"{which}-{name}", tall=60)

        less, more = tap("minus", value - step, "less"), tap("plus", value + step, "more")
        return Row([less, Broad(Words(words, "prompt", bold=True, align="center"), 130), more])

    # The camera

    def _camera(self) -> list[Part]:
        trouble = self.app.lookout.trouble()
        self.picture = CameraPicture()
        now = self.desk.settings.camera
        parts: list[Part] = []
        if now != NONE:
            if self.seen is not None:
                self._show(self.seen)
            told = [Words(self.desk.words(text), "note") for text in self.advice]
            if trouble:
                told = [Words(self.t("ui.camera-complains", why=self.desk.words(trouble)), "note", "bad")]
            words = self.panel(*(told or [Words(self.t("ui.camera-opening"), "note", "dim")]))
            low = not self.app.look.wide and Window.width > Window.height
            parts += [Split([self.picture, words], (1.1, 1))] if low else [self.picture, words]
        known = [NONE, *(self.sources or ())]
        listed = known if now in known else [now, *known]
        parts += [self._source(source, source == now) for source in listed]
        if self.sources is None:
            parts.append(Words(self.t("ui.camera-looking"), "note", "dim"))
        parts.append(Tap(self.t("ui.look-again"), self._look_again, icon="refresh", name="look-again"))
        return parts

    def _source(self, source: str, on: bool) -> Tap:
        return self._choice(self._named(source), on, lambda: self._watch(source), f"camera-{source}")

    def _named(self, source: str) -> str:
        """A camera in words."""
        sort, _, rest = source.partition(":")
        if sort in ("none", "pi"):
            return self.t(f"ui.camera-{sort}")
        if sort == "usb":
            return self.t("ui.camera-usb", n=rest)
        if sort == "virtual":
            return self.t("ui.camera-virtual", preset=rest.partition(":")[0].replace("-", " "))
        return self.t("ui.camera-other", source=_breakable(source))

    def _watch(self, source: str) -> None:
        self.seen, self.advice = None, ()
        self.app.lookout.watch(source)
        self.desk.change(camera=source)

    def _look_again(self) -> None:
        self.sources = None
        self._arrive()
        self.app.refresh()

    def _found_sources(self, sources: tuple[str, ...]) -> None:
        self.sources = sources
        self.app.refresh()

    def tick(self) -> None:
        """Show what the camera sees; nothing held before it here is meant for the table."""
        if self._shown != "camera":
            return
        lookout = self.app.lookout
        lookout.wait_for_scan(True)
        lookout.news()
        look = lookout.latest()
        if look is None or look is self.seen or self.desk.settings.camera == NONE:
            return
        self.seen = look
        from companion.see_commands import advices

        advice = tuple(advices(look.frame.picture, list(look.sightings)))
        if advice != self.advice:
            self.advice = advice
            self.app.refresh()
        elif self.picture is not None:
            self._show(look)

    def _show(self, look: Look) -> None:
        assert self.picture is not None
        labels = [Framed(s.text, s.corners, NEW) for s in look.sightings]
        self.picture.see(look.frame.picture, labels)

    # Buttons and lamps

    def _devices(self) -> list[Part]:
        parts: list[Part] = [self._wired(), *(self._told(text, good=False) for text in complaints(self.app))]
        if self.app.seat_panel is None:
            return parts
        if len(parts) == 1:
            parts.append(self._told(say("ui.devices-fine"), good=True))
        if self.app.seat_panel.trial is not None:  # what a press did must be seen without scrolling
            return [*self._trial(), *parts, *self._counters()]
        return [*parts, *self._trial(), *self._counters()]

    def _wired(self) -> Part:
        """What there is, and where that is written down."""
        seats = 0 if self.app.seat_panel is None else self.app.seat_panel.panel.seats
        if self.app.simulator is not None:
            what, more = count("ui.devices-simulated", seats), "ui.devices-simulated-more"
        elif seats:
            what, more = count("ui.devices-wired", seats), "ui.devices-wired-more"
        else:
            what, more = say("ui.devices-none"), "ui.devices-none-more"
        icon = Icon("gesture-tap-button", "title", "accent" if seats else "dim")
        return self.panel(
            Row([icon, Words(self.desk.words(what), bold=True).fill()]),
            Words(_breakable(self.t(more, file=str(usual_table()))), "note", "dim"),
        )

    def _trial(self) -> list[Part]:
        """Try the parts out: meanwhile presses only show."""
        panel = self.app.seat_panel
        trial = panel.trial
        switch = self._switch(
            self.t("ui.devices-try"),
            trial is not None,
            lambda: self._try_out(Trial() if trial is None else None),
            "devices-try",
            self.t("ui.devices-try-more"),
        )
        if trial is None:
            return [switch]
        whole = panel.panel.table
        lit = "" if trial.lit is None else self.t("ui.devices-lamp-lit", seat=self._seat_name(trial.lit))
        taps = [
            Tap(self.t("ui.devices-lamp"), self._next_lamp, icon="lightbulb-on", detail=lit, name="try-lamp")
        ]
        if self._with_counters():
            text = BLANK if trial.text == ALL_BARS else ALL_BARS
            taps.append(
                Tap(
                    self.t("ui.devices-counter"),
                    lambda: self._try_out(replace(trial, text=text)),
                    icon="numeric",
                    detail=trial.text.strip(),
                    name="try-counter",
                )
            )
        if whole.whole.buzzer is not None:
            taps.append(
                Tap(self.t("ui.devices-buzzer"), lambda: panel.buzz("turn"), icon="bell", name="try-buzzer")
            )
        said = self.t("ui.devices-press") if self.pressed is None else self.desk.words(self.pressed)
        heard = Row([Icon("gesture-tap", "prompt", "accent"), Words(said, "body", bold=True).fill()])
        return [switch, Panel(heard, "raised", edge="accent"), Tiles(taps, 200)]

    def _with_counters(self) -> bool:
        return any(seat.counter is not None for seat in self.app.seat_panel.panel.table.seats)

    def _next_lamp(self) -> None:
        panel = self.app.seat_panel
        lit = -1 if panel.trial.lit is None else panel.trial.lit
        self._try_out(replace(panel.trial, lit=lit + 1 if lit + 1 < panel.panel.seats else None))

    def _try_out(self, trial: Trial | None) -> None:
        """From now on this is shown by lamps and counters; nothing: what the play wants."""
        panel = self.app.seat_panel
        if panel is None or panel.trial == trial:
            return
        if trial is None or panel.trial is None:
            self.pressed = None
        panel.try_out(trial)
        if self.app.screen is self:
            self.app.refresh()

    def tried(self, who: Who, gesture: Gesture) -> None:
        """Say who pressed what; a seat's lamp answers."""
        name = self._seat_name(who) if isinstance(who, int) else self.t(f"devices.part-{who}")
        how = type(gesture).__name__.lower()
        self.pressed = say(f"ui.devices-{how}", who=capital(name))
        panel = self.app.seat_panel
        if isinstance(who, int) and panel.trial is not None:
            panel.try_out(replace(panel.trial, lit=who))
        self.app.refresh()

    def _seat_name(self, seat: int) -> str:
        name = self.t("devices.part-seat", n=seat + 1)
        seats = () if self.desk.play is None else self.desk.session.setup.seats
        return f"{name} ({seats[seat]})" if seat < len(seats) else name

    def _counters(self) -> list[Part]:
        """What the seats' counters show."""
        if not self._with_counters():
            return []
        now, named = self.desk.settings.counter, dict[str, str]()
        if self.desk.play is not None:
            session = self.desk.session
            for seat in session.game.view(session.state).seats:
                named |= {number.id: self.desk.words(number.text) for number in seat.numbers}
        elif now not in (POINTS, PHASE):
            named[now] = self.t("ui.counter-other")
        offered = {POINTS: self.t("ui.counter-points"), PHASE: self.t("ui.counter-phase"), **named}
        choices: list[Part] = [
            self._choice(words, id == now, partial(self.desk.change, counter=id), f"counter-{id}")
            for id, words in offered.items()
        ]
        more = [] if self.desk.play is not None else [Words(self.t("ui.counter-more"), "note", "dim")]
        return [Words(self.t("ui.counter"), "body", "accent", bold=True), *choices, *more]

    # The data

    def _storage(self) -> list[Part]:
        journal = self.app.folder / "journal.db"
        facts = [
            (self.t("ui.storage-where"), _breakable(str(journal))),
            (self.t("ui.storage-size"), self.t("ui.megabytes", n=f"{_size(journal) / 1e6:.1f}")),
            (self.t("ui.storage-plays"), str(len(self.desk.plays))),
        ]
        check = Tap(
            self.t("ui.storage-checking" if self.busy else "ui.storage-check"),
            None if self.busy else self._check,
            icon="timer" if self.busy else "wrench",
            name="check",
        )
        return [self._pairs(facts), check, *self._checked()]

    def _pairs(self, pairs: list[tuple[str, str]]) -> Part:
        return self.panel(
            *[Column([Words(what, "note", "dim"), Words(value, "body")], gap=2) for what, value in pairs]
        )

    def _check(self) -> None:
        journal = self.app.folder / "journal.db"

        def found(report: Report) -> None:
            self.busy, self.report = "", report
            self.app.refresh()

        self.busy, self.report = "check", None
        self.aside.do(lambda: verify(journal), found, self._trouble)
        self.app.refresh()

    def _checked(self) -> list[Part]:
        if self.report is None:
            return []
        if self.report.problems:
            return [self._told(problem, good=False) for problem in self.report.problems]
        counted = count("ui.storage-fine", self.report.plays, entries=self.report.entries)
        return [self._told(counted, good=True)]

    def _told(self, text: Text, good: bool) -> Part:
        icon, tone = ("check-circle", "good") if good else ("alert-circle", "bad")
        words = Words(_breakable(self.desk.words(text)), "body").fill()
        return Panel(Row([Icon(icon, "prompt", tone), words]), edge=tone)

    # Sticks

    def _look_for_sticks(self) -> None:
        def found(sticks: tuple[upkeep.Stick, ...]) -> None:
            self.sticks = sticks
            self.app.refresh()

        self.aside.do(upkeep.sticks, found, self._trouble)

    def _backup(self) -> list[Part]:
        parts: list[Part] = [Words(self.t("ui.backup-more"), "note", "dim")]
        if self.outcome is not None:
            parts.append(self._told(*self.outcome))
        if self.sticks is None:
            parts.append(Words(self.t("ui.backup-looking"), "body", "dim"))
        elif not self.sticks:
            parts.append(self.panel(Words(self.t("ui.backup-no-stick"), "body")))
        parts += [self._stick(n, stick) for n, stick in enumerate(self.sticks or ())]
        again = Tap(self.t("ui.look-again"), self._look_for_sticks, icon="refresh", name="look-again")
        own = Tap(
            self.t("ui.bundle-here"),
            partial(self._write, "bundle", self.app.folder),
            icon="wrench",
            detail=self.t("ui.bundle-more"),
            name="bundle-here",
        )
        return [*parts, again, own]

    def _stick(self, number: int, stick: upkeep.Stick) -> Part:
        free = self.t("ui.stick-free", n=f"{stick.free / 1e9:.1f}")
        state = free if stick.writable else self.t("ui.stick-read-only")
        deeds = [
            Tap(
                self.t(f"ui.{what}"),
                None if self.busy else partial(self._write, what, stick.path),
                icon=icon,
                kind=kind,
                align="center",
                name=f"{what}-{number}",
            )
            for what, icon, kind in (("backup", "content-save", "main"), ("bundle", "wrench", "plain"))
        ]
        head = Row([Icon("usb", "title", "accent"), Words(_breakable(stick.name), "body", bold=True).fill()])
        return self.panel(head, Words(state, "note", "dim"), Tiles(deeds, 200))

    def _write(self, what: str, where: Path) -> None:
        folder, at = self.app.folder, self.desk.clock()
        trouble = self.app.lookout.trouble()
        health = "no complaint" if trouble is None else render(trouble, "en")
        camera = f"{self.desk.settings.camera}: {health}"

        def job() -> Path:
            if what == "backup":
                return upkeep.back_up(folder / "journal.db", where, at)
            return upkeep.diagnostics(folder, where, at, camera)

        def done(path: Path) -> None:
            self.busy, self.outcome = "", (self._done(what, path.parent, at), True)
            self.app.sound("accepted")
            self.app.refresh()

        self.busy, self.outcome = what, None
        self.aside.do(job, done, self._trouble)

    def _done(self, what: str, where: Path, at: float) -> Text:
        return say(f"ui.{what}-done", day=_minute(at), where=str(where))

    def _trouble(self, trouble: Trouble) -> None:
        self.busy, self.outcome = "", (trouble.text, False)
        self.app.refresh()
        if self._shown != "backup":
            self.app.tell(trouble.text, "refused")
        else:
            self.app.sound("refused")

    # About

    def _about(self) -> list[Part]:
        version = upkeep.versions()["tabletop-companion"]
        rows = [
            Flow([Words(name, "note", bold=True), Words(licence, "note", "dim")], lines=0)
            for name, licence in LICENCES
        ]
        return [
            self.panel(
                Words(self.t("ui.title"), "body", bold=True),
                Words(self.t("ui.about-version", version=version), "body"),
                Words(self.t("ui.about-licence"), "note", "dim"),
            ),
            self.panel(*rows, title=self.t("ui.about-others")),
        ]


def _sources() -> tuple[str, ...]:
    """Every camera there is; the eyes take a moment to load."""
    from companion.see_commands import sources

    return tuple(sources())


def _size(journal: Path) -> int:
    """The bytes of the journal and what belongs to it."""
    beside = (journal.with_name(journal.name + ending) for ending in ("", "-wal"))
    return sum(path.stat().st_size for path in beside if path.exists())


def _breakable(words: str) -> str:
    """The same words with room to break a line within paths."""
    return PATH.sub(lambda path: " / ".join(part for part in path[0].split("/") if part), words)


def _minute(at: float) -> str:
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(at))
