"""Bots that play Race in a window: they show to a camera what has a card, and click the rest."""

import math
import time
from contextlib import suppress
from typing import Protocol

from companion.core.game import games
from companion.core.questions import Answer, Question
from companion.core.understand import Choose, Sighted, understand
from companion.recognition.reading import book
from tests.patience import PATIENCE
from tests.ui.players import Players
from tests.ui.real import Program, WindowReport

RACE = games()["race"]

OWN = book(RACE).sets
"""The cards every player has one of."""

GONE = 4.0
"""Seconds for which a card that was not read is taken away: one that was only covered is no second scan."""

ANOTHER = 1.1
"""Seconds until the next card: what comes sooner belongs to one gesture, and is only offered."""

ENOUGH = 20
"""Pictures in which the card was read, after which it is shown again if nothing came of it."""

SHOWN_AGAIN = 5
"""So often a card is shown again at most."""

WATCHED, GAP, STEADY = 1.0, 1.0, 30.0
"""Seconds for which the table must have been watched before a card is shown, between two pictures at most; and after
which it is shown all the same, as people do who see no difference: it may then be only offered."""

OFFERED = 5
"""The same, after which somebody confirms what is offered."""


class CardHolder(Protocol):
    """A player who holds cards to the camera."""

    def hold_up(self, component: str, seat: int | None) -> None:
        """Hold it up."""

    def lower(self) -> None:
        """Take it out of the camera's sight."""

    def put_down(self, component: str, seat: int | None) -> None:
        """Lay it where it belongs."""


class CardPlayers(Players):
    """Bots who show to the camera what has a card of its own, and click the rest."""

    def __init__(self, program: Program, hands: CardHolder, seed: int) -> None:
        super().__init__(program, RACE, seed)
        self.hands = hands
        self.shown = self.confirmed = 0
        self._lowered: dict[tuple[str, int | None], float] = {}
        self._last_lowered = self._since = 0.0

    @property
    def given(self) -> int:
        return self.shown + self.clicked

    def give(self, question: Question, answer: Answer) -> None:
        option = question.option(answer.option)
        assert option is not None
        if option.component is None or option.component in RACE.on_table(self.session.state):
            self.click(question, answer)
        else:
            self._show(question, answer, option.component)

    def _show(self, question: Question, answer: Answer, component: str) -> None:
        """A player who places a card in secret takes the screen; an action card shows whose it is."""
        self.at_the_table()
        if component not in OWN or not question.secret:
            self.turn_the_screen_to(question, answer)
        held = (component, answer.seat if component in OWN else None)
        self._wait_for_pictures(max(self._lowered.get(held, 0.0) + GONE, self._last_lowered + ANOTHER))
        read, again = self._hold_up(component, answer), 0
        while not self.answered():
            shown = self.program.shown()
            if "choice-0" in shown["taps"]:
                self._tap_away(f"choice-{self._which(answer, component)}")
            elif len(read) > OFFERED and [*_told(answer)] in shown["offers"]:
                self.confirmed += 1  # a busy machine gave too few pictures to see who brought it
                self._tap_away(f"offer-{shown['offers'].index([*_told(answer)])}")
                read.clear()
            elif len(read) > ENOUGH and not shown["offers"]:
                self.repeated, again = self.repeated + 1, again + 1
                assert again < SHOWN_AGAIN, f"never read: {component}; shown: {shown}"
                self.hands.lower()
                self._wait_for_pictures(time.monotonic() + GONE)
                if not self.answered():
                    read = self._hold_up(component, answer)
                    continue
                break
            else:
                self._look(shown, read)
        self.hands.put_down(component, answer.seat)
        self._lowered[held] = self._last_lowered = time.monotonic()
        self.shown += 1

    def _hold_up(self, component: str, answer: Answer) -> set[float]:
        """Hold it up once the table is watched; the pictures in which it is read will be counted in here."""
        self._wait_until_watched()
        self.hands.hold_up(component, answer.seat)
        self._since = time.monotonic()
        return set()

    def _look(self, shown: WindowReport, read: set[float]) -> None:
        """Wait for the next picture, and count it if any label is read in it."""
        assert time.monotonic() - self._since < PATIENCE, f"no picture shows it: {shown}"
        if shown["labels"] and shown["looked"] > self._since:
            read.add(shown["looked"])
        with suppress(TimeoutError):
            self.program.until(lambda now: now != shown, patience=0.1)

    def _wait_for_pictures(self, until: float) -> None:
        """Wait until the program has looked at a picture that was taken then."""
        self.program.until(lambda shown: shown["looked"] >= until)

    def _wait_until_watched(self) -> None:
        """Wait until the program has seen the table without the card for a while: a picture may take long to draw here,
        and what comes into sight after a gap was not seen coming."""
        began = last = -math.inf

        def watched(shown: WindowReport) -> bool:
            nonlocal began, last
            if shown["looked"] - last > GAP:
                began = shown["looked"]
            last = shown["looked"]
            return last - began >= WATCHED

        with suppress(TimeoutError):
            self.program.until(watched, STEADY)

    def _tap_away(self, name: str) -> None:
        """Touch something and wait until it is gone: a second touch would meet what stands there then."""
        with suppress(TimeoutError):
            self.program.tap_until(name, lambda shown: name not in shown["taps"])

    def _which(self, answer: Answer, component: str) -> int:
        """The place of this answer among those the card could mean."""
        meaning = understand(self.session, Sighted(component))
        assert isinstance(meaning, Choose)
        return [meant for meant, _ in meaning.answers].index(answer)


def _told(answer: Answer) -> tuple[int | None, str, str]:
    """An answer as the program tells of one that is offered."""
    return answer.seat, answer.slug, answer.option
