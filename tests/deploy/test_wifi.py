"""Root's side of Wi-Fi: what it accepts from the touchscreen, what it sends to NetworkManager, what it reports back."""

import json
import os
import subprocess
import sys

import pytest

from tests.deploy.machines import FAKE, RASPBERRY

LISTED = r"""*:88:WPA2:Pod D\:bem 7
 :91:WPA2 WPA3:Nowa
 :40:WPA2:Nowa
 :64::Kawiarnia
 :70:WPA3:Twierdza
 :55:WPA2 802.1X:Uczelnia
 :33:WEP:Stara
 :20:WPA2:
 :10:WPA2:$(reboot); 'x' "y" \\z
"""
ODD = "$(reboot); 'x' \"y\" \\z"

NMCLI = """*"device wifi list"*) cat "$LISTED" ;;
*"DEVICE,TYPE device"*) [ -n "$FAKE_NO_RADIO" ] || echo wlan0:wifi; echo eth0:ethernet ;;
*"connection up"*)
    cp "$COMPANION_PREFIX"/etc/NetworkManager/system-connections/* "$SEEN/" 2>/dev/null
    if [ -n "$FAKE_ERROR" ]; then echo "$FAKE_ERROR" >&2; exit 4; fi ;;"""


class Machine:
    """A machine with a NetworkManager that only records its commands."""

    def __init__(self, folder):
        self.folder = folder
        self.kept = folder / "root/etc/NetworkManager/system-connections"
        for name in ("bin", "seen", "root"):
            (folder / name).mkdir()
        (folder / "listed").write_text(LISTED)
        program = folder / "bin/nmcli"
        program.write_text(FAKE % NMCLI)
        program.chmod(0o755)

    def run(self, *words, **fakes):
        (self.folder / "calls").write_text("")
        done = subprocess.run(
            [sys.executable, str(RASPBERRY / "companion_wifi.py"), *words],
            env={
                "PATH": f"{self.folder / 'bin'}:/usr/bin:/bin",
                "COMPANION_PREFIX": str(self.folder / "root"),
                "CALLS": str(self.folder / "calls"),
                "LISTED": str(self.folder / "listed"),
                "SEEN": str(self.folder / "seen"),
                **{f"FAKE_{name.upper()}": value for name, value in fakes.items()},
            },
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        self.said = done.stdout + done.stderr + (self.folder / "calls").read_text()
        return json.loads((self.folder / "root/run/tabletop-companion/status/wifi.json").read_text())

    def join(self, request, **fakes):
        path = self.folder / "request"
        path.write_bytes(request if isinstance(request, bytes) else json.dumps(request).encode())
        told = self.run("join", str(path), **fakes)
        assert not path.exists(), "a password stays nowhere"
        return told["state"]

    def calls(self, words):
        return [call for call in (self.folder / "calls").read_text().splitlines() if words in call]


@pytest.fixture
def machine(tmp_path):
    return Machine(tmp_path)


def asked(network, password="dobre haslo"):
    return {"network": network, "password": password}


def test_networks_are_told_once_each_the_strongest_first(machine):
    told = machine.run("scan")
    assert told["state"] == "listed"
    assert [(n["name"], n["strength"], n["locked"], n["here"]) for n in told["networks"]] == [
        ("Pod D:bem 7", 88, True, True),
        ("Nowa", 91, True, False),
        ("Twierdza", 70, True, False),
        ("Kawiarnia", 64, False, False),
        ("Uczelnia", 55, True, False),
        ("Stara", 33, True, False),
        (ODD, 10, True, False),
    ]
    assert machine.calls("radio wifi on"), "on a new system it may be switched off"


def test_a_machine_without_wifi_says_so(machine):
    assert machine.run("scan", no_radio="1")["state"] == "no-wifi"
    (machine.folder / "bin/nmcli").unlink()
    assert machine.run("scan")["state"] == "no-wifi"


def test_a_network_is_joined_and_kept_where_only_root_reads(machine):
    assert machine.join(asked("Nowa", "tajne  \\x;=")) == "joined"
    (kept,) = machine.kept.iterdir()
    assert kept.stat().st_mode & 0o777 == 0o600
    text = kept.read_text()
    assert f"ssid={''.join(f'{byte};' for byte in b'Nowa')}\n" in text
    assert "key-mgmt=wpa-psk\npsk=tajne\\s\\s\\\\x;=\n" in text
    assert "tajne" not in machine.said
    assert (machine.calls("connection load"), machine.calls("connection up uuid")) != ([], [])


def test_how_a_network_is_locked(machine):
    assert machine.join(asked("Twierdza")) == "joined"
    assert "key-mgmt=sae\n" in next(machine.kept.iterdir()).read_text()
    for path in machine.kept.iterdir():
        path.unlink()
    assert machine.join(asked("Kawiarnia", "")) == "joined"
    assert "security" not in next(machine.kept.iterdir()).read_text()


@pytest.mark.parametrize("network", ["Uczelnia", "Stara"])
def test_networks_that_want_more_than_a_password(machine, network):
    assert machine.join(asked(network)) == "unsuited"
    assert not machine.calls("connection")


def test_a_name_is_data_whatever_it_is(machine):
    assert machine.join(asked(ODD)) == "joined"
    assert "reboot" not in "".join(machine.calls("connection"))
    text = next(machine.kept.iterdir()).read_text()
    assert "reboot" not in text
    assert f"ssid={''.join(f'{byte};' for byte in ODD.encode())}\n" in text


@pytest.mark.parametrize(
    ("error", "state"),
    [
        (
            "Error: Connection activation failed: (7) Secrets were required, but not provided.",
            "wrong-password",
        ),
        ("Error: Connection activation failed: (5) IP configuration could not be reserved", "failed"),
    ],
)
def test_what_did_not_work_is_told_and_not_kept(machine, error, state):
    assert machine.join(asked("Nowa"), error=error) == state
    assert list(machine.kept.iterdir()) == []
    assert machine.calls("connection reload")
    assert not machine.calls("connection delete"), (
        "where it may not, NetworkManager hides the network until the next start"
    )


def test_a_wrong_password_does_not_cost_the_right_one(machine):
    assert machine.join(asked("Nowa", "dobre-haslo")) == "joined"
    assert machine.join(asked("Nowa", "inne-haslo"), error="Secrets were required") == "wrong-password"
    (kept,) = machine.kept.iterdir()
    assert "psk=dobre-haslo\n" in kept.read_text()
    assert kept.stat().st_mode & 0o777 == 0o600
    assert not machine.calls("connection delete")


def test_a_locked_network_without_a_password(machine):
    assert machine.join(asked("Nowa", "")) == "wrong-password"
    assert not machine.calls("connection")


def test_a_network_that_went_away(machine):
    assert machine.join(asked("Dawna")) == "not-there"


@pytest.mark.parametrize(
    "request_",
    [
        b"",
        b"Nowa\ntajnehaslo\n",
        b"[]",
        b"\xff\xfe",
        {"network": "Nowa"},
        {"network": "Nowa", "password": "dobrehaslo", "more": 1},
        {"network": "Nowa", "password": "short"},
        {"network": "Nowa", "password": "x" * 64},
        {"network": "Nowa", "password": "zażółć gęślą"},
        {"network": "Nowa", "password": "dobre\nhaslo"},
        {"network": "Nowa\npsk=x", "password": "dobrehaslo"},
        {"network": "x" * 33, "password": "dobrehaslo"},
        {"network": "", "password": "dobrehaslo"},
        {"network": ["Nowa"], "password": "dobrehaslo"},
        {"network": "Nowa", "password": 12345678},
        b'{"network": "\\ud800", "password": "dobrehaslo"}',
        b'{"network": "Nowa", "password": "dobrehaslo"' + b" " * 2000 + b"}",
    ],
)
def test_anything_of_another_shape_is_refused(machine, request_):
    assert machine.join(request_) == "failed"
    assert not machine.calls("")


def test_a_link_leads_nowhere(machine):
    secret = machine.folder / "secret"
    secret.write_text(json.dumps(asked("Nowa")))
    (machine.folder / "request").symlink_to(secret)
    assert machine.run("join", str(machine.folder / "request"))["state"] == "failed"
    assert not os.path.lexists(machine.folder / "request")
    assert secret.exists()


def test_a_pipe_keeps_nobody_waiting(machine):
    os.mkfifo(machine.folder / "request")
    assert machine.run("join", str(machine.folder / "request"))["state"] == "failed"


# A network of our own


def test_our_own_network_is_an_access_point_that_only_root_and_the_companion_know(machine):
    told = machine.run("host")
    assert told["state"] == "hosting"
    (kept,) = machine.kept.iterdir()
    assert kept.stat().st_mode & 0o777 == 0o600
    text = kept.read_text()
    for line in ("mode=ap", "method=shared", "autoconnect=false", "key-mgmt=wpa-psk", "proto=rsn;"):
        assert f"\n{line}\n" in text
    hosted = machine.folder / "root/run/tabletop-companion/status/hosted.json"
    own = json.loads(hosted.read_text())
    assert hosted.stat().st_mode & 0o007 == 0
    assert f"psk={own['password']}\n" in text
    assert len(own["password"]) == 10
    assert own["password"] not in machine.said
    machine.run("host")
    assert json.loads(hosted.read_text()) == own, "phones that know it come back"
    assert machine.run("unhost")["state"] == "unhosted"
    assert not hosted.exists()
    assert machine.calls("connection down uuid")


def test_an_own_network_that_does_not_come_up_is_told(machine):
    assert machine.run("host", error="no such mode")["state"] == "failed"
    assert not (machine.folder / "root/run/tabletop-companion/status/hosted.json").exists()
    assert machine.run("host", no_radio="1")["state"] == "no-wifi"
