"""Tables played without us: scored, or refused with a list of everything that is wrong."""

from __future__ import annotations

import json
from typing import Any

import pytest

from companion.core.counters import Correctable
from companion.errors import DataTrouble
from companion.games.eclipse import component_types, position
from companion.games.eclipse.component_types import species
from companion.texts import LANGUAGES, render


def plain(**changes: Any) -> dict[str, Any]:
    ania = {
        "name": "Ania",
        "species": "planta",
        "sectors": ["sector-226", "sector-101"],
        "monoliths": ["sector-101"],
        "reputation": [4, 3],
        "technologies": ["tech-nanorobots", "tech-orbital", "tech-monolith", "tech-fusion-drive"],
        "discoveries": 1,
        "money": 5,
    }
    bartek = {
        "name": "Bartek",
        "species": "descendants-of-draco",
        "sectors": ["sector-228"],
        "reputation": [1],
    }
    return {"game": "eclipse", "seats": [ania | changes, bartek], "ancients": 3}


def scored(raw: dict[str, Any]) -> dict[str, int]:
    sheet = position.sheet(position.read(json.dumps(raw).encode()))
    return {seat.name: seat.total for seat in sheet.seats}


def refused(raw: dict[str, Any]) -> list[str]:
    with pytest.raises(DataTrouble) as trouble:
        position.read(json.dumps(raw).encode())
    for problem in trouble.value.problems:
        for language in LANGUAGES:
            assert "{" not in render(problem, language)
            assert render(problem, language) != problem.key
    return [problem.key.rpartition(".")[2] for problem in trouble.value.problems]


def test_every_source_counts() -> None:
    # Reputation 7, sectors 3 + 2, a discovery 2, a monolith 3, four nanotechnologies 1, Planta 2.
    assert scored(plain()) == {"Ania": 20, "Bartek": 1 + 3 + 3}


def test_what_is_printed_on_the_board_counts_on_its_track() -> None:
    military = [f"tech-{id}" for id in ("neutron-bombs", "plasma-cannon", "phase-shield")]
    assert scored(plain(technologies=military))["Ania"] == 20
    assert scored(plain(technologies=[*military, "tech-starbase"]))["Ania"] == 20


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"species": "plantanie"}, "unknown-near"),
        ({"species": "xyz"}, "unknown"),
        ({"sectors": ["sector-999"], "monoliths": []}, "unknown-near"),
        ({"sectors": ["sector-226", "sector-226"], "monoliths": []}, "twice"),
        ({"sectors": ["sector-228"], "monoliths": []}, "disputed"),
        ({"monoliths": ["sector-103"]}, "monolith-elsewhere"),
        ({"reputation": [5]}, "reputation-value"),
        ({"reputation": [1, 1, 1, 1]}, "reputation-track"),
        ({"money": 41}, "number"),
        ({"money": -1}, "number"),
        ({"ambassadors": 1}, "no-diplomacy"),
        ({"species": "terran-republic"}, "colour"),
        ({"name": "Bartek"}, "same-name"),
        ({"name": " "}, "no-name"),
    ],
)
def test_what_cannot_be(changes: dict[str, Any], problem: str) -> None:
    assert problem in refused(plain(**changes))


def test_problems_of_the_whole_table() -> None:
    assert refused(plain() | {"traitor": "Celina"}) == ["unknown-traitor", "no-diplomacy"]
    assert refused(plain() | {"ancients": 22}) == ["ancients"]
    assert refused(plain() | {"seats": plain()["seats"][:1]}) == ["seats"]
    assert "other-game" in refused(plain() | {"game": "race"})
    track = [f"tech-{id}" for id in ("gauss-shield", "improved-hull", "fusion-source", "positron-computer")]
    track += [
        f"tech-{id}" for id in ("advanced-economy", "tachyon-drive", "antimatter-cannon", "quantum-grid")
    ]
    assert refused(plain(technologies=track)) == ["technology-track"]


def test_ties_are_broken_by_what_is_in_store() -> None:
    raw = plain(reputation=[], sectors=["sector-226"], monoliths=[], technologies=[], discoveries=0)
    raw["seats"][0] |= {"species": "terran-union", "sectors": ["sector-225"]}
    raw["seats"][1] |= {"species": "mechanema", "sectors": ["sector-230"], "reputation": [], "science": 6}
    sheet = position.sheet(position.position_of(raw))
    assert sheet.winners == ("Bartek",)
    broken = position.tie_break(sheet)
    assert broken is not None
    assert (
        render(broken, "en") == "Equal at 3 points; resources in store decide: Bartek 6, Ania 5. Bartek wins."
    )
    raw["seats"][1]["science"] = 5
    shared = position.tie_break(position.sheet(position.position_of(raw)))
    assert shared is not None
    assert shared.key == "eclipse.position.tie-shared"


class Table:
    """People who tell what they are asked for: `told` by the name of the counter, else what is known already."""

    def __init__(self, **told: int) -> None:
        self.told, self.asked = told, dict[str, Correctable]()

    def __call__(self, counter: Correctable) -> int:
        self.asked[counter.id] = counter
        value = self.told.get(counter.id.replace(":", "_").replace("-", "_"), counter.value)
        assert value in counter.values
        return value


SEEN = {
    "Ania": ("sector-226", "sector-101", "tech-orbital", "reputation-4", "reputation-4"),
    "Bartek": ("descendants-of-draco", "sector-228"),
}


def test_what_no_picture_shows_is_asked_for() -> None:
    table = Table(monoliths_0=1, monolith_1_0=101, discoveries_1=2, nano_0=5, ancients=3, reputation_1_0=1)
    raw = position.asked(SEEN, {}, table)
    assert "species:1" not in table.asked  # its board was seen
    assert "traitor" not in table.asked
    assert table.asked["species:0"].called(table.asked["species:0"].value) == species()["planta"].called
    assert (table.asked["reputation-4:0"].value, table.asked["military:0"].value) == (2, 1)
    assert raw["seats"][0]["monoliths"] == ["sector-101"]
    # Reputation 4 + 4 + 1, sectors 5, a monolith 3, five nanotechnologies 2, Planta 2.
    assert scored(raw) == {"Ania": 9 + 5 + 3 + 2 + 2, "Bartek": 3 + 4 + 3}


def told_wrong(seen: dict[str, tuple[str, ...]], **told: int) -> list[str]:
    with pytest.raises(DataTrouble) as trouble:
        position.position_of(position.asked(seen, {}, Table(**told)))
    return [problem.key.rpartition(".")[2] for problem in trouble.value.problems]


def test_a_conqueror_of_a_home_sector_must_say_which_species_it_is() -> None:
    seen = {"Ania": ("sector-226", "sector-228"), "Bartek": ()}
    table = Table()
    with pytest.raises(DataTrouble):
        position.asked(seen, {}, table)
    assert (table.asked["species:0"].value, table.asked["species:1"].value) == (0, 0)
    assert told_wrong(seen) == ["no-species", "no-species"]
    boards = list(component_types.species())
    planta, draco = boards.index("planta") + 1, boards.index("descendants-of-draco") + 1
    raw = position.asked(seen, {}, Table(species_0=planta, species_1=draco, ancients=2))
    assert scored(raw) == {"Ania": 3 + 3 + 2, "Bartek": 2}


def test_a_monolith_stands_on_a_sector_somebody_names() -> None:
    assert told_wrong(SEEN, monoliths_0=1) == ["monolith-nowhere"]
    table = Table(monoliths_0=2)
    assert position.asked(SEEN, {}, table)["seats"][0]["monoliths"] == ["sector-226", "sector-101"]
    assert "monolith-1:0" not in table.asked  # on both of two there is nothing to choose


def test_with_four_the_traitor_and_ambassadors_are_asked_for() -> None:
    homes = ("221", "223", "225", "227")
    seen = {name: (f"sector-{id}",) for name, id in zip(("A", "B", "C", "D"), homes, strict=True)}
    raw = position.asked(seen, {}, Table(traitor=2, ambassadors_0=1, ambassadors_3=1, money_2=1))
    assert raw["traitor"] == "B"
    sheet = position.sheet(position.position_of(raw))
    assert {seat.name: seat.total for seat in sheet.seats} == {"A": 4, "B": 1, "C": 3, "D": 4}
    tied = Table()
    position.asked(seen, {}, tied)
    assert {"money:0", "science:3"} <= tied.asked.keys()  # all have 3 points


def test_more_discs_than_a_seat_has() -> None:
    explored = tuple(f"sector-{n}" for n in (*range(301, 306), *range(201, 208)))
    many = ("sector-226", *explored)  # 13 discs
    assert told_wrong({**SEEN, "Ania": (*many, "sector-101")}) == ["discs"]
    assert scored(position.asked({**SEEN, "Ania": (*many, "sector-101", "tech-quantum-grid")}, {}, Table()))
    # Unnamed tiles on a track may be the ones that bring discs: at most 16 in all.
    inner = tuple(f"sector-{n}" for n in (101, 102, 103))
    assert scored(position.asked({**SEEN, "Ania": (*many, *inner)}, {}, Table(grid_0=1, nano_0=1)))
    assert told_wrong({**SEEN, "Ania": (*many, *inner, "sector-104")}, grid_0=1, nano_0=1) == ["discs"]


def test_the_home_of_a_board_nobody_plays_is_a_species_chosen_wrongly() -> None:
    assert told_wrong({**SEEN, "Ania": ("planta", "sector-226", "sector-222")}) == ["stranger-home"]


def test_a_tile_seen_twice_on_one_board_is_refused() -> None:
    assert told_wrong({**SEEN, "Ania": ("sector-226", "tech-orbital", "tech-orbital")}) == ["twice"]


def test_tracks_by_number() -> None:
    assert scored(plain(technologies=[], nano=7)) == {"Ania": 20 - 1 + 5, "Bartek": 7}
    assert refused(plain(nano=3)) == ["track-fewer"]  # four are named
    assert refused(plain(nano=8)) == ["number"]


def test_every_line_and_measure_has_words() -> None:
    raw = plain()
    raw["seats"].append({"name": "Celina", "species": "orion-hegemony", "sectors": [], "ambassadors": 1})
    raw["seats"].append({"name": "Darek", "species": "mechanema", "sectors": [], "ambassadors": 1})
    sheet = position.sheet(position.position_of(raw | {"traitor": "Darek"}))
    for seat in sheet.seats:
        for line in seat.lines:
            for language in LANGUAGES:
                assert "eclipse." not in render(position.words(line.what), language)
                assert all("sector-" not in render(position.words(id), language) for id in line.because)
                for measure, n in line.measures.items():
                    assert "{" not in render(position.measured(measure, n), language)


def test_the_schema_knows_the_box() -> None:
    seat = position.schema()["$defs"]["Seat"]["properties"]
    assert len(seat["sectors"]["items"]["enum"]) == 50
    assert len(seat["species"]["enum"]) == 12


# Tables that cannot be as a whole


def four(*changes: dict[str, Any], **table: Any) -> dict[str, Any]:
    """Four seats with nothing, and what each has besides."""
    people = ("Ania", "Bartek", "Celina", "Darek")
    boards = ("planta", "mechanema", "orion-hegemony", "descendants-of-draco")
    seats = [
        {"name": name, "species": board, "sectors": []} for name, board in zip(people, boards, strict=True)
    ]
    for seat, change in zip(seats, changes, strict=False):
        seat |= change
    return {"game": "eclipse", "seats": seats, **table}


def sentences(raw: dict[str, Any], language: str = "en") -> str:
    with pytest.raises(DataTrouble) as trouble:
        position.read(json.dumps(raw).encode())
    return " ".join(render(problem, language) for problem in trouble.value.problems)


def test_no_more_discoveries_than_can_be_found() -> None:
    assert scored(four({"discoveries": 12}, {"discoveries": 9}))
    assert refused(four({"discoveries": 12}, {"discoveries": 10})) == ["discoveries"]
    # With two players five outer hexes are in play: at most 16 of the 21 can be found.
    assert scored(plain(discoveries=16))
    assert refused(plain(discoveries=17)) == ["discoveries"]
    assert "Ania 17" in sentences(plain(discoveries=17))


def test_no_more_monoliths_than_tiles() -> None:
    inner = [f"sector-{n}" for n in range(101, 109)]
    middle = [f"sector-{n}" for n in range(201, 212)]
    outer = [f"sector-{n}" for n in range(301, 305)]
    three = ({"sectors": inner}, {"sectors": middle}, {"sectors": outer})
    built = [seat | {"monoliths": seat["sectors"]} for seat in three]
    assert refused(four(*built)) == ["monoliths"]
    assert "22" in sentences(four(*built))
    assert scored(four(built[0], built[1], three[2] | {"monoliths": outer[:3]}))


def test_ambassadors_are_on_both_sides() -> None:
    one, two, three = ({"ambassadors": n} for n in (1, 2, 3))
    assert scored(four(one, one))
    assert scored(four(three, one, one, one))
    assert refused(four(one)) == ["ambassadors-alone"]
    assert refused(four(two, one)) == ["ambassadors-alone"]
    assert refused(four(one, one, one)) == ["ambassadors-unpaired"]
    assert refused(four(three, three, one, one)) == ["ambassadors-unpaired"]
    assert "Ania" in sentences(four(one))
    assert "Ania" in sentences(four(one), "pl")


def test_no_more_outer_hexes_than_are_in_play() -> None:
    outer = [f"sector-{n}" for n in range(301, 307)]
    assert refused(plain(sectors=["sector-226", *outer], monoliths=[])) == ["outer"]
    assert scored(plain(sectors=["sector-226", *outer[:5]], monoliths=[]) | {"ancients": 0})
    assert scored(four({"sectors": outer}))


def test_ancients_are_only_where_no_disc_lies_or_that_of_draco() -> None:
    guarded = ["sector-101", "sector-104", "sector-105", "sector-108"]  # five of the fourteen
    assert scored(four(ancients=14))
    assert refused(four(ancients=15)) == ["ancients-in-play"]
    assert scored(four({"sectors": guarded}, ancients=9))
    assert refused(four({"sectors": guarded}, ancients=10)) == ["ancients-owned"]
    assert "Ania: 101 Castor" in sentences(four({"sectors": guarded}, ancients=10))
    assert scored(four({}, {}, {}, {"sectors": guarded}, ancients=14))
    assert refused(four(ancients=22)) == ["ancients"]


def test_ancients_of_outer_hexes_that_are_not_in_play() -> None:
    """With two players five outer hexes are in play; discs on five others leave no room for those with Ancients."""
    others = [f"sector-{n}" for n in range(306, 311)]
    empty = plain(sectors=["sector-226", *others], monoliths=[])
    assert scored(empty | {"ancients": 9})
    assert refused(empty | {"ancients": 10}) == ["ancients-in-play"]


def test_no_more_ancients_are_asked_for_than_there_can_be() -> None:
    seen = {"Ania": ("planta", "sector-226", "sector-104"), "Bartek": ("descendants-of-draco", "sector-228")}
    table = Table()
    position.asked(seen, {}, table)
    assert table.asked["ancients"].high == 4 - 1 + 4 + 5


def test_more_than_forty_is_asked_for_only_with_later_rulings() -> None:
    seen = {"Ania": ("planta",), "Bartek": ("mechanema",)}
    for rulings, most in (("printed", 40), ("later", component_types.LIMITLESS)):
        table = Table()
        raw = position.asked(seen, {"rulings": rulings}, table)
        assert raw["rulings"] == rulings
        assert table.asked["money:0"].high == most
