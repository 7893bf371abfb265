"""Small tables of New Frontiers to start a test from, and helpers to play them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, get_args

from msgspec.structs import replace

from companion.core.agenda import Ask, Step, advance, open_asks, take
from companion.core.questions import Answer, Question
from companion.core.words import Text, inside
from companion.games.frontiers.state import Colony, FrontiersState, Seat, Selection
from scoring.frontiers import Kind

NAMES = ("Ania", "Ola", "Jan", "Ewa", "Iza")


def seat(
    *colonies: str | Colony,
    home: str | None = "",
    credits: int = 0,
    chips: int = 0,
    colonists: int = 0,
    explored: tuple[str, ...] = (),
    developments: tuple[str, ...] = (),
    goods: Mapping[str, str] | None = None,
    **more: object,
) -> Seat:
    """An empire; `goods` by tile. Its home is the white side of the mat of its place unless one is named, or None."""
    kinds = {
        tile: next(kind for kind in get_args(Kind) if kind == good) for tile, good in (goods or {}).items()
    }
    settled = [colony if isinstance(colony, Colony) else Colony(colony) for colony in colonies]
    if home is not None:
        settled.insert(0, Colony(home))
    return Seat(
        "",
        credits=credits,
        chips=chips,
        colonists=colonists,
        colonies=tuple(replace(colony, good=kinds.get(colony.tile, colony.good)) for colony in settled),
        explored=explored,
        developments=developments,
        **more,  # type: ignore[arg-type]
    )


def table(
    players: int = 3,
    goals: bool = False,
    taught: Mapping[str, Any] | None = None,
    action: str | None = None,
    selector: int = 0,
    track: tuple[int, ...] | None = None,
    round: int = 2,
    **seats: Seat,
) -> FrontiersState:
    """A table in the middle of a round, nothing on the agenda: `ania=seat(...)`, `ola=`, `jan=`, `ewa=`, `iza=`.

    With an `action` it was just selected by the first disc of `selector`. Taught is `"world-10.price"` and so on.
    """
    empires = []
    for place, name in enumerate(NAMES[:players]):
        empire = seats.pop(name.lower(), None) or seat()
        homes = (replace(c, tile=c.tile or f"home-{place + 1}a") for c in empire.colonies)
        empires.append(replace(empire, name=name, colonies=tuple(homes)))
    assert not seats, f"nobody is called {', '.join(seats)}"
    state = FrontiersState(
        goals=goals,
        seats=tuple(empires),
        track=tuple(range(4 if players == 2 else players)) if track is None else track,
        round=round,
        taught={**plain_homes(players), **(taught or {})},
    )
    return state if action is None else acting(state, action, selector)


def plain_homes(players: int) -> dict[str, Any]:
    """The homes of a table, gray and without powers unless a test says more; nobody told their costs."""
    printed: dict[str, Any] = {"product": "gray", "points": 0, "keywords": [], "powers": []}
    homes = (f"home-{place + 1}a" for place in range(players))
    return {f"{home}.{field}": value for home in homes for field, value in printed.items()}


def acting(state: FrontiersState, action: str, selector: int = 0) -> FrontiersState:
    """The table with this action just selected."""
    return replace(state, action=action, selected=(*state.selected, Selection(action, selector)))


def at(state: FrontiersState, *steps: Step) -> FrontiersState:
    """The table after these steps began, up to the first question."""
    return advance(state.push(*steps))


def asked(state: FrontiersState, who: int | None) -> Ask | None:
    """What this seat is asked now."""
    return next((ask for _, ask in open_asks(state) if ask.seat == who), None)


def question(state: FrontiersState, who: int | None) -> Question:
    """The question this seat is asked now."""
    ask = asked(state, who)
    assert ask is not None, f"seat {who} is not asked anything"
    return ask.ask(state)


def options(state: FrontiersState, who: int | None) -> list[str]:
    """What this seat may answer now."""
    return [option.id for option in question(state, who).options]


def answer(state: FrontiersState, who: int | None, *chosen: str) -> FrontiersState:
    """The table after this seat chose this option, or these one after another."""
    for option in chosen:
        ask = asked(state, who)
        assert ask is not None, f"seat {who} is not asked anything"
        state = take(state, Answer(who, ask.slug, option))
    return state


def told(state: FrontiersState, key: str, who: int | None = None) -> list[Text]:
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
