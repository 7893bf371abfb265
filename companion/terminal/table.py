"""Playing at a terminal: questions, names typed instead of scanned, and a few commands that work at any time."""

from __future__ import annotations

import re
from argparse import Namespace
from collections.abc import Callable, Iterator
from random import Random, SystemRandom

import msgspec

from companion.core.agenda import waited_for
from companion.core.components import Component
from companion.core.entries import Corrected
from companion.core.fact_values import ONCE, nothing_drawn, read, written
from companion.core.forms import Form, Number, OneOf, SeveralOf, Switch, TextLine
from companion.core.new_components import as_offered, naming, unnamed
from companion.core.play import Play
from companion.core.questions import LATER, TOGETHER, Answer, Dice, Option, Question
from companion.core.scans import Choices, Offer
from companion.core.understand import Choose, Known, Sighted
from companion.core.words import Text, count, plain, say
from companion.errors import Ambiguous, DataTrouble, NotNow, PlayerTrouble, Unknown
from companion.results.score_only import variants
from companion.results.sheets import print_sheet
from companion.table.signal_intake import SignalIntake, name_of, news_of
from companion.table.signals import Confirmed, Outcome, Proposal, ScanMode
from companion.terminal.afterwards import tell_afterwards
from companion.terminal.any_time_commands import COMMANDS, AnyTimeCommands, AskLine, Quit, nearest, whole
from companion.terminal.asking import is_numeral, numbered, picked, short, spoken
from companion.terminal.choosing import counted, misspelt, named_option, numbered_option, several_picks
from companion.terminal.forms import Filling, against, filled, says_yes, told_at_once
from companion.terminal.show import Shower, form_hint
from companion.texts import fold, render

NEXT = ("next", "more", "dalej", "wiecej")
LATER_WORDS = ("later", "pozniej")
JUST_ONCE = ("once", "raz")
ROLL = ("roll", "rzuć", "rzut")


class TextTable(AnyTimeCommands):
    """One play at one terminal. `ask` waits for a line or a card and raises EOFError at the end of input;
    `clock` gives the time; `changed` is called when the play has changed."""

    def __init__(
        self,
        play: Play,
        show: Shower,
        ask: AskLine,
        clock: Callable[[], float],
        random: Random | None = None,
        changed: Callable[[], None] = lambda: None,
        keep_reminders: Callable[[dict[str, str]], None] = lambda off: None,
    ) -> None:
        self.play = play
        self.keep_reminders = keep_reminders
        self.random = random or SystemRandom()
        self.show = show
        self.ask = ask
        self.clock = clock
        self._changed = changed
        self._intake = SignalIntake()
        self._intake.enter(play)
        self._last: Question | None = None
        self._page = 0
        self._offered: dict[str, tuple[Text, Option]] = {}
        """The options offered so far at this terminal, by their words in every language, and the question
        each belongs to."""

    def run(self) -> None:
        """Play to the end, or until the person quits."""
        self.show.say(say("ui.help-exists"), "dim")
        self.show.news(self.play.session.state.news, self.play.session.setup.seats)
        while True:
            session = self.play.session
            self._changed()
            self.show.table(session.game.view(session.state), self.show.faces(session))
            if not self.play.session.over:
                self._settle(self._shown())
            elif self._finished():
                return

    def _shown(self) -> Question:
        """The first open question, as it is shown to people."""
        return as_offered(self.play.session, self._intake.asked[0])

    def _finished(self) -> bool:
        """Show the final result; false if the person undoes or corrects something instead."""
        session = self.play.session
        sheet = session.game.sheet(session.state)
        print_sheet(sheet, self.show.language, self.show.console.file)
        tell_afterwards(self.show, session, sheet)
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
        """Ask until this question is answered, or the table has changed in another way."""
        session = self.play.session
        if question.secret and len(session.setup.seats) > 1 and question.seat is not None:
            self.show.say(say("ui.only-for", seat=session.setup.seats[question.seat]), "magenta")
        self._page = 0
        self._remember(question)
        self.show.question(question, session.asked(question), session)
        while self.play.session is session:
            try:
                self._hear(question)
            except PlayerTrouble as trouble:
                self.show.say(trouble.text, "red")
        answered = self._last
        if answered is not None and answered.secret:
            self._hide(answered)
        # after every other message
        self.show.news(news_of(self.play.session), session.setup.seats)

    def _hide(self, question: Question) -> None:
        """Take a secret answer off the screen before the next person looks."""
        if self.show.console.is_terminal:
            self.show.console.clear()
            self.show.console.file.write("\x1b[3J")  # clears the scrollback too
        if question.seat is not None and question.seat not in waited_for(self.play.session.state):
            self.show.say(say("ui.ready", seat=self.play.session.setup.seats[question.seat]), "green")

    def _hear(self, question: Question) -> None:
        """Take one card, one line, or one piece of news about the camera."""
        if self._seen(self._intake.set_scan_mode(ScanMode(), self.clock())):
            return
        heard = self.ask("> ")
        if isinstance(heard, str):
            self._line(question, short(heard).strip())
        elif isinstance(heard, Text):
            self.show.say(heard, "yellow")
        else:
            self._seen(self._intake.see(heard, self.clock()))

    def _seen(self, coming: Iterator[Outcome]) -> bool:
        """Show the first outcome of cards shown to the camera, if there is one; the rest waits."""
        for outcome in coming:
            self._tell_outcome(outcome)
            secret = outcome.answered is None or outcome.answered.secret
            if isinstance(outcome.signal, Sighted) and not secret:
                self.show.say(say("see.read", name=self._name(outcome.signal.component)), "dim")
            return True
        return False

    def _propose(self, signal: Proposal) -> None:
        """Do what this signal means now; raises the reason if it means nothing."""
        for outcome in self._intake.propose(signal, self.clock()):
            self._tell_outcome(outcome)

    def _tell_outcome(self, outcome: Outcome) -> None:
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
        """Ask which of these answers is meant, by number; Enter confirms all of them, or none."""
        seats, secret = (
            self.play.session.setup.seats,
            {(q.seat, q.slug) for q in self._intake.asked if q.secret},
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
        """Wait for the next line; camera news meanwhile do not count as one."""
        while not isinstance(heard := self.ask(prompt), str):
            if isinstance(heard, Text):
                self.show.say(heard, "yellow")
        return short(heard)

    def _line(self, question: Question, line: str) -> None:
        if fold(line) in NEXT:
            self._page += 1
            self._ask_again(question)
        elif self._command(line):
            return
        elif (told := counted(question, line, self.play.session, self.show.language)) is not None:
            self._count(question, *told)
        elif picks := several_picks(question, line, self.show.language):
            self._pick(question, picks)
        else:
            chosen = self._chosen(question, line)
            if chosen is not None:
                self._name_new(question, chosen)
                self._propose(Answer(question.seat, question.slug, chosen))
            elif (card := self._card(question, line)) is not None:
                self._propose(card)

    def _count(self, question: Question, counter: str, amount: int) -> None:
        """Count by the question's own answer if it has one for this amount, else correct the counter."""
        option = next((one for one in question.options if one.changes == (counter, amount)), None)
        if option is not None:
            self._propose(Answer(question.seat, question.slug, option.id))
            return
        now = next(one for one in self.play.session.counters() if one.id == counter)
        self._propose(Corrected(counter, now.value + amount))

    def _name_new(self, question: Question, chosen: str) -> None:
        """Ask for the name of a new component, or how to recognise it; Enter leaves that open."""
        option, session = question.option(chosen), self.play.session
        if option is None or option.new is None or not session.catalogue[option.new].prints_name:
            return
        self.show.say(say("ui.name-tile-typed"), "yellow")
        if name := " ".join(self._typed("> ").split()):
            self._propose(naming(option.new, name, self.show.language))

    def _pick(self, question: Question, picks: list[str]) -> None:
        """Give several answers to a question that is asked several times, as long as each is still offered."""
        for n, pick in enumerate(picks):
            now = next(iter(self._intake.asked), None) if n else None
            if n and (now is None or not now.picks_on(question, pick)):
                left = (option.text for id in picks[n:] if (option := question.option(id)) is not None)
                raise NotNow(say("ui.not-picked", names=tuple(left)))
            if n:  # what the last one leads to is shown afterwards
                self.show.news(news_of(self.play.session), self.play.session.setup.seats)
            self._propose(Answer(question.seat, question.slug, pick))

    def _ask_again(self, question: Question) -> None:
        self.show.question(question, self.play.session.asked(question), self.play.session, self._page)

    def _remember(self, question: Question) -> None:
        """Remember the options offered now, so that people who ask for one later are told when it is available."""
        for option in question.options:
            if not is_numeral(option.text):
                for name in spoken(option.text, self.show.language):
                    self._offered[name] = (question.text, option)

    def _chosen(self, question: Question, line: str) -> str | None:
        """The answer a line means: a form's value, faces of dice, or an option; None if it matches nothing.
        Enter begins to ask for a finished table."""
        if question.finished is not None and not line:
            return self._finished_table(question.finished)
        if question.form is not None:
            return self._fact(question, question.form, line)
        thrown = None if question.dice is None else self._thrown(question.dice, line)
        if thrown is not None:
            return thrown
        option = self._option(question, line)
        return None if option is None else option.id

    def _finished_table(self, known: dict[str, int]) -> str:
        """The finished table as typed, for the scorer; raises `Unknown` with what is wrong with it."""
        from companion.terminal.told_position import told_position  # a play without a camera needs no OpenCV

        session = self.play.session
        options = Namespace(
            game=session.game.id,
            seats=",".join(session.setup.seats),
            sweep=None,
            zone=None,
            language=self.show.language,
        )
        matter = {variant.id for variant in variants(session.game)}
        choices = {id: value for id, value in session.setup.choices.items() if id in matter}
        try:
            told = told_position(options, choices, lambda _: session.state.taught, known)
        except DataTrouble as trouble:
            raise Unknown(trouble.problems[0] if trouble.problems else trouble.text) from trouble
        return msgspec.json.encode(told).decode()

    def _fact(self, question: Question, form: Form, line: str) -> str | None:
        """The value of a fact on a card, possibly for this once only."""
        if question.later is not None and fold(line) in (
            *LATER_WORDS,
            *spoken(question.later, self.show.language),
        ):
            return LATER
        word, _, rest = line.partition(" ")
        once = fold(word) in map(fold, JUST_ONCE)
        told = self._told(question, form, rest.strip() if once else line)
        return ONCE + told if once and told is not None else told

    def _told(self, question: Question, form: Form, line: str) -> str | None:
        """The value a line gives for a form; if one line is not enough, Enter starts asking for its parts."""
        if isinstance(form, OneOf):
            option = self._option(question, line)
            return None if option is None else option.id
        if line:
            return self._told_in_a_line(question, form, line)
        if isinstance(form, SeveralOf):
            return self._told_in_a_line(question, form, written(form, []))
        if isinstance(form, Number | TextLine | Switch):
            raise NotNow(say("core.no-default", question=self.play.session.asked(question)))
        means = self.play.session.game.means
        filling = Filling(self._answered, lambda text: self.show.say(text, "cyan"), self.show.language, means)
        return written(form, filled(filling, self.play.session, question))

    def _told_in_a_line(self, question: Question, form: Form, line: str) -> str:
        """The value of a whole form from one line: numbers and words if these are enough, otherwise JSON."""
        answer = written(form, line) if isinstance(form, TextLine) else line
        told = read(form, answer)
        if told is None:
            try:
                told = (told_at_once(form, line, self.show.language),)
            except Unknown:
                raise Unknown(form_hint(form)) from None
            answer = written(form, told[0])
        if nothing_drawn(form, told[0]):
            raise Unknown(say("ui.form-cannot", value=line, why=count("core.form.too-few", 1)))
        if wrong := against(self.play.session, question, told[0]):
            raise Unknown(wrong)
        return answer

    def _answered(self, text: Text) -> str:
        self.show.say(text)
        line = self._typed("> ")
        if fold(line.strip()) in map(fold, COMMANDS["quit"]) and len(line.strip()) > 1:
            raise Quit
        return line

    def _thrown(self, dice: Dice, line: str) -> str | None:
        """Dice faces as typed, "6 3 1" or "631", or thrown at random; None if the line gives no faces."""
        if fold(line) in map(fold, ROLL):
            return dice.thrown(self.random)
        told = tuple(re.findall(r"\w", line))
        if not told or not set(told) <= set(dice.faces):
            return None
        if len(told) > dice.n:
            raise Unknown(count("ui.too-many-dice", dice.n))
        return TOGETHER.join(told)

    def _option(self, question: Question, line: str) -> Option | None:
        """The option a line means: Enter is the default, a number is the option's number, words are its name."""
        if not line:
            if question.default is None:
                raise NotNow(say("core.no-default", question=self.play.session.asked(question)))
            return question.default
        if line.isdecimal():
            return numbered_option(question, line)
        return named_option(question, line, self.show.language)

    def _card(self, question: Question, line: str) -> Sighted | None:
        """The card these words name, as if it were scanned; None if somebody began to name a new card and
        stopped.

        Raises the reason why the words mean nothing now. Yes and no are never a card's name, nor the
        beginning of one.
        """
        if says_yes(line, self.show.language) is not None:
            raise Unknown(say("ui.no-yes-or-no", question=self.play.session.asked(question)))
        try:
            component: Component = self.play.session.catalogue.find(line)
        except Unknown as unknown:
            return self._begun(question, line, unknown)
        except Ambiguous as several:
            return Sighted(self._one_of(several, question), question.seat)
        return Sighted(component.id, question.seat)

    def _one_of(self, several: Ambiguous, question: Question) -> str:
        """The offered one of several components that are called the same, or the first; raises if names differ."""
        box, language = self.play.session.catalogue, self.show.language
        if len({render(box[id].called, language) for id in several.choices}) > 1:
            raise several
        offered = (option.component for option in question.options if option.component in several.choices)
        return next(offered, None) or several.choices[0]

    def _begun(self, question: Question, line: str, unknown: Unknown) -> Sighted | None:
        """A new component with these words as its name, if that is what people want; otherwise raises why not."""
        session, language = self.play.session, self.show.language
        if fold(line) in self._offered:
            where, option = self._offered[fold(line)]
            if option.component is not None:  # the rule itself says why it cannot be meant now
                return Sighted(option.component, question.seat)
            raise NotNow(say("ui.offered-elsewhere", words=line[:40], question=where)) from None
        if (phase := self._phase(line)) is not None:
            raise NotNow(say("ui.another-phase", phase=phase)) from None
        if (near := misspelt((o.text for o in question.options), line, language)) is not None:
            raise Unknown(say("ui.did-you-mean", words=line[:40], command=near)) from None
        slots = unnamed(session, question, line)
        if not slots:
            if (word := nearest(line)) is not None:
                raise Unknown(say("ui.did-you-mean", words=line[:20], command=word)) from None
            raise unknown
        sorts = numbered(sort for _, sort in slots) if len(slots) > 1 else (slots[0][1],)
        self.show.say(say("ui.new-one", words=line, sorts=sorts), "yellow")
        said = self._typed("> ").strip()
        yes = says_yes(said, language)
        if yes is False:
            return None
        slot = slots[0][0] if yes and len(slots) == 1 else picked(slots, said, language)
        self._propose(naming(slot, line, language))
        return Sighted(slot, question.seat)

    def _phase(self, line: str) -> Text | None:
        """The phase these words name: its whole name or one word of it."""
        wanted, session = fold(line), self.play.session
        for phase in session.game.view(session.state).phases:
            if any(
                wanted == name or wanted in name.split() for name in spoken(phase.text, self.show.language)
            ):
                return phase.text
        return None

    def _lies_there(self, component: str) -> None:
        self.show.say(say("ui.lies-there", name=self._name(component)), "dim")

    def _name(self, component: str) -> Text:
        return name_of(self.play.session, component)

    def _list(self, rest: str) -> None:
        """Print the question again, from its first page of options."""
        self._page = 0
        self._ask_again(self._shown())
