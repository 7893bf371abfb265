"""Inputs from files people bring or keep: positions, boxes, logs, journals, backups, wiring, settings."""

from __future__ import annotations

import contextlib
import io
import shutil
from argparse import Namespace
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import msgspec

from companion.commands import flow as flow_command
from companion.commands import odds
from companion.core.autoplay import next_answer
from companion.core.binder import FORMAT, VERSION, Binder, FactSheet, Taught, newest, read_box, values
from companion.core.box_merge import compare, possible
from companion.core.flow.game import flow_game
from companion.core.flow.library import accept, shipped_flows
from companion.core.game import Game, Setup, games
from companion.core.journal import EntryRow, Journal, PlayRow, StoredPlay, insert
from companion.core.play import Play, read
from companion.core.positions import parse
from companion.core.repair import repair, verify
from companion.core.store import Store
from companion.errors import DataTrouble, StorageTrouble, Trouble
from companion.recognition import zones
from companion.results.sheets import result, score_position
from companion.table import backups, photos, settings, teaching
from companion.texts import LANGUAGES
from devices import wiring_config as wired
from devices.wiring import svg, text
from tests.inputs.camera_inputs import photographs
from tests.inputs.judging import FuzzedInput
from workshop.commands import replay_log


def open_position(data: bytes, folder: Path) -> None:
    """A finished table of whichever game it says."""
    sheet = score_position(data)
    for language in LANGUAGES:
        result(sheet, language)


def positions() -> Iterator[bytes]:
    """What every game's own examples are."""
    for rules in games().values():
        for example in rules.positions.examples if rules.positions is not None else ():
            yield msgspec.json.encode(example)


def open_odds(data: bytes, folder: Path) -> None:
    """What chances are asked for, of every game that knows any."""
    raw = parse(data)
    for rules in games().values():
        if rules.odds is not None:
            answer = odds.worked_out(rules.odds, raw, SHORT)
            answer.plain()
            list(answer.sentences())


SHORT = 1.5
"""Seconds for a battle here: any battle can be cancelled in time."""

BATTLES = (
    b'{"attacker":[{"type":"cru","n":2,"init":2,"hull":1,"comp":1,"shield":0,"cannons":[1,0,0],"missiles":[0,0,0]}],'
    b'"defender":[{"type":"npc","n":1,"init":2,"hull":1,"comp":1,"shield":0,"cannons":[2,0,0]}]}',
    b'{"attacker":[{"type":"int","n":2,"init":3,"hull":0,"comp":0,"shield":1,"cannons":[1,0,0]},'
    b'{"type":"dre","n":1,"init":1,"hull":2,"comp":1,"shield":0,"cannons":[0,1,1],"missiles":[0,2,0]}],'
    b'"defender":[{"type":"sba","n":1,"init":5,"hull":2,"comp":1,"shield":0,"cannons":[1,1,0]}]}',
    b'{"sides":[{"ships":[]},{"ships":[]}]}',
)


def open_box(data: bytes, folder: Path) -> None:
    """A taught box handed on, held against every game: what is possible is compared and counted."""
    troubles: list[DataTrouble] = []
    for rules in games().values():
        try:
            told = possible(rules, read_box(data, rules.id))
        except DataTrouble as trouble:
            troubles.append(trouble)
            continue
        compare({}, told)
        setup = rules.usual_setup(values(told))
        for found in rules.disagreements(setup, newest(told)):
            found.sentence(rules.taught_box(setup))
        rules.progress(setup)
    if len(troubles) == len(games()):
        raise troubles[0]


def boxes() -> Iterator[bytes]:
    """One fact of every game that can be taught anything."""
    for rules in games().values():
        for key, known in rules.schema()["properties"].items():
            component, _, field = key.rpartition(".")
            value = fitting(known)
            fact = Taught(game=rules.id, component=component, field=field, value=value, at=1.0)
            yield msgspec.json.encode(FactSheet(FORMAT, VERSION, rules.id, (fact,)))
            break


def fitting(schema: dict[str, Any]) -> Any:
    """Some value a JSON Schema allows, roughly."""
    if "enum" in schema:
        return schema["enum"][0]
    if "const" in schema:
        return schema["const"]
    if "anyOf" in schema:
        return fitting(schema["anyOf"][0])
    match schema.get("type"):
        case "integer" | "number":
            return schema.get("minimum", 1)
        case "array":
            return []
        case "object":
            return {name: fitting(of) for name, of in schema.get("properties", {}).items()}
        case "boolean":
            return True
    return "x"


def open_flow(data: bytes, folder: Path) -> None:
    """Somebody's own game, begun and shown if it is accepted."""
    text = accept(data)
    game = flow_game(text)
    state = game.start(Setup(game.id, tuple(f"Seat {n}" for n in range(game.box.seats[0])), flow=text))
    game.view(state), game.sheet(state), game.counters(state)


def flows() -> Iterator[bytes]:
    """The example people begin with, and those we ship."""
    yield flow_command.example().encode()
    yield from (known.text.encode() for known in shipped_flows())


def open_log(data: bytes, folder: Path) -> None:
    """Games recorded by another engine, for every game that has such logs."""
    (folder / "it.jsonl").write_bytes(data)
    for id in replay_log.LOGS:
        with contextlib.redirect_stdout(io.StringIO()):
            replay_log.run(Namespace(file=str(folder / "it.jsonl"), game=id, json=True, language="en"))


# Journals


def open_journal(data: bytes, folder: Path) -> None:
    """A journal's file: looked through, checked, mended, and what is called a backup of it is whole."""
    path = folder / "journal.db"
    path.write_bytes(data)
    try:
        use_camera(path)
    finally:
        (folder / "mended").mkdir()
        shutil.copy(path, folder / "mended" / "journal.db")
        with contextlib.suppress(StorageTrouble):
            repair(folder / "mended" / "journal.db")
            assert not verify(folder / "mended" / "journal.db").problems
    verify(path)


def use_camera(path: Path) -> None:
    """Every play in a journal, replayed; the first trouble is raised when all were tried."""
    troubles: list[Trouble] = []
    with Store(path) as store:
        journal = Journal(store)
        journal.newest(0, 2**62)
        for play in journal.plays()[:3]:
            try:
                read(journal.load(play.id)).session.story()
            except Trouble as trouble:
                troubles.append(trouble)
        for rules in games().values():
            Binder(store).facts(rules.id)
    if troubles:
        raise troubles[0]


def open_backup(data: bytes, folder: Path) -> None:
    """A journal that is copied to a stick: the copy is whole, or there is none and a message says so."""
    (folder / "stick").mkdir()
    (folder / "journal.db").write_bytes(data)
    (folder / "settings.json").write_bytes(data[:1000])
    try:
        made = backups.back_up(folder / "journal.db", folder / "stick", 1.0)
    except Trouble:
        assert list((folder / "stick").iterdir()) == [], "half a backup was left"
        raise
    assert not verify(made / "journal.db").problems
    settings.load(made / "settings.json")


@cache
def journals() -> tuple[bytes, ...]:
    """A few answers of a play of every game, in one file each."""
    found = []
    for rules in games().values():
        with TemporaryDirectory() as folder:
            path = Path(folder) / "journal.db"
            with Store(path) as store:
                play = begun(rules, store)
                Binder(store).teach(rules.id, "x", "y", 1, 1.0)
                assert play.session.entries
            with Store(path) as store, store.writing() as db:
                db.execute("UPDATE play SET title = title")
            found.append(whole(path))
    return tuple(found)


def whole(path: Path) -> bytes:
    """A journal with what was in its side files."""
    with TemporaryDirectory() as folder:
        return (backups.back_up(path, Path(folder), 1.0) / "journal.db").read_bytes()


def begun(rules: Game, store: Store, answers: int = 4) -> Play:
    """A play of the smallest table, by bots."""
    random = Random(1)
    names = tuple(f"Seat {n}" for n in range(rules.box.seats[0]))
    play = Play.start(rules, Setup(rules.id, names), Journal(store), Binder(store), 1.0)
    bots = rules.bots(play.session.setup, random)
    bots.follow(play.session.state, play.session.news)
    for _ in range(answers):
        play.answer(next_answer(play.session.state, bots, random), 2.0)
        bots.follow(play.session.state, play.session.news)
    return play


def open_entries(data: bytes, folder: Path) -> None:
    """A play somebody wrote, with checksums that are right: the first line its set-up, each further one an entry."""
    setup, *bodies = data.split(b"\n")[:60]
    game = next((id for id in games() if id.encode() in setup), next(iter(games())))
    rows = tuple(EntryRow(seq, 2.0, body) for seq, body in enumerate(bodies))
    play = PlayRow(1, game, "a, b", 1.0, 2.0 if rows else 1.0, len(rows))
    with Store(folder / "journal.db") as store, store.writing() as db:
        insert(db, StoredPlay(play, setup, rows))
    use_camera(folder / "journal.db")


@cache
def entries() -> tuple[bytes, ...]:
    """The beginning of a play of every game."""
    found = []
    for rules in games().values():
        with TemporaryDirectory() as folder, Store(Path(folder) / "journal.db") as store:
            begun(rules, store)
            stored = Journal(store).load(1)
            found.append(b"\n".join((stored.setup, *(row.body for row in stored.rows))))
    return tuple(found)


# Beside the journal


def open_wiring(data: bytes, folder: Path) -> None:
    """A `table.toml`; what is taken can be drawn, and written again."""
    (folder / "table.toml").write_bytes(data)
    wiring = wired.load(folder / "table.toml")
    text(wiring)
    svg(wiring)
    assert wired.read(wired.toml(wiring).encode()) == wiring


def wirings() -> Iterator[bytes]:
    for seats, counters in ((2, False), (4, True), (6, False)):
        yield wired.toml(wired.default(seats, counters=counters)).encode()


def open_settings(data: bytes, folder: Path) -> None:
    """Settings: whatever the file says, there are some, every choice can be used, and they can be kept."""
    path = folder / "settings.json"
    path.write_bytes(data)
    found = settings.load(path)
    for part in (*found.zones.values(), *((found.spot,) if found.spot is not None else ())):
        assert zones.parse(",".join(map(str, part))) == part
    settings.save(path, found)
    assert settings.load(path) == found


def kept_settings() -> Iterator[bytes]:
    yield msgspec.json.encode(settings.Settings())
    people = tuple(settings.Person(name, look) for look, name in enumerate(("Ania", "Łukasz")))
    yield msgspec.json.encode(
        settings.Settings("pl", 120, zones={"ania": (0, 0, 50, 100)}, spot=(1.5, 2, 3, 4), people=people)
    )


def open_teaching(data: bytes, folder: Path) -> None:
    """What somebody was about to teach."""
    (folder / teaching.FILE).write_bytes(data)
    found = teaching.load(folder)
    teaching.save(folder, found)
    assert teaching.load(folder) == found


def open_photo(data: bytes, folder: Path) -> None:
    """The photo of a tile."""
    place = photos.place(folder, "game", "tile")
    place.parent.mkdir(parents=True)
    place.write_bytes(data)
    photos.look_up(folder, "game", "tile")


INPUTS = (
    FuzzedInput("position", open_position, positions),
    # Not only read but worked out, which takes its room: docs/odds.md says how much.
    FuzzedInput("odds", open_odds, lambda: BATTLES, megabytes=600),
    FuzzedInput("box", open_box, boxes, (FORMAT.encode(), b'"component":', b'"value":')),
    FuzzedInput("flow", open_flow, flows, (b"[[phase]]", b"[[end]]", b"[words.en]", b'turns = "pass"')),
    FuzzedInput("log", open_log, lambda: (b'{"game":"x","players":2,"start":{"events":[]}}\n',)),
    FuzzedInput("journal", open_journal, journals),
    FuzzedInput("backup", open_backup, journals),
    FuzzedInput("entries", open_entries, entries),
    FuzzedInput("wiring", open_wiring, wirings, (b"[[seat]]", b"[table]", b'kind = "led"', b"pin = ")),
    FuzzedInput("settings", open_settings, kept_settings),
    FuzzedInput("teaching", open_teaching, lambda: (b'{"teachers":["Ania"],"begun":{"g":{"c":{"f":[1]}}}}',)),
    FuzzedInput("photo", open_photo, photographs),
)
