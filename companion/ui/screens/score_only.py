"""Still to be built."""

from __future__ import annotations

from companion.ui.kit import Column, Part, Scroll
from companion.ui.screen import Screen


class ScoreOnly(Screen):
    """Still to be built."""

    name = "score-only"

    def build(self) -> Part:
        return self.page("score-only", Scroll(Column([])))
