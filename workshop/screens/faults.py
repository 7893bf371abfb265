"""The results of a layout campaign as values: faults and demonstrations. Imports no Kivy."""

from __future__ import annotations

import msgspec


class FoundFault(msgspec.Struct, frozen=True, tag=True):
    """A fault, and where it was first seen."""

    kind: str
    what: str
    screen: str
    game: str
    asked: str
    entries: int
    window: str
    language: str
    text_size: int
    picture: str = ""

    def __str__(self) -> str:
        where = " ".join(word for word in (self.game, self.screen, self.asked) if word)
        how = f"{self.window} {self.language} {self.text_size} %"
        return f"{self.kind}: {self.what} ({where}, entry {self.entries}, {how}) {self.picture}".rstrip()


class Played(msgspec.Struct, frozen=True, tag=True):
    """A demonstration that was played: how many pages were checked, and whether it came to its end."""

    game: str
    window: str
    pages: int
    entries: int
    over: bool
