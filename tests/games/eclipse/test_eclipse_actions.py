"""Influence (p. 10), Research (p. 12), Upgrade and Build (p. 13), with the worked examples of the rulebook."""

from __future__ import annotations

from msgspec.structs import replace

from companion.core.words import say
from companion.games.eclipse.component_types import SHIPS, Stock, parts, species, technologies
from companion.games.eclipse.species import design
from companion.games.eclipse.state import EclipseState
from companion.games.eclipse.steps.build import Build
from companion.games.eclipse.steps.influence import Influence, TurnColonyShips, goals
from companion.games.eclipse.steps.move import Move
from companion.games.eclipse.steps.research import Research, price
from companion.games.eclipse.steps.upgrade import (
    ChooseSlot,
    PlaceAncientPart,
    Upgrade,
    put_part,
    refusals,
    slots_for,
    tiles,
)
from tests.games.eclipse.eclipse_tables import (
    TERRANS,
    answer,
    asked,
    at,
    free,
    options,
    question,
    rich,
    seat,
    sector,
    table,
    told,
)

HOME, NEXT = "0,-2", "0,-3"
NEEDS = ("eclipse.refused.no-energy", "eclipse.refused.no-drive-left")


def terrans() -> EclipseState:
    return table(*TERRANS[:2])


# Influence


def test_influence_reaches_through_whole_wormholes_only() -> None:
    state = sector(terrans(), NEXT, "sector-312")  # wormholes 0, 1, 3: joined to the home sector
    state = sector(state, "1,-3", "sector-304", 1)  # wormholes 1 and 4: joined
    state = sector(state, "-1,-2", "sector-304", 1)  # the home sector's side 5 has none
    assert goals(state, 0, "track") == [NEXT, "1,-3"]
    generator = seat(state, 0, technologies=("tech-wormhole-generator",))
    assert goals(generator, 0, "track") == [NEXT, "1,-3"]
    turned = sector(generator, "-1,-2", "sector-304", 2)  # a wormhole towards the home sector: half is enough
    assert "-1,-2" in goals(turned, 0, "track")


def test_a_ship_next_to_a_sector_is_enough_and_enemies_keep_discs_away() -> None:
    state = sector(terrans(), NEXT, "sector-312", ships=((0, {"interceptor": 1}),))
    state = sector(state, "0,-4", "sector-304")
    assert goals(state, 0, "track") == [NEXT, "0,-4"]
    enemy = sector(state, "0,-4", "sector-304", ships=((1, {"starbase": 1}),))
    assert goals(enemy, 0, "track") == [NEXT]
    ancient = sector(state, "0,-4", "sector-304", ancients=1)
    assert goals(ancient, 0, "track") == [NEXT]
    taken = sector(state, "0,-4", "sector-304", owner=1)
    assert goals(taken, 0, "track") == [NEXT]


def test_draco_influences_sectors_of_ancients_but_not_the_guarded_centre() -> None:
    state = table("descendants-of-draco", "terran-directorate")
    state = sector(state, "0,-1", "sector-104", ancients=2, owner=0)
    assert goals(state, 0, "track") == []  # the centre is next to it, with the GCDS
    state = sector(state, NEXT, "sector-305", ancients=1)
    assert goals(state, 0, "track") == [NEXT]


def test_moving_discs_and_cubes_back_to_their_tracks() -> None:
    """As Piotr does on p. 17: one disc to another sector, one back to the track, then two colony ships."""
    state = sector(terrans(), NEXT, "sector-306", 0, owner=0, cubes=2)
    state = sector(state, "1,-3", "sector-304", 1, owner=0)
    state = sector(state, "0,-1", "sector-106")
    state = seat(state, 0, colonised=3)
    before = state.seats[0].tracks
    state = at(state, Influence(0, 2), TurnColonyShips(0))
    state = answer(state, "1,-3", "0,-1")
    assert (state.map["1,-3"].owner, state.map["0,-1"].owner) == (None, 0)
    state = answer(state, NEXT, "track")
    assert state.map[NEXT].owner is None
    assert state.map[NEXT].population == 0
    assert state.seats[0].tracks == before.add("money", 1).add("materials", 1)
    assert state.seats[0].colonised == 1
    assert told(state, "eclipse.turns-colony-ships")


def test_a_cube_of_a_gray_square_goes_to_a_chosen_track() -> None:
    state = sector(terrans(), NEXT, "sector-313", 0, owner=0, cubes=1)
    state = answer(at(state, Influence(0, 1)), NEXT, "track")
    assert asked(state).slug == "eclipse.return-cube"
    assert options(state) == ["money", "science", "materials"]
    assert answer(state, "science").seats[0].tracks == Stock(9, 11, 10)


def test_colony_ships_fill_squares_of_their_kind() -> None:
    state = sector(terrans(), NEXT, "sector-318", 0, owner=0)
    state = at(state, Influence(0, 2))
    kinds = ("money", "science", "materials")
    assert free(state, "colony:0,-3") == [f"colony:0,-3:1:{kind}" for kind in kinds]
    state = answer(state, "colony:0,-3:1:science")
    assert (state.seats[0].tracks.science, state.seats[0].colonised) == (9, 1)
    mining = seat(state, 0, technologies=("tech-advanced-mining",))
    assert free(mining, "colony:0,-3") == ["colony:0,-3:0:materials"]
    used = seat(mining, 0, colonised=3)
    assert free(used, "colony:") == []


def test_an_orbital_takes_money_or_science() -> None:
    state = sector(terrans(), NEXT, "sector-315", 0, owner=0, orbital=True)
    state = state.with_sector(NEXT, replace(state.map[NEXT], cubes=(False,)))
    state = at(state, Influence(0, 2))
    assert free(state, "colony:0,-3") == ["colony:0,-3:0:money", "colony:0,-3:0:science"]


def test_trade_at_the_rate_of_the_species() -> None:
    state = at(seat(terrans(), 0, stock=Stock(1, 2, 40)), Influence(0, 2))
    assert free(state, "trade:") == [
        "trade:science:money",
        "trade:materials:money",
        "trade:materials:science",
    ]
    assert answer(state, "trade:science:money").seats[0].stock == Stock(2, 0, 40)
    orion = at(seat(table("orion-hegemony", "planta"), 0, stock=Stock(3, 4, 0)), Influence(0, 2))
    assert answer(orion, "trade:science:materials").seats[0].stock == Stock(3, 0, 1)
    assert free(orion, "trade:money") == []


# Research


def owning(*ids: str, **offered: int) -> EclipseState:
    state = seat(rich(terrans(), 0), 0, technologies=tuple(f"tech-{id}" for id in ids))
    return replace(state, offered={f"tech-{name.replace('_', '-')}": n for name, n in offered.items()})


def test_the_discount_never_goes_below_the_least_price() -> None:
    """p. 12: two military technologies make 2 off, a starbase still costs 3."""
    state = owning("neutron-bombs", "plasma-cannon")
    assert price(state, 0, technologies()["tech-starbase"]) == 3


def test_the_hydran_research_two_technologies() -> None:
    """p. 16: four nanotechnologies, Fusion Drive for its least 3; then six off, Wormhole Generator for 10."""
    state = owning(
        "nanorobots", "advanced-robotics", "orbital", "advanced-labs", fusion_drive=1, wormhole_generator=1
    )
    state = seat(state, 0, stock=Stock(0, 13, 0), species="hydran-progress")
    state = at(state, Research(0, species()["hydran-progress"].actions.research))
    state = answer(state, "tech-fusion-drive")
    assert state.seats[0].stock.science == 10
    state = answer(state, "tech-wormhole-generator")
    assert state.seats[0].stock.science == 0
    assert not state.agenda
    assert state.offered == {}


def test_what_cannot_be_researched_and_why() -> None:
    state = at(owning("starbase", starbase=1, orbital=1, quantum_grid=1), Research(0, 1))
    state = seat(state, 0, stock=Stock(0, 8, 0))
    assert options(state, "done") == ["tech-orbital"]
    why = {
        id: asked(state).why_not(state, id).key
        for id in ("tech-starbase", "tech-quantum-grid", "tech-monolith", "hull")
    }
    assert why == {
        "tech-starbase": "eclipse.why.has-technology",
        "tech-quantum-grid": "eclipse.why.expensive",
        "tech-monolith": "eclipse.why.not-offered",
        "hull": "eclipse.why.not-a-technology",
    }


def test_a_track_holds_seven() -> None:
    nano = [t.id.removeprefix("tech-") for t in technologies().values() if t.category == "nano"]
    state = at(owning(*nano[:7], wormhole_generator=1), Research(0, 1))
    assert options(state) == ["done"]
    assert asked(state).why_not(state, "tech-wormhole-generator").key == "eclipse.why.track-full"


def test_discs_at_once() -> None:
    state = answer(at(owning(quantum_grid=1), Research(0, 1)), "tech-quantum-grid")
    assert (state.seats[0].discs, state.discs_on_track(0)) == (15, 14)
    assert state.upkeep(0) == 0
    state = answer(at(owning(advanced_robotics=1), Research(0, 1)), "tech-advanced-robotics")
    assert state.seats[0].discs == 14


def test_five_of_one_resource_for_each_artifact() -> None:
    state = sector(owning(artifact_key=1), "0,-1", "sector-102", owner=0)
    state = seat(state, 0, stock=Stock(0, 20, 0))
    state = answer(at(state, Research(0, 1)), "tech-artifact-key")  # home and Pollux have artifacts
    assert answer(state, "money", "materials").seats[0].stock == Stock(5, 6, 5)


# Upgrade


def test_values_of_parts_add_up() -> None:
    """p. 13: two fusion drives give movement 4, initiative 4 and need energy 4."""
    state = terrans()
    for slot in (1, 3):
        state = put_part(state, 0, "interceptor", slot, "fusion-drive")
    now = design(state, 0, "interceptor")
    assert (now.movement, now.initiative - 2, now.consumed) == (4, 4, 4)


def test_initiative_of_the_example() -> None:
    """p. 18: an interceptor with gluon computer and fusion drive has 2 + 2 + 2, a dreadnought with three drives 3."""
    state = put_part(terrans(), 0, "interceptor", 0, "gluon-computer")
    state = put_part(state, 0, "interceptor", 3, "fusion-drive")
    assert design(state, 0, "interceptor").initiative == 6
    for slot in (0, 2):
        state = put_part(state, 0, "dreadnought", slot, "nuclear-drive")
    assert design(state, 0, "dreadnought").initiative == 3


def test_two_improved_hulls_take_four() -> None:
    """p. 19: destroyed by the fifth point of damage."""
    state = put_part(put_part(terrans(), 0, "cruiser", 1, "improved-hull"), 0, "cruiser", 0, "improved-hull")
    assert design(state, 0, "cruiser").hull == 4


def test_parts_need_their_technology_each() -> None:
    """p. 30: Gluon Computer does not bring Positron Computer with it."""
    state = at(seat(terrans(), 0, technologies=("tech-gluon-computer",)), Upgrade(0, 2))
    offered = options(state)
    assert "gluon-computer" in offered
    assert "positron-computer" not in offered
    assert asked(state).why_not(state, "positron-computer").key == "eclipse.why.needs-technology"
    assert asked(state).why_not(state, "sector-101").key == "eclipse.why.not-a-part"
    assert {"ion-cannon", "hull", "nuclear-drive", "nuclear-source", "electron-computer"} <= set(offered)


def test_energy_must_suffice_and_ships_need_a_drive() -> None:
    state = seat(terrans(), 0, technologies=("tech-plasma-cannon", "tech-fusion-source"))
    slots = slots_for(state, 0, "plasma-cannon", 1)
    assert ("interceptor", 0) not in slots  # 2 more than the 1 that is left
    assert ("interceptor", 1) in slots  # instead of the ion cannon
    assert ("interceptor", 3) not in slots  # instead of the drive
    assert all(ship != "starbase" for ship, _ in slots_for(state, 0, "nuclear-drive", 2))


def test_with_another_part_to_come_a_ship_may_be_unsound_for_a_moment() -> None:
    state = seat(terrans(), 0, technologies=("tech-plasma-cannon", "tech-fusion-source"))
    state = answer(at(state, Upgrade(0, 2)), "plasma-cannon", "interceptor:0")
    assert design(state, 0, "interceptor").energy < 0
    assert "done" not in options(state)
    state = answer(state, "fusion-source")
    assert "interceptor:2" in options(state)
    assert all(id.startswith("interceptor") for id in options(state))
    assert design(answer(state, "interceptor:2"), 0, "interceptor").energy == 2


def test_tiles_go_back_for_nothing() -> None:
    state = put_part(terrans(), 0, "interceptor", 0, "electron-computer")
    state = answer(at(state, Upgrade(0, 2)), "off:interceptor:0")
    assert state.seats[0].upgrades["interceptor"] == ("", "", "", "")
    assert asked(state) == Upgrade(0, 2)


def test_a_kept_ancient_part_is_scanned_as_its_discovery() -> None:
    state = at(seat(terrans(), 0, spare=("shard-hull",)), Upgrade(0, 1))
    option = question(state).option("shard-hull")
    assert option is not None
    assert option.component == "discovery-shard-hull"


# Build


def test_a_cruiser_and_an_orbital_for_ten() -> None:
    """p. 16."""
    state = seat(terrans(), 0, stock=Stock(0, 0, 10), technologies=("tech-orbital",))
    state = answer(at(state, Build(0, 2)), "cruiser", "orbital")
    assert state.seats[0].stock.materials == 0
    home = state.map[HOME]
    assert home.orbital
    assert home.fleets[0].ships == {"interceptor": 1, "cruiser": 1}


def test_mechanema_pays_less() -> None:
    state = table("mechanema", "terran-union")
    state = seat(state, 0, stock=Stock(0, 0, 9))
    state = answer(at(state, Build(0, 3)), "interceptor", "dreadnought")
    assert state.seats[0].stock.materials == 0


def test_what_cannot_be_built() -> None:
    state = rich(terrans(), 0)
    assert options(at(state, Build(0, 2)), "done") == ["interceptor", "cruiser", "dreadnought", "starbase"]
    built = sector(state, NEXT, "sector-312", owner=0, ships=((0, {"dreadnought": 2, "cruiser": 4}),))
    assert options(at(built, Build(0, 2)), "done") == ["interceptor", "starbase"]
    poor = seat(state, 0, stock=Stock(40, 40, 4))
    assert options(at(poor, Build(0, 2)), "done") == ["interceptor", "starbase"]
    full = seat(state, 0, technologies=("tech-orbital", "tech-monolith"))
    full = full.with_sector(HOME, replace(full.map[HOME], monolith=True))
    assert "orbital" in options(at(full, Build(0, 2)))
    assert "monolith" not in options(at(full, Build(0, 2)))


def test_one_builds_only_where_the_own_disc_lies() -> None:
    state = sector(rich(terrans(), 0), NEXT, "sector-312", ships=((0, {"interceptor": 1}),))
    state = sector(state, "1,-3", "sector-304", 1, owner=0, ships=((1, {"interceptor": 1}),))
    state = answer(at(state, Build(0, 2)), "cruiser")
    assert options(state) == [HOME, "1,-3"]
    assert asked(state).why_not(state, "sector-312").key == "eclipse.why.build-where-your-disc-is"


def test_why_a_sector_takes_no_disc() -> None:
    """p. 10: each with the sector that was shown."""
    state = sector(terrans(), NEXT, "sector-312")
    state = answer(at(sector(state, "1,-3", "sector-304", 1), Influence(0, 2)), "track")
    ask = asked(state)
    assert ask.why_not(state, "tech-orbital").key == "eclipse.why.not-a-hex"
    home = state.map[HOME].hex
    assert ask.why_not(state, home) == say(
        "eclipse.why.has-disc", sector=state.called(home), seat=state.name(0)
    )
    assert ask.why_not(state, "sector-313").key == "eclipse.why.not-on-map"


def test_enter_moves_nothing() -> None:
    """Discs, ships and parts go only where somebody says so."""
    state = sector(terrans(), NEXT, "sector-312")
    assert question(at(state, Influence(0, 2))).default is None
    assert question(at(state, Move(0, 2))).default is None
    assert question(at(state, PlaceAncientPart(0, "shard-hull"))).default is None
    assert question(at(state, ChooseSlot(0, "electron-computer", 1))).default is None


def test_slots_are_counted_from_one() -> None:
    state = at(terrans(), ChooseSlot(0, "electron-computer", 1))
    shown = {option.id: option.text.args["slot"] for option in question(state).options}
    assert shown["interceptor:0"] == 1


def test_an_ancient_part_is_given_up_and_others_are_put_back() -> None:
    """Later rulings: an Ancient part may be removed as well, but does not come back."""
    state = put_part(replace(terrans(), later=True), 0, "interceptor", 0, "shard-hull")
    state = put_part(state, 0, "cruiser", 3, "electron-computer")
    texts = {o.id: o.text.key for o in question(at(state, Upgrade(0, 2))).options if o.id.startswith("off:")}
    assert texts["off:interceptor:0"] == "eclipse.option.give-up-part"
    assert texts["off:cruiser:3"] == "eclipse.option.put-back"


def test_a_part_is_refused_for_its_energy_or_for_the_drive_it_would_replace() -> None:
    """p. 13: the drive is the reason only where the energy would suffice; one too little is too little."""
    state = seat(terrans(), 0, technologies=tuple(technologies()))
    short = set()
    for part in parts():
        refused = {text.args["ship"].key.rpartition(".")[2]: text.key for text in refusals(state, 0, part, 1)}
        for ship in (ship for ship in SHIPS if refused.get(ship) in NEEDS):
            squares = range(len(tiles(state, 0, ship)))
            best = max(design(put_part(state, 0, ship, n, part), 0, ship).energy for n in squares)
            assert (refused[ship] == "eclipse.refused.no-energy") is (best < 0), (part, ship)
            short.add(best)
    assert short
