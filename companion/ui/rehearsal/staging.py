"""What there is to be shown without people: scenes by name, and the moments of a play at which games declare them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from companion.core.game import Game
    from companion.core.parts import Highlight
    from companion.ui.rehearsal.rehearsal import Rehearsal

Scene = Callable[["Rehearsal"], None]
Played = Callable[["Rehearsal", "Highlight"], None]

SCENES: dict[str, Scene] = {}
"""What is to be seen without a play, by name: a screen's own name, perhaps with what is special about it."""

PLAYED: dict[str, Played] = {}
"""What is done on a screen at a moment a game declares; a scene that is not here only opens its screen."""


def scene(name: str) -> Callable[[Scene], Scene]:
    """A scene of this name, without a play."""

    def keep(made: Scene) -> Scene:
        SCENES[name] = made
        return made

    return keep


def played(name: str) -> Callable[[Played], Played]:
    """A scene of this name, at a moment some game declares for it."""

    def keep(made: Played) -> Played:
        PLAYED[name] = made
        return made

    return keep


def _at(game: Game, highlight: Highlight, name: str, r: Rehearsal) -> None:
    """Let bots play to a moment of a game, and show it as this scene does."""
    r.play(game.id, highlight.seats, answers=highlight.answers, seed=highlight.seed)
    if highlight.until is not None or highlight.asks is not None:
        r.play_until(highlight.reached)
    r.play_on(highlight.more)
    PLAYED.get(name, PLAYED.get(screen_of(name), _opened(screen_of(name))))(r, highlight)


def screen_of(name: str) -> str:
    """The screen of a scene: the longest one whose name it begins with."""
    from companion.ui.screens import SCREENS

    return max((s for s in SCREENS if name == s or name.startswith(f"{s}-")), key=len)


def _opened(screen: str) -> Played:
    return lambda r, highlight: r.app.go(screen)


def first(r: Rehearsal, beginning: str) -> str:
    return next(name for name in r.taps() if name.startswith(beginning))


def scenes(only: Sequence[str] = ()) -> dict[str, Scene]:
    """Every scene, or those of these names; a screen's name takes all of its scenes."""
    from companion.core.game import games
    from companion.ui.rehearsal import scenes_at_the_table, scenes_besides  # noqa: F401

    found = dict(SCENES)
    for game in games().values():
        for highlight in game.highlights:
            found |= {name: partial(_at, game, highlight, name) for name in highlight.scenes}
    return {
        name: made
        for name, made in found.items()
        if not only or any(name == wanted or name.startswith(wanted + "-") for wanted in only)
    }
