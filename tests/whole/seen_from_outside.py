"""A program seen from outside: its open sockets, and who may read its files."""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from pathlib import Path

KINDS = ("tcp", "tcp6", "udp", "udp6", "raw", "raw6", "udplite", "udplite6")


def network_sockets(pid: int) -> set[str]:
    """Every socket of the process and its children that reaches beyond this machine's own files: kind and address."""
    known: dict[str, str] = {}
    for kind in KINDS:
        with suppress(OSError):
            for line in Path(f"/proc/{pid}/net/{kind}").read_text().splitlines()[1:]:
                fields = line.split()
                known[fields[9]] = f"{kind} {fields[1]} {fields[3]}"
    found = set()
    for process in family(pid):
        with suppress(OSError):
            for descriptor in Path(f"/proc/{process}/fd").iterdir():
                with suppress(OSError):
                    target = os.readlink(descriptor)
                    if target.startswith("socket:["):
                        found.add(known.get(target[8:-1], ""))
    return found - {""}


def family(pid: int) -> list[int]:
    """A process and all that it has started."""
    found, rest = [], [pid]
    while rest:
        found.append(rest.pop())
        with suppress(OSError):
            for task in Path(f"/proc/{found[-1]}/task").iterdir():
                rest += [int(child) for child in (task / "children").read_text().split()]
    return found


def others_may(folder: Path) -> list[str]:
    """Everything in a folder that anybody but its owner may read, write or enter."""
    files = [file for file in (folder, *folder.rglob("*")) if not file.is_symlink()]
    return [str(file) for file in files if stat.S_IMODE(file.stat().st_mode) & 0o077]
