"""How much one phone, one address, and all together may ask for."""

from __future__ import annotations

from collections import Counter, OrderedDict, deque

MOST_STREAMS = 32
MOST_STREAMS_EACH = 4
"""Streams of one address."""
ANSWERS_A_MINUTE = 20
CLAIMS_A_MINUTE = 6
LOOKS_A_MINUTE = 120
"""What changes nothing in a play: leafing through options, entering a finished table, looking at a play again."""
DEVICES_EACH = 4
"""An address may do as much as so many devices: new tokens help nobody."""
UNLIMITED = 1_000_000
MOST_KNOWN = 1000
"""How many devices or addresses are counted at once."""


class Streams:
    """The open streams of all addresses; `each` address may have so many, and all together `most`."""

    def __init__(self, each: int = MOST_STREAMS_EACH, most: int = MOST_STREAMS) -> None:
        self._each, self._most = each, most
        self._open: Counter[str] = Counter()

    def admits(self, address: str) -> bool:
        """Whether this address may open one more; if so, it is counted."""
        if self._open.total() >= self._most or self._open[address] >= self._each:
            return False
        self._open[address] += 1
        return True

    def ended(self, address: str) -> None:
        """A stream of this address has ended."""
        self._open[address] -= 1
        if self._open[address] <= 0:
            del self._open[address]


class Rate:
    """At most so many deeds a minute each; who is counted longest ago is forgotten first."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._deeds: OrderedDict[str, deque[float]] = OrderedDict()

    def allows(self, who: str, at: float) -> bool:
        """Whether one more is allowed now; if so, it is counted."""
        deeds = self._deeds.setdefault(who, deque())
        self._deeds.move_to_end(who)
        while len(self._deeds) > MOST_KNOWN:
            self._deeds.popitem(last=False)
        while deeds and deeds[0] <= at - 60:
            deeds.popleft()
        if len(deeds) >= self._most:
            return False
        deeds.append(at)
        return True
