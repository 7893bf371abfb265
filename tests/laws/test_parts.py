"""Every part that a game declares besides its rules works: all parts of all games are tried."""

from __future__ import annotations

import copy
import subprocess
import sys
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import pytest

from companion.core import session as sessions
from companion.core.autoplay import next_answer, play
from companion.core.counters import Correctable
from companion.core.game import Game, Setup, boxes, every_game, games, showcase
from companion.core.parts import Highlight, Positions
from companion.core.session import Session
from companion.core.words import Text, inside
from companion.errors import DataTrouble
from companion.results.sheets import reasons
from companion.texts import LANGUAGES, catalogue, render, word_files
from scoring.sheet import Sheet
from tests.laws.schema import faults
from tests.laws.walks import GAMES, NAMES, everywhere, walk

each = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)


def having(part: str) -> Any:
    """Every game that declares this part."""
    found = [game for game in GAMES if getattr(game, part)]
    return pytest.mark.parametrize("game", found, ids=lambda game: game.id)


def has_words(text: Text | None) -> bool:
    """Whether a sentence, and every sentence in it, exists in each language, and nothing in it is left open."""
    for part in inside(text) if text is not None else ():
        for language in LANGUAGES:
            words = catalogue(language)
            found = words.gettext(part.key) if part.n is None else words.ngettext(part.key, part.key, part.n)
            if part.key not in ("core.plain", "core.named") and (
                found == part.key or "{" in render(part, language)
            ):
                return False
    return True


# The head of a game


@each
def test_a_game_lies_in_the_folder_of_its_name(game: Game) -> None:
    assert game.catalogue.__module__.startswith(f"companion.games.{game.id}")
    assert every_game()[game.id] is game


@each
def test_everything_to_agree_on_has_words(game: Game) -> None:
    for variant in game.box.variants:
        assert has_words(game.box.variant_text(variant.id))
        for value in variant.values:
            assert has_words(game.box.value_text(variant.id, value))
        assert set(variant.seats) <= set(variant.values)


@each
def test_a_shorthand_stands_for_a_value_and_says_what_it_is_for(game: Game) -> None:
    flags = [(v, value, flag) for v in game.box.variants for value, flag in v.flags.items()]
    assert len({flag for _, _, flag in flags}) == len(flags)
    for variant, value, flag in flags:
        assert value in variant.values
        assert game.box.flagged([flag]) == {variant.id: value}
        assert has_words(game.box.flag_text(flag))
    assert game.box.flagged([]) == {}


def test_one_game_is_shown_when_nobody_says_which() -> None:
    assert [box.id for box in boxes().values() if box.showcase] == [showcase().id]
    assert list(boxes()) == list(games())


def test_the_heads_of_games_are_read_without_loading_their_rules() -> None:
    """`--help` on a small machine does not wait for all games."""
    code = (
        "import sys; from companion.core.game import boxes; boxes();"
        "print(*[name for name in sys.modules if name.startswith('companion.games.')])"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == ""


def test_what_is_hidden_is_not_offered() -> None:
    hidden = [game.id for game in GAMES if game.box.hidden]
    assert hidden
    assert not set(hidden) & set(games())


# Words


@each
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_words_of_a_game_begin_with_its_id_and_are_in_order(game: Game, language: str) -> None:
    own, shared = _slugs(language, f"/games/{game.id}/"), _slugs(language, "/locale/")
    assert own
    assert [slug for slug in own if not slug.startswith(f"{game.id}.")] == []
    assert own == sorted(own)
    assert [slug for slug in shared if slug.startswith(f"{game.id}.")] == []


def _slugs(language: str, folder: str) -> list[str]:
    (file,) = [file for file in word_files(language) if folder in str(file)]
    lines = file.read_text(encoding="utf-8").splitlines()
    return [line[7:-1] for line in lines if line.startswith('msgid "') and line != 'msgid ""']


# Components and the map


@everywhere
def test_what_everybody_has_one_of_comes_as_often_as_seats(game: Game, setup: Setup) -> None:
    for component in game.catalogue(game.complete(setup), {}):
        assert not component.own or component.copies == game.box.seats[-1], component.id


@everywhere
def test_every_place_a_question_names_is_on_a_map(game: Game, setup: Setup) -> None:
    for session in walk(game, setup, Random(5), 120):
        view, box = game.view(session.state), session.catalogue
        ids = [place.id for map in view.maps for place in (*map.places, *map.free)]
        assert len(set(ids)) == len(ids)
        for map in view.maps:
            assert all(not place.component or place.component in box for place in map.places)
            spots = [(round(place.x, 2), round(place.y, 2)) for place in (*map.places, *map.free)]
            assert len(set(spots)) == len(spots)
            there = {place.id for place in map.places}
            pairs = [frozenset((link.one, link.other)) for link in map.links]
            assert all(len(pair) == 2 and pair <= there for pair in pairs)
            assert len(set(pairs)) == len(pairs)
            assert has_words(map.text)
        for question in session.questions():
            assert {option.place for option in question.options} - {None} <= set(ids)


# Sheets


@each
def test_every_line_and_measure_of_a_sheet_has_words(game: Game) -> None:
    for seats in game.box.seats:
        *_, (state, _) = play(game, Setup(game.id, NAMES[:seats]), seed=seats)
        _assert_told(game, game.sheet(state))


def _assert_told(game: Game, sheet: Sheet) -> None:
    assert sheet.game == game.id
    for seat in sheet.seats:
        assert sum(line.points for line in seat.lines) == seat.total
        for line in seat.lines:
            assert has_words(game.sheet_words.words(line.what)), line.what
            for _, text in reasons(line, game.sheet_words):
                assert has_words(text), line.what
    told = game.sheet_words.tie_break(sheet)
    assert (told is not None) == bool(sheet.tied)
    assert has_words(told)


# Positions


@having("positions")
def test_the_examples_are_as_the_schema_says_and_can_be_scored(game: Game) -> None:
    of = positions(game)
    assert of.examples
    for example in of.examples:
        assert faults(example, of.schema()) == []
        _assert_told(game, of.sheet(of.position_of(copy.deepcopy(example))))


@having("positions")
def test_what_the_schema_does_not_allow_is_not_read(game: Game) -> None:
    of = positions(game)
    for example in of.examples:
        for spoilt in _spoilt(example):
            assert faults(spoilt, of.schema()), spoilt
            with pytest.raises(DataTrouble) as trouble:
                of.position_of(spoilt)
            assert all(has_words(problem) for problem in trouble.value.problems)


def _spoilt(example: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield {**example, "game": "chess"}
    yield {**example, "weather": "fine"}
    yield {**example, "seats": example["seats"][:1]}
    yield {**example, "seats": "Ania"}
    yield {name: value for name, value in example.items() if name != "seats"}
    first, *others = example["seats"]
    yield {**example, "seats": [{**first, "shoes": 2}, *others]}
    yield {**example, "seats": [{**first, "name": ""}, *others]}
    for name, value in first.items():
        wrong = "many" if isinstance(value, int) else 5
        yield {**example, "seats": [{**first, name: wrong}, *others]}


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("Żółć 小林 👩\u200d🚀", None),
        (" ", "score.no-name"),
        ("O\x1b[2Jla", "score.steering-name"),
        ("O\u202ela", "score.steering-name"),
    ],
    ids=ascii,
)
@having("positions")
def test_people_are_called_as_they_like_but_nothing_that_steers_a_terminal(
    game: Game, name: str, problem: str | None
) -> None:
    of = positions(game)
    first, *others = of.examples[0]["seats"]
    spoilt = {**copy.deepcopy(of.examples[0]), "seats": [{**first, "name": name}, *others]}
    if problem is None:
        assert of.sheet(of.position_of(spoilt)).seats[0].name == name
        assert not list(game.problems(Setup(game.id, (name, *NAMES[: game.box.seats[0] - 1]))))
    else:
        with pytest.raises(DataTrouble) as trouble:
            of.position_of(spoilt)
        assert problem in [told.key for told in trouble.value.problems]


@having("positions")
def test_names_that_are_the_same_are_told(game: Game) -> None:
    of = positions(game)
    first, second, *others = of.examples[0]["seats"]
    spoilt = {
        **copy.deepcopy(of.examples[0]),
        "seats": [first, {**second, "name": first["name"] + " "}, *others],
    }
    with pytest.raises(DataTrouble) as trouble:
        of.position_of(spoilt)
    assert "score.same-name" in [told.key for told in trouble.value.problems]


@having("positions")
def test_everything_that_is_asked_about_a_position_has_words_and_leads_to_a_sheet(game: Game) -> None:
    """Bots have played; what lies before each seat is seen, and all that is asked gets any answer that fits."""
    of, random = positions(game), Random(3)
    *_, (state, _) = play(game, Setup(game.id, NAMES[: game.box.seats[0]]), seed=1)
    lying = {seat.name: tuple(p.component for p in seat.components) for seat in game.view(state).seats}

    def ask(counter: Correctable) -> int:
        assert has_words(counter.text)
        assert all(has_words(text) for _, text in counter.names)
        return counter.value if counter.value in counter.values else random.choice(counter.values)

    raw = of.asked(lying, {}, ask)
    assert faults(_plain(raw), of.schema()) == []
    _assert_told(game, of.sheet(of.position_of(raw)))


def _plain(raw: Any) -> Any:
    if isinstance(raw, dict):
        return {name: _plain(value) for name, value in raw.items()}
    return [_plain(value) for value in raw] if isinstance(raw, list | tuple) else raw


def positions(game: Game) -> Positions:
    assert game.positions is not None
    return game.positions


# Odds and logs

NONSENSE: tuple[dict[str, Any], ...] = (
    {},
    {"attacker": 5},
    {"attacker": [], "defender": []},
    {"seats": None},
    {"game": "chess"},
)


@having("odds")
def test_odds_refuse_nonsense_in_words(game: Game) -> None:
    odds: Callable[[dict[str, Any]], Any] | None = game.odds
    assert odds is not None
    for raw in NONSENSE:
        with pytest.raises(DataTrouble) as trouble:
            odds(raw)
        assert has_words(trouble.value.text)
        assert all(has_words(problem) for problem in trouble.value.problems)


# Moments worth a picture


def _reached(game: Game, highlight: Highlight) -> Session:
    random = Random(highlight.seed)
    session = sessions.begin(game, Setup(game.id, highlight.seats), 0.0)
    bots = game.bots(session.setup, random)
    bots.follow(session.state, session.state.news)
    for n in range(1000):
        if n >= highlight.answers and highlight.reached(session):
            return session
        session = session.answer(next_answer(session.state, bots, random), 0.0)
        bots.follow(session.state, session.state.news)
    raise AssertionError("the bots never came there")


@pytest.mark.parametrize(
    ("game", "highlight"),
    [pytest.param(g, h, id=f"{g.id}-{h.scenes[0]}") for g in GAMES for h in g.highlights],
)
def test_every_highlight_is_reached(game: Game, highlight: Highlight) -> None:
    session = _reached(game, highlight)
    assert session.over or highlight.question(session) in session.questions()


def test_no_two_highlights_are_the_same_picture() -> None:
    scenes = [scene for game in GAMES for highlight in game.highlights for scene in highlight.scenes]
    assert len(set(scenes)) == len(scenes)
