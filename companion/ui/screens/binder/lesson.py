"""Teaching the box, tile by tile: the fields of its type, the next tile automatically, and the progress."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from companion.core.binder import Taught
from companion.core.census import Disagreement, Progress
from companion.core.components import NAME, NAME_FIELDS, UNKNOWN, Component, value_of, with_told
from companion.core.fact_values import as_told
from companion.core.words import Text, say
from companion.errors import Trouble
from companion.table import teaching
from companion.table.teaching import ToldFields, Unfinished
from companion.texts import capital
from companion.ui.screens.binder.lesson_pages import LessonPages
from companion.ui.screens.binder.photo import Photo
from companion.ui.toolkit.draw import Badge, Bar
from companion.ui.toolkit.fact_page import FactPage
from companion.ui.toolkit.kit import Column, Icon, Page, Part, Row, Tap, Words
from companion.ui.toolkit.screen import Showing
from companion.ui.toolkit.snug import Snug
from companion.ui.toolkit.theme import SMALLEST_WORDS
from companion.ui.toolkit.tiles import Tile

if TYPE_CHECKING:
    from companion.ui.screens.binder.screen import BinderScreen

AGAIN = 3.0
"""Seconds after which a label that returns counts as shown again."""


class Lesson(Showing):
    """One game being taught. Entered values are stored at once as unfinished, and go into the binder with
    *Next*."""

    def __init__(self, binder: BinderScreen, component: str | None = None) -> None:
        super().__init__(binder.app)
        self.binder = binder
        self.pages = LessonPages(self)
        self.unfinished = Unfinished()
        self.pad: FactPage | None = None
        self.photo: Photo | None = None
        self.undoable: list[tuple[str, tuple[Taught, ...]]] = []
        self.in_sight: dict[str, float] = {}
        self._glance: Any = None
        self._counted: tuple[Any, tuple[Progress, ...], tuple[Disagreement, ...]] | None = None
        self._saving = False
        folder = self.app.folder
        self.desk.clerk.do(
            lambda journal, _: teaching.load(folder),
            lambda found: self._begin(found, component),
            self._trouble,
        )

    def _begin(self, unfinished: Unfinished, component: str | None) -> None:
        self.unfinished = unfinished
        begun = [id for id in unfinished.begun.get(self.game.id, {}) if id in self.binder.catalogue()]
        self.open(component or (begun[-1] if begun else None) or self.next_after(None))

    def _trouble(self, trouble: Trouble) -> None:
        self._saving = False
        self.app.tell(trouble.text, "refused")

    # What there is to enter

    @property
    def game(self) -> Any:
        """The game whose box is taught."""
        return self.binder.game

    def fields_of(self, component: Component) -> list[str]:
        """Fields our box does not know and people can enter; empty if everything is known."""
        rows = [row.field for row in self.game.rows(component) if row.teachable]
        facts = [f for f in rows if f not in NAME_FIELDS and value_of(component, f) is UNKNOWN]
        return [*facts, f"{NAME}.{self.app.theme.language}"] if facts else []

    def to_teach(self) -> list[Component]:
        """Components with fields to enter, with their current values, in the order of the box."""
        printed, known = self.binder.printed_box(), self.binder.catalogue()
        return [known[c.id] for c in printed if self.fields_of(c)]

    def next_after(self, component: str | None) -> str | None:
        """The next component of the selected kind with unknown values; starts again after the last one."""
        order = [c for c in self.to_teach() if self.pages.wanted(c)]
        at = next((n + 1 for n, c in enumerate(order) if c.id == component), 0)
        return next((c.id for c in (*order[at:], *order[:at]) if c.unknown()), None)

    def known(self, component: str) -> ToldFields:
        """The values the owner has taught about it."""
        told = self.binder.taught
        return {t.field: as_told(t.value) for t in told.values() if t.component == component}

    # One tile

    def open(self, component: str | None) -> None:
        """Show the page of a tile, or the list if there is none."""
        self.pages.shown = "" if component is not None else "list"
        if component is None:
            self.pad = self.photo = None
        else:
            printed = self.binder.printed_box()[component]
            known = self.known(component)
            if NAME in known:
                printed = with_told(printed, NAME, known[NAME])
            told = {**known, **self.unfinished.of(self.game.id, component)}
            self.pad = FactPage(self, self.game, printed, self.fields_of(printed), told, self._changed)
            self.photo = Photo(self.binder, component)
        self.app.refresh()

    def _changed(self) -> None:
        """Store every change on disk before the next tap."""
        assert self.pad is not None
        self._keep_unfinished(self.pad.component.id, self.news())
        self.app.refresh()

    def _keep_unfinished(self, component: str, told: ToldFields) -> None:
        if told != self.unfinished.of(self.game.id, component):
            self.note(self.unfinished.with_values(self.game.id, component, told))

    def note(self, unfinished: Unfinished) -> None:
        """Store who teaches and what was begun."""
        self.unfinished, folder = unfinished, self.app.folder
        self.desk.clerk.do(
            lambda journal, _: teaching.save(folder, unfinished), lambda _: None, self._trouble
        )

    def news(self) -> ToldFields:
        """Values entered on this page that are not in the binder."""
        assert self.pad is not None
        known, empty = self.known(self.pad.component.id), FactPage.nothing(self.pad)
        told = {
            field: value for field, value in self.pad.entered.items() if known.get(field, UNKNOWN) != value
        }
        return {} if all(empty.get(f, UNKNOWN) == v and f not in known for f, v in told.items()) else told

    def save(self, then: Callable[[], None]) -> None:
        """Write the values of this tile into the binder."""
        assert self.pad is not None
        component, told = self.pad.component.id, self.pad.entered
        known = self.known(component)
        news = {f: v for f, v in told.items() if known.get(f, UNKNOWN) != v}
        gone = {f: None for f in known if f not in told and f in {field.name for field in self.pad.fields}}
        self._teach(component, {**news, **gone}, then)

    def _teach(
        self, component: str, told: dict[str, Any], then: Callable[[], None], undoing: bool = False
    ) -> None:
        """Teach all of it or nothing; `then` is called afterwards."""
        if self._saving:
            return
        game, at, by = self.game.id, self.desk.clock(), self.teacher
        said = tuple(
            Taught(game=game, component=component, field=field, value=value, at=at, by=by)
            for field, value in told.items()
        )
        before = tuple(
            Taught(
                game=game, component=component, field=t.field, value=was.value if was else None, at=at, by=by
            )
            for t in said
            for was in (self.binder.taught.get(t.key),)
        )

        def done(_: int) -> None:
            self._saving = False
            if said and not undoing:
                self.undoable.append((component, before))
            self.binder.heard(said)
            self._keep_unfinished(component, {})
            then()

        self._saving = True
        self.desk.clerk.do(lambda _, binder: binder.take(game, said), done, self._trouble)

    def _next(self) -> None:
        assert self.pad is not None
        here = self.pad.component.id
        self.save(lambda: self.open(self.next_after(here)))

    def undo(self) -> None:
        """Take back the tile saved last, and show it with its values."""
        component, before = self.undoable.pop()
        told = self.known(component)

        def undone() -> None:
            self._keep_unfinished(component, {f: told[f] for t in before if (f := t.field) in told})
            self.open(component)
            self.app.tell(say("ui.teach-undone", name=self.binder.catalogue()[component].called), "accepted")

        self._teach(component, {t.field: t.value for t in before}, undone, undoing=True)

    # The teacher

    @property
    def teacher(self) -> str:
        """The name of the teacher; empty if none was given."""
        return self.unfinished.teachers[0] if self.unfinished.teachers else ""

    def taught_by(self, name: str) -> None:
        """Set the teacher from now on."""
        self.note(self.unfinished.taught_by(name))
        self.pages.show("")
        self.app.refresh()

    def _teachers(self) -> list[Part]:
        """The current teacher, to tap for another, and the previous one, one tap away."""
        names = [name for name in self.unfinished.teachers[:2] if name]
        marks = self.desk.marks(tuple(names))
        who = partial(self.pages.show, "who")
        taps: list[Part] = []
        for mark, name in zip(marks, names, strict=True):
            badge, on = Badge(mark, 34 / self.app.theme.text), name == self.teacher
            deed = who if on else partial(self.taught_by, name)
            id = "who" if on else f"teacher-{name}"
            taps.append(Tile(badge, deed, id, edge="accent" if on else "", pad=6))
        nobody = Tap(icon="account", kind="quiet", on_tap=who, name="who")
        return taps if self.teacher else [nobody, *taps]

    # The camera

    def check_camera(self) -> None:
        """A label shown to the camera opens its tile; a complete page is saved first."""
        glance = self.app.camera_feed.latest()
        if self.photo is not None and self.photo.camera != self.photo.shown_camera:
            self.app.refresh()
        if glance is None or glance is self._glance:
            return
        self._glance, at = glance, glance.frame.at
        seen = {id for s in glance.sightings if (id := self.binder.component_of(s.text)) is not None}
        new = [id for id in seen if at - self.in_sight.get(id, at - 2 * AGAIN) > AGAIN]
        self.in_sight |= dict.fromkeys(seen, at)
        here = None if self.pad is None else self.pad.component.id
        shown = [id for id in new if id != here and self.fields_of(self.binder.printed_box()[id])]
        if len(shown) == 1:
            self.app.voice.sound("accepted")
            if self.pad is not None and self.pad.complete and self.news():
                self.save(lambda: self.open(shown[0]))
            else:
                self.open(shown[0])

    # Progress

    def counted(self) -> tuple[tuple[Progress, ...], tuple[Disagreement, ...]]:
        """The progress, and contradictions to the rulebook; cached until something is taught."""
        facts = self.binder.facts
        if self._counted is None or self._counted[0] != facts:
            setup = self.binder.setup(facts)
            told_at = {t.component: t.at for t in self.binder.taught.values()}
            self._counted = (facts, self.game.progress(setup), self.game.disagreements(setup, told_at))
        return self._counted[1:]

    def progress_of(self, component: Component) -> Progress | None:
        """The progress of the group this component is counted with."""
        groups = self.game.census(self.binder.setup({}))
        kind = self.game.kind or (lambda _: say("census.things"))
        text: Text = next((group.text for group in groups if group.has(component)), kind(component))
        return next((p for p in self.counted()[0] if p.text == text), None)

    def _progress(self, component: Component) -> Part | None:
        found = self.progress_of(component)
        if found is None:
            return None
        wrong = found.disagreeing or sum(p.disagreeing for p in self.counted()[0])
        words = capital(
            self.t("ui.teach-progress", told=str(found.told), total=str(found.total), what=found.text)
        )
        sign: list[Part] = [Icon("check", "tile", "good")] if found.told >= found.total else []
        if wrong:
            sign = [Words(str(wrong), "tile", "bad", bold=True), Icon("alert", "tile", "bad")]
        box = Snug(self.game.box.called, 20, SMALLEST_WORDS, "dim")
        line = Row([Snug(words, 21, SMALLEST_WORDS, bold=True, lines=2).fill(), *sign], gap=4)
        return Tile(
            Column([box, line, Bar(found.told, found.total, height=6)], gap=4),
            lambda: self.pages.show("census"),
            "census",
            pad=8,
        )

    # The page

    def page(self) -> Part:
        """The page of the tile, or what is in front of it."""
        if self.pages.shown:
            return self.pages.page()
        if self.photo is not None and self.photo.large:
            return self.photo.page()
        if self.pad is None:
            return self.binder.head("")
        shown = self.pad.shown()
        pick = Tap(icon="list-status", kind="quiet", on_tap=lambda: self.pages.show("list"), name="pick")
        head = Row([self._back(), self.pad.title().fill(), *self._teachers(), pick], gap=6)
        below = [self._beside(), self._on()]
        return Page(head, self.pad.laid_out(f"lesson-{shown.id}", [self._progress(shown)], below), gap=6)

    def _back(self) -> Part:
        return Tap(icon="arrow-left", kind="quiet", on_tap=self.binder.back, name="back")

    def _beside(self) -> Part | None:
        photo = None if self.photo is None else self.photo.small()
        undo = Tap(icon="undo", on_tap=self.undo, name="undo") if self.undoable else None
        parts = [part.fill() for part in (photo, undo) if part is not None]
        return Row(parts, gap=6) if parts else None

    def _on(self) -> Part:
        assert self.pad is not None
        if not self.pad.complete:
            return self.pad.still()
        arrow = Icon("arrow-right", "prompt", "on_main") if self.app.theme.wide else None
        return Tap(self.t("ui.teach-next"), self._next, part=arrow, kind="main", name="next-tile")

    def back(self) -> bool:
        """Go one page back; false if the lesson ends."""
        if self.pages.shown and self.pad is not None:
            self.pages.show("")
        elif self.photo is not None and self.photo.large:
            self.photo.large = False
        elif self.pad is not None and self.pad.aside:
            self.pad.leave()
        else:
            return False
        return True

    def typed(self, key: str, character: str | None) -> bool:
        """Handle a key of a real keyboard."""
        return self.pages.typed(key, character) or (self.pad is not None and self.pad.typed(key, character))
