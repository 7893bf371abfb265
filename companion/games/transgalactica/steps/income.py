"""The income phase (rules 48-57): all sources of a seat in one list, with reasons."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import ClassVar

from msgspec import Struct
from msgspec.structs import replace

from companion.core.agenda import Ask, Do
from companion.core.components import Component
from companion.core.questions import Option, Question
from companion.core.words import Text, count, say
from companion.games.transgalactica.component_types import CAPTAINS, MAIN_TRACKS
from companion.games.transgalactica.deeds import does, take, warned
from companion.games.transgalactica.effects import STUFF, Effect, Effects, Gain, Pay
from companion.games.transgalactica.state import TransState
from companion.games.transgalactica.steps.obstacles import futile
from companion.games.transgalactica.steps.offers import hopeless
from companion.games.transgalactica.steps.printed_pages import ask_print
from companion.games.transgalactica.steps.production import reached
from companion.games.transgalactica.steps.resolve import ChooseResource, Origin, Resolve


class Source(Struct, frozen=True):
    """Something that pays at income: its parts, each with its name."""

    id: str
    parts: tuple[tuple[Text, Effects], ...]
    origin: Origin = "space"

    @property
    def is_plain(self) -> bool:
        """Whether it only gives points, credits and resources, so that the order does not matter."""
        return all(isinstance(effect, Gain) for _, effects in self.parts for effect in effects)


class LearnIncome(Do, Struct, frozen=True, tag="learn-income"):
    """Asks for unknown facts of all sources of income before any income is taken."""

    def do(self, state: TransState) -> TransState:
        for seat in state.order:
            for component in unknown_income(state, seat):
                return state.push(ask_print(state, component), self)
        return state


def unknown_income(state: TransState, seat: int) -> Iterator[Component]:
    """Components that pay a seat and are not fully known."""
    who = state.seats[seat]
    paying: list[Component] = [state.space(track, getattr(who, track)) for track in MAIN_TRACKS]
    paying.append(state.panel)
    paying += [state.outpost_space(n + 1) for n in range(len(who.outposts))]
    paying += [state.token(id) for id in (*who.fleet, *who.pirates)]
    if not state.panel.unknown():
        paying += [state.crew_space(n, captain) for n, captain in _empty(state, seat)]
    for component in paying:
        if component.unknown():
            yield component


def _empty(state: TransState, seat: int) -> Iterator[tuple[int, bool]]:
    """The empty mobilisation spaces, also those of crew in the senate or out of the game (rules 53, 56)."""
    who = state.seats[seat]
    yield from ((n, True) for n in range(who.captains + 1, CAPTAINS + 1))
    first = who.crew + who.lieutenant + 1
    yield from ((n, False) for n in range(first, int(state.panel.crew or 0) + 1))


def sources(state: TransState, seat: int) -> tuple[Source, ...]:
    """The five sources of a seat (rules 49-53) in the current state."""
    who = state.seats[seat]
    found = [
        Source(f"planet:{id}", ((state.name(id), state.planet(id).effects),), "planet")
        for id in who.planets
        if state.planet(id).type == "wild"
    ]
    for track in MAIN_TRACKS:
        space = state.space(track, getattr(who, track))
        found.append(Source(f"track:{track}", ((state.name(space.id), space.income or ()),)))
    tokens = tuple((state.name(id), state.shows(id)) for id in paying_tokens(state, seat))
    found.append(Source("tokens", tokens, "token"))
    spaces = [state.outpost_space(n + 1) for n in range(len(who.outposts))]
    again = tuple((state.name(space.id), space.reward or ()) for space in spaces if space.again)
    found.append(Source("outposts", again))
    crew = tuple(state.crew_space(n, captain) for n, captain in _empty(state, seat))
    found.append(Source("crew", tuple((state.name(space.id), space.income or ()) for space in crew)))
    return tuple(replace(s, parts=kept) for s in found if (kept := tuple(_helping(state, seat, s))))


def paying_tokens(state: TransState, seat: int) -> tuple[str, ...]:
    """The tokens of the income track that pay in this phase.

    A fleet token unlocked in this phase has already paid and pays again only in later phases (p. 19); one
    with the mining symbol pays when mining (p. 11).
    """
    who, panel = state.seats[seat], state.panel
    pirates, fleet = (
        tuple(id for id in tokens if not state.is_mined(id)) for tokens in (who.pirates, who.fleet)
    )
    found = (*reached(state, seat, pirates, panel.pirates), *reached(state, seat, fleet, panel.fleet))
    return tuple(id for id in found if id not in who.paid_fleet)


def _helping(state: TransState, seat: int, source: Source) -> Iterator[tuple[Text, Effects]]:
    """The parts of a source that can have an effect."""
    for name, effects in source.parts:
        if not all(hopeless(state, seat, effect) for effect in effects):
            yield name, effects


class Relief(Do, Struct, frozen=True, tag="relief"):
    """The owner of the relief funds gets one of every kind it has none of, before any income (rule 173)."""

    seat: int

    def do(self, state: TransState) -> TransState:
        if not state.able(self.seat, "relief-funds"):
            return state
        who = state.seats[self.seat]
        lacking: dict[str, int] = {what: 1 for what in STUFF if not getattr(who, what)}
        return take(state, self.seat, lacking, (state.name("relief-funds"),))


class Income(Do, Struct, frozen=True, tag="income"):
    """Resolves each source once, in its current state; if the order matters, the seat chooses it (rule 54)."""

    seat: int
    done: tuple[str, ...] = ()

    def do(self, state: TransState) -> TransState:
        for component in unknown_income(state, self.seat):
            return state.push(ask_print(state, component, self.seat), self)
        left = [source for source in sources(state, self.seat) if source.id not in self.done]
        moving = [source for source in left if not source.is_plain]
        if not moving:
            return _plain(state, self.seat, left)
        if all(
            futile(state, self.seat, e) for source in moving for _, effects in source.parts for e in effects
        ):
            # Effects that cannot be paid yet are resolved after plain income, without a question.
            pays = len(left) > len(moving)
            return IncomeFirst(self.seat, self.done).take(state, "rest") if pays else state
        if len(moving) == len(left) == 1:
            return self.resolve(state, moving[0])
        return state.push(IncomeFirst(self.seat, self.done))

    def resolve(self, state: TransState, source: Source) -> TransState:
        """Resolve this source, then the rest."""
        rest = replace(self, done=(*self.done, source.id))
        twice = state.seats[self.seat].double
        steps = [
            Resolve(self.seat, _doubled(effects) if twice else effects, source.origin, name)
            for name, effects in source.parts
        ]
        return state.push(*steps, rest)


def _doubled(effects: Effects) -> Effects:
    """Every reward twice, but paid effects only once (rule 57)."""
    twice: list[Effect] = []
    for effect in effects:
        twice += [effect] if isinstance(effect, Pay) else [effect, effect]
    return tuple(twice)


class IncomeFirst(Ask, Struct, frozen=True, tag="income-first"):
    """Which source next: one that changes something, or all that only pay?"""

    seat: int
    done: tuple[str, ...]
    slug: ClassVar[str] = "transgalactica.income"

    def _left(self, state: TransState) -> list[Source]:
        return [source for source in sources(state, self.seat) if source.id not in self.done]

    def ask(self, state: TransState) -> Question:
        left = self._left(state)
        options = [
            Option(source.id, say("core.together", parts=tuple(name for name, _ in source.parts)))
            for source in left
            if not source.is_plain
        ]
        if any(source.is_plain for source in left) or not options:
            options.append(Option("rest", say("transgalactica.income-rest")))
        text = say("transgalactica.ask.income")
        return Question(self.slug, self.seat, text, tuple(options), has_default=False)

    def take(self, state: TransState, option: str) -> TransState:
        income = Income(self.seat, self.done)
        left = self._left(state)
        if option == "rest":
            # The whole income track is one source: a token that arrives later waits for the next income.
            plain = [source for source in left if source.is_plain]
            every = ("tokens", "outposts", "crew", *(f"track:{track}" for track in MAIN_TRACKS))
            moving = {source.id for source in left if not source.is_plain}
            done = (*self.done, *(source.id for source in plain), *(id for id in every if id not in moving))
            return _plain(state.push(replace(income, done=tuple(dict.fromkeys(done)))), self.seat, plain)
        return income.resolve(state, next(source for source in left if source.id == option))


def _plain(state: TransState, seat: int, paying: list[Source]) -> TransState:
    """Give all plain income in one list with reasons; resources of choice are chosen afterwards."""
    times = 2 if state.seats[seat].double else 1
    amounts: Counter[str] = Counter()
    reasons: dict[str, list[Text]] = {}
    for source in paying:
        for name, effects in source.parts:
            for effect in effects:
                assert isinstance(effect, Gain)
                amounts[effect.what] += times * effect.n
                reasons.setdefault(effect.what, []).append(name)
    deeds, changed = [], {}
    who = state.seats[seat]
    for what in ("vp", *reversed(STUFF)):
        if n := amounts[what]:
            key = "score" if what == "vp" else f"take.{what}"
            deeds.append(count(f"transgalactica.do.{key}", n, because=tuple(reasons[what])))
            changed[what] = getattr(who, what) + n
    if deeds:
        state = warned(does(state.with_seat(seat, replace(who, **changed)), seat, *deeds), state)
    if n := amounts["any"]:
        why = say("core.together", parts=tuple(reasons["any"]))
        state = state.push(ChooseResource(seat, n, why))
    return state


class IncomeOver(Do, Struct, frozen=True, tag="income-over"):
    """Double income is used up, and fleet tokens unlocked in this phase pay from the next one on."""

    seat: int

    def do(self, state: TransState) -> TransState:
        return state.with_seat(self.seat, replace(state.seats[self.seat], double=False, paid_fleet=()))
