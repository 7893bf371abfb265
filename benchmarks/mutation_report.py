"""The report of a mutation campaign."""

from __future__ import annotations

import os
import platform
import subprocess
from collections import Counter, defaultdict
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

ROOT = Path(__file__).resolve().parent.parent
SHARED = "scoring/count.py"
CAUGHT, SURVIVED, TIMEOUT, UNCALLED = "caught", "survived", "timeout", "not called"


class Kept(Struct, frozen=True):
    """What a page says of one game: its row, the rows of its modules, and what survived."""

    row: str
    modules: tuple[str, ...]
    survived: str


def kept(page: str) -> dict[str, Kept]:
    """The games of a page that was written before."""
    table, _, rest = page.partition("## By module")
    modules, _, listed = rest.partition("## What no test noticed")
    rows = [line for line in table.splitlines() if line.startswith("| ")][1:-1]  # without head and sum
    survived = dict(part.split("\n", 1) for part in listed.split("### ")[1:])
    found = {}
    for line in rows:
        game = line.split("|")[1].strip()
        own = (f"companion/games/{game}/", f"scoring/{game}.py", *((SHARED,) if game == "scoring" else ()))
        mine = (it for it in modules.splitlines() if it.startswith(tuple(f"| `{path}" for path in own)))
        found[game] = Kept(line, tuple(mine), survived.get(game, "").strip())
    return found


class Listed(Struct, frozen=True):
    """A mutant of a page that no test noticed: where it was, its operator, and the lines it changed."""

    file: str
    line: int
    operator: str
    called: bool
    change: tuple[str, ...]

    @property
    def mutant(self) -> tuple[str, str, tuple[str, ...]]:
        """What it is called whatever line it has moved to."""
        return self.file, self.operator, self.change

    @property
    def game(self) -> str:
        """The game whose tests judge it."""
        path = Path(self.file)
        return (
            "scoring"
            if self.file == SHARED
            else path.stem
            if path.parent.name == "scoring"
            else path.parts[2]
        )

    @property
    def is_there(self) -> bool:
        """Whether the line it changes is still in the sources."""
        file, was = ROOT / self.file, self.change[0].removeprefix("- ")
        return file.exists() and was in map(str.strip, file.read_text("utf-8").splitlines())

    @property
    def words(self) -> list[str]:
        """Its lines on the page."""
        note = "" if self.called else "  (not called)"
        return [f"{self.file}:{self.line} {self.operator}{note}", *(f"    {line}" for line in self.change)]


def listed(page: str) -> list[Listed]:
    """What a page says survived."""
    found: list[Listed] = []
    for line in "\n".join(game.survived for game in kept(page).values()).splitlines():
        if line.startswith("    "):
            found[-1] = replace(found[-1], change=(*found[-1].change, line.strip()))
        elif not line.startswith("```"):
            place, operator, *note = line.split(maxsplit=2)
            file, _, number = place.rpartition(":")
            found.append(Listed(file, int(number), operator, not note, ()))
    return found


def revised(page: str, results: list[dict[str, Any]]) -> str:
    """The page after mutants it lists were judged once more: those noticed count as caught, those whose code is
    gone as never tried, and neither is listed any more."""
    judged = {(it["file"], it["operator"], tuple(it["change"])): it for it in results}
    games, when, lines = {it["game"] for it in results}, _when(), page.splitlines()
    for one in listed(page):
        result = judged.get(one.mutant)
        if result is None and (one.game not in games or one.is_there):
            continue
        outcome = result["outcome"] if result else None
        words: list[str] = []
        if result and outcome in (SURVIVED, UNCALLED):
            words = replace(one, line=result["line"], called=outcome == SURVIVED).words
        at = next(n for n in range(len(lines)) if lines[n : n + len(one.words)] == one.words)
        lines[at : at + len(one.words)] = words
        rows = (f"| {one.game} |", f"| `{one.file}` |", "| all |")
        lines = [_recounted(line, one, outcome) if line.startswith(rows) else line for line in lines]
    of_games = tuple(f"| {game} |" for game in games)
    return "\n".join(_again(line, when) if line.startswith(of_games) else line for line in lines) + "\n"


def _recounted(line: str, one: Listed, outcome: str | None) -> str:
    """A row of a table with another outcome of one mutant, or without it."""
    cells = [cell.strip() for cell in line.split("|")]
    first = 2 if cells[1].startswith("`") else 3
    tried, *counted = map(int, cells[first : first + 5])
    found = dict(zip((CAUGHT, TIMEOUT, SURVIVED, UNCALLED), counted, strict=True))
    found[SURVIVED if one.called else UNCALLED] -= 1
    if outcome is not None:
        found[outcome] += 1
    tried = sum(found.values())
    noticed = (found[CAUGHT] + found[TIMEOUT]) / tried if tried else 0
    cells[first : first + 6] = [str(tried), *map(str, found.values()), f"{noticed:.0%}"]
    return " | ".join(cells).replace("  ", " ").strip()


def _again(line: str, when: str) -> str:
    """A game's row with the day and commit at which its survivors were judged once more."""
    cells = line.split(" |")
    return " |".join((*cells[:-2], f"{cells[-2].partition(',')[0]}, survivors {when}", cells[-1]))


def _when() -> str:
    """Today and the commit."""
    head = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    return f"{datetime.now(UTC):%Y-%m-%d} {head.stdout.strip() or 'unknown'}"


def report(results: list[dict[str, Any]], seed: int, totals: dict[str, int], before: str = "") -> str:
    """The page of a campaign; games that were not tried now stay as the page before says."""
    earlier = kept(before)
    when = _when()
    cores, machine = os.cpu_count(), platform.machine()
    words = [
        "# Mutation campaign",
        "",
        "Deliberate mistakes in the rules (`companion/games/*/steps` and `scoring`), one at a time, and whether the",
        "tests of the game notice. Written by `benchmarks/mutation.py`; how it works is said there.",
        "",
        f"{machine}, {cores} cores, Python {platform.python_version()}, seed {seed}. Each game: day and commit of",
        "its last run, and of the last time its survivors were judged once more, in the column *run*.",
        "",
        "*Not called*: no test calls the function. *Timeout*: the tests did not end, which is as good as caught.",
        "",
        "| game | mutants | tried | caught | timeout | survived | not called | noticed | seconds each | run |",
        "|---|---|---|---|---|---|---|---|---|---|",
    ]
    of_game: defaultdict[str, list[dict[str, Any]]] = defaultdict(list)
    for result in results:
        of_game[result["game"]].append(result)
    pages = earlier | {game: _now(game, found, totals[game], when) for game, found in of_game.items()}
    words += [
        *(page.row for page in pages.values()),
        f"| all | {_sum(page.row for page in pages.values())} | | |",
        "",
        "## By module",
        "",
    ]
    words += [
        "| module | tried | caught | timeout | survived | not called | noticed |",
        "|---|---|---|---|---|---|---|",
    ]
    words += sorted(line for page in pages.values() for line in page.modules)
    words += ["", "## What no test noticed", ""]
    for game, page in pages.items():
        if page.survived:
            words += [f"### {game}", "", page.survived, ""]
    return "\n".join(words).rstrip() + "\n"


def _now(game: str, found: list[dict[str, Any]], total: int, when: str) -> Kept:
    """What a run found of one game."""
    each = sum(result["took"] for result in found) / len(found)
    files = sorted({result["file"] for result in found})
    modules = tuple(f"| `{file}` | {row([it for it in found if it['file'] == file])} |" for file in files)
    left = [result for result in found if result["outcome"] in (SURVIVED, UNCALLED)]
    words: list[str] = []
    for it in sorted(left, key=lambda it: (it["file"], it["line"], it["column"])):
        called = it["outcome"] == SURVIVED
        words += Listed(it["file"], it["line"], it["operator"], called, tuple(it["change"])).words
    survived = "\n".join(("```", *words, "```")) if words else ""
    return Kept(f"| {game} | {total} | {row(found)} | {each:.2f} | {when} |", modules, survived)


def _sum(rows: Iterable[str]) -> str:
    """All games together: how many mutants there are, tried, and what became of them."""
    numbers = [[int(cell) for cell in line.split("|")[2:8]] for line in rows]
    there, *counted = (sum(column) for column in zip(*numbers, strict=True))
    tried, caught, timeout = counted[:3]
    noticed = (caught + timeout) / tried if tried else 0
    return " | ".join((*map(str, (there, *counted)), f"{noticed:.0%}"))


def row(results: list[dict[str, Any]]) -> str:
    """Tried, and what became of them."""
    counted = Counter(result["outcome"] for result in results)
    noticed = (counted[CAUGHT] + counted[TIMEOUT]) / len(results) if results else 0
    numbers = (len(results), *(counted[outcome] for outcome in (CAUGHT, TIMEOUT, SURVIVED, UNCALLED)))
    return " | ".join((*map(str, numbers), f"{noticed:.0%}"))
