"""The score sheet of a play, and the words of any sheet of this game."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from msgspec.structs import replace

from companion.core.components import told_names
from companion.core.parts import SheetWords
from companion.core.words import Text, count, plain, say
from companion.games.transgalactica import component_types
from companion.games.transgalactica.component_types import everything
from companion.games.transgalactica.state import NIGHTMARE_TILE, Seat, TransState
from scoring import transgalactica as scoring
from scoring.sheet import Sheet
from scoring.transgalactica import MissionType, Per, Readings

MORE, MOST = 2, 12
"""What the objective technology adds for each unit of the objective, and the most it can add (rule 159)."""

OPTIONS: dict[str, str] = {
    "or": "either",
    "hoard": "hoard",
    "two-types": "two_types",
    "nightmare": "nightmare",
    "trade-planets": "trade_planets",
    "offices": "offices",
    "condition": "condition",
}
"""The agreements about the end of the game, with the name of the reading each one sets."""


def readings_of(choices: Mapping[str, str]) -> Readings:
    """How a table reads the rules of the end, according to its agreements."""
    return replace(scoring.USUAL, **{OPTIONS[id]: value for id, value in choices.items() if id in OPTIONS})


# Components in the form used for scoring


def objective_of(card: component_types.Objective) -> scoring.Objective:
    """What an objective counts."""
    terms = tuple(Per(term.per, term.vp, term.most or None) for term in card.terms)
    return scoring.Objective(card.id, terms, card.better)


def technology_of(card: component_types.Technology, markers: int) -> scoring.Technology:
    """What a marked technology counts at the end, given the number of all markers on it."""
    return scoring.Technology(
        id=card.id,
        markers=markers,
        end=tuple(map(_ending, card.counts)),
        raises=card.rule == "higher-levels",
    )


def _ending(what: component_types.Count) -> Per:
    if what == "objective":
        return Per("objective", MORE, MOST)
    if what == "markers":
        return Per("markers")
    return Per(f"level:{what}")  # type: ignore[arg-type]


def mission_of(card: component_types.Mission, chosen: MissionType | None = None) -> scoring.Mission:
    """A completed mission, as the type its owner chose, if any."""
    return scoring.Mission(card.id, card.types, chosen)


def outpost_of(planet: component_types.Planet, slot: int | None = None) -> scoring.Outpost:
    """An outpost on a printed place of a planet, counted from 0; None if all places were taken."""
    return scoring.Outpost(
        planet=planet.id,
        colours=planet.hues,
        planet_asks_trade=planet.wants_trade,
        slot_asks_trade=planet.asks_trade_at(slot),
    )


# A seat in the form used for scoring


def seat_counted(
    name: str,
    *,
    objectives: Iterable[component_types.Objective],
    technologies: Iterable[component_types.Technology],
    marked: Sequence[str],
    missions: Iterable[tuple[component_types.Mission, MissionType | None]],
    outposts: Iterable[tuple[component_types.Planet, int | None]],
    nightmare: bool,
    **numbers: int,
) -> scoring.Seat:
    """The values of a seat that the sheet needs, from a file or from a play.

    `marked` are the technologies of all markers of all seats, `numbers` the points, resources and levels.
    """
    return scoring.Seat(
        name=name,
        objectives=tuple(map(objective_of, objectives)),
        technologies=tuple(technology_of(card, marked.count(card.id)) for card in technologies),
        missions=tuple(mission_of(card, chosen) for card, chosen in missions),
        outposts=tuple(outpost_of(planet, slot) for planet, slot in outposts),
        nightmare=nightmare,
        **numbers,
    )


# A play


def sheet_of_state(state: TransState) -> Sheet:
    """The current points; objectives count once they are revealed, at the end."""
    marked = [id for seat in state.seats for id in seat.technologies]
    seats = [_seat(state, seat, marked) for seat in state.seats]
    sheet = scoring.score(seats, readings_of(state.choices))
    return replace(sheet, names=told_names(state.box.by_id, everything().by_id))


def _seat(state: TransState, seat: Seat, marked: list[str]) -> scoring.Seat:
    cards = (state.box[id] for id in seat.objectives)
    return seat_counted(
        seat.name,
        objectives=(card for card in cards if isinstance(card, component_types.Objective)),
        technologies=map(state.technology, seat.technologies),
        marked=marked,
        missions=((state.mission(id), None) for id in seat.missions),
        outposts=((state.planet(outpost.planet), outpost.slot) for outpost in seat.outposts),
        nightmare=seat.ability == NIGHTMARE_TILE,
        track=seat.vp,
        pirates=len(seat.pirates),
        credits=seat.credit,
        energy=seat.energy,
        mineral=seat.mineral,
        alien=seat.alien,
        technology=state.space("technology", seat.technology).level,
        military=state.space("military", seat.military).level,
        production=state.space("production", seat.production).level,
        politics=state.space("politics", seat.politics).level,
        trade=seat.trade,
    )


# Words

LINES = ("track", "credits", "resources", "choice", "objective", "technology")


def words(what: str) -> Text:
    """The name of a sheet line, or of a component that scored."""
    if what in LINES:
        return say(f"transgalactica.line.{what}")
    if what in everything():
        return everything()[what].called
    return plain(what)


def sort(what: str) -> str | None:
    """The combined line for lines of cards: all objectives, all technologies."""
    card = everything().by_id.get(what)
    if isinstance(card, component_types.Objective) or what == "choice":
        return "objective"
    return "technology" if isinstance(card, component_types.Technology) else None


def measured(measure: str, n: int) -> Text:
    """A counted quantity that is not a component, with its number."""
    if measure in everything():
        return count("transgalactica.measured.worth", n, objective=words(measure))
    return count(f"transgalactica.measured.{measure}", n)


def tie_break(sheet: Sheet) -> Text | None:
    """That the victory is shared: there is no tie-breaker (rule 193)."""
    if not sheet.tied:
        return None
    return say(
        "transgalactica.tie-shared", points=sheet.seats[0].total, winners=tuple(map(plain, sheet.winners))
    )


SHEET_WORDS = SheetWords(words=words, measured=measured, tie_break=tie_break, sort=sort)
