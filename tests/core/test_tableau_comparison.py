"""Compares what the camera saw in front of a seat with what the play says."""

from random import Random

import pytest

from companion.core.autoplay import next_answer
from companion.core.game import Setup, games
from companion.core.session import Session, begin
from companion.core.tableau_comparison import compare

RACE = games()["race"]


@pytest.fixture(scope="module")
def session() -> Session:
    """A play of three in which everybody has some cards."""
    session, dice = begin(RACE, Setup("race", ("Ania", "Bartek", "Celina")), 0.0), Random(3)
    bots = RACE.bots(session.setup, dice)
    bots.follow(session.state, session.state.news)
    while min(len(seat.tableau) for seat in session.state.seats) < 3:
        session = session.answer(next_answer(session.state, bots, dice), 0.0)
        bots.follow(session.state, session.state.news)
    return session


def here(session: Session, seat: int = 0) -> list[str]:
    return [placed.component for placed in RACE.view(session.state).seats[seat].components]


def anything_else(session: Session) -> str:
    return next(c.id for c in session.state.deck if c.id not in RACE.on_table(session.state))


def test_the_same_is_no_difference(session: Session) -> None:
    found = compare(session, 0, reversed(here(session)))
    assert (found.seen, found.known, found.differences) == (len(here(session)), len(here(session)), ())


def test_what_is_missing_can_be_taken_out(session: Session) -> None:
    gone = here(session)[-1]
    (difference,) = compare(session, 0, here(session)[:-1]).differences
    assert (difference.component, difference.off, difference.elsewhere) == (gone, -1, None)
    ((counter, value),) = difference.counters
    after = session.correct(counter.id, value, 1.0)
    assert here(after) == here(session)[:-1]
    assert compare(after, 0, here(session)[:-1]).differences == ()


def test_what_is_surplus_can_be_put_in(session: Session) -> None:
    more = anything_else(session)
    found = compare(session, 1, [*here(session, 1), more])
    assert found.seen == found.known + 1
    ((counter, value),) = found.differences[0].counters
    after = session.correct(counter.id, value, 1.0)
    assert here(after, 1) == [*here(session, 1), more]


def test_a_card_the_play_has_before_somebody_else_moves(session: Session) -> None:
    moved = next(id for id in here(session, 1)[1:] if session.state.deck[id].copies == 1)
    (difference,) = compare(session, 0, [*here(session), moved]).differences
    assert difference.elsewhere == 1
    after = session
    for counter, value in difference.counters:
        after = after.correct(counter.id, value, 1.0)
    assert moved in here(after, 0)
    assert moved not in here(after, 1)


def test_a_second_copy_need_not_come_from_somebody_else(session: Session) -> None:
    twice = next(card.id for card in session.state.deck if card.copies > 1)
    counter = next(c for c in session.counters() if (c.seat, c.component) == (1, twice))
    session = session.correct(counter.id, 1, 1.0)
    (difference,) = compare(session, 0, [*here(session), twice]).differences
    assert difference.elsewhere is None
    assert [c.seat for c, _ in difference.counters] == [0]


def test_what_never_lies_before_a_seat_is_left_out(session: Session) -> None:
    found = compare(session, 0, [*here(session), "explore-5"])
    assert (found.seen, found.differences) == (len(here(session)), ())


def test_only_counters_of_a_place_name_a_component(session: Session) -> None:
    for counter in session.counters():
        assert (counter.component is not None) == counter.id.startswith("tableau:")
        if counter.component is not None:
            assert counter.value == here(session, counter.seat or 0).count(counter.component)
