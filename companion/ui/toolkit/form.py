"""A form to fill in by touch; the table and the binder use the same."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from msgspec import UNSET, Struct

from companion.core.faces import Sign
from companion.core.fact_values import blank, fits, in_words
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
    can_wait,
)
from companion.core.game import Game
from companion.core.words import Text, plain, say
from companion.texts import capital
from companion.ui.toolkit.form_parts import (
    MANY,
    SIGN,
    Across,
    Chips,
    Labelled,
    Repeated,
    ValueTile,
    in_families,
    in_line,
    label_of,
    sign_of,
    signed,
)
from companion.ui.toolkit.keyboard import Keyboard, TextField, Typing
from companion.ui.toolkit.kit import Column, Part, Plate, Row, Tap, Tiles, Words, theme
from companion.ui.toolkit.screen import Showing
from companion.ui.toolkit.snug import Snug
from companion.ui.toolkit.stepper import FAR, stepper
from companion.ui.toolkit.symbols import Symbol
from companion.ui.toolkit.theme import SMALLEST_WORDS
from companion.ui.toolkit.tiles import Tile

NUMBERS = 13
"""Up to this many numbers have a chip each; more are counted up and down."""

KIND = 176
"""The smallest width of a kind that can be added."""

Change = Callable[[Any], None]


class Choice(Struct, frozen=True):
    """A kind is being chosen for a new item of a list."""

    kinds: Kinds
    add: Change
    name: str


class Lettered(Struct, frozen=True):
    """A line of text is being typed."""

    typing: Typing
    words: str


class FormPad:
    """The values entered so far; `changed` is called after every change."""

    def __init__(
        self, showing: Showing, game: Game, form: Form, value: Any, changed: Callable[[], None]
    ) -> None:
        self.showing, self.game, self.form, self.changed = showing, game, form, changed
        self.value = untouched(form) if value is UNSET else value
        self.choice: Choice | None = None
        self.lettered: Lettered | None = None
        self.open = ""
        """The list item whose values are shown."""
        self.first: Part | None = None
        """The part that must be visible."""
        self.means = ""
        """The meaning of the open item, in words."""

    @property
    def complete(self) -> bool:
        """Whether everything was entered."""
        return self.value is not UNSET and fits(self.form, self.value)

    @property
    def aside(self) -> bool:
        """Whether something other than the whole form is shown: kinds to choose from, or a keyboard."""
        return self.choice is not None or self.lettered is not None

    def part(self) -> Part:
        """The whole form, or the kinds that can be added to a list, or the keyboard."""
        self.first, self.means = None, ""
        if self.choice is not None:
            return self._chooser(self.choice)
        if self.lettered is not None:
            return self._keys(self.lettered)
        return self._edit(self.form, self.value, self._tell, "value")

    def _tell(self, value: Any) -> None:
        self.value = value
        self.changed()

    def _edit(self, form: Form, value: Any, change: Change, name: str) -> Part:
        """The editor of one value, chosen by its form."""
        match form:
            case Number() if not _is_pad(form):
                low, high = form.low, form.high
                return Row(
                    [stepper(name, value, lambda n: change(max(low, min(high, n))), far=high - low > FAR)]
                )
            case TextLine(longest):
                return self._line(longest, value, change, name)
            case Number() | Switch() | OneOf():
                return in_families(self._chips(form, value, change, name))
            case SeveralOf():
                return self._several(form, value, change, name)
            case Maybe(inner):
                return self._maybe(inner, value, change, name)
            case Record(fields):
                return in_line([self._field(field, value, change, name) for field in fields])
            case Kinds():
                return self._kinds(form, value, change, name)
            case ListOf(item):
                return self._list(item, value, change, name)

    def _chips(self, form: Number | Switch | OneOf, value: Any, change: Change, name: str) -> list[ValueTile]:
        """One chip per value."""
        values: dict[int | str, Text]
        match form:
            case Number(low, high):
                values = {n: plain(str(n)) for n in range(low, high + 1)}
            case Switch():
                values = {False: say("core.form.no"), True: say("core.form.yes")}
            case OneOf(named):
                values = {v.value: v.text for v in named}
        return self._each([Named(v, text) for v, text in values.items()], (value,), change, name)

    def _each(
        self, values: Sequence[Named], chosen: Sequence[Any], tell: Change, name: str
    ) -> list[ValueTile]:
        """Chips for these values; without words if there are many and all have symbols of their own."""
        signs = [self._sign(named, name) for named in values]
        wordless = len(values) > MANY and len({sign for sign in signs if sign is not None}) >= len(values) - 1
        return [
            self._chip(
                named if not wordless or sign is None else Named(named.value, plain("")),
                named.value in chosen,
                partial(tell, named.value),
                name,
                sign,
            )
            for named, sign in zip(values, signs, strict=True)
        ]

    def _sign(self, named: Named, name: str) -> Sign | None:
        return sign_of(self.game, name.rpartition(".")[2], named.value)

    def _chip(
        self, named: Named, on: bool, deed: Callable[[], None], name: str, sign: Sign | None = None
    ) -> ValueTile:
        words = self._words(named.text)
        if sign is not None and words == sign.value:
            words = ""  # the symbol shows the number already
        content = signed(self.game, sign, words, "accent" if on else "text", bold=on)
        return ValueTile(content, deed, f"{name}-{named.value}", on, "" if sign is None else sign.symbol)

    def _line(self, longest: int, value: Any, change: Change, name: str, words: str = "") -> Part:
        """The typed text, with a button to the keyboard."""
        text = value if isinstance(value, str) else ""
        begin = partial(self._begin, text, longest, change, words)
        return Row([Tap(text or "\u2026", begin, icon="pencil", size="tile", name=name)])

    def _begin(self, text: str, longest: int, change: Change, words: str) -> None:
        """Open the keyboard for a line; an empty line counts as not entered."""
        typing = Typing(text, longest=longest, name=True, on_done=self.leave)
        typing.on_change = lambda: change(typing.text.strip() or UNSET)
        self.lettered = Lettered(typing, words)
        self.changed()

    def _keys(self, lettered: Lettered) -> Part:
        done = Tap(icon="check", kind="main", on_tap=self.leave, name="typed")
        head = Row([TextField(lettered.typing, lettered.words).fill(), done])
        return Column([head, Keyboard(lettered.typing)], gap=6)

    def typed(self, key: str, character: str | None) -> bool:
        """Handle a key of a real keyboard; true if somebody is typing here."""
        return self.lettered is not None and self.lettered.typing.typed(key, character)

    def _several(self, form: SeveralOf, value: list[Any], change: Change, name: str) -> Part:
        """Chips to switch on and off. Where a value may occur repeatedly, each tap adds one and the last can
        be taken back."""
        if not form.again:

            def switch(v: Any) -> None:
                change([o for o in value if o != v] if v in value else [*value, v])

            return Chips(self._each(form.values, value, switch, name))
        more = self._each(form.values, value, lambda v: change([*value, v]), name)
        told = Words(capital(self._words(in_words(form, value))), "tile", "accent")
        back = Tap(icon="backspace", kind="quiet", on_tap=lambda: change(value[:-1]), name=f"back-{name}")
        return Repeated(Chips(more), told, back, begun=bool(value))

    def _maybe(self, inner: Form, value: Any, change: Change, name: str) -> Part:
        there = value is not None
        nothing = Named("nothing", say("core.form.nothing"))
        none = self._chip(nothing, not there, partial(change, None), name)
        if isinstance(inner, OneOf) or (isinstance(inner, Number) and _is_pad(inner)):
            return Chips([none, *self._chips(inner, value, change, name)])
        some = self._chip(Named("there", say("ui.form-there")), there, partial(change, blank(inner)), name)
        return Column([Chips([none, some]), self._edit(inner, value, change, name) if there else None], gap=4)

    def _field(self, field: Field, record: Any, change: Change, name: str) -> Part:
        def put(value: Any) -> None:
            others = {key: told for key, told in record.items() if key != field.name}
            change(others if value is UNSET else {**others, field.name: value})

        usual = UNSET if field.needed or can_wait(field.form) else field.usual
        words, value = capital(self._words(field.text)), record.get(field.name, usual)
        inner = f"{name}.{field.name}"
        if isinstance(field.form, ListOf):
            return self._list(field.form.item, value, put, inner, words)
        if isinstance(field.form, TextLine):
            return Labelled(
                Words(words, "tile", "dim"), self._line(field.form.longest, value, put, inner, words)
            )
        label = label_of(self.game, field.name, words)
        return Labelled(label, self._edit(field.form, value, put, inner))

    def _kinds(self, form: Kinds, value: Any, change: Change, name: str) -> Part:
        chosen = form.of(value)
        chips = [
            self._chip(
                _called(kind), kind is chosen, partial(change, first(kind)), name, self._kind_sign(kind)
            )
            for kind in form.kinds
        ]
        inside = None
        if chosen is not None and chosen.fields:
            inside = self._edit(chosen, value, change, name)
        return Across([Chips(chips), inside], gap=6)

    # Lists

    def _list(self, item: Form, value: Any, change: Change, name: str, words: str = "") -> Part:
        """One line per item, newest first, with the values of the open item below it. The button to add one
        stays at the top, so showing a new item needs no scrolling.

        If this list is the only thing on the page, adding the first item takes one tap less.
        """
        told = [] if value is UNSET else value
        rows = [self._listed(item, told, n, change, name) for n in reversed(range(len(told)))]

        def add(new: Any) -> None:
            self.open = f"{name}-{len(told)}"
            change([*told, new])

        if isinstance(item, Kinds) and not told and self._only(item):
            return Across([self._chooser(Choice(item, add, name))], gap=4)
        begin = partial(self._choose, item, add, name)
        plus = Tap(self.showing.t("ui.form-add"), begin, icon="plus", size="tile", name=f"add-{name}")
        label = Words(words or ("" if told else self.showing.t("ui.form-empty")), "tile", "dim").fill()
        return Across([Row([label, plus]), *rows], gap=4)

    def _only(self, item: Form) -> bool:
        """Whether a list of these is all there is to enter here."""
        form = self.form
        if isinstance(form, Record) and len(form.fields) == 1:
            form = form.fields[0].form
        return isinstance(form, ListOf) and form.item is item

    def _listed(self, item: Form, value: list[Any], n: int, change: Change, name: str) -> Part:
        here = f"{name}-{n}"
        means = capital(self._words(in_words(item, value[n], self.game.means)))
        words = Words(means, "tile", "text")
        others = value[:n] + value[n + 1 :]
        away = Tap(icon="close", kind="quiet", on_tap=partial(change, others), name=f"away-{here}")
        line = Row(
            [Tile(Row([words.fill()]), partial(self._show, here), f"open-{here}", pad=6).fill(), away], gap=4
        )
        if self.open != here:
            return line

        def put(new: Any) -> None:
            change([*value[:n], new, *value[n + 1 :]])

        kind = item.of(value[n]) if isinstance(item, Kinds) else item
        assert kind is not None
        if isinstance(kind, Record) and not kind.fields:
            return line
        self.means = means
        self.first = Plate(Column([line, self._edit(kind, value[n], put, here)], gap=6), pad=6, edge="line")
        return self.first

    def _show(self, name: str) -> None:
        self.open = "" if self.open == name else name
        self.changed()

    def _choose(self, item: Form, add: Change, name: str) -> None:
        if isinstance(item, Kinds):
            self.choice = Choice(item, add, name)
            self.changed()
        else:
            add(first(item))

    def _chooser(self, choice: Choice) -> Part:
        """All kinds; a tap adds one, with the least values it can have."""
        taps = [self._kind(choice, kind) for kind in choice.kinds.kinds]
        return Tiles(taps, KIND, gap=6)

    def _kind(self, choice: Choice, kind: Record) -> Part:
        sign = self._kind_sign(kind)
        lead = None if sign is None else Symbol(self.game, sign, SIGN)
        words = Words(self._words(_called(kind).text), "detail").fill()
        name = f"add-{choice.name}-{kind.tag}"
        return Tile(Row([lead, words], gap=6), partial(self._chosen, choice, kind), name, pad=6)

    def _kind_sign(self, kind: Record) -> Sign | None:
        return sign_of(self.game, kind.tag_field, kind.tag)

    def sentence(self) -> Part | None:
        """The meaning of the open item, however the form is scrolled; none with large text: no room."""
        if self.aside or not self.means or not theme().wide:
            return None
        return Snug(self.means, 20, SMALLEST_WORDS, "accent", lines=4)

    def away(self) -> Part:
        """The button back from the kinds or from the keyboard."""
        return Tap(self.showing.t("ui.cancel"), self.leave, icon="arrow-left", size="tile", name="add-not")

    def _chosen(self, choice: Choice, kind: Record) -> None:
        self.choice = None
        choice.add(first(kind))

    def leave(self) -> None:
        """Close the kinds without adding, or close the keyboard."""
        self.choice = self.lettered = None
        self.changed()

    def _words(self, text: Text) -> str:
        return self.showing.desk.words(text)


def _is_pad(form: Number) -> bool:
    """Whether each number has a chip of its own."""
    return form.high - form.low < NUMBERS


def _called(kind: Record) -> Named:
    return Named(kind.tag, kind.text if kind.text is not None else plain(kind.tag))


def untouched(form: Form) -> Any:
    """The value of an untouched form: nothing chosen, lists empty, optional values absent."""
    match form:
        case Number(low) if not _is_pad(form):
            return low
        case SeveralOf():
            return []
        case ListOf(_, 0):
            return []
        case Maybe():
            return None
        case Record(fields, tag_field, tag):
            told = {field.name: untouched(field.form) for field in fields}
            return {**({tag_field: tag} if tag else {}), **{k: v for k, v in told.items() if v is not UNSET}}
        case Kinds((only,)):
            return untouched(only)
    return UNSET


def first(form: Form) -> Any:
    """The initial value of a new list item: the least it can have, and defaults where there are any."""
    if not isinstance(form, Record):
        return blank(form)
    told = {field.name: blank(field.form) for field in form.fields if field.needed}
    return {form.tag_field: form.tag, **told} if form.tag else told
