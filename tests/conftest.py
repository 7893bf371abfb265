"""For all tests: commands stay in the terminal, campaigns run only on request, the garbage collector rarely runs."""

import gc
import os

import pytest
from hypothesis import HealthCheck, settings

import companion  # noqa: F401  before NumPy, as in the program
from tests import budgets

os.environ["COMPANION_SCREEN"] = "none"

# A busy machine takes longer by the clock for the same examples: that is no mistake of what is tested.
settings.register_profile("any machine", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("any machine")


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("companion")
    group.addoption(
        "--campaign", action="store_true", help="everything with everything, however long it takes"
    )
    group.addoption(
        "--files", action="store_true", help="tell what every file of tests took, not only its suite"
    )


def pytest_configure(config: pytest.Config) -> None:
    budgets.campaign = config.getoption("campaign")
    config.pluginmanager.register(budgets.BudgetMeter(), "meter")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave campaigns to those who asked for one, and begin with the real window: its tests take longest, and at the
    end of a run the other workers would wait for them."""
    if not budgets.campaign:
        left = [item for item in items if item.get_closest_marker("campaign")]
        config.hook.pytest_deselected(items=left)
        items[:] = [item for item in items if item not in set(left)]
    items.sort(key=lambda item: not item.path.name.startswith("test_x_"))


def pytest_collection_finish() -> None:
    """What is there now stays: nobody need look through it again and again for garbage (a quarter of the laws)."""
    gc.freeze()
    gc.set_threshold(100_000, 20, 20)
