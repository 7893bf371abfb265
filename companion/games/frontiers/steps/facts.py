"""The form for a tile that joins an empire: all its unknown facts, asked at once."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from companion.core.agenda import Do, Step, together
from companion.core.facts import AskFact, AskFacts, ask_fact, ask_facts
from companion.core.words import Text, say
from companion.games.frontiers.component_types import Tile
from companion.games.frontiers.state import FrontiersState


def tell_tile(state: FrontiersState, seat: int | None, tile: Tile) -> tuple[Step, ...]:
    """The question for every unknown fact of a tile that is needed; empty if there is none."""
    fields = tile.untold()
    return (ask_fact("frontiers", tile, *fields, seat=seat),) if fields else ()


def tell_tiles(
    state: FrontiersState, tiles: Mapping[str, int], text: Text, later: Text | None = None
) -> AskFact | AskFacts:
    """The page for every unknown fact of tiles, some of which have any; each with the seat it belongs to."""
    beside = [(tile, tile.untold()) for tile in map(state.tile, tiles) if tile.untold()]
    titles = {
        id: say("frontiers.tile-of", tile=state.name(id), seat=state.seats[seat].name)
        for id, seat in tiles.items()
    }
    now = ask_fact("frontiers", beside[0][0], *beside[0][1])
    return ask_facts("frontiers", beside, text, now, later, titles)


class ReadTiles(Do, Struct, frozen=True, tag="read-tiles"):
    """Ask for the facts of tiles that a correction added to an empire, before the next action needs them."""

    def do(self, state: FrontiersState) -> FrontiersState:
        pages = {
            seat: tuple(page for tile in state.tiles(seat) for page in tell_tile(state, seat, tile))
            for seat in state.order()
        }
        unread = {seat: steps for seat, steps in pages.items() if steps}
        return state.push(together(unread)) if unread else state
