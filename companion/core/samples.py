"""Sample boxes for demonstrations: invented values and names for what is unknown.

They are never stored in anybody's own box.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import product

from companion.core.components import NAME, Component, Facts
from companion.texts import render

CODE = re.compile(r"[IVWH]+ \w+|(System|Event|Achievement)\b.* \w+")
"""The working name of a component whose name is unknown."""

FIRST = ("Ar", "Bel", "Cor", "Dal", "Er", "Fen", "Gal", "Hes", "Il", "Jor", "Kel", "Lor", "Mir", "Nov", "Or")
LAST = ("ia", "os", "ena", "ith", "um", "ara", "on", "is")
NAMES = tuple(first + last for last, first in product(LAST, FIRST))


def sample_names(box: Iterable[Component]) -> Facts:
    """A short invented name for each component that has only a code."""
    coded = [component.id for component in box if CODE.fullmatch(render(component.called, "en"))]
    return {f"{id}.{NAME}": name for id, name in zip(coded, NAMES, strict=False)}
