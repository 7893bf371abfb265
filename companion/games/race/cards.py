"""The cards as typed values: a closed vocabulary of powers, read from `components.toml`."""

from __future__ import annotations

import importlib.resources
from collections.abc import Iterator
from functools import cache, cached_property
from typing import Annotated, Any, Literal, TypeVar

from msgspec import Meta, Struct, field
from msgspec.structs import replace

from companion.core.components import Catalogue, Component, Fact, Facts, SaidBy, fact_of, read_toml
from companion.core.words import Text, say
from scoring.race import Card as ScoredCard
from scoring.race import Term

Good = Literal["novelty", "rare", "genes", "alien"]
GOODS: tuple[Good, ...] = ("novelty", "rare", "genes", "alien")
PRICE: dict[str, int] = {"novelty": 2, "rare": 3, "genes": 4, "alien": 5}
"""Cards for a good sold. The appendix of the Polish rulebook prints 4 for alien; the phase's own page has 5."""

Phase = Literal["explore", "develop", "settle", "trade", "consume", "produce"]


Digit = Annotated[int, Meta(ge=0, le=9)]
"""No cost, defence or number of points of this box has two digits."""


class Power(Struct, frozen=True, tag_field="does", kw_only=True):
    """Something a card in the tableau does in a phase."""

    phase: Phase


class DrawExtra(Power, frozen=True, tag="draw-extra"):
    """Explore: see more cards."""

    cards: int


class KeepExtra(Power, frozen=True, tag="keep-extra"):
    """Explore: keep more cards."""

    cards: int


class DrawAtStart(Power, frozen=True, tag="draw-at-start"):
    """Draw when the phase begins."""

    cards: int


class DrawAfterPlacing(Power, frozen=True, tag="draw-after-placing"):
    """Draw after placing a card in this phase."""

    cards: int


class ReduceCost(Power, frozen=True, tag="reduce-cost"):
    """Pay less; in Settle perhaps only for worlds of one kind of good."""

    amount: int
    good: Good | None = None


class Military(Power, frozen=True, tag="military"):
    """Military against every world; may be negative."""

    amount: int


class MilitaryAgainstGood(Power, frozen=True, tag="military-against-good"):
    """Military against worlds with one kind of good."""

    amount: int
    good: Good


class MilitaryAgainstRebels(Power, frozen=True, tag="military-against-rebels"):
    """Military against Rebel worlds."""

    amount: int


class DiscardForMilitary(Power, frozen=True, tag="discard-for-military"):
    """Discard the card from the tableau for Military in this phase."""

    amount: int


class DiscardToSettleFree(Power, frozen=True, tag="discard-to-settle-free"):
    """Discard the card from the tableau to settle a non-military world without paying."""

    except_good: Good


class PayForMilitary(Power, frozen=True, tag="pay-for-military"):
    """Pay for a military world (its defence less `reduction`) instead of conquering it."""

    reduction: int
    except_good: Good


class TradeBonus(Power, frozen=True, tag="trade-bonus"):
    """More cards for a good sold."""

    cards: int
    good: Good | None = None


class TradeBonusHere(Power, frozen=True, tag="trade-bonus-here"):
    """More cards for a good sold from this world."""

    cards: int


class ConsumeEach(Power, frozen=True, tag="consume-each"):
    """Consume up to `goods` goods, as many as there are; points and cards for each."""

    goods: int
    good: Good | None = None
    points: int = 0
    cards: int = 0


class ConsumeSet(Power, frozen=True, tag="consume-set"):
    """Consume exactly `goods` goods for one reward."""

    goods: int
    good: Good | None = None
    different: bool = False
    points: int = 0
    cards: int = 0


class ConsumeAll(Power, frozen=True, tag="consume-all"):
    """Consume all goods for one point less than their number."""


class ConsumeForPrice(Power, frozen=True, tag="consume-for-price"):
    """Consume a good for cards at its trade price."""

    with_trade_powers: bool = False


class DiscardHand(Power, frozen=True, tag="discard-hand"):
    """You may discard cards from your hand for points, never doubled."""

    cards: int
    points: int


class Gamble(Power, frozen=True, tag="gamble"):
    """Name a number from 1 to 7 and turn over the top card; keep it if its cost or defence is that number."""


class Draw(Power, frozen=True, tag="draw"):
    """Draw cards."""

    cards: int


class ProduceHere(Power, frozen=True, tag="produce-here"):
    """A production world produces its good."""


class ProduceOnWindfall(Power, frozen=True, tag="produce-on-windfall"):
    """Produce a good on a windfall world, perhaps only of one kind."""

    good: Good | None = None


class DrawIfProducedHere(Power, frozen=True, tag="draw-if-produced-here"):
    """Draw if this world produced a good."""

    cards: int


class DrawIfMost(Power, frozen=True, tag="draw-if-most"):
    """Draw if you produced more goods of a kind than every other player."""

    good: Good
    cards: int


class DrawPerGood(Power, frozen=True, tag="draw-per-good"):
    """Draw for each good of a kind produced in this phase."""

    good: Good
    cards: int


class DrawPerKind(Power, frozen=True, tag="draw-per-kind"):
    """Draw for each different kind of good produced in this phase."""

    cards: int


class DrawPerWorld(Power, frozen=True, tag="draw-per-world"):
    """Draw for each world in the tableau with a kind of good, whether or not a good lies on it."""

    good: Good
    cards: int


AnyPower = (
    DrawExtra
    | KeepExtra
    | DrawAtStart
    | DrawAfterPlacing
    | ReduceCost
    | Military
    | MilitaryAgainstGood
    | MilitaryAgainstRebels
    | DiscardForMilitary
    | DiscardToSettleFree
    | PayForMilitary
    | TradeBonus
    | TradeBonusHere
    | ConsumeEach
    | ConsumeSet
    | ConsumeAll
    | ConsumeForPrice
    | DiscardHand
    | Gamble
    | Draw
    | ProduceHere
    | ProduceOnWindfall
    | DrawIfProducedHere
    | DrawIfMost
    | DrawPerGood
    | DrawPerKind
    | DrawPerWorld
)
P = TypeVar("P", bound=Power)


class Card(Component, frozen=True, kw_only=True, dict=True):
    """A world or a development."""

    kind: Literal["world", "development"]
    start: int | None = None
    first_hand: int | None = None
    cost: Digit | None = None
    defense: Digit | None = None
    points: Digit | None = None
    good: Good | None = None
    world: Literal["windfall", "production"] | None = None
    keywords: frozenset[str] = frozenset()
    powers: tuple[AnyPower, ...] = ()
    scoring: tuple[Term, ...] = ()

    @property
    def is_world(self) -> bool:
        return self.kind == "world"

    @property
    def is_military(self) -> bool:
        return self.defense is not None

    @property
    def is_start(self) -> bool:
        return self.start is not None

    @property
    def is_windfall(self) -> bool:
        return self.world == "windfall"

    def having(self, power: type[P], phase: Phase | None = None) -> Iterator[P]:
        """This card's powers of one sort (in one phase)."""
        for p in self.powers:
            if isinstance(p, power) and (phase is None or p.phase == phase):
                yield p

    @cached_property
    def for_scoring(self) -> ScoredCard:
        """The values of this card that the score sheet needs."""
        return ScoredCard(
            id=self.id,
            kind=self.kind,
            cost=self.cost,
            points=self.points,
            good=self.good,
            world=self.world,
            military=self.is_military,
            keywords=self.keywords,
            power_in=frozenset(p.phase for p in self.powers),
            strength=sum(p.amount for p in self.having(Military)),
            terms=self.scoring,
        )


class ActionCard(Component, frozen=True, kw_only=True):
    """A card a player chooses each round: the phase that will happen, and a bonus in it."""

    phase: str
    copies: int = 4
    own: bool = True


EXPENSIVE = 6
"""The cost of the developments whose points depend on other cards."""


def kind(component: Component) -> Text:
    """The kind of card, in the words people search by."""
    if not isinstance(component, Card):
        return say("race.kind.action")
    if component.is_world:
        sort = "start" if component.is_start else "military" if component.is_military else "world"
        return say(f"race.kind.{sort}")
    return say("race.kind.expensive-development" if component.cost == EXPENSIVE else "race.kind.development")


def say_power(power: Power) -> Text:
    """What a power does, in words."""
    numbers = {
        name: int(getattr(power, name))
        for name in ("cards", "points", "goods", "amount")
        if hasattr(power, name)
    }
    good = getattr(power, "good", None) or "any"
    tag = str(power.__struct_config__.tag)
    if getattr(power, "different", False) or getattr(power, "with_trade_powers", False):
        tag += "-special"
    return say(f"race.power.{tag}", good=say(f"race.good.{good}"), **numbers)


class Change(Struct, frozen=True):
    """What another edition prints differently on a card."""

    id: str
    cost: int | None = None
    points: int | None = None
    add_powers: tuple[AnyPower, ...] = ()
    add_scoring: tuple[Term, ...] = ()

    def on(self, card: Card) -> Card:
        """The card as this edition prints it."""
        return replace(
            card,
            cost=card.cost if self.cost is None else self.cost,
            points=card.points if self.points is None else self.points,
            powers=(*card.powers, *self.add_powers),
            scoring=(*card.scoring, *self.add_scoring),
        )


class Source(Struct, frozen=True):
    """Where the data of a card come from, and what is doubtful about them."""

    said_by: SaidBy
    note: str | None = None


class Edition(Struct, frozen=True):
    """A later printing."""

    source: Source
    changes: tuple[Change, ...]


class Components(Struct, frozen=True):
    """The whole of `components.toml`."""

    source: Source
    cards: tuple[Card, ...]
    actions: tuple[ActionCard, ...]
    editions: dict[str, Edition] = field(default_factory=dict)


@cache
def _printed() -> Components:
    printed: Components = read_toml(importlib.resources.files(__package__) / "components.toml", Components)
    return printed


def actions() -> tuple[ActionCard, ...]:
    """The nine action cards in the order of their phases."""
    return _printed().actions


def _said(source: Source, edition: str) -> Fact:
    """The source of an edition's data; the note is the slug of a sentence."""
    return Fact(None, source.said_by, f"race.source.{edition}")


@cache
def _edition(edition: str) -> tuple[tuple[Card, ...], dict[str, Fact]]:
    """All cards as this edition prints them, and the source of each fact."""
    printed = _printed()
    sources: dict[str, Fact] = {"*": _said(printed.source, "first")}
    cards = {card.id: card for card in printed.cards}
    if edition != "first":
        later = printed.editions[edition]
        for change in later.changes:
            changed = change.on(cards[change.id])
            for name in changed.__struct_fields__:
                if getattr(changed, name) != getattr(cards[change.id], name):
                    sources[f"{change.id}.{name}"] = _said(later.source, edition)
            cards[change.id] = changed
    return tuple(cards.values()), sources


@cache
def deck(edition: str) -> Catalogue[Card]:
    """All cards as this edition prints them."""
    return Catalogue(*_edition(edition))


def taught_deck(edition: str, facts: Facts) -> Catalogue[Card]:
    """The same with the facts the owner of the box taught; facts about action cards are ignored."""
    cards = deck(edition)
    return cards.taught({key: value for key, value in facts.items() if fact_of(key)[0] in cards})


@cache
def everything(edition: str) -> Catalogue[Component]:
    """Everything that can be scanned: cards and action cards."""
    cards, sources = _edition(edition)
    return Catalogue([*cards, *_printed().actions], sources)


def powers(cards: Any, power: type[P], phase: Phase | None = None) -> Iterator[tuple[Card, P]]:
    """The powers of one sort among these cards, with their cards."""
    for card in cards:
        for p in card.having(power, phase):
            yield card, p
