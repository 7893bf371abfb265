"""A table with real phones: the app's threads, the porter as a process, and pages in Debian's Chromium."""

from __future__ import annotations

import importlib.util
import queue
import shutil
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from companion.core.flow.game import game_of
from companion.core.game import Setup
from companion.table.background import clerk
from companion.table.desk import Desk
from companion.table.phone_seats import NOTICED
from companion.table.phone_side import PhoneSide
from companion.table.porter_process import PorterProcess, socket_folder
from tests.patience import PATIENCE

CHROMIUM = shutil.which("chromium")
LACKING = [
    what
    for what, there in (
        ("Debian's chromium", CHROMIUM),
        ("playwright", importlib.util.find_spec("playwright")),
    )
    if not there
]
REASON = f"phones are tried in a real browser; missing: {', '.join(LACKING)} (sudo apt-get install chromium)"
QUIET = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
)
LOOPBACK = ("--host", "127.0.0.1", "--port", "0")


class LiveTable:
    """The app without a window: its desk, its screen's thread, its phones."""

    def __init__(self, folder: Path, options: tuple[str, ...] = (*LOOPBACK, "--unlimited")) -> None:
        self.folder, self.options = folder, options
        self.ahead = 0.0
        """Seconds by which the table's clock is ahead, so that nobody need wait."""
        self._jobs: queue.Queue[Callable[[], None] | None] = queue.Queue()
        self._moved = threading.Condition()
        self.desk = Desk(
            clerk(folder / "journal.db", self._jobs.put), folder / "settings.json", lambda: 100.0
        )
        self._screen = threading.Thread(target=self._run, name="screen", daemon=True)
        self._screen.start()
        self.begin_phones()

    def begin_phones(self) -> None:
        """Start the table's side of phones, as the app does when it starts."""
        self.porter = PorterProcess(socket_folder(self.folder), self.options)
        self.side = PhoneSide(self.desk, self.folder, lambda: time.monotonic() + self.ahead, self.porter)
        self.side._seats.confirm_within = 2 * PATIENCE  # a busy machine may take its time
        renew = self.side._renew

        def renewed() -> None:
            renew()
            with self._moved:
                self._moved.notify_all()

        self.side._renew = renewed  # type: ignore[method-assign]
        self.side.start()

    def version(self) -> str:
        """The version of the page that shows the table as it is now."""
        self.wait(lambda: self.side._play is not None and self.side._play.session is self.desk.session)
        return self.side._version

    def _run(self) -> None:
        while (job := self._jobs.get()) is not None:
            with self._moved:
                job()
                self._moved.notify_all()

    def wait(self, until: Callable[[], Any]) -> None:
        """Wait until this holds; it is looked at after everything that reaches the screen."""
        with self._moved:
            assert self._moved.wait_for(until, PATIENCE)

    def play(self, setup: Setup) -> None:
        """Begin a play, with phones switched on."""
        self.desk.for_now(phones=True)
        self.desk.start(game_of(setup), setup)
        self.wait(lambda: self.desk.play is not None and self.side.now.port)

    @property
    def url(self) -> str:
        return f"http://{self.side.now.addresses[0]}:{self.side.now.port}/"

    def confirm(self, seat: int) -> None:
        """The button at this seat, pressed when its lamp was seen to pulse."""
        self.wait(lambda: any(claim.seat == seat for claim in self.side.now.claims))
        self.ahead += NOTICED
        assert self.side.pressed(seat)

    def close(self) -> None:
        self.side.stop()
        self.desk.clerk.stop()
        self._jobs.put(None)
        self._screen.join()


@contextmanager
def chromium(profile: Path) -> Iterator[Any]:
    """Debian's browser, without a window and with nothing that looks for the network."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=CHROMIUM,
            args=[*QUIET],
            chromium_sandbox=False,
            env={"HOME": str(profile), "PATH": "/usr/bin:/bin", "TMPDIR": str(profile)},
        )
        try:
            yield browser
        finally:
            browser.close()


def phone(browser: Any, language: str = "en", **how: Any) -> Any:
    """A phone: a browser of its own, with its own cookies."""
    locale = {"en": "en-GB", "pl": "pl-PL"}[language]
    screen = {"width": 390, "height": 844}
    context = browser.new_context(**{"locale": locale, "viewport": screen, "has_touch": True, **how})
    context.set_default_timeout(PATIENCE * 1000)
    page = context.new_page()
    page.on("pageerror", lambda error: page.errors.append(str(error)))
    page.errors = []
    return page


def sit(table: LiveTable, page: Any, seat: int) -> None:
    """Open the page, claim a seat, and press its button."""
    page.goto(table.url)
    name = table.side._names[seat]
    page.get_by_role("button", name=name).click()
    table.confirm(seat)
    page.locator("header.seat", has_text=name).wait_for()
