"""Settings take effect at once and are saved; the data can be checked, copied and bundled for support."""

import os
import zipfile
from pathlib import Path

import pytest
from kivy.core.window import Window

from companion.core.binder import Binder
from companion.core.game import game
from companion.core.journal import Journal
from companion.core.play import Play
from companion.core.store import Store
from companion.recognition import reading
from companion.table import backups
from companion.table import settings as settings_file
from companion.table.settings import SOUNDS, Settings, chosen_camera
from companion.texts import shown
from companion.ui.screens.settings.sections import SECTIONS
from companion.ui.toolkit.geometry import visible, walk
from companion.ui.toolkit.kit import Words
from companion.ui.toolkit.sound import Sounds
from companion.ui.toolkit.theme import DARK, FONTS, LIGHT
from vision.virtual import PRESETS, shoot, spread
from workshop.screens.checks import problems
from workshop.screens.rehearsal import Rehearsal


@pytest.fixture
def at_settings(rehearsal, stick):
    rehearsal.tap("settings")
    return rehearsal


def section(rehearsal: Rehearsal, name: str) -> None:
    rehearsal.tap(f"section-{name}")
    rehearsal.settle_beside()


def kept(rehearsal: Rehearsal) -> Settings:
    """What the program would find if it were started again."""
    return settings_file.load(rehearsal.app.folder / "settings.json")


def says(rehearsal: Rehearsal, words: str) -> bool:
    return any(words in said for said in rehearsal.words())


def test_another_language_holds_at_once(at_settings):
    assert "Settings" in at_settings.words()
    at_settings.tap("language-pl")
    assert "Ustawienia" in at_settings.words()
    assert kept(at_settings).language == "pl"
    at_settings.tap("language-en")
    assert "Settings" in at_settings.words()


def test_text_grows_and_shrinks_within_its_bounds(at_settings):
    section(at_settings, "text")
    at_settings.tap("more-text")
    assert at_settings.app.theme.font("body") == pytest.approx(FONTS["body"] * 1.1, abs=1)
    for _ in range(6):
        at_settings.tap("more-text")
    assert (kept(at_settings).text_size, at_settings.app.screen.section) == (150, "text")
    for _ in range(9):
        at_settings.tap("less-text")
    assert kept(at_settings).text_size == 80


def test_large_text_has_a_page_for_each_section_and_a_way_back(at_settings):
    at_settings.change(text_size=150)
    assert "language-pl" not in at_settings.taps()
    section(at_settings, "language")
    assert "language-pl" in at_settings.taps()
    at_settings.app._key(None, 27, 0, None, [])
    assert "section-language" in at_settings.taps()
    at_settings.tap("back")
    assert at_settings.app.screen.name == "home"


def test_light_and_dark(at_settings):
    section(at_settings, "colours")
    at_settings.tap("colours-light")
    assert at_settings.app.theme.palette is LIGHT
    at_settings.tap("colours-dark")
    assert at_settings.app.theme.palette is DARK
    assert kept(at_settings).theme == "dark"


def test_every_sound_can_be_heard_and_silenced(at_settings):
    heard: list[str] = []
    at_settings.app.voice.sound = heard.append
    section(at_settings, "sound")
    for kind in SOUNDS:
        at_settings.tap(f"hear-{kind}")
    assert heard == list(SOUNDS)
    at_settings.tap("sound-turn")
    at_settings.tap("sound-over")
    assert kept(at_settings).silent == ("turn", "over")
    at_settings.tap("sound-turn")
    assert kept(at_settings).silent == ("over",)
    for _ in range(4):
        at_settings.tap("less-volume")
    assert kept(at_settings).volume == 0
    assert "Off" in at_settings.words()


@pytest.mark.parametrize("name", ["scores", "clocks", "in_secret", "moments"])
def test_what_the_table_shows(at_settings, name):
    before = getattr(at_settings.app.desk.settings, name)
    section(at_settings, "table")
    at_settings.tap(f"table-{name}")
    assert getattr(kept(at_settings), name) is not before


# The camera


def test_a_camera_is_chosen_for_this_screen_and_the_command_line(at_settings, monkeypatch):
    monkeypatch.setenv("COMPANION_HOME", str(at_settings.app.folder))
    section(at_settings, "camera")
    at_settings.tap("camera-virtual:good-lamp:1")
    assert at_settings.camera_feed.source == "virtual:good-lamp:1"
    assert chosen_camera() == "virtual:good-lamp:1"


def test_the_camera_tells_whether_labels_are_close_enough(at_settings):
    race = game("race")
    section(at_settings, "camera")
    at_settings.tap("camera-virtual:good-lamp:1")
    labels = list(reading.book(race).texts.values())[:3]
    picture = shoot(spread(labels, 3), PRESETS["good-lamp"], 3).picture
    at_settings.camera_feed.see(picture, reading.reader(race), at_settings.now)
    at_settings.app.screen.tick()
    at_settings.settle()
    assert says(at_settings, "3 labels in sight")
    assert at_settings.camera_feed.news() == (), "what was held up here is not meant for the table"


def test_the_camera_chosen_before_there_were_settings_is_taken_over(tmp_path):
    (tmp_path / "camera").write_text("usb:3\n")
    path = tmp_path / "settings.json"
    assert settings_file.load(path).camera == "usb:3"
    settings_file.save(path, settings_file.load(path))
    assert not (tmp_path / "camera").exists()
    assert settings_file.load(path).camera == "usb:3"


# The data


def test_the_journal_is_checked(at_settings):
    at_settings.play("race", ("Ania", "Bartek"), answers=5)
    at_settings.app.home("settings")
    at_settings.settle()
    section(at_settings, "storage")
    assert "1" in at_settings.words()
    at_settings.tap("check")
    at_settings.settle_beside()
    assert says(at_settings, "Everything is in order: 1 play, entries: 5.")


def test_a_damaged_journal_is_said_so(at_settings):
    (at_settings.app.folder / "journal.db").write_bytes(b"not a journal" * 400)
    at_settings.app.screen.section = "storage"
    at_settings.app.screen.sections["storage"]._check()
    at_settings.settle_beside()
    assert says(at_settings, "journal.db is not a journal of this program")


def test_a_backup_on_a_stick_opens_as_a_journal(at_settings, stick):
    at_settings.play("race", ("Ania", "Bartek"), answers=5)
    at_settings.app.home("settings")
    at_settings.settle()
    section(at_settings, "backup")
    at_settings.tap("backup-0")
    at_settings.settle_beside()
    assert says(at_settings, "is made and checked")
    (made,) = stick.iterdir()
    with Store(made / "journal.db") as store:
        play = Play.resume(1, Journal(store), Binder(store))
    assert play.session.state == at_settings.app.desk.session.state


def test_a_read_only_stick_is_refused_with_a_sentence(at_settings, stick, monkeypatch):
    at_settings.play("race", ("Ania", "Bartek"))
    at_settings.app.home("settings")
    at_settings.settle()
    real = backups._stick
    found = backups.Stick(stick, 10**9, writable=False)
    monkeypatch.setattr(backups, "_stick", lambda path: found if path == stick else real(path))
    section(at_settings, "backup")
    assert says(at_settings, "Cannot be written to: it is read-only.")
    at_settings.tap("backup-0")
    at_settings.settle_beside()
    assert says(at_settings, "Look for a small switch on the stick")
    assert list(stick.iterdir()) == []


def test_a_stick_pulled_out_is_told(at_settings, stick):
    at_settings.play("race", ("Ania", "Bartek"))
    at_settings.app.home("settings")
    at_settings.settle()
    section(at_settings, "backup")
    stick.rmdir()
    at_settings.tap("backup-0")
    at_settings.settle_beside()
    assert says(at_settings, "the stick was pulled out")
    at_settings.tap("look-again")
    at_settings.settle_beside()
    assert says(at_settings, "No USB stick is plugged in.")


def test_a_bundle_for_help(at_settings, stick):
    at_settings.play("race", ("Ania", "Bartek"))
    at_settings.app.home("settings")
    at_settings.settle()
    section(at_settings, "backup")
    at_settings.tap("bundle-0")
    at_settings.settle_beside()
    (made,) = stick.iterdir()
    with zipfile.ZipFile(made) as bundle:
        assert "Ania" not in "".join(bundle.read(name).decode() for name in bundle.namelist())


@pytest.mark.parametrize("language", ["en", "pl"])
@pytest.mark.parametrize("text_size", [80, 100, 150])
def test_readable(rehearsal, stick, tmp_path: Path, monkeypatch, language, text_size):
    monkeypatch.setenv(
        "COMPANION_REQUESTS", str(tmp_path)
    )  # as on a machine of our own, which has every section
    rehearsal.tap("settings")
    picture = tmp_path / "screen.png"
    rehearsal.change(language=language, text_size=text_size, theme="light" if text_size == 100 else "dark")
    for name in SECTIONS:
        rehearsal.app.screen._go(name)
        rehearsal.settle_beside()
        rehearsal.shoot(picture)
        assert problems(rehearsal.app, picture) == [], (name, Window.size)


def test_what_was_asked_for_this_time_only_is_not_kept(rehearsal):
    desk = rehearsal.app.desk
    desk.for_now(language="pl", camera="usb:7")
    rehearsal.change(text_size=120)
    assert (desk.language, desk.settings.camera) == ("pl", "usb:7")
    kept = settings_file.load(rehearsal.app.folder / "settings.json")
    assert (kept.language, kept.camera, kept.text_size) == (None, "usb:0", 120)


def test_the_section_somebody_was_led_to_is_in_sight(rehearsal):
    rehearsal.app.go("settings", section="about")
    rehearsal.settle()
    way = rehearsal.taps()["section-about"]
    assert way.to_window(way.x, way.y)[1] > 0


def test_going_back_to_a_backup_is_asked_and_told(at_settings, stick):
    at_settings.play("race", ("Ania", "Bartek"), answers=4)
    at_settings.app.home()
    at_settings.tap("settings")
    section(at_settings, "backup")
    at_settings.tap("backup-0")
    at_settings.settle_beside()
    assert "restore-0" in at_settings.taps()
    at_settings.play("race", ("Celina", "Darek"), answers=2)
    at_settings.app.home()
    at_settings.tap("settings")
    section(at_settings, "backup")
    at_settings.tap("restore-0")
    assert says(at_settings, "What is here now is kept")
    at_settings.tap("choice-0")
    at_settings.settle()
    assert says(at_settings, "was checked and is here now")
    assert len(at_settings.app.desk.plays) == 1
    assert (at_settings.app.folder / "journal.replaced.db").exists()


@pytest.mark.parametrize(
    ("free", "told"), [(12_345, "0.0 MB"), (730_000_000, "730.0 MB"), (2_300_000_000, "2.3 GB")]
)
def test_a_small_stick_is_not_told_to_be_full(at_settings, stick, free, told, monkeypatch):
    monkeypatch.setattr(backups, "sticks", lambda: (backups.Stick(stick, free, writable=True),))
    section(at_settings, "backup")
    assert says(at_settings, f"{told} free")
    at_settings.change(language="pl")
    assert says(at_settings, f"wolne: {told.replace('.', ',')}")


def in_sight(rehearsal: Rehearsal, words: str) -> bool:
    said = [part for part in walk(rehearsal.app.stage) if isinstance(part, Words) and words in part.text]
    return any(visible(part) is not None for part in said)


def test_what_came_of_a_tap_far_below_is_seen(at_settings, stick):
    at_settings.play("race", ("Ania", "Bartek"), answers=4)
    at_settings.app.home()
    at_settings.tap("settings")
    section(at_settings, "backup")
    for _ in range(4):
        at_settings.tap("backup-0")
        at_settings.settle_beside()
    at_settings.tap("restore-3")
    at_settings.tap("choice-0")
    at_settings.settle()
    assert in_sight(at_settings, "was checked and is here now")


@pytest.mark.parametrize(
    "name", ["holiday", "9999-99-99-9999", "x" * 200, "\u202e\x1b[31m", os.fsdecode(b"\xff")]
)
def test_a_backup_with_a_name_of_its_own_is_called_by_that(at_settings, stick, name):
    """It was not made in 1970, and does not stand before those that tell."""
    for made in (f"companion-backup-{name}", "companion-backup-2027-01-15-0830"):
        (stick / made).mkdir()
        (stick / made / "journal.db").write_bytes(b"")
    section(at_settings, "backup")
    told = [words for words in at_settings.words() if words.startswith("Go back to")]
    assert told == ["Go back to 2027-01-15 08:30", f"Go back to {shown(name[:20])}"]
    assert not says(at_settings, "1970")


def test_a_stick_with_any_name_is_shown(at_settings, tmp_path, monkeypatch):
    odd = tmp_path / os.fsdecode(b"\xff [b]x \x1b[2J")
    odd.mkdir()
    monkeypatch.setattr(backups, "sticks", lambda: (backups.Stick(odd, 10**9, writable=True),))
    section(at_settings, "backup")
    assert says(at_settings, "? [b]x ?[2J")


def test_settings_of_a_backup_nobody_can_read_are_told_of(at_settings, stick):
    at_settings.play("race", ("Ania", "Bartek"), answers=4)
    at_settings.app.home()
    at_settings.tap("settings")
    section(at_settings, "backup")
    at_settings.tap("backup-0")
    at_settings.settle_beside()
    (backup,) = backups.made([stick])
    (backup / "settings.json").write_text("{")
    at_settings.tap("restore-0")
    at_settings.tap("choice-0")
    at_settings.settle()
    assert says(at_settings, "was checked and is here now")
    assert says(at_settings, "The settings stay as they were")


def test_a_version_is_asked_for_and_its_progress_told(at_settings, tmp_path, monkeypatch):
    requests, status = tmp_path / "requests", tmp_path / "status"
    requests.mkdir()
    status.mkdir()
    monkeypatch.setenv("COMPANION_REQUESTS", str(requests))
    monkeypatch.setenv("COMPANION_STATUS", str(status))
    section(at_settings, "about")
    at_settings.tap("update")
    assert [path.name for path in requests.iterdir()] == ["update"]
    assert says(at_settings, "One moment")
    (status / "update.json").write_text('{"state": "trying", "version": "0.2.0-abc"}')
    at_settings.settle()
    at_settings.app.tick()
    assert says(at_settings, "Trying 0.2.0-abc out on a copy")
    (status / "update.json").write_text('{"state": "went-back"}')
    at_settings.app.tick()
    at_settings.frames(2)
    assert says(at_settings, "This one runs again, and nothing is lost")
    at_settings.tap("rollback")
    assert {path.name for path in requests.iterdir()} == {"update", "rollback"}


@pytest.mark.parametrize("allowed", [True, False])
def test_a_version_that_is_not_signed_is_installed_only_if_people_insist(
    at_settings, tmp_path, monkeypatch, allowed
):
    requests, status = tmp_path / "requests", tmp_path / "status"
    requests.mkdir()
    status.mkdir()
    monkeypatch.setenv("COMPANION_REQUESTS", str(requests))
    monkeypatch.setenv("COMPANION_STATUS", str(status))
    section(at_settings, "about")
    told = f'{{"state": "unsigned", "anyway": {str(allowed).lower()}, "at": 1}}'
    (status / "update.json").write_text(told)
    at_settings.app.tick()
    at_settings.frames(2)
    assert says(at_settings, "This version is not signed")
    assert any("Install anyway" in words for words in at_settings.words()) == allowed
    if not allowed:
        return
    at_settings.tap("update-refused")
    assert says(at_settings, "Install a version that is not signed?")
    at_settings.tap("choice-0")
    at_settings.settle()
    assert list(requests.iterdir()) == [], "the first choice is not to"
    at_settings.tap("update-refused")
    at_settings.tap("choice-1")
    at_settings.settle()
    assert [path.name for path in requests.iterdir()] == ["update-refused"]
    (status / "update.json").write_text(told.replace("1}", "2}"))  # the same again: another stick
    at_settings.app.tick()
    at_settings.frames(2)
    assert says(at_settings, "This version is not signed")


@pytest.mark.parametrize(("state", "words"), [("forged", "signature"), ("old-key", "old key")])
def test_a_version_that_is_not_trusted_is_no_choice(at_settings, tmp_path, monkeypatch, state, words):
    (tmp_path / "update.json").write_text(f'{{"state": "{state}"}}')
    monkeypatch.setenv("COMPANION_REQUESTS", str(tmp_path))
    monkeypatch.setenv("COMPANION_STATUS", str(tmp_path))
    section(at_settings, "about")
    assert says(at_settings, words)
    assert not any("Install anyway" in said for said in at_settings.words())


def test_elsewhere_nobody_offers_versions(at_settings, monkeypatch):
    monkeypatch.delenv("COMPANION_REQUESTS", raising=False)
    section(at_settings, "about")
    assert not any("Look for a new version" in words for words in at_settings.words())


def test_a_preview_without_a_speaker_says_so(at_settings, monkeypatch):
    monkeypatch.setattr(at_settings.app.voice, "can_play", lambda kind: False)
    at_settings.app.screen._go("sound")
    at_settings.settle()
    at_settings.tap("hear-over")
    assert "No speaker was found, so nothing is heard." in at_settings.words()


def test_without_a_speaker_no_sound_can_be_played(tmp_path):
    sounds = Sounds(tmp_path, Settings, lambda file: None)
    sounds.settle()
    assert not sounds.can_play("over")
    sounds = Sounds(tmp_path, Settings, lambda file: object())
    sounds.settle()
    assert sounds.can_play("over")
