"""Correcting counters by hand: within bounds the play goes on, beyond them nothing changes."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.core.agenda import open_asks
from companion.core.counters import Correctable
from companion.core.game import Setup
from companion.core.questions import Answer
from companion.core.session import Session, begin
from companion.errors import NotNow, Unknown
from companion.games.race import GAME
from companion.games.race.corrections import check
from companion.games.race.steps.consume import BeginConsume
from companion.games.race.steps.explore import Explore
from companion.games.race.steps.place import BeginPlacing
from companion.games.race.steps.produce import BeginProduce
from companion.games.race.steps.round import BeginRound, EndRound
from tests.games.race.race_tables import (
    NAMES,
    answer,
    at,
    everybody,
    options,
    passing,
    seat,
    session,
    table,
    told,
)


def counter(play: Session, id: str) -> Correctable:
    return next(c for c in play.counters() if c.id == id)


def quiet() -> Session:
    """A table at the beginning of a round."""
    me = seat("old-earth", "gem-world", "public-works", hand=4, goods=("gem-world",), chips=5)
    return session(at(table(me, seat("new-sparta", hand=3)), BeginRound()))


# What can be corrected


def test_hands_chips_cards_and_goods_can_be_corrected() -> None:
    play = quiet()
    assert counter(play, "hand:0").value == 4
    assert counter(play, "chips:0").value == 5
    assert counter(play, "tableau:0:gem-world").value == 1
    assert counter(play, "tableau:1:gem-world").value == 0
    assert counter(play, "good:0:gem-world").value == 1


def test_only_worlds_that_can_hold_a_good_have_a_counter_for_it() -> None:
    ids = {c.id for c in quiet().counters()}
    assert "good:0:old-earth" not in ids
    assert "good:0:artist-colony" not in ids


@pytest.mark.parametrize(
    ("id", "value"),
    [
        ("hand:0", 0),
        ("hand:1", 12),
        ("chips:0", 0),
        ("chips:1", 19),
        ("good:0:gem-world", 0),
        ("tableau:0:public-works", 0),
        ("tableau:1:public-works", 1),
        ("tableau:1:alpha-centauri", 1),
    ],
)
def test_a_counter_is_set_and_the_question_stays(id: str, value: int) -> None:
    play = quiet()
    after = play.correct(id, value, 0.0)
    assert counter(after, id).value == value
    assert check(after.state) == ()
    assert [q.slug for q in after.questions()] == ["race.action", "race.action"]
    others = [c.id for c in play.counters() if c.id != id and not c.id.startswith("good:")]
    assert all(counter(after, other).value == counter(play, other).value for other in others)


def test_the_pool_follows_the_chips() -> None:
    play = quiet()
    assert play.state.pool == 19
    assert play.correct("chips:0", 0, 0.0).state.pool == 24
    assert play.correct("chips:1", 19, 0.0).state.pool == 0


def test_a_world_taken_away_takes_its_good_along() -> None:
    after = quiet().correct("tableau:0:gem-world", 0, 0.0).state
    assert after.seats[0].goods == ()
    assert after.seats[0].tableau == ("old-earth", "public-works")


def test_a_correction_tells_nothing_of_the_last_answer() -> None:
    assert quiet().correct("hand:0", 2, 0.0).state.news == ()


def test_a_correction_can_be_undone() -> None:
    play = quiet()
    assert play.correct("hand:0", 2, 0.0).undo(1, 0.0).state == play.state


# What cannot be


@pytest.mark.parametrize(
    ("id", "value"),
    [
        ("hand:0", -1),
        ("hand:0", 4 + 103),
        ("chips:0", -1),
        ("chips:0", 25),
        ("chips:1", 20),
        ("tableau:0:gem-world", 2),
        ("tableau:1:gem-world", 1),
        ("tableau:1:old-earth", 1),
        ("tableau:0:old-earth", 0),
        ("good:0:gem-world", 2),
    ],
)
def test_an_impossible_value_is_refused_and_changes_nothing(id: str, value: int) -> None:
    play = quiet()
    before = play.state
    with pytest.raises(NotNow):
        play.correct(id, value, 0.0)
    assert play.state is before


@pytest.mark.parametrize(
    "id", ["hand:2", "good:0:old-earth", "good:1:gem-world", "tableau:0:moon", "pool", ""]
)
def test_an_unknown_counter_is_refused(id: str) -> None:
    with pytest.raises(Unknown):
        quiet().correct(id, 1, 0.0)


def test_a_third_copy_is_refused() -> None:
    seats = seat("old-earth", "public-works"), seat("new-sparta", "public-works"), seat("alpha-centauri")
    play = session(at(table(*seats), BeginRound()))
    with pytest.raises(NotNow):
        play.correct("tableau:2:public-works", 1, 0.0)


def test_the_ten_point_chips_can_be_corrected_once_the_pool_is_empty() -> None:
    play = session(
        at(table(seat("old-earth", chips=20), seat("new-sparta", chips=4)), BeginConsume("consume"))
    )
    assert counter(play, "chips:0").high == 20 + 88 - 24
    assert counter(quiet(), "chips:0").high == 24


def test_nothing_is_corrected_while_start_worlds_are_dealt() -> None:
    play = begin(GAME, Setup("race", NAMES[:2], {"opening": "first-game"}), 0.0)
    assert play.counters() == ()
    play = play.answer(Answer(0, "race.start-world", "epsilon-eridani"), 0.0)
    for id in ("tableau:0:alpha-centauri", "hand:0", "chips:0"):
        with pytest.raises(Unknown):
            play.correct(id, 1, 0.0)
    assert options(play.state, 1) == ["alpha-centauri"]


def test_the_only_card_of_a_tableau_stays() -> None:
    play = session(at(table(seat("old-earth"), seat("new-sparta")), BeginRound()))
    with pytest.raises(NotNow):
        play.correct("tableau:0:old-earth", 0, 0.0)


# What follows from a correction


def test_a_bigger_hand_can_pay_for_more() -> None:
    play = session(at(table(seat("old-earth", hand=1), seat("new-sparta", hand=0)), BeginPlacing("develop")))
    assert "drop-ships" not in options(play.state, 0)
    assert "drop-ships" in options(play.correct("hand:0", 5, 0.0).state, 0)


def test_an_empty_hand_is_not_asked_what_it_places() -> None:
    play = session(at(table(seat("old-earth"), seat("new-sparta")), BeginPlacing("develop")))
    after = play.correct("hand:0", 0, 0.0)
    assert [q.seat for q in after.questions()] == [1]


def test_a_card_that_can_no_longer_be_paid_for_goes_back_to_the_hand() -> None:
    state = at(table(seat("old-earth"), seat("new-sparta")), BeginPlacing("settle"))
    play = session(answer(state, 0, "terraformed-world")).correct("hand:0", 3, 0.0)
    after = passing(play.state)
    assert after.seats[0].tableau == ("old-earth",)
    assert after.seats[0].hand == 3
    assert told(after, "race.take-back", 0)


def test_a_card_that_can_no_longer_be_paid_for_goes_back_while_the_way_is_asked_for() -> None:
    state = at(table(seat("old-earth", "new-military-tactics"), seat("new-sparta")), BeginPlacing("settle"))
    play = session(everybody(state, "pre-sentient-race", "pass"))
    assert options(play.state, 0) == ["pay", "pay+new-military-tactics"]
    after = play.correct("hand:0", 0, 0.0).state
    assert after.seats[0].tableau == ("old-earth", "new-military-tactics")
    assert after.seats[0].hand == 1
    assert after.seats[0].goods == ()


def test_where_a_correction_leaves_one_way_to_pay_it_is_taken() -> None:
    state = at(table(seat("old-earth", "colony-ship"), seat("new-sparta")), BeginPlacing("settle"))
    play = session(everybody(state, "pre-sentient-race", "pass")).correct("tableau:0:colony-ship", 0, 0.0)
    assert play.state.seats[0].tableau == ("old-earth", "pre-sentient-race")
    assert play.state.seats[0].hand == 10 - 1 - 2
    assert play.state.seats[0].goods == ("pre-sentient-race",)


def test_a_face_down_card_of_an_emptied_hand_is_not_revealed() -> None:
    state = at(table(seat("old-earth", "colony-ship"), seat("new-sparta")), BeginPlacing("settle"))
    play = session(answer(state, 1, "gem-world")).correct("hand:1", 0, 0.0)
    state = answer(play.state, 0, "artist-colony")
    assert check(state) == ()
    assert state.seats[1].hand == 0
    assert state.seats[1].tableau == ("new-sparta",)


@pytest.mark.parametrize("who", [0, 1])
def test_a_face_down_card_that_a_correction_put_into_a_tableau_is_chosen_again(who: int) -> None:
    state = answer(at(table(seat("old-earth"), seat("new-sparta")), BeginPlacing("settle")), 0, "gem-world")
    play = session(state).correct(f"tableau:{who}:gem-world", 1, 0.0)
    state = answer(play.state, 1, "pass")
    assert told(state, "race.choose-again", 0)
    assert "gem-world" not in options(state, 0)
    assert check(passing(state)) == ()


def test_a_face_down_development_that_a_correction_put_into_its_tableau_is_chosen_again() -> None:
    state = at(table(seat("old-earth"), seat("new-sparta")), BeginPlacing("develop"))
    play = session(answer(state, 0, "public-works")).correct("tableau:0:public-works", 1, 0.0)
    state = passing(answer(play.state, 1, "pass"))
    assert state.seats[0].tableau == ("old-earth", "public-works")


def test_a_set_that_is_no_longer_complete_is_not_asked_for() -> None:
    worlds = ("gem-world", "artist-colony", "mining-world")
    me = seat("new-sparta", "tourist-world", *worlds, goods=worlds)
    play = session(at(table(me, seat("alpha-centauri")), BeginConsume("consume")))
    two_left = play.correct("good:0:gem-world", 0, 0.0)
    assert two_left.over
    assert two_left.state.seats[0].chips == 3
    picked = session(answer(play.state, 0, "mining-world")).correct("good:0:mining-world", 0, 0.0)
    assert picked.over
    assert picked.state.seats[0].chips == 3


def test_a_set_broken_by_a_correction_after_the_first_pick_brings_nothing() -> None:
    worlds = ("gem-world", "artist-colony", "mining-world", "distant-world")
    me = seat("new-sparta", "diversified-economy", *worlds, goods=worlds)
    state = answer(at(table(me, seat("alpha-centauri")), BeginConsume("consume")), 0, "mining-world")
    after = session(state).correct("good:0:distant-world", 0, 0.0)
    assert after.over
    assert after.state.seats[0].chips == 0
    assert after.state.seats[0].goods == ("gem-world", "artist-colony", "mining-world")


def test_a_picked_good_that_is_taken_away_does_not_spend_the_power_for_nothing() -> None:
    worlds = ("gem-world", "artist-colony", "spice-world", "space-port", "new-vinland")
    me = seat("new-sparta", "consumer-markets", *worlds, goods=worlds)
    state = at(table(me, seat("alpha-centauri")), BeginConsume("consume"))
    state = answer(answer(state, 0, "use:consumer-markets:0"), 0, "gem-world")
    state = session(state).correct("good:0:gem-world", 0, 0.0).state
    while state.agenda:
        state = answer(state, 0, options(state, 0)[0])
    assert state.seats[0].chips == 3
    assert state.seats[0].goods == ()


def test_military_lost_by_a_correction_no_longer_conquers() -> None:
    state = at(table(seat("old-earth", "drop-ships"), seat("new-sparta")), BeginPlacing("settle"))
    play = session(answer(state, 0, "pirate-world")).correct("tableau:0:drop-ships", 0, 0.0)
    after = passing(play.state)
    assert after.seats[0].tableau == ("old-earth",)


def test_a_good_taken_away_is_not_sold() -> None:
    goods = ("gem-world", "mining-world")
    me = seat("new-sparta", *goods, goods=goods, actions=("consume-trade",), hand=4)
    play = session(at(table(me, seat("alpha-centauri")), BeginConsume("consume")))
    one_left = play.correct("good:0:gem-world", 0, 0.0)
    assert options(one_left.state, 0) == ["mining-world"]
    none_left = one_left.correct("good:0:mining-world", 0, 0.0)
    assert not none_left.state.agenda
    assert none_left.state.seats[0].hand == 4


def test_a_good_that_was_forgotten_can_be_consumed() -> None:
    me = seat(
        "new-sparta", "old-earth", "galactic-trendsetters", "gem-world", "artist-colony", goods=("gem-world",)
    )
    play = session(at(table(me, seat("alpha-centauri")), BeginConsume("consume")))
    after = play.correct("good:0:artist-colony", 1, 0.0)
    assert answer(after.state, 0, options(after.state, 0)[0]).seats[0].chips == 3


def test_a_windfall_world_filled_by_a_correction_is_not_offered() -> None:
    me = seat("new-sparta", "refugee-world", "asteroid-belt", actions=("produce",))
    play = session(at(table(me, seat("old-earth")), BeginProduce("produce")))
    after = play.correct("good:0:refugee-world", 1, 0.0)
    assert options(after.state, 0) == ["asteroid-belt"]
    assert not after.correct("good:0:asteroid-belt", 1, 0.0).state.agenda


def test_a_corrected_tableau_ends_the_play_at_the_end_of_the_round() -> None:
    worlds = ("gem-world", "artist-colony", "comet-zone", "mining-world", "new-vinland")
    more = ("spice-world", "space-port", "new-earth", "plague-world", "distant-world")
    play = session(
        at(table(seat("old-earth", *worlds, *more), seat("new-sparta")), BeginPlacing("settle"), EndRound())
    )
    after = play.correct("tableau:0:drop-ships", 1, 0.0)
    assert after.state.agenda
    assert not everybody(after.state, "pass", "pass").agenda


def test_explore_after_a_correction_counts_the_new_card() -> None:
    play = session(
        at(table(seat("old-earth"), seat("new-sparta")), BeginPlacing("develop"), Explore("explore"))
    )
    after = play.correct("tableau:0:galactic-survey-seti", 1, 0.0)
    (text, _) = told(passing(after.state), "race.explore")
    assert text.n == 4


# At any moment


def random_answer(play: Session, random: Random) -> Answer:
    _, ask = random.choice(open_asks(play.state))
    return Answer(ask.seat, ask.slug, random.choice(ask.ask(play.state).options).id)


def random_correction(play: Session, random: Random) -> tuple[str, int] | None:
    """Any counter, each sort as often as the others; chips mostly stay few, so that the play goes on a while."""
    found = play.counters()
    sorts = sorted({c.id.partition(":")[0] for c in found})
    if not sorts:
        return None
    sort = random.choice(sorts)
    chosen = random.choice([c for c in found if c.id.startswith(sort)])
    high = min(chosen.high, chosen.value + 3) if sort == "chips" else chosen.high
    return chosen.id, random.randint(chosen.low, high)


@settings(max_examples=15, deadline=None, derandomize=True, database=None)
@given(
    st.integers(0, 10_000),
    st.sampled_from([2, 3, 4]),
    st.sampled_from(["normal", "first-game"]),
    st.sampled_from(["standard", "advanced"]),
)
def test_corrections_at_any_moment_leave_a_play_that_ends(
    seed: int, seats: int, opening: str, actions: str
) -> None:
    random = Random(seed)
    choices = {"opening": opening, "actions": actions if seats == 2 else "standard"}
    play = begin(GAME, Setup("race", NAMES[:seats], choices), 0.0)
    corrections = 30
    for _ in range(3000):
        if play.over:
            break
        wanted = random_correction(play, random) if corrections and random.random() < 0.25 else None
        if wanted is None:
            play = play.answer(random_answer(play, random), 0.0)
        else:
            corrections -= 1
            before = play.state
            try:
                play = play.correct(*wanted, 0.0)
            except NotNow:
                assert play.state is before
        assert check(play.state) == ()
    assert play.over
    assert GAME.sheet(play.state).winners
