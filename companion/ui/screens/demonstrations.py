"""Demonstrations: choose a game to watch."""

from __future__ import annotations

from functools import partial

from companion.core.game import Game, games
from companion.ui.toolkit.covers import CoverTap, cover_of
from companion.ui.toolkit.kit import Part, Scroll, Tiles
from companion.ui.toolkit.screen import Screen


class Demonstrations(Screen):
    """A cover for each game; a tap shows a whole play of it by bots."""

    name = "demonstrations"

    def build(self) -> Part:
        covers = Tiles([self._cover(game) for game in games().values()], 200, gap=8).spread(140)
        return self.page(self.t("ui.demo-which"), Scroll(covers, key="demonstrations"))

    def _cover(self, game: Game) -> Part:
        show = self.app.demonstrate_game
        deed = None if show is None else partial(show, game)
        return CoverTap(cover_of(game.id), game.box.name, deed, name=f"demo-{game.id}")
