"""Stands where combat will: everybody looks away."""

from __future__ import annotations

from msgspec import Struct

from companion.core.agenda import Do
from companion.games.eclipse.state import EclipseState


class Combat(Do, Struct, frozen=True, tag="combat"):
    """No battle is fought."""

    def do(self, state: EclipseState) -> EclipseState:
        return state
