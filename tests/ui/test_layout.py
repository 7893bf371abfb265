"""Demonstrations of every game, in which every page that is built is checked: nothing is cut, lies on something else,
is broken apart or too small. `benchmarks/layout.py` plays them to the end, in every size, language and text size."""

from pathlib import Path

import pytest

from companion.core.faces import Sign
from companion.core.game import games
from companion.core.views import PlaceView
from companion.core.words import plain
from companion.drawing.signs import Laid
from companion.drawing.strokes import Inscription
from companion.ui.rehearsal import layout_campaign
from companion.ui.rehearsal.checks import layout_faults
from companion.ui.rehearsal.faults import Played
from companion.ui.rehearsal.layout_watch import LayoutWatch
from companion.ui.rehearsal.letters import letters
from companion.ui.rehearsal.shots import VARIANTS
from companion.ui.toolkit.drawn_places import Brush
from companion.ui.toolkit.kit import Part, Plate, Row, Tap, Words
from companion.ui.toolkit.place_map import PlaceMap, Sight
from companion.ui.toolkit.symbols import Drawn, SignRow
from tests import budgets

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
    return Drawn(Laid(strokes, wide, 100))


def faults(rehearsal, part: Part, wide: float = 300, high: float = 100) -> list[tuple[str, str]]:
    """What is wrong with a page that is nothing but this."""
    stage = rehearsal.app.stage
    stage.clear_widgets()
    part.place(100, 100, wide, high)
    stage.add_widget(part)
    return layout_faults(rehearsal.app)


def kinds(found) -> set[str]:
    return {fault.kind for fault in found}


def test_whatever_is_drawn_is_looked_at_whoever_draws_it(rehearsal):
    assert faults(rehearsal, written(("Explore", 10, 20), ("Develop", 10, 60))) == []
    assert kinds(faults(rehearsal, written(("Explore", 10, 20), ("Develop", 40, 22)))) == {"overlap"}
    assert kinds(faults(rehearsal, written(("Explore", 10, 20), size=14))) == {"small letters"}
    assert kinds(faults(rehearsal, written(("+12", 10, 20), size=14))) == {"small figures"}
    assert faults(rehearsal, written(("G", 10, 20), size=13)) == []
    assert kinds(faults(rehearsal, written(("Deep Sp…", 10, 20)))) == {"shortened"}
    assert faults(rehearsal, Words("One moment…")) == [], "a sentence may end so"


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
