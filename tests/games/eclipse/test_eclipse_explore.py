"""Explore (p. 9): where, which stack, how a hex may be turned, discs and discoveries."""

from __future__ import annotations

from msgspec.structs import replace

from companion.core.words import Text
from companion.games.eclipse.component_types import sectors
from companion.games.eclipse.geometry import ring_of
from companion.games.eclipse.state import EclipseState
from companion.games.eclipse.steps.claim import MayClaim, TakeDiscovery
from companion.games.eclipse.steps.explore import Explore, PlaceHex, meets, rotations, zones
from tests.games.eclipse.eclipse_tables import (
    TERRANS,
    answer,
    asked,
    at,
    options,
    question,
    seat,
    sector,
    table,
    told,
)

HOME = "0,-2"


def exploring(*species: str, left: int = 1) -> EclipseState:
    return at(table(*(species or TERRANS[:2])), Explore(0, left))


def test_only_places_beyond_the_wormholes_of_own_sectors_are_offered() -> None:
    state = exploring()
    # A home sector has wormholes at 0, 1, 3 and 4.
    assert set(options(state, "done")) == {"0,-3", "1,-3", "0,-1", "-1,-1"}
    assert {ring_of(place) for place in options(state, "done")} == {"outer", "middle", "inner"}


def test_with_the_generator_any_side_of_an_own_sector_can_be_explored() -> None:
    state = table(*TERRANS[:2])
    assert len(zones(state, 0)) == 4
    state = seat(state, 0, technologies=("tech-wormhole-generator",))
    assert len(zones(state, 0)) == 6


def test_the_hex_comes_from_the_stack_of_its_ring() -> None:
    state = answer(exploring(), "0,-1")
    assert set(options(state)) == {f"sector-10{n}" for n in range(1, 9)}
    assert question(state).options[0].component == "sector-101"
    assert asked(state).why_not(state, "sector-301").key == "eclipse.why.not-in-stack"
    assert asked(state).why_not(state, "tech-orbital").key == "eclipse.why.not-a-hex"


def test_a_hex_is_turned_so_that_wormholes_meet() -> None:
    # From the home sector's edge 0 the new hex is entered by its own side 3.
    state = table(*TERRANS[:2])
    hex = sectors()["sector-306"]
    assert rotations(state, 0, "0,-3", hex) == [0, 2]
    generator = seat(state, 0, technologies=("tech-wormhole-generator",))
    assert rotations(generator, 0, "0,-3", hex) == [0, 1, 2, 3, 4, 5]


def test_half_a_wormhole_is_enough_with_the_generator_but_none_is_not() -> None:
    # Side 2 of the home sector has no wormhole: the new hex must bring one (p. 9, E).
    state = seat(table(*TERRANS[:2]), 0, technologies=("tech-wormhole-generator",))
    assert rotations(state, 0, "1,-2", sectors()["sector-306"]) == [2, 4]


def test_the_option_names_the_sectors_its_wormholes_lead_to() -> None:
    state = answer(exploring(), "0,-3", "sector-306")
    assert options(state) == ["sector-306:r0", "sector-306:r2", "discard"]
    detail = question(state).options[0].detail
    assert detail is not None
    assert detail.key == "eclipse.meets"


def test_a_discarded_hex_ends_the_turn_even_of_planta() -> None:
    state = answer(exploring("planta", "terran-directorate", left=2), "0,-3", "sector-306", "discard")
    assert not state.agenda
    assert state.stacks["outer"].discards == ("sector-306",)
    assert state.stacks["outer"].left == 4


def test_planta_explores_twice() -> None:
    state = answer(
        exploring("planta", "terran-directorate", left=2), "0,-3", "sector-306", "sector-306:r0", "no"
    )
    assert isinstance(asked(state), Explore)
    assert "0,-3" not in options(state)


def test_draco_turns_up_two_and_places_one() -> None:
    state = answer(
        exploring("descendants-of-draco", "terran-directorate"), "0,-3", "sector-306", "sector-307"
    )
    assert isinstance(asked(state), PlaceHex)
    assert {id.split(":")[0] for id in options(state, "discard")} == {"sector-306", "sector-307"}
    state = answer(state, "sector-306:r0", "no")
    assert state.stacks["outer"].discards == ("sector-307",)


def test_draco_may_discard_both() -> None:
    state = answer(
        exploring("descendants-of-draco", "terran-directorate"), "0,-3", "sector-306", "sector-307"
    )
    assert answer(state, "discard").stacks["outer"].discards == ("sector-306", "sector-307")


def test_an_empty_stack_is_made_of_its_discards_and_no_hexes_mean_no_exploring() -> None:
    state = table(*TERRANS[:2])
    stack = replace(state.stacks["outer"], left=0, unseen=("sector-317",), discards=("sector-306",))
    state = at(replace(state, stacks={**state.stacks, "outer": stack}), Explore(0, 1))
    state = answer(state, "0,-3")
    assert options(state) == ["sector-306"]
    assert told(state, "eclipse.reshuffle")
    gone = replace(stack, discards=())
    state = replace(state, stacks={**state.stacks, "outer": gone})
    assert all(ring_of(place) != "outer" for place in zones(state, 0))


def test_a_pinned_ship_does_not_explore() -> None:
    ships = ((0, {"interceptor": 1}), (1, {"interceptor": 1}))
    state = sector(table(*TERRANS[:2]), "0,-3", "sector-312", 0, ships=ships)
    beyond = [place for place in zones(state, 0) if place == "0,-4"]
    assert beyond == []
    more = sector(table(*TERRANS[:2]), "0,-3", "sector-312", 0, ships=((0, {"interceptor": 2}), ships[1]))
    assert "0,-4" in zones(more, 0)


def test_ancients_come_with_a_discovery_below_and_no_disc() -> None:
    """The example of p. 17: two Ancients, nobody can take the sector yet."""
    state = answer(exploring(), "0,-3", "sector-301")
    state = answer(state, next(id for id in options(state) if id != "discard"))
    placed = state.map["0,-3"]
    assert (placed.ancients, placed.discovery, placed.owner) == (2, True, None)
    assert not state.agenda


def test_draco_takes_a_sector_with_ancients_but_not_what_they_guard() -> None:
    state = sector(
        table("descendants-of-draco", "terran-directorate"),
        "0,-3",
        "sector-305",
        0,
        ancients=1,
        discovery=True,
    )
    state = at(state, MayClaim(0, "0,-3"))
    state = answer(state, "yes")
    assert state.map["0,-3"].owner == 0
    assert state.map["0,-3"].discovery
    assert not state.agenda


def test_a_disc_takes_the_discovery() -> None:
    """The example of p. 16: the tile is looked at and kept for points."""
    state = sector(table(*TERRANS[:2]), "0,-3", "sector-313", 0, discovery=True)
    state = answer(at(state, MayClaim(0, "0,-3")), "yes")
    assert isinstance(asked(state), TakeDiscovery)
    state = answer(state, "keep")
    assert (state.seats[0].kept, state.map["0,-3"].discovery) == (1, False)


def found(tile: str, *then: str, **offered: int) -> EclipseState:
    state = sector(table(*TERRANS[:2]), "0,-3", "sector-313", 0, discovery=True)
    state = replace(state, offered={f"tech-{name.replace('_', '-')}": n for name, n in offered.items()})
    return answer(at(state, MayClaim(0, "0,-3")), "yes", tile, *then)


def test_discoveries_give_what_their_front_says() -> None:
    assert found("discovery-money-8").seats[0].stock.money == 10
    assert found("discovery-science-5").seats[0].stock.science == 8
    assert found("discovery-materials-6").seats[0].stock.materials == 9
    assert found("discovery-ancient-cruiser").map["0,-3"].fleets[0].ships == {"cruiser": 1}


def test_ancient_technology_is_the_cheapest_not_owned() -> None:
    state = found("discovery-ancient-technology", orbital=1, fusion_drive=1, starbase=2)
    assert "tech-fusion-drive" in state.seats[0].technologies
    assert state.offered == {"tech-orbital": 1, "tech-starbase": 2}
    assert state.seats[0].stock.science == 3


def test_among_equally_cheap_technologies_one_is_chosen() -> None:
    state = found("discovery-ancient-technology", nanorobots=1, gauss_shield=1, orbital=1)
    assert options(state) == ["tech-nanorobots", "tech-gauss-shield"]
    assert "tech-gauss-shield" in answer(state, "tech-gauss-shield").seats[0].technologies


def test_an_ancient_part_goes_onto_a_blueprint_or_aside() -> None:
    state = found("discovery-shard-hull")
    assert state.seats[0].spare == ("shard-hull",)
    aside = answer(state, "aside")
    assert aside.seats[0].spare == ("shard-hull",)
    fitted = answer(state, "interceptor:0")
    assert fitted.seats[0].spare == ()
    assert fitted.seats[0].upgrades["interceptor"] == ("shard-hull", "", "", "")


def test_each_discovery_is_there_only_as_often_as_in_the_box() -> None:
    state = sector(table(*TERRANS[:2]), "0,-3", "sector-313", 0, discovery=True)
    state = replace(state, used={"discovery-money-8": 3, "discovery-flux-shield": 1})
    state = answer(at(state, MayClaim(0, "0,-3")), "yes")
    assert "discovery-money-8" not in options(state)
    assert "discovery-flux-shield" not in options(state)
    assert asked(state).why_not(state, "discovery-money-8").key == "eclipse.why.not-this-discovery"


def test_each_way_to_turn_a_hex_is_offered_once() -> None:
    """Two own sectors beside it may allow the same turn."""
    state = sector(table(*TERRANS[:2]), "1,-3", "sector-304", 1, owner=0)
    state = seat(state, 0, technologies=("tech-wormhole-generator",))
    ways = rotations(state, 0, "0,-3", sectors()["sector-306"])
    assert sorted(set(ways)) == ways


def test_a_discovery_that_is_gone_is_not_asked_about() -> None:
    """A correction took the tile from the sector, or the sector from the map."""
    state = sector(table(*TERRANS[:2]), "0,-3", "sector-306", 0, owner=0, discovery=True)
    state = at(state, TakeDiscovery(0, "0,-3"))
    assert isinstance(asked(state), TakeDiscovery)
    gone = state.with_sector("0,-3", replace(state.map["0,-3"], discovery=False))
    assert asked(state).is_obsolete(gone)
    assert asked(state).is_obsolete(replace(state, map={}))


def test_a_hex_meets_all_sectors_around_it() -> None:
    """Also where a place before it, going round, is empty."""
    state = table(*TERRANS[:2])
    for rotation in rotations(state, 0, "0,-3", sectors()["sector-306"]):
        assert state.where(HOME) in inside_args(meets(state, 0, "0,-3", sectors()["sector-306"], rotation))


def inside_args(text: Text) -> tuple[object, ...]:
    """The sectors a sentence names."""
    return tuple(one for value in text.args.values() if isinstance(value, tuple) for one in value)
