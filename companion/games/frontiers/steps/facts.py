"""The form for a tile that joins an empire: all its unknown facts, asked at once."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from companion.core.agenda import Do, Step, together
from companion.core.facts import AskFact, AskFacts, ask_fact, ask_facts
from companion.core.words import Text
from companion.games.frontiers.component_types import Tile
from companion.games.frontiers.state import FrontiersState


def tell_tile(state: FrontiersState, seat: int | None, tile: Tile) -> tuple[Step, ...]:
    """The question for every unknown fact of a tile that is needed; empty if there is none."""
    fields = tile.untold()
    return (ask_fact("frontiers", tile, *fields, seat=seat),) if fields else ()


def tell_tiles(
    state: FrontiersState, tiles: Sequence[Tile], text: Text, later: Text | None = None
) -> AskFact | AskFacts:
    """The page for every unknown fact of several tiles of which some are unknown."""
    beside = [(tile, tile.untold()) for tile in tiles if tile.untold()]
    return ask_facts("frontiers", beside, text, ask_fact("frontiers", beside[0][0], *beside[0][1]), later)


class ReadTiles(Do, Struct, frozen=True, tag="read-tiles"):
    """Ask for the facts of tiles that a correction added to an empire, before the next action needs them."""

    def do(self, state: FrontiersState) -> FrontiersState:
        pages = {
            seat: tuple(page for tile in state.tiles(seat) for page in tell_tile(state, seat, tile))
            for seat in state.order()
        }
        unread = {seat: steps for seat, steps in pages.items() if steps}
        return state.push(together(unread)) if unread else state
