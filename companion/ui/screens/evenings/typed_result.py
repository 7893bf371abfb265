"""The bare result of an evening without the companion: the game, who played, their points."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from companion.core.annotations import LONGEST_NAME, TypedResult, TypedSeat
from companion.core.game import games
from companion.core.words import say
from companion.ui.toolkit.kit import Column, Flow, Part, Row, Scroll, Tap, Words
from companion.ui.toolkit.screen import Screen
from companion.ui.toolkit.stepper import stepper

if TYPE_CHECKING:
    from companion.ui.toolkit.context import Context

DAY = 86400.0
MOST_SEATS = 12


class TypedResultScreen(Screen):
    """Everything by touch except new names."""

    name = "typed-result"

    def __init__(self, app: Context) -> None:
        super().__init__(app)
        self.game = next(iter(games()))
        self.points: dict[str, int] = {}
        self.more: tuple[str, ...] = ()
        """Names and games typed here."""
        self.days = 0
        """How many days ago it was played."""

    def build(self) -> Part:
        taps = [self._game(id, rules.box.name) for id, rules in games().items()]
        known = list(dict.fromkeys((*self.points, *(p.name for p in self.desk.settings.people))))
        people: list[Part | None] = [self._person(name) for name in known]
        people.append(
            Tap(self.t("ui.new-name"), self._type_name, icon="account-plus", kind="quiet", name="type-name")
        )
        seats = [
            Row(
                [
                    Words(name, "body", bold=True).fill(),
                    stepper(name, n, partial(self._set, name), far=self.app.theme.wide),
                ]
            )
            for name, n in self.points.items()
        ]
        day = Row(
            [
                Words(self.t("ui.days-ago"), "body").fill(),
                stepper("days", self.days, self._set_days, far=self.app.theme.wide),
            ]
        )
        ready = len(self.points) > 0
        keep = Tap(
            self.t("ui.result-keep"),
            self._keep if ready else None,
            icon="content-save",
            kind="main" if ready else "quiet",
            name="keep",
        )
        return self.page(
            self.t("ui.result-type"),
            Scroll(Column([Flow(taps, lines=0), Flow(people, lines=0), *seats, day]), key="typed-result"),
            keep,
        )

    def _game(self, id: str, name: str) -> Tap:
        return Tap(name, partial(self._choose, id), chosen=id == self.game, size="note", name=f"game-{id}")

    def _person(self, name: str) -> Tap:
        return Tap(
            name, partial(self._sit, name), chosen=name in self.points, size="note", name=f"person-{name}"
        )

    def _choose(self, game: str) -> None:
        self.game = game
        self.app.refresh()

    def _sit(self, name: str) -> None:
        if name in self.points:
            del self.points[name]
        elif len(self.points) < MOST_SEATS:
            self.points[name] = 0
        self.app.refresh()

    def _set(self, name: str, points: int) -> None:
        self.points[name] = max(-999, min(9999, points))
        self.app.refresh()

    def _set_days(self, days: int) -> None:
        self.days = max(0, min(9999, days))
        self.app.refresh()

    def _type_name(self) -> None:
        def done(name: str) -> None:
            if name and name not in self.points:
                self._sit(name[:LONGEST_NAME])

        self.app.go("words-page", hint=self.t("ui.new-name"), typed="", done=done)

    def _keep(self) -> None:
        at = self.desk.clock()
        seats = tuple(TypedSeat(name, points) for name, points in self.points.items())
        result = TypedResult(self.game, at - self.days * DAY, seats)

        def kept(_: int) -> None:
            self.app.back()
            self.app.tell(say("ui.result-kept"), "accepted")

        self.desk.clerk.do(
            lambda journal, binder: journal.annotations.add(result, at),
            kept,
            lambda trouble: self.app.tell(trouble.text, "refused"),
        )
