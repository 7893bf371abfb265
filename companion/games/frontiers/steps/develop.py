"""Develop (p. 4): every seat may buy one development; the selector pays one credit less."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import ClassVar

from msgspec import Struct
from msgspec.structs import replace

from companion.core.agenda import Ask, Do, Step
from companion.core.components import UNKNOWN
from companion.core.faces import Signs
from companion.core.questions import Option, Question
from companion.core.words import Text, count, say
from companion.games.frontiers import faces
from companion.games.frontiers.component_types import Development, ids, in_bounds, stacks
from companion.games.frontiers.deeds import because, does, end, gain_from, pay
from companion.games.frontiers.powers import DevelopDiscount, Gain, GainAfterDevelop, Told, amount
from companion.games.frontiers.state import SPACES, FrontiersState
from companion.games.frontiers.steps.display import TellFaces, untold_stacks
from companion.games.frontiers.steps.explore import gain_always
from companion.games.frontiers.steps.facts import tell_tile
from companion.games.frontiers.steps.tellings import MOST_OFF, ask_told
from companion.games.frontiers.steps.turns import always, resolve, why_in_order

PASS = "pass"
FACES = "faces"
OVERFLOW = 2
"""Reddish spaces. Two are always enough, since the play ends with the round in which the first is covered (p. 4)."""
LEAST = 1
"""The lowest cost of a development."""


class ResolveDevelop(Do, Struct, frozen=True, tag="resolve-develop"):
    """Each seat tells what it bought; in order if a stack or colonists may run out, or the play may end (p. 10)."""

    def do(self, state: FrontiersState) -> FrontiersState:
        def turn(seat: int) -> tuple[Step, ...]:
            cheaper, others = (ask_told(state, seat, "develop", discount) for discount in (True, False))
            return (*cheaper, BuyDevelopment(seat), DevelopPowers(seat), *others)

        wanted = [(seat, id) for seat in range(len(state.seats)) for id in _perhaps_buyable(state, seat)]
        full = any(state.covered(seat) + state.development(id).size > SPACES for seat, id in wanted)
        copies = any(n > state.left(id) for id, n in Counter(id for _, id in wanted).items())
        why = why_in_order(state, _most, ends=full) or ("copies" if copies else None)
        return resolve(state, turn, why, DevelopOver())


def buyable(state: FrontiersState, seat: int) -> list[str]:
    """The developments a seat may buy, as far as known."""
    return [id for id in ids("developments") if why_not_bought(state, seat, id) is None]


def _perhaps_buyable(state: FrontiersState, seat: int) -> list[str]:
    """The developments a seat may buy with the largest discount it may still tell."""
    told = (tile.id for tile, p in state.having(seat, Told) if p.discount and p.phase == "develop")
    off = tuple((tile, MOST_OFF) for tile in told)
    return buyable(state.with_seat(seat, replace(state.seats[seat], told_discounts=off)), seat)


def _most(state: FrontiersState, seat: int, what: Gain) -> int:
    """The most of something that a seat may gain in this action."""
    bought = sum(amount(power, what) for _, power in state.having(seat, GainAfterDevelop))
    return (bought if _perhaps_buyable(state, seat) else 0) + always(state, seat, what, "develop")


class BuyDevelopment(Ask, Struct, frozen=True, tag="buy-development"):
    """Which development does this seat buy, if any?"""

    seat: int
    slug: ClassVar[str] = "frontiers.develop"

    def ask(self, state: FrontiersState) -> Question:
        options = [Option(PASS, say("frontiers.option.buy-nothing"))]
        tiles = list(offered(state, self.seat))
        options += (option for option in tiles if option.group is None)
        if _both_faces(state, tiles):
            group = say("frontiers.group.faces")
            options.append(Option(FACES, say("frontiers.option.tell-faces"), group=group))
        options += (option for option in tiles if option.group is not None)
        text = say("frontiers.ask.develop")
        return Question(self.slug, self.seat, text, tuple(options), notes=state.order_notes)

    def take(self, state: FrontiersState, option: str) -> FrontiersState:
        if option == PASS:
            return state
        if option == FACES:
            return state.push(TellFaces(self.seat), self)
        return state.push(
            *tell_tile(state, self.seat, state.development(option)), PayDevelopment(self.seat, option)
        )

    def why_not(self, state: FrontiersState, component: str) -> Text:
        if component not in ids("developments"):
            return say("frontiers.why.no-development")
        return why_not_bought(state, self.seat, component) or say("frontiers.why.no-development")


def offered(state: FrontiersState, seat: int) -> Iterator[Option]:
    """Every development a seat may buy, or whose cost is unknown; probably face-down ones under their own heading."""
    turned = _faces_seen(state)
    for id in buyable(state, seat):
        tile = state.development(id)
        other = tile.stack and turned.get(tile.stack, id) != id
        group = say("frontiers.group.other-face") if other else None
        yield Option(id, tile.called, id, group=group, signs=_price(state, seat, tile))


def _both_faces(state: FrontiersState, tiles: Iterable[Option]) -> bool:
    """Whether both faces of some stack are offered only because it is unknown which is up."""
    ids = {option.id for option in tiles}
    return any(ids.issuperset(stacks()[stack]) for stack in untold_stacks(state))


def _faces_seen(state: FrontiersState) -> dict[str, str]:
    """For each two-faced stack, the face a seat owns; the other is not in this play, as far as known (p. 2)."""
    owned = (state.development(id) for seat in state.seats for id in seat.developments)
    return {tile.stack: tile.id for tile in owned if tile.stack}


def _price(state: FrontiersState, seat: int, tile: Development) -> Signs:
    return (faces.UNTOLD,) if tile.cost is UNKNOWN else (faces.gain("credits", -price(state, seat, tile)),)


def why_not_bought(state: FrontiersState, seat: int, id: str) -> Text | None:
    """The rule that forbids buying a development, if any; unknown facts forbid nothing."""
    who, tile = state.seats[seat], state.development(id)
    if id in who.developments:
        return say("frontiers.why.owned", tile=tile.called)
    up = state.face_up(tile.stack)
    if up not in (None, id):
        return say("frontiers.why.other-face", tile=tile.called, up=state.name(up))
    if state.left(id) <= 0:
        return say("frontiers.why.none-left", tile=tile.called)
    if state.covered(seat) + tile.size > SPACES + OVERFLOW:
        return say("frontiers.why.no-space")
    least = price(state, seat, tile)
    if least > who.credits:
        return count("frontiers.why.too-expensive", least, tile=tile.called, credits=who.credits)
    return None


def price(state: FrontiersState, seat: int, tile: Development) -> int:
    """The cost of a development for a seat in this action, at least 0; the lowest possible one if it is unknown."""
    return max(0, (tile.cost or LEAST) - sum(n for _, n in discounts(state, seat, tile)))


def discounts(state: FrontiersState, seat: int, tile: Development) -> Iterator[tuple[Text, int]]:
    """The discounts of a seat on a development."""
    if seat == state.selector:
        yield say("frontiers.part.selector", n=1), 1
    for source, power in state.having(seat, DevelopDiscount):
        sized = power.size in ("all", "large" if tile.large else "small")
        if sized and (tile.cost is UNKNOWN or in_bounds(power, tile)):
            yield because(source, -power.n), power.n
    for id, n in state.seats[seat].told_discounts:
        yield because(state.tile(id), -n), n


class PayDevelopment(Do, Struct, frozen=True, tag="pay-development"):
    """Pay for the tile and lay it on the mat; a seat that cannot pay the cost it just told chooses again."""

    seat: int
    tile: str

    def do(self, state: FrontiersState) -> FrontiersState:
        reason = why_not_bought(state, self.seat, self.tile)
        if reason is not None:
            return state.tell(reason, self.seat).push(BuyDevelopment(self.seat))
        tile, who = state.development(self.tile), state.seats[self.seat]
        parts = (
            say("frontiers.part.cost", n=tile.cost or 0),
            *(t for t, _ in discounts(state, self.seat, tile)),
        )
        state = pay(state, self.seat, price(state, self.seat, tile), parts)
        who = state.seats[self.seat]
        bought = replace(who, developments=(*who.developments, tile.id), fresh=(*who.fresh, tile.id))
        return does(
            state.with_seat(self.seat, bought), self.seat, say("frontiers.buy", tile=tile.called), usual=True
        )


class DevelopPowers(Do, Struct, frozen=True, tag="develop-powers"):
    """What a seat's powers give in this action, and for having bought something in it (p. 4)."""

    seat: int

    def do(self, state: FrontiersState) -> FrontiersState:
        state = gain_always(state, self.seat, "develop")
        for bought in map(state.tile, state.seats[self.seat].fresh):
            for tile, power in state.having(self.seat, GainAfterDevelop):
                if in_bounds(power, bought):
                    state = gain_from(state, self.seat, tile, power)
        return state


class DevelopOver(Do, Struct, frozen=True, tag="develop-over"):
    """More than ten spaces covered end the play after this round (p. 4)."""

    def do(self, state: FrontiersState) -> FrontiersState:
        full = any(state.covered(seat) > SPACES for seat in range(len(state.seats)))
        return end(state, "developments") if full else state
