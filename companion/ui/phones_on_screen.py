"""Phones beside the window: their side of the table, and the question whether a phone is somebody's."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from companion.core.words import say
from companion.table.phone_seats import PhoneClaim
from companion.table.phone_side import PhoneSide, PhonesNow
from companion.ui.toolkit.screen import AppQuestion

if TYPE_CHECKING:
    from companion.ui.toolkit.context import WindowContext


class PhonesOnScreen:
    """The phones of one window. They stay with people's own table while a demonstration is shown."""

    def __init__(self, app: WindowContext) -> None:
        self.app = app
        self.side: PhoneSide | None = None
        self._asked: tuple[str, AppQuestion] | None = None
        self._joined: frozenset[str] = frozenset()
        """Whose phones were announced: one that wakes up is no news."""

    def connect(self) -> None:
        """Begin: from now on the switch in the settings takes effect."""
        self.side = PhoneSide(self.app.desk, self.app.folder)
        self.side.changed = self.changed
        if self.app.panel.seats is not None:
            self.app.panel.seats.confirms = self.side.pressed
            self.side.claimed = self.app.panel.seats.show_claims
        self.side.start()

    def stop(self) -> None:
        """Phones show that the table is gone."""
        if self.side is not None:
            self.side.stop()

    @property
    def now(self) -> PhonesNow:
        """What there is to show."""
        return PhonesNow() if self.side is None else self.side.now

    def decide(self, device: str, confirmed: bool) -> None:
        """Confirm a claim, or decline it."""
        if self.side is not None:
            self.side.decide(device, confirmed)

    def changed(self) -> None:
        """Show what has changed: on the page for joining, or as a question on any other."""
        claims = {claim.device: claim for claim in self.now.claims}
        for name in sorted(self.now.joined - self._joined):
            self.app.tell(say("phones.has-joined", seat=name))
        self._joined = self.now.joined | (self._joined if self.now.on else frozenset())
        if self._asked is not None and self._asked[0] not in claims:
            if self.app.asked is self._asked[1]:
                self.app.dismiss()
            self._asked = None
        if self.app.screen.name in ("phones", "settings"):
            self.app.refresh()
        elif claims and self._asked is None and self.app.asked is None and self.app.guide is None:
            self._ask(next(iter(claims.values())))

    def _ask(self, claim: PhoneClaim) -> None:
        def asking() -> AppQuestion:
            question = claim_question(self.app.desk.say, claim, self.decide)
            self._asked = claim.device, question
            return question

        self.app.ask(asking)


def claim_question(
    say: Callable[..., str], claim: PhoneClaim, decide: Callable[[str, bool], None]
) -> AppQuestion:
    """Whether a phone is really this person's; pressing the button at that seat answers it, too."""
    choices = [
        (say("phones.yes", seat=claim.name), partial(decide, claim.device, True)),
        (say("phones.no"), partial(decide, claim.device, False)),
    ]
    return AppQuestion(say("phones.claims", seat=claim.name), choices, say("phones.claims-more"), equal=True)
