"""What a game provides, and the list of games, found in `companion/games/`."""

from __future__ import annotations

import importlib
import importlib.resources
import pkgutil
import unicodedata
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, MutableMapping
from functools import cache, cached_property, partial
from random import Random
from types import MappingProxyType
from typing import Annotated, Any, Protocol

import msgspec
from msgspec import Struct
from msgspec.structs import force_setattr, replace

from companion.core.agenda import Ask, Do, State, Step, advance
from companion.core.census import Cohort, Disagreement, Progress, disagreements, progress
from companion.core.components import (
    NAME,
    NAME_FIELDS,
    Catalogue,
    Component,
    Facts,
    Value,
    fact_of,
    read_toml,
    value_of,
    with_fields,
)
from companion.core.counters import Correctable
from companion.core.faces import Face, Sign, Tints, plain_face
from companion.core.fact_values import Vocabulary, fits, in_words, schema, wrongs
from companion.core.flow.state import LightPosition
from companion.core.forms import Form, field_words, form_of
from companion.core.parts import GameTool, Highlight, OddsAnswer, Positions, SheetWords
from companion.core.plain_game import AnyBots, lying_there, plain_view, plain_words
from companion.core.positions import quoted
from companion.core.printed_facts import Contradiction, Printed, plain_printed
from companion.core.questions import Question
from companion.core.views import PlaceView, View
from companion.core.words import News, Text, count, legible, plain, say
from companion.errors import DataTrouble, Unknown
from scoring.sheet import Sheet

LONGEST_NAME = 30
FOLDER = "companion.games"


class Setup(Struct, frozen=True):
    """What is agreed before a play: who sits where (clockwise), which variants are used, what the owner taught."""

    game: str
    seats: tuple[str, ...]
    choices: dict[str, str] = msgspec.field(default_factory=dict)
    facts: Facts = msgspec.field(default_factory=dict)
    flow: str | msgspec.UnsetType = msgspec.UNSET
    """The text of the flow file of a light play: it can be replayed when the file is gone."""


class Variant(Struct, frozen=True):
    """Something to agree on before a play; the first value is the usual one."""

    id: str
    values: tuple[str, ...]
    seats: dict[str, tuple[int, ...]] = msgspec.field(default_factory=dict)
    """The numbers of seats for which a value may be chosen; a value that is missing here is always allowed."""
    flags: dict[str, str] = msgspec.field(default_factory=dict)
    """Values with a flag on the command line: `{advanced = "advanced"}` is `--advanced`."""

    def allowed(self, value: str, seats: int) -> bool:
        """Whether this value may be chosen with this number of seats."""
        return value in self.values and seats in self.seats.get(value, (seats,))


class ExplainedRule(Struct, frozen=True):
    """A rule that help explains: the questions it belongs to, without the game's id, and where it is: pages of the
    rulebook, or a step of the set-up sheet. Neither: no rulebook has it."""

    id: str
    questions: tuple[str, ...]
    pages: Annotated[str, msgspec.Meta(pattern="^([1-9][0-9]?(-[1-9][0-9]?)?)?$")] = ""
    step: int = 0


class Box(Struct, frozen=True, kw_only=True):
    """The head of a game, from `game.toml`: name, number of players, variants, letter on labels.

    Raise `rules` whenever the same answers lead to another table or other points than before.
    """

    id: str
    name: str
    rules: Annotated[int, msgspec.Meta(ge=1)]
    seats: tuple[int, ...]
    variants: tuple[Variant, ...] = ()
    label: Annotated[str, msgspec.Meta(pattern="^[A-Y]$")] | None = None
    hidden: bool = False
    """Whether it exists only for the laws and for developers; players do not see it."""
    showcase: bool = False
    """Whether this is the default game for demonstrations."""
    short: str = ""
    """Its name where space is short."""
    colour: Annotated[str, msgspec.Meta(pattern="^#[0-9A-F]{6}$")] = "#243146"
    """The background of its cover, dark enough for light text."""
    rulebook: tuple[ExplainedRule, ...] = ()
    """The rules that help explains, with the pages of the Polish rulebook."""
    taps: float | None = None
    """Touches per seat and round with all rules, as measured by `benchmarks/effort.py`."""

    @property
    def called(self) -> str:
        """Its name where space is short."""
        return self.short or self.name

    def variant_text(self, variant: str) -> Text:
        """The name of a variant."""
        return say(f"{self.id}.variant.{variant}")

    def value_text(self, variant: str, value: str) -> Text:
        """The name of a value of a variant."""
        return say(f"{self.id}.variant.{variant}.{value}")

    def flag_text(self, flag: str) -> Text:
        """The help text of a command line flag."""
        return say(f"{self.id}.flag.{flag}")

    @property
    def flags(self) -> tuple[str, ...]:
        """Its flags on the command line."""
        return tuple(flag for variant in self.variants for flag in variant.flags.values())

    def flagged(self, flags: Container[str]) -> dict[str, str]:
        """The values these flags choose."""
        return {v.id: value for v in self.variants for value, flag in v.flags.items() if flag in flags}


class Bots(Protocol):
    """Players and pieces for demonstrations and tests: they answer, and handle cards as the news say."""

    careful: bool
    """Whether they play as well as they can, as in a demonstration; otherwise they sometimes play at random,
    to reach every rule."""

    def choose(self, state: Any, question: Question) -> str:
        """The option a seat chooses."""

    def follow(self, state: Any, news: tuple[News, ...]) -> None:
        """Draw, pay and discard as the news say; raises AssertionError if that is impossible."""

    def pieces(self) -> int:
        """The number of physical pieces at the bots' table; it must never change."""


LEFT_OUT: Any = None
"""Marks a part that is derived from the others."""


class Game(Struct, frozen=True, kw_only=True, dict=True):
    """One game: its facts, rules and presentation as functions."""

    box: Box
    state: type[Any]
    steps: tuple[type[Step], ...]
    catalogue: Callable[[Setup, Facts], Catalogue[Any]]
    """Everything that can lie on the table, with the taught facts."""
    begin: Callable[[Setup], Any]
    """The table before the first question."""
    sheet: Callable[[Any], Sheet]
    """The score if the play ended now."""

    # Everything below is optional.

    view: Callable[[Any], View] = LEFT_OUT
    """What everybody may see. Default: whose turn it is, and the points."""
    on_table: Callable[[Any], frozenset[str]] = LEFT_OUT
    """The components already on the table, so that showing one again has no effect. Default: what the view shows."""
    sheet_words: SheetWords = LEFT_OUT
    """The words of the sheet. Default: names of components, and slugs; see `plain_words`."""
    bots: Callable[[Setup, Random], Bots] = AnyBots
    """Players and pieces for demonstrations and tests. Default: random answers, no pieces."""
    counters: Callable[[Any], tuple[Correctable, ...]] = lambda state: ()
    """The values that can be corrected by hand."""
    correct: Callable[[Any, str, int], Any] = lambda state, counter, value: state
    """The table with a counter set to this value."""
    check: Callable[[Any], tuple[Text, ...]] = lambda state: ()
    """What is impossible about a table: corrections that lead there are refused."""
    checklist: Callable[[Setup], tuple[Text, ...]] = lambda setup: (say("core.set-up"),)
    """How to set up the table before a play. Default: as the rulebook says."""
    packing: Callable[[Setup], tuple[Text, ...]] = lambda setup: (say("core.pack-away"),)
    """How to pack up afterwards. Default: everything into the box."""
    printed: Callable[[Any], tuple[Printed, ...]] = LEFT_OUT
    """Every fact of a component in words. Default: field by field, and all but `copies` can be taught."""
    census: Callable[[Setup], tuple[Cohort, ...]] = lambda setup: ()
    """What its rulebook counts in the box of a set-up."""
    contradictions: Callable[[Any], Iterable[Contradiction]] = lambda component: ()
    """How a component as taught contradicts the rulebook; unknown fields contradict nothing."""
    vocabulary: Vocabulary | None = None
    """The powers or effects that can be taught, and the sentence for each."""
    kind: Callable[[Any], Text] | None = None
    """What kind of thing a component is, to find it among many; not needed by a game with one kind."""
    positions: Positions | None = None
    """How to score a table that was played without the program."""
    odds: Callable[[dict[str, Any], Callable[[], object]], OddsAnswer] | None = None
    """The odds for plain JSON values; raises `DataTrouble` with all problems. It calls its second argument
    now and then; to cancel, that function raises an exception."""
    tools: tuple[GameTool, ...] = ()
    """Calculations that a light play offers."""
    light: Callable[[Any], LightPosition] | None = None
    """Where a table is in the game's flow, so that people can go on with turns and pools only."""
    highlights: tuple[Highlight, ...] = ()
    """Moments to take screenshots of."""
    demo_seed: int = 8
    """The seed of the bots' play that is shown to people: an eventful one with a close end."""
    sample: Callable[[], Facts] = dict
    """A sample box: invented values for everything people would have to teach, only for demonstrations."""
    face: Callable[[Any], Face] = plain_face
    """What a component looks like, from its facts."""
    chart: Callable[[Any, str], tuple[PlaceView, ...]] = lambda component, field: ()
    """The places between which the lines of a field are drawn, on a component as taught so far."""
    value_sign: Callable[[str, int | str], Sign | None] = lambda field, value: None
    """The symbol of a value of a field, where no symbol has its name; for value "", of the field itself."""
    tints: Tints = {}
    """The colours of its faces and symbols by name."""

    def __post_init__(self) -> None:
        """Fill in optional parts that are derived from the others."""
        if self.view is LEFT_OUT:
            force_setattr(self, "view", partial(plain_view, self.sheet))
        if self.on_table is LEFT_OUT:
            force_setattr(self, "on_table", partial(lying_there, self.view))
        if self.printed is LEFT_OUT:
            force_setattr(self, "printed", partial(plain_printed, self.box.id))
        if self.sheet_words is LEFT_OUT:
            force_setattr(self, "sheet_words", plain_words(self.box.id, self.usual_box))

    @property
    def id(self) -> str:
        """The game's short name, the same as its folder's."""
        return self.box.id

    def start(self, setup: Setup) -> Any:
        """The table before the first question; raises `DataTrouble` with everything wrong about the set-up."""
        return advance(replace(self.begin(self.agreed(setup)), taught=setup.facts))

    def agreed(self, setup: Setup) -> Setup:
        """A set-up that can be played, complete; raises `DataTrouble` with everything wrong about it."""
        problems = tuple(self.problems(setup))
        if problems:
            raise DataTrouble(say("core.bad-setup", game=self.box.name), problems)
        return self.complete(setup)

    def complete(self, setup: Setup) -> Setup:
        """The same set-up with the default value for every variant not chosen."""
        usual = {v.id: v.values[0] for v in self.box.variants}
        return replace(setup, choices={**usual, **setup.choices})

    def problems(self, setup: Setup) -> Iterable[Text]:
        """Everything wrong with a set-up."""
        seats = len(setup.seats)
        if seats not in self.box.seats:
            low, high = str(self.box.seats[0]), str(self.box.seats[-1])
            yield count("core.bad-seats", seats, game=self.box.name, low=low, high=high)
        if len(set(setup.seats)) < seats or not all(is_name(name) for name in setup.seats):
            yield say("core.bad-names")
        variants = {v.id: v for v in self.box.variants}
        for id, value in setup.choices.items():
            if id not in variants:
                yield say("core.unknown-variant", variant=id, known=_list(variants))
            elif value not in variants[id].values:
                yield say("core.unknown-value", variant=id, value=value, known=_list(variants[id].values))
            elif not variants[id].allowed(value, seats):
                yield count("core.value-not-for-seats", seats, variant=id, value=value)

    def bad_facts(
        self, facts: Mapping[str, Value], known: Mapping[str, Value] | None = None
    ) -> Iterable[Text]:
        """Everything among these facts that cannot be printed in this box, given what is `known` already."""
        box = self.every_component()
        told: dict[str, Facts] = {}
        for key, value in facts.items():
            id, field = fact_of(key)
            if id not in box:
                yield say("core.unknown-component", id=quoted(id))
            elif (form := self.form(box[id], field)) is None:
                yield say("binder.not-possible", fact=quoted(key), value=quoted(str(value)))
            else:
                bad = tuple(wrongs(form, value, key))
                for wrong in bad:
                    yield say("binder.does-not-fit", fact=wrong.path, value=wrong.value, why=wrong.why)
                if not bad:
                    told.setdefault(id, {})[field] = value
        for id, fields in told.items():
            beside = self._uncontradicted(box[id], _of(id, known or {}))
            for found in self.contradictions(with_fields(box[id], {**beside, **fields})):
                if fields.keys() & set(found.fields):
                    shown = with_fields(box[id], {**beside, **fields}, NAME_FIELDS)
                    yield say("binder.contradicts", component=shown.called, why=found.text)

    def _uncontradicted(self, component: Component, told: Facts) -> Facts:
        """The facts taught about a component, by field, without those that contradict the rulebook."""
        found = self.contradictions(with_fields(component, told)) if told else ()
        wrong = {field for one in found for field in one.fields}
        return {field: value for field, value in told.items() if field not in wrong}

    def form(self, component: Component, field: str) -> Form | None:
        """What may be taught about a field of a component; None if nothing may."""
        teachable = field == NAME or any(row.field == field for row in self.rows(component) if row.teachable)
        return form_of(type(component), field, self.id) if teachable else None

    def rows(self, component: Component, box: Catalogue[Any] | None = None) -> tuple[Printed, ...]:
        """Every printed value of a component in words: its facts, then its names, which can always be taught.

        Components that a fact mentions are called as in `box`.
        """
        names = (
            Printed(field, field_words(self.id, field), tuple(plain(name) for name in (known,) if name), True)
            for field in NAME_FIELDS
            if field != NAME
            for known in (value_of(component, field) or "",)
        )
        facts = self.printed(component)
        if box is not None:
            facts = tuple(replace(row, values=tuple(map(box.in_our_names, row.values))) for row in facts)
        return (*facts, *names)

    def fact_text(self, component: Component, field: str, value: Value) -> Text:
        """A taught value in words; a value that does not fit is quoted as JSON."""
        form = self.form(component, field)
        if form is None or not fits(form, value):
            return plain(quoted(msgspec.json.encode(value).decode()))
        return in_words(form, value, self.means)

    def means(self, told: Any) -> Text | None:
        """What a taught power or effect means; None if the game has no words of its own for it."""
        return None if self.vocabulary is None else self.vocabulary.means(told)

    def usual_setup(self, facts: Facts | None = None) -> Setup:
        """The smallest table in the default edition, with these facts."""
        seats = tuple(str(n) for n in range(self.box.seats[0]))
        return self.complete(Setup(self.id, seats, {}, facts or {}))

    def usual_box(self) -> Catalogue[Component]:
        """The box in the default edition, without taught facts."""
        return self.catalogue(self.usual_setup(), {})

    def every_component(self) -> Mapping[str, Component]:
        """Every component of any variant, by id; as printed in the default edition where it has it."""
        return self._every_component

    @cached_property
    def _every_component(self) -> Mapping[str, Component]:
        seats = tuple(str(n) for n in range(self.box.seats[0]))
        found = dict(self.usual_box().by_id)
        for variant in self.box.variants:
            for value in variant.values:
                setup = self.complete(Setup(self.id, seats, {variant.id: value}))
                found = {**self.catalogue(setup, {}).by_id, **found}
        return MappingProxyType(found)

    def usable(self, setup: Setup, facts: Mapping[str, Value]) -> Facts:
        """Those of these facts that apply to this box: others belong to another or older edition.

        Facts that contradict the rulebook are left out too, so that they are asked again.
        """
        box = self.catalogue(setup, {})
        used: dict[str, Facts] = {}
        for key, value in facts.items():
            id, field = fact_of(key)
            form = self.form(box[id], field) if id in box else None
            if form is not None and fits(form, value):
                used.setdefault(id, {})[field] = value
        sound = {id: self._uncontradicted(box[id], told) for id, told in used.items()}
        return {
            key: value
            for key, value in facts.items()
            for id, field in (fact_of(key),)
            if field in sound.get(id, ())
        }

    def taught_box(self, setup: Setup) -> Catalogue[Any]:
        """Everything that can lie on the table of a set-up, with its facts as far as they apply."""
        return self.catalogue(setup, self.usable(setup, setup.facts))

    def disagreements(
        self, setup: Setup, told_at: Mapping[str, float] | None = None
    ) -> tuple[Disagreement, ...]:
        """Where the taught facts differ from the rulebook's counts; see `census.disagreements`."""
        return disagreements(self.census(setup), self.taught_box(setup), told_at)

    def progress(self, setup: Setup) -> tuple[Progress, ...]:
        """How much of the box is known, with the taught facts."""
        return progress(self.census(setup), self.taught_box(setup), self.kind)

    def schema(self) -> dict[str, Any]:
        """Everything that may be taught about this box, as JSON Schema of `"component.field"` -> value."""
        box = self.every_component().values()
        fields = ((c, field) for c in box for field in (NAME, *(row.field for row in self.rows(c))))
        forms = {f"{c.id}.{field}": self.form(c, field) for c, field in fields}
        known = {key: schema(form) for key, form in forms.items() if form is not None}
        return {"type": "object", "properties": known, "additionalProperties": False}

    def encode(self, state: State) -> bytes:
        """A state as JSON."""
        return msgspec.json.encode(state)

    def decode(self, data: bytes) -> Any:
        """A state from JSON; raises `DataTrouble` with the path of what is wrong."""
        try:
            return self._decoder.decode(data)
        except msgspec.DecodeError as e:
            raise DataTrouble(say("core.bad-file", file="state", why=str(e))) from e

    @cached_property
    def _decoder(self) -> msgspec.json.Decoder[Any]:
        """Reads states; a field of type `Step` may hold any step, as may one of type `Ask` or `Do`."""
        steps: Any = self.steps[0]
        for step in self.steps[1:]:
            steps = steps | step

        def hook(type_: type[Any], value: Any) -> Any:
            if type_ in (Step, Ask, Do):
                return msgspec.convert(value, steps, dec_hook=hook)
            raise NotImplementedError(type_)

        return msgspec.json.Decoder(self.state, dec_hook=hook)


def _of(component: str, facts: Mapping[str, Value]) -> Facts:
    """Those of these facts that are about one component, by field."""
    return {field: value for key, value in facts.items() for id, field in (fact_of(key),) if id == component}


def is_name(name: str) -> bool:
    """Whether this is a valid name for a player."""
    return bool(name.strip()) and legible(name) and len(name) <= LONGEST_NAME


def called(name: str) -> str:
    """The name as compared: names that differ only in case, blanks around them or Unicode composition are equal."""
    return unicodedata.normalize("NFKC", name).strip().casefold()


def _list(ids: Iterable[str]) -> tuple[Text, ...]:
    return tuple(plain(id) for id in ids)


def read_box(package: str) -> Box:
    """The `game.toml` of a game's folder."""
    box: Box = read_toml(importlib.resources.files(package) / "game.toml", Box)
    return box


@cache
def boxes() -> dict[str, Box]:
    """The head of every visible game, by id, without loading the rules."""
    return {id: box for id, box in every_box().items() if not box.hidden}


@cache
def every_box() -> dict[str, Box]:
    """The head of every game, by id, including hidden ones; the folder of a game has its id as its name."""
    package = importlib.import_module(FOLDER)
    names = [module.name for module in pkgutil.iter_modules(package.__path__)]
    folder = importlib.resources.files(package)
    found = {name: read_toml(folder / name / "game.toml", Box) for name in names}
    check_letters(found.values())
    return found


class Games(MutableMapping[str, "Game"]):
    """Games by id, each loaded when it is first asked for: who plays one does not wait for the others."""

    def __init__(self, ids: Iterable[str]) -> None:
        self._loaded: dict[str, Game | None] = dict.fromkeys(ids)

    def __getitem__(self, id: str) -> Game:
        found = self._loaded[id]
        if found is None:
            found = self._loaded[id] = importlib.import_module(f"{FOLDER}.{id}").GAME
        return found

    def __setitem__(self, id: str, game: Game) -> None:
        self._loaded[id] = game

    def __delitem__(self, id: str) -> None:
        del self._loaded[id]

    def __contains__(self, id: object) -> bool:
        return id in self._loaded

    def __iter__(self) -> Iterator[str]:
        return iter(self._loaded)

    def __len__(self) -> int:
        return len(self._loaded)


def showcase() -> Box:
    """The default game for demonstrations."""
    return next((box for box in boxes().values() if box.showcase), next(iter(boxes().values())))


@cache
def games() -> Games:
    """Every visible game, by id."""
    return Games(boxes())


@cache
def every_game() -> Games:
    """Every game, by id, including hidden ones: the laws apply to them as well."""
    return Games(every_box())


def check_letters(boxes: Iterable[Box]) -> None:
    """No two games may share a letter on labels; raises `DataTrouble`."""
    taken: dict[str, Box] = {}
    for box in boxes:
        if box.label is not None and taken.setdefault(box.label, box) is not box:
            raise DataTrouble(
                say("labels.letter-taken", letter=box.label, game=box.name, other=taken[box.label].name)
            )


def full_game(id: str) -> Game | None:
    """The game with this id, with all its rules; None for a game that only a flow file describes."""
    return every_game().get(id)


def game(id: str) -> Game:
    """The game with this id."""
    try:
        return games()[id]
    except KeyError:
        raise Unknown(say("core.unknown-game", id=id, known=_list(games()))) from None
