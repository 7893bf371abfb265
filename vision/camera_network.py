"""Connections to network cameras: phones and others that send JPEG pictures, or streams that OpenCV can open."""

from __future__ import annotations

import base64
import http.client
import re
import threading
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable
from typing import Any

from vision import pictures as taken
from vision.camera_health import PACE, TIMEOUT, Capture, Picture
from vision.camera_sources import opencv
from vision.troubles import CameraTrouble, complaint

END = b"\xff\xd9\r\n"
"""The last bytes of a JPEG picture in a multipart response."""
LONGEST_TIMEOUT = 8.0
"""Longest network timeout in seconds before a camera has given its first picture."""
STAMP = re.compile(rb"\d{1,12}(\.\d{1,9})?")
"""The time stamp of a network camera's picture: seconds."""


class _SameHost(urllib.request.HTTPRedirectHandler):
    """Follows redirects only to the same scheme, host and port: the user did not choose any other."""

    def redirect_request(
        self, req: urllib.request.Request, fp: Any, code: int, msg: str, headers: Any, newurl: str
    ) -> urllib.request.Request | None:
        before, after = urllib.parse.urlsplit(req.full_url), urllib.parse.urlsplit(newurl)
        if (before.scheme, before.netloc) != (after.scheme, after.netloc):
            where, to = (
                f"{url.scheme}://{url.netloc.rpartition('@')[2]}{url.path}" for url in (before, after)
            )
            raise CameraTrouble("http-elsewhere", where=where, to=to)
        return super().redirect_request(req, fp, code, msg, headers, newurl)


_asking = urllib.request.build_opener(_SameHost)


class _Http:
    """A phone or network camera: JPEG pictures one after another in one long response, or one per request."""

    def __init__(self, url: str, timeout: float, came: Callable[[], None]) -> None:
        """`came` is called when a picture has arrived."""
        self._timeout, self._reset_timeout = timeout, came
        parts = urllib.parse.urlsplit(url)
        host = parts.netloc.rpartition("@")[2]
        self.where = f"{parts.scheme}://{host}{parts.path}"  # shown to people: without the password
        self._request = urllib.request.Request(urllib.parse.urlunsplit(parts._replace(netloc=host)))
        if parts.username is not None:
            secret = f"{urllib.parse.unquote(parts.username)}:{urllib.parse.unquote(parts.password or '')}"
            self._request.add_header("Authorization", "Basic " + base64.b64encode(secret.encode()).decode())
        self._data, self._next_part, self._read = b"", False, 0
        self._stamp: float | None = None
        self._answer = self._ask()
        self.kind = self._answer.headers.get_content_type()
        self._boundary = (self._answer.headers.get_param("boundary") or "").strip('"').removeprefix("--")
        self._single = self.kind.startswith("image/")

    def _ask(self) -> Any:
        try:
            return _asking.open(self._request, timeout=self._timeout)
        except CameraTrouble:
            raise
        except urllib.error.HTTPError as e:
            e.close()
            if e.code == 401:
                raise CameraTrouble("http-password", where=self.where) from e
            raise CameraTrouble("http-answer", where=self.where, code=e.code) from e
        except ConnectionError as e:
            raise CameraTrouble("http-silent", where=self.where, why=complaint(e)) from e
        except http.client.HTTPException as e:  # the camera may send anything
            raise CameraTrouble("http-strange", where=self.where) from e
        except (OSError, ValueError) as e:
            raise CameraTrouble(
                "http-silent", where=self.where, why=complaint(getattr(e, "reason", e))
            ) from e

    def grab(self) -> bool:
        if self._single:
            if self._data:
                threading.Event().wait(PACE)  # one request per picture: do not flood the camera
                self._answer = self._ask()
            self._data = self._answer.read(taken.MOST_BYTES + 1)
            self._answer.close()
            if len(self._data) > taken.MOST_BYTES:
                raise CameraTrouble("http-endless", where=self.where)
        else:
            self._data = self._part()
        if self._data:
            self._reset_timeout()
        return bool(self._data)

    def picture(self) -> Picture | None:
        return taken.decode(self._data, self.where)

    def stamp(self) -> float | None:
        return self._stamp

    def close(self) -> None:
        self._answer.close()

    def _line(self) -> bytes:
        line: bytes = self._answer.readline(65536)
        if not line:
            raise CameraTrouble("http-ended", where=self.where)
        self._read += len(line)
        if self._read > taken.MOST_BYTES:
            raise CameraTrouble("http-endless", where=self.where)
        return line

    def _part(self) -> bytes:
        """The bytes of the next part of a multipart response, with or without a stated length."""
        mark = b"--" + self._boundary.encode()
        self._read = 0
        while not self._next_part and not self._line().startswith(mark):
            pass
        self._next_part = False
        length, self._stamp = 0, None
        while (line := self._line()).strip():
            name, _, value = line.partition(b":")
            if name.strip().lower() == b"content-length" and value.strip().isdigit():
                length = int(value)
            elif name.strip().lower() == b"x-timestamp" and STAMP.fullmatch(value.strip()):
                self._stamp = float(value)
        if length > taken.MOST_BYTES:
            raise CameraTrouble("http-huge", where=self.where, length=length)
        if length:
            return bytes(self._answer.read(length))
        body = bytearray()
        while not (line := self._line()).startswith(mark):
            body += line
            if body.endswith(END):  # do not wait for the boundary: it comes only with the next picture
                return bytes(body)
        self._next_part = True
        return bytes(body)


class NetworkConnection:
    """Connects to a network camera. After a timeout, the next attempt gets twice as long, until a picture
    comes: on a busy machine the first one may take seconds."""

    def __init__(self, url: str) -> None:
        self._url, self.timeout = url, TIMEOUT

    def __call__(self) -> Capture:
        if self._url.startswith("rtsp"):
            return opencv(self._url, self._url.rpartition("@")[2])
        timeout, self.timeout = self.timeout, min(2 * self.timeout, LONGEST_TIMEOUT)
        line = _Http(self._url, timeout, self._reset_timeout)
        if line.kind.startswith(("multipart/", "image/")):
            return line
        line.close()
        if line.kind == "text/html":
            raise CameraTrouble("http-page", where=line.where)
        return opencv(self._url, line.where)

    def _reset_timeout(self) -> None:
        self.timeout = TIMEOUT
