"""A game's calculation: its numbers to set by touch, and the answer in sentences."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from msgspec.structs import replace

from companion.core.counters import Correctable
from companion.core.parts import GameTool
from companion.core.words import Text
from companion.errors import Trouble
from companion.ui.toolkit.kit import Column, Part, Scroll, Tap, Tiles, Words
from companion.ui.toolkit.screen import Screen
from companion.ui.toolkit.stepper import shown

if TYPE_CHECKING:
    from companion.ui.toolkit.context import Context


class ToolScreen(Screen):
    """The numbers as told so far; the answer belongs to the numbers it was asked with."""

    name = "tool"

    def __init__(self, app: Context, tool: GameTool) -> None:
        super().__init__(app)
        self.tool = tool
        self.told = {field.id: field.value for field in tool.fields}
        self.answer: tuple[Text, ...] = ()

    def build(self) -> Part:
        groups: dict[str, list[Part]] = {}
        for field in self.tool.fields:
            title = "" if field.group is None else self.desk.words(field.group)
            groups.setdefault(title, []).append(self._field(field))
        panels = [self.panel(*parts, title=title, gap=8) for title, parts in groups.items()]
        lines = [Words(self.desk.words(text), "body", bold=True) for text in self.answer]
        answer = self.panel(*lines) if lines else None
        ask = Tap(self.t("ui.tool-ask"), self._ask, icon="play", kind="main", name="calculate")
        body = Scroll(Column([answer, Tiles(panels, 330)]), key="tool")
        return self.page(self.desk.words(self.tool.text), body, ask)

    def _field(self, field: Correctable) -> Part:
        now = replace(field, value=self.told[field.id])
        return shown(self, now, partial(self._set, field), lambda: None)

    def _set(self, field: Correctable, value: int) -> None:
        self.told[field.id] = max(field.low, min(field.high, value))
        self.answer = ()
        self.app.refresh()

    def _ask(self) -> None:
        told = dict(self.told)

        def answered(answer: tuple[Text, ...]) -> None:
            if told == self.told:
                self.answer = answer
                self.app.refresh()

        def failed(trouble: Trouble) -> None:
            self.answer = getattr(trouble, "problems", ()) or (trouble.text,)
            self.app.refresh()

        self.app.thread_pool.do(lambda: self.tool.tell(told), answered, failed)
