"""Shows a film to a copy of a play: what the companion would have done at the table, and why."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Literal

from msgspec import Struct

from companion.core.play import Play
from companion.core.questions import Answer
from companion.core.scans import (
    CameraNews,
    CardGesture,
    CardInSight,
    LiesInSight,
    OfAnotherBox,
    Offer,
    OutOfSight,
)
from companion.core.session import Session
from companion.core.understand import Accept, Choose
from companion.core.words import Text, say
from companion.recognition import reading
from companion.recognition.camera_troubles import disturbance
from companion.recognition.zones import Zone, parts
from companion.table.desk import seats_in
from companion.table.signal_intake import SignalIntake
from companion.table.signals import Outcome, ScanMode
from vision.camera_health import Frame
from vision.label_news import Disturbed, LabelNews
from vision.watcher import Reads, Watcher

HappeningKind = Literal["answer", "offer", "choice", "tick", "refusal", "disturbed", "seen", "gone"]


class Happening(Struct, frozen=True):
    """An effect of the film at one moment; `labels` are those it was about, `why` is what people would be told."""

    at: float
    kind: HappeningKind
    labels: tuple[str, ...] = ()
    answers: tuple[Answer, ...] = ()
    why: Text | None = None


class PlayCopy(Play):
    """A play without a journal: the intake treats it like the play itself."""

    def __init__(self, session: Session) -> None:
        self.id, self.session, self.divergence = 0, session, None

    def _keep(self, session: Session, at: float) -> None:
        self.session = session


def watch(
    session: Session,
    frames: Iterable[Frame],
    *,
    zones: dict[str, Zone] | None = None,
    spot: Zone | None = None,
    reader: Reads | None = None,
    waiting: Callable[[float], bool] = lambda at: True,
    mode: ScanMode = ScanMode(),  # noqa: B008 - a frozen value
) -> Iterator[Happening]:
    """Everything that would have happened; the play goes on with each answer. `waiting` says when somebody
    was at the table rather than on another screen."""
    intake, copy = SignalIntake(), PlayCopy(session)
    intake.enter(copy)
    watcher = Watcher(reader or reading.reader(session.game), None if spot is None else parts(spot))
    seats = seats_in(session.setup.seats, zones or {})
    for frame in frames:
        here = waiting(frame.at)
        # Every time: an intake that asked which card is meant accepts none until it is told, and here nobody
        # tells it.
        for outcome in intake.set_scan_mode(mode if here else ScanMode("later"), frame.at):
            yield from _told(outcome, (), frame.at)
        _, news = watcher.process(frame, waiting=here)
        yield from _happened(intake, copy, news, seats, frame.at)


def _happened(
    intake: SignalIntake, copy: PlayCopy, news: tuple[LabelNews, ...], seats: reading.SeatZones, at: float
) -> Iterator[Happening]:
    for item in news:
        if isinstance(item, Disturbed):
            yield Happening(
                at, "disturbed", why=disturbance(item.what) if item.what else say("see.camera-back")
            )
    for told in reading.camera_news(copy.session.game, news, seats):
        labels = _labels(told)
        match told:
            case LiesInSight():
                yield Happening(at, "seen", labels)
            case OutOfSight():
                yield Happening(at, "gone", labels)
        for outcome in intake.see(told, at):
            yield from _told(outcome, labels, at)


def _labels(told: CameraNews) -> tuple[str, ...]:
    match told:
        case CardGesture(cards):
            return tuple(card.label for card in cards)
        case LiesInSight(CardInSight(label)) | OutOfSight(label) | OfAnotherBox(label):
            return (label,)


def _told(outcome: Outcome, labels: tuple[str, ...], at: float) -> Iterator[Happening]:
    match outcome.meaning:
        case Accept(answer):
            yield Happening(at, "answer", labels, (answer,), outcome.text)
        case Choose(answers, trouble):
            yield Happening(at, "choice", labels, tuple(answer for answer, _ in answers), trouble.text)
        case Offer(answers):
            if answers:
                yield Happening(at, "offer", labels, tuple(answer for answer, _ in answers), say("ui.offer"))
        case _ if outcome.how == "known":
            yield Happening(at, "tick", labels, (), outcome.text)
        case _:
            yield Happening(at, "refusal", labels, (), outcome.text)
