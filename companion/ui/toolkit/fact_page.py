"""The page on which printed values are told: what can be told, and the face as it will look, which every tap changes.

The table and the binder have the same page; only what stands round it is theirs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from kivy.core.window import Window
from msgspec import UNSET

from companion.core.components import NAME_FIELDS, UNKNOWN, Component, value_of, with_told
from companion.core.fact_values import fits, in_words, nothing_drawn
from companion.core.forms import (
    Field,
    ListOf,
    Record,
    TextLine,
    can_wait,
    drawing,
    field_words,
    form_of,
    sketch,
)
from companion.core.game import Contradiction, Game
from companion.texts import capital
from companion.ui.toolkit.drawing_board import DrawingBoard
from companion.ui.toolkit.form import Change, FormPad, untouched
from companion.ui.toolkit.form_parts import Labelled
from companion.ui.toolkit.kit import Column, Group, Icon, Page, Part, Plate, Row, Scroll, Tap, Words, look
from companion.ui.toolkit.look import SMALLEST_WORDS
from companion.ui.toolkit.screen import Showing
from companion.ui.toolkit.snug import Snug
from companion.ui.toolkit.symbols import FaceRoom

FACE = 150
"""How high the face is."""

RAIL = 192
"""How wide what stands beside the form is."""


class FactPage(FormPad):
    """What is told of some fields of one component; what means nothing beside what was told is not asked."""

    def __init__(
        self,
        showing: Showing,
        game: Game,
        component: Component,
        fields: Sequence[str],
        told: dict[str, Any],
        changed: Callable[[], None],
        beside: Component | None = None,
    ) -> None:
        self.component = component
        self.beside = component if beside is None else beside
        """The component with what is known of the fields that are not on this page."""
        self.labelled = True
        """Whether each value has what it is called beside it."""
        self.drawn = ""
        """The field that is being drawn, where it is one of several."""
        self.boards: dict[str, DrawingBoard] = {}
        forms = {name: form_of(type(component), name, game.id) for name in fields}
        self.fields = tuple(
            Field(name, field_words(game.id, name), form, needed=len(forms) == 1 or not can_wait(form))
            for name, form in forms.items()
        )
        super().__init__(showing, game, Record(self.fields), UNSET, changed)
        self.value |= {
            name: told[name] for name, form in forms.items() if name in told and fits(form, told[name])
        }

    @property
    def told(self) -> dict[str, Any]:
        """What was told of each field that means anything; what is half told is not told yet."""
        return {f.name: self.value[f.name] for f in self._asked() if self._is_told(f)}

    def _is_told(self, field: Field) -> bool:
        """Whether all of it was: of several numbers told together, each; an empty drawing is not drawn yet."""
        told = self.value.get(field.name, UNSET)
        return told is not UNSET and fits(field.form, told) and not nothing_drawn(field.form, told)

    def _asked(self) -> list[Field]:
        """The fields that mean something on the component as it was told so far."""
        unknown = self._with({f.name: self.value[f.name] for f in self.fields if self._is_told(f)}).unknown()
        return [
            field
            for field in self.fields
            if field.name in unknown
            or field.name in self.value
            or value_of(self.component, field.name) is not UNKNOWN
        ]

    def _with(self, told: dict[str, Any], component: Component | None = None) -> Component:
        component = self.component if component is None else component
        for name, value in told.items():
            component = with_told(component, name, value)
        return component

    def against(self) -> list[Contradiction]:
        """What the rulebook says against what was told; nothing while something is still to be told."""
        told = {} if self.missing() else self.told
        found = self.game.contradictions(self._with(told, self.beside)) if told else ()
        return [one for one in found if told.keys() & set(one.fields)]

    def missing(self) -> list[Field]:
        """What nobody told yet and must be told."""
        return [field for field in self._asked() if field.needed and not self._is_told(field)]

    def still(self) -> Part:
        """What is still to be told, or cannot be as it was told, in words."""
        for wrong in self.against():
            return Snug(self._words(wrong.text), 20, SMALLEST_WORDS, "bad", lines=5)
        fields = tuple(field.text for field in self.missing())
        return Snug(self.showing.t("ui.form-missing", fields=fields), 20, SMALLEST_WORDS, "dim", lines=2)

    @property
    def complete(self) -> bool:
        return not self.missing() and not self.against()

    def shown(self) -> Component:
        """The component with what was told so far."""
        return self._with(self.told)

    def nothing(self) -> dict[str, Any]:
        """What a page says that nobody has touched: no powers, say."""
        return dict(untouched(self.form))

    def title(self) -> Part:
        """The name; where it can be told, the way to the keyboard."""
        field = next((f for f in self.fields if f.name in NAME_FIELDS), None)
        shown = self._words(self.shown().called)
        if field is None:
            return Words(shown, "prompt", bold=True)
        assert isinstance(field.form, TextLine)
        words, longest = self._words(field.text), field.form.longest

        def put(text: Any) -> None:
            self._tell(_with_value(self.value, field.name, text))

        begin = partial(self._begin, self.value.get(field.name, ""), longest, put, words)
        return Tap(
            shown, begin, part=Icon("pencil", "tile", "dim"), kind="quiet", align="left", name="rename"
        )

    def part(self) -> Part:
        if self.aside:
            return super().part()
        self.first, self.means = None, ""
        if not self.labelled:
            return self._alone(self.fields[0])
        asked = [field for field in self._asked() if field.name not in NAME_FIELDS]
        return self._edit(Record(tuple(asked)), self.value, self._tell, "value")

    def _alone(self, field: Field) -> Part:
        """One field, which the page is called after already."""

        def put(value: Any) -> None:
            self._tell({field.name: value})

        return self._edit(field.form, self.value.get(field.name, UNSET), put, f"value.{field.name}")

    # What is drawn

    def _is_drawn(self, field: Field) -> bool:
        """Whether this is drawn on a map rather than listed."""
        if sketch(field.form) is not None:
            return True
        return drawing(field.form) is not None and bool(self.game.chart(self.shown(), field.name))

    @property
    def drawn_now(self) -> Field | None:
        """The field that is drawn now: the one that was opened, or the only one there is."""
        if self.choice is not None or self.lettered is not None:
            return None
        asked = [field for field in self._asked() if field.name not in NAME_FIELDS]
        name = self.drawn or (asked[0].name if len(asked) == 1 else "")
        return next((field for field in asked if field.name == name and self._is_drawn(field)), None)

    def _field(self, field: Field, record: Any, change: Change, name: str) -> Part:
        if field not in self.fields or not self._is_drawn(field):
            return super()._field(field, record, change, name)
        words = capital(self._words(in_words(field.form, record.get(field.name) or [])))
        way = Tap(
            words, partial(self._draw, field.name), icon="pencil", size="tile", name=f"draw-{field.name}"
        )
        return Labelled(Words(capital(self._words(field.text)), "tile", "dim"), Row([way]))

    def _draw(self, field: str) -> None:
        self.drawn = field
        self.changed()

    @property
    def aside(self) -> bool:
        return super().aside or bool(self.drawn)

    def leave(self) -> None:
        self.drawn = ""
        super().leave()

    def away(self) -> Part:
        if not self.drawn:
            return super().away()
        return Tap(self.showing.t("ui.form-done"), self.leave, icon="check", kind="main", name="drawn")

    def _board(self, field: Field) -> tuple[Part, Part | None]:
        """The map to draw on, and what is told of the line or place that was touched last."""
        assert isinstance(field.form, ListOf)
        told: list[Any] = self.value.get(field.name) or []

        def put(value: Any) -> None:
            self._tell({**self.value, field.name: value})

        board = self.boards.setdefault(field.name, DrawingBoard(self.game, field.form, put, self._words))
        map = board.part(told, self.game.chart(self.shown(), field.name))
        if board.last is None or board.last >= len(told):
            return map, None
        n = board.last

        def tell(one: Any) -> None:
            put([*told[:n], one, *told[n + 1 :]])

        more = [FormPad._field(self, each, told[n], tell, f"value.{field.name}") for each in board.more]
        gone = Tap(icon="close", kind="quiet", on_tap=partial(board.take_away, told, n), name="take-away")
        placed = self._placed(field)
        return map, Column([*more, gone if placed is None else Row([placed.fill(), gone], gap=4)], gap=4)

    def _how(self, field: Field) -> Part:
        """How it is drawn: an empty ground does not say so itself."""
        key = "ui.form-draw-lines" if sketch(field.form) is None else "ui.form-draw-places"
        return Snug(self.showing.t(key), 20, SMALLEST_WORDS, "accent", lines=4)

    def _placed(self, field: Field) -> Part | None:
        """How many places of a map there are so far."""
        if sketch(field.form) is None:
            return None
        n = len(self.value.get(field.name) or ())
        return Snug(self.showing.t("ui.form-placed", n=n), 20, SMALLEST_WORDS, "accent", lines=2)

    def laid_out(self, key: str, above: Sequence[Part | None], below: Sequence[Part | None]) -> Part:
        """The form with the face beside it, or over it where the screen is narrow; more stands round the face."""
        below = [self.away()] if self.aside else below
        face: Part = FaceRoom(self.game, self.game.face(self.shown()), FACE)
        scroll: Part
        drawn, said = self.drawn_now, self.sentence()
        if drawn is not None:
            scroll, more = self._board(drawn)
            said = self._how(drawn) if more is None else None
            face = face if more is None else Scroll(more, key=f"{key}-more")
        else:
            scroll = Scroll(self.part(), key=f"{key}-{self.aside}")
            scroll.first = self.first
        if Window.width > Window.height:
            foot = Column([said, *below], gap=6)
            rail = Page(Column(above, gap=6) if any(above) else None, face, foot, gap=6)
            return WithRail(scroll, rail, RAIL)
        top = Row([face.fill(), Column(above, gap=6).fill()]) if any(above) else face
        foot = Column([said if drawn is not None else None, *below], gap=6)
        return Page(top, Plate(scroll, "ground", pad=10), foot, gap=6)


class WithRail(Group):
    """A part with another at its right, which is so wide; a scroll's bar has room between them."""

    def __init__(self, body: Part, rail: Part, width: float) -> None:
        super().__init__([body, rail], gap=12)
        self.wide = look().px(width)

    def fit(self, width: float) -> float:
        body, rail = self.parts
        return max(body.fit(width - self.wide - self.gap), rail.fit(self.wide))

    def place(self, x: float, y: float, width: float, height: float) -> None:
        super().place(x, y, width, height)
        body, rail = self.parts
        body.place(x, y, width - self.wide - self.gap, height)
        rail.place(x + width - self.wide, y, self.wide, height)


def _with_value(told: dict[str, Any], name: str, value: Any) -> dict[str, Any]:
    others = {field: known for field, known in told.items() if field != name}
    return others if value is UNSET else {**others, name: value}
