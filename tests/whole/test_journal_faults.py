"""The journal after a power cut, on a full, locked or read-only disk, and with flipped bits."""

from __future__ import annotations

import os
import shutil
import sqlite3
import stat
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from random import Random

import pytest
from killing import run_until_killed, start

from companion.core.binder import Binder, Taught
from companion.core.journal import EntryRow, Journal, PlayRow
from companion.core.repair import repair, verify
from companion.core.sqlite_file import APPLICATION, MIGRATIONS, VERSION, connect, side_file
from companion.core.store import Store
from companion.errors import STORAGE, StorageTrouble, Unknown
from workshop.fault_injection.damage import DAMAGES, PAGE
from workshop.fault_injection.disks import modes, no_file_longer

APPENDING = """
import sys
from pathlib import Path
from companion.core.journal import Journal
from companion.core.store import Store

journal = Journal(Store(Path(sys.argv[1])))
print("ready", flush=True)
play = 1 if journal.plays() else journal.create(b"{}", "race", "killed", 0.0)
seq = len(journal.entries(play))
while True:
    journal.append(play, seq, float(seq), b'"%s"' % (b"%d " % seq * 500))
    print(seq, flush=True)
    seq += 1
"""

IMPORTING = """
import sys
from pathlib import Path
from companion.core.binder import Binder, Taught
from companion.core.store import Store

binder = Binder(Store(Path(sys.argv[1])))
print("ready", flush=True)
n = len(binder.history("race")) // 1000
while True:
    box = [Taught(game="race", component=f"card-{i}", field="cost", value=n, at=1.0, by="Ola") for i in range(1000)]
    print("writing", flush=True)
    binder.keep(tuple(box))
    print(n, flush=True)
    n += 1
"""

HOLDING = """
import sqlite3, sys
db = sqlite3.connect(sys.argv[1], isolation_level=None)
db.execute(sys.argv[2])
db.execute("SELECT * FROM play").fetchall()
print("held", flush=True)
sys.stdin.read()
"""


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder that also an unprivileged user can reach."""
    with tempfile.TemporaryDirectory() as name:
        os.chmod(name, 0o777)
        yield Path(name)


@pytest.fixture
def path(folder: Path) -> Path:
    return folder / "journal.db"


def fill(path: Path, plays: int = 1, entries: int = 5) -> None:
    with Store(path) as store:
        for play in range(1, plays + 1):
            assert (
                Journal(store).create(b'{"seats":["Ala","Ola"]}', "race", f"partia {play}", float(play))
                == play
            )
            for seq in range(entries):
                Journal(store).append(play, seq, float(seq), b'{"answer":%d}' % (seq * 1000003))


def go_on(path: Path) -> int:
    """Add one entry to play 1; says how many there are now."""
    with Store(path, patience=0.05) as store:
        journal = Journal(store)
        seq = len(journal.entries(1))
        journal.append(1, seq, 9.0, b"{}")
        return len(journal.entries(1))


def refused(act: Callable[[], object]) -> str:
    """The slug of the trouble this ends in."""
    with pytest.raises(StorageTrouble) as raised:
        act()
    assert raised.value.exit_code == STORAGE
    return raised.value.text.key


# The power goes


def killed(path: Path, random: Random, lines: int, longest: int) -> None:
    """Append until killed; then exactly what was confirmed is there, perhaps one more, and it goes on."""
    with Store(path) as store:
        before = len(Journal(store).entries(1)) if Journal(store).plays() else 0
    said = run_until_killed(random, lines, longest, "-c", APPENDING, str(path))
    confirmed = [int(line) for line in said[1:]]
    assert confirmed == list(range(before, before + len(confirmed)))
    with Store(path) as store:
        if not Journal(store).plays():
            assert not confirmed
            assert Journal(store).create(b"{}", "race", "killed", 0.0) == 1
        rows = Journal(store).entries(1)
        assert len(rows) - before - len(confirmed) in (0, 1)
        for row in rows:
            assert row == EntryRow(row.seq, float(row.seq), b'"%s"' % (b"%d " % row.seq * 500))
    assert verify(path).problems == ()


def test_killed_at_any_moment_all_that_was_confirmed_is_there(path: Path) -> None:
    random = Random("kill")
    for _ in range(10):
        killed(path, random, 1 + random.randrange(60), 20_000)


def test_killed_in_the_middle_of_taking_a_box_over_all_of_it_is_there_or_nothing(path: Path) -> None:
    random, before = Random("import"), 0
    for _ in range(8):
        lines = 2 + 2 * random.randrange(2)
        said = run_until_killed(random, lines, 600_000, "-c", IMPORTING, str(path))
        confirmed = sum(line.isdecimal() for line in said)
        with Store(path) as store:
            history = Binder(store).history("race")
            boxes, rest = divmod(len(history), 1000)
            assert rest == 0
            assert boxes - before - confirmed in (0, 1)
            assert [taught.value for taught in history[::1000]] == list(range(boxes))
            before = boxes
    assert before > 0
    assert verify(path).problems == ()


def test_killed_while_the_journal_is_made(path: Path) -> None:
    random = Random("birth")
    for _ in range(6):
        killed(path, random, 1, 400_000)
        for file in path.parent.iterdir():
            file.unlink()


def test_killed_when_part_of_a_new_journal_was_on_the_disk(path: Path, folder: Path) -> None:
    """It is rolled back to nothing at all, which is no strange file."""
    where = folder / "killed" / path.name
    where.parent.mkdir()
    path.parent.mkdir(exist_ok=True)
    with closing(connect(path, "mode=rwc")) as db:
        db.execute("PRAGMA cache_size = 1")
        db.execute("BEGIN IMMEDIATE")
        for statements in MIGRATIONS:
            for statement in statements:
                db.execute(statement)
        for ending in ("", "-journal"):
            shutil.copyfile(side_file(path, ending), side_file(where, ending))
    assert where.stat().st_size > 0
    assert verify(where).problems == ()
    with Store(where) as store:
        assert Journal(store).plays() == ()
        assert Journal(store).create(b"{}", "race", "after", 0.0) == 1


@pytest.mark.parametrize("bit", range(32))
def test_a_file_that_is_wrong_about_its_own_length(path: Path, bit: int) -> None:
    """What is refused, plays or what is noted of them, `check` must report, and nothing else."""
    fill(path)
    data = bytearray(path.read_bytes())
    data[31 - bit // 8] ^= 1 << bit % 8
    path.write_bytes(data)
    try:
        with Store(path) as store:
            Journal(store).annotations.now()
            read = len(Journal(store).plays())
    except StorageTrouble:
        read = 0
    assert bool(verify(path).problems) == (read == 0)


def cut_off(path: Path, entries: int, where: Path) -> None:
    """The files as a power cut leaves them: written, but never closed."""
    with Store(path) as store:
        play = Journal(store).create(b"{}", "race", "cut", 0.0)
        for seq in range(entries):
            Journal(store).append(play, seq, float(seq), b"%d" % seq)
        for ending in ("", "-wal"):
            shutil.copyfile(side_file(path, ending), side_file(where, ending))


def test_a_power_cut_at_any_byte_of_what_is_being_written_leaves_whole_entries(
    path: Path, folder: Path
) -> None:
    copy = folder / "copy.db"
    cut_off(path, 20, copy)
    written = side_file(copy, "-wal").read_bytes()
    seen = set()
    for length in [*range(0, len(written), 997), len(written)]:
        side_file(copy, "-wal").write_bytes(written[:length])
        side_file(copy, "-shm").unlink(missing_ok=True)
        with Store(copy) as store:
            rows = Journal(store).entries(1) if Journal(store).plays() else ()
        assert [row.body for row in rows] == [b"%d" % seq for seq in range(len(rows))]
        assert verify(copy).problems == ()
        seen.add(len(rows))
    assert seen == set(range(21))


def test_without_its_side_file_the_journal_is_older_but_whole(path: Path, folder: Path) -> None:
    fill(path, plays=1, entries=3)
    copy = folder / "copy.db"
    cut_off(path, 5, copy)
    side_file(copy, "-wal").unlink()
    with Store(copy) as store:
        assert [row.entries for row in Journal(store).plays()] == [3]
    assert go_on(copy) == 4


@pytest.mark.parametrize("left", [b"", None])
def test_a_side_file_without_its_journal_is_not_thrown_away(
    path: Path, folder: Path, left: bytes | None
) -> None:
    copy = folder / "copy.db"
    cut_off(path, 5, copy)
    copy.unlink()
    if left is not None:
        copy.write_bytes(left)
    rest = side_file(copy, "-wal").read_bytes()
    with Store(copy) as store:
        assert refused(lambda: Journal(store).plays()) == "storage.lost"
        assert refused(lambda: Journal(store).create(b"", "race", "", 0.0)) == "storage.lost"
    assert refused(lambda: verify(copy)) == "storage.lost"
    assert side_file(copy, "-wal").read_bytes() == rest


# Files that are something else


def test_an_empty_file_is_a_new_journal(path: Path) -> None:
    path.touch()
    with Store(path) as store:
        assert Journal(store).plays() == ()
    assert path.stat().st_size == 0
    fill(path)
    assert go_on(path) == 6


def other_application(path: Path) -> None:
    with closing(sqlite3.connect(path)) as db:
        db.execute("CREATE TABLE play (id)")


def newer(path: Path) -> None:
    fill(path)
    with closing(sqlite3.connect(path)) as db:
        db.execute(f"PRAGMA user_version = {VERSION + 1}")


def newer_and_cut_off(path: Path) -> None:
    """A newer version wrote and had no time to close: closing the file for it would change it."""
    made = path.with_name("made.db")
    fill(made)
    with closing(sqlite3.connect(made)) as db:
        db.execute(f"PRAGMA user_version = {VERSION + 1}")
        for ending in ("", "-wal"):
            shutil.copyfile(side_file(made, ending), side_file(path, ending))


STRANGERS = {
    "text": (lambda path: path.write_text("milk, eggs\n"), "storage.not-ours"),
    "long text": (lambda path: path.write_text("milk, eggs\n" * 1000), "storage.not-ours"),
    "zeros": (lambda path: path.write_bytes(bytes(9000)), "storage.not-ours"),
    "other application": (other_application, "storage.not-ours"),
    "newer": (newer, "storage.newer-version"),
    "newer, cut off": (newer_and_cut_off, "storage.newer-version"),
    "folder": (lambda path: path.mkdir(), "storage.not-ours"),
}


@pytest.mark.parametrize("kind", STRANGERS)
def test_a_file_that_is_not_ours_is_not_touched(path: Path, kind: str) -> None:
    make, expected = STRANGERS[kind]
    make(path)
    before = {file: file.read_bytes() for file in (path, side_file(path, "-wal")) if file.is_file()}
    with Store(path) as store:
        assert refused(lambda: Journal(store).plays()) == expected
        assert refused(lambda: Journal(store).create(b"", "race", "", 0.0)) == expected
        assert refused(lambda: Binder(store).teach("race", "c", "f", 1, 0.0)) == expected
    assert refused(lambda: verify(path)) == expected
    assert refused(lambda: repair(path)) == expected
    assert {file: file.read_bytes() for file in before} == before


# Disks that do not want to


def check_reads(path: Path, entries: int) -> None:
    with Store(path) as store:
        assert [row.entries for row in Journal(store).plays()] == [entries]
        assert len(Journal(store).entries(1)) == len(Journal(store).export(1)["entries"]) == entries
        assert Binder(store).facts("race") == {}
    assert verify(path).problems == ()


def test_a_read_only_file_can_be_read_and_says_why_it_cannot_be_written(path: Path) -> None:
    fill(path)
    with modes({path: 0o444}):
        check_reads(path, 5)
        assert refused(lambda: go_on(path)) == "storage.read-only"
        assert list(path.parent.iterdir()) == [path]
    path.chmod(0o666)
    assert go_on(path) == 6


@pytest.mark.parametrize("entries", [0, 5])
def test_a_read_only_folder_can_be_read_and_says_why_it_cannot_be_written(path: Path, entries: int) -> None:
    fill(path, entries=entries)
    with modes({path: 0o666, path.parent: 0o555}):
        check_reads(path, entries)
        assert refused(lambda: go_on(path)) == "storage.read-only"
    assert go_on(path) == entries + 1


@pytest.mark.parametrize("side_files", [("-wal",), ("-wal", "-shm")])
def test_the_newest_answers_are_seen_also_in_a_read_only_folder_after_a_power_cut(
    path: Path, folder: Path, side_files: tuple[str, ...]
) -> None:
    there = folder / "card"
    there.mkdir()
    copy = there / "journal.db"
    cut_off(path, 7, copy)
    if "-shm" in side_files:
        side_file(copy, "-shm").touch()
    files = [copy, *(side_file(copy, ending) for ending in side_files)]
    before = [file.read_bytes() for file in files]
    with modes({**dict.fromkeys(files, 0o444), there: 0o555}):
        check_reads(copy, 7)
        assert [file.read_bytes() for file in files] == before
        assert refused(lambda: go_on(copy)) in ("storage.read-only", "storage.cannot-open")
    assert go_on(copy) == 8


def test_what_is_wrong_is_said_of_the_file_not_of_a_copy_of_it(folder: Path) -> None:
    there = folder / "card"
    there.mkdir()
    newer_and_cut_off(there / "journal.db")
    with modes({there: 0o555}), pytest.raises(StorageTrouble) as raised:
        verify(there / "journal.db")
    assert raised.value.text.key == "storage.newer-version"
    assert raised.value.text.args["file"] == str(there / "journal.db")


def test_what_cannot_be_written_cannot_be_repaired(path: Path) -> None:
    fill(path)
    spoil(path)
    with modes({path: 0o444, path.parent: 0o555}):
        assert verify(path).entries == 3
        assert refused(lambda: repair(path)) == "storage.cannot-open"
    assert repair(path).entries == 3


def test_a_folder_where_nothing_may_be_made(folder: Path) -> None:
    with modes({folder: 0o555}), Store(folder / "home" / "journal.db") as store:
        assert Journal(store).plays() == ()
        assert refused(lambda: Journal(store).create(b"", "race", "", 0.0)) == "storage.cannot-open"
    assert list(folder.iterdir()) == []


def test_a_file_nobody_may_read(path: Path) -> None:
    fill(path)
    with modes({path: 0o000}):
        assert refused(lambda: verify(path)) == "storage.cannot-open"


@contextmanager
def few_pages(path: Path) -> Iterator[tuple[Path, Callable[[Store, int], None]]]:
    """SQLite's own limit, where no small disk can be had."""

    def space(store: Store, pages: int) -> None:
        with store.writing() as db:
            (now,) = db.execute("PRAGMA page_count").fetchone()
            db.execute(f"PRAGMA max_page_count = {now + pages}")

    yield path, space


@contextmanager
def small_disk(path: Path) -> Iterator[tuple[Path, Callable[[Store, int], None]]]:
    """A real file system of 256 kB."""
    disk = path.parent / "disk"
    disk.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", disk], capture_output=True)
    if mounted.returncode:
        pytest.skip("mounting is not allowed here; the same is tested with SQLite's own limit")

    def space(store: Store, pages: int) -> None:
        ballast = disk / "ballast"
        ballast.unlink(missing_ok=True)
        if pages < 100:
            free = os.statvfs(disk).f_bavail * os.statvfs(disk).f_frsize
            ballast.write_bytes(bytes(max(0, free - pages * PAGE)))

    try:
        yield disk / "journal.db", space
    finally:
        subprocess.run(["umount", disk], check=True)


@pytest.mark.parametrize("disk", [few_pages, small_disk])
def test_a_full_disk_keeps_what_was_confirmed_and_goes_on_when_there_is_space(
    path: Path, disk: Callable[[Path], contextmanager]
) -> None:
    with disk(path) as (file, space), Store(file) as store:
        journal = Journal(store)
        play = journal.create(b"{}", "race", "full", 0.0)
        space(store, 6)
        seq = 0

        def until_full() -> None:
            nonlocal seq
            while seq < 1000:
                journal.append(play, seq, 1.0, b'"%s"' % (b"x" * 900))
                seq += 1

        for _ in range(3):
            assert refused(until_full) == "storage.full"
            assert len(journal.entries(play)) == seq
        space(store, 100)
        journal.append(play, seq, 2.0, b'"at last"')
        store.close()
        assert len(journal.entries(play)) == seq + 1
        assert verify(file).problems == ()


def test_a_disk_that_fails_in_mid_write(path: Path) -> None:
    with Store(path) as store:
        journal = Journal(store)
        play = journal.create(b"{}", "race", "fails", 0.0)
        journal.append(play, 0, 1.0, b"{}")
        with no_file_longer(side_file(path, "-wal").stat().st_size + 5000):
            assert refused(lambda: journal.append(play, 1, 1.0, b"{}")) == "storage.disk-failed"
        assert len(journal.entries(play)) == 1
        journal.append(play, 1, 1.0, b"{}")
    assert verify(path).entries == 2


@contextmanager
def held(path: Path, how: str) -> Iterator[None]:
    """Another program has the file open, and did this."""
    with start("-c", HOLDING, str(path), how) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == "held\n"
        yield
        child.communicate("")


def test_a_file_another_program_is_writing(path: Path) -> None:
    fill(path)
    with Store(path, patience=0.05) as store:
        journal = Journal(store)
        with held(path, "BEGIN IMMEDIATE"):
            assert refused(lambda: journal.append(1, 5, 1.0, b"{}")) == "storage.locked"
            assert len(journal.entries(1)) == 5
        journal.append(1, 5, 1.0, b"{}")


def test_a_file_another_program_keeps_for_itself(path: Path) -> None:
    fill(path)
    with held(path, "PRAGMA locking_mode = EXCLUSIVE"), Store(path, patience=0.05) as store:
        assert refused(lambda: Journal(store).plays()) == "storage.locked"
        assert refused(lambda: Journal(store).append(1, 5, 1.0, b"{}")) == "storage.locked"
    assert go_on(path) == 6


@pytest.mark.parametrize("there_is_another", [False, True])
def test_a_file_moved_away_in_mid_play(path: Path, there_is_another: bool) -> None:
    fill(path)
    with Store(path) as store:
        journal = Journal(store)
        journal.append(1, 5, 1.0, b"{}")
        path.rename(path.with_name("elsewhere.db"))
        if there_is_another:
            path.touch()
        assert refused(lambda: journal.append(1, 6, 1.0, b"{}")) == "storage.moved"
        path.with_name("elsewhere.db").rename(path)
        journal.append(1, 6, 1.0, b"{}")
    assert verify(path).entries == 7


# Bytes flip

Before = tuple[bytes, dict[int, tuple[bytes, tuple[EntryRow, ...]]], tuple[Taught, ...]]


@pytest.fixture(scope="module")
def before(tmp_path_factory: pytest.TempPathFactory) -> Before:
    """A journal of several pages, and all that is in it."""
    path = tmp_path_factory.mktemp("good") / "journal.db"
    fill(path, plays=40, entries=12)
    with Store(path) as store:
        for n in range(120):
            Binder(store).teach("race", f"card-{n}", "cost", n, 1.0)
        plays = {row.id: Journal(store).load(row.id) for row in Journal(store).plays()}
        facts = Binder(store).history("race")
    return path.read_bytes(), {id: (stored.setup, stored.rows) for id, stored in plays.items()}, facts


@pytest.mark.parametrize("damage", DAMAGES)
def test_damage_is_never_believed_and_repair_keeps_every_good_beginning(
    path: Path, before: Before, damage: Callable[[bytes, Random], bytes]
) -> None:
    whole, plays, _ = before
    random = Random(damage.__name__)
    for _ in range(25):
        for file in path.parent.iterdir():
            file.unlink()
        damaged = damage(whole, random)
        path.write_bytes(damaged)
        readable = check_damaged(path, before)
        assert path.read_bytes() == damaged
        try:
            report = repair(path)
        except StorageTrouble:
            assert damaged[:100] != whole[:100]  # the first bytes say whose file it is
            assert path.read_bytes() == damaged
            continue
        if report.kept is None:
            assert report == verify(path)
            assert readable == set(plays)
            continue
        assert Path(report.kept).read_bytes() == damaged
        check_repaired(path, before, readable)


def check_damaged(path: Path, before: Before) -> set[int]:
    """Every play and fact is as it was, or trouble; says which plays are."""
    _, plays, facts = before
    readable = set()
    with Store(path) as store:
        for play, expected in plays.items():
            try:
                stored = Journal(store).load(play)
            except StorageTrouble:
                continue
            assert (stored.setup, stored.rows) == expected
            readable.add(play)
        with suppress(StorageTrouble):
            assert Binder(store).history("race") == facts
        with suppress(StorageTrouble):
            assert {row.id for row in Journal(store).plays()} == set(plays)
    return readable


def check_repaired(path: Path, before: Before, readable: set[int]) -> None:
    """The file is sound, nothing readable was lost, and what was cut is a beginning of what there was."""
    _, plays, facts = before
    assert verify(path).problems == ()
    with Store(path) as store:
        journal = Journal(store)
        found = {row.id: journal.load(row.id) for row in journal.plays()}
        assert readable <= set(found)
        for play, stored in found.items():
            setup, rows = plays[play]
            assert stored.setup == setup
            assert stored.rows == (rows if play in readable else rows[: len(stored.rows)])
        assert set(Binder(store).history("race")) <= set(facts)
        for play in list(found)[:1]:
            journal.append(play, found[play].play.entries, 3.0, b"{}")


def test_repair_leaves_a_sound_journal_alone(path: Path) -> None:
    assert repair(path).problems == ()
    assert not path.exists()
    fill(path, plays=2)
    was = path.read_bytes()
    report = repair(path)
    assert (report.problems, report.plays, report.entries, report.kept) == ((), 2, 10, None)
    assert path.read_bytes() == was


def spoil(path: Path, play: int = 1) -> None:
    with closing(connect(path, "mode=rw")) as db:
        db.execute("UPDATE entry SET body = x'00' WHERE play = ? AND seq = 3", (play,))


def test_repair_keeps_each_damaged_file_and_opens_a_shortened_play_again(path: Path) -> None:
    fill(path, plays=2)
    with Store(path) as store:
        Journal(store).append(1, 5, 7.0, b"{}", over=True)
        Journal(store).append(2, 5, 8.0, b"{}", over=True)
    spoil(path)
    report = repair(path)
    assert [(problem.key, problem.n) for problem in report.problems] == [("storage.play-damaged", 3)]
    assert report.kept == str(path.with_name("journal.damaged-1.db"))
    with Store(path) as store:
        assert Journal(store).plays() == (
            PlayRow(1, "race", "partia 1", 1.0, 2.0, 3, None),
            PlayRow(2, "race", "partia 2", 2.0, 8.0, 6, 8.0),
        )
    spoil(path, 2)
    assert repair(path).kept == str(path.with_name("journal.damaged-2.db"))
    names = sorted(file.name for file in path.parent.iterdir() if file.stat().st_size)
    assert [name for name in names if not name.endswith("-shm")] == [
        "journal.damaged-1.db",
        "journal.damaged-2.db",
        "journal.db",
    ]


def test_repair_also_saves_what_is_only_in_the_side_file(path: Path, folder: Path) -> None:
    copy = folder / "copy.db"
    cut_off(path, 9, copy)
    with closing(connect(copy, "mode=rw")) as db:
        db.execute("UPDATE entry SET at = 77 WHERE seq = 8")
        for ending in ("", "-wal"):
            shutil.copyfile(side_file(copy, ending), side_file(path, ending))
    side_file(path, "-shm").unlink(missing_ok=True)
    report = repair(path)
    assert (report.plays, report.entries) == (1, 8)
    assert go_on(path) == 9
    assert (folder / "journal.damaged-1.db-wal").stat().st_size > 0


def test_what_was_never_finished_is_not_rolled_into_the_repaired_file(path: Path) -> None:
    """A `-journal` of the damaged file would put its old pages back over the new one, at the very next look."""
    with Store(path) as store:
        Binder(store).teach("race", "gem-world", "cost", 5, 1.0)
    with closing(sqlite3.connect(path)) as db:
        db.execute("PRAGMA journal_mode = DELETE")
        db.execute("UPDATE fact SET sum = x'00'")
        db.commit()
    side_file(path, "-journal").write_bytes(b"what is left of it")
    kept = repair(path).kept
    assert kept is not None
    assert not side_file(path, "-journal").exists()
    assert side_file(Path(kept), "-journal").exists()
    assert verify(path).problems == ()


def test_repair_mends_what_a_link_leads_to(path: Path, folder: Path) -> None:
    """A journal kept on another disk: neither the file nor what is damaged ends up beside the link."""
    other = folder / "other-disk"
    other.mkdir()
    path.symlink_to(other / "plays.db")
    fill(path)
    assert sorted(file.name for file in folder.iterdir()) == ["journal.db", "other-disk"]
    spoil(path)
    report = repair(path)
    assert report.kept == str(other / "plays.damaged-1.db")
    assert (path.is_symlink(), path.resolve()) == (True, other / "plays.db")
    assert sorted(file.name for file in folder.iterdir()) == ["journal.db", "other-disk"]
    assert go_on(path) == report.entries + 1


def test_the_newest_answers_are_found_beside_what_a_link_leads_to(path: Path, folder: Path) -> None:
    other = folder / "other-disk"
    other.mkdir()
    cut_off(folder / "elsewhere.db", 7, other / "plays.db")
    path.symlink_to(other / "plays.db")
    with Store(path) as store:
        assert len(Journal(store).entries(1)) == 7
    (other / "plays.db").unlink()  # now the side file is an orphan, and must not be thrown away
    assert refused(lambda: fill(path)) == "storage.lost"


def test_a_link_to_a_disk_that_is_not_plugged_in_makes_no_new_journal(path: Path, folder: Path) -> None:
    path.symlink_to(folder / "not-there" / "journal.db")
    assert refused(lambda: fill(path)) == "storage.cannot-open"
    assert list(folder.iterdir()) == [path]


def rights(folder: Path) -> dict[str, int]:
    return {file.name: stat.S_IMODE(file.stat().st_mode) for file in folder.iterdir()}


def test_the_journal_is_nobody_elses_to_read(folder: Path) -> None:
    path = folder / "new" / "journal.db"
    with Store(path) as store:
        Journal(store).create(b"{}", "race", "Ala, Ola", 0.0)
        assert rights(path.parent) == {"journal.db": 0o600, "journal.db-wal": 0o600, "journal.db-shm": 0o600}
        assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
        for file in path.parent.iterdir():  # as those made by an earlier version
            file.chmod(0o644)
        with Store(path) as other:
            Journal(other).plays()
        assert set(rights(path.parent).values()) == {0o600}
    path.chmod(0o644)
    with Store(path) as store:
        Journal(store).append(1, 0, 1.0, b"{}")
        assert set(rights(path.parent).values()) == {0o600}


def test_what_a_repair_writes_is_nobody_elses_to_read(path: Path) -> None:
    fill(path)
    spoil(path)
    repair(path)
    assert {"journal.db", "journal.damaged-1.db"} <= rights(path.parent).keys()
    assert set(rights(path.parent).values()) == {0o600}


def test_repair_waits_for_nobody(path: Path) -> None:
    fill(path)
    spoil(path)
    was = path.read_bytes()
    with held(path, "PRAGMA user_version"):
        assert refused(lambda: repair(path)) == "storage.locked"
    assert path.read_bytes() == was
    assert repair(path).entries == 3


def test_repair_on_a_full_disk_changes_nothing(path: Path) -> None:
    fill(path, plays=40)
    spoil(path)
    was = path.read_bytes()
    for limit in (len(was) // 2, len(was)):
        with no_file_longer(limit):
            key = refused_or_none(lambda: repair(path))
        if key:
            assert path.read_bytes() == was
            assert not list(path.parent.glob("*damaged*"))
            assert not side_file(path, ".new").exists()


def refused_or_none(act: Callable[[], object]) -> str | None:
    try:
        act()
    except StorageTrouble as e:
        return e.text.key
    return None


def test_a_play_lost_in_damage_is_not_called_unknown(path: Path) -> None:
    fill(path, plays=1)
    with Store(path) as store, pytest.raises(Unknown):
        Journal(store).load(2)
    data = path.read_bytes()
    assert data[PAGE : PAGE + 1] == b"\x0d"  # the page of the plays, with one cell
    path.write_bytes(data[: PAGE + 3] + b"\0\0" + data[PAGE + 5 :])
    with Store(path) as store:
        assert refused(lambda: Journal(store).load(1)) == "storage.damaged"


def test_the_mark_of_the_file_fits_its_field() -> None:
    assert 0 < APPLICATION < 2**31
