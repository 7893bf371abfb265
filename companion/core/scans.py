"""Cards before a camera that looks at the table all the time: which of them are scans, and which merely lie there."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from companion.core.session import Session
from companion.core.understand import Accept, Questions, Sighted, understand
from companion.core.words import plain, say
from companion.errors import Ambiguous


class Scans(Struct, frozen=True):
    """What a camera has met so far in a play."""

    met: frozenset[str] = frozenset()

    def come(self, session: Session, cards: Iterable[Sighted]) -> tuple[Scans, Arrival]:
        """The cards that came into one picture.

        A card seen for the first time where it belongs is no scan: it was only laid down, or the camera was only
        switched on.
        """
        cards, on_table = tuple(cards), session.game.on_table(session.state)
        lying = [c for c in cards if c.component not in self.met and c.component in on_table]
        met = Scans(self.met | {card.component for card in cards})
        return met, Arrival(tuple(c for c in cards if c not in lying), tuple(c.component for c in lying))


class Arrival(Struct, frozen=True):
    """What came: scans to be understood one after another, and what merely lies there."""

    scans: tuple[Sighted, ...]
    lying: tuple[str, ...]


def clash(session: Session, cards: tuple[Sighted, ...], asked: Questions | None = None) -> Ambiguous | None:
    """Why these cards of one picture cannot be meant together: several that would answer one question are no answer."""
    asked = session.questions() if asked is None else asked
    meant = [(m.answer, c) for c in cards if isinstance(m := understand(session, c, asked), Accept)]
    if len({(answer.seat, answer.slug) for answer, _ in meant}) == len(meant):
        return None
    catalogue = session.catalogue
    names = tuple(plain(catalogue[card.component].name) for _, card in meant)
    return Ambiguous(say("see.one-at-a-time", names=names), tuple(card.component for _, card in meant))
