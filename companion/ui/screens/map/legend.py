"""The legend of a map."""

from __future__ import annotations

from companion.core.faces import Sign
from companion.core.views import MapView
from companion.drawing.symbols import called
from companion.ui.toolkit.kit import Part, Plate, Row, Scroll, Tiles, Words
from companion.ui.toolkit.screen import Showing
from companion.ui.toolkit.symbols import Symbol


def legend(of: Showing, map: MapView) -> Part:
    """Every sign of the map with its name."""
    return Plate(Scroll(Tiles([_line(of, sign) for sign in map.legend], 200, gap=8), key="legend"), pad=12)


def _line(of: Showing, sign: Sign) -> Part:
    game = of.desk.session.game
    name = of.desk.words(called(game.id, sign.symbol))
    return Row([Symbol(game, sign, 30), Words(name, "tile").fill()])
