"""Pages for the printer: pairings with their reasons, standings, and a card with a code for each table."""

from __future__ import annotations

from collections.abc import Callable
from html import escape

from companion.core.words import say
from companion.hall.hall import Hall
from companion.hall.reasons import figure, reason_text
from companion.hall.tournament import HallDesk, Tournament
from companion.hall.web import code
from companion.texts import render, shown

TranslatedWords = Callable[..., str]
SHEET = """<!doctype html><html lang="{language}"><meta charset="utf-8"><title>{title}</title>
<link rel="stylesheet" href="/page/hall.css"><body class="print"><h1>{title}</h1>{body}</body></html>"""


def page(hall: Hall, name: str, language: str, origin: str) -> str | None:
    """The page of this name; None if there is none."""
    tournament = hall.tournament
    if tournament is None:
        return None

    def t(slug: str, **args: int | str) -> str:
        return escape(render(say(f"hall.{slug}", **args), language))

    if name == "pairings" and tournament.rounds:
        title = t("print-pairings", round=tournament.round, title=tournament.plan.title)
        body = _pairings(hall, tournament, language, t("byes"))
    elif name == "standings":
        title, body = t("print-standings", title=tournament.plan.title), _standings(hall, language, t)
    elif name == "cards":
        title, body = t("print-cards", title=tournament.plan.title), _cards(hall, tournament, origin, t)
    else:
        return None
    return SHEET.format(language=language, title=title, body=body)


def _pairings(hall: Hall, tournament: Tournament, language: str, byes: str) -> str:
    newest = tournament.rounds[-1]
    parts = []
    for seating in newest.tables:
        title = hall.title(HallDesk(seating.hall, seating.table))
        seats = "".join(f"<li>{escape(shown(tournament.shown(player)))}</li>" for player in seating.players)
        why = " ".join(escape(render(reason_text(r, tournament), language)) for r in seating.reasons)
        parts.append(f"<section><h2>{escape(shown(title))}</h2><ol>{seats}</ol><p>{why}</p></section>")
    if newest.byes:
        seats = "".join(f"<li>{escape(shown(tournament.shown(player)))}</li>" for player in newest.byes)
        why = " ".join(escape(render(reason_text(r, tournament), language)) for r in newest.reasons)
        parts.append(f"<section><h2>{byes}</h2><ul>{seats}</ul><p>{why}</p></section>")
    return f'<div class="sheets">{"".join(parts)}</div>'


def _standings(hall: Hall, language: str, t: TranslatedWords) -> str:
    head = "".join(f"<th>{t(slug)}</th>" for slug in ("place", "player", "wins", "points", "games"))
    rows = "".join(
        f"<tr><td>{row.place}</td><td>{escape(shown(row.name))}</td>"
        f"<td>{render(figure(row.wins), language)}</td><td>{render(figure(row.points), language)}</td>"
        f"<td>{row.games}</td></tr>"
        for row in hall.standing()
    )
    return f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"


def _cards(hall: Hall, tournament: Tournament, origin: str, t: TranslatedWords) -> str:
    """One card per table without a companion: its code opens its form."""
    parts = []
    for desk in hall.desks():
        placed = tournament.tables.get(desk)
        if placed is None or placed.companion:
            continue
        address = form_address(origin, tournament, desk)
        parts.append(
            f'<section class="card"><h2>{escape(shown(placed.title))}</h2>{code(address).decode()}'
            f"<p>{t('card-for')}</p></section>"
        )
    return f'<div class="sheets">{"".join(parts)}</div>'


def form_address(origin: str, tournament: Tournament, desk: HallDesk) -> str:
    """Where a table's form is; the key comes after the `#`, which browsers never send."""
    return f"{origin}/table#{desk.hall}/{desk.table}/{tournament.key_of(desk)}"
