"""Home: what this is, go on with the play, the same people again, another game, and the way to everything else."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from companion.core.binder import Binder
from companion.core.census import Progress
from companion.core.game import Game, Setup, games
from companion.core.journal import Journal, PlayRow
from companion.texts import capital
from companion.ui.toolkit.covers import Cover, CoverTap, cover_of, drawing
from companion.ui.toolkit.draw import Badge
from companion.ui.toolkit.kit import Column, Flow, Icon, Page, Part, Row, Scroll, Tap, Tiles, Words
from companion.ui.toolkit.screen import Screen

if TYPE_CHECKING:
    from companion.app import CompanionApp

MUCH = 20
"""A box of which so many things are not told as it is printed is one to teach."""

SHOWN = 6
"""So many games have their cover here; with more of them the last cover is the way to all."""


class Home(Screen):
    """The first screen."""

    name = "home"

    def __init__(self, app: CompanionApp) -> None:
        super().__init__(app)
        self.untold: tuple[Game, Progress] | None = None
        """A box people use of which much is not told yet."""

    def enter(self) -> None:
        def found(untold: tuple[Game, Progress] | None) -> None:
            if untold != self.untold:
                self.untold = untold
                self.app.refresh()

        self.desk.clerk.do(_much_untold, found, lambda trouble: None)

    def build(self) -> Part:
        told = Column(
            [
                Words(self.t("ui.title"), "prompt", bold=True),
                Words(self.t("ui.welcome"), "note", "dim"),
            ],
            gap=0,
        )
        cog = Tap(icon="cog", kind="quiet", on_tap=lambda: self.app.go("settings"), name="settings")
        top = Row([Icon("cards", "number", "accent"), told.fill(), cog])
        before = [self._resume(), self._again(), self._teach()]
        lines: list[Part] = [
            Tiles([part for part in before if part is not None], 320, gap=8).spread(60)
            if any(before)
            else Column([]),
            Tiles([*self._games(), *self._shows()], 168, gap=8).spread(140),
            Tiles(self._others(), 168, gap=8).spread(16),
        ]
        return Page(top, Scroll(Column(lines, gap=8), key="home"), gap=8)

    # What was played before

    def _resume(self) -> Part | None:
        running = self.desk.running
        if running is None:
            return None
        rules = games().get(running.game)
        head = Row(
            [
                Icon("play", "title", "on_main"),
                Words(self.t("ui.go-on"), "title", "on_main", bold=True).fill(),
            ]
        )
        words = [
            head,
            Words(running.game if rules is None else rules.box.name, "note", "on_main"),
            Words(running.title, "note", "on_main"),
        ]
        return Tap(
            lead=None if rules is None or not self.app.look.wide else Cover(cover_of(rules.id), 110),
            part=Column(words, gap=2).fill(),
            on_tap=lambda: self.desk.resume(running.id),
            kind="main",
            name="resume",
            tall=112,
        )

    def _again(self) -> Part | None:
        """The people and the game of last time: only the table is to be set up."""
        setup = self._last()
        if setup is None:
            return None
        rules = games()[setup.game]
        badges = [Badge(mark, 34) for mark in self.desk.marks(setup.seats)]
        main = self.desk.running is None
        tone = "on_main" if main else "text"
        head = Row(
            [
                Icon("refresh", "prompt", "on_main" if main else "accent"),
                Words(self.t("ui.again"), "prompt", tone, bold=True).fill(),
            ]
        )
        who: Part = Words(", ".join(setup.seats), "note", tone) if main else Flow(badges, gap=8, lines=4)
        words = Column([head, who, Words(rules.box.name, "note", tone if main else "dim")], gap=4)
        return Tap(
            part=words.fill(),
            on_tap=lambda: self.app.go("new", game=rules, seats=setup.seats, wished=setup.choices),
            kind="main" if main else "plain",
            name="again",
            tall=112,
        )

    def _teach(self) -> Part | None:
        """The box that was begun to be taught."""
        if self.untold is None:
            return None
        game, progress = self.untold
        return Tap(
            self.t("ui.home-teach", game=game.box.called),
            partial(self.app.go, "binder", teach=game),
            icon="school",
            detail=capital(self.desk.words(progress.words)),
            name="teach",
            tall=60,
        )

    def _last(self) -> Setup | None:
        """What the last play began with, if its game can be played here."""
        last: PlayRow | None = max(self.desk.plays, key=lambda row: row.id, default=None)
        setup = None if last is None else self.desk.setups.get(last.id)
        return setup if setup is not None and setup.game in games() else None

    # What can be begun

    def _games(self) -> list[Part]:
        every = list(games().values())
        shown = every if len(every) <= SHOWN else every[: SHOWN - 1]
        taps: list[Part] = [self._game(game) for game in shown]
        if len(shown) < len(every):
            more = partial(self.app.go, "new")
            taps.append(CoverTap(drawing("how-play"), self.t("ui.home-more-games"), more, name="new"))
        return taps

    def _game(self, game: Game) -> Part:
        begin = partial(self.app.go, "new", game=game)
        words = self.t("ui.home-play", game=game.box.called)
        return CoverTap(cover_of(game.id), words, begin, name=f"new-{game.id}", colour=game.box.colour)

    def _shows(self) -> list[Part]:
        """What explains it all to somebody new."""
        how = CoverTap(drawing("how"), self.t("ui.how"), partial(self.app.go, "how"), name="how")
        demonstrate = self.app.demonstrate
        if demonstrate is None:
            return [how]
        watch = CoverTap(
            drawing("demonstration"), self.t("ui.demonstration"), demonstrate, name="demonstration"
        )
        return [watch, how]

    def _others(self) -> list[Part]:
        return [
            Tap(
                self.t(f"ui.home-{name}"),
                partial(self.app.go, name),
                icon=icon,
                kind="quiet",
                name=name,
                tall=60,
            )
            for name, icon in (
                ("score-only", "trophy"),
                ("plays", "history"),
                ("binder", "book-open-variant"),
                ("labels", "label"),
            )
        ]


def _much_untold(journal: Journal, binder: Binder) -> tuple[Game, Progress] | None:
    """The first game people use of which much is not told, and how far the largest part of it is."""
    played = journal.played()
    for game in list(games().values()):
        if len({id for id, _ in game.usual_box().unknown()}) < MUCH:
            continue
        facts = binder.facts(game.id)
        setup = game.usual_setup(facts)
        left = [p for p in game.progress(setup) if p.told < p.total]
        if (facts or game.id in played) and left:
            return game, max(left, key=lambda p: p.total)
    return None
