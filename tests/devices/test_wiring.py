"""The wiring plan: every wire is on it once, as text and drawn, in both languages."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

import devices
from devices.part_test import steps
from devices.wiring import COLUMN, MIDDLE, WIDTH, advice, by_seat, connections, shopping, svg, text
from devices.wiring_config import HEADER, SEATS, Wiring, default, read
from tests.devices.test_panel import MIXED

TABLES = [default(n, counters=bool(n % 2)) for n in SEATS] + [MIXED]


@pytest.mark.parametrize("table", TABLES)
def test_every_wire_is_there_once(table: Wiring) -> None:
    wires = connections(table)
    assert len({wire.pin for wire in wires}) == len(wires)
    assert all(HEADER[wire.pin] == wire.gpio for wire in wires)
    plan = text(table)
    for wire in wires:
        assert plan.count(f"GPIO {wire.gpio} (pin {wire.pin})") == 1
        assert f"GPIO {wire.gpio} · {wire.what}" in plan
    assert len(by_seat(table)) == len(table.seats) + 1


@pytest.mark.parametrize("table", TABLES)
def test_the_drawing_is_whole(table: Wiring) -> None:
    drawing = ET.fromstring(svg(table))
    words = [element.text or "" for element in drawing.iter("{http://www.w3.org/2000/svg}text")]
    for wire in connections(table):
        assert str(wire.what) in words
    assert {str(pin) for pin in HEADER} <= set(words)
    boxes = [
        (float(box.get("x", 0)), float(box.get("width", 0)))
        for box in drawing.iter("{http://www.w3.org/2000/svg}rect")
    ]
    assert all(x >= 0 and x + width <= WIDTH for x, width in boxes)
    assert all(x + width < COLUMN for x, width in boxes if MIDDLE < x < COLUMN)


def test_what_to_buy() -> None:
    assert [str(line) for line in shopping(MIXED)] == [
        "5 × push button, normally open",
        "2 × RGB LED",
        "6 × resistor, 330 Ω",
        "WS2812B strip with 5 lights, and a 5 V supply for it",
        "1 × level shifter 74AHCT125",
        "1 × four-digit counter with HT16K33",
        "2 × four-digit counter with TM1637",
        "1 × rotary encoder with button (such as KY-040)",
        "1 × active buzzer, 3.3 V",
    ]
    assert len(advice(MIXED)) == 9


def test_a_drawing_may_hold_any_words() -> None:
    assert ET.fromstring(svg(default(2), lambda words: f"<&\"{words.slug}'>")) is not None


def test_the_walk_misses_nothing() -> None:
    assert [(step.task, step.kind, step.seat, step.colour) for step in steps(MIXED)][:5] == [
        ("lamp", "lamp", 0, "red"),
        ("lamp", "lamp", 0, "green"),
        ("lamp", "lamp", 0, "blue"),
        ("press", "button", 0, ""),
        ("counter", "counter", 0, ""),
    ]
    assert [step.kind for step in steps(MIXED) if step.seat is None] == [
        "undo",
        "knob-press",
        "knob",
        "buzzer",
    ]
    assert len(list(steps(default(6, counters=True)))) == 6 * 3 + 4


DOCS = Path(devices.__file__).parent.parent / "docs"


def test_the_page_is_true() -> None:
    page = (DOCS / "panel.md").read_text(encoding="utf-8")
    example = page.partition("```toml\n")[2].partition("```")[0]
    assert len(read(example.encode()).seats) == 3
    assert (DOCS / "wiring.svg").read_text(encoding="utf-8") == svg(default(4, counters=True))
