"""The first start of a machine of our own: language, orientation, and optionally a network."""

from __future__ import annotations

from functools import partial

from companion.errors import StorageTrouble
from companion.table import requests
from companion.ui.screens.settings.sections.network import way
from companion.ui.screens.settings.sections.preferences import LANGUAGES
from companion.ui.start import TURNED
from companion.ui.toolkit.kit import Column, Flow, Page, Part, Row, Scroll, Tap, Words
from companion.ui.toolkit.screen import Screen


class Welcome(Screen):
    """Two questions that need no words, an optional one, and the button to go on."""

    name = "welcome"

    def build(self) -> Part:
        languages = [
            Tap(
                words,
                partial(self._speak, language),
                icon="translate",
                chosen=language == self.desk.language,
                name=f"language-{language}",
            )
            for language, words in LANGUAGES.items()
        ]
        turns = [
            Tap(
                f"{degrees}°",
                partial(self._turn, degrees),
                icon="rotate-3d-variant",
                name=f"turn-{degrees}",
            )
            for degrees in TURNED[1:]
        ]
        begin = Tap(
            self.t("ui.welcome-begin"), self._begin, icon="check", kind="main", align="center", name="begin"
        )
        told = Column(
            [
                Row(languages),
                Words(self.t("ui.welcome-turn"), "body"),
                Flow(turns, gap=8),
                way(self),
                Words(self.t("ui.welcome-more"), "note", "dim"),
            ],
            gap=14,
        )
        return Page(Words(self.t("ui.welcome-title"), "title", bold=True), Scroll(told, key="welcome"), begin)

    def _speak(self, language: str) -> None:
        self.desk.for_now(language=language)
        self.app.refresh()

    def _turn(self, degrees: str) -> None:
        """Rotate the picture by this further angle; this restarts the program."""
        try:
            requests.ask(f"turn-{degrees}")  # type: ignore[arg-type] # one of those there are
        except StorageTrouble as trouble:
            self.app.tell(trouble.text, "refused", trouble=True)

    def _begin(self) -> None:
        """Store the language, so that this screen is not shown again."""
        self.desk.change(language=self.desk.language)
        self.app.home()
