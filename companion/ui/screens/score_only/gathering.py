"""Showing components to the camera bit by bit: the picture, what was seen so far, and what is odd."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from kivy.core.window import Window

from companion.core.components import Catalogue
from companion.core.game import Game
from companion.core.words import count
from companion.ui.toolkit.kit import Column, Icon, Page, Part, Row, Scroll, Split, Tap, Words
from companion.ui.toolkit.screen import Screen

if TYPE_CHECKING:
    from companion.ui.toolkit.camera_picture import CameraPicture
    from vision.camera_health import Frame


class Gathering:
    """A sweep; `fits` says which components can lie where the camera looks."""

    def __init__(self, screen: Screen, rules: Game, box: Catalogue[Any], fits: Callable[[str], bool]) -> None:
        from vision.sweep import Sweep

        self.screen, self.rules, self.box, self.fits = screen, rules, box, fits
        last = screen.app.camera_feed.latest()
        # The newest picture may still show another place.
        self.sweep = Sweep()
        self._frame: Frame | None = None
        self._old = last and last.frame
        self._picture: CameraPicture | None = None
        self._labels: list[Any] = []
        screen.app.camera_feed.wait_for_scan(True)

    def stop(self) -> None:
        """Tell the camera that nobody waits for a scan any more."""
        self.screen.app.camera_feed.wait_for_scan(False)

    @property
    def found(self) -> tuple[str, ...]:
        """What was seen so far and can lie here."""
        from companion.recognition import reading

        return tuple(c for c in reading.tableau_in(self.rules, self.sweep) if self.fits(c))

    def check_camera(self) -> None:
        """Look at the newest picture; results are shown beside it."""
        look = self.screen.app.camera_feed.latest()
        if look is None or look.frame is self._frame or look.frame is self._old:
            return
        from companion.recognition import reading
        from companion.ui.toolkit.camera_picture import KNOWN, NEW, Framed

        before = self.found, self._strange()
        self._frame, self.sweep = look.frame, self.sweep.see(look.sightings)
        if self._picture is not None:
            book = reading.book(self.rules)
            pieces = [(s, book.piece(s.text)) for s in look.sightings]
            self._labels = [
                Framed(s.text, s.corners, NEW if piece is not None and self.fits(piece.component) else KNOWN)
                for s, piece in pieces
            ]
            self._picture.see(look.frame.picture, self._labels)
        if (self.found, self._strange()) != before:
            self.screen.app.voice.sound("accepted")
            self.screen.app.refresh()

    def _strange(self) -> tuple[Any, ...]:
        from companion.recognition import reading

        return tuple(map(self.box.in_our_names, reading.strange_in(self.rules, self.sweep)))

    def _why_blind(self) -> str:
        trouble = self.screen.app.camera_feed.trouble()
        return self.screen.t("ui.so-no-picture") if trouble is None else self.screen.desk.words(trouble)

    def page(self, top: Part, names: Callable[[str], str], take: Callable[[], Any]) -> Part:
        """The camera's picture beside what it has seen."""
        from companion.ui.toolkit.camera_picture import CameraPicture

        words, found = self.screen.desk.words, self.found
        self._picture = CameraPicture()
        if self._frame is not None:
            self._picture.see(self._frame.picture, self._labels)
        head = Words(words(count("ui.so-seen", len(found))), "body", "accent", bold=True)
        lines: list[Part] = [Words(names(component), "note") for component in reversed(found)]
        strange: list[Part] = [
            Row([Icon("alert-circle", "body", "bad"), Words(words(text), "note").fill()])
            for text in self._strange()
        ]
        blind = Words(self._why_blind(), "body", "dim") if self._frame is None else None
        seen = Scroll(Column([blind, *strange, head, *lines], gap=4), key="so-seen")
        taken = Tap(words(count("ui.so-take", len(found))), take, icon="check", kind="main", name="take")
        lying = Window.width > Window.height
        body = Split([self._picture, seen], (1.6, 1)) if lying else Page(self._picture, seen)
        return Page(top, body, taken if found else None)
