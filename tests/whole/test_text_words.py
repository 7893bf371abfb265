"""What can be typed at the terminal's prompts, in every game: numbers, words of either language, pages, new names."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace
from rich.console import Console

from companion.core.autoplay import next_answer
from companion.core.binder import Binder
from companion.core.entries import Answered
from companion.core.fact_values import fits
from companion.core.forms import Form, ListOf, Maybe, Named, Number, OneOf, SeveralOf, Switch, form_of
from companion.core.game import Setup, game, games
from companion.core.journal import Journal
from companion.core.new_components import unnamed
from companion.core.play import Play
from companion.core.questions import Option, Question
from companion.core.store import Store
from companion.core.words import plain, say
from companion.errors import Ambiguous, Unknown
from companion.games.beyond.component_types import Basic
from companion.terminal.asking import LONGEST, several
from companion.terminal.choosing import MANY, numbered_option, pages
from companion.terminal.fixing import counters_named, examples
from companion.terminal.forms import Filling, told_at_once
from companion.terminal.show import Shower
from companion.terminal.table import TextTable
from companion.texts import LANGUAGES, fold, render


class Desk:
    """A terminal at a table of any game: lines go in, everything shown comes out."""

    def __init__(self, folder: Path, id: str, language: str = "en", **choices: str) -> None:
        self.store, self.language = Store(folder / "journal.db"), language
        setup = Setup(id, ("Ania", "Bartek"), choices)
        self.binder = Binder(self.store)
        self.play = Play.start(game(id), setup, Journal(self.store), self.binder, 1.0)
        self.bots, self.random = game(id).bots(self.play.session.setup, Random(3)), Random(3)
        self.bots.follow(self.play.session.state, self.play.session.state.news)

    def goes_on(self) -> None:
        """Bots give the next answer."""
        self.play.answer(next_answer(self.play.session.state, self.bots, self.random), 2.0)
        self.bots.follow(self.play.session.state, self.play.session.state.news)

    def until(self, slug: str) -> Question:
        """Bots play until this is asked first."""
        while self.play.session.questions()[0].slug != slug:
            self.goes_on()
        return self.play.session.questions()[0]

    def type(self, *lines: str) -> str:
        """Everything shown while these lines are typed, in one line."""
        out, waiting = io.StringIO(), iter(lines)

        def ask(prompt: str) -> str:
            for line in waiting:
                out.write("\n> ")
                return line
            raise EOFError

        shower = Shower(Console(file=out, width=200, highlight=False), self.language)
        with pytest.raises(EOFError):
            TextTable(self.play, shower, ask, lambda: 5.0).run()
        return " ".join(out.getvalue().split())

    def typed(self, line: str) -> str:
        """What this one line leads to."""
        return self.type(line).rpartition("> ")[2]

    @property
    def answered(self) -> str:
        last = self.play.session.last
        assert last is not None
        assert isinstance(last.deed, Answered)
        return last.deed.answer.option


@pytest.fixture
def sit(tmp_path: Path) -> Iterator[type[Desk]]:
    made: list[Desk] = []

    class Here(Desk):
        def __init__(self, id: str, language: str = "en", **choices: str) -> None:
            super().__init__(tmp_path / str(len(made)), id, language, **choices)
            made.append(self)

    yield Here
    for desk in made:
        desk.store.close()


def filled(form: Form, *lines: str, language: str = "en") -> object:
    """What these lines tell into a form; all of them are needed."""
    typed = iter(lines)
    told = Filling(lambda text: next(typed), lambda text: None, language, lambda told: None).fill(
        form, plain("x")
    )
    assert next(typed, None) is None
    return told


# Telling a fact

SURCHARGE = form_of(Basic, "surcharge", "beyond")
"""Research level I, Research level II, Ship, jump 2, Cube and ore."""


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("Ship, jump 2", ["build-jump"]),
        ("ship jump 2", ["build-jump"]),
        ("Ship, jump 2, cube and ore", ["build-jump", "recruit-ore"]),
        ("cube, ship, jump 2", ["recruit-ore", "build-jump"]),
        ("ship cube", ["build-jump", "recruit-ore"]),
        ("3, 4", ["build-jump", "recruit-ore"]),
        ("3 3", ["build-jump", "build-jump"]),
        ("4,3", ["recruit-ore", "build-jump"]),
        ("statek, skok 2", ["build-jump"]),
        ("", []),
        ("nothing", []),
        ("nic", []),
        ("no", []),
    ],
)
def test_a_comma_inside_a_name_does_not_split_it(line: str, told: list[str]) -> None:
    assert isinstance(SURCHARGE, SeveralOf)
    values = {value.value for value in SURCHARGE.values}
    assert set(told) <= values, values
    assert told_at_once(SURCHARGE, line, "en") == told
    assert filled(SURCHARGE, line) == told


def test_the_longest_name_is_meant_and_words_that_fit_several_are_asked_again() -> None:
    named = [(1, plain("Ship")), (2, plain("Ship, jump 2")), (3, plain("Jump 3")), (4, plain("Shipyard"))]
    assert several(named, "ship, jump 2", "en") == [2]
    assert several(named, "ship, jump 3", "en") == [1, 3]
    assert several(named, "jump 3, ship", "en") == [3, 1]
    assert several(named, "2 1", "en") == [2, 1]
    for line, trouble in (("shi", Ambiguous), ("5", Unknown), ("moon", Unknown), ("1 moon", Unknown)):
        with pytest.raises(trouble):
            several(named, line, "en")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("line", "yes"), [("yes", True), ("y", True), ("tak", True), ("T", True), ("no", False), ("nie", False)]
)
def test_yes_and_no_in_both_languages(language: str, line: str, yes: bool) -> None:
    assert told_at_once(Switch(), line, language) is yes
    assert filled(Maybe(Number(0, 9)), line, *("4" if yes else ""), language=language) == (4 if yes else None)


def test_enter_is_done_and_what_may_be_missing_is_told_at_once() -> None:
    assert filled(Maybe(Number(0, 9)), "") is None
    assert filled(Maybe(Number(0, 9)), "7") == 7
    assert filled(ListOf(Switch()), "add", "yes", "dodaj", "nie", "") == [True, False]
    assert filled(ListOf(Number(1, 9)), "3, 4 5") == [3, 4, 5]
    names = OneOf((Named("a", plain("Zółw")), Named("b", plain("Żaba"))))
    assert [filled(names, line) for line in ("2", "zab", "ZOLW")] == ["b", "b", "a"]


def test_values_that_are_numbers_are_told_by_themselves() -> None:
    numbers = OneOf(tuple(Named(n, plain(str(n))) for n in (0, 2, 5)))
    assert [filled(numbers, line) for line in ("0", "2", "5")] == [0, 2, 5]
    with pytest.raises(Unknown):
        told_at_once(numbers, "1", "en")


BAD = ("\x00", "\x1b[2J", "\u202e", "x" * LONGEST, "9" * 400, "-1", "1e9", "²", "½", ",", ", ,", "=", "0")


@pytest.mark.parametrize("line", BAD)
def test_whatever_is_typed_into_a_form_is_told_or_refused(line: str) -> None:
    names = tuple(Named(n, plain(name)) for n, name in enumerate(("Ship", "Ship, jump 2", "Cube")))
    refused: list[str] = []
    for form in (Number(3, 4), Switch(), OneOf(names), SeveralOf(names), ListOf(Number(2, 3))):
        try:
            told = told_at_once(form, line, "pl")
        except (Unknown, Ambiguous) as trouble:
            refused.append(render(trouble.text, "pl"))
        else:
            assert fits(form, told)
            assert told == [] or "2" in fold(line)
    assert all(len(words) < 400 for words in refused)


@pytest.mark.parametrize("id", games())
def test_bad_input_at_a_table_of_any_game_changes_nothing(sit: type[Desk], id: str) -> None:
    desk = sit(id)
    before = desk.play.session
    typed = [
        line for bad in (*BAD, "x" * (LONGEST + 1)) for line in (bad, f"fix {bad} = {bad}", f"undo {bad}")
    ]
    shown = desk.type(*typed)
    assert desk.play.session is before
    assert "\x1b[2J" not in shown
    assert "\x00" not in shown


def test_the_input_may_end_at_any_prompt(sit: type[Desk]) -> None:
    desk = sit("frontiers")
    desk.until("frontiers.home")
    for lines in (("Jaskinia",), ("1", ""), ("", "", "1")):
        desk.type(*lines)
    assert "Jaskinia" not in desk.binder.facts("frontiers").values()


# Help


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("id", games())
def test_every_example_of_the_help_is_taken_and_is_of_the_game_that_is_played(
    sit: type[Desk], id: str, language: str
) -> None:
    desk = sit(id, language)
    shown = 0
    while not desk.play.session.counters():
        desk.goes_on()
    for answers in (4, 25):
        for _ in range(answers):
            desk.goes_on()
        offered = examples(desk.play.session, language)
        fix = render(say("ui.word-fix"), language)
        said = desk.typed({"en": "help", "pl": "pomoc"}[language])
        mistyped = desk.typed(f"{fix} no such thing = 1")
        for example in offered:
            assert " ".join(example.split()) in mistyped, (
                "what cannot be set is answered with this game's, too"
            )
            assert f"{fix} {' '.join(example.split())}" in said
            before = desk.play.session
            desk.type(f"{fix} {example}", "undo")
            assert len(desk.play.session.story()) == len(before.story())
            assert desk.play.session is not before, f"{example} was not taken"
            shown += 1
    assert shown >= 6


def test_fix_means_whole_words_first(sit: type[Desk]) -> None:
    """Ania is not Hania."""
    desk = sit("beyond")
    setup = Setup("beyond", ("Hania", "Ania"))
    desk.play = Play.start(game("beyond"), setup, Journal(desk.store), desk.binder, 1.0)
    desk.bots = game("beyond").bots(desk.play.session.setup, desk.random)
    desk.until("beyond.action")
    found = [render(one.text, "en") for one in counters_named(desk.play.session, "ania column", "en")]
    assert len(found) > 1
    assert not any("Hania" in name for name in found)


def test_fix_understands_both_languages_whatever_the_table_speaks(sit: type[Desk]) -> None:
    for language in LANGUAGES:
        desk = sit("beyond", language)
        desk.until("beyond.action")
        desk.type("fix ore ania = 9")
        assert desk.play.session.state.seats[0].ore == 9
        desk.type("popraw RUDA ania = 8")
        assert desk.play.session.state.seats[0].ore == 8


# Lists


def question(options: int, *, default: bool = True) -> Question:
    cards = [Option(f"c{n}", plain(f"Card {n}"), component=f"c{n}") for n in range(options)]
    return Question("x", 0, plain("?"), (Option("nothing", plain("Nothing")), *cards), has_default=default)


def test_more_than_fourteen_options_leaf_and_nothing_is_on_every_page() -> None:
    leaves = pages(question(40))
    assert [len(leaf) for leaf in leaves] == [14, 14, 14, 2]
    assert all(leaf[0] == 0 for leaf in leaves)
    assert sorted({n for leaf in leaves for n in leaf}) == list(range(41))
    assert pages(question(13)) == (tuple(range(14)),)


@pytest.mark.parametrize("id", games())
def test_every_option_of_every_game_is_on_a_page_and_what_is_no_card_on_all(sit: type[Desk], id: str) -> None:
    desk, many = sit(id), 0
    while not desk.play.session.over and desk.play.session.entries < 120:
        for asked in desk.play.session.questions():
            leaves = pages(asked)
            assert {n for leaf in leaves for n in leaf} == set(range(len(asked.options)))
            if len(leaves) > 1:
                many += 1
                assert max(map(len, leaves)) <= MANY
                first = asked.options[0]
                if asked.has_default and first.component is None:
                    assert all(0 in leaf for leaf in leaves)
        desk.goes_on()
    assert many


def test_next_shows_the_next_page_and_the_first_after_the_last(sit: type[Desk]) -> None:
    desk = sit("frontiers", "pl")
    asked = desk.until("frontiers.home")
    names = [render(option.text, "pl") for option in asked.options]
    assert len(names) > MANY
    first, second = desk.typed("list"), desk.type("list", "dalej").rpartition("> ")[2]
    assert names[0] in first
    assert names[-1] not in first
    assert names[-1] in second
    assert names[0] in desk.type("next", "więcej").rpartition("> ")[2]
    desk.type(str(len(names)))
    assert desk.answered == asked.options[-1].id


def test_none_left_stays_in_sight(sit: type[Desk]) -> None:
    desk = sit("transgalactica")
    asked = desk.until("transgalactica.space-token")
    nothing = render(next(option.text for option in asked.options if option.component is None), "en")
    assert nothing in desk.typed("list")
    many = question(40, default=False)
    last = replace(many, options=(*many.options[1:], many.options[0]))
    assert len(pages(last)) > 1
    assert all(len(last.options) - 1 in leaf for leaf in pages(last))


def test_behind_a_working_name_stands_what_is_known_of_the_thing(sit: type[Desk]) -> None:
    desk = sit("transgalactica")
    desk.until("transgalactica.laid-mission")
    shown = desk.typed("list")
    assert "Mission I-2 level I war mission; military 1; energy 2 →" in shown


def test_the_side_of_a_home_is_told_by_its_own_name(sit: type[Desk]) -> None:
    desk = sit("frontiers")
    desk.until("frontiers.home")
    assert "Home 1, white square home, white square 1 2 Home 1, other side home, other side 1" in desk.typed(
        "list"
    )


def test_options_called_by_numbers_are_told_by_these() -> None:
    points = tuple(Option(f"worth-{n}", plain(str(n))) for n in range(40))
    asked = Question("x", 0, plain("?"), (*points, Option("no", plain("None of these"))))
    assert numbered_option(asked, "5").id == "worth-5"
    assert pages(asked) == (tuple(range(41)),)
    for line in ("40", "41", "9" * 50):
        with pytest.raises(Unknown):
            numbered_option(asked, line)


# Words


@pytest.mark.parametrize("line", ["Jasna Gwiazda", "Świetlisty Świat"])
def test_a_component_nobody_has_named_is_begun_by_its_name(sit: type[Desk], line: str) -> None:
    desk = sit("frontiers", "pl")
    asked = desk.until("frontiers.home")
    shown = desk.type(line, "tak")
    assert render(say("ui.new-one", words=line, sorts=(say("frontiers.sort.home"),)), "pl") in shown
    assert desk.play.session.last is not None
    assert f"{asked.options[0].id}.name.pl" in desk.binder.facts("frontiers")
    assert line in desk.binder.facts("frontiers").values()
    assert asked.options[0].id in [
        deed.answer.option
        for moment in desk.play.session.moments[1:]
        if isinstance(deed := moment.entry.deed, Answered)
    ]


@pytest.mark.parametrize(("language", "new"), [("en", "New tile"), ("pl", "nowy kafelek")])
@pytest.mark.parametrize("name", ["Jasna Gwiazda", ""])
def test_a_new_tile_is_named_or_left_open(sit: type[Desk], language: str, new: str, name: str) -> None:
    desk = sit("frontiers", language)
    asked = desk.until("frontiers.take-world")
    assert asked.seat is not None
    shown = desk.type("list", "next", new, name)
    assert "W 9" not in shown
    assert "World 9" not in shown.partition(render(say("ui.name-tile-typed"), language))[0]
    assert desk.play.session.state.seats[asked.seat].explored[-1] == "world-9"
    told = {f"world-9.name.{language}": name} if name else {}
    assert {key: value for key, value in desk.binder.facts("frontiers").items() if "name" in key} == told


def test_a_component_of_which_something_is_known_gets_no_other_ones_name(sit: type[Desk]) -> None:
    desk = sit("transgalactica", "pl")
    desk.until("transgalactica.laid-mission")
    assert render(say("core.unknown-component", id="Tajna narada"), "pl") in desk.typed("Tajna narada")
    token = desk.until("transgalactica.space-token")
    assert unnamed(desk.play.session, token, "Kometa")
    assert not unnamed(desk.play.session, token, "x" * 200)


@pytest.mark.parametrize("said", ["", "no", "nie"])
def test_a_name_nobody_confirms_is_none(sit: type[Desk], said: str) -> None:
    desk = sit("frontiers")
    desk.until("frontiers.home")
    before = desk.play.session
    desk.type("Jasna Gwiazda", said)
    assert desk.play.session is before


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_word_of_another_question_is_answered_with_the_reason(sit: type[Desk], language: str) -> None:
    desk = sit("race", language)
    desk.type("new sparta", "old earth")
    for line in ("rozwoj", "Develop", "rozwój"):
        shown = desk.type("undo 2", "redo 2", "4", "4", line, "undo 2").partition("> ")[2]
        assert render(say("race.why.place-a-card"), language) in shown, line
    desk = sit("beyond", language)
    first = desk.until("beyond.action")
    option = next(o for o in first.options if o.component is None)
    words = render(option.text, language)
    desk.type(words)
    assert desk.play.session.questions()[0].slug != "beyond.action"
    where = render(say("ui.offered-elsewhere", words=words, question=first.text), language)
    assert where in desk.type("undo", words, words)


def test_a_phase_that_is_not_on_is_answered_with_when(sit: type[Desk]) -> None:
    desk = sit("eclipse", "pl")
    for line, phase in (("walka", "eclipse.phase.combat"), ("utrzymanie", "eclipse.phase.upkeep")):
        assert render(say("ui.another-phase", phase=say(phase)), "pl") in desk.typed(line)


@pytest.mark.parametrize("line", ["develop", "rozwoj technologii", "Rozwój Technologii"])
def test_an_action_tile_out_of_its_time_is_answered_by_the_rule(sit: type[Desk], line: str) -> None:
    """In either language, as if the tile were scanned."""
    desk = sit("frontiers", "pl")
    desk.until("frontiers.home")
    assert render(say("frontiers.why.not-a-home"), "pl") in desk.typed(line)


@pytest.mark.parametrize("language", ["en", "pl"])
@pytest.mark.parametrize(
    "line", ["Postępowi Hydranie", "postepowi hydranie", "hydran progress", "Hydranie", "hydran"]
)
def test_a_printed_name_is_understood_in_either_language(sit: type[Desk], language: str, line: str) -> None:
    desk = sit("eclipse", language)
    asked = desk.until("eclipse.species")
    assert asked.seat is not None
    desk.type(line)
    assert desk.play.session.state.seats[asked.seat].species == "hydran-progress"


def test_a_misspelt_option_is_answered_with_the_nearest(sit: type[Desk]) -> None:
    desk = sit("race")
    assert "Did you mean Old Earth?" in desk.typed("old erth")


@pytest.mark.parametrize("line", ["h2b", "H 2B", "h  2b"])
def test_blanks_in_a_name_may_be_left_out(sit: type[Desk], line: str) -> None:
    desk = sit("frontiers", "pl")
    asked = desk.until("frontiers.home")
    assert asked.seat is not None
    desk.type(line)
    assert desk.play.session.state.seats[asked.seat].home == "home-2b"


@pytest.mark.parametrize("line", ["no", "yes", "Tak", "nie"])
@pytest.mark.parametrize(("id", "slug"), [("frontiers", "frontiers.home"), ("race", "race.start-world")])
def test_yes_and_no_name_nothing(sit: type[Desk], id: str, slug: str, line: str) -> None:
    """They are neither taken for the name of a new component nor for the beginning of one that lies elsewhere."""
    desk = sit(id)
    asked = desk.play.session.asked(desk.until(slug))
    assert render(say("ui.no-yes-or-no", question=asked), "en") in desk.typed(line)


def test_nothing_stands_twice_behind_an_option(sit: type[Desk]) -> None:
    desk = sit("frontiers")
    desk.until("frontiers.action")
    shown = desk.type("list")
    assert "Retreat into Isolation credits +2 2 Develop cost of a development −1 3" in shown
    desk = sit("beyond")
    desk.until("beyond.board")
    assert "Tabernakulum faction ore +1 ship Deep Space" in desk.type("list")


def test_options_are_named_in_either_language(sit: type[Desk]) -> None:
    for language, line in (("en", "badanie"), ("pl", "research level i")):
        desk = sit("beyond", language)
        asked = desk.until("beyond.action")
        named = [o for o in asked.options if render(o.text, "en") == "Research level I"]
        assert named, [render(o.text, "pl") for o in asked.options]
        line = render(named[0].text, "pl" if language == "en" else "en").lower()
        desk.type(line)
        assert desk.answered == named[0].id


# Names of either language


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("id", "slug", "words", "chosen"),
    [
        ("beyond", "beyond.which-system", "Syriusz", "sirius"),
        ("beyond", "beyond.which-system", "syriusz", "sirius"),
        ("beyond", "beyond.which-system", "Sirius", "sirius"),
        ("beyond", "beyond.which-system", "gwiazda barnarda", "barnards-star"),
        ("beyond", "beyond.lay-achievement", "Wydajnosc", "efficiency"),
        ("beyond", "beyond.lay-achievement", "efficiency", "efficiency"),
        ("beyond", "beyond.board", "nishida-ostergaard", "nishida"),
        ("transgalactica", "transgalactica.planet", "zolta dzika planeta", "yellow-wild"),
        ("transgalactica", "transgalactica.planet", "Yellow wild planet", "yellow-wild"),
    ],
)
def test_a_printed_name_of_either_language_is_an_answer(
    sit: type[Desk], language: str, id: str, slug: str, words: str, chosen: str
) -> None:
    """Whatever the language of the table, with or without diacritics; an id with blanks will do as well."""
    desk = sit(id, language)
    question = desk.until(slug)
    assert chosen in {option.id for option in question.options}
    desk.typed(words)
    assert desk.answered == chosen


def test_two_components_of_one_name_are_refused_by_the_rule(sit: type[Desk]) -> None:
    """A technology of Eclipse and the ship part it brings are called the same: nobody can say which is meant."""
    desk = sit("eclipse", "pl")
    desk.until("eclipse.turn")
    assert "może oznaczać" not in desk.typed("dzialo plazmowe")


def test_another_sort_of_component_is_refused_as_such(sit: type[Desk]) -> None:
    """The reason is true of what was named: a system is nobody's faction."""
    desk = sit("beyond", "pl")
    desk.until("beyond.board")
    assert desk.typed("Syriusz") == "To nie jest planszetka frakcji, którą można tu wziąć."


@pytest.mark.parametrize("language", LANGUAGES)
def test_help_fits_a_terminal_of_80_columns(language: str) -> None:
    help = render(say("ui.help", fixing=say("ui.fix-example", fix="x", what="y")), language)
    assert max(map(len, help.splitlines())) < 80


@pytest.mark.parametrize("words", ["Porucznik", "porucznik", "Lieutenant"])
def test_either_name_of_an_ability_is_an_answer(sit: type[Desk], words: str) -> None:
    desk = sit("transgalactica", "en")
    while "lieutenant" not in {option.id for option in desk.play.session.questions()[0].options}:
        desk.goes_on()
    desk.typed(words)
    assert desk.answered == "lieutenant"


def test_several_picks_are_typed_in_one_line_by_what_is_in_sight(sit: type[Desk]) -> None:
    """Numbers mean the list that was shown, also when it has become shorter meanwhile."""
    desk = sit("transgalactica", "pl")
    asked = desk.until("transgalactica.laid-technology")
    wanted = [asked.options[n].id for n in (0, 3, 1)]
    third = render(asked.options[1].text, "pl")
    assert render(say("ui.several-typed"), "pl") in desk.type(f"1, 4,{third}")
    answers = [m.entry.deed.answer.option for m in desk.play.session.moments[-3:] if m.entry is not None]
    assert answers == wanted


def test_of_several_picks_none_is_taken_if_one_is_no_name_and_none_after_one_that_is_gone(
    sit: type[Desk],
) -> None:
    desk = sit("transgalactica")
    asked = desk.until("transgalactica.laid-technology")
    before = desk.play.session
    desk.type("1, nonsense")
    assert desk.play.session is before
    name = asked.options[0].text
    assert render(say("ui.not-picked", names=(name, asked.options[1].text)), "en") in desk.type("1, 1, 2")
    assert len(desk.play.session.moments) == len(before.moments) + 1


def test_where_one_answer_is_asked_for_a_comma_is_part_of_a_name(sit: type[Desk]) -> None:
    desk = sit("race")
    assert render(say("ui.several-typed"), "en") not in desk.type("list")
    before = desk.play.session
    desk.type("1, 2")
    assert desk.play.session is before
