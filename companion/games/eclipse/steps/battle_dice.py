"""A volley (p. 19): dice are rolled on the table and told face by face; each hit goes where its owner wants it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import ClassVar

from msgspec import Struct

from companion.core.agenda import Ask, Do
from companion.core.questions import Option, Question
from companion.core.words import Text, count, say
from companion.games.eclipse.combat import (
    REPUTATION,
    Squad,
    battlefield,
    damages,
    enemy,
    fleet_of,
    group_of,
    needed,
    ship_of,
    squad,
    squads,
    strike,
)
from companion.games.eclipse.odds_damage import Rule
from companion.games.eclipse.odds_dice import Kind, hits
from companion.games.eclipse.state import EclipseState
from companion.games.eclipse.things import DAMAGE, Die

FACES = range(1, 7)
DONE = "done"
"""None of the other dice hits: nobody has to tell misses one by one."""


class TellDie(Ask, Struct, frozen=True, tag="tell-die"):
    """What does the next die of a volley show?"""

    seat: int | None
    key: str
    dice: tuple[Die, ...]
    faces: tuple[int, ...] = ()
    slug: ClassVar[str] = "eclipse.die"

    def ask(self, state: EclipseState) -> Question:
        shooter, targets = sides(state, self.key)
        assert shooter is not None
        colour = say(f"eclipse.die.{self.dice[len(self.faces)]}")
        text = count(
            "eclipse.ask.die",
            len(self.dice) - len(self.faces),
            colour=colour,
            ship=ship_of(state, shooter),
            needs=tuple(needs(state, shooter, targets)),
        )
        options = tuple(
            Option(
                str(face), say("eclipse.option.face", n=face), detail=_struck(state, shooter, targets, face)
            )
            for face in reversed(FACES)
        )
        done = Option(DONE, say("eclipse.option.no-more-hits"))
        return Question(self.slug, self.seat, text, (*options, done), has_default=False)

    def take(self, state: EclipseState, option: str) -> EclipseState:
        rest = len(self.dice) - len(self.faces)
        faces = (*self.faces, *((1,) * rest if option == DONE else (int(option),)))
        if len(faces) < len(self.dice):
            return state.push(TellDie(self.seat, self.key, self.dice, faces))
        hit = tuple((die, face) for die, face in zip(self.dice, faces, strict=True) if face > 1)
        return state.push(PlaceHits(self.key, hit))

    def moot(self, state: EclipseState) -> bool:
        shooter, targets = sides(state, self.key)
        return shooter is None or not targets


def sides(state: EclipseState, key: str) -> tuple[Squad | None, list[Squad]]:
    """Who shoots, and at whom."""
    battle = battlefield(state)
    targets = squads(state, battle.place, enemy(battle, int(key.partition(":")[0])))
    return squad(state, battle.place, key), targets


def needs(state: EclipseState, shooter: Squad, targets: list[Squad]) -> Iterator[Text]:
    """What hits whom: "4 or more"."""
    for target in targets:
        face = needed(shooter.design.computer, target.design.shield)
        yield say("eclipse.battle.needs", ship=ship_of(state, target), n=face)


def _struck(state: EclipseState, shooter: Squad, targets: list[Squad], face: int) -> Text:
    hit = [t for t in targets if hits(face, shooter.design.computer, t.design.shield)]
    if not hit:
        return say("eclipse.battle.misses")
    if len(hit) == len(targets):
        return say("eclipse.battle.hits")
    return say("eclipse.battle.hits-some", ships=tuple(ship_of(state, t) for t in hit))


Hit = tuple[Die, int]
"""A die and the face it shows."""


class PlaceHits(Do, Struct, frozen=True, tag="place-hits"):
    """Hits are placed one after another, the strongest first; where there is only one way nobody is asked."""

    key: str
    hits: tuple[Hit, ...]

    def do(self, state: EclipseState) -> EclipseState:
        shooter, _ = sides(state, self.key)
        if shooter is None:
            return state
        if shooter.faction < 0:
            return ruled(state, shooter, self.hits)
        for n, (die, face) in enumerate(self.hits):
            aims = list(aims_of(state, shooter, face, DAMAGE[die]))
            if len(aims) > 1:
                return state.push(PlaceHit(shooter.faction, self.key, self.hits[n:]))
            for target, suffered in aims:
                state = strike(state, shooter.faction, target.key, suffered, DAMAGE[die])
        return state


def aims_of(state: EclipseState, shooter: Squad, face: int, damage: int) -> list[tuple[Squad, int]]:
    """Every different ship a die can go on, with what it has suffered: first those it destroys, the dearest of them."""
    battle = battlefield(state)
    _, targets = sides(state, shooter.key)
    found = [
        (target, suffered)
        for target in targets
        if hits(face, shooter.design.computer, target.design.shield)
        for suffered in dict.fromkeys(damages(state, battle, target))
    ]
    return sorted(
        found,
        key=lambda aim: (
            aim[1] + damage <= aim[0].design.hull,
            -REPUTATION[aim[0].ship],
            aim[0].design.hull - aim[1],
        ),
    )


class PlaceHit(Ask, Struct, frozen=True, tag="place-hit"):
    """On which ship does this hit go?"""

    seat: int
    key: str
    hits: tuple[Hit, ...]
    slug: ClassVar[str] = "eclipse.hit"

    def ask(self, state: EclipseState) -> Question:
        die, face = self.hits[0]
        text = count(
            "eclipse.ask.hit",
            DAMAGE[die],
            seat=state.name(self.seat),
            colour=say(f"eclipse.die.{die}"),
            face=face,
        )
        options = tuple(_option(state, target, n, DAMAGE[die]) for target, n in self._aims(state))
        return Question(self.slug, self.seat, text, options)

    def take(self, state: EclipseState, option: str) -> EclipseState:
        target, _, suffered = option.rpartition(":")
        damage = DAMAGE[self.hits[0][0]]
        state = state.push(PlaceHits(self.key, self.hits[1:]))
        return strike(state, self.seat, target, int(suffered), damage)

    def moot(self, state: EclipseState) -> bool:
        return sides(state, self.key)[0] is None or len(self._aims(state)) < 2

    def lapse(self, state: EclipseState) -> EclipseState:
        return state.push(PlaceHits(self.key, self.hits))

    def _aims(self, state: EclipseState) -> list[tuple[Squad, int]]:
        shooter, _ = sides(state, self.key)
        assert shooter is not None
        die, face = self.hits[0]
        return aims_of(state, shooter, face, DAMAGE[die])


def _option(state: EclipseState, target: Squad, suffered: int, damage: int) -> Option:
    whole = target.design.hull + 1
    if suffered + damage >= whole:
        detail = say("eclipse.battle.would-destroy")
    else:
        detail = say("eclipse.battle.would-leave", n=whole - suffered - damage)
    name = say("eclipse.option.target", ship=ship_of(state, target), n=whole - suffered)
    return Option(f"{target.key}:{suffered}", name, detail=detail)


def ruled(state: EclipseState, shooter: Squad, struck: tuple[Hit, ...]) -> EclipseState:
    """Where the dice of Ancients and of the defence system go is not for anybody to choose (p. 19)."""
    battle = battlefield(state)
    targets, hull = fleet_of(state, battle, enemy(battle, shooter.faction))
    rolled: Counter[Kind] = Counter()
    for die, face in struck:
        hit = [n for n, t in enumerate(targets) if hits(face, shooter.design.computer, t.design.shield)]
        if hit:
            rolled[Kind(DAMAGE[die], frozenset(hit))] += 1
    kinds = tuple(sorted(rolled, key=lambda kind: (len(kind.groups), -kind.damage)))
    rule = Rule(tuple(group_of(target) for target in targets))
    after = rule.after(hull, kinds, tuple(rolled[kind] for kind in kinds))
    for target, before, then in zip(targets, hull, after, strict=True):
        for have, get in _changes(before, then):
            whole = target.design.hull + 1
            state = strike(state, shooter.faction, target.key, whole - have, have - get)
    return state


def _changes(before: tuple[int, ...], after: tuple[int, ...]) -> Iterator[tuple[int, int]]:
    """Which ship has how much left now: those destroyed are the weakest, the others keep their order."""
    gone = len(before) - len(after)
    old, new = list(before), [0] * gone + list(after)
    for have, get in zip(old, new, strict=True):
        if have != get:
            yield have, get
