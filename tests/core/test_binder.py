"""The binder: the owner's latest value is in force, and earlier values are not lost."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from companion.core.binder import Binder, Taught, read_box
from companion.core.components import SaidBy, Value
from companion.core.repair import repair, verify
from companion.core.sqlite_file import connect
from companion.core.store import Store
from companion.errors import DataTrouble, StorageTrouble
from companion.texts import render


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(tmp_path / "journal.db") as store:
        yield store


@pytest.fixture
def binder(store: Store) -> Binder:
    return Binder(store)


def take(binder: Binder, data: bytes) -> int:
    return binder.take("race", read_box(data, "race"))


def sheet(*facts: dict, game: str = "race", **head: object) -> bytes:
    told = [{"game": "race", "component": "c", "field": "cost", "at": 1.0, **fact} for fact in facts]
    return json.dumps(
        {"format": "tabletop-companion facts", "version": 1, "game": game, "facts": told, **head}
    ).encode()


def test_what_was_said_last_holds(binder: Binder, store: Store) -> None:
    assert binder.facts("race") == {}
    binder.teach("race", "gem-world", "cost", 2, 10.0)
    binder.teach("race", "gem-world", "kind", "rare", 11.0, note="read through a sleeve")
    binder.teach("frontiers", "gem-world", "cost", 9, 12.0)
    binder.teach("race", "gem-world", "cost", 3, 13.0)
    binder.teach("race", "old-earth", "cost", 1, 14.0, by="Ania")
    binder.forget("race", "old-earth", "cost", 15.0, by="Bartek")
    store.close()
    assert binder.facts("race") == {"gem-world.cost": 3, "gem-world.kind": "rare"}
    assert [(taught.by, taught.value) for taught in binder.history("race")[-2:]] == [
        ("Ania", 1),
        ("Bartek", None),
    ]
    assert [taught.value for taught in binder.history("race")][:3] == [2, "rare", 3]
    assert binder.history("race")[1] == Taught(
        game="race",
        component="gem-world",
        field="kind",
        value="rare",
        at=11.0,
        said_by=SaidBy.OWNER,
        note="read through a sleeve",
    )


@pytest.mark.parametrize(
    "value",
    [0, "rare", True, [], ["money", "money"], {"low": 1}, [{"does": "glow", "oil": 2}, {"does": "dazzle"}]],
)
def test_any_plain_value_is_kept_and_travels(binder: Binder, tmp_path: Path, value: Value) -> None:
    binder.teach("race", "gem-world", "cost", value, 10.0)
    assert binder.facts("race") == {"gem-world.cost": value}
    with Store(tmp_path / "other" / "journal.db") as elsewhere:
        other = Binder(elsewhere)
        assert take(other, json.dumps(binder.export("race")).encode()) == 1
        assert other.facts("race") == {"gem-world.cost": value}


def test_forgetting_makes_it_unknown_and_keeps_the_history(binder: Binder) -> None:
    binder.teach("race", "gem-world", "cost", 2, 10.0)
    binder.forget("race", "gem-world", "cost", 11.0)
    assert binder.facts("race") == {}
    assert [taught.value for taught in binder.history("race")] == [2, None]
    assert not binder.export("race")["facts"]


@pytest.mark.parametrize(
    ("component", "field", "value", "at"),
    [
        ("", "cost", 1, 1.0),
        ("c", "a.b", 1, 1.0),
        ("c", "", 1, 1.0),
        ("c", "cost", 1.5, 1.0),
        ("c", "cost", 1, float("nan")),
    ],
)
def test_what_could_not_be_read_again_is_not_kept(
    binder: Binder, component: str, field: str, value: Value, at: float
) -> None:
    with pytest.raises(DataTrouble) as raised:
        binder.teach("race", component, field, value, at)
    assert raised.value.text.key == "binder.bad-fact"
    assert binder.history("race") == ()


def test_export_and_import_bring_facts_to_another_table(binder: Binder, tmp_path: Path) -> None:
    binder.teach("race", "gem-world", "cost", 2, 10.0, note="second edition")
    binder.teach("race", "gem-world", "kind", "żółty", 11.0, by="Łucja")
    data = json.dumps(binder.export("race")).encode()
    with Store(tmp_path / "other" / "journal.db") as elsewhere:
        other = Binder(elsewhere)
        other.teach("race", "gem-world", "cost", 5, 99.0)
        other.teach("race", "old-earth", "cost", 1, 99.0)
        assert take(other, data) == 2
        assert other.facts("race") == {"gem-world.cost": 2, "gem-world.kind": "żółty", "old-earth.cost": 1}
        assert other.history("race")[2:] == binder.history("race")
        assert take(other, data) == 0
        assert render(other.latest("race")["gem-world.kind"].source, "en") == "Łucja, 1970-01-01"
        assert render(other.latest("race")["gem-world.cost"].source, "en") == "1970-01-01"


@pytest.mark.parametrize(
    ("data", "keys"),
    [
        (b"", ["binder.bad-file"]),
        (b"\xff\xfe", ["binder.bad-file"]),
        (b"[]", ["binder.bad-file"]),
        (sheet({"value": 1.5}), ["binder.bad-file"]),
        (sheet({"value": 1, "field": "a.b"}), ["binder.bad-file"]),
        (sheet({"value": 1, "component": ""}), ["binder.bad-file"]),
        (sheet({"value": 1, "said_by": "a friend"}), ["binder.bad-file"]),
        (sheet(format="tabletop-companion play"), ["binder.other-format"]),
        (sheet(version=2), ["binder.newer"]),
        (sheet(version=-1), ["binder.no-version"]),
        (sheet(version=0), ["binder.no-version"]),
        (sheet({"value": 1, "said_by": "rulebook"}), ["binder.not-theirs"]),
        (sheet({"value": 1, "said_by": "transcription"}), ["binder.not-theirs"]),
        (b'{"format": "tabletop-companion facts", "version": 2, "boxes": {}}', ["binder.newer"]),
        (sheet({"value": 1, "by": "x" * 201}), ["binder.bad-words"]),
        (sheet({"value": 1, "by": "\u202eEvil\x1b[2J"}), ["binder.bad-words"]),
        (sheet({"value": 1, "note": "\x07"}), ["binder.bad-words"]),
        (b" " * 4_000_001, ["binder.too-large"]),
        (b"[" * 3_000_000, ["binder.bad-file"]),
        (sheet(game="frontiers"), ["binder.other-game"]),
        (
            sheet({"value": 1, "game": "eclipse"}, {"value": 1}, {"value": 2}),
            ["binder.other-game", "binder.twice"],
        ),
    ],
)
def test_a_file_that_cannot_be_right_is_refused_as_a_whole(
    binder: Binder, data: bytes, keys: list[str]
) -> None:
    with pytest.raises(DataTrouble) as raised:
        take(binder, data)
    assert [problem.key for problem in raised.value.problems] == keys
    assert binder.history("race") == ()


@pytest.mark.parametrize(
    "change",
    [
        "DELETE FROM fact WHERE seq = 1",
        "UPDATE fact SET body = replace(body, '2', '7')",
        "UPDATE fact SET seq = 9 WHERE seq = 1",
    ],
)
def test_a_damaged_fact_is_never_believed_and_repair_keeps_the_others(
    binder: Binder, store: Store, change: str
) -> None:
    for n in range(5):
        binder.teach("race", f"card-{n}", "cost", n, 10.0)
    store.close()
    with closing(connect(store.path, "mode=rw")) as db:
        db.execute("PRAGMA ignore_check_constraints = ON")
        db.execute(change)
    with pytest.raises(StorageTrouble) as raised:
        binder.facts("race")
    assert raised.value.text.key == "storage.facts-damaged"
    good = raised.value.text.n
    assert verify(store.path).facts == repair(store.path).facts == good
    assert verify(store.path).problems == ()
    assert all(binder.facts("race")[key] == int(key[5]) for key in binder.facts("race"))
    assert len(binder.facts("race")) == good
    binder.teach("race", "card-9", "cost", 9, 11.0)
