"""The printed facts of the box in words; owners can correct them or teach unknown ones."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from companion.core.components import UNKNOWN, UNPRINTED, Component
from companion.core.forms import field_words, value_words
from companion.core.printed_facts import Printed
from companion.core.words import Text, count, say
from companion.games.transgalactica import component_types
from companion.games.transgalactica.component_types import At, Route, Term
from companion.games.transgalactica.power_words import all_of, prices, say_needs

GAME = "transgalactica"

NAMED = (
    component_types.Planet,
    component_types.Technology,
    component_types.Mission,
    component_types.Decree,
    component_types.Objective,
    component_types.Ability,
)
"""Components that may have a printed name: ours are working names."""

CERTAIN = frozenset(
    {"copies", "type", "base", "when", "events", "rule", "counts", "needs", "types", "terms", "better"}
)
CERTAIN_OF: dict[type[Component], frozenset[str]] = {
    component_types.Technology: frozenset({"effects"}),
    component_types.Mission: frozenset({"level"}),
    component_types.Ability: frozenset({"start"}),
    component_types.Token: frozenset({"sort"}),
    component_types.TrackSpace: frozenset({"track", "at"}),
    component_types.CrewSpace: frozenset({"captain"}),
    component_types.Board: frozenset({"players"}),
}
"""Facts that cannot be taught, because rules depend on them or they identify the slot."""


def printed(component: Component) -> tuple[Printed, ...]:
    """Every fact of a component in words."""
    certain = CERTAIN | CERTAIN_OF.get(type(component), frozenset())
    fields = [field for field in component.__struct_fields__ if field not in UNPRINTED]
    return tuple(
        Printed(field, field_words(GAME, field), _values(component, field), teachable=field not in certain)
        for field in fields
        if field not in certain or not _is_nothing(component, field)
    )


def _is_nothing(component: Component, field: str) -> bool:
    """Whether there is nothing to show; `start` of an ability is always shown."""
    return field != "start" and getattr(component, field) in (None, ())


def _values(component: Component, field: str) -> tuple[Text, ...]:
    """A fact in words; no words if unknown."""
    value = getattr(component, field)
    if value is UNKNOWN:
        return ()
    if isinstance(component, component_types.Ability) and field == "start":
        return (say(f"transgalactica.ability.{component.id}"),)
    if field in SAID:
        return SAID[field](value)
    if isinstance(value, bool):
        return (say("core.form.yes" if value else "core.form.no"),)
    if isinstance(value, tuple):
        return _several(value_words(GAME, field, one) for one in value)
    return (value_words(GAME, field, value),)


def _several(values: Iterable[Text]) -> tuple[Text, ...]:
    return tuple(values) or (say("core.form.nothing"),)


def _routes(routes: tuple[Route, ...]) -> tuple[Text, ...]:
    return _several(
        say(
            "transgalactica.printed.route",
            one=say(f"transgalactica.place.{route.one}"),
            other=say(f"transgalactica.place.{route.other}"),
            energy=route.energy,
        )
        for route in routes
    )


def _sketch(spots: tuple[At, ...]) -> tuple[Text, ...]:
    return _several(
        say("transgalactica.printed.spot", n=n, x=spot.x, y=spot.y) for n, spot in enumerate(spots, start=1)
    )


def _terms(terms: tuple[Term, ...]) -> tuple[Text, ...]:
    return tuple(map(_term, terms))


def _term(term: Term) -> Text:
    each = say(f"transgalactica.per.{term.per.replace(':', '-')}")
    said = count("transgalactica.printed.term", term.vp, each=each)
    return say("transgalactica.printed.at-most", term=said, most=term.most) if term.most else said


SAID: dict[str, Callable[[Any], tuple[Text, ...]]] = {
    "type": lambda type: (say(f"transgalactica.type.{type}"),),
    "types": lambda types: tuple(say(f"transgalactica.types.{type}") for type in types),
    "when": lambda when: (say(f"transgalactica.when.{when}"),),
    "events": lambda events: tuple(say(f"transgalactica.events.{event}") for event in events),
    "rule": lambda rule: (say(f"transgalactica.rule.{rule}"),),
    "counts": lambda counts: tuple(say(f"transgalactica.counts.{what}") for what in counts),
    "effects": all_of,
    "reward": all_of,
    "shows": all_of,
    "income": all_of,
    "cost": prices,
    "needs": say_needs,
    "terms": _terms,
    "routes": _routes,
    "sketch": _sketch,
}
"""How to word fields that are neither a value nor a list of values."""
