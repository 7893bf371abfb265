"""Runs jobs in other threads and reports their results.

Between the threads: a job goes in through a queue; its result, or its error, comes back through `post`, which
runs a function in the caller's thread (such as the window's). Only the other thread touches the tools it
opened: so one thread owns the journal.
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

Owned = TypeVarTuple("Owned")
Given = TypeVar("Given")
Post = Callable[[Callable[[], None]], None]


class Background(Generic[*Owned]):
    """Runs jobs in threads of its own; each thread opens its tools once and passes them to every job.

    Any thread may add jobs. With one thread, jobs run in order; with several, a slow one does not delay the
    next.
    """

    def __init__(
        self,
        post: Post,
        name: str,
        tools: Callable[[], AbstractContextManager[tuple[*Owned]]],
        threads: int = 1,
    ) -> None:
        self.post = post
        self._tools, self._name, self._most = tools, name, threads
        self._threads: list[threading.Thread] = []
        self._lock = threading.Lock()
        self._jobs: queue.Queue[Callable[[Unpack[Owned]], None] | None] = queue.Queue()

    def do(
        self,
        job: Callable[[Unpack[Owned]], Given],
        then: Callable[[Given], Any],
        fails: Callable[[Trouble], Any],
    ) -> None:
        """Run this when a thread is free; `then` gets its result, `fails` its `Trouble`."""

        def work(*tools: *Owned) -> None:
            try:
                given = job(*tools)
            except Trouble as trouble:
                self._tell(fails, trouble)
            except BaseException as e:  # a bug: raise it in the caller's thread, and keep this thread running
                self._tell(_raise, e if isinstance(e, Exception) else Died(repr(e)))
            else:
                self._tell(then, given)

        self._jobs.put(work)
        with self._lock:  # a thread that died is replaced
            self._threads = [thread for thread in self._threads if thread.is_alive() or thread.ident is None]
            if len(self._threads) < min(self._most, self._jobs.unfinished_tasks):
                self._threads.append(threading.Thread(target=self._work, name=self._name, daemon=True))
                self._threads[-1].start()

    @property
    def busy(self) -> bool:
        """Whether jobs wait or run."""
        return self._jobs.unfinished_tasks > 0

    def settle(self) -> None:
        """Wait until all jobs so far are done."""
        self._jobs.join()

    def stop(self) -> None:
        """Finish all jobs and close the tools."""
        for _ in self._threads:
            self._jobs.put(None)
        for thread in self._threads:
            thread.join()

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
    """A job ended by an exception that is not an `Exception`, such as `SystemExit`."""


def _raise(e: Exception) -> None:
    raise e


Clerk = Background[Journal, Binder]
"""The one thread that owns the journal, so that a slow disk never blocks a screen."""

ThreadPool = Background[()]
"""Threads for long work, such as a slow stick or the search for a camera: they block neither screen nor journal."""


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


def thread_pool(post: Post) -> ThreadPool:
    """As many threads as needed at once, up to 16, without tools."""

    @contextmanager
    def nothing() -> Iterator[tuple[()]]:
        yield ()

    return Background(post, "thread pool", nothing, threads=16)
