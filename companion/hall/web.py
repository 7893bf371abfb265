"""What the hall's handlers share: who asks, bodies with a limit, answers, codes."""

from __future__ import annotations

import io
import ipaddress
from contextlib import suppress
from typing import Any

import msgspec
import segno
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from companion.core.words import Text
from companion.texts import LANGUAGES, render


def address_of(request: Request) -> str:
    """Who is counted: an address. Behind a proxy on this machine all look alike, so each connection counts alone."""
    if request.client is None:
        return ""
    host, port = request.client.host, request.client.port
    try:
        return f"{host} {port}" if ipaddress.ip_address(host).is_loopback else host
    except ValueError:
        return host


async def body_of(request: Request, most: int) -> bytes | None:
    """The JSON of a post; None if it is too long, or of another kind."""
    if request.headers.get("content-type") != "application/json":
        return None
    data = b""
    with suppress(ClientDisconnect):
        async for part in request.stream():
            data += part
            if len(data) > most:
                return None
    return data


def as_json(value: Any, status: int = 200) -> Response:
    """A value as JSON."""
    return Response(msgspec.json.encode(value), status_code=status, media_type="application/json")


def refused(text: Text, language: str) -> Response:
    """Why something was not done."""
    return as_json({"trouble": render(text, language)}, 409)


def language_of(request: Request) -> str:
    """The language a page asks in."""
    language = request.query_params.get("language", "en")
    return language if language in LANGUAGES else "en"


def origin_of(request: Request, origins: tuple[str, ...]) -> str:
    """The address this request came to, which its guard has checked."""
    host = request.headers["host"]
    return next((one for one in origins if one.partition("://")[2] == host), f"http://{host}")


def code(text: str) -> bytes:
    """This text as a QR code in SVG, dark on white whatever the theme."""
    made = io.BytesIO()
    segno.make(text, error="m", micro=False).save(
        made, kind="svg", border=4, dark="#000", light="#fff", xmldecl=False, nl=False, omitsize=True
    )
    return made.getvalue()
