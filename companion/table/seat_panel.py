"""Buttons, lamps and counters of a play: gestures become deeds, and the state becomes light.

It has a thread of its own, so that neither a screen nor a camera ever delays a lamp. A short press of a
seat's button is proposed directly to the clerk; everything that needs a screen goes to `act`. Between the
threads: changes come in through a queue, as frozen values, in the order in which they happened.
"""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable, Mapping

from msgspec import Struct

from companion.core.lamps import Lamp, lamps, numbers, reveals
from companion.core.scans import Offer
from companion.core.session import Session
from companion.core.understand import Press, Questions, Sighted
from companion.table.desk import AtOnce, Desk, NoPlay, TasksTicked
from companion.table.marks import light, marks_of
from companion.table.settings import Settings
from companion.table.signals import Outcome, PlayNow, SeenState
from devices.gestures import Gesture, Pressed
from devices.lights import WHITE, Breathe, Flash, Off, On, Pattern, Pulse, Show
from devices.panel import Panel, Who
from devices.segment_displays import WIDTH, number
from devices.words import Problem

REVEAL = 3.0
"""Seconds all lamps are lit after everybody has chosen."""

BLANK = " " * WIDTH

Act = Callable[[Who, Gesture], None]


class Trial(Struct, frozen=True):
    """Somebody tests the parts: this lamp is lit, every counter shows this text, and presses have no effect."""

    lit: int | None = None
    text: str = BLANK


class Buzz(Struct, frozen=True):
    """A sound for the buzzer."""

    kind: str


class SeatsClaimed(Struct, frozen=True):
    """These seats are to be confirmed, each by a press there: as a phone's, or as the result for a hall."""

    seats: frozenset[int]
    of: str


PanelEvent = AtOnce | Trial | Buzz | SeatsClaimed | None


class SeatPanel:
    """A panel at a desk. `act` gets, in the screen's thread, every gesture except a short press at a seat."""

    def __init__(
        self, desk: Desk, panel: Panel, act: Act, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._desk, self.panel, self._act, self.clock = desk, panel, act, clock
        self._session: Session | None = None
        self._offer = Offer()
        self._asked: Questions = ()
        self._settings = desk.settings
        self._lit_at = 0.0
        """When the lamps were last set."""
        self._shown: tuple[Lamp, ...] = ()
        self._reveal_until = 0.0
        self._late: dict[int, float] = {}
        """When the soft limit of each seat the table waits for passes."""
        self._flashes: dict[int, int] = {}
        self._claimed: dict[str, frozenset[int]] = {}
        self._inbox: queue.SimpleQueue[PanelEvent] = queue.SimpleQueue()
        self._woken, self._stopped = threading.Event(), threading.Event()
        self._thread = threading.Thread(target=self._run, name="panel", daemon=True)
        self.confirms: Callable[[int], bool] = lambda seat: False
        """Whether a press of this seat's button confirms a phone or a result; then it is no answer."""
        self.trial: Trial | None = None
        self.problems: tuple[Problem, ...] = panel.health()
        desk.listen_at_once(self._put)

    def start(self) -> None:
        """Start the panel's thread."""
        self._thread.start()

    def stop(self) -> None:
        """Switch everything off and release the panel."""
        self._stopped.set()
        self._woken.set()
        if self._thread.is_alive():
            self._thread.join()
        self.panel.close()

    def wake(self) -> None:
        """Something happened; any thread may call this."""
        self._woken.set()

    def buzz(self, kind: str) -> None:
        """Buzz the buzzer."""
        self._put(Buzz(kind))

    def show_claims(self, seats: frozenset[int], of: str = "phones") -> None:
        """The lamps of these seats ask for a press that confirms something; any thread may call this."""
        self._put(SeatsClaimed(seats, of))

    def try_out(self, trial: Trial | None) -> None:
        """Show this instead of the play; None: the play again."""
        self.trial = trial
        self._put(trial)

    def _put(self, what: PanelEvent) -> None:
        self._inbox.put(what)
        self._woken.set()

    def _run(self) -> None:
        while not self._stopped.is_set():
            self.step(self.clock())
            due = self.due
            self._woken.wait(None if due is None else max(0.0, due - self.clock()))
            self._woken.clear()

    @property
    def due(self) -> float | None:
        """The latest time for the next call of `step`."""
        late = min((t for t in self._late.values() if t > self._lit_at), default=None)
        times = [t for t in (self.panel.due, self._reveal_until or None, late) if t is not None]
        return min(times, default=None)

    def step(self, at: float) -> None:
        """Pass on what people did, and show the current state."""
        for who, gesture in self.panel.gestures(at):
            if isinstance(gesture, Pressed) and isinstance(who, int) and self.trial is None:
                if not self.confirms(who):
                    self._desk.propose(Press(who), seen=self._seen())
            else:
                self._act(who, gesture)
        while not self._inbox.empty():
            self._hear(self._inbox.get(), at)
        if self._reveal_until and at >= self._reveal_until:
            self._reveal_until = 0.0
            self._light(at)
        if any(self._lit_at < late <= at for late in self._late.values()):
            self._light(at)
        self.problems = self.panel.health()

    def _seen(self) -> SeenState | None:
        """What the person who presses saw: the lamps show no later table."""
        return None if self._session is None else SeenState(self._session, self._offer)

    def _hear(self, what: PanelEvent, at: float) -> None:
        """Show a change."""
        match what:
            case Buzz(kind):
                self.panel.buzz(kind, at)  # type: ignore[arg-type]
                return
            case Settings():
                self._settings = what
                self._limit(self._asked, at)
            case PlayNow(_, session, questions):
                self._session = None
                self._answered(session, at)
                self._limit(questions, at)
            case NoPlay():
                self._answered(None, at)
                self._limit((), at)
            case TasksTicked():
                return
            case SeatsClaimed(seats, of):
                self._claimed[of] = seats
            case Outcome(meaning=Offer() as offer):
                self._offer = offer
                return
            case Outcome():
                if what.changed:
                    self._answered(what.session, at)
                    self._limit(what.questions, at)
                elif what.how == "refused" and isinstance(what.signal, Press | Sighted):
                    self._flash(what.signal.seat, at)
                    return
                else:
                    return
        self._light(at)
        self._count(at)

    def _answered(self, session: Session | None, at: float) -> None:
        """A new state of the play, another play, or none."""
        known, self._session = self._session, session
        if known is None or session is None:
            self._offer = Offer()
        self._shown = () if session is None else lamps(session)
        reveal = known is not None and session is not None and reveals(session)
        self._reveal_until = at + REVEAL if reveal else 0.0

    def _limit(self, asked: Questions, at: float) -> None:
        """Work out when the soft limits of these questions pass, if people want clocks."""
        self._asked, self._late, session = asked, {}, self._session
        if session is None or session.paused or not self._settings.clocks:
            return
        used = session.thinking_now(self._desk.clock())
        for question in asked:
            if question.soft is not None and question.seat is not None:
                self._late[question.seat] = at + question.soft - used[question.seat]

    def _count(self, at: float) -> None:
        shown: dict[int, str] = {}
        if self.trial is not None:
            shown = dict.fromkeys(range(self.panel.seats), self.trial.text)
        elif self._session is not None:
            shown = {n: number(v) for n, v in enumerate(numbers(self._session, self._settings.counter))}
        for seat in range(self.panel.seats):
            self.panel.count(seat, shown.get(seat, BLANK), at)

    def _light(self, at: float) -> None:
        self._lit_at = at
        dark: dict[int, Pattern] = dict.fromkeys(range(self.panel.seats), Off())
        if self.trial is not None:
            lit: dict[int, Pattern] = {} if self.trial.lit is None else {self.trial.lit: On(WHITE)}
        else:
            states = [Lamp.REVEAL] * len(self._shown) if self._reveal_until else self._shown
            shown = dict(enumerate(states))
            shown |= {
                n: Lamp.LATE for n, late in self._late.items() if shown.get(n) is Lamp.WAITED and late <= at
            }
            lit = self._patterns(shown)
            claimed = frozenset[int]().union(*self._claimed.values())
            lit |= {seat: Pulse(WHITE) for seat in claimed if seat in dark}
        self.panel.show({**dark, **lit}, at)

    def _patterns(self, states: Mapping[int, Lamp]) -> dict[int, Pattern]:
        marks = () if self._session is None else marks_of(self._session, self._settings.people)
        colours = [light(mark) for mark in marks]
        found: dict[int, Pattern] = {}
        for seat, state in states.items():
            colour = colours[seat] if seat < len(colours) else WHITE
            match state:
                case Lamp.OFF:
                    found[seat] = Off()
                case Lamp.WAITED | Lamp.REVEAL:
                    found[seat] = On(colour)
                case Lamp.LATE:
                    found[seat] = Breathe(colour)
                case Lamp.MAY:
                    found[seat] = Pulse(colour)
                case Lamp.WINNER:
                    found[seat] = Show(colour)
        return found

    def _flash(self, seat: int | None, at: float) -> None:
        """Flash the lamp of a seat whose signal was refused; if the seat is unknown, of all seats the table
        waits for."""
        if self.trial is not None:
            return
        waited = [n for n, state in enumerate(self._shown) if state is Lamp.WAITED]
        for one in waited if seat is None else [seat]:
            self._flashes[one] = self._flashes.get(one, 0) + 1
            self.panel.show({one: Flash(mark=self._flashes[one])}, at)
