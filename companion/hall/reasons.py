"""Why somebody sits where they sit, in words."""

from __future__ import annotations

from companion.core.words import Text, plain, say
from companion.hall.pairing import Reason
from companion.hall.tournament import Tournament


def reason_text(reason: Reason, tournament: Tournament) -> Text:
    """One reason as a sentence."""
    kind = "level" if reason.kind == "near" and reason.low == reason.high else reason.kind
    return say(
        f"hall.why-{kind}",
        names=tuple(plain(tournament.shown(player)) for player in reason.players),
        times=reason.count,
        low=figure(reason.low),
        high=figure(reason.high),
    )


def figure(value: float) -> Text:
    """Wins or points, with as many decimals as they need."""
    return Text("core.decimal", {"number": f"{value:.4g}"})
