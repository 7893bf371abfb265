"""Scan: the camera's picture and the meaning of each label; for one card, or for a seat's whole tableau."""

from __future__ import annotations

from collections import Counter as Tally
from collections import deque
from typing import TYPE_CHECKING, Any

from kivy.core.window import Window

from companion.core.session import Session
from companion.core.tableau_comparison import compare
from companion.core.understand import Accept, Choose, Known, Refuse, Sighted, understand
from companion.core.words import Text, count, say
from companion.table.camera_feed import NONE
from companion.texts import capital
from companion.ui.screens.scan.practice import Practice
from companion.ui.screens.scan.sweeping import Sweeping
from companion.ui.toolkit.camera_picture import KNOWN, NEW, REFUSED, SIGNS, CameraPicture, Framed
from companion.ui.toolkit.covers import Cover, drawing
from companion.ui.toolkit.draw import Dot
from companion.ui.toolkit.kit import (
    Column,
    Flow,
    Gap,
    Icon,
    Page,
    Part,
    Plate,
    Row,
    Scroll,
    Split,
    Tap,
    Tiles,
    Words,
    theme,
)
from companion.ui.toolkit.screen import Screen

if TYPE_CHECKING:
    from companion.table.signals import Outcome
    from companion.ui.toolkit.context import Context
    from vision.sightings import Sighting

ONE, SWEEP = "one", "sweep"
LINES = 3
"""How many outcomes stay visible."""

FADES = 0.7
"""Seconds a frame stays round a label that was not read again: a hand may pass over it."""

GONE = 3.0
"""Seconds after which a label that returns counts as new for the tracker."""

OUTCOMES = {"accepted": NEW, "choose": NEW, "known": KNOWN, "refused": REFUSED}
SOUNDS = {NEW: "accepted", KNOWN: "known", REFUSED: "refused"}
LEGEND = {NEW: "good", KNOWN: "dim", REFUSED: "bad"}


class Judged:
    """The current meaning of a label, and why it is refused."""

    def __init__(self, how: str, why: Text | None = None) -> None:
        self.how, self.why = how, why


class Scan(Screen):
    """Single cards answer open questions; a sweep is compared with the play."""

    name = "scan"
    uses_camera = True

    def __init__(self, app: Context, seat: int | None = None) -> None:
        super().__init__(app)
        self.mode = ONE if seat is None else SWEEP
        self.sweep = Sweeping(app, seat or 0, self._judge)
        self.practice = Practice(app)
        self.lines: deque[tuple[Text, str]] = deque(maxlen=LINES)
        self.outcomes: dict[tuple[str, int | None], str] = {}
        self.around: dict[str, tuple[Sighting, float]] = {}
        self._look: Any = None
        self._judged: dict[str, Judged] = {}
        self._judged_for: Any = None
        self._session: Any = None
        self._built: Any = None

    def leave(self) -> None:
        self.practice.leave()

    # News of the camera

    def tick(self) -> None:
        latest = self.app.camera_feed.latest()
        new = latest is not None and latest is not self._look
        if new:
            self._look = latest
            self._see(latest)
        if self._state() != self._built:
            self.app.refresh()
        elif new:
            self._show()

    @property
    def scans(self) -> bool:  # type: ignore[override]
        """Only single cards count as scans: a whole tableau is only compared."""
        return self.mode == ONE

    def tells_of(self, outcome: Outcome) -> bool:
        """Outcomes of cards are shown on this screen, and stay."""
        if not isinstance(outcome.signal, Sighted):
            return False
        how = OUTCOMES[outcome.how]
        self.outcomes[self._piece(outcome.signal)] = how
        if outcome.text is not None:
            self.lines.appendleft((outcome.text, how))
        return True

    def _see(self, latest: Any) -> None:
        at = latest.frame.at
        for sighting in latest.sightings:
            self.around[sighting.text] = (sighting, at)
        self.around = {text: seen for text, seen in self.around.items() if at - seen[1] <= GONE}
        here = {self._piece(sighted) for text in self.around if (sighted := self._signal(text)) is not None}
        self.outcomes = {piece: how for piece, how in self.outcomes.items() if piece in here}
        if self.mode == SWEEP and self.desk.play is not None:
            new = self.sweep.see(latest.sightings, latest.frame.picture)
            for how in sorted({self._judge(text).how for text in new}):
                self.app.voice.sound(SOUNDS[how])

    def _signal(self, text: str) -> Sighted | None:
        from companion.recognition import reading

        if self.desk.play is None:
            return None
        seen = self.around.get(text)
        by_face = seen is not None and seen[0].how == "face"
        return reading.signal(self.desk.session.game, text, by_face=by_face)

    def _piece(self, sighted: Sighted) -> tuple[str, int | None]:
        """Identifies a piece; if every seat has a set of its own, together with the seat."""
        from companion.recognition import reading

        own = sighted.component in reading.book(self.desk.session.game).sets
        return sighted.component, sighted.seat if own else None

    def _show(self) -> None:
        labels = self._labels()
        self.picture.see(self._look.frame.picture, labels)
        words = [self.desk.words(count("ui.labels-seen", len(labels)))]
        tally = Tally(label.how for label in labels)
        words += [str(tally[how]) for how in LEGEND]
        if [part.text for part in self.numbers] != words:
            for part, told in zip(self.numbers, words, strict=True):
                part.text = told
            self.legend.place(*self.legend.pos, *self.legend.size)

    def _labels(self) -> list[Framed]:
        at = self._look.frame.at
        return [
            Framed(text, sighting.corners, self._judge(text).how)
            for text, (sighting, seen) in self.around.items()
            if at - seen <= FADES
        ]

    # The meaning of labels

    def _judge(self, text: str) -> Judged:
        sighted = self._signal(text)
        if sighted is None:
            return Judged(REFUSED, say("ui.scan-foreign"))
        if self.mode == ONE and self._piece(sighted) in self.outcomes:
            return Judged(self.outcomes[self._piece(sighted)])
        session, for_what = self.desk.session, (self.mode, self.sweep.seat)
        if session is not self._session or for_what != self._judged_for:
            self._judged, self._session, self._judged_for = {}, session, for_what
        if text not in self._judged:
            judge = self._for_the_question if self.mode == ONE else self._for_the_seat
            self._judged[text] = judge(session, sighted)
        return self._judged[text]

    def _for_the_question(self, session: Session, sighted: Sighted) -> Judged:
        match understand(session, sighted, self.desk.questions()):
            case Accept() | Choose():
                return Judged(NEW)
            case Known():
                return Judged(KNOWN)
            case Refuse(trouble):
                return Judged(REFUSED, trouble.text)

    def _for_the_seat(self, session: Session, sighted: Sighted) -> Judged:
        view = session.view
        if any(placed.component == sighted.component for placed in view.seats[self.sweep.seat].components):
            return Judged(KNOWN)
        alone = compare(session, self.sweep.seat, [sighted.component])
        found = next((d for d in alone.differences if d.component == sighted.component), None)
        name = self.desk.name_of(sighted.component)
        if found is None:
            return Judged(REFUSED, say("ui.scan-not-here", name=name))
        if found.elsewhere is not None:
            other = session.setup.seats[found.elsewhere]
            return Judged(REFUSED, say("ui.scan-elsewhere", name=name, seat=other))
        return Judged(NEW)

    # The screen

    def _state(self) -> Any:
        """When this changes, the screen is rebuilt."""
        swept = self.sweep.swept
        return (
            self.app.camera_feed.trouble(),
            self._look is None,
            None if swept is None else (len(swept.found), swept.steady),
            tuple(self.lines),
            self.desk.play is None,
        )

    def build(self) -> Part:
        self._built = self._state()
        modes = [] if self.desk.play is None else [self._mode(ONE), self._mode(SWEEP)]
        wide = self.app.theme.wide
        lying = Window.width > Window.height
        whose = [] if self.mode == ONE else [self.sweep.whose()]
        beside = lying and wide  # below the picture there is room
        side = Column(
            [*([] if beside else whose), *(self._one() if self.mode == ONE else self.sweep.parts())], gap=12
        )
        eye = Column([*self._eye(), *(whose if beside else [])], gap=10)
        place = f"side-{self.mode}-{self.sweep.comparing}"
        body: Part
        if lying:
            body = Split([Scroll(eye, key="eye"), Scroll(side, key=place)], (1.6, 1) if wide else (1, 1.25))
        elif self._trouble() is not None:
            body = Scroll(Column([eye, side], gap=16), key=place)
        else:
            body = Page(eye, Scroll(side, key=place), gap=16)
        if wide or not modes:
            return self.page(self.t("ui.scan"), body, actions=modes)
        back = Tap(icon="arrow-left", kind="quiet", on_tap=self.app.back, name="back")
        return Page(Row([back, Tiles(modes, 120).fill()]), body)

    def _mode(self, mode: str) -> Part:
        return Tap(
            self.t(f"ui.scan-{mode}"),
            lambda: self._turn_to(mode),
            chosen=self.mode == mode,
            kind="quiet",
            name=f"mode-{mode}",
        )

    def _turn_to(self, mode: str) -> None:
        self.mode = mode
        self.sweep.begin()
        self.app.refresh()

    def _eye(self) -> list[Part | None]:
        self.picture = CameraPicture(self._touched)
        labels = Words(self.desk.words(count("ui.labels-seen", 0)), "body", bold=True)
        self.numbers = [labels, *(Words("0", "body", tone) for tone in LEGEND.values())]
        signs = [Row([_sign(how), self.numbers[n]], gap=6) for n, how in enumerate(LEGEND, 1)]
        self.legend = Flow([labels, *signs], gap=16, lines=2)
        if self._look is not None:
            high, wide = self._look.frame.picture.shape[:2]
            self.picture.aspect = wide / high
            self._show()
        trouble = self._trouble()
        if self._look is None:
            return [trouble] if trouble is not None else [self.picture, self._starting()]
        return [trouble, self.picture, self.legend]

    def _touched(self, text: str) -> None:
        sighted = self._signal(text)
        if sighted is not None:
            self.desk.propose(sighted)

    def _starting(self) -> Part:
        return Words(self.t("ui.camera-starting"), "body", "dim")

    def _trouble(self) -> Part | None:
        """What is wrong with the camera, and what to do about it."""
        why = self.app.camera_feed.trouble()
        off = self.app.camera_feed.source == NONE and self._look is None
        if not why and not off:
            return None
        words = [
            Row(
                [
                    Icon("camera-off", "title", "accent" if off else "bad"),
                    Words(self.t("ui.camera-off" if off else "ui.camera-trouble"), "body", bold=True).fill(),
                ]
            ),
            Words(self.desk.words(why), "note", "dim") if why else None,
            Words(self.t("ui.camera-choose" if off else "ui.camera-check"), "note", "dim"),
            Tap(
                self.t("ui.choose-camera"),
                lambda: self.app.go("settings", section="camera"),
                icon="camera",
                kind="main",
                name="settings",
            ),
        ]
        empty = (
            Cover(drawing("how-tell"), 300)
            if self._look is None and Window.height > theme().px(420)
            else None
        )
        return Plate(Column([*words, empty]))

    # One card

    def _one(self) -> list[Part | None]:
        if self.desk.play is None:
            return [Words(self.t("ui.scan-no-play"), "body", "dim")]
        asked = [q for q in self.desk.questions() if not q.secret]
        told = self.desk.words(asked[0].text) if len(asked) == 1 else self.t("ui.scan-show")
        lines = [self._line(text, how, bold=n == 0) for n, (text, how) in enumerate(self.lines)]
        practice = self.practice.parts()
        hint = (
            Words(self.t("ui.scan-how"), "note", "dim") if self._look is not None and not practice else None
        )
        return [
            Words(told, "prompt", bold=True),
            Plate(Column(lines, gap=12)) if lines else hint,
            *practice,
            Tiles(self._by_hand(), 200),
        ]

    def _line(self, text: Text, how: str, bold: bool = False) -> Part:
        tone = LEGEND[how] if how == REFUSED else "text"
        return Row([_sign(how), Words(capital(self.desk.words(text)), "body", tone, bold=bold).fill()])

    def _by_hand(self) -> list[Part]:
        return [
            Tap(self.t("ui.by-touch"), self._by_touch, icon="gesture-tap-button", name="by-touch"),
            Tap(self.t("ui.menu-correct"), lambda: self.app.go("correct"), icon="pencil", name="correct"),
        ]

    def _by_touch(self) -> None:
        questions = self.desk.questions()
        if len(questions) == 1:
            self.app.go("choose", seat=questions[0].seat)
        else:
            self.app.home("table")


def _sign(how: str) -> Part:
    if how != KNOWN:
        return Icon(SIGNS[how], "body", LEGEND[how])
    text = theme().text
    return Row([Gap(7 * text), Dot(LEGEND[how], 12 * text), Gap(7 * text)], gap=0)  # as wide as the others
