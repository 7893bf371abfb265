"""Research in five steps, types, events and guilds (rules 84 to 121)."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from companion.core.agenda import advance
from companion.games.beyond import operations as op
from companion.games.beyond.corrections import correct
from companion.games.beyond.prerequisites import reachable, search, types_passed
from companion.games.beyond.sheet import sheet_of_state
from companion.games.beyond.state import BeyondState, Colony, Node
from companion.games.beyond.steps.events import ResolveEvent
from companion.games.beyond.steps.turn import ChooseSpace
from tests.games.beyond.tables import asked, does, offers, say, seat, table

EXAMPLE = {
    "technology-board.lines_2": [
        {"one": "i-1", "other": "ii-a"},
        {"one": "i-1", "other": "ii-b"},
        {"one": "ii-b", "other": "i-2"},
        {"one": "i-2", "other": "ii-c"},
        {"one": "i-2", "other": "ii-d"},
        {"one": "i-3", "other": "ii-d"},
        {"one": "i-3", "other": "ii-e"},
        {"one": "i-4", "other": "ii-f"},
    ],
    "technology-board.lines_4": [{"one": f"iii-{c}", "other": "iiii-b"} for c in "abc"],
    "technology-board.two_of_three": ["iiii-b"],
    "plasma-cannon.immediate": [{"does": "gain-ore", "n": 2}],
    "plasma-cannon.passes": "military",
    "plasma-cannon.actions": [],
    "plasma-cannon.abilities": [],
    "tyler-lee.effects": [{"does": "uncover-guild", "guild_level": 1}],
    "tyler-lee.lies": "discarded",
    "event-ii-1.effects": [{"does": "everyone", "effects": [{"does": "gain-ore"}], "may": True}],
    "event-ii-1.lies": "discarded",
    "professors-guild.guild_level": 1,
    "terraformers-guild.guild_level": 1,
    "technocrats-guild.guild_level": 2,
    "metascientists-guild.guild_level": 2,
}
"""The first level II spaces as in the example of p. 16; the rest is made up."""


def darek(**other: Any) -> BeyondState:
    """Lasers and Terraforming researched, as in the example of p. 16."""
    options: dict[str, Any] = {"researched": {"i-1": (0,), "i-2": (0,)}, "taught": EXAMPLE, **other}
    return table(seat(ore=2, population=1), seat(), seat(), **options)


def test_the_example_of_page_16() -> None:
    """A, B or C, not D, E or F; B: the event, then military or commerce, two cards, one laid, its bonus."""
    state = does(darek(), op.PayOre(n=2), op.Research(level=2))
    assert offers(state) == {"ii-a", "ii-b", "ii-c"}
    state = say(state, "ii-b")
    assert state.seats[0].population == 0
    assert state.node("ii-b") == Node("", (0,))
    assert asked(state).slug == "beyond.event", "after the cube, before the card (rule 90)"
    state = say(state, "tyler-lee", "professors-guild")
    assert state.guilds == ("professors-guild",)
    assert offers(state) == {"military", "commerce"}
    state = say(state, "military")
    assert {"human-experiments", "plasma-cannon"} <= offers(state)
    state = say(state, "plasma-cannon")
    assert state.node("ii-b") == Node("plasma-cannon", (0,))
    assert state.seats[0].ore == 2
    assert state.agenda == ()


def test_later_researchers_get_the_bonus_without_event_or_search() -> None:
    """Rule 97: the discoverer gets nothing more."""
    state = darek(tree={"ii-b": Node("plasma-cannon", (1,))})
    state = say(does(state, op.Research(level=2)), "ii-b")
    assert [who.ore for who in state.seats] == [4, 0, 0]
    assert state.agenda == ()
    assert state.node("ii-b").seats == (1, 0)


def test_the_eye_sees_only_what_was_discovered() -> None:
    """Rule 88."""
    state = darek(tree={"ii-b": Node("plasma-cannon", (1,))})
    assert reachable(state, 0, op.Research(level=2, discovered=True)) == ("ii-b",)
    assert reachable(state, 0, op.Research(level=2)) == ("ii-a", "ii-b", "ii-c")


def test_one_technology_is_researched_once() -> None:
    """Rule 85."""
    state = darek(researched={"i-1": (0,), "i-2": (0,), "ii-a": (0,)})
    assert reachable(state, 0, op.Research(level=2)) == ("ii-b", "ii-c")
    assert reachable(state, 0, op.Research(level=1)) == ("i-3", "i-4")


def test_two_of_three_are_enough_and_only_theirs_are_the_types() -> None:
    """Rules 87 and 93."""
    third = {"iii-a": "transdimensional-ai", "iii-b": "capital-ship", "iii-c": "android-rights-movement"}
    tree = {space: Node(card, (0,) if space != "iii-c" else (1,)) for space, card in third.items()}
    state = darek(tree=tree)
    assert "iiii-b" in (reachable(state, 0, op.Research(level=4)) or ())
    assert types_passed(state, "iiii-b", state.researched(0)) == ("science", "military")
    one = darek(tree={**tree, "iii-a": Node("transdimensional-ai", (1,))})
    assert "iiii-b" not in (reachable(one, 0, op.Research(level=4)) or ())
    all_three = darek(tree={**tree, "iii-c": Node("android-rights-movement", (0,))})
    assert types_passed(all_three, "iiii-b", all_three.researched(0)) == ("science", "economy", "military")


def test_level_four_has_no_event_but_a_search() -> None:
    """Rule 91."""
    third = {"iii-a": "transdimensional-ai", "iii-b": "transdimensional-ai"}
    tree = {space: Node(card, (0,)) for space, card in third.items()}
    state = say(does(darek(tree=tree), op.Research(level=4)), "iiii-b")
    assert asked(state).slug == "beyond.which-card"


def test_cards_are_revealed_until_two_match() -> None:
    """Rules 92 to 95: four revealed, the second and the fourth match, three go to the bottom."""
    deck = [{"science"}, {"economy", "military"}, {"commerce"}, {"military"}, {"science", "commerce"}]
    assert search([frozenset(types) for types in deck], "military") == (4, (1, 3))


def test_fewer_than_two_matching_cards() -> None:
    """Rule 96: the whole deck is seen; choose among those found."""
    deck = [frozenset({"science"}), frozenset({"military"})]
    assert search(deck, "military") == (2, (1,))
    assert search(deck, "commerce") == (2, ())


def test_with_none_found_the_table_decides() -> None:
    state = does(darek(), op.Research(level=2))
    state = say(state, "ii-a", "tyler-lee", "professors-guild", "none-found")
    assert state.node("ii-a") == Node("", (0,))
    assert state.agenda == ()


def test_a_hybrid_matches_both_of_its_types() -> None:
    """Rule 94: only cards that may match are offered; whatever nobody told may."""
    state = darek(
        researched={"i-1": (0,), "ii-a": (0,)},
        tree={"ii-a": Node("plasma-cannon", (0,))},
        taught={
            **EXAMPLE,
            "technology-board.lines_3": [{"one": "ii-a", "other": "iii-a"}],
            "event-iii-1.effects": [],
            "event-iii-1.lies": "discarded",
        },
    )
    state = say(does(state, op.Research(level=3)), "iii-a", "event-iii-1")
    assert {"planetary-scale-research", "capital-ship", "hyperdrive-boosters"} <= offers(state)
    assert not {"transdimensional-ai", "subatomic-fabrication"} & offers(state)


def test_transdimensional_ai_may_lack_one_of_two_on_discovered_ones() -> None:
    """Rule 101."""
    tree = {"ii-b": Node("plasma-cannon", (1,)), "iii-a": Node("transdimensional-ai", (0,))}
    state = darek(tree=tree, researched={"i-1": (0,)})
    assert "ii-b" in (reachable(state, 0, op.Research(level=2)) or ())
    assert "ii-d" not in (reachable(state, 0, op.Research(level=2)) or ()), "not discovered"
    without = darek(tree={"ii-b": Node("plasma-cannon", (1,))}, researched={"i-1": (0,)})
    assert "ii-b" not in (reachable(without, 0, op.Research(level=2)) or ())


def test_planetary_scale_research_counts_colonies() -> None:
    """One more than systems colonised, at most level IIII."""
    research = op.Research(level="colonised+1")
    for colonies, spaces in ((0, {"i-3", "i-4"}), (1, {"ii-a", "ii-b", "ii-c"})):
        owned = tuple(Colony(f"system-{n + 10}") for n in range(colonies))
        state = darek()
        state = state.with_seat(0, replace(state.seats[0], colonies=owned))
        assert set(reachable(state, 0, research) or ()) == spaces


def test_an_event_for_everybody_goes_clockwise_from_the_discoverer() -> None:
    """Rule 109, reading."""
    state = does(darek(), op.Research(level=2))
    state = say(state, "ii-a", "event-ii-1")
    order = []
    while asked(state).slug == "beyond.may-do":
        order.append(asked(state).seat)
        state = say(state, "do" if len(order) != 2 else "leave")
    assert order == [0, 1, 2]
    assert [who.ore for who in state.seats] == [3, 0, 1]


def test_kc_24x_is_kept_and_uncovers_a_guild_of_level_2() -> None:
    """Rule 110: 1 VP for its discoverer, at once and for good."""
    state = advance(darek().push(ResolveEvent(0, "kc-24x")))
    assert offers(state) == {"technocrats-guild", "metascientists-guild"}
    before = sheet_of_state(state).seats[0].total
    state = say(state, "metascientists-guild")
    assert state.kept["kc-24x"].seat == 0
    assert sheet_of_state(state).seats[0].total == before + 1


def test_where_no_tile_of_the_level_is_left_nothing_is_uncovered() -> None:
    """Rule 121, reading."""
    state = darek(guilds=("technocrats-guild", "metascientists-guild"))
    assert does(state, op.UncoverGuild(guild_level=2)).agenda == ()


def test_a_private_technology_needs_no_cube_and_gives_its_bonus() -> None:
    """Rules 102, 103: nobody else may research it, and it is no prerequisite."""
    state = does(darek(), op.PrivateTechnology(private_level=3))
    state = say(state, "quantum-data-exchange")
    who = state.seats[0]
    assert who.private == ("quantum-data-exchange",)
    assert (who.population, who.ore, who.automation) == (1, 4, ("ore",))
    assert "quantum-data-exchange" not in state.free_technologies(3)


def test_discovered_ones_are_open_whatever_their_type() -> None:
    """Rule 100."""
    state = darek(tree={"ii-a": Node("technology-ii-9", (1,))})
    assert "ii-a" in (reachable(state, 0, op.Research(level=2)) or ())


def test_untold_lines_are_asked_once_and_then_known() -> None:
    """Nobody may guess the tree: the action is offered, and the lines are asked when it is chosen."""
    taught = {key: value for key, value in {**EXAMPLE}.items() if "lines_2" not in key}
    state = table(seat(ore=2, population=1), seat(), researched={"i-1": (0,), "i-2": (0,)}, taught=taught)
    state = replace(state, taught={k: v for k, v in state.taught.items() if k != "technology-board.lines_2"})
    state = does(state, op.Research(level=2))
    assert asked(state).facts == ("technology-board.lines_2",)
    state = say(state, '[{"one":"i-1","other":"ii-a"}]')
    assert "ii-a" in offers(state)


def undrawn(state: BeyondState, *fields: str) -> BeyondState:
    """The same table where nobody drew these lines."""
    names = {f"technology-board.{field}" for field in fields}
    return replace(state, taught={key: value for key, value in state.taught.items() if key not in names})


def choosing(*fields: str, **who: Any) -> BeyondState:
    """Ania before she moves her pawn, with one level I technology, at a board without these lines."""
    here = {"ore": 2, "population": 1, **who}
    state = table(seat(**here), seat(), researched={"i-1": (0,)}, taught=EXAMPLE)
    return advance(undrawn(state, *fields).push(ChooseSpace(0)))


def test_lines_are_asked_before_anything_is_paid() -> None:
    """Rules 44, 86: if they forbid the action, the pawn has not moved and the ore is still there."""
    state = say(choosing("lines_2"), "basic-2:research-2:0")
    assert asked(state).facts == ("technology-board.lines_2",)
    assert (state.seats[0].ore, state.seats[0].pawn) == (2, "")
    joined = say(state, '[{"one":"i-1","other":"ii-a"}]')
    assert (asked(joined).slug, joined.seats[0].ore) == ("beyond.research", 0)
    apart = say(state, '[{"one":"i-2","other":"ii-a"}]')
    assert (asked(apart).slug, apart.seats[0].ore, apart.seats[0].pawn) == ("beyond.action", 2, "")
    assert "basic-2:research-2:0" not in offers(apart)


def test_lines_are_asked_before_one_of_several_effects_is_chosen() -> None:
    """Rule 165: only what can be carried out is offered."""
    pay = op.Choice(effects=(op.PayOre(n=2), op.Research(level=2)))
    state = does(choosing("lines_2"), op.Choose(options=(pay, op.Choice(effects=(op.GainOre(),)))))
    assert asked(state).facts == ("technology-board.lines_2",)
    assert offers(say(state, '[{"one":"i-1","other":"ii-a"}]')) == {"0", "1"}
    assert offers(say(state, '[{"one":"i-2","other":"ii-a"}]')) == {"1"}


def test_nothing_of_a_level_can_be_researched_without_any_of_the_level_before() -> None:
    """Rule 86: whatever the lines are, so they are not asked for."""
    state = undrawn(darek(), "lines_3")
    assert reachable(state, 0, op.Research(level=2)) is not None
    assert reachable(state, 0, op.Research(level=3)) == ()
    assert reachable(state, 0, op.Research(level=3), {"ii-a"}) is None


def test_a_space_without_a_line_is_closed() -> None:
    """Rule 86: above level I every space has one or two."""
    state = darek(taught={**EXAMPLE, "technology-board.lines_2": [{"one": "i-1", "other": "ii-a"}]})
    assert reachable(state, 0, op.Research(level=2)) == ("ii-a",)
    assert set(reachable(state, 0, op.Research(level=1)) or ()) == {"i-3", "i-4"}, "these need none"


def test_an_effect_that_needs_no_technology_before_asks_for_lines_all_the_same() -> None:
    """Rule 92: they say for which type the deck is searched."""
    state = undrawn(darek(), "lines_2")
    state = say(does(state, op.Research(level=2, any_place=True)), "ii-a", "tyler-lee", "terraformers-guild")
    assert asked(state).facts == ("technology-board.lines_2",)


def test_transdimensional_ai_does_not_help_where_nothing_was_discovered() -> None:
    """Rule 101: two needed, one there; the same space with and without a card on it."""
    taught = {**EXAMPLE, "technology-board.lines_3": [{"one": f"ii-{c}", "other": "iii-a"} for c in "ab"]}
    for card, may in (("", False), ("capital-ship", True)):
        tree = {"ii-a": Node("plasma-cannon", (0,)), "iii-a": Node(card, (1,) if card else ())}
        who = seat(population=2, private=("transdimensional-ai",))
        state = table(who, seat(), taught=taught, tree=tree)
        assert ("iii-a" in (reachable(state, 0, op.Research(level=3)) or ())) == may


def test_a_research_question_lapses_when_no_population_is_left() -> None:
    """Rule 86: a correction may take the cube away that would be placed."""
    state = does(table(seat(population=1), seat()), op.Research(level=1))
    assert asked(state).slug == "beyond.research"
    assert not advance(correct(state, "population:0", 0)).agenda
