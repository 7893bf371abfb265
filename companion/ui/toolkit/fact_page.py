"""The page for entering printed values: a form, and the face as it will look, updated at every tap.

The table and the binder share this page; each adds its own frame.
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
from companion.core.game import Game
from companion.core.printed_facts import Contradiction
from companion.texts import capital
from companion.ui.toolkit.drawing_board import DrawingBoard
from companion.ui.toolkit.form import Change, FormPad, untouched
from companion.ui.toolkit.form_parts import Labelled
from companion.ui.toolkit.kit import Column, Group, Icon, Page, Part, Plate, Row, Scroll, Tap, Words, theme
from companion.ui.toolkit.screen import Showing
from companion.ui.toolkit.snug import Snug
from companion.ui.toolkit.symbols import FaceRoom
from companion.ui.toolkit.theme import SMALLEST_WORDS

FACE = 150
"""The height of the face."""

RAIL = 192
"""The width of the column beside the form."""


class FactPage(FormPad):
    """Values of some fields of one component; fields made meaningless by other values are not asked."""

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
        """The component with the known values of fields that are not on this page."""
        self.labelled = True
        """Whether each value has a label."""
        self.drawn = ""
        """The field being drawn, if there are several."""
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
    def prefix(self) -> str:
        """How the names of its buttons begin."""
        return "value"

    @property
    def entered(self) -> dict[str, Any]:
        """The entered values of all fields that mean something; incomplete ones are left out."""
        return {f.name: self.value[f.name] for f in self._asked() if self._is_entered(f)}

    def _is_entered(self, field: Field) -> bool:
        """Whether the field is complete: each of several numbers entered together, and no empty drawing."""
        told = self.value.get(field.name, UNSET)
        return told is not UNSET and fits(field.form, told) and not nothing_drawn(field.form, told)

    def _asked(self) -> list[Field]:
        """The fields that mean something on the component as entered so far."""
        unknown = self._with(
            {f.name: self.value[f.name] for f in self.fields if self._is_entered(f)}
        ).unknown()
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
        """Contradictions between the rulebook and the entered values; empty while values are missing."""
        told = {} if self.missing() else self.entered
        found = self.game.contradictions(self._with(told, self.beside)) if told else ()
        return [one for one in found if told.keys() & set(one.fields)]

    def missing(self) -> list[Field]:
        """Required fields without a value."""
        return [field for field in self._asked() if field.needed and not self._is_entered(field)]

    def still(self) -> Part:
        """What is missing or contradictory, in words."""
        for wrong in self.against():
            return Snug(self._words(wrong.text), 20, SMALLEST_WORDS, "bad", lines=5)
        fields = tuple(field.text for field in self.missing())
        return Snug(self.showing.t("ui.form-missing", fields=fields), 20, SMALLEST_WORDS, "dim", lines=2)

    @property
    def complete(self) -> bool:
        return not self.missing() and not self.against()

    def shown(self) -> Component:
        """The component with the values entered so far."""
        return self._with(self.entered)

    def nothing(self) -> dict[str, Any]:
        """The values of an untouched page: no powers, for example."""
        return dict(untouched(self.form))

    @property
    def begun(self) -> bool:
        """Whether anything was entered."""
        return any(value != self.nothing().get(name) for name, value in self.entered.items())

    def title(self) -> Part:
        """The name; if it can be entered, a button to the keyboard."""
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
        return self._edit(Record(tuple(asked)), self.value, self._tell, self.prefix)

    def _alone(self, field: Field) -> Part:
        """One field, without a label: the page has its name already."""

        def put(value: Any) -> None:
            self._tell({field.name: value})

        return self._edit(field.form, self.value.get(field.name, UNSET), put, f"value.{field.name}")

    # Drawings

    def _is_drawn(self, field: Field) -> bool:
        """Whether this field is drawn on a map rather than listed."""
        if sketch(field.form) is not None:
            return True
        return drawing(field.form) is not None and bool(self.game.chart(self.shown(), field.name))

    @property
    def drawn_now(self) -> Field | None:
        """The field being drawn: the opened one, or the only one."""
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
        """The map to draw on, and the values of the line or place touched last."""
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
        """Instructions for drawing, since an empty map gives no hint."""
        key = "ui.form-draw-lines" if sketch(field.form) is None else "ui.form-draw-places"
        return Snug(self.showing.t(key), 20, SMALLEST_WORDS, "accent", lines=4)

    def _placed(self, field: Field) -> Part | None:
        """The number of places of a map so far."""
        if sketch(field.form) is None:
            return None
        n = len(self.value.get(field.name) or ())
        return Snug(self.showing.t("ui.form-placed", n=n), 20, SMALLEST_WORDS, "accent", lines=2)

    def laid_out(self, key: str, above: Sequence[Part | None], below: Sequence[Part | None]) -> Part:
        """The form with the face beside it, or above it on a narrow screen, and `above` and `below` round the
        face."""
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
    """A part with another of this width at its right, with room for a scroll bar between them."""

    def __init__(self, body: Part, rail: Part, width: float) -> None:
        super().__init__([body, rail], gap=12)
        self.wide = theme().px(width)

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
