"""The panel at simulated pins: gestures despite bounce, light, digits and sound, and what happens when parts fail."""

from __future__ import annotations

import itertools
import os
import sys
import threading
from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace

from devices import drivers, segment_displays
from devices.drivers import NoPins, from_system, on_a_pi, usual_pins
from devices.gestures import Gesture
from devices.lights import DARK, RED, WHITE, Flash, Off, On, Pulse, Show
from devices.lines import KernelLines
from devices.panel import Panel, Who
from devices.pins import AGAIN, PinPanel
from devices.simulator import KEYS, SimulatedLines, Simulator, bounces
from devices.tunes import SOUNDS, TUNES
from devices.wiring import connections
from devices.wiring_config import Buzzer, Ht16k33, Knob, Rgb, Strip, Tm1637, Whole, WiredSeat, Wiring, default
from devices.words import words
from tests.patience import PATIENCE

FOUR = default(4, counters=True)
MIXED = Wiring(
    (
        WiredSeat(17, Rgb(22, 23, 24), Tm1637(5, 6)),
        WiredSeat(27, Strip(0, 3), Ht16k33(0x70)),
        WiredSeat(25, Strip(3, 2)),
        WiredSeat(16, Rgb(19, 20, 21, inverted=True), Tm1637(12, 13)),
    ),
    Whole(undo=4, knob=Knob(14, 15, 18), buzzer=Buzzer(26, tones=False)),
)


def run(simulator: Simulator, until: float) -> list[tuple[Who, str]]:
    """As an app does it: sleep until something is due, and no longer."""
    found: list[tuple[Who, Gesture]] = []
    while (due := simulator.due) is not None and due <= until:
        found += simulator.gestures(max(due, simulator.pins.now))
    found += simulator.gestures(until)
    return [(who, type(gesture).__name__) for who, gesture in found]


def test_both_are_panels() -> None:
    panels: list[Panel] = [Simulator(FOUR), PinPanel(FOUR, 0.0, pins=usual_pins)]
    assert [panel.seats for panel in panels] == [4, 4]
    for panel in panels:
        panel.close()


@pytest.mark.parametrize("kind", bounces())
def test_gestures_through_bounce(kind: str) -> None:
    simulator = Simulator(FOUR, kind=kind)
    simulator.press(0, 1.0)
    simulator.press(1, 1.01)
    simulator.double(2, 2.0)
    simulator.hold("undo", 3.0)
    simulator.press("next", 5.0)
    assert run(simulator, 9.0) == [
        (0, "Pressed"), (1, "Pressed"), (2, "Pressed"), (2, "Doubled"), ("undo", "Held"), ("next", "Pressed")
    ]  # fmt: skip
    assert simulator.health() == ()
    simulator.close()


def test_a_press_is_told_ten_milliseconds_after_the_finger() -> None:
    simulator = Simulator(FOUR, kind="clean")
    simulator.press(0, 1.0, 0.1)
    run(simulator, 1.1)
    assert simulator.due == pytest.approx(1.11)


def test_at_rest_there_is_nothing_to_do() -> None:
    simulator = Simulator(default(6))
    simulator.show({0: On(), 1: Off()}, 0.0)
    assert simulator.due is None
    threads = threading.active_count()
    simulator.press(0, 1.0)
    run(simulator, 2.0)
    assert threading.active_count() == threads
    assert simulator.due is None


def test_every_edge_wakes_the_waiting_thread() -> None:
    woken = []
    simulator = Simulator(FOUR, kind="clean", wake=lambda: woken.append(1))
    simulator.press(0, 1.0)
    run(simulator, 2.0)
    assert len(woken) == 2


def test_a_press_told_by_another_thread() -> None:
    """As on the Pi: edges come on the library's thread, while the app sleeps until it is woken. The clock is ours: the
    library's is so far from it that it is not believed."""
    pins, woken, now = usual_pins(), threading.Event(), [-1e6]
    panel = PinPanel(
        FOUR, now[0], pins=lambda: pins, lines=SimulatedLines(), clock=lambda: now[0], wake=woken.set
    )

    def finger() -> None:
        pins.pin(17).drive_low()
        now[0] += 0.05
        pins.pin(17).drive_high()

    pressing = threading.Thread(target=finger)
    pressing.start()
    assert woken.wait(PATIENCE)
    pressing.join()
    found: list[tuple[Who, Gesture]] = []
    for _ in range(9):
        now[0] += 0.2
        found += panel.gestures(now[0])
    assert [(who, type(gesture).__name__) for who, gesture in found] == [(0, "Pressed")]
    panel.close()


def test_keys_are_buttons() -> None:
    simulator = Simulator(FOUR)
    for n, key in enumerate(KEYS):
        if simulator.key_down(key, n * 1.0):
            simulator.key_up(key, n + 0.1)
    assert run(simulator, 20.0) == [(KEYS[key], "Pressed") for key in "1234unq"]
    assert not simulator.key_down("x", 0.0)
    assert not simulator.key_down("left", 0.0)
    with pytest.raises(LookupError):
        simulator.press(5, 0.0)


def test_a_knob_turns_and_is_pressed() -> None:
    simulator = Simulator(MIXED)
    simulator.turn(3, 1.0)
    simulator.key_down("left", 2.0)
    simulator.press("next", 3.0)
    found = [gesture for _, gesture in simulator.gestures(9.0)]
    assert [getattr(gesture, "by", 0) for gesture in found] == [1, 1, 1, -1, 0]


def test_lamps_of_every_kind() -> None:
    simulator = Simulator(MIXED)
    simulator.show({0: On(RED), 1: On(RED), 2: On(), 3: On(RED), 7: On()}, 0.0)
    assert simulator.lamps() == {0: RED, 1: RED, 2: WHITE, 3: RED}
    assert simulator.lines.strip == (RED, RED, RED, WHITE, WHITE)
    simulator.show({0: Off(), 1: Flash(1), 3: Off()}, 1.0)
    assert simulator.lamps() == {0: DARK, 1: WHITE, 2: WHITE, 3: DARK}
    run(simulator, 2.0)
    assert simulator.lamps()[1] == RED
    simulator.show(dict.fromkeys(range(4), On()), 3.0)
    simulator.close()
    assert set(simulator.lamps().values()) == {DARK}


def test_a_pulse_goes_on_by_the_clock() -> None:
    simulator = Simulator(FOUR)
    simulator.show({0: Pulse()}, 0.0)
    seen = set()
    while (due := simulator.due) is not None and due < 3.0:
        simulator.gestures(due)
        seen.add(simulator.lamps()[0][0])
    assert len(seen) > 15
    assert {0.0, 1.0} <= seen


def test_counters_of_both_kinds() -> None:
    simulator = Simulator(MIXED)
    for seat, text in enumerate(
        (segment_displays.number(-42), segment_displays.number(None), "9", segment_displays.number(1234))
    ):
        simulator.count(seat, text, 0.0)
    assert simulator.counters() == {0: " -42", 1: "----", 3: "1234"}
    simulator.close()
    assert simulator.counters() == {0: "    ", 1: "    ", 3: "    "}


@pytest.mark.parametrize("sound", SOUNDS)
def test_sounds_are_played_and_end(sound: str) -> None:
    simulator = Simulator(FOUR)
    simulator.buzz(sound, 1.0)  # type: ignore[arg-type]
    heard = [simulator.pitch()]
    while (due := simulator.due) is not None and due < AGAIN:
        simulator.gestures(due)
        heard.append(simulator.pitch())
    assert heard == [hertz for _, hertz in TUNES[sound]] + [0]  # type: ignore[index]


def test_sounds_differ_by_rhythm_alone() -> None:
    rhythms = [tuple(seconds for seconds, _ in tune) for tune in TUNES.values()]
    assert len(set(rhythms)) == len(SOUNDS)
    assert all(sum(rhythm) < 1.0 for rhythm in rhythms)
    simulator = Simulator(MIXED)
    simulator.buzz("refused", 0.0)
    assert simulator.pitch() == 1
    simulator.volume = 0.0
    simulator.buzz("accepted", 1.0)
    run(simulator, 2.0)
    simulator.buzz("accepted", 3.0)
    assert simulator.pitch() == 0


def problems(panel: Panel) -> list[str]:
    return [str(problem) for problem in panel.health()]


def test_a_busy_pin_is_left_out_told_and_tried_again() -> None:
    simulator = Simulator(FOUR)
    simulator.close()
    simulator.pins.busy = {17, 27}
    simulator.panel = PinPanel(
        FOUR, 0.0, pins=lambda: simulator.pins, lines=simulator.lines, clock=lambda: simulator.pins.now
    )
    assert problems(simulator) == [
        "seat 1, button does not work: GPIO17 busy. It is tried again every few seconds.",
        "seat 1, lamp does not work: GPIO27 busy. It is tried again every few seconds.",
    ]
    simulator.show({0: On(), 1: On()}, 0.0)
    simulator.press(0, 1.0)
    simulator.press(1, 1.0)
    assert run(simulator, AGAIN - 0.1) == [(1, "Pressed")]
    simulator.pins.busy = {17}
    run(simulator, AGAIN + 0.1)
    assert simulator.lamps()[0] == WHITE  # what was wanted meanwhile
    assert len(problems(simulator)) == 1
    simulator.pins.busy = set()
    run(simulator, 2 * AGAIN + 0.1)
    assert problems(simulator) == []
    simulator.press(0, 20.0)
    assert run(simulator, 21.0) == [(0, "Pressed")]


def test_a_counter_that_goes_away_comes_back_with_its_number() -> None:
    simulator = Simulator(FOUR)
    simulator.count(2, "  12", 0.0)
    simulator.lines.gone = {0x72}
    run(simulator, AGAIN)  # nothing new to show, and yet it is noticed
    assert [problem.what.slug for problem in simulator.health()] == ["out-of-order"]
    simulator.count(2, "  13", 6.0)
    simulator.lines.memory.clear()
    simulator.lines.gone = set()
    run(simulator, 3 * AGAIN)
    assert simulator.counters()[2] == "  13"
    assert simulator.health() == ()


def test_a_counter_with_two_wires_that_does_not_answer() -> None:
    simulator = Simulator(MIXED)
    simulator.pins.chips[0].plugged = False
    simulator.count(0, "8888", 0.0)
    assert problems(simulator) == [
        "seat 1, counter does not work: the TM1637 does not answer. It is tried again every few seconds."
    ]
    simulator.pins.chips[0].plugged = True
    run(simulator, AGAIN)
    assert simulator.counters()[0] == "8888"
    assert simulator.health() == ()


def test_a_strip_without_spi() -> None:
    simulator = Simulator(MIXED)
    simulator.lines.gone = {None}
    simulator.show({1: On(), 0: On()}, 0.0)
    assert [problem.what.args["where"] for problem in simulator.health()] == [words("part-strip")]
    assert simulator.lamps()[0] == WHITE
    run(simulator, AGAIN)
    simulator.lines.gone = set()
    run(simulator, 2 * AGAIN + 0.1)
    assert simulator.lamps()[1] == WHITE
    assert simulator.health() == ()


def test_a_stuck_button_is_told_until_it_is_up() -> None:
    simulator = Simulator(FOUR)
    simulator.down(1, 1.0)
    assert run(simulator, 30.0) == [(1, "Held"), (1, "Stuck")]
    assert problems(simulator) == [
        "seat 2, button is stuck or shorted: it gives nothing until it is up again."
    ]
    simulator.up(1, 31.0)
    assert run(simulator, 32.0) == []
    assert simulator.health() == ()


def flip(simulator: Simulator, closed: bool) -> None:
    """The contact of seat 1 moves, but nobody has told us yet."""
    simulator.pins.pin(17)._state = not closed


def hear(simulator: Simulator, closed: bool, at: float) -> None:
    """Now we are told."""
    simulator.panel._edges.append((0, "press", closed, at))


def test_edges_that_are_told_late_make_no_gestures() -> None:
    """A release that bounces: 1.100 up, 1.103 down, 1.104 up; each is reported later than it would count."""
    simulator = Simulator(FOUR, kind="clean")
    panel = simulator.panel
    simulator.down(0, 1.0)
    run(simulator, 1.1)
    flip(simulator, False)
    hear(simulator, False, 1.1)
    assert [type(gesture).__name__ for _, gesture in panel.gestures(1.111)] == ["Pressed"]
    hear(simulator, True, 1.103)
    assert panel.gestures(1.12) == ()
    assert panel.due == pytest.approx(1.122)
    hear(simulator, False, 1.104)
    assert panel.gestures(1.13) == ()
    assert panel.due == AGAIN


def test_a_lost_edge_makes_no_gesture_and_no_stuck_button() -> None:
    simulator = Simulator(FOUR, kind="clean")
    simulator.down(0, 1.0)
    run(simulator, 1.1)
    flip(simulator, False)  # and nobody ever tells
    assert run(simulator, 30.0) == []
    assert simulator.health() == ()
    simulator.press(0, 40.0)
    assert run(simulator, 41.0) == [(0, "Pressed")]


def test_no_pins_at_all() -> None:
    tries = itertools.count()

    def none() -> object:
        if next(tries) < 2:
            raise NoPins(words("no-lgpio", why="No module named 'lgpio'"))
        return usual_pins()

    panel = PinPanel(default(6), 0.0, pins=none)
    assert [problem.what.slug for problem in panel.health()] == ["no-lgpio"]
    panel.show({0: On()}, 0.0)
    panel.buzz("accepted", 0.0)
    assert panel.gestures(1.0) == ()
    panel.gestures(AGAIN)
    assert len(panel.health()) == 1
    panel.gestures(2 * AGAIN)
    assert panel.health() == ()
    panel.close()


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("table", [default(6, counters=True), MIXED], ids=["six", "mixed"])
def test_whatever_fails_nothing_crashes_and_all_comes_back(table: Wiring, seed: int) -> None:
    random, at = Random(seed), 0.0
    simulator = Simulator(table, seed=seed)
    patterns = [Off(), On(), Pulse(), Flash(), Show(), On(RED)]
    gpios = [wire.gpio for wire in connections(table)]
    places: list[int | None] = [None, *range(0x70, 0x76)]
    for _ in range(150):
        at += random.choice((0.003, 0.05, 0.4, 2.0, 6.0))
        simulator.pins.busy = set(random.sample(gpios, random.choice((0, 0, 3))))
        simulator.lines.gone = set(random.sample(places, random.choice((0, 0, 2))))
        for chip in simulator.pins.chips:
            chip.plugged = random.random() < 0.7
        seat = random.randrange(simulator.seats)
        match random.randrange(6):
            case 0:
                simulator.show({n: random.choice(patterns) for n in range(simulator.seats)}, at)
            case 1:
                simulator.count(seat, segment_displays.number(random.randrange(-999, 9999)), at)
            case 2:
                simulator.buzz(random.choice(SOUNDS), at)
            case 3:
                simulator.press(seat, at)
            case 4 if random.random() < 0.3:  # a driver that fails in use
                part = random.choice(list(simulator.panel._parts.values()))
                part.close()
                part.failed(RuntimeError("it broke"), at)
            case _:
                simulator.press("undo", at)
        run(simulator, at)
    simulator.pins.busy, simulator.lines.gone = set(), set()
    for chip in simulator.pins.chips:
        chip.plugged = True
    run(simulator, at + 40)
    assert simulator.health() == ()
    simulator.show(dict.fromkeys(range(simulator.seats), On()), at + 41)
    for n in range(simulator.seats):
        simulator.count(n, "  77", at + 41)
        simulator.press(n, at + 42 + n)
    assert run(simulator, at + 60) == [(n, "Pressed") for n in range(simulator.seats)]
    assert set(simulator.lamps().values()) == {WHITE}
    assert set(simulator.counters().values()) == {"  77"}
    simulator.close()


def test_whatever_fails_while_closing_is_nobodys_concern(monkeypatch: pytest.MonkeyPatch) -> None:
    panel = PinPanel(FOUR, 0.0, pins=usual_pins)

    def fail(_: object) -> None:
        raise RuntimeError("no")

    monkeypatch.setattr(drivers.LedLamp, "close", fail)
    panel.close()
    assert panel.gestures(0.0) == ()


def test_the_mock_elsewhere_and_lgpio_on_a_pi(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    model = tmp_path / "model"
    assert not on_a_pi(model)
    model.write_bytes(b"Raspberry Pi 5 Model B Rev 1.0\0")
    assert on_a_pi(model)
    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", "pigpio")
    with pytest.raises(NoPins, match="pigpio"):
        usual_pins()
    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", "lgpio")
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    monkeypatch.delenv("RUNTIME_DIRECTORY", raising=False)
    monkeypatch.delenv("LG_WD", raising=False)
    monkeypatch.setattr(drivers, "SYSTEM", tmp_path)
    monkeypatch.setitem(sys.modules, "lgpio", None)
    with pytest.raises(NoPins, match="python3-lgpio"):
        usual_pins()
    assert os.environ["LG_WD"] == str(tmp_path)


def test_a_module_of_the_system(tmp_path: Path) -> None:
    (tmp_path / "of_the_system.py").write_text("import _of_the_system\nanswer = _of_the_system.answer")
    (tmp_path / "_of_the_system.py").write_text("answer = 42")
    before = list(sys.path)
    from_system("of_the_system", tmp_path)
    assert sys.modules.pop("of_the_system").answer == sys.modules.pop("_of_the_system").answer
    with pytest.raises(ImportError):
        from_system("not_even_of_the_system", tmp_path)
    assert sys.path == before


def test_pins_that_cannot_be_reached() -> None:
    def none() -> object:
        raise PermissionError(13, "Permission denied", "/dev/gpiochip0")

    panel = PinPanel(default(2), 0.0, pins=none)
    assert problems(panel) == ["The pins cannot be reached: Permission denied, /dev/gpiochip0."]
    panel.close()


def test_lines_that_are_not_there() -> None:
    lines = KernelLines("/nonexistent/i2c", "/nonexistent/spi")
    panel = PinPanel(replace(MIXED), 0.0, pins=usual_pins, lines=lines)
    assert sorted(str(problem).partition(" does")[0] for problem in panel.health()) == [
        "light strip",
        "seat 2, counter",
    ]
    panel.close()
    with pytest.raises(OSError, match="ioctl"):
        KernelLines("/dev/null").i2c(0x70)
