"""A table of Eclipse that was played without this program: read it, list its problems, score it."""

from __future__ import annotations

from collections import Counter as Tally
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from itertools import chain
from typing import Annotated, Any

from msgspec import Meta

from companion.core import positions
from companion.core.counters import Correctable
from companion.core.game import Box, read_box
from companion.core.parts import Positions, SheetWords, Tableaux
from companion.core.positions import quoted
from companion.core.table_files import (
    Asked,
    AskNumber,
    SeatFile,
    TableFile,
    ids,
    one_of,
    out_of_bounds,
    schema_of,
    unknown,
    whole,
)
from companion.core.words import Text, count, plain, say
from companion.games.eclipse import component_types, score_questions, whole_table
from companion.games.eclipse.component_types import CATEGORIES, Category, sectors, species, technologies
from companion.games.eclipse.state import Seat as PlayedSeat
from scoring import eclipse as scoring
from scoring.sheet import Sheet


def _track(category: str) -> Meta:
    return whole(
        f"Tiles on the {category} track with those printed on the board; 0: those in `technologies`.",
        score_questions.LONGEST_TRACK,
    )


def _stored(kind: str) -> Meta:
    printed, later = component_types.STORAGE, component_types.LIMITLESS
    return whole(f"{kind} in store, at most {printed} unless with later rulings; breaks ties.", later)


def _species() -> list[str]:
    return sorted(species())


def _sectors() -> list[str]:
    return sorted(sectors())


def _technologies() -> list[str]:
    return sorted(technologies())


def _reputation() -> list[int]:
    return [tile.value for tile in component_types.reputations().values()]


@cache
def _box() -> Box:
    return read_box(__package__)


def _rulings() -> tuple[str, ...]:
    return next(variant.values for variant in _box().variants if variant.id == "rulings")


class Seat(SeatFile, frozen=True):
    """One player's side of the table."""

    species: Annotated[str, one_of("Id of the species' board.", _species)]
    sectors: Annotated[tuple[str, ...], ids("Ids of the hexes with this player's disc.", _sectors)]
    reputation: Annotated[
        tuple[int, ...], ids("Values of the reputation tiles.", _reputation, again=True)
    ] = ()
    technologies: Annotated[
        tuple[str, ...],
        ids("Ids of the technologies on the tracks; those printed on the board count anyway.", _technologies),
    ] = ()
    military: Annotated[int, _track("military")] = 0
    grid: Annotated[int, _track("grid")] = 0
    nano: Annotated[int, _track("nano")] = 0
    monoliths: Annotated[
        tuple[str, ...], ids("Ids of those of the hexes that have a monolith.", _sectors)
    ] = ()
    ambassadors: Annotated[
        int, whole("Ambassadors of others on the reputation track.", component_types.AMBASSADORS_OF_A_SEAT)
    ] = 0
    discoveries: Annotated[int, whole("Discovery tiles kept for points.", whole_table.DISCOVERIES)] = 0
    money: Annotated[int, _stored("Money")] = 0
    science: Annotated[int, _stored("Science")] = 0
    materials: Annotated[int, _stored("Materials")] = 0


class Position(TableFile, frozen=True):
    """A finished table of Eclipse."""

    seats: Annotated[tuple[Seat, ...], Meta(description="The players clockwise.")]
    traitor: Annotated[str, Meta(description="Who has the traitor card; empty if nobody.")] = ""
    ancients: Annotated[int, whole("Ancient ships left on the map.", component_types.ANCIENTS_IN_BOX)] = 0
    rulings: Annotated[str, one_of("Rules as printed, or with later rulings.", _rulings)] = "printed"

    @property
    def storage(self) -> int:
        """How much of a resource can be stored."""
        return score_questions.storage(self.rulings)


NUMBERS = ("ambassadors", "discoveries", *CATEGORIES, *component_types.RESOURCES)


def read(data: bytes) -> Position:
    """The position in this JSON; raises `DataTrouble` with all problems."""
    return position_of(positions.parse(data))


def position_of(raw: dict[str, Any]) -> Position:
    """The position in these plain JSON values; raises `DataTrouble` with all problems."""
    return positions.checked(raw, Position, status)


def status(position: Position) -> tuple[Text, ...]:
    """Everything impossible about this table; empty if it can be scored."""
    named = zip(position.called(), position.seats, strict=True)
    each = (_seat_problems(where, seat, position.storage) for where, seat in named)
    return tuple(
        chain(_head_problems(position), *each, _shared_problems(position), _whole_problems(position))
    )


def _head_problems(position: Position) -> Iterator[Text]:
    yield from position.head_problems(_box())
    if position.traitor and position.traitor not in [seat.name for seat in position.seats]:
        yield say("eclipse.position.unknown-traitor", name=quoted(position.traitor))
    if position.rulings not in _rulings():
        known = tuple(plain(quoted(value)) for value in _rulings())
        yield say("eclipse.position.unknown-rulings", value=quoted(position.rulings), known=known)
    for wrong in out_of_bounds(position):
        yield say(f"eclipse.position.{wrong.field}", n=wrong.n, most=wrong.most)
    if len(position.seats) < component_types.DIPLOMACY_FROM and (
        position.traitor or any(seat.ambassadors > 0 for seat in position.seats)
    ):
        yield say("eclipse.position.no-diplomacy", least=component_types.DIPLOMACY_FROM)


def _seat_problems(where: str, seat: Seat, storage: int) -> Iterator[Text]:
    if not seat.species:
        yield say("eclipse.position.no-species", seat=where)
    elif seat.species not in species():
        yield _unknown(where, seat.species, species())
    yield from (_unknown(where, id, sectors()) for id in seat.sectors if id not in sectors())
    yield from (_unknown(where, id, technologies()) for id in seat.technologies if id not in technologies())
    for id in dict.fromkeys((*seat.sectors, *seat.monoliths, *seat.technologies)):
        times = max(group.count(id) for group in (seat.sectors, seat.monoliths, seat.technologies))
        if id and times > 1:
            yield count("eclipse.position.twice", times, seat=where, id=quoted(id))
    for id in seat.monoliths:
        if not id:
            yield say("eclipse.position.monolith-nowhere", seat=where)
        elif id not in seat.sectors:
            yield say("eclipse.position.monolith-elsewhere", seat=where, id=quoted(id))
    for wrong in out_of_bounds(seat, *NUMBERS, **dict.fromkeys(component_types.RESOURCES, storage)):
        yield say("eclipse.position.number", seat=where, field=wrong.field, n=wrong.n, most=wrong.most)
    yield from _track_problems(where, seat)


def _track_problems(where: str, seat: Seat) -> Iterator[Text]:
    values = {tile.value for tile in component_types.reputations().values()}
    for value in seat.reputation:
        if value not in values:
            yield say("eclipse.position.reputation-value", seat=where, n=value)
    board = species().get(seat.species)
    if board and not board.track.fits(max(0, seat.ambassadors), len(seat.reputation)):
        yield say("eclipse.position.reputation-track", seat=where, species=board.called)
    named = _named(seat)
    for category, n in named.items():
        if n > score_questions.LONGEST_TRACK:
            yield say("eclipse.position.technology-track", seat=where, category=category, n=n)
        counted = getattr(seat, category)
        if 0 < counted < n:
            yield say("eclipse.position.track-fewer", seat=where, category=category, n=counted, named=n)
    most = _discs(seat)
    if board and len(set(seat.sectors)) > most:
        yield count(
            "eclipse.position.discs", len(set(seat.sectors)), seat=where, species=board.called, most=most
        )


def _unknown(where: str, word: str, known: Iterable[str]) -> Text:
    return unknown("eclipse.position.unknown", word, known, seat=where)


def _shared_problems(position: Position) -> Iterator[Text]:
    """Problems across seats: a hex has one disc, a colour one board, and the box only so many tiles."""
    for id, times in Tally(id for seat in position.seats for id in dict.fromkeys(seat.sectors)).items():
        if times > 1 and id in sectors():
            yield count("eclipse.position.disputed", times, sector=sectors()[id].called)
    boards = [species()[seat.species] for seat in position.seats if seat.species in species()]
    if len(boards) == len(position.seats):
        yield from _stranger_homes(position, [board.home for board in boards])
    for colour, times in Tally(board.colour for board in boards).items():
        if times > 1:
            yield count("eclipse.position.colour", times, colour=say(f"eclipse.colour.{colour}"))
    reputation = Tally(value for seat in position.seats for value in seat.reputation)
    for tile in component_types.reputations().values():
        if reputation[tile.value] > tile.copies:
            yield say("eclipse.position.too-many", what=tile.called, most=tile.copies)
    taken = Tally(id for seat in position.seats for id in _tiles(seat))
    for tech in technologies().values():
        if taken[tech.id] > tech.copies:
            yield say("eclipse.position.too-many", what=tech.called, most=tech.copies)


def _whole_problems(position: Position) -> Iterator[Text]:
    """Problems of the table as a whole, reported once everything else is possible."""
    seats = dict(zip(position.called(), position.seats, strict=True))
    yield from whole_table.discoveries({where: max(0, seat.discoveries) for where, seat in seats.items()})
    yield from whole_table.monoliths({where: len(set(seat.monoliths)) for where, seat in seats.items()})
    yield from whole_table.outer_hexes({where: seat.sectors for where, seat in seats.items()})
    if len(seats) >= component_types.DIPLOMACY_FROM:
        yield from whole_table.ambassadors({where: max(0, seat.ambassadors) for where, seat in seats.items()})
    if 0 <= position.ancients <= component_types.ANCIENTS_IN_BOX:
        yield from whole_table.ancients(position.ancients, *_discs_by_peace(list(seats.items())))


def _discs_by_peace(seats: list[tuple[str, Seat]]) -> tuple[dict[str, tuple[str, ...]], tuple[str, ...]]:
    """The hexes with discs of seats that fight Ancients, by seat, and those of seats that do not."""
    hostile = {where: () if _at_peace(seat.species) else seat.sectors for where, seat in seats}
    return hostile, tuple(id for _, seat in seats if _at_peace(seat.species) for id in seat.sectors)


def _at_peace(id: str) -> bool:
    """Whether a species does not fight Ancients: it is the one that scores points for them."""
    return id in species() and species()[id].bonus == "ancients"


def _stranger_homes(position: Position, homes: list[str]) -> Iterator[Text]:
    """Home sectors of unused boards stay in the box."""
    for id in dict.fromkeys(id for seat in position.seats for id in seat.sectors):
        if id in sectors() and sectors()[id].ring == "home" and id not in homes:
            whose = next(board for board in species().values() if board.home == id)
            yield say("eclipse.position.stranger-home", sector=sectors()[id].called, species=whose.called)


def _printed(seat: Seat) -> tuple[str, ...]:
    board = species().get(seat.species)
    return board.technologies if board else ()


def _tiles(seat: Seat) -> set[str]:
    """Technologies that are tiles, without those printed on the species' board."""
    return {id for id in seat.technologies if id in technologies()} - set(_printed(seat))


def _named(seat: Seat) -> dict[Category, int]:
    """How many technologies of each track are printed on the board or named."""
    owned = _tiles(seat) | set(_printed(seat))
    return {category: sum(technologies()[id].category == category for id in owned) for category in CATEGORIES}


def _tracks(seat: Seat) -> dict[str, int]:
    """How many technologies lie on each track."""
    return {category: getattr(seat, category) or n for category, n in _named(seat).items()}


def _discs(seat: Seat) -> int:
    """The most discs a seat can have: from its board and its technologies, including possible unnamed ones."""
    board, named, tracks = species().get(seat.species), _named(seat), _tracks(seat)
    owned = _tiles(seat) | set(_printed(seat))
    unnamed = {category: tracks[category] - named[category] for category in CATEGORIES}
    most = board.discs if board else component_types.CIRCLES
    for tech in technologies().values():
        if tech.discs and (tech.id in owned or unnamed[tech.category] > 0):
            most += tech.discs
    return most


def seat_counted(
    seat: Seat | PlayedSeat,
    *,
    hexes: Iterable[str],
    monoliths: tuple[str, ...],
    reputation: tuple[int, ...],
    ambassadors: int,
    discoveries: int,
    tracks: Mapping[str, int],
    traitor: bool,
    resources: int,
) -> scoring.Seat:
    """The values of a seat that the sheet needs, from a file or from a play."""
    return scoring.Seat(
        name=seat.name,
        reputation=reputation,
        ambassadors=ambassadors,
        sectors={id: sectors()[id].points for id in hexes},
        monoliths=monoliths,
        discoveries=discoveries,
        tracks=tracks,
        traitor=traitor,
        bonus=species()[seat.species].bonus if seat.species else None,
        resources=resources,
    )


def sheet(position: Position) -> Sheet:
    """The sheet of a position without problems."""
    seats = tuple(
        seat_counted(
            seat,
            hexes=seat.sectors,
            monoliths=seat.monoliths,
            reputation=seat.reputation,
            ambassadors=seat.ambassadors,
            discoveries=seat.discoveries,
            tracks=_tracks(seat),
            traitor=seat.name == position.traitor,
            resources=seat.money + seat.science + seat.materials,
        )
        for seat in position.seats
    )
    return scoring.score(seats, position.ancients)


def between(component: str) -> bool:
    """Whether this component lies in the middle of the table: a hex, which belongs to the player whose disc
    is on it."""
    return component in sectors()


def asked(tableaux: Tableaux, choices: dict[str, str], ask: AskNumber) -> dict[str, Any]:
    """The plain position from hexes with each player's disc and recognised parts of boards; the rest is asked for."""
    diplomacy = len(tableaux) >= component_types.DIPLOMACY_FROM
    about = [Asked("eclipse", Seat, n, name, ask) for n, name in enumerate(tableaux)]
    seats = [
        score_questions.seat_told(one, seen, diplomacy)
        for one, seen in zip(about, tableaux.values(), strict=True)
    ]
    rulings = choices.get("rulings", "printed")
    position: dict[str, Any] = {"game": "eclipse", "rulings": rulings, "seats": seats}
    if diplomacy:
        position["traitor"] = score_questions.traitor_told(tuple(tableaux), ask)
    if any(seat["species"] and species()[seat["species"]].bonus == "ancients" for seat in seats):
        text = say("eclipse.position.ask-ancients")
        told = [(seat["name"], Seat(seat["name"], seat["species"], seat["sectors"])) for seat in seats]
        most = whole_table.most_ancients(*_discs_by_peace(told))
        position["ancients"] = ask(Correctable("ancients", None, text, 0, 0, most))
    tied = sheet(position_of(position)).tied
    for one, seat in zip(about, seats, strict=True):
        if one.name in tied:
            seat |= score_questions.stock_told(one, score_questions.storage(rulings))
    return position


def words(what: str) -> Text:
    """The name of a line of the sheet, or of a component that earned points."""
    if what in component_types.everything():
        return component_types.everything()[what].called
    owner = component_types.with_bonus().get(what)
    if owner is not None:
        return say(f"eclipse.line.{what}", species=species()[owner].called)
    return say(f"eclipse.line.{what}")


def measured(measure: str, n: int) -> Text:
    """A number of tiles, ambassadors, discoveries, technologies or Ancients, in words."""
    return count(f"eclipse.measured.{measure}", n)


def tie_break(sheet: Sheet) -> Text | None:
    """The sentence that explains the tie-break, or that the victory is shared; None if there was no tie."""
    return positions.tie_break(sheet, "eclipse.position.tie-broken", "eclipse.position.tie-shared")


def schema() -> dict[str, Any]:
    """A JSON Schema of positions, with the names of all hexes, species and technologies."""
    return schema_of(Position, _box())


EXAMPLES: tuple[dict[str, Any], ...] = (
    {
        "game": "eclipse",
        "seats": [
            {
                "name": "Ania",
                "species": "planta",
                "sectors": ["sector-226", "sector-101"],
                "monoliths": ["sector-101"],
                "reputation": [4, 3],
                "technologies": ["tech-nanorobots", "tech-orbital", "tech-monolith", "tech-fusion-drive"],
                "discoveries": 1,
                "money": 5,
            },
            {
                "name": "Bartek",
                "species": "descendants-of-draco",
                "sectors": ["sector-228"],
                "reputation": [1],
            },
        ],
        "ancients": 3,
    },
)

SHEET_WORDS = SheetWords(words=words, measured=measured, tie_break=tie_break)

POSITIONS = Positions(
    position_of=position_of, sheet=sheet, schema=schema, asked=asked, between=between, examples=EXAMPLES
)
