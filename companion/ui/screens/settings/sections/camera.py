"""The camera: which one, what it sees, and whether it sees well enough."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from kivy.core.window import Window

from companion.core.words import Text
from companion.recognition import zones
from companion.table.camera_feed import NONE
from companion.ui.screens.settings.sections.section import Section, breakable
from companion.ui.toolkit.camera_picture import KNOWN, NEW, CameraPicture, Framed
from companion.ui.toolkit.kit import Column, Flow, Part, Split, Tap, Tiles, Words

if TYPE_CHECKING:
    from companion.ui.toolkit.context import Context
    from vision.worker import Glance

MADE_UP = "virtual:"


class CameraSection(Section):
    """The table's camera; cards held up here do not count for the play."""

    name = "camera"
    icon = "camera"
    uses_camera = True

    def __init__(self, app: Context) -> None:
        super().__init__(app)
        self.sources: tuple[str, ...] | None = None
        self.seen: Glance | None = None
        self.advice: tuple[Text, ...] = ()
        self.picture: CameraPicture | None = None

    def arrive(self) -> None:
        if self.sources is None:
            self.app.thread_pool.do(_sources, self._found_sources, self.trouble)

    def leave(self) -> None:
        self.app.camera_feed.wait_for_scan(False)

    def parts(self) -> list[Part]:
        """The choice of a camera and of where cards are shown, then the picture: choices are never below the
        picture."""
        self.picture = CameraPicture()
        now = self.desk.settings.camera
        parts: list[Part] = [self._sources(now)]
        if now == NONE:
            return parts
        if self.seen is not None:
            self._show(self.seen)
        parts.append(self._spots())
        told = self._advice()
        low = not self.app.theme.wide and Window.width > Window.height
        parts += [Split([self.picture, told], (1.1, 1))] if low else [told, self.picture]
        return parts

    def _sources(self, now: str) -> Part:
        """All cameras; of the simulated ones only one, with its lighting once it is chosen."""
        found = self.sources or ()
        real = [source for source in found if not source.startswith(MADE_UP)]
        made_up = [source for source in found if source.startswith(MADE_UP)]
        chosen = now if now.startswith(MADE_UP) else next(iter(made_up), None)
        known = [NONE, *real, *([] if chosen is None else [chosen])]
        listed = known if now in known else [now, *known]
        taps: list[Part] = [self._source(source, source == now) for source in listed]
        taps.append(
            Tap(self.t("ui.look-again"), self._look_again, icon="refresh", kind="quiet", name="look-again")
            if self.sources is not None
            else Words(self.t("ui.camera-looking"), "note", "dim")
        )
        lights = [self._light(source, source == now) for source in made_up] if now == chosen else []
        return Column([Tiles(taps, 200, columns=2, gap=6), Flow(lights, gap=6) if lights else None], gap=6)

    def _light(self, source: str, on: bool) -> Part:
        words = self.t(f"ui.preset-{source.split(':')[1]}")
        return Tap(words, lambda: self._watch(source), chosen=on, kind="quiet", name=f"light-{source}")

    def _advice(self) -> Part:
        """How to improve the picture, or what is wrong with the camera."""
        trouble = self.app.camera_feed.trouble()
        if trouble:
            return self.panel(
                Words(self.t("ui.camera-complains", why=self.desk.words(trouble)), "note", "bad")
            )
        told = [Words(self.desk.words(text), "note") for text in self.advice]
        return self.panel(*(told or [Words(self.t("ui.camera-opening"), "note", "dim")]))

    def _spots(self) -> Part:
        """Where in the picture cards are shown."""
        now = self.desk.settings.spot
        taps = [
            Tap(
                self.t(f"ui.spot-{word}"),
                partial(self.desk.change, spot=zones.parse(word)),
                chosen=now == zones.parse(word),
                kind="quiet",
                name=f"spot-{word}",
            )
            for word in (zones.WHOLE, *zones.NAMED)
        ]
        return Column([Words(self.t("ui.spot"), "note", "dim"), Flow(taps, gap=6, lines=4)], gap=4)

    def _source(self, source: str, on: bool) -> Tap:
        return self.choice(self._named(source), on, lambda: self._watch(source), f"camera-{source}")

    def _named(self, source: str) -> str:
        """The name of a camera."""
        sort, _, rest = source.partition(":")
        if sort in ("none", "pi"):
            return self.t(f"ui.camera-{sort}")
        if sort == "usb":
            return self.t("ui.camera-usb", n=rest)
        if sort == "virtual":
            return self.t("ui.practice")
        return self.t("ui.camera-other", source=breakable(source))

    def _watch(self, source: str) -> None:
        self.seen, self.advice = None, ()
        self.app.camera_feed.watch(source)
        self.desk.change(camera=source)

    def _look_again(self) -> None:
        self.sources = None
        self.arrive()
        self.app.refresh()

    def _found_sources(self, sources: tuple[str, ...]) -> None:
        self.sources = sources
        self.app.refresh()

    def tick(self) -> None:
        camera_feed = self.app.camera_feed
        camera_feed.wait_for_scan(True)
        look = camera_feed.latest()
        if look is None or look is self.seen or self.desk.settings.camera == NONE:
            return
        self.seen = look
        from companion.recognition.camera_advice import advices

        advice = tuple(advices(look.frame.picture, list(look.sightings)))
        if advice != self.advice:
            self.advice = advice
            self.app.refresh()
        elif self.picture is not None:
            self._show(look)

    def _show(self, look: Glance) -> None:
        assert self.picture is not None
        labels = [Framed(s.text, s.corners, NEW) for s in look.sightings]
        spot = self.desk.settings.spot
        if spot is not None:
            high, wide = look.frame.picture.shape[:2]
            labels.append(Framed("", zones.corners(spot, wide, high), KNOWN))
        self.picture.see(look.frame.picture, labels)


def _sources() -> tuple[str, ...]:
    """All cameras; loading the recognition takes a moment."""
    from companion.recognition.camera_advice import sources

    return tuple(sources())
