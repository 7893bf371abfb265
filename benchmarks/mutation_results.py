"""Stored results of a mutation campaign, and which of them are still valid."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent


def digest(file: str) -> str:
    """What a file holds, in short: results of another version of it count no more."""
    return hashlib.sha256((ROOT / file).read_bytes()).hexdigest()[:16]


def known(results: Path) -> list[dict[str, Any]]:
    """The results that still hold; of a mutant judged twice the later one."""
    found: dict[tuple[str, str, str, int], dict[str, Any]] = {}
    for line in results.read_text("utf-8").splitlines() if results.exists() else ():
        one = json.loads(line)
        if (ROOT / one["file"]).exists() and one["digest"] == digest(one["file"]):
            found[one["game"], one["file"], one["operator"], one["occurrence"]] = one
    return list(found.values())
