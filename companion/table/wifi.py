"""Wi-Fi of a dedicated machine: what root's side reports, and how to request changes (see `requests.py`).

The companion has no network access itself. A password is written once, into a file that only root's side
reads and deletes.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

import msgspec
from msgspec import Struct

from companion.core import files
from companion.core.words import Text, say
from companion.errors import DataTrouble
from companion.table import requests

SHORTEST, LONGEST = 8, 63
"""The length of a password, according to the standard."""
BARS = 4
"""The number of bars for signal strength."""
ENDS = ("listed", "joined", "hosting", "unhosted")
FAILURES = ("wrong-password", "not-there", "unsuited", "no-wifi", "failed")


class Network(Struct, frozen=True):
    """A network in range."""

    name: str
    strength: int
    locked: bool
    here: bool = False

    @property
    def bars(self) -> int:
        """Its signal strength, from 1 to 4."""
        return min(BARS, max(1, 1 + self.strength * BARS // 100))


MOST_PHONES = 6
"""How many phones a Raspberry Pi's own network is certain to take."""


class OwnNetwork(Struct, frozen=True):
    """The network this machine makes for phones."""

    network: str
    password: str

    @property
    def code(self) -> str:
        """The text of a code that joins it; neither name nor password has a letter that must be escaped."""
        return f"WIFI:T:WPA;S:{self.network};P:{self.password};;"


class WifiNews(Struct, frozen=True):
    """The last report of root's side."""

    state: str
    at: int = 0
    network: str = ""
    networks: tuple[Network, ...] | None = None

    @property
    def good(self) -> bool:
        """Whether nothing went wrong."""
        return self.state in ENDS

    @property
    def text(self) -> Text:
        """In words."""
        known = self.state if self.state in ENDS + FAILURES else "failed"
        return say(f"wifi.{known}", network=self.network)


def news(environ: Mapping[str, str] = os.environ) -> WifiNews | None:
    """The last report, if there was one since the machine started."""
    try:
        told = files.read(Path(environ.get("COMPANION_STATUS", "/nowhere")) / "wifi.json", 100_000)
        return msgspec.json.decode(told, type=WifiNews)
    except (OSError, DataTrouble, msgspec.MsgspecError):
        return None


def listen(environ: Mapping[str, str] = os.environ) -> None:
    """Request a list of networks; raises `StorageTrouble` if that fails."""
    requests.ask("wifi-scan", environ=environ)


def join(network: str, password: str, environ: Mapping[str, str] = os.environ) -> None:
    """Request to join a network; raises `StorageTrouble` if that fails."""
    asked = msgspec.json.encode({"network": network, "password": password})
    requests.ask("wifi-join", asked, environ)


def host(environ: Mapping[str, str] = os.environ) -> None:
    """Request a network of our own, for at most `MOST_PHONES`; raises `StorageTrouble` if that fails."""
    requests.ask("wifi-host", environ=environ)


def unhost(environ: Mapping[str, str] = os.environ) -> None:
    """Request the end of our own network; raises `StorageTrouble` if that fails."""
    requests.ask("wifi-unhost", environ=environ)


def hosted(environ: Mapping[str, str] = os.environ) -> OwnNetwork | None:
    """Our own network, if it is there."""
    try:
        told = files.read(Path(environ.get("COMPANION_STATUS", "/nowhere")) / "hosted.json", 1000)
        return msgspec.json.decode(told, type=OwnNetwork)
    except (OSError, DataTrouble, msgspec.MsgspecError):
        return None


def possible(password: str) -> bool:
    """Whether this can be a Wi-Fi password: its length, and only printable ASCII."""
    return SHORTEST <= len(password) <= LONGEST and password.isascii() and password.isprintable()
