"""Questions, the options they offer, and answers."""

from __future__ import annotations

from random import Random

from msgspec import Struct
from msgspec.structs import replace

from companion.core.faces import Face, Signs
from companion.core.fact_values import ONCE, Means, in_words, read
from companion.core.forms import Form
from companion.core.words import Text, same_but_for_number, say


class Option(Struct, frozen=True):
    """One possible answer; a scan of `component` or a tap on `place` of the map chooses it too.

    `group` is its heading; options without one come first, so that the question stays visible. `signs` say
    the same as `detail` in symbols: what is paid, an arrow, what is received. `face` is how the table would
    look afterwards (a ship with the part in it), where that is not a component.
    """

    id: str
    text: Text
    component: str | None = None
    detail: Text | None = None
    place: str | None = None
    group: Text | None = None
    signs: Signs = ()
    face: Face | None = None
    turn: int | None = None
    """By how many sixths the component is turned when it is placed."""
    cell: tuple[int, int] | None = None
    """Row and column on the printed board, for options that are laid out like it."""
    new: str | None = None
    """The unknown component behind a "new tile"; people are asked for its name."""
    picked: int = 0
    """How often it was picked already, where the same question is asked several times in a row."""
    seat: int | None = None
    """The seat it represents, where a player is chosen."""
    changes: tuple[str, int] | None = None
    """The correctable value it changes, and by how much, where something is counted."""

    def means(self, seen: Option) -> bool:
        """Whether it is the option shown as `seen`; the remaining number may have changed because it was
        picked since."""
        if self.picked == seen.picked:
            return self == seen
        alike = replace(self, picked=seen.picked, detail=seen.detail, signs=seen.signs, face=seen.face)
        return alike == seen and same_but_for_number(self.detail, seen.detail)


class Picks(Struct, frozen=True):
    """For a question asked several times in a row: how often it was answered, and how often it will be at most."""

    done: int
    total: int


class Share(Struct, frozen=True):
    """One possible outcome: its probability, whose success it is, and what will probably be left."""

    text: Text
    share: float
    seat: int | None = None
    signs: Signs = ()
    estimated: bool = False


class Dice(Struct, frozen=True):
    """Identical dice thrown together: which options are their faces, which of these have an effect, and which
    option says that no other die has one. `colour` is for screens."""

    n: int
    faces: tuple[str, ...]
    counting: tuple[str, ...]
    rest: str
    colour: str

    def thrown(self, random: Random, told: tuple[str, ...] = ()) -> str:
        """The answer with these dice given and the others rolled at random."""
        return TOGETHER.join((*told, *(random.choice(self.faces) for _ in range(self.n - len(told)))))

    def answer_for(self, faces: tuple[str, ...]) -> str:
        """The answer if only these faces count."""
        return TOGETHER.join(faces if len(faces) == self.n else (*faces, self.rest))


LATER = "later"
"""The answer that postpones a question."""

TOGETHER = ","
"""The separator between dice faces in one answer."""


class Question(Struct, frozen=True):
    """A question to a seat (`None` = the whole table), with the most sensible option first.

    `has_default` is false where no option is more sensible than the others: a button pressed by accident must
    not choose somebody's action. `notes` help to answer: what it costs, what is impossible and why.

    `text` does not name the seat: screens add it. For `dice`, one answer may hold several faces, joined by
    commas. For a `form`, any value that fits may be the answer, written as JSON; the options are shortcuts.
    """

    slug: str
    seat: int | None
    text: Text
    options: tuple[Option, ...]
    secret: bool = False
    has_default: bool = True
    notes: tuple[Text, ...] = ()
    dice: Dice | None = None
    form: Form | None = None
    facts: tuple[str, ...] = ()
    """The facts that its form sets, as `component.field`."""
    later: Text | None = None
    """The label of the answer that postpones the form, where it may wait until a rule needs the facts."""
    beforehand: Text | None = None
    """What people do before a secret question is asked: choose cards face down, and reveal them."""
    warning: Text | None = None
    """What the player who answers must not overlook."""
    certain: bool = False
    """Whether every choice has the same effect: then nobody is asked."""
    tally: Picks | None = None
    faces: tuple[Face, ...] = ()
    """What it is about: the ship being upgraded, the ships of a battle."""
    odds: tuple[Share, ...] = ()
    unaffordable: tuple[str, ...] = ()
    """Components that fit but that the seat cannot afford as far as we know. A hand may be miscounted, so
    screens show them separately and lead to the correction."""
    sets: tuple[Option, ...] = ()
    """Whole sets of answers, where the question is asked several times in a row: each set's ids are joined by
    commas."""
    any_order: bool = False
    """Whether it is asked until everything is picked, in any order: all cards in view may be confirmed at once."""
    foreseen: bool = False
    """Whether its answer needs no new information: its default may be given together with the previous answer."""
    turn: bool = False
    """Whether it is a whole turn or phase, to be read from the far end of the table."""
    absent: str = ""
    """The option that is answered for a player who left, if it is not the default."""
    soft: int | None = None
    """Seconds after which a clock reminds the seat; nothing is forced."""
    finished: dict[str, int] | None = None
    """Whether the answer is a finished table, as JSON for the scorer: the numbers that are known already."""

    @property
    def only(self) -> Option | None:
        """The only possible answer, if there is no choice."""
        told = self.dice is not None or self.form is not None or self.finished is not None
        alone = (len(self.options) == 1 or self.certain) and not told and not self.turn
        return self.options[0] if alone else None

    @property
    def default(self) -> Option | None:
        """The answer of the seat's button, if there is one."""
        return self.options[0] if self.has_default else None

    def option(self, id: str) -> Option | None:
        """The option with this id, if it is offered."""
        return next((o for o in self.options if o.id == id), None)

    def picks_on(self, seen: Question, id: str) -> bool:
        """Whether this is a later pick of the question `seen`, in which this option still means the same."""
        was, now = seen.option(id), self.option(id)
        return (
            seen.tally is not None
            and self.tally is not None
            and self.tally.total == seen.tally.total
            and self.tally.done > seen.tally.done
            and (self.seat, self.slug) == (seen.seat, seen.slug)
            and same_but_for_number(self.text, seen.text)
            and was is not None
            and now is not None
            and now.means(was)
        )

    def parts(self, id: str) -> tuple[Option, ...]:
        """The options an answer consists of: one, or several for dice; empty if it is not offered."""
        if id == LATER and self.later is not None:
            return (Option(LATER, self.later),)
        if self.form is not None:
            told = read(self.form, id)
            return () if told is None else (Option(id, in_words(self.form, told[0])),)
        if self.finished is not None and id.startswith("{"):
            return (Option(id, say("core.finished-table")),)
        ids = [id] if self.dice is None else id.split(TOGETHER)
        if self.dice is not None and len(ids) > 1:
            faces = ids[:-1] if ids[-1] == self.dice.rest else ids
            if len(ids) > self.dice.n or not set(faces) <= set(self.dice.faces):
                return ()
        found = [self.option(part) for part in ids]
        return () if None in found else tuple(option for option in found if option is not None)

    def words(self, id: str, means: Means = lambda told: None) -> Text | None:
        """An answer in words, if it is offered; a form's value in the game's words."""
        if id == LATER and self.later is not None:
            return self.later
        if self.form is not None:
            told = read(self.form, id)
            words = None if told is None else in_words(self.form, told[0], means)
            return words if words is None or not id.startswith(ONCE) else say("core.just-once", told=words)
        parts = self.parts(id)
        if len(parts) > 1:
            return say("core.together", parts=tuple(option.text for option in parts))
        return parts[0].text if parts else None


class Answer(Struct, frozen=True):
    """A chosen option; the slug prevents a late tap from answering the next question."""

    seat: int | None
    slug: str
    option: str
