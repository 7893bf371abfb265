"""Tables that were played without us: scored, or refused with everything that is wrong about them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from companion.core.words import Text
from companion.errors import DataTrouble
from companion.games.eclipse import position
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
    return [problem.key.removeprefix("eclipse.position.") for problem in trouble.value.problems]


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


def test_numbers_no_picture_shows_are_asked_for() -> None:
    seen = {
        "Ania": ("planta", "sector-226", "sector-101", "tech-orbital", "reputation-4"),
        "Bartek": ("sector-228",),
    }
    questions: list[Text] = []

    def ask(text: Text) -> int:
        questions.append(text)
        return 1

    raw = position.asked(seen, {}, ask)
    assert raw["seats"][1]["species"] == "descendants-of-draco"
    assert [q.key.rpartition("-")[2] for q in questions] == ["monoliths", "discoveries"] * 2 + ["ancients"]
    assert scored(raw) == {"Ania": 4 + 5 + 3 + 2 + 2, "Bartek": 3 + 3 + 2 + 1}


def test_every_line_and_measure_has_words() -> None:
    raw = plain()
    raw["seats"].append({"name": "Celina", "species": "orion-hegemony", "sectors": [], "ambassadors": 1})
    raw["seats"].append({"name": "Darek", "species": "mechanema", "sectors": []})
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
