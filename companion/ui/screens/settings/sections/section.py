"""The base class of the sections of the settings."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ClassVar

from companion.core.words import Text
from companion.errors import Trouble
from companion.ui.toolkit.kit import Icon, Part, Plate, Row, Tap, Words
from companion.ui.toolkit.screen import Showing

if TYPE_CHECKING:
    pass

PATH = re.compile(r"(?<!\S)/\S*")


class Section(Showing):
    """One section of the settings. `parts` is called after every change; slow work runs in the background."""

    name: ClassVar[str]
    icon: ClassVar[str]
    uses_camera: ClassVar[bool] = False
    """Whether the section uses the camera, so that cards mean nothing."""
    first: Part | None = None
    """What to scroll to now; removed afterwards."""

    @classmethod
    def there(cls) -> bool:
        """Whether this machine has what the section is about."""
        return True

    @property
    def key(self) -> str:
        """The key under which the scroll position is stored."""
        return f"section-{self.name}"

    def parts(self) -> list[Part]:
        """The parts for the current state."""
        raise NotImplementedError

    def bar(self) -> Part | None:
        """A bar at the bottom of the page that no setting here moves."""
        return None

    def arrive(self) -> None:
        """Called when people come to this section: start loading what it needs."""

    def trouble(self, trouble: Trouble) -> None:
        """Report an error of background work."""
        self.app.tell(trouble.text, "refused")

    # What sections share

    def choice(self, words: str, on: bool, deed: Callable[[], Any], name: str, detail: str = "") -> Tap:
        """One of several choices, with a mark if it is the current one."""
        icon = "check-circle" if on else "circle-outline"
        return Tap(words, deed, icon=icon, chosen=on, detail=detail, name=name)

    def switch(self, words: str, on: bool, deed: Callable[[], Any], name: str, detail: str = "") -> Tap:
        """A switch."""
        icon = "checkbox-marked" if on else "checkbox-blank-outline"
        return Tap(words, deed, icon=icon, detail=detail, name=name)

    def result_plate(self, text: Text, good: bool) -> Part:
        """A result, as a message."""
        icon, tone = ("check-circle", "good") if good else ("alert-circle", "bad")
        words = Words(breakable(self.desk.words(text)), "body").fill()
        return Plate(Row([Icon(icon, "prompt", tone), words]), edge=tone)


def breakable(words: str) -> str:
    """The same text with places to break lines within paths."""
    return PATH.sub(lambda path: " / ".join(part for part in path[0].split("/") if part), words)
