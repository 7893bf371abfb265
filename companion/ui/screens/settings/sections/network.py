"""Wi-Fi of a machine of our own, phones as second screens, and a hall of tables."""

from __future__ import annotations

from functools import partial

from companion.table import requests, wifi
from companion.ui.screens.settings.sections.section import Section
from companion.ui.toolkit.kit import Part, Tap, Words
from companion.ui.toolkit.screen import Showing


class Wireless(Section):
    """Wi-Fi, on machines where it can be requested."""

    name = "wifi"
    icon = "wifi-strength-4"

    @classmethod
    def there(cls) -> bool:
        return requests.may_ask()

    def parts(self) -> list[Part]:
        return [way(self), Words(self.t("wifi.what-for"), "note", "dim")]


class PhonesSection(Section):
    """Phones: a switch, off by default, and the way to the page for joining."""

    name = "phones"
    icon = "qrcode"

    def parts(self) -> list[Part]:
        on = self.desk.settings.phones
        change = partial(self.desk.change, phones=not on)
        switch = self.switch(self.t("phones.switch"), on, change, "phones", self.t("phones.what"))
        join = Tap(
            self.t("phones.title"),
            lambda: self.app.go("phones"),
            icon="qrcode",
            detail=self._where(),
            name="join",
        )
        more = [join] if on else []
        return [switch, *more, Words(self.t("phones.who-can"), "note", "dim")]

    def _where(self) -> str:
        now = self.app.phones.now
        return f"http://{now.addresses[0]}:{now.port}/" if now.addresses else self.t("phones.starting")


class HallSection(Section):
    """A hall: a switch, off by default, and the way to its page."""

    name = "hall"
    icon = "trophy"

    def parts(self) -> list[Part]:
        on = self.desk.settings.hall
        change = partial(self.desk.change, hall=not on)
        switch = self.switch(self.t("hall-table.switch"), on, change, "hall", self.t("hall-table.what"))
        page = Tap(
            self.t("hall-table.title"),
            lambda: self.app.go("hall"),
            icon="trophy",
            detail=hall_words(self),
            name="hall-page",
        )
        return [switch, *([page] if on else [])]


def hall_words(shown: Showing) -> str:
    """How the connection with the hall is."""
    now = shown.app.hall.now
    if now.credentials is None:
        return shown.t("hall-table.no-credentials")
    if now.connected:
        return shown.t("hall-table.connected")
    host = now.credentials.host
    if now.trouble:
        return shown.t("hall-table.away", host=host, why=now.trouble)
    return shown.t("hall-table.connecting", host=host)


def way(shown: Showing) -> Tap:
    """The button to the networks, with the name of the current one."""
    news = wifi.news()
    here = [network for network in (news.networks if news is not None else None) or () if network.here]
    return Tap(
        shown.t("wifi.choose"),
        lambda: shown.app.go("wifi"),
        icon=f"wifi-strength-{here[0].bars}" if here else "wifi-off",
        detail=shown.t("wifi.in", network=here[0].name) if here else shown.t("wifi.optional"),
        name="wifi",
    )
