"""What a play reveals is kept for later plays: decks, levels, piles and types (rules 6, 16-21, 94, 121)."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from companion.core.agenda import advance, open_asks
from companion.core.autoplay import next_answer
from companion.core.binder import Binder, box_schema
from companion.core.box_merge import take_over
from companion.core.components import Facts, SaidBy
from companion.core.fact_values import written
from companion.core.game import Bots, Setup
from companion.core.journal import Journal
from companion.core.play import Play
from companion.core.questions import Answer, Option, Question
from companion.core.store import Store
from companion.core.words import plain
from companion.games.beyond import GAME
from companion.games.beyond import operations as op
from companion.games.beyond.state import BeyondState
from companion.games.beyond.steps.colonise import WhichSystem
from companion.games.beyond.steps.events import ChooseGuild, TurnEvent
from companion.games.beyond.steps.research import NONE_FOUND, WhichCard
from companion.games.beyond.steps.setup import LayAchievement
from companion.texts import LANGUAGES, render
from tests.games.beyond.made_up_box import made_up_box
from tests.games.beyond.tables import asked, does, offers, say, seat, table
from tests.printed_answers import told_of

SETUP = Setup("beyond", ("Ania", "Bartek"))
EMPTY: BeyondState = GAME.start(GAME.complete(SETUP))
"""A table of which nobody told anything."""


@pytest.mark.parametrize(
    ("step", "option", "facts"),
    [
        (WhichSystem(None, "a1", "A"), "system-10", {"system-10.deck": "A", "system-10.start": True}),
        (WhichSystem(None, "b1", "B"), "system-10", {"system-10.deck": "B", "system-10.start": False}),
        (TurnEvent(0, 3), "event-12", {"event-12.event_level": 3}),
        (LayAchievement("B"), "achievement-8", {"achievement-8.pile": "B"}),
        (ChooseGuild(0, 2), "professors-guild", {"professors-guild.guild_level": 2}),
        (WhichCard(0, 2, "military"), "supply-base", {"supply-base.matches": ["military"]}),
        (WhichCard(0, 2, "any"), "supply-base", {}),
        (WhichCard(0, 2, "military"), NONE_FOUND, {}),
        (TurnEvent(0, 3), "kc-24x", {}),
        (WhichCard(0, 3, "science"), "transdimensional-ai", {}),
    ],
)
def test_what_follows_from_an_answer_and_nobody_knew(step: Any, option: str, facts: Facts) -> None:
    assert step.reveals(EMPTY, option) == facts


def test_a_system_drawn_in_the_middle_of_a_play_may_be_a_start_system_or_not() -> None:
    state = table(seat(), seat())
    unknown = {key: told for key, told in state.taught.items() if not key.startswith("system-10.")}
    drawn = WhichSystem(0, "a1", "A").reveals(
        type(state)(seats=state.seats, taught=unknown, phase="action"), "system-10"
    )
    assert drawn == {"system-10.deck": "A"}


def test_a_card_found_for_a_second_type_is_a_hybrid_of_the_two() -> None:
    """A hybrid belongs to two types (rule 6), so its triangle is known by then."""
    setup = Setup("beyond", SETUP.seats, {}, {"supply-base.matches": ["military"]})
    state = GAME.start(GAME.complete(setup))
    assert WhichCard(0, 2, "science").reveals(state, "supply-base") == {
        "supply-base.types": ["military", "science"]
    }
    assert WhichCard(0, 2, "military").reveals(state, "supply-base") == {}
    first, *_ = WhichCard(0, 2, "military").ask(state).options
    assert first.id == "supply-base", "what is known to match stands first"


# Guilds


def test_guild_levels_are_asked_before_a_tile_is_removed_and_then_known() -> None:
    """KC-24X removes a tile of level 2 (rules 110, 121): only one of these can be chosen."""
    levels = {
        "terraformers-guild": 1,
        "professors-guild": 2,
        "technocrats-guild": 1,
        "metascientists-guild": 2,
    }
    state = table(seat(), seat())
    taught = {key: told for key, told in state.taught.items() if not key.endswith(".guild_level")}
    state = does(replace(state, taught=taught), KC)
    assert asked(state).facts == tuple(f"{guild}.guild_level" for guild in levels)
    state = say(state, json.dumps({guild: {"guild_level": level} for guild, level in levels.items()}))
    assert offers(state) == {"professors-guild", "metascientists-guild"}
    state = does(say(state, "professors-guild"), KC)
    assert offers(state) == {"metascientists-guild"}, "nobody is asked a second time"


KC = op.UncoverGuild(guild_level=2)


# Kept in the binder


class Evening:
    """A play by bots whose box is as the made-up one is printed, whatever of it the binder knows."""

    def __init__(self, store: Store, seed: int, binder: Binder | None = None) -> None:
        self.journal, self.binder = Journal(store), binder or Binder(store)
        self.random, self.truth = Random(seed), made_up_box()
        self.play = Play.start(GAME, SETUP, self.journal, self.binder, 1000.0 * seed)
        truth = Setup("beyond", SETUP.seats, self.play.session.setup.choices, self.truth)
        self.bots: Bots = GAME.bots(truth, self.random)
        self.at = 1000.0 * seed
        self.asked: Counter[str] = Counter()
        self.offered: Counter[str] = Counter()

    def answer(self) -> Question:
        """One more answer, by somebody who reads the cards."""
        state = self.play.session.state
        ((_, ask),) = open_asks(state)
        question = ask.ask(state)
        self.at += 1
        if question.form is not None:
            told = told_of(question, self.truth)
            answer = Answer(question.seat, question.slug, written(question.form, told))
        else:
            answer = next_answer(state, self.bots, self.random)
        self.asked[question.slug] += question.only is None
        self.offered[question.slug] += len(question.options)
        self.play.answer(answer, self.at)
        self.bots.follow(self.play.session.state, self.play.session.state.news)
        return question

    def until(self, slug: str) -> None:
        """Play on until this question was answered."""
        while self.answer().slug != slug:
            pass

    def whole(self, most: int = 2000) -> Evening:
        while not self.play.session.over and most:
            self.answer()
            most -= 1
        assert most
        return self

    def revealed(self) -> Facts:
        """What the binder has from plays."""
        latest = self.binder.latest("beyond").values()
        return {t.key: t.value for t in latest if t.said_by is SaidBy.PLAY and t.value is not None}


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    store = Store(tmp_path / "journal.db")
    yield store
    store.close()


def test_a_whole_evening_reveals_nothing_but_the_truth(store: Store) -> None:
    evening = Evening(store, 1).whole()
    found = evening.revealed()
    assert {key.rpartition(".")[2] for key in found} >= {"deck", "start", "pile", "matches"}
    for key, value in found.items():
        id, _, field = key.rpartition(".")
        if field == "matches":
            assert isinstance(value, list)
            assert set(value) <= evening.bots.table.types[id]  # type: ignore[attr-defined]
        elif key in evening.truth:
            assert value == evening.truth[key], key
    assert not {*found} & {*evening.play.session.state.taught}, "nothing of it is in the play and its digests"


def test_bots_turn_over_an_event_that_lies_on_the_level() -> None:
    """Otherwise a level would be derived that is not the card's."""
    bots: Any = GAME.bots(Setup("beyond", SETUP.seats, {}, made_up_box()), Random(1))
    state = advance(table(seat(), seat()).push(TurnEvent(0, 3)))
    piles = bots.table.events
    offered = tuple(Option(id, plain(id)) for pile in piles.values() for id in pile)
    wanted = piles[3][-1]
    assert bots.choose(state, Question("beyond.event", 0, plain(""), offered)) == wanted


def test_it_is_told_as_seen_in_a_play_in_files_too(store: Store, tmp_path: Path) -> None:
    evening = Evening(store, 1)
    evening.until("beyond.lay-achievement")
    key, _ = next(iter(evening.revealed().items()))
    told = evening.binder.latest("beyond")[key]
    assert [render(told.source, language).partition(",")[0] for language in LANGUAGES] == [
        "seen in a play" if language == "en" else "z rozgrywki" for language in LANGUAGES
    ]
    exported = evening.binder.export("beyond")["facts"]
    assert {fact["said_by"] for fact in exported} == {"play"}
    items = box_schema("beyond", GAME.schema()["properties"])["properties"]["facts"]["items"]
    assert all("play" in kind["properties"]["said_by"]["enum"] for kind in items["anyOf"])
    other = Binder(Store(tmp_path / "other.db"))
    other.teach("beyond", *key.rsplit(".", 1), _another(key, told.value), 1.0)
    assert take_over(other, GAME, evening.binder.latest("beyond").values(), insist=True) == len(exported) - 1
    assert other.latest("beyond")[key].said_by is SaidBy.OWNER, "a play is not held against anybody's word"


def _another(key: str, value: Any) -> Any:
    return {"A": "B", "B": "A", True: False, False: True}[value]


def test_taken_back_with_the_answer_and_there_again_with_it(store: Store) -> None:
    evening = Evening(store, 1)
    evening.until("beyond.which-system")
    first = evening.revealed()
    assert first
    evening.play.undo(1, evening.at + 1)
    assert evening.revealed() == {}
    evening.play.redo(1, evening.at + 2)
    assert evening.revealed() == first


def test_what_another_play_revealed_stays_when_this_one_is_taken_back(store: Store) -> None:
    first = Evening(store, 1)
    first.until("beyond.which-system")
    key = next(key for key in first.revealed() if key.endswith(".deck"))
    again = Evening(store, 2)
    again.until("beyond.board")
    again.until("beyond.board")
    again.play.answer(Answer(None, "beyond.which-system", key.rpartition(".")[0]), again.at)
    again.play.undo(1, again.at + 1)
    assert key in again.revealed()


def test_an_owners_word_holds_and_a_word_taken_back_stays_taken_back(store: Store) -> None:
    evening = Evening(store, 1)
    evening.until("beyond.which-system")
    key = next(key for key in evening.revealed() if key.endswith(".deck"))
    component, _, field = key.rpartition(".")
    evening.binder.teach("beyond", component, field, "B", evening.at + 0.5)
    evening.until("beyond.lay-achievement")
    assert evening.binder.facts("beyond")[key] == "B"
    evening.binder.forget("beyond", component, field, evening.at + 0.5)
    evening.until("beyond.action")
    assert key not in evening.binder.facts("beyond")


def test_what_a_kill_kept_from_the_binder_is_derived_at_the_next_start(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    evening = Evening(store, 1)
    with monkeypatch.context() as killed:
        killed.setattr(Play, "_reveal", lambda play: None)
        evening.until("beyond.lay-achievement")
    assert evening.revealed() == {}
    Play.resume(evening.play.id, evening.journal, evening.binder).reopen(evening.at + 5)
    found = evening.revealed()
    assert len(found) > 4
    resumed = Play.resume(evening.play.id, evening.journal, evening.binder)
    with monkeypatch.context() as killed:
        killed.setattr(Play, "_reveal", lambda play: None)
        resumed.undo(1, evening.at + 6)
    assert evening.revealed() == found
    Play.resume(evening.play.id, evening.journal, evening.binder).reopen(evening.at + 7)
    assert len(evening.revealed()) < len(found), "taken back, though the power went in between"


def test_nothing_follows_about_a_card_people_set_right_afterwards(store: Store) -> None:
    evening = Evening(store, 1)
    evening.until("beyond.action")
    counters = {counter.id: counter for counter in evening.play.session.counters()}
    guild = next(id for id in counters if id.startswith("guild:"))
    before = evening.revealed()
    evening.play.correct(guild, 1, evening.at + 1)
    assert evening.revealed() == before, "nothing was told about that one"
    system = next(
        id for id, c in counters.items() if c.component in evening.play.session.state.systems.values()
    )
    card = counters[system].component
    assert f"{card}.deck" in before
    other = next(value for value in counters[system].values if value != counters[system].value)
    evening.play.correct(system, other, evening.at + 2)
    assert f"{card}.deck" not in evening.revealed()


# The next evening


def test_the_next_evening_asks_less(store: Store, tmp_path: Path) -> None:
    """The same second evening, with what the first one revealed and without."""
    first = Evening(store, 1).whole()
    latest = first.binder.latest("beyond").values()
    without = Binder(other := Store(tmp_path / "without.db"))
    without.keep(tuple(t for t in latest if t.said_by is not SaidBy.PLAY))
    plain, knowing = Evening(other, 2, without).whole(), Evening(store, 2).whole()
    figures = {
        name: (one.asked.total(), one.asked["core.fact"], sum(one.offered[slug] for slug in DRAWN))
        for name, one in (("first", first), ("without", plain), ("with", knowing))
    }
    assert figures["with"][2] < figures["without"][2], "fewer cards to choose from"
    assert figures["with"][0] <= figures["without"][0]
    assert figures["with"][1] < figures["first"][1], "fewer cards to read"
    other.close()


DRAWN = ("beyond.which-system", "beyond.event", "beyond.which-card", "beyond.lay-achievement")
"""Which card was drawn: so many may be it."""
