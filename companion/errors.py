"""The families of trouble: three for players, one each for data and storage.

Trouble with devices is `devices.DeviceTrouble` and `vision.CameraTrouble`: the leaf packages cannot import this one.
Every trouble carries a `Text`, so that it can be said in the player's language.
"""

from __future__ import annotations

from typing import Self

from companion.core.words import Text

DONE, BUG, BAD_INPUT, STORAGE, DEVICE = 0, 1, 2, 3, 4
"""Exit codes of the command line."""


class Trouble(Exception):
    """Something a person should be told, in words of their own language."""

    exit_code = BUG

    def __init__(self, text: Text) -> None:
        super().__init__(text.key)
        self.text = text

    def __str__(self) -> str:
        from companion.texts import render

        return render(self.text, "en")

    def bare(self) -> Self:
        """The same as a value to be kept: without the place it was raised at, and all that was known there."""
        self.__context__ = self.__cause__ = None
        return self.with_traceback(None)


class PlayerTrouble(Trouble):
    """What a player did cannot be taken; the table is as it was."""

    exit_code = BAD_INPUT


class Unknown(PlayerTrouble, LookupError):
    """We do not know this label, name, seat or option."""


class NotNow(PlayerTrouble, ValueError):
    """We know it, but the rules do not allow it now; the text gives the rule's reason."""


class Ambiguous(PlayerTrouble, ValueError):
    """It could mean several things; `choices` are their ids."""

    def __init__(self, text: Text, choices: tuple[str, ...]) -> None:
        super().__init__(text)
        self.choices = choices


class DataTrouble(Trouble, ValueError):
    """A file or a position cannot be right; `problems` lists everything that is wrong, with where."""

    exit_code = BAD_INPUT

    def __init__(self, text: Text, problems: tuple[Text, ...] = ()) -> None:
        super().__init__(text)
        self.problems = problems or (text,)


class CountsDisagree(DataTrouble):
    """It could be, but a rulebook counts otherwise: whoever knows better may insist."""


class StorageTrouble(Trouble, OSError):
    """The journal or another file cannot be read or written; nothing confirmed was lost."""

    exit_code = STORAGE
