"""The page of a tile that joins an empire: all that is printed on it and nobody told us, asked at once."""

from __future__ import annotations

from companion.core.agenda import Step
from companion.core.facts import ask_fact
from companion.games.frontiers.state import FrontiersState
from companion.games.frontiers.things import Tile


def tell_tile(state: FrontiersState, seat: int | None, tile: Tile) -> tuple[Step, ...]:
    """The question for everything untold about a tile; nothing if all of it is known."""
    fields = tile.untold()
    return (ask_fact("frontiers", tile, *fields, seat=seat),) if fields else ()
