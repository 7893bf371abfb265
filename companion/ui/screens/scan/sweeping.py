"""A sweep: a seat's whole tableau read by the camera, and compared with the play."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from companion.core.tableau_comparison import Comparison, Difference, compare
from companion.core.words import Text, count, say
from companion.recognition import zones
from companion.texts import capital
from companion.ui.toolkit.camera_picture import REFUSED, SIGNS
from companion.ui.toolkit.draw import Badge
from companion.ui.toolkit.kit import Column, Flow, Icon, Part, Plate, Row, Tap, Tiles, Words
from companion.ui.toolkit.screen import Showing

if TYPE_CHECKING:
    from companion.ui.screens.scan.screen import Judged
    from companion.ui.toolkit.context import Context
    from vision.sightings import Sighting
    from vision.sweep import Sweep

FEW = 2
"""Up to this many differences are listed in the summary."""


class Sweeping(Showing):
    """The seat being looked at, what was seen, and whether it is being compared already."""

    def __init__(self, app: Context, seat: int, judge: Callable[[str], Judged]) -> None:
        super().__init__(app)
        self.seat, self.judge = seat, judge
        self.comparing = False
        self.swept: Sweep | None = None
        self.ignored: set[tuple[str, int]] = set()

    def begin(self) -> None:
        """Start again: what was seen belongs to another seat, or is outdated."""
        self.swept, self.comparing = None, False
        self.ignored.clear()

    def _turn_to(self, seat: int) -> None:
        self.seat = seat
        self.begin()
        self.app.refresh()

    def see(self, sightings: tuple[Sighting, ...], picture: Any) -> set[str]:
        """Add what one picture shows; return the new labels."""
        from vision.sweep import Sweep

        high, wide = picture.shape[:2]
        zone = None if self.zone is None else zones.corners(self.zone, wide, high)
        before = self.swept or Sweep(zone=zone)
        self.swept = before.see(sightings)
        return self.swept.found.keys() - before.found.keys()

    def parts(self) -> list[Part | None]:
        """What was found, or its differences to the play."""
        return self._compared() if self.comparing else self._sweeping()

    def whose(self) -> Part:
        """The seats; one is being looked at."""
        marks = self.desk.marks()
        seats = [
            Tap(
                name,
                partial(self._turn_to, n),
                lead=Badge(marks[n], 30),
                chosen=n == self.seat,
                kind="quiet",
                name=f"seat-{n}",
            )
            for n, name in enumerate(self.desk.session.setup.seats)
        ]
        return Tiles(seats, 150, gap=8)  # each keeps its place whichever is chosen

    @property
    def zone(self) -> zones.Zone | None:
        """The part of the picture that belongs to this seat."""
        return self.desk.settings.zones.get(self._seat_name().casefold())

    def _seat_name(self) -> str:
        return self.desk.session.setup.seats[self.seat]

    def _zones(self) -> Part:
        """Choose the part of the picture that belongs to this seat, to ignore the neighbours' cards."""
        now = self.zone
        icons = {
            "whole": "arrow-expand-all",
            "left": "arrow-left",
            "right": "arrow-right",
            "top": "arrow-up",
            "bottom": "arrow-down",
        }
        taps = [
            Tap(
                icon=icon,
                on_tap=partial(self._set_zone, zones.parse(word)),
                chosen=now == zones.parse(word),
                kind="quiet",
                name=f"zone-{word}",
            )
            for word, icon in icons.items()
        ]
        return Column([Words(self.t("ui.zone"), "note", "dim"), Flow(taps, gap=6)], gap=4)

    def _set_zone(self, part: zones.Zone | None) -> None:
        self.desk.change(zones=zones.changed(self.desk.settings.zones, self._seat_name(), part))
        self._turn_to(self.seat)

    def _sweeping(self) -> list[Part | None]:
        seen = len(self._pieces())
        steady = self.swept is not None and self.swept.steady
        key = "ui.swept-steady" if steady else "ui.swept"
        refused = [self.judge(text) for text in (self.swept.found if self.swept else ())]
        reasons = list(dict.fromkeys(self.desk.words(j.why) for j in refused if j.how == REFUSED and j.why))
        return [
            Words(self.desk.words(count(key, seen)), "prompt", bold=True) if seen else None,
            Words(self.t("ui.sweep-how"), "body", "dim") if not steady else None,
            *(
                Row([Icon(SIGNS[REFUSED], "body", "bad"), Words(why, "note", "bad").fill()])
                for why in reasons
            ),
            Tap(
                self.t("ui.reconcile"),
                self._compare,
                icon="list-status",
                kind="main" if steady else "plain",
                name="reconcile",
            )
            if seen
            else None,
            self._again() if seen else None,
            self._zones(),
        ]

    def _again(self) -> Part:
        return Tap(
            self.t("ui.sweep-again"),
            lambda: self._turn_to(self.seat),
            icon="refresh",
            kind="quiet",
            name="again",
        )

    def _pieces(self) -> tuple[str, ...]:
        """The components of all pieces of this game that were seen."""
        from companion.recognition import reading

        book = reading.book(self.desk.session.game)
        found = self.swept.found if self.swept is not None else ()
        return tuple(piece.component for text in found if (piece := book.piece(text)) is not None)

    def _compare(self) -> None:
        self.comparing = True
        self.app.refresh()

    def _compared(self) -> list[Part | None]:
        compared = compare(self.desk.session, self.seat, self._pieces())
        open_ = [d for d in compared.differences if (d.component, d.off) not in self.ignored]
        if not open_:
            fine = Row(
                [
                    Icon("check-circle", "title", "good"),
                    Words(self._agree(compared), "prompt", bold=True).fill(),
                ]
            )
            return [Plate(fine), self._again()]
        return [Words(self._summary(compared, open_), "body"), *map(self._difference, open_), self._again()]

    def _agree(self, compared: Comparison) -> str:
        key = "ui.rest-agrees" if compared.differences else "ui.all-agree"
        return self.desk.words(count(key, compared.known))

    def _summary(self, compared: Comparison, open_: list[Difference]) -> str:
        name = self.desk.session.setup.seats[self.seat]
        what = tuple(self._off(d) for d in open_)
        if len(what) > FEW:
            what = (count("ui.differences", len(what)),)
        return self.desk.words(
            count("ui.camera-sees", compared.seen, seat=name, known=compared.known, what=what)
        )

    def _off(self, difference: Difference) -> Text:
        name = self.desk.name_of(difference.component)
        if difference.off < 0:
            return say("ui.is-missing", name=name)
        if difference.elsewhere is not None:
            other = self.desk.session.setup.seats[difference.elsewhere]
            return say("ui.is-elsewhere", name=name, seat=other)
        return say("ui.is-surplus", name=name)

    def _difference(self, difference: Difference) -> Part:
        missing, id = difference.off < 0, difference.component
        correct = Tap(
            self.t("ui.take-out" if missing else "ui.put-in"),
            lambda: self._correct(difference),
            icon="minus" if missing else "plus",
            name=f"correct-{id}",
        )
        keep = Tap(
            self.t("ui.lies-here" if missing else "ui.ignore-it"),
            lambda: self._ignore(difference),
            icon="eye" if missing else "close",
            name=f"keep-{id}",
        )
        mark = Icon("help-circle" if missing else "plus", "prompt", "accent")
        head = Row([mark, Words(capital(self.desk.words(self._off(difference))), "body", bold=True).fill()])
        return Plate(Column([head, correct if difference.counters else None, keep], gap=8))

    def _correct(self, difference: Difference) -> None:
        for counter, value in difference.counters:
            self.desk.correct(counter.id, value)

    def _ignore(self, difference: Difference) -> None:
        self.ignored.add((difference.component, difference.off))
        self.app.refresh()
