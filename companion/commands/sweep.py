"""Reads a whole tableau from a camera or pictures."""

from __future__ import annotations

import argparse
import os
import sys
from typing import TYPE_CHECKING

from companion.commands.shared import Help, Options, print_json, taught_box
from companion.core.binder import Binder
from companion.core.game import Game, game
from companion.core.journal import Journal
from companion.core.play import Play
from companion.core.sqlite_file import default_path
from companion.core.store import Store
from companion.core.words import count, plain, say
from companion.errors import DONE, Unknown
from companion.table.settings import chosen_camera

if TYPE_CHECKING:
    from vision.sweep import Sweep


def arguments(parser: argparse.ArgumentParser, t: Help) -> None:
    """Which camera, and what to compare it with."""
    parser.add_argument("source", nargs="?", metavar="SOURCE", help=t("source"))
    parser.add_argument("--game", required=True, help=t("game"))
    parser.add_argument("--seat", metavar="NAME", help=t("seat"))
    parser.add_argument("--zone", metavar="ZONE", help=t("zone"))
    parser.add_argument("--json", action="store_true", help=t("json"))


def run(options: Options) -> int:
    """Read the tableau in front of a camera, in a film or in pictures, and compare it."""
    from companion.recognition import faces, reading
    from companion.terminal.label_lines import named_in, names_of, plain_read, print_reads, tell, zone_told

    rules = game(options.game)
    box = taught_box(rules)
    expected = _expected(rules, options.seat) if options.seat else ()
    part = zone_told(options.seat, options.zone, options.language)

    def progress(so_far: Sweep) -> None:
        if not options.json and sys.stderr.isatty():
            print(f"\r{len(so_far.found)} ", end="", file=sys.stderr, flush=True)

    taught = faces.index(default_path(os.environ).parent, rules)
    swept = reading.swept(rules, options.source or chosen_camera(), part, progress, taught)
    found = reading.components_in(rules, swept)
    missing = [c for c in expected if c not in found]
    extra = [c for c in found if c not in expected] if options.seat else []
    reads = [reading.of(f.sighting) for f in swept.found.values()]
    mine = [named_in(box, read) for read in reads if read.game == rules.id]
    if options.json:
        print_json(
            {
                "game": rules.id,
                "zone": part,
                "frames": swept.frames,
                "steady": swept.steady,
                "found": [
                    {**plain_read(read, options.language), "seen": swept.found[read.sighting.text].frames}
                    for read in mine
                ],
                "missing": missing,
                "unexpected": extra,
            }
        )
        return DONE
    print_reads([("", read) for read in mine], options.language)
    key = "see.swept-steady" if swept.steady else "see.swept"
    tell(count(key, len(mine), frames=swept.frames), options.language)
    if missing:
        tell(say("see.missing", seat=options.seat, what=names_of(box, missing)), options.language)
    if extra:
        tell(say("see.unexpected", seat=options.seat, what=names_of(box, extra)), options.language)
    return DONE


def _expected(rules: Game, seat: str) -> tuple[str, ...]:
    """The components the newest running play of this game has in front of a seat."""
    with Store(default_path(os.environ)) as store:
        journal = Journal(store)
        running = journal.running(rules.id)
        if running is None:
            raise Unknown(say("see.no-play", game=rules.box.name))
        session = Play.resume(running.id, journal, Binder(store)).session
    wanted = seat.casefold()
    for view in rules.view(session.state).seats:
        if view.name.casefold() == wanted:
            return tuple(placed.component for placed in view.components)
    raise Unknown(say("see.no-seat", seat=seat, seats=tuple(plain(name) for name in session.setup.seats)))
