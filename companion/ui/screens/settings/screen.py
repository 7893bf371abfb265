"""Settings: preferences, the camera, and care of the data. Every choice takes effect at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.ui.screens.settings.sections import SECTIONS
from companion.ui.screens.settings.sections.section import Section
from companion.ui.toolkit.kit import Column, Page, Part, Row, Scroll, Split, Tap, Tiles, Words
from companion.ui.toolkit.screen import Screen

if TYPE_CHECKING:
    from companion.ui.toolkit.context import Context
    from devices.gestures import Gesture
    from devices.panel import Who

ESCAPE = "27"


class SettingsScreen(Screen):
    """Sections at the left and their content at the right; one after the other if there is no room."""

    name = "settings"

    def __init__(self, app: Context, section: str | None = None) -> None:
        super().__init__(app)
        self.section = section
        self._led = False
        """Whether people have just come to the section, so that the list must scroll to it."""
        self.sections = {name: made(app) for name, made in SECTIONS.items() if made.there()}

    def enter(self) -> None:
        self._arrive()

    def leave(self) -> None:
        if self.shown is not None:
            self.shown.leave()

    @property
    def shown(self) -> Section | None:
        """The shown section; on a wide screen there always is one."""
        name = self.section or (next(iter(self.sections)) if self.app.theme.wide else None)
        return None if name is None else self.sections[name]

    @property
    def uses_camera(self) -> bool:  # type: ignore[override]
        """Whether the section uses the camera."""
        return self.shown is not None and self.shown.uses_camera

    def build(self) -> Part:
        shown = self.shown
        ways = {name: self._way(name) for name in self.sections}
        if self.app.theme.wide:
            assert shown is not None
            rail = Scroll(Column(ways.values(), gap=6), key="sections")
            if self._led:
                rail.first, self._led = ways[shown.name], False
            body: Part = Split([rail, self._content(shown)], (1.12, 2))
            return Page(self._head(self.t("ui.menu-settings")), body, shown.bar())
        if shown is None:
            tiles = Tiles(ways.values(), 260, gap=8)
            return Page(self._head(self.t("ui.menu-settings")), Scroll(tiles, key="sections"))
        return Page(self._head(self.t(f"ui.settings-{shown.name}")), self._content(shown), shown.bar())

    def _content(self, shown: Section) -> Scroll:
        content = Scroll(Column(shown.parts(), gap=12), key=shown.key)
        content.first, shown.first = shown.first, None
        return content

    def _head(self, title: str) -> Part:
        back = Tap(icon="arrow-left", kind="quiet", on_tap=self.back, name="back")
        return Row([back, Words(title, "title", bold=True).fill()])

    def _way(self, name: str) -> Tap:
        on = self.app.theme.wide and self.shown is self.sections[name]
        return Tap(
            self.t(f"ui.settings-{name}"),
            lambda: self._go(name),
            icon=SECTIONS[name].icon,
            kind="quiet",
            chosen=on,
            name=f"section-{name}",
        )

    def _go(self, section: str) -> None:
        self.leave()
        self.section = section
        self._arrive()
        self.app.refresh()

    def _arrive(self) -> None:
        self._led = True
        if self.shown is not None:
            self.shown.arrive()

    def back(self) -> None:
        """Back to the list of sections if it is a page of its own, otherwise to the previous screen."""
        if self.section is not None and not self.app.theme.wide:
            self.leave()
            self.section = None
            self.app.refresh()
        else:
            self.app.back()

    def typed(self, key: str, character: str | None) -> bool:
        if key == ESCAPE:
            self.back()
            return True
        return False

    def tick(self) -> None:
        if self.shown is not None:
            self.shown.tick()

    def tried(self, who: Who, gesture: Gesture) -> None:
        if self.shown is not None:
            self.shown.tried(who, gesture)
