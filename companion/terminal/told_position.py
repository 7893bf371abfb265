"""A final position for scoring: read from pictures, and typed at the terminal where there are none."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Mapping
from typing import Any

from msgspec.structs import replace

from companion.core.components import Catalogue
from companion.core.counters import Correctable
from companion.core.game import Game, game
from companion.core.words import count, plain, say
from companion.errors import Ambiguous, DataTrouble, NotNow, Unknown
from companion.recognition import faces, reading
from companion.recognition.zones import Zone
from companion.results.score_only import Unplayed, check_seats
from companion.results.sheets import TaughtFacts, positions
from companion.table.settings import settings_path
from companion.terminal import asking
from companion.terminal.label_lines import names_of, tell, zone_told
from vision.sweep import Sweep

Options = argparse.Namespace


def told_position(
    options: Options, choices: dict[str, str], taught: TaughtFacts, known: Mapping[str, int] | None = None
) -> dict[str, Any]:
    """A position from pictures and typed answers; asks only for what no picture shows and no binder holds.
    Enter confirms a number that is `known` already."""
    rules = game(options.game)
    facts = taught(rules)
    of, table = positions(rules, lambda _: facts), Unplayed(rules, choices=choices, facts=facts)
    named = [word for word in options.sweep or [] if "=" in word]
    middle = [word for word in options.sweep or [] if "=" not in word]
    if middle and not table.between:
        raise DataTrouble(say("see.bad-sweep", word=middle[0]))
    sources = _named(named, "see.bad-sweep")
    table = table.seated(_players(options, rules, tuple(sources)))
    parts = _seat_parts(options, table.seats)
    for source in middle:
        swept = _seen(table, source, None, options.language)
        fitting = [c for c in reading.tableau_in(rules, swept) if c in table.between]
        tell(
            say("see.between", n=len(fitting), what=names_of(table.catalogue, fitting)),
            options.language,
            sys.stderr,
        )
        table = table.seen_between(fitting)
    for name, source in sources.items():
        swept = _seen(table, source, parts.get(name), options.language)
        cards = reading.tableau_in(rules, swept)
        tell(
            count("see.tableau", len(cards), seat=name, cards=names_of(table.catalogue, cards)),
            options.language,
            sys.stderr,
        )
        table = table.seen_before(name, cards)
    if table.between:
        table = _owners_told(table, options.language)
    else:
        for name in table.seats:
            table = table if name in sources else _lying_told(table, name, options.language)

    def ask(counter: Correctable) -> int:
        value = (known or {}).get(counter.id, counter.value)
        fits = value in counter.values
        return asking.value(replace(counter, value=value) if fits else counter, options.language)

    return of.asked(table.tableaux, choices, ask)


def _players(options: Options, rules: Game, sweeping: tuple[str, ...]) -> tuple[str, ...]:
    """The players: from `--seats`, otherwise those with pictures, otherwise asked for."""
    if options.seats is None and sweeping:
        names = sweeping
    else:
        line = options.seats
        if line is None:
            low, high = str(rules.box.seats[0]), str(rules.box.seats[-1])
            line = asking.line(say("ui.ask-seats", low=low, high=high), options.language)
        names = tuple(name.strip() for name in line.split(",") if name.strip())
        _known(sweeping, names)
    check_seats(rules, len(names))
    return names


def _seat_parts(options: Options, seats: tuple[str, ...]) -> dict[str, Zone | None]:
    """The part of its picture that counts, for each seat."""
    words = _named(options.zone or [], "see.bad-seat-zone")
    _known(words, seats)
    return {name: zone_told(name, words.get(name), options.language) for name in seats}


def _known(names: Iterable[str], seats: tuple[str, ...]) -> None:
    for name in names:
        if name not in seats:
            raise Unknown(say("see.no-seat", seat=name, seats=tuple(map(plain, seats))))


def _seen(table: Unplayed, source: str, part: Zone | None, language: str) -> Sweep:
    """What the pictures show; anything unusual about them is reported."""
    taught = faces.index(settings_path().parent, table.rules)
    swept = reading.swept(table.rules, source, part, faces=taught)
    for text in reading.strange_in(table.rules, swept):
        tell(table.catalogue.in_our_names(text), language, sys.stderr)
    return swept


def _lying_told(table: Unplayed, seat: str, language: str) -> Unplayed:
    """Ask a player without a picture to list their components in one line."""
    while True:
        try:
            line = asking.line(say("see.ask-lying", seat=seat), language)
            for component in [table.catalogue.find(word) for word in table.catalogue.words_in(line)]:
                table = table.added(seat, component.id)
            return table
        except (Unknown, Ambiguous) as trouble:
            tell(trouble.text, language, sys.stderr)


def _owners_told(table: Unplayed, language: str) -> Unplayed:
    """Ask each player which of the components between the players are theirs."""
    box = Catalogue([table.catalogue[id] for id in table.between])
    for seat in table.seats:
        free = [c for c, owners in table.owners.items() if not owners]
        text = say(
            "see.ask-owned" if free else "see.ask-owned-unseen",
            seat=seat,
            what=names_of(table.catalogue, free),
        )
        while True:
            try:
                table = _owned(table, seat, box, asking.line(text, language), language)
                break
            except (Unknown, Ambiguous, NotNow) as trouble:
                tell(trouble.text, language, sys.stderr)
    rest = [c for c, owners in table.owners.items() if not owners]
    if rest:
        tell(say("see.nobodys", what=names_of(table.catalogue, rest)), language, sys.stderr)
    return table


def _owned(table: Unplayed, seat: str, box: Catalogue[Any], line: str, language: str) -> Unplayed:
    """The table after this line assigns components to a seat; raises if a word is not understood or it
    belongs to another.

    Components in front of a player, rather than between the players, may be named too.
    """
    found = [_find(word, box, table.catalogue) for word in table.catalogue.words_in(line)]
    for component in found:
        if component.id not in box:
            table = table.seen_before(seat, [component.id])
            continue
        others = [name for name in table.owners.get(component.id, ()) if name != seat]
        if others and not table.shared(component.id):
            raise NotNow(say("see.owned-by", what=component.called, seat=others[0]))
        if component.id not in table.owners:
            tell(say("see.added", what=component.called), language, sys.stderr)
        table = table.seen_between([component.id])
        if seat not in table.owners[component.id]:
            table = table.given(component.id, seat)
    return table


def _find(word: str, box: Catalogue[Any], everything: Catalogue[Any]) -> Any:
    """The component a word names: first among those between the players, then among all."""
    try:
        return box.find(word)
    except Unknown:
        return everything.find(word)


def _named(words: list[str], wrong: str) -> dict[str, str]:
    """The values given as NAME=VALUE words."""
    found: dict[str, str] = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not equals or not name or not value or name in found:
            raise DataTrouble(say(wrong, word=word))
        found[name] = value
    return found
