"""What must be loaded before there is a second thread.

msgspec builds a type when it is first used, and other threads can see it half built: two threads that decode
the same new type at once crash the program. So one thread uses everything once, alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

from msgspec import Struct, json

from companion.core.game import every_game
from companion.recognition.labels import books


def warm_up() -> None:
    """Read every game's files and build every type; call this before starting the first thread."""
    for game in every_game().values():
        game.every_component()
    books()
    for type_ in _kinds(Struct):
        with suppress(TypeError, NameError):  # types that cannot be decoded are decoded nowhere
            json.Decoder(type_)


def _kinds(of: type[Struct]) -> Iterator[type[Struct]]:
    """All subclasses of this type so far, also indirect ones."""
    for kind in of.__subclasses__():
        yield kind
        yield from _kinds(kind)
