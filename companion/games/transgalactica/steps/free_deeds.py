"""Free deeds: allowed any number of times in the own turn (rules 43-45, 129, 142, 162, 169).

They have their own heading in the question of the turn and are never asked about one by one.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from msgspec import Struct
from msgspec.structs import replace

from companion.core.agenda import Ask, Do
from companion.core.faces import ARROW, Sign
from companion.core.questions import Option, Question
from companion.core.words import Text, say
from companion.games.transgalactica.costs import CHANGED
from companion.games.transgalactica.deeds import change, does, pay, score, take
from companion.games.transgalactica.effects import Effects, Gain
from companion.games.transgalactica.state import Held, TransState
from companion.games.transgalactica.steps.missions import completable, complete
from companion.games.transgalactica.steps.obstacles import all_hindered, some_hindered
from companion.games.transgalactica.steps.print_first import ask_first, print_of_effects
from companion.games.transgalactica.steps.resolve import Resolve
from companion.games.transgalactica.steps.senate import TakeSeat, open_offices

RECYCLING, RECYCLED = "token-recycling", 2
"""The technology that gives a used token a second use, and its points (rule 142)."""
BANK = "token-bank"
FREE = "free-deed/"


def is_free(option: str) -> bool:
    """Whether an answer is one of the free deeds."""
    return option.startswith(FREE)


def free_options(state: TransState, seat: int) -> tuple[Option, ...]:
    """All free deeds a seat can do now."""
    if not state.own_turn(seat):
        return ()
    group = say("transgalactica.free-deeds")
    return tuple(replace(option, id=FREE + option.id, group=group) for option in _options(state, seat))


def _options(state: TransState, seat: int) -> Iterator[Option]:
    who = state.seats[seat]
    for id in completable(state, seat):
        text = say("transgalactica.complete", mission=state.name(id))
        yield Option(f"mission/{id}", text, id, detail=_partly(state, seat, state.mission(id).reward))
    for n in open_offices(state, seat):
        decree = state.decrees[n]
        text = say("transgalactica.sit", office=state.name(f"office-{n + 1}"), decree=state.name(decree))
        reward = state.decree(decree).reward or ()
        yield Option(f"senate/{n}", text, decree, detail=_partly(state, seat, reward))
    for held in who.tokens:
        if not held.used and token_obstacle(state, seat, held.token) is None:
            yield Option(
                f"token/{held.token}", say("transgalactica.use", token=state.name(held.token)), held.token
            )
    if BANK not in who.used:
        for held in who.bank:
            if not held.used and token_obstacle(state, seat, held.token) is None:
                yield Option(
                    f"bank/{held.token}", say("transgalactica.use", token=state.name(held.token)), held.token
                )
    if state.has(seat, "recycling") and RECYCLING not in who.used and who.alien:
        # Banked tokens are bonus tokens too, so recycling also applies to them (p. 10, 28).
        for held in (*who.tokens, *who.bank):
            if held.used:
                text = say("transgalactica.recycle", token=state.name(held.token))
                detail = _partly(state, seat, state.shows(held.token))
                yield Option(f"recycle/{held.token}", text, held.token, detail=detail)
    if who.credit:
        for what in CHANGED:
            signs = (Sign("credits", "1"), ARROW, Sign(what, "1"))
            yield Option(f"exchange/{what}", say(f"transgalactica.exchange.{what}"), signs=signs)


def _partly(state: TransState, seat: int, effects: Effects) -> Text | None:
    """Which part of a reward would do nothing now, and why; None if all of it works."""
    reason = some_hindered(state, seat, effects)
    return say("transgalactica.partly", why=reason) if reason else None


def token_obstacle(state: TransState, seat: int, token: str) -> Text | None:
    """Why a bonus token would do nothing, so that it is not offered and not used up; None if it would."""
    shows = state.token(token).shows
    return say("transgalactica.idle.blank") if shows == () else all_hindered(state, seat, shows or ())


def take_free(state: TransState, seat: int, option: str) -> TransState:
    """The table after a free deed; the caller has already pushed the interrupted question again."""
    sort, _, what = option.removeprefix(FREE).partition("/")
    if sort in ("token", "bank"):
        beside, below = state.agenda[0], replace(state, agenda=state.agenda[1:])
        assert isinstance(beside, Ask)
        needed = print_of_effects(state, seat, state.shows(what))
        if (asking := ask_first(below, beside, option, needed)) is not None:
            return asking
    match sort:
        case "exchange":
            why = (say("transgalactica.exchanging"),)
            state = pay(state, seat, (("credit", 1),), why)
            return take(state, seat, {what: 1}, why)
        case "mission":
            return complete(state, seat, what)
        case "senate":
            return state.push(TakeSeat(seat, int(what)))
        case "token":
            return use_token(state, seat, what)
        case "bank":
            return _use_banked(state, seat, what)
    return _recycle(state, seat, what)


def use_token(state: TransState, seat: int, token: str) -> TransState:
    """Turn a bonus token over and resolve its symbols (rule 44)."""
    who = state.seats[seat]
    tokens = tuple(Held(held.token, True) if held.token == token else held for held in who.tokens)
    state = change(state, seat, tokens=tokens)
    state = does(state, seat, say("transgalactica.do.turn-over", token=state.name(token)))
    return state.push(Resolve(seat, state.shows(token), "token", state.name(token)))


def _use_banked(state: TransState, seat: int, token: str) -> TransState:
    """Use one token of the bank per round, each only once (rule 169)."""
    who = state.seats[seat]
    bank = tuple(Held(held.token, True) if held.token == token else held for held in who.bank)
    state = change(state, seat, bank=bank, used=(*who.used, BANK))
    state = does(state, seat, say("transgalactica.do.turn-over", token=state.name(token)))
    return state.push(Resolve(seat, state.shows(token), "token", state.name(token)))


def _recycle(state: TransState, seat: int, token: str) -> TransState:
    """Pay an alien for two points and a second use of a used token, which is then discarded (rule 142)."""
    name = (state.name(RECYCLING),)
    state = pay(state, seat, (("alien", 1),), name)
    state = change(state, seat, used=(*state.seats[seat].used, RECYCLING))
    state = score(state, seat, RECYCLED, name)
    return state.push(
        Resolve(seat, state.shows(token), "token", state.name(token)), DiscardToken(seat, token)
    )


class DiscardToken(Do, Struct, frozen=True, tag="discard-token"):
    """Returns a bonus token to the box."""

    seat: int
    token: str

    def do(self, state: TransState) -> TransState:
        who = state.seats[self.seat]
        tokens, bank = (
            tuple(held for held in every if held.token != self.token) for every in (who.tokens, who.bank)
        )
        state = change(state, self.seat, tokens=tokens, bank=bank)
        state = replace(state, discarded=(*state.discarded, self.token))
        return does(state, self.seat, say("transgalactica.do.discard-token", token=state.name(self.token)))


class Between(Ask, Struct, frozen=True, tag="between"):
    """A bonus token gained by the first half of an action may be used before the second half (rule 44).

    Asked only if the token does more than give pieces or points, because those can be taken later.
    """

    seat: int
    before: tuple[str, ...]
    slug: ClassVar[str] = "transgalactica.between"

    def ask(self, state: TransState) -> Question:
        options = (Option("over", say("transgalactica.go-on")), *free_options(state, self.seat))
        return Question(self.slug, self.seat, say("transgalactica.ask.between"), options)

    def take(self, state: TransState, option: str) -> TransState:
        return state if option == "over" else take_free(state.push(self), self.seat, option)

    def is_obsolete(self, state: TransState) -> bool:
        fresh = set(helpful(state, self.seat)) - set(self.before)
        return not fresh or not state.own_turn(self.seat)


def between(state: TransState, seat: int) -> Between:
    """The step between the two halves of an action that starts now."""
    return Between(seat, helpful(state, seat))


def helpful(state: TransState, seat: int) -> tuple[str, ...]:
    """The unused bonus tokens of a seat that do more than give pieces or points."""
    return tuple(
        held.token
        for held in state.seats[seat].tokens
        if not held.used
        and token_obstacle(state, seat, held.token) is None
        and any(not isinstance(effect, Gain) for effect in state.shows(held.token))
    )
