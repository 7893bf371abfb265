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
    """One thing that may be answered; a scan of `component` answers it too, and so does a tap on `place` of the map.

    `group` is a heading it stands under, after those that have none: so that what is asked stays in sight. `signs` say
    the same as `detail` without words: what goes, an arrow, what comes. `face` is how the table would look after it
    (a ship with the part in it), where that is no component.
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
    """By how many sixths the component is turned when it is laid on its place."""
    cell: tuple[int, int] | None = None
    """Row and column on the board it is printed on, for options that are laid out as there."""
    new: str | None = None
    """The component it stands for that nobody has told anything of: a new tile, which is asked for its name."""
    picked: int = 0
    """How often it was picked already, where the same is asked several times in a row."""

    def means(self, seen: Option) -> bool:
        """Whether it is what was offered as `seen`; how many are left may have changed because it was picked since."""
        if self.picked == seen.picked:
            return self == seen
        alike = replace(self, picked=seen.picked, detail=seen.detail, signs=seen.signs, face=seen.face)
        return alike == seen and same_but_for_number(self.detail, seen.detail)


class Picks(Struct, frozen=True):
    """The same question asked several times in a row: how often it was answered, and how often it will be at most."""

    done: int
    total: int


class Share(Struct, frozen=True):
    """One way something may end: how likely it is, whose success it is, and what will probably be left."""

    text: Text
    share: float
    seat: int | None = None
    signs: Signs = ()
    estimated: bool = False


class Dice(Struct, frozen=True):
    """Dice that are alike and thrown together: which options are their faces, which of these do anything, and which
    option says that no other die does. `colour` is theirs, for screens."""

    n: int
    faces: tuple[str, ...]
    counting: tuple[str, ...]
    rest: str
    colour: str

    def thrown(self, random: Random, told: tuple[str, ...] = ()) -> str:
        """The answer if these dice were told and chance decides about the others."""
        return TOGETHER.join((*told, *(random.choice(self.faces) for _ in range(self.n - len(told)))))

    def told(self, faces: tuple[str, ...]) -> str:
        """The answer if only these faces count."""
        return TOGETHER.join(faces if len(faces) == self.n else (*faces, self.rest))


LATER = "later"
"""The answer that puts off what a question may wait for."""

TOGETHER = ","
"""Between the faces of dice told in one answer."""


class Question(Struct, frozen=True):
    """What we wait for, from whom (`None` = from the table), with the most sensible option first.

    Where no option is more sensible than the others, `has_default` is false: a button pressed by accident must not
    choose somebody's action. `notes` are good to know for whoever answers: what it costs, what is not possible and why.

    `text` does not name the seat: whoever shows it does. Of `dice` several may be told in one answer, faces joined by
    commas. Into a `form` anything may be told that fits, written as JSON; the options are what is told most easily.
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
    """What is told into its form, as `component.field`."""
    later: Text | None = None
    """What puts off telling what is asked into its form, where that may wait until a rule needs it."""
    beforehand: Text | None = None
    """What people do before a secret is asked for at all: choose cards, face down, and turn them over."""
    warning: Text | None = None
    """What whoever answers must not overlook."""
    certain: bool = False
    """Whether the same comes of it whatever is chosen: then nobody is asked."""
    tally: Picks | None = None
    faces: tuple[Face, ...] = ()
    """What it is about: the ship being upgraded, the ships of a battle."""
    odds: tuple[Share, ...] = ()
    unaffordable: tuple[str, ...] = ()
    """Components that fit the question but cannot be paid for with what the seat is known to have: a hand may be
    miscounted, so screens show them apart and lead to the correction."""
    sets: tuple[Option, ...] = ()
    """Whole sets of answers, where the same is asked several times in a row: the ids of each joined by commas."""
    any_order: bool = False
    """Whether it is asked again until all is picked, in any order: what lies in sight may be confirmed at once."""
    foreseen: bool = False
    """Whether the table has nothing new to tell with its answer: what is suggested may be taken along with the one
    before."""

    @property
    def only(self) -> Option | None:
        """What can only be answered, if there is nothing to choose."""
        alone = (len(self.options) == 1 or self.certain) and self.dice is None and self.form is None
        return self.options[0] if alone else None

    @property
    def default(self) -> Option | None:
        """What the seat's button answers, if it may."""
        return self.options[0] if self.has_default else None

    def option(self, id: str) -> Option | None:
        """The option with this id, if it is offered."""
        return next((o for o in self.options if o.id == id), None)

    def picks_on(self, seen: Question, id: str) -> bool:
        """Whether this is a later pick of the question that was `seen`, in which this option still means the same."""
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
        """The options an answer is made of: one, or for dice several; none if it is not offered."""
        if id == LATER and self.later is not None:
            return (Option(LATER, self.later),)
        if self.form is not None:
            told = read(self.form, id)
            return () if told is None else (Option(id, in_words(self.form, told[0])),)
        ids = [id] if self.dice is None else id.split(TOGETHER)
        if self.dice is not None and len(ids) > 1:
            faces = ids[:-1] if ids[-1] == self.dice.rest else ids
            if len(ids) > self.dice.n or not set(faces) <= set(self.dice.faces):
                return ()
        found = [self.option(part) for part in ids]
        return () if None in found else tuple(option for option in found if option is not None)

    def words(self, id: str, means: Means = lambda told: None) -> Text | None:
        """An answer in words, if it is offered; what is told into a form as the game means it."""
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
    """An option chosen; the slug keeps a late tap from answering the next question."""

    seat: int | None
    slug: str
    option: str
