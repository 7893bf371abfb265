"""Scenes of a play: what is done on a screen at a moment a game declares for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from workshop.screens.staging import PLAYED, first, played

if TYPE_CHECKING:
    from companion.core.parts import Highlight
    from workshop.screens.rehearsal import Rehearsal


@played("home")
def _(r: Rehearsal, highlight: Highlight) -> None:
    _leave(r)


def _leave(r: Rehearsal) -> None:
    r.app.home()
    r.app.desk.leave()
    r.settle()


@played("map")
def _(r: Rehearsal, highlight: Highlight) -> None:
    r.app.go("map")
    view = r.app.desk.session.view
    r.screen.chosen = view.maps[0].places[1].id
    r.app.refresh()


@played("map-legend")
def _(r: Rehearsal, highlight: Highlight) -> None:
    r.app.go("map")
    r.settle()
    r.tap("legend")


@played("table")
def _(r: Rehearsal, highlight: Highlight) -> None:
    """A resumed play is at the table already."""


@played("name-tile")
def _(r: Rehearsal, highlight: Highlight) -> None:
    """Somebody took a tile that is still unknown."""
    offered = r.app.desk.offered()[0].options
    r.tap(f"option-{next(option.id for option in offered if option.new is not None)}")


@played("table-dice")
def _(r: Rehearsal, highlight: Highlight) -> None:
    deed = r.taps()["option-6"].on_tap
    assert deed is not None
    deed()


@played("table-paused")
def _(r: Rehearsal, highlight: Highlight) -> None:
    r.app.desk.pause()


@played("table-moment")
def _(r: Rehearsal, highlight: Highlight) -> None:
    """Everybody enters what they turned over."""
    r.change(moments=True)
    for question in r.app.desk.questions():
        r.tap(f"option-{question.options[(question.seat or 0) * 2].id}-{question.seat}")


@played("table-hands")
def _(r: Rehearsal, highlight: Highlight) -> None:
    for _ in range(200):
        if "hands" in r.taps():
            break
        r.play_on(1)
    r.tap("hands")


@played("table-in-secret")
def _(r: Rehearsal, highlight: Highlight) -> None:
    r.change(in_secret=True)


@played("table-undo")
def _(r: Rehearsal, highlight: Highlight) -> None:
    """One tap undid something; redo is shown beside it."""
    r.tap("undo")


@played("table-menu")
def _(r: Rehearsal, highlight: Highlight) -> None:
    r.tap("menu")


@played("table-help")
def _(r: Rehearsal, highlight: Highlight) -> None:
    """The rule, and why some components are refused."""
    question = next(q for q in r.app.desk.questions() if not q.secret or q.form is None)
    r.app.front.help(question)


for _name in ("table-help-reasons", "table-help-reminders"):
    played(_name)(PLAYED["table-help"])


@played("table-no-camera")
def _(r: Rehearsal, highlight: Highlight) -> None:
    from companion.core.words import say

    r.posed.wrong = say("camera.black", source="usb:0")
    r.settle()
    r.tap("blind")


@played("table-offer")
def _(r: Rehearsal, highlight: Highlight) -> None:
    from companion.core.questions import Answer
    from companion.core.scans import Offer

    question = next(q for q in r.app.desk.session.questions() if len(q.options) > 1)
    two = question.options[:2]
    r.app.front.put_forward(
        Offer(tuple((Answer(question.seat, question.slug, option.id), option) for option in two))
    )


@played("table-told")
def _(r: Rehearsal, highlight: Highlight) -> None:
    _card_that_is_not_wanted(r)


@played("choose")
def _(r: Rehearsal, highlight: Highlight) -> None:
    r.app.go("choose", seat=highlight.question(r.app.desk.session).seat)


@played("choose-kinds")
def _(r: Rehearsal, highlight: Highlight) -> None:
    PLAYED["choose"](r, highlight)
    r.settle()
    r.app.ask(r.screen._ask_kind)


@played("choose-typing")
def _(r: Rehearsal, highlight: Highlight) -> None:
    PLAYED["choose"](r, highlight)
    r.settle()
    r.tap("find")


@played("table-seat")
def _(r: Rehearsal, highlight: Highlight) -> None:
    r.tap("seat-1")


@played("table-card")
def _(r: Rehearsal, highlight: Highlight) -> None:
    """A card of a seat is opened from the seat's view: one whose points depend on others, if there is one."""
    session = r.app.desk.session
    faces = {
        one.component: session.game.face(session.catalogue[one.component])
        for one in session.view.seats[1].components
    }
    open_ = [id for id, face in faces.items() if any(sign.value == "?" for sign in face.corners)]
    r.app.front.peek(1)
    r.settle()
    r.tap(f"open-{[*faces, *open_][-1]}")


@played("scan")
def _(r: Rehearsal, highlight: Highlight) -> None:
    _camera(r)
    r.app.go("scan")


@played("scan-practice")
def _(r: Rehearsal, highlight: Highlight) -> None:
    from vision.virtual import PRESETS, VirtualTable
    from vision.worker import Glance

    r.change(camera="virtual")
    r.camera_feed.watch("virtual")
    r.posed.table = table = VirtualTable(PRESETS["good-lamp"], 1, size=(1280, 720), clock=r.clock)
    r.app.go("scan")
    r.settle()
    r.tap(first(r, "hold-"))
    frame = table.read()
    assert frame is not None
    r.posed.look = Glance(frame, ())


@played("scan-no-camera")
def _(r: Rehearsal, highlight: Highlight) -> None:
    r.app.go("scan")


@played("history-undo")
def _(r: Rehearsal, highlight: Highlight) -> None:
    r.app.go("history")
    r.settle()
    r.screen._ask_back(len(r.app.desk.session.moments) - 6)


@played("score")
def _(r: Rehearsal, highlight: Highlight) -> None:
    r.app.go("score")
    r.settle()
    r.tap("tab-result")


@played("score-line")
def _(r: Rehearsal, highlight: Highlight) -> None:
    PLAYED["score-sheet"](r, highlight)
    r.settle()
    r.tap(first(r, "line-"))


for _name in ("sheet", "chart", "pack", "share"):

    @played(f"score-{_name}")
    def _(r: Rehearsal, highlight: Highlight, name: str = _name) -> None:
        r.app.go("score")
        r.settle()
        r.tap(f"tab-{name}")


@played("plays")
def _(r: Rehearsal, highlight: Highlight) -> None:
    r.play(r.app.desk.session.game.id, ("Ewa", "Filip"), answers=30, seed=5)
    _leave(r)
    r.app.go("plays")


@played("correct-group")
def _(r: Rehearsal, highlight: Highlight) -> None:
    """A place of the map, corrected."""
    r.app.go("correct")
    r.settle()
    r.tap("by-0")
    r.tap("of-None")
    r.tap(first(r, "group-1"))


@played("correct-choose")
def _(r: Rehearsal, highlight: Highlight) -> None:
    PLAYED["correct-group"](r, highlight)
    r.tap(first(r, "choose-"))


@played("broken")
def _(r: Rehearsal, highlight: Highlight) -> None:
    r.forgiving = True
    r.app.on_crash(RuntimeError("a picture"))


def _card_that_is_not_wanted(r: Rehearsal) -> None:
    from companion.core.understand import Refuse, Sighted, understand

    session = r.app.desk.session
    for component in session.catalogue.by_id:
        if isinstance(understand(session, Sighted(component)), Refuse):
            r.app.desk.propose(Sighted(component))
            return


def _camera(r: Rehearsal) -> None:
    """Cards lie in front of the camera: some that lie there in the play, one that does not."""
    from companion.recognition import reading
    from vision.virtual import PRESETS, shoot, spread

    session = r.app.desk.session
    book = reading.book(session.game)
    there = session.game.on_table(session.state)
    labels = {piece.component: text for piece, text in book.texts.items()}
    lying = [labels[component] for component in sorted(there)[:7]]
    other = next(component for component in labels if component not in there and component not in book.sets)
    cards = spread([*lying, labels[other]], seed=3, size=22.0)
    r.change(camera="virtual")
    r.camera_feed.watch("virtual")
    picture = shoot(cards, PRESETS["good-lamp"], 3, (1280, 720)).picture
    r.posed.see(picture, reading.reader(session.game), r.now)
