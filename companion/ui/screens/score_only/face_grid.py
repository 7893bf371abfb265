"""Entering who owns what by faces: all components of the box as small faces, with the seats as tabs above.

A tap gives a face to the seat, another takes it back. Faces always keep their places.
"""

from __future__ import annotations

from collections import Counter as Tally
from functools import partial
from typing import TYPE_CHECKING

from kivy.core.window import Window

from companion.core.words import count
from companion.ui.screens.table.signs import FaceIn
from companion.ui.toolkit.draw import Badge
from companion.ui.toolkit.kit import Icon, Part, Row, theme
from companion.ui.toolkit.shared_room import IconBeside
from companion.ui.toolkit.snug import Snug
from companion.ui.toolkit.theme import INK, SMALLEST_WORDS
from companion.ui.toolkit.tiles import Cells, Centred, Leaves, Stack, Tile

if TYPE_CHECKING:
    from companion.core.components import Component
    from companion.ui.screens.score_only.screen import ScoreOnly

CELL, HIGHEST, BAR, BADGE, TAKEN = (118, 60), 76, 56, 26, 0.4
"""The smallest size and the greatest height of a face, the height of the rows of buttons, the size of a mark
on a face, and the opacity of what belongs to somebody else."""

NAMED = 76
"""The smallest height of tiles with a name below their price and their picture."""

IN_ONE_ROW = 4
"""Up to this many tabs are side by side."""


class FaceGrid:
    """The grid of one step, and its current page."""

    def __init__(self, screen: ScoreOnly) -> None:
        self.screen = screen
        self.at = [0]

    @property
    def middle(self) -> bool:
        """Whether it is about the middle of the table."""
        return self.screen.step == "between"

    def components(self) -> list[Component]:
        """Everything that can lie there, in the order of the box, without what every player has: it scores
        nothing."""
        between = set(self.screen.played.between)
        return [c for c in self.screen.played.catalogue if (c.id in between) == self.middle and not c.own]

    def page(self, next_: Part) -> Part:
        """Tabs, faces, and the button to go on."""
        screen, shown = self.screen, self.components()
        faces = [screen.rules.face(component) for component in shown]
        tall = any(face.shape == "tile" and face.corners and face.rows for face in faces)
        cell = (CELL[0], NAMED if tall else CELL[1])
        grid = Leaves(
            lambda n: self._tile(shown[n]),
            len(shown),
            self.at,
            screen.app.refresh,
            cell,
            most=max(HIGHEST, cell[1]),
            name="next-page",
        )
        upright = Window.height > Window.width
        tabs = [self._tab(n, name) for n, name in enumerate(screen.people)]
        back = _icon("arrow-left", screen.back, "back")
        ways = [_icon("camera", screen.start_sweep, "sweep"), _icon("magnify", screen.open_search, "search")]
        bar = theme().px(BAR)
        said = screen.t("ui.so-whose", name=screen.people[screen.seat or 0])
        how = Snug(said, 22, SMALLEST_WORDS, "dim", lines=2)
        foot = Row([how.fill(), next_.fill()], gap=6)
        if upright or len(tabs) > IN_ONE_ROW:
            head = Row([back.fill(), *(way.fill() for way in ways)], gap=6)
            rows = -(-len(tabs) // 3)
            cells = Cells(tabs, 3, gap=6)
            return Stack([(head, bar), (cells, rows * (bar + 6)), (grid, None), (foot, bar)])
        head = Row([back.fill(0.4), *(tab.fill() for tab in tabs), *(way.fill(0.4) for way in ways)], gap=6)
        return Stack([(head, bar), (grid, None), (foot, bar)])

    def _tab(self, seat: int, name: str) -> Tile:
        """A seat with its number of faces; the current one has its colour as background."""
        screen = self.screen
        mine = screen.played.owned(name) if self.middle else screen.played.mine(name)
        now, mark = seat == screen.seat, screen.marks[seat]
        tone = INK if now else "text"
        words = Snug(f"{name} {len(mine)}", 24, SMALLEST_WORDS, tone, bold=True, lines=2)
        badge = Icon("hand-pointing-right", "body", INK) if now else Badge(mark, 30 / theme().text)
        return Tile(
            IconBeside(badge, words),
            partial(screen.turn_to, seat),
            f"of-{seat}",
            ground=mark.colour if now else "surface",
            edge="" if now else mark.colour,
            pad=6,
        )

    def _tile(self, component: Component) -> Tile:
        screen = self.screen
        id, seat = component.id, screen.people[screen.seat or 0]
        if self.middle:
            owners = list(screen.played.owners.get(id, ()))
        else:
            lying = Tally({name: screen.played.mine(name).count(id) for name in screen.people})
            owners = list(lying.elements())
        mine = owners.count(seat)
        game = screen.rules
        badges = [Badge(screen.marks[screen.people.index(name)], BADGE / theme().text) for name in owners[:2]]
        face = MarkedFace(FaceIn(game, game.face(component)), badges, faint=bool(owners) and not mine)
        colour = screen.marks[screen.people.index(seat)].colour
        tile = Tile(
            face,
            partial(self._tapped, component),
            f"whose-{id}" if self.middle else f"card-{id}",
            ground="line" if mine else "raised",
            edge=colour if mine else "",
            pad=5,
        )
        tile.on_hold = partial(screen.app.front.read_printed, game, component)
        return tile

    def _tapped(self, component: Component) -> None:
        """Give it to this seat, or take it back; with several copies each tap adds one while any are left."""
        screen, played = self.screen, self.screen.played
        id, name = component.id, screen.people[screen.seat or 0]
        if self.middle:
            screen.know(played.seen_between((id,)).given(id, name))
            return
        mine = played.mine(name).count(id)
        others = sum(played.mine(other).count(id) for other in screen.people if other != name)
        if mine + others < component.copies:
            screen.know(played.added(name, id))
            return
        for _ in range(mine):
            played = played.removed(name, id)
        if mine:
            screen.know(played)
        else:
            screen.app.tell(count("ui.so-taken", others), "refused")


class MarkedFace(Part):
    """A face with its owners' marks at its right."""

    def __init__(self, face: Part, marks: list[Badge], faint: bool) -> None:
        super().__init__()
        self.face, self.marks = face, marks
        self.add_widget(face)
        if faint:
            face.opacity = TAKEN
        for mark in marks:
            self.add_widget(mark)

    def fit(self, width: float) -> float:
        return theme().px(CELL[1])

    def place(self, x: float, y: float, width: float, height: float) -> None:
        super().place(x, y, width, height)
        side = theme().px(BADGE)
        self.face.place(x, y, width - (side if self.marks else 0), height)
        for n, mark in enumerate(self.marks):
            mark.place(
                x + width - side, y + height - (n + 1) * min(side, height / len(self.marks)), side, side
            )


def _icon(icon: str, do: object, name: str) -> Tile:
    return Tile(Centred(Icon(icon, "body")), do, name, ground="surface")  # type: ignore[arg-type]
