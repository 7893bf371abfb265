"""Commands that work at any question: undo, fix, show, quit and so on."""

from __future__ import annotations

import re
from collections.abc import Callable
from difflib import get_close_matches

from companion.core.components import NAME_FIELDS, Component
from companion.core.counters import Correctable
from companion.core.entries import (
    Corrected,
    FactCorrected,
    Lightened,
    Paused,
    Redone,
    Resumed,
    SeatLeft,
    Undone,
)
from companion.core.flow.game import shipped_flow
from companion.core.help import help_with, reason_against, reminder
from companion.core.play import Play
from companion.core.questions import Question
from companion.core.scans import CameraNews
from companion.core.words import Text, count, plain, say
from companion.errors import Ambiguous, NotNow, Unknown
from companion.results.sheets import print_sheet
from companion.table.signals import Proposal
from companion.terminal.asking import meant
from companion.terminal.fixing import counters_named, examples
from companion.terminal.forms import fact_named, says_yes, told_value
from companion.terminal.show import Shower
from companion.texts import fold

COMMANDS = {
    "undo": ("undo", "u", "cofnij", "c"),
    "redo": ("redo", "r", "ponów"),
    "fix": ("fix", "popraw"),
    "pause": ("pause", "pauza"),
    "light": ("light", "lżej"),
    "score": ("score", "wynik"),
    "history": ("history", "historia"),
    "clock": ("clock", "czas"),
    "map": ("map", "mapa"),
    "why": ("why", "rule", "card", "dlaczego", "zasada", "karta"),
    "remind": ("remind", "przypomnij"),
    "list": ("list", "options", "lista", "opcje"),
    "help": ("help", "?", "pomoc"),
    "away": ("away", "wyszedł", "wyszła"),
    "back": ("back", "wrócił", "wróciła"),
    "quit": ("quit", "q", "koniec", "wyjdź"),
}
ALIKE = 0.7
"""Minimum similarity at which a word counts as a typing mistake."""


def whole(words: str) -> int | None:
    """The whole number these words spell, if any; numbers of more than nine digits are rejected."""
    return int(words) if re.fullmatch(r"\s*-?[0-9]{1,9}\s*", words) else None


def nearest(line: str) -> str | None:
    """The any-time command that a mistyped line most resembles, if any."""
    words = {fold(word): word for words in COMMANDS.values() for word in words if len(word) > 2}
    near = get_close_matches(fold(line.partition(" ")[0]), words, n=1, cutoff=ALIKE)
    return words[near[0]] if near else None


Heard = str | Text | CameraNews
"""A typed line, a message about the camera itself, or what happened to cards in its picture."""
AskLine = Callable[[str], Heard]


class Quit(Exception):
    """The person wants to stop; the play is saved in the journal."""


class AnyTimeCommands:
    """The commands available at any time; subclasses decide how to ask and where to send what is done."""

    play: Play
    show: Shower
    clock: Callable[[], float]
    keep_reminders: Callable[[dict[str, str]], None]
    """Saves which reminders are off."""

    def _propose(self, signal: Proposal) -> None:
        raise NotImplementedError

    def _typed(self, prompt: str) -> str:
        raise NotImplementedError

    def _list(self, rest: str) -> None:
        raise NotImplementedError

    def _shown(self) -> Question:
        raise NotImplementedError

    def _command(self, line: str) -> bool:
        """Run a line if it is an any-time command; false if it is not."""
        word, _, rest = line.partition(" ")
        for command, words in COMMANDS.items():
            if fold(word) in map(fold, words) and (
                not rest or command in ("fix", "undo", "redo", "away", "back", "why", "remind")
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
        """`fix words = value`: set the counter that these words name."""
        words, equals, given = rest.rpartition("=")
        if not equals or not given.strip():
            raise Unknown(self._how_to_fix())
        found = counters_named(self.play.session, words, self.show.language)
        if not found or not words.strip():
            self._correct_fact(words.strip(), given.strip())
            return
        if len(found) > 1:
            names = tuple(c.text for c in found[:8])
            text = count("core.several-components", len(found), words=words.strip(), names=names)
            raise Ambiguous(text, tuple(c.id for c in found))
        self._propose(Corrected(found[0].id, self._value(found[0], given.strip())))
        self.show.say(self.play.session.sentence(len(self.play.session.moments) - 1), "green")

    def _how_to_fix(self) -> Text:
        """How to use `fix`, with examples from the current table."""
        shown = examples(self.play.session, self.show.language)
        if not shown:
            return say("ui.nothing-to-fix")
        word = say("ui.word-fix")
        return say(
            "ui.how-to-fix", examples=tuple(say("ui.fix-example", fix=word, what=one) for one in shown)
        )

    def _correct_fact(self, words: str, given: str) -> None:
        """Correct a fact of a card: the words are the card's name followed by the field's."""
        session, language = self.play.session, self.show.language
        found = fact_named(session, words, language)
        if found is None:
            raise Unknown(say("ui.fix-unknown", words=words[:40], how=self._how_to_fix()))
        component, field, form = found
        self._propose(FactCorrected(f"{component.id}.{field}", told_value(form, given, language)))
        self.show.say(self.play.session.sentence(len(self.play.session.moments) - 1), "green")

    def _value(self, counter: Correctable, given: str) -> int:
        """The value these words set a counter to: one of its named values, or a number."""
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

    def _light(self, rest: str) -> None:
        """Go on with turns and pools only, once the person has agreed: only undo leads back."""
        game = self.play.session.game
        flow = shipped_flow(game.id) if game.light is not None else None
        if flow is None:
            raise NotNow(say("flow.cannot-lighten"))
        self.show.say(say("ui.lighten-ask"), "cyan")
        self.show.say(say("ui.lighten-why"))
        if says_yes(self._typed("> "), self.show.language):
            self._propose(Lightened(flow))

    def _away(self, rest: str) -> None:
        self._propose(SeatLeft(self._seat(rest)))
        self.show.say(say("ui.went", seat=self.play.session.setup.seats[self._seat(rest)]), "green")

    def _back(self, rest: str) -> None:
        self._propose(SeatLeft(self._seat(rest), away=False))
        self.show.say(say("ui.came-back", seat=self.play.session.setup.seats[self._seat(rest)]), "green")

    def _seat(self, words: str) -> int:
        """The seat with this name."""
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

    def _why(self, rest: str) -> None:
        """`why`: the rule behind the question; `why CARD`: what it does and why it may not be chosen."""
        if rest:
            self._told_of(self.play.session.catalogue.find(rest))
            return
        found = help_with(self.play.session, self._shown())
        self.show.say(found.rule)
        if found.source is not None:
            self.show.say(found.source, "dim")
        for refusal in found.refusals:
            self.show.say(say("ui.help-refusal", names=refusal.names, why=refusal.reason), "dim")

    def _told_of(self, component: Component) -> None:
        """What is printed on a component, and why it may not be chosen now."""
        session = self.play.session
        self.show.say(component.called, "bold")
        for row in session.game.rows(component):
            if row.values and row.field not in NAME_FIELDS:
                self.show.say(say("ui.fact-shown", field=row.text, values=row.values))
        reason = None if session.over else reason_against(session, component.id, self._shown().seat)
        if reason is not None:
            self.show.say(say("ui.help-not-now", why=reason), "yellow")

    def _remind(self, rest: str) -> None:
        """`remind`: the reminders of now and those switched off, numbered; `remind N` switches one off or on."""
        notes = (*self._shown().notes, *self.play.session.view.notes)
        known = {**self.show.reminders_off, **{reminder(note): self.show.words(note) for note in notes}}
        if rest:
            n = whole(rest)
            if n is None or not 1 <= n <= len(known):
                raise Unknown(say("ui.how-many", words=rest[:20]))
            chosen = list(known.items())[n - 1]
            off = dict(self.show.reminders_off)
            if off.pop(chosen[0], None) is None:
                off[chosen[0]] = chosen[1]
            self.show.reminders_off = off
            self.keep_reminders(off)
        for n, (id, words) in enumerate(known.items(), 1):
            key = "ui.reminder-off" if id in self.show.reminders_off else "ui.reminder-on"
            self.show.say(say(key, n=n, words=words))

    def _quit(self, rest: str) -> None:
        raise Quit
