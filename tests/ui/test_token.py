"""A token of an untaught box, entered at the table."""

import pytest

pytestmark = pytest.mark.every_game
TELLS = "core.fact"


@pytest.fixture
def token(rehearsal):
    """A table that asks what a wealth card or a token shows."""
    rehearsal.play("transgalactica", ("Ania", "Bartek"))
    rehearsal.play_until(
        lambda session: any(
            question.slug == TELLS and [fact.rpartition(".")[2] for fact in question.facts] == ["shows"]
            for question in session.questions()
        )
    )
    return rehearsal


def told(rehearsal):
    session = rehearsal.app.desk.session
    return session.state.taught


@pytest.mark.parametrize(
    ("taps", "shows"),
    [
        (("gain", "0.n-3"), {"does": "gain", "n": 3}),
        (("gain", "0.what-credit", "0.n-2"), {"does": "gain", "what": "credit", "n": 2}),
        (("gain", "0.what-vp", "0.n-12"), {"does": "gain", "what": "vp", "n": 12}),
        (
            ("advance", "0.tracks-military", "0.free-True"),
            {"does": "advance", "tracks": ["military"], "free": True},
        ),
        (("raise", "0.level-trade"), {"does": "raise", "level": "trade"}),
        (("take-mission",), {"does": "take-mission"}),
        (("move", "0.n-2"), {"does": "move", "n": 2}),
        (
            ("act", "0.action-mining", "0.kind-secondary"),
            {"does": "act", "action": "mining", "kind": "secondary"},
        ),
        (("mobilise",), {"does": "mobilise"}),
    ],
)
def test_a_token_takes_four_touches_at_most(token, taps, shows):
    (fact,) = next(q.facts for q in token.app.desk.session.questions() if q.slug == TELLS)
    names = [f"add-value.shows-{taps[0]}", *(f"value.shows-{name}" for name in taps[1:]), "form-done"]
    assert len(names) <= 4
    for name in names:
        token.tap(name)
    assert told(token)[fact] == [shows]
