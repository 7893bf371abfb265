"""What can be done at any time: menu, undo, scan, and the icons for what does not work."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from companion.core.flow.game import shipped_flow
from companion.core.game import full_game
from companion.ui.toolkit.kit import Tap
from companion.ui.toolkit.screen import AppQuestion, Showing

SIDE = 50


class Menu(Showing):
    """The buttons at the edges of the table."""

    def at_the_top(self, has_map: bool, blind: bool, undo: bool) -> list[Tap]:
        """Faults, the map, undo and the menu. Undo and menu are in the same place on every page, so undo
        stays under the finger for repeated taps."""
        found = []
        if blind:
            found.append(self._tap("blind", "camera-off", lambda: self.app.ask(self._why_blind)))
        if self.app.panel.complaints():
            wrong = partial(self.app.ask, self._what_is_out_of_order)
            found.append(self._tap("out-of-order", "lightbulb-on", wrong, "bad"))
        if has_map:
            found.append(self._tap("map", "map", lambda: self.app.go("map")))
        if undo and self.desk.session.ahead:
            found.append(self._tap("redo", "redo", self.app.redo, about="redo"))
        if undo:
            found.append(self._tap("undo", "undo", self.app.undo, about="undo"))
        return [*found, self._tap("menu", "dots-horizontal", lambda: self.app.ask(self._menu))]

    def scan(self, names: bool = False) -> Tap:
        """The button to the camera."""
        return self._tap("scan", "camera", lambda: self.app.go("scan"), names=names)

    def history(self, names: bool) -> Tap:
        """The button to the history."""
        return self._tap("history", "history", lambda: self.app.go("history"), names=names)

    def _tap(
        self,
        name: str,
        icon: str,
        deed: Callable[[], Any],
        kind: str = "quiet",
        names: bool = False,
        about: object = None,
    ) -> Tap:
        words = self.t(f"ui.{name}") if names else ""
        return Tap(words, deed, icon=icon, kind=kind, name=name, tall=SIDE, size="name", about=about)

    def _menu(self) -> AppQuestion:
        paused = self.desk.session.paused
        choices: list[tuple[str, Callable[[], Any]]] = [
            (self.t("ui.menu-score"), self._score),
            *((self.t(f"ui.menu-{name}"), partial(self.app.go, name)) for name in ("correct", "settings")),
        ]
        choices.append(
            (self.t("ui.go-on"), self.desk.unpause) if paused else (self.t("ui.pause"), self.desk.pause)
        )
        choices.append((self.t("ui.menu-history"), partial(self.app.go, "history")))
        if not self.desk.session.over:
            choices.append((self.t("ui.menu-leaves"), partial(self.app.ask, self._who_leaves)))
        choices.append((self.t("ui.leave"), self._leave))
        if not self.desk.session.over and self.besides():
            choices.append((self.t("ui.menu-tools"), partial(self.app.ask, self._tools)))
        if not self.desk.session.over and self._flow is not None:
            choices.append((self.t("ui.menu-lighten"), partial(self.app.ask, self._lighten)))
        choices.append((self.t("ui.menu-phones"), partial(self.app.go, "phones")))
        choices.append((self.t("hall-table.title"), partial(self.app.go, "hall")))
        hall = self.app.hall
        if hall.now.credentials is not None:
            words = self.t("hall-table.no-judge" if hall.now.calling else "hall-table.judge")
            choices.append((words, partial(hall.call_judge, not hall.now.calling)))
        for question in () if paused else self.desk.questions()[:1]:
            choices.append((self.t("ui.menu-help"), partial(self.app.front.help, question)))
        choices.append((self.t("ui.cancel"), lambda: None))
        return AppQuestion(self.t("ui.menu"), choices, equal=True)

    def besides(self) -> list[tuple[str, Callable[[], Any]]]:
        """What a light play offers besides: the game's calculations, and the points as they are now."""
        session = self.desk.session
        full = full_game(session.game.id)
        if full is None or session.game.light is not None or session.game.state is full.state:
            return []
        found: list[tuple[str, Callable[[], Any]]] = [
            (self.desk.words(tool.text), partial(self.app.go, "tool", tool=tool)) for tool in full.tools
        ]
        if full.positions is not None:
            found.append((self.t("ui.tool-count"), self._score))
        return found

    def _score(self) -> None:
        """The points as they are now; in a light play of a game of ours the table must be told first."""
        session = self.desk.session
        full = full_game(session.game.id)
        if full is None or full.positions is None or session.over or session.game.state is full.state:
            self.app.go("score")
            return
        setup = session.setup
        known = {counter.id: counter.value for counter in session.counters() if counter.seat is not None}
        choices = setup.choices
        self.app.go("score-only", game=full, seats=setup.seats, choices=choices, known=known)

    def _tools(self) -> AppQuestion:
        choices = [*self.besides(), (self.t("ui.cancel"), lambda: None)]
        return AppQuestion(self.t("ui.menu-tools"), choices, equal=True)

    @property
    def _flow(self) -> str | None:
        """The flow by which this play could go on, if it follows all rules now."""
        game = self.desk.session.game
        return None if game.light is None else shipped_flow(game.id)

    def _lighten(self) -> AppQuestion:
        """The question whether to go on with turns and pools only; only undo leads back."""
        flow = self._flow
        assert flow is not None
        choices: list[tuple[str, Callable[[], Any]]] = [
            (self.t("ui.lighten-do"), partial(self.desk.lighten, flow)),
            (self.t("ui.cancel"), lambda: None),
        ]
        return AppQuestion(self.t("ui.lighten-ask"), choices, self.t("ui.lighten-why"))

    def _who_leaves(self) -> AppQuestion:
        """The question who leaves early, or is back."""
        session = self.desk.session
        choices: list[tuple[str, Callable[[], Any]]] = [
            (self.t("ui.is-back", seat=name), partial(self.desk.set_away, seat, away=False))
            if seat in session.away
            else (name, partial(self.app.ask, partial(self._leaving, seat)))
            for seat, name in enumerate(session.setup.seats)
        ]
        return AppQuestion(
            self.t("ui.who-leaves"), [*choices, (self.t("ui.cancel"), lambda: None)], equal=True
        )

    def _leaving(self, seat: int) -> AppQuestion:
        """The question how the others go on; no rulebook says."""
        name = self.desk.session.setup.seats[seat]
        choices: list[tuple[str, Callable[[], Any]]] = [
            (self.t("ui.leaves-go-on"), partial(self.desk.set_away, seat, away=True)),
            (self.t("ui.leaves-count"), self._score),
            (self.t("ui.leaves-later"), self._leave),
            (self.t("ui.cancel"), lambda: None),
        ]
        return AppQuestion(self.t("ui.leaves-how", seat=name), choices, self.t("ui.leaves-why", seat=name))

    def _leave(self) -> None:
        self.app.home()
        self.desk.leave()

    def _what_is_out_of_order(self) -> AppQuestion:
        told = "\n".join(self.desk.words(text) for text in self.app.panel.complaints())
        choices = [
            (self.t("ui.menu-settings"), lambda: self.app.go("settings", section="devices")),
            (self.t("ui.cancel"), lambda: None),
        ]
        return AppQuestion(self.t("ui.out-of-order"), choices, told)

    def _why_blind(self) -> AppQuestion:
        settings = (self.t("ui.menu-settings"), lambda: self.app.go("settings", section="camera"))
        trouble = self.app.camera_feed.trouble()
        told = "" if trouble is None else self.desk.words(trouble)
        return AppQuestion(self.t("ui.no-camera"), [settings, (self.t("ui.cancel"), lambda: None)], told)
