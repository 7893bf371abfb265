"""The organiser's page and the forms of tables: keys, rounds, results, exports, paper."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from typing import Any

import pytest

from companion.hall.exports import cell
from companion.hall.organiser import KEYS_A_MINUTE, LETTERS, new_key
from companion.hall.pairing import Reason
from companion.hall.reasons import reason_text
from companion.hall.tournament import (
    ClaimedSeat,
    DayBegun,
    PlayerDropped,
    PlayerEntered,
    ResultAnswered,
    ResultSettled,
    ResultTyped,
    RoundPaired,
    TablePlaced,
    TableSeating,
    Tournament,
)
from companion.texts import render
from tests.hall.live_hall import HALL, NAMES, LiveHall, Tables, Web, desk
from tests.hall.test_board import check, opened
from tests.phones.live import LACKING, chromium
from tests.phones.live import REASON as NO_BROWSER

needs_browser = pytest.mark.skipif(bool(LACKING), reason=NO_BROWSER)


@pytest.fixture
def organiser(web: Web) -> Web:
    """Somebody who has the key."""
    assert web.post("/organiser/key", {"key": web.hall.parts.key})[0] == 200
    return web


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    with chromium(tmp_path_factory.mktemp("browser")) as browser:
        yield browser


def do(organiser: Web, what: str, **how: Any) -> str:
    """What the organiser is told when it cannot be done; empty: it was done."""
    status, said = organiser.post("/organiser/do", {"do": what, **how})
    return "" if status == 200 else said["trouble"] if status == 409 else str(status)


def now(organiser: Web, query: str = "") -> Any:
    return json.loads(organiser.get(f"/organiser/now.json{query}", Cookie=organiser.headers["Cookie"]).read())


def first_round(organiser: Web, players: int = 8, companion: bool = True) -> None:
    assert not do(
        organiser, "place-many", count=players // 4 + 1, word="Table", room="Cellar", companion=companion
    )
    assert not do(organiser, "enter-many", names=NAMES[:players], agreed=True)
    assert not do(organiser, "pair")


# The key


def test_only_the_key_opens_and_guessing_is_slow(web: Web) -> None:
    for _ in range(KEYS_A_MINUTE - 1):
        assert web.post("/organiser/key", {"key": "guess"})[0] == 409
    answer = web.get(
        "/organiser/key",
        "POST",
        json.dumps({"key": web.hall.parts.key.upper() + " "}).encode(),
        **web.headers,
    )
    assert answer.status == 200
    cookie = str(answer.getheader("Set-Cookie")).lower()
    assert "httponly" in cookie
    assert "samesite=strict" in cookie
    assert web.post("/organiser/key", {"key": web.hall.parts.key})[0] == 429
    assert len(set(new_key()) - {"-"} - set(LETTERS)) == 0
    assert new_key() != new_key()


def test_what_is_not_understood_changes_nothing(organiser: Web) -> None:
    hall = organiser.hall.hall
    assert hall.tournament is not None
    before = hall.tournament.decided
    for value in (
        {"do": "fly"}, {"do": "enter", "name": ""}, {"do": "enter", "name": "x" * 41}, {"do": "pair", "round": 1},
        {"do": "place", "hall": "club", "table": "../x", "title": "T"}, {"do": "soon", "minutes": -1},
        {"do": "plan", "title": "x", "mode": "swiss", "planned": 3}, [], "end",
    ):  # fmt: skip
        assert organiser.post("/organiser/do", value)[0] in (400, 409)
    assert organiser.post("/organiser/do", b'{"do": "en')[0] == 400
    assert organiser.post("/organiser/do", {"do": "enter-many", "names": ["x" * 40] * 4001})[0] == 409
    assert organiser.post("/organiser/do", b" " * 300_000)[0] == 400
    assert hall.tournament.decided == before


# Rounds


def test_a_round_is_paired_told_to_tables_and_taken_back(organiser: Web, tables: Tables) -> None:
    first_round(organiser)
    told = tables.wait(
        lambda heard: [
            said for topic, said in heard if topic.endswith("table-2/assignment") and said.get("players")
        ]
    )
    found = now(organiser)
    seated = {table["table"]: table["players"] for table in found["round"]["tables"]}
    assert [player["number"] for player in told[-1]["players"]] == seated["table-2"]
    assert sorted(number for players in seated.values() for number in players) == sorted(
        map(str, range(1, 9))
    )
    assert found["round"]["tables"][0]["why"] == ["Drawn by lot."]
    assert now(organiser, "?language=pl")["round"]["tables"][0]["why"] == ["Wylosowano."]
    assert do(organiser, "cancel", round=2) == "Only the newest round can be taken back."
    assert not do(organiser, "cancel", round=1)
    assert not do(organiser, "pair")
    assert now(organiser)["rounds"] == 1
    again = tables.wait(
        lambda heard: [
            said
            for topic, said in heard
            if topic.endswith("table-2/assignment") and said.get("players") and said["id"] != told[-1]["id"]
        ]
    )
    assert again[-1]["round"] == 1


def test_drop_outs_and_late_entries(organiser: Web) -> None:
    first_round(organiser)
    assert not do(organiser, "drop", number="3", dropped=True)
    assert not do(organiser, "enter", name="Late", agreed=True)
    assert do(organiser, "drop", number="99", dropped=True) == "There is no player 99."
    assert [row[5] for row in now(organiser)["players"] if row[1] == "Late"] == [2]
    assert not do(organiser, "pair")
    players = {number for table in now(organiser)["round"]["tables"] for number in table["players"]}
    assert "9" in players
    assert "3" not in players


def test_too_few_tables_or_players_is_said(organiser: Web) -> None:
    assert do(organiser, "pair") == "There are too few players."
    assert not do(organiser, "enter-many", names=NAMES[:8])
    assert do(organiser, "pair") == "2 tables are needed; used tables: 0."
    assert not do(organiser, "place-many", count=2, word="Stół")
    table = {"hall": HALL, "table": "table-1", "title": "Stół 1"}
    assert not do(organiser, "place", **table, used=False)
    assert do(organiser, "pair") == "2 tables are needed; used tables: 1."


def test_calls_reach_the_tables_or_the_organiser_is_told(
    organiser: Web, tables: Tables, mosquitto: Any
) -> None:
    tables.table(1).say("online", b"online", retain=True)
    organiser.hall.wait(lambda: "table-1" in organiser.hall.hall.live.tables)
    assert not do(organiser, "soon", minutes=5)
    call = tables.wait(lambda heard: [said for topic, said in heard if topic.endswith("table-1/call")])
    assert (call[0]["kind"], call[0]["minutes"]) == ("round-begins", 5)
    assert not do(organiser, "call", tables=["table-1"])
    assert not do(organiser, "call", tables=["table-1"], text="Dinner is served")
    calls = tables.wait(
        lambda heard: len(found := [said for topic, said in heard if topic.endswith("/call")]) == 3 and found
    )
    assert [said["kind"] for said in calls] == ["round-begins", "judge-comes", "text"]
    assert len({said["id"] for said in calls}) == 3
    mosquitto.kill()
    organiser.hall.wait(lambda: not organiser.hall.hall.subscriber.connected)
    assert "cannot be reached" in do(organiser, "call", tables=["table-1"])


def test_a_final_is_drawn_among_the_best_and_decides_their_places(organiser: Web) -> None:
    first_round(organiser)
    found = now(organiser)
    for table in found["round"]["tables"]:
        seats = [
            {"player": player, "points": 40 - n, "place": n + 1} for n, player in enumerate(table["players"])
        ]
        assert not do(organiser, "settle", round=1, hall=HALL, table=table["table"], seats=seats)
    best = now(organiser)["finalists"]
    assert best["players"] or best["undecided"]
    finalists = [*best["players"], *best["undecided"]][:4]
    assert not do(organiser, "pair", final=finalists)
    final = now(organiser)["round"]
    assert final["final"]
    assert sorted(final["tables"][0]["players"]) == sorted(finalists)
    assert do(organiser, "pair") == "The final is paired; no round can follow."
    seats = [{"player": player, "points": n, "place": 4 - n} for n, player in enumerate(finalists)]
    assert not do(organiser, "settle", round=2, hall=HALL, table=final["tables"][0]["table"], seats=seats)
    order = [row.number for row in organiser.hall.hall.standing()]
    assert order[:4] == finalists[::-1]


# Results


@pytest.fixture
def tournament() -> Tournament:
    """Four players at one table in the first round."""
    tournament = Tournament("2026-11-19")
    tournament.apply(DayBegun("Evening", "secret"))
    tournament.apply(TablePlaced(HALL, "table-1", "Table 1", companion=False))
    for number in "1234":
        tournament.apply(PlayerEntered(number, f"Player {number}", agreed=True))
    tournament.apply(RoundPaired(1, 7, (TableSeating(HALL, "table-1", tuple("1234")),)))
    return tournament


def typed(*rows: tuple[str, int, int]) -> tuple[ClaimedSeat, ...]:
    return tuple(ClaimedSeat(*row) for row in rows)


SEATS = typed(("1", 30, 1), ("2", 20, 2), ("3", 20, 2), ("4", 5, 4))


def claim(tournament: Tournament) -> Any:
    return tournament.claims({})[1, desk(1)]


def test_a_typed_result_counts_when_everybody_confirmed_what_was_typed_last(tournament: Tournament) -> None:
    first = tournament.decided
    tournament.apply(ResultTyped(1, HALL, "table-1", SEATS, "1"))
    for player in "23":
        tournament.apply(ResultAnswered(1, HALL, "table-1", first, player, True))
    second = tournament.decided
    tournament.apply(ResultTyped(1, HALL, "table-1", typed(("1", 31, 1), *map(tuple_of, SEATS[1:])), "2"))
    tournament.apply(ResultAnswered(1, HALL, "table-1", first, "4", True))
    assert (claim(tournament).status, claim(tournament).confirmed) == ("awaiting", ("2",))
    for player in "134":
        tournament.apply(ResultAnswered(1, HALL, "table-1", second, player, True))
    assert claim(tournament).status == "official"
    assert [seat.points for seat in claim(tournament).seats] == [31, 20, 20, 5]


def tuple_of(seat: ClaimedSeat) -> tuple[str, int, int]:
    return seat.player, seat.points, seat.place


def test_a_refusal_is_for_the_judge_whose_word_can_be_taken_back(tournament: Tournament) -> None:
    number = tournament.decided
    tournament.apply(ResultTyped(1, HALL, "table-1", SEATS, "1"))
    tournament.apply(ResultAnswered(1, HALL, "table-1", number, "2", False))
    assert claim(tournament).status == "disputed"
    tournament.apply(ResultSettled(1, HALL, "table-1", SEATS[::-1], "recounted"))
    assert (claim(tournament).status, claim(tournament).reason) == ("official", "recounted")
    tournament.apply(ResultSettled(1, HALL, "table-1"))
    assert claim(tournament).status == "disputed"


@pytest.mark.parametrize(
    ("seats", "why"),
    [
        (typed(("1", 30, 1), ("2", 20, 2), ("3", 10, 3)), "hall.other-players"),
        (typed(("1", 30, 1), ("1", 20, 2), ("3", 10, 3), ("4", 5, 4)), "hall.other-players"),
        (typed(("1", 30, 1), ("2", 20, 1), ("3", 10, 2), ("4", 5, 4)), "hall.bad-places"),
        (typed(("1", 30, 2), ("2", 20, 3), ("3", 10, 4), ("4", 5, 5)), "hall.bad-places"),
        (typed(("1", 30, 2), ("2", 40, 3), ("3", 10, 1), ("4", 5, 4)), "hall.places-against-points"),
    ],
)
def test_an_impossible_result_is_refused(
    tournament: Tournament, seats: tuple[ClaimedSeat, ...], why: str
) -> None:
    from companion.errors import NotNow

    with pytest.raises(NotNow) as refused:
        tournament.check(ResultTyped(1, HALL, "table-1", seats, "1"))
    assert refused.value.text.key == why


def test_decisions_that_crossed_are_ignored_by_all_halls_alike(tournament: Tournament) -> None:
    before = len(tournament.rounds)
    tournament.apply(RoundPaired(1, 8, (TableSeating(HALL, "table-1", tuple("4321")),)))
    assert len(tournament.rounds) == before
    assert tournament.rounds[0].seed == 7
    tournament.apply(PlayerDropped("99"))
    assert [player.number for player in tournament.hall_players()] == ["1", "2", "3", "4"]


def test_a_tables_form_needs_its_own_key(organiser: Web) -> None:
    first_round(organiser, companion=False)
    tournament = organiser.hall.hall.tournament
    assert tournament is not None
    right = {"hall": HALL, "table": "table-1", "key": tournament.key_of(desk(1))}
    status, said = organiser.post("/table/now", right)
    assert (status, said["title"], len(said["players"])) == (200, "Table 1", 4)
    for wrong in (
        {**right, "key": ""}, {**right, "key": "é"}, {**right, "table": "table-2"}, {**right, "table": "table-9"},
        {**right, "hall": "other"},
    ):  # fmt: skip
        assert organiser.post("/table/now", wrong)[0] == 409
    players = [number for number, _ in said["players"]]
    seats = [{"player": player, "points": 30 - n, "place": n + 1} for n, player in enumerate(players)]
    result = {**right, "round": 1, "seats": seats, "by": players[0]}
    assert organiser.post("/table/typed", {**result, "by": "99"})[0] == 409
    assert organiser.post("/table/typed", {**result, "round": 2})[0] == 409
    status, said = organiser.post("/table/typed", result)
    assert (status, said["claim"]["status"]) == (200, "awaiting")
    for player in players[1:]:
        answer = {**right, "round": 1, "typed": said["claim"]["typed"], "player": player, "right": True}
        status, last = organiser.post("/table/answered", answer)
    assert last["claim"]["status"] == "official"
    assert (
        organiser.post("/table/typed", result)[1]["trouble"]
        == "This result can be changed only by the judge."
    )
    flood = [organiser.post("/table/now", right)[0] for _ in range(60)]
    assert 429 in flood


# Files and paper


def test_spreadsheets_calculate_nothing_that_people_typed(organiser: Web) -> None:
    assert [cell(value) for value in ("=1+1", "+1", "-1", "@x", "\tx", "a=b", -1, 1.5)] == [
        "'=1+1", "'+1", "'-1", "'@x", "'\tx", "a=b", -1, 1.5,
    ]  # fmt: skip
    assert not do(organiser, "enter", name='=HYPERLINK("x")', agreed=True)
    for name in ("standings.csv", "players.csv"):
        answer = organiser.get(f"/organiser/export/{name}", Cookie=organiser.headers["Cookie"])
        rows = list(csv.reader(io.StringIO(answer.read().decode("utf-8-sig"))))
        assert '\'=HYPERLINK("x")' in rows[1]
        assert answer.getheader("Content-Disposition") == f'attachment; filename="{name}"'


def test_everything_is_in_the_export(organiser: Web, tables: Tables) -> None:
    first_round(organiser)
    table = tables.table(1)
    table.event(0, "begun")
    table.result((30, 20, 10, 5))
    organiser.hall.wait(lambda: organiser.hall.stored("table-1", 0))
    organiser.hall.wait(lambda: organiser.hall.hall.live.tables["table-1"].results)
    organiser.hall.do(organiser.hall.hall.write)
    answer = organiser.get("/organiser/export/hall.json", Cookie=organiser.headers["Cookie"])
    everything = json.loads(answer.read())
    assert len(everything["players"]) == 8
    assert [event["number"] for event in everything["events"]] == [0]
    assert everything["sheets"][0]["result"]["seats"][0]["total"] == 30
    results = (
        organiser.get("/organiser/export/results.csv", Cookie=organiser.headers["Cookie"]).read().decode()
    )
    assert results.count("\r\n") == 9
    assert organiser.get("/organiser/export/secret", Cookie=organiser.headers["Cookie"]).status == 404


def test_paper_has_reasons_codes_and_no_markup_of_players(organiser: Web) -> None:
    assert not do(organiser, "enter", name="<script>alert(1)</script>", agreed=True)
    first_round(organiser, 7, companion=False)
    for language, why in (("en", "Three play"), ("pl", "Gra tu trójka")):
        path = f"/organiser/print/pairings?language={language}"
        paper = organiser.get(path, Cookie=organiser.headers["Cookie"]).read().decode()
        assert "&lt;script&gt;" in paper
        assert "<script" not in paper
        assert (why in paper) == (len(now(organiser)["players"]) % 4 != 0)
    cards = organiser.get("/organiser/print/cards", Cookie=organiser.headers["Cookie"]).read().decode()
    assert cards.count("<svg") == 2


def test_every_reason_has_words(tournament: Tournament) -> None:
    from typing import get_args

    from companion.hall.pairing import ReasonKind

    for kind in get_args(ReasonKind):
        for language in ("en", "pl"):
            words = render(reason_text(Reason(kind, ("1", "2"), 2, 1.0, 2.5), tournament), language)
            assert not words.startswith("hall.")
            assert "{" not in words


# In a browser


@needs_browser
def test_from_nothing_to_an_official_result_in_the_browser(browser: Any, live: LiveHall) -> None:
    from axe_playwright_python.sync_playwright import Axe

    axe = Axe()
    page = opened(browser, f"{live.url}/organiser", viewport={"width": 1280, "height": 900})
    page.get_by_label("Key").fill(live.parts.key)
    check(axe, page)
    page.get_by_role("button", name="Sign in").click()
    page.get_by_role("button", name="Players").click()
    page.get_by_text("Many players at once").click()
    page.locator("textarea").fill("Ania\nBartek\n\nCelina\nDarek")
    page.get_by_label("all of them agreed").check()
    page.get_by_role("button", name="Add").last.click()
    page.get_by_role("heading", name="Players: 4, here: 4").wait_for()
    check(axe, page)
    page.get_by_role("button", name="Tables").click()
    page.get_by_role("button", name="Add").click()
    page.get_by_role("cell", name="Table 1").wait_for()
    check(axe, page)
    page.get_by_role("button", name="Round", exact=True).click()
    page.get_by_role("button", name="Pair round 1").click()
    page.get_by_text("Drawn by lot.").wait_for()
    check(axe, page)

    tournament = live.hall.tournament
    assert tournament is not None
    form = f"{live.url}/table#{HALL}/table-1/{tournament.key_of(desk(1))}"
    phone = opened(browser, form, "pl", viewport={"width": 320, "height": 640}, color_scheme="light")
    phone.locator(".seat").first.wait_for()
    check(axe, phone)
    for n, points in enumerate(("31", "28", "35", "19")):
        phone.get_by_label("punkty").nth(n).fill(points)
    assert phone.locator(".seat").nth(0).locator("input").nth(1).get_attribute("placeholder") == "2"
    phone.get_by_role("button", name="Wyślij wynik").click()
    phone.get_by_text("Brakuje niektórych liczb.").wait_for()
    phone.locator("#by").select_option(index=1)
    phone.get_by_role("button", name="Wyślij wynik").click()
    phone.get_by_text("Nie wszyscy jeszcze potwierdzili").wait_for()
    check(axe, phone)
    page.get_by_role("button", name="Results").click()
    page.get_by_text("Not everybody has confirmed yet").wait_for()
    for _ in range(3):
        before = phone.get_by_role("button", name=": zgadza się").count()
        phone.get_by_role("button", name=": zgadza się").first.click()
        phone.wait_for_function("n => document.querySelectorAll('#main button.main').length < n", arg=before)
    phone.get_by_text("Oficjalny").wait_for()
    page.get_by_text("Official", exact=True).wait_for()
    check(axe, page)
    page.get_by_role("button", name="The judge decides").click()
    page.get_by_role("button", name="This counts").click()
    page.get_by_text("The judge has decided").wait_for()
    page.get_by_role("button", name="Files").click()
    check(axe, page)
    page.get_by_role("button", name="Day", exact=True).click()
    check(axe, page)
    page.on("dialog", lambda dialog: dialog.accept())
    page.get_by_role("button", name="End the day").click()
    page.get_by_role("heading", name="Begin a day").wait_for()
    live.wait(lambda: live.hall.tournament is not None and live.hall.tournament.ended)
    page.get_by_label("What people call the event").fill("Second night")
    page.get_by_role("button", name="Begin a day").click()
    page.get_by_role("heading", name="Second night").wait_for()
    assert page.errors + phone.errors == []
