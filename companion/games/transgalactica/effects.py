"""What the printed symbols do (p. 32): a closed vocabulary, told by touching.

Tokens, cards, planets and spaces print it.
Nothing in here acts: `steps/` does what these say.
"""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct

Resource = Literal["energy", "mineral", "alien"]
Stuff = Literal["energy", "mineral", "alien", "credit"]
"""What lies in a hold; a credit is no resource (rule 10)."""
What = Literal["vp", "credit", "energy", "mineral", "alien", "any"]
Cost = Literal["energy", "mineral", "alien", "credit", "any"]
"""One piece of a price; "any" is a resource of free choice."""
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
    """Points, credits or resources; "any" is of free choice."""

    what: What = "vp"
    n: Few = 1


class Advance(Struct, frozen=True, tag_field="does", tag="advance"):
    """Advance on one of these tracks; on military and trade at the usual price less what is printed in orange."""

    tracks: tuple[Track, ...]
    n: Annotated[int, Meta(ge=1, le=2)] = 1
    free: bool = False
    """The full discount (rule 46)."""
    less: tuple[Stuff, ...] = ()
    """The discount: pieces of the price that are not paid."""


class Move(Struct, frozen=True, tag_field="does", tag="move"):
    """So many free steps of the ship."""

    n: Annotated[int, Meta(ge=1, le=4)] = 1


class ToTunnel(Struct, frozen=True, tag_field="does", tag="to-tunnel"):
    """The ship goes to a planet with a tunnel, free and from anywhere."""


class Raise(Struct, frozen=True, tag_field="does", tag="raise"):
    """This level is 2 higher until the end of the round."""

    level: Literal["trade", "military"]


class Act(Struct, frozen=True, tag_field="does", tag="act"):
    """An action of the panel without a worker, its own cost paid."""

    action: AnyAction = "any"
    kind: Kind = "main"


class Mark(Struct, frozen=True, tag_field="does", tag="mark"):
    """Mark a technology."""


class TakeMission(Struct, frozen=True, tag_field="does", tag="take-mission"):
    """Take a mission."""


class CompleteMission(Struct, frozen=True, tag_field="does", tag="complete-mission"):
    """Complete a mission of the log ignoring its cost or its requirement, not both."""


class PlaceOutpost(Struct, frozen=True, tag_field="does", tag="place-outpost"):
    """Place an outpost, paid as usual: under the ship, or on any action planet."""

    where: Literal["ship", "action"] = "ship"


class TakeToken(Struct, frozen=True, tag_field="does", tag="take-token"):
    """A bonus token out of those nobody has; a mining token comes from its stack."""

    colour: TokenSort = "basic"


class MiningSymbol(Struct, frozen=True, tag_field="does", tag="mining-symbol"):
    """What the token shows is gained when mining: the token goes onto the mining track (p. 11)."""


class DoubleIncome(Struct, frozen=True, tag_field="does", tag="double-income"):
    """The rewards of the next income phase count twice."""


class Override(Struct, frozen=True, tag_field="does", tag="override"):
    """Until the end of the round the captains may take main actions others have used."""


class Mobilise(Struct, frozen=True, tag_field="does", tag="mobilise"):
    """Crew from the capsules to the mobilisation spaces."""

    n: Steps = 1


class Mines(Struct, frozen=True, tag_field="does", tag="mines"):
    """All own mining planets give their rewards, and so many points for each."""

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
    """May be done up to so many times: pay this, get that."""

    cost: tuple[Cost, ...]
    gains: tuple[Simple, ...]
    times: Steps = 1


class Either(Struct, frozen=True, tag_field="does", tag="either"):
    """One of these, as its owner likes."""

    of: tuple[Simple | Pay, ...]


Effect: TypeAlias = Simple | Pay | Either
Effects: TypeAlias = tuple[Effect, ...]


def needs_a_ship(effect: Effect) -> bool:
    """Whether an effect waits until ships and first outposts are on the map, at the end of set-up (p. 6)."""
    exploring = isinstance(effect, Act) and effect.action == "exploration"
    return exploring or isinstance(effect, Move | ToTunnel | PlaceOutpost)
