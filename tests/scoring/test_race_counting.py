"""The scoring rules one by one, and properties of every table."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from companion.games.race.cards import deck
from scoring.race import Card, Match, Seat, Term, score
from scoring.sheet import Line, SeatSheet

CARDS = [card.for_scoring for card in deck("first")]


def table(*ids: str, chips: int = 0, goods: int = 0, hand: int = 0, edition: str = "first") -> SeatSheet:
    cards = tuple(deck(edition)[id].for_scoring for id in ids)
    return score((Seat("Ania", cards, goods, chips, hand),)).seats[0]


def last(*ids: str, chips: int = 0, goods: int = 0, edition: str = "first") -> Line:
    return table(*ids, chips=chips, goods=goods, edition=edition).lines[-1]


def test_chips_come_first_then_the_tableau_in_its_order() -> None:
    lines = table("old-earth", "destroyed-world", "gem-world", chips=9).lines
    assert lines == (
        Line("chips", 9, {}, {"chips": 9}),
        Line("old-earth", 2, {"old-earth": 2}),
        Line("destroyed-world", 0, {"destroyed-world": 0}),
        Line("gem-world", 1, {"gem-world": 1}),
    )


def test_a_six_cost_development_counts_itself() -> None:
    line = last("old-earth", "public-works", "trade-league", "galactic-federation")
    assert line.because == {"public-works": 1, "trade-league": 2, "galactic-federation": 2}
    assert line.points == 5


def test_the_first_fitting_term_counts_and_no_other() -> None:
    line = last("new-sparta", "rebel-base", "galactic-imperium")
    assert line.because == {"new-sparta": 1, "rebel-base": 2}
    # A genes world earns 2, even if it is military as well.
    line = last("rebel-warrior-race", "rebel-base", "contact-specialist", "pan-galactic-league")
    assert line.because == {"rebel-warrior-race": 2, "rebel-base": 1, "contact-specialist": 3}
    # An Alien production world has the keyword too, but earns only 3.
    line = last("alien-robotic-factory", "alien-rosetta-stone-world", "alien-tech-institute")
    assert line.because == {
        "alien-robotic-factory": 3,
        "alien-rosetta-stone-world": 2,
        "alien-tech-institute": 2,
    }


def test_galactic_renaissance_rounds_chips_down() -> None:
    line = last("old-earth", "artist-colony", "galactic-renaissance", chips=11)
    assert line == Line("galactic-renaissance", 6, {"artist-colony": 3}, {"chips": 11})


def test_new_galactic_order_takes_negative_military_and_may_fall_below_zero() -> None:
    assert last("new-sparta", "new-galactic-order").measures == {"military": 4}
    weak = ("refugee-world", "empath-world", "contact-specialist", "pan-galactic-league")
    line = last("old-earth", *weak, "new-galactic-order")
    assert line == Line("new-galactic-order", -2, {}, {"military": -2})


def test_special_and_temporary_military_do_not_count() -> None:
    line = last("alpha-centauri", "new-military-tactics", "galactic-imperium", "new-galactic-order")
    assert line.points == 2


def test_trade_powers_are_no_consume_powers() -> None:
    line = last("old-earth", "space-port", "export-duties", "public-works", "new-economy")
    assert line.because == {"old-earth": 1, "public-works": 2, "new-economy": 2}


def test_what_the_second_edition_prints_differently() -> None:
    def second(*ids: str, goods: int = 0) -> Line:
        return last(*ids, goods=goods, edition="second")

    assert (last("bio-hazard-mining-world").points, second("bio-hazard-mining-world").points) == (2, 0)
    assert (last("black-market-trading-world").points, second("black-market-trading-world").points) == (2, 1)
    outlaws = ("outlaw-world", "new-galactic-order")
    assert (last(*outlaws).points, second(*outlaws).points) == (2, 3)
    guild = ("gem-world", "merchant-guild")
    assert last(*guild, goods=1) == Line("merchant-guild", 2, {"gem-world": 2})
    assert second(*guild, goods=1) == Line("merchant-guild", 3, {"gem-world": 2}, {"goods": 1})


def test_a_term_may_give_several_points_per_measure() -> None:
    made_up = Card(id="made-up", kind="development", terms=(Term(2, per="chips", divisor=4),))
    assert score((Seat("Ania", (made_up,), 0, 11, 0),)).seats[0].total == 15


def test_a_term_without_conditions_counts_every_card() -> None:
    made_up = Card(id="made-up", kind="development", terms=(Term(1, each=Match()),))
    world = Card(id="world", kind="world", points=3)
    assert score((Seat("Ania", (made_up, world), 0, 0, 0),)).seats[0].total == 5


def seat(name: str, total: int, hand: int, goods: int) -> Seat:
    return Seat(name, (), goods, total, hand)


def test_the_tie_break_adds_hand_and_goods() -> None:
    sheet = score((seat("Ania", 20, 3, 2), seat("Ola", 20, 0, 6), seat("Jan", 19, 10, 9)))
    assert sheet.winners == ("Ola",)
    assert sheet.tied == ("Ania", "Ola")
    assert [s.rank for s in sheet.seats] == [2, 1, 3]
    assert [s.tie for s in sheet.seats] == [(5,), (6,), (19,)]


def test_still_equal_is_a_shared_victory() -> None:
    sheet = score(
        (seat("Ania", 20, 3, 2), seat("Ola", 20, 5, 0), seat("Jan", 20, 1, 0), seat("Ewa", 9, 0, 0))
    )
    assert sheet.winners == ("Ania", "Ola")
    assert sheet.tied == ("Ania", "Ola", "Jan")
    assert [s.rank for s in sheet.seats] == [1, 1, 3, 4]


def test_a_clear_victory_is_no_tie() -> None:
    assert score((seat("Ania", 20, 0, 0), seat("Ola", 19, 0, 0), seat("Jan", 19, 0, 0))).tied == ()


@st.composite
def tables(draw: st.DrawFn) -> tuple[Seat, ...]:
    return tuple(
        Seat(
            name,
            tuple(draw(st.lists(st.sampled_from(CARDS), max_size=13, unique_by=lambda card: card.id))),
            draw(st.integers(0, 5)),
            draw(st.integers(0, 3)),
            draw(st.integers(0, 3)),
        )
        for name in draw(st.sampled_from(["AB", "ABC", "ABCD"]))
    )


@given(tables())
def test_lines_add_up_and_every_point_has_a_reason(seats: tuple[Seat, ...]) -> None:
    for before, sheet in zip(seats, score(seats).seats, strict=True):
        assert sheet.total == sum(line.points for line in sheet.lines)
        assert [line.what for line in sheet.lines] == ["chips", *(card.id for card in before.tableau)]
        for line in sheet.lines:
            assert line.measures or line.points == sum(line.because.values())
            assert line.because.keys() <= {card.id for card in before.tableau}


@given(tables())
def test_places_agree_with_totals_and_tie_breaks(seats: tuple[Seat, ...]) -> None:
    sheet = score(seats)
    for one in sheet.seats:
        assert one.rank == 1 + sum((s.total, s.tie) > (one.total, one.tie) for s in sheet.seats)
    assert sheet.winners == tuple(s.name for s in sheet.seats if s.rank == 1)
    assert set(sheet.winners) <= set(sheet.tied or sheet.winners)


@given(tables(), st.permutations(range(4)))
def test_who_sits_where_changes_nothing(seats: tuple[Seat, ...], order: list[int]) -> None:
    order = [i for i in order if i < len(seats)]
    straight, mixed = score(seats), score(tuple(seats[i] for i in order))
    assert mixed.seats == tuple(straight.seats[i] for i in order)
    assert set(mixed.winners) == set(straight.winners)
    assert set(mixed.tied) == set(straight.tied)


@given(tables(), st.integers(1, 5))
def test_more_chips_never_cost_points(seats: tuple[Seat, ...], more: int) -> None:
    first = seats[0]
    richer = Seat(first.name, first.tableau, first.goods, first.chips + more, first.hand)
    assert score((richer, *seats[1:])).seats[0].total >= score(seats).seats[0].total + more
