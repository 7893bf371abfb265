"""Phones as people use them, in Debian's Chromium: join, answer, secrets, sleep, tabs, languages, whole plays."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.core.autoplay import next_answer
from companion.core.flow.game import shipped_flow
from companion.core.game import Setup, games
from companion.core.questions import Answer
from companion.results.score_only import Unplayed
from companion.table.counting import Entered, TableCounted, with_entry
from tests.phones.live import LACKING, REASON, LiveTable, chromium, phone, sit

pytestmark = pytest.mark.skipif(bool(LACKING), reason=REASON)
RACE = Setup("race", ("Zosia", "Krzyś"))


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    with chromium(tmp_path_factory.mktemp("browser")) as browser:
        yield browser


@pytest.fixture
def table(tmp_path: Path) -> Iterator[LiveTable]:
    table = LiveTable(tmp_path)
    table.play(RACE)
    yield table
    table.close()


def press(button: Any) -> None:
    """Press a button by keyboard: a finger must wait until it has seen what is new."""
    button.focus()
    button.press("Enter")


def worlds(table: LiveTable) -> None:
    """Both have their start worlds, and choose actions in secret."""
    for seat, world in enumerate(("new-sparta", "old-earth")):
        table.desk.propose(Answer(seat, "race.start-world", world))
    table.wait(lambda: all(question.slug == "race.action" for question in table.desk.questions()))


def test_join_answer_and_keep_the_seat_over_reload_sleep_tabs_porter_and_app(
    browser: Any, table: LiveTable
) -> None:
    page = phone(browser)
    sit(table, page, 0)
    press(page.get_by_role("button", name="New Sparta"))
    page.get_by_role("heading", name="Nothing is asked of you now").wait_for()
    assert table.desk.session.state.seats[0].tableau == ("new-sparta",)
    page.reload()
    page.locator("header.seat", has_text="Zosia").wait_for()

    # Asleep, and meanwhile something happens
    page.evaluate(HIDDEN, True)
    table.wait(lambda: not table.side.now.joined)
    table.desk.propose(Answer(1, "race.start-world", "old-earth"))
    page.evaluate(HIDDEN, False)
    page.get_by_role("heading", name="which action?").wait_for()

    # A second tab takes the first one's place
    other = page.context.new_page()
    other.goto(table.url)
    other.locator("header.seat", has_text="Zosia").wait_for()
    page.get_by_role("heading", name="This page is open in another tab.").wait_for()
    page.get_by_role("button", name="Use it here").click()
    page.get_by_role("heading", name="which action?").wait_for()
    other.close()

    # The porter dies, and comes back at the same address
    port = str(table.side.now.port)
    table.porter.options = (*table.options[:3], port, *table.options[4:])
    table.porter.child.kill()
    table.wait(lambda: not table.side.now.port)
    table.wait(lambda: table.side.now.port and table.side.now.joined == {"Zosia"})

    # The app ends and begins again, while the porter stays
    child, table.porter.child = table.porter.child, None
    table.side.stop()
    page.get_by_text("The table's program is not there.").wait_for()
    table.begin_phones()
    table.porter.child = child
    table.wait(lambda: table.side.now.joined == {"Zosia"})
    press(page.get_by_role("button", name="Produce"))
    page.get_by_role("heading", name="Your secret choice").wait_for()
    assert table.desk.session.state.seats[0].actions == ("produce",)
    assert page.errors == []


HIDDEN = """(hidden) => {
  Object.defineProperty(document, "visibilityState", { value: hidden ? "hidden" : "visible", configurable: true });
  document.dispatchEvent(new Event("visibilitychange"));
}"""


def test_a_secret_is_hidden_until_asked_for_and_nobody_else_gets_it(browser: Any, table: LiveTable) -> None:
    worlds(table)
    zosia, krzys, guest = phone(browser), phone(browser, "pl"), phone(browser)
    sit(table, zosia, 0)
    sit(table, krzys, 1)
    guest.goto(table.url)
    press(guest.get_by_role("button", name="I only watch"))
    press(zosia.get_by_role("button", name="Settle"))
    cover = zosia.get_by_role("button", name="Hold to see it")
    cover.wait_for()
    assert "Settle" not in zosia.locator("main").inner_text()
    zosia.clock.install()
    cover.press("Enter")
    zosia.locator(".cover", has_text="Settle").wait_for()
    zosia.clock.run_for(10_000)
    zosia.locator(".cover", has_text="Hold to see it").wait_for()
    guest.get_by_role("button", name="Zosia ✓ ready").wait_for()
    guest.get_by_text("Zosia is ready.").wait_for()
    assert guest.locator("main").inner_text().count("Settle") == 1, "only as the name of a phase"
    press(zosia.get_by_role("button", name="Choose another"))
    zosia.get_by_role("heading", name="which action?").wait_for()
    press(zosia.get_by_role("button", name="Develop"))
    zosia.get_by_role("heading", name="Your secret choice").wait_for()
    krzys.get_by_role("heading", name="którą akcję").wait_for()
    press(krzys.locator(".option", has_text="Produkcja"))
    zosia.get_by_text("Krzyś").first.wait_for()
    table.wait(lambda: table.desk.session.state.revealed)
    assert zosia.errors + krzys.errors + guest.errors == []


def test_focus_and_scroll_stay_while_others_answer(browser: Any, table: LiveTable) -> None:
    worlds(table)
    page = phone(browser)
    sit(table, page, 0)
    button = page.locator(".option").nth(5)
    button.focus()
    scrolled = page.evaluate("scrollY")
    table.desk.propose(Answer(1, "race.action", "produce"))
    page.get_by_text("The table waits for").wait_for(state="detached")
    assert button.evaluate("element => element === document.activeElement")
    assert page.evaluate("scrollY") == scrolled


def test_a_tap_on_what_has_just_appeared_is_none(browser: Any, table: LiveTable) -> None:
    page = phone(browser)
    page.clock.install(time=0)
    page.clock.pause_at(1000)
    sit(table, page, 0)
    page.locator(".option").first.click()
    page.get_by_text("That has just changed.").wait_for()
    assert table.desk.session.entries == 0
    page.clock.run_for(300)
    page.locator(".option").first.click()
    page.get_by_role("heading", name="Nothing is asked of you now").wait_for()


def test_a_late_answer_is_refused_with_the_sentence_in_the_phones_language(
    browser: Any, table: LiveTable
) -> None:
    page = phone(browser, "pl")
    sit(table, page, 0)
    page.route("**/say", lambda route: (_answered(table), route.continue_()))
    press(page.locator(".option").first)
    page.locator("#told", has_text="W międzyczasie stół się zmienił.").wait_for()
    assert table.desk.session.entries == 1


def _answered(table: LiveTable) -> None:
    """Somebody answers at the table just before the phone does."""
    table.desk.propose(Answer(0, "race.start-world", "new-sparta"))
    table.desk.clerk.settle()


def test_every_page_is_accessible_in_both_languages_and_themes_at_200_percent(
    browser: Any, table: LiveTable
) -> None:
    """axe finds nothing, nothing is wider than the smallest phone, and every target is large enough."""
    worlds(table)
    narrow = {"width": 320, "height": 640}
    for language, scheme in (("en", "dark"), ("pl", "light")):
        page = phone(browser, language, color_scheme=scheme, viewport=narrow)
        page.goto(table.url)
        page.locator("button.seat").first.wait_for()
        _check(axe(), page)
        sit(table, page, 0)
        page.evaluate("document.documentElement.style.fontSize = '200%'")
        for tab in range(4):
            page.locator("nav button").nth(tab).click()
            _check(axe(), page)
        page.context.close()


def axe() -> Any:
    from axe_playwright_python.sync_playwright import Axe

    return Axe()


def _check(axe: Any, page: Any) -> None:
    found = axe.run(page)
    assert found.violations_count == 0, found.generate_report()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), page.locator(
        "h1"
    ).first.inner_text()
    small = page.evaluate(
        """() => [...document.querySelectorAll("button")].map((button) => button.getBoundingClientRect())
             .filter((box) => box.width < 44 || box.height < 44).length"""
    )
    assert small == 0


def test_a_light_play_by_phones_alone_by_keyboard(browser: Any, tmp_path: Path) -> None:
    """Every turn is *Done*, found in the accessibility tree and pressed by keyboard, until the score is asked."""
    flow = shipped_flow("race")
    assert flow is not None
    table = LiveTable(tmp_path)
    table.play(Setup("race", ("Zosia", "Krzyś"), flow=flow))
    pages = [phone(browser), phone(browser, "pl")]
    for seat, page in enumerate(pages):
        sit(table, page, seat)
    for _ in range(12):
        question = next(q for q in table.desk.questions() if q.form is None)
        page = pages[question.seat or 0]
        before = table.desk.session.entries
        page.wait_for_function(SHOWS, arg=table.version())
        offered = page.locator(".option")
        offered.first.wait_for()
        press(offered.first)
        table.wait(lambda before=before: table.desk.session.entries > before)
    table.close()


def test_a_whole_race_by_phones_alone(browser: Any, table: LiveTable) -> None:
    """Two phones answer everything that is asked, until the sheet is shown; bots choose what."""
    pages = [phone(browser), phone(browser, "pl")]
    for seat, page in enumerate(pages):
        sit(table, page, seat)
    random, known = Random(3), 0
    bots = table.desk.session.game.bots(table.desk.session.setup, random)
    while True:
        session = table.desk.session
        for moment in session.moments[known:]:
            bots.follow(moment.state, moment.state.news)
        known = len(session.moments)
        if session.over:
            break
        answer = next_answer(session.state, bots, random)
        page = pages[answer.seat or 0]
        page.wait_for_function(SHOWS, arg=table.version())
        answered = page.evaluate(ANSWER, [answer.slug, answer.option])
        assert answered, (answer, page.locator("main").inner_text(), page.locator("#told").inner_text())
        table.wait(lambda session=session: table.desk.session is not session)
    pages[0].get_by_role("table").wait_for()
    total = str(session.game.sheet(session.state).seats[0].total)
    assert total in pages[0].locator("tfoot").inner_text()
    _looked_at_afterwards(pages[0], len(session.deeds()))
    assert [page.errors for page in pages] == [[], []]


def _looked_at_afterwards(page: Any, deeds: int) -> None:
    """The finished play deed by deed, and its link for BG Stats."""
    press(page.get_by_role("button", name="Link for BG Stats"))
    link = page.locator("a[href^='https://app.bgstatsapp.com/createPlay.html?data=']")
    link.wait_for()
    assert link.inner_text() == link.get_attribute("href")
    page.get_by_role("button", name="Deeds", exact=True).click()
    page.get_by_role("heading", name=f"deed {deeds} of {deeds}").wait_for()
    press(page.get_by_role("button", name="One deed back"))
    page.get_by_role("heading", name=f"deed {deeds - 1} of {deeds}").wait_for()
    page.get_by_role("slider").fill("1")
    page.get_by_role("heading", name=f"deed 1 of {deeds}").wait_for()
    _check(axe(), page)


def test_a_finished_table_is_counted_by_phones_each_for_itself(browser: Any, tmp_path: Path) -> None:
    """The screen counts a table that was played without us; two phones enter cards and numbers by keyboard."""
    table = LiveTable(tmp_path)
    table.desk.for_now(phones=True)
    played = Unplayed(games()["race"], RACE.seats)

    def entered(entry: Entered) -> None:
        nonlocal played
        played = with_entry(played, entry)
        table.desk.show_count(TableCounted(played))

    table.desk.entered = entered
    table.desk.show_count(TableCounted(played))
    table.wait(lambda: table.side.now.port)
    zosia, krzys = phone(browser), phone(browser, "pl", color_scheme="light")
    sit(table, zosia, 0)
    sit(table, krzys, 1)
    zosia.get_by_role("searchbox").fill("new spar")
    press(zosia.get_by_role("button", name="New Sparta"))
    zosia.get_by_role("heading", name="Mine: 1").wait_for()
    assert zosia.get_by_role("searchbox").input_value() == "new spar", "the page was patched, not rebuilt"
    chips = zosia.get_by_role("spinbutton").first
    chips.fill("12")
    chips.press("Enter")
    table.wait(lambda: 12 in played.told.values())
    press(krzys.get_by_role("button", name="Old Earth"))
    krzys.get_by_role("heading", name="Moje: 1").wait_for()
    for page in (zosia, krzys):
        _check(axe(), page)
    assert (played.mine("Zosia"), played.mine("Krzyś")) == (("new-sparta",), ("old-earth",))
    table.desk.show_count(TableCounted(played, shown=True))
    for page, words in ((zosia, "Winner: Zosia"), (krzys, "Wygrywa: Zosia")):
        page.get_by_role("heading", name=words).wait_for()
    assert zosia.errors + krzys.errors == []
    table.close()


SHOWS = """(version) => document.documentElement.dataset.version === version
  && !document.querySelector('[aria-disabled="true"]')"""
ANSWER = """async ([slug, option]) => {
  const find = () => [...document.querySelectorAll(`section[data-slug="${slug}"] .option`)]
    .find((button) => button.dataset.option === option);
  for (let leaves = 0; !find() && leaves < 5; leaves += 1) {
    const shown = document.querySelectorAll(".option").length;
    document.querySelector("section button.more")?.click();
    while (document.querySelectorAll(".option").length === shown) await new Promise(requestAnimationFrame);
  }
  find()?.click();
  return Boolean(find());
}"""


def test_help_with_a_question_and_about_a_card(browser: Any, table: LiveTable) -> None:
    page = phone(browser)
    sit(table, page, 0)
    press(page.get_by_role("button", name="Help", exact=True))
    page.get_by_text("Rulebook of Race for the Galaxy, page 2").wait_for()
    worlds(table)
    page.get_by_role("button", name="Cards", exact=True).click()
    press(page.locator("[data-card='new-sparta']"))
    page.get_by_text("Not now:").wait_for()
