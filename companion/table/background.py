"""Doing something in another thread and telling what came of it.

What crosses between the threads: a job goes in through a queue, and what it gives, or the trouble it ran into, comes
back through `post`, which runs a function in the thread of whoever asked (a window's, say). Only the other thread
touches the tools it opened: that is how one thread owns the journal.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any, Generic, TypeVar, TypeVarTuple, Unpack

from companion.core.binder import Binder
from companion.core.journal import Journal
from companion.core.store import Store
from companion.errors import Trouble

Tools = TypeVarTuple("Tools")
Given = TypeVar("Given")
Post = Callable[[Callable[[], None]], None]


class Background(Generic[*Tools]):
    """Does jobs in threads of its own, each of which opens its tools once and hands them to every job.

    Any thread may ask. With one hand, jobs are done in the order they were asked for; with several, a slow one does
    not hold up the next.
    """

    def __init__(
        self,
        post: Post,
        name: str,
        tools: Callable[[], AbstractContextManager[tuple[*Tools]]],
        hands: int = 1,
    ) -> None:
        self.post = post
        self._tools, self._name, self._most = tools, name, hands
        self._hands: list[threading.Thread] = []
        self._lock = threading.Lock()
        self._jobs: queue.Queue[Callable[[Unpack[Tools]], None] | None] = queue.Queue()

    def do(
        self,
        job: Callable[[Unpack[Tools]], Given],
        then: Callable[[Given], Any],
        fails: Callable[[Trouble], Any],
    ) -> None:
        """Do this when a hand is free; `then` gets what it gives, `fails` the trouble it ran into."""

        def work(*tools: *Tools) -> None:
            try:
                given = job(*tools)
            except Trouble as trouble:
                self._tell(fails, trouble)
            except (
                BaseException
            ) as e:  # a bug: whoever asked shall say so and offer to go on, and so does the thread
                self._tell(_raise, e if isinstance(e, Exception) else Died(repr(e)))
            else:
                self._tell(then, given)

        self._jobs.put(work)
        with self._lock:  # a thread that died is replaced
            self._hands = [hand for hand in self._hands if hand.is_alive() or hand.ident is None]
            if len(self._hands) < min(self._most, self._jobs.unfinished_tasks):
                self._hands.append(threading.Thread(target=self._work, name=self._name, daemon=True))
                self._hands[-1].start()

    def settle(self) -> None:
        """Wait until everything asked for so far is done."""
        self._jobs.join()

    def stop(self) -> None:
        """Finish what was asked for and put the tools away."""
        for _ in self._hands:
            self._jobs.put(None)
        for hand in self._hands:
            hand.join()

    def _work(self) -> None:
        with self._tools() as tools:
            while (job := self._jobs.get()) is not None:
                try:
                    job(*tools)
                finally:
                    self._jobs.task_done()
        self._jobs.task_done()

    def _tell(self, whom: Callable[[Any], Any], what: Any) -> None:
        self.post(lambda: whom(what))


class Died(RuntimeError):
    """A job ended by something that is no error, such as `SystemExit`."""


def _raise(e: Exception) -> None:
    raise e


Clerk = Background[Journal, Binder]
"""Whoever writes things down: one thread owns the journal, so that no disk ever holds up a screen."""

Hands = Background[()]
"""Whoever does long work beside the screen: a slow stick or a camera being looked for holds up neither it nor the
journal."""


def clerk(path: Path, post: Post) -> Clerk:
    """One thread with the journal in this file."""

    @contextmanager
    def books() -> Iterator[tuple[Journal, Binder]]:
        store = Store(path)
        try:
            yield Journal(store), Binder(store)
        finally:
            store.close()

    return Background(post, "clerk", books)


def beside(post: Post) -> Hands:
    """As many threads as are needed at once, without tools."""

    @contextmanager
    def nothing() -> Iterator[tuple[()]]:
        yield ()

    return Background(post, "beside", nothing, hands=16)
