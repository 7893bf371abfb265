"""A page to type words: a search, a note, a place, a name."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from companion.ui.toolkit.keyboard import Keyboard, TextField, Typing
from companion.ui.toolkit.kit import Page, Part, Row, Tap
from companion.ui.toolkit.screen import Screen

if TYPE_CHECKING:
    from companion.ui.toolkit.context import Context

ESCAPE = "27"


class WordsPage(Screen):
    """`done` gets the words; going back changes nothing."""

    name = "words-page"
    margin = 6

    def __init__(self, app: Context, hint: str, typed: str, done: Callable[[str], None]) -> None:
        super().__init__(app)
        self.hint, self._done = hint, done
        self.typing = Typing(typed, on_done=self._typed)

    def build(self) -> Part:
        back = Tap(icon="arrow-left", kind="quiet", on_tap=self.app.back, name="back")
        field = TextField(self.typing, self.hint)
        return Page(Row([back, field.fill()], gap=6), Keyboard(self.typing, self.t("ui.words-done")))

    def typed(self, key: str, character: str | None) -> bool:
        if key == ESCAPE:
            self.app.back()
            return True
        return self.typing.typed(key, character)

    def _typed(self) -> None:
        self.app.back()
        self._done(" ".join(self.typing.text.split()))
