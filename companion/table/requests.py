"""What the companion may not do itself on a machine of its own: it asks by leaving a file, and root's side acts on it.

`COMPANION_REQUESTS` names the folder for such files, `COMPANION_STATUS` the one where root tells how far it is. Without
them this is a machine somebody else looks after.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Literal

import msgspec
from msgspec import Struct

from companion.core import files
from companion.core.words import Text, say
from companion.errors import DataTrouble, StorageTrouble

Deed = Literal[
    "power-off",
    "update",
    "update-refused",
    "rollback",
    "turn-90",
    "turn-180",
    "turn-270",
    "wifi-scan",
    "wifi-join",
]

STATES = ("fetching", "building", "trying", "switching")
"""An update is on."""
ENDS = ("done", "newest")
FAILURES = (
    *("failed", "went-back", "no-network", "full", "no-source", "no-version", "does-not-work", "no-previous"),
    *("busy", "unsigned", "forged", "old-key"),
)


class UpdateNews(Struct, frozen=True):
    """How far an update is, or how it ended."""

    state: str
    version: str = ""
    anyway: bool = False
    """Whether this machine lets people insist on a version that is not signed."""
    at: int = 0
    """When this was told: the same news twice are two."""

    @property
    def busy(self) -> bool:
        """Whether it is still on."""
        return self.state in STATES

    @property
    def good(self) -> bool:
        """Whether nothing went wrong."""
        return self.state in STATES + ENDS

    @property
    def text(self) -> Text:
        """In words."""
        known = self.state if self.state in STATES + ENDS + FAILURES else "failed"
        return say(f"update.{known}", version=self.version)


def may_ask(environ: Mapping[str, str] = os.environ) -> bool:
    """Whether somebody acts on requests here."""
    return Path(environ.get("COMPANION_REQUESTS", "/nowhere")).is_dir()


def ask(deed: Deed, more: bytes = b"", environ: Mapping[str, str] = os.environ) -> None:
    """Ask for it, with what root's side must know; raises `StorageTrouble` if that cannot be."""
    folder = Path(environ.get("COMPANION_REQUESTS", "/nowhere"))
    try:
        files.write(folder / deed, more)
    except OSError as e:
        raise StorageTrouble(say("update.cannot-ask", why=files.why(e))) from e


def progress(environ: Mapping[str, str] = os.environ) -> UpdateNews | None:
    """How far the last update is, if there was one since the machine started."""
    try:
        told = files.read(Path(environ.get("COMPANION_STATUS", "/nowhere")) / "update.json", 10_000)
        return msgspec.json.decode(told, type=UpdateNews)
    except (OSError, DataTrouble, msgspec.DecodeError):
        return None
