"""Whose phone is whose: seats are claimed, confirmed at the table, and kept for an evening."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import msgspec
from msgspec import Struct

from companion.core import files
from companion.core.words import Text, say
from companion.errors import DataTrouble

FILE = "phones.json"
CONFIRM = 20.0
"""Seconds within which a claim must be confirmed."""
NOTICED = 1.5
"""Seconds after which people have seen that a seat is claimed: a press before that is neither answer nor consent."""
DECLINED = 300.0
"""Seconds for which a device that was declined may not claim again."""
KEPT = 12 * 3600.0
"""Seconds for which a device that is away keeps its seat: an evening."""
MOST_DEVICES = 64


class PhoneClaim(Struct, frozen=True):
    """A device that claims a seat, since when, and until when that can be confirmed."""

    device: str
    seat: int
    name: str
    until: float
    since: float = 0.0


class KnownPhone(Struct):
    """Whose a device is, and when it was last here."""

    name: str
    at: float


class PhoneSeats:
    """The devices that have a seat, as kept in a file, and those that claim one. Times of claims are the clock's
    of a running program, times of seats the calendar's."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / FILE
        self._known = _read(self._path)
        self.claims: dict[str, PhoneClaim] = {}
        self.confirm_within = CONFIRM
        self._declined: dict[str, float] = {}

    def name(self, device: str) -> str | None:
        """Whose phone this is."""
        known = self._known.get(device)
        return None if known is None else known.name

    @property
    def names(self) -> frozenset[str]:
        """Who has a phone, here or asleep."""
        return frozenset(known.name for known in self._known.values())

    def came(self, device: str, at: float) -> None:
        """A device is here: its evening begins again."""
        if device in self._known:
            self._known[device].at = at

    def claim(self, device: str, seat: int, names: Sequence[str], now: float) -> Text | None:
        """A device claims a seat of these people; why not, if it is refused."""
        if seat >= len(names):
            return say("core.meanwhile")
        if self._declined.get(device, 0.0) > now:
            return say("phone.declined")
        other = next((claim for claim in self.claims.values() if claim.seat == seat), None)
        if other is not None and other.device != device:
            return say("phone.claimed-already")
        self.claims[device] = PhoneClaim(device, seat, names[seat], now + self.confirm_within, now)
        return None

    def decide(self, device: str, confirmed: bool, now: float, at: float) -> bool:
        """Somebody at the table confirms a claim, or declines it; whether it was still open."""
        claim = self.claims.pop(device, None)
        if claim is None or claim.until <= now:
            return False
        if confirmed:
            self._known[device] = KnownPhone(claim.name, at)
            _forget_old(self._known, at)
            self._write()
        else:
            self._declined[device] = now + DECLINED
        return True

    def lapsed(self, now: float) -> list[str]:
        """The devices whose claims nobody has confirmed in time; they are dropped."""
        late = [device for device, claim in self.claims.items() if claim.until <= now]
        for device in late:
            del self.claims[device]
        return late

    def give_back(self, device: str) -> None:
        """A device gives up its seat, and its claim."""
        self.claims.pop(device, None)
        if self._known.pop(device, None) is not None:
            self._write()

    def forget_all(self) -> None:
        """Nobody has a seat any more."""
        self._known.clear()
        self._write()

    def _write(self) -> None:
        """If the file cannot be written, people claim their seats again after a restart."""
        with suppress(OSError):
            if self._known:
                files.write(self._path, msgspec.json.encode(self._known))
            else:
                self._path.unlink(missing_ok=True)


def _read(path: Path) -> dict[str, KnownPhone]:
    """Which device is whose; none if that cannot be read."""
    try:
        return msgspec.json.decode(files.read(path, 100_000), type=dict[str, KnownPhone])
    except (OSError, DataTrouble, msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return {}


def _forget_old(known: dict[str, KnownPhone], at: float) -> None:
    """Forget devices of other evenings, and the oldest of too many."""
    for device in [device for device, phone in known.items() if not 0 <= at - phone.at < KEPT]:
        del known[device]
    while len(known) > MOST_DEVICES:
        del known[min(known, key=lambda device: known[device].at)]
