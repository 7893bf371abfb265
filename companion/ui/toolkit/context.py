"""What screens and parts may use of the window: small interfaces, so that the lower layers do not depend on
the app."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from companion.core.components import Component
    from companion.core.game import Game
    from companion.core.questions import Option, Question
    from companion.core.scans import Offer
    from companion.core.words import Text
    from companion.table.background import ThreadPool
    from companion.table.camera_feed import CameraFeed
    from companion.table.desk import Desk
    from companion.table.hall_now import HallNow
    from companion.table.phone_side import PhonesNow
    from companion.table.seat_panel import SeatPanel
    from companion.table.voice import Voice
    from companion.ui.toolkit.theme import Theme
    from companion.ui.toolkit.touches import Touches
    from devices.simulator import Simulator

TOUCH_CONTEXT = "context"
"""Key in `touch.ud` for the `TouchContext` of the touch's window."""


class PlaceUnderFinger(Protocol):
    """Keeps touched things under the finger across rebuilds."""

    def touched(self, tap: Any) -> None:
        """Remember the touched part and where it is."""

    def forget(self) -> None:
        """Keep nothing in its place."""


class TouchContext(Protocol):
    """What a touched part needs."""

    @property
    def desk(self) -> Desk:
        """The state the screen shows; answers are proposed to it."""

    @property
    def touches(self) -> Touches:
        """Recognises double touches."""

    @property
    def finger_place(self) -> PlaceUnderFinger:
        """Keeps touched things under the finger across rebuilds."""


class SheetsInFront(Protocol):
    """Sheets in front of a page: seats, cards, offers."""

    @property
    def seat(self) -> int | None:
        """The seat being looked at."""

    def peek(self, seat: int, instead: bool = False) -> None:
        """Show a seat; `instead` replaces the open sheet."""

    def read(self, component: str = "", owner: int | None = None, option: Option | None = None) -> None:
        """Show a component large, perhaps as a seat's, or an option."""

    def read_printed(self, game: Game, component: Component) -> None:
        """Show a component of a box large, with or without a play."""

    def help(self, question: Question) -> None:
        """Show help with an open question."""

    def close(self) -> None:
        """Close the open sheet."""

    def put_forward(self, offer: Offer) -> None:
        """Show an offer for what the camera may have seen."""

    @property
    def message_seat(self) -> int | None:
        """The seat the shown message is for, if it is for one."""

    def choose_first(self) -> Any:
        """Take the first choice of the app's question, if one is open."""

    def pass_moment(self) -> None:
        """End the view of what was turned over."""


class PanelAtHand(Protocol):
    """Buttons and lamps, real or simulated."""

    @property
    def seats(self) -> SeatPanel | None:
        """The panel of the seats, if there is one."""

    @property
    def simulator(self) -> Simulator | None:
        """The simulated panel, if the panel is simulated."""

    @property
    def strip(self) -> Any:
        """The simulated panel on the screen, if there is one."""

    def complaints(self) -> list[Text]:
        """What does not work, as messages."""


class PhonesAtHand(Protocol):
    """Phones as second screens."""

    @property
    def now(self) -> PhonesNow:
        """What there is to show about them."""

    def decide(self, device: str, confirmed: bool) -> None:
        """Confirm that a phone is somebody's, or decline it."""


class HallAtHand(Protocol):
    """The hall this table plays in, if any."""

    @property
    def now(self) -> HallNow:
        """What there is to show about it."""

    def call_judge(self, call: bool) -> None:
        """Call the judge, or do so no more."""

    def confirm(self, seat: int, right: bool) -> None:
        """A player says whether the result is right."""

    def ask_confirmation(self) -> None:
        """Ask the players whether the result is right, if they may say so and nothing else is asked."""

    def take_credentials(self, data: bytes) -> bool:
        """Use these credentials from now on; returns whether they can be used."""

    def forget_credentials(self) -> None:
        """Leave the hall."""


class Context(Protocol):
    """What a screen may use: the state (`desk`), the theme, and navigation."""

    theme: Theme
    holder: int | None
    """The seat that holds a card up, if known."""
    half_told: dict[object, Any]
    """Forms begun at the table but not finished, by what they are about."""

    @property
    def desk(self) -> Desk:
        """The state, and what can be done."""

    @property
    def folder(self) -> Path:
        """The data folder."""

    @property
    def camera_feed(self) -> CameraFeed:
        """The camera."""

    @property
    def thread_pool(self) -> ThreadPool:
        """Threads for slow work."""

    @property
    def voice(self) -> Voice:
        """Sounds and speech."""

    @property
    def front(self) -> SheetsInFront:
        """What is in front of the page."""

    @property
    def panel(self) -> PanelAtHand:
        """Buttons and lamps."""

    @property
    def phones(self) -> PhonesAtHand:
        """Phones as second screens."""

    @property
    def hall(self) -> HallAtHand:
        """The hall this table plays in, if any."""

    @property
    def guide(self) -> Any:
        """The guide of a running demonstration."""

    @property
    def room(self) -> float:
        """The height of the window without what is below every page."""

    @property
    def entries(self) -> int:
        """The number of entries of the play when the screen was last built."""

    @property
    def screen(self) -> Any:
        """The current screen."""

    @property
    def asked(self) -> object | None:
        """The app's open question."""

    @property
    def message(self) -> tuple[str, str] | None:
        """The shown message, and its kind."""

    @property
    def buttons(self) -> Any:
        """What the buttons round the table do on the screen."""

    @property
    def demonstrate(self) -> Callable[[], Any] | None:
        """Opens the demonstrations, if there are any."""

    @property
    def demonstrate_game(self) -> Callable[[Any], Any] | None:
        """Shows a whole game played by bots."""

    def go(self, name: str, **how: Any) -> None:
        """Show another screen."""

    def back(self) -> None:
        """Go to the previous screen."""

    def home(self, *path: str) -> None:
        """Go home, and from there to these screens in turn."""

    def lead_home(self) -> None:
        """Make `back` lead home from this screen."""

    def refresh(self) -> None:
        """Rebuild the screen."""

    def show_before(self) -> None:
        """Rebuild what is in front of the screen."""

    def tell(self, text: Text, how: str = "info", trouble: bool = False) -> None:
        """Show a message for a while, with its sound."""

    def ask(self, asking: Callable[[], Any]) -> None:
        """Show a question of the app."""

    def dismiss(self) -> None:
        """Remove the app's question or message."""

    def undo(self) -> None:
        """Take back the last deed."""

    def redo(self) -> None:
        """Do again what was taken back."""

    def update_scan_mode(self) -> None:
        """Update what happens to cards shown to the camera, if that has changed."""

    def shown_by(self) -> int | None:
        """The seat whose cards the camera sees, if known."""

    def power_off(self) -> None:
        """Stop, and power the machine off if it is ours."""

    def post(self, job: Callable[[], None]) -> None:
        """Run this in the window's thread."""


class WindowContext(Context, TouchContext, Protocol):
    """What parts of the app itself use in addition: what is in front of a screen, demonstrations, buttons."""

    page_built: Callable[[], Any]

    @property
    def stage(self) -> Any:
        """The root of everything shown."""

    @property
    def stack(self) -> list[Any]:
        """The screens people came through."""

    @property
    def layouts(self) -> Any:
        """The recent layouts."""

    def show_guide(self) -> None:
        """Show the current step of the demonstration."""
