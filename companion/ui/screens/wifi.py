"""Wi-Fi: the networks, the password of one, and the result of joining it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from companion.core.words import Text, say
from companion.errors import StorageTrouble
from companion.table import requests, wifi
from companion.ui.toolkit.keyboard import Keyboard, TextField, Typing
from companion.ui.toolkit.kit import Column, Icon, Page, Part, Plate, Row, Scroll, Tap, Words
from companion.ui.toolkit.screen import Screen

if TYPE_CHECKING:
    from companion.ui.toolkit.context import Context

ESCAPE = "27"
PATIENCE = 90.0
"""Seconds after which we stop waiting for the privileged service."""


class Wifi(Screen):
    """The networks in range; a tap joins one, after asking for its password if it has one."""

    name = "wifi"

    def __init__(self, app: Context) -> None:
        super().__init__(app)
        self.news = wifi.news()
        self.asked: Text | None = None
        """The pending request to the privileged service, in words."""
        self.before: wifi.WifiNews | None = None
        self.until = 0.0
        self.outcome: tuple[Text, bool] | None = None
        self.chosen: wifi.Network | None = None
        self.typing: Typing | None = None
        self.refused: Text | None = None

    def enter(self) -> None:
        if requests.may_ask():
            self._ask(say("wifi.listening"), wifi.listen)

    def build(self) -> Part:
        if self.typing is not None and self.chosen is not None:
            return self._password(self.chosen, self.typing)
        again = Tap(
            self.t("ui.look-again"),
            None if self.asked is not None else self.enter,
            icon="refresh",
            kind="quiet" if self.asked is not None else "plain",
            name="look-again",
        )
        known = (self.news.networks if self.news is not None else None) or ()
        networks = [self._network(n, network) for n, network in enumerate(known)]
        told = [self._told(), *networks, Words(self.t("wifi.what-for"), "note", "dim")]
        return self.page(self.t("wifi.title"), Scroll(Column(told, gap=8), key="networks"), None, [again])

    def _told(self) -> Part | None:
        """What is in progress, otherwise the last result."""
        if self.asked is not None:
            return Row([Icon("timer", "prompt", "dim"), Words(self.desk.words(self.asked), "body").fill()])
        if self.outcome is None:
            return None
        text, good = self.outcome
        icon, tone = ("check-circle", "good") if good else ("alert-circle", "bad")
        return Plate(
            Row([Icon(icon, "prompt", tone), Words(self.desk.words(text), "body").fill()]), edge=tone
        )

    def _network(self, n: int, network: wifi.Network) -> Part:
        detail = "wifi.here" if network.here else "wifi.locked" if network.locked else "wifi.open"
        return Tap(
            network.name,
            None if self.asked is not None else partial(self._choose, network),
            icon=f"wifi-strength-{network.bars}",
            detail=self.t("wifi.heard", how=self.t(detail), strength=network.strength),
            chosen=network.here,
            part=Icon("lock", "body", "dim") if network.locked else None,
            name=f"network-{n}",
        )

    def _password(self, network: wifi.Network, typing: Typing) -> Part:
        back = Tap(icon="arrow-left", kind="quiet", on_tap=self._stop_typing, name="back")
        top = Row([back, TextField(typing, self.t("wifi.password", network=network.name)).fill()])
        told = Words(self.t("wifi.password", network=network.name), "note", "dim")
        if self.refused is not None:
            words = Words(self.desk.words(self.refused), "body").fill()
            return Page(top, Row([Icon("alert-circle", "prompt", "bad"), words]), self._keys(typing))
        return Page(top, told, self._keys(typing))

    def _keys(self, typing: Typing) -> Part:
        return Keyboard(typing, self.t("wifi.join"))

    # Input

    def _choose(self, network: wifi.Network) -> None:
        self.chosen, self.refused, self.outcome = network, None, None
        if not network.locked:
            self._join(network, "")
            return
        self.typing = Typing("", self._changed, self._typed_password, longest=wifi.LONGEST, password=True)
        self.app.refresh()

    def _changed(self) -> None:
        if self.refused is not None:
            self.refused = None
            self.app.refresh()

    def _typed_password(self) -> None:
        assert self.typing is not None
        assert self.chosen is not None
        if not wifi.possible(self.typing.text):
            self.refused = say("wifi.impossible", shortest=wifi.SHORTEST, longest=wifi.LONGEST)
            self.app.refresh()
            return
        password, self.typing = self.typing.text, None
        self._join(self.chosen, password)

    def _join(self, network: wifi.Network, password: str) -> None:
        self._ask(say("wifi.joining", network=network.name), lambda: wifi.join(network.name, password))

    def _stop_typing(self) -> None:
        self.typing = None
        self.app.refresh()

    def _ask(self, words: Text, asking: Callable[[], None]) -> None:
        self.before = wifi.news()
        try:
            asking()
        except StorageTrouble as trouble:
            self.app.tell(trouble.text, "refused", trouble=True)
        else:
            self.asked, self.until = words, self.desk.clock() + PATIENCE
        self.app.refresh()

    def typed(self, key: str, character: str | None) -> bool:
        if self.typing is None:
            return False
        if key == ESCAPE:
            self._stop_typing()
            return True
        return self.typing.typed(key, character)

    # Answers of the privileged service

    def tick(self) -> None:
        if self.asked is None:
            return
        now = wifi.news()
        if now is not None and now != self.before:
            self.heard(now)
        elif self.desk.clock() > self.until:
            self.asked, self.outcome = None, (say("wifi.no-answer"), False)
            self.app.refresh()

    def heard(self, news: wifi.WifiNews) -> None:
        """Show this news; if it has no networks, the earlier list stays."""
        kept = self.news.networks if self.news is not None else None
        self.asked = None
        self.news = news if news.networks is not None else wifi.WifiNews(news.state, news.at, networks=kept)
        if news.state == "listed":
            empty = not news.networks
            self.outcome = (say("wifi.nothing-heard"), False) if empty else self.outcome
        else:
            self.outcome = (news.text, news.good)
        self.app.refresh()
