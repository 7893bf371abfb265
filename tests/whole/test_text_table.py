"""The text table, driven by typed lines: what it asks, accepts, refuses, keeps secret and saves."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import pytest
from rich.console import Console

from companion.core.autoplay import next_answer
from companion.core.binder import Binder
from companion.core.entries import Answered
from companion.core.game import Setup, game
from companion.core.journal import Journal
from companion.core.play import Play
from companion.core.questions import Answer, Question
from companion.core.store import Store
from companion.core.words import Text, count, of_seat, plain, say
from companion.errors import StorageTrouble
from companion.games.race.cards import everything as race_box
from companion.terminal.any_time_commands import Quit
from companion.terminal.show import Shower
from companion.terminal.table import TextTable
from companion.texts import render

RACE = game("race")


class Desk:
    """A terminal without a terminal: lines go in, what is shown after each of them comes out."""

    def __init__(
        self,
        folder: Path,
        *seats: str,
        language: str = "en",
        terminal: bool = False,
        number: int | None = None,
        **choices: str,
    ) -> None:
        self.store = Store(folder / "journal.db")
        self.journal = Journal(self.store)
        binder = Binder(self.store)
        self.now = 1000.0
        if number is None:
            setup = Setup("race", seats or ("Ania", "Bartek"), choices)
            self.play = Play.start(RACE, setup, self.journal, binder, self.now)
        else:
            self.play = Play.resume(number, self.journal, binder)
        self.shown = io.StringIO()
        self.language = language
        self.console = Console(file=self.shown, width=200, force_terminal=terminal, highlight=False)
        self.prompts: list[str] = []

    def run(self, ask: Callable[[str], str]) -> None:
        """Play until `ask` has had enough."""
        TextTable(self.play, Shower(self.console, self.language), ask, lambda: self.now).run()

    def type(self, *lines: str) -> list[str]:
        """What is shown before the first line and after each one; then the input ends."""
        parts: list[str] = []
        waiting = iter(lines)

        def ask(prompt: str) -> str:
            self.prompts.append(prompt)
            parts.append(self._since())
            for line in waiting:
                return line
            raise EOFError

        with pytest.raises(EOFError):
            self.run(ask)
        return parts

    def typed(self, line: str) -> str:
        """What is shown after this one line."""
        return self.type(line)[1]

    def _since(self) -> str:
        shown = self.shown.getvalue()
        self.shown.seek(0)
        self.shown.truncate()
        return shown

    @property
    def question(self) -> Question:
        return self.play.session.questions()[0]

    def news(self) -> list[str]:
        """Everything told after the last answer."""
        return [flat(render(item.text, self.language)) for item in self.play.session.state.news]


def flat(shown: str) -> str:
    """The same in one line, without the frames."""
    return " ".join(shown.replace("│", " ").split())


def en(key: str, **arguments: int | str | Text | tuple[Text, ...]) -> str:
    return flat(render(say(key, **arguments), "en"))


def some(key: str, n: int, **arguments: int | str | Text | tuple[Text, ...]) -> str:
    return flat(render(count(key, n, **arguments), "en"))


def named(*names: str) -> tuple[Text, ...]:
    return tuple(plain(name) for name in names)


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    """A play of Ania (New Sparta) and Bartek (Old Earth), about to choose actions."""
    desk = Desk(tmp_path)
    desk.type("new sparta", "old earth")
    with desk.store:
        yield desk


def seat(desk: Desk, index: int) -> object:
    return desk.play.session.state.seats[index]


# A round


def test_a_round_with_numbers_names_and_enter(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    shown = [flat(part) for part in desk.type("4", "OLD ear", "settle", "4", "gem world", "")]
    first, second = desk.play.session.state.seats
    assert first.tableau == ("new-sparta", "gem-world")
    assert second.tableau == ("old-earth",)
    assert (first.hand, second.hand) == (2, 4)
    assert desk.play.session.state.round == 2
    assert en("core.of-seat", seat="Ania", text=say("race.ask.start-world")) in shown[0]
    assert "4 New Sparta" in shown[0]
    assert en("core.of-seat", seat="Bartek", text=say("race.ask.start-world")) in shown[1]
    assert some("race.deal", 6) in shown[2]
    assert en("ui.ready", seat="Ania") in shown[3]
    for name in ("Ania", "Bartek"):
        assert (
            en(
                "core.of-seat",
                seat=name,
                text=count("race.reveals", 1, what=(race_box("first")["settle"].called,)),
            )
            in shown[4]
        )
    assert en("race.place-nothing") + " ⏎" in shown[4]
    assert en("core.of-seat", seat="Ania", text=count("race.reveals", 1, what=named("Gem World"))) in shown[6]
    assert en("ui.round", n=2) in shown[6]
    assert desk.prompts == ["> "] * 7


def test_all_that_people_have_to_do_is_told_after_every_answer(desk: Desk) -> None:
    for line in ("settle", "develop", "public works", "", "gem world", ""):
        shown = flat(desk.typed(line))
        assert all(told in shown for told in desk.news()), line
    assert len(desk.news()) == 3


def test_every_line_that_changes_the_table_is_one_entry(desk: Desk) -> None:
    desk.type("settle", "fix chips ania = 3", "undo", "redo", "history", "score", "clock", "help", "nonsense")
    deeds = [type(moment).__name__ for moment in desk.journal.entries(1)]
    assert len(deeds) == 6
    desk.type("pause", "")
    assert len(desk.journal.entries(1)) == 8


def given(desk: Desk) -> list[str]:
    """Every answer somebody gave; what left no choice came along."""
    entries = [moment.entry for moment in desk.play.session.moments[1:]]
    return [entry.deed.answer.option for entry in entries if not entry.same_deed]


def test_a_whole_game_by_typing_every_kind_of_answer(tmp_path: Path) -> None:
    """Whatever is offered can be typed: by its number, or by its words."""
    desk, random = Desk(tmp_path, "Ania", "Bartek", "Celina"), Random(11)
    meant: list[str] = []

    def ask(prompt: str) -> str:
        assert len(given(desk)) == len(meant)
        if desk.play.session.over:
            return ""
        question = desk.question
        number = random.randrange(len(question.options))
        meant.append(question.options[number].id)
        words = render(question.options[number].text, "en")
        if random.random() < 0.7:
            return str(number + 1)
        alike = [o for o in question.options if render(o.text, "en").casefold() == words.casefold()]
        if len(alike) > 1:
            return str(number + 1)
        return random.choice((words, words.upper(), f"  {words.lower()} "))

    with desk.store:
        desk.run(ask)
        assert desk.journal.plays()[0].finished == 1000.0
    assert given(desk) == meant
    assert len(meant) > 60
    shown = flat(desk.shown.getvalue())
    assert en("ui.packing") in shown
    sheet = RACE.sheet(desk.play.session.state)
    places = shown[shown.rindex("1. ") :]
    for name in sheet.winners:
        assert name in places
    for row in sheet.seats:
        assert f"{row.rank}. {row.name} {row.total}" in places


def test_a_round_in_polish(tmp_path: Path) -> None:
    desk = Desk(tmp_path, language="pl")
    action = render(race_box("first")["settle"].called, "pl")
    with desk.store:
        shown = desk.type(
            "new sparta", "1", action, "7", "cofnij", "ponów", "historia", "wynik", "czas", "pomoc"
        )
    everything = flat("".join(shown))
    told = [
        ("ui.help-exists", {}),
        ("race.phase.settle", {}),
        ("ui.ready", {"seat": "Ania"}),
        ("ui.round", {"n": 1}),
    ]
    for key, arguments in told:
        assert flat(render(say(key, **arguments), "pl")) in everything
        assert en(key, **arguments) not in everything
    assert "race." not in everything
    assert "ui." not in everything
    assert desk.play.session.state.revealed


def test_polish_letters_may_be_typed_without_their_marks(tmp_path: Path) -> None:
    desk = Desk(tmp_path, "Łucja", "Żaneta", language="pl")
    with desk.store:
        desk.type("new sparta", "old earth", "popraw zetony lucja = 3")
    assert desk.play.session.state.seats[0].chips == 3


# What is not taken


HOW = en(
    "ui.how-to-fix",
    examples=named(
        "fix hand of ania = 5",
        "fix chips of ania = 1",
        "fix tableau of ania epsilon eridani = 1",
        "fix new sparta defence = 2",
    ),
)
REFUSED = {
    "": en("core.no-default", question=of_seat("Ania", say("race.ask.action"))),
    "0": some("ui.no-such-number", 7, number="0"),
    "8": some("ui.no-such-number", 7, number="8"),
    "explore": some(
        "core.several-components",
        2,
        words="explore",
        names=(race_box("first")["explore-5"].called, race_box("first")["explore-1-1"].called),
    ),
    "gem world": en("race.why.choose-action"),
    "new sparta": en("ui.lies-there", name="New Sparta"),
    "moon base": en("core.unknown-component", id="moon base"),
    "-1": en("core.unknown-component", id="-1"),
    "?!": en("core.unknown-component", id="?!"),
    "score please": en("ui.did-you-mean", words="score please", command="score"),
    "redo": some("core.nothing-to-redo", 0),
    "undo 9": some("core.nothing-to-undo", 2),
    "undo 0": some("core.nothing-to-undo", 2),
    "fix": HOW,
    "fix chips ania": HOW,
    "fix chips ania = many": HOW,
    "fix chips ania =": HOW,
    "fix chips ola = 1": en("ui.fix-unknown", words="chips ola", how=plain(HOW)),
    "fix chips = 1": some(
        "core.several-components",
        2,
        words="chips",
        names=(say("race.counter.chips", seat="Ania"), say("race.counter.chips", seat="Bartek")),
    ),
    "fix chips ania = 99": en(
        "core.counter-bounds", counter=say("race.counter.chips", seat="Ania"), value=99, low="0", high="24"
    ),
    "fix chips ania = -1": en(
        "core.counter-bounds", counter=say("race.counter.chips", seat="Ania"), value=-1, low="0", high="24"
    ),
}


@pytest.mark.parametrize("line", REFUSED)
def test_a_line_that_is_not_taken_says_why_and_changes_nothing(desk: Desk, line: str) -> None:
    before = desk.play.session
    assert flat(desk.typed(line)) == REFUSED[line]
    assert desk.play.session is before
    assert len(desk.journal.entries(1)) == 2


@pytest.mark.parametrize(
    ("line", "parts"),
    [
        ("galactic trendsetters", ("Galactic Trendsetters", "5", "3")),
        ("rebel base", ("Rebel Base", "6", "New Sparta +2")),
        ("public works", (en("race.why.not-a-world", card="Public Works"),)),
        ("settle", (en("race.why.place-a-card"),)),
        ("99", ("There is no option 99",)),
    ],
)
def test_a_card_that_cannot_be_placed_is_refused_with_the_reason_of_the_rule(
    desk: Desk, line: str, parts: tuple[str, ...]
) -> None:
    desk.type("settle", "settle")
    assert desk.question.slug == "race.place"
    before = desk.play.session
    shown = flat(desk.typed(line))
    assert all(part in shown for part in parts), shown
    assert desk.play.session is before


def test_part_of_a_name_is_enough_if_it_fits_one_card(desk: Desk) -> None:
    desk.type("settle", "settle")
    several = flat(desk.typed("world"))
    assert "Gem World" in several
    assert "Mining World" in several
    assert desk.question.seat == 0
    desk.type("gem wor")
    assert desk.play.session.last.deed.answer.option == "gem-world"


def test_common_words_play_no_card_and_only_beginnings_of_words_fit(desk: Desk) -> None:
    desk.type("develop", "develop")
    assert desk.question.slug == "race.place"
    before = desk.play.session
    listed = flat(desk.typed("list"))
    assert flat(render(before.asked(desk.question), "en")) in listed
    refused = flat(desk.typed("ecialist"))
    assert en("core.unknown-component", id="ecialist") in refused
    assert desk.play.session is before
    desk.type("specialist")
    assert desk.play.session.last.deed.answer.option == "contact-specialist"


@pytest.mark.parametrize(("line", "meant"), [("udno", "undo"), ("histroy", "history"), ("pomc", "pomoc")])
def test_a_mistyped_command_is_answered_with_the_nearest(desk: Desk, line: str, meant: str) -> None:
    assert en("ui.did-you-mean", words=line, command=meant) in flat(desk.typed(line))


def test_a_whole_name_wins_over_being_part_of_others(tmp_path: Path) -> None:
    """Somebody calls a seat like a part of another: the words of the counter still say which is meant."""
    desk = Desk(tmp_path, "Ania", "Hania")
    with desk.store:
        desk.type("new sparta", "old earth", "fix chips ania = 2", "fix chips hania = 1")
    assert [seat.chips for seat in desk.play.session.state.seats] == [2, 1]


@pytest.mark.parametrize(
    "line",
    [
        "fix chips ania = --5",
        "9" * 5000,
        "undo " + "9" * 5000,
        "redo " + "9" * 5000,
        "fix chips ania = " + "9" * 5000,
    ],
    ids=["two signs", "number", "undo", "redo", "fix"],
)
def test_no_number_is_too_strange(desk: Desk, line: str) -> None:
    before = desk.play.session
    desk.type(line)
    assert desk.play.session is before


# Words that work at any time


def test_undo_says_what_is_taken_back_and_asks_again(desk: Desk) -> None:
    story = desk.play.session.story()
    shown = flat(desk.typed("undo 2"))
    for sentence in story:
        assert en("ui.takes-back", what=sentence) in shown
    assert "4 New Sparta" in shown
    assert seat(desk, 0).tableau == ()
    desk.type("redo")
    assert seat(desk, 0).tableau == ("new-sparta",)
    assert seat(desk, 1).tableau == ()
    desk.type("r")
    assert seat(desk, 1).tableau == ("old-earth",)
    desk.type("u")
    assert seat(desk, 1).tableau == ()


def test_fix_sets_a_counter_by_its_words(desk: Desk) -> None:
    shown = desk.type("fix chips ania = 3", "fix bartek hand=7", "FIX tableau ania gem world = 1")
    desk.type("fix good gem world ania = 1")
    first, second = desk.play.session.state.seats
    assert (first.chips, second.hand) == (3, 7)
    assert first.tableau == ("new-sparta", "gem-world")
    assert first.goods == ("gem-world",)
    assert en("ui.corrected", counter=say("race.counter.chips", seat="Ania"), value=3) in flat(shown[1])


def test_why_tells_the_rule_with_its_page_and_what_a_card_does(desk: Desk) -> None:
    shown = flat(desk.typed("why"))
    assert en("race.help.actions") in shown
    assert "Rulebook of Race for the Galaxy, page 3" in shown
    card = flat(desk.typed("card new sparta"))
    assert "New Sparta" in card
    assert en("ui.help-not-now", why=say("race.why.choose-action")) in card
    assert flat(desk.typed("karta new sparta")) == card


def test_reminders_are_switched_off_and_on_one_by_one(tmp_path: Path) -> None:
    with Store(tmp_path / "journal.db") as store:
        setup = Setup("eclipse", ("Ania", "Bartek"))
        play = Play.start(game("eclipse"), setup, Journal(store), Binder(store), 1000.0)
        bots = game("eclipse").bots(play.session.setup, Random(1))
        while not play.session.view.notes:
            play.answer(next_answer(play.session.state, bots, Random(1)), 1001.0)
            bots.follow(play.session.state, play.session.news)
        note = play.session.view.notes[0]
        shown, kept = io.StringIO(), list[dict[str, str]]()
        shower = Shower(Console(file=shown, width=400), "en")
        words, parts = flat(shower.words(note)), list[str]()
        lines = iter(("remind", "remind 1", "list", "remind 1", "remind 99"))

        def ask(prompt: str) -> str:
            parts.append(flat(shown.getvalue()))
            shown.seek(0)
            shown.truncate()
            for line in lines:
                return line
            raise EOFError

        with pytest.raises(EOFError):
            TextTable(play, shower, ask, lambda: 1002.0, keep_reminders=kept.append).run()
    assert words in parts[0]
    assert parts[1].endswith(en("ui.reminder-on", n=1, words=words))
    assert en("ui.reminder-off", n=1, words=words) in parts[2]
    assert en("ui.reminder-on", n=1, words=words) in parts[4]
    assert [list(off.values()) for off in kept] == [[shower.words(note)], []]


def test_a_pause_is_left_out_of_the_clock(desk: Desk) -> None:
    desk.now = 1005.0

    def later(line: str, seconds: float) -> str:
        desk.now += seconds
        return line

    script = iter([("pause", 0), ("", 100), ("clock", 7)])
    parts: list[str] = []

    def ask(prompt: str) -> str:
        desk.prompts.append(prompt)
        parts.append(desk._since())
        for line, seconds in script:
            return later(line, seconds)
        raise EOFError

    with pytest.raises(EOFError):
        desk.run(ask)
    assert desk.prompts[-4:] == ["> ", render(say("ui.paused"), "en"), "> ", "> "]
    for name in ("Ania", "Bartek"):
        assert en("ui.thought", seat=name, time="0:12") in flat(parts[-1])
    assert not desk.play.session.paused


def test_the_clock_shows_minutes(desk: Desk) -> None:
    desk.now = 1000.0 + 125
    assert en("ui.thought", seat="Ania", time="2:05") in flat(desk.typed("clock"))
    assert desk.play.session.entries == 2


def test_input_that_ends_in_a_pause_leaves_the_play_paused(desk: Desk) -> None:
    desk.type("pause")
    assert desk.play.session.paused
    assert Play.resume(1, desk.journal, Binder(desk.store)).session.paused


@pytest.mark.parametrize("lines", [("pause", ""), ("settle", "undo")], ids=["pause", "undo"])
def test_what_was_to_be_done_is_not_told_twice(desk: Desk, lines: tuple[str, ...]) -> None:
    """Otherwise somebody takes six cards again."""
    dealt = some("race.deal", 6)
    shown = desk.type(*lines)
    assert dealt in flat(shown[0])
    assert dealt not in flat("".join(shown[1:]))


def test_the_score_so_far_names_no_winner(desk: Desk) -> None:
    shown = flat(desk.typed("score"))
    assert "1. Bartek 2 2. Ania 1" in shown
    assert en("score.winner", winner="Bartek") not in shown


def test_history_is_numbered_by_steps_back(desk: Desk) -> None:
    lines = [flat(line) for line in desk.typed("history").splitlines()]
    first, second = (flat(render(sentence, "en")) for sentence in desk.play.session.story())
    assert lines == [f"2 {first}", f"1 {second}"]


def test_help_names_every_word(desk: Desk) -> None:
    shown = desk.typed("?")
    for word in ("undo", "redo", "fix", "pause", "clock", "score", "history", "quit"):
        assert word in shown


@pytest.mark.parametrize("word", ["quit", "q", "Quit", "koniec", "wyjdź"])
def test_quitting_leaves_everything_saved(desk: Desk, word: str) -> None:
    with pytest.raises(Quit):
        desk.run(lambda prompt: word)
    assert Play.resume(1, desk.journal, Binder(desk.store)).session == desk.play.session


# Secrets


def between_choice_and_reveal(folder: Path, choice: str, *before: str, **choices: str) -> str:
    """Everything shown after Ania's choice, with all that Bartek may ask for, until he chooses himself."""
    desk = Desk(folder, **choices)
    with desk.store:
        desk.type("new sparta", "old earth", *before)
        shown = desk.type(
            choice, "history", "score", "clock", "help", "80", "fix bartek chips = 1", "undo", "redo"
        )
        assert desk.question.seat == 1
        return "".join(shown[1:])


def test_nothing_tells_an_action_before_all_have_chosen(tmp_path: Path) -> None:
    """What the others see is the same to the letter, whatever was chosen."""
    seen = set()
    for number in range(1, 8):
        folder = tmp_path / str(number)
        seen.add(between_choice_and_reveal(folder, str(number)))
    assert len(seen) == 1
    (shown,) = seen
    assert en("ui.ready", seat="Ania") in flat(shown)


def test_a_chosen_action_is_shown_in_the_lists_only(desk: Desk) -> None:
    trade = render(race_box("first")["consume-trade"].called, "en")
    shown = desk.type(trade, "history")
    lists = [flat(line) for line in "".join(shown[1:]).splitlines() if trade in flat(line)]
    assert [line.split()[0] for line in lists] == ["5"]
    assert en("core.of-seat", seat="Ania", text=count("race.reveals", 1, what=(plain(trade),))) in flat(
        desk.typed("produce")
    )


def test_nothing_tells_two_actions_before_all_have_chosen(tmp_path: Path) -> None:
    seen = set()
    for first, second in (("1", "1"), ("4", "4"), ("8", "8")):
        desk = Desk(tmp_path / f"{first}{second}", actions="advanced")
        with desk.store:
            desk.type("new sparta", "old earth", first)
            assert desk.question.seat == 0
            seen.add("".join(desk.type(second, "history", "score")[1:]))
    assert len(seen) == 1


def test_nothing_tells_whether_a_card_will_be_placed(tmp_path: Path) -> None:
    """A card that the other could not place anyway."""
    seen = {
        between_choice_and_reveal(tmp_path / choice, choice, "settle", "settle")
        for choice in ("nothing", "aquatic uplift race")
    }
    assert len(seen) == 1


def test_nothing_tells_which_card_will_be_placed(tmp_path: Path) -> None:
    seen = {
        between_choice_and_reveal(tmp_path / choice, choice, "settle", "settle")
        for choice in ("nothing", "gem world")
    }
    assert len(seen) == 1


def test_on_a_real_screen_a_secret_answer_is_wiped_off_and_only_that(tmp_path: Path) -> None:
    desk = Desk(tmp_path, terminal=True)
    with desk.store:
        shown = desk.type("new sparta", "old earth", "settle")
    wipe = "\x1b[2J"
    assert [wipe in part for part in shown] == [False, False, False, True]
    assert shown[3].index(wipe) < shown[3].index(en("ui.ready", seat="Ania"))


def test_who_may_look_is_said_before_a_secret_question(desk: Desk) -> None:
    shown = desk.type("settle")
    assert en("ui.only-for", seat="Ania") in shown[0]
    assert en("ui.only-for", seat="Bartek") in shown[1]


# Stopping and going on


def test_a_play_cut_off_anywhere_goes_on_exactly_there(tmp_path: Path) -> None:
    """Two plays get the same lines; one of them is left and resumed after every single one."""
    lines = ["new sparta", "old earth", "settle", "produce", "gem world", "", "undo 2", "", ""]
    lines += ["fix chips ania = 2", "develop", "8", "develop", "", "public works", "settle", "u"]
    unbroken = Desk(tmp_path / "one")
    with unbroken.store:
        asked = unbroken.type(*lines)
    first = Desk(tmp_path / "two")
    first.store.close()
    for number, line in enumerate(lines):
        again = Desk(tmp_path / "two", number=1)
        with again.store:
            before, after = again.type(line)
        assert after == asked[number + 1]
        if lines[number - 1] != "8":  # after a refusal the unbroken play does not ask again
            assert asked[number].endswith(before[before.rindex("╯") :])
    assert again.play.session == unbroken.play.session
    assert again.play.session.entries == len(lines) - 1


def played_to_the_end(folder: Path) -> Desk:
    """A desk with a play that is over."""
    desk, random = Desk(folder), Random(2)
    while not desk.play.session.over:
        question = desk.question
        option = random.choice(question.options).id
        desk.play.answer(Answer(question.seat, question.slug, option), desk.now)
    return desk


def test_at_the_end_something_can_still_be_set_right_or_taken_back(tmp_path: Path) -> None:
    desk = played_to_the_end(tmp_path)
    with desk.store:
        assert desk.journal.plays()[0].finished is not None
        desk.type("nonsense", "history", "fix hand ania = 3")
        assert desk.play.session.over
        desk.type("undo 2")
        assert not desk.play.session.over
        assert desk.journal.plays()[0].finished is None
        desk.type("redo")
        assert desk.play.session.over
        entries = desk.play.session.entries
        desk.run(lambda prompt: "")
        assert desk.play.session.entries == entries


def test_resuming_a_play_that_is_over_shows_its_end(tmp_path: Path) -> None:
    desk = played_to_the_end(tmp_path)
    desk.store.close()
    again = Desk(tmp_path, number=1)
    with again.store:
        again.run(lambda prompt: "")
    shown = flat(again.shown.getvalue())
    assert en("ui.packing") in shown
    for row in RACE.sheet(desk.play.session.state).seats:
        assert f"{row.rank}. {row.name} {row.total}" in shown


def test_an_answer_that_cannot_be_written_ends_the_table_as_it_was(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object, **__: object) -> None:
        raise StorageTrouble(say("storage.full", file="journal.db"))

    before = desk.play.session
    monkeypatch.setattr(desk.journal, "append", full)
    for line in ("settle", "undo", "fix chips ania = 3", "pause"):
        with pytest.raises(StorageTrouble):
            desk.run(lambda prompt, line=line: line)
        assert desk.play.session is before
    assert len(desk.journal.entries(1)) == 2


def test_what_could_not_be_taken_back_is_not_said_to_be(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object, **__: object) -> None:
        raise StorageTrouble(say("storage.full", file="journal.db"))

    monkeypatch.setattr(desk.journal, "append", full)
    with pytest.raises(StorageTrouble):
        desk.run(lambda prompt: "undo")
    (*_, last) = desk.play.session.story()
    assert en("ui.takes-back", what=last) not in flat(desk.shown.getvalue())


# Names


@pytest.mark.parametrize(
    "name",
    [
        "[red]Ania",
        "[/b]",
        "[link=x]",
        "[b",
        "Ola\\",
        ":star:",
        "Łucja Żółć",
    ],
)
def test_a_name_is_shown_as_it_was_given(tmp_path: Path, name: str) -> None:
    desk = Desk(tmp_path, name, "Bartek")
    with desk.store:
        shown = desk.type("new sparta", "old earth", "settle", "settle", "history", "score", "clock")
    for n in (0, 3, 4, 5, 6, 7):
        assert name in shown[n]


def test_fix_takes_names_where_a_counter_has_names(tmp_path: Path) -> None:
    rules = game("eclipse")
    desk = Desk(tmp_path)
    setup = Setup("eclipse", ("Ania", "Bartek"))
    desk.play = Play.start(rules, setup, desk.journal, Binder(desk.store), desk.now)
    bots = rules.bots(setup, Random(1))
    while not (state := desk.play.session.state).round:
        asked = desk.play.session.questions()[0]
        desk.play.answer(Answer(asked.seat, asked.slug, bots.choose(state, asked)), desk.now)
        bots.follow(desk.play.session.state, desk.play.session.news)
    home = desk.play.session.state.controlled(0)[0]
    number = render(desk.play.session.state.where(home), "en").split()[0]
    shown = desk.type(
        "fix first player of this round = bart",
        f"fix top {number} = 4",
        f"fix top {number} = half past ten",
        "fix money ania = 7",
    )
    after = desk.play.session.state
    assert (after.first, after.map[home].rotation, after.seats[0].stock.money) == (1, 2, 7)
    assert "Corrected: first player of this round = Bartek" in flat(shown[1])
    assert "it can be: 12 o'clock, 2 o'clock" in flat(shown[3])


# Dice and a map


ECLIPSE = game("eclipse")


@pytest.fixture
def rolling(tmp_path: Path) -> Iterator[Desk]:
    """Somebody shoots with four dice."""
    desk = Desk.__new__(Desk)
    desk.store = Store(tmp_path / "journal.db")
    desk.journal, desk.now, desk.language, desk.prompts = Journal(desk.store), 1000.0, "en", []
    setup = Setup("eclipse", ("Ania", "Bartek"))
    desk.play = Play.start(ECLIPSE, setup, desk.journal, Binder(desk.store), desk.now)
    desk.shown = io.StringIO()
    desk.console = Console(file=desk.shown, width=200, highlight=False)
    random = Random(17)
    bots = ECLIPSE.bots(desk.play.session.setup, random)
    bots.follow(desk.play.session.state, desk.play.session.news)
    while desk.question.dice is None:
        desk.play.answer(next_answer(desk.play.session.state, bots, random), desk.now)
        bots.follow(desk.play.session.state, desk.play.session.news)
    assert desk.question.dice.n == 4
    with desk.store:
        yield desk


def last_answer(desk: Desk) -> str:
    deed = desk.play.session.last.deed  # type: ignore[union-attr]
    assert isinstance(deed, Answered)
    return deed.answer.option


@pytest.mark.parametrize(
    ("line", "answer"),
    [("6 3 1 1", "6,3,1,1"), ("6311", "6,3,1,1"), ("6, 3", "6,3"), ("6", "6"), ("7", "done")],
)
def test_dice_are_told_by_their_faces(rolling: Desk, line: str, answer: str) -> None:
    rolling.type(line)
    assert last_answer(rolling) == answer


@pytest.mark.parametrize("word", ["roll", "rzuć", "Rzuc"])
def test_chance_may_decide(rolling: Desk, word: str) -> None:
    rolling.type(word)
    faces = last_answer(rolling).split(",")
    assert len(faces) == 4
    assert set(faces) <= set("123456")


def test_more_dice_than_there_are_answer_nothing(rolling: Desk) -> None:
    entries = rolling.play.session.entries
    assert some("ui.too-many-dice", 4) in flat(rolling.typed("66666"))
    assert rolling.play.session.entries == entries


def test_a_volley_is_taken_back_as_a_whole(rolling: Desk) -> None:
    before = rolling.play.session.state
    rolling.type("6 6 6 6", "undo")
    assert rolling.play.session.state == before


def test_the_map_in_words_tells_of_every_place(rolling: Desk) -> None:
    shown = flat(rolling.typed("map"))
    for place in ECLIPSE.view(rolling.play.session.state).maps[0].places:
        assert render(place.name, "en") in shown
        for note in place.notes:
            assert flat(render(note, "en")) in shown


def test_a_game_without_a_map_says_so(desk: Desk) -> None:
    assert en("ui.no-map") in flat(desk.typed("mapa"))
