"""Plays written by another version or by hand, with correct checksums: always a sentence."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from companion import cli
from companion.core import session as sessions
from companion.core.entries import Answered, Corrected, Deed, Entry, Undone, encode_entry
from companion.core.game import Setup, game
from companion.core.journal import EntryRow, PlayRow, StoredPlay, insert
from companion.core.play import read
from companion.core.questions import Answer
from companion.core.store import Store
from companion.errors import DONE, STORAGE, StorageTrouble

RACE = game("race")
SETUP = b'{"game": "race", "seats": ["Ania", "Bartek"]}'
WORLDS = (
    Answered(Answer(0, "race.start-world", "new-sparta")),
    Answered(Answer(1, "race.start-world", "old-earth")),
)
COMMANDS = (("plays",), ("check",), ("replay", "1"), ("export", "1"), ("resume", "1", "--text"))


def stored(*deeds: Deed, created: Any = 1000.0, at: Any = 1001.0, **changes: Any) -> StoredPlay:
    """A play of these deeds, all at the same time, without digests."""
    bodies = [encode_entry(Entry(float(at), deed)) for deed in deeds]
    rows = tuple(EntryRow(seq, at, body) for seq, body in enumerate(bodies))
    play = PlayRow(1, "race", "Ania, Bartek", created, at if rows else created, len(rows))
    return replace(StoredPlay(play, SETUP, rows), **changes)


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> Callable[..., tuple[int, str]]:
    """Runs a command beside a journal with this play; its exit code and all it said."""
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path))
    monkeypatch.setenv("COMPANION_LANGUAGE", "en")
    monkeypatch.setenv("COLUMNS", "200")

    def run(play: StoredPlay, *command: str) -> tuple[int, str]:
        (tmp_path / "journal.db").unlink(missing_ok=True)
        with Store(tmp_path / "journal.db") as store, store.writing() as db:
            insert(db, play)
        monkeypatch.setattr(sys, "stdin", io.StringIO(""))
        code = cli.main(command)
        shown = capsys.readouterr()
        return code, shown.out + shown.err

    return run


DEEP = b"[" * 100_000 + b"]" * 100_000
HOSTILE = {
    "a date no calendar has": stored(*WORLDS, created=1e300, at=1e300),
    "a date that never comes": stored(*WORLDS, created=float("inf")),
    "a date that is a word": stored(*WORLDS, created="yesterday"),
    "a setup that is no JSON": stored(setup=b"\xff"),
    "a setup that is deep": stored(setup=DEEP),
    "an entry that is no JSON": stored(rows=(EntryRow(0, 1001.0, b"\xff"),)),
    "an entry with bytes that are no letters": stored(rows=(EntryRow(0, 1001.0, b'{"at": 1, "\xff": 1}'),)),
    "an entry that is deep": stored(rows=(EntryRow(0, 1001.0, b'{"deep": ' + DEEP + b"}"),)),
    "an answer nobody asked for": stored(*WORLDS, Answered(Answer(0, "race.nothing", "x"))),
    "a counter there is none of": stored(*WORLDS, Corrected("nothing:7", 1)),
    "a number no counter holds": stored(*WORLDS, Corrected("hand:0", 10**15, "Ania")),
    "more taken back than was done": stored(*WORLDS, Undone(99)),
}


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command[0])
@pytest.mark.parametrize("what", HOSTILE)
def test_a_hostile_play_is_shown_or_told_of(run: Any, what: str, command: tuple[str, ...]) -> None:
    play = HOSTILE[what]
    play = replace(play, play=replace(play.play, entries=len(play.rows)))
    if play.rows:
        play = replace(play, play=replace(play.play, last_at=play.rows[-1].at))
    code, said = run(play, *command)
    assert "Traceback" not in said
    assert code in (DONE, STORAGE), said


def test_a_date_no_calendar_has_is_a_dash(run: Any) -> None:
    code, said = run(stored(*WORLDS, created=1e300, at=1e300), "plays")
    assert code == DONE
    assert [part.strip() for part in said.splitlines()[3].split("│")][4] == "–"


def test_what_the_rules_have_no_words_for_is_told_as_it_was_written() -> None:
    session = sessions.replay(
        RACE, Setup("race", ("Ania", "Bartek")), 0.0, [Entry(1.0, deed) for deed in WORLDS]
    )
    odd = (Answered(Answer(0, "race.gone", "x")), Corrected("gone:1", 4, "Ania"))
    moments = tuple(replace(session.moments[-1], entry=Entry(2.0, deed)) for deed in odd)
    told = [text.args for text in replace(session, moments=(*session.moments, *moments)).story()[-2:]]
    assert [str(told[0][name].args["words"]) for name in ("question", "option")] == ["race.gone", "x"]
    assert [told[1]["counter"].args["words"], told[1]["value"].args["words"], told[1]["by"]] == [
        "gone:1",
        "4",
        "Ania",
    ]


@pytest.mark.parametrize("part", ["view", "counters", "sheet", "on_table"])
def test_a_table_that_cannot_be_shown_is_a_play_that_cannot_be_replayed(
    monkeypatch: pytest.MonkeyPatch, part: str
) -> None:
    def crashes(state: Any) -> Any:
        raise ZeroDivisionError

    monkeypatch.setattr("companion.core.flow.game.game", lambda id: replace(RACE, **{part: crashes}))
    with pytest.raises(StorageTrouble) as raised:
        read(stored(*WORLDS))
    assert raised.value.text.key == "core.cannot-replay"
    assert raised.value.text.args["why"] == "ZeroDivisionError"
