"""Setting up (p. 2): the order on the track, credits, homes with their colonist and perhaps a good."""

from __future__ import annotations

from typing import ClassVar

from msgspec import Struct
from msgspec.structs import replace

from companion.core.agenda import Ask, Do, Step, together
from companion.core.questions import Option, Picks, Question
from companion.core.words import Text, plain, say
from companion.games.frontiers.component_types import Home, ids
from companion.games.frontiers.deeds import does, gain, put_good
from companion.games.frontiers.state import Colony, FrontiersState
from companion.games.frontiers.steps.facts import tell_tiles
from companion.games.frontiers.steps.round import BeginRound
from scoring.frontiers import KINDS

CREDITS = 3
MORE = {2: 1, 3: 1, 4: 2, 5: 2}
"""How many of the last seats in the order get one credit more (p. 2)."""


class TellOrder(Ask, Struct, frozen=True, tag="tell-order"):
    """Whose disc lies next on the priority track? The last one is not asked."""

    seat: None = None
    slug: ClassVar[str] = "frontiers.order"

    def ask(self, state: FrontiersState) -> Question:
        done, seats = len(state.track), len(state.seats)
        options = tuple(
            Option(str(seat), plain(who.name), cell=(0, seat), seat=seat)
            for seat, who in enumerate(state.seats)
            if seat not in state.track
        )
        key = "frontiers.ask.next-on-track" if done else "frontiers.ask.first-on-track"
        return Question(
            self.slug, None, say(key), options, has_default=False, tally=Picks(done, max(1, seats - 1))
        )

    def take(self, state: FrontiersState, option: str) -> FrontiersState:
        track = (*state.track, int(option))
        left = [seat for seat in range(len(state.seats)) if seat not in track]
        if len(left) > 1:
            return replace(state, track=track).push(TellOrder())
        return replace(state, track=discs((*track, *left))).push(GiveOut())


def discs(order: tuple[int, ...]) -> tuple[int, ...]:
    """The discs on the track: with two players each has a second one, in the same order (p. 2)."""
    return order if len(order) > 2 else (*order, *(seat + len(order) for seat in order))


class GiveOut(Do, Struct, frozen=True, tag="give-out"):
    """Three credits each, one more for the last seats; then each seat tells its home."""

    def do(self, state: FrontiersState) -> FrontiersState:
        order = state.order()
        for place, seat in enumerate(order):
            more = place >= len(order) - MORE[len(order)]
            why = (say("frontiers.part.last-in-order" if more else "frontiers.part.start"),)
            state = gain(state, seat, "credits", CREDITS + more, why)
        homes: dict[int, tuple[Step, ...]] = {seat: (ChooseHome(seat),) for seat in order}
        return state.push(together(homes), ReadHomes(), BeginRound())


class ChooseHome(Ask, Struct, frozen=True, tag="choose-home"):
    """Which side of its mat does this seat have? Mats of other seats are not offered."""

    seat: int
    slug: ClassVar[str] = "frontiers.home"

    def ask(self, state: FrontiersState) -> Question:
        options = tuple(
            Option(home.id, home.called, home.id, cell=(int(not home.white), home.mat - 1))
            for home in _free(state)
        )
        return Question(self.slug, self.seat, say("frontiers.ask.home"), options, has_default=False)

    def take(self, state: FrontiersState, option: str) -> FrontiersState:
        who = state.seats[self.seat]
        state = state.with_seat(self.seat, replace(who, colonies=(Colony(option), *who.colonies)))
        state = does(state, self.seat, say("frontiers.colonist-on-home", home=state.name(option)), usual=True)
        return state if state.tile(option).untold() else state.push(FurnishHome(self.seat))

    def why_not(self, state: FrontiersState, component: str) -> Text:
        home = state.box[component]
        other_side = state.first and isinstance(home, Home) and not home.white
        key = "first-game" if other_side else "mat-taken" if isinstance(home, Home) else "not-a-home"
        return say(f"frontiers.why.{key}")

    def is_obsolete(self, state: FrontiersState) -> bool:
        """Whether a correction already set the home."""
        return state.seats[self.seat].home is not None


def _free(state: FrontiersState) -> tuple[Home, ...]:
    """Both sides of every free mat; in a first game only those with a white square (p. 2)."""
    homes = tuple(home for id in ids("homes") if isinstance(home := state.box[id], Home))
    taken = {home.mat for home in homes if any(seat.colony(home.id) for seat in state.seats)}
    return tuple(home for home in homes if home.mat not in taken and (home.white or not state.first))


class ReadHomes(Do, Struct, frozen=True, tag="read-homes"):
    """Asks for the homes nobody told yet, on one page, then furnishes those that were not."""

    def do(self, state: FrontiersState) -> FrontiersState:
        homes = {seat: home for seat in state.order() if (home := state.seats[seat].home)}
        if any(state.tile(home).untold() for home in homes.values()):
            whose = {home: seat for seat, home in homes.items()}
            return state.push(tell_tiles(state, whose, say("frontiers.ask-print.homes")), self)
        return state.push(
            *(FurnishHome(seat) for seat, home in homes.items() if state.lacks_good(seat, home))
        )


class FurnishHome(Do, Struct, frozen=True, tag="furnish-home"):
    """A home with a halo starts with a good of its colour (p. 2)."""

    seat: int

    def do(self, state: FrontiersState) -> FrontiersState:
        home = state.seats[self.seat].home
        if home is None or state.world(home).goods != "windfall":
            return state
        kind = next((kind for kind in KINDS if kind == state.world(home).kind), None)
        return state if kind is None else put_good(state, self.seat, home, kind)
