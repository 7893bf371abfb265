"""About: what this is, and what it is made with."""

from __future__ import annotations

from companion.table import backups
from companion.ui.screens.settings.sections.section import Section
from companion.ui.toolkit.kit import Flow, Part, Words

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

    def parts(self) -> list[Part]:
        version = backups.versions()["tabletop-companion"]
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
            self.panel(*rows, title=self.t("ui.about-others")),
        ]
