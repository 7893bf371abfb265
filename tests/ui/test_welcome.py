"""The first start on a machine of our own."""

import pytest

from companion.table import settings as settings_file


@pytest.fixture
def first(rehearsal, tmp_path, monkeypatch):
    (tmp_path / "requests").mkdir()
    monkeypatch.setenv("COMPANION_REQUESTS", str(tmp_path / "requests"))
    rehearsal.app.go("welcome")
    rehearsal.settle()
    return rehearsal


def test_a_language_is_chosen_and_kept_by_the_tap_that_begins(first):
    first.tap("language-pl")
    assert "Witaj przy stole" in first.words()
    assert not (first.app.folder / "settings.json").exists(), "after a power cut it asks again"
    first.tap("begin")
    assert first.app.screen.name == "home"
    assert settings_file.load(first.app.folder / "settings.json").language == "pl"


def test_the_picture_is_turned_by_those_who_may(first, tmp_path):
    first.tap("turn-180")
    assert [path.name for path in (tmp_path / "requests").iterdir()] == ["turn-180"]


def test_a_turn_nobody_hears_of_is_told(first, tmp_path):
    (tmp_path / "requests").rmdir()
    first.tap("turn-90")
    assert any("cannot be asked for now" in words for words in first.words())
