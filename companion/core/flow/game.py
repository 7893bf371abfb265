"""Makes a `Game` of a flow: a light play of a game we know, or any other game."""

from __future__ import annotations

import importlib.resources
from functools import cache, lru_cache
from typing import Any

from msgspec import UNSET
from msgspec.structs import replace

from companion.core.agenda import advance
from companion.core.components import Catalogue
from companion.core.flow import score, view
from companion.core.flow.count_up import UNSCORED
from companion.core.flow.file import flow_in
from companion.core.flow.format import GameFlow
from companion.core.flow.state import FlowSeat, FlowState
from companion.core.flow.steps import DONE, PASS, STEPS, Begin, resume
from companion.core.game import FOLDER, Box, Game, Setup, full_game, game
from companion.core.plain_game import AnyBots
from companion.core.questions import Question
from companion.core.words import Text, say
from companion.errors import NotNow


def game_of(setup: Setup) -> Game:
    """The game of a set-up: by its rules, or by the flow it keeps; raises `Unknown` for a game we do not have."""
    return game(setup.game) if setup.flow is UNSET else flow_game(setup.flow)


@lru_cache(maxsize=64)
def flow_game(text: str) -> Game:
    """The game of a flow: what is printed and how it looks comes from the full game, if there is one."""
    flow = flow_in(text)
    parts: dict[str, Any] = {
        "state": FlowState,
        "steps": STEPS,
        "begin": lambda setup: begin(flow, setup),
        "sheet": score.sheet,
        "view": view.view,
        "counters": view.counters,
        "correct": view.correct,
        "check": lambda state: (),
        "on_table": lambda state: frozenset(),
        "bots": FlowBots,
        "highlights": (),
        "light": None,
    }
    full = full_game(flow.id)
    if full is not None:
        return replace(full, box=replace(full.box, seats=flow.seats), **parts)
    return Game(
        box=Box(id=flow.id, name=flow.name, rules=1, seats=flow.seats),
        catalogue=lambda setup, facts: Catalogue((), {}),
        checklist=lambda setup: _checklist(flow),
        sheet_words=score.plain_sheet_words(),
        **parts,
    )


@cache
def shipped_flow(id: str) -> str | None:
    """The flow file beside the rules of a game, if it has one."""
    file = importlib.resources.files(FOLDER).joinpath(id, "flow.toml")
    return file.read_text("utf-8") if full_game(id) is not None and file.is_file() else None


def lightened(full: Game, state: Any, names: tuple[str, ...], text: str) -> FlowState:
    """The light play of this flow at the point where a play with all rules is; raises `NotNow` if it has no
    such point."""
    flow = flow_in(text)
    if full.light is None or flow.id != full.id or len(names) not in flow.seats or not state.agenda:
        raise NotNow(say("flow.cannot-lighten"))
    fresh = begin(flow, Setup(flow.id, names))
    return advance(replace(resume(fresh, full.light(state)), taught=state.taught, once=state.once))


def _checklist(flow: GameFlow) -> tuple[Text, ...]:
    """How to set up: as the rulebook says; a flow without a source is to be checked first."""
    unchecked = () if flow.source else (say("flow.check-with-box"),)
    return (say("core.set-up"), *unchecked)


def begin(flow: GameFlow, setup: Setup) -> FlowState:
    """The table before the first question."""
    seats = len(setup.seats)
    own = {counter.id: counter.start for counter in flow.counted("seat")}
    table = {counter.id: counter.start for counter in flow.counted("table")}
    table |= {pool.id: pool.full(seats) for pool in flow.pool if not pool.into}
    return FlowState(
        agenda=(Begin(),),
        flow=flow,
        game=flow.id,
        seats=tuple(FlowSeat(name, own) for name in setup.seats),
        table=table,
    )


class FlowBots(AnyBots):
    """Bots that mostly finish their turns, and sometimes pass, count or press a button."""

    def choose(self, state: Any, question: Question) -> str:
        """Done in two of three cases, else anything that is offered."""
        ids = [option.id for option in question.options]
        if question.finished is not None:
            return UNSCORED
        if DONE in ids and self.random.random() < 0.66:
            return PASS if PASS in ids and self.random.random() < 0.5 else DONE
        return super().choose(state, question)
