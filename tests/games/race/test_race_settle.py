"""III: Settle (p. 5, and the powers on p. 9): pay or conquer, never both."""

from __future__ import annotations

import pytest

from companion.core.understand import Sighted, understand
from companion.core.words import component_of, inside
from companion.games.race.cards import deck
from companion.games.race.state import RaceState, Seat
from companion.games.race.steps.place import BeginPlacing
from tests.games.race.race_tables import (
    answer,
    asked,
    at,
    everybody,
    number,
    options,
    passing,
    question,
    seat,
    session,
    table,
    told,
)

SETTLE = BeginPlacing("settle")
OTHER = seat("earths-lost-colony", hand=1)


def settling(me: Seat, edition: str = "first") -> RaceState:
    return at(table(me, OTHER, edition=edition), SETTLE)


def revealed(me: Seat, world: str) -> RaceState:
    """The table after the first seat revealed this world; a choice of ways is still open."""
    return passing(answer(settling(me), 0, world))


def settled(me: Seat, world: str, way: str | None = None) -> RaceState:
    state = revealed(me, world)
    if way is not None:
        state = answer(state, 0, way)
    assert not state.agenda
    return state


def ways(me: Seat, world: str) -> set[str]:
    """The ways this seat has for this world; the empty set if it is not even offered."""
    if world not in options(settling(me), 0):
        return set()
    state = revealed(me, world)
    if asked(state, 0) is None:
        return {"conquer" if told(state, "race.conquer", 0) else "pay"}
    return set(options(state, 0))


def paid(state: RaceState) -> int:
    (text,) = told(state, "race.pay", 0)
    return number(text)


def strength(state: RaceState) -> int:
    (text,) = told(state, "race.conquer", 0)
    return number(text)


# Paying


@pytest.mark.parametrize(
    "world", [c.id for c in deck("first") if c.is_world and c.cost is not None and not c.is_start]
)
def test_a_world_with_a_cost_is_paid_from_the_hand(world: str) -> None:
    cost = deck("first")[world].cost
    assert cost is not None
    state = settled(seat("old-earth", hand=8), world)
    assert paid(state) == cost
    assert state.seats[0].hand == 8 - 1 - cost


def test_military_does_not_pay() -> None:
    me = seat("new-sparta", "drop-ships", "space-marines", hand=6)
    assert paid(settled(me, "terraformed-world")) == 5
    assert ways(seat("new-sparta", "drop-ships", "space-marines", hand=5), "terraformed-world") == set()


def test_the_world_itself_does_not_pay() -> None:
    assert "terraformed-world" not in options(settling(seat("old-earth", hand=5)), 0)
    assert "terraformed-world" in options(settling(seat("old-earth", hand=6)), 0)


def test_a_free_world_needs_no_other_card() -> None:
    assert "pilgrimage-world" in options(settling(seat("old-earth", hand=1)), 0)


def test_developments_are_not_settled_and_one_may_settle_nothing() -> None:
    offered = options(settling(seat("old-earth")), 0)
    assert offered[0] == "pass"
    assert all(deck("first")[id].is_world for id in offered[1:])


def test_a_world_in_another_tableau_cannot_be_settled() -> None:
    state = at(table(seat("old-earth"), seat("new-sparta", "gem-world")), SETTLE)
    assert "gem-world" not in options(state, 0)


@pytest.mark.parametrize(
    ("cards", "world", "cost"),
    [
        (("replicant-robots",), "new-earth", 3),
        (("mining-robots",), "new-earth", 4),
        (("alpha-centauri",), "new-earth", 4),
        (("replicant-robots", "mining-robots", "alpha-centauri"), "new-earth", 1),
        (("replicant-robots", "mining-robots"), "destroyed-world", 0),
        (("mining-robots",), "distant-world", 4),
        (("alien-rosetta-stone-world",), "alien-robotic-factory", 4),
        (("alien-tech-institute",), "deserted-alien-library", 4),
        (
            ("alien-tech-institute", "alien-rosetta-stone-world", "replicant-robots"),
            "deserted-alien-colony",
            0,
        ),
        (("alien-tech-institute",), "alien-rosetta-stone-world", 3),
        (("galactic-federation", "investment-credits"), "new-earth", 5),
    ],
)
def test_reductions_of_settle(cards: tuple[str, ...], world: str, cost: int) -> None:
    assert paid(settled(seat("old-earth", *cards), world)) == cost


# Windfall


@pytest.mark.parametrize("world", [c.id for c in deck("first") if c.is_windfall])
def test_a_windfall_world_comes_with_a_good(world: str) -> None:
    start = "alpha-centauri" if world != "alpha-centauri" else "old-earth"
    me = seat(start, "drop-ships", "space-marines", "alien-tech-institute")
    state = settled(me, world)
    assert state.seats[0].goods == (world,)
    assert [component_of(t.args["world"]) for t in told(state, "race.good", 0)] == [world]


@pytest.mark.parametrize("world", ["gem-world", "new-earth", "pilgrimage-world", "alien-rosetta-stone-world"])
def test_other_worlds_come_without_a_good(world: str) -> None:
    state = settled(seat("old-earth"), world)
    assert state.seats[0].goods == ()
    assert not told(state, "race.good")


def test_the_windfall_good_comes_from_the_pile_not_from_the_hand() -> None:
    state = settled(seat("old-earth", hand=3), "asteroid-belt")
    assert state.seats[0].hand == 0
    assert state.in_piles() == 114 - 3 - 1 - 1  # three cards in tableaux, one good, the other's hand


def test_without_a_card_in_the_piles_there_is_no_windfall_good() -> None:
    state = settled(seat("old-earth", hand=111), "refugee-world")
    assert state.in_piles() == 0
    assert state.seats[0].goods == ()
    assert not told(state, "race.good")


# Conquering


@pytest.mark.parametrize("world", [c.id for c in deck("first") if c.is_military and not c.is_start])
def test_a_military_world_is_conquered_with_military_of_its_defence_and_costs_nothing(world: str) -> None:
    defense = deck("first")[world].defense
    assert defense is not None
    enough: dict[int, tuple[str, ...]] = {1: ("expedition-force",), 2: ("space-marines",), 3: ("drop-ships",)}
    enough |= {4: ("drop-ships", "expedition-force"), 5: ("drop-ships", "space-marines")}
    enough |= {6: (*enough[5], "expedition-force"), 7: (*enough[5], "new-galactic-order")}
    state = settled(seat("old-earth", *enough[defense], hand=1), world)
    assert strength(state) == defense
    assert state.seats[0].hand == 0
    assert not told(state, "race.pay")
    too_few = seat("old-earth", *enough[defense], "refugee-world")
    assert world not in options(settling(too_few), 0)


def test_a_military_world_is_never_paid_for_without_contact_specialist() -> None:
    assert ways(seat("old-earth"), "runaway-robots") == set()


def test_military_adds_up_and_may_be_reduced() -> None:
    me = seat("new-sparta", "space-marines", "empath-world", "pan-galactic-league")
    assert strength(settled(me, "avian-uplift-race")) == 2 + 2 - 1 - 1


def test_negative_military_is_not_optional() -> None:
    assert ways(seat("new-sparta"), "avian-uplift-race") == {"conquer"}
    assert ways(seat("new-sparta", "refugee-world"), "avian-uplift-race") == set()


def test_military_is_not_used_up() -> None:
    state = settled(seat("new-sparta"), "avian-uplift-race")
    state = at(state, SETTLE)
    assert "aquatic-uplift-race" in options(state, 0)


@pytest.mark.parametrize(
    ("card", "world", "n"),
    [
        ("galactic-imperium", "rebel-outpost", 2 + 3 + 4),
        ("galactic-imperium", "pirate-world", 2 + 3),
        ("alien-tech-institute", "lost-alien-warship", 2 + 3 + 2),
        ("alien-tech-institute", "rebel-outpost", 2 + 3),
        ("alien-rosetta-stone-world", "alien-robot-sentry", 2 + 3 + 2),
        ("alpha-centauri", "runaway-robots", 2 + 3 + 1),
        ("alpha-centauri", "avian-uplift-race", 2 + 3),
    ],
)
def test_military_against_one_kind_counts_only_there(card: str, world: str, n: int) -> None:
    assert strength(settled(seat("new-sparta", "drop-ships", card), world)) == n


def test_military_against_a_kind_makes_the_difference() -> None:
    assert ways(seat("alpha-centauri"), "rebel-fuel-cache") == {"conquer"}
    assert ways(seat("old-earth"), "rebel-fuel-cache") == set()
    assert ways(seat("old-earth", "galactic-imperium"), "rebel-fuel-cache") == {"conquer"}


def test_the_conquered_world_does_not_conquer_itself() -> None:
    assert ways(seat("old-earth", "expedition-force"), "former-penal-colony") == set()
    assert strength(settled(seat("new-sparta"), "former-penal-colony")) == 2


def test_a_reduction_does_not_help_to_conquer() -> None:
    assert ways(seat("old-earth", "replicant-robots", "mining-robots"), "rebel-miners") == set()


# The Settle bonus and other draws


@pytest.mark.parametrize("world", ["gem-world", "avian-uplift-race"])
def test_who_chose_settle_draws_after_placing_paid_or_conquered(world: str) -> None:
    me = seat("new-sparta", actions=("settle",))
    state = settled(me, world)
    cost = deck("first")[world].cost or 0
    assert [number(t) for t in told(state, "race.then-draw", 0)] == [1]
    assert state.seats[0].hand == 10 - 1 - cost + 1


def test_who_chose_settle_but_placed_nothing_draws_nothing() -> None:
    state = passing(settling(seat("new-sparta", actions=("settle",))))
    assert state.seats[0].hand == 10


def test_the_settle_bonus_cannot_pay_for_the_world() -> None:
    assert "gem-world" not in options(settling(seat("old-earth", hand=2, actions=("settle",))), 0)


def test_terraforming_robots_draw_after_placing_a_world() -> None:
    state = settled(seat("new-sparta", "terraforming-robots", actions=("settle",)), "avian-uplift-race")
    assert [number(t) for t in told(state, "race.then-draw", 0)] == [2]


def test_public_works_do_not_draw_in_settle() -> None:
    assert not told(settled(seat("old-earth", "public-works"), "gem-world"), "race.then-draw")


# Contact Specialist


@pytest.mark.parametrize(
    "world", [c.id for c in deck("first") if c.is_military and not c.is_start and c.good != "alien"]
)
def test_contact_specialist_pays_the_defence_less_one(world: str) -> None:
    defense = deck("first")[world].defense
    assert defense is not None
    state = settled(seat("old-earth", "contact-specialist"), world)
    assert paid(state) == defense - 1
    assert state.seats[0].hand == 10 - 1 - (defense - 1)
    assert "contact-specialist" in state.seats[0].tableau


@pytest.mark.parametrize("world", [c.id for c in deck("first") if c.is_military and c.good == "alien"])
def test_contact_specialist_never_pays_for_an_alien_good(world: str) -> None:
    me = seat("old-earth", "contact-specialist", "colony-ship", "replicant-robots", "alien-tech-institute")
    assert ways(me, world) in ({"conquer"}, set())
    assert ways(seat("old-earth", "contact-specialist", "colony-ship", "replicant-robots"), world) == set()


def test_contact_specialist_with_a_windfall_world_gives_the_good() -> None:
    assert settled(seat("old-earth", "contact-specialist"), "pirate-world").seats[0].goods == (
        "pirate-world",
    )


def test_contact_specialist_makes_conquering_harder() -> None:
    assert ways(seat("new-sparta", "contact-specialist"), "avian-uplift-race") == {"pay"}
    assert ways(seat("new-sparta", "contact-specialist", hand=1), "avian-uplift-race") == set()
    both = ways(seat("new-sparta", "contact-specialist", "expedition-force"), "avian-uplift-race")
    assert both == {"conquer", "pay+contact-specialist"}


def test_military_never_lowers_what_contact_specialist_pays() -> None:
    me = seat("new-sparta", "contact-specialist", "space-marines")
    assert ways(me, "rebel-outpost") == {"pay"}
    assert paid(settled(me, "rebel-outpost")) == 4


@pytest.mark.parametrize(
    ("cards", "world", "cost"),
    [
        (("replicant-robots",), "rebel-base", 3),
        (("mining-robots",), "rebel-miners", 0),
        (("mining-robots",), "pirate-world", 2),
        (("alpha-centauri", "mining-robots", "replicant-robots"), "rebel-fuel-cache", 0),
    ],
)
def test_reductions_work_with_contact_specialist(cards: tuple[str, ...], world: str, cost: int) -> None:
    me = seat("old-earth", "contact-specialist", "refugee-world", *cards)
    assert paid(settled(me, world)) == cost


def test_contact_specialist_is_not_needed_for_other_worlds() -> None:
    assert paid(settled(seat("old-earth", "contact-specialist"), "gem-world")) == 2


# Colony Ship


def test_colony_ship_pays_everything_and_is_discarded() -> None:
    state = settled(seat("old-earth", "colony-ship"), "terraformed-world", "pay+colony-ship")
    assert state.seats[0].tableau == ("old-earth", "terraformed-world")
    assert state.seats[0].hand == 9
    assert paid(state) == 0


def test_colony_ship_is_optional_where_the_hand_can_pay() -> None:
    me = seat("old-earth", "colony-ship", hand=6)
    assert ways(me, "terraformed-world") == {"pay", "pay+colony-ship"}
    assert settled(me, "terraformed-world", "pay").seats[0].tableau == (
        "old-earth",
        "colony-ship",
        "terraformed-world",
    )


def test_colony_ship_must_be_used_where_it_is_needed() -> None:
    state = settled(seat("old-earth", "colony-ship", hand=1), "terraformed-world")
    assert state.seats[0].tableau == ("old-earth", "terraformed-world")
    assert state.seats[0].hand == 0


@pytest.mark.parametrize("world", [c.id for c in deck("first") if c.good == "alien" and not c.is_military])
def test_colony_ship_never_settles_a_world_with_an_alien_good(world: str) -> None:
    assert ways(seat("old-earth", "colony-ship", hand=1), world) == set()
    assert ways(seat("old-earth", "colony-ship", hand=10), world) == {"pay"}


def test_colony_ship_settles_alien_rosetta_stone_world() -> None:
    me = seat("old-earth", "colony-ship", hand=1)
    state = settled(me, "alien-rosetta-stone-world")
    assert state.seats[0].tableau == ("old-earth", "alien-rosetta-stone-world")


def test_colony_ship_does_not_settle_a_military_world() -> None:
    assert ways(seat("old-earth", "colony-ship"), "runaway-robots") == set()
    assert ways(seat("new-sparta", "colony-ship"), "runaway-robots") == {"conquer"}


def test_colony_ship_and_contact_specialist_settle_a_military_world_for_nothing() -> None:
    me = seat("old-earth", "colony-ship", "contact-specialist", hand=1)
    state = settled(me, "rebel-homeworld")
    assert state.seats[0].tableau == ("old-earth", "contact-specialist", "rebel-homeworld")
    assert state.seats[0].hand == 0


def test_colony_ship_is_not_used_up_by_passing_or_by_a_development() -> None:
    me = seat("old-earth", "colony-ship")
    assert passing(settling(me)).seats[0].tableau == ("old-earth", "colony-ship")
    developing = at(table(me, OTHER), BeginPlacing("develop"))
    state = passing(answer(developing, 0, "drop-ships"))
    assert state.seats[0].tableau == ("old-earth", "colony-ship", "drop-ships")
    assert state.seats[0].hand == 5


# New Military Tactics


def test_new_military_tactics_add_three_and_are_discarded() -> None:
    state = settled(seat("new-sparta", "new-military-tactics"), "rebel-outpost")
    assert strength(state) == 5
    assert state.seats[0].tableau == ("new-sparta", "rebel-outpost")
    (told_discard,) = told(state, "race.and-discard", 0)
    assert "new-military-tactics" in [t.args.get("id") for t in inside(told_discard)]


def test_new_military_tactics_may_be_kept_where_they_are_not_needed() -> None:
    me = seat("new-sparta", "new-military-tactics")
    assert ways(me, "avian-uplift-race") == {"conquer", "conquer+new-military-tactics"}
    assert options(revealed(me, "avian-uplift-race"), 0)[0] == "conquer"


def test_new_military_tactics_may_be_discarded_though_not_needed() -> None:
    me = seat("new-sparta", "new-military-tactics")
    state = settled(me, "avian-uplift-race", "conquer+new-military-tactics")
    assert state.seats[0].tableau == ("new-sparta", "avian-uplift-race")
    assert strength(state) == 5
    state = settled(me, "gem-world", "pay+new-military-tactics")
    assert state.seats[0].tableau == ("new-sparta", "gem-world")
    assert paid(state) == 2


def test_new_military_tactics_do_not_make_up_for_more_than_three() -> None:
    assert ways(seat("old-earth", "new-military-tactics"), "alien-robot-scout-ship") == set()
    assert ways(seat("old-earth", "new-military-tactics"), "pirate-world") == {"conquer"}


def test_the_offered_detail_is_what_is_then_done() -> None:
    me = seat("new-sparta", "contact-specialist", "new-military-tactics", "colony-ship", "replicant-robots")
    state = settling(me)
    for world in options(state, 0)[1:]:
        after = revealed(me, world)
        if asked(after, 0) is None:
            continue
        for way in options(after, 0):
            done = answer(after, 0, way)
            used = set(way.split("+")[1:]) - {"contact-specialist"}
            assert set(me.tableau) - used | {world} == set(done.seats[0].tableau)
            assert bool(told(done, "race.conquer", 0)) == way.startswith("conquer")


# Order


def test_who_pays_later_may_look_at_what_others_did() -> None:
    late = seat("new-sparta", "new-military-tactics")
    early = seat("old-earth", "colony-ship")
    state = everybody(at(table(late, early), SETTLE), "avian-uplift-race", "gem-world")
    assert asked(state, 0) is None
    assert asked(state, 1) is not None
    state = answer(state, 1, "pay+colony-ship")
    assert state.seats[1].tableau == ("old-earth", "gem-world")
    assert asked(state, 0) is not None


def test_worlds_are_revealed_before_anybody_pays() -> None:
    seats = (seat("new-sparta", "new-military-tactics"), seat("old-earth", "colony-ship"))
    state = everybody(at(table(*seats), SETTLE), "avian-uplift-race", "gem-world")
    assert [s.tableau[-1] for s in state.seats] == ["avian-uplift-race", "gem-world"]
    assert [item.seat for item in state.news if item.text.key == "race.reveals"] == [1, 0]


def test_a_secret_placement_changes_nothing_a_neighbour_is_offered_or_refused() -> None:
    state = at(table(seat("old-earth"), seat("new-sparta")), SETTLE)
    chosen = answer(state, 0, "gem-world")
    assert question(chosen, 1) == question(state, 1)
    assert understand(session(chosen), Sighted("gem-world", 1)) == understand(
        session(state), Sighted("gem-world", 1)
    )


def test_a_card_the_box_has_once_cannot_be_revealed_by_two() -> None:
    state = at(table(seat("old-earth"), seat("new-sparta"), seat("alpha-centauri")), SETTLE)
    state = everybody(state, "gem-world", "gem-world", "artist-colony")
    assert [asked(state, who) is not None for who in range(3)] == [True, True, False]
    assert len(told(state, "race.choose-again")) == 2
    assert all("gem-world" not in s.tableau for s in state.seats)
    state = everybody(state, "gem-world", "pass")
    assert [s.tableau[-1] for s in state.seats] == ["gem-world", "new-sparta", "artist-colony"]
    assert [s.hand for s in state.seats] == [10 - 1 - 2, 10, 10 - 1 - 1]


def test_settling_a_start_world_that_is_military() -> None:
    assert strength(settled(seat("old-earth", "space-marines"), "new-sparta")) == 2
    assert paid(settled(seat("old-earth", "contact-specialist"), "new-sparta")) == 1


@pytest.mark.parametrize("hand", range(1, 9))
def test_what_is_offered_to_settle_is_what_the_hand_can_pay(hand: int) -> None:
    offered = set(options(settling(seat("old-earth", hand=hand)), 0))
    known = {"pass"}
    for card in deck("first"):
        if card.is_world and card.cost is not None and card.cost < hand:
            known.add(card.id)
    assert offered == known - {"old-earth", "earths-lost-colony"}


def test_the_usual_way_is_told_and_the_hardest_worlds_come_first() -> None:
    """Colony Ship could settle it for nothing, but is optional; conquering 3 is harder than paying 3."""
    offered = question(settling(seat("old-earth", "colony-ship", hand=6)), 0).options
    shown = next(option for option in offered if option.id == "terraformed-world")
    assert shown.detail is not None
    assert shown.detail.key == "race.pay"
    assert number(shown.detail) == 5
    box = deck("first")
    strong = question(settling(seat("new-sparta", "space-marines", "drop-ships", hand=6)), 0).options
    hardness = [
        card.cost if card.cost is not None else (card.defense or 0) + 1
        for card in (box[option.id] for option in strong[1:])
    ]
    assert hardness == sorted(hardness, reverse=True)
