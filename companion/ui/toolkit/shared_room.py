"""Parts that share a fixed height, so that a page never scrolls."""

from __future__ import annotations

from collections.abc import Sequence

from companion.ui.toolkit.covers import Cover, whole
from companion.ui.toolkit.kit import Group, Icon, Part, Tap, theme
from companion.ui.toolkit.snug import Snug
from companion.ui.toolkit.theme import TARGET

MOST_LEAD = 0.44
"""The largest share of a tile's width that its drawing takes."""


class Shared(Group):
    """Parts below each other that fill the height, each by its share."""

    def __init__(self, parts: Sequence[tuple[Part, float]], gap: float = 8) -> None:
        super().__init__([part for part, _ in parts], gap)
        self.shares = [share for _, share in parts]

    def fit(self, width: float) -> float:
        return sum(theme().px(share) for share in self.shares) + self.gap * (len(self.parts) - 1)

    def place(self, x: float, y: float, width: float, height: float) -> None:
        super().place(x, y, width, height)
        room, top = height - self.gap * (len(self.parts) - 1), y + height
        for part, share in zip(self.parts, self.shares, strict=True):
            high = room * share / sum(self.shares)
            part.place(x, top - high, width, high)
            top -= high + self.gap


class WordsBelow(Group):
    """Lines of text below each other, most important first; lines that do not fit at their smallest size are
    left out."""

    parts: list[Snug]

    def __init__(self, lines: Sequence[Snug]) -> None:
        super().__init__([], gap=0)
        self.lines = list(lines)

    def fit(self, width: float) -> float:
        return sum(line.lowest(width) for line in self.lines)

    def natural(self) -> float:
        return max(line.natural() for line in self.lines)

    def place(self, x: float, y: float, width: float, height: float) -> None:
        super().place(x, y, width, height)
        self.clear_widgets()
        shown: list[Snug] = []
        for line in self.lines:
            if shown and sum(one.lowest(width) for one in (*shown, line)) > height:
                break
            if not shown or line.fits(width, height):
                shown.append(line)
        left = height
        highs: list[float] = []
        for n, line in enumerate(shown):
            rest = sum(one.lowest(width) for one in shown[n + 1 :])
            highs.append(
                line.high(width, max(line.lowest(width), min(left - rest, left * _share(shown[n:]))))
            )
            left -= highs[-1]
        top = y + height - left / 2
        for line, high in zip(shown, highs, strict=True):
            self.add_widget(line)
            line.place(x, top - high, width, high)
            top -= high


def _share(lines: Sequence[Snug]) -> float:
    """The first line's share of the height, by font size."""
    return lines[0].largest / sum(line.largest for line in lines)


class IconBeside(Part):
    """A drawing or icon at the left, with vertically centred text beside it."""

    def __init__(self, lead: Part, words: Snug | WordsBelow) -> None:
        super().__init__()
        self.lead, self.words, self.gap = lead, words, theme().px(10)
        self.add_widget(lead)
        self.add_widget(words)

    def fit(self, width: float) -> float:
        return theme().px(TARGET)

    def natural(self) -> float:
        return self.lead.natural() + self.gap + self.words.natural()

    def place(self, x: float, y: float, width: float, height: float) -> None:
        super().place(x, y, width, height)
        wide, high = self.lead.natural(), height
        if isinstance(self.lead, Cover):
            spare = width - self.gap - self.words.natural()
            wide, high = whole(max(spare, width * MOST_LEAD * 0.8), height)
            wide, high = whole(min(wide, width * MOST_LEAD), high)
        self.lead.place(x, y + (height - high) / 2, wide, high)
        left = wide + self.gap
        self.words.place(x + left, y, width - left, height)


class Aside(Part):
    """A part that takes the full width except for a button at its right."""

    def __init__(self, part: Part, tap: Tap) -> None:
        super().__init__()
        self.part, self.tap, self.gap = part, tap, theme().px(8)
        self.add_widget(part)
        self.add_widget(tap)

    def fit(self, width: float) -> float:
        return theme().px(TARGET)

    def place(self, x: float, y: float, width: float, height: float) -> None:
        super().place(x, y, width, height)
        wide = max(self.tap.natural(), height)
        self.tap.place(x + width - wide, y, wide, height)
        self.part.place(x, y, width - wide - self.gap, height)


class Tool(Part):
    """An icon with text below it, or beside it in a low place; there, text that `may_go` is left out."""

    def __init__(
        self, icon: str, words: Snug, tone: str = "dim", size: str = "prompt", may_go: bool = False
    ) -> None:
        super().__init__()
        self.icon, self.words, self.may_go = Icon(icon, size, tone), words, may_go
        self.add_widget(self.icon)
        self.add_widget(words)

    def fit(self, width: float) -> float:
        return theme().px(TARGET)

    def place(self, x: float, y: float, width: float, height: float) -> None:
        super().place(x, y, width, height)
        wide, high = self.icon.natural(), self.icon.fit(width)
        left = wide + theme().px(8)
        if self.words.fits(width, height - high):
            self.words.halign = "center"
            self.words.place(x, y, width, height - high)
            self.icon.place(x, y + height - high, width, high)
        elif self.may_go:
            self.remove_widget(self.words)
            self.icon.place(x, y, width, height)
        else:
            self.icon.place(x, y, wide, height)
            self.words.place(x + left, y, width - left, height)


__all__ = ["Aside", "IconBeside", "Shared", "Tool", "WordsBelow"]
