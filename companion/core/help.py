"""Help with an open question: its rule in own words with the page of the rulebook, and why not another answer.

A game's `game.toml` says which rule a question belongs to; `<game>.help.<rule>` are its words.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import Struct

from companion.core.game import Box, ExplainedRule
from companion.core.questions import Question
from companion.core.session import Session
from companion.core.understand import Sighted, why_not
from companion.core.words import Text, say

OF_EVERY_GAME = {
    "core.fact": "core.help.fact",
    "flow.who-begins": "core.help.flow-order",
    "flow.order": "core.help.flow-order",
    "flow.turn": "core.help.flow-turn",
    "flow.everybody": "core.help.flow-turn",
    "flow.pick": "core.help.flow-turn",
    "flow.points": "core.help.flow-points",
    "flow.tie": "core.help.flow-points",
    "flow.finished": "core.help.flow-points",
}
"""Questions that no rulebook has: they are about what is printed, or light play asks them."""

GENERAL = frozenset({"core.not-asked", "core.not-waiting-for-you", "core.play-is-over"})
"""Reasons that tell nothing about a component."""


MOST_REFUSALS, MOST_ALIKE = 8, 8
"""How many reasons are told; one that fits more components than this says nothing about any of them."""


class Refusal(Struct, frozen=True):
    """A reason why these components may not be chosen now."""

    reason: Text
    names: tuple[Text, ...]


class QuestionHelp(Struct, frozen=True):
    """Help with one question; `source` is the page of the rulebook, if the rule is in one."""

    rule: Text
    source: Text | None
    refusals: tuple[Refusal, ...]


def rule_of(box: Box, slug: str) -> tuple[Text, Text | None]:
    """The rule behind a kind of question in own words, and where the rulebook has it."""
    if slug in OF_EVERY_GAME:
        return say(OF_EVERY_GAME[slug]), None
    kind = slug.removeprefix(f"{box.id}.")
    for rule in box.rulebook:
        if kind in rule.questions:
            return say(f"{box.id}.help.{rule.id}"), _where(box, rule)
    return say("core.help.none"), None


def _where(box: Box, rule: ExplainedRule) -> Text | None:
    if rule.step:
        return say("core.help.sheet", step=rule.step, game=box.name)
    if not rule.pages:
        return None
    return say("core.help.pages" if "-" in rule.pages else "core.help.page", page=rule.pages, game=box.name)


def help_with(session: Session, question: Question) -> QuestionHelp:
    """Help with an open question."""
    rule, source = rule_of(session.game.box, question.slug)
    told = sorted(_refusals(session, question), key=lambda refusal: len(refusal.names))
    telling = tuple(refusal for refusal in told if len(refusal.names) <= MOST_ALIKE)
    return QuestionHelp(rule, source, telling[:MOST_REFUSALS])


def reason_against(session: Session, component: str, seat: int | None) -> Text | None:
    """Why this component may not be chosen by this seat now; None if it may, or if nothing like it is asked."""
    asked = [q for q in session.questions() if seat is None or q.seat in (seat, None)]
    if session.over or any(o.component == component for q in asked for o in q.options):
        return None
    reason = why_not(session, Sighted(component, seat))
    return None if reason.key in GENERAL else reason


def _refusals(session: Session, question: Question) -> Iterator[Refusal]:
    """Reasons for the components of its seat, of the maps, and those it cannot afford, each reason once."""
    found: dict[Text, list[str]] = {}
    for component in dict.fromkeys(_near(session, question)):
        reason = reason_against(session, component, question.seat)
        if reason is not None:
            found.setdefault(reason, []).append(component)
    box = session.catalogue
    for reason, components in found.items():
        yield Refusal(reason, tuple(box[id].called for id in components))


def _near(session: Session, question: Question) -> Iterator[str]:
    view, box = session.view, session.catalogue
    yield from question.unaffordable
    if question.seat is not None:
        yield from (placed.component for placed in view.seats[question.seat].components)
    yield from (place.component for map in view.maps for place in map.places if place.component in box)


def reminder(note: Text) -> str:
    """What a note is called in the settings once people switched it off: its kind, or a flow file's own words."""
    own = note.key.startswith("core.")  # a flow file's words: a name or as they stand
    return "|".join(str(value) for value in note.args.values()) if own else note.key


def wanted(notes: Iterable[Text], silenced: tuple[str, ...]) -> tuple[Text, ...]:
    """The notes that nobody switched off."""
    return tuple(note for note in notes if reminder(note) not in silenced)
