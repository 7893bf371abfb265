"""Score only: for a table played without the app. Show the tableaux, enter some numbers, read the sheet."""

from __future__ import annotations

from collections import Counter as Tally
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING

import msgspec
from msgspec.structs import replace

from companion.core.components import Facts
from companion.core.game import LONGEST_NAME, Game, Variant
from companion.core.questions import Answer, Question
from companion.core.words import Text, count, say
from companion.results.score_only import Scored, Unplayed, scored_games, variants
from companion.table.counting import Entered, TableCounted, with_entry
from companion.table.desk import mark_index
from companion.table.settings import Person
from companion.ui.screens.score_only.face_grid import FaceGrid
from companion.ui.screens.score_only.gathering import Gathering
from companion.ui.screens.score_only.unseen import Telling
from companion.ui.toolkit.draw import Badge
from companion.ui.toolkit.keyboard import Keyboard, TextField, Typing
from companion.ui.toolkit.kit import (
    Column,
    Flow,
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
from companion.ui.toolkit.screen import Screen
from companion.ui.toolkit.shared_room import IconBeside
from companion.ui.toolkit.snug import Snug
from companion.ui.toolkit.stepper import Search
from companion.ui.toolkit.theme import SMALLEST_WORDS
from companion.ui.toolkit.tiles import Tile

if TYPE_CHECKING:
    from companion.table.signals import Outcome
    from companion.ui.toolkit.context import Context

ESCAPE = "27"

KNOWN = 12
"""This many known people are offered."""


class ScoreOnly(Screen):
    """The players, what lies there and who owns it, and what cannot be seen, such as chips and hands."""

    name = "score-only"

    def __init__(
        self,
        app: Context,
        game: Game | None = None,
        seats: tuple[str, ...] = (),
        choices: Mapping[str, str] | None = None,
        known: Mapping[str, int] | None = None,
        finishing: Question | None = None,
    ) -> None:
        """The game, the people and some numbers may be known; `finishing` is the question of a light play whose
        answer is the finished table."""
        super().__init__(app)
        self.finishing = finishing
        rules = game or scored_games()[0]
        told = (known or {}) if finishing is None else finishing.finished or {}
        self.played = Unplayed(rules, seats, self._matter(rules, choices or {}), told=dict(told))
        self.step = self.steps[1] if seats else "people"
        self.seat: int | None = 0
        self.typing: Typing | None = None
        self.search: Search | None = None
        self.sweeping: Gathering | None = None
        self.telling = Telling(self)
        self.grid = FaceGrid(self)
        self._counted = TableCounted()
        """What phones know of this table."""
        self._learn()

    # What is known so far

    @property
    def rules(self) -> Game:
        """The game that was played."""
        return self.played.rules

    @property
    def people(self) -> tuple[str, ...]:
        """The players."""
        return self.played.seats

    @property
    def steps(self) -> tuple[str, ...]:
        """The pages in order; only some games have components in the middle of the table."""
        middle = ("between",) if self.played.between else ()
        return ("people", *middle, "cards", "numbers")

    def _matter(self, rules: Game, choices: Mapping[str, str]) -> dict[str, str]:
        """The variants that a finished table has a field for."""
        return {one.id: choices[one.id] for one in variants(rules) if one.id in choices}

    @property
    def _first(self) -> str:
        """The first page: people are known at the end of a play."""
        return self.steps[1] if self.finishing is not None else "people"

    def _learn(self) -> None:
        """Load what the owner taught about the box."""
        rules = self.rules

        def taught(facts: Facts) -> None:
            if self.rules is rules:
                self.know(replace(self.played, facts=facts))

        self.desk.look_up_facts(rules, taught)

    def know(self, played: Unplayed) -> None:
        """Store this as the current knowledge."""
        self.played = played
        self.app.refresh()

    def _show_phones(self, shown: bool = False) -> None:
        """Let each seat enter its own on its phone, once it is known who played; in the end, show the sheet."""
        counted = TableCounted(None if self.step == "people" else self.played, shown)
        self.desk.entered = self._entered
        if counted != self._counted:
            self._counted = counted
            self.desk.show_count(counted)

    def _entered(self, entry: Entered) -> None:
        """A phone entered something."""
        if self.step != "people" and not self._counted.shown:
            self.know(with_entry(self.played, entry))

    def _name(self, component: str) -> str:
        return self.desk.words(self.played.catalogue[component].called)

    def build(self) -> Part:
        self.marks = self.desk.marks(tuple(self.people))
        self._show_phones()
        if self.typing is not None:
            return self._typing_page(self.typing)
        if self.search is not None:
            return self._searching(self.search)
        if self.sweeping is not None:
            return self._sweeping(self.sweeping)
        if self.telling.choosing is not None:
            return self.telling.choosing.page()
        pages = {
            "people": self._people_page,
            "between": self._faces_page,
            "cards": self._faces_page,
            "numbers": self._numbers_page,
        }
        return pages[self.step]()

    def _page(self, title: str, body: Part, bottom: Part | None, actions: Iterable[Part] = ()) -> Part:
        back = Tap(icon="arrow-left", kind="quiet", on_tap=self.back, name="back")
        return Page(Row([back, Words(title, "title", bold=True).fill(), *actions]), body, bottom)

    def back(self) -> None:
        """Go to the step before, and from the first one to the previous screen."""
        if self.step == self._first:
            self.app.back()
            return
        self._go(self.steps[self.steps.index(self.step) - 1])

    def _go(self, step: str) -> None:
        self.step, self.seat, self.telling, self.grid = step, 0, Telling(self), FaceGrid(self)
        self.app.refresh()

    def typed(self, key: str, character: str | None) -> bool:
        if key == ESCAPE:
            inside = self._inner() or self.step != self._first
            if inside:
                self._leave_inner()
            return inside
        typing = self.typing or (self.search.typing if self.search is not None else None)
        return typing is not None and typing.typed(key, character)

    def _inner(self) -> bool:
        """Whether something is in front of the page: a keyboard, a list, the camera."""
        return any(
            inner is not None for inner in (self.typing, self.search, self.telling.choosing, self.sweeping)
        )

    def _leave_inner(self) -> None:
        if not self._inner():
            self.back()
            return
        self._stop_sweep()
        self.typing = self.search = self.telling.choosing = None
        self.app.refresh()

    # Players and game

    def _people_page(self) -> Part:
        low, high = self.rules.box.seats[0], self.rules.box.seats[-1]
        how = Words(self.t("ui.so-how"), "body", "dim")
        left = Column([*self._game_taps(), *self._variant_taps(), how])
        who = Words(self.t("ui.so-people", low=low, high=high), "body", "accent", bold=True)
        others = Column([who, *self._everybody()], gap=12)
        ready = len(self.people) in self.rules.box.seats
        go_on = Tap(
            self.t("ui.new-next"),
            self._seated
            if ready
            else partial(self.app.tell, say("ui.so-people", low=low, high=high), "refused"),
            icon="chevron-right",
            kind="main" if ready else "quiet",
            name="next",
        )
        body: Part = (
            Split([Scroll(left, key="so-games"), Scroll(others, key="so-seats")], (1.1, 1))
            if self.app.theme.wide
            else Scroll(Column([left, others], gap=14), key="so-seats")
        )
        return self._page(self.t("ui.home-score-only"), body, go_on)

    def _game_taps(self) -> list[Part]:
        if len(scored_games()) == 1:
            return [Row([Icon("cards", "body", "dim"), Words(self.rules.box.name, "body").fill()])]
        return [
            Flow(
                [
                    Tap(
                        rules.box.called,
                        partial(self._play, rules),
                        chosen=rules.id == self.rules.id,
                        name=f"game-{rules.id}",
                    )
                    for rules in scored_games()
                ]
            )
        ]

    def _play(self, rules: Game) -> None:
        self.know(Unplayed(rules, self.people))
        self._learn()

    def _everybody(self) -> list[Part]:
        """Known people. Players keep their place in the list, marked; a second touch removes them."""
        known = [person.name for person in self.desk.settings.people[:KNOWN]]
        names = list(dict.fromkeys([*known, *self.people]))
        somebody = Tap(self.t("ui.new-somebody"), self._type, icon="account-plus", name="somebody", tall=60)
        return [somebody, Tiles([self._person(name) for name in names], 170)]

    def _person(self, name: str) -> Part:
        here = name in self.people
        mark = self.marks[self.people.index(name)] if here else self.desk.marks((name,))[0]
        full = not here and len(self.people) >= self.rules.box.seats[-1]
        return Tap(
            name,
            partial(self._drop if here else self._sit, name),
            lead=Badge(mark, 34),
            part=Icon("check-circle" if here else "circle-outline", "body", "accent" if here else "dim"),
            kind="quiet" if full else "plain",
            chosen=here,
            name=f"person-{name}",
        )

    def _variant_taps(self) -> list[Part]:
        parts: list[Part] = []
        for variant in variants(self.rules):
            called = self.desk.words(self.rules.box.variant_text(variant.id))
            parts.append(Words(called, "body", "accent", bold=True))
            parts.append(Flow([self._value(variant, value) for value in variant.values]))
        return parts

    def _value(self, variant: Variant, value: str) -> Part:
        words = self.desk.words(self.rules.box.value_text(variant.id, value))
        chosen = self.played.choices.get(variant.id, variant.values[0]) == value
        icon = "check-circle" if chosen else "circle-outline"
        return Tap(
            words,
            lambda: self._agree(variant, value),
            icon=icon,
            chosen=chosen,
            name=f"{variant.id}-{value}",
        )

    def _agree(self, variant: Variant, value: str) -> None:
        self.know(replace(self.played, choices={**self.played.choices, variant.id: value}))

    def _sit(self, name: str) -> None:
        if len(self.people) < self.rules.box.seats[-1]:
            self.know(self.played.seated((*self.people, name)))

    def _drop(self, name: str) -> None:
        self.know(self.played.seated(tuple(other for other in self.people if other != name)))

    def _type(self) -> None:
        self.typing = Typing("", lambda: None, self._named, longest=LONGEST_NAME, name=True)
        self.app.refresh()

    def _named(self) -> None:
        assert self.typing is not None
        name = self.typing.text.strip()
        self.typing = None
        if name and name not in self.people:
            self.played = self.played.seated((*self.people, name))
        self.app.refresh()

    def _typing_page(self, typing: Typing) -> Part:
        back = Tap(icon="arrow-left", kind="quiet", on_tap=self._leave_inner, name="back")
        top = Row([back, TextField(typing, self.t("ui.new-name")).fill()])
        return Page(top, Column([]), Keyboard(typing, self.t("ui.new-known")))

    def _seated(self) -> None:
        self.desk.remember(
            tuple(Person(name, mark_index(mark)) for name, mark in zip(self.people, self.marks, strict=True))
        )
        self._go(self.steps[1])

    # What lies in the middle of the table or before each seat, and who owns it

    def _faces_page(self) -> Part:
        self.seat = min(self.seat or 0, len(self.people) - 1)
        return self.grid.page(self._next_seat())

    def _next_seat(self) -> Tile:
        """The button to the next seat without any entry, then on; boards beside a map are optional."""
        of = self.played.owned if self.step == "between" else self.played.mine
        optional = bool(self.played.between) and self.step == "cards"
        empty = [n for n, name in enumerate(self.people) if not of(name) and n > (self.seat or 0)]
        if empty and not optional:
            words = self.t("ui.so-next-seat", name=self.people[empty[0]])
            deed = partial(self.turn_to, empty[0])
        else:
            words, deed = (
                self.t("ui.new-next"),
                partial(self._go, self.steps[self.steps.index(self.step) + 1]),
            )
        done = optional or bool(of(self.people[self.seat or 0]))
        tone = "on_main" if done else "text"
        label = Snug(words, 26, SMALLEST_WORDS, tone, bold=done, lines=2)
        content = IconBeside(Icon("chevron-right", "body", tone), label)
        return Tile(content, deed, "next", ground="main" if done else "raised", pad=6)

    def turn_to(self, seat: int) -> None:
        """Faces are entered for this seat from now on."""
        self.seat = seat
        self.app.refresh()

    # By typing

    def open_search(self) -> None:
        """Search for a piece by its name."""
        self.search = Search(self, self.t("ui.search-hint"), self._leave_inner)
        self.app.refresh()

    def _can_be_added(self) -> Iterator[str]:
        """Components of the box that do not lie here yet."""
        middle = set(self.played.between)
        if self.step == "between":
            yield from (id for id in self.played.between if id not in self.played.owners)
            return
        lying = Tally(card for name in self.people for card in self.played.mine(name))
        yield from (c.id for c in self.played.catalogue if c.id not in middle and lying[c.id] < c.copies)

    def _searching(self, search: Search) -> Part:
        fitting = [id for id in self._can_be_added() if search.matches(self.played.catalogue[id].called)]
        taps = [
            Tap(self._name(id), partial(self._found, id), icon="plus", name=f"add-{id}")
            for id in fitting[:12]
        ]
        summary = self.desk.words(count("ui.found", len(fitting)))
        if self.step == "cards" and self.seat is not None:
            name = self.people[self.seat]
            there_now = self.desk.words(count("ui.so-cards", len(self.played.mine(name))))
            summary = f"{summary} · {name}: {there_now}"
        show = self.desk.words(count("ui.show-found", len(fitting)))
        return search.page(taps, summary, show, self.t("ui.found-none"))

    def _found(self, component: str) -> None:
        assert self.search is not None
        if self.step == "between":
            self.played = self.played.seen_between((component,))
            if self.seat is not None:
                self.played = self.played.given(component, self.people[self.seat])
        elif self.seat is not None:
            self.played = self.played.added(self.people[self.seat], component)
        self.search.typing.text, self.search.listed = "", False
        self.app.voice.sound("accepted")
        self.app.refresh()

    # With the camera

    def start_sweep(self) -> None:
        """Show pieces to the camera."""
        middle, known = set(self.played.between), self.played.catalogue
        wanted = self.step == "between"
        self.sweeping = Gathering(self, self.rules, known, lambda c: c in known and (c in middle) == wanted)
        self.app.refresh()

    def _stop_sweep(self) -> None:
        if self.sweeping is not None:
            self.sweeping.stop()
            self.sweeping = None

    def leave(self) -> None:
        self._stop_sweep()
        self.desk.entered = lambda entry: None
        if not self._counted.shown:
            self.desk.show_count(TableCounted())
        self._counted = TableCounted()

    def tick(self) -> None:
        if self.sweeping is not None:
            self.sweeping.check_camera()

    def _sweeping(self, sweeping: Gathering) -> Part:
        back = Tap(icon="arrow-left", kind="quiet", on_tap=self._leave_inner, name="back")
        if self.step == "between" or self.seat is None:
            title, badge = self.t("ui.so-between-title"), None
        else:
            title = self.t("ui.so-sweep-of", name=self.people[self.seat])
            badge = Badge(self.marks[self.seat], 40)
        top = Row([back, badge, Words(title, "prompt", bold=True).fill()])
        return sweeping.page(top, self._name, self._take_swept)

    def _take_swept(self) -> None:
        assert self.sweeping is not None
        found = self.sweeping.found
        if self.step == "between":
            self.played = self.played.seen_between(found)
        elif self.seat is not None:
            self.played = self.played.seen_before(self.people[self.seat], found)
        self._stop_sweep()
        self.app.refresh()

    # What cannot be seen

    def _numbers_page(self) -> Part:
        outcome = self.played.outcome()
        problems = self._problems(outcome.problems) if outcome.problems else None
        body, unseen = self.telling.body(outcome.asked, self._told, problems)
        return self._page(self.t("ui.so-numbers-title"), body, unseen or self._shown(outcome))

    def _told(self, counter: str, value: int) -> None:
        self.know(self.played.tell(counter, value))

    def _shown(self, outcome: Scored) -> Part | None:
        """The button to the sheet, once there is one."""
        if outcome.sheet is None:
            return None
        return Tap(
            self.t("ui.show-score"), lambda: self._show(outcome), icon="trophy", kind="main", name="show"
        )

    def _show(self, outcome: Scored) -> None:
        """Store facts about the box in the binder, and show the sheet of this table; at the end of a light
        play, the table is its last answer."""
        if self.finishing is not None and outcome.position is not None:
            told = msgspec.json.encode(outcome.position).decode()
            self.desk.propose(Answer(self.finishing.seat, self.finishing.slug, told))
            return
        self.desk.keep_facts(self.rules, outcome.facts, ", ".join(self.people))
        self._show_phones(shown=True)
        self.app.go("score", sheet=outcome.sheet)

    def tells_of(self, outcome: Outcome) -> bool:
        """Show the score once the play that was counted is over."""
        if self.finishing is not None and outcome.changed and outcome.session.over:
            self.app.back()
            self.app.go("score")
        return False

    def _problems(self, problems: tuple[Text, ...]) -> Part:
        lines = [
            Row([Icon("alert-circle", "prompt", "bad"), Words(self.desk.words(text), "body").fill()])
            for text in problems
        ]
        mend = Tiles(
            [
                *self._mend(),
                *self._mend_people(),
            ],
            240,
        )
        head = Words(self.desk.words(count("score.problems", len(problems))), "body", bold=True)
        return Plate(Column([head, *lines, mend]), edge="bad")

    def _mend_people(self) -> list[Part]:
        if self.finishing is not None:
            return []
        deed = partial(self._go, "people")
        return [Tap(self.t("ui.so-mend-people"), deed, icon="account", name="mend-people")]

    def _mend(self) -> list[Part]:
        cards = Tap(self.t("ui.so-mend-cards"), lambda: self._go("cards"), icon="cards", name="mend-cards")
        middle = Tap(
            self.t("ui.so-mend-between"), lambda: self._go("between"), icon="map", name="mend-between"
        )
        return [middle, cards] if self.played.between else [cards]
