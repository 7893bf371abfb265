"""Teaching faces: the next component is named, somebody lays it down, a sound, the next. Thirty at a time are
laid out again to compare their names."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from kivy.core.window import Window

from companion.core.game import Game
from companion.core.words import Text, say
from companion.errors import Trouble
from companion.table.camera_feed import NONE
from companion.ui.toolkit.camera_picture import NEW, CameraPicture, Framed
from companion.ui.toolkit.face_pictures import PICTURES
from companion.ui.toolkit.kit import Column, Page, Part, Row, Scroll, Split, Tap, Tiles, Words
from companion.ui.toolkit.screen import Screen
from companion.ui.toolkit.symbols import FaceView

if TYPE_CHECKING:
    from companion.recognition.face_lesson import FaceLesson, Laid
    from companion.ui.toolkit.context import Context
    from vision.face_reader import FaceReader

TELLS = {"taught": "accepted", "copy": "known", "twin": "refused"}
"""The sound for each."""


class FacesPage(Screen):
    """The lesson runs in the thread pool, one picture at a time; this screen only touches it in between."""

    name = "faces"
    uses_camera = True

    def __init__(self, app: Context, game: Game) -> None:
        super().__init__(app)
        self.game = game
        self.lesson: FaceLesson | None = None
        self.laid: Laid | None = None
        self.line: Text | None = None
        self.reader: FaceReader | None = None
        """Reads what lies there during a check round."""
        self.found: tuple[str, ...] = ()
        self._busy = False
        self._later: list[Callable[[], Any]] = []
        self._look: Any = None
        self._changed = False

    # The lesson

    def enter(self) -> None:
        if self.lesson is None and not self._busy:
            self._beside(partial(_lesson, self.app.folder, self.game), self._begun)

    def leave(self) -> None:
        if self._changed:
            self.app.camera_feed.know_faces(self.app.folder, self.game)

    def _begun(self, lesson: FaceLesson) -> bool:
        self.lesson = lesson
        return True

    def _soon(self, deed: Callable[[], Any]) -> None:
        """Do this when the lesson is not at work with a picture."""
        if self._busy:
            self._later.append(deed)
        else:
            deed()
            self.app.refresh()

    def tick(self) -> None:
        look = self.app.camera_feed.latest()
        if look is None or look is self._look:
            return
        self._look = look
        self._show()
        if self.lesson is None or self._busy:
            return
        lesson, frame = self.lesson, look.frame
        if self.reader is not None:
            from companion.recognition.face_lesson import in_rows

            self._beside(partial(in_rows, self.game, self.reader, frame.picture), self._read)
        else:
            self._beside(partial(lesson.see, frame.picture, frame.at), self._heard)

    def _beside(self, job: Callable[[], Any], then: Callable[[Any], bool]) -> None:
        """Let the lesson work in the thread pool; the page is rebuilt if `then` says that there are news."""
        self._busy = True

        def done(result: Any) -> None:
            self._busy = False
            later = bool(self._later)
            news = then(result)
            while self._later and not self._busy:
                self._later.pop(0)()
            if news or later:
                self.app.refresh()

        def failed(trouble: Trouble) -> None:
            self._busy = False
            self.app.tell(trouble.text, "refused")

        self.app.thread_pool.do(job, done, failed)

    def _read(self, found: tuple[str, ...]) -> bool:
        news = len(found) > len(self.found) or not set(found) <= set(self.found)
        if news:
            self.found = found
            self.app.voice.sound("known")
        return news

    def _heard(self, laid: Laid | None) -> bool:
        if laid is None:
            return False
        from companion.recognition import face_lesson, face_pictures

        self.laid, self.line = laid, face_lesson.words_of(self.game, laid)
        self.app.voice.sound(TELLS[laid.what])
        if laid.what != "copy":
            self._changed = True
            PICTURES.changed(self.game.id, laid.component)
            keep = partial(face_pictures.keep, self.app.folder, self.game.id, laid.component, laid.picture)
            self.app.thread_pool.do(
                keep, lambda _: None, lambda trouble: self.app.tell(trouble.text, "refused")
            )
        assert self.lesson is not None
        if self.lesson.check_due:
            self._check()
        return True

    def _check(self) -> None:
        from vision.face_reader import FaceReader

        assert self.lesson is not None
        self.reader, self.found, self.line = FaceReader(self.lesson.index(), budget=0.2), (), None

    def _checked(self) -> None:
        assert self.lesson is not None
        self.reader, self.found, self.line = None, (), None
        self.lesson.lately.clear()
        self.lesson.begin_again()

    def _wrong(self, component: str) -> None:
        from companion.recognition import face_pictures

        assert self.lesson is not None
        self.lesson.forget(component)
        self._changed = True
        PICTURES.changed(self.game.id, component)
        self.found = tuple(one for one in self.found if one != component)
        self.line = say("faces.forgotten", name=self._called(component))
        throw = partial(face_pictures.throw_away, self.app.folder, self.game.id, component)
        self.app.thread_pool.do(throw, lambda _: None, lambda trouble: None)
        if self.reader is not None:
            self.reader.index = self.lesson.index()

    def _insist(self) -> None:
        assert self.lesson is not None
        if self.laid is not None:
            laid = self.lesson.insist(self.laid)
            self._heard(laid)

    def _again(self) -> None:
        if self.laid is not None and self.laid.what != "copy":
            self._wrong(self.laid.component)
            self.laid = None

    # The page

    def _called(self, component: str) -> Text:
        from companion.recognition import reading

        called: Text = reading.book(self.game).catalogue[component].called
        return called

    def _show(self) -> None:
        if self._look is None:
            return
        frames = []
        if self.reader is not None:
            frames = [Framed(s.text, s.corners, NEW) for s in self._look.sightings if s.how == "face"]
        self.picture.see(self._look.frame.picture, frames)

    def build(self) -> Part:
        self.picture = CameraPicture()
        if self._look is not None:
            high, wide = self._look.frame.picture.shape[:2]
            self.picture.aspect = wide / high
            self._show()
        side = Column(self._side(), gap=10)
        art = Words(self.t("faces.art"), "note", "dim")
        eye = Column([self._trouble() or self.picture, self._told(), art], gap=8)
        lying = Window.width > Window.height
        if lying:
            body: Part = Split([Scroll(eye, key="faces-eye"), Scroll(side, key="faces-side")], (1, 1))
        else:
            body = Page(eye, Scroll(side, key="faces-side"), gap=12)
        return self.page(self.t("faces.title"), body)

    def _trouble(self) -> Part | None:
        trouble = self.app.camera_feed.trouble()
        if self.app.camera_feed.source != NONE and trouble is None:
            return None
        choose = Tap(
            self.t("ui.choose-camera"),
            lambda: self.app.go("settings", section="camera"),
            icon="camera",
            kind="main",
            name="settings",
        )
        why = self.t("ui.camera-off") if trouble is None else self.desk.words(trouble)
        return Column([Words(why, "body", "bad"), choose])

    def _side(self) -> list[Part | None]:
        lesson = self.lesson
        if lesson is None:
            return [Words(self.t("ui.camera-starting"), "body", "dim")]
        line = None if self.line is None else Words(self.desk.words(self.line), "body", self._tone())
        if self.reader is not None:
            return [line, *self._check_round()]
        if lesson.next is None:
            return [Words(self.t("faces.all"), "prompt", bold=True), line]
        from companion.recognition import reading

        name = self.desk.words(self._called(lesson.next))
        face = self.game.face(reading.book(self.game).catalogue[lesson.next])
        return [
            Words(self.t("faces.next", name=name), "prompt", bold=True),
            Row(
                [
                    FaceView(self.game, face, 130, 84),
                    (line or Words(self.t("faces.how"), "note", "dim")).fill(),
                ]
            ),
            Tiles(self._deeds(lesson), 170),
        ]

    def _told(self) -> Part | None:
        if self.lesson is None:
            return None
        told, total = str(self.lesson.told), str(self.lesson.total)
        return Words(self.t("faces.told", told=told, total=total), "body", bold=True)

    def _tone(self) -> str:
        return "bad" if self.laid is not None and self.laid.what == "twin" else "accent"

    def _deeds(self, lesson: FaceLesson) -> list[Part]:
        deeds: list[Part] = []
        if self.laid is not None and self.laid.what == "copy":
            deeds.append(Tap(self.t("faces.insist"), partial(self._soon, self._insist), name="insist"))
        deeds.append(Tap(self.t("faces.skip"), partial(self._soon, lesson.skip), name="skip"))
        if self.laid is not None and self.laid.what != "copy":
            deeds.append(Tap(self.t("faces.back"), partial(self._soon, self._again), name="again"))
        if lesson.lately:
            deeds.append(Tap(self.t("faces.check"), partial(self._soon, self._check), name="check"))
        return deeds

    def _check_round(self) -> list[Part | None]:
        names = [
            Tap(
                self.desk.words(self._called(id)),
                partial(self._soon, partial(self._wrong, id)),
                name=f"wrong-{id}",
            )
            for id in self.found
        ]
        return [
            Words(self.t("faces.check-how"), "note"),
            Tap(
                self.t("faces.checked"),
                partial(self._soon, self._checked),
                icon="check",
                kind="main",
                name="checked",
            ),
            Tiles(names, 150) if names else Words(self.t("faces.none-yet"), "body", "dim"),
        ]


def _lesson(folder: Any, game: Game) -> FaceLesson:
    from companion.recognition import face_pictures, faces
    from companion.recognition.face_lesson import FaceLesson

    known = {id: face_pictures.look_up(folder, game.id, id) for id in faces.taught(folder, game)}
    return FaceLesson(game, {id: picture for id, picture in known.items() if picture is not None})
