"""What is printed on several components, told on one page; both languages, and found again after leaving."""

import json

import pytest

from tests.ui.test_fact import answered, asks_for, says
from workshop.screens.checks import problems


@pytest.fixture
def planets(rehearsal):
    """A map whose planets were just laid out."""
    rehearsal.play("transgalactica", ("Ania", "Bartek"), seed=3)
    rehearsal.play_until(asks_for("grey-wild.tunnel"))
    return rehearsal


def fill(rehearsal, *besides):
    """Tell everything that is still missing: no tunnels, two places."""
    for name in rehearsal.taps():
        if name.endswith(("tunnel-False", "places-2", *besides)):
            rehearsal.tap(name)


@pytest.mark.every_game
def test_all_planets_are_told_on_one_page(planets):
    assert says(planets, "Planets on the map: what is printed on each?")
    planets.tap("value.grey-wild.tunnel-True")
    assert "form-done" not in planets.taps()
    fill(planets)
    planets.tap("value.grey-wild.tunnel-True")
    planets.tap("form-done")
    told = json.loads(answered(planets))
    assert told["grey-wild"] == {"places": 2, "tunnel": True}
    assert len(told) > 10
    assert planets.app.desk.session.state.taught["grey-wild.tunnel"] is True


@pytest.mark.every_game
def test_the_page_is_found_again_after_the_program_ended(planets):
    planets.tap("value.grey-wild.tunnel-True")
    planets.settle()
    planets.app.half_told.clear()
    planets.screen.fact_pad.about = None
    planets.app.refresh()
    planets.settle()
    assert planets.screen.fact_pad.pad.entered["grey-wild"] == {"tunnel": True}


@pytest.mark.every_game
def test_undo_asks_the_whole_page_again(planets):
    fill(planets)
    planets.tap("form-done")
    planets.app.desk.undo()
    planets.settle()
    assert any("grey-wild.tunnel" in q.facts for q in planets.app.desk.session.questions())


@pytest.mark.every_game
def test_a_track_grows_until_its_last_space_is_told(rehearsal):
    rehearsal.play("transgalactica", ("Ania", "Bartek"), seed=2)
    rehearsal.play_until(asks_for("technology-1.token"))
    for at in (1, 2):
        assert f"value.technology-{at + 1}.token-basic" not in rehearsal.taps()
        rehearsal.tap(f"value.technology-{at}.token-basic")
        rehearsal.tap(f"value.technology-{at}.last-{at == 2}")
    rehearsal.tap("form-done")
    told = json.loads(answered(rehearsal))
    assert list(told) == ["technology-0", "technology-1", "technology-2"]
    assert "technology-3.token" not in rehearsal.app.desk.session.state.taught


@pytest.mark.every_game
@pytest.mark.parametrize("language", ["en", "pl"])
@pytest.mark.parametrize("text", [100, 150])
def test_a_long_page_can_be_read_and_touched(rehearsal, tmp_path, language, text):
    rehearsal.change(text_size=text, language=language)
    rehearsal.play("transgalactica", ("Ania", "Bartek"), seed=2)
    rehearsal.play_until(asks_for("technology-1.token"))
    for name in ("value.technology-1.token-basic", "add-value.technology-1.reward"):
        rehearsal.tap(name)
        rehearsal.shoot(tmp_path / "form.png")
        assert problems(rehearsal.app, tmp_path / "form.png") == []


@pytest.mark.every_game
def test_a_page_that_may_wait_can_be_put_off_until_something_is_told(rehearsal):
    """New Frontiers: worlds that were explored, each with the seat that has it."""
    rehearsal.play("frontiers", ("Ania", "Bartek"), seed=3)
    rehearsal.play_until(lambda session: any(q.later and q.facts for q in session.questions()))
    assert any(said.endswith(("(Ania)", "(Bartek)")) for said in rehearsal.words())
    rehearsal.tap("form-later")
    assert answered(rehearsal) == "later"
    assert not any(fact.startswith("world-") for fact in rehearsal.app.desk.session.state.taught)
