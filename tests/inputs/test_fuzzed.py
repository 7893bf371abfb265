"""Every input accepts or refuses any data with a sentence: no crash, quickly, and with little memory."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests import budgets
from tests.inputs.inputs import INPUTS
from tests.inputs.judging import ODD, FuzzedInput, feed, megabytes

CORPUS = Path(__file__).parent / "corpus"
"""What the fuzzer found worth keeping: `benchmarks/fuzz.py`."""
EXAMPLES = {"line": 6, "command": 15, "journal": 15, "backup": 10, "picture": 15, "film": 15}
USUAL = 40
DEEP = b"[" * 3000


def at(target: FuzzedInput, data: bytes) -> tuple[str, ...]:
    with TemporaryDirectory() as folder:
        return feed(target, data, Path(folder)).refused


@st.composite
def handed(draw: st.DrawFn, target: FuzzedInput) -> bytes:
    """Something that is let in, with a few places changed: a byte, a number, a word of this input, a piece gone or
    doubled; now and then anything at all."""
    seeds = list(target.seeds())
    data = bytearray(draw(st.one_of(st.sampled_from(seeds), st.binary(max_size=200))))
    for _ in range(draw(st.integers(0, 4))):
        start = draw(st.integers(0, len(data)))
        end = start + draw(st.sampled_from((0, 1, 4, 30)))
        piece = bytes(data[start:end])
        data[start:end] = draw(
            st.one_of(
                st.binary(max_size=4),
                st.sampled_from((b"", piece * 2, piece * 50, *ODD, DEEP, *(target.words or (b"",)))),
            )
        )
    return bytes(data)


@pytest.mark.parametrize("name", INPUTS)
def test_an_input_takes_it_or_says_why_not(name: str) -> None:
    target = INPUTS[name]
    target.ready()
    for data in target.seeds():
        at(target, data)
    before = megabytes()

    @settings(
        max_examples=EXAMPLES.get(name, USUAL) * (40 if budgets.campaign else 1),
        deadline=None,  # seconds of processor are counted instead
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(handed(target))
    def knocked(data: bytes) -> None:
        at(target, data)

    knocked()
    assert megabytes() - before < target.megabytes


@pytest.mark.parametrize("name", INPUTS)
def test_what_the_fuzzer_found_is_taken_or_refused(name: str) -> None:
    INPUTS[name].ready()
    for file in sorted((CORPUS / name).glob("*")):
        at(INPUTS[name], file.read_bytes())
