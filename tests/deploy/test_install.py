"""The installer, on machines made of files: every branch a person can reach."""

import re
import shutil
import subprocess

import pytest

from tests.deploy.machines import CMDLINE, CONFIG, RASPBERRY, FakeMachine

UNIT = "etc/systemd/system/tabletop-companion.service"
LOG = "var/log/tabletop-companion-install.log"


@pytest.fixture
def pi(tmp_path):
    return FakeMachine(tmp_path)


def test_a_blank_card(pi):
    done = pi.install("--yes")
    assert done.returncode == 0, done.stderr
    assert "[8/8] Done" in done.stdout
    assert "sudo reboot" in done.stdout
    assert "[8/8] Done" in pi.read(LOG)
    assert pi.read(UNIT) == (RASPBERRY / "system/tabletop-companion.service").read_text()
    for tool in ("update", "verify", "request", "stick", "wifi", "readonly"):
        assert (pi.root / "usr/local/sbin" / f"companion-{tool}").stat().st_mode & 0o111
    assert "Storage=volatile\n" in pi.read("etc/systemd/journald.conf.d/tabletop-companion.conf")
    assert "SaveIntervalSec=1h\n" in pi.read("etc/systemd/timesyncd.conf.d/tabletop-companion.conf")
    assert pi.called("apt-get -qy -o DPkg::Lock::Timeout=300 install --no-install-recommends ca-certificates")
    assert pi.called("useradd --system --user-group")
    assert pi.called("usermod --append --groups")
    assert pi.called("systemctl set-default multi-user.target")
    assert pi.called("systemctl enable tabletop-companion.service tabletop-companion-requests.path")
    assert pi.calls.index("systemctl disable getty@tty1.service") < len(pi.calls)


def test_what_is_done_already_is_left_alone(pi):
    pi.install("--yes")
    first = pi.files()
    done = pi.install("--yes", installed="1", users="1")
    assert done.returncode == 0
    assert {name: text for name, text in pi.files().items() if name != LOG} == {
        name: text for name, text in first.items() if name != LOG
    }
    assert not pi.called("apt-get")
    assert not pi.called("useradd")
    assert not pi.called("groupadd")


def test_looking_first_changes_nothing(pi):
    before = pi.files()
    done = pi.install("--dry-run", uid="1000")
    assert done.returncode == 0
    assert pi.files() == before
    for words in ("would run: apt-get", "would run: useradd", "would change", "Nothing was changed."):
        assert words in done.stdout
    changing = {"apt-get", "useradd", "usermod", "groupadd", "python3", "systemctl", "install", "udevadm"}
    assert not changing & {call.split()[0] for call in pi.calls}


def test_the_installer_says_that_it_needs_root(pi):
    done = pi.install("--yes", uid="1000")
    assert done.returncode == 11
    assert "sudo" in done.stderr
    assert UNIT not in pi.files()


@pytest.mark.parametrize(
    ("fakes", "files", "words"),
    [
        ({"machine": "armv7l"}, {}, "64-bit Raspberry Pi OS is needed"),
        (
            {"packages": "armhf"},
            {},
            "64-bit Raspberry Pi OS is needed",
        ),  # a 64-bit kernel under a 32-bit system
        ({"machine": "x86_64", "packages": "amd64"}, {}, "64-bit Raspberry Pi OS is needed"),
        ({}, {"etc/os-release": "VERSION_CODENAME=bullseye\n"}, "'bullseye'; bookworm or trixie"),
        ({}, {"etc/os-release": ""}, "bookworm or trixie is needed"),
        ({}, {"proc/device-tree/model": "Raspberry Pi 3 Model B\0"}, "slower than anything"),
        ({}, {"proc/device-tree/model": ""}, "no Raspberry Pi"),
        ({}, {"proc/meminfo": "MemTotal:         440000 kB\n"}, "1 GB is needed"),
    ],
)
def test_a_machine_that_will_not_do(pi, fakes, files, words):
    for path, text in files.items():
        pi.write(path, text)
    done = pi.install("--yes", **fakes)
    assert done.returncode == 16
    assert words in done.stderr
    assert "--anyway" in done.stderr
    assert UNIT not in pi.files()
    assert not pi.called("apt-get")
    assert pi.install("--yes", "--anyway", **fakes).returncode == 0, "--anyway insists"


@pytest.mark.parametrize(
    ("model", "system"),
    [
        ("Raspberry Pi 4 Model B Rev 1.5", "bookworm"),
        ("Raspberry Pi 400 Rev 1.0", "trixie"),
        ("Raspberry Pi 500 Rev 1.0", "trixie"),
        ("Raspberry Pi Compute Module 4 Rev 1.0", "bookworm"),
    ],
)
def test_machines_it_was_made_for(pi, model, system):
    pi.write("proc/device-tree/model", model + "\0")
    pi.write("etc/os-release", f"VERSION_CODENAME={system}\n")
    assert pi.install("--yes").returncode == 0


def test_a_full_card_is_told_before_anything_is_done_even_to_those_who_insist(pi):
    done = pi.install("--yes", "--anyway", free="300000")
    assert done.returncode == 13
    assert "292 MB are free" in done.stderr
    assert not pi.called("apt-get")


def test_a_card_that_fills_up_meanwhile(pi):
    done = pi.install("--yes", program="13")
    assert done.returncode == 13
    assert "The card is full." in done.stderr
    assert "goes on from here" in done.stderr
    assert not pi.called("systemctl enable")


def test_no_screen_and_no_camera_are_no_hindrance(pi):
    shutil.rmtree(pi.root / "sys")
    shutil.rmtree(pi.root / "dev")
    done = pi.install("--yes")
    assert done.returncode == 0
    assert "Screen: none is connected" in done.stdout
    assert "Camera: none is connected" in done.stdout


def test_no_network_for_packages(pi):
    done = pi.install("--yes", update="100")
    assert done.returncode == 12
    assert "is this machine on the internet?" in done.stderr
    assert not pi.called("useradd")


def test_no_network_is_no_matter_where_all_packages_are_there(pi):
    assert pi.install("--yes", update="100", installed="1").returncode == 0


def test_no_network_for_the_program(pi):
    done = pi.install("--yes", program="12")
    assert done.returncode == 12
    assert not pi.called("systemctl enable")


def test_a_package_that_must_be_there_and_cannot(pi):
    done = pi.install("--yes", missing="libgl1")
    assert done.returncode == 11
    assert "libgl1" in done.stderr


@pytest.mark.parametrize("fakes", [{"missing": "python3-picamera2"}, {"poor": "1"}])
def test_a_package_that_would_be_good_and_is_not_there(pi, fakes):
    done = pi.install("--yes", **fakes)
    assert done.returncode == 0
    assert "going on without" in done.stdout


def test_an_interrupted_run_is_gone_on_with(pi):
    assert pi.install("--yes", program="15").returncode == 15
    half = pi.files()
    assert UNIT in half
    pi.write("boot/firmware/config.txt.companion", "half a file")
    done = pi.install("--yes", installed="1", users="1")
    assert done.returncode == 0
    assert not pi.called("useradd")
    assert pi.called("systemctl enable tabletop-companion.service")
    assert "boot/firmware/config.txt.companion" not in pi.files()
    assert pi.read("boot/firmware/config.txt").count("# tabletop-companion begin") == 1


def test_a_new_version_that_does_not_come_up_is_told(pi):
    done = pi.install("--yes", program="3")
    assert done.returncode == 15
    assert "the one before runs again" in done.stderr


def test_a_service_that_cannot_be_enabled_is_told(pi):
    assert pi.install("--yes", enable="1").returncode == 15


def test_plays_that_are_there_stay(pi):
    journal = pi.write("var/lib/tabletop-companion/journal.db", "plays")
    assert pi.install("--yes").returncode == 0
    assert journal.read_text() == "plays"


def test_the_boot_files_are_changed_and_changed_back(pi):
    pi.install("--yes", "--counters", "--strip", "--power-button", "17", "--rotate", "270")
    config = pi.read("boot/firmware/config.txt")
    assert config.startswith(CONFIG)
    for line in ("[all]", "dtparam=i2c_arm=on", "dtparam=spi=on", "dtoverlay=gpio-shutdown,gpio_pin=17"):
        assert f"\n{line}\n" in config
    assert config.count("dtoverlay=vc4-kms-v3d") == 1
    assert pi.read("boot/firmware/cmdline.txt").split() == [
        *CMDLINE.split(),
        *("consoleblank=0", "vt.global_cursor_default=0", "logo.nologo"),
    ]
    assert pi.read("etc/tabletop-companion/environment") == "COMPANION_ROTATE=270\n"
    pi.install("--uninstall")
    assert pi.read("boot/firmware/config.txt") == CONFIG
    assert pi.read("boot/firmware/cmdline.txt") == CMDLINE


def test_what_was_chosen_holds_the_next_time(pi):
    pi.install("--yes", "--counters", "--rotate", "90")
    before = pi.files()
    pi.install("--yes")
    assert pi.read("boot/firmware/config.txt") == before["boot/firmware/config.txt"]
    assert pi.read("etc/tabletop-companion/environment") == "COMPANION_ROTATE=90\n"


def test_the_touchscreen_may_insist_on_what_is_not_signed_unless_it_is_forbidden(pi):
    for options, allowed in (([], 1), (["--signed-only"], 0), ([], 0), (["--unsigned"], 1), ([], 1)):
        assert pi.install("--yes", *options).returncode == 0
        assert f"\nunsigned={allowed}\n" in pi.read("etc/tabletop-companion/options")


def test_the_keys_that_are_trusted_are_on_the_card_and_only_root_may_change_them(pi):
    pi.install("--yes")
    for kind in ("signers", "revoked"):
        assert pi.read(f"etc/tabletop-companion/{kind}") == (RASPBERRY / "keys" / kind).read_text()
        assert (pi.root / f"etc/tabletop-companion/{kind}").stat().st_mode & 0o777 == 0o644


def test_words_the_owner_had_on_the_command_line_stay_when_ours_go(pi):
    own = CMDLINE.replace("rootwait", "consoleblank=0 rootwait")
    pi.write("boot/firmware/cmdline.txt", own)
    pi.install("--yes")
    pi.install("--yes")
    pi.install("--uninstall")
    assert pi.read("boot/firmware/cmdline.txt") == own


def test_a_display_driver_is_added_where_none_is(pi):
    pi.write("boot/firmware/config.txt", "dtparam=audio=on\n")
    pi.install("--yes")
    assert "\ndtoverlay=vc4-kms-v3d\n" in pi.read("boot/firmware/config.txt")


def test_an_older_system_has_its_boot_files_elsewhere(pi):
    (pi.root / "boot/firmware/config.txt").rename(pi.root / "boot/config.txt")
    pi.install("--yes")
    assert "tabletop-companion begin" in pi.read("boot/config.txt")


def test_without_boot_files_everything_else_is_done(pi):
    shutil.rmtree(pi.root / "boot")
    done = pi.install("--yes")
    assert done.returncode == 0
    assert "no config.txt" in done.stdout


@pytest.fixture
def debian(pi):
    """A Pi with Debian's own firmware, which rewrites config.txt and cmdline.txt with every kernel."""
    hook = pi.write(
        "etc/kernel/postinst.d/z50-raspi-firmware",
        """#!/bin/sh
[ "$DEB_MAINT_PARAMS" = configure ] || exit 1
cd "$COMPANION_PREFIX"
cat etc/default/raspi-firmware-custom >boot/firmware/config.txt 2>/dev/null || :
echo "console=tty0 $(cat etc/default/raspi-extra-cmdline 2>/dev/null)" >boot/firmware/cmdline.txt
""",
    )
    hook.chmod(0o755)
    pi.write("etc/default/raspi-firmware", "#CMA=64M\n")
    return pi


def test_debians_firmware_is_told_where_it_asks(debian):
    assert debian.install("--yes", "--strip", "--counters").returncode == 0
    for path in ("etc/default/raspi-firmware-custom", "boot/firmware/config.txt"):
        said = debian.read(path)
        assert "\ndtoverlay=pi4-spidev\n" in said
        assert "vc4-kms-v3d" not in said, "its own device tree has the screen; it has no such overlay"
    assert debian.read("boot/firmware/cmdline.txt") == (
        "console=tty0 consoleblank=0 vt.global_cursor_default=0 logo.nologo\n"
    )
    assert debian.install("--yes").returncode == 0
    assert debian.read("boot/firmware/config.txt").count("disable_splash=1") == 1
    assert debian.install("--uninstall").returncode == 0
    assert [name for name in debian.files() if name.startswith("etc/default")] == [
        "etc/default/raspi-firmware"
    ]
    assert debian.read("boot/firmware/cmdline.txt") == "console=tty0 \n"


def test_what_debians_firmware_was_told_by_its_owner_stays(debian):
    debian.write("etc/default/raspi-firmware-custom", "dtoverlay=hifiberry-dac\n")
    debian.write("etc/default/raspi-extra-cmdline", "quiet consoleblank=0\n")
    debian.install("--yes")
    assert debian.read("boot/firmware/config.txt").startswith("dtoverlay=hifiberry-dac\n")
    debian.install("--uninstall")
    assert debian.read("etc/default/raspi-firmware-custom") == "dtoverlay=hifiberry-dac\n"
    assert debian.read("etc/default/raspi-extra-cmdline") == "quiet consoleblank=0\n"


def test_a_button_debians_firmware_cannot_have_is_told(debian):
    assert "no power button" in debian.install("--yes", "--power-button", "17").stdout
    assert "gpio-shutdown" not in debian.read("boot/firmware/config.txt")


def test_taking_it_away_leaves_plays_and_nothing_else(pi):
    before = pi.files()
    pi.install("--yes")
    pi.write("var/lib/tabletop-companion/journal.db", "plays")
    done = pi.install("--uninstall", users="1")
    assert done.returncode == 0
    assert "are kept" in done.stdout
    left = {name for name in pi.files() if name != LOG}
    assert left == {*before, "var/lib/tabletop-companion/journal.db"}
    assert pi.called("systemctl set-default graphical.target"), "a desktop is there again"
    assert pi.called("systemctl enable getty@tty1.service")
    assert not pi.called("userdel")


def test_taking_it_away_with_all_plays_must_be_said(pi):
    pi.install("--yes")
    pi.write("var/lib/tabletop-companion/journal.db", "plays")
    assert pi.install("--uninstall", "--delete-plays", users="1").returncode == 0
    assert not (pi.root / "var/lib/tabletop-companion").exists()
    assert pi.called("userdel companion")


@pytest.mark.parametrize("when", ["never installed", "half installed"])
def test_taking_away_what_is_not_whole(pi, when):
    if when == "half installed":
        pi.install("--yes", program="15")
    assert pi.install("--uninstall").returncode == 0
    assert pi.read("boot/firmware/config.txt") == CONFIG


@pytest.mark.parametrize(
    "words",
    [
        ("--rotate", "45"),
        ("--rotate",),
        ("--power-button", "three"),
        ("--power-button",),
        ("--power-button", "3", "--counters"),
        ("--delete-plays",),
        ("--nonsense",),
    ],
)
def test_words_nobody_understands_change_nothing(pi, words):
    before = pi.files()
    assert pi.install(*words).returncode == 2
    assert pi.files() == before


def test_help_is_for_everybody(pi):
    done = pi.install("--help", uid="1000")
    assert done.returncode == 0
    assert "--uninstall" in done.stdout


SCRIPTS = (
    *("install.sh", "../sign", "verify-updates", "verify-arm64", "image", "card/companion-grow"),
    *("system/companion-request", "system/companion-stick", "system/companion-readonly"),
)


@pytest.mark.parametrize("script", SCRIPTS)
def test_shell_scripts_are_sound(script):
    checker = shutil.which("shellcheck")
    if checker is None:
        pytest.skip("shellcheck is not installed here")
    done = subprocess.run([checker, str(RASPBERRY / script)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("script", ["verify-arm64", "image"])
def test_a_root_is_one_file_whatever_it_is_called_while_it_is_made(script):
    """mmdebstrap takes a name it does not know the end of for that of a folder."""
    calls = re.findall(r"^ *nice mmdebstrap (.*)$", (RASPBERRY / script).read_text(), re.MULTILINE)
    assert calls
    assert all("--format=tar" in call for call in calls)


def test_what_runs_on_request_explains_itself():
    done = subprocess.run(
        ["sh", str(RASPBERRY / "verify-arm64"), "--nonsense"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert "sudo ./verify-arm64" in done.stderr
