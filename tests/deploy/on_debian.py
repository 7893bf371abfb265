"""Tests the installed updater with Debian's own Python, in a Debian root; run by
`deploy/raspberrypi/verify-updates`.

Prints a table; the exit code is 1 if a result is wrong.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

SOURCE, KEYS, TREES = Path("/src"), Path("/keys"), Path("/trees")
STICK = Path("/media/companion/RED-sda1")
BUNDLE = STICK / "tabletop-companion-9.tar.gz"
CURRENT = Path("/opt/tabletop-companion/current")
STATUS = Path("/run/tabletop-companion/status/update.json")
REQUESTS = Path("/run/tabletop-companion/requests")
RAN = Path("/ran")

SET_UP = """set_up() {
    cat "$here/note" >>/ran
    python3 -m venv --without-pip "$here/.venv" || return
    for packages in "$here"/.venv/lib/python3*/site-packages; do echo ../../../.. >"$packages/companion.pth"; done
}
"""
MAIN = "import sys\nsys.exit(sys.argv[1] != 'selftest')\n"

rows: list[tuple[str, str, str, bool]] = []


def run(*words: object, **more: str) -> subprocess.CompletedProcess[str]:
    """Run a program. No service runs here: systemctl only says so, and nobody waits for it."""
    environ = {**os.environ, "COMPANION_UPDATE_STANDS": "0", "SYSTEMD_OFFLINE": "1", **more}
    return subprocess.run(
        [str(word) for word in words],
        env=environ,
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
    )


def must(*words: object, **more: str) -> str:
    """Run what has to work."""
    done = run(*words, **more)
    if done.returncode:
        sys.exit(f"{words}: {done.stdout}{done.stderr}")
    return done.stdout.strip()


def key(name: str) -> str:
    """A key; its public line."""
    KEYS.mkdir(exist_ok=True)
    if not (KEYS / name).exists():
        must("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", name, "-f", KEYS / name)
    return (KEYS / f"{name}.pub").read_text().strip()


def tree(note: str, signers: str = "", revoked: str = "") -> Path:
    """A version: what root needs of the project, and a stand-in for the program."""
    into = TREES / note
    if not into.exists():
        shutil.copytree(SOURCE / "deploy", into / "deploy")
        (into / "deploy/setup.sh").write_text(SET_UP)
        (into / "companion").mkdir()
        (into / "companion/__main__.py").write_text(MAIN)
        (into / "companion/__init__.py").write_text("")
        (into / "pyproject.toml").write_text('version = "9"\n')
        (into / "uv.lock").write_text("")
        (into / "note").write_text(f"{note}\n")
    keys = into / "deploy/raspberrypi/keys"
    (keys / "signers").write_text(signers or f"tabletop-companion {key('ours')}\n")
    (keys / "revoked").write_text(revoked or f"{key('old')}\n")
    return into


def bundle(note: str, signed: str = "", **keys: str) -> None:
    """A version on the stick, signed if a key is named."""
    shutil.rmtree(STICK, ignore_errors=True)
    STICK.mkdir(parents=True)
    with tarfile.open(BUNDLE, "w:gz") as archive:
        archive.add(tree(note, **keys), arcname="tabletop-companion")
    if signed:
        key(signed)
        must("ssh-keygen", "-q", "-Y", "sign", "-n", "tabletop-companion-update", "-f", KEYS / signed, BUNDLE)


def repository(note: str, signed: str = "") -> str:
    """A version in a repository; its address."""
    path = Path("/git") / note
    shutil.copytree(tree(note), path)
    who = {f"GIT_{a}_{b}": "m@example.org" for a in ("AUTHOR", "COMMITTER") for b in ("NAME", "EMAIL")}
    must("git", "init", "-q", path, **who)
    must("git", "-C", path, "add", "-A", **who)
    how = ["-S"] if signed else ["--no-gpg-sign"]
    if signed:
        key(signed)
    signing = ["-c", "gpg.format=ssh", "-c", f"user.signingkey={KEYS / signed}"]
    must("git", "-C", path, *signing, "commit", "-q", *how, "-m", note, **who)
    return f"file://{path}"


def note() -> str:
    """Which version would run."""
    return (CURRENT / "note").read_text().strip()


def row(what: str, came: str, wanted: str) -> None:
    """A line of the table."""
    rows.append((what, came, wanted, came == wanted))


def told() -> str:
    """What the touchscreen was told, in a word."""
    return str(json.loads(STATUS.read_text())["state"]) if STATUS.exists() else "-"


def update(what: str, code: int, word: str, runs: str, *words: str, ran: bool | None = None) -> None:
    """Let the installed updater do this, and see what came of it: exit code, word, what runs, whether it ran at all."""
    RAN.write_text("")
    STATUS.unlink(missing_ok=True)
    done = run("/usr/local/sbin/companion-update", *words)
    sentence = [line for line in done.stdout.splitlines() if line.strip()][-1:]
    wanted = ran if ran is not None else code == 0
    row(
        f"{what}: {' '.join(sentence)}" if code else what,
        f"{done.returncode}, {told()}, {note()}, {'ran' if RAN.read_text() else 'not'}",
        f"{code}, {word}, {runs}, {'ran' if wanted else 'not'}",
    )
    if not rows[-1][3]:
        print(done.stdout, done.stderr, file=sys.stderr)


def asked(what: str, request: str, word: str, runs: str) -> None:
    """The same by a request of the touchscreen's."""
    STATUS.unlink(missing_ok=True)
    (REQUESTS / request).write_text("")
    done = run("/usr/local/sbin/companion-request")
    row(f"touchscreen: {what}", f"{done.returncode}, {told()}, {note()}", f"0, {word}, {runs}")


def install(*options: str) -> None:
    """Install as install.sh does, with every package of the system there already."""
    stand_ins = Path("/stand-ins")
    stand_ins.mkdir(exist_ok=True)
    (stand_ins / "dpkg-query").write_text("#!/bin/sh\necho install ok installed\n")
    (stand_ins / "dpkg-query").chmod(0o755)
    installer = TREES / "first/deploy/raspberrypi/install.sh"
    done = run("sh", installer, "--yes", "--anyway", *options, PATH=f"{stand_ins}:{os.environ['PATH']}")
    row(f"install.sh {' '.join(options)}", str(done.returncode), "0")
    if done.returncode:
        log = Path("/var/log/tabletop-companion-install.log")
        sys.exit(done.stdout + done.stderr + (log.read_text() if log.exists() else ""))


def other_scripts() -> None:
    """Whatever else of root's is Python here."""
    for name in ("update", "verify", "wifi"):
        row(
            f"companion-{name} --help",
            str(run(f"/usr/local/sbin/companion-{name}", "--help").returncode),
            "0",
        )
    row("companion-wifi scan", str(run("/usr/local/sbin/companion-wifi", "scan").returncode), "0")
    Path("/request").write_text('{"network": "x", "password": "12345678"}')
    row("companion-wifi join", str(run("/usr/local/sbin/companion-wifi", "join", "/request").returncode), "0")
    for words in (["--list"], ["--settle"]):
        row(
            f"companion-update {words[0]}",
            str(run("/usr/local/sbin/companion-update", *words).returncode),
            "0",
        )
    probe = "import runpy, sys; print(runpy.run_path('/src/deploy/setup.py')['suitable'](sys.executable) is not None)"
    home = {"PYTHONHOME": "/nowhere"}
    row("deploy/setup.py with PYTHONHOME set", must("/usr/bin/python3", "-I", "-c", probe, **home), "True")


def main(suite: str) -> int:
    """Everything, one after the other."""
    REQUESTS.mkdir(parents=True)
    tree("first")
    install("--signed-only")
    other_scripts()
    bundle("signed", "ours")
    update("signed", 0, "done", "signed")
    bundle("unsigned")
    update("unsigned", 17, "unsigned", "signed")
    asked("install anyway, forbidden as on the card", "update-refused", "unsigned", "signed")
    bundle("forged", "ours")
    data = bytearray(BUNDLE.read_bytes())
    data[len(data) // 2] ^= 1
    BUNDLE.write_bytes(data)
    update("forged, one bit changed", 18, "forged", "signed")
    bundle("forged", "a-forger")
    update("forged, signed with another key", 18, "forged", "signed")
    update("the same with --unsigned", 18, "forged", "signed", "--unsigned")
    bundle("old", "old")
    update("signed with an old key", 19, "old-key", "signed")
    bundle("damaged", "ours")
    BUNDLE.write_bytes(BUNDLE.read_bytes()[:2000])
    (STICK / f"{BUNDLE.name}.sig").unlink()
    key("ours")
    must("ssh-keygen", "-q", "-Y", "sign", "-n", "tabletop-companion-update", "-f", KEYS / "ours", BUNDLE)
    update("signed, but damaged before", 15, "no-version", "signed")
    install("--unsigned")
    bundle("unsigned")
    update("unsigned, install anyway allowed", 17, "unsigned", "first")
    asked("install anyway", "update-refused", "done", "unsigned")
    asked("back", "rollback", "done", "first")
    shutil.rmtree(STICK)
    update("Git, signed", 0, "done", "git-signed", repository("git-signed", "ours"))
    update("Git, unsigned", 17, "unsigned", "git-signed", repository("git-unsigned"))
    update("Git, signed with an old key", 19, "old-key", "git-signed", repository("git-old", "old"))
    update("Git, signed with another key", 18, "forged", "git-signed", repository("git-forged", "a-forger"))
    revoked = f"{key('old')}\n{key('ours')}\n"
    bundle("new-key", "ours", signers=f"tabletop-companion {key('new')}\n", revoked=revoked)
    update("signed, brings a new key and revokes its own", 0, "done", "new-key")
    bundle("late", "ours")
    update("signed with the key just revoked", 19, "old-key", "new-key")
    bundle("next", "new")
    update("signed with the new key", 0, "done", "next")
    tools = (
        run("ssh", "-V").stderr.partition(",")[0],
        must("git", "--version"),
        f"Python {sys.version.split()[0]}",
    )
    good = sum(good for *_, good in rows)
    print(f"## Debian {suite}: {', '.join(tools)}\n")
    print(f"{good} of {len(rows)} as they must.\n")
    print("| what | exit code, word for the touchscreen, what runs then, ran | |\n|---|---|---|")
    for what, came, wanted, well in rows:
        print(f"| {what} | {came} | {'as it must' if well else f'**must be {wanted}**'} |")
    print()
    return 0 if good == len(rows) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
