"""Lantern: a tiny game made to be awkward, so that the laws are tried on more than one shape.

Three rounds. Everybody shows a card in secret; the brightest leads and takes oil from the pool, then the others
follow one another or stay dark, all at once. How bright the Moth is nobody knows until the table is asked.
"""

from __future__ import annotations

from random import Random
from typing import ClassVar

from msgspec import Struct
from msgspec.structs import replace

from companion.core.agenda import Ask, Branch, Do, State, Step, Together, ready, together, waited_for
from companion.core.components import UNKNOWN, Catalogue, Component, Fact, SaidBy, Untold
from companion.core.facts import AskFact
from companion.core.game import Box, Counter, Game, Printed, Setup, Variant
from companion.core.questions import Option, Question
from companion.core.views import Gauge, Meter, PlacedView, SeatView, Shown, View
from companion.core.words import News, Text, count, plain
from scoring.sheet import Line, SeatSheet, Sheet

OIL = 7


class Light(Component, frozen=True, kw_only=True):
    light: int | Untold


LIGHTS = Catalogue(
    [
        Light(id="candle", name="Candle", light=1),
        Light(id="torch", name="Torch", light=2),
        Light(id="moth", name="Moth", light=UNKNOWN),
    ],
    {"*": Fact(None, SaidBy.RULEBOOK)},
)


class LanternState(State, frozen=True, kw_only=True):
    names: tuple[str, ...]
    long: bool
    shown: tuple[str | None, ...]
    oil: tuple[int, ...]
    round: int = 0

    @property
    def pool(self) -> int:
        return OIL - sum(self.oil)

    def give(self, seat: int, n: int) -> LanternState:
        n = min(n, self.pool)
        told = replace(self, oil=tuple(o + n * (s == seat) for s, o in enumerate(self.oil)))
        return told.tell(count("race.take-points", n), seat)


class BeginRound(Do, Struct, frozen=True, tag="begin"):
    def do(self, state: LanternState) -> LanternState:
        if state.round == (4 if state.long else 3) or state.pool == 0:
            return state
        state = replace(state, round=state.round + 1, shown=(None,) * len(state.names))
        steps: dict[int, tuple[Step, ...]] = {seat: (ShowCard(seat),) for seat in range(len(state.names))}
        return state.push(together(steps), Lead(), BeginRound())


class ShowCard(Ask, Struct, frozen=True, tag="show"):
    seat: int
    slug: ClassVar[str] = "lantern.show"

    def ask(self, state: LanternState) -> Question:
        options = tuple(Option(c.id, plain(c.name), c.id) for c in LIGHTS)
        return Question(self.slug, self.seat, plain("show"), options, secret=True, has_default=False)

    def take(self, state: LanternState, option: str) -> LanternState:
        shown = tuple(option if s == self.seat else c for s, c in enumerate(state.shown))
        return replace(state, shown=shown)


class Lead(Do, Struct, frozen=True, tag="lead"):
    def do(self, state: LanternState) -> LanternState:
        lights = LIGHTS.taught(state.taught)
        if "moth" in state.shown and lights["moth"].light is UNKNOWN:
            return state.push(AskFact("moth", "light", plain("how bright is the Moth?"), ("0", "3")), self)
        bright = [0 if card is None else lights[card].light for card in state.shown]
        leader = max(range(len(bright)), key=lambda seat: (bright[seat], -seat))
        others: dict[int, tuple[Step, ...]] = {s: (Follow(s),) for s in range(len(bright)) if s != leader}
        return state.push(Together((Branch(leader, (TakeOil(leader), together(others))),)))


class TakeOil(Ask, Struct, frozen=True, tag="take-oil"):
    seat: int
    slug: ClassVar[str] = "lantern.oil"

    def ask(self, state: LanternState) -> Question:
        options = tuple(Option(str(n), plain(str(n))) for n in range(min(2, state.pool), 0, -1))
        return Question(self.slug, self.seat, plain("how much?"), options)

    def take(self, state: LanternState, option: str) -> LanternState:
        return state.give(self.seat, int(option))

    def moot(self, state: LanternState) -> bool:
        return state.pool == 0


class Follow(Ask, Struct, frozen=True, tag="follow"):
    seat: int
    slug: ClassVar[str] = "lantern.follow"

    def ask(self, state: LanternState) -> Question:
        options = (Option("dark", plain("stay dark")), Option("follow", plain("follow")))
        return Question(self.slug, self.seat, plain("follow?"), options)

    def take(self, state: LanternState, option: str) -> LanternState:
        return state.give(self.seat, 1) if option == "follow" else state


def view(state: LanternState) -> View:
    waited = waited_for(state)
    seats = tuple(
        SeatView(
            seat,
            name,
            seat in waited,
            ready(state, seat),
            (Shown("oil", plain("oil"), state.oil[seat]),),
            (PlacedView("candle", "Candle"),),
        )
        for seat, name in enumerate(state.names)
    )
    pool = Gauge("oil", plain("oil"), state.pool, OIL)
    return View(state.round, (), seats, (pool,), (Meter("oil", plain("oil"), OIL - state.pool, OIL),))


def check(state: LanternState) -> tuple[Text, ...]:
    return (plain("too much oil"),) if state.pool < 0 else ()


def counters(state: LanternState) -> tuple[Counter, ...]:
    return tuple(
        Counter(f"oil:{seat}", seat, plain(f"oil of {seat}"), n, 0, OIL) for seat, n in enumerate(state.oil)
    )


def correct(state: LanternState, counter: str, value: int) -> LanternState:
    seat = int(counter.partition(":")[2])
    return replace(state, oil=tuple(value if s == seat else o for s, o in enumerate(state.oil)))


def sheet(state: LanternState) -> Sheet:
    best = max(state.oil)
    seats = tuple(
        SeatSheet(name, oil, 1 + sum(o > oil for o in state.oil), (Line("oil", oil),))
        for name, oil in zip(state.names, state.oil, strict=True)
    )
    return Sheet("lantern", seats, tuple(s.name for s in seats if s.total == best))


class LanternBots:
    def __init__(self, setup: Setup, random: Random) -> None:
        self.random = random
        self.oil = [0] * len(setup.seats)

    def choose(self, state: LanternState, question: Question) -> str:
        return self.random.choice(question.options).id

    def follow(self, state: LanternState, news: tuple[News, ...]) -> None:
        for item in news:
            if item.seat is not None:
                self.oil[item.seat] += item.text.n or 0
        assert tuple(self.oil) == state.oil

    def pieces(self) -> int:
        return len(LIGHTS.by_id)


def printed(light: Light) -> tuple[Printed, ...]:
    told = () if light.light is UNKNOWN else (plain(str(light.light)),)
    copies = Printed("copies", plain("copies"), (plain(str(light.copies)),))
    return (Printed("light", plain("how bright"), told, (0, 3)), copies)


def begin(setup: Setup) -> LanternState:
    seats = len(setup.seats)
    return LanternState(
        agenda=(BeginRound(),),
        names=setup.seats,
        long=setup.choices["length"] == "long",
        shown=(None,) * seats,
        oil=(0,) * seats,
    )


LANTERN = Game(
    box=Box(
        id="lantern",
        name="Lantern",
        rules=1,
        seats=(2, 3),
        variants=(Variant("length", ("short", "long")),),
    ),
    state=LanternState,
    steps=(Together, BeginRound, ShowCard, Lead, TakeOil, Follow, AskFact),
    catalogue=lambda setup: LIGHTS,
    begin=begin,
    check=check,
    view=view,
    on_table=lambda state: frozenset({"candle"}),
    counters=counters,
    correct=correct,
    sheet=sheet,
    checklist=lambda setup: (plain("light it"),),
    packing=lambda setup: (plain("blow it out"),),
    bots=LanternBots,
    printed=printed,
)
