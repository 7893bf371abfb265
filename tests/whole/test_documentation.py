"""The documentation: links, pictures and anchors lead somewhere, named files exist, and nothing grows too long."""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import companion
from benchmarks import report

ROOT = Path(companion.__file__).parent.parent
TOP = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")
FOLDERS = ("docs", "deploy", "benchmarks", "companion", "workshop", ".github")
PAGES = (
    *(ROOT / name for name in TOP),
    *sorted(page for folder in FOLDERS for page in (ROOT / folder).rglob("*.md")),
)
COUNTED = (
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md")),
    *sorted(ROOT.glob("docs/*.md")),
    *sorted(ROOT.glob("deploy/**/README*.md")),
)
WORDS = 22_000
"""All pages people read, without reports, changelog and what lies beside a game."""
README_LINES, GLOSSARY = 120, 30

NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
NOT_OURS = {"YourPower", "core_freq", "core_freq_min"}
"""An example, and names of other systems."""
LINK = re.compile(r"!?\[(?:[^\[\]]|\[[^\]]*\])*\]\(([^()\s]+)\)")
FENCED = re.compile(r"^```.*?^```", re.M | re.S)
SOURCES = ("companion", "tests", "benchmarks", "deploy", "docs", "vision", "devices", "scoring", "workshop")


def prose(page: Path) -> str:
    """A page without its blocks of code."""
    return FENCED.sub("", page.read_text(encoding="utf-8"))


def name(page: Path) -> str:
    return str(page.relative_to(ROOT))


@cache
def anchors(page: Path) -> frozenset[str]:
    """The anchors that GitHub makes of a page's headings."""
    found: list[str] = []
    for heading in re.findall(r"^#+ (.*)$", prose(page), re.M):
        words = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).lower()
        slug = re.sub(r"[^\w\- ]", "", words).replace(" ", "-")
        found.append(slug if slug not in found else f"{slug}-{found.count(slug)}")
    return frozenset(found)


def wrong_links(page: Path) -> Iterator[str]:
    """What a page leads to that is not there."""
    for target in LINK.findall(prose(page)):
        if re.match(r"[a-z]+:", target):
            continue
        path, _, anchor = target.partition("#")
        file = (page.parent / path).resolve() if path else page
        if not file.exists() or (anchor and anchor not in anchors(file)):
            yield target


@cache
def files() -> frozenset[str]:
    """Every file and folder of the project, by its path."""
    found = [path for folder in SOURCES for path in (ROOT / folder).rglob("*")]
    found += [*ROOT.iterdir(), *(ROOT / folder for folder in SOURCES)]
    return frozenset(f"/{path.relative_to(ROOT)}" for path in found if "__pycache__" not in path.parts)


def missing_files(page: Path) -> Iterator[str]:
    """Files a page names between backquotes that are nowhere in the project: a whole path or its end will do.

    A word in capitals stands for a name; pebbles is the game that docs/adding-a-game.md makes.
    """
    for named in re.findall(r"`([\w./-]+)`", prose(page)):
        is_path = named.startswith(tuple(f"{folder}/" for folder in SOURCES)) or named.endswith(".py")
        if (
            not is_path
            or "pebbles" in named
            or re.search(r"\b(?!README|QUALITY|LOGS|SIGNING)[A-Z]{4,}\b", named)
        ):
            continue
        if not any(path.endswith(f"/{named.strip('/')}") for path in files()):
            yield named


def words(page: Path) -> int:
    """How many words people read: without code, and without the strokes of tables."""
    return sum(bool(re.search(r"\w", word)) for word in prose(page).split())


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_links_pictures_and_anchors_lead_somewhere(page: Path) -> None:
    assert list(wrong_links(page)) == []


@pytest.mark.parametrize("page", [page for page in PAGES if page.name != "CHANGELOG.md"], ids=name)
def test_files_that_a_page_names_exist(page: Path) -> None:
    assert list(missing_files(page)) == []


@cache
def code_words() -> frozenset[str]:
    """Every name in our programs."""
    programs = [file for folder in SOURCES for file in (ROOT / folder).rglob("*.py")]
    product = (file for file in programs if "tests" not in file.parts)
    names = (name for file in product for name in NAME.findall(file.read_text(encoding="utf-8")))
    return frozenset((*names, *(file.stem for file in programs)))


def missing_code(page: Path) -> Iterator[str]:
    """Names of code between backquotes, such as `SignalIntake.propose` or `answer_forced`, that no program has."""
    for quoted in re.findall(r"`([^`\n]+)`", prose(page)):
        for name in () if "/" in quoted or ".py" in quoted else NAME.findall(quoted):
            is_ours = re.search(r"[a-z]_[a-z]|^_?[A-Z][a-z]+[A-Z]", name) is not None
            if is_ours and name not in code_words() and name not in NOT_OURS:
                yield name


@pytest.mark.parametrize("page", [page for page in COUNTED if "deploy" not in page.parts], ids=name)
def test_code_that_a_page_names_exists(page: Path) -> None:
    assert list(missing_code(page)) == []


def test_a_dead_link_a_wrong_anchor_and_a_missing_file_are_found(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(
        "# Über, one: two\n[a](#über-one-two) [b](#gone) [c](other.md) ![d](d.png) `core/gone.py` `agenda.py` "
        "`SignalIntake.propose` `Gone"
        "Intake.propose`",
        encoding="utf-8",
    )
    assert list(wrong_links(page)) == ["#gone", "other.md", "d.png"]
    assert list(missing_files(page)) == ["core/gone.py"]
    assert list(missing_code(page)) == ["GoneIntake"]


def test_every_picture_is_shown_on_a_page() -> None:
    shown = {
        (page.parent / link.partition("#")[0]).resolve()
        for page in PAGES
        for link in LINK.findall(prose(page))
    }
    pictures = {path for kind in ("png", "jpg", "svg") for path in (ROOT / "docs").rglob(f"*.{kind}")}
    assert sorted(map(name, pictures - shown)) == []


def test_every_page_can_be_found_from_the_readme() -> None:
    reached, ahead = set(), [ROOT / "README.md"]
    while ahead:
        page = ahead.pop()
        reached.add(page)
        links = [
            (page.parent / link.partition("#")[0]).resolve()
            for link in LINK.findall(prose(page))
            if ":" not in link
        ]
        ahead += [link for link in links if link.suffix == ".md" and link not in reached]
    ours = {page for page in PAGES if page.is_relative_to(ROOT / "docs") or page in COUNTED}
    assert sorted(map(name, ours - reached)) == []


def test_the_documentation_stays_short() -> None:
    lengths = {name(page): words(page) for page in COUNTED}
    assert sum(lengths.values()) <= WORDS, lengths
    assert len((ROOT / "README.md").read_text(encoding="utf-8").splitlines()) <= README_LINES


def test_the_newest_release_of_the_changelog_is_our_version() -> None:
    ours = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    lock = tomllib.loads((ROOT / "uv.lock").read_text(encoding="utf-8"))
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert [package["version"] for package in lock["package"] if package["name"] == "tabletop-companion"] == [
        ours
    ]
    assert re.findall(r"^## \[(\d+\.\d+\.\d+)\] - 20\d\d-\d\d-\d\d$", changelog, re.M)[0] == ours


def test_the_glossary_is_short_and_its_modules_exist() -> None:
    page = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")
    entries = re.findall(r"^\| \*\*([^*]+)\*\* \|", page, re.M)
    assert 0 < len(entries) <= GLOSSARY
    assert entries == sorted(entries, key=str.lower)


# Figures


def test_the_index_of_reports_is_true() -> None:
    """If not: .venv/bin/python benchmarks/report.py writes it."""
    assert (report.REPORTS / "README.md").read_text(encoding="utf-8") == report.index()


def test_every_report_says_when_and_from_which_commit_it_is() -> None:
    reports = [page for page in report.REPORTS.glob("*.md") if page.name != "README.md"]
    assert {page.stem for page in reports} <= set(report.PAGES)
    for page in reports:
        text = page.read_text(encoding="utf-8")
        assert re.search(r"20\d\d-\d\d-\d\d", text), page
        assert "commit" in text, page


def test_every_benchmark_that_prints_can_write_a_report() -> None:
    for command in (page.command for page in report.PAGES.values()):
        (script,) = re.findall(
            r"\S+/(?:\w+\.py|verify-updates)", command.split(" ./dev")[0].removeprefix("sudo ")
        )[-1:]
        source = (ROOT / script).read_text(encoding="utf-8")
        assert "reported(main)" in source or "REPORT" in source or "--report" in source or "reports" in source


def test_what_a_benchmark_prints_becomes_a_page() -> None:
    printed = "3 games\n\n| a | b |\n|---|---|\n| 1 | 2 |\nover\n"
    page = "\n".join(report._page("Games", "run it", printed, 0))
    assert page.startswith("# Games\n\nWritten by `run it`.\n\n20")
    assert page.endswith("```\n3 games\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```\nover\n```")
    assert "**It ended with exit code 1.**" in "\n".join(report._page("Games", "run it", printed, 1))


def test_report_runs_a_benchmark_keeps_its_exit_code_and_writes_its_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = tmp_path / "kill.py"
    script.write_text("import sys\nprint('lost:', *sys.argv[1:])\nsys.exit(3)", encoding="utf-8")
    monkeypatch.setattr(report, "REPORTS", tmp_path)
    monkeypatch.setattr(sys, "argv", [str(script), "--report", "--kills", "2"])
    assert report.reported(lambda: 0) == 3
    page = (tmp_path / "kill.md").read_text(encoding="utf-8")
    assert "Written by `.venv/bin/python benchmarks/kill.py --kills 2 --report`." in page
    assert "lost: --kills 2" in page
    monkeypatch.setattr(sys, "argv", [str(script)])
    assert report.reported(lambda: None) == 0
