"""Coverage-guided fuzzing of every input: data is mutated until it reaches new lines.

    .setup/uv-* pip install --python .venv/bin/python --target .setup/fuzz --require-hashes -r benchmarks/fuzz.txt
    .venv/bin/python benchmarks/fuzz.py --list
    .venv/bin/python benchmarks/fuzz.py settings position --minutes 5     these inputs, one after another
    .venv/bin/python benchmarks/fuzz.py --minutes 60                      all of them, an hour each
    .venv/bin/python benchmarks/fuzz.py picture --blind                   without coverage, much faster
    .venv/bin/python benchmarks/fuzz.py settings --try FILE               one file tried again

atheris (libFuzzer for Python) has wheels for x86_64 only, so it is installed separately. A crash, more than
two seconds of processor time, or 200 MB more than at the beginning end the run of an input; the data that
caused it is in the folder --found names. Data that reached new lines is kept in --kept, to continue from
there; what is in tests/inputs/corpus goes in first.

atheris keeps the result of every comparison of arrays for ever (`array < 1` in a function it traces), some 10
KB a picture. So memory use is not meaningful for inputs that read pictures, and is judged there with --blind.
"""

from __future__ import annotations

import argparse
import os
import re
import resource
import subprocess
import sys
import time
from contextlib import nullcontext
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).resolve().parent.parent
if __name__ == "__main__":
    sys.path[0] = str(ROOT)  # run as a script, files beside this one would hide packages of the same name
sys.path.append(str(ROOT / ".setup" / "fuzz"))

OURS = ["companion", "vision", "devices", "scoring"]
ARRAYS = {"picture"}
"""Inputs behind which arrays are compared."""
KEPT_BY_ATHERIS = 8_000
"""Megabytes of results it may keep there."""
LONGEST = 40_000
"""Bytes handed in at once."""
PATIENCE = 30
"""Seconds by the clock after which libFuzzer takes a feed for stuck; seconds of processor are counted by the judge."""


def fuzz(name: str, options: argparse.Namespace) -> None:
    """Fuzz one input, in this process, until time is up."""
    import atheris  # type: ignore[import-not-found, unused-ignore]

    with nullcontext() if options.blind else atheris.instrument_imports(include=OURS):
        from companion.core.game import games
        from tests.inputs.inputs import INPUTS
        from tests.inputs.judging import ODD, feed, megabytes

        games()  # their rules are loaded when somebody asks for them
    target = INPUTS[name]
    kept, found = options.kept / name, options.found / name
    for folder in (kept, found):
        folder.mkdir(parents=True, exist_ok=True)
    for n, seed in enumerate(target.seeds()):
        (kept / f"seed-{n}").write_bytes(seed)

    def test(data: bytes) -> None:
        with TemporaryDirectory() as folder:
            feed(target, data, Path(folder))

    target.ready()
    for file in kept.iterdir():  # whatever is loaded only once is loaded before memory is measured
        test(file.read_bytes())
    corpus = ROOT / "tests" / "inputs" / "corpus" / name
    words = kept.parent / f"{name}.dict"
    words.write_text("".join(f'"{_escaped(word)}"\n' for word in (*ODD, *target.words)))
    more = KEPT_BY_ATHERIS if name in ARRAYS and not options.blind else target.megabytes
    flags = [
        f"-max_total_time={round(60 * options.minutes)}",
        f"-max_len={LONGEST}",
        f"-timeout={PATIENCE}",
        f"-rss_limit_mb={round(megabytes() + more)}",
        f"-artifact_prefix={found}/",
        f"-dict={words}",
        "-print_final_stats=1",
        "-verbosity=1",
        str(kept),
        *([str(corpus)] if corpus.is_dir() else []),
    ]
    atheris.Setup([sys.argv[0], *flags], test)
    atheris.Fuzz()


def _escaped(word: bytes) -> str:
    return "".join(f"\\x{byte:02X}" for byte in word)


def once(name: str, file: Path) -> None:
    """Hand one thing in once more, and show what comes of it."""
    from tests.inputs.inputs import INPUTS
    from tests.inputs.judging import feed

    with TemporaryDirectory() as folder:
        print(feed(INPUTS[name], file.read_bytes(), Path(folder)).refused or "let in")


def tell(name: str, options: argparse.Namespace) -> bool:
    """Fuzz an input in a process of its own, and say in a line what came of it."""
    began, worked = time.monotonic(), _processor()
    given = ["--minutes", str(options.minutes), "--kept", str(options.kept), "--found", str(options.found)]
    given += ["--blind"] if options.blind else []
    ran = subprocess.run(
        [sys.executable, __file__, name, "--here", *given],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        errors="replace",
        check=False,
        env={
            **os.environ,
            "TMPDIR": "/dev/shm",
            "OPENCV_LOG_LEVEL": "SILENT",
            "OPENCV_FFMPEG_LOGLEVEL": "-8",
        },
    )
    figure = {word: _last(rf"{pattern}", ran.stderr) for word, pattern in FIGURES.items()}
    minutes, of_processor = (time.monotonic() - began) / 60, (_processor() - worked) / 60
    verdict = "sound" if ran.returncode == 0 else f"CRASHED (code {ran.returncode})"
    print(
        f"{name:10} {minutes:5.1f} min, {of_processor:5.1f} of processor {figure['knocks']:>9} knocks"
        f"  {figure['lines']:>6} places reached  {figure['megabytes']:>5} MB at most  {verdict}",
        flush=True,
    )
    if ran.returncode:
        print(ran.stderr[-4000:], flush=True)
    return ran.returncode == 0


FIGURES = {
    "knocks": r"stat::number_of_executed_units:\s+(\d+)",
    "megabytes": r"stat::peak_rss_mb:\s+(\d+)",
    "lines": r"cov: (\d+)",
}


def _processor() -> float:
    """Seconds of processor all that was started from here took."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _last(pattern: str, said: str) -> str:
    found = re.findall(pattern, said)
    return found[-1] if found else "-"


def main() -> int:
    """As the head of this file says."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("inputs", nargs="*")
    parser.add_argument("--minutes", type=float, default=5.0)
    parser.add_argument("--kept", type=Path, default=Path("/tmp/fuzz-kept"))
    parser.add_argument("--found", type=Path, default=Path("/tmp/fuzz-found"))
    parser.add_argument("--blind", action="store_true")
    parser.add_argument("--try", dest="once", type=Path, metavar="FILE")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--here", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.here:
        fuzz(options.inputs[0], options)
        return 0
    from tests.inputs.inputs import INPUTS

    if unknown := set(options.inputs) - set(INPUTS):
        parser.error(f"no such input: {', '.join(sorted(unknown))}; there are {', '.join(INPUTS)}")
    if options.list:
        print("\n".join(INPUTS))
        return 0
    if options.once is not None:
        once(options.inputs[0], options.once)
        return 0
    sound = [tell(name, options) for name in options.inputs or INPUTS]
    return 0 if all(sound) else 1


if __name__ == "__main__":
    from benchmarks.report import reported

    sys.exit(reported(main))
