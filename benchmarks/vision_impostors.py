"""Pictures made to mislead a reader of labels: fast, many, deterministic by seed.

Small pictures (640 by 360) of table, card art and clutter, with symbols pasted in as a bad camera would see
them: labels that are not in the codebook, labels of other games, foreign QR codes, codes of random squares,
finder patterns without a code, and now and then a label that is in the codebook (which may be read as itself,
and as nothing else). In every other scene some labels of the codebook are easily readable as well, and all
symbols move together, as under a swaying camera: then the reader aligns the frames and reads their mean.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import Any

import cv2
import numpy as np
import segno

from vision import labels
from vision.camera_health import Picture
from vision.labels import DIGITS, LETTERS, Label
from vision.virtual import PRESETS, Lying, shoot

SIZE = (640, 360)
FRAMES_PER_SCENE = 8
ANCHORS = 4
"""Labels of the book in the corners of every other scene: by them a reader can lay its frames on each other."""
FINE = 6
QUIET = 2
KINDS = ("empty", "clutter", "foreign", "other game", "not in the book", "in the book")
SHARES = (0.08, 0.12, 0.20, 0.25, 0.25, 0.10)


def book() -> list[str]:
    """The labels on the table: three hundred of one game."""
    return [labels.text(Label("R", number)) for number in range(1, 301)]


def scenes(seed: int, count: int) -> Iterator[tuple[str, frozenset[str], list[Picture]]]:
    """What kind of scene, which texts truly stand in it, and its frames."""
    rng = np.random.default_rng([7, seed])
    pools = {kind: _pool(kind, seed) for kind in KINDS[2:]}
    for number in range(count):
        kind = str(rng.choice(KINDS, p=SHARES))
        ground = _ground(rng)
        if kind == "clutter":
            _clutter(ground, rng)
        placed: list[tuple[Picture, dict[str, Any]]] = []
        texts = set()
        for _ in range(int(rng.integers(1, 6)) if kind in pools else 0):
            text, symbol = pools[kind][int(rng.integers(len(pools[kind])))]
            texts.add(text)
            placed.append((symbol, _manner(rng, symbol)))
        anchored = number % 2 == 1
        if anchored:
            anchors = _anchors(rng)
            texts |= {text for text, _ in anchors}
            placed += [(labels.matrix(text), manner) for text, manner in anchors]
        noise = float(rng.uniform(1, 8))
        frames = []
        for _ in range(FRAMES_PER_SCENE):
            frame = ground.copy()
            together = rng.uniform(-1.5, 1.5, 2)
            for symbol, manner in placed:
                _paste(frame, symbol, manner, together if anchored else rng.uniform(-1.5, 1.5, 2))
            frame += rng.standard_normal(frame.shape, dtype=np.float32) * noise
            frames.append(np.clip(frame, 0, 255).astype(np.uint8))
        yield kind, frozenset(texts), frames


def _pool(kind: str, seed: int) -> list[tuple[str, Picture]]:
    """Some symbols of a kind: always the same ones, and a few new ones with every seed."""
    return [*_symbols(kind, -1, 150), *_symbols(kind, seed, 40)]


@functools.lru_cache(maxsize=8)
def _symbols(kind: str, seed: int, count: int) -> list[tuple[str, Picture]]:
    rng = np.random.default_rng([11, KINDS.index(kind), seed + 1])
    known = set(book())
    out = []
    while len(out) < count:
        if kind == "foreign":
            out.append(_foreign(rng))
            continue
        number, copy = int(rng.integers(1, 301)), int(rng.integers(0, 4))
        if kind == "in the book":
            text = labels.text(Label("R", number))
        elif kind == "other game":
            text = labels.text(Label(str(rng.choice(list(LETTERS.replace("R", "")))), number, copy))
        else:
            text = labels.text(Label("R", int(rng.integers(301, 3000)) if copy == 0 else number, copy))
        if (text in known) == (kind == "in the book"):
            out.append((text, labels.matrix(text)))
    return out


def _foreign(rng: np.random.Generator) -> tuple[str, Picture]:
    """Somebody else's code: an address, ten capitals of our own shape, a label with one wrong character, or noise."""
    which = int(rng.integers(4))
    if which == 0:
        text = "https://example.org/" + "".join(
            rng.choice(list("abcdefghij0123456789"), int(rng.integers(0, 40)))
        )
        return text, np.array(segno.make(text, micro=False).matrix, np.uint8) > 0
    if which == 1:
        text = "".join(rng.choice(list(DIGITS), 10))
        return text, labels.matrix(text)
    text = labels.text(Label("R", int(rng.integers(1, 301))))
    if which == 2:
        at = int(rng.integers(2, 10))
        text = text[:at] + DIGITS[(DIGITS.index(text[at]) + 1) % 36] + text[at + 1 :]
        return text, labels.matrix(text)
    symbol = labels.matrix(text).copy()
    free = np.ones((21, 21), bool)
    free[:9, :9] = free[:9, -8:] = free[-8:, :9] = False
    symbol[free] = rng.random(int(free.sum())) < 0.5
    return "", symbol


@functools.cache
def _grounds() -> list[Picture]:
    """Tables with cards but without labels, in all lights."""
    out = []
    for k, preset in enumerate(list(PRESETS.values()) * 3):
        rng = np.random.default_rng(k)
        cards = [
            Lying(f"ART{k}{n}", *rng.uniform((-400, -220), (400, 220)), float(rng.uniform(0, 360)), size=0.5)
            for n in range(int(rng.integers(0, 26)))
        ]  # art comes from the text; the label itself is a speck of half a millimetre
        shot = shoot(cards, preset, 5000 + k, clutter=int(rng.integers(0, 30)))
        out.append(cv2.cvtColor(shot.picture, cv2.COLOR_BGR2GRAY))
    return out


def _ground(rng: np.random.Generator) -> Picture:
    whole = _grounds()[int(rng.integers(len(_grounds())))]
    x, y = int(rng.integers(0, whole.shape[1] - SIZE[0])), int(rng.integers(0, whole.shape[0] - SIZE[1]))
    part = whole[y : y + SIZE[1], x : x + SIZE[0]]
    if rng.random() < 0.5:
        part = part[:, ::-1]
    return part.astype(np.float32) * np.float32(rng.uniform(0.6, 1.3))


def _clutter(ground: Picture, rng: np.random.Generator) -> None:
    """Eyes without a code, chess boards, stripes and print."""
    for _ in range(int(rng.integers(5, 40))):
        at, size = (int(rng.integers(SIZE[0])), int(rng.integers(SIZE[1]))), float(rng.uniform(0.8, 3))
        dark, light = float(rng.uniform(10, 90)), float(rng.uniform(120, 240))
        kind = int(rng.integers(4))
        if kind == 0:
            for radius, tone in ((4.5, light), (3.5, dark), (2.5, light), (1.5, dark)):
                half = round(radius * size)
                cv2.rectangle(ground, (at[0] - half, at[1] - half), (at[0] + half, at[1] + half), tone, -1)
        elif kind == 1:
            for radius, tone in ((4.5, light), (3.5, dark), (2.5, light), (1.5, dark)):
                cv2.circle(ground, at, round(radius * size), tone, -1, cv2.LINE_AA)
        elif kind == 2:
            board = np.where(np.indices((12, 12)).sum(axis=0) % 2, dark, light).astype(np.float32)
            big = cv2.resize(board, None, fx=size, fy=size, interpolation=cv2.INTER_AREA)
            part = ground[at[1] : at[1] + big.shape[0], at[0] : at[0] + big.shape[1]]
            part[:] = big[: part.shape[0], : part.shape[1]]
        else:
            word = "".join(rng.choice(list(DIGITS), 8))
            print_ = np.zeros(ground.shape, np.uint8)
            cv2.putText(print_, word, at, cv2.FONT_HERSHEY_SIMPLEX, 0.2 * size, 255, 1, cv2.LINE_AA)
            ground[:] = np.where(print_ > 0, ground + (dark - ground) * (print_ / np.float32(255)), ground)


def _manner(rng: np.random.Generator, symbol: Picture) -> dict[str, Any]:
    """How the camera sees a symbol: where, turned, tilted, how large, how soft, smeared, covered, in which light."""
    turn = rng.uniform(0, 2 * np.pi)
    c, s = np.cos(turn), np.sin(turn)
    module = rng.uniform(0.8, 1.3) if rng.random() < 0.5 else rng.uniform(1.2, 3.0)
    tilt = np.array([[1, rng.normal(0, 0.04)], [0, 1 - abs(rng.normal(0, 0.08))]])
    light = rng.uniform(70, 235)
    return {
        "at": rng.uniform((30, 30), (SIZE[0] - 30, SIZE[1] - 30)),
        "shape": np.array([[c, -s], [s, c]]) @ tilt * module,
        "module": module,
        "soft": rng.uniform(0.3, 1.3),
        "smear": rng.uniform(-1.5, 1.5, 2) if rng.random() < 0.3 else np.zeros(2),
        "light": light,
        "dark": light * rng.uniform(0.1, 0.5),
        "cover": (rng.uniform(0, len(symbol), 2), rng.uniform(2, 9)) if rng.random() < 0.15 else None,
    }


def _anchors(rng: np.random.Generator) -> list[tuple[str, dict[str, Any]]]:
    """Labels of the book in the corners, plain to read."""
    x, y = SIZE[0] - 40, SIZE[1] - 40
    plain = {"module": 2.2, "soft": 0.4, "smear": np.zeros(2), "light": 220.0, "dark": 40.0, "cover": None}
    texts = rng.choice(book(), ANCHORS, replace=False)
    corners = ((40, 40), (x, 40), (40, y), (x, y))
    return [
        (str(text), {**plain, "at": np.array(at), "shape": np.eye(2) * 2.2})
        for text, at in zip(texts, corners, strict=True)
    ]


def _paste(frame: Picture, symbol: Picture, how: dict[str, Any], shift: Picture) -> None:
    modules = np.pad(symbol, QUIET)
    flat = np.where(modules, how["dark"], how["light"]).astype(np.float32)
    flat = np.repeat(np.repeat(flat, FINE, axis=0), FINE, axis=1)
    if how["cover"] is not None:
        (x, y), radius = how["cover"]
        cv2.circle(flat, (int(x * FINE), int(y * FINE)), int(radius * FINE / 2), how["light"] * 0.7, -1)
    flat = cv2.GaussianBlur(flat, (0, 0), max(0.4, FINE / how["module"] * np.hypot(how["soft"], 0.3)))
    reach = int(len(modules) * how["module"] * 0.75) + 3
    at = how["at"] + shift
    x0, y0 = int(at[0]) - reach, int(at[1]) - reach
    onto = how["shape"] / FINE
    move = at - (x0, y0) - onto @ (np.array(flat.shape[::-1]) / 2 - 0.5)
    matrix = np.hstack([onto, move[:, None]])
    side = (2 * reach, 2 * reach)
    seen = cv2.warpAffine(flat, matrix, side, flags=cv2.INTER_LINEAR)
    cover = cv2.warpAffine(np.ones_like(flat), matrix, side, flags=cv2.INTER_LINEAR)
    if np.hypot(*how["smear"]) > 0.5:
        steps = np.linspace(-0.5, 0.5, 7)
        seen, cover = (sum(_moved(a, *(how["smear"] * t)) for t in steps) / len(steps) for a in (seen, cover))
    part = frame[max(0, y0) : y0 + 2 * reach, max(0, x0) : x0 + 2 * reach]
    top, left = max(0, -y0), max(0, -x0)
    cut = slice(top, top + part.shape[0]), slice(left, left + part.shape[1])
    part[:] = part * (1 - cover[cut]) + seen[cut]


def _moved(flat: Picture, x: float, y: float) -> Picture:
    return cv2.warpAffine(flat, np.array([[1, 0, x], [0, 1, y]]), flat.shape[::-1])
