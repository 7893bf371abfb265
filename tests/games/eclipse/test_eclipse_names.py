"""Names of Eclipse: the Polish ones of the rulebook, and those that people entered."""

from __future__ import annotations

from msgspec.structs import replace

from companion.games.eclipse.state import EclipseState
from companion.games.eclipse.steps.upgrade import PlaceAncientPart
from companion.games.eclipse.view import sheet, view
from companion.results.sheets import sheet_words
from companion.texts import render
from tests.games.eclipse.eclipse_tables import at, question, table

TWO = ("terran-directorate", "terran-federation")


def taught(state: EclipseState, **names: str) -> EclipseState:
    """The table whose owner told these Polish names, by id with underscores."""
    facts = {f"{id.replace('_', '-')}.name.pl": name for id, name in names.items()}
    return replace(state, taught=facts)


def test_the_rulebooks_polish_names_are_shown() -> None:
    """Pp. 12, 26 to 29; a sector the rulebook does not name keeps its English name."""
    state = table(*TWO)
    named = {
        id: render(state.called(id), "pl") for id in ("tech-artifact-key", "sector-227", "sector-306", "hull")
    }
    assert named == {
        "tech-artifact-key": "Klucz do artefaktu",
        "sector-227": "227 Syriusz",
        "sector-306": "306 Beta Centauri",
        "hull": "Kadłub",
    }


def test_an_ancient_part_is_called_as_its_tile_was_told() -> None:
    """P. 7: part and discovery tile are one piece."""
    state = at(table(*TWO), PlaceAncientPart(0, "axion-computer"))
    assert "Axion Computer" in render(question(state).text, "pl")
    told = taught(state, discovery_axion_computer="Komputer aksjonowy")
    assert "Komputer aksjonowy" in render(question(told).text, "pl")


def test_a_told_name_of_a_species_stands_in_its_line_of_the_sheet() -> None:
    state = table("planta", "terran-directorate")
    for known, name in ((state, "Plantanie"), (taught(state, planta="Mchy"), "Mchy")):
        counted = sheet(known)
        line = render(sheet_words(counted).words("bonus-sectors"), "pl")
        assert line == f"{name}: punkt za każdy sektor"
        assert name in [render(one.name, "pl") for one in view(known).seats[0].components]
        assert "Mchy" not in render(sheet_words(counted).words("sectors"), "pl")
