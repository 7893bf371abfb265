"""Checks every page a window builds, in any play, and keeps each fault once, with its place and a picture."""

from __future__ import annotations

import re
from pathlib import Path
from weakref import WeakSet

import cv2
import msgspec
import numpy as np
from kivy.core.window import Window
from kivy.graphics.opengl import GL_RGB, GL_UNSIGNED_BYTE, glReadPixels
from kivy.uix.widget import Widget

from companion.app import CompanionApp
from workshop.screens.checks import LayoutFault, layout_faults
from workshop.screens.faults import FoundFault

MOST_PICTURES = 40
SUPPORTED = (480, 800)
"""The short and the long side of the smallest supported window; a smaller one cannot show everything."""


class LayoutWatch:
    """`found` has every fault of the pages built so far; pictures of them are in `folder`."""

    def __init__(self, app: CompanionApp, folder: Path) -> None:
        self.app, self.folder = app, folder
        self.found: list[FoundFault] = []
        self.pages = 0
        self._known: set[tuple[object, ...]] = set()
        self._pictured: set[tuple[object, ...]] = set()
        self._layers: WeakSet[Widget] = WeakSet()
        """What was already checked and is still shown."""
        app.page_built = self.check

    def check(self) -> None:
        """Check what is shown now."""
        if any(side < least for side, least in zip(sorted(Window.system_size), SUPPORTED, strict=True)):
            return
        self.pages += 1
        known = frozenset(self._layers)
        self._layers = WeakSet(self.app.stage.children)
        for fault in layout_faults(self.app, known):
            found = self._where(fault)
            how = (
                found.kind,
                found.screen,
                found.game,
                found.asked,
                found.window,
                found.language,
                found.text_size,
            )
            if (seen := (*how, re.sub(r"\d+", "9", fault.what))) in self._known:
                continue
            self._known.add(seen)
            if how not in self._pictured and len(self._pictured) < MOST_PICTURES:
                self._pictured.add(how)
                found = msgspec.structs.replace(found, picture=self._picture(found))
            self.found.append(found)

    def _where(self, fault: LayoutFault) -> FoundFault:
        desk = self.app.desk
        width, height = Window.system_size
        at_table = desk.play is not None
        asked = desk.questions() if at_table else ()
        return FoundFault(
            *fault,
            self.app.screen.name,
            desk.session.game.id if at_table else "",
            asked[0].slug if asked else "",
            desk.session.entries if at_table else 0,
            f"{width}x{height}",
            desk.language,
            desk.settings.text_size,
        )

    def _picture(self, found: FoundFault) -> str:
        where = (found.kind, found.game, found.screen, found.window, found.language, found.text_size)
        name = "-".join(str(word).replace(" ", "-") for word in where if word)
        file = self.folder / f"{len(self._pictured):02}-{name}.png"
        photograph(file)
        return file.name


def photograph(file: Path) -> None:
    """Save what the window shows as a picture."""
    file.parent.mkdir(parents=True, exist_ok=True)
    width, height = Window.system_size
    type(Window).on_draw(Window)
    data = glReadPixels(0, 0, width, height, GL_RGB, GL_UNSIGNED_BYTE)
    pixels = np.frombuffer(data, dtype=np.uint8).reshape(height, width, 3)
    cv2.imwrite(str(file), np.ascontiguousarray(pixels[::-1, :, ::-1]), [cv2.IMWRITE_PNG_COMPRESSION, 3])
