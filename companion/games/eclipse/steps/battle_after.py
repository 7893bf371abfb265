"""After the battles (pp. 20-21): reputation, attacks on population, and sectors that change hands."""

from __future__ import annotations

from typing import ClassVar

from msgspec import Struct
from msgspec.structs import replace

from companion.core.agenda import Ask, Do
from companion.core.faces import Sign, Signs
from companion.core.questions import Option, Question
from companion.core.words import Text, count, say
from companion.games.eclipse.combat import Field, by_number, needed, squads
from companion.games.eclipse.component_types import DAMAGE, Die
from companion.games.eclipse.odds_dice import hits
from companion.games.eclipse.ship_words import dice as dice_in_words
from companion.games.eclipse.signs import dice_signs
from companion.games.eclipse.state import EclipseState, does
from companion.games.eclipse.steps.battle_dice import FACES, dice_question, told_faces
from companion.games.eclipse.steps.claim import MayClaim
from companion.games.eclipse.steps.cubes import lose_cubes

MOST_DRAWN = 5
BOMBS = "tech-neutron-bombs"
PLANTA = "planta"


class DrawReputation(Do, Struct, frozen=True, tag="draw-reputation"):
    """One seat draws tiles, keeps one and puts the others back; on a full track the kept one replaces another."""

    seat: int
    field: Field

    def do(self, state: EclipseState) -> EclipseState:
        n = min(drawn(state, self.field, self.seat), state.reputation_left())
        if not n:
            return state
        who = state.seats[self.seat]
        if state.species(self.seat).track.fits(len(who.partners), who.reputation + 1):
            state = state.with_seat(self.seat, replace(who, reputation=who.reputation + 1))
            return does(state, self.seat, count("eclipse.draws-reputation", n))
        return does(state, self.seat, count("eclipse.draws-reputation-full", n))


def drawn(state: EclipseState, battle: Field, seat: int) -> int:
    """How many tiles: one for fighting, unless all surviving ships retreated, and more for destroyed ships."""
    ran = seat in battle.fled and not state.map[battle.place].ships(seat)
    return min(MOST_DRAWN, (not ran) + battle.draws.get(str(seat), 0))


class Sieges(Do, Struct, frozen=True, tag="sieges"):
    """Once all battles are over, ships may attack the populations of their sectors; damage is removed."""

    def do(self, state: EclipseState) -> EclipseState:
        places = by_number(state, [place for place in state.map if besieger(state, place) is not None])
        return state.push(*(Siege(place) for place in places))


def besieger(state: EclipseState, place: str) -> int | None:
    """The seat with ships in a sector that is neither its own nor a partner's, with no one left to fight."""
    sector = state.map[place]
    seats = [fleet.seat for fleet in sector.fleets]
    if len(seats) != 1 or state.enemies(place, seats[0]):
        return None
    return None if sector.owner in (seats[0], *state.seats[seats[0]].partners) else seats[0]


class Siege(Do, Struct, frozen=True, tag="siege"):
    """What happens to the population of one sector."""

    place: str

    def do(self, state: EclipseState) -> EclipseState:
        seat = besieger(state, self.place)
        sector = state.map[self.place]
        if seat is None:
            return state
        state = state.push(TakeOver(self.place))
        if sector.owner is None:
            return state
        if state.seats[sector.owner].species == PLANTA:
            # Their population does not survive enemy ships (p. 27).
            return wiped_out(state, self.place)
        return state.push(Bombard(seat, self.place)) if ways(state, seat, self.place) else state


def ways(state: EclipseState, seat: int, place: str) -> list[str]:
    """How a seat can attack a population: with bombs, or with cannons."""
    found = ["bombs"] if state.has(seat, BOMBS) else []
    return [*found, "roll"] if cannons(state, seat, place) else found


def cannons(state: EclipseState, seat: int, place: str) -> tuple[tuple[Die, int], ...]:
    """All dice of a seat's cannons in a sector, each with its computer."""
    return tuple(
        (die, s.design.computer) for s in squads(state, place, seat) for die in s.dice(missiles=False)
    )


def wiped_out(state: EclipseState, place: str) -> EclipseState:
    """The table with all cubes of a sector about to go to the graveyard."""
    sector = state.map[place]
    squares = tuple(n for n, taken in enumerate(sector.cubes) if taken)
    return destroyed(state, place, squares)


def destroyed(state: EclipseState, place: str, squares: tuple[int, ...]) -> EclipseState:
    """The table with the cubes of these squares about to go to the graveyard."""
    sector = state.map[place]
    owner = sector.owner
    squares = tuple(n for n in squares if sector.cubes[n])
    if owner is None or not squares:
        return state
    state = does(state, owner, count("eclipse.loses-cubes", len(squares), sector=state.where(place)))
    return lose_cubes(state, place, squares, "graveyard")


class Bombard(Ask, Struct, frozen=True, tag="bombard"):
    """Is the population attacked?"""

    seat: int
    place: str
    slug: ClassVar[str] = "eclipse.bombard"

    def ask(self, state: EclipseState) -> Question:
        cubes = state.map[self.place].population
        text = count("eclipse.ask.bombard", cubes, sector=state.where(self.place))
        options = [
            Option(
                way,
                say(f"eclipse.option.{way}", bombs=state.called(BOMBS)),
                detail=self._detail(state, way),
                signs=self._signs(state, way),
            )
            for way in ways(state, self.seat, self.place)
        ]
        return Question(self.slug, self.seat, text, (*options, Option("no", say("eclipse.option.spare"))))

    def take(self, state: EclipseState, option: str) -> EclipseState:
        if option == "bombs":
            return wiped_out(state, self.place)
        if option == "roll":
            return state.push(TellBombardment(self.seat, self.place, cannons(state, self.seat, self.place)))
        return state

    def is_obsolete(self, state: EclipseState) -> bool:
        besieged = besieger(state, self.place) == self.seat and state.map[self.place].population
        return not besieged or not ways(state, self.seat, self.place)

    def _signs(self, state: EclipseState, way: str) -> Signs:
        if way == "bombs":
            return (Sign("bomb"),)
        return tuple(dice_signs("cannon", tuple(die for die, _ in cannons(state, self.seat, self.place))))

    def _detail(self, state: EclipseState, way: str) -> Text | None:
        if way == "bombs":
            return None
        return dice_in_words(tuple(die for die, _ in cannons(state, self.seat, self.place)))


class TellBombardment(Ask, Struct, frozen=True, tag="tell-bombardment"):
    """What do the next dice show? A population has no shield (p. 20)."""

    seat: int
    place: str
    dice: tuple[tuple[Die, int], ...]
    faces: tuple[int, ...] = ()
    slug: ClassVar[str] = "eclipse.bombard-die"

    def ask(self, state: EclipseState) -> Question:
        left = self.dice[len(self.faces) :]
        die, computer = left[0]
        struck = {True: say("eclipse.battle.hits"), False: say("eclipse.battle.misses")}
        details = {face: struck[hits(face, computer, 0)] for face in FACES}
        dice, options = dice_question(left, die, [*FACES][needed(computer, 0) - 1 :], details)
        text = say(
            "eclipse.ask.bombard-die",
            dice=count(f"eclipse.dice.{die}", dice.n),
            sector=state.where(self.place),
            damage=DAMAGE[die],
        )
        notes = (say("eclipse.battle.needs", ships=say("eclipse.battle.population"), n=needed(computer, 0)),)
        return Question(self.slug, self.seat, text, tuple(options), has_default=False, notes=notes, dice=dice)

    def take(self, state: EclipseState, option: str) -> EclipseState:
        faces = (*self.faces, *told_faces(self.dice[len(self.faces) :], option))
        if len(faces) < len(self.dice):
            return state.push(TellBombardment(self.seat, self.place, self.dice, faces))
        damage = sum(
            DAMAGE[die]
            for (die, computer), face in zip(self.dice, faces, strict=True)
            if hits(face, computer, 0)
        )
        state = state.tell(count("eclipse.battle.bombards", damage, sector=state.where(self.place)))
        return state.push(RemoveCubes(self.seat, self.place, damage))

    def is_obsolete(self, state: EclipseState) -> bool:
        return not state.map[self.place].population


class RemoveCubes(Do, Struct, frozen=True, tag="remove-cubes"):
    """Each point of damage destroys a cube; if there is a choice, the attacker chooses."""

    seat: int
    place: str
    damage: int
    chosen: tuple[int, ...] = ()

    def do(self, state: EclipseState) -> EclipseState:
        sector = state.map[self.place]
        taken = [n for n, cube in enumerate(sector.cubes) if cube and n not in self.chosen]
        kinds = {sector.squares[n][0] for n in taken}
        if self.damage >= len(taken) or len(kinds) < 2:
            return destroyed(state, self.place, (*self.chosen, *taken[: self.damage]))
        if not self.damage:
            return destroyed(state, self.place, self.chosen)
        return state.push(ChooseVictim(self.seat, self.place, self.damage, self.chosen))


class ChooseVictim(Ask, Struct, frozen=True, tag="choose-victim"):
    """Which cube is destroyed?"""

    seat: int
    place: str
    damage: int
    chosen: tuple[int, ...]
    slug: ClassVar[str] = "eclipse.victim"

    def ask(self, state: EclipseState) -> Question:
        text = count("eclipse.ask.victim", self.damage, sector=state.where(self.place))
        seen: dict[str, Option] = {}
        for n, (square, taken) in enumerate(state.map[self.place].squares):
            if taken and n not in self.chosen:
                text = say(f"eclipse.square.{square.replace('*', '-advanced')}")
                seen.setdefault(square, Option(str(n), text, signs=(Sign(square.removesuffix("*")),)))
        return Question(self.slug, self.seat, text, tuple(seen.values()), has_default=False)

    def take(self, state: EclipseState, option: str) -> EclipseState:
        chosen = (*self.chosen, int(option))
        return state.push(RemoveCubes(self.seat, self.place, self.damage - 1, chosen))

    def is_obsolete(self, state: EclipseState) -> bool:
        taken = [n for n, cube in enumerate(state.map[self.place].cubes) if cube]
        return all(n in self.chosen for n in taken)

    def on_obsolete(self, state: EclipseState) -> EclipseState:
        return state.push(RemoveCubes(self.seat, self.place, self.damage, self.chosen))


class TakeOver(Do, Struct, frozen=True, tag="take-over"):
    """A sector without population loses its disc to another seat's ships, and that seat may put its own there
    (p. 21)."""

    place: str

    def do(self, state: EclipseState) -> EclipseState:
        seat = besieger(state, self.place)
        sector = state.map[self.place]
        if seat is None or sector.population:
            return state
        if sector.owner is not None:
            state = state.with_sector(self.place, replace(sector, owner=None))
            state = does(state, sector.owner, say("eclipse.loses-sector", sector=state.where(self.place)))
        return state.push(MayClaim(seat, self.place))
