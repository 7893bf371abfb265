"""Mutation testing of the rules: which deliberate mistakes does no test notice?

    .setup/uv-* pip install --python .venv/bin/python --target .setup/mutation --no-deps --require-hashes \\
        -r benchmarks/mutation.txt
    .venv/bin/python benchmarks/mutation.py --minutes 10                    a sample of every game
    .venv/bin/python benchmarks/mutation.py --game race --minutes 5 --seed 2
    .venv/bin/python benchmarks/mutation.py --all --jobs 2                  every mutant, as long as it takes
    .venv/bin/python benchmarks/mutation.py --all --only scoring            every mutant of some files
    .venv/bin/python benchmarks/mutation.py --results FILE --minutes 10     ten minutes more of what FILE has already
    .venv/bin/python benchmarks/mutation.py --results FILE --again          once more what survived in FILE
    .venv/bin/python benchmarks/mutation.py --listed --all                  once more what the report says survived

The operators are cosmic-ray's, the mutants are of `companion/games/*/steps` and `scoring`. A mutant is judged
by the tests of its game: `tests/games/GAME`, its tests in `tests/scoring`, its recorded plays. Everything
happens in a copy, and even there no file is changed: the tests are collected once, then a process is forked
for each mutant, in which the one mutated function is replaced and the tests that call it run until one fails:
first those that caught another mutant of that function, then the fastest. Code outside functions is mutated
as the module is imported, in a separate process. The report goes to `docs/reports/mutation.md`; games that
were not tried keep their results there. A results file belongs to the sources it was made with: results for a
file that has changed since are computed again.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import difflib
import importlib
import importlib.abc
import importlib.util
import json
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from types import CodeType, FunctionType, ModuleType
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parent.parent
if __name__ == "__main__":
    sys.path[0] = str(ROOT)  # run as a script, files beside this one would hide packages of the same name
from benchmarks.mutants import Mutant, functions, mutants, mutated  # noqa: E402
from benchmarks.mutation_report import CAUGHT, SURVIVED, TIMEOUT, UNCALLED, listed, report, revised, row  # noqa: E402
from benchmarks.mutation_results import digest, known  # noqa: E402

REPORT = ROOT / "docs" / "reports" / "mutation.md"
SHARED = "scoring"
"""What all games count with: judged by the tests of all sheets."""
GAMES = (*sorted(folder.parent.name for folder in ROOT.glob("companion/games/*/steps")), SHARED)
LEAST, TIMES = 2, 4
"""Seconds of processor a test may always take, and how many times what it takes without a mutant."""
PATIENCE = 20
"""How many times longer by the clock it may take on a busy machine."""
OUTSIDE = 0.2
"""The part of the time kept for mutants outside of functions, which take longer."""


def files_of(game: str) -> list[str]:
    """The files whose mutants this game's tests judge."""
    if game == SHARED:
        return ["scoring/count.py", "scoring/sheet.py"]
    steps = sorted(str(file.relative_to(ROOT)) for file in ROOT.glob(f"companion/games/{game}/steps/*.py"))
    return [*steps, f"scoring/{game}.py"]


def tests_of(game: str) -> list[str]:
    """What pytest is to collect."""
    sheets = [str(file) for file in sorted((ROOT / "tests/scoring").glob("test_*.py"))]
    if game == SHARED:
        return sheets
    own = [file for file in sheets if Path(file).name.startswith(f"test_{game}_")]
    return [str(ROOT / "tests/games" / game), *own, str(ROOT / "tests/recorded/test_recorded.py")]


def sample(game: str, seed: int) -> list[Mutant]:
    """The mutants of a game in a random order: one of every place first, then the second of every place."""
    places: defaultdict[tuple[str, int, int], list[Mutant]] = defaultdict(list)
    for file in files_of(game):
        for mutant in mutants(file):
            places[mutant.file, mutant.line, mutant.column].append(mutant)
    chance = random.Random(f"{game} {seed}")
    ranked = []
    for found in places.values():
        chance.shuffle(found)
        ranked += [(n, chance.random(), mutant) for n, mutant in enumerate(found)]
    return [mutant for _, _, mutant in sorted(ranked, key=lambda it: it[:2])]


def left(game: str, options: argparse.Namespace) -> list[Mutant]:
    """The mutants of the sample that are to be judged now."""
    before = {(it["file"], it["operator"], it["occurrence"]): it["outcome"] for it in known(options.results)}
    again = {it.mutant for it in listed(REPORT.read_text("utf-8"))} if options.listed else set()
    operators = {mutant[:2] for mutant in again}

    def wanted(mutant: Mutant) -> bool:
        outcome = before.get((mutant.file, mutant.operator, mutant.occurrence))
        fits = not options.only or any(mutant.file.startswith(one) for one in options.only)
        fits = fits and bool(mutant.function or not options.functions)
        if options.listed:
            fits = fits and (mutant.file, mutant.operator) in operators
            fits = fits and (mutant.file, mutant.operator, tuple(change(mutant))) in again
        return fits and (outcome in (SURVIVED, UNCALLED) if options.again else outcome is None)

    return [mutant for mutant in sample(game, options.seed) if wanted(mutant)]


# One function exchanged


def _codes(code: CodeType) -> Iterator[CodeType]:
    yield code
    for const in code.co_consts:
        if isinstance(const, CodeType):
            yield from _codes(const)


def module_name(file: str) -> str:
    """The dotted name under which a file is imported."""
    return file.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def function_of(file: str, name: str) -> FunctionType | None:
    """A function or method in memory, if it can be found there."""
    found: Any = sys.modules.get(module_name(file))
    for part in name.split("."):
        found = vars(found).get(part) if hasattr(found, "__dict__") else None
    while found is not None and not isinstance(found, FunctionType):
        inner = (getattr(found, name, None) for name in ("__wrapped__", "__func__", "fget"))
        found = next((it for it in inner if it is not None), None)
    return found


def code_for(function: FunctionType, module: CodeType) -> CodeType | None:
    """The code a function has in this compiled module, if it can be put in its place."""
    was = function.__code__
    place = (was.co_qualname, was.co_firstlineno)
    fitting = [c for c in _codes(module) if (c.co_qualname, c.co_firstlineno) == place]
    return fitting[0] if len(fitting) == 1 and fitting[0].co_freevars == was.co_freevars else None


def compiled(mutant: Mutant) -> CodeType | None:
    """The mutated module; None if it is no Python (`if not found := ...`), which no test needs to notice."""
    try:
        return compile(mutated(mutant), str(ROOT / mutant.file), "exec", dont_inherit=True)
    except SyntaxError:
        return None


def watch(file: str) -> None:
    """Let every function of a file note that it was called."""
    tree = ast.parse((ROOT / file).read_text("utf-8"))
    found = dict(functions(tree))
    for name, node in found.items():
        note = ast.parse(f"__import__('sys').mutation_seen.add(({file!r}, {name!r}))").body[0]
        node.body.insert(1 if ast.get_docstring(node) is not None else 0, note)
    module = compile(ast.fix_missing_locations(tree), str(ROOT / file), "exec", dont_inherit=True)
    for name in found:
        if (function := function_of(file, name)) is not None and (code := code_for(function, module)):
            function.__code__ = code


SEEN: set[tuple[str, str]] = set()
"""The functions called since it was last emptied."""


def forget(game: str) -> None:
    """Empty what functions of these rules remember: with a mistake in them they would say something else."""
    wanted = (f"companion.games.{game}.steps", f"scoring.{game}", "scoring.count", "scoring.sheet")
    for name, module in list(sys.modules.items()):
        if isinstance(module, ModuleType) and name.startswith(wanted):
            for value in vars(module).values():
                if hasattr(value, "cache_clear"):
                    value.cache_clear()


class Mutated(importlib.abc.MetaPathFinder, importlib.abc.InspectLoader):
    """Imports one module with a mistake in it."""

    def __init__(self, mutant: Mutant) -> None:
        self.name, self.mutant = module_name(mutant.file), mutant

    def find_spec(self, fullname: str, path: Any, target: Any = None) -> Any:
        if fullname != self.name:
            return None
        where = str(ROOT / self.mutant.file)
        return importlib.util.spec_from_file_location(fullname, where, loader=self)

    def get_source(self, fullname: str) -> str:
        return mutated(self.mutant)


# The judge, inside of pytest


class Judge:
    """Takes over from pytest once the tests are collected."""

    def __init__(
        self, game: str, then: Callable[[Judge], None], cost: dict[str, float] | None = None
    ) -> None:
        self.game, self.then, self.cost = game, then, cost or {}
        self.items: list[Any] = []
        self.calls: dict[str, set[tuple[str, str]]] = {}
        self.caught: defaultdict[tuple[str, str], set[str]] = defaultdict(set)
        """The tests that caught a mutant of a function."""
        self.session: Any = None

    def pytest_collection_modifyitems(self, items: list[Any]) -> None:
        """Only the recorded plays of this game; quick tests first."""
        mine = [it for it in items if "test_recorded.py" not in it.nodeid or f"[{self.game}" in it.nodeid]
        items[:] = sorted(mine, key=lambda item: self.cost.get(item.nodeid, 0.0))

    def pytest_runtestloop(self, session: Any) -> bool:
        """Instead of running all tests."""
        self.session, self.items = session, list(session.items)
        self.then(self)
        return True

    def run(self, items: list[Any], catcher: Callable[[str], object] = lambda _: None) -> bool:
        """Whether all these tests pass; ends at the first that does not."""
        for n, item in enumerate(items):
            following = items[n + 1] if n + 1 < len(items) else None
            signal.setitimer(signal.ITIMER_VIRTUAL, LEAST + TIMES * self.cost.get(item.nodeid, 0.0))
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
            if self.session.testsfailed:
                catcher(item.nodeid)
                return False
        return True

    def measure(self) -> None:
        """What every test takes, and which functions of the rules it calls."""
        for file in files_of(self.game):
            watch(file)
        for n, item in enumerate(self.items):
            forget(self.game)
            SEEN.clear()
            began = time.process_time()
            following = self.items[n + 1] if n + 1 < len(self.items) else None
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
            self.cost[item.nodeid], self.calls[item.nodeid] = time.process_time() - began, set(SEEN)

    def callers(self, mutant: Mutant) -> list[Any]:
        """The tests that call the function of a mutant: first what caught one before, then the quickest."""
        place = (mutant.file, mutant.function)
        found = [item for item in self.items if place in self.calls.get(item.nodeid, ())]
        caught = self.caught[place]
        return sorted(found, key=lambda item: (item.nodeid not in caught, self.cost[item.nodeid]))


def pytest_run(game: str, judge: Judge) -> int:
    """Collect the tests of a game and let the judge decide what is done with them."""
    sys.mutation_seen = SEEN  # type: ignore[attr-defined]
    options = ["-q", "-x", "-p", "no:cacheprovider", "-p", "no:xdist", "--capture=no"]
    return int(
        pytest.main(
            [*options, "--rootdir", str(ROOT), "-c", str(ROOT / "pyproject.toml"), *tests_of(game)],
            plugins=[judge],
        )
    )


def quiet() -> None:
    """What pytest prints goes nowhere."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)


def forked(work: Callable[[], bool], seconds: float) -> str:
    """What became of some work in a process of its own: its tests pass, fail, or do not end."""
    sys.stdout.flush()
    child = os.fork()
    if child == 0:
        code = 1
        with contextlib.suppress(BaseException):
            quiet()
            os.dup2(1, 2)
            signal.signal(signal.SIGVTALRM, signal.SIG_DFL)
            resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))
            code = 0 if work() else 1
        os._exit(code)
    until = time.monotonic() + PATIENCE * seconds
    while True:
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            break
        if time.monotonic() > until:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            return TIMEOUT
        time.sleep(0.002)
    if os.WIFSIGNALED(status):
        return TIMEOUT if os.WTERMSIG(status) == signal.SIGVTALRM else CAUGHT
    return SURVIVED if os.WEXITSTATUS(status) == 0 else CAUGHT


# One game


def judge_game(game: str, options: argparse.Namespace) -> None:
    """Judge mutants of one game until time is up; each result is a line of the file."""
    chosen = left(game, options)
    if not chosen:
        return
    inside = [mutant for mutant in chosen if mutant.function]
    outside = [mutant for mutant in chosen if not mutant.function]
    seconds = float("inf") if options.all else options.minutes * 60
    share = seconds * (1 - OUTSIDE) if outside else seconds
    costs, later = (ROOT.parent / f"{game}-{name}" for name in ("costs", "later"))
    later.write_text("")

    never: list[Mutant] = []

    def write(mutant: Mutant, outcome: str, took: float) -> None:
        line = {"game": game, **vars(mutant), "outcome": outcome, "took": round(took, 3)}
        line["digest"] = digest(mutant.file)
        if outcome in (SURVIVED, UNCALLED) or options.listed:
            line["change"] = change(mutant)
        with options.results.open("a") as out:
            out.write(json.dumps(line) + "\n")

    def judged(mutant: Mutant, work: Callable[[], bool], limit: float) -> None:
        start = time.monotonic()
        outcome = forked(work, limit)
        outcome = UNCALLED if outcome == SURVIVED and mutant in never else outcome
        write(mutant, outcome, time.monotonic() - start)

    def warm(judge: Judge) -> None:
        judge.measure()
        if judge.session.testsfailed:
            raise SystemExit(f"{game}: the tests fail without any mutant")
        costs.write_text(json.dumps(judge.cost))
        began = time.monotonic()
        for n, mutant in enumerate(inside):
            if time.monotonic() - began > share:
                return
            function, callers = function_of(mutant.file, mutant.function), judge.callers(mutant)
            module = compiled(mutant)
            if module is None:
                continue
            code = code_for(function, module) if function is not None else None
            if function is None or code is None or not callers:  # perhaps called while modules are imported
                with later.open("a") as out:
                    out.write(f"{n} {len(callers)}\n")
                continue

            catcher = ROOT.parent / f"{game}-catcher"
            catcher.unlink(missing_ok=True)

            def work(
                function: FunctionType = function,
                code: CodeType = code,
                callers: list[Any] = callers,
                catcher: Path = catcher,
            ) -> bool:
                forget(game)
                function.__code__ = code
                return judge.run(callers, catcher.write_text)

            judged(mutant, work, LEAST + sum(judge.cost[item.nodeid] for item in callers))
            if catcher.exists():
                judge.caught[mutant.file, mutant.function].add(catcher.read_text())

    child = (
        os.fork()
    )  # what the tests import stays there: mutants outside of functions need it imported again
    if child == 0:
        code = 1
        quiet()
        with contextlib.suppress(SystemExit):
            code = pytest_run(game, Judge(game, warm))
        broken = code == pytest.ExitCode.INTERNAL_ERROR  # of the judge, not of a test
        os._exit(0 if costs.exists() and not broken else code or 1)
    if os.WEXITSTATUS(os.waitpid(child, 0)[1]):
        raise SystemExit(f"{game}: the tests could not be run")
    cost: dict[str, float] = json.loads(costs.read_text())
    began = time.monotonic()
    limit = 2 * LEAST + sum(cost.values())
    waiting = [
        (inside[int(n)], callers == "0") for n, callers in map(str.split, later.read_text().splitlines())
    ]
    never += [mutant for mutant, uncalled in waiting if uncalled]
    for mutant in (*outside, *(mutant for mutant, _ in waiting)):
        if not options.all and time.monotonic() - began > seconds * OUTSIDE:
            return
        if compiled(mutant) is None:
            continue

        def work(mutant: Mutant = mutant) -> bool:
            sys.meta_path.insert(0, Mutated(mutant))
            passed: list[bool] = []
            judge = Judge(game, lambda judge: passed.append(judge.run(judge.items)), dict(cost))
            return pytest_run(game, judge) == 0 and passed == [True]

        judged(mutant, work, limit)


def change(mutant: Mutant) -> list[str]:
    """The lines a mutant takes away and puts in."""
    before = (ROOT / mutant.file).read_text("utf-8").splitlines()
    lines = difflib.unified_diff(before, mutated(mutant).splitlines(), n=0, lineterm="")
    return [
        f"{line[0]} {line[1:].strip()}"
        for line in lines
        if line[0] in "+-" and line[:3] not in ("+++", "---")
    ]


# The campaign


def campaign(options: argparse.Namespace) -> None:
    """Every game in a process of its own, so many at a time; then the report."""
    games = options.game or list(GAMES)
    totals = {game: sum(len(mutants(file)) for file in files_of(game)) for game in games}
    weight = {game: totals[game] / sum(totals.values()) for game in games}
    with TemporaryDirectory() as folder:
        results = options.results.resolve() if options.results else Path(folder) / "results.jsonl"
        results.touch()
        copied(Path(folder) / "copy")
        running: list[tuple[str, subprocess.Popen[bytes]]] = []
        for game in games if options.all or options.minutes else ():
            while len(running) >= options.jobs:
                running = _ended(running)
            minutes = options.minutes * options.jobs * weight[game]
            words = [
                "--judge",
                game,
                "--results",
                str(results),
                "--seed",
                str(options.seed),
                "--minutes",
                str(minutes),
            ]
            script = str(Path(folder) / "copy" / "benchmarks" / "mutation.py")
            for only in options.only:
                words += ["--only", only]
            words += ["--all"] * options.all + ["--again"] * options.again
            words += ["--functions"] * options.functions + ["--listed"] * options.listed
            command = [sys.executable, script, *words]
            running.append((game, subprocess.Popen(command, cwd=Path(folder) / "copy")))
        while running:
            running = _ended(running)
        found = [it for it in known(results) if it["game"] in games]
    found.sort(key=lambda it: games.index(it["game"]))
    options.report.parent.mkdir(parents=True, exist_ok=True)
    before = options.report.read_text("utf-8") if options.report.exists() else ""
    page = revised(before, found) if options.listed else report(found, options.seed, totals, before)
    options.report.write_text(page, "utf-8")
    print(f"all: {row(found)} (tried, caught, timeout, survived, not called, noticed); {options.report}")


def copied(folder: Path) -> None:
    """A copy of all our files: people may go on changing their own meanwhile."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True)
    for name in filter(None, listed.stdout.split("\0")):
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)
    shutil.copytree(ROOT / ".setup" / "mutation", folder / ".setup" / "mutation")


def _ended(running: list[tuple[str, subprocess.Popen[bytes]]]) -> list[tuple[str, subprocess.Popen[bytes]]]:
    time.sleep(0.2)
    for game, process in running:
        if process.poll():
            raise SystemExit(f"{game}: exit code {process.returncode}")
    return [it for it in running if it[1].poll() is None]


def main() -> None:
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument(
        "--game", action="append", choices=GAMES, help="only this one; may be said more than once"
    )
    words.add_argument(
        "--minutes",
        type=float,
        default=10,
        help="time for all games together, besides trying their tests once (10); 0 only writes the report",
    )
    words.add_argument("--all", action="store_true", help="every mutant, however long it takes")
    words.add_argument("--seed", type=int, default=1, help="which sample (1)")
    words.add_argument("--jobs", type=int, default=1, help="games judged at the same time (1)")
    words.add_argument("--report", type=Path, default=REPORT, help="where the report goes")
    words.add_argument("--only", action="append", default=[], help="only files whose path begins so")
    words.add_argument(
        "--results", type=Path, help="keep the results here, and go on with those of earlier runs"
    )
    words.add_argument(
        "--functions",
        action="store_true",
        help="only mutants inside of functions: the others take far longer",
    )
    words.add_argument("--again", action="store_true", help="judge what survived once more, and nothing else")
    words.add_argument("--listed", action="store_true", help="only what the report says survived")
    words.add_argument("--judge", help=argparse.SUPPRESS)
    options = words.parse_args()
    if options.judge:
        judge_game(options.judge, options)
    else:
        campaign(options)


if __name__ == "__main__":
    main()
