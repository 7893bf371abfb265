"""The registry of scenes shown without people, and the moments of a play for which games declare them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from companion.core.game import Game
    from companion.core.parts import Highlight
    from workshop.screens.rehearsal import Rehearsal

StagedScene = Callable[["Rehearsal"], None]
PlayedScene = Callable[["Rehearsal", "Highlight"], None]

SCENES: dict[str, StagedScene] = {}
"""Scenes without a play, by name: the screen's name, sometimes followed by what is special."""

PLAYED: dict[str, PlayedScene] = {}
"""What is done on a screen at a moment a game declares; a scene that is not here only opens its screen."""


def scene(name: str) -> Callable[[StagedScene], StagedScene]:
    """Register a scene without a play."""

    def keep(made: StagedScene) -> StagedScene:
        SCENES[name] = made
        return made

    return keep


def played(name: str) -> Callable[[PlayedScene], PlayedScene]:
    """Register a scene at a moment some game declares for it."""

    def keep(made: PlayedScene) -> PlayedScene:
        PLAYED[name] = made
        return made

    return keep


def _at(game: Game, highlight: Highlight, name: str, r: Rehearsal) -> None:
    """Let bots play to this moment of a game, and show it as the scene does."""
    r.play(game.id, highlight.seats, answers=highlight.answers, seed=highlight.seed)
    if highlight.until is not None or highlight.asks is not None:
        r.play_until(highlight.reached)
    r.play_on(highlight.more)
    PLAYED.get(name, PLAYED.get(screen_of(name), _opened(screen_of(name))))(r, highlight)


def screen_of(name: str) -> str:
    """The screen of a scene: the longest screen name with which its name begins."""
    from companion.ui.screens import SCREENS

    return max((s for s in SCREENS if name == s or name.startswith(f"{s}-")), key=len)


def _opened(screen: str) -> PlayedScene:
    return lambda r, highlight: r.app.go(screen)


def first(r: Rehearsal, beginning: str) -> str:
    return next(name for name in r.taps() if name.startswith(beginning))


def scenes(only: Sequence[str] = ()) -> dict[str, StagedScene]:
    """Every scene, or those with these names; a screen's name selects all of its scenes."""
    from companion.core.game import games
    from workshop.screens import scenes_at_the_table, scenes_besides  # noqa: F401

    found = dict(SCENES)
    for game in games().values():
        for highlight in game.highlights:
            found |= {name: partial(_at, game, highlight, name) for name in highlight.scenes}
    return {
        name: made
        for name, made in found.items()
        if not only or any(name == wanted or name.startswith(wanted + "-") for wanted in only)
    }
