"""Replacing a colony with an explored world: Terraforming Engineers, Doomed Colony (p. 7). It is not settling."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Literal

from msgspec import Struct
from msgspec.structs import replace

from companion.core.agenda import Ask, Do, Step
from companion.core.components import UNKNOWN
from companion.core.faces import ARROW, Sign, Signs
from companion.core.facts import ask_fact
from companion.core.questions import Option, Question
from companion.core.words import Text, count, say
from companion.games.frontiers.component_types import Home, World
from companion.games.frontiers.costs import goods_powers
from companion.games.frontiers.deeds import does
from companion.games.frontiers.faces import MINUS, UNTOLD
from companion.games.frontiers.powers import Replace
from companion.games.frontiers.state import Colony, FrontiersState, PowerId
from companion.games.frontiers.steps.facts import tell_tile
from companion.games.frontiers.steps.refinery import windfall_good
from scoring.frontiers import KINDS, Kind

NO = "no"
PREFIX = "replace:"
READ = "read:"
"""The option prefix of a world whose facts are needed before we know what it could replace."""

Verdict = Literal["yes", "untold", "kind", "cost", "military", "colonists"]
"""Whether a world may replace a colony: yes, unknown until their facts are told, or the rule that forbids it."""


class Swap(Struct, frozen=True):
    """A colony replaced with an explored world, by a power."""

    power: PowerId
    old: str
    new: str

    @property
    def id(self) -> str:
        """The option id of this swap, as stored in the journal."""
        tile, place = self.power
        return f"{PREFIX}{tile}.{place}:{self.old}:{self.new}"


def read_swap(option: str) -> Swap:
    """The swap that an option id encodes."""
    power, old, new = option.removeprefix(PREFIX).split(":")
    tile, _, place = power.rpartition(".")
    return Swap((tile, int(place)), old, new)


def verdict(state: FrontiersState, seat: int, swap: Swap) -> Verdict:
    """Whether the rules allow a swap: printed costs are compared, discounts ignored (p. 7)."""
    power = _power(state, swap)
    old, new, colony = state.world(swap.old), state.world(swap.new), state.seats[seat].colony(swap.old)
    assert colony is not None
    if old.is_military or new.is_military:
        return "military"
    kinds_told = UNKNOWN not in (old.product, new.product)
    if power.same_kind and kinds_told and not _alike(old, new, state.seats[seat].named):
        return "kind"
    if UNKNOWN not in (old.price, new.price) and not -power.lower <= new.number - old.number <= power.higher:
        return "cost"
    if new.colonists is not UNKNOWN and new.colonists - colony.colonists > state.seats[seat].colonists:
        return "colonists"
    return "untold" if new.untold() or _unread(old) else "yes"


def _power(state: FrontiersState, swap: Swap) -> Replace:
    power = (state.tile(swap.power[0]).powers or ())[swap.power[1]]
    assert isinstance(power, Replace)
    return power


def _unread(old: World) -> tuple[str, ...]:
    """The facts needed of a colony that is replaced; a home's cost is asked only here."""
    return tuple(field for field in ("price", "product") if getattr(old, field) is UNKNOWN)


def _alike(old: World, new: World, named: Kind | None) -> bool:
    """Whether two worlds are of one kind: gray counts as a kind here, but the refinery can never be named gray."""
    kinds = [named or "any" if world.kind == "any" else world.kind for world in (old, new)]
    return kinds[0] == kinds[1] or ("any" in kinds and None not in kinds)


def swaps(state: FrontiersState, seat: int) -> list[Swap]:
    """Every swap this seat may make now; tiles gained in this action cannot be replaced (p. 7)."""
    found: dict[tuple[str, str], Swap] = {}
    for swap in _candidates(state, seat):
        if verdict(state, seat, swap) == "yes":
            found.setdefault((swap.old, swap.new), swap)
    return list(found.values())


def unread(state: FrontiersState, seat: int) -> list[str]:
    """The explored worlds that might replace something, but have unknown facts."""
    open_ones = (swap for swap in _candidates(state, seat) if verdict(state, seat, swap) == "untold")
    return list(dict.fromkeys(swap.new for swap in open_ones if state.world(swap.new).untold()))


def may_replace(state: FrontiersState, seat: int) -> bool:
    """Whether there is anything to ask."""
    return bool(swaps(state, seat) or unread(state, seat))


def better_before(state: FrontiersState, seat: int) -> bool:
    """Whether replacing first may allow a world to be settled, by a returned colonist or a good to remove.

    If not, a seat with no other choice need not be asked before it takes its colonists.
    """
    return bool(unread(state, seat)) or any(_helps(state, seat, swap) for swap in swaps(state, seat))


def _helps(state: FrontiersState, seat: int, swap: Swap) -> bool:
    colony, new = state.seats[seat].colony(swap.old), state.world(swap.new)
    returns = colony is not None and (new.colonists or 0) < colony.colonists
    return returns or (new.goods == "windfall" and bool(goods_powers(state, seat)))


def missing_page(state: FrontiersState, seat: int) -> tuple[Step, ...]:
    """The question for a colony's unknown facts, if only these are missing to decide about a fully known world."""
    for swap in _candidates(state, seat):
        old = state.world(swap.old)
        fields = tuple(field for field in _unread(old) if f"{old.id}.{field}" not in state.taught)
        if fields and not state.world(swap.new).untold() and verdict(state, seat, swap) == "untold":
            return (ask_fact("frontiers", old, *fields, seat=seat),)
    return ()


def _candidates(state: FrontiersState, seat: int) -> Iterator[Swap]:
    who = state.seats[seat]
    powers = [
        (id, p) for id, p in state.powers(seat, "settle") if isinstance(p, Replace) and id not in who.used
    ]
    # A power that replaces only its own tile is used before one that could replace any.
    for id, power in sorted(powers, key=lambda item: item[1].colony == "any"):
        for colony in who.colonies:
            if colony.tile in who.fresh or (power.colony == "this" and colony.tile != id[0]):
                continue
            yield from (Swap(id, colony.tile, new) for new in who.explored)


def swap_options(state: FrontiersState, seat: int, group: Text | None = None) -> tuple[Option, ...]:
    """The possible swaps as options; a world shown to the camera is the new one."""
    known = tuple(_option(state, seat, swap, group) for swap in swaps(state, seat))
    return (*known, *(_unread_option(state, id, group) for id in unread(state, seat)))


def _option(state: FrontiersState, seat: int, swap: Swap, group: Text | None) -> Option:
    text = say("frontiers.option.replace", old=state.name(swap.old), new=state.name(swap.new))
    return Option(swap.id, text, swap.new, group=group, signs=_signs(state, seat, swap))


def _unread_option(state: FrontiersState, id: str, group: Text | None) -> Option:
    return Option(f"{PREFIX}{READ}{id}", state.name(id), id, group=group, signs=(Sign("replace"), UNTOLD))


def _signs(state: FrontiersState, seat: int, swap: Swap) -> Signs:
    old, new, colony = state.world(swap.old), state.world(swap.new), state.seats[seat].colony(swap.old)
    assert colony is not None
    costs = (Sign("cost", str(old.number)), ARROW, Sign("cost", str(new.number)))
    more = (new.colonists or 0) - colony.colonists
    if not more:
        return costs
    return (*costs, Sign("colonists", f"+{-more}" if more < 0 else f"{MINUS}{more}"))


class Replacing(Do, Struct, frozen=True, tag="replacing"):
    """A colony may still be replaced after the choice of this action."""

    seat: int

    def do(self, state: FrontiersState) -> FrontiersState:
        page = missing_page(state, self.seat)
        if page:
            return state.push(*page, self)
        return state.push(ChooseReplace(self.seat)) if may_replace(state, self.seat) else state


class ChooseReplace(Ask, Struct, frozen=True, tag="choose-replace"):
    """Which colony is replaced with which explored world, if any?"""

    seat: int
    slug: ClassVar[str] = "frontiers.replace"

    def ask(self, state: FrontiersState) -> Question:
        no = Option(NO, say("frontiers.option.replace-nothing"))
        options = (no, *swap_options(state, self.seat))
        text = say("frontiers.ask.replace")
        return Question(self.slug, self.seat, text, options, notes=state.order_notes)

    def take(self, state: FrontiersState, option: str) -> FrontiersState:
        if option == NO:
            return state
        return state.push(*chosen(state, self.seat, option), Replacing(self.seat))

    def why_not(self, state: FrontiersState, component: str) -> Text:
        return why_no_swap(state, self.seat, component)

    def is_obsolete(self, state: FrontiersState) -> bool:
        return not may_replace(state, self.seat)


def why_no_swap(state: FrontiersState, seat: int, component: str) -> Text:
    """The rule that forbids replacing anything with this world."""
    reasons = [verdict(state, seat, swap) for swap in _candidates(state, seat) if swap.new == component]
    if not reasons:
        return say("frontiers.why.not-explored")
    against = [reason for reason in reasons if reason not in ("yes", "untold")]
    if len(against) < len(reasons):  # it may replace a colony, and the player has to say which
        return say("frontiers.why.replace-which", world=state.name(component))
    return say(f"frontiers.why.replace-{against[-1]}", world=state.name(component))


def chosen(state: FrontiersState, seat: int, option: str) -> tuple[Step, ...]:
    """The steps an option leads to: the swap, or the form for a world with unknown facts."""
    what = option.removeprefix(PREFIX)
    if what.startswith(READ):
        return tell_tile(state, seat, state.tile(what.removeprefix(READ)))
    return (CarryOutSwap(seat, read_swap(option)),)


class CarryOutSwap(Do, Struct, frozen=True, tag="carry-out-swap"):
    """Replace a colony, unless a correction removed something it needs."""

    seat: int
    swap: Swap

    def do(self, state: FrontiersState) -> FrontiersState:
        return swapped(state, self.seat, self.swap) if self.swap in swaps(state, self.seat) else state


def swapped(state: FrontiersState, seat: int, swap: Swap) -> FrontiersState:
    """Put the new tile in the old one's place, with its good if it is a windfall world (p. 7)."""
    who, new = state.seats[seat], state.world(swap.new)
    colony = who.colony(swap.old)
    assert colony is not None
    more = (new.colonists or 0) - colony.colonists
    names = {"old": state.name(swap.old), "new": state.name(swap.new)}
    if _power(state, swap).same_kind:
        who = replace(who, named=who.named or _named(state.world(swap.old), new))
    who = replace(
        who,
        colonies=tuple(Colony(new.id, None, new.colonists or 1) if c is colony else c for c in who.colonies),
        explored=tuple(id for id in who.explored if id != new.id),
        colonists=who.colonists - more,
        fresh=(*who.fresh, new.id),
        used=(*who.used, swap.power),
    )
    state = state.with_seat(seat, who)
    if not isinstance(state.tile(swap.old), Home):
        state = replace(state, aside=(*state.aside, swap.old))
    deeds = [say("frontiers.replace", **names)]
    if colony.good is not None:
        deeds.append(say("frontiers.replace-good", good=say(f"frontiers.good.{colony.good}")))
    if more:
        sort = "add" if more > 0 else "return"
        deeds.append(count(f"frontiers.replace-{sort}", abs(more)))
    state = does(state, seat, *deeds)
    return state.push(*windfall_good(state, seat, new.id))


def _named(old: World, new: World) -> Kind | None:
    """The kind the refinery gets if both tiles must be of one kind: the other tile's."""
    sorts = (old.kind, new.kind)
    if "any" not in sorts:
        return None
    return next((kind for kind in KINDS if kind in sorts), None)
