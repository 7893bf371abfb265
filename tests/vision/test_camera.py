"""Cameras: real files, a real server on this machine, and cameras that fail on purpose."""

from __future__ import annotations

import errno
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.patience import PATIENCE
from vision import camera_network, camera_sources
from vision.camera import CameraTrouble, Frame, Health, open_camera
from vision.camera_health import BACK_OFF, FIRST, PACE, SILENT, CameraClock, HealthWatch, Live, is_black, tidy
from vision.camera_network import NetworkConnection
from vision.troubles import BadSource, CameraComplaint, complaint


class Time:
    """A clock that goes when the test says so."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


class Cable:
    """A camera that does what the test says: `None` in the script pulls the plug, "damaged" spoils one picture."""

    def __init__(self, *script: Any) -> None:
        self.script, self.closed, self.current = list(script), False, None

    def grab(self) -> bool:
        self.current = self.script.pop(0)
        if isinstance(self.current, Exception):
            raise self.current
        return self.current is not None

    def picture(self) -> Any:
        return None if isinstance(self.current, str) else self.current

    def stamp(self) -> float | None:
        return None

    def close(self) -> None:
        self.closed = True


def grey(level: int = 120, shape: tuple[int, ...] = (48, 64, 3)) -> np.ndarray:
    picture = np.full(shape, level, np.uint8)
    picture[::3] = level // 2
    return picture


BLACK = np.zeros((48, 64, 3), np.uint8)


def still(clock: Time, *cables: Cable | Exception) -> Live:
    """A live camera without its thread: the test makes the steps."""
    waiting = list(cables)

    def connect() -> Cable:
        found = waiting.pop(0)
        if isinstance(found, Exception):
            raise found
        return found

    return Live("usb:7", connect, clock, start=False)


def wait_for(what: Callable[[], Any]) -> Any:
    """What the thread of a camera brings, sooner or later."""
    until = time.monotonic() + PATIENCE
    pause = threading.Event()
    while time.monotonic() < until:
        found = what()
        if found is not None and found is not False:
            return found
        pause.wait(0.005)
    raise AssertionError("it never came")


# --- what follows from what, without threads and without waiting


def test_only_the_newest_picture_counts() -> None:
    clock = Time()
    camera = still(clock, Cable(*(grey(level) for level in (60, 90, 120, 150))))
    camera.step()
    for _ in range(4):
        clock.now += 0.1
        camera.step()
    frame = camera.read()
    assert frame is not None
    assert frame.picture.max() == 150
    assert frame.at == clock.now
    assert camera.read() is None, "there is no news until the next picture"


def test_pictures_that_come_too_fast_are_taken_off_the_line_but_not_decoded() -> None:
    clock = Time()
    camera = still(clock, Cable(*(grey(level) for level in (60, 90, 120))))
    camera.step()
    for _ in range(3):
        clock.now += PACE * 0.4
        camera.step()
    frame = camera.read()
    assert frame is not None
    assert frame.picture.max() == 60


class Stamped(Cable):
    """A camera that says when it took each picture."""

    def __init__(self, *stamps: float) -> None:
        super().__init__(*([grey()] * len(stamps)))
        self.stamps, self.decoded = list(stamps), 0

    def picture(self) -> Any:
        self.decoded += 1
        return super().picture()

    def stamp(self) -> float | None:
        return self.stamps[-len(self.script) - 1]


def test_a_picture_counts_from_when_it_was_taken_not_from_when_we_got_to_it() -> None:
    clock = Time()
    camera = still(clock, Stamped(7.0, 7.1, 7.2, 7.4))
    camera.step()
    taken = []
    for got in (200.0, 200.1, 200.7, 200.8):
        clock.now = got
        assert camera.read() is None
        camera.step()
        frame = camera.read()
        assert frame is not None
        taken.append(frame.at)
    assert taken == pytest.approx([200.0, 200.1, 200.2, 200.4])
    assert camera.health().fps > 0


@pytest.mark.parametrize(
    ("stamps", "taken"),
    [
        ((None, None, None), (50.0, 50.1, 50.8)),
        ((3.0, 3.0, 3.0), (50.0, 50.1, 50.8)),
        ((3.0, 3.1, 2.0), (50.0, 50.1, 50.8)),  # its clock was set back
        ((3.0, 3.1, 9000.0), (50.0, 50.1, 50.8)),  # or forward: it did not come before it was taken
        ((3.0, 3.3, 3.4), (50.0, 50.1, 50.2)),  # the first one came late itself
    ],
)
def test_stamps_that_cannot_be_are_not_believed(
    stamps: tuple[float | None, ...], taken: tuple[float, ...]
) -> None:
    clock = CameraClock()
    got = [clock.taken(stamp, now) for stamp, now in zip(stamps, (50.0, 50.1, 50.8), strict=True)]
    assert got == pytest.approx(taken)


def test_a_camera_whose_clock_was_set_is_believed_again() -> None:
    clock = CameraClock()
    stamps = [*(n / 10 for n in range(50)), *(900 + n / 10 for n in range(50, 100))]
    late = [n / 10 + (0.5 if n % 7 == 3 else 0.0) for n in range(100)]
    got = [clock.taken(stamp, now) for stamp, now in zip(stamps, late, strict=True)]
    assert got == sorted(got)
    assert all(at <= now + 1e-6 for at, now in zip(got, late, strict=True))
    assert got[-20:] == pytest.approx([n / 10 for n in range(80, 100)], abs=0.01)


def test_for_a_slow_reader_no_picture_is_decoded_that_it_will_not_see() -> None:
    clock, frames = Time(), 300
    cable = Stamped(*(n / 25 for n in range(frames)))
    camera = still(clock, cable)
    camera.step()
    reads, ages, free = 0, [], clock.now
    for _ in range(frames):
        clock.now += 0.04
        camera.step()
        if clock.now >= free and (frame := camera.read()) is not None:
            reads, free = reads + 1, clock.now + 0.35  # it is looked at for so long
            ages.append(clock.now - frame.at)
    assert reads > 20
    assert cable.decoded <= 1.3 * reads + 5
    assert max(ages[2:]) < 0.05, "what it sees is fresh"


@pytest.mark.parametrize(("soon", "looks"), [(True, 100), (False, 50)])
def test_who_wants_the_very_next_picture_gets_it(soon: bool, looks: int) -> None:
    clock = Time()
    camera = still(clock, Stamped(*(n / 25 for n in range(100))))
    camera.step()
    got = 0
    for _ in range(100):
        assert camera.read(soon=soon) is None
        clock.now += 0.04
        camera.step()
        got += camera.read(soon=soon) is not None
    assert got == looks


def test_a_lens_that_is_free_again_is_noticed_at_once_however_slow_the_reader_is() -> None:
    clock = Time()
    camera = still(clock, Cable(*[grey()] * 20, *[BLACK] * 40, *[grey()] * 3))
    camera.step()
    for n in range(60):
        clock.now += 0.1
        camera.step()
        if n % 10 == 0:
            camera.read()
    assert camera.health().what == "black"
    clock.now += 0.1
    camera.step()
    assert camera.health().ok


def test_a_healthy_camera_is_ok_from_the_start() -> None:
    clock = Time()
    camera = still(clock, Cable(grey(), grey()))
    assert camera.health() == Health(True, what="starting")
    camera.step()
    assert camera.health().ok
    camera.step()
    clock.now += 0.1
    camera.step()
    assert camera.health().ok
    assert camera.health().fps == pytest.approx(10)


def test_an_unplugged_camera_is_told_at_once_and_comes_back_by_itself() -> None:
    clock = Time()
    first, second = Cable(grey(), None), Cable(grey(200))
    camera = still(clock, first, CameraTrouble("No camera at /dev/video7."), second)
    for _ in range(3):
        camera.step()
        clock.now += 0.1
    health = camera.health()
    assert not health.ok
    assert health.what == "gone"
    assert "usb:7" in health.trouble
    assert first.closed
    clock.now += BACK_OFF[0]
    camera.step()  # it is not there yet
    assert "No camera at /dev/video7." in camera.health().trouble
    camera.step()
    assert second.script, "not tried again before its time"
    clock.now += BACK_OFF[1]
    camera.step()
    assert not camera.health().ok, "a line is not yet a picture"
    camera.step()
    assert camera.health().ok
    frames = [camera.read(), camera.read()]
    assert isinstance(frames[0], Frame)
    assert frames[0].picture.max() == 200


def test_a_camera_that_falls_silent_is_told_within_two_seconds() -> None:
    clock = Time()
    camera = still(clock, Cable(grey()))
    camera.step()
    camera.step()
    clock.now += 1.0
    assert camera.health().ok
    clock.now += 0.99
    assert camera.health().what == "silent"
    assert not camera.health().ok


def test_a_camera_that_never_gives_a_picture_is_told() -> None:
    clock = Time()
    camera = still(clock, Cable())
    camera.step()
    clock.now += FIRST
    assert camera.health().ok
    clock.now += 0.1
    assert camera.health().what == "silent"


def test_a_black_picture_is_told_within_two_seconds_and_forgiven_at_once() -> None:
    clock = Time()
    camera = still(clock, Cable(grey(), *[BLACK] * 20, grey()))
    camera.step()
    camera.step()
    told = None
    for n in range(20):
        clock.now += 0.1
        camera.step()
        if told is None and not camera.health().ok:
            told = (n + 1) * 0.1
    assert told is not None
    assert SILENT < told <= 2.0
    assert camera.health().what == "black"
    assert "lens" in camera.health().trouble
    clock.now += 0.1
    camera.step()
    assert camera.health().ok


def test_a_camera_black_from_the_start_is_told() -> None:
    clock = Time()
    camera = still(clock, Cable(*[BLACK] * 21))
    for _ in range(21):
        camera.step()
        clock.now += 0.1
    assert camera.health().what == "black"


def test_a_damaged_picture_is_passed_over() -> None:
    clock = Time()
    camera = still(clock, Cable("damaged", grey()))
    camera.step()
    camera.step()
    assert camera.read() is None
    camera.step()
    assert camera.read() is not None
    assert camera.health().ok


def test_whatever_a_driver_raises_becomes_a_sentence() -> None:
    clock = Time()
    camera = still(clock, Cable(cv2.error("what the driver said")))
    camera.step()
    camera.step()
    assert camera.health().what == "gone"
    assert "what the driver said" in camera.health().trouble


@given(st.lists(st.sampled_from(["open", "fail", "saw", "black"]), max_size=40), st.floats(0.01, 3.0))
def test_whatever_happens_there_is_one_more_try_within_the_longest_pause(
    what: list[str], pause: float
) -> None:
    now, watch = 0.0, HealthWatch("it", 0.0)
    for event in what:
        now += pause
        if event == "open" and watch.due(now):
            watch = watch.opened(now)
        elif event == "fail":
            watch = watch.failed(now, CameraComplaint("It failed."))
        elif watch.up:
            watch = watch.saw(now, event == "black")
        health = watch.health(now)
        assert health.ok or health.trouble
        assert watch.up or watch.due(now + BACK_OFF[-1])
        assert health.ok or "  " not in health.trouble


def test_pauses_grow_and_a_picture_makes_them_short_again() -> None:
    watch, pauses = HealthWatch("it", 0.0), []
    for n in range(7):
        watch = watch.failed(float(n), CameraComplaint("No."))
        pauses.append(watch.again - n)
    assert pauses == [0.5, 1.0, 2.0, 4.0, 8.0, 8.0, 8.0]
    watch = watch.opened(20.0).saw(20.5, False).failed(21.0, CameraComplaint("No."))
    assert watch.again == 21.5


def test_black_is_dark_and_empty_but_not_a_dim_room() -> None:
    rng = np.random.default_rng(1)
    dim = rng.integers(0, 40, (200, 200, 3)).astype(np.uint8)
    sensor_noise = rng.integers(0, 6, (200, 200, 3)).astype(np.uint8)
    assert is_black(BLACK)
    assert is_black(sensor_noise)
    assert not is_black(dim)


@pytest.mark.parametrize(
    ("given", "shape"),
    [
        (np.full((4, 5), 65535, np.uint16), (4, 5)),
        (np.full((4, 5, 4), 255, np.uint8), (4, 5, 3)),
        (np.full((4, 5, 1), 255, np.uint8), (4, 5)),
        (np.full((4, 5, 3), 300.0), (4, 5, 3)),
        (np.full((5, 4, 3), 255, np.uint8).transpose(1, 0, 2), (4, 5, 3)),
    ],
)
def test_pictures_are_tidy(given: np.ndarray, shape: tuple[int, ...]) -> None:
    picture = tidy(given)
    assert picture.shape == shape
    assert picture.dtype == np.uint8
    assert picture.flags["C_CONTIGUOUS"]
    assert picture.min() == 255


# --- the thread


def test_the_thread_keeps_only_the_newest_of_a_fast_camera() -> None:
    """A camera gives 200 pictures while nobody reads: the reader gets the last one, not the first."""
    done = threading.Event()

    class Fast:
        count = 0

        def grab(self) -> bool:
            if self.count == 200:
                done.set()
                threading.Event().wait(0.005)
            else:
                self.count += 1
            return True

        def picture(self) -> Any:
            return grey(self.count)

        def stamp(self) -> float | None:
            return None

        def close(self) -> None:
            pass

    ticks = iter(range(10_000_000))
    camera = Live("fast", Fast, lambda: next(ticks) * PACE)
    try:
        assert done.wait(PATIENCE)
        wait_for(lambda: (frame := camera.read()) is not None and frame.picture.max() == 200)
    finally:
        camera.close()


def test_closing_hangs_up() -> None:
    opened = threading.Event()
    cable = Cable(*[grey()] * 100_000)

    def connect() -> Cable:
        opened.set()
        return cable

    camera = Live("it", connect, time.monotonic)
    assert opened.wait(PATIENCE)
    camera.close()
    assert cable.closed


# --- recordings


def test_a_film_gives_every_picture_once_and_is_over(tmp_path: Path) -> None:
    path = tmp_path / "film.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 10.0, (64, 48))
    for n in range(5):
        writer.write(np.full((48, 64, 3), 40 + 40 * n, np.uint8))
    writer.release()
    clock = Time()
    camera = open_camera(str(path), clock)
    frames = [camera.read() for _ in range(5)]
    levels = [round(float(frame.picture.mean()), -1) for frame in frames if frame]
    assert levels == [40, 80, 120, 160, 200]
    assert [frame.at for frame in frames if frame] == pytest.approx([100.0, 100.1, 100.2, 100.3, 100.4])
    assert camera.health() == Health(True, fps=10.0)
    assert camera.read() is None
    assert camera.health().what == "over"
    assert not camera.health().ok
    assert "Pictures read: 5; damaged: 0." in camera.health().trouble
    camera.close()


def test_a_folder_gives_its_pictures_in_the_order_people_number_them(tmp_path: Path) -> None:
    for n in (10, 2, 1):
        cv2.imwrite(str(tmp_path / f"table{n}.png"), np.full((20 + n, 30, 3), 100, np.uint8))
    (tmp_path / "notes.txt").write_text("not a picture")
    (tmp_path / "table3.png").write_bytes(b"broken")
    (tmp_path / "table4.png").write_bytes(b"")
    camera = open_camera(f"{tmp_path}/", Time())
    frames = [camera.read() for _ in range(3)]
    assert [frame.picture.shape for frame in frames if frame] == [(21, 30, 3), (22, 30, 3), (30, 30, 3)]
    assert camera.read() is None
    assert "Pictures read: 3; damaged: 2." in camera.health().trouble


def test_one_picture_is_a_recording_too(tmp_path: Path) -> None:
    path = tmp_path / "one.jpg"
    cv2.imwrite(str(path), grey())
    camera = open_camera(str(path), Time())
    assert camera.read() is not None
    assert camera.read() is None
    assert camera.health().what == "over"


# --- the network, on this machine only


def jpeg(level: int) -> bytes:
    return cv2.imencode(".jpg", np.full((48, 64, 3), level, np.uint8))[1].tobytes()


ENDLESS = ("/endless-start", "/endless-head", "/endless-part", "/endless-shot")


class Phone(BaseHTTPRequestHandler):
    """What phones and network cameras do."""

    def do_GET(self) -> None:
        path = self.path.partition("?")[0]
        server: Any = self.server
        server.asked.append((path, self.headers.get("Authorization")))
        if path == "/video":
            self.film(lengths=True)
        elif path == "/bare":
            self.film(lengths=False)
        elif path == "/stamped":
            self.film(lengths=True, stamps={60: "1700000060.5", 100: "1700000100.500", 140: "yesterday"})
        elif path == "/shot.jpg":
            self.answer("image/jpeg", jpeg(90))
        elif path == "/":
            self.answer("text/html", b"<html>welcome</html>")
        elif path == "/private" and self.headers.get("Authorization") == "Basic bWU6c2VjcmV0":
            self.answer("image/jpeg", jpeg(77))
        elif path == "/private":
            self.send_error(401)
        elif path == "/moved":
            self.send_response(302)
            self.send_header("Location", self.server.moved)  # type: ignore[attr-defined]
            self.end_headers()
        elif path == "/huge.jpg":
            data, at = jpeg(90), jpeg(90).index(b"\xff\xc0")
            self.answer("image/jpeg", data[: at + 5] + b"\xff\xdc\xff\xdc" + data[at + 9 :])
        elif path == "/list":
            list_of_films = (
                f"#EXTM3U\n#EXTINF:5,\nhttp://{self.headers['Host']}/elsewhere.ts\n#EXT-X-ENDLIST\n"
            )
            self.answer("application/vnd.apple.mpegurl", list_of_films.encode())
        elif path == "/garbage":
            self.wfile.write(b"\x1b[2J\xff no such thing as a status\n\n")
        elif path in ENDLESS:
            self.endless(path)
        else:
            self.send_error(404)

    def endless(self, path: str) -> None:
        """What never comes to an end: what stands before the first part, its head, its picture, or a single one."""
        self.send_response(200)
        kind = "image/jpeg" if path == "/endless-shot" else "multipart/x-mixed-replace; boundary=frame"
        self.send_header("Content-Type", kind)
        self.end_headers()
        before = {"/endless-head": b"--frame\r\nX: ", "/endless-part": b"--frame\r\n\r\n\xff\xd8"}
        with suppress(OSError):  # the client has closed the connection: that is the idea
            self.wfile.write(before.get(path, b""))
            for _ in range(100):
                self.wfile.write(b"no end in sight\r\n" * 60_000)

    def answer(self, kind: str, data: bytes) -> None:
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def film(self, lengths: bool, stamps: dict[int, str] | None = None) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=frame")
        self.end_headers()
        server: Any = self.server
        for level in (60, 100, 140):
            length = f"Content-Length: {len(jpeg(level))}\r\n" if lengths else ""
            length += f"X-Timestamp: {stamps[level]}\r\n" if stamps else ""
            self.wfile.write(
                f"--frame\r\nContent-Type: image/jpeg\r\n{length}\r\n".encode() + jpeg(level) + b"\r\n"
            )
            self.wfile.flush()
            if not server.quick:
                threading.Event().wait(2 * PACE)
        if not server.cut:
            server.over.wait(PATIENCE)

    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def answering() -> Iterator[Any]:
    server: Any = ThreadingHTTPServer(("127.0.0.1", 0), Phone)
    server.daemon_threads = True
    server.asked, server.moved = [], "/private"
    server.over, server.cut, server.quick = threading.Event(), False, False
    server.url = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    yield server
    server.over.set()
    server.shutdown()
    server.server_close()
    thread.join(PATIENCE)


@pytest.fixture
def phone() -> Iterator[Any]:
    with answering() as server:
        yield server


@pytest.mark.parametrize("path", ["/video", "/bare?quality=80"])
def test_a_phone_that_streams_is_read_up_to_its_newest_picture(phone: Any, path: str) -> None:
    camera = open_camera(phone.url + path)
    try:
        wait_for(lambda: (frame := camera.read()) is not None and abs(float(frame.picture.mean()) - 140) < 3)
        assert camera.health().ok
    finally:
        phone.over.set()
        camera.close()


def test_a_phone_tells_when_it_took_its_pictures(phone: Any) -> None:
    line = NetworkConnection(phone.url + "/stamped")()
    stamps = []
    for _ in range(3):
        assert line.grab()
        stamps.append(line.stamp())
    assert stamps == [1700000060.5, 1700000100.5, None]
    line.close()


def test_a_network_camera_that_is_slow_to_begin_is_given_longer_each_time(monkeypatch: Any) -> None:
    """One that needs five seconds to its first picture, as on a busy machine, would never come otherwise."""
    given: list[Any] = []

    class Slow:
        kind = "multipart/x-mixed-replace"

        def __init__(self, url: str, timeout: float, came: Callable[[], None]) -> None:
            given.append((timeout, came))

    monkeypatch.setattr(camera_network, "_Http", Slow)
    connect = NetworkConnection("http://phone:8080/video")
    for _ in range(4):
        connect()
    assert [timeout for timeout, _ in given] == [2.0, 4.0, 8.0, 8.0]
    given[-1][1]()
    connect()
    assert given[-1][0] == 2.0, "once it gave pictures it is as quick as others"


def test_a_stream_that_breaks_off_is_told_and_taken_up_again(phone: Any) -> None:
    phone.cut, phone.quick = True, True
    clock = Time()
    camera = open_camera(phone.url + "/video", clock)
    try:
        wait_for(lambda: camera.health().what == "gone")
        assert "ended" in camera.health().trouble
        assert camera.read() is not None
        phone.cut = False
        clock.now += BACK_OFF[-1]
        wait_for(camera.read)
        assert camera.health().ok
    finally:
        phone.over.set()
        camera.close()


def test_a_camera_that_gives_single_shots_is_asked_again_and_again(phone: Any) -> None:
    camera = open_camera(phone.url + "/shot.jpg")
    try:
        first, second = wait_for(camera.read), wait_for(camera.read)
        assert second.at > first.at
        assert first.picture.mean() == pytest.approx(90, abs=3)
    finally:
        camera.close()


def test_a_password_in_the_address_is_used_and_never_shown(phone: Any) -> None:
    address = phone.url.replace("http://", "http://me:secret@")
    camera = open_camera(address + "/private")
    try:
        assert wait_for(camera.read).picture.mean() == pytest.approx(77, abs=3)
    finally:
        camera.close()
    camera = open_camera(address.replace("secret", "wrong") + "/private", Time())
    try:
        health = wait_for(lambda: (found := camera.health()).what == "gone" and found)
        assert "401" in health.trouble
        assert "wrong" not in health.trouble
    finally:
        camera.close()


def test_a_password_is_taken_along_where_the_same_camera_sends_us(phone: Any) -> None:
    camera = open_camera(phone.url.replace("http://", "http://me:secret@") + "/moved")
    try:
        assert wait_for(camera.read).picture.mean() == pytest.approx(77, abs=3)
    finally:
        camera.close()


@pytest.mark.parametrize("path", ["/private", "/video", "/"])
def test_a_password_is_never_taken_to_another_host(phone: Any, path: str) -> None:
    with answering() as other:
        phone.moved = f"{other.url}{path}"
        camera = open_camera(phone.url.replace("http://", "http://me:secret@") + "/moved", Time())
        try:
            health = wait_for(lambda: (found := camera.health()).what == "gone" and found)
        finally:
            camera.close()
        assert health.told == CameraComplaint(
            "http-elsewhere", {"where": f"{phone.url}/moved", "to": f"{other.url}{path}"}
        )
        assert "secret" not in health.trouble
        assert phone.asked == [("/moved", "Basic bWU6c2VjcmV0")]
        assert other.asked == []


def test_a_camera_may_send_us_on_to_itself_only(phone: Any) -> None:
    """Also without a password: nobody chose that other host, and it may be one only this machine can reach."""
    with answering() as other:
        phone.moved = f"{other.url}/shot.jpg"
        camera = open_camera(f"{phone.url}/moved", Time())
        try:
            health = wait_for(lambda: (found := camera.health()).what == "gone" and found)
        finally:
            camera.close()
        assert health.told == CameraComplaint(
            "http-elsewhere", {"where": f"{phone.url}/moved", "to": f"{other.url}/shot.jpg"}
        )
        assert other.asked == []


@pytest.mark.parametrize("path", ENDLESS)
def test_what_never_ends_is_left_in_time(phone: Any, monkeypatch: pytest.MonkeyPatch, path: str) -> None:
    monkeypatch.setattr("vision.pictures.MOST_BYTES", 3_000_000)
    camera = open_camera(phone.url + path, Time())
    try:
        health = wait_for(lambda: (found := camera.health()).what == "gone" and found)
        assert health.told == CameraComplaint("http-endless", {"where": phone.url + path})
    finally:
        camera.close()


def test_a_camera_that_announces_a_huge_picture_says_so(phone: Any) -> None:
    camera = open_camera(f"{phone.url}/huge.jpg", Time())
    try:
        health = wait_for(lambda: (found := camera.health()).what == "gone" and found)
        assert "65500 x 65500" in health.trouble
    finally:
        camera.close()


@pytest.mark.parametrize(("path", "hint"), [("/", "/video"), ("/nothing", "404")])
def test_an_address_that_is_no_camera_says_what_to_do(phone: Any, path: str, hint: str) -> None:
    camera = open_camera(phone.url + path, Time())
    try:
        health = wait_for(lambda: (found := camera.health()).what == "gone" and found)
        assert hint in health.trouble
    finally:
        camera.close()


def test_whatever_answers_that_is_no_camera_is_not_repeated(phone: Any) -> None:
    camera = open_camera(f"{phone.url}/garbage", Time())
    try:
        health = wait_for(lambda: (found := camera.health()).what == "gone" and found)
        assert health.told == CameraComplaint("http-strange", {"where": f"{phone.url}/garbage"})
    finally:
        camera.close()


def test_a_list_of_films_makes_us_call_nobody(phone: Any, capfd: pytest.CaptureFixture[str]) -> None:
    camera = open_camera(f"{phone.url}/list", Time())
    try:
        health = wait_for(lambda: (found := camera.health()).what == "gone" and found)
        assert health.told == CameraComplaint("no-film", {"where": f"{phone.url}/list"})
        assert {path for path, _ in phone.asked} == {"/list"}
        assert capfd.readouterr() == ("", "")
    finally:
        camera.close()


def test_what_the_system_says_of_a_line_is_one_short_sentence() -> None:
    assert complaint(OSError(errno.ECONNREFUSED, "Connection refused")) == "Connection refused"
    assert complaint(TimeoutError("timed out")) == "Connection timed out"
    assert complaint(ValueError("two\nlines" * 99)) == ("two lines" * 99)[:100]


def test_a_phone_that_is_off_is_waited_for() -> None:
    with ThreadingHTTPServer(("127.0.0.1", 0), Phone) as server:
        port = server.server_address[1]
    camera = open_camera(f"http://127.0.0.1:{port}/video", Time())
    try:
        health = wait_for(lambda: (found := camera.health()).what == "gone" and found)
        assert "does not answer" in health.trouble
        assert camera.read() is None
    finally:
        camera.close()


# --- sources


@pytest.mark.parametrize(
    "source",
    [
        "",
        "usb:x",
        "usb:0@big",
        "pi:front",
        "ftp://x",
        "no-such-film.avi",
        "virtual:moonlight:1",
        "virtual:daylight:x",
        "virtual:daylight:" + "9" * 5000,
        "usb:" + "9" * 400,
        "http://",
        "http://:80/video",
        "http://127.0.0.1:x/video",
        "http://127.0.0.1:99999/video",
        "http://[::1",
        "http://127.0.0.1/video\r\nX: y",
    ],
)
def test_a_source_that_can_never_work_is_refused_with_advice(source: str) -> None:
    with pytest.raises(BadSource, match=r"Say "):
        open_camera(source)


def test_a_file_that_is_no_film_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "film.txt"
    path.write_text("no film at all")
    with pytest.raises(BadSource, match="not a film"):
        open_camera(str(path))


def test_an_empty_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadSource, match="no pictures"):
        open_camera(str(tmp_path))


def test_a_folder_of_broken_pictures_says_so(tmp_path: Path) -> None:
    (tmp_path / "broken.png").write_bytes(b"broken")
    camera = open_camera(str(tmp_path), Time())
    assert camera.read() is None
    assert camera.health().told == CameraComplaint("unreadable", {"source": str(tmp_path)})


@pytest.mark.skipif(sys.platform != "linux", reason="devices have other names elsewhere")
def test_a_usb_camera_that_is_not_there_is_waited_for() -> None:
    camera = open_camera("usb:987", Time())
    try:
        health = wait_for(lambda: (found := camera.health()).what == "gone" and found)
        assert "/dev/video987" in health.trouble
    finally:
        camera.close()


@pytest.fixture
def system(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder of the system's packages, for the Python that runs here; what is imported from it is forgotten."""
    python = tmp_path / f"python{sys.version_info.major}.{sys.version_info.minor}"
    python.touch()
    (tmp_path / "python3").symlink_to(python)
    packages = tmp_path / "dist-packages"
    packages.mkdir()
    monkeypatch.setattr(camera_sources, "SYSTEM_PYTHON", tmp_path / "python3")
    monkeypatch.setattr(camera_sources, "SYSTEM_PACKAGES", packages)
    before = set(sys.modules)
    yield packages
    for name in set(sys.modules) - before:
        if str(packages) in str(getattr(sys.modules[name], "__file__", "")):
            del sys.modules[name]


def package(folder: Path, name: str, code: str) -> None:
    (folder / name).mkdir()
    (folder / name / "__init__.py").write_text(code)


def test_the_pi_camera_without_its_package_says_what_to_install(system: Path) -> None:
    with pytest.raises(CameraTrouble, match="apt install python3-picamera2") as refused:
        open_camera("pi")
    assert not isinstance(refused.value, BadSource)


def test_the_pi_camera_is_taken_from_the_packages_of_the_system_and_nothing_else_is(system: Path) -> None:
    package(system, "picamera2", "import simplejpeg_of_the_test, numpy\nPicamera2 = numpy.__file__\n")
    package(system, "simplejpeg_of_the_test", "")
    package(system, "numpy", "raise AssertionError('ours comes first')")
    path = list(sys.path)
    assert camera_sources.has_picamera2()
    found = camera_sources.picamera2()
    assert str(system) in found.__file__
    assert found.Picamera2 == np.__file__
    assert sys.path == path


@pytest.mark.parametrize(
    "error",
    ["ValueError('numpy.dtype size changed')", "ImportError('numpy.core.multiarray failed to import')"],
)
def test_a_package_of_the_system_that_does_not_fit_ours_says_what_to_do(system: Path, error: str) -> None:
    package(system, "picamera2", f"raise {error}")
    path = list(sys.path)
    with pytest.raises(CameraTrouble, match=r"numpy.*USB"):
        open_camera("pi")
    assert sys.path == path


def test_packages_for_another_python_are_not_tried(system: Path) -> None:
    package(system, "picamera2", "raise AssertionError('not to be imported')")
    camera_sources.SYSTEM_PYTHON.unlink()
    camera_sources.SYSTEM_PYTHON.symlink_to(system / "python3.1")
    with pytest.raises(CameraTrouble, match="another Python"):
        open_camera("pi")


def test_the_pi_camera_gives_pictures_when_its_package_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Any] = []

    class Picamera2:
        def __init__(self, number: int) -> None:
            if number == 3:
                raise IndexError("list index out of range")
            asked.append(number)

        def create_video_configuration(self, **wishes: Any) -> Any:
            return wishes

        def configure(self, wishes: Any) -> None:
            asked.append(wishes["main"])

        def start(self) -> None:
            asked.append("start")

        def capture_array(self, name: str) -> np.ndarray:
            return grey()

        def stop(self) -> None:
            asked.append("stop")

        def close(self) -> None:
            asked.append("close")

    module: Any = type(sys)("picamera2")
    module.Picamera2 = Picamera2
    monkeypatch.setitem(sys.modules, "picamera2", module)
    monkeypatch.setattr("importlib.util.find_spec", lambda name: module)
    camera = open_camera("pi:1@4056x3040")
    assert wait_for(camera.read).picture.shape == (48, 64, 3)
    camera.close()
    assert asked == [1, {"size": (4056, 3040), "format": "RGB888"}, "start", "stop", "close"]
    camera = open_camera("pi:3", Time())
    assert "ribbon" in wait_for(lambda: (found := camera.health()).what == "gone" and found).trouble
    camera.close()


def test_the_virtual_table_is_a_camera() -> None:
    clock = Time()
    camera = open_camera("virtual:daylight:3", clock)
    frame = camera.read()
    assert frame is not None
    assert frame.picture.shape == (1080, 1920, 3)
    assert camera.read() is None
    clock.now += 1.0
    assert camera.read() is not None
    camera.close()
    clock.now += 1.0
    assert camera.read() is None
    assert not camera.health().ok
