"""Sentences that are shown on their own begin with a capital, in every language."""

from __future__ import annotations

import re

import pytest

from companion.texts import LANGUAGES, catalogue
from tests.core.test_texts import SOURCE

SAID = r"(?:say|count)\(\s*\"([a-z.-]+)\""
ALONE = (
    rf"(?:Trouble|Unknown|NotNow|Ambiguous|NoPictures)\(\s*{SAID}",  # raised
    rf"(?:show\.say|_say)\(\s*{SAID}",  # told
    r"yield (?:say|count)\(\s*\"((?:core|see)\.[a-z-]+)\"",  # listed: what is wrong with a set-up, how labels look
    r"\"((?:race|eclipse)\.why\.[a-z-]+)\"",  # why the rules refuse a card
    r"(?:told|replayed) = (?:say|count)\(\s*\"([a-z.-]+)\"",
)
CHOSEN = {"core.not-asked", "see.swept", "see.swept-steady"}
"""Sentences that are said where no pattern finds them."""
NOT_NAMES = ("{counter}", "{variant}", "{problems}")
"""What may begin a sentence with a small letter; cards, people and files are written as they are."""


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_sentence_that_stands_alone_begins_with_a_capital(language: str) -> None:
    alone = CHOSEN.union(*(re.findall(pattern, SOURCE) for pattern in ALONE))
    assert len(alone) > 100
    sentences = catalogue(language)._catalog  # type: ignore[attr-defined]
    said = [
        (key, sentence)
        for of, sentence in sentences.items()
        if (key := of[0] if isinstance(of, tuple) else of) in alone
    ]
    assert {key for key, _ in said} == alone
    assert [s for _, s in said if s[0].islower() or s.startswith(NOT_NAMES)] == []
