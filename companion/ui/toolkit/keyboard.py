"""An on-screen keyboard, for tables without a real one; keys of a real one do the same.

A screen keeps a `Typing`, shows it in a `TextField` with a `Keyboard` below, and passes on keys of a real
keyboard: `def typed(self, key, character): return self.typing.typed(key, character)`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from kivy.core.text import Label as Measure
from kivy.core.window import Window
from kivy.graphics import Color, RoundedRectangle

from companion.ui.toolkit.kit import TAPS, Icon, Part, Tap, Words, rgba, theme
from companion.ui.toolkit.theme import TARGET

POLISH = "ąćęłńóśźż"
WITH_ALT = dict(zip("acelnosxz", POLISH, strict=True))
"""The characters that Alt and a letter of a real keyboard type."""

WRITING = range(32, 127)
"""Kivy's codes of the keys that type a character."""

BACKSPACE, ENTER, KEYPAD_ENTER = "8", "13", "271"
SHIFT, RUB, SPACE, DONE = "shift", "backspace", "space", "done"
SIGNS, LETTERS = "signs", "letters"
SHEETS = {SIGNS: "#+=", LETTERS: "abc"}
"""Keys that switch between letters and signs, with their captions."""
ICONS = {SHIFT: "arrow-up-bold", RUB: "backspace", SPACE: "keyboard-space", DONE: "check"}

BESIDE = (
    "1 2 3 4 5 6 7 8 9 0",
    "q w e r t y u i o p",
    "a s d f g h j k l backspace",
    "shift z x c v b n m - '",
    "ą ć ę ł ń ó ś ź ż .",
    "space×7 done×3",
)
NARROW = (
    "1 2 3 4 5 6 7 8 9",
    "a b c d e f g h i",
    "j k l m n o p q r",
    "s t u v w x y z 0",
    "ą ć ę ł ń ó ś ź ż",
    "shift - ' . space×3 backspace×2",
    "done",
)
"""Upright screens have no room for ten finger-wide keys in a row; these are in alphabetical order."""

PASSWORD_BESIDE = (*BESIDE[:3], "shift z x c v b n m . -", "signs×2 space×5 done×3")
PASSWORD_NARROW = (*NARROW[:4], "shift×2 signs×2 space×3 backspace×2", "done")
SIGNS_BESIDE = (
    "1 2 3 4 5 6 7 8 9 0",
    "! @ # $ % ^ & * ( )",
    "- _ = + [ ] { } \\ backspace",
    "; : ' \" , . < > / ?",
    "letters×2 | ` ~ space×2 done×3",
)
SIGNS_NARROW = (
    "1 2 3 4 5 6 7 8 9",
    "0 ! @ # $ % ^ & *",
    "( ) - _ = + [ ] {",
    "} \\ ; : ' \" , . <",
    "> / ? | ` ~",
    "letters×2 space×4 backspace×3",
    "done",
)
"""For passwords: what every keyboard has, signs included, but no letters of one particular language."""

LARGEST = 31
"""The largest letters on keys, at any text size: a W must fit on its key."""


class Typing:
    """Text being typed. `on_change` is called at every change, `on_done` at the end."""

    def __init__(
        self,
        text: str = "",
        on_change: Callable[[], Any] = lambda: None,
        on_done: Callable[[], Any] | None = None,
        *,
        longest: int = 60,
        name: bool = False,
        password: bool = False,
    ) -> None:
        self.text, self.longest, self.name, self.password = text, longest, name, password
        self.on_change, self.on_done = on_change, on_done
        self.shifted = False
        self.signs = False
        """Whether the keys for signs are shown."""
        self.shown: dict[str, Callable[[], None]] = {}

    @property
    def upper(self) -> bool:
        """Whether the next letter is a capital: shift was touched, or a name begins."""
        return self.shifted != (self.name and self.text[-1:] in ("", " ", "-"))

    def put(self, characters: str) -> None:
        """Append these characters."""
        if len(self.text) + len(characters) <= self.longest:
            self.text += characters.upper() if self.upper else characters
            self._changed()

    def rub(self) -> None:
        """Delete the last character."""
        self.text = self.text[:-1]
        self._changed()

    def clear(self) -> None:
        """Delete everything."""
        self.text = ""
        self._changed()

    def shift(self) -> None:
        """Toggle shift for the next letter."""
        self.shifted = not self.shifted
        self._show()

    def turn(self) -> None:
        """Switch between signs and letters."""
        self.signs = not self.signs
        self._show()

    def done(self) -> None:
        """Finish typing."""
        if self.on_done is not None:
            self.on_done()

    def touched(self, key: str) -> None:
        """Handle a touched key of the on-screen keyboard."""
        deeds = {SHIFT: self.shift, RUB: self.rub, DONE: self.done, SPACE: lambda: self.put(" ")}
        deeds |= dict.fromkeys(SHEETS, self.turn)
        deeds.get(key, lambda: self.put(key))()

    def typed(self, key: str, character: str | None) -> bool:
        """Handle a key of a real keyboard, or the character it typed; true if it meant something.

        The character of a key arrives right after it, as text, since only the system knows the keyboard
        layout; shift alone types nothing.
        """
        if character:
            return self._written(character)
        if key == BACKSPACE:
            self.rub()
        elif key in (ENTER, KEYPAD_ENTER) and self.on_done is not None:
            self.done()
        else:
            return key.isdecimal() and int(key) in WRITING
        return True

    def _written(self, character: str) -> bool:
        held = set(Window.modifiers)
        if held & {"ctrl", "meta"} or len(character) != 1 or not character.isprintable():
            return False
        self.put(WITH_ALT.get(character, character) if "alt" in held else character)
        return True

    def _changed(self) -> None:
        self.shifted = False
        self._show()
        self.on_change()

    def _show(self) -> None:
        for show in self.shown.values():
            show()


class TextField(Part):
    """The typed text with a caret at its end; if it is too long for the line, its end is shown."""

    def __init__(self, typing: Typing, hint: str = "", size: str = "prompt") -> None:
        super().__init__()
        self.typing, self.hint, self.role = typing, hint, size
        self.pad, self.caret = theme().px(12), theme().px(3)
        with self.canvas.before:
            Color(*rgba("surface"))
            self._ground = RoundedRectangle(radius=[theme().px(12)])
        self.words = Words("", size)
        self.add_widget(self.words)
        with self.canvas:
            Color(*rgba("accent"))
            self._caret = RoundedRectangle(radius=[self.caret / 2])
        typing.shown["field"] = self._show

    def fit(self, width: float) -> float:
        return max(theme().px(TARGET), self.words.font_size * 1.3 + self.pad)

    def natural(self) -> float:
        return theme().px(300)

    def place(self, x: float, y: float, width: float, height: float) -> None:
        super().place(x, y, width, height)
        self._ground.pos, self._ground.size = self.pos, self.size
        self._show()

    def _show(self) -> None:
        room = self.width - 2 * self.pad - 2 * self.caret
        text = self.typing.text
        shown = self._tail(text or self.hint, room, from_end=bool(text))
        self.words.text = shown
        self.words.color = rgba("text" if text else "dim")
        lead = 0 if text else 3 * self.caret
        high = self.words.fit(room + self.caret)
        self.words.place(
            self.x + self.pad + lead, self.y + (self.height - high) / 2, room + self.caret - lead, high
        )
        end = self._extent(shown) if text else 0
        tall = self.words.font_size * 1.15
        self._caret.pos = (self.x + self.pad + end + self.caret / 2, self.y + (self.height - tall) / 2)
        self._caret.size = (self.caret, tall)

    def _tail(self, text: str, room: float, from_end: bool) -> str:
        if self._extent(text) <= room:
            return text
        for cut in range(1, len(text)):
            shorter = "…" + text[cut:] if from_end else text[:-cut] + "…"
            if self._extent(shorter) <= room:
                return shorter
        return ""

    def _extent(self, words: str) -> float:
        # A space at the end moves the caret although it is invisible.
        measure = Measure(font_name="Words", font_size=self.words.font_size)
        return measure.get_extents(words)[0]


class Key(Tap):
    """One key; its letter grows with the text size as far as it fits."""

    def __init__(self, key: str, typing: Typing, words: str) -> None:
        self.key, self.typing = key, typing
        kind = "main" if key == DONE else "quiet" if key in ICONS or key in SHEETS else "plain"
        tone = TAPS[kind][1]
        letter: Part
        if key in ICONS and not words:
            letter = Icon(ICONS[key], "body", tone)
        else:
            letter = Words(words or key, "body", tone, align="center", bold=key == DONE).fill()
        letter.font_size = min(letter.font_size, theme().px(LARGEST))
        super().__init__(part=letter, on_tap=lambda: typing.touched(key), kind=kind, name=f"key-{key}")
        self.letter = letter
        self.pad = theme().px(4)
        self.show()

    def show(self) -> None:
        """Show whether the next letter is a capital."""
        if self.key == SHIFT:
            self.letter.color = rgba("accent" if self.typing.upper else "text")
        elif len(self.key) == 1 and isinstance(self.letter, Words):
            letter = self.key.upper() if self.typing.upper else self.key
            if letter != self.letter.text:
                self.letter.text = letter
                self.letter.texture_update()


class Keyboard(Part):
    """As many keys side by side as a finger can tell apart; `done` is the caption of the last one ("" for
    none)."""

    def __init__(self, typing: Typing, done: str = "", gap: float = 5) -> None:
        super().__init__()
        self.typing, self.done, self.gap = typing, done, theme().px(gap)
        self.rows: list[list[tuple[Key, float]]] = []
        self._order: tuple[str, ...] = ()
        typing.shown["keyboard"] = self._show

    def fit(self, width: float) -> float:
        self._lay_out(width)
        tall = theme().px(52 if self._is_broad(width) else 60)
        return len(self.rows) * tall + self._between(width) * (len(self.rows) - 1)

    def place(self, x: float, y: float, width: float, height: float) -> None:
        super().place(x, y, width, height)
        self._lay_out(width)
        gap = self._between(width)
        high = (height - gap * (len(self.rows) - 1)) / len(self.rows)
        top = y + height
        for row in self.rows:
            top -= high
            self._place_row(row, x, top, width, high, gap)
            top -= gap

    def _place_row(
        self, row: list[tuple[Key, float]], x: float, y: float, width: float, high: float, gap: float
    ) -> None:
        one = (width - gap * (len(row) - 1)) / sum(share for _, share in row)
        for key, share in row:
            key.place(x, y, one * share, high)
            x += one * share + gap

    def _between(self, width: float) -> float:
        """The gap between keys; smaller if the width is short."""
        most = max(len(row) for row in self.rows)
        return max(1.0, min(self.gap, (width - most * theme().px(TARGET)) // (most - 1)))

    def _is_broad(self, width: float) -> bool:
        """Whether ten keys fit side by side."""
        return width >= 10 * theme().px(TARGET) + 9 * self.gap

    def _sheet(self, broad: bool) -> tuple[str, ...]:
        if not self.typing.password:
            return BESIDE if broad else NARROW
        if self.typing.signs:
            return SIGNS_BESIDE if broad else SIGNS_NARROW
        return PASSWORD_BESIDE if broad else PASSWORD_NARROW

    def _lay_out(self, width: float) -> None:
        order = self._sheet(self._is_broad(width))
        if order is self._order:
            return
        self._order = order
        self.clear_widgets()
        self.rows = [row for row in ([*self._keys(line)] for line in order) if row]
        for row in self.rows:
            for key, _ in row:
                self.add_widget(key)

    def _keys(self, line: str) -> list[tuple[Key, float]]:
        keys = []
        for word in line.split():
            key, _, share = word.partition("×")
            if key != DONE or self.done:
                words = self.done if key == DONE else SHEETS.get(key, "")
                keys.append((Key(key, self.typing, words), float(share or 1)))
        return keys

    def _show(self) -> None:
        if self._order is not self._sheet(self._is_broad(self.width)):
            self.place(*self.pos, *self.size)
        for row in self.rows:
            for key, _ in row:
                key.show()
