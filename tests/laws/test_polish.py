"""Polish as people at a table speak it, with the words their rulebooks print."""

import io
import re
from pathlib import Path

import pytest
from babel.messages.pofile import read_po

from companion.core.words import count, decimal, say
from companion.games.race.cards import everything as race_box
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
    r"\b[Mm]oje słowo|\b[Tt]woje słowo": "wpis: what people told us is an entry, not their word",
    r"[Dd]ziała też dotykiem": "people touch a screen",
    r"już po pasie": "po spasowaniu",
    r"sprawdzone z ": "porównane z",
    r"połówka pliku": "niedokończony",
    r"nie słychać|słychać .*sieci": "networks are seen",
    r"przetasować|\bpołożyć\b,": "people are told: potasuj",
    r"mniej niż nic": "mniej niż zero",
    r"^\{tried\} usterek": "a number that is not counted stands behind its word",
    r"\b(?:spasował|jego dysk)": "a player may be a woman",
}

OF_GAME = {
    "frontiers": {
        r"\b[Kk]afelk|\b[Kk]afelek|\b[Pp]łytk": "kafel",
        r"\b[Tt]or\w* kolejności": "tor pierwszeństwa",
        r"\bmonetą za\b": "dla każdej",
    },
    "eclipse": {
        r"\b[Ll]osuj": "reputation is drawn: ciągnie",
        r"\bpierwszy gracz\b": "gracz rozpoczynający",
        r"^5 czego": "które 5 zasobów",
    },
    "beyond": {
        r"\b\d+ rud[aęy]\b": "kryształek rudy is counted",
        r"\bramk": "obramowanie",
        r"\b[Ss]iła (?!militarna)|\b[Ss]iłą(?! militarną)": "siła militarna",
        r"^(?:co liczy|Jakie leży)": "za co punktuje; które leży",
    },
    "race": {r"odsłania: ": "odsłania kartę"},
    "transgalactica": {
        r"\b[Uu]rz[ąę]d": "biuro",
        r"\bdzicz": "dzika planeta",
        r"płacisz za to": "say for what",
        r"planet\w* wielu kolorów": "wielokolorowa planeta",
        r"^Nikt przed: ": "nikt przed graczem",
    },
}
"""One word for each thing, as the rulebook of a game prints it."""

NEVER_IN_ENGLISH = {
    r"\b[Nn]ought\b": "zero",
    r"\b[Ww]hoever\b": "if you ...",
    r"\b[Yy]our word\b|\bmy word\b": "entry",
    r"\bis (?:not|no longer) heard\b": "in range",
    r"\b[Tt]oo dear\b|\bdearer\b": "expensive",
    r"less than nothing": "below zero",
    r", for (?:the journal|nobody)\b": "because",
    r"told otherwise": "differs",
    r"\b[Ff]alls?\b(?! into|\.)|\bfell\b(?! if)": "crashes",
    r"^What does \{\w+\} say": "what is printed",
    r"\{points\} points\b": "one point is no points",
    r"^Besides$": "say what",
}

INFLECTED = re.compile(r"\{n\} (?!z\b|na\b|MB\b|GB\b)\w+(?:ów|ek|art|stron|miejsc|rzeczy)\b")
"""A number before a word that must follow it: the sentence needs the forms of its language."""

EXAMPLES = {"camera.bad-times"}
"""What is to be typed as it stands."""


def sentences(files=FILES, language="pl"):
    for file in files:
        for message in read_po(io.BytesIO(file.read_bytes()), locale=language):
            if message.id:
                forms = message.string if isinstance(message.string, tuple) else (message.string,)
                key = message.id[0] if isinstance(message.id, tuple) else message.id
                yield key, forms


KEPT_WORDS = {"see.bad-zone": ("left", "right", "top", "bottom", "middle", "whole")}
"""What is typed as it stands, whatever the language."""


@pytest.mark.parametrize("language", ["en", "pl"])
@pytest.mark.parametrize("key", KEPT_WORDS)
def test_whatever_can_be_typed_is_told(key, language):
    told = render(say(key, word="x"), language)
    assert [word for word in KEPT_WORDS[key] if word not in told] == []


@pytest.mark.parametrize("pattern", NEVER)
def test_what_nobody_says(pattern):
    found = [(key, form) for key, forms in sentences() for form in forms if re.search(pattern, form)]
    assert [it for it in found if it[0] not in EXAMPLES] == [], NEVER[pattern]


@pytest.mark.parametrize(("game", "pattern"), [(game, it) for game, words in OF_GAME.items() for it in words])
def test_one_word_for_each_thing_as_the_rulebook_prints_it(game, pattern):
    own = sentences([ROOT / "games" / game / "words" / "pl.po"])
    found = [(key, form) for key, forms in own for form in forms if re.search(pattern, form)]
    assert found == [], OF_GAME[game][pattern]


@pytest.mark.parametrize("pattern", NEVER_IN_ENGLISH)
def test_plain_english(pattern):
    english = [file.with_name("en.po") for file in FILES]
    found = [
        (key, form) for key, forms in sentences(english, "en") for form in forms if re.search(pattern, form)
    ]
    assert found == [], NEVER_IN_ENGLISH[pattern]


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.parts[-3])
def test_both_languages_count_the_same_sentences(file):
    """A sentence that is counted in one language is counted in the other."""
    plural = [
        {key for key, forms in sentences([file.with_name(f"{language}.po")], language) if len(forms) > 1}
        for language in ("en", "pl")
    ]
    assert plural[0] == plural[1]


@pytest.mark.parametrize(
    ("points", "english", "polish"),
    [(1, "1 point;", "(1 punkt)"), (3, "3 points;", "(3 punkty)"), (25, "25 points;", "(25 punktów)")],
)
def test_a_tie_counts_its_points(points, english, polish):
    told = count("beyond.tie-discs", points, compared=(), winners=())
    assert english in render(told, "en")
    assert polish in render(told, "pl")


def test_a_reveal_names_the_card():
    one = count("race.reveals", 1, what=(race_box("first")["consume-trade"].called,))
    assert render(one, "pl") == "odsłania kartę „Konsumpcja: Handel”"
    two = count(
        "race.reveals", 2, what=(race_box("first")["develop"].called, race_box("first")["settle"].called)
    )
    assert render(two, "pl") == "odsłania karty: Rozwój, Kolonizacja"


def test_three_ore_bring_population():
    """Beyond the Sun, p. 9: the supply cube is turned to its population side."""
    assert "population" in render(say("beyond.option.buy-cube"), "en")
    assert "populacją" in render(say("beyond.option.buy-cube"), "pl")


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
