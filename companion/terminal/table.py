"""Playing at a terminal: questions, names typed instead of scanned, and a few words that work at any time."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from difflib import get_close_matches
from random import Random, SystemRandom

from companion.core.agenda import waited_for
from companion.core.components import Component
from companion.core.counters import Counter
from companion.core.fact_values import ONCE, nothing_drawn, read, written
from companion.core.forms import Form, Number, OneOf, TextLine
from companion.core.play import Play
from companion.core.questions import TOGETHER, Answer, Dice, Option, Question
from companion.core.scans import CameraNews, Choices, Offer
from companion.core.session import Corrected, Paused, Redone, Resumed, Retold, Undone, Went
from companion.core.understand import Choose, Known, Sighted
from companion.core.words import Text, count, plain, say
from companion.errors import Ambiguous, NotNow, PlayerTrouble, Unknown
from companion.results.sheets import print_sheet
from companion.table.proposals import Confirmed, Door, Heed, Outcome, Signal, name_of, news_of
from companion.terminal.asking import meant, short
from companion.terminal.forms import Filling, fact_named, told_value
from companion.terminal.show import Shower, form_hint, listed
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

JUST_ONCE = ("once", "raz")
ROLL = ("roll", "rzuć", "rzut")


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


class TextTable:
    """One play at one terminal. `ask` waits for a line or a card (raising EOFError at the end), `clock` tells the
    time."""

    def __init__(
        self,
        play: Play,
        show: Shower,
        ask: Ask,
        clock: Callable[[], float],
        random: Random | None = None,
    ) -> None:
        self.play = play
        self.random = random or SystemRandom()
        self.show = show
        self.ask = ask
        self.clock = clock
        self._door = Door()
        self._door.enter(play)
        self._last: Question | None = None

    def run(self) -> None:
        """Play to the end, or until the person quits."""
        self.show.say(say("ui.help-exists"), "dim")
        self.show.news(self.play.session.state.news, self.play.session.setup.seats)
        while True:
            session = self.play.session
            self.show.table(session.game.view(session.state), self.show.faces(session))
            if not self.play.session.over:
                self._settle(self._door.asked[0])
            elif self._finished():
                return

    def _finished(self) -> bool:
        """Show the end; false if the person would rather take something back or set it right."""
        session = self.play.session
        print_sheet(session.game.sheet(session.state), self.show.language, self.show.console.file)
        self.show.checklist(say("ui.packing"), session.game.packing(session.setup))
        self.show.say(say("ui.at-the-end"), "dim")
        while self.play.session is session:
            try:
                line = self._typed("> ").strip()
                if not line:
                    return True
                if not self._command(line):
                    raise NotNow(say("core.play-is-over"))
            except PlayerTrouble as trouble:
                self.show.say(trouble.text, "red")
        return False

    def _settle(self, question: Question) -> None:
        """Ask until this question is answered, or something else has changed the table."""
        session = self.play.session
        if question.secret and len(session.setup.seats) > 1 and question.seat is not None:
            self.show.say(say("ui.only-for", seat=session.setup.seats[question.seat]), "magenta")
        self.show.question(question, session.asked(question))
        while self.play.session is session:
            try:
                self._hear(question)
            except PlayerTrouble as trouble:
                self.show.say(trouble.text, "red")
        answered = self._last
        if answered is not None and answered.secret:
            self._hide(answered)
        # after anything else they were told before
        self.show.news(news_of(self.play.session), session.setup.seats)

    def _hide(self, question: Question) -> None:
        """Take a secret answer off the screen before the next person looks."""
        if self.show.console.is_terminal:
            self.show.console.clear()
            self.show.console.file.write("\x1b[3J")  # what was scrolled away must not be scrolled back
        if question.seat is not None and question.seat not in waited_for(self.play.session.state):
            self.show.say(say("ui.ready", seat=self.play.session.setup.seats[question.seat]), "green")

    def _hear(self, question: Question) -> None:
        """Take one card, one line, or what the camera says of itself."""
        if self._seen(self._door.heed(Heed(), self.clock())):
            return
        heard = self.ask("> ")
        if isinstance(heard, str):
            self._line(question, short(heard).strip())
        elif isinstance(heard, Text):
            self.show.say(heard, "yellow")
        else:
            self._seen(self._door.see(heard, self.clock()))

    def _seen(self, coming: Iterator[Outcome]) -> bool:
        """Tell the first thing that came of cards before the camera, if anything did; the rest of them waits."""
        for outcome in coming:
            self._came(outcome)
            secret = outcome.answered is None or outcome.answered.secret
            if isinstance(outcome.signal, Sighted) and not secret:
                self.show.say(say("see.read", name=self._name(outcome.signal.component)), "dim")
            return True
        return False

    def _propose(self, signal: Signal) -> None:
        """Do what this means now; raises the trouble if it means nothing."""
        for outcome in self._door.propose(signal, self.clock()):
            self._came(outcome)

    def _came(self, outcome: Outcome) -> None:
        self._last = outcome.answered
        match outcome.meaning:
            case Known(component):
                self._lies_there(component)
            case Choose(answers):
                self.show.say(say("ui.whose"), "yellow")
                self._say_which(answers)
            case Offer(answers) as offer if answers:
                self.show.say(say("ui.offer"), "yellow")
                self._say_which(answers, at_once=offer.together)
            case _ if outcome.trouble is not None:
                raise outcome.trouble

    def _say_which(self, answers: Choices, *, at_once: bool = False) -> None:
        """Let people say which of these they mean: a number; Enter confirms all of them, or else none."""
        seats, secret = (
            self.play.session.setup.seats,
            {(q.seat, q.slug) for q in self._door.asked if q.secret},
        )
        for n, (answer, option) in enumerate(answers, 1):
            card = say("ui.a-card") if (answer.seat, answer.slug) in secret else option.text
            who = "" if answer.seat is None else f"{seats[answer.seat]}: "
            self.show.say(plain(f"{n}  {who}{self.show.words(card)}"))
        self.show.say(say("ui.offer-all" if at_once else "ui.offer-none"), "dim")
        line = self._typed("> ").strip()
        wanted = whole(line) if line else None
        if wanted is not None and 1 <= wanted <= len(answers):
            self._propose(answers[wanted - 1][0])
        elif not line and at_once:
            self._propose(Confirmed(tuple(answer for answer, _ in answers)))
        elif line:
            raise Unknown(count("ui.no-such-number", len(answers), number=line[:20]))

    def _typed(self, prompt: str) -> str:
        """The next line, whatever comes before the camera meanwhile."""
        while not isinstance(heard := self.ask(prompt), str):
            if isinstance(heard, Text):
                self.show.say(heard, "yellow")
        return short(heard)

    def _line(self, question: Question, line: str) -> None:
        if not self._command(line):
            chosen = self._chosen(question, line)
            named = None if chosen is None else Answer(question.seat, question.slug, chosen)
            self._propose(named or self._card(question, line))

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

    def _chosen(self, question: Question, line: str) -> str | None:
        """What a line means: what is told into a form, faces of dice, or an option; none if its words are none's."""
        if question.form is not None:
            return self._fact(question, question.form, line)
        thrown = None if question.dice is None else self._thrown(question.dice, line)
        if thrown is not None:
            return thrown
        option = self._option(question, line)
        return None if option is None else option.id

    def _fact(self, question: Question, form: Form, line: str) -> str | None:
        """What a card says, perhaps meant just this once."""
        word, _, rest = line.partition(" ")
        once = fold(word) in map(fold, JUST_ONCE)
        told = self._told(question, form, rest.strip() if once else line)
        return ONCE + told if once and told is not None else told

    def _told(self, question: Question, form: Form, line: str) -> str | None:
        """What a line tells into a form; where a line is not enough, Enter begins to ask for its parts."""
        if isinstance(form, OneOf):
            option = self._option(question, line)
            return None if option is None else option.id
        if line:
            answer = written(form, line) if isinstance(form, TextLine) else line
            told = read(form, answer)
            if told is None:
                raise Unknown(form_hint(form))
            if nothing_drawn(form, told[0]):
                raise Unknown(say("ui.form-cannot", value=line, why=count("core.form.too-few", 1)))
            return answer
        if isinstance(form, Number | TextLine):
            raise NotNow(say("core.no-default", question=self.play.session.asked(question)))
        means = self.play.session.game.means
        filling = Filling(self._answered, lambda text: self.show.say(text, "cyan"), self.show.language, means)
        return written(form, filling.fill(form, question.text))

    def _answered(self, text: Text) -> str:
        self.show.say(text)
        return self._typed("> ")

    def _thrown(self, dice: Dice, line: str) -> str | None:
        """Faces as they are typed, "6 3 1" or "631", or as chance decides; none if the line tells no faces."""
        if fold(line) in map(fold, ROLL):
            return dice.thrown(self.random)
        told = tuple(re.findall(r"\w", line))
        if not told or not set(told) <= set(dice.faces):
            return None
        if len(told) > dice.n:
            raise Unknown(count("ui.too-many-dice", dice.n))
        return TOGETHER.join(told)

    def _option(self, question: Question, line: str) -> Option | None:
        """The option a line means: Enter is the default, a number an option, or its words."""
        if not line:
            if question.default is None:
                raise NotNow(say("core.no-default", question=self.play.session.asked(question)))
            return question.default
        if line.isdecimal():
            shown, wanted = listed(question), whole(line)
            if wanted is None or not 1 <= wanted <= shown:
                raise Unknown(count("ui.no-such-number", shown, number=line[:20]))
            return question.options[wanted - 1]
        return self._named(question, line)

    def _named(self, question: Question, line: str) -> Option | None:
        """The option whose words these are."""
        wanted = fold(line)
        texts = {o.id: fold(self.show.words(o.text)) for o in question.options}
        for fits in (
            [o for o in question.options if texts[o.id] == wanted],
            [o for o in question.options if re.search(rf"\b{re.escape(wanted)}", texts[o.id])],
        ):
            if len(fits) == 1:
                return fits[0]
            if fits:
                names = tuple(option.text for option in fits[:8])
                text = count("core.several-components", len(fits), words=line, names=names)
                raise Ambiguous(text, tuple(option.id for option in fits))
        return None

    def _card(self, question: Question, line: str) -> Sighted:
        """The card these words name, as if it were scanned."""
        try:
            component: Component = self.play.session.catalogue.find(line)
        except Unknown:
            near = nearest(line)
            if near is None:
                raise
            raise Unknown(say("ui.did-you-mean", words=line[:20], command=near)) from None
        return Sighted(component.id, question.seat)

    def _lies_there(self, component: str) -> None:
        self.show.say(say("ui.lies-there", name=self._name(component)), "dim")

    def _name(self, component: str) -> Text:
        return name_of(self.play.session, component)

    # Words that work at any time

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
            raise Unknown(say("ui.how-to-fix"))
        found = self._counters(fold(words).split())
        if not found:
            self._retell(words.strip(), given.strip())
            return
        if len(found) > 1:
            names = tuple(c.text for c in found[:8])
            text = count("core.several-components", len(found), words=words.strip(), names=names)
            raise Ambiguous(text, tuple(c.id for c in found))
        self._propose(Corrected(found[0].id, self._value(found[0], given.strip())))
        self.show.say(self.play.session.sentence(len(self.play.session.moments) - 1), "green")

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
        if not counter.names:
            value = whole(given)
            if value is None:
                raise Unknown(say("ui.how-to-fix"))
            return value
        value = meant(counter, given, self.show.language)
        if value is None:
            names = tuple(name for _, name in counter.names)
            raise Unknown(say("core.counter-names", counter=counter.text, value=given[:40], names=names))
        return value

    def _counters(self, wanted: list[str]) -> list[Counter]:
        """The counters whose names are these words, or have them all, whole ones if possible: Ania is not Hania."""
        named = [(c, fold(self.show.words(c.text))) for c in self.play.session.counters()]
        words = [(c, set(re.findall(r"[\w']+", name))) for c, name in named]
        exact = [c for c, parts in words if set(wanted) == parts]
        whole = [c for c, parts in words if set(wanted) <= parts]
        return exact or whole or [c for c, name in named if all(word in name for word in wanted)]

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

    def _list(self, rest: str) -> None:
        """What is asked, with every option, once more."""
        question = self._door.asked[0]
        self.show.question(question, self.play.session.asked(question))

    def _help(self, rest: str) -> None:
        self.show.say(say("ui.help"))

    def _quit(self, rest: str) -> None:
        raise Quit
