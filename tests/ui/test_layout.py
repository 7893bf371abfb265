"""Checks every page built in demonstrations of every game: nothing is cut off, overlaps, is broken apart or
too small. `benchmarks/layout.py` plays them to the end, in every size, language and text size."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from companion.core.faces import Sign
from companion.core.game import games
from companion.core.views import PlaceView
from companion.core.words import plain
from companion.drawing.lines import abbreviated
from companion.drawing.signs import StrokeGroup
from companion.drawing.strokes import Inscription
from companion.ui.guide import Guide
from companion.ui.screens.table.pages import page_for
from companion.ui.screens.table.rail import SideRail, button
from companion.ui.screens.table.rail import seats as seat_cells
from companion.ui.toolkit.drawn_places import Brush
from companion.ui.toolkit.geometry import walk
from companion.ui.toolkit.kit import Part, Plate, Row, Tap, Words
from companion.ui.toolkit.place_map import PlaceMap, Sight
from companion.ui.toolkit.symbols import Drawn, SignRow
from companion.ui.toolkit.theme import TARGET
from tests import budgets
from workshop.screens import layout_campaign
from workshop.screens.checks import layout_faults
from workshop.screens.faults import Played
from workshop.screens.layout_watch import LayoutWatch
from workshop.screens.letters import letters
from workshop.screens.shots import VARIANTS

pytestmark = pytest.mark.every_game

FEW = 12
"""Answers of each demonstration in a usual run; a campaign plays to the end."""

SIZES = layout_campaign.SIZES if budgets.campaign else ((800, 480), (1280, 720))


@pytest.mark.parametrize("size", SIZES, ids=lambda size: "x".join(map(str, size)))
def test_nothing_is_wrong_with_any_page_of_a_demonstration(tmp_path: Path, size: tuple[int, int]) -> None:
    variants = VARIANTS if budgets.campaign else [("en", 100), ("pl", 150)]
    answers = 0 if budgets.campaign else FEW
    process = layout_campaign.start(size, tmp_path, variants, list(games()), answers)
    found = list(layout_campaign.results(process))
    played = [one for one in found if isinstance(one, Played)]
    assert [one.game for one in played] == list(games())
    assert all(one.pages > len(variants) * FEW / 2 and (one.over or answers) for one in played)
    faults = [f"{one} in {tmp_path}" for one in found if not isinstance(one, Played)]
    assert not faults, "\n".join(faults)


def written(*words: tuple[str, float, float], size: float = 20, wide: float = 300) -> Drawn:
    """Words drawn somewhere on a part, as faces and maps do."""
    strokes = tuple(Inscription(x, y, said, size, "#FFFFFF") for said, x, y in words)
    return Drawn(StrokeGroup(strokes, wide, 100))


def faults(rehearsal, part: Part, wide: float = 300, high: float = 100) -> list[tuple[str, str]]:
    """What is wrong with a page that is nothing but this."""
    stage = rehearsal.app.stage
    stage.clear_widgets()
    part.place(100, 100, wide, high)
    stage.add_widget(part)
    return layout_faults(rehearsal.app)


def kinds(found) -> set[str]:
    return {fault.kind for fault in found}


def test_everything_drawn_is_checked(rehearsal):
    assert faults(rehearsal, written(("Explore", 10, 20), ("Develop", 10, 60))) == []
    assert kinds(faults(rehearsal, written(("Explore", 10, 20), ("Develop", 40, 22)))) == {"overlap"}
    assert kinds(faults(rehearsal, written(("Explore", 10, 20), size=14))) == {"small letters"}
    assert kinds(faults(rehearsal, written(("+12", 10, 20), size=14))) == {"small figures"}
    assert faults(rehearsal, written(("G", 10, 20), size=13)) == []
    assert kinds(faults(rehearsal, written(("Deep Sp…", 10, 20)))) == {"shortened"}
    assert faults(rehearsal, Words("One moment…")) == [], "a sentence may end so"


@pytest.mark.parametrize(
    ("words", "kinds_found"), [(("Tachyon", "Tachyon"), {"alike"}), (("Drive", "Source"), set())]
)
def test_options_that_read_alike_are_found(rehearsal, words, kinds_found):
    """As two technologies did whose last words had no room."""
    rehearsal.play("race", ("Ania", "Bartek", "Celina"), answers=4)
    options = [rehearsal.app.desk.questions()[0].options[n] for n in (0, -1)]
    assert len({rehearsal.app.desk.words(option.text) for option in options}) == 2
    taps = [
        Tap(name=f"option-{option.id}", part=Words(said)).fill()
        for option, said in zip(options, words, strict=True)
    ]
    found = faults(rehearsal, Row(taps), wide=600)
    assert {fault.kind for fault in found if fault.kind == "alike"} == kinds_found


def test_layers_that_were_checked_are_not_again(rehearsal, tmp_path):
    watch = LayoutWatch(rehearsal.app, tmp_path)
    rehearsal.play("race", ("Ania", "Bartek"), answers=2)
    page = rehearsal.app.stage.children[-1]
    assert page in watch._layers
    assert layout_faults(rehearsal.app, watch._layers) == layout_faults(rehearsal.app) == []
    rehearsal.app.page_built = lambda: None


def test_a_second_filled_button_is_found(rehearsal):
    def page(kind: str) -> Part:
        return Row([Tap("Go on", kind="main").fill(), Tap("Start", kind=kind).fill()])

    assert faults(rehearsal, page("plain")) == []
    assert kinds(faults(rehearsal, page("main"))) == {"several main"}


def test_words_that_stick_out_of_their_ground_are_found(rehearsal):
    ground = Plate(Row([written(("Conglomerate", 200, 50), wide=250).fill()]), pad=0)
    assert kinds(faults(rehearsal, ground)) == {"cut off"}
    row = SignRow(games()["race"], (Sign("vp", "12"),) * 9, 28)
    row.fit = lambda width: row.laid.high  # nobody asked how it fits, so it is as wide as it is
    assert kinds(faults(rehearsal, Plate(Row([row.fill()]), pad=0), wide=80)) == {"cut off"}


def edge_of_a_map(rehearsal, sight: Sight) -> PlaceMap:
    """A map whose edge goes through a name."""
    place = PlaceView("a", 0.0, 0.0, plain("Deep Space"), plain("Deep Space"), shape="disc")
    far = PlaceView("b", 3.0, 0.0, plain("System"), plain("System"), shape="disc")
    game, words = games()["beyond"], rehearsal.app.desk.words
    return PlaceMap(game, [place, far], (), words, sight, lambda id: None, frame=(-1.0, -1.0, 2.0, 1.0))


def names(part: Part) -> set[str]:
    return {found.written.words for found in letters(part)}


def test_a_name_at_the_edge_of_a_map_is_left_out_rather_than_cut(rehearsal):
    map = edge_of_a_map(rehearsal, Sight())
    assert faults(rehearsal, map, 400, 300) == []
    assert names(map) == {"Deep Space"}
    assert faults(rehearsal, map, 700, 300) == []
    assert names(map) == {"Deep Space", "System"}


def test_words_at_the_edge_of_a_map_are_found_unless_somebody_moved_it(rehearsal, monkeypatch):
    monkeypatch.setattr(Brush, "_whole", lambda *_: True)
    sight = Sight()
    assert "cut off" in kinds(faults(rehearsal, edge_of_a_map(rehearsal, sight), 400, 300))
    sight.zoom(1.5)
    assert "cut off" not in kinds(faults(rehearsal, edge_of_a_map(rehearsal, sight), 400, 300))


def test_every_page_that_is_built_is_checked_once_and_pictured(rehearsal, tmp_path):
    watch = LayoutWatch(rehearsal.app, tmp_path)
    rehearsal.play("race", ("Ania", "Bartek"), answers=2)
    pages = watch.pages
    rehearsal.play_on()
    assert watch.pages > pages
    rehearsal.app.tell(plain("Incomprehensibilities" * 9))
    bad = [found for found in watch.found if "Incomp" in found.what]
    assert {found.kind for found in bad} >= {"broken word"}
    assert len({(found.kind, found.what) for found in bad}) == len(bad)
    assert (bad[0].screen, bad[0].game, bad[0].window) == ("table", "race", "800x480")
    assert (tmp_path / bad[0].picture).stat().st_size > 1000
    rehearsal.app.page_built = lambda: None


def measured(words: str, size: float, bold: bool) -> float:
    return len(words) * size / 2


@pytest.mark.parametrize(
    ("words", "room", "cut"),
    [
        ("Tachyon Source", 96, "Tach. Source"),
        ("Tachyon Drive", 96, "Tachy. Drive"),
        ("Multicolour mining planet", 104, "Multicolour"),
        ("Tyler Lee, ingenious entrepreneur, and more", 88, "Tyler Lee"),
        ("Green mining planet (points)", 216, "Green mini. planet (points)"),
        ("Incomprehensibilities", 80, "Incompreh."),
    ],
)
def test_words_of_a_name_are_shortened_before_one_is_left_out(words, room, cut):
    assert abbreviated(words, 16, room, 1, measured).words == (cut,)


@pytest.mark.parametrize("seats", [3, 4])
def test_seats_of_a_low_rail_are_large_enough_for_a_finger(rehearsal, seats):
    """A row of seats that is not full has room for the first buttons."""
    rehearsal.change(text_size=150)
    rehearsal.play("beyond", ("Ania", "Bartek", "Celina", "Dorota")[:seats], seed=3)
    screen = rehearsal.screen
    others = [button(words, None, words) for words in ("Done", "Map", "?")]
    rail = SideRail(seat_cells(screen, rehearsal.app.desk.session.view), others[:1], Row(others[1:]))
    rail.place(0, 0, 150, 170 if seats == 3 else 220)
    taps = [part for part in walk(rail) if isinstance(part, Tap)]
    assert len(taps) == seats + 3
    assert all(min(tap.width, tap.height) >= TARGET - 1 for tap in taps)


def test_a_button_gives_up_its_icon_before_its_words(rehearsal):
    tile = button("Colony ships (1)", None, "choose", "dots-horizontal")
    tile.place(0, 0, 72, 54)
    assert any("Col" in part.text for part in walk(tile) if isinstance(part, Words))


def test_a_board_of_one_row_leaves_the_seats_in_sight(rehearsal):
    rehearsal.play("beyond", ("Ania", "Bartek", "Celina"))
    assert page_for(rehearsal.screen.shown_question()).name == "row"
    assert {"seat-0", "seat-1", "seat-2"} <= set(rehearsal.taps())
    assert layout_faults(rehearsal.app) == []


def test_beside_a_board_with_an_alert_every_button_is_large_enough_at_large_text(rehearsal, monkeypatch):
    """As at the end of a demonstration of Beyond, where private cards are beside the tree."""
    rehearsal.change(text_size=150)
    rehearsal.play("beyond", ("Ania", "Bartek", "Celina"), seed=3)
    rehearsal.play_until(lambda session: session.questions()[0].slug == "beyond.action")
    view, question = rehearsal.app.desk.session.view, rehearsal.app.desk.questions()[0]
    cards = [replace(question.options[0], id=f"card-{n}", place=None, signs=()) for n in range(4)]
    table = rehearsal.app.screen
    monkeypatch.setattr(
        type(rehearsal.app.desk),
        "offered",
        lambda desk: (replace(question, options=(*question.options, *cards)),),
    )
    session = type(rehearsal.app.desk.session)
    monkeypatch.setattr(session, "view", property(lambda _: replace(view, alerts=(plain("Last round"),))))
    rehearsal.app.guide = Guide(rehearsal.app, lambda: None, rehearsal.app.home)
    rehearsal.app.refresh()
    assert table is rehearsal.app.screen
    assert "option-card-3" in rehearsal.taps()
    assert "small to touch" not in kinds(layout_faults(rehearsal.app))
    rehearsal.app.guide = None
