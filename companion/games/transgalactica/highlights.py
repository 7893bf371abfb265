"""Highlights of a play that are worth a picture."""

from __future__ import annotations

from companion.core.parts import Highlight

HIGHLIGHTS: tuple[Highlight, ...] = ()
