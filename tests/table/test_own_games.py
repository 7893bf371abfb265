"""Games made by touch, and flow files from sticks."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace

from companion.core.agenda import take
from companion.core.autoplay import next_answer
from companion.core.flow.file import flow_in
from companion.core.flow.game import flow_game
from companion.core.flow.library import accept, flows
from companion.core.game import Setup
from companion.errors import DataTrouble
from companion.table import backups
from companion.table.own_games import (
    MOST_COUNTERS,
    MOST_LINES,
    SimpleGame,
    keep,
    keep_both,
    on_sticks,
    read_file,
    replaced_by,
)
from companion.texts import render

SEATS = tuple(f"Seat {n}" for n in range(8))
NAMES = (
    "Gold",
    "gold",
    "Złoto",
    "Żółć",
    "7 cudów",
    "'\"\\",
    "turn",
    "over",
    "—",
    "a" * 28,
    "Punkty za drogi",
)
GOOD = SimpleGame("Harbour", rounds=2, counters=("Gold",), lines=("Gold", "Houses"))


@pytest.mark.parametrize("seed", range(40))
def test_whatever_is_made_by_touch_can_be_played_to_its_end(seed: int) -> None:
    random = Random(seed)
    low = random.randint(1, 8)
    made = SimpleGame(
        random.choice(NAMES),
        low,
        random.randint(low, 8),
        random.randint(0, 3),
        random.random() < 0.5,
        random.random() < 0.5,
        tuple(random.sample(NAMES, random.randint(0, MOST_COUNTERS))),
        tuple(random.sample(NAMES, random.randint(0, MOST_LINES))),
    )
    text = accept(made.text().encode())
    flow = flow_in(text)
    assert flow.seats == tuple(range(made.low, made.high + 1))
    assert sorted(render(flow.word(line.id), "pl") for line in flow.score) == sorted(made.lines)
    game = flow_game(text)
    state = game.start(Setup(game.id, SEATS[:low], flow=text))
    bots = game.bots(Setup(game.id, SEATS[:low], flow=text), random)
    for _ in range(3_000):
        if not state.agenda:
            break
        state = take(state, next_answer(state, bots, random))
    assert not state.agenda
    assert len(game.sheet(state).seats) == low


def test_a_flow_from_a_stick_is_checked_and_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stick, home = tmp_path / "stick", tmp_path / "home"
    (stick / "flows").mkdir(parents=True)
    (stick / "harbour.toml").write_text(GOOD.text(), encoding="utf-8")
    (stick / "flows" / "bad.toml").write_text(GOOD.text().replace("rounds", "rouds"), encoding="utf-8")
    (stick / "notes.txt").write_text("nothing")
    monkeypatch.setattr(backups, "sticks", lambda: (backups.Stick(stick, 10**9, True),))
    found = {file.name: file for file in on_sticks()}
    assert sorted(found) == ["bad.toml", "harbour.toml"]
    with pytest.raises(DataTrouble) as caught:
        keep(read_file(found["bad.toml"]), home)
    assert any("Line 4" in render(problem, "en") for problem in caught.value.problems)
    assert not (home / "flows").exists(), "nothing is kept of a bad file"
    keep(read_file(found["harbour.toml"]), home)
    found["harbour.toml"].unlink()
    assert GOOD.text() in [one.text for one in flows(home) if one.file is not None]


def test_a_game_with_the_same_id_is_replaced_or_kept_beside(tmp_path: Path) -> None:
    keep(GOOD.text(), tmp_path)
    changed = replace(GOOD, rounds=7).text()
    assert replaced_by(GOOD.text(), tmp_path) is None, "the same once more"
    there = replaced_by(changed, tmp_path)
    assert there is not None
    assert there.name == "Harbour"
    keep_both(changed, tmp_path)
    keep_both(replace(GOOD, rounds=8).text(), tmp_path)
    own = [one.flow for one in flows(tmp_path) if one.file is not None]
    assert [(one.id, one.name, one.rounds) for one in own] == [
        ("own-harbour", "Harbour", 2),
        ("own-harbour-2", "Harbour 2", 7),
        ("own-harbour-3", "Harbour 3", 8),
    ]
    keep(changed, tmp_path)
    assert [one.flow.rounds for one in flows(tmp_path) if one.file is not None] == [7, 7, 8]
