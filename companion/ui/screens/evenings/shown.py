"""How evenings are shown wherever they are listed: names, dates, lengths, marks."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from babel.dates import format_datetime

from companion.core.game import boxes
from companion.core.words import Text, count, say
from companion.errors import Trouble
from companion.results.evenings import MARKS, Evening, evenings
from companion.texts import NO_TIME, local_time

if TYPE_CHECKING:
    from companion.table.desk import Desk
    from companion.ui.toolkit.screen import Screen


def look_up(
    screen: Screen, found: Callable[[tuple[Evening, ...]], None], read: Callable[[int], None]
) -> None:
    """Read all evenings while this screen is shown; `read` is told how many were read so far."""
    app = screen.app

    def go_on(n: int) -> bool:
        app.post(lambda: read(n))
        return bool(app.screen is screen)

    def failed(trouble: Trouble) -> None:
        app.tell(trouble.text, "refused")

    screen.desk.clerk.do(lambda journal, binder: evenings(journal, go_on), found, failed)


def game_name(desk: Desk, game: str) -> str:
    """The name of a game, as far as it is known."""
    return boxes()[game].name if game in boxes() else desk.game_names.get(game, game)


def day(desk: Desk, at: float, form: str = "d MMM y") -> str:
    """A date in the table's language and time zone."""
    when = local_time(at)
    return NO_TIME if when is None else format_datetime(when, form, locale=desk.language)


def span(seconds: float) -> Text:
    """A length of time in hours and minutes."""
    minutes = max(1, round(seconds / 60))
    if minutes < 60:
        return say("ui.span-minutes", n=minutes)
    return say("ui.span-hours", h=minutes // 60, n=f"{minutes % 60:02d}")


def facts(desk: Desk, one: Evening) -> str:
    """When, how long and where, and what distinguishes the play."""
    told = [day(desk, one.at)]
    if one.seconds is not None:
        told.append(desk.words(span(one.seconds)))
    if one.rounds:
        told.append(desk.words(count("ui.rounds", one.rounds)))
    if one.place:
        told.append(one.place)
    told += [desk.say(f"ui.mark-{mark}") for mark in MARKS if mark in one.marks and mark != "stopped"]
    return " · ".join(told)
