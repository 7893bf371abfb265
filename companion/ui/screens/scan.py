"""Still to be built."""

from __future__ import annotations

from companion.ui.kit import Column, Part, Scroll
from companion.ui.screen import Screen


class Scan(Screen):
    """Still to be built."""

    name = "scan"

    def build(self) -> Part:
        return self.page("scan", Scroll(Column([])))
