"""Asking for printed facts at the table: one page per card, in force at once, kept for later or for this once only."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.core.binder import Binder, read_box
from companion.core.box_merge import take_over
from companion.core.components import UNKNOWN, Value
from companion.core.digest import digest
from companion.core.facts import AskFact, ask_fact
from companion.core.flow import game as flow_games
from companion.core.forms import OneOf, Record
from companion.core.game import Game, Setup, every_game
from companion.core.journal import Journal
from companion.core.play import Play
from companion.core.questions import Answer, Question
from companion.core.session import Session, begin
from companion.core.store import Store
from companion.errors import DataTrouble, NotNow, PlayerTrouble
from companion.games.lantern import GAME as LANTERN
from companion.games.lantern.component_types import Dazzle, Glow
from companion.texts import render

DATA = Path(__file__).parent / "data"
GLOW, DAZZLE = {"does": "glow", "oil": 2}, {"does": "dazzle", "whom": "left"}


def told(**fields: object) -> str:
    return json.dumps(fields)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(tmp_path / "journal.db") as store:
        yield store


def shown(*cards: str) -> Session:
    """A table at which everybody has shown a card."""
    session = begin(LANTERN, Setup("lantern", ("Ania", "Bartek", "Celina")[: len(cards)]), 0.0)
    for seat, card in enumerate(cards):
        session = session.answer(Answer(seat, "lantern.show", card), 0.0)
    return session


def the_question(session: Session) -> Question:
    (question,) = session.questions()
    return question


def tell(session: Session, answer: str) -> Session:
    return session.answer(Answer(None, "core.fact", answer), 0.0)


def test_all_that_is_unknown_about_a_card_is_one_question() -> None:
    question = the_question(shown("firefly", "candle"))
    assert render(question.text, "en") == "Firefly: what is printed on it?"
    assert isinstance(question.form, Record)
    assert [field.name for field in question.form.fields] == ["colour", "effects"]
    after = tell(shown("firefly", "candle"), told(colour="cold", effects=[GLOW]))
    assert after.state.taught == {"firefly.colour": "cold", "firefly.effects": [GLOW]}
    assert the_question(after).slug == "lantern.oil"


def test_a_choice_is_asked_in_words_and_answered_by_its_name() -> None:
    step = ask_fact("lantern", LANTERN.usual_box()["firefly"], "colour")
    question = step.ask(shown("candle", "candle").state)
    assert isinstance(question.form, OneOf)
    assert [(o.id, render(o.text, "pl")) for o in question.options] == [("warm", "ciepła"), ("cold", "zimna")]
    assert step.take(shown("candle", "candle").state, "cold").taught == {"firefly.colour": "cold"}


@pytest.mark.parametrize(
    "wrong",
    [
        "",
        "cold",
        "[]",
        told(colour="cold"),
        told(colour="green", effects=[]),
        told(colour="cold", effects=[{"does": "sing"}]),
        told(colour="cold", effects=[{**GLOW, "oil": 3}]),
        told(colour="cold", effects=[], light=1),
        "once:",
        "[" * 10_000,
    ],
)
def test_what_does_not_fit_is_refused_and_changes_nothing(wrong: str) -> None:
    session = shown("firefly", "candle")
    with pytest.raises(NotNow):
        tell(session, wrong)
    assert session.state.taught == {}


def test_what_was_told_is_used_by_the_very_next_question() -> None:
    """The seat that leads with the Firefly takes the oil it was said to add; nobody has any to put back yet."""
    session = tell(shown("firefly", "candle"), told(colour="warm", effects=[GLOW, DAZZLE]))
    assert session.catalogue["firefly"].effects == (Glow(2), Dazzle("left"))
    session = session.answer(Answer(0, "lantern.oil", "1"), 0.0)
    assert session.state.oil == (3, 0)


def test_a_cold_light_does_not_lead_before_a_warm_one() -> None:
    assert the_question(tell(shown("firefly", "torch"), told(colour="cold", effects=[]))).seat == 1
    assert the_question(tell(shown("firefly", "torch"), told(colour="warm", effects=[]))).seat == 0


def test_the_catalogue_of_a_session_sees_what_was_taught_before_it_and_in_it() -> None:
    setup = Setup("lantern", ("Ania", "Bartek"), {}, {"firefly.colour": "cold"})
    before = begin(LANTERN, setup, 0.0)
    assert before.catalogue["firefly"].colour == "cold"
    assert before.catalogue["moth"].light is UNKNOWN
    session = before.answer(Answer(0, "lantern.show", "moth"), 0.0)
    session = tell(session.answer(Answer(1, "lantern.show", "candle"), 0.0), "2")
    assert session.catalogue["moth"].light == 2
    assert session.catalogue["firefly"].colour == "cold"
    assert session.undo(1, 0.0).catalogue["moth"].light is UNKNOWN


def test_only_what_is_still_unknown_is_asked() -> None:
    setup = Setup("lantern", ("Ania", "Bartek"), {}, {"firefly.effects": []})
    session = begin(LANTERN, setup, 0.0)
    for seat, card in enumerate(("firefly", "candle")):
        session = session.answer(Answer(seat, "lantern.show", card), 0.0)
    assert isinstance(the_question(session).form, OneOf)


def test_the_story_says_what_the_game_means() -> None:
    session = tell(shown("firefly", "candle"), told(colour="cold", effects=[GLOW, DAZZLE]))
    sentence = render(session.story()[-1], "en")
    assert "colour: cold" in sentence
    assert "when it leads, take 2 oil more" in sentence
    once = tell(shown("moth", "candle"), "once:3")
    assert "3 (in this play only)" in render(once.story()[-1], "en")


def test_a_question_that_waits_survives_as_json() -> None:
    state = shown("firefly", "candle").state
    assert LANTERN.decode(LANTERN.encode(state)) == state
    assert isinstance(state.agenda[0], AskFact)


# Told wrong, and set right


def test_what_was_told_wrong_is_set_right_in_the_play_and_for_later(store: Store) -> None:
    play = play_of(store, "moth")
    play.answer(Answer(None, "core.fact", "once:3"), 4.0)
    assert the_question(play.session).seat == 0
    play.correct_fact("moth.light", 0, 5.0, by="Bartek")
    assert play.session.catalogue["moth"].light == 0
    assert Binder(store).facts("lantern") == {"moth.light": 0}
    assert Binder(store).history("lantern")[-1].by == "Bartek"
    assert render(play.session.story()[-1], "en") == "Bartek set right: Moth, how bright: 0"
    assert render(play.session.story()[-1], "pl").startswith("Bartek poprawia: Moth, ")
    play.undo(1, 6.0)
    assert play.session.catalogue["moth"].light == 3
    assert Binder(store).facts("lantern") == {}  # that was for this play only
    play.redo(1, 7.0)
    assert Binder(store).facts("lantern") == {"moth.light": 0}


def test_what_was_set_right_by_mistake_and_taken_back_does_not_hold_later(store: Store) -> None:
    play, binder = play_of(store, "candle"), Binder(store)
    play.correct_fact("torch.light", 3, 4.0)
    assert binder.facts("lantern") == {"torch.light": 3}
    play.undo(1, 5.0)
    assert binder.facts("lantern") == {}
    binder.teach("lantern", "torch", "light", 1, 6.0, by="Ola")
    play.correct_fact("torch.light", 0, 7.0)
    play.correct_fact("torch.light", 3, 7.5)
    play.undo(2, 8.0)
    assert binder.facts("lantern") == {"torch.light": 1}
    assert binder.latest("lantern")["torch.light"].by == "Ola"
    play.correct_fact("torch.light", 3, 9.0)
    binder.teach("lantern", "torch", "light", 2, 10.0)
    play.undo(1, 11.0)
    assert binder.facts("lantern") == {"torch.light": 2}  # somebody said so since


def test_a_fact_set_right_is_replayed_from_the_journal(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(flow_games, "game", every_game().__getitem__)
    play = play_of(store, "firefly")
    play.correct_fact("firefly.effects", [GLOW], 4.0)
    again = Play.resume(play.id, Journal(store), Binder(store))
    assert again.divergence is None
    assert again.session == play.session
    assert again.session.catalogue["firefly"].effects == (Glow(2),)


@pytest.mark.parametrize(
    ("fact", "value"), [("moth.light", 9), ("moth.name", ""), ("moth.nothing", 1), ("comet.light", 1)]
)
def test_what_cannot_be_printed_is_not_set_right(store: Store, fact: str, value: Value) -> None:
    play = play_of(store, "moth")
    before = play.session
    with pytest.raises(PlayerTrouble):
        play.correct_fact(fact, value, 4.0)
    assert play.session is before


# Kept, or just this once


def play_of(store: Store, card: str) -> Play:
    play = Play.start(LANTERN, Setup("lantern", ("Ania", "Bartek")), Journal(store), Binder(store), 1.0)
    play.answer(Answer(0, "lantern.show", card), 2.0)
    play.answer(Answer(1, "lantern.show", "candle"), 3.0)
    return play


def test_what_is_told_is_kept_for_later_plays(store: Store) -> None:
    play = play_of(store, "firefly")
    play.answer(Answer(None, "core.fact", told(colour="cold", effects=[DAZZLE])), 4.0)
    assert Binder(store).facts("lantern") == {"firefly.colour": "cold", "firefly.effects": [DAZZLE]}
    later = play_of(store, "firefly")
    assert the_question(later.session).slug == "lantern.oil"
    assert later.session.catalogue["firefly"].effects == (Dazzle("left"),)


@pytest.mark.parametrize(
    ("card", "answer"), [("moth", "once:3"), ("firefly", "once:" + told(colour="cold", effects=[GLOW]))]
)
def test_just_this_once_counts_in_this_play_only(
    store: Store, monkeypatch: pytest.MonkeyPatch, card: str, answer: str
) -> None:
    monkeypatch.setattr(flow_games, "game", every_game().__getitem__)
    play = play_of(store, card)
    play.answer(Answer(None, "core.fact", answer), 4.0)
    play.answer(Answer(0, "lantern.oil", "1"), 5.0)
    assert card in {key.partition(".")[0] for key in play.session.state.taught}
    assert Binder(store).history("lantern") == ()
    again = Play.resume(play.id, Journal(store), Binder(store))
    assert again.session.state == play.session.state
    again.answer(Answer(1, "lantern.follow", "dark"), 6.0)
    assert Binder(store).history("lantern") == ()
    assert the_question(play_of(store, card).session).slug == "core.fact"


def test_taken_back_and_told_for_good_it_is_kept(store: Store) -> None:
    play = play_of(store, "moth")
    play.answer(Answer(None, "core.fact", "once:3"), 4.0)
    play.undo(1, 5.0)
    play.answer(Answer(None, "core.fact", "3"), 6.0)
    assert Binder(store).facts("lantern") == {"moth.light": 3}


def test_what_this_box_has_no_place_for_does_not_keep_a_play_from_beginning(store: Store) -> None:
    """Facts about a card of another edition, or told when the type of a field was another."""
    binder = Binder(store)
    binder.teach("lantern", "comet", "light", 3, 1.0)
    binder.teach("lantern", "moth", "light", 9, 1.0)
    binder.teach("lantern", "firefly", "colour", "cold", 1.0)
    play = play_of(store, "moth")
    assert play.session.setup.facts == {"firefly.colour": "cold"}
    assert the_question(play.session).slug == "core.fact"


# What was written when facts were only numbers and names


@pytest.fixture
def old(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Store]:
    monkeypatch.setattr(flow_games, "game", every_game().__getitem__)
    packed = DATA / "facts-of-numbers-and-names.db.gz"
    (tmp_path / "old.db").write_bytes(gzip.decompress(packed.read_bytes()))
    with Store(tmp_path / "old.db") as store:
        yield store


def test_an_old_binder_is_read(old: Store) -> None:
    assert Binder(old).facts("race") == {"old-earth.points": 3, "alpha-centauri.good": "genes"}
    assert Binder(old).facts("lantern") == {"moth.light": 3}


@pytest.mark.parametrize(("number", "table"), [(1, "a3c9aba858b51c01"), (2, "a37da93a2e4f1d3d")])
def test_old_plays_with_facts_lead_to_the_same_table(old: Store, number: int, table: str) -> None:
    play = Play.resume(number, Journal(old), Binder(old))
    assert play.divergence is None
    assert digest(play.session.state) == table


def test_an_old_play_goes_on_with_what_it_was_told(old: Store) -> None:
    session = Play.resume(2, Journal(old), Binder(old)).session
    assert session.catalogue["moth"].light == 3
    assert render(session.story()[2], "en") == "Moth, how bright: what is printed? 3"


def test_an_old_file_of_facts_is_taken_over(store: Store) -> None:
    race = every_game()["race"]
    data = (DATA / "facts-of-numbers-and-names.json").read_bytes()
    assert take_over(Binder(store), race, read_box(data, "race"), insist=True) == 2
    assert Binder(store).facts("race") == {"old-earth.points": 3, "alpha-centauri.good": "genes"}


def sheet(game: Game, **facts: object) -> bytes:
    listed = [
        {
            "game": game.id,
            "component": key.partition("__")[0],
            "field": key.partition("__")[2],
            "value": v,
            "at": 1,
        }
        for key, v in facts.items()
    ]
    head = {"format": "tabletop-companion facts", "version": 1, "game": game.id}
    return json.dumps({**head, "facts": listed}).encode()


def test_a_file_is_checked_against_the_forms_with_a_sentence_for_each_problem(store: Store) -> None:
    binder = Binder(store)
    wrong = sheet(
        LANTERN,
        moth__light=4,
        firefly__colour="green",
        firefly__effects=[GLOW, {"does": "glow", "oil": 9}, {}],
    )
    with pytest.raises(DataTrouble) as raised:
        take_over(binder, LANTERN, read_box(wrong, "lantern"))
    assert [render(problem, "en") for problem in raised.value.problems] == [
        "moth.light cannot be 4: it is a whole number from 0 to 3.",
        "firefly.colour cannot be green: it is one of these: warm, cold.",
        "firefly.effects[1].oil cannot be 9: it is a whole number from 1 to 2.",
        "firefly.effects[2] cannot be {}: it is one of these: glow, dazzle.",
    ]
    assert binder.facts("lantern") == {}
    right = read_box(sheet(LANTERN, moth__light=3, firefly__effects=[GLOW]), "lantern")
    assert take_over(binder, LANTERN, right) == 2
    assert binder.facts("lantern") == {"moth.light": 3, "firefly.effects": [GLOW]}
