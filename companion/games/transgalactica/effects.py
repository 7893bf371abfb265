"""A closed vocabulary of what the printed symbols do (p. 32), taught by tapping.

Tokens, cards, planets and spaces print these symbols. This module only describes them: `steps/` carries them
out.
"""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct

Resource = Literal["energy", "mineral", "alien"]
Stuff = Literal["energy", "mineral", "alien", "credit"]
"""What lies in a hold; a credit is not a resource (rule 10)."""
What = Literal["vp", "credit", "energy", "mineral", "alien", "any"]
Cost = Literal["energy", "mineral", "alien", "credit", "any"]
"""One piece of a price; "any" is a resource of the payer's choice."""
Track = Literal["technology", "military", "production", "politics", "trade"]
Action = Literal["omni", "exploration", "mining", "trade", "technology", "military", "production", "politics"]
AnyAction = Literal[
    "any", "omni", "exploration", "mining", "trade", "technology", "military", "production", "politics"
]
Kind = Literal["main", "secondary"]
TokenColour = Literal["basic", "advanced"]
TokenSort = Literal["basic", "advanced", "mining"]

RESOURCES: tuple[Resource, ...] = ("energy", "mineral", "alien")
STUFF: tuple[Stuff, ...] = ("energy", "mineral", "alien", "credit")
ACTIONS: tuple[Action, ...] = (
    "omni",
    "exploration",
    "mining",
    "trade",
    "technology",
    "military",
    "production",
    "politics",
)

Few = Annotated[int, Meta(ge=1, le=12)]
Steps = Annotated[int, Meta(ge=1, le=3)]


class Gain(Struct, frozen=True, tag_field="does", tag="gain"):
    """Points, credits or resources; "any" is a resource of the seat's choice."""

    what: What = "vp"
    n: Few = 1


class Advance(Struct, frozen=True, tag_field="does", tag="advance"):
    """Advance on one of these tracks; military and trade cost the usual price minus the orange discount."""

    tracks: tuple[Track, ...]
    n: Annotated[int, Meta(ge=1, le=2)] = 1
    free: bool = False
    """The full discount (rule 46)."""
    less: tuple[Stuff, ...] = ()
    """The discount: pieces of the price that are not paid."""


class Move(Struct, frozen=True, tag_field="does", tag="move"):
    """This many free steps of the ship."""

    n: Annotated[int, Meta(ge=1, le=4)] = 1


class ToTunnel(Struct, frozen=True, tag_field="does", tag="to-tunnel"):
    """The ship goes to a planet with a tunnel, free and from anywhere."""


class Raise(Struct, frozen=True, tag_field="does", tag="raise"):
    """This level is 2 higher until the end of the round."""

    level: Literal["trade", "military"]


class Act(Struct, frozen=True, tag_field="does", tag="act"):
    """An action of the panel without a worker, at its own cost."""

    action: AnyAction = "any"
    kind: Kind = "main"


class Mark(Struct, frozen=True, tag_field="does", tag="mark"):
    """Mark a technology."""


class TakeMission(Struct, frozen=True, tag_field="does", tag="take-mission"):
    """Take a mission."""


class CompleteMission(Struct, frozen=True, tag_field="does", tag="complete-mission"):
    """Complete a mission of the log, ignoring its cost or its requirement but not both."""


class PlaceOutpost(Struct, frozen=True, tag_field="does", tag="place-outpost"):
    """Place an outpost at the usual price: under the ship, or on any action planet."""

    where: Literal["ship", "action"] = "ship"


class TakeToken(Struct, frozen=True, tag_field="does", tag="take-token"):
    """Take a bonus token of those nobody has; mining tokens come from their stack."""

    colour: TokenSort = "basic"


class MiningSymbol(Struct, frozen=True, tag_field="does", tag="mining-symbol"):
    """The token goes to the mining track and pays when mining (p. 11)."""


class DoubleIncome(Struct, frozen=True, tag_field="does", tag="double-income"):
    """The rewards of the next income phase count twice."""


class Override(Struct, frozen=True, tag_field="does", tag="override"):
    """Until the end of the round captains may use main actions that others have used."""


class Mobilise(Struct, frozen=True, tag_field="does", tag="mobilise"):
    """Crew from the capsules to the mobilisation spaces."""

    n: Steps = 1


class Mines(Struct, frozen=True, tag_field="does", tag="mines"):
    """All own mining planets give their rewards, plus this many points for each."""

    vp: Steps = 2


Simple: TypeAlias = (
    Gain
    | Advance
    | Move
    | ToTunnel
    | Raise
    | Act
    | Mark
    | TakeMission
    | CompleteMission
    | PlaceOutpost
    | TakeToken
    | MiningSymbol
    | DoubleIncome
    | Override
    | Mobilise
    | Mines
)


class Pay(Struct, frozen=True, tag_field="does", tag="pay"):
    """Optionally pay this and get that, up to `times` times."""

    cost: tuple[Cost, ...]
    gains: tuple[Simple, ...]
    times: Steps = 1


class Either(Struct, frozen=True, tag_field="does", tag="either"):
    """One of these, chosen by the owner."""

    of: tuple[Simple | Pay, ...]


Effect: TypeAlias = Simple | Pay | Either
Effects: TypeAlias = tuple[Effect, ...]


def needs_a_ship(effect: Effect) -> bool:
    """Whether an effect must wait until ships and first outposts are on the map, after set-up (p. 6)."""
    exploring = isinstance(effect, Act) and effect.action == "exploration"
    return exploring or isinstance(effect, Move | ToTunnel | PlaceOutpost)
