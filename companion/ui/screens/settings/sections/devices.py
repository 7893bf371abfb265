"""Buttons and lamps: the wiring, a test mode, and what the number displays show."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from msgspec.structs import replace

from companion.core.lamps import PHASE, POINTS
from companion.core.words import Text, count, say
from companion.table.panel_words import usual_table
from companion.table.seat_panel import BLANK, SeatPanel, Trial
from companion.texts import capital
from companion.ui.screens.settings.sections.section import Section, breakable
from companion.ui.toolkit.kit import Icon, Part, Plate, Row, Tap, Tiles, Words

if TYPE_CHECKING:
    from companion.ui.toolkit.context import Context
    from devices.gestures import Gesture
    from devices.panel import Who

ALL_BARS = "8888"


class Devices(Section):
    """The hardware wired to this machine."""

    name = "devices"
    icon = "gesture-tap-button"

    def __init__(self, app: Context) -> None:
        super().__init__(app)
        self.pressed: Text | None = None

    @property
    def key(self) -> str:
        """The key of the scroll position; testing begins at the top."""
        panel = self.app.panel.seats
        return super().key + ("-trying" if panel is not None and panel.trial is not None else "")

    def leave(self) -> None:
        panel = self.app.panel.seats
        self.pressed = None
        if panel is not None and panel.trial is not None:
            panel.try_out(None)

    def parts(self) -> list[Part]:
        parts: list[Part] = [
            self._wired(),
            *(self.result_plate(text, good=False) for text in self.app.panel.complaints()),
        ]
        if self.app.panel.seats is None:
            return parts
        if len(parts) == 1:
            parts.append(self.result_plate(say("ui.devices-fine"), good=True))
        if self.app.panel.seats.trial is not None:  # results of a press must be visible without scrolling
            return [*self._trial(), *parts, *self._counters()]
        return [*parts, *self._trial(), *self._counters()]

    def _wired(self) -> Part:
        """What hardware there is, and which file describes it."""
        seats = 0 if self.app.panel.seats is None else self.app.panel.seats.panel.seats
        if self.app.panel.simulator is not None:
            what, more = count("ui.devices-simulated", seats), "ui.devices-simulated-more"
        elif seats:
            what, more = count("ui.devices-wired", seats), "ui.devices-wired-more"
        else:
            what, more = say("ui.devices-none"), "ui.devices-none-more"
        icon = Icon("gesture-tap-button", "title", "accent" if seats else "dim")
        return self.panel(
            Row([icon, Words(self.desk.words(what), bold=True).fill()]),
            Words(breakable(self.t(more, file=str(usual_table()))), "note", "dim"),
        )

    @property
    def _panel(self) -> SeatPanel:
        """The panel being tested; only called if there is one."""
        assert self.app.panel.seats is not None
        return self.app.panel.seats

    def _trial(self) -> list[Part]:
        """The test mode: presses are only shown."""
        panel = self._panel
        trial = panel.trial
        switch = self.switch(
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
        return [switch, Plate(heard, "raised", edge="accent"), Tiles(taps, 200)]

    def _with_counters(self) -> bool:
        return any(seat.counter is not None for seat in self._panel.panel.table.seats)

    def _next_lamp(self) -> None:
        trial = self._panel.trial or Trial()
        lit = -1 if trial.lit is None else trial.lit
        self._try_out(replace(trial, lit=lit + 1 if lit + 1 < self._panel.panel.seats else None))

    def _try_out(self, trial: Trial | None) -> None:
        """Let lamps and displays show this test; None returns them to the play."""
        panel = self.app.panel.seats
        if panel is None or panel.trial == trial:
            return
        if trial is None or panel.trial is None:
            self.pressed = None
        panel.try_out(trial)
        self.app.refresh()

    def tried(self, who: Who, gesture: Gesture) -> None:
        """Say who pressed what; a seat's lamp answers."""
        name = self._seat_name(who) if isinstance(who, int) else self.t(f"devices.part-{who}")
        how = type(gesture).__name__.lower()
        self.pressed = say(f"ui.devices-{how}", who=capital(name))
        trial = self._panel.trial
        if isinstance(who, int) and trial is not None:
            self._panel.try_out(replace(trial, lit=who))
        self.app.refresh()

    def _seat_name(self, seat: int) -> str:
        name = self.t("devices.part-seat", n=seat + 1)
        seats = () if self.desk.play is None else self.desk.session.setup.seats
        return f"{name} ({seats[seat]})" if seat < len(seats) else name

    def _counters(self) -> list[Part]:
        """What the seats' number displays show."""
        if not self._with_counters():
            return []
        now, named = self.desk.settings.counter, dict[str, str]()
        if self.desk.play is not None:
            session = self.desk.session
            for seat in session.view.seats:
                named |= {number.id: self.desk.words(number.text) for number in seat.numbers}
        elif now not in (POINTS, PHASE):
            named[now] = self.t("ui.counter-other")
        offered = {POINTS: self.t("ui.counter-points"), PHASE: self.t("ui.counter-phase"), **named}
        choices: list[Part] = [
            self.choice(words, id == now, partial(self.desk.change, counter=id), f"counter-{id}")
            for id, words in offered.items()
        ]
        more = [] if self.desk.play is not None else [Words(self.t("ui.counter-more"), "note", "dim")]
        return [Words(self.t("ui.counter"), "body", "accent", bold=True), *choices, *more]
