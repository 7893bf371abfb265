"""Brokers, databases and halls for all tests in this folder."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from companion.hall.subscriber import Broker
from tests.hall.live_hall import LiveHall, Tables, Web
from tests.hall.mosquitto import MOSQUITTO, REASON, Mosquitto
from tests.hall.postgresql import LACKING, PostgreSQL
from tests.hall.postgresql import REASON as NO_POSTGRESQL
from tests.hall.wired import HalledTable


@pytest.fixture
def mosquitto(tmp_path: Path) -> Iterator[Mosquitto]:
    """A broker that lets everybody in."""
    if MOSQUITTO is None:
        pytest.skip(REASON)
    folder = tmp_path / "broker"
    folder.mkdir()
    broker = Mosquitto(folder)
    broker.start()
    yield broker
    broker.kill()


@pytest.fixture(scope="session")
def postgresql() -> Iterator[PostgreSQL]:
    """A database server, the same for all tests; each test may stop it, and starts it again then."""
    if LACKING:
        pytest.skip(NO_POSTGRESQL)
    server = PostgreSQL()
    server.start()
    yield server
    server.remove()


@pytest.fixture
def live(mosquitto: Mosquitto, tmp_path: Path) -> Iterator[LiveHall]:
    """A hall with a day that has begun, connected to its broker."""
    hall = LiveHall(tmp_path / "hall.db", Broker("127.0.0.1", mosquitto.port))
    hall.wait(lambda: hall.hall.subscriber.connected)
    hall.begin_day()
    yield hall
    hall.close()


@pytest.fixture
def tables(mosquitto: Mosquitto, live: LiveHall) -> Iterator[Tables]:
    """Tables that have heard which day it is."""
    tables = Tables(mosquitto)
    tables.wait(lambda heard: any(topic.endswith("/day") and said for topic, said in heard))
    assert live.hall.tournament is not None
    tables.day = live.hall.tournament.day
    yield tables
    tables.close()


@pytest.fixture
def web(live: LiveHall) -> Iterator[Web]:
    """Requests to the hall's pages."""
    web = Web(live)
    yield web
    web.close()


@pytest.fixture
def new_database(tmp_path: Path, request: pytest.FixtureRequest) -> Callable[[str], str | Path]:
    """Makes an empty database of this kind, and returns its address."""

    def made(kind: str) -> str | Path:
        if kind == "sqlite":
            return tmp_path / "halls.db"
        import psycopg

        server: PostgreSQL = request.getfixturevalue("postgresql")
        with psycopg.connect(server.address, autocommit=True) as connection:
            name = f"test_{abs(hash(request.node.nodeid))}"
            connection.execute(f"DROP DATABASE IF EXISTS {name}")  # type: ignore[arg-type, call-overload]
            connection.execute(f"CREATE DATABASE {name}")  # type: ignore[arg-type, call-overload]
        return server.address.replace("/postgres?", f"/{name}?")

    return made


@pytest.fixture
def halled(tmp_path: Path) -> Iterator[HalledTable]:
    """Two people are asked for their start worlds; the table is in a hall, and its publisher at the broker."""
    halled = HalledTable(tmp_path)
    halled.play()
    halled.connect()
    yield halled
    halled.close()


@pytest.fixture
def broker(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Mosquitto]:
    """A broker that lets everybody in; publishers that end are started again at once."""
    if MOSQUITTO is None:
        pytest.skip(REASON)
    monkeypatch.setattr("companion.table.child_process.FIRST", 0.1)
    monkeypatch.setattr("companion.table.child_process.LONGEST", 0.1)
    folder = tmp_path / "broker"
    folder.mkdir()
    broker = Mosquitto(folder)
    broker.start()
    yield broker
    broker.kill()
