"""The sheet of a light play: lines from counters and told numbers, or the game's own scorer."""

from __future__ import annotations

from companion.core.flow.format import FlowScore, GameFlow, readable
from companion.core.flow.state import FlowSeat, FlowState
from companion.core.game import full_game
from companion.core.parts import SheetWords
from companion.core.words import NAMED, Text, named, plain, say
from scoring.sheet import Line, SeatSheet, Sheet


def asked_lines(flow: GameFlow) -> tuple[FlowScore, ...]:
    """The lines whose numbers no counter has."""
    return tuple(line for line in flow.score if not line.counter)


def sheet(state: FlowState) -> Sheet:
    """The score if the play ended now; raises `DataTrouble` for a finished table that cannot be."""
    full = full_game(state.game)
    if state.finished is not None and full is not None and full.positions is not None:
        of = full.positions.knowing(state.taught)
        return of.sheet(of.position_of(state.finished))
    lines = [tuple(_lines(state.flow, seat)) for seat in state.seats]
    totals = [sum(line.points for line in of) for of in lines]
    ties = [
        tuple(tie.rated(n) for tie, n in zip(state.flow.tie, seat.ties, strict=False)) for seat in state.seats
    ]
    keys = list(zip(totals, ties, strict=True))
    seats = tuple(
        SeatSheet(seat.name, totals[n], 1 + sum(other > keys[n] for other in keys), lines[n], ties[n])
        for n, seat in enumerate(state.seats)
    )
    best = [seat.name for seat in seats if seat.total == max(totals)]
    return Sheet(
        game=state.game,
        seats=seats,
        winners=tuple(seat.name for seat in seats if seat.rank == 1),
        tied=tuple(best) if len(best) > 1 and full is None and state.flow.score else (),
        names=_names(state.flow),
    )


def _lines(flow: GameFlow, seat: FlowSeat) -> list[Line]:
    found = []
    for line in flow.score:
        if line.counter:
            numbers: tuple[int, ...] = (seat.counters[line.counter],)
        elif seat.told is not None:
            numbers = seat.told.get(line.id, (0,) * line.times)
        else:
            found.append(Line(line.id, 0))  # nobody has counted yet: a lookup of 0 may be worth -1
            continue
        points = sum(map(line.worth, numbers))
        looked_up = {f"{line.id}:{n}": number for n, number in enumerate(numbers)}
        found.append(Line(line.id, points, measures=looked_up if line.lookup else {line.id: sum(numbers)}))
    return found


def _names(flow: GameFlow) -> dict[str, dict[str, str] | str]:
    """The words of the lines, stored with the sheet: it must read the same when the file is gone."""
    ids = (*(line.id for line in flow.score), *(tie.id for tie in flow.tie))
    return {id: _stored(flow.word(id)) for id in ids}


def _stored(text: Text) -> dict[str, str] | str:
    """A word of a flow as a sheet keeps it: by language, or one for all."""
    if text.key != NAMED:
        return str(text.args["words"])
    return {language: str(word) for language, word in text.args.items() if language != "id"}


def needs_ties(state: FlowState) -> tuple[int, ...]:
    """The seats that share the first place, while something is left to compare."""
    counted = sheet(state)
    best = tuple(n for n, seat in enumerate(counted.seats) if seat.rank == 1)
    told = len(state.seats[best[0]].ties)
    return best if len(best) > 1 and told < len(state.flow.tie) else ()


def plain_sheet_words() -> SheetWords:
    """The words of a sheet of a game that only a flow describes; names of lines are stored in the sheet."""

    def word(id: str) -> Text:
        return named(id, {"en": readable(id)})

    def measured(measure: str, n: int) -> Text:
        id, _, looked_up = measure.partition(":")
        if not looked_up:
            return say("flow.measured", n=n, what=word(id))
        return say("flow.looked-up", n=n) if looked_up == "0" else plain(str(n))

    def tie_break(of: Sheet) -> Text | None:
        if not of.tied:
            return None
        key = "core.tie" if len(of.winners) < len(of.tied) else "flow.shared"
        return say(key, winners=tuple(map(plain, of.winners)))

    return SheetWords(
        words=word,
        measured=measured,
        tie_break=tie_break,
    )
