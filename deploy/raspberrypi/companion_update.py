#!/usr/bin/python3 -I
"""companion-update: put a version beside the one that runs, try it, switch to it, and back if it does not come up.

    companion-update [SOURCE]     from a folder, a .tar.gz or a Git address; without one, as the last time
    companion-update --unsigned [SOURCE]   the same, also if it is not signed
    companion-update --refused    what was just refused for not being signed, if this machine allows that
    companion-update --rollback   back to the version before this one
    companion-update --settle     at every start: end what a power cut left half done
    companion-update --list       which versions are here

Root runs it, with nothing but the standard library. Versions are folders that are never changed once they are whole;
`current` is a link to one of them, put in its place by one rename. Before the link is moved, `switching` says so; it is
removed once the new version runs. If it is there when the machine starts, the old version is restored.

A bundle or a commit must be signed with a key this machine trusts (`companion-verify`) before anything in it runs. A
folder is trusted as root is, who named it, unless it lies on a stick.

Exit codes: 0 done, 2 not understood, 3 rolled back, 12 network, 13 disk full, 15 anything else, 17 not signed,
18 forged, 19 signed with a key that is no longer trusted.
"""

from __future__ import annotations

import errno
import fcntl
import hashlib
import json
import math
import os
import re
import shutil
import sqlite3
import stat
import subprocess
import sys
import tarfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from urllib.parse import unquote, urlsplit

PREFIX = Path(os.environ.get("COMPANION_PREFIX", "/"))
"""Everything is below this folder: the whole machine, or a test's."""
BASE = PREFIX / "opt/tabletop-companion"
VERSIONS, CURRENT, PREVIOUS, MARKER = (
    BASE / name for name in ("versions", "current", "previous", "switching")
)
TOOLS = BASE / "tools"
DATA = PREFIX / "var/lib/tabletop-companion"
KEPT = DATA / "before-update"
"""The journal as it was before the last switch: an older version cannot read a newer one's."""
STATUS = PREFIX / "run/tabletop-companion/status/update.json"
REFUSED = PREFIX / "run/tabletop-companion/refused"
"""Which version was last refused for not being signed: *install anyway* means this one and no other."""
ETC = PREFIX / "etc/tabletop-companion"
STICKS = PREFIX / "media/companion"
ONLY_READ = PREFIX / "run/companion-readonly"
"""There while the system on the card is only read; `companion-readonly run` lets a command write."""
SERVICE, USER = "tabletop-companion.service", "companion"

BACK, NETWORK, DISK, OTHER, UNSIGNED, FORGED, OLD_KEY = 3, 12, 13, 15, 17, 18, 19
WORDS = {UNSIGNED: "unsigned", FORGED: "forged", OLD_KEY: "old-key"}
ANY = "any"
"""Instead of the digest of one version: whatever is not signed."""
LARGEST = 1 << 30
"""Bytes of a bundle; ours has some ten million."""
DEEPEST = 50
"""Folders within folders in a bundle; ours has five."""
WHOLE = ".whole"
"""The last file a version gets."""
UNNEEDED = {
    ".git",
    ".venv",
    ".setup",
    "__pycache__",
    ".mypy_cache",
    ".ruff_cache",
    ".pytest_cache",
    ".hypothesis",
}
STANDS = int(os.environ.get("COMPANION_UPDATE_STANDS", "20"))
"""Seconds a new version must stay up after it said that it is ready."""


class Trouble(Exception):
    """A reason to stop: a sentence, an exit code, and what the touchscreen knows it by."""

    def __init__(self, sentence: str, code: int = OTHER, word: str = "failed", **more: object) -> None:
        super().__init__(sentence)
        self.code, self.word, self.more = code, word, more


def say(text: str) -> None:
    """Print to the terminal, or to the system journal."""
    print(text, flush=True)


def status(word: str, **more: object) -> None:
    """Tell the touchscreen how far we are."""
    with suppress(OSError):  # nobody may be there to look
        STATUS.parent.mkdir(parents=True, exist_ok=True)
        fresh = STATUS.with_suffix(".new")
        fresh.write_text(json.dumps({"state": word, "at": time.time_ns(), **more}))
        fresh.chmod(0o644)
        fresh.replace(STATUS)


# ---- where a version comes from ----------------------------------------------------------------------------


def find_source(given: str | None) -> str:
    """What was asked for; else the newest on a stick; else where the last one came from."""
    if given:
        return given
    bundles = sorted(STICKS.glob("*/tabletop-companion-*.tar.gz"), key=lambda path: path.name)
    real = [path for path in bundles if path.is_file() and not path.is_symlink()]
    if real:
        return str(real[-1])
    with suppress(OSError):
        known = (BASE / "source").read_text().strip()
        if login(known)[0] != known:  # kept with its password, by a version before this one
            remember(known)
        return known
    raise Trouble("Where from? Name a folder, a .tar.gz or a Git address.", 2, "no-source")


def remember(source: str) -> None:
    """Keep where a version came from, for the next one; without a password, and never a stick."""
    if "://" in source or "@" in source:
        known, _, password = login(source)
        if password:
            say("The address is remembered without its password.")
    else:
        known = str(Path(source).resolve())
        if STICKS.resolve() in Path(known).parents:
            return
    (BASE / "source").write_text(known + "\n")


def login(source: str) -> tuple[str, str, str]:
    """An address without what is secret in it, and the name and password that were: these are never shown or kept."""
    try:
        parts = urlsplit(source)
        _ = parts.port
    except ValueError:  # a password with a slash, say: nothing of it is shown
        raise Trouble("That address is not understood.", 2, "no-source") from None
    if not parts.netloc or "@" not in parts.netloc:
        return source, "", ""
    secret, _, host = parts.netloc.rpartition("@")
    name, _, password = secret.partition(":")
    if parts.scheme not in ("http", "https"):
        host = f"{name}@{host}"  # of ssh, a name is no secret
    return parts._replace(netloc=host).geturl(), unquote(name), unquote(password)


def clone(source: str, into: Path) -> None:
    """Fetch a version with Git; a password goes there by the environment, which only root can read."""
    address, name, password = login(source)
    environ = dict(os.environ)
    if address != source:
        host = "{0.scheme}://{0.netloc}".format(urlsplit(address))
        answer = r"""!f() { printf 'username=%s\npassword=%s\n' "$COMPANION_GIT_NAME" "$COMPANION_GIT_PASSWORD"; }; f"""
        environ |= {
            "GIT_CONFIG_COUNT": "1",
            "GIT_CONFIG_KEY_0": f"credential.{host}.helper",
            "GIT_CONFIG_VALUE_0": answer,
            "COMPANION_GIT_NAME": name,
            "COMPANION_GIT_PASSWORD": password,
        }
    command = ["git", "clone", "--quiet", "--depth=1", "--", address, str(into)]
    if subprocess.run(command, env=environ, check=False).returncode:
        raise Trouble(f"{address} cannot be reached; is this machine on the internet?", NETWORK, "no-network")


def fetch(source: str, into: Path, allowed: str) -> bool:
    """Put the files of a version into a new folder; whether it is signed. `allowed` need not be."""
    signed = False
    if re.match(r"(https?|ssh|git|file)://|[\w.-]+@", source):
        clone(source, into)
        commit = into.with_name(into.name + ".commit")
        asked = ["git", "-C", str(into), "cat-file", "commit", "HEAD"]
        with commit.open("wb") as file:
            if subprocess.run(asked, stdout=file, check=False).returncode:
                raise Trouble("What was fetched has no commit.", OTHER, "no-version")
        signed = is_signed(commit, allowed, "--git")
    elif Path(source).is_dir():
        shutil.copytree(source, into, symlinks=True, ignore=lambda _, names: UNNEEDED & set(names))
        if STICKS.resolve() in Path(source).resolve().parents:
            judge(UNSIGNED, "A folder on a stick cannot be signed.", name_of(into), allowed)
    elif Path(source).is_file():
        # A stick may tell something else each time it is read: what is checked is what is unpacked.
        bundle = into.with_name(into.name + ".bundle")
        take(Path(source), bundle)
        with suppress(FileNotFoundError):
            take(Path(source + ".sig"), bundle.with_name(bundle.name + ".sig"))
        signed = is_signed(bundle, allowed)
        unpack(bundle, into, source)
    else:
        raise Trouble(f"There is nothing at {source}.", OTHER, "no-source")
    shutil.rmtree(into / ".git", ignore_errors=True)
    for needed in ("pyproject.toml", "uv.lock", "deploy/setup.sh", "companion/__main__.py"):
        if not (into / needed).is_file():
            raise Trouble(
                f"{login(source)[0]} is no version of the companion: it has no {needed}.", OTHER, "no-version"
            )
    return signed


def take(path: Path, copy: Path) -> None:
    """Copy a file, wherever it lies; neither a link nor a device is one."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError as e:
        if e.errno == errno.ELOOP:
            raise Trouble(f"{path} is a link.", OTHER, "no-version") from e
        raise
    with open(descriptor, "rb") as file, copy.open("wb") as into:
        found = os.fstat(descriptor)
        if not stat.S_ISREG(found.st_mode) or found.st_size > LARGEST:
            raise Trouble(f"{path} is no bundle of ours.", OTHER, "no-version")
        shutil.copyfileobj(file, into, 1 << 20)


# ---- whose it is -------------------------------------------------------------------------------------------


def is_signed(path: Path, allowed: str, *words: str) -> bool:
    """Whether this may be trusted by its signature; raises `Trouble` where it may not be installed."""
    beside = Path(__file__).resolve()
    names = ("companion-verify", "companion_verify.py")
    verify = next(str(beside.with_name(name)) for name in names if beside.with_name(name).exists())
    asked = [sys.executable, "-IS", verify, *words, str(path)]
    done = subprocess.run(asked, stdout=subprocess.PIPE, text=True, errors="replace", check=False)
    if done.returncode == 0:
        say(done.stdout.strip())
        return True
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    judge(done.returncode, done.stdout.strip(), digest, allowed)
    return False


def judge(code: int, sentence: str, digest: str, allowed: str) -> None:
    """Stop, unless it is merely not signed and somebody wants it all the same."""
    if code not in WORDS:
        raise Trouble(sentence or "Its signature cannot be checked.")
    if code != UNSIGNED:
        raise Trouble(f"{sentence} Nothing of it was used.", code, WORDS[code])
    if allowed in (ANY, digest):
        say(f"{sentence} Going on, as you said.")
        return
    REFUSED.parent.mkdir(parents=True, exist_ok=True)
    REFUSED.write_text(digest)
    raise Trouble(f"{sentence} Nothing of it was used.", code, WORDS[code], anyway=takes_unsigned())


def takes_unsigned() -> bool:
    """Whether the touchscreen may insist on a version that is not signed; install.sh --signed-only forbids it."""
    with suppress(OSError):
        return re.search(r"^unsigned=1$", (ETC / "options").read_text(), re.M) is not None
    return False


def take_keys(name: str) -> None:
    """The keys a signed version brings are the ones for the next; what is revoked stays so."""
    brought = VERSIONS / name / "deploy/raspberrypi/keys"
    for kind in ("signers", "revoked"):
        with suppress(FileNotFoundError):
            new = (brought / kind).read_text()
            old = (ETC / kind).read_text() if (ETC / kind).exists() else ""
            if kind == "revoked":
                more = [line for line in new.splitlines() if line not in old.splitlines()]
                new = old + "".join(f"{line}\n" for line in more)
            elif not re.search(r"^tabletop-companion ", new, re.M):
                continue  # without any key there would be no next version
            if new != old:
                ETC.mkdir(parents=True, exist_ok=True)
                fresh = ETC / f".{kind}.new"
                fresh.write_text(new)
                fresh.replace(ETC / kind)


def unpack(bundle: Path, into: Path, called: str) -> None:
    """Take a bundle apart; nothing in it can get out of the folder."""
    try:
        into.mkdir()
        with tarfile.open(bundle) as archive:
            for member in archive:
                put(archive, member, into)
        inside = list(into.iterdir())
    except (
        Exception
    ) as e:  # what is damaged or tampered with makes tarfile and its helpers raise nearly anything
        if isinstance(e, OSError) and e.errno in (errno.ENOSPC, errno.EDQUOT):
            raise
        raise Trouble(f"{called} is damaged ({e}).", OTHER, "no-version") from e
    if len(inside) == 1 and inside[0].is_dir():  # as `git archive --prefix` makes them
        inner = inside[0].rename(into.with_name(into.name + ".inner"))
        into.rmdir()
        inner.rename(into)


def put(archive: tarfile.TarFile, member: tarfile.TarInfo, into: Path) -> None:
    """One file or folder of a bundle; anything else in it is refused."""
    # Debian 12's Python has no filters for this (PEP 706). Without links, a name is all that could lead elsewhere.
    parts = Path(member.name).parts
    if member.name.startswith("/") or ".." in parts or "\0" in member.name or len(parts) > DEEPEST:
        raise tarfile.ReadError(f"{member.name[:40]!a} is no name of ours")
    if not math.isfinite(member.mtime):
        raise tarfile.ReadError(f"{member.name[:40]!a} has no time")
    path = into.joinpath(*parts)
    if member.isdir():
        path.mkdir(parents=True, exist_ok=True)
        return
    file = archive.extractfile(member) if member.isreg() else None
    if file is None:
        raise tarfile.ReadError(f"{member.name[:40]!a} is neither a file nor a folder")
    path.parent.mkdir(parents=True, exist_ok=True)
    with file, path.open("xb") as copy:
        shutil.copyfileobj(file, copy)
    path.chmod(0o755 if member.mode & 0o100 else 0o644)


def name_of(tree: Path) -> str:
    """The name of a version: its number, and some letters that tell it from any other."""
    digest = hashlib.sha256()
    for path in sorted(path for path in tree.rglob("*") if path.is_file() and not path.is_symlink()):
        if not UNNEEDED & set(path.relative_to(tree).parts):
            name = os.fsencode(path.relative_to(tree))
            digest.update(name + b"\0" + hashlib.sha256(path.read_bytes()).digest())
    number = re.search(r'^version = "([\w.]+)"', (tree / "pyproject.toml").read_text(errors="replace"), re.M)
    return f"{number[1] if number else '0'}-{digest.hexdigest()[:8]}"


# ---- making a version whole --------------------------------------------------------------------------------


def build(source: str, allowed: str) -> tuple[str, bool]:
    """A whole version in its folder; its name, and whether it is signed."""
    VERSIONS.mkdir(parents=True, exist_ok=True)
    partial = VERSIONS / ".partial"
    remove_partial()
    try:
        say(f"Fetching from {login(source)[0]} ...")
        status("fetching")
        signed = fetch(source, partial, allowed)
        name = name_of(partial)
        if is_whole(name):
            return name, signed
        say(f"Making {name} ready ...")
        status("building", version=name)
        set_up(partial)
        (partial / WHOLE).touch()
        subprocess.run(["sync", "-f", str(partial)], check=False)
        remove(VERSIONS / name)
        partial.rename(VERSIONS / name)
        return name, signed
    finally:
        remove_partial()


def set_up(tree: Path) -> None:
    """Its environment, exactly as locked, and its bytecode: the user it runs as may not write there."""
    environ = {
        **{name: value for name, value in os.environ.items() if not name.startswith("PYTHON")},
        "UV_CACHE_DIR": str(BASE / "cache"),
        "UV_COMPILE_BYTECODE": "1",
        "PATH": f"{TOOLS}:{os.environ.get('PATH', '/usr/sbin:/usr/bin:/sbin:/bin')}",
    }
    # The version's own set-up decides how; what it needs of the system it installs itself.
    shell = f"here={tree}; . {tree}/deploy/setup.sh; set_up run"
    code = subprocess.run(["sh", "-c", shell], env=environ, cwd=tree, check=False).returncode
    if code:
        words = {12: "no-network", 13: "full"}
        raise Trouble(
            f"Its environment could not be made (exit code {code}).", code, words.get(code, "failed")
        )
    keep_tools(tree / ".setup")
    python = tree / ".venv/bin/python"
    folders = [
        str(tree / name) for name in ("companion", "vision", "devices", "scoring") if (tree / name).is_dir()
    ]
    subprocess.run([str(python), "-I", "-m", "compileall", "-q", *folders], check=False)
    for folder, _, files in os.walk(tree):
        for path in (folder, *(os.path.join(folder, name) for name in files)):
            if not os.path.islink(path):
                os.chmod(path, (os.stat(path).st_mode | 0o444 | (0o111 if path == folder else 0)) & ~0o022)


def keep_tools(fetched: Path) -> None:
    """What set-up had to fetch serves the next version, too: that need not be online then."""
    TOOLS.mkdir(exist_ok=True)
    for uv in fetched.glob("uv-*"):
        shutil.copy(uv, TOOLS / ".new")
        (TOOLS / ".new").replace(TOOLS / "uv")
    shutil.rmtree(fetched, ignore_errors=True)


def self_test(name: str) -> None:
    """Let the new version try itself, as the user it will run as, on a copy of the journal."""
    say(f"Trying {name} ...")
    status("trying", version=name)
    python = VERSIONS / name / ".venv/bin/python"
    words = [str(python), "-I", "-m", "companion", "selftest", "--language", "en"]
    asked = [
        "runuser",
        "-u",
        USER,
        "--",
        "env",
        "-u",
        "DISPLAY",
        f"COMPANION_HOME={DATA}",
        f"HOME={DATA}",
        *words,
    ]
    if subprocess.run(asked, cwd="/", stdin=subprocess.DEVNULL, check=False).returncode:
        raise Trouble(f"{name} does not work here; everything stays as it was.", OTHER, "does-not-work")


# ---- switching ---------------------------------------------------------------------------------------------


def linked(link: Path) -> str | None:
    """The name of the version a link leads to."""
    with suppress(OSError):
        return Path(os.readlink(link)).name
    return None


def is_whole(name: str | None) -> bool:
    return name is not None and (VERSIONS / name / WHOLE).exists()


def point(link: Path, name: str) -> None:
    """Let a link lead to another version, in one move that outlasts a power cut."""
    fresh = link.with_name(f".{link.name}.new")
    fresh.unlink(missing_ok=True)
    fresh.symlink_to(Path("versions") / name)
    fresh.replace(link)
    sync_folder(BASE)


def sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    os.fsync(descriptor)
    os.close(descriptor)


def systemctl(*words: str) -> bool:
    return subprocess.run(["systemctl", *words], check=False).returncode == 0


def is_up() -> bool:
    """Whether the service comes up now, and stays up."""
    if not systemctl("restart", SERVICE):  # waits until it says that it is ready, or is given up
        return False
    for _ in range(STANDS):
        if not systemctl("is-active", "--quiet", SERVICE):
            return False
        time.sleep(1)
    return systemctl("is-active", "--quiet", SERVICE)


def switch(to: str) -> None:
    """Let another version run; back to the one before if it does not stay up."""
    before = linked(CURRENT)
    first = before is None and os.environ.get("COMPANION_FIRST")  # nothing runs yet: the installer starts it
    if not first:
        systemctl("stop", SERVICE)  # what is answered after the copy was made would not be in it
    with running_again(before):
        keep_journal()
        mark(before, linked(PREVIOUS))
        say(f"Switching to {to} ...")
        status("switching", version=to)
        point(CURRENT, to)
    if first:
        finish(before)
    elif is_up():
        finish(before)
    else:
        go_back(before)
        raise Trouble(f"{to} did not come up. {before or 'Nothing'} runs again.", BACK, "went-back")


@contextmanager
def running_again(now: str | None) -> Iterator[None]:
    """If this cannot be done, on a full card say, what ran before runs again."""
    try:
        yield
    except (OSError, sqlite3.Error):
        if now is not None and now != linked(CURRENT):
            point(CURRENT, now)
        MARKER.unlink(missing_ok=True)
        systemctl("restart", SERVICE)
        raise


def mark(good: str | None, previous: str | None, journal: bool = True) -> None:
    """Write down which version is to run if the power goes now, and which was before it; without `journal` that one
    knows the journal as it is."""
    fresh = MARKER.with_suffix(".new")
    fresh.write_text(json.dumps({"good": good, "previous": previous, "journal": journal}))
    with fresh.open("rb") as file:
        os.fsync(file.fileno())
    fresh.replace(MARKER)
    sync_folder(BASE)


def finish(before: str | None) -> None:
    """The new version lives: the one before it is kept for a rollback, older ones are not."""
    if before is not None and before != linked(CURRENT):
        point(PREVIOUS, before)
    MARKER.unlink(missing_ok=True)
    sync_folder(BASE)
    stay = {linked(CURRENT), linked(PREVIOUS)}
    for folder in VERSIONS.iterdir():
        if folder.name not in stay and not folder.name.startswith("."):
            remove(folder)


def go_back(before: str | None, start: bool = True, journal: bool = True) -> None:
    """Let the version before run again, and with it, unless it knows the journal as it is, one that it can read."""
    if is_whole(before) and before is not None:
        point(CURRENT, before)
        if start:
            systemctl("stop", SERVICE)
        if journal:
            fit_journal(before)
        if start:
            systemctl("restart", SERVICE)
    MARKER.unlink(missing_ok=True)
    sync_folder(BASE)


@contextmanager
def put_back(aside: Path | None) -> Iterator[None]:
    """If this cannot be done, the journal that was put aside is in its place again."""
    try:
        yield
    except (OSError, sqlite3.Error):
        if aside is not None:
            aside.replace(DATA / "journal.db")
        raise


@contextmanager
def as_its_owner() -> Iterator[None]:
    """Do this with the rights of the owner of the data: in a folder of theirs, a link may lead anywhere."""
    owner, user, group = DATA.stat(), os.geteuid(), os.getegid()
    if user == 0:
        os.setegid(owner.st_gid)
        os.seteuid(owner.st_uid)
    try:
        yield
    finally:
        if user == 0:
            os.seteuid(user)
            os.setegid(group)


@as_its_owner()
def keep_journal() -> None:
    """A copy of the journal as it is now, for the version that runs now."""
    journal, copy = DATA / "journal.db", KEPT / "journal.db"
    if not journal.exists():
        return
    KEPT.mkdir(mode=0o700, exist_ok=True)
    fresh = KEPT / "new.db"
    fresh.unlink(missing_ok=True)
    reading, writing = sqlite3.connect(f"file:{journal}?mode=ro", uri=True), sqlite3.connect(fresh)
    with closing(reading), closing(writing):
        reading.backup(writing)
        writing.execute("PRAGMA journal_mode = DELETE")
    fresh.chmod(0o600)
    fresh.replace(copy)
    sync_folder(KEPT)


@as_its_owner()
def restore_journal(name: str) -> Path | None:
    """Where a newer version changed the journal, put the copy from before in its place; where the newer one is."""
    journal, copy = DATA / "journal.db", KEPT / "journal.db"
    if not journal.exists() or not copy.exists() or version_of(journal) <= version_of(copy):
        return None
    number = next(n for n in range(1, 10_000) if not (DATA / f"journal.newer-{n}.db").exists())
    with closing(sqlite3.connect(journal)) as db:  # so that everything is in the one file
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        db.execute("PRAGMA journal_mode = DELETE")
    aside = DATA / f"journal.newer-{number}.db"
    os.link(journal, aside)
    fresh = DATA / ".journal.part"
    shutil.copyfile(copy, fresh)
    fresh.chmod(0o600)
    with fresh.open("rb") as file:
        os.fsync(file.fileno())
    fresh.replace(journal)
    sync_folder(DATA)
    say(
        f"{name} cannot read the newer journal. It is kept as {aside}; the one from before the update is back."
    )
    return aside


def fit_journal(name: str) -> Path | None:
    """A journal this version can read, and a copy of it, should this one change it; where a newer journal is."""
    aside = restore_journal(name)
    if aside is None:
        try:
            keep_journal()
        except (OSError, sqlite3.Error):  # an old copy would bring back less than there is
            forget_copy()
    return aside


@as_its_owner()
def forget_copy() -> None:
    (KEPT / "journal.db").unlink(missing_ok=True)


def version_of(journal: Path) -> int:
    with closing(sqlite3.connect(f"file:{journal}?mode=ro", uri=True)) as db:
        return int(db.execute("PRAGMA user_version").fetchone()[0])


# ---- what can be asked for ---------------------------------------------------------------------------------


def update(given: str | None, allowed: str = "") -> None:
    """A new version, if there is one; `allowed` is the one that need not be signed, or `ANY`."""
    settle(start=True)
    source = find_source(given)
    name, signed = build(source, allowed)
    REFUSED.unlink(missing_ok=True)
    if name == linked(CURRENT):
        say(f"{name} is already what runs here.")
        status("newest", version=name)
        return
    self_test(name)
    switch(name)
    if given:
        remember(given)
    if signed:
        take_keys(name)
    say(f"{name} runs.")
    status("done", version=name)


def take_refused() -> None:
    """*Install anyway* on the touchscreen."""
    if not takes_unsigned() or not REFUSED.exists():
        raise Trouble("This machine installs signed versions only.", UNSIGNED, "unsigned", anyway=False)
    update(None, REFUSED.read_text().strip())


def rollback() -> None:
    """The version before this one."""
    settle(start=True)
    before, now = linked(PREVIOUS), linked(CURRENT)
    if before is None or before == now or not is_whole(before):
        raise Trouble("There is no version before this one.", OTHER, "no-previous")
    mark(before, now)
    status("switching", version=before)
    systemctl("stop", SERVICE)
    with running_again(now):
        aside = fit_journal(before)
        with put_back(aside):
            mark(before, now, journal=False)
            point(CURRENT, before)
    if not is_up():
        systemctl("stop", SERVICE)
        if aside is not None:
            aside.replace(DATA / "journal.db")
        go_back(now, journal=aside is None)
        raise Trouble(f"{before} did not come up either. {now} runs again.", BACK, "went-back")
    finish(now)
    say(f"{before} runs again.")
    status("done", version=before)


def settle(start: bool = False) -> None:
    """End what was left half done: a version that never showed itself alive is left for one that did."""
    remove_partial()
    if not MARKER.exists():
        return
    try:
        marked = json.loads(MARKER.read_text())
        good = marked["good"]
    except (ValueError, KeyError, TypeError, OSError):  # cut off while it was written: nothing was moved yet
        good, marked = linked(CURRENT), {}
    if good is not None:
        if good != linked(CURRENT):
            say(f"{linked(CURRENT)} never came up; {good} runs again.")
            status("went-back", version=good)
        previous = marked.get("previous")
        if previous != good and is_whole(previous):  # else the way back would lead to where we are
            point(PREVIOUS, previous)
        go_back(good, start, marked.get("journal", True))
    MARKER.unlink(missing_ok=True)


def show() -> None:
    """Which versions are here."""
    for folder in sorted(VERSIONS.glob("*")):
        notes = [link.name for link in (CURRENT, PREVIOUS) if linked(link) == folder.name]
        say(f"{folder.name} {' '.join(notes)}".rstrip())


def remove(path: Path) -> None:
    if path.is_symlink() or path.is_file():
        path.unlink()
    elif path.exists():
        shutil.rmtree(path)


def remove_partial() -> None:
    if VERSIONS.exists():
        for path in VERSIONS.glob(".partial*"):
            remove(path)


@contextmanager
def alone() -> Iterator[None]:
    """Let nobody else switch versions at the same time."""
    BASE.mkdir(parents=True, exist_ok=True)
    with (BASE / "lock").open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise Trouble("Another update is on.", OTHER, "busy") from None
        yield


def main(words: list[str]) -> int:
    """Do what was asked for; every end is a sentence and an exit code."""
    deeds: dict[str, Callable[[], None]] = {
        "--rollback": rollback,
        "--settle": settle,
        "--list": show,
        "--refused": take_refused,
    }
    asked = list(words)
    allowed = ANY if words[:1] == ["--unsigned"] else ""
    words = words[1:] if allowed else words
    if len(words) > 1 or (words and words[0].startswith("-") and words[0] not in deeds):
        say((__doc__ or "").strip())
        return 0 if words == ["--help"] else 2
    if ONLY_READ.exists() and not os.environ.get("COMPANION_WRITABLE"):
        os.execvp("companion-readonly", ["companion-readonly", "run", sys.executable, "-I", __file__, *asked])
    try:
        with alone():
            if words and words[0] in deeds:
                deeds[words[0]]()
            else:
                update(words[0] if words else None, allowed)
    except Trouble as trouble:
        say(str(trouble))
        status(trouble.word, **trouble.more)
        return trouble.code
    except (OSError, sqlite3.Error) as e:
        full = isinstance(e, OSError) and e.errno in (errno.ENOSPC, errno.EDQUOT)
        say("The card is full; everything stays as it was." if full else f"It failed: {e}.")
        status("full" if full else "failed")
        return DISK if full else OTHER
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
