"""Every command with hostile input: a sentence and a documented exit code, with little memory."""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import cv2
import numpy as np
import pytest

import companion
from companion.core.words import say
from companion.errors import BAD_INPUT, DEVICE, DONE, STORAGE, DataTrouble
from companion.table import settings
from companion.table.panel_words import wiring
from companion.texts import render
from tests.command_line import main
from tests.patience import PATIENCE

ROOT = Path(companion.__file__).parent.parent
LOGS = ROOT / "tests" / "games" / "race" / "data" / "race-logs.jsonl.gz"
MOST_SECONDS, MOST_MEGABYTES = 15.0, 350
"""Of processor for one of these; of memory for all of them together, OpenCV and two games included."""
LONG = "x" * 100_000
MANY = ",".join(f"p{n}" for n in range(20_000))


def facts(body: bytes) -> bytes:
    return b'{"format":"tabletop-companion facts","version":1,"game":"race","facts":[' + body + b"]}"


def position(game: str, seats: str) -> bytes:
    return f'{{"game":"{game}","seats":[{seats}]}}'.encode()


def seat(chips: str = "0", tableau: str = "", name: str = "a") -> str:
    return f'{{"name":"{name}","tableau":[{tableau}],"goods":[],"chips":{chips},"hand":0}}'


FILES: dict[str, Callable[[], bytes]] = {
    "empty": lambda: b"",
    "rubbish": lambda: Random(1).randbytes(5000),
    "nul": lambda: bytes(5000),
    "brackets": lambda: b"[" * 12_000_000,
    "many-ones": lambda: b"[" + b"1," * 6_000_000 + b"1]",
    "ones": lambda: position("race", "1," * 4_000_000 + "1"),
    "deep": lambda: b"[" * 200_000 + b"]" * 200_000,
    "deep-objects": lambda: b'{"game":' * 100_000 + b"1" + b"}" * 100_000,
    "deep-toml": lambda: b"a=" + b"[" * 15_000 + b"]" * 15_000,
    "deep-facts": lambda: facts(
        b'{"game":"race","component":"gem-world","field":"cost","at":1,"value":'
        + b"[" * 50_000
        + b"]" * 50_000
        + b"}"
    ),
    "many-facts": lambda: facts(
        b",".join(
            b'{"game":"race","component":"c%d","field":"cost","at":1,"value":1}' % n for n in range(90_000)
        )
    ),
    "race-seats": lambda: position("race", ",".join(f'{{"name":"p{n}"}}' for n in range(400_000))),
    "eclipse-seats": lambda: position("eclipse", ",".join(f'{{"name":"p{n}"}}' for n in range(400_000))),
    "misspelt": lambda: position("race", seat(tableau=",".join(['"gem-wurld"'] * 2900))),
    "nan": lambda: position("race", seat("NaN")),
    "infinite": lambda: position("race", seat("1e999")),
    "digits": lambda: position("race", seat("9" * 4000)),
    "more-digits": lambda: position("race", seat("9" * 9000)),
    "long-name": lambda: position("race", seat(name="x" * 5_000_000)),
    "players": lambda: b'{"game":"x","players":1000000000,"start":{"events":[]}}\n',
}


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder with all of these; the large ones are gone afterwards."""
    folder = tmp_path_factory.mktemp("hostile")
    for name, made in FILES.items():
        (folder / name).write_bytes(made())
    with gzip.open(folder / "bomb.gz", "wb", 1) as bomb:
        for _ in range(20):
            bomb.write(bytes(10_000_000))
    with gzip.open(folder / "lines.gz", "wb", 1) as bomb:
        bomb.write(b"\n" * 10_000_000)
    with (folder / "large").open("wb") as large:
        large.truncate(100_000_000)
    os.mkfifo(folder / "pipe")
    (folder / "folder").mkdir()
    cv2.imwrite(str(folder / "tall.png"), np.full((30_000, 1, 3), 90, np.uint8))
    yield folder
    for file in folder.iterdir():
        if file.is_file():
            file.unlink()


READING = (
    ("score", "race"),
    ("score", "eclipse"),
    ("odds", "eclipse"),
    ("binder", "import", "race"),
    ("replay-log",),
    ("scan",),
    ("sweep", "--game", "race"),
    ("camera",),
    ("watch", "--play", "1"),
    ("score", "eclipse", "--seats", "A,B", "--sweep"),
    ("wiring", "--table"),
    ("devices", "test", "--simulate", "--yes", "--report", "", "--table"),
)
"""Every command that reads a file somebody names; the file comes last."""
OTHERS = (
    "/dev/zero",
    "/dev/null",
    "pipe",
    "folder",
    "large",
    "bomb.gz",
    "lines.gz",
    "gone",
    "x" * 300,
    "/" + "y/" * 3000,
)

ASKED: tuple[tuple[str, ...], ...] = (
    ("play", "race", "--text", "--seats", MANY),
    ("play", "race", "--text", "--seats", LONG),
    ("play", LONG),
    ("play", "race", "--text", "--seats", "A,B", "--with", LONG),
    ("play", "race", "--text", "--seats", "A,B", "--camera", "x" * 300),
    ("score", LONG, "-"),
    ("score", "eclipse", "--seats", MANY),
    ("score", "race", "--sweep", f"A={LONG}", "B=/dev/zero"),
    ("odds", LONG, "-"),
    ("odds", "eclipse", "-"),
    ("bots", "race", "--players", "1000000000"),
    ("bots", "race", "--seed", "9" * 5000),
    ("labels", "race", "--size", "nan"),
    ("labels", "race", "--size", "1e999"),
    ("labels", "race", "--only", LONG),
    ("labels", "race", "--only", "gem-world", "--out", LONG),
    ("labels", "race", "--only", "gem-world", "--out", "pipe"),
    ("wiring", "--seats", "1000000000"),
    ("wiring", "--svg", "pipe"),
    ("wiring", "--svg", "/dev/full"),
    ("wiring", "--toml", LONG),
    ("resume", LONG),
    ("replay", "9" * 4000),
    ("export", "9" * 400),
    ("binder", "export", LONG),
    ("replay-log", "--game", LONG, "/dev/null"),
    ("sweep", "--game", "race", "--zone", "nan,nan,nan,nan", "tall.png"),
    ("sweep", "--game", LONG, "tall.png"),
    ("camera", "tall.png", "--save", "/dev/full"),
    ("camera", "tall.png", "--save", "pipe"),
    ("camera", "http://[bad"),
    ("camera", "virtual:" + LONG),
    ("demo", "--game", "race", "--players", "1000000", "--camera", "none"),
    ("shots", "--out", "/dev/null/x"),
    ("devices", "test", "--simulate", "--yes", "--report", "x" * 300),
    ("nonsense" + LONG,),
)
"""Names, numbers and places nobody means; none of these can be done."""
DOABLE: tuple[tuple[str, ...], ...] = (
    ("play", "race", "--text", "--seats", "Ania,Bartek"),
    ("camera", "tall.png", "--preview"),
    ("scan", "tall.png"),
)
"""What is unusual but can be done; the first makes the play the others speak of."""


def environment(home: Path) -> dict[str, str]:
    return {**os.environ, "COMPANION_HOME": str(home), "COMPANION_SCREEN": "none", "COMPANION_LANGUAGE": "en"}


def answers(commands: list[list[str]], files: Path, home: Path) -> list[dict[str, Any]]:
    """What a process of its own says to all of these, one after another."""
    child = subprocess.run(
        [sys.executable, str(Path(__file__).parent / "hostile.py")],
        input=json.dumps(commands).encode(),
        capture_output=True,
        cwd=files,
        env={**environment(home), "PYTHONPATH": str(ROOT)},
        timeout=PATIENCE,
        check=False,
    )
    return [json.loads(line) for line in child.stdout.splitlines()]


def test_whatever_is_handed_to_a_command_is_answered_in_a_sentence(files: Path, tmp_path: Path) -> None:
    named = [[*command, name] for command in READING for name in (*FILES, *OTHERS)]
    commands = [*map(list, DOABLE), *named, *map(list, ASKED)]
    found = answers(commands, files, tmp_path)
    wrong = []
    for command, answer in zip(commands, found, strict=False):
        told, shown = answer["err"], " ".join(word[:30] for word in command)
        codes = (DONE,) if tuple(command) in DOABLE else (BAD_INPUT, STORAGE, DEVICE)
        if command in named:
            codes = (BAD_INPUT,)
        if answer["code"] not in codes or "Traceback" in told or len(told) > 10_000:
            wrong.append(f"{shown}: {answer['code']} {told[-300:]}")
        if answer["code"] and not (told or answer["out"]).strip():
            wrong.append(f"{shown}: no sentence")
        if answer["seconds"] > MOST_SECONDS:
            wrong.append(f"{shown}: {answer['seconds']} s")
    assert wrong == []
    assert len(found) == len(commands), f"no answer to {commands[len(found)][:3]}"
    assert found[-1]["megabytes"] < MOST_MEGABYTES


# The streams themselves: closed, full, or without a reader

SHORT = {
    "plays": DONE,
    "score race -": BAD_INPUT,
    "replay-log -": BAD_INPUT,
    "play race --text --seats A,B": DONE,
}
"""Commands that end by themselves, and how they do if nothing can be read."""


def in_shell(home: Path, line: str) -> tuple[int, str]:
    """How a line of a shell ends, and what is said on standard error."""
    ours = f"{sys.executable} -m companion.cli"
    ran = subprocess.run(
        ["bash", "-c", line.replace("COMPANION", ours)],
        capture_output=True,
        cwd=ROOT,
        env=environment(home),
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert "Traceback" not in ran.stderr
    assert "Exception ignored" not in ran.stderr
    return ran.returncode, ran.stderr


def test_without_a_keyboard_it_is_as_if_nobody_typed(tmp_path: Path) -> None:
    together = "; ".join(f"COMPANION {words} <&- >/dev/null; echo $? >&2" for words in SHORT)
    _, told = in_shell(tmp_path, together)
    codes = [int(line) for line in told.splitlines() if line.isdecimal()]
    assert codes == list(SHORT.values())


@pytest.mark.parametrize(
    ("where", "key"),
    [(">&-", "cli.output-closed"), (">/dev/full", "cli.output-full")],
    ids=["closed", "full"],
)
def test_an_output_nobody_can_write_to_is_told_of(tmp_path: Path, where: str, key: str) -> None:
    for words in ("--help", "score race --schema", "plays"):
        code, told = in_shell(tmp_path, f"COMPANION {words} {where}")
        assert (code, told.strip()) == (STORAGE, render(say(key), "en")), words


def test_nothing_is_written_into_the_journal_by_mistake(tmp_path: Path) -> None:
    """The first file that is opened gets the number of the stream that is closed."""
    in_shell(tmp_path, "printf 'new sparta\\n' | COMPANION play race --text --seats A,B >&-")
    code, _ = in_shell(tmp_path, "COMPANION check >/dev/null")
    assert code == DONE


@pytest.mark.parametrize("where", ["2>&-", "2>/dev/full"])
def test_where_nobody_hears_complaints_the_exit_code_tells(tmp_path: Path, where: str) -> None:
    assert in_shell(tmp_path, f"COMPANION odds eclipse gone.json {where}")[0] == BAD_INPUT
    assert in_shell(tmp_path, f"COMPANION wiring {where} >/dev/null")[0] == DONE


def test_a_closed_pipe_stops_us(tmp_path: Path) -> None:
    line = "set -o pipefail; COMPANION score race --schema | head -c 1 >/dev/null"
    assert in_shell(tmp_path, line)[0] == DONE


def test_a_stream_without_end_is_refused(tmp_path: Path) -> None:
    for words in ("score race -", "score race --jsonl", "replay-log -"):
        code, told = in_shell(tmp_path, f"COMPANION {words} </dev/zero >/dev/null")
        assert (code, "long" in told or "larger" in told) == (BAD_INPUT, True), words


@pytest.mark.parametrize("what", ["pipe", "zero", "deep"])
def test_files_of_ours_that_became_something_else_do_not_stop_us(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    """The settings and the wiring lie in a folder others may write to."""
    for name in ("settings.json", "camera", "table.toml"):
        if what == "pipe":
            os.mkfifo(tmp_path / name)
        elif what == "zero":
            (tmp_path / name).symlink_to("/dev/zero")
        elif name != "camera":
            (tmp_path / name).write_bytes(b'{"zones":' + b"[" * 100_000)
    assert settings.load(tmp_path / "settings.json") == settings.Settings()
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path))
    with pytest.raises(DataTrouble):
        wiring()


# Recorded games that were changed


def mutated(random: Random, value: Any, paths: list[tuple[Any, ...]]) -> Any:
    """The same with one thing gone, doubled, of another kind or another value."""
    path = random.choice(paths)
    here = value
    for step in path[:-1]:
        here = here[step]
    last, old = path[-1], here[path[-1]]
    match random.randrange(6):
        case 0:
            del here[last]
        case 1:
            here[last] = random.choice(
                [None, True, -1, 0, 10**18, 1.5, "", "gem-world", [], {}, [[]], {"a": 1}]
            )
        case 2 if isinstance(old, list):
            here[last] = old + old
        case 3 if isinstance(old, list) and old:
            here[last] = random.sample(old, len(old))
        case 4 if isinstance(old, int):
            here[last] = old + random.choice([-1, 1, 1000])
        case _:
            here[last] = random.choice(["contact-specialist", "gem-world#2", "no-such-card", "settle"])
    return value


def paths_in(value: Any, above: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for step, one in inside:
        yield (*above, step)
        yield from paths_in(one, (*above, step))


def test_a_log_somebody_changed_is_refused_with_its_line_or_differs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path))
    random = Random(12)
    whole = sorted(gzip.decompress(LOGS.read_bytes()).splitlines(), key=len)[:6]
    file, refused, differing = tmp_path / "log.jsonl", 0, 0
    for _ in range(60):
        game = json.loads(random.choice(whole))
        everywhere = list(paths_in(game))
        file.write_text("\n" + json.dumps(mutated(random, game, everywhere)) + "\n")
        code = main(["replay-log", str(file), "--language", "en"])
        told = capsys.readouterr()
        assert code in (DONE, BAD_INPUT)
        assert "Traceback" not in told.err
        if told.err:
            refused += 1
            assert told.err.startswith(f"{file}, line 2: "), told.err
        differing += code == BAD_INPUT and not told.err
    assert refused > 5
    assert differing > 5


@pytest.mark.parametrize("via", ["gem-world", "contact-specialist"])
def test_a_power_a_card_does_not_have_ends_only_the_replay(via: str, tmp_path: Path) -> None:
    """The log says which card was used; another one has no such power."""
    changed = []
    for line in gzip.decompress(LOGS.read_bytes()).splitlines():
        game = json.loads(line)
        for path in list(paths_in(game)):
            if path[-1] in ("via", "source"):
                here = game
                for step in path[:-1]:
                    here = here[step]
                if here[path[-1]] not in ("action", "bonus", "trade", "consume", "deal", "explore"):
                    here[path[-1]] = via
        changed.append(json.dumps(game))
    (tmp_path / "log.jsonl").write_text("\n".join(changed))
    assert main(["replay-log", str(tmp_path / "log.jsonl")]) == BAD_INPUT
