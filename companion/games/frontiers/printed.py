"""What is printed on tiles, goals and actions, in words; nearly every fact of a tile can be taught."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from companion.core.components import UNKNOWN, Component
from companion.core.forms import field_words, value_words
from companion.core.printed_facts import Printed
from companion.core.words import Text, plain, say
from companion.games.frontiers.component_types import Development, GoalTile, Home, Tile, World
from companion.games.frontiers.power_words import say_power, say_term
from companion.games.frontiers.powers import AnyPower
from scoring.frontiers import KEYWORDS

GAME = "frontiers"


def printed(component: Component) -> tuple[Printed, ...]:
    """Every fact of a component in words, in the order in which a tile is read."""
    if isinstance(component, Tile):
        return tuple(_of_tile(component))
    if isinstance(component, GoalTile):
        steps = (say("frontiers.printed.step", n=n, points=points) for n, points in component.steps)
        return (_row("steps", *steps), _copies(component))
    return (_copies(component),)


def _of_tile(tile: Tile) -> Iterator[Printed]:
    if isinstance(tile, World):
        yield from _of_world(tile)
    if isinstance(tile, Development):
        yield _row("cost", *_number(tile.cost), teach=not tile.large)
        yield _row("large", _yes(tile.large))
        yield _row("stack", plain(tile.stack) if tile.stack else say("core.form.nothing"))
    yield _row(
        "points", *([] if tile.points is UNKNOWN else [value_words(GAME, "points", tile.points)]), teach=True
    )
    words = () if tile.keywords is UNKNOWN else (word for word in KEYWORDS if word in tile.keywords)
    yield _many(
        "keywords", tile.keywords is not UNKNOWN, (say(f"frontiers.keywords.{word}") for word in words)
    )
    yield _many("powers", tile.powers is not UNKNOWN, map(_power, tile.powers or ()))
    yield _many("bonus", tile.bonus is not UNKNOWN, map(say_term, tile.bonus or ()))
    yield _copies(tile)


def _of_world(world: World) -> Iterator[Printed]:
    if isinstance(world, Home):
        yield _row("mat", plain(str(world.mat)))
        yield _row("white", _yes(world.white))
    for field in ("price", "product"):
        told = getattr(world, field)
        yield _row(field, *([] if told is UNKNOWN else [value_words(GAME, field, told)]), teach=True)
    yield _row("colonists", *_number(world.colonists), teach=not isinstance(world, Home))


def _power(power: AnyPower) -> Text:
    return say("frontiers.printed.power", phase=say(f"frontiers.phase.{power.phase}"), power=say_power(power))


def _number(value: object) -> Iterable[Text]:
    return () if value is UNKNOWN else (plain(str(value)),)


def _yes(value: bool) -> Text:
    return say("core.form.yes" if value else "core.form.no")


def _many(field: str, told: bool, values: Iterable[Text]) -> Printed:
    """Several values, or "nothing" if there are none; no value if the field is unknown."""
    return _row(field, *((tuple(values) or (say("core.form.nothing"),)) if told else ()), teach=True)


def _copies(component: Component) -> Printed:
    return _row("copies", plain(str(component.copies)))


def _row(field: str, *values: Text, teach: bool = False) -> Printed:
    return Printed(field, field_words(GAME, field), values, teach)
