"""What root installs: the units, the rules, and the two scripts that act for the companion."""

import os
import re
import shutil
import subprocess

import pytest

from companion.table.porter_process import PORT, SOCKET
from companion.table.publisher_process import SOCKET as HALL_SOCKET
from tests.deploy.machines import FAKE, RASPBERRY

SYSTEM = RASPBERRY / "system"
EXPOSURE = 2.0


def exposed(unit):
    """What systemd thinks of a unit: 0 is safe, 10 may do anything."""
    tool = shutil.which("systemd-analyze")
    if tool is None:
        pytest.skip("systemd-analyze is not installed here")
    done = subprocess.run(
        [tool, "security", "--offline=yes", "--no-pager", str(SYSTEM / unit)],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "SYSTEMD_PAGER": "cat"},
    )
    level = re.search(r"Overall exposure level for .*: ([0-9.]+)", done.stdout)
    assert level is not None, done.stderr
    return float(level[1])


def test_the_service_is_hardly_exposed():
    assert exposed("tabletop-companion.service") <= EXPOSURE


def test_what_phones_reach_is_hardly_exposed_although_it_has_the_network():
    assert exposed("tabletop-companion-phones.service") <= EXPOSURE


def test_what_phones_reach_may_neither_read_plays_nor_ask_root_and_starts_only_when_asked_for():
    unit = (SYSTEM / "tabletop-companion-phones.service").read_text()
    assert "[Install]" not in unit
    hidden = re.search(r"^InaccessiblePaths=(.*)$", unit, re.M)[1].split()
    assert {"-/var/lib/tabletop-companion", "-/run/tabletop-companion/requests"} <= set(hidden)
    for line in (
        "DynamicUser=yes",
        "PrivateDevices=yes",
        "ProtectSystem=strict",
        "IPAddressDeny=any",
        f"SocketBindAllow=ipv4:tcp:{PORT}",
        "MemoryMax=96M",
    ):
        assert f"\n{line}\n" in unit, line
    folder = "/run/tabletop-companion/phones"
    assert f"{folder}/{SOCKET}\n" in unit
    assert f"COMPANION_PHONES={folder}\n" in (SYSTEM / "tabletop-companion.service").read_text()
    tmpfiles = (SYSTEM / "tabletop-companion.tmpfiles").read_text()
    assert f"d {folder} 2750 companion companion-phones\n" in tmpfiles, (
        "the socket gets the group of its folder"
    )


def test_what_tells_a_hall_is_hardly_exposed_although_it_has_the_network():
    assert exposed("tabletop-companion-hall.service") <= EXPOSURE


def test_what_tells_a_hall_may_neither_read_plays_nor_listen_and_starts_only_when_asked_for():
    unit = (SYSTEM / "tabletop-companion-hall.service").read_text()
    assert "[Install]" not in unit
    hidden = " ".join(re.findall(r"^InaccessiblePaths=(.*)$", unit, re.M)).split()
    assert {
        "-/var/lib/tabletop-companion",
        "-/run/tabletop-companion/requests",
        "-/run/tabletop-companion/phones",
    } <= set(hidden)
    for line in (
        "DynamicUser=yes",
        "SupplementaryGroups=companion-hall",
        "PrivateDevices=yes",
        "ProtectSystem=strict",
        "SocketBindDeny=any",
        "MemoryMax=96M",
    ):
        assert f"\n{line}\n" in unit, line
    assert "SocketBindAllow" not in unit
    folder = "/run/tabletop-companion/hall"
    assert f"-m companion.publisher {folder}/{HALL_SOCKET}\n" in unit
    service = (SYSTEM / "tabletop-companion.service").read_text()
    assert f"COMPANION_HALL={folder}\n" in service
    assert folder in " ".join(re.findall(r"^ReadWritePaths=(.*)$", service, re.M)).split()
    assert (
        f"d {folder} 2750 companion companion-hall\n" in (SYSTEM / "tabletop-companion.tmpfiles").read_text()
    )


def test_phones_and_hall_do_not_reach_each_others_sockets():
    """The publisher's has the credentials for the broker."""
    phones = (SYSTEM / "tabletop-companion-phones.service").read_text()
    assert "-/run/tabletop-companion/hall" in " ".join(re.findall(r"^InaccessiblePaths=(.*)$", phones, re.M))
    assert "companion-hall" not in phones.replace("tabletop-companion", "")


@pytest.mark.parametrize(
    ("unit", "exposure"), [("requests", 5.5), ("stick@", 4.0), ("settle", 4.5)], ids=lambda value: str(value)
)
def test_what_root_does_is_hardly_more_exposed_than_it_must_be(unit, exposure):
    """They mount for all to see, and the first one also installs: hence not the 2.0 of the companion itself."""
    assert exposed(f"tabletop-companion-{unit}.service") <= exposure


OWN_MOUNTS = (
    *(
        "PrivateTmp",
        "PrivateDevices",
        "PrivateNetwork",
        "PrivateIPC",
        "ProtectSystem",
        "ProtectHome",
        "ProtectProc",
    ),
    *(
        "ProcSubset",
        "ProtectControlGroups",
        "ProtectKernelLogs",
        "ProtectKernelModules",
        "ProtectKernelTunables",
    ),
    *("ReadOnlyPaths", "ReadWritePaths", "InaccessiblePaths", "TemporaryFileSystem", "MountFlags"),
)


@pytest.mark.parametrize("unit", ["requests", "stick@", "settle"])
def test_what_mounts_for_all_to_see_has_no_mounts_of_its_own(unit):
    """A stick that only its service sees is none, and a system opened only for one service is not closed again."""
    text = (SYSTEM / f"tabletop-companion-{unit}.service").read_text()
    assert "\nPrivateMounts=no\n" in text
    assert [word for word in OWN_MOUNTS if re.search(rf"^{word}=", text, re.M)] == []


@pytest.mark.parametrize("unit", ["requests", "stick@", "settle"])
def test_what_root_does_is_limited_like_the_companion(unit):
    text = (SYSTEM / f"tabletop-companion-{unit}.service").read_text()
    for line in (
        "NoNewPrivileges=yes",
        "AmbientCapabilities=",
        "DevicePolicy=closed",
        "RestrictNamespaces=yes",
        "RestrictRealtime=yes",
        "LockPersonality=yes",
        "SystemCallArchitectures=native",
        "SystemCallFilter=@system-service @mount",
    ):
        assert f"\n{line}\n" in text, line
    capabilities = " ".join(re.findall(r"^CapabilityBoundingSet=(.*)$", text, re.M)).split()
    assert capabilities
    risky = {
        "CAP_SYS_MODULE",
        "CAP_SYS_RAWIO",
        "CAP_SYS_PTRACE",
        "CAP_NET_ADMIN",
        "CAP_NET_RAW",
        "CAP_SYS_TIME",
    }
    assert not risky & set(capabilities)


def test_too_many_requests_make_nobody_deaf():
    """A path unit whose service reaches its start limit, or that reaches its own, fails until the next start of the
    machine, and then nobody can switch it off. Instead a pause follows every run, also a failed one."""
    service = (SYSTEM / "tabletop-companion-requests.service").read_text()
    path = (SYSTEM / "tabletop-companion-requests.path").read_text()
    assert "\nStartLimitIntervalSec=0\n" in service.partition("[Service]")[0]
    assert "StartLimitBurst" not in service
    assert re.search(r"^ExecStopPost=\S+/sleep [1-5]$", service, re.M)
    assert "\nStartLimitIntervalSec=0\n" in path.partition("[Path]")[0]
    assert "\nTriggerLimitIntervalSec=0\n" in path.partition("[Path]")[2]


@pytest.mark.parametrize(
    "unit", sorted(path.name for path in [*SYSTEM.glob("*.service"), *SYSTEM.glob("*.path")])
)
def test_every_unit_is_understood(unit, tmp_path):
    tool = shutil.which("systemd-analyze")
    if tool is None:
        pytest.skip("systemd-analyze is not installed here")
    for path in [
        *SYSTEM.glob("*.service"),
        *SYSTEM.glob("*.path"),
    ]:  # programs that are not here are none of systemd's mistakes
        text = re.sub(r"^(Exec\w+)=\S+", r"\1=/bin/true", path.read_text(), flags=re.M)
        (tmp_path / path.name).write_text(text)
    name = unit.replace("@.", "@sda1.")
    done = subprocess.run(
        [tool, "verify", "--man=no", "--recursive-errors=no", str(tmp_path / name)],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "SYSTEMD_UNIT_PATH": f"{tmp_path}:"},
    )
    assert "tabletop" not in done.stderr, done.stderr


def test_the_service_runs_what_the_updater_switches():
    unit = (SYSTEM / "tabletop-companion.service").read_text()
    for line in (
        "ExecStart=/opt/tabletop-companion/current/.venv/bin/python -P -m companion",
        "Type=notify",
        "User=companion",
        "Restart=always",
        "PrivateNetwork=yes",
        "ProtectSystem=strict",
    ):
        assert f"\n{line}\n" in unit
    assert re.search(r"^WatchdogSec=\d+$", unit, re.M)
    assert re.search(r"^MemoryMax=\d+[MG]$", unit, re.M)
    assert re.search(r"^LogRateLimitBurst=\d+$", unit, re.M)


def test_what_may_be_plugged_in_later_is_known_to_the_kernel_before():
    """systemd allows a kind of device only if /proc/devices has it when the service starts."""
    unit = (SYSTEM / "tabletop-companion.service").read_text()
    always = {"input", "gpiochip", "dma_heap"}  # parts of the kernel itself
    modules = {
        "drm": "drm",
        "video4linux": "videodev",
        "media": "mc",
        "alsa": "snd",
        "i2c": "i2c_dev",
        "spi": "spidev",
    }
    for kind in set(re.findall(r"^DeviceAllow=char-(\w+) rw$", unit, re.M)) - always:
        for word in ("Wants", "After"):
            assert re.search(rf"^{word}=.*\bmodprobe@{modules[kind]}\.service\b", unit, re.M), (kind, word)


class Root:
    """Root's side, with programs that only write down what they are told."""

    def __init__(self, folder):
        self.folder, self.requests, self.sticks = folder, folder / "requests", folder / "sticks"
        self.requests.mkdir()
        (folder / "bin").mkdir()
        for name, answers in {
            "systemctl": "*) ;;",
            "companion-update": "*) ;;",
            "companion-wifi": """*join*) [ -f "$2" ]
    for next in $FAKE_MEANWHILE; do : >"$COMPANION_REQUESTS/$next"; done ;;""",
            "companion-readonly": '*) shift; "$@" ;;',
            "mount": "*) ;;",
            "umount": "*) ;;",
            "blkid": '*LABEL*) echo "$FAKE_LABEL" ;;\n*TYPE*) echo "$FAKE_TYPE" ;;',
        }.items():
            path = folder / "bin" / name
            path.write_text(FAKE % answers)
            path.chmod(0o755)

    def run(self, script, *words, **fakes):
        (self.folder / "calls").write_text("")
        done = subprocess.run(
            ["sh", str(SYSTEM / script), *words],
            env={
                "PATH": f"{self.folder / 'bin'}:{os.environ['PATH']}",
                "CALLS": str(self.folder / "calls"),
                "COMPANION_REQUESTS": str(self.requests),
                "COMPANION_STICKS": str(self.sticks),
                "COMPANION_ETC": str(self.folder),
                "COMPANION_READONLY": str(self.folder / "only-read"),
                **{f"FAKE_{name.upper()}": value for name, value in fakes.items()},
            },
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return (self.folder / "calls").read_text().splitlines()


@pytest.fixture
def root(tmp_path):
    return Root(tmp_path)


@pytest.mark.parametrize(
    ("request_", "calls"),
    [
        ("power-off", ["systemctl poweroff"]),
        ("update", ["companion-update "]),
        ("update-refused", ["companion-update --refused"]),
        ("rollback", ["companion-update --rollback"]),
        ("wifi-scan", ["companion-wifi scan"]),
        ("wifi-host", ["companion-wifi host"]),
        ("wifi-unhost", ["companion-wifi unhost"]),
        ("phones-on", ["systemctl restart tabletop-companion-phones.service"]),
        ("phones-off", ["systemctl stop tabletop-companion-phones.service"]),
        ("hall-on", ["systemctl restart tabletop-companion-hall.service"]),
        ("hall-off", ["systemctl stop tabletop-companion-hall.service"]),
        ("format-the-disk", []),
    ],
)
def test_a_request_is_heard_once(root, request_, calls):
    (root.requests / request_).write_text("")
    assert root.run("companion-request") == calls
    assert list(root.requests.iterdir()) == []
    assert root.run("companion-request") == []


def test_a_picture_is_turned_by_so_much_more(root):
    (root.folder / "options").write_text("counters=1\nrotate=\n")
    for more, turned in (("90", "90"), ("270", "0"), ("180", "180")):
        (root.requests / f"turn-{more}").write_text("")
        assert root.run("companion-request") == ["systemctl restart tabletop-companion.service"]
        assert (root.folder / "environment").read_text() == f"COMPANION_ROTATE={turned}\n"
        assert (root.folder / "options").read_text() == f"counters=1\nrotate={turned}\n"


@pytest.mark.parametrize("damaged", ["08", "7", "ninety", ""])
def test_a_picture_is_turned_whatever_was_written_down_before(root, damaged):
    (root.folder / "environment").write_text(f"COMPANION_ROTATE={damaged}\n")
    (root.requests / "turn-90").write_text("")
    root.run("companion-request")
    assert (root.folder / "environment").read_text() == "COMPANION_ROTATE=90\n"


def test_a_password_is_handed_on_and_stays_nowhere(root):
    (root.requests / "wifi-join").write_text("tajne")
    (call,) = root.run("companion-request")
    assert call.startswith(f"companion-wifi join {root.folder}/"), "in memory, where the requests are"
    left = [path for path in root.folder.rglob("*") if path.is_file() and "tajne" in path.read_text()]
    assert left == []


def test_where_the_system_is_only_read_it_is_written_for_the_time_of_a_request(root):
    (root.folder / "only-read").write_text("")
    (root.folder / "environment").write_text("COMPANION_ROTATE=90\n")
    for name in ("turn-90", "wifi-join", "wifi-scan"):
        (root.requests / name).write_text("")
    calls = root.run("companion-request")
    assert [" ".join(call.split()[:3]) for call in calls] == [
        "companion-readonly run sh",
        "systemctl restart tabletop-companion.service",
        "companion-wifi scan",
        "companion-readonly run companion-wifi",
        f"companion-wifi join {calls[-1].split()[-1]}",
    ]
    assert (root.folder / "environment").read_text() == "COMPANION_ROTATE=180\n"


def test_a_link_is_no_request_and_what_is_being_written_is_left_alone(root):
    (root.requests / "power-off").symlink_to("/etc/passwd")
    (root.requests / ".companion-1.part").write_text("")
    assert root.run("companion-request") == []
    assert [path.name for path in root.requests.iterdir()] == [".companion-1.part"]


def test_who_asks_while_another_request_is_done_is_heard_after_it(root):
    (root.requests / "wifi-join").write_text("")
    root.run("companion-request", meanwhile="wifi-scan update")
    assert [path.name for path in root.requests.iterdir()] == ["wifi-scan"], (
        "the path unit sees it, and starts this again"
    )
    assert root.run("companion-request") == ["companion-wifi scan"]
    assert list(root.requests.iterdir()) == []


def test_a_folder_is_no_request_whatever_is_in_it(root):
    (root.requests / "wifi-scan/wifi-join").mkdir(parents=True)
    (root.requests / "wifi-scan/.hidden").write_text("")
    assert root.run("companion-request") == []
    assert list(root.requests.iterdir()) == []


def test_a_stick_is_there_for_the_companion_and_nothing_on_it_can_be_run(root):
    (call,) = [
        call
        for call in root.run("companion-stick", "add", "/dev/sda1", label="../My stick", type="vfat")
        if call.startswith("mount")
    ]
    place = root.sticks / "Mystick-sda1"
    assert call.endswith(f"-- /dev/sda1 {place}")
    for option in ("nosuid", "nodev", "noexec", "uid=companion", "umask=0077"):
        assert option in call
    assert place.is_dir()
    assert any(call.startswith("umount") for call in root.run("companion-stick", "remove", "/dev/sda1"))
    assert not place.exists()


def test_a_file_system_nobody_knows_is_left_alone(root):
    calls = root.run("companion-stick", "add", "/dev/sda1", label="X", type="crypto_LUKS")
    assert not any(call.startswith("mount") for call in calls)
