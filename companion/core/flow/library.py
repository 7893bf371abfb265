"""The flows that can be played: those shipped as examples, and people's own in the data folder."""

from __future__ import annotations

import importlib.resources
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from msgspec import Struct

from companion.core import files
from companion.core.flow.file import MOST_BYTES, flow_in, read_flow
from companion.core.flow.format import GameFlow
from companion.core.game import every_game
from companion.errors import DataTrouble, Trouble

FOLDER = "flows"
"""The folder of people's own flows, in the data folder."""
MOST_FILES = 200


class KnownFlow(Struct, frozen=True):
    """A flow that can be played, or a file that cannot, with what is wrong with it."""

    name: str
    """The name of the game; that of the file if it cannot be read."""
    text: str = ""
    file: Path | None = None
    """None for a shipped one."""
    trouble: Trouble | None = None

    @property
    def flow(self) -> GameFlow:
        """What is in it."""
        return flow_in(self.text)


def flows(folder: Path) -> tuple[KnownFlow, ...]:
    """Every flow by name. A person's own flow replaces a shipped one with the same id."""
    own = tuple(_own(folder / FOLDER))
    ids = {one.flow.id for one in own if one.trouble is None}
    shipped = (one for one in shipped_flows() if one.flow.id not in ids)
    return tuple(sorted((*shipped, *own), key=lambda one: one.name.casefold()))


@cache
def shipped_flows() -> tuple[KnownFlow, ...]:
    """The examples that come with the program."""
    folder = importlib.resources.files("companion") / FOLDER
    texts = (file.read_text("utf-8") for file in folder.iterdir() if file.name.endswith(".toml"))
    return tuple(KnownFlow(flow_in(text).name, text) for text in texts)


def accept(data: bytes) -> str:
    """The text of somebody's flow file; raises `DataTrouble` with every problem and its line."""
    read_flow(data, taken=every_game())
    return data.decode("utf-8-sig")


def _own(folder: Path) -> Iterator[KnownFlow]:
    try:
        found = sorted(path for path in folder.iterdir() if path.suffix == ".toml")[:MOST_FILES]
    except OSError:
        return
    for path in found:
        try:
            text = accept(files.read(path, MOST_BYTES))
            yield KnownFlow(flow_in(text).name, text, path)
        except DataTrouble as trouble:
            yield KnownFlow(path.stem, file=path, trouble=trouble)
        except OSError as error:
            yield KnownFlow(path.stem, file=path, trouble=DataTrouble(files.why(error)))
