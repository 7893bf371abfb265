"""Credentials of tables and of the hall, and what Mosquitto needs to check them: passwords, access rules, settings."""

from __future__ import annotations

import base64
import hashlib
import importlib.resources
import os
import pwd
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
    """Write a file and a code for each (table, title), and Mosquitto's files; returns what was written.

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
    known = folder / "passwords"
    before = known.read_text("utf-8") if known.exists() else ""
    written.append(_put(known, (before + "".join(f"{line}\n" for line in lines)).encode()))
    written.append(_put(folder / "access-rules", access_rules()))
    if not endpoint.ca:
        written.append(_put(folder / "mosquitto.conf", _settings(folder, endpoint.port).encode()))
    return written


def access_rules() -> bytes:
    """Who may write and read what, for Mosquitto."""
    return (importlib.resources.files("companion.hall") / "access-rules").read_bytes()


def _settings(folder: Path, port: int) -> str:
    """How Mosquitto runs as this user, without TLS, on all networks of this machine."""
    here = folder.absolute()
    user = pwd.getpwuid(os.getuid()).pw_name
    return (
        f"# A broker for a network of your own, without TLS: mosquitto -c {here / 'mosquitto.conf'}\n"
        f"listener {port}\nallow_anonymous false\npassword_file {here / 'passwords'}\n"
        f"acl_file {here / 'access-rules'}\nuser {user}\nmessage_size_limit {MOST_BYTES}\n"
        "max_queued_messages 100000\n"
    )


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
