"""The action phase (rules 37-42): turns, followers, action planets, passing."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from msgspec import Struct
from msgspec.structs import replace

from companion.core.agenda import Ask, Do, Step
from companion.core.faces import Sign
from companion.core.questions import Option, Question
from companion.core.words import Text, plain, say
from companion.games.transgalactica.deeds import change, worker_out
from companion.games.transgalactica.effects import ACTIONS, Action, Kind
from companion.games.transgalactica.state import TransState, Used
from companion.games.transgalactica.steps.actions import ChooseAction, possible
from companion.games.transgalactica.steps.free_deeds import free_options, helpful, is_free, take_free
from companion.games.transgalactica.steps.missions import completable
from companion.games.transgalactica.steps.resolve import Happens, Perform, Resolve
from companion.games.transgalactica.steps.senate import open_offices

VISITORS, PROMOTION, PRIVATE = "visitors", "promotion", "private-omni"


class NextTurn(Do, Struct, frozen=True, tag="next-turn"):
    """The turn goes on from left to right and round; when all have passed in a row the phase is over (rule 42)."""

    last: int | None = None

    def do(self, state: TransState) -> TransState:
        if state.passed >= len(state.seats):
            return replace(state, active=None)
        seat = state.order[0] if self.last is None else state.after(self.last)[0]
        return replace(state, active=seat).push(Turn(seat))


class Turn(Ask, Struct, frozen=True, tag="turn"):
    """A captain on a main space, a worker on an action planet, or a pass; free deeds beside it (rule 37)."""

    seat: int
    slug: ClassVar[str] = "transgalactica.turn"

    def ask(self, state: TransState) -> Question:
        options = [*_mains(state, self.seat), *_planets(state, self.seat), *_private(state, self.seat)]
        options.append(Option("pass", say("transgalactica.pass"), signs=(Sign("pass"),)))
        options += free_options(state, self.seat)
        text = say("transgalactica.ask.turn")
        notes = tuple(reminders(state, self.seat))
        return Question(self.slug, self.seat, text, tuple(options), has_default=False, notes=notes)

    def take(self, state: TransState, option: str) -> TransState:
        if is_free(option):
            return take_free(state.push(self), self.seat, option)
        if option == "pass":
            state = state.tell(say("transgalactica.passes"), self.seat)
            return replace(state, passed=state.passed + 1).push(NextTurn(self.seat))
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
            return say("transgalactica.why.no-worker" if mine else "transgalactica.why.no-outpost")
        if component in who.log:
            return say("transgalactica.why.not-yet")
        return say("transgalactica.why.turn")

    def moot(self, state: TransState) -> bool:
        """A correction of the order may have made it another's turn."""
        return state.active != self.seat

    def lapse(self, state: TransState) -> TransState:
        return state.push(Turn(state.active)) if state.active is not None else state


def reminders(state: TransState, seat: int) -> Iterator[Text]:
    """What is within reach, for tables that want to be reminded."""
    if state.choices.get("reminders") == "off":
        return
    for id in completable(state, seat):
        yield say("transgalactica.could-complete", mission=state.name(id))
    for n in open_offices(state, seat):
        yield say("transgalactica.could-sit", decree=state.name(state.decrees[n]))


def within_reach(state: TransState, seat: int) -> tuple[str, ...]:
    """The missions and offices a seat could have now, and the tokens it could use."""
    offices = (state.decrees[n] for n in open_offices(state, seat))
    return (*completable(state, seat), *offices, *helpful(state, seat))


# Main actions


def _mains(state: TransState, seat: int) -> Iterator[Option]:
    """Free main spaces for a captain; with the codes also those only others have used (rules 40, 153)."""
    who = state.seats[seat]
    if who.captains_here <= 0:
        return
    for action in ACTIONS:
        by = [used.seat for used in state.used if used.action == action]
        override = (who.override or state.has(seat, "override")) and seat not in by
        if (not by or override) and possible(state, seat, action, "main"):
            detail = say("transgalactica.nobody-follows") if by else None
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
    """What came within reach by the action, missions, offices and tokens, may be had at once (rules 44, 129)."""

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

    def moot(self, state: TransState) -> bool:
        return set(within_reach(state, self.seat)) <= set(self.before)


# Action planets


def _planets(state: TransState, seat: int) -> Iterator[Option]:
    """Action planets with an own outpost that were not used in this round; one visit to another's (rules 92, 151)."""
    who = state.seats[seat]
    workers = [worker for worker, n in (("crew", who.crew), ("captain", who.captains_here)) if n > 0]
    planets = [id for id in who.planets if state.planet(id).type == "action"]
    if state.has(seat, "visits") and VISITORS not in who.used:
        others = (id for n, other in enumerate(state.seats) if n != seat for id in other.planets)
        planets += [
            id for id in dict.fromkeys(others) if state.planet(id).type == "action" and id not in who.planets
        ]
    for worker in workers:
        for planet in planets:
            if planet not in who.used:
                text = say(f"transgalactica.worker.planet.{worker}", planet=state.name(planet))
                first = worker == workers[0]
                yield Option(
                    f"planet:{worker}:{planet}",
                    text,
                    planet if first else None,
                    place=state.where(planet) if first else None,
                    signs=(Sign(worker), Sign("action-planet")),
                )


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
    if not state.able(seat, PRIVATE) or PRIVATE in who.used:
        return
    for worker, n in (("crew", who.crew), ("captain", who.captains_here)):
        if n > 0:
            text = say(f"transgalactica.worker.private.{worker}")
            yield Option(f"private:{worker}", text, signs=(Sign(worker), Sign("omni")))


# Followers


class Follow(Ask, Struct, frozen=True, tag="follow"):
    """Who follows next? In turn order, each at most once: whoever is passed over does not (rules 38, 39)."""

    action: Action
    active: int
    waiting: tuple[int, ...]
    seat: None = None
    slug: ClassVar[str] = "transgalactica.follow"

    def ask(self, state: TransState) -> Question:
        options = [Option("nobody", say("transgalactica.nobody-more"))]
        options += [option for seat in self.waiting for option in _followings(state, seat, self.action)]
        action = say(f"transgalactica.action.{self.action}")
        text = say("transgalactica.ask.follow", action=action)
        return Question(self.slug, None, text, tuple(options), has_default=False)

    def take(self, state: TransState, option: str) -> TransState:
        if option == "nobody":
            return state
        number, worker, how = option.split(":")
        seat = int(number)
        kind: Kind = "main" if how == "main" else "secondary"
        name = say("transgalactica.secondary", action=say(f"transgalactica.action.{self.action}"))
        state = worker_out(state, seat, worker, name)
        if kind == "main" and worker != "lieutenant":
            state = change(state, seat, used=(*state.seats[seat].used, PROMOTION))
        # The lieutenant acts instead of the secondary action: helpers pay nothing for that (rule 141).
        helped = () if worker == "lieutenant" else (Happens(seat, "secondary"),)
        rest = self.waiting[self.waiting.index(seat) + 1 :]
        free = (FreeWhileFollowing(seat),) if state.choices.get("following") == "also" else ()
        return state.push(*free, Perform(seat, self.action, kind), *helped, replace(self, waiting=rest))

    def moot(self, state: TransState) -> bool:
        return not any(True for seat in self.waiting for _ in _followings(state, seat, self.action))


def _followings(state: TransState, seat: int, action: Action) -> Iterator[Option]:
    """How a seat may follow: with a crew member or a captain, perhaps promoted; with the lieutenant as main."""
    who = state.seats[seat]
    promoted = state.has(seat, "promotion") and PROMOTION not in who.used
    ways: list[tuple[str, Kind]] = []
    for worker, n in (("crew", who.crew), ("captain", who.captains_here)):
        if n > 0:
            ways += [(worker, "secondary"), *([(worker, "main")] if promoted else [])]  # type: ignore[list-item]
    if who.lieutenant_here:
        ways.append(("lieutenant", "main"))
    exchanging = state.choices.get("following") == "also" and who.credit > 0
    for worker, kind in ways:
        if exchanging or possible(state, seat, action, kind):
            key = "promoted" if kind == "main" and worker != "lieutenant" else worker
            text = say(f"transgalactica.follows.{key}", seat=plain(who.name))
            yield Option(f"{seat}:{worker}:{kind}", text, signs=(Sign(worker), Sign(action)))


class FreeWhileFollowing(Ask, Struct, frozen=True, tag="free-while-following"):
    """Where the table allows free deeds while following (rule 45)."""

    seat: int
    slug: ClassVar[str] = "transgalactica.free"

    def ask(self, state: TransState) -> Question:
        options = (Option("over", say("transgalactica.go-on")), *free_options(state, self.seat))
        return Question(self.slug, self.seat, say("transgalactica.ask.free"), options)

    def take(self, state: TransState, option: str) -> TransState:
        return state if option == "over" else take_free(state.push(self), self.seat, option)

    def moot(self, state: TransState) -> bool:
        return not free_options(state, self.seat)
