"""What players may do at any moment of their own turn: colony ships (p. 8), trade (p. 7), ambassadors (p. 11)."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from companion.core.agenda import Ask
from companion.core.faces import ARROW, Sign
from companion.core.questions import Option, Question
from companion.core.words import Text, say
from companion.games.eclipse.component_types import RESOURCES, Resource, technologies
from companion.games.eclipse.signs import amount
from companion.games.eclipse.state import EclipseState, does, gain, kinds_for, tell_deed
from companion.games.eclipse.steps.cubes import take_cube
from companion.games.eclipse.steps.diplomacy import AgreeToAlly, may_ally

COLONY, TRADE, ALLY = "colony:", "trade:", "ally:"


class InTurn(Ask):
    """A question of a seat's own turn; it offers these three in addition to its own options."""

    __slots__ = ()
    seat: int

    def choices(self, state: EclipseState) -> Question:
        """The question itself."""
        raise NotImplementedError

    def choose(self, state: EclipseState, option: str) -> EclipseState:
        """The table after one of its own options."""
        raise NotImplementedError

    def ask(self, state: EclipseState) -> Question:
        question = self.choices(state)
        besides = (replace(o, group=_group(o)) for o in free_options(state, self.seat))
        return replace(question, options=(*question.options, *besides))

    def take(self, state: EclipseState, option: str) -> EclipseState:
        if option.startswith((COLONY, TRADE, ALLY)):
            return take_free(state.push(self), self.seat, option)
        return self.choose(state, option)


def _group(option: Option) -> Text:
    return say(f"eclipse.group.{option.id.partition(':')[0]}")


def free_options(state: EclipseState, seat: int) -> Iterator[Option]:
    """Everything this seat may do besides its action."""
    yield from colony_options(state, seat)
    yield from trade_options(state, seat)
    yield from ally_options(state, seat)


def take_free(state: EclipseState, seat: int, option: str) -> EclipseState:
    """The table after one of the free options."""
    if option.startswith(COLONY):
        _, place, square, kind = option.split(":")
        return colonise(state, seat, place, int(square), _kind(kind))
    if option.startswith(TRADE):
        _, give, get = option.split(":")
        return trade(state, seat, _kind(give), _kind(get))
    other = int(option.removeprefix(ALLY))
    return state.push(AgreeToAlly(other, seat))


def _kind(word: str) -> Resource:
    return next(kind for kind in RESOURCES if kind == word)


def colony_options(state: EclipseState, seat: int) -> Iterator[Option]:
    """A cube to any empty square of a controlled sector; equal squares of a sector are offered once."""
    if state.seats[seat].species == "" or state.colony_ships(seat) < 1:
        return
    for place in state.controlled(seat):
        seen: set[str] = set()
        for n, (square, taken) in enumerate(state.map[place].squares):
            if taken or square in seen or not can_settle(state, seat, square):
                continue
            seen.add(square)
            for kind in kinds_for(square):
                if state.seats[seat].tracks.of(kind):
                    text = say(
                        "eclipse.option.colony", kind=say(f"eclipse.kind.{kind}"), sector=state.where(place)
                    )
                    detail = say(f"eclipse.square.{square.replace('*', '-advanced')}")
                    signs = (Sign("colony-ships"), ARROW, Sign(kind, tint=kind))
                    yield Option(f"{COLONY}{place}:{n}:{kind}", text, detail=detail, signs=signs)


def can_settle(state: EclipseState, seat: int, square: str) -> bool:
    """Whether a seat may use this square: squares with a star need the advanced technology of their kind (p. 8)."""
    if not square.endswith("*"):
        return True
    needed = square.removesuffix("*")
    return any(technologies()[t].advanced == needed for t in state.seats[seat].technologies)


def colonise(state: EclipseState, seat: int, place: str, square: int, kind: Resource) -> EclipseState:
    """The table with a colony ship turned over and its cube on the map."""
    sector = state.map[place]
    cubes = tuple(taken or n == square for n, taken in enumerate(sector.cubes))
    state = take_cube(state.with_sector(place, replace(sector, cubes=cubes)), seat, kind)
    who = state.seats[seat]
    state = state.with_seat(seat, replace(who, colonised=who.colonised + 1))
    what = say("eclipse.colonises", kind=say(f"eclipse.kind.{kind}"), sector=state.where(place))
    return tell_deed(state, seat, what)


def trade_options(state: EclipseState, seat: int, only: Resource | None = None) -> Iterator[Option]:
    """Trade several of one kind for one of another, at the species' rate."""
    who, rate = state.seats[seat], state.species(seat).trade
    for give in RESOURCES:
        for get in RESOURCES:
            if give == get or only not in (None, get):
                continue
            if who.stock.of(give) >= rate and who.stock.of(get) < state.storage:
                text = say(
                    "eclipse.option.trade",
                    rate=rate,
                    give=say(f"eclipse.kind.{give}"),
                    get=say(f"eclipse.kind.{get}"),
                )
                signs = (amount(give, -rate), ARROW, amount(get, 1))
                yield Option(f"{TRADE}{give}:{get}", text, signs=signs)


def trade(state: EclipseState, seat: int, give: Resource, get: Resource) -> EclipseState:
    """The table after one trade."""
    rate = state.species(seat).trade
    state = gain(gain(state, seat, give, -rate), seat, get, 1)
    what = say("eclipse.trades", rate=rate, give=say(f"eclipse.kind.{give}"), get=say(f"eclipse.kind.{get}"))
    return does(state, seat, what, usual=True)


def ally_options(state: EclipseState, seat: int) -> Iterator[Option]:
    """Every neighbour with whom ambassadors may be exchanged, unless refused in this turn."""
    for other in range(len(state.seats)):
        if other != seat and other not in state.declined and may_ally(state, seat, other):
            text = say("eclipse.option.ally", seat=state.name(other))
            yield Option(f"{ALLY}{other}", text, signs=(Sign("ambassadors"),))
