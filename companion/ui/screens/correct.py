"""Still to be built."""

from __future__ import annotations

from companion.ui.kit import Column, Part, Scroll
from companion.ui.screen import Screen


class Correct(Screen):
    """Still to be built."""

    name = "correct"

    def build(self) -> Part:
        return self.page("correct", Scroll(Column([])))
