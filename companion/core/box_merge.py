"""Compares somebody else's taught box with ours (new, same, conflicting) and takes it over."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Mapping

from msgspec import Struct
from msgspec.structs import replace

from companion.core.binder import Binder, Taught, newest, refusal, values
from companion.core.components import Catalogue
from companion.core.game import Game
from companion.core.positions import quoted
from companion.core.words import count, say
from companion.errors import CountsDisagree
from companion.texts import fold


class Conflict(Struct, frozen=True):
    """One printed value about which two boxes disagree."""

    ours: Taught
    theirs: Taught

    @property
    def key(self) -> str:
        """The name of the fact."""
        return self.ours.key


class Merge(Struct, frozen=True):
    """Somebody else's box compared with ours."""

    new: tuple[Taught, ...]
    """Facts that only their box has."""
    same: tuple[Taught, ...]
    conflicts: tuple[Conflict, ...]

    def taken(self, theirs: Container[str]) -> tuple[Taught, ...]:
        """What we take over: everything new, and their value for the conflicts named in `theirs`."""
        return (*self.new, *(c.theirs for c in self.conflicts if c.key in theirs))


def compare(ours: Mapping[str, Taught], theirs: Iterable[Taught]) -> Merge:
    """Compare their facts with those that hold here; a fact we took back counts as not stated."""
    held = {key: said for key, said in ours.items() if said.value is not None}
    told = tuple(said for said in theirs if said.value is not None)
    return Merge(
        tuple(said for said in told if said.key not in held),
        tuple(said for said in told if said.key in held and held[said.key].value == said.value),
        tuple(
            Conflict(held[said.key], said)
            for said in told
            if said.key in held and held[said.key].value != said.value
        ),
    )


def possible(rules: Game, told: Iterable[Taught]) -> tuple[Taught, ...]:
    """The same facts; where a component was given by its name, in any language, it is replaced by its id.

    Raises `DataTrouble` with all facts that occur twice or cannot be printed in the box.
    """
    box = rules.every_component()
    by_name = Catalogue(box.values()).by_name
    theirs = tuple(
        one
        if one.component in box
        else replace(one, component=by_name.get(fold(one.component), one.component))
        for one in told
    )
    often = Counter(one.key for one in theirs)
    wrong = (
        *(say("binder.twice", fact=quoted(key)) for key, times in often.items() if times > 1),
        *rules.bad_facts(values(theirs)),
    )
    if wrong:
        raise refusal(wrong, rules.box.name)
    return theirs


def take_over(binder: Binder, rules: Game, told: Iterable[Taught], insist: bool = False) -> int:
    """Store other people's facts, all or none; returns how many are new or different.

    Raises `DataTrouble` with all that cannot be printed, or, unless `insist`, `CountsDisagree` with
    everything that would then contradict the counts in the rulebook.
    """
    theirs = possible(rules, told)
    said = (*binder.latest(rules.id).values(), *theirs)
    setup = rules.usual_setup(values(said))
    found = () if insist else rules.disagreements(setup, newest(said))
    if found:
        doubts = tuple(one.sentence(rules.taught_box(setup)) for one in found)
        raise CountsDisagree(count("binder.doubted", len(doubts), game=rules.box.name), doubts)
    return binder.take(rules.id, theirs)
