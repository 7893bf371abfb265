"""A table as eight bytes: two plays that agree have the same digest after every entry."""

from __future__ import annotations

from hashlib import blake2b

import msgspec
from msgspec.structs import replace

from companion.core.agenda import State


def digest(state: State) -> str:
    """Sixteen hex digits that identify this table, regardless of the agenda and the news.

    Fields with their default value are left out, so a game may add a field without changing old digests.
    """
    table = replace(state, agenda=(), news=())
    return blake2b(msgspec.json.encode(table, order="deterministic"), digest_size=8).hexdigest()
