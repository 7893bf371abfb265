"""How cards look: faces drawn from their facts, and their colours."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache, singledispatch

from companion.core.components import Component
from companion.core.faces import ARROW, Face, Shortener, Sign, Signs, Tints, each_name, shortener
from companion.games.race import cards
from companion.games.race.cards import EXPENSIVE, ActionCard, Card, Power, everything

PAPER, POINTS, RED = "#E8EDF5", "#F3B94D", "#FF8177"

TINTS: Tints = {
    "novelty": ("#57C7EA", "#A6E4F7", "#175A72"),
    "rare": ("#C98F5E", "#E6BF99", "#6A4526"),
    "genes": ("#86CF6B", "#BEE8AC", "#2F5E2A"),
    "alien": ("#F0DC4E", "#FAF0A2", "#5E5110"),
    "any": ("#B4C0D4", "#DCE3EE", "#46566F"),
    "plain": ("#B4C0D4", "#DCE3EE", "#46566F"),
    "action": ("#B4C0D4", "#DCE3EE", "#182130"),
    "development": (PAPER, "#FFFFFF", "#5A4A93"),
    "cost": (PAPER, "#FFFFFF", "#46566F"),
    "card": (PAPER, "#FFFFFF", "#46566F"),
    "points": (POINTS, "#FFD98A", "#8F5000"),
    "chips": (POINTS, "#FFD98A", "#8F5000"),
    "pool": (POINTS, "#FFD98A", "#8F5000"),
    "star": (POINTS, "#FFD98A", "#8F5000"),
    "defence": (RED, "#FFE3DF", "#1B1014"),
    "military": (RED, "#FFE3DF", "#A8281F"),
}
"""Each good also has a letter, so its colour is not the only hint; its dark colour is the rail of its worlds."""

LETTERS = {"novelty": "N", "rare": "R", "genes": "G", "alien": "A", None: "?"}
MINUS = "\u2212"

ORDER: tuple[str, ...] = ("explore", "develop", "settle", "trade", "consume", "produce")


def face(component: Component) -> Face:
    """The face of a card."""
    return _of_card(component) if isinstance(component, Card) else _of_action(component)


def good(kind: str | None, *, there: bool = True) -> Sign:
    """A good of one kind, or of any kind; hollow if the place for it may be empty."""
    return Sign("good", LETTERS[kind], kind or "any", dim=not there)


def points(n: int | str) -> Sign:
    """Points: a hexagon with their number."""
    return Sign("points", str(n))


def drawn(n: int) -> Sign:
    """Cards drawn to the hand."""
    return Sign("card", signed(n))


def signed(n: int) -> str:
    """A number with its sign."""
    return f"+{n}" if n >= 0 else f"{MINUS}{-n}"


def _of_card(card: Card) -> Face:
    return Face(
        "card",
        card.called,
        tint=card.good or "plain" if card.is_world else "development",
        corners=tuple(_corners(card)),
        rows=tuple(_rows(card)),
        framed=card.is_windfall,
        short=_shortener()(card),
    )


def _corners(card: Card) -> Iterator[Sign]:
    if card.is_military:
        yield Sign("defence", str(card.defense))
    else:
        yield Sign("cost" if card.is_world else "development", "?" if card.cost is None else str(card.cost))
    if card.good:
        yield good(card.good, there=not card.is_windfall)
    if card.points is not None:
        yield points(card.points)
    elif card.scoring or card.cost == EXPENSIVE:
        yield points("?")


def _rows(card: Card) -> Iterator[Signs]:
    """A row for each phase in which the card has a power: the phase, then its effects."""
    for phase in ORDER:
        mine = [power for power in card.powers if power.phase == phase]
        if mine:
            yield (Sign(phase), *(sign for power in mine for sign in effect(power, card.good)))


def _of_action(component: Component) -> Face:
    assert isinstance(component, ActionCard)
    return Face(
        "card",
        component.called,
        tint="action",
        corners=(Sign(component.phase),),
        rows=tuple(row for row in (BONUS.get(component.id, ()),) if row),
        short=each_name(component, lambda name: name.partition(":")[0]),
    )


BONUS: dict[str, Signs] = {
    "explore-5": (Sign("deck", "+5"),),
    "explore-1-1": (Sign("deck", "+1"), Sign("hand", "+1")),
    "develop": (Sign("development", f"{MINUS}1"),),
    "develop-2": (Sign("development", f"{MINUS}1"),),
    "settle": (Sign("world"), ARROW, drawn(1)),
    "settle-2": (Sign("world"), ARROW, drawn(1)),
    "consume-trade": (Sign("trade"), good(None), ARROW, Sign("card")),
    "consume-x2": (Sign("count", "2×"), Sign("points")),
    "produce": (good(None, there=False), ARROW, good(None)),
}
"""The bonus of an action for the player who chose it."""


def effect(power: Power, own: str | None = None) -> Signs:
    """The effect of a power as signs; `own` is the kind of good of its card."""
    if isinstance(power, cards.ProduceHere):
        return (good(own),)
    if isinstance(power, cards.DrawIfProducedHere):
        return (good(own), ARROW, drawn(power.cards))
    return _effect(power)


@singledispatch
def _effect(power: Power) -> Signs:
    raise NotImplementedError(type(power).__name__)


def _shown(kind: type[Power], signs: Callable[..., Signs]) -> None:
    _effect.register(kind, signs)


_shown(cards.DrawExtra, lambda p: (Sign("deck", signed(p.cards)),))
_shown(cards.KeepExtra, lambda p: (Sign("hand", signed(p.cards)),))
_shown(cards.DrawAtStart, lambda p: (drawn(p.cards),))
_shown(cards.DrawAfterPlacing, lambda p: (ARROW, drawn(p.cards)))
_shown(cards.Military, lambda p: (Sign("defence", signed(p.amount)),))
_shown(cards.MilitaryAgainstGood, lambda p: (Sign("defence", signed(p.amount)), good(p.good)))
_shown(cards.MilitaryAgainstRebels, lambda p: (Sign("defence", signed(p.amount)), Sign("rebel")))
_shown(cards.DiscardForMilitary, lambda p: (Sign("discard"), ARROW, Sign("defence", signed(p.amount))))
_shown(cards.DiscardToSettleFree, lambda p: (Sign("discard"), ARROW, Sign("cost", "0")))
_shown(cards.TradeBonus, lambda p: (good(p.good), drawn(p.cards)))
_shown(cards.TradeBonusHere, lambda p: (Sign("world"), drawn(p.cards)))
_shown(cards.ConsumeAll, lambda p: (Sign("goods", f"{MINUS}1"), ARROW, Sign("points")))
_shown(cards.Gamble, lambda p: (Sign("gamble"),))
_shown(cards.Draw, lambda p: (drawn(p.cards),))
_shown(cards.ProduceOnWindfall, lambda p: (good(p.good, there=False),))
_shown(cards.DrawIfMost, lambda p: (good(p.good), Sign("most"), drawn(p.cards)))
_shown(cards.DrawPerGood, lambda p: (good(p.good), ARROW, drawn(p.cards)))
_shown(cards.DrawPerKind, lambda p: (Sign("different"), ARROW, drawn(p.cards)))
_shown(cards.DrawPerWorld, lambda p: (Sign("world"), good(p.good), ARROW, drawn(p.cards)))
_shown(cards.DiscardHand, lambda p: (Sign("hand", f"×{p.cards}"), ARROW, points(p.points)))


@_effect.register
def _(power: cards.ReduceCost) -> Signs:
    symbol = "development" if power.phase == "develop" else "cost"
    return (Sign(symbol, signed(-power.amount)), *((good(power.good),) if power.good else ()))


@_effect.register
def _(power: cards.PayForMilitary) -> Signs:
    return (Sign("military"), ARROW, Sign("cost", signed(-power.reduction) if power.reduction else ""))


@_effect.register
def _(power: cards.ConsumeEach) -> Signs:
    many = (Sign("count", f"×{power.goods}"),) if power.goods > 1 else ()
    return (good(power.good), *many, ARROW, *_reward(power))


@_effect.register
def _(power: cards.ConsumeSet) -> Signs:
    if power.different:
        return (Sign("count", str(power.goods)), Sign("different"), ARROW, *_reward(power))
    if power.goods > 2:
        return (Sign("count", str(power.goods)), good(power.good), ARROW, *_reward(power))
    return (*(good(power.good),) * power.goods, ARROW, *_reward(power))


@_effect.register
def _(power: cards.ConsumeForPrice) -> Signs:
    with_powers = (Sign("trade"),) if power.with_trade_powers else ()
    return (good(None), ARROW, Sign("price"), *with_powers)


def _reward(power: cards.ConsumeEach | cards.ConsumeSet) -> Iterator[Sign]:
    if power.points:
        yield points(power.points)
    if power.cards:
        yield drawn(power.cards)


@cache
def _shortener() -> Shortener:
    return shortener(everything("first"))
