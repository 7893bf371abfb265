"""What the app and the porter say to each other over a Unix socket: JSON values, each after its length.

The app is the only one that knows rules, secrets and people. It sends finished pages; the porter passes them
to phones, and passes on what phones say. Both begin with `WireHello` and end the connection if the other
speaks another version.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import Annotated, Any, Generic, TypeVar

import msgspec
from msgspec import Meta, Raw, Struct

WIRE = 3
"""Raise this whenever a message changes."""
MOST_BYTES = 256 * 1024
"""No message is longer."""
GUEST = -1
"""The audience that only watches."""

DeviceId = Annotated[str, Meta(pattern="^[0-9a-f]{32}$")]
"""What the app knows a device by: made from its token, which stays with the porter."""
RequestId = Annotated[int, Meta(ge=0, le=2**53)]
VersionId = Annotated[str, Meta(max_length=40)]
LanguageCode = Annotated[str, Meta(pattern="^[a-z]{2}$")]
Slug = Annotated[str, Meta(max_length=120)]
SeatNumber = Annotated[int, Meta(ge=0, le=20)]

_LENGTH = struct.Struct(">I")


class WireTrouble(Exception):
    """The other side does not keep to the format: the connection ends."""


class WireHello(Struct, frozen=True, tag="hello"):
    """The first message of both sides."""

    wire: int = WIRE


# From the app


class PhoneTexts(Struct, frozen=True, tag="texts"):
    """The words of the page itself in one language, by slug."""

    language: str
    words: dict[str, str]


class PhonePicture(Struct, frozen=True, tag="picture"):
    """A drawing as SVG; its id follows from its contents."""

    id: str
    svg: str


class PhonePage(Struct, frozen=True, tag="page"):
    """The newest page of a seat, or of guests, in one language."""

    audience: int
    language: str
    version: str
    body: Raw


class DeviceBound(Struct, frozen=True, tag="bound"):
    """Which pages a device gets, and which seat it has claimed without confirmation yet."""

    device: str
    audience: int = GUEST
    claiming: int | None = None


class WireReply(Struct, frozen=True, tag="reply", omit_defaults=True):
    """The result of a request: done and on disk, or why not; perhaps with what was asked for."""

    id: int
    accepted: bool
    text: str = ""
    body: Raw = Raw(b"null")


FromApp = WireHello | PhoneTexts | PhonePicture | PhonePage | DeviceBound | WireReply


# From the porter


class PorterAddress(Struct, frozen=True, tag="address"):
    """Where phones reach the porter; `trouble` if it cannot listen, as the system's words."""

    addresses: tuple[Annotated[str, Meta(max_length=60)], ...]
    port: Annotated[int, Meta(ge=0, le=65535)]
    trouble: Annotated[str, Meta(max_length=200)] = ""


class DeviceArrived(Struct, frozen=True, tag="arrived"):
    """A device has opened the page, or changed its language."""

    device: DeviceId
    language: LanguageCode


class DeviceLeft(Struct, frozen=True, tag="left"):
    """A device has closed the page, or sleeps."""

    device: DeviceId


class SeatClaim(Struct, frozen=True, tag="claim"):
    """A device claims a seat, or with `GUEST` gives its seat up."""

    id: RequestId
    device: DeviceId
    seat: Annotated[int, Meta(ge=-1, le=20)]


class PhoneAnswer(Struct, frozen=True, tag="answer"):
    """A device answers the question that its page of this version showed, its seat's or the whole table's."""

    id: RequestId
    device: DeviceId
    version: VersionId
    slug: Slug
    table: bool
    option: Annotated[str, Meta(max_length=1000)]


class PhoneUndo(Struct, frozen=True, tag="undo"):
    """A device takes back its seat's own last answer."""

    id: RequestId
    device: DeviceId
    version: VersionId


class PhoneTick(Struct, frozen=True, tag="tick"):
    """A device ticks off one of its seat's tasks."""

    id: RequestId
    device: DeviceId
    version: VersionId
    task: Slug


class MoreOptions(Struct, frozen=True, tag="more"):
    """A device asks for the options of a question from this one on."""

    id: RequestId
    device: DeviceId
    version: VersionId
    slug: Slug
    table: bool
    start: Annotated[int, Meta(ge=0, le=100_000)]


class PhoneHelp(Struct, frozen=True, tag="help"):
    """A device asks for help with a question, or about a component in view."""

    id: RequestId
    device: DeviceId
    version: VersionId
    slug: Slug = ""
    table: bool = False
    component: Annotated[str, Meta(max_length=200)] = ""


class PhoneShare(Struct, frozen=True, tag="share"):
    """A device asks for the link that gives a finished play to BG Stats."""

    id: RequestId
    device: DeviceId
    version: VersionId


class PhoneSteps(Struct, frozen=True, tag="steps"):
    """A device looks at a finished play as it was after so many deeds; -1 for all."""

    id: RequestId
    device: DeviceId
    version: VersionId
    deed: Annotated[int, Meta(ge=-1, le=100_000)]


class PhoneEntry(Struct, frozen=True, tag="entry"):
    """A device enters a value of its seat while a finished table is counted: how many of a component, or a number."""

    id: RequestId
    device: DeviceId
    version: VersionId
    what: Slug
    value: Annotated[int, Meta(ge=-(10**6), le=10**6)]


PhoneRequest = (
    SeatClaim
    | PhoneAnswer
    | PhoneUndo
    | PhoneTick
    | MoreOptions
    | PhoneHelp
    | PhoneShare
    | PhoneSteps
    | PhoneEntry
)
FromPorter = (
    WireHello
    | PorterAddress
    | DeviceArrived
    | DeviceLeft
    | SeatClaim
    | PhoneAnswer
    | PhoneUndo
    | PhoneTick
    | MoreOptions
    | PhoneHelp
    | PhoneShare
    | PhoneSteps
    | PhoneEntry
)

Message = TypeVar("Message")


def packed(message: Any) -> bytes:
    """A message as bytes; raises `WireTrouble` if it is too long."""
    body = msgspec.json.encode(message)
    if len(body) > MOST_BYTES:
        raise WireTrouble(f"{type(message).__name__} is too long")
    return _LENGTH.pack(len(body)) + body


class WireReader(Generic[Message]):
    """Turns the bytes of a connection into messages; the first must be a `WireHello` of our version."""

    def __init__(self, messages: Any) -> None:
        self._decoder: msgspec.json.Decoder[Message] = msgspec.json.Decoder(messages)
        self._buffer = bytearray()
        self._greeted = False

    def feed(self, data: bytes) -> Iterator[Message]:
        """The messages completed by these bytes; raises `WireTrouble` for anything that is none."""
        self._buffer += data
        while len(self._buffer) >= _LENGTH.size:
            (length,) = _LENGTH.unpack_from(self._buffer)
            if length > MOST_BYTES:
                raise WireTrouble("a message is too long")
            end = _LENGTH.size + length
            if len(self._buffer) < end:
                return
            body = bytes(self._buffer[_LENGTH.size : end])
            del self._buffer[:end]
            try:
                message = self._decoder.decode(body)
            except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as e:
                raise WireTrouble("not a message") from e
            if isinstance(message, WireHello):
                if message.wire != WIRE:
                    raise WireTrouble("another version")
                self._greeted = True
            elif not self._greeted:
                raise WireTrouble("no greeting")
            else:
                yield message
