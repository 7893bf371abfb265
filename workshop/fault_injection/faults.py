"""The types of a fault and its result, and the loop that tries faults until the time is up."""

from __future__ import annotations

import shutil
import time
import traceback
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from random import Random

from msgspec import Struct, field

from companion.core.words import Text, say


class Harm(Exception):
    """Something confirmed is lost, a score is wrong, or there is an invented answer."""


class NotHere(Exception):
    """This machine cannot run that fault."""


class FaultTrial(Struct, frozen=True):
    """Where a fault is tried: an empty folder and a random generator of its own."""

    folder: Path
    random: Random

    @property
    def path(self) -> Path:
        """Where the journal is."""
        return self.folder / "journal.db"


class Survived(Struct, frozen=True):
    """How often the fault struck, and what the people at the table saw of it: sentences, or nothing."""

    times: int = 1
    seen: tuple[Text, ...] = ()


class Fault(Struct, frozen=True):
    """One way in which things go wrong. `fault.NAME` says what is done, `fault.NAME-judged` how it is judged."""

    name: str
    attempt: Callable[[FaultTrial], Survived]
    share: float = 1.0
    """Its share of the time, relative to the others."""

    @property
    def done(self) -> Text:
        """What is done."""
        return say(f"fault.{self.name}")

    @property
    def judged(self) -> Text:
        """What must hold afterwards, besides that nothing confirmed is lost."""
        return say(f"fault.{self.name}-judged")


class FaultResult(Struct):
    """The results of a fault so far."""

    fault: Fault
    tried: int = 0
    survived: int = 0
    seconds: float = 0.0
    seen: dict[str, Text] = field(default_factory=dict)
    wrong: list[str] = field(default_factory=list)
    not_here: str = ""

    @property
    def good(self) -> bool:
        """Whether it never did any harm."""
        return self.tried == self.survived


KEPT = 5
"""How many descriptions of harm are kept per fault; the folder of each is kept, too."""


def inject(
    faults: Sequence[Fault],
    folder: Path,
    seconds: float,
    seed: int,
    told: Callable[[FaultResult], None] = lambda result: None,
    clock: Callable[[], float] = time.monotonic,
) -> tuple[FaultResult, ...]:
    """Try every fault once, then repeat each for its share of the time until the time is up."""
    results, began, number = [FaultResult(fault) for fault in faults], clock(), 0
    for result in results:
        _try(result, folder, f"{seed}-0", clock)
        told(result)
    while clock() - began < seconds and (able := [result for result in results if not result.not_here]):
        number += 1
        _try(
            min(able, key=lambda result: result.seconds / result.fault.share),
            folder,
            f"{seed}-{number}",
            clock,
        )
    return tuple(results)


def _try(result: FaultResult, folder: Path, which: str, clock: Callable[[], float]) -> None:
    began = clock()
    trial = FaultTrial(folder / f"{result.fault.name}-{which}", Random(f"{result.fault.name} {which}"))
    trial.folder.mkdir(parents=True)
    try:
        survived = result.fault.attempt(trial)
    except NotHere as why:
        result.not_here = str(why)
    except Exception as e:  # a fault that makes us crash is not survived
        result.tried += 1
        if len(result.wrong) < KEPT:
            what = str(e) if isinstance(e, Harm) else "".join(traceback.format_exception(e))
            result.wrong.append(f"{trial.folder.name}: {what}")
            result.seconds += clock() - began
            return  # its folder stays for inspection
    except BaseException:  # we are being ended
        shutil.rmtree(trial.folder, ignore_errors=True)
        raise
    else:
        result.tried += survived.times
        result.survived += survived.times
        result.seen |= {text.key: text for text in survived.seen}
    result.seconds += clock() - began
    shutil.rmtree(trial.folder, ignore_errors=True)


def expect(right: object, otherwise: str) -> None:
    """Raise `Harm` unless `right` is true."""
    if not right:
        raise Harm(otherwise)


def all_of(*rooms: Iterable[Fault]) -> tuple[Fault, ...]:
    """All these faults as one tuple."""
    return tuple(fault for room in rooms for fault in room)
