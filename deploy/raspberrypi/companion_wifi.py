#!/usr/bin/python3 -I
"""companion-wifi: root's side of what the touchscreen asks about Wi-Fi.

    companion-wifi scan           which networks there are, for the touchscreen
    companion-wifi host           make a network of our own, for phones where there is no other
    companion-wifi unhost         end it; the networks that are kept are joined again
    companion-wifi join REQUEST   join the network a request names; the request is a file, deleted before anything else

NetworkManager does the work (`nmcli`). A request is JSON with `network` and `password` and nothing else. Both are data:
they become values of a file that only root can read, never words of a command, and no password is ever printed.

Exit codes: 0 told (well or not: the touchscreen reads it), 2 not understood.
"""

from __future__ import annotations

import json
import os
import re
import secrets
import shutil
import stat
import subprocess
import sys
import time
import uuid
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

PREFIX = Path(os.environ.get("COMPANION_PREFIX", "/"))
"""Everything is below this folder: the whole machine, or a test's."""
STATUS = PREFIX / "run/tabletop-companion/status/wifi.json"
HOSTED = PREFIX / "run/tabletop-companion/status/hosted.json"
"""The name and password of our own network, for the companion alone: it shows them as a code."""
KEPT = PREFIX / "etc/NetworkManager/system-connections"
OWN = "tabletop-companion-own.nmconnection"

MOST_BYTES = 1000
"""No request is longer."""
MOST_NETWORKS = 40
PATIENCE = "45"
"""Seconds for joining: an address is waited for, too."""
LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
"""Of a password that people may have to type: none looks like another."""
OURS = uuid.UUID("6d4c53c4-5f5f-4f0b-9d0c-2f8a6f2a41d7")
"""Of this and a network's name its number is made: joining it again replaces what was kept of it."""


class Network(NamedTuple):
    """A network as `nmcli` sees it."""

    name: str
    strength: int
    security: str
    here: bool

    @property
    def suits(self) -> bool:
        """Whether a password is all it can ask for."""
        return "802.1X" not in self.security and "WEP" not in self.security

    @property
    def keys(self) -> str:
        """How it is locked, in the words of a connection file; empty if it is not."""
        if "WPA" not in self.security:
            return ""
        return "sae" if self.security.split() == ["WPA3"] else "wpa-psk"


class Trouble(Exception):
    """A reason to stop, by the word the touchscreen knows it by."""


def tell(state: str, networks: list[Network] | None = None, network: str = "") -> None:
    """Tell the touchscreen; the moment makes the same news twice two."""
    told = {"state": state, "network": network, "at": time.time_ns()}
    if networks is not None:
        told["networks"] = [
            {"name": n.name, "strength": n.strength, "locked": bool(n.security), "here": n.here}
            for n in networks
        ]
    STATUS.parent.mkdir(parents=True, exist_ok=True)
    fresh = STATUS.with_suffix(".new")
    fresh.write_text(json.dumps(told))
    fresh.chmod(0o644)
    fresh.replace(STATUS)


def nmcli(*words: str) -> subprocess.CompletedProcess[str]:
    """Ask NetworkManager, in a language whose answers are known here."""
    try:
        return subprocess.run(
            ["nmcli", *words],
            env={**os.environ, "LC_ALL": "C"},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
        )
    except FileNotFoundError:
        raise Trouble("no-wifi") from None


def fields(line: str) -> list[str]:
    """What stands between colons; one that belongs to a name has a backslash before it."""
    parts = re.findall(r"(?:\\.|[^:\\])*(?::|$)", line)
    return [re.sub(r"\\(.)", r"\1", part.removesuffix(":")) for part in parts]


def networks(rescan: str) -> list[Network]:
    """Every network once, the strongest first, where we are before all."""
    if not any(
        line.endswith(":wifi") for line in nmcli("-t", "-f", "DEVICE,TYPE", "device").stdout.split("\n")
    ):
        raise Trouble("no-wifi")
    nmcli("radio", "wifi", "on")
    listed = nmcli(
        *(
            "-t",
            "-e",
            "yes",
            "-f",
            "IN-USE,SIGNAL,SECURITY,SSID",
            "device",
            "wifi",
            "list",
            "--rescan",
            rescan,
        )
    )
    found: dict[str, Network] = {}
    for line in listed.stdout.splitlines():
        used, signal, security, name, *_ = [*fields(line), "", "", "", ""]
        if is_name(name) and signal.isdecimal():
            network = Network(name, int(signal), security.replace("--", ""), used == "*")
            before = found.get(name, network)
            found[name] = max(before, network, key=lambda n: (n.here, n.strength))
    return sorted(found.values(), key=lambda n: (not n.here, -n.strength, n.name))[:MOST_NETWORKS]


def is_name(name: object) -> bool:
    """Whether a network can be called so, and people can read it."""
    return isinstance(name, str) and name.isprintable() and 0 < len(name.encode("utf-8", "replace")) <= 32


def is_password(password: object) -> bool:
    """Whether it can be a password of Wi-Fi; none is one, for networks without."""
    return isinstance(password, str) and (not password or bool(re.fullmatch(r"[ -~]{8,63}", password)))


def read_request(path: Path) -> tuple[str, str]:
    """The network and the password somebody asks for; the file is gone then, whatever it was."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    finally:
        path.unlink(missing_ok=True)
    with open(descriptor, "rb") as file:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise Trouble("failed")
        asked = file.read(MOST_BYTES + 1)
    try:
        told = json.loads(asked) if len(asked) <= MOST_BYTES else None
    except ValueError:
        told = None
    if not isinstance(told, dict) or set(told) != {"network", "password"}:
        raise Trouble("failed")
    network, password = told["network"], told["password"]
    if not is_name(network) or not is_password(password):
        raise Trouble("failed")
    return network, password


def connection(network: Network, password: str, number: uuid.UUID) -> str:
    """What NetworkManager is to keep of a network. Its name goes in as bytes: it may be made of anything."""
    name = "".join(f"{byte};" for byte in network.name.encode())
    text = f"[connection]\nid=tabletop-companion {number}\nuuid={number}\ntype=wifi\n"
    text += f"\n[wifi]\nmode=infrastructure\nssid={name}\n"
    if network.keys:
        secret = password.replace("\\", "\\\\").replace(" ", "\\s")
        text += f"\n[wifi-security]\nkey-mgmt={network.keys}\npsk={secret}\n"
    return text + "\n[ipv4]\nmethod=auto\n\n[ipv6]\nmethod=auto\n"


def write_private(path: Path, data: bytes) -> None:
    """A file that never was readable for anybody but root, there whole or not at all."""
    fresh = path.with_name(f".{path.name}.new")
    fresh.unlink(missing_ok=True)
    with open(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600), "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    fresh.replace(path)


def join(name: str, password: str) -> str:
    """Join a network and keep it; how that went. What was kept of it before comes back if it fails."""
    network = next((n for n in networks("auto") if n.name == name), None)
    if network is None:
        return "not-there"
    if not network.suits:
        return "unsuited"
    if network.keys and not password:
        return "wrong-password"
    number = uuid.uuid5(OURS, name)
    path = KEPT / f"tabletop-companion-{number}.nmconnection"
    KEPT.mkdir(parents=True, exist_ok=True)
    before = path.read_bytes() if path.exists() else None
    write_private(path, connection(network, password, number).encode())
    nmcli("connection", "load", str(path))
    done = nmcli("--wait", PATIENCE, "connection", "up", "uuid", str(number))
    if done.returncode == 0:
        return "joined"
    if before is None:
        # NetworkManager is not told to delete it: where the system is only read it may not, and would hide this network
        # until the next start instead, whatever is kept of it later.
        path.unlink(missing_ok=True)
        nmcli("connection", "reload")
    else:
        write_private(path, before)
        nmcli("connection", "load", str(path))
    return "wrong-password" if "ecrets were required" in done.stderr else "failed"


def own_connection(name: str, password: str, number: uuid.UUID) -> str:
    """An access point that hands out addresses, and is never joined on its own."""
    ssid = "".join(f"{byte};" for byte in name.encode())
    return (
        f"[connection]\nid=tabletop-companion own\nuuid={number}\ntype=wifi\nautoconnect=false\n"
        f"\n[wifi]\nmode=ap\nband=bg\nssid={ssid}\n"
        f"\n[wifi-security]\nkey-mgmt=wpa-psk\nproto=rsn;\npairwise=ccmp;\npsk={password}\n"
        "\n[ipv4]\nmethod=shared\naddress1=10.42.0.1/24\n\n[ipv6]\nmethod=disabled\n"
    )


def host() -> tuple[str, str]:
    """Make a network of our own, the same one each time; how that went, and its name."""
    networks("no")  # raises without Wi-Fi
    path, number = KEPT / OWN, uuid.uuid5(OURS, "own")
    KEPT.mkdir(parents=True, exist_ok=True)
    known = re.search(r"^psk=(.*)$", path.read_text(), re.M) if path.exists() else None
    name = f"table-{number.hex[:4]}"
    password = known[1] if known else "".join(secrets.choice(LETTERS) for _ in range(10))
    write_private(path, own_connection(name, password, number).encode())
    nmcli("connection", "load", str(path))
    if nmcli("--wait", PATIENCE, "connection", "up", "uuid", str(number)).returncode:
        return "failed", name
    HOSTED.parent.mkdir(parents=True, exist_ok=True)
    write_private(HOSTED, json.dumps({"network": name, "password": password}).encode())
    with suppress(LookupError, OSError):
        shutil.chown(HOSTED, group="companion")
        HOSTED.chmod(0o640)
    return "hosting", name


def unhost() -> str:
    """End our own network; NetworkManager joins a kept one again."""
    HOSTED.unlink(missing_ok=True)
    nmcli("connection", "down", "uuid", str(uuid.uuid5(OURS, "own")))
    return "unhosted"


def main(words: list[str]) -> int:
    """Do what was asked for, and tell the touchscreen."""
    name = ""
    try:
        match words:
            case ["scan"]:
                tell("listed", networks("yes"))
            case ["host"]:
                state, name = host()
                tell(state, network=name)
            case ["unhost"]:
                tell(unhost())
            case ["join", request]:
                name, password = read_request(Path(request))
                state = join(name, password)
                tell(state, networks("no"), name)
            case _:
                print((__doc__ or "").strip())
                return 0 if words == ["--help"] else 2
    except Trouble as trouble:
        tell(str(trouble), network=name)
    except OSError as e:
        print(f"It failed: {e.strerror}.")
        with suppress(OSError):
            tell("failed", network=name)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
