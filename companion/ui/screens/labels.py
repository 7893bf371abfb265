"""Labels: a PDF to print, with a label for every piece of a box."""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from companion.core.components import Facts
from companion.core.files import make_folder
from companion.core.game import games
from companion.core.progress import GoOn
from companion.core.words import count, decimal, plain, say
from companion.errors import Trouble
from companion.table import backups
from companion.ui.toolkit.kit import Column, Flow, Icon, Part, Plate, Row, Scroll, Split, Tap, Tiles, Words
from companion.ui.toolkit.long_work import LongWork
from companion.ui.toolkit.screen import Screen

if TYPE_CHECKING:
    from companion.recognition.label_sheets import Written
    from companion.ui.toolkit.context import Context

SIZES = (10.0, 12.0, 15.0, 18.0)
PLAIN = "plain"
ADVICE = ("print", "try", "stick", "lay", "which")


class Paper(Struct, frozen=True):
    """The paper for labels, and the largest label that fits on it."""

    code: str
    paper: str
    largest: float
    usual: float


class Labels(Screen):
    """The game, the size and the paper; the PDF is made in the background."""

    name = "labels"

    def __init__(self, app: Context) -> None:
        super().__init__(app)
        self.games = tuple(game for game in games().values() if game.box.label is not None)
        self.game = self.games[0].id if self.games else ""
        self.papers: tuple[Paper, ...] = (Paper(PLAIN, "a4", SIZES[-1], SIZES[-1]),)
        self.paper = self.papers[0]
        self.size = self.paper.usual
        self.making: Path | None = None
        """The file being made; choosing anything clears it, so what was made before is not shown."""
        self.work: LongWork | None = None
        self.written: Written | None = None
        self.sticks: tuple[backups.Stick, ...] = ()

    def enter(self) -> None:
        self.app.thread_pool.do(_papers, self._found, self._failed)

    def _found(self, papers: tuple[Paper, ...]) -> None:
        self.papers = papers
        self.paper = next(paper for paper in papers if paper.code == self.paper.code)
        self.app.refresh()

    def build(self) -> Part:
        choices = Column([*self._games(), self._sheets(), self._sizes()])
        if self.app.theme.wide:
            both = [Scroll(choices, key="choices"), Scroll(self._advice(), key="advice")]
            body: Part = Split(both, (1.25, 1))
        else:
            body = Scroll(Column([choices, self._advice()], gap=18), key="choices")
        one = self.games[0].box.name if len(self.games) == 1 else ""
        title = self.t("labels.title", game=one) if one else self.t("ui.home-labels")
        return self.page(title, body, self._outcome() if self.written is not None else self._button())

    def _button(self) -> Part:
        if self.making is not None:
            assert self.work is not None
            return self.work.part(self.t("ui.labels-making"))
        icon = Icon("download", "prompt", "on_main")
        return Tap(self.t("ui.labels-make"), self._make, part=icon, kind="main", name="make")

    def _games(self) -> list[Part]:
        if len(self.games) < 2:
            return []
        taps = [self._choice(game.box.name, f"game-{game.id}", "game", game.id) for game in self.games]
        return [self.panel(Tiles(taps, 260), title=self.t("ui.new-game"))]

    def _sheets(self) -> Part:
        taps = [
            self._choice(self._paper_name(paper), f"sheet-{paper.code}", "paper", paper)
            for paper in self.papers
        ]
        return self.panel(Tiles(taps, 165), title=self.t("ui.labels-sheet"))

    def _paper_name(self, paper: Paper) -> str:
        return self.t("ui.labels-plain") if paper.code == PLAIN else paper.code

    def _sizes(self) -> Part:
        taps = [self._size(size) for size in SIZES]
        return self.panel(Tiles(taps, 165), title=self.t("ui.labels-size"))

    def _size(self, size: float) -> Part:
        words, name = self.t("labels.mm", size=f"{size:.0f}"), f"size-{size:.0f}"
        if size <= self.paper.largest:
            return self._choice(words, name, "size", size)
        inner = Column(
            [Words(words, "body", "dim"), Words(self.t("ui.labels-does-not-fit"), "note", "dim")], gap=2
        )
        lock = Icon("lock", "prompt", "dim")
        return Tap(
            lead=lock, part=inner.fill(), kind="quiet", on_tap=lambda: self._too_large(size), name=name
        )

    def _choice(self, words: str, name: str, what: str, value: Any) -> Tap:
        chosen = getattr(self, what) == value
        icon = "check-circle" if chosen else "circle-outline"
        return Tap(words, lambda: self._choose(what, value), icon=icon, chosen=chosen, name=name)

    def _outcome(self) -> Part:
        assert self.written is not None
        made = count("ui.labels-made", self.written.labels, pages=self.written.pages)
        file = Path(self.written.file)
        folder = " / ".join(part for part in file.parent.parts if part != file.anchor)
        head = Row([Icon("check-circle", "prompt", "good"), Words(self.desk.words(made), bold=True).fill()])
        where = Words(self.t("ui.labels-in", folder=folder), "note", "dim")
        copies = [
            Tap(
                self.t("ui.labels-copy", stick=stick.name),
                partial(self._copy, stick),
                icon="usb",
                kind="main",
                name=f"copy-{n}",
            )
            for n, stick in enumerate(stick for stick in self.sticks if stick.writable)
        ]
        words = [head, Words(file.name, "body", "accent", bold=True), where]
        return Plate(Column([*words, Flow(copies) if copies else None], gap=4), edge="good")

    def _advice(self) -> Column:
        lines: list[Part] = [Words(self.t("labels.how"), "body", "accent", bold=True)]
        for slug in ADVICE:
            lines.append(Words(self.t(f"labels.head.{slug}"), "body", bold=True))
            lines.append(Words(self.t(f"labels.body.{slug}"), "note", "dim"))
        return Column(lines, gap=6)

    # Actions

    def _choose(self, what: str, value: Any) -> None:
        setattr(self, what, value)
        if self.size > self.paper.largest:
            self.size = max(size for size in SIZES if size <= self.paper.largest)
        self.making = self.written = None
        self.app.refresh()

    def _too_large(self, size: float) -> None:
        where, high = plain(self._paper_name(self.paper)), decimal(self.paper.largest)
        self.app.tell(say("labels.too-large", size=f"{size:.0f}", high=high, where=where), "refused")

    def _make(self) -> None:
        game, size, sheet, language = self.game, self.size, self.paper.code, self.desk.language
        file = self.app.folder / "labels" / f"{game}-{size:.0f}mm-{sheet.lower()}.pdf"
        self.making, self.written = file, None
        work = self.work = LongWork(self.app)

        def job(facts: Facts) -> tuple[Written, tuple[backups.Stick, ...]]:
            return _write(game, size, sheet, file, language, facts, work.go_on), backups.sticks()

        def draw(facts: Facts) -> None:
            self.app.thread_pool.do(partial(job, facts), partial(self._made, file), self._failed)

        self.desk.clerk.do(lambda journal, binder: binder.facts(game), draw, self._failed)
        self.app.refresh()

    def _made(self, file: Path, made: tuple[Written, tuple[backups.Stick, ...]]) -> None:
        if self.making == file:
            self.making = None
            self.written, self.sticks = made
            self.app.refresh()

    def _copy(self, stick: backups.Stick) -> None:
        assert self.written is not None
        file = Path(self.written.file)

        def copied(copy: Path) -> None:
            self.app.tell(say("ui.labels-copied", file=copy.name, stick=stick.name), "accepted")

        def job() -> Path:
            return backups.write_file(
                stick.path, file.name, file.read_bytes(), 0o666
            )  # readable for everybody

        self.app.thread_pool.do(job, copied, self._failed)

    def _failed(self, trouble: Trouble) -> None:
        self.making = None
        self.app.refresh()
        self.app.tell(trouble.text, "refused")


def _write(
    game: str, size: float, sheet: str, file: Path, language: str, facts: Facts, go_on: GoOn
) -> Written:
    from companion.recognition.label_sheets import Wanted, write

    with suppress(OSError):  # a problem with the folder is reported when the file is written
        make_folder(file.parent)
    wanted = Wanted(game=game, language=language, size=size, sheet=sheet, out=str(file), facts=facts)
    return write(wanted, go_on)


def _papers() -> tuple[Paper, ...]:
    """All kinds of paper; the library takes a moment to load."""
    from vision import paper

    sheets = [("a4", PLAIN, None), *((sheet.paper, sheet.code, sheet) for sheet in paper.SHEETS.values())]
    return tuple(
        Paper(code, on, paper.largest(on, sheet), paper.usual(on, sheet)) for on, code, sheet in sheets
    )
