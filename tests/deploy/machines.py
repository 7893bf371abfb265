"""A Raspberry Pi made of files: a folder is its root, and fake programs only record their arguments."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

RASPBERRY = Path(__file__).resolve().parents[2] / "deploy/raspberrypi"

FAKE = """#!/bin/sh
echo "${0##*/} $*" >>"$CALLS"
case "${0##*/} $*" in
%s
esac
"""

ANSWERS = {
    "id": '*) echo "${FAKE_UID:-0}" ;;',
    "uname": '*) echo "${FAKE_MACHINE:-aarch64}" ;;',
    "dpkg": '*print*) echo "${FAKE_PACKAGES:-arm64}" ;;',
    "dpkg-query": '*) if [ -n "$FAKE_INSTALLED" ]; then echo "install ok installed"; else exit 1; fi ;;',
    "apt-get": """*" update") exit "${FAKE_UPDATE:-0}" ;;
*" install "*"$FAKE_MISSING"*) if [ -n "$FAKE_MISSING" ]; then exit 100; fi ;;""",
    "apt-cache": '*) [ -n "$FAKE_POOR" ] || echo Package ;;',
    "getent": '*) [ -n "$FAKE_USERS" ] ;;',
    "df": '*) printf "File system\\n/dev/mmcblk0p2 30000000 1 %s 1%% /\\n" "${FAKE_FREE:-20000000}" ;;',
    "systemctl": """*get-default*) echo graphical.target ;;
*enable\\ tabletop*) exit "${FAKE_ENABLE:-0}" ;;""",
    "python3": """*companion_update*)
    [ "${FAKE_PROGRAM:-0}" -eq 0 ] || exit "$FAKE_PROGRAM"
    mkdir -p "$COMPANION_PREFIX/opt/tabletop-companion/versions/1"
    ln -sfn versions/1 "$COMPANION_PREFIX/opt/tabletop-companion/current" ;;""",
    **dict.fromkeys(
        ("groupadd", "useradd", "usermod", "userdel", "udevadm", "systemd-tmpfiles", "reboot", "chown"),
        "*) ;;",
    ),
}

CONFIG = (
    "# For more options see rptl.io/configtxt\ndtparam=audio=on\ndtoverlay=vc4-kms-v3d\n[cm4]\notg_mode=1\n"
)
CMDLINE = "console=serial0,115200 console=tty1 root=PARTUUID=1-02 rootfstype=ext4 rootwait\n"


class FakeMachine:
    """One Pi; `install` runs the installer on it, `calls` is what its programs were told."""

    def __init__(self, folder: Path) -> None:
        self.root, self._bin, self._calls = folder / "root", folder / "bin", folder / "calls"
        for path, text in {
            "etc/os-release": "ID=debian\nVERSION_CODENAME=bookworm\n",
            "proc/device-tree/model": "Raspberry Pi 5 Model B Rev 1.0\0",
            "proc/meminfo": "MemTotal:        4045268 kB\n",
            "sys/class/drm/card1-DSI-1/status": "connected\n",
            "dev/video0": "",
            "boot/firmware/config.txt": CONFIG,
            "boot/firmware/cmdline.txt": CMDLINE,
        }.items():
            self.write(path, text)
        self._bin.mkdir()
        for name, answers in ANSWERS.items():
            self.fake(name, answers)
        # The real one, but a test may not give files away.
        self.fake(
            "install", '*) set -- "$@"; exec /usr/bin/install $(echo "$*" | sed "s/-[og] companion//g") ;;'
        )

    def fake(self, name: str, answers: str) -> None:
        """Let a program answer like this."""
        path = self._bin / name
        path.write_text(FAKE % answers)
        path.chmod(0o755)

    def write(self, path: str, text: str) -> Path:
        """A file of this machine."""
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        return file

    def read(self, path: str) -> str:
        """What is in one of its files."""
        return (self.root / path).read_text()

    def files(self) -> dict[str, str]:
        """Everything on it."""
        return {
            str(p.relative_to(self.root)): p.read_text(errors="replace")
            for p in self.root.rglob("*")
            if p.is_file()
        }

    def install(self, *options: str, **fakes: str) -> subprocess.CompletedProcess[str]:
        """Run the installer; `fakes` are how this machine is special."""
        self._calls.write_text("")
        return subprocess.run(
            ["sh", str(RASPBERRY / "install.sh"), *options],
            env={
                "PATH": f"{self._bin}:{os.environ['PATH']}",
                "COMPANION_PREFIX": str(self.root),
                "CALLS": str(self._calls),
                **{f"FAKE_{name.upper()}": value for name, value in fakes.items()},
            },
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )

    @property
    def calls(self) -> list[str]:
        """What its programs were told since the installer was last started."""
        return self._calls.read_text().splitlines()

    def called(self, words: str) -> bool:
        """Whether a program was told these words."""
        return any(words in call for call in self.calls)
