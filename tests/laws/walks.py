"""Random plays for the laws: every set-up, and plays that choose anything that is offered."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import combinations, product
from random import Random
from typing import Any

import pytest
from msgspec import UNSET

from companion.core.autoplay import any_answer
from companion.core.counters import Correctable
from companion.core.fact_values import anything
from companion.core.flow.file import flow_in
from companion.core.flow.game import flow_game, shipped_flow
from companion.core.flow.library import shipped_flows
from companion.core.game import Game, Setup, every_game
from companion.core.session import Session, begin
from tests import budgets

GAMES: list[Game] = list(every_game().values())
MANY_SETUPS = 6
"""A game with more of them is tried each day with those in which every two choices meet."""
CAMPAIGN_SETUPS = 4096
"""A game with more of them is tried in a campaign with those in which every three choices meet."""
NAMES = ("Ania", "Bartek", "Celina", "Darek", "Ewa", "Filip")


def setups(game: Game) -> list[Setup]:
    """Every number of players with every variant the game allows."""
    variants = game.box.variants
    found = []
    for seats in game.box.seats:
        for values in product(*(variant.values for variant in variants)):
            choices = {variant.id: value for variant, value in zip(variants, values, strict=True)}
            if all(variant.allowed(choices[variant.id], seats) for variant in variants):
                found.append(Setup(game.id, NAMES[:seats], choices))
    return found


def covering(game: Game, together: int = 1) -> list[Setup]:
    """As few set-ups as have every number of players and every value of every variant in them; or every two of those
    choices, or more, together in one."""
    return list(_covering(game.id, together))


@cache
def _covering(id: str, together: int) -> tuple[Setup, ...]:
    every = setups(every_game()[id])
    number: dict[object, int] = {}
    # Bits, for a game may have tens of thousands of set-ups.
    things = [
        [number.setdefault(thing, len(number)) for thing in _things(setup, together)] for setup in every
    ]
    bits = [sum(1 << n for n in of) for of in things]
    lacking = (1 << len(number)) - 1
    had = [0] * len(number)
    chosen: list[Setup] = []
    while lacking:
        # What has most that is new; and, where that is alike, whose things were there most seldom before.
        new = [(lacking & one).bit_count() for one in bits]
        most = max(new)
        best = min(
            (n for n, found in enumerate(new) if found == most), key=lambda n: sum(had[t] for t in things[n])
        )
        chosen.append(every[best])
        lacking &= ~bits[best]
        for thing in things[best]:
            had[thing] += 1
    return tuple(chosen)


def _things(setup: Setup, together: int) -> Iterator[object]:
    return combinations([len(setup.seats), *setup.choices.items()], together)


def tried(game: Game, many: int = MANY_SETUPS) -> list[Setup]:
    """The set-ups of a usual run, or of a campaign: then all of them, if a campaign can play them all."""
    every = setups(game)
    if len(every) <= (CAMPAIGN_SETUPS if budgets.campaign else many):
        return every
    return covering(game, together=3 if budgets.campaign else 2)


def called(x: object) -> str:
    """A game or a set-up as it is called among the tests."""
    if isinstance(x, Setup):
        light = () if x.flow is UNSET else ("light",)
        return "-".join([str(len(x.seats)), *x.choices.values(), *light])
    return x.id if isinstance(x, Game) else str(x)


def flow_texts() -> list[str]:
    """The flows of our games, then those of others."""
    ours = (shipped_flow(game.id) for game in GAMES)
    return [*(text for text in ours if text is not None), *(known.text for known in shipped_flows())]


ALL = [(game, setup) for game in GAMES for setup in tried(game)]
LIGHT = [
    (flow_game(text), Setup(flow_in(text).id, NAMES[:seats], flow=text))
    for text in flow_texts()
    for seats in flow_in(text).seats
]
"""Every flow with every number of players."""
everywhere = pytest.mark.parametrize(("game", "setup"), ALL + LIGHT, ids=called)
"""Every game with every set-up, or with so many that every two choices meet; and every flow."""


def _boxes() -> list[tuple[Game, Setup]]:
    found: list[tuple[Game, Setup]] = []
    seen: list[list[object]] = []
    for game, setup in ALL:
        box: list[object] = [game.id, *game.catalogue(setup, {})]
        if box not in seen:
            seen.append(box)
            found.append((game, setup))
    return found


every_box = pytest.mark.parametrize(("game", "setup"), _boxes(), ids=called)
"""Of the set-ups of `everywhere` those with different components: for laws about components alone."""

COVERING = [(game, setup) for game in GAMES for setup in covering(game)]


def any_counter(counters: tuple[Correctable, ...], random: Random) -> Correctable:
    """Any counter, every sort of them equally often: a map has hundreds of some."""
    sort = random.choice(sorted({counter.id.partition(":")[0] for counter in counters}))
    return random.choice([c for c in counters if c.id.partition(":")[0] == sort])


def any_fact(session: Session, random: Random) -> tuple[str, Any] | None:
    """Anything that can be told of anything that may be taught, rather of what lies on the table."""
    box, game = session.catalogue, session.game
    if not box.by_id:
        return None
    lying = [id for id in sorted(game.on_table(session.state)) if id in box]
    component = box[random.choice(lying)] if lying and random.random() < 0.8 else random.choice(list(box))
    fields = [row.field for row in game.rows(component) if row.teachable]
    if not fields:
        return None
    field = random.choice(fields)
    form = game.form(component, field)
    assert form is not None
    return f"{component.id}.{field}", anything(form, random)


def walk(game: Game, setup: Setup, random: Random, most: int) -> Iterator[Session]:
    """A play of up to `most` answers, each chosen from what is offered."""
    session = begin(game, setup, 0.0)
    yield session
    for n in range(most):
        if session.over:
            return
        session = session.answer(any_answer(session, random), float(n))
        yield session
