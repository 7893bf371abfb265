"""How it works: a few drawn steps for newcomers."""

from __future__ import annotations

from functools import partial

from companion.ui.toolkit.covers import Cover, drawing
from companion.ui.toolkit.kit import Part, Plate, Row, Scroll, Tap, Tiles, Words
from companion.ui.toolkit.screen import Screen

STEPS = ("labels", "play", "tell", "count")


class HowItWorks(Screen):
    """Four steps, and buttons to a demonstration or to begin."""

    name = "how"

    def build(self) -> Part:
        steps = Tiles([self._step(n, step) for n, step in enumerate(STEPS, 1)], 340, columns=2).spread(60)
        return self.page(self.t("ui.how"), Scroll(steps, key="how"), Tiles(self._ways(), 280))

    def _step(self, n: int, step: str) -> Part:
        words = Words(f"{n}. {self.t(f'ui.how-{step}')}", "note")
        return Plate(Row([Cover(drawing(f"how-{step}"), 132), words.fill()]), pad=8)

    def _ways(self) -> list[Part]:
        begin = Tap(self.t("ui.begin"), partial(self.app.go, "new"), icon="play", kind="main", name="new")
        demonstrate = self.app.demonstrate
        if demonstrate is None:
            return [begin]
        watch = Tap(self.t("ui.demonstration"), demonstrate, icon="television", name="demonstration")
        return [watch, begin]
