"""An evening in front of the camera: a real play at some moment, its cards on a drawn table, and what people
do there.

What is fair: a show is one option brought, lifted or laid clearly elsewhere by a hand, alone. Nothing else
ever looks exactly like that: of the cards dealt face up together either none is an option or several are; a
card that is gathered and laid out again comes back to its place; what a pile uncovers was not brought by a
hand.
"""

from __future__ import annotations

from random import Random

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from companion.core import autoplay
from companion.core import session as sessions
from companion.core.game import Setup, games
from companion.core.scans import LastShown
from companion.core.session import Session
from companion.core.understand import Accept, Sighted, understand
from companion.recognition import reading
from companion.recognition.labels import Piece
from companion.recognition.zones import Zone
from companion.table.signal_intake import answer_forced
from vision import virtual_paint as paint
from workshop.film_replay import PlayCopy
from workshop.films import events as events
from workshop.films import rare_events as rare_events
from workshop.films import shows as shows_
from workshop.films.cues import Film, Stance
from workshop.films.evening import Stage
from workshop.films.events import NUISANCES, FilmEvent

ART = 91
"""The set of art of cards without labels."""
NAMES = ("Ania", "Bartek", "Celina")
WAYS = ("brought", "held", "lifted", "elsewhere", "copy", "left")


CAMERA_TROUBLES = (
    "bump",
    "shake",
    "light off",
    "lens covered",
    "pause",
    "unplugged",
    "flicker",
    "another screen",
)
"""What happens to the camera rather than to the cards."""


class FilmedEvening(Struct, frozen=True):
    """A film, the play it is shown to, whose part of the picture is whose, and the spot for showing if one is marked.

    `expected`: the shows, by their place in the film's list, that answer exactly one question when they are due.
    """

    film: Film
    session: Session
    zones: dict[str, Zone]
    spot: Zone | None
    expected: tuple[int, ...]


def moment(game: str, seats: int, seed: int) -> Session:
    """A play at a moment when somebody is asked for components, oftener one that lies on the table already."""
    rules, random = games()[game], Random(seed)
    setup = rules.complete(Setup(game, NAMES[:seats]))
    session = sessions.begin(rules, setup, 0.0)
    played = [session]
    for _, answer in autoplay.play(rules, setup, seed):
        if answer is not None:
            played.append(session := session.answer(answer, 0.0))
    lies, found = random.random() < 0.7, []
    for one in map(settled, random.sample(played, min(60, len(played)))):
        asked = {o.component for q in one.questions() for o in q.options if o.component}
        if asked and (not lies or asked & rules.on_table(one.state)):
            return one
        if asked:
            found.append(one)
    return found[0]


def settled(session: Session) -> Session:
    """A play after all that leaves no choice, which the program answers automatically."""
    copy = PlayCopy(session)
    answer_forced(copy, session.questions(), 0.0)
    return copy.session


NASTY = (*rare_events.RARE_EVENTS, "unseen", "unseen", "waved", "replugged")
"""What happens at rarer evenings."""


def evening(
    game: str,
    seed: int,
    minutes: float = 5.0,
    *,
    kinds: tuple[str, ...] = (),
    shows: int = 2,
    nasty: bool = False,
    faces: bool = False,
) -> FilmedEvening:
    """A film of this game: by seed everything else. `kinds`: what happens, in this order, instead of anything.
    `nasty`: mostly what happens seldom. `faces`: cards have art and no labels."""
    return _Writer(game, seed, nasty, faces).write(minutes, kinds, shows)


class _Writer:
    """Writes one evening; `session` is the play as it will be if all that is shown is taken."""

    def __init__(self, game: str, seed: int, nasty: bool = False, faces: bool = False) -> None:
        self.rng, self.nasty, self.faces = paint.dice("evening", game, seed), nasty, faces
        self.seats = int(self.rng.choice([2, 2, 3]))
        self.session = self.begin = moment(game, self.seats, seed)
        self.book = reading.book(self.session.game)
        self.setting = str(self.rng.choice(["zones", "zones", "plain", "plain", "marked", "spot"]))
        self.stage = self._stage(seed)
        self.expected: list[int] = []
        self.last: LastShown | None = None
        if self.setting != "spot":
            self._lay_out()

    def _stage(self, seed: int) -> Stage:
        rng = self.rng
        label = float(rng.choice([12.0, 15.0, 18.0]))
        if self.faces:
            scale = float(rng.uniform(2.3, 3.0))
            w, h = 960 / scale, 540 / scale
            spot = (0.10 * w, -0.20 * h, 0.50 * w, 0.50 * h) if self.setting == "marked" else None
            spot = (-1e3, -1e3, 1e3, 1e3) if self.setting == "spot" else spot
            return Stage(seed, (960, 540), scale, label, self.seats, spot)
        if self.setting == "spot":
            scale = float(rng.uniform(2.2, 3.0))
            return Stage(seed, (800, 450), scale, label, self.seats, (-1e3, -1e3, 1e3, 1e3))
        small = rng.random() < 0.2
        module = float(rng.uniform(1.0, 1.4) if small else rng.uniform(1.5, 2.4 if label > 12 else 1.7))
        scale = module * 21 / label
        pixels = int(np.clip(round(float(rng.uniform(380, 480)) * scale / 16) * 16, 640, 1120))
        size = (pixels, pixels * 9 // 16)
        w, h = size[0] / scale, size[1] / scale
        spot = (0.10 * w, -0.20 * h, 0.50 * w, 0.50 * h) if self.setting == "marked" else None
        return Stage(seed, size, scale, label, self.seats, spot)

    def _lay_out(self) -> None:
        """The cards the game says lie there, options first, in rows; some room is left."""
        s, rng = self.stage, self.rng
        pitch = (s.card[0] + 6, s.card[1] + 7)
        columns, rows = int(s.wide * 0.96 // pitch[0]), int(s.high * 0.97 // pitch[1])
        slots = [
            ((i - (columns - 1) / 2) * pitch[0], (j - (rows - 1) / 2) * pitch[1])
            for j in range(rows)
            for i in range(columns)
        ]
        slots = [at for at in slots if s.beside_spot((at[0], at[1]))]
        order = [slots[int(k)] for k in rng.permutation(len(slots))]
        on_table = self.session.game.on_table(self.session.state) & set(self.book.catalogue.by_id)
        asked = self._asked()
        texts = [
            self._label(c, 0) for c in sorted(sorted(on_table), key=lambda c: (c not in asked, rng.random()))
        ]
        share = float(rng.choice([0.05, 0.3, 0.45, 0.6]))
        for text, (x, y) in zip(
            texts[: max(1, round(share * len(slots)))], sorted(order[: len(texts)]), strict=False
        ):
            facing = float(rng.choice([0, 0, 180]) + rng.normal(0, 3))
            s.place(text, Stance(x + float(rng.normal(0, 1.5)), y + float(rng.normal(0, 1.5)), facing))

    def _asked(self) -> set[str]:
        """The components that answer something now, as far as they have labels."""
        asked = {o.component for q in self.session.questions() for o in q.options if o.component}
        return asked & set(self.book.catalogue.by_id)

    def _label(self, component: str, seat: int, copy: int = 1) -> str:
        copies = self.book.catalogue[component].copies
        if component in self.book.sets:
            copy = seat + 1
        return self.book.texts[Piece(component, 0 if copies == 1 else min(copy, copies))]

    # events

    def write(self, minutes: float, kinds: tuple[str, ...], shows: int) -> FilmedEvening:
        s, rng = self.stage, self.rng
        length = minutes * 60
        if kinds:
            for kind in kinds:
                s.wait(1.5, 3)
                self._happen(kind)
        else:
            due = sorted(rng.uniform(0.35, 0.9, shows) * length)
            names = self._names()
            while s.now < length:
                s.wait(3, 60)
                if due and s.now >= due[0]:
                    due.pop(0)
                    self._happen("show")
                else:
                    self._happen(str(rng.choice(names)))
        zones = {}
        if self.setting == "zones":
            part = 100 / self.seats
            zones = {NAMES[n].casefold(): (part * n, 0.0, part, 100.0) for n in range(self.seats)}
        film = s.film()
        if self.faces:
            film = replace(
                film, faces={text: piece.component for piece, text in self.book.texts.items()}, art=ART
            )
        return FilmedEvening(film, self.begin, zones, self._spot(), tuple(self.expected))

    def _spot(self) -> Zone | None:
        if self.setting == "spot":
            return (0.0, 0.0, 100.0, 100.0)
        return (60.0, 30.0, 40.0, 70.0) if self.setting == "marked" else None

    def _names(self) -> list[str]:
        if self.nasty:
            return [*NASTY, "arm, fast", "hand rests", "dealing", "uncovering", "gathering", "straightening"]
        if self.setting == "spot":
            return ["arm, fast", "arm, slow", "reaching across", "two seats", *CAMERA_TROUBLES]
        return [
            *NUISANCES,
            "dealing",
            "dealing",
            "uncovering",
            "uncovering",
            "hand rests",
            "arm withdrawn",
            "arm, fast",
            "two seats",
        ]

    def _happen(self, kind: str) -> bool:
        if kind == "show":
            return self._show()
        if kind == "two seats":
            return self._show_two()
        if kind == "replugged":
            options = self._options()
            if not options:
                return False
            label = self._label(*options[0])
            return self.stage.happen(kind, rare_events.replugged(label, options[0][1]))
        return self.stage.happen(kind, self._event(kind))

    def _event(self, kind: str) -> FilmEvent:
        if kind in NUISANCES:
            return NUISANCES[kind]
        if kind in rare_events.RARE_EVENTS:
            return rare_events.RARE_EVENTS[kind]
        asked, rng = self._asked(), self.rng
        others = [
            self._label(c.id, 0)
            for c in self.book.catalogue
            if c.id not in asked and c.id not in self.book.sets
        ]
        options = [self._label(c, 0) for c in sorted(asked)]
        if kind == "unseen":
            return rare_events.unseen(options or others)
        if kind == "waved":
            return rare_events.waved(options or others)
        if kind == "dealing":
            if len(options) > 3 and rng.random() < 0.3:
                return events.deals(options, up=1.0)
            return events.deals(others, up=float(rng.choice([0.0, 0.6])))
        assert kind == "uncovering", kind
        return events.uncovers(options if options and rng.random() < 0.7 else others, others)

    # shows

    def _show(self) -> bool:
        """Somebody shows an option, in one of the ways people do, if there is one that can be shown."""
        self._put_right()
        for component, seat in self._options()[:20]:
            for way in self.rng.permutation(WAYS):
                if self._shown(str(way), component, seat):
                    return True
        return False

    def _show_two(self) -> bool:
        """Two seats show an option each at the same time, if there are two; nothing is to be answered by that."""
        options = self._options()
        labels = [self._label(component, seat) for component, seat in options]
        for n, other in enumerate(labels):
            if n and options[n][1] != options[0][1] and other != labels[0]:
                self._put_right()
                event = shows_.two_seats((labels[0], other), (options[0][1], options[n][1]))
                return self.stage.happen("two seats", event)
        return False

    def _put_right(self) -> None:
        """A player who shows a card sees that the camera looks elsewhere."""
        if len(self.stage.views) > 1:
            self.stage.happen("bump", events.put_right)

    def _options(self) -> list[tuple[str, int]]:
        """The components asked for, and who may show them, in any order."""
        rng = self.rng
        options = [
            (o.component, int(rng.integers(self.seats)) if q.seat is None else q.seat)
            for q in self.session.questions()
            for o in q.options
            if o.component is not None and o.component in self.book.catalogue.by_id
        ]
        return [options[int(k)] for k in rng.permutation(len(options))]

    def _shown(self, way: str, component: str, seat: int) -> bool:
        s, label = self.stage, self._label(component, seat)
        lies, copies = label in s.lying, self.book.catalogue[component].copies
        if way in ("lifted", "elsewhere"):
            if not lies or self.setting in ("spot", "marked"):
                return False
            if way == "elsewhere" and not s.in_sight(label):  # nobody saw it lie: it may come from anywhere
                return False
            event = (
                shows_.lifts(label, seat, back=bool(self.rng.random() < 0.5))
                if way == "lifted"
                else shows_.lays_elsewhere(label, seat)
            )
        elif way == "copy":
            if not lies or copies < 2 or component in self.book.sets:
                return False
            label = self._label(component, seat, 2)
            event = shows_.brings(label, seat, held=bool(self.rng.random() < 0.5), left=False, kind="copy")
        elif lies:
            return False
        else:
            event = shows_.brings(
                label,
                seat,
                held=way == "held" or (way == "left" and self.rng.random() < 0.3),
                left=way == "left",
                kind=way,
            )
        before = len(s.shows)
        if not s.happen("show", event):
            return False
        self._expect(before, component, seat)
        s.wait(2, 4)
        return True

    def _expect(self, n: int, component: str, seat: int) -> None:
        """Take a show as answered if it answers exactly one question, no matter which seat seems to have shown it.

        A card the table knows already, put down among others that lie there, may only have been put where it belongs;
        and the very card that was shown last may only be shown once more.
        """
        s = self.stage
        others = [text for text in s.face_up if text != s.shows[n].label]
        if (
            s.shows[n].laid
            and s.spot is None
            and others
            and component in self.session.game.on_table(self.session.state)
        ):
            return
        own = component in self.book.sets and not self.faces
        placed = seat if own or self.setting == "zones" else None
        label, card, asked = s.shows[n].label, Sighted(component, placed), self.session.questions()
        if self.last is not None and self.last.again(self.session, label, card, asked):
            return
        meant = understand(self.session, card)
        if isinstance(meant, Accept):
            self.expected.append(n)
            self.session = settled(self.session.answer(meant.answer, 0.0))
            self.last = LastShown(label, meant.answer, self.session.entries)
