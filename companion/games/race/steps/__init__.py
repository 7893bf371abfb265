"""The rules, step by step, in the order of the rulebook."""

from companion.core.agenda import Step, Together
from companion.games.race.steps.consume import (
    AnswerGamble,
    BeginConsume,
    ChooseConsume,
    ChooseSale,
    Consume,
    PickGood,
    Sell,
    TakeGoods,
    UsePower,
)
from companion.games.race.steps.explore import Explore
from companion.games.race.steps.place import BeginPlacing, ChoosePlacement, ChooseWay, Pay, RevealPlacements
from companion.games.race.steps.produce import (
    BeginProduce,
    ChooseWindfall,
    DrawForMost,
    DrawForProduced,
    ProduceOnWindfallWorld,
    ProduceOnWorlds,
)
from companion.games.race.steps.round import BeginRound, ChooseAction, EndRound, RevealActions
from companion.games.race.steps.setup import ChooseStartWorld, DealHands

STEPS: tuple[type[Step], ...] = (
    Together,
    ChooseStartWorld,
    DealHands,
    BeginRound,
    ChooseAction,
    RevealActions,
    Explore,
    BeginPlacing,
    ChoosePlacement,
    RevealPlacements,
    Pay,
    ChooseWay,
    BeginConsume,
    Sell,
    ChooseSale,
    Consume,
    ChooseConsume,
    TakeGoods,
    PickGood,
    UsePower,
    AnswerGamble,
    BeginProduce,
    ProduceOnWorlds,
    ProduceOnWindfallWorld,
    ChooseWindfall,
    DrawForProduced,
    DrawForMost,
    EndRound,
)
