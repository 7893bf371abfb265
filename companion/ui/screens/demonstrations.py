"""Demonstrations: choose a game to watch."""

from __future__ import annotations

from functools import partial

from kivy.core.window import Window

from companion.core.game import Game, games
from companion.ui.screens.home import covered
from companion.ui.toolkit.covers import cover_of
from companion.ui.toolkit.kit import Part
from companion.ui.toolkit.screen import Screen
from companion.ui.toolkit.tiles import Cells

HIGHEST = 150


class Demonstrations(Screen):
    """A cover for each game, all in sight; a tap shows a whole play of it by bots."""

    name = "demonstrations"

    def build(self) -> Part:
        columns = 2 if Window.width < Window.height else 3
        covers = Cells([self._cover(game) for game in games().values()], columns, gap=8, most=HIGHEST)
        return self.page(self.t("ui.demo-which"), covers)

    def _cover(self, game: Game) -> Part:
        show = self.app.demonstrate_game
        assert show is not None  # nobody comes here otherwise
        name = f"demo-{game.id}"
        return covered(cover_of(game.id), game.box.called, partial(show, game), name, game.box.colour)
