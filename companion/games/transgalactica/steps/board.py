"""The map: where its planets lie, entered at set-up or postponed until a rule needs it (rules 13 to 15)."""

from __future__ import annotations

from typing import ClassVar, Literal

from msgspec import Struct
from msgspec.structs import replace

from companion.core.agenda import Ask, Do, Step
from companion.core.facts import AskFact, ask_fact
from companion.core.questions import LATER, Option, Picks, Question
from companion.core.words import Text, count, say
from companion.games.transgalactica.component_types import CENTRE, ids
from companion.games.transgalactica.setting import pirates_mixed
from companion.games.transgalactica.state import TransState
from companion.games.transgalactica.steps.printed_pages import ask_print

CENTRAL = "central"


class AskMap(AskFact, frozen=True, tag="ask-map"):
    """Where do the planets lie? May be postponed until the first move."""

    def ask(self, state: TransState) -> Question:
        return replace(super().ask(state), later=say("transgalactica.map-later"))

    def take(self, state: TransState, option: str) -> TransState:
        if option != LATER:
            told: TransState = super().take(state, option)
            return told
        return replace(state, agenda=state.agenda[1:]).push(
            LearnBoard("put-off")
        )  # replaces the step that asked


def map_first(state: TransState, step: Step) -> TransState | None:
    """Push the questions for a postponed map before this step; None if the map is known."""
    if not state.board.unknown():
        return None
    return state.push(LearnBoard("now"), TellPlanet(), LearnPlanets(), TellPirateAt(), step)


class LearnBoard(Do, Struct, frozen=True, tag="learn-board"):
    """The map for this number of players is entered once: spaces, then routes. May be postponed at set-up."""

    when: Literal["may-wait", "now", "put-off"] = "may-wait"

    def do(self, state: TransState) -> TransState:
        unknown = state.board.unknown()
        if unknown and self.when != "put-off":
            ask = ask_fact("transgalactica", state.board, unknown[0])
            if self.when == "may-wait" and unknown[0] == "sketch":
                ask = AskMap(ask.component, ask.fields, ask.form, ask.text)
            return state.push(ask, self)
        if state.planet(CENTRAL).unknown():
            return state.push(ask_print(state, state.planet(CENTRAL)), self)
        return replace(state, planets={**state.planets, CENTRE: CENTRAL})


class TellPlanet(Ask, Struct, frozen=True, tag="tell-planet-at"):
    """Which planet lies on this space? Asked for each space; the central planet is printed (rules 13, 14)."""

    seat: None = None
    slug: ClassVar[str] = "transgalactica.planet"

    def _space(self, state: TransState) -> str | None:
        return next((space for space in state.board.spaces if space not in state.planets), None)

    def _left(self, state: TransState) -> tuple[str, ...]:
        lying = set(state.planets.values())
        return tuple(
            id
            for id in ids("planets")
            if id not in lying and state.planet(id).type not in ("special", "central")
        )

    def ask(self, state: TransState) -> Question:
        space = self._space(state) or CENTRE
        options = tuple(Option(id, state.name(id), id) for id in self._left(state))
        text = say("transgalactica.ask.planet", space=space)
        picks = Picks(len(state.planets) - 1, len(state.board.spaces) - 1)
        return Question(self.slug, None, text, options, has_default=False, tally=picks)

    def take(self, state: TransState, option: str) -> TransState:
        space = self._space(state)
        assert space is not None
        state = replace(state, planets={**state.planets, space: option})
        if state.planet(option).type == "action":
            state = replace(state, rewards=(*state.rewards, option))
        return state.push(self)

    def why_not(self, state: TransState, component: str) -> Text:
        return say("transgalactica.why.not-a-planet")

    def is_obsolete(self, state: TransState) -> bool:
        return self._space(state) is None or not self._left(state)


class LearnPlanets(Do, Struct, frozen=True, tag="learn-planets"):
    """Asks what is printed on the planets of the map, on one page."""

    def do(self, state: TransState) -> TransState:
        untold = [planet for planet in map(state.planet, state.planets.values()) if planet.unknown()]
        return state.push(ask_print(state, untold[0])) if untold else state


class TellPirateAt(Ask, Struct, frozen=True, tag="tell-pirate-at"):
    """Which planets have pirates? One more than players, on planets that are not base (rule 15)."""

    seat: None = None
    slug: ClassVar[str] = "transgalactica.pirate-at"

    def _left(self, state: TransState) -> list[tuple[str, str]]:
        return [
            (space, id)
            for space, id in state.planets.items()
            if id not in state.pirates and may_have_pirates(state, id)
        ]

    def ask(self, state: TransState) -> Question:
        options = [Option(id, state.name(id), id, place=space) for space, id in self._left(state)]
        options.append(Option("none", say("transgalactica.no-more-pirates")))
        picks = Picks(len(state.pirates), len(state.seats) + 1)
        text = say("transgalactica.ask.pirate-at")
        planets = sum(may_have_pirates(state, id) for id in state.planets.values())
        active, blanks = pirates_mixed(len(state.seats), planets)
        tokens, empty = (
            count("transgalactica.measured.pirates", active),
            count("transgalactica.blanks", blanks),
        )
        notes = (say("transgalactica.mix-pirates", active=tokens, blanks=empty),)
        return Question(self.slug, None, text, tuple(options), has_default=False, notes=notes, tally=picks)

    def take(self, state: TransState, option: str) -> TransState:
        if option == "none":
            return state
        return replace(state, pirates={**state.pirates, option: ""}).push(self)

    def why_not(self, state: TransState, component: str) -> Text:
        if component not in state.planets.values():
            return say("transgalactica.why.not-on-map")
        told = component in state.pirates
        return say("transgalactica.why.told" if told else "transgalactica.why.no-pirates-there")

    def is_obsolete(self, state: TransState) -> bool:
        return len(state.pirates) > len(state.seats) or not self._left(state)


def may_have_pirates(state: TransState, planet: str) -> bool:
    """Whether a planet can have pirates: it is neither base nor central."""
    tile = state.planet(planet)
    return not tile.base and tile.type != "central"
