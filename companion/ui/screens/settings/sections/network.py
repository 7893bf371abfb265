"""The network of a machine of our own: the current one, and how to choose another."""

from __future__ import annotations

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
