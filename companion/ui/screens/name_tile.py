"""Naming a new tile: as printed, or by any name people will recognise. It can be photographed instead, or
left unnamed."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from companion.core.questions import Option, Question
from companion.core.words import say
from companion.table import photos
from companion.table.camera_feed import NONE
from companion.ui.toolkit.keyboard import Keyboard, TextField, Typing
from companion.ui.toolkit.kit import Page, Part, Row, Tap
from companion.ui.toolkit.screen import Screen
from companion.ui.toolkit.snug import Snug
from companion.ui.toolkit.theme import SMALLEST_WORDS

if TYPE_CHECKING:
    from companion.ui.toolkit.context import Context

ESCAPE = "27"


class NameTile(Screen):
    """Whatever is chosen here, `tell` then answers the question people came from with this tile."""

    name = "name-tile"
    margin = 6

    def __init__(
        self,
        app: Context,
        question: Question,
        option: Option,
        tell: Callable[[], None],
        typed: str = "",
    ) -> None:
        super().__init__(app)
        assert option.new is not None
        self.component, self.called, self.tell = option.new, option.text, tell
        self.asked = (question.seat, question.slug, self._times(question.seat, question.slug))
        self.typing = Typing(typed, on_done=self._named, name=True)

    def _times(self, seat: int | None, slug: str) -> int:
        return -1 if self.desk.play is None else self.desk.session.times(seat, slug)

    def build(self) -> Part:
        back = Tap(icon="arrow-left", kind="quiet", on_tap=self.app.back, name="back")
        field = TextField(self.typing, self.t("ui.name-tile"))
        later = Tap(self.t("ui.name-tile-later"), self._answer, size="tile", name="name-later")
        how = Snug(self.t("ui.name-tile-how"), 20, SMALLEST_WORDS, "dim", lines=2)
        return Page(
            Row([back, field.fill(), later], gap=6),
            Row([how.fill(), self._camera()], gap=6),
            Keyboard(self.typing, self.t("ui.name-tile-done")),
        )

    def _camera(self) -> Part | None:
        if self.app.camera_feed.source == NONE or self.app.camera_feed.trouble() is not None:
            return None
        return Tap(
            self.t("ui.name-tile-photo"), self._photograph, icon="camera", size="tile", name="name-photo"
        )

    def typed(self, key: str, character: str | None) -> bool:
        if key == ESCAPE:
            self.app.back()
            return True
        return self.typing.typed(key, character)

    def tick(self) -> None:
        """Go back if a card shown to the camera, or another touch, has answered the question."""
        seat, slug, times = self.asked
        if self._times(seat, slug) != times:
            self.app.back()

    def _named(self) -> None:
        if name := " ".join(self.typing.text.split()):
            self.desk.name_new(self.component, name)
        self._answer()

    def _answer(self) -> None:
        self.app.back()
        self.tell()

    def _photograph(self) -> None:
        """Store the camera's picture as the tile's photo for the binder; its name can wait."""
        glance = self.app.camera_feed.latest()
        if glance is None:
            self.app.tell(say("ui.photo-none"), "refused")
            return
        picture, about = glance.frame.picture.copy(), (self.desk.session.game.id, self.component)
        folder = self.app.folder
        self.app.thread_pool.do(
            lambda: photos.keep(folder, *about, picture),
            lambda _: self.app.tell(say("ui.photo-kept"), "accepted"),
            lambda trouble: self.app.tell(trouble.text, "refused"),
        )
        self._named()
