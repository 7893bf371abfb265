"""What phones reach: a page, its drawings, a stream of news, and answers. Plain HTTP on the house's network.

Nothing here knows a rule or keeps anything: tokens are in the phones' cookies, seats in the app.
"""

from __future__ import annotations

import asyncio
import hashlib
import importlib.resources
import json
import secrets
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from typing import Any

import h11
import msgspec
import uvicorn
from starlette.applications import Starlette
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

from companion.porter.addresses import addresses
from companion.porter.limits import (
    ANSWERS_A_MINUTE,
    CLAIMS_A_MINUTE,
    DEVICES_EACH,
    LOOKS_A_MINUTE,
    MOST_STREAMS,
    MOST_STREAMS_EACH,
    UNLIMITED,
    Rate,
    Streams,
)
from companion.porter.link import AppIsAway, Link, PageSent, Stream
from companion.wire import (
    MoreOptions,
    PhoneAnswer,
    PhoneEntry,
    PhoneHelp,
    PhoneShare,
    PhoneSteps,
    PhoneTick,
    PhoneUndo,
    PorterAddress,
    SeatClaim,
    WireReply,
)

COOKIE = "phone"
TOKEN_BYTES = 16
KEPT = 12 * 3600
"""Seconds for which a phone keeps its token: an evening."""
MOST_BODY = 4096
BEAT = 20.0
"""Seconds after which a silent stream says that it is still there."""
HEADERS_WITHIN = 5
"""Seconds a connection may take for its request, and stay open without one."""
ANYWHERE = "0.0.0.0"
LOOK_EVERY = 5.0
"""Seconds after which our addresses are looked up again: networks change."""
ALONE = 60.0
"""Seconds after which a child without an app ends."""
KINDS = {"html": "text/html", "css": "text/css", "js": "text/javascript", "svg": "image/svg+xml"}
FILES = ("page.html", "page.css", "page.js", "patch.js", "icon.svg")
HEADERS = {
    "Content-Security-Policy": "default-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}
LANGUAGES = ("en", "pl")


class Porter:
    """The web server's handlers."""

    def __init__(self, link: Link, clock: Callable[[], float], limited: bool = True) -> None:
        self.link, self._clock = link, clock
        self._streams = Streams(MOST_STREAMS_EACH if limited else MOST_STREAMS)
        self._answers, self._claims, self._looks = (
            (Rate(most if limited else UNLIMITED), Rate(most * DEVICES_EACH if limited else UNLIMITED))
            for most in (ANSWERS_A_MINUTE, CLAIMS_A_MINUTE, LOOKS_A_MINUTE)
        )
        folder = importlib.resources.files("companion.porter") / "page"
        self._files = {name: (folder / name).read_bytes() for name in FILES}
        whole = b"".join(self._files.values())
        self.edition = hashlib.sha256(whole).hexdigest()[:12]
        """Identifies the page: a phone with another one reloads it."""
        self._files["page.html"] = self._files["page.html"].replace(b"{{edition}}", self.edition.encode())
        self.ending = asyncio.Event()

    def app(self) -> ASGIApp:
        """The web application."""
        routes = [
            Route("/", self._page),
            Route("/page/{name}", self._file),
            Route("/picture/{id}.svg", self._picture),
            Route("/hello", self._hello, methods=["POST"]),
            Route("/events", self._events),
            Route("/say", self._say, methods=["POST"]),
            Route("/claim", self._claim, methods=["POST"]),
            Route("/look", self._look, methods=["POST"]),
        ]
        return Guard(Starlette(routes=routes))

    async def _page(self, request: Request) -> Response:
        return self._sent("page.html")

    async def _hello(self, request: Request) -> Response:
        """A device without a token gets one. The page asks for it: a link on another site brings no cookie here,
        and must not replace it."""
        response = Response(b"{}", media_type="application/json")
        if _token(request) is None:
            token = secrets.token_hex(TOKEN_BYTES)
            response.set_cookie(COOKIE, token, max_age=KEPT, httponly=True, samesite="strict")
        return response

    async def _file(self, request: Request) -> Response:
        name = request.path_params["name"]
        return self._sent(name) if name in self._files else Response(status_code=404)

    def _sent(self, name: str) -> Response:
        return Response(self._files[name], media_type=KINDS[name.rpartition(".")[2]])

    async def _picture(self, request: Request) -> Response:
        drawing = self.link.pictures.get(request.path_params["id"])
        if drawing is None or _token(request) is None:
            return Response(status_code=404)
        kept = {"Cache-Control": "private, max-age=43200, immutable"}
        return Response(drawing, media_type=KINDS["svg"], headers=kept)

    # The stream

    async def _events(self, request: Request) -> Response:
        token, language = _token(request), request.query_params.get("language", "en")
        address = request.client.host if request.client else ""
        if token is None or language not in LANGUAGES:
            return Response(status_code=403)
        if not self._streams.admits(address):
            return Response(status_code=429)
        stream = Stream(_device(token), language)
        return StreamOf(self._told(stream), lambda: self._ended(stream, address))

    def _ended(self, stream: Stream, address: str) -> None:
        self._streams.ended(address)
        with suppress(AppIsAway):
            self.link.leave(stream)

    async def _told(self, stream: Stream) -> AsyncIterator[bytes]:
        """Always the newest whole page, and nothing that a later one replaces."""
        yield _event("edition", json.dumps(self.edition).encode())
        with suppress(AppIsAway):
            self.link.arrive(stream)
        told: dict[str, bytes] = {}
        while not self.ending.is_set():
            for name, data in self._news(stream):
                if told.get(name) != data:
                    told[name] = data
                    yield _event(name, data)
            if stream.closed:
                return
            stream.news.clear()
            try:
                await asyncio.wait_for(stream.news.wait(), BEAT)
            except TimeoutError:
                yield b": \n\n"

    def _news(self, stream: Stream) -> list[tuple[str, bytes]]:
        if stream.closed:
            return [("elsewhere", b"{}")]
        words, page = self.link.words.get(stream.language), self.link.page(stream)
        found = [("link", b"true" if self.link.connected else b"false")]
        if words is not None:
            found.append(("words", msgspec.json.encode(words)))
        if page is not None:
            seat = msgspec.json.encode({"seat": stream.audience, "claiming": stream.claiming})
            found += [("bound", seat), ("page", _page_event(page))]
        return found

    # What phones say

    async def _say(self, request: Request) -> Response:
        return await self._asked(request, self._answers, _said)

    async def _claim(self, request: Request) -> Response:
        return await self._asked(request, self._claims, _claimed)

    async def _look(self, request: Request) -> Response:
        return await self._asked(request, self._looks, _looked)

    async def _asked(
        self, request: Request, rates: tuple[Rate, Rate], read: Callable[[dict[str, Any], int, str], Any]
    ) -> Response:
        """Answered only when the app has done it, or has refused."""
        token = _token(request)
        if token is None or request.headers.get("content-type") != "application/json":
            return Response(status_code=403)
        told = await _body(request)
        device = _device(token)
        if told is None:
            return Response(status_code=400)
        address = f"address {request.client.host if request.client else ''}"
        if not all(
            rate.allows(who, self._clock()) for rate, who in zip(rates, (device, address), strict=True)
        ):
            return Response(status_code=429)
        try:
            made = read(told, 0, device)
        except (KeyError, TypeError, msgspec.ValidationError):
            return Response(status_code=400)
        try:
            reply: WireReply = await self.link.ask(lambda id: msgspec.structs.replace(made, id=id))
        except AppIsAway:
            return Response(status_code=503)
        body = b'{"accepted":%s,"text":%s,"body":%s}' % (
            b"true" if reply.accepted else b"false",
            msgspec.json.encode(reply.text),
            bytes(reply.body),
        )
        return Response(body, status_code=200 if reply.accepted else 409, media_type="application/json")


def _said(told: dict[str, Any], id: int, device: str) -> Any:
    """An answer, a tick or an undo."""
    return _one_of({"answer": PhoneAnswer, "tick": PhoneTick, "undo": PhoneUndo}, told, id, device)


def _looked(told: dict[str, Any], id: int, device: str) -> Any:
    """What changes nothing in a play: more options, help, a finished play or its link, a count."""
    kinds = {
        "more": MoreOptions,
        "help": PhoneHelp,
        "share": PhoneShare,
        "steps": PhoneSteps,
        "entry": PhoneEntry,
    }
    return _one_of(kinds, told, id, device)


def _one_of(kinds: dict[str, Any], told: dict[str, Any], id: int, device: str) -> Any:
    kind = kinds[told.pop("kind")]
    return msgspec.convert({**told, "id": id, "device": device, "type": _tag(kind)}, kind)


def _claimed(told: dict[str, Any], id: int, device: str) -> Any:
    return msgspec.convert({"seat": told["seat"], "id": id, "device": device, "type": "claim"}, SeatClaim)


def _tag(kind: Any) -> Any:
    return kind.__struct_config__.tag


class StreamOf(StreamingResponse):
    """A stream of events; `ended` is called however it ends."""

    def __init__(self, events: AsyncIterator[bytes], ended: Callable[[], None]) -> None:
        super().__init__(events, media_type="text/event-stream")
        self._ended = ended

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._ended()


class Guard:
    """Lets through only requests to the address they arrived at, or to `origins`, and posts only from our own
    page."""

    def __init__(self, app: ASGIApp, origins: tuple[str, ...] = ()) -> None:
        self._app, self._origins = app, tuple(origin.encode() for origin in origins)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        if scope["type"] != "http":
            return
        refused = _refusal(scope, self._origins)
        if refused:
            await Response(status_code=refused, headers=HEADERS)(scope, receive, send)
            return

        async def sent(message: Any) -> None:
            if message["type"] == "http.response.start":
                names = {name for name, _ in message["headers"]}
                own = ((name.lower().encode(), value.encode()) for name, value in HEADERS.items())
                message["headers"] = [*message["headers"], *(pair for pair in own if pair[0] not in names)]
            await send(message)

        await self._app(scope, receive, sent)


def _refusal(scope: Scope, origins: tuple[bytes, ...]) -> int:
    """The status of a request from elsewhere: a name that leads here (DNS rebinding), a page of another site."""
    headers: dict[bytes, list[bytes]] = {}
    for name, value in scope["headers"]:
        headers.setdefault(name, []).append(value)
    host, port = scope["server"]
    ours = (f"http://{host}:{port}".encode(), *origins)
    if headers.get(b"host") not in [[one.partition(b"://")[2]] for one in ours]:
        return 421
    origin = headers.get(b"origin")
    if origin is not None and origin not in [[one] for one in ours]:
        return 403
    if scope["method"] == "POST":
        return 0 if origin is not None else 403
    return 0 if scope["method"] in ("GET", "HEAD") else 405


def _token(request: Request) -> str | None:
    """The device's token; it stays with the phone and the porter."""
    token = request.cookies.get(COOKIE, "")
    right = len(token) == 2 * TOKEN_BYTES and all(letter in "0123456789abcdef" for letter in token)
    return token if right else None


def _device(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()[:32]


async def _body(request: Request) -> dict[str, Any] | None:
    """The JSON of a request; None if it is too long or none."""
    data = b""
    with suppress(ClientDisconnect):
        async for part in request.stream():
            data += part
            if len(data) > MOST_BODY:
                return None
    try:
        told = msgspec.json.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
    return told if isinstance(told, dict) else None


def _event(name: str, data: bytes) -> bytes:
    """One event; JSON has no line breaks."""
    return b"event: %s\ndata: %s\n\n" % (name.encode(), data)


def _page_event(page: PageSent) -> bytes:
    return b'{"version":%s,"body":%s}' % (msgspec.json.encode(page.version), page.body)


# Running


class Impatient(H11Protocol):
    """Closes a connection that does not send its request in time."""

    _closing: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Somebody connects: the time begins."""
        super().connection_made(transport)
        self._watch()

    def data_received(self, data: bytes) -> None:
        """A whole request stops the time."""
        super().data_received(data)
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        """Nothing is waited for."""
        self._stop()
        super().connection_lost(exc)

    def _watch(self) -> None:
        if self.conn.their_state not in (h11.IDLE, h11.SEND_BODY):
            self._stop()
        elif self._closing is None:
            self._closing = self.loop.call_later(HEADERS_WITHIN, self._late)

    def _stop(self) -> None:
        if self._closing is not None:
            self._closing.cancel()
            self._closing = None

    def _late(self) -> None:
        self._closing = None
        if self.conn.their_state in (h11.IDLE, h11.SEND_BODY):
            self.transport.close()


async def serve(path: str, host: str, port: int, limited: bool = True, child: bool = False) -> int:
    """Serve phones until a signal, or, as a child, until the app is gone for good."""
    loop = asyncio.get_running_loop()
    link = Link(path)
    porter = Porter(link, loop.time, limited)
    try:
        listening = socket.create_server((host, port), backlog=64)
    except OSError as e:
        link.address = PorterAddress((), port, str(e.strerror or e)[:200])
        return await _tell_only(link)
    here = (host,) if host != ANYWHERE else addresses()
    link.address = PorterAddress(here, listening.getsockname()[1])
    server = uvicorn.Server(
        uvicorn.Config(
            porter.app(),
            http=Impatient,
            ws="none",
            lifespan="off",
            log_config=None,
            log_level="critical",  # what strangers send is no news
            access_log=False,
            proxy_headers=False,
            server_header=False,
            date_header=False,
            limit_concurrency=128,
            h11_max_incomplete_event_size=8192,
            timeout_keep_alive=HEADERS_WITHIN,
            timeout_graceful_shutdown=1,
        )
    )
    connecting = loop.create_task(link.keep_connected())
    minding = loop.create_task(_mind(link, porter, server, child, host == ANYWHERE))
    try:
        await server.serve(sockets=[listening])
    finally:
        for task in (connecting, minding):
            task.cancel()
    return 0


async def _tell_only(link: Link) -> int:
    """The port is taken: say so to the app, which starts us again later."""
    with suppress(TimeoutError):
        await asyncio.wait_for(link.keep_connected(), 3)
    return 4


async def _mind(link: Link, porter: Porter, server: uvicorn.Server, child: bool, everywhere: bool) -> None:
    """Let streams end with the server; end a child without an app; tell new addresses."""
    loop = asyncio.get_running_loop()
    looked = loop.time()
    while True:
        await asyncio.sleep(0.2)
        if everywhere and loop.time() - looked > LOOK_EVERY:
            looked = loop.time()
            link.moved(addresses())
        if server.should_exit:
            porter.ending.set()
            for stream in link.streams.values():
                stream.news.set()
        if child and link.gone_since is not None and loop.time() - link.gone_since > ALONE:
            server.should_exit = True
