"""The step that asks the table for a printed value nobody knows."""

from __future__ import annotations

from typing import Any, ClassVar

from msgspec import Struct
from msgspec.structs import replace

from companion.core.agenda import Ask
from companion.core.questions import Option, Question
from companion.core.words import Text, plain


class AskFact(Ask, Struct, frozen=True, tag="ask-fact"):
    """What does the card say? The answer is kept in the play and, by the binder, for every later one."""

    component: str
    field: str
    text: Text
    choices: tuple[str, ...]
    seat: int | None = None
    slug: ClassVar[str] = "core.fact"

    def ask(self, state: Any) -> Question:
        options = tuple(Option(c, plain(c)) for c in self.choices)
        return Question(self.slug, self.seat, self.text, options, has_default=False)

    def take(self, state: Any, option: str) -> Any:
        value = int(option) if option.lstrip("-").isdecimal() else option
        return replace(state, taught={**state.taught, f"{self.component}.{self.field}": value})

    def moot(self, state: Any) -> bool:
        return f"{self.component}.{self.field}" in state.taught
