"""Light play: taps per turn of all flows, agreement with the full games, end alerts, generated flows.

    .venv/bin/python benchmarks/light_play.py --plays 200 --flows 10000 --alerts 1000 --report

Our five games: a play by bots with all rules is followed by a light one, which is told only what people would
tap; it must be at the same round, phase and seat all the time, and end with the same sheet. Other games: a
simulated table, which counts as often as `RATES` says. An answer is one choice, as at the terminal; in the window
a number other than one or five takes two touches.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from itertools import count
from pathlib import Path
from random import Random
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.report import reported
from companion.core.agenda import questions, take
from companion.core.flow.file import flow_in
from companion.core.flow.game import flow_game, shipped_flow
from companion.core.flow.library import shipped_flows
from companion.core.flow.steps import DONE, MARKER, PASS
from companion.core.game import Setup, game
from companion.core.questions import Answer, Question
from tests.core.test_flow import NAMES, check_alerts, check_generated
from tests.laws.light_follower import GAMES, follow
from tests.laws.walks import covering, flow_texts
from tests.whole.test_written_down import same_sheet

MOST, MOST_IN_RACE = 1.4, 8
RATES = {"terraforming-mars": 0.25, "scythe": 0.27, "catan": 0.35, "agricola": 0.07, "wingspan": 0.0}
"""How often something is counted in a turn: Terraforming Mars has 42 steps in about 170 turns, Scythe six stars in
about 22 turns of the winner, Catan eight points in about 20 turns, Agricola two or three more people in 45 turns."""
PASSES = 0.25
"""How often a seat passes in a phase in which people pass: four turns each."""


class Taps(NamedTuple):
    """What the plays of one flow took; a prompt is a turn, a phase of everybody, or the order of a round."""

    prompts: int
    answers: int
    touches: int

    def row(self, flow: str, plays: int, agreed: str) -> str:
        """Its line of the table."""
        each = " | ".join(f"{n / self.prompts:.2f}" for n in (self.answers, self.touches))
        return f"| {flow} | {plays} | {agreed} | {self.prompts:,} | {each} |"


def main() -> int:
    """Print the tables; 1 if a figure misses its aim."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--plays", type=int, default=20)
    parser.add_argument("--flows", type=int, default=300)
    parser.add_argument("--alerts", type=int, default=20)
    options, _ = parser.parse_known_args()
    print(
        "| flow | plays | moments in agreement | same sheets | prompts | answers a prompt | touches a prompt |"
    )
    print("|---|--:|--:|--:|--:|--:|--:|", flush=True)
    figures = {id: _ours(id, options.plays) for id in GAMES}
    figures |= {known.flow.id: _other(known.text, options.plays) for known in shipped_flows()}
    missed = [id for id, one in figures.items() if one.answers / one.prompts > MOST]
    print(f"\nThe aim is at most {MOST} answers a prompt; missed by: {', '.join(missed) or 'none'}.")
    print(
        "Taps of the last five flows rest on assumed rates: how often something is counted, and who passes."
    )
    race = _race(options.plays)
    print(
        f"Race with four people: {race:.2f} touches a round; the aim is at most {MOST_IN_RACE}.", flush=True
    )
    texts = flow_texts()
    moments = sum(check_alerts(text, seed) for text in texts for seed in range(options.alerts))
    print(
        f"End alerts: {options.alerts:,} plays of each of {len(texts)} flows, {moments:,} moments, none late or early.",
        flush=True,
    )
    made, seeds = Counter[bool](), count()
    while made[True] < options.flows:
        made[check_generated(next(seeds))] += 1
    print(
        f"Generated flows: {made[True]:,} accepted, and each play of them ended or waited for people; "
        f"besides {made[False]:,} refused with a line, most of them spoilt on purpose."
    )
    return int(bool(missed) or race > MOST_IN_RACE)


def _ours(id: str, plays: int) -> Taps:
    """One of our games, followed by a light play; an assertion fails where they differ."""
    rules = game(id)
    flow = flow_in(shipped_flow(id) or "")
    setups = [setup for setup in covering(rules) if len(setup.seats) in flow.seats]
    moments = sheets = 0
    taps = Taps(0, 0, 0)
    for seed in range(plays):
        for follower, moment in follow(rules, setups[seed % len(setups)], seed):
            at = rules.light(moment.full)  # type: ignore[misc]
            if at.round and at.phase and moment.full.agenda:
                (question,) = questions(moment.light)
                light = moment.light
                assert (at.round, at.phase, at.seat) == (light.round, light.phase, question.seat)
                moments += 1
            last = follower, moment
        sheets += same_sheet(*last)
        follower = last[0]
        told = (follower.prompts, follower.answers, follower.taps)
        taps = Taps(*(before + more for before, more in zip(taps, told, strict=True)))
    print(taps.row(id, plays, f"{moments:,} | {sheets}"), flush=True)
    return taps


def _race(plays: int) -> float:
    taps = rounds = 0
    for seed in range(plays):
        *_, (follower, _) = follow(game("race"), Setup("race", NAMES[:4]), seed)
        taps, rounds = taps + follower.taps, rounds + follower.state.round
    return taps / rounds


def _other(text: str, plays: int) -> Taps:
    """A simulated table of another game."""
    rules, flow = flow_game(text), flow_in(text)
    prompts = answers = 0
    for seed in range(plays):
        random = Random(seed)
        setup = Setup(flow.id, NAMES[: random.choice(flow.seats)], flow=text)
        state = rules.start(setup)
        while state.agenda and (question := questions(state)[0]).form is None:
            choice = _chosen(question, random, RATES[flow.id])
            answers += 1  # one step at a time is one touch, too
            prompts += not choice.startswith(("count:", "button:", MARKER))
            state = take(state, Answer(question.seat, question.slug, choice))
    taps = Taps(prompts, answers, answers)
    print(taps.row(flow.id, plays, " | "), flush=True)
    return taps


def _chosen(question: Question, random: Random, rate: float) -> str:
    ids = [option.id for option in question.options]
    one_step: dict[str, str] = {}
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
