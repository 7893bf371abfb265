"""Shown after a screen crashed: what happened, and how to go on."""

from __future__ import annotations

from companion.table.error_log import LOG
from companion.ui.toolkit.kit import Column, Gap, Icon, Part, Row, Scroll, Tap, Tiles, Words
from companion.ui.toolkit.screen import Screen


class Broken(Screen):
    """The error page. Nothing is lost: the play is in the journal."""

    name = "broken"

    def build(self) -> Part:
        running = self.desk.play
        taps = [
            Tap(
                self.t("ui.go-on"),
                lambda: self.desk.resume(running.id),
                icon="play",
                kind="main",
                name="resume",
            )
            if running is not None
            else None,
            Tap(self.t("ui.home"), self.app.home, icon="home", name="home"),
        ]
        return Scroll(
            Column(
                [
                    Row(
                        [Icon("alert", "huge", "bad"), Words(self.t("ui.broken"), "prompt", bold=True).fill()]
                    ),
                    Words(self.t("ui.broken-more", file=LOG), "body", "dim"),
                    Gap(),
                    Tiles(taps, 260),
                ]
            )
        )
