"""One finished play: the result, its growth, what decided it; notes, place, photo; deleting it."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from companion.core.annotations import (
    LONGEST_NAME,
    LONGEST_NOTE,
    Annotation,
    Deleted,
    Noted,
    Photographed,
    PlaceNote,
)
from companion.core.game import full_game
from companion.core.play import read
from companion.core.replay_divergence import Replayed
from companion.core.words import Text, say
from companion.errors import Trouble
from companion.results.deciding import deciding
from companion.results.evenings import Evening, one_evening
from companion.results.growth import Growth, growth
from companion.table import photos
from companion.table.camera_feed import NONE
from companion.ui.screens.evenings.shown import facts, game_name
from companion.ui.screens.score.chart import Chart, growth_table
from companion.ui.toolkit.camera_picture import pictured
from companion.ui.toolkit.draw import Badge
from companion.ui.toolkit.kit import Column, Flow, Part, Plate, Row, Scroll, Split, Tap, Words
from companion.ui.toolkit.screen import AppQuestion, Screen

if TYPE_CHECKING:
    from companion.ui.toolkit.context import Context

PHOTOS = "evenings"
"""The folder of photos of final tables, beside those of games."""


class EveningScreen(Screen):
    """What the kept result tells is shown at once; what needs the whole play follows."""

    name = "evening"

    def __init__(self, app: Context, evening: Evening) -> None:
        super().__init__(app)
        self.one = evening
        self.reading: Replayed | None = None
        self.growth: Growth | None = None
        self.deciding: tuple[Text, ...] = () if evening.sheet is None else deciding(evening.sheet)
        self.picture: Any = None
        self.as_table = False

    def enter(self) -> None:
        id, folder = self.one.id, self.app.folder
        if id > 0 and self.one.sheet is None:
            self.desk.clerk.do(
                lambda journal, binder: one_evening(journal, id), self._with_sheet, self._failed
            )
        if id > 0 and self.reading is None:
            self.desk.clerk.do(lambda journal, binder: read(journal.load(id)), self._replayed, self._failed)
        if self.one.photo:
            self.app.thread_pool.do(
                lambda: photos.look_up(folder, PHOTOS, str(id)), self._pictured, self._failed
            )

    def _failed(self, trouble: Trouble) -> None:
        if self.app.screen is self:
            self.app.tell(trouble.text, "refused")

    def _with_sheet(self, one: Evening) -> None:
        """A play found by a search comes without its sheet."""
        self.one = one
        if one.sheet is not None and not self.deciding:
            self.deciding = deciding(one.sheet)
        self._show()

    def _pictured(self, picture: Any) -> None:
        self.picture = picture
        self._show()

    def _replayed(self, reading: Replayed) -> None:
        self.reading = reading
        self._show()
        if reading.divergence is not None:
            return  # the kept result counts; today's rules cannot tell how it came about
        session, sheet = reading.session, reading.sheet

        def job() -> tuple[Growth, tuple[Text, ...]]:
            grown = growth(session, lambda deeds: self.app.screen is self)
            return grown, deciding(sheet, session, grown)

        def done(found: tuple[Growth, tuple[Text, ...]]) -> None:
            self.growth, self.deciding = found
            self._show()

        self.app.thread_pool.do(job, done, self._failed)

    def _show(self) -> None:
        if self.app.screen is self:
            self.app.refresh()

    # What is shown

    def build(self) -> Part:
        left = Column([self._seats(), self._chart(), self._photo()])
        right = Column([self._decided(), self._notes()])
        body: Part = Split([left, right], (1.25, 1)) if self.app.theme.wide else Column([left, right])
        return self.page(
            game_name(self.desk, self.one.game),
            Scroll(Column([self._facts(), body]), key="evening"),
            self._ways(),
            self._actions(),
        )

    def _facts(self) -> Part:
        told: list[Part] = [Words(facts(self.desk, self.one), "note", "dim")]
        if self.reading is not None and self.reading.divergence is not None:
            told.append(Plate(Words(self.desk.words(self.reading.divergence.text), "body"), pad=12))
        return Column(told, gap=6)

    def _seats(self) -> Part:
        marks = self.desk.marks(tuple(seat.spelled for seat in self.one.seats))
        order = sorted(zip(self.one.seats, marks, strict=True), key=lambda pair: pair[0].rank)
        plates = []
        for seat, mark in order:
            points = "" if seat.points is None else f" {seat.points}"
            row = Row([Badge(mark, 30), Words(f"{seat.spelled}{points}", "body", bold=seat.won)], gap=6)
            plates.append(Plate(row, edge=mark.colour if seat.won else "", pad=8))
        return Flow(plates, gap=8, lines=0)

    def _chart(self) -> Part | None:
        if self.growth is None or not self.growth.rounds:
            return None
        marks = self.desk.marks(tuple(s.spelled for s in self.one.seats))
        shown = growth_table(self.growth, marks) if self.as_table else Chart(self.growth, marks, 210)
        words = self.t("ui.chart-as-chart" if self.as_table else "ui.chart-as-table")
        other = Tap(words, self._turn_chart, size="detail", kind="quiet", name="chart-as-table")
        return Plate(Column([shown, Row([other])], gap=4), pad=10)

    def _turn_chart(self) -> None:
        """Show the chart as a table, or as a chart again."""
        self.as_table = not self.as_table
        self.app.refresh()

    def _photo(self) -> Part | None:
        return None if self.picture is None else pictured(self.picture, 400, 225)

    def _decided(self) -> Part | None:
        told: list[Part | None] = [Words(self.desk.words(text), "note") for text in self.deciding]
        return self.panel(*told, title=self.t("ui.deciding")) if told else None

    def _notes(self) -> Part:
        note = Tap(
            self.one.note or self.t("ui.note-add"), self._note, icon="pencil", kind="quiet", name="note"
        )
        where = Tap(
            self.one.place or self.t("ui.place-add"),
            self._place,
            icon="map-marker",
            kind="quiet",
            name="place",
        )
        camera = self.app.camera_feed.source != NONE and self.app.camera_feed.trouble() is None
        photo = Tap(
            self.t("ui.table-photo"), self._photograph, icon="camera", kind="quiet", name="table-photo"
        )
        return Column([note, where, photo if camera else None], gap=6)

    def _ways(self) -> Part:
        ways: list[Part] = []
        wide = self.app.theme.wide
        if self.one.sheet is not None:
            sheet = partial(self.app.go, "score", sheet=self.one.sheet)
            ways.append(
                Tap(
                    self.t("ui.score-sheet"),
                    sheet,
                    icon="trophy" if wide else "",
                    size="body" if wide else "tile",
                    name="sheet",
                ).fill()
            )
        if self.reading is not None and len(self.reading.session.moments) > 1:
            steps = partial(self.app.go, "steps", session=self.reading.session)
            ways.append(
                Tap(
                    self.t("ui.steps"),
                    steps,
                    icon="play" if wide else "",
                    size="body" if wide else "tile",
                    name="steps",
                ).fill()
            )
        if (rules := full_game(self.one.game)) is not None:
            names = tuple(seat.spelled for seat in self.one.seats)
            again = partial(self.app.go, "new", game=rules, seats=names)
            ways.append(
                Tap(
                    self.t("ui.again"),
                    again,
                    icon="refresh" if wide else "",
                    kind="main",
                    size="body" if wide else "tile",
                    name="again",
                ).fill(1.4)
            )
        return Row(ways)

    def _actions(self) -> list[Part]:
        id = self.one.id
        table = Tap(icon="table-furniture", kind="quiet", on_tap=lambda: self.desk.resume(id), name="open")
        delete = Tap(icon="delete", kind="quiet", on_tap=self._ask_delete, name="delete")
        take = partial(self.app.go, "take-along", evening=self.one, growth=self.growth)
        return [
            Tap(icon="share-variant", on_tap=take, name="take-along"),
            *([table] if id > 0 else []),
            delete,
        ]

    # What can be changed

    def _add(self, what: Annotation, **changes: str) -> None:
        at = self.desk.clock()

        def kept(_: int) -> None:
            self.one = replace(self.one, **changes)
            self._show()

        self.desk.clerk.do(lambda journal, binder: journal.annotations.add(what, at), kept, self._failed)

    def _note(self) -> None:
        def done(words: str) -> None:
            note = words[:LONGEST_NOTE]
            self._add(Noted(self.one.id, note), note=note)

        self.app.go("words-page", hint=self.t("ui.note-add"), typed=self.one.note, done=done)

    def _place(self) -> None:
        def done(words: str) -> None:
            place = words[:LONGEST_NAME]
            self._add(PlaceNote(self.one.id, place), place=place)

        self.app.go("words-page", hint=self.t("ui.place-add"), typed=self.one.place, done=done)

    def _photograph(self) -> None:
        glance = self.app.camera_feed.latest()
        if glance is None:
            self.app.tell(say("ui.photo-none"), "refused")
            return
        picture, folder, id = glance.frame.picture.copy(), self.app.folder, self.one.id

        def kept(path: Any) -> None:
            self.picture = picture
            self._add(Photographed(id, path.name), photo=path.name)

        self.app.thread_pool.do(lambda: photos.keep(folder, PHOTOS, str(id), picture), kept, self._failed)

    def _ask_delete(self) -> None:
        yes, no = (self.t("ui.play-delete"), self._delete), (self.t("ui.cancel"), lambda: None)
        self.app.ask(lambda: AppQuestion(self.t("ui.play-delete-sure"), [no, yes], equal=True))

    def _delete(self) -> None:
        id, at = self.one.id, self.desk.clock()

        def gone(_: int) -> None:
            self.app.home()
            self.app.go("plays", deleted=id)

        self.desk.clerk.do(
            lambda journal, binder: journal.annotations.add(Deleted(id), at), gone, self._failed
        )
