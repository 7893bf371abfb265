"""The binder: what is printed on every component, the sources, and the owner's corrections."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from functools import partial
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from companion.core.binder import Taught
from companion.core.components import Catalogue, Component, Facts, SaidBy
from companion.core.faces import Sign
from companion.core.game import Game, Setup, games
from companion.core.printed_facts import Printed
from companion.core.words import Text, count, plain, say
from companion.errors import Trouble
from companion.table.camera_feed import NONE
from companion.ui.screens.binder.component_page import ComponentPage
from companion.ui.screens.binder.files import FactFiles
from companion.ui.screens.binder.lesson import Lesson
from companion.ui.screens.binder.teaching import Teaching
from companion.ui.toolkit.kit import (
    PAD,
    Column,
    Flow,
    Page,
    Part,
    Row,
    Scroll,
    Tap,
    Tiles,
    Words,
)
from companion.ui.toolkit.screen import Screen
from companion.ui.toolkit.stepper import Search
from companion.ui.toolkit.symbols import FaceTap, FaceView

if TYPE_CHECKING:
    from companion.ui.toolkit.context import Context

PAGE = 12
"""Components per page."""

FACE = 180
"""The smallest width of a face in the list."""

TELLERS = 5
"""So many people are named as the source of facts."""

NARROW = 8
"""The margin of a page with much content."""

ESCAPE = "27"


class BinderScreen(Screen):
    """A list, a page per component, a page per teachable fact, and a page for files."""

    name = "binder"

    def __init__(self, app: Context, component: str | None = None, teach: Game | None = None) -> None:
        super().__init__(app)
        self.games = tuple(games().values())
        self.game = teach or self.games[0]
        self._to_teach = teach is not None
        self.choices: dict[str, str] = {}
        self.read = component is not None
        """Whether people only came to read one page, of the current play."""
        if component is not None:
            self.game, self.choices = app.desk.session.game, dict(app.desk.session.setup.choices)
        self.taught: dict[str, Taught] = {}
        self.only, self.at = "all", 0
        self.search: Search | None = None
        self.component = component
        self.teaching: Teaching | None = None
        self.lesson: Lesson | None = None
        self.files: FactFiles | None = None
        self._box: tuple[Any, Catalogue[Any]] | None = None
        self._editions_of: tuple[Game, list[tuple[str, tuple[str, ...]]]] | None = None

    def enter(self) -> None:
        self.look_up()

    def look_up(self) -> None:
        """Load what was taught about this game."""
        game = self.game

        def found(history: tuple[Taught, ...]) -> None:
            if game is self.game:
                latest = {taught.key: taught for taught in history}
                self.taught = {key: taught for key, taught in latest.items() if taught.value is not None}
                if self._to_teach:
                    self._to_teach = False
                    self.teach()
                self.app.refresh()

        self.desk.clerk.do(lambda journal, binder: binder.history(game.id), found, self.trouble)

    def trouble(self, trouble: Trouble) -> None:
        """Report an error."""
        self.app.tell(trouble.text, "refused")

    # The facts

    @property
    def facts(self) -> Facts:
        """The owner's facts."""
        return {key: taught.value for key, taught in self.taught.items() if taught.value is not None}

    def setup(self, facts: Facts) -> Setup:
        """The setup of a play with these facts."""
        seats = tuple(str(n) for n in range(self.game.box.seats[0]))
        return replace(self.game.complete(Setup(self.game.id, seats, self.choices)), facts=facts)

    def printed_box(self) -> Catalogue[Any]:
        """The box as printed, as far as we know, without the owner's facts."""
        return self.game.catalogue(self.setup({}), {})

    def catalogue(self) -> Catalogue[Any]:
        """The box with the owner's facts, except those it has no field for; during a play, the play's own."""
        if self.read:
            return self.desk.session.catalogue
        key = (self.game.id, tuple(self.choices.items()), tuple(self.facts.items()))
        if self._box is None or self._box[0] != key:
            setup = self.setup({})
            self._box = (key, self.game.catalogue(setup, self.game.usable(setup, self.facts)))
        return self._box[1]

    def _unknown(self) -> list[tuple[str, str]]:
        return self.catalogue().unknown()

    def row_of(self, component: str, field: str, box: Catalogue[Any] | None = None) -> Printed:
        """A fact of a component in words."""
        box = self.catalogue() if box is None else box
        return next(row for row in self.game.rows(box[component], box) if row.field == field)

    # Navigation

    def build(self) -> Part:
        if self.files is not None:
            return self.files.page()
        if self.lesson is not None:
            return self.lesson.page()
        if self.teaching is not None:
            return self.teaching.page()
        if self.component is not None:
            return ComponentPage(self).page(self.catalogue()[self.component])
        if self.search is not None:
            return self._search_page(self.search)
        return self._list_page()

    def back(self) -> None:
        """Go one page back, and from the list to the previous screen."""
        if self.files is not None:
            self.files = self.files if self.files.back() else None
        elif self.lesson is not None:
            if not self.lesson.back():
                self._end_lesson()
        elif self.teaching is not None:
            if self.teaching.pad.aside:
                self.teaching.pad.leave()
            else:
                self.teaching = None
        elif self.component is not None and not self.read:
            self.component = None
        elif self.search is not None:
            self.search = None
        else:
            self.app.back()
            return
        self.app.refresh()

    def typed(self, key: str, character: str | None) -> bool:
        in_list = self.files is None and self.component is None
        if key == ESCAPE:
            self.back()
        elif self.lesson is not None:
            return self.lesson.typed(key, character)
        elif self.teaching is not None:
            return self.teaching.pad.typed(key, character)
        elif in_list and self.search is not None:
            return self.search.typing.typed(key, character)
        elif in_list and character and character.isalnum():
            self._look_for()
            return self.search is not None and self.search.typing.typed(key, character)
        else:
            return False
        return True

    def head(self, title: str, *actions: Part | None) -> Part:
        """The back button and a title."""
        back = Tap(icon="arrow-left", kind="quiet", on_tap=self.back, name="back")
        return Row([back, Words(title, "title", bold=True).fill(), *actions])

    def open(self, component: str, field: str | None = None) -> None:
        self.component = component
        self.teaching = None if field is None else Teaching(self, component, field)
        self.app.refresh()

    # Teaching the box

    @property
    def uses_camera(self) -> bool:  # type: ignore[override]
        """While teaching, a label shown to the camera opens its tile."""
        return self.lesson is not None

    @property
    def margin(self) -> float:  # type: ignore[override]
        """Narrow while teaching: the page of a tile needs all the room."""
        return PAD if self.lesson is None else NARROW

    def teach(self, component: str | None = None) -> None:
        """Teach the box, tile by tile."""
        self.lesson = Lesson(self, component)
        self.app.camera_feed.wait_for_scan(True)
        self.app.refresh()

    def _end_lesson(self) -> None:
        self.lesson = None
        self.app.camera_feed.wait_for_scan(False)

    def tick(self) -> None:
        if self.lesson is not None:
            self.lesson.check_camera()

    def component_of(self, label: str) -> str | None:
        """The component of this game that a label belongs to."""
        from companion.recognition.labels import find

        game, piece = find(label) or (None, None)
        return piece.component if piece is not None and game == self.game.id else None

    def heard(self, said: Iterable[Taught]) -> None:
        """Apply newly taught facts; a value of None removes one."""
        for taught in said:
            self.taught.pop(taught.key, None)
            if taught.value is not None:
                self.taught[taught.key] = taught

    def _share(self) -> None:
        self.files = FactFiles(self)
        self.app.refresh()
        self.files.find_files()

    # The list

    def _list_page(self) -> Part:
        find = Tap(icon="magnify", kind="quiet", on_tap=self._look_for, name="find")
        share = (
            Tap(icon="usb", kind="quiet", on_tap=self._share, name="share") if self.app.theme.wide else None
        )
        title = self.t("ui.home-binder")
        if len(self.games) == 1 and self.app.theme.wide:
            title = f"{title}: {self.game.box.name}"
        shown = self._shown()
        pages = max(1, -(-len(shown) // PAGE))
        self.at = min(self.at, pages - 1)
        listed = shown[self.at * PAGE : (self.at + 1) * PAGE]
        body = [
            *self._filters(),
            *self._missing(),
            *self._by_whom(),
            *self._by_looks(),
            Tiles([self._entry(c) for c in listed], FACE, columns=4),
        ]
        bottom = self._pager(len(shown), pages) if pages > 1 else None
        return Page(self.head(title, find, share), Scroll(Column(body), key=f"list-{self.at}"), bottom)

    def _shown(self) -> list[Component]:
        taught = {taught.component for taught in self.taught.values()}
        unknown = {id for id, _ in self._unknown()}
        if self.only == "owner" and taught:
            return [c for c in self.catalogue() if c.id in taught]
        self.only = "all"
        return sorted(self.catalogue(), key=lambda c: c.id not in unknown)

    def _filters(self) -> list[Part]:
        """The game, its editions, and whether to show everything or only the owner's facts."""
        taps: list[Part] = []
        if len(self.games) > 1:
            for game in self.games:
                on = game is self.game
                taps.append(self._chip(game.box.name, on, partial(self._choose_game, game), game.id))
        for id, values in self._editions():
            chosen = self.choices.get(id, values[0])
            for value in values:
                words = self.desk.words(self.game.box.value_text(id, value))
                taps.append(
                    self._chip(words, value == chosen, partial(self._choose, id, value), f"{id}-{value}")
                )
        if self.taught:
            words = self.desk.words(count("ui.binder-yours", len(self.taught)))
            taps.append(self._chip(words, self.only == "owner", self._toggle_owner, "owner"))
        if not self.app.theme.wide:
            taps.append(Tap(self.t("ui.binder-files"), self._share, icon="usb", kind="quiet", name="share"))
        return [Flow(taps)] if taps else []

    def _editions(self) -> list[tuple[str, tuple[str, ...]]]:
        if self._editions_of is None or self._editions_of[0] is not self.game:
            self._editions_of = (self.game, _differing(self.game))
        return self._editions_of[1]

    def _chip(self, words: str, on: bool, deed: Callable[[], Any], name: str) -> Tap:
        icon = "check-circle" if on else "circle-outline"
        return Tap(words, deed, icon=icon, chosen=on, name=f"only-{name}")

    def _missing(self) -> list[Part]:
        """Unknown values, with the button to teach them."""
        unknown = self._unknown()
        if not unknown or self.only != "all" or self.at:
            return []
        told = self.desk.words(count("ui.binder-unknown", len(unknown)))
        return [
            Tap(self.t("ui.teach-box"), self.teach, icon="school", kind="main", detail=told, name="teach-box")
        ]

    def _by_whom(self) -> list[Part]:
        """Who told how many facts: the most first, and what plays revealed."""
        if not self.taught or self.at:
            return []
        told: Counter[Text] = Counter()
        for taught in self.taught.values():
            who = [say("ui.binder-plays")] if taught.said_by is SaidBy.PLAY else _people(taught.by)
            told.update(who)
        each = tuple(say("ui.binder-so-many", who=who, n=n) for who, n in told.most_common(TELLERS))
        return [Words(self.t("ui.binder-told-by", each=each), "detail", "dim")]

    def _by_looks(self) -> list[Part]:
        """The way to show each component to the camera once, if there is one."""
        if (
            self.game.box.label is None
            or self.app.camera_feed.source == NONE
            or self.only != "all"
            or self.at
        ):
            return []
        show = partial(self.app.go, "faces", game=self.game)
        return [Tap(self.t("faces.title"), show, icon="camera", name="faces")]

    def _entry(self, component: Component) -> Tap:
        """Its face, with a mark if the owner taught something about it."""
        taught = any(t.component == component.id for t in self.taught.values())
        face = FaceView(self.game, self.game.face(component), 0, 100, (Sign("people"),) if taught else ())
        read = partial(self.app.front.read_printed, self.game, component)
        return FaceTap(face, lambda: self.open(component.id), f"open-{component.id}", read)

    def _pager(self, total: int, pages: int) -> Part:
        first = self.at * PAGE + 1
        words = self.t("ui.binder-page", first=first, last=min(total, first + PAGE - 1), total=total)
        before = Tap(icon="chevron-left", on_tap=lambda: self._turn(-1), name="before") if self.at else None
        after = Tap(icon="chevron-right", on_tap=lambda: self._turn(1), name="after")
        return Row(
            [
                before,
                Words(words, "body", "dim", align="center").fill(),
                after if self.at < pages - 1 else None,
            ]
        )

    def _turn(self, by: int) -> None:
        self.at += by
        self.app.refresh()

    def _choose_game(self, game: Game) -> None:
        self.game, self.choices, self.taught, self.at, self.only = game, {}, {}, 0, "all"
        self.look_up()

    def _choose(self, variant: str, value: str) -> None:
        self.choices = {**self.choices, variant: value}
        self.app.refresh()

    def _toggle_owner(self) -> None:
        self.only, self.at = "all" if self.only == "owner" else "owner", 0
        self.app.refresh()

    # Searching by name

    def _look_for(self) -> None:
        self.search = Search(self, self.t("ui.search-hint"), self.back)
        self.app.refresh()

    def _search_page(self, search: Search) -> Part:
        fitting = [c for c in self.catalogue() if search.matches(c.called)]
        taps = [self._entry(component) for component in fitting[:PAGE]]
        summary = self.desk.words(count("ui.found", len(fitting)))
        show = self.desk.words(count("ui.show-found", len(fitting)))
        return search.page(taps, summary, show, self.t("ui.found-none"))


def _people(by: str) -> list[Text]:
    """Everybody named as the source of a fact."""
    return [plain(name) for name in by.split(", ") if name] or [say("ui.binder-somebody")]


def _differing(game: Game) -> list[tuple[str, tuple[str, ...]]]:
    """The variants that change what is in the box."""
    seats = tuple(str(n) for n in range(game.box.seats[0]))
    usual = game.usual_box().by_id
    found = []
    for variant in game.box.variants:
        others = [game.complete(Setup(game.id, seats, {variant.id: value})) for value in variant.values[1:]]
        if any(game.catalogue(setup, {}).by_id != usual for setup in others):
            found.append((variant.id, variant.values))
    return found
