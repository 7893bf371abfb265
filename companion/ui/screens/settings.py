"""Still to be built."""

from __future__ import annotations

from companion.ui.kit import Column, Part, Scroll
from companion.ui.screen import Screen


class SettingsScreen(Screen):
    """Still to be built."""

    name = "settings"

    def build(self) -> Part:
        return self.page("settings", Scroll(Column([])))
