"""Score-only positions: what is read, and that all impossible values are reported together, with their places."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.core.words import Text
from companion.errors import DataTrouble
from companion.games.race import position
from companion.games.race.cards import deck
from companion.texts import LANGUAGES, render

ROOT = Path(__file__).parents[2]
FINALS = [
    json.loads(line)
    for line in (ROOT / "scoring" / "data" / "race-finals.jsonl").read_text(encoding="utf-8").splitlines()
]


def good() -> dict[str, Any]:
    return {
        "game": "race",
        "seats": [
            {
                "name": "Ania",
                "tableau": ["old-earth", "gem-world", "public-works#2"],
                "goods": ["gem-world"],
                "chips": 12,
                "hand": 4,
            },
            {"name": "Ola", "tableau": ["new-sparta", "public-works"], "goods": [], "chips": 9, "hand": 0},
        ],
    }


def problems(raw: dict[str, Any]) -> tuple[Text, ...]:
    """What is wrong, after every sentence was found to exist in every language."""
    with pytest.raises(DataTrouble) as caught:
        position.read(json.dumps(raw).encode())
    for problem in caught.value.problems:
        assert all(render(problem, language) != problem.key for language in LANGUAGES)
    return caught.value.problems


def only(raw: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    (problem,) = problems(raw)
    return problem.key, dict(problem.args)


def changed(seat: int = 0, **fields: Any) -> dict[str, Any]:
    raw = good()
    raw["seats"][seat].update(fields)
    return raw


def test_a_position_is_read_and_scored() -> None:
    read = position.read(json.dumps(good()).encode())
    assert read.edition == "first"
    assert position.status(read) == ()
    sheet = position.sheet(read)
    assert [seat.total for seat in sheet.seats] == [16, 11]
    assert [line.what for line in sheet.seats[0].lines] == ["chips", "old-earth", "gem-world", "public-works"]


def test_the_edition_changes_what_is_printed() -> None:
    tableau = ["old-earth", "bio-hazard-mining-world", "merchant-guild"]
    raw = changed(tableau=tableau, goods=["bio-hazard-mining-world"])
    first, second = (
        position.sheet(position.read(json.dumps(raw | {"edition": edition}).encode())).seats[0]
        for edition in ("first", "second")
    )
    assert [line.points for line in first.lines] == [12, 2, 2, 2]
    assert [line.points for line in second.lines] == [12, 2, 0, 3]


@pytest.mark.parametrize("final", FINALS, ids=lambda final: final["game"])
def test_every_game_that_was_really_played_is_possible(final: dict[str, Any]) -> None:
    seats = [
        {
            "name": f"seat {seat['seat']}",
            "tableau": [card["card"] for card in seat["tableau"]],
            "goods": [card["card"] for card in seat["tableau"] if card["good"]],
            "chips": seat["vp_chips"],
            "hand": seat["hand_count"],
        }
        for seat in final["seats"]
    ]
    sheet = position.sheet(position.read(json.dumps({"game": "race", "seats": seats}).encode()))
    assert [seat.total for seat in sheet.seats] == [seat["score"] for seat in final["seats"]]
    assert sheet.winners == tuple(f"seat {seat}" for seat in final["winners"])


def test_a_second_start_world_may_be_drawn_and_settled() -> None:
    read = position.read(json.dumps(changed(tableau=["old-earth", "alpha-centauri"], goods=[])).encode())
    assert position.status(read) == ()


def test_the_start_world_may_stand_anywhere() -> None:
    position.read(json.dumps(changed(tableau=["gem-world", "old-earth"])).encode())


def test_no_start_world() -> None:
    assert only(changed(tableau=["gem-world"])) == ("race.position.no-start-world", {"seat": "Ania"})
    assert only(changed(tableau=[], goods=[])) == ("race.position.no-start-world", {"seat": "Ania"})


def test_two_seats_with_the_same_start_world() -> None:
    key, args = only(changed(1, tableau=["old-earth"]))
    assert (key, render(args["card"], "en")) == ("race.position.copies", "Old Earth")
    assert [render(seat, "en") for seat in args["seats"]] == ["Ania", "Ola"]


def test_the_same_start_world_twice_in_one_tableau() -> None:
    key, args = only(changed(1, tableau=["new-sparta", "new-sparta"]))
    assert (key, args) == (
        "race.position.card-twice",
        {"n": 2, "seat": "Ola", "card": deck("first")["new-sparta"].called},
    )


def test_another_game() -> None:
    assert only(good() | {"game": "eclipse"}) == (
        "score.other-game",
        {"game": "eclipse", "name": "Race for the Galaxy", "id": "race"},
    )


def test_an_unknown_edition() -> None:
    key, args = only(good() | {"edition": "third"})
    assert (key, args["edition"]) == ("race.position.unknown-edition", "third")


@pytest.mark.parametrize("number", [0, 1, 5])
def test_too_few_or_too_many_seats(number: int) -> None:
    starts = [card.id for card in deck("first") if card.is_start]
    seats = [{"name": id, "tableau": [id], "goods": [], "chips": 0, "hand": 0} for id in starts[:number]]
    assert only({"game": "race", "seats": seats})[0] == "score.seats"


def test_an_unknown_card_with_the_nearest_names() -> None:
    key, args = only(changed(1, tableau=["new-sparta", "gem-wrld"]))
    assert (key, args["seat"], args["card"]) == ("race.position.unknown-card-near", "Ola", "gem-wrld")
    assert render(args["near"][0], "en") == "gem-world"


def test_an_unknown_card_like_no_other() -> None:
    assert only(changed(1, tableau=["new-sparta", "qqq"])) == (
        "race.position.unknown-card",
        {"seat": "Ola", "card": "qqq"},
    )


@pytest.mark.parametrize("word", ["public-works#3", "public-works#0", "gem-world#1", "Gem World", "#1", ""])
def test_only_copies_that_exist_have_a_number(word: str) -> None:
    assert only(changed(1, tableau=["new-sparta", word]))[0].startswith("race.position.unknown-card")


def test_a_misspelt_start_world_is_one_problem() -> None:
    assert only(changed(1, tableau=["new-spartta"]))[0] == "race.position.unknown-card-near"


@pytest.mark.parametrize("name", ["", "   "])
def test_an_empty_name(name: str) -> None:
    assert only(changed(1, name=name)) == ("score.no-name", {"where": "seats[1]"})


def test_a_name_that_would_steer_the_terminal() -> None:
    key, args = only(changed(1, name="O\x1b[2Jla"))
    assert (key, args["name"]) == ("score.steering-name", "O?[2Jla")


def test_names_in_any_script() -> None:
    position.read(json.dumps(changed(1, name="Żółć 小林 👩‍🚀")).encode())


def test_a_doubled_name() -> None:
    assert only(changed(1, name="Ania ")) == ("score.same-name", {"n": 2, "name": "Ania"})


def test_with_doubled_names_the_place_in_the_file_tells_the_seat() -> None:
    same, hand = problems(changed(1, name="Ania", hand=-1))
    assert (same.key, hand.args["seat"]) == ("score.same-name", "seats[1]")


@pytest.mark.parametrize("tableau", [["public-works", "public-works"], ["public-works#1", "public-works#2"]])
def test_two_copies_of_one_development_in_a_tableau(tableau: list[str]) -> None:
    raw = changed(1, tableau=["new-sparta", *tableau])
    raw["seats"][0]["tableau"].remove("public-works#2")
    assert only(raw)[0] == "race.position.card-twice"


def test_more_copies_than_the_box_has() -> None:
    raw = good()
    tableau = ["epsilon-eridani", "public-works"]
    raw["seats"].append({"name": "Jan", "tableau": tableau, "goods": [], "chips": 0, "hand": 0})
    key, args = only(raw)
    assert (key, render(args["card"], "en"), args["n"]) == ("race.position.copies", "Public Works", 2)


def test_the_same_copy_at_two_seats() -> None:
    key, args = only(changed(1, tableau=["new-sparta", "public-works#2"]))
    assert (key, render(args["card"], "en"), args["n"]) == ("race.position.copies", "Public Works#2", 1)


@pytest.mark.parametrize("card", ["old-earth", "public-works"])
def test_a_good_where_none_can_lie(card: str) -> None:
    name = deck("first")[card].called
    assert only(changed(goods=[card])) == ("race.position.no-good-there", {"seat": "Ania", "card": name})


def test_a_good_on_a_world_that_is_not_in_the_tableau() -> None:
    assert only(changed(1, goods=["gem-world"])) == (
        "race.position.good-elsewhere",
        {"seat": "Ola", "card": deck("first")["gem-world"].called},
    )


def test_two_goods_on_one_world() -> None:
    assert only(changed(goods=["gem-world", "gem-world"]))[0] == "race.position.goods-on-one-world"


def test_a_good_on_an_unknown_world() -> None:
    assert only(changed(goods=["gem-wold"]))[0] == "race.position.unknown-card-near"


def test_negative_numbers() -> None:
    assert only(changed(chips=-1)) == ("race.position.negative-chips", {"seat": "Ania", "chips": -1})
    assert only(changed(hand=-1)) == ("race.position.negative-hand", {"seat": "Ania", "hand": -1})


def test_the_hand_limit() -> None:
    position.read(json.dumps(changed(hand=10)).encode())
    assert only(changed(hand=11)) == ("race.position.hand-limit", {"n": 11, "seat": "Ania", "limit": 10})


def test_no_more_chips_than_the_box_has() -> None:
    position.read(json.dumps(changed(chips=79)).encode())
    assert only(changed(chips=80)) == ("race.position.chips-in-box", {"chips": 89, "box": 88})


def test_no_more_cards_than_the_box_has() -> None:
    worlds = [card.id for card in deck("first") if card.is_world and not card.is_start]
    goods = [id for id in worlds if deck("first")[id].good]
    raw = changed(tableau=["old-earth", *worlds], goods=goods, hand=8)
    raw["seats"][1] |= {"hand": 0, "tableau": ["new-sparta"]}
    assert 1 + len(worlds) + len(goods) + 8 + 1 == 113
    position.read(json.dumps(raw).encode())
    raw["seats"][0]["hand"] = 10
    assert only(raw) == ("race.position.cards-in-box", {"cards": 115, "box": 114})


def test_fields_nobody_knows_are_named_together_with_other_problems() -> None:
    raw = changed(chps=3, chips=-1) | {"extra": 1}
    told = problems(raw)
    assert [(t.key, t.args.get("where")) for t in told] == [
        ("score.unknown-field", "extra"),
        ("score.unknown-field", "seats[0].chps"),
        ("race.position.negative-chips", None),
    ]
    known: Any = told[1].args["known"]
    assert [render(name, "en") for name in known] == ["name", "tableau", "goods", "chips", "hand"]


def test_wrong_types_are_all_told_with_their_paths() -> None:
    raw = good()
    raw["seats"][0] = {"name": 1, "tableau": ["old-earth", 2], "goods": {}, "chips": 1.0, "hand": True}
    raw["seats"][1] = None
    raw["edition"] = ["first"]
    found: dict[Any, Any] = {t.args["where"]: t.args["found"] for t in problems(raw)}
    assert {where: kind.key.rpartition(".")[2] for where, kind in found.items()} == {
        "seats[0].name": "whole-number",
        "seats[0].tableau[1]": "whole-number",
        "seats[0].goods": "object",
        "seats[0].chips": "fraction",
        "seats[0].hand": "truth",
        "seats[1]": "nothing",
        "edition": "list",
    }


@pytest.mark.parametrize("field", ["name", "tableau", "goods", "chips", "hand"])
def test_a_missing_field(field: str) -> None:
    raw = good()
    del raw["seats"][1][field]
    assert only(raw) == ("score.missing-field", {"where": f"seats[1].{field}"})


def test_no_seats_at_all() -> None:
    assert only({"game": "race"}) == ("score.missing-field", {"where": "seats"})


@pytest.mark.parametrize(
    ("data", "key"),
    [
        (b"", "score.empty"),
        (b" \n\t", "score.empty"),
        (b"\xef\xbb\xbf{}", "score.bom"),
        (b"\x7fELF\x80\x00", "score.not-text"),
        (b"\x00\x01", "score.not-json"),
        (b"[" * 100_000, "score.too-deep"),
        (b'{"game":' * 100_000, "score.too-deep"),
        (b'{"game": "race", "seats": [', "score.not-json"),
        (b'{"game": "race"} {}', "score.not-json"),
        (b"[]", "score.not-an-object"),
        (b'"race"', "score.not-an-object"),
        (b"null", "score.not-an-object"),
        (b'{"game": "race", "game": "race", "seats": []}', "score.doubled-field"),
        (b'{"game": "race", "seats": [{"hand": 1, "hand": 1}]}', "score.doubled-field"),
        (b'{"game": "race", "seats": NaN}', "score.not-a-number"),
        (b'{"game": ' + b"9" * 9999 + b"}", "score.number-too-long"),
        (b'{"game": "\\ud800"}', "score.half-letter"),
    ],
)
def test_what_is_not_even_an_object(data: bytes, key: str) -> None:
    with pytest.raises(DataTrouble) as caught:
        position.read(data)
    (problem,) = caught.value.problems
    assert problem.key == key
    assert all(render(problem, language) != key for language in LANGUAGES)


def test_broken_json_is_told_with_line_and_column() -> None:
    with pytest.raises(DataTrouble) as caught:
        position.read(b'{"game": "race",\n "seats" 3}')
    assert caught.value.text.args == {"line": 2, "column": 10}


def test_a_number_of_many_digits_is_just_too_many_chips() -> None:
    assert only(changed(chips=10**40))[0] == "race.position.chips-in-box"


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)


@given(anything, st.sampled_from(["game", "edition", "seats", "name", "tableau", "goods", "chips", "hand"]))
def test_whatever_a_field_holds_it_is_read_or_explained(value: Any, field: str) -> None:
    raw = copy.deepcopy(good())
    target = raw if field in ("game", "edition", "seats") else raw["seats"][0]
    target[field] = value
    told: tuple[Text, ...] = ()
    try:
        assert position.sheet(position.position_of(raw)).winners
    except DataTrouble as trouble:
        told = trouble.problems
    assert all(render(problem, language) for problem in told for language in LANGUAGES)


def test_the_schema_says_what_is_read() -> None:
    schema = position.schema()
    properties = schema["$defs"]["Seat"]["properties"]
    assert schema["$defs"]["Position"]["properties"]["game"]["const"] == "race"
    assert len(properties["tableau"]["items"]["enum"]) == 95 + 2 * 19
    assert len(properties["goods"]["items"]["enum"]) == 25 + 21
    assert (properties["hand"]["minimum"], properties["hand"]["maximum"]) == (0, 10)
    for of in schema["$defs"].values():
        assert of["additionalProperties"] is False
        assert all(field["description"] for field in of["properties"].values())
    assert msgspec.json.decode(msgspec.json.encode(schema)) == schema


def test_the_tie_is_explained() -> None:
    tied = changed(chips=9, tableau=["old-earth"], goods=[], hand=3)
    tied["seats"][1] = {"name": "Ola", "tableau": ["new-sparta"], "goods": [], "chips": 10, "hand": 2}
    sheet = position.sheet(position.position_of(tied))
    told = position.tie_break(sheet)
    assert told is not None
    assert render(told, "en") == (
        "A tie at 11 points: cards in hand and goods together decide (Ania 3, Ola 2), so Ania wins."
    )
    tied["seats"][1]["hand"] = 3
    told = position.tie_break(position.sheet(position.position_of(tied)))
    assert told is not None
    assert render(told, "pl") == (
        "Remis (11 punktów), którego karty na ręce i towary razem (Ania 3, Ola 3) nie rozstrzygają: "
        "zwycięstwo dzielą Ania, Ola."
    )
    assert position.tie_break(position.sheet(position.position_of(good()))) is None
