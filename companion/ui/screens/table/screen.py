"""The table: whose turn it is, what we wait for, what lies where. It stays on all evening."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from kivy.core.window import Window

from companion.core.questions import Answer, Question
from companion.core.views import View
from companion.core.words import News, count
from companion.table.camera_feed import NONE
from companion.table.desk import option_words
from companion.ui.screens.table.dice import DicePad, Tray
from companion.ui.screens.table.fact import FactPad
from companion.ui.screens.table.overview import SHARES, Overview
from companion.ui.screens.table.ribbon import ribbon
from companion.ui.toolkit.draw import Badge, Rotated
from companion.ui.toolkit.kit import (
    GAP,
    PAD,
    Column,
    Flow,
    Icon,
    Page,
    Part,
    Plate,
    Rail,
    Row,
    Scroll,
    Split,
    Tap,
    Tiles,
    Words,
    extent,
)
from companion.ui.toolkit.look import TARGET
from companion.ui.toolkit.screen import Asked, Screen

MANY = 12
"""With more options than this people look for theirs on a screen of its own."""

MANY_GAUGES = 3
"""More gauges than this stand below the seats."""

FEW_NAMES = 2
"""With more seats asked at once, only the one whose question is shown is named; the others show their marks."""

LINE = 1.3
"""How high a line is, by the size of its letters."""

FEW = 3
"""So many news are shown at once; the rest on a tap."""

ROOM_TO_FACE = {True: 400, False: 640}
"""Below this height, as words see it (lying, standing), panels on two sides would leave no room between them."""


class TableScreen(Screen):
    """What everybody may see; secret choices are made behind the hand, on a screen of their own."""

    name = "table"
    scans = True

    def __init__(self, app) -> None:  # type: ignore[no-untyped-def]
        super().__init__(app)
        self.focus: int | None = None
        self.tray = Tray()
        self.fact_pad = FactPad(self)
        self.blind = False

    def build(self) -> Part:
        view = self.desk.session.game.view(self.desk.session.state)
        self.marks = self.desk.marks()
        self.blind = self.app.lookout.trouble() is not None
        self.has_map = bool(view.map)
        self.overview = Overview(self.app)
        if self.desk.settings.facing and self._room_to_face():
            return self._facing(self._middle([*self._now(view), *self.overview.gauges(view)]), view)
        if not self.app.look.wide:
            parts = [*self._watching(), *self._now(view), *self.overview.gauges(view)]
            seats = self.overview.seats(view, full=True)
            return self._framed(self._middle([*parts, *seats, *self.overview.notes(view)]), view)
        return self._framed(
            Split([self._middle(self._now(view)), Scroll(self._side(view), key="seats")], SHARES), view
        )

    def _room_to_face(self) -> bool:
        least = ROOM_TO_FACE[Window.width >= Window.height]
        return Window.height >= self.app.look.px(least) * self.app.look.text

    def _middle(self, parts: list[Part]) -> Part:
        """What can be scrolled, and below it the news, which stay in sight."""
        return Page(None, Scroll(Column(parts), key=f"now {self._asked()}"), self._news())

    def _asked(self) -> str:
        """What tells this question from the next, which is read from its beginning again."""
        if self.desk.session.over or self.desk.session.paused or (asked := self.shown_question()) is None:
            return ""
        return " ".join((str(asked.seat), asked.slug, *(option.id for option in asked.options)))

    def _framed(self, body: Part, view: View) -> Part:
        """What can be done at any time: along the side if the screen lies, at the bottom if it stands."""
        if not self._lies():
            edges = [*self._actions(names=False)[:1], *(sign for sign in self._signs() if sign)]
            return Page(self._top(view, edges[:1], edges[1:]), body, self._bottom())
        rail = Column([*self._actions(names=False), *self._signs()])
        beside = rail.natural() + self.app.look.px(PAD)
        return Rail(rail, Page(self._top(view, [], self._whose(), beside), body))

    def _lies(self) -> bool:
        return Window.width >= Window.height

    def _top(self, view: View, before: list[Part], behind: list[Part], beside: float = 0.0) -> Part:
        """The ribbon in one line with what stands beside it, and below it what nobody may miss."""
        look = self.app.look
        beside += sum(part.natural() + look.px(GAP) for part in (*before, *behind))
        room = Window.width - 2 * look.px(PAD) - beside
        line = Row([*before, ribbon(view, self.desk.words, room).fill(), *behind], tall=TARGET)
        return Column([line, *(self.overview.alerts(view) if look.wide else [])])

    def _side(self, view: View) -> Part:
        """Gauges and seats; a seat's numbers only where there is room for everybody's."""
        width, height = Window.width * SHARES[1] / sum(SHARES), Window.height - self.app.look.px(80)
        height -= sum(part.fit(Window.width) + self.app.look.px(GAP) for part in self.overview.alerts(view))
        wide, gap = width - self.app.look.px(70), self.app.look.px(GAP)
        above, gauges, notes = self._watching(), self.overview.gauges(view), self.overview.notes(view)
        room = height - sum(part.fit(wide) + gap for part in (*above, *gauges, *notes))
        many = len(view.pools) + len(view.meters) > MANY_GAUGES

        def side(seats: list[Part]) -> Part:
            return Column([*above, *([*seats, *gauges] if many else [*gauges, *seats]), *notes])

        if len(view.seats) * self._least_full() <= room:
            running = len(self.overview.clocks)
            seats = self.overview.seats(view, full=True)
            if sum(part.fit(wide) + gap for part in seats) - gap <= room:
                return side(seats)
            del self.overview.clocks[running:]  # those of seats that are not shown
        return side(self.overview.seats(view, full=False))

    def _least_full(self) -> float:
        """What a seat with its numbers takes at least, so that none is made where there is no room for it."""
        return 2 * self.app.look.font("note") + self.app.look.px(2 * PAD)

    def _watching(self) -> list[Part]:
        """What a demonstration wants to be seen, such as the camera's picture."""
        return [self.app.watching()] if self.app.watching is not None else []

    def tick(self) -> None:
        """Let the clocks run, and show at once that the camera sees nothing or sees again; why is told once."""
        trouble = self.app.lookout.trouble()
        if (trouble is not None) != self.blind:
            self.app.refresh()
            if trouble is not None and self.blind:
                self.app.tell(trouble)
        self.overview.tick()

    # What we wait for

    def _now(self, view: View) -> list[Part]:
        session = self.desk.session
        if session.over:
            show = Tap(
                self.t("ui.show-score"),
                lambda: self.app.go("score"),
                icon="trophy",
                kind="main",
                name="score",
            )
            return [*self._urgent(view), self._card("ui.play-is-over", show)]
        if session.paused:
            on = Tap(self.t("ui.go-on"), self.desk.go_on, icon="play", kind="main", name="go-on")
            return [self._card("ui.paused-now", on)]
        shown = self.shown_question()
        if shown is None:
            return [*self._urgent(view), self._secret(self.desk.questions())]
        tabs = [] if self._lies() else self._whose()
        parts: list[Part] = [*self._urgent(view), *([Flow(tabs)] if tabs else [])]
        return [*parts, self._question(shown), *self._powers(shown.seat, view)]

    def _urgent(self, view: View) -> list[Part]:
        """Alerts that scroll with the rest, where there is no room to keep them in sight."""
        return [] if self.app.look.wide else self.overview.alerts(view)

    def _card(self, told: str, deed: Tap) -> Part:
        """A sentence and what can be done about it."""
        return self._alone(Column([Words(self.t(told), "prompt", bold=True), deed], gap=14))

    def _alone(self, part: Part) -> Part:
        """What we wait for, on a ground as high as the screen where nothing else stands below it."""
        panel = Plate(part)
        return panel.spread() if self.app.look.wide else panel

    def shown_question(self) -> Question | None:
        """The question people can answer on this screen; none while all are secret."""
        questions = self.desk.questions()
        if all(q.secret for q in questions) and len(self.desk.session.setup.seats) > 1:
            return None
        open_ = [q for q in questions if not q.secret] or list(questions)
        return next((q for q in open_ if q.seat == self.focus), open_[0])

    def _whose(self) -> list[Part]:
        """Everybody who is asked, if there are several; beside the ribbon by their marks alone."""
        questions, shown = self.desk.questions(), self.shown_question()
        session = self.desk.session
        if session.over or session.paused or shown is None or len(questions) < 2:
            return []
        few = len(questions) <= FEW_NAMES
        asked = sorted(questions, key=lambda q: -1 if q.seat is None else q.seat)
        return [
            self._who(q, chosen=q is shown, named=not self._lies() and (few or q is shown)) for q in asked
        ]

    def _who(self, question: Question, chosen: bool, named: bool = True) -> Part:
        seat = question.seat
        words = self.t("ui.everybody") if seat is None else self.desk.session.setup.seats[seat]
        return Tap(
            words if named or seat is None else "",
            lambda: self._turn_to(question),
            lead=None if seat is None else Badge(self.marks[seat], 34),
            chosen=chosen,
            name=f"ask-{seat}",
        )

    def _turn_to(self, question: Question) -> None:
        if question.secret:
            self.app.go("choose", seat=question.seat)
            return
        self.focus = question.seat
        self.app.refresh()

    def _secret(self, questions: tuple[Question, ...]) -> Part:
        """Nobody's options are shown: each takes the screen in turn, or holds a card to the camera."""
        sees = self.app.lookout.source != NONE and not self.blind
        how = "ui.in-secret-how" if sees else "ui.in-secret-touch"
        head = Words(self.t("ui.in-secret"), "prompt", bold=True).fill()
        return self._alone(
            Column(
                [
                    Row([Icon("eye-off", "title", "accent"), head]),
                    Words(self.t(how), "body", "dim"),
                    Tiles([self._who(q, chosen=False) for q in questions], 200).spread(24),
                ],
                gap=14,
            )
        )

    def _question(self, question: Question) -> Part:
        mark = None if question.seat is None else self._asked_one(question.seat)
        head = Row([mark, Words(self.desk.words(question.text), "prompt", bold=True).fill()])
        notes = [Words(self.desk.words(note), "note", "dim") for note in question.notes]
        if question.dice is not None:
            pad = DicePad(self, question, self.tray).parts()
            return self._alone(Column([head, Column(notes, gap=6), *pad], gap=10))
        if question.form is not None:
            told = self.fact_pad.parts(question)
            return self._alone(Column([head, *told, Column(notes, gap=6) if notes else None], gap=10))
        groups: dict[str, list[int]] = {}
        for n, option in enumerate(question.options):
            groups.setdefault("" if option.group is None else self.desk.words(option.group), []).append(n)
        parts = [part for group, numbers in groups.items() for part in self._group(question, group, numbers)]
        return self._alone(Column([head, *parts, Column(notes, gap=6) if notes else None], gap=14))

    def _group(self, question: Question, group: str, numbers: list[int]) -> list[Part]:
        """Options under a heading; where there are many, only the way to them."""
        few = len(question.options) <= MANY or (not group and len(numbers) <= MANY)
        detailed = any(question.options[n].detail is not None for n in numbers)
        cursor = self.app.buttons.turned_to(question)
        shown = [n for n in numbers if few or (n == 0 and question.has_default) or n == cursor]
        taps: list[Part] = [self._option(question, n, marked=n == cursor, detailed=detailed) for n in shown]
        if not few:
            words = f"{group} ({len(numbers)})"
            if not group:
                words = self.desk.words(count("ui.choose-from", len(numbers)))
            taps.append(
                Tap(
                    words,
                    lambda: self.app.go("choose", seat=question.seat, kind=group or None),
                    icon="magnify",
                    name=f"choose-{group}" if group else "choose",
                )
            )
        tiles = Tiles(taps, self._least_tile(question, shown, 300 if detailed else 210), gap=8).spread(24)
        return [Words(group, "note", "accent", bold=True), tiles] if group and few else [tiles]

    def _least_tile(self, question: Question, shown: list[int], most: float) -> float:
        """Options whose words are short stand beside each other."""
        look = self.app.look
        widest = 0.0
        for n in shown:
            words, detail = option_words(self.desk, question.options[n])
            widest = max(widest, extent(words, Words.font, look.font("body"), False))
            widest = max(widest, extent(detail, Words.font, look.font("note"), False) / 2)
        return min(most, max(96.0, (widest + look.px(22)) / look.unit / look.text)) if shown else most

    def _asked_one(self, seat: int) -> Part:
        clock = self.overview.clock_words(seat) if self.desk.settings.clocks else None
        return Column([Badge(self.marks[seat], 46), clock], gap=2)

    def _option(self, question: Question, n: int, marked: bool, detailed: bool) -> Part:
        option = question.options[n]
        words, detail = option_words(self.desk, option)
        answer = Answer(question.seat, question.slug, option.id)
        return Tap(
            words,
            lambda: self.desk.propose(answer),
            detail=detail,
            icon="hand-pointing-right" if marked else "",
            kind="main" if n == 0 and question.has_default else "plain",
            align="left" if detailed else "",
            name=f"option-{option.id}",
            about=(self.desk.session.entries, question.seat, question.slug),
        )

    def _powers(self, seat: int | None, view: View) -> list[Part]:
        if seat is None:
            return []
        powers = view.seats[seat].powers
        lines = [Words("• " + self.desk.words(power), "note", "dim") for power in powers]
        return [self.panel(*lines, title=self.t("ui.powers-now"), gap=4)] if lines else []

    def _news(self) -> Part | None:
        """What the last answer led to: hands have to do it on the table. As much as is short; a tap shows it all."""
        news = self.desk.news
        if not news:
            return None
        look = self.app.look
        width = Window.width * (SHARES[0] / sum(SHARES) if look.wide else 1.0) - look.px(100)
        room = Window.height / (4 if look.wide else 6) - look.px(20)
        parts: list[Part] = []
        for item in news[:FEW]:
            part = self._told(item)
            room -= part.fit(width) + look.px(4)
            more = len(news) > len(parts) + 1
            if room < (look.font("note") * LINE if more else 0):
                break
            parts.append(part)
        if len(parts) < len(news):
            told = count("ui.more-news" if parts else "ui.news", len(news) - len(parts))
            parts.append(Words(self.desk.words(told), "note", "accent"))
        return Tap(
            part=Column(parts, gap=4).fill(),
            on_tap=lambda: self.app.ask(self._all_news),
            kind="quiet",
            name="news",
        )

    def _all_news(self) -> Asked:
        told = "\n".join(self.desk.words(item.text) for item in self.desk.news)
        return Asked(self.t("ui.now-do"), [(self.t("ui.ok"), lambda: None)], told)

    def _told(self, news: News) -> Part:
        mark = Icon("information", "body", "dim") if news.seat is None else Badge(self.marks[news.seat], 30)
        return Row([mark, Words(self.desk.words(news.text), "note").fill()])

    # The edges

    def _signs(self) -> list[Part | None]:
        """What does not work."""
        return [self._blind(), self._out_of_order()]

    def _out_of_order(self) -> Part | None:
        """The sign that something is wrong with buttons or lamps."""
        if not self.app.complaints():
            return None
        return Tap(
            icon="lightbulb-on",
            kind="bad",
            on_tap=lambda: self.app.ask(self._what_is_out_of_order),
            name="out-of-order",
        )

    def _what_is_out_of_order(self) -> Asked:
        told = "\n".join(self.desk.words(text) for text in self.app.complaints())
        choices = [
            (self.t("ui.menu-settings"), lambda: self.app.go("settings", section="devices")),
            (self.t("ui.cancel"), lambda: None),
        ]
        return Asked(self.t("ui.out-of-order"), choices, told)

    def _blind(self) -> Part | None:
        """The sign that the camera sees nothing."""
        if not self.blind:
            return None
        return Tap(
            icon="camera-off", kind="quiet", on_tap=lambda: self.app.ask(self._why_blind), name="blind"
        )

    def _why_blind(self) -> Asked:
        settings = (self.t("ui.menu-settings"), lambda: self.app.go("settings"))
        trouble = self.app.lookout.trouble()
        told = "" if trouble is None else self.desk.words(trouble)
        return Asked(self.t("ui.no-camera"), [settings, (self.t("ui.cancel"), lambda: None)], told)

    def _actions(self, names: bool) -> list[Tap]:
        """The menu, undo, scan and history, with their names where there is room."""
        deeds = {
            "menu": ("dots-horizontal", lambda: self.app.ask(self._menu)),
            "undo": ("undo", self.app.ask_undo),
            "scan": ("camera", lambda: self.app.go("scan")),
            "history": ("history", lambda: self.app.go("history")),
        }
        if self.has_map:
            deeds["map"] = ("map", lambda: self.app.go("map"))
        return [
            Tap(self.t(f"ui.{name}") if names else "", deed, icon=icon, kind="quiet", name=name, tall=56)
            for name, (icon, deed) in deeds.items()
        ]

    def _bottom(self) -> Part:
        """What can be done, side by side: with its names if there is room for all of them."""
        for names in (True, False):
            row = Row([tap.fill(tap.natural()) for tap in self._actions(names)[1:]])
            if row.natural() <= Window.width - 2 * self.app.look.px(PAD):
                break
        return row

    def _menu(self) -> Asked:
        paused = self.desk.session.paused
        choices: list[tuple[str, Callable[[], Any]]] = [
            (self.t(f"ui.menu-{name}"), partial(self.app.go, name))
            for name in ("score", "correct", "settings")
        ]
        choices.append(
            (self.t("ui.go-on"), self.desk.go_on) if paused else (self.t("ui.pause"), self.desk.pause)
        )
        choices += [(self.t("ui.leave"), self._leave), (self.t("ui.cancel"), lambda: None)]
        return Asked(self.t("ui.menu"), choices, equal=True)

    def _leave(self) -> None:
        self.app.home()
        self.desk.leave()

    def _facing(self, body: Part, view: View) -> Part:
        """Panels along both sides of the table, those opposite turned round."""
        half = (len(view.seats) + 1) // 2
        near = Tiles([self.overview.seat(seat, full=False) for seat in view.seats[:half]], 200)
        far = Tiles([self.overview.seat(seat, full=False) for seat in reversed(view.seats[half:])], 200)
        return self._framed(Page(Rotated(far), body, near), view)
