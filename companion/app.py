"""The app: one window, one desk behind it, and the screens people go to and come back from."""

from __future__ import annotations

import time
import traceback
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from kivy.animation import Animation
from kivy.app import App
from kivy.base import EventLoop, ExceptionHandler, ExceptionManager
from kivy.clock import Clock
from kivy.core.window import Window
from kivy.graphics import Color, Rectangle
from kivy.uix.widget import Widget
from msgspec.structs import replace

from companion.core.deed_words import whole_deed
from companion.core.game import Game
from companion.core.parting import Parting
from companion.core.scans import Offer
from companion.core.understand import Choose
from companion.core.words import Text, count, say
from companion.errors import Trouble
from companion.table import requests, standing
from companion.table import settings as settings_file
from companion.table.background import beside, clerk
from companion.table.camera_feed import NONE, CameraFeed
from companion.table.daily_backup import DailyBackup
from companion.table.desk import AtOnce, Changed, Desk, Event, RulesParted
from companion.table.error_log import keep_falls, write_down
from companion.table.proposals import Failed, Heed, Outcome, PlayNow, Seen, TakeBack
from companion.table.readiness import make_ready
from companion.table.settings import Settings, settings_path
from companion.table.voice import Voice
from companion.table.watchdog import Watchdog
from companion.ui import dialogs, reveals
from companion.ui.buttons import Buttons
from companion.ui.foreground import Foreground
from companion.ui.guide import Guide
from companion.ui.panel_side import PanelSide
from companion.ui.screens import SCREENS
from companion.ui.start import take_turns, tidy_up_ourselves
from companion.ui.tidying import Tidying
from companion.ui.toolkit.fact_page import FactPage
from companion.ui.toolkit.finger_place import FingerPlace
from companion.ui.toolkit.geometry import walk
from companion.ui.toolkit.kit import Part, Scroll, rgba
from companion.ui.toolkit.layouts import AppStage, Layouts, Target
from companion.ui.toolkit.look import Look, look_for
from companion.ui.toolkit.screen import Asked, Screen
from companion.ui.toolkit.simulated_panel import KEY
from companion.ui.toolkit.sound import Sounds
from companion.ui.toolkit.touches import Touches

F11 = 292
"""Kivy's number of the key that fills the display, or stops doing so."""

TICK = 0.1
LONGEST_TOUCH = 1.5
"""Seconds for which a finger on the screen keeps it as it is."""


class CompanionApp(App):
    """Shows screens; `go` and `back` move between them, `refresh` builds the one that is shown anew."""

    title = "Tabletop companion"

    def __init__(self, folder: Path, lookout: CameraFeed, clock: Callable[[], float] = time.time) -> None:
        super().__init__()
        make_ready()
        self.lookout = lookout
        self.voice = Voice()
        self.beside = beside(self.post)
        self.touches = Touches()
        self.layouts = Layouts()
        self.tidying = Tidying()
        self.watchdog = Watchdog()
        self.daily = DailyBackup(self.beside, self.tell)
        self.panel = PanelSide(self)
        self.demonstrate_game: Callable[[Game], Any] | None = None
        """How somebody new is shown a whole game by bots; none where nobody can show it."""
        self.first_screen = "home"
        """Where people come home to."""
        self.page_built: Callable[[], Any] = lambda: None
        """Called whenever what is shown was built anew."""
        self._refresh_soon = Clock.create_trigger(lambda _: self._refresh_for_frame(), -1)
        """Six seats may press at once, and be refused: their sentences need one screen, with this frame."""
        self._scrolled: dict[str, float] = {}
        self.finger_place = FingerPlace()
        self._away: tuple[Desk, Path, CameraFeed, Callable[[], Any]] | None = None
        """People's own table, while they visit another one."""
        self.sit_down(folder, clock)
        self.look: Look = look_for(self.desk.settings, 800, 480)

    def sit_down(self, folder: Path, clock: Callable[[], float]) -> None:
        """Begin with the journal and the settings of this folder, and no screen yet."""
        self.folder = folder
        self.desk = Desk(clerk(folder / "journal.db", self.post), folder / "settings.json", clock)
        self.desk.listen(self._heard)
        self.buttons = Buttons(self)
        self.look_through(self.lookout)
        self._heeded: Heed | None = None
        self.stack: list[Screen] = []
        self.guide: Guide | None = None
        """What a demonstration shows besides its page, while one is on."""
        self.holder: int | None = None
        """The seat that holds a card up, where somebody knows."""
        self.front = Foreground(self)
        self.half_told: dict[object, FactPage] = {}
        """Pages somebody began to fill at the table, by what they are about."""
        self._late: float | None = None
        self._guiding: Part | None = None
        self._below = 0.0
        """How much of the window simulated buttons take."""
        self.room = float(Window.height)
        """How high the window is without what stands below every page."""
        self._built = 0
        self.entries = 0
        """How many entries the play had when the screen was built last."""

    def visit(self, folder: Path, lookout: CameraFeed, camera: str, left: Callable[[], Any]) -> None:
        """Sit down at another table until people come home: then their own is as it was, and `left` is called."""
        self.screen.leave()
        self.lookout.watch(NONE)  # nobody waits here for one that is only being opened, or is silent
        own, self._away = self.desk, (self.desk, self.folder, self.lookout, left)
        self.lookout = lookout
        self.sit_down(folder, own.clock)
        self.desk.settings = replace(own.settings, camera=camera, language=own.language)
        self.stack = [SCREENS[self.first_screen](self)]
        self.lookout.watch(camera)

    def _come_back(self, own: Desk, folder: Path, lookout: CameraFeed, left: Callable[[], Any]) -> None:
        self._away = None
        self.lookout.stop()
        self.desk.clerk.stop()
        self.desk, self.folder, self.lookout = own, folder, lookout
        self.buttons, self.guide, self.holder = Buttons(self), None, None
        self.front, self._heeded, self.half_told = Foreground(self), None, {}
        self.stack = [SCREENS[self.first_screen](self)]
        self.lookout.watch(own.settings.camera)
        left()

    def look_through(self, lookout: CameraFeed) -> None:
        """Let what comes before this camera in from now on."""
        self.lookout, desk = lookout, self.desk
        lookout.listen(lambda: desk.look(lookout))

        def settings_changed(event: AtOnce) -> None:
            if isinstance(event, Settings):
                lookout.mark_spot(event.spot)

        desk.listen_at_once(settings_changed)

    def show(self, first: Callable[[CompanionApp], Any], language: str | None = None) -> None:
        """Be there until the window is closed; `language` is what people asked for this time only."""
        if language is not None:
            self.desk.for_now(language=language)
        self.bind(on_start=lambda _: first(self))
        self.bind(on_start=lambda _: tidy_up_ourselves())
        take_turns()
        self.run()

    # Kivy's side

    def build(self) -> Widget:
        for first in list(Window.children):  # shown until now
            Window.remove_widget(first)
        self.stage = AppStage()
        with self.stage.canvas.before:
            self._ground = Color(*rgba("ground"))
            self._sheet = Rectangle()
        Window.bind(
            on_resize=lambda *_: self.refresh(),
            on_key_down=self._key,
            on_textinput=lambda _, text: self._text(text),
            on_key_up=lambda _, code, *more: self.panel.key(code, False),
        )
        _follow_the_last_size()
        ExceptionManager.add_handler(_Fallen(self))
        Clock.schedule_interval(lambda _: self.tick(), TICK)
        self.go(self.first_screen)
        if requests.may_ask() and not (self.folder / "settings.json").exists():
            self.go("welcome")
        self.desk.look_up_plays()
        self.lookout.watch(self.desk.settings.camera)
        if (unread := settings_file.problem(self.folder / "settings.json")) is not None:
            self.tell(unread, "refused", trouble=True)
        Clock.schedule_once(
            lambda _: Clock.schedule_once(lambda _: self.watchdog.ready())
        )  # a frame was drawn
        return self.stage

    def come_back(self) -> None:
        """Open the play that stood open when the program fell, if one did."""
        desk = self.desk
        if (told := standing.come_back(self.folder, desk.clock(), desk.resume)) is not None:
            self.tell(say(told))
            Clock.schedule_once(lambda _: desk.survived(), standing.SOON)

    def power_off(self) -> None:
        """Stop, and switch the machine off if it is ours to switch off."""
        self.stop()
        self.panel.powered_off()

    def on_stop(self) -> None:
        self.watchdog.stopping()
        self.panel.stop()
        self.voice.speech.hush()
        self.lookout.stop()
        self.desk.clerk.stop()
        standing.closed(self.folder)

    @property
    def demonstrate(self) -> Callable[[], Any] | None:
        """The way to the demonstrations, if there are any."""
        return None if self.demonstrate_game is None else lambda: self.go("demonstrations")

    def post(self, job: Callable[[], None]) -> None:
        """Do this in the window's thread, with the next frame; any thread may ask."""
        Clock.schedule_once(lambda _: job())

    # Moving between screens

    @property
    def screen(self) -> Screen:
        """The screen people see."""
        return self.stack[-1]

    def go(self, name: str, **how: Any) -> None:
        """Show a screen; `back` comes back to this one."""
        if self.stack:
            self.screen.leave()
        self.stack.append(SCREENS[name](self, **how))
        self._arrive()

    def back(self) -> None:
        """Go to where people came from; a window that shows demonstrations only is closed from its first page."""
        if len(self.stack) == 1 and self.first_screen != "home":
            self.stop()
            return
        if len(self.stack) > 1:
            self.stack.pop().leave()
        self._arrive()

    def lead_home(self) -> None:
        """From this screen `back` leads home: those people came by belong to a play that is put aside."""
        self.stack = [SCREENS["home"](self), self.screen]

    def home(self, *path: str) -> None:
        """Go home, and from there along these screens."""
        self.screen.leave()
        self.stack = [SCREENS[self.first_screen](self), *(SCREENS[name](self) for name in path)]
        self._arrive()

    def _arrive(self) -> None:
        self.front.asked = None
        self.finger_place.forget()
        self.front.close_all()
        if self._away is not None and len(self.stack) == 1:
            self._come_back(*self._away)
        self.screen.enter()
        self.lookout.wait_for_scan(self.screen.scans or self.screen.looks)
        self.refresh()
        page = self.stage.children[-1] if self.stage.children else None
        if page is not None:
            page.opacity = 0.0
            Animation(opacity=1.0, duration=0.15).start(page)

    def refresh(self) -> None:
        """Build the screen anew from what is true now."""
        if not self.stack or self._finger_down():
            return
        self._refresh_soon.cancel()
        self.layouts.changes(self.stage, self.screen.name)
        self._scrolled = {part.key: part.scroll_y for part in _scrolls(self.stage)}
        self._built += 1
        now = self.desk.play
        self.desk.seen = None if now is None else Seen(now.session, asked=now.questions)
        self.entries = 0 if self.desk.seen is None else self.desk.seen.session.entries
        width, height = Window.size
        self.look = look_for(self.desk.settings, width, height / self.panel.taller)
        self._ground.rgba = rgba("ground")
        self._sheet.pos, self._sheet.size = (0, 0), (width, height)
        self.stage.size = (width, height)
        for part in self.stage.children:
            Animation.cancel_all(part)  # it would keep a page that nobody sees
        self.stage.clear_widgets()
        self.tidying.busy()
        pad = self.look.px(self.screen.margin)
        strip = self.panel.build(width, pad)
        self._below = 0.0 if strip is None else strip.height + pad
        low = self._below + (0.0 if self.guide is None or not self.guide.shown else self.guide.height + pad)
        self.room = height - low
        page = self.screen.build()
        page.place(pad, pad + low, width - 2 * pad, height - 2 * pad - low)
        self.stage.add_widget(page)
        if strip is not None:
            self.stage.add_widget(strip)
        self._put_guide(pad)
        for part in _scrolls(self.stage):
            part.stand(self._scrolled.get(part.key, 1.0))
            self.finger_place.keep(part)
        self.show_before()

    def _put_guide(self, pad: float) -> None:
        self._guiding = None
        if self.guide is not None and self.guide.shown:
            self._guiding = self.guide.strip()
            self._guiding.place(pad, pad + self._below, Window.width - 2 * pad, self.guide.height)
            self.stage.add_widget(self._guiding)

    def show_guide(self) -> None:
        """Show what the demonstration tells now; the page stays as it is."""
        if self._guiding is not None and not self._finger_down():
            self.stage.remove_widget(self._guiding)
            self._put_guide(self.look.px(self.screen.margin))
            self.show_before()

    def _refresh_for_frame(self) -> None:
        self.refresh()
        if self._late is not None:  # a finger keeps the screen as it is, but not what stands before it
            self.show_before()

    def _finger_down(self) -> bool:
        """Whether somebody touches the screen: what they touch must not vanish under the finger.

        A simulated button is no part of the screen: while it is held, the screen shows what that does.
        """
        touched = any(event.is_touch and KEY not in event.ud for event in EventLoop.touches)
        if touched and self._late is None:
            self._late = Clock.get_time()
        if not touched or (self._late is not None and Clock.get_time() - self._late > LONGEST_TOUCH):
            self._late = None
            return False
        return True

    def touched_too_soon(self, touch: Any, target: Target) -> None:
        """Somebody touched what has just come there: say so, unless it is the second half of a double touch."""
        if not self.touches.again(touch, str(target[1]), target[2:]):
            self.tell(say("ui.just-changed"), "refused")

    def show_before(self) -> None:
        """Show what stands before the screen, and heed cards as that wants."""
        self.front.show()
        if self._heed() != self._heeded:
            self.post(self.heed)  # after what was chosen is proposed: cards that wait come after it

    # What the desk tells

    def _heard(self, event: Event) -> None:
        match event:
            case Outcome():
                self._came(event)
            case PlayNow():
                self.front.begin_anew()
                self.home("table")
            case RulesParted(id, parting):
                self._parted(id, parting)
            case Changed():
                self.refresh()
            case Trouble():
                self.tell(event.text, "refused", trouble=True)

    def _came(self, outcome: Outcome) -> None:
        """What came of a signal is heard, told and shown."""
        self.voice.outcome(self.desk, outcome)
        if outcome.changed:
            self.front.trouble_is_over()
        if isinstance(outcome.meaning, Offer):
            self.front.put_forward(outcome.meaning)
        told_there = self.screen.tells_of(outcome)
        if isinstance(choice := outcome.meaning, Choose):
            self._heeded = None  # the door heeds no card until it is told to again
            self.ask(partial(dialogs.which_one, self.desk, choice, Seen(outcome.session)))
        elif outcome.text is not None and not told_there:
            self.front.put(outcome.text, outcome.how, isinstance(outcome.meaning, Failed), outcome.seat)
        if outcome.changed and reveals.worth_a_moment(self, outcome):
            self.front.begin_moment()
        if outcome.changed or (outcome.text is not None and self.screen.tells):
            self._refresh_soon()  # once for all that came of the last frame
        if not outcome.changed:
            self.show_before()
        if isinstance(outcome.signal, TakeBack):
            self.buttons.options(outcome.signal.seat)

    def _heed(self) -> Heed:
        """What becomes of cards before the camera: elsewhere than at the table they wait, and while a question of
        the app stands before it."""
        if self.screen.looks and not self.screen.scans:
            return Heed("never")
        if self.desk.play is None or self.asked is not None or not self.screen.scans:
            return Heed("later")
        return Heed("now", self.shown_by())

    def shown_by(self) -> int | None:
        """The seat whose cards come before the camera, if somebody knows."""
        return self.screen.seat_before_it if self.holder is None else self.holder

    def heed(self) -> None:
        """Tell the door what becomes of cards from now on, if that is something else."""
        if self.stack and self._heed() != self._heeded:
            self._heeded = self._heed()
            self.desk.heed(self._heeded)

    # Telling and asking

    def tell(self, text: Text, how: str = "info", trouble: bool = False) -> None:
        """A sentence that goes away by itself, with its sound."""
        self.voice.hear(self.desk, how, text)
        self.front.tell(text, how, trouble)

    @property
    def told(self) -> tuple[str, str] | None:
        """The sentence that is shown, in the language people read now, and how it went."""
        return self.front.told

    def ask(self, asking: Callable[[], Asked]) -> None:
        """A question of the app; it goes away when it is answered, and is put anew in another language or size."""
        self.front.ask(asking)

    @property
    def asked(self) -> Asked | None:
        """The app's question that is open."""
        return self.front.asked

    def dismiss(self) -> None:
        """Take the app's question or sentence away."""
        self.front.dismiss()

    def undo(self) -> None:
        """Take back the last thing somebody did, whole; nobody is asked, for redo stands beside it."""
        session = self.desk.session
        if not session.last_deed:
            self.tell(count("core.nothing-to-undo", 0), "refused")
            return
        self.desk.undo()
        first, last = len(session.moments) - session.last_deed, len(session.moments) - 1
        self.tell(say("ui.takes-back", what=whole_deed(session, first, last)))

    def redo(self) -> None:
        """Do the first thing again that was taken back, and say what it was."""
        session = self.desk.session
        if not session.ahead:
            self.tell(count("core.nothing-to-redo", 0), "refused")
            return
        whole = replace(session, moments=(*session.moments, *session.ahead), ahead=())
        first = len(session.moments)
        self.desk.redo()
        self.tell(say("ui.does-again", what=whole_deed(whole, first, first + session.next_deed - 1)))

    def _parted(self, id: int, parting: Parting) -> None:
        """Today's rules part from a play: show the result it had, or ask whether to go on from there."""
        if parting.sheet is not None:
            self.go("score", sheet=parting.sheet, note=parting.text)
        else:
            self.ask(lambda: dialogs.go_on_from_there(self.desk, id, parting))

    # What happens by itself

    def tick(self) -> None:
        """Some ten times a second."""
        self.watchdog.tick(self.desk.clerk)
        built = self._built
        if self._late is not None:
            self.refresh()
        self.front.tick()
        self.panel.tick()
        self.screen.tick()
        if self.desk.settings.daily_backup and self._away is None:
            self.daily.tick(self.folder / "journal.db", self.desk.clock())
        if self._built == built:  # one of both is enough for one frame
            self.tidying.between_frames()

    def _key(self, window: Any, code: int, scan: int, character: str | None, modifiers: list[str]) -> bool:
        if code == 27:  # Escape: the same as the arrow at the top
            if self.asked is not None:
                self.dismiss()
            elif self.front.sheet is not None:
                self.front.close()
            elif not self.screen.typed(str(code), None):
                self.back()
            return True
        if code == F11:
            Window.fullscreen = False if Window.fullscreen else "auto"
            return True
        if self.screen.typed(str(code), None):
            return True
        return self.panel.key(code, True)

    def _text(self, text: str) -> None:
        """What a real keyboard wrote: with its layout, and nothing for keys that write nothing."""
        if self.asked is None:
            for character in text:
                self.screen.typed("", character)

    # When something breaks

    def fallen(self, error: BaseException) -> None:
        """A screen broke: the play is in the journal, so say so and offer to go on."""
        write_down(self.folder, "".join(traceback.format_exception(error)))
        self.stack = [SCREENS["home"](self), SCREENS["broken"](self)]
        self.front.forget()
        self.refresh()


def _scrolls(widget: Widget) -> list[Scroll]:
    return [part for part in walk(widget) if isinstance(part, Scroll)]


def _follow_the_last_size() -> None:
    """While somebody drags its edge, a window has many sizes. Kivy would draw a frame for each and set the window
    back to it meanwhile; without that it looks at the size the window really has, ten times a second."""
    usual = Window._event_filter
    Window._win.set_event_filter(lambda what, *more: 1 if what == "windowresized" else usual(what, *more))


class _Fallen(ExceptionHandler):
    def __init__(self, app: CompanionApp) -> None:
        self.app = app

    def handle_exception(self, exception: BaseException) -> Any:
        if not isinstance(exception, Exception) or isinstance(self.app.screen, SCREENS["broken"]):
            return ExceptionManager.RAISE
        self.app.fallen(exception)
        return ExceptionManager.PASS


def run(
    first: Callable[[CompanionApp], Any] | None = None,
    language: str | None = None,
    panel: bool = False,
    camera: str | None = None,
    demonstrate: Callable[[CompanionApp, Game], Any] | None = None,
) -> int:
    """Open the window and stay until it is closed; `camera` is the one for this time. If nobody wants something done
    `first`, it opens where it was when it fell."""
    keep_falls(settings_path().parent)
    app = CompanionApp(settings_path().parent, CameraFeed(time.monotonic))
    if demonstrate is not None:
        app.demonstrate_game = partial(demonstrate, app)
    if camera is not None:
        app.desk.for_now(camera=camera)
    sounds = Sounds(app.folder / "sounds", lambda: app.desk.settings)
    app.voice.sound, app.voice.can_play = sounds, sounds.can_play

    def begin(app: CompanionApp) -> None:
        app.panel.connect(panel)
        if first is not None:
            first(app)
        else:
            app.come_back()

    app.show(begin, language)
    return 0
