"""The table: whose turn it is, what is asked, what to move, and the scores. It is shown all evening."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from kivy.core.window import Window

from companion.core.questions import Option, Question
from companion.core.suggestions import Suggested, as_suggested
from companion.core.views import View
from companion.table.camera_feed import NONE
from companion.table.signals import Confirmed
from companion.ui.screens.table import tasks_line, top
from companion.ui.screens.table.band import Band
from companion.ui.screens.table.clocks import Clocks
from companion.ui.screens.table.dice import Tray
from companion.ui.screens.table.fact import FactPad
from companion.ui.screens.table.menu import SIDE, Menu
from companion.ui.screens.table.numbers_page import ToldNumbers
from companion.ui.screens.table.options import (
    HIGHEST,
    IN_SIGHT,
    OptionFace,
    answering,
    face_of,
    option_tile,
    tiles,
)
from companion.ui.screens.table.pages import TaskPage, page_for
from companion.ui.screens.table.place_page import Atlas
from companion.ui.screens.table.rail import button
from companion.ui.screens.table.reveal_grid import SMALL, small_tile
from companion.ui.screens.table.seats import Seats
from companion.ui.screens.table.several import Drafts, Several
from companion.ui.screens.table.tasks_line import TasksLine
from companion.ui.screens.table.top import Top
from companion.ui.screens.table.turn_page import Counting
from companion.ui.toolkit.draw import Badge
from companion.ui.toolkit.kit import Gap, Icon, Part, Plate, Row, Tap, Words
from companion.ui.toolkit.screen import Screen
from companion.ui.toolkit.snug import Snug
from companion.ui.toolkit.theme import INK, SMALLEST_WORDS, TARGET
from companion.ui.toolkit.tiles import Cells, Leaves, Stack, Tile, grown
from companion.ui.toolkit.touches import asked_of

MARGIN, GAP = 6, 6
ALERT = 30
BAND = 58
POOLS = 44
WORDY = (150, 62)
"""The smallest size of a tile with text only, if there are many."""

GROWS = 1.1
"""How much the band and the bar at the top grow at the largest text size."""


class TableScreen(Screen):
    """What everybody may see."""

    name = "table"
    scans = True
    margin = MARGIN
    tells = True

    def __init__(self, app) -> None:  # type: ignore[no-untyped-def]
        super().__init__(app)
        self.focus: int | None = None
        self.tray = Tray()
        self.atlas = Atlas()
        self.fact_pad = FactPad(self)
        self.hands = TasksLine(app)
        self.drafts = Drafts()
        self.counting = Counting()
        self.numbers = ToldNumbers()
        self.leaf = [0]
        self.board: tuple[str, tuple[int, int]] = ("", (0, 0))
        """The question whose options are on a board, and the last row and column of that board."""
        self._laid: tuple[object, tuple[str, ...]] = ("", ())
        """The question whose cards are shown, and the order they were in."""
        self._leaves: Leaves | None = None
        """The paged grid of the cards, if there are many."""
        self._suggested: tuple[object, Suggested] = (None, ())
        self.blind = self.told_at_seat = self.pools_below = False
        self.prompt: tuple[str, Tap | None] | None = None
        """The instruction if there is no band, and the button to search for a card."""

    def build(self) -> Part:
        self.blind = self.app.camera_feed.trouble() is not None
        self.seat_before_it, self.told_at_seat, self.prompt, self.pools_below = None, False, None, False
        self.clocks = Clocks(self.app)
        self.view = view = self.desk.session.view
        if self.hands.open and self.hands.todo():
            return self.hands.page()
        self.hands.open = False
        asked, together = self.shown_question(), self._together()
        page = None if asked is None else page_for(asked)
        in_rows = asked is None and together and not (together[0].secret and self.desk.settings.in_secret)
        seats = not in_rows and (page is None or page.seats)
        for low in (False, True):
            head, body = self._now(asked, together, page, view, low)
            parts: list[tuple[Part | None, float | None]] = [
                *self._top(view, undo=self.app.guide is None),
                *((part, self._high(ALERT)) for part in self._alerts(view)),
                (head, None if head is None else self._band_high(head)),
                (body, None),
            ]
            if page is not None and page.whole:
                break
            foot = self._foot(view, seats)
            # answers must be easy to hit: points may shrink, then the question
            if seats and self._left_beside(body, TARGET, [*parts, *foot]) < 0:
                foot = self._foot(view, seats, low=True)
            if low or self._left_beside(body, TARGET, [*parts, *foot]) >= 0:
                parts += [*self._more_hands(body, [*parts, *foot]), *foot]
                break
        return Stack(parts, gap=GAP)

    def _left_beside(
        self, body: Part, tall: float, parts: Sequence[tuple[Part | None, float | None]]
    ) -> float:
        """The height left below tiles of this height; 0 if there are no tiles."""
        if not isinstance(body, Cells):
            return 0.0
        gap = self.app.theme.px(GAP)
        taken = sum(high + gap for part, high in parts if part is not None and high is not None)
        tiles = body.rows * (self.app.theme.px(tall) + gap)
        return self.app.room - 2 * self.app.theme.px(MARGIN) - taken - tiles + gap

    def _more_hands(
        self, body: Part, parts: list[tuple[Part | None, float | None]]
    ) -> list[tuple[Part | None, float | None]]:
        """More lines of the tasks list, if the tiles leave room."""
        gap, line = self.app.theme.px(GAP), self._line_high()
        if self.app.guide is not None:
            return []
        spare = self._left_beside(body, HIGHEST, parts) - gap
        return [(part, line) for part in self.hands.others(int(max(0.0, spare) / (line + gap)))]

    # The frame

    def _upright(self) -> bool:
        return Window.height > Window.width

    def _width(self) -> float:
        return Window.width - 2 * self.app.theme.px(MARGIN)

    def _high(self, size: float) -> float:
        return self.app.theme.px(size * min(GROWS, max(1.0, self.app.theme.text)))

    def _band_high(self, head: Part) -> float:
        return max(self._high(BAND), head.fit(self._width()))

    def _line_high(self) -> float:
        """The height of a line of tasks; a narrow one has more lines of words."""
        return self._high(tasks_line.HIGH + (24 if self._upright() else 0))

    def _top(self, view: View, undo: bool) -> list[tuple[Part | None, float | None]]:
        bar = Top(self.app, view)
        has_map = any(map.places for map in view.maps)  # an empty table is not worth a map
        behind = Menu(self.app).at_the_top(has_map, self.blind, undo)
        if not self._upright():
            return [(bar.row(self._width(), not self.pools_below, behind), self._high(top.HIGH))]
        line = Plate(bar.pool_line(self._width() - 2 * self.app.theme.px(6)), pad=6, radius=10)
        return [
            (bar.row(self._width(), False, behind), self._high(top.HIGH)),
            (line if bar.pools() and not self.pools_below else None, self._high(POOLS)),
        ]

    def _alerts(self, view: View) -> list[Part]:
        """Warnings for everybody, across the table."""
        return [
            Plate(
                Row(
                    [
                        Icon("flag-checkered", "tile", "on_main"),
                        Snug(self.desk.words(alert), 20, SMALLEST_WORDS, "on_main", bold=True).fill(),
                    ]
                ),
                "main",
                pad=3,
                radius=8,
            )
            for alert in view.alerts
        ]

    def _foot(self, view: View, seats: bool, low: bool = False) -> list[tuple[Part | None, float | None]]:
        """The tasks line with the buttons that are always available, and the seats, as `low` as possible."""
        told, to = self.app.message, self.app.front.message_seat
        panel = None if told is None or to is None or not seats else (to, *told)
        self.told_at_seat = panel is not None
        prompt, find = self.prompt or ("", None)
        line = self.hands.line(prompt)
        panels = Seats(self.app)
        menu = Menu(self.app)
        parts: list[tuple[Part | None, float | None]] = []
        if self.app.guide is None:  # a demonstration uses this place for its own text
            beside = line if self._upright() else Row([line.fill(), find, menu.scan()], gap=GAP)
            parts.append((beside, self._line_high()))
        if seats:
            parts.append((panels.tiles(view, panel), panels.height(len(view.seats), low)))
        if self._upright() and self.app.guide is None:
            parts.append((self._bottom(menu), self.app.theme.px(SIDE)))
        return parts

    def _bottom(self, menu: Menu) -> Part:
        """The buttons side by side, with names if all of them fit."""
        for names in (True, False):
            taps = [menu.scan(names), menu.history(names)]
            row = Row([tap.fill(tap.natural()) for tap in taps], gap=GAP)
            if row.natural() <= self._width():
                break
        return row

    def tick(self) -> None:
        """Update the clocks, and show at once whether the camera works; the reason is said only once."""
        trouble = self.app.camera_feed.trouble()
        if (trouble is not None) != self.blind:
            self.app.refresh()
            if trouble is not None and self.blind:
                self.app.tell(trouble)
        self.clocks.tick()

    # Open questions

    def shown_question(self) -> Question | None:
        """The one question that can be answered here; none while several or secret ones are open."""
        if self.desk.session.over or self.desk.session.paused:
            return None
        questions = self.desk.offered()
        alone = [q for q in questions if q.seat is None or page_for(q) is not None]
        alone = alone or [q for q in questions if q.seat == self.focus]
        if alone and not (alone[0].secret and len(self.desk.session.setup.seats) > 1):
            return alone[0]
        self.focus = None
        open_ = [q for q in questions if not q.secret] or list(questions)
        return open_[0] if len(open_) == 1 and not self._together() else None

    def _together(self) -> tuple[Question, ...]:
        """The questions that several seats answer on one page: revealed ones, or those open to each seat."""
        questions = self.desk.offered()
        alone = any(q.seat is None or page_for(q) is not None for q in questions)
        if self.desk.session.over or self.desk.session.paused or alone:
            return ()
        if all(q.secret for q in questions):
            return questions if len(self.desk.session.setup.seats) > 1 else ()
        public = tuple(q for q in questions if not q.secret)
        return public if len(public) > 1 else ()

    def choose(self, question: Question, option: Option) -> None:
        """Do what a tap on this option does."""
        answering(self, question, option)()

    def suggested(self) -> Suggested:
        """The chain of suggested answers for all open, non-secret questions; computed once per state."""
        session = self.desk.session
        if self._suggested[0] != (session.setup, session.entries):
            asked = [q for q in self.desk.questions() if not q.secret and q.default is not None]
            found = as_suggested(session.game, session.state, asked)
            self._suggested = ((session.setup, session.entries), found)
        return self._suggested[1]

    def turn_to(self, seat: int | None) -> None:
        """Show one seat's question alone, or everybody's again (None)."""
        self.focus = seat
        self.app.refresh()

    def _now(
        self,
        asked: Question | None,
        together: tuple[Question, ...],
        page: TaskPage | None,
        view: View,
        low: bool,
    ) -> tuple[Part | None, Part]:
        """The band, if any, as `low` as possible if answers need the room, and the page below it."""
        session = self.desk.session
        if session.over:
            return Band(self.app).message_plate(self.t("ui.play-is-over"), []), self._alone(
                "ui.show-score", "trophy", lambda: self.app.go("score"), "score"
            )
        if session.paused:
            return Band(self.app).message_plate(self.t("ui.paused-now"), []), self._alone(
                "ui.go-on", "play", self.desk.unpause, "go-on"
            )
        if asked is None and together and together[0].secret and self.desk.settings.in_secret:
            sees = self.app.camera_feed.source != NONE and not self.blind
            how = self.t("ui.in-secret-how" if sees else "ui.in-secret-touch")
            return Band(self.app).message_plate(how, []), self._secret(together)
        if asked is None:
            return Several(self, together, view).page(low)
        if page is not None and not page.band:
            return None, page.build(self, asked)
        low |= page is not None and page.whole and self.app.theme.text > 1  # a board needs the height
        band = Band(self.app).asking(asked, self.clocks, self._behind(asked, view), low=low)
        return band, self._options(asked) if page is None else page.build(self, asked)

    def _alone(self, words: str, icon: str, deed, name: str) -> Part:  # type: ignore[no-untyped-def]
        return Tap(self.t(words), deed, icon=icon, kind="main", size="prompt", align="center", name=name)

    def _behind(self, question: Question, view: View) -> list[Part]:
        """The end of the band: how much was told, a button for notes, and one back to everybody who is asked."""
        found: list[Part] = []
        page, tally = page_for(question), question.tally
        if page is None and tally is not None and tally.total > 2:  # a board counts itself
            said = self.t("ui.of-short", n=tally.done, full=tally.total)
            found.append(Words(said, "prompt", "dim" if question.seat is None else INK, bold=True))
        ask = partial(self.app.front.help, question)
        found.append(Tap(icon="help-circle", on_tap=ask, name="help", size="name"))
        if question.seat is None and page is not None and (not page.seats or page.whole):
            found.append(
                Tap(icon="account", on_tap=partial(self.app.front.peek, 0), name="look-at-seats", size="name")
            )
        if self._together():
            back = partial(self.turn_to, None)
            found.append(Tap(icon="list-status", on_tap=back, name="ask-all", size="name"))
        return found

    def _secret(self, questions: tuple[Question, ...]) -> Part:
        """Secret questions without their options: each seat takes the screen in turn, or holds a card to the
        camera."""
        return tiles([self._who(question.seat) for question in questions])

    def _who(self, seat: int | None) -> Part:
        assert seat is not None
        words = self.desk.session.setup.seats[seat]
        lead = Badge(self.desk.marks()[seat], 44 / max(1.0, self.app.theme.text))
        return Tap(
            words, lambda: self.app.go("choose", seat=seat), lead=lead, size="prompt", name=f"ask-{seat}"
        )

    def _options(self, question: Question) -> Part:
        """Up to eight tiles; more become a paged grid of small ones. Long groups are behind their heading,
        unless every option is a card: then all are in the paged grid."""
        whole = self._as_suggested(question)
        alone = whole is None
        """Whether the default is the filled button; with `whole` on the page, that is."""
        if whole is not None and len(question.options) < IN_SIGHT:
            others = [option_tile(self, question, n, default=False) for n in range(len(question.options))]
            return tiles([whole, *others])
        groups: dict[str, list[int]] = {}
        cards = all((option.component or option.new) is not None for option in question.options)
        for n, option in enumerate(question.options):
            heading = "" if option.group is None or cards else self.desk.words(option.group)
            groups.setdefault(heading, []).append(n)
        laid = self._places(question, cards)
        if len(laid) <= IN_SIGHT:
            return tiles([Gap(0) if n is None else option_tile(self, question, n) for n in laid])
        main = groups.pop("", [])
        more = [self._more(question, group, len(numbers)) for group, numbers in groups.items()]
        more += [] if whole is None else [whole]
        if not cards and len(main) + len(more) <= IN_SIGHT:
            return tiles([*(option_tile(self, question, n, default=alone) for n in main), *more])
        return self._leafed(question, laid if cards else main, more, alone)

    def _places(self, question: Question, cards: bool) -> list[int | None]:
        """Which option goes where. If the same question is asked again for fewer cards, the remaining ones
        keep their places."""
        at = {option.id: n for n, option in enumerate(question.options)}
        asked, before = (question.slug, self.app.theme.text, self.app.theme.language), self._laid[1]
        fewer = cards and asked == self._laid[0] and at.keys() <= set(before)
        laid = (asked, tuple(at))
        leafed = self._leaves is not None and self._leaves.leafed
        gathered = leafed and len(at) <= IN_SIGHT < len(before)
        if (not fewer or gathered) and laid != self._laid:
            self._laid, self.leaf[0] = laid, 0
        return [at.get(id) for id in self._laid[1]]

    def _as_suggested(self, question: Question) -> Part | None:
        """One tile for the suggested answer together with those that follow from it, if there are any."""
        chain = [(answer, option) for answer, option in self.suggested() if answer.seat == question.seat]
        if len(chain) < 2 or question.default is None:
            return None
        words = ", ".join(self.desk.words(option.text) for _, option in chain)
        signs = tuple(sign for _, option in chain for sign in option.signs)
        face = OptionFace(
            self.desk.session.game, words, "", Option("", question.text, signs=signs), None, INK, ""
        )
        deed = partial(self.desk.propose, Confirmed(tuple(answer for answer, _ in chain)))
        about = asked_of(self.desk.session, question)
        return Tile(face, deed, "as-suggested", ground="main", about=about)

    def _leafed(
        self, question: Question, main: Sequence[int | None], more: list[Part], default: bool
    ) -> Part:
        """Small tiles; options that are no components come first on every page."""
        plain = [n for n in main if n is not None and face_of(self, question.options[n]) is None]
        if len(plain) > IN_SIGHT // 2:
            plain = plain[:1] if question.has_default else []
        others = [n for n in main if n not in plain]
        small = all(n is None or face_of(self, question.options[n]) is not None for n in others)

        def tile(n: int | None) -> Part:
            if n is None:
                return Gap(0)
            if small:
                return self._small(question, n, default)
            return option_tile(self, question, n, default=default)

        find = Tap(icon="magnify", on_tap=lambda: self.app.go("choose", seat=question.seat), name="choose")
        self._leaves = Leaves(
            lambda n: tile(others[n]),
            len(others),
            self.leaf,
            self.app.refresh,
            grown(SMALL if small else WORDY),
            [*(self._small(question, n, default) for n in plain), *more, find],
        )
        return self._leaves

    def _small(self, question: Question, n: int, default: bool) -> Part:
        option = question.options[n]
        default = default and n == 0 and question.has_default
        return small_tile(self, question, option, answering(self, question, option), default, False)

    def _more(self, question: Question, group: str, n: int) -> Part:
        words = f"{group} ({n})"
        go = partial(self.app.go, "choose", seat=question.seat, kind=group)
        return button(words, go, f"choose-{group}" if group else "choose", "magnify")
