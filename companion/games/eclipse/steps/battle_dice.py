"""A volley (p. 19): dice are rolled, here or on the table, and told; each hit goes where the shooter wants it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from itertools import takewhile
from typing import ClassVar

from msgspec import Struct

from companion.core.agenda import Ask, Do
from companion.core.questions import TOGETHER, Dice, Option, Question, Share
from companion.core.words import Text, count, say
from companion.games.eclipse.battle_faces import battle_faces, shares, squad_face
from companion.games.eclipse.combat import (
    REPUTATION,
    Squad,
    battlefield,
    damages,
    enemy,
    fleet_of,
    group_of,
    needed,
    player_ship,
    ship_of,
    squad,
    squads,
    strike,
)
from companion.games.eclipse.component_types import DAMAGE, Die, parts
from companion.games.eclipse.odds_damage import Rule
from companion.games.eclipse.odds_dice import Kind, hits
from companion.games.eclipse.species import fitted
from companion.games.eclipse.state import EclipseState

FACES = range(1, 7)
MISS, DONE = "miss", "done"
"""None of the other dice of this colour hits, or of any colour: misses need not be told one by one."""
Hit = tuple[Die, int]
"""A die and the face it shows."""
COLOURS: dict[Die, str] = {"yellow": "#F2CF4A", "orange": "#F39A3D", "red": "#FF7A6B"}


def dice_question(
    dice: Sequence[Hashable], colour: Die, counting: list[int], details: dict[int, Text]
) -> tuple[Dice, list[Option]]:
    """The first interchangeable dice of these, with an option for each face and for misses."""
    alike = len(list(takewhile(lambda die: die == dice[0], dice)))
    options = [Option(str(face), say("eclipse.option.face", n=face), detail=details[face]) for face in FACES]
    if alike < len(dice):
        options.append(Option(MISS, say("eclipse.option.these-miss")))
    options.append(Option(DONE, say("eclipse.option.no-more-hits")))
    faces, hitting = tuple(map(str, FACES)), tuple(map(str, counting))
    return Dice(alike, faces, hitting, MISS if alike < len(dice) else DONE, COLOURS[colour]), options


def told_faces(dice: Sequence[Hashable], answer: str) -> tuple[int, ...]:
    """The faces of the first of these dice, decoded from an answer; a miss counts as a one."""
    alike = len(list(takewhile(lambda die: die == dice[0], dice)))
    faces: list[int] = []
    for part in answer.split(TOGETHER):
        missed = len(dice) if part == DONE else alike if part == MISS else 0
        faces += [1] * (missed - len(faces)) if missed else [int(part)]
    return tuple(faces)


class TellDie(Ask, Struct, frozen=True, tag="tell-die"):
    """What do the next dice of a volley show? Dice of one colour are told together."""

    seat: int | None
    key: str
    dice: tuple[Die, ...]
    faces: tuple[int, ...] = ()
    slug: ClassVar[str] = "eclipse.die"

    def ask(self, state: EclipseState) -> Question:
        shooter, targets = sides(state, self.key)
        assert shooter is not None
        left = self.dice[len(self.faces) :]
        details = {face: _struck(state, shooter, targets, face) for face in FACES}
        least = min(needed(shooter.design.computer, target.design.shield) for target in targets)
        dice, options = dice_question(left, left[0], [*FACES][least - 1 :], details)
        text = say(
            "eclipse.ask.die",
            ship=ship_of(state, shooter),
            dice=count(f"eclipse.dice.{left[0]}", dice.n),
            weapon=weapon(state, shooter, left[0]),
            damage=DAMAGE[left[0]],
        )
        return Question(
            self.slug,
            self.seat,
            text,
            tuple(options),
            has_default=False,
            notes=tuple(needs(state, shooter, targets)),
            dice=dice,
            faces=battle_faces(state, battlefield(state), self.key),
            odds=_odds(state),
        )

    def take(self, state: EclipseState, option: str) -> EclipseState:
        faces = (*self.faces, *told_faces(self.dice[len(self.faces) :], option))
        if len(faces) < len(self.dice):
            return state.push(TellDie(self.seat, self.key, self.dice, faces))
        hit = tuple((die, face) for die, face in zip(self.dice, faces, strict=True) if face > 1)
        return self._told(state, hit).push(PlaceHits(self.key, hit))

    def _told(self, state: EclipseState, rolled: tuple[Hit, ...]) -> EclipseState:
        """News about which dice hit anything."""
        shooter, targets = sides(state, self.key)
        assert shooter is not None
        computer, shields = shooter.design.computer, [target.design.shield for target in targets]
        hit = [(die, face) for die, face in rolled if any(hits(face, computer, s) for s in shields)]
        faces = tuple(say("eclipse.battle.face", colour=say(f"eclipse.die.{d}"), n=n) for d, n in hit)
        key = "eclipse.battle.hit" if hit else "eclipse.battle.no-hit"
        return state.tell(count(key, len(hit), ship=ship_of(state, shooter), faces=faces), self.seat)

    def is_obsolete(self, state: EclipseState) -> bool:
        shooter, targets = sides(state, self.key)
        return shooter is None or not targets


def _odds(state: EclipseState) -> tuple[Share, ...]:
    """The odds at the start of the battle; empty later, when people would not want to wait for them."""
    battle = battlefield(state)
    fresh = battle.round <= 1 and not battle.acted[1:] and not any(battle.damage.values())
    return shares(state, battle.place) if state.odds and fresh else ()


def sides(state: EclipseState, key: str) -> tuple[Squad | None, list[Squad]]:
    """The shooter, and the targets."""
    battle = battlefield(state)
    targets = squads(state, battle.place, enemy(battle, int(key.partition(":")[0])))
    return squad(state, battle.place, key), targets


def weapon(state: EclipseState, shooter: Squad, colour: Die) -> Text:
    """The name of these dice: the parts on the blueprint, or simply cannons."""
    kind = "missile" if battlefield(state).round == 0 else "cannon"
    if shooter.faction < 0:
        return say("eclipse.battle.cannons")
    built = [parts()[id] for id in fitted(state, shooter.faction, player_ship(shooter.ship)) if id]
    names = dict.fromkeys(
        state.called(part.id) for part in built if part.kind == kind and colour in part.dice
    )
    return say("eclipse.battle.weapons", names=tuple(names))


def needs(state: EclipseState, shooter: Squad, targets: list[Squad]) -> Iterator[Text]:
    """The faces needed for each target: "needs 4+"."""
    by_face: dict[int, list[Text]] = {}
    for target in targets:
        face = needed(shooter.design.computer, target.design.shield)
        by_face.setdefault(face, []).append(ship_of(state, target))
    for face, ships in sorted(by_face.items()):
        yield say("eclipse.battle.needs", ships=tuple(ships), n=face)


def _struck(state: EclipseState, shooter: Squad, targets: list[Squad], face: int) -> Text:
    hit = [t for t in targets if hits(face, shooter.design.computer, t.design.shield)]
    if not hit:
        return say("eclipse.battle.misses")
    if len(hit) == len(targets):
        return say("eclipse.battle.hits")
    return say("eclipse.battle.hits-some", ships=tuple(ship_of(state, t) for t in hit))


class PlaceHits(Do, Struct, frozen=True, tag="place-hits"):
    """Hits are placed one after another, the strongest first; forced placements are answered automatically."""

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
    """Every different ship a die can hit, with its damage: first those it destroys, the most valuable of them
    first."""
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
        faces = battle_faces(state, battlefield(state), self.key)
        return Question(self.slug, self.seat, text, options, faces=faces)

    def take(self, state: EclipseState, option: str) -> EclipseState:
        target, _, suffered = option.rpartition(":")
        damage = DAMAGE[self.hits[0][0]]
        state = state.push(PlaceHits(self.key, self.hits[1:]))
        return strike(state, self.seat, target, int(suffered), damage)

    def is_obsolete(self, state: EclipseState) -> bool:
        return sides(state, self.key)[0] is None or len(self._aims(state)) < 2

    def on_obsolete(self, state: EclipseState) -> EclipseState:
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
    name = count("eclipse.option.target", whole - suffered, ship=ship_of(state, target))
    face = squad_face(state, battlefield(state), target)
    return Option(f"{target.key}:{suffered}", name, detail=detail, face=face)


def ruled(state: EclipseState, shooter: Squad, struck: tuple[Hit, ...]) -> EclipseState:
    """Place the dice of Ancients and of the defence system by the rule; no player chooses (p. 19)."""
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
    """The hit points of each changed ship, before and after: those destroyed are the weakest, the others keep
    their order."""
    gone = len(before) - len(after)
    old, new = list(before), [0] * gone + list(after)
    for have, get in zip(old, new, strict=True):
        if have != get:
            yield have, get
