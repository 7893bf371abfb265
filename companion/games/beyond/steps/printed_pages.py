"""Asks for what is printed on a card or board, on one page with everything printed on it and on cards beside it."""

from __future__ import annotations

from companion.core.components import Component
from companion.core.facts import AskFact, AskFacts, ask_fact, ask_facts
from companion.core.words import say
from companion.games.beyond.component_types import System, Technology
from companion.games.beyond.state import BeyondState

OF_SYSTEM = ("strength", "specialisations", "control_bonus", "abilities", "colony_bonus", "points")
OF_TECHNOLOGY = ("passes", "immediate", "actions", "abilities", "points")


def untold(card: Component, *fields: str) -> tuple[str, ...]:
    """Those of these fields that are unknown."""
    unknown = card.unknown()
    return tuple(field for field in fields if field in unknown)


def untold_card(card: Technology) -> tuple[str, ...]:
    """The unknown facts of a technology that is being researched."""
    return tuple(field for field in untold(card, *OF_TECHNOLOGY) if field != "passes" or card.level < 4)


def ask_system(
    state: BeyondState, card: System, needed: tuple[str, ...], seat: int | None
) -> AskFact | AskFacts:
    """The page about a system and all that lie on the board."""
    laid = dict.fromkeys((*state.systems.values(), card.id))
    beside = [(system, untold(system, *OF_SYSTEM)) for system in map(state.system, laid)]
    now = ask_fact("beyond", card, *needed, seat=seat)
    return ask_facts("beyond", beside, say("beyond.ask-print.systems"), now)


def ask_technology(state: BeyondState, card: Technology, seat: int | None) -> AskFact | AskFacts:
    """The page about a technology and all that lie on the tree."""
    laid = dict.fromkeys((*(node.card for node in state.tree.values() if node.card), card.id))
    beside = [(one, untold_card(one)) for one in map(state.technology, laid)]
    now = ask_fact("beyond", card, *untold_card(card), seat=seat)
    return ask_facts("beyond", beside, say("beyond.ask-print.technologies"), now)


def ask_lines(state: BeyondState, needed: tuple[str, ...], seat: int | None) -> AskFact | AskFacts:
    """The page about all lines of the technology board."""
    board = state.tree_board
    now = ask_fact("beyond", board, *needed, seat=seat)
    text = say("core.what-is-printed", component=board.called)
    return ask_facts("beyond", [(board, board.unknown())], text, now)
