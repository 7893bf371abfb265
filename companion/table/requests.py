"""Requests for what the companion may not do itself on a dedicated machine: it leaves a file, and a root
service acts.

`COMPANION_REQUESTS` names the folder for such files, `COMPANION_STATUS` the one where root reports progress.
Without them this machine is not managed by us.
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

SystemRequest = Literal[
    "power-off",
    "update",
    "update-refused",
    "rollback",
    "turn-90",
    "turn-180",
    "turn-270",
    "wifi-scan",
    "wifi-join",
    "wifi-host",
    "wifi-unhost",
    "phones-on",
    "phones-off",
    "hall-on",
    "hall-off",
]

STATES = ("fetching", "building", "trying", "switching")
"""States in which an update is in progress."""
ENDS = ("done", "newest")
FAILURES = (
    *("failed", "went-back", "no-network", "full", "no-source", "no-version", "does-not-work", "no-previous"),
    *("busy", "unsigned", "forged", "old-key"),
)


class UpdateNews(Struct, frozen=True):
    """The progress of an update, or how it ended."""

    state: str
    version: str = ""
    anyway: bool = False
    """Whether this machine lets people insist on an unsigned version."""
    at: int = 0
    """When this was reported, so that equal news can be told apart."""

    @property
    def busy(self) -> bool:
        """Whether it is still in progress."""
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
    """Whether requests are acted on here."""
    return Path(environ.get("COMPANION_REQUESTS", "/nowhere")).is_dir()


def ask(deed: SystemRequest, more: bytes = b"", environ: Mapping[str, str] = os.environ) -> None:
    """Make a request, with the data root's side needs; raises `StorageTrouble` if that fails."""
    folder = Path(environ.get("COMPANION_REQUESTS", "/nowhere"))
    try:
        files.write(folder / deed, more)
    except OSError as e:
        raise StorageTrouble(say("update.cannot-ask", why=files.why(e))) from e


def progress(environ: Mapping[str, str] = os.environ) -> UpdateNews | None:
    """The progress of the last update, if there was one since the machine started."""
    try:
        told = files.read(Path(environ.get("COMPANION_STATUS", "/nowhere")) / "update.json", 10_000)
        return msgspec.json.decode(told, type=UpdateNews)
    except (OSError, DataTrouble, msgspec.DecodeError):
        return None
