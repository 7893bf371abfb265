"""A monkey test of the window: it touches anything it sees, in any order, and checks everything after each
touch.

It acts as a player who answers, somebody who is always in the settings, and somebody who changes their mind,
all at once; and as a table of strangers, who rest their fingers on the screen, do everything at the same
moment, leave and come back.
"""

from __future__ import annotations

import re
import threading
from collections import Counter
from collections.abc import Callable, Iterable
from contextlib import contextmanager, suppress
from random import Random
from typing import Any

from kivy.core.window import Window

from companion.core.agenda import open_asks
from companion.core.autoplay import any_answer, next_answer
from companion.core.digest import digest
from companion.core.entries import Answered
from companion.core.journal import Journal
from companion.core.lamps import Lamp, lamps
from companion.core.play import read
from companion.core.questions import Answer
from companion.core.session import Session
from companion.core.store import Store
from companion.core.understand import Press
from companion.core.words import plain
from companion.recognition import reading
from companion.table.signals import SeenState
from companion.ui.toolkit.geometry import visible, walk
from companion.ui.toolkit.kit import Tap
from companion.ui.toolkit.layouts import REACTION
from companion.ui.toolkit.overlays import Overlay
from companion.ui.toolkit.place_map import PlaceMap
from companion.ui.toolkit.tiles import Leaves
from devices.gestures import Doubled, Held, Pressed, Turned
from vision.label_news import Brought
from vision.sightings import Sighting
from workshop.screens.rehearsal import Finger, Rehearsal

TouchSpot = tuple[str, float, float]
"""Something to touch: its name and where it is."""

WEIGHTS: tuple[tuple[str, float], ...] = (
    (r"option-|target-|lay$|place-|sure|tell|hex-|dice-|ship-", 6.0),
    (r"value|add-|add$|done|save|next|plus|minus|key-", 3.0),
    (r"undo|redo|menu|home|back|close|map|seat-|settings|history|score|scan|choice-", 0.6),
    (r"demonstration|power|stop-program|quit", 0.0),
)
"""How much a monkey likes to touch parts with this name; all others 1."""


class Monkey:
    """Touches, and looks what came of it; `look` is called after each touch."""

    def __init__(
        self, rehearsal: Rehearsal, seed: int, look: Callable[[str], Any] = lambda done: None
    ) -> None:
        self.r, self.random, self.look = rehearsal, Random(seed), look
        self.done: list[str] = []
        self.kinds: Counter[str] = Counter()
        self.touched = self.ignored = 0
        """Of the touches of somebody in a hurry, those that hit something and those that did not."""

    # What it does

    def go_on(self, touches: int) -> None:
        """So many touches more."""
        for _ in range(touches):
            self.r.now += self.random.choice((0.2, 0.7, 2.0, 9.0))
            self.done.append("?")
            self.done[-1] = deed = self._deed()
            self.kinds[re.sub(r"[-:.].*", "", deed)] += 1
            self.check()
            self.look(deed)

    def _deed(self) -> str:
        dice = self.random.random()
        desk = self.r.app.desk
        if desk.play is None and dice < 0.3:
            return self._resume()
        if desk.play is not None and self.r.screen.name != "table" and dice < 0.25:
            return self._back()
        if desk.play is not None and dice < 0.45:
            if dice < 0.24:
                return self._answer()
            if dice < 0.27:
                return self._show()
            if dice < 0.29:
                return self._press()
            if dice < 0.31:
                return self._gesture()
            if dice < 0.37:
                return self._strange()
        return self._touch()

    def _strange(self) -> str:
        """What nobody does who has read how to play."""
        deeds = (self._rests, self._at_once, self._at_once, self._two_fingers)
        deeds += (self._leaves, self._corrects, self._sets, self._hurries)
        return self.random.choice(deeds)()

    def _rests(self) -> str:
        """A finger that rests on something while something else happens, and lifts there or elsewhere."""
        spots = list(self.spots())
        name, x, y = self.random.choice(spots)
        finger = self._lay(x, y)
        meanwhile = self.random.choice((self._press, self._answer, self._show, self._gesture, self._sets))()
        if self.random.random() < 0.3:
            finger.move({"x": self.random.random(), "y": self.random.random()})
        self._lift(finger)
        self.r.settle()
        return f"rests on {name} during {meanwhile}"

    def _hurries(self) -> str:
        """One touch after another at any rate, and others answer in between: what is touched has been there for as long
        as it takes to see it."""
        done: list[str] = []
        self.r._touched += 10.0
        self.r.frames(1)
        seen = [(self.r._touched - 10.0, self._under())]
        spots = list(self.spots())
        for _ in range(self.random.randint(2, 6)):
            _, x, y = self.random.choice(spots)  # where it was when they began
            if self.random.random() < 0.4 and self.r.app.desk.play is not None:
                seat = self.random.randrange(len(self.r.app.desk.session.setup.seats))
                self.r.app.desk.propose(Press(seat))
                self.r.settle()
                seen.append((self.r._touched, self._under()))
            self.r._touched += self.random.choice((0.02, 0.1, 0.2, 0.3, 0.5))
            finger = Finger(x, y)
            finger.came = now = self.r._touched
            self.r._dispatch("begin", finger)
            touched = finger.ud.get("tap")
            if touched is not None:
                done.append(touched.name)
                self.touched += 1
                long_ago = max(n for n, (since, _) in enumerate(seen) if n == 0 or since <= now - REACTION)
                for since, under in seen[long_ago:]:
                    there = under(x, y)
                    assert there == (touched.name, touched.about), (touched.name, there, now - since)
            else:
                self.ignored += 1
            self.r._dispatch("end", finger)
            self.r.settle()
            seen.append((now, self._under()))
            if self.r.app.desk.play is None:
                break
        return f"hurries {done}"

    def _under(self) -> Callable[[float, float], tuple[str, object] | None]:
        """What is under each point at this moment."""
        layers = list(self.r.app.stage.children)
        taps = [
            (seen, part.name, part.about)
            for layer in layers
            for part in walk(layer)
            if isinstance(part, Tap) and (seen := visible(part)) is not None
        ]

        def under(x: float, y: float) -> tuple[str, object] | None:
            here = ((n, about) for (a, b, c, d), n, about in taps if a <= x <= c and b <= y <= d)
            return next(here, None)

        return under

    def _two_fingers(self) -> str:
        spots = list(self.spots())
        (one, *here), (other, *there) = self.random.choice(spots), self.random.choice(spots)
        fingers = [self._lay(*here), self._lay(*there)]
        self.random.shuffle(fingers)
        for finger in fingers:
            self._lift(finger)
        self.r.settle()
        return f"{one} with {other}"

    def _lay(self, x: float, y: float) -> Finger:
        self.r._touched += 10.0
        finger = Finger(x, y)
        finger.came = self.r._touched
        self.r._dispatch("begin", finger)
        self.r.frames(1)
        return finger

    def _lift(self, finger: Finger) -> None:
        self.r._dispatch("end", finger)
        self.r.frames(1)

    def _at_once(self) -> str:
        """Buttons, fingers and undo in the same moment, before the same table: none of it answers what comes after."""
        desk, done = self.r.app.desk, []
        before, play = desk.session, desk.play
        asked = {(ask.seat, ask.slug) for _, ask in open_asks(before.state)}
        picks = {(q.seat, q.slug) for q in desk.questions() if q.tally is not None}  # each tap is one more
        with self._slow_disk():
            for _ in range(self.random.randint(2, 5)):
                name, x, y = self.random.choice(list(self.spots()) or [("nothing", 1.0, 1.0)])
                seat = self.random.randrange(len(before.setup.seats))
                what = self.random.choice((name, name, "press", "undo"))
                done.append(what)
                if what == "press":
                    desk.propose(Press(seat), seen=SeenState(before))
                elif what == "undo" and desk.play is not None:
                    self.r.app.buttons.act("undo", Pressed(0.0))
                else:
                    self.r.touch(x, y)
        self.r.settle()
        now = self.r.app.desk
        if (
            now.play is not None
            and play is not None
            and now.play.id == play.id
            and now.session.follows(before)
        ):
            redone = {id(moment) for moment in before.ahead}
            new = [m for m in now.session.moments[len(before.moments) :] if id(m) not in redone]
            entries = [moment.entry for moment in new if moment.entry is not None]
            given = [e.deed.answer for e in entries if isinstance(e.deed, Answered) and not e.same_deed]
            keys = [(answer.seat, answer.slug) for answer in given]
            once = [key for key in keys if key not in picks]
            assert len(once) == len(set(once)), f"answered again: {keys}"
            assert set(keys) <= asked, f"nobody had seen {keys}"
        return f"at once {done}"

    def _leaves(self) -> str:
        seat = self.random.randrange(len(self.r.app.desk.session.setup.seats))
        self.r.app.desk.set_away(seat, self.random.random() < 0.5)
        self.r.settle()
        return f"leaves {seat}"

    def _corrects(self) -> str:
        counters = self.r.app.desk.session.counters()
        if not counters:
            return self._touch()
        counter = self.random.choice(counters)
        value = self.random.choice((*counter.values, counter.low - 1, counter.high + 1, 10**30))
        self.r.app.desk.correct(counter.id, value, "Ania")
        self.r.settle()
        return f"corrects {counter.id} {value}"

    def _sets(self) -> str:
        """Something is set in mid-question, or the camera goes and comes."""
        changes: list[dict[str, Any]] = [
            {"language": self.random.choice(("en", "pl"))},
            {"text_size": self.random.choice((100, 125, 150))},
            {"in_secret": self.random.random() < 0.5},
            {"moments": self.random.random() < 0.5},
            {"theme": self.random.choice(("dark", "light"))},
            {"zones": {"ania": (0.0, 0.0, self.random.random() + 0.1, 1.0)}},
            {"camera": self.random.choice(("none", "practice"))},
        ]
        change = self.random.choice(changes)
        self.r.posed.wrong = self.random.choice((None, plain("the camera is gone")))
        self.r.change(**change)
        return f"sets {change}"

    def _resume(self) -> str:
        running = self.r.app.desk.running
        if running is None:
            return self._touch()
        self.r.app.desk.resume(running.id)
        self.r.settle()
        return "resume"

    def _back(self) -> str:
        for name in ("back", "close", "choice-0"):
            if name in self.r.taps():
                self.r.tap(name)
                return f"go {name}"
        return self._touch()

    def _answer(self) -> str:
        """What a bot would answer, or anything that could be."""
        session = self.r.app.desk.session
        if session.over:
            return self._touch()
        answer: Answer | None = None
        if self.random.random() < 0.8:
            with suppress(Exception):  # they did not do with their cards what a monkey did
                bots = session.game.bots(session.setup, self.random)
                answer = next_answer(session.state, bots, self.random)
        answer = answer or any_answer(session, self.random)
        self.r.app.desk.propose(answer)
        self.r.settle()
        return f"answer {answer}"

    def _show(self) -> str:
        """A card before the camera: one that is asked for, or any."""
        game = self.r.app.desk.session.game
        if game.box.label is None:
            return self._touch()
        book = reading.book(game)
        asked = {o.component for q in self.r.app.desk.questions() for o in q.options if o.component}
        wanted = [text for piece, text in book.texts.items() if piece.component in asked]
        text = self.random.choice(wanted if wanted and self.random.random() < 0.7 else [*book.texts.values()])
        sighting = Sighting(text, ((0.0, 0.0), (9.0, 0.0), (9.0, 9.0), (0.0, 9.0)), "zxing", 0.99, 3.0)
        self.r.posed.coming.append(Brought(sighting, self.r.now))
        self.r.posed.wake()
        self.r.settle()
        return f"show {text}"

    def _press(self) -> str:
        seat = self.random.randrange(len(self.r.app.desk.session.setup.seats))
        self.r.app.desk.propose(Press(seat))
        self.r.settle()
        return f"press {seat}"

    def _gesture(self) -> str:
        """A button of the table, wherever people are."""
        seat = self.random.randrange(len(self.r.app.desk.session.setup.seats))
        gestures: list[tuple[Any, Any]] = [
            ("undo", Pressed(0.0)),
            ("undo", Held(0.0)),
            ("next", Pressed(0.0)),
            ("next", Turned(0.0, by=self.random.choice((-1, 1)))),
            (seat, Held(0.0)),
            (seat, Doubled(0.0)),
        ]
        who, gesture = self.random.choice(gestures)
        self.r.app.buttons.act(who, gesture)
        self.r.settle()
        return f"button {who} {gesture}"

    def _touch(self) -> str:
        """A finger on something: once, twice, or before the disk has written what the last finger did."""
        spots = list(self.spots())
        if not spots:
            x, y = self.random.random() * Window.width, self.random.random() * Window.height
            spots = [("nothing", x, y)]
        weights = [_liked(name) for name, _, _ in spots]
        if not any(weights):
            weights = [1.0] * len(spots)
        name, x, y = self.random.choices(spots, weights)[0]
        dice = self.random.random()
        if dice < 0.05:
            self.r.touch(x, y)
            self.r.touch(x, y, twice=True)
            self.r.settle()
            return f"{name} twice"
        if dice < 0.12:
            with self._slow_disk():
                self.r.touch(x, y)
                other, x, y = self.random.choice(list(self.spots()) or [("nothing", x, y)])
                self.r.touch(x, y)
            self.r.settle()
            return f"{name} and at once {other}"
        self.touch(x, y)
        return name

    def touch(self, x: float, y: float) -> None:
        """One touch; while its page is still there, what was touched keeps its place under the finger, and nothing
        that stood elsewhere comes there. First other threads finish what was begun before."""
        if self.r.app.thread_pool.busy:
            self.r.settle_beside()
        before, page, asked = self._here(x, y), self._page(), self._asked()
        elsewhere = [(part.name, part.about) for part in self._taps() if visible(part) is not None]
        self.r.touch(x, y)
        self.r.settle()
        if (
            before is None or self._page() != page or not self._asked() <= asked
        ):  # they look at something else
            return
        now = self._here(x, y)
        still = [part for part in self._taps() if (part.name, part.about) == before]
        if len(still) == 1 and visible(still[0]) is not None:
            assert now == before, f"{before[0]} moved from under the finger at {x:.0f}, {y:.0f}"
        assert now == before or now not in elsewhere, f"{now} moved under the finger that touched {before[0]}"

    def _page(self) -> tuple[Any, ...]:
        """What people would say they are looking at: the screen, what stands before it, and whether it has leaves."""
        front = self.r.app.front
        layers = [type(layer) for layer in self.r.app.stage.children if isinstance(layer, Overlay)]
        sheet = front.sheet if front.seat is None else "a seat"
        leafed = any(isinstance(part, Leaves) and part.leafed for part in walk(self.r.app.stage))
        return self.r.screen, layers, sheet, leafed

    def _asked(self) -> set[tuple[int | None, str]]:
        """What is asked at the table, if people look at that."""
        if self.r.screen.name != "table":
            return set()
        return {(question.seat, question.slug) for question in self.r.app.desk.questions()}

    def _taps(self) -> list[Tap]:
        return [part for part in walk(self.r.app.stage) if isinstance(part, Tap)]

    def _here(self, x: float, y: float) -> tuple[str, object] | None:
        return self._under()(x, y)

    @contextmanager
    def _slow_disk(self) -> Any:
        written = threading.Event()
        self.r.app.desk.clerk.do(lambda journal, binder: written.wait(), lambda _: None, lambda _: None)
        try:
            yield
        finally:
            written.set()

    def spots(self) -> Iterable[TouchSpot]:
        """Everything a finger would touch now."""
        layers = list(self.r.app.stage.children)  # the topmost first
        sheets = (n for n, one in enumerate(layers) if isinstance(one, Overlay) and one.size == Window.size)
        whole = next(sheets, None)
        for layer in layers if whole is None else layers[: whole + 1]:
            for part in walk(layer):
                seen = visible(part)
                if seen is None:
                    continue
                if isinstance(part, Tap):
                    yield part.name, (seen[0] + seen[2]) / 2, (seen[1] + seen[3]) / 2
                elif isinstance(part, PlaceMap):
                    for id in part.offered:
                        yield f"place-{id}", *part.on_screen(*part.spots[id])
                    across, up = self.random.random(), self.random.random()
                    yield "ground", seen[0] + across * (seen[2] - seen[0]), seen[1] + up * (seen[3] - seen[1])
        if whole is not None and not any(isinstance(part, Tap) for part in walk(layers[whole])):
            yield "moment", Window.width / 2, Window.height / 2

    # What must hold

    def check(self) -> None:
        """Whatever was touched: no screen is broken, and all that tells of the play tells the same."""
        app = self.r.app
        log = app.folder / "errors.log"
        assert not log.exists(), log.read_text()
        assert app.screen.name != "broken"
        assert list(self.spots()), f"nothing to touch at {app.screen.name}"
        if app.desk.play is None:
            return
        session, asked = app.desk.session, app.desk.questions()
        next_one = session.ahead[0].entry if session.ahead else None
        assert next_one is None or not next_one.same_deed, "half of something was taken back"
        waited = {q.seat for q in asked}
        if not session.over and not session.paused:
            lit = {seat for seat, lamp in enumerate(lamps(session)) if lamp is Lamp.WAITED}
            assert lit == waited - {None}, f"lamps {lit}, but asked are {waited}"
        assert not session.over or not asked
        if self.random.random() < 0.1:
            assert asked == session.questions()
            self.replays()

    def replays(self) -> None:
        """The journal on the disk leads to the very table that is shown."""
        play = self.r.app.desk.play
        assert play is not None
        with Store(self.r.app.folder / "journal.db") as store:
            again = read(Journal(store).load(play.id)).session
        assert alike(again) == alike(play.session)


def alike(session: Session) -> tuple[Any, ...]:
    """What two sessions of the same play have in common."""
    moments = [digest(m.state) for m in (*session.moments[-3:], *session.ahead[:3])]
    return (
        session.entries,
        len(session.moments),
        len(session.ahead),
        session.paused,
        session.away,
        session.thought,
        *moments,
        session.questions(),
    )


def _liked(name: str) -> float:
    return next((much for pattern, much in WEIGHTS if re.match(pattern, name)), 1.0)
