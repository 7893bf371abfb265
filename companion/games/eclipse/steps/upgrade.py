"""Upgrade (p. 13): parts from the supply onto blueprints; energy must suffice, and all but starbases need a drive."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from msgspec import Struct
from msgspec.structs import replace

from companion.core.agenda import Ask
from companion.core.questions import Option, Question
from companion.core.words import Text, count, plain, say
from companion.games.eclipse.ship_words import before_after, describe_part
from companion.games.eclipse.species import Design, blueprint, covered, measure, sound
from companion.games.eclipse.state import EclipseState, does
from companion.games.eclipse.steps.free import InTurn
from companion.games.eclipse.things import SHIPS, Ship, ancient_parts, discoveries, parts, technologies

DONE, ASIDE, OFF = "done", "aside", "off:"
Slot = tuple[Ship, int]


def known_parts(state: EclipseState, seat: int) -> list[str]:
    """Parts this seat may take: the plain ones, those of its technologies, and Ancient ones it kept."""
    plain_or_researched = [
        part.id
        for part in parts().values()
        if part.id not in ancient_parts() and (part.technology is None or state.has(seat, part.technology))
    ]
    return [*plain_or_researched, *state.seats[seat].spare]


def tiles(state: EclipseState, seat: int, ship: Ship) -> tuple[str, ...]:
    """The tiles on a ship's slots."""
    slots = len(blueprint(state, seat, ship).slots)
    return state.seats[seat].upgrades.get(ship) or ("",) * slots


def designed(state: EclipseState, seat: int, ship: Ship, tiles: tuple[str, ...]) -> Design:
    """The numbers of a ship with these tiles on it."""
    plan = blueprint(state, seat, ship)
    return measure(plan, covered(plan, tiles))


def slots_for(state: EclipseState, seat: int, part: str, left: int) -> list[Slot]:
    """Where a part may go: the ship is sound with it or, while more parts may follow, can be made so by one."""
    unsound = [ship for ship in SHIPS if not _sound(state, seat, ship, tiles(state, seat, ship))]
    return [
        (ship, slot)
        for ship in unsound or SHIPS
        for slot, tile in enumerate(tiles(state, seat, ship))
        if tile != part and _may_stand(state, seat, ship, slot, part, left)
    ]


def _with(state: EclipseState, seat: int, ship: Ship, slot: int, part: str) -> tuple[str, ...]:
    here = tiles(state, seat, ship)
    return (*here[:slot], part, *here[slot + 1 :])


def _sound(state: EclipseState, seat: int, ship: Ship, tiles: tuple[str, ...]) -> bool:
    return sound(ship, designed(state, seat, ship, tiles))


def _may_stand(state: EclipseState, seat: int, ship: Ship, slot: int, part: str, left: int) -> bool:
    here = _with(state, seat, ship, slot, part)
    if _sound(state, seat, ship, here):
        return True
    if left < 2:
        return False
    return any(
        _sound(state, seat, ship, (*here[:other], mender, *here[other + 1 :]))
        for other in range(len(here))
        if other != slot
        for mender in _menders(state, seat)
    )


def _menders(state: EclipseState, seat: int) -> Iterator[str]:
    """Parts that can make an unsound ship sound: those that give energy, drive it, or need no energy."""
    return (p for p in known_parts(state, seat) if parts()[p].energy >= 0 or parts()[p].movement)


class Upgrade(InTurn, Struct, frozen=True, tag="upgrade"):
    """Which part is taken, or put back? `left` is how many may still be taken; putting back is free."""

    seat: int
    left: int
    slug: ClassVar[str] = "eclipse.upgrade"

    def choices(self, state: EclipseState) -> Question:
        text = count("eclipse.ask.upgrade", self.left, seat=state.name(self.seat))
        options = [
            Option(part, plain(parts()[part].name), scanned(part), describe_part(part))
            for part in known_parts(state, self.seat)
            if slots_for(state, self.seat, part, self.left)
        ]
        if all(_sound(state, self.seat, ship, tiles(state, self.seat, ship)) for ship in SHIPS):
            options.append(Option(DONE, say("eclipse.option.done")))
            options += _removals(state, self.seat)
        options = options or [Option(DONE, say("eclipse.option.done"))]
        notes = tuple(_fitting_nowhere(state, self.seat, self.left))
        return Question(self.slug, self.seat, text, tuple(options), has_default=False, notes=notes)

    def choose(self, state: EclipseState, option: str) -> EclipseState:
        if option == DONE:
            return state
        if option.startswith(OFF):
            _, ship, slot = option.split(":")
            return put_part(state.push(self), self.seat, _ship(ship), int(slot), "")
        return state.push(ChooseSlot(self.seat, option, self.left))

    def why_not(self, state: EclipseState, component: str) -> Text:
        part = parts().get(component)
        if part is None:
            return say("eclipse.why.not-a-part")
        if part.technology is not None and not state.has(self.seat, part.technology):
            needed = plain(technologies()[part.technology].name)
            return say("eclipse.why.needs-technology", what=plain(part.name), technology=needed)
        reasons = tuple(refusals(state, self.seat, component, self.left))
        return say("eclipse.why.part-fits-nowhere", part=plain(part.name), reasons=reasons)


def _fitting_nowhere(state: EclipseState, seat: int, left: int) -> Iterator[Text]:
    """Parts this seat knows that no ship can take now."""
    for part in known_parts(state, seat):
        if not slots_for(state, seat, part, left):
            reasons = tuple(refusals(state, seat, part, left))
            yield say("eclipse.why.part-fits-nowhere", part=plain(parts()[part].name), reasons=reasons)


def refusals(state: EclipseState, seat: int, part: str, left: int) -> Iterator[Text]:
    """Why ships cannot take a part: those that cannot, with the rule that forbids it (p. 13)."""
    fitting = {ship for ship, _ in slots_for(state, seat, part, left)}
    for ship in SHIPS:
        if ship not in fitting:
            yield say(
                f"eclipse.refused.{_refusal(state, seat, ship, part)}", ship=say(f"eclipse.ship.{ship}")
            )


def _refusal(state: EclipseState, seat: int, ship: Ship, part: str) -> str:
    here = tiles(state, seat, ship)
    if any(not _sound(state, seat, other, tiles(state, seat, other)) for other in SHIPS if other != ship):
        return "another-first"
    if ship == "starbase" and parts()[part].movement:
        return "no-drives"
    if all(tile == part for tile in here):
        return "everywhere"
    possible = [
        designed(state, seat, ship, _with(state, seat, ship, slot, part))
        for slot, tile in enumerate(here)
        if tile != part
    ]
    return "no-energy" if all(design.energy < 0 for design in possible) else "no-drive-left"


def _removals(state: EclipseState, seat: int) -> Iterator[Option]:
    """Tiles that may go back to the supply board; Ancient parts are only ever replaced."""
    slots = [(ship, slot) for ship in SHIPS for slot in range(len(tiles(state, seat, ship)))]
    for ship, slot in _unlike(state, seat, slots):
        tile = tiles(state, seat, ship)[slot]
        if not tile or tile in ancient_parts():
            continue
        if _sound(state, seat, ship, _with(state, seat, ship, slot, "")):
            text = say(
                "eclipse.option.put-back",
                part=plain(parts()[tile].name),
                ship=say(f"eclipse.ship.{ship}"),
            )
            detail, group = change(state, seat, ship, slot, ""), say("eclipse.group.put-back")
            yield Option(f"{OFF}{ship}:{slot}", text, detail=detail, group=group)


class ChooseSlot(Ask, Struct, frozen=True, tag="choose-slot"):
    """On which square does the part go?"""

    seat: int
    part: str
    left: int
    slug: ClassVar[str] = "eclipse.slot"

    def ask(self, state: EclipseState) -> Question:
        text = say("eclipse.ask.slot", seat=state.name(self.seat), part=plain(parts()[self.part].name))
        options = tuple(slot_options(state, self.seat, self.part, self.left))
        notes = tuple(refusals(state, self.seat, self.part, self.left))
        return Question(self.slug, self.seat, text, options, has_default=False, notes=notes)

    def take(self, state: EclipseState, option: str) -> EclipseState:
        ship, slot = option.split(":")
        if self.left > 1:
            state = state.push(Upgrade(self.seat, self.left - 1))
        return put_part(state, self.seat, _ship(ship), int(slot), self.part)

    def moot(self, state: EclipseState) -> bool:
        return not slots_for(state, self.seat, self.part, self.left)


class PlaceAncientPart(Ask, Struct, frozen=True, tag="place-ancient-part"):
    """A part found with a discovery goes onto a blueprint at once, or is kept beside the board (p. 7)."""

    seat: int
    part: str
    slug: ClassVar[str] = "eclipse.ancient-part"

    def ask(self, state: EclipseState) -> Question:
        text = say("eclipse.ask.slot", seat=state.name(self.seat), part=plain(parts()[self.part].name))
        aside = Option(ASIDE, say("eclipse.option.aside"))
        options = (aside, *slot_options(state, self.seat, self.part, 1))
        notes = tuple(refusals(state, self.seat, self.part, 1))
        return Question(self.slug, self.seat, text, options, has_default=False, notes=notes)

    def take(self, state: EclipseState, option: str) -> EclipseState:
        if option == ASIDE:
            return state
        ship, slot = option.split(":")
        return put_part(state, self.seat, _ship(ship), int(slot), self.part)


def slot_options(state: EclipseState, seat: int, part: str, left: int) -> Iterator[Option]:
    """The squares a part may go to, with what the ship becomes; squares of a ship that are alike are offered once."""
    for ship, slot in _unlike(state, seat, slots_for(state, seat, part, left)):
        under = covered(blueprint(state, seat, ship), tiles(state, seat, ship))[slot]
        on = plain(parts()[under].name) if under else say("eclipse.empty-slot")
        text = say("eclipse.option.slot", ship=say(f"eclipse.ship.{ship}"), slot=slot + 1, part=on)
        group = say(f"eclipse.ship.{ship}")
        yield Option(f"{ship}:{slot}", text, detail=change(state, seat, ship, slot, part), group=group)


def _unlike(state: EclipseState, seat: int, slots: list[Slot]) -> list[Slot]:
    """The first of all squares of a ship that have the same printed on them and the same tile on that."""
    found: dict[tuple[Ship, str, str], Slot] = {}
    for ship, slot in slots:
        kind = (ship, blueprint(state, seat, ship).slots[slot], tiles(state, seat, ship)[slot])
        found.setdefault(kind, (ship, slot))
    return list(found.values())


def put_part(state: EclipseState, seat: int, ship: Ship, slot: int, part: str) -> EclipseState:
    """The table with a part on a square (or with the tile off it)."""
    who = state.seats[seat]
    upgrades = {**who.upgrades, ship: _with(state, seat, ship, slot, part)}
    spare = tuple(p for p in who.spare if p != part)
    state = state.with_seat(seat, replace(who, upgrades=upgrades, spare=spare))
    name = plain(parts()[part].name) if part else say("eclipse.nothing")
    return does(state, seat, say("eclipse.fits", part=name, ship=say(f"eclipse.ship.{ship}"), slot=slot + 1))


def change(state: EclipseState, seat: int, ship: Ship, slot: int, part: str) -> Text:
    """A ship before and after."""
    before = designed(state, seat, ship, tiles(state, seat, ship))
    after = designed(state, seat, ship, _with(state, seat, ship, slot, part))
    told = before_after(before, after)
    return told if sound(ship, after) else say("eclipse.unfinished", design=told)


def scanned(part: str) -> str:
    """The component that is this part: Ancient parts are discovery tiles."""
    return next((tile.id for tile in discoveries().values() if tile.part == part), part)


def _ship(word: str) -> Ship:
    return next(ship for ship in SHIPS if ship == word)
