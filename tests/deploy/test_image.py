"""The script that makes a card image, with fake programs that only record their arguments; and how a card grows."""

import fcntl
import os
import subprocess
import tarfile

import pytest

from tests.deploy.machines import FAKE, RASPBERRY

IMAGE, GROW = RASPBERRY / "image", RASPBERRY / "card/companion-grow"

ANSWERS = {
    "id": '*) echo "${FAKE_UID:-0}" ;;',
    "uname": "*) echo x86_64 ;;",
    "nice": '*) exec "$@" ;;',
    "mmdebstrap": """*)
    [ -z "$FAKE_NO_MIRROR" ] || exit 1
    for word; do case $word in *.tar.new) cp "$BASE" "$word" ;; esac; done ;;""",
    # Inside the root: the last folder it is given is what the script looks at afterwards.
    "chroot": """*pip3*) [ -z "$FAKE_NO_PINS" ] || exit 1
    mkdir -p "$1/pins"; touch "$1/pins/lgpio.py" "$1/pins/_lgpio.cpython-313.so" ;;
*install.sh*) [ -z "$FAKE_BROKEN" ] || exit 15
    echo "$QEMU_CPU" >"$SEEN/processor"
    touch "$1/boot/firmware/vmlinuz-7" "$1/opt/tabletop-companion/source" "$1/etc/ssl/secret-of-the-builder" ;;
*) ;;""",
    "mount": '*) echo "${*##* }" >>"$MOUNTED" ;;',
    "umount": '*) sed -i "\\\\|^$2\\$|d" "$MOUNTED" ;;',
    "mountpoint": '*) grep -qxs "$2" "$MOUNTED" ;;',
    "mkfs.vfat": '*) for word; do case $word in *.img) truncate -s 3M "$word" ;; esac; done ;;',
    "mke2fs": """*)
    for word; do
        case $word in
        *.img) truncate -s 5M "$word"; ;;
        /*) (cd "$word" && find . | sort >"$SEEN/${word##*/}"); cp "$word/etc/fstab" "$SEEN" 2>/dev/null || : ;;
        esac
    done ;;""",
    "mcopy": '*) ls "${4%/*}" >"$SEEN/boot" ;;',
    "sfdisk": '*) cat >"$SEEN/table" ;;',
    "qemu-aarch64-static": "*) ;;",
    "xz": "*) printf packed ;;",
    "chown": "*) ;;",
    "tar": '*--exclude=.git*) exec /usr/bin/tar -cT /dev/null ;;\n*) exec /usr/bin/tar "$@" ;;',
}


class Workshop:
    """A computer that makes cards."""

    def __init__(self, folder):
        self.folder, self.out, self.cache = folder, folder / "card.img", folder / "cache"
        for name in ("bin", "seen", "binfmt", "base"):
            (folder / name).mkdir()
        (folder / "binfmt/qemu-aarch64").write_text("")
        base = folder / "base"
        for path in (
            *(
                "boot/firmware",
                "etc/ssl/certs",
                "etc/default",
                "etc/apt",
                "etc/systemd/system",
                "usr/local/sbin",
            ),
            *(
                "usr/lib/python3/dist-packages",
                "var/lib/tabletop-companion",
                "var/lib/apt/lists",
                "var/log",
                "tmp",
            ),
            *("opt/tabletop-companion", "usr/share/zoneinfo/Europe"),
        ):
            (base / path).mkdir(parents=True)
        (base / "usr/share/zoneinfo/Europe/Warsaw").write_text("")
        (base / "usr/share/zoneinfo/Etc").mkdir()
        (base / "usr/share/zoneinfo/Etc/UTC").write_text("")
        with tarfile.open(folder / "base.tar", "w") as archive:
            archive.add(base, ".")
        for name, answers in ANSWERS.items():
            path = folder / "bin" / name
            path.write_text(FAKE % answers)
            path.chmod(0o755)

    def make(self, *words, out=True, **fakes):
        (self.folder / "calls").write_text("")
        return subprocess.run(
            [
                "sh",
                str(IMAGE),
                *(("--out", str(self.out), "--timezone", "Europe/Warsaw") if out else ()),
                *words,
            ],
            env={
                "PATH": f"{self.folder / 'bin'}:{os.environ['PATH']}",
                "HOME": str(self.folder),
                "COMPANION_IMAGE_CACHE": str(self.cache),
                "COMPANION_BINFMT": str(self.folder / "binfmt"),
                **{name: str(self.folder / name.lower()) for name in ("CALLS", "SEEN", "MOUNTED")},
                "BASE": str(self.folder / "base.tar"),
                **{f"FAKE_{name.upper()}": value for name, value in fakes.items()},
            },
            capture_output=True,
            text=True,
            check=False,
        )

    def seen(self, name):
        return (self.folder / "seen" / name).read_text().splitlines()

    def calls(self, words):
        lines = (self.folder / "calls").read_text().splitlines()
        return [line for line in lines if words in line and not line.startswith("nice ")]

    def left(self):
        """What is left of making it: nothing mounted, nothing half done."""
        mounted = self.folder / "mounted"
        return [
            *(mounted.read_text().split() if mounted.exists() else ()),
            *(
                path.name
                for path in self.cache.iterdir()
                if not path.name.startswith(("base-", "pins-", "log-", "lock"))
            ),
            *(path.name for path in self.folder.iterdir() if path.name.startswith("card.img.")),
        ]


@pytest.fixture
def workshop(tmp_path):
    return Workshop(tmp_path)


def test_a_card_has_what_the_firmware_reads_the_system_and_what_is_kept(workshop):
    done = workshop.make()
    assert done.returncode == 0, done.stderr
    assert workshop.out.is_file()
    assert workshop.seen("boot") == ["vmlinuz-7"]
    assert [line.split("type=")[1] for line in workshop.seen("table")[1:]] == ["c, bootable", "83", "83"]
    assert "./plays" in workshop.seen("data")
    system = workshop.seen("root-trixie")
    assert {"./usr/local/sbin/companion-grow", "./usr/lib/python3/dist-packages/lgpio.py"} <= set(system)
    assert not {"./src", "./opt/tabletop-companion/source", "./boot/firmware/vmlinuz-7"} & set(system)
    assert workshop.seen("fstab") == (RASPBERRY / "card/fstab").read_text().splitlines()
    (call,) = workshop.calls("/src/deploy/raspberrypi/install.sh")
    assert "--yes --anyway --signed-only --read-only" in call
    assert workshop.seen("processor") == ["cortex-a72"], "emulated as a Pi 4"
    assert workshop.left() == []


def test_a_slow_start_waits_for_what_is_kept_and_needs_nothing_else():
    lines = (RASPBERRY / "card/fstab").read_text().splitlines()
    how = {fields[1]: fields[3].split(",") for line in lines if line[:1] != "#" and (fields := line.split())}
    assert "x-systemd.device-timeout=15min" in how["/data"], (
        "otherwise an emergency shell, where nobody can log in"
    )
    assert "nofail" in how["/boot/firmware"]


def test_the_kernel_is_one_that_knows_a_pi_5(workshop):
    workshop.make()
    (call,) = workshop.calls("mmdebstrap --arch=arm64")
    assert "linux-image-arm64" in call
    assert "libmtdev1" in call, "what install.sh needs is there from the start"
    assert "preferences.d/tabletop-companion" in call
    assert workshop.calls("trixie-backports main non-free-firmware")


def test_what_was_fetched_is_used_again(workshop):
    workshop.make()
    assert workshop.make().returncode == 0
    assert not workshop.calls("mmdebstrap")
    assert not workshop.calls("pip3")


def test_what_the_installer_knows_is_handed_on(workshop):
    workshop.make("--writable", "--rotate", "180", "--strip", "--counters")
    assert workshop.calls(
        "install.sh --yes --anyway --signed-only --writable --rotate 180 --strip --counters"
    )


def test_a_packed_card(workshop):
    packed = workshop.folder / "card.img.xz"
    assert workshop.make("--out", str(packed)).returncode == 0
    assert packed.read_text() == "packed"
    assert not (workshop.folder / "card.img").exists()


@pytest.mark.parametrize(
    ("fakes", "words"),
    [
        ({"no_mirror": "1"}, "the system could not be made"),
        ({"no_pins": "1"}, "the pins could not be built"),
        ({"broken": "1"}, "install.sh"),
    ],
)
def test_what_fails_is_told_and_leaves_nothing_behind(workshop, fakes, words):
    workshop.out.write_text("the card of last time")
    done = workshop.make(**fakes)
    assert done.returncode == 1
    assert words in done.stderr
    assert workshop.out.read_text() == "the card of last time"
    assert workshop.left() == []
    assert workshop.make().returncode == 0, "and the next time goes on"


def test_a_zone_nobody_knows(workshop):
    done = workshop.make("--timezone", "Europe/Atlantis")
    assert done.returncode == 1
    assert "Atlantis" in done.stderr


def test_what_cannot_be_tried(workshop):
    assert workshop.make(uid="1000").returncode == 2
    assert workshop.make("--out", str(workshop.folder / "nowhere/card.img")).returncode == 2
    (workshop.folder / "binfmt/qemu-aarch64").unlink()
    done = workshop.make()
    assert done.returncode == 2
    assert "binfmt_misc" in done.stderr
    assert not workshop.calls("mount")


def test_two_at_once_would_spoil_each_other(workshop):
    workshop.cache.mkdir()
    with (workshop.cache / "lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        done = workshop.make()
    assert done.returncode == 2
    assert "another card is being made" in done.stderr
    assert not workshop.calls("mount")


def test_a_program_that_is_missing_is_named(workshop):
    for name in ("readlink", "dirname"):
        (workshop.folder / "bin" / name).symlink_to(f"/usr/bin/{name}")
    (workshop.folder / "bin/mmdebstrap").unlink()
    done = subprocess.run(
        ["/bin/sh", str(IMAGE)],
        env={"PATH": str(workshop.folder / "bin"), "HOME": "/nowhere", "CALLS": "/dev/null"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (2, "image: missing here: apt-get install mmdebstrap\n")


@pytest.mark.parametrize(
    "words",
    [
        ("--suite", "sid"),
        ("--suite",),
        ("--out",),
        ("--rotate", "45"),
        ("--timezone", "x; y"),
        ("--nonsense",),
    ],
)
def test_words_nobody_understands(workshop, words):
    done = workshop.make(*words, out=False)
    assert done.returncode == 2
    assert "sudo ./image" in done.stderr


def test_help(workshop):
    done = workshop.make("--help", uid="1000")
    assert done.returncode == 0
    assert "A card to flash" in done.stdout


# ---- the first start ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("size", "grows"), [(20_000_000, True), (9_002_048, True), (9_002_047, False)])
def test_the_last_partition_takes_what_is_left_of_the_card(tmp_path, size, grows):
    disk = tmp_path / "sys/devices/mmcblk0"
    part = disk / "mmcblk0p3"
    part.mkdir(parents=True)
    (tmp_path / "sys/class/block").mkdir(parents=True)
    (tmp_path / "sys/class/block/mmcblk0").symlink_to(disk)
    (tmp_path / "sys/class/block/mmcblk0p3").symlink_to(part)
    for path, text in {
        disk / "size": size,
        part / "partition": 3,
        part / "start": 8_869_888,
        part / "size": 9_000_000 - 8_869_888,
    }.items():
        path.write_text(f"{text}\n")
    (tmp_path / "dev/disk/by-label").mkdir(parents=True)
    (tmp_path / "dev/mmcblk0p3").write_text("")
    (tmp_path / "dev/disk/by-label/companion-data").symlink_to("../../mmcblk0p3")
    (tmp_path / "bin").mkdir()
    for name, answers in {"sfdisk": "*) cat >>$CALLS ;;", "partx": "*) ;;", "resize2fs": "*) ;;"}.items():
        path = tmp_path / "bin" / name
        path.write_text(FAKE % answers)
        path.chmod(0o755)
    (tmp_path / "calls").write_text("")
    done = subprocess.run(
        ["sh", str(GROW)],
        env={
            "PATH": f"{tmp_path / 'bin'}:{os.environ['PATH']}",
            "CALLS": str(tmp_path / "calls"),
            "COMPANION_SYS": str(tmp_path / "sys"),
            "COMPANION_DEV": str(tmp_path / "dev"),
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    calls = (tmp_path / "calls").read_text().replace(str(tmp_path), "").splitlines()
    grown = [
        "sfdisk --quiet --no-reread --force -N 3 /dev/mmcblk0",
        ", +",
        "partx --update --nr 3 /dev/mmcblk0",
    ]
    assert calls == [*(grown if grows else ()), "resize2fs /dev/mmcblk0p3"]


def test_a_card_keeps_what_the_system_may_write():
    """What fstab puts on the partition that grows is what companion-readonly keeps."""
    script = (RASPBERRY / "system/companion-readonly").read_text()
    kept = script.split('KEPT="')[1].split('"')[0].split()
    lines = [line.split() for line in (RASPBERRY / "card/fstab").read_text().splitlines() if line[:1] != "#"]
    assert sorted(fields[1][1:] for fields in lines if fields[0].startswith("/data/")) == sorted(kept)
