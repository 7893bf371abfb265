"""The sections of the settings, each with what it is about."""

from companion.ui.sections.about import About
from companion.ui.sections.camera import Camera
from companion.ui.sections.data import Backup, Storage
from companion.ui.sections.devices import Devices
from companion.ui.sections.likes import Colours, Language, Sound, TableShows, TextSize
from companion.ui.sections.section import Section

SECTIONS: dict[str, type[Section]] = {
    section.name: section
    for section in (Language, TextSize, Colours, Sound, TableShows, Camera, Devices, Storage, Backup, About)
}
