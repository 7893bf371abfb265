"""What questions show besides the options: prices, changes, and why something is not possible."""

from __future__ import annotations

from msgspec.structs import replace

from companion.games.eclipse.component_types import SHIPS, STRUCTURES, Stock
from companion.games.eclipse.species import blueprint
from companion.games.eclipse.state import EclipseState
from companion.games.eclipse.steps.build import Build
from companion.games.eclipse.steps.research import Research
from companion.games.eclipse.steps.round import Turn
from companion.games.eclipse.steps.upgrade import Upgrade
from companion.texts import render
from tests.games.eclipse.eclipse_tables import TERRANS, answer, at, options, question, seat, table


def terrans() -> EclipseState:
    return table(*TERRANS[:2])


def notes(state: EclipseState) -> list[str]:
    return [render(note, "en") for note in question(state).notes]


def prices(state: EclipseState) -> dict[str, str]:
    return {o.id: render(o.detail, "en") for o in question(state).options if o.component and o.detail}


def test_a_technology_says_how_much_cheaper_it_got() -> None:
    offered = {"tech-plasma-cannon": 1, "tech-neutron-bombs": 1, "tech-improved-hull": 1, "tech-monolith": 1}
    state = seat(
        replace(terrans(), offered=offered), 0, stock=Stock(0, 4, 0), technologies=("tech-starbase",)
    )
    state = at(state, Research(0, 1))
    assert prices(state) == {"tech-neutron-bombs": "science 2", "tech-improved-hull": "science 4"}
    assert notes(state) == ["Too expensive with 4 science: Plasma Cannon 5, Monolith 12"]
    military = ("tech-starbase", "tech-gluon-computer", "tech-plasma-missile")
    state = at(seat(state, 0, technologies=military), Research(0, 1))
    assert prices(state)["tech-plasma-cannon"] == "science 4 instead of 6 (lowest price)"
    cheaper = at(seat(state, 0, technologies=military[:2]), Research(0, 1))
    assert prices(cheaper)["tech-plasma-cannon"] == "science 4 instead of 6 (Military −2)"


def test_squares_that_are_alike_are_offered_once_with_what_changes() -> None:
    state = answer(at(terrans(), Upgrade(0, 1)), "hull")
    options_ = question(state).options
    kinds = [
        (ship, blueprint(state, 0, ship).slots[int(slot)], state.seats[0].upgrades[ship][int(slot)])
        for ship, slot in (option.id.split(":") for option in options_)
    ]
    assert len(kinds) == len(set(kinds))
    first = next(option for option in options_ if option.id.startswith("interceptor"))
    assert first.detail is not None
    assert "hull 0 → 1" in render(first.detail, "en")


def test_ships_that_cannot_take_a_part_say_why() -> None:
    state = at(seat(terrans(), 0, technologies=("tech-fusion-drive",)), Upgrade(0, 1))
    state = answer(state, "fusion-drive")
    assert "starbase: takes no drive" in notes(state)
    state = at(seat(terrans(), 0, technologies=("tech-antimatter-cannon",)), Upgrade(0, 1))
    nowhere = [note for note in notes(state) if note.startswith("Antimatter Cannon")]
    assert nowhere
    assert "not enough energy" in nowhere[0]


def test_what_cannot_be_built_says_why() -> None:
    state = at(seat(terrans(), 0, stock=Stock(0, 0, 4)), Build(0, 2))
    told = notes(state)
    assert len(told) + len(options(state)) - 1 == len(SHIPS) + len(STRUCTURES)
    assert any("monolith" in note.lower() and "Monolith" in note for note in told)


def test_an_action_that_is_not_possible_says_why() -> None:
    state = at(seat(replace(terrans(), offered={}), 0, stock=Stock()), Turn(0))
    assert notes(state) == [
        "Research: nothing on offer that you can pay for",
        "Build: nothing you may build and can pay for",
        "Move: no ship of yours can leave its sector",
    ]
    state = at(seat(terrans(), 0, acted={"explore": 12}), Turn(0))
    assert notes(state) == ["No disc is left on your track: you can only pass"]
