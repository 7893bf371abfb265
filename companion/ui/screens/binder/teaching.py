"""Teaching the binder a fact of the owner's box, checked against the rulebook's counts."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from companion.core.binder import Taught, newest
from companion.core.components import UNKNOWN, SaidBy, value_of
from companion.core.fact_values import as_told
from companion.core.words import Text, say
from companion.texts import written_time
from companion.ui.toolkit.fact_page import FactPage
from companion.ui.toolkit.kit import Column, Icon, Page, Part, Plate, Row, Scroll, Tap, Words
from companion.ui.toolkit.screen import AppQuestion, Showing

if TYPE_CHECKING:
    from companion.ui.screens.binder.screen import BinderScreen


class Teaching(Showing):
    """One fact of one component, and its new value."""

    def __init__(self, binder: BinderScreen, component: str, field: str) -> None:
        super().__init__(binder.app)
        self.binder, self.component, self.field = binder, component, field
        before, mine = self._printed(), binder.taught.get(f"{component}.{field}")
        if (
            before is None and mine is not None
        ):  # a value that contradicts the rulebook is used nowhere; it can be corrected here
            before = mine.value
        told = {} if before is None else {field: before}
        box = binder.printed_box()
        known = binder.catalogue()[component]
        self.pad = FactPage(self, binder.game, box[component], [field], told, self.app.refresh, known)
        self.pad.labelled = False

    def _printed(self) -> Any:
        """The printed value as far as we know, as plain JSON; None if unknown."""
        value = value_of(self.binder.catalogue()[self.component], self.field)
        return None if value is UNKNOWN else as_told(value)

    def page(self) -> Part:
        """The fact, what is known of it, and what in the rulebook contradicts a new value."""
        component, field = self.component, self.field
        box, row = self.binder.catalogue(), self.binder.row_of(component, field)
        taught = self.binder.taught.get(f"{component}.{field}")
        ask = self.t("ui.binder-what", field=row.text)
        against = tuple(one.text for one in self.pad.against())
        warnings = against or (self._warnings() if self._is_new() else ())
        keep = Tap(
            self.t("ui.binder-keep"), self._keep, icon="check", kind="main", align="center", name="keep"
        ).fill()
        forget = Tap(
            self.t("ui.binder-forget"), self._forget, icon="undo", align="center", name="forget"
        ).fill()
        whole: Part | None = keep if self._is_told() else None
        back = forget if taught is not None and not self.binder.read else None
        head = self.binder.head(self.desk.words(box[component].called))
        if self.pad.drawn_now is not None:
            return Page(
                head, self.pad.laid_out("teach", [], [self.pad.still() if against else None, whole, back])
            )
        body = Column(
            [
                self.panel(Words(ask, "prompt", bold=True), self.pad.part(), gap=12),
                self._known(component, field, taught),
                *[warning(self, text) for text in warnings],
                Words(self.t("ui.binder-now" if self.binder.read else "ui.binder-when"), "note", "dim"),
            ],
            gap=12,
        )
        bottom = self.pad.away() if self.pad.aside else Row([whole, back])
        return Page(head, Scroll(body, key=f"teach-{len(warnings)}"), bottom)

    def _known(self, component: str, field: str, taught: Taught | None) -> Part:
        """The value before the owner taught one, and what the owner taught when."""
        printed = self.binder.printed_box()
        before = self.binder.row_of(component, field, printed)
        words = self.t("ui.binder-nobody")
        if before.values:
            said = self.t(f"ui.said-by-{printed.fact(component, field).said_by.value}")
            words = self.t("ui.binder-known", value=before.values, said=said)
        parts: list[Part] = [Words(words, "body")]
        if taught is not None:
            values = self.binder.row_of(component, field).values
            if not values and taught.value is not None:  # contradictory, so it is used nowhere
                values = (self.binder.game.fact_text(printed[component], field, taught.value),)
            whose = self.t("ui.binder-said", value=values, day=day(taught.at))
            if taught.by or taught.said_by is SaidBy.PLAY:
                whose = self.t("ui.binder-said-by", value=values, said=taught.source)
            parts.insert(0, Words(whose, "body", "accent"))
        return self.panel(*parts)

    def _is_told(self) -> bool:
        """Whether there is something to save: a list that must not be empty has an item; a drawing may be
        incomplete."""
        whole = not self.pad.missing() and self.field in self.pad.entered
        return whole and all(one.unfinished for one in self.pad.against())

    def _is_new(self) -> bool:
        return self._is_told() and self.pad.entered[self.field] != self._printed()

    def _warnings(self) -> tuple[Text, ...]:
        """Contradictions to the rulebook's counts that were not there before."""
        game, facts = self.binder.game, self.binder.facts
        said = {**facts, f"{self.component}.{self.field}": self.pad.entered[self.field]}
        told_at = {**newest(self.binder.taught.values()), self.component: self.desk.clock()}
        before = {repr(found.text) for found in game.disagreements(self.binder.setup(facts))}
        after = game.disagreements(self.binder.setup(said), told_at)
        return tuple(
            found.sentence(self.binder.catalogue()) for found in after if repr(found.text) not in before
        )

    def _keep(self) -> None:
        if not self._is_new():
            self.binder.back()
        elif warnings := self._warnings():
            self.app.ask(lambda: doubted(self, warnings, self._kept))
        else:
            self._kept()

    def _kept(self) -> None:
        if self.binder.read:
            self._set_right()
            return
        game, component, field, value, at = (
            self.binder.game.id,
            self.component,
            self.field,
            self.pad.entered[self.field],
            self.desk.clock(),
        )
        self.desk.clerk.do(
            lambda journal, binder: binder.teach(game, component, field, value, at),
            lambda _: self._done("ui.binder-kept"),
            self.binder.trouble,
        )

    def _set_right(self) -> None:
        """Report it to the current play, which passes it on to the binder."""
        fact, value = f"{self.component}.{self.field}", self.pad.entered[self.field]
        self.desk.correct_fact(fact, value)

        def heard(_: None) -> None:
            if self.desk.session.state.taught.get(fact) == value:  # otherwise it was refused with a message
                self._done("ui.binder-kept")

        self.desk.clerk.do(lambda journal, binder: None, heard, self.binder.trouble)

    def _forget(self) -> None:
        game, component, field, at = self.binder.game.id, self.component, self.field, self.desk.clock()
        self.desk.clerk.do(
            lambda journal, binder: binder.forget(game, component, field, at),
            lambda _: self._done("ui.binder-forgotten"),
            self.binder.trouble,
        )

    def _done(self, key: str) -> None:
        self.binder.teaching = None
        self.binder.look_up()
        self.app.tell(say(key), "accepted")


def warning(showing: Showing, text: Text) -> Part:
    """A warning to consider before going on."""
    words = Words(showing.desk.words(text), "body").fill()
    return Plate(Row([Icon("alert", "prompt", "bad"), words]), edge="bad")


def doubted(showing: Showing, doubts: Iterable[Text], insist: Callable[[], None]) -> AppQuestion:
    """The contradictions to the rulebook's counts, and whether people insist."""
    choices = [(showing.t("ui.cancel"), lambda: None), (showing.t("ui.binder-insist"), insist)]
    return AppQuestion(
        showing.t("ui.binder-doubt"), choices, "\n".join(showing.desk.words(text) for text in doubts)
    )


def day(at: float) -> str:
    """The day of a moment."""
    return written_time(at, "%Y-%m-%d")
