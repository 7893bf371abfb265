"""A hall of tables: its server, or credentials for its tables."""

from __future__ import annotations

import argparse
import asyncio
import os
import re
import ssl
from pathlib import Path
from urllib.parse import urlsplit

from companion.commands.shared import Help, Options, bytes_of, shower
from companion.core.sqlite_file import default_path
from companion.core.words import count, say
from companion.errors import DONE, DataTrouble
from companion.hall.credentials import HALL_USER, Endpoint, write_credentials
from companion.hall.subscriber import Broker
from companion.hall_messages import TOPIC_NAME

PORT, MQTT, MQTT_TLS = 8412, 1883, 8883


def arguments(parser: argparse.ArgumentParser, t: Help) -> None:
    """What to do, and where broker, database and pages are."""
    parser.add_argument("what", nargs="?", choices=("credentials",), help=t("hall-what"))
    parser.add_argument("--name", default="hall", help=t("hall-name"))
    parser.add_argument("--broker", default="127.0.0.1", metavar="HOST[:PORT]", help=t("hall-broker"))
    parser.add_argument("--user", default="", help=t("hall-user"))
    parser.add_argument("--password-file", metavar="FILE", help=t("hall-password"))
    parser.add_argument("--tls", action="store_true", help=t("hall-tls"))
    parser.add_argument("--ca", metavar="FILE", help=t("hall-ca"))
    parser.add_argument("--certificate", metavar="FILE", default="", help=t("hall-certificate"))
    parser.add_argument("--database", metavar="FILE|postgresql://...", help=t("hall-database"))
    parser.add_argument("--bind", default="127.0.0.1", metavar="ADDRESS", help=t("hall-bind"))
    parser.add_argument("--port", type=int, default=PORT, help=t("hall-port"))
    parser.add_argument("--address", action="append", default=[], metavar="URL", help=t("hall-address"))
    parser.add_argument("--table", action="append", default=[], metavar="NAME[=TITLE]", help=t("hall-tables"))
    parser.add_argument("--out", metavar="DIR", default="hall-credentials", help=t("hall-out"))


def run(options: Options) -> int:
    """Serve until a signal, or write credentials."""
    if TOPIC_NAME.fullmatch(options.name) is None:
        raise DataTrouble(say("hall.bad-name", name=options.name))
    return _credentials(options) if options.what == "credentials" else _serve(options)


def _serve(options: Options) -> int:
    from companion.hall.running import serve

    if not 0 <= options.port <= 65535:
        raise DataTrouble(say("hall.bad-port", port=str(options.port)))
    show = shower(options)
    database: str | Path = default_path(os.environ).with_name("hall.db")
    if options.database is not None:
        named = options.database
        database = named if "://" in named else Path(named)
    where, origins = (options.bind, options.port), tuple(_origin(one) for one in options.address)
    return asyncio.run(serve(database, options.name, _broker(options), where, origins, show.say))


def _broker(options: Options) -> Broker:
    tls = options.tls or options.ca is not None or bool(options.certificate)
    host, port = _host_and_port(options.broker, MQTT_TLS if tls else MQTT)
    password = ""
    if options.password_file is not None:
        password = bytes_of(Path(options.password_file)).decode("utf-8", "replace").strip()
    user = options.user or (HALL_USER if password else "")
    return Broker(host, port, user, password, tls, options.ca or "", options.certificate)


def _host_and_port(given: str, usual: int) -> tuple[str, int]:
    found = re.fullmatch(r"(\[[0-9a-fA-F:.]+\]|[A-Za-z0-9._-]{1,253})(?::(\d{1,5}))?", given)
    port = int(found[2] or usual) if found else 0
    if found is None or not 1 <= port <= 65535:
        raise DataTrouble(say("hall.bad-broker", given=given))
    return found[1].strip("[]"), port


def _origin(given: str) -> str:
    """An address by which browsers reach us, as they write it in `Origin`."""
    try:
        parts = urlsplit(given)
        good = (
            parts.scheme in ("http", "https") and parts.netloc and parts.path in ("", "/") and not parts.query
        )
    except ValueError:
        good = False
    if not good or not given.isascii() or not given.isprintable():
        raise DataTrouble(say("hall.bad-address", given=given))
    return f"{parts.scheme}://{parts.netloc}".lower()


def _credentials(options: Options) -> int:
    if not options.table:
        raise DataTrouble(say("hall.no-tables"))
    ca = ""
    if options.ca is not None:
        ca = bytes_of(Path(options.ca)).decode("utf-8", "replace")
        try:
            ssl.create_default_context(cadata=ca)
        except (ssl.SSLError, ValueError) as e:
            raise DataTrouble(say("hall.bad-certificate", why=str(e)[:200])) from e
    host, port = _host_and_port(options.broker, MQTT_TLS if ca else MQTT)
    tables = tuple(_table(one) for one in options.table)
    if len({table for table, _ in tables}) < len(tables):
        raise DataTrouble(say("hall.twice"))
    folder = Path(options.out)
    try:
        written = write_credentials(folder, options.name, tables, Endpoint(host, port, ca))
    except OSError as e:
        from companion.core import files
        from companion.errors import StorageTrouble

        raise StorageTrouble(say("panel.cannot-write", file=str(folder), why=files.why(e))) from e
    show = shower(options)
    show.say(count("hall.written", len(written), folder=str(folder)))
    if not ca:
        show.say(say("hall.without-tls"), "yellow")
    return DONE


def _table(given: str) -> tuple[str, str]:
    name, _, title = given.partition("=")
    title = title or name.replace("-", " ").capitalize()
    if len(title) > 40 or not title.isprintable():
        raise DataTrouble(say("hall.bad-name", name=title))
    return name, title
