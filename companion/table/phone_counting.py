"""What phones show while a finished table is counted: to each seat what it enters, to everybody how it stands."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec import Struct

from companion.core.counters import Correctable
from companion.results.score_only import Unplayed
from companion.table.counting import TableCounted, holdings, own_numbers
from companion.table.marks import Mark
from companion.table.phone_drawings import Drawer
from companion.table.phone_sheet import sheet_part
from companion.texts import render
from companion.wire import GUEST


class CountingPages(Struct, frozen=True):
    """Makes the pages of a table that is counted without having been played here."""

    counted: TableCounted
    marks: Sequence[Mark]
    drawer: Drawer
    joined: frozenset[str] = frozenset()

    def body(self, audience: int, language: str) -> bytes:
        """The page of an audience as JSON."""
        played = self.counted.played
        assert played is not None
        outcome = played.outcome()
        sheet = outcome.sheet if self.counted.shown else None
        points = {} if sheet is None else {seat.name: seat.total for seat in sheet.seats}
        page: dict[str, Any] = {
            "play": {
                "game": played.rules.box.name,
                "round": 0,
                "over": self.counted.shown,
                "paused": False,
                "phases": [],
                "alerts": [render(text, language) for text in outcome.problems],
                "pools": [],
                "meters": [],
            },
            "seats": [
                {
                    "seat": n,
                    "name": name,
                    "mark": {"colour": mark.colour, "shape": mark.shape, "letter": mark.letter},
                    "state": "",
                    "phone": name in self.joined,
                    "points": points.get(name),
                    "numbers": [
                        [render(one.text, language), render(one.called(one.value), language)]
                        for one in outcome.asked
                        if one.seat == n
                    ],
                    "brief": None,
                    "powers": [],
                    "components": self._lying(played, name, language),
                }
                for n, (name, mark) in enumerate(zip(played.seats, self.marks, strict=True))
            ],
            "latest": [],
            "counting": True,
        }
        if sheet is not None:
            page["sheet"] = sheet_part(sheet, played.seats, language)
        if audience == GUEST:
            page["tasks"] = []
        else:
            page["me"] = {"seat": audience, "questions": [], "secrets": [], "powers": [], "tasks": []}
            if not self.counted.shown:
                page["me"]["count"] = to_count(played, played.seats[audience], self.drawer, language)
        return msgspec.json.encode(page)

    def _lying(self, played: Unplayed, seat: str, language: str) -> list[dict[str, Any]]:
        lying = (played.catalogue[id] for id in (*played.mine(seat), *played.owned(seat)))
        return [
            {
                "id": "",
                "name": render(one.called, language),
                "face": self.drawer.face(played.rules.face(one), language),
                "notes": [],
            }
            for one in lying
        ]


def to_count(played: Unplayed, seat: str, drawer: Drawer, language: str) -> dict[str, Any]:
    """What a seat enters itself: which components it has, and what cannot be seen."""
    return {
        "pieces": [
            {
                "id": one.component.id,
                "name": render(one.component.called, language),
                "face": drawer.face(played.rules.face(one.component), language),
                "held": one.held,
                "most": one.most,
            }
            for one in holdings(played, seat)
        ],
        "numbers": [_number(one, language) for one in own_numbers(played, seat)],
    }


def _number(one: Correctable, language: str) -> dict[str, Any]:
    return {
        "id": one.id,
        "text": render(one.short or one.text, language),
        "value": one.value,
        "low": one.low,
        "high": one.high,
        "switch": one.is_switch,
        "names": [[value, render(name, language)] for value, name in one.names],
    }
