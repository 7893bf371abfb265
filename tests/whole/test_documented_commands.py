"""Every command that a page of the documentation names is run, as the page writes it.

In a folder of its own with a few plays, photos and files; where hardware or a network would be needed, the virtual
camera stands in. What takes too long or needs a window is only read by the parser; `NOT_RUN` says which, and why.
"""

from __future__ import annotations

import re
import shlex
import shutil
from collections.abc import Iterator
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
from tests.doors.typed import said
from tests.whole.test_cli import logs
from vision.virtual import PRESETS, shoot, spread

ROOT = Path(companion.__file__).parent.parent
PAGES = (ROOT / "README.md", *sorted(ROOT.glob("docs/*.md")), *sorted(ROOT.glob("deploy/**/README*.md")))

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
    "demo --camera none": "the same in a window where there is one; `demo --text --camera none` is run",
    "camera usb:0 --preview": "it shows pictures until somebody has seen enough",
    "watch FILM --play 3": "test_watch_command shows a film",
    "watch FILM --play 12": "test_watch_command shows a film",
    "watch film --play N": "test_watch_command shows a film",
    "replay-log tests/games/race/data/race-logs.jsonl.gz": "test_cli replays these games",
    "torture": "minutes of faults; test_torture tries each once",
    "torture --minutes 15": "minutes of faults; test_torture tries each once",
    "torture --minutes 15 --json": "minutes of faults; test_torture tries each once",
    "torture --minutes 15 --folder DISK": "minutes of faults; test_torture tries each once",
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
    "score frontiers",
    "score transgalactica",
    "shots",
)
"""Where a page only names a command, and says elsewhere what comes after it."""

PEBBLES = "pebbles"
"""The game that docs/adding-a-game.md makes; test_adding_a_game runs the page."""


def lines(page: Path) -> Iterator[str]:
    """Every line of a page that is typed into a shell: of blocks, and between backquotes."""
    text = page.read_text(encoding="utf-8")
    fenced = re.compile(r"^```(?:sh|bash)?\n(.*?)^```", re.M | re.S)
    for block in fenced.findall(text):
        for line in block.splitlines():
            found = re.match(r"(?:[>$] )?((?:\w+=\S+ )*(?:\./run|\./test|\.venv/bin/|sudo )\S*.*)", line)
            if found:
                yield re.split(r"\s{2,}", found[1])[0]
    for found in re.findall(
        r"`((?:\w+=\S+ )*\./(?:run|test)\b[^`]*)`", re.sub(r"^```.*?^```", "", text, flags=re.M | re.S)
    ):
        yield " ".join(found.split())


def commands() -> list[str]:
    """What follows `./run` on any page, each once; without a dot line that stands for more."""
    found = {}
    for page in PAGES:
        for line in lines(page):
            words = re.sub(r"^(\w+=\S+ )*", "", line)
            if words.split()[0] == "./run":
                found[words.removeprefix("./run").removesuffix(" ...").strip()] = page.name
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
    """A folder with what the pages speak of: plays, photos, the README's table, a taught box."""
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
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    table = re.search(r"cat > table.json <<'END'\n(.*?)\nEND\n", readme, re.S)
    assert table
    (folder / "table.json").write_text(table[1], encoding="utf-8")
    return folder


PHOTOS = {
    "race": {"ania.jpg": ("new-sparta", "public-works"), "bartek.jpg": ("old-earth", "gem-world")},
    "beyond": {"ania.jpg": ("narrow-beam-lasers",), "bartek.jpg": ("terraforming",)},
    "eclipse": {"map.jpg": ("sector-001", "sector-101")},
}
"""What lies on the photos that the pages speak of."""


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
    monkeypatch.setattr("companion.commands.camera.LOOK", 0.5)
    id = next((id for id in PHOTOS if id in words), "race")
    typist(monkeypatch, id)
    for photo in (folder / id).iterdir():
        shutil.copy(photo, folder)
    if "replay-log" in words:
        (folder / "FILE").write_bytes(logs(1))
    elif "FILE" in words and "export" not in words:
        assert said(["binder", "export", "race", "FILE"], b"", folder)[0] == DONE
    code, out, err = said(words, b"", folder)
    assert code == DONE, f"{command}: {out[-500:]}\n{err[-1500:]}"


@pytest.mark.parametrize("command", [*NOT_RUN, *NAMED])
def test_a_command_that_is_not_run_still_stands_on_a_page_and_is_understood(command: str) -> None:
    everything = commands()
    assert command in everything or f"./run {command}" in _everything(), f"{command} stands on no page"
    words = words_of(command)
    parser = cli._parser("en", words)
    if command in NAMED:
        assert words[0] in cli.COMMANDS
    else:
        assert parser.parse_args(words).run is not None


def _everything() -> str:
    return " ".join(" ".join(page.read_text(encoding="utf-8").split()) for page in PAGES)


def others() -> list[list[str]]:
    """Every other line for a shell: tests, benchmarks, what is done as root."""
    found = {re.sub(r"^(\w+=\S+ )*", "", line): None for page in PAGES for line in lines(page)}
    return [line.split() for line in found if not line.startswith("./run") and PEBBLES not in line]


@pytest.mark.parametrize("words", others(), ids=" ".join)
def test_what_another_command_names_is_there(words: list[str], pytestconfig: pytest.Config) -> None:
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
        assert not [word for word in rest if word.startswith("--") and f'"{word}"' not in source]
    else:
        assert (ROOT / program).is_file()


def test_the_pages_name_commands_at_all() -> None:
    assert len(RUN) > 40
    assert {
        "play beyond --seats Ania,Bartek --advanced",
        "play frontiers --seats Ania,Bartek --goals",
    } <= set(RUN)
