"""What is printed on the cards, in words."""

from __future__ import annotations

from collections.abc import Iterator

from companion.core.components import Component
from companion.core.forms import field_words
from companion.core.printed_facts import Printed
from companion.core.words import Text, plain, say
from companion.games.race.cards import ActionCard, Card, deck, say_power
from scoring.race import Match, Term

TEACHABLE = ("cost", "defense", "points", "good")
"""Fields for which an owner may teach another printed value."""


def printed(component: Component) -> tuple[Printed, ...]:
    """Every fact of a card in words, in the order in which a card is read, from the top."""
    rows = _of_card(component) if isinstance(component, Card) else _of_action(component)
    return tuple(row for row in rows if row.values)


def _of_action(component: Component) -> Iterator[Printed]:
    assert isinstance(component, ActionCard)
    yield _row("phase", say(f"race.phase.{component.phase}"))
    yield _number("copies", component.copies)


def _of_card(card: Card) -> Iterator[Printed]:
    yield _row("kind", say(f"race.printed.{card.kind}"))
    yield from (_number(name, getattr(card, name)) for name in ("cost", "defense", "points"))
    yield _row("good", *([say(f"race.good.{card.good}")] if card.good else []))
    yield _row("world", *([say(f"race.printed.{card.world}")] if card.world else []))
    yield _row("keywords", *(say(f"race.keyword.{word}") for word in sorted(card.keywords)))
    yield _row("powers", *(_power(say(f"race.phase.{p.phase}"), say_power(p)) for p in card.powers))
    yield _row("scoring", *(_term(term) for term in card.scoring))
    yield _number("start", card.start)
    yield _number("first_hand", card.first_hand)
    yield _number("copies", card.copies)


def _row(field: str, *values: Text) -> Printed:
    return Printed(field, field_words("race", field), values, field in TEACHABLE)


def _number(field: str, value: int | None) -> Printed:
    return _row(field, *([] if value is None else [plain(str(value))]))


def _power(phase: Text, power: Text) -> Text:
    return say("race.power-of", card=phase, power=power)


def _term(term: Term) -> Text:
    """What a six-cost development counts."""
    if term.each is not None:
        return say("race.term.each", points=term.points, what=_match(term.each))
    return say(f"race.term.{term.per}", points=term.points, divisor=term.divisor)


def _match(match: Match) -> Text:
    """Which cards are meant; the slug names the condition."""
    asked = {name: value for name in match.__struct_fields__ if (value := getattr(match, name)) is not None}
    words: dict[str, Text] = {}
    if match.card is not None:
        words["card"] = deck("first")[match.card].called
    if match.good is not None:
        words["good"] = say(f"race.good.{match.good}")
    if match.power_in is not None:
        words["phase"] = say(f"race.phase.{match.power_in}")
    shown = [str(asked[name]) for name in ("kind", "world", "keyword") if name in asked]
    shown += [name for name in ("card", "military", "power_in") if name in asked]
    return say(f"race.match.{'-'.join(shown).replace('_', '-')}" + ("-six" if match.cost else ""), **words)
