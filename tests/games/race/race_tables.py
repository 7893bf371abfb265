"""Small tables of Race to start a test from, and helpers to play them."""

from __future__ import annotations

from collections.abc import Iterable

from companion.core.agenda import Ask, Step, advance, open_asks, take
from companion.core.game import Setup
from companion.core.questions import Answer, Question
from companion.core.session import Moment, Session
from companion.core.words import Text, inside
from companion.games.race import GAME
from companion.games.race.state import RaceState, Seat

NAMES = ("Ania", "Ola", "Jan", "Ewa")
START = {"old-earth", "epsilon-eridani", "alpha-centauri", "new-sparta", "earths-lost-colony"}


def seat(
    *tableau: str,
    hand: int = 10,
    goods: Iterable[str] = (),
    chips: int = 0,
    actions: Iterable[str] = (),
) -> Seat:
    """A seat with these cards; `table` gives it a name."""
    return Seat(
        "", hand=hand, chips=chips, tableau=tableau, goods=tuple(goods), actions=tuple(actions), produced=()
    )


def table(*seats: Seat, edition: str = "first", advanced: bool = False, rounds: int = 1) -> RaceState:
    """The table with these seats, nothing on the agenda."""
    named = tuple(
        Seat(name, s.hand, s.chips, s.tableau, s.goods, s.actions)
        for name, s in zip(NAMES, seats, strict=False)
    )
    return RaceState(
        edition=edition, opening="normal", advanced=advanced, seats=named, round=rounds, revealed=True
    )


def at(state: RaceState, *steps: Step) -> RaceState:
    """The table after these steps began, up to the first question."""
    return advance(state.push(*steps))


def asked(state: RaceState, who: int) -> Ask | None:
    """What this seat is asked now."""
    return next((ask for _, ask in open_asks(state) if ask.seat == who), None)


def question(state: RaceState, who: int) -> Question:
    ask = asked(state, who)
    assert ask is not None, f"seat {who} is not asked anything"
    return ask.ask(state)


def options(state: RaceState, who: int) -> list[str]:
    """What this seat may answer now."""
    return [option.id for option in question(state, who).options]


def answer(state: RaceState, who: int, option: str) -> RaceState:
    """The table after this seat chose this option."""
    ask = asked(state, who)
    assert ask is not None, f"seat {who} is not asked anything"
    return take(state, Answer(who, ask.slug, option))


def everybody(state: RaceState, *choices: str) -> RaceState:
    """The table after each seat that is asked gave its answer, in the order of seats."""
    for who, option in enumerate(choices):
        state = answer(state, who, option)
    return state


def passing(state: RaceState, *but: int) -> RaceState:
    """The table after every seat that chooses a card to place, but these, placed nothing."""
    for who in range(len(state.seats)):
        ask = asked(state, who)
        if who not in but and ask is not None and ask.slug == "race.place":
            state = answer(state, who, "pass")
    return state


def told(state: RaceState, key: str, who: int | None = None) -> list[Text]:
    """Every sentence with this key in what was told last (to this seat)."""
    return [
        text
        for item in state.news
        if who is None or item.seat == who
        for text in inside(item.text)
        if text.key == key
    ]


def number(text: Text) -> int:
    """The number a sentence speaks of."""
    n = text.args["n"]
    assert isinstance(n, int)
    return n


def session(state: RaceState) -> Session:
    """A play that begins at this table."""
    choices = {
        "edition": state.edition,
        "opening": state.opening,
        "actions": "advanced" if state.advanced else "standard",
    }
    setup = Setup("race", tuple(s.name for s in state.seats), choices)
    return Session(GAME, setup, (Moment(state),), thought=(0.0,) * len(state.seats))
