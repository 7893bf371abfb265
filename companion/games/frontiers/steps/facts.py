"""The page of a tile that joins an empire: all that is printed on it and nobody told us, asked at once."""

from __future__ import annotations

from msgspec import Struct

from companion.core.agenda import Do, Step, together
from companion.core.facts import ask_fact
from companion.games.frontiers.state import FrontiersState
from companion.games.frontiers.things import Tile


def tell_tile(state: FrontiersState, seat: int | None, tile: Tile) -> tuple[Step, ...]:
    """The question for everything untold about a tile; nothing if all of it is known."""
    fields = tile.untold()
    return (ask_fact("frontiers", tile, *fields, seat=seat),) if fields else ()


class ReadTiles(Do, Struct, frozen=True, tag="read-tiles"):
    """Tiles that came to an empire by a correction are read before the next action needs them."""

    def do(self, state: FrontiersState) -> FrontiersState:
        pages = {
            seat: tuple(page for tile in state.tiles(seat) for page in tell_tile(state, seat, tile))
            for seat in state.order()
        }
        unread = {seat: steps for seat, steps in pages.items() if steps}
        return state.push(together(unread)) if unread else state
