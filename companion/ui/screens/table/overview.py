"""What everybody sees of the table: alerts, seats with their points and clocks, pools and the way to the end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kivy.core.window import Window

from companion.core.views import Gauge, Meter, SeatView, View
from companion.texts import capital, written_span
from companion.ui.toolkit.draw import Badge, Bar
from companion.ui.toolkit.kit import Column, Flow, Icon, Part, Plate, Row, Tap, Words, extent
from companion.ui.toolkit.screen import Showing

if TYPE_CHECKING:
    from companion.app import CompanionApp

SHARES = (1.7, 1)
"""How a wide screen is shared between what we wait for and what lies there."""


class Overview(Showing):
    """The parts of one screen; its clocks run while it is shown."""

    def __init__(self, app: CompanionApp) -> None:
        super().__init__(app)
        self.marks = self.desk.marks()
        self.clocks: list[tuple[int, Words]] = []

    def tick(self) -> None:
        """Let the clocks run."""
        for seat, words in self.clocks:
            told = self._clock(seat)
            if words.text != told:
                words.text = told

    def alerts(self, view: View) -> list[Part]:
        """What nobody may miss."""
        return [
            Plate(
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

    def notes(self, view: View) -> list[Part]:
        """What is good to know besides."""
        return (
            [Plate(Column([Words(self.desk.words(note), "note", "dim") for note in view.notes]))]
            if view.notes
            else []
        )

    def seats(self, view: View, full: bool) -> list[Part]:
        """Every seat."""
        return [self.seat(seat, full) for seat in view.seats]

    def seat(self, seat: SeatView, full: bool) -> Part:
        """One seat: its mark, whether we wait for it, its points, and its numbers if there is room."""
        state = "hand-pointing-right" if seat.waiting else "check-circle" if seat.ready else ""
        name = Words(seat.name, "body", bold=True).fill()
        signs: list[Part | None] = [
            Icon(state, "prompt", "accent" if seat.waiting else "good") if state else None,
            *self._points(seat, star=full or self.app.look.wide),
        ]
        mark = Badge(self.marks[seat.seat], 40 if full else 34)
        if self._short(seat.name):
            head: Part = Row([mark, name, *signs], gap=6 if full else 4)
        else:
            head = Column([Row([mark, name], gap=6), Row(signs, gap=6) if any(signs) else None], gap=4)
        numbers = [f"{self.desk.words(n.text)}\N{NO-BREAK SPACE}{n.value}" for n in seat.numbers]
        more = [Words(words, "note", "dim") for words in numbers]
        if full and self.desk.settings.clocks:
            more.append(self.clock_words(seat.seat))
        column = Column([head, Flow(more, gap=14, lines=2) if full else None], gap=4)
        return Tap(
            part=column.fill(),
            on_tap=lambda: self.app.go("seat", seat=seat.seat),
            kind="quiet",
            name=f"seat-{seat.seat}",
        )

    def _short(self, name: str) -> bool:
        """Whether every word of a name leaves room for signs and points beside it."""
        share = SHARES[1] / sum(SHARES) if self.app.look.wide else 1.0
        size = self.app.look.font("body")
        widest = max((extent(word, Words.font, size, True) for word in name.split()), default=0.0)
        return widest <= Window.width * share - self.app.look.px(110) - 4 * size

    def _points(self, seat: SeatView, star: bool) -> list[Part]:
        if seat.points is None or not self.desk.settings.scores:
            return []
        number = Words(str(seat.points), "body", "accent", bold=True)
        return [Icon("star", "body", "accent"), number] if star else [number]

    def clock_words(self, seat: int) -> Words:
        """How long a seat has been thinking; it runs."""
        words = Words(self._clock(seat), "note", "dim")
        self.clocks.append((seat, words))
        return words

    def _clock(self, seat: int) -> str:
        return written_span(self.desk.session.thinking(self.desk.clock())[seat])

    def gauges(self, view: View) -> list[Part]:
        """Every pool, and how far it is to every end."""
        pools = {pool.id for pool in view.pools}
        parts = [self._bar(gauge, gauge.full) for gauge in view.pools]
        parts += [self._bar(meter, meter.goal) for meter in view.meters if meter.id not in pools]
        return [Plate(Column(parts, gap=10))] if parts else []

    def _bar(self, of: Gauge | Meter, full: int) -> Part:
        low = (isinstance(of, Gauge) and of.value * 4 <= full) or (
            isinstance(of, Meter) and of.value * 4 >= full * 3
        )
        value = Words(self.t("ui.of", n=of.value, full=full), "note", bold=True)
        head = Row([Words(capital(self.desk.words(of.text)), "note", "dim").fill(), value], gap=4)
        return Column([head, Bar(of.value, full, "bad" if low else "accent")], gap=6)
