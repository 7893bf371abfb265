"""How much the companion keeps track of: three cards, each with what it costs and what it gives."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from kivy.core.window import Window

from companion.core.binder import Binder
from companion.core.flow.game import shipped_flow
from companion.core.game import Game
from companion.core.journal import Journal
from companion.table.settings import Depth
from companion.ui.toolkit.kit import Icon, Part, theme
from companion.ui.toolkit.screen import Showing
from companion.ui.toolkit.snug import Snug
from companion.ui.toolkit.theme import SMALLEST_WORDS, TARGET
from companion.ui.toolkit.tiles import Cells, Tile

ICONS: dict[Depth, str] = {"everything": "cards", "turns": "timer", "score": "trophy"}
GIVES: dict[Depth, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "everything": (("rules", "points", "hands", "why"), ()),
    "turns": (("turn", "pools", "sheet"), ("no-rules",)),
    "score": (("explained",), ("no-turns", "not-kept")),
}
"""What each gives, and what it does not."""

UNKNOWN = 20
"""A box with at least this many components with unknown values counts as untaught."""

TITLE, COST, LINE = 28, 21, 21
"""The largest sizes of the name, of the cost and of what it gives."""


def depths_of(game: Game) -> tuple[Depth, ...]:
    """What can be chosen for a game: turns and pools need a flow, the score alone a scorer of finished tables."""
    middle: tuple[Depth, ...] = ("turns",) if shipped_flow(game.id) is not None else ()
    last: tuple[Depth, ...] = ("score",) if game.positions is not None else ()
    return ("everything", *middle, *last)


def first_evening(game: Game, journal: Journal, binder: Binder) -> bool:
    """Whether nobody has played this game here yet, and its box is mostly untaught."""
    if journal.played().get(game.id):
        return False
    setup = game.usual_setup(binder.facts(game.id))
    return len({id for id, _ in game.catalogue(setup, setup.facts).unknown()}) >= UNKNOWN


class DepthCards(Showing):
    """The three cards."""

    def cards(self, game: Game, chosen: Depth, choose: Callable[[Depth], Any]) -> Part:
        """All that this game offers, beside each other, or below each other on an upright screen."""
        tiles = [
            Tile(
                DepthCard(self, game, depth, depth == chosen),
                partial(choose, depth),
                f"depth-{depth}",
                ground="surface",
                edge="accent" if depth == chosen else "line",
                pad=8,
            )
            for depth in depths_of(game)
        ]
        return Cells(tiles, 1 if Window.width < Window.height else len(tiles), gap=8)

    def cost(self, game: Game, depth: Depth) -> str:
        """What it costs in touches."""
        if depth != "everything" or game.box.taps is None:
            return self.t(f"ui.depth-{depth}-cost")
        return self.t("ui.depth-everything-taps", n=f"{game.box.taps:.0f}")


class DepthCard(Part):
    """One depth: lines of icon and text, all in the largest sizes at which the whole card fits."""

    def __init__(self, showing: DepthCards, game: Game, depth: Depth, chosen: bool) -> None:
        super().__init__()
        t = showing.t
        gives, lacks = GIVES[depth]
        tick = "check-circle" if chosen else ICONS[depth]
        tone = "accent" if chosen else "dim"
        self.lines: list[tuple[str, str, str, str, float, bool]] = [
            (tick, tone, t(f"ui.depth-{depth}"), "text", TITLE, True),
            ("", "", t(f"ui.depth-{depth}-what"), "dim", LINE, False),
            ("gesture-tap", "accent", showing.cost(game, depth), "text", COST, True),
            *(("check", "good", t(f"ui.depth-gives-{one}"), "text", LINE, False) for one in gives),
            *(("minus", "dim", t(f"ui.depth-lacks-{one}"), "dim", LINE, False) for one in lacks),
        ]

    def fit(self, width: float) -> float:
        return theme().px(200)

    def place(self, x: float, y: float, width: float, height: float) -> None:
        super().place(x, y, width, height)
        self.clear_widgets()
        icon, gap = theme().px(32), theme().px(6)
        shrink = 1.0
        while True:
            said = [
                Snug(words, size * shrink, min(SMALLEST_WORDS, size * shrink), tone, bold=bold, lines=3)
                for _, _, words, tone, size, bold in self.lines
            ]
            highs = [one.high(width - icon, height) for one in said]
            if sum(highs) + gap * len(highs) <= height or shrink < 0.5:
                break
            shrink -= 0.05
        spare = max(0.0, height - sum(highs) - gap * (len(highs) - 1)) / max(1, len(highs))
        top = y + height
        for (sign, tint, *_), words, high in zip(self.lines, said, highs, strict=True):
            if sign:
                lead = Icon(sign, "detail", tint)
                self._put(lead, x, top - high, icon - gap, high)
            self._put(words, x + icon, top - high, width - icon, high)
            top -= high + gap + min(spare, theme().px(14))

    def _put(self, part: Part, x: float, y: float, width: float, height: float) -> None:
        self.add_widget(part)
        part.place(x, y, width, height)


class Limited(Part):
    """Text that takes two lines beside a button, and shrinks to fit them."""

    def __init__(self, words: Snug) -> None:
        super().__init__()
        self.words = words
        self.add_widget(words)

    def fit(self, width: float) -> float:
        return max(theme().px(TARGET), self.words.lowest(width))

    def natural(self) -> float:
        return self.words.natural()

    def place(self, x: float, y: float, width: float, height: float) -> None:
        super().place(x, y, width, height)
        self.words.place(x, y, width, height)
