"""Preferences: language, sizes, colours, sounds, and what the table shows."""

from __future__ import annotations

from functools import partial

from companion.core.words import say
from companion.table.settings import SOUNDS
from companion.ui.screens.settings.sections.section import Section
from companion.ui.toolkit.draw import Bar
from companion.ui.toolkit.kit import Icon, Part, Row, Tap, Words, theme
from companion.ui.toolkit.snug import Snug
from companion.ui.toolkit.stepper import Broad
from companion.ui.toolkit.tiles import Cells, Centred, Stack, Tile

LANGUAGES = {"en": "English", "pl": "Polski"}
"""Each in its own language, so that people find theirs."""

SMALLEST, LARGEST, STEP = 80, 150, 10
LOUDER = 20
BAR = 64
"""The height of the bar that sets the text size."""


class Language(Section):
    """The language of the table."""

    name = "language"
    icon = "translate"

    def parts(self) -> list[Part]:
        return [
            self.choice(
                words, id == self.desk.language, partial(self.desk.change, language=id), f"language-{id}"
            )
            for id, words in LANGUAGES.items()
        ]


class TextSize(Section):
    """The text size."""

    name = "text"
    icon = "format-size"

    def parts(self) -> list[Part]:
        example = self.panel(
            Words(self.t("ui.text-example"), "prompt", bold=True),
            Words(self.t("ui.text-example-more"), "body"),
            Words(self.t("ui.text-example-note"), "note", "dim"),
        )
        return [example]

    def bar(self) -> Part:
        """Minus and plus, equally large at every text size, so that they stay under the finger."""
        size = self.desk.settings.text_size

        def tap(icon: str, to: int, name: str) -> Part:
            there = SMALLEST <= to <= LARGEST
            change = partial(self.desk.change, text_size=to) if there else None
            sign = Centred(Icon(icon, "body", "text" if there else "dim"))
            return Tile(sign, change, name, ground="raised" if there else "surface")

        value = Snug(self.t("ui.percent", n=size), 30 * 100 / size, 24, bold=True, align="center")
        steps = Cells(
            [tap("minus", size - STEP, "less-text"), value, tap("plus", size + STEP, "more-text")], 3
        )
        return Stack([(steps, theme().px(BAR))])


class Colours(Section):
    """Dark or light."""

    name = "colours"
    icon = "theme-light-dark"

    def parts(self) -> list[Part]:
        return [
            self.choice(
                self.t(f"ui.colours-{theme}"),
                self.desk.settings.theme == theme,
                partial(self.desk.change, theme=theme),
                f"colours-{theme}",
            )
            for theme in ("dark", "light")
        ]


class SoundSection(Section):
    """Which sounds are played, and the volume."""

    name = "sound"
    icon = "volume-high"

    def parts(self) -> list[Part]:
        settings = self.desk.settings
        words = self.t("ui.percent", n=settings.volume) if settings.volume else self.t("ui.sound-off")
        parts: list[Part] = [
            _steps(self, "volume", words, settings.volume, 0, 100, LOUDER, "volume"),
            Bar(settings.volume, 100),
            Words(self.t("ui.sound-kinds"), "note", "dim"),
        ]
        return parts + [self._kind(kind) for kind in SOUNDS] + self._speech()

    def _speech(self) -> list[Part]:
        """Which events are also spoken."""
        if not self.app.voice.speech.there:
            words = Words(self.t("ui.speech-none"), "note", "dim").fill()
            return [self.panel(Row([Icon("information", "prompt", "dim"), words]))]
        spoken = self.desk.settings.spoken
        switches = [
            self.switch(
                self.t(f"ui.sound-{kind}"),
                kind in spoken,
                partial(
                    self.desk.change,
                    spoken=tuple(k for k in SOUNDS if (k in spoken) != (k == kind)),
                ),
                f"spoken-{kind}",
            )
            for kind in SOUNDS
        ]
        return [Words(self.t("ui.speech-kinds"), "note", "dim"), *switches]

    def _kind(self, kind: str) -> Part:
        silent = self.desk.settings.silent
        fewer = tuple(k for k in silent if k != kind)
        change = partial(self.desk.change, silent=fewer if kind in silent else (*silent, kind))
        switch = self.switch(self.t(f"ui.sound-{kind}"), kind not in silent, change, f"sound-{kind}")
        hear = Tap(icon="play", on_tap=lambda: self._hear(kind), name=f"hear-{kind}")
        return Row([switch.fill(), hear])

    def _hear(self, kind: str) -> None:
        """Play this sound, or say why it cannot be played."""
        if self.app.voice.can_play(kind):
            self.app.voice.sound(kind)
        else:
            self.app.tell(say("ui.sound-no-speaker"))


class TableShows(Section):
    """What the table shows."""

    name = "table"
    icon = "table-furniture"

    def parts(self) -> list[Part]:
        settings = self.desk.settings
        shown: list[Part] = [
            self.switch(
                self.t(f"ui.table-{name.replace('_', '-')}"),
                getattr(settings, name),
                partial(self.desk.change, **{name: not getattr(settings, name)}),
                f"table-{name}",
                self.t(f"ui.table-{name.replace('_', '-')}-more"),
            )
            for name in ("scores", "clocks", "in_secret", "moments")
        ]
        hidden = settings.reminders_off
        title = [Words(self.t("ui.reminders-off"), "note", "dim")] if hidden else []
        return [*shown, *title, *(self._reminder(id, words) for id, words in hidden.items())]

    def _reminder(self, id: str, words: str) -> Part:
        """A reminder that was switched off."""
        others = {other: told for other, told in self.desk.settings.reminders_off.items() if other != id}
        return self.switch(words, False, partial(self.desk.change, reminders_off=others), f"remind-{id}")


def _steps(
    section: Section, name: str, words: str, value: int, low: int, high: int, step: int, field: str
) -> Part:
    def change(to: int) -> None:
        if low <= to <= high:
            section.desk.change(**{field: to})

    def tap(icon: str, to: int, which: str) -> Tap:
        kind = "plain" if low <= to <= high else "quiet"
        return Tap(icon=icon, on_tap=lambda: change(to), kind=kind, name=f"{which}-{name}", tall=60)

    less, more = tap("minus", value - step, "less"), tap("plus", value + step, "more")
    return Row([less, Broad(Words(words, "prompt", bold=True, align="center"), 130), more])
