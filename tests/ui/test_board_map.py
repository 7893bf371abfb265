"""Boards of cards and discs: they fill their room, every name is readable, and every option shows what it means."""

import cv2
import pytest
from kivy.app import App
from kivy.core.window import Window
from msgspec.structs import replace

from companion.core.faces import Sign
from companion.core.game import every_game
from companion.core.views import LinkView, MapView, PlaceView, TokenView
from companion.core.words import plain
from companion.table.marks import MARKS
from companion.ui.toolkit.board_map import BoardMap
from companion.ui.toolkit.context import TOUCH_CONTEXT
from companion.ui.toolkit.geometry import walk
from companion.ui.toolkit.long_press import HELD
from companion.ui.toolkit.place_map import Sight
from companion.ui.toolkit.theme import TARGET
from workshop.screens.checks import layout_faults
from workshop.screens.letters import letters, overlap

pytestmark = pytest.mark.every_game

SEATS = ("Ania", "Bartek", "Celina")


def asks(slug, least=0):
    return lambda session: session.entries >= least and any(q.slug == slug for q in session.questions())


def board(rehearsal):
    return next(part for part in walk(rehearsal.app.stage) if isinstance(part, BoardMap))


def written(part):
    return [found.written.words for found in letters(part)]


def inked(part, words):
    return next(found.ink for found in letters(part) if found.written.words == words)


@pytest.fixture
def shown(rehearsal):
    """A board of our own in the window."""
    rehearsal.play("beyond", SEATS, seed=3)

    def show(*places, links=(), size=(700, 340), game="beyond", **more):
        made = MapView("made", plain("made"), tuple(places), links=tuple(links), board=True)
        part = BoardMap(
            every_game()[game], made, MARKS, rehearsal.app.desk.words, Sight(), lambda place: None, **more
        )
        rehearsal.app.stage.clear_widgets()
        rehearsal.app.stage.add_widget(part)
        part.place(20, 20, *size)
        return part

    return show


def card(id, x, y, name, **more):
    return PlaceView(id, x, y, plain(name), plain(name), shape="card", wide=150, high=56, **more)


def planet(id, x, y, name, **more):
    kind = {"kinds": (Sign("mining"),), "tints": ("green",)} | more
    return PlaceView(id, x, y, plain(name), plain(name), shape="disc", **kind)


# Prices


def test_a_price_wider_than_its_disc_is_whole_at_the_edge(rehearsal, shown):
    """As that of withdrawing a ship from Deep Space on an upright screen."""
    sol = PlaceView("sol", 0, 0, plain("Sol"), plain("Sol"), shape="disc", wide=120, high=120)
    deep = replace(sol, id="deep", x=600, label=plain("Deep Space"), name=plain("Deep Space"))
    price = (Sign("ore", "1"), Sign("ship", "3"), Sign("ship", "2"), Sign("population", "1"))
    shown(sol, deep, size=(700, 500), offered=["deep"], prices={"deep": price})
    assert not [fault for fault in layout_faults(rehearsal.app) if fault.kind == "cut off"]


def test_a_price_lies_on_no_figure_of_a_line(rehearsal, shown):
    """As at the centre of Transgalactica, where lines are short and most planets are offered."""
    places = [planet(f"p{n}", 70 * (n % 4), 60 * (n // 4), "") for n in range(12)]
    links = [LinkView(f"p{n}", f"p{n + 1}", label=str(n)) for n in range(11) if n % 4 < 3]
    offered = [place.id for place in places]
    prices = dict.fromkeys(offered, (Sign("energy", "7"),))
    part = shown(*places, links=links, size=(420, 300), game="transgalactica", offered=offered, prices=prices)
    assert written(part).count("7") == len(offered)
    assert not [fault for fault in layout_faults(rehearsal.app) if fault.kind == "overlap"]


# The pages


@pytest.mark.parametrize(("language", "text"), [("en", 100), ("pl", 100), ("pl", 150)])
@pytest.mark.parametrize("slug", ["beyond.action", "beyond.research", "beyond.jump-to"])
def test_pages_of_boards_have_no_faults(rehearsal, language, text, slug):
    rehearsal.change(language=language, text_size=text)
    rehearsal.play("beyond", SEATS, seed=3)
    rehearsal.play_until(asks(slug, 150))
    assert board(rehearsal).offered
    assert not layout_faults(rehearsal.app)


def test_the_tree_names_every_technology_and_every_action(rehearsal):
    rehearsal.play("beyond", SEATS, seed=3)
    rehearsal.play_until(asks("beyond.action", 60))
    drawn = board(rehearsal)
    said = " ".join(written(drawn))
    for words in ("Research", "Ship, jump 2", "Cube", "Narrow", "Terraforming", "II B", "III F", "IIII C"):
        assert words in said
    assert "…" not in said


def test_every_offered_space_is_whole_in_sight_and_large_enough_for_a_finger(rehearsal):
    rehearsal.play("beyond", SEATS, seed=3)
    rehearsal.play_until(asks("beyond.action", 60))
    drawn = board(rehearsal)
    for place in drawn.places:
        left, low, right, high = drawn.rect_of(place)
        assert min(right - left, high - low) >= TARGET, place.id
        assert drawn.x <= left < right <= drawn.right
        assert drawn.y <= low < high <= drawn.top
        assert drawn.place_at((left + right) / 2, (low + high) / 2) == place.id


def test_no_two_places_of_the_tree_lie_on_each_other(rehearsal):
    rehearsal.play("beyond", SEATS, seed=3)
    rehearsal.play_until(asks("beyond.action", 200))
    drawn = board(rehearsal)
    rects = [(place.id, drawn.rect_of(place)) for place in drawn.places]
    assert not [(a, b) for n, (a, one) in enumerate(rects) for b, other in rects[:n] if overlap(one, other)]


def test_a_touch_of_an_offered_space_answers(rehearsal):
    rehearsal.play("beyond", SEATS, seed=3)
    rehearsal.play_until(asks("beyond.action", 60))
    drawn = board(rehearsal)
    (asked,) = rehearsal.app.desk.session.questions()
    alone = [o for o in asked.options if [p.place for p in asked.options].count(o.place) == 1 and o.place]
    rehearsal.touch(*drawn.on_screen(*drawn.spots[alone[0].place]))
    rehearsal.settle()
    assert rehearsal.app.desk.session.last.deed.answer.option == alone[0].id


def test_where_several_things_are_possible_they_are_a_page_and_lead_back(rehearsal):
    def several(session):
        return any(
            q.slug == "beyond.action" and len({o.place for o in q.options}) < len(q.options)
            for q in session.questions()
        )

    rehearsal.play("beyond", SEATS, seed=3)
    rehearsal.play_until(several)
    (asked,) = rehearsal.app.desk.session.questions()
    places = [o.place for o in asked.options]
    place = next(p for p in places if p is not None and places.count(p) > 1)
    here = [o.id for o in asked.options if o.place == place]
    drawn = board(rehearsal)
    rehearsal.touch(*drawn.on_screen(*drawn.spots[place]))
    rehearsal.settle()
    assert {f"option-{id}" for id in here} <= set(rehearsal.taps())
    assert not layout_faults(rehearsal.app)
    rehearsal.tap("elsewhere")
    assert board(rehearsal).offered
    rehearsal.touch(*drawn.on_screen(*drawn.spots[place]))
    rehearsal.settle()
    rehearsal.tap(f"option-{here[1]}")
    assert rehearsal.app.desk.session.last.deed.answer.option == here[1]


def test_a_jump_tells_how_many_it_takes(rehearsal):
    rehearsal.play("beyond", SEATS, seed=3)
    rehearsal.play_until(asks("beyond.jump-to", 40))
    drawn = board(rehearsal)
    (asked,) = rehearsal.app.desk.session.questions()
    for option in asked.options:
        if option.place is not None:
            assert drawn.prices[option.place] == option.signs
            assert option.signs[0].symbol == "jump"


def test_holding_a_technology_shows_it_large(rehearsal):
    rehearsal.play("beyond", SEATS, seed=3)
    rehearsal.play_until(asks("beyond.action", 60))
    drawn = board(rehearsal)
    entries = rehearsal.app.desk.session.entries
    place = next(place for place in drawn.places if place.component)
    touch = Finger(*drawn.on_screen(place.x, place.y))
    assert drawn.on_touch_down(touch)
    touch.ud[HELD].held()
    drawn.on_touch_up(touch)
    rehearsal.settle()
    assert "close-card" in rehearsal.taps()
    assert rehearsal.app.desk.session.entries == entries


def test_every_line_is_painted_each_time(rehearsal, tmp_path):
    rehearsal.play("beyond", SEATS, seed=3)
    rehearsal.play_until(asks("beyond.action", 60))
    for n in range(3):
        rehearsal.app.refresh()
        rehearsal.settle()
        rehearsal.shoot(tmp_path / f"{n}.png")
        picture, drawn = cv2.imread(str(tmp_path / f"{n}.png")), board(rehearsal)
        ground = picture[-1, 0].tolist()
        for link in drawn.links:
            (_, low, right, high), other = (drawn.rect_of(drawn.by_id[id]) for id in (link.one, link.other))
            x, y = (right + other[0]) / 2, (low + high + other[1] + other[3]) / 4
            near = picture[len(picture) - round(y) - 4 : len(picture) - round(y) + 4, round(x)]
            assert near.tolist() != [ground] * len(near), (n, link)


class Finger:
    """A finger that rests."""

    def __init__(self, x, y):
        self.uid, self.pos, self.x, self.y, self.grab_current = 1, (x, y), x, y, None
        self.ud = {TOUCH_CONTEXT: App.get_running_app()}
        self.sx, self.sy = x / Window.width, y / Window.height
        self.came, self.is_mouse_scrolling = 0.0, False

    def grab(self, part):
        self.grab_current = part

    def ungrab(self, part):
        self.grab_current = None


def test_what_is_told_of_a_place_leaves_a_board_its_width(rehearsal):
    rehearsal.play("beyond", SEATS, seed=3)
    rehearsal.play_until(asks("beyond.action", 60))
    rehearsal.tap("map")
    before = board(rehearsal).width
    rehearsal.screen.chosen = "i-1"
    rehearsal.app.refresh()
    rehearsal.settle()
    assert board(rehearsal).width == before
    assert not layout_faults(rehearsal.app)


def test_planets_have_their_kind_colour_name_and_price(rehearsal):
    rehearsal.play("transgalactica", SEATS, seed=3)
    rehearsal.play_until(asks("transgalactica.explore", 120))
    drawn = board(rehearsal)
    places = [place for place in drawn.places if place.component]
    assert places
    assert all(place.kinds and place.tints for place in places)
    offered = [place for place in places if place.id in drawn.offered]
    said = written(drawn)
    for place in offered:
        first = rehearsal.app.desk.words(place.label).split()[0]
        assert any(first.rstrip(".")[:4] in words for words in said), place
    assert not layout_faults(rehearsal.app)


# What is drawn


def test_a_name_wraps_before_it_is_cut_and_never_has_dots(shown):
    part = shown(card("a", 0, 0, "Human Experiments"), card("b", 300, 0, "Incomprehensibilities Everywhere"))
    said = written(part)
    assert "Human Experiments" in said or {"Human", "Experiments"} <= set(said)
    assert any(words.endswith(".") for words in said) or "Incomprehensibilities" in said
    assert not any("…" in words for words in said)


def test_signs_make_way_for_the_name_unless_the_space_is_offered(shown):
    many = tuple(Sign("ore", f"+{n}") for n in range(1, 6))
    place = card("a", 0, 0, "Supply Base", corners=many)
    far = card("b", 600, 0, "Elsewhere")
    calm, offered = shown(place, far), shown(place, far, offered=("a",))
    assert {"Supply Base"} & set(written(calm)) or {"Supply", "Base"} <= set(written(calm))
    shown_signs = [words for words in written(offered) if words.startswith("+")]
    assert len(shown_signs) >= len([words for words in written(calm) if words.startswith("+")])


def test_pieces_on_a_card_never_lie_on_its_name(shown):
    cubes = tuple(TokenView(Sign("population"), 1, seat, mark=True) for seat in range(4))
    pawns = tuple(TokenView(Sign("action"), 1, seat) for seat in range(2))
    ships = (TokenView(Sign("ship", "4"), 3, 0),)
    places = [
        card("a", 0, 0, "Advanced Genetics", tokens=(*pawns, *cubes)),
        card("b", 300, 0, "Hivemind Computing", tokens=(*cubes, *ships)),
    ]
    part = shown(*places)
    for name in ("Advanced", "Hivemind"):
        assert any(words.startswith(name) for words in written(part))
    names = [found.ink for found in letters(part) if found.written.words.startswith("×")]
    assert names
    assert not any(overlap(names[0], found.ink) for found in letters(part) if found.ink != names[0])


@pytest.mark.parametrize("text", [100, 150])
def test_many_pieces_on_a_disc_stay_inside_the_map(rehearsal, shown, text):
    """They stand across its rim, round its middle; the name is read over them."""
    rehearsal.change(text_size=text)
    ships = tuple(TokenView(Sign("ship", "1"), 2, seat) for seat in range(4))
    sol = PlaceView("sol", 0, 0, plain("Sol"), plain("Sol"), shape="disc", wide=120, high=90, tokens=ships)
    far = [card("a", 300, 80, "Tau Ceti"), card("b", 300, -80, "Miros")]
    part = shown(sol, *far, size=(500, 165), offered=("sol",), prices={"sol": (Sign("jump", "2"),)})
    inks = [found.ink for found in letters(part)]
    assert [words for words in written(part) if words == "×2"] == ["×2"] * 4
    assert all(part.y <= low and high <= part.top and part.x <= left for left, low, _, high in inks)


def test_a_name_cut_short_is_not_that_of_another_planet(shown):
    names = ("Crimson wilderness planet", "Crimson mining planet", "Elsewhere")
    planets = [planet(f"p{n}", 3 * (n % 5), 3 * (n // 5), names[n % 2]) for n in range(20)]
    part = shown(*planets, game="transgalactica", size=(420, 340), offered=("p6", "p7"))
    cut = [words for words in written(part) if words.rstrip(".") == "Crimson"]
    assert not cut or {"wil", "min"} & {words[:3] for words in written(part)}


def test_a_price_stands_on_an_offered_place_and_on_no_other(shown):
    places = (card("a", 0, 0, "One"), card("b", 300, 0, "Other"))
    price = {"a": (Sign("jump", "7"),), "b": (Sign("jump", "8"),)}
    part = shown(*places, offered=("a",), prices=price)
    assert "7" in written(part)
    assert "8" not in written(part)


def test_names_of_planets_keep_clear_of_each_other_and_of_what_is_offered(shown):
    """Where there is no room for all names, that of an offered planet stays."""
    planets = [planet(f"p{n}", 3 * (n % 6), 3 * (n // 6), f"World {n}") for n in range(30)]
    links = [LinkView(f"p{n}", f"p{n + 1}", "2") for n in range(29) if n % 6 != 5]
    part = shown(*planets, links=links, game="transgalactica", offered=("p8", "p21"))
    found = list(letters(part))
    assert not [
        (one.written.words, other.written.words)
        for n, one in enumerate(found)
        for other in found[:n]
        if overlap(one.ink, other.ink)
    ]
    assert {"World 8", "World 21"} <= set(written(part))
    assert len([words for words in written(part) if words.startswith("World")]) < len(planets)


def test_a_line_to_an_offered_planet_from_the_ship_that_goes_is_lit(shown):
    from kivy.graphics import Color, Line

    planets = [
        planet("a", 0, 0, "Here", active=True, seat=0),
        planet("b", 5, 0, "There"),
        planet("c", 9, 3, "Elsewhere"),
    ]
    links = [LinkView("a", "b", "1"), LinkView("b", "c", "2")]

    def lines(part):
        colour, found = None, []
        for one in part.canvas.children:
            colour = tuple(round(v, 2) for v in one.rgba[:3]) if isinstance(one, Color) else colour
            if isinstance(one, Line) and len(one.points) == 4:
                found.append(colour)
        return found

    lit, plain_line = lines(shown(*planets, links=links, game="transgalactica", offered=("b",)))
    assert lit != plain_line
    assert len(set(lines(shown(*planets, links=links, game="transgalactica")))) == 1


def test_a_finger_near_a_small_planet_touches_the_nearest(shown):
    part = shown(
        planet("a", 0, 0, "Here"),
        planet("b", 1, 0, "There"),
        planet("c", 9, 3, "Else"),
        game="transgalactica",
    )
    x, y = part.on_screen(0, 0)
    other = part.on_screen(1, 0)
    third = (other[0] - x) / 3
    assert part.place_at(x + third, y) == "a"
    assert part.place_at(other[0] - third, y) == "b"
    assert part.place_at(x, y + 100) is None


def test_a_board_is_stretched_to_the_room_it_gets(shown):
    places = (card("a", 0, 0, "One"), card("b", 600, 0, "Other"), card("c", 600, -300, "Third"))
    for size in ((760, 340), (400, 420)):
        part = shown(*places, size=size)
        rects = [part.rect_of(place) for place in places]
        assert min(rect[0] for rect in rects) == pytest.approx(part.x, abs=8)
        assert max(rect[2] for rect in rects) == pytest.approx(part.right, abs=8)
