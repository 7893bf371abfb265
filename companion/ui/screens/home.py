"""Home: go on with the play, begin another, and the way to everything else."""

from __future__ import annotations

from functools import partial

from companion.core.game import games
from companion.ui.toolkit.kit import Column, Gap, Icon, Page, Part, Row, Scroll, Tap, Tiles, Words
from companion.ui.toolkit.screen import Screen


class Home(Screen):
    """The first screen."""

    name = "home"

    def build(self) -> Part:
        top = Row(
            [
                Icon("cards", "number", "accent"),
                Words(self.t("ui.title"), "title", bold=True).fill(),
                Tap(icon="cog", kind="quiet", on_tap=lambda: self.app.go("settings"), name="settings"),
            ]
        )
        others = [
            Tap(self.t(f"ui.home-{name}"), partial(self.app.go, name), icon=icon, name=name, tall=76)
            for name, icon in (
                ("score-only", "trophy"),
                ("plays", "history"),
                ("binder", "book-open-variant"),
                ("labels", "label"),
            )
        ]
        body = Column([*self._main(), Tiles(others, 260, columns=2, gap=14).spread(40)], gap=14)
        return Page(top, Scroll(body, key="home"), gap=18)

    def _main(self) -> list[Part]:
        running = self.desk.running
        new = Tap(
            self.t("ui.home-new"),
            lambda: self.app.go("new"),
            icon="plus",
            kind="plain" if running else "main",
            size="prompt",
            tall=96,
            name="new",
        )
        if running is None:
            return [Words(self.t("ui.welcome"), "body", "dim"), Gap(4), new.spread(40)]
        game = games()[running.game].box.name if running.game in games() else running.game
        go_on = Tap(
            self.t("ui.go-on"),
            lambda: self.desk.resume(running.id),
            icon="play",
            kind="main",
            size="prompt",
            detail=f"{game}: {running.title}",
            tall=96,
            name="resume",
        )
        return [Tiles([go_on, new], 340, gap=14).spread(40)]
