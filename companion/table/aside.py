"""Long work beside the screen: a slow stick or a camera being looked for must hold up neither it nor the journal."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

from kivy.clock import Clock

from companion.errors import Trouble

Then = Callable[[Any], None]


class Aside:
    """Does one job after another in threads of their own and brings the outcome back to the screen's."""

    def __init__(self) -> None:
        self._threads: list[threading.Thread] = []

    def do(self, job: Callable[[], Any], then: Then, fails: Then) -> None:
        """Do this; `then` gets what it gives, `fails` the trouble it ran into."""

        def work() -> None:
            try:
                outcome = job()
            except Trouble as trouble:
                self._post(fails, trouble)
            except Exception as e:  # a bug: the screen's thread shall say so and offer to go on
                self._post(_raise, e)
            else:
                self._post(then, outcome)

        self._threads = [thread for thread in self._threads if thread.is_alive()]
        self._threads.append(threading.Thread(target=work, name="aside", daemon=True))
        self._threads[-1].start()

    def settle(self) -> None:
        """Wait until everything asked for so far is done."""
        for thread in self._threads:
            thread.join()

    def _post(self, whom: Then, what: Any) -> None:
        Clock.schedule_once(lambda _: whom(what))


def _raise(e: Exception) -> None:
    raise e
