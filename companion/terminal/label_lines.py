"""Prints what was read in pictures."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from msgspec.structs import replace
from rich.table import Table
from rich.text import Text as Styled

from companion.core.components import Catalogue
from companion.core.words import Text, decimal, say
from companion.recognition import reading, zones
from companion.recognition.zones import Zone
from companion.results.output import Output
from companion.table.settings import remember_zone, zone_of
from companion.texts import render, shown


def plain_read(read: reading.Read, language: str) -> dict[str, Any]:
    """A label that was read, as plain values for JSON."""
    sighting = read.sighting
    return {
        "code": sighting.text,
        "game": read.game,
        "component": read.piece.component if read.piece else None,
        "copy": read.piece.copy if read.piece else None,
        "name": None if read.name is None else render(read.name, language),
        "corners": [[round(x, 1), round(y, 1)] for x, y in sighting.corners],
        "how": sighting.how,
        "sure": round(sighting.sure, 4),
        "pixels_per_module": round(sighting.module, 2),
    }


def print_reads(rows: list[tuple[str, reading.Read]], language: str) -> None:
    """Print labels that were read, each with the picture it was in."""
    if not rows:
        tell(say("see.nothing"), language)
        return
    several = len({path for path, _ in rows}) > 1
    table = Table()
    for key in ("code", "component", "where", "how", "pixels"):
        table.add_column(render(say(f"see.column-{key}"), language))
    for path, read in rows:
        x, y = (round(sum(values) / 4) for values in zip(*read.sighting.corners, strict=True))
        where = f"{Path(path).name} {x},{y}" if several else f"{x},{y}"
        how = f"{read.sighting.how} {read.sighting.sure:.0%}"
        name = render(read.name or say("see.foreign"), language)
        pixels = render(decimal(read.sighting.module), language)
        # As plain text: what is printed on an unknown code must not become colours or links.
        table.add_row(
            *(Styled(shown(words)) for words in (read.sighting.text[:40], name, where, how, pixels))
        )
    Output().print(table)


def names_of(box: Catalogue[Any], components: Iterable[str]) -> tuple[Text, ...]:
    """The names of these components in a box."""
    return tuple(box[c].called for c in components)


def named_in(box: Catalogue[Any], read: reading.Read) -> reading.Read:
    """The same reading with the component's name from a box."""
    return replace(read, name=box[read.piece.component].called) if read.piece else read


def zone_told(seat: str | None, word: str | None, language: str) -> Zone | None:
    """The part of the picture that counts: as given now, otherwise as set earlier for this seat."""
    if word is None:
        part = zone_of(seat) if seat else None
    else:
        part = zones.parse(word)
        if seat:
            remember_zone(seat, part)
    if part is not None and seat:
        tell(say("see.zone", seat=seat, zone=zones.words(part)), language, sys.stderr)
    elif word == zones.WHOLE and seat:
        tell(say("see.zone-whole", seat=seat), language, sys.stderr)
    return part


def tell(text: Text, language: str, to: Any = None) -> None:
    """Print a sentence."""
    print(render(text, language), file=to or sys.stdout)
