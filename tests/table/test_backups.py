"""Automatic backups, and restoring one, on this machine or another."""

import errno
import io
import os
import shutil
import sqlite3
import time
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from companion.core import file_swap, repair
from companion.core.repair import verify
from companion.core.words import plain
from companion.errors import Stopped, StorageTrouble, Trouble
from companion.recognition import face_pictures
from companion.table import backups, daily_backup, settings
from companion.table.background import thread_pool
from companion.table.daily_backup import DAY, LOOK, DailyBackup, back_up_if_due
from companion.texts import LANGUAGES, render

NOW = 1_800_000_000.0


@pytest.fixture
def journal(playing, tmp_path):
    playing.desk.clerk.settle()
    return tmp_path / "journal.db"


@pytest.fixture
def stick(tmp_path):
    stick = tmp_path / "stick"
    stick.mkdir()
    return backups.Stick(stick, 10**9, writable=True)


def played_at(journal, at):
    """The journal was last written at this time."""
    for path in journal.parent.glob("journal.db*"):
        os.utime(path, (at, at))


def test_pictures_of_components_go_into_backups_and_come_back(journal, stick, tmp_path):
    picture = np.full((88, 62, 3), 90, np.uint8)
    face_pictures.keep(journal.parent, "race", "old-earth", picture)
    made = backups.back_up(journal, stick.path, NOW)
    other = tmp_path / "other" / "journal.db"
    other.parent.mkdir()
    backups.restore(made, other)
    assert face_pictures.look_up(other.parent, "race", "old-earth") is not None
    face_pictures.throw_away(journal.parent, "race", "old-earth")
    assert face_pictures.look_up(journal.parent, "race", "old-earth") is None


# Automatically


def test_a_stick_that_never_had_a_backup_is_left_alone(journal, stick):
    assert back_up_if_due(journal, NOW, [stick]) is None
    assert list(stick.path.iterdir()) == []


def test_a_day_later_and_only_if_something_is_new(journal, stick):
    first = backups.back_up(journal, stick.path, NOW)
    assert backups.made_at(first) == pytest.approx(NOW, abs=60)
    played_at(journal, NOW + 3600)
    assert back_up_if_due(journal, NOW + DAY / 2, [stick]) is None
    second = back_up_if_due(journal, NOW + DAY + 120, [stick])
    assert second is not None
    assert verify(second / "journal.db").problems == ()
    assert back_up_if_due(journal, NOW + 5 * DAY, [stick]) is None, "nobody has played since"


def test_a_backup_tells_how_far_it_is_and_leaves_nothing_if_it_is_stopped(journal, stick, monkeypatch):
    monkeypatch.setattr(backups, "AT_ONCE", 2)
    told = []
    backups.back_up(journal, stick.path, NOW, lambda done, total: not told.append((done, total)))
    assert len(told) > 2
    assert told[-1][0] == told[-1][1]
    assert told == sorted(told)
    (made,) = stick.path.iterdir()
    with pytest.raises(Stopped):
        backups.back_up(journal, stick.path, NOW, lambda done, total: done < total / 2)
    assert list(stick.path.iterdir()) == [made]


def test_a_clock_that_was_years_ahead_once_does_not_end_daily_backups(journal, stick):
    ahead = backups.back_up(journal, stick.path, NOW + 3000 * DAY)
    played_at(journal, NOW)
    today = back_up_if_due(journal, NOW + 120, [stick])
    assert today is not None
    assert today != ahead
    played_at(journal, NOW + 600)
    assert back_up_if_due(journal, NOW + 1200, [stick]) is None, "one is enough for a day"


def test_a_read_only_stick_is_passed_over(journal, stick):
    backups.back_up(journal, stick.path, NOW - 2 * DAY)
    played_at(journal, NOW)
    assert back_up_if_due(journal, NOW, [backups.Stick(stick.path, 10**9, writable=False)]) is None


class Watched:
    """The daily backup, and what it told."""

    def __init__(self, monkeypatch, outcome):
        self.posted, self.told, self.looks = [], [], []
        self.hands = thread_pool(self.posted.append)
        self.daily = DailyBackup(self.hands, lambda text, how: self.told.append((text.key, how)))

        def looked(journal, at):
            self.looks.append(at)
            if isinstance(outcome, Trouble):
                raise outcome
            return outcome

        monkeypatch.setattr(daily_backup, "back_up_if_due", looked)

    def at(self, now):
        self.daily.tick(Path("journal.db"), now)
        self.hands.settle()
        while self.posted:
            self.posted.pop(0)()


def test_it_looks_now_and_then_and_tells_what_it_made(monkeypatch):
    watched = Watched(monkeypatch, Path("/media/companion/RED/companion-backup-x"))
    for now in (0, 1, LOOK / 10, LOOK / 2, LOOK * 1.2):
        watched.at(now)
    assert watched.looks == [LOOK / 10, LOOK * 1.2]
    assert watched.told == [("backup.by-itself", "info")] * 2


def test_trouble_is_told_once_a_day(monkeypatch):
    watched = Watched(monkeypatch, StorageTrouble(plain("The stick is full.")))
    for now in range(0, int(DAY), int(LOOK)):
        watched.at(now)
    assert len(watched.told) == 1
    watched.at(2 * DAY)
    assert len(watched.told) == 2


# Coming back


def test_a_backup_moves_into_another_machine(journal, stick, tmp_path):
    backup = backups.back_up(journal, stick.path, NOW)
    (backup / "settings.json").write_text('{"language": "pl"}')
    other = tmp_path / "other" / "journal.db"
    assert backups.restore(backup, other) == backups.Restored(None)
    assert verify(other).plays == verify(journal).plays == 1
    assert (other.parent / "settings.json").read_text() == '{"language": "pl"}'
    assert other.stat().st_mode & 0o077 == 0


def test_what_was_there_is_kept(playing, journal, stick):
    backup = backups.back_up(journal, stick.path, NOW)
    playing.play()
    playing.desk.clerk.do(lambda j, b: j.let_go(), lambda _: None, lambda _: None)
    playing.desk.clerk.settle()
    aside = backups.restore(backup, journal).aside
    assert aside is not None
    assert verify(aside).plays == 2
    assert verify(journal).plays == 1
    assert not journal.with_name("journal.db-wal").exists()
    again = backups.restore(backup, journal).aside
    assert again is not None
    assert again != aside


def test_the_desk_goes_on_with_a_restored_journal(playing, journal, stick):
    backup = backups.back_up(journal, stick.path, NOW)
    done = []
    playing.desk.restore(backup, done.append, done.append)
    playing.settle()
    (restored,) = done
    aside = restored.aside
    assert isinstance(aside, Path)
    assert playing.desk.play is None
    assert len(playing.desk.plays) == 1
    playing.play()  # a new play is written into the restored journal
    playing.settle()
    assert verify(journal).plays == 2
    assert verify(aside).plays == 1


@pytest.mark.parametrize("how", ["cut", "flipped", "link", "nothing"])
def test_a_backup_that_is_not_whole_changes_nothing(journal, stick, how):
    backup = backups.back_up(journal, stick.path, NOW)
    copy = backup / "journal.db"
    data = bytearray(copy.read_bytes())
    if how == "cut":
        copy.write_bytes(data[: len(data) // 2])
    elif how == "flipped":
        place = data.rfind(b"race")
        data[place] ^= 1
        copy.write_bytes(data)
    elif how == "link":
        copy.unlink()
        copy.symlink_to("/etc/passwd")
    else:
        copy.unlink()
    before = {path.name for path in journal.parent.iterdir()}
    entries = verify(journal).entries
    with pytest.raises(Trouble):
        backups.restore(backup, journal)
    assert {path.name for path in journal.parent.iterdir()} == before
    assert verify(journal).entries == entries


def test_a_damaged_journal_of_ours_can_be_replaced(journal, stick, playing):
    backup = backups.back_up(journal, stick.path, NOW)
    playing.desk.clerk.do(lambda j, b: j.let_go(), lambda _: None, lambda _: None)
    playing.desk.clerk.settle()
    journal.write_bytes(b"this is no journal any more" * 100)
    aside = backups.restore(backup, journal).aside
    assert aside is not None
    assert aside.read_bytes().startswith(b"this is no journal")
    assert verify(journal).problems == ()


def test_a_journal_somebody_else_has_open_is_not_taken_away(journal, stick):
    backup = backups.back_up(journal, stick.path, NOW)
    other = sqlite3.connect(journal)
    other.execute("BEGIN")
    other.execute("SELECT count(*) FROM play").fetchone()
    with pytest.raises(StorageTrouble):
        backups.restore(backup, journal)
    other.close()


HOSTILE = {
    "what is written is taken away": "CREATE TRIGGER t AFTER INSERT ON entry BEGIN DELETE FROM entry; END",
    "reading never ends": "DROP TABLE fact; CREATE VIEW fact AS WITH RECURSIVE c(seq) AS "
    "(SELECT 1 UNION ALL SELECT seq + 1 FROM c) SELECT seq, x'' body, x'' sum FROM c",
    "two answers become one": "DROP TABLE fact; CREATE TABLE fact "
    "(seq INTEGER PRIMARY KEY ON CONFLICT REPLACE, body BLOB NOT NULL, sum BLOB NOT NULL)",
    "a table more": "CREATE TABLE more (body)",
    "a table less": "DROP TABLE fact",
    "of a newer version": "PRAGMA user_version = 1000",
    "of another program": "PRAGMA application_id = 5",
}


@pytest.mark.parametrize("statements", HOSTILE.values(), ids=HOSTILE)
def test_a_backup_somebody_tampered_with_changes_nothing(journal, stick, statements):
    backup = backups.back_up(journal, stick.path, NOW)
    with closing(sqlite3.connect(backup / "journal.db")) as db:
        db.executescript(statements)
    before = {path.name for path in journal.parent.iterdir()}
    with pytest.raises(StorageTrouble) as trouble:
        backups.restore(backup, journal)
    assert {path.name for path in journal.parent.iterdir()} == before
    for language in LANGUAGES:
        said = render(trouble.value.text, language)
        assert str(backup) in said
        assert ".part" not in said


@pytest.mark.parametrize("size", [0, 1, 100, 511])
def test_a_backup_without_a_journal_in_it_is_none(journal, stick, size):
    """SQLite takes an empty file for a new one, and people would find that they never played."""
    backup = backups.back_up(journal, stick.path, NOW)
    os.truncate(backup / "journal.db", size)
    with pytest.raises(StorageTrouble) as trouble:
        backups.restore(backup, journal)
    assert trouble.value.text.key == "backup.not-whole"
    assert verify(journal).plays == 1


def let_go(playing):
    playing.desk.clerk.do(lambda j, b: j.let_go(), lambda _: None, lambda _: None)
    playing.desk.clerk.settle()


def _garbage(file):
    file.write_bytes(b"\xff{")


def _no_such_size(file):
    file.write_text('{"text_size": 5000}')


def _too_large(file):
    file.write_bytes(b" " * 10_000_001)


def _link(file):
    file.symlink_to("/etc/passwd")


@pytest.mark.parametrize("make", [_garbage, _no_such_size, _too_large, _link, Path.mkdir, os.mkfifo])
def test_settings_nobody_can_read_stay_on_the_stick(playing, journal, stick, make):
    backup = backups.back_up(journal, stick.path, NOW)
    (backup / "settings.json").unlink(missing_ok=True)
    make(backup / "settings.json")
    ours = journal.with_name("settings.json")
    ours.write_text('{"language": "pl"}')
    playing.play()
    let_go(playing)
    restored = backups.restore(backup, journal)
    assert verify(journal).plays == 1
    assert ours.read_text() == '{"language": "pl"}'
    assert restored.settings is not None
    assert not ours.with_name("settings.replaced.json").exists()


def test_our_settings_are_kept_too(playing, journal, stick):
    backup = backups.back_up(journal, stick.path, NOW)
    (backup / "settings.json").write_text('{"language": "pl"}')
    ours = journal.with_name("settings.json")
    ours.write_text('{"language": "en"}')
    let_go(playing)
    assert backups.restore(backup, journal).settings is None
    assert ours.read_text() == '{"language": "pl"}'
    assert ours.with_name("settings.replaced.json").read_text() == '{"language": "en"}'


@pytest.mark.parametrize(
    ("theirs", "then"),
    [
        ("http://203.0.113.7/", "usb:3"),
        ("rtsp://203.0.113.7/", "usb:3"),
        ("/etc/passwd", "usb:3"),
        ("film.mp4", "usb:3"),
        ("usb:1", "usb:1"),
        ("pi", "pi"),
        ("none", "none"),
        ("virtual:good-lamp:1", "virtual:good-lamp:1"),
    ],
)
def test_no_stick_tells_us_whom_to_call(playing, journal, stick, theirs, then):
    backup = backups.back_up(journal, stick.path, NOW)
    (backup / "settings.json").write_text(f'{{"camera": "{theirs}", "language": "pl", "later": 1}}')
    ours = journal.with_name("settings.json")
    ours.write_text('{"camera": "usb:3"}')
    let_go(playing)
    assert backups.restore(backup, journal).settings is None
    assert settings.load(ours).camera == then
    assert settings.load(ours).language == "pl"
    assert '"later"' in ours.read_text()


def test_what_is_left_of_a_lost_journal_is_not_mixed_into_a_backup(playing, journal, stick):
    backup = backups.back_up(journal, stick.path, NOW)
    playing.play()
    playing.settle()
    wal = journal.with_name("journal.db-wal").read_bytes()
    let_go(playing)
    journal.unlink()
    journal.with_name("journal.db-wal").write_bytes(wal)
    aside = backups.restore(backup, journal).aside
    assert verify(journal).plays == 1
    assert aside is not None
    assert aside.with_name(f"{aside.name}-wal").read_bytes() == wal
    assert backups.restore(backup, journal).aside == aside.with_name("journal.replaced-2.db")


def test_a_journal_that_is_a_link_to_another_disk_is_replaced_there(playing, journal, stick, tmp_path):
    """What takes its place is made there too: nothing can be moved in one go from one disk to another."""
    backup = backups.back_up(journal, stick.path, NOW)
    let_go(playing)
    disk = tmp_path / "disk"
    disk.mkdir()
    journal.rename(disk / "journal.db")
    journal.symlink_to(disk / "journal.db")
    seen = []
    real = os.replace
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "replace", lambda a, b: (seen.append((Path(a).parent, Path(b).parent)), real(a, b)))
        assert backups.restore(backup, journal).aside == disk / "journal.replaced.db"
    assert journal.is_symlink()
    assert all(source == target for source, target in seen)


def _refuse(*_):
    raise PermissionError(errno.EPERM, os.strerror(errno.EPERM))


def test_a_disk_that_knows_no_second_names_keeps_a_copy(playing, journal, stick, monkeypatch):
    backup = backups.back_up(journal, stick.path, NOW)
    let_go(playing)
    monkeypatch.setattr(os, "link", _refuse)
    aside = backups.restore(backup, journal).aside
    assert aside is not None
    assert verify(aside).plays == 1
    assert aside.stat().st_mode & 0o077 == 0


def test_a_journal_that_cannot_be_set_aside_is_as_it_was(playing, journal, stick, monkeypatch):
    """The newest answers are beside it and must not be torn from it."""
    backup = backups.back_up(journal, stick.path, NOW)
    playing.play()
    playing.settle()
    there = {path: path.read_bytes() for path in journal.parent.glob("journal.db*")}
    let_go(playing)
    for path, data in there.items():
        path.write_bytes(data)
    monkeypatch.setattr(os, "link", _refuse)
    monkeypatch.setattr(shutil, "copyfileobj", lambda *_: _full())
    with pytest.raises(StorageTrouble) as trouble:
        backups.restore(backup, journal)
    assert trouble.value.text.key == "storage.full"
    assert str(journal) in render(trouble.value.text, "pl")
    assert not list(journal.parent.glob("*replaced*"))
    assert verify(journal).plays == 2


def _full():
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def test_a_disk_that_fails_is_not_taken_for_a_damaged_journal(playing, journal, stick, monkeypatch):
    backup = backups.back_up(journal, stick.path, NOW)
    let_go(playing)
    before = journal.read_bytes()

    def failing(*_):
        error = sqlite3.OperationalError("disk I/O error")
        error.sqlite_errorcode = sqlite3.SQLITE_IOERR
        raise error

    monkeypatch.setattr(repair, "_merge_side_files", failing)
    with pytest.raises(StorageTrouble) as trouble:
        backups.restore(backup, journal)
    assert trouble.value.text.key == "storage.disk-failed"
    assert journal.read_bytes() == before


def test_what_cannot_be_put_in_its_place_leaves_nothing_beside(playing, journal, stick, monkeypatch):
    backup = backups.back_up(journal, stick.path, NOW)
    let_go(playing)
    before = {path.name for path in journal.parent.iterdir()}
    monkeypatch.setattr(os, "replace", lambda *_: _full())
    with pytest.raises(StorageTrouble):
        backups.restore(backup, journal)
    assert {path.name for path in journal.parent.iterdir()} == before
    assert verify(journal).plays == 1


def test_once_it_is_in_its_place_ours_stays_beside(playing, journal, stick, monkeypatch):
    """A disk that fails at the very last cannot take away what was here before."""
    backup = backups.back_up(journal, stick.path, NOW)
    playing.play()
    let_go(playing)
    calls = []

    def sync_folder(folder):
        calls.append(folder)
        if len(calls) == 2:
            raise OSError(errno.EIO, os.strerror(errno.EIO))

    monkeypatch.setattr(file_swap, "sync_folder", sync_folder)
    with pytest.raises(StorageTrouble):
        backups.restore(backup, journal)
    assert verify(journal).plays == 1
    assert verify(journal.with_name("journal.replaced.db")).plays == 2


def test_a_stick_that_cannot_be_read_is_not_told_to_be_written(journal, stick, monkeypatch):
    backup = backups.back_up(journal, stick.path, NOW)

    class Torn(io.BytesIO):
        def read(self, size=-1):
            raise OSError(errno.EIO, os.strerror(errno.EIO))

        def fileno(self):
            return 0

    monkeypatch.setattr(backups, "open_file", lambda path, links: Torn())
    with pytest.raises(StorageTrouble) as trouble:
        backups.restore(backup, journal)
    assert trouble.value.text.key == "backup.unread"
    assert verify(journal).plays == 1


def test_backups_are_listed_newest_first_without_links(journal, stick):
    older, newer = (backups.back_up(journal, stick.path, NOW + n * DAY) for n in (0, 1))
    (stick.path / "companion-backup-2099-01-01-0000").symlink_to(newer)
    (stick.path / "companion-backup-2098-01-01-0000").mkdir()
    assert backups.made([stick.path]) == (newer, older)
    shutil.rmtree(stick.path)
    assert backups.made([stick.path]) == ()
    assert time.localtime(backups.made_at(newer)).tm_year == 2027
