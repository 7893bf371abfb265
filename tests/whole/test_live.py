"""A camera beside the keyboard: cards shown are answers, camera faults are sentences, and the play goes on."""

from __future__ import annotations

import io
import re
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import cv2
import pytest
from rich.console import Console

from companion import cli
from companion.core.entries import Answered
from companion.core.game import Setup, game
from companion.core.scans import CardGesture, CardInSight, LiesInSight, OutOfSight
from companion.core.understand import Sighted
from companion.core.words import Text, count, say
from companion.errors import BAD_INPUT, DONE
from companion.games.race.cards import everything as race_box
from companion.recognition import reading
from companion.terminal.any_time_commands import Heard
from companion.terminal.live import KeysAndCamera
from companion.terminal.show import Shower
from companion.terminal.watch import demonstrate
from companion.texts import render
from tests.patience import PATIENCE
from tests.whole.test_text_table import Desk, en, flat
from vision.camera_health import Frame, Health, unwell
from vision.sightings import Sighting
from vision.troubles import CameraComplaint, CameraTrouble
from vision.virtual import PRESETS, HeldCard, VirtualTable, shoot
from vision.worker import Worker

RACE = game("race")
SETUP = RACE.complete(Setup("race", ("Ania", "Bartek")))


def label(component: str, copy: int | None = None) -> str:
    """A label of this component."""
    texts = reading.book(RACE).texts
    return next(
        t for piece, t in texts.items() if piece.component == component and copy in (None, piece.copy)
    )


def hear(desk: Desk, *things: Heard) -> list[str]:
    """What is shown before the first thing is heard and after each one; then the input ends."""
    parts: list[str] = []
    waiting = iter(things)

    def ask(prompt: str) -> Heard:
        parts.append(flat(desk._since()))
        for heard in waiting:
            return heard
        raise EOFError

    with pytest.raises(EOFError):
        desk.run(ask)
    return parts


def card(component: str, seat: int | None = None) -> CardGesture:
    return shown_at_once(Sighted(component, seat))


def shown_at_once(*cards: Sighted) -> CardGesture:
    return CardGesture(tuple(CardInSight(f"{card.component} {card.seat}", card) for card in cards))


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    """A new play of Ania and Bartek."""
    made = Desk(tmp_path)
    with made.store:
        yield made


# What a card that came before the camera does


def test_cards_shown_answer_for_the_seat_that_is_asked(desk: Desk) -> None:
    shown = hear(desk, card("new-sparta"), card("old-earth"))
    assert [seat.tableau for seat in desk.play.session.state.seats] == [("new-sparta",), ("old-earth",)]
    assert en("see.read", name="New Sparta") in shown[1]
    assert en("see.read", name="Old Earth") in shown[2]


def test_a_card_of_a_players_set_answers_for_its_owner_and_stays_secret(desk: Desk) -> None:
    desk.type("new sparta", "old earth")
    shown = hear(desk, card("settle", 1))
    assert desk.question.seat == 0, "Bartek chose, Ania is still asked"
    assert en("ui.ready", seat="Bartek") in shown[1]
    assert en("see.read", name="Settle") not in shown[1]
    hear(desk, card("develop", 0))
    assert desk.question.slug != "race.action"


def test_a_refused_card_gets_the_rules_reason_and_the_question_stays(desk: Desk) -> None:
    shown = hear(desk, card("gem-world"))
    assert en("race.why.not-a-start-world") in shown[1]
    assert desk.play.session.entries == 0


def test_cards_that_lie_where_they_belong_are_ticked(desk: Desk) -> None:
    desk.type("new sparta", "old earth")
    shown = hear(desk, card("new-sparta"), card("new-sparta"))
    assert en("ui.lies-there", name="New Sparta") in shown[1]
    assert en("ui.lies-there", name="New Sparta") in shown[2]


def test_a_card_seen_lying_is_no_answer(desk: Desk) -> None:
    """After `resume` the whole table comes before the camera, and "sell the good of Gem World" is one of them."""
    worlds = ("gem world", "spice world")
    fixes = [f"fix {what} {world} ania = 1" for world in worlds for what in ("tableau", "good")]
    desk.type("old earth", "new sparta", *fixes, "consume: trade", "explore: +5")
    assert desk.question.slug == "race.sell"
    before = desk.play.session.entries
    lying = LiesInSight(CardInSight("gem", Sighted("gem-world")))
    hear(desk, lying)
    assert desk.play.session.entries == before
    shown = hear(desk, lying, card("gem-world"))  # taken up and shown on purpose
    assert en("see.read", name="Gem World") in shown[2]
    assert desk.play.session.entries == before + 1


def test_of_several_cards_at_once_people_say_which(desk: Desk) -> None:
    both = shown_at_once(Sighted("new-sparta"), Sighted("old-earth"))
    shown = hear(desk, both, "", both, "7", both, "2")
    assert en("ui.offer") in shown[1]
    assert "1 Ania: New Sparta" in shown[1]
    assert "2 Ania: Old Earth" in shown[1]
    assert "7" in shown[4]
    assert desk.play.session.state.seats[0].tableau == ("old-earth",)


def test_several_cards_at_once_that_tell_their_seats_are_confirmed_at_once(desk: Desk) -> None:
    desk.type("new sparta", "old earth")
    shown = hear(desk, shown_at_once(Sighted("settle", 1), Sighted("develop", 0)), "")
    assert "Settle" not in shown[1], "a secret"
    for seat, action in (("Ania", "develop"), ("Bartek", "settle")):
        revealed = count("race.reveals", 1, what=(race_box("first")[action].called,))
        assert en("core.of-seat", seat=seat, text=revealed) in shown[2]


def test_a_card_that_could_be_several_seats_asks_whose_it_is(desk: Desk) -> None:
    desk.type("new sparta", "old earth", "settle", "settle")
    assert desk.question.slug == "race.place"
    shown = hear(desk, card("gem-world"), "2")
    assert en("ui.whose") in shown[1]
    assert "1 Ania: a card" in shown[1], "what people settle is a secret until all have chosen"
    assert "2 Bartek: a card" in shown[1]
    entry = desk.play.session.moments[-1].entry
    assert entry is not None
    assert isinstance(entry.deed, Answered)
    assert entry.deed.answer.seat == 1


def test_what_the_camera_says_is_shown_in_the_language_of_the_table(tmp_path: Path) -> None:
    desk = Desk(tmp_path, language="pl")
    with desk.store:
        shown = hear(desk, say("see.camera-back"), card("new-sparta"), "pauza", say("see.camera-back"), "")
        assert "Kamera znów działa." in shown[1]
        assert "Kamera odczytała: New Sparta." in shown[2]
        assert "Kamera znów działa." in shown[4]


class Sharp:
    """DemoCamera that read whatever they are shown in its second picture."""

    frames = 0

    def show(self, component: str, seat: int | None) -> Sighted:
        self.frames += 2
        return Sighted(component, seat)


def test_what_bots_show_in_secret_is_told_only_after_it_is_revealed() -> None:
    shown = io.StringIO()
    show = Shower(Console(file=shown, width=200, highlight=False), "en")
    demonstrate(RACE, SETUP, 1, show, lambda: None, Sharp())  # type: ignore[arg-type]
    cards = {render(c.called, "en") for c in RACE.catalogue(SETUP, {}) if c.id not in reading.book(RACE).sets}
    revealed: list[str] = []
    told: list[str] = []
    for line in shown.getvalue().splitlines():
        words = re.search(r"(reveals|camera read) (.+?)(?: in 2 pictures)?\.?\s*$", line)
        if words is None or words[2] not in cards:
            continue
        (revealed if words[1] == "reveals" else told).append(words[2])
        assert set(told[2:]) <= set(revealed), line
    assert sorted(told[2:]) == sorted(revealed), "the first two are the start worlds, which are no secret"
    assert len(revealed) > 5


# From pictures to what is heard


class Time:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


class Film:
    """A camera that has a health of our choice, and no pictures."""

    health_now = Health(True, what="starting")

    def read(self, *, soon: bool = False) -> Frame | None:
        return None

    def health(self) -> Health:
        return self.health_now

    def close(self) -> None: ...


class Blind:
    def read(self, picture: object, *, waiting: bool = True, brief: bool = False) -> tuple[Sighting, ...]:
        return ()


def test_labels_held_to_the_virtual_camera_are_heard_as_cards(capsys: pytest.CaptureFixture[str]) -> None:
    clock, both = Time(), KeysAndCamera(RACE, (((0, 0, 100, 100), 1),))
    table = VirtualTable(PRESETS["good-lamp"], 1, clock=clock)
    worker = Worker(table, reading.reader(RACE), clock, both.wake)
    worker.wait_for_scan(True)
    both.watch(worker)

    def film(seconds: float) -> None:
        for _ in range(round(seconds * 10)):
            clock.now += 0.1
            worker.process_newest()

    def heard() -> Sighted:
        gesture = both.ask("> ")
        assert isinstance(gesture, CardGesture)
        (only,) = gesture.cards
        return only.card

    film(1)
    table.hold_up(label("new-sparta"))
    film(0.9)
    assert heard() == Sighted("new-sparta", 1), "the whole picture is Bartek's"
    table.hold_up(None)
    film(2)
    table.hold_up(label("settle", 1))
    film(0.9)
    assert heard() == Sighted("settle", 0), "it is of Ania's own set"
    film(0.9)
    both.type("quit\n")
    heard_last = [both.ask("> ") for _ in range(2)]
    assert isinstance(heard_last[0], OutOfSight)
    assert heard_last[1] == "quit"  # a card that is still there is no news
    assert capsys.readouterr().out.endswith("> "), "what is gone makes no noise"
    both.listen(io.StringIO("undo 2\n"))
    assert both.ask("> ") == "undo 2"
    with pytest.raises(EOFError):
        both.ask("> ")


def test_a_camera_that_ails_is_told_of_once_and_so_is_its_recovery() -> None:
    both, film = KeysAndCamera(RACE), Film()
    woken: list[str] = []

    def wake() -> None:
        woken.append(film.health_now.what)
        both.wake()

    worker = Worker(film, Blind(), Time(), wake)
    both.watch(worker)

    def next_heard() -> str:
        assert worker.check()
        both.type("line\n")
        heard = both.ask("> ")
        return render(heard, "pl") if isinstance(heard, Text) else str(heard)

    assert next_heard() == "line"
    film.health_now = unwell("gone", CameraComplaint("stopped", {"source": "usb:0"}))
    told = next_heard()
    assert told.startswith(
        "usb:0 przestało dawać obrazy. Sprawdź kabel i zasilanie. Graj dalej z klawiatury;"
    )
    assert next_heard() == "line"
    film.health_now = Health(True)
    assert next_heard() == "Kamera znów działa."
    assert woken == ["starting", "gone", ""]
    film.health_now = unwell("over", CameraComplaint("unreadable", {"source": "x"}))
    assert not worker.check(), "there is nothing more to look at"


# The whole program


class Patient(io.StringIO):
    """A keyboard on which each line is typed only when certain words have been shown."""

    def __init__(self, *lines: tuple[str, str]) -> None:
        super().__init__()
        self.lines, self.shown, self.change = list(lines), "", threading.Condition()

    def readline(self, size: int | None = -1, /) -> str:
        if not self.lines:
            return ""
        words, line = self.lines.pop(0)
        with self.change:
            came = self.change.wait_for(lambda: words in self.shown, timeout=PATIENCE)
        return line + "\n" if came else ""


class Watched(io.StringIO):
    """A screen that tells the keyboard what is on it."""

    def __init__(self, keys: Patient) -> None:
        super().__init__()
        self.keys = keys

    def write(self, words: str, /) -> int:
        with self.keys.change:
            self.keys.shown += words
            self.keys.change.notify_all()
        return len(words)


@pytest.fixture
def typed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., str]:
    """Run a command with a patient keyboard; what it showed."""
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path / "home"))

    def run(command: list[str], *lines: tuple[str, str]) -> str:
        keys = Patient(*lines)
        monkeypatch.setattr("sys.stdin", keys)
        monkeypatch.setattr("sys.stdout", Watched(keys))
        assert cli.main(command) == DONE
        return keys.shown

    return run


def test_a_play_with_a_folder_of_pictures_as_its_camera(tmp_path: Path, typed: Callable[..., str]) -> None:
    folder = tmp_path / "pictures"
    folder.mkdir()
    lamp = PRESETS["good-lamp"]
    held = {"empty": None, "first": "new-sparta", "second": "old-earth"}
    for name, component in held.items():
        card = None if component is None else HeldCard(label(component))
        cv2.imwrite(str(folder / f"{name}.jpg"), shoot((), lamp, 1, held=card).picture)
    pictures = ["empty"] * 10 + ["first"] * 6 + ["empty"] * 40 + ["second"] * 6
    times = [f"{name}.jpg {n / 10:.1f}" for n, name in enumerate(pictures)]
    (folder / "times.txt").write_text("\n".join(times))
    shown = typed(
        ["play", "race", "--seats", "Ania,Bartek", "--camera", str(folder), "--language", "en"],
        ("Go on at the keyboard.", "history"),
        ("Old Earth", "q"),
    )
    assert "The camera read New Sparta." in shown
    assert "The camera read Old Earth." in shown
    assert "Pictures read: 62; damaged: 0. Go on at the" in shown
    shown = typed(
        ["resume", "--camera", str(folder), "--language", "pl"], ("Graj dalej z klawiatury.", "koniec")
    )
    assert "New Sparta już tam leży" in shown


def test_a_camera_that_cannot_be_is_refused_and_one_that_fails_is_done_without(
    tmp_path: Path,
    typed: Callable[..., str],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert (
        cli.main(["play", "race", "--seats", "A,B", "--camera", "nowhere", "--language", "en"]) == BAD_INPUT
    )
    assert "nowhere" in capsys.readouterr().err
    assert cli.main(["resume", "--language", "en"]) == BAD_INPUT, "no play was begun"

    def broken(*_: object) -> None:
        raise CameraTrouble("pi-not-installed")

    monkeypatch.setattr("companion.terminal.live.open_camera", broken)
    command = ["play", "race", "--seats", "A,B", "--camera", "pi", "--language", "en"]
    shown = flat(typed(command, ("which start world", "4"), ("B: which start world", "q")))
    assert "sudo apt install python3-picamera2 Go on at the keyboard." in shown
    assert "Everything is saved." in shown
