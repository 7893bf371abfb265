"""Work in other threads and its results: the clerk with its journal, and long jobs in the thread pool."""

import threading

import pytest

from companion.core.words import plain
from companion.errors import NotNow
from companion.table.background import Died, clerk, thread_pool
from tests.patience import PATIENCE


@pytest.fixture
def posted():
    return []


@pytest.fixture
def writer(tmp_path, posted):
    writer = clerk(tmp_path / "journal.db", posted.append)
    yield writer
    writer.stop()


def never(_):
    raise AssertionError


def test_a_job_is_done_in_another_thread_and_its_outcome_brought_back(writer, posted):
    told = []
    writer.do(lambda journal, binder: threading.current_thread().name, told.append, never)
    writer.settle()
    assert told == []  # not before the screen's thread has time for it
    for job in posted:
        job()
    assert told == ["clerk"]


def test_asking_does_not_wait(writer, posted):
    goes_on = threading.Event()
    writer.do(lambda journal, binder: goes_on.wait(PATIENCE), lambda _: None, never)
    writer.do(lambda journal, binder: "second", lambda _: None, never)
    assert posted == []
    goes_on.set()
    writer.settle()
    assert len(posted) == 2


def test_jobs_are_done_one_after_another(writer, posted):
    done = []
    for n in range(20):
        writer.do(lambda journal, binder, n=n: done.append(n), lambda _: None, never)
    writer.settle()
    assert done == list(range(20))


def test_trouble_goes_to_who_asked(writer, posted):
    def job(journal, binder):
        raise NotNow(plain("not now"))

    told = []
    writer.do(job, never, told.append)
    writer.do(lambda journal, binder: journal.plays(), told.append, never)
    writer.settle()
    for outcome in posted:
        outcome()
    assert isinstance(told[0], NotNow)
    assert told[1] == ()


def test_a_bug_is_raised_where_the_screen_can_say_so(writer, posted):
    writer.do(lambda journal, binder: 1 // 0, never, never)
    writer.settle()
    with pytest.raises(ZeroDivisionError):
        posted[0]()


def test_stopping_finishes_what_was_asked_for(tmp_path):
    done = []
    writer = clerk(tmp_path / "journal.db", lambda job: None)
    for n in range(5):
        writer.do(lambda journal, binder, n=n: done.append(n), never, never)
    writer.stop()
    assert done == [0, 1, 2, 3, 4]


def test_one_thread_owns_the_journal(writer, posted):
    """Buttons, the camera and the screen ask at the same time."""
    used, start = set(), threading.Barrier(6)

    def ask():
        start.wait()
        for _ in range(20):
            writer.do(
                lambda journal, binder: used.add((threading.get_ident(), id(journal))), lambda _: None, never
            )

    asking = [threading.Thread(target=ask) for _ in range(6)]
    for thread in asking:
        thread.start()
    for thread in asking:
        thread.join()
    writer.settle()
    assert len(posted) == 120
    assert len(used) == 1


def test_what_is_slow_beside_the_screen_holds_up_nothing_else(posted):
    hands, goes_on, told = thread_pool(posted.append), threading.Event(), threading.Event()
    hands.do(lambda: goes_on.wait(PATIENCE), lambda _: None, never)
    hands.do(told.set, lambda _: None, never)
    assert told.wait(PATIENCE), "the second job waits for the first"
    goes_on.set()
    hands.settle()
    assert len(posted) == 2
    hands.stop()


def test_hands_that_are_free_are_used_again(posted):
    hands, used = thread_pool(posted.append), set()
    for _ in range(5):
        hands.do(lambda: used.add(threading.get_ident()), lambda _: None, never)
        hands.settle()
    assert len(used) == 1
    hands.stop()


def test_a_job_that_ends_its_thread_ends_no_other_job(writer, posted):
    """By something that is no error, such as `SystemExit`: later jobs are done."""

    def dies(journal, binder):
        raise SystemExit("the end")

    told = []
    goes_on, done = threading.Event(), threading.Event()
    writer.do(lambda journal, binder: goes_on.wait(PATIENCE), lambda _: None, never)
    writer.do(dies, never, never)
    writer.do(lambda journal, binder: done.set() or "after", told.append, never)
    goes_on.set()
    assert done.wait(PATIENCE)
    writer.do(lambda journal, binder: "later", told.append, never)
    writer.settle()
    waited, died, *after = posted
    waited()
    with pytest.raises(Died, match="the end"):
        died()
    for job in after:
        job()
    assert told == ["after", "later"]


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_thread_that_died_is_replaced(tmp_path):
    """It died when it told its result: the screen was being closed."""

    def post(what):
        raise SystemExit

    writer = clerk(tmp_path / "journal.db", post)
    writer.do(lambda journal, binder: None, never, never)
    (dead,) = writer._threads
    dead.join(PATIENCE)
    writer.do(lambda journal, binder: None, never, never)
    assert dead not in writer._threads
    assert len(writer._threads) == 1
    writer.stop()
