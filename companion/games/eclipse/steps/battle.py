"""The combat phase (pp. 18-20): sector by sector, pair by pair, type by type."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from msgspec import Struct
from msgspec.structs import replace

from companion.core.agenda import Ask, Do
from companion.core.faces import Sign
from companion.core.questions import Option, Question
from companion.core.words import Text, count, say
from companion.games.eclipse.battle_faces import battle_faces, shares
from companion.games.eclipse.combat import (
    ANCIENTS,
    CENTRE_DEFENCE,
    SHORT,
    Field,
    Squad,
    Standing,
    armed,
    battlefield,
    chances,
    contested,
    credited,
    destroy,
    faction_of,
    havens,
    left,
    pair,
    player_ship,
    ship_of,
    squad,
    squads,
    turn_order,
    with_field,
)
from companion.games.eclipse.odds import Survivors, percent
from companion.games.eclipse.ship_words import fights
from companion.games.eclipse.state import EclipseState, does, put_ships, tell_deed
from companion.games.eclipse.steps.battle_after import DrawReputation, Sieges
from companion.games.eclipse.steps.battle_dice import TellDie
from companion.games.eclipse.steps.diplomacy import attack

FIGHT, ATTACK, STAY, RETREAT = "fight", "attack", "stay", "retreat:"


class Combat(Do, Struct, frozen=True, tag="combat"):
    """All battles, the highest sector number first; then populations are attacked and sectors change hands."""

    def do(self, state: EclipseState) -> EclipseState:
        return state.push(*(BattleAt(place) for place in contested(state)), Sieges())


class BattleAt(Do, Struct, frozen=True, tag="battle-at"):
    """All battles of one sector; the first arrival draws reputation first (p. 21)."""

    place: str

    def do(self, state: EclipseState) -> EclipseState:
        order = tuple(fleet.seat for fleet in state.map[self.place].fleets)
        return state.push(NextPair(Field(self.place, order)))


class NextPair(Standing, Struct, frozen=True, tag="next-pair"):
    """The next two factions to fight here, or the end of fighting in this sector."""

    field: Field

    def do(self, state: EclipseState) -> EclipseState:
        battle = self.field
        sides = pair(state, battle.place)
        if sides is None:
            if any(battle.damage.values()):
                cubes_off = say("eclipse.battle.over-damaged", sector=state.where(battle.place))
                state = state.tell(cubes_off, kind="hands")
            else:
                state = state.tell(say("eclipse.battle.over", sector=state.where(battle.place)))
            return state.push(
                *(DrawReputation(seat, battle) for seat in battle.order if seat in battle.fought)
            )
        attacker, defender = sides
        fought = dict.fromkeys((*battle.fought, *(side for side in sides if side >= 0)))
        battle = replace(
            battle,
            attacker=attacker,
            defender=defender,
            fought=tuple(fought),
            round=0,
            acted=(),
            leaving={},
        )
        return state.push(BeginBattle(), Fighting(battle))


class BeginBattle(Ask, Struct, frozen=True, tag="begin-battle"):
    """The players look at the battle that begins, and at the odds if they want to."""

    seat: None = None
    slug: ClassVar[str] = "eclipse.battle"

    def ask(self, state: EclipseState) -> Question:
        battle = battlefield(state)
        text = say(
            "eclipse.ask.battle",
            sector=state.where(battle.place),
            attacker=faction_of(state, battle.attacker),
            defender=faction_of(state, battle.defender),
        )
        odds = told_odds(state, battle.place) if state.odds else ()
        notes = (*odds, *fleets(state, battle), *coming(state, battle))
        return Question(
            self.slug,
            None,
            text,
            (Option(FIGHT, say("eclipse.option.fight"), signs=(Sign("combat"),)),),
            notes=notes,
            faces=battle_faces(state, battle),
            odds=shares(state, battle.place) if state.odds else (),
        )

    def take(self, state: EclipseState, option: str) -> EclipseState:
        battle = battlefield(state)
        if battle.attacker >= 0 and battle.defender >= 0:
            state = attack(state, battle.attacker, battle.defender)
        order = tuple(
            say("eclipse.battle.initiative", ship=ship_of(state, s), n=s.design.initiative)
            for s in turn_order(state, battle)
        )
        return state.tell(say("eclipse.battle.order", ships=order))

    def is_obsolete(self, state: EclipseState) -> bool:
        battle = battlefield(state)
        return not all(squads(state, battle.place, side) for side in (battle.attacker, battle.defender))


def fleets(state: EclipseState, battle: Field) -> Iterator[Text]:
    """Each side's ships in turn order, with the hit points left on each."""
    for here in turn_order(state, battle):
        bears = ", ".join(map(str, left(state, battle, here)))
        yield say(
            "eclipse.battle.fleet",
            n=here.n,
            ship=ship_of(state, here),
            bears=bears,
            design=fights(here.design),
        )


def coming(state: EclipseState, battle: Field) -> Iterator[Text]:
    """Who will fight the winner here, and which battles come after this one (p. 18)."""
    sector = state.map[battle.place]
    waiting = [fleet.seat for fleet in sector.fleets]
    if sector.gcds:
        waiting.append(CENTRE_DEFENCE)
    elif sector.ancients:
        waiting.append(ANCIENTS)
    others = [side for side in waiting if side not in (battle.attacker, battle.defender)]
    if others:
        yield say("eclipse.battle.then-here", factions=tuple(faction_of(state, side) for side in others))
    places = tuple(state.where(step.place) for step in state.agenda if isinstance(step, BattleAt))
    if places:
        yield say("eclipse.battle.then-at", sectors=places)


def told_odds(state: EclipseState, place: str) -> tuple[Text, ...]:
    """The odds of the next battle in a sector, and the expected survivors."""
    found, sides = chances(state, place), pair(state, place)
    if found is None or sides is None:
        return ()
    attacker, defender = (faction_of(state, side) for side in sides)
    wins = say(
        "eclipse.battle.odds",
        attacker=attacker,
        defender=defender,
        attacks=percent(found.attacker_win),
        defends=percent(found.defender_win),
    )
    both = zip(sides, (found.survivors.attacker, found.survivors.defender), strict=True)
    error = (say("eclipse.odds.estimated", points=str(round(100 * found.error))),) if found.error else ()
    return (
        wins,
        *error,
        *(text for side, survivors in both for text in _left(state, place, side, survivors)),
    )


def _left(state: EclipseState, place: str, side: int, survivors: Survivors) -> Iterator[Text]:
    """For each type, the probabilities of the numbers of survivors."""
    for here in squads(state, place, side):
        chances = survivors[SHORT.get(here.ship, "npc")]
        shares = tuple(
            say("eclipse.battle.share", n=n, chance=percent(chance)) for n, chance in enumerate(chances)
        )
        yield say("eclipse.battle.left", ship=ship_of(state, here), shares=shares)


class Fighting(Standing, Struct, frozen=True, tag="fighting"):
    """Whose turn is it? Missiles once, then rounds until one side is gone (p. 20)."""

    field: Field

    def do(self, state: EclipseState) -> EclipseState:
        battle = self.field
        if not all(squads(state, battle.place, side) for side in (battle.attacker, battle.defender)):
            return state.push(NextPair(battle))
        waiting = [s for s in turn_order(state, battle) if s.key not in battle.acted]
        if battle.round == 0:
            waiting = [s for s in waiting if s.design.missiles]
        elif not battle.acted and not any(armed(state, battle)):
            return state.push(Clinch(battle.attacker), NextPair(battle))
        if not waiting:
            return self._next_round(state)
        now = waiting[0]
        state = state.push(Fighting(replace(battle, acted=(*battle.acted, now.key))))
        if battle.round == 0:
            return volley(state, now, missiles=True)
        if now.key in battle.leaving:
            return leave(state, now)
        if now.faction >= 0 and havens(state, battle.place, now):
            return state.push(ActWith(now.faction, now.key))
        return volley(state, now, missiles=False)

    def _next_round(self, state: EclipseState) -> EclipseState:
        battle = replace(self.field, round=self.field.round + 1, acted=())
        return state.tell(count("eclipse.battle.round", battle.round)).push(Fighting(battle))


def volley(state: EclipseState, shooter: Squad, *, missiles: bool) -> EclipseState:
    """All dice of one type at once (p. 18); any player rolls for Ancients."""
    dice = shooter.dice(missiles=missiles)
    if not dice:
        return state
    return state.push(TellDie(shooter.faction if shooter.faction >= 0 else None, shooter.key, dice))


class ActWith(Ask, Struct, frozen=True, tag="act-with"):
    """Do these ships attack or retreat?"""

    seat: int
    key: str
    slug: ClassVar[str] = "eclipse.act"

    def ask(self, state: EclipseState) -> Question:
        place = battlefield(state).place
        here = squad(state, place, self.key)
        assert here is not None
        text = say("eclipse.ask.act", ship=ship_of(state, here), sector=state.where(place))
        first = ATTACK if here.design.cannons else STAY
        notes = tuple(fleets(state, battlefield(state)))
        faces = battle_faces(state, battlefield(state), self.key)
        options = [Option(first, say(f"eclipse.option.{first}"), signs=(Sign("combat"),))]
        for haven in havens(state, place, here):
            retreat = say("eclipse.option.retreat", sector=state.where(haven))
            options.append(Option(RETREAT + haven, retreat, state.map[haven].hex, signs=(Sign("move"),)))
        odds = shares(state, place) if state.odds else ()
        return Question(self.slug, self.seat, text, tuple(options), notes=notes, faces=faces, odds=odds)

    def take(self, state: EclipseState, option: str) -> EclipseState:
        battle = battlefield(state)
        here = squad(state, battle.place, self.key)
        assert here is not None
        if not option.startswith(RETREAT):
            return volley(state, here, missiles=False)
        haven = option.removeprefix(RETREAT)
        state = with_field(state, replace(battle, leaving={**battle.leaving, self.key: haven}))
        deed = say("eclipse.battle.will-retreat", ship=ship_of(state, here), sector=state.where(haven))
        return tell_deed(state, self.seat, deed)

    def is_obsolete(self, state: EclipseState) -> bool:
        return squad(state, battlefield(state).place, self.key) is None

    def why_not(self, state: EclipseState, component: str) -> Text:
        return say("eclipse.why.cannot-retreat")


def leave(state: EclipseState, squad: Squad) -> EclipseState:
    """Ships that announced a retreat leave on their next turn (p. 20), if they still can."""
    battle = battlefield(state)
    haven = battle.leaving[squad.key]
    staying = replace(
        battle, leaving={key: there for key, there in battle.leaving.items() if key != squad.key}
    )
    state = with_field(state, staying)
    if haven not in havens(state, battle.place, squad):
        return volley(state, squad, missiles=False)
    return retreat(state, squad, haven)


def retreat(state: EclipseState, squad: Squad, haven: str) -> EclipseState:
    """Move all ships of a type to another sector."""
    battle = battlefield(state)
    ship = player_ship(squad.ship)
    state = put_ships(state, battle.place, squad.faction, ship, -squad.n)
    state = put_ships(state, haven, squad.faction, ship, squad.n)
    damage = {key: marks for key, marks in battle.damage.items() if key != squad.key}
    fled = tuple(dict.fromkeys((*battle.fled, squad.faction)))
    state = with_field(state, replace(battle, damage=damage, fled=fled))
    gone = count("eclipse.battle.retreats", squad.n, ship=say(f"eclipse.ship.{squad.ship}"))
    return does(state, squad.faction, say("eclipse.battle.to", what=gone, sector=state.where(haven)))


class Clinch(Ask, Struct, frozen=True, tag="clinch"):
    """Neither side can destroy the other: the attacker retreats, or the attacking ships are destroyed (p. 20)."""

    seat: int
    slug: ClassVar[str] = "eclipse.clinch"

    def ask(self, state: EclipseState) -> Question:
        place = battlefield(state).place
        text = say("eclipse.ask.clinch", sector=state.where(place))
        options = [
            Option(
                RETREAT + haven,
                say("eclipse.option.retreat", sector=state.where(haven)),
                state.map[haven].hex,
                signs=(Sign("move"),),
            )
            for haven in self._havens(state)
        ]
        options.append(Option(STAY, say("eclipse.option.be-destroyed")))
        faces = battle_faces(state, battlefield(state))
        return Question(self.slug, self.seat, text, tuple(options), faces=faces)

    def take(self, state: EclipseState, option: str) -> EclipseState:
        place = battlefield(state).place
        for here in squads(state, place, self.seat):
            haven = option.removeprefix(RETREAT)
            if option.startswith(RETREAT) and haven in havens(state, place, here):
                state = retreat(state, here, haven)
            else:
                state = self._lost(state, here)
        return state

    def is_obsolete(self, state: EclipseState) -> bool:
        return not self._havens(state)

    def on_obsolete(self, state: EclipseState) -> EclipseState:
        return self.take(state, STAY)

    def why_not(self, state: EclipseState, component: str) -> Text:
        return say("eclipse.why.cannot-retreat")

    def _havens(self, state: EclipseState) -> list[str]:
        place = battlefield(state).place
        found = (haven for s in squads(state, place, self.seat) for haven in havens(state, place, s))
        return list(dict.fromkeys(found))

    def _lost(self, state: EclipseState, here: Squad) -> EclipseState:
        battle = battlefield(state)
        for _ in range(here.n):
            state = destroy(state, battle.place, here)
            # For reputation, their opponent has destroyed them (p. 21).
            battle = credited(battle, battle.defender, here.ship)
        state = with_field(state, battle)
        lost = count("eclipse.battle.lost", here.n, ship=ship_of(state, here))
        return state.tell(lost, kind="hands")
