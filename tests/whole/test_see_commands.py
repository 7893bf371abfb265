"""The commands that read pictures, on pictures of a virtual table."""

from __future__ import annotations

import io
import json
import os
import re
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
import segno

from companion import cli
from companion.commands.camera import preview
from companion.commands.shared import journal
from companion.core.counters import Correctable
from companion.core.game import game
from companion.core.session import begin
from companion.core.sqlite_file import default_path
from companion.core.understand import Accept, understand
from companion.core.words import plain
from companion.errors import BAD_INPUT, DEVICE, DONE, STORAGE, StorageTrouble
from companion.recognition import face_pictures, faces, reading
from companion.recognition.camera_advice import advices
from companion.recognition.camera_troubles import no_pictures, trouble_text
from companion.table.settings import chosen_camera, remember_zone, zone_of
from companion.terminal import asking
from companion.terminal.demo_camera import DemoCamera
from companion.texts import render
from tests.laws.walks import Setup
from tests.recognition.drawn_box import ART, CARD, DrawnSpot, first
from vision.camera_health import Health, unwell
from vision.troubles import WORDS, CameraComplaint, CameraTrouble
from vision.virtual import PRESETS, Lying, film, shoot, spread

RACE = game("race")
ANIA = ["old-earth", "public-works", "gem-world", "trade-league", "spice-world"]
BARTEK = ["new-sparta", "space-marines", "rebel-base", "new-galactic-order"]


def labels(components: list[str]) -> list[str]:
    """One label for each component."""
    by_component = {piece.component: text for piece, text in reading.book(RACE).texts.items()}
    return [by_component[component] for component in components]


@pytest.fixture(scope="module")
def pictures(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A picture of both tableaux, and a folder of pictures of each."""
    folder = tmp_path_factory.mktemp("pictures")
    lamp = PRESETS["good-lamp"]
    cv2.imwrite(str(folder / "both.png"), shoot(spread(labels(ANIA + BARTEK), 3), lamp, 3).picture)
    for name, cards in (("ania", ANIA), ("bartek", BARTEK)):
        (folder / name).mkdir()
        for n, shot in enumerate(film(spread(labels(cards), 1), lamp, 1, 4, arm=False)):
            cv2.imwrite(str(folder / name / f"{n}.png"), shot.picture)
    return folder


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


def run(*words: str) -> int:
    return cli.main(["--language", "en", *words])


def test_scan_names_every_card_in_a_picture(pictures: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("scan", str(pictures / "both.png"), "--json") == DONE
    found: list[dict[str, Any]] = json.loads(capsys.readouterr().out)
    assert {row["component"] for row in found} == {*ANIA, *BARTEK}
    gem = next(row for row in found if row["component"] == "gem-world")
    assert (gem["name"], gem["game"], gem["how"], len(gem["corners"])) == ("Gem World", "race", "zxing", 4)
    assert gem["pixels_per_module"] == pytest.approx(1.9, abs=0.2)


def test_pictures_are_told_with_the_names_people_gave(
    pictures: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with journal() as (_, binder):
        binder.learn("race", {"gem-world.name": "Klejnot"}, 0)
    assert run("scan", str(pictures / "both.png"), "--json") == DONE
    read = {row["component"]: row["name"] for row in json.loads(capsys.readouterr().out)}
    assert (read["gem-world"], read["old-earth"]) == ("Klejnot", "Old Earth")
    assert run("sweep", str(pictures / "ania"), "--game", "race") == DONE
    assert "Klejnot" in capsys.readouterr().out
    sweeps = [f"Ania={pictures / 'ania'}", f"Bartek={pictures / 'bartek'}"]
    run("score", "race", "--sweep", *sweeps)
    told = capsys.readouterr()
    assert "Klejnot" in told.err
    assert "Gem World" not in told.err + told.out


def test_scan_lists_foreign_codes_only_when_asked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code = np.array(segno.make("https://example.org", error="m").matrix, dtype=np.uint8)
    picture = np.pad((1 - code) * 255, 4, constant_values=255).repeat(6, 0).repeat(6, 1)
    cv2.imwrite(str(tmp_path / "foreign.png"), picture)
    assert run("scan", str(tmp_path / "foreign.png"), "--json") == DONE
    assert json.loads(capsys.readouterr().out) == []
    assert run("scan", str(tmp_path / "foreign.png"), "--any", "--json") == DONE
    (row,) = json.loads(capsys.readouterr().out)
    assert (row["code"], row["component"]) == ("https://example.org", None)
    assert run("scan", str(tmp_path / "foreign.png"), "--any") == DONE
    assert "not ours" in capsys.readouterr().out


def test_scan_reads_what_it_can_and_names_what_it_cannot(
    pictures: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "empty.png").write_bytes(b"")
    (tmp_path / "text.png").write_text("no picture")
    bad = [str(tmp_path / name) for name in ("empty.png", "text.png", "missing.png")]
    assert run("scan", str(pictures / "both.png"), *bad) == BAD_INPUT
    told = capsys.readouterr()
    assert "Gem World" in told.out
    assert all(name in told.err for name in bad)


def test_sweep_reads_a_tableau_and_compares_it_with_the_play(
    pictures: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run("sweep", str(pictures / "ania"), "--game", "race", "--json") == DONE
    swept = json.loads(capsys.readouterr().out)
    assert {row["component"] for row in swept["found"]} == set(ANIA)
    monkeypatch.setattr("sys.stdin", io.StringIO("old earth\nnew sparta\nq\n"))
    assert run("play", "race", "--seats", "Ania,Bartek") == DONE
    capsys.readouterr()
    assert run("sweep", str(pictures / "ania"), "--game", "race", "--seat", "bartek", "--json") == DONE
    swept = json.loads(capsys.readouterr().out)
    assert swept["missing"] == ["new-sparta"]
    assert set(swept["unexpected"]) == set(ANIA)
    assert run("sweep", str(pictures / "ania"), "--game", "race", "--seat", "Zenon") == BAD_INPUT


def test_a_score_from_pictures_asks_only_for_chips_and_hands(
    pictures: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("nine\n9\n3\n4\n5\n2\n0\n"))
    sweeps = [f"Ania={pictures / 'ania'}", f"Bartek={pictures / 'bartek'}"]
    assert run("score", "race", "--json", "--sweep", *sweeps) == DONE
    told = capsys.readouterr()
    result = json.loads(told.out)
    assert {seat["name"]: seat["total"] for seat in result["seats"]} == {
        "Ania": 9 + 2 + 1 + 1 + 1 + 4,
        "Bartek": 18,
    }
    assert result["winners"] == ["Ania", "Bartek"]
    assert told.err.count("goods on worlds?") == 2  # since both have 18 points
    assert told.err.count("points in chips?") == 3  # once more, since nine is no number
    assert run("score", "race", "--sweep", "ania") == BAD_INPUT
    monkeypatch.setattr("sys.stdin", io.StringIO("9\n"))
    assert run("score", "race", "--sweep", *sweeps) == BAD_INPUT


ECLIPSE = game("eclipse")
ON_THE_MAP = ["sector-001", "sector-101", "sector-222", "sector-226", "sector-301", "tech-orbital"]


@pytest.fixture(scope="module")
def galaxy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Pictures of labelled hexes, and of one label on two of them beside a card of another box."""
    folder = tmp_path_factory.mktemp("galaxy")
    by_component = {piece.component: text for piece, text in reading.book(ECLIPSE).texts.items()}
    lying = {
        "map": [by_component[id] for id in ON_THE_MAP],
        "odd": [by_component["sector-103"], by_component["sector-103"], *labels(["gem-world"])],
    }
    for name, texts in lying.items():
        shot = shoot(spread(texts, 3, size=25.0, width=500.0), PRESETS["good-lamp"], 3, width=500.0)
        cv2.imwrite(str(folder / f"{name}.png"), shot.picture)
    return folder


def test_whose_disc_lies_on_a_hex_is_told_after_the_picture(
    galaxy: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    ania = ["226, 101", "", "1", "0", "0", "0", "2", "", "0", "0", "1", "castor"]
    bartek = ["222, castor", "222, 305", "", "0", "0", "2", "0", "0", "", "", "", "0"]
    lines = [ania[0], *bartek[:2], *ania[1:], *bartek[2:]]
    monkeypatch.setattr("sys.stdin", io.StringIO("\n".join(lines) + "\n"))
    assert (
        run("score", "eclipse", "--json", "--sweep", str(galaxy / "map.png"), "--seats", "Ania,Bartek")
        == DONE
    )
    told = capsys.readouterr()
    found = {seat["name"]: seat for seat in json.loads(told.out)["seats"]}
    # Planta: a tile of 4, 226 and 101, two discoveries, a monolith, two sectors. Bartek: two tiles of 2, 222 and 305.
    assert {name: seat["total"] for name, seat in found.items()} == {
        "Ania": 4 + 5 + 4 + 3 + 2,
        "Bartek": 4 + 4,
    }
    because = {line["what"]: line["because"] for line in found["Ania"]["lines"]}
    assert because["monoliths"] == {"sector-101": 3}
    assert "101 Castor is Ania's already" in told.err
    assert "305 Lambda Serpentis was in no picture; it is added." in told.err
    assert "Nobody's: 001 Galactic Center, 301 Zeta Draconis" in told.err
    assert "Orbital" not in told.err  # a tile beside the map is nobody's hex


def test_what_is_strange_about_labels_is_told(
    galaxy: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("999\n"))
    given = ("--sweep", str(galaxy / "odd.png"), "--seats", "Ania,Bartek")
    assert run("score", "eclipse", *given) == BAD_INPUT  # the input ended
    told = capsys.readouterr().err
    assert "The label of 103 Beta Leonis is in one picture twice" in told
    assert "a label of another box, not of Eclipse" in told
    assert "999" in told


def test_who_played_must_be_known(galaxy: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sweep = ("--sweep", str(galaxy / "map.png"))
    assert run("score", "eclipse", *sweep, "--seats", "Ania") == BAD_INPUT
    assert run("score", "eclipse", *sweep, "Celina=x.png", "--seats", "Ania,Bartek") == BAD_INPUT
    assert "Nobody called Celina plays" in capsys.readouterr().err


def test_what_no_picture_shows_is_typed(
    pictures: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing but names, or one seat's pictures and the other's names; a word that is none is asked for again."""
    monkeypatch.setattr(
        "sys.stdin", io.StringIO("old earth, moon\nold earth, gem world\nnew-sparta\n1\n0\n2\n0\n")
    )
    assert run("score", "race", "--json", "--seats", "Ania,Bartek") == DONE
    told = capsys.readouterr()
    assert [seat["total"] for seat in json.loads(told.out)["seats"]] == [1 + 2 + 1, 2 + 1]
    assert "moon" in told.err
    monkeypatch.setattr("sys.stdin", io.StringIO("new-sparta\n9\n3\n0\n0\n"))
    one = f"Ania={pictures / 'ania'}"
    assert run("score", "race", "--json", "--sweep", one, "--seats", "Ania,Bartek") == DONE
    assert [seat["total"] for seat in json.loads(capsys.readouterr().out)["seats"]] == [18, 1]


def test_printed_points_are_asked_for_once_and_remembered(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second table with the same card has one question less."""
    numbers = "0\n" * 18
    for points in ("5\n", ""):
        monkeypatch.setattr("sys.stdin", io.StringIO(f"sirius\n\n{numbers}{points}"))
        assert run("score", "beyond", "--json", "--seats", "Ania,Bartek") == DONE
        told = capsys.readouterr()
        assert [seat["total"] for seat in json.loads(told.out)["seats"]] == [5, 0]
        assert ("Sirius: printed points?" in told.err) is bool(points)


def test_what_is_there_or_not_is_asked_for_as_yes_or_no(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    switch = Correctable("x", None, plain("Was it there?"), 0, 0, 1)
    for language, lines, value in (("en", "perhaps\ny\n", 1), ("pl", "nie\n", 0), ("en", "1\n", 1)):
        monkeypatch.setattr("sys.stdin", io.StringIO(lines))
        assert asking.value(switch, language) == value
    asked = capsys.readouterr().err
    assert asked.count("Was it there? (yes, no)") == 3
    assert "Was it there? (tak, nie)" in asked


def test_camera_tells_how_close_and_how_sharp(
    pictures: Path, tmp_path: Path, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kept = tmp_path / "kept.png"
    assert run("camera", str(pictures / "ania"), "--save", str(kept), "--use") == DONE
    told = capsys.readouterr().out
    assert "1920×1080" in told
    assert "come closer" in told
    assert cv2.imread(str(kept)).shape == (1080, 1920, 3)
    assert chosen_camera() == str(pictures / "ania")
    assert run("camera", str(pictures / "ania"), "--save", str(tmp_path / "no" / "folder.png")) == STORAGE


def test_sharp_and_blurred_are_told_apart() -> None:
    near = spread(labels(ANIA[:2]), 1, width=400.0)
    picture = shoot(near, PRESETS["good-lamp"], 1, width=400.0).picture
    seen = list(reading.reader(RACE).read(picture))
    assert [text.key for text in advices(picture, seen)][-1] == "see.sharp"
    soft = cv2.GaussianBlur(picture, (0, 0), 2.5)
    assert [text.key for text in advices(soft, seen)][-1] == "see.blurred"


def test_cameras_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("camera", "--list") == DONE
    assert "virtual:good-lamp:1" in capsys.readouterr().out.splitlines()


@pytest.mark.parametrize(
    "command",
    [("sweep", "{}", "--game", "race"), ("score", "race", "--sweep", "a={}", "b={}"), ("camera", "{}")],
)
@pytest.mark.parametrize("language", ["en", "pl"])
def test_files_that_cannot_be_read_are_bad_input_and_a_camera_that_is_gone_is_a_device(
    command: tuple[str, ...], language: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "broken.png").write_bytes(b"broken")
    (tmp_path / "empty").mkdir()
    told = {
        "en": ("There is no", "can be read", "no pictures"),
        "pl": ("Nie ma", "da się odczytać", "nie ma obr"),
    }
    for name, words in zip(("missing.png", "broken.png", "empty"), told[language], strict=True):
        source = str(tmp_path / name)
        given = [word.format(source) for word in command]
        assert cli.main(["--language", language, *given]) == BAD_INPUT
        err = capsys.readouterr().err
        assert source in err
        assert words in err
    given = [word.format("usb:987") for word in command]
    assert cli.main(["--language", language, *given]) == DEVICE
    err = capsys.readouterr().err
    assert {"en": "No camera at /dev/video987", "pl": "Pod /dev/video987 (usb:987) nie ma kamery"}[
        language
    ] in err
    assert "tried again" not in err  # it is not: the command is over


def test_everything_that_can_be_wrong_with_a_camera_is_told_in_every_language() -> None:
    arguments = {name: f"<{name}>" for words in WORDS.values() for name in re.findall(r"{(\w+)}", words)}
    for slug, words in WORDS.items():
        trouble = CameraTrouble(slug, **{n: a for n, a in arguments.items() if f"{{{n}}}" in words})
        assert render(trouble_text(trouble), "en") == str(trouble)
        polish = render(trouble_text(trouble), "pl")
        assert polish not in (str(trouble), f"camera.{slug}")
        assert all(str(value) in polish for value in trouble.told.args.values())
    assert render(trouble_text(CameraTrouble("Words nobody translated.")), "pl") == "Words nobody translated."


def test_what_a_command_that_gave_up_says_of_a_camera() -> None:
    gone = unwell("gone", CameraComplaint("stopped", {"source": "usb:0"}))
    assert (
        str(no_pictures(gone)) == "No picture came. usb:0 stopped giving pictures. Check its cable and power."
    )
    assert "slow" in str(no_pictures(Health(True, what="starting")))


def swept(capsys: pytest.CaptureFixture[str], *words: str) -> set[str]:
    """What a sweep finds."""
    assert run("sweep", *words, "--game", "race", "--json") == DONE
    return {row["component"] for row in json.loads(capsys.readouterr().out)["found"]}


def test_a_sweep_knows_cards_without_labels_by_their_faces(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    spot, three = DrawnSpot(), first(3)
    for n, id in enumerate(three):
        face_pictures.keep(default_path(os.environ).parent, "race", id, cv2.resize(ART(id, CARD), (189, 264)))
        spot.lay(id, 80.0 * n - 80)
    cv2.imwrite(str(tmp_path / "three.png"), spot.frame()[0])
    assert swept(capsys, str(tmp_path / "three.png")) == set(three)


def test_faces_are_taught_listed_shared_and_forgotten(
    tmp_path: Path, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    spot, film, three, lines = DrawnSpot(), tmp_path / "film", first(3), []
    film.mkdir()
    for n in (None, 0, 1, 1, 2):  # the second is laid down twice: it is known then
        if n is not None:
            spot.clear()
            spot.lay(three[n], 5.0 * len(lines) - 40)
        for _ in range(4):
            picture, at = spot.frame()
            cv2.imwrite(str(film / f"{len(lines):03}.png"), picture)
            lines.append(f"{len(lines):03}.png {at:.2f}")
    (film / "times.txt").write_text("\n".join(lines), encoding="utf-8")
    assert run("faces", "race", str(film)) == DONE
    told = capsys.readouterr().out
    assert "a second copy" in told
    assert faces.taught(home, RACE) == tuple(three)
    assert run("faces", "race", "--share", str(tmp_path / "stick")) == DONE
    assert run("faces", "race", "--forget", three[1]) == DONE
    assert faces.taught(home, RACE) == (three[0], three[2])
    assert run("faces", "race", "--take", str(tmp_path / "stick")) == DONE
    assert faces.taught(home, RACE) == tuple(three)
    assert run("faces", "race", "--forget", "all") == DONE
    assert faces.taught(home, RACE) == ()
    assert run("faces", "race", "--forget", three[1]) == BAD_INPUT


@pytest.fixture
def beside(tmp_path: Path) -> str:
    """One picture of Ania's card at the left and Bartek's at the right."""
    left, right = labels(["old-earth", "new-sparta"])
    lying = [Lying(left, -200.0, 0.0, 0.0, 18.0), Lying(right, 200.0, 0.0, 0.0, 18.0)]
    cv2.imwrite(str(tmp_path / "both.png"), shoot(lying, PRESETS["good-lamp"], 1).picture)
    return str(tmp_path / "both.png")


def test_a_seats_part_of_the_picture_is_remembered_until_it_is_forgotten(
    beside: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert swept(capsys, beside, "--zone", "left") == {"old-earth"}
    assert swept(capsys, beside, "--zone", "50,0,50,100") == {"new-sparta"}
    assert swept(capsys, beside) == {"old-earth", "new-sparta"}  # a zone without a seat is not remembered
    monkeypatch.setattr("sys.stdin", io.StringIO("old earth\nnew sparta\nq\n"))
    assert run("play", "race", "--seats", "Ania,Bartek") == DONE
    capsys.readouterr()
    assert swept(capsys, beside, "--seat", "Ania") == {"old-earth", "new-sparta"}
    assert swept(capsys, beside, "--seat", "Ania", "--zone", "left") == {"old-earth"}
    assert swept(capsys, beside, "--seat", "ania") == {"old-earth"}
    assert swept(capsys, beside, "--seat", "Bartek") == {"old-earth", "new-sparta"}
    assert run("sweep", beside, "--game", "race", "--seat", "Ania") == DONE
    assert "For Ania only this part of the picture counts: left." in capsys.readouterr().err
    assert swept(capsys, beside, "--seat", "Ania", "--zone", "whole") == {"old-earth", "new-sparta"}
    assert swept(capsys, beside, "--seat", "Ania") == {"old-earth", "new-sparta"}


def test_one_picture_of_both_tableaux_is_scored_by_zones(
    beside: str, home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    sweeps = ["--sweep", f"Ania={beside}", f"Bartek={beside}"]
    for told_once in (["--zone", "Ania=left", "Bartek=right"], []):  # told once, known from then on
        monkeypatch.setattr("sys.stdin", io.StringIO("9\n3\n4\n5\n"))
        assert run("score", "race", "--json", *sweeps, *told_once) == DONE
        totals = {seat["name"]: seat["total"] for seat in json.loads(capsys.readouterr().out)["seats"]}
        assert totals == {"Ania": 9 + 2, "Bartek": 4 + 1}
    assert run("score", "race", *sweeps, "--zone", "left") == BAD_INPUT
    assert "NAME=ZONE" in capsys.readouterr().err
    assert run("score", "race", *sweeps, "--zone", "Celina=left") == BAD_INPUT
    assert "Celina" in capsys.readouterr().err


@pytest.mark.parametrize("zone", ["", "1,2,3", "0,0,0,50", "60,0,50,100", "-1,0,50,50", "nan,0,1,1"])
def test_a_zone_that_is_none_is_refused_in_both_languages(
    zone: str, beside: str, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for language, words in (("en", "is no part of the picture"), ("pl", "to nie część obrazu")):
        given = ["--language", language, "sweep", beside, "--game", "race", f"--zone={zone}"]
        assert cli.main(given) == BAD_INPUT
        assert words in capsys.readouterr().err


def test_zones_that_cannot_be_read_or_kept(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    remember_zone("Ania", (0, 50, 50, 50))
    assert zone_of("ANIA") == (0, 50, 50, 50)
    (home / "settings.json").write_bytes(b"\xff[")
    assert zone_of("Ania") is None
    monkeypatch.setenv("COMPANION_HOME", str(home / "settings.json"))
    with pytest.raises(StorageTrouble):
        remember_zone("Ania", None)


def test_a_picture_in_the_terminal() -> None:
    picture = np.zeros((100, 200, 3), np.uint8)
    picture[:50] = (0, 0, 255)
    drawn = preview(picture, 20)
    assert drawn.plain.count("▀") == 20 * 5
    assert "rgb(255,0,0)" in str(drawn.spans[0].style)


def test_what_bots_hold_up_is_known_only_from_pictures() -> None:
    """The demonstration's way: held up, filmed, read, understood; an action card of a set tells the seat."""
    eyes = DemoCamera(RACE, "good-lamp", 1)
    session = begin(RACE, RACE.complete(Setup("race", ("Ania", "Bartek"))), 0.0)
    for seat, world in enumerate(("old-earth", "new-sparta")):
        sighted = eyes.show(world, seat)
        assert sighted is not None
        meaning = understand(session, sighted)
        assert isinstance(meaning, Accept)
        session = session.answer(meaning.answer, 0.0)
    sighted = eyes.show("settle", 1)
    assert sighted is not None
    assert (sighted.component, sighted.seat) == ("settle", 1)
    assert eyes.frames <= 3 * 8, "half a second for each"


def test_what_lies_in_the_middle_may_be_several_players_and_what_lies_before_them_is_named_with_it(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A planet with two outposts, a technology with two markers; missions and objectives in the same line."""
    lines = (
        "yellow-wild, archivists, end-markers, mission-1-02, objective-war, objective-yellow",
        "yellow-wild, archivists, objective-hoard, objective-grey",
        *("20", "1", "3", "30", "0", "4"),
    )
    monkeypatch.setattr("sys.stdin", io.StringIO("\n".join(lines) + "\n"))
    assert run("score", "transgalactica", "--json", "--seats", "Ania,Bartek") == DONE
    ania, bartek = json.loads(capsys.readouterr().out)["seats"]
    # 20 on the track, a war mission, two markers and one, a credit, a point for 3 resources.
    assert ania["total"] == 20 + 4 + 3 + 1 + 1
    # Two outposts, the central one among them, and 4 resources.
    assert bartek["total"] == 30 + (4 + 4) + 1
