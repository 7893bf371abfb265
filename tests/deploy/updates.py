"""A Raspberry Pi made of files that has the updater; its versions are small trees that differ by a note."""

import os
import sqlite3
import subprocess
import sys
import tarfile
from contextlib import closing
from pathlib import Path

from tests.deploy.machines import FAKE, RASPBERRY

SET_UP = """set_up() {
    [ -z "$FAKE_KILL_BUILD" ] || kill -9 "$PPID"
    [ -z "$FAKE_SETUP" ] || return "$FAKE_SETUP"
    mkdir -p "$here/.venv/bin" "$here/.setup"
    command -v uv >>"$COMPANION_PREFIX/uvs" || echo fetched >>"$COMPANION_PREFIX/uvs"
    printf '#!/bin/sh\\n' >"$here/.setup/uv-9"
    chmod +x "$here/.setup/uv-9"
    printf '#!/bin/sh\\nexit 0\\n' >"$here/.venv/bin/python"
    chmod +x "$here/.venv/bin/python"
}
"""

FAKES = {
    # Whether the service comes up depends on what it would run.
    "systemctl": """*restart*)
    if [ -n "$FAKE_CHANGES" ] && grep -qs newer "$COMPANION_PREFIX/opt/tabletop-companion/current/note"; then
        "$FAKE_CHANGES" -c "import sqlite3
sqlite3.connect('$COMPANION_PREFIX/var/lib/tabletop-companion/journal.db').execute('PRAGMA user_version = 2')"; fi
    if [ -n "$FAKE_KILL_RESTART" ]; then kill -9 $PPID; fi
    ! grep -qs broken "$COMPANION_PREFIX/opt/tabletop-companion/current/note" ;;
*stop*)
    if [ -n "$FAKE_KILL_STOP" ]; then kill -9 $PPID; fi
    if [ -n "$FAKE_LAST_PLAY" ]; then "$FAKE_LAST_PLAY" -c "import sqlite3
with sqlite3.connect('$COMPANION_PREFIX/var/lib/tabletop-companion/journal.db') as db:
    db.execute('INSERT INTO play VALUES (99)')"; fi ;;
*is-active*) ! grep -qs falls "$COMPANION_PREFIX/opt/tabletop-companion/current/note" ;;""",
    "runuser": '*) exit "${FAKE_SELFTEST:-0}" ;;',
    "sync": "*) ;;",
    "git": "*) exit 128 ;;",
}


class UpdatedPi:
    """A machine with the updater."""

    def __init__(self, folder):
        self.folder, self.root = folder, folder / "root"
        self.base, self.data = (
            self.root / "opt/tabletop-companion",
            self.root / "var/lib/tabletop-companion",
        )
        self.data.mkdir(parents=True)
        (folder / "bin").mkdir()
        for name, answers in FAKES.items():
            path = folder / "bin" / name
            path.write_text(FAKE % answers)
            path.chmod(0o755)

    def version(self, note):
        """A copy of the project, told from others by its note."""
        tree = self.folder / "sources" / note
        for path, text in {
            "pyproject.toml": 'version = "0.2.0"\n',
            "uv.lock": "",
            "deploy/setup.sh": SET_UP,
            "companion/__main__.py": "",
            "note": note,
            ".git/config": "not to be copied",
        }.items():
            (tree / path).parent.mkdir(parents=True, exist_ok=True)
            (tree / path).write_text(text)
        return str(tree)

    def key(self, name):
        """A maintainer's key; its public line."""
        path = self.folder / f"key-{name}"
        if not path.exists():
            subprocess.run(
                ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", name, "-f", path], check=True
            )
        return path.with_name(path.name + ".pub").read_text().strip()

    def trust(self, *names, revoked=(), unsigned="1"):
        """Which keys this machine trusts, which no longer, and whether the touchscreen may do without."""
        etc = self.root / "etc/tabletop-companion"
        etc.mkdir(parents=True, exist_ok=True)
        (etc / "signers").write_text("".join(f"tabletop-companion {self.key(name)}\n" for name in names))
        (etc / "revoked").write_text("# those\n" + "".join(f"{self.key(name)}\n" for name in revoked))
        (etc / "options").write_text(f"rotate=0\nunsigned={unsigned}\n")

    def bundle(self, note, key=None, **files):
        """A version as a bundle on a stick, signed with a key if one is named."""
        tree = Path(self.version(note))
        for path, text in files.items():
            (tree / path).parent.mkdir(parents=True, exist_ok=True)
            (tree / path).write_text(text)
        stick = self.root / "media/companion/RED-sda1"
        stick.mkdir(parents=True, exist_ok=True)
        path = stick / "tabletop-companion-0.3.tar.gz"
        with tarfile.open(path, "w:gz") as bundle:
            bundle.add(tree, arcname="tabletop-companion-0.3")
        path.with_name(path.name + ".sig").unlink(missing_ok=True)
        if key is not None:
            self.sign(path, key)
        return path

    def sign(self, path, key, purpose="tabletop-companion-update"):
        """Sign a file, as deploy/sign does."""
        self.key(key)
        words = ["ssh-keygen", "-q", "-Y", "sign", "-n", purpose, "-f", self.folder / f"key-{key}", path]
        subprocess.run(words, check=True)

    def run(self, *words, python=(), **fakes):
        self.said = subprocess.run(
            [sys.executable, *python, str(RASPBERRY / "companion_update.py"), *words],
            env={
                "PATH": f"{self.folder / 'bin'}:{os.environ['PATH']}",
                "CALLS": str(self.folder / "calls"),
                "COMPANION_PREFIX": str(self.root),
                "COMPANION_UPDATE_STANDS": "0",
                **{f"FAKE_{name.upper()}": value for name, value in fakes.items()},
            },
            capture_output=True,
            text=True,
            check=False,
        )
        return self.said.returncode

    def note(self, link="current"):
        """Which version a link leads to."""
        path = self.base / link / "note"
        return path.read_text() if path.exists() else None

    def status(self):
        return (self.root / "run/tabletop-companion/status/update.json").read_text()

    def play(self, version, plays):
        """A journal of this version with so many plays."""
        with closing(sqlite3.connect(self.data / "journal.db")) as db:
            db.execute("PRAGMA journal_mode = WAL")
            db.execute("CREATE TABLE IF NOT EXISTS play (id INTEGER)")
            for n in range(plays):
                db.execute("INSERT INTO play VALUES (?)", (n,))
            db.execute(f"PRAGMA user_version = {version}")
            db.commit()

    def plays(self, name="journal.db"):
        with closing(sqlite3.connect(self.data / name)) as db:
            return db.execute("SELECT count(*) FROM play").fetchone()[0]

    def tidy(self):
        """Whether nothing half done lies about."""
        names = {path.name for path in (self.base / "versions").iterdir()}
        return not (self.base / "switching").exists() and not any(name.startswith(".") for name in names)
