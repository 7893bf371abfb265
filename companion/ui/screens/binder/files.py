"""Facts as files: written to this computer or a stick, and taken over from there."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from companion.core.components import Facts
from companion.core.words import Text, count, say
from companion.errors import Trouble
from companion.table import backups
from companion.ui.screens.binder.teaching import day, doubted, warning
from companion.ui.toolkit.kit import Column, Page, Part, Scroll, Tap, Tiles, Words
from companion.ui.toolkit.screen import Showing

if TYPE_CHECKING:
    from companion.ui.screens.binder.screen import BinderScreen

FILE = "companion-facts-{game}-{day}.json"
LARGEST = 4_000_000
"""No file of facts is larger than this; whatever is, is something else."""


class FactFiles(Showing):
    """The files of the binder's game."""

    def __init__(self, binder: BinderScreen) -> None:
        super().__init__(binder.app)
        self.binder = binder
        self.sticks: tuple[backups.Stick, ...] = ()
        self.files: tuple[Path, ...] = ()
        self.problems: tuple[Text, ...] = ()
        self.doubts: tuple[Text, ...] = ()

    def look(self) -> None:
        """Look for sticks and for files of facts on them."""
        folder, pattern = self.app.folder, FILE.format(game=self.binder.game.id, day="*")

        def job() -> tuple[tuple[backups.Stick, ...], tuple[Path, ...]]:
            sticks = backups.sticks()
            return sticks, backups.files((folder, *(stick.path for stick in sticks)), pattern)

        def found(what: tuple[tuple[backups.Stick, ...], tuple[Path, ...]]) -> None:
            self.sticks, self.files = what
            self.app.refresh()

        self.binder.app.beside.do(job, found, self.binder.trouble)

    def page(self) -> Part:
        """Where facts can be written to, and the files there are."""
        out = [
            Tap(self._place(path), partial(self._export, path), icon="download", name=f"export-{n}")
            for n, path in enumerate((self.app.folder, *(stick.path for stick in self.sticks)))
        ]
        into = [self._file(n, file) for n, file in enumerate(self.files)]
        nothing = Words(self.t("ui.binder-no-files"), "note", "dim")
        again = Tap(icon="refresh", kind="quiet", on_tap=self.look, name="again")
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
        """A folder in words people know."""
        return self.t("ui.this-computer") if folder == self.app.folder else folder.name

    def _file(self, number: int, file: Path) -> Tap:
        before, after = FILE.format(game=self.binder.game.id, day="*").split("*")
        words = self.t("ui.binder-file", day=file.name.removeprefix(before).removesuffix(after))
        place = self._place(file.parent)
        return Tap(words, lambda: self._import(file), icon="upload", detail=place, name=f"import-{number}")

    def _export(self, to: Path) -> None:
        game, name = self.binder.game.id, FILE.format(game=self.binder.game.id, day=day(self.desk.clock()))

        def written(path: Path) -> None:
            self.app.tell(say("ui.written", where=self._place(path.parent)), "accepted")
            self.look()

        def got(sheet: dict[str, Any]) -> None:
            data = msgspec.json.format(msgspec.json.encode(sheet), indent=2)
            self.binder.app.beside.do(
                lambda: backups.write_file(to, name, data), written, self.binder.trouble
            )

        self.desk.clerk.do(lambda journal, binder: binder.export(game), got, self.binder.trouble)

    def _import(self, file: Path, insist: bool = False) -> None:
        rules, setup = self.binder.game, self.binder.setup

        def check(facts: Facts) -> tuple[Text, ...]:
            wrong = tuple(rules.bad_facts(facts))
            found = () if wrong or insist else rules.disagreements(setup(facts))
            self.doubts = tuple(one.told(rules.taught_box(setup(facts))) for one in found)
            return wrong or self.doubts

        def got(data: bytes) -> None:
            job = lambda journal, binder: binder.import_(rules.id, data, check)  # noqa: E731
            self.desk.clerk.do(job, self._imported, lambda trouble: self._refused(trouble, file))

        self.problems = ()
        self.binder.app.beside.do(lambda: backups.read_file(file, LARGEST), got, self.binder.trouble)

    def _imported(self, new: int) -> None:
        self.binder.look_up()
        self.app.tell(count("ui.binder-imported", new), "accepted")

    def _refused(self, trouble: Trouble, file: Path) -> None:
        doubts, self.doubts = self.doubts, ()
        if doubts:
            self.app.ask(lambda: doubted(self, doubts, lambda: self._import(file, insist=True)))
            return
        self.problems = (trouble.text, *(p for p in getattr(trouble, "problems", ()) if p != trouble.text))
        self.app.refresh()
