"""Components about which nothing is known: offered as one "new tile", since their ids are not printed on them."""

from __future__ import annotations

from msgspec.structs import replace

from companion.core.components import NAME, NAME_FIELDS, UNKNOWN, Component
from companion.core.entries import FactCorrected
from companion.core.fact_values import fits
from companion.core.game import Game
from companion.core.questions import Option, Question
from companion.core.session import Session
from companion.core.words import Text, say


def as_offered(session: Session, question: Question) -> Question:
    """The question as shown to people: of all unknown components of one kind only the next one is offered, as
    a new tile. A scan or a typed name may still mean any of them.

    The new tile comes first, after the default; it has no face.
    """
    known: list[Option] = []
    new: list[Option] = []
    lying = session.game.on_table(session.state)
    for option in question.options:
        component = None if option.component is None else session.catalogue[option.component]
        called = None if component is None or component.id in lying else new_name(session.game, component)
        if component is None or called is None or option.text != component.called or option.place is not None:
            known.append(option)
            continue
        sort = None if session.game.kind is None else session.game.kind(component)
        if sort not in [other.detail for other in new]:
            shown = replace(option, text=called, component=None, new=component.id, detail=sort, group=None)
            new.append(shown)
    if len(new) == 1:
        new = [replace(new[0], detail=None)]
    first = 1 if question.has_default and known else 0
    return replace(question, options=(*known[:first], *new, *known[first:])) if new else question


def new_name(game: Game, component: Component) -> Text | None:
    """What an unknown component is called; None if something is known about it, or it is distinguishable anyway."""
    called = component.called_when_new
    return called if called is not None and is_free(game, component) else None


def naming(component: str, name: str, language: str) -> FactCorrected:
    """The deed that names a component: the printed name, or words by which people recognise it."""
    return FactCorrected(f"{component}.{NAME}.{language}", name)


def unnamed(session: Session, question: Question, name: str) -> list[tuple[str, Text]]:
    """For each kind that a question offers, the next unknown component that may get this name."""
    game, found = session.game, list[tuple[str, Text]]()
    for option in question.options:
        id = option.new or option.component
        if id is None or not is_free(game, session.catalogue[id]):
            continue
        component = session.catalogue[id]
        form = game.form(component, NAME)
        sort = say("ui.new-component") if game.kind is None else game.kind(component)
        if form is not None and fits(form, name) and sort not in [known for _, known in found]:
            found.append((component.id, sort))
    return found


def is_free(game: Game, component: Component) -> bool:
    """Whether nothing is known about a component but what the box says of every one like it. If anything is,
    it is a particular tile and must not be given the name of another one."""
    if component.names:
        return False
    told = [row.field for row in game.printed(component) if row.teachable and row.field not in NAME_FIELDS]
    known = [getattr(component, field, UNKNOWN) for field in told]
    if all(value is UNKNOWN for value in known):
        return True
    return any(
        known == [getattr(other, field, UNKNOWN) for field in told]
        for other in game.every_component().values()
        if other.id != component.id and type(other) is type(component) and not other.names
    )
