"""Choosing among many: tiles, search by name and kind, a scan instead, and no message about a secret choice."""

import pytest

from companion.core.questions import Answer
from companion.core.understand import Sighted


def options(rehearsal):
    """The options that can be touched now."""
    return [name.removeprefix("option-") for name in rehearsal.taps() if name.startswith("option-")]


@pytest.fixture
def many(rehearsal):
    """Somebody is asked in secret which world to settle, or development to place; the question."""
    rehearsal.play("race", ("Ania", "Bartek", "Celina"), seed=3)
    rehearsal.play_until(lambda s: any(len(q.options) > 30 for q in s.questions()))
    question = next(q for q in rehearsal.app.desk.session.questions() if len(q.options) > 30)
    assert question.secret
    rehearsal.change(in_secret=True)
    rehearsal.app.go("choose", seat=question.seat)
    rehearsal.settle()
    return question


def asked(rehearsal):
    return {q.seat for q in rehearsal.app.desk.session.questions()}


def name_of(rehearsal, option):
    return rehearsal.app.desk.words(option.text)


def seat_name(rehearsal, question):
    return rehearsal.app.desk.session.setup.seats[question.seat]


def test_every_option_can_be_reached_and_only_those_in_sight_are_made(rehearsal, many):
    found = []
    while True:
        assert 2 <= len(options(rehearsal)) <= 60
        found += options(rehearsal)
        if len(found) >= len(many.options):
            break
        rehearsal.tap("next")
    assert found == [option.id for option in many.options]
    if "next" in rehearsal.taps():
        rehearsal.tap("next")
        assert options(rehearsal)[0] == many.options[0].id, "behind the last page is the first"


def test_twenty_faces_whose_names_can_be_read_are_on_one_page(rehearsal, many):
    assert len(options(rehearsal)) >= min(20, len(many.options))


def test_a_cost_leaves_only_what_costs_that(rehearsal, many):
    game, box = rehearsal.app.desk.session.game, rehearsal.app.desk.session.catalogue
    costs = {o.id: game.face(box[o.component]).corners[0] for o in many.options if o.component is not None}
    tap = next(name for name in rehearsal.taps() if name.startswith("cost-3"))
    rehearsal.tap(tap)
    assert options(rehearsal)
    assert {f"cost-{costs[id].value}-{costs[id].symbol}" for id in options(rehearsal)} == {tap}
    rehearsal.tap(tap)
    assert options(rehearsal)[0] == many.options[0].id


def test_typing_finds_whatever_the_case_and_the_marks(rehearsal, many):
    wanted = [o for o in many.options if o.component is not None][7]
    typed = name_of(rehearsal, wanted).upper().replace("A", "Ą").replace("E", "Ę").replace("L", "Ł")
    for letter in typed:
        assert rehearsal.app.screen.typed("0", letter)
    rehearsal.settle()
    assert wanted.id in options(rehearsal)
    assert len(options(rehearsal)) <= 2
    rehearsal.tap("clear")
    assert len(options(rehearsal)) > 2


def test_every_typed_word_counts_in_any_order(rehearsal, many):
    wanted = next(o for o in many.options if len(name_of(rehearsal, o).split()) > 1)
    first, *rest = name_of(rehearsal, wanted).split()
    for letter in " ".join([*rest, first[:3]]):
        rehearsal.app.screen.typed("0", letter)
    assert wanted.id in options(rehearsal)


def test_the_keyboard_of_the_screen_narrows_the_tiles_at_once(rehearsal, many):
    rehearsal.tap("find")
    wanted = [o for o in many.options if o.component is not None][3]
    for letter in name_of(rehearsal, wanted).lower()[:3]:
        rehearsal.tap(f"key-{letter}")
    fitting = sum(
        name_of(rehearsal, wanted).lower()[:3] in name_of(rehearsal, o).lower() for o in many.options
    )
    assert f"{fitting} of {len(many.options)}" in rehearsal.words()
    rehearsal.tap("found")
    assert wanted.id in options(rehearsal)
    assert "key-a" not in rehearsal.taps()


def test_when_nothing_fits_people_are_told_and_can_go_on(rehearsal, many):
    for letter in "qqq":
        rehearsal.app.screen.typed("0", letter)
    assert options(rehearsal) == []
    assert "Nothing fits." in rehearsal.words()
    rehearsal.tap("show-all")
    assert options(rehearsal)[0] == many.options[0].id


def test_a_kind_leaves_only_its_own(rehearsal, many):
    game = rehearsal.app.desk.session.game
    box = rehearsal.app.desk.session.catalogue
    kinds = {o.id: game.kind(box[o.component]).key for o in many.options if o.component is not None}
    assert len(set(kinds.values())) > 1
    rehearsal.app.screen._only(rehearsal.app.screen._kinds(many)[1])
    rehearsal.settle()
    assert len({kinds[id] for id in options(rehearsal)}) == 1
    rehearsal.tap("kind-every" if "kind-every" in rehearsal.taps() else "kind-clear")
    assert options(rehearsal)[0] == many.options[0].id


@pytest.mark.parametrize("how", ["tile", "scan"])
def test_nothing_is_told_of_a_choice_behind_the_hand(rehearsal, many, how):
    option = next(o for o in many.options if o.component is not None)
    name, who = name_of(rehearsal, option), seat_name(rehearsal, many)
    assert who.upper() in rehearsal.words()
    assert many.seat in asked(rehearsal)
    if how == "tile":
        rehearsal.tap(f"option-{option.id}")
        assert f"{who} is ready." in rehearsal.words()
    else:
        rehearsal.app.desk.propose(Sighted(option.component))
        rehearsal.settle()
        assert "Got it." in rehearsal.words()
    assert rehearsal.app.screen.name == "table"
    assert rehearsal.app.desk.session.last.deed.answer.option == option.id
    assert asked(rehearsal)  # the others still think, so it is still a secret
    assert name not in " ".join(rehearsal.words())


def test_a_card_is_taken_as_that_of_the_seat_that_has_the_screen(rehearsal, many):
    option = next(o for o in many.options if o.component is not None)
    others = [q for q in rehearsal.app.desk.session.questions() if q.seat != many.seat]
    assert any(o.component == option.component for q in others for o in q.options)
    rehearsal.app.desk.propose(Sighted(option.component))
    rehearsal.settle()
    assert many.seat not in asked(rehearsal)
    assert asked(rehearsal) == {q.seat for q in others}


def test_a_refused_card_keeps_people_here(rehearsal, many):
    rehearsal.app.desk.propose(Sighted("explore-5", many.seat))
    rehearsal.settle()
    assert rehearsal.app.screen.name == "choose"
    assert rehearsal.app.message[1] == "refused"


def test_an_answer_by_other_means_leads_back(rehearsal, many):
    other = next(o for o in many.options if o.component is None)
    rehearsal.app.desk.propose(Answer(many.seat, many.slug, other.id))
    rehearsal.app.desk.clerk.settle()
    rehearsal.frames(1)
    assert options(rehearsal) == []
    rehearsal.app.tick()
    rehearsal.settle()
    assert rehearsal.app.screen.name == "table"


def settling_follows(session):
    """Whether both have chosen to place something twice, and the first time is now."""
    asked = [(q.slug, str(q.text)) for q in session.questions()]
    if len(asked) != 2 or {slug for slug, _ in asked} != {"race.place"}:
        return False
    for seat in range(2):
        session = session.answer(Answer(seat, "race.place", "pass"), session.at)
    after = [(q.slug, str(q.text)) for q in session.questions()]
    return {slug for slug, _ in after} == {"race.place"} and after != asked


@pytest.fixture
def twice(rehearsal):
    """Two are asked what they develop; then they will be asked, by the same name, what they settle."""
    rehearsal.play("race", ("Ania", "Bartek"), seed=3)
    rehearsal.play_until(settling_follows)
    return rehearsal


def test_an_answer_leads_back_though_the_next_question_is_alike(twice):
    twice.change(in_secret=True)
    twice.app.desk.propose(Answer(0, "race.place", "pass"))
    twice.settle()
    twice.app.go("choose", seat=1)
    twice.settle()
    twice.app.desk.propose(Answer(1, "race.place", "pass"))
    twice.settle()
    assert asked(twice) == {0, 1}
    assert twice.app.screen.name == "table"


def test_what_was_tapped_and_then_shown_to_the_camera_answers_no_later_question(twice):
    twice.change(in_secret=False, moments=False)
    twice.tap("option-pass")
    ((first, _),) = twice.app.screen.drafts.told
    for seat in (1 - first, first):
        twice.app.desk.propose(Answer(seat, "race.place", "pass"))
        twice.settle()
    entries = twice.app.desk.session.entries
    twice.tap("option-pass")
    assert twice.app.desk.session.entries == entries, "only one of both has told what to settle"
    twice.tap("option-pass")
    assert twice.app.desk.session.entries > entries


def test_few_options_need_no_way_to_find_them(rehearsal):
    rehearsal.play("race", ("Ania", "Bartek"))
    question = rehearsal.app.desk.session.questions()[0]
    rehearsal.app.go("choose", seat=question.seat)
    rehearsal.settle()
    assert "find" not in rehearsal.taps()
    assert rehearsal.app.desk.words(question.text) in rehearsal.words()
    rehearsal.tap(f"option-{question.options[1].id}")
    assert rehearsal.app.screen.name == "table"
    assert rehearsal.app.desk.session.last.deed.answer.option == question.options[1].id


@pytest.mark.every_game
def test_however_much_an_option_says_it_can_be_reached(rehearsal):
    """The squares of a blueprint at 150 %: each tile is nearly as high as the room for all of them."""
    rehearsal.change(text_size=150, language="pl")
    rehearsal.play("eclipse", ("Ania", "Bartek", "Celina"), seed=3)
    rehearsal.play_until(lambda s: any(q.slug == "eclipse.slot" for q in s.questions()))
    (question,) = rehearsal.app.desk.session.questions()
    rehearsal.app.go("choose", seat=question.seat)
    rehearsal.settle()
    found = []
    while len(found) < len(question.options):
        assert options(rehearsal)
        found += options(rehearsal)
        if "next" in rehearsal.taps():
            rehearsal.tap("next")
    assert found == [option.id for option in question.options]
