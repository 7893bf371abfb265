"""Events (rules 108 to 114) and the guilds they uncover (rules 115, 116, 121)."""

from __future__ import annotations

from typing import ClassVar

from msgspec import Struct
from msgspec.structs import replace

from companion.core.agenda import Ask, Do
from companion.core.components import UNKNOWN, Facts
from companion.core.facts import ask_fact, ask_facts, follows
from companion.core.questions import Option, Question
from companion.core.words import Text, plain, say
from companion.games.beyond import operations as op
from companion.games.beyond.actions import space_name
from companion.games.beyond.component_types import ids
from companion.games.beyond.deeds import does, lay_aside
from companion.games.beyond.feasible import covered_guilds
from companion.games.beyond.operations import AnyOperation
from companion.games.beyond.power_words import say_actions
from companion.games.beyond.state import BeyondState, Kept
from companion.games.beyond.steps.perform import Perform, carries

DO_IT, LEAVE_IT = "do", "leave"


class TurnEvent(Ask, Struct, frozen=True, tag="turn-event"):
    """Which event was turned over? Asked between placing the cube and searching for the card (rule 90)."""

    seat: int
    level: int
    slug: ClassVar[str] = "beyond.event"

    def ask(self, state: BeyondState) -> Question:
        options = tuple(Option(id, state.name(id), component=id) for id in self._events(state))
        return Question(self.slug, self.seat, say("beyond.ask.event"), options, has_default=False)

    def take(self, state: BeyondState, option: str) -> BeyondState:
        state = replace(state, seen_events=(*state.seen_events, option), changed=True)
        return state.push(ResolveEvent(self.seat, option))

    def reveals(self, state: BeyondState, option: str) -> Facts:
        """Its level, because it lay on a space of that level (set-up sheet, 4 and 5)."""
        return follows(state.event(option), event_level=self.level)

    def why_not(self, state: BeyondState, component: str) -> Text:
        return say("beyond.why.not-this-event")

    def is_obsolete(self, state: BeyondState) -> bool:
        return not self._events(state)

    def _events(self, state: BeyondState) -> tuple[str, ...]:
        """The unseen events of the level, and those whose level is unknown."""
        hidden = (state.event(id) for id in ids("events") if id not in state.seen_events)
        return tuple(event.id for event in hidden if event.event_level in (self.level, UNKNOWN))


class ResolveEvent(Do, Struct, frozen=True, tag="resolve-event"):
    """The discoverer carries the event out; then it is discarded unless it says otherwise (rule 108)."""

    seat: int
    event: str

    def do(self, state: BeyondState) -> BeyondState:
        card = state.event(self.event)
        untold = tuple(field for field in ("effects", "lies") if field in card.unknown())
        if untold:
            beside = tuple(field for field in ("actions", "points") if field in card.unknown())
            now = ask_fact("beyond", card, *untold, seat=self.seat)
            if not beside:
                return state.push(now, self)
            page = ask_fact("beyond", card, *untold, *beside, seat=self.seat, perhaps=beside, formerly=now)
            return state.push(page, self)
        effects = Perform(self.seat, card.effects or (), self.event, soft=True)
        return state.push(effects, PutEvent(self.seat, self.event))


class PutEvent(Do, Struct, frozen=True, tag="put-event"):
    """Moves the card to its place after it was carried out (rule 111)."""

    seat: int
    event: str

    def do(self, state: BeyondState) -> BeyondState:
        card = state.event(self.event)
        lies = card.lies or "discarded"
        there = state.kept.get(self.event)
        if lies == "discarded" and there is None:
            return does(state, self.seat, "discard-event", event=state.name(self.event))
        untold = [field for field in ("actions", "points") if getattr(card, field) is UNKNOWN]
        if untold:
            return state.push(ask_fact("beyond", card, *untold, seat=self.seat), self)
        seat = self.seat if lies == "before-you" else None
        kept = Kept(seat, there.system if there is not None else "")
        deed = "keep-event" if seat is not None else "lay-event"
        state = replace(state, kept={**state.kept, self.event: kept})
        return does(state, self.seat, deed, event=state.name(self.event))


@carries(op.Everyone)
def _everyone(state: BeyondState, seat: int, operation: AnyOperation, source: str, soft: bool) -> BeyondState:
    """Every faction in turn, clockwise from the discoverer (rule 109)."""
    assert isinstance(operation, op.Everyone)
    order = state.clockwise(seat)
    if operation.may:
        return state.push(*(MayDo(other, operation, source) for other in order))
    return state.push(*(Perform(other, operation.effects, source, soft=True) for other in order))


class MayDo(Ask, Struct, frozen=True, tag="may-do"):
    """Does this faction take part?"""

    seat: int
    operation: op.Everyone
    source: str
    slug: ClassVar[str] = "beyond.may-do"

    def ask(self, state: BeyondState) -> Question:
        options = (Option(DO_IT, say("beyond.option.do")), Option(LEAVE_IT, say("beyond.option.leave")))
        notes = tuple(say(f"beyond.does.{type(o).__struct_config__.tag}") for o in self.operation.effects)
        text = say("beyond.ask.may-do", card=state.name(self.source))
        return Question(self.slug, self.seat, text, options, notes=notes)

    def take(self, state: BeyondState, option: str) -> BeyondState:
        if option == LEAVE_IT:
            return state
        return state.push(Perform(self.seat, self.operation.effects, self.source, soft=True))


# Guilds and pawns


@carries(op.UncoverGuild)
def _uncover(state: BeyondState, seat: int, operation: AnyOperation, source: str, soft: bool) -> BeyondState:
    """Uncover a guild if a covered tile of the level is left (rule 121); unknown levels are asked first."""
    assert isinstance(operation, op.UncoverGuild)
    return state.push(LearnGuilds(seat), ChooseGuild(seat, operation.guild_level))


class LearnGuilds(Do, Struct, frozen=True, tag="learn-guilds"):
    """Asks for the levels of all covered guilds on one page."""

    seat: int

    def do(self, state: BeyondState) -> BeyondState:
        covered = (state.guild(id) for id in covered_guilds(state))
        untold = [guild for guild in covered if guild.guild_level is UNKNOWN]
        if not untold:
            return state
        text = say("beyond.ask-print.guilds")
        now = ask_fact("beyond", untold[0], "guild_level", seat=self.seat)
        return state.push(
            ask_facts("beyond", [(guild, ("guild_level",)) for guild in untold], text, now), self
        )


class ChooseGuild(Ask, Struct, frozen=True, tag="choose-guild"):
    """From which guild is the tile removed?"""

    seat: int
    level: int
    slug: ClassVar[str] = "beyond.guild"

    def ask(self, state: BeyondState) -> Question:
        options = tuple(
            Option(id, state.name(id), id, detail=say_actions(state.guild(id).actions))
            for id in self._guilds(state)
        )
        text = say("beyond.ask.guild", level=self.level)
        return Question(self.slug, self.seat, text, options, has_default=False)

    def take(self, state: BeyondState, option: str) -> BeyondState:
        state = replace(state, guilds=(*state.guilds, option))
        return does(state, self.seat, "uncover-guild", guild=state.name(option))

    def reveals(self, state: BeyondState, option: str) -> Facts:
        """The level of the tile, which the event names."""
        return follows(state.guild(option), guild_level=self.level)

    def is_obsolete(self, state: BeyondState) -> bool:
        return not self._guilds(state)

    def _guilds(self, state: BeyondState) -> tuple[str, ...]:
        """The covered guilds of the level, and those whose level is unknown."""
        covered = (state.guild(id) for id in covered_guilds(state))
        return tuple(guild.id for guild in covered if guild.guild_level in (self.level, UNKNOWN))


@carries(op.Displace)
def _displace(state: BeyondState, seat: int, operation: AnyOperation, source: str, soft: bool) -> BeyondState:
    return state.push(ChoosePawn(seat))


class ChoosePawn(Ask, Struct, frozen=True, tag="choose-pawn"):
    """Whose pawn is laid beside the board?"""

    seat: int
    slug: ClassVar[str] = "beyond.pawn"

    def ask(self, state: BeyondState) -> Question:
        options = tuple(
            Option(str(n), plain(state.seats[n].name), detail=space_name(state, state.seats[n].pawn), seat=n)
            for n in self._standing(state)
        )
        return Question(self.slug, self.seat, say("beyond.ask.pawn"), options, has_default=False)

    def take(self, state: BeyondState, option: str) -> BeyondState:
        return lay_aside(state, int(option))

    def is_obsolete(self, state: BeyondState) -> bool:
        return not self._standing(state)

    def _standing(self, state: BeyondState) -> tuple[int, ...]:
        return tuple(n for n in state.others(self.seat) if state.seats[n].pawn)


@carries(op.AllProduction)
def _all_production(
    state: BeyondState, seat: int, operation: AnyOperation, source: str, soft: bool
) -> BeyondState:
    """Growth, ore and trade, all in this turn (rule 77); no effect in another faction's turn."""
    if seat != state.active:
        return state
    return replace(state, all_production=True, changed=True).tell(say("beyond.all-production"), seat)
