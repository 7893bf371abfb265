"""Phones: random requests to the porter, random lines at the app's socket, races of answers.

    .venv/bin/python benchmarks/phones_fuzz.py
    .venv/bin/python benchmarks/phones_fuzz.py --requests 1000000 --lines 1000000 --races 10000

Everything is on loopback.
"""

from __future__ import annotations

import argparse
import os
import random
import socket
import sys
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
if __name__ == "__main__":
    sys.path[0] = str(ROOT)  # run as a script, files beside this one would hide packages of the same name

from benchmarks.phones import NAMES, folder, resident  # noqa: E402
from benchmarks.report import reported  # noqa: E402
from companion.core.entries import Undone  # noqa: E402
from companion.core.game import Setup  # noqa: E402
from companion.core.questions import Answer  # noqa: E402
from companion.wire import (  # noqa: E402
    MoreOptions,
    PhoneAnswer,
    PhoneEntry,
    PhoneHelp,
    PhoneShare,
    PhoneSteps,
    PhoneUndo,
    SeatClaim,
    WireHello,
    packed,
)
from tests.phones.live import LiveTable  # noqa: E402
from tests.phones.wired import KRZYS, ZOSIA, WiredTable  # noqa: E402


def random_requests(many: int) -> None:
    """Random and damaged requests, several to a connection."""
    with folder() as at:
        table = LiveTable(at)
        table.play(Setup("race", NAMES[:4]))
        assert table.porter.child is not None
        pid, host, port = table.porter.child.pid, table.side.now.addresses[0], table.side.now.port
        dice, sent, began = random.Random(1), 0, time.perf_counter()
        first = 0.0
        while sent < many:
            connection = socket.create_connection((host, port))
            connection.settimeout(10)
            with suppress(OSError):
                for _ in range(dice.randint(1, 60)):
                    connection.sendall(_request(dice, f"{host}:{port}"))
                    sent += 1
                connection.shutdown(socket.SHUT_WR)
                while connection.recv(1 << 16):
                    pass
            connection.close()
            if not first and sent > many / 10:
                first = resident(pid)
        took = time.perf_counter() - began
        assert table.porter.child.poll() is None, "the porter fell"
        print(
            f"{sent} random requests in {took:.0f} s: the porter stands; {first:.0f} MB after a tenth, "
            f"{resident(pid):.0f} MB at the end; entries in the play: {table.desk.session.entries}"
        )
        table.close()


PATHS = (
    "/",
    "/say",
    "/look",
    "/claim",
    "/hello",
    "/page/page.js",
    "/picture/" + "0" * 24 + ".svg",
    "/..",
    "/\xff",
    "*",
)


def _request(dice: random.Random, ours: str) -> bytes:
    method = dice.choice(("GET", "POST", "POST", "HEAD", "PUT", "\x00"))
    body = _damaged(
        dice, b'{"kind":"answer","version":"x-1","slug":"race.action","table":false,"option":"settle"}'
    )
    lines = [
        f"{method} {dice.choice(PATHS)} HTTP/1.{dice.choice('1110')}",
        f"Host: {ours if dice.random() < 0.9 else 'x'}",
        f"Origin: http://{ours if dice.random() < 0.9 else 'x'}",
        f"Cookie: phone={dice.getrandbits(128):032x}",
        f"Content-Type: {dice.choice(('application/json', 'application/json', 'text/plain'))}",
        f"Content-Length: {len(body) if dice.random() < 0.95 else dice.choice((-1, 10**12, 3))}",
    ]
    head = "\r\n".join(lines).encode("latin-1") + b"\r\n\r\n"
    return (head if dice.random() < 0.9 else _damaged(dice, head)) + body


def _damaged(dice: random.Random, data: bytes) -> bytes:
    changed = bytearray(data)
    for _ in range(dice.choice((0, 0, 1, 2, 8))):
        changed[dice.randrange(len(changed))] = dice.randrange(256)
    return bytes(changed[: dice.randint(0, len(changed))] if dice.random() < 0.2 else changed)


def random_lines(many: int) -> None:
    """Random and damaged messages at the app's socket."""
    with folder() as at:
        wired = WiredTable(at)
        wired.table.play(Setup("race", NAMES[:2]))
        wired.switch_on()
        wired.connect()
        wired.sit(ZOSIA, 0)
        wired.sit(KRZYS, 1)
        dice, hung, first = random.Random(2), 0, 0.0
        version = wired.page(0).version
        known = [
            packed(message)
            for message in (
                PhoneAnswer(1, ZOSIA, version, "race.start-world", False, "y"),
                MoreOptions(2, ZOSIA, version, "race.start-world", False, 0),
                PhoneEntry(3, ZOSIA, version, "old-earth", 1),
                PhoneSteps(4, ZOSIA, version, 0),
                PhoneHelp(7, ZOSIA, version, "race.start-world"),
                PhoneShare(8, ZOSIA, version),
                PhoneUndo(5, KRZYS, version),
                SeatClaim(6, KRZYS, 1),
            )
        ]
        began = time.perf_counter()
        for n in range(many):
            assert wired.porter is not None
            with suppress(OSError):
                wired.porter.send(_damaged(dice, dice.choice(known)))
            wired.side.step(0)
            list(wired._received())
            if not wired.side._socket.is_connected:
                hung += 1
                wired.connect(greet=False)
                assert wired.porter is not None
                wired.porter.send(packed(WireHello()))
                wired.side.step(0)
            if n == many // 10:
                first = resident(os.getpid())
        took = time.perf_counter() - began
        print(
            f"{many} random socket lines in {took:.0f} s: {hung} connections ended, the app stands; "
            f"{first:.0f} MB after a tenth, {resident(os.getpid()):.0f} MB at the end; entries: "
            f"{wired.table.session.entries}"
        )
        wired.close()


def races(many: int) -> None:
    """Phones answer pages that are old by a few deeds of others, or by an undo."""
    with folder() as at:
        wired, dice, found = WiredTable(at), random.Random(3), Counter[str]()
        wired.table.play(Setup("race", NAMES[:2]))
        wired.switch_on()
        wired.connect()
        wired.sit(ZOSIA, 0)
        wired.sit(KRZYS, 1)
        devices = (ZOSIA, KRZYS)
        while sum(found.values()) < many:
            if wired.table.session.over:
                wired.table.play(Setup("race", NAMES[:2]))
                wired.settle()
            seat = dice.randrange(2)
            page, shown = wired.page(seat), wired.shown(seat)
            if not shown["me"]["questions"] or not shown["me"]["questions"][0]["options"]:
                answer_any(wired, dice)
                continue
            asked = shown["me"]["questions"][0]
            whose = None if asked["table"] else seat
            was = wired.table.session.times(whose, asked["slug"]), len(wired.table.session.moments)
            for _ in range(dice.randint(0, 2)):
                if dice.random() < 0.3 and wired.table.session.last_deed:
                    wired.table.desk.propose(Undone(wired.table.session.last_deed))
                    wired.settle()
                else:
                    answer_any(wired, dice)
            now = wired.table.session
            option = dice.choice(asked["options"])["id"]
            accepted = wired.answer(devices[seat], page, option).accepted
            if accepted:
                assert now.times(whose, asked["slug"]) == was[0], "it reached a later question"
            found["accepted" if accepted else "refused"] += 1
            del wired.heard[:-200]
        print(f"{many} races of a phone and the table: {dict(found)}; none reached a later question")
        wired.close()


def answer_any(wired: WiredTable, dice: random.Random) -> None:
    """Somebody answers anything at the table."""
    open_ = [question for question in wired.table.desk.questions() if question.options]
    if not open_:
        return  # the play is over
    question = dice.choice(open_)
    wired.table.desk.propose(Answer(question.seat, question.slug, dice.choice(question.options).id))
    wired.settle()


def main() -> int:
    """Everything, one after the other."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--requests", type=int, default=50_000)
    parser.add_argument("--lines", type=int, default=100_000)
    parser.add_argument("--races", type=int, default=1000)
    given = parser.parse_args()
    random_requests(given.requests)
    random_lines(given.lines)
    races(given.races)
    return 0


if __name__ == "__main__":
    sys.exit(reported(main))
