"""The public view of the table, its sheet, and the lists for setting up and packing away."""

from __future__ import annotations

from collections.abc import Iterator

from companion.core.agenda import ready, waited_for
from companion.core.faces import Sign
from companion.core.game import Setup
from companion.core.parts import with_told_names
from companion.core.views import Gauge, Meter, PhaseView, PlacedView, SeatView, Shown, Tense, View
from companion.core.words import Text, count, say
from companion.games.race.cards import deck, say_power
from companion.games.race.costs import general_military
from companion.games.race.faces import good, signed
from companion.games.race.position import sheet_of_seats
from companion.games.race.power_sums import sums
from companion.games.race.state import POOL_PER_SEAT, TABLEAU_END, RaceState
from companion.games.race.steps.round import endings
from scoring.sheet import Sheet

MATTERS = {"explore": "hand", "develop": "hand", "settle": "military", "consume": "chips", "produce": "goods"}
"""The most important number in each phase."""

RIBBON = ("explore", "develop", "settle", "consume", "produce")


def view(state: RaceState) -> View:
    """The public table; chosen actions and cards stay hidden until they are revealed."""
    waited = waited_for(state)
    points = {seat.name: seat.total for seat in sheet(state).seats}
    reasons = endings(state) if state.round else ()
    over = not state.agenda
    key = "race.alert.over" if over else "race.alert.last-round"
    most = max(len(seat.tableau) for seat in state.seats)
    taken = state.pool_start - state.pool
    return View(
        round=state.round,
        phases=tuple(_phases(state)),
        seats=tuple(_seat(state, n, n in waited, points) for n in range(len(state.seats))),
        pools=(Gauge("pool", say("race.view.pool"), max(0, state.pool), state.pool_start),),
        meters=(
            Meter("tableau", say("race.view.largest-tableau"), most, TABLEAU_END),
            Meter("pool", say("race.view.points-taken"), min(taken, state.pool_start), state.pool_start),
        ),
        alerts=(say(key, reasons=reasons),) if reasons else (),
        over=over,
    )


def _phases(state: RaceState) -> Iterator[PhaseView]:
    ribbon = [p for p in (*RIBBON, "develop-2", "settle-2") if p in RIBBON or p in state.phases]
    ribbon.sort(key=lambda p: (RIBBON.index(p.removesuffix("-2")), p))
    now = state.phases.index(state.phase) if state.phase in state.phases else len(state.phases)
    for phase in ribbon:
        if phase not in state.phases:
            tense = Tense.SKIPPED if state.revealed else Tense.COMING
        else:
            at = state.phases.index(phase)
            tense = Tense.NOW if at == now else Tense.PAST if at < now else Tense.COMING
        yield PhaseView(phase, say(f"race.phase.{phase}"), tense)


def _seat(state: RaceState, index: int, waiting: bool, points: dict[str, int]) -> SeatView:
    seat = state.seats[index]
    numbers = {
        "hand": seat.hand,
        "chips": seat.chips,
        "goods": len(seat.goods),
        "military": general_military(state.cards(index)),
        "tableau": len(seat.tableau),
    }
    return SeatView(
        seat=index,
        name=seat.name,
        waiting=waiting,
        ready=ready(state, index),
        numbers=tuple(Shown(id, say(f"race.view.{id}"), n) for id, n in numbers.items()),
        components=tuple(
            PlacedView(card.id, card.called, (say(f"race.good.{card.good}"),), (good(card.good),))
            if card.id in seat.goods
            else PlacedView(card.id, card.called)
            for card in state.cards(index)
        ),
        powers=tuple(_powers(state, index)),
        points=points[seat.name],
        matters=MATTERS.get((state.phase or "").removesuffix("-2"), ""),
        sums=sums(state.cards(index)),
        brief=(
            Sign("hand", str(seat.hand)),
            Sign("military", signed(numbers["military"])),
            *(good(card.good) for card in state.cards(index) if card.id in seat.goods),
        ),
    )


def _powers(state: RaceState, seat: int) -> Iterator[Text]:
    """A seat's powers that matter in the current phase."""
    if state.phase is None:
        return
    phases = [state.phase.removesuffix("-2")]
    if state.phase == "consume" and state.has_bonus(seat, "consume-trade"):
        phases.append("trade")
    for card in state.cards(seat):
        for power in card.powers:
            if power.phase in phases:
                yield say("race.power-of", card=card.called, power=say_power(power))


def on_table(state: RaceState) -> frozenset[str]:
    """Every card that lies in a tableau."""
    return frozenset(id for seat in state.seats for id in seat.tableau)


def sheet(state: RaceState) -> Sheet:
    """The score as it would be if the play ended now."""
    box = state.deck.by_id
    return with_told_names(sheet_of_seats(state.seats, box), box, deck(state.edition).by_id)


def checklist(setup: Setup) -> tuple[Text, ...]:
    """What to do on the table before the first round."""
    seats = len(setup.seats)
    first_game = setup.choices["opening"] == "first-game"
    advanced = setup.choices["actions"] == "advanced"
    return (
        say("race.setup.chips", n=POOL_PER_SEAT * seats),
        say("race.setup.actions", n=9 if advanced else 7),
        say("race.setup.first-worlds", last=seats) if first_game else say("race.setup.worlds"),
        say("race.setup.first-hands") if first_game else say("race.setup.hands"),
        say("race.setup.deck"),
    )


def packing(setup: Setup) -> tuple[Text, ...]:
    """What to put where when the play is over."""
    sets = len(setup.seats)
    lists = [say("race.pack.goods"), say("race.pack.worlds"), count("race.pack.actions", sets)]
    if setup.choices["actions"] == "advanced":
        lists.append(say("race.pack.second-actions"))
    lists += [say("race.pack.deck"), say("race.pack.chips")]
    return tuple(lists)
