"""What every section of the settings is."""

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
    """Part of the settings. `parts` is asked for whenever something changed; what takes long is done beside it."""

    name: ClassVar[str]
    icon: ClassVar[str]
    looks: ClassVar[bool] = False
    """Whether the camera is looked through here, so that no card means anything."""
    first: Part | None = None
    """What people are to see now, wherever they have scrolled to; taken away once they were led there."""

    @classmethod
    def there(cls) -> bool:
        """Whether this machine has what it is about."""
        return True

    @property
    def key(self) -> str:
        """Under which name is remembered how far people scrolled."""
        return f"section-{self.name}"

    def parts(self) -> list[Part]:
        """What is shown now."""
        raise NotImplementedError

    def bar(self) -> Part | None:
        """What stands at the foot of the page, where nothing that is set here moves it."""
        return None

    def arrive(self) -> None:
        """People come to this section: begin what it needs to find out."""

    def trouble(self, trouble: Trouble) -> None:
        """What was done beside the screen did not go well."""
        self.app.tell(trouble.text, "refused")

    # What sections are made of

    def choice(self, words: str, on: bool, deed: Callable[[], Any], name: str, detail: str = "") -> Tap:
        """One of several, of which one holds."""
        icon = "check-circle" if on else "circle-outline"
        return Tap(words, deed, icon=icon, chosen=on, detail=detail, name=name)

    def switch(self, words: str, on: bool, deed: Callable[[], Any], name: str, detail: str = "") -> Tap:
        """Something that is on or off."""
        icon = "checkbox-marked" if on else "checkbox-blank-outline"
        return Tap(words, deed, icon=icon, detail=detail, name=name)

    def told(self, text: Text, good: bool) -> Part:
        """How something went."""
        icon, tone = ("check-circle", "good") if good else ("alert-circle", "bad")
        words = Words(breakable(self.desk.words(text)), "body").fill()
        return Plate(Row([Icon(icon, "prompt", tone), words]), edge=tone)


def breakable(words: str) -> str:
    """The same words with room to break a line within paths."""
    return PATH.sub(lambda path: " / ".join(part for part in path[0].split("/") if part), words)
