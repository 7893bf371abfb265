"""The rules, step by step, in the order of the rulebook."""

from companion.core.agenda import Step, Together
from companion.core.facts import AskFact
from companion.games.frontiers.steps.told import AskTold

STEPS: tuple[type[Step], ...] = (
    Together,
    AskFact,
    AskTold,
)
