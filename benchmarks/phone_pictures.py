"""Pictures of every page on phones, in both languages, for docs/phones.md.

    .venv/bin/python benchmarks/phone_pictures.py

Needs Debian's chromium.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
if __name__ == "__main__":
    sys.path[0] = str(ROOT)  # run as a script, files beside this one would hide packages of the same name

from PIL import Image  # noqa: E402

from benchmarks.phones import TableBots, folder  # noqa: E402
from companion.core.game import Setup, games  # noqa: E402
from companion.core.questions import Answer  # noqa: E402
from companion.results.score_only import Unplayed  # noqa: E402
from companion.table.counting import TableCounted  # noqa: E402
from tests.phones.live import LiveTable, chromium, phone, sit  # noqa: E402

NAMES = ("Zosia", "Krzyś", "Basia")
SCHEMES = {"en": "dark", "pl": "light"}
WIDE, HIGH, GAP, COLUMNS = 300, 649, 8, 5
PICTURES_COME = """() => [...document.images].every((one) => one.complete || one.loading === "lazy")"""


def pages(browser: Any, language: str) -> Iterator[bytes]:
    """One evening: join, prove who it is, answer, hide, look around, count, and see the result."""
    with folder() as at:
        table = LiveTable(at)
        table.play(Setup("race", NAMES))
        page = phone(browser, language, color_scheme=SCHEMES[language])
        page.goto(table.url)
        page.locator("button.seat").first.wait_for()
        yield shot(page)
        page.get_by_role("button", name="Zosia").click()
        page.locator(".warn").wait_for()
        yield shot(page)
        sit(table, page, 0)
        bots = TableBots(table, 5)
        while (answer := bots.next()) is not None and not may_consume(table):
            bots.propose(answer)
        tab(page, 0)
        page.locator(".option").first.wait_for()
        yield shot(page)
        for n in (1, 2):
            tab(page, n)
            yield shot(page)
        while table.desk.questions()[0].slug != "race.action":
            bots.propose(bots.next() or table_is_over())
        table.desk.propose(Answer(0, "race.action", "settle"))
        tab(page, 0)
        page.locator(".cover").wait_for()
        yield shot(page)
        while (answer := bots.next()) is not None:
            bots.propose(answer)
        tab(page, 0)
        page.locator("tfoot").wait_for()
        yield shot(page)
        page.locator("summary").first.click()
        page.locator("summary").first.evaluate("element => element.scrollIntoView()")
        yield shot(page)
        tab(page, 1)
        page.get_by_role("slider").wait_for()
        yield shot(page)
        table.desk.leave()
        played = Unplayed(games()["race"], NAMES).added("Zosia", "old-earth").added("Zosia", "gem-world")
        table.desk.show_count(TableCounted(played))
        tab(page, 0)
        page.get_by_role("searchbox").wait_for()
        yield shot(page)
        page.context.close()
        table.close()


def may_consume(table: LiveTable) -> bool:
    """Whether the first seat has a choice with goods and points."""
    return any(q.seat == 0 and q.slug.startswith("race.consume") for q in table.desk.questions())


def table_is_over() -> Answer:
    raise SystemExit("this play has no secret choice after its first consume phase")


def tab(page: Any, n: int) -> None:
    page.locator("nav button").nth(n).click()


def shot(page: Any) -> bytes:
    """The page as on a phone, once its pictures are there."""
    page.locator("#told").evaluate("element => { element.textContent = ''; }")
    page.wait_for_function(PICTURES_COME)
    picture: bytes = page.screenshot()
    return picture


def main() -> int:
    with folder() as at, chromium(at) as browser:
        for language in SCHEMES:
            found = [Image.open(io.BytesIO(data)).convert("RGB") for data in pages(browser, language)]
            rows = -(-len(found) // COLUMNS)
            sheet = Image.new(
                "RGB", (COLUMNS * (WIDE + GAP) - GAP, rows * (HIGH + GAP) - GAP), (128, 128, 128)
            )
            for n, one in enumerate(found):
                place = (n % COLUMNS * (WIDE + GAP), n // COLUMNS * (HIGH + GAP))
                sheet.paste(one.resize((WIDE, HIGH), Image.Resampling.LANCZOS), place)
            sheet.quantize(256).save(ROOT / "docs" / "phones" / f"pages-{language}.png", optimize=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
