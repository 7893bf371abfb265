"""The hall this table plays in: the switch, the credentials, the judge, the result, and Home Assistant."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.core.words import say
from companion.errors import Trouble
from companion.hall_messages import CREDENTIALS_SUFFIX
from companion.recognition.plain_codes import texts_in
from companion.table import backups
from companion.table.hall_memory import MOST_CREDENTIALS
from companion.table.hall_now import ResultNow
from companion.texts import shown
from companion.ui.screens.settings.sections.network import hall_words
from companion.ui.toolkit.kit import Column, Icon, Part, Plate, Row, Scroll, Tap, Words
from companion.ui.toolkit.screen import AppQuestion, Screen

if TYPE_CHECKING:
    from companion.ui.toolkit.context import Context

MOST_FILES = 20


class HallPage(Screen):
    """What can be done about the hall, and how the connection is."""

    name = "hall"

    def __init__(self, app: Context) -> None:
        super().__init__(app)
        self.files: tuple[Path, ...] | None = None
        """The files with credentials on sticks, while people choose one."""
        self.scanning = False
        """Whether a QR code with credentials is expected."""
        self._reading = False

    @property
    def uses_camera(self) -> bool:  # type: ignore[override]
        """Whether a QR code is expected."""
        return self.scanning

    def build(self) -> Part:
        title = self.t("hall-table.title")
        if self.files is not None:
            return self.page(title, Scroll(Column(self._found(self.files)), key="files"))
        on, now = self.desk.settings.hall, self.app.hall.now
        switch = self._switch("hall", on, self.t("hall-table.switch"), self.t("hall-table.what"))
        if not on:
            return self.page(title, Scroll(Column([switch], gap=12), key="hall"))
        parts: list[Part | None] = [switch]
        if self.scanning:
            parts.append(Plate(Words(self.t("hall-table.show-code"), "body"), edge="accent"))
        if now.credentials is not None:
            named = f"{shown(now.credentials.title)} · {shown(now.event) or now.credentials.hall}"
            parts.append(Words(named, "body", "accent", bold=True))
        tone = "good" if now.connected else "dim"
        parts.append(
            Row(
                [
                    Icon("check-circle" if now.connected else "timer", "body", tone),
                    Words(hall_words(self), "body").fill(),
                ]
            )
        )
        if now.result is not None:
            parts += self._result(now.result)
        if now.credentials is not None:
            words = self.t("hall-table.no-judge" if now.calling else "hall-table.judge")
            call = partial(self.app.hall.call_judge, not now.calling)
            parts.append(Tap(words, call, icon="bell", chosen=now.calling, name="judge"))
            home = self.desk.settings.home_assistant
            parts.append(
                self._switch(
                    "home_assistant", home, self.t("hall-table.home"), self.t("hall-table.home-what")
                )
            )
        parts += self._credentials(now.credentials is not None)
        return self.page(title, Scroll(Column(parts, gap=12), key="hall"))

    def _switch(self, name: str, on: bool, words: str, detail: str) -> Part:
        icon = "checkbox-marked" if on else "checkbox-blank-outline"
        change = partial(self.desk.change, **{name: not on})
        return Tap(words, change, icon=icon, detail=detail, name=f"{name}-switch")

    # The result

    def _result(self, result: ResultNow) -> list[Part]:
        """Who has confirmed the result of this play, and who may still do so."""
        if result.refused:
            names = ", ".join(result.names[seat] for seat in result.refused)
            return [Plate(Words(self.t("hall-table.refused", names=names), "body"), edge="bad")]
        if not result.open:
            told = Words(self.t("hall-table.all-confirmed"), "body").fill()
            return [Row([Icon("check-circle", "body", "good"), told])]
        ask = Tap(
            self.t("hall-table.is-it-right"),
            self.app.hall.ask_confirmation,
            kind="main",
            detail=", ".join(result.names[seat] for seat in sorted(result.open)),
            name="confirm",
        )
        return [ask]

    # Credentials

    def _credentials(self, has: bool) -> list[Part]:
        stick = Tap(self.t("hall-table.from-stick"), self._look_at_sticks, icon="usb", name="from-stick")
        code = Tap(
            self.t("hall-table.from-camera"),
            self._scan,
            icon="qrcode",
            chosen=self.scanning,
            name="from-camera",
        )
        forget = Tap(
            self.t("hall-table.forget"), lambda: self.app.ask(self._forget), icon="delete", name="forget"
        )
        return [stick, code, *([forget] if has else [])]

    def _forget(self) -> AppQuestion:
        choices: list[tuple[str, Callable[[], Any]]] = [
            (self.t("hall-table.forget"), self.app.hall.forget_credentials),
            (self.t("ui.cancel"), lambda: None),
        ]
        return AppQuestion(self.t("hall-table.forget-ask"), choices)

    def _look_at_sticks(self) -> None:
        def found(files: tuple[Path, ...]) -> None:
            if files:
                self.files = files[:MOST_FILES]
                self.app.refresh()
            else:
                self.app.tell(say("hall-table.no-stick", name=f"*{CREDENTIALS_SUFFIX}"), "refused")

        self.app.thread_pool.do(
            lambda: backups.files([stick.path for stick in backups.sticks()], f"*{CREDENTIALS_SUFFIX}"),
            found,
            self._failed,
        )

    def _found(self, files: tuple[Path, ...]) -> list[Part]:
        return [
            Tap(shown(file.name), partial(self._read, file), icon="usb", name=f"file-{n}")
            for n, file in enumerate(files)
        ]

    def _read(self, file: Path) -> None:
        self.app.thread_pool.do(lambda: backups.read_file(file, MOST_CREDENTIALS), self._take, self._failed)

    def _take(self, data: bytes) -> None:
        if self.app.hall.take_credentials(data):
            self.files, self.scanning = None, False
        self.app.refresh()

    def _failed(self, trouble: Trouble) -> None:
        self._reading = False
        self.app.tell(trouble.text, "refused")

    def _scan(self) -> None:
        self.scanning = not self.scanning
        self.app.camera_feed.wait_for_scan(self.scanning)
        self.app.refresh()

    def leave(self) -> None:
        self.files, self.scanning = None, False

    def tick(self) -> None:
        """Look for a code in the newest picture, one picture at a time."""
        glance = self.app.camera_feed.latest() if self.scanning and not self._reading else None
        if glance is None:
            return
        frame = glance.frame

        def read(texts: tuple[str, ...]) -> None:
            self._reading = False
            if texts and self.scanning:
                self._take(texts[0].encode())

        self._reading = True
        self.app.thread_pool.do(lambda: texts_in(frame), read, self._failed)

    def typed(self, key: str, character: str | None) -> bool:
        if key == "27" and (self.files is not None or self.scanning):
            self.files, self.scanning = None, False
            self.app.refresh()
            return True
        return False
