"""New play: which game, who sits where, what is agreed on, and setting up the table, one step after the other."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import TYPE_CHECKING

from msgspec.structs import replace

from companion.core.game import LONGEST_NAME, Game, Setup, Variant, games
from companion.core.words import Text, count, say
from companion.settings import Person
from companion.texts import capital
from companion.ui.draw import Badge, Turned
from companion.ui.keyboard import Field, Keyboard, Typing
from companion.ui.kit import Column, Flow, Gap, Icon, Page, Panel, Part, Row, Scroll, Split, Tap, Tiles, Words
from companion.ui.look import MARKS, TARGET, Mark, letters_for
from companion.ui.screen import Screen

if TYPE_CHECKING:
    from companion.app import CompanionApp

ESCAPE = "27"
UP = "arrow-up-bold"


class NewPlay(Screen):
    """Everything that is agreed before a play."""

    name = "new"

    def __init__(
        self,
        app: CompanionApp,
        random: Random | None = None,
        game: Game | None = None,
        seats: Sequence[str] = (),
        wished: Mapping[str, str] | None = None,
    ) -> None:
        """What is agreed on already may be told; with everybody seated only the table is to be set up."""
        super().__init__(app)
        self.random = random or Random()
        self.games = tuple(games().values())
        self.game: Game | None = self.games[0] if len(self.games) == 1 else None
        self.people: tuple[Person, ...] = ()
        self.wished: dict[str, str] = {}
        self.ticked: frozenset[int] = frozenset()
        self.at = 0
        self.open: int | None = None
        """The seat whose looks and place are being changed."""
        self.first = ""
        """Who was drawn to begin."""
        self.typing: Typing | None = None
        self.renaming: int | None = None
        self.refused: Text | None = None
        self.hurried = False
        """Somebody wanted to go on though something was wrong; from then on we say what."""
        self._starting = False
        self._agreed(game, seats, wished or {})

    def _agreed(self, game: Game | None, seats: Sequence[str], wished: Mapping[str, str]) -> None:
        """Begin with what was agreed on before people came to this screen."""
        if game is None:
            return
        self.game, self.wished = game, dict(wished)
        for name in seats:
            self.people = (*self.people, self._person(name))
        self.at = self.steps.index("table" if self.people else "people")

    # What was agreed so far

    @property
    def steps(self) -> tuple[str, ...]:
        """The steps this table has to go through."""
        steps = ("game",) if len(self.games) > 1 else ()
        rules = ("rules",) if self.game is None or self.game.box.variants else ()
        return (*steps, "people", *rules, "table")

    @property
    def step(self) -> str:
        """The step people are at."""
        return self.steps[self.at]

    @property
    def rules(self) -> Game:
        """The game that is played; it was chosen before."""
        assert self.game is not None
        return self.game

    def setup(self) -> Setup:
        """What the play would begin with."""
        choices = {variant.id: self._value(variant) for variant in self.rules.box.variants}
        return Setup(self.rules.id, tuple(person.name for person in self.people), choices)

    def problems(self) -> list[str]:
        """What is wrong with that, in sentences."""
        return [self.desk.words(self._named(text)) for text in self.rules.problems(self.setup())]

    def _value(self, variant: Variant) -> str:
        """What was wished for if so many may play it, otherwise the usual."""
        wish = self.wished.get(variant.id, variant.values[0])
        return wish if variant.allowed(wish, len(self.people)) else variant.values[0]

    def _named(self, problem: Text) -> Text:
        """A problem with the names of variants and values instead of their ids."""
        args = dict(problem.args)
        if "variant" in args and "value" in args:
            key = f"{self.rules.id}.variant.{args['variant']}"
            args |= {"variant": say(key), "value": say(f"{key}.{args['value']}")}
        return replace(problem, args=args)

    def _marks(self) -> tuple[Mark, ...]:
        letters = letters_for([person.name for person in self.people])
        marks = [MARKS[person.look % len(MARKS)] for person in self.people]
        return tuple(
            Mark(mark.colour, mark.shape, letter) for mark, letter in zip(marks, letters, strict=True)
        )

    # The screen

    def build(self) -> Part:
        if self.typing is not None:
            return self._typing_page(self.typing)
        back = Tap(icon="arrow-left", kind="quiet", on_tap=self._back, name="back")
        top = Row([back, self._progress().fill()])
        body, *actions = {
            "game": self._game_step,
            "people": self._people_step,
            "rules": self._rules_step,
            "table": self._table_step,
        }[self.step]()
        bottom: list[Part | None] = [self._wrong() if self.step != "game" and self.hurried else None]
        if actions:
            bottom.append(Row(actions))
        return Page(top, body, Column(bottom) if any(bottom) else None)

    def _progress(self) -> Part:
        return Flow([self._one_step(n, name) for n, name in enumerate(self.steps)], gap=16, lines=2)

    def _one_step(self, n: int, name: str) -> Part:
        now = n == self.at
        tone = "accent" if now else "dim"
        lead: Part = (
            Icon("check", "note", "good")
            if n < self.at
            else Words(f"{n + 1}", "prompt" if now else "note", tone, bold=now)
        )
        words = self.t(f"ui.new-{name}")
        shown = now or self.app.look.wide
        return Row(
            [lead, Words(words, "prompt" if now else "note", tone, bold=now) if shown else None], gap=8
        )

    def _wrong(self) -> Part | None:
        problems = self.problems()
        if not problems:
            return None
        lines = [
            Row([Icon("alert-circle", "prompt", "bad"), Words(_sentence(words)).fill()]) for words in problems
        ]
        return Panel(Column(lines), edge="bad", pad=10)

    def _next(self, words: str) -> Part:
        icon = Icon("chevron-right", "prompt", "on_main")
        return Tap(self.t(words), self._go_on, part=icon, kind="main", name="next", about=self.at).fill()

    # Which game

    def _game_step(self) -> tuple[Part, ...]:
        taps = [
            Tap(
                game.box.name,
                lambda game=game: self._play(game),
                icon="cards",
                size="prompt",
                detail=self._players(game),
                tall=96,
                chosen=game is self.game,
                name=f"game-{game.id}",
            )
            for game in self.games
        ]
        head = Words(self.t("ui.new-which-game"), "prompt", bold=True)
        return (Scroll(Column([head, Tiles(taps, 340)], gap=14), key="game"),)

    def _players(self, game: Game) -> str:
        low, high = game.box.seats[0], game.box.seats[-1]
        if low == high:
            return self.desk.words(count("ui.new-players-just", low))
        return self.t("ui.new-players", low=low, high=high)

    # Who sits where

    def _people_step(self) -> tuple[Part, ...]:
        go_on = self._next("ui.new-next")
        draw = Tap(self.t("ui.new-draw"), self._draw, icon="dice-multiple", name="draw")
        many = len(self.people) > 1
        if not self.app.look.wide:
            parts = [self._seats(), draw if many else None, self._others() if self.open is None else None]
            scroll = Scroll(Column(parts, gap=14), key="seats")
            if self.open is not None:
                scroll.first = self._opened
            return scroll, go_on
        beside = self._others() if self.open is None else Column([self._changes(self.open)])
        body = Split([Scroll(self._seats(), key="seats"), Scroll(beside, key="people")], (1.1, 1))
        return (body, draw.fill(), go_on) if many else (body, go_on)

    def _seats(self) -> Column:
        head = Words(self.t("ui.new-who"), "body", "accent", bold=True)
        how = self.t("ui.new-who-how", players=self._players(self.rules))
        parts: list[Part] = [head]
        if len(self.people) < self.rules.box.seats[0]:
            parts.append(Words(how, "body", "dim"))
        marks = self._marks()
        for seat, person in enumerate(self.people):
            parts.append(self._seat(seat, person, marks[seat]))
            if seat == self.open and not self.app.look.wide:
                parts.append(self._changes(seat))
        return Column(parts)

    def _seat(self, seat: int, person: Person, mark: Mark) -> Part:
        begins = self.t("ui.new-begins") if person.name == self.first else ""
        opened = seat == self.open
        tap = Tap(
            person.name,
            lambda: self._open(seat),
            lead=Badge(mark, 38),
            detail=begins,
            part=Icon("close", "body", "accent") if opened else Icon("pencil", "body", "dim"),
            name=f"seat-{seat}",
            tall=56,
        )
        return Panel(tap, "accent", pad=2) if opened else tap

    def _changes(self, seat: int) -> Part:
        """What can be changed about a seat: its mark, its place, its name, whether it is there."""
        marks = self._marks()
        owners = {person.look % len(MARKS): n for n, person in enumerate(self.people)}
        looks = []
        for n, mark in enumerate(MARKS):
            letter = marks[owners[n]].letter if n in owners else ""
            badge = Badge(Mark(mark.colour, mark.shape, letter), 40)
            looks.append(
                Tap(
                    lead=badge,
                    on_tap=lambda n=n: self._take_look(seat, n),
                    kind="plain" if owners.get(n) == seat else "quiet",
                    name=f"look-{n}",
                )
            )
        deeds = [
            self._deed(Icon(UP), "up", lambda: self._move(seat, -1)) if seat else None,
            self._deed(Turned(Icon(UP)), "down", lambda: self._move(seat, 1))
            if seat < len(self.people) - 1
            else None,
            self._deed(Icon("pencil"), "rename", lambda: self._type(seat)),
            self._deed(Icon("delete"), "remove", lambda: self._remove(seat)),
        ]
        self._opened = Panel(
            Column([Tiles(looks, TARGET / self.app.look.text, gap=4), Tiles(deeds, 150)]), pad=10
        )
        return self._opened

    def _deed(self, icon: Part, name: str, deed: Callable[[], None]) -> Tap:
        return Tap(self.t(f"ui.new-{name}"), deed, lead=icon, name=name)

    def _others(self) -> Column:
        head = Words(self.t("ui.new-known"), "body", "accent", bold=True)
        if len(self.people) >= self.rules.box.seats[-1]:
            return Column([Words(self.t("ui.new-full"), "body", "dim")])
        here = {person.name for person in self.people}
        known = [person for person in self.desk.settings.people if person.name not in here]
        taps = [
            Tap(
                person.name,
                lambda person=person: self._sit(person.name),
                lead=Badge(self._liked(person), 34),
                name=f"person-{person.name}",
            )
            for person in known
        ]
        somebody = Tap(
            self.t("ui.new-somebody"), lambda: self._type(None), icon="account-plus", name="somebody", tall=60
        )
        return Column([head, somebody, Flow(taps) if taps else None])

    def _liked(self, person: Person) -> Mark:
        mark = MARKS[person.look % len(MARKS)]
        return Mark(mark.colour, mark.shape, letters_for([person.name])[0])

    # What is agreed on

    def _rules_step(self) -> tuple[Part, ...]:
        variants = [self._variant(variant) for variant in self.rules.box.variants]
        return Scroll(Column(variants), key="rules"), self._next("ui.new-begin")

    def _variant(self, variant: Variant) -> Part:
        key = f"{self.rules.id}.variant.{variant.id}"
        values = [self._value_tap(variant, value, f"{key}.{value}") for value in variant.values]
        if not self.app.look.wide:
            return self.panel(Tiles(values, 260), title=self.t(key))
        title = Words(self.t(key), "body", "accent", bold=True)
        return Panel(Split([title, Tiles(values, 210, columns=3)], (1, 4.8)), pad=10)

    def _value_tap(self, variant: Variant, value: str, key: str) -> Part:
        name = f"{variant.id}-{value}"
        if not variant.allowed(value, len(self.people)):
            inner = Column(
                [
                    Words(self.t(key), "body", "dim"),
                    Words(self._reason(variant, value), "note", "dim"),
                ],
                gap=2,
            )
            return Tap(
                lead=Icon("lock", "prompt", "dim"),
                part=inner.fill(),
                on_tap=lambda: self._refuse(variant, value),
                kind="quiet",
                name=name,
            )
        chosen = value == self._value(variant)
        return Tap(
            self.t(key),
            lambda: self._agree(variant, value),
            icon="check-circle" if chosen else "circle-outline",
            chosen=chosen,
            name=name,
            tall=60,
        )

    def _reason(self, variant: Variant, value: str) -> str:
        allowed = variant.seats[value]
        return self.desk.words(count("ui.new-only-for", allowed[-1], seats=", ".join(map(str, allowed))))

    # Setting up the table

    def _table_step(self) -> tuple[Part, ...]:
        todo = self.rules.checklist(self.rules.complete(self.setup()))
        rows = [
            Tap(
                self.desk.words(text),
                lambda n=n: self._tick(n),
                icon="checkbox-marked" if n in self.ticked else "checkbox-blank-outline",
                kind="quiet" if n in self.ticked else "plain",
                name=f"tick-{n}",
                tall=64,
            )
            for n, text in enumerate(todo)
        ]
        head = Row(
            [
                Words(self.t("ui.new-set-up-how"), "body", "dim").fill(),
                Words(
                    self.t("ui.new-ticked", n=len(self.ticked), full=len(todo)), "body", "accent", bold=True
                ),
            ]
        )
        icon = Icon("play", "prompt", "on_main")
        start = Tap(self.t("ui.new-start"), self._start, part=icon, kind="main", name="start").fill()
        return Scroll(Column([head, *rows]), key="table"), start

    # Typing a name

    def _typing_page(self, typing: Typing) -> Part:
        back = Tap(icon="arrow-left", kind="quiet", on_tap=self._stop_typing, name="back")
        top = Row([back, Field(typing, self.t("ui.new-name")).fill()])
        words = self.t("ui.new-rename" if self.renaming is not None else "ui.new-add")
        told = (
            Row([Icon("alert-circle", "prompt", "bad"), Words(self.desk.words(self.refused), "body").fill()])
            if self.refused is not None
            else Gap(1)
        )
        return Page(top, Scroll(told), Keyboard(typing, words))

    def typed(self, key: str, character: str | None) -> bool:
        if self.typing is not None:
            if key == ESCAPE:
                self._stop_typing()
                return True
            return self.typing.typed(key, character)
        if key == ESCAPE:
            self._back()
            return True
        return False

    def _type(self, seat: int | None) -> None:
        name = "" if seat is None else self.people[seat].name
        self.renaming, self.refused = seat, None
        self.typing = Typing(name, self._changed, self._typed_name, longest=LONGEST_NAME, name=True)
        self.app.refresh()

    def _changed(self) -> None:
        assert self.typing is not None
        was = self.refused
        full = len(self.typing.text) == LONGEST_NAME
        self.refused = say("ui.new-longest", n=LONGEST_NAME) if full else None
        if self.refused != was:
            self.app.refresh()

    def _typed_name(self) -> None:
        assert self.typing is not None
        name, seat = " ".join(self.typing.text.split()), self.renaming
        others = [person for n, person in enumerate(self.people) if n != seat]
        same = next((person for person in others if person.name.casefold() == name.casefold()), None)
        if same is not None:
            self.refused = say("ui.new-sits-already", name=same.name)
            self.app.refresh()
            return
        self.typing = None
        if seat is not None and name:
            self._change(seat, Person(name, self.people[seat].look))
        elif name:
            self._sit(name)
        self.app.refresh()

    def _stop_typing(self) -> None:
        self.typing = self.refused = None
        self.app.refresh()

    # Deeds

    def _back(self) -> None:
        if self.at == 0:
            self.app.back()
            return
        self._go(self.at - 1)

    def _go(self, step: int) -> None:
        self.at, self.open, self.hurried = step, None, False
        self.app.refresh()

    def _go_on(self) -> None:
        if self.problems():
            self.hurried = True
            self.app.refresh()
            return
        self._go(self.at + 1)

    def _play(self, game: Game) -> None:
        if game is not self.game:
            self.game, self.wished, self.ticked = game, {}, frozenset()
        self._go(self.at + 1)

    def _sit(self, name: str) -> None:
        """Somebody takes the next seat."""
        self._seat_people((*self.people, self._person(name)))

    def _person(self, name: str) -> Person:
        """Somebody with the mark they like if nobody has it."""
        taken = {person.look % len(MARKS) for person in self.people}
        liked = [p.look % len(MARKS) for p in self.desk.settings.people if p.name == name]
        free = [look for look in (*liked, *range(len(MARKS))) if look not in taken]
        return Person(name, free[0] if free else 0)

    def _seat_people(self, people: tuple[Person, ...], open: int | None = None) -> None:
        self.people, self.open, self.ticked = people, open, frozenset()
        if self.first not in {person.name for person in people}:
            self.first = ""
        self.app.refresh()

    def _open(self, seat: int) -> None:
        self.open = None if self.open == seat else seat
        self.app.refresh()

    def _change(self, seat: int, person: Person) -> None:
        if self.people[seat].name == self.first:
            self.first = person.name
        people = list(self.people)
        people[seat] = person
        self._seat_people(tuple(people), seat)

    def _take_look(self, seat: int, look: int) -> None:
        """Take a mark; who had it gets the one that becomes free."""
        mine = self.people[seat].look % len(MARKS)
        swapped = {look: mine, mine: look}
        people = [Person(p.name, swapped.get(p.look % len(MARKS), p.look)) for p in self.people]
        self._seat_people(tuple(people), seat)

    def _move(self, seat: int, by: int) -> None:
        people = list(self.people)
        people.insert(seat + by, people.pop(seat))
        self._seat_people(tuple(people), seat + by)

    def _remove(self, seat: int) -> None:
        self._seat_people(self.people[:seat] + self.people[seat + 1 :])

    def _draw(self) -> None:
        """Draw who begins; they become the first seat, and the order round the table stays."""
        first = self.random.randrange(len(self.people))
        self.first = self.people[first].name
        self._seat_people(self.people[first:] + self.people[:first])

    def _agree(self, variant: Variant, value: str) -> None:
        self.wished[variant.id] = value
        self.ticked = frozenset()
        self.app.refresh()

    def _refuse(self, variant: Variant, value: str) -> None:
        wrong = count("core.value-not-for-seats", len(self.people), variant=variant.id, value=value)
        self.app.tell(self._named(wrong), "refused")

    def _tick(self, n: int) -> None:
        self.ticked ^= {n}
        self.app.refresh()

    def _start(self) -> None:
        if self._starting:
            return
        self._starting = True
        self.desk.remember(self.people)
        self.desk.start(self.rules, self.setup())
        self.desk.clerk.do(lambda journal, binder: None, self._started, self._started)

    def _started(self, _: object) -> None:
        """Should the journal have refused the play, people may try again."""
        self._starting = False


def _sentence(words: str) -> str:
    return capital(words) + ("" if words.endswith(".") else ".")
