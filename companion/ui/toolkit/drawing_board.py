"""Values that are drawn: lines between places, and places on empty ground."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from msgspec.structs import replace

from companion.core.fact_values import blank
from companion.core.forms import ENDS, Field, ListOf, Record, drawing, sketch
from companion.core.game import Game
from companion.core.hexes import HexPoint
from companion.core.views import LinkView, PlaceView
from companion.core.words import Text, plain
from companion.ui.toolkit.kit import Part
from companion.ui.toolkit.place_map import PlaceMap, Sight

APART = 1.6
"""The smallest distance between places."""


THERE = "there "
"""Prefix of the ids of places that were there before, to tell them from new ones."""


class DrawingBoard:
    """One drawing. Touching two places in turn draws a line between them, or removes it; touching empty
    ground puts a place there. Further values apply to the last line or place, and are the defaults of the
    next."""

    def __init__(
        self, game: Game, form: ListOf, change: Callable[[list[Any]], None], words: Callable[[Text], str]
    ) -> None:
        self.game, self.form, self.change, self.words = game, form, change, words
        self.sight = Sight()
        self.begun: str | None = None
        """The place where a line begins."""
        self.last: int | None = None
        """The line or place whose further values are being entered."""

    @property
    def more(self) -> tuple[Field, ...]:
        """The further values of each line or place."""
        where = ENDS if drawing(self.form) is not None else ("x", "y")
        item = self.form.item
        assert isinstance(item, Record)
        return tuple(field for field in item.fields if field.name not in where)

    def part(self, told: list[Any], chart: tuple[PlaceView, ...]) -> Part:
        """The map to touch; `chart` has the places lines can join, and places that are there from the start."""
        found = sketch(self.form)
        if found is not None:
            _, across, up = found
            frame = (across.low - 1.0, up.low - 1.0, across.high + 1.0, up.high + 1.0)
            put = {(one["x"], one["y"]) for one in told}
            there = [
                replace(place, id=f"{THERE}{place.id}") for place in chart if (place.x, place.y) not in put
            ]
            return PlaceMap(
                self.game,
                [*there, *(_spot(n, one) for n, one in enumerate(told))],
                (),
                self.words,
                self.sight,
                lambda id: self._choose(told, id),
                chosen=None if self.last is None else str(self.last),
                on_ground=lambda at: self._put(told, at, [(place.x, place.y) for place in there]),
                frame=frame,
            )
        links = [
            LinkView(one["one"], one["other"], self._on(one), dim=n != self.last)
            for n, one in enumerate(told)
        ]
        return PlaceMap(
            self.game,
            chart,
            (),
            self.words,
            self.sight,
            lambda place: self._touched(told, place),
            links=[link for link in links if {link.one, link.other} <= {place.id for place in chart}],
            chosen=self.begun,
        )

    def _on(self, line: dict[str, Any]) -> str:
        """The numbers of a line, written on it."""
        told = [line.get(field.name, field.usual) for field in self.more]
        return " ".join(
            str(value) for value in told if isinstance(value, int) and not isinstance(value, bool)
        )

    def _touched(self, told: list[Any], place: str) -> None:
        """Begin a line here, or end it: this draws it, or removes it if it existed."""
        begun, self.begun = self.begun, None
        if begun is None or begun == place:
            self.begun = place if begun is None else None
            self.change(told)
            return
        there = next((n for n, one in enumerate(told) if {one["one"], one["other"]} == {begun, place}), None)
        if there is not None:
            self.take_away(told, there)
        else:
            self._add(told, {"one": begun, "other": place})

    def _put(self, told: list[Any], at: HexPoint, there: Sequence[HexPoint]) -> None:
        """Put a place where the ground was touched, on the grid of its numbers, if no other is too close."""
        found = sketch(self.form)
        assert found is not None
        _, across, up = found
        x, y = round(at[0]), round(at[1])
        others = [*there, *((one["x"], one["y"]) for one in told)]
        close = any(abs(a - x) < APART and abs(b - y) < APART for a, b in others)
        if across.low <= x <= across.high and up.low <= y <= up.high and not close:
            self._add(told, {"x": x, "y": y})

    def _add(self, told: list[Any], new: dict[str, Any]) -> None:
        like = told[self.last] if self.last is not None and self.last < len(told) else {}
        needed = {f.name: like.get(f.name, blank(f.form)) for f in self.more if f.needed or f.name in like}
        self.last = len(told)
        self.change([*told, {**new, **needed}])

    def _choose(self, told: list[Any], id: str) -> None:
        """Enter more about this place; places that were there before cannot be changed."""
        if not id.startswith(THERE):
            self.last = None if self.last == int(id) else int(id)
            self.change(told)

    def take_away(self, told: list[Any], n: int) -> None:
        """Remove a line or place."""
        self.last = None
        self.change([*told[:n], *told[n + 1 :]])


def _spot(n: int, told: dict[str, Any]) -> PlaceView:
    return PlaceView(str(n), told["x"], told["y"], plain(str(n + 1)), plain(str(n + 1)), shape="disc")
