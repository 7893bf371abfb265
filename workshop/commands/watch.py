"""Shows a film to a copy of a play and prints everything that would have been done."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import msgspec

from companion.commands.shared import Help, Options, journal
from companion.core.play import Play
from companion.core.session import Session
from companion.core.words import count, decimal, say
from companion.errors import DONE
from companion.recognition import zones
from companion.table.settings import load, settings_path
from companion.texts import render

if TYPE_CHECKING:
    from vision.camera import Camera, Frame
    from workshop.film_replay import Happening

QUIETLY = ("seen", "gone")
"""Events printed only if everything was asked for."""


def arguments(parser: argparse.ArgumentParser, t: Help) -> None:
    """Which film, and which play."""
    parser.add_argument("film", metavar="FILM", help=t("film"))
    parser.add_argument("--play", type=int, required=True, metavar="PLAY", help=t("watch-play"))
    parser.add_argument("--spot", metavar="ZONE", help=t("watch-spot"))
    parser.add_argument("--all", action="store_true", help=t("watch-all"))
    parser.add_argument("--json", action="store_true", help=t("json"))


def run(options: Options) -> int:
    """Show a film to a copy of a play and print what it would have done; the play itself stays unchanged."""
    from companion.recognition.camera_troubles import no_pictures
    from vision.camera import open_camera
    from workshop.film_replay import watch

    kept = load(settings_path())
    spot = kept.spot if options.spot is None else zones.parse(options.spot)
    with journal() as (journaled, binder):
        session = Play.resume(options.play, journaled, binder).session
    camera = open_camera(options.film, lambda: 0.0)
    told: Counter[str] = Counter()
    film = _Film(camera)
    try:
        for happening in watch(session, film, zones=kept.zones, spot=spot):
            told[happening.kind] += 1
            if options.all or happening.kind not in QUIETLY:
                _tell(session, happening, options)
    finally:
        camera.close()
    if not film.frames:
        raise no_pictures(camera.health())
    if not options.json:
        summary = count(
            "see.watched",
            film.frames,
            seconds=decimal(film.seconds),
            answers=told["answer"],
            offers=told["offer"] + told["choice"],
            refusals=told["refusal"],
        )
        print(render(summary, options.language))
    return DONE


class _Film:
    """The frames of a recording, counted."""

    def __init__(self, camera: Camera) -> None:
        self._camera = camera
        self.frames, self.seconds = 0, 0.0

    def __iter__(self) -> Iterator[Frame]:
        while (frame := self._camera.read()) is not None:
            self.frames, self.seconds = self.frames + 1, frame.at
            yield frame


def _tell(session: Session, happening: Happening, options: Options) -> None:
    """Print one line: JSON for programs, or a sentence for people."""
    from companion.recognition.labels import find

    found = [find(label) for label in happening.labels]
    components = [piece.component for _, piece in filter(None, found)]
    why = "" if happening.why is None else render(happening.why, options.language)
    if options.json:
        print(msgspec.json.encode(_plain(happening, components, why)).decode())
        return
    what = render(say(f"see.watch-{happening.kind}"), options.language)
    names = [render(session.catalogue[component].called, options.language) for component in components]
    seats = session.setup.seats
    answers = [
        f"{'' if answer.seat is None else seats[answer.seat] + ': '}{answer.slug} = {answer.option}"
        for answer in happening.answers
    ]
    parts = [f"{happening.at:8.2f}", what, ", ".join(names), "; ".join(answers), why]
    print("  ".join(part for part in parts if part))


def _plain(happening: Happening, components: list[str], why: str) -> dict[str, Any]:
    return {
        "at": round(happening.at, 3),
        "kind": happening.kind,
        "labels": happening.labels,
        "components": components,
        "answers": [
            {"seat": answer.seat, "question": answer.slug, "option": answer.option}
            for answer in happening.answers
        ],
        "why": why,
    }
