"""Still to be built."""

from __future__ import annotations

from companion.ui.kit import Column, Part, Scroll
from companion.ui.screen import Screen


class BinderScreen(Screen):
    """Still to be built."""

    name = "binder"

    def build(self) -> Part:
        return self.page("binder", Scroll(Column([])))
