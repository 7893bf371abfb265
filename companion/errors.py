"""The error classes: three for players, one each for data and storage.

Errors of devices are `devices.DeviceTrouble` and `vision.CameraTrouble`: those packages cannot import this
one. Every `Trouble` carries a `Text`, so that it can be shown in the player's language.
"""

from __future__ import annotations

from typing import Self

from companion.core.words import Text

DONE, BUG, BAD_INPUT, STORAGE, DEVICE = 0, 1, 2, 3, 4
"""Exit codes of the command line."""


class Trouble(Exception):
    """An error to be shown to a person, in their language."""

    exit_code = BUG

    def __init__(self, text: Text) -> None:
        super().__init__(text.key)
        self.text = text

    def __str__(self) -> str:
        from companion.texts import render

        return render(self.text, "en")

    def bare(self) -> Self:
        """The same as a value to keep: without traceback and causes, which would keep objects alive."""
        self.__context__ = self.__cause__ = None
        return self.with_traceback(None)


class PlayerTrouble(Trouble):
    """A player's input is refused; the table is unchanged."""

    exit_code = BAD_INPUT


class Unknown(PlayerTrouble, LookupError):
    """An unknown label, name, seat or option."""


class NotNow(PlayerTrouble, ValueError):
    """Known, but the rules do not allow it now; the text gives the rule's reason."""


class Ambiguous(PlayerTrouble, ValueError):
    """It could mean several things; `choices` are their ids."""

    def __init__(self, text: Text, choices: tuple[str, ...]) -> None:
        super().__init__(text)
        self.choices = choices


class DataTrouble(Trouble, ValueError):
    """A file or a position is invalid; `problems` lists everything that is wrong, and where."""

    exit_code = BAD_INPUT

    def __init__(self, text: Text, problems: tuple[Text, ...] = ()) -> None:
        super().__init__(text)
        self.problems = problems or (text,)


class CountsDisagree(DataTrouble):
    """Possible, but a rulebook counts differently: people who know better may insist."""


class Stopped(Trouble):
    """People stopped long work; nothing of it is kept."""

    exit_code = DONE


class StorageTrouble(Trouble, OSError):
    """The journal or another file cannot be read or written; nothing confirmed was lost."""

    exit_code = STORAGE
