"""The sections of the settings, each with what it is about."""

from companion.ui.screens.settings.sections.about import About
from companion.ui.screens.settings.sections.camera import CameraSection
from companion.ui.screens.settings.sections.data import Backup, Storage
from companion.ui.screens.settings.sections.devices import Devices
from companion.ui.screens.settings.sections.likes import Colours, Language, Sound, TableShows, TextSize
from companion.ui.screens.settings.sections.network import Wireless
from companion.ui.screens.settings.sections.section import Section

SECTIONS: dict[str, type[Section]] = {
    section.name: section
    for section in (
        Language,
        TextSize,
        Colours,
        Sound,
        TableShows,
        CameraSection,
        Devices,
        Wireless,
        Storage,
        Backup,
        About,
    )
}
