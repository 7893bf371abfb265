"""The laws every game obeys."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from string import Formatter
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec import Struct
from msgspec.structs import replace

from companion.core import session as sessions
from companion.core.agenda import open_asks, questions, take
from companion.core.autoplay import any_answer, play
from companion.core.entries import decode_entry, encode_entry
from companion.core.game import Bots, Game, Setup
from companion.core.questions import Answer
from companion.core.session import Session
from companion.core.understand import Meaning, Press, Sighted, understand
from companion.core.views import View
from companion.core.words import Text, inside
from companion.errors import PlayerTrouble
from companion.texts import LANGUAGES, catalogue, render
from tests import budgets
from tests.laws.walks import ALL, COVERING, LIGHT, any_counter, any_fact, called, everywhere, walk

few = settings(
    max_examples=40 if budgets.campaign else 2, deadline=None, suppress_health_check=list(HealthCheck)
)
"""Other ones in every run, except for the first; a budget for each game, however many set-ups it has."""
seeds = st.integers(0, 2**32).map(Random)


@everywhere
@few
@given(random=seeds)
def test_every_table_of_a_play_obeys_the_laws(game: Game, setup: Setup, random: Random) -> None:
    """What is offered is accepted: otherwise the play would not go on."""
    tables = []
    for n, session in enumerate(walk(game, setup, random, 80)):
        tables.append(session)
        for law, every in LAWS:
            if n % every == 0:
                law(session, random)
    undo_equals_the_earlier_state_and_redo_the_later(tables, random)


def the_table_is_possible(session: Session, random: Random) -> None:
    assert session.game.check(session.state) == ()


def somebody_is_asked_until_it_is_over(session: Session, random: Random) -> None:
    asked = session.questions()
    assert bool(asked) != session.over
    seats = [question.seat for question in asked]
    assert len(set(seats)) == len(seats), "two questions for one seat"
    for question in asked:
        ids = [option.id for option in question.options]
        assert ids
        assert len(set(ids)) == len(ids)


def refused_changes_nothing(session: Session, random: Random) -> None:
    game, state = session.game, session.state
    wrong = [Answer(99, "nobody.asks", "x"), Answer(None, "nobody.asks", "x")]
    wrong += [Answer(q.seat, q.slug, "never offered") for q in session.questions()]
    wrong += [Answer(q.seat, "another.question", q.options[0].id) for q in session.questions()]
    before, counters = game.encode(state), session.counters()
    for answer in wrong:
        with pytest.raises(PlayerTrouble):
            take(state, answer)
    for counter in counters and [any_counter(counters, random)]:
        for value in (counter.low - 1, counter.high + 1):
            with pytest.raises(PlayerTrouble):
                session.correct(counter.id, value, 0.0)
    assert session.state is state
    assert game.encode(state) == before


def json_round_trips(session: Session, random: Random) -> None:
    game = session.game
    assert game.decode(game.encode(session.state)) == session.state


def corrections_are_taken_and_can_be_undone(session: Session, random: Random) -> None:
    """Any counter to any value within its bounds: taken, or refused with a reason; the play goes on either way."""
    game = session.game
    if not (counters := session.counters()):
        return
    counter = any_counter(counters, random)
    value = random.choice(counter.values)
    assert counter.value in counter.values
    assert len({c.id for c in counters}) == len(counters)
    try:
        corrected = session.correct(counter.id, value, 0.0, by="Ania")
    except PlayerTrouble:
        return
    now = {c.id: c.value for c in corrected.counters()}
    assert counter.id not in now or now[counter.id] == value or corrected.state.news
    assert game.check(corrected.state) == ()
    assert corrected.undo(1, 0.0).state is session.state
    if not corrected.over:
        corrected.answer(any_answer(corrected, random), 0.0)


def what_is_printed_can_be_set_right_at_any_moment(session: Session, random: Random) -> None:
    """Any fact to anything that can be printed: taken, or refused with a reason; the play goes on either way."""
    game = session.game
    if (told := any_fact(session, random)) is None:
        return
    try:
        after = session.correct_fact(*told, 0.0, by="Ania")
    except PlayerTrouble:
        return
    assert after.state.taught[told[0]] == told[1]
    assert game.check(after.state) == ()
    assert after.undo(1, 0.0).state is session.state
    game.view(after.state), game.sheet(after.state), after.counters(), after.questions()
    assert "{" not in render(after.sentence(len(after.moments) - 1), "en").replace("{}", "")
    if not after.over:
        after.answer(any_answer(after, random), 0.0)


def understand_never_raises(session: Session, random: Random) -> None:
    setup = session.setup
    components = [*session.game.catalogue(setup, setup.facts).by_id, "no-such-thing", "", "🂡"]
    for component in random.sample(components, min(5, len(components))):
        for seat in (None, *range(len(setup.seats))):
            assert isinstance(understand(session, Sighted(component, seat)), Meaning)
    for seat in range(len(setup.seats) + 1):
        assert isinstance(understand(session, Press(seat)), Meaning)


def a_secret_answer_shows_nothing_but_ready(session: Session, random: Random) -> None:
    game = session.game
    secret = [question for question in session.questions() if question.secret]
    if len(secret) < 2:
        return
    question = random.choice(secret)
    option = random.choice(question.options)
    after = session.answer(Answer(question.seat, question.slug, option.id), 0.0)
    if all(other.slug != question.slug for _, other in open_asks(after.state)):
        return  # the others had nothing to choose: it was revealed at once
    assert _quiet(game.view(after.state)) == _quiet(game.view(session.state))
    assert after.state.news == ()
    told = render(after.story()[-1], "en")
    assert render(option.text, "en") not in told.removesuffix(".").split(": ")[-1].split()


def undo_equals_the_earlier_state_and_redo_the_later(tables: list[Session], random: Random) -> None:
    last, steps = tables[-1], random.randint(1, len(tables) - 1)
    back = last.undo(steps, 0.0)
    assert back.state is tables[-1 - steps].state
    assert back.questions() == tables[-1 - steps].questions()
    assert back.redo(steps, 0.0).state is last.state


LAWS: tuple[tuple[Callable[[Session, Random], None], int], ...] = (
    (the_table_is_possible, 1),
    (somebody_is_asked_until_it_is_over, 1),
    (json_round_trips, 2),
    (a_secret_answer_shows_nothing_but_ready, 2),
    (refused_changes_nothing, 3),
    (corrections_are_taken_and_can_be_undone, 3),
    (what_is_printed_can_be_set_right_at_any_moment, 3),
    (understand_never_raises, 4),
)
"""Each law about one table, and its interval: 3 means that every third table of a play is checked."""


@everywhere
@few
@given(random=seeds)
def test_replay_equals_live(game: Game, setup: Setup, random: Random) -> None:
    """With undo, redo, corrections and pauses in between, and through the journal's own bytes."""
    session, bodies = sessions.begin(game, setup, 5.0), []
    for n in range(60):
        after = _any_deed(session, random, 5.0 + n)
        if after is None:
            break
        session = after
        assert session.last is not None
        bodies.append(encode_entry(session.last))
    replayed = sessions.replay(game, setup, 5.0, [decode_entry(body) for body in bodies])
    assert replayed.state == session.state
    assert replayed.moments == session.moments
    assert replayed.ahead == session.ahead
    assert replayed.thought == session.thought
    assert replayed.paused == session.paused


def _any_deed(session: Session, random: Random, at: float) -> Session | None:
    deed = random.choice(("answer",) * 6 + ("undo", "redo", "correct", "retell", "pause"))
    try:
        if deed == "undo":
            return session.undo(random.randint(1, 3), at)
        if deed == "redo":
            return session.redo(1, at)
        if deed == "pause":
            return session.resume(at) if session.paused else session.pause(at)
        if deed == "correct" and session.counters():
            counter = any_counter(session.counters(), random)
            return session.correct(counter.id, random.choice(counter.values), at)
        if deed == "retell" and (told := any_fact(session, random)):
            return session.correct_fact(*told, at)
    except PlayerTrouble:
        pass
    return None if session.over else session.answer(any_answer(session, random), at)


def _quiet(view: View) -> View:
    """A view without who is waited for."""
    return replace(view, seats=tuple(replace(s, waiting=False, ready=False) for s in view.seats))


@pytest.mark.parametrize(
    ("game", "setup", "seed"),
    [(*one, n + 100 * k) for n, one in enumerate(ALL + LIGHT) for k in range(10 if budgets.campaign else 1)],
    ids=called,
)
def test_every_bot_play_ends_and_adds_up(game: Game, setup: Setup, seed: int) -> None:
    """Bots do with real pieces exactly what the news says: it is enough, and no piece is lost or made."""
    pieces: set[int] = set()
    for n, (state, bots) in enumerate(_bot_play(game, setup, seed)):
        assert n < 3000
        assert game.check(state) == ()
        pieces.add(bots.pieces())
        assert len(pieces) == 1
        for pool in game.view(state).pools:
            assert 0 <= pool.value <= pool.full
        sheet = game.sheet(state)
        for seat in sheet.seats:
            assert sum(line.points for line in seat.lines) == seat.total
        best = max(seat.total for seat in sheet.seats)
        assert {s.name for s in sheet.seats if s.rank == 1} == set(sheet.winners)
        assert all(s.total == best for s in sheet.seats if s.rank == 1)
    assert game.view(state).over


def _bot_play(game: Game, setup: Setup, seed: int) -> Iterator[tuple[Any, Bots]]:
    """A whole play with the bots that made it."""
    made: list[Bots] = []

    def bots(setup: Setup, random: Random) -> Bots:
        made.append(game.bots(setup, random))
        return made[0]

    for state, _ in play(replace(game, bots=bots), setup, seed):
        yield state, made[0]


@pytest.mark.parametrize(("game", "setup"), (ALL if budgets.campaign else COVERING) + LIGHT, ids=called)
def test_every_text_exists_in_every_language(game: Game, setup: Setup) -> None:
    """Questions, options, reasons, news, views, counters, lists and stories of a whole play."""
    seen: set[str] = set()
    for text in _texts(game, setup):
        assert isinstance(text, Text)
        for part in inside(text):
            if part.key in seen or part.key in ("core.plain", "core.named"):
                continue
            seen.add(part.key)
            for language in LANGUAGES:
                assert _has(language, part), f"{part.key} has no words in {language}"
                assert "{" not in render(part, language)


def _texts(game: Game, setup: Setup) -> Iterator[Text]:
    yield from (*game.checklist(game.complete(setup)), *game.packing(game.complete(setup)))
    session = sessions.begin(game, setup, 0.0)
    random = Random(7)
    while not session.over:
        for question in questions(session.state):
            yield question.text
            for option in question.options:
                yield from (t for t in (option.text, option.detail) if t is not None)
        box = sorted(game.catalogue(setup, setup.facts).by_id)
        for component in random.sample(box, min(3, len(box))):
            for _, ask in open_asks(session.state):
                yield ask.why_not(session.state, component)
        yield from (item.text for item in session.state.news)
        yield from _inside_view(game.view(session.state))
        for counter in session.counters() if random.random() < 0.1 else ():  # they hardly change
            yield counter.text
            yield from (name for _, name in counter.names)
            yield from (counter.group,) if counter.group is not None else ()
        session = session.answer(any_answer(session, random), 0.0)
    yield from session.story()


def _inside_view(value: object) -> Iterator[Text]:
    """Every text anywhere in a view."""
    if isinstance(value, Text):
        yield value
    elif isinstance(value, Struct):
        for name in value.__struct_fields__:
            yield from _inside_view(getattr(value, name))
    elif isinstance(value, tuple):
        for inner in value:
            yield from _inside_view(inner)


def _has(language: str, text: Text) -> bool:
    words = catalogue(language)
    if text.n is None:
        return words.gettext(text.key) != text.key
    return words.ngettext(text.key, text.key, text.n) != text.key


def test_both_languages_have_the_same_sentences_with_the_same_places() -> None:
    """A forgotten translation, or a misspelt placeholder, is found here."""
    patterns = {language: catalogue(language)._catalog for language in LANGUAGES}  # type: ignore[attr-defined]
    keys = {language: {k[0] if isinstance(k, tuple) else k for k in p} for language, p in patterns.items()}
    assert keys["en"] == keys["pl"]
    fields: dict[str, dict[str, set[str]]] = {}
    for language, found in patterns.items():
        for key, words in found.items():
            name = key[0] if isinstance(key, tuple) else key
            if name:
                places = {field for _, field, _, _ in Formatter().parse(words) if field}
                fields.setdefault(name, {}).setdefault(language, set()).update(places)
    for name, places in fields.items():
        assert places["en"] == places["pl"], name
