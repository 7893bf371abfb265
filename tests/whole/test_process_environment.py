"""The program without standard streams, without a current folder, or with any umask."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

import pytest

from companion import __main__, cli, window_supervisor
from companion.errors import DONE
from companion.ui import start

OPENED = 7


@pytest.mark.parametrize("closed", ["stdin", "stdout", "stderr"])
def test_a_window_opens_though_nobody_reads_what_it_prints(
    closed: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The waiting process flushes its streams before they are replaced."""

    def supervise() -> int:
        assert None not in (sys.stdin, sys.stdout, sys.stderr)
        return OPENED

    monkeypatch.setattr(sys, closed, None)
    monkeypatch.setattr(__main__, "opens_window", lambda given, environ: True)
    monkeypatch.setattr(start, "lacking", list)
    monkeypatch.setattr(window_supervisor, "supervise", supervise)
    heard = signal.getsignal(signal.SIGINT)
    try:
        assert __main__.main() == OPENED
    finally:
        signal.signal(signal.SIGINT, heard)
        getattr(sys, closed).close()


def test_it_runs_in_a_folder_that_was_deleted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pulled, sheet = tmp_path / "stick", tmp_path / "labels.pdf"
    pulled.mkdir()
    monkeypatch.chdir(pulled)
    pulled.rmdir()
    assert cli.main(["labels", "race", "--out", str(sheet)]) == DONE
    assert sheet.exists()
    assert os.getcwd() == "/"


@pytest.mark.parametrize("rights", [0o777, 0o177, 0])
def test_what_we_make_is_ours_whatever_the_umask(
    rights: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path / "a" / "home"))
    sheet, before = tmp_path / "labels.pdf", os.umask(rights)
    try:
        assert cli.main(["camera", "virtual:good-lamp:1", "--use"]) == DONE
        assert cli.main(["labels", "race", "--only", "old-earth", "--out", str(sheet)]) == DONE
    finally:
        os.umask(before)
    modes = {path: path.stat().st_mode & 0o777 for path in (tmp_path / "a", *tmp_path.glob("a/home/*"))}
    assert set(modes.values()) == {0o700, 0o600}
    assert sheet.stat().st_mode & 0o777 == 0o600 | 0o066 & ~rights
