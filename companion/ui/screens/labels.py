"""Still to be built."""

from __future__ import annotations

from companion.ui.kit import Column, Part, Scroll
from companion.ui.screen import Screen


class Labels(Screen):
    """Still to be built."""

    name = "labels"

    def build(self) -> Part:
        return self.page("labels", Scroll(Column([])))
