"""Make .venv complete and current: `setup.py run|dev STAMP`, called by setup.sh when the stamp differs.

Uses nothing but the standard library, and nothing newer than Python 3.8: on a system with an unsuitable
Python it is this script that finds or fetches a suitable one. Nothing is ever changed in place: a new
environment is made in .setup/new, gets its stamp last of all, and is then renamed to .venv. So it can be
killed at any moment.
"""

from __future__ import annotations

import signal

if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # until main can say something better than a traceback

import ctypes
import errno
import fcntl
import hashlib
import os
import platform
import re
import shutil
import ssl
import subprocess
import sys
import time
import urllib.error
import urllib.request
import zipfile
from collections.abc import Callable, Iterator, Sequence
from configparser import ConfigParser
from configparser import Error as ConfigError
from contextlib import contextmanager
from http.client import HTTPException, InvalidURL
from pathlib import Path
from typing import NoReturn
from urllib.parse import urljoin, urlsplit

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
SETUP = ROOT / ".setup"

PYTHON, SYSTEM, NETWORK, DISK, FOLDER, OTHER, INTERRUPTED = 10, 11, 12, 13, 14, 15, 130
"""Exit codes, chosen apart from those of the companion; docs/setup.md explains them."""

PYTHONS = ("3.13", "3.12", "3.11")
PYPI = "https://pypi.org/simple"

UV = "0.12.24"
UV_RANGE = ((0, 9), (1, 0))
"""A uv that somebody already has is used from the first of these versions on, up to the second."""

UV_WHEELS = {
    "x86_64": (
        f"uv-{UV}-py3-none-musllinux_1_1_x86_64.whl",
        "b6fe9cd01f5c576a640f17829cb465899fffb5d6d8dfdd576e38d4f1e40dd438",
    ),
    "aarch64": (
        f"uv-{UV}-py3-none-manylinux_2_17_aarch64.manylinux2014_aarch64.musllinux_1_1_aarch64.whl",
        "94c9ed22c1b5d6861a72639e23c5707bb07a354b67ec0462e9a0169a9665b5fd",
    ),
    "armv7l": (
        f"uv-{UV}-py3-none-manylinux_2_17_armv7l.manylinux2014_armv7l.musllinux_1_1_armv7l.whl",
        "fb4eec64d8624e22cd7bb3c1c5576067fff2b7a85baf1f01e0b592e99b5ab7a6",
    ),
}
"""For each processor the wheel of uv and its SHA-256; musllinux builds are static, any Linux runs them."""


class Trouble(Exception):
    """A reason to stop, as a sentence for a person, and an exit code for a script."""

    def __init__(self, code: int, sentence: str) -> None:
        super().__init__(sentence)
        self.code = code


def say(text: str) -> None:
    """Tell what is going on; standard output belongs to the companion."""
    print(text, file=sys.stderr, flush=True)


# ---- what the system must have -----------------------------------------------------------------------------


def library(name: str) -> Callable[[], bool]:
    """Say how to find out whether a shared library such as "libGL.so.1" is there."""

    def there() -> bool:
        try:
            ctypes.CDLL(name)
        except OSError:
            return False
        return True

    return there


def program(name: str) -> Callable[[], bool]:
    """Say how to find out whether a program is there."""
    return lambda: shutil.which(name) is not None


def server(pattern: str) -> Callable[[], bool]:
    """Say how to find out whether a server is there, which is often not on the path of ordinary users."""
    return lambda: any(Path("/").glob(pattern))


def certificates() -> bool:
    """Tell whether there are certificates by which servers on the internet can be recognised."""
    paths = ssl.get_default_verify_paths()
    return paths.cafile is not None or (paths.capath is not None and any(Path(paths.capath).iterdir()))


NEEDED: dict[str, Callable[[], bool]] = {
    "ca-certificates": certificates,
    # Add here what Python packages expect of the system, for example:  "libgl1": library("libGL.so.1"),
}
"""The Debian packages the companion needs, each with the question whether what it brings is already there."""


WANTED: dict[str, Callable[[], bool]] = {
    "libzbar0": library("libzbar.so.0"),  # a second opinion on labels that are hard to read
    "libgl1": library("libGL.so.1"),  # the window; without it the table of text works
    "libegl1": library("libEGL.so.1"),
    "libmtdev1": library("libmtdev.so.1"),  # the touchscreen of a machine without a desktop
}
"""Packages that make the companion better; without them it goes on."""


WANTED_BY_TESTS: dict[str, Callable[[], bool]] = {
    "xvfb": program("Xvfb"),  # a display nobody sees
    "xdotool": program("xdotool"),  # a finger nobody has
    "openssh-client": program("ssh-keygen"),  # signed versions
    "chromium": program("chromium"),  # phones
    "mosquitto": server("usr/sbin/mosquitto"),  # halls of tables
    "postgresql": server("usr/lib/postgresql/*/bin/postgres"),  # halls that share their standing
}
"""Packages for some tests; without them those are skipped."""


def missing(needed: dict[str, Callable[[], bool]]) -> list[str]:
    """Name the packages that must be installed."""
    return [package for package, there in needed.items() if not there()]


def become_root() -> list[str] | None:
    """Give the words to put before a command that needs root, or None where we may not."""
    if os.geteuid() == 0:
        return []
    sudo = shutil.which("sudo")
    if sudo and subprocess.run([sudo, "-n", "true"], capture_output=True, check=False).returncode == 0:
        return [sudo, "-n"]
    return None


def install_missing(needed: dict[str, Callable[[], bool]]) -> None:
    """Install the missing packages where we may, else give the one command to type."""
    packages = missing(needed)
    if not packages:
        return
    names = " ".join(packages)
    if not shutil.which("apt-get"):
        raise Trouble(SYSTEM, f"Please install what Debian calls {names}, then start again.")
    by_hand = f"apt-get update && apt-get install -y {names}"
    prefix = become_root()
    if prefix is None:
        command = f"sudo sh -c '{by_hand}'" if shutil.which("sudo") else f"su -c '{by_hand}'"
        raise Trouble(SYSTEM, f"This system lacks {names}. Type this, then start again:\n\n  {command}\n")
    say(f"Installing {names} ...")
    # A machine that has just been switched on may be busy with its own updates for a while.
    patient = ["-o", "DPkg::Lock::Timeout=300"]
    apt = [*prefix, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-qy", *patient]
    subprocess.run([*apt, "update"], stdout=sys.stderr, check=False)
    subprocess.run([*apt, "install", "--no-install-recommends", *packages], stdout=sys.stderr, check=False)
    if missing(needed):
        raise Trouble(SYSTEM, f"{names} could not be installed. As root this shows why:\n\n  {by_hand}\n")


# ---- which Python ------------------------------------------------------------------------------------------


def suitable(python: str) -> str | None:
    """Give the full path of an interpreter, or None where it does not run, is too old or too new."""
    ask = "import os, sys; print('%d.%d' % sys.version_info[:2], os.path.realpath(sys.executable))"
    # -I: another program's PYTHONHOME would keep it from starting at all.
    try:
        answer = subprocess.run([python, "-I", "-c", ask], capture_output=True, text=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError):
        return None
    version, path = answer.strip().split(" ", 1)
    return path if version in PYTHONS else None


def choose_python() -> list[str]:
    """Give uv's options for the interpreter: this one, another of the system, or one that uv is to fetch."""
    # The path has the version in its name: when the system gets another Python, links to it visibly dangle.
    for python in [sys.executable, *(f"python{version}" for version in PYTHONS)]:
        path = suitable(python)
        if path:
            return ["--python", path, "--no-python-downloads"]
    say(f"Python 3.11 to 3.13 is needed, this is {platform.python_version()}: fetching {PYTHONS[0]} ...")
    return ["--python", PYTHONS[0], "--managed-python"]


# ---- where uv comes from -----------------------------------------------------------------------------------


def index() -> str:
    """Find the package index that this machine is told to use."""
    for name in ("UV_DEFAULT_INDEX", "UV_INDEX_URL", "PIP_INDEX_URL"):
        if os.environ.get(name):
            return os.environ[name].rstrip("/")
    config = ConfigParser(interpolation=None)
    home = Path.home()
    own = os.environ.get("PIP_CONFIG_FILE") or os.devnull
    try:
        config.read(["/etc/pip.conf", home / ".pip/pip.conf", home / ".config/pip/pip.conf", own])
    except ConfigError:
        return PYPI
    return config.get("global", "index-url", fallback=PYPI).rstrip("/")


def uv_on_path() -> str | None:
    """Give the uv that somebody installed, if it is one we can work with."""
    path = shutil.which("uv")
    if not path:
        return None
    try:
        words = subprocess.run([path, "--version"], capture_output=True, text=True, check=False).stdout
    except OSError:
        return None
    found = re.match(r"uv (\d+)\.(\d+)", words)
    return path if found and UV_RANGE[0] <= (int(found[1]), int(found[2])) < UV_RANGE[1] else None


def uv_wheel(system: str, machine: str) -> tuple[str, str]:
    """Name the wheel of uv for a kind of machine, and its SHA-256."""
    machine = {"armv8l": "armv7l"}.get(machine, machine)  # a 64-bit kernel under a 32-bit system
    if system != "Linux" or machine not in UV_WHEELS:
        raise Trouble(OTHER, f"On {system} {machine} please install uv {UV} yourself, then start again.")
    return UV_WHEELS[machine]


def copy_with_progress(url: str, target: Path) -> None:
    """Download a file, showing how far it is."""
    with urllib.request.urlopen(url, timeout=30) as answer, target.open("wb") as file:
        total, done, shown = int(answer.headers.get("Content-Length") or 0), 0, 0
        for block in iter(lambda: answer.read(1 << 16), b""):
            file.write(block)
            done += len(block)
            if total and done * 4 // total > shown:
                shown = done * 4 // total
                say(f"  {done / 1e6:.0f} of {total / 1e6:.0f} MB")


def download(name: str, target: Path) -> None:
    """Download a file of the project uv that the package index offers."""
    page_url = f"{index()}/uv/"
    try:
        with urllib.request.urlopen(page_url, timeout=30) as answer:
            page, page_url = answer.read().decode(errors="replace"), answer.url
        link = re.search(rf'href="([^"#]*{re.escape(name)})[#"]', page)
        if not link:
            raise Trouble(NETWORK, f"{urlsplit(page_url).hostname} does not offer {name}.")
        copy_with_progress(urljoin(page_url, link[1]), target)
    except (urllib.error.URLError, HTTPException, ConnectionError, TimeoutError, ValueError) as error:
        # Neither the whole address nor what is wrong with it is shown: it may have a password in it.
        bad_address = isinstance(error, (ValueError, InvalidURL))
        reason = "its address is not understood" if bad_address else getattr(error, "reason", error)
        host = urlsplit(page_url).hostname or "The package index"
        sentence = f"{host} cannot be reached ({reason}); is this machine on the internet?"
        raise Trouble(NETWORK, sentence) from error


def download_with_pip(name: str, folder: Path) -> bool:
    """Let pip download the file: it may know of a proxy, a password or a folder of wheels that we do not."""
    tag = name[: -len(".whl")].split(".")[-1].split("-")[-1]
    what = ["--no-deps", "--only-binary=:all:", f"--platform={tag}", f"--dest={folder}", f"uv=={UV}"]
    options = ["--quiet", "--retries=1", "--disable-pip-version-check"]
    venv = folder / "venv"
    for python in (sys.executable, str(venv / "bin/python")):
        if python != sys.executable:
            subprocess.run([sys.executable, "-I", "-m", "venv", str(venv)], capture_output=True, check=False)
        command = [python, "-I", "-m", "pip", "download", *options, *what]
        if shutil.which(python) and subprocess.run(command, capture_output=True, check=False).returncode == 0:
            return (folder / name).exists()
    return False


def unpack_uv(wheel: Path, sha256: str, target: Path) -> None:
    """Take the program out of its wheel, provided the wheel is exactly the one we know."""
    if hashlib.sha256(wheel.read_bytes()).hexdigest() != sha256:
        raise Trouble(NETWORK, f"{wheel.name} is damaged or not the file it should be.")
    program = wheel.with_name("uv")
    with zipfile.ZipFile(wheel) as archive:
        program.write_bytes(archive.read(f"uv-{UV}.data/scripts/uv"))
    program.chmod(0o755)
    program.rename(target)


def find_uv() -> str:
    """Give the path of uv; fetch it into .setup where there is none."""
    own, target = uv_on_path(), SETUP / f"uv-{UV}"
    if own or target.exists():
        return own or str(target)
    name, sha256 = uv_wheel(platform.system(), platform.machine())
    say(f"Fetching uv {UV} ...")
    folder = SETUP / "fetched"
    remove(folder)
    folder.mkdir()
    try:
        try:
            download(name, folder / name)
        except Trouble:
            if not download_with_pip(name, folder):
                raise
        unpack_uv(folder / name, sha256, target)
    finally:
        remove(folder)  # also when the disk is full
    return str(target)


# ---- the environment ---------------------------------------------------------------------------------------


def explain(words: str) -> Trouble:
    """Turn what uv complained about into a sentence."""
    text = words.lower()
    if "no space left" in text or "quota exceeded" in text:
        return no_space()
    if "permission denied" in text or "read-only file system" in text or "operation not permitted" in text:
        return no_writing(words.strip().splitlines()[-1].strip())
    if "hash mismatch" in text:
        return Trouble(NETWORK, "A package is not the file it should be; nothing of it was used.")
    if "no-build" in text or "no wheels with a matching" in text or "for the current platform" in text:
        return Trouble(OTHER, f"A package is not offered ready-made for {platform.machine()}; see above.")
    if "managed-python" in text or "python-build-standalone" in text:
        return Trouble(PYTHON, "Python 3.11, 3.12 or 3.13 is needed and could not be fetched; install one.")
    for sign in ("dns error", "error sending request", "timed out", "connect", "certificate", "http status"):
        if sign in text:
            return Trouble(NETWORK, "Packages could not be fetched; is this machine on the internet?")
    return Trouble(OTHER, "The environment could not be made; the lines above say why.")


def uv_environment() -> dict[str, str]:
    """Give uv the settings we want, whatever else it may be told on this machine."""
    other_indexes = ("UV_INDEX", "UV_EXTRA_INDEX")
    ours = {name: value for name, value in os.environ.items() if not name.startswith(other_indexes)}
    ours["UV_DEFAULT_INDEX"] = index()
    # Inside the project's folder hard links work, and removing the folder removes everything.
    ours.setdefault("UV_CACHE_DIR", str(SETUP / "cache"))
    ours.setdefault("UV_HTTP_RETRIES", "2")  # by default half a minute passes before it admits to be offline
    ours["UV_PYTHON_INSTALL_DIR"] = str(SETUP / "python")
    ours["UV_PROJECT_ENVIRONMENT"] = str(SETUP / "new")
    # Trust whom the rest of the system trusts; the older name is for an older uv.
    ours["UV_SYSTEM_CERTS"] = ours["UV_NATIVE_TLS"] = "true"
    return ours


def call(uv: str, arguments: Sequence[str], lock: int) -> None:
    """Run uv and show what it says as it says it."""
    # uv keeps the lock open too: should we be killed, the next start waits until uv has ended as well.
    said = []
    with subprocess.Popen(
        [uv, *arguments],
        cwd=ROOT,
        env=uv_environment(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        pass_fds=(lock,),
    ) as process:
        for line in process.stdout or ():
            said.append(line)
            if not line.startswith(" + "):
                say("  " + line.rstrip())
    if process.returncode:
        raise explain("".join(said))


def make_environment(uv: str, python: list[str], kind: str, lock: int) -> None:
    """Make a whole environment in .setup/new."""
    new = SETUP / "new"
    call(uv, ["venv", "--quiet", "--relocatable", "--prompt=companion", *python, str(new)], lock)
    groups = [] if kind == "dev" else ["--no-dev"]
    if index() == PYPI:
        # In development a uv.lock that does not fit pyproject.toml is an error; players take what is locked.
        trust = "--locked" if kind == "dev" else "--frozen"
        call(uv, ["sync", trust, *groups, "--no-install-project", "--no-build", *python], lock)
    else:
        # uv.lock names files at PyPI. Another index has them elsewhere, but they must be the same files.
        listed = str(SETUP / "requirements.txt")
        call(uv, ["export", "--quiet", "--frozen", *groups, "--no-emit-project", "-o", listed, *python], lock)
        into = ["--python", str(new / "bin/python")]
        call(uv, ["pip", "sync", "--require-hashes", "--no-build", *into, listed], lock)
    # The project is not installed but pointed at, by a relative path: so its folder may be moved.
    for packages in new.glob("lib/python3*/site-packages"):
        (packages / "companion.pth").write_text("../../../..\n")


def switch(kind: str, stamp: str) -> None:
    """Stamp the new environment and put it in the place of the old one."""
    new, old = SETUP / "new", SETUP / "old"
    # After a power cut the stamp must not be there without the files it speaks for.
    subprocess.run(["sync", "-f", str(new)], check=False)
    for name in ("run", "dev") if kind == "dev" else ("run",):
        (new / f"stamp-{name}").write_text(stamp + "\n")
    if os.path.lexists(VENV):
        VENV.rename(old)
    new.rename(VENV)
    remove(old)


def remove(path: Path) -> None:
    """Remove a folder, or a link to one, if it is there."""
    if path.is_symlink() or path.is_file():
        path.unlink()
    elif path.exists():
        shutil.rmtree(path)


def is_current(kind: str, stamp: str) -> bool:
    """Tell whether .venv is complete and made from the files as they are."""
    try:
        return (VENV / f"stamp-{kind}").read_text().strip() == stamp and (VENV / "bin/python").exists()
    except OSError:
        return False


@contextmanager
def locked() -> Iterator[int]:
    """Let nobody else set up at the same time."""
    SETUP.mkdir(exist_ok=True)
    with (SETUP / "lock").open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say("Another start is setting up; waiting for it ...")
            fcntl.flock(file, fcntl.LOCK_EX)
        yield file.fileno()


def set_up(kind: str, stamp: str) -> None:
    """Make .venv complete and current."""
    began = time.monotonic()
    with locked() as lock:
        if is_current(kind, stamp):
            return
        say("Setting up; this takes a minute or two the first time.")
        if (VENV / "stamp-dev").exists():
            kind = "dev"  # the tests were run here before
        install_missing(NEEDED)
        try:
            install_missing({**WANTED, **(WANTED_BY_TESTS if kind == "dev" else {})})
        except Trouble as trouble:
            say(f"{trouble} Going on without.")
        remove(SETUP / "new")
        remove(SETUP / "old")
        python = choose_python()
        uv = find_uv()
        say("Making the environment ...")
        try:
            make_environment(uv, python, kind, lock)
            switch(kind, stamp)
        finally:
            remove(SETUP / "new")
        say(f"Ready after {time.monotonic() - began:.1f} s.")


def no_space() -> Trouble:
    """Say that the disk is full."""
    return Trouble(DISK, f"The disk that holds {ROOT} is full. Make some room, then start again.")


def no_writing(reason: str) -> Trouble:
    """Say that we may not write where we must."""
    advice = "Start as the owner of that folder, or use a copy of your own."
    return Trouble(FOLDER, f"Set-up may not write in {ROOT} ({reason}). {advice}")


def fail(trouble: Trouble) -> NoReturn:
    """End with a sentence and an exit code."""
    say(str(trouble))
    sys.exit(trouble.code)


def main(arguments: list[str]) -> None:
    """Set up, and turn everything that can be foreseen to go wrong into a sentence."""
    if len(arguments) != 2 or arguments[0] not in ("run", "dev"):
        fail(Trouble(OTHER, "Please start ./run or ./test instead."))
    signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        set_up(*arguments)
    except Trouble as trouble:
        fail(trouble)
    except KeyboardInterrupt:
        fail(Trouble(INTERRUPTED, "Interrupted. The next start goes on from here."))
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            fail(no_space())
        if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
            fail(no_writing(str(error)))
        fail(Trouble(OTHER, f"Set-up failed: {error}."))


if __name__ == "__main__":
    main(sys.argv[1:])
