"""The pages in front of a tile's page while teaching: list of tiles, teacher, rulebook's counts."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from companion.core.components import Component
from companion.core.faces import Sign
from companion.core.game import LONGEST_NAME
from companion.core.words import Text
from companion.texts import capital
from companion.ui.toolkit.draw import Badge
from companion.ui.toolkit.keyboard import Keyboard, TextField, Typing
from companion.ui.toolkit.kit import Column, Flow, Page, Part, Scroll, Tap, Tiles, Words
from companion.ui.toolkit.screen import Showing
from companion.ui.toolkit.symbols import FaceTap, FaceView
from companion.ui.toolkit.tiles import Leaves

if TYPE_CHECKING:
    from companion.ui.screens.binder.lesson import Lesson

FACE = (150, 92)
"""The smallest size of a face in the list."""


class LessonPages(Showing):
    """`shown` is the name of the current page; empty means the tile itself."""

    def __init__(self, lesson: Lesson) -> None:
        super().__init__(lesson.app)
        self.lesson = lesson
        self.shown = ""
        self.only: Text | None = None
        self.at = [0]
        self.typing: Typing | None = None

    def show(self, page: str) -> None:
        """Show this page."""
        self.shown, self.typing = page, None
        self.app.refresh()

    def page(self) -> Part:
        """The current page."""
        return {"list": self._list, "who": self._who, "census": self._census}[self.shown]()

    def typed(self, key: str, character: str | None) -> bool:
        """Handle a key of a real keyboard."""
        return self.typing is not None and self.typing.typed(key, character)

    # The list of tiles

    def wanted(self, component: Component) -> bool:
        """Whether it is of the selected kind."""
        kind = self.lesson.game.kind
        return self.only is None or kind is None or kind(component) == self.only

    def _list(self) -> Part:
        every = self.lesson.to_teach()
        listed = sorted((c for c in every if self.wanted(c)), key=lambda c: not c.unknown())
        untold = any(c.unknown() for c in every)
        seen = self.app.camera_feed.source != "none"
        title = "ui.teach-pick" if untold else "ui.teach-all-told"
        how = Words(self.t("ui.teach-scan" if seen else "ui.teach-touch"), "note", "dim")
        chips = self._kinds(every)
        leaves = Leaves(
            lambda n: self._face(listed[n]), len(listed), self.at, self.app.refresh, FACE, most=FACE[1] * 1.3
        )
        return Page(
            self.lesson.binder.head(self.t(title)),
            Page(
                Column([how if untold else None, Flow(chips, gap=6) if len(chips) > 2 else None], gap=6),
                leaves,
            ),
        )

    def _kinds(self, components: list[Component]) -> list[Part]:
        kind = self.lesson.game.kind
        if kind is None:
            return []
        texts = {repr(text): text for text in map(kind, components)}.values()
        kinds: list[tuple[Text | None, str]] = [(None, self.t("ui.teach-every-kind"))]
        kinds += [(text, capital(self.desk.words(text))) for text in texts]
        return [
            Tap(words, partial(self._choose, text), chosen=text == self.only, size="tile", name=f"kind-{n}")
            for n, (text, words) in enumerate(kinds)
        ]

    def _choose(self, kind: Text | None) -> None:
        self.only, self.at[0] = kind, 0
        self.app.refresh()

    def _face(self, component: Component) -> Part:
        """A tile with a question mark if values are unknown; the mark is dim until somebody has begun."""
        game = self.lesson.game
        begun = self.lesson.unfinished.of(game.id, component.id)
        sign = (Sign("unknown", dim=not begun),) if component.unknown() else ()
        face = FaceView(game, game.face(component), 0, FACE[1] / self.app.theme.text, sign)
        read = partial(self.app.front.read_printed, game, component)
        return FaceTap(face, partial(self.lesson.open, component.id), f"open-{component.id}", read)

    # The teacher

    def _who(self) -> Part:
        head = self.lesson.binder.head(self.t("ui.teach-who"))
        if self.typing is not None:
            return Page(
                head,
                Column([TextField(self.typing, self.t("ui.teach-name"))]),
                Keyboard(self.typing, self.t("ui.ok")),
            )
        known = [person.name for person in self.desk.settings.people]
        names = list(dict.fromkeys([*(name for name in self.lesson.unfinished.teachers if name), *known]))
        marks = self.desk.marks(tuple(names[:6]))
        taps: list[Part] = [
            Tap(
                name,
                partial(self.lesson.taught_by, name),
                lead=Badge(marks[n], 40) if n < len(marks) else None,
                chosen=name == self.lesson.teacher,
                name=f"teacher-{name}",
            )
            for n, name in enumerate(names)
        ]
        taps.append(Tap(self.t("ui.teach-other"), self._type, icon="account-plus", name="teacher-other"))
        taps.append(
            Tap(
                self.t("ui.teach-nobody"), partial(self.lesson.taught_by, ""), icon="account", name="teacher-"
            )
        )
        return Page(head, Scroll(Tiles(taps, 230), key="who"))

    def _type(self) -> None:
        def done() -> None:
            assert self.typing is not None
            self.lesson.taught_by(self.typing.text.strip())

        self.typing = Typing("", longest=LONGEST_NAME, name=True, on_done=done)
        self.app.refresh()

    # The rulebook's counts

    def _census(self) -> Part:
        progress, wrong = self.lesson.counted()
        box = self.lesson.binder.catalogue()
        lines = [Words(capital(self.desk.words(p.words)), "body") for p in progress if p.total]
        panels = [
            self.panel(
                Words(self.desk.words(found.text), "note"),
                Flow(
                    [
                        Tap(
                            self.desk.words(box[id].called),
                            partial(self.lesson.open, id),
                            size="tile",
                            name=f"culprit-{id}",
                        )
                        for id in found.components
                        if self.lesson.fields_of(self.lesson.binder.printed_box()[id])
                    ],
                    gap=6,
                ),
            )
            for found in wrong
        ]
        agrees = Words(self.t("ui.teach-agrees"), "note", "dim")
        body = Column([*(panels or [agrees]), self.panel(*lines, gap=4)])
        title = self.t("ui.teach-census" if panels else "ui.teach-how-far")
        return Page(self.lesson.binder.head(title), Scroll(body, key="census"))
