"""Research (p. 12): a technology from the supply board, cheaper for each one on its track."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from msgspec import Struct
from msgspec.structs import replace

from companion.core.agenda import Ask
from companion.core.faces import ARROW, Sign
from companion.core.questions import Option, Question
from companion.core.words import Text, count, say
from companion.games.eclipse.component_types import DISCOUNT, RESOURCES, Technology, technologies
from companion.games.eclipse.signs import amount
from companion.games.eclipse.state import EclipseState, does, gain
from companion.games.eclipse.steps.free import InTurn

DONE = "done"
PER_ARTIFACT = 5
TRACK_LENGTH = len(DISCOUNT)


def price(state: EclipseState, seat: int, tech: Technology) -> int:
    """The price of a technology for this seat: with the discount of its track, but never below its minimum."""
    return max(tech.least, tech.cost - DISCOUNT[state.in_category(seat, tech.category)])


def open_technologies(state: EclipseState, seat: int) -> list[Technology]:
    """Technologies on the supply board that this seat does not have, and has room for."""
    return [
        technologies()[id]
        for id, n in state.offered.items()
        if n
        and not state.has(seat, id)
        and state.in_category(seat, technologies()[id].category) < TRACK_LENGTH
    ]


def affordable(state: EclipseState, seat: int) -> list[Technology]:
    """Those of them this seat can pay for."""
    science = state.seats[seat].stock.science
    return [tech for tech in open_technologies(state, seat) if price(state, seat, tech) <= science]


class Research(InTurn, Struct, frozen=True, tag="research"):
    """Which technology? `left` is how many more may be taken."""

    seat: int
    left: int
    slug: ClassVar[str] = "eclipse.research"

    def choices(self, state: EclipseState) -> Question:
        text = count("eclipse.ask.research", self.left)
        options = [
            Option(
                tech.id,
                state.called(tech.id),
                tech.id,
                explain_price(state, self.seat, tech),
                signs=(amount("science", -price(state, self.seat, tech)),),
            )
            for tech in sorted(affordable(state, self.seat), key=lambda t: price(state, self.seat, t))
        ]
        done = Option(DONE, say("eclipse.option.done"))
        notes = tuple(too_expensive(state, self.seat))
        return Question(self.slug, self.seat, text, (*options, done), has_default=False, notes=notes)

    def choose(self, state: EclipseState, option: str) -> EclipseState:
        if option == DONE:
            return state
        tech = technologies()[option]
        cost = price(state, self.seat, tech)
        if self.left > 1:
            state = state.push(Research(self.seat, self.left - 1))
        state = gain(state, self.seat, "science", -cost)
        state = does(
            state, self.seat, count("eclipse.researches", cost, technology=state.called(tech.id)), usual=True
        )
        return gain_technology(state, self.seat, option)

    def why_not(self, state: EclipseState, component: str) -> Text:
        return why_not_research(state, self.seat, component)


def explain_price(state: EclipseState, seat: int, tech: Technology) -> Text:
    """The price of a technology and, if it is discounted, the printed price and why it is not even cheaper."""
    off = DISCOUNT[state.in_category(seat, tech.category)]
    paid = price(state, seat, tech)
    key = "price" if paid == tech.cost else "price-least" if paid > tech.cost - off else "price-off"
    track = say(f"eclipse.category.{tech.category}")
    return say(f"eclipse.{key}", n=paid, cost=tech.cost, discount=off, category=track)


def too_expensive(state: EclipseState, seat: int) -> Iterator[Text]:
    """Technologies on the supply board this seat cannot pay for, the cheapest first."""
    science = state.seats[seat].stock.science
    expensive = [tech for tech in open_technologies(state, seat) if price(state, seat, tech) > science]
    if expensive:
        names = tuple(
            say("eclipse.technology-at", technology=state.called(tech.id), cost=cost)
            for cost, tech in sorted(((price(state, seat, tech), tech) for tech in expensive), key=_cheapest)
        )
        yield say("eclipse.too-expensive", science=science, technologies=names)


def _cheapest(priced: tuple[int, Technology]) -> tuple[int, str]:
    return priced[0], priced[1].id


def why_not_research(state: EclipseState, seat: int, component: str) -> Text:
    """The rule that forbids a seat to research this."""
    tech = technologies().get(component)
    if tech is None:
        return say("eclipse.why.not-a-technology")
    name = state.called(tech.id)
    if state.has(seat, tech.id):
        return say("eclipse.why.has-technology", technology=name)
    if not state.offered.get(tech.id):
        return say("eclipse.why.not-offered", technology=name)
    if state.in_category(seat, tech.category) >= TRACK_LENGTH:
        return say("eclipse.why.track-full", technology=name)
    science = state.seats[seat].stock.science
    return count("eclipse.why.expensive", price(state, seat, tech), technology=name, science=science)


def gain_technology(state: EclipseState, seat: int, id: str) -> EclipseState:
    """The table with a tile moved from the supply board to a seat's track, and its immediate effects."""
    tech, who = technologies()[id], state.seats[seat]
    offered = {t: n - (t == id) for t, n in state.offered.items()}
    state = replace(state, offered={t: n for t, n in offered.items() if n})
    who = replace(who, technologies=(*who.technologies, id), discs=who.discs + tech.discs)
    state = state.with_seat(seat, who)
    if tech.discs:
        state = does(state, seat, count("eclipse.more-discs", tech.discs))
    if id == "tech-artifact-key" and state.artifacts(seat):
        return state.push(UseArtifact(seat, state.artifacts(seat)))
    return state


class UseArtifact(Ask, Struct, frozen=True, tag="use-artifact"):
    """Artifact Key: five of one resource for each artifact on controlled sectors."""

    seat: int
    left: int
    slug: ClassVar[str] = "eclipse.artifact"

    def ask(self, state: EclipseState) -> Question:
        text = count("eclipse.ask.artifact", self.left)
        stock = state.seats[self.seat].stock
        options = tuple(
            Option(
                kind,
                say(f"eclipse.kind.{kind}"),
                detail=say("eclipse.in-store", n=stock.of(kind)),
                signs=(Sign("artifact"), ARROW, amount(kind, PER_ARTIFACT, signed=True)),
            )
            for kind in RESOURCES
        )
        return Question(self.slug, self.seat, text, options, has_default=False)

    def take(self, state: EclipseState, option: str) -> EclipseState:
        if self.left > 1:
            state = state.push(UseArtifact(self.seat, self.left - 1))
        kind = next(k for k in RESOURCES if k == option)
        state = gain(state, self.seat, kind, PER_ARTIFACT)
        return does(state, self.seat, say("eclipse.gains", n=PER_ARTIFACT, kind=say(f"eclipse.kind.{kind}")))
