"""Draws views, news, questions and lists with rich."""

from __future__ import annotations

from collections.abc import Callable

from rich.console import Console, Group, RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text as Styled

from companion.core.forms import Form, Number, OneOf, Record, SeveralOf, Switch, TextLine
from companion.core.help import wanted
from companion.core.questions import Option, Question
from companion.core.session import Session
from companion.core.views import Gauge, MapView, Meter, PhaseView, SeatView, Shown, Tense, View
from companion.core.words import News, Text, count, of_seat, plain, say
from companion.drawing.text import face_in_words, face_line, in_words
from companion.terminal.asking import is_numeral
from companion.terminal.choosing import counted_as, counts_the_same, pages, picks_several, told_by_value
from companion.texts import capital, render, written_span

Faces = Callable[[str], str]
"""How a component looks, as a line of text."""

SEAT_WIDTH = 36
NO_BREAK = "\N{NO-BREAK SPACE}"
MARKS = {Tense.PAST: "✓", Tense.NOW: "▶", Tense.COMING: "·", Tense.SKIPPED: "–"}
STYLES = {Tense.PAST: "green", Tense.NOW: "bold reverse", Tense.COMING: "", Tense.SKIPPED: "dim"}


def form_hint(form: Form) -> Text:
    """What to type if there is no list of options."""
    if isinstance(form, Number):
        return say("see.whole-number", low=str(form.low), high=str(form.high))
    if isinstance(form, TextLine):
        return count("ui.form-line", form.longest)
    if isinstance(form, Switch):
        return say("core.form.switch")
    if isinstance(form, SeveralOf):
        return say("ui.form-several-typed")
    if isinstance(form, Record) and all(isinstance(field.form, Number) for field in form.fields):
        return say("ui.form-numbers-typed")
    return say("ui.form-type")


def _lines(map: MapView, place: str, words: Callable[[Text], str]) -> list[Text]:
    """The places a map's lines lead to from here, with what is on each line."""
    names = {known.id: words(known.name) for known in map.places}
    ends = [
        (link.other if link.one == place else link.one, link.label)
        for link in map.links
        if place in (link.one, link.other)
    ]
    led = tuple(plain(f"{names[end]} ({label})" if label else names[end]) for end, label in ends)
    return [say("ui.map-joined", places=led)] if led else []


class Shower:
    """Prints sentences and drawings on a console in one language."""

    def __init__(self, console: Console, language: str) -> None:
        self.console = console
        self.language = language
        self.reminders_off: dict[str, str] = {}
        self._faces: Faces = lambda component: ""

    def words(self, text: Text) -> str:
        """A sentence in the language of this table."""
        return render(text, self.language)

    def say(self, text: Text, style: str = "") -> None:
        """Print a sentence."""
        self.console.print(Styled(self.words(text), style))

    def news(self, news: tuple[News, ...], seats: tuple[str, ...]) -> None:
        """Print what the last answer led to, and for whom."""
        told = [item.text if item.seat is None else of_seat(seats[item.seat], item.text) for item in news]
        if told:
            self.console.print(self._marked("  •", told, "cyan"))

    def checklist(self, title: Text, items: tuple[Text, ...]) -> None:
        """Print a list to tick off."""
        body = self._marked("☐", list(items))
        self.console.print(Panel(body, title=Styled(self.words(title)), title_align="left"))

    def _marked(self, mark: str, texts: list[Text], style: str = "") -> Table:
        """Sentences with a mark before each; long ones are continued under the sentence, not the mark."""
        grid = Table.grid(padding=(0, 1))
        for text in texts:
            grid.add_row(Styled(mark, style), Styled(self.words(text), style))
        return grid

    def table(self, view: View, faces: Faces = lambda component: "") -> None:
        """Print the whole table: phases, seats with their components, pools, meters, alerts."""
        self._faces = faces
        ribbon = Styled(" ").join(self._phase(phase) for phase in view.phases)
        gauges: list[RenderableType] = [self._gauge(pool) for pool in view.pools]
        gauges += [self._meter(meter) for meter in view.meters if meter.id not in {p.id for p in view.pools}]
        numbers = self._numbers(view.numbers)
        alerts = [Styled("⚠ " + self.words(alert), "bold yellow") for alert in view.alerts]
        notes = [Styled(self.words(note), "dim") for note in wanted(view.notes, tuple(self.reminders_off))]
        title = self.words(say("ui.round", n=view.round)) if view.round else ""
        parts = [ribbon, self._seats(view.seats), *numbers, *gauges, *notes, *alerts]
        self.console.print(Panel(Group(*parts), title=Styled(title), title_align="left"))

    def _seats(self, seats: tuple[SeatView, ...]) -> Table:
        """As many seats side by side as fit."""
        beside = max(1, min(len(seats), self.console.width // SEAT_WIDTH))
        grid = Table.grid(expand=True)
        for _ in range(beside):
            grid.add_column(ratio=1)
        for at in range(0, len(seats), beside):
            grid.add_row(*(self._seat(seat) for seat in seats[at : at + beside]))
        return grid

    def _phase(self, phase: PhaseView) -> Styled:
        words = self.words(phase.text).replace(" ", NO_BREAK)
        return Styled(f"{MARKS[phase.tense]}{NO_BREAK}{words}", STYLES[phase.tense])

    def _seat(self, seat: SeatView) -> Panel:
        lines: list[RenderableType] = [*self._numbers(seat.numbers)]
        for placed in seat.components:
            line = Styled(self.words(placed.name)).append(
                f"  {self._faces(placed.component)}".rstrip(), "dim"
            )
            for badge in placed.badges:
                line.append(f" ◆ {self.words(badge)}", "yellow")
            lines.append(line)
        if seat.points is not None:
            lines.append(Styled(self.words(count("ui.points-now", seat.points)), "dim"))
        mark = "● " if seat.waiting else "✓ " if seat.ready else ""
        return Panel(
            Group(*lines), title=Styled(mark + seat.name), border_style="yellow" if seat.waiting else ""
        )

    def _numbers(self, shown: tuple[Shown, ...]) -> list[Styled]:
        """Numbers with their names, three in a line."""
        each = [Styled(f"{self.words(n.text)}{NO_BREAK}").append(str(n.value), "bold") for n in shown]
        return [Styled("  ").join(each[at : at + 3]) for at in range(0, len(each), 3)]

    def _gauge(self, gauge: Gauge) -> Styled:
        return self._bar(gauge.text, gauge.value, gauge.full)

    def _meter(self, meter: Meter) -> Styled:
        return self._bar(meter.text, meter.value, meter.goal)

    def _bar(self, text: Text, value: int, full: int) -> Styled:
        filled = round(20 * min(1.0, value / full)) if full else 0
        bar = "█" * filled + "░" * (20 - filled)
        return Styled(f"{bar} {self.words(text)}: {self.words(say('ui.of', n=value, full=full))}")

    def question(self, question: Question, asked: Text, session: Session, page: int = 0) -> None:
        """Print a question with one page of its options, or what to type if there is no list."""
        self.console.print(Styled(capital(self.words(asked)), "bold"))
        if notes := wanted(question.notes, tuple(self.reminders_off)):
            self.console.print(self._marked("  ", list(notes), "dim"))
        if question.form is not None and not isinstance(question.form, OneOf):
            if isinstance(question.form, SeveralOf):
                self._numbered([value.text for value in question.form.values])
            self.say(form_hint(question.form), "dim")
            if question.facts:
                self.say(say("ui.form-once-typed"), "dim")
            if question.later is not None:
                self.say(say("ui.form-later-typed"), "dim")
            return
        if told_by_value(question):
            self._values(question)
        else:
            self._options(question, session, page)
        if picks_several(question):
            self.say(say("ui.several-typed"), "dim")
        if question.finished is not None:
            self.say(say("flow.finished-typed"), "dim")
        if question.form is not None:
            self.say(say("ui.form-once-typed"), "dim")
        if question.dice is not None:
            self.say(count("ui.dice-type", question.dice.n), "dim")

    def _options(self, question: Question, session: Session, page: int) -> None:
        """Print one page of options, each with its number and useful details; what can be counted of one thing
        is one line."""
        leaves = pages(question)
        grid = Table.grid(padding=(0, 2))
        under = None
        shown = leaves[page % len(leaves)]
        for place in shown:
            option = question.options[place]
            if option.changes is not None:
                grid.add_row(*self._counts(question, place, session))
                continue
            if option.group is not None and option.group != under:
                grid.add_row("", Styled(self.words(option.group), "dim italic"))
            under = option.group
            enter = " ⏎" if place == 0 and question.has_default else ""
            words = Styled(self.words(option.text)).append(enter, "green")
            grid.add_row(Styled(f"  {place + 1:>2}"), words, Styled(self._aside(option, session), "dim"))
        self.console.print(grid)
        if (example := next((n for n in shown if question.options[n].changes), None)) is not None:
            self.say(say("ui.count-typed", example=self._typed(question, example, session)), "dim")
        if len(leaves) > 1:
            self.say(say("ui.page", n=page % len(leaves) + 1, of=len(leaves)), "dim")

    def _typed(self, question: Question, place: int, session: Session) -> str:
        """What can be typed instead of the number of an option that counts."""
        name = self.words(counted_as(question, place, session)).lower().replace(":", "")
        changes = question.options[place].changes
        assert changes is not None
        return f"{name} {changes[1]:+}"

    def _counts(self, question: Question, place: int, session: Session) -> tuple[Styled, Styled]:
        """By how much one thing can be counted: the numbers of these options, its name, and the amounts."""
        options = [o for o in question.options[place:] if counts_the_same(question.options[place], o)]
        amounts = "  ".join(f"{o.changes[1]:+}".replace("-", "−") for o in options if o.changes)
        name = Styled(f"{self.words(counted_as(question, place, session))}:  ").append(amounts, "cyan")
        last = f"–{place + len(options)}" if len(options) > 1 else ""
        return Styled(f"  {place + 1:>2}{last}"), name

    def _numbered(self, names: list[Text]) -> None:
        grid = Table.grid(padding=(0, 2))
        for number, name in enumerate(names, start=1):
            grid.add_row(Styled(f"  {number:>2}"), Styled(self.words(name)))
        self.console.print(grid)

    def _values(self, question: Question) -> None:
        """Print options that are named by numbers, then the others by name."""
        marks = {option.id: self.words(option.text) for option in question.options}
        if question.default is not None:
            marks[question.default.id] += " ⏎"
        numerals = [marks[option.id] for option in question.options if is_numeral(option.text)]
        self.console.print(Styled("  " + "  ".join(numerals)))
        for option in question.options:
            if not is_numeral(option.text):
                self.console.print(Styled(f"  {marks[option.id]}"))

    def _aside(self, option: Option, session: Session) -> str:
        """Details shown after an option: what it costs and gives, and what is known about its component;
        nothing is repeated, nor anything its name says already."""
        if option.detail is not None:
            return self.words(option.detail)
        game, parts = session.game, [in_words(session.game.id, option.signs, self.words)]
        if option.component is not None and option.component in session.catalogue:
            face = game.face(session.catalogue[option.component])
            parts += face_in_words(game.id, face, self.words)
        name, said = self.words(option.text).casefold(), list[str]()
        for part in filter(None, parts):
            if said and f"{part} ".startswith(f"{said[-1]} "):
                said.pop()
            if part.casefold() not in name and part not in said:
                said.append(part)
        return "; ".join(said)

    def history(self, session: Session) -> None:
        """One sentence per answer and correction, numbered by how many steps back they are."""
        table = Table(box=None, show_header=False)
        story = session.story()
        for done, sentence in enumerate(story):
            table.add_row(Styled(str(len(story) - done), "dim"), Styled(self.words(sentence)))
        self.console.print(table)

    def map(self, view: View, seats: tuple[str, ...]) -> None:
        """Print every place of every map: its owner, what is there, and where its lines lead."""
        if not view.maps:
            self.say(say("ui.no-map"))
        for map in view.maps:
            if len(view.maps) > 1:
                self.console.print(Styled(capital(self.words(map.text)), "bold underline"))
            for place in map.places:
                owner = self.words(say("ui.map-nobody")) if place.seat is None else seats[place.seat]
                self.console.print(Styled(f"{self.words(place.name)} · {owner}", "bold"))
                notes = [*place.notes, *_lines(map, place.id, self.words)]
                self.console.print(self._marked("   ", notes))

    def faces(self, session: Session) -> Faces:
        """How components of a play look, as a line of text."""
        game, box = session.game, session.catalogue
        return lambda component: face_line(game.id, game.face(box[component]), self.words)

    def clocks(self, session: Session, at: float) -> None:
        """Print how long each seat has taken so far."""
        for name, seconds in zip(session.setup.seats, session.thinking(at), strict=True):
            self.say(say("ui.thought", seat=name, time=written_span(seconds)))
