"""Runs every command that the documentation names, as it is written there.

It uses a folder of its own with a few plays, photos and files; the virtual camera replaces hardware or a
network. Commands that take too long or need a window are only parsed; `NOT_RUN` says which, and why.
"""

from __future__ import annotations

import re
import shlex
import shutil
from collections.abc import Iterator
from itertools import takewhile
from pathlib import Path

import cv2
import pytest

import companion
from companion import cli
from companion.core.binder import Binder
from companion.core.game import Setup, game
from companion.core.journal import Journal
from companion.core.play import Play
from companion.core.store import Store
from companion.core.words import Text
from companion.errors import DONE
from companion.recognition import reading
from companion.terminal import asking
from companion.texts import render
from tests.inputs.typed_inputs import said
from tests.whole.test_cli import logs
from vision.virtual import PRESETS, shoot, spread
from workshop.__main__ import TOOLS

ROOT = Path(companion.__file__).parent.parent
PAGES = (
    *(
        ROOT / name
        for name in ("README.md", "CONTRIBUTING.md", "benchmarks/README.md", "docs/reports/README.md")
    ),
    *sorted(ROOT.glob("docs/*.md")),
    *sorted(ROOT.glob("deploy/**/*.md")),
    *sorted(ROOT.glob("companion/games/*/*.md")),
    *sorted(ROOT.glob("workshop/*.md")),
)

PLACEHOLDERS = {
    "GAME": "race",
    "FILM": "film",
    "DIR": "pictures",
    "DISK": "disk",
    "N": "2",
    "ARGUMENTS": "plays",
    "usb:0": "virtual:good-lamp:1",
    "http://...": "virtual:good-lamp:1",
}
"""What people put in for a word of a page, and the camera that stands in for theirs."""

FEWER = {"--games": "1"}
"""Numbers that say how long it takes."""

NOT_RUN = {
    "demo": "a whole game before the virtual camera; test_cli and test_see_commands show one without",
    "demo --game eclipse": "the same",
    "devices test": "it asks people to press and look; `devices test --yes` is run",
    "devices test --names Ania,Bartek": "the same",
    "devices test --simulate": "the same",
    "camera usb:0 --preview": "it shows pictures until somebody has seen enough",
    "faces race usb:0": "it goes on until every card was laid down; test_face_lesson teaches cards",
    "watch FILM --play 12": "test_watch_command shows a film",
    "watch film --play N": "test_watch_command shows a film",
    "score race --sweep ania=usb:0 bartek=usb:0 --zone ania=left bartek=right": "test_see_commands tries zones",
    "replay-log tests/games/race/data/race-logs.jsonl.gz": "test_cli replays these games",
    "faults": "minutes of faults; test_fault_injection tries each once",
    "faults --minutes 15": "minutes of faults; test_fault_injection tries each once",
    "faults --minutes 15 --json": "minutes of faults; test_fault_injection tries each once",
    "faults --minutes 15 --folder DISK": "minutes of faults; test_fault_injection tries each once",
    "hall --password-file hall-credentials/hall-password --bind 0.0.0.0": "it serves until a signal; tests/hall",
    "hall --name red --database postgresql://fair@10.0.0.2/hall --broker 10.0.0.3": "the same",
    "shots --out DIR": "every screen in a window; tests/ui takes them",
    "shots --out pictures": "every screen in a window; tests/ui takes them",
}
"""Commands that are only read by the parser, and why."""

NAMED = (
    "bots",
    "camera",
    "odds",
    "replay-log",
    "score",
    "score transgalactica",
    "shots",
)
"""Where a page only names a command, and says elsewhere what comes after it."""

PEBBLES = "pebbles"
"""The game that docs/adding-a-game.md makes; test_adding_a_game runs the page."""


PROGRAM = r"(?:\./run|\./dev|\./test|\.venv/bin/\S+|sudo|python3|companion|tests/\w+/run|deploy/sign)"
BLOCK = re.compile(r"^ *```(?:sh|bash)?\n(.*?)^ *```", re.M | re.S)
INDENTED = re.compile(r"^ {4}(?=\S)(.*)$", re.M)
INLINE = re.compile(rf"`((?:\w+=\S+ )*{PROGRAM}\b[^`]*)`")


def lines(page: Path) -> Iterator[str]:
    """Every line of a page that is typed into a shell: of blocks, of indented lines, and between backquotes."""
    text = page.read_text(encoding="utf-8")
    prose = re.sub(r"^ *```.*?^ *```", "", text, flags=re.M | re.S)
    blocks = [line.strip() for block in BLOCK.findall(text) for line in block.splitlines()]
    for line in [*blocks, *INDENTED.findall(prose)]:
        found = re.match(rf"(?:[>$] )?((?:\w+=\S+ )*{PROGRAM}(?: .*)?)$", line)
        if found:
            yield re.split(r"\s{2,}", found[1])[0]
    for found in INLINE.findall(prose):
        if found not in ("sudo", "python3", "companion"):  # the program as such
            yield " ".join(found.split())


def commands() -> list[str]:
    """What follows `./run` or `./dev` on any page, each once; without a dot line that stands for more."""
    found = {}
    for page in PAGES:
        for line in lines(page):
            program, _, rest = re.sub(r"^(\w+=\S+ )*", "", line).partition(" ")
            if program in ("./run", "./dev", "companion"):
                found[rest.removesuffix(" ...").strip()] = page.name
    return [command for command in found if PEBBLES not in command]


RUN = [command for command in commands() if command not in NOT_RUN and command not in NAMED]


def words_of(command: str) -> list[str]:
    """A command's words, with what people put in for placeholders."""
    words = [PLACEHOLDERS.get(word, word) for word in shlex.split(command)]
    for n, word in enumerate(words[:-1]):
        words[n + 1] = FEWER.get(word, words[n + 1])
    return words


@pytest.fixture(scope="module")
def ready(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with what the pages speak of: plays, photos, the table of docs/scoring.md, a taught box."""
    folder = tmp_path_factory.mktemp("pages")
    (folder / "disk").mkdir()
    with Store(folder / "home" / "journal.db") as store:
        for n in range(12):
            setup = Setup("race", ("Ania", "Bartek"))
            Play.start(game("race"), setup, Journal(store), Binder(store), float(n))
    for id, photos in PHOTOS.items():
        (folder / id).mkdir()
        for name, components in photos.items():
            labels = [_label(id, component) for component in components]
            cv2.imwrite(str(folder / id / name), shoot(spread(labels, 3), PRESETS["good-lamp"], 3).picture)
    shutil.copy(folder / "race" / "ania.jpg", folder / "photo.png")
    page = (ROOT / "docs" / "scoring.md").read_text(encoding="utf-8")
    table = re.search(r"cat > table.json <<'END'\n(.*?)\nEND\n", page, re.S)
    assert table
    (folder / "table.json").write_text(table[1], encoding="utf-8")
    (folder / "table.toml").write_text(block("panel.md", "toml"), encoding="utf-8")
    return folder


PHOTOS = {
    "race": {"ania.jpg": ("new-sparta", "public-works"), "bartek.jpg": ("old-earth", "gem-world")},
    "beyond": {"ania.jpg": ("narrow-beam-lasers",), "bartek.jpg": ("terraforming",)},
    "eclipse": {"map.jpg": ("sector-001", "sector-101")},
}
"""What lies on the photos that the pages speak of."""


def block(page: str, language: str) -> str:
    """The first block of code of a page in this language."""
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    return text.partition(f"```{language}\n")[2].partition("```")[0]


def _label(id: str, component: str) -> str:
    texts = reading.book(game(id)).texts
    return next(text for piece, text in texts.items() if piece.component == component)


def typist(monkeypatch: pytest.MonkeyPatch, id: str) -> None:
    """Somebody who answers whatever a command asks: with Enter, a number, or one of the names it offers."""
    asked: dict[str, int] = {}
    own = {
        "see.ask-lying": iter(("old earth", "new sparta")),
        "Hydran": iter(("eridani", "hydran", "planta")),
    }

    def line(text: Text, language: str) -> str:
        words = render(text, language)
        asked[words] = asked.get(words, -1) + 1
        if text.key == "see.ask-lying" and id == "race":
            return next(own[text.key])
        if "Hydran" in words:
            return next(own["Hydran"])
        names = [name.strip() for name in re.findall(r"[^(),;]+", words.rpartition("(")[2])]
        tries = ("", "0", "1", "2", *names)
        return tries[asked[words] % len(tries)]

    monkeypatch.setattr(asking, "line", line)


@pytest.mark.parametrize("command", RUN)
def test_a_command_of_a_page_works(
    ready: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    folder = tmp_path / "here"
    shutil.copytree(ready, folder)
    words = words_of(command)
    monkeypatch.setattr("companion.commands.camera.WATCHED", 0.5)
    id = next((id for id in PHOTOS if id in words), "race")
    typist(monkeypatch, id)
    for photo in (folder / id).iterdir():
        shutil.copy(photo, folder)
    if "--toml" in words:
        (folder / "table.toml").unlink()
    if "replay-log" in words:
        (folder / "FILE").write_bytes(logs(1))
    elif "odds" in words:
        (folder / "FILE").write_text(block("odds.md", "json"), encoding="utf-8")
    elif "hall-table" in words:
        (folder / "FILE").write_text(block("hall-table.md", "json"), encoding="utf-8")
    elif "my-game.toml" in words and "new" not in words:
        assert said(["flow", "new", "my-game.toml"], b"", folder)[0] == DONE
    elif "FILE" in words and "export" not in words:
        assert said(["binder", "export", "race", "FILE"], b"", folder)[0] == DONE
    code, out, err = said(words, b"", folder)
    assert code == DONE, f"{command}: {out[-500:]}\n{err[-1500:]}"


@pytest.mark.parametrize("command", [*NOT_RUN, *NAMED])
def test_a_command_that_is_not_run_still_stands_on_a_page_and_is_understood(command: str) -> None:
    everything = commands()
    assert (
        command in everything or f"./run {command}" in _everything() or f"./dev {command}" in _everything()
    ), f"{command} stands on no page"
    words = words_of(command)
    tools = TOOLS if words[0] in TOOLS.commands else cli.PRODUCT
    parser = cli._parser("en", words, tools)
    if command in NAMED:
        assert words[0] in tools.commands
    else:
        assert parser.parse_args(words).run is not None


def _everything() -> str:
    return " ".join(" ".join(page.read_text(encoding="utf-8").split()) for page in PAGES)


def others() -> list[list[str]]:
    """Every other line for a shell: tests, benchmarks, what is done as root."""
    found = {re.sub(r"^(\w+=\S+ )*", "", line): None for page in PAGES for line in lines(page)}
    return [
        line.split()
        for line in found
        if not line.startswith(("./run", "./dev", "companion")) and PEBBLES not in line
    ]


@pytest.mark.parametrize("words", others(), ids=" ".join)
def test_what_another_command_names_is_there(words: list[str], pytestconfig: pytest.Config) -> None:
    if words[:2] == ["sudo", ".venv/bin/python"]:
        words = words[1:]
    program, *rest = words
    if program == "sudo":
        paths = [word.removeprefix("companion/") for word in rest if "/" in word]
        assert all((ROOT / path).is_file() for path in paths)
        source = "".join((ROOT / path).read_text(encoding="utf-8") for path in paths)
        assert not paths or all(word in source for word in rest if word.startswith("--"))
    elif program == "./test" or rest[:2] == ["-m", "pytest"]:
        given = [word for word in rest if word not in ("-m", "pytest", "ARGUMENTS")]
        assert (ROOT / "test").is_file()
        assert all((ROOT / word).exists() for word in given if word.startswith("tests/"))
        known, unknown = pytestconfig._parser.parse_known_and_unknown_args(given)
        assert not unknown, known
    elif rest and rest[0].endswith(".py"):
        source = (ROOT / rest[0]).read_text(encoding="utf-8")
        options = {word for word in takewhile(lambda word: word != "./dev", rest) if word.startswith("--")}
        options -= {"--report"} if "reported(main)" in source else set()
        assert not [word for word in options if f'"{word}"' not in source]
    else:
        assert (ROOT / program).is_file()


def test_the_pages_name_commands_at_all() -> None:
    assert len(RUN) > 40
    assert {
        "play beyond --seats Ania,Bartek --advanced",
        "play frontiers --seats Ania,Bartek --goals",
    } <= set(RUN)
