"""The example of an action phase on pp. 16-17, played from the first action to the beginning of the battle.

The rulebook shows other hexes than it names squares for, and gives Krzysztof a second plasma cannon though only his
missiles and his computer need a technology: he takes the ion cannon his cruiser fights with on p. 22.
"""

from __future__ import annotations

from msgspec.structs import replace

from companion.games.eclipse.combat import pair
from companion.games.eclipse.component_types import Stock
from companion.games.eclipse.species import design
from companion.games.eclipse.state import EclipseState
from companion.games.eclipse.steps.round import Turn
from tests.games.eclipse.eclipse_tables import answer, asked, at, free, options, seat, sector, table, told

PAWEL, PIOTR, KRZYSZTOF, MARCIN = range(4)
CONTESTED, BORDER = "-3,2", "-3,1"
MISSILES = ("plasma-missile", "", "", "fusion-drive")


def galaxy() -> EclipseState:
    """Some rounds were played: a sector more for each, ships where Krzysztof and Marcin, who are partners, meet."""
    state = table("terran-directorate", "planta", "mechanema", "hydran-progress", round=4)
    state = sector(state, "3,-2", "sector-315", owner=PAWEL)
    state = sector(state, "5,-1", "sector-316", owner=PIOTR)
    state = sector(state, "6,-1", "sector-207", owner=PIOTR)
    state = sector(state, "4,0", "sector-306", 2)
    # A wormhole towards Krzysztof's home, none towards Marcin.
    ships = ((KRZYSZTOF, {"interceptor": 3}),)
    state = sector(state, CONTESTED, "sector-317", 4, owner=KRZYSZTOF, cubes=1, ships=ships)
    state = sector(state, BORDER, "sector-312", owner=MARCIN, ships=((MARCIN, {"interceptor": 3}),))
    for who, ship in ((KRZYSZTOF, {"cruiser": 1}), (MARCIN, {"cruiser": 1})):
        home = next(p for p in state.controlled(who) if p not in (CONTESTED, BORDER))
        fleets = tuple(replace(fleet, ships=ship) for fleet in state.map[home].fleets)
        state = state.with_sector(home, replace(state.map[home], fleets=fleets))
    state = _boards(state)
    return replace(
        state,
        offered={"tech-fusion-drive": 1, "tech-wormhole-generator": 1},
        first=PAWEL,
    )


def _boards(state: EclipseState) -> EclipseState:
    def known(who: int, *more: str) -> tuple[str, ...]:
        return (*state.seats[who].technologies, *more)

    def given(who: int, cubes: int) -> Stock:
        return state.seats[who].tracks.add("money", -cubes)

    printed = {who: state.seats[who].upgrades for who in range(4)}
    state = seat(
        state,
        PAWEL,
        stock=Stock(5, 0, 10),
        technologies=known(PAWEL, "tech-orbital"),
        reputation=4,
        partners=(MARCIN,),
        tracks=given(PAWEL, 1),
    )
    state = seat(state, PIOTR, technologies=known(PIOTR, "tech-advanced-mining"))
    state = seat(
        state,
        KRZYSZTOF,
        technologies=known(KRZYSZTOF, "tech-plasma-missile", "tech-fusion-source"),
        upgrades={
            **printed[KRZYSZTOF],
            "interceptor": ("electron-computer", "", "", ""),
            "cruiser": ("", "", "", "fusion-source", "", ""),
        },
        partners=(MARCIN,),
        tracks=given(KRZYSZTOF, 1),
    )
    return seat(
        state,
        MARCIN,
        stock=Stock(5, 13, 0),
        technologies=known(MARCIN, "tech-nanorobots", "tech-orbital", "tech-monolith"),
        upgrades={
            **printed[MARCIN],
            "interceptor": MISSILES,
            "cruiser": (
                "improved-hull",
                "plasma-missile",
                "plasma-cannon",
                "fusion-source",
                "gauss-shield",
                "fusion-drive",
            ),
        },
        partners=(PAWEL, KRZYSZTOF),
        tracks=given(MARCIN, 2),
    )


def finished(state: EclipseState) -> EclipseState:
    """Nothing else in this turn."""
    return answer(state, "end") if asked(state).slug == "eclipse.finish" else state


def first_actions(state: EclipseState) -> EclipseState:
    """Everybody's first action: [1] to [11]."""
    state = at(state, Turn(PAWEL))
    # Paweł builds a cruiser and an orbital for ten materials [1, 2].
    state = answer(state, "build", "cruiser", "2,-2", "orbital", "2,-2")
    assert state.seats[PAWEL].stock.materials == 0
    assert state.map["2,-2"].orbital
    assert state.seats[PAWEL].acted == {"build": 1}
    state = finished(state)
    # Piotr explores, takes the sector and its discovery for points, and settles it [3, 4].
    state = answer(state, "explore", "1,1", "sector-206")
    state = answer(state, options(state, "discard")[0], "yes", "keep")
    assert state.seats[PIOTR].kept == 1
    state = answer(state, "colony:1,1:0:materials")
    assert state.colony_ships(PIOTR) == 3
    # As Planta he explores once more; that hex he discards [5].
    state = answer(state, "3,0", "sector-304", "discard")
    assert state.stacks["outer"].discards == ("sector-304",)
    state = finished(state)
    # Krzysztof puts a computer back and takes three parts [6-9].
    assert asked(state).seat == KRZYSZTOF
    state = answer(state, "upgrade", "off:interceptor:0", "plasma-missile", "interceptor:0")
    assert "plasma-cannon" not in options(state)
    state = answer(state, "positron-computer", "cruiser:4", "ion-cannon", "cruiser:1")
    assert design(state, KRZYSZTOF, "interceptor").missiles == ("orange", "orange")
    assert (design(state, KRZYSZTOF, "cruiser").computer, design(state, KRZYSZTOF, "cruiser").initiative) == (
        2,
        3,
    )
    assert design(state, KRZYSZTOF, "cruiser").cannons == ("yellow", "yellow")
    state = finished(state)
    # Marcin researches twice: 3, the least, and with six off 16 - 6 = 10 [10, 11].
    assert asked(state).seat == MARCIN
    state = answer(state, "research", "tech-fusion-drive", "tech-wormhole-generator")
    assert state.seats[MARCIN].stock.science == 0
    return finished(state)


def second_actions(state: EclipseState) -> EclipseState:
    """Everybody's second one: [12] to [19]."""
    # Paweł finds two Ancients: no disc yet [12].
    assert asked(state).seat == PAWEL
    state = answer(state, "explore", "3,-3", "sector-301")
    state = finished(answer(state, options(state, "discard")[0]))
    assert (state.map["3,-3"].ancients, state.map["3,-3"].discovery) == (2, True)
    assert state.map["3,-3"].owner is None
    # Piotr puts down two hexes and settles the first, an advanced square too [13-15].
    state = answer(state, "explore", "3,-1", "sector-308", "sector-308:r1", "yes")
    state = answer(state, "colony:3,-1:0:science", "colony:3,-1:1:materials")
    assert state.colony_ships(PIOTR) == 1
    # He has met Paweł, who gives back a reputation tile for the ambassador [16, 17].
    assert free(state, "ally:") == ["ally:0"]
    state = answer(state, "ally:0", "yes", "money", "science")
    assert state.seats[PIOTR].partners == (PAWEL,)
    assert state.seats[PAWEL].partners == (MARCIN, PIOTR)
    assert state.seats[PAWEL].reputation == 3
    state = answer(state, "3,0", "sector-310", "sector-310:r2", "yes", "colony:3,0:0:science")
    assert state.map["3,0"].population == 1
    state = finished(state)
    # Krzysztof passes first and will begin the next round [18].
    assert asked(state).seat == KRZYSZTOF
    state = answer(state, "pass")
    assert state.passed_first == KRZYSZTOF
    # Marcin attacks his partner through half a wormhole and becomes the traitor [19].
    state = answer(state, "move", f"interceptor:{BORDER}", f"{BORDER}>{CONTESTED}", "science", "money")
    assert state.traitor == MARCIN
    assert state.seats[KRZYSZTOF].partners == ()
    assert state.seats[MARCIN].partners == (PAWEL,)
    state = answer(state, f"interceptor:{BORDER}", f"{BORDER}>{CONTESTED}")
    assert free(state, "ally:") == []
    return finished(state)


def last_actions(state: EclipseState) -> EclipseState:
    """[20] to [25], until all have passed."""
    assert asked(state).seat == PAWEL
    state = answer(state, "pass")
    # Piotr moves a disc of an empty sector, takes another one back, and turns two colony ships [20-22].
    state = answer(state, "influence", "5,-1", "4,0", "6,-1", "track")
    assert (state.map["4,0"].owner, state.map["5,-1"].owner, state.map["6,-1"].owner) == (PIOTR, None, None)
    assert state.colony_ships(PIOTR) == 2
    state = answer(state, "colony:4,0:0:money", "colony:4,0:1:materials", "end")
    assert state.colony_ships(PIOTR) == 0
    # Krzysztof has passed: one ship, one move [23, 24].
    assert asked(state).seat == KRZYSZTOF
    assert "explore" not in options(state)
    state = answer(state, "move", "cruiser:-2,2", f"-2,2>{CONTESTED}")
    assert state.seats[KRZYSZTOF].acted == {"upgrade": 1, "react-move": 1}
    # Marcin brings one more interceptor, and a cruiser over two sectors [25].
    state = answer(finished(state), "move", f"interceptor:{BORDER}", f"{BORDER}>{CONTESTED}")
    state = finished(answer(state, "cruiser:-2,0", f"-2,0>{BORDER}>{CONTESTED}"))
    for who in (PAWEL, PIOTR, KRZYSZTOF, MARCIN):
        assert (asked(state).seat, state.phase) == (who, "action")
        state = answer(state, "pass")
    return state


def test_the_action_phase_of_pages_16_and_17() -> None:
    state = last_actions(second_actions(first_actions(galaxy())))
    # All have passed: the action phase ends at once, and there is one battle.
    assert state.phase == "combat"
    assert asked(state).slug == "eclipse.battle"
    assert pair(state, CONTESTED) == (MARCIN, KRZYSZTOF)
    fleets = {fleet.seat: fleet.ships for fleet in state.map[CONTESTED].fleets}
    assert fleets == {seat: {"interceptor": 3, "cruiser": 1} for seat in (KRZYSZTOF, MARCIN)}
    order = told(answer(state, "fight"), "eclipse.battle.order")[0].args["ships"]
    assert [ship.args["n"] for ship in order] == [4, 3, 3, 3]  # type: ignore[union-attr]
