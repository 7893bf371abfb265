"""A form to fill with a finger, whatever it asks for: at the table and in the binder alike."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from msgspec import UNSET

from companion.core.fact_values import Means, fits, in_words
from companion.core.forms import (
    Field,
    Form,
    Kinds,
    ListOf,
    Maybe,
    Named,
    Number,
    OneOf,
    Record,
    SeveralOf,
    Switch,
    TextLine,
)
from companion.core.words import Text
from companion.texts import capital
from companion.ui.toolkit.keyboard import Keyboard, TextField, Typing
from companion.ui.toolkit.kit import Icon, Part, Plate, Row, Tap, Tiles, Words
from companion.ui.toolkit.screen import Showing
from companion.ui.toolkit.stepper import FAR, Counted, stepper

DIGIT = 54
"""How wide a number of the pad is at least."""

CHIP = 130
"""How wide a value with a name is at least."""

Change = Callable[[Any], None]


class Adding:
    """Something about to be added to a list."""

    def __init__(self, form: Form, put: Change) -> None:
        self.form, self.put = form, put
        self.value = untouched(form)


class FormPad:
    """What was told so far; `changed` is called whenever that is something else."""

    def __init__(
        self, showing: Showing, form: Form, value: Any, means: Means, changed: Callable[[], None]
    ) -> None:
        self.showing, self.form, self.means, self.changed = showing, form, means, changed
        self.value = untouched(form) if value is UNSET else value
        self.adding: list[Adding] = []
        self.typings: dict[str, Typing] = {}

    @property
    def complete(self) -> bool:
        """Whether everything was told, and nothing is half told."""
        return not self.adding and self.value is not UNSET and fits(self.form, self.value)

    def parts(self) -> list[Part]:
        """From top to bottom; while something is added to a list, only that."""
        if self.adding:
            return self._adding(self.adding[-1])
        return self._edit(self.form, self.value, self._tell, "value")

    def _tell(self, value: Any) -> None:
        self.value = value
        self.changed()

    def _edit(self, form: Form, value: Any, change: Change, name: str) -> list[Part]:
        """What changes one value, told by its form."""
        match form:
            case Number():
                return [self._number(form, value, change, name)]
            case TextLine(longest):
                return self._line(longest, value, change, name)
            case Switch():
                words = self.showing.t("core.form.yes" if value else "core.form.no")
                return [self._ticked(words, value is True, lambda: change(not value), f"switch-{name}")]
            case OneOf(values):
                chips = [self._chip(v, v.value == value, partial(change, v.value), name) for v in values]
                return [Tiles(chips, CHIP, gap=8)]
            case SeveralOf():
                return self._several(form, value, change, name)
            case Maybe(inner):
                return self._maybe(inner, value, change, name)
            case Record(fields):
                return [part for field in fields for part in self._field(field, value, change, name)]
            case Kinds():
                return self._kinds(form, value, change, name)
            case ListOf(item):
                return self._list(item, value, change, name)

    def _number(self, form: Number, value: Any, change: Change, name: str) -> Part:
        if form.is_short:
            digits = [
                Tap(str(n), partial(change, n), chosen=n == value, name=f"{name}-{n}")
                for n in range(form.low, form.high + 1)
            ]
            return Tiles(digits, DIGIT, gap=6)
        bounded = lambda n: change(max(form.low, min(form.high, n)))  # noqa: E731
        return Row([stepper(name, value, bounded, far=form.high - form.low > FAR)])

    def _line(self, longest: int, value: Any, change: Change, name: str) -> list[Part]:
        """What was typed so far, and the keys; nothing is told until something is typed."""
        typing = self.typings.get(name)
        if typing is None:
            before = value if isinstance(value, str) else ""
            typing = self.typings[name] = Typing(before, longest=longest, name=True)
        typing.on_change = lambda: change(typing.text.strip() or UNSET)
        return [TextField(typing), Keyboard(typing)]

    def _chip(self, named: Named, on: bool, deed: Callable[[], None], name: str) -> Part:
        icon = "check-circle" if on else "circle-outline"
        return Tap(self._words(named.text), deed, icon=icon, chosen=on, name=f"{name}-{named.value}")

    def _ticked(self, words: str, on: bool, deed: Callable[[], None], name: str) -> Part:
        icon = "checkbox-marked" if on else "checkbox-blank-outline"
        return Tap(words, deed, icon=icon, chosen=on, name=name)

    def _several(self, form: SeveralOf, value: list[Any], change: Change, name: str) -> list[Part]:
        """Boxes to tick; where a value may be there again, a tap adds one more and the last can be taken back."""
        if not form.again:
            ticks = [self._tick(v, value, change, name) for v in form.values]
            return [Tiles(ticks, CHIP, gap=8)]
        more = [
            Tap(
                self._words(v.text), partial(change, [*value, v.value]), icon="plus", name=f"{name}-{v.value}"
            )
            for v in form.values
        ]
        told = Words(capital(self._words(in_words(form, value))), "body", "accent" if value else "dim").fill()
        back = Tap(icon="backspace", kind="quiet", on_tap=lambda: change(value[:-1]), name=f"back-{name}")
        return [Tiles(more, CHIP, gap=8), Row([told, back if value else None])]

    def _tick(self, named: Named, value: list[Any], change: Change, name: str) -> Part:
        on = named.value in value
        other = [one for one in value if one != named.value] if on else [*value, named.value]
        return self._ticked(self._words(named.text), on, partial(change, other), f"{name}-{named.value}")

    def _maybe(self, inner: Form, value: Any, change: Change, name: str) -> list[Part]:
        there = value is not None
        words = self.showing.t("ui.form-there" if there else "ui.form-not-there")
        tick = self._ticked(
            words, there, lambda: change(None if there else untouched(inner)), f"there-{name}"
        )
        return [tick, *(self._edit(inner, value, change, name) if there else [])]

    def _field(self, field: Field, record: Any, change: Change, name: str) -> list[Part]:
        def put(value: Any) -> None:
            others = {key: told for key, told in record.items() if key != field.name}
            change(others if value is UNSET else {**others, field.name: value})

        label, value = capital(self._words(field.text)), record.get(field.name, UNSET)
        parts = self._edit(field.form, value, put, f"{name}.{field.name}")
        if isinstance(field.form, Number) and not field.form.is_short:
            return [Counted(label, parts[0])]
        return [Words(label, "note", "dim"), *parts]

    def _kinds(self, form: Kinds, value: Any, change: Change, name: str) -> list[Part]:
        chosen = form.of(value)
        chips = [
            Tap(
                self._words(kind.text) if kind.text is not None else kind.tag,
                partial(change, untouched(kind)),
                icon="check-circle" if kind is chosen else "circle-outline",
                chosen=kind is chosen,
                name=f"{name}-{kind.tag}",
            )
            for kind in form.kinds
        ]
        return [
            Tiles(chips, CHIP, gap=8),
            *(self._edit(chosen, value, change, name) if chosen is not None else []),
        ]

    # Lists

    def _list(self, item: Form, value: list[Any], change: Change, name: str) -> list[Part]:
        rows = [self._listed(item, value, n, change, name) for n in range(len(value))]
        add = Tap(
            self.showing.t("ui.form-add"),
            lambda: self._begin(Adding(item, lambda new: change([*value, new]))),
            icon="plus",
            name=f"add-{name}",
        )
        nothing = Words(self.showing.t("ui.form-empty"), "body", "dim")
        return [*(rows or [nothing]), add]

    def _listed(self, item: Form, value: list[Any], n: int, change: Change, name: str) -> Part:
        words = Words(capital(self._words(in_words(item, value[n], self.means))), "body").fill()
        others = value[:n] + value[n + 1 :]
        away = Tap(icon="close", kind="quiet", on_tap=partial(change, others), name=f"away-{name}-{n}")
        return Plate(Row([words, away]), "raised", pad=6, radius=12)

    def _begin(self, adding: Adding) -> None:
        self.adding.append(adding)
        self.changed()

    def _adding(self, adding: Adding) -> list[Part]:
        """The new thing, what it means as soon as that can be said, and the way back to the list."""

        def change(value: Any) -> None:
            adding.value = value
            self.changed()

        whole = adding.value is not UNSET and fits(adding.form, adding.value)
        add = Tap(self.showing.t("ui.form-add-it"), self._add, icon="plus", kind="main", name="add-it")
        leave = Tap(self.showing.t("ui.cancel"), self._leave, name="add-not")
        told = self._sentence(adding.form, adding.value) if whole else None
        body = self._edit(adding.form, adding.value, change, f"new{len(self.adding)}")
        return [*body, *([told] if told else []), Tiles([add if whole else None, leave], 170)]

    def _sentence(self, form: Form, value: Any) -> Part:
        words = Words(capital(self._words(in_words(form, value, self.means))), "body", "accent").fill()
        return Row([Icon("information", "body", "accent"), words])

    def _add(self) -> None:
        adding = self.adding.pop()
        adding.put(adding.value)

    def _leave(self) -> None:
        self.adding.pop()
        self.changed()

    def _words(self, text: Text) -> str:
        return self.showing.desk.words(text)


def untouched(form: Form) -> Any:
    """A form nobody has touched: nothing is chosen yet, lists are empty, what may be missing is not there."""
    match form:
        case Number(low) if not form.is_short:
            return low
        case Switch():
            return False
        case SeveralOf() | ListOf():
            return []
        case Maybe():
            return None
        case Record(fields, tag_field, tag):
            told = {field.name: untouched(field.form) for field in fields}
            return {**({tag_field: tag} if tag else {}), **{k: v for k, v in told.items() if v is not UNSET}}
        case Kinds((only,)):
            return untouched(only)
    return UNSET
