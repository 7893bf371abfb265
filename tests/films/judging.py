"""Judges the result of a film: invented answers, shows that were accepted and how soon, offers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from msgspec import Struct

from companion.recognition import reading
from tests.films.evenings import FilmedEvening
from workshop.film_replay import Happening

GRACE = 1.5
"""Seconds after a show within which it may still be taken."""


class Verdict(Struct, frozen=True):
    """What is to be said of one film, or of many together."""

    seconds: float = 0.0
    frames: int = 0
    events: Counter[str] = Counter()
    unasked: tuple[tuple[str, float, str], ...] = ()
    """Invented answers: during or after what, when, which labels."""
    expected: int = 0
    delays: tuple[float, ...] = ()
    """Of shows that were taken: seconds since the card was still and readable."""
    missed: tuple[tuple[str, float, str], ...] = ()
    """Shows that were not taken: in which way, when, which label."""
    offers: int = 0
    refusals: int = 0
    disturbed: int = 0

    def __add__(self, other: Verdict) -> Verdict:
        return Verdict(
            self.seconds + other.seconds,
            self.frames + other.frames,
            self.events + other.events,
            self.unasked + other.unasked,
            self.expected + other.expected,
            self.delays + other.delays,
            self.missed + other.missed,
            self.offers + other.offers,
            self.refusals + other.refusals,
            self.disturbed + other.disturbed,
        )


def judge(evening: FilmedEvening, happened: Iterable[Happening], frames: int = 0) -> Verdict:
    """Compare what a program did with what was shown to it.

    After an invented answer, or a show that was missed, the play is another than the film was written for: later
    shows are not counted any more, later answers are.
    """
    film, game = evening.film, evening.session.game
    happened = list(happened)
    unasked: list[tuple[str, float, str]] = []
    taken: dict[int, float] = {}
    astray = float("inf")

    def component(label: str) -> str:
        piece = reading.book(game).piece(label)
        return "" if piece is None else piece.component

    for what in happened:
        if what.kind != "answer":
            continue
        shown = [
            n
            for n, show in enumerate(film.shows)
            if n not in taken
            and not show.together  # of two people nobody knows who is meant
            and show.start - 0.3 <= what.at <= show.end + GRACE
            and (
                show.label in what.labels
                or (film.faces and component(show.label) in map(component, what.labels))
            )
        ]
        if shown:
            taken[shown[0]] = max(0.0, what.at - film.shows[shown[0]].start)
            if shown[0] not in evening.expected:  # as good as an offer, but the play goes another way
                astray = min(astray, what.at)
        else:
            started = [e.kind for e in film.events if e.start <= what.at]
            unasked.append(
                (started[-1] if started else "nothing", what.at, ", ".join(map(component, what.labels)))
            )
            astray = min(astray, what.at)
    counted: list[int] = []
    missed: list[tuple[str, float, str]] = []
    for n in evening.expected:
        show = film.shows[n]
        if show.start > astray or missed:
            break
        counted.append(n)
        if n not in taken:
            missed.append((show.kind, show.start, show.label))
    return Verdict(
        film.length,
        frames,
        Counter(event.kind for event in film.events),
        tuple(unasked),
        len(counted),
        tuple(taken[n] for n in counted if n in taken),
        tuple(missed),
        sum(what.kind in ("offer", "choice") for what in happened),
        sum(what.kind == "refusal" for what in happened),
        sum(what.kind == "disturbed" for what in happened),
    )
