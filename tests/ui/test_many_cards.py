"""The seats enter in turn which of many cards they took, one tap each."""

from __future__ import annotations

import pytest

from companion.core.game import game

TAKE = "frontiers.take-world"


def asked(session):
    return [q for q in session.questions() if q.slug == TAKE]


@pytest.mark.every_game
def test_each_seat_taps_a_face_among_all_of_them(rehearsal):
    named = {f"world-{n}.name": f"Planet {n}" for n in range(9, 61)}  # those nobody named are one new tile
    rehearsal.app.desk.keep_facts(game("frontiers"), named, "Ania")
    rehearsal.play("frontiers", ("Ania", "Bartek", "Celina"), seed=3)
    rehearsal.play_until(lambda session: len(asked(session)) == 1)
    (first,) = asked(rehearsal.app.desk.session)
    world = first.options[-1].component
    assert not any(name.startswith("more-") for name in rehearsal.taps())
    assert len([name for name in rehearsal.taps() if name.startswith("option-")]) > 10
    taken = next(name for name in rehearsal.taps() if name.startswith("option-"))
    rehearsal.tap(taken)
    rehearsal.settle()
    session = rehearsal.app.desk.session
    assert taken.removeprefix("option-") in session.state.seats[first.seat].explored
    (other,) = asked(session)
    assert other.seat != first.seat
    assert taken not in rehearsal.taps()
    while f"option-{world}" not in rehearsal.taps():
        rehearsal.tap("next")
    rehearsal.tap(f"option-{world}")
    rehearsal.settle()
    assert world in rehearsal.app.desk.session.state.seats[other.seat].explored
