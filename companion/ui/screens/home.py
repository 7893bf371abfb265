"""Home: resume the play, play again with the same people, another game, and everything else, on one page.

It never scrolls: its rows share the height, and text shrinks before anything is cut.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from kivy.core.window import Window
from msgspec import UNSET

from companion.core.binder import Binder
from companion.core.flow.game import game_of
from companion.core.game import Game, games
from companion.core.journal import Journal
from companion.ui.toolkit.covers import GROUND, LIGHT, Cover, cover_of, drawing
from companion.ui.toolkit.kit import Icon, Part, Row, Tap, theme
from companion.ui.toolkit.screen import Screen
from companion.ui.toolkit.shared_room import Aside, IconBeside, Shared, Tool, WordsBelow
from companion.ui.toolkit.snug import Snug
from companion.ui.toolkit.theme import SMALLEST_WORDS
from companion.ui.toolkit.tiles import Cells, Tile

if TYPE_CHECKING:
    from companion.ui.toolkit.context import Context

MUCH = 20
"""A box with at least this many components with unknown values is offered for teaching."""

SHOWN = 6
"""So many covers are here: the games and people's own ones; if there are more, one cell leads to all of them."""

HEAD, FIRST, GAME, TOOL, LINE = 52, 98, 94, 86, 60
"""How the rows share the height: the title, earlier plays, games, tools with their icon above the text or
beside it."""

LARGE = 1.2
"""Above this text size, tools take two lines on a landscape screen."""


class Home(Screen):
    """The first screen."""

    name = "home"

    def __init__(self, app: Context) -> None:
        super().__init__(app)
        self.untold: Game | None = None
        """A game people play whose box still has many unknown values."""

    def enter(self) -> None:
        def found(untold: Game | None) -> None:
            if untold is not self.untold:
                self.untold = untold
                self.app.refresh()

        self.desk.clerk.do(_much_untold, found, lambda trouble: None)

    def build(self) -> Part:
        upright = 4 * Window.width < 5 * self.app.room  # also if the window is hardly wider than high
        every = self._tools()
        high = Window.width < self.app.room
        tools = Cells(every, 2 if high else 3 if upright or theme().text > LARGE else len(every))
        tiles = Cells([*self._games(), self._sixth()], 2 if upright else 3)
        rows: list[tuple[Part | None, float]] = [(self._head(), HEAD)]
        rows += [(part, FIRST) for part in self._first(upright)]
        rows += [(tiles, GAME * tiles.rows), (tools, (TOOL if tools.rows == 1 else LINE) * tools.rows)]
        return Shared([(part, share) for part, share in rows if part is not None])

    def _head(self) -> Part:
        cog = Tap(icon="cog", kind="quiet", on_tap=lambda: self.app.go("settings"), name="settings")
        told = WordsBelow(
            [
                Snug(self.t("ui.title"), 30, 24, bold=True),
                Snug(self.t("ui.welcome"), 20, SMALLEST_WORDS, "dim"),
            ]
        )
        return Aside(IconBeside(Icon("cards", "number", "accent"), told), cog)

    # Earlier plays

    def _first(self, upright: bool) -> list[Part]:
        """What returning players most likely want, in one row, or in two on an upright screen."""
        usual = (self._demonstration(),) if self._first_time else (self._resume(), self._again())
        parts = [part for part in (*usual, self._teach()) if part is not None]
        if not parts:
            return []
        first, *others = parts
        if not upright:
            return [Row([first.fill(1.3), *(part.fill() for part in others)], gap=8)]
        return [first, *([Row([part.fill() for part in others], gap=8)] if others else [])]

    def _resume(self) -> Part | None:
        running = self.desk.running
        if running is None:
            return None
        rules = games().get(running.game)
        lines = [
            Snug(self.t("ui.go-on"), 34, 24, "on_main", bold=True),
            Snug(self._called(running.game), 22, SMALLEST_WORDS, "on_main"),
            Snug(running.title, 20, SMALLEST_WORDS, "on_main"),
        ]
        lead = Icon("play", "title", "on_main") if rules is None else Cover(cover_of(rules.id))
        resume = partial(self.desk.resume, running.id)
        return Tile(IconBeside(lead, WordsBelow(lines)), resume, "resume", ground="main", pad=6)

    def _called(self, game: str) -> str:
        """The name of a game; of one that only a flow describes, as its play has it."""
        rules = games().get(game)
        return self.desk.game_names.get(game, game) if rules is None else rules.box.called

    def _again(self) -> Part | None:
        """The people and the game of last time: only the table has to be set up."""
        setup = self.desk.last_setup
        if setup is None or (setup.game not in games() and setup.flow is UNSET):
            return None
        known = setup.game in games()
        rules = games()[setup.game] if known else game_of(setup)
        main = self.desk.running is None
        tone = "on_main" if main else "text"
        lines = [
            Snug(self.t("ui.again"), 26, SMALLEST_WORDS, tone, bold=True),
            Snug(rules.box.called, 20, SMALLEST_WORDS, tone if main else "dim"),
            Snug(", ".join(setup.seats), 20, SMALLEST_WORDS, tone),
        ]
        flow = "" if known or setup.flow is UNSET else setup.flow
        begin = partial(self.app.go, "new", game=rules, seats=setup.seats, wished=setup.choices, flow=flow)
        lead = Icon("refresh", "prompt", "on_main" if main else "accent")
        return Tile(
            IconBeside(lead, WordsBelow(lines)), begin, "again", ground="main" if main else "raised", pad=6
        )

    def _teach(self) -> Part | None:
        """The box that still has to be taught."""
        if self.untold is None:
            return None
        words = Snug(self.t("ui.home-teach", game=self.untold.box.called), 22, SMALLEST_WORDS, lines=2)
        teach = partial(self.app.go, "binder", teach=self.untold)
        return Tile(IconBeside(Icon("school", "prompt", "accent"), words), teach, "teach", pad=6)

    # New plays

    def _games(self) -> list[Part]:
        every = list(games().values())
        shown = every if len(every) < SHOWN else every[: SHOWN - 2]
        taps: list[Part] = [
            covered(
                cover_of(game.id),
                game.box.called,
                partial(self.app.go, "new", game=game),
                f"new-{game.id}",
                game.box.colour,
            )
            for game in shown
        ]
        if len(shown) < len(every):
            more = partial(self.app.go, "new")
            taps.append(covered(drawing("how-play"), self.t("ui.home-more-games"), more, "new"))
        return taps

    def _sixth(self) -> Part:
        """Any other game."""
        own = partial(self.app.go, "own")
        return covered(drawing("how-play"), self.t("ui.home-own"), own, "own")

    @property
    def _first_time(self) -> bool:
        """Whether nobody has played here yet: then a demonstration comes first."""
        return self.desk.last_setup is None and self.desk.running is None

    def _demonstration(self) -> Part | None:
        if self.app.demonstrate is None:
            return None
        words = self.t("ui.demonstration")
        return covered(
            drawing("demonstration"), words, self.app.demonstrate, "demonstration", "main", "on_main"
        )

    def _tools(self) -> list[Part]:
        tools: list[tuple[str, str, str, Callable[[], Any]]] = [
            ("score-only", "ui.home-score-only", "trophy", partial(self.app.go, "score-only")),
            ("plays", "ui.home-plays", "history", partial(self.app.go, "plays")),
            ("binder", "ui.home-binder", "book-open-variant", partial(self.app.go, "binder")),
            ("labels", "ui.home-labels", "label", partial(self.app.go, "labels")),
            ("how", "ui.how", "help-circle", partial(self.app.go, "how")),
        ]
        if self.app.demonstrate is not None and not self._first_time:
            tools.append(("demonstration", "ui.demonstration", "television", self.app.demonstrate))
        return [
            Tile(
                Tool(icon, Snug(self.t(key), 22, SMALLEST_WORDS, lines=2)), do, name, ground="surface", pad=6
            )
            for name, key, icon, do in tools
        ]


def covered(
    svg: str, words: str, begin: Callable[[], Any], name: str, colour: str = GROUND, tone: str = LIGHT
) -> Part:
    """A tile that begins something, with its drawing beside its name."""
    return Tile(
        IconBeside(Cover(svg), Snug(words, 24, SMALLEST_WORDS, tone, bold=True, lines=2)),
        begin,
        name,
        ground=colour,
        pad=6,
    )


def _much_untold(journal: Journal, binder: Binder) -> Game | None:
    """The first game people play whose box has many unknown values."""
    played = journal.played()
    for game in list(games().values()):
        if len({id for id, _ in game.usual_box().unknown()}) < MUCH:
            continue
        facts = binder.facts(game.id)
        left = [p for p in game.progress(game.usual_setup(facts)) if p.told < p.total]
        if (facts or game.id in played) and left:
            return game
    return None
