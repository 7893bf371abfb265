"""Still to be built."""

from __future__ import annotations

from companion.ui.kit import Column, Part, Scroll
from companion.ui.screen import Screen


class Plays(Screen):
    """Still to be built."""

    name = "plays"

    def build(self) -> Part:
        return self.page("plays", Scroll(Column([])))
