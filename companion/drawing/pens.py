"""What faces are drawn with: a game's tints, a text measure, the size of a pixel."""

from __future__ import annotations

from msgspec import Struct

from companion.core.faces import Face, Sign, Signs, Tints
from companion.drawing import signs
from companion.drawing.colours import CARD, Backing
from companion.drawing.signs import StrokeGroup
from companion.drawing.strokes import Measure
from companion.drawing.symbols import BOARD, NAME, drawn_as
from companion.texts import capital, render

PLAIN = ("#B4C0D4", "#DCE3EE", "#46566F")
"""The colours of a face without a known tint."""


class Pen(Struct, frozen=True):
    """Draws the signs of one game on faces."""

    game: str
    tints: Tints
    measure: Measure
    language: str
    unit: float = 1.0
    backing: Backing = CARD
    smallest: float = 0.0
    """Minimum size of a name's letters in pixels; 0 means the default for this unit."""
    least_figures: float = 0.0
    """The same for figures, which are shorter and may stay smaller if words are enlarged."""

    def name(self, shown: Face) -> str:
        """The name of a face in the pen's language."""
        return render(shown.name, self.language)

    def short(self, shown: Face) -> str:
        """Its short name, or the full one if it has none."""
        return self.name(shown) if shown.short is None else capital(render(shown.short, self.language))

    @property
    def letters(self) -> float:
        """The smallest size of a name's letters here."""
        return self.smallest or NAME * self.unit

    @property
    def figures(self) -> float:
        """The smallest size of figures: it scales with the screen, but not with a text size the user chose."""
        return min(self.letters, self.least_figures or self.letters)

    def tint(self, name: str) -> tuple[str, str, str]:
        """The colours of this tint."""
        return self.tints.get(name, PLAIN)

    def sign(self, sign: Sign, size: float) -> StrokeGroup:
        """One sign at this height."""
        return signs.sign(self.game, self.tints, sign, size, self.measure, self.backing, wanted=self.figures)

    def legible(self, sign: Sign) -> float:
        """The size from which the letters in this sign are as large as those of a name."""
        letters = drawn_as(self.game, sign).letters
        if not sign.value or letters is None:
            return 0.0
        across = self.measure(sign.value, self.letters, True) / self.letters
        return self.letters * BOARD / min(letters.size, letters.room / across)

    def row(self, shown: Signs, size: float, head: float = 1.0, smallest: float | None = None) -> StrokeGroup:
        """Signs side by side, with letters no smaller than those of a name; empty if there are none."""
        if not shown:
            return StrokeGroup((), 0, 0)
        least = self.letters if smallest is None else smallest
        return signs.row(self.game, self.tints, shown, size, self.measure, self.backing, head, least)

    def within(self, shown: Signs, size: float, room: float) -> StrokeGroup:
        """Signs side by side at this height, or as high as fits into `room`; letters are reduced last."""
        laid = self.row(shown, size)
        if laid.wide > room:
            laid = self.row(shown, size * room / laid.wide * 0.98)
        if laid.wide > room:
            laid = self.row(shown, size, smallest=self.figures)
        if laid.wide > room:
            laid = self.row(shown, size * room / laid.wide * 0.98, smallest=self.figures)
        if laid.wide > room:
            laid = self.row(shown, size, smallest=0.0)
        if laid.wide > room:
            laid = self.row(shown, size * room / laid.wide * 0.98, smallest=0.0)
        return laid
