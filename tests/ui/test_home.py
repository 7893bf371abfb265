"""The first screen."""


def test_without_a_play_there_is_nothing_to_go_on_with(rehearsal):
    assert "resume" not in rehearsal.taps()
    assert {"new", "score-only", "plays", "binder", "labels", "settings"} <= set(rehearsal.taps())


def test_one_tap_goes_on_with_the_running_play(rehearsal):
    rehearsal.play("race", ("Ania", "Bartek"), answers=9, seed=2)
    before = rehearsal.app.desk.session.state
    rehearsal.app.home()
    rehearsal.app.desk.leave()
    rehearsal.settle()
    rehearsal.tap("resume")
    assert rehearsal.app.screen.name == "table"
    assert rehearsal.app.desk.session.state == before


def test_a_finished_play_is_not_gone_on_with(rehearsal):
    rehearsal.play("race", ("Ania", "Bartek"), seed=2)
    rehearsal.play_until(lambda session: session.over)
    rehearsal.app.home()
    rehearsal.app.desk.leave()
    rehearsal.settle()
    assert "resume" not in rehearsal.taps()


def test_every_way_leads_somewhere_and_back(rehearsal):
    for name in ("new", "score-only", "plays", "binder", "labels", "settings"):
        rehearsal.tap(name)
        assert rehearsal.app.screen.name == name
        rehearsal.tap("back")
        assert rehearsal.app.screen.name == "home"


def test_memory_nobody_uses_is_given_back_once_a_minute(rehearsal, monkeypatch):
    given = []
    monkeypatch.setattr("companion.app.give_back", lambda: given.append(1))
    monkeypatch.setattr("companion.app.gc.isenabled", lambda: False)
    now = [1000.0]
    monkeypatch.setattr("companion.app.Clock.get_time", lambda: now[0])
    for second in range(0, 150, 5):
        now[0] = 1000.0 + second
        rehearsal.app._built = 2
        rehearsal.app._tidy_up()
    assert len(given) == 3
