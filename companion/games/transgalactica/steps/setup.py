"""Set-up (rules 11-34): the players enter what was laid out, mostly by scanning; then the draft."""

from __future__ import annotations

from typing import ClassVar

from msgspec import Struct
from msgspec.structs import replace

from companion.core.agenda import Ask, Do, Step
from companion.core.common_questions import which_seat
from companion.core.questions import Option, Picks, Question
from companion.core.words import Text, say
from companion.games.transgalactica.component_types import CENTRE, ids, token_ids
from companion.games.transgalactica.deeds import change, does, outpost, take, unlock
from companion.games.transgalactica.state import TransState
from companion.games.transgalactica.steps.board import (
    CENTRAL,
    LearnBoard,
    LearnPlanets,
    TellPirateAt,
    TellPlanet,
    map_first,
)
from companion.games.transgalactica.steps.missions import SHOWN
from companion.games.transgalactica.steps.outposts import ChoosePlace
from companion.games.transgalactica.steps.printed_pages import ask_print
from companion.games.transgalactica.steps.resolve import Resolve
from companion.games.transgalactica.steps.rounds import BeginRound, update_priority
from companion.games.transgalactica.steps.tokens import TellToken

LEVELS = (1, 2, 3)
TECHNOLOGIES = 3
"""Cards of each level laid out (rule 18)."""
OFFICES = 3
BANKED: tuple[tuple[str, int], ...] = (("basic", 3), ("advanced", 2))


class TellFirst(Ask, Struct, frozen=True, tag="tell-first"):
    """Who is first? The markers follow clockwise (rule 22)."""

    seat: None = None
    slug: ClassVar[str] = "transgalactica.first"

    def ask(self, state: TransState) -> Question:
        return which_seat(self.slug, state, say("transgalactica.ask.first"))

    def take(self, state: TransState, option: str) -> TransState:
        n, first = len(state.seats), int(option)
        order = tuple((first + k) % n for k in range(n))
        # 13 mining tokens: one per player, one on the space, the rest in the stack (rule 17).
        stack = len(token_ids("mining")) - 1 - n
        state = replace(state, order=order, segments=(1,) * n, mining_stack=stack)
        return state.push(
            LearnBoard(), TellPlanet(), LearnPlanets(), TellPirateAt(), *_cards(), StartingHolds()
        )


def _cards() -> tuple[Step, ...]:
    technologies = tuple(TellTechnology(level) for level in LEVELS)
    missions = tuple(TellMission(level) for level in (1, 2))
    return (*technologies, *missions, TellDecree())


class TellTechnology(Ask, Struct, frozen=True, tag="tell-technology"):
    """Which technologies of this level are laid out (rule 18)?"""

    level: int
    seat: None = None
    slug: ClassVar[str] = "transgalactica.laid-technology"

    def _laid(self, state: TransState) -> int:
        return sum(state.technology(id).level == self.level for id in state.technologies)

    def _left(self, state: TransState) -> tuple[str, ...]:
        every = (state.technology(id) for id in ids("technologies"))
        return tuple(
            card.id for card in every if card.level == self.level and card.id not in state.technologies
        )

    def ask(self, state: TransState) -> Question:
        options = tuple(Option(id, state.name(id), id) for id in self._left(state))
        text = say(f"transgalactica.ask.cards.{self.level}")
        picks = Picks(self._laid(state), TECHNOLOGIES)
        return Question(self.slug, None, text, options, has_default=False, tally=picks)

    def take(self, state: TransState, option: str) -> TransState:
        return replace(state, technologies=(*state.technologies, option)).push(self)

    def why_not(self, state: TransState, component: str) -> Text:
        told = component in state.technologies
        return say("transgalactica.why.told" if told else "transgalactica.why.not-of-this-level")

    def is_obsolete(self, state: TransState) -> bool:
        return self._laid(state) >= TECHNOLOGIES or not self._left(state)


class TellMission(Ask, Struct, frozen=True, tag="tell-mission"):
    """Which missions of this level are laid out (rule 19)?"""

    level: int
    seat: None = None
    slug: ClassVar[str] = "transgalactica.laid-mission"

    def ask(self, state: TransState) -> Question:
        options = tuple(Option(id, state.name(id), id) for id in state.deck(self.level))
        text = say(f"transgalactica.ask.laid.{self.level}")
        picks = Picks(len(state.missions_of(self.level)), SHOWN)
        return Question(self.slug, None, text, options, has_default=False, tally=picks)

    def take(self, state: TransState, option: str) -> TransState:
        return replace(state, display=(*state.display, option)).push(self)

    def why_not(self, state: TransState, component: str) -> Text:
        told = component in state.display
        return say("transgalactica.why.told" if told else "transgalactica.why.not-of-this-level")

    def is_obsolete(self, state: TransState) -> bool:
        return len(state.missions_of(self.level)) >= SHOWN or not state.deck(self.level)


class TellDecree(Ask, Struct, frozen=True, tag="tell-decree"):
    """Which decrees are in play, office by office (rule 20)?"""

    seat: None = None
    slug: ClassVar[str] = "transgalactica.decree"

    def ask(self, state: TransState) -> Question:
        options = tuple(Option(id, state.name(id), id) for id in ids("decrees") if id not in state.decrees)
        text = say("transgalactica.ask.decree", office=state.name(f"office-{len(state.decrees) + 1}"))
        picks = Picks(len(state.decrees), OFFICES)
        return Question(self.slug, None, text, options, has_default=False, tally=picks)

    def take(self, state: TransState, option: str) -> TransState:
        return replace(state, decrees=(*state.decrees, option), senate=(*state.senate, ())).push(self)

    def why_not(self, state: TransState, component: str) -> Text:
        return say("transgalactica.why.not-a-decree")

    def is_obsolete(self, state: TransState) -> bool:
        return len(state.decrees) >= OFFICES


class StartingHolds(Do, Struct, frozen=True, tag="starting-holds"):
    """Everybody gets a credit and a starting mining token, with its reward (rules 23, 24); then the draft."""

    def do(self, state: TransState) -> TransState:
        for seat in state.order:
            state = take(state, seat, {"credit": 1}, (say("transgalactica.start"),))
        tokens: list[Step] = [TellToken(seat, "mining", "start") for seat in state.order]
        # From the last player backwards, then from the first forwards (rule 30).
        picks: list[Step] = [Draft(seat) for seat in (*reversed(state.order), *state.order)]
        return state.push(*tokens, *picks, FirstOutposts())


class Draft(Ask, Struct, frozen=True, tag="draft"):
    """An ability tile or a pair of wealth cards; in the second round the one still missing (rule 30)."""

    seat: int
    slug: ClassVar[str] = "transgalactica.draft"

    def ask(self, state: TransState) -> Question:
        taken = {seat.ability for seat in state.seats}
        options = [Option(id, state.name(id), id) for id in ids("abilities") if id not in taken]
        if state.seats[self.seat].ability is not None:
            options = []
        if not state.seats[self.seat].drafted:
            options.append(Option("wealth", say("transgalactica.wealth-pair")))
        return Question(
            self.slug, self.seat, say("transgalactica.ask.draft"), tuple(options), has_default=False
        )

    def take(self, state: TransState, option: str) -> TransState:
        if option == "wealth":
            state = change(state, self.seat, drafted=True)
            pair = TellToken(self.seat, "wealth", "wealth")
            return state.push(pair, pair)
        return _take_ability(state, self.seat, option)

    def why_not(self, state: TransState, component: str) -> Text:
        return say("transgalactica.why.draft")

    def is_obsolete(self, state: TransState) -> bool:
        return state.seats[self.seat].ability is not None and state.seats[self.seat].drafted


def _take_ability(state: TransState, seat: int, ability: str) -> TransState:
    """What a tile gives at set-up; its other effects are in the rules it changes (rules 166-175)."""
    who = state.seats[seat]
    state = change(state, seat, ability=ability)
    state = does(state, seat, say("transgalactica.do.ability", tile=state.name(ability)))
    if ability == "lieutenant":
        state = change(state, seat, lieutenant=True, crew=who.crew - 1, gone=who.gone + 1)
        state = does(state, seat, say("transgalactica.do.lieutenant"))
    if ability == "merchant-start":
        return _start_trading(state, seat)
    tile = state.box[ability]
    return state.push(Resolve(seat, getattr(tile, "start", ()), "ability", state.name(ability)))


def _start_trading(state: TransState, seat: int) -> TransState:
    """Trade level 2: unlock what wealth cards have not unlocked of the first two spaces (rule 170)."""
    if state.seats[seat].trade == 0:
        state = unlock(state, seat)
    if state.seats[seat].trade == 1:
        state = unlock(state, seat).push(TellToken(seat, "fleet", "merchant"))
    return state


class FirstOutposts(Do, Struct, frozen=True, tag="first-outposts"):
    """All first outposts and ships go to the central planet; then abilities for the end of set-up (rule 33)."""

    def do(self, state: TransState) -> TransState:
        second = any(state.able(seat, "vanguard") for seat in state.order)
        if second and (map_told := map_first(state, self)) is not None:
            return map_told
        space = state.outpost_space(1)
        if space.unknown():
            return state.push(ask_print(state, space), self)
        steps: list[Step] = []
        for seat in state.order:
            ships = 2 if state.able(seat, "second-ship") else 1
            waiting = state.seats[seat].waiting
            state = change(state, seat, ships=(CENTRE,) * ships, waiting=())
            state = outpost(state, seat, CENTRAL, None)
            if space.reward:
                steps.append(Resolve(seat, space.reward, "space", state.name(space.id)))
            if state.able(seat, "token-bank"):
                steps += [TellToken(seat, sort, "bank") for sort, n in BANKED for _ in range(n)]  # type: ignore[arg-type]
            if state.able(seat, "vanguard"):
                # A second outpost on any action planet, without minerals (rule 174).
                steps.append(ChoosePlace(seat, "action", state.name("vanguard"), free=True))
            if waiting:
                steps.append(Resolve(seat, waiting, "card", say("transgalactica.start")))
        return state.push(*steps, *(SetPriority(seat) for seat in reversed(state.order)), BeginRound())


class SetPriority(Do, Struct, frozen=True, tag="set-priority"):
    """Updates the vanguard's priority marker for its second outpost before the first round."""

    seat: int

    def do(self, state: TransState) -> TransState:
        return update_priority(state, self.seat)
