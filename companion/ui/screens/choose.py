"""Still to be built."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.ui.kit import Column, Part, Scroll
from companion.ui.screen import Screen

if TYPE_CHECKING:
    from companion.app import CompanionApp


class ChooseScreen(Screen):
    """Still to be built."""

    name = "choose"

    def __init__(self, app: CompanionApp, seat: int | None = None) -> None:
        super().__init__(app)
        self.seat = seat

    def build(self) -> Part:
        return self.page("choose", Scroll(Column([])))
