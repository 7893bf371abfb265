"""Backups that are made by themselves, and coming back to one, on this machine or another."""

import os
import shutil
import sqlite3
import time
from pathlib import Path

import pytest

from companion.core.repair import verify
from companion.core.words import plain
from companion.errors import StorageTrouble, Trouble
from companion.table import backups, daily_backup
from companion.table.background import beside
from companion.table.daily_backup import DAY, LOOK, DailyBackup, back_up_if_due

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


# By itself


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


def test_a_read_only_stick_is_passed_over(journal, stick):
    backups.back_up(journal, stick.path, NOW - 2 * DAY)
    played_at(journal, NOW)
    assert back_up_if_due(journal, NOW, [backups.Stick(stick.path, 10**9, writable=False)]) is None


class Watched:
    """The daily backup, and what it told."""

    def __init__(self, monkeypatch, outcome):
        self.posted, self.told, self.looks = [], [], []
        self.hands = beside(self.posted.append)
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
    assert backups.restore(backup, other) is None
    assert verify(other).plays == verify(journal).plays == 1
    assert (other.parent / "settings.json").read_text() == '{"language": "pl"}'
    assert other.stat().st_mode & 0o077 == 0


def test_what_was_there_is_kept(playing, journal, stick):
    backup = backups.back_up(journal, stick.path, NOW)
    playing.play()
    playing.desk.clerk.do(lambda j, b: j.let_go(), lambda _: None, lambda _: None)
    playing.desk.clerk.settle()
    aside = backups.restore(backup, journal)
    assert aside is not None
    assert verify(aside).plays == 2
    assert verify(journal).plays == 1
    assert not journal.with_name("journal.db-wal").exists()
    again = backups.restore(backup, journal)
    assert again is not None
    assert again != aside


def test_the_desk_goes_on_with_a_restored_journal(playing, journal, stick):
    backup = backups.back_up(journal, stick.path, NOW)
    done = []
    playing.desk.restore(backup, done.append, done.append)
    playing.settle()
    (aside,) = done
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
    aside = backups.restore(backup, journal)
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


def test_backups_are_listed_newest_first_without_links(journal, stick):
    older, newer = (backups.back_up(journal, stick.path, NOW + n * DAY) for n in (0, 1))
    (stick.path / "companion-backup-2099-01-01-0000").symlink_to(newer)
    (stick.path / "companion-backup-2098-01-01-0000").mkdir()
    assert backups.made([stick.path]) == (newer, older)
    shutil.rmtree(stick.path)
    assert backups.made([stick.path]) == ()
    assert time.localtime(backups.made_at(newer)).tm_year == 2027
