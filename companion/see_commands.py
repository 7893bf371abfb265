"""What the commands that look do: `scan`, `sweep`, `camera`, and scoring from pictures."""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace
from rich.console import Console
from rich.table import Table
from rich.text import Text as Styled

from companion import seeing, settings, zones
from companion.cameras import no_pictures
from companion.core.binder import Binder
from companion.core.components import Catalogue
from companion.core.game import Game, game, games
from companion.core.journal import Journal
from companion.core.play import Play
from companion.core.store import Store, default_path
from companion.core.words import Text, count, plain, say
from companion.errors import DONE, Ambiguous, DataTrouble, NotNow, StorageTrouble, Unknown
from companion.score_command import positions
from companion.terminal import asking
from companion.texts import render
from companion.unplayed import Unplayed, check_seats
from companion.zones import Part
from vision.camera import Health, open_camera
from vision.camera_lines import has_picamera2
from vision.sightings import Sighting
from vision.sweep import Sweep
from vision.virtual import PRESETS

Options = argparse.Namespace
CLOSE_ENOUGH = 2.0
"""Pixels per module from which any decoder reads at once."""
TOO_FAR = 1.0
BLURRED = 4.0
"""Pixels from black to white from which a label large enough to be sharp is not."""
LOOK = 3.0
"""Seconds `companion camera` looks before it reports."""


def scan(options: Options) -> int:
    """The labels in pictures."""
    reader = seeing.reader(*_labelled())
    rows, problems = [], []
    for path in options.pictures:
        try:
            picture = seeing.picture(path)
        except DataTrouble as trouble:
            problems.append(trouble.text)
            continue
        reader.forget()
        found = reader.read_any(picture) if options.any else reader.read(picture)
        rows += [(path, seeing.of(sighting)) for sighting in found]
    if options.json:
        _print_json([{"picture": path, **_plain(read)} for path, read in rows])
    else:
        _print_reads(rows, options.language)
    if problems:
        raise DataTrouble(count("see.unreadable", len(problems)), tuple(problems))
    return DONE


def sweep(options: Options) -> int:
    """The tableau before a camera, in a film or in pictures."""
    rules = game(options.game)
    expected = _expected(rules, options.seat) if options.seat else ()
    part = _part(options.seat, options.zone, options.language)

    def progress(so_far: Sweep) -> None:
        if not options.json and sys.stderr.isatty():
            print(f"\r{len(so_far.found)} ", end="", file=sys.stderr, flush=True)

    swept = seeing.swept(rules, options.source or chosen_camera(), part, progress)
    found = seeing.components_in(rules, swept)
    missing = [c for c in expected if c not in found]
    extra = [c for c in found if c not in expected] if options.seat else []
    reads = [seeing.of(f.sighting) for f in swept.found.values()]
    mine = [read for read in reads if read.game == rules.id]
    if options.json:
        _print_json(
            {
                "game": rules.id,
                "zone": part,
                "frames": swept.frames,
                "steady": swept.steady,
                "found": [{**_plain(read), "seen": swept.found[read.sighting.text].frames} for read in mine],
                "missing": missing,
                "unexpected": extra,
            }
        )
        return DONE
    _print_reads([("", read) for read in mine], options.language)
    key = "see.swept-steady" if swept.steady else "see.swept"
    _say(count(key, len(mine), frames=swept.frames), options.language)
    if missing:
        _say(say("see.missing", seat=options.seat, what=_names(rules, missing)), options.language)
    if extra:
        _say(say("see.unexpected", seat=options.seat, what=_names(rules, extra)), options.language)
    return DONE


def _part(seat: str | None, word: str | None, language: str) -> Part | None:
    """The part of the picture that counts: as said now, else as said before about this seat."""
    if word is None:
        part = zones.of(seat) if seat else None
    else:
        part = zones.parse(word)
        if seat:
            zones.remember(seat, part)
    if part is not None and seat:
        _say(say("see.zone", seat=seat, zone=zones.words(part)), language, sys.stderr)
    elif word == zones.WHOLE and seat:
        _say(say("see.zone-whole", seat=seat), language, sys.stderr)
    return part


def camera(options: Options) -> int:
    """Is the camera well, sharp, and are the labels close enough? Remembers which one to use if asked to."""
    if options.list:
        for source in sources():
            print(source)
        return DONE
    source = options.source or chosen_camera()
    last, seen, frames, health = _look(source)
    if last is None:
        raise no_pictures(health)
    if options.preview:
        Console().print(preview(last, Console().width))
    height, width = last.shape[:2]
    _say(say("see.camera", width=width, height=height, frames=frames), options.language)
    for advice in advices(last, list(seen.values())):
        _say(advice, options.language)
    if options.save:
        _save(last, options.save)
        _say(say("see.saved", file=options.save), options.language)
    if options.use:
        choose_camera(source)
        _say(say("see.chosen", source=source), options.language)
    return DONE


def _look(source: str) -> tuple[Any, dict[str, Sighting], int, Health]:
    """A few seconds before a camera: the last picture, the labels seen, how many pictures, and its health."""
    opened, reader = open_camera(source), seeing.reader(*_labelled())
    seen: dict[str, Sighting] = {}
    last, frames, began = None, 0, time.monotonic()
    try:
        while time.monotonic() - began < LOOK:
            frame = opened.read()
            if frame is None:
                if opened.health().what == "over":
                    break
                time.sleep(0.005)
                continue
            last, frames = frame.picture, frames + 1
            seen.update((s.text, s) for s in reader.read(last))
        return last, seen, frames, opened.health()
    finally:
        opened.close()


def sources() -> Iterator[str]:
    """Every camera that can be named without further ado."""
    for device in sorted(Path("/dev").glob("video*")):
        yield f"usb:{device.name.removeprefix('video')}"
    if has_picamera2():
        yield "pi"
    for preset in PRESETS:
        yield f"virtual:{preset}:1"


def chosen_camera() -> str:
    """The camera somebody chose, here or on the touchscreen; else the first USB camera."""
    return settings.load(settings.settings_path()).camera


def choose_camera(source: str) -> None:
    """Remember which camera to use."""
    path = settings.settings_path()
    try:
        settings.save(path, replace(settings.load(path), camera=source))
    except StorageTrouble as trouble:
        why = trouble.text.args["why"]
        raise StorageTrouble(say("see.cannot-choose", file=str(path), why=why)) from trouble


def advices(picture: Any, seen: list[Sighting]) -> Iterator[Text]:
    """What to tell about the labels in sight: how large, how sharp."""
    if not seen:
        yield say("see.no-labels")
        return
    smallest = min(s.module for s in seen)
    yield count("see.labels", len(seen), pixels=f"{smallest:.1f}")
    if smallest < TOO_FAR:
        yield say("see.much-closer")
    elif smallest < CLOSE_ENOUGH:
        yield say("see.closer")
    else:
        yield say("see.close-enough")
    largest = max(seen, key=lambda s: s.module)
    if largest.module >= CLOSE_ENOUGH:
        sharp = edge_width(picture, largest) < BLURRED
        yield say("see.sharp" if sharp else "see.blurred")


def edge_width(picture: Any, sighting: Sighting) -> float:
    """Pixels a label takes from black to white: small is sharp. Means little where modules are hardly larger."""
    import cv2
    import numpy as np

    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY) if picture.ndim == 3 else picture
    xs, ys = zip(*sighting.corners, strict=True)
    left, top = max(0, int(min(xs))), max(0, int(min(ys)))
    cut = grey[top : int(max(ys)) + 1, left : int(max(xs)) + 1].astype(np.float32)
    if min(cut.shape) < 3:
        return 0.0
    down, across = np.gradient(cut)
    steepest = float(np.quantile(np.hypot(down, across), 0.98))
    contrast = float(np.quantile(cut, 0.95) - np.quantile(cut, 0.05))
    return contrast / steepest if steepest > 0 else float("inf")


def preview(picture: Any, width: int) -> Styled:
    """A picture as coloured half blocks, two pixels high each."""
    import cv2

    height = max(2, picture.shape[0] * width // picture.shape[1] // 2 * 2)
    small = cv2.resize(picture, (width, height), interpolation=cv2.INTER_AREA)
    if small.ndim == 2:
        small = cv2.cvtColor(small, cv2.COLOR_GRAY2BGR)
    drawn = Styled()
    for row in range(0, height - 1, 2):
        for upper, lower in zip(small[row], small[row + 1], strict=True):
            above, below = (f"rgb({p[2]},{p[1]},{p[0]})" for p in (upper, lower))
            drawn.append("▀", f"{above} on {below}")
        drawn.append("\n")
    return drawn


def _save(picture: Any, path: str) -> None:
    import cv2

    done, data = cv2.imencode(".png", picture)
    try:
        Path(path).write_bytes(data.tobytes() if done else b"")
    except OSError as e:
        raise StorageTrouble(say("see.cannot-save", file=path, why=e.strerror or str(e))) from e


def told_position(options: Options, choices: dict[str, str]) -> dict[str, Any]:
    """A position from pictures, and from what people tell: only what cannot be seen is asked for."""
    rules = game(options.game)
    of, table = positions(rules.id), Unplayed(rules, choices=choices)
    named = [word for word in options.sweep or [] if "=" in word]
    middle = [word for word in options.sweep or [] if "=" not in word]
    if middle and not table.between:
        raise DataTrouble(say("see.bad-sweep", word=middle[0]))
    sources = _named(named, "see.bad-sweep")
    table = table.seated(_players(options, rules, tuple(sources)))
    if not table.between and (unseen := [name for name in table.seats if name not in sources]):
        raise Unknown(say("see.no-sweep-of", seat=unseen[0]))
    parts = _seat_parts(options, table.seats)
    for source in middle:
        swept = _seen(rules, source, None, options.language)
        fitting = [c for c in seeing.tableau_in(rules, swept) if c in table.between]
        _say(say("see.between", n=len(fitting), what=_names(rules, fitting)), options.language, sys.stderr)
        table = table.seen_between(fitting)
    for name, source in sources.items():
        swept = _seen(rules, source, parts.get(name), options.language)
        cards = seeing.tableau_in(rules, swept)
        _say(
            count("see.tableau", len(cards), seat=name, cards=_names(rules, cards)),
            options.language,
            sys.stderr,
        )
        table = table.seen_before(name, cards)
    if table.between:
        table = _owners_told(table, options.language)
    return of.asked(table.tableaux, choices, lambda counter: asking.value(counter, options.language))


def _players(options: Options, rules: Game, sweeping: tuple[str, ...]) -> tuple[str, ...]:
    """Who played: as `--seats` says, else those whose pictures there are, else they are asked for."""
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


def _seat_parts(options: Options, seats: tuple[str, ...]) -> dict[str, Part | None]:
    """Which part of its picture counts for each seat."""
    words = _named(options.zone or [], "see.bad-seat-zone")
    _known(words, seats)
    return {name: _part(name, words.get(name), options.language) for name in seats}


def _known(names: Iterable[str], seats: tuple[str, ...]) -> None:
    for name in names:
        if name not in seats:
            raise Unknown(say("see.no-seat", seat=name, seats=tuple(map(plain, seats))))


def _seen(rules: Game, source: str, part: Part | None, language: str) -> Sweep:
    """What pictures show; what is strange about them is told."""
    swept = seeing.swept(rules, source, part)
    for text in seeing.strange_in(rules, swept):
        _say(text, language, sys.stderr)
    return swept


def _owners_told(table: Unplayed, language: str) -> Unplayed:
    """Whose the things between the players are: everybody names theirs in a line."""
    box = Catalogue([table.catalogue[id] for id in table.between])
    for seat in table.seats:
        free = [c for c, owner in table.owners.items() if not owner]
        text = say(
            "see.ask-owned" if free else "see.ask-owned-unseen", seat=seat, what=_names(table.rules, free)
        )
        while True:
            try:
                table = _owned(table, seat, box, asking.line(text, language), language)
                break
            except (Unknown, Ambiguous, NotNow) as trouble:
                _say(trouble.text, language, sys.stderr)
    rest = [c for c, owner in table.owners.items() if not owner]
    if rest:
        _say(say("see.nobodys", what=_names(table.rules, rest)), language, sys.stderr)
    return table


def _owned(table: Unplayed, seat: str, box: Catalogue[Any], line: str, language: str) -> Unplayed:
    """The table with what this line names being a seat's; raises if a word is not understood, or it is another's."""
    found = [box.find(word) for word in line.split(",") if word.strip()]
    for component in found:
        owner = table.owners.get(component.id, "")
        if owner and owner != seat:
            raise NotNow(say("see.owned-by", what=component.name, seat=owner))
        if component.id not in table.owners:
            _say(say("see.added", what=component.name), language, sys.stderr)
        table = table.seen_between([component.id])
        if not table.owners[component.id]:
            table = table.given(component.id, seat)
    return table


def _named(words: list[str], wrong: str) -> dict[str, str]:
    """What NAME=VALUE words say."""
    found: dict[str, str] = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not equals or not name or not value or name in found:
            raise DataTrouble(say(wrong, word=word))
        found[name] = value
    return found


def _labelled() -> list[Game]:
    return [rules for rules in games().values() if rules.box.label is not None]


def _expected(rules: Game, seat: str) -> tuple[str, ...]:
    """What the newest running play of this game knows before a seat."""
    with Store(default_path(os.environ)) as store:
        journal = Journal(store)
        running = [row.id for row in journal.plays() if row.game == rules.id and row.finished is None]
        if not running:
            raise Unknown(say("see.no-play", game=rules.box.name))
        session = Play.resume(running[-1], journal, Binder(store)).session
    wanted = seat.casefold()
    for view in rules.view(session.state).seats:
        if view.name.casefold() == wanted:
            return tuple(placed.component for placed in view.components)
    raise Unknown(say("see.no-seat", seat=seat, seats=tuple(plain(name) for name in session.setup.seats)))


def _names(rules: Game, components: Iterable[str]) -> tuple[Text, ...]:
    return tuple(plain(seeing.book(rules).catalogue[c].name) for c in components)


def _plain(read: seeing.Read) -> dict[str, Any]:
    sighting = read.sighting
    return {
        "code": sighting.text,
        "game": read.game,
        "component": read.piece.component if read.piece else None,
        "copy": read.piece.copy if read.piece else None,
        "name": read.name,
        "corners": [[round(x, 1), round(y, 1)] for x, y in sighting.corners],
        "how": sighting.how,
        "sure": round(sighting.sure, 4),
        "pixels_per_module": round(sighting.module, 2),
    }


def _print_json(value: Any) -> None:
    print(msgspec.json.format(msgspec.json.encode(value), indent=2).decode())


def _print_reads(rows: list[tuple[str, seeing.Read]], language: str) -> None:
    if not rows:
        _say(say("see.nothing"), language)
        return
    several = len({path for path, _ in rows}) > 1
    table = Table()
    for key in ("code", "component", "where", "how", "pixels"):
        table.add_column(render(say(f"see.column-{key}"), language))
    for path, read in rows:
        x, y = (round(sum(values) / 4) for values in zip(*read.sighting.corners, strict=True))
        where = f"{Path(path).name} {x},{y}" if several else f"{x},{y}"
        how = f"{read.sighting.how} {read.sighting.sure:.0%}"
        name = read.name or render(say("see.foreign"), language)
        table.add_row(read.sighting.text[:40], name, where, how, f"{read.sighting.module:.1f}")
    Console(highlight=False).print(table)


def _say(text: Text, language: str, to: Any = None) -> None:
    print(render(text, language), file=to or sys.stdout)
