"""Bots who hold to a camera what has a card, and click the rest, before a window with a play of Race."""

import time
from contextlib import suppress
from typing import Protocol

from companion.core.game import games
from companion.core.questions import Answer, Question
from companion.core.understand import Choose, Sighted, understand
from companion.recognition.reading import book
from tests.ui import real
from tests.ui.players import MOST_AGAIN, Players
from tests.ui.real import Program

RACE = games()["race"]

OWN = book(RACE).sets
"""The cards every player has one of."""

GONE = 4.0
"""Seconds for which a card that was not read is taken away: one that was only covered is no second scan."""

OFFERED = 2.0
"""Seconds after which somebody confirms what is offered."""

ANOTHER = 1.1
"""Seconds until the next card: what comes sooner belongs to one gesture, and is only offered."""


class Hands(Protocol):
    """Whoever holds cards to the camera."""

    def hold_up(self, component: str, seat: int | None) -> None:
        """Hold it up."""

    def lower(self) -> None:
        """Take it out of the camera's sight."""

    def put_down(self, component: str, seat: int | None) -> None:
        """Lay it where it belongs."""


class CardPlayers(Players):
    """Bots who show to the camera what has a card of its own, and click the rest."""

    def __init__(self, program: Program, hands: Hands, seed: int) -> None:
        super().__init__(program, RACE, seed)
        self.hands = hands
        self.shown = self.confirmed = 0
        self._lowered: dict[tuple[str, int | None], float] = {}
        self._last_lowered = 0.0

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
        """Whoever places a card in secret takes the screen; an action card tells by itself whose it is."""
        self.at_the_table()
        if component not in OWN or not question.secret:
            self.turn_the_screen_to(question, answer)
        held = (component, answer.seat if component in OWN else None)
        ready = max(self._lowered.get(held, 0.0) + GONE, self._last_lowered + ANOTHER)
        time.sleep(max(0.0, ready - time.monotonic()))
        self.hands.hold_up(component, answer.seat)
        since = time.monotonic()
        while not self.answered():
            if "choice-0" in self.program.shown()["taps"]:
                self._tap_away(f"choice-{self._which(answer, component)}")
            elif time.monotonic() - since > OFFERED and "offer-0" in self.program.shown()["taps"]:
                self.confirmed += 1  # a busy machine gave too few pictures to see who brought it
                self._tap_away("offer-0")
                since = time.monotonic()
            elif time.monotonic() - since > real.AGAIN:
                self.repeated += 1
                assert self.repeated < MOST_AGAIN, f"never read: {component}; shown: {self.program.shown()}"
                self.hands.lower()
                time.sleep(GONE)
                self.hands.hold_up(component, answer.seat)
                since = time.monotonic()
            time.sleep(0.03)
        self.hands.put_down(component, answer.seat)
        self._lowered[held] = self._last_lowered = time.monotonic()
        self.shown += 1

    def _tap_away(self, name: str) -> None:
        """Touch something and wait until it is gone: a second touch would meet what stands there then."""
        with suppress(TimeoutError):
            self.program.tap_until(name, lambda shown: name not in shown["taps"])

    def _which(self, answer: Answer, component: str) -> int:
        """The place of this answer among those the card could mean."""
        meaning = understand(self.session, Sighted(component))
        assert isinstance(meaning, Choose)
        return [meant for meant, _ in meaning.answers].index(answer)
