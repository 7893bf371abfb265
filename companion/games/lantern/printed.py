"""What is printed on the cards, in words."""

from __future__ import annotations

from companion.core.components import UNKNOWN
from companion.core.game import Printed
from companion.core.words import plain, say
from companion.games.lantern.things import Light


def printed(light: Light) -> tuple[Printed, ...]:
    """Every fact of a card in words."""
    told = () if light.light is UNKNOWN else (plain(str(light.light)),)
    copies = Printed("copies", say("lantern.field.copies"), (plain(str(light.copies)),))
    return (Printed("light", say("lantern.field.light"), told, (0, 3)), copies)
