"""What phones show: one page for each audience and language, as words and drawings, without rules.

A page for others than a seat is made of public things only. `tests/laws/test_secrets.py` checks that no byte
of it depends on what that seat chose in secret.
"""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from companion.core.components import NAME_FIELDS
from companion.core.deed_words import did, rounds_of, whole_deed
from companion.core.faces import Face, Sign, Signs
from companion.core.game import Game
from companion.core.help import help_with, reason_against, reminder, wanted
from companion.core.own_view import OwnView, own
from companion.core.questions import Option, Question
from companion.core.session import Session
from companion.core.tasks import HandTask, hand_tasks
from companion.core.views import SeatView, View
from companion.core.words import Text, say
from companion.drawing.colours import CARD
from companion.drawing.faces import face as drawn_face
from companion.drawing.signs import StrokeGroup, row
from companion.drawing.svg import measured, svg
from companion.drawing.symbols import called
from companion.results.sheets import gathered, reasons, sheet_words
from companion.results.winning_margin import decided
from companion.table.marks import Mark, marks_of
from companion.table.settings import Settings
from companion.texts import render
from companion.wire import GUEST
from scoring.sheet import Sheet

MOST_OPTIONS = 40
"""How many options a page has; people leaf through the rest."""
MOST_PICTURES = 600
"""How many drawings are kept."""
FACE = {"card": (216, 128), "tile": (150, 150), "hex": (160, 140), "ship": (216, 150)}
"""The size of a face by its shape, in pixels of the page."""
SIGNS = 30
"""The height of signs."""
LATEST = 3
"""How many of the last deeds are told."""


class Pictures:
    """Drawings as SVG, by an id made of their contents; the least recently used are dropped."""

    def __init__(self) -> None:
        self._known: OrderedDict[tuple[Any, ...], str] = OrderedDict()
        self.svg: dict[str, str] = {}

    def face(self, game: Game, face: Face, language: str, lying: Signs = ()) -> str:
        """The id of a face with what lies on it."""
        return self._id(
            ("face", game.id, repr(face), language, lying), lambda: _face(game, face, language, lying)
        )

    def signs(self, game: Game, signs: Signs) -> str:
        """The id of a row of signs; empty for none."""
        return self._id(("signs", game.id, signs), lambda: _signs(game, signs)) if signs else ""

    def _id(self, key: tuple[Any, ...], draw: Any) -> str:
        id = self._known.get(key)
        if id is None:
            drawing = draw()
            id = self._known[key] = hashlib.sha256(drawing.encode()).hexdigest()[:24]
            self.svg[id] = drawing
            if len(self._known) > MOST_PICTURES:
                _, old = self._known.popitem(last=False)
                if old not in self._known.values():
                    self.svg.pop(old, None)
        else:
            self._known.move_to_end(key)
        return id


def _face(game: Game, face: Face, language: str, lying: Signs) -> str:
    wide, high = FACE[face.shape]
    return svg(
        drawn_face(game.id, game.tints, face, wide, high, measured, language, lying=lying), elsewhere=True
    )


def _signs(game: Game, signs: Signs) -> str:
    laid = row(game.id, game.tints, signs, SIGNS, measured, CARD)
    strokes = laid.at(6, 4)
    return svg(StrokeGroup(strokes, laid.wide + 12, laid.high + 8), CARD.ground, elsewhere=True)


class PageMaker(Struct, frozen=True):
    """Makes the pages of one moment of a play; `asked` are all open questions, `used` the drawings used."""

    session: Session
    asked: tuple[Question, ...]
    settings: Settings
    ticked: frozenset[tuple[int, str]]
    pictures: Pictures
    joined: frozenset[str] = frozenset()
    """The names of people who have a phone."""
    used: set[str] = msgspec.field(default_factory=set)
    _public: dict[str, dict[str, msgspec.Raw]] = msgspec.field(default_factory=dict)
    """What everybody gets, by language: made once for all audiences."""

    def _noted(self, id: str) -> str:
        if id:
            self.used.add(id)
        return id

    def body(self, audience: int, language: str) -> bytes:
        """The page of an audience as JSON."""
        if language not in self._public:
            parts = self._everybodys(language)
            self._public[language] = {
                name: msgspec.Raw(msgspec.json.encode(part)) for name, part in parts.items()
            }
        page: dict[str, Any] = dict(self._public[language])
        if audience == GUEST:
            page["tasks"] = [self._task(task, language) for task in hand_tasks(self.session, self.ticked)]
        else:
            page["me"] = self._me(own(self.session, audience, self.asked, self.ticked), language)
        return msgspec.json.encode(page)

    def _everybodys(self, language: str) -> dict[str, Any]:
        view, marks = self.session.view, marks_of(self.session, self.settings.people)
        public: dict[str, Any] = {
            "play": self._play(view, language),
            "seats": [self._seat(seat, marks[seat.seat], language) for seat in view.seats],
            "latest": self._latest(language),
        }
        if self.session.over:
            public["sheet"] = self._sheet(self.session.game.sheet(self.session.state), language)
        return public

    def _play(self, view: View, language: str) -> dict[str, Any]:
        game = self.session.game
        return {
            "game": game.box.name,
            "round": view.round,
            "over": self.session.over,
            "paused": self.session.paused,
            "phases": [[render(phase.text, language), phase.tense.value] for phase in view.phases],
            "alerts": [render(text, language) for text in view.alerts],
            "pools": [[render(pool.text, language), pool.value, pool.full] for pool in view.pools],
            "meters": [[render(meter.text, language), meter.value, meter.goal] for meter in view.meters],
        }

    def _seat(self, seat: SeatView, mark: Mark, language: str) -> dict[str, Any]:
        return {
            "seat": seat.seat,
            "name": seat.name,
            "mark": {"colour": mark.colour, "shape": mark.shape, "letter": mark.letter},
            "state": self._state(seat),
            "phone": seat.name in self.joined,
            "points": seat.points if self.settings.scores else None,
            "numbers": [[render(n.text, language), n.value] for n in seat.numbers],
            "brief": self._signs(seat.in_brief, language),
            "powers": [render(power, language) for power in seat.powers],
            "components": [
                {
                    "id": placed.component,
                    "name": render(placed.name, language),
                    "face": self._face(
                        placed.face or self._printed(placed.component), language, placed.signs
                    ),
                    "notes": [render(badge, language) for badge in placed.badges],
                }
                for placed in seat.components
            ],
        }

    def _state(self, seat: SeatView) -> str:
        if seat.seat in self.session.away:
            return "away"
        return "waiting" if seat.waiting else "ready" if seat.ready else "passed" if seat.passed else ""

    def _face(self, face: Face, language: str, lying: Signs = ()) -> str:
        return self._noted(self.pictures.face(self.session.game, face, language, lying))

    def _printed(self, component: str) -> Face:
        game = self.session.game
        return game.face(self.session.catalogue[component])

    def _signs(self, signs: Signs, language: str) -> list[str] | None:
        """Signs as a picture, and in words for those who do not see it."""
        if not signs:
            return None
        game = self.session.game
        return [self._noted(self.pictures.signs(game, signs)), _in_words(game.id, signs, language)]

    def _latest(self, language: str) -> list[str]:
        """The last deeds in words, the newest first; what is secret is only told as "ready"."""
        last = len(self.session.moments) - 1
        told = (did(self.session, n) for n in range(last, max(0, last - LATEST), -1))
        return [render(text, language) for text in told]

    def _task(self, task: HandTask, language: str) -> dict[str, Any]:
        return {
            "id": task_id(task),
            "text": render(task.text, language),
            "seats": [seat for seat in task.seats if seat is not None],
            "unusual": not task.usual,
        }

    def _me(self, mine: OwnView, language: str) -> dict[str, Any]:
        return {
            "seat": mine.seat,
            "questions": [self._question(question, language) for question in mine.questions],
            "secrets": [
                {
                    "question": render(secret.question.text, language),
                    "text": render(secret.text, language),
                    "faces": [
                        face for option in secret.options if (face := self._option_face(option, language))
                    ],
                }
                for secret in mine.secrets
            ],
            "powers": [render(power, language) for power in mine.powers],
            "tasks": [self._task(task, language) for task in mine.tasks],
            "undo": mine.undoes > 0,
        }

    def _question(self, question: Question, language: str) -> dict[str, Any]:
        off = tuple(self.settings.reminders_off)
        told_at_table = question.form is not None or question.finished is not None
        return {
            "slug": question.slug,
            "table": question.seat is None,
            "text": render(question.text, language),
            "secret": question.secret,
            "turn": question.turn,
            "notes": [
                *([reminder(note), render(note, language)] for note in wanted(question.notes, off)),
                *(["", render(warning, language)] for warning in _some(question.warning)),
            ],
            "tally": None if question.tally is None else [question.tally.done, question.tally.total],
            "told_at_table": told_at_table,
            "default": question.has_default,
            "faces": [self._face(face, language) for face in question.faces],
            "options": [] if told_at_table else self.options(question, 0, language),
            "total": 0 if told_at_table else len(question.options),
        }

    def help(self, question: Question, language: str) -> dict[str, Any]:
        """The rule behind a question, its page, and why some components are refused."""
        found = help_with(self.session, question)
        return {
            "rule": render(found.rule, language),
            "source": "" if found.source is None else render(found.source, language),
            "refused": [
                [
                    ", ".join(render(name, language) for name in refusal.names),
                    render(refusal.reason, language),
                ]
                for refusal in found.refusals
            ],
        }

    def card(self, component: str, seat: int, language: str) -> dict[str, Any]:
        """What is printed on a component, and why the seat may not choose it now."""
        printed, reason = self.session.catalogue[component], reason_against(self.session, component, seat)
        return {
            "name": render(printed.called, language),
            "lines": [
                [render(row.text, language), *(render(value, language) for value in row.values)]
                for row in self.session.game.rows(printed)
                if row.values and row.field not in NAME_FIELDS
            ],
            "why": "" if reason is None else render(say("ui.help-not-now", why=reason), language),
        }

    def step(self, deed: int, language: str) -> dict[str, Any]:
        """The table after so many deeds, -1 for all, and the last of them in words; `rounds` only then."""
        deeds = self.session.deeds()
        n = len(deeds) if deed < 0 else min(deed, len(deeds))
        then = replace(self, session=self.session.as_of(deeds[n - 1][1] if n else 0))
        told = whole_deed(self.session, *deeds[n - 1]) if n else ()
        marks = marks_of(self.session, self.settings.people)
        return {
            "deed": n,
            "of": len(deeds),
            "round": then.session.view.round,
            "told": [render(text, language) for text in told],
            "rounds": rounds_of(self.session, deeds) if deed < 0 else None,
            "seats": [then._seat(seat, marks[seat.seat], language) for seat in then.session.view.seats],
        }

    def options(self, question: Question, start: int, language: str) -> list[dict[str, Any]]:
        """The options of a question from this one on, as many as a page has."""
        return [self._option(option, language) for option in question.options[start : start + MOST_OPTIONS]]

    def _option(self, option: Option, language: str) -> dict[str, Any]:
        return {
            "id": option.id,
            "text": render(option.text, language),
            "detail": "" if option.detail is None else render(option.detail, language),
            "group": "" if option.group is None else render(option.group, language),
            "face": self._option_face(option, language),
            "signs": self._signs(option.signs, language),
            "seat": option.seat,
        }

    def _option_face(self, option: Option, language: str) -> str:
        face = option.face
        if face is None and option.component is not None and option.component in self.session.catalogue:
            face = self._printed(option.component)
        if face is None or (not face.corners and not face.rows and not face.spots):
            return ""  # only a name, which the option says anyway
        return self._face(face, language)

    def _sheet(self, sheet: Sheet, language: str) -> dict[str, Any]:
        """The result: a row of points for each source, a column for each seat by rank, and every reason."""
        of, seats = sheet_words(sheet), sorted(sheet.seats, key=lambda seat: seat.rank)
        short = {seat.name: {line.what: line.points for line in seat.lines} for seat in gathered(sheet).seats}
        sources = dict.fromkeys(what for seat in seats for what in short[seat.name])
        names = list(self.session.setup.seats)
        why = decided(sheet)
        return {
            "order": [names.index(seat.name) for seat in seats],
            "totals": [seat.total for seat in seats],
            "ranks": [seat.rank for seat in seats],
            "winners": list(sheet.winners),
            "decided": "" if why is None else render(why, language),
            "rows": [
                [render(of.words(what), language), *(short[seat.name].get(what) for seat in seats)]
                for what in sources
            ],
            "reasons": [
                [
                    [
                        f"{render(of.words(line.what), language)}: {line.points}",
                        *(f"{points:+d} {render(text, language)}" for points, text in reasons(line, of)),
                    ]
                    for line in seat.lines
                ]
                for seat in seats
            ],
        }


def _some(text: Text | None) -> tuple[Text, ...]:
    return () if text is None else (text,)


def _in_words(game: str, signs: Signs, language: str) -> str:
    return ", ".join(_sign_in_words(game, sign, language) for sign in signs)


def _sign_in_words(game: str, sign: Sign, language: str) -> str:
    name = render(called(game, sign.symbol), language)
    return f"{name} {sign.value}".strip()


def task_id(task: HandTask) -> str:
    """The id of a task on a page."""
    return hashlib.sha256(repr(task.key).encode()).hexdigest()[:16]


PAGE_WORDS = (
    "phone.bgstats",
    "phone.bgstats-how",
    "phone.choose-another",
    "phone.confirm",
    "phone.confirm-more",
    "phone.connecting",
    "phone.copied",
    "phone.copy",
    "phone.done",
    "phone.elsewhere",
    "phone.ends",
    "phone.free",
    "phone.give-back",
    "phone.has-phone",
    "phone.help",
    "phone.hide-reminder",
    "phone.hold",
    "phone.hold-more",
    "phone.just-changed",
    "phone.language",
    "phone.latest",
    "phone.more-options",
    "phone.no-network",
    "phone.no-play",
    "phone.no-play-more",
    "phone.no-table",
    "phone.not-asked",
    "phone.nothing-there",
    "phone.only-watch",
    "phone.outdated",
    "phone.over",
    "phone.paused",
    "phone.points",
    "phone.pools",
    "phone.powers",
    "phone.ready",
    "phone.round",
    "phone.refused",
    "phone.reminders",
    "phone.score-later",
    "phone.score-now",
    "phone.secret",
    "phone.share",
    "phone.setting-up",
    "phone.state-away",
    "phone.state-passed",
    "phone.state-ready",
    "phone.state-waiting",
    "phone.step-back",
    "phone.step-of",
    "phone.step-on",
    "phone.tab-cards",
    "phone.tab-join",
    "phone.tab-score",
    "phone.tab-steps",
    "phone.tab-table",
    "phone.tab-turn",
    "phone.tabs",
    "phone.taken-back",
    "phone.tally",
    "phone.tasks",
    "phone.this-phone",
    "phone.title",
    "phone.together",
    "phone.told-at-table",
    "phone.too-often",
    "phone.undo",
    "phone.unsure",
    "phone.use-here",
    "phone.waits-for",
    "phone.watching",
    "phone.who",
    "phone.whole-table",
    "phone.whose",
    "phone.why",
    "phone.wins",
)
"""The words of the page itself; what stands in braces is filled in by the page."""
FILLED_IN = ("n", "name", "names", "all", "done", "total")


def page_words(language: str) -> dict[str, str]:
    """The words of the page itself, by their slugs without `phone.`."""
    braces = {name: f"{{{name}}}" for name in FILLED_IN}
    return {slug.partition(".")[2]: render(say(slug, **braces), language) for slug in PAGE_WORDS}
