"""How many QR codes are read in photographs, compared with other readers: `python benchmarks/photographs.py
FOLDER`.

Reads all pictures in the folder and its subfolders, one line per folder. If a text file of the same name lies
beside a picture, it holds the text of the code, and only that counts; otherwise every distinct text counts.
`--drawn N` adds a folder `drawn`: N codes of all sizes, bent, crumpled, faint and crowded, drawn here.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

sys.path[0] = str(Path(__file__).parent.parent)

import cv2  # noqa: E402
import numpy as np  # noqa: E402
import segno  # noqa: E402
import zxingcpp  # noqa: E402

from vision.decode import Reader  # noqa: E402

KINDS = {".png", ".jpg", ".jpeg", ".gif", ".bmp", ".webp", ".tif", ".tiff"}
FORMATS = zxingcpp.BarcodeFormats([zxingcpp.BarcodeFormat.QRCodeModel1, zxingcpp.BarcodeFormat.QRCodeModel2])
Case = tuple[str, Any, frozenset[str] | None]


def zxing_reads(picture: Any) -> set[str]:
    return {code.text for code in zxingcpp.read_barcodes(picture, formats=FORMATS)}


def pyzbar_reads(picture: Any) -> set[str]:
    from pyzbar import pyzbar

    try:
        found = pyzbar.decode(picture, symbols=[pyzbar.ZBarSymbol.QRCODE])
    except Exception:  # on odd symbols it raises
        return set()
    return {one.data.decode("utf-8", "replace") for one in found}


def cv2_reads(picture: Any) -> set[str]:
    try:
        found = cv2.QRCodeDetector().detectAndDecodeMulti(picture)
    except (cv2.error, UnicodeDecodeError):
        return set()
    return {text for text in (found[1] if found[0] else ()) if text}


def our_reads(picture: Any) -> set[str]:
    return {sighting.text for sighting in Reader().read_any(picture)}


READERS: dict[str, Callable[[Any], set[str]]] = {
    "zxing": zxing_reads,
    "pyzbar": pyzbar_reads,
    "cv2": cv2_reads,
    "ours": our_reads,
}


def photographs(folder: Path) -> Iterator[Case]:
    """Where a picture lies, the picture, and what it says if that is known."""
    for path in sorted(folder.rglob("*")):
        if path.suffix.lower() not in KINDS:
            continue
        picture = cv2.imread(os.fspath(path))
        if picture is None:
            continue
        told = path.with_suffix(".txt")
        truth = frozenset([plain(told.read_text("utf-8", "replace"))]) if told.exists() else None
        yield os.fspath(path.parent.relative_to(folder)), picture, truth


def plain(text: str) -> str:
    """A text without what editors and line ends do to it."""
    return " ".join(text.split())


def drawn(count: int) -> Iterator[Case]:
    """Codes of versions 1 to 20, one or many, on paper that is bent or crumpled, in bad light."""
    for seed in range(count):
        rng = np.random.default_rng([5, seed])
        kind = ("bent", "crumpled", "faint", "crowd")[seed % 4]
        many = 12 if kind == "crowd" else 1
        texts = [f"HTTPS://EXAMPLE.ORG/{seed}/{n}/" + "X" * int(rng.integers(0, 300)) for n in range(many)]
        tiles = [_tile(text, rng) for text in texts]
        side = max(max(tile.shape) for tile in tiles)
        sheet = np.full((side * (3 if many > 1 else 1), side * (4 if many > 1 else 1)), 225, np.float32)
        for n, tile in enumerate(tiles):
            y, x = n // 4 * side, n % 4 * side
            sheet[y : y + tile.shape[0], x : x + tile.shape[1]] = tile
        yield f"drawn, {kind}", _photographed(sheet, kind, rng), frozenset(texts)


def _tile(text: str, rng: np.random.Generator) -> Any:
    code = np.array(segno.make(text, micro=False, error=str(rng.choice(list("lmqh")))).matrix, np.uint8) > 0
    flat = np.where(np.pad(code, 4), 35, 225).astype(np.float32)
    return np.kron(flat, np.ones((4, 4), np.float32))


def _photographed(sheet: Any, kind: str, rng: np.random.Generator) -> Any:
    h, w = sheet.shape
    sheet = np.pad(sheet, 40, constant_values=140)
    y, x = np.indices(sheet.shape, np.float32)
    amount = {"bent": 0.16, "crumpled": 0.0, "faint": 0.0, "crowd": 0.03}[kind] * rng.uniform(-1, 1)
    y += np.float32(amount * 4 * h) * (x / sheet.shape[1]) * (1 - x / sheet.shape[1])
    if kind == "crumpled":
        for axis in (x, y):
            folds = rng.normal(0, 1, (6, 6)).astype(np.float32)
            axis += cv2.resize(folds, axis.shape[::-1], interpolation=cv2.INTER_CUBIC) * np.float32(
                rng.uniform(0.4, 2.5)
            )
    seen = cv2.remap(sheet, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    turn = cv2.getRotationMatrix2D((w / 2 + 40, h / 2 + 40), float(rng.uniform(-40, 40)), 0.75)
    seen = cv2.warpAffine(seen, turn, seen.shape[::-1], borderMode=cv2.BORDER_REPLICATE)
    zoom = float(rng.uniform(0.45, 1.2))
    seen = cv2.resize(seen, None, fx=zoom, fy=zoom, interpolation=cv2.INTER_AREA)
    if kind == "faint":
        seen = 120 + (seen - 120) * rng.uniform(0.06, 0.3)
    slope = np.linspace(-1, 1, seen.shape[1], dtype=np.float32) * rng.uniform(0, 60)
    seen = cv2.GaussianBlur(seen, (0, 0), float(rng.uniform(0.4, 1.2))) + slope
    return np.clip(seen + rng.normal(0, 4, seen.shape), 0, 255).astype(np.uint8)


def main() -> None:
    """Print the table."""
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("folder", nargs="?", type=Path)
    ask.add_argument("--drawn", type=int, default=0, metavar="N")
    given = ask.parse_args()
    rows: dict[str, dict[str, list[Any]]] = {}
    less = []
    cases = [photographs(given.folder)] if given.folder else []
    for source in (*cases, drawn(given.drawn)):
        for number, (group, picture, truth) in enumerate(source):
            grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY) if picture.ndim == 3 else picture
            got = {}
            for name, reads in READERS.items():
                before = time.perf_counter()
                texts = {plain(text) for text in reads(grey)}
                took = time.perf_counter() - before
                got[name] = texts if truth is None else texts & truth
                for row in (rows.setdefault(group, {}), rows.setdefault("all", {})):
                    wrong = 0 if truth is None else len(texts - truth)
                    row.setdefault(name, []).append((len(got[name]), wrong, took, len(truth or ())))
            less += [(group, number, name) for name in READERS if len(got[name]) > len(got["ours"])]
    for group, row in sorted(rows.items(), key=lambda item: (item[0] == "all", item[0])):
        told = sum(one[3] for one in row["ours"])
        cells = [
            f"{name} {sum(one[0] for one in of):4d} (wrong {sum(one[1] for one in of)},"
            f" {np.median([one[2] for one in of]) * 1e3:.0f} ms)"
            for name, of in row.items()
        ]
        print(f"{group:30s} {len(row['ours']):4d} pictures, {told:4d} texts known: " + "; ".join(cells))
    print(f"pictures in which another read more than ours: {len(less)} {less[:10]}")


if __name__ == "__main__":
    from benchmarks.report import reported

    sys.exit(reported(main))
