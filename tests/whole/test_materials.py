"""The bill of materials: every file is the chosen one, listed, and compared with known vulnerabilities."""

from __future__ import annotations

import importlib.util
import itertools
import json
import os
import re
import shutil
import sys
import tomllib
import zipfile
from hashlib import sha256
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

PROJECT = Path(__file__).resolve().parents[2]


def script(name: str, folder: Path = PROJECT / "deploy") -> ModuleType:
    """A script of `deploy`, which is no module of a package."""
    spec = importlib.util.spec_from_file_location(f"{name}_under_test", folder / f"{name}.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


materials = script("materials")
LOCKED: list[dict[str, Any]] = tomllib.loads((PROJECT / "uv.lock").read_text())["package"]


# Every file is the one that was chosen


def test_every_file_in_the_lock_has_its_hash() -> None:
    for package in LOCKED:
        files = [*package.get("wheels", []), *([package["sdist"]] if "sdist" in package else [])]
        assert files or "registry" not in package["source"]
        assert all(re.fullmatch("sha256:[0-9a-f]{64}", file["hash"]) for file in files), package["name"]


def wheel(file: Path, *more: str) -> None:
    """A package with nothing in it, and perhaps with something that was slipped in."""
    file.parent.mkdir(exist_ok=True)
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("tiny.py", "")
        archive.writestr("tiny-1.0.dist-info/METADATA", "Metadata-Version: 2.1\nName: tiny\nVersion: 1.0\n")
        archive.writestr(
            "tiny-1.0.dist-info/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        )
        archive.writestr("tiny-1.0.dist-info/RECORD", "")
        for name in more:
            archive.writestr(name, "print('slipped in')\n")


def real_uv() -> str | None:
    return next((str(file) for file in (PROJECT / ".setup").glob("uv-*")), None) or shutil.which("uv")


@pytest.mark.skipif(real_uv() is None, reason="uv itself is asked whether it checks hashes")
@pytest.mark.parametrize("where", ["the ordinary index", "a mirror"])
def test_the_set_up_refuses_a_package_that_somebody_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], where: str
) -> None:
    """The real uv, with the very words the set-up gives it; the package lies in a folder, so no network is needed."""
    (tmp_path / "deploy").mkdir()
    shutil.copy(PROJECT / "deploy" / "setup.py", tmp_path / "deploy")
    file = tmp_path / "wheels" / "tiny-1.0-py3-none-any.whl"
    wheel(file)
    links = '[tool.uv]\nno-index = true\nfind-links = ["./wheels"]\n'
    project = '[project]\nname = "p"\nversion = "1"\nrequires-python = ">=3.11"\ndependencies = ["tiny"]\n'
    (tmp_path / "pyproject.toml").write_text(project + links)
    (tmp_path / "uv.lock").write_text(
        'version = 1\nrequires-python = ">=3.11"\n'
        '[[package]]\nname = "p"\nversion = "1"\nsource = { virtual = "." }\ndependencies = [{ name = "tiny" }]\n'
        '[package.metadata]\nrequires-dist = [{ name = "tiny" }]\n'
        '[[package]]\nname = "tiny"\nversion = "1.0"\nsource = { registry = "wheels" }\n'
        f'wheels = [{{ path = "{file.name}", hash = "sha256:{sha256(file.read_bytes()).hexdigest()}" }}]\n'
    )
    for name in [name for name in os.environ if name.startswith(("UV_", "PIP_"))]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("UV_OFFLINE", "1")
    monkeypatch.setenv("UV_CACHE_DIR", str(tmp_path / "cache"))
    setup = script("setup", tmp_path / "deploy")
    mirror = where == "a mirror"
    monkeypatch.setattr(setup, "index", lambda: "https://mirror.invalid/simple" if mirror else setup.PYPI)
    if mirror:
        monkeypatch.setenv("UV_FIND_LINKS", str(tmp_path / "wheels"))
    python = ["--python", sys.executable, "--no-python-downloads"]
    (tmp_path / ".setup").mkdir()

    def made() -> None:
        shutil.rmtree(tmp_path / ".setup" / "new", ignore_errors=True)
        with (tmp_path / ".setup" / "lock").open("w") as lock:
            setup.make_environment(real_uv(), python, "run", lock.fileno())

    made()
    assert list((tmp_path / ".setup" / "new").rglob("tiny.py"))
    shutil.rmtree(tmp_path / "cache")
    wheel(file, "slipped.pth")
    with pytest.raises(setup.Trouble, match="not the file it should be") as refused:
        made()
    assert refused.value.code == setup.NETWORK
    assert not list((tmp_path / ".setup" / "new").rglob("slipped.pth"))
    assert "mismatch" in capsys.readouterr().err.lower()


# The bill of materials


def test_the_bill_is_a_cyclonedx_one_and_names_everything(capsys: pytest.CaptureFixture[str]) -> None:
    """What the schema of CycloneDX 1.6 requires of each part that is used here."""
    assert materials.main(["sbom"]) == materials.FINE
    bill = json.loads(capsys.readouterr().out)
    assert (bill["bomFormat"], bill["specVersion"], bill["version"]) == ("CycloneDX", "1.6", 1)
    hexes = "[0-9a-f]"
    assert re.fullmatch(
        rf"urn:uuid:{hexes}{{8}}-{hexes}{{4}}-{hexes}{{4}}-{hexes}{{4}}-{hexes}{{12}}", bill["serialNumber"]
    )
    others = {package["name"]: package["version"] for package in LOCKED if "registry" in package["source"]}
    assert {one["name"]: one["version"] for one in bill["components"]} == others
    for one in bill["components"]:
        assert (one["type"], one["scope"] in ("required", "excluded")) == ("library", True)
        assert one["purl"] == f"pkg:pypi/{one['name']}@{one['version']}"
        for file in one["externalReferences"]:
            assert file["type"] == "distribution"
            assert [h["alg"] for h in file["hashes"]] == ["SHA-256"]
            assert re.fullmatch("[0-9a-f]{64}", file["hashes"][0]["content"])
    refs = {one["bom-ref"] for one in (*bill["components"], bill["metadata"]["component"])}
    assert len(refs) == len(bill["components"]) + 1
    assert {one["ref"] for one in bill["dependencies"]} == refs
    assert {ref for one in bill["dependencies"] for ref in one["dependsOn"]} <= refs


def test_what_only_tests_need_is_not_what_people_get() -> None:
    scopes = {one["name"]: one["scope"] for one in materials.bill(materials.locked(), b"x")["components"]}
    assert (scopes["kivy"], scopes["urllib3"]) == (
        "required",
        "required",
    )  # the second only through the first
    assert (scopes["pytest"], scopes["execnet"]) == ("excluded", "excluded")


def test_the_same_lock_gives_the_same_bill(tmp_path: Path) -> None:
    for name in ("one", "other"):
        assert materials.main(["sbom", "--out", str(tmp_path / name)]) == materials.FINE
    assert (tmp_path / "one").read_bytes() == (tmp_path / "other").read_bytes()


# The audit


@pytest.mark.parametrize(
    "rising",
    [
        ("1.0.dev1", "1.0a1", "1.0b2", "1.0rc1", "1.0", "1.0.post1", "1.0.1", "1.10", "2", "1!0.1"),
        ("2.0.1", "2.0.1.post3", "2.0.2"),
        ("26.3", "84.2.1", "2026.10.18"),
        ("1.0a1.dev1", "1.0a1", "1.0a1.post1", "1.0"),
    ],
)
def test_versions_sort_as_the_index_sorts_them(rising: tuple[str, ...]) -> None:
    assert sorted(rising, key=materials.order) == list(rising)
    assert len({materials.order(version) for version in rising}) == len(rising)


def test_versions_that_are_the_same_and_what_is_none() -> None:
    for one, other in (("1.0", "1"), ("1.0-1", "1.0.post1"), ("1.0c1", "1.0rc1"), ("v1.0", "1.0+local")):
        assert materials.order(one) == materials.order(other)
    with pytest.raises(ValueError, match="no version"):
        materials.order("latest")


def advisory(id: str, name: str, *events: dict[str, str], **more: Any) -> bytes:
    affected = {
        "package": {"ecosystem": "PyPI", "name": name},
        "ranges": [{"type": "ECOSYSTEM", "events": list(events)}],
    }
    record = {"id": id, "modified": "2026-11-01T00:00:00Z", "summary": "It crashes.", "affected": [affected]}
    return json.dumps({**record, **more}).encode()


def packed(folder: Path, kind: str, **records: bytes) -> Path:
    """A made-up database, as it may come on a stick."""
    if kind == "zip":
        with zipfile.ZipFile(folder / "all.zip", "w") as archive:
            for name, record in records.items():
                archive.writestr(f"{name}.json", record)
        return folder / "all.zip"
    (folder / "all").mkdir()
    for name, record in records.items():
        (folder / "all" / f"{name}.json").write_bytes(record)
    return folder / "all"


@pytest.mark.parametrize("kind", ["zip", "folder"])
def test_what_we_use_is_found_in_a_database_from_a_stick(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], kind: str
) -> None:
    ours = next(package["version"] for package in LOCKED if package["name"] == "kivy")
    database = packed(
        tmp_path,
        kind,
        open=advisory("PYSEC-1", "Kivy", {"introduced": "0"}, aliases=["CVE-1"]),
        listed=advisory("PYSEC-2", "kivy", {"introduced": "99"}, affected=[
            {"package": {"ecosystem": "PyPI", "name": "kivy"}, "versions": [ours]}
        ]),
        mended=advisory("PYSEC-3", "kivy", {"introduced": "0"}, {"fixed": ours}),
        last=advisory("PYSEC-4", "kivy", {"introduced": "0"}, {"last_affected": ours}),
        later=advisory("PYSEC-5", "kivy", {"introduced": "0"}, {"fixed": "0.1"}, {"introduced": "99"}),
        withdrawn=advisory("PYSEC-6", "kivy", {"introduced": "0"}, withdrawn="2026-11-01T00:00:00Z"),
        tests=advisory("PYSEC-7", "pytest", {"introduced": "0"}),
        others=advisory("PYSEC-8", "somebody-elses", {"introduced": "0"}),
        broken=b"{",
        steering=advisory("PYSEC-9", "rich", {"introduced": "0"}, summary="\x1b[2Jx"),
    )  # fmt: skip
    assert materials.main(["audit", str(database)]) == materials.FOUND
    told = capsys.readouterr().out
    assert re.findall("PYSEC-[0-9]", told) == ["PYSEC-1", "PYSEC-2", "PYSEC-4", "PYSEC-7", "PYSEC-9"]
    assert f"kivy {ours}: PYSEC-1/CVE-1: It crashes." in told
    assert "(only for tests): PYSEC-7" in told
    assert "the newest of 2026-11-01" in told
    assert "1 records could not be read" in told
    assert "\x1b" not in told


def about_kivy(folder: Path, **affected: Any) -> Path:
    """A database of one record about kivy, with these words about the versions."""
    entry = {"package": {"ecosystem": "PyPI", "name": "kivy"}, **affected}
    return packed(folder, "zip", one=advisory("PYSEC-1", "kivy", affected=[entry]))


def found_in(database: Path, name: str, version: str) -> list[str]:
    own = {"name": "p", "version": "1", "source": {"editable": "."}}
    one = {"name": name, "version": version, "source": {"registry": "https://pypi.org/simple"}}
    return [hit.id for hit in materials.audit([own, one], database).hits]


@pytest.mark.parametrize(
    ("listed", "ours"),
    [("2015.04.28", "2015.4.28"), ("0.6c1", "0.6rc1"), ("3.1.0.rc1", "3.1.0rc1"), ("2.5.0", "2.5")],
)
def test_a_listed_version_is_ours_however_it_is_spelled(tmp_path: Path, listed: str, ours: str) -> None:
    """All four stand so in real advisories, where lists have versions as they were once uploaded."""
    database = about_kivy(tmp_path, versions=["2004d", listed])
    assert found_in(database, "kivy", ours) == ["PYSEC-1"]
    assert found_in(database, "kivy", "2004") == []


@pytest.mark.parametrize(
    "affected",
    [
        {},
        {"versions": [], "ranges": []},
        {"ranges": [{"type": "GIT", "events": [{"introduced": "0"}, {"fixed": "1fe1bb49"}]}]},
        {"ranges": [{"type": "ECOSYSTEM", "events": [{"introduced": "0"}, {"fixed": "the next one"}]}]},
        {"ranges": [{"type": "ECOSYSTEM", "events": [{"introduced": "0", "fixed": "1.0"}]}]},
        {"ranges": [{"type": "ECOSYSTEM"}]},
    ],
    ids=["nothing", "empty", "commits only", "no version", "two at once", "no events"],
)
def test_an_advisory_about_us_that_does_not_say_which_versions_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], affected: dict[str, Any]
) -> None:
    assert materials.main(["audit", str(about_kivy(tmp_path, **affected))]) == materials.FOUND
    assert "PYSEC-1: it does not say which versions, look yourself: It crashes." in capsys.readouterr().out


def test_a_record_that_does_not_say_what_it_is_about_is_counted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """An old form, which says `affects`."""
    old = {
        "id": "PYSEC-1",
        "package": {"ecosystem": "PyPI", "name": "kivy"},
        "affects": {"versions": ["2.3.1"]},
    }
    others = advisory("PYSEC-2", "somebody-elses", {"introduced": "0"})
    database = packed(tmp_path, "zip", old=json.dumps(old).encode(), others=others)
    assert materials.main(["audit", str(database)]) == materials.FINE
    assert "1 records could not be read and say nothing" in capsys.readouterr().out


def test_a_package_named_twice_in_one_advisory_is_told_once(tmp_path: Path) -> None:
    entry = {"package": {"ecosystem": "PyPI", "name": "kivy"}, "versions": ["1.0"]}
    database = packed(tmp_path, "zip", one=advisory("PYSEC-1", "kivy", affected=[entry, entry]))
    assert found_in(database, "kivy", "1.0") == ["PYSEC-1"]


REAL = {
    "PYSEC-2014-10": ("pillow", "introduced 0 fixed 2.3.2 introduced 2.5 fixed 2.5.2"),
    "PYSEC-2022-42980": ("pillow", "introduced 9.2.0 fixed 9.3.0"),
    "PYSEC-2023-192": ("urllib3", "introduced 2.0.0 fixed 2.0.6 introduced 0 fixed 1.26.17"),
    "PYSEC-2026-2840": ("opencv-python-headless", "introduced 0 last_affected 4.1.0.25"),
    "GHSA-248v-346w-9cwc": ("certifi", "introduced 2021.05.30 fixed 2024.07.04"),
}
"""Ranges as they stand in real advisories: with a gap, not in order, with a last one, with zeros in front."""


@pytest.mark.parametrize(
    ("id", "inside", "outside"),
    [
        ("PYSEC-2014-10", ("1.0", "2.3.1", "2.5.0", "2.5.1"), ("2.3.2", "2.4.0", "2.5.2", "13.0.0")),
        ("PYSEC-2022-42980", ("9.2.0", "9.3.0rc1"), ("9.1.1", "9.2.0rc1", "9.3.0")),
        (
            "PYSEC-2023-192",
            ("0.2", "1.26.4", "1.26.16", "2.0.0", "2.0.5"),
            ("1.26.17", "1.26.20", "2.0.0a4", "2.0.6"),
        ),
        ("PYSEC-2026-2840", ("3.4.18.65", "4.1.0.25"), ("4.1.0.26", "4.1.1.26", "5.0.0.93")),
        ("GHSA-248v-346w-9cwc", ("2021.5.30", "2024.6.2"), ("2021.5.29", "2024.7.4", "2026.10.18")),
    ],
)
def test_ranges_of_real_advisories(
    tmp_path: Path, id: str, inside: tuple[str, ...], outside: tuple[str, ...]
) -> None:
    name, said = REAL[id]
    words = said.split()
    events = [{kind: version} for kind, version in zip(words[::2], words[1::2], strict=True)]
    database = packed(tmp_path, "zip", one=advisory(id, name, *events))
    assert [version for version in (*inside, *outside) if found_in(database, name, version)] == list(inside)


def test_a_zip_that_came_to_harm_is_refused_wherever_the_harm_is(tmp_path: Path) -> None:
    """Packed as the real one is; every byte in turn."""
    file = tmp_path / "all.zip"
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("one.json", advisory("PYSEC-1", "kivy", {"introduced": "0"}, {"fixed": "2.0"}))
    whole = file.read_bytes()
    refused = 0
    for place, change in itertools.product(range(len(whole)), (1, 4, 0xFF)):
        file.write_bytes(whole[:place] + bytes([whole[place] ^ change]) + whole[place + 1 :])
        try:
            list(materials.records(file))
        except materials.Trouble:
            refused += 1
    assert refused > len(whole)


def test_nothing_known_about_us_is_said_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    database = packed(tmp_path, "zip", one=advisory("PYSEC-1", "somebody-elses", {"introduced": "0"}))
    assert materials.main(["audit", str(database)]) == materials.FINE
    assert "0 advisories about them" in capsys.readouterr().out


@pytest.mark.parametrize("what", ["nothing", "no zip", "empty", "bomb", "pipe", "torn"])
def test_a_stick_that_is_no_database_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], what: str
) -> None:
    database = tmp_path / "all.zip"
    if what == "no zip":
        database.write_bytes(b"PK\x03\x04 and then rubbish")
    elif what == "empty":
        packed(tmp_path, "zip")
    elif what == "bomb":
        with zipfile.ZipFile(database, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("big.json", b"[" * (materials.MOST_BYTES + 10))
    elif what == "pipe":
        os.mkfifo(database)
    elif what == "torn":
        with zipfile.ZipFile(database, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("torn.json", b"[" * 1000)
            place = archive.getinfo("torn.json").header_offset + 30 + len("torn.json")
        data = bytearray(database.read_bytes())
        data[place] = 0xFF
        database.write_bytes(data)
    assert materials.main(["audit", str(database)]) == materials.BAD_INPUT
    assert str(database) in capsys.readouterr().err


def test_no_path_in_a_zip_leads_anywhere(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "all.zip", "w") as archive:
        archive.writestr("../../escaped.json", advisory("PYSEC-1", "kivy", {"introduced": "0"}))
    before = sorted(tmp_path.rglob("*"))
    assert materials.main(["audit", str(tmp_path / "all.zip")]) == materials.FOUND
    assert sorted(tmp_path.rglob("*")) == before
    assert not (tmp_path.parent.parent / "escaped.json").exists()
