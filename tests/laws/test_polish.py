"""Polish as people at a table speak it, with the words their rulebooks print."""

import io
import re
from pathlib import Path

import pytest
from babel.messages.pofile import read_po

from companion.core.words import decimal, say
from companion.texts import render

ROOT = Path(__file__).parents[2] / "companion"
FILES = sorted((*ROOT.glob("locale/pl.po"), *ROOT.glob("games/*/words/pl.po")))

NEVER = {
    r"\bma pas\b": "people pass, they do not have a pass",
    r"myśli każde miejsce": "people think, seats do not",
    r"\b[Tt]owarzysz": "a program is no comrade",
    r"\b[Ww]indfall|\b[Uu]plift": "there is a Polish word",
    r"\b[Oo]słon[aęy]\b": "tarcza",
    r"\b[Pp]radawn": "Starożytni",
    r"\b[Mm]acierzyst": "sektor startowy",
    r"\bProjekt\b": "schemat",
    r"\b[Bb]udow[ay]\b": "budowanie",
    r"\bBadani[ae]\b": "wynajdowanie",
    r"\bo?bron(?:a|y|ę|ie) (?:świata|Centrum)|\bo obronie\b": "obronność of a world, System Obronny of the centre",
    r"\b[Mm]oc(?:e|y)?\b": "zdolność",
    r"\{\w+\} stronach": "one page is no pages",
    r"(?<![\w./])\d+\.\d+(?![\w.])": "decimals have a comma",
}

INFLECTED = re.compile(r"\{n\} (?!z\b|na\b|MB\b|GB\b)\w+(?:ów|ek|art|stron|miejsc|rzeczy)\b")
"""A number before a word that must follow it: such a sentence needs the forms of its language."""

EXAMPLES = {"camera.bad-times"}
"""What is to be typed as it stands."""


def sentences():
    for file in FILES:
        for message in read_po(io.BytesIO(file.read_bytes()), locale="pl"):
            if message.id:
                forms = message.string if isinstance(message.string, tuple) else (message.string,)
                key = message.id[0] if isinstance(message.id, tuple) else message.id
                yield key, forms


@pytest.mark.parametrize("pattern", NEVER)
def test_what_nobody_says(pattern):
    found = [(key, form) for key, forms in sentences() for form in forms if re.search(pattern, form)]
    assert [it for it in found if it[0] not in EXAMPLES] == [], NEVER[pattern]


def test_whatever_is_counted_follows_its_number():
    assert [key for key, forms in sentences() if len(forms) == 1 and INFLECTED.search(forms[0])] == []


def test_decimals_are_written_as_the_language_does():
    assert [render(decimal(12.345, 2), language) for language in ("en", "pl")] == ["12.35", "12,35"]
    assert render(say("labels.mm", size=decimal(7.5)), "pl") == "7,5 mm"


def test_no_decimal_is_written_before_the_language_is_known():
    early = re.compile(r"\w=f\"\{[^}]*:\.[1-9]f\}\"")
    lines = [
        f"{file.relative_to(ROOT)}: {line.strip()}"
        for file in ROOT.rglob("*.py")
        for line in file.read_text("utf-8").splitlines()
        if early.search(line)
    ]
    assert lines == []
