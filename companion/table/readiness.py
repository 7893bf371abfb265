"""What must be there before a second thread is.

msgspec builds a type when it is first used, and shows it to other threads while it is half built: two threads that
decode the same new type at once end the whole program. So one thread uses everything once, alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

from msgspec import Struct, json

from companion.core.game import every_game
from companion.recognition.labels import books


def make_ready() -> None:
    """Read every game's files and build every type there is; whoever starts threads calls this before the first."""
    for game in every_game().values():
        game.every_component()
    books()
    for type_ in _kinds(Struct):
        with suppress(TypeError, NameError):  # what cannot be decoded at all is decoded nowhere
            json.Decoder(type_)


def _kinds(of: type[Struct]) -> Iterator[type[Struct]]:
    """Every type made of this one so far."""
    for kind in of.__subclasses__():
        yield kind
        yield from _kinds(kind)
