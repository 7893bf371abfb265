"""The binder: what is printed on every component, who says so, and what the owner of the box says instead."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec.structs import replace

from companion import upkeep
from companion.core.binder import Facts, Taught
from companion.core.components import Catalogue, Component, Fact, SaidBy
from companion.core.game import Game, Printed, Setup, games
from companion.core.words import Text, count, say
from companion.errors import Trouble
from companion.texts import capital
from companion.ui.aside import Aside
from companion.ui.kit import Column, Flow, Gap, Icon, Page, Panel, Part, Row, Scroll, Tap, Tiles, Words
from companion.ui.look import FONTS
from companion.ui.screen import Asked, Screen
from companion.ui.stepper import Search, stepper

if TYPE_CHECKING:
    from companion.app import CompanionApp

PAGE = 12
"""So many components are on a page."""

FILE = "companion-facts-{game}-{day}.json"
LARGEST = 4_000_000
"""No file of facts is larger than this; whatever is, is something else."""

ESCAPE = "27"
ICONS = {SaidBy.RULEBOOK: "book-open-variant", SaidBy.TRANSCRIPTION: "list-status", SaidBy.OWNER: "account"}


class BinderScreen(Screen):
    """A list, a page for each component, a page for each fact that can be taught, and a page for files."""

    name = "binder"

    def __init__(self, app: CompanionApp) -> None:
        super().__init__(app)
        self.games = tuple(games().values())
        self.game = self.games[0]
        self.choices: dict[str, str] = {}
        self.told: dict[str, Taught] = {}
        self.only, self.at = "all", 0
        self.search: Search | None = None
        self.component: str | None = None
        self.field: str | None = None
        self.value: int | str | None = None
        self.sharing = False
        self.sticks: tuple[upkeep.Stick, ...] = ()
        self.files: tuple[Path, ...] = ()
        self.problems: tuple[Text, ...] = ()
        self.doubts: tuple[Text, ...] = ()
        self.aside = Aside()
        self._box: tuple[Any, Catalogue[Any]] | None = None
        self._editions_of: tuple[Game, list[tuple[str, tuple[str, ...]]]] | None = None

    def enter(self) -> None:
        self._look_up()

    def _look_up(self) -> None:
        """Find out what was taught about this game."""
        game = self.game

        def found(history: tuple[Taught, ...]) -> None:
            if game is self.game:
                latest = {taught.key: taught for taught in history}
                self.told = {key: taught for key, taught in latest.items() if taught.value is not None}
                self.app.refresh()

        self.desk.clerk.do(lambda journal, binder: binder.history(game.id), found, self._trouble)

    def _trouble(self, trouble: Trouble) -> None:
        self.app.tell(trouble.text, "refused")

    # What is true

    @property
    def facts(self) -> Facts:
        """What the owner said."""
        return {key: taught.value for key, taught in self.told.items() if taught.value is not None}

    def _setup(self, facts: Facts) -> Setup:
        seats = tuple(str(n) for n in range(self.game.box.seats[0]))
        return replace(self.game.complete(Setup(self.game.id, seats, self.choices)), facts=facts)

    def _printed_box(self) -> Catalogue[Any]:
        """The box as it is printed as far as we know, without the owner's word."""
        return self.game.catalogue(self._setup({}))

    def _catalogue(self) -> Catalogue[Any]:
        """The box with the owner's word; a word this box has no place for is passed over."""
        key = (self.game.id, tuple(self.choices.items()), tuple(self.facts.items()))
        if self._box is None or self._box[0] != key:
            box = self._printed_box()
            for fact, value in self.facts.items():
                try:
                    box = box.taught({fact: value})
                except Trouble:
                    continue
            self._box = (key, box)
        return self._box[1]

    def _unknown(self) -> list[tuple[str, str]]:
        return self._catalogue().unknown()

    def _row(self, component: str, field: str, box: Catalogue[Any] | None = None) -> Printed:
        of = (self._catalogue() if box is None else box)[component]
        return next(row for row in self.game.printed(of) if row.field == field)

    # Moving about

    def build(self) -> Part:
        if self.sharing:
            return self._sharing_page()
        if self.component is not None and self.field is not None:
            return self._teaching_page(self.component, self.field)
        if self.component is not None:
            return self._component_page(self._catalogue()[self.component])
        if self.search is not None:
            return self._search_page(self.search)
        return self._list_page()

    def back(self) -> None:
        """One page back, and from the list to where people came from."""
        if self.sharing:
            self.sharing, self.problems = False, ()
        elif self.field is not None:
            self.field = None
        elif self.component is not None:
            self.component = None
        elif self.search is not None:
            self.search = None
        else:
            self.app.back()
            return
        self.app.refresh()

    def typed(self, key: str, character: str | None) -> bool:
        in_list = not self.sharing and self.component is None
        if key == ESCAPE:
            self.back()
        elif in_list and self.search is not None:
            return self.search.typing.typed(key, character)
        elif in_list and character and character.isalnum():
            self._look_for()
            return self.search is not None and self.search.typing.typed(key, character)
        else:
            return False
        return True

    def _head(self, title: str, *actions: Part | None) -> Part:
        back = Tap(icon="arrow-left", kind="quiet", on_tap=self.back, name="back")
        return Row([back, Words(title, "title", bold=True).fill(), *actions])

    def _open(self, component: str, field: str | None = None) -> None:
        self.component, self.field = component, None
        if field is not None:
            self._teach(field)
        self.app.refresh()

    # The list

    def _list_page(self) -> Part:
        find = Tap(icon="magnify", kind="quiet", on_tap=self._look_for, name="find")
        share = (
            Tap(icon="usb", kind="quiet", on_tap=self._share, name="share") if self.app.look.wide else None
        )
        title = self.t("ui.home-binder")
        if len(self.games) == 1 and self.app.look.wide:
            title = f"{title}: {self.game.box.name}"
        shown = self._shown()
        pages = max(1, -(-len(shown) // PAGE))
        self.at = min(self.at, pages - 1)
        listed = shown[self.at * PAGE : (self.at + 1) * PAGE]
        body = [*self._filters(), *self._missing(), Tiles([self._entry(c) for c in listed], 240, columns=3)]
        bottom = self._pager(len(shown), pages) if pages > 1 else None
        return Page(self._head(title, find, share), Scroll(Column(body), key=f"list-{self.at}"), bottom)

    def _shown(self) -> list[Component]:
        taught = {taught.component for taught in self.told.values()}
        unknown = {id for id, _ in self._unknown()}
        if self.only == "owner" and taught:
            return [c for c in self._catalogue() if c.id in taught]
        self.only = "all"
        return sorted(self._catalogue(), key=lambda c: c.id not in unknown)

    def _filters(self) -> list[Part]:
        """Which game, which of its editions, and whether all of it or only what the owner said."""
        taps: list[Part] = []
        if len(self.games) > 1:
            for game in self.games:
                on = game is self.game
                taps.append(self._chip(game.box.name, on, lambda game=game: self._choose_game(game), game.id))
        for id, values in self._editions():
            chosen = self.choices.get(id, values[0])
            for value in values:
                words = self.t(f"{self.game.id}.variant.{id}.{value}")
                taps.append(
                    self._chip(
                        words, value == chosen, lambda i=id, v=value: self._choose(i, v), f"{id}-{value}"
                    )
                )
        if self.told:
            words = self.desk.words(count("ui.binder-yours", len(self.told)))
            taps.append(self._chip(words, self.only == "owner", self._toggle_owner, "owner"))
        if not self.app.look.wide:
            taps.append(Tap(self.t("ui.binder-files"), self._share, icon="usb", kind="quiet", name="share"))
        return [Flow(taps)] if taps else []

    def _editions(self) -> list[tuple[str, tuple[str, ...]]]:
        if self._editions_of is None or self._editions_of[0] is not self.game:
            self._editions_of = (self.game, _differing(self.game))
        return self._editions_of[1]

    def _chip(self, words: str, on: bool, deed: Callable[[], Any], name: str) -> Tap:
        icon = "check-circle" if on else "circle-outline"
        return Tap(words, deed, icon=icon, chosen=on, name=f"only-{name}")

    def _missing(self) -> list[Part]:
        """What nobody knows: the first thing to tell."""
        unknown = self._unknown()
        if not unknown or self.only != "all" or self.at:
            return []
        box = self._catalogue()
        taps = [
            Tap(
                box[id].name,
                lambda id=id, field=field: self._open(id, field),
                icon="help-circle",
                detail=self.desk.words(self._row(id, field).text),
                name=f"teach-{id}.{field}",
            )
            for id, field in unknown
        ]
        title = self.desk.words(count("ui.binder-unknown", len(unknown)))
        return [self.panel(Tiles(taps, 240, columns=3), title=title)]

    def _entry(self, component: Component) -> Tap:
        taught = any(t.component == component.id for t in self.told.values())
        kind = self.desk.words(self.game.kind(component)) if self.game.kind is not None else ""
        return Tap(
            component.name,
            lambda: self._open(component.id),
            detail=kind,
            part=Icon("account", "body", "accent") if taught else None,
            align="left",
            kind="quiet",
            name=f"open-{component.id}",
        )

    def _pager(self, total: int, pages: int) -> Part:
        first = self.at * PAGE + 1
        words = self.t("ui.binder-page", first=first, last=min(total, first + PAGE - 1), total=total)
        before = Tap(icon="chevron-left", on_tap=lambda: self._turn(-1), name="before") if self.at else None
        after = Tap(icon="chevron-right", on_tap=lambda: self._turn(1), name="after")
        return Row(
            [
                before,
                Words(words, "body", "dim", align="center").fill(),
                after if self.at < pages - 1 else None,
            ]
        )

    def _turn(self, by: int) -> None:
        self.at += by
        self.app.refresh()

    def _choose_game(self, game: Game) -> None:
        self.game, self.choices, self.told, self.at, self.only = game, {}, {}, 0, "all"
        self._look_up()

    def _choose(self, variant: str, value: str) -> None:
        self.choices = {**self.choices, variant: value}
        self.app.refresh()

    def _toggle_owner(self) -> None:
        self.only, self.at = "all" if self.only == "owner" else "owner", 0
        self.app.refresh()

    # Looking for a name

    def _look_for(self) -> None:
        self.search = Search(self, self.t("ui.search-hint"), self.back)
        self.app.refresh()

    def _search_page(self, search: Search) -> Part:
        fitting = [c for c in self._catalogue() if search.matches(c.name)]
        taps = [self._entry(component) for component in fitting[:PAGE]]
        summary = self.desk.words(count("ui.found", len(fitting)))
        show = self.desk.words(count("ui.show-found", len(fitting)))
        return search.page(taps, summary, show, self.t("ui.found-none"))

    # One component

    def _component_page(self, component: Component) -> Part:
        box = self._catalogue()
        rows = self.game.printed(component)
        facts = [box.fact(component.id, row.field) for row in rows]
        sources = {(fact.said_by, fact.note): fact for fact in facts}
        parts = [self._fact(component.id, row, fact) for row, fact in zip(rows, facts, strict=True)]
        notes = [self._source(fact) for fact in sources.values()]
        body = Column([*parts, self.panel(*notes, title=self.t("ui.binder-sources"))], gap=8)
        return Page(self._head(component.name), Scroll(body, key=f"facts-{component.id}"))

    def _fact(self, component: str, row: Printed, fact: Fact) -> Part:
        label = Words(capital(self.desk.words(row.text)), "note", "dim")
        values: Part = Words(self.t("ui.binder-nobody"), "body", "accent")
        if row.values:
            values = Column([Words(capital(self.desk.words(v)), "body") for v in row.values], gap=4)
        teachable = row.bounds is not None or bool(row.choices)
        sign: Part = Icon("chevron-right", "prompt", "accent")
        if not teachable:
            sign = Gap(FONTS["prompt"] * self.app.look.text)
        known = self._said(fact) if row.values else None
        if self.app.look.wide:
            inner = Row([Column([label, known], gap=2).fill(), values.fill(2.1), sign])
        else:
            inner = Row([Column([label, values, known], gap=2).fill(), sign])
        if not teachable:
            return Panel(inner, pad=10, radius=12)
        return Tap(
            part=inner.fill(),
            on_tap=lambda: self._open(component, row.field),
            kind="quiet",
            name=f"fact-{row.field}",
        )

    def _said(self, fact: Fact) -> Part:
        tone = "accent" if fact.said_by is SaidBy.OWNER else "dim"
        words = Words(self.t(f"ui.said-by-{fact.said_by.value}"), "note", tone)
        return Row([Icon(ICONS[fact.said_by], "note", tone), words.fill()], gap=6)

    def _source(self, fact: Fact) -> Part:
        parts = [self._said(fact)]
        if fact.said_by is SaidBy.OWNER:
            parts.append(Words(self.t("ui.binder-yours-more"), "note", "dim"))
        elif fact.note:
            parts.append(Words(self.t(fact.note), "note", "dim"))
        return Column(parts, gap=2)

    # Teaching

    def _teach(self, field: str) -> None:
        assert self.component is not None
        row, value = self._row(self.component, field), getattr(self._catalogue()[self.component], field)
        self.field = field
        self.value = value if row.takes(value) else row.bounds[0] if row.bounds is not None else None

    def _teaching_page(self, component: str, field: str) -> Part:
        box, row = self._catalogue(), self._row(component, field)
        taught = self.told.get(f"{component}.{field}")
        ask = self.t("ui.binder-what", field=row.text)
        if row.bounds is not None:
            chooser: Part = Row([stepper("value", int(self.value or 0), self._set, far=False)])
        else:
            chooser = Tiles([self._choice(id, text) for id, text in row.choices], 220)
        warnings = self._warnings() if self._is_new() else ()
        body = Column(
            [
                self.panel(Words(ask, "prompt", bold=True), chooser, gap=14),
                self._known(component, field, taught),
                *[self._warning(text) for text in warnings],
                Words(self.t("ui.binder-when"), "note", "dim"),
            ],
            gap=12,
        )
        keep = Tap(
            self.t("ui.binder-keep"), self._keep, icon="check", kind="main", align="center", name="keep"
        ).fill()
        forget = Tap(
            self.t("ui.binder-forget"), self._forget, icon="undo", align="center", name="forget"
        ).fill()
        bottom = Row([keep, forget if taught is not None else None])
        return Page(self._head(box[component].name), Scroll(body, key=f"teach-{len(warnings)}"), bottom)

    def _choice(self, id: str, text: Text) -> Tap:
        on = id == self.value
        icon = "check-circle" if on else "circle-outline"
        return Tap(self.desk.words(text), lambda: self._set(id), icon=icon, chosen=on, name=f"value-{id}")

    def _set(self, value: int | str) -> None:
        assert self.component is not None
        assert self.field is not None
        if self._row(self.component, self.field).takes(value):
            self.value = value
            self.app.refresh()

    def _known(self, component: str, field: str, taught: Taught | None) -> Part:
        """What was printed there before the owner said something, and what the owner said when."""
        printed = self._printed_box()
        before = self._row(component, field, printed)
        words = self.t("ui.binder-nobody")
        if before.values:
            said = self.t(f"ui.said-by-{printed.fact(component, field).said_by.value}")
            words = self.t("ui.binder-known", value=before.values, said=said)
        parts: list[Part] = [Words(words, "body")]
        if taught is not None:
            now = self._row(component, field)
            parts.insert(
                0, Words(self.t("ui.binder-said", value=now.values, day=_day(taught.at)), "body", "accent")
            )
        return self.panel(*parts)

    def _warning(self, text: Text) -> Part:
        return Panel(
            Row([Icon("alert", "prompt", "bad"), Words(self.desk.words(text), "body").fill()]), edge="bad"
        )

    def _is_new(self) -> bool:
        assert self.component is not None
        assert self.field is not None
        return self.value is not None and getattr(self._catalogue()[self.component], self.field) != self.value

    def _warnings(self) -> tuple[Text, ...]:
        """What the rulebook's counts say against it, unless they said so before."""
        assert self.value is not None
        before = set(map(repr, self.game.census(self._setup(self.facts))))
        after = self.game.census(self._setup({**self.facts, f"{self.component}.{self.field}": self.value}))
        return tuple(text for text in after if repr(text) not in before)

    def _keep(self) -> None:
        if self.value is None:
            return
        if not self._is_new():
            self.back()
        elif warnings := self._warnings():
            self.app.ask(lambda: doubted(self, warnings, self._kept))
        else:
            self._kept()

    def _kept(self) -> None:
        game, component, field, value, at = (
            self.game.id,
            self.component,
            self.field,
            self.value,
            self.desk.clock(),
        )
        assert component is not None
        assert field is not None
        assert value is not None
        self.desk.clerk.do(
            lambda journal, binder: binder.teach(game, component, field, value, at),
            lambda _: self._done("ui.binder-kept"),
            self._trouble,
        )

    def _forget(self) -> None:
        game, component, field, at = self.game.id, self.component, self.field, self.desk.clock()
        assert component is not None
        assert field is not None
        self.desk.clerk.do(
            lambda journal, binder: binder.forget(game, component, field, at),
            lambda _: self._done("ui.binder-forgotten"),
            self._trouble,
        )

    def _done(self, key: str) -> None:
        self.field = None
        self._look_up()
        self.app.tell(say(key), "accepted")

    # Files

    def _share(self) -> None:
        self.sharing, self.problems = True, ()
        self.app.refresh()
        self._look_for_files()

    def _look_for_files(self) -> None:
        folder, pattern = self.app.folder, FILE.format(game=self.game.id, day="*")

        def job() -> tuple[tuple[upkeep.Stick, ...], tuple[Path, ...]]:
            sticks = upkeep.sticks()
            return sticks, upkeep.files((folder, *(stick.path for stick in sticks)), pattern)

        def found(what: tuple[tuple[upkeep.Stick, ...], tuple[Path, ...]]) -> None:
            self.sticks, self.files = what
            self.app.refresh()

        self.aside.do(job, found, self._trouble)

    def _sharing_page(self) -> Part:
        out = [
            Tap(self._place(path), lambda to=path: self._export(to), icon="download", name=f"export-{n}")
            for n, path in enumerate((self.app.folder, *(stick.path for stick in self.sticks)))
        ]
        into = [self._file(n, file) for n, file in enumerate(self.files)]
        nothing = Words(self.t("ui.binder-no-files"), "note", "dim")
        again = Tap(icon="refresh", kind="quiet", on_tap=self._look_for_files, name="again")
        body = [
            *[self._warning(text) for text in self.problems],
            self.panel(
                Words(self.t("ui.binder-export-more"), "note", "dim"),
                Tiles(out, 300),
                title=self.t("ui.binder-export"),
            ),
            self.panel(Tiles(into, 300) if into else nothing, title=self.t("ui.binder-import")),
        ]
        return Page(self._head(self.t("ui.binder-files"), again), Scroll(Column(body), key="files"))

    def _place(self, folder: Path) -> str:
        """A folder in words people know."""
        return self.t("ui.this-computer") if folder == self.app.folder else folder.name

    def _file(self, number: int, file: Path) -> Tap:
        before, after = FILE.format(game=self.game.id, day="*").split("*")
        words = self.t("ui.binder-file", day=file.name.removeprefix(before).removesuffix(after))
        place = self._place(file.parent)
        return Tap(words, lambda: self._import(file), icon="upload", detail=place, name=f"import-{number}")

    def _export(self, to: Path) -> None:
        game, name = self.game.id, FILE.format(game=self.game.id, day=_day(self.desk.clock()))

        def written(path: Path) -> None:
            self.app.tell(say("ui.written", where=self._place(path.parent)), "accepted")
            self._look_for_files()

        def got(sheet: dict[str, Any]) -> None:
            data = msgspec.json.format(msgspec.json.encode(sheet), indent=2)
            self.aside.do(lambda: upkeep.write_file(to, name, data), written, self._trouble)

        self.desk.clerk.do(lambda journal, binder: binder.export(game), got, self._trouble)

    def _import(self, file: Path, insist: bool = False) -> None:
        rules, setup = self.game, self._setup

        def check(facts: Facts) -> tuple[Text, ...]:
            wrong = tuple(rules.bad_facts(facts))
            self.doubts = () if wrong or insist else rules.census(setup(facts))
            return wrong or self.doubts

        def got(data: bytes) -> None:
            job = lambda journal, binder: binder.import_(rules.id, data, check)  # noqa: E731
            self.desk.clerk.do(job, self._imported, lambda trouble: self._refused(trouble, file))

        self.problems = ()
        self.aside.do(lambda: upkeep.read_file(file, LARGEST), got, self._trouble)

    def _imported(self, new: int) -> None:
        self._look_up()
        self.app.tell(count("ui.binder-imported", new), "accepted")

    def _refused(self, trouble: Trouble, file: Path) -> None:
        doubts, self.doubts = self.doubts, ()
        if doubts:
            self.app.ask(lambda: doubted(self, doubts, lambda: self._import(file, insist=True)))
            return
        self.problems = (trouble.text, *(p for p in getattr(trouble, "problems", ()) if p != trouble.text))
        self.app.refresh()


def doubted(screen: Screen, doubts: Iterable[Text], insist: Callable[[], None]) -> Asked:
    """What the rulebook's counts say against something, and whether people insist."""
    choices = [(screen.t("ui.cancel"), lambda: None), (screen.t("ui.binder-insist"), insist)]
    return Asked(screen.t("ui.binder-doubt"), choices, "\n".join(screen.desk.words(text) for text in doubts))


def _differing(game: Game) -> list[tuple[str, tuple[str, ...]]]:
    """The variants whose values change what is in the box."""
    seats = tuple(str(n) for n in range(game.box.seats[0]))
    usual = game.catalogue(game.complete(Setup(game.id, seats))).by_id
    found = []
    for variant in game.box.variants:
        others = [game.complete(Setup(game.id, seats, {variant.id: value})) for value in variant.values[1:]]
        if any(game.catalogue(setup).by_id != usual for setup in others):
            found.append((variant.id, variant.values))
    return found


def _day(at: float) -> str:
    return time.strftime("%Y-%m-%d", time.localtime(at))
