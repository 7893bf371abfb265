"""The words that work at any question: take back, set right, see, leave."""

from __future__ import annotations

import re
from collections.abc import Callable
from difflib import get_close_matches

from companion.core.counters import Counter
from companion.core.play import Play
from companion.core.scans import CameraNews
from companion.core.session import Corrected, Paused, Redone, Resumed, Retold, Undone, Went
from companion.core.words import Text, count, plain, say
from companion.errors import Ambiguous, Unknown
from companion.results.sheets import print_sheet
from companion.table.proposals import Signal
from companion.terminal.asking import meant
from companion.terminal.fixing import counters_named, examples
from companion.terminal.forms import fact_named, told_value
from companion.terminal.show import Shower
from companion.texts import fold

COMMANDS = {
    "undo": ("undo", "u", "cofnij", "c"),
    "redo": ("redo", "r", "ponów"),
    "fix": ("fix", "popraw"),
    "pause": ("pause", "pauza"),
    "score": ("score", "wynik"),
    "history": ("history", "historia"),
    "clock": ("clock", "czas"),
    "map": ("map", "mapa"),
    "list": ("list", "options", "lista", "opcje"),
    "help": ("help", "?", "pomoc"),
    "away": ("away", "wyszedł", "wyszła"),
    "back": ("back", "wrócił", "wróciła"),
    "quit": ("quit", "q", "koniec", "wyjdź"),
}
ALIKE = 0.7
"""From this likeness on a word is taken for a slip of the finger."""


def whole(words: str) -> int | None:
    """The whole number these words are; no sensible number has more than nine digits."""
    return int(words) if re.fullmatch(r"\s*-?[0-9]{1,9}\s*", words) else None


def nearest(line: str) -> str | None:
    """The word that works at any time and that somebody most likely meant to type."""
    words = {fold(word): word for words in COMMANDS.values() for word in words if len(word) > 2}
    near = get_close_matches(fold(line.partition(" ")[0]), words, n=1, cutoff=ALIKE)
    return words[near[0]] if near else None


Heard = str | Text | CameraNews
"""A line; or what a camera has to say about itself; or what cards did before it."""
Ask = Callable[[str], Heard]


class Quit(Exception):
    """The person wants to stop; the play is in the journal."""


class AnyTime:
    """What a table of text does at any time; how it asks, and hands on what is done, is the table's own."""

    play: Play
    show: Shower
    clock: Callable[[], float]

    def _propose(self, signal: Signal) -> None:
        raise NotImplementedError

    def _typed(self, prompt: str) -> str:
        raise NotImplementedError

    def _list(self, rest: str) -> None:
        raise NotImplementedError

    def _command(self, line: str) -> bool:
        """Do what a word that works at any time says; false if it is no such word."""
        word, _, rest = line.partition(" ")
        for command, words in COMMANDS.items():
            if fold(word) in map(fold, words) and (
                not rest or command in ("fix", "undo", "redo", "away", "back")
            ):
                getattr(self, f"_{command}")(rest)
                return True
        return False

    def _undo(self, rest: str) -> None:
        steps, story = self._steps(rest), self.play.session.story()
        self._propose(Undone(steps))
        for sentence in story[len(story) - steps :]:
            self.show.say(say("ui.takes-back", what=sentence), "yellow")

    def _redo(self, rest: str) -> None:
        self._propose(Redone(self._steps(rest)))

    def _steps(self, rest: str) -> int:
        steps = whole(rest) if rest else 1
        if steps is None:
            raise Unknown(say("ui.how-many", words=rest[:20]))
        return steps

    def _fix(self, rest: str) -> None:
        """`fix words = value`: the counter these words name."""
        words, equals, given = rest.rpartition("=")
        if not equals or not given.strip():
            raise Unknown(self._how_to_fix())
        found = counters_named(self.play.session, words, self.show.language)
        if not found or not words.strip():
            self._retell(words.strip(), given.strip())
            return
        if len(found) > 1:
            names = tuple(c.text for c in found[:8])
            text = count("core.several-components", len(found), words=words.strip(), names=names)
            raise Ambiguous(text, tuple(c.id for c in found))
        self._propose(Corrected(found[0].id, self._value(found[0], given.strip())))
        self.show.say(self.play.session.sentence(len(self.play.session.moments) - 1), "green")

    def _how_to_fix(self) -> Text:
        """How something is set right, by examples of this very table."""
        shown = examples(self.play.session, self.show.language)
        if not shown:
            return say("ui.nothing-to-fix")
        word = say("ui.word-fix")
        return say(
            "ui.how-to-fix", examples=tuple(say("ui.fix-example", fix=word, what=one) for one in shown)
        )

    def _retell(self, words: str, given: str) -> None:
        """What a card says: the field these words name after the card's name."""
        session, language = self.play.session, self.show.language
        found = fact_named(session, words, language)
        if found is None:
            raise Unknown(say("core.unknown-counter", id=words))
        component, field, form = found
        self._propose(Retold(f"{component.id}.{field}", told_value(form, given, language)))
        self.show.say(self.play.session.sentence(len(self.play.session.moments) - 1), "green")

    def _value(self, counter: Counter, given: str) -> int:
        """What these words set a counter to: one of its names, or a number."""
        value = (
            meant(counter, given, self.show.language) if counter.names or counter.is_switch else whole(given)
        )
        if value is not None:
            return value
        if not counter.names:
            raise Unknown(self._how_to_fix())
        names = tuple(name for _, name in counter.names)
        raise Unknown(say("core.counter-names", counter=counter.text, value=given[:40], names=names))

    def _pause(self, rest: str) -> None:
        self._propose(Paused())
        self._typed(self.show.words(say("ui.paused")))
        self._propose(Resumed())

    def _away(self, rest: str) -> None:
        self._propose(Went(self._seat(rest)))
        self.show.say(say("ui.went", seat=self.play.session.setup.seats[self._seat(rest)]), "green")

    def _back(self, rest: str) -> None:
        self._propose(Went(self._seat(rest), away=False))
        self.show.say(say("ui.came-back", seat=self.play.session.setup.seats[self._seat(rest)]), "green")

    def _seat(self, words: str) -> int:
        """Whose name this is."""
        names = [fold(name) for name in self.play.session.setup.seats]
        if fold(words.strip()) not in names:
            raise Unknown(
                say(
                    "ui.who-is-that", words=words[:40], names=tuple(map(plain, self.play.session.setup.seats))
                )
            )
        return names.index(fold(words.strip()))

    def _score(self, rest: str) -> None:
        session = self.play.session
        sheet = session.game.sheet(session.state)
        print_sheet(sheet, self.show.language, self.show.console.file, final=False)

    def _history(self, rest: str) -> None:
        self.show.history(self.play.session)

    def _map(self, rest: str) -> None:
        session = self.play.session
        self.show.map(session.game.view(session.state), session.setup.seats)

    def _clock(self, rest: str) -> None:
        self.show.clocks(self.play.session, self.clock())

    def _help(self, rest: str) -> None:
        self.show.say(say("ui.help", fixing=self._how_to_fix()))

    def _quit(self, rest: str) -> None:
        raise Quit
