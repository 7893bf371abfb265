"""The printed facts of cards and boards in words; unknown ones can be taught."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import singledispatch
from typing import Any

from companion.core.components import UNKNOWN, Component
from companion.core.forms import field_words, value_words
from companion.core.printed_facts import Printed
from companion.core.words import Text, plain, say
from companion.games.beyond.component_types import (
    BASIC_ACTIONS,
    COLUMNS,
    SPECIALISATIONS,
    Achievement,
    AdvancedBoard,
    Basic,
    Board,
    Event,
    Guild,
    Route,
    Side,
    Slot,
    System,
    Technology,
    Tracks,
    TreeBoard,
    TreeLine,
    basic_board,
)
from companion.games.beyond.operations import TYPES
from companion.games.beyond.power_words import ROMAN, say_action, say_power

GAME = "beyond"
"""The prefix of this game's keys of words, as in `beyond.field.points`."""


def printed(component: Component) -> tuple[Printed, ...]:
    """Every fact of a component in words, in reading order."""
    return (*_rows(component), _row("copies", plain(str(component.copies))))


@singledispatch
def _rows(component: Component) -> Iterator[Printed]:
    raise NotImplementedError(type(component).__name__)


@_rows.register
def _(card: Technology) -> Iterator[Printed]:
    yield _row("level", plain(ROMAN[card.level]))
    yield _several("types", card.types, TYPES)
    yield _one("passes", card.passes)
    if card.types is UNKNOWN:
        yield _several("matches", card.matches, TYPES)
    yield _many("immediate", card.immediate, say_power)
    yield _many("actions", card.actions, say_action)
    yield _many("abilities", card.abilities, say_power)
    yield from _worth(card, teach=card.level == 4)


@_rows.register
def _(card: Event) -> Iterator[Printed]:
    level = () if card.event_level is UNKNOWN else (plain(ROMAN[card.event_level]),)
    yield _row("event_level", *level, teach=True)
    yield _row("light", _yes(card.light))
    yield _many("effects", card.effects, say_power)
    yield _one("lies", card.lies)
    yield _many("actions", card.actions, say_action)
    yield from _worth(card)


@_rows.register
def _(card: Achievement) -> Iterator[Printed]:
    yield _one("pile", card.pile)
    yield _row("condition", *([say_power(card.condition)] if card.condition else []), teach=True)
    yield _many("slots", card.slots, _slot)


@_rows.register
def _(card: System) -> Iterator[Printed]:
    yield _one("deck", card.deck)
    yield _row("start", *([] if card.start is UNKNOWN else [_yes(card.start)]), teach=True)
    yield _one("strength", card.strength)
    yield _several("specialisations", card.specialisations, SPECIALISATIONS)
    yield _many("control_bonus", card.control_bonus, say_power)
    yield _many("abilities", card.abilities, say_power)
    yield _many("colony_bonus", card.colony_bonus, say_power)
    yield from _worth(card)


def _worth(card: Technology | Event | System, *, teach: bool = True) -> Iterator[Printed]:
    """Points, and what a '?' counts."""
    told = () if card.points is UNKNOWN else (value_words(GAME, "points", card.points),)
    yield _row("points", *told, teach=teach)
    yield _row("formula", *([say_power(card.formula)] if card.formula else []), teach=teach)


@_rows.register
def _(card: Guild) -> Iterator[Printed]:
    yield _one("guild_level", card.guild_level)
    yield _many("actions", card.actions, say_action, teach=False)


@_rows.register
def _(tile: Basic) -> Iterator[Printed]:
    yield _row("players", plain(str(tile.players)))
    for action in BASIC_ACTIONS:
        field = action.replace("-", "_")
        yield _one(field, getattr(tile, field))
    yield _many("surcharge", tile.surcharge, _named("surcharge"))
    yield _row("shared", *([] if tile.shared is UNKNOWN else [_yes(tile.shared)]), teach=True)


@_rows.register
def _(board: Tracks) -> Iterator[Printed]:
    yield _many("growth", board.growth, _named("growth"))
    yield _many("ore_track", board.ore_track, _named("ore_track"))
    columns = zip(COLUMNS, board.columns.sizes, strict=True) if board.columns else ()
    yield _row("columns", *(plain(f"{letter.upper()} {n}") for letter, n in columns), teach=True)
    levels = board.automation.points if board.automation else ()
    yield _row("automation", *(plain(str(n)) for n in levels), teach=True)


@_rows.register
def _(board: Board) -> Iterator[Printed]:
    yield from _of_faction(board)


@_rows.register
def _(board: AdvancedBoard) -> Iterator[Printed]:
    yield from _of_faction(board)
    yield from _rows.dispatch(Tracks)(board)
    yield _many("abilities", board.abilities, say_power)


def _of_faction(board: Board | AdvancedBoard) -> Iterator[Printed]:
    yield _row("faction", basic_board(board).called)
    yield _many("extra_setup", board.extra_setup, say_power)


@_rows.register
def _(board: TreeBoard) -> Iterator[Printed]:
    for field in ("lines_2", "lines_3", "lines_4"):
        yield _many(field, getattr(board, field), _line)
    yield _several("two_of_three", board.two_of_three, ("iiii-a", "iiii-b", "iiii-c"))


@_rows.register
def _(side: Side) -> Iterator[Printed]:
    yield _row("players", *(plain(str(n)) for n in side.players))
    yield _many("yards", side.yards, _named("yards"))
    yield _many("routes", side.routes, _line)


# Rows


def _slot(slot: Slot) -> Text:
    return say("beyond.printed.slot-four" if slot.four else "beyond.printed.slot", n=slot.slot_points)


def _line(line: TreeLine | Route) -> Text:
    ends = {end: value_words(GAME, end, getattr(line, end)) for end in ("one", "other")}
    return say("beyond.printed.line", **ends)


def _named(field: str) -> Callable[[Any], Text]:
    return lambda value: value_words(GAME, field, value)


def _yes(value: bool) -> Text:
    return say("core.form.yes" if value else "core.form.no")


def _one(field: str, value: Any) -> Printed:
    """A row for one value, which may be unknown."""
    return _row(field, *([] if value is UNKNOWN else [value_words(GAME, field, value)]), teach=True)


def _several(field: str, told: Any, order: Iterable[str]) -> Printed:
    """A row for several of a few values, in their usual order."""
    return _many(field, UNKNOWN if told is UNKNOWN else [one for one in order if one in told], _named(field))


def _many(field: str, told: Any, said: Callable[[Any], Text], *, teach: bool = True) -> Printed:
    """A row for several values; it says "nothing" if there are none, and is empty if unknown."""
    if told is UNKNOWN:
        return _row(field, teach=teach)
    return _row(field, *(tuple(map(said, told)) or (say("core.form.nothing"),)), teach=teach)


def _row(field: str, *values: Text, teach: bool = False) -> Printed:
    return Printed(field, field_words(GAME, field), values, teach)
