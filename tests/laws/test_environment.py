"""The program reads no undocumented environment variables: these are all of its own."""

import re
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
HEEDED = {"COMPANION_COMMAND", "COMPANION_HOME", "COMPANION_LANGUAGE", "COMPANION_PORT", "COMPANION_SCREEN"}
SERVICE = {"COMPANION_HALL", "COMPANION_PHONES", "COMPANION_REQUESTS", "COMPANION_ROTATE", "COMPANION_STATUS"}
"""What the service of a machine of its own tells it: where to ask root for something, what came of it, how the screen
stands, where porter and publisher are."""
UPDATER = {"COMPANION_PREFIX", "COMPANION_UPDATE_STANDS"}
"""Variables the updater reads, which fault injection sets; the program does not read them."""


def test_no_other_variable_changes_what_the_program_does():
    sources = [
        file
        for room in ("companion", "vision", "devices", "scoring", "workshop")
        for file in (ROOT / room).rglob("*.py")
    ]
    found = {name for file in sources for name in re.findall(r"\bCOMPANION_[A-Z_]+", file.read_text("utf-8"))}
    assert found == HEEDED | SERVICE | UPDATER
