"""Cards before a camera that looks at the table all the time: which of them are scans, and which merely lie there."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from companion.core.session import Session
from companion.core.understand import Accept, Sighted, understand
from companion.core.words import plain, say
from companion.errors import Ambiguous


class Scans(Struct, frozen=True):
    """What a camera has met so far in a play."""

    met: frozenset[str] = frozenset()

    def come(self, session: Session, cards: Iterable[Sighted]) -> tuple[Scans, Arrival]:
        """The cards that came into one picture.

        A card seen for the first time where it belongs is no scan: it was only laid down, or the camera was only
        switched on. Several cards that would answer the same question are no answer.
        """
        cards, on_table = tuple(cards), session.game.on_table(session.state)
        lying = [c for c in cards if c.component not in self.met and c.component in on_table]
        fresh = tuple(c for c in cards if c not in lying)
        met = Scans(self.met | {card.component for card in cards})
        meant = [(m.answer, c) for c in fresh if isinstance(m := understand(session, c), Accept)]
        if len({(answer.seat, answer.slug) for answer, _ in meant}) < len(meant):
            catalogue = session.catalogue
            names = tuple(plain(catalogue[card.component].name) for _, card in meant)
            ids = tuple(card.component for _, card in meant)
            trouble = Ambiguous(say("see.one-at-a-time", names=names), ids)
            return met, Arrival((), tuple(c.component for c in lying), trouble)
        return met, Arrival(fresh, tuple(c.component for c in lying))


class Arrival(Struct, frozen=True):
    """What came: scans to be understood one after another, what merely lies there, or why nothing can be meant."""

    scans: tuple[Sighted, ...]
    lying: tuple[str, ...]
    trouble: Ambiguous | None = None
