"""Working names: they are shown and found, but never said to be printed; and short names are unambiguous."""

from __future__ import annotations

from collections import Counter

import pytest

from companion.core.components import Catalogue, Component, spoken_names, with_told
from companion.core.game import Game, games
from companion.texts import LANGUAGES, fold, render
from tests.laws.walks import GAMES, called

every_game = pytest.mark.parametrize("game", GAMES, ids=called)

OURS = {
    "race": {
        "explore-5": ("", "Eksploracja: +5"),
        "explore-1-1": ("", "Eksploracja: +1, +1"),
        "consume-x2": ("Consume: 2x VPs", ""),
        "develop-2": ("Develop (second)", "Rozwój (drugi)"),
        "settle-2": ("Settle (second)", "Kolonizacja (druga)"),
    },
    "eclipse": {
        "discovery-money-8": ("Discovery: +8 Money", "Odkrycie: +8 pieniędzy"),
        "discovery-flux-shield": ("Discovery: Flux Shield", "Odkrycie: Flux Shield"),
        "reputation-4": ("Reputation 4", "Reputacja 4"),
    },
    "beyond": {"socialists": ("Socialists", "Socjaliści")},
}
"""What no box and no rulebook prints, in English and in Polish."""


@pytest.mark.parametrize(("game", "id"), [(game, id) for game, ours in OURS.items() for id in ours])
def test_a_name_of_ours_is_shown_and_found_but_not_printed(game: str, id: str) -> None:
    rules = games()[game]
    component = rules.usual_box()[id]
    rows = {row.field: row for row in rules.rows(component)}
    for language, name in zip(LANGUAGES, OURS[game][id], strict=True):
        if name:
            assert language not in component.name.known
            assert rows[f"name.{language}"].values == ()
            assert render(component.called, language) == name
            assert fold(name) in spoken_names(component)


@every_game
def test_no_name_of_ours_stands_beside_a_printed_one(game: Game) -> None:
    both = {c.id for c in game.every_component().values() if c.working.known.keys() & c.name.known.keys()}
    assert both == set()


@every_game
def test_of_every_name_somebody_says_where_it_is_from(game: Game) -> None:
    box = game.usual_box()
    for component in box:
        for row in game.rows(component):
            assert box.fact(component.id, row.field).said_by is not None


def test_a_told_name_takes_the_place_of_ours() -> None:
    ours = games()["eclipse"].usual_box()["discovery-money-8"]
    told = with_told(ours, "name.pl", "Skarbiec")
    assert [render(told.called, language) for language in LANGUAGES] == ["Discovery: +8 Money", "Skarbiec"]
    everywhere = with_told(ours, "name", "Hoard")
    assert {render(everywhere.called, language) for language in LANGUAGES} == {"Hoard"}


# Facts that speak of another component


@pytest.mark.parametrize(
    ("game", "component", "field", "other"),
    [
        ("race", "galactic-renaissance", "scoring", "research-labs"),
        ("eclipse", "tech-gauss-shield", "part", "gauss-shield"),
        ("eclipse", "orion-hegemony", "technologies", "tech-neutron-bombs"),
        ("beyond", "nations-advanced", "faction", "nations"),
        ("beyond", "socialists-advanced", "faction", "socialists"),
    ],
)
def test_a_fact_calls_another_component_as_people_told(
    game: str, component: str, field: str, other: str
) -> None:
    rules = games()[game]
    box = rules.taught_box(rules.usual_setup({f"{other}.name.en": "Qx1", f"{other}.name.pl": "Qx2"}))
    row = next(row for row in rules.rows(box[component], box) if row.field == field)
    for language, name in (("en", "Qx1"), ("pl", "Qx2")):
        assert any(name in render(value, language) for value in row.values)


# Short names

SHORT = {
    "beyond": {
        "plasma-cannon": "Działko",
        "human-experiments": "Eksperymenty",
        "ministry-of-colonization": "Ministerstwo",
        "secret-arms-purchase": "zakup broni",
        "modular-fleet": "Flota",
        "nations-advanced": "Układu Słonecznego +",
    },
    "eclipse": {
        "tech-starbase": "Baza",
        "tech-artifact-key": "Klucz",
        "terran-alliance": "Sojusz",
        "eridani-empire": "Eridani",
    },
    "frontiers": {
        "skilled-workforce": "siła robocza",
        "civil-service": "Służby",
        "conscription": "Pobór",
        "sales-tax": "Podatek",
        "contact-specialist": "Specjalista",
        "trade-league": "Gildia",
        "drop-ships": "Okręty",
    },
}
"""Polish words that tell a thing; the shortest ones are often adjectives, such as "robocza"."""


@pytest.mark.parametrize(("game", "id"), [(game, id) for game, names in SHORT.items() for id in names])
def test_a_short_name_tells_what_is_meant(game: str, id: str) -> None:
    rules = games()[game]
    short = rules.face(rules.usual_box()[id]).short
    assert short is not None
    assert render(short, "pl") == SHORT[game][id]


@every_game
def test_a_short_name_is_part_of_a_name_and_tells_it_from_its_like(game: Game) -> None:
    box: Catalogue[Component] = game.usual_box()
    for language in LANGUAGES:
        for component in box:
            short = component.short.known.get(language)
            assert short is None or short in component.names[language], component.id
        shown = Counter(
            (type(c), render(face.short, language))
            for c in box
            for face in (game.face(c),)
            if face.short is not None and c.short.known
        )
        assert [what for what, times in shown.items() if times > 1] == []


def test_a_short_name_that_no_longer_fits_gives_way_to_the_told_one() -> None:
    rules = games()["frontiers"]
    told = with_told(rules.usual_box()["skilled-workforce"], "name.pl", "Fachowcy")
    short = rules.face(told).short
    assert short is not None
    assert render(short, "pl") == "Fachowcy"
