"""The table's side of phones: makes their pages, and proposes what they answer.

It has a thread of its own, as the panel has. The porter, another process, is connected by a Unix socket and
knows only finished pages. Who has which seat is kept here: a claim counts when somebody at the table confirms
it, by a tap or by that seat's button. From a phone come answers to open questions of its seat, ticks of its
tasks, and taking back its own last answer; nothing else.
"""

from __future__ import annotations

import queue
import secrets
import threading
import time
import traceback
from collections import OrderedDict
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from companion.core.entries import Undone
from companion.core.own_view import own
from companion.core.questions import Answer, Question
from companion.core.words import Text, say
from companion.results.bgstats import link_of
from companion.table.counting import Entered, TableCounted
from companion.table.desk import AtOnce, Desk, NoPlay, TasksTicked
from companion.table.error_log import write_down
from companion.table.marks import marks_for
from companion.table.phone_counting import CountingPages
from companion.table.phone_drawings import Drawer, Pictures
from companion.table.phone_pages import PageMaker, task_id
from companion.table.phone_seats import MOST_DEVICES, NOTICED, PhoneClaim, PhoneSeats
from companion.table.phone_words import page_words
from companion.table.porter_process import SOCKET, PorterProcess, socket_folder
from companion.table.process_socket import ProcessSocket
from companion.table.settings import Settings
from companion.table.signals import Outcome, PlayNow, SeenState
from companion.texts import LANGUAGES, render
from companion.wire import (
    GUEST,
    DeviceArrived,
    DeviceBound,
    DeviceLeft,
    FromPorter,
    MoreOptions,
    PhoneAnswer,
    PhoneEntry,
    PhoneHelp,
    PhonePage,
    PhonePicture,
    PhoneRequest,
    PhoneShare,
    PhoneSteps,
    PhoneTexts,
    PhoneTick,
    PhoneUndo,
    PorterAddress,
    SeatClaim,
    WireReply,
    WireTrouble,
)

MOST_VERSIONS = 64


class PhonesNow(Struct, frozen=True):
    """What the table's screen shows about phones."""

    on: bool = False
    addresses: tuple[str, ...] = ()
    port: int = 0
    trouble: str = ""
    claims: tuple[PhoneClaim, ...] = ()
    joined: frozenset[str] = frozenset()
    """The names of people whose phones are here."""
    guests: int = 0


class _LinkMade(Struct, frozen=True):
    """The link of a play for the request with this number; empty if it could not be made."""

    id: int
    link: str


class _Decided(Struct, frozen=True):
    """Somebody at the table confirmed a claim, or declined it."""

    device: str
    confirmed: bool


class _Waiting(Struct, frozen=True):
    """A request whose outcome is not on the disk yet."""

    signal: object
    id: int
    language: str


class PhoneSide:
    """Phones at a desk; `changed` is called in the screen's thread when `now` is another."""

    def __init__(
        self,
        desk: Desk,
        folder: Path,
        clock: Callable[[], float] = time.monotonic,
        porter: PorterProcess | None = None,
    ) -> None:
        self._desk, self._folder, self.clock = desk, folder, clock
        self._porter = porter or PorterProcess(socket_folder(folder))
        self.now = PhonesNow()
        self.changed: Callable[[], None] = lambda: None
        self.claimed: Callable[[frozenset[int]], object] = lambda seats: None
        """Called in this thread with the seats that are claimed: their lamps ask for a press."""
        self._settings = desk.settings
        self._play: PlayNow | None = None
        self._ticked: frozenset[tuple[int, str]] = frozenset()
        self._pictures = Pictures()
        self._epoch, self._count = secrets.token_hex(4), 0
        self._versions: OrderedDict[str, SeenState] = OrderedDict()
        self._counted = TableCounted()
        self._maker: tuple[str, PageMaker | CountingPages] | None = None
        """Makes the pages of the newest version."""
        self._seats = PhoneSeats(folder)
        self._here: dict[str, str] = {}
        self._waiting: list[_Waiting] = []
        self._drawn: set[str] = set()
        self._addressed = PorterAddress((), 0)
        self._inbox: queue.SimpleQueue[AtOnce | _Decided | _LinkMade] = queue.SimpleQueue()
        self._stopped = threading.Event()
        self._socket: ProcessSocket[FromPorter] = ProcessSocket(
            FromPorter, self._connected, self._take, self._lost
        )
        self._thread = threading.Thread(target=self._run, name="phones", daemon=True)
        desk.listen_at_once(self._put)

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def stop(self) -> None:
        """Close everything; phones show that the table is gone."""
        self._stopped.set()
        self._socket.rouse()
        if self._thread.is_alive():
            self._thread.join()
        self._close()
        self._socket.end()

    # Called by other threads

    def decide(self, device: str, confirmed: bool) -> None:
        """Somebody at the table confirms a device's claim, or declines it."""
        self._inbox.put(_Decided(device, confirmed))
        self._socket.rouse()

    def pressed(self, seat: int) -> bool:
        """Whether the press of a seat's button is about a claim, and no answer; it confirms what people could see."""
        claim = next((c for c in self.now.claims if c.seat == seat and self.clock() < c.until), None)
        if claim is not None and self.clock() >= claim.since + NOTICED:
            self.decide(claim.device, confirmed=True)
        return claim is not None

    def _put(self, event: AtOnce | _LinkMade) -> None:
        self._inbox.put(event)
        self._socket.rouse()

    # The thread

    def _run(self) -> None:
        while not self._stopped.is_set():
            try:
                self.step()
            except Exception:  # a bug: the table goes on, and the porter connects again
                write_down(self._folder, traceback.format_exc())
                self._socket.hang_up()

    @property
    def _due(self) -> float | None:
        times = [claim.until for claim in self._seats.claims.values()]
        if self._porter_is_missing and (next_ := self._porter.due()) is not None:
            times.append(next_)
        return min(times, default=None)

    @property
    def _porter_is_missing(self) -> bool:
        return self._socket.listening and not self._socket.is_connected

    def step(self, most: float | None = None) -> None:
        """Wait until something happens, at most this many seconds, and handle it."""
        waits = [t for t in (most, None if self._due is None else self._due - self.clock()) if t is not None]
        self._socket.wait(max(0.0, min(waits)) if waits else None)
        while not self._inbox.empty():
            self._hear(self._inbox.get())
        self._pass_time(self.clock())

    def _hear(self, event: AtOnce | _Decided | _LinkMade) -> None:
        match event:
            case Settings():
                self._settings = event
                self._switch(event.phones)
                self._renew()
            case TasksTicked(keys):
                self._ticked = keys
                self._renew()
            case PlayNow():
                self._play, self._ticked, self._counted = event, frozenset(), TableCounted()
                self._begin_again()
            case NoPlay():
                self._play = None
                self._begin_again()
            case TableCounted():
                before = self._names
                self._counted = event
                if self._names == before:
                    self._renew()
                else:
                    self._begin_again()
            case Outcome():
                if event.changed and self._play is not None:
                    self._play = replace(self._play, session=event.session, questions=event.questions)
                    self._renew()
                self._report(event)
            case _Decided(device, confirmed):
                self._decide(device, confirmed)
            case _LinkMade(id, link):
                self._send_body(id, {"link": link})

    def _begin_again(self) -> None:
        """Other people may sit at the table."""
        self._versions.clear()
        self._seats.claims.clear()
        self._refuse_waiting()
        self._renew()
        self._bind_all()

    @property
    def _names(self) -> tuple[str, ...]:
        """Who plays, or whose finished table is counted."""
        if self._play is not None:
            return self._play.session.setup.seats
        return () if self._counted.played is None else self._counted.played.seats

    def _pass_time(self, at: float) -> None:
        late = self._seats.lapsed(at)
        for device in late:
            self._bind(device)
        if self._porter_is_missing:
            self._porter.missing(at)
        if late:
            self._show()

    # Listening

    def _switch(self, on: bool) -> None:
        if on and not self._socket.listening:
            self._listen()
        elif not on and self._socket.listening:
            self._close()
            self._seats.forget_all()
        self._show()

    def _listen(self) -> None:
        folder = self._porter.folder
        try:
            self._socket.listen(folder / SOCKET, 0o660 if folder != self._folder else 0o600)
        except OSError as e:
            self._addressed = PorterAddress((), 0, str(e.strerror)[:200])
            return
        self._addressed = PorterAddress((), 0)
        self._porter.begin(self.clock())

    def _close(self) -> None:
        if self._socket.listening:
            self._socket.close()
            self._porter.end()

    def _connected(self) -> None:
        """A porter connects: it begins with whole pages."""
        for language in LANGUAGES:
            self._send(PhoneTexts(language, page_words(language)))

    def _lost(self) -> None:
        self._addressed = PorterAddress((), 0)
        self._here.clear()
        self._drawn.clear()
        self._waiting.clear()
        self._seats.claims.clear()
        self._show()

    def _send(self, message: Any) -> None:
        self._socket.send(message)

    # Pages

    def _renew(self) -> None:
        """Something has changed: everybody who is here gets a new page."""
        if not self._socket.listening:
            return
        self._count += 1
        if self._play is not None:
            self._versions[self._version] = SeenState(self._play.session, asked=self._play.questions)
            while len(self._versions) > MOST_VERSIONS:
                self._versions.popitem(last=False)
        for audience, language in sorted({(self._audience(d), lang) for d, lang in self._here.items()}):
            self._send_page(audience, language)

    @property
    def _version(self) -> str:
        return f"{self._epoch}-{self._count}"

    def _send_page(self, audience: int, language: str) -> None:
        if not self._socket.is_connected:
            return
        body = b'{"play":null}'
        if self._maker is None or self._maker[0] != self._version:
            made = self._make()
            self._maker = None if made is None else (self._version, made)
        if self._maker is not None:
            body = self._maker[1].body(audience, language)
            self._send_pictures(self._maker[1].drawer.used)
        with suppress(WireTrouble):
            self._send(PhonePage(audience, language, self._version, msgspec.Raw(body)))

    def _make(self) -> PageMaker | CountingPages | None:
        """What makes pages of how things are now; None if there is nothing to show."""
        if self._play is not None:
            seen = SeenState(self._play.session, asked=self._play.questions)
            return self._maker_of(seen)
        played = self._counted.played
        if played is None:
            return None
        drawer = Drawer(played.rules, self._pictures)
        return CountingPages(
            self._counted, marks_for(played.seats, self._settings.people), drawer, self._joined
        )

    def _maker_of(self, seen: SeenState) -> PageMaker:
        """What makes pages of what a version showed."""
        drawer = Drawer(seen.session.game, self._pictures)
        return PageMaker(
            seen.session, seen.asked, self._settings, self._ticked, drawer, self._joined, self._counted
        )

    def _send_pictures(self, used: set[str]) -> None:
        for id in used - self._drawn:
            if id in self._pictures.svg:  # one of long ago may be gone
                self._drawn.add(id)
                self._send(PhonePicture(id, self._pictures.svg[id]))

    # Devices

    @property
    def _joined(self) -> frozenset[str]:
        return self._seats.names & frozenset(self._names)

    def _audience(self, device: str) -> int:
        """The seat of a device at this table, or `GUEST`."""
        name = self._seats.name(device)
        return GUEST if name not in self._names else self._names.index(name)

    def _bind(self, device: str) -> None:
        claim = self._seats.claims.get(device)
        self._send(DeviceBound(device, self._audience(device), None if claim is None else claim.seat))

    def _bind_all(self) -> None:
        for device in self._here:
            self._bind(device)
        self._show()

    def _take(self, message: FromPorter) -> None:
        match message:
            case PorterAddress():
                self._addressed = message
                self._show()
            case DeviceArrived(device, language):
                if device not in self._here and len(self._here) >= MOST_DEVICES:
                    return
                self._here[device] = language if language in LANGUAGES else LANGUAGES[0]
                self._seats.came(device, self._desk.clock())
                self._bind(device)
                self._send_page(self._audience(device), self._here[device])
                self._show()
            case DeviceLeft(device):
                self._here.pop(device, None)
                self._show()
            case (
                SeatClaim()
                | PhoneAnswer()
                | PhoneUndo()
                | PhoneTick()
                | MoreOptions()
                | PhoneHelp()
                | PhoneShare()
                | PhoneSteps()
                | PhoneEntry()
            ):
                refused = self._handle(message)
                if refused is not None:
                    self._reply(message.id, self._language(message.device), False, refused)

    def _language(self, device: str) -> str:
        return self._here.get(device, LANGUAGES[0])

    def _reply(self, id: int, language: str, accepted: bool, text: Text | None) -> None:
        self._send(WireReply(id, accepted, "" if text is None else render(text, language)))

    def _handle(self, request: PhoneRequest) -> Text | None:
        """Do what a device asks for; why not, if it is refused at once."""
        if request.device not in self._here:
            return say("phone.reload")
        if isinstance(request, SeatClaim):
            return self._claim(request)
        seat, seen = self._audience(request.device), self._versions.get(request.version)
        if seat == GUEST:
            return say("phone.not-your-seat")
        if isinstance(request, PhoneEntry):
            return self._enter(request, seat)
        if seen is None or self._play is None:
            return say("core.meanwhile")
        if isinstance(request, PhoneTick):
            return self._tick(request, seat, seen)
        if isinstance(request, PhoneSteps):
            return self._steps(request)
        if isinstance(request, PhoneShare):
            return self._share(request)
        if isinstance(request, PhoneHelp) and request.component:
            return self._told_of(request, seat, seen)
        if self._play.session.paused:
            return say("core.paused-now")
        if isinstance(request, PhoneUndo):
            return self._undo(request, seat, seen)
        mine = own(seen.session, seat, seen.asked).questions
        whose = None if request.table else seat
        question = next((q for q in mine if (q.seat, q.slug) == (whose, request.slug)), None)
        if question is None:
            return say("core.meanwhile")
        if isinstance(request, MoreOptions):
            return self._more(request, question, seen)
        if isinstance(request, PhoneHelp):
            helped = self._maker_of(seen).help(question, self._language(request.device))
            self._send_body(request.id, helped)
            return None
        return self._answer(request, question, seen)

    def _answer(self, request: PhoneAnswer, question: Question, seen: SeenState) -> Text | None:
        if question.form is not None:
            return say("phone.tell-at-table")  # facts are told at the table
        dice = question.dice is not None and bool(question.parts(request.option))
        if question.option(request.option) is None and not dice:
            return say("core.not-offered", question=question.text)
        answer = Answer(question.seat, question.slug, request.option)
        self._waiting.append(_Waiting(answer, request.id, self._language(request.device)))
        if not self._desk.propose(answer, seen=seen):
            self._waiting.pop()
            return say("core.meanwhile")
        return None

    def _undo(self, request: PhoneUndo, seat: int, seen: SeenState) -> Text | None:
        undoes = own(seen.session, seat, seen.asked).undoes
        if not undoes:
            return say("phone.not-your-answer")
        deed = Undone(undoes)
        self._waiting.append(_Waiting(deed, request.id, self._language(request.device)))
        self._desk.propose(deed, seen=seen)
        return None

    def _tick(self, request: PhoneTick, seat: int, seen: SeenState) -> Text | None:
        tasks = own(seen.session, seat, seen.asked).tasks
        task = next((task for task in tasks if task_id(task) == request.task), None)
        if task is None:
            return say("core.meanwhile")
        self._desk.clerk.post(lambda: self._desk.tick_off_elsewhere(task.key))
        self._reply(request.id, self._language(request.device), True, None)
        return None

    def _more(self, request: MoreOptions, question: Question, seen: SeenState) -> Text | None:
        maker = self._maker_of(seen)
        options = maker.options(question, request.start, self._language(request.device))
        self._send_pictures(maker.drawer.used)
        self._send_body(request.id, options)
        return None

    def _steps(self, request: PhoneSteps) -> Text | None:
        """The finished play as it was after so many deeds."""
        assert self._play is not None
        if not self._play.session.over:
            return say("core.meanwhile")
        maker = self._maker_of(SeenState(self._play.session))
        shown = maker.step(request.deed, self._language(request.device))
        self._send_pictures(maker.drawer.used)
        self._send_body(request.id, shown)
        return None

    def _share(self, request: PhoneShare) -> Text | None:
        """The link of the finished play: the clerk makes it."""
        assert self._play is not None
        if not self._play.session.over:
            return say("core.meanwhile")
        id, play = request.id, self._play.id
        self._desk.clerk.do(
            lambda journal, binder: link_of(journal, play),
            lambda link: self._put(_LinkMade(id, link)),
            lambda trouble: self._put(_LinkMade(id, "")),
        )
        return None

    def _told_of(self, request: PhoneHelp, seat: int, seen: SeenState) -> Text | None:
        if request.component not in seen.session.catalogue:
            return say("core.meanwhile")
        told = self._maker_of(seen).card(request.component, seat, self._language(request.device))
        self._send_body(request.id, told)
        return None

    def _send_body(self, id: int, body: Any) -> None:
        self._send(WireReply(id, True, body=msgspec.Raw(msgspec.json.encode(body))))

    def _enter(self, request: PhoneEntry, seat: int) -> Text | None:
        """A value of this seat in a finished table: the screen takes it, and shows it on the next page."""
        if self._counted.played is None or self._counted.shown:
            return say("core.meanwhile")
        entry = Entered(self._names[seat], request.what, request.value)
        self._desk.clerk.post(lambda: self._desk.entered(entry))
        self._reply(request.id, self._language(request.device), True, None)
        return None

    def _report(self, outcome: Outcome) -> None:
        """Tell the phone whose answer this is the outcome of."""
        for waiting in [one for one in self._waiting if one.signal is outcome.signal]:
            self._waiting.remove(waiting)
            accepted = outcome.how in ("accepted", "done") and outcome.trouble is None
            text = outcome.trouble.text if outcome.trouble is not None else None
            self._reply(waiting.id, waiting.language, accepted, text)

    def _refuse_waiting(self) -> None:
        for waiting in self._waiting:
            self._reply(waiting.id, waiting.language, False, say("core.meanwhile"))
        self._waiting.clear()

    # Claims

    def _claim(self, request: SeatClaim) -> Text | None:
        device = request.device
        if request.seat == GUEST:
            self._seats.give_back(device)
        elif refused := self._seats.claim(device, request.seat, self._names, self.clock()):
            return refused
        self._reply(request.id, self._language(device), True, None)
        self._moved(device)
        return None

    def _decide(self, device: str, confirmed: bool) -> None:
        if self._seats.decide(device, confirmed, self.clock(), self._desk.clock()):
            self._moved(device)

    def _moved(self, device: str) -> None:
        """A device has another seat, or waits for one: everybody sees who has a phone."""
        self._bind(device)
        self._renew()
        self._show()

    # The table's screen

    def _show(self) -> None:
        """Show the screen how things are, if they have changed."""
        here = [self._audience(device) for device in self._here]
        names = self._names
        now = PhonesNow(
            self._socket.listening,
            self._addressed.addresses,
            self._addressed.port,
            self._addressed.trouble,
            tuple(self._seats.claims.values()),
            frozenset(names[seat] for seat in here if seat != GUEST),
            here.count(GUEST),
        )
        if now != self.now:
            if now.claims != self.now.claims:
                self.claimed(frozenset(claim.seat for claim in now.claims))
            self.now = now
            self._desk.clerk.post(lambda: self.changed())
