"""The board: what it says, how little it sends, and the pages in Debian's Chromium."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from importlib.resources import files
from random import Random
from typing import Any

import msgspec
import pytest

from companion.hall.organiser import paired
from companion.hall.page_words import PAGE_WORDS, page_words
from companion.hall.tournament import PlayerDropped, PlayerEntered, RoundCalled, TablePlaced
from companion.hall_messages import HallSeat, TableState, table_topic
from tests.hall.live_hall import HALL, NAMES, PHASES, LiveHall, Tables, Web, desk
from tests.patience import PATIENCE
from tests.phones.live import LACKING, chromium
from tests.phones.live import REASON as NO_BROWSER

needs_browser = pytest.mark.skipif(bool(LACKING), reason=NO_BROWSER)
MOST_SCRIPT = 200.0
"""Milliseconds of script for one update."""
MOST_HEAP = 60e6
SMALLEST = 22.0
"""Pixels of letters at 1080p that are read at 5 m from a picture two metres wide."""


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    with chromium(tmp_path_factory.mktemp("browser")) as browser:
        yield browser


def people(live: LiveHall, tables: int, agreed: bool = True) -> None:
    """Tables, four players each, and the first round."""
    live.decide(
        *(TablePlaced(HALL, f"table-{n}", f"Table {n}", f"Room {'AB'[n % 2]}") for n in range(1, tables + 1)),
        *(
            PlayerEntered(str(n + 1), f"{NAMES[n % 40]} {'KWZPSŁ'[n // 40 % 6]}.", "", agreed)
            for n in range(4 * tables)
        ),
    )
    live.do(lambda: _pair(live))


async def _pair(live: LiveHall) -> None:
    assert live.hall.tournament is not None
    await live.hall.decide(paired(live.hall.tournament, live.hall, (), 5))


def plays(live: LiveHall, tables: Tables, n: int, **how: Any) -> None:
    """Table N plays what it was assigned."""
    tournament = live.hall.tournament
    assert tournament is not None
    seating = tournament.seating(1, desk(n))
    assert seating is not None
    seats = tuple(
        HallSeat(tournament.shown(player), points=20 + k, waiting=k == 1, player=player)
        for k, player in enumerate(seating.players)
    )
    usual = {"seats": seats, "assignment": tournament.assignment_id(1)}
    tables.table(n, tuple(seat.name for seat in seats)).state(**{**usual, **how})


def row(live: LiveHall, n: int) -> dict[str, Any]:
    whole = json.loads(live.web.board.whole()[1].split(b"data: ")[1])
    found: dict[str, Any] = whole["tables"].get("/".join(desk(n)), {})
    return found


# What it says


def test_a_row_says_what_the_table_does(live: LiveHall, tables: Tables) -> None:
    people(live, 2)
    live.wait(lambda: row(live, 1).get("state") == "sits")
    plays(live, tables, 1, waited=100.0, end_near=True)
    live.wait(lambda: row(live, 1)["state"] == "plays")
    shown = row(live, 1)
    assert (shown["round"], shown["phase"], shown["near"], shown["title"]) == (2, PHASES[0], True, "Table 1")
    assert [seat[2] for seat in shown["seats"]] == ["", "w", "", "l"]
    assert live.hall.clock() - shown["since"] == pytest.approx(100, abs=60)
    plays(live, tables, 1, call="judge", status="paused")
    live.wait(lambda: row(live, 1)["judge"])
    assert (row(live, 1)["state"], row(live, 1)["since"]) == ("paused", 0)
    tables.table(1).say("online", b"offline", retain=True)
    live.wait(lambda: row(live, 1)["offline"])


def test_a_result_waits_for_everybody_and_then_counts(live: LiveHall, tables: Tables) -> None:
    people(live, 2)
    tournament = live.hall.tournament
    assert tournament is not None
    seating = tournament.seating(1, desk(1))
    assert seating is not None
    table = tables.table(1, tuple(tournament.shown(player) for player in seating.players))
    how: dict[str, Any] = {"numbers": seating.players, "assignment": tournament.assignment_id(1)}
    table.result((30, 20, 10, 5), confirmed=(0, 1), **how)
    live.wait(lambda: row(live, 1).get("result") == "awaiting")
    assert all(not place.games for place in live.hall.standing())
    table.result((30, 20, 10, 5), confirmed=(0, 1, 2), refused=(3,), **how)
    live.wait(lambda: row(live, 1)["result"] == "disputed")
    table.number = 1
    table.result((30, 20, 10, 5), confirmed=(0, 1, 2, 3), **how)
    live.wait(lambda: row(live, 1)["result"] == "official")
    best = live.hall.standing()[0]
    assert (best.number, best.wins, best.points) == (seating.players[0], 1, 6)
    table.number = 2
    table.result((30, 20, 10, 5), withdrawn=True, **how)
    live.wait(lambda: row(live, 1)["result"] == "")
    assert all(not place.games for place in live.hall.standing())


def test_a_table_that_names_other_players_is_for_the_judge(live: LiveHall, tables: Tables) -> None:
    people(live, 2)
    tournament = live.hall.tournament
    assert tournament is not None
    other = tournament.seating(1, desk(2))
    assert other is not None
    table = tables.table(1)
    table.result(
        (99, 1, 1, 1), numbers=other.players, assignment=tournament.assignment_id(1), confirmed=(0, 1, 2, 3)
    )
    live.wait(lambda: row(live, 1).get("result") == "disputed")
    assert all(not place.games for place in live.hall.standing())


def test_players_who_did_not_agree_are_numbers_everywhere(live: LiveHall, tables: Tables, web: Web) -> None:
    people(live, 1, agreed=False)
    live.decide(PlayerEntered("3", "Ada Lovelace", "Countess"), PlayerDropped("4"))
    plays(live, tables, 1)
    live.wait(lambda: row(live, 1).get("state") == "plays")
    live.wait(lambda: live.web.board._made_of == live.hall.version)
    told = tables.wait(lambda heard: [said for topic, said in heard if topic.endswith("/assignment")])
    public = [live.web.board.whole()[1].decode(), json.dumps(told[-1])]
    public += [web.get(path).read().decode() for path in ("/pairings.json", "/standings.json")]
    for words in public:
        assert "Countess" in words
        assert "#1" in words
        assert not any(name in words for name in ("Zosia", "Krzyś", "Lovelace"))


def test_the_table_that_ends_last_has_a_range_or_is_not_named(live: LiveHall, tables: Tables) -> None:
    people(live, 6)
    for n in range(1, 6):
        plays(live, tables, n, round=1, played=0.0)
        plays(live, tables, n, round=2, played=600.0)
        table = tables.table(n)
        assert live.web.board._ends[1] is None
        table.result((30, 20, 10, 5), played=600.0 + 600.0 * n)
    plays(live, tables, 6, round=2, played=600.0)
    live.wait(lambda: len(live.hall.finished_plays().get(("race", 4), ())) == 5)
    live.web.board._ends = (-1e9, None)
    live.wait(lambda: live.web.board._parts["head"].get("last"))
    last = live.web.board._parts["head"]["last"]
    assert last["plays"] == 5
    low, middle, high = (at - live.hall.clock() for at in last["at"])
    assert (low, middle, high) == pytest.approx((600, 1800, 3000), abs=120)


# What it sends


def test_only_what_changed_is_sent_once_for_all(live: LiveHall, tables: Tables) -> None:
    people(live, 3)
    for n in (1, 2, 3):
        plays(live, tables, n)
    live.wait(lambda: row(live, 3).get("state") == "plays")
    live.wait(lambda: live.web.board._made_of == live.hall.version)
    version = live.web.board.version
    plays(live, tables, 2, phase=PHASES[1])
    live.wait(lambda: live.web.board.version > version)
    newest, events = live.web.board.after(version)
    assert newest == version + 1
    change = json.loads(events[0].split(b"data: ")[1])
    assert set(change) == {"now", "version", "tables"}
    assert list(change["tables"]) == ["club/table-2"]
    assert set(change["tables"]["club/table-2"]) <= {"phase", "since"}
    assert len(events[0]) < 200
    assert live.web.board.after(newest) == (newest, [])
    live.decide(RoundCalled(live.hall.wall() + 300))
    live.wait(lambda: live.web.board.version > newest)
    change = json.loads(live.web.board.after(newest)[1][0].split(b"data: ")[1])
    assert set(change["head"]) <= {"begins", "lists"}


def test_a_reader_who_is_too_slow_gets_everything_again(live: LiveHall) -> None:
    people(live, 1)
    live.wait(lambda: live.web.board.version > 0 and live.web.board._made_of == live.hall.version)
    before = live.web.board.version
    for n in range(70):
        live.decide(TablePlaced(HALL, "table-1", f"Renamed {n}"))
        live.wait(lambda before=before, n=n: live.web.board.version > before + n)
    _, events = live.web.board.after(before)
    assert [event.split(b"\n")[0] for event in events] == [b"event: whole"]


def test_fifty_spectators_see_the_same_and_a_flood_is_refused(
    live: LiveHall, tables: Tables, web: Web
) -> None:
    people(live, 1)
    streams = [web.get("/events") for _ in range(50)]
    for stream in streams:
        assert stream.readline() == b"event: whole\n"
        stream.readline()
        stream.readline()
    plays(live, tables, 1)
    for stream in streams:
        assert stream.readline() == b"event: change\n"
    flood = [web.get("/events").status for _ in range(220)]
    assert 429 in flood or 503 in flood


def test_strangers_cannot_do_much(web: Web) -> None:
    answer = web.get("/")
    assert "default-src 'self'" in str(answer.getheader("Content-Security-Policy"))
    assert answer.getheader("Set-Cookie") is None
    assert web.get("/", Host="evil.example").status == 421
    assert web.get("/table/now", "POST", b"{}").status == 403, "no origin"
    assert web.post("/table/now", {}, Origin="http://evil.example")[0] == 403
    assert web.post("/table/now", b"[" * 5000)[0] == 400
    assert web.post("/table/now", b"{")[0] == 400
    assert web.get("/page/../server.py").status in (400, 404)
    for path in ("now.json", "export/hall.json", "print/cards"):
        assert web.get(f"/organiser/{path}").status == 403
    assert web.post("/organiser/do", {"do": "end"})[0] == 403


def test_every_word_of_the_pages_exists_in_both_languages() -> None:
    page = files("companion.hall") / "page"
    scripts = "".join(
        (page / name).read_text("utf-8")
        for name in ("common.js", "board.js", "lists.js", "table.js", "organiser.js")
    )
    used = set(re.findall(r"\bt\(\"([a-z-]+)\"", scripts))
    assert used
    assert used <= {slug.partition(".")[2] for slug in PAGE_WORDS}
    english, polish = page_words("en"), page_words("pl")
    assert all(english[slug] and polish[slug] and not polish[slug].startswith("hall.") for slug in english)
    assert {slug: sorted(re.findall(r"\{\w+\}", words)) for slug, words in english.items()} == {
        slug: sorted(re.findall(r"\{\w+\}", words)) for slug, words in polish.items()
    }


# In a browser


def opened(browser: Any, url: str, language: str = "en", **how: Any) -> Any:
    """A page with a large screen."""
    locale = {"en": "en-GB", "pl": "pl-PL"}[language]
    context = browser.new_context(
        **{"locale": locale, "viewport": {"width": 1920, "height": 1080}, "color_scheme": "dark", **how}
    )
    context.set_default_timeout(PATIENCE * 1000)
    page = context.new_page()
    page.errors = []
    page.on("pageerror", lambda error: page.errors.append(str(error)))
    page.goto(url)
    return page


@needs_browser
def test_the_board_follows_tables_and_nothing_is_said_by_colour_alone(
    browser: Any, live: LiveHall, tables: Tables
) -> None:
    people(live, 3)
    page = opened(browser, live.url)
    page.get_by_text("Round 1 of 4").wait_for()
    plays(live, tables, 1, waited=150.0)
    cell = page.locator("#tables > li").first
    cell.locator(".kind", has_text="waits").wait_for()
    cell.locator("small", has_text="2 min").wait_for()
    assert cell.locator(".turn [aria-label='to move']").count() == 1
    marks = cell.locator(".mark").evaluate_all("marks => marks.map((mark) => mark.classList[1])")
    assert marks == ["circle", "square", "triangle", "diamond"]
    plays(live, tables, 1, call="judge")
    cell.locator(".kind", has_text="judge!").wait_for()
    live.decide(RoundCalled(live.hall.wall() + 500))
    page.locator(".next", has_text="8:").wait_for()
    assert page.errors == []


@needs_browser
def test_it_says_when_what_it_shows_is_old(browser: Any, live: LiveHall, mosquitto: Any) -> None:
    people(live, 1)
    page = opened(browser, live.url, "pl")
    page.locator("#tables > li").first.wait_for()
    mosquitto.kill()
    page.locator(".trouble", has_text="Brak połączenia z brokerem").wait_for()
    live.close()
    page.locator(".trouble", has_text="Brak połączenia z salą").wait_for()


@needs_browser
@pytest.mark.parametrize("language", ["en", "pl"])
def test_twenty_tables_are_readable_at_five_metres_and_whole(
    browser: Any, live: LiveHall, tables: Tables, language: str
) -> None:
    people(live, 20)
    kinds = ({}, {"waited": 190.0}, {"call": "judge"}, {"end_near": True}, {"status": "paused"})
    for n in range(1, 20):
        plays(live, tables, n, **kinds[n % 5])
    page = opened(browser, live.url, language)
    page.wait_for_function("() => document.querySelectorAll('#tables .now').length >= 10")
    assert page.locator("#tables > li").count() == 20
    smallest = page.evaluate(
        """() => Math.min(...[...document.querySelectorAll("#tables *")]
             .filter((e) => [...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim()))
             .map((e) => parseFloat(getComputedStyle(e).fontSize)))"""
    )
    assert smallest >= SMALLEST
    cut = page.evaluate(
        """() => [...document.querySelectorAll("#tables > li")]
             .filter((e) => e.scrollHeight > e.clientHeight + 1).map((e) => e.innerText)"""
    )
    assert cut == []
    assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")
    assert page.errors == []


@needs_browser
def test_five_hundred_tables_take_little_script_and_memory(
    browser: Any, live: LiveHall, tables: Tables
) -> None:
    tournament = live.hall.tournament
    assert tournament is not None
    live.decide(*(TablePlaced(HALL, f"table-{n}", f"Table {n}") for n in range(1, 501)))
    random = Random(7)

    def say(n: int, round: int) -> None:
        seats = tuple(
            HallSeat(f"{random.choice(NAMES)} {k}", points=random.randint(0, 60), waiting=k == round % 4)
            for k in range(4)
        )
        state = TableState(
            f"table-{n}", f"Table {n}", "playing", tournament.day, "race", play=1, round=round,
            phase=PHASES[round % 3], seats=seats, waited=float(random.randint(0, 200)),
        )  # fmt: skip
        topic = table_topic(HALL, f"table-{n}", "state")
        tables._client.publish(topic, msgspec.json.encode(state), qos=1, retain=True)

    for n in range(1, 501):
        say(n, 1)
    live.wait(lambda: row(live, 500).get("round") == 1 and row(live, 250).get("round") == 1)
    for view in ("", "?view=all"):
        page = opened(browser, f"{live.url}/{view}")
        page.locator("#tables > li").first.wait_for()
        shown = page.locator("#tables > li").count()
        assert shown == (500 if view else 20)
        before = 2 if not view else 4
        for n in range(1, 501):
            say(n, before)
        live.wait(lambda before=before: row(live, 500).get("round") == before)
        newest = live.web.board.version
        page.wait_for_function(
            "version => Number(document.documentElement.dataset.version) >= version", arg=newest
        )
        longest = page.evaluate(
            "() => Math.max(...performance.getEntriesByName('board').map((entry) => entry.duration))"
        )
        heap = page.evaluate("performance.memory ? performance.memory.usedJSHeapSize : 0")
        assert longest < MOST_SCRIPT
        assert 0 < heap < MOST_HEAP
        assert page.errors == []
        page.context.close()


@needs_browser
def test_pairings_find_everybody_and_lead_phones_there(browser: Any, live: LiveHall) -> None:
    people(live, 20)
    page = opened(browser, f"{live.url}/pairings", "pl")
    page.locator(".names li").first.wait_for()
    assert page.locator(".names li").count() == 56
    cut = page.evaluate(
        """() => [...document.querySelectorAll(".names li")].filter((e) => {
             const box = e.getBoundingClientRect();
             return box.right > innerWidth || box.bottom > document.getElementById("foot").getBoundingClientRect().top
               || [...e.querySelectorAll("span")].some((part) => part.scrollWidth > part.clientWidth + 1);
           }).map((e) => e.innerText)"""
    )
    assert cut == []
    names = page.locator(".names .who span").all_inner_texts()
    assert names == sorted(names, key=lambda name: page.evaluate(ORDER, [name, names]))
    page.locator(".code img").wait_for()
    phone = opened(browser, f"{live.url}/pairings", viewport={"width": 390, "height": 844})
    phone.locator(".names li").first.wait_for()
    assert phone.locator(".names li").count() == 80
    phone.locator("#find").fill("Zosia K")
    phone.wait_for_function("() => document.querySelectorAll('.names li').length === 1")
    assert phone.locator(".names b").get_attribute("aria-label").startswith("Table ")
    assert page.errors + phone.errors == []


ORDER = (
    """([name, names]) => [...names].sort(new Intl.Collator("pl", { numeric: true }).compare).indexOf(name)"""
)


@needs_browser
@pytest.mark.parametrize("path", ["/", "/?view=all", "/pairings", "/standings"])
def test_pages_for_everybody_are_accessible_large_and_small(
    browser: Any, live: LiveHall, tables: Tables, path: str
) -> None:
    from axe_playwright_python.sync_playwright import Axe

    people(live, 6)
    for n in range(1, 6):
        plays(live, tables, n, **({"waited": 200.0}, {"call": "judge"}, {"end_near": True})[n % 3])
    live.wait(lambda: row(live, 5).get("state") == "plays")
    axe = Axe()
    for language, scheme, width in (("en", "dark", 1920), ("pl", "light", 320)):
        size = {"width": width, "height": 1080 if width > 1000 else 640}
        page = opened(browser, f"{live.url}{path}", language, color_scheme=scheme, viewport=size)
        page.locator("#foot button").first.wait_for()
        page.locator("#tables > li, .names li, tbody tr").first.wait_for()
        check(axe, page)
        page.context.close()


def check(axe: Any, page: Any) -> None:
    """axe finds nothing, and nothing is wider than the screen."""
    found = axe.run(page)
    assert found.violations_count == 0, found.generate_report()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert page.errors == []
