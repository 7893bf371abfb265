"""Every step that can be on the agenda."""

from companion.core.agenda import Step, Together
from companion.core.facts import AskFact, AskFacts
from companion.games.transgalactica.steps.actions import ChooseAction
from companion.games.transgalactica.steps.board import (
    AskMap,
    LearnBoard,
    LearnPlanets,
    TellPirateAt,
    TellPlanet,
)
from companion.games.transgalactica.steps.collect import Collect, CollectFrom
from companion.games.transgalactica.steps.end import EndPlay, TellObjective
from companion.games.transgalactica.steps.explore import (
    Arrive,
    BeginExploration,
    Explore,
    FreeMove,
    GoToTunnel,
)
from companion.games.transgalactica.steps.followers import Follow, FreeWhileFollowing
from companion.games.transgalactica.steps.free_deeds import Between, DiscardToken
from companion.games.transgalactica.steps.income import Income, IncomeFirst, IncomeOver, LearnIncome, Relief
from companion.games.transgalactica.steps.missions import (
    BeginMission,
    ChooseMission,
    CompleteIgnoring,
    FinishMission,
    LayMission,
)
from companion.games.transgalactica.steps.offers import ChooseOne
from companion.games.transgalactica.steps.outposts import ChoosePlace, PlaceOn, TellPirates
from companion.games.transgalactica.steps.politics import ChoosePolitics
from companion.games.transgalactica.steps.print_first import Again
from companion.games.transgalactica.steps.production import AdvanceOrCollect, MiningRewards, TakeMiningToken
from companion.games.transgalactica.steps.resolve import (
    ChooseResource,
    Happens,
    PayFor,
    Perform,
    Resolve,
)
from companion.games.transgalactica.steps.rounds import (
    BeginActions,
    BeginMaintenance,
    BeginRound,
    MilitaryStep,
    NextRound,
    Recall,
    RefillMining,
    UpdatePriority,
)
from companion.games.transgalactica.steps.senate import TakeSeat
from companion.games.transgalactica.steps.setup import (
    Draft,
    FirstOutposts,
    SetPriority,
    StartingHolds,
    TellDecree,
    TellFirst,
    TellMission,
    TellTechnology,
)
from companion.games.transgalactica.steps.technology import BeginMark, ChooseResearch, MarkTechnology
from companion.games.transgalactica.steps.tokens import (
    DrawMiningToken,
    LearnToken,
    Receive,
    TakeRoundToken,
    TakeTokenOf,
    TellToken,
)
from companion.games.transgalactica.steps.tracks import AdvanceTrack, BuyAdvance, ChooseTrack
from companion.games.transgalactica.steps.turns import AfterAction, NextTurn, Turn

STEPS: tuple[type[Step], ...] = (
    Together,
    AskFact,
    AskFacts,
    ChooseAction,
    Collect,
    CollectFrom,
    EndPlay,
    TellObjective,
    BeginExploration,
    Explore,
    Arrive,
    FreeMove,
    GoToTunnel,
    DiscardToken,
    LearnIncome,
    Relief,
    Income,
    IncomeFirst,
    IncomeOver,
    ChoosePolitics,
    BeginMission,
    ChooseMission,
    LayMission,
    FinishMission,
    CompleteIgnoring,
    PlaceOn,
    TellPirates,
    ChoosePlace,
    AdvanceOrCollect,
    TakeMiningToken,
    MiningRewards,
    Resolve,
    Perform,
    Happens,
    ChooseResource,
    ChooseOne,
    PayFor,
    BeginRound,
    BeginActions,
    BeginMaintenance,
    MilitaryStep,
    Recall,
    RefillMining,
    UpdatePriority,
    NextRound,
    TakeSeat,
    TellFirst,
    AskMap,
    LearnBoard,
    LearnPlanets,
    TellPlanet,
    TellPirateAt,
    TellTechnology,
    TellMission,
    TellDecree,
    StartingHolds,
    Draft,
    FirstOutposts,
    SetPriority,
    ChooseResearch,
    BeginMark,
    MarkTechnology,
    TellToken,
    LearnToken,
    Receive,
    TakeTokenOf,
    TakeRoundToken,
    DrawMiningToken,
    AdvanceTrack,
    ChooseTrack,
    BuyAdvance,
    NextTurn,
    Turn,
    AfterAction,
    Follow,
    FreeWhileFollowing,
    Between,
    Again,
)
