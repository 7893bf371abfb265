"""Facts as files: exported to this computer or a stick, and imported from there."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from companion.core.binder import LARGEST, Binder, Taught, file_name, read_box
from companion.core.box_merge import Merge, compare, possible, take_over
from companion.core.words import Text, count, say
from companion.errors import CountsDisagree, Trouble
from companion.table import backups
from companion.texts import shown
from companion.ui.screens.binder.merging import Merging
from companion.ui.screens.binder.teaching import doubted, warning
from companion.ui.toolkit.kit import Column, Page, Part, Scroll, Tap, Tiles, Words
from companion.ui.toolkit.screen import Showing

if TYPE_CHECKING:
    from companion.ui.screens.binder.screen import BinderScreen

NAMES = ("{game}-box*.json", "companion-facts-{game}-*.json")
"""The current and the former file names of facts."""

MOST = 30
"""At most this many files are offered; a stick may have any number."""


class FactFiles(Showing):
    """The files of the binder's game."""

    def __init__(self, binder: BinderScreen) -> None:
        super().__init__(binder.app)
        self.binder = binder
        self.sticks: tuple[backups.Stick, ...] = ()
        self.files: tuple[Path, ...] = ()
        self.problems: tuple[Text, ...] = ()
        self.merging: Merging | None = None

    def find_files(self) -> None:
        """Search for sticks and for files of facts on them."""
        folder, patterns = self.app.folder, [name.format(game=self.binder.game.id) for name in NAMES]

        def job() -> tuple[tuple[backups.Stick, ...], tuple[Path, ...]]:
            sticks = backups.sticks()
            folders = (folder, *(stick.path for stick in sticks))
            return sticks, tuple(file for name in patterns for file in backups.files(folders, name))

        def found(what: tuple[tuple[backups.Stick, ...], tuple[Path, ...]]) -> None:
            self.sticks, self.files = what
            self.app.refresh()

        self.binder.app.thread_pool.do(job, found, self.binder.trouble)

    def page(self) -> Part:
        """Places to export to, and the files found; or the conflicts of a file being imported."""
        if self.merging is not None:
            return self.merging.page()
        out = [
            Tap(self._place(path), partial(self._export, path), icon="download", name=f"export-{n}")
            for n, path in enumerate((self.app.folder, *(stick.path for stick in self.sticks)))
        ]
        into = [self._file(n, file) for n, file in enumerate(self.files[:MOST])]
        nothing = Words(self.t("ui.binder-no-files"), "note", "dim")
        again = Tap(icon="refresh", kind="quiet", on_tap=self.find_files, name="again")
        body = [
            *[warning(self, text) for text in self.problems],
            self.panel(
                Words(self.t("ui.binder-export-more"), "note", "dim"),
                Tiles(out, 300),
                title=self.t("ui.binder-export"),
            ),
            self.panel(Tiles(into, 300) if into else nothing, title=self.t("ui.binder-import")),
        ]
        return Page(self.binder.head(self.t("ui.binder-files"), again), Scroll(Column(body), key="files"))

    def _place(self, folder: Path) -> str:
        """A folder in familiar words."""
        return self.t("ui.this-computer") if folder == self.app.folder else shown(folder.name)

    def _file(self, number: int, file: Path) -> Tap:
        place = self._place(file.parent)
        return Tap(
            shown(file.stem), partial(self._open, file), icon="upload", detail=place, name=f"import-{number}"
        )

    def _export(self, to: Path) -> None:
        game = self.binder.game.id

        def written(path: Path) -> None:
            self.app.tell(say("ui.written", where=self._place(path.parent)), "accepted")
            self.find_files()

        def got(sheet: dict[str, Any]) -> None:
            data = msgspec.json.format(msgspec.json.encode(sheet), indent=2)
            self.binder.app.thread_pool.do(
                lambda: backups.write_file(to, file_name(game), data), written, self.binder.trouble
            )

        self.desk.clerk.do(lambda journal, binder: binder.export(game), got, self.binder.trouble)

    # Importing a file

    def _open(self, file: Path) -> None:
        """Compare a file with what was taught here; people decide only about conflicts."""
        rules, game = self.binder.game, self.binder.game.id
        self.problems = ()

        def job(journal: Any, binder: Binder, data: bytes) -> Merge:
            return compare(binder.latest(game), possible(rules, read_box(data, game)))

        def got(data: bytes) -> None:
            self.desk.clerk.do(
                lambda journal, binder: job(journal, binder, data), self._compared, self._refused
            )

        self.binder.app.thread_pool.do(lambda: backups.read_file(file, LARGEST), got, self.binder.trouble)

    def _compared(self, merge: Merge) -> None:
        if merge.conflicts:
            self.merging = Merging(self.binder, merge, self._take)
            self.app.refresh()
        else:
            self._take(merge.new)

    def _take(self, told: tuple[Taught, ...], insist: bool = False) -> None:
        rules = self.binder.game

        def refused(trouble: Trouble) -> None:
            if isinstance(trouble, CountsDisagree):
                again = partial(self._take, told, insist=True)
                self.app.ask(lambda: doubted(self, trouble.problems, again))
            else:
                self._refused(trouble)

        self.desk.clerk.do(
            lambda journal, binder: take_over(binder, rules, told, insist), self._imported, refused
        )

    def _imported(self, new: int) -> None:
        self.merging = None
        self.binder.look_up()
        self.app.tell(count("ui.binder-imported", new), "accepted")

    def _refused(self, trouble: Trouble) -> None:
        self.merging = None
        self.problems = (trouble.text, *(p for p in getattr(trouble, "problems", ()) if p != trouble.text))
        self.app.refresh()

    def back(self) -> bool:
        """Go one page back; false if there is none."""
        there, self.merging = self.merging is not None, None
        return there
