"""What leaves the table: BG Stats links, tables, JSON, pictures; read back as others read them."""

from __future__ import annotations

import csv
import io
import json
import re
from urllib.parse import unquote, urlsplit

import cv2
import numpy as np
import pytest
import segno
import zxingcpp
from msgspec.structs import replace

from companion.drawing.charts import (
    ChartBar,
    Ink,
    Series,
    bars,
    bars_in_letters,
    grid,
    in_letters,
    lines,
    table_of,
)
from companion.drawing.svg import measured, svg
from companion.results import bgstats, exports
from companion.results.deciding import deciding
from companion.results.evenings import TYPED, Evening, Seat
from companion.results.share_picture import HIGH, WIDE, picture_file, share_picture, sheet_pdf, wrapped
from scoring.count import Tally, sheet_of
from scoring.sheet import Line
from tests.laws.schema import faults

NAMES = ("Żaneta", "Bartłomiej", "Łucja", "Ćwirek", "Agnieszka", "Maksymilian")
SUMMER = 1_783_000_800.0  # 2 July 2026, 14:00 in UTC, 16:00 in Warsaw
VENDOR = {
    "sourceName",
    "sourcePlayId",
    "playDate",
    "durationMin",
    "board",
    "location",
    "comments",
    "game",
    "players",
}
VENDOR_GAME = {"name", "sourceGameId", "bggId", "highestWins", "noPoints"}
VENDOR_PLAYER = {"name", "sourcePlayerId", "score", "winner", "startPlayer", "rank", "role"}


def evening(*points: int, id: int = 7) -> Evening:
    tallies = [Tally(name, (Line("chips", n),), (0,)) for name, n in zip(NAMES, points, strict=False)]
    sheet = sheet_of("race", tallies)
    seats = tuple(Seat(s.name, s.name, s.total, s.rank, (("chips", s.total),)) for s in sheet.seats)
    return Evening(id, "race", SUMMER, seats, 2890.0, 11, bool(sheet.tied), place="Łódź", sheet=sheet)


def received(link: str) -> dict[str, object]:
    """What the app reads from a link."""
    parts = urlsplit(link)
    assert (parts.scheme, parts.netloc, parts.path) == ("https", "app.bgstatsapp.com", "/createPlay.html")
    assert re.fullmatch(r"data=[A-Za-z0-9%._~,:-]+", parts.query)
    found: dict[str, object] = json.loads(unquote(parts.query.removeprefix("data=")))
    return found


@pytest.mark.parametrize("points", [(53, 47), (-3, -8, 0), (40, 40, 12), (1, 2, 3, 4, 5, 6)])
def test_a_link_has_only_fields_the_vendor_lists(points: tuple[int, ...]) -> None:
    one = evening(*points)
    for brief in (False, True):
        told = received(bgstats.link(one, "Race for the Galaxy", bgstats.people((one,)), brief=brief))
        assert set(told) <= VENDOR
        assert isinstance(told["game"], dict)
        assert set(told["game"]) <= VENDOR_GAME
        players = told["players"]
        assert isinstance(players, list)
        assert all(set(player) <= VENDOR_PLAYER for player in players)
        assert [(p["name"], p["score"], p["winner"]) for p in players] == [
            (name, n, n == max(points)) for name, n in zip(NAMES, points, strict=False)
        ]
        assert told["playDate"] == "2026-07-02 14:00:00"  # in UTC, whatever time zone this runs in
        assert told["durationMin"] == 48


def test_ids_never_change() -> None:
    """These very ids are in people's phones: if this test fails, mend the code."""
    one = evening(53, 47)
    known = bgstats.people((one,))
    told = received(bgstats.link(one, "Race for the Galaxy", known))
    assert (told["sourceName"], told["sourcePlayId"]) == (
        "Tabletop Companion",
        "3399bf9305cc50c0b9b788d35b05a50d",
    )
    assert [bgstats.player_id(name, known) for name in NAMES[:2]] == ["53c445652e", "5fddac2fcd"]


def test_a_renamed_or_merged_person_keeps_the_id() -> None:
    before = evening(53, 47)
    first = before.seats[0]
    renamed = replace(before, seats=(replace(first, name="Żanetka"), before.seats[1]))
    later = replace(
        evening(1, 2, id=8), seats=(replace(first, name="Żanetka", spelled="Żanetka"), before.seats[1])
    )
    typed = replace(later, id=-1, marks=frozenset({TYPED}))
    was = bgstats.player_id("Żaneta", bgstats.people((before,)))
    assert bgstats.player_id("Żanetka", bgstats.people((typed, later, renamed))) == was


def test_a_play_without_points_says_so() -> None:
    one = evening(1, 0)
    bare = replace(one, seats=tuple(replace(seat, points=None) for seat in one.seats))
    told = received(bgstats.link(bare, "x", {}))
    assert isinstance(told["game"], dict)
    assert told["game"]["noPoints"] is True
    assert isinstance(told["players"], list)
    assert all("score" not in player for player in told["players"])


def test_the_file_is_what_public_readers_expect() -> None:
    every = (evening(-3, 4), evening(5, 6, 7, id=8))
    file = bgstats.file(every, {"race": "Race for the Galaxy"})
    assert set(file) == {"games", "players", "locations", "plays", "userInfo"}
    people = {player["id"]: player["name"] for player in file["players"]}
    for one, play in zip(every, file["plays"], strict=True):
        scores = [(people[score["playerRefId"]], score["score"]) for score in play["playerScores"]]
        assert scores == [(seat.name, str(seat.points)) for seat in one.seats]  # the score is a string here
        assert play["locationRefId"] in {place["id"] for place in file["locations"]}
        assert play["uuid"] == play["uuid"].upper()
    assert file == bgstats.file(every, {"race": "Race for the Galaxy"})


def photographed(words: str) -> np.ndarray:
    """A code on a screen of 480 pixels, as a phone held at an angle sees it: slanted, a little soft, noisy."""
    matrix = np.array([list(row) for row in segno.make(words, error="l", micro=False).matrix])
    modules = np.pad(1 - matrix, 4, constant_values=1).astype(np.uint8) * 255
    module = 470 // len(modules)
    assert module >= 3
    screen = np.full((480, 800), 24, np.uint8)
    code = np.kron(modules, np.ones((module, module), np.uint8))
    screen[5 : 5 + len(code), 20 : 20 + len(code)] = code
    corners = np.array([(0, 0), (800, 0), (800, 480), (0, 480)], np.float32)
    seen = np.array([(90, 70), (1720, 30), (1680, 1010), (130, 1060)], np.float32)
    photo = cv2.warpPerspective(
        screen, cv2.getPerspectiveTransform(corners, seen), (1820, 1100), borderValue=60
    )
    noise = np.random.default_rng(1).normal(0, 6, photo.shape)
    return np.clip(cv2.GaussianBlur(photo, (0, 0), 1.0).astype(float) * 0.85 + 20 + noise, 0, 255).astype(
        np.uint8
    )


@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_two_decoders_read_a_code_from_a_photo_of_the_screen(seats: int) -> None:
    one = evening(*range(40, 40 + seats))
    code = bgstats.code(one, "Race for the Galaxy", bgstats.people((one,)))
    if code is None:
        assert len(bgstats.link(one, "Race for the Galaxy", {}, brief=True)) > bgstats.MOST_IN_CODE
        return
    photo = photographed(code)
    assert [found.text for found in zxingcpp.read_barcodes(photo)] == [code]
    assert cv2.QRCodeDetectorAruco().detectAndDecode(photo)[0] == code
    assert received(code)["sourcePlayId"] == bgstats.play_id(one)


def test_codes_are_there_for_most_tables() -> None:
    fits = [n for n in range(2, 7) if bgstats.code(evening(*range(n)), "Race for the Galaxy", {}) is not None]
    assert fits == [2, 3, 4, 5]


def test_no_cell_of_a_table_is_a_formula() -> None:
    one = replace(evening(-3, 4), note="=HYPERLINK(1)", place="@home")
    text = exports.csv_of_seats((one,), {"race": "+Race"})
    assert text.startswith("\ufeffplay,")
    rows = list(csv.DictReader(io.StringIO(text.removeprefix("\ufeff"))))
    assert [row["name"] for row in rows] == list(NAMES[:2])
    assert {row["note"] for row in rows} == {"'=HYPERLINK(1)"}
    assert (rows[0]["place"], rows[0]["game"], rows[0]["points"]) == ("'@home", "'+Race", "-3")
    lines_ = list(csv.DictReader(io.StringIO(exports.csv_of_lines((one,), {}).removeprefix("\ufeff"))))
    assert [(row["what"], int(row["points"])) for row in lines_] == [("chips", -3), ("chips", 4)]


def test_json_fits_its_schema() -> None:
    told = exports.as_json((evening(1, 2), evening(3, 4, 5)), {"race": "Race"})
    assert told["evenings"][0]["seats"][0]["name"] == "Żaneta"
    assert faults(told, exports.schema()) == []
    told["evenings"][0]["seats"][0]["rank"] = "first"
    assert faults(told, exports.schema())


SHAPES = ("circle", "square", "triangle", "diamond", "hexagon", "star")
SERIES = [
    Series(name, (0, 4 * n, 9 * n), "#F26B4E", shape, name[0])
    for n, (name, shape) in enumerate(zip(NAMES, SHAPES, strict=True), -1)
]


@pytest.mark.parametrize("seats", [2, 6])
def test_the_picture_is_small_and_no_word_is_cut(seats: int) -> None:
    why = "Przewaga 6: najdłuższe rozwinięcia za sześć kart +9, żetony punktów zwycięstwa −3, reszta +12"
    picture = share_picture(
        "Eclipse: New Dawn for the Galaxy",
        "14 listopada 2026",
        SERIES[:seats],
        range(1, seats + 1),
        why,
        (1, 2, 3),
    )
    data = picture_file(picture)
    assert cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR).shape == (HIGH, WIDE, 3)
    assert len(data) < 400_000
    written = [s for s in picture.strokes if hasattr(s, "words")]
    assert all(
        s.x >= 0 and s.x + measured(s.words, s.size, s.bold) <= WIDE and 0 <= s.y <= HIGH for s in written
    )
    told = " ".join(s.words for s in written)
    assert all(name in told for name in NAMES[:seats])
    assert all(word in told for word in why.split())
    assert wrapped("a " * 200, 20, 100)[0].startswith("a a")


@pytest.mark.parametrize("language", ["en", "pl"])
def test_the_sheet_is_a_pdf_with_every_seat(language: str) -> None:
    sheet = evening(5, 6, -3).sheet
    assert sheet is not None
    data = sheet_pdf("Race, 14 Nov", sheet, deciding(sheet), language)
    assert data.startswith(b"%PDF")
    assert data == sheet_pdf("Race, 14 Nov", sheet, deciding(sheet), language)


def test_a_chart_says_the_same_everywhere() -> None:
    """Every number of the table is at its height in the strokes and in its row in the terminal."""
    ink = Ink(measured)
    drawn = lines(SERIES, (1, 2, 3), 600, 300, ink)
    numbers = grid(SERIES)
    assert [s.words for s in drawn.strokes if hasattr(s, "words")][: len(numbers)] == [
        str(n) for n in numbers
    ]
    assert table_of(SERIES, (1, 2, 3))[1:] == [(s.name, *map(str, s.values)) for s in SERIES]
    letters = in_letters(SERIES, (1, 2, 3))
    top, bottom = letters[0], letters[-1]
    assert top.startswith(f"{numbers[-1]:>{len(str(max(numbers)))}}"[:2]) or str(numbers[-1]) in top
    assert str(numbers[0]) in bottom
    rows = [ChartBar(n, k, "#F26B4E", "circle", n[0], f"of {k}") for k, n in enumerate(NAMES)]
    told = svg(bars(rows, 600, ink))
    assert all(f">{name}<" in told and f">of {k}<" in told for k, name in enumerate(NAMES))
    assert [line.split()[0] for line in bars_in_letters(rows)] == list(NAMES)
