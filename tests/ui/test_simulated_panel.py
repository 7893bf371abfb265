"""The simulated panel on the screen: fingers and keys move bouncing contacts, and the lamps respond."""

from pathlib import Path

import pytest
from kivy.core.window import Window
from msgspec.structs import replace

from companion.core.lamps import numbers
from companion.table.marks import light
from companion.table.panel_setup import imagined
from companion.table.settings import SOUNDS
from devices.segment_displays import number
from devices.simulator import Simulator
from devices.speech import Speech
from workshop.screens.checks import problems
from workshop.screens.rehearsal import Finger, Rehearsal

DARK = (0.0, 0.0, 0.0)
SEATS = ("Ania", "Bartek", "Celina")
BROKEN = 0x70
"""The address of the first seat's counter."""


HELD = 4
"""How often a key that is held comes."""


class Beside:
    """The app with the strip, and time that only passes when somebody says so."""

    def __init__(self, rehearsal: Rehearsal) -> None:
        self.r, self.at = rehearsal, 1000.0
        self.app = rehearsal.app
        self.simulator = self.app.panel.simulator = Simulator(imagined(), self.at)
        self.panel = self.app.panel.attach(self.simulator, lambda: self.at)
        self.app.refresh()

    def let(self, seconds: float) -> None:
        """Time passes; whatever is due happens."""
        end = self.at + seconds
        while True:
            due = self.panel.due
            self.at = end if due is None else min(end, max(self.at, due))
            self.panel.step(self.at)
            self.app.desk.clerk.settle()
            if self.at >= end:
                break
        self.r.settle()
        self.panel.step(self.at)
        self.r.settle()

    def down(self, who) -> Finger:
        finger = Finger(*self.r.middle(self.app.panel.strip.keys[who]))
        self.r._dispatch("begin", finger)
        return finger

    def up(self, finger: Finger) -> None:
        self.r._dispatch("end", finger)

    def touch(self, who, seconds: float = 0.12, then: float = 0.5) -> None:
        finger = self.down(who)
        self.let(seconds)
        self.up(finger)
        self.let(then)

    def key(self, code: int, seconds: float = 0.12, then: float = 0.5) -> None:
        self._press(code)
        for _ in range(HELD - 1):  # a key that is held repeats itself
            self.let(seconds / (HELD - 1))
            self._press(code)
        Window.dispatch("on_key_up", code, 0)
        self.let(then)

    def _press(self, code: int) -> None:
        Window.dispatch("on_key_down", code, 0, chr(code) if code < 128 else None, [])
        if code < 128:
            Window.dispatch("on_textinput", chr(code))

    @property
    def session(self):
        return self.app.desk.session


@pytest.fixture
def beside(rehearsal):
    beside = Beside(rehearsal)
    yield beside
    rehearsal.app.panel.seats = rehearsal.app.panel.simulator = rehearsal.app.panel.strip = None
    rehearsal.app.panel.unwired = ()
    beside.panel.stop()


@pytest.fixture
def easy(rehearsal, beside):
    """A play in which one seat is asked and has a usual answer."""
    rehearsal.play("race", SEATS, seed=3)
    rehearsal.play_until(
        lambda s: len(s.questions()) == 1 and s.questions()[0].has_default and not s.questions()[0].secret
    )
    beside.let(4.0)
    return beside.session.questions()[0]


def test_a_finger_on_a_key_answers_and_the_lamps_follow(rehearsal, beside, easy):
    before = beside.session
    colours = dict(enumerate(map(light, beside.app.desk.marks())))
    lights = {seat: key.light for seat, key in beside.app.panel.strip.keys.items() if isinstance(seat, int)}
    assert set(lights) == {0, 1, 2}
    assert lights[easy.seat] == pytest.approx(colours[easy.seat], abs=0.01)
    assert [seat for seat, light in lights.items() if light != DARK] == [easy.seat]
    beside.touch(easy.seat)
    assert beside.session.entries == before.entries + 1
    assert beside.session.last.deed.answer.option == easy.default.id
    beside.let(4.0)
    waited = {q.seat for q in beside.session.questions()}
    keys = beside.app.panel.strip.keys
    assert {seat for seat in range(3) if keys[seat].light != DARK} == waited
    shown = [digits.words.text for digits in beside.app.panel.strip.counters.values()]
    assert shown == [number(n) for n in numbers(beside.session)]


def test_a_resting_finger_shows_the_place_even_if_the_strip_is_rebuilt(beside, easy):
    finger = beside.down(1)
    beside.let(1.0)
    assert beside.app.front.sheet.seat == 1
    assert any("BARTEK" in words for words in beside.r.words())
    beside.up(finger)
    beside.let(0.5)
    assert beside.app.front.sheet.seat == 1, "letting go says nothing more"
    beside.touch(1, 1.0)
    assert beside.app.front.sheet is None


def test_two_quick_touches_take_back_and_show_the_options(beside, easy):
    before = beside.session.state
    beside.touch(easy.seat, 0.1, 0.1)
    beside.touch(easy.seat, 0.1, 0.5)
    assert beside.session.state == before
    assert (beside.app.screen.name, beside.app.screen.seat) == ("choose", easy.seat)


def test_the_knob_turns_to_an_option_and_its_button_gives_it(beside, easy):
    assert len(easy.options) > 1
    turn = next(part for part in beside.app.panel.strip.walk() if getattr(part, "name", "") == "turn-1")
    for _ in range(2):
        beside.r.touch(*beside.r.middle(turn))
        beside.let(0.3)
        turn = next(part for part in beside.app.panel.strip.walk() if getattr(part, "name", "") == "turn-1")
    assert beside.app.buttons.turned_to(easy) == 1
    beside.touch("next")
    assert beside.session.last.deed.answer.option == easy.options[1].id


def test_keys_of_a_keyboard_are_buttons(beside, easy):
    before = beside.session
    beside.key(ord("1") + easy.seat)
    assert beside.session.entries == before.entries + 1
    beside.key(ord("u"))
    assert beside.session.state == before.state
    beside.key(275)
    beside.key(275)
    beside.key(276)
    turned = (HELD - 1) % len(easy.options)
    assert beside.app.buttons.turned_to(easy) == turned
    first = len(beside.session.moments)
    beside.key(ord("n"))
    assert beside.session.moments[first].entry.deed.answer.option == easy.options[turned].id


def test_keys_are_letters_where_text_is_typed(beside, easy):
    before = beside.session
    beside.app.go("choose", seat=easy.seat)
    beside.r.settle()
    beside.key(ord("1") + easy.seat)
    beside.key(ord("u"))
    assert beside.app.screen.typing.text.lower() == HELD * str(1 + easy.seat) + HELD * "u"
    assert beside.session is before
    assert beside.app.asked is None


def test_what_somebody_turned_to_is_forgotten_once_something_is_answered(beside, easy):
    beside.key(275)
    beside.key(275)
    assert beside.app.buttons.turned_to(easy) == (2 * HELD - 1) % len(easy.options)
    beside.touch(easy.seat)
    beside.app.desk.undo()
    beside.let(0.1)
    assert beside.session.questions()[0] == easy
    assert beside.app.buttons.turned_to(easy) is None


# Settings


def test_what_counters_show_is_chosen(beside, easy):
    beside.app.go("settings", section="devices")
    beside.let(0.1)
    beside.r.tap("counter-hand")
    beside.let(0.1)
    hands = [seat.numbers[0].value for seat in beside.session.game.view(beside.session.state).seats]
    assert [beside.simulator.counters()[n] for n in range(3)] == [number(hand) for hand in hands]
    assert beside.simulator.counters()[3].strip() == "", "nobody sits there"
    beside.r.tap("counter-points")
    beside.let(0.1)
    assert [beside.simulator.counters()[n] for n in range(3)] == [number(n) for n in numbers(beside.session)]


def test_without_a_play_counters_are_blank_and_lamps_dark(beside, easy):
    beside.app.home()
    beside.app.desk.leave()
    beside.let(0.1)
    assert {text.strip() for text in beside.simulator.counters().values()} == {""}
    assert set(beside.simulator.lamps().values()) == {DARK}


def test_trying_out_lights_lamps_and_presses_only_show(beside, easy):
    before = beside.session
    beside.app.go("settings", section="devices")
    beside.let(0.1)
    beside.r.tap("devices-try")
    beside.let(0.1)
    assert set(beside.simulator.lamps().values()) == {DARK}
    for seat in range(6):
        beside.r.tap("try-lamp")
        beside.let(0.05)
        assert [n for n, light in beside.simulator.lamps().items() if light != DARK] == [seat]
    beside.r.tap("try-counter")
    beside.let(0.05)
    assert set(beside.simulator.counters().values()) == {"8888"}
    beside.r.tap("try-buzzer")
    beside.panel.step(beside.at)
    assert beside.simulator.pitch() > 0
    beside.touch(easy.seat)
    assert beside.session is before
    assert any(easy_name(easy) in words and "pressed" in words for words in beside.r.words())
    assert [n for n, light in beside.simulator.lamps().items() if light != DARK] == [easy.seat]
    beside.touch("undo")
    assert "Undo button: pressed" in beside.r.words()
    assert beside.app.asked is None
    beside.r.tap("back")
    beside.let(0.1)
    assert beside.panel.trial is None
    assert [n for n, light in beside.simulator.lamps().items() if light != DARK] == [easy.seat]
    beside.touch(easy.seat)
    assert beside.session.entries == before.entries + 1


def easy_name(question) -> str:
    return f"Seat {question.seat + 1} ({SEATS[question.seat]})"


def test_a_counter_that_is_gone_is_a_sign_on_the_table_and_goes_when_it_is_back(beside, easy):
    assert "out-of-order" not in beside.r.taps()
    beside.simulator.lines.gone.add(BROKEN)
    beside.let(6.0)
    beside.r.tap("out-of-order")
    assert any("seat 1, counter does not work" in words for words in beside.r.words())
    beside.r.tap("choice-0")
    assert any("seat 1, counter does not work" in words for words in beside.r.words())
    beside.simulator.lines.gone.clear()
    beside.let(6.0)
    assert "Everything works, as far as we can tell." in beside.r.words()
    beside.app.home("table")
    assert "out-of-order" not in beside.r.taps()


def test_a_wiring_nobody_can_read_is_told_and_touch_goes_on(rehearsal, monkeypatch):
    monkeypatch.setenv("COMPANION_HOME", str(rehearsal.app.folder))
    (rehearsal.app.folder / "table.toml").write_text("[[seat]]\nbuton = 3\n")
    try:
        rehearsal.app.panel.connect(simulate=False)
        assert rehearsal.app.panel.seats is None
        assert len(rehearsal.app.panel.complaints()) > 1
        rehearsal.play("race", SEATS)
        rehearsal.app.dismiss()
        rehearsal.tap("out-of-order")
        assert any("Did you mean button?" in words for words in rehearsal.words())
    finally:
        rehearsal.app.panel.unwired = ()


def test_nothing_is_wired(rehearsal):
    rehearsal.app.go("settings", section="devices")
    rehearsal.settle()
    assert "No buttons and no lamps are connected." in rehearsal.words()
    assert any("table.toml" in words for words in rehearsal.words())
    assert "devices-try" not in rehearsal.taps()


def test_speech_is_offered_only_where_it_is_installed(rehearsal):
    said = []

    class Voice:
        def poll(self):
            return 0

        def kill(self):
            pass

    rehearsal.app.go("settings", section="sound")
    rehearsal.app.voice.speech = Speech(found=None)
    rehearsal.app.voice.speech._program = None
    rehearsal.app.refresh()
    rehearsal.settle()
    assert any("espeak-ng" in words for words in rehearsal.words())
    assert "spoken-turn" not in rehearsal.taps()
    rehearsal.app.voice.speech = Speech(lambda command: said.append(command) or Voice(), "espeak-ng")
    rehearsal.app.refresh()
    rehearsal.settle()
    rehearsal.tap("spoken-turn")
    rehearsal.tap("spoken-refused")
    assert rehearsal.app.desk.settings.spoken == ("refused", "turn")
    rehearsal.tap("spoken-turn")
    assert rehearsal.app.desk.settings.spoken == ("refused",)
    rehearsal.play("race", SEATS, answers=60)
    for kind in SOUNDS:
        rehearsal.app.desk.settings = replace(rehearsal.app.desk.settings, spoken=(kind,))
        said.clear()
        rehearsal.app.voice.hear(rehearsal.app.desk, kind)
        if kind in ("accepted", "known", "refused"):
            assert said == [], "a sound without a sentence says nothing"
    rehearsal.app.voice.speech = Speech()


@pytest.mark.parametrize("language", ["en", "pl"])
@pytest.mark.parametrize("text_size", [100, 150])
def test_readable(beside, easy, tmp_path: Path, language, text_size):
    picture = tmp_path / "screen.png"
    beside.simulator.lines.gone.add(BROKEN)
    beside.let(6.0)
    beside.app.panel.simulator = None  # the screen as it is with real parts; the strip needs a higher window
    beside.r.change(language=language, text_size=text_size)
    beside.r.shoot(picture)
    assert problems(beside.app, picture) == []
    beside.app.go("settings", section="devices")
    beside.r.settle()
    for tap in ("devices-try", "try-counter", "try-lamp"):
        beside.r.tap(tap)
        beside.r.shoot(picture)
        assert problems(beside.app, picture) == [], tap
    beside.app.voice.speech = Speech(found="espeak-ng")
    beside.app.screen._go("sound")
    beside.r.settle()
    for tap in ("hear-over", "spoken-over"):
        beside.r.reveal(beside.r.taps()[tap])
        beside.r.shoot(picture)
        assert problems(beside.app, picture) == [], tap
    beside.app.voice.speech = Speech()
