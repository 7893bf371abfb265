"""Finished tables of Beyond the Sun that are impossible whatever the cards print."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from companion.core.positions import quoted
from companion.core.table_files import out_of_bounds
from companion.core.words import Text, plain, say
from companion.games.beyond.component_types import CUBES, TRACK, Technology
from companion.games.beyond.position_cards import CONTROLLED, PLACES
from companion.games.beyond.position_table import (
    COUNTS,
    DISC_PLACES,
    DISCS,
    HIGHEST,
    PRIVATE_LEVELS,
    Faction,
    Table,
)

IN_PLAY, CORE = 4, 2
"""Achievements on a table, and how many of them are in every play (rule 21)."""
DISCS_PER_COLONY = 2


def problems(table: Table) -> Iterator[Text]:
    """Everything about these factions that no play can lead to."""
    for faction in table.factions:
        yield from _number_problems(faction)
        yield from _technology_problems(faction)
        yield from _ship_problems(faction)
        yield from _disc_problems(faction)
        yield from _slot_problems(faction, table)
    yield from _shared_problems(table)


def _number_problems(faction: Faction) -> Iterator[Text]:
    seat, sound = faction.seat, True
    for wrong in out_of_bounds(seat):
        sound = False
        yield _out_of_bounds(faction, wrong.field, wrong.n, wrong.most)
    for what, n in seat.counts.items():
        if what not in COUNTS:
            yield _no_key(faction, "counts", what, COUNTS)
        elif not 0 <= n <= COUNTS[what]:
            yield _out_of_bounds(faction, f"counts.{what}", n, COUNTS[what])
        elif n < faction.named(what):
            yield say("beyond.position.fewer", seat=faction.where, what=what, n=n, named=faction.named(what))
    if sound and faction.cubes > CUBES:
        yield say("beyond.position.cubes", seat=faction.where, n=faction.cubes, most=CUBES)


def _out_of_bounds(faction: Faction, field: str, n: int, most: int) -> Text:
    return say("beyond.position.number", seat=faction.where, field=field, n=n, most=most)


def _no_key(faction: Faction, field: str, word: str, known: Sequence[str] | dict[str, int]) -> Text:
    where = f"{faction.where}, {field}"
    return say("beyond.position.no-key", where=where, id=quoted(word), known=tuple(map(plain, known)))


def _technology_problems(faction: Faction) -> Iterator[Text]:
    for card in faction.private:
        if card.level not in PRIVATE_LEVELS:
            yield say("beyond.position.private-level", seat=faction.where, card=card.called)
        if card in faction.tree:
            yield say("beyond.position.tree-and-private", card=card.called)
    for level in (1, 2, 3, 4):
        what = f"level-{level}"
        if faction.named(what) > COUNTS[what]:
            yield _too_many(faction.named(what), level)


def _too_many(n: int, level: int) -> Text:
    return say("beyond.position.spaces", n=n, level="I" * level, most=COUNTS[f"level-{level}"])


def _ship_problems(faction: Faction) -> Iterator[Text]:
    for place, levels in faction.ships.items():
        for level in dict.fromkeys(levels):
            if not 1 <= level <= HIGHEST:
                yield say("beyond.position.ship", seat=faction.where, place=place, level=level, most=HIGHEST)
    for word, n in faction.seat.strength.items():
        if word not in PLACES:
            yield _no_key(faction, "strength", word, PLACES)
        elif not 0 <= n <= HIGHEST * CUBES:
            yield _out_of_bounds(faction, f"strength.{word}", n, HIGHEST * CUBES)
        elif word in faction.ships and sum(faction.ships[word]) != n:
            ships = sum(faction.ships[word])
            yield say("beyond.position.strength", seat=faction.where, place=word, n=n, ships=ships)


def _disc_problems(faction: Faction) -> Iterator[Text]:
    """There are eight discs of a kind, wherever they lie, and each place has a maximum (rules 3, 82, 156)."""
    seat, told = faction.seat, faction.seat.discs
    for kind, lying in told.items():
        if kind not in DISCS:
            yield _no_key(faction, "discs", kind, DISCS)
        for place, n in lying.items():
            if place not in DISC_PLACES:
                yield _no_key(faction, f"discs.{quoted(kind)}", place, DISC_PLACES)
            elif n < 0:
                yield _out_of_bounds(faction, f"discs.{quoted(kind)}.{place}", n, TRACK)
    for kind, field in (("food", "food_discs"), ("ore", "ore_discs")):
        left, away = getattr(seat, field) or 0, sum(told.get(kind, {}).values())
        n = left + away
        if left <= TRACK < n:
            yield say(f"beyond.position.{kind}-discs", seat=faction.where, n=n, most=TRACK)
    room = {
        "automation": max(0, seat.automation),
        "bases": faction.total("bases"),
        "systems": DISCS_PER_COLONY * faction.total("systems"),
    }
    for place, most in room.items():
        n = sum(lying.get(place, 0) for lying in told.values())
        if n > most:
            yield say("beyond.position.discs-at", seat=faction.where, place=place, n=n, most=most)


def _slot_problems(faction: Faction, table: Table) -> Iterator[Text]:
    for id, slot in faction.achievements.items():
        card, holders = table.achievement(id), len(table.holders(id))
        slots = table.slots(id)
        if slot is not None and slot > len(table.factions if slots is None else slots):
            yield say("beyond.position.no-slot", seat=faction.where, card=card.called, slot=slot)
        elif slot is not None and slot > holders:
            yield say("beyond.position.gap", seat=faction.where, card=card.called, slot=slot, holders=holders)


# Problems between seats


def _shared_problems(table: Table) -> Iterator[Text]:
    yield from _tree_problems(table)
    yield from _system_problems(table)
    yield from _achievement_problems(table)
    for event in {card.id: card for faction in table.factions for card in faction.events}.values():
        kept = [faction.where for faction in table.factions if event in faction.events]
        if event.lies == "before-you" and len(kept) > 1:
            yield _several("kept", event.called, kept)
    boards = [faction.board for faction in table.factions if faction.board is not None]
    for board in {board.id: board for board in boards}.values():
        if boards.count(board) > 1:
            owners = [faction.where for faction in table.factions if faction.board == board]
            yield _several("one-board", board.called, owners)


def _several(key: str, card: Text, seats: Sequence[str]) -> Text:
    return say(f"beyond.position.{key}", card=card, seats=tuple(map(plain, seats)))


def _tree_problems(table: Table) -> Iterator[Text]:
    """Every technology card exists once, and a level has a fixed number of spaces."""
    tree: dict[str, Technology] = {card.id: card for faction in table.factions for card in faction.tree}
    for level in (1, 2, 3, 4):
        n = sum(card.level == level for card in tree.values())
        alone = any(faction.named(f"level-{level}") == n for faction in table.factions)
        if n > COUNTS[f"level-{level}"] and not alone:
            yield _too_many(n, level)
    private: dict[str, list[str]] = {}
    for faction in table.factions:
        for card in faction.private:
            private.setdefault(card.id, []).append(faction.where)
            if card.id in tree and card not in faction.tree:
                yield say("beyond.position.tree-and-private", card=card.called)
    for id, owners in private.items():
        if len(owners) > 1:
            yield _several("private-twice", table.cards.by_id[id].called, owners)


def _system_problems(table: Table) -> Iterator[Text]:
    """A colonised system has one owner and is off the board; a location has one controller (rules 131, 164)."""
    colonised: dict[str, list[str]] = {}
    controlled: dict[str, list[str]] = {}
    for faction in table.factions:
        for card in faction.systems:
            colonised.setdefault(card.id, []).append(faction.where)
        for base in faction.bases:
            controlled.setdefault(base, []).append(faction.where)
    for id, owners in colonised.items():
        name = table.cards.by_id[id].called
        if len(owners) > 1:
            yield _several("colonised-twice", name, owners)
        flying = [faction.where for faction in table.factions if id in faction.ships]
        if lying := [*controlled.get(id, []), *flying]:
            yield _several("colonised-on-board", name, list(dict.fromkeys(lying)))
    for base, owners in controlled.items():
        if len(owners) > 1:
            name = plain(base) if base in CONTROLLED else table.cards.by_id[base].called
            yield _several("two-controllers", name, owners)


def _achievement_problems(table: Table) -> Iterator[Text]:
    """Four cards lie on the table: two that are in every play, one of pile A and one of pile B (rule 21)."""
    claimed = list(dict.fromkeys(id for faction in table.factions for id in faction.achievements))
    cards = [table.achievement(id) for id in claimed]
    others = [card for card in cards if card.pile != "core"]
    names = tuple(card.called for card in others)
    if len(others) > IN_PLAY - CORE:
        yield say("beyond.position.achievements", cards=names, most=IN_PLAY - CORE)
    for pile in ("A", "B"):
        same = tuple(card.called for card in others if card.pile == pile)
        if len(same) > 1:
            yield say("beyond.position.one-pile", pile=pile, cards=same)
    for card in cards:
        holders, slots = table.holders(card.id), table.slots(card.id)
        if slots is not None and len(holders) > len(slots):
            yield say("beyond.position.slots", card=card.called, n=len(holders), most=len(slots))
        told = [faction.achievements[card.id] for faction in holders]
        for slot in {slot for slot in told if slot is not None and told.count(slot) > 1}:
            yield say("beyond.position.same-slot", card=card.called, slot=slot)
