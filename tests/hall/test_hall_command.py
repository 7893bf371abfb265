"""`companion hall` as people type it: bad input, credentials, a real run that ends by a signal."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import stat
import subprocess
import sys
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from companion import cli
from companion.errors import BAD_INPUT, DONE, STORAGE
from companion.hall.credentials import password_line
from tests.hall.mosquitto import Mosquitto
from tests.patience import PATIENCE


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("COMPANION_LANGUAGE", "en")
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["--name", "Big Hall"], "small letters"),
        (["--name", "a/b"], "small letters"),
        (["--broker", "here:there"], "HOST or HOST:PORT"),
        (["--broker", "host:99999"], "HOST or HOST:PORT"),
        (["--broker", "x" * 300], "HOST or HOST:PORT"),
        (["--database", "mysql://x"], "postgresql://"),
        (["--port", "99999"], "A port is a number"),
        (["--port", "-1"], "A port is a number"),
        (["--bind", "not an address"], "cannot be served"),
        (["--bind", "x" * 300], "cannot be served"),
        (["--address", "ftp://x"], "https://hall.example.org"),
        (["--address", "https://x/path"], "https://hall.example.org"),
        (["--address", "https://[x"], "https://hall.example.org"),
        (["--password-file", "nowhere"], "nowhere"),
        (["--ca", "nowhere"], "certificates"),
        (["credentials"], "--table NAME"),
        (["credentials", "--table", "Table 1"], "small letters"),
        (["credentials", "--table", "hall-server"], "small letters"),
        (["credentials", "--table", "a=" + "x" * 50], "small letters"),
        (["credentials", "--table", "a", "--table", "a"], "named twice"),
        (["credentials", "--table", "a", "--ca", "nowhere"], "nowhere"),
    ],
)
def test_bad_input_is_a_sentence(words: list[str], why: str, capsys: pytest.CaptureFixture[str]) -> None:
    for language, said in (("en", why), ("pl", "")):
        assert cli.main(["hall", "--language", language, *words]) == BAD_INPUT
        complaint = capsys.readouterr().err
        assert said in " ".join(complaint.split())
        assert "Traceback" not in complaint
        assert "hall." not in re.sub(r"hall\.example\.org", "", complaint)


def test_a_port_that_is_taken_and_a_database_that_is_away(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        assert cli.main(["hall", "--port", port]) == BAD_INPUT
        assert f"127.0.0.1:{port}" in capsys.readouterr().err
    away = "postgresql://somebody:hidden@127.0.0.1:1/hall?connect_timeout=1"
    assert cli.main(["hall", "--database", away]) == STORAGE
    complaint = capsys.readouterr().err
    assert "cannot be used" in complaint
    assert "hidden" not in complaint
    Path("strange.db").write_bytes(b"SQLite format 3\0" + bytes(5000))
    assert cli.main(["hall", "--database", "strange.db"]) == STORAGE
    assert cli.main(["hall", "--database", "."]) == STORAGE


def test_credentials_are_private_and_never_replaced(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["hall", "credentials", "--out", "out", "--broker", "10.0.0.1"]
    assert cli.main([*words, "--table", "table-1", "--table", "corner=By the window"]) == DONE
    printed = capsys.readouterr().out
    made = {path.name: json.loads(path.read_text()) for path in Path("out").glob("*.hall-table.json")}
    corner = made["corner.hall-table.json"]
    assert (corner["title"], corner["host"], corner["port"], corner["tls"]) == (
        "By the window", "10.0.0.1", 1883, False,
    )  # fmt: skip
    assert made["table-1.hall-table.json"]["title"] == "Table 1"
    assert all(entry["password"] not in printed for entry in made.values())
    assert "unencrypted" in printed
    assert all(stat.S_IMODE(path.stat().st_mode) == 0o600 for path in Path("out").iterdir())
    assert Path("out/corner.svg").exists()
    before = {path.name: path.read_bytes() for path in Path("out").iterdir()}
    assert cli.main([*words, "--table", "table-2", "--table", "corner"]) == BAD_INPUT
    assert {path.name: path.read_bytes() for path in Path("out").iterdir()} == before
    assert cli.main([*words, "--table", "table-2"]) == DONE
    users = [line.partition(":")[0] for line in Path("out/passwords").read_text().splitlines()]
    assert users == ["hall-server", "table-1", "corner", "table-2"]
    settings = Path("out/mosquitto.conf").read_text().splitlines()
    assert {"listener 1883", f"password_file {Path('out/passwords').absolute()}"} <= set(settings)


def test_passwords_are_hashed() -> None:
    line = password_line("table-1", "secret")
    assert line.startswith("table-1:$7$101$")
    assert "secret" not in line


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Callable[..., subprocess.Popen[str]]]:
    started: list[subprocess.Popen[str]] = []

    def start(*words: str) -> subprocess.Popen[str]:
        process = subprocess.Popen(
            [sys.executable, "-m", "companion", "hall", "--port", "0", *words],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, "COLUMNS": "200", "PYTHONUNBUFFERED": "1"},
        )
        started.append(process)
        return process

    yield start
    for process in started:
        process.kill()
        process.communicate()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_it_serves_until_a_signal_and_ends_well(
    start: Callable[..., subprocess.Popen[str]], mosquitto: Mosquitto, tmp_path: Path, number: signal.Signals
) -> None:
    process = start("--broker", f"127.0.0.1:{mosquitto.port}")
    assert process.stdout is not None
    printed = [process.stdout.readline() for _ in range(4)]
    address = re.search(r"http://\S+/", printed[0])
    assert address is not None
    assert "Only this machine" in printed[1]
    assert re.search(r"[a-z0-9]{4}(-[a-z0-9]{4}){3}", printed[3])
    with urllib.request.urlopen(address[0], timeout=PATIENCE) as page:
        assert b"/page/board.js" in page.read()
    stream = urllib.request.urlopen(f"{address[0]}events", timeout=PATIENCE)
    assert stream.readline() == b"event: whole\n"
    process.send_signal(number)
    assert process.wait(PATIENCE) == DONE
    stream.close()
    assert process.stderr is not None
    assert process.stderr.read() == ""
    assert (tmp_path / "home" / "hall.db").exists()
    assert not (tmp_path / "home" / "journal.db").exists()
