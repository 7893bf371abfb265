"""The example of a broker's configuration, with a real Mosquitto: a table can speak only for itself."""

import shutil
import socket
import ssl
import subprocess
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from msgspec.structs import replace

from companion.hall.credentials import access_rules
from companion.hall_messages import TableCredentials, table_topic
from tests.hall.live import Listener, PublishingTable
from tests.hall.mosquitto import MOSQUITTO, REASON, Mosquitto, free_port
from tests.patience import PATIENCE

EXAMPLE = Path(__file__).parents[2] / "deploy/hall"
PASSWORD = "a-password-of-this-test"


def certify(folder: Path, name: str, *more: str) -> tuple[str, str]:
    """A certificate for this name and its key, by the authority of this folder."""
    made = ("openssl", "req", "-new", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes")
    written = ("-keyout", str(folder / f"{name}.key"), "-out", str(folder / f"{name}.crt"))
    authority = ("-CA", str(folder / "ca.crt"), "-CAkey", str(folder / "ca.key")) if name != "ca" else ()
    subprocess.run(
        (*made, "-x509", *authority, "-days", "2", "-subj", f"/CN={name}", *more, *written),
        check=True,
        capture_output=True,
    )
    return (folder / f"{name}.crt").read_text(), (folder / f"{name}.key").read_text()


class ExampleBroker(Mosquitto):
    """A Mosquitto as the example says, but for its ports and folders."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.by_password = free_port()
        certify(folder, "ca", "-addext", "keyUsage=critical,keyCertSign")
        certify(folder, "broker", "-addext", "subjectAltName=IP:127.0.0.1")
        (folder / "access-rules").write_bytes(access_rules())
        for user in ("hall-server", "table-7", "table-8"):
            create = () if (folder / "passwords").exists() else ("-c",)
            words = ("mosquitto_passwd", *create, "-b", str(folder / "passwords"), user, PASSWORD)
            subprocess.run(words, check=True, capture_output=True)

    def listeners(self) -> list[str]:
        text = (EXAMPLE / "mosquitto.conf").read_text().replace("/etc/mosquitto/hall", str(self.folder))
        text = text.replace("listener 8883", f"listener {self.port} 127.0.0.1")
        text = text.replace("listener 8884", f"listener {self.by_password} 127.0.0.1")
        return [line for line in text.splitlines() if not line.startswith("max_queued_messages")]

    @property
    def ca(self) -> str:
        return (self.folder / "ca.crt").read_text()

    def listener(self, user: str, topic: str = "hall/#") -> Listener:
        """Somebody who comes with a password."""
        context = ssl.create_default_context(cadata=self.ca)
        how = {"username_pw_set": (user, PASSWORD), "tls_set_context": (context,)}
        return Listener(self.by_password, topic, **how)


@pytest.fixture
def example(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ExampleBroker]:
    if MOSQUITTO is None:
        pytest.skip(REASON)
    if shutil.which("openssl") is None:
        pytest.skip("certificates are made with openssl, which is not installed")
    monkeypatch.setattr("companion.table.child_process.FIRST", 0.1)
    folder = tmp_path / "broker"
    folder.mkdir()
    example = ExampleBroker(folder)
    example.start()
    yield example
    example.kill()


def own_credentials(example: ExampleBroker, by: str) -> TableCredentials:
    if by == "certificate":
        certificate, key = certify(example.folder, "table-7")
        return TableCredentials(
            "expo", "Table 7", "127.0.0.1", example.port, "table-7", ca=example.ca, certificate=certificate, key=key
        )  # fmt: skip
    return TableCredentials(
        "expo", "Table 7", "127.0.0.1", example.by_password, "table-7", password=PASSWORD, ca=example.ca
    )


@pytest.mark.parametrize("by", ["certificate", "password"])
def test_a_table_proves_itself_and_is_heard(example: ExampleBroker, tmp_path: Path, by: str) -> None:
    hall = example.listener("hall-server")
    folder = tmp_path / "table"
    folder.mkdir()
    table = PublishingTable(folder, own_credentials(example, by))
    table.play()
    hall.wait(lambda _: (1, 0) in hall.events and hall.last("/state"))
    hall.say(table_topic("expo", "table-7", "call"), b'{"id":"c","kind":"judge-comes"}')
    table.wait(lambda: table.side.now.calls)
    table.close()
    hall.stop()


def test_a_table_writes_only_its_own_topics_and_reads_no_results(example: ExampleBroker) -> None:
    hall = example.listener("hall-server")
    table = example.listener("table-7")
    for topic in (
        table_topic("expo", "table-8", "state"),
        table_topic("expo", "table-8", "result/1"),
        table_topic("expo", "table-8", "call"),
        "hall/expo/day",
        "hall/expo",
        "homeassistant/device/table-8/config",
    ):
        table.say(topic, b"forged", retain=True)
    table.say(table_topic("expo", "table-7", "state"), b"own")
    hall.wait(lambda all: all)
    assert hall.messages == [("hall/expo/table/table-7/state", b"own")]
    other = example.listener("table-8", "#")
    hall.say(table_topic("expo", "table-7", "result/1"), b"secret", retain=True)
    hall.say(table_topic("expo", "table-7", "call"), b"secret")
    hall.say(table_topic("expo", "table-8", "call"), b"mine")
    other.wait(lambda all: all)
    assert other.messages == [("hall/expo/table/table-8/call", b"mine")]
    for one in (hall, table, other):
        one.stop()


@pytest.mark.parametrize("wrong", ["anonymous", "password", "no certificate", "another authority"])
def test_nobody_comes_in_without_proof(example: ExampleBroker, tmp_path: Path, wrong: str) -> None:
    right = own_credentials(example, "password")
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    certify(elsewhere, "ca", "-addext", "keyUsage=critical,keyCertSign")
    forged = certify(elsewhere, "table-7")
    given = {
        "anonymous": replace(right, port=example.by_password, certificate="", key="", password=""),
        "password": replace(right, port=example.by_password, certificate="", key="", password="guessed"),
        "no certificate": replace(right, port=example.port, certificate="", key="", password=PASSWORD),
        "another authority": replace(
            right, port=example.port, certificate=forged[0], key=forged[1], password=""
        ),
    }[wrong]
    folder = tmp_path / "table"
    folder.mkdir()
    table = PublishingTable(folder, given)
    table.wait(lambda: table.side.now.trouble)
    assert not table.side.now.connected
    table.close()


def test_a_table_talks_to_no_broker_of_another_authority(example: ExampleBroker, tmp_path: Path) -> None:
    elsewhere, folder = tmp_path / "elsewhere", tmp_path / "table"
    elsewhere.mkdir()
    folder.mkdir()
    ca, _ = certify(elsewhere, "ca", "-addext", "keyUsage=critical,keyCertSign")
    table = PublishingTable(folder, replace(own_credentials(example, "password"), ca=ca))
    table.wait(lambda: "certificate" in table.side.now.trouble.lower())
    table.close()


def test_the_example_has_no_anonymous_listener_and_none_without_tls() -> None:
    lines = (EXAMPLE / "mosquitto.conf").read_text().splitlines()
    assert "allow_anonymous false" in lines
    assert sum(line.startswith("listener ") for line in lines) == sum(
        line.startswith("certfile ") for line in lines
    )
    rules = access_rules().decode()
    assert "%c" not in "".join(line for line in rules.splitlines() if not line.startswith("#"))


def test_the_broker_listens_only_where_it_should(example: ExampleBroker) -> None:
    for port in (example.port, example.by_password):
        plain = socket.create_connection(("127.0.0.1", port), PATIENCE)
        plain.sendall(b"\x10\x10\x00\x04MQTT\x04\x02\x00\x00\x00\x04nobo")
        with suppress(ConnectionError):
            assert plain.recv(4)[:1] != b"\x20", "an MQTT connection without TLS"
        plain.close()
