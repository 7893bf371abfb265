"""A film shown to a copy of a play: what the companion would have done at the table, and why."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Literal

from msgspec import Struct

from companion.core.play import Play
from companion.core.questions import Answer
from companion.core.scans import (
    CameraNews,
    CardInSight,
    Gesture,
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
from companion.table.proposals import Door, Heed, Outcome
from vision.camera_watch import Frame
from vision.label_news import Disturbed, LabelNews
from vision.watcher import Reads, Watcher

Kind = Literal["answer", "offer", "choice", "tick", "refusal", "disturbed", "seen", "gone"]


class Happening(Struct, frozen=True):
    """What came of the film at one moment; `labels` are those it was about, `why` is what people would be told."""

    at: float
    kind: Kind
    labels: tuple[str, ...] = ()
    answers: tuple[Answer, ...] = ()
    why: Text | None = None


class PlayCopy(Play):
    """A play nobody journals: the door does to it what it would do to the play itself."""

    def __init__(self, session: Session) -> None:
        self.id, self.session, self.parting = 0, session, None

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
    heed: Heed = Heed(),  # noqa: B008 - a frozen value
) -> Iterator[Happening]:
    """Everything that would have happened; the play goes on with each answer. `waiting` tells when somebody was at the
    table, rather than on another screen."""
    door, copy = Door(), PlayCopy(session)
    door.enter(copy)
    watcher = Watcher(reader or reading.reader(session.game), None if spot is None else parts(spot))
    seats = seats_in(session.setup.seats, zones or {})
    for frame in frames:
        here = waiting(frame.at)
        # Every time: a door that asked which card is meant heeds none until then, and in a film nobody tells it.
        for outcome in door.heed(heed if here else Heed("later"), frame.at):
            yield from _told(outcome, (), frame.at)
        _, news = watcher.look(frame, waiting=here)
        yield from _happened(door, copy, news, seats, frame.at)


def _happened(
    door: Door, copy: PlayCopy, news: tuple[LabelNews, ...], seats: reading.Seats, at: float
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
        for outcome in door.see(told, at):
            yield from _told(outcome, labels, at)


def _labels(told: CameraNews) -> tuple[str, ...]:
    match told:
        case Gesture(cards):
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
