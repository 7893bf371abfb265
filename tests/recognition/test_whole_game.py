"""A game of Race before a virtual camera without a single label: every card was laid down once before.

Bots play; a card they choose is held up, everything else is tapped. The short test plays until a few cards were
held up, the campaign a whole game, having taught the whole box in a lesson.
"""

from __future__ import annotations

import statistics
from random import Random
from typing import Any

import cv2
import numpy as np
import pytest
from msgspec import Struct
from msgspec.structs import replace

from companion.core.autoplay import next_answer
from companion.core.game import Setup
from companion.core.questions import Answer
from companion.core.session import begin
from companion.core.understand import Accept
from companion.recognition import faces, reading
from companion.recognition.face_lesson import FaceLesson
from companion.table.signal_intake import Offer, ScanMode, SignalIntake
from tests.recognition.drawn_box import ART, CARD, RACE, DrawnSpot
from vision.codebook import Codebook
from vision.decode import Reader
from vision.face_reader import FaceReader, LabelsAndFaces
from vision.faces import FaceIndex
from vision.virtual import VirtualTable
from vision.virtual_light import PRESETS
from vision.watcher import Watcher
from workshop.film_replay import PlayCopy

LONGEST = 30
"""Looks, a tenth of a second each, after which a card that is held up counts as missed."""


class Tally(Struct):
    """What became of the cards that were held up."""

    shown: int = 0
    taken: int = 0
    wrong: int = 0
    offered: int = 0
    delays: list[float] = []


def drawn() -> FaceIndex:
    """The index of the whole box, from small clean pictures: quick."""
    pictures: dict[str, Any] = {}
    for component in reading.book(RACE).catalogue:
        pictures[component.id] = cv2.resize(ART(component.id, CARD), (140, 198), interpolation=cv2.INTER_AREA)
    return faces.index_of(RACE, pictures)


def taught() -> FaceIndex:
    """The same, taught card by card in a lesson."""
    spot, lesson = DrawnSpot(), FaceLesson(RACE, {})
    pictures: dict[str, Any] = {}
    for _ in range(3):
        lesson.see(*spot.frame())
    while lesson.next is not None:
        spot.clear()
        spot.lay(lesson.next, float(lesson.told % 7) * 3 - 9, float(lesson.told % 5) * 3 - 6)
        for _ in range(4):
            laid = lesson.see(*spot.frame())
            if laid is not None:
                assert laid.what == "taught", laid.other
                pictures[laid.component] = laid.picture
                break
        else:
            raise AssertionError(f"{lesson.next} was not taught")
    assert lesson.told == lesson.total > 95
    return faces.index_of(RACE, pictures)


class Table:
    """A play, a camera above it, and the bots."""

    def __init__(self, index: FaceIndex, seed: int) -> None:
        self.now = 1000.0
        self.random = Random(seed)
        setup = RACE.complete(Setup("race", ("Ania", "Bartek"), {}))
        self.bots = RACE.bots(setup, self.random)
        state = RACE.start(setup)
        self.bots.follow(state, state.news)
        self.play = PlayCopy(begin(RACE, setup, self.now))
        self.intake = SignalIntake()
        self.intake.enter(self.play)
        self.camera = VirtualTable(
            replace(PRESETS["good-lamp"], shake=0.5),
            3,
            size=(800, 450),
            width=380.0,
            fps=10,
            clock=lambda: self.now,
        )
        whose = {text: piece.component for piece, text in reading.book(RACE).texts.items()}
        self.camera.art = lambda text, card: ART(whose[text], card)
        self.watcher = Watcher(LabelsAndFaces(Reader(Codebook(())), FaceReader(index)))
        self.tally = Tally(delays=[])

    def look(self) -> list[Any]:
        self.now += 0.1001
        frame = self.camera.read()
        assert frame is not None
        _, news = self.watcher.process(frame, waiting=True)
        told = reading.camera_news(RACE, news)
        return [outcome for one in told for outcome in self.intake.see(one, self.now)]

    def show(self, component: str, seat: int | None) -> bool:
        """Hold a card up until it is taken; false if it is not."""
        for _ in self.intake.set_scan_mode(ScanMode("now", seat), self.now):
            pass
        text = faces.texts(RACE, component)[-1]
        self.camera.hold_up(text, distance=250.0, size=0.0)
        self.tally.shown += 1
        began, before, done = self.now, self.play.session, False
        for _ in range(LONGEST):
            outcomes = self.look()
            self.tally.offered += sum(isinstance(outcome.meaning, Offer) for outcome in outcomes)
            answered = [
                one.meaning.answer for one in outcomes if isinstance(one.meaning, Accept) and one.changed
            ]
            for answer in answered:
                question = next(
                    q for q in before.questions() if (q.seat, q.slug) == (answer.seat, answer.slug)
                )
                option = question.option(answer.option)
                if option is None or option.component != component:
                    self.tally.wrong += 1
            if answered:
                done = True
                self.tally.taken += 1
                self.tally.delays.append(self.now - began)
                break
        self.camera.hold_up(None)
        for _ in range(12):
            assert not [one for one in self.look() if isinstance(one.meaning, Accept)]
        return done

    def step(self) -> None:
        """The bots' next answer, shown or tapped."""
        session = self.play.session
        answer = next_answer(session.state, self.bots, self.random)
        question = next(q for q in session.questions() if (q.seat, q.slug) == (answer.seat, answer.slug))
        option = question.option(answer.option)
        component = None if option is None else option.component
        alone = component is not None and sum(one.component == component for one in question.options) == 1
        hold = alone and component not in RACE.on_table(session.state)
        if not (hold and component is not None and self.show(component, answer.seat)):
            list(self.intake.propose(Answer(answer.seat, answer.slug, answer.option), self.now))
        self.bots.follow(self.play.session.state, self.play.session.state.news)


def test_cards_held_up_are_known_by_their_faces_alone() -> None:
    table = Table(drawn(), 5)
    for _ in range(10):
        table.look()
    for _ in range(200):
        table.step()
        if table.tally.shown == 3:
            break
    assert (table.tally.shown, table.tally.taken, table.tally.wrong) == (3, 3, 0)
    assert max(table.tally.delays) < 1.2


@pytest.mark.campaign
def test_a_whole_game_without_a_label() -> None:
    table = Table(taught(), 7)
    for _ in range(10):
        table.look()
    while not table.play.session.over:
        table.step()
    tally = table.tally
    print(
        f"held up {tally.shown}, taken {tally.taken}, wrong {tally.wrong}, offers {tally.offered}, "
        f"median {statistics.median(tally.delays):.2f} s, 95 % within {np.percentile(tally.delays, 95):.2f} s"
    )
    assert tally.wrong == 0
    assert tally.taken >= 0.9 * tally.shown
