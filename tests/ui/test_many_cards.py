"""Several seats tell which of many cards they took: all cards on one page, the seats as tabs, one tap each."""

from __future__ import annotations

import pytest

TAKE = "frontiers.take-world"


def asked(session):
    return [q for q in session.questions() if q.slug == TAKE]


@pytest.mark.every_game
def test_each_seat_taps_a_face_among_all_of_them(rehearsal):
    rehearsal.play("frontiers", ("Ania", "Bartek", "Celina"), seed=3)
    rehearsal.play_until(lambda session: len(asked(session)) == 3)
    first = asked(rehearsal.app.desk.session)[0]
    world = first.options[-1].component
    assert not any(name.startswith("more-") for name in rehearsal.taps())
    assert len([name for name in rehearsal.taps() if name.startswith("option-")]) > 20
    other = next(q for q in asked(rehearsal.app.desk.session) if q is not first)
    rehearsal.tap(f"ask-{other.seat}")
    taken = next(name for name in rehearsal.taps() if name.startswith("option-"))
    rehearsal.tap(taken)
    rehearsal.settle()
    state = rehearsal.app.desk.session.state
    assert taken.removeprefix("option-") in state.seats[other.seat].explored
    assert f"option-{taken.removeprefix('option-')}" not in rehearsal.taps()
    while f"option-{world}" not in rehearsal.taps():
        rehearsal.tap("next")
    rehearsal.tap(f"option-{world}")
    rehearsal.settle()
    assert world in rehearsal.app.desk.session.state.seats[first.seat].explored
