"""Forms: derived from types, and accepting exactly the values that the types accept."""

from __future__ import annotations

import enum
from random import Random
from typing import Annotated, Any, Literal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import Meta, Struct

from companion.core.components import UNKNOWN, Catalogue, Component, Names, Untold
from companion.core.fact_values import (
    Vocabulary,
    anything,
    as_told,
    blank,
    fits,
    in_words,
    read,
    schema,
    values_of,
    written,
    wrongs,
)
from companion.core.forms import (
    Form,
    Kinds,
    ListOf,
    Maybe,
    Named,
    NoForm,
    Number,
    OneOf,
    Record,
    SeveralOf,
    Switch,
    TextLine,
    form_of,
    page,
)
from companion.core.words import plain, say
from companion.texts import render
from tests.laws.schema import faults

Small = Annotated[int, Meta(ge=0, le=5)]
Metal = Literal["iron", "gold"]


class Spend(Struct, frozen=True, tag_field="does", tag="spend"):
    amount: Small
    metal: Metal | None = None


class Either(Struct, frozen=True, tag_field="does", tag="either"):
    of: tuple[Spend | Either, ...]
    twice: bool = False


class Track(Struct, frozen=True):
    steps: Annotated[int, Meta(ge=1, le=40)]
    ends: Metal


class Rank(enum.Enum):
    LOW = "low"
    HIGH = "high"


class Tile(Component, frozen=True, kw_only=True):
    cost: Small | Untold = UNKNOWN
    metal: Metal | Untold = UNKNOWN
    veins: tuple[Metal, ...] | Untold = UNKNOWN
    edges: frozenset[Small] | Untold = UNKNOWN
    kinds: frozenset[Metal] | Untold = UNKNOWN
    open: bool | Untold = UNKNOWN
    track: Track | Untold = UNKNOWN
    sole: Spend | Untold = UNKNOWN
    power: Spend | Either | Untold = UNKNOWN
    powers: tuple[Spend | Either, ...] | Untold = UNKNOWN
    groups: tuple[tuple[Spend | Either, ...], ...] | Untold = UNKNOWN
    bonus: Annotated[tuple[Spend | Either, ...], Meta(min_length=1)] | Untold = UNKNOWN
    defence: Small | Untold | None = UNKNOWN
    rank: Rank | Untold = UNKNOWN
    title: Annotated[str, Meta(min_length=1, max_length=8)] | Untold = UNKNOWN
    motto: str | Untold = UNKNOWN
    weight: int | Untold = UNKNOWN
    pair: tuple[int, str] | Untold = UNKNOWN
    both: Small | Metal | Untold = UNKNOWN


TOLD = Tile.__struct_fields__[Tile.__struct_fields__.index("cost") : Tile.__struct_fields__.index("motto")]
EMPTY = Catalogue([Tile(id="t", name=Names("T"))])


def values(form: Form) -> st.SearchStrategy[Any]:
    """Everything a form lets people tell."""
    match form:
        case Number(low, high):
            return st.integers(low, high)
        case TextLine(longest):
            letters = st.characters(categories=("L", "N", "P", "S"), include_characters=" ")
            told = st.text(letters, min_size=1, max_size=longest).map(str.strip)
            return told.filter(lambda text: text and text.isprintable())
        case Switch():
            return st.booleans()
        case OneOf(named):
            return st.sampled_from([one.value for one in named])
        case SeveralOf(named, again):
            return st.lists(st.sampled_from([one.value for one in named]), unique=not again, max_size=4)
        case Maybe(inner):
            return st.none() | values(inner)
        case ListOf(item, least):
            return st.lists(values(item), min_size=least, max_size=3)
        case Kinds(kinds):
            return st.one_of(*(values(kind) for kind in kinds))
        case Record(fields, tag_field, tag):
            tagged = {tag_field: st.just(tag)} if tag else {}
            return st.fixed_dictionaries({**tagged, **{field.name: values(field.form) for field in fields}})


jsons = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-9, 50)
    | st.sampled_from(["iron", "gold", "spend", "either", "x", "", " x", "x ", "longer than 8"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["does", "amount", "metal", "of", "steps", "ends", "x"]), inner, max_size=4
        )
    ),
    max_leaves=8,
)


def test_each_type_has_its_form() -> None:
    metals = (Named("iron", say("mine.metal.iron")), Named("gold", say("mine.metal.gold")))
    forms = {field: form_of(Tile, field, "mine") for field in TOLD}
    assert forms["cost"] == forms["defence"] == Number(0, 5)
    assert forms["metal"] == OneOf(metals)
    assert forms["open"] == Switch()
    assert forms["title"] == TextLine(8)
    assert form_of(Tile, "name", "mine") == TextLine(60)
    assert forms["rank"] == OneOf((Named("low", say("mine.rank.low")), Named("high", say("mine.rank.high"))))
    assert isinstance(forms["veins"], SeveralOf)
    assert forms["veins"].again
    assert [named.text for named in forms["veins"].values] == [say("mine.veins.iron"), say("mine.veins.gold")]
    assert isinstance(forms["kinds"], SeveralOf)
    assert not forms["kinds"].again
    assert forms["edges"] == SeveralOf(tuple(Named(n, plain(str(n))) for n in range(6)))
    assert isinstance(forms["track"], Record)
    assert [(f.name, f.text.key, f.needed) for f in forms["track"].fields] == [
        ("steps", "mine.field.steps", True),
        ("ends", "mine.field.ends", True),
    ]
    assert isinstance(forms["power"], Kinds)
    assert forms["powers"] == ListOf(forms["power"])
    assert isinstance(forms["bonus"], ListOf)
    assert forms["bonus"].least == 1
    assert forms["groups"] == ListOf(ListOf(forms["power"]))
    spend, either = forms["power"].kinds
    assert (spend.tag_field, spend.tag, spend.text) == ("does", "spend", say("mine.does.spend"))
    assert spend.fields[1].form == Maybe(OneOf(metals))
    assert not spend.fields[1].needed
    assert (either.fields[1].needed, either.fields[1].usual) == (False, False)
    assert isinstance(either.fields[0].form, ListOf)


def test_what_holds_itself_is_told_so_deep_and_no_deeper() -> None:
    form = form_of(Tile, "power", "mine")
    inner: Any = {"does": "spend", "amount": 1}
    once: Any = {"does": "either", "of": [inner]}
    twice: Any = {"does": "either", "of": [once]}
    assert fits(form, once)
    assert fits(form, twice)
    assert not fits(form, {"does": "either", "of": [twice]})


@pytest.mark.parametrize("field", ["motto", "weight", "pair", "both", "id", "nothing"])
def test_a_type_that_does_not_say_what_can_be_told_has_no_form(field: str) -> None:
    with pytest.raises(NoForm):
        form_of(Tile, field, "mine")


def test_several_fields_are_one_page() -> None:
    both = page(Tile, ("cost", "powers"), "mine")
    assert isinstance(both, Record)
    assert [field.form for field in both.fields] == [form_of(Tile, f, "mine") for f in ("cost", "powers")]
    assert page(Tile, ("cost",), "mine") == Number(0, 5)


def test_a_name_and_a_list_that_is_never_empty_can_wait() -> None:
    whole = page(Tile, ("cost", "title", "powers", "bonus"), "mine")
    assert fits(whole, {"cost": 1, "powers": []})
    assert not fits(whole, {"cost": 1, "powers": [], "bonus": []})


@pytest.mark.parametrize("field", TOLD)
@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_what_fits_is_what_the_component_takes(field: str, data: st.DataObject) -> None:
    form = form_of(Tile, field, "mine")
    value = data.draw(values(form))
    assert list(wrongs(form, value)) == []
    assert read(form, written(form, value)) == (value,)
    taught = getattr(EMPTY.taught({f"t.{field}": value})["t"], field)
    told = as_told(taught)
    assert (sorted(told) == sorted(value)) if isinstance(taught, frozenset) else told == value
    assert faults(value, schema(form)) == []
    assert isinstance(render(in_words(form, value), "en"), str)


@pytest.mark.parametrize("field", TOLD)
@settings(max_examples=40, deadline=None)
@given(value=jsons)
def test_whatever_is_told_the_form_and_the_schema_agree_and_the_type_takes_what_fits(
    field: str, value: Any
) -> None:
    form = form_of(Tile, field, "mine")
    found = list(wrongs(form, value, "t"))
    assert bool(found) != fits(form, value)
    assert (faults(value, schema(form)) == []) == fits(form, value)
    if fits(form, value):
        EMPTY.taught({f"t.{field}": value})
    for wrong in found:
        assert wrong.path.startswith("t")
        assert len(wrong.value) <= 40


@pytest.mark.parametrize(
    ("field", "value", "where", "why"),
    [
        ("cost", 6, "", "core.form.number"),
        ("cost", True, "", "core.form.number"),
        ("open", 1, "", "core.form.switch"),
        ("title", "", "", "core.form.line"),
        ("title", 3, "", "core.form.line"),
        ("title", "a  word too long", "", "core.form.line"),
        ("title", " x", "", "core.form.line"),
        ("title", "two\nlines", "", "core.form.line"),
        ("title", "x\u202ey", "", "core.form.line"),
        ("metal", "tin", "", "core.form.one-of"),
        ("veins", ["iron", "tin"], "[1]", "core.form.one-of"),
        ("kinds", ["iron", "iron"], "[1]", "core.form.once-only"),
        ("kinds", "iron", "", "core.form.list"),
        ("track", {"steps": 0, "ends": "iron"}, ".steps", "core.form.number"),
        ("track", {"steps": 1}, "", "core.form.missing"),
        ("track", {"steps": 1, "ends": "iron", "x": 1}, "", "core.form.foreign"),
        ("track", 3, "", "core.form.record"),
        ("sole", {"amount": 1}, "", "core.form.kinds"),
        ("sole", {"does": "either", "amount": 1}, "", "core.form.kinds"),
        ("powers", {}, "", "core.form.list"),
        ("powers", [{"does": "dance"}], "[0]", "core.form.kinds"),
        ("powers", [{"does": "spend", "amount": 9}], "[0].amount", "core.form.number"),
    ],
)
def test_what_is_wrong_is_said_with_its_place(field: str, value: Any, where: str, why: str) -> None:
    (wrong,) = wrongs(form_of(Tile, field, "mine"), value)
    assert (wrong.path, wrong.why.key) == (where, why)


@pytest.mark.parametrize("field", TOLD)
def test_the_least_and_anything_fit(field: str) -> None:
    form, random = form_of(Tile, field, "mine"), Random(2)
    assert fits(form, blank(form))
    assert all(fits(form, anything(form, random)) for _ in range(40))


def test_only_where_there_is_little_each_value_is_an_answer() -> None:
    assert [v.value for v in values_of(Number(0, 9))] == list(range(10))
    assert values_of(Number(0, 10)) == ()
    assert [v.value for v in values_of(form_of(Tile, "metal", "mine"))] == ["iron", "gold"]
    assert values_of(form_of(Tile, "powers", "mine")) == ()


def test_a_power_reads_as_the_game_means_it_and_else_by_its_fields() -> None:
    words = Vocabulary(Spend | Either, lambda power: plain(f"pay {power.amount}"))
    form, told = form_of(Tile, "power", "mine"), {"does": "spend", "amount": 2, "metal": None}
    assert render(in_words(form, told, words.means), "en") == "pay 2"
    assert (
        render(in_words(form, told), "en")
        == "mine.does.spend (mine.field.amount: 2, mine.field.metal: nothing)"
    )
    assert words.means({"does": "dance"}) is None


def test_a_line_travels_as_json_so_that_it_may_begin_like_anything() -> None:
    for title in ("3", "once:x", '"a"', "żółw"):
        assert read(TextLine(8), written(TextLine(8), title)) == (title,)
        assert read(TextLine(8), "once:" + written(TextLine(8), title)) == (title,)
    assert read(TextLine(8), "Comet") is None


def test_a_taught_name_is_found_and_the_slot_is_found_still() -> None:
    box = Catalogue([Tile(id="world-10", name=Names("World 10")), Tile(id="world-1", name=Names("World 1"))])
    taught = box.taught({"world-10.name": "Comet Zone"})
    assert taught["world-10"].name == taught.find("comet").name == Names("Comet Zone", "Comet Zone")
    assert taught.find("World 10").id == taught.find("world-10").id == "world-10"
    assert taught.find("world 1").id == "world-1"


def test_a_name_that_looks_like_json_is_still_a_name() -> None:
    form = OneOf((Named("3", plain("three")), Named("true", plain("true"))))
    assert read(form, "3") == ("3",)
    assert read(form, "true") == ("true",)
    assert read(Number(0, 5), "3") == (3,)
    assert read(Number(0, 5), "[") is None
