"""All inputs, by name."""

from __future__ import annotations

from tests.inputs import camera_inputs, file_inputs, typed_inputs
from tests.inputs.judging import FuzzedInput

INPUTS: dict[str, FuzzedInput] = {
    target.name: target for target in (*camera_inputs.INPUTS, *file_inputs.INPUTS, *typed_inputs.INPUTS)
}
