"""What a seat chose in secret changes nothing that anybody else is shown, until the reveal."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion.core.entries import encode_entry
from companion.core.game import Game, Setup
from companion.core.journal import EntryRow
from companion.core.own_view import own
from companion.core.questions import Answer, Question
from companion.core.session import Session
from companion.hall_messages import TableState
from companion.table.home_assistant import home_state
from companion.table.phone_drawings import Drawer, Pictures
from companion.table.phone_pages import PageMaker
from companion.table.public_state import event_of, result_of, state_of
from companion.table.settings import Settings
from companion.texts import LANGUAGES
from companion.wire import GUEST
from tests import budgets
from tests.laws.walks import COVERING, called, walk

few = settings(
    max_examples=25 if budgets.campaign else 1, deadline=None, suppress_health_check=list(HealthCheck)
)
seeds = st.integers(0, 2**32).map(Random)

Shows = Callable[[Session, int | None], bytes]


def secret_questions(session: Session) -> list[Question]:
    return [question for question in session.questions() if question.secret and question.seat is not None]


def twins(session: Session, random: Random) -> tuple[int, list[tuple[Session, Session]]] | None:
    """A seat, and pairs of plays that differ only in what it chose in secret, with the same answers of others
    after it; None where there is nothing to choose in secret."""
    asked = [question for question in secret_questions(session) if len(question.options) > 1]
    if not asked or len(secret_questions(session)) < 2:
        return None
    question = random.choice(asked)
    assert question.seat is not None
    one, other = (
        session.answer(Answer(question.seat, question.slug, option.id), 1.0)
        for option in random.sample(question.options, 2)
    )
    pairs = [(one, other)]
    while (open_ := _of_others(pairs[-1][0], question.seat)) and _still_waits(pairs[-1][0], question.slug):
        next_ = random.choice(open_)
        answer = Answer(next_.seat, next_.slug, random.choice(next_.options).id)
        pairs.append((pairs[-1][0].answer(answer, 2.0), pairs[-1][1].answer(answer, 2.0)))
    return question.seat, [pair for pair in pairs if _still_waits(pair[0], question.slug)]


def _of_others(session: Session, seat: int) -> list[Question]:
    return [question for question in secret_questions(session) if question.seat != seat]


def _still_waits(session: Session, slug: str) -> bool:
    """Whether somebody has not chosen yet, so that nothing was turned over."""
    return not session.state.news and any(question.slug == slug for question in session.questions())


def check(shows: Shows, game: Game, setup: Setup, random: Random) -> int:
    """How many pages were compared in a random play."""
    compared = 0
    for session in walk(game, setup, random, 40):
        found = twins(session, random)
        if found is None:
            continue
        secretive, pairs = found
        for one, other in pairs:
            for audience in (None, *range(len(setup.seats))):
                if audience != secretive:
                    assert shows(one, audience) == shows(other, audience), (audience, secretive)
                    compared += 1
    return compared


PICTURES = Pictures()


def phone_pages(session: Session, seat: int | None) -> bytes:
    """What the phones of an audience get, in both languages."""
    maker = PageMaker(session, session.questions(), Settings(), frozenset(), Drawer(session.game, PICTURES))
    return b"".join(maker.body(GUEST if seat is None else seat, language) for language in LANGUAGES)


@pytest.mark.parametrize(("game", "setup"), COVERING, ids=called)
@few
@given(random=seeds)
def test_a_secret_answer_changes_nothing_that_others_are_shown(
    game: Game, setup: Setup, random: Random
) -> None:
    check(phone_pages, game, setup, random)


def told_to_a_hall(session: Session, seat: int | None) -> bytes:
    """What a hall and Home Assistant hear of a play: the same for every audience, and nothing of an answer."""
    at = TableState("table-7", "Table 7", "free")
    state = state_of(session, 1, Settings(), 2.0, at)
    entries = [moment.entry for moment in session.moments if moment.entry is not None]
    events = (
        event_of("table-7", 1, EntryRow(n, entry.at, encode_entry(entry)), "")
        for n, entry in enumerate(entries)
    )
    told = [state, result_of(session, "table-7", 1, ""), *events]
    return b"".join(map(msgspec.json.encode, told)) + home_state(state, "en").encode()


@pytest.mark.parametrize(("game", "setup"), COVERING, ids=called)
@few
@given(random=seeds)
def test_a_secret_answer_changes_nothing_that_a_hall_hears(game: Game, setup: Setup, random: Random) -> None:
    check(told_to_a_hall, game, setup, random)


@pytest.mark.parametrize("id", ["race", "lantern"])
def test_there_are_secrets_to_compare_and_their_owner_sees_them(id: str) -> None:
    """The law above would hold for nothing if no play had secrets."""
    game, setup = next((game, setup) for game, setup in COVERING if game.id == id)
    assert check(phone_pages, game, setup, Random(1)) > 0
    for session in walk(game, setup, Random(1), 60):
        found = twins(session, Random(2))
        for seat, (one, other) in ((found[0], pair) for pair in (found[1] if found else [])):
            assert phone_pages(one, seat) != phone_pages(other, seat)
            assert own(one, seat).secrets[-1].text != own(other, seat).secrets[-1].text
            assert all(
                own(one, n).secrets == own(other, n).secrets for n in range(len(setup.seats)) if n != seat
            )
            return
    raise AssertionError("no secret choice came up")
