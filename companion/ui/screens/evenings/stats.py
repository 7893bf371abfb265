"""Statistics over the evenings of one game, with one number of seats, or of one person."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from companion.core.game import full_game
from companion.core.words import count, decimal, say
from companion.drawing.charts import ChartBar
from companion.results.evenings import FEW, MARKS, Evening, Figures, Pair, chosen, figures
from companion.results.sheets import sheet_words
from companion.ui.screens.evenings.shown import day, game_name, look_up, span
from companion.ui.screens.score.chart import Bars
from companion.ui.toolkit.draw import Badge
from companion.ui.toolkit.kit import Column, Flow, Part, Plate, Row, Scroll, Split, Tap, Words
from companion.ui.toolkit.screen import Screen
from scoring.sheet import Sheet

if TYPE_CHECKING:
    from companion.ui.toolkit.context import Context

MOST_PEOPLE = 6
"""As many as there are marks."""
MOST_ROWS = 12


class Stats(Screen):
    """Counts always; averages only where they are honest (`Figures.average`)."""

    name = "stats"

    def __init__(self, app: Context) -> None:
        super().__init__(app)
        self.every: tuple[Evening, ...] | None = None
        self.read = 0
        self.game = ""
        self.seats = 0
        self.person = ""
        self.figures: Figures | None = None

    def enter(self) -> None:
        look_up(self, self._found, self._progress)

    def _progress(self, read: int) -> None:
        self.read = read
        if self.app.screen is self and self.every is None:
            self.app.refresh()

    def _found(self, every: tuple[Evening, ...]) -> None:
        if self.every is None and every:  # begin with what is played most
            games = figures(every).games
            self.game = max(games, key=lambda game: games[game], default="")
        self.every = every
        self._count()

    def _count(self) -> None:
        """Count in the background: thousands of plays take a while."""
        those = chosen(self.every or (), self.game, self.person, self.seats)

        def counted(found: Figures) -> None:
            self.figures = found
            if self.app.screen is self:
                self.app.refresh()

        self.app.thread_pool.do(lambda: figures(those), counted, lambda trouble: None)

    def _choose(self, game: str | None = None, seats: int | None = None, person: str | None = None) -> None:
        self.game = self.game if game is None else game
        self.seats = self.seats if seats is None else seats
        self.person = self.person if person is None else person
        self._count()

    # What is shown

    def build(self) -> Part:
        title = self.t("ui.stats")
        people = Tap(icon="account", kind="quiet", on_tap=lambda: self.app.go("people"), name="people")
        take = Tap(
            icon="share-variant", kind="quiet", on_tap=lambda: self.app.go("take-along"), name="take-along"
        )
        found = self.figures
        if self.every is None or found is None:
            told = self.desk.words(count("ui.plays-read", self.read))
            return self.page(title, Column([Words(told, "body", "dim")]), actions=[people, take])
        if not self.every:
            return self.page(title, Column([Words(self.t("ui.plays-none"), "body", "dim")]))
        parts: list[Part | None] = [self._choices(found), Words(self._plays(found), "note", "dim")]
        if found.results:
            wins, pairs = self._wins(found), self._pairs(found)
            parts.append(
                Split([wins, pairs], (1.2, 1)) if self.app.theme.wide and pairs else Column([wins, pairs])
            )
            parts += [
                self._records(found),
                self._sources(found),
                self._cards(found, "openings"),
                self._cards(found, "cards"),
            ]
        return self.page(
            title,
            Scroll(Column(parts), key=f"stats-{self.game}-{self.seats}-{self.person}"),
            actions=[people, take],
        )

    def _choices(self, found: Figures) -> Part:
        """The games that were played, the numbers of seats, and the person if one is chosen."""
        every = figures(self.every or ()) if len(self.every or ()) < 1000 else found
        games = dict.fromkeys(
            (*sorted(every.games, key=lambda g: -every.games[g])[:6], *([self.game] if self.game else []))
        )
        taps: list[Part] = [
            Tap(
                game_name(self.desk, game),
                partial(self._choose, game=game, seats=0),
                chosen=game == self.game,
                size="note",
                name=f"game-{game}",
            )
            for game in games
        ]
        taps.append(
            Tap(
                self.t("ui.stats-all-games"),
                partial(self._choose, game="", seats=0),
                chosen=not self.game,
                size="note",
                name="all-games",
            )
        )
        sizes = sorted({len(one.seats) for one in chosen(self.every or (), self.game) if one.over})
        if len(sizes) > 1:
            taps += [
                Tap(
                    self.desk.words(count("ui.stats-seats", n)),
                    partial(self._choose, seats=0 if n == self.seats else n),
                    chosen=n == self.seats,
                    size="note",
                    name=f"seats-{n}",
                )
                for n in sizes
            ]
        if self.person:
            taps.append(
                Tap(
                    self.person,
                    partial(self._choose, person=""),
                    icon="close",
                    chosen=True,
                    size="note",
                    name="everybody",
                )
            )
        return Flow(taps, gap=8, lines=0)

    def _plays(self, found: Figures) -> str:
        told = [self.desk.words(count("ui.plays-in-all", found.results))]
        length = found.length()
        if length is not None:
            told.append(self.t("ui.stats-length", span=span(length), n=found.timed))
        told += [
            self.desk.words(say("ui.stats-marked", mark=say(f"ui.mark-{mark}"), n=found.marks[mark]))
            for mark in MARKS
            if found.marks.get(mark)
        ]
        if not found.comparable:
            told.append(self.t("ui.stats-mixed"))
        elif found.results < FEW:
            told.append(self.t("ui.stats-few", n=FEW))
        return " · ".join(told)

    def _wins(self, found: Figures) -> Part:
        people = found.people[:MOST_PEOPLE]
        marks = self.desk.marks(tuple(person.name for person in people))
        rows = []
        for person, mark in zip(people, marks, strict=True):
            average = found.average(person)
            strong = "" if average is None else self.desk.words(decimal(average))
            of = self.desk.words(say("ui.stats-of", n=person.plays))
            rows.append(ChartBar(person.name, person.wins, mark.colour, mark.shape, mark.letter, of, strong))
        taps = [
            Tap(
                person.name,
                partial(self._choose, person=person.name),
                size="detail",
                lead=Badge(mark, 24),
                name=f"only-{person.name}",
            )
            for person, mark in zip(people, marks, strict=True)
        ]
        head = self.t("ui.stats-wins-average" if any(row.strong for row in rows) else "ui.stats-wins")
        return self.panel(Bars(rows), Flow(taps, gap=6, lines=0) if not self.person else None, title=head)

    def _pairs(self, found: Figures) -> Part | None:
        """A row per person: how often ahead of and behind each other one."""
        names = [person.name for person in found.people[:4]]
        if len(names) < 2:
            return None
        marks = self.desk.marks(tuple(names))
        shares = [1.0] * (len(names) + 1)
        rows: list[Part] = [Split([Words(""), *(Badge(mark, 26) for mark in marks)], shares, gap=4)]
        for name, mark in zip(names, marks, strict=True):
            cells: list[Part] = [Badge(mark, 26)]
            cells += [Words("") if other == name else self._pair(found.pair(name, other)) for other in names]
            rows.append(Split(cells, shares, gap=4))
        return self.panel(*rows, title=self.t("ui.stats-pairs"), gap=6)

    def _pair(self, pair: Pair) -> Part:
        if not pair.plays:
            return Words("–", "detail", "dim", align="center")
        tone = (
            "dim"
            if pair.plays < FEW or pair.ahead == pair.behind
            else "good"
            if pair.ahead > pair.behind
            else "bad"
        )
        return Words(f"{pair.ahead}:{pair.behind}", "detail", tone, bold=pair.plays >= FEW, align="center")

    def _records(self, found: Figures) -> Part | None:
        by_id, told = {one.id: one for one in self.every or ()}, []
        records = found.records
        if found.comparable and (best := by_id.get(records.best)) is not None:
            seat = max(best.seats, key=lambda seat: -(10**9) if seat.points is None else seat.points)
            told.append(
                self.t("ui.stats-best", name=seat.name, points=seat.points or 0, day=day(self.desk, best.at))
            )
        if (closest := by_id.get(records.closest)) is not None and closest.margin is not None:
            told.append(self.t("ui.stats-closest", n=closest.margin, day=day(self.desk, closest.at)))
        runs = [person for person in found.people if person.run.longest > 1]
        if runs:
            most = max(runs, key=lambda person: person.run.longest)
            told.append(self.desk.words(count("ui.stats-run", most.run.longest, name=most.name)))
        slow = [p for p in found.people if p.thoughtful >= FEW]
        if slow and found.comparable:
            told += [
                self.t("ui.stats-thought", name=p.name, span=span(p.thought / p.thoughtful))
                for p in slow[:MOST_PEOPLE]
            ]
        return Plate(Words(" · ".join(told), "note"), pad=12) if told else None

    def _sources(self, found: Figures) -> Part | None:
        """Where the points came from: the sum over all seats, as a share of a bar."""
        if len(found.games) != 1:
            return None
        (game,) = found.games
        sums: dict[str, int] = {}
        words = sheet_words(Sheet(game, (), ()))
        for person in found.people:
            for what, points in person.sources.items():
                name = self.desk.words(words.words(words.sort(what) or what))
                sums[name] = sums.get(name, 0) + points
        rows = [
            Row([Words(name, "note").fill(), Words(str(points), "note", bold=True)])
            for name, points in sorted(sums.items(), key=lambda item: -item[1])[:MOST_ROWS]
        ]
        return self.panel(*rows, title=self.t("ui.stats-sources"), gap=2) if rows else None

    def _cards(self, found: Figures, which: str) -> Part | None:
        """First choices, or components that earned points: how often, how often with a win, points."""
        if len(found.games) != 1 or (rules := full_game(next(iter(found.games)))) is None:
            return None
        those, box = getattr(found, which), rules.usual_box()
        rows = []
        for what, played in sorted(those.items(), key=lambda item: (-item[1].times, item[0]))[:MOST_ROWS]:
            name = self.desk.words(box[what].called) if what in box else what
            told = self.t("ui.stats-card", n=played.times, wins=played.wins)
            if which == "cards":
                told = f"{told} · {self.desk.words(count('ui.stats-points', played.points))}"
            rows.append(Row([Words(name, "note").fill(), Words(told, "note", "dim")]))
        return self.panel(*rows, title=self.t(f"ui.stats-{which}"), gap=2) if rows else None
