"""What the companion is made of, out of uv.lock alone: a bill of materials, and an audit without the network.

    python3 deploy/materials.py sbom [--out FILE]       CycloneDX 1.6 as JSON
    python3 deploy/materials.py audit DATABASE          advisories out of a folder or zip of OSV records

The database is what https://osv-vulnerabilities.storage.googleapis.com/PyPI/all.zip gives, carried here on a stick;
nothing is fetched. Exit codes: 0 nothing found, 2 bad input, 20 something we use is on the list. Uses nothing but the
standard library of Python 3.11 or newer.
"""

from __future__ import annotations

import argparse
import json
import lzma
import re
import sys
import tomllib
import uuid
import zipfile
import zlib
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote

ROOT = Path(__file__).resolve().parent.parent
LOCK = ROOT / "uv.lock"

FINE, BAD_INPUT, FOUND = 0, 2, 20
MOST_BYTES, MOST_RECORDS = 5_000_000, 500_000
"""Of one record and of all of them: whatever is larger is no advisory, and may be a trap."""

BROKEN_ZIP = (
    OSError,
    EOFError,
    ValueError,
    RuntimeError,
    NotImplementedError,
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
)
"""Whatever reading a zip raises that came to harm on its way; the packed data have their own."""

NO_SENSE = (ValueError, TypeError, AttributeError, KeyError, RecursionError)
"""Whatever a record raises that is not what a record should be."""

Package = dict[str, Any]


class Trouble(Exception):
    """A sentence for the user."""


# ---- what is locked ------------------------------------------------------------------------------------------


def locked(lock: Path = LOCK) -> list[Package]:
    """Every package in the lock, ours first."""
    try:
        packages: list[Package] = tomllib.loads(lock.read_text())["package"]
    except (OSError, ValueError, KeyError) as error:
        raise Trouble(f"{lock} cannot be read: {error}") from error
    return sorted(packages, key=lambda package: "registry" in package["source"])


def needed(packages: list[Package]) -> set[str]:
    """The names of those that are there when people play, not only when the program is tested."""
    of = {package["name"]: [one["name"] for one in package.get("dependencies", [])] for package in packages}
    found, rest = set[str](), [packages[0]["name"]]
    while rest:
        name = rest.pop()
        if name not in found:
            found.add(name)
            rest += of[name]
    return found


# ---- the bill of materials -----------------------------------------------------------------------------------


def bill(packages: list[Package], lock: bytes) -> dict[str, Any]:
    """A CycloneDX bill of materials; the same lock always gives the same bill."""
    own, *others = packages
    played = needed(packages)
    return {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "serialNumber": f"urn:uuid:{uuid.UUID(bytes=sha256(lock).digest()[:16], version=4)}",
        "version": 1,
        "metadata": {"component": {"type": "application", "bom-ref": purl(own), **_named(own)}},
        "components": [_component(package, package["name"] in played) for package in others],
        "dependencies": [_depends(package, packages) for package in packages],
    }


def purl(package: Package) -> str:
    """The package's name as the whole world writes it."""
    return f"pkg:pypi/{normal(package['name'])}@{quote(package['version'], safe='.')}"


def _named(package: Package) -> dict[str, str]:
    return {"name": package["name"], "version": package["version"], "purl": purl(package)}


def _component(package: Package, played: bool) -> dict[str, Any]:
    files = [*package.get("wheels", []), *([package["sdist"]] if "sdist" in package else [])]
    return {
        "type": "library",
        "bom-ref": purl(package),
        **_named(package),
        "scope": "required" if played else "excluded",
        "externalReferences": [
            {
                "type": "distribution",
                "url": file["url"],
                "hashes": [{"alg": "SHA-256", "content": file["hash"].removeprefix("sha256:")}],
            }
            for file in files
        ],
    }


def _depends(package: Package, packages: list[Package]) -> dict[str, Any]:
    by_name = {other["name"]: other for other in packages}
    groups = [package.get("dependencies", []), *package.get("dev-dependencies", {}).values()]
    names = sorted({one["name"] for group in groups for one in group})
    return {"ref": purl(package), "dependsOn": [purl(by_name[name]) for name in names]}


# ---- versions ------------------------------------------------------------------------------------------------


def normal(name: str) -> str:
    """A package's name as the index compares it."""
    return re.sub(r"[-_.]+", "-", name).lower()


_VERSION = re.compile(
    r"v?(?:(\d+)!)?(\d+(?:\.\d+)*)"
    r"(?:[-_.]?(a|b|c|rc|alpha|beta|pre|preview)[-_.]?(\d*))?"
    r"(?:-(\d+)|[-_.]?(post|rev|r)[-_.]?(\d*))?"
    r"(?:[-_.]?(dev)[-_.]?(\d*))?(?:\+[a-z0-9._-]+)?",
    re.IGNORECASE,
)
_STAGES = {"a": "a", "alpha": "a", "b": "b", "beta": "b"}


def order(version: str) -> tuple[Any, ...]:
    """Something by which versions sort as PEP 440 says; raises `ValueError` if this is no version."""
    found = _VERSION.fullmatch(version.strip())
    if found is None:
        raise ValueError(f"no version: {version[:50]!r}")
    epoch, release, stage, stage_n, dash, post, post_n, dev, dev_n = found.groups()
    numbers = [int(part) for part in release.split(".")]
    while len(numbers) > 1 and numbers[-1] == 0:
        numbers.pop()
    later = int(dash or post_n or 0) if dash or post else -1
    if stage:
        before = (_STAGES.get(stage.lower(), "rc"), int(stage_n or 0))
    else:
        before = ("", 0) if dev and later < 0 else ("z", 0)
    return int(epoch or 0), tuple(numbers), before, later, int(dev_n or 0) if dev else float("inf")


# ---- the audit -----------------------------------------------------------------------------------------------


class Hit(NamedTuple):
    """An advisory about something we use."""

    package: str
    version: str
    id: str
    words: str


class Audit(NamedTuple):
    """What a database says: what was found in it, how many records it has, how new it is, how many are damaged."""

    hits: tuple[Hit, ...]
    records: int
    newest: str
    damaged: int


def records(database: Path) -> Iterator[bytes]:
    """Every record of a database, one after another; nothing is unpacked onto the disk."""
    if database.is_dir():
        for n, file in enumerate(sorted(database.rglob("*.json"))):
            _not_too_many(n)
            if file.is_file() and not file.is_symlink():
                yield b"" if file.stat().st_size > MOST_BYTES else file.read_bytes()
        return
    if database.exists() and not database.is_file():  # a device never ends, and a pipe may never begin
        raise Trouble(f"{database} is no folder and no file")
    try:
        with zipfile.ZipFile(database) as archive:
            for n, member in enumerate(archive.infolist()):
                _not_too_many(n)
                if member.filename.endswith(".json"):
                    with archive.open(member) as packed:
                        data = packed.read(MOST_BYTES + 1)
                    yield b"" if len(data) > MOST_BYTES else data
    except BROKEN_ZIP as error:
        raise Trouble(f"{database} is no folder and no zip of OSV records: {error}") from error


def _not_too_many(n: int) -> None:
    if n > MOST_RECORDS:
        raise Trouble(f"there are more than {MOST_RECORDS} records; this is no export for PyPI")


def audit(packages: list[Package], database: Path) -> Audit:
    """Compare everything that is locked with every advisory."""
    used = {
        normal(package["name"]): package["version"] for package in packages if "registry" in package["source"]
    }
    hits = set[Hit]()
    number = damaged = 0
    newest = ""
    for data in records(database):
        try:
            record = json.loads(data)
            found = () if record.get("withdrawn") else tuple(_affects(record, used))
            newest = max(newest, str(record.get("modified", "")))
        except NO_SENSE:
            damaged += 1
            continue
        number += 1
        hits.update(found)
    return Audit(tuple(sorted(hits)), number, newest, damaged)


def _affects(record: dict[str, Any], used: dict[str, str]) -> Iterator[Hit]:
    for affected in record["affected"]:
        package = affected.get("package", {})
        name = normal(str(package.get("name", "")))
        if package.get("ecosystem") != "PyPI" or name not in used:
            continue
        try:
            told = "" if _hit(affected, used[name]) else None
        except NO_SENSE:  # to say nothing would be to say that we are safe
            told = "it does not say which versions, look yourself: "
        if told is not None:
            words = record.get("summary") or record.get("details") or ""
            names = "/".join([str(record["id"]), *map(str, record.get("aliases", ()))])
            yield Hit(name, used[name], _plain(names), told + _plain(str(words).partition("\n")[0]))


def _plain(words: str) -> str:
    return "".join(letter if letter.isprintable() else "?" for letter in words)[:200]


def _hit(affected: dict[str, Any], version: str) -> bool:
    """Whether a version is listed or within a range; raises one of `NO_SENSE` if that cannot be told."""
    listed = affected.get("versions", [])
    ranges = [one for one in affected.get("ranges", ()) if one.get("type") in ("ECOSYSTEM", "SEMVER")]
    if not listed and not ranges:
        raise ValueError("no versions")
    return any(_same(one, version) for one in listed) or any(
        _inside(one["events"], version) for one in ranges
    )


def _same(one: str, other: str) -> bool:
    """Whether two spellings are the same version; lists have 2015.04.28 and 0.6c1 as they were uploaded."""
    try:
        return order(one) == order(other)
    except ValueError:
        return one == other


def _inside(events: list[dict[str, str]], version: str) -> bool:
    """Whether a version is one between these: introduced, and neither fixed nor the last one passed."""
    ours = order(version)
    inside = False
    for event in sorted(events, key=_when):
        if "introduced" in event:
            inside = inside or event["introduced"] == "0" or ours >= order(event["introduced"])
        elif "fixed" in event and ours >= order(event["fixed"]):
            inside = False
        elif "last_affected" in event and ours > order(event["last_affected"]):
            inside = False
    return inside


def _when(event: dict[str, str]) -> tuple[bool, Any]:
    (version,) = event.values()
    return (version != "0", order(version))


# ---- for people ----------------------------------------------------------------------------------------------


def tell(found: Audit, packages: list[Package], database: Path) -> int:
    """Say what an audit found."""
    if not found.records:
        raise Trouble(f"{database} has no OSV records")
    played = {normal(name) for name in needed(packages)}
    print(f"{found.records} advisories, the newest of {found.newest[:10] or 'an unknown day'}, in {database}")
    if found.damaged:
        print(f"{found.damaged} records could not be read and say nothing")
    for hit in found.hits:
        when = "" if hit.package in played else " (only for tests)"
        print(f"{hit.package} {hit.version}{when}: {hit.id}: {hit.words}")
    print(f"{len(packages) - 1} packages compared, {len(found.hits)} advisories about them")
    return FOUND if found.hits else FINE


def main(arguments: list[str] | None = None) -> int:
    """As the head of this file says."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("sbom").add_argument("--out", type=Path, metavar="FILE")
    commands.add_parser("audit").add_argument("database", type=Path)
    options = parser.parse_args(arguments)
    try:
        packages = locked()
        if options.command == "audit":
            return tell(audit(packages, options.database), packages, options.database)
        written = json.dumps(bill(packages, LOCK.read_bytes()), indent=2) + "\n"
        if options.out is None:
            print(written, end="")
        else:
            options.out.write_text(written)
    except (Trouble, OSError) as trouble:
        print(trouble, file=sys.stderr)
        return BAD_INPUT
    return FINE


if __name__ == "__main__":
    sys.exit(main())
