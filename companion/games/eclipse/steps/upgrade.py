"""Upgrade (p. 13): parts from the supply onto blueprints; energy must suffice, and all but starbases need a drive."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from msgspec import Struct
from msgspec.structs import replace

from companion.core.agenda import Ask
from companion.core.faces import Face
from companion.core.questions import Option, Question
from companion.core.words import Text, count, say
from companion.games.eclipse.component_types import SHIPS, Ship, ancient_parts, parts, scanned
from companion.games.eclipse.rebuilding import Draft, Workshop, can_finish
from companion.games.eclipse.ship_words import before_after, describe_part
from companion.games.eclipse.signs import changes, ship_face
from companion.games.eclipse.species import Design, blueprint, covered, measure, sound
from companion.games.eclipse.state import EclipseState, tell_deed
from companion.games.eclipse.steps.free import InTurn

DONE, ASIDE, OFF = "done", "aside", "off:"
FOUND = 0
Slot = tuple[Ship, int]


def known_parts(state: EclipseState, seat: int) -> list[str]:
    """Parts this seat may take: the basic ones, those of its technologies, and Ancient ones it kept."""
    return [*_supply(state, seat), *state.seats[seat].spare]


def _supply(state: EclipseState, seat: int) -> Iterator[str]:
    for part in parts().values():
        if part.id not in ancient_parts() and (part.technology is None or state.has(seat, part.technology)):
            yield part.id


def tiles(state: EclipseState, seat: int, ship: Ship) -> tuple[str, ...]:
    """The tiles on a ship's slots."""
    slots = len(blueprint(state, seat, ship).slots)
    return state.seats[seat].upgrades.get(ship) or ("",) * slots


def designed(state: EclipseState, seat: int, ship: Ship, tiles: tuple[str, ...]) -> Design:
    """The values of a ship with these tiles on it."""
    plan = blueprint(state, seat, ship)
    return measure(plan, covered(plan, tiles))


def drafts(state: EclipseState, seat: int, taken: tuple[Slot, ...] = ()) -> list[Draft]:
    """All current blueprints of a seat; the squares in `taken` have parts that were just taken."""
    return [
        Draft(
            ship,
            blueprint(state, seat, ship),
            tiles(state, seat, ship),
            frozenset(slot for other, slot in taken if other == ship),
        )
        for ship in SHIPS
    ]


def workshop(state: EclipseState, seat: int, without: str = "") -> Workshop:
    """What a seat may build with, apart from the Ancient part it is just taking (`without`)."""
    spare = frozenset(state.seats[seat].spare) - {without}
    return Workshop(tuple(_supply(state, seat)), spare, gives_up=state.later)


def slots_for(
    state: EclipseState, seat: int, part: str, left: int, taken: tuple[Slot, ...] = ()
) -> list[Slot]:
    """Where a part may go if `left` parts may be taken, including this one: all ships are legal with it, or
    can still be made legal.

    A part just found is placed outside an Upgrade action (`FOUND`): nothing else is taken or put back, so its
    ship must be legal at once.
    """
    here = drafts(state, seat, taken)
    tools = workshop(state, seat, without=part)
    unsound = [draft for draft in here if not draft.sound]
    found = []
    for draft in here:
        if draft.ship == "starbase" and parts()[part].movement:
            continue
        others = [other for other in unsound if other is not draft]
        for slot, tile in enumerate(draft.tiles):
            after = draft.with_part(slot, part)
            fits = after.sound if left == FOUND else can_finish([after, *others], tools, left - 1)
            if fits and tile != part:
                found.append((draft.ship, slot))
    return found


def _with(state: EclipseState, seat: int, ship: Ship, slot: int, part: str) -> tuple[str, ...]:
    here = tiles(state, seat, ship)
    return (*here[:slot], part, *here[slot + 1 :])


def finished(state: EclipseState, seat: int) -> bool:
    """Whether all ships of a seat are legal with their current blueprints."""
    return all(draft.sound for draft in drafts(state, seat))


class Upgrade(InTurn, Struct, frozen=True, tag="upgrade"):
    """Which part is taken, or put back? `left` is how many may still be taken; putting back is free.

    Squares already `taken` are remembered, so that no part is offered that could only be put back again.
    """

    seat: int
    left: int
    taken: tuple[Slot, ...] = ()
    slug: ClassVar[str] = "eclipse.upgrade"

    def choices(self, state: EclipseState) -> Question:
        known = known_parts(state, self.seat) if self.left else []
        options = [
            Option(part, state.called(part), scanned(part), describe_part(part))
            for part in known
            if slots_for(state, self.seat, part, self.left, self.taken)
        ]
        if finished(state, self.seat):
            options.append(Option(DONE, say("eclipse.option.done")))
        options += _removals(state, self.seat, self.left, self.taken)
        options = options or [Option(DONE, say("eclipse.option.done"))]
        notes = tuple(_fitting_nowhere(state, self.seat, self.left, self.taken))
        return Question(
            self.slug,
            self.seat,
            self._text(state),
            tuple(options),
            has_default=False,
            notes=notes,
            faces=ships_now(state, self.seat),
        )

    def _text(self, state: EclipseState) -> Text:
        if not self.left:
            return say("eclipse.ask.put-back")
        return count("eclipse.ask.upgrade", self.left)

    def choose(self, state: EclipseState, option: str) -> EclipseState:
        if option == DONE:
            return state
        if option.startswith(OFF):
            _, ship, slot = option.split(":")
            return self._put_back(state, _ship(ship), int(slot))
        return state.push(ChooseSlot(self.seat, option, self.left, self.taken))

    def _put_back(self, state: EclipseState, ship: Ship, slot: int) -> EclipseState:
        state = put_part(state, self.seat, ship, slot, "")
        return state if not self.left and finished(state, self.seat) else state.push(self)

    def why_not(self, state: EclipseState, component: str) -> Text:
        part = parts().get(component)
        if part is None:
            return say("eclipse.why.not-a-part")
        if part.technology is not None and not state.has(self.seat, part.technology):
            needed = state.called(part.technology)
            return say("eclipse.why.needs-technology", what=state.called(component), technology=needed)
        if not self.left:
            return say("eclipse.why.put-back-first")
        reasons = tuple(refusals(state, self.seat, component, self.left, self.taken))
        return say("eclipse.why.part-fits-nowhere", part=state.called(component), reasons=reasons)


def _fitting_nowhere(state: EclipseState, seat: int, left: int, taken: tuple[Slot, ...]) -> Iterator[Text]:
    """Parts this seat may take that fit on no ship now."""
    for part in known_parts(state, seat) if left else ():
        if not slots_for(state, seat, part, left, taken):
            reasons = tuple(refusals(state, seat, part, left, taken))
            yield say("eclipse.why.part-fits-nowhere", part=state.called(part), reasons=reasons)


def refusals(
    state: EclipseState, seat: int, part: str, left: int, taken: tuple[Slot, ...] = ()
) -> Iterator[Text]:
    """Why ships cannot take a part: those that cannot, with the rule that forbids it (p. 13)."""
    fitting = {ship for ship, _ in slots_for(state, seat, part, left, taken)}
    for ship in SHIPS:
        if ship not in fitting:
            why = _refusal(state, seat, ship, part)
            yield say(f"eclipse.refused.{why}", ship=say(f"eclipse.ship.{ship}"))


def _refusal(state: EclipseState, seat: int, ship: Ship, part: str) -> str:
    here = tiles(state, seat, ship)
    if ship == "starbase" and parts()[part].movement:
        return "no-drives"
    if all(tile == part for tile in here):
        return "everywhere"
    if any(not draft.sound for draft in drafts(state, seat) if draft.ship != ship):
        return "another-first"
    possible = [
        designed(state, seat, ship, _with(state, seat, ship, slot, part))
        for slot, tile in enumerate(here)
        if tile != part
    ]
    return "no-energy" if all(design.energy < 0 for design in possible) else "no-drive-left"


def _removals(state: EclipseState, seat: int, left: int, taken: tuple[Slot, ...]) -> Iterator[Option]:
    """Tiles that may go back to the supply board, if all ships can still be made legal with the parts that
    may be taken.

    A part just taken cannot be put back to repair the ship it made illegal: that would be an undo.
    """
    here, tools = drafts(state, seat, taken), workshop(state, seat)
    unsound = [draft for draft in here if not draft.sound]
    for draft in here:
        others = [other for other in unsound if other is not draft]
        for ship, slot in _unlike(state, seat, [(draft.ship, n) for n in range(len(draft.tiles))], taken):
            tile, after = draft.tiles[slot], draft.without(slot)
            mended = can_finish([after, *others], tools, left)
            if slot in draft.fixed:
                mended = after.sound and not unsound
            if tools.removable(tile) and mended:
                what = "give-up-part" if tile in ancient_parts() else "put-back"
                name = state.called(tile)
                text = say(f"eclipse.option.{what}", part=name, ship=say(f"eclipse.ship.{ship}"))
                detail, group = change(state, seat, ship, slot, ""), say("eclipse.group.put-back")
                face = ship_face(state, seat, ship, _with(state, seat, ship, slot, ""), slot)
                yield Option(f"{OFF}{ship}:{slot}", text, detail=detail, group=group, face=face)


class ChooseSlot(Ask, Struct, frozen=True, tag="choose-slot"):
    """On which square does the part go?"""

    seat: int
    part: str
    left: int
    taken: tuple[Slot, ...] = ()
    slug: ClassVar[str] = "eclipse.slot"

    def ask(self, state: EclipseState) -> Question:
        text = say("eclipse.ask.slot", part=state.called(self.part))
        options = tuple(slot_options(state, self.seat, self.part, self.left, self.taken))
        notes = tuple(refusals(state, self.seat, self.part, self.left, self.taken))
        faces = ships_now(state, self.seat)
        return Question(self.slug, self.seat, text, options, has_default=False, notes=notes, faces=faces)

    def take(self, state: EclipseState, option: str) -> EclipseState:
        word, _, number = option.partition(":")
        ship, slot = _ship(word), int(number)
        state = put_part(state, self.seat, ship, slot, self.part)
        if self.left > 1 or not finished(state, self.seat):
            return state.push(Upgrade(self.seat, self.left - 1, (*self.taken, (ship, slot))))
        return state

    def is_obsolete(self, state: EclipseState) -> bool:
        return not slots_for(state, self.seat, self.part, self.left, self.taken)


class PlaceAncientPart(Ask, Struct, frozen=True, tag="place-ancient-part"):
    """A part found with a discovery goes onto a blueprint at once, or is kept beside the board (p. 7)."""

    seat: int
    part: str
    slug: ClassVar[str] = "eclipse.ancient-part"

    def ask(self, state: EclipseState) -> Question:
        text = say("eclipse.ask.slot", part=state.called(self.part))
        aside = Option(ASIDE, say("eclipse.option.aside"))
        options = (aside, *slot_options(state, self.seat, self.part, FOUND))
        notes = tuple(refusals(state, self.seat, self.part, FOUND))
        faces = ships_now(state, self.seat)
        return Question(self.slug, self.seat, text, options, has_default=False, notes=notes, faces=faces)

    def take(self, state: EclipseState, option: str) -> EclipseState:
        if option == ASIDE:
            return state
        ship, slot = option.split(":")
        return put_part(state, self.seat, _ship(ship), int(slot), self.part)


def slot_options(
    state: EclipseState, seat: int, part: str, left: int, taken: tuple[Slot, ...] = ()
) -> Iterator[Option]:
    """The squares a part may go to, with the ship's new values; equal squares of a ship are offered once."""
    for ship, slot in _unlike(state, seat, slots_for(state, seat, part, left, taken)):
        under = covered(blueprint(state, seat, ship), tiles(state, seat, ship))[slot]
        on = state.called(under) if under else say("eclipse.empty-slot")
        text = say("eclipse.option.slot", ship=say(f"eclipse.ship.{ship}"), slot=slot + 1, part=on)
        after = _with(state, seat, ship, slot, part)
        yield Option(
            f"{ship}:{slot}",
            text,
            detail=change(state, seat, ship, slot, part),
            group=say(f"eclipse.ship.{ship}"),
            face=ship_face(state, seat, ship, after, slot),
            signs=changes(
                designed(state, seat, ship, tiles(state, seat, ship)), designed(state, seat, ship, after)
            ),
        )


def ships_now(state: EclipseState, seat: int) -> tuple[Face, ...]:
    """All current blueprints of a seat."""
    return tuple(ship_face(state, seat, ship, tiles(state, seat, ship)) for ship in SHIPS)


def _unlike(state: EclipseState, seat: int, slots: list[Slot], taken: tuple[Slot, ...] = ()) -> list[Slot]:
    """One square of each group of equal squares of a ship: same printed part, same tile."""
    found: dict[tuple[Ship, str, str, bool], Slot] = {}
    for ship, slot in slots:
        printed = blueprint(state, seat, ship).slots[slot]
        kind = (ship, printed, tiles(state, seat, ship)[slot], (ship, slot) in taken)
        found.setdefault(kind, (ship, slot))
    return list(found.values())


def put_part(state: EclipseState, seat: int, ship: Ship, slot: int, part: str) -> EclipseState:
    """The table with a part on a square, or with the tile removed from it."""
    who = state.seats[seat]
    upgrades = {**who.upgrades, ship: _with(state, seat, ship, slot, part)}
    spare = tuple(p for p in who.spare if p != part)
    state = state.with_seat(seat, replace(who, upgrades=upgrades, spare=spare))
    name = state.called(part) if part else say("eclipse.nothing")
    deed = say("eclipse.fits", part=name, ship=say(f"eclipse.ship.{ship}"), slot=slot + 1)
    return tell_deed(state, seat, deed)


def change(state: EclipseState, seat: int, ship: Ship, slot: int, part: str) -> Text:
    """A ship before and after."""
    before = designed(state, seat, ship, tiles(state, seat, ship))
    after = designed(state, seat, ship, _with(state, seat, ship, slot, part))
    told = before_after(before, after)
    return told if sound(ship, after) else say("eclipse.unfinished", design=told)


def _ship(word: str) -> Ship:
    return next(ship for ship in SHIPS if ship == word)
