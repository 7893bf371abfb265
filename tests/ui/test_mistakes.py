"""Typical mistakes of an evening, each with its remedy in the real window: never more than five taps, never a
restart."""

import pytest

from companion.core.digest import digest
from companion.core.entries import Corrected, SeatLeft
from companion.core.game import games
from companion.recognition import reading
from vision.label_news import Brought, Disturbed, Noticed
from vision.sightings import Sighting

MOST_TAPS = 5
RACE = games()["race"]
EVERY_GAME = tuple(games())
CORRECT, HISTORY, LEAVES = "choice-1", "choice-4", "choice-5"
"""In the menu of the table."""
TAKE_BACK, GO_ON, COUNT = "choice-0", "choice-0", "choice-1"
"""What the program's own questions offer."""


class Evening:
    """A table of people; every touch of the screen that mends something is counted."""

    def __init__(self, rehearsal):
        self.window, self.taps = rehearsal, 0

    @property
    def session(self):
        return self.window.app.desk.session

    @property
    def table(self):
        """What lies there, whatever is asked."""
        return digest(self.session.state)

    def touch(self, *names):
        """A finger on each of these, one after another."""
        for name in names:
            assert name in self.window.taps(), (
                f"{name} is not to be touched; there are {sorted(self.window.taps())}"
            )
            self.window.tap(name)
            self.taps += 1
        assert self.taps <= MOST_TAPS, f"{self.taps} taps"

    def show(self, *cards, seat=None, game=RACE, how=Brought):
        """Cards before the camera, all at once; of a player's own set, theirs."""
        book = reading.book(game)
        for card in cards:
            text = next(
                text
                for piece, text in book.texts.items()
                if piece.component == card and (seat is None or piece.copy == seat + 1)
            )
            self.window.now += 1.0
            sighting = Sighting(text, ((0.0, 0.0), (9.0, 0.0), (9.0, 9.0), (0.0, 9.0)), "zxing", 0.99, 3.0)
            self.window.camera_feed.coming.append(how(sighting, self.window.now))
        self.window.camera_feed.wake()
        self.window.settle()

    def told(self):
        """What people are told at this moment."""
        return "" if self.window.app.message is None else self.window.app.message[0]

    def asked(self, seat):
        return next(q for q in self.session.questions() if q.seat == seat)


@pytest.fixture
def evening(rehearsal):
    """Ania and Bartek have played for a while; both are about to turn over the action they chose."""
    rehearsal.play("race", ("Ania", "Bartek"), seed=3)
    rehearsal.play_until(
        lambda s: (
            min(len(seat.tableau) for seat in s.state.seats) >= 3
            and [q.slug for q in s.questions()] == ["race.action"] * 2
        )
    )
    return Evening(rehearsal)


def people(game):
    """As few as can play it, but two."""
    return tuple(f"P{n}" for n in range(max(2, games()[game].box.seats[0])))


def cards_of(question):
    return [option.component for option in question.options if option.component is not None]


def test_the_wrong_seats_card(evening):
    """Ania takes an action card from Bartek's pile by mistake and shows it: the label says that it is Bartek's, so it
    has answered for him. One tap takes it back, and she shows her own."""
    before = evening.table
    card = cards_of(evening.asked(1))[0]
    evening.show(card, seat=1)
    assert [q.seat for q in evening.session.questions()] == [0], "Bartek has answered, as the card says"
    evening.touch("undo")
    assert evening.table == before
    evening.show(card, seat=0)
    assert [q.seat for q in evening.session.questions()] == [1], "now Ania has"
    assert evening.taps == 1


def test_a_card_scanned_twice(evening):
    """Bartek is not sure whether the camera saw his card and shows it again. Nothing happens twice, without a tap."""
    card = cards_of(evening.asked(1))[0]
    evening.show(card, seat=1)
    once, entries = evening.table, evening.session.entries
    evening.show(card, seat=1)
    evening.show(card, seat=1)
    assert (evening.table, evening.session.entries) == (once, entries)
    assert evening.told(), "a message says that it was seen before"
    assert evening.taps == 0


def test_a_forgotten_phase(evening):
    """Ania had chosen another action than was told for her, and everybody notices only several answers later: a whole
    phase was forgotten. The history leads back to that answer, and the round is entered again from there."""
    before, line = evening.table, len(evening.session.moments)
    evening.window.play_on(6)
    assert evening.table != before
    evening.touch("menu", HISTORY)
    if f"line-{line}" not in evening.window.taps():
        evening.touch("earlier")
    evening.touch(f"line-{line}", TAKE_BACK)
    assert evening.table == before
    assert {q.slug for q in evening.session.questions()} == {"race.action"}
    assert evening.taps <= MOST_TAPS


def test_a_forgotten_chip(evening):
    """Bartek forgot to take a chip two turns ago. Ania sets it right for him: the number on the screen is the number of
    chips before him again, and everybody can read who changed it."""
    chips = next(c.value for c in evening.session.counters() if c.id == "chips:1")
    evening.touch("menu", CORRECT, "by-0", "of-1", "plus-chips:1")
    assert next(c.value for c in evening.session.counters() if c.id == "chips:1") == chips + 1
    assert evening.session.last.deed == Corrected("chips:1", chips + 1, "Ania")


@pytest.mark.every_game
@pytest.mark.parametrize("game", EVERY_GAME)
def test_something_was_forgotten_in_any_game(rehearsal, game):
    """Whatever was forgotten, players correct their own number within five taps."""
    rehearsal.play(game, people(game), seed=2)
    rehearsal.play_until(lambda session: len(session.moments) > 12 and _forgettable(session))
    evening = Evening(rehearsal)
    counter = _forgettable(evening.session)[0]
    evening.touch("menu", CORRECT, "by-0")
    if counter.group is not None:
        evening.touch(f"group-{evening.window.app.desk.words(counter.group)}")
    evening.touch(f"plus-{counter.id}")
    after = next(c.value for c in evening.session.counters() if c.id == counter.id)
    assert after == counter.value + 1


def _forgettable(session):
    """Numbers of the first seat that may be one more."""
    mine = [c for c in session.counters() if c.seat == 0 and not c.is_switch and not c.names]
    return [c for c in mine if _can_be(session, c.id, c.value + 1)]


def _can_be(session, counter, value):
    try:
        session.correct(counter, value, session.at)
    except ValueError:
        return False
    return True


@pytest.mark.every_game
@pytest.mark.parametrize("game", EVERY_GAME)
def test_undo_after_the_next_player_moved(rehearsal, game):
    """Somebody notices that the answer before the last was wrong: the next player has moved already. One tap takes back
    each thing that was done, with everything that followed; then both are entered again."""
    rehearsal.play(game, people(game), answers=10, seed=4)
    evening = Evening(rehearsal)
    deeds, before = len(evening.session.deeds()), evening.table
    while len(evening.session.deeds()) < deeds + 2:
        rehearsal.play_on(1)
    tables = [evening.session.moments[first - 1].state for first, _ in evening.session.deeds()[-2:]]
    assert digest(tables[0]) == before
    evening.touch("undo")
    assert evening.table == digest(tables[1])
    evening.touch("undo")
    assert evening.table == before
    assert evening.session.questions()
    assert evening.taps == 2


@pytest.mark.every_game
@pytest.mark.parametrize("game", EVERY_GAME)
def test_a_player_leaves_in_the_middle(rehearsal, game):
    """The last train goes. The leaver is chosen in the menu; from then on suggestions are answered for that
    seat, and the others go on. Next week nobody remembers: it is in the journal."""
    rehearsal.play(game, people(game), answers=8, seed=5)
    evening = Evening(rehearsal)
    evening.touch("menu", LEAVES, "choice-1", GO_ON)
    assert evening.session.away == {1}
    waiting = [q for q in evening.session.questions() if q.seat == 1]
    assert all(q.default is None or q.dice is not None or q.form is not None for q in waiting)
    evening.taps = 0
    evening.touch("menu", LEAVES, "choice-1")
    assert evening.session.away == frozenset()
    assert evening.session.last.deed == SeatLeft(1, away=False)


def test_a_player_leaves_and_nobody_wants_to_go_on(evening):
    """Or all of them stop, and the points so far are counted."""
    before = evening.session.entries
    evening.touch("menu", LEAVES, "choice-0", COUNT)
    assert evening.window.app.screen.name == "score"
    assert evening.session.entries == before


@pytest.mark.every_game
@pytest.mark.parametrize("game", [id for id in EVERY_GAME if games()[id].box.label is not None])
def test_the_label_of_another_game(rehearsal, game):
    """A card of another box was left on the table. It means nothing here; people are told what it is, and nobody has to
    touch anything."""
    others = [rules for rules in games().values() if rules.box.label is not None and rules.id != game]
    rehearsal.play(game, people(game), answers=6, seed=1)
    evening = Evening(rehearsal)
    rehearsal.app.home("table")
    rehearsal.settle()
    before, entries = evening.table, evening.session.entries
    for other in others:
        piece = reading.book(other).pieces[0]
        evening.show(piece.component, game=other)
        assert (evening.table, evening.session.entries) == (before, entries)
        assert other.box.name in evening.told()
    assert evening.taps == 0


def test_the_table_is_bumped(evening):
    """Somebody knocks against the table: the camera sees everything somewhere else, all at once. No card that only slid
    answers anything. A good that fell off its world is put right in the play if it cannot be put back."""
    lying = [card for seat in evening.session.state.seats for card in seat.tableau]
    before, entries = evening.table, evening.session.entries
    evening.window.camera_feed.coming.append(Disturbed("moved", evening.window.now))
    evening.show(*lying, how=Noticed)
    evening.window.camera_feed.coming.append(Disturbed("", evening.window.now))
    evening.show(*reversed(lying), how=Noticed)
    assert (evening.table, evening.session.entries) == (before, entries)
    assert evening.taps == 0
    switch = next(
        c
        for c in evening.session.counters()
        if c.seat == 0 and c.id.startswith("good:") and _can_be(evening.session, c.id, 1 - c.value)
    )
    evening.touch("menu", CORRECT, "by-0", f"switch-{switch.id}")
    after = next(c.value for c in evening.session.counters() if c.id == switch.id)
    assert after == 1 - switch.value


LABELLED = [id for id in EVERY_GAME if games()[id].box.label is not None]


def _shown_alone(session):
    """Cards that answer one question of this table and no other, and only in one way."""
    texts = {piece.component for piece in reading.book(session.game).pieces}
    cards = [card for question in session.questions() for card in cards_of(question)]
    return [card for card in cards if card in texts and cards.count(card) == 1]


@pytest.mark.every_game
@pytest.mark.parametrize("game", LABELLED)
def test_a_card_scanned_twice_in_any_game(rehearsal, game):
    """An unsure player shows a card again, and again: it is one answer, without a tap."""
    rehearsal.play(game, people(game), seed=6)
    rehearsal.play_until(lambda session: session.entries > 4 and _shown_alone(session))
    evening = Evening(rehearsal)
    card, entries = _shown_alone(evening.session)[0], evening.session.entries
    evening.show(card, game=games()[game])
    assert evening.session.entries > entries, "it is an answer"
    once, entries = evening.table, evening.session.entries
    evening.show(card, game=games()[game])
    evening.show(card, game=games()[game])
    assert (evening.table, evening.session.entries) == (once, entries)
    assert evening.taps == 0


@pytest.mark.every_game
@pytest.mark.parametrize("game", EVERY_GAME)
def test_a_forgotten_phase_in_any_game(rehearsal, game):
    """Several answers later everybody notices what was forgotten: the history leads back there."""
    rehearsal.play(game, people(game), answers=9, seed=7)
    evening = Evening(rehearsal)
    before, line = evening.table, len(evening.session.moments)
    while len(evening.session.deeds()) < 3 or len(evening.session.moments) < line + 5:
        rehearsal.play_on(1)
    assert evening.table != before
    evening.touch("menu", HISTORY)
    if f"line-{line}" not in evening.window.taps():
        evening.touch("earlier")
    evening.touch(f"line-{line}", TAKE_BACK)
    assert evening.table == before
    assert evening.session.questions()


@pytest.mark.every_game
@pytest.mark.parametrize("game", LABELLED)
def test_the_table_is_bumped_in_any_game(rehearsal, game):
    """Everything slides, and lies in sight again, what would be an answer among it: nobody has answered anything."""
    rehearsal.play(game, people(game), answers=8, seed=8)
    rehearsal.play_until(lambda session: session.entries > 8 and _shown_alone(session))
    evening = Evening(rehearsal)
    book = reading.book(games()[game])
    lying = [*_shown_alone(evening.session), *(piece.component for piece in book.pieces[:6])]
    before, entries = evening.table, evening.session.entries
    evening.window.camera_feed.coming.append(Disturbed("moved", evening.window.now))
    evening.show(*lying, game=games()[game], how=Noticed)
    evening.window.camera_feed.coming.append(Disturbed("", evening.window.now))
    evening.show(*reversed(lying), game=games()[game], how=Noticed)
    assert (evening.table, evening.session.entries) == (before, entries)
    assert evening.taps == 0
