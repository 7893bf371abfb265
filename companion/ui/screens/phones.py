"""Join with a phone: the codes to scan, and who has come."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from companion.core.words import say
from companion.errors import StorageTrouble
from companion.table import requests, wifi
from companion.table.marks import Mark
from companion.table.phone_seats import PhoneClaim
from companion.ui.toolkit.draw import Badge
from companion.ui.toolkit.kit import Column, Icon, Part, Plate, Row, Scroll, Split, Tap, Words, theme
from companion.ui.toolkit.qr_code import Code
from companion.ui.toolkit.screen import AppQuestion, Screen

if TYPE_CHECKING:
    from companion.ui.toolkit.context import Context

CODE = 300
LONG = 45.0
"""Seconds after which the page says what may be wrong if no phone has come."""


class Phones(Screen):
    """The switch, the code with the address, and each seat: joined, to be confirmed now, or at the table."""

    name = "phones"

    def __init__(self, app: Context) -> None:
        super().__init__(app)
        self._since = self.desk.clock()
        self._waited = False
        self._hosted = wifi.hosted()
        self._first = True
        """Whether the code of our own network is shown, before that of the address."""

    def build(self) -> Part:
        title, now = self.t("phones.title"), self.app.phones.now
        on = self.desk.settings.phones
        words = self.t("phones.switch-off" if on else "phones.switch-on")
        switch = Tap(words, partial(self.desk.change, phones=not on), name="phones-switch", size="tile")
        if not on:
            told = [Words(self.t("phones.what"), "body"), Words(self.t("phones.who-can"), "note", "dim")]
            return self.page(title, Scroll(Column([*told, switch], gap=14), key="phones"))
        if self._hosted is not None and self._first:
            return self._own_network(title, self._hosted)
        if now.trouble or not now.addresses:
            text = self.t("phones.trouble", why=now.trouble) if now.trouble else self.t("phones.starting")
            if now.port and not now.trouble:
                text = self.t("phones.no-network")
            return self.page(title, Column([Plate(Words(text, "body")), *self._hosting(), switch], gap=14))
        address = f"http://{now.addresses[0]}:{now.port}/"
        code, told = Code(address, CODE), [Words(address, "body", bold=True), *self._told()]
        claims = [self._claim(claim) for claim in now.claims]
        seats = [*told, *self._seats(), self._guests(), *self._hosting(), switch]
        if theme().wide:
            return self.page(
                title, Split([code, Scroll(Column([*claims, *seats], gap=8), key="phones")], (1, 1.15))
            )
        return self.page(title, Scroll(Column([*claims, code, *seats], gap=8), key="phones"))

    # Our own network

    def _own_network(self, title: str, own: wifi.OwnNetwork) -> Part:
        """First the network, then the address."""
        name = Words(f"{own.network} · {own.password}", "body", bold=True)
        told = Words(self.t("phones.first-network", n=wifi.MOST_PHONES), "body")
        further = Tap(self.t("phones.then-address"), self._turn, kind="main", name="then-address")
        code, parts = Code(own.code, CODE), [name, told, further]
        if theme().wide:
            return self.page(title, Split([code, Scroll(Column(parts, gap=10), key="own")], (1, 1.15)))
        return self.page(title, Scroll(Column([code, *parts], gap=10), key="own"))

    def _turn(self) -> None:
        self._first = not self._first
        self.app.refresh()

    def _hosting(self) -> list[Part]:
        """Where this machine can make a network: begin, show or end it."""
        if not requests.may_ask():
            return []
        if self._hosted is None:
            return [Tap(self.t("phones.host"), self._ask_host, icon="wifi-strength-4", name="host")]
        show = Tap(self.t("phones.show-network"), self._turn, icon="wifi-strength-4", name="show-network")
        end = Tap(
            self.t("phones.unhost"), partial(self._request, wifi.unhost), icon="wifi-off", name="unhost"
        )
        return [show, end]

    def _ask_host(self) -> None:
        choices: list[tuple[str, Callable[[], object]]] = [
            (self.t("phones.host-do"), partial(self._request, wifi.host)),
            (self.t("ui.cancel"), lambda: None),
        ]
        why = self.t("phones.host-why", n=wifi.MOST_PHONES)
        self.app.ask(lambda: AppQuestion(self.t("phones.host-ask"), choices, why))

    def _request(self, asking: Callable[[], None]) -> None:
        try:
            asking()
        except StorageTrouble as trouble:
            self.app.tell(trouble.text, "refused", trouble=True)
        else:
            self.app.tell(say("phones.in-a-moment"))

    def _told(self) -> list[Part]:
        """Which network, what to do, and after a while what may be wrong."""
        news = wifi.news()
        here = [network.name for network in (news.networks if news else None) or () if network.here]
        network = self.t("phones.network", name=here[0]) if here else self.t("phones.same-network")
        told: list[Part] = [Words(network, "body"), Words(self.t("phones.how"), "note", "dim")]
        if self._waited and not self.app.phones.now.joined and not self.app.phones.now.guests:
            told.append(Plate(Words(self.t("phones.nobody-comes"), "note"), edge="accent"))
        return told

    def _seats(self) -> list[Part]:
        if self.desk.play is None:
            return [Words(self.t("phones.no-play"), "note", "dim")]
        joined = self.app.phones.now.joined
        names = self.desk.session.setup.seats
        return [
            self._seat(name, mark, name in joined)
            for name, mark in zip(names, self.desk.marks(), strict=True)
        ]

    def _seat(self, name: str, mark: Mark, joined: bool) -> Part:
        state = self.t("phones.joined" if joined else "phones.at-the-table")
        sign = Icon("check-circle", "body", "good") if joined else None
        words = Column([Words(name, "body", bold=True), Words(state, "detail", "dim")], gap=0)
        return Plate(Row([Badge(mark, 40 / theme().text), words.fill(), sign]), pad=8)

    def _claim(self, claim: PhoneClaim) -> Part:
        """A seat that a phone claims: its button confirms, or a tap here."""
        decide = self.app.phones.decide
        told = Words(self.t("phones.press-now", seat=claim.name), "note", "accent", bold=True)
        yes = Tap(
            self.t("phones.yes", seat=claim.name),
            partial(decide, claim.device, True),
            kind="main",
            name=f"claim-yes-{claim.seat}",
        )
        no = Tap(icon="close", on_tap=partial(decide, claim.device, False), name=f"claim-no-{claim.seat}")
        return Plate(Column([told, Row([yes.fill(), no])], gap=6), edge="accent")

    def _guests(self) -> Part | None:
        guests = self.app.phones.now.guests
        return Words(self.t("phones.guests", n=guests), "note", "dim") if guests else None

    def tick(self) -> None:
        if requests.may_ask() and (hosted := wifi.hosted()) != self._hosted:
            self._hosted, self._first = hosted, True
            self.app.refresh()
        if not self._waited and self.desk.clock() - self._since > LONG:
            self._waited = True
            self.app.refresh()
