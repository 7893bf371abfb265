"""Phones on the table's screen: the switch, the page for joining, and whose phone it is."""

import pytest
from msgspec.structs import replace

from companion.table.phone_seats import PhoneClaim
from companion.table.phone_side import PhonesNow
from companion.ui.toolkit.geometry import walk
from companion.ui.toolkit.qr_code import Code

CLAIM = PhoneClaim("a" * 32, 1, "Bartek", 20.0)
ON = PhonesNow(True, ("192.168.1.7",), 8411)


class Side:
    """Phones without phones."""

    def __init__(self):
        self.now, self.decided = ON, []

    def decide(self, device, confirmed):
        self.decided.append((device, confirmed))


@pytest.fixture
def phones(rehearsal):
    rehearsal.play("race", ("Ania", "Bartek"))
    rehearsal.app.phones.side = side = Side()
    return side


def choose(rehearsal, words):
    """Answer the app's question."""
    choices = [choice for choice, _ in rehearsal.app.asked.choices]
    rehearsal.tap(f"choice-{choices.index(words)}")
    rehearsal.settle()


def codes(rehearsal):
    return [part.words for part in walk(rehearsal.app.stage) if isinstance(part, Code)]


def test_off_by_default_and_switched_on_from_the_tables_menu(rehearsal, phones):
    assert not rehearsal.app.desk.settings.phones
    rehearsal.tap("menu")
    choose(rehearsal, "Phones")
    assert codes(rehearsal) == []
    rehearsal.tap("phones-switch")
    assert rehearsal.app.desk.settings.phones
    assert codes(rehearsal) == ["http://192.168.1.7:8411/"]
    rehearsal.tap("phones-switch")
    assert not rehearsal.app.desk.settings.phones


def test_the_switch_in_the_settings_stays(rehearsal, phones):
    rehearsal.app.go("settings", section="phones")
    rehearsal.settle()
    rehearsal.tap("phones")
    assert rehearsal.app.desk.settings.phones
    rehearsal.app.desk.clerk.settle()
    assert '"phones": true' in (rehearsal.app.folder / "settings.json").read_text()


def test_a_claim_in_the_middle_of_a_play_is_asked_about_and_confirmed(rehearsal, phones):
    phones.now = replace(ON, claims=(CLAIM,))
    rehearsal.app.phones.changed()
    rehearsal.settle()
    assert rehearsal.app.asked.text == "Is this Bartek's phone?"
    choose(rehearsal, "Yes, Bartek")
    assert phones.decided == [(CLAIM.device, True)]


def test_the_question_goes_when_the_button_has_confirmed_or_time_is_over(rehearsal, phones):
    phones.now = replace(ON, claims=(CLAIM,))
    rehearsal.app.phones.changed()
    phones.now = ON
    rehearsal.app.phones.changed()
    rehearsal.settle()
    assert rehearsal.app.asked is None


def test_another_question_is_not_replaced(rehearsal, phones):
    rehearsal.tap("menu")
    menu = rehearsal.app.asked
    phones.now = replace(ON, claims=(CLAIM,))
    rehearsal.app.phones.changed()
    assert rehearsal.app.asked is menu
    phones.now = ON
    rehearsal.app.phones.changed()
    assert rehearsal.app.asked is menu


def test_on_the_page_for_joining_a_claim_is_declined_by_a_tap(rehearsal, phones):
    rehearsal.change(phones=True)
    rehearsal.app.go("phones")
    phones.now = replace(ON, claims=(CLAIM,))
    rehearsal.app.phones.changed()
    rehearsal.settle()
    assert rehearsal.app.asked is None
    rehearsal.tap("claim-no-1")
    assert phones.decided == [(CLAIM.device, False)]


def test_what_is_wrong_is_said(rehearsal, phones):
    rehearsal.change(phones=True)
    phones.now = PhonesNow(True, (), 8411, "Address already in use")
    rehearsal.app.go("phones")
    rehearsal.settle()
    assert any("Address already in use" in words for words in rehearsal.words())


def test_a_demonstration_is_not_disturbed_and_the_phones_stay_at_the_own_table(rehearsal, tmp_path):
    rehearsal.app.phones.connect()
    side = rehearsal.app.phones.side
    try:
        assert side._desk is rehearsal.app.desk
    finally:
        rehearsal.app.phones.stop()
        rehearsal.app.phones.side = None


def test_a_machine_of_our_own_makes_a_network_and_shows_its_code_first(
    rehearsal, phones, tmp_path, monkeypatch
):
    for name in ("requests", "status"):
        (tmp_path / name).mkdir()
        monkeypatch.setenv(f"COMPANION_{name.upper()}", str(tmp_path / name))
    rehearsal.change(phones=True)
    rehearsal.app.go("phones")
    rehearsal.tap("host")
    assert "6" in rehearsal.app.asked.detail
    choose(rehearsal, "Make it")
    assert [path.name for path in (tmp_path / "requests").iterdir()] == ["wifi-host"]
    (tmp_path / "status/hosted.json").write_text('{"network": "table-1a2b", "password": "abcdefghjk"}')
    rehearsal.settle()
    assert codes(rehearsal) == ["WIFI:T:WPA;S:table-1a2b;P:abcdefghjk;;"]
    rehearsal.tap("then-address")
    assert codes(rehearsal) == ["http://192.168.1.7:8411/"]
    rehearsal.tap("unhost")
    assert "wifi-unhost" in [path.name for path in (tmp_path / "requests").iterdir()]
