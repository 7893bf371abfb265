"""Score only: a table that was played without us. Show it the tableaux, tell it a few numbers, and read the sheet."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from kivy.core.window import Window

from companion.core.game import LONGEST_NAME, Game, Setup, Variant, games
from companion.core.words import Text, count
from companion.settings import Person
from companion.ui.desk import look_of
from companion.ui.draw import Badge
from companion.ui.keyboard import Field, Keyboard, Typing
from companion.ui.kit import Column, Flow, Icon, Page, Panel, Part, Row, Scroll, Split, Tap, Tiles, Words
from companion.ui.screen import Screen
from companion.ui.stepper import Counted, Search, stepper
from companion.unplayed import Outcome, named, scored, variants

if TYPE_CHECKING:
    from companion.app import CompanionApp
    from companion.ui.camera_picture import CameraPicture

ESCAPE = "27"
STEPS = ("people", "cards", "numbers")


class ScoreOnly(Screen):
    """Who played, what lies before each of them, and what cannot be seen: chips, hands and the like."""

    name = "score-only"

    def __init__(self, app: CompanionApp) -> None:
        super().__init__(app)
        self.rules: Game = next(iter(games().values()))
        self.people: list[str] = []
        self.choices: dict[str, str] = {}
        self.step = "people"
        self.seat = 0
        self.cards: dict[str, tuple[str, ...]] = {}
        self.numbers: dict[str, int] = {}
        self.typing: Typing | None = None
        self.search: Search | None = None
        self.sweep: Any = None
        self._frame: Any = None
        self._old: Any = None
        self._picture: CameraPicture | None = None
        self._labels: list[Any] = []

    # What is known so far

    @property
    def tableaux(self) -> dict[str, tuple[str, ...]]:
        """What lies before each seat."""
        return {name: self.cards.get(name, ()) for name in self.people}

    @property
    def catalogue(self) -> Any:
        """The components of the box that was played."""
        return self.rules.catalogue(
            self.rules.complete(Setup(self.rules.id, tuple(self.people), dict(self.choices)))
        )

    def outcome(self) -> Outcome:
        """The sheet, or what is still wrong."""
        return scored(self.rules, self.tableaux, self.choices, self.numbers)

    def build(self) -> Part:
        self.marks = self.desk.marks(tuple(self.people))
        if self.typing is not None:
            return self._typing_page(self.typing)
        if self.search is not None:
            return self._searching(self.search)
        if self.sweep is not None:
            return self._sweeping()
        return {"people": self._people_page, "cards": self._cards_page, "numbers": self._numbers_page}[
            self.step
        ]()

    def _page(self, title: str, body: Part, bottom: Part | None) -> Part:
        back = Tap(icon="arrow-left", kind="quiet", on_tap=self._back, name="back")
        return Page(Row([back, Words(title, "title", bold=True).fill()]), body, bottom)

    def _back(self) -> None:
        if self.step == "people":
            self.app.back()
            return
        self._go(STEPS[STEPS.index(self.step) - 1])

    def _go(self, step: str) -> None:
        self.step = step
        self.app.refresh()

    def typed(self, key: str, character: str | None) -> bool:
        if key == ESCAPE:
            inner = self.typing or self.search or self.sweep is not None or self.step != "people"
            if inner:
                self._leave_inner()
            return bool(inner)
        typing = self.typing or (self.search.typing if self.search is not None else None)
        return typing is not None and typing.typed(key, character)

    def _leave_inner(self) -> None:
        if self.typing is None and self.search is None and self.sweep is None:
            self._back()
            return
        self._stop_sweep()
        self.typing = self.search = None
        self.app.refresh()

    # Who played what

    def _people_page(self) -> Part:
        seats = [
            Tap(
                name,
                lambda name=name: self._drop(name),
                lead=Badge(self.marks[n]),
                part=Icon("close", "body", "dim"),
                name=f"seat-{n}",
            )
            for n, name in enumerate(self.people)
        ]
        low, high = self.rules.box.seats[0], self.rules.box.seats[-1]
        how = Words(self.t("ui.so-how"), "body", "dim") if not seats else None
        left = Column(
            [
                *self._game_taps(),
                how,
                Words(self.t("ui.so-people", low=low, high=high), "body", "accent", bold=True),
                *seats,
            ]
        )
        others = Column([*self._others(), *self._variant_taps()], gap=12)
        ready = len(self.people) in self.rules.box.seats
        go_on = Tap(self.t("ui.new-next"), self._to_cards, icon="chevron-right", kind="main", name="next")
        body: Part = (
            Split([Scroll(left, key="so-seats"), Scroll(others, key="so-others")], (1.1, 1))
            if self.app.look.wide
            else Scroll(Column([left, others], gap=14), key="so-seats")
        )
        return self._page(self.t("ui.home-score-only"), body, go_on if ready else None)

    def _game_taps(self) -> list[Part]:
        if len(games()) == 1:
            return [Row([Icon("cards", "body", "dim"), Words(self.rules.box.name, "body").fill()])]
        return [
            Flow(
                [
                    Tap(
                        rules.box.name,
                        lambda rules=rules: self._play(rules),
                        chosen=rules.id == self.rules.id,
                        name=f"game-{rules.id}",
                    )
                    for rules in games().values()
                ]
            )
        ]

    def _play(self, rules: Game) -> None:
        self.rules, self.choices, self.cards, self.numbers = rules, {}, {}, {}
        self.app.refresh()

    def _others(self) -> list[Part]:
        if len(self.people) >= self.rules.box.seats[-1]:
            return []
        known = [person for person in self.desk.settings.people if person.name not in self.people]
        liked = [self.desk.marks((person.name,))[0] for person in known]
        taps: list[Part] = [
            Tap(
                person.name,
                lambda person=person: self._sit(person.name),
                lead=Badge(mark, 34),
                name=f"person-{person.name}",
            )
            for person, mark in zip(known[:12], liked, strict=False)
        ]
        somebody = Tap(self.t("ui.new-somebody"), self._type, icon="account-plus", name="somebody", tall=60)
        head = Words(self.t("ui.new-known"), "body", "accent", bold=True)
        return [head, somebody, Flow(taps)] if taps else [head, somebody]

    def _variant_taps(self) -> list[Part]:
        parts: list[Part] = []
        for variant in variants(self.rules):
            key = f"{self.rules.id}.variant.{variant.id}"
            parts.append(Words(self.t(key), "body", "accent", bold=True))
            parts.append(
                Flow([self._value(variant, value, self.t(f"{key}.{value}")) for value in variant.values])
            )
        return parts

    def _value(self, variant: Variant, value: str, words: str) -> Part:
        chosen = self.choices.get(variant.id, variant.values[0]) == value
        icon = "check-circle" if chosen else "circle-outline"
        return Tap(
            words,
            lambda: self._agree(variant, value),
            icon=icon,
            chosen=chosen,
            name=f"{variant.id}-{value}",
        )

    def _agree(self, variant: Variant, value: str) -> None:
        self.choices[variant.id] = value
        self.app.refresh()

    def _sit(self, name: str) -> None:
        self.people.append(name)
        self.app.refresh()

    def _drop(self, name: str) -> None:
        self.people.remove(name)
        self.app.refresh()

    def _type(self) -> None:
        self.typing = Typing("", lambda: None, self._named, longest=LONGEST_NAME, name=True)
        self.app.refresh()

    def _named(self) -> None:
        assert self.typing is not None
        name = self.typing.text.strip()
        self.typing = None
        if name and name not in self.people:
            self.people.append(name)
        self.app.refresh()

    def _typing_page(self, typing: Typing) -> Part:
        back = Tap(icon="arrow-left", kind="quiet", on_tap=self._leave_inner, name="back")
        top = Row([back, Field(typing, self.t("ui.new-name")).fill()])
        return Page(top, Column([]), Keyboard(typing, self.t("ui.new-known")))

    # What lies before each

    def _to_cards(self) -> None:
        self.seat = 0
        self.desk.remember(
            tuple(Person(name, look_of(mark)) for name, mark in zip(self.people, self.marks, strict=True))
        )
        self._go("cards")

    def _cards_page(self) -> Part:
        self.seat = min(self.seat, len(self.people) - 1)
        name = self.people[self.seat]
        cards = self.tableaux[name]
        tabs = Flow([self._tab(n, who) for n, who in enumerate(self.people)])
        add = Column(
            [
                Tap(
                    self.t("ui.so-sweep"),
                    self._start_sweep,
                    icon="camera",
                    kind="plain" if cards else "main",
                    name="sweep",
                ),
                Tap(self.t("ui.so-search"), self._look, icon="magnify", name="search"),
                Words(self.t("ui.so-cards-how"), "note", "dim") if cards else None,
            ]
        )
        catalogue = self.catalogue
        lying: list[Part] = [
            Tap(
                catalogue[card].name,
                lambda card=card: self._take_away(card),
                part=Icon("close", "body", "dim"),
                kind="quiet",
                align="left",
                name=f"card-{card}",
            )
            for card in cards
        ]
        head = Words(self.desk.words(count("ui.so-cards", len(cards))), "body", "accent", bold=True)
        left = Column([head, *lying], gap=6)
        body: Part = (
            Page(
                tabs,
                Split([Scroll(left, key=f"so-cards-{name}"), Scroll(add, key="so-add")], (1.25, 1)),
            )
            if self.app.look.wide
            else Scroll(Column([tabs, add, left], gap=12), key=f"so-cards-{name}")
        )
        return self._page(self.t("ui.so-cards-title"), body, self._next_seat())

    def _next_seat(self) -> Part:
        """To the next seat nobody looked at yet, then to the numbers."""
        empty = [n for n, name in enumerate(self.people) if not self.tableaux[name] and n != self.seat]
        if empty:
            words, deed = (
                self.t("ui.so-next-seat", name=self.people[empty[0]]),
                lambda: self._turn_to(empty[0]),
            )
        else:
            words, deed = self.t("ui.new-next"), lambda: self._go("numbers")
        done = bool(self.tableaux[self.people[self.seat]])
        return Tap(words, deed, icon="chevron-right", kind="main" if done else "plain", name="next")

    def _tab(self, seat: int, name: str) -> Part:
        words = f"{name} {len(self.tableaux[name])}"
        return Tap(
            words,
            lambda: self._turn_to(seat),
            lead=Badge(self.marks[seat], 34),
            chosen=seat == self.seat,
            name=f"of-{seat}",
        )

    def _turn_to(self, seat: int) -> None:
        self.seat = seat
        self.app.refresh()

    def _take_away(self, card: str) -> None:
        name = self.people[self.seat]
        self.cards[name] = tuple(c for c in self.tableaux[name] if c != card)
        self.app.refresh()

    def _put(self, cards: tuple[str, ...]) -> None:
        name = self.people[self.seat]
        there = self.tableaux[name]
        self.cards[name] = (*there, *(card for card in cards if card not in there))

    # By typing

    def _look(self) -> None:
        self.search = Search(self, self.t("ui.search-hint"), self._leave_inner)
        self.app.refresh()

    def _searching(self, search: Search) -> Part:
        there = {card for cards in self.tableaux.values() for card in cards}
        mine = self.tableaux[self.people[self.seat]]
        fitting = [
            c
            for c in self.catalogue
            if c.id not in mine and (c.copies > 1 or c.id not in there) and search.matches(c.name)
        ]
        taps = [
            Tap(c.name, lambda c=c: self._found(c.id), icon="plus", name=f"add-{c.id}") for c in fitting[:12]
        ]
        there_now = self.desk.words(count("ui.so-cards", len(mine)))
        summary = (
            f"{self.desk.words(count('ui.found', len(fitting)))} · {self.people[self.seat]}: {there_now}"
        )
        show = self.desk.words(count("ui.show-found", len(fitting)))
        return search.page(taps, summary, show, self.t("ui.found-none"))

    def _found(self, card: str) -> None:
        assert self.search is not None
        self._put((card,))
        self.search.typing.text, self.search.listed = "", False
        self.app.sound("accepted")
        self.app.refresh()

    # With the camera

    def _start_sweep(self) -> None:
        from vision.sweep import Sweep

        last = self.app.lookout.latest()
        # The newest picture may still show what lies before somebody else.
        self.sweep, self._frame, self._old = Sweep(), None, last and last.frame
        self.app.lookout.wait_for_scan(True)
        self.app.refresh()

    def _stop_sweep(self) -> None:
        if self.sweep is not None:
            self.sweep = None
            self.app.lookout.wait_for_scan(False)

    def leave(self) -> None:
        self._stop_sweep()

    def _swept(self) -> tuple[str, ...]:
        from companion import seeing

        known = self.catalogue
        return tuple(card for card in seeing.tableau_in(self.rules, self.sweep) if card in known)

    def tick(self) -> None:
        """Look at the newest picture; what it shows is told beside it."""
        look = self.app.lookout.latest() if self.sweep is not None else None
        if look is None or look.frame is self._frame or look.frame is self._old:
            return
        from companion import seeing
        from companion.ui.camera_picture import KNOWN, NEW, Framed

        before = self._swept()
        self._frame, self.sweep = look.frame, self.sweep.see(look.sightings)
        if self._picture is not None:
            book = seeing.book(self.rules)
            self._labels = [
                Framed(s.text, s.corners, NEW if book.piece(s.text) is not None else KNOWN)
                for s in look.sightings
            ]
            self._picture.see(look.frame.picture, self._labels)
        if self._swept() != before:
            self.app.sound("accepted")
            self.app.refresh()

    def _why_blind(self) -> str:
        trouble = self.app.lookout.trouble()
        return self.t("ui.so-no-picture") if trouble is None else self.desk.words(trouble)

    def _sweeping(self) -> Part:
        from companion.ui.camera_picture import CameraPicture

        found = self._swept()
        self._picture = CameraPicture()
        if self._frame is not None:
            self._picture.see(self._frame.picture, self._labels)
        head = Words(self.desk.words(count("ui.so-seen", len(found))), "body", "accent", bold=True)
        names = [Words(self.catalogue[card].name, "note") for card in reversed(found)]
        blind = None
        if self._frame is None:
            blind = Words(self._why_blind(), "body", "dim")
        seen = Scroll(Column([blind, head, *names], gap=4), key="so-seen")
        take = Tap(
            self.desk.words(count("ui.so-take", len(found))),
            self._take_swept,
            icon="check",
            kind="main",
            name="take",
        )
        back = Tap(icon="arrow-left", kind="quiet", on_tap=self._leave_inner, name="back")
        title = Words(self.t("ui.so-sweep-of", name=self.people[self.seat]), "prompt", bold=True)
        top = Row([back, Badge(self.marks[self.seat], 40), title.fill()])
        lying = Window.width > Window.height
        body = Split([self._picture, seen], (1.6, 1)) if lying else Page(self._picture, seen)
        return Page(top, body, take if found else None)

    def _take_swept(self) -> None:
        self._put(self._swept())
        self._stop_sweep()
        self.app.refresh()

    # What cannot be seen

    def _numbers_page(self) -> Part:
        outcome = self.outcome()
        rows: list[Part] = [self._number(n, text) for n, text in enumerate(outcome.asked)]
        parts: list[Part] = [self.panel(*rows, title=self.t("ui.so-numbers"), gap=12)] if rows else []
        if outcome.problems:
            parts.insert(0, self._problems(outcome.problems))
        show = None
        if outcome.sheet is not None:
            sheet = outcome.sheet
            show = Tap(
                self.t("ui.show-score"),
                lambda: self.app.go("score", sheet=sheet),
                icon="trophy",
                kind="main",
                name="show",
            )
        return self._page(self.t("ui.so-numbers-title"), Scroll(Column(parts), key="so-numbers"), show)

    def _number(self, n: int, text: Text) -> Part:
        name = named(text)

        def change(value: int) -> None:
            self.numbers[name] = max(0, value)
            self.app.refresh()

        return Counted(self.desk.words(text), stepper(str(n), self.numbers.get(name, 0), change, far=True))

    def _problems(self, problems: tuple[Text, ...]) -> Part:
        lines = [
            Row([Icon("alert-circle", "prompt", "bad"), Words(self.desk.words(text), "body").fill()])
            for text in problems
        ]
        mend = Tiles(
            [
                Tap(self.t("ui.so-mend-cards"), lambda: self._go("cards"), icon="cards", name="mend-cards"),
                Tap(
                    self.t("ui.so-mend-people"),
                    lambda: self._go("people"),
                    icon="account",
                    name="mend-people",
                ),
            ],
            240,
        )
        head = Words(self.desk.words(count("score.problems", len(problems))), "body", bold=True)
        return Panel(Column([head, *lines, mend]), edge="bad")
