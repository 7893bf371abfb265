"""Recognises double touches: what appeared under the finger between the two was not meant."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from kivy.core.window import Window

from companion.core.questions import Question
from companion.core.session import Session

TWICE = 0.4
"""A second touch within this many seconds belongs to the first; people cannot read and answer a new question
sooner."""

NEAR = 0.1
"""How far apart the two touches may be, relative to the shorter side of the window."""


def asked_of(session: Session, question: Question) -> tuple[object, ...]:
    """Identifies a question, also among similar later ones; all picks of one question share an identity."""
    done = 0 if question.tally is None else question.tally.done
    words = {name: said for name, said in question.text.args.items() if name != "n"}
    times = session.times(question.seat, question.slug) - done
    return question.seat, question.slug, times, question.text.key, words


class Touches:
    """Remembers the last touch that hit something."""

    def __init__(self) -> None:
        self.when: Callable[[Any], float] = lambda touch: float(touch.time_start)
        """The time of a touch."""
        self.forget()

    def forget(self) -> None:
        """Treat the next touch as a first one."""
        self._what: tuple[str, object] = ("", None)
        self._at, self._place = -math.inf, (0.0, 0.0)

    def again(self, touch: Any, name: str, about: object = None, repeats: bool = False) -> bool:
        """Whether this belongs to the touch before it. Touching the same key again is typing, unless it
        decides something (`about`). With `repeats`, each touch of the same question counts, whichever option
        it hits."""
        place = (touch.sx * Window.width, touch.sy * Window.height)
        near = math.dist(place, self._place) < NEAR * min(Window.size)
        at = self.when(touch)
        soon = 0 < at - self._at < TWICE
        typed = about is None and (name, about) == self._what
        same = typed or (repeats and about == self._what[1])
        if near and soon and not same:
            return True
        if at != self._at:
            self._what, self._at, self._place = (name, about), at, place
        return False
