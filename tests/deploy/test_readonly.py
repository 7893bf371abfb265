"""A read-only system: what is mounted how, at the start and while writing is allowed."""

import os
import subprocess

import pytest

from tests.deploy.machines import FAKE, RASPBERRY, FakeMachine

SCRIPT = RASPBERRY / "system/companion-readonly"
UNIT = "etc/systemd/system/sysinit.target.wants/tabletop-companion-readonly.service"
KEPT = (
    "var/lib/tabletop-companion",
    "var/lib/NetworkManager",
    "var/lib/systemd/timesync",
    "var/lib/systemd/rfkill",
)


class Card:
    """A system made of files; what is mounted is only written down, and believed from then on."""

    def __init__(self, folder, own_partition):
        self.root, self.bin, self.calls_file = folder / "root", folder / "bin", folder / "calls"
        self.mounted = folder / "mounted"
        for path in (*KEPT, "tmp", "var/tmp", "var/log/private", "media/companion", "run", "boot/firmware"):
            (self.root / path).mkdir(parents=True)
        (self.root / "var/log/private/old.log").write_text("x")
        (self.root / UNIT).parent.mkdir(parents=True)
        (self.root / UNIT).symlink_to("../tabletop-companion-readonly.service")
        mounted = ["boot/firmware", *(KEPT if own_partition else ())]
        self.mounted.write_text("".join(f"{self.root / path}\n" for path in mounted))
        self.bin.mkdir()
        device = (
            f'*"%d {self.root}/var/lib/"*) echo 2 ;;\n*%d*) echo 1 ;;' if own_partition else "*%d*) echo 1 ;;"
        )
        for name, answers in {
            "mount": """*remount,ro\\ */root/) exit "${FAKE_BUSY:-0}" ;;
*--bind*) echo "$2" >>"$MOUNTED" ;;
*tmpfs*) for place; do :; done; echo "$place" >>"$MOUNTED"; rm -rf "$place"; mkdir "$place" ;;""",
            "mountpoint": '*) grep -qx "$2" "$MOUNTED" || exit 1 ;;',
            "stat": device + '\n*) exec /usr/bin/stat "$@" ;;',
            "sync": "*) ;;",
            "write": "*) ;;",
        }.items():
            path = self.bin / name
            path.write_text(FAKE % answers)
            path.chmod(0o755)

    def run(self, *words, **fakes):
        self.calls_file.write_text("")
        return subprocess.run(
            ["sh", str(SCRIPT), *words],
            env={
                "PATH": f"{self.bin}:{os.environ['PATH']}",
                "CALLS": str(self.calls_file),
                "MOUNTED": str(self.mounted),
                "COMPANION_PREFIX": str(self.root),
                **{f"FAKE_{name.upper()}": value for name, value in fakes.items()},
            },
            capture_output=True,
            text=True,
            check=False,
        )

    def mounts(self):
        """What was mounted, without the folder that stands for the machine."""
        calls = self.calls_file.read_text().replace(f"{self.root}/", "/").splitlines()
        return [call for call in calls if call.startswith(("mount ", "write", "sync"))]


@pytest.fixture
def card(tmp_path):
    return Card(tmp_path, own_partition=True)


def test_with_a_partition_for_what_is_kept_the_whole_system_is_only_read(card):
    assert card.run("start").returncode == 0
    mounts = card.mounts()
    assert not any("--bind" in call for call in mounts), "what is kept is mounted already"
    assert [call.split()[-1] for call in mounts if "tmpfs" in call] == [
        *("/tmp", "/var/tmp", "/var/log", "/media/companion")
    ]
    assert mounts[-2:] == ["mount -o remount,ro /boot/firmware", "mount -o remount,ro /"]
    assert (card.root / "run/companion-readonly").exists()


def test_without_one_only_what_is_kept_can_be_written(tmp_path):
    card = Card(tmp_path, own_partition=False)
    assert card.run("start").returncode == 0
    mounts = card.mounts()
    assert [call for call in mounts if "--bind" in call] == [f"mount --bind /{p} /{p}" for p in KEPT]
    assert mounts[-1] == "mount -o remount,bind,ro /"
    assert "mount -o remount,ro /" not in mounts


def test_somebody_who_still_writes_keeps_only_themselves(card):
    assert card.run("start", busy="1").returncode == 0
    assert card.mounts()[-2:] == ["mount -o remount,ro /", "mount -o remount,bind,ro /"]


def test_folders_in_memory_have_the_folders_that_were_there_and_no_files(card):
    (card.root / "var/log/private").chmod(0o700)
    card.run("start")
    assert (card.root / "var/log/private").stat().st_mode & 0o777 == 0o700
    assert list((card.root / "var/log/private").iterdir()) == []
    assert "mode=755" in next(call for call in card.mounts() if call.endswith("/var/log"))


def test_a_second_start_covers_nothing_twice(card):
    card.run("start")
    card.run("start")
    assert not any("tmpfs" in call for call in card.mounts())


def test_a_command_may_write_and_its_end_is_handed_on(card):
    card.run("start")
    done = card.run("run", "sh", "-c", 'write "$COMPANION_WRITABLE"; exit 7')
    assert done.returncode == 7
    assert card.mounts() == [
        "mount -o remount,rw /",
        "mount -o remount,rw /boot/firmware",
        "write 1",
        "sync ",
        "mount -o remount,ro /boot/firmware",
        "mount -o remount,ro /",
    ]


def test_the_last_of_several_closes_up(card):
    card.run("start")
    inner = f"sh {SCRIPT} run write inner; write outer"
    assert card.run("run", "sh", "-c", inner).returncode == 0
    mounts = card.mounts()
    assert mounts.index("write outer") < mounts.index("mount -o remount,ro /")
    assert mounts.count("mount -o remount,ro /") == 1


@pytest.mark.parametrize("when", ["not begun", "taken away"])
def test_a_system_that_is_not_meant_to_be_only_read_stays_writable(card, when):
    if when == "taken away":
        card.run("start")
        (card.root / UNIT).unlink()
    assert card.run("run", "write", "x").returncode == 0
    assert not any("remount,ro" in call for call in card.mounts())


@pytest.mark.parametrize("words", [(), ("run",), ("nonsense",)])
def test_words_nobody_understands(card, words):
    assert card.run(*words).returncode == 2
    assert card.mounts() == []


# ---- the same with what the kernel says of it ------------------------------------------------------------------

REALLY = """set -eu
mount -t tmpfs card "$COMPANION_PREFIX"
cd "$COMPANION_PREFIX"
mkdir -p run tmp usr var/tmp var/log data etc/systemd/system/sysinit.target.wants
ln -s x etc/systemd/system/sysinit.target.wants/tabletop-companion-readonly.service
mount -t tmpfs run run
if [ "$1" = own ]; then mount -t tmpfs data data; fi
for place in %s; do
    mkdir -p "$place" "data/$place"
    if [ "$1" = own ]; then mount --bind "data/$place" "$place"; fi
done
cd /
tried() { if touch "$COMPANION_PREFIX/$1/x" 2>/dev/null; then echo "$2 written"; else echo "$2 refused"; fi; }
sh "$SCRIPT" start
tried usr system
tried var/lib/tabletop-companion plays
tried tmp memory
sh "$SCRIPT" run sh -c 'touch "$COMPANION_PREFIX/usr/y"; sh "$SCRIPT" run true; touch "$COMPANION_PREFIX/usr/z"'
tried usr afterwards
findmnt -rno FS-OPTIONS "$COMPANION_PREFIX" | cut -c 1-2
"""


@pytest.mark.parametrize(("where", "file_system"), [("own", "ro"), ("same", "rw")])
def test_the_kernel_refuses_what_it_should(tmp_path, where, file_system):
    alone = ["unshare", "--user", "--map-root-user", "--mount"]
    if subprocess.run(
        [*alone, "mount", "-t", "tmpfs", "x", str(tmp_path)], capture_output=True, check=False
    ).returncode:
        pytest.skip("nothing may be mounted here, not even for oneself")
    done = subprocess.run(
        [*alone, "sh", "-c", REALLY % " ".join(KEPT), "sh", where],
        env={"PATH": os.environ["PATH"], "COMPANION_PREFIX": str(tmp_path), "SCRIPT": str(SCRIPT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout.splitlines() == [
        *("system refused", "plays written", "memory written", "afterwards refused"),
        file_system,
    ], done.stderr


# ---- what the installer and the updater do about it -----------------------------------------------------------


@pytest.fixture
def pi(tmp_path):
    return FakeMachine(tmp_path)


def test_the_installer_switches_it_on_and_off_and_remembers(pi):
    assert pi.install("--yes", "--read-only").returncode == 0
    assert pi.called("systemctl enable tabletop-companion-readonly.service")
    for path in KEPT:
        assert (pi.root / path).is_dir(), "what is not there cannot be kept"
    pi.install("--yes")
    assert pi.called("systemctl enable tabletop-companion-readonly.service")
    pi.install("--yes", "--writable")
    assert not pi.called("systemctl enable tabletop-companion-readonly.service")
    assert pi.called("systemctl disable tabletop-companion-readonly.service")
    pi.install("--yes")
    assert not pi.called("systemctl enable tabletop-companion-readonly.service")


@pytest.mark.parametrize("words", [("--yes",), ("--uninstall",)])
def test_the_installer_lets_itself_write(pi, words):
    pi.install("--yes", "--read-only")
    pi.write("run/companion-readonly", "")
    tool = pi.write(
        "usr/local/sbin/companion-readonly",
        '#!/bin/sh\necho "companion-readonly $*" >>"$CALLS"; shift\nCOMPANION_WRITABLE=1 exec "$@"\n',
    )
    tool.chmod(0o755)
    done = pi.install(*words)
    assert done.returncode == 0, done.stderr
    assert len([call for call in pi.calls if call.startswith("companion-readonly run sh ")]) == 1
    assert pi.called("systemctl disable --now tabletop-companion") == (words == ("--uninstall",))


def test_the_updater_lets_itself_write(tmp_path):
    (tmp_path / "root/run").mkdir(parents=True)
    (tmp_path / "root/run/companion-readonly").write_text("")
    tool = tmp_path / "companion-readonly"
    tool.write_text('#!/bin/sh\necho "companion-readonly $*"; shift\nCOMPANION_WRITABLE=1 exec "$@"\n')
    tool.chmod(0o755)
    done = subprocess.run(
        ["python3", str(RASPBERRY / "companion_update.py"), "--rollback"],
        env={"PATH": f"{tmp_path}:{os.environ['PATH']}", "COMPANION_PREFIX": str(tmp_path / "root")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 15
    first, second = done.stdout.splitlines()
    assert first.startswith("companion-readonly run ")
    assert first.endswith(f"{RASPBERRY / 'companion_update.py'} --rollback")
    assert second == "There is no version before this one."
