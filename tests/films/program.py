"""The program before a film: the one place that knows how it is asked what it would do."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from companion.core.questions import Answer
from companion.core.session import Session
from companion.core.understand import Sighted
from companion.recognition import reading
from companion.table.proposals import Door, Heed, LiesThere
from tests.films.evenings import Evening
from vision.codebook import Codebook
from vision.decode import Reader
from vision.track import Tracker
from vision.virtual_film import frames
from vision.worker import GENTLE


class Happened(Struct, frozen=True):
    """Something the program did: an answer, an offer, a refusal, or that it was disturbed."""

    at: float
    kind: str
    components: tuple[str, ...]


class _Loose:
    """A play nobody writes down."""

    id = 1

    def __init__(self, session: Session) -> None:
        self.session = session

    def answer(self, answer: Answer, at: float) -> None:
        self.session = self.session.answer(answer, at)


def watch(evening: Evening) -> Iterator[Happened]:
    """What the program does while it sees this film."""
    game = evening.session.game
    labels = Codebook(reading.book(game).texts.values())
    reader, tracker, door = Reader(labels, clock=time.process_time), Tracker(), Door()
    play: Any = _Loose(evening.session)
    door.enter(play)
    looked, free_at, was = -GENTLE, 0.0, True
    for frame in frames(evening.film):
        if not frame.waiting and frame.at - looked < GENTLE:
            continue
        looked = frame.at
        if frame.waiting != was or (free_at and frame.at >= free_at):
            was, free_at = frame.waiting, 0.0
            yield from _came(door.heed(Heed("now" if was else "later"), frame.at), frame.at)
        tracker, news = tracker.see(reader.read(frame.picture, waiting=frame.waiting), frame.at)
        for cards in reading.pictures(game, news):
            for what in _came(door.see(cards, frame.at), frame.at):
                if what.kind == "offer":
                    free_at = frame.at + 4  # somebody says that it meant nothing
                yield what


def _came(outcomes: Any, at: float) -> Iterator[Happened]:
    kinds = {"accepted": "answer", "choose": "offer", "refused": "refusal"}
    for outcome in outcomes:
        if not isinstance(outcome.meaning, LiesThere) and outcome.how in kinds:
            card = (outcome.signal.component,) if isinstance(outcome.signal, Sighted) else ()
            yield Happened(at, kinds[outcome.how], card)
