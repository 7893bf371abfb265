"""Teaches the camera what the components of a box look like, one after another."""

from __future__ import annotations

import argparse
import os
import sys
import time
from pathlib import Path

from companion.commands.shared import Help, Options, shower
from companion.core.game import Game, game
from companion.core.sqlite_file import default_path
from companion.core.words import count, say
from companion.errors import DONE, DataTrouble, Unknown
from companion.recognition import camera_troubles, face_lesson, face_pictures, faces, reading
from companion.recognition.face_lesson import FaceLesson
from companion.table.settings import chosen_camera
from companion.terminal.asking import line
from companion.terminal.show import Shower
from vision.camera import Camera, open_camera
from vision.face_reader import FaceReader

ALL = "all"


def arguments(parser: argparse.ArgumentParser, t: Help) -> None:
    """Which game, and which camera."""
    parser.add_argument("game", help=t("game"))
    parser.add_argument("source", nargs="?", metavar="SOURCE", help=t("source"))
    parser.add_argument("--only", nargs="+", metavar="ID", help=t("only"))
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--list", action="store_true", help=t("faces-list"))
    what.add_argument("--share", metavar="FOLDER", help=t("faces-share"))
    what.add_argument("--take", metavar="FOLDER", help=t("faces-take"))
    what.add_argument("--forget", nargs="+", metavar="ID", help=t("faces-forget"))


def run(options: Options) -> int:
    """Teach until the pictures end, everything is known, or somebody stops it."""
    rules, show = game(options.game), shower(options)
    folder = default_path(os.environ).parent
    if options.forget:
        return _forget(rules, options.forget, show)
    if options.share or options.take:
        source, target = (folder, Path(options.share)) if options.share else (Path(options.take), folder)
        copied = face_pictures.copy(source, target, (rules.id,))
        show.say(count("faces.copied", copied, folder=str(target)), "green")
        show.say(say("faces.shared" if options.share else "faces.art"), "dim")
        return DONE
    known = {id: face_pictures.look_up(folder, rules.id, id) for id in faces.taught(folder, rules)}
    lesson = FaceLesson(rules, {id: picture for id, picture in known.items() if picture is not None})
    show.say(say("faces.told", told=lesson.told, total=lesson.total))
    if options.list:
        return DONE
    for words in reversed(options.only or ()):
        lesson.choose(reading.book(rules).catalogue.find(words).id)
    show.say(say("faces.how"))
    show.say(say("faces.art"), "dim")
    camera = open_camera(options.source or chosen_camera())
    try:
        _teach(rules, lesson, camera, show)
    finally:
        camera.close()
    show.say(say("faces.told", told=lesson.told, total=lesson.total))
    return DONE


def _forget(rules: Game, which: list[str], show: Shower) -> int:
    folder = default_path(os.environ).parent
    known = faces.taught(folder, rules)
    box = reading.book(rules).catalogue
    meant = known if which == [ALL] else tuple(box.find(words).id for words in which)
    missing = tuple(box[id].called for id in meant if id not in known)
    if missing:
        raise Unknown(say("faces.nothing", names=missing))
    for id in meant:
        face_pictures.throw_away(folder, rules.id, id)
    show.say(say("faces.removed", names=tuple(box[id].called for id in meant)))
    return DONE


def _teach(rules: Game, lesson: FaceLesson, camera: Camera, show: Shower) -> None:
    folder, box, named = default_path(os.environ).parent, reading.book(rules).catalogue, ""
    seen = False
    while lesson.next is not None:
        if lesson.next != named:
            named = lesson.next
            show.say(say("faces.next", name=box[named].called), "bold")
        frame = camera.read()
        if frame is None:
            if not camera.health().ok:
                if not seen:
                    raise camera_troubles.no_pictures(camera.health())
                return
            time.sleep(0.01)  # until the next picture
            continue
        seen = True
        laid = lesson.see(frame.picture, frame.at)
        if laid is None:
            continue
        if laid.what != "copy":
            face_pictures.keep(folder, rules.id, laid.component, laid.picture)
        show.say(face_lesson.words_of(rules, laid), "yellow" if laid.what == "twin" else "")
        if lesson.check_due and sys.stdin.isatty():
            _check(rules, lesson, camera, show)
    show.say(say("faces.all"), "green")


def _check(rules: Game, lesson: FaceLesson, camera: Camera, show: Shower) -> None:
    """The names of what was taught lately, as the camera knows them, in the order in which they lie."""
    line(say("faces.check-type"), show.language)
    reader, box = FaceReader(lesson.index()), reading.book(rules).catalogue
    began = time.monotonic()
    found: tuple[str, ...] = ()
    while time.monotonic() - began < reading.LONGEST_SWEEP and reader.rounds < 2:
        frame = camera.read()
        if frame is not None:
            found = face_lesson.in_rows(rules, reader, frame.picture)
    names = tuple(box[id].called for id in found)
    show.say(say("faces.seen", names=names) if names else say("faces.none-yet"))
    while said := line(say("faces.check-wrong"), show.language).strip():
        try:
            wrong = box.find(said).id
        except (Unknown, DataTrouble) as trouble:
            show.say(trouble.text, "yellow")
            continue
        lesson.forget(wrong)
        face_pictures.throw_away(default_path(os.environ).parent, rules.id, wrong)
        show.say(say("faces.forgotten", name=box[wrong].called))
    lesson.lately.clear()
    lesson.begin_again()
