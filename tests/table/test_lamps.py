"""Lamp patterns: pure functions of the session, and the panel that shows them."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from random import Random

import pytest

from companion.core import autoplay
from companion.core.entries import Corrected, Undone
from companion.core.flow.game import flow_game
from companion.core.game import Setup, games
from companion.core.lamps import Lamp, lamps, numbers, reveals
from companion.core.questions import Answer
from companion.core.session import Session, begin
from companion.core.understand import Press, Sighted
from companion.games.lantern import GAME as LANTERN
from companion.table.marks import light
from companion.table.seat_panel import REVEAL, SeatPanel, Trial
from companion.table.settings import Person
from companion.table.signals import ScanMode, SeenState
from devices.gestures import Gesture, Held
from devices.lights import Breathe, Flash, Off, On, Pattern, Pulse, Show
from devices.panel import Who
from devices.segment_displays import number
from devices.simulator import Simulator
from devices.wiring_config import default
from tests.patience import PATIENCE
from tests.table.desks import RACE, SETUP, ListeningDesk


def lantern(*answers: tuple[int | None, str]) -> Session:
    session = begin(LANTERN, Setup("lantern", ("Ania", "Bartek")), 0.0)
    for seat, option in answers:
        question = next(q for q in session.questions() if q.seat == seat)
        session = session.answer(Answer(seat, question.slug, option), 0.0)
    return session


# What each lamp says


def test_lamps_of_those_who_are_asked() -> None:
    session = begin(RACE, SETUP, 0.0)
    assert lamps(session) == (Lamp.WAITED, Lamp.OFF)
    session = session.answer(Answer(0, "race.start-world", "new-sparta"), 0.0)
    assert lamps(session) == (Lamp.OFF, Lamp.WAITED)
    session = session.answer(Answer(1, "race.start-world", "old-earth"), 0.0)
    assert lamps(session) == (Lamp.WAITED, Lamp.WAITED)


def test_everybody_may_answer_what_the_table_is_asked() -> None:
    session = lantern((0, "moth"), (1, "candle"))
    assert [q.seat for q in session.questions()] == [None]
    assert lamps(session) == (Lamp.MAY, Lamp.MAY)


def test_nobody_is_waited_for_in_a_pause() -> None:
    assert lamps(begin(RACE, SETUP, 0.0).pause(1.0)) == (Lamp.OFF, Lamp.OFF)


def played(seed: int) -> Session:
    """A play that has ended."""
    session, random = begin(RACE, SETUP, 0.0), Random(seed)
    bots = RACE.bots(session.setup, random)
    bots.follow(session.state, session.news)
    while not session.over:
        session = session.answer(autoplay.next_answer(session.state, bots, random), 0.0)
        bots.follow(session.state, session.news)
    return session


def test_at_the_end_the_winner_shines_and_nobody_else() -> None:
    session = played(1)
    winners = RACE.sheet(session.state).winners
    assert len(winners) == 1
    assert lamps(session) == tuple(Lamp.WINNER if n in winners else Lamp.OFF for n in SETUP.seats)


def test_cards_are_turned_over_after_the_last_secret_choice() -> None:
    session = begin(RACE, SETUP, 0.0)
    for seat, world in enumerate(("new-sparta", "old-earth")):
        session = session.answer(Answer(seat, "race.start-world", world), 0.0)
        assert not reveals(session)
    one = session.answer(Answer(0, "race.action", "settle"), 0.0)
    assert not reveals(one)
    both = one.answer(Answer(1, "race.action", "settle"), 0.0)
    assert reveals(both)
    assert not reveals(both.undo(1, 0.0))


@pytest.mark.parametrize("seed", range(3))
def test_at_any_moment_lamps_and_questions_agree(seed: int) -> None:
    for rules in games().values():
        setup = rules.complete(Setup(rules.id, ("Ania", "Bartek")))
        session, random = begin(rules, setup, 0.0), Random(seed)
        bots = rules.bots(setup, random)
        bots.follow(session.state, session.news)
        for _ in range(60):
            if session.over:
                break
            asked = {q.seat for q in session.questions()}
            others = Lamp.MAY if None in asked else Lamp.OFF
            assert lamps(session) == tuple(Lamp.WAITED if n in asked else others for n in range(2))
            session = session.answer(autoplay.next_answer(session.state, bots, random), 0.0)
            bots.follow(session.state, session.news)


# The panel


class Parts(Simulator):
    """Pretended parts that remember every pattern they were to show."""

    def __init__(self) -> None:
        super().__init__(default(4, counters=True), 0.0)
        self.now: dict[int, Pattern] = {}
        self.flashes: list[int] = []
        self.buzzed: list[str] = []

    def show(self, lamps: dict[int, Pattern], at: float) -> None:  # type: ignore[override]
        super().show(lamps, at)
        self.flashes += [seat for seat, pattern in lamps.items() if isinstance(pattern, Flash)]
        self.now |= {seat: p for seat, p in lamps.items() if not isinstance(p, Flash)}

    def buzz(self, sound: str, at: float) -> None:  # type: ignore[override]
        super().buzz(sound, at)  # type: ignore[arg-type]
        self.buzzed.append(sound)


class Lit:
    """A table with a panel whose thread does not run: a test makes its steps."""

    def __init__(self, table: ListeningDesk) -> None:
        self.table, self.at, self.parts = table, 0.0, Parts()
        self.acted: list[tuple[Who, Gesture]] = []
        self.panel = SeatPanel(
            table.desk, self.parts, lambda who, gesture: self.acted.append((who, gesture)), lambda: self.at
        )
        self.step()

    def step(self, seconds: float = 0.0) -> None:
        """Time passes; what came meanwhile is shown."""
        end = self.at + seconds
        while True:
            due = self.panel.due
            self.at = end if due is None else min(end, max(self.at, due))
            self.panel.step(self.at)
            self.table.desk.clerk.settle()
            if self.at >= end:
                break
        self.panel.step(self.at)

    def press(self, who: Who) -> None:
        self.step(self.parts.press(who, self.at) - self.at + 0.5)
        self.table.settle()

    def shows(self) -> list[type[Pattern]]:
        """What the lamps of the first two seats do."""
        return [type(self.parts.now[seat]) for seat in (0, 1)]  # type: ignore[misc]


@pytest.fixture
def lit(playing: ListeningDesk) -> Iterator[Lit]:
    lit = Lit(playing)
    yield lit
    lit.panel.stop()


def test_a_lamp_follows_the_write_and_needs_no_screen(lit: Lit) -> None:
    assert lit.shows() == [On, Off]
    lit.table.desk.propose(lit.table.first())
    lit.table.desk.clerk.settle()
    lit.step()
    assert lit.table.posted, "the screen has not had its turn yet"
    assert lit.shows() == [Off, On]


def test_each_seat_shines_in_its_own_colour(lit: Lit) -> None:
    lit.table.desk.change(people=(Person("Ania", 3),))
    lit.step()
    shown = lit.parts.now[0]
    assert isinstance(shown, On)
    assert shown.colour == light(lit.table.desk.marks()[0])
    assert light(lit.table.desk.marks()[0]) != light(lit.table.desk.marks()[1])


def test_lamps_of_those_who_may_pulse(table: ListeningDesk) -> None:
    lit = Lit(table)
    table.desk.start(LANTERN, Setup("lantern", ("Ania", "Bartek")))
    table.settle()
    for seat, option in ((0, "moth"), (1, "candle")):
        table.desk.propose(Answer(seat, table.question(seat).slug, option))
        table.settle()
    lit.step()
    lit.step(REVEAL + 0.1)
    assert lit.shows() == [Pulse, Pulse]
    lit.panel.stop()


def test_all_lamps_are_lit_while_cards_are_turned_over(lit: Lit) -> None:
    table = lit.table
    table.start_worlds()
    goods = [f"{what}:0:{world}" for world in ("gem-world", "spice-world") for what in ("tableau", "good")]
    table.do(*(Corrected(counter, 1) for counter in goods))
    table.do(Answer(0, "race.action", "consume-trade"))
    lit.step()
    assert lit.shows() == [Off, On]
    table.do(Answer(1, "race.action", "produce"))
    assert [q.seat for q in table.desk.questions()] == [0], "only Ania has something to sell"
    lit.step()
    assert lit.shows() == [On, On]
    lit.step(REVEAL - 0.1)
    assert lit.shows() == [On, On]
    lit.step(0.2)
    assert lit.shows() == [On, Off]
    table.do(Undone(1))
    lit.step()
    assert lit.shows() == [Off, On], "taking back reveals nothing"


def test_the_winner_is_shown(lit: Lit) -> None:
    over = played(1)
    lit.table.desk.begin(lambda journal, binder: _stored(journal, binder, over))
    lit.table.settle()
    lit.step()
    winner = SETUP.seats.index(RACE.sheet(over.state).winners[0])
    assert [type(lit.parts.now[seat]) for seat in (winner, 1 - winner)] == [Show, Off]


def _stored(journal, binder, session):  # type: ignore[no-untyped-def]
    from companion.core.play import Play

    return Play(7, session, journal, binder)


def test_a_refused_press_flashes_its_own_lamp(lit: Lit) -> None:
    lit.press(1)
    assert lit.parts.flashes == [1]
    assert lit.table.told == [("core.not-waiting-for-you", "refused")]


def test_a_refused_card_flashes_the_seat_that_showed_it_or_is_waited_for(lit: Lit) -> None:
    lit.table.start_worlds()
    lit.table.desk.propose(Sighted("gem-world", 1))
    lit.table.desk.propose(Sighted("gem-world"))
    lit.table.settle()
    lit.step()
    assert lit.parts.flashes == [1, 0, 1]


def test_what_is_accepted_ticked_or_touched_flashes_nothing(lit: Lit) -> None:
    lit.table.start_worlds()
    for signal in (Sighted("new-sparta"), Answer(1, "x.y", "z"), Answer(0, "race.action", "settle")):
        lit.table.desk.propose(signal)
    lit.table.settle()
    lit.step()
    assert lit.parts.flashes == []


def test_a_full_disk_flashes_and_lights_nothing_new(lit: Lit, request: pytest.FixtureRequest) -> None:
    lit.table.settling()
    lit.step(REVEAL + 0.1)
    request.getfixturevalue("full")
    lit.press(0)
    assert lit.parts.flashes == [0]
    assert lit.shows() == [On, On]


def test_counters_show_what_people_want_to_see(lit: Lit) -> None:
    lit.table.settling()
    for wish in ("points", "phase", "hand"):
        lit.table.desk.change(counter=wish)
        lit.step()
        expected = [number(n).strip() for n in numbers(lit.table.session, wish)]
        assert [lit.parts.counters()[n].strip() for n in (0, 1)] == expected


def test_everything_is_dark_without_a_play(lit: Lit) -> None:
    lit.table.desk.leave()
    lit.table.settle()
    lit.step()
    assert lit.shows() == [Off, Off]
    assert {text.strip() for text in lit.parts.counters().values()} == {""}


def test_while_parts_are_tried_out_a_press_means_nothing(lit: Lit) -> None:
    lit.table.settling()
    before = lit.table.session
    lit.panel.try_out(Trial(lit=1))
    lit.step(REVEAL + 0.1)
    assert lit.shows() == [Off, On]
    lit.press(0)
    assert lit.table.session is before
    assert [who for who, _ in lit.acted] == [0]
    lit.table.desk.propose(Press(9))
    lit.table.settle()
    lit.step()
    assert lit.parts.flashes == []
    lit.panel.try_out(None)
    lit.step()
    assert lit.shows() == [On, On]


def test_what_is_more_than_a_press_goes_to_the_screen(lit: Lit) -> None:
    lit.step(lit.parts.hold(1, lit.at) - lit.at + 0.1)
    assert [(who, type(gesture)) for who, gesture in lit.acted] == [(1, Held)]


def test_the_buzzer_sounds_when_somebody_says_so(lit: Lit) -> None:
    lit.table.voice.buzz = lit.panel.buzz
    lit.table.desk.propose(Press(1))
    lit.table.settle()
    lit.step()
    assert lit.parts.buzzed == ["refused"]
    lit.table.desk.change(silent=("refused",))
    lit.table.desk.propose(Press(1))
    lit.table.settle()
    lit.step()
    assert lit.parts.buzzed == ["refused"]


def test_the_panel_has_a_thread_of_its_own(playing: ListeningDesk) -> None:
    """A press goes from the panel's thread to the clerk's and comes back as light, whatever the screen does."""
    shown = threading.Event()

    class Watched(Parts):
        def show(self, lamps: dict[int, Pattern], at: float) -> None:  # type: ignore[override]
            super().show(lamps, at)
            if isinstance(self.now.get(1), On):
                shown.set()

    panel = SeatPanel(playing.desk, Watched(), lambda who, gesture: None)
    panel.start()
    playing.desk.propose(playing.first())
    assert shown.wait(PATIENCE)
    panel.stop()


def test_a_press_means_what_the_lamps_show_and_what_was_offered(
    lit: Lit, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A player who presses has seen no later table, although the clerk may have one already."""
    lit.table.settling()
    lit.table.desk.set_scan_mode(ScanMode(seat=1))
    lit.table.camera.lie("gem-world")
    lit.table.settle()
    offer = lit.table.outcomes[-1].meaning
    lit.step()
    seen: list[object] = []
    monkeypatch.setattr(lit.table.desk, "propose", lambda signal, seen=None, put=seen.append: put(seen))
    lit.press(1)
    assert seen == [SeenState(lit.table.session, offer)]  # type: ignore[arg-type]
    monkeypatch.undo()
    before = lit.table.session
    lit.table.do(Answer(0, "race.place", "pass"))
    monkeypatch.setattr(lit.table.desk, "propose", lambda signal, seen=None, put=seen.append: put(seen))
    lit.parts.press(0, lit.at)
    lit.panel.step(lit.at + 0.5)  # gestures come before what has become true since
    assert seen[1:] == [SeenState(before, offer)]  # type: ignore[arg-type]


# Soft limits


SOFT = """
id = "slow"
name = "Slow"
seats = [2]
rounds = 9
start = "stay"
[clock]
soft = 60
tokens = 1
[[phase]]
id = "turn"
turns = 1
"""


@pytest.fixture
def slow(table: ListeningDesk) -> Iterator[Lit]:
    """A light play with a soft limit of a minute, in which Ania has the first turn; people want clocks."""
    table.desk.change(clocks=True)
    lit = Lit(table)
    table.desk.start(flow_game(SOFT), Setup("slow", ("Ania", "Bartek"), flow=SOFT))
    table.settle()
    table.desk.propose(Answer(None, "flow.who-begins", "0"))
    table.settle()
    lit.step()
    yield lit
    lit.panel.stop()


def wait(lit: Lit, seconds: float) -> list[type[Pattern]]:
    """Both clocks run; what the lamps do then."""
    lit.table.now += seconds
    lit.step(seconds)
    return lit.shows()


def test_a_lamp_breathes_after_the_soft_limit_and_nothing_else_happens(slow: Lit) -> None:
    assert slow.shows() == [On, Off]
    entries = slow.table.desk.session.entries
    assert wait(slow, 59.0) == [On, Off]
    assert wait(slow, 2.0) == [Breathe, Off]
    assert wait(slow, 600.0) == [Breathe, Off]
    assert slow.table.desk.session.entries == entries
    slow.press(0)
    assert wait(slow, 1.0) == [Off, On], "Bartek's turn has just begun"


def test_an_extension_gives_the_limit_once_more(slow: Lit) -> None:
    assert wait(slow, 61.0) == [Breathe, Off]
    slow.table.desk.propose(Answer(0, "flow.turn", "extend"))
    slow.table.settle()
    assert wait(slow, 1.0) == [On, Off]
    assert wait(slow, 60.0) == [Breathe, Off]
    assert [o.id for o in slow.table.desk.questions()[0].options] == ["done"], "there was one extension"


def test_a_pause_counts_for_nobody(slow: Lit) -> None:
    wait(slow, 40.0)
    slow.table.desk.pause()
    slow.table.settle()
    assert wait(slow, 500.0) == [Off, Off]
    slow.table.desk.unpause()
    slow.table.settle()
    assert wait(slow, 1.0) == [On, Off]
    assert slow.table.desk.session.thinking(slow.table.now)[0] == pytest.approx(41.0, abs=1)
    assert wait(slow, 20.0) == [Breathe, Off]


def test_a_power_cut_counts_for_nobody(slow: Lit) -> None:
    wait(slow, 40.0)
    slow.table.desk.leave()
    slow.table.settle()
    slow.table.now += 3600
    slow.table.desk.resume(1)
    slow.table.settle()
    slow.step()
    assert slow.table.desk.session.thinking(slow.table.now)[0] == pytest.approx(0.0, abs=1)
    assert slow.shows() == [On, Off]


def test_without_clocks_no_lamp_breathes(slow: Lit) -> None:
    slow.table.desk.change(clocks=False)
    slow.step()
    assert wait(slow, 100.0) == [On, Off]
