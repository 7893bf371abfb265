"""Printed values entered at the table: by one tap, or by a form; kept for later, or for this once only."""

import json
from random import Random

import pytest

from companion.core.faces import Sign
from companion.core.fact_values import anything, fits, read
from companion.core.facts import ask_fact
from companion.core.game import games
from companion.core.questions import Answer
from companion.core.words import plain
from companion.errors import StorageTrouble
from companion.games.lantern import GAME as LANTERN
from companion.table import teaching
from companion.ui.toolkit.fact_page import FactPage
from companion.ui.toolkit.geometry import walk
from companion.ui.toolkit.place_map import PlaceMap
from companion.ui.toolkit.symbols import FaceView
from devices.gestures import Held
from workshop.screens.checks import problems


def shown(rehearsal, card):
    """A table at which somebody has shown a card about which something is asked."""
    games()["lantern"] = LANTERN
    rehearsal.play("lantern", ("Ania", "Bartek"))
    for seat, shows in enumerate((card, "candle")):
        rehearsal.app.desk.propose(Answer(seat, "lantern.show", shows))
        rehearsal.settle()
    return rehearsal


@pytest.fixture
def moth(rehearsal):
    return shown(rehearsal, "moth")


@pytest.fixture
def firefly(rehearsal):
    return shown(rehearsal, "firefly")


def answered(rehearsal):
    """What somebody told; what left no choice came along."""
    session = rehearsal.app.desk.session
    return session.moments[-session.last_deed].entry.deed.answer.option


def kept(rehearsal):
    found = []
    rehearsal.app.desk.clerk.do(lambda journal, binder: binder.facts("lantern"), found.append, found.append)
    rehearsal.settle()
    return found[0]


def says(rehearsal, words):
    return any(words in said for said in rehearsal.words())


def test_a_small_number_is_one_tap(moth):
    assert says(moth, "Moth, how bright: what is printed?")
    moth.tap("option-3")
    assert answered(moth) == "3"
    assert kept(moth) == {"moth.light": 3}


def test_just_this_once_counts_in_this_play_and_is_not_kept(moth):
    moth.tap("form-once")
    moth.tap("option-3")
    assert answered(moth) == "once:3"
    assert moth.app.desk.session.state.taught == {"moth.light": 3}
    assert kept(moth) == {}


def test_everything_unknown_about_a_card_is_one_page(firefly):
    assert "form-done" not in firefly.taps()
    firefly.tap("value.colour-cold")
    firefly.tap("add-value.effects")
    firefly.tap("add-value.effects-glow")
    assert says(firefly, "When it leads, take 1 oil more")
    firefly.tap("value.effects-0.oil-2")
    assert says(firefly, "When it leads, take 2 oil more")
    firefly.tap("add-value.effects")
    firefly.tap("add-value.effects-dazzle")
    firefly.tap("value.effects-1.whom-right")
    firefly.tap("away-value.effects-0")
    firefly.tap("form-done")
    told = {"colour": "cold", "effects": [{"does": "dazzle", "whom": "right"}]}
    assert json.loads(answered(firefly)) == told
    assert kept(firefly) == {"firefly.colour": told["colour"], "firefly.effects": told["effects"]}


def test_the_face_is_as_it_was_told_so_far(firefly):
    def face():
        (view,) = [part for part in walk(firefly.app.stage) if isinstance(part, FaceView)]
        return view.face

    assert face().tint == ""
    firefly.tap("value.colour-cold")
    assert face().tint == "cold"
    firefly.tap("add-value.effects")
    firefly.tap("add-value.effects-glow")
    firefly.tap("value.effects-0.oil-2")
    assert Sign("oil", "+2") in face().rows[0]


def test_an_effect_told_before_is_mended_where_it_stands(firefly):
    for kind in ("glow", "dazzle"):
        firefly.tap("add-value.effects")
        firefly.tap(f"add-value.effects-{kind}")
    assert "value.effects-0.oil-2" not in firefly.taps()
    firefly.tap("open-value.effects-0")
    firefly.tap("value.effects-0.oil-2")
    firefly.tap("value.colour-warm")
    firefly.tap("form-done")
    told = [{"does": "glow", "oil": 2}, {"does": "dazzle", "whom": "left"}]
    assert json.loads(answered(firefly))["effects"] == told


def test_what_is_not_wanted_after_all_is_not_added(firefly):
    firefly.tap("add-value.effects")
    firefly.tap("add-not")
    firefly.tap("value.colour-warm")
    firefly.tap("form-done")
    assert json.loads(answered(firefly))["effects"] == []


def test_a_card_says_nothing_is_also_told(firefly):
    firefly.tap("value.colour-warm")
    firefly.tap("form-done")
    assert json.loads(answered(firefly)) == {"colour": "warm", "effects": []}


def test_a_list_of_effects_is_taught_in_the_binder_with_the_same_form(rehearsal, monkeypatch):
    monkeypatch.setattr("companion.ui.screens.binder.screen.games", lambda: {"lantern": LANTERN})
    rehearsal.tap("binder")
    rehearsal.tap("open-firefly")
    rehearsal.tap("fact-effects")
    rehearsal.tap("add-value.effects-glow")
    rehearsal.tap("value.effects-0.oil-1")
    rehearsal.tap("keep")
    assert kept(rehearsal) == {"firefly.effects": [{"does": "glow", "oil": 1}]}
    assert says(rehearsal, "When it leads, take 1 oil more")


@pytest.mark.parametrize("language", ["en", "pl"])
@pytest.mark.parametrize("text", [100, 150])
def test_everything_can_be_read_and_touched(firefly, tmp_path, language, text):
    firefly.change(text_size=text, language=language)
    for name in ("value.colour-cold", "add-value.effects", "add-value.effects-glow", "value.effects-0.oil-2"):
        firefly.tap(name)
        firefly.shoot(tmp_path / "form.png")
        assert problems(firefly.app, tmp_path / "form.png") == []


def asks_for(fact):
    return lambda session: any(fact in question.facts for question in session.questions())


@pytest.mark.every_game
def test_several_numbers_of_one_field_are_told_one_after_another(rehearsal):
    """The supply columns of Beyond the Sun: the page is there before any is entered, and done after the last."""
    rehearsal.play("beyond", ("Ania", "Bartek"), seed=2)
    rehearsal.play_until(asks_for("basic-boards.columns"))
    assert rehearsal.screen.name == "table"
    rehearsal.screen.fact_pad.pad.value |= TRACKS
    for column in "abcde":
        assert "form-done" not in rehearsal.taps()
        assert says(rehearsal, "Still to tell: slots of the supply columns")
        rehearsal.tap(f"value.columns.{column}-3")
    rehearsal.tap("form-done")
    told = rehearsal.app.desk.session.state.taught["basic-boards.columns"]
    assert told == dict.fromkeys("abcde", 3)


@pytest.mark.every_game
def test_what_the_rulebook_contradicts_is_no_answer_and_the_page_is_told(rehearsal):
    """Beyond the Sun: 20 cubes do not fill 40 slots (set-up sheet, 18 to 20)."""
    rehearsal.play("beyond", ("Ania", "Bartek"), seed=2)
    rehearsal.play_until(asks_for("basic-boards.columns"))
    rehearsal.screen.fact_pad.pad.value["automation"] = TRACKS["automation"]
    for column in "abcde":
        rehearsal.tap(f"value.columns.{column}-8")
    assert says(rehearsal, "The growth track has nine places")
    rehearsal.screen.fact_pad.pad.value |= TRACKS
    rehearsal.app.refresh()
    rehearsal.settle()
    assert "form-done" not in rehearsal.taps()
    assert says(rehearsal, "(set-up sheet, steps 18 to 20); told: 40")
    for column in "abcde":
        rehearsal.tap(f"value.columns.{column}-3")
    rehearsal.tap("form-done")


TRACKS = {
    "growth": ["a", "none", "b", "none", "none", "c", "none", "d", "e"],
    "ore_track": [1, 0, 1, 0, 1, 0, 1, 0, 1],
    "automation": dict.fromkeys(("first", "second", "third", "fourth", "fifth", "sixth", "seventh"), 1),
}
"""Tracks of basic boards as far as the rulebook tells: the rest is made up."""


def told_by_bots(rules, component):
    """What bots tell of everything nobody knows of a component."""
    bots, untold = rules.bots(rules.usual_setup(), Random(1)), component.unknown()
    asked = {field: ask_fact(rules.id, component, field).ask(None) for field in untold}
    return {field: read(q.form, bots.choose(None, q))[0] for field, q in asked.items()}


@pytest.mark.every_game
@pytest.mark.parametrize("game", [id for id, rules in games().items() if rules.usual_box().unknown()])
def test_whatever_nobody_told_has_a_page_that_can_be_filled(rehearsal, game):
    """One of each kind of component, with all of its fields that are not known: empty, and told somehow."""
    rules, random = games()[game], Random(1)
    kinds = {(type(one), one.unknown()): one for one in rules.usual_box() if one.unknown()}
    assert kinds
    for component in kinds.values():
        page = FactPage(rehearsal.screen, rules, component, component.unknown(), {}, lambda: None)
        page.laid_out("page", [], [page.still()]).place(0, 0, 780, 400)
        assert not page.complete or page.entered, "somebody could say that nothing was told"
        for _ in range(20):
            page.value = {field.name: anything(field.form, random) for field in page.fields}
            if page.complete:  # else nothing was drawn
                break
        if page.against():  # nobody fills a board by chance
            page.value = told_by_bots(rules, component)
        page.laid_out("page", [], []).place(0, 0, 780, 400)
        assert page.complete
        assert all(
            fits(field.form, page.entered[field.name]) for field in page.fields if field.name in page.entered
        )


@pytest.mark.every_game
@pytest.mark.parametrize(
    ("component", "field"), [("achievement-8", "slots"), ("basic-boards", "automation"), ("side-2", "routes")]
)
def test_what_is_asked_alone_must_be_told(rehearsal, component, field):
    """The end of Beyond the Sun asks for what could wait until then: nothing told is no answer there."""
    rehearsal.play("beyond", ("Ania", "Bartek"), seed=2)
    box = rehearsal.app.desk.session.catalogue
    pad = rehearsal.screen.fact_pad
    pad.page(ask_fact("beyond", box[component], field).ask(rehearsal.app.desk.session.state))
    assert not pad.pad.complete
    assert pad.pad.missing()


def full(*_, **__):
    raise StorageTrouble(plain("The disk is full."))


@pytest.mark.every_game
def test_a_map_that_is_half_drawn_is_found_again(rehearsal, monkeypatch):
    """After going home in the middle, looking at somebody's seat, or one undo too many, drawing goes on."""
    rehearsal.play("transgalactica", ("Ania", "Bartek"), seed=2)
    rehearsal.play_until(asks_for("board-2.sketch"))

    def spots():
        return rehearsal.screen.fact_pad.pad.value.get("sketch")

    assert "form-done" not in rehearsal.taps(), "nothing is drawn yet"
    drawn = next(part for part in walk(rehearsal.app.stage) if isinstance(part, PlaceMap))
    for at in ((3, 3), (9, 3)):
        rehearsal.touch(*drawn.on_screen(*at))
        rehearsal.settle()
    told = spots()
    assert len(told) == 2
    rehearsal.app.buttons.act(0, Held(0.0))
    rehearsal.settle()
    assert rehearsal.app.front.sheet.seat == 0
    rehearsal.tap("close-seat")
    assert spots() == told
    rehearsal.tap("undo")
    rehearsal.tap("redo")
    assert spots() == told
    rehearsal.tap("menu")
    rehearsal.tap("choice-6")
    assert rehearsal.screen.name == "home"
    rehearsal.app.half_told.clear()  # as after a power cut
    rehearsal.tap("resume")
    assert spots() == told
    assert teaching.load(rehearsal.app.folder).of("transgalactica", "board-2") == {"sketch": told}
    with monkeypatch.context() as disk:
        disk.setattr("companion.core.journal.Journal.append", full)
        rehearsal.tap("form-done")
    assert "board-2.sketch" not in rehearsal.app.desk.session.state.taught
    assert spots() == told
    assert teaching.load(rehearsal.app.folder).of("transgalactica", "board-2") == {"sketch": told}, (
        "it was refused"
    )
    rehearsal.tap("form-done")
    assert rehearsal.app.desk.session.state.taught["board-2.sketch"] == told
    assert teaching.load(rehearsal.app.folder).of("transgalactica", "board-2") == {}
