"""The panel at the pins of a real kernel. This runs only inside the virtual machine that `run` makes.

gpio-sim gives a chip whose lines have two sides: the panel is at one, as on a Pi, through gpiozero, lgpio and the
kernel's character device. At the other side are files of the kernel: `pull` is what a switch does to the line, `value`
what a lamp would get. A second process has the hands and the eyes, so that neither waits for the panel; what is
quicker than eyes is read from the kernel's own trace.
"""

from __future__ import annotations

import itertools
import json
import re
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

from devices import segment_displays
from devices.drivers import usual_pins
from devices.gestures import LONG, STUCK, Gesture
from devices.lights import Flash, Off, On, Pulse, level
from devices.panel import Who
from devices.pins import AGAIN, PinPanel
from devices.simulator import bounces
from devices.tunes import TUNES
from devices.wiring_config import Buzzer, Led, Tm1637, Whole, WiredSeat, Wiring

CONFIG = Path("/sys/kernel/config/gpio-sim/panel")
DEVICES = Path("/sys/devices/platform")
TRACE = Path("/sys/kernel/tracing")
LINES = 28
"""As many as the header of a Pi has."""
TABLE = Wiring(
    (WiredSeat(17, Led(27), Tm1637(5, 6)), WiredSeat(22, Led(23, inverted=True))),
    Whole(undo=24, next=25, buzzer=Buzzer(12)),
)
BUTTONS: dict[Who, int] = {0: 17, 1: 22, "undo": 24, "next": 25}
CLOSE = 0.005
"""Seconds a gesture may differ from what the hand did."""

now = time.monotonic

Step = tuple[float, int, bool]
"""When a contact closes (True) or opens, and at which line."""


# The kernel's side.


def make_chip() -> Path:
    """Make the simulated chip, and say where its lines are."""
    bank = CONFIG / "bank"
    bank.mkdir(parents=True)
    (bank / "num_lines").write_text(str(LINES))
    (CONFIG / "live").write_text("1")
    return DEVICES / (CONFIG / "dev_name").read_text().strip() / (bank / "chip_name").read_text().strip()


def base() -> int:
    """The number of the chip's first line in the trace."""
    (found,) = Path("/sys/class/gpio").glob("gpiochip*/base")
    return int(found.read_text())


class Traced:
    """All that happens to the lines meanwhile: (time, line, what), where what is `0`, `1` or `in`."""

    def __enter__(self) -> Traced:
        (TRACE / "trace_clock").write_text("mono")
        (TRACE / "trace").write_text("")
        (TRACE / "events/gpio/enable").write_text("1")
        self.seen: list[tuple[float, int, str]] = []
        return self

    def __exit__(self, *_: object) -> None:
        (TRACE / "events/gpio/enable").write_text("0")
        first = base()
        form = re.compile(r" ([0-9.]+): gpio_(?:value|direction): (\d+) +(?:set ([01])|(in) )")
        for one in form.finditer((TRACE / "trace").read_text()):
            self.seen.append((float(one[1]), int(one[2]) - first, one[3] or one[4]))

    def rises(self, line: int) -> list[float]:
        """When this line went up."""
        before, found = "0", []
        for at, which, what in self.seen:
            if which == line and what != before:
                before = what
                found += [at] if what == "1" else []
        return found


def messages(seen: list[tuple[float, int, str]], wired: Tm1637) -> list[bytes]:
    """What a TM1637 would have understood; it holds the data line down whenever we let it go."""
    clk, dio = "1", "1"
    bits: list[str] | None = None
    found: list[bytes] = []
    for _, line, what in seen:
        if line == wired.clk:
            if bits is not None and (clk, what) == ("0", "1"):
                bits.append(dio)
            clk = what
        elif line == wired.dio:
            what = "0" if what == "in" else what
            if clk == "1" and (dio, what) == ("1", "0"):
                bits = []
            elif clk == "1" and (dio, what) == ("0", "1") and bits is not None:
                bits = bits[: len(bits) // 9 * 9]  # the last rise of the clock belongs to the stop
                found.append(
                    bytes(int("".join(reversed(bits[n : n + 8])), 2) for n in range(0, len(bits), 9))
                )
                bits = None
            dio = what
    return found


# Hands and eyes: another process, told by lines of JSON what to do.


def hands(chip: Path) -> None:
    """Do what is asked for, and answer how it went."""
    import lgpio

    handle = lgpio.gpiochip_open(0)
    print("true", flush=True)
    for line in sys.stdin:
        asked, *arguments = json.loads(line)
        answer: Any = True
        if asked == "play":
            answer = list(play(chip, *arguments))
        elif asked == "watch":
            answer = list(watch(chip, *arguments))
        elif asked == "held":
            told = [lgpio.gpio_get_line_info(handle, line) for line in range(LINES)]
            answer = {line: user for _, line, flags, _, user in told if flags & 1}
        elif asked == "claim":
            lgpio.gpio_claim_input(handle, *arguments)
        elif asked == "free":
            lgpio.gpio_free(handle, *arguments)
        print(json.dumps(answer), flush=True)


def sleep_until(at: float) -> None:
    """Sleep; the rest of a millisecond awake."""
    if at - now() > 0.001:
        time.sleep(at - now() - 0.0005)
    while now() < at:
        pass


def play(chip: Path, steps: list[Step]) -> Iterator[float]:
    """Close and open contacts; a closed one connects its line to ground."""
    files = {line: (chip / f"sim_gpio{line}/pull").open("w") for _, line, _ in steps}
    for at, line, closed in steps:
        sleep_until(at)
        files[line].write("pull-down" if closed else "pull-up")
        files[line].flush()
        yield now()
    for file in files.values():
        file.close()


def watch(chip: Path, line: int, until: float, every: float) -> Iterator[tuple[float, int]]:
    """What a line has, again and again."""
    with (chip / f"sim_gpio{line}/value").open() as file:
        at = now()
        while at < until:
            file.seek(0)
            yield now(), int(file.read())
            at += every
            sleep_until(at)


class Hands:
    """The other process."""

    def __init__(self, chip: Path) -> None:
        self.process = subprocess.Popen(
            [sys.executable, __file__, "hands", str(chip)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.answer()

    def ask(self, *what: Any) -> None:
        """Begin with something."""
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(what) + "\n")
        self.process.stdin.flush()

    def answer(self) -> Any:
        """How it went; waits for it."""
        assert self.process.stdout is not None
        return json.loads(self.process.stdout.readline())


# The panel's side, and what is tried.


def held(other: Hands) -> dict[str, str]:
    """The lines that somebody holds, and who, as the kernel tells another process."""
    other.ask("held")
    answer: dict[str, str] = other.answer()
    return answer


class App:
    """What an app does with a panel: it sleeps until something is due or an edge wakes it."""

    def __init__(self) -> None:
        self.woken = threading.Event()
        self.edges = 0
        self.panel = PinPanel(TABLE, now(), pins=usual_pins, wake=self.wake)

    def wake(self) -> None:
        """Somebody did something."""
        self.edges += 1
        self.woken.set()

    def live(self, until: float) -> list[tuple[Who, Gesture]]:
        """Go on until then; all gestures there were."""
        found: list[tuple[Who, Gesture]] = []
        while (at := now()) < until:
            due = self.panel.due
            self.woken.wait(max(0.0, min(until, until if due is None else due) - at))
            self.woken.clear()
            found += self.panel.gestures(now())
        return found

    def health(self) -> list[str]:
        """What does not work, in words."""
        return [str(problem) for problem in self.panel.health()]


class Report:
    """PASS and FAIL, line by line."""

    def __init__(self) -> None:
        self.passed = self.failed = 0

    def check(self, what: str, found: object, wanted: object = True) -> None:
        """Say whether what was found is what was wanted."""
        good = found == wanted
        self.passed, self.failed = self.passed + good, self.failed + (not good)
        print(f"PASS  {what}" if good else f"FAIL  {what}: {found!r} instead of {wanted!r}", flush=True)


def contact(
    who: Who, at: float, seconds: float, ways: dict[str, list[list[int]]], random: Random
) -> list[Step]:
    """A press with its bounce."""
    steps: list[Step] = []
    for moment, closed, name in ((at, True, "press"), (at + seconds, False, "release")):
        for n, micros in enumerate(random.choice(ways[name])):
            steps.append((moment + micros / 1e6, BUTTONS[who], closed == (n % 2 == 0)))
    return steps


def settled(steps: list[Step], times: list[float], line: int) -> list[float]:
    """When the hand's bouncing came to rest, for every press and every release."""
    of_line = [at for at, (_, which, _) in zip(times, steps, strict=True) if which == line]
    return [at for at, after in zip(of_line, [*of_line[1:], float("inf")], strict=True) if after - at > 0.02]


def presses(report: Report, app: App, other: Hands) -> None:
    """Every gesture, with contacts of every kind."""
    random = Random(7)
    for kind, ways in bounces().items():
        begin = now() + 0.3
        plan: list[tuple[Who, float, float]] = [
            (0, 0.0, 0.12), (1, 0.05, 0.12), ("next", 0.6, 0.06), (1, 1.0, 0.08), (1, 1.2, 0.08), ("undo", 2.0, 1.1)
        ]  # fmt: skip
        steps = sorted(
            step for who, at, long in plan for step in contact(who, begin + at, long, ways, random)
        )
        before = app.edges
        other.ask("play", steps)
        found = app.live(begin + 3.5)
        times = other.answer()
        names = [(who, type(gesture).__name__) for who, gesture in found]
        report.check(
            f"{kind} contacts: pressed, pressed twice and held, in order",
            names,
            [(0, "Pressed"), (1, "Pressed"), ("next", "Pressed"), (1, "Pressed"), (1, "Doubled"), ("undo", "Held")],
        )  # fmt: skip
        rest = {who: settled(steps, times, line) for who, line in BUTTONS.items()}
        moments = [
            rest[0][1], rest[1][1], rest["next"][1], rest[1][3], rest[1][5], rest["undo"][0] + LONG
        ]  # fmt: skip
        late = [abs(gesture.at - at) for (_, gesture), at in zip(found, moments, strict=False)]
        report.check(f"{kind} contacts: each within {CLOSE * 1000:.0f} ms of the hand", max(late) < CLOSE)
        print(
            f"note  {len(steps)} flips by hand, {app.edges - before} edges told; "
            f"gestures differ by at most {max(late) * 1000:.2f} ms"
        )


def stuck(report: Report, app: App, other: Hands) -> None:
    """A jammed button."""
    begin = now() + 0.2
    other.ask("play", [(begin, 17, True)])
    found = app.live(begin + STUCK + 0.3)
    other.answer()
    report.check("a jammed button: held, then stuck", [type(g).__name__ for _, g in found], ["Held", "Stuck"])
    report.check(
        "and told so",
        app.health(),
        ["seat 1, button is stuck or shorted: it gives nothing until it is up again."],
    )
    other.ask("play", [(now(), 17, False)])
    found = app.live(now() + 0.3)
    other.answer()
    report.check("let go: nothing more, and well again", (found, app.health()), ([], []))


def seen(app: App, other: Hands, line: int, seconds: float, every: float = 0.0007) -> list[tuple[float, int]]:
    """What the other process sees at a line while the app goes on."""
    app.live(now() + 0.05)
    until = now() + seconds
    other.ask("watch", line, until, every)
    app.live(until)
    answer: list[tuple[float, int]] = other.answer()
    return answer


def lamps(report: Report, app: App, other: Hands) -> None:
    """Light, as it arrives."""
    for pattern, first, second in ((On(), {1}, {0}), (Off(), {0}, {1})):
        app.panel.show({0: pattern, 1: pattern}, now())
        name = type(pattern).__name__.lower()
        report.check(f"lamp {name}", {value for _, value in seen(app, other, 27, 0.2)}, first)
        report.check(f"inverted lamp {name}", {value for _, value in seen(app, other, 23, 0.2)}, second)
    with Traced() as traced:
        app.panel.show({0: Flash()}, now())
        app.live(now() + 0.8)
    rises = traced.rises(27)
    bursts = [at for before, at in zip([0.0, *rises], rises, strict=False) if at - before > 0.03]
    report.check("refused: three flashes", len(bursts), 3)

    app.panel.show({0: Pulse(), 1: Off()}, now())
    with Traced() as traced:
        values = seen(app, other, 27, 2.4)
    worst = 0.0
    for n in range(12):  # of 0.2 s each
        begin = values[0][0] + 0.2 * n
        part = [(at, value) for at, value in values if begin <= at < begin + 0.2]
        wanted = sum(level(Pulse(), 0.0, at) for at, _ in part) / len(part)
        worst = max(worst, abs(sum(value for _, value in part) / len(part) - wanted))
    report.check("a pulse is as bright as it should be, within 0.1 everywhere", worst < 0.1)
    report.check("and is seen both on and off", {value for _, value in values}, {0, 1})
    rises = traced.rises(27)
    gaps = sorted(b - a for a, b in itertools.pairwise(rises))
    middle = gaps[len(gaps) // 2]
    report.check("by width of pulses, 100 each second", 0.0095 < middle < 0.0105)
    print(
        f"note  {len(values)} looks, worst difference {worst:.3f}; {len(rises)} pulses, {middle * 1000:.2f} ms apart"
    )
    app.panel.show({0: Off()}, now())
    app.live(now() + 0.1)


def counter(report: Report, app: App, other: Hands) -> None:
    """Digits, as a chip at the two lines understands them."""
    wired = TABLE.seats[0].counter
    assert isinstance(wired, Tm1637)
    other.ask("play", [(now(), wired.dio, True)])  # a chip that answers holds the line down
    other.answer()
    for text, brightness in (("42", 7), ("-999", 2), ("8888", 0)):
        app.panel.brightness = brightness
        with Traced() as traced:
            app.panel.count(0, text, now())
        found = messages(traced.seen, wired)
        report.check(
            f"counter: {text} at brightness {brightness}",
            found,
            list(segment_displays.tm1637(text, brightness)),
        )
        moves = [at for at, line, _ in traced.seen if line in (wired.clk, wired.dio)]
        print(f"note  {len(moves)} moves of two lines in {(moves[-1] - moves[0]) * 1000:.1f} ms")
    report.check("the counter is well", app.health(), [])
    other.ask("play", [(now(), wired.dio, False)])  # unplugged
    other.answer()
    app.panel.count(0, "7", now())
    report.check(
        "an unplugged counter is reported",
        app.health(),
        ["seat 1, counter does not work: the TM1637 does not answer. It is tried again every few seconds."],
    )
    other.ask("play", [(now(), wired.dio, True)])
    other.answer()
    with Traced() as traced:
        app.live(now() + AGAIN + 0.5)
    report.check("plugged in again: well", app.health(), [])
    report.check(
        "and it shows its number", messages(traced.seen, wired)[-3:], list(segment_displays.tm1637("7", 0))
    )


def buzzer(report: Report, app: App, other: Hands) -> None:
    """Pitches."""
    assert TABLE.whole.buzzer is not None
    with Traced() as traced:
        app.panel.buzz("turn", now())
        app.live(now() + 0.6)
    rises = traced.rises(TABLE.whole.buzzer.pin)
    notes = [hertz for _, hertz in TUNES["turn"] if hertz]
    cut = next((n for n in range(1, len(rises)) if rises[n] - rises[n - 1] > 0.02), len(rises))
    heard = [
        (len(part) - 1) / (part[-1] - part[0]) if len(part) > 1 else 0.0
        for part in (rises[:cut], rises[cut:])
    ]
    good = all(abs(a / b - 1) < 0.05 for a, b in zip(heard, notes, strict=True))
    report.check("buzzer: two notes, their pitches within 5 %", good)
    print(f"note  {heard[0]:.0f} and {heard[1]:.0f} Hz instead of {notes[0]} and {notes[1]}")


def busy(report: Report, other: Hands) -> None:
    """Lines that another program holds."""
    for line in (22, 27):
        other.ask("claim", line)
        other.answer()
    app = App()
    problems = app.health()
    report.check("pins in use: two parts do not work", len(problems), 2)
    report.check(
        "which and why is reported",
        [p.split(" does")[0] for p in problems if "busy" in p],
        ["seat 1, lamp", "seat 2, button"],
    )
    for problem in problems:
        print(f"note  {problem}")
    report.check("a button of this second panel works meanwhile", press(app, other, 0), [(0, "Pressed")])
    app.panel.show({0: On()}, now())
    for line in (22, 27):
        other.ask("free", line)
        other.answer()
    app.live(now() + AGAIN + 0.5)
    report.check("let go by the other: all is well", app.health(), [])
    report.check("the button works", press(app, other, 1), [(1, "Pressed")])
    report.check("the lamp is lit as it should be", {value for _, value in seen(app, other, 27, 0.1)}, {1})
    app.panel._parts["button", 0].close()  # as after a failure; it is opened again at once
    again = press(app, other, 0) + press(app, other, 1)
    report.check("a button opened again works, and so do the others", again, [(0, "Pressed"), (1, "Pressed")])
    app.panel.close()


def press(app: App, other: Hands, who: Who) -> list[tuple[Who, str]]:
    """One press, and what is heard of it."""
    begin = now() + 0.2
    other.ask("play", contact(who, begin, 0.1, bounces()["tactile"], Random(3)))
    found = app.live(begin + 0.4)
    other.answer()
    return [(who, type(gesture).__name__) for who, gesture in found]


def main() -> int:
    """Try everything."""
    report = Report()
    chip = make_chip()
    other = Hands(chip)
    print(f"note  {chip.name}: {LINES} lines of gpio-sim, ready after {now():.1f} s")
    app = App()
    report.check("the panel opens", app.health(), [])
    lines = {str(line): "lg" for line in sorted([*BUTTONS.values(), 27, 23, 5, 6, 12])}
    report.check("the kernel says that just its lines are held", held(other), lines)
    tried: tuple[Callable[[Report, App, Hands], None], ...] = (counter, presses, stuck, lamps, buzzer)
    for one in tried:
        try:
            one(report, app, other)
        except Exception as e:
            report.check(f"{one.__name__} came to its end", repr(e))
    app.panel.show({0: On()}, now())
    app.live(now() + 0.1)
    app.panel.close()
    report.check("closed: the lines are free", held(other), {})
    report.check("and the lamp is dark", (chip / "sim_gpio27/value").read_text().strip(), "0")
    try:
        busy(report, other)
    except Exception as e:
        report.check("busy came to its end", repr(e))
    print(f"pins: {report.passed} passed, {report.failed} failed, after {now():.1f} s", flush=True)
    return min(report.failed, 1)


if __name__ == "__main__":
    if sys.argv[1:2] == ["hands"]:
        hands(Path(sys.argv[2]))
    else:
        sys.exit(main())
