"""The page for entering what is printed on several components that lie together, one below the other."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Any

from kivy.core.window import Window

from companion.core.components import Component
from companion.core.forms import Field, Form
from companion.core.game import Game
from companion.core.words import Text
from companion.ui.toolkit.fact_page import FACE, RAIL, FactPage, WithRail
from companion.ui.toolkit.kit import Column, Page, Part, Plate, Scroll, Words
from companion.ui.toolkit.screen import Showing
from companion.ui.toolkit.snug import Snug
from companion.ui.toolkit.symbols import FaceRoom
from companion.ui.toolkit.theme import SMALLEST_WORDS


class OneOfSeveral(FactPage):
    """The values of one component among several, under the title `called`."""

    called: Text

    @property
    def prefix(self) -> str:
        return f"value.{self.component.id}"

    def title(self) -> Part:
        return Words(self.showing.desk.words(self.called), "tile", bold=True)

    def _only(self, item: Form) -> bool:
        return False


class SeveralFacts:
    """A `FactPage` for each component; those behind the end of a row are not shown."""

    def __init__(
        self,
        showing: Showing,
        game: Game,
        asked: Iterable[tuple[Component, Sequence[str], Field]],
        told: dict[str, dict[str, Any]],
        changed: Callable[[], None],
    ) -> None:
        self.showing, self.game, self.changed = showing, game, changed
        self.pads: list[OneOfSeveral] = []
        self.sure: list[bool] = []
        """Whether each component is certainly there, wherever the row ends."""
        for n, (component, fields, part) in enumerate(asked):
            begun = told.get(component.id, {})
            changed_here = partial(self._changed, n)
            self.pads.append(OneOfSeveral(showing, game, component, fields, begun, changed_here))
            self.pads[n].called = part.text
            self.sure.append(part.needed)
        self.last = 0
        """The component that was touched last; its face is shown."""

    def _changed(self, n: int) -> None:
        self.last = n
        self.changed()

    def _shown(self) -> Iterator[OneOfSeveral]:
        """The components of the row, as far as it is known: where a row may end, up to the first unfinished one."""
        ended = False
        for pad, sure in zip(self.pads, self.sure, strict=True):
            if ended and not sure:
                return
            yield pad
            ended = ended or pad.shown().ends_row or (pad.component.may_end_row and not pad.complete)

    @property
    def entered(self) -> dict[str, dict[str, Any]]:
        """The entered values, by component."""
        return {pad.component.id: pad.entered for pad in self._shown()}

    @property
    def complete(self) -> bool:
        """Whether everything is entered, up to the end of the row."""
        return all(pad.complete for pad in self._shown())

    @property
    def begun(self) -> bool:
        """Whether anything was entered."""
        return any(pad.begun for pad in self.pads)

    def still(self) -> Part:
        """What is missing, or contradicts the rulebook."""
        pad = next(pad for pad in self._shown() if not pad.complete)
        called = Snug(self.showing.desk.words(pad.called), 20, SMALLEST_WORDS, bold=True, lines=2)
        return Column([called, pad.still()])

    def typed(self, key: str, character: str | None) -> bool:
        """Handle a key of a real keyboard; true if somebody is typing here."""
        return any(pad.typed(key, character) for pad in self.pads)

    @property
    def aside(self) -> bool:
        """Whether something other than the whole page is shown: kinds to choose from, or a keyboard."""
        return any(pad.aside for pad in self.pads)

    def laid_out(self, key: str, above: Sequence[Part | None], below: Sequence[Part | None]) -> Part:
        """All components in one column, with the face of the one touched last."""
        aside = next((pad for pad in self.pads if pad.aside), None)
        if aside is not None:
            return aside.laid_out(key, above, below)
        shown = list(self._shown())
        parts: list[Part] = []
        for pad in shown:
            parts += [pad.title(), pad.part()]
        last = self.pads[self.last]
        scroll = Scroll(Column(parts, gap=8), key=key)
        scroll.first = last.first
        face = FaceRoom(self.game, self.game.face(last.shown()), FACE)
        foot = Column([last.sentence(), *below], gap=6)
        if Window.width > Window.height:
            return WithRail(scroll, Page(None, face, foot, gap=6), RAIL)
        return Page(face, Plate(scroll, "ground", pad=10), foot, gap=6)
