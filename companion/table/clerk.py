"""Whoever writes things down: one thread owns the journal, so that no disk ever holds up the screen."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

from companion.core.binder import Binder
from companion.core.journal import Journal
from companion.core.store import Store
from companion.errors import Trouble

Job = Callable[[Journal, Binder], Any]
Then = Callable[[Any], None]


class Clerk:
    """Does jobs with the journal one after another; `post` brings their outcome back to the screen's thread."""

    def __init__(self, path: Path, post: Callable[[Callable[[], None]], None]) -> None:
        self._path, self._post = path, post
        self.after: Callable[[], None] = lambda: None
        """Called after every job, by the clerk's own thread: for those who cannot wait for the screen's."""
        self._jobs: queue.Queue[tuple[Job, Then, Then] | None] = queue.Queue()
        self._thread = threading.Thread(target=self._work, name="clerk", daemon=True)
        self._thread.start()

    def do(self, job: Job, then: Then, fails: Then) -> None:
        """Do this when all before it is done; `then` gets what it gives, `fails` the trouble it ran into."""
        self._jobs.put((job, then, fails))

    def settle(self) -> None:
        """Wait until everything asked for so far is done."""
        self._jobs.join()

    def stop(self) -> None:
        """Finish what was asked for and close the journal."""
        self._jobs.put(None)
        self._thread.join()

    def _work(self) -> None:
        store = Store(self._path)
        while (asked := self._jobs.get()) is not None:
            job, then, fails = asked
            try:
                outcome = job(Journal(store), Binder(store))
            except Trouble as trouble:
                self._tell(fails, trouble)
            except Exception as e:  # a bug: the screen's thread shall say so and offer to go on
                self._tell(_raise, e)
            else:
                self._tell(then, outcome)
            self.after()
            self._jobs.task_done()
        store.close()
        self._jobs.task_done()

    def _tell(self, whom: Then, what: Any) -> None:
        self._post(lambda: whom(what))


def _raise(e: Exception) -> None:
    raise e
