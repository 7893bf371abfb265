"""Naming a new tile: as printed, or by any name people will recognise. Laid down before the camera, its picture
is its face, and the name can wait."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from companion.core.questions import Option, Question
from companion.core.words import say
from companion.errors import Trouble
from companion.table import photos
from companion.table.camera_feed import NONE
from companion.ui.toolkit.face_pictures import PICTURES
from companion.ui.toolkit.keyboard import Keyboard, TextField, Typing
from companion.ui.toolkit.kit import Page, Part, Row, Tap
from companion.ui.toolkit.screen import Screen
from companion.ui.toolkit.snug import Snug
from companion.ui.toolkit.theme import SMALLEST_WORDS

if TYPE_CHECKING:
    from companion.ui.toolkit.context import Context
    from vision.laid_cards import LaidCards

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
        self._laid: LaidCards | None = None
        self._look: Any = None
        self._busy = False

    def _times(self, seat: int | None, slug: str) -> int:
        return -1 if self.desk.play is None else self.desk.session.times(seat, slug)

    def build(self) -> Part:
        back = Tap(icon="arrow-left", kind="quiet", on_tap=self.app.back, name="back")
        field = TextField(self.typing, self.t("ui.name-tile"))
        later = Tap(self.t("ui.name-tile-later"), self._answer, size="tile", name="name-later")
        sees = "ui.name-tile-lay" if self._sees() else "ui.name-tile-how"
        how = Snug(self.t(sees), 20, SMALLEST_WORDS, "dim", lines=2)
        return Page(
            Row([back, field.fill(), later], gap=6),
            Row([how.fill(), self._camera()], gap=6),
            Keyboard(self.typing, self.t("ui.name-tile-done")),
        )

    def _sees(self) -> bool:
        return self.app.camera_feed.source != NONE and self.app.camera_feed.trouble() is None

    def _camera(self) -> Part | None:
        if not self._sees():
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
        elif not self._busy:
            self._watch()

    def _watch(self) -> None:
        """A tile that is laid down now is the new one: its picture is kept, and that is the answer."""
        self.app.camera_feed.wait_for_scan(True)
        look = self.app.camera_feed.latest()
        if look is None or look is self._look:
            return
        from vision.laid_cards import LaidCards

        self._look, self._busy = look, True
        laid = self._laid = self._laid or LaidCards()
        frame = look.frame
        self.app.thread_pool.do(
            lambda: laid.see(frame.picture, frame.at), partial(self._seen, frame.picture), self._failed
        )

    def _seen(self, picture: Any, corners: Any) -> None:
        self._busy = False
        if corners is not None and self.app.screen is self:
            self._keep(picture, corners)

    def _failed(self, trouble: Trouble) -> None:
        self._busy = False
        self.app.tell(trouble.text, "refused")

    def _named(self) -> None:
        if name := " ".join(self.typing.text.split()):
            self.desk.name_new(self.component, name)
        self._answer()

    def _answer(self) -> None:
        self.app.back()
        self.tell()

    def _photograph(self) -> None:
        """Keep the picture of the tile that lies in the middle, or else the whole picture."""
        glance = self.app.camera_feed.latest()
        if glance is None:
            self.app.tell(say("ui.photo-none"), "refused")
            return
        from vision.laid_cards import card_in_the_middle

        picture = glance.frame.picture.copy()
        self._keep(picture, card_in_the_middle(picture))

    def _keep(self, picture: Any, corners: Any) -> None:
        """The tile's own picture is its face from now on; its name can wait."""
        from companion.recognition import face_pictures
        from companion.recognition.face_lesson import cut_out

        rules, component, folder = self.desk.session.game, self.component, self.app.folder
        game = rules.id
        alone = None if corners is None else cut_out(picture, corners)

        def job() -> None:
            if alone is None:
                photos.keep(folder, game, component, picture)
            else:
                face_pictures.keep(folder, game, component, alone)

        def kept(_: None) -> None:
            PICTURES.changed(game, component)
            self.app.camera_feed.know_faces(folder, rules)
            self.app.tell(say("ui.photo-kept"), "accepted")
            self.app.refresh()

        self.app.thread_pool.do(job, kept, lambda trouble: self.app.tell(trouble.text, "refused"))
        self._named()
