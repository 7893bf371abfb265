"""The seating: names, marks and the order round the table."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from random import Random
from typing import TYPE_CHECKING

from companion.core.game import LONGEST_NAME, Game, called
from companion.core.words import Text, count, say
from companion.table.assigned_seats import names_of
from companion.table.marks import MARKS, Mark, letters_for
from companion.table.settings import Person
from companion.ui.toolkit.covers import Cover, drawing
from companion.ui.toolkit.draw import Badge, Rotated
from companion.ui.toolkit.keyboard import Keyboard, TextField, Typing
from companion.ui.toolkit.kit import (
    Column,
    Gap,
    Icon,
    Page,
    Part,
    Plate,
    Row,
    Scroll,
    Split,
    Tap,
    Tiles,
    Words,
)
from companion.ui.toolkit.screen import Showing
from companion.ui.toolkit.theme import TARGET

if TYPE_CHECKING:
    from companion.ui.toolkit.context import Context

UP = "arrow-up-bold"


class Seating(Showing):
    """The people round the table, in order."""

    def __init__(
        self, app: Context, game: Callable[[], Game], on_change: Callable[[], None], random: Random
    ) -> None:
        super().__init__(app)
        self.game, self._on_change, self.random = game, on_change, random
        self.people: tuple[Person, ...] = ()
        self.open: int | None = None
        """The seat whose mark and place are being changed."""
        self.first = ""
        """The name of the drawn first player."""
        self.typing: Typing | None = None
        self.renaming: int | None = None
        self.refused: Text | None = None

    def step(self, go_on: Part) -> tuple[Part, ...]:
        """The seated people, and the known people who could join."""
        many = len(self.people) > 1  # until then it is disabled, not absent: nothing moves under a double tap
        draw = Tap(
            self.t("ui.new-draw"),
            self._draw if many else None,
            icon="dice-multiple",
            kind="plain" if many else "quiet",
            name="draw",
        )
        if not self.app.theme.wide:
            parts = [self._others() if self.open is None else None, self._seats(), draw]
            scroll = Scroll(Column(parts, gap=14), key="seats")
            if self.open is not None:
                scroll.first = self._opened
            return scroll, go_on
        beside = self._others() if self.open is None else Column([self._changes(self.open)])
        body = Split([Scroll(self._seats(), key="seats"), Scroll(beside, key="people")], (1.1, 1))
        return body, draw.fill(), go_on

    def _seats(self) -> Column:
        head = Words(self.t("ui.new-who"), "body", "accent", bold=True)
        how = self.t("ui.new-who-how", players=players(self, self.game()))
        parts: list[Part] = [head]
        marks = self._marks()
        for seat, person in enumerate(self.people):
            parts.append(self._seat(seat, person, marks[seat]))
            if seat == self.open and not self.app.theme.wide:
                parts.append(self._changes(seat))
        if not self.people:
            parts.append(Cover(drawing("how-play"), 260))
        if len(self.people) < self.game().box.seats[0]:
            parts.append(Words(how, "body", "dim"))
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
        return Plate(tap, "accent", pad=2) if opened else tap

    def _changes(self, seat: int) -> Part:
        """What can be changed about a seat: mark, place, name, presence."""
        marks = self._marks()
        owners = {person.look % len(MARKS): n for n, person in enumerate(self.people)}
        looks = []
        for n, mark in enumerate(MARKS):
            letter = marks[owners[n]].letter if n in owners else ""
            badge = Badge(Mark(mark.colour, mark.shape, letter), 40)
            looks.append(
                Tap(
                    lead=badge,
                    on_tap=partial(self._take_look, seat, n),
                    kind="plain" if owners.get(n) == seat else "quiet",
                    name=f"look-{n}",
                )
            )
        deeds = [
            self._deed(Icon(UP), "up", lambda: self._move(seat, -1)) if seat else None,
            self._deed(Rotated(Icon(UP)), "down", lambda: self._move(seat, 1))
            if seat < len(self.people) - 1
            else None,
            self._deed(Icon("pencil"), "rename", lambda: self._type(seat)),
            self._deed(Icon("delete"), "remove", lambda: self._remove(seat)),
        ]
        self._opened = Plate(
            Column([Tiles(looks, TARGET / self.app.theme.text, gap=4), Tiles(deeds, 150)]), pad=10
        )
        return self._opened

    def _deed(self, icon: Part, name: str, deed: Callable[[], None]) -> Tap:
        return Tap(self.t(f"ui.new-{name}"), deed, lead=icon, name=name)

    def _others(self) -> Column:
        head = Words(self.t("ui.new-known"), "body", "accent", bold=True)
        full = len(self.people) >= self.game().box.seats[-1]
        somebody = Tap(
            self.t("ui.new-somebody"),
            None if full else lambda: self._type(None),
            icon="account-plus",
            kind="quiet" if full else "plain",
            name="somebody",
            tall=60,
        )
        assigned = self._assigned()
        known = [self._known(person, full) for person in self.desk.settings.people]
        told = Words(self.t("ui.new-full"), "body", "dim") if full else None
        return Column([head, assigned, somebody, Tiles(known, 150, gap=8) if known else None, told])

    def _assigned(self) -> Part | None:
        """Who plays here next, if a hall says so."""
        assignment = self.app.hall.now.assignment
        names = () if assignment is None else names_of(assignment)
        if not self.game().box.seats[0] <= len(names) <= self.game().box.seats[-1]:
            return None
        words = self.t("hall-table.assigned", names=", ".join(names))
        return Tap(words, partial(self._take, names), icon="account-plus", kind="main", name="assigned")

    def _take(self, names: tuple[str, ...]) -> None:
        self.people = ()
        for name in names:
            self.people = (*self.people, self.person(name))
        self._seat_people(self.people)

    def _known(self, person: Person, full: bool) -> Part:
        """A known person. Seated people stay in the list, so that nothing moves under the finger."""
        here = [n for n, seated in enumerate(self.people) if seated.name == person.name]
        deed = partial(self._remove, here[0]) if here else None if full else partial(self.sit, person.name)
        return Tap(
            person.name,
            deed,
            lead=Badge(self._liked(person), 34),
            kind="quiet" if full and not here else "plain",
            chosen=bool(here),
            name=f"person-{person.name}",
        )

    def _liked(self, person: Person) -> Mark:
        mark = MARKS[person.look % len(MARKS)]
        return Mark(mark.colour, mark.shape, letters_for([person.name])[0])

    def _marks(self) -> tuple[Mark, ...]:
        letters = letters_for([person.name for person in self.people])
        marks = [MARKS[person.look % len(MARKS)] for person in self.people]
        return tuple(
            Mark(mark.colour, mark.shape, letter) for mark, letter in zip(marks, letters, strict=True)
        )

    def typing_page(self, typing: Typing) -> Part:
        """The page for typing a name."""
        back = Tap(icon="arrow-left", kind="quiet", on_tap=self.stop_typing, name="back")
        top = Row([back, TextField(typing, self.t("ui.new-name")).fill()])
        words = self.t("ui.new-rename" if self.renaming is not None else "ui.new-add")
        told = (
            Row([Icon("alert-circle", "prompt", "bad"), Words(self.desk.words(self.refused), "body").fill()])
            if self.refused is not None
            else Gap(1)
        )
        return Page(top, Scroll(told), Keyboard(typing, words))

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
        same = next((person for person in others if called(person.name) == called(name)), None)
        if same is not None:
            self.refused = say("ui.new-sits-already", name=same.name)
            self.app.refresh()
            return
        self.typing = None
        if seat is not None and name:
            self._change(seat, Person(name, self.people[seat].look))
        elif name:
            self.sit(name)
        self.app.refresh()

    def stop_typing(self) -> None:
        """Leave the names as they are."""
        self.typing = self.refused = None
        self.app.refresh()

    def sit(self, name: str) -> None:
        """Give this person the next seat."""
        self._seat_people((*self.people, self.person(name)))

    def person(self, name: str) -> Person:
        """A person with their preferred mark, if it is free."""
        taken = {person.look % len(MARKS) for person in self.people}
        liked = [p.look % len(MARKS) for p in self.desk.settings.people if p.name == name]
        free = [theme for theme in (*liked, *range(len(MARKS))) if theme not in taken]
        return Person(name, free[0] if free else 0)

    def _seat_people(self, people: tuple[Person, ...], open: int | None = None) -> None:
        self.people, self.open = people, open
        self._on_change()
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

    def _take_look(self, seat: int, theme: int) -> None:
        """Take a mark; its previous owner gets the one that becomes free."""
        mine = self.people[seat].look % len(MARKS)
        swapped = {theme: mine, mine: theme}
        people = [Person(p.name, swapped.get(p.look % len(MARKS), p.look)) for p in self.people]
        self._seat_people(tuple(people), seat)

    def _move(self, seat: int, by: int) -> None:
        people = list(self.people)
        people.insert(seat + by, people.pop(seat))
        self._seat_people(tuple(people), seat + by)

    def _remove(self, seat: int) -> None:
        self._seat_people(self.people[:seat] + self.people[seat + 1 :])

    def _draw(self) -> None:
        """Draw the first player, who becomes the first seat; the order round the table stays."""
        first = self.random.randrange(len(self.people))
        self.first = self.people[first].name
        self._seat_people(self.people[first:] + self.people[:first])


def players(showing: Showing, game: Game) -> str:
    """The possible numbers of players, in words."""
    low, high = game.box.seats[0], game.box.seats[-1]
    if low == high:
        return showing.desk.words(count("ui.new-players-just", low))
    return showing.t("ui.new-players", low=low, high=high)
