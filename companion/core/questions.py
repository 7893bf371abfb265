"""Questions, the options they offer, and answers."""

from __future__ import annotations

from msgspec import Struct

from companion.core.words import Text


class Option(Struct, frozen=True):
    """One thing that may be answered; a scan of `component` answers it too, and so does a tap on `place` of the map."""

    id: str
    text: Text
    component: str | None = None
    detail: Text | None = None
    place: str | None = None


class Question(Struct, frozen=True):
    """What we wait for, from whom (`None` = from the table), with the most sensible option first.

    Where no option is more sensible than the others, `has_default` is false: a button pressed by accident must not
    choose somebody's action.
    """

    slug: str
    seat: int | None
    text: Text
    options: tuple[Option, ...]
    secret: bool = False
    has_default: bool = True

    @property
    def default(self) -> Option | None:
        """What the seat's button answers, if it may."""
        return self.options[0] if self.has_default else None

    def option(self, id: str) -> Option | None:
        """The option with this id, if it is offered."""
        return next((o for o in self.options if o.id == id), None)


class Answer(Struct, frozen=True):
    """An option chosen; the slug keeps a late tap from answering the next question."""

    seat: int | None
    slug: str
    option: str
