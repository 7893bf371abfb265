"""Translates sentences: gettext catalogues for English and Polish, keyed by slug."""

from __future__ import annotations

import gettext
import importlib.resources
import io
import os
import re
import struct
import unicodedata
from collections.abc import Iterator, Mapping
from datetime import datetime
from functools import cache
from importlib.resources.abc import Traversable

from companion.core.words import NAMED, Text, legible

LANGUAGES = ("en", "pl")

DECIMAL_MARKS = {"en": ".", "pl": ","}

NO_TIME = "–"
LONGEST_SPAN = 1000 * 3600.0
"""In seconds; a longer time means that the clock was changed, or the file is damaged."""


@cache
def catalogue(language: str) -> gettext.GNUTranslations:
    """The catalogue of a language, compiled in memory: only the `.po` files are maintained."""
    sentences = {"": ""}
    for file in word_files(language):
        try:
            written = file.read_text(encoding="utf-8")
        except (OSError, ValueError):
            continue  # a memory card that lost a file: slugs are understandable, and the play goes on
        sentences.update(_sentences(written))
    sentences[""] = f"Content-Type: text/plain; charset=utf-8\n{sentences['']}"  # a damaged head may lack it
    return gettext.GNUTranslations(io.BytesIO(_compiled(sentences)))


def _sentences(written: str) -> Iterator[tuple[str, str]]:
    """Every slug of a `.po` file with its sentence, or with all its forms; the head of the file has no slug."""
    slug, forms = "", list[str]()
    for line in [*written.splitlines(), 'msgid ""']:
        word, quoted, words = line.removesuffix('"').partition('"')
        if not quoted or not line.endswith('"'):
            continue  # a blank line, a comment, or where a damaged file ends
        if word == "msgid ":
            if any(forms):
                key = slug if len(forms) == 1 else f"{slug}\0{slug}"
                yield key, _unescaped("\0".join(forms))
            slug, forms = words, []
        elif word.startswith("msgstr"):
            forms.append(words)
        elif not word and forms:
            forms[-1] += words


def _unescaped(words: str) -> str:
    if "\\" not in words:
        return words
    return re.sub(r"\\(.)", lambda found: {"n": "\n"}.get(found[1], found[1]), words)


def _compiled(sentences: Mapping[str, str]) -> bytes:
    """The sentences as gettext reads them from an `.mo` file."""
    pairs = [(key.encode(), words.encode()) for key, words in sorted(sentences.items())]
    head = 7 * 4
    at = head + 16 * len(pairs)
    tables: list[int] = []
    for column in (0, 1):
        for pair in pairs:
            tables += (len(pair[column]), at)
            at += len(pair[column]) + 1
    start = struct.pack("<7I", 0x950412DE, 0, len(pairs), head, head + 8 * len(pairs), 0, 0)
    texts = b"".join(pair[column] + b"\0" for column in (0, 1) for pair in pairs)
    return start + struct.pack(f"<{len(tables)}I", *tables) + texts


_more: list[Traversable] = []


def read_also(folder: Traversable) -> None:
    """Also use the sentences in this folder: tools beside the companion bring their own."""
    if folder not in _more:
        _more.append(folder)
        catalogue.cache_clear()


def word_files(language: str) -> tuple[Traversable, ...]:
    """The `.po` files of a language: the shared one, then those of the games, then those of tools."""
    package = importlib.resources.files("companion")
    folders = sorted(package.joinpath("games").iterdir(), key=lambda folder: folder.name)
    own = (folder.joinpath("words", f"{language}.po") for folder in folders)
    more = (folder.joinpath(f"{language}.po") for folder in _more)
    return (package.joinpath("locale", f"{language}.po"), *(file for file in own if file.is_file()), *more)


def render(text: Text, language: str) -> str:
    """The sentence in this language; a slug without a sentence is shown as it is."""
    if text.key == "core.plain":
        return shown(str(text.args["words"]))
    if text.key == NAMED:
        return _name(text, language)
    if text.key == "core.decimal":
        return decimal_in(str(text.args["number"]), language)
    words = catalogue(language)
    pattern = words.gettext(text.key) if text.n is None else words.ngettext(text.key, text.key, text.n)
    arguments = {name: _argument(value, language) for name, value in text.args.items()}
    return pattern.format_map({"companion": our_name(), **arguments})


def _name(text: Text, language: str) -> str:
    """The name in this language, otherwise in any other."""
    known = (str(text.args[one]) for one in (language, *LANGUAGES) if one in text.args)
    return shown(next(known))


def decimal_in(number: str, language: str) -> str:
    """A number with a decimal point, written as usual in this language."""
    return number.replace(".", DECIMAL_MARKS[language])


def _argument(value: int | str | Text | tuple[Text, ...], language: str) -> int | str:
    if isinstance(value, Text):
        return render(value, language)
    if isinstance(value, tuple):
        parts = [render(part, language) for part in value]
        return ("; " if any(", " in part for part in parts) else ", ").join(parts)
    return shown(value) if isinstance(value, str) else value


def shown(words: str) -> str:
    """Words from a file, a label or a command line, made safe to show: without terminal control characters."""
    return words if legible(words) else "".join(c if _harmless(c) else "?" for c in words)


def _harmless(letter: str) -> bool:
    return legible(letter) or letter == "\n" or unicodedata.category(letter) == "Zs"


def local_time(at: float) -> datetime | None:
    """This time in the local time zone; None if a damaged file has an impossible one."""
    try:
        return datetime.fromtimestamp(at)
    except (ValueError, OverflowError, OSError):
        return None


def written_time(at: float, pattern: str) -> str:
    """This time in the local time zone, formatted by `strftime`, or a dash."""
    when = local_time(at)
    return NO_TIME if when is None else when.strftime(pattern)


def written_span(seconds: float) -> str:
    """Seconds as minutes and seconds, or a dash if that is impossibly long."""
    if not 0 <= seconds < LONGEST_SPAN:
        return NO_TIME
    minutes, rest = divmod(int(seconds), 60)
    return f"{minutes}:{rest:02d}"


def our_name() -> str:
    """The command that starts us: `./run` sets it, otherwise it is the installed command."""
    return os.environ.get("COMPANION_COMMAND", "companion")


def capital(words: str) -> str:
    """The same words with a capital first letter."""
    return words[:1].upper() + words[1:]


def fold(words: str) -> str:
    """Words for comparison: lower case, without diacritics."""
    without_strokes = words.casefold().replace("ł", "l").replace("ø", "o")
    return "".join(c for c in unicodedata.normalize("NFKD", without_strokes) if not unicodedata.combining(c))


def mentions(text: Text, typed: str) -> bool:
    """Whether every typed word occurs in this sentence, in one of the languages, with or without diacritics."""
    wanted = fold(typed).split()
    return any(
        all(word in said for word in wanted) for said in (fold(render(text, one)) for one in LANGUAGES)
    )


def usual_language(environ: Mapping[str, str] = os.environ) -> str:
    """The person's likely language, from the usual environment variables."""
    for name in ("COMPANION_LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        language = environ.get(name, "")[:2].lower()
        if language in LANGUAGES:
            return language
    return "en"
