"""The two boards as values: what lies where, its kind, what it requires, and no invented values."""

from msgspec.structs import replace

from companion.core.views import MapView, PlaceView
from companion.games.beyond.component_types import ids
from companion.games.beyond.map_view import space_map, tree_map
from companion.games.beyond.operations import UncoverGuild
from companion.games.beyond.state import Base, BeyondState, Node
from companion.texts import render
from tests.games.beyond.tables import asked, does, seat, table


def places(map: MapView) -> dict[str, PlaceView]:
    return {place.id: place for place in map.places}


def tree(state: BeyondState) -> dict[str, PlaceView]:
    return places(tree_map(state))


def words(place: PlaceView, language: str = "en") -> str:
    return render(place.label, language)


def untold(state: BeyondState, fact: str) -> BeyondState:
    """The same table, where nobody told this."""
    return replace(state, taught={key: value for key, value in state.taught.items() if key != fact})


def test_a_technology_has_its_kind_its_cubes_and_its_pawn():
    state = table(
        seat(pawn="advanced-genetics:0:0"),
        seat(),
        researched={"i-3": (1, 0)},
        taught={"advanced-genetics.types": ["science", "military"]},
    )
    shown = tree(state)["i-3"]
    assert words(shown) == "Advanced Genetics"
    assert [sign.symbol for sign in shown.kinds] == ["military", "science"]
    assert shown.tints == ("military", "science")
    assert [(token.sign.symbol, token.seat, token.mark) for token in shown.tokens] == [
        ("action", 0, False),
        ("population", 1, True),
        ("population", 0, True),
    ]
    assert not shown.covered


def test_a_technology_shows_what_its_action_takes_and_does():
    action = {"spaces": 1, "ore_cost": 3, "effects": [{"does": "jump", "points": 2}]}
    state = table(seat(), seat(), taught={"advanced-robotics.actions": [action]})
    shown = tree(state)["i-4"].corners
    assert [(sign.symbol, sign.value) for sign in shown if sign.value] == [
        ("ore", "\N{MINUS SIGN}3"),
        ("jump", "2"),
    ]


def test_what_nobody_told_is_a_question_mark_and_what_lies_face_down_says_so():
    state = untold(
        table(seat(), seat(), tree={"ii-a": Node("technology-ii-9"), "ii-c": Node("", (0,))}),
        "technology-ii-9.types",
    )
    shown = tree(state)
    assert [sign.symbol for sign in shown["ii-a"].kinds] == ["unknown"]
    assert shown["ii-b"].covered
    assert [sign.symbol for sign in shown["ii-b"].kinds] == ["event"]
    assert not shown["ii-c"].kinds, "its event was turned over"
    assert not shown["iiii-a"].kinds, "level IIII has none"


def test_guilds_have_a_card_once_they_are_open_and_a_line_while_they_are_covered():
    state = table(seat(), seat(), guilds=())
    guilds = ids("guilds")
    assert not set(guilds) & set(tree(state))
    assert words(tree(state)["guilds"]) == f"{len(guilds)} guilds covered"
    assert words(tree(state)["guilds"], "pl") == f"{len(guilds)} gildie zakryte"
    state = replace(state, guilds=tuple(guilds[:1]))
    assert {guilds[0], "guilds"} <= set(tree(state))
    state = replace(state, guilds=tuple(guilds))
    assert set(guilds) <= set(tree(state))
    assert "guilds" not in tree(state)


def test_which_guild_is_uncovered_is_asked_with_what_each_does_not_on_the_board():
    levels = {f"{guild}.guild_level": 1 for guild in ids("guilds")}
    state = does(table(seat(), seat(), guilds=(), taught=levels), UncoverGuild(guild_level=1))
    options = asked(state).options
    assert options
    assert all(option.place is None and option.detail is not None for option in options)


def test_a_system_shows_the_strength_it_needs_or_that_nobody_told():
    state = table(seat("a1:2"), seat(), bases={"a2": Base(1, "ore")})
    shown = places(space_map(state))
    strength = {id: [s.value for s in place.corners if s.symbol == "strength"] for id, place in shown.items()}
    assert strength["a1"] == ["3"]
    unknown = untold(table(seat(), seat()), "barnards-star.strength")
    assert not unknown.system("barnards-star").strength
    assert [s.value for s in places(space_map(unknown))["a1"].corners if s.symbol == "strength"] == ["?"]
    assert shown["a2"].seat == 1
    assert [(t.sign.symbol, t.sign.value, t.seat) for t in shown["a1"].tokens] == [("ship", "2", 0)]
    assert shown["sol"].shape == "disc"
