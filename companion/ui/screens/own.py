"""Your own game: choose a flow that is known, bring one from a stick, or make a simple one by touch."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from companion.core.flow.game import flow_game
from companion.core.flow.library import KnownFlow, flows
from companion.core.words import Text, say
from companion.errors import Trouble
from companion.table.own_games import (
    MOST_COUNTERS,
    MOST_LINES,
    MOST_PLAYERS,
    SimpleGame,
    keep,
    keep_both,
    on_sticks,
    read_file,
    replaced_by,
)
from companion.texts import shown
from companion.ui.screens.new.seating import players
from companion.ui.toolkit.keyboard import Keyboard, TextField, Typing
from companion.ui.toolkit.kit import Column, Flow, Icon, Page, Part, Row, Scroll, Tap, Tiles, Words
from companion.ui.toolkit.screen import AppQuestion, Screen
from companion.ui.toolkit.stepper import Counted, stepper

if TYPE_CHECKING:
    from companion.ui.toolkit.context import Context

ESCAPE = "27"
LONGEST = 28
"""The longest name of a counter or category."""
MOST_ROUNDS = 30


class OwnGame(Screen):
    """The list of flows, the files on sticks, the problems of a file, or the page on which a game is made."""

    name = "own"

    def __init__(self, app: Context) -> None:
        super().__init__(app)
        self.known: tuple[KnownFlow, ...] | None = None
        self.files: tuple[Path, ...] | None = None
        """The files on sticks, while people choose one."""
        self.wrong: Trouble | None = None
        self.making: SimpleGame | None = None
        self.typing: Typing | None = None
        self._typed_for: Callable[[str], None] = lambda words: None

    def enter(self) -> None:
        folder = self.app.folder

        def found(known: tuple[KnownFlow, ...]) -> None:
            self.known = known
            self.app.refresh()

        self.app.thread_pool.do(lambda: flows(folder), found, self._failed)

    def build(self) -> Part:
        if self.typing is not None:
            return self._typing_page(self.typing)
        if self.wrong is not None:
            return self._wrong_page(self.wrong)
        if self.making is not None:
            return self._making_page(self.making)
        if self.files is not None:
            return self._files_page(self.files)
        return self._list_page()

    def _titled(self, title: str, body: Part, bottom: Part | None = None) -> Part:
        back = Tap(icon="arrow-left", kind="quiet", on_tap=self._back, name="back")
        return Page(Row([back, Words(title, "title", bold=True).fill()]), body, bottom)

    def _back(self) -> None:
        """One page back; from the list to the previous screen."""
        if self.typing is not None:
            self.typing = None
        elif self.wrong is not None:
            self.wrong = None
        elif self.making is not None:
            self.making = None
        elif self.files is not None:
            self.files = None
        else:
            self.app.back()
            return
        self.app.refresh()

    def typed(self, key: str, character: str | None) -> bool:
        inner = (self.typing, self.wrong, self.making, self.files)
        if key == ESCAPE and any(one is not None for one in inner):
            self._back()
            return True
        return self.typing is not None and self.typing.typed(key, character)

    # The list

    def _list_page(self) -> Part:
        taps = [self._one(n, known) for n, known in enumerate(self.known or ())]
        make = Tap(self.t("ui.own-make"), self._make, icon="plus", kind="main", name="make").fill()
        stick = Tap(self.t("ui.own-stick"), self._look_at_sticks, icon="usb", name="stick").fill()
        how = Words(self.t("ui.own-how"), "note", "dim")
        body = Scroll(Column([how, Tiles(taps, 300)], gap=10), key="own")
        return self._titled(self.t("ui.home-own"), body, Row([stick, make]))

    def _one(self, n: int, known: KnownFlow) -> Part:
        if known.trouble is not None:
            words = self.t("ui.own-broken")
            deed = partial(self._show_wrong, known.trouble)
            return Tap(shown(known.name), deed, icon="alert-circle", detail=words, name=f"flow-{n}")
        rules = flow_game(known.text)
        checked = self.t("ui.own-unchecked") if known.file is None and not known.flow.source else ""
        detail = " · ".join(filter(None, (players(self, rules), checked)))
        return Tap(
            known.name,
            partial(self.app.go, "new", flow=known.text),
            icon="cards",
            detail=detail,
            name=f"flow-{rules.id}",
        )

    def _show_wrong(self, trouble: Trouble) -> None:
        self.wrong = trouble
        self.app.refresh()

    def _wrong_page(self, trouble: Trouble) -> Part:
        problems = getattr(trouble, "problems", ())
        lines: tuple[Text, ...] = (trouble.text, *(text for text in problems if text != trouble.text))
        rows = [
            Row([Icon("alert-circle", "body", "bad"), Words(self.desk.words(text), "note").fill()])
            for text in lines
        ]
        return self._titled(self.t("ui.own-wrong"), Scroll(Column(rows), key="wrong"))

    def _failed(self, trouble: Trouble) -> None:
        self.app.tell(trouble.text, "refused")

    # From a stick

    def _look_at_sticks(self) -> None:
        def found(files: tuple[Path, ...]) -> None:
            self.files = files
            self.app.refresh()

        self.app.thread_pool.do(on_sticks, found, self._failed)

    def _files_page(self, files: tuple[Path, ...]) -> Part:
        taps: list[Part] = [
            Tap(shown(file.name), partial(self._bring, file), icon="upload", name=f"file-{n}")
            for n, file in enumerate(files[:30])
        ]
        if not taps:
            taps = [Words(self.t("ui.own-no-files"), "body", "dim")]
        again = Tap(self.t("ui.own-look-again"), self._look_at_sticks, icon="refresh", name="again")
        return self._titled(self.t("ui.own-stick"), Scroll(Tiles(taps, 300), key="files"), again)

    def _bring(self, file: Path) -> None:
        self.app.thread_pool.do(
            lambda: read_file(file), lambda text: self._store(text, self._brought), self._show_wrong
        )

    def _store(self, text: str, stored: Callable[[str], None]) -> None:
        """Keep a game; if another own game has its id, ask whether to replace that or to keep both."""
        folder, pool = self.app.folder, self.app.thread_pool

        def do(way: Callable[[str, Path], str]) -> None:
            pool.do(lambda: way(text, folder), stored, self._show_wrong)

        def found(before: KnownFlow | None) -> None:
            if before is None:
                do(keep)
                return
            asking = AppQuestion(
                self.t("ui.own-same", name=before.name),
                [
                    (self.t("ui.own-both"), partial(do, keep_both)),
                    (self.t("ui.own-replace"), partial(do, keep)),
                    (self.t("ui.cancel"), lambda: None),
                ],
            )
            self.app.ask(lambda: asking)

        pool.do(lambda: replaced_by(text, folder), found, self._show_wrong)

    def _brought(self, text: str) -> None:
        self.files = None
        self.app.tell(say("ui.own-brought", name=flow_game(text).box.name), "accepted")
        self.enter()

    # Making one

    def _make(self) -> None:
        self.making = SimpleGame()
        self._ask_name()

    def _change(self, **changes: Any) -> None:
        assert self.making is not None
        self.making = replace(self.making, **changes)
        self.app.refresh()

    def _type(self, text: str, typed: Callable[[str], None]) -> None:
        self._typed_for = typed
        self.typing = Typing(text, lambda: None, self._done_typing, longest=LONGEST, name=True)
        self.app.refresh()

    def _done_typing(self) -> None:
        assert self.typing is not None
        words, self.typing = " ".join(self.typing.text.split()), None
        if words:
            self._typed_for(words)
        self.app.refresh()

    def _typing_page(self, typing: Typing) -> Part:
        back = Tap(icon="arrow-left", kind="quiet", on_tap=self._back, name="back")
        top = Row([back, TextField(typing, self.t("ui.own-name")).fill()])
        return Page(top, Column([]), Keyboard(typing, self.t("ui.ok")))

    def _ask_name(self) -> None:
        assert self.making is not None
        self._type(self.making.name, lambda words: self._change(name=words))

    def _making_page(self, made: SimpleGame) -> Part:
        called = made.name or self.t("ui.own-no-name")
        begin = Tap(
            self.t("ui.own-play"),
            self._keep if made.name else self._ask_name,
            icon="play",
            kind="main" if made.name else "plain",
            name="keep",
        )
        rounds = Counted(
            self.t("ui.own-rounds" if made.rounds else "ui.own-until"),
            stepper("rounds", made.rounds, self._set_rounds, far=False),
        )
        parts = [
            Tap(called, self._ask_name, icon="pencil", name="name"),
            self.panel(
                Counted(self.t("ui.own-least"), stepper("low", made.low, self._set_low, far=False)),
                Counted(self.t("ui.own-most"), stepper("high", made.high, self._set_high, far=False)),
                title=self.t("ui.own-players"),
                gap=12,
            ),
            self.panel(
                rounds,
                self._either("passing", made.passing, "ui.own-one-turn", "ui.own-pass"),
                self._either("next", made.next_begins, "ui.own-stays", "ui.own-next"),
                title=self.t("ui.own-turns"),
                gap=12,
            ),
            self._names("counters", made.counters, MOST_COUNTERS),
            self._names("lines", made.lines, MOST_LINES),
        ]
        return self._titled(self.t("ui.own-make"), Scroll(Column(parts, gap=12), key="make"), begin)

    def _set_low(self, low: int) -> None:
        assert self.making is not None
        low = max(1, min(MOST_PLAYERS, low))
        self._change(low=low, high=max(low, self.making.high))

    def _set_high(self, high: int) -> None:
        assert self.making is not None
        high = max(1, min(MOST_PLAYERS, high))
        self._change(high=high, low=min(high, self.making.low))

    def _set_rounds(self, rounds: int) -> None:
        self._change(rounds=max(0, min(MOST_ROUNDS, rounds)))

    def _either(self, name: str, on: bool, no: str, yes: str) -> Part:
        """Two choices, one of which is chosen."""
        field = {"passing": "passing", "next": "next_begins"}[name]
        return Flow(
            [
                Tap(
                    self.t(key),
                    partial(self._change, **{field: value}),
                    icon="check-circle" if value == on else "circle-outline",
                    chosen=value == on,
                    name=f"{name}-{'yes' if value else 'no'}",
                )
                for key, value in ((no, False), (yes, True))
            ]
        )

    def _names(self, field: str, names: tuple[str, ...], most: int) -> Part:
        """Names that can be added, and removed by a touch."""

        def add(words: str) -> None:
            if words not in names:
                self._change(**{field: (*names, words)})

        def remove(words: str) -> None:
            self._change(**{field: tuple(one for one in names if one != words)})

        taps: list[Part] = [
            Tap(
                words,
                partial(remove, words),
                part=Icon("close", "body", "dim"),
                name=f"{field}-{n}",
            )
            for n, words in enumerate(names)
        ]
        if len(names) < most:
            taps.append(
                Tap(self.t("ui.own-add"), partial(self._type, "", add), icon="plus", name=f"add-{field}")
            )
        how = Words(self.t(f"ui.own-{field}-how"), "note", "dim")
        return self.panel(how, Flow(taps), title=self.t(f"ui.own-{field}"))

    def _keep(self) -> None:
        assert self.making is not None

        def kept(text: str) -> None:
            self.making = None
            self.app.go("new", flow=text)

        self._store(self.making.text(), kept)
