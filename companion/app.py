"""The app: one window, the desk behind it, and the screens people navigate."""

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
from companion.core.replay_divergence import Divergence
from companion.core.scans import Offer
from companion.core.understand import Choose
from companion.core.words import Text, count, say
from companion.errors import Trouble
from companion.table import open_play, requests
from companion.table import settings as settings_file
from companion.table.background import clerk, thread_pool
from companion.table.camera_feed import NONE, CameraFeed
from companion.table.daily_backup import DailyBackup
from companion.table.desk import AtOnce, Changed, Desk, DeskEvent, RulesDiverged
from companion.table.error_log import keep_crashes, write_down
from companion.table.settings import Settings, settings_path
from companion.table.signals import Failed, Outcome, PlayNow, ScanMode, SeenState, TakeBack
from companion.table.voice import Voice
from companion.table.warm_up import warm_up
from companion.table.watchdog import Watchdog
from companion.ui import dialogs, reveals
from companion.ui.buttons import Buttons
from companion.ui.foreground import Foreground
from companion.ui.garbage_collection import GarbageCollection
from companion.ui.guide import Guide
from companion.ui.hall_on_screen import HallOnScreen
from companion.ui.panel_side import PanelSide
from companion.ui.phones_on_screen import PhonesOnScreen
from companion.ui.screens import SCREENS
from companion.ui.start import disable_automatic_gc, take_turns
from companion.ui.toolkit.face_pictures import PICTURES
from companion.ui.toolkit.fact_page import FactPage
from companion.ui.toolkit.finger_place import FingerPlace
from companion.ui.toolkit.geometry import walk
from companion.ui.toolkit.kit import Part, Scroll, rgba
from companion.ui.toolkit.layouts import AppStage, Layouts, Target
from companion.ui.toolkit.screen import AppQuestion, Screen
from companion.ui.toolkit.simulated_panel import KEY
from companion.ui.toolkit.sound import Sounds
from companion.ui.toolkit.theme import Theme, theme_for, use_theme
from companion.ui.toolkit.touches import Touches

F11 = 292
"""Kivy's key code of F11, which toggles full screen."""

TICK = 0.1
LONGEST_TOUCH = 1.5
"""Seconds for which a finger on the screen delays a refresh."""


ASLEEP = 2.0
"""If so many seconds are missing, the machine was asleep, or its clock was set."""


class CompanionApp(App):
    """Shows screens; `go` and `back` move between them, `refresh` rebuilds the current one."""

    title = "Tabletop companion"

    def __init__(
        self,
        folder: Path,
        camera_feed: CameraFeed,
        clock: Callable[[], float] = time.time,
        awake: Callable[[], float] = time.monotonic,
    ) -> None:
        """`awake` is a clock that stands still while the machine is asleep."""
        super().__init__()
        self._wall, self._awake = clock, awake
        self._ahead = clock() - awake()
        warm_up()
        self.camera_feed = camera_feed
        self.voice = Voice()
        self.thread_pool = thread_pool(self.post)
        self.touches = Touches()
        self.layouts = Layouts()
        self.garbage_collection = GarbageCollection()
        self.watchdog = Watchdog()
        self.daily = DailyBackup(self.thread_pool, self.tell)
        self.panel = PanelSide(self)
        self.phones = PhonesOnScreen(self)
        self.hall = HallOnScreen(self)
        self.demonstrate_game: Callable[[Game], Any] | None = None
        """Starts a demonstration of a whole game by bots; None if there are no demonstrations."""
        self.first_screen = "home"
        """The name of the home screen."""
        self.page_built: Callable[[], Any] = lambda: None
        """Called whenever the page was rebuilt."""
        self._refresh_soon = Clock.create_trigger(lambda _: self._refresh_for_frame(), -1)
        """Six seats may press at once and be refused: all their messages need only one refresh, in this frame."""
        self._scrolled: dict[str, float] = {}
        self._scrolled_in: Screen | None = None
        self.finger_place = FingerPlace()
        self._away: tuple[Desk, Path, CameraFeed, Callable[[], Any]] | None = None
        """People's own table, while they visit another one."""
        self.open_folder(folder, clock)
        self.theme = theme_for(self.desk.settings, 800, 480)

    @property
    def theme(self) -> Theme:
        """The current theme."""
        return self._theme

    @theme.setter
    def theme(self, theme: Theme) -> None:
        self._theme = theme
        use_theme(theme)

    def open_folder(self, folder: Path, clock: Callable[[], float]) -> None:
        """Start with the journal and the settings of this folder, without any screen yet."""
        self.folder = folder
        self.desk = Desk(clerk(folder / "journal.db", self.post), folder / "settings.json", clock)
        self.desk.listen(self._on_desk_event)
        self.buttons = Buttons(self)
        self.use_camera(self.camera_feed)
        PICTURES.use(folder, self.thread_pool.do, lambda: self._refresh_soon())
        self._told_mode: ScanMode | None = None
        self.stack: list[Screen] = []
        self.guide: Guide | None = None
        """What a demonstration shows besides its page, while one is running."""
        self.holder: int | None = None
        """The seat that holds a card up, if known."""
        self.shows_play = True
        """Whether outcomes are shown: a demonstration that is behind schedule shows fewer."""
        self.front = Foreground(self)
        self.half_told: dict[object, FactPage] = {}
        """Fact pages somebody began to fill in at the table, by their subject."""
        self._late: float | None = None
        self._guiding: Part | None = None
        self._below = 0.0
        """The height that simulated buttons take up in the window."""
        self.room = float(Window.height)
        """The height of the window without the strips below every page."""
        self._built = 0
        self.entries = 0
        """The number of entries in the play when the screen was last built."""

    def visit(self, folder: Path, camera_feed: CameraFeed, camera: str, left: Callable[[], Any]) -> None:
        """Switch to another table until people go home: then their own is as it was, and `left` is called."""
        self.screen.leave()
        self.camera_feed.watch(NONE)  # do not wait for a camera that is only being opened, or is silent
        own, self._away = self.desk, (self.desk, self.folder, self.camera_feed, left)
        self.camera_feed = camera_feed
        self.open_folder(folder, own.clock)
        self.desk.settings = replace(own.settings, camera=camera, language=own.language)
        self.stack = [SCREENS[self.first_screen](self)]
        self.camera_feed.watch(camera)

    def _end_visit(self, own: Desk, folder: Path, camera_feed: CameraFeed, left: Callable[[], Any]) -> None:
        self._away = None
        self.camera_feed.stop()
        self.desk.clerk.stop()
        self.desk, self.folder, self.camera_feed = own, folder, camera_feed
        PICTURES.use(folder, self.thread_pool.do, lambda: self._refresh_soon())
        self.buttons, self.guide, self.holder, self.shows_play = Buttons(self), None, None, True
        self.front, self._told_mode, self.half_told = Foreground(self), None, {}
        self.stack = [SCREENS[self.first_screen](self)]
        self.camera_feed.watch(own.settings.camera)
        left()

    def use_camera(self, camera_feed: CameraFeed) -> None:
        """Process what this camera sees from now on."""
        self.camera_feed, desk, folder = camera_feed, self.desk, self.folder
        camera_feed.listen(lambda: desk.take_camera_news(camera_feed))

        def settings_changed(event: AtOnce) -> None:
            if isinstance(event, Settings):
                camera_feed.mark_spot(event.spot)
            elif isinstance(event, PlayNow):
                camera_feed.know_faces(folder, event.session.game)

        desk.listen_at_once(settings_changed)

    def show(self, first: Callable[[CompanionApp], Any], language: str | None = None) -> None:
        """Run until the window is closed; `language` applies to this run only."""
        if language is not None:
            self.desk.for_now(language=language)
        self.bind(on_start=lambda _: first(self))
        self.bind(on_start=lambda _: disable_automatic_gc())
        take_turns()
        self.run()

    # Kivy's side

    def build(self) -> Widget:
        for first in list(Window.children):  # the first frame, shown while loading
            Window.remove_widget(first)
        self.stage = AppStage(self)
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
        ExceptionManager.add_handler(_Crashed(self))
        Clock.schedule_interval(lambda _: self.tick(), TICK)
        self.go(self.first_screen)
        if requests.may_ask() and not (self.folder / "settings.json").exists():
            self.go("welcome")
        self.desk.look_up_plays()
        self.camera_feed.watch(self.desk.settings.camera)
        if (unread := settings_file.problem(self.folder / "settings.json")) is not None:
            self.tell(unread, "refused", trouble=True)
        Clock.schedule_once(
            lambda _: Clock.schedule_once(lambda _: self.watchdog.ready())
        )  # a frame was drawn
        return self.stage

    def reopen_after_crash(self) -> None:
        """Reopen the play that was open when the program crashed, if any."""
        desk = self.desk
        if (told := open_play.reopen_after_crash(self.folder, desk.clock(), desk.resume)) is not None:
            self.tell(say(told))
            Clock.schedule_once(lambda _: desk.forget_crash(), open_play.SOON)

    def power_off(self) -> None:
        """Stop, and switch the machine off if we may."""
        self.stop()
        self.panel.powered_off()

    def on_stop(self) -> None:
        self.watchdog.stopping()
        self.panel.stop()
        self.phones.stop()
        self.hall.stop()
        self.voice.speech.hush()
        self.camera_feed.stop()
        self.desk.clerk.stop()
        open_play.closed(self.folder)

    @property
    def demonstrate(self) -> Callable[[], Any] | None:
        """Opens the list of demonstrations; None if there are none."""
        return None if self.demonstrate_game is None else lambda: self.go("demonstrations")

    def post(self, job: Callable[[], None]) -> None:
        """Run this in the window's thread, with the next frame; any thread may call it."""
        Clock.schedule_once(lambda _: job())

    # Moving between screens

    @property
    def screen(self) -> Screen:
        """The current screen."""
        return self.stack[-1]

    def go(self, name: str, **how: Any) -> None:
        """Show a screen; `back` returns to this one."""
        if self.stack:
            self.screen.leave()
        self.stack.append(SCREENS[name](self, **how))
        self._arrive()

    def back(self) -> None:
        """Return to the previous screen; a window that only shows demonstrations closes from its first page."""
        if len(self.stack) == 1 and self.first_screen != "home":
            self.stop()
            return
        if len(self.stack) > 1:
            self.stack.pop().leave()
        self._arrive()

    def lead_home(self) -> None:
        """Make `back` lead home from this screen: the screens before it belong to a play that is put aside."""
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
            self._end_visit(*self._away)
        self.screen.enter()
        self.camera_feed.wait_for_scan(self.screen.scans or self.screen.uses_camera)
        self.refresh()
        page = self.stage.children[-1] if self.stage.children else None
        if page is not None:
            page.opacity = 0.0
            Animation(opacity=1.0, duration=0.15).start(page)

    def refresh(self) -> None:
        """Rebuild the screen from the current state."""
        if not self.stack or self._finger_down():
            return
        self._refresh_soon.cancel()
        self.layouts.changes(self.stage, self.screen.name)
        scrolled = {part.key: part.scroll_y for part in _scrolls(self.stage)}
        if scrolled or self.screen is not self._scrolled_in:  # a page for typing comes and goes
            self._scrolled, self._scrolled_in = scrolled, self.screen
        self._built += 1
        now = self.desk.play
        self.desk.seen = None if now is None else SeenState(now.session, asked=now.questions)
        self.entries = 0 if self.desk.seen is None else self.desk.seen.session.entries
        width, height = Window.size
        self.theme = theme_for(self.desk.settings, width, height / self.panel.taller)
        self._ground.rgba = rgba("ground")
        self._sheet.pos, self._sheet.size = (0, 0), (width, height)
        self.stage.size = (width, height)
        for part in self.stage.children:
            Animation.cancel_all(part)  # otherwise it would keep an invisible page alive
        self.stage.clear_widgets()
        self.garbage_collection.busy()
        pad = self.theme.px(self.screen.margin)
        strip = self.panel.build(width, pad)
        # The place of a simulated panel that is not ready yet is left free, so that nothing moves when it comes.
        self._below = height * (1 - 1 / self.panel.taller) if strip is None else strip.height + pad
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
        """Show what the demonstration says now; the page stays as it is."""
        if self._guiding is not None and not self._finger_down():
            self.stage.remove_widget(self._guiding)
            self._put_guide(self.theme.px(self.screen.margin))
            self.show_before()

    def _refresh_for_frame(self) -> None:
        self.refresh()
        if self._late is not None:  # a finger delays the screen, but not the overlays on it
            self.show_before()

    def _finger_down(self) -> bool:
        """Whether somebody touches the screen: what they touch must not vanish under the finger.

        A simulated button is not part of the screen: while it is held, the screen may change.
        """
        touched = any(event.is_touch and KEY not in event.ud for event in EventLoop.touches)
        if touched and self._late is None:
            self._late = Clock.get_time()
        if not touched or (self._late is not None and Clock.get_time() - self._late > LONGEST_TOUCH):
            self._late = None
            return False
        return True

    def touched_too_soon(self, touch: Any, target: Target) -> None:
        """Somebody touched something that has just appeared there: say so, unless it is the second tap of a
        double tap."""
        if not self.touches.again(touch, str(target[1]), target[2:]):
            self.tell(say("ui.just-changed"), "refused")

    def show_before(self) -> None:
        """Show the overlays of the screen, and update the scan mode accordingly."""
        self.front.show()
        if self._scan_mode() != self._told_mode:
            self.post(self.update_scan_mode)  # after the choice is proposed: waiting cards come after it

    # Events from the desk

    def _on_desk_event(self, event: DeskEvent) -> None:
        match event:
            case Outcome():
                self._show_outcome(event)
            case PlayNow():
                self.front.forget_offer()
                self.home("table")
            case RulesDiverged(id, divergence):
                self._show_divergence(id, divergence)
            case Changed():
                self.refresh()
            case Trouble():
                self.tell(event.text, "refused", trouble=True)

    def show_play(self, shows: bool) -> None:
        """Show outcomes from now on, and what has happened meanwhile; or stop showing them."""
        if shows and not self.shows_play:
            self.refresh()
        self.shows_play = shows

    def _show_outcome(self, outcome: Outcome) -> None:
        """Play the sound of an outcome, show its message and refresh the screen."""
        if not self.shows_play:
            return
        self.voice.outcome(self.desk, outcome)
        if outcome.changed:
            self.front.trouble_is_over()
        if isinstance(outcome.meaning, Offer) and self.guide is None:  # bots do what they meant anyway
            self.front.put_forward(outcome.meaning)
        told_there = self.screen.tells_of(outcome)
        if isinstance(choice := outcome.meaning, Choose):
            self._told_mode = None  # the intake takes no card until the mode is set again
            self.ask(partial(dialogs.which_one, self.desk, choice, SeenState(outcome.session)))
        elif outcome.text is not None and not told_there:
            self.front.put(outcome.text, outcome.how, isinstance(outcome.meaning, Failed), outcome.seat)
        if outcome.changed and reveals.worth_a_moment(self, outcome):
            self.front.begin_moment()
        if outcome.changed or (outcome.text is not None and self.screen.tells):
            self._refresh_soon()  # once for all outcomes of the last frame
        if not outcome.changed:
            self.show_before()
        if isinstance(outcome.signal, TakeBack):
            self.buttons.options(outcome.signal.seat)

    def _scan_mode(self) -> ScanMode:
        """How to treat cards in view of the camera: away from the table, or while a dialog is open, they wait."""
        if self.screen.uses_camera and not self.screen.scans:
            return ScanMode("never")
        if self.desk.play is None or self.asked is not None or not self.screen.scans:
            return ScanMode("later")
        return ScanMode("now", self.shown_by())

    def shown_by(self) -> int | None:
        """The seat that shows cards to the camera, if known."""
        return self.screen.seat_before_it if self.holder is None else self.holder

    def update_scan_mode(self) -> None:
        """Tell the intake the scan mode, if it has changed."""
        if self.stack and self._scan_mode() != self._told_mode:
            self._told_mode = self._scan_mode()
            self.desk.set_scan_mode(self._told_mode)

    # Messages and dialogs

    def tell(self, text: Text, how: str = "info", trouble: bool = False) -> None:
        """Show a message for a while, with its sound."""
        self.voice.hear(self.desk, how, text)
        self.front.tell(text, how, trouble)

    @property
    def message(self) -> tuple[str, str] | None:
        """The message on the screen, in the current language, and its kind."""
        return self.front.message

    def ask(self, asking: Callable[[], AppQuestion]) -> None:
        """Open a dialog; it closes when answered, and is rebuilt for another language or window size."""
        self.front.ask(asking)

    @property
    def asked(self) -> AppQuestion | None:
        """The open dialog."""
        return self.front.asked

    def dismiss(self) -> None:
        """Close the dialog or message."""
        self.front.dismiss()

    def undo(self) -> None:
        """Undo the last deed, without asking for confirmation, as redo is next to it."""
        session = self.desk.session
        if not session.last_deed:
            self.tell(count("core.nothing-to-undo", 0), "refused")
            return
        self.desk.undo()
        first, last = len(session.moments) - session.last_deed, len(session.moments) - 1
        self.tell(say("ui.takes-back", what=whole_deed(session, first, last)))

    def redo(self) -> None:
        """Redo the first undone deed, and say what it was."""
        session = self.desk.session
        if not session.ahead:
            self.tell(count("core.nothing-to-redo", 0), "refused")
            return
        whole = replace(session, moments=(*session.moments, *session.ahead), ahead=())
        first = len(session.moments)
        self.desk.redo()
        self.tell(say("ui.does-again", what=whole_deed(whole, first, first + session.next_deed - 1)))

    def _show_divergence(self, id: int, divergence: Divergence) -> None:
        """Today's rules diverge from a play: show its stored result, or ask whether to continue from there."""
        if divergence.sheet is not None:
            self.go("score", sheet=divergence.sheet, note=divergence.text)
        else:
            self.ask(lambda: dialogs.go_on_from_there(self.desk, id, divergence))

    # Periodic work

    def tick(self) -> None:
        """Called about ten times a second."""
        self.watchdog.tick(self.desk.clerk)
        ahead = self._wall() - self._awake()
        slept, self._ahead = ahead - self._ahead, ahead
        if slept > ASLEEP and self._away is None:
            self.desk.slept(slept)
        built = self._built
        if self._late is not None:
            self.refresh()
        self.front.tick()
        self.panel.tick()
        self.screen.tick()
        if self.desk.settings.daily_backup and self._away is None:
            self.daily.tick(self.folder / "journal.db", self.desk.clock())
        if self._built == built:  # a rebuild or a garbage collection, not both in one frame
            self.garbage_collection.between_frames()

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
        """Text from a real keyboard, with its layout; keys that write nothing send nothing."""
        if self.asked is None:
            for character in text:
                self.screen.typed("", character)

    # When something breaks

    def on_crash(self, error: BaseException) -> None:
        """A screen crashed: the play is in the journal, so say so and offer to continue."""
        write_down(self.folder, "".join(traceback.format_exception(error)))
        self.stack = [SCREENS["home"](self), SCREENS["broken"](self)]
        self.front.forget()
        self.refresh()


def _scrolls(widget: Widget) -> list[Scroll]:
    return [part for part in walk(widget) if isinstance(part, Scroll)]


def _follow_the_last_size() -> None:
    """While somebody drags its edge, a window has many sizes. Kivy would draw a frame for each and meanwhile
    set the window back to it; without that event Kivy reads the real size of the window ten times a
    second."""
    usual = Window._event_filter
    Window._win.set_event_filter(lambda what, *more: 1 if what == "windowresized" else usual(what, *more))


class _Crashed(ExceptionHandler):
    def __init__(self, app: CompanionApp) -> None:
        self.app = app

    def handle_exception(self, exception: BaseException) -> Any:
        if not isinstance(exception, Exception) or isinstance(self.app.screen, SCREENS["broken"]):
            return ExceptionManager.RAISE
        self.app.on_crash(exception)
        return ExceptionManager.PASS


def run(
    first: Callable[[CompanionApp], Any] | None = None,
    language: str | None = None,
    panel: bool = False,
    camera: str | None = None,
    demonstrate: Callable[[CompanionApp, Game], Any] | None = None,
    phones: bool = False,
) -> int:
    """Open the window and run until it is closed; `camera` and `phones` apply to this run only. Without `first`, it
    reopens where it was when it crashed."""
    keep_crashes(settings_path().parent)
    app = CompanionApp(settings_path().parent, CameraFeed(time.monotonic))
    if demonstrate is not None:
        app.demonstrate_game = partial(demonstrate, app)
    if camera is not None:
        app.desk.for_now(camera=camera)
    if phones:
        app.desk.for_now(phones=True)
    sounds = Sounds(app.folder / "sounds", lambda: app.desk.settings)
    app.voice.sound, app.voice.can_play = sounds, sounds.can_play

    def begin(app: CompanionApp) -> None:
        app.panel.connect(panel)
        app.phones.connect()
        app.hall.connect()
        if first is not None:
            first(app)
        else:
            app.reopen_after_crash()

    app.show(begin, language)
    return 0
