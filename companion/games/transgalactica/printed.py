"""What is printed in the box, in words; whoever owns one may know better, or know what nobody told us."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from companion.core.components import UNKNOWN, UNPRINTED, Component
from companion.core.forms import field_words, value_words
from companion.core.game import Printed
from companion.core.words import Text, count, say
from companion.games.transgalactica import things
from companion.games.transgalactica.power_words import all_of, prices, say_needs
from companion.games.transgalactica.things import At, Route, Term

GAME = "transgalactica"

NAMED = (
    things.Planet,
    things.Technology,
    things.Mission,
    things.Decree,
    things.Objective,
    things.Ability,
)
"""What may have a name in print: ours are working names."""

CERTAIN = frozenset(
    {"copies", "type", "base", "when", "events", "rule", "counts", "needs", "types", "terms", "better"}
)
CERTAIN_OF: dict[type[Component], frozenset[str]] = {
    things.Technology: frozenset({"effects"}),
    things.Mission: frozenset({"level"}),
    things.Ability: frozenset({"start"}),
    things.Token: frozenset({"sort"}),
    things.TrackSpace: frozenset({"track", "at"}),
    things.CrewSpace: frozenset({"captain"}),
    things.Board: frozenset({"players"}),
}
"""What the rules are written for, or what tells which slot this is: nothing to be taught."""


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
    """Whether there is nothing to say; what an ability does is no list of effects."""
    return field != "start" and getattr(component, field) in (None, ())


def _values(component: Component, field: str) -> tuple[Text, ...]:
    """A fact in words; no words if nobody told it."""
    value = getattr(component, field)
    if value is UNKNOWN:
        return ()
    if isinstance(component, things.Ability) and field == "start":
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
"""Fields that are more than a value or several."""
