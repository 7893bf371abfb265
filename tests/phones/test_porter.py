"""What the porter lets in: whose requests it hears, from where, how many, how long; and what its answers say."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path
from typing import Any

import pytest

from companion.core.game import Setup
from companion.porter.limits import ANSWERS_A_MINUTE, CLAIMS_A_MINUTE, DEVICES_EACH, MOST_KNOWN, Rate, Streams
from companion.porter.server import HEADERS_WITHIN, MOST_BODY
from tests.patience import PATIENCE
from tests.phones.live import LOOPBACK, LiveTable

TOKEN = "0123456789abcdef0123456789abcdef"


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveTable]:
    """A table whose porter has its usual limits."""
    table = LiveTable(tmp_path_factory.mktemp("table"), LOOPBACK)
    table.play(Setup("race", ("Zosia", "Krzyś")))
    yield table
    table.close()


class Visitor:
    """Somebody who speaks HTTP."""

    def __init__(self, table: LiveTable, token: str = TOKEN) -> None:
        self.address = (table.side.now.addresses[0], table.side.now.port)
        self.ours = f"{self.address[0]}:{self.address[1]}"
        self.token = token

    def open(self, method: str, path: str, body: bytes | None = None, **headers: str | None) -> HTTPResponse:
        """The answer, still open."""
        connection = HTTPConnection(*self.address, timeout=PATIENCE)
        usual = {"host": self.ours, "cookie": f"phone={self.token}" if self.token else None}
        if method == "POST":
            usual |= {"origin": f"http://{self.ours}", "content-type": "application/json"}
        sent = usual | {name.replace("_", "-"): value for name, value in headers.items()}
        connection.putrequest(method, path, skip_host=True)
        for name, value in {**sent, "connection": "close"}.items():
            if value is not None:
                connection.putheader(name, value)
        if body is not None:
            connection.putheader("content-length", str(len(body)))
        connection.endheaders(body)
        return connection.getresponse()

    def ask(self, method: str, path: str, body: bytes | None = None, **headers: str | None) -> HTTPResponse:
        """The whole answer."""
        response = self.open(method, path, body, **headers)
        response.read()
        return response

    def status(self, method: str, path: str, body: bytes | None = None, **headers: str | None) -> int:
        return self.ask(method, path, body, **headers).status


@pytest.fixture
def visitor(table: LiveTable) -> Visitor:
    return Visitor(table)


CLAIM = b'{"seat":0}'


@pytest.mark.parametrize("host", ["evil.example", "evil.example:80", "127.0.0.1", "localhost:1", ""])
def test_a_name_that_leads_here_is_not_ours(visitor: Visitor, host: str) -> None:
    """DNS rebinding: a page of another site would otherwise speak as our own."""
    assert visitor.status("GET", "/", host=host) == 421
    assert visitor.status("POST", "/claim", CLAIM, host=host, origin=f"http://{host}") == 421


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "null", None, "https://{ours}", "http://{ours}.evil"]
)
def test_a_page_of_another_site_can_say_nothing(visitor: Visitor, origin: str | None) -> None:
    sent = origin and origin.replace("{ours}", visitor.ours)
    assert visitor.status("POST", "/claim", CLAIM, origin=sent) == 403


def test_a_form_of_another_site_can_say_nothing(visitor: Visitor) -> None:
    for kind in ("application/x-www-form-urlencoded", "text/plain", "multipart/form-data", None):
        assert visitor.status("POST", "/claim", CLAIM, content_type=kind) == 403


@pytest.mark.parametrize("token", ["", "short", "G" * 32, TOKEN + "0"])
def test_without_a_token_nothing_is_told_or_taken(table: LiveTable, token: str) -> None:
    visitor = Visitor(table, token)
    assert visitor.status("GET", "/events?language=en") == 403
    assert visitor.status("POST", "/say", b"{}") == 403
    assert visitor.status("GET", "/picture/" + "0" * 24 + ".svg") == 404


def test_a_token_is_given_once_and_only_to_our_own_page(table: LiveTable) -> None:
    new = Visitor(table, "")
    assert new.ask("GET", "/").getheader("set-cookie") is None, "a link elsewhere must not replace a token"
    cookie = new.ask("POST", "/hello", b"{}").getheader("set-cookie") or ""
    assert "HttpOnly" in cookie
    assert "samesite=strict" in cookie.lower()
    assert len(cookie.partition("=")[2].partition(";")[0]) == 32
    assert Visitor(table).ask("POST", "/hello", b"{}").getheader("set-cookie") is None


def test_every_answer_has_the_headers_that_protect_the_page(visitor: Visitor) -> None:
    for path in ("/", "/page/page.js", "/nowhere", "/events?language=xx"):
        response = visitor.ask("GET", path)
        assert (response.getheader("content-security-policy") or "").startswith("default-src 'self'")
        assert response.getheader("x-content-type-options") == "nosniff"
        assert response.getheader("server") is None


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"])
def test_other_methods_are_not_known(visitor: Visitor, method: str) -> None:
    assert visitor.status(method, "/") == 405


@pytest.mark.parametrize(
    "path", ["/page/../link.py", "/page/%2e%2e/link.py", "/page/__init__.py", "/.git", "/docs"]
)
def test_only_the_page_is_served(visitor: Visitor, path: str) -> None:
    assert visitor.status("GET", path) == 404


@pytest.mark.parametrize(
    "body",
    [
        b"", b"[]", b"{", b"null", b'{"kind":"correct"}', b'{"kind":"answer"}', b"\xff", b"[" * 2000,
        b'{"kind":"answer","version":7,"slug":"x","table":false,"option":"y"}',
        b'{"kind":"answer","version":"1","slug":"x","table":false,"option":"y","device":"' + b"0" * 32 + b'","id":-1}',
    ],
)  # fmt: skip
def test_what_is_no_answer_is_refused(table: LiveTable, body: bytes) -> None:
    visitor = Visitor(table, f"{abs(hash(body)) % 10**32:032d}")
    assert visitor.status("POST", "/say", body) in (400, 409)
    assert table.desk.session.entries == 0


def test_a_long_body_is_not_read(visitor: Visitor) -> None:
    assert visitor.status("POST", "/say", b" " * (MOST_BODY + 1)) == 400


def test_too_many_claims_and_answers_must_wait(table: LiveTable) -> None:
    for path, most in (("/claim", CLAIMS_A_MINUTE), ("/say", ANSWERS_A_MINUTE)):
        visitor = Visitor(table, f"{most:032d}")
        body = b'{"kind":"undo","version":"x"}' if path == "/say" else b'{"seat":19}'
        found = [visitor.status("POST", path, body) for _ in range(most + 2)]
        assert found == [409] * most + [429] * 2


def test_new_tokens_do_not_help(table: LiveTable) -> None:
    found = [Visitor(table, f"{n:030d}77").status("POST", "/claim", b'{"seat":19}') for n in range(40)]
    assert found[-1] == 429
    assert found.count(409) <= CLAIMS_A_MINUTE * DEVICES_EACH


def test_one_address_gets_so_many_streams_and_leaves_room_when_it_goes(table: LiveTable) -> None:
    open_ = [Visitor(table, f"{n:032x}").open("GET", "/events?language=en") for n in range(4)]
    assert [stream.status for stream in open_] == [200] * 4
    assert Visitor(table).status("GET", "/events?language=en") == 429
    for stream in open_:
        stream.close()
    table.wait(lambda: table.side.now.guests == 0)
    again = Visitor(table).open("GET", "/events?language=en")
    assert again.status == 200
    assert again.readline() == b"event: edition\n"
    again.close()


@pytest.mark.thorough
def test_who_does_not_finish_is_hung_up_on(visitor: Visitor) -> None:
    begun = (b"", b"GET / HTTP/1.1\r\nHost: x", b"POST /say HTTP/1.1\r\nContent-Length: 9\r\n")
    slow = [socket.create_connection(visitor.address, timeout=PATIENCE) for _ in begun]
    for connection, words in zip(slow, begun, strict=True):
        connection.sendall(words)
    assert [connection.recv(100) for connection in slow] == [b""] * 3
    for connection in slow:
        connection.close()


def test_the_time_for_a_request_is_short() -> None:
    assert HEADERS_WITHIN <= 5


def test_a_rate_counts_a_minute_and_forgets_who_was_not_seen_for_long() -> None:
    rate = Rate(2)
    assert [rate.allows("a", at) for at in (0.0, 1.0, 2.0, 60.5, 61.5)] == [True, True, False, True, True]
    for n in range(MOST_KNOWN + 5):
        assert rate.allows(str(n), 100.0)
    assert len(rate._deeds) == MOST_KNOWN


def test_streams_are_counted_by_address_and_together() -> None:
    streams = Streams(2)
    assert [streams.admits("a") for _ in range(3)] == [True, True, False]
    streams.ended("a")
    assert streams.admits("a")
    assert sum(streams.admits(str(n)) for n in range(100)) == 30


def test_the_porter_has_nothing_of_the_table(tmp_path: Path) -> None:
    """Neither rules nor journal nor pictures are loaded into the process that phones reach."""
    import subprocess
    import sys

    code = "import companion.porter.server, sys, json; print(json.dumps(sorted(sys.modules)))"
    loaded: list[Any] = json.loads(
        subprocess.run([sys.executable, "-c", code], capture_output=True, check=True).stdout
    )
    ours = [name for name in loaded if name.split(".")[0] in ("companion", "vision", "devices", "scoring")]
    assert set(ours) <= {
        "companion",
        "companion.wire",
        *(n for n in ours if n.startswith("companion.porter")),
    }
    assert not {"sqlite3", "numpy", "cv2", "kivy", "gpiozero"} & set(loaded)
