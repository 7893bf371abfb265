"""One window for all tests of a process, and a fresh folder for each test.

Kivy creates its window on import and can have only one, so all of this happens before any test is imported.
"""

import gc
import os
import tempfile
import warnings
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.table import backups
from companion.ui.start import lacking, prepare

LACKING = " ".join(lacking())
HOME = tempfile.TemporaryDirectory(prefix="companion-kivy-", ignore_cleanup_errors=True)
REASON = f"a window needs what Debian calls {LACKING}"


class CannotRun(pytest.Module):
    """A file of tests nobody can run here."""

    def collect(self) -> Iterator[pytest.Item]:
        pytest.skip(REASON, allow_module_level=True)


def pytest_pycollect_makemodule(module_path: Path, parent: pytest.Collector) -> pytest.Module | None:
    return CannotRun.from_parent(parent, path=module_path) if LACKING else None


def _open_window() -> None:
    os.environ.update(SDL_VIDEODRIVER="offscreen", SDL_AUDIODRIVER="dummy", LP_NUM_THREADS="0")
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", category=DeprecationWarning, module="kivy")
        prepare(Path(HOME.name), samples=0)
        import workshop.screens.rehearsal  # noqa: F401
    for name in ("SDL_VIDEODRIVER", "LP_NUM_THREADS"):
        del os.environ[name]  # the programs other tests start shall not believe they have a display


if not LACKING:
    _open_window()


@pytest.fixture(scope="session")
def _stage(tmp_path_factory):
    from workshop.screens.rehearsal import Rehearsal

    stage = Rehearsal(tmp_path_factory.mktemp("stage"))
    gc.freeze()  # the window, its fonts and rules stay anyway
    gc.enable()  # the app would rather tidy up itself, after every second screen
    return stage


@pytest.fixture
def only_race(request):
    """Most screens are tried with one game in the box; who wants all of them is marked `every_game`."""
    from companion.core.game import games
    from companion.recognition.labels import books

    books()  # made once for a process: with every game, for whatever test comes after this one
    everything = dict(games())
    if request.node.get_closest_marker("every_game") is None:
        for id in set(everything) - {"race"}:
            del games()[id]
    yield
    games().clear()
    games().update(everything)  # in the order they had


@pytest.fixture
def rehearsal(_stage, tmp_path, only_race):
    """The app in a folder nobody used before, at the Home screen."""
    folder = tmp_path / "companion"
    folder.mkdir()
    _stage.fresh(folder)
    return _stage


@pytest.fixture
def layout(rehearsal, tmp_path):
    """Checks every page that is built in this test; it fails if anything is wrong with one of them."""
    from workshop.screens.layout_watch import LayoutWatch

    watch = LayoutWatch(rehearsal.app, tmp_path / "layout")
    yield watch
    rehearsal.app.page_built = lambda: None
    assert watch.pages > 0, "no page was built"
    assert not watch.found, "\n".join(f"{found} in {watch.folder}" for found in watch.found)


@pytest.fixture
def stick(tmp_path, monkeypatch):
    """The only USB stick there is."""
    stick = tmp_path / "stick"
    stick.mkdir()
    real = backups.sticks
    monkeypatch.setattr(backups, "sticks", lambda roots=None: real([stick]))
    return stick
