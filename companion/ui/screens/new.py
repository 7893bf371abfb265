"""Still to be built."""

from __future__ import annotations

from companion.ui.kit import Column, Part, Scroll
from companion.ui.screen import Screen


class NewPlay(Screen):
    """Still to be built."""

    name = "new"

    def build(self) -> Part:
        return self.page("new", Scroll(Column([])))
