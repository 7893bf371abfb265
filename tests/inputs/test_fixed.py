"""Regression tests: data that was once accepted, lost or exposed by mistake."""

from __future__ import annotations

import stat
from pathlib import Path

import cv2
import msgspec
import numpy as np
import pytest

from companion import cli
from companion.core.words import plain, say
from companion.errors import DONE
from companion.table import error_log, photos, settings
from companion.texts import LANGUAGES, render
from tests.inputs.camera_inputs import films
from tests.inputs.file_inputs import journals
from tests.inputs.inputs import INPUTS
from tests.inputs.judging import feed
from vision.camera import open_camera
from vision.troubles import BadSource


def test_settings_nobody_can_read_are_told_of_and_never_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path))
    monkeypatch.setenv("COLUMNS", "500")
    theirs = b'{"people": [{"name": "Ania", "look": 1}], "volume": "loud"}'
    path = tmp_path / "settings.json"
    path.write_bytes(theirs)
    assert settings.load(path) == settings.Settings()
    assert cli.main(["check", "--language", "en"]) == DONE
    told = capsys.readouterr().out
    assert str(path) in told
    assert "$.volume" in told, "it says where"
    settings.choose_camera("none")
    assert (tmp_path / "settings.damaged-1.json").read_bytes() == theirs
    assert settings.problem(path) is None
    settings.choose_camera("usb:1")
    assert not (tmp_path / "settings.damaged-2.json").exists()


def test_of_settings_that_can_be_read_only_what_can_be_meant_is_used(tmp_path: Path) -> None:
    raw = {
        "zones": {"ania": [0, 0, 50, 100], "bartek": [0, 0, 1e300, 5]},
        "spot": [90, 90, 50, 50],
        "people": [{"name": "Ania", "look": 10**12}, {"name": "\x1b[2J", "look": 0}, {"name": "", "look": 0}],
    }
    (tmp_path / "settings.json").write_bytes(msgspec.json.encode(raw))
    found = settings.load(tmp_path / "settings.json")
    assert list(found.zones) == ["ania"]
    assert found.spot is None
    assert [person.name for person in found.people] == ["Ania"]


@pytest.mark.parametrize("ending", ["m3u8", "m3u", "ffconcat", "sdp", "film", "txt"])
@pytest.mark.parametrize(
    "list_of",
    [
        "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\n{film}\n#EXT-X-ENDLIST\n",
        "ffconcat version 1.0\nfile {film}\n",
        "v=0\nc=IN IP4 127.0.0.1\nm=video 5004 RTP/AVP 26\n",
        "http://127.0.0.1:9/video\n",
    ],
)
def test_a_file_never_tells_us_which_other_file_or_address_to_open(
    tmp_path: Path, ending: str, list_of: str
) -> None:
    (tmp_path / "other.avi").write_bytes(films()[2])
    (tmp_path / f"it.{ending}").write_text(list_of.format(film="other.avi"))
    with pytest.raises(BadSource, match="not a film"):
        open_camera(str(tmp_path / f"it.{ending}"))
    assert open_camera(str(tmp_path / "other.avi")).read() is not None


def test_the_error_log_is_for_its_owner_and_goes_through_no_link(tmp_path: Path) -> None:
    error_log.write_down(tmp_path, "something broke")
    log = tmp_path / error_log.LOG
    assert stat.S_IMODE(log.stat().st_mode) == 0o600
    log.chmod(0o644)  # as an earlier version left it
    error_log.write_down(tmp_path, "x" * error_log.MOST)
    assert stat.S_IMODE(log.stat().st_mode) == 0o600
    assert sorted(file.name for file in tmp_path.iterdir()) == [error_log.LOG]
    (tmp_path / "victim").write_bytes(b"old")
    log.unlink()
    log.symlink_to(tmp_path / "victim")
    error_log.write_down(tmp_path, "not there")
    assert (tmp_path / "victim").read_bytes() == b"old"


def test_a_photo_that_announces_gigabytes_is_none(tmp_path: Path) -> None:
    small = bytearray(cv2.imencode(".png", np.zeros((9, 9), np.uint8))[1].tobytes())
    place = photos.place(tmp_path, "game", "tile")
    place.parent.mkdir(parents=True)
    place.write_bytes(small)
    assert photos.look_up(tmp_path, "game", "tile") is not None
    small[16:24] = (100_000).to_bytes(4, "big") * 2
    place.write_bytes(small)
    assert photos.look_up(tmp_path, "game", "tile") is None


@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_people_named_steers_a_terminal(language: str) -> None:
    evil = "\x1b]0;owned\x07\x1b[2J\u202e"
    for text in (plain(evil), say("score.no-file", file=evil), say("core.together", parts=(plain(evil),))):
        told = render(text, language)
        assert "\x1b" not in told
        assert "\x07" not in told
        assert "\u202e" not in told
        assert "owned" in told


def test_damage_in_the_very_names_of_a_journal_is_damage(tmp_path: Path) -> None:
    """What SQLite says about it has these names in it, and they are no letters."""
    whole = journals()[0]
    for name, at in (
        (b"CREATE TABLE play (", 13),
        (b"CREATE TABLE entry (", 13),
        (b"CREATE TABLE fact (", 7),
    ):
        spot = whole.index(name) + at
        damaged = whole[:spot] + b"\xff\xff" + whole[spot + 2 :]
        for target in (INPUTS["journal"], INPUTS["backup"]):
            folder = tmp_path / f"{target.name}-{at}-{spot}"
            folder.mkdir()
            assert feed(target, damaged, folder).refused


def test_many_dice_against_many_shields_are_no_endless_battle(tmp_path: Path) -> None:
    """Every way in which they can hit was told apart: 96 dice took 4 s, 200 more than 40 s, 792 for ever."""
    ships = {"n": 1, "init": 2, "hull": 0, "comp": 2, "cannons": [1, 0, 0]}
    types = ("int", "cru", "dre", "sba")
    battle = {
        "attacker": [{**ships, "type": "cru", "n": 8, "shield": 0, "cannons": [12, 0, 0]}],
        "defender": [{**ships, "type": type, "shield": shield} for shield, type in enumerate(types)],
    }
    assert not feed(INPUTS["odds"], msgspec.json.encode(battle), tmp_path).refused


@pytest.mark.parametrize(
    ("attacker", "defender"),
    [
        ({"type": "npc", "n": 8, "cannons": [99, 0, 0]}, {"type": "cru", "n": 8, "hull": 99}),
        ({"type": "cru", "n": 1, "cannons": [1, 1, 0]}, {"type": "dre", "n": 2, "hull": 72}),
    ],
)
def test_battles_looked_at_within_one_another_are_estimated_before_calls_run_out(
    attacker: dict[str, object], defender: dict[str, object], tmp_path: Path
) -> None:
    ships = {"init": 2, "hull": 0, "comp": 2, "shield": 0, "cannons": [1, 0, 0]}
    battle = msgspec.json.encode({"attacker": [ships | attacker], "defender": [ships | defender]})

    def deep(calls: int) -> tuple[str, ...]:
        return feed(INPUTS["odds"], battle, tmp_path).refused if not calls else deep(calls - 1)

    assert not deep(200), "as far down as a screen asks"
