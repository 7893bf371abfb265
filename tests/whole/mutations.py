"""Our own code with a deliberate mistake, for tests that check whether the mistake would be noticed."""

from __future__ import annotations

import inspect
import sys
import textwrap
from types import FunctionType, ModuleType
from typing import Any

import pytest


def put_in(
    patch: pytest.MonkeyPatch, owner: type | ModuleType, name: str, right: str, wrong: str, times: int = 1
) -> None:
    """Let a function of a class or a module say `wrong` wherever its source says `right`."""
    found = inspect.getattr_static(owner, name)
    static = isinstance(found, staticmethod | classmethod)
    function: Any = found.__func__ if static else found
    while not isinstance(function, FunctionType):  # a context manager, a cache
        function = function.__wrapped__
    source = textwrap.dedent(inspect.getsource(function))
    assert source.count(right) == times, f"{name} does not say {right!r} {times} times"
    module = sys.modules[function.__module__]
    made: dict[str, Any] = {}
    file = inspect.getsourcefile(function)
    assert file is not None
    exec(compile(source.replace(right, wrong), file, "exec"), vars(module), made)
    patch.setattr(owner, name, made[name])
