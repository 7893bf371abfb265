"""The score command as the command line calls it: files and streams in, sheets, JSON and exit codes out."""

from __future__ import annotations

import copy
import io
import json
import os
import select
import threading
from pathlib import Path
from typing import Any

import pytest

from companion.commands.score import print_schema, score_file, score_jsonl
from companion.core.binder import Binder
from companion.core.game import every_game
from companion.core.store import Store
from tests.patience import PATIENCE

GOOD: dict[str, Any] = {
    "game": "race",
    "seats": [
        {"name": "Ola", "tableau": ["new-sparta", "rebel-base"], "goods": [], "chips": 13, "hand": 5},
        {
            "name": "[red]Ania",
            "tableau": ["old-earth", "public-works", "galactic-federation", "galactic-renaissance"],
            "goods": [],
            "chips": 10,
            "hand": 2,
        },
    ],
}


def tied() -> dict[str, Any]:
    raw = copy.deepcopy(GOOD)
    raw["seats"][0]["chips"] = 14
    return raw


def line(raw: dict[str, Any]) -> bytes:
    return json.dumps(raw).encode() + b"\n"


def run(
    stdin: bytes, *, path: str = "-", as_json: bool = False, language: str = "en"
) -> tuple[int, str, str]:
    out, err = io.StringIO(), io.StringIO()
    code = score_file(path, as_json=as_json, language=language, stdin=io.BytesIO(stdin), out=out, err=err)
    return code, out.getvalue(), err.getvalue()


def stream(lines: bytes) -> tuple[int, list[dict[str, Any]]]:
    out = io.BytesIO()
    code = score_jsonl(io.BytesIO(lines), out, "en")
    return code, [json.loads(answer) for answer in out.getvalue().splitlines()]


def test_json_holds_every_line_with_its_reason(tmp_path: Path) -> None:
    file = tmp_path / "table.json"
    file.write_bytes(line(GOOD))
    code, out, err = run(b"", path=str(file), as_json=True)
    assert (code, err) == (0, "")
    assert json.loads(out) == {
        "game": "race",
        "seats": [
            {
                "name": "Ola",
                "total": 20,
                "rank": 2,
                "lines": [
                    {"what": "chips", "points": 13, "because": {}, "measures": {"chips": 13}},
                    {"what": "new-sparta", "points": 1, "because": {"new-sparta": 1}},
                    {"what": "rebel-base", "points": 6, "because": {"rebel-base": 6}},
                ],
            },
            {
                "name": "[red]Ania",
                "total": 21,
                "rank": 1,
                "lines": [
                    {"what": "chips", "points": 10, "because": {}, "measures": {"chips": 10}},
                    {"what": "old-earth", "points": 2, "because": {"old-earth": 2}},
                    {"what": "public-works", "points": 1, "because": {"public-works": 1}},
                    {
                        "what": "galactic-federation",
                        "points": 5,
                        "because": {"public-works": 1, "galactic-federation": 2, "galactic-renaissance": 2},
                    },
                    {"what": "galactic-renaissance", "points": 3, "because": {}, "measures": {"chips": 10}},
                ],
            },
        ],
        "winners": ["[red]Ania"],
        "tie_break": None,
    }


def test_the_tie_break_is_a_sentence_in_the_language_asked_for() -> None:
    told = {
        language: json.loads(run(line(tied()), as_json=True, language=language)[1])
        for language in ("en", "pl")
    }
    assert told["en"]["winners"] == ["Ola"]
    assert told["en"]["tie_break"] == (
        "A tie at 21 points: cards in hand and goods together decide (Ola 5, [red]Ania 2), so Ola wins."
    )
    assert told["pl"]["tie_break"] == (
        "Remis (21 punktów): rozstrzygają karty na ręce i towary razem (Ola 5, [red]Ania 2), więc wygrywa Ola."
    )


def test_the_sheet_for_people_begins_with_the_best_and_ends_with_who_won() -> None:
    code, out, err = run(line(GOOD))
    assert (code, err) == (0, "")
    shown = [row.strip() for row in out.splitlines()]
    assert shown[0].split()[:2] == ["1.", "[red]Ania"]
    assert shown[-1] == "[red]Ania wins."
    assert "\x1b" not in out
    federation = out[out.index("Galactic Federation") :]
    assert federation.index("1 Public Works") < federation.index("2 Galactic Renaissance")
    assert "3 10 points in chips" in out


def test_the_sheet_in_polish() -> None:
    shown = run(line(GOOD), language="pl")[1]
    assert shown.rstrip().endswith("Wygrywa [red]Ania.")
    assert "Żetony" in shown
    assert "Razem" in shown


def test_the_sheet_says_how_a_tie_was_broken() -> None:
    assert "so Ola wins." in " ".join(run(line(tied()))[1].split())


def test_all_problems_at_once_and_nothing_on_stdout() -> None:
    bad = copy.deepcopy(GOOD)
    bad["seats"][0] |= {"chips": -1, "hand": 12, "tableau": ["new-sparta", "rebel-bse"]}
    for as_json in (False, True):
        code, out, err = run(line(bad), as_json=as_json)
        assert (code, out) == (2, "")
        assert err.splitlines() == [
            "3 things cannot be right:",
            "- Ola: no card is called rebel-bse; perhaps rebel-base, rebel-miners, rebel-outpost?",
            "- Ola: chips cannot be below zero (-1).",
            "- Ola: 12 cards in hand; at the end of a round everybody discards down to 10.",
        ]


def test_problems_in_polish_follow_its_plurals() -> None:
    bad = copy.deepcopy(GOOD)
    bad["seats"][0] |= {"hand": 12}
    bad["seats"][1] |= {"hand": 22}
    assert run(line(bad), language="pl")[2].splitlines() == [
        "2 rzeczy się nie zgadzają:",
        "- Ola: 12 kart na ręce; na koniec rundy każdy odrzuca do limitu 10 kart.",
        "- [red]Ania: 22 karty na ręce; na koniec rundy każdy odrzuca do limitu 10 kart.",
    ]


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    missing = str(tmp_path / "none.json")
    assert run(b"", path=missing) == (2, "", f"There is no file {missing}.\n")


def test_a_folder(tmp_path: Path) -> None:
    assert run(b"", path=str(tmp_path)) == (2, "", f"{tmp_path} is a folder; a file is needed.\n")


@pytest.mark.parametrize("name", ["a\0b", "x" * 5000])
def test_a_file_name_no_system_takes(name: str) -> None:
    code, out, err = run(b"", path=name)
    assert (code, out) == (2, "")
    assert "cannot be read" in err


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_that_may_not_be_read(tmp_path: Path) -> None:
    file = tmp_path / "secret.json"
    file.touch(mode=0)
    code, _, err = run(b"", path=str(file))
    assert code == 2
    assert "cannot be read" in err


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"", "There is nothing here: a position is expected."),
        (b"\xff\xfe\x00", "This is not text: byte 1 is not UTF-8."),
        (b"[" * 100_000, "This is nested far too deeply to be a position."),
        (b"\xef\xbb\xbf{}", "The file begins with a byte order mark; save it as plain UTF-8."),
        (b'{"game": "race", "game": "race"}', "In one and the same object there is more than one: game."),
        (b"{}", "The field game must name the game:"),
        (b'{"game": 7}', "The field game must name the game:"),
        (b'{"game": "chess"}', "No game is called chess; known:"),
        (b'{"game": "../race"}', "No game is called ../race; known:"),
        (b'{"game": ""}', "No game is called ; known:"),
        (b'{"game": "\\u001b[2J"}', "No game is called ?[2J; known:"),
    ],
)
def test_what_is_no_position(data: bytes, sentence: str) -> None:
    code, out, err = run(data)
    assert (code, out) == (2, "")
    assert err.startswith(sentence)
    assert stream(data.replace(b"\n", b" ") + b"\n")[0] == 2


def test_one_answer_per_line_and_errors_in_their_place() -> None:
    code, answers = stream(
        line(GOOD) + b"\n" + line(tied()) + b"garbage\n" + line(GOOD | {"seats": []}) + line(GOOD)
    )
    assert code == 2
    assert [list(answer) == ["error"] for answer in answers] == [False, True, False, True, True, False]
    assert answers[0] == json.loads(run(line(GOOD), as_json=True)[1])
    assert answers[1] == {"error": "There is nothing here: a position is expected."}
    assert answers[3] == {"error": "This is not JSON: it cannot be read from line 1, column 1 on."}


def test_all_problems_of_a_line_are_joined() -> None:
    bad = copy.deepcopy(GOOD)
    bad["seats"][0] |= {"chips": -1, "hand": -2}
    assert stream(line(bad)) == (
        2,
        [{"error": "Ola: chips cannot be below zero (-1). Ola: cards in hand cannot be below zero (-2)."}],
    )


def test_good_lines_end_with_zero_whatever_ends_them() -> None:
    assert stream(b"") == (0, [])
    for lines in (line(GOOD) * 2, line(GOOD) + line(GOOD).strip(), line(GOOD).replace(b"\n", b"\r\n") * 2):
        code, answers = stream(lines)
        assert (code, len(answers)) == (0, 2)


def test_a_line_is_answered_before_the_next_one_is_asked_for() -> None:
    questions, answers = os.pipe(), os.pipe()
    with (
        open(questions[0], "rb") as asked,
        open(questions[1], "wb", 0) as ask,
        open(answers[0], "rb") as hear,
        open(answers[1], "wb") as told,
    ):
        worker = threading.Thread(target=score_jsonl, args=(asked, told, "en"), daemon=True)
        worker.start()
        for _ in range(3):
            ask.write(line(GOOD))
            assert select.select([hear], [], [], PATIENCE)[0], "no answer although a whole line was asked"
            assert json.loads(hear.readline())["winners"] == ["[red]Ania"]
        ask.close()
        worker.join(PATIENCE)
        assert not worker.is_alive()


def test_the_schema_is_json() -> None:
    out, err = io.StringIO(), io.StringIO()
    assert print_schema("race", "en", out, err) == 0
    assert json.loads(out.getvalue())["$defs"]["Position"]["additionalProperties"] is False
    assert print_schema("chess", "en", io.StringIO(), err) == 2
    assert err.getvalue().startswith("No game is called chess; known:")


def test_the_examples_of_every_game_are_scored_in_one_stream(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.results.sheets.games", every_game)
    examples = [
        example for game in every_game().values() if game.positions for example in game.positions.examples
    ]
    code, answers = stream(b"".join(map(line, examples)))
    assert code == 0
    assert [answer["game"] for answer in answers] == [example["game"] for example in examples]
    assert all(answer["winners"] for answer in answers)


def test_what_the_owner_taught_is_counted_with(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And nothing is kept where nothing was: scoring alone makes no journal."""
    monkeypatch.setattr("companion.results.sheets.games", every_game)
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path))
    seats = [
        {"name": name, "empire": [home], "chips": 1}
        for name, home in (("Ola", "home-1a"), ("Jan", "home-2a"))
    ]
    raw = {"game": "frontiers", "seats": seats, "tiles": {"home-2a": {"points": 1}}}
    code, _, err = run(line(raw))
    assert (code, list(tmp_path.iterdir())) == (2, [])
    assert "Ola: nobody told what" in err
    with Store(tmp_path / "journal.db") as store:
        Binder(store).teach("frontiers", "home-1a", "points", 3, at=0.0)
        Binder(store).teach("frontiers", "home-1a", "name", "Green Moon", at=0.0)
    code, out, err = run(line(raw))
    assert (code, err) == (0, "")
    assert "Green Moon" in out
    assert out.strip().endswith("Ola wins.")
    code, answers = stream(line(raw) * 2)
    assert [answer["seats"][0]["total"] for answer in answers] == [4, 4]
