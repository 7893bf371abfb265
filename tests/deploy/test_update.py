"""companion-update with real folders: new versions, bad versions, rollbacks, and a power cut at every moment."""

import os
import sqlite3
import sys
import tarfile
from contextlib import closing
from pathlib import Path

import pytest

from tests.deploy.updates import UpdatedPi


@pytest.fixture
def pi(tmp_path):
    pi = UpdatedPi(tmp_path)
    assert pi.run(pi.version("first")) == 0
    return pi


def test_the_first_version_is_an_update_from_nothing(pi):
    assert pi.note() == "first"
    assert pi.note("previous") is None
    assert pi.tidy()
    assert not (pi.base / "current/.git").exists()
    assert os.readlink(pi.base / "current").startswith("versions/0.2.0-")


def test_a_new_version_runs_and_the_old_one_is_kept(pi):
    assert pi.run(pi.version("second")) == 0
    assert (pi.note(), pi.note("previous")) == ("second", "first")
    assert pi.run(pi.version("third")) == 0
    assert (pi.note(), pi.note("previous")) == ("third", "second")
    assert len(list((pi.base / "versions").iterdir())) == 2, "a card is not filled with old versions"
    assert '"done"' in pi.status()


def test_the_same_version_is_not_installed_twice(pi):
    assert pi.run(pi.version("first")) == 0
    assert "already" in pi.said.stdout
    assert pi.note("previous") is None
    assert '"newest"' in pi.status()


def test_what_was_fetched_for_the_first_version_serves_the_next(pi):
    pi.run(pi.version("second"))
    assert (pi.root / "uvs").read_text().splitlines()[-1] == str(pi.base / "tools/uv")
    assert not (pi.base / "current/.setup").exists()


def test_without_a_source_it_is_fetched_from_where_the_last_came_from(pi):
    (pi.folder / "sources/first/note").write_text("better")
    assert pi.run() == 0
    assert (pi.note(), pi.note("previous")) == ("better", "first")


def test_a_bundle_on_a_stick_comes_first(pi):
    bundle = pi.bundle("bundled")
    bundle.with_name("tabletop-companion-9.tar.gz").symlink_to("/etc/passwd")
    assert pi.run("--unsigned") == 0
    assert pi.note() == "bundled"


def test_a_bundle_cannot_reach_outside_of_its_folder(pi, tmp_path):
    evil = tmp_path / "evil.tar.gz"
    with tarfile.open(evil, "w:gz") as bundle:
        bundle.add(pi.version("evil"), arcname="../../../escaped")
    assert pi.run("--unsigned", str(evil)) == 15
    assert not list(tmp_path.rglob("escaped"))
    assert pi.note() == "first"
    assert pi.tidy()


def _strange(name="strange", **headers):
    strange = tarfile.TarInfo(name)
    strange.pax_headers = headers
    return strange


@pytest.mark.parametrize(
    "strange",
    [_strange(path="a\0b"), _strange(mtime="nan"), _strange(mtime="inf"), _strange("/".join("d" * 1500))],
    ids=["a NUL", "no time", "the end of time", "folders nobody can remove"],
)
def test_a_bundle_somebody_tampered_with_is_damaged_and_leaves_nothing(pi, tmp_path, strange):
    evil = tmp_path / "evil.tar.gz"
    with tarfile.open(evil, "w:gz") as bundle:
        bundle.add(pi.version("evil"), arcname="")
        bundle.addfile(strange)
    assert pi.run("--unsigned", str(evil)) == 15
    assert "Traceback" not in pi.said.stderr
    assert '"no-version"' in pi.status()
    assert pi.note() == "first"
    assert pi.tidy()


def test_letters_nobody_can_read_in_a_bundle_are_no_fall(pi):
    version = Path(pi.version("odd"))
    (version / os.fsdecode(b"\xff")).write_text("")
    (version / "pyproject.toml").write_bytes((version / "pyproject.toml").read_bytes() + b"\n# \xff")
    assert pi.run(str(version)) == 0
    assert pi.note() == "odd"


@pytest.mark.parametrize(
    ("fakes", "code", "state"),
    [
        ({"selftest": "1"}, 15, "does-not-work"),
        ({"setup": "12"}, 12, "no-network"),
        ({"setup": "13"}, 13, "full"),
        ({"setup": "15"}, 15, "failed"),
    ],
)
def test_a_version_that_cannot_be_made_ready_changes_nothing(pi, fakes, code, state):
    assert pi.run(pi.version("second"), **fakes) == code
    assert pi.note() == "first"
    assert pi.tidy()
    assert f'"{state}"' in pi.status()
    assert "restart" not in (pi.folder / "calls").read_text().split("is-active")[-1]
    assert pi.run(pi.version("second")) == 0, "and the next try works"


@pytest.mark.parametrize("what", ["nothing", "no version", "damaged", "unreachable"])
def test_a_source_that_is_none(pi, tmp_path, what):
    (tmp_path / "empty").mkdir()
    (tmp_path / "damaged.tar.gz").write_bytes(b"\x1f\x8b this is no archive")
    source = {
        "nothing": "/nowhere/at/all",
        "no version": str(tmp_path / "empty"),
        "damaged": str(tmp_path / "damaged.tar.gz"),
        "unreachable": "https://example.invalid/companion.git",
    }[what]
    assert pi.run("--unsigned", source) == (12 if what == "unreachable" else 15)
    assert pi.note() == "first"
    assert pi.tidy()


def test_a_journal_that_cannot_be_copied_stops_it_before_anything_is_switched(pi):
    (pi.data / "journal.db").write_bytes(b"this is no journal" * 300)
    assert pi.run(pi.version("second")) == 15
    assert pi.note() == "first"
    assert "Traceback" not in pi.said.stderr


@pytest.mark.parametrize("how", ["broken", "falls"])
def test_a_version_that_does_not_come_up_goes_back_by_itself(pi, how):
    pi.play(version=1, plays=3)
    assert pi.run(pi.version(how)) == 3
    assert pi.note() == "first"
    assert pi.plays() == 3
    assert pi.tidy()
    assert '"went-back"' in pi.status()


def test_what_is_answered_until_it_is_stopped_is_in_the_copy(pi):
    pi.play(version=1, plays=3)
    assert pi.run(pi.version("second"), last_play=sys.executable) == 0
    pi.play(version=2, plays=4)
    assert pi.run("--rollback") == 0
    assert pi.plays() == 4


@pytest.mark.parametrize("word", ["second", "--rollback"])
def test_what_ran_is_started_again_if_the_card_takes_nothing(pi, word):
    pi.play(version=1, plays=3)
    pi.run(pi.version("other"))
    pi.play(version=2, plays=1)
    if word == "--rollback":
        (pi.data / ".journal.part").mkdir()  # in the way of the copy, as a full card would be
    else:
        (pi.data / "before-update/new.db").mkdir()
    (pi.folder / "calls").unlink()
    assert pi.run(word if word.startswith("-") else pi.version(word)) == 15
    calls = [call for call in (pi.folder / "calls").read_text().splitlines() if "systemctl" in call]
    assert "restart" in calls[-1]
    assert pi.note() == "other"
    assert pi.plays() == 4
    assert pi.tidy()


def test_back_by_hand_and_forth_again(pi):
    pi.run(pi.version("second"))
    assert pi.run("--rollback") == 0
    assert (pi.note(), pi.note("previous")) == ("first", "second")
    assert pi.run("--rollback") == 0
    assert pi.note() == "second"


def test_there_is_no_way_back_from_the_first(pi):
    assert pi.run("--rollback") == 15
    assert pi.note() == "first"
    assert '"no-previous"' in pi.status()


def test_a_journal_a_newer_version_changed_is_kept_and_the_older_one_comes_back(pi):
    pi.play(version=1, plays=3)
    pi.run(pi.version("second"))
    pi.play(version=2, plays=4)  # the new version changed it, and people went on playing
    assert pi.run("--rollback") == 0
    assert pi.plays() == 3
    assert pi.plays("journal.newer-1.db") == 7
    assert "journal.newer-1.db" in pi.said.stdout


def test_a_journal_nobody_changed_stays_with_all_that_was_played_since(pi):
    pi.play(version=1, plays=3)
    pi.run(pi.version("second"))
    pi.play(version=1, plays=4)
    assert pi.run("--rollback") == 0
    assert pi.plays() == 7
    assert not list(pi.data.glob("journal.newer*"))


def test_forth_and_back_once_more_brings_back_all_that_was_played(pi):
    pi.play(version=1, plays=3)
    pi.run(pi.version("second"))
    pi.play(version=2, plays=4)
    pi.run("--rollback")
    pi.play(version=1, plays=2)  # not in the copy made before the update
    pi.run("--rollback")
    pi.play(version=2, plays=0)
    assert pi.run("--rollback") == 0
    assert pi.note() == "first"
    assert pi.plays() == 5


def test_no_copy_is_better_than_an_old_one(pi):
    pi.play(version=1, plays=3)
    pi.run(pi.version("second"))
    pi.play(version=2, plays=4)
    pi.run("--rollback")
    pi.play(version=1, plays=2)
    (pi.data / "before-update/new.db").mkdir()  # the card is full
    assert pi.run("--rollback") == 0
    pi.play(version=2, plays=1)
    assert pi.run("--rollback") == 0
    assert pi.plays() == 6, "the version before says that it cannot read it; nothing is lost"


def test_a_rollback_that_does_not_come_up_leaves_everything_as_it_was(pi):
    pi.play(version=1, plays=3)
    pi.run(pi.version("second"))
    pi.play(version=2, plays=4)
    (pi.base / "previous/note").chmod(0o644)
    (pi.base / "previous/note").write_text("broken")
    assert pi.run("--rollback") == 3
    assert pi.note() == "second"
    assert pi.plays() == 7


# The plug is pulled


def test_while_a_version_is_made_ready(pi):
    pi.play(version=1, plays=3)
    assert pi.run(pi.version("second"), kill_build="1") == -9
    assert not pi.tidy()
    assert pi.run("--settle") == 0
    assert pi.note() == "first"
    assert pi.tidy()
    assert pi.plays() == 3


def test_while_it_is_switched_to(pi):
    pi.play(version=1, plays=3)
    assert pi.run(pi.version("second"), kill_restart="1") == -9
    assert pi.note() == "second", "the link is moved, but nobody knows whether that one comes up"
    assert pi.run("--settle") == 0
    assert pi.note() == "first"
    assert pi.tidy()
    assert pi.plays() == 3
    assert '"went-back"' in pi.status()
    assert pi.run(pi.version("second")) == 0
    assert pi.note() == "second"


def test_while_it_is_switched_back(pi):
    pi.play(version=1, plays=3)
    pi.run(pi.version("second"))
    pi.play(version=2, plays=4)
    assert pi.run("--rollback", kill_restart="1") == -9
    assert pi.run("--settle") == 0
    assert (pi.note(), pi.note("previous")) == ("first", "second"), "both are known to work"
    assert pi.plays() == 3
    assert pi.plays("journal.newer-1.db") == 7


def test_what_was_played_before_a_way_back_was_cut_off_is_kept(pi):
    pi.play(version=1, plays=3)
    pi.run(pi.version("second"))
    pi.play(version=2, plays=0)
    pi.run("--rollback")
    pi.play(version=1, plays=2)
    assert pi.run("--rollback", kill_stop="1") == -9
    assert pi.run("--settle") == 0
    pi.play(version=2, plays=0)
    assert pi.run("--rollback") == 0
    assert (pi.note(), pi.plays()) == ("first", 5)


@pytest.fixture
def forth(pi):
    """A machine on which people went back from a newer version, and played on with the older one."""
    pi.play(version=1, plays=3)
    assert pi.run(pi.version("newer"), changes=sys.executable) == 0
    assert pi.run("--rollback") == 0
    assert (pi.note(), pi.note("previous"), pi.plays()) == ("first", "newer", 3)
    pi.play(version=1, plays=4)
    return pi


def test_while_people_go_forth_again(forth):
    """What was played since they went back is in no copy that an earlier update made."""
    assert forth.run("--rollback", changes=sys.executable, kill_restart="1") == -9
    assert forth.run("--settle") == 0
    assert (forth.note(), forth.plays()) == ("newer", 7)
    assert forth.note("previous") == "first", "there is a way back"
    assert forth.run("--rollback") == 0
    assert (forth.note(), forth.plays()) == ("first", 7)


def test_going_forth_again_to_what_does_not_come_up(forth):
    (forth.base / "previous/note").chmod(0o644)
    (forth.base / "previous/note").write_text("newer, broken")
    assert forth.run("--rollback", changes=sys.executable) == 3
    assert (forth.note(), forth.plays()) == ("first", 7)
    with closing(sqlite3.connect(forth.data / "journal.db")) as db:
        assert db.execute("PRAGMA user_version").fetchone() == (1,), "the older version can read it"


def test_after_the_new_version_was_found_to_be_good(pi):
    """The plug is pulled after the older one was noted as the one before, and before that was all."""
    pi.run(pi.version("second"))
    pi.run(pi.version("third"))
    assert (pi.note(), pi.note("previous")) == ("third", "second")
    marked = f'{{"good": "{os.readlink(pi.base / "previous").rpartition("/")[2]}", "previous": null}}'
    (pi.base / "switching").write_text(marked)
    assert pi.run("--settle") == 0
    assert pi.note() == "second"
    assert pi.run("--rollback") == 15, "it would lead to where we are"
    assert pi.note() == "second"


def test_a_way_back_that_the_card_does_not_take_leaves_the_newer_journal(pi):
    pi.play(version=1, plays=3)
    pi.run(pi.version("newer"))
    pi.play(version=2, plays=4)
    (pi.base / ".current.new").mkdir()  # in the way of the link
    assert pi.run("--rollback") == 15
    assert (pi.note(), pi.plays()) == ("newer", 7)


def test_while_the_marker_was_written(pi):
    (pi.base / "switching").write_text('{"goo')
    assert pi.run("--settle") == 0
    assert pi.note() == "first"
    assert pi.tidy()


def test_a_start_with_nothing_to_settle(pi):
    assert pi.run("--settle") == 0
    assert pi.note() == "first"


def test_a_first_installation_that_was_cut_off(tmp_path):
    pi = UpdatedPi(tmp_path)
    assert pi.run(pi.version("first"), kill_build="1") == -9
    assert pi.run("--settle") == 0
    assert pi.run(pi.version("first")) == 0
    assert pi.note() == "first"


def test_two_at_the_same_time_do_not_meet(pi):
    import fcntl

    with (pi.base / "lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        assert pi.run(pi.version("second")) == 15
    assert "Another update" in pi.said.stdout
    assert pi.note() == "first"


@pytest.mark.parametrize("words", [("--nonsense",), ("a", "b")])
def test_words_nobody_understands(pi, words):
    assert pi.run(*words) == 2


def test_versions_are_listed(pi):
    pi.run(pi.version("second"))
    assert pi.run("--list") == 0
    assert sorted(line.split()[1] for line in pi.said.stdout.splitlines()) == ["current", "previous"]


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
def test_a_link_in_the_data_leads_root_nowhere(pi, tmp_path):
    pi.play(version=1, plays=3)
    os.chown(pi.data, 65534, 65534)
    for path in pi.data.iterdir():
        os.chown(path, 65534, 65534)
    tmp_path.chmod(0o755)
    secret = tmp_path / "only-roots"
    secret.mkdir(mode=0o700)
    (pi.data / "before-update").symlink_to(secret)
    pi.run(pi.version("second"))
    assert list(secret.iterdir()) == []
