"""The photo of a tile: taken by the camera, small beside its values, large on a tap."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from companion.core.words import say
from companion.errors import Trouble
from companion.table import photos
from companion.table.camera_feed import NONE
from companion.ui.toolkit.camera_picture import pictured
from companion.ui.toolkit.kit import Page, Part, Row, Tap
from companion.ui.toolkit.screen import Showing
from companion.ui.toolkit.tiles import Tile

if TYPE_CHECKING:
    from companion.ui.screens.binder.screen import BinderScreen

THUMB = 72
"""The width of the small photo."""


class Photo(Showing):
    """The photo of one component."""

    def __init__(self, binder: BinderScreen, component: str) -> None:
        super().__init__(binder.app)
        self.binder, self.component = binder, component
        self.picture: Any = None
        self.large = False
        self.shown_camera = False
        """Whether there was a camera when this was last built."""
        self._about = (self.app.folder, binder.game.id, component)
        self._beside(lambda: photos.look_up(*self._about), self._found)

    def _beside(self, job: Callable[[], Any], then: Callable[[Any], Any]) -> None:
        self.app.thread_pool.do(job, then, self._failed)

    def _found(self, picture: Any) -> None:
        if picture is not None:
            self.picture = picture
            self.app.refresh()

    def _failed(self, trouble: Trouble) -> None:
        self.app.tell(trouble.text, "refused")

    @property
    def camera(self) -> bool:
        """Whether there is a camera that could take a photo."""
        return self.app.camera_feed.source != NONE and self.app.camera_feed.trouble() is None

    def small(self) -> Part | None:
        """The photo to tap, or the button to take one; none if there is neither."""
        self.shown_camera = self.camera
        if self.picture is not None:
            return Tile(self._shown(THUMB, 44), self._open, "photo", pad=2)
        return Tap(icon="camera", on_tap=self._take, name="photo") if self.camera else None

    def page(self) -> Part:
        """The photo at full size."""
        again = Tap(self.t("ui.photo-again"), self._take, icon="camera", name="photo-again")
        away = Tap(self.t("ui.photo-away"), self._throw_away, icon="delete", name="photo-away")
        bottom = Row([again.fill() if self.camera else None, away.fill()])
        name = self.binder.catalogue()[self.component].called
        return Page(self.binder.head(self.desk.words(name)), self._shown(1280, 1280), bottom)

    def _shown(self, wide: float, high: float) -> Part:
        return pictured(self.picture, wide, high)

    def _open(self) -> None:
        self.large = True
        self.app.refresh()

    def _take(self) -> None:
        """Store the current camera picture, cropped round this component's label if it is visible."""
        glance = self.app.camera_feed.latest()
        if glance is None:
            self.app.tell(say("ui.photo-none"), "refused")
            return
        seen = [s.corners for s in glance.sightings if self.binder.component_of(s.text) == self.component]
        picture = photos.cropped(glance.frame.picture, seen[0] if seen else None).copy()

        def taken(_: Any) -> None:
            self.app.tell(say("ui.photo-kept"), "accepted")
            self._found(picture)

        self._beside(lambda: photos.keep(*self._about, picture), taken)

    def _throw_away(self) -> None:
        self.picture, self.large = None, False
        self._beside(lambda: photos.throw_away(*self._about), lambda _: self.app.refresh())
