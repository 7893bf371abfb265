"""Components nobody has named yet: which of them a new name could be for."""

from __future__ import annotations

from companion.core.components import NAME, NAME_FIELDS, UNKNOWN, Component
from companion.core.fact_values import fits
from companion.core.game import Game
from companion.core.questions import Question
from companion.core.session import Session
from companion.core.words import Text, say


def unnamed(session: Session, question: Question, name: str) -> list[tuple[str, Text]]:
    """Of each sort that a question offers the next free component, where it may be called so."""
    game, found = session.game, list[tuple[str, Text]]()
    for option in question.options:
        if option.component is None or not is_free(game, session.catalogue[option.component]):
            continue
        component = session.catalogue[option.component]
        form = game.form(component, NAME)
        sort = say("ui.new-component") if game.kind is None else game.kind(component)
        if form is not None and fits(form, name) and sort not in [known for _, known in found]:
            found.append((component.id, sort))
    return found


def is_free(game: Game, component: Component) -> bool:
    """Whether nobody has told anything of a component: one of which something is known is that very thing, and the name
    of another must not be given to it."""
    told = [row.field for row in game.printed(component) if row.teachable and row.field not in NAME_FIELDS]
    return not component.names and all(getattr(component, field, UNKNOWN) is UNKNOWN for field in told)
