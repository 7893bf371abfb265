"""What phones show: one page for each audience and language, as words and drawings, without rules.

A page for others than a seat is made of public things only. `tests/laws/test_secrets.py` checks that no byte
of it depends on what that seat chose in secret.
"""

from __future__ import annotations

import hashlib
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from companion.core.components import NAME_FIELDS
from companion.core.deed_words import did, rounds_of, whole_deed
from companion.core.faces import Face
from companion.core.help import help_with, reason_against, reminder, wanted
from companion.core.own_view import OwnView, own
from companion.core.questions import Option, Question
from companion.core.session import Session
from companion.core.tasks import HandTask, hand_tasks
from companion.core.views import SeatView, View
from companion.core.words import Text, say
from companion.table.counting import TableCounted
from companion.table.marks import Mark, marks_of
from companion.table.phone_counting import to_count
from companion.table.phone_drawings import Drawer
from companion.table.phone_sheet import sheet_part
from companion.table.settings import Settings
from companion.texts import render
from companion.wire import GUEST

MOST_OPTIONS = 40
"""How many options a page has; people leaf through the rest."""
LATEST = 3
"""How many of the last deeds are told."""


class PageMaker(Struct, frozen=True):
    """Makes the pages of one moment of a play; `asked` are all open questions."""

    session: Session
    asked: tuple[Question, ...]
    settings: Settings
    ticked: frozenset[tuple[int, str]]
    drawer: Drawer
    joined: frozenset[str] = frozenset()
    """The names of people who have a phone."""
    counted: TableCounted = TableCounted()
    """The finished table, if it is being counted."""
    _public: dict[str, dict[str, msgspec.Raw]] = msgspec.field(default_factory=dict)
    """What everybody gets, by language: made once for all audiences."""

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
            played = self.counted.played
            if played is not None and played.seats == self.session.setup.seats:
                page["me"]["count"] = to_count(played, played.seats[audience], self.drawer, language)
        return msgspec.json.encode(page)

    def _everybodys(self, language: str) -> dict[str, Any]:
        view, marks = self.session.view, marks_of(self.session, self.settings.people)
        public: dict[str, Any] = {
            "play": self._play(view, language),
            "seats": [self._seat(seat, marks[seat.seat], language) for seat in view.seats],
            "latest": self._latest(language),
        }
        if self.session.over:
            sheet = self.session.game.sheet(self.session.state)
            public["sheet"] = sheet_part(sheet, self.session.setup.seats, language)
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
            "brief": self.drawer.signs(seat.in_brief, language),
            "powers": [render(power, language) for power in seat.powers],
            "components": [
                {
                    "id": placed.component,
                    "name": render(placed.name, language),
                    "face": self.drawer.face(
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

    def _printed(self, component: str) -> Face:
        game = self.session.game
        return game.face(self.session.catalogue[component])

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
            "faces": [self.drawer.face(face, language) for face in question.faces],
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
        past = self.session.as_of(deeds[n - 1][1] if n else 0)
        then = replace(self, session=past, drawer=replace(self.drawer, game=past.game))
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
            "signs": self.drawer.signs(option.signs, language),
            "seat": option.seat,
        }

    def _option_face(self, option: Option, language: str) -> str:
        face = option.face
        if face is None and option.component is not None and option.component in self.session.catalogue:
            face = self._printed(option.component)
        if face is None or (not face.corners and not face.rows and not face.spots):
            return ""  # only a name, which the option says anyway
        return self.drawer.face(face, language)


def _some(text: Text | None) -> tuple[Text, ...]:
    return () if text is None else (text,)


def task_id(task: HandTask) -> str:
    """The id of a task on a page."""
    return hashlib.sha256(repr(task.key).encode()).hexdigest()[:16]
