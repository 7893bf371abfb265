"""A test of every part of a table, one after the other: what to try, and the results. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from msgspec import Struct

from devices.lights import Light, On
from devices.panel import Panel, Who
from devices.wiring_config import Led, Wiring
from devices.words import Sentence, part

RED: Light = (1.0, 0.0, 0.0)
COLOURS: dict[str, Light] = {"red": RED, "green": (0.0, 1.0, 0.0), "blue": (0.0, 0.0, 1.0)}

Task = Literal["lamp", "press", "turn", "counter", "buzzer"]
Result = Literal["fine", "wrong", "skipped"]


class WalkStep(Struct, frozen=True):
    """One thing to test. Lamps are tested in each colour; counters show the seat's number four times."""

    task: Task
    kind: str  # the part's name for `words.part`
    seat: int | None = None
    colour: str = ""

    @property
    def part(self) -> Sentence:
        """The name of the part."""
        return part(self.kind, self.seat)

    @property
    def who(self) -> Who:
        """The button or knob that should report, if it is something to press or turn."""
        if self.seat is not None:
            return self.seat
        return "undo" if self.kind == "undo" else "shutdown" if self.kind == "shutdown" else "next"

    @property
    def light(self) -> Light:
        """The light the lamp should show."""
        return COLOURS.get(self.colour, (1.0, 1.0, 1.0))

    @property
    def text(self) -> str:
        """The text the counter should show."""
        return str((self.seat or 0) + 1) * 4

    def begin(self, panel: Panel, at: float) -> None:
        """Make the part show or sound what the user should check."""
        if self.task == "lamp" and self.seat is not None:
            panel.show({self.seat: On(self.light)}, at)
        elif self.task == "counter" and self.seat is not None:
            panel.count(self.seat, self.text, at)
        elif self.task == "buzzer":
            panel.buzz("over", at)


class Finding(Struct, frozen=True):
    """The result of one step; `instead` are other buttons that reported: crossed wires."""

    step: WalkStep
    result: Result
    instead: tuple[Who, ...] = ()


def steps(table: Wiring) -> Iterator[WalkStep]:
    """All steps, seat by seat, then those of the table."""
    for n, seat in enumerate(table.seats):
        for colour in ("",) if isinstance(seat.lamp, Led) else COLOURS:
            yield WalkStep("lamp", "lamp", n, colour)
        yield WalkStep("press", "button", n)
        if seat.counter is not None:
            yield WalkStep("counter", "counter", n)
    whole = table.whole
    if whole.undo is not None:
        yield WalkStep("press", "undo")
    if whole.next is not None:
        yield WalkStep("press", "next")
    if whole.knob is not None:
        yield WalkStep("press", "knob-press")
        yield WalkStep("turn", "knob")
    if whole.buzzer is not None:
        yield WalkStep("buzzer", "buzzer")
    if whole.shutdown is not None:
        yield WalkStep("press", "shutdown")
