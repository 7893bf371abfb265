"""What people hear: a sound, the panel's buzzer, perhaps a spoken sentence. Nothing is heard before it is written."""

from __future__ import annotations

from collections.abc import Callable

from companion.core.agenda import waited_for
from companion.core.questions import Answer
from companion.core.session import Session
from companion.core.words import Text
from companion.table.desk import Desk
from companion.table.settings import SOUNDS
from companion.table.signals import Outcome
from devices.speech import Speech


class Voice:
    """Plays sounds for a desk; `sound` plays one of the `SOUNDS`."""

    def __init__(self) -> None:
        self.sound: Callable[[str], None] = lambda kind: None
        self.can_play: Callable[[str], bool] = lambda kind: True
        self.speech = Speech()
        self.buzz: Callable[[str], None] = lambda kind: None

    def outcome(self, desk: Desk, outcome: Outcome) -> None:
        """Play what is worth hearing about an outcome."""
        if _worth_a_sound(outcome):
            self.hear(desk, outcome.how, outcome.text)
        if kind := turning(outcome.before, outcome.session):
            self.hear(desk, kind)

    def hear(self, desk: Desk, kind: str, text: Text | None = None) -> None:
        """Play this sound, and speak the sentence if people want that."""
        settings = desk.settings
        self.sound(kind)
        if kind in SOUNDS and kind not in settings.silent and settings.volume:
            self.buzz(kind)
        words = (text or _worth_saying(desk, kind)) if kind in settings.spoken else None
        if words is not None:
            self.speech.say(desk.words(words), desk.language, settings.volume)


def _worth_a_sound(outcome: Outcome) -> bool:
    """Whether an outcome has a sound: after tapping an option, people see the result anyway."""
    if outcome.how == "accepted":
        return outcome.text is not None or not isinstance(outcome.signal, Answer)
    return outcome.text is not None


def _worth_saying(desk: Desk, kind: str) -> Text | None:
    """The sentence for a sound that came without one; nothing secret."""
    if desk.play is None:
        return None
    if kind == "turn":
        asked = [desk.session.asked(q) for q in desk.questions() if not q.secret]
        return asked[0] if len(asked) == 1 else None
    alerts = desk.session.view.alerts if kind in ("end-near", "over") else ()
    return alerts[0] if alerts else None


def turning(before: Session, after: Session) -> str:
    """The sound of a change: the play is over, its end is near, cards were revealed, or it is somebody else's
    turn."""
    if before is after:
        return ""
    if after.over:
        return "" if before.over else "over"
    alerts = [session.view.alerts for session in (before, after)]
    if alerts[1] and not alerts[0]:
        return "end-near"
    if any(item.kind == "reveal" for item in after.moments[-1].state.news):
        return "reveal"
    return "turn" if waited_for(after.state) - waited_for(before.state) - {None} else ""
