"""Credentials of tables, and the files with which Mosquitto checks them: passwords, and who may say what."""

from __future__ import annotations

import base64
import hashlib
import secrets
from pathlib import Path
from typing import NamedTuple

import msgspec
import segno

from companion.core import files
from companion.core.words import say
from companion.errors import DataTrouble
from companion.hall.web import code
from companion.hall_messages import CREDENTIALS_SUFFIX, MOST_BYTES, TOPIC_NAME, TableCredentials

ITERATIONS = 101
"""Of PBKDF2, as `mosquitto_passwd` does it; our passwords are 96 random bits, which no number would help."""
HALL_USER = "hall-server"


class Endpoint(NamedTuple):
    """Where tables find the broker."""

    host: str
    port: int
    ca: str = ""
    """The certificate authority as PEM; empty: without TLS."""


def write_credentials(
    folder: Path, hall: str, tables: tuple[tuple[str, str], ...], endpoint: Endpoint
) -> list[Path]:
    """Write a file and a code for each (table, title), and what Mosquitto needs; returns what was written.

    What is there already is kept: raises `DataTrouble` if one of these tables has credentials.
    """
    for table, _ in tables:
        if TOPIC_NAME.fullmatch(table) is None or table == HALL_USER:
            raise DataTrouble(say("hall.bad-name", name=table))
        if (folder / f"{table}{CREDENTIALS_SUFFIX}").exists():
            raise DataTrouble(say("hall.has-credentials", name=table))
    files.make_folder(folder)
    written, lines = [], []
    for table, title in tables:
        password = secrets.token_urlsafe(12)
        made = TableCredentials(
            hall, title, endpoint.host, endpoint.port, table, password=password,
            tls=bool(endpoint.ca), ca=endpoint.ca,
        )  # fmt: skip
        body = msgspec.json.encode(made)
        written.append(_put(folder / f"{table}{CREDENTIALS_SUFFIX}", body))
        if (drawn := _code(body)) is not None:
            written.append(_put(folder / f"{table}.svg", drawn))
        lines.append(password_line(table, password))
    own = folder / "hall-password"
    if not own.exists():
        password = secrets.token_urlsafe(12)
        written.append(_put(own, f"{password}\n".encode()))
        lines.insert(0, password_line(HALL_USER, password))
    known = folder / "mosquitto-passwords"
    before = known.read_text("utf-8") if known.exists() else ""
    written.append(_put(known, (before + "".join(f"{line}\n" for line in lines)).encode()))
    written.append(_put(folder / "mosquitto-acl", access_rules(hall).encode()))
    written.append(_put(folder / "mosquitto.conf", configuration(folder, endpoint).encode()))
    return written


def _put(path: Path, contents: bytes) -> Path:
    files.write(path, contents, files.PRIVATE)
    return path


def _code(body: bytes) -> bytes | None:
    """The credentials as a code; None if they are too long for one."""
    try:
        return code(body.decode())
    except segno.DataOverflowError:
        return None


def password_line(user: str, password: str) -> str:
    """A line of a Mosquitto password file."""
    salt = secrets.token_bytes(12)
    made = hashlib.pbkdf2_hmac("sha512", password.encode(), salt, ITERATIONS, 64)
    return f"{user}:$7${ITERATIONS}${base64.b64encode(salt).decode()}${base64.b64encode(made).decode()}"


def access_rules(hall: str) -> str:
    """Who may say what: a table (by its user name) only its own topics, the hall everything of this hall."""
    own = f"hall/{hall}/table/%u"
    lines = [f"user {HALL_USER}", f"topic readwrite hall/{hall}/#", ""]
    lines += [f"pattern write {own}/{kind}" for kind in ("state", "event", "online", "result/+")]
    lines += [f"pattern read {own}/{kind}" for kind in ("call", "assignment", "again")]
    lines.append(f"pattern read hall/{hall}/day")
    return "\n".join(lines) + "\n"


def configuration(folder: Path, endpoint: Endpoint) -> str:
    """An example for Mosquitto 2, to be read by a person first."""
    where = folder.absolute()
    lines = [
        f"listener {endpoint.port}",
        "allow_anonymous false",
        f"password_file {where / 'mosquitto-passwords'}",
        f"acl_file {where / 'mosquitto-acl'}",
        f"message_size_limit {MOST_BYTES}",
        "max_queued_messages 100000",
        "persistence true",
    ]
    if endpoint.ca:
        lines += ["# the broker's own certificate and key, made with the hall's authority:"]
        lines += [f"certfile {where / 'broker.crt'}", f"keyfile {where / 'broker.key'}"]
    return "\n".join(lines) + "\n"
