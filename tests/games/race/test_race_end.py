"""The end of a round and of the play (p. 7)."""

from __future__ import annotations

import pytest

from companion.core.words import Text
from companion.games.race import GAME
from companion.games.race.cards import deck
from companion.games.race.state import RaceState, Seat
from companion.games.race.steps.consume import BeginConsume
from companion.games.race.steps.place import BeginPlacing
from companion.games.race.steps.produce import BeginProduce
from companion.games.race.steps.round import EndRound
from tests.games.race.race_tables import answer, asked, at, everybody, number, options, seat, table, told

SPECIAL = ("new-military-tactics", "contact-specialist", "colony-ship")
DEVELOPMENTS = [c.id for c in deck("first") if not c.is_world and c.id not in SPECIAL]


def having(cards: int, start: str = "old-earth", hand: int = 4, chips: int = 0) -> Seat:
    """A tableau of so many cards."""
    return seat(start, *DEVELOPMENTS[: cards - 1], hand=hand, chips=chips)


def ended(*seats: Seat) -> RaceState:
    return at(table(*seats), EndRound())


def reasons(state: RaceState) -> list[str]:
    """Why the play is over; empty if it is not."""
    found: list[str] = []
    for text in told(state, "race.game-over"):
        why = text.args["reasons"]
        assert isinstance(why, tuple)
        found += [reason.key for reason in why]
    return found


def full(state: RaceState) -> list[object]:
    """The seats named as having twelve cards."""
    (text,) = told(state, "race.end.tableau")
    seats = text.args["seats"]
    assert isinstance(seats, tuple)
    return [name.args["words"] for name in seats if isinstance(name, Text)]


# The hand limit


@pytest.mark.parametrize(("hand", "extra"), [(0, 0), (9, 0), (10, 0), (11, 1), (17, 7)])
def test_hands_go_down_to_ten_at_the_end_of_the_round(hand: int, extra: int) -> None:
    state = ended(seat("old-earth", hand=hand), seat("new-sparta", hand=2))
    assert state.seats[0].hand == hand - extra
    assert [number(t) for t in told(state, "race.discard-to-limit", 0)] == ([extra] if extra else [])
    assert not told(state, "race.discard-to-limit", 1)


def test_the_hand_limit_does_not_hold_within_a_round() -> None:
    me = seat("old-earth", "gem-world", hand=10, goods=("gem-world",), actions=("consume-trade",))
    state = at(table(me, seat("new-sparta")), BeginConsume("consume"), EndRound())
    assert number(told(state, "race.then-draw", 0)[0]) == 3
    assert number(told(state, "race.discard-to-limit", 0)[0]) == 3
    assert state.seats[0].hand == 10


def test_hands_go_down_to_ten_in_the_last_round_too() -> None:
    state = ended(having(12, hand=14), seat("new-sparta", hand=11))
    assert [s.hand for s in state.seats] == [10, 10]
    assert reasons(state)


# When it ends


@pytest.mark.parametrize(("cards", "over"), [(11, False), (12, True), (13, True), (14, True)])
def test_twelve_cards_or_more_end_the_play(cards: int, over: bool) -> None:
    state = ended(having(cards), seat("new-sparta"))
    assert (not state.agenda) == over
    assert reasons(state) == (["race.end.tableau"] if over else [])


@pytest.mark.parametrize(
    ("chips", "over"), [((10, 13), False), ((10, 14), True), ((24, 0), True), ((20, 10), True)]
)
def test_an_empty_pool_ends_the_play(chips: tuple[int, int], over: bool) -> None:
    state = ended(seat("old-earth", chips=chips[0]), seat("new-sparta", chips=chips[1]))
    assert (not state.agenda) == over
    assert reasons(state) == (["race.end.pool"] if over else [])


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_pool_is_twelve_points_for_each_seat(seats: int) -> None:
    starts = ("old-earth", "epsilon-eridani", "alpha-centauri", "new-sparta")
    others = [seat(start) for start in starts[1:seats]]
    assert not reasons(ended(seat("old-earth", chips=12 * seats - 1), *others))
    assert reasons(ended(seat("old-earth", chips=12 * seats), *others)) == ["race.end.pool"]


def test_both_reasons_are_told_when_both_hold() -> None:
    state = ended(having(12, chips=24), seat("new-sparta"))
    assert reasons(state) == ["race.end.tableau", "race.end.pool"]


def test_everybody_with_twelve_cards_is_named() -> None:
    rest = [c.id for c in deck("first") if c.is_world and not c.is_start][:11]
    state = ended(having(12), seat("new-sparta", *rest), seat("alpha-centauri"))
    assert full(state) == ["Ania", "Ola"]


def test_when_nothing_ends_it_a_new_round_begins() -> None:
    state = ended(seat("old-earth"), seat("new-sparta"))
    assert state.round == 2
    ask = asked(state, 0)
    assert ask is not None
    assert ask.slug == "race.action"
    assert state.seats[0].actions == ()


# Until the end of the round


def test_the_round_is_played_to_its_end_after_the_twelfth_card() -> None:
    state = at(
        table(having(11), seat("new-sparta")), BeginPlacing("settle"), BeginProduce("produce"), EndRound()
    )
    state = everybody(state, "artist-colony", "pass")
    assert len(state.seats[0].tableau) == 12
    assert state.seats[0].goods == ("artist-colony",)
    assert reasons(state) == ["race.end.tableau"]


def test_a_tableau_may_grow_past_twelve_in_the_last_round() -> None:
    state = at(
        table(having(11), seat("new-sparta")), BeginPlacing("develop"), BeginPlacing("settle"), EndRound()
    )
    state = everybody(state, "contact-specialist", "pass")
    assert state.agenda
    state = everybody(state, "artist-colony", "pass")
    assert len(state.seats[0].tableau) == 13
    assert reasons(state) == ["race.end.tableau"]


def test_the_round_is_played_to_its_end_after_the_last_chip() -> None:
    me = seat("old-earth", "gem-world", goods=("gem-world",), chips=23)
    state = at(
        table(me, seat("earths-lost-colony")), BeginConsume("consume"), BeginProduce("produce"), EndRound()
    )
    assert state.seats[0].chips == 24
    assert told(state, "race.pool-empty")
    assert state.seats[1].goods == ("earths-lost-colony",)
    assert reasons(state) == ["race.end.pool"]


def test_a_card_discarded_again_before_the_end_of_the_round_does_not_count() -> None:
    me = seat("new-sparta", "new-military-tactics", *DEVELOPMENTS[:9])
    assert len(me.tableau) == 11
    state = at(table(me, seat("old-earth")), BeginPlacing("settle"), EndRound())
    state = everybody(state, "runaway-robots", "pass")
    kept, used = answer(state, 0, "conquer"), answer(state, 0, "conquer+new-military-tactics")
    assert reasons(kept) == ["race.end.tableau"]
    assert not reasons(used)


# The ten-point chips


def test_points_beyond_the_pool_come_from_the_ten_point_chips() -> None:
    spare = ("gem-world", "artist-colony", "comet-zone", "new-vinland")
    me = seat("new-sparta", "tourist-world", "galactic-trendsetters", *spare, goods=spare, chips=23)
    state = at(table(me, seat("alpha-centauri")), BeginConsume("consume"), EndRound())
    while state.agenda:
        state = answer(state, 0, options(state, 0)[0])
    assert state.seats[0].chips == 23 + 3 + 2
    assert state.pool == 24 - 28
    assert reasons(state) == ["race.end.pool"]


def test_everybody_gets_all_points_of_the_last_consume() -> None:
    seats = [
        seat("new-sparta", "galactic-trendsetters", "gem-world", goods=("gem-world",), chips=12),
        seat("old-earth", "artist-colony", goods=("artist-colony",), chips=11),
    ]
    state = at(table(*seats), BeginConsume("consume"), EndRound())
    assert [s.chips for s in state.seats] == [14, 12]
    assert state.pool == -2


def test_that_the_pool_is_empty_is_told_once() -> None:
    seats = [
        seat("new-sparta", "galactic-trendsetters", "gem-world", goods=("gem-world",), chips=12),
        seat("old-earth", "artist-colony", goods=("artist-colony",), chips=11),
    ]
    assert len(told(at(table(*seats), BeginConsume("consume")), "race.pool-empty")) == 1


# Who wins


def winners(*seats: Seat) -> tuple[str, ...]:
    return GAME.sheet(table(*seats)).winners


def test_chips_and_cards_are_added() -> None:
    sheet = GAME.sheet(table(seat("old-earth", "gem-world", chips=7), seat("new-sparta", chips=1)))
    assert [s.total for s in sheet.seats] == [7 + 2 + 1, 1 + 1]


def test_the_most_points_win() -> None:
    assert winners(seat("old-earth", chips=5), seat("new-sparta", chips=7)) == ("Ola",)


def test_a_tie_is_broken_by_cards_in_hand_and_goods_together() -> None:
    # Old Earth is worth 2, Earth's Lost Colony 1.
    one = seat("old-earth", chips=5, hand=3)
    other = seat("earths-lost-colony", chips=6, hand=3, goods=("earths-lost-colony",))
    assert winners(one, other) == ("Ola",)
    assert winners(seat("old-earth", chips=5, hand=5), other) == ("Ania",)


def test_a_tie_that_stays_is_a_shared_victory() -> None:
    one = seat("old-earth", chips=5, hand=4)
    other = seat("earths-lost-colony", chips=6, hand=3, goods=("earths-lost-colony",))
    assert winners(one, other) == ("Ania", "Ola")
