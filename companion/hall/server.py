"""What browsers reach of a hall: board, pairings and standings for all; a table's form and the organiser's page by key.

Plain HTTP with the porter's guards. Everybody may read what the board shows; nobody else gets a cookie.
"""

from __future__ import annotations

import asyncio
import importlib.resources
import json
from collections.abc import AsyncIterator
from functools import cache

import msgspec
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp

from companion.hall.board import HallBoard
from companion.hall.forms import Forms
from companion.hall.hall import Hall
from companion.hall.organiser import Organiser
from companion.hall.page_words import page_words
from companion.hall.web import address_of, code, origin_of
from companion.porter.limits import Rate, Streams
from companion.porter.server import KINDS, Guard, StreamOf
from companion.texts import LANGUAGES

MOST_STREAMS, MOST_STREAMS_EACH = 256, 32
READS_A_MINUTE = 240
"""Lists and words one address may ask for; streams cost nothing more."""
BEAT = 20.0
"""Seconds after which a silent stream says that it is still there."""
RENEW_EVERY = 0.25
PAGES = {
    "/": "board.html",
    "/pairings": "pairings.html",
    "/standings": "standings.html",
    "/table": "table.html",
    "/organiser": "organiser.html",
}
FILES = ("hall.css", "common.js", "board.js", "lists.js", "table.js", "organiser.js", "icon.svg")
SHARED = ("patch.js",)
"""Files of the phones' page."""


class HallServer:
    """The handlers. `origins`: addresses by which browsers reach us besides the one they connect to."""

    def __init__(self, hall: Hall, organiser: Organiser, origins: tuple[str, ...] = ()) -> None:
        self._hall, self._organiser, self._origins = hall, organiser, origins
        self.board = HallBoard(hall)
        self._forms = Forms(hall)
        self._streams = Streams(MOST_STREAMS_EACH, MOST_STREAMS)
        self._reads = Rate(READS_A_MINUTE)
        self._news: set[asyncio.Event] = set()
        self._lists: dict[str, tuple[int, bytes]] = {}
        self.ending = asyncio.Event()
        ours = importlib.resources.files("companion.hall") / "page"
        porter = importlib.resources.files("companion.porter") / "page"
        self._files = {name: (ours / name).read_bytes() for name in (*FILES, *PAGES.values())}
        self._files |= {name: (porter / name).read_bytes() for name in SHARED}

    def app(self) -> ASGIApp:
        """The web application."""
        routes = [
            *(Route(path, self._page) for path in PAGES),
            Route("/page/{name}", self._file),
            Route("/words/{language}.json", self._words),
            Route("/events", self._events),
            Route("/pairings.json", self._list),
            Route("/standings.json", self._list),
            Route("/qr.svg", self._code),
            *self._forms.routes(),
            *self._organiser.routes(),
        ]
        return Guard(Starlette(routes=routes), self._origins)

    async def run(self) -> None:
        """Renew the board, and tell all streams what has changed, until this task is cancelled."""
        while True:
            await asyncio.sleep(RENEW_EVERY)
            if self.board.renew():
                self._wake()

    def end(self) -> None:
        """Let all streams end."""
        self.ending.set()
        self._wake()

    def _wake(self) -> None:
        for news in self._news:
            news.set()

    async def _page(self, request: Request) -> Response:
        return self._sent(PAGES[request.url.path])

    async def _file(self, request: Request) -> Response:
        name = request.path_params["name"]
        return self._sent(name) if name in (*FILES, *SHARED) else Response(status_code=404)

    def _sent(self, name: str) -> Response:
        return Response(self._files[name], media_type=KINDS[name.rpartition(".")[2]])

    async def _words(self, request: Request) -> Response:
        language = request.path_params["language"]
        if language not in LANGUAGES:
            return Response(status_code=404)
        return Response(_words_in(language), media_type="application/json")

    async def _list(self, request: Request) -> Response:
        """Pairings or standings, made once per version."""
        if not self._reads.allows(address_of(request), self._hall.clock()):
            return Response(status_code=429)
        path = request.url.path
        known = self._lists.get(path)
        if known is None or known[0] != self.board.lists_version:
            made = self.board.pairings() if path == "/pairings.json" else self.board.standings()
            known = self._lists[path] = (self.board.lists_version, msgspec.json.encode(made))
        return Response(known[1], media_type="application/json")

    async def _code(self, request: Request) -> Response:
        """A code that leads to the pairings, at the address this request came to."""
        return Response(code(f"{origin_of(request, self._origins)}/pairings"), media_type=KINDS["svg"])

    async def _events(self, request: Request) -> Response:
        address = address_of(request)
        if not self._streams.admits(address):
            return Response(status_code=429)
        return StreamOf(self._told(), lambda: self._streams.ended(address))

    async def _told(self) -> AsyncIterator[bytes]:
        """Everything once, then what has changed; who reads too slowly gets everything again."""
        news = asyncio.Event()
        self._news.add(news)
        try:
            version, whole = self.board.whole()
            yield whole
            while not self.ending.is_set():
                try:
                    await asyncio.wait_for(news.wait(), BEAT)
                except TimeoutError:
                    yield b": \n\n"
                    continue
                news.clear()
                version, events = self.board.after(version)
                for event in events:
                    yield event
        finally:
            self._news.discard(news)


@cache
def _words_in(language: str) -> bytes:
    return json.dumps(page_words(language)).encode()
