"""Sounds: real WAV files that people can tell apart, and a speaker that never blocks anything."""

import io
import wave
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from companion.table.settings import SOUNDS, Settings
from companion.ui.toolkit.sound import Sounds
from devices import tones

SCANS = ("accepted", "known", "refused")


def samples(kind: str) -> Any:
    with wave.open(io.BytesIO(tones.sound(kind))) as file:
        assert (file.getnchannels(), file.getsampwidth(), file.getframerate()) == (1, 2, tones.RATE)
        return np.frombuffer(file.readframes(file.getnframes()), dtype="<i2").astype(float)


def pitch(part: Any) -> float:
    """The loudest frequency."""
    loud = np.abs(np.fft.rfft(part * np.hanning(len(part)), n=1 << 15))
    return float(np.argmax(loud)) * tones.RATE / (1 << 15)


def test_there_is_a_sound_for_everything_that_can_be_switched_off() -> None:
    assert set(tones.KINDS) == set(SOUNDS)


@pytest.mark.parametrize("kind", SOUNDS)
def test_a_sound_is_short_neither_clips_nor_clicks_and_can_be_heard(kind: str) -> None:
    heard = samples(kind)
    assert len(heard) / tones.RATE <= (1.2 if kind == "over" else 0.5)
    assert 0.5 * 32767 < np.abs(heard).max() < 0.8 * 32767
    assert np.sqrt((heard**2).mean()) > 1000
    assert abs(heard[0]) < 200
    assert abs(heard[-1]) < 200
    assert np.abs(np.diff(heard)).max() < 0.5 * 32767
    assert abs(heard.mean()) < 100


def test_scans_differ_in_pitch_and_in_length() -> None:
    first = {kind: pitch(samples(kind)[: tones.RATE // 12]) for kind in SCANS}
    lengths = {kind: len(samples(kind)) / tones.RATE for kind in SCANS}
    for one in SCANS:
        for other in SCANS:
            if one < other:
                ratio = first[one] / first[other]
                assert max(ratio, 1 / ratio) > 1.4
                assert abs(lengths[one] - lengths[other]) > 0.1


def test_yes_goes_up_and_no_goes_down() -> None:
    for kind, up in (("accepted", True), ("refused", False)):
        heard = samples(kind)
        begin, end = pitch(heard[: len(heard) // 4]), pitch(heard[-len(heard) // 3 :])
        assert (end > begin * 1.15) if up else (end < begin / 1.15)


class Speaker:
    """Whatever plays a file; keeps what was played how loud."""

    def __init__(self, played: list[tuple[str, float]], file: str) -> None:
        self.played, self.name, self.volume = played, Path(file).stem.rpartition("-")[0], 1.0

    def stop(self) -> None:
        pass

    def play(self) -> None:
        self.played.append((self.name, self.volume))


def sounds(folder: Path, settings: Callable[[], Settings]) -> tuple[Sounds, list[tuple[str, float]]]:
    played: list[tuple[str, float]] = []
    made = Sounds(folder, settings, lambda file: Speaker(played, file))
    made.settle()
    return made, played


def test_a_sound_is_as_loud_as_people_like(tmp_path: Path) -> None:
    liked = Settings(volume=30)
    made, played = sounds(tmp_path, lambda: liked)
    made("accepted")
    liked = Settings(volume=100)
    made("over")
    assert played == [("accepted", 0.3), ("over", 1.0)]


def test_what_was_switched_off_is_silent(tmp_path: Path) -> None:
    liked = Settings(silent=("known",))
    made, played = sounds(tmp_path, lambda: liked)
    for kind in ("known", "refused", "info"):
        made(kind)
    liked = Settings(volume=0)
    made("refused")
    assert [kind for kind, _ in played] == ["refused"]


def test_files_are_written_once_and_are_the_sounds(tmp_path: Path) -> None:
    sounds(tmp_path / "sounds", Settings)
    files = sorted((tmp_path / "sounds").iterdir())
    assert [file.name for file in files] == sorted(f"{kind}-{tones.EDITION}.wav" for kind in SOUNDS)
    assert files[0].read_bytes() == tones.sound("accepted")
    files[0].write_bytes(b"somebody's own sound")
    sounds(tmp_path / "sounds", Settings)
    assert files[0].read_bytes() == b"somebody's own sound"


class Broken:
    volume = 1.0

    def stop(self) -> None:
        raise OSError("no device")


@pytest.mark.parametrize("load", [lambda file: None, lambda file: Broken(), lambda file: 1 / 0])
def test_without_a_speaker_there_is_silence(tmp_path: Path, load: Callable[[str], Any]) -> None:
    made = Sounds(tmp_path, Settings, load)
    made.settle()
    for _ in range(2):
        made("accepted")


def test_without_room_for_files_there_is_silence(tmp_path: Path) -> None:
    (tmp_path / "sounds").write_text("a file, not a folder")
    made, played = sounds(tmp_path / "sounds", Settings)
    made("accepted")
    assert played == []
