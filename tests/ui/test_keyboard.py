"""The on-screen keyboard, and a real one beside it."""

import pytest
from kivy.core.window import Window

from companion.ui.toolkit.keyboard import POLISH, Keyboard, TextField, Typing
from companion.ui.toolkit.kit import Words
from companion.ui.toolkit.theme import TARGET


@pytest.fixture
def name(rehearsal):
    """The page on which a name is typed."""
    rehearsal.tap("new-race")
    rehearsal.tap("somebody")
    return rehearsal.app.screen.seating.typing


def test_touched_keys_write_a_name_with_capitals(rehearsal, name):
    for key in ("ż", "a", "b", "backspace", "n", "e", "t", "a", "space", "k", "shift", "b", "-", "c"):
        rehearsal.tap(f"key-{key}")
    assert name.text == "Żaneta KB-C"
    assert "Żaneta KB-C" in rehearsal.words()


def test_keys_show_whether_the_next_letter_is_a_capital(rehearsal, name):
    assert "Q" in rehearsal.words()
    rehearsal.tap("key-q")
    assert "w" in rehearsal.words()
    assert "W" not in rehearsal.words()
    rehearsal.tap("key-shift")
    assert "W" in rehearsal.words()


def press(rehearsal, code, text=""):
    """A key as the window tells of it: first the key, then what it wrote, if anything."""
    character = chr(code) if code < 0x110000 else None  # Kivy names one for every key, whatever it is
    rehearsal.app._key(Window, code, 0, character, [])
    if text:
        Window.dispatch("on_textinput", text)


def test_a_real_keyboard_does_the_same(rehearsal, name, monkeypatch):
    press(rehearsal, ord("l"), "l")
    press(rehearsal, ord("u"), "u")
    monkeypatch.setattr(type(Window), "modifiers", ["alt"])
    press(rehearsal, ord("l"), "l")
    monkeypatch.setattr(type(Window), "modifiers", ["shift"])
    press(rehearsal, ord("x"), "X")
    monkeypatch.setattr(type(Window), "modifiers", [])
    press(rehearsal, 8)
    press(rehearsal, 273)
    press(rehearsal, ord("z"), "ż")
    assert name.text == "Lułż"
    press(rehearsal, 13)
    assert [person.name for person in rehearsal.app.screen.people] == ["Lułż"]


@pytest.mark.parametrize(
    "code", [304, 303, 301, 306, 305, 308, 307, 309, *range(282, 292), 293, 9, 127, 273, 1073741907]
)
def test_keys_that_write_nothing_type_nothing(rehearsal, name, code):
    """Shift, Caps, Ctrl, Alt, function keys, Tab, Delete, arrows."""
    press(rehearsal, ord("a"), "a")
    press(rehearsal, code)
    assert name.text == "A"


def test_a_letter_with_ctrl_is_no_letter(rehearsal, name, monkeypatch):
    monkeypatch.setattr(type(Window), "modifiers", ["ctrl"])
    press(rehearsal, ord("a"), "a")
    assert name.text == ""


def test_escape_only_puts_the_keyboard_away(rehearsal, name):
    rehearsal.app._key(Window, 27, 0, "\x1b", [])
    rehearsal.settle()
    assert rehearsal.app.screen.name == "new"
    assert "somebody" in rehearsal.taps()
    rehearsal.app._key(Window, 27, 0, "\x1b", [])
    assert rehearsal.app.screen.name == "home"


def test_no_more_is_typed_than_may_be(rehearsal):
    heard = []
    typing = Typing("abc", lambda: heard.append(typing.text), longest=4)
    typing.put("d")
    typing.put("e")
    assert (typing.text, heard) == ("abcd", ["abcd"])


@pytest.mark.parametrize("size", [80, 100, 150])
@pytest.mark.parametrize("units", [452, 560, 772])
@pytest.mark.parametrize(("sheet", "has"), [("name", POLISH), ("password", "aw7"), ("signs", "*\\~")])
def test_every_key_is_a_finger_wide_and_its_letter_whole(rehearsal, size, units, sheet, has):
    rehearsal.change(text_size=size)
    theme = rehearsal.app.theme
    typing = Typing(name=sheet == "name", password=sheet != "name")
    typing.signs = sheet == "signs"
    keyboard = Keyboard(typing, "Connect")
    width = theme.px(units)
    keyboard.place(0, 0, width, keyboard.fit(width))
    keys = [key for row in keyboard.rows for key, _ in row]
    assert set(has) < {key.key for key in keys}
    for key in keys:
        assert key.width >= theme.px(TARGET)
        assert key.height >= theme.px(TARGET)
        assert key.x >= 0
        assert key.right <= width + 1
        if isinstance(key.letter, Words):
            assert key.letter.widest_word() <= key.letter.width + 1
            assert key.letter.texture_size[1] <= key.height


def test_of_what_is_too_long_the_end_is_seen(rehearsal):
    typing = Typing()
    field = TextField(typing, "Name")
    field.place(0, 0, 200, field.fit(200))
    assert field.words.text == "Name"
    typing.put("Krzysztof Zygmunt Wyszyński")
    assert field.words.text.startswith("…")
    assert field.words.text.endswith("szyński")
    assert field.words.widest_word() <= field.words.width
