"""The sections of the settings."""

from companion.ui.screens.settings.sections.about import About
from companion.ui.screens.settings.sections.camera import CameraSection
from companion.ui.screens.settings.sections.data import Backup, Storage
from companion.ui.screens.settings.sections.devices import Devices
from companion.ui.screens.settings.sections.network import HallSection, PhonesSection, Wireless
from companion.ui.screens.settings.sections.preferences import (
    Colours,
    Language,
    SoundSection,
    TableShows,
    TextSize,
)
from companion.ui.screens.settings.sections.section import Section

SECTIONS: dict[str, type[Section]] = {
    section.name: section
    for section in (
        Language,
        TextSize,
        Colours,
        SoundSection,
        TableShows,
        CameraSection,
        Devices,
        Wireless,
        PhonesSection,
        HallSection,
        Storage,
        Backup,
        About,
    )
}
