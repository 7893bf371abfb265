"""Puts sentences into a language: gettext catalogues for English and Polish, keyed by slug."""

from __future__ import annotations

import gettext
import importlib.resources
import io
import os
import unicodedata
from collections.abc import Mapping
from datetime import datetime
from functools import cache
from importlib.resources.abc import Traversable

from companion.core.words import NAMED, Text, legible

LANGUAGES = ("en", "pl")

DECIMAL_MARKS = {"en": ".", "pl": ","}

NO_TIME = "–"
LONGEST_SPAN = 1000 * 3600.0
"""Seconds; whoever thought longer had a clock that was set meanwhile, or a damaged file."""


@cache
def catalogue(language: str) -> gettext.GNUTranslations:
    """The catalogue of a language, compiled in memory: the `.po` files are all there is to keep true."""
    from babel.messages.catalog import Catalog
    from babel.messages.mofile import write_mo
    from babel.messages.pofile import PoFileError, read_po

    first = Catalog(locale=language)
    for file in word_files(language):
        try:
            other = read_po(io.BytesIO(file.read_bytes()), locale=language)
        except (OSError, ValueError, PoFileError):
            continue  # a card that lost a file: slugs can be made sense of, and the play goes on
        for message in other:
            if message.id:
                first[message.id] = message
    compiled = io.BytesIO()
    write_mo(compiled, first)
    compiled.seek(0)
    return gettext.GNUTranslations(compiled)


def word_files(language: str) -> tuple[Traversable, ...]:
    """Where the sentences of a language are: what everything shares, then each game's own beside its rules."""
    package = importlib.resources.files("companion")
    folders = sorted(package.joinpath("games").iterdir(), key=lambda folder: folder.name)
    own = (folder.joinpath("words", f"{language}.po") for folder in folders)
    return (package.joinpath("locale", f"{language}.po"), *(file for file in own if file.is_file()))


def render(text: Text, language: str) -> str:
    """The sentence in this language; a slug without a sentence shows itself rather than nothing."""
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
    """The name printed in this language, else in any other."""
    known = (str(text.args[one]) for one in (language, *LANGUAGES) if one in text.args)
    return shown(next(known))


def decimal_in(number: str, language: str) -> str:
    """A number with a point as people write it who read this language."""
    return number.replace(".", DECIMAL_MARKS[language])


def _argument(value: int | str | Text | tuple[Text, ...], language: str) -> int | str:
    if isinstance(value, Text):
        return render(value, language)
    if isinstance(value, tuple):
        parts = [render(part, language) for part in value]
        return ("; " if any(", " in part for part in parts) else ", ").join(parts)
    return shown(value) if isinstance(value, str) else value


def shown(words: str) -> str:
    """Words from a file, a label or a command line as they may be shown: nothing in them steers a terminal."""
    return words if legible(words) else "".join(c if _harmless(c) else "?" for c in words)


def _harmless(letter: str) -> bool:
    return legible(letter) or letter == "\n" or unicodedata.category(letter) == "Zs"


def local_time(at: float) -> datetime | None:
    """This moment by the clock on the wall; nothing if a damaged file names one that no calendar has."""
    try:
        return datetime.fromtimestamp(at)
    except (ValueError, OverflowError, OSError):
        return None


def written_time(at: float, pattern: str) -> str:
    """This moment by the clock on the wall as `strftime` writes it, or a dash."""
    when = local_time(at)
    return NO_TIME if when is None else when.strftime(pattern)


def written_span(seconds: float) -> str:
    """So many seconds as minutes and seconds, or a dash if nobody can have waited so long."""
    if not 0 <= seconds < LONGEST_SPAN:
        return NO_TIME
    minutes, rest = divmod(int(seconds), 60)
    return f"{minutes}:{rest:02d}"


def our_name() -> str:
    """What people type to start us: `./run` says so, otherwise it is the installed command."""
    return os.environ.get("COMPANION_COMMAND", "companion")


def capital(words: str) -> str:
    """Words as they begin a line."""
    return words[:1].upper() + words[1:]


def fold(words: str) -> str:
    """Words as people type them in a hurry: small, and without the marks of their letters."""
    without_strokes = words.casefold().replace("ł", "l").replace("ø", "o")
    return "".join(c for c in unicodedata.normalize("NFKD", without_strokes) if not unicodedata.combining(c))


def mentions(text: Text, typed: str) -> bool:
    """Whether every typed word is in this sentence, in one of the languages, with or without diacritics."""
    wanted = fold(typed).split()
    return any(
        all(word in said for word in wanted) for said in (fold(render(text, one)) for one in LANGUAGES)
    )


def usual_language(environ: Mapping[str, str] = os.environ) -> str:
    """The language this person most likely reads, from the usual environment variables."""
    for name in ("COMPANION_LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        language = environ.get(name, "")[:2].lower()
        if language in LANGUAGES:
            return language
    return "en"
