#!/usr/bin/python3 -I
"""companion-verify: whether a file is signed with a key this machine trusts.

    companion-verify FILE         by the signature in FILE.sig, as `deploy/sign` makes it
    companion-verify --git FILE   FILE is a commit as `git cat-file commit` prints it, signature included

`ssh-keygen` does the work. `/etc/tabletop-companion/signers` has the keys that are trusted, `revoked` those that are no
longer; both come from `deploy/raspberrypi/keys`. Nothing in FILE is run or unpacked here.

Exit codes: 0 signed, 2 not understood, 15 cannot be checked, 17 not signed, 18 forged: changed after it was signed, or
signed with a key unknown here, 19 signed with a key that is no longer trusted.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

PREFIX = Path(os.environ.get("COMPANION_PREFIX", "/"))
"""Everything is below this folder: the whole machine, or a test's."""
SIGNERS, REVOKED = (PREFIX / "etc/tabletop-companion" / name for name in ("signers", "revoked"))
WHO = "tabletop-companion"
"""Every key in `signers` is this one's: the project has maintainers, not one maintainer."""
PURPOSES = {"bundle": "tabletop-companion-update", "git": "git"}
"""A signature holds for one purpose: nobody's signed mail is a version of ours."""
OTHER, UNSIGNED, FORGED, OLD_KEY = 15, 17, 18, 19
LONGEST = 20_000
"""Bytes of a signature; real ones have some hundred."""


class Trouble(Exception):
    """Why a file is not trusted: a sentence and an exit code."""

    def __init__(self, sentence: str, code: int) -> None:
        super().__init__(sentence)
        self.code = code


def ssh_keygen(deed: str, purpose: str, signature: Path, *more: str, data: Path) -> str | None:
    """What ssh-keygen says of a signature, or None if it does not hold."""
    command = ["ssh-keygen", "-Y", deed, "-n", PURPOSES[purpose], "-s", str(signature), *more]
    try:
        with data.open("rb") as file:
            done = subprocess.run(
                command,
                stdin=file,
                capture_output=True,
                text=True,
                errors="replace",
                env={**os.environ, "LC_ALL": "C"},
                check=False,
            )
    except FileNotFoundError:
        raise Trouble("ssh-keygen is missing here: sudo apt-get install openssh-client", OTHER) from None
    return done.stdout if done.returncode == 0 else None


def fingerprints(path: Path) -> set[str]:
    """The fingerprints of the public keys in a file, as ssh-keygen prints them."""
    lines = path.read_text(errors="replace").splitlines() if path.exists() else []
    found = set()
    for line in lines:
        if line.strip() and not line.startswith("#"):
            try:
                key = base64.b64decode(line.split()[1], validate=True)
            except (IndexError, binascii.Error) as e:
                # A key that cannot be read must not go on being trusted.
                raise Trouble(f"{path} has a line that is no key.", OTHER) from e
            found.add("SHA256:" + base64.b64encode(hashlib.sha256(key).digest()).decode().rstrip("="))
    return found


def check(data: Path, signature: Path, purpose: str) -> str:
    """Whose key signed this; raises `Trouble` unless it is one that is trusted."""
    said = ssh_keygen("check-novalidate", purpose, signature, data=data)
    key = re.search(r"SHA256:[A-Za-z0-9+/]+", said or "")
    if key is None:
        raise Trouble("Its signature does not fit: it was changed after it was signed, or is forged.", FORGED)
    if key[0] in fingerprints(REVOKED):
        raise Trouble(f"It is signed with an old key that is no longer trusted ({key[0]}).", OLD_KEY)
    trusted = SIGNERS.is_file() and ssh_keygen(
        "verify", purpose, signature, "-f", str(SIGNERS), "-I", WHO, data=data
    )
    if not trusted:
        raise Trouble(f"It is signed with a key that this machine does not know ({key[0]}).", FORGED)
    return key[0]


def commit_parts(commit: bytes) -> tuple[bytes, bytes]:
    """What was signed of a commit, and the signature; that is empty if there is none."""
    end = commit.index(b"\n\n") + 1 if b"\n\n" in commit else len(commit)
    found = re.search(rb"^gpgsig (.*\n(?: .*\n)*)", commit[:end], re.M)
    if found is None:
        return commit, b""
    return commit[: found.start()] + commit[found.end() :], found[1].replace(b"\n ", b"\n")


def verify(path: Path, git: bool) -> str:
    """Whose key signed a file or a commit."""
    if not git:
        signature = path.with_name(path.name + ".sig")
        if not signature.is_file():
            raise Trouble("It is not signed.", UNSIGNED)
        if signature.stat().st_size > LONGEST:
            raise Trouble("Its signature is far too long to be one.", FORGED)
        return check(path, signature, "bundle")
    signed, sealed = commit_parts(path.read_bytes())
    if not sealed:
        raise Trouble("It is not signed.", UNSIGNED)
    with tempfile.TemporaryDirectory() as folder:
        data, signature = Path(folder) / "commit", Path(folder) / "commit.sig"
        data.write_bytes(signed)
        signature.write_bytes(sealed)
        return check(data, signature, "git")


def main(words: list[str]) -> int:
    """Check one file; a sentence and an exit code."""
    git = words[:1] == ["--git"]
    names = words[1:] if git else words
    if len(names) != 1 or names[0].startswith("-"):
        print((__doc__ or "").strip())
        return 0 if words == ["--help"] else 2
    try:
        print(f"Signed with the key {verify(Path(names[0]), git)}.", flush=True)
    except Trouble as trouble:
        print(trouble, flush=True)
        return trouble.code
    except OSError as e:
        print(f"It cannot be checked: {e}.", flush=True)
        return OTHER
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
