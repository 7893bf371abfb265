"""What was secret and is turned over: whether it is worth a moment, and what is shown then."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kivy.core.window import Window

from companion.core.words import News
from companion.table.proposals import Outcome
from companion.ui.toolkit.draw import Badge
from companion.ui.toolkit.kit import Part
from companion.ui.toolkit.symbols import FaceView

if TYPE_CHECKING:
    from companion.app import CompanionApp

HIGHEST, BROAD = 96, 1.8
"""How high a face is at most, and how wide to its height."""

TITLE, GAP = 110, 12
"""The room the title takes, and that between two rows."""


def revealed(app: CompanionApp) -> list[News]:
    """What the last deed turned over, by seat."""
    return [item for item in app.desk.news if item.kind == "reveal" and item.seat is not None]


def worth_a_moment(app: CompanionApp, outcome: Outcome) -> bool:
    """Whether somebody's cards were just turned over, and people want to see that."""
    fresh = any(item.kind == "reveal" for item in outcome.session.state.news)
    return fresh and app.desk.settings.moments and app.screen.name == "table" and bool(revealed(app))


def shown(app: CompanionApp) -> tuple[str, list[tuple[Part, str, list[Part]]]]:
    """The title, and for each seat its mark, its name and what it turned over."""
    session, marks = app.desk.session, app.desk.marks()
    seats: dict[int, list[Part]] = {}
    news = revealed(app)
    high = min(
        HIGHEST, (Window.height / app.look.unit - TITLE) / max(1, len({item.seat for item in news})) - GAP
    )
    for item in news:
        assert item.seat is not None
        seats.setdefault(item.seat, []).extend(_drawn(app, item, high))
    rows: list[tuple[Part, str, list[Part]]] = [
        (Badge(marks[seat], min(48, high) / app.look.text), session.setup.seats[seat], parts)
        for seat, parts in sorted(seats.items())
    ]
    return app.desk.say("ui.revealed"), rows


def _drawn(app: CompanionApp, item: News, high: float) -> list[Part]:
    game, catalogue = app.desk.session.game, app.desk.session.catalogue
    high /= app.look.text  # there is room for no more, however large the words are
    return [
        FaceView(game, game.face(catalogue[component]), high * BROAD, high) for component in item.components
    ]
