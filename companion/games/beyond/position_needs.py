"""The facts needed to score a finished table, and which of them are missing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from companion.core.words import Text, plain, say
from companion.games.beyond.component_types import Event
from companion.games.beyond.position_table import GIVEN, WORTH, Faction, Table, claim_points, for_scoring
from companion.games.beyond.power_words import every
from companion.games.beyond.sheet import worth_of
from scoring import beyond as scoring
from scoring.beyond import Counted, Untold
from scoring.sheet import Sheet

FIELDS: dict[Counted, str] = {
    "food-removed": "food_discs",
    "ore-removed": "ore_discs",
    "population": "population",
    "ore": "ore",
}
"""The field of a seat that gives what a '?' counts."""


def missing(faction: Faction, table: Table) -> Iterator[Text]:
    """What cannot be scored for a faction, and what would help; also given points that cannot be right."""
    for untold in scoring.untold(for_scoring(faction, table)):
        yield _asked(untold, faction, table)
    yield from _worth_problems(faction, table)


def _asked(untold: Untold, faction: Faction, table: Table) -> Text:
    if untold.card is None:
        key = "no-track" if untold.step == "automation" else "unnamed"
        return say(f"beyond.position.{key}", seat=faction.where, step=untold.step)
    card = table.cards.by_id[untold.card]
    if untold.step == "achievements":
        key = "no-slots" if table.slots(card.id) is None else "which-slot"
        return say(f"beyond.position.{key}", seat=faction.where, card=card.called, id=card.id)
    if untold.per is None:
        key = "no-formula" if getattr(card, "points", None) == "?" else "no-points"
        return say(f"beyond.position.{key}", seat=faction.where, card=card.called, id=card.id)
    if untold.per in FIELDS:
        return say("beyond.position.no-field", seat=faction.where, card=card.called, field=FIELDS[untold.per])
    counts = every(untold.per, 1)
    return say("beyond.position.no-count", seat=faction.where, card=card.called, id=card.id, counts=counts)


def _worth_problems(faction: Faction, table: Table) -> Iterator[Text]:
    """Given points that are for something absent, too high, or different from the sheet's own result."""
    own = {card.id for card in faction.printing} | set(faction.achievements)
    counted = for_scoring(faction, table)
    for id, n in faction.worth.items():
        if id not in own and id not in GIVEN:
            yield say("beyond.position.worth-elsewhere", seat=faction.where, id=id)
        elif not 0 <= n <= WORTH:
            yield say("beyond.position.worth", seat=faction.where, id=id, n=n, most=WORTH)
        else:
            points = _whole_step(id, faction, table) if id in GIVEN else _card(id, faction, table, counted)
            if points is not None and points != n:
                what = plain(id) if id in GIVEN else table.cards.by_id[id].called
                yield say("beyond.position.disagrees", seat=faction.where, what=what, n=n, points=points)


def _card(id: str, faction: Faction, table: Table, counted: scoring.Seat) -> int | None:
    """The points of a card as the sheet would count them; None for an event that names whom it pays."""
    if id in faction.achievements:
        return claim_points(id, faction, table)
    card = next(card for card in faction.printing if card.id == id)
    if isinstance(card, Event) and card.lies != "before-you":
        return None
    return counted.worth(worth_of(card))


def _whole_step(step: str, faction: Faction, table: Table) -> int | None:
    """The points of a step as the sheet would count them; None if only its points are given."""
    seat = for_scoring(faction, table)
    listed: Mapping[str, object] = {
        "level-4": seat.level_4,
        "automation": seat.automation,
        "systems": seat.systems,
        "events": seat.events,
        "achievements": seat.achievements,
    }
    alone = scoring.without(seat, step)
    if not listed[step] or any(untold.step == step for untold in scoring.untold(alone)):
        return None
    lines = scoring.score([alone]).seats[0].lines
    return next(line.points for line in lines if line.what == step)


# Ties

TIES: tuple[tuple[str, ...], ...] = (("food_discs", "ore_discs"), ("population",), ("ore",))
"""What must be known to break a tie, in this order."""


def ties_missing(sheet: Sheet, table: Table) -> tuple[tuple[Faction, ...], tuple[str, ...]] | None:
    """The factions tied for the lead and the fields still needed; None if the winner is known."""
    tied = [faction for faction in table.factions if faction.seat.name in sheet.tied]
    tie = {seat.name: seat.tie for seat in sheet.seats}
    for n, fields in enumerate(TIES):
        if len(tied) < 2:
            return None
        if any(not isinstance(getattr(faction.seat, field), int) for faction in tied for field in fields):
            return tuple(tied), fields
        best = max(tie[faction.seat.name][n] for faction in tied)
        tied = [faction for faction in tied if tie[faction.seat.name][n] == best]
    return None


def tie_problems(sheet: Sheet, table: Table) -> Sequence[Text]:
    """An error: a tie cannot be broken without more facts."""
    found = ties_missing(sheet, table)
    if found is None:
        return ()
    tied, fields = found
    seats = tuple(plain(faction.where) for faction in tied)
    return (say("beyond.position.tie", seats=seats, fields=tuple(map(plain, fields))),)
