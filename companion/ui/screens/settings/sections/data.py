"""The data: the state of the journal, and backups on a USB stick."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from companion.core.repair import Report, verify
from companion.core.words import Text, count, decimal, say
from companion.errors import Trouble
from companion.table import backups, diagnostics
from companion.texts import render, shown, written_time
from companion.ui import dialogs
from companion.ui.screens.settings.sections.section import Section, breakable
from companion.ui.toolkit.kit import Column, Icon, Part, Row, Tap, Tiles, Words
from companion.ui.toolkit.long_work import LongWork

if TYPE_CHECKING:
    from companion.ui.toolkit.context import Context

NEWEST = 5
"""This many backups are offered for restoring."""
LONGEST = 20
"""How many letters of a backup's name are shown if it contains no date."""


class Storage(Section):
    """The journal, where every answer is stored."""

    name = "storage"
    icon = "content-save"

    def __init__(self, app: Context) -> None:
        super().__init__(app)
        self.report: Report | None = None
        self.busy = False

    def arrive(self) -> None:
        self.report = None
        self.desk.look_up_plays()

    def parts(self) -> list[Part]:
        journal = self.app.folder / "journal.db"
        facts = [
            (self.t("ui.storage-where"), breakable(str(journal))),
            (self.t("ui.storage-size"), self.t("ui.megabytes", n=decimal(_size(journal) / 1e6))),
            (self.t("ui.storage-plays"), str(self.desk.all_plays)),
        ]
        check = Tap(
            self.t("ui.storage-checking" if self.busy else "ui.storage-check"),
            None if self.busy else self._check,
            icon="timer" if self.busy else "wrench",
            name="check",
        )
        return [self._pairs(facts), check, *self._checked()]

    def _pairs(self, pairs: list[tuple[str, str]]) -> Part:
        return self.panel(
            *[Column([Words(what, "note", "dim"), Words(value, "body")], gap=2) for what, value in pairs]
        )

    def _check(self) -> None:
        journal = self.app.folder / "journal.db"

        def found(report: Report) -> None:
            self.busy, self.report = False, report
            self.app.refresh()

        self.busy, self.report = True, None
        self.app.thread_pool.do(lambda: verify(journal), found, self.trouble)
        self.app.refresh()

    def _checked(self) -> list[Part]:
        if self.report is None:
            return []
        if self.report.problems:
            return [self.result_plate(problem, good=False) for problem in self.report.problems]
        counted = count("ui.storage-fine", self.report.plays, entries=self.report.entries)
        return [self.result_plate(counted, good=True)]

    def trouble(self, trouble: Trouble) -> None:
        self.busy = False
        self.app.refresh()
        super().trouble(trouble)


class Backup(Section):
    """Backups, and a support bundle for people asked for help."""

    name = "backup"
    icon = "usb"

    def __init__(self, app: Context) -> None:
        super().__init__(app)
        self.sticks: tuple[backups.Stick, ...] | None = None
        self.made: tuple[Path, ...] = ()
        self.outcome: tuple[Text, bool] | None = None
        self.busy = self.ended = False
        self.work: LongWork | None = None

    def arrive(self) -> None:
        self.outcome = None
        self._look_for_sticks()

    def _look_for_sticks(self) -> None:
        def search() -> tuple[tuple[backups.Stick, ...], tuple[Path, ...]]:
            sticks = backups.sticks()
            return sticks, backups.made(stick.path for stick in sticks)

        def found(there: tuple[tuple[backups.Stick, ...], tuple[Path, ...]]) -> None:
            self.sticks, self.made = there
            self.app.refresh()

        self.app.thread_pool.do(search, found, self.trouble)

    def parts(self) -> list[Part]:
        parts: list[Part] = [Words(self.t("ui.backup-more"), "note", "dim")]
        if self.busy and self.work is not None:
            parts.append(self.work.part(self.t("ui.backup-making")))
        if self.outcome is not None:
            how = self.result_plate(*self.outcome)
            parts.append(how)
            if self.ended:  # scroll there: the tap may have been far below
                self.first, self.ended = how, False
        if self.sticks is None:
            parts.append(Words(self.t("ui.backup-looking"), "body", "dim"))
        elif not self.sticks:
            parts.append(self.panel(Words(self.t("ui.backup-no-stick"), "body")))
        parts += [self._stick(n, stick) for n, stick in enumerate(self.sticks or ())]
        again = Tap(self.t("ui.look-again"), self._look_for_sticks, icon="refresh", name="look-again")
        own = Tap(
            self.t("ui.bundle-here"),
            partial(self._write, "bundle", self.app.folder),
            icon="wrench",
            detail=self.t("ui.bundle-more"),
            name="bundle-here",
        )
        daily = self.switch(
            self.t("ui.backup-daily"),
            self.desk.settings.daily_backup,
            lambda: self.desk.change(daily_backup=not self.desk.settings.daily_backup),
            "backup-daily",
            self.t("ui.backup-daily-more"),
        )
        return [*parts, again, daily, *self._restoring(), own]

    def _restoring(self) -> list[Part]:
        """The newest backups, for restoring or for moving to this machine."""
        if not self.made:
            return []
        taps: list[Part] = [
            Tap(
                self.t("ui.restore", day=_called(backup)),
                None if self.busy else partial(self._ask_to_restore, backup),
                icon="history",
                detail=shown(backup.parent.name),
                name=f"restore-{n}",
            )
            for n, backup in enumerate(self.made[:NEWEST])
        ]
        return [Words(self.t("ui.restore-more"), "note", "dim"), *taps]

    def _ask_to_restore(self, backup: Path) -> None:
        day = _called(backup)
        self.app.ask(lambda: dialogs.restore(self.desk, day, partial(self._restore, backup, day)))

    def _restore(self, backup: Path, day: str) -> None:
        def restored(done: backups.Restored) -> None:
            self._end(_restored(done, day), good=True)
            self.app.voice.sound("accepted")
            self.app.refresh()

        self.busy, self.outcome, self.work = True, None, None
        self.app.lead_home()
        self.desk.restore(backup, restored, self.trouble)

    def _stick(self, number: int, stick: backups.Stick) -> Part:
        free = self.t("ui.stick-free", room=_room(stick.free))
        state = free if stick.writable else self.t("ui.stick-read-only")
        deeds = [
            Tap(
                self.t(f"ui.{what}"),
                None if self.busy else partial(self._write, what, stick.path),
                icon=icon,
                kind=kind,
                align="center",
                name=f"{what}-{number}",
            )
            for what, icon, kind in (("backup", "content-save", "main"), ("bundle", "wrench", "plain"))
        ]
        head = Row([Icon("usb", "title", "accent"), Words(breakable(stick.name), "body", bold=True).fill()])
        return self.panel(head, Words(state, "note", "dim"), Tiles(deeds, 200))

    def _write(self, what: str, where: Path) -> None:
        folder, at = self.app.folder, self.desk.clock()
        trouble = self.app.camera_feed.trouble()
        health = "no complaint" if trouble is None else render(trouble, "en")
        camera = f"{self.desk.settings.camera}: {health}"

        work = LongWork(self.app)
        self.work = work if what == "backup" else None

        def job() -> Path:
            if what == "backup":
                return backups.back_up(folder / "journal.db", where, at, work.go_on)
            return diagnostics.diagnostics(folder, where, at, camera)

        def done(path: Path) -> None:
            self._end(self._done(what, path.parent, at), good=True)
            self.app.voice.sound("accepted")
            self._look_for_sticks()  # there is one more backup to restore
            self.app.refresh()

        self.busy, self.outcome = True, None
        self.app.thread_pool.do(job, done, self.trouble)

    def _done(self, what: str, where: Path, at: float) -> Text:
        return say(f"ui.{what}-done", day=_minute(at), where=str(where))

    def trouble(self, trouble: Trouble) -> None:
        self._end(trouble.text, good=False)
        self.app.refresh()
        self.app.voice.sound("refused")

    def _end(self, text: Text, *, good: bool) -> None:
        self.busy, self.outcome, self.ended = False, (text, good), True


def _restored(done: backups.Restored, day: str) -> Text:
    """The message after restoring a backup."""
    if done.aside is None:
        told = say("ui.restored-first", day=day)
    else:
        told = say("ui.restored", day=day, file=done.aside.name)
    return told if done.settings is None else say("ui.restored-but", told=told, why=done.settings)


def _room(free: int) -> Text:
    """This many bytes in readable units; even less than a gigabyte is room for many backups."""
    if free < 1e9:
        return say("ui.megabytes", n=decimal(free / 1e6))
    return say("ui.gigabytes", n=decimal(free / 1e9))


def _size(journal: Path) -> int:
    """The size of the journal and its files, in bytes."""
    beside = (journal.with_name(journal.name + ending) for ending in ("", "-wal"))
    return sum(path.stat().st_size for path in beside if path.exists())


def _called(backup: Path) -> str:
    """The date of a backup; if somebody renamed it, its name."""
    at = backups.made_at(backup)
    return _minute(at) if at else shown(backup.name.removeprefix(backups.BACKUP)[:LONGEST])


def _minute(at: float) -> str:
    return written_time(at, "%Y-%m-%d %H:%M")
