"""The odds have a memory limit, and refuse a battle long before memory runs out."""

from __future__ import annotations

import gc
import subprocess
import sys

import pytest
from msgspec import to_builtins

from companion.games.eclipse import combat
from companion.games.eclipse.battle_faces import shares
from companion.games.eclipse.combat import chances
from companion.games.eclipse.odds import odds, odds_of
from companion.games.eclipse.odds_damage import KEPT_WAYS, struck
from companion.games.eclipse.odds_dice import DiceGroup, Fleet, TooLarge
from companion.games.eclipse.odds_room import MEGABYTE, MOST, room_of
from companion.games.eclipse.steps.battle import told_odds
from companion.texts import render
from tests.games.eclipse.battle_tables import HERE, seat, sector, table

pytestmark = pytest.mark.thorough

RICH: Fleet = (
    DiceGroup("int", 2, 3, 2, 1, 0, (1, 1, 0)),
    DiceGroup("cru", 2, 2, 4, 2, 1, (1, 0, 1)),
    DiceGroup("dre", 2, 1, 5, 0, 2, (0, 1, 1)),
)
MIDDLING: Fleet = (
    DiceGroup("cru", 4, 3, 3, 1, 0, (1, 0, 0)),
    DiceGroup("dre", 2, 3, 5, 1, 0, (0, 2, 0)),
)

MEASURED = """
import resource, sys
from companion.games.eclipse.odds import odds
from companion.games.eclipse.odds_dice import TooLarge
from tests.games.eclipse import test_odds_room as here
fleet, room = getattr(here, sys.argv[1]), int(sys.argv[2])
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
try:
    odds(fleet, fleet, room=room)
    print("told", end=" ")
except TooLarge:
    print("refused", end=" ")
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""


def measured(fleet: str, megabytes: int) -> tuple[str, int]:
    """What a program of its own says about a battle with so much room, and by how many megabytes it grew."""
    command = [sys.executable, "-c", MEASURED, fleet, str(megabytes * MEGABYTE)]
    ran = subprocess.run(command, capture_output=True, text=True, check=True)
    said, grown = ran.stdout.split()
    return said, int(grown) // 1024


def test_a_rich_battle_is_refused_long_before_memory_runs_out() -> None:
    said, grown = measured("RICH", 128)
    assert said == "refused"
    assert grown < 128


def test_what_is_told_stays_within_its_room() -> None:
    said, grown = measured("MIDDLING", 192)
    assert said == "told"
    assert grown < 192


def test_nothing_worked_out_is_left_to_be_searched_for() -> None:
    """A window's search for what is left would stand still over it: the largest battles leave hundreds of thousands."""
    ours = (DiceGroup("int", 2, 3, 1, 1, 0, (1, 1, 0)), DiceGroup("npc", 1, 2, 2, 1, 0, (0, 1, 0)))
    odds(ours, ours)  # whatever is made only once
    gc.collect()
    gc.disable()
    try:
        odds(ours, ours)
        with pytest.raises(TooLarge):
            odds(MIDDLING, MIDDLING, room=64 * MEGABYTE)
        assert gc.collect() < 20
    finally:
        gc.enable()


def test_with_less_room_the_same_battle_is_refused() -> None:
    small = (DiceGroup("int", 2, 3, 0, 0, 0, (1, 0, 0)),)
    assert odds(small, small, room=64 * MEGABYTE).attacker_win == odds(small, small).attacker_win
    with pytest.raises(TooLarge):
        odds(MIDDLING, MIDDLING, room=64 * MEGABYTE)


RULED: tuple[Fleet, Fleet] = (
    (DiceGroup("npc", 6, 1, 4, 3, 0, (0, 1, 0), (2, 1, 0)),),
    (
        DiceGroup("cru", 1, 3, 1, 1, 3, (0, 2, 0)),
        DiceGroup("int", 2, 2, 0, 3, 1, (0, 2, 0)),
        DiceGroup("sba", 1, 4, 3, 1, 1, (0, 1, 0)),
        DiceGroup("dre", 2, 1, 2, 0, 1, (0, 1, 0), (0, 2, 0)),
    ),
)
"""Few positions, but a rule places many dice of two colours: that kept a table waiting for five seconds."""


def test_a_table_does_not_wait_for_ways_to_place_dice_by_a_rule() -> None:
    with pytest.raises(TooLarge):
        odds(*RULED, combat.LARGEST_TOLD)


@pytest.mark.parametrize("fleets", [(MIDDLING, MIDDLING), RULED])
def test_the_odds_can_be_cancelled_at_any_moment(fleets: tuple[Fleet, Fleet]) -> None:
    class TiredOfIt(Exception):
        pass

    left = [200]

    def breathe() -> None:
        left[0] -= 1
        if not left[0]:
            raise TiredOfIt

    with pytest.raises(TiredOfIt):
        odds(*fleets, breathe=breathe)


def test_a_quarter_of_what_is_free_but_never_more_than_the_limit() -> None:
    assert room_of("MemTotal: 900000 kB\nMemAvailable:   409600 kB\n") == 100 * MEGABYTE
    assert room_of("MemAvailable: 64000000 kB\n") == MOST
    assert room_of("MemTotal: 900000 kB\n") == MOST


def test_without_room_the_odds_are_estimated(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.games.eclipse.odds.allowed", lambda: 64 * MEGABYTE)
    fleet = to_builtins(RICH)
    assert odds_of({"attacker": fleet, "defender": fleet}).error > 0


def test_the_table_says_that_it_estimates(monkeypatch: pytest.MonkeyPatch) -> None:
    def too_large(*_: object) -> None:
        raise TooLarge

    state = table([seat("Ania", "terran-union")], sector("sector-101", (0, {"dreadnought": 2}), ancients=1))
    exact = chances(state, HERE)
    monkeypatch.setattr(combat, "odds", too_large)
    combat._odds.cache_clear()
    notes = [render(note, "en") for note in told_odds(state, HERE)]
    guess = chances(state, HERE)
    assert all(share.estimated for share in shares(state, HERE))
    combat._odds.cache_clear()
    assert exact is not None
    assert guess is not None
    assert abs(exact.attacker_win - guess.attacker_win) < guess.error
    assert sum("Estimated" in note for note in notes) == 1


def test_what_is_remembered_between_battles_has_an_end() -> None:
    assert struck.cache_info().maxsize == KEPT_WAYS
