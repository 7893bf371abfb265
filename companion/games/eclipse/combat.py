"""The state of a battle: who fights whom in which sector, the damage on ships, whom dice hit (pp. 18-21)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from msgspec import Struct, field
from msgspec.structs import replace

from companion.core.agenda import Do
from companion.core.words import Text, count, plain, say
from companion.games.eclipse.component_types import DAMAGE, SHIPS, Die, Ship
from companion.games.eclipse.odds import Odds, estimated, odds
from companion.games.eclipse.odds_dice import DiceGroup, Hull, TooLarge, hits
from companion.games.eclipse.species import ANCIENT, GCDS, Design, design
from companion.games.eclipse.state import EclipseState, put_ships

ANCIENTS, CENTRE_DEFENCE = -1, -2
"""Factions that belong to no player; a player's faction is the seat."""
NPC_SHIPS = {ANCIENTS: "ancient", CENTRE_DEFENCE: "gcds"}
REPUTATION = {"interceptor": 1, "starbase": 1, "ancient": 1, "cruiser": 2, "dreadnought": 3, "gcds": 3}
"""Tiles drawn for a destroyed ship (p. 21)."""
SHORT = {"interceptor": "int", "cruiser": "cru", "dreadnought": "dre", "starbase": "sba"}
"""Ship types as the odds name them."""


class Field(Struct, frozen=True):
    """A sector in battle. Ships are counted on the map; this holds everything else."""

    place: str
    order: tuple[int, ...]
    """Seats in the order in which they arrived."""
    damage: dict[str, tuple[int, ...]] = field(default_factory=dict)
    """By "faction:ship": the damage on each damaged ship."""
    draws: dict[str, int] = field(default_factory=dict)
    """Reputation tiles to draw, by seat, for destroyed ships."""
    fought: tuple[int, ...] = ()
    fled: tuple[int, ...] = ()
    attacker: int = 0
    defender: int = 0
    round: int = 0
    """0 in the missile round."""
    acted: tuple[str, ...] = ()
    leaving: dict[str, str] = field(default_factory=dict)
    """By "seat:ship": where a type will retreat to on its next turn."""


class Standing(Do):
    """A step that holds the battle on the agenda while other steps ask about dice."""

    __slots__ = ()
    field: Field


def battlefield(state: EclipseState) -> Field:
    """The current battle."""
    return next(step.field for step in state.agenda if isinstance(step, Standing))


def with_field(state: EclipseState, field: Field) -> EclipseState:
    """The table with the battle changed."""
    agenda = list(state.agenda)
    n = next(n for n, step in enumerate(agenda) if isinstance(step, Standing))
    agenda[n] = replace(agenda[n], field=field)  # type: ignore[type-var]
    return replace(state, agenda=tuple(agenda))


class Squad(Struct, frozen=True):
    """All ships of one type of one faction in a sector."""

    faction: int
    ship: str
    n: int
    design: Design

    @property
    def key(self) -> str:
        """Its key within a battle."""
        return f"{self.faction}:{self.ship}"

    def dice(self, *, missiles: bool) -> tuple[Die, ...]:
        """All dice of these ships, the strongest first."""
        each = self.design.missiles if missiles else self.design.cannons
        return tuple(sorted(each * self.n, key=lambda die: -DAMAGE[die]))


def squads(state: EclipseState, place: str, faction: int) -> list[Squad]:
    """The ship types a faction has in a sector."""
    sector = state.map[place]
    if faction == ANCIENTS:
        return [Squad(faction, "ancient", sector.ancients, ANCIENT)] if sector.ancients else []
    if faction == CENTRE_DEFENCE:
        return [Squad(faction, "gcds", 1, GCDS)] if sector.gcds else []
    fleet = sector.fleet(faction)
    ships = fleet.ships if fleet else {}
    return [
        Squad(faction, ship, ships[ship], design(state, faction, ship)) for ship in SHIPS if ships.get(ship)
    ]


def squad(state: EclipseState, place: str, key: str) -> Squad | None:
    """The squad with this key, if any of its ships are left."""
    faction, _, ship = key.partition(":")
    return next((s for s in squads(state, place, int(faction)) if s.ship == ship), None)


# Who fights whom


def pair(state: EclipseState, place: str) -> tuple[int, int] | None:
    """The next two factions to fight in a sector, attacker and defender (p. 18).

    Players fight first, the last arrivals first. The player with a disc there defends, and fights after the
    others. The last player left fights the Ancients or the defence system, which were there first.
    """
    sector = state.map[place]
    seats = [fleet.seat for fleet in sector.fleets]
    if sector.owner in seats:
        seats.remove(sector.owner)
        seats.insert(0, sector.owner)
    if len(seats) > 1:
        return seats[-1], seats[-2]
    if len(seats) == 1:
        if sector.gcds:
            return seats[0], CENTRE_DEFENCE
        if sector.ancients and not state.at_peace(seats[0]):
            return seats[0], ANCIENTS
    return None


def contested(state: EclipseState) -> list[str]:
    """Sectors with a battle to fight, the highest number first (p. 18)."""
    return by_number(state, [place for place in state.map if pair(state, place) is not None])


def by_number(state: EclipseState, places: list[str]) -> list[str]:
    """The highest printed number first."""
    return sorted(places, key=lambda place: -state.map[place].facts.number)


def turn_order(state: EclipseState, field: Field) -> list[Squad]:
    """All ship types in the battle by initiative; on a tie the defender's come first (p. 18)."""
    both = [s for side in (field.defender, field.attacker) for s in squads(state, field.place, side)]
    return sorted(both, key=lambda s: (-s.design.initiative, s.faction != field.defender))


def enemy(field: Field, faction: int) -> int:
    """The opposing faction."""
    return field.defender if faction == field.attacker else field.attacker


# Dice


def needed(computer: int, shield: int) -> int:
    """The lowest face that hits (p. 19)."""
    return next(face for face in range(1, 7) if hits(face, computer, shield))


def damages(state: EclipseState, field: Field, target: Squad) -> tuple[int, ...]:
    """The damage on each ship of a type, the largest first."""
    marked = sorted(field.damage.get(target.key, ()), reverse=True)[: target.n]
    return (*marked, *(0,) * (target.n - len(marked)))


def left(state: EclipseState, field: Field, target: Squad) -> tuple[int, ...]:
    """Hit points left on each ship of a type, the weakest first."""
    return tuple(max(1, target.design.hull + 1 - damage) for damage in damages(state, field, target))


def strike(state: EclipseState, shooter: int, key: str, suffered: int, damage: int) -> EclipseState:
    """The table after a hit on a ship that already had `suffered` damage."""
    battle = battlefield(state)
    target = squad(state, battle.place, key)
    assert target is not None
    marks = list(damages(state, battle, target))
    marks.remove(suffered)
    if suffered + damage > target.design.hull:
        state = destroy(state, battle.place, target)
        state = state.tell(say("eclipse.battle.destroyed", ship=ship_of(state, target)), kind="hands")
        battle = credited(battle, shooter, target.ship)
    else:
        marks.append(suffered + damage)
        told = count("eclipse.battle.damaged", suffered + damage, ship=ship_of(state, target))
        state = state.tell(told, kind="hands", usual=True)
    marked = {**battle.damage, key: tuple(sorted(mark for mark in marks if mark))}
    return with_field(state, replace(battle, damage=marked))


def credited(battle: Field, shooter: int, ship: str) -> Field:
    """The battle with one more destroyed ship credited to the shooter."""
    draws = {**battle.draws, str(shooter): battle.draws.get(str(shooter), 0) + REPUTATION[ship]}
    return replace(battle, draws=draws)


def destroy(state: EclipseState, place: str, target: Squad) -> EclipseState:
    """The table without one of these ships."""
    sector = state.map[place]
    if target.faction == ANCIENTS:
        return state.with_sector(place, replace(sector, ancients=sector.ancients - 1))
    if target.faction == CENTRE_DEFENCE:
        return state.with_sector(place, replace(sector, gcds=False))
    return put_ships(state, place, target.faction, player_ship(target.ship), -1)


def player_ship(word: str) -> Ship:
    """A ship type that players can have."""
    return next(ship for ship in SHIPS if ship == word)


# Retreat


def havens(state: EclipseState, place: str, squad: Squad) -> list[str]:
    """Where ships may retreat to: a neighbouring sector with their own disc and no enemy ship, through a
    wormhole (p. 20)."""
    if squad.faction < 0 or not squad.design.movement:
        return []
    return [
        there
        for there in state.reach(place, squad.faction)
        if state.map[there].owner == squad.faction and not state.enemies(there, squad.faction)
    ]


# Words


def faction_of(state: EclipseState, faction: int) -> Text:
    """A faction's name."""
    if faction < 0:
        return say(f"eclipse.battle.{NPC_SHIPS[faction]}")
    return plain(state.name(faction))


def ship_of(state: EclipseState, squad: Squad) -> Text:
    """A ship type, with its owner."""
    if squad.faction < 0:
        return faction_of(state, squad.faction)
    ship = say(f"eclipse.ship.{squad.ship}")
    return say("eclipse.battle.ship", seat=state.name(squad.faction), ship=ship)


# Odds

LARGEST_TOLD = 20_000_000
"""Odds that need more work than this are estimated, so that people need not wait."""


def chances(state: EclipseState, place: str) -> Odds | None:
    """The odds of the next battle in a sector with the current ships, if there is one."""
    sides = pair(state, place)
    if sides is None:
        return None
    standing = (
        step.field for step in state.agenda if isinstance(step, Standing) and step.field.place == place
    )
    battle = next(standing, Field(place, ()))
    attacker, defender = (fleet_of(state, battle, side) for side in sides)
    groups = (tuple(map(group_of, attacker[0])), tuple(map(group_of, defender[0])))
    return _odds(*groups, (attacker[1], defender[1]))


@lru_cache(maxsize=512)
def _odds(attacker: tuple[DiceGroup, ...], defender: tuple[DiceGroup, ...], left: tuple[Hull, Hull]) -> Odds:
    try:
        return odds(attacker, defender, LARGEST_TOLD, left)
    except TooLarge:
        return estimated(attacker, defender, left)


def group_of(squad: Squad) -> DiceGroup:
    """A ship type in the form the odds use."""
    numbers = squad.design

    def colours(dice: tuple[Die, ...]) -> tuple[int, ...]:
        return tuple(dice.count(colour) for colour in DAMAGE)

    return DiceGroup(
        SHORT.get(squad.ship, "npc"),
        squad.n,
        max(0, numbers.initiative),
        numbers.hull,
        numbers.computer,
        numbers.shield,
        colours(numbers.cannons),
        colours(numbers.missiles),
    )


def fleet_of(state: EclipseState, battle: Field, faction: int) -> tuple[list[Squad], Hull]:
    """A faction's ship types, and the hit points left on each of their ships."""
    found = squads(state, battle.place, faction)
    return found, tuple(left(state, battle, s) for s in found)


def armed(state: EclipseState, battle: Field) -> Iterator[Squad]:
    """Ship types that can still shoot in a round."""
    return (s for s in turn_order(state, battle) if s.design.cannons)
