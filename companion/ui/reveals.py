"""Revealing secret cards: whether to show it full-screen, and what is shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kivy.core.window import Window

from companion.core.words import News
from companion.table.signals import Outcome
from companion.ui.toolkit.draw import Badge
from companion.ui.toolkit.kit import Part
from companion.ui.toolkit.symbols import FaceView

if TYPE_CHECKING:
    from companion.ui.toolkit.context import WindowContext

HIGHEST, BROAD = 96, 1.8
"""The greatest height of a face, and its width relative to its height."""

TITLE, GAP = 110, 12
"""The height of the title, and the gap between two rows."""


def revealed(app: WindowContext) -> list[News]:
    """What the last deed revealed, by seat."""
    return [item for item in app.desk.news if item.kind == "reveal" and item.seat is not None]


def worth_a_moment(app: WindowContext, outcome: Outcome) -> bool:
    """Whether cards were just revealed and people want to see that full-screen."""
    fresh = any(item.kind == "reveal" for item in outcome.session.state.news)
    return fresh and app.desk.settings.moments and app.screen.name == "table" and bool(revealed(app))


def shown(app: WindowContext) -> tuple[str, list[tuple[Part, str, list[Part]]]]:
    """The title, and each seat's mark, name and revealed cards."""
    session, marks = app.desk.session, app.desk.marks()
    seats: dict[int, list[Part]] = {}
    news = revealed(app)
    high = min(
        HIGHEST, (Window.height / app.theme.unit - TITLE) / max(1, len({item.seat for item in news})) - GAP
    )
    for item in news:
        assert item.seat is not None
        seats.setdefault(item.seat, []).extend(_drawn(app, item, high))
    rows: list[tuple[Part, str, list[Part]]] = [
        (Badge(marks[seat], min(48, high) / app.theme.text), session.setup.seats[seat], parts)
        for seat, parts in sorted(seats.items())
    ]
    return app.desk.say("ui.revealed"), rows


def _drawn(app: WindowContext, item: News, high: float) -> list[Part]:
    game, catalogue = app.desk.session.game, app.desk.session.catalogue
    high /= app.theme.text  # there is no more room, however large the text is
    return [
        FaceView(game, game.face(catalogue[component]), high * BROAD, high) for component in item.components
    ]
