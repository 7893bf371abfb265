"""Light play: taps per turn of all flows, agreement with the full games, generated flows.

    .venv/bin/python benchmarks/light_play.py --plays 200 --flows 10000 --report

Our five games: a play by bots with all rules is followed by a light one, which is told only what people would
tap; it must be at the same round, phase and seat all the time. Other games: a simulated table, which counts as
often as `RATES` says.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.report import reported
from companion.core.agenda import questions, take
from companion.core.flow.file import flow_in
from companion.core.flow.game import flow_game, shipped_flow
from companion.core.flow.library import shipped_flows
from companion.core.flow.steps import DONE, MARKER, PASS
from companion.core.game import Setup, game
from companion.core.questions import Answer, Question
from tests.core.flow_maker import made_flow
from tests.core.test_flow import NAMES, refused
from tests.laws.light_follower import GAMES, follow
from tests.laws.walks import covering

MOST = 1.4
RATES = {"terraforming-mars": 0.25, "scythe": 0.27, "catan": 0.35, "agricola": 0.07, "wingspan": 0.0}
"""How often something is counted in a turn: Terraforming Mars has 42 steps in about 170 turns, Scythe six stars in
about 22 turns of the winner, Catan eight points in about 20 turns, Agricola two or three more people in 45 turns."""
PASSES = 0.25
"""How often a seat passes in a phase in which people pass: four turns each."""


def main() -> int:
    """Print the tables; 1 if a figure misses its aim."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--plays", type=int, default=20)
    parser.add_argument("--flows", type=int, default=300)
    options, _ = parser.parse_known_args()
    print(
        "| flow | plays | moments in agreement | prompts | taps | taps per prompt |\n|---|--:|--:|--:|--:|--:|"
    )
    figures = {id: _ours(id, options.plays) for id in GAMES}
    figures |= {known.flow.id: _other(known.text, options.plays) for known in shipped_flows()}
    missed = [id for id, figure in figures.items() if figure > MOST]
    print(f"\nThe aim is at most {MOST}; missed by: {', '.join(missed) or 'none'}.")
    print("Race: at most 8 taps a round for four people.", _race(options.plays))
    made = (refused(made_flow(Random(n))) for n in range(options.flows))
    counted = Counter("refused with a line" if problems else "accepted" for problems in made)
    told = ", ".join(f"{n:,} {what}" for what, n in counted.items())
    print(f"\nGenerated flows: {told}, none crashed the reader.")
    return int(bool(missed))


def _ours(id: str, plays: int) -> float:
    """One of our games, followed by a light play."""
    rules = game(id)
    flow = flow_in(shipped_flow(id) or "")
    setups = [setup for setup in covering(rules) if len(setup.seats) in flow.seats]
    taps = prompts = moments = 0
    for seed in range(plays):
        for follower, moment in follow(rules, setups[seed % len(setups)], seed):
            at = rules.light(moment.full)  # type: ignore[misc]
            if at.round and at.phase and moment.full.agenda:
                (question,) = questions(moment.light)
                light = moment.light
                assert (at.round, at.phase, at.seat) == (light.round, light.phase, question.seat)
                moments += 1
            last = follower
        taps, prompts = taps + last.taps, prompts + last.prompts
    print(f"| {id} | {plays} | {moments:,} | {prompts:,} | {taps:,} | {taps / prompts:.2f} |", flush=True)
    return taps / prompts


def _race(plays: int) -> str:
    taps = rounds = 0
    for seed in range(plays):
        *_, (follower, _) = follow(game("race"), Setup("race", NAMES[:4]), seed)
        taps, rounds = taps + follower.taps, rounds + follower.state.round
    return f"Race with four people: {taps / rounds:.2f} taps a round, over {plays} plays."


def _other(text: str, plays: int) -> float:
    """A simulated table of another game."""
    rules, flow = flow_game(text), flow_in(text)
    taps = prompts = 0
    for seed in range(plays):
        random = Random(seed)
        setup = Setup(flow.id, NAMES[: random.choice(flow.seats)], flow=text)
        state = rules.start(setup)
        while state.agenda and (question := questions(state)[0]).form is None:
            choice = _chosen(question, random, RATES[flow.id])
            taps += 1
            prompts += not choice.startswith(("count:", "button:", MARKER))
            state = take(state, Answer(question.seat, question.slug, choice))
    print(f"| {flow.id} | {plays} | | {prompts:,} | {taps:,} | {taps / prompts:.2f} |", flush=True)
    return taps / prompts


def _chosen(question: Question, random: Random, rate: float) -> str:
    ids = [option.id for option in question.options]
    one_step = {}
    for option in question.options:
        if option.id.startswith("count:"):
            one_step.setdefault(option.id.rpartition(":")[0], option.id)
    if one_step and random.random() < rate / (1 + rate):
        return random.choice(list(one_step.values()))
    if MARKER in ids and random.random() < 0.1:
        return MARKER
    if PASS in ids and random.random() < PASSES:
        return PASS
    return DONE if DONE in ids else random.choice(ids)


if __name__ == "__main__":
    sys.exit(reported(main))
