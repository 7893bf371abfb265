"""The rules, step by step, in the order of the rulebook."""

from companion.core.agenda import Step, Together
from companion.games.eclipse.steps.battle import (
    ActWith,
    BattleAt,
    BeginBattle,
    Clinch,
    Combat,
    Fighting,
    NextPair,
)
from companion.games.eclipse.steps.battle_after import (
    Bombard,
    ChooseVictim,
    DrawReputation,
    RemoveCubes,
    Siege,
    Sieges,
    TakeOver,
    TellBombardment,
)
from companion.games.eclipse.steps.battle_dice import PlaceHit, PlaceHits, TellDie
from companion.games.eclipse.steps.build import Build, BuildAt
from companion.games.eclipse.steps.claim import ChooseFreeTechnology, MayClaim, TakeDiscovery
from companion.games.eclipse.steps.cleanup import CleanUp, DrawTechnologies, TellTechnology
from companion.games.eclipse.steps.cubes import ChooseTrack, ReturnCubes
from companion.games.eclipse.steps.diplomacy import AgreeToAlly, ChooseCube, GiveAmbassador
from companion.games.eclipse.steps.end import EndPlay, TellReputation
from companion.games.eclipse.steps.explore import Explore, PlaceHex, TurnUp
from companion.games.eclipse.steps.influence import Influence, InfluenceTo, PutDisc, TurnColonyShips
from companion.games.eclipse.steps.move import Move, MoveTo
from companion.games.eclipse.steps.research import Research, UseArtifact
from companion.games.eclipse.steps.round import BeginRound, EndRound, EndTurn, FinishTurn, NextTurn, Turn
from companion.games.eclipse.steps.setup import ChooseFirst, ChooseSpecies, LayOut
from companion.games.eclipse.steps.upgrade import ChooseSlot, PlaceAncientPart, Upgrade
from companion.games.eclipse.steps.upkeep import BeginUpkeep, GiveUp, LastColonies, MeetNeighbours, Upkeep

STEPS: tuple[type[Step], ...] = (
    Together,
    ChooseFirst,
    ChooseSpecies,
    LayOut,
    DrawTechnologies,
    TellTechnology,
    BeginRound,
    Turn,
    EndTurn,
    FinishTurn,
    NextTurn,
    Explore,
    TurnUp,
    PlaceHex,
    MayClaim,
    TakeDiscovery,
    ChooseFreeTechnology,
    PlaceAncientPart,
    Influence,
    InfluenceTo,
    PutDisc,
    TurnColonyShips,
    ReturnCubes,
    ChooseTrack,
    AgreeToAlly,
    GiveAmbassador,
    ChooseCube,
    Research,
    UseArtifact,
    Upgrade,
    ChooseSlot,
    Build,
    BuildAt,
    Move,
    MoveTo,
    Combat,
    BattleAt,
    NextPair,
    BeginBattle,
    Fighting,
    ActWith,
    TellDie,
    PlaceHits,
    PlaceHit,
    Clinch,
    DrawReputation,
    Sieges,
    Siege,
    Bombard,
    TellBombardment,
    RemoveCubes,
    ChooseVictim,
    TakeOver,
    BeginUpkeep,
    MeetNeighbours,
    LastColonies,
    Upkeep,
    GiveUp,
    EndRound,
    CleanUp,
    EndPlay,
    TellReputation,
)
