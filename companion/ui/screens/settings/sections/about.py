"""About: the version, updates and licences."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from companion.core.words import say
from companion.errors import StorageTrouble
from companion.table import diagnostics, requests
from companion.ui import dialogs
from companion.ui.screens.settings.sections.section import Section
from companion.ui.toolkit.kit import Flow, Part, Tap, Words

if TYPE_CHECKING:
    from companion.ui.toolkit.context import Context

DEEDS: dict[requests.SystemRequest, str] = {"update": "download", "rollback": "undo"}

LICENCES = (
    ("Kivy", "MIT"),
    ("Lato", "SIL Open Font License 1.1"),
    ("Material Design Icons", "Apache License 2.0"),
    ("msgspec", "BSD-3-Clause"),
    ("NumPy", "BSD-3-Clause"),
    ("OpenCV", "Apache License 2.0"),
    ("zxing-cpp", "Apache License 2.0"),
    ("pyzbar, ZBar", "MIT, LGPL-2.1"),
    ("ReportLab", "BSD"),
    ("Segno", "BSD"),
    ("Rich", "MIT"),
    ("Babel", "BSD-3-Clause"),
)


class About(Section):
    """The version and the licences."""

    name = "about"
    icon = "information"

    def __init__(self, app: Context) -> None:
        super().__init__(app)
        self.progress: requests.UpdateNews | None = None
        self.before: requests.UpdateNews | None = None
        """The state of the update when somebody last asked for something."""
        self.asked = False

    def parts(self) -> list[Part]:
        version = diagnostics.versions()["tabletop-companion"]
        rows = [
            Flow([Words(name, "note", bold=True), Words(licence, "note", "dim")], lines=0)
            for name, licence in LICENCES
        ]
        return [
            self.panel(
                Words(self.t("ui.title"), "body", bold=True),
                Words(self.t("ui.about-version", version=version), "body"),
                Words(self.t("ui.about-licence"), "note", "dim"),
            ),
            *self._updating(),
            self.panel(*rows, title=self.t("ui.about-others")),
        ]

    def _updating(self) -> list[Part]:
        """On a machine of our own: another version, and the progress of its installation."""
        if not requests.may_ask():
            return []
        busy = self.asked or (self.progress is not None and self.progress.busy)
        taps = [
            Tap(
                self.t(f"update.{deed}"),
                None if busy else partial(self._ask, deed),
                icon=icon,
                detail=self.t(f"update.{deed}-more"),
                name=deed,
            )
            for deed, icon in DEEDS.items()
        ]
        if self.progress is None or self.asked:
            told = [self.result_plate(say("update.asked"), good=True)] if self.asked else []
        else:
            told = [self.result_plate(self.progress.text, self.progress.good)]
        if self.progress is not None and self.progress.anyway and not busy:
            insist = Tap(
                self.t("update.update-refused"),
                self._insist,
                icon="alert-circle",
                detail=self.t("update.update-refused-more"),
                name="update-refused",
            )
            return [*told, insist, *taps]
        return [*told, *taps]

    def _insist(self) -> None:
        self.app.ask(lambda: dialogs.unsigned(self.desk, partial(self._ask, "update-refused")))

    def _ask(self, deed: requests.SystemRequest) -> None:
        self.before = requests.progress()
        try:
            requests.ask(deed)
        except StorageTrouble as trouble:
            self.trouble(trouble)
        else:
            self.asked = True
        self.app.refresh()

    def arrive(self) -> None:
        self.progress = requests.progress()

    def tick(self) -> None:
        now = requests.progress()
        if now != self.progress or (self.asked and now != self.before):
            self.progress, self.asked = now, False
            self.app.refresh()
