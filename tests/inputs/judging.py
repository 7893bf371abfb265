"""Feeds data to one input and judges it: what it accepts, what it refuses and in which words, and what that
costs.

The property tests of `./test` and the fuzzer (`benchmarks/fuzz.py`) judge alike, because both use this
module.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from pathlib import Path

from msgspec import Struct

from companion.core.game import every_game
from companion.core.words import Text
from companion.errors import DataTrouble, Trouble
from companion.recognition.camera_troubles import trouble_text
from companion.table.panel_words import problem_text, text_of
from companion.texts import LANGUAGES, render
from devices.wiring_config import BadWiring, NoWiring
from vision import CameraTrouble

MOST_SECONDS, MOST_MEGABYTES = 2.0, 200
"""Of processor for one piece of data; by which memory may grow over all of them."""
LONGEST = 20_000
"""Letters of a refusal: a page or two."""
ODD = (
    b"-1",
    b"0",
    b"1e999",
    b"9" * 30,
    b"null",
    b"true",
    b'""',
    b"[]",
    b"{}",
    b"[" * 100,
    b"\x1b[2J",
    b"\xff",
    b"\0",
)
"""Values that mean something to many inputs, often unforeseen."""


class FuzzedInput(Struct, frozen=True):
    """Where something comes in: what reads it, whole things that are let in, and words that mean something there."""

    name: str
    open: Callable[[bytes, Path], object]
    """Takes what was handed in, with an empty folder of its own to work in; raises `Trouble` to refuse it."""
    seeds: Callable[[], Iterable[bytes]]
    words: tuple[bytes, ...] = ()
    ready: Callable[[], object] = every_game
    """Makes what is made once for a process, before seconds and megabytes are counted."""
    seconds: float = MOST_SECONDS
    megabytes: int = MOST_MEGABYTES


class Opened(Struct, frozen=True):
    """What came of one piece of data: every sentence of a refusal in every language, none if it was let in."""

    refused: tuple[str, ...] = ()


def feed(target: FuzzedInput, data: bytes, folder: Path) -> Opened:
    """Hand this in; raises `AssertionError` for a refusal nobody can read, and for one that takes too long."""
    began = time.process_time()
    try:
        target.open(data, folder)
        texts: tuple[Text, ...] = ()
    except (Trouble, CameraTrouble, BadWiring, NoWiring) as trouble:
        texts = sentences(trouble)
        assert texts
    took = time.process_time() - began
    assert took < target.seconds, f"{target.name}: {took:.1f} s of processor for {data[:200]!r}"
    return Opened(tuple(readable(text, language) for text in texts for language in LANGUAGES))


def sentences(trouble: Exception) -> tuple[Text, ...]:
    """Everything a trouble says."""
    match trouble:
        case DataTrouble():
            return (trouble.text, *trouble.problems)
        case Trouble():
            return (trouble.text,)
        case CameraTrouble():
            return (trouble_text(trouble),)
        case BadWiring():
            return (text_of(trouble.words), *map(problem_text, trouble.problems))
        case NoWiring():
            return (text_of(trouble.words),)
    raise trouble


def readable(text: Text, language: str) -> str:
    """The sentence as people get it: there is one, it is not endless, and nothing in it steers a terminal."""
    shown = render(text, language)
    assert shown.strip() not in ("", text.key), f"no words for {text.key} in {language}"
    assert len(shown) < LONGEST, f"{text.key} has {len(shown)} letters"
    assert harmless(shown), f"{text.key}: {shown[:300]!r}"
    return shown


def harmless(shown: str) -> bool:
    """Whether nothing in these words steers a terminal."""
    return all(letter.isprintable() or letter in "\n\N{NO-BREAK SPACE}" for letter in shown)


def megabytes() -> float:
    """What this process holds in memory now."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * 4096 / 1e6
