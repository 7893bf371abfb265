"""V: Produce (p. 7, and the powers on p. 11)."""

from __future__ import annotations

import pytest

from companion.core.words import component_of
from companion.games.race.cards import deck
from companion.games.race.state import RaceState, Seat
from companion.games.race.steps.produce import BeginProduce
from tests.games.race.race_tables import answer, asked, at, number, options, seat, table, told

PRODUCE = BeginProduce("produce")
BONUS = ("produce",)
START = ("new-sparta", "alpha-centauri")
WORLDS = [c for c in deck("first") if c.is_world and c.id not in START]


def producing(me: Seat, *others: Seat) -> RaceState:
    """The first seat produces; the others, unless given, have no world that could."""
    return at(table(me, *(others or (seat("old-earth", hand=4),))), PRODUCE)


def made(*cards: str, goods: tuple[str, ...] = (), actions: tuple[str, ...] = ()) -> RaceState:
    return producing(seat("new-sparta", *cards, hand=4, goods=goods, actions=actions))


def drawn(state: RaceState, who: int = 0) -> int:
    return state.seats[who].hand - 4


# Production worlds


@pytest.mark.parametrize("world", [c.id for c in WORLDS if c.world == "production"])
def test_a_production_world_makes_its_good(world: str) -> None:
    state = made(world)
    assert state.seats[0].goods == (world,)
    assert len(told(state, "race.goods", 0)) == 1


@pytest.mark.parametrize("world", [c.id for c in WORLDS if c.world != "production"])
def test_other_worlds_make_no_good_by_themselves(world: str) -> None:
    goods = made(world).seats[0].goods
    assert goods == ()


def test_a_world_holds_one_good() -> None:
    state = made("artist-colony", goods=("artist-colony",))
    assert state.seats[0].goods == ("artist-colony",)
    assert state.seats[0].produced == ()


def test_every_player_produces_even_if_only_one_chose_it() -> None:
    state = producing(seat("new-sparta", "gem-world", actions=BONUS), seat("earths-lost-colony"))
    assert [s.goods for s in state.seats] == [("gem-world",), ("earths-lost-colony",)]


def test_goods_come_from_the_pile_not_from_hands() -> None:
    before = table(seat("new-sparta", "artist-colony", "new-vinland", hand=4), seat("old-earth", hand=4))
    after = at(before, PRODUCE)
    assert after.in_piles() == before.in_piles() - 2
    assert after.seats[0].hand == 4


def test_without_a_card_in_the_piles_there_is_no_good() -> None:
    state = producing(seat("new-sparta", "gem-world", hand=110), seat("old-earth", hand=1))
    assert state.in_piles() == 0
    assert state.seats[0].goods == ()
    assert state.seats[0].produced == ()
    assert drawn(state) == 106


def test_no_windfall_good_is_told_without_a_card_for_it() -> None:
    me = seat("new-sparta", "asteroid-belt", hand=110, actions=BONUS)
    state = producing(me, seat("old-earth", hand=1))
    assert state.seats[0].goods == ()
    assert not told(state, "race.good-via")


# Windfall worlds


def test_who_chose_produce_makes_one_windfall_good() -> None:
    assert made("asteroid-belt", actions=BONUS).seats[0].goods == ("asteroid-belt",)


def test_the_player_chooses_the_windfall_world_the_most_expensive_first() -> None:
    state = made("refugee-world", "asteroid-belt", "deserted-alien-outpost", "empath-world", actions=BONUS)
    assert options(state, 0) == ["deserted-alien-outpost", "empath-world", "asteroid-belt", "refugee-world"]
    state = answer(state, 0, "refugee-world")
    assert state.seats[0].goods == ("refugee-world",)
    assert not state.agenda


def test_a_windfall_world_with_a_good_is_not_offered() -> None:
    state = made("refugee-world", "asteroid-belt", goods=("asteroid-belt",), actions=BONUS)
    assert state.seats[0].goods == ("asteroid-belt", "refugee-world")


def test_the_bonus_without_an_empty_windfall_world_is_nothing() -> None:
    state = made("refugee-world", goods=("refugee-world",), actions=BONUS)
    assert state.seats[0].goods == ("refugee-world",)
    assert made("pilgrimage-world", actions=BONUS).seats[0].goods == ()


def test_the_bonus_is_not_for_production_worlds() -> None:
    state = made("artist-colony", "refugee-world", actions=BONUS)
    assert set(state.seats[0].goods) == {"artist-colony", "refugee-world"}


@pytest.mark.parametrize(
    ("card", "kind"),
    [
        ("expanding-colony", "novelty"),
        ("free-trade-association", "novelty"),
        ("mining-robots", "rare"),
        ("mining-league", "rare"),
        ("genetics-lab", "genes"),
        ("alien-rosetta-stone-world", "alien"),
    ],
)
def test_powers_for_windfall_worlds_of_one_kind(card: str, kind: str) -> None:
    one_of_each = {
        "novelty": "refugee-world",
        "rare": "asteroid-belt",
        "genes": "empath-world",
        "alien": "deserted-alien-outpost",
    }
    state = made(card, *one_of_each.values())
    assert not state.agenda
    assert state.seats[0].goods == (one_of_each[kind],)
    assert len(told(state, "race.good-via", 0)) == 1


def test_a_power_for_one_kind_makes_one_good() -> None:
    state = made("mining-robots", "asteroid-belt", "radioactive-world")
    assert set(options(state, 0)) == {"asteroid-belt", "radioactive-world"}
    assert answer(state, 0, "asteroid-belt").seats[0].goods == ("asteroid-belt",)


def test_two_powers_for_one_kind_make_two_goods() -> None:
    state = made("mining-robots", "mining-league", "asteroid-belt", "radioactive-world", "destroyed-world")
    state = answer(state, 0, "radioactive-world")
    state = answer(state, 0, "destroyed-world")
    assert not state.agenda
    assert state.seats[0].goods == ("radioactive-world", "destroyed-world")


def test_galactic_engineers_make_any_windfall_good() -> None:
    assert made("galactic-engineers", "empath-world").seats[0].goods == ("empath-world",)
    state = made("galactic-engineers", "empath-world", "refugee-world", "asteroid-belt", actions=BONUS)
    state = answer(state, 0, "refugee-world")
    assert set(options(state, 0)) == {"empath-world", "asteroid-belt"}


def test_the_bonus_and_the_powers_make_as_many_goods_as_they_can() -> None:
    cards = ("genetics-lab", "galactic-engineers", "empath-world", "refugee-world", "asteroid-belt")
    state = made(*cards, actions=BONUS)
    state = answer(state, 0, "asteroid-belt")
    assert not state.agenda
    assert set(state.seats[0].goods) == {"empath-world", "refugee-world", "asteroid-belt"}


def test_powers_for_windfall_worlds_do_not_need_the_bonus() -> None:
    assert made("genetics-lab", "empath-world").seats[0].goods == ("empath-world",)


# Draws


@pytest.mark.parametrize(
    ("card", "cards"),
    [
        ("gem-world", 1),
        ("comet-zone", 1),
        ("mining-world", 1),
        ("lost-species-ark-world", 2),
        ("artist-colony", 0),
        ("rebel-underground", 1),
        ("merchant-guild", 2),
    ],
)
def test_draws_for_producing(card: str, cards: int) -> None:
    state = made(card)
    assert drawn(state) == cards
    assert sum(number(t) for t in told(state, "race.draw", 0)) == cards


@pytest.mark.parametrize("world", ["gem-world", "comet-zone", "mining-world", "lost-species-ark-world"])
def test_no_draw_from_a_world_that_already_had_a_good(world: str) -> None:
    assert drawn(made(world, goods=(world,))) == 0


@pytest.mark.parametrize("helper", ["mining-robots", "galactic-engineers", "mining-league"])
def test_runaway_robots_draw_when_a_good_is_made_there(helper: str) -> None:
    assert drawn(made("runaway-robots")) == 0
    assert drawn(made("runaway-robots", helper)) == 1
    assert drawn(made("runaway-robots", helper, goods=("runaway-robots",))) == 0
    assert drawn(made("runaway-robots", actions=BONUS)) == 1


def test_runaway_robots_draw_nothing_when_another_world_got_the_good() -> None:
    state = made("runaway-robots", "asteroid-belt", actions=BONUS)
    assert drawn(answer(state, 0, "asteroid-belt")) == 0
    assert drawn(answer(state, 0, "runaway-robots")) == 1


def test_consumer_markets_draw_for_each_novelty_good_made() -> None:
    goods = ("artist-colony", "new-vinland", "space-port", "comet-zone")
    assert drawn(made("consumer-markets", *goods)) == 3 + 1  # and one for Comet Zone
    assert drawn(made("consumer-markets", *goods, goods=("artist-colony", "comet-zone"))) == 2


def test_research_labs_draw_for_each_alien_good_made() -> None:
    assert drawn(made("research-labs", "alien-robotic-factory", "artist-colony")) == 1
    state = made("research-labs", "alien-robotic-factory", "deserted-alien-outpost", actions=BONUS)
    assert drawn(state) == 2
    assert drawn(made("research-labs", "alien-robotic-factory", goods=("alien-robotic-factory",))) == 0


def test_diversified_economy_draws_for_each_kind_made() -> None:
    worlds = ("artist-colony", "new-vinland", "imperium-armaments-world", "plague-world")
    assert drawn(made("diversified-economy", *worlds)) == 3
    assert drawn(made("diversified-economy", *worlds, "alien-robotic-factory")) == 4
    assert drawn(made("diversified-economy", *worlds, goods=("plague-world",))) == 2
    assert drawn(made("diversified-economy", *worlds, goods=worlds)) == 0


def test_diversified_economy_counts_goods_made_by_the_bonus() -> None:
    assert drawn(made("diversified-economy", "artist-colony", "asteroid-belt", actions=BONUS)) == 2


def test_pan_galactic_league_draws_for_each_genes_world_good_or_not() -> None:
    worlds = ("empath-world", "avian-uplift-race", "distant-world", "artist-colony")
    assert drawn(made("pan-galactic-league", *worlds, goods=("empath-world", "distant-world"))) == 3
    assert drawn(made("pan-galactic-league")) == 0


def test_draws_of_several_cards_are_told_together_with_their_parts() -> None:
    state = made("merchant-guild", "gem-world", "consumer-markets")
    (text,) = told(state, "race.draw", 0)
    assert number(text) == 2 + 1 + 1
    parts = text.args["because"]
    assert isinstance(parts, tuple)
    assert [component_of(part.args["name"]) for part in parts] == [
        "merchant-guild",
        "gem-world",
        "consumer-markets",
    ]


def test_without_powers_nothing_is_drawn() -> None:
    state = made("artist-colony", "plague-world", actions=BONUS)
    assert drawn(state) == 0
    assert not told(state, "race.draw")


# Mining Conglomerate


def miner(*worlds: str, start: str = "new-sparta", goods: tuple[str, ...] = ()) -> Seat:
    return seat(start, "mining-conglomerate", *worlds, hand=4, goods=goods)


def test_mining_conglomerate_draws_two_for_the_most_rare_goods() -> None:
    assert drawn(producing(miner("rebel-miners"))) == 2
    state = producing(
        miner("rebel-miners", "imperium-armaments-world"),
        seat("old-earth", "bio-hazard-mining-world", hand=4),
    )
    assert [drawn(state, who) for who in (0, 1)] == [2, 0]


def test_mining_conglomerate_draws_nothing_on_a_tie() -> None:
    state = producing(miner("rebel-miners"), seat("old-earth", "bio-hazard-mining-world", hand=4))
    assert drawn(state) == 0


def test_mining_conglomerate_draws_nothing_for_fewer_or_none() -> None:
    others = seat("old-earth", "bio-hazard-mining-world", "imperium-armaments-world", hand=4)
    assert drawn(producing(miner("rebel-miners"), others)) == 0
    assert drawn(producing(miner("artist-colony"))) == 0


def test_mining_conglomerate_must_beat_every_other_player() -> None:
    one, two = seat("old-earth", hand=4), seat("epsilon-eridani", "bio-hazard-mining-world", hand=4)
    assert drawn(producing(miner("rebel-miners"), one, two)) == 0
    assert drawn(producing(miner("rebel-miners"), one)) == 2


def test_mining_conglomerate_counts_goods_made_now_not_goods_lying_there() -> None:
    full = miner("rebel-miners", "imperium-armaments-world", goods=("imperium-armaments-world",))
    state = producing(full, seat("old-earth", "bio-hazard-mining-world", hand=4))
    assert drawn(state) == 0


def test_mining_conglomerate_counts_windfall_goods_and_waits_for_everybody() -> None:
    other = seat(
        "old-earth", "bio-hazard-mining-world", "asteroid-belt", "refugee-world", hand=4, actions=BONUS
    )
    state = producing(miner("rebel-miners", "imperium-armaments-world"), other)
    assert drawn(state) == 0
    assert asked(state, 1) is not None
    assert drawn(answer(state, 1, "refugee-world")) == 2
    assert drawn(answer(state, 1, "asteroid-belt")) == 0


def test_two_mining_conglomerates_at_a_tie_draw_nothing() -> None:
    state = producing(miner("rebel-miners"), miner("bio-hazard-mining-world", start="old-earth"))
    assert [drawn(state, who) for who in (0, 1)] == [0, 0]


def test_what_was_made_in_an_earlier_round_does_not_count() -> None:
    state = producing(miner("rebel-miners"), seat("old-earth", hand=4))
    assert drawn(state) == 2
    assert drawn(at(state, PRODUCE)) == 2


def test_a_windfall_good_says_which_power_made_it() -> None:
    state = made("mining-robots", "asteroid-belt")
    (text,) = told(state, "race.good-via", 0)
    assert text.args["via"] == state.name("mining-robots")
