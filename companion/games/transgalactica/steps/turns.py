"""The action phase (rules 37-42): turns, followers, action planets, passing."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from msgspec import Struct
from msgspec.structs import replace

from companion.core.agenda import Ask, Do, Step
from companion.core.components import Component
from companion.core.faces import Sign
from companion.core.questions import Option, Question
from companion.core.words import Text, say
from companion.games.transgalactica.deeds import change, worker_out
from companion.games.transgalactica.effects import ACTIONS, Action
from companion.games.transgalactica.state import Seat, TransState, Used
from companion.games.transgalactica.steps.actions import ChooseAction, any_possible
from companion.games.transgalactica.steps.followers import Follow
from companion.games.transgalactica.steps.free_deeds import (
    free_options,
    helpful,
    is_free,
    take_free,
    token_obstacle,
)
from companion.games.transgalactica.steps.missions import completable
from companion.games.transgalactica.steps.obstacles import PAID, action_obstacle, all_hindered, pays_for
from companion.games.transgalactica.steps.print_first import ask_first, print_of_action, print_of_effects
from companion.games.transgalactica.steps.resolve import Happens, Perform, Resolve
from companion.games.transgalactica.steps.senate import open_offices

VISITORS, PRIVATE = "visitors", "private-omni"


class NextTurn(Do, Struct, frozen=True, tag="next-turn"):
    """The turn passes from left to right and round; when all pass in a row, the phase is over (rule 42)."""

    last: int | None = None

    def do(self, state: TransState) -> TransState:
        if state.passed >= len(state.seats):
            return replace(state, active=None)
        seat = state.order[0] if self.last is None else state.after(self.last)[0]
        return replace(state, active=seat).push(Turn(seat))


class Turn(Ask, Struct, frozen=True, tag="turn"):
    """A captain on a main space, a worker on an action planet, or a pass; plus free deeds (rule 37)."""

    seat: int
    slug: ClassVar[str] = "transgalactica.turn"

    def ask(self, state: TransState) -> Question:
        options = [*_mains(state, self.seat), *_planets(state, self.seat), *_private(state, self.seat)]
        options.append(Option("pass", say("transgalactica.pass"), signs=(Sign("pass"),)))
        options += free_options(state, self.seat)
        text = say("transgalactica.ask.turn")
        notes = (*reminders(state, self.seat), *_idle_planets(state, self.seat))
        return Question(self.slug, self.seat, text, tuple(options), has_default=False, notes=notes)

    def take(self, state: TransState, option: str) -> TransState:
        if is_free(option):
            return take_free(state.push(self), self.seat, option)
        if option == "pass":
            state = state.tell(say("transgalactica.passes"), self.seat)
            return replace(state, passed=state.passed + 1).push(NextTurn(self.seat))
        if (asking := ask_first(state, self, option, _print_of(state, self.seat, option))) is not None:
            return asking
        state = replace(state, passed=0)
        sort, _, what = option.partition(":")
        within = within_reach(state, self.seat)
        over: tuple[Step, ...] = (AfterAction(self.seat, within),)
        if sort == "main":
            action: Action = next(one for one in ACTIONS if one == what)
            return _take_main(state, self.seat, action, over)
        worker, _, planet = what.partition(":")
        if sort == "planet":
            return _use_planet(state, self.seat, worker, planet, over)
        state = worker_out(state, self.seat, worker, state.name(PRIVATE))
        state = change(state, self.seat, used=(*state.seats[self.seat].used, PRIVATE))
        return state.push(ChooseAction(self.seat, "main"), *over, NextTurn(self.seat))

    def why_not(self, state: TransState, component: str) -> Text:
        who = state.seats[self.seat]
        if component in who.used:
            return say("transgalactica.why.used")
        if any(held.used and held.token == component for held in (*who.tokens, *who.bank)):
            return say("transgalactica.why.face-down")
        if state.where(component) is not None and state.planet(component).type == "action":
            mine = component in who.planets
            if mine and _workers(who) and (reason := planet_obstacle(state, self.seat, component)):
                return reason
            return say("transgalactica.why.no-worker" if mine else "transgalactica.why.no-outpost")
        if any(held.token == component for held in (*who.tokens, *who.bank)):
            return token_obstacle(state, self.seat, component) or say("transgalactica.why.turn")
        if component in who.log:
            return say("transgalactica.why.not-yet")
        return say("transgalactica.why.turn")

    def is_obsolete(self, state: TransState) -> bool:
        """Whether a correction of the order made it another seat's turn."""
        return state.active != self.seat

    def on_obsolete(self, state: TransState) -> TransState:
        return state.push(Turn(state.active)) if state.active is not None else state


def reminders(state: TransState, seat: int) -> Iterator[Text]:
    """Missions and offices within reach, unless the table switched reminders off."""
    if state.choices.get("reminders") == "off":
        return
    for id in completable(state, seat):
        yield say("transgalactica.could-complete", mission=state.name(id))
    for n in open_offices(state, seat):
        yield say("transgalactica.could-sit", decree=state.name(state.decrees[n]))


def within_reach(state: TransState, seat: int) -> tuple[str, ...]:
    """The missions a seat could complete, the offices it could take and the tokens it could use now."""
    offices = (state.decrees[n] for n in open_offices(state, seat))
    return (*completable(state, seat), *offices, *helpful(state, seat))


# Main actions


def _mains(state: TransState, seat: int) -> Iterator[Option]:
    """Free main spaces for a captain; with the codes also those used only by others (rules 40, 153)."""
    who = state.seats[seat]
    if who.captains_here <= 0:
        return
    for action in ACTIONS:
        by = [used.seat for used in state.used if used.action == action]
        override = (who.override or state.has(seat, "override")) and seat not in by
        idle = action_obstacle(state, seat, action, "main")
        # An action without effect still blocks its space for others, but it must be payable.
        if (not by or override) and (idle is None or action not in PAID):
            detail = say("transgalactica.nobody-follows") if by else None
            if idle is not None:
                detail = say("transgalactica.idle", why=idle)
            signs = (Sign("captain"), Sign(action))
            text = say(f"transgalactica.action.{action}")
            yield Option(f"main:{action}", text, detail=detail, signs=signs)


def _take_main(state: TransState, seat: int, action: Action, over: tuple[Step, ...]) -> TransState:
    name = say(f"transgalactica.action.{action}")
    followed = not any(used.action == action for used in state.used)
    state = worker_out(state, seat, "captain", name)
    state = replace(state, used=(*state.used, Used(action, seat)))
    follow = (Follow(action, seat, state.after(seat)),) if followed else ()
    return state.push(Perform(seat, action, "main"), *over, *follow, NextTurn(seat))


class AfterAction(Ask, Struct, frozen=True, tag="after-action"):
    """Missions, offices and tokens the action brought within reach may be used at once (rules 44, 129)."""

    seat: int
    before: tuple[str, ...]
    slug: ClassVar[str] = "transgalactica.after"

    def ask(self, state: TransState) -> Question:
        over = Option("over", say("transgalactica.go-on"))
        options = (over, *free_options(state, self.seat))
        notes = tuple(reminders(state, self.seat))
        return Question(self.slug, self.seat, say("transgalactica.ask.after"), options, notes=notes)

    def take(self, state: TransState, option: str) -> TransState:
        return state if option == "over" else take_free(state.push(self), self.seat, option)

    def is_obsolete(self, state: TransState) -> bool:
        return set(within_reach(state, self.seat)) <= set(self.before)


# Action planets


def _workers(who: Seat) -> tuple[str, ...]:
    """The kinds of workers a seat can still place on an action planet."""
    return tuple(worker for worker, n in (("crew", who.crew), ("captain", who.captains_here)) if n > 0)


def _usable(state: TransState, seat: int) -> list[str]:
    """Unused action planets with an own outpost; with a technology also one of another seat (rules 92, 151)."""
    who = state.seats[seat]
    planets = list(who.planets)
    if state.has(seat, "visits") and VISITORS not in who.used:
        planets += [id for other in state.seats for id in other.planets]
    found = dict.fromkeys(planets)
    return [id for id in found if state.planet(id).type == "action" and id not in who.used]


def planet_obstacle(state: TransState, seat: int, planet: str) -> Text | None:
    """Why using an action planet would do nothing, or None; agents pay for any use (rule 139)."""
    if pays_for(state, seat, "planet-used"):
        return None
    return all_hindered(state, seat, state.planet(planet).effects)


def _idle_planets(state: TransState, seat: int) -> Iterator[Text]:
    """Why the planets that are not offered would do nothing."""
    if _workers(state.seats[seat]):
        for id in _usable(state, seat):
            if reason := planet_obstacle(state, seat, id):
                yield say("transgalactica.idle-planet", planet=state.name(id), why=reason)


def _planets(state: TransState, seat: int) -> Iterator[Option]:
    """The action planets that would have an effect."""
    workers = _workers(state.seats[seat])
    planets = [id for id in _usable(state, seat) if planet_obstacle(state, seat, id) is None]
    for worker in workers:
        for planet in planets:
            text = say(f"transgalactica.worker.planet.{worker}", planet=state.name(planet))
            first = worker == workers[0]
            yield Option(
                f"planet:{worker}:{planet}",
                text,
                planet if first else None,
                place=state.where(planet) if first else None,
                signs=(Sign(worker), Sign("action-planet")),
            )


def _print_of(state: TransState, seat: int, option: str) -> Iterator[Component]:
    """The components that must be known before a worker is placed there."""
    sort, _, what = option.partition(":")
    if sort == "main":
        yield from print_of_action(state, seat, next(one for one in ACTIONS if one == what))
    elif sort == "planet":
        effects = state.planet(what.partition(":")[2]).effects
        yield from print_of_effects(state, seat, effects)


def _use_planet(state: TransState, seat: int, worker: str, planet: str, over: tuple[Step, ...]) -> TransState:
    who = state.seats[seat]
    used = (planet,) if planet in who.planets else (planet, VISITORS)
    state = worker_out(state, seat, worker, state.name(planet))
    state = change(state, seat, used=(*who.used, *used))
    effects = Resolve(seat, state.planet(planet).effects, "planet", state.name(planet))
    return state.push(effects, Happens(seat, "planet-used"), *over, NextTurn(seat))


def _private(state: TransState, seat: int) -> Iterator[Option]:
    """The private omni space: a main action for any worker, without the omni price (rule 171)."""
    who = state.seats[seat]
    if not state.able(seat, PRIVATE) or PRIVATE in who.used or not any_possible(state, seat, "main"):
        return
    for worker in _workers(who):
        text = say(f"transgalactica.worker.private.{worker}")
        yield Option(f"private:{worker}", text, signs=(Sign(worker), Sign("omni")))
