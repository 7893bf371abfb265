"""Still to be built."""

from __future__ import annotations

from companion.ui.kit import Column, Part, Scroll
from companion.ui.screen import Screen


class History(Screen):
    """Still to be built."""

    name = "history"

    def build(self) -> Part:
        return self.page("history", Scroll(Column([])))
