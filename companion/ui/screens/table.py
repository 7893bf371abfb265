"""The table: whose turn it is, what we wait for, what lies where. It stays on all evening."""

from __future__ import annotations

from kivy.core.window import Window

from companion.core.questions import Answer, Option, Question
from companion.core.views import Gauge, Meter, PhaseView, SeatView, Tense, View
from companion.core.words import News, count
from companion.ui.desk import option_words
from companion.ui.draw import Badge, Bar, Turned
from companion.ui.kit import Column, Flow, Icon, Page, Panel, Part, Row, Scroll, Split, Tap, Tiles, Words
from companion.ui.screen import Asked, Screen

MANY = 12
"""With more options than this people look for theirs on a screen of its own."""

TENSES = {Tense.PAST: "check", Tense.NOW: "play", Tense.SKIPPED: "minus"}


class Table(Screen):
    """What everybody may see; secret choices are made behind the hand, on a screen of their own."""

    name = "table"
    scans = True

    def __init__(self, app) -> None:  # type: ignore[no-untyped-def]
        super().__init__(app)
        self.focus: int | None = None

    def build(self) -> Part:
        view = self.desk.session.game.view(self.desk.session.state)
        self.marks = self.desk.marks()
        room = Window.width - self.app.look.px(110)
        top = Row([self._more(), self._ribbon(view, room).fill()])
        if self.app.look.wide:
            left = Scroll(Column([*self._alerts(view), *self._now(), *self._news()]), key="now")
            right = Scroll(Column([*self._seats(view), *self._gauges(view)]), key="seats")
            body: Part = Split([left, right], (1.55, 1))
        else:
            parts = [
                *self._alerts(view),
                *self._now(),
                *self._news(),
                *self._seats(view),
                *self._gauges(view),
            ]
            body = Scroll(Column(parts), key="now")
        page = Page(top, body, self._bottom(view))
        return self._facing(page, view) if self.desk.settings.facing else page

    # What everybody sees

    def _ribbon(self, view: View, width: float) -> Part:
        """The phases in one line; where their names do not fit, only that of the one that happens now."""
        whole = Row([self._phase(n, phase, name=True) for n, phase in enumerate(view.phases, 1)], gap=12)
        if whole.natural() <= width:
            return whole
        return Flow(
            [self._phase(n, phase, name=phase.tense is Tense.NOW) for n, phase in enumerate(view.phases, 1)],
            gap=16,
        )

    def _phase(self, number: int, phase: PhaseView, name: bool) -> Part:
        now = phase.tense is Tense.NOW
        tone = "accent" if now else "text" if phase.tense is Tense.COMING else "dim"
        icon = Icon(TENSES[phase.tense], "note", tone) if phase.tense in TENSES else None
        words = self.desk.words(phase.text) if name else str(number)
        return Row([icon, Words(words, "note", tone, bold=now)], gap=2)

    def _alerts(self, view: View) -> list[Part]:
        return [
            Panel(
                Row(
                    [
                        Icon("flag-checkered", "title", "accent"),
                        Words(self.desk.words(alert), bold=True).fill(),
                    ]
                ),
                edge="accent",
            )
            for alert in view.alerts
        ]

    def _seats(self, view: View) -> list[Part]:
        if self.desk.settings.facing:
            return []
        return [self._seat(seat) for seat in view.seats]

    def _seat(self, seat: SeatView) -> Part:
        state = "hand-pointing-right" if seat.waiting else "check-circle" if seat.ready else ""
        head = Row(
            [
                Badge(self.marks[seat.seat]),
                Words(seat.name, "body", bold=True).fill(),
                Icon(state, "prompt", "accent" if seat.waiting else "good") if state else None,
                *self._points(seat),
            ],
            gap=6,
        )
        numbers = [f"{self.desk.words(n.text)}\N{NO-BREAK SPACE}{n.value}" for n in seat.numbers]
        if self.desk.settings.clocks:
            numbers.append(self._clock(seat.seat))
        column = Column(
            [head, Flow([Words(words, "note", "dim") for words in numbers], gap=14, lines=2)], gap=4
        )
        return Tap(
            part=column.fill(),
            on_tap=lambda: self.app.go("seat", seat=seat.seat),
            kind="quiet",
            name=f"seat-{seat.seat}",
        )

    def _points(self, seat: SeatView) -> list[Part]:
        if seat.points is None or not self.desk.settings.scores:
            return []
        return [Icon("star", "body", "accent"), Words(str(seat.points), "body", "accent", bold=True)]

    def _clock(self, seat: int) -> str:
        minutes, seconds = divmod(int(self.desk.session.thinking(self.desk.clock())[seat]), 60)
        return self.t("ui.thinking", time=f"{minutes}:{seconds:02d}").replace(" ", "\N{NO-BREAK SPACE}")

    def _gauges(self, view: View) -> list[Part]:
        pools = {pool.id for pool in view.pools}
        parts = [self._bar(gauge, gauge.full) for gauge in view.pools]
        parts += [self._bar(meter, meter.goal) for meter in view.meters if meter.id not in pools]
        return [Panel(Column(parts, gap=12))] if parts else []

    def _bar(self, of: Gauge | Meter, full: int) -> Part:
        low = (isinstance(of, Gauge) and of.value * 4 <= full) or (
            isinstance(of, Meter) and of.value * 4 >= full * 3
        )
        value = Words(self.t("ui.of", n=of.value, full=full), "body", bold=True)
        head = Row([Words(self.desk.words(of.text), "note", "dim").fill(), value])
        return Column([head, Bar(of.value, full, "bad" if low else "accent")], gap=6)

    # What we wait for

    def _now(self) -> list[Part]:
        session = self.desk.session
        if session.over:
            show = Tap(
                self.t("ui.show-score"),
                lambda: self.app.go("score"),
                icon="trophy",
                kind="main",
                name="score",
            )
            return [Panel(Column([Words(self.t("ui.play-is-over"), "prompt", bold=True), show]))]
        if session.paused:
            on = Tap(self.t("ui.go-on"), self.desk.go_on, icon="play", kind="main", name="go-on")
            return [Panel(Column([Words(self.t("ui.paused-now"), "prompt", bold=True), on]))]
        questions = session.questions()
        if all(q.secret for q in questions) and len(session.setup.seats) > 1:
            return [self._secret(questions)]
        open_ = [q for q in questions if not q.secret]
        shown = next((q for q in open_ if q.seat == self.focus), open_[0])
        parts: list[Part] = [self._whose(questions, shown)] if len(questions) > 1 else []
        return [*parts, self._question(shown), *self._powers(shown.seat)]

    def _whose(self, questions: tuple[Question, ...], shown: Question) -> Part:
        return Flow([self._who(q, chosen=q is shown) for q in questions])

    def _who(self, question: Question, chosen: bool) -> Part:
        seat = question.seat
        words = self.t("ui.everybody") if seat is None else self.desk.session.setup.seats[seat]
        return Tap(
            words,
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
        return Panel(
            Column(
                [
                    Row(
                        [
                            Icon("eye-off", "title", "accent"),
                            Words(self.t("ui.in-secret"), "prompt", bold=True).fill(),
                        ]
                    ),
                    Words(self.t("ui.in-secret-how"), "body", "dim"),
                    Tiles([self._who(q, chosen=False) for q in questions], 200),
                ]
            )
        )

    def _question(self, question: Question) -> Part:
        mark = None if question.seat is None else Badge(self.marks[question.seat], 46)
        head = Row([mark, Words(self.desk.words(question.text), "prompt", bold=True).fill()])
        many = len(question.options) > MANY
        shown = question.options[: 1 if question.has_default else 0] if many else question.options
        taps: list[Part] = [
            self._option(question, option, n == 0 and question.has_default) for n, option in enumerate(shown)
        ]
        if many:
            words = self.desk.words(count("ui.choose-from", len(question.options)))
            taps.append(
                Tap(words, lambda: self.app.go("choose", seat=question.seat), icon="magnify", name="choose")
            )
        return Panel(Column([head, Tiles(taps, 210)], gap=14))

    def _option(self, question: Question, option: Option, default: bool) -> Part:
        words, detail = option_words(self.desk, option)
        answer = Answer(question.seat, question.slug, option.id)
        return Tap(
            words,
            lambda: self.desk.answer(answer),
            detail=detail,
            kind="main" if default else "plain",
            align="left" if detail else "",
            name=f"option-{option.id}",
        )

    def _powers(self, seat: int | None) -> list[Part]:
        if seat is None:
            return []
        view = self.desk.session.game.view(self.desk.session.state)
        powers = view.seats[seat].powers
        lines = [Words("• " + self.desk.words(power), "note", "dim") for power in powers]
        return [self.panel(*lines, title=self.t("ui.powers-now"), gap=4)] if lines else []

    def _news(self) -> list[Part]:
        if not self.desk.news:
            return []
        return [self.panel(*(self._told(news) for news in self.desk.news), title=self.t("ui.now-do"), gap=6)]

    def _told(self, news: News) -> Part:
        mark = Icon("circle-small", "body", "dim") if news.seat is None else Badge(self.marks[news.seat], 30)
        return Row([mark, Words(self.desk.words(news.text)).fill()])

    # The edges

    def _more(self) -> Part:
        return Tap(icon="dots-horizontal", kind="quiet", on_tap=self._menu, name="menu")

    def _bottom(self, view: View) -> Part:
        undo = Tap(self.t("ui.undo"), self._undo, icon="undo", kind="quiet", name="undo")
        scan = Tap(self.t("ui.scan"), lambda: self.app.go("scan"), icon="camera", kind="quiet", name="scan")
        history = Tap(
            self.t("ui.history"), lambda: self.app.go("history"), icon="history", kind="quiet", name="history"
        )
        now = Words(self.t("ui.round", n=view.round), "note", "dim") if view.round else None
        return Flow([undo, scan, history, now])

    def _undo(self) -> None:
        story = self.desk.session.story()
        if not story:
            self.app.tell(count("core.nothing-to-undo", 0), "refused")
            return
        back = (self.t("ui.take-back"), lambda: self.desk.undo(1))
        self.app.ask(
            Asked(
                self.t("ui.undo-this"),
                [back, (self.t("ui.cancel"), lambda: None)],
                self.desk.words(story[-1]),
            )
        )

    def _menu(self) -> None:
        paused = self.desk.session.paused
        choices = [
            (self.t(f"ui.menu-{name}"), lambda name=name: self.app.go(name))
            for name in ("score", "correct", "settings")
        ]
        choices.append(
            (self.t("ui.go-on"), self.desk.go_on) if paused else (self.t("ui.pause"), self.desk.pause)
        )
        choices += [(self.t("ui.leave"), self._leave), (self.t("ui.cancel"), lambda: None)]
        self.app.ask(Asked(self.t("ui.menu"), choices))

    def _leave(self) -> None:
        self.app.home()
        self.desk.leave()

    def _facing(self, page: Part, view: View) -> Part:
        """Panels along both sides of the table, those opposite turned round."""
        half = (len(view.seats) + 1) // 2
        near = Tiles([self._seat(seat) for seat in view.seats[:half]], 200)
        far = Tiles([self._seat(seat) for seat in reversed(view.seats[half:])], 200)
        return Page(Turned(far), page, near)
