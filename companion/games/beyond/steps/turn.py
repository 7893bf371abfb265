"""A turn: pawn and action, production, achievement, end of the play (rules 35 to 53, 181 to 185)."""

from __future__ import annotations

from typing import ClassVar

from msgspec import Struct
from msgspec.structs import replace

from companion.core.agenda import Ask, Do
from companion.core.faces import Sign
from companion.core.facts import ask_fact
from companion.core.questions import Option, Question
from companion.core.words import Text, say
from companion.games.beyond.actions import SURCHARGE, ActionSpace, enterable, open_to, space_of, whose
from companion.games.beyond.component_types import Basic, Technology
from companion.games.beyond.deeds import does, lay_aside, pay_ore
from companion.games.beyond.feasible import covered_guilds, possible, untold_lines
from companion.games.beyond.power_words import say_operations
from companion.games.beyond.state import BeyondState
from companion.games.beyond.steps.achieve import ANNOUNCE, AchievementPhase, announce, announcements
from companion.games.beyond.steps.bases import CheckControl
from companion.games.beyond.steps.end import EndPlay
from companion.games.beyond.steps.perform import Perform
from companion.games.beyond.steps.printed_pages import ask_lines
from companion.games.beyond.steps.production import ProductionPhase
from companion.games.beyond.steps.research import ReadCards

PASS = "pass"
GO_ON, STOP = "go-on", "stop"
LONG, PAUSE = 30, 10
"""A play takes 15 rounds on average (p. 10): after 30, and every ten more, players may stop."""


class BeginTurn(Do, Struct, frozen=True, tag="begin-turn"):
    """Resets the values of a turn, then pushes its three phases in order (rule 36)."""

    seat: int

    def do(self, state: BeyondState) -> BeyondState:
        nobody = tuple(place for place in state.controllable if place not in state.bases)
        state = replace(
            state,
            active=self.seat,
            phase="action",
            changed=False,
            swapped=False,
            open_places=nobody,
            all_production=False,
            exchanges=0,
            announced=(),
        )
        if self.seat == state.first:
            state = replace(state, round=state.round + 1)
        long = (
            self.seat == state.first and state.round > LONG and state.round % PAUSE == 1 and not state.ending
        )
        steps = (*((GoOn(),) if long else ()), ReadCards(self.seat), ChooseSpace(self.seat))
        return state.push(*steps, ProductionPhase(self.seat), AchievementPhase(self.seat), EndTurn(self.seat))


class GoOn(Ask, Struct, frozen=True, tag="go-on"):
    """Does the play go on? Not a rule: lets players stop if the end never comes."""

    seat: None = None
    slug: ClassVar[str] = "beyond.go-on"

    def ask(self, state: BeyondState) -> Question:
        options = (Option(GO_ON, say("beyond.option.go-on")), Option(STOP, say("beyond.option.stop")))
        return Question(self.slug, None, say("beyond.ask.go-on", round=state.round), options)

    def take(self, state: BeyondState, option: str) -> BeyondState:
        return replace(state, agenda=(EndPlay(),)) if option == STOP else state


class EndTurn(Do, Struct, frozen=True, tag="end-turn"):
    """The next player's turn; one full round follows the round that triggered the end (rules 183, 184)."""

    seat: int

    def do(self, state: BeyondState) -> BeyondState:
        after = (self.seat + 1) % len(state.seats)
        last = bool(state.ending) and state.round > state.ending
        if after == state.first and last:
            return state.push(EndPlay())
        return state.push(BeginTurn(after))


class ChooseSpace(Ask, Struct, frozen=True, tag="choose-space"):
    """Where does the pawn go? Only actions that can be carried out and change something (rules 37 to 46)."""

    seat: int
    slug: ClassVar[str] = "beyond.action"

    def ask(self, state: BeyondState) -> Question:
        spaces = legal(state, self.seat)
        options = tuple(self._option(state, space, taken) for space, taken in spaces)
        if not options:  # no such table is known, but the play must not get stuck (rule 37)
            options = (Option(PASS, say("beyond.option.pass")),)
        options += announcements(state, self.seat)
        return Question(self.slug, self.seat, say("beyond.ask.action"), options, has_default=False)

    def take(self, state: BeyondState, option: str) -> BeyondState:
        if option.startswith(ANNOUNCE):
            return announce(state, option).push(self)
        return state if option == PASS else state.push(EnterSpace(self.seat, option))

    def why_not(self, state: BeyondState, component: str) -> Text:
        if any(space.holder == component for space in open_to(state, self.seat)):
            return say("beyond.why.not-possible")
        if component in covered_guilds(state):
            return say("beyond.why.covered")
        if not isinstance(state.box[component], Technology):
            return say("beyond.why.no-place-for-pawns")
        mine = component in state.cards(self.seat)
        return say("beyond.why.no-spaces" if mine else "beyond.why.not-yours")

    def _option(self, state: BeyondState, space: ActionSpace, taken: int | None) -> Option:
        on_tree = next((s for s, node in state.tree.items() if node.card == space.holder), None)
        basic = space.holder == state.basic.id
        place = on_tree or (
            f"basic-{space.action}" if basic else space.holder if space.holder in state.guilds else None
        )
        signs = (Sign("ore", "+1"),) if space.surcharge else ()
        text = space.text(state)
        if space.surcharge:
            text = say("beyond.with-surcharge", action=text)
        if space.stays and space.n:
            text = say("beyond.last-space", action=text)
        if taken is not None:
            text = say("beyond.displacing", action=text, name=state.seats[taken].name)
        component = None if basic else space.holder
        return Option(space.id, text, component, detail=say_operations(space.whole), place=place, signs=signs)


class EnterSpace(Do, Struct, frozen=True, tag="enter-space"):
    """Enters the space; unknown tree lines are asked for first, and may force the seat to choose again."""

    seat: int
    space: str

    def do(self, state: BeyondState) -> BeyondState:
        space = space_of(state, self.space)
        if space is None or not _payable(state, self.seat, space):
            return state.tell(say("beyond.why.not-possible"), self.seat).push(ChooseSpace(self.seat))
        if untold := untold_lines(state, self.seat, space.whole, space.holder):
            return state.push(ask_lines(state, untold, self.seat), self)
        return enter(state, self.seat, space)


def enter(state: BeyondState, seat: int, space: ActionSpace) -> BeyondState:
    """Place the pawn, pay the surcharge and push the action."""
    other = whose(state, seat, space)
    if other is not None:
        state = lay_aside(state, other)
    state = state.with_seat(seat, replace(state.seats[seat], pawn=space.id))
    state = does(state, seat, "pawn", usual=True, space=space.text(state), at=space.id)
    state = replace(pay_ore(state, seat, surcharge(space)), changed=False)
    return state.push(Perform(seat, space.operations, space.holder), CheckControl())


def legal(state: BeyondState, seat: int) -> tuple[tuple[ActionSpace, int | None], ...]:
    """The spaces a pawn may go to now, each with the seat whose pawn it displaces, if any."""
    return tuple((space, other) for space, other in enterable(state, seat) if _payable(state, seat, space))


def surcharge(space: ActionSpace) -> int:
    """The extra cost of the space itself (rule 46); not part of its action, so no change (rules 45, 56)."""
    return SURCHARGE if space.surcharge else 0


def _payable(state: BeyondState, seat: int, space: ActionSpace) -> bool:
    """Whether the action is possible with the ore left after the surcharge."""
    who, due = state.seats[seat], surcharge(space)
    if who.ore < due:
        return False
    after = state.with_seat(seat, replace(who, ore=who.ore - due)) if due else state
    return possible(after, seat, space.operations, space.holder)


class ReadBasic(Do, Struct, frozen=True, tag="read-basic"):
    """Asks for unknown facts of Basic Spacefaring once, before the first turn (rule 24)."""

    def do(self, state: BeyondState) -> BeyondState:
        section: Basic = state.basic
        untold = section.unknown()
        return state.push(ask_fact("beyond", section, *untold)) if untold else state
